/* test_result.c - RESULT bodies that lie, and the answer of a condition. */
#include "protocol/result.h"

#include "support/vectors.h"

#define ROWS     "00000002"
#define PREPARED "00000004"
#define GLOBAL   "00000001"
#define KS_T                                                                   \
    "00026b73"                                                                 \
    "000174"
#define APPLIED "00095b6170706c6965645d"

static const struct {
    const char *why;
    const char *hex;
    uint8_t version;
    const char *words; /* NULL: it is right */
} rows[] = {
    {"void", "00000001", 4, NULL},
    {"kind 0", "00000000", 4, "unknown kind 0"},
    {"kind 6", "00000006", 4, "unknown kind 6"},
    {"no rows",
     ROWS GLOBAL "00000001" KS_T "000161"
                 "0009"
                 "00000000",
     4, NULL},
    {"no metadata, one row",
     ROWS "00000004"
          "00000001"
          "00000001"
          "ffffffff",
     4, NULL},
    {"more columns than bytes",
     ROWS GLOBAL "0000ffff" KS_T "000161"
                 "0009",
     4, "cut off"},
    {"2^31-1 columns",
     ROWS "00000004"
          "7fffffff"
          "00000000",
     4, "columns"},
    {"negative columns",
     ROWS "00000004"
          "ffffffff"
          "00000000",
     4, "columns"},
    {"more rows than bytes",
     ROWS "00000004"
          "00000001"
          "7fffffff"
          "ffffffff",
     4, "2147483647 rows"},
    {"negative rows",
     ROWS "00000004"
          "00000001"
          "ffffffff"
          "ffffffff",
     4, "-1 rows"},
    {"rows of nothing",
     ROWS "00000004"
          "00000000"
          "00000001"
          "ffffffff",
     4, "rows of 0 columns"},
    {"no rows of nothing",
     ROWS "00000004"
          "00000000"
          "00000000",
     4, NULL},
    {"more pages, null state",
     ROWS "00000006"
          "00000001"
          "ffffffff"
          "00000000",
     4, "more pages"},
    {"more pages, state",
     ROWS "00000006"
          "00000001"
          "0000000161"
          "00000000",
     4, NULL},
    {"changed id behind the state",
     ROWS "0000000e"
          "00000001"
          "0000000161"
          "000162"
          "00000000",
     5, NULL},
    {"key index of a marker that is not there",
     PREPARED "0000" GLOBAL "00000001"
              "00000001"
              "0001" KS_T "000161"
              "0009"
              "00000004"
              "00000000",
     4, "bind marker 1 of 1"},
    {"key index",
     PREPARED "0000" GLOBAL "00000001"
              "00000001"
              "0000" KS_T "000161"
              "0009"
              "00000004"
              "00000000",
     4, NULL},
    {"more key indexes than bytes",
     PREPARED "0000" GLOBAL "00000001"
              "7fffffff"
              "0000",
     4, "cut off"},
    {"negative count of key indexes",
     PREPARED "0000" GLOBAL "00000001"
              "ffffffff"
              "0000",
     4, "cut off"},
    {"no key indexes in v3",
     PREPARED "0000" GLOBAL "00000001" KS_T "000161"
              "0009"
              "00000004"
              "00000000",
     3, NULL},
    {"unknown type",
     ROWS GLOBAL "00000001" KS_T "000161"
                 "0099"
                 "00000000",
     4, ""},
    {"bytes behind the end",
     "00000003"
     "00026b73"
     "ffff",
     4, NULL},
};

static void refuses_counts_that_lie(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        size_t size;
        uint8_t *bytes = vector_hex(rows[i].hex, &size);

        for (int keep = 0; keep < 2; keep++) {
            struct cs_arena arena;
            struct cs_result result;
            struct cs_err err = {0};
            enum cs_code rc;

            cs_arena_init(&arena);
            rc = cs_result_decode(cs_reader_of(bytes, size), rows[i].version,
                                  keep ? &arena : NULL, &result, &err);
            if (!rc != !rows[i].words ||
                (rows[i].words && !strstr(err.text, rows[i].words)))
                fail_msg("%s: %d '%s'", rows[i].why, rc, err.text);
            cs_arena_release(&arena);
        }
        free(bytes);
    }
}

