/* plan_internal.h - how a statement on a table of the user is carried out on
 * stored rows. */
#ifndef CS_RESPONDER_PLAN_INTERNAL_H
#define CS_RESPONDER_PLAN_INTERNAL_H

#include "responder/asked_internal.h"

enum cs_plan_verb {
    CS_PLAN_SELECT,
    CS_PLAN_WRITE, /* INSERT and UPDATE */
    CS_PLAN_DELETE,
    CS_PLAN_TRUNCATE,
};

/* A value: of a marker, or a constant. */
struct cs_term {
    int marker; /* -1: a constant */
    struct cs_bound constant;
};

enum cs_set_how {
    CS_SET_TO,
    CS_SET_ADD,  /* column = column + term */
    CS_SET_TAKE, /* column = column - term */
};

struct cs_set {
    unsigned column;
    enum cs_set_how how;
    struct cs_term term;
};

enum cs_test_how {
    CS_TEST_EQUAL,
    CS_TEST_BELOW,
    CS_TEST_MOST,
    CS_TEST_ABOVE,
    CS_TEST_LEAST,
    CS_TEST_IN,
    CS_TEST_IN_LIST, /* one term with a list of values */
    CS_TEST_OTHER,   /* != of a condition */
};

#define CS_TEST_TOKEN (-1)

struct cs_test {
    int column; /* or CS_TEST_TOKEN: of the partition key */
    enum cs_test_how how;
    const struct cs_term *terms;
    unsigned term_count;
};

enum cs_plan_if {
    CS_IF_NONE,
    CS_IF_EXISTS,
    CS_IF_NOT_EXISTS,
    CS_IF_TESTS,
};

/* What a column of the result is. */
enum {
    CS_SOURCE_COUNT = -1,
    CS_SOURCE_TOKEN = -2,
    CS_SOURCE_NOTHING = -3, /* a function that is not known: null */
};

struct cs_plan {
    enum cs_plan_verb verb;
    struct cs_set *sets;
    unsigned set_count;
    struct cs_test *tests; /* WHERE, and the key of an INSERT */
    unsigned test_count;
    enum cs_plan_if condition;
    struct cs_test *ifs;
    unsigned if_count;
    int *sources; /* column of the table, or a CS_SOURCE_ */
    bool stamped; /* USING TIMESTAMP */
    struct cs_term timestamp;
    bool limited;
    struct cs_term limit;
    bool distinct;
    bool backwards; /* ORDER BY ... DESC against the clustering order */
};

/* Sets script->plan, in the arena. Statements that are none on rows get none.
 * CS_EINVALID: more than is understood. */
enum cs_code cs_plan_read(struct cs_view cql, struct cs_arena *arena,
                          struct cs_script *script,
                          struct cs_err *err) CS_MUST_USE;

/* A constant from word i on, as a value of the type; *out_next: behind it. In
 * the arena. */
enum cs_code cs_constant_read(const struct cs_cql_words *words,
                              struct cs_view cql, size_t i,
                              const struct cs_type *type,
                              struct cs_arena *arena, struct cs_bound *out,
                              size_t *out_next, struct cs_err *err) CS_MUST_USE;

#endif
