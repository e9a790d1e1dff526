/* fields.c - value and width of each number of a window. */
#include "sbk/fields.h"
#include "base/text.h"

/* decimals -1: a whole number. */
static const struct {
    int width, decimals;
} shapes[CS_SBK_FIELD_COUNT] = {
    [CS_SBK_WRITERS] = {5, -1},
    [CS_SBK_READERS] = {5, -1},
    [CS_SBK_MAX_WRITERS] = {5, -1},
    [CS_SBK_MAX_READERS] = {5, -1},
    [CS_SBK_WRITE_REQUEST_MB] = {11, 1},
    [CS_SBK_WRITE_REQUEST_RECORDS] = {16, -1},
    [CS_SBK_WRITE_REQUEST_RECORDS_PER_S] = {11, 1},
    [CS_SBK_WRITE_REQUEST_MB_PER_S] = {8, 2},
    [CS_SBK_READ_REQUEST_MB] = {11, 1},
    [CS_SBK_READ_REQUEST_RECORDS] = {16, -1},
    [CS_SBK_READ_REQUEST_RECORDS_PER_S] = {11, 1},
    [CS_SBK_READ_REQUEST_MB_PER_S] = {8, 2},
    [CS_SBK_WRITE_PENDING_MB] = {8, 2},
    [CS_SBK_WRITE_PENDING_RECORDS] = {13, -1},
    [CS_SBK_READ_PENDING_MB] = {8, 2},
    [CS_SBK_READ_PENDING_RECORDS] = {13, -1},
    [CS_SBK_WRITE_READ_PENDING_MB] = {8, 2},
    [CS_SBK_WRITE_READ_PENDING_RECORDS] = {13, -1},
    [CS_SBK_WRITE_TIMEOUTS] = {13, -1},
    [CS_SBK_WRITE_TIMEOUTS_PER_S] = {8, 2},
    [CS_SBK_READ_TIMEOUTS] = {13, -1},
    [CS_SBK_READ_TIMEOUTS_PER_S] = {8, 2},
    [CS_SBK_SECONDS] = {8, -1},
    [CS_SBK_MEGABYTES] = {11, 1},
    [CS_SBK_RECORDS] = {16, -1},
    [CS_SBK_RECORDS_PER_S] = {11, 1},
    [CS_SBK_MB_PER_S] = {8, 2},
    [CS_SBK_AVERAGE] = {8, 1},
    [CS_SBK_MIN] = {7, -1},
    [CS_SBK_MAX] = {7, -1},
    [CS_SBK_INVALID] = {8, -1},
    [CS_SBK_LOWER] = {8, -1},
    [CS_SBK_HIGHER] = {8, -1},
    [CS_SBK_SLC1] = {3, -1},
    [CS_SBK_SLC2] = {3, -1},
};

static double requests(enum cs_sbk_field field, const struct cs_sbk_figures *f)
{
    switch (field) {
    case CS_SBK_WRITE_REQUEST_MB:
        return (double)f->write_request_bytes / CS_SBK_MB;
    case CS_SBK_WRITE_REQUEST_BYTES:
        return (double)f->write_request_bytes;
    case CS_SBK_WRITE_REQUEST_RECORDS:
        return (double)f->write_requests;
    case CS_SBK_WRITE_REQUEST_RECORDS_PER_S:
        return cs_sbk_per_s(f, (double)f->write_requests);
    case CS_SBK_WRITE_REQUEST_MB_PER_S:
        return cs_sbk_per_s(f, (double)f->write_request_bytes / CS_SBK_MB);
    case CS_SBK_READ_REQUEST_MB:
        return (double)f->read_request_bytes / CS_SBK_MB;
    case CS_SBK_READ_REQUEST_BYTES:
        return (double)f->read_request_bytes;
    case CS_SBK_READ_REQUEST_RECORDS:
        return (double)f->read_requests;
    case CS_SBK_READ_REQUEST_RECORDS_PER_S:
        return cs_sbk_per_s(f, (double)f->read_requests);
    default:
        return cs_sbk_per_s(f, (double)f->read_request_bytes / CS_SBK_MB);
    }
}

