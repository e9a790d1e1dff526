/* explain.c - a difference in words and as JSON. */
#include "base/text.h"
#include "operation/difference.h"
#include "schema/ident.h"
#include "types/literal.h"

#include <inttypes.h>

/* Bytes of a literal that a line for people holds. */
#define SHOWN_MOST 72
/* Bytes of a literal. */
#define LITERAL_MAX ((size_t)1 << 30)

const char *cs_difference_kind_name(enum cs_difference_kind kind)
{
    static const char *const names[] = {
        [CS_DIFFERENCE_ROW_MISSING] = "missing row",
        [CS_DIFFERENCE_ROW_TOO_MANY] = "row too many",
        [CS_DIFFERENCE_COLUMN_COUNT] = "wrong column count",
        [CS_DIFFERENCE_NULL] = "null instead of a value",
        [CS_DIFFERENCE_VALUE] = "value instead of null",
        [CS_DIFFERENCE_BYTES] = "other value",
    };

    return names[kind];
}

static int32_t size_of(const uint8_t *cell)
{
    return (int32_t)cs_load32(cell);
}

static const uint8_t *next_cell(const uint8_t *cell)
{
    return cell + 4 + CS_MAX(size_of(cell), 0);
}

static void put_literal(struct cs_buf *buf, const struct cs_type *type,
                        const uint8_t *cell)
{
    cs_literal_put(buf, type, cell + 4, size_of(cell));
}

/* ---- for people ---- */

/* Not in the middle of a character. */
static size_t cut(const struct cs_buf *literal)
{
    size_t size = SHOWN_MOST;

    while (size && (literal->data[size] & 0xc0) == 0x80)
        size--;
    return size;
}

static void put_short(struct cs_buf *buf, const struct cs_type *type,
                      const uint8_t *cell)
{
    struct cs_buf literal;

    cs_buf_init(&literal, LITERAL_MAX);
    put_literal(&literal, type, cell);
    if (literal.size <= SHOWN_MOST) {
        cs_buf_put(buf, literal.data, literal.size);
    } else {
        cs_buf_put(buf, literal.data, cut(&literal));
        cs_buf_puts(buf, "\xe2\x80\xa6");
    }
    cs_buf_release(&literal);
}

/* "id = 1 and name = 'x'" */
static void put_cells(struct cs_buf *buf, const struct cs_column *columns,
                      unsigned count, const uint8_t *cell)
{
    for (unsigned i = 0; i < count; i++) {
        if (i)
            cs_buf_puts(buf, " and ");
        cs_ident_put(buf, columns[i].name);
        cs_buf_puts(buf, " = ");
        put_short(buf, columns[i].type, cell);
        cell = next_cell(cell);
    }
}

/* "'abc' (3 bytes)" */
static void put_sized(struct cs_buf *buf, const struct cs_type *type,
                      const uint8_t *cell)
{
    put_short(buf, type, cell);
    if (size_of(cell) >= 0)
        cs_buf_printf(buf, " (%d byte%s)", size_of(cell),
                      size_of(cell) == 1 ? "" : "s");
}

static void put_finding(struct cs_buf *buf, const struct cs_difference *d)
{
    const struct cs_column *column =
        d->column < 0 ? NULL : &d->table->columns[d->column];

    if (column) {
        cs_buf_puts(buf, "column ");
        cs_ident_put(buf, column->name);
        cs_buf_puts(buf, ": expected ");
        put_sized(buf, column->type, d->expected);
        cs_buf_puts(buf, ", found ");
        put_sized(buf, column->type, d->found);
    } else if (d->kind == CS_DIFFERENCE_ROW_MISSING) {
        cs_buf_puts(buf, "this row was expected and is missing");
    } else if (d->kind == CS_DIFFERENCE_ROW_TOO_MANY) {
        cs_buf_puts(buf, "this row was found and is one too many");
    } else {
        cs_buf_printf(buf, "expected %" PRIu32 " columns, found %" PRIu32,
                      d->expected_count, d->found_count);
    }
}

static void put_nodes(struct cs_buf *buf,
                      const struct cs_difference_nodes *nodes)
{
    size_t shown = CS_MIN(nodes->replica_count, (size_t)CS_REPLICAS_SHOWN);

    cs_buf_printf(buf, ", coordinator %s, replicas",
                  nodes->coordinator.text[0] ? nodes->coordinator.text
                                             : "unknown");
    for (size_t i = 0; i < shown; i++)
        cs_buf_printf(buf, "%s %s", i ? "," : "", nodes->replicas[i].text);
    if (!nodes->replica_count)
        cs_buf_puts(buf, " unknown");
    else if (shown < nodes->replica_count)
        cs_buf_printf(buf, " and %zu more", nodes->replica_count - shown);
}

