/* token_query.c - a token range query: its statement, one page per operation,
 * and what its rows count for. */
#include "base/text.h"
#include "schema/ident.h"
#include "workload/maker_internal.h"
#include "workload/token_range.h"
#include "workload/workload_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

/* Rows per page of a warm-up, at most. */
#define WARMUP_PAGE_ROWS 100
/* Longest name that is looked up; the server allows no longer ones. */
#define WORD_MAX 256

/* ---- the statement ---- */

static void put_token(struct cs_buf *cql, const struct cs_table *table)
{
    cs_buf_puts(cql, "token(");
    for (unsigned i = 0; i < table->partition_count; i++) {
        cs_buf_puts(cql, i ? ", " : "");
        cs_ident_put(cql, table->columns[i].name);
    }
    cs_buf_put8(cql, ')');
}

static void put_all_columns(struct cs_buf *cql, const struct cs_table *table)
{
    for (unsigned i = 0; i < table->column_count; i++) {
        cs_buf_puts(cql, i ? ", " : "");
        cs_ident_put(cql, table->columns[i].name);
    }
}

/* The column that a word of the list names: as the server spells it, or as
 * CQL reads it without quotes. -1: none. */
static int find_column(const struct cs_table *table, const char *word)
{
    int column = cs_table_column(table, word);
    char lower[WORD_MAX];
    size_t size = 0;

    for (; word[size]; size++)
        lower[size] = (char)tolower((unsigned char)word[size]);
    lower[size] = 0;
    return column >= 0 ? column : cs_table_column(table, lower);
}

static enum cs_code unknown_column(const struct cs_table *table,
                                   const char *word, struct cs_err *err)
{
    const char **names = calloc(table->column_count, sizeof(*names));
    const char *near = NULL;

    for (unsigned i = 0; names && i < table->column_count; i++)
        names[i] = table->columns[i].name;
    if (names)
        near = cs_nearest(word, names, table->column_count);
    cs_fail(err, CS_EINVALID, "columns: '%s' is no column of %s.%s%s%s%s", word,
            table->keyspace, table->name, near ? ", try '" : "",
            near ? near : "", near ? "'" : "");
    free(names);
    return CS_EINVALID;
}

/* A plain word must be a column and is quoted where it needs to be; functions,
 * aliases and what is quoted already are the server's to judge. */
static enum cs_code put_item(struct cs_buf *cql, const struct cs_table *table,
                             const char *item, size_t size, struct cs_err *err)
{
    char word[WORD_MAX];
    bool plain = size && size < sizeof(word);
    int column;

    for (size_t i = 0; i < size; i++)
        plain = plain && (isalnum((unsigned char)item[i]) || item[i] == '_');
    if (!plain) {
        cs_buf_put(cql, item, size);
        return CS_OK;
    }
    memcpy(word, item, size);
    word[size] = 0;
    column = find_column(table, word);
    if (column < 0)
        return unknown_column(table, word, err);
    cs_ident_put(cql, table->columns[column].name);
    return CS_OK;
}

/* Length of the item at p: up to a comma outside of parentheses. */
static size_t item_size(const char *p)
{
    size_t size = 0;
    int depth = 0;

    for (; p[size] && (p[size] != ',' || depth > 0); size++)
        depth += (p[size] == '(') - (p[size] == ')');
    return size;
}

static enum cs_code put_columns(struct cs_buf *cql,
                                const struct cs_table *table,
                                const char *columns, struct cs_err *err)
{
    static const char blanks[] = " \t\r\n";
    const char *p = columns;
    enum cs_code rc = CS_OK;

    while (!rc) {
        size_t size = item_size(p);
        size_t from = strspn(p, blanks);
        size_t to = size;

        while (to > from && strchr(blanks, p[to - 1]))
            to--;
        rc = put_item(cql, table, p + CS_MIN(from, to), to - CS_MIN(from, to),
                      err);
        p += size;
        if (!*p++)
            break;
        cs_buf_puts(cql, ", ");
    }
    return rc;
}

static bool is_star(const char *columns)
{
    size_t from = strspn(columns, " \t\r\n");

    return columns[from] == '*' &&
           !columns[from + 1 + strspn(columns + from + 1, " \t\r\n")];
}

static enum cs_code put_statement(struct cs_buf *cql,
                                  const struct cs_table *table,
                                  const char *columns, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    cs_buf_puts(cql, "SELECT ");
    put_token(cql, table);
    cs_buf_puts(cql, ", ");
    if (is_star(columns))
        put_all_columns(cql, table);
    else
        rc = put_columns(cql, table, columns, err);
    cs_buf_puts(cql, " FROM ");
    cs_ident_put_table(cql, table->keyspace, table->name);
    cs_buf_puts(cql, " WHERE ");
    put_token(cql, table);
    cs_buf_puts(cql, " > ? AND ");
    put_token(cql, table);
    cs_buf_puts(cql, " <= ?");
    return rc;
}

/* Sent as text like the original's, so nothing is prepared. */
enum cs_code cs_workload_token_kind(struct cs_workload *w, struct cs_kind *kind,
                                    const struct cs_token_range_spec *spec,
                                    struct cs_err *err)
{
    const struct cs_source *source = &w->sources[kind->source];
    struct cs_buf cql;
    enum cs_code rc;

