/* type_fixture.h - what tests that read types from text need. */
#ifndef CS_TESTS_SUPPORT_TYPE_FIXTURE_H
#define CS_TESTS_SUPPORT_TYPE_FIXTURE_H

#include "base/buf.h"
#include "support/types.h"
#include "support/vectors.h"

struct fixture {
    struct cs_arena arena;
    struct cs_buf buf;
    struct cs_err err;
};

static inline int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    cs_arena_init(&f->arena);
    cs_buf_init(&f->buf, 1 << 20);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;

    cs_arena_release(&f->arena);
    cs_buf_release(&f->buf);
    free(f);
    return 0;
}

#endif
