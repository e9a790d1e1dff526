/* test_murmur3.c - the hash against salts that the original derives from the
 * names of columns, names outside of ASCII among them. */
#include "base/murmur3.h"

#include "base/compiler.h"
#include "support/vectors.h"

#include <stdlib.h>

static void gives_the_salts_of_the_original(void **state)
{
    struct vector_file v;
    char *f[3];

    (void)state;
    vector_open(&v, "salts.tsv");
    assert_true(vector_next_line(&v)); /* names of the fields */
    while (vector_next_line(&v)) {
        json_t *text;
        int64_t got;

        assert_int_equal(vector_fields(&v, f, 3), 3);
        text = json_loads(f[0], JSON_DECODE_ANY, NULL);
        assert_non_null(text);
        got = cs_murmur3(json_string_value(text), json_string_length(text));
        if (got != strtoll(f[2], NULL, 10))
            fail_msg("%s:%d: %s: got %lld, want %s", v.path, v.line, f[0],
                     (long long)got, f[2]);
        json_decref(text);
    }
}

/* As the original writes it down: byte by byte, each extended by its sign. */
static uint64_t slow_tail(const uint8_t *p, size_t size)
{
    uint64_t k = 0;

    for (size_t i = 0; i < size; i++)
        k ^= (uint64_t)(int64_t)(int8_t)p[i] << (8 * i);
    return k;
}

static uint64_t rotate(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}

static uint64_t finish(uint64_t k)
{
    k = (k ^ k >> 33) * UINT64_C(0xff51afd7ed558ccd);
    k = (k ^ k >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return k ^ k >> 33;
}

/* Of less than 16 bytes, which are all tail. */
static int64_t slow_hash(const uint8_t *p, size_t size)
{
    const uint64_t c1 = UINT64_C(0x87c37b91114253d5);
    const uint64_t c2 = UINT64_C(0x4cf5ad432745937f);
    uint64_t h1 = rotate(slow_tail(p, CS_MIN(size, 8)) * c1, 31) * c2;
    uint64_t h2 = 0;

    if (size > 8)
        h2 = rotate(slow_tail(p + 8, size - 8) * c2, 33) * c1;
    h1 ^= size;
    h2 ^= size;
    h1 += h2;
    h2 += h1;
    return (int64_t)(finish(h1) + finish(h2));
}

/* Bytes of 0x80 and more at every place; each block on the heap in its exact
 * size, so that a sanitizer sees what is read beyond it. */
static void extends_the_sign_of_every_byte(void **state)
{
    (void)state;
    for (size_t size = 1; size < 16; size++) {
        for (unsigned high = 0; high < 1u << size; high++) {
            uint8_t *bytes = malloc(size);

            assert_non_null(bytes);
            for (size_t i = 0; i < size; i++)
                bytes[i] =
                    (uint8_t)((31 * i + size) % 128 + 128 * (high >> i & 1));
            if (cs_murmur3(bytes, size) != slow_hash(bytes, size))
                fail_msg("%zu bytes, high ones %x", size, high);
            free(bytes);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_salts_of_the_original),
        cmocka_unit_test(extends_the_sign_of_every_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
