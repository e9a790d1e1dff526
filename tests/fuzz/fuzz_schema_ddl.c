/* fuzz_schema_ddl.c - any text as each of the CREATE statements. */
#include "schema/ddl.h"

#include "support/types.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What cs_ddl_table promises of a table. */
static void check_table(const struct cs_table *table)
{
    if (!table->partition_count ||
        cs_table_key_count(table) > table->column_count)
        abort();
    for (unsigned i = 0; i < table->column_count; i++)
        if (cs_table_column(table, table->columns[i].name) != (int)i ||
            !table->columns[i].type)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cs_type *type = NULL;
    const char *keyspace = NULL;
    struct cs_ddl_name name;
    struct cs_arena arena;
    struct cs_table table;
    struct cs_err err;
    char *text = calloc(1, size + 1);

    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    cs_arena_init(&arena);
    if (!cs_ddl_keyspace_name(text, &arena, &keyspace, &err) && !keyspace)
        abort();
    if (!cs_ddl_table_name(text, &arena, &name, &err) && !name.name)
        abort();
    if (!cs_ddl_type(text, &arena, find_test_udt, NULL, &type, &err) &&
        !cs_ddl_is_type(text))
        abort();
    if (!cs_ddl_table(text, &arena, find_test_udt, NULL, &table, &err))
        check_table(&table);
    cs_arena_release(&arena);
    free(text);
    return 0;
}
