/* test_stream.c - the bulk byte stream against the original's. */
#include "random/stream.h"

#include "support/bits.h"

static void makes_the_bytes_of_the_original(void **state)
{
    struct vector_file v;
    json_t *json, *want;
    size_t i;

    (void)state;
    vector_open(&v, "faster_random.jsonl");
    while ((json = vector_next_json(&v)) != NULL) {
        json_t *wants = json_object_get(json, "next_long");
        struct cs_stream stream;

        assert_true(json_array_size(wants) > 3 * (size_t)CS_STREAM_PERIOD);
        cs_stream_seed(&stream,
                       json_integer_value(json_object_get(json, "seed")));
        json_array_foreach(wants, i, want)
            check_bits(&v, i, cs_stream_next(&stream), want);
        json_decref(json);
    }
}

/* One byte at a time, by the words of the specification. */
static uint8_t byte_at(int64_t seed, size_t at)
{
    struct cs_stream stream;
    uint64_t v = 0;

    cs_stream_seed(&stream, seed);
    for (size_t i = 0; i <= at / 8; i++)
        v = cs_stream_next(&stream);
    return (uint8_t)(v >> (8 * (at % 8)));
}

static void fills_lowest_byte_first_past_a_reseed(void **state)
{
    uint8_t raw[304], text[304];
    struct cs_stream stream;

    (void)state;
    cs_stream_seed(&stream, 42);
    cs_stream_fill(&stream, raw, 299);
    cs_stream_seed(&stream, 42);
    cs_stream_fill_text(&stream, text, 299);
    for (size_t i = 0; i < 299; i++) {
        uint8_t want = byte_at(42, i);

        assert_int_equal(raw[i], want);
        assert_int_equal(text[i], ((want & 127) + 32) & 127);
    }
}

static void goes_on_where_the_last_fill_ended(void **state)
{
    uint8_t whole[64], halves[64];
    struct cs_stream stream;

    (void)state;
    cs_stream_seed(&stream, -5);
    cs_stream_fill(&stream, whole, 64);
    cs_stream_seed(&stream, -5);
    cs_stream_fill(&stream, halves, 30);
    cs_stream_fill(&stream, halves + 32, 32);
    assert_memory_equal(whole, halves, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_the_bytes_of_the_original),
        cmocka_unit_test(fills_lowest_byte_first_past_a_reseed),
        cmocka_unit_test(goes_on_where_the_last_fill_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