static double pending(enum cs_sbk_field field, const struct cs_sbk_figures *f)
{
    switch (field) {
    case CS_SBK_WRITE_PENDING_MB:
        return (double)f->write_pending_bytes / CS_SBK_MB;
    case CS_SBK_WRITE_PENDING_BYTES:
        return (double)f->write_pending_bytes;
    case CS_SBK_WRITE_PENDING_RECORDS:
        return (double)f->write_pending;
    case CS_SBK_READ_PENDING_MB:
        return (double)f->read_pending_bytes / CS_SBK_MB;
    case CS_SBK_READ_PENDING_BYTES:
        return (double)f->read_pending_bytes;
    case CS_SBK_READ_PENDING_RECORDS:
        return (double)f->read_pending;
    case CS_SBK_WRITE_READ_PENDING_MB:
        return (double)f->write_read_pending_bytes / CS_SBK_MB;
    case CS_SBK_WRITE_READ_PENDING_BYTES:
        return (double)f->write_read_pending_bytes;
    default:
        return (double)f->write_read_pending;
    }
}

static double workers(enum cs_sbk_field field, const struct cs_sbk_figures *f)
{
    switch (field) {
    case CS_SBK_WRITERS:
        return f->writers;
    case CS_SBK_READERS:
        return f->readers;
    case CS_SBK_MAX_WRITERS:
        return f->max_writers;
    case CS_SBK_MAX_READERS:
        return f->max_readers;
    case CS_SBK_WRITE_TIMEOUTS:
        return (double)f->write_timeouts;
    case CS_SBK_WRITE_TIMEOUTS_PER_S:
        return cs_sbk_per_s(f, (double)f->write_timeouts);
    case CS_SBK_READ_TIMEOUTS:
        return (double)f->read_timeouts;
    default:
        return cs_sbk_per_s(f, (double)f->read_timeouts);
    }
}

static double results(enum cs_sbk_field field, const struct cs_sbk_figures *f)
{
    switch (field) {
    case CS_SBK_SECONDS:
        return f->seconds;
    case CS_SBK_BYTES:
        return (double)f->bytes;
    case CS_SBK_MEGABYTES:
        return (double)f->bytes / CS_SBK_MB;
    case CS_SBK_RECORDS:
        return (double)f->records;
    case CS_SBK_RECORDS_PER_S:
        return cs_sbk_per_s(f, (double)f->records);
    case CS_SBK_MB_PER_S:
        return cs_sbk_per_s(f, (double)f->bytes / CS_SBK_MB);
    case CS_SBK_AVERAGE:
        return f->average;
    case CS_SBK_MIN:
        return (double)f->min;
    case CS_SBK_MAX:
        return (double)f->max;
    case CS_SBK_INVALID:
        return (double)f->invalid;
    case CS_SBK_LOWER:
        return (double)f->lower;
    default:
        return (double)f->higher;
    }
}

double cs_sbk_field_value(enum cs_sbk_field field,
                          const struct cs_sbk_figures *figures,
                          const struct cs_sbk_spread *spread)
{
    if (field == CS_SBK_SLC1 || field == CS_SBK_SLC2)
        return field == CS_SBK_SLC1 ? spread->slc1 : spread->slc2;
    if (field >= CS_SBK_SECONDS)
        return results(field, figures);
    if (field >= CS_SBK_WRITE_TIMEOUTS || field <= CS_SBK_MAX_READERS)
        return workers(field, figures);
    return field >= CS_SBK_WRITE_PENDING_MB ? pending(field, figures)
                                            : requests(field, figures);
}

void cs_sbk_put_field(enum cs_sbk_field field, int width,
                      const struct cs_sbk_figures *figures,
                      const struct cs_sbk_spread *spread, struct cs_buf *out)
{
    double value = cs_sbk_field_value(field, figures, spread);

    width = width ? width : shapes[field].width;
    if (shapes[field].decimals < 0)
        cs_put_int(out, (int64_t)value, false, width);
    else
        cs_put_fixed(out, value, shapes[field].decimals, false, width);
}

void cs_sbk_put_date(const struct tm *when, struct cs_buf *out)
{
    cs_buf_printf(out, "%04d-%02d-%02d", when->tm_year + 1900, when->tm_mon + 1,
                  when->tm_mday);
}

void cs_sbk_put_time(const struct tm *when, struct cs_buf *out)
{
    cs_buf_printf(out, "%02d:%02d:%02d", when->tm_hour, when->tm_min,
                  when->tm_sec);
}
