/* interval.c - building, emptying and adding tallies. */
#include "metrics/interval.h"

#include <stdlib.h>

enum cs_code cs_tally_init(struct cs_tally *tally, struct cs_err *err)
{
    enum cs_code rc;

    *tally = (struct cs_tally){0};
    rc = cs_histogram_new(&tally->service, err);
    if (!rc)
        rc = cs_histogram_new(&tally->failed, err);
    if (!rc)
        rc = cs_histogram_new(&tally->response, err);
    if (!rc)
        rc = cs_histogram_new(&tally->wait, err);
    return rc;
}

void cs_tally_release(struct cs_tally *tally)
{
    cs_histogram_free(tally->service);
    cs_histogram_free(tally->failed);
    cs_histogram_free(tally->response);
    cs_histogram_free(tally->wait);
    *tally = (struct cs_tally){0};
}

void cs_tally_clear(struct cs_tally *tally)
{
    tally->operations = 0;
    tally->partitions = 0;
    tally->rows = 0;
    tally->errors = 0;
    cs_histogram_clear(tally->service);
    cs_histogram_clear(tally->failed);
    cs_histogram_clear(tally->response);
    cs_histogram_clear(tally->wait);
}

void cs_tally_add(struct cs_tally *to, const struct cs_tally *from)
{
    to->operations += from->operations;
    to->partitions += from->partitions;
    to->rows += from->rows;
    to->errors += from->errors;
    cs_histogram_add(to->service, from->service);
    cs_histogram_add(to->failed, from->failed);
    cs_histogram_add(to->response, from->response);
    cs_histogram_add(to->wait, from->wait);
}

enum cs_code cs_interval_init(struct cs_interval *interval, unsigned kind_count,
                              struct cs_err *err)
{
    enum cs_code rc;

    *interval = (struct cs_interval){0};
    interval->kinds = calloc(kind_count + 1, sizeof(*interval->kinds));
    if (!interval->kinds)
        return cs_fail(err, CS_ENOMEM, "no memory for an interval");
    interval->kind_count = kind_count;
    rc = cs_tally_init(&interval->total, err);
    for (unsigned i = 0; !rc && i < kind_count; i++)
        rc = cs_tally_init(&interval->kinds[i], err);
    return rc;
}

void cs_interval_release(struct cs_interval *interval)
{
    for (unsigned i = 0; i < interval->kind_count; i++)
        cs_tally_release(&interval->kinds[i]);
    free(interval->kinds);
    cs_tally_release(&interval->total);
    *interval = (struct cs_interval){0};
}

void cs_interval_clear(struct cs_interval *interval)
{
    for (unsigned i = 0; i < interval->kind_count; i++)
        cs_tally_clear(&interval->kinds[i]);
    cs_tally_clear(&interval->total);
    interval->pauses = (struct cs_pauses){0};
}

static void add_pauses(struct cs_pauses *to, const struct cs_pauses *from)
{
    to->count += from->count;
    to->bytes += from->bytes;
    to->longest_ms += from->longest_ms;
    to->sum_ms += from->sum_ms;
    to->sum_of_squares += from->sum_of_squares;
}

void cs_interval_add(struct cs_interval *to, const struct cs_interval *from)
{
    for (unsigned i = 0; i < to->kind_count; i++)
        cs_tally_add(&to->kinds[i], &from->kinds[i]);
    cs_tally_add(&to->total, &from->total);
    add_pauses(&to->pauses, &from->pauses);
    to->end_ns = from->end_ns;
}
