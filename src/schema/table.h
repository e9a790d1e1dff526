/* table.h - what a table looks like: from the server or from DDL text. */
#ifndef CS_SCHEMA_TABLE_H
#define CS_SCHEMA_TABLE_H

#include "types/type.h"

enum cs_column_kind {
    CS_COLUMN_PARTITION_KEY,
    CS_COLUMN_CLUSTERING,
    CS_COLUMN_REGULAR,
    CS_COLUMN_STATIC,
};

struct cs_column {
    const char *name; /* as the server spells it, unquoted */
    const struct cs_type *type;
    enum cs_column_kind kind;
    unsigned position; /* within the partition key or the clustering */
    bool descending;   /* clustering order */
};

/* Columns stand in the order in which inserts bind them: partition key in key
 * order, clustering in order, then all others (regular and static) sorted by
 * name, bytewise. */
struct cs_table {
    const char *keyspace; /* unquoted */
    const char *name;     /* unquoted */
    struct cs_column *columns;
    unsigned column_count;
    unsigned partition_count;  /* leading columns: partition key */
    unsigned clustering_count; /* the columns behind them: clustering */
};

/* Sorts the columns as above and fills the counts. An error when there is no
 * partition key or positions have gaps. */
enum cs_code cs_table_arrange(struct cs_table *table,
                              struct cs_err *err) CS_MUST_USE;

/* Index of the column of exactly this name, or -1. */
int cs_table_column(const struct cs_table *table, const char *name);

/* The column's name nearest to the word, or NULL when none is near. Borrowed
 * from the table. */
const char *cs_table_nearest(const struct cs_table *table, const char *word);

static inline unsigned cs_table_key_count(const struct cs_table *table)
{
    return table->partition_count + table->clustering_count;
}

#endif
