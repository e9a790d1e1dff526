/* yaml_node.c - nodes of the document as text, lists and places, and messages
 * that begin with the place. */
#include "profile/yaml_internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

bool cs_yaml_is_null(const yaml_node_t *node)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    const char *value;

    if (!node)
        return true;
    if (node->type != YAML_SCALAR_NODE ||
        node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return false;
    value = (const char *)node->data.scalar.value;
    for (size_t i = 0; i < CS_COUNT(words); i++)
        if (strcmp(value, words[i]) == 0)
            return true;
    return false;
}

struct cs_place cs_yaml_place(const yaml_node_t *node)
{
    return (struct cs_place){.line = (int)node->start_mark.line + 1,
                             .column = (int)node->start_mark.column + 1};
}

/* The first line below that is not empty tells the indentation of all. */
static int indent_below(const struct cs_yaml *yaml, size_t line)
{
    size_t i = 0;
    int indent = 0;

    for (size_t at = 0; i < yaml->size && at <= line; i++)
        at += yaml->text[i] == '\n';
    for (; i < yaml->size && strchr(" \r\n", yaml->text[i]); i++)
        indent = yaml->text[i] == ' ' ? indent + 1 : 0;
    return indent;
}

struct cs_place cs_yaml_text_place(const struct cs_yaml *yaml,
                                   const yaml_node_t *node)
{
    struct cs_place place = cs_yaml_place(node);

    if (node->type == YAML_SCALAR_NODE &&
        node->data.scalar.style == YAML_LITERAL_SCALAR_STYLE)
        place.indent = indent_below(yaml, node->start_mark.line);
    return place;
}

enum cs_code cs_yaml_fail(struct cs_yaml *yaml, const yaml_node_t *at,
                          const char *fmt, ...)
{
    struct cs_place place = cs_yaml_place(at);
    char words[CS_ERR_TEXT];
    va_list va;

    va_start(va, fmt);
    vsnprintf(words, sizeof(words), fmt, va);
    va_end(va);
    return cs_fail(yaml->err, CS_EINVALID, "%s:%d:%d: %s", yaml->name,
                   place.line, place.column, words);
}

enum cs_code cs_yaml_while(struct cs_yaml *yaml, const yaml_node_t *at,
                           const char *fmt, ...)
{
    struct cs_place place = cs_yaml_place(at);
    char words[CS_ERR_TEXT];
    va_list va;

    va_start(va, fmt);
    vsnprintf(words, sizeof(words), fmt, va);
    va_end(va);
    return cs_while(yaml->err, "%s:%d:%d: %s", yaml->name, place.line,
                    place.column, words);
}

void cs_yaml_warn(struct cs_yaml *yaml, const yaml_node_t *at, const char *fmt,
                  ...)
{
    struct cs_place place = cs_yaml_place(at);
    char words[CS_ERR_TEXT];
    va_list va;

    if (!yaml->warnings)
        return;
    va_start(va, fmt);
    vsnprintf(words, sizeof(words), fmt, va);
    va_end(va);
    cs_buf_printf(yaml->warnings, "%s:%d:%d: %s\n", yaml->name, place.line,
                  place.column, words);
}

static const char *kind_of(const yaml_node_t *node)
{
    if (cs_yaml_is_null(node))
        return "nothing";
    switch (node->type) {
    case YAML_SCALAR_NODE:
        return "text";
    case YAML_SEQUENCE_NODE:
        return "a list";
    case YAML_MAPPING_NODE:
        return "a mapping";
    default:
        return "nothing";
    }
}

enum cs_code cs_yaml_text(struct cs_yaml *yaml, const yaml_node_t *node,
                          const char *what, const char **out)
{
    const char *value;

    *out = NULL;
    if (cs_yaml_is_null(node))
        return CS_OK;
    if (node->type != YAML_SCALAR_NODE)
        return cs_yaml_fail(yaml, node, "%s: expected text, found %s", what,
                            kind_of(node));
    value = (const char *)node->data.scalar.value;
    if (strlen(value) != node->data.scalar.length)
        return cs_yaml_fail(yaml, node, "%s: a NUL character in the text",
                            what);
    *out = cs_arena_text(yaml->arena, value);
    if (!*out)
        return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory", yaml->name);
    return CS_OK;
}

enum cs_code cs_yaml_list(struct cs_yaml *yaml, const yaml_node_t *node,
                          const char *what, size_t *count)
{
    *count = 0;
    if (cs_yaml_is_null(node))
        return CS_OK;
    if (node->type != YAML_SEQUENCE_NODE)
        return cs_yaml_fail(yaml, node,
                            "%s: expected a list (lines that begin with '- '), "
                            "found %s",
                            what, kind_of(node));
    *count = (size_t)(node->data.sequence.items.top -
                      node->data.sequence.items.start);
    return CS_OK;
}

const yaml_node_t *cs_yaml_item(struct cs_yaml *yaml, const yaml_node_t *list,
                                size_t index)
{
    return yaml_document_get_node(&yaml->document,
                                  list->data.sequence.items.start[index]);
}

enum cs_code cs_yaml_expect_mapping(struct cs_yaml *yaml,
                                    const yaml_node_t *node, const char *what)
{
    if (node->type == YAML_MAPPING_NODE)
        return CS_OK;
    return cs_yaml_fail(yaml, node,
                        "%s: expected a mapping (lines 'key: value'), found %s",
                        what, kind_of(node));
}
