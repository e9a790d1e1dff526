/* fan_out.c - a read at QUORUM is two reads in the cluster: what makes more
 * copies cost more. */
#include "run/fan_out.h"

unsigned cs_fan_out_waits(enum cs_consistency cl,
                          const struct cs_copies *copies)
{
    switch (cl) {
    case CS_CL_TWO:
        return 2;
    case CS_CL_THREE:
        return 3;
    case CS_CL_QUORUM:
    case CS_CL_SERIAL:
        return copies->all / 2 + 1;
    case CS_CL_LOCAL_QUORUM:
    case CS_CL_LOCAL_SERIAL:
        return copies->local / 2 + 1;
    case CS_CL_EACH_QUORUM:
        return copies->quorums;
    case CS_CL_ALL:
        return copies->all;
    default:
        return 1;
    }
}

static void add(struct cs_extra *extra, const struct cs_fan_out *fan_out)
{
    size_t i = 0;

    while (i < extra->fan_out_count &&
           !(extra->fan_outs[i].level == fan_out->level &&
             extra->fan_outs[i].reads == fan_out->reads &&
             extra->fan_outs[i].copies == fan_out->copies))
        i++;
    if (i < CS_FAN_OUTS_MAX && i == extra->fan_out_count)
        extra->fan_outs[extra->fan_out_count++] = *fan_out;
}

void cs_fan_out_add(const struct cs_driver_ops *db, struct cs_driver *driver,
                    const struct cs_statement *statement,
                    const struct cs_statement_options *options,
                    struct cs_extra *extra)
{
    struct cs_fan_out fan_out = {.reads = options->is_read};
    struct cs_copies copies;

    if (!db->copies || !db->copies(driver, statement, &copies))
        return;
    fan_out.level = cs_consistency_name(options->cl);
    fan_out.copies = copies.all;
    fan_out.waits_for = cs_fan_out_waits(options->cl, &copies);
    add(extra, &fan_out);
}

void cs_fan_outs_add(const struct cs_workload *workload,
                     struct cs_driver *driver, struct cs_extra *extra)
{
    for (unsigned i = 0; i < workload->kind_count; i++) {
        const struct cs_statement *statement = workload->kinds[i].statement;

        cs_fan_out_add(workload->db, driver, statement,
                       statement ? &statement->options
                                 : &workload->kinds[i].options,
                       extra);
    }
}
