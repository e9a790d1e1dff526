/* test_inbox.c - what the inbox must refuse, and what it must put up with. */
#include "protocol/inbox.h"

#include "protocol/segment.h"
#include "support/vectors.h"

/* Segments as text: "W" whole (self-contained) or "S" slice, then the payload
 * in hex; "R<raw size>:" before the payload for the LZ4 framing. */
static void put_segment(struct cs_buf *out, const char *text, bool lz4)
{
    struct cs_segment_header h = {.self_contained = *text == 'W'};
    uint8_t header[CS_SEGMENT_HEADER_SIZE_MAX];
    const char *colon = strchr(text, ':');
    size_t size;
    uint8_t *payload = vector_hex(colon ? colon + 1 : text + 1, &size);

    if (colon)
        h.raw_size = (uint32_t)strtoul(text + 2, NULL, 10);
    h.size = (uint32_t)size;
    cs_segment_header_store(header, lz4, &h);
    cs_buf_put(out, header, cs_segment_header_size(lz4));
    cs_buf_put(out, payload, size);
    cs_segment_trailer_store(cs_buf_room(out, CS_SEGMENT_TRAILER_SIZE) - size,
                             size);
    out->size += CS_SEGMENT_TRAILER_SIZE;
    free(payload);
}

#define READY "850000010200000000"
#define VOID                                                                   \
    "850000020800000004"                                                       \
    "00000001"
#define BROKEN "8500000208fffffffb"

static const struct {
    const char *why;
    bool lz4;
    const char *segments[5];
    int messages; /* before the end or the error */
    const char *words;
} rows[] = {
    {"one message", false, {"W" READY}, 1, NULL},
    {"two messages", false, {"W" READY VOID}, 2, NULL},
    {"empty segment", false, {"W", "W" READY}, 1, NULL},
    {"only empty segments", false, {"W", "W", "W"}, 0, NULL},
    {"small message in slices",
     false,
     {"S850000020800000004", "S000000", "S01", "W" READY},
     2,
     NULL},
    {"first slice shorter than a header",
     false,
     {"S85", "S0000020800", "S0000040000", "S0001"},
     1,
     NULL},
    {"two sliced messages in a row",
     false,
     {"S850000020800000004", "S00000001", "S850000030800000004", "S00000001"},
     2,
     NULL},
    {"message in one slice", false, {"S" READY}, 1, NULL},
    {"cut message", false, {"W" READY "8500000208"}, 1, "cut off"},
    {"cut body", false, {"W85000002080000000400"}, 0, "cut off"},
    {"bad header", false, {"W" READY BROKEN}, 1, "-5 bytes"},
    {"slice past the end",
     false,
     {"S850000020800000004", "S0000000100"},
     0,
     "1 bytes past the end"},
    {"slice with a bad header", false, {"S" BROKEN}, 0, "-5 bytes"},
    {"whole segment between slices",
     false,
     {"S850000020800000004", "W" READY},
     0,
     "self-contained"},
    {"empty whole segment between slices",
     false,
     {"S850000020800000004", "W"},
     0,
     "self-contained"},
    {"empty slice", false, {"S"}, 0, "empty slice"},
    {"stored", true, {"W" READY}, 1, NULL},
    {"compressed", true, {"WR9:90" READY}, 1, NULL},
    {"compressed slices",
     true,
     {"SR9:90850000020800000004", "SR4:4000000001"},
     1,
     NULL},
    {"raw size too small", true, {"WR8:90" READY}, 0, "LZ4"},
    {"raw size too large", true, {"WR10:90" READY}, 0, "LZ4"},
    {"impossible ratio", true, {"WR131071:90" READY}, 0, "cannot become"},
};

static void takes_good_segments_and_refuses_bad_ones(void **state)
{
    const struct cs_frame_rules rules = {.version = 5, .max_body = 1000};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_inbox inbox;
        struct cs_buf bytes;
        struct cs_reader in;
        struct cs_frame frame;
        struct cs_err err = {0};
        size_t need = 0;
        int messages = -1;

        cs_buf_init(&bytes, 1000);
        for (int s = 0; rows[i].segments[s]; s++)
            put_segment(&bytes, rows[i].segments[s], rows[i].lz4);
        in = cs_reader_of(bytes.data, bytes.size);
        cs_inbox_init(&inbox, &rules);
        cs_inbox_set_framing(&inbox, rows[i].lz4 ? CS_FRAMING_SEGMENT_LZ4
                                                 : CS_FRAMING_SEGMENT);
        for (; !need && !err.code; messages++)
            (void)!cs_inbox_next(&inbox, &in, &frame, &need, &err);
        if (messages != rows[i].messages || !rows[i].words != !err.code ||
            (rows[i].words && !strstr(err.text, rows[i].words)))
            fail_msg("%s: %d messages, '%s'", rows[i].why, messages, err.text);
        cs_inbox_release(&inbox);
        cs_buf_release(&bytes);
    }
}

