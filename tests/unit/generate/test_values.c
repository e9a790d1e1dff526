/* test_values.c - single values of every type, against the original; those it
 * lacks against the rule of our own. */
#include "generate/generate_internal.h"
#include "support/generate.h"

#define UDTS_MOST 4

/* A column's node alone, and what it needs. */
struct lone_node {
    struct cs_arena arena;
    struct cs_gen_node node;
    struct cs_buf out;
    const struct cs_type *udts[UDTS_MOST];
    size_t udt_count;
};

static const struct cs_type *find_udt(void *ctx, const char *name)
{
    const struct lone_node *lone = ctx;

    for (size_t i = 0; i < lone->udt_count; i++)
        if (!strcmp(lone->udts[i]->name, name))
            return lone->udts[i];
    return NULL;
}

static const struct cs_type *parse(struct lone_node *lone, const char *text)
{
    const struct cs_type *type;
    struct cs_err err;

    if (!strncmp(text, "hex", 3))
        text += 3;
    if (cs_type_parse(text, &lone->arena, find_udt, lone, &type, &err))
        fail_msg("%s: %s", text, err.text);
    return type;
}

static void add_udt(struct lone_node *lone, const char *name, json_t *fields)
{
    size_t count = json_array_size(fields);
    struct cs_type *type = cs_arena_alloc(&lone->arena, sizeof(*type));
    const char **names =
        cs_arena_array(&lone->arena, count, sizeof(*type->field_names));

    assert_non_null(type);
    assert_non_null(names);
    *type = (struct cs_type){
        .kind = CS_TYPE_UDT,
        .name = cs_arena_text(&lone->arena, name),
        .field_names = names,
        .part_count = count,
        .parts = cs_arena_array(&lone->arena, count, sizeof(*type->parts)),
    };
    for (size_t i = 0; i < count; i++) {
        json_t *field = json_array_get(fields, i);

        names[i] = cs_arena_text(&lone->arena,
                                 json_string_value(json_array_get(field, 0)));
        type->parts[i] =
            parse(lone, json_string_value(json_array_get(field, 1)));
    }
    assert_true(lone->udt_count < UDTS_MOST);
    lone->udts[lone->udt_count++] = type;
}

static void lone_start(struct lone_node *lone)
{
    memset(lone, 0, sizeof(*lone));
    cs_arena_init(&lone->arena);
    cs_buf_init(&lone->out, 1 << 20);
}

static void lone_release(struct lone_node *lone)
{
    cs_gen_node_release(&lone->node);
    cs_buf_release(&lone->out);
    cs_arena_release(&lone->arena);
}

static void lone_init(struct lone_node *lone, const char *type_text,
                      const struct cs_generator_config *config,
                      const char *name)
{
    const struct cs_type *type = parse(lone, type_text);
    struct cs_err err;
    enum cs_code rc;

    if (!strncmp(type_text, "hex", 3))
        rc = cs_gen_node_init_hex(&lone->node, config, name, type, &err);
    else
        rc = cs_gen_node_init(&lone->node, config, &lone->arena, name, type,
                              &err);
    if (rc)
        fail_msg("%s: %s", type_text, err.text);
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = a;
    const char *const *y = b;

    return strcmp(*x, *y);
}

/* Elements of a list or set cell as hex joined by '|'; a set's sorted. */
static void put_elements(struct cs_buf *text, const uint8_t *cell, bool sorted)
{
    uint32_t count = cs_load32(cell);
    char *elements[64];

    assert_true(count <= CS_COUNT(elements));
    cell += 4;
    for (uint32_t i = 0; i < count; i++) {
        struct cs_buf hex;
        uint32_t size = cs_load32(cell);

        cs_buf_init(&hex, 4096);
        cs_put_hex(&hex, cell + 4, size);
        elements[i] = strdup(cs_buf_text(&hex));
        cs_buf_release(&hex);
        cell += 4 + size;
    }
    if (sorted)
        qsort(elements, count, sizeof(*elements), by_text);
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            cs_buf_puts(text, "|");
        cs_buf_puts(text, elements[i]);
        free(elements[i]);
    }
}

/* As the vector files write a value. */
static void put_value(struct cs_buf *text, const struct lone_node *lone,
                      bool joined)
{
    const uint8_t *cell = lone->out.data;
    enum cs_type_kind kind = lone->node.type->kind;

    if (joined && (kind == CS_TYPE_LIST || kind == CS_TYPE_SET))
        put_elements(text, cell + 4, kind == CS_TYPE_SET);
    else
        cs_put_hex(text, cell + 4, cs_load32(cell));
}

static void check_values(struct vector_file *v, json_t *json,
                         struct lone_node *lone, bool joined)
{
    json_t *values = json_object_get(json, "bytes");
    json_t *mixes = json_object_get(json, "mix7");
    struct cs_buf text;

