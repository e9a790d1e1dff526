/* generator.c - a table's generator: the key, the rows of a partition and
 * their values. */
#include "generate/generator.h"

#include "generate/partition_internal.h"

#include <stdlib.h>

/* Bytes of a partition key. */
#define KEY_MOST (UINT32_C(1) << 30)

struct cs_generator {
    struct cs_arena arena;
    unsigned key_count;        /* columns of the partition key */
    unsigned value_first;      /* index of the first value column */
    unsigned column_count;     /* of the table */
    struct cs_gen_node *nodes; /* one per column */
    struct cs_partition rows;  /* when the table has clustering columns */
    /* the open partition */
    struct cs_seed seed;
    bool bytes_key; /* the key is one column of text or a blob */
    bool number_key;
    bool has_key; /* the key's cells are those of seed, and whole */
    struct cs_buf key;
    uint32_t *key_places; /* of each cell, and where the last one ends */
    int64_t partition_seed;
    int64_t row_seed;
    double population;
    unsigned filled; /* value columns, from the first, that are not null */
    unsigned nulls;  /* those behind them */
    struct cs_gen_node *values;
    bool fresh; /* the first row has not been taken */
    bool has_row;
};

/* ---- start ---- */

static enum cs_code init_nodes(struct cs_generator *gen,
                               const struct cs_generator_config *config,
                               struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (unsigned i = 0; !rc && i < gen->column_count; i++) {
        const struct cs_column *column = &config->table->columns[i];

        if (config->hex_key && i < gen->key_count)
            rc = cs_gen_node_init_hex(&gen->nodes[i], config, column->name,
                                      column->type, err);
        else
            rc = cs_gen_node_init(&gen->nodes[i], config, &gen->arena,
                                  column->name, column->type, err);
    }
    if (rc)
        return cs_while(err, "table '%s.%s'", config->table->keyspace,
                        config->table->name);
    cs_gen_find_runs(gen->nodes, gen->column_count);
    return CS_OK;
}

/* Column i of m, from 1, is null when i / m is above the ratio. */
static void fill_columns(struct cs_generator *gen, double population)
{
    unsigned values = gen->column_count - gen->value_first;

    gen->population = population;
    gen->filled = 0;
    gen->values = gen->nodes + gen->value_first;
    while (gen->filled < values &&
           (gen->filled + 1) / (double)values <= population)
        gen->filled++;
    gen->nulls = values - gen->filled;
}

CS_INLINE void set_population(struct cs_generator *gen, double population)
{
    if (CS_UNLIKELY(population != gen->population))
        fill_columns(gen, population);
}

static enum cs_code init(struct cs_generator *gen,
                         const struct cs_generator_config *config,
                         struct cs_err *err)
{
    const struct cs_table *table = config->table;
    enum cs_code rc;

    gen->key_count = table->partition_count;
    gen->value_first = cs_table_key_count(table);
    gen->nodes =
        cs_arena_array(&gen->arena, table->column_count, sizeof(*gen->nodes));
    gen->key_places = cs_arena_array(&gen->arena, gen->key_count + 1U,
                                     sizeof(*gen->key_places));
    if (!gen->nodes || !gen->key_places)
        return cs_fail(err, CS_ENOMEM, "table '%s': out of memory",
                       table->name);
    gen->bytes_key =
        gen->key_count == 1 && (table->columns[0].type->kind == CS_TYPE_BLOB ||
                                table->columns[0].type->kind == CS_TYPE_TEXT);
    gen->number_key = config->number_key;
    gen->column_count = table->column_count;
    fill_columns(gen, 1);
    rc = init_nodes(gen, config, err);
    if (rc || !table->clustering_count)
        return rc;
    return cs_partition_init(&gen->rows, config, &gen->arena,
                             gen->nodes + gen->key_count, err);
}

enum cs_code cs_generator_new(const struct cs_generator_config *config,
                              struct cs_generator **out, struct cs_err *err)
{
    struct cs_generator *gen = calloc(1, sizeof(*gen));
    enum cs_code rc;

    if (!gen)
        return cs_fail(err, CS_ENOMEM, "generator: out of memory");
    cs_arena_init(&gen->arena);
    cs_buf_init(&gen->key, KEY_MOST);
    rc = init(gen, config, err);
    if (rc) {
        cs_generator_free(gen);
        return rc;
    }
    *out = gen;
    return CS_OK;
}

