/* profiles.h - the profiles behind the vector files (vectors/README.md of the
 * specification): columns in table order, specs where not default. */
#ifndef CS_TESTS_SUPPORT_PROFILES_H
#define CS_TESTS_SUPPORT_PROFILES_H

#include "support/generate.h"

static const struct test_column users_columns[] = {
    {"username", "text", 'p', NULL, "uniform(10..30)", NULL},
    {"description", "text", 'v', NULL, "gaussian(100...500)", NULL},
    {"email", "text", 'v', NULL, "uniform(16..50)", NULL},
    {"first_name", "text", 'v', NULL, "fixed(16)", NULL},
    {"last_access", "timeuuid", 'v', NULL, NULL, NULL},
    {"last_name", "text", 'v', NULL, "uniform(1..32)", NULL},
    {"password", "text", 'v', NULL, "fixed(80)", NULL},
    {"startdate", "date", 'v', NULL, NULL, "uniform(20...40)"},
    {0},
};

static const struct test_column example_columns[] = {
    {"name", "text", 'p', "uniform(1..10)", "uniform(1..10)", NULL},
    {"choice", "boolean", 'p', NULL, NULL, NULL},
    {"date", "timestamp", 'c', NULL, NULL, "uniform(20..40)"},
    {"address", "inet", 'c', NULL, NULL, NULL},
    {"dbl", "double", 'c', NULL, NULL, NULL},
    {"lval", "bigint", 'c', "gaussian(1..1000)", NULL, "uniform(1..4)"},
    {"ival", "int", 'c', NULL, NULL, NULL},
    {"uid", "timeuuid", 'c', NULL, NULL, NULL},
    {"value", "blob", 'v', NULL, NULL, NULL},
    {0},
};

static const struct test_column insanity_columns[] = {
    {"name", "text", 'p', NULL, NULL, NULL},
    {"choice", "boolean", 'p', NULL, NULL, NULL},
    {"date", "timestamp", 'c', NULL, NULL, "gaussian(1..20)"},
    {"address", "inet", 'v', NULL, NULL, NULL},
    {"dbl", "double", 'v', NULL, NULL, NULL},
    {"fval", "float", 'v', NULL, NULL, NULL},
    {"ival", "int", 'v', NULL, NULL, NULL},
    {"lval", "bigint", 'v', "fixed(1)", NULL, NULL},
    {"uid", "timeuuid", 'v', NULL, NULL, NULL},
    {"value", "blob", 'v', NULL, NULL, NULL},
    {0},
};

static const struct test_column synthetic_columns[] = {
    {"pk", "bigint", 'p', "uniform(1..1M)", NULL, NULL},
    {"ck1", "int", 'c', "uniform(1..1000)", NULL, "uniform(2..6)"},
    {"ck2", "text", 'c', NULL, "fixed(3)", "fixed(3)"},
    {"ck3", "smallint", 'c', NULL, NULL, "uniform(1..3)"},
    {"v1", "int", 'v', NULL, NULL, NULL},
    {"v2", "double", 'v', NULL, NULL, NULL},
    {"v3", "set<int>", 'v', NULL, "fixed(2)", NULL},
    {"v4", "date", 'v', NULL, NULL, NULL},
    {0},
};

static const struct {
    const char *name;
    const struct test_column *columns;
} test_profiles[] = {
    {"users", users_columns},
    {"cqlstress-example", example_columns},
    {"cqlstress-insanity-example", insanity_columns},
    {"synthetic", synthetic_columns},
};

#endif
