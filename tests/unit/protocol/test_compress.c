/* test_compress.c - LZ4 bodies: round trips, lies about sizes. */
#include "protocol/compress.h"

#include "protocol/frame.h"
#include "support/vectors.h"

/* Body of READY and of the reply to a QUERY, as captured. */
static void decompresses_captured_bodies(void **state)
{
    static const char reply[] =
        "0000002f8100000002000000010400f1060673797374656d00056c6f63616c00036b65"
        "79000d1a00800000056c6f63616c";
    static const char raw[] =
        "000000020000000100000001000673797374656d00056c6f63616c00036b6579000d00"
        "000001000000056c6f63616c";
    struct cs_buf out;
    size_t size;
    size_t raw_size;
    uint8_t *bytes = vector_hex(reply, &size);
    uint8_t *want = vector_hex(raw, &raw_size);

    (void)state;
    cs_buf_init(&out, 1000);
    assert_int_equal(
        cs_body_decompress(cs_view_of(bytes, size), 1000, &out, NULL), CS_OK);
    assert_int_equal(out.size, raw_size);
    assert_memory_equal(out.data, want, raw_size);
    assert_int_equal(
        cs_body_decompress(cs_view_of("\0\0\0\0\0", 5), 1000, &out, NULL),
        CS_OK);
    assert_int_equal(out.size, 0);
    cs_buf_release(&out);
    free(bytes);
    free(want);
}

static const struct {
    const char *why;
    const char *hex;
    enum cs_code want;
} rows[] = {
    {"nothing at all is an empty body", "", CS_OK},
    {"no room for the length", "000000", CS_EPROTOCOL},
    {"length without a block", "00000000", CS_EPROTOCOL},
    {"literal of 4", "000000044061626364", CS_OK},
    {"one byte more announced", "000000054061626364", CS_EPROTOCOL},
    {"one byte less announced", "000000034061626364", CS_EPROTOCOL},
    {"cut block", "0000000440616263", CS_EPROTOCOL},
    {"negative length", "ffffffff4061626364", CS_EPROTOCOL},
    {"above the maximum", "000003e94061626364", CS_EPROTOCOL},
    {"impossible ratio", "000003e80000", CS_EPROTOCOL},
    {"match before the start", "0000000810610500", CS_EPROTOCOL},
};

static void refuses_lies_about_sizes(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_buf out;
        size_t size;
        uint8_t *bytes = vector_hex(rows[i].hex, &size);
        enum cs_code rc;

        cs_buf_init(&out, 1001);
        rc = cs_body_decompress(cs_view_of(bytes, size), 1000, &out, NULL);
        if (rc != rows[i].want)
            fail_msg("%s: %d", rows[i].why, rc);
        cs_buf_release(&out);
        free(bytes);
    }
}

static void put_frame(struct cs_buf *buf, size_t body, bool random)
{
    const struct cs_frame_header h = {.version = 4, .opcode = CS_OP_QUERY};
    size_t at = cs_frame_begin(buf, &h);
    uint64_t seed = body;

    for (size_t i = 0; i < body; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1;
        cs_buf_put8(buf, random ? (uint8_t)(seed >> 56) : (uint8_t)(i / 64));
    }
    cs_frame_end(buf, at);
}

static void check_round_trip(size_t size, bool random)
{
    struct cs_buf plain;
    struct cs_buf packed;
    struct cs_packer packer;
    struct cs_buf out;
    bool smaller;

    cs_buf_init(&plain, SIZE_MAX);
    cs_buf_init(&packed, SIZE_MAX);
    cs_packer_init(&packer);
    cs_buf_init(&out, SIZE_MAX);
    cs_buf_puts(&packed, "before");
    put_frame(&plain, size, random);
    put_frame(&packed, size, random);
    cs_body_compress(&packed, 6, &packer);
    smaller = packed.data[6 + 1] & CS_FRAME_COMPRESSED;
    assert_int_equal(smaller, size > 200 && !random);
    assert_int_equal(packed.size - 6 < plain.size, smaller);
    assert_int_equal(cs_load32(packed.data + 6 + 5), packed.size - 6 - 9);
    if (!smaller) {
        assert_memory_equal(packed.data + 6, plain.data, plain.size);
    } else {
        assert_int_equal(cs_body_decompress(cs_view_of(packed.data + 6 + 9,
                                                       packed.size - 6 - 9),
                                            CS_FRAME_BODY_LIMIT, &out, NULL),
                         CS_OK);
        assert_int_equal(out.size, size);
        assert_memory_equal(out.data, plain.data + 9, size);
    }
    cs_buf_release(&plain);
    cs_buf_release(&packed);
    cs_packer_release(&packer);
    cs_buf_release(&out);
}

