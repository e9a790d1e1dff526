/* test_seeds.c - which partition comes next, against the original, and which
 * are in progress. */
#include "seeds_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define THREADS    4
#define PER_THREAD 20000

static int64_t nth(json_t *array, size_t i)
{
    return json_integer_value(json_array_get(array, i));
}

static bool request(struct cs_seeds *seeds, bool write, struct cs_seed *seed)
{
    if (!write)
        return cs_seeds_next_read(seeds, seed);
    if (!cs_seeds_next_write(seeds, seed))
        return false;
    cs_seeds_finish(seeds, seed, true, true);
    return true;
}

static void check_seeds(struct vector_file *v, json_t *json,
                        struct cs_seeds *seeds)
{
    const char *mode = vector_string(json, "mode");
    bool alternating = !strncmp(mode, "alternating", 11);
    bool write = strcmp(mode, "read") != 0;
    json_t *want;
    size_t i;

    json_array_foreach(json_object_get(json, "seeds"), i, want)
    {
        struct cs_seed seed;
        bool found = request(seeds, alternating ? i % 2 == 0 : write, &seed);

        if (found == json_is_null(want) ||
            (found && seed.value != json_integer_value(want)))
            fail_msg("%s:%d: seed %zu", v->path, v->line, i);
        if (!found)
            assert_true(cs_seeds_exhausted(seeds));
    }
}

static void check_reads(struct vector_file *v, json_t *json,
                        struct cs_seeds *seeds)
{
    json_t *reads = json_object_get(json, "cstress_reads");
    json_t *want;
    size_t i;

    if (!reads)
        reads = json_object_get(json, "reads");
    json_array_foreach(reads, i, want)
    {
        struct cs_seed seed;

        assert_true(cs_seeds_next_read(seeds, &seed));
        if (seed.value != json_integer_value(want))
            fail_msg("%s:%d: read %zu", v->path, v->line, i);
        assert_true(request(seeds, true, &seed));
    }
}

static void check_sequence_line(struct vector_file *v, const char *file,
                                json_t *json)
{
    json_t *seq = json_object_get(json, "seq");
    json_t *wrap = json_object_get(json, "wrap");
    const char *revisit = vector_string(json, "revisit");
    const char *lookback = vector_string(json, "lookback");
    struct cs_settings settings =
        settings_of(nth(seq, 0), nth(seq, 1), !wrap || json_is_true(wrap),
                    test_dialect(file));
    struct cs_seeds *seeds;

    if (revisit)
        settings.insert.revisit = test_dist(revisit);
    settings.population.has_lookback = lookback != NULL;
    if (lookback)
        settings.population.lookback = test_dist(lookback);
    seeds = new_seeds(&settings);
    check_seeds(v, json, seeds);
    check_reads(v, json, seeds);
    cs_seeds_free(seeds);
}

static void hands_out_the_seeds_of_the_original(void **state)
{
    static const char *const files[] = {"seed_sequences_c3.jsonl",
                                        "seed_sequences_c4.jsonl"};

    (void)state;
    vector_each_json(files, CS_COUNT(files), check_sequence_line);
}

static void multiplies_by_what_the_revisit_range_gives(void **state)
{
    struct vector_file v;
    char *fields[5];

    (void)state;
    vector_open(&v, "seed_multipliers_c4.tsv");
    vector_next_line(&v);
    while (vector_next_line(&v)) {
        struct cs_settings settings = settings_of(1, 10, true, CS_DATA_C4);
        struct cs_seeds *seeds;

        assert_int_equal(vector_fields(&v, fields, 5), 5);
        settings.insert.revisit = test_dist(fields[0]);
        seeds = new_seeds(&settings);
        assert_int_equal(cs_seeds_value(seeds, 1),
                         strtoll(fields[2], NULL, 10));
        assert_int_equal(cs_seeds_value(seeds, 1),
                         strtoll(fields[3], NULL, 10));
        assert_int_equal(cs_seeds_value(seeds, 7),
                         strtoll(fields[4], NULL, 10));
        cs_seeds_free(seeds);
    }
}

static void refuses_what_cannot_work(void **state)
{
    static const struct {
        const char *revisit;
        int64_t from, to;
        const char *lookback;
        const char *word;
    } rows[] = {
        {"uniform(-1..10)", 1, 10, NULL, "revisit="},
        {"uniform(1..2147483648)", 1, 10, NULL, "revisit="},
        {"uniform(1..1M)", 10, 1, NULL, "seq="},
        {"uniform(1..1M)", 1, 10, "fixed(12)", "read-lookback="},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_settings settings =
            settings_of(rows[i].from, rows[i].to, true, CS_DATA_C4);
        struct cs_seeds *seeds = NULL;
        struct cs_err err;

        settings.insert.revisit = test_dist(rows[i].revisit);
        settings.population.has_lookback = rows[i].lookback != NULL;
        if (rows[i].lookback)
            settings.population.lookback = test_dist(rows[i].lookback);
        assert_int_equal(cs_seeds_new(&settings, &seeds, &err), CS_EUSAGE);
        assert_non_null(strstr(err.text, rows[i].word));
        assert_null(seeds);
    }
}

