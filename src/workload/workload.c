/* workload.c - the kinds of operations of a command, prepared and sorted. */
#include "workload/workload_internal.h"

#include <stdlib.h>

/* Rows per page of every statement, as the original asks for. */
#define PAGE_ROWS 5000

void cs_workload_free(struct cs_workload *workload)
{
    if (!workload)
        return;
    cs_old_work_free(workload->old);
    cs_arena_release(&workload->arena);
    free(workload);
}

struct cs_generator_config cs_source_config(const struct cs_source *source,
                                            const struct cs_settings *settings)
{
    return (struct cs_generator_config){
        .table = source->table,
        .rules = source->rules,
        .rule_count = source->rule_count,
        .salt_prefix = source->salt_prefix,
        .hex_key = source->hex_key,
        .number_key = source->number_key,
        .dialect = settings->compat.data,
        .order = settings->population.order,
    };
}

struct cs_statement_options cs_workload_options(const struct cs_settings *s,
                                                bool is_read)
{
    struct cs_statement_options options = {
        .cl = s->command.cl,
        .serial_cl = s->command.serial_cl,
        .has_serial_cl = s->command.serial_cl_set,
        .page_size = PAGE_ROWS,
        .is_read = is_read,
    };

    return options;
}

/* A column of a keyless list of names, as the predefined tables have them. */
static struct cs_table *new_table(struct cs_workload *w, const char *name,
                                  enum cs_type_kind value)
{
    const struct cs_settings *s = w->settings;
    unsigned count = (unsigned)s->columns.count + 1;
    struct cs_table *table = cs_arena_alloc(&w->arena, sizeof(*table));
    struct cs_type *types = cs_arena_array(&w->arena, 2, sizeof(*types));

    if (!table || !types)
        return NULL;
    table->columns = cs_arena_array(&w->arena, count, sizeof(*table->columns));
    if (!table->columns)
        return NULL;
    types[0].kind = CS_TYPE_BLOB;
    types[1].kind = value;
    table->keyspace = s->schema.keyspace;
    table->name = name;
    table->column_count = count;
    table->partition_count = 1;
    if (!strcmp(name, CS_KV_TABLE)) {
        types[0].kind = CS_TYPE_INT;
        types[1].kind = CS_TYPE_TEXT;
    }
    table->columns[0] = (struct cs_column){.name = "key", .type = &types[0]};
    for (unsigned i = 1; i < count; i++)
        table->columns[i] = (struct cs_column){.name = s->columns.names[i - 1],
                                               .type = &types[1],
                                               .kind = CS_COLUMN_REGULAR};
    return table;
}

/* Key: hex text of a fixed size; columns: -col size=. */
static enum cs_code predefined_rules(struct cs_workload *w,
                                     struct cs_source *source,
                                     struct cs_err *err)
{
    const struct cs_table *table = source->table;

    source->rule_count = table->column_count;
    source->rules =
        cs_arena_array(&w->arena, source->rule_count, sizeof(*source->rules));
    if (!source->rules)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    for (size_t i = 0; i < source->rule_count; i++)
        source->rules[i] = (struct cs_column_rule){
            .name = table->columns[i].name,
            .has_size = true,
            .size = i ? w->settings->columns.size
                      : cs_dist_fixed(w->settings->command.key_size)};
    return CS_OK;
}

enum cs_code cs_workload_predefined_source(struct cs_workload *w, bool counters,
                                           struct cs_source *source,
                                           struct cs_err *err)
{
    source->table =
        counters ? new_table(w, CS_COUNTER_TABLE, CS_TYPE_COUNTER)
                 : new_table(w, cs_predefined_table(w->settings), CS_TYPE_BLOB);
    if (!source->table)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    source->salt_prefix = "randomstr";
    source->number_key =
        !counters && w->settings->schema.table == CS_PREDEFINED_KV;
    source->hex_key = !source->number_key;
    return predefined_rules(w, source, err);
}

enum { STANDARD, COUNTER };

static const struct predefined {
    const char *name;
    enum cs_command command;
    enum cs_kind_type type;
    unsigned source;
    bool writes;
    void (*put_cql)(struct cs_buf *buf, const struct cs_settings *s);
    void (*put_sql)(struct cs_buf *buf, const struct cs_settings *s);
} predefined[] = {
    {"READ", CS_COMMAND_READ, CS_KIND_READ, STANDARD, false, cs_cql_put_read,
     cs_sql_put_read},
    {"WRITE", CS_COMMAND_WRITE, CS_KIND_WRITE, STANDARD, true, cs_cql_put_write,
     cs_sql_put_write},
    {"COUNTER_WRITE", CS_COMMAND_COUNTER_WRITE, CS_KIND_COUNTER_WRITE, COUNTER,
     true, cs_cql_put_counter_write, cs_sql_put_counter_write},
    {"COUNTER_READ", CS_COMMAND_COUNTER_READ, CS_KIND_COUNTER_READ, COUNTER,
     false, cs_cql_put_counter_read, cs_sql_put_counter_read},
};

