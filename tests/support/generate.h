/* generate.h - tables and generators for tests, from a few words per column. */
#ifndef CS_TESTS_SUPPORT_GENERATE_H
#define CS_TESTS_SUPPORT_GENERATE_H

#include "base/text.h"
#include "generate/generator.h"
#include "support/vectors.h"

#define TEST_COLUMNS_MOST 64

/* One column, in table order. role: p partition key, c clustering, v value.
 * Distributions as typed, or NULL. */
struct test_column {
    const char *name;
    const char *type;
    char role;
    const char *population;
    const char *size;
    const char *cluster;
};

struct test_table {
    struct cs_arena arena;
    struct cs_table table;
    struct cs_column columns[TEST_COLUMNS_MOST];
    struct cs_column_rule rules[TEST_COLUMNS_MOST];
    size_t rule_count;
    struct cs_generator *gen;
    struct cs_buf cell;
    struct cs_buf text;
};

static inline struct cs_dist_spec test_dist(const char *text)
{
    struct cs_dist_spec spec;
    struct cs_err err;

    if (cs_dist_parse(text, &spec, NULL, &err))
        fail_msg("%s: %s", text, err.text);
    return spec;
}

static inline struct cs_column_rule test_rule(const char *name,
                                              const char *population,
                                              const char *size,
                                              const char *cluster)
{
    struct cs_column_rule rule = {.name = name};

    rule.has_population = population != NULL;
    rule.has_size = size != NULL;
    rule.has_cluster = cluster != NULL;
    if (population)
        rule.population = test_dist(population);
    if (size)
        rule.size = test_dist(size);
    if (cluster)
        rule.cluster = test_dist(cluster);
    return rule;
}

static inline const struct cs_type *test_type(struct cs_arena *arena,
                                              const char *text)
{
    const struct cs_type *type;
    struct cs_err err;

    if (cs_type_parse(text, arena, NULL, NULL, &type, &err))
        fail_msg("%s: %s", text, err.text);
    return type;
}

/* No table yet. */
static inline void test_table_start(struct test_table *t)
{
    memset(t, 0, sizeof(*t));
    cs_arena_init(&t->arena);
    cs_buf_init(&t->cell, 1 << 24);
    cs_buf_init(&t->text, 1 << 24);
}

/* Fills the table and its rules; columns end with a NULL name. */
static inline void test_table_fill(struct test_table *t,
                                   const struct test_column *columns)
{
    t->table =
        (struct cs_table){.keyspace = "ks", .name = "t", .columns = t->columns};
    for (; columns->name; columns++) {
        struct cs_column *column = &t->columns[t->table.column_count++];

        column->name = columns->name;
        column->type = test_type(&t->arena, columns->type);
        column->kind = columns->role == 'p'   ? CS_COLUMN_PARTITION_KEY
                       : columns->role == 'c' ? CS_COLUMN_CLUSTERING
                                              : CS_COLUMN_REGULAR;
        t->table.partition_count += columns->role == 'p';
        t->table.clustering_count += columns->role == 'c';
        t->rules[t->rule_count++] =
            test_rule(columns->name, columns->population, columns->size,
                      columns->cluster);
    }
}

static inline void test_table_init(struct test_table *t,
                                   const struct test_column *columns)
{
    test_table_start(t);
    test_table_fill(t, columns);
}

static inline void test_table_open(struct test_table *t, const char *prefix,
                                   bool hex_key, enum cs_dialect dialect,
                                   enum cs_order order)
{
    const struct cs_generator_config config = {
        .table = &t->table,
        .rules = t->rules,
        .rule_count = t->rule_count,
        .salt_prefix = prefix,
        .hex_key = hex_key,
        .dialect = dialect,
        .order = order,
    };
    struct cs_err err;

    if (cs_generator_new(&config, &t->gen, &err))
        fail_msg("%s", err.text);
}

static inline void test_table_release(struct test_table *t)
{
    cs_generator_free(t->gen);
    cs_buf_release(&t->cell);
    cs_buf_release(&t->text);
    cs_arena_release(&t->arena);
}

/* The column's cell in the current row as hex, "null" when it is null; valid
 * until the next call. */
static inline const char *test_cell(struct test_table *t, unsigned column)
{
    const uint8_t *p;
    int32_t size;

    cs_buf_clear(&t->cell);
    cs_buf_clear(&t->text);
    cs_generator_put(t->gen, column, &t->cell);
    assert_false(t->cell.fault);
    p = t->cell.data;
    size = (int32_t)cs_load32(p);
    if (size < 0) {
        assert_int_equal(t->cell.size, 4);
        return "null";
    }
    assert_int_equal(t->cell.size, 4 + (size_t)size);
    cs_put_hex(&t->text, p + 4, (size_t)size);
    return cs_buf_text(&t->text);
}

static inline enum cs_dialect test_dialect(const char *name)
{
    return strstr(name, "c4") ? CS_DATA_C4 : CS_DATA_C3;
}

/* A seed of the population's position, without seeds. */
static inline struct cs_seed test_seed(int64_t position,
                                       enum cs_dialect dialect)
{
    uint64_t factor = dialect == CS_DATA_C4 ? UINT64_C(10000000000000001) : 1;

    return (struct cs_seed){.position = position,
                            .value = (int64_t)((uint64_t)position * factor)};
}

#endif