/* What makes the map keep writes apart in place of the marks: with this range
 * the multiplier of c4 is even. */
static const bool ways[] = {false, true};

static struct cs_settings settings_by(bool map, int64_t to)
{
    struct cs_settings settings = settings_of(1, to, true, CS_DATA_C4);

    if (map)
        settings.insert.revisit = cs_dist_uniform(1, 1200000000);
    return settings;
}

/* A seed being written is passed over until its write has ended. */
static void check_passed_over(bool map)
{
    struct cs_settings settings = settings_by(map, 4);
    struct cs_seeds *seeds = new_seeds(&settings);
    struct cs_seed one, two, three, four, next;

    assert_true(cs_seeds_next_write(seeds, &one));
    assert_true(cs_seeds_next_write(seeds, &two));
    assert_true(cs_seeds_next_write(seeds, &three));
    cs_seeds_finish(seeds, &two, true, true);
    assert_true(cs_seeds_next_write(seeds, &four));
    assert_int_equal(four.position, 4);
    assert_int_equal(four.entry != NULL, map);
    /* 1 and 3 are still being written. */
    assert_true(cs_seeds_next_write(seeds, &next));
    assert_int_equal(next.position, 2);
    assert_false(cs_seeds_next_write(seeds, &two));
    assert_false(cs_seeds_exhausted(seeds));
    cs_seeds_finish(seeds, &three, true, true);
    assert_true(cs_seeds_next_write(seeds, &three));
    assert_int_equal(three.position, 3);
    /* Reads do not care. */
    assert_true(cs_seeds_next_read(seeds, &next));
    cs_seeds_finish(seeds, &one, true, true);
    cs_seeds_finish(seeds, &three, true, true);
    cs_seeds_finish(seeds, &four, true, true);
    cs_seeds_free(seeds);
}

static void never_hands_out_a_partition_that_is_being_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(ways); i++)
        check_passed_over(ways[i]);
}

static void check_drawn(bool map)
{
    struct cs_settings settings = settings_by(map, 1);
    struct cs_seeds *seeds;
    struct cs_seed held[5], next;
    unsigned seen = 0;

    settings.population.sequence = false;
    settings.population.dist = cs_dist_uniform(1, 5);
    seeds = new_seeds(&settings);
    for (size_t i = 0; i < CS_COUNT(held); i++) {
        assert_true(cs_seeds_next_write(seeds, &held[i]));
        assert_in_range(held[i].position, 1, 5);
        seen |= 1U << held[i].position;
    }
    assert_int_equal(seen, 0x3e); /* all five, each once */
    assert_false(cs_seeds_next_write(seeds, &next));
    assert_false(cs_seeds_exhausted(seeds));
    cs_seeds_finish(seeds, &held[3], true, true);
    assert_true(cs_seeds_next_write(seeds, &next));
    assert_int_equal(next.position, held[3].position);
    cs_seeds_free(seeds);
}

static void a_drawn_partition_is_written_once_at_a_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(ways); i++)
        check_drawn(ways[i]);
}

static void check_thousands(bool map)
{
    enum { HELD = 3000 };
    struct cs_settings settings = settings_by(map, HELD);
    struct cs_seeds *seeds = new_seeds(&settings);
    static struct cs_seed held[HELD];
    struct cs_seed extra;

    for (int round = 0; round < 2; round++) {
        int64_t sum = 0;

        for (int i = 0; i < HELD; i++) {
            assert_true(cs_seeds_next_write(seeds, &held[i]));
            sum += held[i].position;
        }
        assert_int_equal(sum, HELD * (HELD + 1) / 2);
        assert_false(cs_seeds_next_write(seeds, &extra));
        for (int i = 0; i < HELD; i++)
            cs_seeds_finish(seeds, &held[i], true, true);
    }
    cs_seeds_free(seeds);
}

static void tracks_thousands_at_a_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(ways); i++)
        check_thousands(ways[i]);
}

static void a_sequence_that_cannot_meet_itself_is_not_tracked(void **state)
{
    static const struct {
        bool wrap;
        int64_t count;
        bool tracked;
        enum cs_command type;
    } rows[] = {
        {false, -1, false, CS_COMMAND_WRITE},
        {false, 1000, false, CS_COMMAND_WRITE},
        {true, 100, false, CS_COMMAND_WRITE},
        {true, 101, true, CS_COMMAND_WRITE},
        {true, -1, true, CS_COMMAND_WRITE},
        {true, 101, false, CS_COMMAND_COUNTER_WRITE}, /* increments may meet */
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_settings settings =
            settings_of(1, 100, rows[i].wrap, CS_DATA_C4);
        struct cs_seeds *seeds;
        struct cs_seed seed;

        settings.command.type = rows[i].type;
        settings.command.count = rows[i].count;
        seeds = new_seeds(&settings);
        assert_true(cs_seeds_next_write(seeds, &seed));
        assert_int_equal(cs_seeds_are_held(seeds), rows[i].tracked);
        assert_int_equal(cs_seed_visits(&seed), 1);
        cs_seeds_finish(seeds, &seed, true, true);
        cs_seeds_free(seeds);
    }
}

