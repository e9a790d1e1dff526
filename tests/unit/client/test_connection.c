/* test_connection.c - the handshake and the framing against a peer that the
 * test plays itself, byte by byte. */
#include "client/connection.h"

#include "protocol/segment.h"
#include "support/vectors.h"

#include <sys/socket.h>
#include <unistd.h>

struct peer {
    struct cs_link_group group;
    struct cs_connection_config config;
    struct cs_connection connection;
    int fd; /* the server's end */
    int ready;
    int lost;
    char why[CS_ERR_TEXT];
    int answers;
    int16_t streams[64];
};

static struct peer *of(struct cs_connection *connection)
{
    return CS_CONTAINER(connection, struct peer, connection);
}

static void on_ready(struct cs_connection *connection)
{
    of(connection)->ready++;
}

static void on_answer(struct cs_connection *connection,
                      const struct cs_frame *frame)
{
    struct peer *peer = of(connection);

    if (peer->answers < 64)
        peer->streams[peer->answers] = frame->header.stream;
    peer->answers++;
}

static void on_lost(struct cs_connection *connection, const struct cs_err *why)
{
    struct peer *peer = of(connection);

    peer->lost++;
    strcpy(peer->why, why->text);
}

static const struct cs_connection_ops ops = {
    .ready = on_ready, .answer = on_answer, .lost = on_lost};

static void pass(struct peer *peer)
{
    struct cs_err err;

    cs_link_flush_all(&peer->group);
    assert_int_equal(cs_loop_wait(peer->group.loop, 0, &err), 0);
    cs_link_flush_all(&peer->group);
}

static void start(struct peer *peer, uint8_t version)
{
    int fds[2];
    struct cs_err err;

    memset(peer, 0, sizeof(*peer));
    peer->config = (struct cs_connection_config){.version = version};
    assert_int_equal(cs_loop_new(&peer->group.loop, &err), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds),
                     0);
    peer->fd = fds[1];
    cs_connection_init(&peer->connection, &peer->group, &peer->config, &ops);
    assert_int_equal(cs_connection_start_on(&peer->connection, fds[0], &err),
                     0);
    pass(peer);
}

static void stop(struct peer *peer)
{
    cs_connection_release(&peer->connection);
    cs_loop_free(peer->group.loop);
    if (peer->fd >= 0)
        close(peer->fd);
}

/* What the client has sent since the last call. */
static size_t received(struct peer *peer, uint8_t *bytes, size_t cap)
{
    ssize_t got = recv(peer->fd, bytes, cap, 0);

    return got > 0 ? (size_t)got : 0;
}

static void put_frame(struct cs_buf *buf, uint8_t version, int16_t stream,
                      uint8_t opcode, const void *body, size_t size)
{
    struct cs_frame_header header = {
        .version = 0x80 | version, .opcode = opcode, .stream = stream};
    size_t at = cs_frame_begin(buf, &header);

    cs_buf_put(buf, body, size);
    cs_frame_end(buf, at);
}

static void put_void(struct cs_buf *buf, uint8_t version, int16_t stream)
{
    put_frame(buf, version, stream, CS_OP_RESULT, "\0\0\0\1", 4);
}

/* One self-contained segment around all that stands behind at. */
static void close_segment(struct cs_buf *buf, size_t at)
{
    size_t size = buf->size - at - CS_SEGMENT_HEADER_SIZE;
    struct cs_segment_header header = {.size = (uint32_t)size,
                                       .self_contained = true};
    uint32_t crc =
        cs_segment_crc32(buf->data + at + CS_SEGMENT_HEADER_SIZE, size);
    uint8_t trailer[4] = {(uint8_t)crc, (uint8_t)(crc >> 8),
                          (uint8_t)(crc >> 16), (uint8_t)(crc >> 24)};

    cs_segment_header_store(buf->data + at, false, &header);
    cs_buf_put(buf, trailer, 4);
}

static size_t open_segment(struct cs_buf *buf)
{
    size_t at = buf->size;

    cs_buf_put(buf, "      ", CS_SEGMENT_HEADER_SIZE);
    return at;
}

