/* figures.c - averages, rates and the two numbers that SBK calls sliding
 * latency coverage. */
#include "sbk/figures.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define MEDIAN 5000

void cs_sbk_figures_of(const struct cs_sbk_tally *tally, double seconds,
                       enum cs_sbk_format format, struct cs_sbk_figures *out)
{
    uint64_t measured = tally->valid_count + tally->lower + tally->higher;

    out->seconds = seconds;
    out->per_s_seconds = format < CS_SBK_0_91 ? CS_MAX(seconds, 1.0) : seconds;
    out->write_requests = tally->write_requests;
    out->write_request_bytes = tally->write_request_bytes;
    out->read_requests = tally->read_requests;
    out->read_request_bytes = tally->read_request_bytes;
    out->write_timeouts = tally->write_timeouts;
    out->read_timeouts = tally->read_timeouts;
    out->bytes = tally->bytes;
    out->records = tally->records;
    out->invalid = tally->invalid;
    out->lower = tally->lower;
    out->higher = tally->higher;
    out->average = measured ? (double)tally->latency_sum / (double)measured : 0;
    out->min = measured ? tally->min : 0;
    out->max = tally->max;
}

double cs_sbk_per_s(const struct cs_sbk_figures *figures, double count)
{
    return figures->per_s_seconds > 0 ? count / figures->per_s_seconds : 0;
}

static int rounded_up(double sum, int count)
{
    double value = count ? floor((sum + count - 1) / count) : 0;

    return (int)CS_MIN(value, (double)INT_MAX);
}

void cs_sbk_slc(const struct cs_sbk_percentiles *set, const int64_t *values,
                int *slc1, int *slc2)
{
    double low = set->count ? (double)values[0] : 0;
    double middle = 0, below = 0, above = 0;
    int below_count = 0, above_count = 0;

    *slc1 = *slc2 = 0;
    if (!set->count || values[set->count - 1] <= 0)
        return;
    for (size_t i = 0; i < set->count; i++)
        if (set->hundredths[i] == MEDIAN)
            middle = (double)values[i];
    for (size_t i = 1; i < set->count; i++) {
        double value = (double)values[i];

        if (value <= middle && low > 0) {
            below += (value - low) / low;
            below_count++;
        } else if (middle > 0) {
            above += (value - middle) / middle;
            above_count++;
        }
    }
    *slc1 = rounded_up(below, below_count);
    *slc2 = rounded_up(above, above_count);
}

bool cs_sbk_spread_of(const struct cs_sbk_tally *tally,
                      enum cs_sbk_format format, struct cs_sbk_spread *out)
{
    memset(out, 0, sizeof(*out));
    out->set = cs_sbk_percentiles_of(format);
    if (!cs_sbk_latencies_at(&tally->valid, out->set->hundredths,
                             out->set->count, out->values, out->counts)) {
        memset(out->values, 0, sizeof(out->values));
        return false;
    }
    cs_sbk_slc(out->set, out->values, &out->slc1, &out->slc2);
    return true;
}