void cs_difference_put_text(struct cs_buf *buf, const struct cs_difference *d,
                            const struct cs_difference_nodes *nodes)
{
    const struct cs_table *table = d->table;

    cs_buf_printf(buf, "difference (%s) in ", cs_difference_kind_name(d->kind));
    cs_ident_put_table(buf, table->keyspace, table->name);
    cs_buf_puts(buf, ", partition ");
    put_cells(buf, table->columns, table->partition_count, d->partition);
    if (d->clustering && table->clustering_count) {
        cs_buf_puts(buf, ", row ");
        put_cells(buf, table->columns + table->partition_count,
                  table->clustering_count, d->clustering);
    }
    cs_buf_puts(buf, ": ");
    put_finding(buf, d);
    cs_buf_printf(buf, "; %s at %s", d->operation, cs_consistency_name(d->cl));
    put_nodes(buf, nodes);
}

/* ---- for programs ---- */

static void put_text(struct cs_buf *buf, const char *name, const char *text)
{
    cs_buf_printf(buf, ",\"%s\":", name);
    cs_put_json(buf, text, strlen(text));
}

/* A value as its literal in a string, null as null. */
static void put_value(struct cs_buf *buf, const struct cs_type *type,
                      const uint8_t *cell)
{
    struct cs_buf literal;

    if (size_of(cell) < 0) {
        cs_buf_puts(buf, "null");
        return;
    }
    cs_buf_init(&literal, LITERAL_MAX);
    put_literal(&literal, type, cell);
    cs_put_json(buf, cs_buf_text(&literal), literal.size);
    cs_buf_release(&literal);
}

static void put_object(struct cs_buf *buf, const char *name,
                       const struct cs_column *columns, unsigned count,
                       const uint8_t *cell)
{
    cs_buf_printf(buf, ",\"%s\":{", name);
    for (unsigned i = 0; i < count; i++) {
        if (i)
            cs_buf_put8(buf, ',');
        cs_put_json(buf, columns[i].name, strlen(columns[i].name));
        cs_buf_put8(buf, ':');
        put_value(buf, columns[i].type, cell);
        cell = next_cell(cell);
    }
    cs_buf_put8(buf, '}');
}

static void put_column(struct cs_buf *buf, const struct cs_difference *d)
{
    const struct cs_column *column = &d->table->columns[d->column];
    struct cs_buf type;

    put_text(buf, "column", column->name);
    cs_buf_init(&type, LITERAL_MAX);
    cs_type_put(&type, column->type);
    put_text(buf, "type", cs_buf_text(&type));
    cs_buf_release(&type);
    cs_buf_puts(buf, ",\"expected\":");
    put_value(buf, column->type, d->expected);
    if (size_of(d->expected) >= 0)
        cs_buf_printf(buf, ",\"expected_bytes\":%d", size_of(d->expected));
    cs_buf_puts(buf, ",\"found\":");
    put_value(buf, column->type, d->found);
    if (size_of(d->found) >= 0)
        cs_buf_printf(buf, ",\"found_bytes\":%d", size_of(d->found));
}

static void put_json_nodes(struct cs_buf *buf, const struct cs_difference *d,
                           const struct cs_difference_nodes *nodes)
{
    size_t shown = CS_MIN(nodes->replica_count, (size_t)CS_REPLICAS_SHOWN);

    put_text(buf, "consistency", cs_consistency_name(d->cl));
    put_text(buf, "coordinator", nodes->coordinator.text);
    if (d->has_token)
        cs_buf_printf(buf, ",\"token\":%" PRId64, d->token);
    cs_buf_puts(buf, ",\"replicas\":[");
    for (size_t i = 0; i < shown; i++) {
        if (i)
            cs_buf_put8(buf, ',');
        cs_put_json(buf, nodes->replicas[i].text,
                    strlen(nodes->replicas[i].text));
    }
    cs_buf_puts(buf, "]}\n");
}

void cs_difference_put_json(struct cs_buf *buf, const struct cs_difference *d,
                            const struct cs_difference_nodes *nodes,
                            int64_t wall_ns)
{
    const struct cs_table *table = d->table;

    cs_buf_puts(buf, "{\"time\":\"");
    cs_put_utc(buf, wall_ns);
    cs_buf_put8(buf, '"');
    put_text(buf, "operation", d->operation);
    put_text(buf, "difference", cs_difference_kind_name(d->kind));
    put_text(buf, "keyspace", table->keyspace);
    put_text(buf, "table", table->name);
    put_object(buf, "partition", table->columns, table->partition_count,
               d->partition);
    if (d->clustering && table->clustering_count)
        put_object(buf, "row", table->columns + table->partition_count,
                   table->clustering_count, d->clustering);
    if (d->column >= 0)
        put_column(buf, d);
    if (d->kind == CS_DIFFERENCE_COLUMN_COUNT)
        cs_buf_printf(
            buf, ",\"expected_columns\":%" PRIu32 ",\"found_columns\":%" PRIu32,
            d->expected_count, d->found_count);
    put_json_nodes(buf, d, nodes);
}
