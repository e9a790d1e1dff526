/* words.c - statements cut into words: enough to find names and markers. */
#include "responder/catalog_internal.h"

#include <ctype.h>

static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A comment or blanks at p; where they end. */
static const char *skip(const char *p, const char *end)
{
    while (p < end) {
        if (isspace((unsigned char)*p)) {
            p++;
        } else if (end - p > 1 &&
                   (!memcmp(p, "--", 2) || !memcmp(p, "//", 2))) {
            while (p < end && *p != '\n')
                p++;
        } else if (end - p > 1 && !memcmp(p, "/*", 2)) {
            const char *close = memmem(p + 2, (size_t)(end - p) - 2, "*/", 2);

            p = close ? close + 2 : end;
        } else {
            break;
        }
    }
    return p;
}

/* What stands between quotes, doubled ones halved; where it ends. */
static const char *take_quoted(const char *p, const char *end, char *to)
{
    char quote = *p++;

    while (p < end) {
        if (*p == quote && (end - p < 2 || p[1] != quote))
            return p + 1;
        p += *p == quote;
        *to++ = *p++;
    }
    return end;
}

static const char *take_word(const char *p, const char *end, char *to,
                             struct cs_cql_word *word)
{
    bool number = isdigit((unsigned char)*p);

    if (*p == '"' || *p == '\'') {
        word->kind = *p == '"' ? 'q' : 's';
        return take_quoted(p, end, to);
    }
    if (!is_name_byte(*p)) {
        word->kind = *to = *p;
        return p + 1;
    }
    word->kind = number ? 'n' : 'w';
    while (p < end && (is_name_byte(*p) || (number && *p == '.')))
        *to++ = (char)tolower((unsigned char)*p++);
    return p;
}

enum cs_code cs_cql_words_cut(struct cs_view cql, struct cs_arena *arena,
                              struct cs_cql_words *out, struct cs_err *err)
{
    const char *p = cql.data ? (const char *)cql.data : "";
    const char *end = p + cql.size;
    char *text;

    if (cql.size > CS_CQL_MAX)
        return cs_fail(err, CS_EINVALID,
                       "a statement of %zu bytes, at most %zu are read",
                       cql.size, CS_CQL_MAX);
    out->count = 0;
    /* A word takes at least a byte, and its text as many and a NUL. */
    text = cs_arena_alloc(arena, 2 * cql.size + 2);
    out->list = cs_arena_array(arena, cql.size + 1, sizeof(*out->list));
    if (!text || !out->list)
        return cs_fail(err, CS_ENOMEM, "no memory for a statement");
    while ((p = skip(p, end)) < end) {
        struct cs_cql_word *word = &out->list[out->count++];

        word->text = text;
        word->start = (size_t)(p - (const char *)cql.data);
        p = take_word(p, end, text, word);
        text += strlen(text) + 1;
    }
    return CS_OK;
}

const struct cs_cql_word *cs_cql_words_at(const struct cs_cql_words *words,
                                          size_t i)
{
    static const struct cs_cql_word none = {.kind = 0, .text = ""};

    return i < words->count ? &words->list[i] : &none;
}

bool cs_cql_words_is(const struct cs_cql_words *words, size_t i,
                     const char *word)
{
    const struct cs_cql_word *at = cs_cql_words_at(words, i);

    return at->kind == 'w' && !strcmp(at->text, word);
}

bool cs_cql_words_is_name(const struct cs_cql_words *words, size_t i)
{
    char kind = cs_cql_words_at(words, i)->kind;

    return kind == 'w' || kind == 'q';
}

bool cs_cql_words_is_marker(const struct cs_cql_words *words, size_t i)
{
    char kind = cs_cql_words_at(words, i)->kind;

    return kind == '?' ||
           (kind == ':' && i && cs_cql_words_at(words, i - 1)->kind != 's' &&
            cs_cql_words_is_name(words, i + 1));
}
