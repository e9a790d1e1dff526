/* generate_row.c - makes rows of the predefined table: seed, key, five values.
 * For an instruction count that no other load on the machine can disturb, run
 * it twice under valgrind --tool=callgrind with different numbers of rows (the
 * argument) and divide the difference. */
#include "generate/generator.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define COLUMNS 6

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

/* Bytes made, so that nothing can be left out. */
static uint64_t make_rows(struct cs_generator *gen, struct cs_seeds *seeds,
                          struct cs_buf *row)
{
    struct cs_seed seed;
    uint64_t bytes = 0;
    bool first, last;

    while (cs_seeds_next_write(seeds, &seed)) {
        cs_buf_clear(row);
        if (!cs_generator_open_write(gen, &seed, 1, 1))
            continue;
        while (cs_generator_next(gen)) {
            cs_generator_put_values(gen, row);
            cs_generator_put(gen, 0, row);
        }
        bytes += row->size;
        cs_generator_slice(gen, &first, &last);
        cs_seeds_finish(seeds, &seed, first, last);
    }
    return bytes;
}

int main(int argc, char **argv)
{
    struct cs_settings settings = {
        .command.count = -1,
        .population = {.sequence = true,
                       .seq_start = 1,
                       .seq_end = argc > 1 ? atoll(argv[1]) : 1000000},
        .insert = {.visits = cs_dist_fixed(1),
                   .revisit = cs_dist_uniform(1, 1000000)},
    };
    struct cs_generator *gen = NULL;
    struct cs_seeds *seeds = NULL;
    struct cs_buf row;
    struct cs_err err;

    cs_buf_init(&row, 1 << 20);
    if (cs_seeds_new(&settings, &seeds, &err) || new_generator(&gen, &err)) {
        fprintf(stderr, "generate_row: %s\n", err.text);
        return 1;
    }
    printf("%" PRIu64 " bytes\n", make_rows(gen, seeds, &row));
    cs_generator_free(gen);
    cs_seeds_free(seeds);
    cs_buf_release(&row);
    return 0;
}