static void walks_cells_to_the_last(void **state)
{
    static const struct {
        const char *cells;
        enum cs_code want;
    } cells[] = {
        {"0000000161"
         "ffffffff"
         "00000000"
         "fffffffe",
         CS_OK},
        {"0000000161"
         "ffffffff"
         "00000000"
         "00000001",
         CS_EPROTOCOL},
        {"0000000261626300000000ffffffffffffffff", CS_EPROTOCOL},
        {"7fffffff"
         "ffffffff"
         "00000000"
         "fffffffe",
         CS_EPROTOCOL},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(cells); i++) {
        char hex[200];
        size_t size;
        uint8_t *bytes;
        struct cs_result result;

        snprintf(hex, sizeof(hex), "%s%s",
                 ROWS "00000004"
                      "00000002"
                      "00000002",
                 cells[i].cells);
        bytes = vector_hex(hex, &size);
        assert_int_equal(
            cs_result_decode(cs_reader_of(bytes, size), 4, NULL, &result, NULL),
            CS_OK);
        assert_int_equal(cs_result_check_cells(&result, NULL), cells[i].want);
        free(bytes);
    }
}

static const struct {
    const char *why;
    const char *hex;
    bool conditional;
    bool applied;
} conditions[] = {
    {"applied",
     ROWS GLOBAL "00000001" KS_T APPLIED "0004"
                 "00000001"
                 "0000000101",
     true, true},
    {"not applied",
     ROWS GLOBAL "00000001" KS_T APPLIED "0004"
                 "00000001"
                 "0000000100",
     true, false},
    {"a null is no success",
     ROWS GLOBAL "00000001" KS_T APPLIED "0004"
                 "00000001"
                 "ffffffff",
     true, false},
    {"a column of this name, of another type",
     ROWS GLOBAL "00000001" KS_T APPLIED "0009"
                 "00000001"
                 "0000000100",
     false, true},
    {"another column",
     ROWS GLOBAL "00000001" KS_T "000161"
                 "0004"
                 "00000001"
                 "0000000100",
     false, true},
    {"without global names",
     ROWS "00000000"
          "00000001" KS_T APPLIED "0004"
          "00000001"
          "0000000100",
     true, false},
    {"no rows",
     ROWS GLOBAL "00000001" KS_T APPLIED "0004"
                 "00000000",
     true, true},
};

static void tells_whether_a_condition_was_met(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(conditions); i++) {
        size_t size;
        uint8_t *bytes = vector_hex(conditions[i].hex, &size);

        for (int keep = 0; keep < 2; keep++) {
            struct cs_arena arena;
            struct cs_result result;

            cs_arena_init(&arena);
            assert_int_equal(cs_result_decode(cs_reader_of(bytes, size), 4,
                                              keep ? &arena : NULL, &result,
                                              NULL),
                             CS_OK);
            if (result.metadata.conditional != conditions[i].conditional ||
                cs_result_applied(&result) != conditions[i].applied)
                fail_msg("%s", conditions[i].why);
            cs_arena_release(&arena);
        }
        free(bytes);
    }
}

static void bounds_the_types_of_one_message(void **state)
{
    struct cs_buf buf;
    struct cs_arena arena;
    struct cs_result result;
    struct cs_err err = {0};

    (void)state;
    cs_buf_init(&buf, SIZE_MAX);
    cs_buf_put32(&buf, CS_RESULT_KIND_ROWS);
    cs_buf_put32(&buf, CS_METADATA_GLOBAL);
    cs_buf_put32(&buf, 2);
    cs_buf_put32(&buf, 0); /* keyspace and table */
    for (int c = 0; c < 2; c++) {
        cs_buf_put16(&buf, 0); /* name */
        cs_buf_put16(&buf, 0x31);
        cs_buf_put16(&buf, 40000);
        for (int i = 0; i < 40000; i++)
            cs_buf_put16(&buf, 0x09);
    }
    cs_arena_init(&arena);
    assert_int_equal(cs_result_decode(cs_reader_of(buf.data, buf.size), 4,
                                      &arena, &result, &err),
                     CS_EPROTOCOL);
    assert_non_null(strstr(err.text, "more than 65536 types"));
    cs_arena_release(&arena);
    cs_buf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_counts_that_lie),
        cmocka_unit_test(walks_cells_to_the_last),
        cmocka_unit_test(tells_whether_a_condition_was_met),
        cmocka_unit_test(bounds_the_types_of_one_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
