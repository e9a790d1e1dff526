/* system.c - what system.local, system.peers and system_schema tell of a
 * cluster that is not there. */
#include "protocol/result.h"
#include "responder/answer_internal.h"

#include <stdio.h>

/* One row as it is made up: columns by name, each with its bytes. */
#define CELLS_MAX 32

struct cells {
    struct {
        const char *column;
        size_t start; /* of the [bytes], size in front */
        size_t size;
    } list[CELLS_MAX];
    size_t count;
    struct cs_buf bytes;
};

/* An answer in the making. */
struct table_rows {
    const struct cs_script *script;
    const struct cs_world *world;
    struct cs_buf *buf;
    struct cells cells;
    uint32_t count;
};

/* ---- cells ---- */

static void begin_cell(struct cells *cells, const char *column)
{
    cells->list[cells->count].column = column;
    cells->list[cells->count].start = cells->bytes.size;
    cs_buf_put32(&cells->bytes, 0);
}

static void end_cell(struct cells *cells)
{
    size_t start = cells->list[cells->count].start;
    size_t size = cells->bytes.size - start;

    if (!cells->bytes.fault)
        cs_store32(cells->bytes.data + start, (uint32_t)size - 4);
    cells->list[cells->count++].size = size;
}

static void bytes_cell(struct table_rows *t, const char *column,
                       const void *bytes, size_t size)
{
    begin_cell(&t->cells, column);
    cs_buf_put(&t->cells.bytes, bytes, size);
    end_cell(&t->cells);
}

static void text_cell(struct table_rows *t, const char *column,
                      const char *text)
{
    bytes_cell(t, column, text, strlen(text));
}

static void int_cell(struct table_rows *t, const char *column, int value)
{
    uint8_t bytes[4];

    cs_store32(bytes, (uint32_t)value);
    bytes_cell(t, column, bytes, sizeof(bytes));
}

static void double_cell(struct table_rows *t, const char *column, double value)
{
    uint64_t bits;
    uint8_t bytes[8];

    memcpy(&bits, &value, sizeof(bits));
    cs_store64(bytes, bits);
    bytes_cell(t, column, bytes, sizeof(bytes));
}

/* Version 4, made of two numbers. */
static void make_uuid(uint8_t kind, size_t number, uint8_t *out)
{
    const uint8_t bytes[16] = {0xC5, kind, 0, 0, 0, 0, 0x40, 0, 0x80};

    memcpy(out, bytes, sizeof(bytes));
    cs_store32(out + 12, (uint32_t)number);
}

void cs_place_host_id(size_t place, uint8_t *out)
{
    make_uuid(1, place, out);
}

static void uuid_cell(struct table_rows *t, const char *column, uint8_t kind,
                      size_t number)
{
    uint8_t bytes[16];

    make_uuid(kind, number, bytes);
    bytes_cell(t, column, bytes, sizeof(bytes));
}

static void place_cell(struct table_rows *t, const char *column,
                       const struct cs_place *place)
{
    bytes_cell(t, column, place->address, place->address_size);
}

