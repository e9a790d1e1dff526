/* test_pool.c - partitions that are written in several visits: when they come
 * back, and what reads see of them. */
#include "seeds_fixture.h"

/* visits=fixed(3): every partition comes three times, then never again, and
 * those begun come back from the pool. */
static void every_partition_gets_its_visits(void **state)
{
    struct cs_settings settings = settings_of(1, 50, false, CS_DATA_C3);
    struct cs_seeds *seeds;
    struct cs_seed seed;
    int visits[51] = {0};
    int total = 0;

    (void)state;
    settings.insert.visits = cs_dist_fixed(3);
    settings.insert.revisit = cs_dist_uniform(1, 10);
    seeds = new_seeds(&settings);
    while (cs_seeds_next_write(seeds, &seed)) {
        int64_t visit = cs_seed_advance(&seed, 1);

        assert_int_equal(cs_seed_visits(&seed), 3);
        assert_int_equal(visit, visits[seed.value]);
        visits[seed.value]++;
        total++;
        cs_seeds_finish(seeds, &seed, visit == 0, visit == 2);
    }
    assert_true(cs_seeds_exhausted(seeds));
    /* What is left in the pool at the end stays there: at most its size. */
    assert_in_range(total, 3 * 40, 3 * 50);
    for (int i = 1; i <= 50; i++)
        assert_in_range(visits[i], 1, 3);
    cs_seeds_free(seeds);
}

/* Visits drawn as one or more, one on average: a partition enters the pool
 * when its first slice is done, not before. */
static void pools_after_the_first_slice_when_visits_are_few(void **state)
{
    struct cs_settings settings = settings_of(1, 1000, true, CS_DATA_C3);
    struct cs_seeds *seeds;
    struct cs_seed first, next;
    bool came_back = false;

    (void)state;
    settings.insert.visits = test_dist("uniform(1..2)");
    settings.insert.revisit = cs_dist_uniform(1, 2);
    seeds = new_seeds(&settings);
    assert_true(cs_seeds_next_write(seeds, &first));
    for (int i = 0; i < 40; i++) {
        assert_true(cs_seeds_next_write(seeds, &next));
        assert_int_not_equal(next.value, first.value);
        cs_seeds_finish(seeds, &next, true, true);
    }
    cs_seeds_finish(seeds, &first, true, false);
    for (int i = 0; i < 40; i++) {
        assert_true(cs_seeds_next_write(seeds, &next));
        came_back |= next.value == first.value;
        /* A slice in the middle is neither the first nor the last. */
        cs_seeds_finish(seeds, &next, next.value != first.value,
                        next.value != first.value);
    }
    assert_true(came_back);
    /* Its last slice: it does not come back, however often it was begun. */
    do {
        assert_true(cs_seeds_next_write(seeds, &next));
        cs_seeds_finish(seeds, &next, next.value != first.value, true);
    } while (next.value != first.value);
    for (int i = 0; i < 100; i++) {
        assert_true(cs_seeds_next_write(seeds, &next));
        assert_int_not_equal(next.value, first.value);
        cs_seeds_finish(seeds, &next, true, true);
    }
    cs_seeds_free(seeds);
}

/* Everything is in progress: what is in the pool comes back. */
static void returns_to_begun_partitions_when_no_other_is_left(void **state)
{
    struct cs_settings settings = settings_of(1, 3, true, CS_DATA_C3);
    struct cs_seeds *seeds;
    struct cs_seed seed;

    (void)state;
    settings.insert.visits = cs_dist_fixed(1000);
    seeds = new_seeds(&settings);
    for (int i = 0; i < 500; i++) {
        assert_true(cs_seeds_next_write(seeds, &seed));
        assert_in_range(seed.value, 1, 3);
        cs_seeds_finish(seeds, &seed, i < 3, false);
    }
    cs_seeds_free(seeds);
}

/* c4 reads a partition being written as far as its visits went, c3 does not
 * know of them. */
static void reads_know_how_much_is_written_in_c4(void **state)
{
    static const enum cs_dialect dialects[] = {CS_DATA_C4, CS_DATA_C3};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(dialects); i++) {
        struct cs_settings settings = settings_of(7, 7, true, dialects[i]);
        struct cs_seeds *seeds;
        struct cs_seed write, read;

        settings.insert.visits = cs_dist_fixed(4);
        seeds = new_seeds(&settings);
        assert_true(cs_seeds_next_read(seeds, &read));
        assert_int_equal(read.written, 0);
        assert_true(cs_seeds_next_write(seeds, &write));
        cs_seed_advance(&write, 5);
        assert_true(cs_seeds_next_read(seeds, &read));
        assert_int_equal(read.written, dialects[i] == CS_DATA_C4 ? 5 : 0);
        assert_null(read.entry);
        cs_seeds_finish(seeds, &write, true, true);
        assert_true(cs_seeds_next_read(seeds, &read));
        assert_int_equal(read.written, 0);
        cs_seeds_free(seeds);
    }
}

static void looks_back_only_behind_writes_without_a_gap(void **state)
{
    struct cs_settings settings = settings_of(11, 30, false, CS_DATA_C4);
    struct cs_seeds *seeds;
    struct cs_seed held[4], read;

    (void)state;
    settings.population.has_lookback = true;
    settings.population.lookback = cs_dist_fixed(1);
    seeds = new_seeds(&settings);
    for (size_t i = 0; i < CS_COUNT(held); i++)
        assert_true(cs_seeds_next_write(seeds, &held[i]));
    cs_seeds_finish(seeds, &held[1], true, true);
    cs_seeds_finish(seeds, &held[3], true, true);
    assert_true(cs_seeds_next_read(seeds, &read));
    assert_int_equal(read.position, 11); /* nothing yet: the first one */
    cs_seeds_finish(seeds, &held[0], true, true);
    assert_true(cs_seeds_next_read(seeds, &read));
    assert_int_equal(read.position, 12); /* two done, one back */
    cs_seeds_finish(seeds, &held[2], true, true);
    assert_true(cs_seeds_next_read(seeds, &read));
    assert_int_equal(read.position, 14);
    assert_int_equal(read.value, cs_seeds_value(seeds, 14));
    cs_seeds_free(seeds);
}

/* What counts is the first slice, the others may be long in coming. */
static void looks_back_at_partitions_that_are_begun(void **state)
{
    struct cs_settings settings = settings_of(1, 20, false, CS_DATA_C3);
    struct cs_seeds *seeds;
    struct cs_seed held[2], read;

    (void)state;
    settings.insert.visits = cs_dist_fixed(3);
    settings.population.has_lookback = true;
    settings.population.lookback = cs_dist_fixed(1);
    seeds = new_seeds(&settings);
    assert_true(cs_seeds_next_write(seeds, &held[0]));
    cs_seeds_finish(seeds, &held[0], true, false);
    do {
        assert_true(cs_seeds_next_write(seeds, &held[1]));
        cs_seeds_finish(seeds, &held[1], held[1].value != held[0].value, false);
    } while (held[1].value == held[0].value);
    assert_true(cs_seeds_next_read(seeds, &read));
    assert_int_equal(read.value, 2); /* two begun, one back */
    cs_seeds_free(seeds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_partition_gets_its_visits),
        cmocka_unit_test(pools_after_the_first_slice_when_visits_are_few),
        cmocka_unit_test(returns_to_begun_partitions_when_no_other_is_left),
        cmocka_unit_test(reads_know_how_much_is_written_in_c4),
        cmocka_unit_test(looks_back_only_behind_writes_without_a_gap),
        cmocka_unit_test(looks_back_at_partitions_that_are_begun),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
