/* gen_collection.c - lists and sets: of scalars by the rule of the original,
 * deeper ones by our own (doc/internals/data.md). */
#include "generate/generate_internal.h"

void cs_gen_seed_parts(struct cs_gen_node *node, int64_t seed)
{
    cs_gen_seed(&node->parts[0], (int64_t)(31 * (uint64_t)seed));
}

/* How many elements the next value has; in our own rule the value has a number
 * that seeds its size and its elements. */
static int32_t begin(struct cs_gen_node *node)
{
    int64_t id;

    if (!node->legacy) {
        id = cs_dist_next(&node->identity);
        cs_gen_seed(&node->parts[0], id);
        return (int32_t)cs_gen_size(node, id);
    }
    if (node->size_fixed)
        return node->size;
    return CS_MAX((int32_t)cs_dist_next(&node->size_dist), 0);
}

/* Size of the cell that began at place, and how many elements it has. */
static void finish(struct cs_buf *out, size_t place, int32_t count)
{
    if (out->fault)
        return;
    cs_store32(out->data + place, (uint32_t)(out->size - place - 4));
    cs_store32(out->data + place + 4, (uint32_t)count);
}

static void append_list(struct cs_gen_node *node, struct cs_buf *out)
{
    size_t place = out->size;
    int32_t count = begin(node);

    cs_buf_put64(out, 0);
    for (int32_t i = 0; i < count && !out->fault; i++)
        node->parts[0].append(&node->parts[0], out);
    finish(out, place, count);
}

static void append_set(struct cs_gen_node *node, struct cs_buf *out)
{
    size_t place = out->size;
    int32_t count = begin(node);
    int32_t kept = 0;

    cs_buf_put64(out, 0);
    if (!cs_gen_unique_clear(&node->unique, (size_t)count))
        out->fault = true;
    for (int32_t i = 0; i < count && !out->fault; i++) {
        size_t element = out->size;

        node->parts[0].append(&node->parts[0], out);
        if (out->fault)
            return;
        if (cs_gen_unique_add(&node->unique, out->data, element))
            kept++;
        else
            out->size = element;
    }
    finish(out, place, kept);
}

cs_gen_fn cs_gen_collection_fn(enum cs_type_kind kind)
{
    switch (kind) {
    case CS_TYPE_LIST:
        return append_list;
    case CS_TYPE_SET:
        return append_set;
    default:
        return NULL;
    }
}
