/* yaml.c - loads the one document of a profile and says in plain words what
 * is wrong with a text that is no YAML. */
#include "profile/yaml_internal.h"

#include <stdio.h>

/* Far more than any profile has: keyspace, columnspec, column, options. */
#define DEPTH_MAX 100

/* What people run into most, and what helps. */
static const struct {
    const char *problem; /* part of the library's words */
    const char *hint;
} hints[] = {
    {"mapping values are not allowed",
     "; a text that contains ': ' must be quoted or follow a '|'"},
    {"did not find expected alphabetic or numeric character",
     "; put a bare * or & in quotes: '*'"},
    {"could not find expected ':'",
     "; a key needs a colon and a blank behind it"},
    {"did not find expected '-'",
     "; the entries of a list have one indentation, and so have the keys of an "
     "entry"},
    {"did not find expected key",
     "; check the indentation, and that a value that begins with a quote ends "
     "with it"},
};

static const char *hint_for(const yaml_parser_t *parser)
{
    for (size_t i = 0; i < CS_COUNT(hints); i++)
        if (strstr(parser->problem, hints[i].problem) ||
            (parser->context && strstr(parser->context, hints[i].problem)))
            return hints[i].hint;
    return "";
}

/* Line of a byte offset, from 1. */
static size_t line_at(const char *text, size_t size, size_t offset)
{
    size_t line = 1;

    for (size_t i = 0; i < offset && i < size; i++)
        line += text[i] == '\n';
    return line;
}

static bool tab_at(const char *text, size_t size, yaml_mark_t mark)
{
    size_t line = 0;
    size_t i = 0;

    for (; i < size && line < mark.line; i++)
        line += text[i] == '\n';
    for (; i < size && (text[i] == ' ' || text[i] == '-'); i++)
        ;
    return i < size && text[i] == '\t';
}

/* The library finds out late: what it was reading, and where that began. */
static const char *begun_at(const yaml_parser_t *parser, char *out, size_t size)
{
    *out = '\0';
    if (parser->context &&
        parser->context_mark.line < parser->problem_mark.line)
        snprintf(out, size, " %s that begins in line %zu", parser->context,
                 parser->context_mark.line + 1);
    return out;
}

static enum cs_code syntax_error(struct cs_yaml *yaml,
                                 const yaml_parser_t *parser, const char *text,
                                 size_t size)
{
    yaml_mark_t mark = parser->problem_mark;
    char begun[160];

    if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
        return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory", yaml->name);
    if (parser->error == YAML_READER_ERROR)
        return cs_fail(yaml->err, CS_EINVALID,
                       "%s:%zu: not a text in UTF-8: %s", yaml->name,
                       line_at(text, size, parser->problem_offset),
                       parser->problem);
    if (tab_at(text, size, mark))
        return cs_fail(yaml->err, CS_EINVALID,
                       "%s:%zu:%zu: line %zu is indented by a tab; YAML wants "
                       "blanks",
                       yaml->name, mark.line + 1, mark.column + 1,
                       mark.line + 1);
    return cs_fail(yaml->err, CS_EINVALID,
                   "%s:%zu:%zu: line %zu is not YAML: %s%s%s", yaml->name,
                   mark.line + 1, mark.column + 1, mark.line + 1,
                   parser->problem, begun_at(parser, begun, sizeof(begun)),
                   hint_for(parser));
}

/* Whatever follows the first document. */
static enum cs_code refuse_second(struct cs_yaml *yaml, yaml_parser_t *parser,
                                  const char *text, size_t size)
{
    yaml_document_t next;
    yaml_node_t *root;
    struct cs_place place;

    if (!yaml_parser_load(parser, &next))
        return syntax_error(yaml, parser, text, size);
    root = yaml_document_get_root_node(&next);
    place = root ? cs_yaml_place(root) : (struct cs_place){0};
    yaml_document_delete(&next);
    if (!place.line)
        return CS_OK;
    return cs_fail(yaml->err, CS_EINVALID,
                   "%s:%d:%d: a second document begins here; a profile is one "
                   "document, several files go into profile= with commas",
                   yaml->name, place.line, place.column);
}

/* Depth of the document after an event. */
static int depth_after(const yaml_event_t *event, int depth)
{
    switch (event->type) {
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return depth + 1;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return depth - 1;
    default:
        return depth;
    }
}

/* The library's time grows with the square of the depth, so the document is
 * passed over once before it is loaded. Broken texts end the pass: the loading
 * tells what is wrong with them. */
static enum cs_code check_depth(struct cs_yaml *yaml, const char *text,
                                size_t size)
{
    yaml_parser_t parser;
    yaml_event_t event;
    bool more = yaml_parser_initialize(&parser) != 0;
    enum cs_code rc = CS_OK;
    int depth = 0;

    if (!more)
        return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory", yaml->name);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    while (more && !rc && yaml_parser_parse(&parser, &event)) {
        depth = depth_after(&event, depth);
        if (depth > DEPTH_MAX)
            rc = cs_fail(yaml->err, CS_EINVALID,
                         "%s:%zu:%zu: lists and mappings are nested deeper "
                         "than %d",
                         yaml->name, event.start_mark.line + 1,
                         event.start_mark.column + 1, DEPTH_MAX);
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return rc;
}

enum cs_code cs_yaml_load(struct cs_yaml *yaml, const char *text, size_t size)
{
    yaml_parser_t parser;
    enum cs_code rc = check_depth(yaml, text, size);

    yaml->text = text;
    yaml->size = size;
    if (rc)
        return rc;
    if (!yaml_parser_initialize(&parser))
        return cs_fail(yaml->err, CS_ENOMEM, "%s: out of memory", yaml->name);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    if (yaml_parser_load(&parser, &yaml->document))
        yaml->loaded = true;
    else
        rc = syntax_error(yaml, &parser, text, size);
    if (!rc && !cs_yaml_root(yaml))
        rc = cs_fail(yaml->err, CS_EINVALID,
                     "%s: the file is empty; expected keyspace, table and "
                     "queries",
                     yaml->name);
    if (!rc)
        rc = refuse_second(yaml, &parser, text, size);
    yaml_parser_delete(&parser);
    return rc;
}

void cs_yaml_release(struct cs_yaml *yaml)
{
    if (yaml->loaded)
        yaml_document_delete(&yaml->document);
    yaml->loaded = false;
}

const yaml_node_t *cs_yaml_root(struct cs_yaml *yaml)
{
    return yaml_document_get_root_node(&yaml->document);
}
