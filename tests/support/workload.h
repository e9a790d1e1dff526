/* workload.h - a workload of one table ks.t (id int, c int, "W" text, v int),
 * made by hand: for tests without a database. */
#ifndef CS_TESTS_SUPPORT_WORKLOAD_H
#define CS_TESTS_SUPPORT_WORKLOAD_H

#include "support/vectors.h"
#include "workload/workload_internal.h"

#define FIXTURE_KINDS 3

static const struct cs_type fixture_int = {.kind = CS_TYPE_INT};
static const struct cs_type fixture_text = {.kind = CS_TYPE_TEXT};

struct workload_fixture {
    struct cs_settings settings;
    struct cs_profile profile;
    struct cs_column columns[4];
    struct cs_column_rule rules[1];
    struct cs_table table;
    struct cs_source source;
    struct cs_kind kinds[FIXTURE_KINDS];
    uint16_t binds[FIXTURE_KINDS][8];
    struct cs_workload workload;
};

/* Rows per partition: so many values of c. */
static inline void workload_fixture_init(struct workload_fixture *f,
                                         int64_t rows)
{
    struct cs_settings *s = &f->settings;

    memset(f, 0, sizeof(*f));
    s->command.type = CS_COMMAND_USER;
    s->command.count = -1;
    s->command.cl = CS_CL_LOCAL_ONE;
    s->command.clustering = cs_dist_fixed(1);
    s->command.add = cs_dist_fixed(1);
    s->population.sequence = true;
    s->population.seq_start = 1;
    s->population.seq_end = 1000000;
    s->population.wrap = true;
    s->insert.visits = cs_dist_fixed(1);
    s->insert.revisit = cs_dist_uniform(1, 1000000);
    s->insert.row_population = cs_ratio_whole();
    s->insert.batch_type = CS_BATCH_UNSET;
    s->token_range.split_factor = 1;
    f->profile.path = "p.yaml";
    f->columns[0] = (struct cs_column){
        .name = "id", .type = &fixture_int, .kind = CS_COLUMN_PARTITION_KEY};
    f->columns[1] = (struct cs_column){
        .name = "c", .type = &fixture_int, .kind = CS_COLUMN_CLUSTERING};
    f->columns[2] = (struct cs_column){
        .name = "W", .type = &fixture_text, .kind = CS_COLUMN_REGULAR};
    f->columns[3] = (struct cs_column){
        .name = "v", .type = &fixture_int, .kind = CS_COLUMN_REGULAR};
    f->table = (struct cs_table){.keyspace = "ks",
                                 .name = "t",
                                 .columns = f->columns,
                                 .column_count = 4,
                                 .partition_count = 1,
                                 .clustering_count = 1};
    f->rules[0] = (struct cs_column_rule){
        .name = "c", .has_cluster = true, .cluster = cs_dist_fixed(rows)};
    f->source = (struct cs_source){.table = &f->table,
                                   .rules = f->rules,
                                   .rule_count = 1,
                                   .salt_prefix = "seed for stress",
                                   .profile = &f->profile};
    f->workload = (struct cs_workload){.settings = s,
                                       .sources = &f->source,
                                       .source_count = 1,
                                       .kinds = f->kinds};
}

/* A kind whose markers take these columns, ended by -1. */
static inline struct cs_kind *workload_fixture_add(struct workload_fixture *f,
                                                   enum cs_kind_type type,
                                                   const int *columns)
{
    unsigned index = f->workload.kind_count++;
    struct cs_kind *kind = &f->kinds[index];

    kind->type = type;
    kind->name = "op";
    kind->weight = 1;
    kind->partitions = cs_dist_fixed(1);
    kind->select = cs_ratio_whole();
    kind->bind_columns = f->binds[index];
    for (; columns[kind->bind_count] >= 0; kind->bind_count++)
        f->binds[index][kind->bind_count] = (uint16_t)columns[kind->bind_count];
    return kind;
}

#endif