static void compresses_only_what_gets_smaller(void **state)
{
    static const size_t sizes[] = {0, 1, 4, 5, 6, 13, 300, 5000, 200000};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(sizes); i++) {
        check_round_trip(sizes[i], false);
        check_round_trip(sizes[i], true);
    }
}

/* ---- one connection's blocks ---- */

/* Requests of one statement: what repeats in each, then what does not. */
struct traffic {
    const char *why;
    size_t requests;
    size_t same, other; /* bytes of each request */
    bool smaller;
};

static const struct traffic dull = {"one row of random bytes", 1, 0, 300,
                                    false};
static const struct traffic rows_of_bytes = {"many of them", 16, 54, 204, true};
static const struct traffic words = {"what repeats itself", 16, 150, 50, true};

/* One block, which must hold what was put into it; its size, 0: not smaller. */
static size_t send(struct cs_packer *packer, const struct traffic *t,
                   uint64_t seed)
{
    struct cs_buf plain, out;
    size_t size;

    cs_buf_init(&plain, SIZE_MAX);
    cs_buf_init(&out, SIZE_MAX);
    for (size_t i = 0; i < t->requests * (t->same + t->other); i++) {
        size_t at = i % (t->same + t->other);

        seed = seed * UINT64_C(6364136223846793005) + 1;
        cs_buf_put8(&plain,
                    at < t->same ? (uint8_t)(at * 37) : (uint8_t)(seed >> 56));
    }
    size = cs_packer_lz4(packer, plain.data, plain.size, plain.size - 1);
    if (size) {
        assert_int_equal(cs_lz4_decode(cs_view_of(packer->block.data, size),
                                       plain.size, &out, NULL),
                         CS_OK);
        assert_memory_equal(out.data, plain.data, plain.size);
    }
    cs_buf_release(&plain);
    cs_buf_release(&out);
    return size;
}

/* The size of a block that nothing came before. */
static size_t alone(const struct traffic *t, uint64_t seed)
{
    struct cs_packer packer;
    size_t size;

    cs_packer_init(&packer);
    size = send(&packer, t, seed);
    cs_packer_release(&packer);
    return size;
}

static void tries_every_block(void **state)
{
    static const struct traffic *const all[] = {&dull, &rows_of_bytes, &words};

    (void)state;
    for (size_t k = 0; k < CS_COUNT(all); k++) {
        struct cs_packer packer;

        cs_packer_init(&packer);
        for (uint64_t i = 0; i < 100; i++) {
            size_t size = send(&packer, all[k], i);

            if (all[k]->smaller != (size > 0))
                fail_msg("%s: block %u: %zu bytes", all[k]->why, (unsigned)i,
                         size);
        }
        cs_packer_release(&packer);
    }
}

/* A block in sixteen is looked at closely, whatever those before it were. */
static void notices_that_blocks_shrink_again(void **state)
{
    struct cs_packer packer;

    (void)state;
    cs_packer_init(&packer);
    for (uint64_t i = 0; i < 100; i++)
        assert_int_equal(send(&packer, &dull, i), 0);
    for (uint64_t i = 0; i < 16; i++)
        assert_true(send(&packer, &words, i));
    for (uint64_t i = 0; i < 40; i++)
        assert_int_equal(send(&packer, &words, i), alone(&words, i));
    cs_packer_release(&packer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decompresses_captured_bodies),
        cmocka_unit_test(refuses_lies_about_sizes),
        cmocka_unit_test(compresses_only_what_gets_smaller),
        cmocka_unit_test(tries_every_block),
        cmocka_unit_test(notices_that_blocks_shrink_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
