/* test_handshake.c - what SUPPORTED says about a server. */
#include "protocol/handshake.h"

#include "support/vectors.h"

/* "key=value,value;key=..." as a SUPPORTED body. */
static void put_map(struct cs_buf *buf, const char *text)
{
    uint16_t keys = 0;

    cs_buf_put16(buf, 0);
    while (*text) {
        size_t size = strcspn(text, "=;");
        size_t at;
        uint16_t values = 0;

        cs_put_string(buf, cs_view_of(text, size));
        at = buf->size;
        cs_buf_put16(buf, 0);
        text += size;
        while (*text == '=' || *text == ',') {
            size = strcspn(++text, ",;");
            cs_put_string(buf, cs_view_of(text, size));
            text += size;
            values++;
        }
        cs_store16(buf->data + at, values);
        text += *text == ';';
        keys++;
    }
    cs_store16(buf->data, keys);
}

static const struct {
    const char *map;
    uint32_t versions;
    bool lz4;
    bool snappy;
    const char *cql;
} rows[] = {
    {"PROTOCOL_VERSIONS=3/v3,4/v4,5/v5,6/v6-beta;COMPRESSION=snappy,lz4;"
     "CQL_VERSION=3.4.7",
     1 << 3 | 1 << 4 | 1 << 5, true, true, "3.4.7"},
    {"PROTOCOL_VERSIONS=3/v3,4/v4,5/v5-beta;COMPRESSION=snappy",
     1 << 3 | 1 << 4, false, true, NULL},
    {"COMPRESSION=lz4;SCYLLA_NR_SHARDS=12", 0, true, false, NULL},
    {"PROTOCOL_VERSIONS=x,,99/v99,4294967299/v3,32,4;CQL_VERSION=a,b", 1 << 4,
     false, false, "a"},
    {"", 0, false, false, NULL},
};

static void reads_what_a_server_offers(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_supported got;
        struct cs_buf buf;

        cs_buf_init(&buf, 1000);
        put_map(&buf, rows[i].map);
        assert_int_equal(
            cs_supported_decode(cs_reader_of(buf.data, buf.size), &got, NULL),
            CS_OK);
        assert_int_equal(got.versions, rows[i].versions);
        assert_int_equal(got.lz4, rows[i].lz4);
        assert_int_equal(got.snappy, rows[i].snappy);
        if (rows[i].cql)
            assert_true(cs_view_is(got.cql_version, rows[i].cql));
        else
            assert_null(got.cql_version.data);
        cs_buf_release(&buf);
    }
}

static void finds_values_by_key(void **state)
{
    struct cs_supported got;
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 1000);
    put_map(&buf, "A=1;EMPTY;B=2,3");
    assert_int_equal(
        cs_supported_decode(cs_reader_of(buf.data, buf.size), &got, NULL),
        CS_OK);
    assert_true(cs_view_is(cs_supported_get(&got, "A"), "1"));
    assert_true(cs_view_is(cs_supported_get(&got, "B"), "2"));
    assert_null(cs_supported_get(&got, "EMPTY").data);
    assert_null(cs_supported_get(&got, "C").data);
    cs_buf_release(&buf);
}

static void refuses_lists_that_are_not_there(void **state)
{
    static const char *const bodies[] = {"", "00", "0001", "ffff0000",
                                         "0001000141ffff"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(bodies); i++) {
        size_t size;
        uint8_t *bytes = vector_hex(bodies[i], &size);
        struct cs_supported got;

        assert_int_equal(
            cs_supported_decode(cs_reader_of(bytes, size), &got, NULL),
            CS_EPROTOCOL);
        free(bytes);
    }
}

static void tokens_may_be_null(void **state)
{
    struct cs_view token = cs_view_text("old");

    (void)state;
    assert_int_equal(
        cs_auth_token_decode(cs_reader_of("\xFF\xFF\xFF\xFF", 4), &token, NULL),
        CS_OK);
    assert_null(token.data);
    assert_int_equal(
        cs_auth_token_decode(cs_reader_of("\0\0\0\2ab", 6), &token, NULL),
        CS_OK);
    assert_true(cs_view_is(token, "ab"));
    assert_int_equal(
        cs_auth_token_decode(cs_reader_of("\0\0\0\3ab", 6), &token, NULL),
        CS_EPROTOCOL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_a_server_offers),
        cmocka_unit_test(finds_values_by_key),
        cmocka_unit_test(refuses_lists_that_are_not_there),
        cmocka_unit_test(tokens_may_be_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
