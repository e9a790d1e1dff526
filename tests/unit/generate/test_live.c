/* test_live.c - whole tables that the original wrote to a real server, written
 * again: by the rows of every partition, and the last write wins. */
#include "support/live.h"

#define ROWS_MOST 2000

struct row {
    char *cells[TEST_COLUMNS_MOST]; /* hex, NULL: null */
    int64_t op;                     /* the last one that wrote it */
};

struct store {
    const struct cs_table *table;
    struct row rows[ROWS_MOST];
    size_t count;
};

static bool is_set(const struct cs_type *type)
{
    return type->kind == CS_TYPE_SET;
}

/* The hex of a set with its elements in one order, whatever theirs was. */
static char *settle(const struct cs_type *type, const char *hex)
{
    char *elements[64];
    char *text;
    size_t count = 0;

    if (!hex)
        return NULL;
    if (!is_set(type))
        return strdup(hex);
    for (const char *p = hex + 8; *p; count++) {
        size_t size = 8 + 2 * strtoul(strndupa(p, 8), NULL, 16);

        elements[count] = strndup(p, size);
        p += size;
    }
    qsort(elements, count, sizeof(*elements), live_by_text);
    text = strndup(hex, strlen(hex));
    for (size_t i = 0, at = 8; i < count; i++) {
        memcpy(text + at, elements[i], strlen(elements[i]));
        at += strlen(elements[i]);
        free(elements[i]);
    }
    return text;
}