void cs_generator_free(struct cs_generator *gen)
{
    if (!gen)
        return;
    for (unsigned i = 0; i < gen->column_count; i++)
        cs_gen_node_release(&gen->nodes[i]);
    cs_partition_release(&gen->rows);
    cs_buf_release(&gen->key);
    cs_arena_release(&gen->arena);
    free(gen);
}

double cs_generator_max_rows(const struct cs_generator *gen)
{
    return gen->rows.count ? gen->rows.max_rows : 1;
}

double cs_generator_min_rows(const struct cs_generator *gen)
{
    return gen->rows.count ? gen->rows.min_rows : 1;
}

int64_t cs_generator_average(const struct cs_generator *gen, unsigned level)
{
    return gen->rows.levels[level].average;
}

int64_t cs_generator_below(const struct cs_generator *gen, unsigned level)
{
    return gen->rows.levels[level].below;
}

/* ---- the partition ---- */

/* Every key column starts from the population's seed; their values together
 * make the partition's. */
static CS_NOINLINE void make_keys(struct cs_generator *gen)
{
    struct cs_buf *key = &gen->key;
    int64_t mixed = 0;

    for (unsigned i = 0; i < gen->key_count && !key->fault; i++) {
        struct cs_gen_node *node = &gen->nodes[i];
        size_t place = key->size;

        node->first(node, gen->seed.value, key);
        gen->key_places[i + 1] = (uint32_t)key->size;
        if (CS_LIKELY(!key->fault))
            mixed = cs_gen_mix(node->type, key->data + place + 4,
                               key->size - place - 4, mixed);
    }
    gen->partition_seed = mixed;
}

/* The usual key: one column of text or a blob. */
CS_INLINE void make_bytes_key(struct cs_generator *gen)
{
    struct cs_gen_node *node = gen->nodes;
    struct cs_buf *key = &gen->key;

    if (CS_LIKELY(node->key != NULL)) {
        gen->partition_seed = node->key(node, gen->seed.value, key);
    } else {
        node->first(node, gen->seed.value, key);
        if (CS_LIKELY(!key->fault))
            gen->partition_seed =
                cs_gen_mix_bytes(key->data + 4, key->size - 4, 0);
    }
    gen->key_places[1] = (uint32_t)key->size;
}

/* Positions have 64 bits; the command line keeps these within 32. */
static CS_NOINLINE void make_number_key(struct cs_generator *gen)
{
    struct cs_buf *key = &gen->key;

    cs_buf_put32(key, 4);
    cs_buf_put32(key, (uint32_t)gen->seed.position);
    gen->key_places[1] = (uint32_t)key->size;
    if (!key->fault)
        gen->partition_seed =
            cs_gen_mix(gen->nodes[0].type, key->data + 4, 4, 0);
}

static void make_key(struct cs_generator *gen)
{
    cs_buf_clear(&gen->key);
    if (CS_LIKELY(gen->bytes_key))
        make_bytes_key(gen);
    else if (gen->number_key)
        make_number_key(gen);
    else
        make_keys(gen);
    gen->has_key = !gen->key.fault;
}

CS_INLINE void open_seed(struct cs_generator *gen, const struct cs_seed *seed)
{
    gen->seed = *seed;
    make_key(gen);
    gen->row_seed = gen->partition_seed;
}

CS_INLINE bool opened(struct cs_generator *gen, bool found)
{
    gen->fresh = found;
    gen->has_row = found;
    return found;
}

void cs_generator_open_key(struct cs_generator *gen, const struct cs_seed *seed)
{
    open_seed(gen, seed);
    opened(gen, false);
}

bool cs_generator_open_write(struct cs_generator *gen,
                             const struct cs_seed *seed, double select,
                             double population)
{
    set_population(gen, population);
    open_seed(gen, seed);
    if (!gen->rows.count)
        return opened(gen, true);
    return opened(gen, cs_partition_open_write(&gen->rows, gen->partition_seed,
                                               seed, select));
}

bool cs_generator_open_read(struct cs_generator *gen,
                            const struct cs_seed *seed, double target, bool all,
                            double population)
{
    set_population(gen, population);
    open_seed(gen, seed);
    if (!gen->rows.count)
        return opened(gen, true);
    return opened(gen, cs_partition_open_read(&gen->rows, gen->partition_seed,
                                              seed->written, target, all));
}

