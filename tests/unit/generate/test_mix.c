/* test_mix.c - key values to seeds: sets in the order of the server, bytes in
 * two ways that must agree. */
#include "generate/generate_internal.h"
#include "support/generate.h"

/* Bytes of hex text with blanks; the caller's to free. */
static uint8_t *hex_of(const char *text, size_t *size)
{
    char plain[256];
    size_t at = 0;

    for (; *text; text++)
        if (*text != ' ')
            plain[at++] = *text;
    plain[at] = 0;
    return vector_hex(plain, size);
}

/* A set in a key: its elements count in the order in which a server keeps
 * them. */
static void mixes_a_set_in_the_order_of_the_server(void **state)
{
    static const struct {
        const char *type;
        const char *drawn;
        const char *kept;
    } rows[] = {
        {"set<int>",
         "00000003 00000004 00000005 00000004 fffffffe "
         "00000004 00000001",
         "00000003 00000004 fffffffe 00000004 00000001 00000004 00000005"},
        {"set<blob>", "00000003 00000001 80 00000002 7f00 00000001 7f",
         "00000003 00000001 7f 00000002 7f00 00000001 80"},
        {"set<inet>", "00000002 00000004 c0000201 00000004 7f000001",
         "00000002 00000004 7f000001 00000004 c0000201"},
        /* versions 5 and 0 */
        {"set<uuid>",
         "00000002 00000010 00000000 00005000 00000000 00005000 "
         "00000010 00000001 00000000 00000001 00000000",
         "00000002 00000010 00000001 00000000 00000001 00000000 "
         "00000010 00000000 00005000 00000000 00005000"},
        /* the low part of the time stands in front */
        {"set<timeuuid>",
         "00000002 00000010 00000001 00011001 00000000 00000000 "
         "00000010 00000002 00001001 00000000 00000000",
         "00000002 00000010 00000002 00001001 00000000 00000000 "
         "00000010 00000001 00011001 00000000 00000000"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_arena arena;
        uint8_t *drawn, *kept;
        size_t drawn_size, kept_size;

        cs_arena_init(&arena);
        drawn = hex_of(rows[i].drawn, &drawn_size);
        kept = hex_of(rows[i].kept, &kept_size);
        assert_int_equal(drawn_size, kept_size);
        assert_int_equal(
            cs_gen_mix(test_type(&arena, rows[i].type), drawn, drawn_size, 7),
            cs_gen_mix_bytes(kept, kept_size, 7));
        free(drawn);
        free(kept);
        cs_arena_release(&arena);
    }
}

/* Bytes eight at a time and one by one are two codes. */
static void mixes_bytes_one_like_the_other(void **state)
{
    uint8_t bytes[40];

    (void)state;
    for (size_t size = 0; size <= sizeof(bytes); size++) {
        uint64_t z = 5;

        for (size_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)(size * 37 + i * 101);
            z = 31 * z + (uint64_t)(int64_t)(int8_t)bytes[i];
        }
        assert_int_equal(cs_gen_mix_bytes(bytes, size, 5), (int64_t)z);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixes_a_set_in_the_order_of_the_server),
        cmocka_unit_test(mixes_bytes_one_like_the_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
