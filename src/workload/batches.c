/* batches.c - what the batches of a profile's inserts are: their rules and how
 * large they can get. */
#include "base/text.h"
#include "workload/workload_internal.h"

/* Rows of one BATCH: its count is a [short] in the native protocol. */
#define LOGGED_ROWS_MAX 65535
/* Bounds at which the original warns. */
#define LARGE_PARTITION_ROWS 100e6
#define LARGE_BATCH_ROWS     100e3

struct extent {
    double min_partitions, max_partitions;
    double min_rows, max_rows;   /* of one partition */
    double min_batch, max_batch; /* rows written at once */
};

/* A server refuses counters in a LOGGED batch. */
static enum cs_batch_type usual_batch_type(const struct cs_table *table)
{
    for (unsigned i = 0; i < table->column_count; i++)
        if (table->columns[i].type->kind == CS_TYPE_COUNTER)
            return CS_BATCH_COUNTER;
    return CS_BATCH_LOGGED;
}

void cs_workload_insert_rules(const struct cs_workload *w, struct cs_kind *kind)
{
    const struct cs_settings_insert *typed = &w->settings->insert;
    const struct cs_insert_spec *spec =
        &w->sources[kind->source].profile->insert;

    kind->partitions = typed->has_partitions  ? typed->partitions
                       : spec->has_partitions ? spec->partitions
                                              : cs_dist_fixed(1);
    kind->select = typed->has_select  ? typed->select
                   : spec->has_select ? spec->select
                                      : cs_ratio_whole();
    kind->batch_type = typed->batch_type != CS_BATCH_UNSET ? typed->batch_type
                       : spec->batch_type != CS_BATCH_UNSET
                           ? spec->batch_type
                           : usual_batch_type(w->sources[kind->source].table);
}

static enum cs_code measure(const struct cs_workload *w, unsigned index,
                            const struct cs_kind *kind, struct extent *out,
                            struct cs_err *err)
{
    const struct cs_dist_spec *visits = &w->settings->insert.visits;
    struct cs_generator_config config =
        cs_source_config(&w->sources[index], w->settings);
    struct cs_generator *gen = NULL;
    enum cs_code rc = cs_generator_new(&config, &gen, err);

    if (rc)
        return rc;
    out->min_rows = cs_generator_min_rows(gen);
    out->max_rows = cs_generator_max_rows(gen);
    cs_generator_free(gen);
    out->min_partitions = (double)cs_dist_min(&kind->partitions);
    out->max_partitions = (double)cs_dist_max(&kind->partitions);
    out->min_batch = cs_ratio_min(&kind->select) * out->min_partitions *
                     out->min_rows / (double)cs_dist_max(visits);
    out->max_batch = cs_ratio_max(&kind->select) * out->max_partitions *
                     out->max_rows / (double)cs_dist_min(visits);
    return CS_OK;
}

static void put_range(struct cs_buf *buf, double from, double to)
{
    cs_buf_put8(buf, '[');
    cs_put_fixed(buf, from, 0, false, 0);
    cs_buf_puts(buf, "..");
    cs_put_fixed(buf, to, 0, false, 0);
    cs_buf_put8(buf, ']');
}

static enum cs_code check(const struct extent *e, const struct cs_kind *kind,
                          struct cs_buf *warnings, struct cs_err *err)
{
    if (e->max_partitions < 1)
        cs_buf_printf(warnings,
                      "an insert of the profile takes %.0f partitions "
                      "at most and writes nothing; 'partitions' should be 1 or "
                      "more\n",
                      e->max_partitions);
    else if (CS_MIN(e->min_partitions, e->max_partitions) < 1)
        cs_buf_puts(warnings,
                    "the 'partitions' of an insert may be 0, and a thread that "
                    "draws so ends, as in the original; let them begin at 1\n");
    if (e->max_rows > LARGE_PARTITION_ROWS)
        cs_buf_printf(warnings,
                      "the profile permits very large partitions "
                      "(%.0f rows at most)\n",
                      e->max_rows);
    if (kind->batch_type == CS_BATCH_LOGGED && e->max_batch > LOGGED_ROWS_MAX)
        return cs_fail(err, CS_EINVALID,
                       "the profile permits batches of %.0f rows, but a "
                       "LOGGED batch holds at most %d; lower 'select' or "
                       "'partitions', or use batchtype UNLOGGED",
                       e->max_batch, LOGGED_ROWS_MAX);
    if (e->max_batch > LARGE_BATCH_ROWS)
        cs_buf_printf(warnings,
                      "the profile permits very large batches (%.0f "
                      "rows at most)\n",
                      e->max_batch);
    return CS_OK;
}

/* Values that the last clustering column gets below one of the column above,
 * at most. */
static double last_run(const struct cs_source *source)
{
    const struct cs_table *table = source->table;
    const char *name = table->columns[cs_table_key_count(table) - 1].name;

    for (size_t i = 0; i < source->rule_count; i++)
        if (source->rules[i].has_cluster &&
            !strcmp(source->rules[i].name, name))
            return (double)cs_dist_max(&source->rules[i].cluster);
    return 1;
}

/* From three clustering columns on the original's walk ends early, mostly with
 * the first run of the last column. Its rows are
 * the contract, so ours are the same. */
static void warn_short_visits(const struct cs_workload *w, unsigned index,
                              const struct extent *e, struct cs_buf *warnings)
{
    const struct cs_source *source = &w->sources[index];
    bool inserts = false;
    double run;

    for (unsigned i = 0; i < w->kind_count; i++)
        inserts = inserts || (w->kinds[i].type == CS_KIND_INSERT &&
                              w->kinds[i].source == index);
    if (!inserts || source->table->clustering_count < 3)
        return;
    run = last_run(source);
    if (run < e->max_rows)
        cs_buf_printf(warnings,
                      "%s.%s has %u clustering columns: an insert mostly "
                      "writes %.0f of the up to %.0f rows of a partition, as "
                      "the original does\n",
                      source->table->keyspace, source->table->name,
                      source->table->clustering_count, run, e->max_rows);
}

enum cs_code cs_workload_describe_batches(const struct cs_workload *workload,
                                          unsigned source, struct cs_buf *buf,
                                          struct cs_buf *warnings,
                                          struct cs_err *err)
{
    struct cs_kind kind = {.source = source};
    struct extent e;
    enum cs_code rc;

    cs_workload_insert_rules(workload, &kind);
    rc = measure(workload, source, &kind, &e, err);
    if (rc)
        return rc;
    cs_buf_puts(buf, "Generating batches with ");
    put_range(buf, e.min_partitions, e.max_partitions);
    cs_buf_puts(buf, " partitions and ");
    put_range(buf, e.min_batch, e.max_batch);
    cs_buf_puts(buf, " rows (of ");
    put_range(buf, e.min_partitions * e.min_rows,
              e.max_partitions * e.max_rows);
    cs_buf_puts(buf, " total rows in the partitions)");
    warn_short_visits(workload, source, &e, warnings);
    return check(&e, &kind, warnings, err);
}
