/* level.c - serial consistency levels where cl= names one. */
#include "workload/statements.h"
#include "workload/workload_internal.h"

static bool is_serial(enum cs_consistency cl)
{
    return cl == CS_CL_SERIAL || cl == CS_CL_LOCAL_SERIAL;
}

enum cs_code cs_workload_settle_level(const char *cql,
                                      struct cs_statement_options *options,
                                      struct cs_err *err)
{
    if (!is_serial(options->cl) || cs_cql_is_select(cql))
        return CS_OK;
    if (!cs_cql_has_word(cql, "if"))
        return cs_fail(err, CS_EUSAGE,
                       "a write without a condition has no consistency level "
                       "%s",
                       cs_consistency_name(options->cl));
    if (!options->has_serial_cl)
        options->serial_cl = options->cl;
    options->has_serial_cl = true;
    options->cl = CS_CL_LOCAL_ONE;
    return CS_OK;
}
