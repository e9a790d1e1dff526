/* partition.c - the walk over the rows of a partition, visit by visit. */
#include "generate/partition_internal.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>

/* Bytes of all values of a level. */
#define CELLS_MOST (UINT32_C(1) << 31)

/* Bytes of one clustering value. */
#define CELL_MOST (UINT32_C(1) << 30)

/* Values of a level that a profile may ask for. */
#define CLUSTER_MOST (INT64_C(1) << 28)

/* A chance above this always hits; a float in the original. */
#define SURE ((double)0.99999F)

/* ---- start ---- */

static enum cs_code init_level(struct cs_gen_level *level,
                               struct cs_gen_node *node,
                               const struct cs_column_rule *rule,
                               struct cs_err *err)
{
    struct cs_dist_spec cluster = cs_dist_fixed(1);

    if (rule && rule->has_cluster)
        cluster = rule->cluster;
    if (rule && cs_dist_most(&cluster) > CLUSTER_MOST)
        return cs_fail(err, CS_EUNSUPPORTED,
                       "column '%s': cluster of up to %" PRId64
                       " values, expected at most %" PRId64,
                       rule->name, cs_dist_most(&cluster), CLUSTER_MOST);
    level->node = node;
    cs_dist_init(&level->cluster, &cluster);
    level->average = cs_dist_average(&cluster);
    cs_buf_init(&level->cells, CELLS_MOST);
    cs_buf_init(&level->row, CELL_MOST);
    return CS_OK;
}

/* The original divides by the averages below the top and fails at 0. */
static void count_rows(struct cs_partition *p)
{
    p->max_rows = 1;
    p->min_rows = 1;
    for (unsigned i = p->count; i-- > 0;) {
        struct cs_gen_level *level = &p->levels[i];
        struct cs_gen_level *child = level + 1;

        p->max_rows *= (double)cs_dist_max(&level->cluster.spec);
        p->min_rows *= (double)cs_dist_min(&level->cluster.spec);
        if (i > 0)
            level->average = CS_MAX(level->average, 1);
        level->below = 1;
        if (i + 1 < p->count)
            level->below = CS_MIN(child->average * child->below, INT32_MAX);
    }
}

enum cs_code cs_partition_init(struct cs_partition *p,
                               const struct cs_generator_config *config,
                               struct cs_arena *arena,
                               struct cs_gen_node *nodes, struct cs_err *err)
{
    const struct cs_table *table = config->table;
    const struct cs_column *columns = table->columns + table->partition_count;
    unsigned count = table->clustering_count;
    enum cs_code rc = CS_OK;

    p->levels = cs_arena_array(arena, count, sizeof(*p->levels));
    p->at = cs_arena_array(arena, count, sizeof(*p->at));
    p->last = cs_arena_array(arena, count, sizeof(*p->last));
    if (!p->levels || !p->at || !p->last)
        return cs_fail(err, CS_ENOMEM, "table '%s': out of memory",
                       table->name);
    p->count = count;
    p->order = config->order;
    for (unsigned i = 0; !rc && i < p->count; i++)
        rc = init_level(&p->levels[i], &nodes[i],
                        cs_gen_rule(config, columns[i].name), err);
    if (rc)
        return rc;
    count_rows(p);
    cs_java_random_seed(&p->random, cs_now_ns() ^ (int64_t)(intptr_t)p);
    return CS_OK;
}

void cs_partition_release(struct cs_partition *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        cs_buf_release(&p->levels[i].cells);
        cs_buf_release(&p->levels[i].row);
        free(p->levels[i].places);
    }
    cs_gen_unique_release(&p->unique);
}

/* ---- parts of the walk ---- */

static void fill(struct cs_partition *p, unsigned i)
{
    cs_gen_level_fill(p, &p->levels[i], i ? p->levels[i - 1].seed : p->seed);
}

static void drop(struct cs_gen_level *level)
{
    if (level->head < level->count)
        level->head++;
}