static bool same_cell(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static bool same_key(const struct store *store, const struct row *a,
                     const struct row *b, unsigned columns)
{
    (void)store;
    for (unsigned i = 0; i < columns; i++)
        if (!same_cell(a->cells[i], b->cells[i]))
            return false;
    return true;
}

static void release_row(const struct store *store, struct row *row)
{
    for (unsigned i = 0; i < store->table->column_count; i++)
        free(row->cells[i]);
}

/* Static cells belong to the partition; rows of one batch carry one timestamp,
 * and then the larger value stays. */
static void share_static(struct store *store, const struct row *row)
{
    for (size_t r = 0; r < store->count; r++) {
        struct row *other = &store->rows[r];

        if (!same_key(store, other, row, store->table->partition_count))
            continue;
        for (unsigned i = 0; i < store->table->column_count; i++) {
            if (store->table->columns[i].kind != CS_COLUMN_STATIC)
                continue;
            if (other->op == row->op &&
                strcmp(other->cells[i], row->cells[i]) > 0)
                continue;
            free(other->cells[i]);
            other->cells[i] = strdup(row->cells[i]);
        }
        other->op = row->op;
    }
}

static void adopt_static(struct store *store, struct row *row)
{
    for (size_t r = 0; r < store->count; r++) {
        const struct row *other = &store->rows[r];

        if (other == row || other->op != row->op ||
            !same_key(store, other, row, store->table->partition_count))
            continue;
        for (unsigned i = 0; i < store->table->column_count; i++) {
            if (store->table->columns[i].kind != CS_COLUMN_STATIC)
                continue;
            free(row->cells[i]);
            row->cells[i] = strdup(other->cells[i]);
        }
        return;
    }
}

static void upsert(struct store *store, struct row *row)
{
    struct row *place = &store->rows[store->count];

    for (size_t r = 0; r < store->count; r++)
        if (same_key(store, &store->rows[r], row,
                     cs_table_key_count(store->table)))
            place = &store->rows[r];
    share_static(store, row);
    if (place == &store->rows[store->count]) {
        assert_true(store->count < ROWS_MOST - 1);
        store->count++;
    } else {
        release_row(store, place);
    }
    *place = *row;
    adopt_static(store, place);
}

static void write_row(struct store *store, struct test_table *t, int64_t op)
{
    struct row row = {.op = op};

    for (unsigned i = 0; i < t->table.column_count; i++) {
        const char *hex = test_cell(t, i);

        row.cells[i] =
            strcmp(hex, "null") ? settle(t->table.columns[i].type, hex) : NULL;
    }
    upsert(store, &row);
}

/* One partition in its first visit; false: it has no rows. */
static bool write_partition(struct live_run *run, struct store *store,
                            int64_t position, int64_t op)
{
    struct cs_settings settings = {
        .command.count = 1,
        .population = {.sequence = true,
                       .seq_start = position,
                       .seq_end = position},
        .insert = {.visits = run->visits, .revisit = run->revisit},
        .compat.data = run->dialect,
    };
    struct cs_seeds *seeds;
    struct cs_seed seed;
    bool found;

    assert_int_equal(cs_seeds_new(&settings, &seeds, NULL), CS_OK);
    assert_true(cs_seeds_next_write(seeds, &seed));
    found = cs_generator_open_write(run->t.gen, &seed, 1, run->population);
    while (cs_generator_next(run->t.gen))
        write_row(store, &run->t, op);
    cs_seeds_free(seeds);
    return found;
}

/* A partition without rows costs no operation: positions go on, and wrap. */
static void write_all(struct live_run *run, struct store *store)
{
    int64_t position = run->first;

    for (int64_t op = 0; op < run->count;) {
        op += write_partition(run, store, position, op);
        position = position < run->last ? position + 1 : run->first;
    }
}

static void find_line(struct vector_file *v, struct store *store, json_t *json,
                      bool *seen)
{
    struct row want = {.op = 0};
    bool found = false;

    for (unsigned i = 0; i < store->table->column_count; i++) {
        const struct cs_column *column = &store->table->columns[i];

        want.cells[i] = settle(column->type, vector_string(json, column->name));
    }
    for (size_t r = 0; r < store->count && !found; r++) {
        found = !seen[r] && same_key(store, &store->rows[r], &want,
                                     store->table->column_count);
        seen[r] |= found;
    }
    release_row(store, &want);
    if (!found)
        fail_msg("%s:%d: no such row", v->path, v->line);
}

static void compare(struct live_run *run, struct store *store,
                    const char *dialect)
{
    static bool seen[ROWS_MOST];
    struct vector_file v;
    json_t *json;
    char name[128];
    int lines = 0;

    memset(seen, 0, sizeof(seen));
    snprintf(name, sizeof(name), "live/%s/%s.jsonl", run->folder, dialect);
    vector_open(&v, name);
    while ((json = vector_next_json(&v)) != NULL) {
        assert_int_equal(json_object_size(json), store->table->column_count);
        find_line(&v, store, json, seen);
        json_decref(json);
        lines++;
    }
    if (lines != (int)store->count)
        fail_msg("%s: %zu rows, want %d", name, store->count, lines);
}

static void writes_the_tables_of_the_original(void **state)
{
    static const char *const folders[] = {
        "batches",
        "clustering-last-level",
        "clustering-one",
        "clustering-three",
        "clustering-three-sorted",
        "composite-key",
        "empty-partitions",
        "four-threads",
        "frozen-keys",
        "insert-options",
        "inverted-first",
        "key-only",
        "populations",
        "predefined-columns",
        "predefined-nulls",
        "predefined-write",
        "revisit-multiplier",
        "row-population",
        "sequence-range",
        "sizes",
        "sorted-types",
        "spec-of-no-column",
        "static-columns",
        "tutorial",
        "types-collections",
        "types-scalar",
        "uneven-levels",
        "visits-two-levels",
        "wide-one-level",
        "wide-six-levels",
    };
    static const char *const dialects[] = {"c3", "c4"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(folders) * CS_COUNT(dialects); i++) {
        const char *dialect = dialects[i % 2];
        static struct store store;
        struct live_run run;

        live_open(&run, folders[i / 2], test_dialect(dialect));
        store = (struct store){.table = &run.t.table};
        write_all(&run, &store);
        compare(&run, &store, dialect);
        for (size_t r = 0; r < store.count; r++)
            release_row(&store, &store.rows[r]);
        live_release(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_tables_of_the_original),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
