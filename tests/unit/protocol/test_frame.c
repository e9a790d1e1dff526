/* test_frame.c - envelope headers, and what stands before a message. */
#include "protocol/frame.h"

#include "support/vectors.h"

static const struct {
    const char *hex;
    uint8_t version; /* of the connection */
    bool from_client;
    enum cs_code want;
    const char *words; /* in the error */
} rows[] = {
    {"840000050200000000", 4, false, CS_OK, ""},
    {"8400ffff0c00000010", 4, false, CS_OK, ""},
    {"85007fff0800000100", 5, false, CS_OK, ""},
    {"850000000800000100", 0, false, CS_OK, ""}, /* first reply: any version */
    {"c20000000000000010", 0, false, CS_OK, ""},
    {"8100000000000005", 0, false, CS_OK, ""}, /* old header */
    {"040000050500000000", 4, true, CS_OK, ""},
    {"0400ffff0500000000", 4, true, CS_OK, ""}, /* servers check no ids */
    {"840000050200000000", 5, false, CS_EPROTOCOL, "version 4"},
    {"040000050200000000", 4, false, CS_EPROTOCOL, "direction"},
    {"840000050500000000", 4, true, CS_EPROTOCOL, "direction"},
    {"840000050500000000", 4, false, CS_EPROTOCOL, "0x05 (OPTIONS)"},
    {"840000050400000000", 4, false, CS_EPROTOCOL, "0x04 (unknown)"},
    {"840000051100000000", 4, false, CS_EPROTOCOL, "0x11 (unknown)"},
    {"84000005ff00000000", 4, false, CS_EPROTOCOL, "0xff"},
    {"040000050200000000", 4, true, CS_EPROTOCOL, "0x02 (READY)"},
    {"8400000508ffffffff", 4, false, CS_EPROTOCOL, "-1 bytes"},
    {"840000050880000000", 4, false, CS_EPROTOCOL, "bytes"},
    {"840000050800010001", 4, false, CS_EPROTOCOL, "65537 bytes"},
    {"8400ffff0800000000", 4, false, CS_EPROTOCOL, "stream id -1"},
    {"8400fffe0c00000000", 4, false, CS_EPROTOCOL, "stream id -2"},
    {"840000010c00000000", 4, false, CS_EPROTOCOL, "stream id 1"},
};

static void checks_every_field_of_a_header(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const struct cs_frame_rules rules = {
            .version = rows[i].version,
            .from_client = rows[i].from_client,
            .max_body = 65536,
        };
        size_t size;
        uint8_t *bytes = vector_hex(rows[i].hex, &size);
        struct cs_frame_header h;
        struct cs_err err = {0};

        assert_int_equal(size, cs_frame_header_size(bytes[0]));
        if (cs_frame_header_parse(&rules, bytes, &h, &err) != rows[i].want ||
            !strstr(err.text, rows[i].words))
            fail_msg("%s: '%s'", rows[i].hex, err.text);
        free(bytes);
    }
}

static void reads_the_old_header_of_a_refusal(void **state)
{
    const struct cs_frame_rules rules = {.max_body = 100};
    const uint8_t bytes[] = {0x81, 0, 3, 0, 0, 0, 0, 2, 'a', 'b'};
    struct cs_frame frame;
    size_t need;

    (void)state;
    for (size_t cut = 0; cut <= sizeof(bytes); cut++) {
        struct cs_reader in = cs_reader_of(bytes, cut);

        assert_int_equal(cs_frame_next(&rules, &in, &frame, &need, NULL),
                         CS_OK);
        assert_int_equal(need, cut == 0 ? 9 : cut < 8 ? 8 : cut < 10 ? 10 : 0);
    }
    assert_int_equal(frame.header.version, 1);
    assert_int_equal(frame.header.stream, 3);
    assert_int_equal(frame.header.opcode, CS_OP_ERROR);
    assert_int_equal(frame.body.size, 2);
    assert_memory_equal(frame.body.data, "ab", 2);
}