    kind->type = CS_KIND_TOKEN_RANGE;
    kind->options = cs_workload_options(w->settings, true);
    kind->options.page_size = spec->page_size;
    kind->options.idempotent = true;
    kind->select = cs_ratio_whole();
    kind->partitions = cs_dist_fixed(1);
    cs_buf_init(&cql, (size_t)1 << 24);
    rc = put_statement(&cql, source->table, spec->columns, err);
    if (!rc)
        rc = cs_buf_check(&cql, "statement", err);
    kind->cql = rc ? NULL : cs_arena_text(&w->arena, cs_buf_text(&cql));
    kind->shown_cql = kind->cql;
    cs_buf_release(&cql);
    if (rc)
        return cs_while(err, "%s:%d:%d: token range query '%s'",
                        source->profile->path, spec->place.line,
                        spec->place.column, spec->name);
    return kind->cql ? CS_OK
                     : cs_fail(err, CS_ENOMEM, "workload: out of memory");
}

/* ---- one page ---- */

/* What a slot is in the middle of, by kind; allocated with its first query. */
static struct cs_token_scan *scan_of(struct cs_job *job)
{
    if (!job->scans)
        job->scans =
            calloc(job->maker->workload->kind_count, sizeof(*job->scans));
    return job->scans ? &job->scans[job->kind_index] : NULL;
}

void cs_token_scans_release(struct cs_job *job)
{
    unsigned count = job->scans ? job->maker->workload->kind_count : 0;

    for (unsigned i = 0; i < count; i++)
        cs_buf_release(&job->scans[i].page);
    free(job->scans);
    job->scans = NULL;
}

bool cs_token_scan_over(const struct cs_job *job, unsigned kind_index)
{
    const struct cs_kind *kind = &job->maker->workload->kinds[kind_index];

    if (CS_LIKELY(kind->type != CS_KIND_TOKEN_RANGE))
        return false;
    if (job->scans && job->scans[kind_index].open)
        return false;
    return cs_token_ranges_empty(job->maker->budget->ranges, kind->source);
}

/* The statement with the bounds in place of its two markers. */
static void put_bounds(struct cs_buf *text, const char *cql,
                       const struct cs_token_range *range)
{
    int64_t bound = range->start;

    for (const char *p = cql; *p; p++) {
        if (*p != '?') {
            cs_buf_put8(text, (uint8_t)*p);
            continue;
        }
        cs_buf_printf(text, "%" PRId64, bound);
        bound = range->end;
    }
}

static void put_request(struct cs_job *job, struct cs_token_scan *scan)
{
    struct cs_operation *op = &job->op;

    put_bounds(&op->values, job->kind->cql, &scan->range);
    op->cql = (const char *)op->values.data;
    op->cql_size = op->values.size;
    op->cql_options = job->kind->options;
    if (cs_token_ranges_warm_up(job->maker->budget->ranges))
        op->cql_options.page_size =
            CS_MIN(op->cql_options.page_size, WARMUP_PAGE_ROWS);
    op->page = &scan->page;
    op->row_count = 1;
}

enum cs_make cs_fill_token_range(struct cs_job *job)
{
    struct cs_budget *budget = job->maker->budget;
    struct cs_token_scan *scan = scan_of(job);

    if (!scan) {
        job->op.values.fault = true;
        return CS_MAKE_READY;
    }
    if (!scan->open) {
        if (!cs_token_ranges_take(budget->ranges, job->kind->source,
                                  &scan->range))
            return CS_MAKE_END;
        scan->open = true;
        scan->seen = false;
        cs_buf_clear(&scan->page);
    }
    if (cs_budget_take(budget, 1) < 1)
        return CS_MAKE_END;
    put_request(job, scan);
    return CS_MAKE_READY;
}

/* ---- its answer ---- */

/* Rows come in the order of their tokens: a token other than the one before is
 * a new partition. */
void cs_token_rows(struct cs_operation *op, const struct cs_rows *rows)
{
    struct cs_job *job = CS_CONTAINER(op, struct cs_job, op);
    struct cs_token_scan *scan = &job->scans[job->kind_index];
    struct cs_reader cells = rows->cells;

    for (uint32_t i = 0; i < rows->row_count && !cells.fault; i++) {
        int64_t token = cs_read32(&cells) == 8 ? (int64_t)cs_read64(&cells) : 0;

        job->partitions += !scan->seen || token != scan->token;
        scan->seen = true;
        scan->token = token;
        for (uint32_t j = 1; j < rows->column_count; j++) {
            int32_t size = (int32_t)cs_read32(&cells);

            cs_read_bytes(&cells, (size_t)CS_MAX(size, 0));
        }
    }
}

void cs_token_judge(struct cs_job *job, const struct cs_outcome *outcome)
{
    struct cs_token_scan *scan = &job->scans[job->kind_index];

    job->rows = 0;
    if (outcome->result != CS_RESULT_OK)
        return; /* the page stays the next one to be read */
    job->rows = outcome->rows;
    scan->open = scan->page.size > 0 &&
                 !cs_token_ranges_warm_up(job->maker->budget->ranges);
}

/* The range, in the words of the original; "-" without one. */
void cs_token_put_key(const struct cs_job *job, struct cs_buf *out)
{
    const struct cs_token_scan *scan =
        job->scans ? &job->scans[job->kind_index] : NULL;

    if (scan && scan->open)
        cs_buf_printf(out, "[%" PRId64 ", %" PRId64 "]", scan->range.start,
                      scan->range.end);
    else
        cs_buf_put8(out, '-');
}
