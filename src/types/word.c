/* word.c - reserved words of CQL, and quoting. */
#include "types/word.h"

#include "base/text.h"

/* Sorted, for people. */
static const char *const reserved[] = {
    "add",          "allow",     "alter",   "and",         "apply",
    "asc",          "authorize", "batch",   "begin",       "by",
    "columnfamily", "create",    "delete",  "desc",        "describe",
    "drop",         "entries",   "execute", "from",        "full",
    "grant",        "if",        "in",      "index",       "infinity",
    "insert",       "into",      "is",      "keyspace",    "limit",
    "materialized", "modify",    "nan",     "norecursive", "not",
    "null",         "of",        "on",      "or",          "order",
    "primary",      "rename",    "revoke",  "schema",      "select",
    "set",          "table",     "to",      "token",       "truncate",
    "unlogged",     "update",    "use",     "using",       "view",
    "where",        "with",
};

/* Reserved by other releases or by ScyllaDB only. Quotes are right everywhere,
 * so these are written with quotes, but read without. */
static const char *const reserved_elsewhere[] = {
    "ann",    "cast",  "check",  "constraint", "default",
    "length", "mbean", "mbeans", "replace",    "unset",
};

static bool among(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cs_same_word(word, words[i]))
            return true;
    return false;
}

bool cs_word_reserved(const char *word)
{
    return among(word, reserved, CS_COUNT(reserved));
}

static bool is_plain(const char *name)
{
    static const char rest[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

    return *name >= 'a' && *name <= 'z' && !name[strspn(name, rest)];
}

void cs_word_put(struct cs_buf *buf, const char *name)
{
    if (is_plain(name) && !cs_word_reserved(name) &&
        !among(name, reserved_elsewhere, CS_COUNT(reserved_elsewhere)))
        cs_buf_puts(buf, name);
    else
        cs_word_put_quoted(buf, name);
}

void cs_word_put_quoted(struct cs_buf *buf, const char *name)
{
    cs_buf_put8(buf, '"');
    for (; *name; name++) {
        if (*name == '"')
            cs_buf_put8(buf, '"');
        cs_buf_put8(buf, (uint8_t)*name);
    }
    cs_buf_put8(buf, '"');
}
