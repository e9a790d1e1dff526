/* qualify.c - reads the statements of a profile word by word. Puts the keyspace
 * in front of their table names: a prepared statement must name its keyspace,
 * as with a bare name its identity depends on the connection's USE. */
#include "schema/ident.h"
#include "workload/statements.h"

#include <ctype.h>
#include <strings.h>

/* End of the comment, string or quoted name that starts at p, or p. */
static const char *skip_opaque(const char *p)
{
    const char *end;

    if ((p[0] == '-' && p[1] == '-') || (p[0] == '/' && p[1] == '/')) {
        end = strchr(p, '\n');
        return end ? end + 1 : p + strlen(p);
    }
    if (p[0] == '/' && p[1] == '*') {
        end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (p[0] == '$' && p[1] == '$') {
        end = strstr(p + 2, "$$");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '\'' && *p != '"')
        return p;
    for (end = p + 1; *end; end++) {
        if (*end != *p)
            continue;
        if (end[1] != *p)
            return end + 1;
        end++;
    }
    return end;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *word_end(const char *p)
{
    while (is_word(*p))
        p++;
    return p;
}

static bool is_keyword(const char *word, size_t size, const char *keyword)
{
    return strlen(keyword) == size && !strncasecmp(word, keyword, size);
}

static bool names_table(const char *word, size_t size)
{
    return is_keyword(word, size, "from") || is_keyword(word, size, "into") ||
           is_keyword(word, size, "update");
}

/* Copies blanks and comments and returns what follows them. */
static const char *copy_gap(struct cs_buf *buf, const char *p)
{
    for (;;) {
        const char *from = p;

        while (isspace((unsigned char)*p))
            p++;
        if (*p != '"' && *p != '\'')
            p = skip_opaque(p);
        if (p == from)
            return p;
        cs_buf_put(buf, from, (size_t)(p - from));
    }
}

/* p is at a table name: copies it with the keyspace in front unless it has
 * one. */
static const char *copy_table(struct cs_buf *buf, const char *keyspace,
                              const char *p)
{
    const char *end = *p == '"' ? skip_opaque(p) : word_end(p);
    const char *next = end;

    while (isspace((unsigned char)*next))
        next++;
    if (end > p && *next != '.') {
        cs_ident_put(buf, keyspace);
        cs_buf_put8(buf, '.');
    }
    cs_buf_put(buf, p, (size_t)(end - p));
    return end;
}

void cs_cql_put_qualified(struct cs_buf *buf, const char *keyspace,
                          const char *cql)
{
    const char *p = cql;

    while (*p) {
        const char *end = skip_opaque(p);

        if (end == p)
            end = is_word(*p) ? word_end(p) : p + 1;
        cs_buf_put(buf, p, (size_t)(end - p));
        if (is_word(*p) && names_table(p, (size_t)(end - p)))
            end = copy_table(buf, keyspace, copy_gap(buf, end));
        p = end;
    }
}

bool cs_cql_condition_marker(const char *cql, unsigned *first)
{
    bool update = false, condition = false;
    unsigned markers = 0;
    const char *p = cql;

    while (*p) {
        const char *end = skip_opaque(p);

        if (end != p) {
            p = end;
            continue;
        }
        end = is_word(*p) ? word_end(p) : p + 1;
        if (is_keyword(p, (size_t)(end - p), "update"))
            update = true;
        if (is_keyword(p, (size_t)(end - p), "if"))
            condition = update;
        if (condition && *p == '?') {
            *first = markers;
            return true;
        }
        markers += *p == '?';
        p = end;
    }
    return false;
}

/* The next word, or NULL; *end: behind it. */
static const char *next_word(const char *p, const char **end)
{
    while (*p) {
        const char *behind = skip_opaque(p);

        if (behind == p && is_word(*p)) {
            *end = word_end(p);
            return p;
        }
        p = behind == p ? p + 1 : behind;
    }
    return NULL;
}

bool cs_cql_is_select(const char *cql)
{
    const char *end;
    const char *first = next_word(cql, &end);

    return first && is_keyword(first, (size_t)(end - first), "select");
}

bool cs_cql_has_word(const char *cql, const char *word)
{
    const char *end = cql;

    for (const char *p; (p = next_word(end, &end)) != NULL;)
        if (is_keyword(p, (size_t)(end - p), word))
            return true;
    return false;
}