/* A list or a set of texts; NULL ends it. */
static void texts_cell(struct table_rows *t, const char *column,
                       const char *const *texts)
{
    struct cs_buf *bytes = &t->cells.bytes;
    size_t count = 0;

    while (texts[count])
        count++;
    begin_cell(&t->cells, column);
    cs_buf_put32(bytes, (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        cs_put_long_string(bytes, cs_view_text(texts[i]));
    end_cell(&t->cells);
}

static void map_cell(struct table_rows *t, const char *column,
                     const struct cs_option_pair *pairs, size_t count)
{
    struct cs_buf *bytes = &t->cells.bytes;

    begin_cell(&t->cells, column);
    cs_buf_put32(bytes, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        cs_put_long_string(bytes, cs_view_text(pairs[i].key));
        cs_put_long_string(bytes, cs_view_text(pairs[i].value));
    }
    end_cell(&t->cells);
}

/* ---- rows ---- */

/* The [bytes] of a column of the row; null where it has none. */
static struct cs_view cell_of(const struct cells *cells, const char *column)
{
    for (size_t i = 0; i < cells->count; i++)
        if (!strcmp(cells->list[i].column, column))
            return cs_view_of(cells->bytes.data + cells->list[i].start,
                              cells->list[i].size);
    return cs_view_of(NULL, 0);
}

/* Several texts for one column are those of an IN. Only texts are compared:
 * nobody asks for more. */
static bool passes(const struct table_rows *t, const char *column)
{
    struct cs_view cell = cell_of(&t->cells, column);
    int at = cs_table_column(t->script->table, column);
    bool asked = false;

    if (!cell.data || at < 0 ||
        t->script->table->columns[at].type->kind != CS_TYPE_TEXT)
        return true;
    for (size_t i = 0; i < t->script->filter_count; i++) {
        if (strcmp(t->script->filters[i].column, column) != 0)
            continue;
        asked = true;
        if (cs_view_is(cs_view_of(cell.data + 4, cell.size - 4),
                       t->script->filters[i].text))
            return true;
    }
    return !asked;
}

static void end_row(struct table_rows *t)
{
    bool wanted = !t->cells.bytes.fault;

    for (size_t i = 0; i < t->script->filter_count && wanted; i++)
        wanted = passes(t, t->script->filters[i].column);
    for (unsigned i = 0; i < t->script->column_count && wanted; i++) {
        struct cs_view cell = cell_of(&t->cells, t->script->columns[i].name);

        if (cell.data)
            cs_buf_put(t->buf, cell.data, cell.size);
        else
            cs_buf_put32(t->buf, UINT32_MAX);
    }
    t->count += wanted;
    t->cells.count = 0;
    cs_buf_clear(&t->cells.bytes);
}

/* ---- nodes ---- */

/* Evenly spread over the ring, one of each node in turn; a node that has moved
 * is beside its old places. */
static void token_cell(struct table_rows *t, size_t place)
{
    const struct cs_world *world = t->world;
    struct cs_buf *bytes = &t->cells.bytes;
    uint64_t step = UINT64_MAX / (world->place_count * (unsigned)world->tokens);
    uint64_t start = UINT64_C(0x8000000000000000) + step * place +
                     step / 7 * (world->places[place].moved % 7);

    begin_cell(&t->cells, "tokens");
    cs_buf_put32(bytes, (uint32_t)world->tokens);
    for (unsigned i = 0; i < (unsigned)world->tokens; i++) {
        char text[32];

        snprintf(text, sizeof(text), "%lld",
                 (long long)(int64_t)(start + step * world->place_count * i));
        cs_put_long_string(bytes, cs_view_text(text));
    }
    end_cell(&t->cells);
}

static void node_cells(struct table_rows *t, size_t place)
{
    text_cell(t, "data_center", t->world->places[place].dc);
    text_cell(t, "rack", t->world->places[place].rack);
    text_cell(t, "release_version", "5.0.9");
    uuid_cell(t, "host_id", 1, place);
    uuid_cell(t, "schema_version", 2, t->world->schema_version);
    place_cell(t, "rpc_address", &t->world->places[place]);
    token_cell(t, place);
}

static void local_rows(struct table_rows *t)
{
    const struct cs_place *here = &t->world->places[t->world->here];
    char version[4];

    snprintf(version, sizeof(version), "%d", t->world->version % 10);
    text_cell(t, "key", "local");
    text_cell(t, "bootstrapped", "COMPLETED");
    /* Clients print it: whoever reads from it by mistake finds out why. */
    text_cell(t, "cluster_name",
              t->world->stored
                  ? "responder"
                  : "responder (rows are made up, stored= keeps them)");
    text_cell(t, "cql_version", "3.4.7");
    text_cell(t, "native_protocol_version", version);
    text_cell(t, "partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    int_cell(t, "gossip_generation", 1);
    place_cell(t, "broadcast_address", here);
    int_cell(t, "broadcast_port", 7000);
    place_cell(t, "listen_address", here);
    int_cell(t, "listen_port", 7000);
    int_cell(t, "rpc_port", here->port);
    node_cells(t, t->world->here);
    end_row(t);
}

static void peer_rows(struct table_rows *t)
{
    for (size_t i = 0; i < t->world->place_count; i++) {
        const struct cs_place *place = &t->world->places[i];

        if (i == t->world->here || place->away)
            continue;
        place_cell(t, "peer", place);
        int_cell(t, "peer_port", 7000 + (int)i);
        place_cell(t, "native_address", place);
        int_cell(t, "native_port", place->port);
        node_cells(t, i);
        end_row(t);
    }
}

/* ---- schema ---- */

static void keyspace_rows(struct table_rows *t)
{
    const struct cs_catalog *catalog = t->world->catalog;

    for (size_t i = 0; i < catalog->space_count; i++) {
        const struct cs_known_space *space = catalog->spaces[i];

        text_cell(t, "keyspace_name", space->name);
        bytes_cell(t, "durable_writes", "\1", 1);
        map_cell(t, "replication", space->replication,
                 space->replication_count);
        end_row(t);
    }
}

static void table_rows(struct table_rows *t)
{
    static const char *const flags[] = {"compound", NULL};
    static const struct cs_option_pair caching[] = {
        {"keys", "ALL"}, {"rows_per_partition", "NONE"}};
    static const struct cs_option_pair compaction[] = {
        {"class",
         "org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy"}};
    static const struct cs_option_pair compression[] = {{"enabled", "false"}};
    const struct cs_catalog *catalog = t->world->catalog;

    for (size_t i = 0; i < catalog->table_count; i++) {
        text_cell(t, "keyspace_name", catalog->tables[i]->keyspace);
        text_cell(t, "table_name", catalog->tables[i]->name);
        text_cell(t, "comment", "");
        text_cell(t, "speculative_retry", "99p");
        text_cell(t, "read_repair", "BLOCKING");
        uuid_cell(t, "id", 3, i);
        int_cell(t, "gc_grace_seconds", 864000);
        int_cell(t, "default_time_to_live", 0);
        int_cell(t, "max_index_interval", 2048);
        int_cell(t, "min_index_interval", 128);
        int_cell(t, "memtable_flush_period_in_ms", 0);
        double_cell(t, "bloom_filter_fp_chance", 0.01);
        double_cell(t, "crc_check_chance", 1.0);
        double_cell(t, "read_repair_chance", 0.0);
        double_cell(t, "dclocal_read_repair_chance", 0.0);
        map_cell(t, "caching", caching, CS_COUNT(caching));
        map_cell(t, "compaction", compaction, CS_COUNT(compaction));
        map_cell(t, "compression", compression, CS_COUNT(compression));
        map_cell(t, "extensions", NULL, 0);
        texts_cell(t, "flags", flags);
        end_row(t);
    }
}

static void column_row(struct table_rows *t, const struct cs_table *table,
                       const struct cs_column *column)
{
    static const char *const kinds[] = {[CS_COLUMN_PARTITION_KEY] =
                                            "partition_key",
                                        [CS_COLUMN_CLUSTERING] = "clustering",
                                        [CS_COLUMN_REGULAR] = "regular",
                                        [CS_COLUMN_STATIC] = "static"};
    bool clustering = column->kind == CS_COLUMN_CLUSTERING;
    bool key = clustering || column->kind == CS_COLUMN_PARTITION_KEY;
    const char *order = column->descending ? "desc" : "asc";
    struct cs_buf type;

    cs_buf_init(&type, 65536);
    cs_type_put(&type, column->type);
    text_cell(t, "keyspace_name", table->keyspace);
    text_cell(t, "table_name", table->name);
    text_cell(t, "column_name", column->name);
    text_cell(t, "column_name_bytes", column->name);
    text_cell(t, "kind", kinds[column->kind]);
    text_cell(t, "clustering_order", clustering ? order : "none");
    text_cell(t, "type", cs_buf_text(&type));
    int_cell(t, "position", key ? (int)column->position : -1);
    cs_buf_release(&type);
    end_row(t);
}

static void column_rows(struct table_rows *t)
{
    const struct cs_catalog *catalog = t->world->catalog;

    for (size_t i = 0; i < catalog->table_count; i++)
        for (unsigned k = 0; k < catalog->tables[i]->column_count; k++)
            column_row(t, catalog->tables[i], &catalog->tables[i]->columns[k]);
}

static void field_types_cell(struct table_rows *t, const struct cs_type *type)
{
    struct cs_buf text;

    cs_buf_init(&text, 65536);
    begin_cell(&t->cells, "field_types");
    cs_buf_put32(&t->cells.bytes, (uint32_t)type->part_count);
    for (size_t i = 0; i < type->part_count; i++) {
        cs_buf_clear(&text);
        cs_type_put(&text, type->parts[i]);
        cs_put_long_string(&t->cells.bytes, cs_view_text(cs_buf_text(&text)));
    }
    end_cell(&t->cells);
    cs_buf_release(&text);
}

static void type_rows(struct table_rows *t)
{
    const struct cs_catalog *catalog = t->world->catalog;

    for (size_t i = 0; i < catalog->type_count; i++) {
        const struct cs_type *type = catalog->types[i];

        text_cell(t, "keyspace_name", type->keyspace);
        text_cell(t, "type_name", type->name);
        begin_cell(&t->cells, "field_names");
        cs_buf_put32(&t->cells.bytes, (uint32_t)type->part_count);
        for (size_t k = 0; k < type->part_count; k++)
            cs_put_long_string(&t->cells.bytes,
                               cs_view_text(type->field_names[k]));
        end_cell(&t->cells);
        field_types_cell(t, type);
        end_row(t);
    }
}

/* ---- all ---- */

static const struct {
    const char *keyspace;
    const char *name;
    void (*rows)(struct table_rows *t);
} sources[] = {
    {"system", "local", local_rows},
    {"system", "peers", peer_rows},
    {"system", "peers_v2", peer_rows},
    {"system_schema", "keyspaces", keyspace_rows},
    {"system_schema", "tables", table_rows},
    {"system_schema", "columns", column_rows},
    {"system_schema", "types", type_rows},
};

/* Tables that are not in the list are empty. */
void cs_answer_system(struct cs_buf *buf, const struct cs_reply *reply,
                      const struct cs_script *script,
                      const struct cs_world *world)
{
    size_t at = cs_answer_begin(buf, reply, CS_OP_RESULT);
    struct table_rows t = {.script = script, .world = world, .buf = buf};
    const struct cs_page page = {.metadata = true};
    size_t count_at;

    cs_buf_init(&t.cells.bytes, CS_FRAME_BODY_LIMIT);
    cs_buf_put32(buf, CS_RESULT_KIND_ROWS);
    cs_put_row_metadata(buf, script, &page);
    count_at = buf->size;
    cs_buf_put32(buf, 0);
    for (size_t i = 0; i < CS_COUNT(sources); i++)
        if (!strcmp(sources[i].keyspace, script->table->keyspace) &&
            !strcmp(sources[i].name, script->table->name))
            sources[i].rows(&t);
    if (!buf->fault)
        cs_store32(buf->data + count_at, t.count);
    cs_buf_release(&t.cells.bytes);
    cs_frame_end(buf, at);
}
