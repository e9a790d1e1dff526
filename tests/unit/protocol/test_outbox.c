/* test_outbox.c - what the outbox writes, the inbox reads: all framings, sizes
 * around the limits of a segment, bytes arriving in all kinds of pieces. */
#include "protocol/outbox.h"

#include "protocol/request.h"
#include "support/vectors.h"

#define MESSAGES_MAX 8

static const enum cs_framing framings[] = {
    CS_FRAMING_PLAIN,   CS_FRAMING_BODY_LZ4,    CS_FRAMING_BODY_SNAPPY,
    CS_FRAMING_SEGMENT, CS_FRAMING_SEGMENT_LZ4,
};

/* Sizes of envelopes with their header, in one flush; 0 ends the list. */
static const size_t runs[][MESSAGES_MAX] = {
    {9},
    {10},
    {9, 9, 9},
    {131054},
    {131060},
    {131070},
    {131071},
    {131072},
    {262142},
    {262143},
    {300000},
    {9, 131071},
    {9, 131062},
    {9, 131061},
    {131062, 9},
    {131063, 9},
    {131071, 131071},
    {100, 131072, 100},
    {65536, 65535, 65536},
    {9, 400000, 9, 400000, 9},
};

static void put_message(struct cs_buf *out, uint8_t version, int16_t stream,
                        size_t size, bool random)
{
    const struct cs_frame_header h = {
        .version = version,
        .opcode = CS_OP_QUERY,
        .stream = stream,
    };
    size_t at = cs_frame_begin(out, &h);
    uint64_t seed = size;
    uint8_t *p = cs_buf_room(out, size);

    assert_non_null(p);
    for (size_t i = CS_FRAME_HEADER_SIZE; i < size; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1;
        *p++ = random ? (uint8_t)(seed >> 56) : (uint8_t)(i >> 8);
        out->size++;
    }
    cs_frame_end(out, at);
}

static void check_message(const struct cs_frame *frame, int16_t stream,
                          size_t size, bool random)
{
    struct cs_buf want;

    cs_buf_init(&want, SIZE_MAX);
    put_message(&want, frame->header.version, stream, size, random);
    assert_int_equal(frame->header.stream, stream);
    assert_int_equal(frame->header.length, size - CS_FRAME_HEADER_SIZE);
    assert_int_equal(frame->body.size, size - CS_FRAME_HEADER_SIZE);
    assert_memory_equal(frame->body.data, want.data + CS_FRAME_HEADER_SIZE,
                        frame->body.size);
    cs_buf_release(&want);
}

static void write_run(enum cs_framing framing, const size_t *sizes, bool random,
                      struct cs_buf *out)
{
    struct cs_outbox box;
    uint8_t version = framing < CS_FRAMING_SEGMENT ? 4 : 5;

    cs_outbox_init(&box);
    cs_outbox_set_framing(&box, framing);
    for (int i = 0; i < MESSAGES_MAX && sizes[i]; i++) {
        cs_outbox_begin(&box, out);
        put_message(out, version, (int16_t)i, sizes[i], random);
        assert_int_equal(cs_outbox_end(&box, out, NULL), CS_OK);
    }
    cs_outbox_flush(&box, out);
    assert_false(box.open);
    cs_outbox_release(&box);
}

/* Gives the bytes in pieces to an inbox, each piece in memory of its own size.
 * What it does not take is given again with the next piece. */