static void leaves_outputs_untouched_when_bytes_are_missing(void **state)
{
    const struct cs_frame_rules rules = {.version = 4, .max_body = 100};
    const uint8_t bytes[] = {0x84, 0, 0, 1, 8, 0, 0, 0, 4, 0, 0, 0};
    struct cs_reader in = cs_reader_of(bytes, sizeof(bytes));
    struct cs_frame frame = {.header.stream = 77};
    size_t need;

    (void)state;
    assert_int_equal(cs_frame_next(&rules, &in, &frame, &need, NULL), CS_OK);
    assert_int_equal(need, 13);
    assert_int_equal(frame.header.stream, 77);
    assert_ptr_equal(in.p, bytes);
}

/* Tracing id, two warnings, a payload of one entry, then 0xEE. */
static size_t build_prefixed(uint8_t flags, uint8_t *out)
{
    static const uint8_t warnings[] = {0, 2, 0, 1, 'a', 0, 2, 'b', 'c'};
    static const uint8_t payload[] = {0, 1, 0, 1, 'k', 0, 0, 0, 1, 'v'};
    size_t size = 0;

    if (flags & CS_FRAME_TRACING) {
        memset(out, 0x11, 16);
        size += 16;
    }
    if (flags & CS_FRAME_WARNING) {
        memcpy(out + size, warnings, sizeof(warnings));
        size += sizeof(warnings);
    }
    if (flags & CS_FRAME_PAYLOAD) {
        memcpy(out + size, payload, sizeof(payload));
        size += sizeof(payload);
    }
    out[size++] = 0xEE;
    return size;
}

static void check_prefix(const struct cs_prefix *prefix, uint8_t flags)
{
    struct cs_reader r = prefix->warnings;

    assert_int_equal(prefix->tracing_id.size,
                     flags & CS_FRAME_TRACING ? 16 : 0);
    assert_int_equal(prefix->payload_count, flags & CS_FRAME_PAYLOAD ? 1 : 0);
    assert_int_equal(prefix->warning_count, flags & CS_FRAME_WARNING ? 2 : 0);
    if (!prefix->warning_count)
        return;
    assert_true(cs_view_is(cs_read_string(&r), "a"));
    assert_true(cs_view_is(cs_read_string(&r), "bc"));
    assert_ptr_equal(r.p, r.end);
}

static void opens_all_combinations_of_prefixes(void **state)
{
    (void)state;
    for (uint8_t flags = 0; flags < 16; flags += 2) {
        uint8_t bytes[64];
        size_t size = build_prefixed(flags, bytes);
        struct cs_frame frame = {
            .header = {.version = 4, .flags = flags, .opcode = CS_OP_RESULT},
            .body = cs_view_of(bytes, size),
        };
        struct cs_prefix prefix;
        struct cs_reader body;

        assert_int_equal(cs_frame_open(&frame, &prefix, &body, NULL), CS_OK);
        check_prefix(&prefix, flags);
        assert_int_equal(cs_reader_left(&body), 1);
        assert_int_equal(cs_read8(&body), 0xEE);
        for (size_t cut = 0; cut + 1 < size; cut++) {
            frame.body.size = cut;
            assert_int_equal(cs_frame_open(&frame, &prefix, &body, NULL),
                             CS_EPROTOCOL);
        }
    }
}

static void knows_no_warnings_in_v3(void **state)
{
    const uint8_t bytes[] = {0, 0, 0, 1};
    struct cs_frame frame = {
        .header = {.version = 3,
                   .flags = CS_FRAME_WARNING | CS_FRAME_PAYLOAD,
                   .opcode = CS_OP_RESULT},
        .body = {bytes, sizeof(bytes)},
    };
    struct cs_prefix prefix;
    struct cs_reader body;

    (void)state;
    assert_int_equal(cs_frame_open(&frame, &prefix, &body, NULL), CS_OK);
    assert_int_equal(cs_reader_left(&body), 4);
}

static void names_the_opcodes(void **state)
{
    (void)state;
    assert_string_equal(cs_opcode_name(CS_OP_AUTH_SUCCESS), "AUTH_SUCCESS");
    assert_null(cs_opcode_name(0x04));
    assert_null(cs_opcode_name(0x11));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_every_field_of_a_header),
        cmocka_unit_test(reads_the_old_header_of_a_refusal),
        cmocka_unit_test(leaves_outputs_untouched_when_bytes_are_missing),
        cmocka_unit_test(opens_all_combinations_of_prefixes),
        cmocka_unit_test(knows_no_warnings_in_v3),
        cmocka_unit_test(names_the_opcodes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
