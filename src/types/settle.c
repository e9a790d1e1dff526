/* settle.c - values that are equal become the same bytes: sets and maps have
 * one order, whatever that in which they were sent. */
#include "types/order.h"

#include "types/vint.h"

bool cs_type_unsettled(const struct cs_type *type)
{
    if (type->kind == CS_TYPE_SET || type->kind == CS_TYPE_MAP)
        return true;
    for (size_t i = 0; i < type->part_count; i++)
        if (cs_type_unsettled(type->parts[i]))
            return true;
    return false;
}

/* A part with its size in front; size < 0: null. */
static void settle_part(const struct cs_type *type, struct cs_reader *r,
                        struct cs_buf *out)
{
    int32_t size = (int32_t)cs_read32(r);
    const uint8_t *bytes = cs_read_bytes(r, (size_t)CS_MAX(size, 0));
    size_t at = out->size;

    cs_buf_put32(out, (uint32_t)size);
    if (r->fault || size < 0)
        return;
    cs_value_settle(type, bytes, (size_t)size, out);
    if (!out->fault)
        cs_store32(out->data + at, (uint32_t)(out->size - at - 4));
}

static void settle_fields(const struct cs_type *type, struct cs_reader *r,
                          struct cs_buf *out)
{
    for (size_t i = 0; i < type->part_count && cs_reader_left(r); i++)
        settle_part(type->parts[i], r, out);
}

static void settle_list(const struct cs_type *type, struct cs_reader *r,
                        struct cs_buf *out)
{
    uint32_t count = cs_read32(r);

    cs_buf_put32(out, count);
    for (uint32_t i = 0; i < count && !r->fault && !out->fault; i++)
        settle_part(type->parts[0], r, out);
}

static void settle_vector(const struct cs_type *type, struct cs_reader *r,
                          struct cs_buf *out)
{
    const struct cs_type *item = type->parts[0];
    size_t fixed = cs_type_vector_item_size(item);
    struct cs_buf one;

    cs_buf_init(&one, out->max);
    for (uint32_t i = 0; i < type->dimension && !r->fault; i++) {
        size_t size = fixed ? fixed : (size_t)cs_read_uvint(r);
        const uint8_t *bytes = cs_read_bytes(r, size);

        if (r->fault)
            break;
        cs_buf_clear(&one);
        cs_value_settle(item, bytes, size, &one);
        if (!fixed)
            cs_buf_put_uvint(out, one.size);
        cs_buf_put(out, one.data, one.size);
        out->fault |= one.fault;
    }
    cs_buf_release(&one);
}

/* ---- sets and maps ---- */

/* An element of a set, or a key with its value. */
struct entry {
    size_t at; /* in the buffer of settled entries */
    size_t size;
};

struct entries {
    const struct cs_type *key;
    struct cs_buf bytes;
    struct cs_buf list; /* of struct entry */
    size_t count;
};

static struct entry *entry_at(const struct entries *e, size_t i)
{
    return (struct entry *)(void *)e->list.data + i;
}

static int compare_entries(const struct entries *e, const struct entry *a,
                           const struct entry *b)
{
    const uint8_t *x = e->bytes.data + a->at;
    const uint8_t *y = e->bytes.data + b->at;

    return cs_value_compare(e->key, x + 4, (int32_t)cs_load32(x), y + 4,
                            (int32_t)cs_load32(y));
}

/* Puts the entry in its place; one that is there with the same key gives
 * way. Few elements are usual, so that insertion is quick enough. */
static void place(struct entries *e, struct entry new)
{
    size_t low = 0;
    size_t high = e->count;
    struct entry *at;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_entries(e, entry_at(e, middle), &new);

        if (!order) {
            *entry_at(e, middle) = new;
            return;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    cs_buf_put(&e->list, &new, sizeof(new));
    if (e->list.fault)
        return;
    at = entry_at(e, low);
    memmove(at + 1, at, (e->count - low) * sizeof(*at));
    *at = new;
    e->count++;
}

static void settle_sorted(const struct cs_type *type, struct cs_reader *r,
                          struct cs_buf *out)
{
    uint32_t count = cs_read32(r);
    struct entries e = {.key = type->parts[0]};

    cs_buf_init(&e.bytes, out->max);
    cs_buf_init(&e.list, out->max);
    for (uint32_t i = 0; i < count && !r->fault && !e.bytes.fault; i++) {
        struct entry new = {.at = e.bytes.size};

        for (size_t k = 0; k < type->part_count; k++)
            settle_part(type->parts[k], r, &e.bytes);
        new.size = e.bytes.size - new.at;
        if (!r->fault && !e.bytes.fault)
            place(&e, new);
    }
    cs_buf_put32(out, (uint32_t)e.count);
    for (size_t i = 0; i < e.count; i++)
        cs_buf_put(out, e.bytes.data + entry_at(&e, i)->at,
                   entry_at(&e, i)->size);
    out->fault |= e.bytes.fault || e.list.fault;
    cs_buf_release(&e.bytes);
    cs_buf_release(&e.list);
}

void cs_value_settle(const struct cs_type *type, const uint8_t *bytes,
                     size_t size, struct cs_buf *out)
{
    struct cs_reader r = cs_reader_of(bytes, size);
    size_t at = out->size;

    switch (size && cs_type_unsettled(type) ? type->kind : CS_TYPE_BLOB) {
    case CS_TYPE_SET:
    case CS_TYPE_MAP:
        settle_sorted(type, &r, out);
        break;
    case CS_TYPE_LIST:
        settle_list(type, &r, out);
        break;
    case CS_TYPE_TUPLE:
    case CS_TYPE_UDT:
        settle_fields(type, &r, out);
        break;
    case CS_TYPE_VECTOR:
        settle_vector(type, &r, out);
        break;
    default:
        cs_buf_put(out, bytes, size);
        return;
    }
    if (!r.fault || out->fault)
        return;
    out->size = at; /* no value of its type: left as it is */
    cs_buf_put(out, bytes, size);
}

void cs_cell_settle(const struct cs_type *type, const uint8_t *cell,
                    struct cs_buf *out)
{
    int32_t size = (int32_t)cs_load32(cell);
    struct cs_reader r = cs_reader_of(cell, 4 + (size_t)CS_MAX(size, 0));

    settle_part(type, &r, out);
}
