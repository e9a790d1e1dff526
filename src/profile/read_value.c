/* read_value.c - distributions, ratios and consistency levels as values of a
 * profile. */
#include "profile/read_internal.h"

#include "base/text.h"

/* Longest notice that a distribution may give. */
#define NOTICE_MAX 1024

static bool blank(const char *text)
{
    return !text || text[strspn(text, " \t\r\n")] == 0;
}

/* Hands on what the parser took otherwise than typed. */
static void pass_notice(struct cs_yaml *yaml, const yaml_node_t *node,
                        const char *what, struct cs_buf *notice)
{
    if (notice->size)
        cs_yaml_warn(yaml, node, "%s: %s", what, cs_buf_text(notice));
    cs_buf_release(notice);
}

typedef enum cs_code (*parse_fn)(const char *text, void *out,
                                 struct cs_buf *notice, struct cs_err *err);

static enum cs_code parse_dist(const char *text, void *out,
                               struct cs_buf *notice, struct cs_err *err)
{
    return cs_dist_parse(text, out, notice, err);
}

static enum cs_code parse_ratio(const char *text, void *out,
                                struct cs_buf *notice, struct cs_err *err)
{
    return cs_ratio_parse(text, out, notice, err);
}

static enum cs_code read_by(parse_fn parse, struct cs_yaml *yaml,
                            const yaml_node_t *node, const char *what,
                            bool *has, void *out)
{
    struct cs_buf notice;
    const char *text;
    enum cs_code rc = cs_yaml_text(yaml, node, what, &text);

    if (rc || blank(text))
        return rc;
    cs_buf_init(&notice, NOTICE_MAX);
    rc = parse(text, out, &notice, yaml->err);
    if (rc)
        cs_yaml_while(yaml, node, "%s", what);
    *has = !rc;
    pass_notice(yaml, node, what, &notice);
    return rc;
}

enum cs_code cs_profile_read_dist(struct cs_yaml *yaml, const yaml_node_t *node,
                                  const char *what, bool *has,
                                  struct cs_dist_spec *out)
{
    return read_by(parse_dist, yaml, node, what, has, out);
}

enum cs_code cs_profile_read_ratio(struct cs_yaml *yaml,
                                   const yaml_node_t *node, const char *what,
                                   bool *has, struct cs_ratio_spec *out)
{
    return read_by(parse_ratio, yaml, node, what, has, out);
}

static enum cs_code unknown_level(struct cs_yaml *yaml, const yaml_node_t *node,
                                  const char *what, const char *text,
                                  bool serial)
{
    const char *near = cs_consistency_nearest(text);

    if (serial)
        return cs_yaml_fail(yaml, node,
                            "%s: '%s' is no serial level, expected SERIAL or "
                            "LOCAL_SERIAL",
                            what, text);
    if (near)
        return cs_yaml_fail(yaml, node,
                            "%s: unknown consistency level '%s', did you mean "
                            "'%s'?",
                            what, text, near);
    return cs_yaml_fail(yaml, node,
                        "%s: unknown consistency level '%s', expected ONE, "
                        "QUORUM, LOCAL_ONE and the like",
                        what, text);
}

enum cs_code cs_profile_read_level(struct cs_yaml *yaml,
                                   const yaml_node_t *node, const char *what,
                                   bool serial, bool *has,
                                   enum cs_consistency *out)
{
    enum cs_consistency level;
    const char *text;
    enum cs_code rc = cs_yaml_text(yaml, node, what, &text);

    if (rc || blank(text))
        return rc;
    if (!cs_consistency_parse(text, &level) ||
        (serial && level != CS_CL_SERIAL && level != CS_CL_LOCAL_SERIAL))
        return unknown_level(yaml, node, what, text, serial);
    *out = level;
    *has = true;
    return CS_OK;
}
