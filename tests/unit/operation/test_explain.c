/* test_explain.c - the words for people and the JSON of a difference. */
#include "operation/difference.h"
#include "support/vectors.h"

static const struct cs_type int_type = {.kind = CS_TYPE_INT};
static const struct cs_type text_type = {.kind = CS_TYPE_TEXT};
static const struct cs_type blob_type = {.kind = CS_TYPE_BLOB};

static struct cs_column columns[] = {
    {.name = "id", .type = &int_type, .kind = CS_COLUMN_PARTITION_KEY},
    {.name = "Day", .type = &text_type, .kind = CS_COLUMN_PARTITION_KEY},
    {.name = "c", .type = &int_type, .kind = CS_COLUMN_CLUSTERING},
    {.name = "v", .type = &text_type, .kind = CS_COLUMN_REGULAR},
    {.name = "w", .type = &blob_type, .kind = CS_COLUMN_REGULAR},
};
static const struct cs_table table = {.keyspace = "ks",
                                      .name = "Tab",
                                      .columns = columns,
                                      .column_count = 5,
                                      .partition_count = 2,
                                      .clustering_count = 1};

#define CELL(size, bytes) (const uint8_t *)("\0\0\0" size bytes)

static const uint8_t partition[] = {0, 0, 0, 4, 0, 0,   0,
                                    7, 0, 0, 0, 2, 'm', '\"'};
static const uint8_t null[] = {0xff, 0xff, 0xff, 0xff};

#define WHERE "in ks.\"Tab\", partition id = 7 and \"Day\" = 'm\"'"
#define NODES "; READ at QUORUM, coordinator a:1, replicas b:2, c:3"
#define JSON_WHERE                                                             \
    "\"keyspace\":\"ks\",\"table\":\"Tab\",\"partition\":{\"id\":\"7\","       \
    "\"Day\":\"'m\\\"'\"}"
#define JSON_ROW ",\"row\":{\"c\":\"3\"}"
#define JSON_NODES                                                             \
    ",\"consistency\":\"QUORUM\",\"coordinator\":\"a:1\",\"token\":-5,"        \
    "\"replicas\":[\"b:2\",\"c:3\"]}\n"
#define JSON_TIME                                                              \
    "{\"time\":\"1970-01-01T00:00:01.234Z\",\"operation\":\"READ\","

static const struct {
    struct cs_difference d;
    const char *text;
    const char *json;
} rows[] = {
    {{.kind = CS_DIFFERENCE_ROW_MISSING,
      .clustering = CELL("\4", "\0\0\0\3"),
      .column = -1},
     "difference (missing row) " WHERE
     ", row c = 3: this row was expected and is missing" NODES,
     JSON_TIME
     "\"difference\":\"missing row\"," JSON_WHERE JSON_ROW JSON_NODES},
    {{.kind = CS_DIFFERENCE_ROW_TOO_MANY,
      .clustering = CELL("\4", "\0\0\0\3"),
      .column = -1},
     "difference (row too many) " WHERE
     ", row c = 3: this row was found and is one too many" NODES,
     JSON_TIME
     "\"difference\":\"row too many\"," JSON_WHERE JSON_ROW JSON_NODES},
    {{.kind = CS_DIFFERENCE_COLUMN_COUNT,
      .column = -1,
      .expected_count = 5,
      .found_count = 6},
     "difference (wrong column count) " WHERE
     ": expected 5 columns, found 6" NODES,
     JSON_TIME "\"difference\":\"wrong column count\"," JSON_WHERE
               ",\"expected_columns\":5,\"found_columns\":6" JSON_NODES},
    {{.kind = CS_DIFFERENCE_NULL,
      .clustering = CELL("\4", "\0\0\0\3"),
      .column = 3,
      .expected = CELL("\1", "x"),
      .found = null},
     "difference (null instead of a value) " WHERE
     ", row c = 3: column v: expected 'x' (1 byte), found null" NODES,
     JSON_TIME "\"difference\":\"null instead of a value\"," JSON_WHERE JSON_ROW
               ",\"column\":\"v\",\"type\":\"text\",\"expected\":\"'x'\","
               "\"expected_bytes\":1,\"found\":null" JSON_NODES},
    {{.kind = CS_DIFFERENCE_VALUE,
      .clustering = CELL("\4", "\0\0\0\3"),
      .column = 3,
      .expected = null,
      .found = CELL("\2", "xy")},
     "difference (value instead of null) " WHERE
     ", row c = 3: column v: expected null, found 'xy' (2 bytes)" NODES,
     JSON_TIME "\"difference\":\"value instead of null\"," JSON_WHERE JSON_ROW
               ",\"column\":\"v\",\"type\":\"text\",\"expected\":null,"
               "\"found\":\"'xy'\",\"found_bytes\":2" JSON_NODES},
    {{.kind = CS_DIFFERENCE_BYTES,
      .column = 4,
      .expected = CELL("\2", "\xca\xfe"),
      .found = CELL("\0", "")},
     "difference (other value) " WHERE
     ": column w: expected 0xcafe (2 bytes), found 0x (0 bytes)" NODES,
     JSON_TIME "\"difference\":\"other value\"," JSON_WHERE
               ",\"column\":\"w\",\"type\":\"blob\",\"expected\":\"0xcafe\","
               "\"expected_bytes\":2,\"found\":\"0x\",\"found_bytes\":"
               "0" JSON_NODES},
};

