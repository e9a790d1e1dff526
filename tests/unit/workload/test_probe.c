/* test_probe.c - what the probe concludes from the keys that a table holds. */
#include "support/fake_driver.h"
#include "support/vectors.h"
#include "workload/probe.h"
#include "workload/workload_internal.h"

#define KEYS_MAX 32

static struct {
    struct cs_settings settings;
    struct cs_driver driver;
    struct cs_buf there[KEYS_MAX]; /* keys that the table holds */
    size_t there_count;
    unsigned reads;
    bool broken; /* every read fails */
} scene;

static bool answer(struct cs_operation *op, struct cs_outcome *outcome)
{
    struct cs_rows rows = {.row_count = 1, .column_count = 1};

    scene.reads++;
    if (scene.broken) {
        outcome->result = CS_RESULT_UNAVAILABLE;
        outcome->message = "too few replicas";
        outcome->message_size = strlen(outcome->message);
        return true;
    }
    rows.cells = cs_reader_of(op->values.data, op->values.size);
    for (size_t i = 0; i < scene.there_count; i++)
        if (scene.there[i].size == op->values.size &&
            !memcmp(scene.there[i].data, op->values.data, op->values.size)) {
            outcome->rows = 1;
            op->on_rows(op, &rows);
        }
    return true;
}

static void set_up(void)
{
    static const char *names[] = {"C0", "C1"};
    struct cs_settings *s = &scene.settings;

    memset(&scene, 0, sizeof(scene));
    memset(&fake, 0, sizeof(fake));
    fake.answer = answer;
    s->command.type = CS_COMMAND_READ;
    s->command.count = 100;
    s->command.key_size = 10;
    s->command.cl = CS_CL_ONE;
    s->population.sequence = true;
    s->population.seq_start = 1;
    s->population.seq_end = 100;
    s->insert.visits = cs_dist_fixed(1);
    s->insert.revisit = cs_dist_uniform(1, 1000000);
    s->columns.names = names;
    s->columns.count = 2;
    s->columns.size = cs_dist_fixed(34);
    s->schema.keyspace = "ks";
    s->compat.data = CS_DATA_PROBE;
    s->compat.level = CS_LEVEL_5_0;
    cs_arena_init(&scene.driver.arena);
}

static void tear_down(void)
{
    for (size_t i = 0; i < scene.there_count; i++)
        cs_buf_release(&scene.there[i]);
    cs_arena_release(&scene.driver.arena);
}

/* The table has that position, as a dialect writes it. */
static void write_key(enum cs_dialect dialect, int64_t position)
{
    struct cs_settings s = scene.settings;
    struct cs_workload w = {.settings = &s};
    struct cs_source source = {0};
    struct cs_generator *gen = NULL;
    struct cs_seeds *seeds = NULL;
    struct cs_buf *key = &scene.there[scene.there_count++];
    struct cs_err err = {0};
    struct cs_seed seed = {.position = position};

    s.compat.data = dialect;
    cs_arena_init(&w.arena);
    cs_buf_init(key, 100);
    assert_int_equal(cs_workload_predefined_source(&w, false, &source, &err),
                     CS_OK);
    assert_int_equal(cs_seeds_new(&s, &seeds, &err), CS_OK);
    assert_int_equal(
        cs_generator_new(
            &(struct cs_generator_config){.table = source.table,
                                          .rules = source.rules,
                                          .rule_count = source.rule_count,
                                          .salt_prefix = source.salt_prefix,
                                          .hex_key = true,
                                          .dialect = dialect},
            &gen, &err),
        CS_OK);
    seed.value = cs_seeds_value(seeds, position);
    cs_generator_open_key(gen, &seed);
    cs_generator_put(gen, 0, key);
    cs_generator_free(gen);
    cs_seeds_free(seeds);
    cs_arena_release(&w.arena);
}

static struct cs_probe probe(void)
{
    struct cs_probe found = {.dialect = CS_DATA_PROBE};
    struct cs_err err = {0};

    if (cs_workload_probe(&scene.settings, &fake_driver_ops, &scene.driver,
                          NULL, 0, &found, &err))
        fail_msg("%s", err.text);
    return found;
}

static void concludes_from_the_keys_that_are_there(void **state)
{
    static const struct {
        int64_t c4[3], c3[3]; /* positions in the table; 0: none */
        enum cs_level level;
        bool decided;
        enum cs_dialect want;
        const char *words;
    } rows[] = {
        {{1, 12, 100}, {0}, CS_LEVEL_3_11, true, CS_DATA_C4, "3 of the 10"},
        {{0}, {56}, CS_LEVEL_5_0, true, CS_DATA_C3, "1 of the 10"},
        {{1}, {1, 12}, CS_LEVEL_5_0, false, CS_DATA_C4, "1 are there as c4"},
        {{1}, {100}, CS_LEVEL_3_11, false, CS_DATA_C3, "undecided, taking c3"},
        {{2, 3}, {4}, CS_LEVEL_4_0, false, CS_DATA_C4, "none of the 10"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_probe found;

        set_up();
        scene.settings.compat.level = rows[i].level;
        for (int j = 0; j < 3; j++) {
            if (rows[i].c4[j])
                write_key(CS_DATA_C4, rows[i].c4[j]);
            if (rows[i].c3[j])
                write_key(CS_DATA_C3, rows[i].c3[j]);
        }
        found = probe();
        if (!strstr(found.words, rows[i].words))
            fail_msg("row %zu: %s", i, found.words);
        assert_int_equal(found.decided, rows[i].decided);
        assert_int_equal(found.dialect, rows[i].want);
        tear_down();
    }
}

/* Ten positions, each as c4 and as c3, whose keys c2 shares; fewer positions
 * where the population has fewer. */
static void reads_no_key_twice(void **state)
{
    static const struct {
        int64_t end;
        unsigned reads;
    } rows[] = {{100, 20}, {10, 20}, {9, 18}, {1, 2}};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        set_up();
        scene.settings.population.seq_end = rows[i].end;
        probe();
        assert_int_equal(scene.reads, rows[i].reads);
        tear_down();
    }
}

static void takes_quantiles_of_a_distribution(void **state)
{
    struct cs_probe found;

    (void)state;
    set_up();
    scene.settings.population.sequence = false;
    scene.settings.population.dist = cs_dist_uniform(1, 1000);
    write_key(CS_DATA_C3, 51); /* the quantile at 0.05 */
    found = probe();
    assert_true(found.decided);
    assert_int_equal(found.dialect, CS_DATA_C3);
    tear_down();
}

static void a_read_that_fails_ends_it(void **state)
{
    struct cs_probe found;
    struct cs_err err = {0};

    (void)state;
    set_up();
    scene.broken = true;
    assert_int_equal(cs_workload_probe(&scene.settings, &fake_driver_ops,
                                       &scene.driver, NULL, 0, &found, &err),
                     CS_EFAILED);
    assert_string_equal(err.text, "looking into ks.standard1 for its data "
                                  "dialect: UnavailableException: too few "
                                  "replicas");
    tear_down();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concludes_from_the_keys_that_are_there),
        cmocka_unit_test(reads_no_key_twice),
        cmocka_unit_test(takes_quantiles_of_a_distribution),
        cmocka_unit_test(a_read_that_fails_ends_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
