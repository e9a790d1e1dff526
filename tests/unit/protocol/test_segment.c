/* test_segment.c - checksums and segment headers against public vectors. */
#include "protocol/segment.h"

#include "support/vectors.h"

static const struct {
    const char *hex;
    bool lz4;
    struct cs_segment_header header;
} headers[] = {
    {"05000219999a", false, {5, 0, true}},
    {"050000044823", false, {5, 0, false}},
    {"090002a4c8c1", false, {9, 0, true}},
    {"ffff03254047", false, {131071, 0, true}},
    {"ffff013891fe", false, {131071, 0, false}},
    {"f4ff01c6af2b", false, {131060, 0, false}},
    {"05001800049e0838", true, {5, 12, true}},
    {"0500feff07ae6cdc", true, {5, 131071, true}},
    {"0900000004c2b895", true, {9, 0, true}},
    {"1400e8ff03dd6ce8", true, {20, 131060, false}},
};

static const char options_segment[] = "090002a4c8c1"
                                      "050000000500000000"
                                      "1086284d";

static void writes_headers_as_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(headers); i++) {
        size_t size;
        uint8_t *want = vector_hex(headers[i].hex, &size);
        uint8_t got[CS_SEGMENT_HEADER_SIZE_MAX];

        assert_int_equal(size, cs_segment_header_size(headers[i].lz4));
        cs_segment_header_store(got, headers[i].lz4, &headers[i].header);
        assert_memory_equal(got, want, size);
        free(want);
    }
}

static void reads_headers_as_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(headers); i++) {
        size_t size;
        uint8_t *bytes = vector_hex(headers[i].hex, &size);
        struct cs_segment_header h;

        assert_int_equal(
            cs_segment_header_parse(bytes, headers[i].lz4, &h, NULL), CS_OK);
        assert_int_equal(h.size, headers[i].header.size);
        assert_int_equal(h.raw_size, headers[i].header.raw_size);
        assert_int_equal(h.self_contained, headers[i].header.self_contained);
        free(bytes);
    }
}

static void refuses_each_flipped_bit_of_a_header(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(headers); i++) {
        size_t size;
        uint8_t *bytes = vector_hex(headers[i].hex, &size);
        struct cs_segment_header h;

        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
            assert_int_equal(
                cs_segment_header_parse(bytes, headers[i].lz4, &h, NULL),
                CS_EPROTOCOL);
            bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        free(bytes);
    }
}

static void refuses_a_raw_size_of_no_bytes(void **state)
{
    uint8_t bytes[CS_SEGMENT_HEADER_SIZE_MAX];
    struct cs_segment_header h = {.size = 0, .raw_size = 12};

    (void)state;
    cs_segment_header_store(bytes, true, &h);
    assert_int_equal(cs_segment_header_parse(bytes, true, &h, NULL),
                     CS_EPROTOCOL);
}

static uint32_t crc24_bitwise(const uint8_t *bytes, size_t size)
{
    uint32_t crc = 0x875060;

    for (size_t i = 0; i < size; i++) {
        crc ^= (uint32_t)bytes[i] << 16;
        for (int bit = 0; bit < 8; bit++) {
            crc <<= 1;
            if (crc & 0x1000000)
                crc ^= 0x1974F0B;
        }
    }
    return crc;
}

static uint32_t crc32_step(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++)
        crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
    return crc;
}

static uint32_t crc32_bitwise(const uint8_t *bytes, size_t size)
{
    static const uint8_t prefix[] = {0xFA, 0x2D, 0x55, 0xCA};
    uint32_t crc = 0xFFFFFFFF;

    for (size_t i = 0; i < sizeof(prefix); i++)
        crc = crc32_step(crc, prefix[i]);
    for (size_t i = 0; i < size; i++)
        crc = crc32_step(crc, bytes[i]);
    return ~crc;
}

static void checksums_agree_with_bitwise_ones(void **state)
{
    uint64_t seed = 42;
    uint8_t bytes[300];

    (void)state;
    for (size_t size = 0; size < sizeof(bytes); size++) {
        for (size_t i = 0; i < size; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1;
            bytes[i] = (uint8_t)(seed >> 56);
        }
        assert_int_equal(cs_crc24(bytes, size), crc24_bitwise(bytes, size));
        assert_int_equal(cs_segment_crc32(bytes, size),
                         crc32_bitwise(bytes, size));
    }
}

static void checksums_are_as_published(void **state)
{
    const uint8_t *digits = (const uint8_t *)"123456789";

    (void)state;
    assert_int_equal(cs_crc24((const uint8_t *)"\0\0\0", 3), 0x7DE777);
    assert_int_equal(cs_crc24(digits, 9), 0x4B3F02);
    assert_int_equal(cs_segment_crc32(digits, 0), 0x44777ED3);
    assert_int_equal(cs_segment_crc32(digits, 9), 0xE2A261A7);
}

static void takes_one_segment_and_no_byte_more(void **state)
{
    size_t size;
    uint8_t *bytes = vector_hex(options_segment, &size);
    struct cs_segment_header h;
    struct cs_view payload;
    size_t need;

    (void)state;
    for (size_t cut = 0; cut < size; cut++) {
        struct cs_reader in = cs_reader_of(bytes, cut);

        assert_int_equal(cs_segment_next(&in, false, &h, &payload, &need, NULL),
                         CS_OK);
        assert_int_equal(need, cut < 6 ? 6 : size);
        assert_ptr_equal(in.p, bytes);
    }
    struct cs_reader in = cs_reader_of(bytes, size);

    assert_int_equal(cs_segment_next(&in, false, &h, &payload, &need, NULL),
                     CS_OK);
    assert_int_equal(need, 0);
    assert_ptr_equal(in.p, in.end);
    assert_int_equal(payload.size, 9);
    assert_ptr_equal(payload.data, bytes + 6);
    free(bytes);
}

static void refuses_each_flipped_bit_of_payload_and_trailer(void **state)
{
    size_t size;
    uint8_t *bytes = vector_hex(options_segment, &size);
    struct cs_segment_header h;
    struct cs_view payload;
    size_t need;

    (void)state;
    for (size_t bit = 8 * 6; bit < 8 * size; bit++) {
        struct cs_reader in = cs_reader_of(bytes, size);

        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(cs_segment_next(&in, false, &h, &payload, &need, NULL),
                         CS_EPROTOCOL);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_headers_as_published),
        cmocka_unit_test(reads_headers_as_published),
        cmocka_unit_test(refuses_each_flipped_bit_of_a_header),
        cmocka_unit_test(refuses_a_raw_size_of_no_bytes),
        cmocka_unit_test(checksums_agree_with_bitwise_ones),
        cmocka_unit_test(checksums_are_as_published),
        cmocka_unit_test(takes_one_segment_and_no_byte_more),
        cmocka_unit_test(refuses_each_flipped_bit_of_payload_and_trailer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
