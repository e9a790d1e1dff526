/* test_fan_out.c - for how many replicas each level waits. */
#include "run/fan_out.h"

#include "support/vectors.h"

static const struct {
    enum cs_consistency cl;
    struct cs_copies copies;
    unsigned want;
} rows[] = {
    {CS_CL_ANY, {3, 3, 2}, 1},          {CS_CL_ONE, {3, 3, 2}, 1},
    {CS_CL_LOCAL_ONE, {6, 3, 4}, 1},    {CS_CL_TWO, {3, 3, 2}, 2},
    {CS_CL_THREE, {3, 3, 2}, 3},        {CS_CL_QUORUM, {1, 1, 1}, 1},
    {CS_CL_QUORUM, {2, 2, 2}, 2},       {CS_CL_QUORUM, {3, 3, 2}, 2},
    {CS_CL_QUORUM, {6, 3, 4}, 4}, /* of all data centres together */
    {CS_CL_SERIAL, {6, 3, 4}, 4},       {CS_CL_LOCAL_QUORUM, {6, 3, 4}, 2},
    {CS_CL_LOCAL_SERIAL, {6, 3, 4}, 2}, {CS_CL_EACH_QUORUM, {5, 3, 4}, 4},
    {CS_CL_ALL, {6, 3, 4}, 6},
};

static void counts_the_replicas_that_must_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++)
        if (cs_fan_out_waits(rows[i].cl, &rows[i].copies) != rows[i].want)
            fail_msg("row %zu: %u", i,
                     cs_fan_out_waits(rows[i].cl, &rows[i].copies));
}

static bool three_copies(struct cs_driver *driver,
                         const struct cs_statement *statement,
                         struct cs_copies *out)
{
    (void)driver;
    (void)statement;
    *out = (struct cs_copies){3, 3, 2};
    return true;
}

static void tells_each_level_once(void **state)
{
    static const struct cs_driver_ops db = {.copies = three_copies};
    struct cs_kind kinds[] = {
        {.options = {.cl = CS_CL_QUORUM, .is_read = true}},
        {.options = {.cl = CS_CL_QUORUM, .is_read = true}},
        {.options = {.cl = CS_CL_QUORUM}},
        {.options = {.cl = CS_CL_ONE, .is_read = true}},
    };
    struct cs_workload workload = {
        .db = &db, .kinds = kinds, .kind_count = CS_COUNT(kinds)};
    struct cs_extra extra = {0};

    (void)state;
    cs_fan_outs_add(&workload, NULL, &extra);
    assert_int_equal(extra.fan_out_count, 3);
    assert_string_equal(extra.fan_outs[0].level, "QUORUM");
    assert_true(extra.fan_outs[0].reads);
    assert_false(extra.fan_outs[1].reads);
    assert_int_equal(extra.fan_outs[1].waits_for, 2);
    assert_int_equal(extra.fan_outs[2].waits_for, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_the_replicas_that_must_answer),
        cmocka_unit_test(tells_each_level_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
