/* test_tablets.c - what a payload says of a tablet, and what is not believed.
 */
#include "protocol/tablets.h"

#include "protocol/frame.h"
#include "support/vectors.h"

#define HOST "0123456789abcdef"
#define NEXT "fedcba9876543210"

static const struct cs_told_tablet pair = {
    .first = -9223372036854775807 - 1,
    .last = -1,
    .count = 2,
    .replicas = {{(const uint8_t *)HOST, 0}, {(const uint8_t *)NEXT, 4095}},
};

/* As another implementation of the tuple writes it. */
static const uint8_t written[] =
    "\0\0\0\x08\x80\0\0\0\0\0\0\0"
    "\0\0\0\x08\xff\xff\xff\xff\xff\xff\xff\xff"
    "\0\0\0\x44\0\0\0\x02"
    "\0\0\0\x1c\0\0\0\x10" HOST "\0\0\0\x04\0\0\0\0"
    "\0\0\0\x1c\0\0\0\x10" NEXT "\0\0\0\x04\0\0\x0f\xff";
#define WRITTEN_SIZE (sizeof(written) - 1)

static void writes_and_reads_a_tablet(void **state)
{
    struct cs_told_tablet told;
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 4096);
    cs_tablet_put(&buf, &pair);
    assert_int_equal(buf.size, WRITTEN_SIZE);
    assert_memory_equal(buf.data, written, WRITTEN_SIZE);
    assert_true(cs_tablet_read(cs_view_of(buf.data, buf.size), &told));
    assert_true(told.first == pair.first && told.last == pair.last);
    assert_int_equal(told.count, 2);
    assert_memory_equal(told.replicas[1].host_id, NEXT, 16);
    assert_int_equal(told.replicas[1].shard, 4095);
    cs_buf_release(&buf);
}

/* One byte of the above is another. */
static const struct row {
    const char *what;
    size_t at;
    uint8_t byte;
    bool good;
} rows[] = {
    {"another token", 4, 0x7F, true},
    {"the first token has seven bytes", 3, 7, false},
    {"the first token is null", 0, 0xFF, false},
    {"the last token has nine bytes", 15, 9, false},
    {"the list is shorter than its replicas", 27, 0x43, false},
    {"the list is longer than the payload", 27, 0x45, false},
    {"the list is null", 24, 0xFF, false},
    {"no replicas", 31, 0, false},
    {"one replica and something behind it", 31, 1, false},
    {"more replicas than there are", 31, 3, false},
    {"very many replicas", 28, 0xFF, false},
    {"a replica of 27 bytes", 35, 27, false},
    {"a host id of 15 bytes", 39, 15, false},
    {"a shard of three bytes", 59, 3, false},
    {"a null shard", 56, 0xFF, false},
    {"a shard below zero", 60, 0x80, false},
    {"a shard that no node has", 62, 0x10, false},
    {"another shard", 63, 9, true},
};

static void believes_only_what_is_whole(void **state)
{
    struct cs_told_tablet told;
    uint8_t copy[WRITTEN_SIZE];
    uint8_t longer[WRITTEN_SIZE + 1];

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        memcpy(copy, written, sizeof(copy));
        copy[rows[i].at] = rows[i].byte;
        print_message("%s\n", rows[i].what);
        assert_int_equal(cs_tablet_read(cs_view_of(copy, sizeof(copy)), &told),
                         rows[i].good);
    }
    /* Cut off anywhere; each in memory of its own, so that a sanitizer sees
     * what is read behind it. */
    for (size_t size = 0; size < WRITTEN_SIZE; size++) {
        uint8_t *cut = malloc(size + 1);

        memcpy(cut, written, size);
        assert_false(cs_tablet_read(cs_view_of(cut, size), &told));
        free(cut);
    }
    assert_false(cs_tablet_read(cs_view_of(NULL, 0), &told));
    /* A token of nine bytes, and the rest as it should be. */
    memcpy(longer, "\0\0\0\x09", 5);
    memcpy(longer + 5, written + 4, WRITTEN_SIZE - 4);
    assert_false(cs_tablet_read(cs_view_of(longer, sizeof(longer)), &told));
}

static void takes_as_many_replicas_as_anybody_keeps(void **state)
{
    struct cs_told_tablet told = {.first = 1, .last = 2};
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 4096);
    cs_tablet_put(&buf, &told); /* none */
    assert_false(cs_tablet_read(cs_view_of(buf.data, buf.size), &told));
    cs_buf_clear(&buf);
    for (told.count = 0; told.count < CS_TABLET_REPLICAS_MAX; told.count++)
        told.replicas[told.count].host_id = (const uint8_t *)HOST;
    cs_tablet_put(&buf, &told);
    assert_true(cs_tablet_read(cs_view_of(buf.data, buf.size), &told));
    assert_int_equal(told.count, CS_TABLET_REPLICAS_MAX);
    /* One more: the sizes are those of the longer list. */
    cs_buf_put(&buf, buf.data + buf.size - 32, 32);
    cs_store32(buf.data + 24, cs_load32(buf.data + 24) + 32);
    cs_store32(buf.data + 28, CS_TABLET_REPLICAS_MAX + 1);
    assert_false(cs_tablet_read(cs_view_of(buf.data, buf.size), &told));
    cs_buf_release(&buf);
}

/* ---- where it stands in an answer ---- */

static const struct {
    const char *what;
    uint8_t version;
    uint8_t flags;
    const char *body;
    size_t size;
    const char *want; /* NULL: none */
} answers[] = {
    {"alone", 4, CS_FRAME_PAYLOAD, "\0\1\0\1k\0\0\0\2vv", 11, "vv"},
    {"the second of two", 4, CS_FRAME_PAYLOAD,
     "\0\2\0\1a\0\0\0\1b\0\1k\0\0\0\1v", 18, "v"},
    {"another key", 4, CS_FRAME_PAYLOAD, "\0\1\0\1l\0\0\0\2vv", 11, NULL},
    {"behind warnings", 4, CS_FRAME_PAYLOAD | CS_FRAME_WARNING,
     "\0\1\0\1w\0\1\0\1k\0\0\0\1v", 15, "v"},
    {"behind a tracing id", 5, CS_FRAME_PAYLOAD | CS_FRAME_TRACING,
     "0123456789abcdef\0\1\0\1k\0\0\0\1v", 26, "v"},
    {"no flag", 4, 0, "\0\1\0\1k\0\0\0\1v", 10, NULL},
    {"a version without payloads", 3, CS_FRAME_PAYLOAD, "\0\1\0\1k\0\0\0\1v",
     10, NULL},
    {"cut off", 4, CS_FRAME_PAYLOAD, "\0\1\0\1k\0\0\0\2v", 10, NULL},
};

static void finds_a_payload_in_an_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(answers); i++) {
        const struct cs_frame frame = {
            .header = {.version = answers[i].version,
                       .flags = answers[i].flags,
                       .opcode = CS_OP_RESULT},
            .body = cs_view_of(answers[i].body, answers[i].size)};
        struct cs_view value = cs_frame_payload(&frame, "k");

        print_message("%s\n", answers[i].what);
        if (answers[i].want)
            assert_true(cs_view_is(value, answers[i].want));
        else
            assert_null(value.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_and_reads_a_tablet),
        cmocka_unit_test(believes_only_what_is_whole),
        cmocka_unit_test(takes_as_many_replicas_as_anybody_keeps),
        cmocka_unit_test(finds_a_payload_in_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
