/* planning_internal.h - a statement while its plan is read, word by word. */
#ifndef CS_RESPONDER_PLANNING_INTERNAL_H
#define CS_RESPONDER_PLANNING_INTERNAL_H

#include "responder/plan_internal.h"

/* A statement while it is read. */
struct cs_planning {
    const struct cs_cql_words *words;
    struct cs_view cql;
    struct cs_arena *arena;
    const struct cs_script *script;
    struct cs_plan *plan;
    struct cs_err *err;
    size_t i;        /* the next word */
    unsigned marker; /* the next marker */
};

static inline bool cs_planning_is(const struct cs_planning *p, const char *word)
{
    return cs_cql_words_is(p->words, p->i, word);
}

static inline bool cs_planning_is_sign(const struct cs_planning *p, char sign)
{
    return cs_cql_words_at(p->words, p->i)->kind == sign;
}

static inline bool cs_planning_more(const struct cs_planning *p)
{
    return p->i < p->words->count && !cs_planning_is_sign(p, ';');
}

/* On to the next word; markers that are passed by are counted. */
static inline void cs_planning_pass(struct cs_planning *p)
{
    if (cs_cql_words_is_marker(p->words, p->i)) {
        p->marker++;
        p->i += cs_planning_is_sign(p, ':');
    }
    p->i++;
}

static inline bool cs_planning_take(struct cs_planning *p, const char *word)
{
    bool here = cs_planning_is(p, word);

    p->i += here;
    return here;
}

static inline bool cs_planning_take_sign(struct cs_planning *p, char sign)
{
    bool here = cs_planning_is_sign(p, sign);

    p->i += here;
    return here;
}

static inline void cs_planning_skip_to(struct cs_planning *p, const char *a,
                                       const char *b)
{
    while (cs_planning_more(p) && !cs_planning_is(p, a) &&
           !cs_planning_is(p, b))
        cs_planning_pass(p);
}

/* Found what is not understood. */
enum cs_code cs_planning_refuse(const struct cs_planning *p);
const struct cs_type *cs_planning_type_of(const struct cs_planning *p,
                                          int column);
/* A column of the table. */
enum cs_code cs_planning_take_column(struct cs_planning *p,
                                     int *out) CS_MUST_USE;
enum cs_code cs_planning_take_term(struct cs_planning *p,
                                   const struct cs_type *type,
                                   struct cs_term *out) CS_MUST_USE;
/* USING, WHERE and IF, when they stand here. */
enum cs_code cs_planning_take_using(struct cs_planning *p) CS_MUST_USE;
enum cs_code cs_planning_take_where(struct cs_planning *p) CS_MUST_USE;
enum cs_code cs_planning_take_condition(struct cs_planning *p) CS_MUST_USE;

/* The statements, each in its file. */
enum cs_code cs_plan_insert(struct cs_planning *p) CS_MUST_USE;
enum cs_code cs_plan_update(struct cs_planning *p) CS_MUST_USE;
enum cs_code cs_plan_delete(struct cs_planning *p) CS_MUST_USE;
enum cs_code cs_plan_select(struct cs_planning *p) CS_MUST_USE;

#endif