    cs_buf_init(&text, 1 << 20);
    cs_gen_seed(&lone->node, json_integer_value(json_object_get(json, "seed")));
    assert_true(json_array_size(values) > 0);
    for (size_t i = 0; i < json_array_size(values); i++) {
        const char *want = json_string_value(json_array_get(values, i));
        int64_t mixed;

        cs_buf_clear(&lone->out);
        cs_buf_clear(&text);
        lone->node.append(&lone->node, &lone->out);
        put_value(&text, lone, joined);
        if (strcmp(cs_buf_text(&text), want))
            fail_msg("%s:%d: value %zu: %s, want %s", v->path, v->line, i,
                     cs_buf_text(&text), want);
        /* The files mix sets in the order of a Java hash table; the tools that
         * were run against a server mix them in the server's: test_live. */
        if (joined && lone->node.type->kind == CS_TYPE_SET)
            continue;
        mixed = cs_gen_mix(lone->node.type, lone->out.data + 4,
                           lone->out.size - 4, 7);
        if (mixed != json_integer_value(json_array_get(mixes, i)))
            fail_msg("%s:%d: value %zu mixes to %lld", v->path, v->line, i,
                     (long long)mixed);
    }
    cs_buf_release(&text);
}

static void check_line(struct vector_file *v, json_t *json,
                       enum cs_dialect dialect)
{
    const char *name = vector_string(json, "name");
    const char *seed_string = vector_string(json, "seed_string");
    struct cs_column_rule rule =
        test_rule(name, vector_string(json, "population"),
                  vector_string(json, "size"), NULL);
    struct cs_generator_config config = {
        .rules = &rule, .rule_count = 1, .dialect = dialect};
    struct lone_node lone;
    char prefix[64];

    snprintf(prefix, sizeof(prefix), "%.*s",
             (int)(strlen(seed_string) - strlen(name)), seed_string);
    config.salt_prefix = prefix;
    lone_start(&lone);
    lone_init(&lone, vector_string(json, "type"), &config, name);
    check_values(v, json, &lone, true);
    lone_release(&lone);
}

static void makes_the_values_of_the_original(void **state)
{
    static const struct {
        const char *file;
        enum cs_dialect dialect;
        bool uuid_differs; /* in the other dialects' files */
    } rows[] = {
        {"values.jsonl", CS_DATA_C3, false},
        {"values.jsonl", CS_DATA_C2, true},
        {"values_boolean_c4.jsonl", CS_DATA_C4, false},
        {"values_uuid_c2.jsonl", CS_DATA_C2, false},
    };
    struct vector_file v;
    json_t *json;

    (void)state;
    for (size_t r = 0; r < CS_COUNT(rows); r++) {
        vector_open(&v, rows[r].file);
        while ((json = vector_next_json(&v)) != NULL) {
            if (!rows[r].uuid_differs ||
                strcmp(vector_string(json, "type"), "uuid"))
                check_line(&v, json, rows[r].dialect);
            json_decref(json);
        }
    }
}

static size_t rules_of(json_t *spec, struct cs_column_rule *rules)
{
    const char *path;
    json_t *entry;
    size_t count = 0;

    json_object_foreach(spec, path, entry)
    {
        rules[count] = test_rule(path, vector_string(entry, "population"),
                                 vector_string(entry, "size"), NULL);
        rules[count++].family =
            (unsigned)json_integer_value(json_object_get(entry, "family"));
    }
    return count;
}

static void fills_the_types_that_the_original_lacks(void **state)
{
    struct vector_file v;
    json_t *json;

    (void)state;
    vector_open(&v, "values_new_types.jsonl");
    while ((json = vector_next_json(&v)) != NULL) {
        struct cs_column_rule rules[8];
        struct cs_generator_config config = {.rules = rules,
                                             .salt_prefix = "seed for stress",
                                             .dialect = CS_DATA_C4};
        struct lone_node lone;
        const char *name;
        json_t *fields;

        config.rule_count = rules_of(json_object_get(json, "spec"), rules);
        lone_start(&lone);
        json_object_foreach(json_object_get(json, "udt"), name, fields)
            add_udt(&lone, name, fields);
        lone_init(&lone, vector_string(json, "type"), &config,
                  vector_string(json, "name"));
        check_values(&v, json, &lone, false);
        lone_release(&lone);
        json_decref(json);
    }
}

/* What is drawn of a list or set, whose size varies, is a matter of chance;
 * that it stays in bounds is not. */
static void keeps_the_size_of_sets_in_bounds(void **state)
{
    struct cs_column_rule rule =
        test_rule("s", "uniform(1..3)", "uniform(0..40)", NULL);
    struct cs_generator_config config = {.rules = &rule,
                                         .rule_count = 1,
                                         .salt_prefix = "x",
                                         .dialect = CS_DATA_C4};
    struct lone_node lone;
    uint32_t most = 0;

    (void)state;
    lone_start(&lone);
    lone_init(&lone, "set<int>", &config, "s");
    for (int64_t seed = 0; seed < 200; seed++) {
        cs_buf_clear(&lone.out);
        cs_gen_seed(&lone.node, seed);
        lone.node.append(&lone.node, &lone.out);
        most = CS_MAX(most, cs_load32(lone.out.data + 4));
        assert_int_equal(lone.out.size, 8 + 8 * cs_load32(lone.out.data + 4));
    }
    assert_int_equal(most, 3);
    lone_release(&lone);
}