/* Markers: the value columns in order for writes, the key last. */
static enum cs_code predefined_binds(struct cs_workload *w,
                                     struct cs_kind *kind, struct cs_err *err)
{
    const struct cs_table *table = w->sources[kind->source].table;
    const struct cs_type **types;

    kind->bind_count = kind->writes ? table->column_count : 1;
    kind->bind_columns = cs_arena_array(&w->arena, kind->bind_count,
                                        sizeof(*kind->bind_columns));
    types = cs_arena_array(&w->arena, kind->bind_count, sizeof(*types));
    if (!kind->bind_columns || !types)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    for (unsigned i = 0; i + 1 < kind->bind_count; i++)
        kind->bind_columns[i] = (uint16_t)(i + 1);
    for (unsigned i = 0; i < kind->bind_count; i++)
        types[i] = table->columns[kind->bind_columns[i]].type;
    kind->options.marker_types = types;
    kind->key_start = kind->bind_count - 1;
    kind->key_binds[0] = (uint16_t)(kind->bind_count - 1);
    kind->key_bind_count = 1;
    return CS_OK;
}

static enum cs_code predefined_kind(struct cs_workload *w,
                                    struct cs_driver *driver,
                                    const struct predefined *from,
                                    double weight, struct cs_kind *kind,
                                    struct cs_err *err)
{
    const struct cs_settings *s = w->settings;
    struct cs_buf cql;
    enum cs_code rc;

    kind->name = from->name;
    kind->type = from->type;
    kind->weight = weight;
    kind->source = from->source;
    kind->writes = from->writes;
    kind->select = cs_ratio_whole();
    kind->partitions = cs_dist_fixed(1);
    kind->options = cs_workload_options(s, !from->writes);
    /* mixed: reads are serial, and of the writes the command line has warned.
     */
    if (from->writes && (kind->options.cl == CS_CL_SERIAL ||
                         kind->options.cl == CS_CL_LOCAL_SERIAL))
        kind->options.cl = CS_CL_LOCAL_ONE;
    kind->options.idempotent = from->type != CS_KIND_COUNTER_WRITE;
    cs_buf_init(&cql, (size_t)1 << 24);
    if (w->db->language == CS_LANGUAGE_SQL)
        from->put_sql(&cql, s);
    else
        from->put_cql(&cql, s);
    kind->cql = cs_arena_text(&w->arena, cs_buf_text(&cql));
    cs_buf_release(&cql);
    if (!kind->cql)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    rc = predefined_binds(w, kind, err);
    if (!rc && s->mode.prepared)
        rc = w->db->prepare(driver, s->schema.keyspace, kind->cql,
                            &kind->options, &kind->statement, err);
    else if (!rc && !from->writes)
        rc = w->db->follow_keyspace(driver, s->schema.keyspace, err);
    return rc;
}

/* The table as the server has it must hold the columns that are asked for:
 * better one line now than an error per operation. */
static enum cs_code check_table(struct cs_workload *w, struct cs_driver *driver,
                                const struct predefined *from,
                                struct cs_err *err)
{
    const struct cs_settings *s = w->settings;
    const struct cs_table *want = w->sources[from->source].table;
    struct cs_table *have = NULL;
    enum cs_code rc = w->db->table(driver, s->schema.keyspace, want->name,
                                   &w->arena, &have, err);

    if (rc == CS_EINVALID)
        return cs_fail(err, CS_EINVALID,
                       "table %s.%s does not exist; 'cstress %s' creates and "
                       "fills it",
                       s->schema.keyspace, want->name,
                       from->source == COUNTER ? "counter_write" : "write");
    for (unsigned i = 1; !rc && i < want->column_count; i++)
        if (cs_table_column(have, want->columns[i].name) < 0)
            rc = cs_fail(err, CS_EINVALID,
                         "table %s.%s has no column '%s': it was made with "
                         "other -col settings",
                         s->schema.keyspace, want->name, want->columns[i].name);
    return rc;
}

static const struct predefined *predefined_named(const char *name)
{
    for (size_t i = 0; i < CS_COUNT(predefined); i++)
        if (!strcmp(predefined[i].name, name))
            return &predefined[i];
    return NULL;
}

