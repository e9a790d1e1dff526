/* line.c - the result line as pieces, each with the releases that have it. */
#include "sbk/line.h"
#include "base/text.h"

#include <string.h>

/* '@' in a text stands for the unit. */
struct piece {
    enum cs_sbk_format since, until;
    const char *before;
    enum cs_sbk_field field;
    const char *after;
    int width; /* 0: the usual one */
};

#define OLD CS_SBK_0_85
#define PRE CS_SBK_0_88_PRE
#define R88 CS_SBK_0_88
#define R91 CS_SBK_0_91
#define R2  CS_SBK_2_0
#define R3  CS_SBK_3_0
#define R4  CS_SBK_4_0
#define NEW CS_SBK_10

static const struct piece pieces[] = {
    {R88, R91, " ", CS_SBK_WRITERS, " Writers,", 0},
    {R88, R91, " ", CS_SBK_READERS, " Readers, ", 0},
    {R88, R91, " ", CS_SBK_MAX_WRITERS, " Max Writers,", 0},
    {R88, R91, " ", CS_SBK_MAX_READERS, " Max Readers, ", 0},
    {R2, NEW, " ", CS_SBK_WRITERS, " writers,", 0},
    {R2, NEW, " ", CS_SBK_READERS, " readers, ", 0},
    {R2, NEW, " ", CS_SBK_MAX_WRITERS, " max writers,", 0},
    {R2, NEW, " ", CS_SBK_MAX_READERS, " max readers, ", 0},
    {R2, NEW, " ", CS_SBK_WRITE_REQUEST_MB, " write request MB,", 0},
    {R2, NEW, " ", CS_SBK_WRITE_REQUEST_RECORDS, " write request records,", 0},
    {R2, NEW, " ", CS_SBK_WRITE_REQUEST_RECORDS_PER_S,
     " write request records/sec,", 0},
    {R2, NEW, " ", CS_SBK_WRITE_REQUEST_MB_PER_S, " write request MB/sec,", 0},
    {R2, NEW, " ", CS_SBK_READ_REQUEST_MB, " read request MB, ", 0},
    {R2, NEW, " ", CS_SBK_READ_REQUEST_RECORDS, " read request records,", 0},
    {R2, NEW, " ", CS_SBK_READ_REQUEST_RECORDS_PER_S,
     " read request records/sec,", 0},
    {R2, NEW, " ", CS_SBK_READ_REQUEST_MB_PER_S, " read request MB/sec,", 0},
    {R3, NEW, " ", CS_SBK_WRITE_PENDING_MB, " write response pending MB,", 0},
    {R3, NEW, " ", CS_SBK_WRITE_PENDING_RECORDS,
     " write response pending records, ", 0},
    {R3, NEW, " ", CS_SBK_READ_PENDING_MB, " read response pending MB,", 0},
    {R3, NEW, " ", CS_SBK_READ_PENDING_RECORDS,
     " read response pending records, ", 0},
    {R3, NEW, " ", CS_SBK_WRITE_READ_PENDING_MB,
     " write read request pending MB,", 0},
    {R3, NEW, " ", CS_SBK_WRITE_READ_PENDING_RECORDS,
     " write read request pending records, ", 0},
    {R4, NEW, " ", CS_SBK_WRITE_TIMEOUTS, " write timeout events,", 0},
    {R4, NEW, " ", CS_SBK_WRITE_TIMEOUTS_PER_S, " write timeout events/sec,",
     0},
    {R4, NEW, " ", CS_SBK_READ_TIMEOUTS, " read timeout events,", 0},
    {R4, NEW, " ", CS_SBK_READ_TIMEOUTS_PER_S, " read timeout events/sec,", 0},
    {OLD, OLD, " ", CS_SBK_RECORDS, " records,", 11},
    {PRE, R88, "", CS_SBK_RECORDS, " records,", 11},
    {OLD, R88, " ", CS_SBK_RECORDS_PER_S, " records/sec,", 9},
    {R91, NEW, "", CS_SBK_SECONDS, " seconds,", 0},
    {R91, NEW, " ", CS_SBK_MEGABYTES, " MB,", 0},
    {R91, NEW, " ", CS_SBK_RECORDS, " records,", 0},
    {R91, NEW, " ", CS_SBK_RECORDS_PER_S, " records/sec,", 0},
    {OLD, NEW, " ", CS_SBK_MB_PER_S, " MB/sec,", 0},
    {OLD, NEW, " ", CS_SBK_AVERAGE, " @ avg latency,", 0},
    {R2, NEW, " ", CS_SBK_MIN, " @ min latency,", 0},
    {OLD, NEW, " ", CS_SBK_MAX, " @ max latency;", 0},
    {PRE, NEW, " ", CS_SBK_INVALID, " invalid latencies;", 0},
    {OLD, NEW, " Discarded Latencies:", CS_SBK_LOWER, " lower,", 0},
    {OLD, NEW, " ", CS_SBK_HIGHER, " higher;", 0},
    {R91, NEW, " SLC-1: ", CS_SBK_SLC1, ",", 0},
    {R91, NEW, " SLC-2: ", CS_SBK_SLC2, ";", 0},
    {OLD, OLD, "  Latency Percentiles: ", CS_SBK_NOTHING, "", 0},
    {R91, NEW, " Latency Percentiles: ", CS_SBK_NOTHING, "", 0},
};

static void put_text(const char *text, const char *unit, struct cs_buf *out)
{
    for (; *text; text++) {
        if (*text == '@')
            cs_buf_puts(out, unit);
        else
            cs_buf_put8(out, (uint8_t)*text);
    }
}

static void put_percentiles(const struct cs_sbk_spread *spread,
                            const char *unit, struct cs_buf *out)
{
    for (size_t i = 0; i < spread->set->count; i++) {
        char name[CS_SBK_PERCENTILE_NAME];

        cs_sbk_percentile_name(spread->set->hundredths[i], name);
        cs_buf_puts(out, i ? ", " : "");
        cs_put_int(out, spread->values[i], false, 7);
        cs_buf_printf(out, " %s %sth", unit, name);
    }
}

/* Total came in front with a colon until 1.x. */
static void put_prefix(enum cs_sbk_format format,
                       const struct cs_sbk_figures *figures, struct cs_buf *out)
{
    if (format == NEW) {
        cs_sbk_put_date(&figures->when, out);
        cs_buf_puts(out, " ");
        cs_sbk_put_time(&figures->when, out);
        cs_buf_puts(out, ", ");
    }
    if (figures->total)
        cs_buf_puts(out, format < R2 ? "Total : " : "Total ");
    cs_buf_printf(out, "Cassandra %s", figures->action);
}

static const char *ending(enum cs_sbk_format format)
{
    if (format >= R2)
        return "\n\n";
    return format == OLD ? ". \n" : ".\n";
}

void cs_sbk_put_line(enum cs_sbk_format format,
                     const struct cs_sbk_figures *figures,
                     const struct cs_sbk_spread *spread, struct cs_buf *out)
{
    const char *unit = cs_sbk_unit_name(figures->unit);

    put_prefix(format, figures, out);
    for (size_t i = 0; i < CS_COUNT(pieces); i++) {
        const struct piece *piece = &pieces[i];

        if (format < piece->since || format > piece->until)
            continue;
        put_text(piece->before, unit, out);
        if (piece->field != CS_SBK_NOTHING)
            cs_sbk_put_field(piece->field, piece->width, figures, spread, out);
        put_text(piece->after, unit, out);
    }
    put_percentiles(spread, unit, out);
    cs_buf_puts(out, ending(format));
}