/* Drops the head of a level and moves on to its sibling. */
static void pass(struct cs_partition *p, unsigned depth)
{
    drop(&p->levels[depth]);
    p->at[depth]++;
}

/* Makes the head the row's value. */
static void take(struct cs_gen_level *level)
{
    const uint8_t *cell;

    if (!cs_gen_level_left(level))
        return;
    cell = level->cells.data + level->places[level->head];
    cs_buf_clear(&level->row);
    cs_buf_put(&level->row, cell, 4 + (size_t)cs_load32(cell));
}

/* A position in rows as an index per level, by the averages. */
static void decompose(const struct cs_partition *p, int64_t position,
                      int64_t *index)
{
    for (unsigned i = 0; i < p->count; i++) {
        index[i] = position / p->levels[i].below;
        position %= p->levels[i].below;
    }
    for (unsigned i = p->count; i-- > 1;) {
        int64_t average = p->levels[i].average;

        if (index[i] >= average) {
            index[i - 1] += index[i] / average;
            index[i] %= average;
        }
    }
}

/* Where the levels down to depth stand: behind the visit's last row (1), on it
 * (0), before it (-1). */
static int compare_with_last(const struct cs_partition *p, unsigned depth)
{
    bool behind = false;

    for (unsigned i = 0; i <= depth; i++) {
        size_t left = cs_gen_level_left(&p->levels[i]);

        if (!behind && p->at[i] > p->last[i])
            return 1;
        if (!behind && p->at[i] == p->last[i])
            continue;
        if (left > 1 || (!behind && left == 0))
            return -1;
        /* The last value in fact, though not in theory: whether this is the
         * last row depends on the levels below. */
        behind = true;
    }
    return 0;
}

static bool roll(struct cs_partition *p, const struct cs_gen_level *level)
{
    double chance = p->chance * level->weight;

    return chance > SURE || chance >= cs_java_random_double(&p->random);
}

/* From a level whose roll succeeded to the one below: the chances so far raise
 * those to come. */
static void enter(struct cs_partition *p, unsigned depth)
{
    struct cs_gen_level *level = &p->levels[depth];
    const struct cs_gen_level *parent = level - 1;

    if (p->chance < 1.0) {
        level->factor =
            parent->factor / CS_MIN(1.0, p->chance * parent->weight);
        level->weight = (double)level->below * level->factor;
    }
    p->at[depth] = 0;
    fill(p, depth);
}

/* From a level whose values are used up to the next value of the one above;
 * false: the visit ends there. */
static bool ascend(struct cs_partition *p, unsigned *depth)
{
    if (*depth == 0)
        return false;
    --*depth;
    pass(p, *depth);
    return p->at[*depth] <= p->last[*depth];
}

/* Looks from the head of the level at depth for the next row to offer. first:
 * no row has been offered, the last one possible is taken in any case. */
static bool search(struct cs_partition *p, unsigned depth, bool first)
{
    while (true) {
        struct cs_gen_level *level = &p->levels[depth];
        int order;

        if (!cs_gen_level_left(level)) {
            if (!ascend(p, &depth))
                return false;
            continue;
        }
        order = compare_with_last(p, depth);
        if (order > 0)
            return false;
        if ((first && order == 0) || roll(p, level)) {
            take(level);
            if (++depth == p->count)
                return true;
            enter(p, depth);
            continue;
        }
        if (order == 0)
            return false;
        pass(p, depth);
    }
}

bool cs_partition_step(struct cs_partition *p)
{
    pass(p, p->count - 1);
    return search(p, p->count - 1, false);
}

int64_t cs_partition_row_seed(const struct cs_partition *p)
{
    const struct cs_gen_level *leaf = &p->levels[p->count - 1];

    return cs_gen_level_mix(leaf, leaf->seed);
}

bool cs_partition_finished(const struct cs_partition *p)
{
    return !cs_gen_level_left(&p->levels[0]);
}

/* ---- the start of a visit ---- */

