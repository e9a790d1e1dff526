/* plan_select.c - the plan of SELECT. */
#include "responder/planning_internal.h"

static void add_all(struct cs_planning *p, unsigned *count)
{
    for (unsigned k = 0; k < p->script->table->column_count; k++)
        p->plan->sources[(*count)++] = (int)k;
    p->i++;
}

static enum cs_code take_item(struct cs_planning *p, unsigned *count)
{
    bool call = cs_cql_words_at(p->words, p->i + 1)->kind == '(';
    int source = CS_SOURCE_NOTHING;
    enum cs_code rc = CS_OK;

    if (cs_planning_is_sign(p, '*')) {
        add_all(p, count);
        return CS_OK;
    }
    if (call) {
        if (cs_planning_is(p, "count"))
            source = CS_SOURCE_COUNT;
        else if (cs_planning_is(p, "token"))
            source = CS_SOURCE_TOKEN;
        while (cs_planning_more(p) && !cs_planning_take_sign(p, ')'))
            p->i++;
    } else {
        rc = cs_planning_take_column(p, &source);
    }
    if (cs_planning_take(p, "as"))
        p->i++;
    p->plan->sources[(*count)++] = source;
    return rc;
}

/* ORDER BY c [ASC|DESC]: the first column says whether all is turned round. */
static enum cs_code take_order(struct cs_planning *p)
{
    int column;
    enum cs_code rc;

    if (!cs_planning_take(p, "order"))
        return CS_OK;
    cs_planning_take(p, "by");
    rc = cs_planning_take_column(p, &column);
    if (rc)
        return rc;
    p->plan->backwards = cs_planning_is(p, "desc") !=
                         p->script->table->columns[column].descending;
    cs_planning_skip_to(p, "limit", "allow");
    return CS_OK;
}

enum cs_code cs_plan_select(struct cs_planning *p)
{
    struct cs_plan *plan = p->plan;
    unsigned count = 0;
    enum cs_code rc;

    plan->verb = CS_PLAN_SELECT;
    p->i = 1;
    plan->distinct = cs_planning_take(p, "distinct");
    if (cs_planning_is(p, "json"))
        return cs_planning_refuse(p);
    do
        rc = take_item(p, &count);
    while (!rc && cs_planning_take_sign(p, ','));
    if (rc)
        return rc;
    while (cs_planning_more(p) && !cs_planning_is(p, "where") &&
           !cs_planning_is(p, "order") && !cs_planning_is(p, "limit"))
        p->i++;
    rc = cs_planning_take_where(p);
    if (!rc)
        rc = take_order(p);
    while (!rc && cs_planning_more(p) && !cs_planning_is(p, "limit"))
        cs_planning_pass(p);
    if (rc || !cs_planning_take(p, "limit"))
        return rc;
    plan->limited = true;
    return cs_planning_take_term(p, cs_type_simple(CS_TYPE_INT), &plan->limit);
}