static void read_run(enum cs_framing framing, const size_t *sizes, bool random,
                     const struct cs_buf *bytes, size_t piece)
{
    const struct cs_frame_rules rules = {
        .version = framing < CS_FRAMING_SEGMENT ? 4 : 5,
        .from_client = true,
        .max_body = 1 << 20,
    };
    struct cs_inbox inbox;
    size_t at = 0;
    size_t have = 0;
    int16_t messages = 0;

    cs_inbox_init(&inbox, &rules);
    cs_inbox_set_framing(&inbox, framing);
    while (have < bytes->size) {
        size_t need = 0;
        uint8_t *copy;
        struct cs_reader in;

        have = CS_MIN(have + piece, bytes->size);
        copy = malloc(have - at);
        memcpy(copy, bytes->data + at, have - at);
        in = cs_reader_of(copy, have - at);
        while (!need) {
            struct cs_frame frame;

            assert_int_equal(cs_inbox_next(&inbox, &in, &frame, &need, NULL),
                             CS_OK);
            if (!need) {
                check_message(&frame, messages, sizes[messages], random);
                messages++;
            }
        }
        at = have - cs_reader_left(&in);
        assert_true(at + need > have);
        free(copy);
    }
    assert_int_equal(at, bytes->size);
    assert_true(messages == MESSAGES_MAX || !sizes[messages]);
    cs_inbox_release(&inbox);
}

static void read_in_pieces(enum cs_framing framing, const size_t *sizes,
                           bool random, const struct cs_buf *bytes)
{
    static const size_t pieces[] = {SIZE_MAX / 2, 40000, 131081, 131082};

    for (size_t i = 0; i < CS_COUNT(pieces); i++)
        read_run(framing, sizes, random, bytes, pieces[i]);
}

static void each_run_arrives_as_it_was_sent(void **state)
{
    (void)state;
    for (size_t f = 0; f < CS_COUNT(framings); f++) {
        for (size_t r = 0; r < CS_COUNT(runs); r++) {
            for (int random = 0; random < 2; random++) {
                struct cs_buf out;

                cs_buf_init(&out, SIZE_MAX);
                write_run(framings[f], runs[r], random, &out);
                read_in_pieces(framings[f], runs[r], random, &out);
                cs_buf_release(&out);
            }
        }
    }
}

static void bytes_may_arrive_one_by_one(void **state)
{
    static const size_t run[MESSAGES_MAX] = {9, 10, 700, 9, 300};

    (void)state;
    for (size_t f = 0; f < CS_COUNT(framings); f++) {
        struct cs_buf out;

        cs_buf_init(&out, SIZE_MAX);
        write_run(framings[f], run, false, &out);
        for (size_t piece = 1; piece < 30; piece++)
            read_run(framings[f], run, false, &out, piece);
        cs_buf_release(&out);
    }
}

/* Headers of the segments in out: how many, and how many self-contained. */
static int count_segments(const struct cs_buf *out, bool lz4, int *whole)
{
    struct cs_reader in = cs_reader_of(out->data, out->size);
    struct cs_segment_header h;
    struct cs_view payload;
    size_t need = 0;
    int count = 0;

    for (*whole = 0; cs_reader_left(&in); count++) {
        assert_int_equal(cs_segment_next(&in, lz4, &h, &payload, &need, NULL),
                         CS_OK);
        assert_int_equal(need, 0);
        *whole += h.self_contained;
    }
    return count;
}

static const struct {
    size_t sizes[MESSAGES_MAX];
    int segments;
    int whole;
} layouts[] = {
    {{9, 9, 9}, 1, 1},      {{131071}, 1, 1},    {{131072}, 2, 0},
    {{262142}, 2, 0},       {{262143}, 3, 0},    {{9, 131062}, 1, 1},
    {{9, 131063}, 2, 2},    {{9, 131072}, 3, 1}, {{131072, 9, 9}, 3, 1},
    {{9, 400000, 9}, 6, 2},
};

static void fills_segments_and_slices_only_what_is_larger(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(layouts); i++) {
        for (int lz4 = 0; lz4 < 2; lz4++) {
            struct cs_buf out;
            int whole;

            cs_buf_init(&out, SIZE_MAX);
            write_run(lz4 ? CS_FRAMING_SEGMENT_LZ4 : CS_FRAMING_SEGMENT,
                      layouts[i].sizes, false, &out);
            assert_int_equal(count_segments(&out, lz4, &whole),
                             layouts[i].segments);
            assert_int_equal(whole, layouts[i].whole);
            cs_buf_release(&out);
        }
    }
}

