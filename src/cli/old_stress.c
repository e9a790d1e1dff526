/* old_stress.c - stress and stress.py: when they are meant, and what of their
 * options only they have. */
#include "cli/legacy_internal.h"
#include "cli/parse_internal.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>

/* Columns, super columns, values and keys of a call that fit into memory and
 * into one request. */
#define COLUMNS_MAX    65000
#define SIZE_MAX_BYTES 67108864
#define VALUES_MAX     1000000
#define CALL_MAX       1000000

/* The old loop looked every 100 ms and printed when more than ten times the
 * interval had passed. */
#define TICK_MS 100

static const char *const tools[] = {"stress", "stress.py"};

static const char *tool_named(const char *word)
{
    for (size_t i = 0; i < CS_COUNT(tools); i++)
        if (cs_same_word(tools[i], word))
            return tools[i];
    return NULL;
}

bool cs_stress_wanted(int argc, char *const *argv, const char **tool,
                      int *first)
{
    const char *slash = argc ? strrchr(argv[0], '/') : NULL;

    *first = 1;
    *tool = argc ? tool_named(slash ? slash + 1 : argv[0]) : NULL;
    if (*tool || argc < 2)
        return *tool != NULL;
    *first = 2;
    *tool = tool_named(argv[1]);
    return *tool != NULL;
}

/* A number that has a place in a request or in memory. */
static enum cs_code bounded(const struct cs_cli *cli, const char *option,
                            const char *text, unsigned usual, int64_t least,
                            int64_t most, unsigned *out, struct cs_err *err)
{
    int64_t value = 0;
    enum cs_code rc =
        cs_old_number(cli->old_tool, option, text, usual, &value, err);

    if (!rc && (value < least || value > most))
        return cs_fail(err, CS_EUSAGE, "%s: -%s: %lld is out of %lld..%lld",
                       cli->old_tool, option, (long long)value,
                       (long long)least, (long long)most);
    *out = (unsigned)value;
    return rc;
}

static enum cs_code settle_family(struct cs_cli *cli, struct cs_err *err)
{
    const char *family = cli->old->family;
    struct cs_settings_old *to = &cli->settings->old;

    if (family && cs_same_word(family, "Super"))
        to->super = true;
    else if (family && !cs_same_word(family, "Standard") &&
             !cs_same_word(family, "regular"))
        return cs_fail(err, CS_EUSAGE,
                       "%s: -y: '%.40s' is neither Standard nor Super",
                       cli->old_tool, family);
    if (to->super && (to->operation == CS_OLD_INDEXED_RANGE_SLICE))
        return cs_fail(err, CS_EUNSUPPORTED,
                       "%s: -y: indexes were on Standard only", cli->old_tool);
    return bounded(cli, "u", to->super ? cli->old->supers : NULL, 1, 1,
                   COLUMNS_MAX, &to->supers, err);
}

static enum cs_code settle_values(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_old *old = cli->old;
    struct cs_settings_old *to = &cli->settings->old;
    enum cs_code rc =
        bounded(cli, "c", old->columns, 5, 1, COLUMNS_MAX, &to->columns, err);

    to->random_sizes = old->average != NULL;
    if (!rc)
        rc =
            bounded(cli, "S", old->size, 34, 0, SIZE_MAX_BYTES, &to->size, err);
    if (!rc)
        rc = bounded(cli, "C", old->cardinality, 50, 1, VALUES_MAX,
                     &to->cardinality, err);
    if (!rc)
        rc = bounded(cli, "g", old->per_call, 1000, 1, CALL_MAX, &to->per_call,
                     err);
    if (!rc && (int64_t)to->per_call * to->supers > INT32_MAX)
        rc = cs_fail(err, CS_EUSAGE, "%s: -g times -u is out of range",
                     cli->old_tool);
    if (!rc && (int64_t)to->size * to->cardinality > (int64_t)1 << 30)
        rc = cs_fail(err, CS_EUSAGE,
                     "%s: -C values of -S bytes take more than a gigabyte",
                     cli->old_tool);
    return rc;
}

/* How often an operation is begun: what is skipped is not inserted, and a
 * process of stress.py read so many keys in all. */
static int64_t count_of(const struct cs_settings_old *old)
{
    switch (old->operation) {
    case CS_OLD_INSERT:
    case CS_OLD_COUNTER_ADD:
        return old->keys - old->first;
    case CS_OLD_MULTI_GET:
        return old->python ? (old->keys + old->per_call - 1) / old->per_call
                           : old->keys;
    default:
        return old->keys;
    }
}

