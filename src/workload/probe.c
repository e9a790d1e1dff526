/* probe.c - asks a table for the keys that each dialect makes of the same
 * positions, and weighs what is there. */
#include "workload/probe.h"
#include "base/clock.h"
#include "schema/ident.h"
#include "workload/workload_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* Positions of the population that are looked at. */
#define POSITIONS_MAX 10
/* Longest key or statement. */
#define PROBE_MAX ((size_t)1 << 24)

enum { C4, C3, C2, DIALECTS };

static const enum cs_dialect dialects[DIALECTS] = {
    [C4] = CS_DATA_C4, [C3] = CS_DATA_C3, [C2] = CS_DATA_C2};

/* What was found in all tables. */
struct tally {
    unsigned tables;
    unsigned positions;
    unsigned c4;    /* positions with rows under keys that c4 alone makes */
    unsigned older; /* likewise of c3 and c2 */
    unsigned by_c3; /* of these: told apart by a uuid */
    unsigned by_c2;
};

/* One table. */
struct probe {
    const struct cs_settings *settings;
    const struct cs_driver_ops *db;
    const struct cs_source *source;
    const struct cs_statement *select;
    struct cs_session *session;
    struct cs_generator *generators[DIALECTS];
    struct cs_seeds *seeds[DIALECTS];
    struct cs_buf keys[DIALECTS]; /* of the position */
    struct tally *tally;
};

/* One read; embedded, so that the callbacks find it. */
struct look {
    struct cs_operation op;
    bool done;
    bool found;
    int equal_halves; /* of the first uuid in the row: 1, 0, or -1: none */
    struct cs_outcome outcome;
    char message[256];
};

/* ---- positions ---- */

static size_t list_positions(const struct cs_settings_population *population,
                             int64_t out[POSITIONS_MAX])
{
    size_t count = 0;

    for (int i = 0; i < POSITIONS_MAX; i++) {
        uint64_t width =
            (uint64_t)population->seq_end - (uint64_t)population->seq_start;
        uint64_t ninths = width / 9 * (uint64_t)i + width % 9 * (uint64_t)i / 9;
        int64_t position =
            population->sequence
                ? (int64_t)((uint64_t)population->seq_start + ninths)
                : cs_dist_inverse(&population->dist, (i + 0.5) / POSITIONS_MAX);

        if (!count || out[count - 1] != position)
            out[count++] = position;
    }
    return count;
}

/* ---- the statement ---- */

static bool is_uuid(const struct cs_column *column)
{
    return column->type->kind == CS_TYPE_UUID;
}

/* The primary key, then the value columns that tell c3 and c2 apart. */
static void put_select(struct cs_buf *cql, const struct cs_table *table)
{
    unsigned keys = cs_table_key_count(table);

    for (unsigned i = 0; i < table->column_count; i++) {
        if (i >= keys && !is_uuid(&table->columns[i]))
            continue;
        cs_buf_puts(cql, i ? ", " : "SELECT ");
        cs_ident_put(cql, table->columns[i].name);
    }
    cs_buf_puts(cql, " FROM ");
    cs_ident_put_table(cql, table->keyspace, table->name);
    cs_cql_put_where(cql, table, table->partition_count);
    cs_buf_puts(cql, " LIMIT 1");
}

static enum cs_code prepare(struct probe *probe, struct cs_driver *driver,
                            struct cs_err *err)
{
    const struct cs_table *table = probe->source->table;
    struct cs_statement_options options =
        cs_workload_options(probe->settings, true);
    struct cs_buf cql;
    enum cs_code rc;

    cs_buf_init(&cql, PROBE_MAX);
    put_select(&cql, table);
    rc = cs_buf_check(&cql, "query", err);
    if (!rc)
        rc = probe->db->prepare(driver, table->keyspace, cs_buf_text(&cql),
                                &options, &probe->select, err);
    cs_buf_release(&cql);
    return rc;
}

static enum cs_code make_generators(struct probe *probe, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (int i = 0; i < DIALECTS && !rc; i++) {
        struct cs_settings settings = *probe->settings;
        struct cs_generator_config config;

        settings.compat.data = dialects[i];
        config = cs_source_config(probe->source, &settings);
        rc = cs_generator_new(&config, &probe->generators[i], err);
        if (!rc)
            rc = cs_seeds_new(&settings, &probe->seeds[i], err);
    }
    return rc;
}

/* ---- one read ---- */

/* Columns behind the partition key: c3 makes both halves of a uuid the same,
 * c2 does not. */
