/* profiles.c - reads the files of the user command and prints the settings
 * with what they say. */
#include "cli/cli.h"
#include "commands/session_internal.h"

#include <stdio.h>
#include <stdlib.h>

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
