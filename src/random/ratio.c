/* ratio.c - DIST/divisor: a share between 0 and 1. */
#include "base/text.h"
#include "random/dist_internal.h"

#include <string.h>

static double clamp_share(double share)
{
    return CS_MIN(CS_MAX(share, 0.0), 1.0);
}

static enum cs_code parse_divisor(const char *text, double *out,
                                  struct cs_err *err)
{
    int64_t divisor;

    if (*text < '0' || *text > '9' || !cs_dist_parse_integer(text, &divisor))
        return cs_fail(err, CS_EINVALID,
                       "'%s' is no divisor, expected a number such as 10 or 1k",
                       text);
    if (divisor == 0)
        return cs_fail(err, CS_EINVALID, "the divisor is 0");
    *out = (double)divisor;
    return CS_OK;
}

enum cs_code cs_ratio_parse(const char *text, struct cs_ratio_spec *out,
                            struct cs_buf *notice, struct cs_err *err)
{
    const char *slash = strrchr(text, '/');
    struct cs_ratio_spec ratio;
    char dist[CS_DIST_TEXT_MAX];
    enum cs_code rc;

    if (!slash)
        return cs_fail(err, CS_EINVALID,
                       "'%s' is no ratio, expected a distribution and a "
                       "divisor such as fixed(1)/1",
                       text);
    if ((size_t)(slash - text) >= sizeof(dist))
        return cs_fail(err, CS_EINVALID, "ratio longer than %d characters",
                       CS_DIST_TEXT_MAX - 1);
    memcpy(dist, text, (size_t)(slash - text));
    dist[slash - text] = 0;
    rc = parse_divisor(slash + 1, &ratio.divisor, err);
    if (!rc)
        rc = cs_dist_parse(dist, &ratio.dist, notice, err);
    if (rc)
        return cs_while(err, "ratio '%s'", text);
    if (ratio.dist.kind == CS_DIST_QEXTREME)
        return cs_fail(err, CS_EINVALID,
                       "ratio '%s': qextreme has whole numbers only, try "
                       "extreme",
                       text);
    *out = ratio;
    return CS_OK;
}

void cs_ratio_describe(struct cs_buf *buf, const struct cs_ratio_spec *spec)
{
    cs_buf_puts(buf, "Ratio: divisor=");
    cs_put_fixed(buf, spec->divisor, 6, false, 0);
    cs_buf_puts(buf, ";delegate=");
    cs_dist_describe(buf, &spec->dist);
}

double cs_ratio_next(struct cs_dist *dist, double divisor)
{
    return clamp_share(cs_dist_next_double(dist) / divisor);
}

double cs_ratio_min(const struct cs_ratio_spec *spec)
{
    return CS_MIN((double)cs_dist_min(&spec->dist) / spec->divisor, 1.0);
}

double cs_ratio_max(const struct cs_ratio_spec *spec)
{
    return CS_MIN((double)cs_dist_max(&spec->dist) / spec->divisor, 1.0);
}
