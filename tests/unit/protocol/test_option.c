/* test_option.c - types on the wire: nesting, limits. */
#include "protocol/option.h"

#include "support/vectors.h"

static enum cs_code read_hex(const char *hex, struct cs_arena *arena,
                             uint32_t nodes, const struct cs_type **out,
                             struct cs_err *err)
{
    size_t size;
    uint8_t *bytes = vector_hex(hex, &size);
    struct cs_reader in = cs_reader_of(bytes, size);
    struct cs_reader skipped = in;
    struct cs_option_reader r = {&in, arena, nodes};
    enum cs_code rc = cs_option_read(&r, out, err);

    cs_option_skip(&skipped);
    if (!rc) { /* both end at the same place */
        assert_false(skipped.fault);
        assert_ptr_equal(skipped.p, in.p);
    }
    free(bytes);
    return rc;
}

static const struct {
    const char *why;
    const char *hex;
    uint32_t nodes;
    const char *words; /* NULL: it is right */
} rows[] = {
    {"int", "0009", 1, NULL},
    {"map of text to int", "0021000d0009", 3, NULL},
    {"map of text to int, too many", "0021000d0009", 2, "more than"},
    {"tuple", "0031000200090009", 3, NULL},
    {"empty tuple", "00310000", 1, NULL},
    {"tuple of more than there is", "0031ffff0009", 100000, "cut off"},
    {"empty UDT",
     "0030000161000162"
     "0000",
     1, NULL},
    {"UDT",
     "0030000161000162"
     "0001"
     "000163"
     "0009",
     2, NULL},
    {"UDT, too many",
     "0030000161000162"
     "0001"
     "000163"
     "0009",
     1, "more than"},
    {"UDT without its field",
     "0030000161000162"
     "0001"
     "000163",
     9, "cut off"},
    {"list of nothing", "0020", 9, "cut off"},
    {"nothing", "", 9, "cut off"},
    {"0x0016", "0016", 9, "unknown id 0x0016"},
    {"0x0023", "0023", 9, "unknown id 0x0023"},
    {"custom",
     "0000"
     "0003"
     "612e62",
     9, NULL},
    {"custom without a name",
     "0000"
     "0000",
     9, "class"},
};

static void reads_types(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const struct cs_type *type;
        struct cs_arena arena;
        struct cs_err err = {0};
        enum cs_code rc;

        cs_arena_init(&arena);
        rc = read_hex(rows[i].hex, &arena, rows[i].nodes, &type, &err);
        if (!rc != !rows[i].words ||
            (rows[i].words && !strstr(err.text, rows[i].words)))
            fail_msg("%s: %d '%s'", rows[i].why, rc, err.text);
        cs_arena_release(&arena);
    }
}

static void names_the_parts_of_a_user_type(void **state)
{
    const struct cs_type *type;
    struct cs_arena arena;

    (void)state;
    cs_arena_init(&arena);
    assert_int_equal(read_hex("0030"
                              "00026b73"
                              "000175"
                              "0002"
                              "000161"
                              "0009"
                              "000162"
                              "0020000d",
                              &arena, 9, &type, NULL),
                     CS_OK);
    assert_int_equal(type->kind, CS_TYPE_UDT);
    assert_string_equal(type->keyspace, "ks");
    assert_string_equal(type->name, "u");
    assert_int_equal(type->part_count, 2);
    assert_string_equal(type->field_names[1], "b");
    assert_int_equal(type->parts[0]->kind, CS_TYPE_INT);
    assert_int_equal(type->parts[1]->kind, CS_TYPE_LIST);
    assert_int_equal(type->parts[1]->parts[0]->kind, CS_TYPE_TEXT);
    cs_arena_release(&arena);
}

/* list<list<...<int>>> */
static void refuses_deep_nesting(void **state)
{
    (void)state;
    for (int depth = CS_TYPE_DEPTH_MAX - 2; depth < CS_TYPE_DEPTH_MAX + 2;
         depth++) {
        char hex[4 * (CS_TYPE_DEPTH_MAX + 4) + 1] = "";
        const struct cs_type *type;
        struct cs_arena arena;
        uint8_t *bytes;
        size_t size;
        struct cs_reader in;
        bool good = depth < CS_TYPE_DEPTH_MAX;

        for (int i = 0; i < depth; i++)
            strcat(hex, "0020");
        strcat(hex, "0009");
        cs_arena_init(&arena);
        assert_int_equal(read_hex(hex, &arena, 1000, &type, NULL),
                         good ? CS_OK : CS_EPROTOCOL);
        cs_arena_release(&arena);
        bytes = vector_hex(hex, &size);
        in = cs_reader_of(bytes, size);
        cs_option_skip(&in);
        assert_int_equal(in.fault, depth > CS_TYPE_DEPTH_MAX);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_types),
        cmocka_unit_test(names_the_parts_of_a_user_type),
        cmocka_unit_test(refuses_deep_nesting),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
