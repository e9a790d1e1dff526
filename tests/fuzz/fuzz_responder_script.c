/* fuzz_responder_script.c - statements for the responder: any bytes are
 * looked through without harm. */
#include "responder/plan_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_catalog catalog;
    struct cs_schema_step step;
    struct cs_script script;
    struct cs_arena arena;
    struct cs_view cql = cs_view_of(data, size);

    cs_arena_init(&arena);
    if (!cs_catalog_init(&catalog, NULL) &&
        !cs_script_read(&catalog, "keyspace1", cql, &arena, &script, NULL)) {
        if (script.kind == CS_SCRIPT_SCHEMA &&
            cs_catalog_change(&catalog, "keyspace1", cql, &step, NULL))
            step.what = NULL;
        if (script.table && cs_plan_read(cql, &arena, &script, NULL))
            script.plan = NULL;
    }
    cs_catalog_release(&catalog);
    cs_arena_release(&arena);
    return 0;
}
