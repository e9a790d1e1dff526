/* default_row.c - seed, key, five values: the way of one insert through the
 * generator's room. */
#include "default_row.h"

#include "generate/generator.h"

#include <stdlib.h>

#define COLUMNS 6

struct default_row {
    struct cs_generator *gen;
    struct cs_seeds *seeds;
};

static const struct cs_type blob = {.kind = CS_TYPE_BLOB};

static struct cs_column columns[COLUMNS] = {
    {.name = "key", .type = &blob, .kind = CS_COLUMN_PARTITION_KEY},
    {.name = "C0", .type = &blob, .kind = CS_COLUMN_REGULAR},
    {.name = "C1", .type = &blob, .kind = CS_COLUMN_REGULAR},
    {.name = "C2", .type = &blob, .kind = CS_COLUMN_REGULAR},
    {.name = "C3", .type = &blob, .kind = CS_COLUMN_REGULAR},
    {.name = "C4", .type = &blob, .kind = CS_COLUMN_REGULAR},
};

static const struct cs_table table = {
    .keyspace = "keyspace1",
    .name = "standard1",
    .columns = columns,
    .column_count = COLUMNS,
    .partition_count = 1,
};

static enum cs_code new_generator(struct cs_generator **gen, struct cs_err *err)
{
    struct cs_column_rule rules[COLUMNS];
    const struct cs_generator_config config = {
        .table = &table,
        .rules = rules,
        .rule_count = COLUMNS,
        .salt_prefix = "randomstr",
        .hex_key = true,
        .dialect = CS_DATA_C4,
    };

    for (unsigned i = 0; i < COLUMNS; i++)
        rules[i] = (struct cs_column_rule){
            .name = columns[i].name,
            .has_size = true,
            .size = cs_dist_fixed(i ? 34 : 10),
        };
    return cs_generator_new(&config, gen, err);
}

enum cs_code default_row_new(int64_t partition_count, struct default_row **out,
                             struct cs_err *err)
{
    struct cs_settings settings = {
        .command.count = -1,
        .population = {.sequence = true,
                       .seq_start = 1,
                       .seq_end =
                           partition_count ? partition_count : INT64_MAX - 1},
        .insert = {.visits = cs_dist_fixed(1),
                   .revisit = cs_dist_uniform(1, 1000000)},
    };
    struct default_row *rows = calloc(1, sizeof(*rows));
    enum cs_code rc;

    if (!rows)
        return cs_fail(err, CS_ENOMEM, "out of memory");
    rc = cs_seeds_new(&settings, &rows->seeds, err);
    if (!rc)
        rc = new_generator(&rows->gen, err);
    if (rc) {
        default_row_free(rows);
        return rc;
    }
    *out = rows;
    return CS_OK;
}

void default_row_free(struct default_row *rows)
{
    if (!rows)
        return;
    cs_generator_free(rows->gen);
    cs_seeds_free(rows->seeds);
    free(rows);
}

bool default_row_put(struct default_row *rows, struct cs_buf *out)
{
    struct cs_seed seed;
    bool first, last;

    if (!cs_seeds_next_write(rows->seeds, &seed))
        return false;
    if (cs_generator_open_write(rows->gen, &seed, 1, 1) &&
        cs_generator_next(rows->gen)) {
        cs_generator_put_values(rows->gen, out);
        cs_generator_put(rows->gen, 0, out);
    }
    cs_generator_slice(rows->gen, &first, &last);
    cs_seeds_finish(rows->seeds, &seed, first, last);
    return true;
}