/* A key that is made and mixed at once is the same, and so is its mix. */
static void check_key(struct lone_node *lone, int64_t seed,
                      const struct cs_buf *want, struct cs_buf *out)
{
    int64_t mixed;

    if (!lone->node.key)
        return;
    cs_buf_clear(out);
    mixed = lone->node.key(&lone->node, seed, out);
    assert_int_equal(out->size, want->size);
    assert_memory_equal(out->data, want->data, want->size);
    assert_int_equal(mixed,
                     cs_gen_mix_bytes(want->data + 4, want->size - 4, 0));
}

/* The ways to a first value, by size and identity, all lead to the same. */
static void makes_the_first_value_as_any_other(void **state)
{
    static const char *const populations[] = {
        "uniform(1..100B)",  "uniform(1..2)", "uniform(0..9)",
        "gaussian(1..1000)", "fixed(5)",      "~uniform(1..10)",
        "seq(1..7)"};
    static const char *const types[] = {"text", "blob", "hexblob", "int"};
    size_t cases = CS_COUNT(populations) * CS_COUNT(types) * 80;

    (void)state;
    for (size_t i = 0; i < cases; i++) {
        char size[32];
        struct cs_column_rule rule;
        struct cs_generator_config config = {.rules = &rule,
                                             .rule_count = 1,
                                             .salt_prefix = "x",
                                             .dialect = CS_DATA_C4};
        struct lone_node lone;
        struct cs_buf other;

        snprintf(size, sizeof(size), "fixed(%zu)", i % 80);
        rule = test_rule("c", populations[i / 80 % CS_COUNT(populations)], size,
                         NULL);
        lone_start(&lone);
        lone_init(&lone, types[i / 80 / CS_COUNT(populations)], &config, "c");
        cs_buf_init(&other, 1 << 12);
        for (int64_t seed = -3; seed < 40; seed++) {
            cs_buf_clear(&lone.out);
            cs_buf_clear(&other);
            cs_gen_seed(&lone.node, seed);
            lone.node.append(&lone.node, &lone.out);
            lone.node.first(&lone.node, seed, &other);
            assert_int_equal(other.size, lone.out.size);
            assert_memory_equal(other.data, lone.out.data, other.size);
            check_key(&lone, seed, &lone.out, &other);
        }
        cs_buf_release(&other);
        lone_release(&lone);
    }
}

/* Plain identities have no limits of their own: arithmetic keeps them within
 * 1..n, at the numbers between 0 and 1 next to both ends. */
static void keeps_plain_identities_in_bounds(void **state)
{
    (void)state;
    for (int bits = 1; bits < 52; bits++) {
        for (int64_t n = (INT64_C(1) << bits) - 3;
             n <= (INT64_C(1) << bits) + 3; n++) {
            const struct cs_gen_node node = {.above = (double)(n + 1)};

            for (int i = 0; n > 1 && i < 40; i++) {
                int64_t most = cs_gen_plain_at(&node, 1 - (i + 1) * 0x1.0p-53);
                int64_t least = cs_gen_plain_at(&node, i * 0x1.0p-53);

                assert_in_range(most, 1, n);
                assert_in_range(least, 1, n);
            }
        }
    }
}

static void faults_where_a_value_does_not_fit(void **state)
{
    static const char *const types[] = {"text",
                                        "blob",
                                        "list<int>",
                                        "set<text>",
                                        "map<int,text>",
                                        "tuple<int,text>",
                                        "vector<text,300>",
                                        "duration",
                                        "varint"};
    struct cs_column_rule rule = test_rule("c", NULL, "fixed(100)", NULL);
    struct cs_generator_config config = {.rules = &rule,
                                         .rule_count = 1,
                                         .salt_prefix = "x",
                                         .dialect = CS_DATA_C4};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(types); i++) {
        for (size_t most = 0; most < 110; most++) {
            struct lone_node lone;
            struct cs_buf small;

            lone_start(&lone);
            lone_init(&lone, types[i], &config, "c");
            cs_buf_init(&small, most);
            lone.node.first(&lone.node, 1, &small);
            assert_true(small.size <= most);
            assert_true(small.fault || small.size > 4);
            if (most < 5)
                assert_true(small.fault);
            cs_buf_release(&small);
            lone_release(&lone);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_the_values_of_the_original),
        cmocka_unit_test(fills_the_types_that_the_original_lacks),
        cmocka_unit_test(keeps_the_size_of_sets_in_bounds),
        cmocka_unit_test(makes_the_first_value_as_any_other),
        cmocka_unit_test(keeps_plain_identities_in_bounds),
        cmocka_unit_test(faults_where_a_value_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
