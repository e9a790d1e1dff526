/* test_tablets.c - the responder as ScyllaDB: what it offers, and what it says
 * only to those who have switched it on. */
#include "protocol/shards.h"
#include "protocol/tablets.h"
#include "responder/peer_internal.h"
#include "support/responder_client.h"

#define ALL    (CS_SPEAKS_RATE_LIMIT | CS_SPEAKS_LWT_MARK | CS_SPEAKS_TABLETS)
#define INSERT "INSERT INTO keyspace1.standard1 (key) VALUES (?)"

static const struct cs_responder_options scylla = {
    .listen = "127.0.0.1", .version = 5, .shards = 3, .tablets = 4};

/* Who speaks to the first of these nodes only is wrong as often as not. */
static const struct cs_responder_options spread = {
    .listen = "127.0.0.1,127.0.0.2,127.0.0.3",
    .version = 5,
    .shards = 1,
    .tablets = 4};

static void greet(struct client *c, unsigned speaks)
{
    struct cs_startup_option options[4] = {{"CQL_VERSION", "3.0.0"}};
    struct cs_request request = request_of(c);
    enum cs_framing framing =
        c->version >= 5 ? CS_FRAMING_SEGMENT : CS_FRAMING_PLAIN;
    size_t count = 1;

    if (speaks & CS_SPEAKS_RATE_LIMIT)
        options[count++].key = CS_EXTENSION_RATE_LIMIT;
    if (speaks & CS_SPEAKS_LWT_MARK)
        options[count++].key = CS_EXTENSION_LWT_MARK;
    if (speaks & CS_SPEAKS_TABLETS)
        options[count++].key = CS_EXTENSION_TABLETS;
    for (size_t i = 1; i < count; i++)
        options[i].value = "";
    cs_request_startup(begin(c), &request, options, count);
    assert_true(finish(c));
    assert_int_equal(c->frame.header.opcode, CS_OP_READY);
    cs_inbox_set_framing(&c->inbox, framing);
    cs_outbox_set_framing(&c->outbox, framing);
}

static struct cs_result prepare(struct client *c, const char *cql)
{
    struct cs_request request = request_of(c);

    cs_request_prepare(begin(c), &request, cs_view_text(cql),
                       cs_view_of(NULL, 0));
    assert_true(finish(c));
    return result_of(c);
}

/* The key is this one byte. */
static void execute(struct client *c, const uint8_t *id, uint8_t key)
{
    const uint8_t values[] = {0, 0, 0, 1, key};
    const struct cs_query_params params = {
        .consistency = 1,
        .timestamp_us = CS_TIMESTAMP_NONE,
        .value_count = 1,
        .values = cs_view_of(values, sizeof(values))};
    struct cs_request request = request_of(c);

    cs_request_execute(begin(c), &request, cs_view_of(id, 16),
                       cs_view_of("", 0), &params);
    assert_true(finish(c));
}

static void offers_what_it_can_play(void **state)
{
    static const struct {
        int shards;
        int tablets;
        unsigned want;
    } rows[] = {
        {0, 0, 0},
        {2, 0, CS_SPEAKS_RATE_LIMIT | CS_SPEAKS_LWT_MARK},
        {2, 8, ALL},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_responder_options options = good_responder;
        struct cs_supported supported;
        struct cs_sharding sharding;
        struct cs_request request;
        struct server server;
        struct client c;
        struct cs_err err;

        options.shards = rows[i].shards;
        options.tablets = rows[i].tablets;
        start(&server, &options);
        join(&c, &server, 4);
        request = request_of(&c);
        cs_request_options(begin(&c), &request);
        assert_true(finish(&c));
        assert_int_equal(cs_supported_decode(
                             cs_reader_of(c.frame.body.data, c.frame.body.size),
                             &supported, &err),
                         CS_OK);
        cs_sharding_read(&supported, &sharding);
        assert_int_equal(sharding.count, rows[i].shards);
        assert_int_equal(sharding.rate_limit, rows[i].want != 0);
        assert_true(sharding.lwt_mask == (rows[i].want ? CS_LWT_MARK : 0));
        assert_int_equal(sharding.tablets,
                         (rows[i].want & CS_SPEAKS_TABLETS) != 0);
        leave(&c);
        stop(&server);
    }
}