static void writes_the_published_segments(void **state)
{
    static const char want[] = "090002a4c8c10500000005000000001086284d";
    static const char stored[] = "0900000004c2b8950500000005000000001086284d";
    const struct cs_request request = {.version = 5};

    (void)state;
    for (int lz4 = 0; lz4 < 2; lz4++) {
        struct cs_outbox box;
        struct cs_buf out;
        size_t size;
        uint8_t *bytes = vector_hex(lz4 ? stored : want, &size);

        cs_buf_init(&out, 1000);
        cs_outbox_init(&box);
        cs_outbox_set_framing(&box, lz4 ? CS_FRAMING_SEGMENT_LZ4
                                        : CS_FRAMING_SEGMENT);
        cs_outbox_begin(&box, &out);
        cs_request_options(&out, &request);
        assert_int_equal(cs_outbox_end(&box, &out, NULL), CS_OK);
        cs_outbox_flush(&box, &out);
        cs_outbox_flush(&box, &out); /* nothing more to do */
        assert_int_equal(out.size, size);
        assert_memory_equal(out.data, bytes, size);
        cs_outbox_release(&box);
        cs_buf_release(&out);
        free(bytes);
    }
}

/* False: there was no room, and the buffer is as before. */
static bool adds(struct cs_outbox *box, struct cs_buf *out, uint8_t version,
                 int16_t stream, size_t size)
{
    struct cs_err err = {0};
    struct cs_buf one;
    enum cs_code rc;

    cs_buf_init(&one, SIZE_MAX);
    put_message(&one, version, stream, size, true);
    cs_outbox_begin(box, out);
    cs_buf_put(out, one.data, one.size);
    rc = cs_outbox_end(box, out, &err);
    if (rc)
        assert_int_equal(err.code, CS_ENOMEM);
    assert_false(out->fault);
    cs_buf_release(&one);
    return !rc;
}

/* At every maximum the buffer can have, what fits goes out whole and what does
 * not is as if it had never been. */
static void a_full_buffer_takes_back_the_last_message(void **state)
{
    static const size_t both[MESSAGES_MAX] = {30, 40};

    (void)state;
    for (size_t f = 0; f < CS_COUNT(framings); f++) {
        for (size_t max = 60; max < 120; max++) {
            uint8_t version = framings[f] < CS_FRAMING_SEGMENT ? 4 : 5;
            size_t sizes[MESSAGES_MAX] = {30};
            struct cs_outbox box;
            struct cs_buf out;

            cs_buf_init(&out, max);
            cs_outbox_init(&box);
            cs_outbox_set_framing(&box, framings[f]);
            assert_true(adds(&box, &out, version, 0, both[0]));
            if (adds(&box, &out, version, 1, both[1]))
                sizes[1] = both[1];
            cs_outbox_flush(&box, &out);
            assert_true(sizes[1] || max < 70 + 8 + 4);
            read_run(framings[f], sizes, true, &out, SIZE_MAX / 2);
            cs_outbox_release(&box);
            cs_buf_release(&out);
        }
    }
}

static void slices_that_do_not_fit_are_taken_back(void **state)
{
    struct cs_outbox box;
    struct cs_buf out;

    (void)state;
    cs_buf_init(&out, 131072 + 20);
    cs_outbox_init(&box);
    cs_outbox_set_framing(&box, CS_FRAMING_SEGMENT);
    cs_outbox_begin(&box, &out);
    put_message(&out, 5, 1, 131060, true);
    cs_buf_put(&out, "123456789012", 12);
    assert_int_equal(cs_outbox_end(&box, &out, NULL), CS_ENOMEM);
    assert_int_equal(out.size, 0);
    assert_false(box.open);
    cs_outbox_release(&box);
    cs_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_arrives_as_it_was_sent),
        cmocka_unit_test(bytes_may_arrive_one_by_one),
        cmocka_unit_test(fills_segments_and_slices_only_what_is_larger),
        cmocka_unit_test(writes_the_published_segments),
        cmocka_unit_test(a_full_buffer_takes_back_the_last_message),
        cmocka_unit_test(slices_that_do_not_fit_are_taken_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
