/* live.h - the folders of vectors/live: a profile, the command that the
 * original ran with it, and the table that was there afterwards. Reads as much
 * of the profiles as decides about data. */
#ifndef CS_TESTS_SUPPORT_LIVE_H
#define CS_TESTS_SUPPORT_LIVE_H

#include "schema/ddl.h"
#include "support/generate.h"

struct live_run {
    const char *folder;
    enum cs_dialect dialect;
    struct test_table t;
    bool predefined;
    int64_t count;
    int64_t first, last; /* of the population */
    enum cs_order order;
    struct cs_dist_spec visits, revisit;
    double population; /* row-population-ratio */
};

/* The file's text in the arena. */
static inline char *live_text(struct live_run *run, const char *name)
{
    char path[512];
    char *text = cs_arena_alloc(&run->t.arena, 1 << 16);
    FILE *f;
    size_t size;

    snprintf(path, sizeof(path), "%s/live/%s/%s", CS_TEST_VECTORS, run->folder,
             name);
    f = fopen(path, "r");
    if (!f || !text)
        fail_msg("cannot open %s", path);
    size = fread(text, 1, (1 << 16) - 1, f);
    assert_true(size < (1 << 16) - 1);
    text[size] = 0;
    fclose(f);
    return text;
}

/* What follows the key up to a blank, a line end, '}' or ", "; in the arena,
 * NULL when the key is not there. */
static inline char *live_value(struct live_run *run, const char *text,
                               const char *key)
{
    const char *at = strstr(text, key);
    const char *end;

    if (!at)
        return NULL;
    at += strlen(key);
    at += strspn(at, " ");
    end = at + strcspn(at, " \n}");
    if (end > at && end[-1] == ',')
        end--;
    return cs_arena_bytes(&run->t.arena, at, (size_t)(end - at));
}

static inline double live_ratio(const char *text)
{
    struct cs_ratio_spec spec;
    struct cs_dist dist;
    struct cs_err err;

    if (cs_ratio_parse(text, &spec, NULL, &err))
        fail_msg("%s: %s", text, err.text);
    cs_dist_init(&dist, &spec.dist);
    return cs_ratio_next(&dist, spec.divisor);
}

static inline void live_read_command(struct live_run *run, const char *command)
{
    const char *value = live_value(run, command, " n=");

    run->predefined = strncmp(command, "user ", 5) != 0;
    run->count = strtoll(value, NULL, 10);
    run->first = 1;
    run->last = run->count;
    value = live_value(run, command, " seq=");
    if (value) {
        run->first = strtoll(value, NULL, 10);
        run->last = strtoll(strstr(value, "..") + 2, NULL, 10);
    }
    run->order = strstr(command, "contents=sorted") ? CS_ORDER_SORTED
                                                    : CS_ORDER_ARBITRARY;
    value = live_value(run, command, " visits=");
    run->visits = test_dist(value ? value : "fixed(1)");
    value = live_value(run, command, " revisit=");
    run->revisit = test_dist(value ? value : "uniform(1..1M)");
    value = live_value(run, command, " row-population-ratio=");
    run->population = value ? live_ratio(value) : 1;
}

static inline int live_by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline void live_predefined(struct live_run *run, const char *command)
{
    char *names = live_value(run, command, " names=");
    char *size = live_value(run, command, " size=");
    struct test_column columns[16] = {
        {"key", "blob", 'p', NULL, "fixed(10)", NULL}};
    const char *parts[8];
    char *rest;
    int count = 0;

    if (!names)
        names = cs_arena_text(&run->t.arena, "C0,C1,C2,C3,C4");
    for (char *p = strtok_r(names, ",", &rest); p;
         p = strtok_r(NULL, ",", &rest))
        parts[count++] = p;
    qsort(parts, (size_t)count, sizeof(*parts), live_by_text);
    for (int i = 0; i < count; i++)
        columns[i + 1] = (struct test_column){
            parts[i], "blob", 'v', NULL, size ? size : "fixed(34)", NULL};
    test_table_fill(&run->t, columns);
}

/* One entry of columnspec: its text from "name:" to before the next one. */
static inline void live_add_rule(struct live_run *run, const char *entry)
{
    run->t.rules[run->t.rule_count++] = test_rule(
        live_value(run, entry, "name:"), live_value(run, entry, "population:"),
        live_value(run, entry, "size:"), live_value(run, entry, "cluster:"));
}

static inline void live_read_specs(struct live_run *run, char *specs)
{
    char *end = specs + strlen(specs);
    char *entry;

    for (char *p = specs; (p = strchr(p, '\n')) != NULL; p++) {
        if (p[1] != ' ' && p[1] != '\n') {
            end = p;
            break;
        }
    }
    *end = 0;
    entry = strstr(specs, "name:");
    while (entry) {
        char *next = strstr(entry + 5, "name:");

        if (next)
            next[-1] = 0;
        live_add_rule(run, entry);
        entry = next;
    }
}

static inline void live_profile(struct live_run *run, char *profile)
{
    char *ddl = strstr(profile, "CREATE TABLE");
    char *specs = strstr(profile, "\ncolumnspec:\n");
    struct cs_err err;

    assert_non_null(ddl);
    if (specs)
        live_read_specs(run, specs + 13);
    *strchr(ddl, ';') = 0;
    if (cs_ddl_table(ddl, &run->t.arena, NULL, NULL, &run->t.table, &err))
        fail_msg("%s: %s", run->folder, err.text);
}

static inline void live_open(struct live_run *run, const char *folder,
                             enum cs_dialect dialect)
{
    const char *command;

    memset(run, 0, sizeof(*run));
    run->folder = folder;
    run->dialect = dialect;
    test_table_start(&run->t);
    command = live_text(run, "command.txt");
    live_read_command(run, command);
    if (run->predefined)
        live_predefined(run, command);
    else
        live_profile(run, live_text(run, "profile.yaml"));
    test_table_open(&run->t, run->predefined ? "randomstr" : "seed for stress",
                    run->predefined, dialect, run->order);
}

static inline void live_release(struct live_run *run)
{
    test_table_release(&run->t);
}

#endif
