/* dist_internal.h - what one family of distributions gives to dist.c and
 * dist_parse.c. */
#ifndef CS_RANDOM_DIST_INTERNAL_H
#define CS_RANDOM_DIST_INTERNAL_H

#include "random/dist.h"

/* All of them know nothing of ~, which dist.c lays over them. */
struct cs_dist_family {
    int64_t (*next)(struct cs_dist *dist);
    double (*next_double)(struct cs_dist *dist);
    int64_t (*inverse)(const struct cs_dist_spec *spec, double p);
    void (*describe)(struct cs_buf *buf, const struct cs_dist_spec *spec);
};

extern const struct cs_dist_family cs_dist_fixed_family;
extern const struct cs_dist_family cs_dist_uniform_family;
extern const struct cs_dist_family cs_dist_gaussian_family;
extern const struct cs_dist_family cs_dist_exp_family;
extern const struct cs_dist_family cs_dist_extreme_family;
extern const struct cs_dist_family cs_dist_qextreme_family;
extern const struct cs_dist_family cs_dist_seq_family;

/* Parameters that follow from the range (and the shape). */
double cs_dist_exp_mean(int64_t min, int64_t max);
double cs_dist_extreme_scale(int64_t min, int64_t max, double shape);

/* Text of extreme and qextreme in the settings dump. */
void cs_dist_extreme_describe(struct cs_buf *buf,
                              const struct cs_dist_spec *spec);

/* ---- arithmetic of the families ---- */

/* A sample that counts from min, clamped to the range. */
CS_INLINE int64_t cs_dist_above_min(const struct cs_dist_spec *spec, double r)
{
    int64_t width = spec->max - spec->min;
    int64_t value = cs_trunc64(r);

    return spec->min + CS_MIN(CS_MAX(value, 0), width);
}

CS_INLINE double cs_dist_above_min_double(const struct cs_dist_spec *spec,
                                          double r)
{
    double width = (double)(spec->max - spec->min);

    return (double)spec->min + CS_MIN(CS_MAX(r, 0.0), width);
}

/* A sample clamped to the range. */
CS_INLINE int64_t cs_dist_within(const struct cs_dist_spec *spec, double r)
{
    int64_t value = cs_trunc64(r);

    return CS_MIN(CS_MAX(value, spec->min), spec->max);
}

CS_INLINE double cs_dist_within_double(const struct cs_dist_spec *spec,
                                       double r)
{
    return CS_MIN(CS_MAX(r, (double)spec->min), (double)spec->max);
}

/* "  min=1,max=10", the start of most texts. */
void cs_dist_describe_range(struct cs_buf *buf, const char *word,
                            const struct cs_dist_spec *spec);

/* ---- numbers and ranges in texts (dist_number.c) ---- */

/* Longest text of a distribution, with its NUL. */
#define CS_DIST_TEXT_MAX 1024

/* Removes blanks on both sides, in place. */
char *cs_dist_trim(char *text);

/* Plain digits: size of them, not none. */
bool cs_dist_parse_digits(const char *text, size_t size, bool negative,
                          int64_t *out);

/* An integer with a sign or none and a suffix k, m or b or none. */
bool cs_dist_parse_integer(const char *text, int64_t *out);

/* A finite decimal number. */
bool cs_dist_parse_real(const char *text, double *out);
enum cs_code cs_dist_parse_positive(const char *text, const char *what,
                                    double *out,
                                    struct cs_err *err) CS_MUST_USE;

/* "min..max" into out->min and out->max; text is below CS_DIST_TEXT_MAX. */
enum cs_code cs_dist_parse_range(const char *text, struct cs_dist_spec *out,
                                 struct cs_err *err) CS_MUST_USE;

#endif
