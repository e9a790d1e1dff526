/* test_partition_key.c - tokens of drivers' public tests, key bytes. */
#include "driver/partition_key.h"

#include "support/vectors.h"

static const struct {
    const char *hex;
    int64_t token;
} rows[] = {
    {"313233", INT64_C(-7468325962851647638)},
    {"00ff10fa9900ff10fa9900ff10fa9900ff10fa9900ff10fa99"
     "00ff10fa9900ff10fa9900ff10fa9900ff10fa9900ff10fa99",
     INT64_C(5837342703291459765)},
    {"fefefefefefefefe", INT64_C(-8927430733708461935)},
    {"1010101010101010", INT64_C(1446172840243228796)},
    {"39323233333732303336383534373735383037", INT64_C(7162290910810015547)},
    {"00104327529fb645dd00b883ec39ae448bb800000400066a6b00",
     INT64_C(-9223371632693506265)},
    {"6b72656dc3b3776b69", INT64_C(4354931215268080151)},
    {"74657374", INT64_C(-6017608668500074083)},
    {"7864", INT64_C(4507812186440344727)},
    {"7072696d6172795f6b6579", INT64_C(-1632642444691073360)},
    {"00040000008f000004000000ea00", INT64_C(4958784316840156970)},
    {"30", INT64_C(3083240331115144064)},
    {"3031", INT64_C(7250318944307867790)},
    {"303132", INT64_C(-3573335766539617317)},
    {"", INT64_MIN},
};

static void tokens_are_as_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        size_t size;
        uint8_t *key = vector_hex(rows[i].hex, &size);

        if (cs_token_of(key, size) != rows[i].token)
            fail_msg("token of %s", rows[i].hex);
        free(key);
    }
}

static void long_keys_have_the_published_token(void **state)
{
    uint8_t key[1024];

    (void)state;
    for (size_t i = 0; i < sizeof(key); i++)
        key[i] = (uint8_t)i;
    assert_true(cs_token_of(key, sizeof(key)) == INT64_C(7627370222079200297));
}

static void several_components_have_sizes_and_ends(void **state)
{
    struct cs_buf key;

    (void)state;
    cs_buf_init(&key, 100);
    cs_partition_key_add(&key, "\0\0\0\x8f", 4);
    cs_partition_key_add(&key, "\0\0\0\xea", 4);
    assert_int_equal(key.size, 14);
    assert_true(cs_token_of(key.data, key.size) ==
                INT64_C(4958784316840156970));
    cs_partition_key_add(&key, "", 0);
    assert_int_equal(key.size, 17);
    assert_memory_equal(key.data + 14, "\0\0\0", 3);
    cs_buf_release(&key);
}

static void too_long_a_component_is_a_fault(void **state)
{
    char *text = calloc(1, 65536);
    struct cs_buf key;

    (void)state;
    cs_buf_init(&key, SIZE_MAX);
    cs_partition_key_add(&key, text, 65535);
    assert_false(key.fault);
    assert_int_equal(key.size, 65535 + 3);
    cs_partition_key_add(&key, text, 65536);
    assert_true(key.fault);
    cs_buf_release(&key);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_as_published),
        cmocka_unit_test(long_keys_have_the_published_token),
        cmocka_unit_test(several_components_have_sizes_and_ends),
        cmocka_unit_test(too_long_a_component_is_a_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
