/* check.c - reads all that a command would read, and says what it would refuse:
 * nothing is run, nothing is written. */
#include "cli/cli.h"
#include "commands/session_internal.h"
#include "offline/database.h"
#include "offline/queries.h"

#include <stdio.h>

/* The command has inserts, and a definition for each table. */
static bool inserts_are_known(const struct cs_stress *stress)
{
    const struct cs_settings_command *command = &stress->settings->command;
    bool inserts = false;

    for (size_t i = 0; i < command->op_count; i++)
        inserts |= cs_rows_wants(stress->settings, command->ops[i].name);
    for (size_t i = 0; i < stress->profile_count; i++)
        if (!stress->profiles[i]->table_definition)
            return false;
    return stress->profile_count > 0 && inserts;
}

/* What definitions alone tell. A type that they do not make may be there
 * already. */
static enum cs_code check_definitions(struct cs_stress *stress,
                                      struct cs_err *err)
{
    struct cs_err fault = {0};
    struct cs_buf warnings;
    enum cs_code rc = CS_OK;

    cs_buf_init(&warnings, CS_COMMAND_TEXT_MAX);
    for (size_t i = 0; i < stress->profile_count && !rc; i++) {
        struct cs_driver *driver = NULL;

        if (!stress->profiles[i]->table_definition)
            continue;
        rc = cs_offline_new(stress->settings, &stress->profiles[i], 1, &driver,
                            &fault);
        if (!rc) {
            rc = cs_offline_check_queries(driver, stress->profiles[i],
                                          &warnings, &fault);
            cs_offline_driver.close(driver);
        }
    }
    cs_stress_tell(&warnings);
    cs_buf_release(&warnings);
    if (rc == CS_EUNSUPPORTED) {
        fprintf(stderr, "warning: %s\n", fault.text);
        return CS_OK;
    }
    if (rc) {
        *err = fault;
        return rc;
    }
    return inserts_are_known(stress) ? cs_stress_try_rows(stress, err) : CS_OK;
}

enum cs_code cs_command_check(const struct cs_settings *settings,
                              struct cs_err *err)
{
    struct cs_stress stress = {.settings = settings};
    struct cs_buf text;
    enum cs_code rc = cs_stress_load_profiles(&stress, err);

    if (!rc && settings->rows.on)
        rc = cs_stress_try_rows(&stress, err);
    else if (!rc)
        rc = check_definitions(&stress, err);
    if (!rc)
        rc = cs_report_try(settings, err);
    cs_buf_init(&text, CS_COMMAND_TEXT_MAX);
    if (!rc) {
        cs_stress_put_dump(&stress, &text);
        rc = cs_command_print(&text, err);
    }
    cs_buf_release(&text);
    cs_stress_free_profiles(&stress);
    return rc;
}