static void deliver(struct peer *peer, const uint8_t *bytes, size_t size)
{
    if (size)
        assert_int_equal(send(peer->fd, bytes, size, MSG_NOSIGNAL), size);
    pass(peer);
}

/* READY, three answers, then in v5 two segments of which one has two. */
static void make_session(struct cs_buf *buf, uint8_t version)
{
    size_t at;

    cs_buf_init(buf, 65536);
    put_frame(buf, version, 0, CS_OP_READY, "", 0);
    if (version < 5) {
        for (int16_t i = 1; i <= 3; i++)
            put_void(buf, version, i);
        return;
    }
    at = open_segment(buf);
    put_void(buf, version, 1);
    put_void(buf, version, 2);
    close_segment(buf, at);
    at = open_segment(buf);
    put_void(buf, version, 3);
    close_segment(buf, at);
}

static void takes_answers_cut_at_every_byte(void **state)
{
    (void)state;
    for (uint8_t version = 3; version <= 5; version++) {
        struct cs_buf bytes;

        make_session(&bytes, version);
        for (size_t cut = 0; cut <= bytes.size; cut++) {
            struct peer peer;

            start(&peer, version);
            deliver(&peer, bytes.data, cut);
            deliver(&peer, bytes.data + cut, bytes.size - cut);
            pass(&peer);
            assert_int_equal(peer.ready, 1);
            assert_int_equal(peer.lost, 0);
            assert_int_equal(peer.answers, 3);
            for (int i = 0; i < 3; i++)
                assert_int_equal(peer.streams[i], i + 1);
            stop(&peer);
        }
        cs_buf_release(&bytes);
    }
}

static void takes_answers_byte_by_byte(void **state)
{
    struct cs_buf bytes;
    struct peer peer;

    (void)state;
    make_session(&bytes, 5);
    start(&peer, 5);
    for (size_t i = 0; i < bytes.size; i++)
        deliver(&peer, bytes.data + i, 1);
    assert_int_equal(peer.answers, 3);
    stop(&peer);
    cs_buf_release(&bytes);
}

static void is_lost_once_when_it_ends_in_a_message(void **state)
{
    struct cs_buf bytes;
    struct peer peer;

    (void)state;
    make_session(&bytes, 4);
    start(&peer, 4);
    deliver(&peer, bytes.data, bytes.size - 3);
    close(peer.fd);
    peer.fd = -1;
    pass(&peer);
    pass(&peer);
    assert_int_equal(peer.answers, 2);
    assert_int_equal(peer.lost, 1);
    stop(&peer);
    cs_buf_release(&bytes);
}

static void is_lost_on_a_wrong_checksum(void **state)
{
    struct cs_buf bytes;
    struct peer peer;

    (void)state;
    make_session(&bytes, 5);
    start(&peer, 5);
    bytes.data[bytes.size - 1] ^= 1;
    deliver(&peer, bytes.data, bytes.size);
    assert_int_equal(peer.answers, 2);
    assert_int_equal(peer.lost, 1);
    stop(&peer);
    cs_buf_release(&bytes);
}

static void is_lost_on_another_version(void **state)
{
    struct cs_buf bytes;
    struct peer peer;

    (void)state;
    cs_buf_init(&bytes, 4096);
    put_frame(&bytes, 4, 0, CS_OP_READY, "", 0);
    put_void(&bytes, 3, 1);
    start(&peer, 4);
    deliver(&peer, bytes.data, bytes.size);
    assert_int_equal(peer.ready, 1);
    assert_int_equal(peer.answers, 0);
    assert_int_equal(peer.lost, 1);
    stop(&peer);
    cs_buf_release(&bytes);
}

