/* test_murmur3.c - the hash against salts that the original derives from the
 * names of columns, names outside of ASCII among them. */
#include "base/murmur3.h"

#include "support/vectors.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_salts_of_the_original),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
