/* token_statement.c - the statement of a token range query. */
#include "schema/ident.h"
#include "workload/workload_internal.h"

#include <ctype.h>

/* Longest name that is looked up; the server allows no longer ones. */
#define WORD_MAX 256

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
    const char *near = cs_table_nearest(table, word);

    return cs_fail(err, CS_EINVALID,
                   "columns: '%s' is no column of %s.%s%s%s%s", word,
                   table->keyspace, table->name, near ? ", try '" : "",
                   near ? near : "", near ? "'" : "");
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
