/* tablets.c - a sorted list of tablets for each table: no two overlap. */
#include "client/tablets.h"

#include <stdlib.h>
#include <string.h>

/* The greatest token beside the pointer: a search looks at nothing else. */
struct entry {
    int64_t to;
    struct cs_tablet *tablet; /* owned */
};

struct table {
    uint32_t age;
    struct entry *entries; /* owned; ascending */
    size_t count;
    size_t cap;
};

struct cs_tablets {
    size_t max;
    size_t total;
    struct table *tables; /* owned; by index */
    unsigned table_count;
};

enum cs_code cs_tablets_new(size_t max, struct cs_tablets **out,
                            struct cs_err *err)
{
    struct cs_tablets *tablets = calloc(1, sizeof(*tablets));

    if (!tablets)
        return cs_fail(err, CS_ENOMEM, "no memory for tablets");
    tablets->max = max;
    *out = tablets;
    return CS_OK;
}

static void clear(struct cs_tablets *tablets, struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->entries[i].tablet);
    tablets->total -= table->count;
    table->count = 0;
}

void cs_tablets_free(struct cs_tablets *tablets)
{
    if (!tablets)
        return;
    for (unsigned i = 0; i < tablets->table_count; i++) {
        clear(tablets, &tablets->tables[i]);
        free(tablets->tables[i].entries);
    }
    free(tablets->tables);
    free(tablets);
}

size_t cs_tablets_count(const struct cs_tablets *tablets)
{
    return tablets->total;
}

bool cs_tablets_know(const struct cs_tablets *tablets, unsigned table)
{
    return table < tablets->table_count && tablets->tables[table].count;
}

/* The first entry that ends at the token or behind it. */
static size_t find_entry(const struct table *table, int64_t token)
{
    size_t low = 0;
    size_t high = table->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (table->entries[middle].to < token)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct cs_tablet *cs_tablets_find(const struct cs_tablets *tablets,
                                        unsigned table, int64_t token)
{
    const struct table *t;
    size_t at;

    if (table >= tablets->table_count)
        return NULL;
    t = &tablets->tables[table];
    at = find_entry(t, token);
    if (at == t->count || t->entries[at].tablet->from > token)
        return NULL;
    return t->entries[at].tablet;
}

/* ---- changes ---- */

static struct table *get_table(struct cs_tablets *tablets, unsigned table)
{
    struct table *more;

    if (table < tablets->table_count)
        return &tablets->tables[table];
    more = realloc(tablets->tables, (table + (size_t)1) * sizeof(*more));
    if (!more)
        return NULL;
    memset(more + tablets->table_count, 0,
           (table + (size_t)1 - tablets->table_count) * sizeof(*more));
    tablets->tables = more;
    tablets->table_count = table + 1;
    return &more[table];
}

static void drop_overlapped(struct cs_tablets *tablets, struct table *table,
                            int64_t from, int64_t to)
{
    size_t first = find_entry(table, from);
    size_t end = first;

    while (end < table->count && table->entries[end].tablet->from <= to) {
        free(table->entries[end].tablet);
        end++;
    }
    if (end == first)
        return;
    memmove(table->entries + first, table->entries + end,
            (table->count - end) * sizeof(*table->entries));
    table->count -= end - first;
    tablets->total -= end - first;
}

static bool make_room(struct table *table)
{
    size_t cap = table->cap ? table->cap * 2 : 16;
    struct entry *more;

    if (table->count < table->cap)
        return true;
    more = realloc(table->entries, cap * sizeof(*more));
    if (!more)
        return false;
    table->entries = more;
    table->cap = cap;
    return true;
}

static struct cs_tablet *make_tablet(int64_t from, int64_t to,
                                     const struct cs_replica *replicas,
                                     unsigned count)
{
    struct cs_tablet *tablet =
        malloc(sizeof(*tablet) + count * sizeof(*replicas));

    if (!tablet)
        return NULL;
    tablet->from = from;
    tablet->to = to;
    tablet->count = count;
    memcpy(tablet->replicas, replicas, count * sizeof(*replicas));
    return tablet;
}

/* Overlapped ones are gone already. */
static bool insert(struct cs_tablets *tablets, struct table *table,
                   struct cs_tablet *tablet)
{
    size_t at;

    if (!tablet || tablets->total >= tablets->max || !make_room(table)) {
        free(tablet);
        return false;
    }
    at = find_entry(table, tablet->from);
    memmove(table->entries + at + 1, table->entries + at,
            (table->count - at) * sizeof(*table->entries));
    table->entries[at] = (struct entry){.to = tablet->to, .tablet = tablet};
    table->count++;
    tablets->total++;
    return true;
}

static bool replace(struct cs_tablets *tablets, struct table *table,
                    int64_t from, int64_t to, const struct cs_replica *replicas,
                    unsigned count)
{
    drop_overlapped(tablets, table, from, to);
    return insert(tablets, table, make_tablet(from, to, replicas, count));
}

bool cs_tablets_learn(struct cs_tablets *tablets, unsigned table, int64_t first,
                      int64_t last, const struct cs_replica *replicas,
                      unsigned count)
{
    struct table *t = get_table(tablets, table);
    bool done = true;

    if (!t)
        return false;
    if (first < last)
        return replace(tablets, t, first + 1, last, replicas, count);
    if (first < INT64_MAX)
        done = replace(tablets, t, first + 1, INT64_MAX, replicas, count);
    return replace(tablets, t, INT64_MIN, last, replicas, count) && done;
}

void cs_tablets_renew(struct cs_tablets *tablets, unsigned table, uint32_t age)
{
    struct table *t = get_table(tablets, table);

    if (!t || t->age == age)
        return;
    clear(tablets, t);
    t->age = age;
}

void cs_tablets_sweep(struct cs_tablets *tablets,
                      bool (*keep)(const void *ctx,
                                   const struct cs_tablet *tablet),
                      const void *ctx)
{
    for (unsigned i = 0; i < tablets->table_count; i++) {
        struct table *t = &tablets->tables[i];
        size_t kept = 0;

        for (size_t k = 0; k < t->count; k++) {
            if (keep(ctx, t->entries[k].tablet))
                t->entries[kept++] = t->entries[k];
            else
                free(t->entries[k].tablet);
        }
        tablets->total -= t->count - kept;
        t->count = kept;
    }
}