static enum cs_code settle_keys(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_old *old = cli->old;
    struct cs_settings_old *to = &cli->settings->old;
    double skip = 0;
    enum cs_code rc;

    to->keys = cli->settings->command.count;
    to->uniform = old->random != NULL;
    rc = cs_old_number(cli->old_tool, "F", old->different, to->keys,
                       &to->different, err);
    if (!rc)
        rc = cs_old_fraction(cli->old_tool, "s", old->stdev, 0.1, &to->stdev,
                             err);
    if (!rc)
        rc = cs_old_fraction(cli->old_tool, "N", old->skip, 0, &skip, err);
    if (rc)
        return rc;
    if (skip >= 1 || !(to->stdev > 0) || (to->keys && !to->different))
        return cs_fail(err, CS_EUSAGE, "%s: -%s is out of range", cli->old_tool,
                       skip >= 1          ? "N"
                       : !(to->stdev > 0) ? "s"
                                          : "F");
    to->first = (int64_t)floor(skip * (double)to->keys);
    if (to->first)
        cs_cli_notice(cli, "%s: -N: the keys that are inserted begin at %lld",
                      cli->old_tool, (long long)to->first);
    cli->settings->command.count = count_of(to);
    return CS_OK;
}

static enum cs_code settle_layout(struct cs_cli *cli, struct cs_err *err)
{
    const char *names[16];
    const char *layout = cli->old->layout;
    const char *nearest;

    cli->settings->old.layout = CS_OLD_LAYOUT_USUAL;
    for (unsigned i = 0; i < cs_old_layout_count; i++) {
        names[i] = cs_old_layouts[i].name;
        if (!layout || strcmp(layout, names[i]) != 0)
            continue;
        cli->settings->old.layout = i;
        return CS_OK;
    }
    if (!layout)
        return CS_OK;
    nearest = cs_nearest(layout, names, cs_old_layout_count);
    return cs_fail(err, CS_EUSAGE, "%s: --layout: unknown layout '%.40s'%s%s%s",
                   cli->old_tool, layout, nearest ? ", try '" : "",
                   nearest ? nearest : "", nearest ? "'" : "");
}

static enum cs_code settle_rows(struct cs_cli *cli, struct cs_err *err)
{
    const struct cs_old *old = cli->old;
    struct cs_settings_old *to = &cli->settings->old;
    unsigned interval = 0;
    enum cs_code rc =
        bounded(cli, "i", old->interval, 10, 1, 1000000, &interval, err);

    if (!rc)
        rc = settle_layout(cli, err);
    if (!rc && old->file)
        rc = cs_file_writable(old->file, err);
    to->interval_s = interval;
    to->file = old->file ? cs_value_path(cli, old->file) : NULL;
    to->true_rates = old->true_rates != NULL;
    to->averages = old->averages && !old->quiet;
    cli->settings->log.interval_ms = to->interval_s * 1000 + TICK_MS;
    cli->settings->log.level = CS_LOG_MINIMAL;
    return rc;
}

/* C1,C3: every one must be a column. */
static enum cs_code settle_names(struct cs_cli *cli, struct cs_err *err)
{
    struct cs_settings_old *to = &cli->settings->old;
    const char *p = cli->old->names;
    size_t most = 1;

    if (!p)
        return CS_OK;
    for (const char *q = p; *q; q++)
        most += *q == ',';
    to->names = cs_cli_array(cli, most, sizeof(*to->names));
    while (to->names && *p) {
        size_t size = strcspn(p, ",");
        unsigned column;
        char rest;

        if (size)
            to->names[to->name_count++] = cs_cli_text(cli, p, size);
        if (size && (sscanf(p, "C%u%c", &column, &rest) < 1 ||
                     (sscanf(p, "C%u%c", &column, &rest) > 1 && rest != ',') ||
                     column >= to->columns))
            return cs_fail(err, CS_EUSAGE,
                           "%s: -Q: no column '%.*s', there are C0 to C%u",
                           cli->old_tool, (int)CS_MIN(size, (size_t)40), p,
                           to->columns - 1);
        p += size + (p[size] == ',');
    }
    return CS_OK;
}

static enum cs_code settle_index(struct cs_cli *cli, struct cs_err *err)
{
    const char *index = cli->old->index;
    struct cs_settings_old *to = &cli->settings->old;

    if (!index || cs_same_word(index, "none"))
        return CS_OK;
    if (!cs_same_word(index, "keys") && !cs_same_word(index, "keys_bitmap"))
        return cs_fail(err, CS_EUSAGE, "%s: -x: '%.40s' is not KEYS",
                       cli->old_tool, index);
    if (to->columns < 2)
        return cs_fail(err, CS_EUSAGE,
                       "%s: -x: the index is on C1, -c is at least 2",
                       cli->old_tool);
    to->index = true;
    return CS_OK;
}

enum cs_code cs_stress_settle(struct cs_cli *cli, struct cs_err *err)
{
    struct cs_settings_old *to = &cli->settings->old;
    enum cs_code rc = cs_old_find_operation(cli->old_tool, cli->old->operation,
                                            &to->operation, err);

    to->on = true;
    cli->settings->hints.tls = "--truststore";
    cli->settings->hints.log_in = "--username and --password";
    to->python = cs_same_word(cli->old_tool, "stress.py");
    if (!rc)
        rc = settle_family(cli, err);
    if (!rc)
        rc = settle_values(cli, err);
    if (!rc)
        rc = settle_keys(cli, err);
    if (!rc)
        rc = settle_rows(cli, err);
    if (!rc)
        rc = settle_names(cli, err);
    return rc ? rc : settle_index(cli, err);
}