struct worker {
    struct cs_seeds *seeds;
    int64_t sum;
};

static void *write_all(void *ctx)
{
    struct worker *worker = ctx;
    struct cs_seed seed;

    for (int i = 0; i < PER_THREAD; i++) {
        if (!cs_seeds_next_write(worker->seeds, &seed))
            continue;
        worker->sum += seed.position;
        cs_seeds_finish(worker->seeds, &seed, true, true);
    }
    return NULL;
}

static int64_t sum_of_threads(struct cs_seeds *seeds)
{
    struct worker workers[THREADS] = {{0}};
    pthread_t threads[THREADS];
    int64_t sum = 0;

    for (int i = 0; i < THREADS; i++) {
        workers[i].seeds = seeds;
        assert_int_equal(
            pthread_create(&threads[i], NULL, write_all, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += workers[i].sum;
    }
    return sum;
}

static void threads_share_a_sequence(void **state)
{
    int64_t all = THREADS * PER_THREAD;
    struct cs_settings settings = settings_of(1, all, false, CS_DATA_C4);
    struct cs_seeds *seeds = new_seeds(&settings);

    (void)state;
    assert_int_equal(sum_of_threads(seeds), all * (all + 1) / 2);
    cs_seeds_free(seeds);
    /* The same kept apart by marks and by the map. */
    for (size_t i = 0; i < CS_COUNT(ways); i++) {
        settings = settings_by(ways[i], all);
        seeds = new_seeds(&settings);
        assert_int_equal(sum_of_threads(seeds), all * (all + 1) / 2);
        cs_seeds_free(seeds);
    }
}

enum { FEW = 2 };

struct rival {
    struct cs_seeds *seeds;
    atomic_bool *taken; /* of each position */
    int met;
};

static void *write_few(void *ctx)
{
    struct rival *rival = ctx;
    struct cs_seed seed;

    for (int i = 0; i < PER_THREAD / 5; i++) {
        if (!cs_seeds_next_write(rival->seeds, &seed))
            continue;
        rival->met += atomic_exchange(&rival->taken[seed.position], true);
        sched_yield();
        atomic_store(&rival->taken[seed.position], false);
        cs_seeds_finish(rival->seeds, &seed, true, true);
    }
    return NULL;
}

static void threads_never_write_the_same_partition(void **state)
{
    (void)state;
    for (size_t way = 0; way < CS_COUNT(ways); way++) {
        struct cs_settings settings = settings_by(ways[way], FEW);
        struct cs_seeds *seeds = new_seeds(&settings);
        atomic_bool taken[FEW + 1] = {false};
        struct rival rivals[THREADS];
        pthread_t threads[THREADS];

        for (int i = 0; i < THREADS; i++) {
            rivals[i] = (struct rival){.seeds = seeds, .taken = taken};
            assert_int_equal(
                pthread_create(&threads[i], NULL, write_few, &rivals[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            assert_int_equal(rivals[i].met, 0);
        }
        cs_seeds_free(seeds);
    }
}

static void draws_shared_distributions_evenly(void **state)
{
    struct cs_settings settings = settings_of(1, 1, true, CS_DATA_C3);
    struct cs_seeds *seeds;
    int counts[10] = {0};
    struct cs_seed seed;

    (void)state;
    settings.population.sequence = false;
    settings.population.dist = cs_dist_uniform(0, 9);
    seeds = new_seeds(&settings);
    for (int i = 0; i < 100000; i++) {
        assert_true(cs_seeds_next_read(seeds, &seed));
        counts[seed.value]++;
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(counts[i], 9500, 10500);
    cs_seeds_free(seeds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_out_the_seeds_of_the_original),
        cmocka_unit_test(multiplies_by_what_the_revisit_range_gives),
        cmocka_unit_test(refuses_what_cannot_work),
        cmocka_unit_test(never_hands_out_a_partition_that_is_being_written),
        cmocka_unit_test(a_drawn_partition_is_written_once_at_a_time),
        cmocka_unit_test(tracks_thousands_at_a_time),
        cmocka_unit_test(a_sequence_that_cannot_meet_itself_is_not_tracked),
        cmocka_unit_test(threads_share_a_sequence),
        cmocka_unit_test(threads_never_write_the_same_partition),
        cmocka_unit_test(draws_shared_distributions_evenly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
