/* level.c - the values of one clustering column below one parent: drawn, rid
 * of duplicates, put in order. */
#include "generate/partition_internal.h"

#include <stdlib.h>

static const uint8_t *cell_of(const struct cs_gen_level *level, size_t i)
{
    return level->cells.data + level->places[i];
}

int64_t cs_gen_level_mix(const struct cs_gen_level *level, int64_t seed)
{
    const uint8_t *cell = cell_of(level, level->head);

    return cs_gen_mix(level->node->type, cell + 4, cs_load32(cell), seed);
}

int64_t cs_gen_level_draw_count(struct cs_gen_level *level, int64_t seed)
{
    int32_t count;

    /* The original hands a timeuuid's seed on to its inner timestamps only. */
    if (level->node->type->kind != CS_TYPE_TIMEUUID)
        cs_dist_seed(&level->cluster, seed ^ ~level->node->salt);
    count = (int32_t)cs_dist_next(&level->cluster);
    return CS_MAX(count, 0);
}

static bool make_room(struct cs_gen_level *level, size_t count)
{
    uint32_t *places;

    if (count <= level->place_cap)
        return true;
    places = realloc(level->places, count * sizeof(*places));
    if (!places)
        return false;
    level->places = places;
    level->place_cap = count;
    return true;
}

/* Draws so many values. A level for which memory runs out ends early and has
 * the buffer's fault. */
static void draw(struct cs_partition *p, struct cs_gen_level *level,
                 size_t count)
{
    struct cs_buf *cells = &level->cells;

    cs_buf_clear(cells);
    level->count = 0;
    level->head = 0;
    if (!make_room(level, count) ||
        (count > 1 && !cs_gen_unique_clear(&p->unique, count))) {
        cells->fault = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        size_t place = cells->size;

        level->node->append(level->node, cells);
        if (cells->fault)
            return;
        if (count == 1 || cs_gen_unique_add(&p->unique, cells->data, place))
            level->places[level->count++] = (uint32_t)place;
        else
            cells->size = place;
    }
}

static int compare(const struct cs_gen_level *level, uint32_t a, uint32_t b)
{
    const uint8_t *x = level->cells.data + a;
    const uint8_t *y = level->cells.data + b;

    return cs_gen_compare(level->node->type->kind, x + 4, cs_load32(x), y + 4,
                          cs_load32(y));
}

static void swap(uint32_t *places, size_t a, size_t b)
{
    uint32_t kept = places[a];

    places[a] = places[b];
    places[b] = kept;
}

/* Lets the value at the top of a heap of so many sink to its place. */
static void sink(struct cs_gen_level *level, size_t top, size_t count)
{
    uint32_t *places = level->places;

    for (size_t child = 2 * top + 1; child < count; child = 2 * top + 1) {
        if (child + 1 < count &&
            compare(level, places[child], places[child + 1]) < 0)
            child++;
        if (compare(level, places[top], places[child]) >= 0)
            return;
        swap(places, top, child);
        top = child;
    }
}

/* Heapsort: in place, where qsort may allocate. */
static void sort(struct cs_gen_level *level)
{
    for (size_t i = level->count / 2; i-- > 0;)
        sink(level, i, level->count);
    for (size_t i = level->count; i-- > 1;) {
        swap(level->places, 0, i);
        sink(level, 0, i);
    }
}

static void shuffle(struct cs_gen_level *level, struct cs_java_random *random)
{
    for (size_t i = level->count; i-- > 1;) {
        double roll = cs_java_random_double(random);

        swap(level->places, i, (size_t)(roll * (double)(i + 1)));
    }
}

void cs_gen_level_fill(struct cs_partition *p, struct cs_gen_level *level,
                       int64_t seed)
{
    cs_gen_seed(level->node, seed);
    draw(p, level, (size_t)cs_gen_level_draw_count(level, seed));
    if (level->count > 1 && p->order == CS_ORDER_SORTED &&
        cs_gen_has_order(level->node->type))
        sort(level);
    if (p->order == CS_ORDER_SHUFFLED)
        shuffle(level, &p->random);
    /* Fixed by the first value: rows below its siblings have the same
     * children. */
    level->seed = level->count ? cs_gen_level_mix(level, seed) : seed;
}
