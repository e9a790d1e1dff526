/* test_java_random.c - java.util.Random against what Java draws. */
#include "random/java_random.h"

#include "support/bits.h"

static void same_longs(const struct vector_file *v, json_t *json, int64_t seed)
{
    json_t *wants = json_object_get(json, "next_long");
    struct cs_java_random random;
    json_t *want;
    size_t i;

    cs_java_random_seed(&random, seed);
    json_array_foreach(wants, i, want)
        check_bits(v, i, (uint64_t)cs_java_random_long(&random), want);
}

static void same_doubles(const struct vector_file *v, json_t *json,
                         const char *key, int64_t seed,
                         double (*draw)(struct cs_java_random *))
{
    json_t *wants = json_object_get(json, key);
    struct cs_java_random random;
    json_t *want;
    size_t i;

    assert_true(json_array_size(wants) > 0);
    cs_java_random_seed(&random, seed);
    json_array_foreach(wants, i, want)
        check_bits(v, i, double_bits(draw(&random)), want);
}

static double draw_double(struct cs_java_random *random)
{
    return cs_java_random_double(random);
}

static void draws_what_java_draws(void **state)
{
    struct vector_file v;
    json_t *json;

    (void)state;
    vector_open(&v, "java_random.jsonl");
    while ((json = vector_next_json(&v)) != NULL) {
        int64_t seed = json_integer_value(json_object_get(json, "seed"));

        same_longs(&v, json, seed);
        same_doubles(&v, json, "next_double_bits", seed, draw_double);
        same_doubles(&v, json, "next_gaussian_bits", seed,
                     cs_java_random_gaussian);
        json_decref(json);
    }
}

static void drops_the_second_gaussian_when_seeded_anew(void **state)
{
    struct cs_java_random random;
    double first;

    (void)state;
    cs_java_random_seed(&random, 7);
    first = cs_java_random_gaussian(&random);
    cs_java_random_seed(&random, 7);
    assert_true(first == cs_java_random_gaussian(&random));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_what_java_draws),
        cmocka_unit_test(drops_the_second_gaussian_when_seeded_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