static void look_at_row(struct cs_operation *op, const struct cs_rows *rows)
{
    struct look *look = CS_CONTAINER(op, struct look, op);
    const struct cs_statement *statement = op->statement;
    struct cs_reader cells = rows->cells;

    if (!rows->row_count)
        return;
    look->found = true;
    for (uint32_t i = 0; i < rows->column_count; i++) {
        int32_t size = (int32_t)cs_read32(&cells);
        const uint8_t *cell = cs_read_bytes(&cells, (size_t)CS_MAX(size, 0));

        if (i < statement->bind_count || i >= statement->result_count ||
            statement->results[i].type->kind != CS_TYPE_UUID || !cell ||
            size != 16)
            continue;
        look->equal_halves = !memcmp(cell, cell + 8, 8);
        return;
    }
}

static void look_done(struct cs_operation *op, const struct cs_outcome *outcome)
{
    struct look *look = CS_CONTAINER(op, struct look, op);

    look->done = true;
    look->outcome = *outcome;
    snprintf(look->message, sizeof(look->message), "%.*s",
             (int)outcome->message_size, outcome->message);
}

static enum cs_code read_key(struct probe *probe, const struct cs_buf *key,
                             struct look *look, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    *look = (struct look){.equal_halves = -1,
                          .op = {.statement = probe->select,
                                 .values = *key,
                                 .row_count = 1,
                                 .timestamp_us = cs_wall_ns() / CS_NS_PER_US,
                                 .on_rows = look_at_row,
                                 .on_done = look_done}};
    probe->db->submit(probe->session, &look->op);
    while (!look->done && !rc)
        rc = probe->db->poll(probe->session, cs_now_ns() + CS_NS_PER_S, err);
    if (!rc && look->outcome.result != CS_RESULT_OK)
        rc = cs_fail(err, CS_EFAILED, "%s: %s",
                     cs_result_class_name(look->outcome.result), look->message);
    return rc;
}

/* ---- one position ---- */

static bool same(const struct cs_buf *a, const struct cs_buf *b)
{
    return a->size == b->size && !memcmp(a->data, b->data, a->size);
}

static enum cs_code make_keys(struct probe *probe, int64_t position,
                              struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (int i = 0; i < DIALECTS && !rc; i++) {
        struct cs_seed seed = {.position = position,
                               .value =
                                   cs_seeds_value(probe->seeds[i], position)};

        cs_generator_open_key(probe->generators[i], &seed);
        cs_buf_clear(&probe->keys[i]);
        for (unsigned j = 0; j < probe->source->table->partition_count; j++)
            cs_generator_put(probe->generators[i], j, &probe->keys[i]);
        rc = cs_buf_check(&probe->keys[i], "partition key", err);
    }
    return rc;
}

/* A key that two dialects share speaks for neither against the other. */
static void count_votes(struct probe *probe, const struct look looks[DIALECTS])
{
    const struct cs_buf *keys = probe->keys;
    struct tally *tally = probe->tally;
    bool c3_alone = !same(&keys[C3], &keys[C4]);
    bool c2_alone = !same(&keys[C2], &keys[C4]);
    bool c3 = c3_alone && looks[C3].found;
    bool c2 = c2_alone && looks[C2].found;

    tally->c4 += c3_alone && c2_alone && looks[C4].found;
    tally->older += c3 || c2;
    if (!same(&keys[C3], &keys[C2])) {
        tally->by_c3 += c3;
        tally->by_c2 += c2;
    } else if (c3) {
        tally->by_c3 += looks[C3].equal_halves == 1;
        tally->by_c2 += looks[C3].equal_halves == 0;
    }
}

static enum cs_code probe_position(struct probe *probe, int64_t position,
                                   struct cs_err *err)
{
    struct look looks[DIALECTS];
    enum cs_code rc = make_keys(probe, position, err);

    for (int i = 0; i < DIALECTS && !rc; i++) {
        if (i == C2 && same(&probe->keys[C2], &probe->keys[C3]))
            looks[C2] = looks[C3];
        else
            rc = read_key(probe, &probe->keys[i], &looks[i], err);
    }
    if (!rc) {
        probe->tally->positions++;
        count_votes(probe, looks);
    }
    return rc;
}

/* ---- one table ---- */

static enum cs_code probe_positions(struct probe *probe, struct cs_err *err)
{
    int64_t positions[POSITIONS_MAX];
    size_t count = list_positions(&probe->settings->population, positions);
    enum cs_code rc = CS_OK;

    for (size_t i = 0; i < count && !rc; i++)
        rc = probe_position(probe, positions[i], err);
    return rc;
}

static enum cs_code probe_table(const struct cs_workload *w,
                                struct cs_driver *driver,
                                const struct cs_source *source,
                                struct tally *tally, struct cs_err *err)
{
    struct probe probe = {
        .settings = w->settings, .db = w->db, .source = source, .tally = tally};
    enum cs_code rc;

