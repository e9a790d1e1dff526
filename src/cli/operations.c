/* operations.c - which operations a command runs: shares of mixed, weights and
 * profiles of user. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

static enum cs_code set_weight(struct cs_cli *cli, const char *name,
                               double weight)
{
    struct cs_settings_command *command = &cli->settings->command;
    struct cs_weighted_name *grown =
        cs_cli_array(cli, command->op_count + 1, sizeof(*grown));

    if (!grown)
        return CS_OK; /* the sticky fault is set */
    if (command->op_count)
        memcpy(grown, command->ops, command->op_count * sizeof(*grown));
    grown[command->op_count++] = (struct cs_weighted_name){
        .name = cs_cli_text(cli, name, strlen(name)), .weight = weight};
    command->ops = grown;
    return CS_OK;
}

/* A share of mixed: d or d.d, no sign. */
enum cs_code cs_store_share(struct cs_cli *cli, const struct cs_option *option,
                            const char *value, struct cs_err *err)
{
    size_t whole = strspn(value, "0123456789");
    size_t part =
        value[whole] == '.' ? strspn(value + whole + 1, "0123456789") : 0;
    char name[32];
    size_t size = strlen(option->key) - 1;

    if (!whole || value[whole + part + (part ? 1 : 0)])
        return cs_fail(err, CS_EUSAGE, "%s has no decimal number, as in 0.75",
                       option->key);
    for (size_t i = 0; i < size; i++)
        name[i] = (char)toupper((unsigned char)option->key[i]);
    name[size] = 0;
    return set_weight(cli, name, strtod(value, NULL));
}

/* What Double.parseDouble takes, without what is not finite or below 0. */
enum cs_code cs_store_operation(struct cs_cli *cli, const char *key,
                                const char *value, struct cs_err *err)
{
    const struct cs_settings_command *command = &cli->settings->command;
    char *end;
    double weight = strtod(value, &end);

    for (size_t i = 0; i < command->op_count; i++)
        if (!strcmp(command->ops[i].name, key))
            return cs_fail(err, CS_EUSAGE, "operation '%.40s' is given twice",
                           key);
    if (end != value && *end && strchr("dDfF", *end))
        end++;
    if (end == value || *end || isspace((unsigned char)value[0]))
        return cs_fail(err, CS_EUSAGE, "the weight of '%.40s' is not a number",
                       key);
    if (!isfinite(weight) || weight < 0)
        return cs_fail(err, CS_EUSAGE,
                       "the weight of '%.40s' must be finite and not below 0",
                       key);
    return set_weight(cli, key, weight);
}

/* profile=a.yaml,b.yaml: each name without the blanks around it. */
enum cs_code cs_store_profiles(struct cs_cli *cli,
                               const struct cs_option *option,
                               const char *value, struct cs_err *err)
{
    struct cs_settings_command *command = &cli->settings->command;
    size_t count = 1;

    (void)option;
    for (const char *p = value; *p; p++)
        count += *p == ',';
    command->profiles = cs_cli_array(cli, count, sizeof(*command->profiles));
    for (const char *p = value; command->profiles; p += strcspn(p, ",") + 1) {
        size_t size = strcspn(p, ",");
        size_t blanks = strspn(p, " ");

        while (size > blanks && p[size - 1] == ' ')
            size--;
        if (size <= blanks)
            return cs_fail(err, CS_EUSAGE, "an empty file name");
        command->profiles[command->profile_count++] =
            cs_value_path(cli, cs_cli_text(cli, p + blanks, size - blanks));
        if (!p[strcspn(p, ",")])
            break;
    }
    return CS_OK;
}
