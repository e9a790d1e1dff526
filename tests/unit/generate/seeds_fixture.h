/* seeds_fixture.h - seeds of a sequence, for tests. */
#ifndef CS_TESTS_SEEDS_FIXTURE_H
#define CS_TESTS_SEEDS_FIXTURE_H

#include "generate/seeds.h"
#include "support/generate.h"

static inline struct cs_settings settings_of(int64_t from, int64_t to,
                                             bool wrap, enum cs_dialect dialect)
{
    return (struct cs_settings){
        .command.count = -1,
        .population = {.sequence = true,
                       .seq_start = from,
                       .seq_end = to,
                       .wrap = wrap},
        .insert = {.visits = cs_dist_fixed(1),
                   .revisit = cs_dist_uniform(1, 1000000)},
        .compat.data = dialect,
    };
}

static inline struct cs_seeds *new_seeds(const struct cs_settings *settings)
{
    struct cs_seeds *seeds = NULL;
    struct cs_err err;

    if (cs_seeds_new(settings, &seeds, &err))
        fail_msg("%s", err.text);
    return seeds;
}

#endif
