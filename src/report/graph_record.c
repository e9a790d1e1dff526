/* graph_record.c - one run as a record of the graph page: the keys of the
 * original, and behind them `types`, `start` and `percentiles`. */
#include "report/columns_internal.h"
#include "report/graph_internal.h"

#include <jansson.h>

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* Thousandths are finer than the eye; errors of the mean have five digits. */
static json_t *number_of(enum column column, double value)
{
    double scale = column == COLUMN_STDERR ? 1e5 : 1e3;

    if (!isfinite(value))
        return json_null();
    if (value == trunc(value) && fabs(value) < 1e15)
        return json_integer((json_int_t)value);
    return json_real(round(value * scale) / scale);
}

static void add_row(struct graph_rows *rows, const struct row *row)
{
    json_t *numbers = json_array();

    json_array_append_new(numbers, json_null());
    for (int i = 0; i < COLUMN_COUNT; i++)
        json_array_append_new(numbers, number_of(i, row->values[i]));
    json_array_append_new(rows->intervals, numbers);
    json_array_append_new(rows->types, graph_text(row->type));
}

void graph_rows_add(struct graph_rows *rows, const struct block_source *source)
{
    const struct cs_results *results = source->results;
    const struct cs_interval *span = cs_results_interval(results);
    const struct cs_interval *run = cs_results_run(results);
    struct row row;
    unsigned seen = 0;

    if (!span->total.operations)
        return;
    for (unsigned k = 0; k < span->kind_count; k++)
        seen += run->kinds[k].seen;
    for (unsigned i = 0; seen > 1 && i < span->kind_count; i++) {
        if (!run->kinds[source->order[i]].seen)
            continue;
        row_fill(&row, results, span, source->order[i], source->level);
        add_row(rows, &row);
    }
    row_fill(&row, results, span, span->kind_count, source->level);
    add_row(rows, &row);
}

/* "Op rate": "2,624 op/s  [WRITE: 2,624 op/s]" with the label in lower case and
 * the value without blanks around it. */
static void add_aggregates(json_t *record, const struct block_source *source)
{
    struct cs_buf value;

    cs_buf_init(&value, 1 << 20);
    for (int line = 0; line < BLOCK_LINES; line++) {
        char key[32] = "";
        const char *label = block_label(line);
        const char *text;

        for (size_t i = 0; label[i] && i < sizeof(key) - 1; i++)
            key[i] = (char)tolower((unsigned char)label[i]);
        cs_buf_clear(&value);
        put_block_value(&value, source, line);
        text = cs_buf_text(&value);
        text += strspn(text, " ");
        json_object_set_new(record, key, graph_text(text));
    }
    cs_buf_release(&value);
}

/* The names of the 19 columns. */
static json_t *metrics(void)
{
    json_t *names = json_array();

    for (size_t i = 0; i < CS_COUNT(column_names); i++)
        json_array_append_new(names, json_string(column_names[i]));
    return names;
}

/* [[percent, ms], ...] */
static json_t *curve(const struct block_source *source,
                     const struct cs_tally *tally)
{
    static const double percents[] = {0,  10, 25,   50,   75,    90,    95,
                                      98, 99, 99.5, 99.9, 99.95, 99.99, 100};
    const struct cs_histogram *shown =
        cs_tally_shown(cs_results_setup(source->results), tally);
    json_t *points = json_array();

    for (size_t i = 0; i < CS_COUNT(percents); i++) {
        int64_t ns = cs_histogram_percentile(shown, percents[i],
                                             rank_rule(source->level));

        json_array_append_new(
            points, json_pack("[f, o]", percents[i],
                              number_of(COLUMN_MEAN, (double)ns / 1e6)));
    }
    return points;
}

static json_t *curves(const struct block_source *source)
{
    const struct cs_run_setup *setup = cs_results_setup(source->results);
    const struct cs_interval *run = cs_results_run(source->results);
    json_t *all = json_object();

    for (unsigned i = 0; i < run->kind_count; i++) {
        unsigned kind = source->order[i];

        if (run->kinds[kind].seen)
            json_object_set_new(all, setup->kind_names[kind],
                                curve(source, &run->kinds[kind]));
    }
    json_object_set_new(all, "total", curve(source, &run->total));
    return all;
}

json_t *graph_text(const char *text)
{
    json_t *value = json_string(text ? text : "");
    char *plain;

    if (value)
        return value;
    plain = strdup(text);
    for (char *p = plain; p && *p; p++)
        if ((unsigned char)*p > 127)
            *p = '?';
    value = json_string(plain);
    free(plain);
    return value;
}

json_t *graph_record(const struct cs_settings *settings, const char *revision,
                     const struct graph_rows *rows,
                     const struct block_source *source)
{
    const struct cs_run_setup *setup = cs_results_setup(source->results);
    json_t *record = json_object();

    add_aggregates(record, source);
    json_object_set_new(record, "metrics", metrics());
    json_object_set_new(record, "test", graph_text(settings->graph.operation));
    json_object_set_new(record, "revision", graph_text(revision));
    json_object_set_new(record, "command", graph_text(settings->command_line));
    json_object_set(record, "intervals", rows->intervals);
    json_object_set(record, "types", rows->types);
    json_object_set_new(record, "start",
                        json_integer(setup->wall_start_ns / 1000000000));
    json_object_set_new(record, "percentiles", curves(source));
    return record;
}
