/* format.h - what changed from release to release of SBK: the pieces of the
 * result line, the percentiles, the columns of the CSV file. */
#ifndef CS_SBK_FORMAT_H
#define CS_SBK_FORMAT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Named after the first release with this layout; in their order. */
enum cs_sbk_format {
    CS_SBK_0_85,
    CS_SBK_0_88_PRE, /* of May 2021, before 0.88: the usual one here */
    CS_SBK_0_88,
    CS_SBK_0_91,
    CS_SBK_2_0,
    CS_SBK_3_0,
    CS_SBK_4_0,
    CS_SBK_7_0,
    CS_SBK_9_0, /* as 7.0, with counts in the CSV file */
    CS_SBK_10,
};

#define CS_SBK_PERCENTILES_MAX 28

struct cs_sbk_percentiles {
    size_t count;
    int hundredths[CS_SBK_PERCENTILES_MAX]; /* 9950: the 99.5th */
};

/* Never NULL. */
const struct cs_sbk_percentiles *
cs_sbk_percentiles_of(enum cs_sbk_format format);

/* "92.5": at most two decimals, no zeros at the end. */
#define CS_SBK_PERCENTILE_NAME 16
void cs_sbk_percentile_name(int hundredths, char out[CS_SBK_PERCENTILE_NAME]);

/* "10.6" is CS_SBK_10, any release is the layout of the last one before it.
 * CS_EUSAGE: no release, or one before 0.85. */
enum cs_code cs_sbk_format_parse(const char *text, enum cs_sbk_format *out,
                                 struct cs_err *err) CS_MUST_USE;

/* The release that is named as the version of SBK: "0.88", "10.6". */
const char *cs_sbk_format_release(enum cs_sbk_format format);

#endif
