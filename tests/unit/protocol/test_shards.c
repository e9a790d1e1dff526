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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_shard_of_a_token),
        cmocka_unit_test(believes_only_what_it_understands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