static struct cs_difference complete(struct cs_difference d)
{
    d.table = &table;
    d.operation = "READ";
    d.partition = partition;
    d.cl = CS_CL_QUORUM;
    d.has_token = true;
    d.token = -5;
    return d;
}

static const struct cs_difference_nodes nodes = {
    .coordinator = {"a:1"}, .replicas = {{"b:2"}, {"c:3"}}, .replica_count = 2};

static void words_each_kind_its_own_way(void **state)
{
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 10000);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_difference d = complete(rows[i].d);

        cs_buf_clear(&buf);
        cs_difference_put_text(&buf, &d, &nodes);
        assert_string_equal(cs_buf_text(&buf), rows[i].text);
        cs_buf_clear(&buf);
        cs_difference_put_json(&buf, &d, &nodes, INT64_C(1234567890));
        assert_string_equal(cs_buf_text(&buf), rows[i].json);
    }
    cs_buf_release(&buf);
}

/* For people long values are cut, never within a character; for programs
 * nothing is. */
static void cuts_long_values_for_people_only(void **state)
{
    uint8_t cell[4 + 300];
    struct cs_difference d =
        complete((struct cs_difference){.kind = CS_DIFFERENCE_NULL,
                                        .column = 3,
                                        .expected = cell,
                                        .found = null});
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 10000);
    cs_store32(cell, 300);
    for (int i = 0; i < 300; i += 2)
        memcpy(cell + 4 + i, "\xc3\xa4", 2);
    cs_difference_put_text(&buf, &d, &nodes);
    assert_non_null(strstr(cs_buf_text(&buf),
                           "\xc3\xa4\xe2\x80\xa6 (300 bytes), found null"));
    assert_true(buf.size < 400);
    cs_buf_clear(&buf);
    cs_difference_put_json(&buf, &d, &nodes, 0);
    assert_true(buf.size > 600);
    assert_null(strstr(cs_buf_text(&buf), "\xe2\x80\xa6"));
    cs_buf_release(&buf);
}

static void says_when_the_nodes_are_not_known(void **state)
{
    static const struct cs_difference_nodes none = {.replica_count = 0};
    struct cs_difference d = complete(rows[0].d);
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 10000);
    d.has_token = false;
    cs_difference_put_text(&buf, &d, &none);
    assert_non_null(
        strstr(cs_buf_text(&buf), "coordinator unknown, replicas unknown"));
    cs_buf_clear(&buf);
    cs_difference_put_json(&buf, &d, &none, 0);
    assert_non_null(strstr(cs_buf_text(&buf), "\"replicas\":[]}\n"));
    assert_null(strstr(cs_buf_text(&buf), "\"token\""));
    cs_buf_release(&buf);
}

static void names_every_kind(void **state)
{
    (void)state;
    for (int i = 0; i < CS_DIFFERENCE_KINDS; i++)
        assert_non_null(cs_difference_kind_name((enum cs_difference_kind)i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_each_kind_its_own_way),
        cmocka_unit_test(cuts_long_values_for_people_only),
        cmocka_unit_test(says_when_the_nodes_are_not_known),
        cmocka_unit_test(names_every_kind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
