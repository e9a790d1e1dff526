/* test_peer.c - many requests at once: each is answered, in their order, and
 * the usual ones no otherwise than all others. */
#include "support/responder_client.h"

#define TABLE "keyspace1.standard1"
#define MANY  40

enum what { CHANGE, TRACED, UNKNOWN, SELECT, CONDITION, KINDS };

struct ids {
    uint8_t of[KINDS][16];
};

static void prepare_all(struct client *c, struct ids *ids)
{
    static const char insert[] = "INSERT INTO " TABLE " (key) VALUES (?)";

    prepare_statement(c, insert, ids->of[CHANGE]);
    memcpy(ids->of[TRACED], ids->of[CHANGE], 16);
    memcpy(ids->of[UNKNOWN], ids->of[CHANGE], 16);
    ids->of[UNKNOWN][15] ^= 1;
    prepare_statement(c, "SELECT * FROM " TABLE " WHERE key = ?",
                      ids->of[SELECT]);
    prepare_statement(c, "INSERT INTO " TABLE " (key) VALUES (?) IF NOT EXISTS",
                      ids->of[CONDITION]);
}

/* The kinds take turns, now and then several of one. */
static enum what kind_of(int stream)
{
    return stream % 3 ? CHANGE : (enum what)(stream / 3 % KINDS);
}

static void put_all(struct client *c, const struct ids *ids)
{
    const struct cs_query_params params = {.consistency = 1,
                                           .timestamp_us = CS_TIMESTAMP_NONE,
                                           .value_count = 1,
                                           .values =
                                               cs_view_of("\0\0\0\1x", 5)};
    struct cs_err err;

    for (int i = 0; i < MANY; i++) {
        struct cs_view id = cs_view_of(ids->of[kind_of(i)], 16);
        struct cs_request request = {.version = c->version,
                                     .stream = (int16_t)i};

        if (kind_of(i) == TRACED)
            request.flags = CS_FRAME_TRACING;
        cs_request_execute(begin(c), &request, id, id, &params);
        assert_int_equal(cs_outbox_end(&c->outbox, &c->out, &err), 0);
    }
    cs_outbox_flush(&c->outbox, &c->out);
}

static void check_answer(struct client *c, int stream)
{
    struct cs_prefix prefix;
    struct cs_result result;
    struct cs_err err;

    assert_true(receive(c));
    assert_int_equal(c->frame.header.stream, stream);
    if (kind_of(stream) == UNKNOWN) {
        assert_int_equal(error_of(c).code, CS_SERVER_UNPREPARED);
        return;
    }
    if (cs_result_decode(open_frame(c, &prefix), c->version, &c->arena, &result,
                         &err))
        fail_msg("%s", err.text);
    assert_int_equal(prefix.tracing_id.size,
                     kind_of(stream) == TRACED ? 16 : 0);
    assert_int_equal(result.kind,
                     kind_of(stream) == SELECT || kind_of(stream) == CONDITION
                         ? CS_RESULT_KIND_ROWS
                         : CS_RESULT_KIND_VOID);
}

/* The bytes come in two parts, cut somewhere. */
static void send_cut(struct client *c, size_t cut)
{
    assert_int_equal(send(c->fd, c->out.data, cut, MSG_NOSIGNAL), cut);
    usleep(200);
    assert_int_equal(
        send(c->fd, c->out.data + cut, c->out.size - cut, MSG_NOSIGNAL),
        c->out.size - cut);
    cs_buf_clear(&c->out);
}

/* How many statements and unknown ones there were. */
struct sent {
    uint64_t statements;
    uint64_t unknown;
};

static void send_all_cut_everywhere(struct server *server, uint8_t version,
                                    const char *compression, struct sent *sent)
{
    struct client c;
    struct ids ids;

    join(&c, server, version);
    hello(&c, compression);
    prepare_all(&c, &ids);
    for (size_t cut = 1; cut < 400; cut += 31) {
        put_all(&c, &ids);
        send_cut(&c, cut);
        for (int i = 0; i < MANY; i++) {
            check_answer(&c, i);
            sent->statements += kind_of(i) != UNKNOWN;
            sent->unknown += kind_of(i) == UNKNOWN;
        }
    }
    leave(&c);
}

static void answers_all_that_come_at_once(void **state)
{
    static const char *const compressions[] = {NULL, "lz4", "snappy"};
    struct cs_responder_counts counts;
    struct sent sent = {.statements = 0};
    struct server server;

    (void)state;
    start(&server, &good_responder);
    for (uint8_t version = 3; version <= 5; version++)
        for (size_t k = 0; k < (version < 5 ? 3 : 2); k++)
            send_all_cut_everywhere(&server, version, compressions[k], &sent);
    counts = stop(&server);
    /* STARTUP and three times PREPARE on each connection. */
    assert_int_equal(counts.requests, sent.statements + sent.unknown + 8 * 4);
    assert_int_equal(counts.statements, sent.statements);
}

static void changes_are_not_spared_what_it_is_told(void **state)
{
    struct cs_responder_options options = good_responder;
    struct server server;
    struct client c;
    struct ids ids;

    (void)state;
    options.errors = "overloaded:1";
    start(&server, &options);
    join(&c, &server, 4);
    hello(&c, NULL);
    prepare_all(&c, &ids);
    put_all(&c, &ids);
    post(&c);
    for (int i = 0; i < MANY; i++) {
        assert_true(receive(&c));
        assert_int_equal(c.frame.header.stream, i);
        assert_int_equal(error_of(&c).code, kind_of(i) == UNKNOWN
                                                ? CS_SERVER_UNPREPARED
                                                : CS_SERVER_OVERLOADED);
    }
    leave(&c);
    stop(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_all_that_come_at_once),
        cmocka_unit_test(changes_are_not_spared_what_it_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
