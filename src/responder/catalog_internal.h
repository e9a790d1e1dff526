/* catalog_internal.h - the keyspaces and tables that statements speak of. */
#ifndef CS_RESPONDER_CATALOG_INTERNAL_H
#define CS_RESPONDER_CATALOG_INTERNAL_H

#include "protocol/notation.h"
#include "schema/table.h"

/* A word of CQL. */
struct cs_cql_word {
    char kind; /* w: word in lower case, q: quoted name, s: string, n: number,
                  else the character itself */
    const char *text;
    size_t start; /* where it stands in the statement */
};

struct cs_cql_words {
    struct cs_cql_word *list;
    size_t count;
};

/* Longest statement that is looked into. */
#define CS_CQL_MAX ((size_t)1 << 20)

/* Cuts a statement; comments are left out. Never fails on what is no CQL. */
enum cs_code cs_cql_words_cut(struct cs_view cql, struct cs_arena *arena,
                              struct cs_cql_words *out,
                              struct cs_err *err) CS_MUST_USE;
/* Word i, or one of kind 0 behind the last. */
const struct cs_cql_word *cs_cql_words_at(const struct cs_cql_words *words,
                                          size_t i);
bool cs_cql_words_is(const struct cs_cql_words *words, size_t i,
                     const char *word);
bool cs_cql_words_is_name(const struct cs_cql_words *words, size_t i);
/* "?", or the colon of ":name". */
bool cs_cql_words_is_marker(const struct cs_cql_words *words, size_t i);

struct cs_option_pair {
    const char *key;
    const char *value;
};

#define CS_REPLICATION_MAX 16

struct cs_known_space {
    const char *name;
    struct cs_option_pair replication[CS_REPLICATION_MAX];
    size_t replication_count;
    bool system;
};

struct cs_catalog {
    struct cs_arena arena;
    struct cs_known_space **spaces; /* owned list, content in the arena */
    size_t space_count;
    struct cs_table **tables;  /* likewise */
    struct cs_table **presets; /* likewise: those that nobody asked for */
    size_t preset_count;
    size_t table_count;
    const struct cs_type **types; /* likewise: user types */
    size_t type_count;
};

/* With the system's tables and those of the predefined commands. */
enum cs_code cs_catalog_init(struct cs_catalog *catalog,
                             struct cs_err *err) CS_MUST_USE;
void cs_catalog_release(struct cs_catalog *catalog);

struct cs_known_space *cs_catalog_space(const struct cs_catalog *catalog,
                                        const char *name);
struct cs_table *cs_catalog_table(const struct cs_catalog *catalog,
                                  const char *keyspace, const char *name);
/* Whether the responder answers for it by itself. */
bool cs_catalog_is_system(const struct cs_table *table);

/* What a schema change did: "CREATED" "TABLE" keyspace name. Texts live in the
 * catalog. */
struct cs_schema_step {
    const char *what;
    const char *target;
    const char *keyspace;
    const char *name;           /* NULL of a keyspace */
    const struct cs_table *was; /* of an altered table */
    const struct cs_table *now;
    bool exists; /* nothing was changed: it is there already */
};

/* Takes CREATE, ALTER and DROP of keyspaces, tables and types; all other
 * changes have no effect. keyspace: where names without one belong, or NULL.
 * *out->what NULL: nothing was changed. Tables and types that are gone stay in
 * memory, for those who still look at them. */
enum cs_code cs_catalog_change(struct cs_catalog *catalog, const char *keyspace,
                               struct cs_view cql, struct cs_schema_step *out,
                               struct cs_err *err) CS_MUST_USE;

/* ---- shared by catalog.c, alter.c and drop.c ---- */

/* A cs_udt_find_fn whose ctx is the catalog. */
const struct cs_type *cs_catalog_find_type(void *ctx, const char *name);
/* {'class': 'X', 'replication_factor': 1}, in the place of what it had. */
void cs_catalog_read_replication(struct cs_catalog *catalog,
                                 const struct cs_cql_words *words,
                                 struct cs_known_space *space);
/* All of a keyspace when name is NULL. */
void cs_catalog_drop_tables(struct cs_catalog *catalog, const char *keyspace,
                            const char *name);
enum cs_code cs_catalog_drop(struct cs_catalog *catalog, const char *keyspace,
                             const struct cs_cql_words *words,
                             struct cs_schema_step *out,
                             struct cs_err *err) CS_MUST_USE;
enum cs_code cs_catalog_alter(struct cs_catalog *catalog, const char *keyspace,
                              const struct cs_cql_words *words,
                              struct cs_schema_step *out,
                              struct cs_err *err) CS_MUST_USE;

#endif
