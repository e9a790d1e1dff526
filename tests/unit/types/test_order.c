/* test_order.c - values in the order of the server, and in one form. */
#include "types/order.h"

#include "support/types.h"
#include "support/vectors.h"

struct fixture {
    struct cs_arena arena;
    const struct cs_type *type;
};

static void open_type(struct fixture *f, const char *text)
{
    struct cs_err err;

    cs_arena_init(&f->arena);
    if (cs_type_parse(text, &f->arena, find_test_udt, NULL, &f->type, &err))
        fail_msg("%s", err.text);
}

static int32_t from_hex(const char *hex, uint8_t *out)
{
    int32_t size = (int32_t)strlen(hex) / 2;

    if (!strcmp(hex, "null"))
        return -1;
    for (int32_t i = 0; i < size; i++)
        assert_int_equal(sscanf(hex + 2 * i, "%2hhx", &out[i]), 1);
    return size;
}

/* Each list ascends; values in hex. */
static const struct {
    const char *type;
    const char *values[6];
} ascending[] = {
    {"int", {"null", "80000000", "ffffffff", "00000000", "7fffffff"}},
    {"bigint", {"ffffffffffffff00", "00000000000000ff"}},
    {"varint", {"8000", "80", "ff", "00", "7f", "0080"}},
    {"varint", {"ff00", "ff7f", "ff80"}},
    {"decimal", {"00000000ff", "0000000000", "000000000100"}},
    {"blob", {"", "00", "7f", "80", "8000", "ff"}}, /* Java: 80 before 00 */
    {"text", {"", "41", "4142", "61"}},
    {"boolean", {"00", "01"}},
    {"float", {"ff800000", "bf800000", "80000000", "00000000", "3f800000"}},
    {"double", {"c000000000000000", "4000000000000000", "7ff8000000000000"}},
    {"timestamp", {"8000000000000000", "0000000000000000"}},
    {"date", {"00000000", "7fffffff", "80000000"}},
    {"time", {"0000000000000001", "8000000000000000"}},
    {"inet", {"7f000001", "ff000001"}},
    {"uuid",
     {"00000000000000008000000000000000", "000000020000100080000000000000ff",
      "00000001000110008000000000000000", "00000000000040008000000000000000",
      "00000000000040ff0000000000000000"}},
    {"timeuuid",
     {"00000001000010008000000000000000", "000000010000100000000000000000ff",
      "00000001000010000000000000000001", "00000000000110008000000000000000"}},
    {"frozen<list<int>>",
     {"00000000", "0000000100000004ffffffff", "000000010000000400000001",
      "00000002000000040000000100000004ffffffff"}},
    {"tuple<int, blob>",
     {"ffffffff00000001ff", "0000000480000000ffffffff",
      "000000040000000000000001"
      "7f",
      "000000040000000000000001"
      "80"}},
    {"vector<float, 2>", {"bf80000000000000", "3f80000080000000"}},
    {"vector<text, 2>",
     {"01410142", "01410143",
      "024141"
      "00"}},
};

static void check_pair(const struct cs_type *type, const char *name,
                       const char *a, const char *b, int want)
{
    uint8_t x[64], y[64];
    int32_t x_size = from_hex(a, x);
    int32_t y_size = from_hex(b, y);
    int got = cs_value_compare(type, x, x_size, y, y_size);

    if ((got > 0) - (got < 0) != want)
        fail_msg("%s: %s and %s give %d", name, a, b, got);
}

static void orders_values_as_the_server_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(ascending); i++) {
        const char *const *values = ascending[i].values;
        struct fixture f;

        open_type(&f, ascending[i].type);
        for (int a = 0; a < 6 && values[a]; a++)
            for (int b = 0; b < 6 && values[b]; b++)
                check_pair(f.type, ascending[i].type, values[a], values[b],
                           (a > b) - (a < b));
        cs_arena_release(&f.arena);
    }
}

static const struct {
    const char *type;
    const char *from;
    const char *want; /* NULL: the same */
} settled[] = {
    {"int", "00000001", NULL},
    {"list<int>",
     "000000020000000400000002"
     "0000000400000001",
     NULL},
    {"set<int>",
     "00000003"
     "0000000400000002"
     "0000000400000001"
     "0000000400000002",
     "00000002"
     "0000000400000001"
     "0000000400000002"},
    {"set<int>",
     "00000002"
     "0000000400000001"
     "00000004ffffffff",
     "00000002"
     "00000004ffffffff"
     "0000000400000001"},
    {"map<int, text>",
     "00000003"
     "0000000400000002"
     "0000000161"
     "0000000400000001"
     "0000000162"
     "0000000400000002"
     "0000000163",
     "00000002"
     "0000000400000001"
     "0000000162"
     "0000000400000002"
     "0000000163"},
    {"tuple<int, frozen<set<int>>, text>",
     "0000000400000007"
     "00000014"
     "00000002"
     "0000000400000002"
     "0000000400000001"
     "ffffffff",
     "0000000400000007"
     "00000014"
     "00000002"
     "0000000400000001"
     "0000000400000002"
     "ffffffff"},
    {"list<frozen<set<int>>>",
     "00000001"
     "00000014"
     "00000002"
     "0000000400000002"
     "0000000400000001",
     "00000001"
     "00000014"
     "00000002"
     "0000000400000001"
     "0000000400000002"},
    {"vector<frozen<set<int>>, 1>",
     "14"
     "00000002"
     "0000000400000002"
     "0000000400000001",
     "14"
     "00000002"
     "0000000400000001"
     "0000000400000002"},
    {"set<int>", "", NULL},
    {"set<int>", "00000002000000", NULL}, /* no set */
    {"map<int, int>", "7fffffff", NULL},
};

static void gives_equal_values_the_same_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(settled); i++) {
        const char *want = settled[i].want ? settled[i].want : settled[i].from;
        uint8_t from[128];
        int32_t size = from_hex(settled[i].from, from);
        struct fixture f;
        struct cs_buf out;
        char got[256] = "";

        open_type(&f, settled[i].type);
        cs_buf_init(&out, 1000);
        cs_value_settle(f.type, from, (size_t)size, &out);
        assert_false(out.fault);
        for (size_t k = 0; k < out.size; k++)
            sprintf(got + 2 * k, "%02x", out.data[k]);
        if (strcmp(got, want) != 0)
            fail_msg("%s %s: %s", settled[i].type, settled[i].from, got);
        cs_buf_release(&out);
        cs_arena_release(&f.arena);
    }
}

static void settles_a_null_cell_as_null(void **state)
{
    static const uint8_t null[] = {0xff, 0xff, 0xff, 0xff};
    struct fixture f;
    struct cs_buf out;

    (void)state;
    open_type(&f, "set<int>");
    cs_buf_init(&out, 100);
    cs_cell_settle(f.type, null, &out);
    assert_int_equal(out.size, 4);
    assert_memory_equal(out.data, null, 4);
    cs_buf_release(&out);
    cs_arena_release(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_values_as_the_server_does),
        cmocka_unit_test(gives_equal_values_the_same_bytes),
        cmocka_unit_test(settles_a_null_cell_as_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