static void a_sliced_message_cannot_grow_beyond_the_maximum(void **state)
{
    const struct cs_frame_rules rules = {.version = 5, .max_body = 1000};
    struct cs_inbox inbox;
    struct cs_buf bytes;
    struct cs_reader in;
    struct cs_frame frame;
    struct cs_err err = {0};
    size_t need;

    (void)state;
    cs_buf_init(&bytes, 1000);
    put_segment(&bytes, "S8500000208000003e9", false);
    in = cs_reader_of(bytes.data, bytes.size);
    cs_inbox_init(&inbox, &rules);
    cs_inbox_set_framing(&inbox, CS_FRAMING_SEGMENT);
    assert_int_equal(cs_inbox_next(&inbox, &in, &frame, &need, &err),
                     CS_EPROTOCOL);
    assert_non_null(strstr(err.text, "1001 bytes, at most 1000"));
    cs_inbox_release(&inbox);
    cs_buf_release(&bytes);
}

static const struct {
    const char *why;
    const char *hex;
    enum cs_framing framing;
    enum cs_code want;
    size_t body;
} plain_rows[] = {
    {"plain", "840000010200000000", CS_FRAMING_BODY_LZ4, CS_OK, 0},
    {"empty READY, compressed", "8401000102000000050000000000",
     CS_FRAMING_BODY_LZ4, CS_OK, 0},
    {"compressed and empty", "840100010200000000", CS_FRAMING_BODY_LZ4, CS_OK,
     0},
    {"void, compressed",
     "8401000108000000090000000440"
     "00000001",
     CS_FRAMING_BODY_LZ4, CS_OK, 4},
    {"empty READY, Snappy", "84010001020000000100", CS_FRAMING_BODY_SNAPPY,
     CS_OK, 0},
    {"Snappy block without its end", "840100010200000003040c61",
     CS_FRAMING_BODY_SNAPPY, CS_EPROTOCOL, 0},
    {"Snappy announces more than its block can hold", "8401000102000000020a00",
     CS_FRAMING_BODY_SNAPPY, CS_EPROTOCOL, 0},
    {"Snappy announces gigabytes", "84010001020000000680808080070000",
     CS_FRAMING_BODY_SNAPPY, CS_EPROTOCOL, 0},
    {"no compression agreed on", "8401000102000000050000000000",
     CS_FRAMING_PLAIN, CS_EPROTOCOL, 0},
    {"announces more than allowed", "8401000102000000050000040000",
     CS_FRAMING_BODY_LZ4, CS_EPROTOCOL, 0},
    {"the flag means nothing in v5", "850100010200000000", CS_FRAMING_PLAIN,
     CS_OK, 0},
};

static void flags_decide_about_compression_in_v4(void **state)
{
    const struct cs_frame_rules rules = {.max_body = 1000};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(plain_rows); i++) {
        size_t size;
        uint8_t *bytes = vector_hex(plain_rows[i].hex, &size);
        struct cs_reader in = cs_reader_of(bytes, size);
        struct cs_inbox inbox;
        struct cs_frame frame;
        size_t need;
        enum cs_code rc;

        cs_inbox_init(&inbox, &rules);
        cs_inbox_set_framing(&inbox, plain_rows[i].framing);
        rc = cs_inbox_next(&inbox, &in, &frame, &need, NULL);
        if (rc != plain_rows[i].want)
            fail_msg("%s: %d", plain_rows[i].why, rc);
        if (!rc) {
            assert_int_equal(need, 0);
            assert_int_equal(frame.body.size, plain_rows[i].body);
            assert_int_equal(frame.header.length, plain_rows[i].body);
        }
        cs_inbox_release(&inbox);
        free(bytes);
    }
}

/* v5: the answer to STARTUP is plain, the next byte is a segment's. */
static void framing_can_change_between_two_messages(void **state)
{
    const struct cs_frame_rules rules = {.version = 5, .max_body = 1000};
    struct cs_inbox inbox;
    struct cs_buf bytes;
    struct cs_reader in;
    struct cs_frame frame;
    size_t size;
    size_t need;
    uint8_t *ready = vector_hex(READY, &size);

    (void)state;
    cs_buf_init(&bytes, 1000);
    cs_buf_put(&bytes, ready, size);
    put_segment(&bytes, "W" VOID, false);
    in = cs_reader_of(bytes.data, bytes.size);
    cs_inbox_init(&inbox, &rules);
    assert_int_equal(cs_inbox_next(&inbox, &in, &frame, &need, NULL), CS_OK);
    assert_int_equal(frame.header.opcode, CS_OP_READY);
    cs_inbox_set_framing(&inbox, CS_FRAMING_SEGMENT);
    assert_int_equal(cs_inbox_next(&inbox, &in, &frame, &need, NULL), CS_OK);
    assert_int_equal(frame.header.opcode, CS_OP_RESULT);
    assert_int_equal(cs_inbox_next(&inbox, &in, &frame, &need, NULL), CS_OK);
    assert_int_equal(need, CS_SEGMENT_HEADER_SIZE);
    cs_inbox_release(&inbox);
    cs_buf_release(&bytes);
    free(ready);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_good_segments_and_refuses_bad_ones),
        cmocka_unit_test(a_sliced_message_cannot_grow_beyond_the_maximum),
        cmocka_unit_test(flags_decide_about_compression_in_v4),
        cmocka_unit_test(framing_can_change_between_two_messages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