static void names_itself_in_startup(void **state)
{
    uint8_t sent[512];
    struct peer peer;
    size_t size;

    (void)state;
    start(&peer, 4);
    size = received(&peer, sent, sizeof(sent));
    assert_true(size > 9);
    assert_int_equal(sent[0], 4);
    assert_int_equal(sent[4], CS_OP_STARTUP);
    assert_non_null(memmem(sent, size, "DRIVER_NAME\0\7cstress", 20));
    assert_null(memmem(sent, size, "COMPRESSION", 11));
    stop(&peer);
}

static void frames_begin_behind_authenticate(void **state)
{
    uint8_t sent[512];
    struct cs_buf bytes;
    struct peer peer;
    size_t size;
    size_t at;

    (void)state;
    cs_buf_init(&bytes, 4096);
    start(&peer, 5);
    peer.config.user = "joe";
    peer.config.password = "secret";
    received(&peer, sent, sizeof(sent));
    put_frame(&bytes, 5, 0, CS_OP_AUTHENTICATE, "\0\1X", 3);
    deliver(&peer, bytes.data, bytes.size);
    size = received(&peer, sent, sizeof(sent));
    /* segment header, envelope header, [bytes] of NUL joe NUL secret */
    assert_int_equal(size, 6 + 9 + 4 + 11 + 4);
    assert_int_equal(sent[6], 5);
    assert_int_equal(sent[10], CS_OP_AUTH_RESPONSE);
    assert_memory_equal(sent + 19, "\0joe\0secret", 11);
    cs_buf_clear(&bytes);
    at = open_segment(&bytes);
    put_frame(&bytes, 5, 0, CS_OP_AUTH_SUCCESS, "\xff\xff\xff\xff", 4);
    close_segment(&bytes, at);
    deliver(&peer, bytes.data, bytes.size);
    assert_int_equal(peer.ready, 1);
    stop(&peer);
    cs_buf_release(&bytes);
}

static void says_that_a_log_in_is_needed(void **state)
{
    struct cs_buf bytes;
    struct peer peer;

    (void)state;
    cs_buf_init(&bytes, 4096);
    put_frame(&bytes, 4, 0, CS_OP_AUTHENTICATE, "\0\3a.B", 5);
    start(&peer, 4);
    deliver(&peer, bytes.data, bytes.size);
    assert_int_equal(peer.lost, 1);
    assert_non_null(strstr(peer.why, "a.B"));
    assert_non_null(strstr(peer.why, "user="));
    stop(&peer);
    cs_buf_release(&bytes);
}

static void tells_a_refused_version(void **state)
{
    static const char text[] = "Invalid or unsupported protocol version (5)";
    struct cs_buf body;
    struct cs_buf bytes;
    struct peer peer;

    (void)state;
    cs_buf_init(&body, 4096);
    cs_buf_init(&bytes, 4096);
    cs_buf_put32(&body, 0x0A);
    cs_put_string(&body, cs_view_text(text));
    put_frame(&bytes, 4, 0, CS_OP_ERROR, body.data, body.size);
    start(&peer, 5);
    deliver(&peer, bytes.data, bytes.size);
    assert_int_equal(peer.lost, 1);
    assert_true(peer.connection.version_refused);
    stop(&peer);
    cs_buf_release(&body);
    cs_buf_release(&bytes);
}

static void takes_a_silent_close_for_a_refusal(void **state)
{
    struct peer peer;

    (void)state;
    start(&peer, 5);
    close(peer.fd);
    peer.fd = -1;
    pass(&peer);
    assert_int_equal(peer.lost, 1);
    assert_true(peer.connection.version_refused);
    stop(&peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_answers_cut_at_every_byte),
        cmocka_unit_test(takes_answers_byte_by_byte),
        cmocka_unit_test(is_lost_once_when_it_ends_in_a_message),
        cmocka_unit_test(is_lost_on_a_wrong_checksum),
        cmocka_unit_test(is_lost_on_another_version),
        cmocka_unit_test(names_itself_in_startup),
        cmocka_unit_test(frames_begin_behind_authenticate),
        cmocka_unit_test(says_that_a_log_in_is_needed),
        cmocka_unit_test(tells_a_refused_version),
        cmocka_unit_test(takes_a_silent_close_for_a_refusal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
