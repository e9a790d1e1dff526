/* plan.c - reads what a statement does to rows: what all statements share. */
#include "responder/planning_internal.h"

enum cs_code cs_planning_refuse(const struct cs_planning *p)
{
    return cs_fail(p->err, CS_EINVALID,
                   "stored=: found '%.60s', which is more than is understood",
                   cs_cql_words_at(p->words, p->i)->text);
}

/* A column of the table. */
enum cs_code cs_planning_take_column(struct cs_planning *p, int *out)
{
    const char *name = cs_cql_words_at(p->words, p->i)->text;

    *out = cs_cql_words_is_name(p->words, p->i)
               ? cs_table_column(p->script->table, name)
               : -1;
    if (*out < 0)
        return cs_fail(p->err, CS_EINVALID,
                       "Undefined column name %.60s in table %s.%s", name,
                       p->script->table->keyspace, p->script->table->name);
    p->i++;
    return CS_OK;
}

enum cs_code cs_planning_take_term(struct cs_planning *p,
                                   const struct cs_type *type,
                                   struct cs_term *out)
{
    *out = (struct cs_term){.marker = -1};
    if (cs_cql_words_is_marker(p->words, p->i)) {
        out->marker = (int)p->marker;
        cs_planning_pass(p);
        return CS_OK;
    }
    return cs_constant_read(p->words, p->cql, p->i, type, p->arena,
                            &out->constant, &p->i, p->err);
}

const struct cs_type *cs_planning_type_of(const struct cs_planning *p,
                                          int column)
{
    return column < 0 ? cs_type_simple(CS_TYPE_BIGINT)
                      : p->script->table->columns[column].type;
}

/* ---- WHERE and IF ---- */

static enum cs_code take_how(struct cs_planning *p, enum cs_test_how *out)
{
    bool more_or_less =
        cs_planning_is_sign(p, '<') || cs_planning_is_sign(p, '>');
    bool below = cs_planning_is_sign(p, '<');

    if (more_or_less) {
        p->i++;
        *out = below ? CS_TEST_BELOW : CS_TEST_ABOVE;
        if (cs_planning_take_sign(p, '='))
            *out = below ? CS_TEST_MOST : CS_TEST_LEAST;
        return CS_OK;
    }
    if (cs_planning_take_sign(p, '=')) {
        *out = CS_TEST_EQUAL;
        return CS_OK;
    }
    if (cs_planning_take_sign(p, '!')) {
        *out = CS_TEST_OTHER;
        return cs_planning_take_sign(p, '=') ? CS_OK : cs_planning_refuse(p);
    }
    *out = CS_TEST_IN;
    return cs_planning_take(p, "in") ? CS_OK : cs_planning_refuse(p);
}

/* (?, 5) or ?, the latter bound to a list. */
static enum cs_code take_in(struct cs_planning *p, struct cs_test *test,
                            struct cs_term *terms)
{
    const struct cs_type *type = cs_planning_type_of(p, test->column);
    enum cs_code rc;

    if (!cs_planning_take_sign(p, '(')) {
        test->how = CS_TEST_IN_LIST;
        test->term_count = 1;
        return cs_cql_words_is_marker(p->words, p->i)
                   ? cs_planning_take_term(p, type, terms)
                   : cs_planning_refuse(p);
    }
    do {
        rc = cs_planning_take_term(p, type, &terms[test->term_count]);
        test->term_count++;
    } while (!rc && cs_planning_take_sign(p, ','));
    if (!rc && !cs_planning_take_sign(p, ')'))
        rc = cs_planning_refuse(p);
    return rc;
}

/* column how term */
static enum cs_code take_test(struct cs_planning *p, struct cs_test *out)
{
    struct cs_term *terms =
        cs_arena_array(p->arena, p->words->count, sizeof(*terms));
    enum cs_code rc = CS_OK;

    *out = (struct cs_test){.column = CS_TEST_TOKEN, .terms = terms};
    if (!terms)
        return cs_fail(p->err, CS_ENOMEM, "no memory for a statement");
    if (cs_planning_is(p, "token") &&
        cs_cql_words_at(p->words, p->i + 1)->kind == '(') {
        while (cs_planning_more(p) && !cs_planning_take_sign(p, ')'))
            p->i++;
    } else {
        rc = cs_planning_take_column(p, &out->column);
    }
    if (!rc)
        rc = take_how(p, &out->how);
    if (rc)
        return rc;
    if (out->how == CS_TEST_IN)
        return take_in(p, out, terms);
    out->term_count = 1;
    return cs_planning_take_term(p, cs_planning_type_of(p, out->column), terms);
}

