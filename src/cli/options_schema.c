/* options_schema.c - the group -schema: keyspace and tables of the predefined
 * commands. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

#include "base/text.h"

#include <stdio.h>

#define LOCATOR    "org.apache.cassandra.locator."
#define COMPACTION "org.apache.cassandra.db.compaction."

/* Long name of a class that is known under its short one. */
static enum cs_code store_strategy(struct cs_cli *cli,
                                   const struct cs_option *option,
                                   const char *value, struct cs_err *err)
{
    static const char *const known[] = {
        "SimpleStrategy",     "NetworkTopologyStrategy",
        "LocalStrategy",      "OldNetworkTopologyStrategy",
        "EverywhereStrategy", "MetaStrategy"};
    struct cs_settings_schema *schema = &cli->settings->schema;
    const char *name =
        cs_starts_with(value, LOCATOR) ? value + strlen(LOCATOR) : value;
    const char *nearest;
    char room[128];

    (void)option;
    (void)err;
    for (size_t i = 0; i < CS_COUNT(known); i++) {
        if (strcmp(known[i], name) != 0)
            continue;
        snprintf(room, sizeof(room), LOCATOR "%s", known[i]);
        schema->strategy = cs_cli_text(cli, room, strlen(room));
        return CS_OK;
    }
    nearest = cs_nearest(name, known, CS_COUNT(known));
    cs_cli_notice(cli,
                  "-schema: replication strategy '%.80s' is not known "
                  "here and sent as it is%s%s%s",
                  value, nearest ? " (the nearest known is '" : "",
                  nearest ? nearest : "", nearest ? "')" : "");
    schema->strategy = cs_cli_text(cli, value, strlen(value));
    return CS_OK;
}

static enum cs_code add_pair(struct cs_cli *cli, struct cs_key_value **list,
                             size_t *count, const char *key, const char *value,
                             struct cs_err *err)
{
    struct cs_key_value *grown = cs_cli_array(cli, *count + 1, sizeof(*grown));

    for (size_t i = 0; i < *count; i++)
        if (!strcmp((*list)[i].key, key))
            return cs_fail(err, CS_EUSAGE, "'%.40s' is given twice", key);
    if (!grown)
        return CS_OK; /* the sticky fault is set */
    if (*count)
        memcpy(grown, *list, *count * sizeof(*grown));
    grown[*count].key = cs_cli_text(cli, key, strlen(key));
    grown[*count].value = cs_cli_text(cli, value, strlen(value));
    *list = grown;
    (*count)++;
    return CS_OK;
}

static enum cs_code store_replication(struct cs_cli *cli, const char *key,
                                      const char *value, struct cs_err *err)
{
    struct cs_settings_schema *schema = &cli->settings->schema;

    return add_pair(cli, &schema->replication, &schema->replication_count, key,
                    value, err);
}

static enum cs_code store_compaction_option(struct cs_cli *cli, const char *key,
                                            const char *value,
                                            struct cs_err *err)
{
    struct cs_settings_schema *schema = &cli->settings->schema;

    return add_pair(cli, &schema->compaction_options, &schema->compaction_count,
                    key, value, err);
}

static enum cs_code store_compaction(struct cs_cli *cli,
                                     const struct cs_option *option,
                                     const char *value, struct cs_err *err)
{
    static const char *const known[] = {
        "SizeTieredCompactionStrategy", "LeveledCompactionStrategy",
        "TimeWindowCompactionStrategy", "DateTieredCompactionStrategy",
        "UnifiedCompactionStrategy",    "IncrementalCompactionStrategy"};
    const char *name =
        cs_starts_with(value, COMPACTION) ? value + strlen(COMPACTION) : value;
    const char *nearest;

    (void)option;
    for (size_t i = 0; i < CS_COUNT(known); i++) {
        if (strcmp(known[i], name) != 0)
            continue;
        cli->settings->schema.compaction =
            cs_cli_text(cli, value, strlen(value));
        return CS_OK;
    }
    nearest = cs_nearest(name, known, CS_COUNT(known));
    return cs_fail(err, CS_EUSAGE, "unknown compaction strategy%s%s%s",
                   nearest ? ", try '" : "", nearest ? nearest : "",
                   nearest ? "'" : "");
}

