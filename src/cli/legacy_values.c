/* legacy_values.c - values of the old options: numbers, and the names of the
 * operations. */
#include "cli/legacy_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>

enum cs_code cs_old_number(const char *tool, const char *option,
                           const char *text, int64_t usual, int64_t *out,
                           struct cs_err *err)
{
    char *end;

    *out = usual;
    if (!text)
        return CS_OK;
    *out = strtoll(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || *out > INT64_MAX / 4)
        return cs_fail(err, CS_EUSAGE, "%s: -%s: '%.40s' is not a number", tool,
                       option, text);
    return CS_OK;
}

enum cs_code cs_old_fraction(const char *tool, const char *option,
                             const char *text, double usual, double *out,
                             struct cs_err *err)
{
    char *end;

    *out = usual;
    if (!text)
        return CS_OK;
    *out = strtod(text, &end);
    if (end == text || *end || !(*out >= 0))
        return cs_fail(err, CS_EUSAGE, "%s: -%s: '%.40s' is not a number", tool,
                       option, text);
    return CS_OK;
}

/* What there is of it in the new tool; NULL: nothing. NOT_OLD: only later
 * releases had it. */
#define NOT_OLD (-1)

static const struct {
    const char *old;
    const char *command;
    int operation;
} operations[] = {
    {"INSERT", "write", CS_OLD_INSERT},
    {"WRITE", "write", NOT_OLD},
    {"READ", "read", CS_OLD_READ},
    {"COUNTER_ADD", "counter_write", CS_OLD_COUNTER_ADD},
    {"COUNTERADD", "counter_write", CS_OLD_COUNTER_ADD},
    {"COUNTERWRITE", "counter_write", NOT_OLD},
    {"COUNTER_GET", "counter_read", CS_OLD_COUNTER_GET},
    {"COUNTERGET", "counter_read", CS_OLD_COUNTER_GET},
    {"COUNTERREAD", "counter_read", NOT_OLD},
    {"READWRITE", "mixed", NOT_OLD},
    {"RANGE_SLICE", NULL, CS_OLD_RANGE_SLICE},
    {"RANGESLICE", NULL, CS_OLD_RANGE_SLICE},
    {"INDEXED_RANGE_SLICE", NULL, CS_OLD_INDEXED_RANGE_SLICE},
    {"INDEXEDRANGESLICE", NULL, CS_OLD_INDEXED_RANGE_SLICE},
    {"MULTI_GET", NULL, CS_OLD_MULTI_GET},
    {"MULTIGET", NULL, CS_OLD_MULTI_GET},
};

/* The first row of an operation's name; NULL: insert. */
static enum cs_code find_operation(const char *tool, const char *text, bool own,
                                   size_t *out, struct cs_err *err)
{
    const char *names[CS_COUNT(operations)];
    const char *nearest;
    size_t count = 0;

    for (size_t i = 0; i < CS_COUNT(operations); i++) {
        if (own && operations[i].operation == NOT_OLD)
            continue;
        names[count++] = operations[i].old;
        if (text && !cs_same_word(operations[i].old, text))
            continue;
        *out = i;
        return CS_OK;
    }
    nearest = cs_nearest(text, names, count);
    return cs_fail(err, CS_EUSAGE, "%s: -o: unknown operation '%.40s'%s%s%s",
                   tool, text, nearest ? ", try '" : "", nearest ? nearest : "",
                   nearest ? "'" : "");
}

enum cs_code cs_old_find_command(const char *tool, const char *text, bool own,
                                 const char **out, struct cs_err *err)
{
    size_t i = 0;
    enum cs_code rc = find_operation(tool, text, own, &i, err);

    if (!rc)
        *out = operations[i].command;
    return rc;
}

enum cs_code cs_old_find_operation(const char *tool, const char *text,
                                   enum cs_old_operation *out,
                                   struct cs_err *err)
{
    size_t i = 0;
    enum cs_code rc = find_operation(tool, text, true, &i, err);

    if (!rc)
        *out = (enum cs_old_operation)operations[i].operation;
    return rc;
}
