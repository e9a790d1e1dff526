/* generate_internal.h - how the values of one column are made: a node that
 * knows its type, salt and distributions, and a function that appends the next
 * value. The same node type serves a column and the parts of a nested type. */
#ifndef CS_GENERATE_GENERATE_INTERNAL_H
#define CS_GENERATE_GENERATE_INTERNAL_H

#include "base/arena.h"
#include "generate/generator.h"
#include "generate/unique_internal.h"
#include "random/stream.h"

struct cs_gen_node;

/* Appends the node's next value as a cell: int32 size, bytes. */
typedef void (*cs_gen_fn)(struct cs_gen_node *node, struct cs_buf *out);

/* Seeds the node and appends the first value: what every value column and most
 * keys do. */
typedef void (*cs_gen_first_fn)(struct cs_gen_node *node, int64_t seed,
                                struct cs_buf *out);

/* The first values of neighbouring columns, at least one, under the same seed:
 * all made by this function, all of the same fixed size. */
typedef void (*cs_gen_run_fn)(struct cs_gen_node *node, unsigned count,
                              int64_t seed, struct cs_buf *out);

/* The first value as a table's only key column, and the partition's seed that
 * follows from it; any at fault. */
typedef int64_t (*cs_gen_key_fn)(struct cs_gen_node *node, int64_t seed,
                                 struct cs_buf *out);

struct cs_gen_node {
    cs_gen_first_fn first;
    cs_gen_key_fn key;  /* NULL: first, then mixed */
    cs_gen_run_fn run;  /* NULL: one by one */
    unsigned run_count; /* columns of the run from this one on */
    cs_gen_fn append;
    int64_t salt;
    uint64_t start; /* what java.util.Random starts with for the salt alone */
    bool size_fixed;
    int32_t size; /* when fixed: characters, bytes or elements */
    bool plain;   /* identity is uniform(1..n), as it is by default */
    double above; /* of a plain one: n + 1 */
    bool legacy;  /* list or set by the rule of the original: unseeded size,
                     elements seeded with the column's seed */
    struct cs_dist identity;
    struct cs_dist size_dist;
    const struct cs_type *type;
    struct cs_gen_node *parts; /* element; key and value; fields */
    unsigned part_count;
    size_t element_size; /* vector: bytes of each element, 0 when they vary */
    struct cs_gen_unique unique; /* set, map: what has been drawn */
};

/* ---- plan.c ---- */

/* Fills the node for a column or a part of one. path is the column's name
 * followed by the steps down to the part. */
enum cs_code cs_gen_node_init(struct cs_gen_node *node,
                              const struct cs_generator_config *config,
                              struct cs_arena *arena, const char *name,
                              const struct cs_type *type,
                              struct cs_err *err) CS_MUST_USE;

/* The predefined tables' key: hex text in a blob. */
enum cs_code cs_gen_node_init_hex(struct cs_gen_node *node,
                                  const struct cs_generator_config *config,
                                  const char *name, const struct cs_type *type,
                                  struct cs_err *err) CS_MUST_USE;
void cs_gen_node_release(struct cs_gen_node *node);

/* Counts for each of a table's columns those that are made in one run. */
void cs_gen_find_runs(struct cs_gen_node *columns, unsigned count);

/* The rule of exactly this name, or NULL. */
const struct cs_column_rule *
cs_gen_rule(const struct cs_generator_config *config, const char *name);

/* ---- generator.c ---- */

/* Averages of a clustering level: its values below a parent, and the rows
 * below each of them. */
int64_t cs_generator_average(const struct cs_generator *gen, unsigned level);
int64_t cs_generator_below(const struct cs_generator *gen, unsigned level);

/* ---- drawing ---- */

void cs_gen_seed_parts(struct cs_gen_node *node, int64_t seed);

/* Starts the node's stream of values. */
CS_INLINE void cs_gen_seed(struct cs_gen_node *node, int64_t seed)
{
    cs_dist_seed(&node->identity, seed ^ node->salt);
    if (CS_UNLIKELY(node->legacy))
        cs_gen_seed_parts(node, seed);
}

/* The identity of a plain node at u, a multiple of 2^-53 in [0, 1). Same as
 * cs_dist_next without its limits: 1 - u is exact, so that the sum is never
 * below 1; u lacks more of 1 than rounding gives back, so that it never reaches
 * n + 1. */
