/* profile_fixture.h - the tables that vector files name. */
#ifndef CS_TESTS_PROFILE_FIXTURE_H
#define CS_TESTS_PROFILE_FIXTURE_H

#include "support/profiles.h"

/* The table of one key type in clustering_types: "ck TYPE [POPULATION]". */
static inline void init_clustering_type(struct test_table *t,
                                        const char *profile)
{
    char type[64];
    char population[64];
    bool given = sscanf(profile, "ck %63s %63s", type, population) == 2;
    struct test_column columns[] = {
        {"pk", type, 'p', NULL, NULL, NULL},
        {"ck", type, 'c', given ? population : NULL, NULL, "fixed(9)"},
        {"ck2", "int", 'c', NULL, NULL, "fixed(2)"},
        {"v", "int", 'v', NULL, NULL, NULL},
        {0}};

    test_table_init(t, columns);
}

static inline void init_profile(struct test_table *t, const char *profile)
{
    if (!strncmp(profile, "ck ", 3)) {
        init_clustering_type(t, profile);
        return;
    }
    for (size_t i = 0; i < CS_COUNT(test_profiles); i++) {
        if (!strcmp(test_profiles[i].name, profile)) {
            test_table_init(t, test_profiles[i].columns);
            return;
        }
    }
    fail_msg("no profile %s", profile);
}

static inline enum cs_order order_of(const char *text)
{
    return text && !strcmp(text, "SORTED") ? CS_ORDER_SORTED
                                           : CS_ORDER_ARBITRARY;
}

static inline void open_profile(struct test_table *t, const char *file,
                                json_t *json)
{
    init_profile(t, vector_string(json, "profile"));
    test_table_open(t, "seed for stress", false, test_dialect(file),
                    order_of(vector_string(json, "order")));
}

#endif