/* Level i has no value at its theoretical index: goes on with the next one of
 * the nearest level above. False: there is none. */
static bool step_over(struct cs_partition *p, unsigned i)
{
    unsigned up = i;

    do {
        if (up == 0)
            return false;
        drop(&p->levels[--up]);
    } while (!cs_gen_level_left(&p->levels[up]));
    p->at[up]++;
    for (unsigned k = up + 1; k < p->count; k++)
        p->at[k] = 0;
    for (unsigned k = up + 1; k <= i; k++)
        fill(p, k);
    return true;
}

/* To the row of this position. Stepping over leaves the row's values of the
 * levels above as they were, as in the original. */
static bool seek_inside(struct cs_partition *p, int64_t position)
{
    decompose(p, position, p->at);
    for (unsigned i = 0; i < p->count; i++) {
        struct cs_gen_level *level = &p->levels[i];

        fill(p, i);
        level->head = (size_t)CS_MIN(p->at[i], (int64_t)level->count);
        if (!cs_gen_level_left(level) && !step_over(p, i))
            return false;
        take(level);
    }
    if (compare_with_last(p, p->count - 1) > 0)
        return false;
    return search(p, p->count - 1, true);
}

static bool seek(struct cs_partition *p, int64_t position)
{
    if (position)
        return seek_inside(p, position);
    p->at[0] = 0;
    fill(p, 0);
    return search(p, 0, true);
}

static void open_visit(struct cs_partition *p, int64_t partition_seed,
                       double chance)
{
    p->seed = partition_seed;
    p->chance = chance;
    for (unsigned i = 0; i < p->count; i++) {
        p->levels[i].factor = 1;
        p->levels[i].weight = 1;
        cs_buf_clear(&p->levels[i].row);
    }
}

/* Rows of the partition, by its number of values at the top. */
static int64_t expect(struct cs_partition *p, int64_t partition_seed)
{
    struct cs_gen_level *top = &p->levels[0];

    return cs_gen_level_draw_count(top, partition_seed) * top->below;
}

/* Rows that a visit covers: one more than there can be when it is the only
 * one. */
static int64_t rows_per_visit(struct cs_partition *p, int64_t partition_seed,
                              int visits)
{
    if (visits == 1)
        return 1 + (int64_t)CS_MIN(CS_MAX(p->max_rows, 0), (double)INT32_MAX);
    return CS_MAX(expect(p, partition_seed) / visits, 1);
}

bool cs_partition_open_write(struct cs_partition *p, int64_t partition_seed,
                             const struct cs_seed *seed, double select)
{
    int visits = cs_seed_visits(seed);
    int64_t count = rows_per_visit(p, partition_seed, visits);
    int64_t alone = 0; /* where the next rows of a seed without entry start */

    p->one_visit = visits == 1;
    p->first_slice = false;
    open_visit(p, partition_seed, select);
    while (true) {
        int64_t start = seed->entry ? cs_seed_advance(seed, count) : alone;

        alone += count;
        p->first_slice |= start == 0;
        decompose(p, start + count - 1, p->last);
        if (seek(p, start))
            return true;
        if (cs_partition_finished(p))
            return false;
    }
}

/* A query's rows: by the rows written so far, or by all that there may be. */
bool cs_partition_open_read(struct cs_partition *p, int64_t partition_seed,
                            int64_t written, double target, bool all)
{
    int64_t expected = expect(p, partition_seed);

    if (written > 0) {
        decompose(p, written - 1, p->last);
        expected = 1;
        for (unsigned i = 0; i < p->count; i++)
            expected += p->last[i] * p->levels[i].below;
    } else {
        for (unsigned i = 0; i < p->count; i++)
            p->last[i] = INT32_MAX;
    }
    if (all || target >= (double)expected)
        target = (double)expected;
    p->one_visit = true;
    p->first_slice = true;
    open_visit(p, partition_seed,
               expected > 0 ? CS_MAX(target / (double)expected, 0) : 1);
    return seek(p, 0);
}