static void wants_shards_for_tablets(void **state)
{
    const struct cs_responder_options options = {
        .listen = "127.0.0.1", .version = 5, .tablets = 4};
    struct cs_responder *responder;
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_responder_new(&options, &responder, &err), CS_EUSAGE);
    assert_string_equal(err.text, "tablets= needs shards=");
}

static void marks_conditional_statements(void **state)
{
    struct server server;

    (void)state;
    start(&server, &scylla);
    for (unsigned speaks = 0; speaks <= ALL; speaks++) {
        struct client c;
        uint32_t flags;

        join(&c, &server, speaks & 1 ? 4 : 5);
        greet(&c, speaks);
        flags = prepare(&c, INSERT " IF NOT EXISTS").binds.flags;
        assert_int_equal((flags & CS_LWT_MARK) != 0,
                         (speaks & CS_SPEAKS_LWT_MARK) != 0);
        flags = prepare(&c, INSERT).binds.flags;
        assert_false(flags & CS_LWT_MARK);
        leave(&c);
    }
    stop(&server);
}

/* One copy, on another node than the one that was asked. */
static void check_told(const struct cs_told_tablet *told)
{
    uint8_t here[16];

    cs_place_host_id(0, here);
    assert_true(told->first < told->last);
    assert_int_equal(told->count, 1);
    assert_memory_not_equal(told->replicas[0].host_id, here, 16);
}

/* How many of 100 requests were answered with a tablet. */
static unsigned count_told(struct client *c, const uint8_t *id)
{
    unsigned count = 0;

    for (int key = 0; key < 100; key++) {
        struct cs_told_tablet told;
        struct cs_view value;

        execute(c, id, (uint8_t)key);
        assert_int_equal(result_of(c).kind, CS_RESULT_KIND_VOID);
        value = cs_frame_payload(&c->frame, CS_PAYLOAD_TABLET);
        if (!value.data)
            continue;
        assert_true(cs_tablet_read(value, &told));
        check_told(&told);
        count++;
    }
    return count;
}

static void tell_one_client(uint8_t version, unsigned speaks)
{
    struct cs_responder_counts counts;
    struct server server;
    struct client c;
    unsigned told;
    uint8_t id[16];

    start(&server, &spread);
    join(&c, &server, version);
    greet(&c, speaks);
    memcpy(id, prepare(&c, INSERT).id.data, 16);
    told = count_told(&c, id);
    leave(&c);
    counts = stop(&server);
    assert_int_equal(counts.right_shard + counts.wrong_shard, 100);
    assert_true(counts.right_shard > 0 && counts.wrong_shard > 0);
    assert_int_equal(told, speaks && version > 3 ? counts.wrong_shard : 0);
    assert_int_equal(counts.tablets_told, told);
}

static void tells_those_who_come_to_the_wrong_place(void **state)
{
    (void)state;
    for (uint8_t version = 3; version <= 5; version++) {
        tell_one_client(version, 0);
        tell_one_client(version, ALL);
    }
}

static void refuses_over_the_limit_as_the_client_understands_it(void **state)
{
    struct cs_responder_options options = scylla;
    struct server server;

    (void)state;
    options.errors = "rate_limit:1";
    start(&server, &options);
    for (unsigned speaks = 0; speaks <= CS_SPEAKS_RATE_LIMIT; speaks++) {
        struct cs_server_error error;
        struct cs_rate_limit limit;
        struct client c;

        join(&c, &server, 4);
        greet(&c, speaks);
        assert_true(write_row(&c));
        error = error_of(&c);
        assert_int_equal(error.code, speaks ? 0xF000 : CS_SERVER_CONFIG_ERROR);
        assert_int_equal(cs_rate_limit_read(&error, &limit), speaks != 0);
        assert_true(!speaks || (limit.write && limit.by_coordinator));
        assert_true(ask(&c, "SELECT * FROM keyspace1.standard1"));
        error = error_of(&c);
        assert_true(!speaks ||
                    (cs_rate_limit_read(&error, &limit) && !limit.write));
        leave(&c);
    }
    stop(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offers_what_it_can_play),
        cmocka_unit_test(wants_shards_for_tablets),
        cmocka_unit_test(marks_conditional_statements),
        cmocka_unit_test(tells_those_who_come_to_the_wrong_place),
        cmocka_unit_test(refuses_over_the_limit_as_the_client_understands_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