    tally->tables++;
    for (int i = 0; i < DIALECTS; i++)
        cs_buf_init(&probe.keys[i], PROBE_MAX);
    rc = make_generators(&probe, err);
    if (!rc)
        rc = prepare(&probe, driver, err);
    if (!rc)
        rc = w->db->session_new(driver, 1, &probe.session, err);
    if (!rc)
        rc = probe_positions(&probe, err);
    if (probe.session)
        w->db->session_free(probe.session);
    for (int i = 0; i < DIALECTS; i++) {
        cs_generator_free(probe.generators[i]);
        cs_seeds_free(probe.seeds[i]);
        cs_buf_release(&probe.keys[i]);
    }
    return rc ? cs_while(err, "looking into %s.%s for its data dialect",
                         source->table->keyspace, source->table->name)
              : CS_OK;
}

/* ---- the tables of the command ---- */

static enum cs_code probe_profile(struct cs_workload *w,
                                  struct cs_driver *driver,
                                  const struct cs_profile *profile,
                                  struct tally *tally, struct cs_err *err)
{
    struct cs_source source = {0};
    enum cs_code rc =
        cs_workload_profile_source(w, driver, profile, &source, NULL, err);

    if (rc == CS_EINVALID && !source.table)
        return CS_OK;
    return rc ? rc : probe_table(w, driver, &source, tally, err);
}

/* Whether a command, or a part of mixed, works with that table. */
static bool uses(const struct cs_settings_command *command, bool counters)
{
    if (command->type != CS_COMMAND_MIXED)
        return counters == (command->type == CS_COMMAND_COUNTER_WRITE ||
                            command->type == CS_COMMAND_COUNTER_READ);
    for (size_t i = 0; i < command->op_count; i++)
        if (counters == !strncmp(command->ops[i].name, "COUNTER", 7))
            return true;
    return false;
}

static enum cs_code probe_predefined(struct cs_workload *w,
                                     struct cs_driver *driver,
                                     struct tally *tally, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (int counters = 0; counters < 2 && !rc; counters++) {
        struct cs_source source = {0};
        struct cs_table *there = NULL;

        if (!uses(&w->settings->command, counters))
            continue;
        rc = cs_workload_predefined_source(w, counters, &source, err);
        if (!rc)
            rc = w->db->table(driver, source.table->keyspace,
                              source.table->name, &w->arena, &there, err);
        if (rc == CS_EINVALID)
            rc = CS_OK;
        else if (!rc)
            rc = probe_table(w, driver, &source, tally, err);
    }
    return rc;
}

/* ---- the result ---- */

static void judge(const struct tally *t, const struct cs_settings *settings,
                  struct cs_probe *out)
{
    static const char *const names[] = {"c4", "c3", "c2"};
    int found = C4;

    out->decided = (t->c4 > 0) != (t->older > 0);
    if (out->decided && t->older)
        found = t->by_c2 > t->by_c3 ? C2 : C3;
    else if (!out->decided && settings->compat.level == CS_LEVEL_3_11)
        found = C3;
    out->dialect = dialects[found];
    if (out->decided)
        snprintf(out->words, sizeof(out->words),
                 "-compat data=probe: the data are %s: %u of the %u partitions "
                 "looked for are there",
                 names[found], t->c4 + t->older, t->positions);
    else if (!t->tables)
        snprintf(out->words, sizeof(out->words),
                 "-compat data=probe: undecided, taking %s: there is no table "
                 "yet",
                 names[found]);
    else if (!t->c4)
        snprintf(out->words, sizeof(out->words),
                 "-compat data=probe: undecided, taking %s: none of the %u "
                 "partitions looked for tells a dialect from the others",
                 names[found], t->positions);
    else
        snprintf(out->words, sizeof(out->words),
                 "-compat data=probe: undecided, taking %s: of the %u "
                 "partitions looked for %u are there as c4 and %u as c3 or c2",
                 names[found], t->positions, t->c4, t->older);
}

enum cs_code cs_workload_probe(const struct cs_settings *settings,
                               const struct cs_driver_ops *db,
                               struct cs_driver *driver,
                               struct cs_profile *const *profiles,
                               size_t profile_count, struct cs_probe *out,
                               struct cs_err *err)
{
    struct cs_workload w = {.settings = settings, .db = db};
    struct tally tally = {0};
    enum cs_code rc = CS_OK;

    cs_arena_init(&w.arena);
    if (!profile_count)
        rc = probe_predefined(&w, driver, &tally, err);
    for (size_t i = 0; i < profile_count && !rc; i++)
        rc = probe_profile(&w, driver, profiles[i], &tally, err);
    cs_arena_release(&w.arena);
    if (!rc)
        judge(&tally, settings, out);
    return rc;
}
