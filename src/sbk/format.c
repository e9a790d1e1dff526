/* format.c - releases by their numbers, and their percentiles. */
#include "sbk/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    double since; /* 0.881 came between 0.88 and 0.89 */
    enum cs_sbk_format format;
    const char *release;
} releases[] = {
    {0.85, CS_SBK_0_85, "0.85"}, {0.88, CS_SBK_0_88, "0.88"},
    {0.91, CS_SBK_0_91, "0.91"}, {2.0, CS_SBK_2_0, "2.0"},
    {3.0, CS_SBK_3_0, "3.0"},    {4.0, CS_SBK_4_0, "4.0"},
    {7.0, CS_SBK_7_0, "7.0"},    {9.0, CS_SBK_9_0, "9.0"},
    {10.0, CS_SBK_10, "10.6"},
};

static const struct cs_sbk_percentiles oldest = {
    7, {1000, 2500, 5000, 7500, 9900, 9990, 9999}};
static const struct cs_sbk_percentiles of_0_88 = {
    9, {1000, 2500, 5000, 7500, 9000, 9500, 9900, 9990, 9999}};
static const struct cs_sbk_percentiles of_0_91 = {
    21, {1000, 2000, 2500, 3000, 4000, 5000, 6000, 7000, 7500, 8000, 9000,
         9250, 9500, 9750, 9900, 9925, 9950, 9975, 9990, 9995, 9999}};
static const struct cs_sbk_percentiles of_2_0 = {
    22, {500,  1000, 2000, 2500, 3000, 4000, 5000, 6000, 7000, 7500, 8000,
         9000, 9250, 9500, 9750, 9900, 9925, 9950, 9975, 9990, 9995, 9999}};
static const struct cs_sbk_percentiles newest = {
    28, {500,  1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000,
         5500, 6000, 6500, 7000, 7500, 8000, 8500, 9000, 9250, 9500,
         9750, 9900, 9925, 9950, 9975, 9990, 9995, 9999}};

const struct cs_sbk_percentiles *
cs_sbk_percentiles_of(enum cs_sbk_format format)
{
    if (format == CS_SBK_0_85)
        return &oldest;
    if (format <= CS_SBK_0_88)
        return &of_0_88;
    if (format == CS_SBK_0_91)
        return &of_0_91;
    return format < CS_SBK_7_0 ? &of_2_0 : &newest;
}

void cs_sbk_percentile_name(int hundredths, char out[CS_SBK_PERCENTILE_NAME])
{
    if (hundredths % 100 == 0)
        snprintf(out, CS_SBK_PERCENTILE_NAME, "%d", hundredths / 100);
    else if (hundredths % 10 == 0)
        snprintf(out, CS_SBK_PERCENTILE_NAME, "%d.%d", hundredths / 100,
                 hundredths / 10 % 10);
    else
        snprintf(out, CS_SBK_PERCENTILE_NAME, "%d.%02d", hundredths / 100,
                 hundredths % 100);
}

enum cs_code cs_sbk_format_parse(const char *text, enum cs_sbk_format *out,
                                 struct cs_err *err)
{
    char *end = NULL;
    double number = strtod(text, &end);
    bool found = false;

    if (!strcmp(text, "0.88-pre")) {
        *out = CS_SBK_0_88_PRE;
        return CS_OK;
    }
    for (size_t i = 0; i < CS_COUNT(releases); i++) {
        /* Not exactly: 0.88 has no binary form. */
        if (end == text || *end || number < releases[i].since - 1e-9)
            break;
        *out = releases[i].format;
        found = true;
    }
    if (!found)
        return cs_fail(err, CS_EUSAGE,
                       "-format: '%.40s' is no release of SBK, expected "
                       "0.88-pre or a number from 0.85 on, as in 10.6",
                       text);
    return CS_OK;
}

const char *cs_sbk_format_release(enum cs_sbk_format format)
{
    for (size_t i = 0; i < CS_COUNT(releases); i++)
        if (releases[i].format == format)
            return releases[i].release;
    return "0.88"; /* as its last pre-release said of itself */
}
