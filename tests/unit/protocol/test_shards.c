/* test_shards.c - shards of tokens, and what SUPPORTED says of them. */
#include "protocol/shards.h"

#include "support/vectors.h"

/* The first two are the public ones. */
static const struct {
    int64_t token;
    unsigned of_4;
    unsigned of_8;
    unsigned of_8_whole; /* no bits ignored */
    unsigned of_64;
} tokens[] = {
    {-9219783007514621794, 3, 6, 0, 51},
    {9222582454147032830, 3, 6, 7, 52},
    {0, 0, 0, 4, 0},
    {-1, 3, 7, 3, 63},
    {INT64_MIN, 0, 0, 0, 0},
    {INT64_MAX, 3, 7, 7, 63},
    {-6017608668500074083, 3, 6, 1, 52},
    {4507812186440344727, 3, 7, 5, 59},
    {1446172840243228796, 0, 0, 4, 7},
};

static void finds_the_shard_of_a_token(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(tokens); i++) {
        int64_t token = tokens[i].token;

        assert_int_equal(cs_shard_of(4, 12, token), tokens[i].of_4);
        assert_int_equal(cs_shard_of(8, 12, token), tokens[i].of_8);
        assert_int_equal(cs_shard_of(8, 0, token), tokens[i].of_8_whole);
        assert_int_equal(cs_shard_of(64, 12, token), tokens[i].of_64);
        assert_int_equal(cs_shard_of(1, 12, token), 0);
    }
}

/* What a server of eight shards says; a row changes one entry of it. */
static const char *const said[][2] = {
    {"SCYLLA_SHARD", "3"},
    {"SCYLLA_NR_SHARDS", "8"},
    {"SCYLLA_PARTITIONER", "org.apache.cassandra.dht.Murmur3Partitioner"},
    {"SCYLLA_SHARDING_ALGORITHM", "biased-token-round-robin"},
    {"SCYLLA_SHARDING_IGNORE_MSB", "12"},
    {"SCYLLA_SHARD_AWARE_PORT", "19042"},
    {"SCYLLA_SHARD_AWARE_PORT_SSL", "19142"},
    {"SCYLLA_RATE_LIMIT_ERROR", "ERROR_CODE=61440"},
    {"SCYLLA_LWT_ADD_METADATA_MARK",
     "LWT_OPTIMIZATION_META_BIT_MASK=2147483648"},
    {"TABLETS_ROUTING_V1", ""},
};

static const struct {
    const char *key;
    const char *value; /* NULL: the key is not there */
    unsigned count;
    int port;
    int32_t code;
} rows[] = {
    {"", "", 8, 19042, 61440},
    {"SCYLLA_SHARD", "8", 0, 0, 61440},
    {"SCYLLA_SHARD", "-1", 0, 0, 61440},
    {"SCYLLA_NR_SHARDS", NULL, 0, 0, 61440},
    {"SCYLLA_NR_SHARDS", "0", 0, 0, 61440},
    {"SCYLLA_NR_SHARDS", "100000000000000000000000", 0, 0, 61440},
    {"SCYLLA_NR_SHARDS", "8x", 0, 0, 61440},
    {"SCYLLA_PARTITIONER", "RandomPartitioner", 0, 0, 61440},
    {"SCYLLA_SHARDING_ALGORITHM", "another", 0, 0, 61440},
    {"SCYLLA_SHARDING_IGNORE_MSB", "64", 0, 0, 61440},
    {"SCYLLA_SHARD_AWARE_PORT", NULL, 8, 0, 61440},
    {"SCYLLA_SHARD_AWARE_PORT", "65536", 8, 0, 61440},
    {"SCYLLA_RATE_LIMIT_ERROR", NULL, 8, 19042, 0},
    {"SCYLLA_RATE_LIMIT_ERROR", "61440", 8, 19042, 0},
};

