/* table.c - the order of a table's columns. */
#include "schema/table.h"

#include "base/text.h"

#include <stdlib.h>

/* Partition key, clustering, and all others alike. */
static int group(const struct cs_column *column)
{
    switch (column->kind) {
    case CS_COLUMN_PARTITION_KEY:
        return 0;
    case CS_COLUMN_CLUSTERING:
        return 1;
    default:
        return 2;
    }
}

static int compare(const void *a, const void *b)
{
    const struct cs_column *left = a;
    const struct cs_column *right = b;

    if (group(left) != group(right))
        return group(left) - group(right);
    if (group(left) < 2 && left->position != right->position)
        return left->position < right->position ? -1 : 1;
    return strcmp(left->name, right->name);
}

/* Columns of a group from first on; their positions must count from 0. */
static enum cs_code count_group(const struct cs_table *table, int which,
                                unsigned first, unsigned *out,
                                struct cs_err *err)
{
    unsigned count = 0;

    for (unsigned i = first; i < table->column_count; i++) {
        const struct cs_column *column = &table->columns[i];

        if (group(column) != which)
            break;
        if (column->position != count)
            return cs_fail(err, CS_EINVALID,
                           "table '%s': key column '%s' stands at position "
                           "%u, expected %u",
                           table->name, column->name, column->position, count);
        count++;
    }
    *out = count;
    return CS_OK;
}

enum cs_code cs_table_arrange(struct cs_table *table, struct cs_err *err)
{
    enum cs_code rc;

    if (table->column_count)
        qsort(table->columns, table->column_count, sizeof(*table->columns),
              compare);
    rc = count_group(table, 0, 0, &table->partition_count, err);
    if (!rc)
        rc = count_group(table, 1, table->partition_count,
                         &table->clustering_count, err);
    if (!rc && !table->partition_count)
        rc = cs_fail(err, CS_EINVALID, "table '%s' has no partition key",
                     table->name);
    return rc;
}

int cs_table_column(const struct cs_table *table, const char *name)
{
    for (unsigned i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return (int)i;
    return -1;
}

const char *cs_table_nearest(const struct cs_table *table, const char *word)
{
    const char **names = calloc(table->column_count + 1, sizeof(*names));
    const char *near = NULL;

    for (unsigned i = 0; names && i < table->column_count; i++)
        names[i] = table->columns[i].name;
    if (names)
        near = cs_nearest(word, names, table->column_count);
    free(names);
    return near;
}
