/* gen_nested.c - map, tuple, user type and vector, which the original cannot
 * fill: the value has a number that seeds all its parts. */
#include "generate/generate_internal.h"
#include "types/vint.h"

static int64_t begin(struct cs_gen_node *node)
{
    int64_t id = cs_dist_next(&node->identity);

    for (unsigned i = 0; i < node->part_count; i++)
        cs_gen_seed(&node->parts[i], id);
    return id;
}

static void finish(struct cs_buf *out, size_t place)
{
    if (!out->fault)
        cs_store32(out->data + place, (uint32_t)(out->size - place - 4));
}

static void append_map(struct cs_gen_node *node, struct cs_buf *out)
{
    size_t place = out->size;
    size_t count = cs_gen_size(node, begin(node));
    uint32_t kept = 0;

    cs_buf_put64(out, 0);
    if (!cs_gen_unique_clear(&node->unique, count))
        out->fault = true;
    for (size_t i = 0; i < count && !out->fault; i++) {
        size_t entry = out->size;

        node->parts[0].append(&node->parts[0], out);
        node->parts[1].append(&node->parts[1], out);
        if (out->fault)
            return;
        if (cs_gen_unique_add(&node->unique, out->data, entry))
            kept++;
        else
            out->size = entry;
    }
    finish(out, place);
    if (!out->fault)
        cs_store32(out->data + place + 4, kept);
}

static void append_fields(struct cs_gen_node *node, struct cs_buf *out)
{
    size_t place = out->size;

    begin(node);
    cs_buf_put32(out, 0);
    for (unsigned i = 0; i < node->part_count; i++)
        node->parts[i].append(&node->parts[i], out);
    finish(out, place);
}

/* Elements of a vector have no int32 size in front: those of fixed length have
 * none at all, others a vint, which is never longer. */
static void append_element(struct cs_gen_node *node, struct cs_buf *out)
{
    size_t place = out->size;
    uint32_t size;
    size_t prefix;

    node->parts[0].append(&node->parts[0], out);
    if (out->fault)
        return;
    size = cs_load32(out->data + place);
    prefix = node->element_size ? 0 : cs_uvint_size(size);
    if (prefix > 4) {
        out->fault = true;
        return;
    }
    memmove(out->data + place + prefix, out->data + place + 4, size);
    out->size = place;
    if (prefix)
        cs_buf_put_uvint(out, size);
    out->size += size;
}

static void append_vector(struct cs_gen_node *node, struct cs_buf *out)
{
    size_t place = out->size;

    begin(node);
    cs_buf_put32(out, 0);
    for (uint32_t i = 0; i < node->type->dimension && !out->fault; i++)
        append_element(node, out);
    finish(out, place);
}

cs_gen_fn cs_gen_nested_fn(enum cs_type_kind kind)
{
    switch (kind) {
    case CS_TYPE_MAP:
        return append_map;
    case CS_TYPE_TUPLE:
    case CS_TYPE_UDT:
        return append_fields;
    case CS_TYPE_VECTOR:
        return append_vector;
    default:
        return NULL;
    }
}