static enum cs_code add_predefined(struct cs_workload *w,
                                   struct cs_driver *driver, const char *name,
                                   double weight, struct cs_err *err)
{
    const struct predefined *from = predefined_named(name);
    enum cs_code rc;

    if (!from)
        return cs_fail(err, CS_EUSAGE, "mixed: unknown kind '%s'", name);
    rc = check_table(w, driver, from, err);
    if (!rc)
        rc = predefined_kind(w, driver, from, weight, &w->kinds[w->kind_count],
                             err);
    if (!rc)
        w->kind_count++;
    return rc;
}

static const char *command_kind(enum cs_command command)
{
    for (size_t i = 0; i < CS_COUNT(predefined); i++)
        if (predefined[i].command == command)
            return predefined[i].name;
    return "";
}

static enum cs_code new_predefined(struct cs_workload *w,
                                   struct cs_driver *driver, struct cs_err *err)
{
    const struct cs_settings_command *command = &w->settings->command;
    enum cs_code rc;

    w->source_count = 2;
    rc = cs_workload_predefined_source(w, false, &w->sources[STANDARD], err);
    if (!rc)
        rc = cs_workload_predefined_source(w, true, &w->sources[COUNTER], err);
    if (!rc && command->type != CS_COMMAND_MIXED)
        return add_predefined(w, driver, command_kind(command->type), 1, err);
    for (size_t i = 0; i < command->op_count && !rc; i++)
        rc = add_predefined(w, driver, command->ops[i].name,
                            command->ops[i].weight, err);
    return rc;
}

static int by_name(const void *a, const void *b)
{
    const struct cs_kind *x = a;
    const struct cs_kind *y = b;

    return strcmp(x->name, y->name);
}

/* Reports list the kinds by name; warm-up and messages as they were typed. */
static enum cs_code sort_kinds(struct cs_workload *w, struct cs_err *err)
{
    const char **typed =
        cs_arena_array(&w->arena, w->kind_count, sizeof(*typed));

    w->typed_order =
        cs_arena_array(&w->arena, w->kind_count, sizeof(*w->typed_order));
    w->kind_names =
        cs_arena_array(&w->arena, w->kind_count, sizeof(*w->kind_names));
    if (!typed || !w->typed_order || !w->kind_names)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    for (unsigned i = 0; i < w->kind_count; i++)
        typed[i] = w->kinds[i].name;
    qsort(w->kinds, w->kind_count, sizeof(*w->kinds), by_name);
    for (unsigned i = 0; i < w->kind_count; i++)
        w->kind_names[i] = w->kinds[i].name;
    for (unsigned i = 0; i < w->kind_count; i++)
        for (unsigned j = 0; j < w->kind_count; j++)
            if (!strcmp(typed[i], w->kinds[j].name))
                w->typed_order[i] = j;
    return CS_OK;
}

enum cs_code cs_workload_new(const struct cs_settings *settings,
                             const struct cs_driver_ops *db,
                             struct cs_driver *driver,
                             struct cs_profile *const *profiles,
                             size_t profile_count, struct cs_workload **out,
                             struct cs_buf *warnings, struct cs_err *err)
{
    struct cs_workload *w = calloc(1, sizeof(*w));
    size_t kinds = CS_MAX(settings->command.op_count, 1);
    enum cs_code rc = CS_OK;

    if (!w)
        return cs_fail(err, CS_ENOMEM, "workload: out of memory");
    w->settings = settings;
    w->db = db;
    cs_arena_init(&w->arena);
    w->sources = cs_arena_array(&w->arena, CS_MAX(profile_count, 2),
                                sizeof(*w->sources));
    w->kinds = cs_arena_array(&w->arena, kinds, sizeof(*w->kinds));
    if (!w->sources || !w->kinds)
        rc = cs_fail(err, CS_ENOMEM, "workload: out of memory");
    if (!rc && settings->old.on)
        rc = cs_workload_add_old(w, driver, err);
    else if (!rc)
        rc = profile_count
                 ? cs_workload_add_profiles(w, driver, profiles, profile_count,
                                            warnings, err)
                 : new_predefined(w, driver, err);
    if (!rc)
        rc = sort_kinds(w, err);
    if (rc) {
        cs_workload_free(w);
        return rc;
    }
    *out = w;
    return CS_OK;
}

void cs_workload_describe(struct cs_buf *buf, const struct cs_workload *w)
{
    enum cs_command command = w->settings->command.type;
    bool list = command == CS_COMMAND_MIXED || command == CS_COMMAND_USER;

    if (list)
        cs_buf_put8(buf, '[');
    for (unsigned i = 0; i < w->kind_count; i++) {
        if (i)
            cs_buf_puts(buf, ", ");
        cs_buf_puts(buf, w->kinds[w->typed_order[i]].name);
    }
    if (list)
        cs_buf_put8(buf, ']');
}