CS_INLINE int64_t cs_gen_plain_at(const struct cs_gen_node *node, double u)
{
    return (int64_t)(node->above * u + (1.0 - u));
}

/* The next identity of a plain node whose stream is not kept in it. */
CS_INLINE int64_t cs_gen_plain_next(const struct cs_gen_node *node,
                                    struct cs_java_random *random)
{
    return cs_gen_plain_at(node, cs_java_random_double(random));
}

CS_INLINE int64_t cs_gen_plain_id(const struct cs_gen_node *node, int64_t seed)
{
    struct cs_java_random random = {.state =
                                        (uint64_t)seed << 16 ^ node->start};

    return cs_gen_plain_next(node, &random);
}

/* Seeds the node and draws its first identity. A plain one stays in registers:
 * where only the first is drawn, nothing else has to be kept. */
CS_INLINE int64_t cs_gen_first_id(struct cs_gen_node *node, int64_t seed)
{
    if (CS_LIKELY(node->plain))
        return cs_gen_plain_id(node, seed);
    cs_gen_seed(node, seed);
    return cs_dist_next(&node->identity);
}

/* Size of a value whose size belongs to a seed. Never negative (where the
 * original fails). */
CS_INLINE size_t cs_gen_size(struct cs_gen_node *node, int64_t seed)
{
    int32_t size;

    if (CS_LIKELY(node->size_fixed))
        return (size_t)node->size;
    cs_dist_seed(&node->size_dist, seed);
    size = (int32_t)cs_dist_next(&node->size_dist);
    return size > 0 ? (size_t)size : 0;
}

/* ---- the families: gen_*.c ---- */

/* The function for a type's values, or NULL when that family has none. */
cs_gen_fn cs_gen_bytes_fn(enum cs_type_kind kind);
cs_gen_fn cs_gen_number_fn(enum cs_type_kind kind, enum cs_dialect dialect);
cs_gen_fn cs_gen_time_fn(enum cs_type_kind kind);
cs_gen_fn cs_gen_uuid_fn(enum cs_type_kind kind, enum cs_dialect dialect);
cs_gen_fn cs_gen_inet_fn(enum cs_type_kind kind, unsigned family);
cs_gen_fn cs_gen_collection_fn(enum cs_type_kind kind);
cs_gen_fn cs_gen_nested_fn(enum cs_type_kind kind);

void cs_gen_hex_key(struct cs_gen_node *node, struct cs_buf *out);
void cs_gen_hex_first(struct cs_gen_node *node, int64_t seed,
                      struct cs_buf *out);

/* Makes and mixes at once; NULL where the distributions do not allow it. */
cs_gen_key_fn cs_gen_hex_key_fn(const struct cs_gen_node *node);

/* Faster ways to a first value than seeding and appending, chosen by the
 * node's distributions; NULL when there is none. */
cs_gen_first_fn cs_gen_bytes_first_fn(const struct cs_gen_node *node);
cs_gen_run_fn cs_gen_bytes_run_fn(const struct cs_gen_node *node);

/* ---- mix.c ---- */

/* The value (a cell's bytes without the size) mixed into a seed. */
int64_t cs_gen_mix(const struct cs_type *type, const uint8_t *bytes,
                   size_t size, int64_t seed);

int64_t cs_gen_mix_bytes(const uint8_t *bytes, size_t size, int64_t seed);

/* A big-endian number of two's complement in at most eight bytes. */
int64_t cs_gen_number(const uint8_t *bytes, size_t size);

/* ---- mix_set.c ---- */

/* A set of scalars, without its size in bytes. */
int64_t cs_gen_mix_set(const struct cs_type *element, const uint8_t *bytes,
                       int64_t seed);

/* Whether the original has values of the type; collections are none. */
CS_INLINE bool cs_gen_is_scalar(const struct cs_type *type)
{
    return type->kind < CS_TYPE_LIST && type->kind != CS_TYPE_DURATION;
}

/* ---- order.c ---- */

/* Whether Java gives the type a natural order. */
bool cs_gen_has_order(const struct cs_type *type);

/* Below, equal (0) or above, in that order. */
int cs_gen_compare(enum cs_type_kind kind, const uint8_t *a, size_t a_size,
                   const uint8_t *b, size_t b_size);

#endif