static enum cs_code take_tests(struct cs_planning *p, struct cs_test *list,
                               unsigned *count)
{
    enum cs_code rc;

    do
        rc = take_test(p, &list[(*count)++]);
    while (!rc && cs_planning_take(p, "and"));
    return rc;
}

enum cs_code cs_planning_take_condition(struct cs_planning *p)
{
    struct cs_plan *plan = p->plan;

    if (!cs_planning_take(p, "if"))
        return CS_OK;
    if (cs_planning_take(p, "not")) {
        plan->condition = CS_IF_NOT_EXISTS;
        return cs_planning_take(p, "exists") ? CS_OK : cs_planning_refuse(p);
    }
    plan->condition = CS_IF_EXISTS;
    if (cs_planning_take(p, "exists"))
        return CS_OK;
    plan->condition = CS_IF_TESTS;
    return take_tests(p, plan->ifs, &plan->if_count);
}

/* USING TTL ? AND TIMESTAMP ?: how long a value lives is passed by. */
enum cs_code cs_planning_take_using(struct cs_planning *p)
{
    struct cs_term ttl;
    enum cs_code rc = CS_OK;

    if (!cs_planning_take(p, "using"))
        return CS_OK;
    do {
        bool stamped = cs_planning_take(p, "timestamp");

        if (!stamped && !cs_planning_take(p, "ttl"))
            return cs_planning_refuse(p);
        p->plan->stamped = p->plan->stamped || stamped;
        rc = cs_planning_take_term(
            p, cs_type_simple(stamped ? CS_TYPE_BIGINT : CS_TYPE_INT),
            stamped ? &p->plan->timestamp : &ttl);
    } while (!rc && cs_planning_take(p, "and"));
    return rc;
}

enum cs_code cs_planning_take_where(struct cs_planning *p)
{
    enum cs_code rc = CS_OK;

    if (cs_planning_take(p, "where"))
        rc = take_tests(p, p->plan->tests, &p->plan->test_count);
    return rc;
}

/* ---- all ---- */

static enum cs_code read_plan(struct cs_planning *p)
{
    static const struct {
        const char *verb;
        enum cs_code (*read)(struct cs_planning *p);
    } verbs[] = {{"select", cs_plan_select},
                 {"insert", cs_plan_insert},
                 {"update", cs_plan_update},
                 {"delete", cs_plan_delete}};

    for (size_t k = 0; k < CS_COUNT(verbs); k++)
        if (cs_planning_is(p, verbs[k].verb))
            return verbs[k].read(p);
    p->plan->verb = CS_PLAN_TRUNCATE;
    return CS_OK;
}

enum cs_code cs_plan_read(struct cs_view cql, struct cs_arena *arena,
                          struct cs_script *script, struct cs_err *err)
{
    struct cs_cql_words words;
    struct cs_plan *plan = cs_arena_alloc(arena, sizeof(*plan));
    struct cs_planning p = {.words = &words,
                            .cql = cql,
                            .arena = arena,
                            .script = script,
                            .plan = plan,
                            .err = err};
    enum cs_code rc = cs_cql_words_cut(cql, arena, &words, err);
    size_t most;

    if (rc)
        return rc;
    most = words.count + script->table->column_count;
    if (plan) {
        plan->sets = cs_arena_array(arena, most, sizeof(*plan->sets));
        plan->tests = cs_arena_array(arena, most, sizeof(*plan->tests));
        plan->ifs = cs_arena_array(arena, most, sizeof(*plan->ifs));
        plan->sources = cs_arena_array(arena, most, sizeof(*plan->sources));
    }
    if (!plan || !plan->sets || !plan->tests || !plan->ifs || !plan->sources)
        return cs_fail(err, CS_ENOMEM, "no memory for a statement");
    rc = read_plan(&p);
    if (!rc)
        script->plan = plan;
    return rc;
}
