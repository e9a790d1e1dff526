/* plan_change.c - plans of INSERT, UPDATE and DELETE. */
#include "responder/planning_internal.h"

/* A value of an INSERT is either a part of the key or a change. */
static enum cs_code take_value(struct cs_planning *p, int column)
{
    struct cs_plan *plan = p->plan;
    struct cs_term *term = cs_arena_alloc(p->arena, sizeof(*term));
    enum cs_code rc;

    if (!term)
        return cs_fail(p->err, CS_ENOMEM, "no memory for a statement");
    rc = cs_planning_take_term(p, cs_planning_type_of(p, column), term);
    if ((unsigned)column < cs_table_key_count(p->script->table))
        plan->tests[plan->test_count++] =
            (struct cs_test){.column = column, .terms = term, .term_count = 1};
    else
        plan->sets[plan->set_count++] =
            (struct cs_set){.column = (unsigned)column, .term = *term};
    return rc;
}

static enum cs_code take_names(struct cs_planning *p, int *columns,
                               size_t *count)
{
    enum cs_code rc;

    if (!cs_planning_take_sign(p, '('))
        return cs_planning_refuse(p);
    do
        rc = cs_planning_take_column(p, &columns[(*count)++]);
    while (!rc && cs_planning_take_sign(p, ','));
    return rc || cs_planning_take_sign(p, ')') ? rc : cs_planning_refuse(p);
}

/* INTO t (a, b) VALUES (?, ?) IF NOT EXISTS USING ... */
enum cs_code cs_plan_insert(struct cs_planning *p)
{
    int *columns = cs_arena_array(p->arena, p->words->count, sizeof(*columns));
    size_t count = 0;
    enum cs_code rc;

    p->plan->verb = CS_PLAN_WRITE;
    if (!columns)
        return cs_fail(p->err, CS_ENOMEM, "no memory for a statement");
    while (cs_planning_more(p) && !cs_planning_is_sign(p, '(') &&
           !cs_planning_is(p, "json"))
        p->i++;
    rc = take_names(p, columns, &count);
    if (!rc &&
        !(cs_planning_take(p, "values") && cs_planning_take_sign(p, '(')))
        rc = cs_planning_refuse(p);
    for (size_t k = 0; k < count && !rc; k++) {
        rc = take_value(p, columns[k]);
        if (!rc && !cs_planning_take_sign(p, k + 1 < count ? ',' : ')'))
            rc = cs_planning_refuse(p);
    }
    if (!rc)
        rc = cs_planning_take_condition(p);
    return rc ? rc : cs_planning_take_using(p);
}

/* a = ?, or a = a + ? and a = a - ? */
static enum cs_code take_set(struct cs_planning *p)
{
    struct cs_set *set = &p->plan->sets[p->plan->set_count++];
    int column;
    int other;
    enum cs_code rc = cs_planning_take_column(p, &column);

    if (rc)
        return rc;
    set->column = (unsigned)column;
    if (!cs_planning_take_sign(p, '='))
        return cs_planning_refuse(p);
    if (cs_cql_words_is_name(p->words, p->i) &&
        !cs_planning_take_column(p, &other)) {
        if (other != column ||
            (!cs_planning_is_sign(p, '+') && !cs_planning_is_sign(p, '-')))
            return cs_planning_refuse(p);
        set->how = cs_planning_is_sign(p, '+') ? CS_SET_ADD : CS_SET_TAKE;
        p->i++;
    }
    return cs_planning_take_term(p, cs_planning_type_of(p, column), &set->term);
}

/* UPDATE t USING ... SET a = ? WHERE ... IF ... */
enum cs_code cs_plan_update(struct cs_planning *p)
{
    enum cs_code rc;

    p->plan->verb = CS_PLAN_WRITE;
    cs_planning_skip_to(p, "using", "set");
    rc = cs_planning_take_using(p);
    if (rc)
        return rc;
    if (!cs_planning_take(p, "set"))
        return cs_planning_refuse(p);
    do
        rc = take_set(p);
    while (!rc && cs_planning_take_sign(p, ','));
    if (!rc)
        rc = cs_planning_take_where(p);
    return rc ? rc : cs_planning_take_condition(p);
}

/* DELETE a, b FROM t USING ... WHERE ... IF ... */
enum cs_code cs_plan_delete(struct cs_planning *p)
{
    struct cs_plan *plan = p->plan;
    int column;
    enum cs_code rc = CS_OK;

    plan->verb = CS_PLAN_DELETE;
    p->i = 1;
    while (cs_planning_more(p) && !cs_planning_is(p, "from") && !rc) {
        rc = cs_planning_take_column(p, &column);
        if (!rc)
            plan->sets[plan->set_count++] = (struct cs_set){
                .column = (unsigned)column,
                .term = {.marker = -1, .constant = {.size = CS_BOUND_NULL}}};
        if (!rc && !cs_planning_take_sign(p, ',') && !cs_planning_is(p, "from"))
            rc = cs_planning_refuse(p);
    }
    if (rc)
        return rc;
    cs_planning_skip_to(p, "using", "where");
    rc = cs_planning_take_using(p);
    if (!rc)
        rc = cs_planning_take_where(p);
    return rc ? rc : cs_planning_take_condition(p);
}