static const struct {
    const char *key;
    const char *value; /* NULL: the key is not there */
    uint32_t mask;
    bool tablets;
} extensions[] = {
    {"", "", 0x80000000, true},
    {"SCYLLA_LWT_ADD_METADATA_MARK", NULL, 0, true},
    {"SCYLLA_LWT_ADD_METADATA_MARK", "LWT_OPTIMIZATION_META_BIT_MASK=16", 16,
     true},
    {"SCYLLA_LWT_ADD_METADATA_MARK",
     "LWT_OPTIMIZATION_META_BIT_MASK=4294967296", 0, true},
    {"SCYLLA_LWT_ADD_METADATA_MARK", "LWT_OPTIMIZATION_META_BIT_MASK=-1", 0,
     true},
    {"SCYLLA_LWT_ADD_METADATA_MARK", "MASK=1", 0, true},
    {"TABLETS_ROUTING_V1", NULL, 0x80000000, false},
    {"TABLETS_ROUTING_V1", "anything", 0x80000000, true},
    /* Shards that it does not understand take nothing else along. */
    {"SCYLLA_NR_SHARDS", NULL, 0x80000000, true},
};

static void put_said(struct cs_buf *body, const char *key, const char *value)
{
    uint16_t count = 0;

    cs_buf_put16(body, 0);
    for (size_t i = 0; i < CS_COUNT(said); i++) {
        const char *text = strcmp(said[i][0], key) ? said[i][1] : value;

        if (!text)
            continue;
        cs_put_string(body, cs_view_text(said[i][0]));
        cs_buf_put16(body, 1);
        cs_put_string(body, cs_view_text(text));
        count++;
    }
    cs_store16(body->data, count);
}

static void believes_only_what_it_understands(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_supported supported;
        struct cs_sharding sharding;
        struct cs_buf body;
        struct cs_err err;

        cs_buf_init(&body, 4096);
        put_said(&body, rows[i].key, rows[i].value);
        assert_int_equal(cs_supported_decode(cs_reader_of(body.data, body.size),
                                             &supported, &err),
                         CS_OK);
        cs_sharding_read(&supported, &sharding);
        print_message("%s %s\n", rows[i].key,
                      rows[i].value ? rows[i].value : "(none)");
        assert_int_equal(sharding.count, rows[i].count);
        assert_int_equal(sharding.shard, rows[i].count ? 3 : 0);
        assert_int_equal(sharding.ignore_msb, rows[i].count ? 12 : 0);
        assert_int_equal(sharding.port, rows[i].port);
        assert_int_equal(sharding.tls_port, rows[i].count ? 19142 : 0);
        assert_int_equal(sharding.rate_limit_code, rows[i].code);
        assert_int_equal(sharding.rate_limit, rows[i].code != 0);
        cs_buf_release(&body);
    }
}

static void reads_what_else_is_offered(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(extensions); i++) {
        struct cs_supported supported;
        struct cs_sharding sharding;
        struct cs_buf body;
        struct cs_err err;

        cs_buf_init(&body, 4096);
        put_said(&body, extensions[i].key, extensions[i].value);
        assert_int_equal(cs_supported_decode(cs_reader_of(body.data, body.size),
                                             &supported, &err),
                         CS_OK);
        cs_sharding_read(&supported, &sharding);
        assert_true(sharding.lwt_mask == extensions[i].mask);
        assert_int_equal(sharding.tablets, extensions[i].tablets);
        cs_buf_release(&body);
    }
}

/* A key may come with an empty list. */
static void needs_no_value_for_a_key(void **state)
{
    static const uint8_t body[] = "\0\1\0\22TABLETS_ROUTING_V1\0";
    struct cs_supported supported;
    struct cs_sharding sharding;
    struct cs_err err;

    (void)state;
    assert_int_equal(
        cs_supported_decode(cs_reader_of(body, sizeof(body)), &supported, &err),
        CS_OK);
    cs_sharding_read(&supported, &sharding);
    assert_true(sharding.tablets);
    assert_false(cs_supported_has(&supported, "TABLETS_ROUTING_V2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_shard_of_a_token),
        cmocka_unit_test(believes_only_what_it_understands),
        cmocka_unit_test(reads_what_else_is_offered),
        cmocka_unit_test(needs_no_value_for_a_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
