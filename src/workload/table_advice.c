/* table_advice.c - what a user should know of the table of a profile before
 * its rows come. */
#include "base/text.h"
#include "workload/workload_internal.h"

#include <math.h>

/* Values of a column whose profile says nothing (generation of the original).
 */
#define USUAL_VALUES 100e9

/* Different values that a key column can have. */
static double values_of(const struct cs_source *source,
                        const struct cs_column *column)
{
    double most = column->type->kind == CS_TYPE_BOOLEAN    ? 2
                  : column->type->kind == CS_TYPE_TINYINT  ? 256
                  : column->type->kind == CS_TYPE_SMALLINT ? 65536
                                                           : (double)INFINITY;
    double values = USUAL_VALUES;

    for (size_t i = 0; i < source->rule_count; i++) {
        const struct cs_column_rule *rule = &source->rules[i];

        if (!strcmp(rule->name, column->name) && rule->has_population)
            values = (double)cs_dist_most(&rule->population) -
                     (double)cs_dist_least(&rule->population) + 1;
    }
    return CS_MIN(values, most);
}

static double positions_of(const struct cs_settings_population *p)
{
    if (p->sequence)
        return (double)p->seq_end - (double)p->seq_start + 1;
    return (double)cs_dist_most(&p->dist) - (double)cs_dist_least(&p->dist) + 1;
}

/* Different positions of the population with the same key are one partition. */
static void advise_keys(const struct cs_workload *w,
                        const struct cs_source *source, struct cs_buf *out)
{
    const struct cs_table *table = source->table;
    double positions = positions_of(&w->settings->population);
    double keys = 1;

    for (unsigned i = 0; i < table->partition_count; i++)
        keys *= values_of(source, &table->columns[i]);
    if (keys >= positions)
        return;
    cs_buf_printf(out, "%s.%s: the partition key has at most ", table->keyspace,
                  table->name);
    cs_put_fixed(out, keys, 0, true, 0);
    cs_buf_puts(out, " values for ");
    cs_put_fixed(out, positions, 0, true, 0);
    cs_buf_puts(out, " positions of the population (-pop): several of them "
                     "are one partition\n");
}

static bool accumulates(const struct cs_type *type)
{
    return type->kind == CS_TYPE_COUNTER ||
           (type->kind == CS_TYPE_LIST && !type->frozen);
}

static bool inserts_into(const struct cs_workload *w, unsigned source)
{
    for (unsigned i = 0; i < w->kind_count; i++)
        if (w->kinds[i].type == CS_KIND_INSERT && w->kinds[i].source == source)
            return true;
    return false;
}

/* The warm-up inserts the first positions, and the run inserts them again. */
static void advise_warm_up(const struct cs_workload *w, unsigned at,
                           struct cs_buf *out)
{
    const struct cs_settings_command *command = &w->settings->command;
    const struct cs_table *table = w->sources[at].table;

    if (command->no_warmup || (command->count >= 0 && command->count < 4) ||
        !inserts_into(w, at))
        return;
    for (unsigned i = cs_table_key_count(table); i < table->column_count; i++) {
        if (!accumulates(table->columns[i].type))
            continue;
        cs_buf_printf(out,
                      "%s.%s: the warm-up inserts the first partitions and the "
                      "run inserts them again, which adds to the %s '%s' twice "
                      "(no-warmup leaves it out)\n",
                      table->keyspace, table->name,
                      table->columns[i].type->kind == CS_TYPE_COUNTER
                          ? "counter"
                          : "list",
                      table->columns[i].name);
        return;
    }
}

void cs_workload_advise_tables(const struct cs_workload *w, struct cs_buf *out)
{
    for (unsigned i = 0; out && i < w->source_count; i++) {
        advise_keys(w, &w->sources[i], out);
        advise_warm_up(w, i, out);
    }
}
