/* literal_time.c - dates, times of day, timestamps and durations. */
#include "types/literal_internal.h"

#include "types/vint.h"

#include <inttypes.h>
#include <time.h>

#define S_PER_DAY   86400
#define NS_PER_S    INT64_C(1000000000)
#define MS_PER_S    1000
#define FIRST_DAY   (-719162) /* 0001-01-01, in days since 1970 */
#define LAST_DAY    2932896   /* 9999-12-31 */
#define LAST_SECOND ((LAST_DAY + INT64_C(1)) * S_PER_DAY - 1)

/* "2024-02-29". Days are at most 32 bits wide, which struct tm holds. */
static void put_day(struct cs_buf *buf, int64_t days)
{
    time_t seconds = days * S_PER_DAY;
    struct tm tm;

    gmtime_r(&seconds, &tm);
    cs_buf_printf(buf, "%04lld-%02d-%02d", (long long)tm.tm_year + 1900,
                  tm.tm_mon + 1, tm.tm_mday);
}

/* "23:59:59". */
static void put_clock(struct cs_buf *buf, int seconds)
{
    cs_buf_printf(buf, "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60,
                  seconds % 60);
}

bool cs_literal_date(const struct cs_literal *lit, const struct cs_value *v)
{
    int64_t days;

    if (v->size != 4)
        return false;
    days = (int64_t)cs_load32(v->bytes) - (INT64_C(1) << 31);
    if (!lit->plain && (days < FIRST_DAY || days > LAST_DAY))
        return cs_literal_call(lit, v);
    cs_literal_quote(lit);
    put_day(lit->buf, days);
    cs_literal_quote(lit);
    return true;
}

bool cs_literal_time(const struct cs_literal *lit, const struct cs_value *v)
{
    int64_t ns;

    if (v->size != 8)
        return false;
    ns = (int64_t)cs_load64(v->bytes);
    if (ns < 0 || ns >= S_PER_DAY * NS_PER_S) { /* no time of a day */
        if (!lit->plain)
            return cs_literal_call(lit, v);
        cs_buf_printf(lit->buf, "%" PRId64, ns);
        return true;
    }
    cs_literal_quote(lit);
    put_clock(lit->buf, (int)(ns / NS_PER_S));
    cs_buf_printf(lit->buf, ".%09" PRId64, ns % NS_PER_S);
    cs_literal_quote(lit);
    return true;
}

/* In CQL the number of milliseconds: exact, and free of time zones. */
bool cs_literal_timestamp(const struct cs_literal *lit,
                          const struct cs_value *v)
{
    int64_t ms, seconds, days;

    if (v->size != 8)
        return false;
    ms = (int64_t)cs_load64(v->bytes);
    seconds = ms / MS_PER_S - (ms % MS_PER_S < 0);
    days = seconds / S_PER_DAY - (seconds % S_PER_DAY < 0);
    if (!lit->plain || days < FIRST_DAY || seconds > LAST_SECOND) {
        cs_buf_printf(lit->buf, "%" PRId64, ms);
        return true;
    }
    put_day(lit->buf, days);
    cs_buf_put8(lit->buf, ' ');
    put_clock(lit->buf, (int)(seconds - days * S_PER_DAY));
    cs_buf_printf(lit->buf, ".%03d+0000", (int)(ms - seconds * MS_PER_S));
    return true;
}

/* ---- duration ---- */

struct duration {
    int64_t months, days, ns;
};

/* Three vints in shortest form, none beyond its range, all of one sign. */
static bool read_duration(const struct cs_value *v, struct duration *out)
{
    struct cs_reader r = cs_reader_of(v->bytes, v->size);
    struct duration d;
    size_t size;

    d.months = cs_read_vint(&r);
    d.days = cs_read_vint(&r);
    d.ns = cs_read_vint(&r);
    if (r.fault || cs_reader_left(&r))
        return false;
    size = cs_uvint_size(cs_zigzag(d.months)) +
           cs_uvint_size(cs_zigzag(d.days)) + cs_uvint_size(cs_zigzag(d.ns));
    *out = d;
    return size == v->size && d.months == (int32_t)d.months &&
           d.days == (int32_t)d.days &&
           ((d.months >= 0 && d.days >= 0 && d.ns >= 0) ||
            (d.months <= 0 && d.days <= 0 && d.ns <= 0));
}

static void put_unit(struct cs_buf *buf, int64_t value, const char *unit)
{
    if (value)
        cs_buf_printf(buf, "%" PRId64 "%s", value, unit);
}

bool cs_literal_duration(const struct cs_literal *lit, const struct cs_value *v)
{
    struct duration d;

    if (!read_duration(v, &d))
        return false;
    if (d.months == INT32_MIN || d.days == INT32_MIN || d.ns == INT64_MIN)
        return cs_literal_call(lit, v); /* CQL reads them without their sign */
    if (d.months < 0 || d.days < 0 || d.ns < 0) {
        cs_buf_put8(lit->buf, '-');
        d = (struct duration){-d.months, -d.days, -d.ns};
    }
    put_unit(lit->buf, d.months, "mo");
    put_unit(lit->buf, d.days, "d");
    put_unit(lit->buf, d.ns, "ns");
    if (!d.months && !d.days && !d.ns)
        cs_buf_puts(lit->buf, "0ns");
    return true;
}
