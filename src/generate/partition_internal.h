/* partition_internal.h - the rows of a partition with clustering columns, in
 * the order of the original. */
#ifndef CS_GENERATE_PARTITION_INTERNAL_H
#define CS_GENERATE_PARTITION_INTERNAL_H

#include "generate/generate_internal.h"

/* One clustering column. */
struct cs_gen_level {
    struct cs_gen_node *node;
    struct cs_dist cluster;
    int64_t average; /* values per parent: C of the specification */
    int64_t below;   /* rows below each value, on average: D */
    /* the values below the current parent, as cells; those before head have
     * been used */
    struct cs_buf cells;
    uint32_t *places; /* of each cell */
    size_t place_cap;
    size_t count;
    size_t head;
    int64_t seed;  /* what the next level is seeded with (and, with the leaf's
                      value, the row) */
    double factor; /* what earlier rolls do to the chance: f */
    double weight; /* of the next roll: w */
    struct cs_buf row; /* the current row's cell */
};

struct cs_partition {
    struct cs_gen_level *levels;
    unsigned count; /* of levels */
    int64_t *at;    /* per level: index of the head among its siblings */
    int64_t *last;  /* per level: where the visit ends */
    enum cs_order order;
    struct cs_java_random random; /* of select and of shuffling */
    struct cs_gen_unique unique;
    double max_rows;
    double min_rows;
    /* of the open visit */
    int64_t seed; /* the partition's */
    double chance;
    bool first_slice;
    bool one_visit;
};

/* count is that of the clustering columns, above 0. nodes and the arena must
 * outlive the partition. */
enum cs_code cs_partition_init(struct cs_partition *p,
                               const struct cs_generator_config *config,
                               struct cs_arena *arena,
                               struct cs_gen_node *nodes,
                               struct cs_err *err) CS_MUST_USE;
void cs_partition_release(struct cs_partition *p);

/* Go to the first row of the visit; false: there is none. */
bool cs_partition_open_write(struct cs_partition *p, int64_t partition_seed,
                             const struct cs_seed *seed, double select);
bool cs_partition_open_read(struct cs_partition *p, int64_t partition_seed,
                            int64_t written, double target, bool all);

/* To the next row; false: the visit is over. */
bool cs_partition_step(struct cs_partition *p);

/* What the value columns of the current row are seeded with. */
int64_t cs_partition_row_seed(const struct cs_partition *p);

/* Whether the visit reached the end of the partition. */
bool cs_partition_finished(const struct cs_partition *p);

/* ---- level.c ---- */

/* Draws the level's values below a parent of this seed. */
void cs_gen_level_fill(struct cs_partition *p, struct cs_gen_level *level,
                       int64_t seed);

/* Values that a fill with this seed would draw, duplicates included. */
int64_t cs_gen_level_draw_count(struct cs_gen_level *level, int64_t seed);

CS_INLINE size_t cs_gen_level_left(const struct cs_gen_level *level)
{
    return level->count - level->head;
}

/* The head's value mixed into a seed. */
int64_t cs_gen_level_mix(const struct cs_gen_level *level, int64_t seed);

#endif
