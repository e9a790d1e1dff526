/* profiles.c - reads the files of the user command and prints the settings
 * with what they say. */
#include "cli/cli.h"
#include "commands/session_internal.h"
#include "offline/database.h"

#include <stdio.h>
#include <stdlib.h>

void cs_stress_tell(const struct cs_buf *lines)
{
    size_t from = 0;

    for (size_t i = 0; i < lines->size; i++) {
        if (lines->data[i] != '\n')
            continue;
        fprintf(stderr, "warning: %.*s\n", (int)(i - from),
                (const char *)lines->data + from);
        from = i + 1;
    }
}

/* Two profiles of one name could not be told apart in ops(). */
static enum cs_code check_names(const struct cs_stress *stress,
                                struct cs_err *err)
{
    for (size_t i = 1; i < stress->profile_count; i++)
        for (size_t j = 0; j < i; j++)
            if (!strcmp(stress->profiles[i]->spec_name,
                        stress->profiles[j]->spec_name))
                return cs_fail(err, CS_EINVALID,
                               "%s and %s: Must only specify a singe YAML file "
                               "per table (including keyspace qualifier). Both "
                               "have the specname '%s'",
                               stress->profiles[j]->path,
                               stress->profiles[i]->path,
                               stress->profiles[i]->spec_name);
    return CS_OK;
}

enum cs_code cs_stress_load_profiles(struct cs_stress *stress,
                                     struct cs_err *err)
{
    const struct cs_settings_command *command = &stress->settings->command;
    struct cs_buf warnings;
    enum cs_code rc = CS_OK;

    if (command->type != CS_COMMAND_USER)
        return CS_OK;
    stress->profiles =
        calloc(command->profile_count, sizeof(struct cs_profile *));
    if (!stress->profiles)
        return cs_fail(err, CS_ENOMEM, "profiles: out of memory");
    cs_buf_init(&warnings, CS_COMMAND_TEXT_MAX);
    for (size_t i = 0; i < command->profile_count && !rc; i++) {
        rc = cs_profile_load(command->profiles[i], &stress->profiles[i],
                             &warnings, err);
        if (!rc)
            stress->profile_count++;
    }
    cs_stress_tell(&warnings);
    cs_buf_release(&warnings);
    if (!rc)
        rc = check_names(stress, err);
    if (!rc)
        rc = cs_workload_check_ops(stress->settings, stress->profiles,
                                   stress->profile_count, err);
    return rc;
}

void cs_stress_free_profiles(struct cs_stress *stress)
{
    for (size_t i = 0; i < stress->profile_count; i++)
        cs_profile_free(stress->profiles[i]);
    free(stress->profiles);
}

static void put_profiles(const struct cs_stress *stress, struct cs_buf *out)
{
    const struct cs_settings *s = stress->settings;

    cs_buf_printf(out, "\n******************** %s ********************\n",
                  s->compat.level == CS_LEVEL_3_11 ? "Profile" : "Profile(s)");
    for (size_t i = 0; i < stress->profile_count; i++)
        cs_profile_describe(out, stress->profiles[i]);
}

void cs_stress_put_dump(const struct cs_stress *stress, struct cs_buf *out)
{
    const struct cs_settings *s = stress->settings;

    if (stress->profile_count)
        cs_cli_dump_user(s, stress->profiles[0]->keyspace, out);
    else
        cs_cli_dump(s, out);
    if (stress->profile_count)
        put_profiles(stress, out);
    cs_cli_dump_own(s, out);
    /* figures=original: more follows before the empty line. */
    if (!stress->profile_count || !s->compat.original_figures || s->check_only)
        cs_buf_put8(out, '\n');
}

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
    enum cs_code rc = CS_OK;

    for (size_t i = 0; i < stress->profile_count && !rc; i++) {
        struct cs_driver *driver = NULL;

        if (!stress->profiles[i]->table_definition)
            continue;
        rc = cs_offline_new(stress->settings, &stress->profiles[i], 1, &driver,
                            &fault);
        if (!rc)
            cs_offline_driver.close(driver);
    }
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