static void show_pairs(const struct cs_key_value *pairs, size_t count,
                       struct cs_buf *out)
{
    cs_buf_puts(out, "{");
    for (size_t i = 0; i < count; i++)
        cs_buf_printf(out, "%s%s=%s", i ? ", " : "", pairs[i].key,
                      pairs[i].value);
    cs_buf_puts(out, "}");
}

static void show_strategy(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, s->schema.strategy);
}

static void show_replication(const struct cs_settings *s, struct cs_buf *out)
{
    show_pairs(s->schema.replication, s->schema.replication_count, out);
}

static void show_compaction(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, s->schema.compaction ? s->schema.compaction : "null");
}

static void show_compaction_options(const struct cs_settings *s,
                                    struct cs_buf *out)
{
    show_pairs(s->schema.compaction_options, s->schema.compaction_count, out);
}

static const struct cs_option replication_items[] = {
    {.key = "strategy=",
     .store = store_strategy,
     .help = "replication strategy (SimpleStrategy)"},
    {.key = "factor=",
     .type = CS_OPTION_INT,
     .at = CS_AT(schema.factor),
     .has_at = CS_AT(schema.factor_typed),
     .help = "number of replicas (1)"},
};

static const struct cs_option compaction_items[] = {
    {.key = "strategy=",
     .store = store_compaction,
     .help = "compaction strategy"},
};

static const struct cs_choice storages[] = {{"LOCAL", 0}, {"S3", 1}, {NULL, 0}};

static const struct cs_option storage_items[] = {
    {.key = "type=",
     .type = CS_OPTION_CHOICE,
     .text_at = CS_AT(schema.storage_type),
     .choices = storages,
     .help = "LOCAL or S3"},
    {.key = "endpoint=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(schema.storage_endpoint),
     .help = "host and port of S3"},
    {.key = "bucket=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(schema.storage_bucket),
     .help = "bucket of S3"},
};

static const struct cs_choice predefined[] = {
    {"standard", CS_PREDEFINED_STANDARD}, {"kv", CS_PREDEFINED_KV}, {NULL, 0}};

static bool is_kv(const struct cs_settings *s)
{
    return s->schema.table == CS_PREDEFINED_KV;
}

static void show_table(const struct cs_settings *s, struct cs_buf *out)
{
    (void)s;
    cs_buf_puts(out, "kv");
}

static const struct cs_option schema_rows[] = {
    {.key = "keyspace=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(schema.keyspace),
     .preset = "keyspace1",
     .help = "name of the keyspace, as written",
     .label = "Keyspace"},
    {.key = "table=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(schema.table),
     .choices = predefined,
     .preset = "standard",
     .help = "table of write, read and mixed: standard, or kv with a number "
             "as key and one text",
     .label = "Table",
     .when = is_kv,
     .show = show_table},
    {.key = "replication(",
     .type = CS_OPTION_LIST,
     .items = replication_items,
     .item_count = CS_COUNT(replication_items),
     .store_extra = store_replication,
     .shown = "strategy=SimpleStrategy,factor=1",
     .help = "replication of a keyspace that is created",
     .label = "Replication Strategy",
     .show = show_strategy},
    {.type = CS_OPTION_ECHO,
     .label = "Replication Strategy Pptions",
     .levels = CS_IN_3_11,
     .show = show_replication},
    {.type = CS_OPTION_ECHO,
     .label = "Replication Strategy Options",
     .levels = CS_IN_4_0 | CS_IN_4_1 | CS_IN_5_0,
     .show = show_replication},
    {.key = "compression=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(schema.compression),
     .shown = "none",
     .help = "compression class of tables that are created",
     .label = "Table Compression"},
    {.key = "compaction(",
     .type = CS_OPTION_LIST,
     .items = compaction_items,
     .item_count = CS_COUNT(compaction_items),
     .store_extra = store_compaction_option,
     .shown = "as the server does",
     .help = "compaction of tables that are created",
     .label = "Table Compaction Strategy",
     .show = show_compaction},
    {.type = CS_OPTION_ECHO,
     .label = "Table Compaction Strategy Options",
     .show = show_compaction_options},
    {.key = "storage(",
     .type = CS_OPTION_LIST,
     .items = storage_items,
     .item_count = CS_COUNT(storage_items),
     .help = "without effect in this version"},
};

const struct cs_option_group cs_options_schema = {
    .name = "-schema",
    .help = "keyspace, replication, compaction of the predefined tables",
    .section = "Schema:",
    .tables = {CS_TABLE(schema_rows)}};