static bool next_row(struct cs_generator *gen)
{
    if (!gen->fresh)
        gen->has_row = gen->has_row && cs_partition_step(&gen->rows);
    gen->fresh = false;
    if (gen->has_row)
        gen->row_seed = cs_partition_row_seed(&gen->rows);
    return gen->has_row;
}

bool cs_generator_next(struct cs_generator *gen)
{
    bool found = gen->fresh;

    if (gen->rows.count)
        return next_row(gen);
    gen->fresh = false;
    return found;
}

void cs_generator_skip(struct cs_generator *gen)
{
    gen->fresh = false;
    while (gen->rows.count && next_row(gen))
        ;
}

void cs_generator_slice(const struct cs_generator *gen, bool *first, bool *last)
{
    if (!gen->rows.count) {
        *first = true;
        *last = true;
        return;
    }
    *first = gen->rows.first_slice;
    *last = gen->rows.one_visit || cs_partition_finished(&gen->rows);
}

/* ---- values ---- */

static void put_null(struct cs_buf *out)
{
    cs_buf_put32(out, UINT32_MAX);
}

/* A small cell is copied as one block of constant size: half the instructions
 * of a call of memcpy. What comes behind the cell is garbage. */
#define BLOCK 32

CS_INLINE bool copy_block(const struct cs_buf *from, uint32_t at, uint32_t size,
                          struct cs_buf *out)
{
    if (CS_UNLIKELY(size > BLOCK || from->cap - at < BLOCK ||
                    out->cap - out->size < BLOCK || out->fault))
        return false;
    memcpy(out->data + out->size, from->data + at, BLOCK);
    out->size += size;
    return true;
}

static CS_NOINLINE void put_key_slowly(struct cs_generator *gen,
                                       unsigned column, struct cs_buf *out)
{
    const uint32_t *places = gen->key_places + column;

    if (!gen->has_key)
        make_key(gen);
    if (!gen->has_key)
        out->fault = true;
    else
        cs_buf_put(out, gen->key.data + places[0], places[1] - places[0]);
}

CS_INLINE void put_key(struct cs_generator *gen, unsigned column,
                       struct cs_buf *out)
{
    const uint32_t *places = gen->key_places + column;

    if (CS_UNLIKELY(!gen->has_key || !copy_block(&gen->key, places[0],
                                                 places[1] - places[0], out)))
        put_key_slowly(gen, column, out);
}

static void put_clustering(const struct cs_generator *gen, unsigned level,
                           struct cs_buf *out)
{
    const struct cs_buf *cell = &gen->rows.levels[level].row;

    if (gen->rows.levels[level].cells.fault || cell->fault)
        out->fault = true;
    else if (cell->size)
        cs_buf_put(out, cell->data, cell->size);
    else
        put_null(out);
}

static CS_NOINLINE void put_other(struct cs_generator *gen, unsigned column,
                                  struct cs_buf *out)
{
    if (column < gen->value_first)
        put_clustering(gen, column - gen->key_count, out);
    else
        put_null(out);
}

void cs_generator_put(struct cs_generator *gen, unsigned column,
                      struct cs_buf *out)
{
    if (column < gen->key_count) {
        put_key(gen, column, out);
    } else if (CS_LIKELY(column - gen->value_first < gen->filled)) {
        struct cs_gen_node *node = &gen->nodes[column];

        node->first(node, gen->row_seed, out);
    } else {
        put_other(gen, column, out);
    }
}

void cs_generator_put_values(struct cs_generator *gen, struct cs_buf *out)
{
    struct cs_gen_node *node = gen->values;
    unsigned left = gen->filled;

    while (left) {
        unsigned count = CS_MIN(node->run_count, left);

        if (CS_LIKELY(node->run != NULL))
            node->run(node, count, gen->row_seed, out);
        else
            node->first(node, gen->row_seed, out);
        node += count;
        left -= count;
    }
    for (left = gen->nulls; left; left--)
        put_null(out);
}

void cs_generator_mark(const struct cs_generator *gen, struct cs_row_mark *out)
{
    *out = (struct cs_row_mark){.seed = gen->seed,
                                .row_seed = gen->row_seed,
                                .population = gen->population};
}

void cs_generator_recall(struct cs_generator *gen,
                         const struct cs_row_mark *mark)
{
    gen->has_key &= gen->seed.value == mark->seed.value;
    gen->seed = mark->seed;
    gen->row_seed = mark->row_seed;
    set_population(gen, mark->population);
    gen->has_row = false;
}
