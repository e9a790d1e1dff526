/* The result line of each release, against the layouts of the vectors. */
#include "sbk/line.h"
#include "support/sbk.h"

#define TEXT_MAX_SIZE ((size_t)1 << 16)

/* JSON text: the quotes come off, {unit} becomes mcs. */
static void put_before(const char *json, struct cs_buf *out)
{
    for (const char *p = json + 1; p[1]; p++) {
        if (!strncmp(p, "{unit}", 6)) {
            cs_buf_puts(out, "mcs");
            p += 5;
        } else {
            cs_buf_put8(out, (uint8_t)*p);
        }
    }
}

static void put_field(const char *name, const char *format, bool total,
                      const struct cs_sbk_figures *figures,
                      const struct cs_sbk_spread *spread, struct cs_buf *out)
{
    if (!strcmp(name, "time"))
        cs_buf_puts(out, "2026-11-30 17:49:05");
    else if (!strcmp(name, "driver"))
        cs_buf_puts(out, total ? "Total Cassandra" : "Cassandra");
    else if (!strcmp(name, "action"))
        cs_buf_puts(out, figures->action);
    else if (strcmp(name, "-") != 0)
        sbk_put_number(format, sbk_value(name, figures, spread), out);
}

/* The line that the rows of one version in the vectors make. */
static void expect(const char *version, bool total,
                   const struct cs_sbk_figures *figures,
                   const struct cs_sbk_spread *spread, struct cs_buf *out)
{
    struct vector_file v;
    char *f[6];

    vector_open(&v, "output/sbk/result-line.tsv");
    while (vector_next_line(&v) && vector_fields(&v, f, 6) == 6) {
        if (strcmp(f[0], version) != 0)
            continue;
        put_before(f[2], out);
        put_field(f[3], f[4], total, figures, spread, out);
    }
    assert_true(out->size > 0);
}

static void check_version(const char *version, bool total, const char *front,
                          const char *end)
{
    struct cs_sbk_figures figures = sbk_figures();
    struct cs_sbk_spread spread;
    enum cs_sbk_format format;
    struct cs_buf want, got;
    struct cs_err err;

    assert_int_equal(cs_sbk_format_parse(version, &format, &err), CS_OK);
    spread = sbk_spread(format);
    figures.total = total;
    cs_buf_init(&want, TEXT_MAX_SIZE);
    cs_buf_init(&got, TEXT_MAX_SIZE);
    cs_buf_puts(&want, front);
    expect(version, total && !front[0], &figures, &spread, &want);
    cs_buf_puts(&want, end);
    cs_sbk_put_line(format, &figures, &spread, &got);
    assert_string_equal(cs_buf_text(&got), cs_buf_text(&want));
    cs_buf_release(&want);
    cs_buf_release(&got);
}

static void has_the_layouts_of_the_vectors(void **state)
{
    (void)state;
    check_version("0.88-pre", false, "", "\n");
    check_version("0.88-pre", true, "Total : ", "\n");
    check_version("0.88", false, "", "\n");
    check_version("0.88", true, "Total : ", "\n");
    check_version("10.6", false, "", "\n\n");
    check_version("10.6", true, "", "\n\n");
}

#define OLD_RESULT                                                             \
    "   51002 records,    9951.6 records/sec,     0.95 MB/sec,    302.3 mcs "  \
    "avg latency,   35304 mcs max latency;"
#define NEW_RESULT                                                             \
    "       5 seconds,         4.9 MB,            51002 records,      9951.6 " \
    "records/sec,     0.95 MB/sec,    302.3 mcs avg latency,"
#define WORKERS_2                                                              \
    "     2 writers,     3 readers,      4 max writers,     6 max readers, "
#define REQUESTS                                                               \
    "         6.7 write request MB,            70001 write request records, "  \
    "    13658.7 write request records/sec,     1.30 write request MB/sec,"    \
    "         7.6 read request MB,             80003 read request records, "   \
    "    15610.3 read request records/sec,     1.49 read request MB/sec,"
#define PENDING                                                                \
    "    12.00 write response pending MB,            24 write response "       \
    "pending records,     25.00 read response pending MB,            31 read " \
    "response pending records,     37.00 write read request pending MB,"       \
    "            17 write read request pending records, "
#define TIMEOUTS                                                               \
    "            11 write timeout events,     2.15 write timeout events/sec,"  \
    "            13 read timeout events,     2.54 read timeout events/sec,"
#define DISCARDED " Discarded Latencies:       5 lower,        9 higher;"
#define COVERAGE  " SLC-1:  21, SLC-2:  42; Latency Percentiles: "

/* Up to the first percentile, and the last one with the line's end. */
static const struct {
    const char *version;
    const char *front;
    const char *back;
} rows[] = {
    {"0.85",
     "Cassandra Writing    " OLD_RESULT DISCARDED
     "  Latency Percentiles:     100 mcs 10th,     103 mcs 25th,",
     "     118 mcs 99.99th. \n"},
    {"0.91",
     "Cassandra Writing     2 Writers,     3 Readers,      4 Max Writers,     "
     "6 Max Readers, " NEW_RESULT
     "   35304 mcs max latency;        1 invalid latencies;" DISCARDED COVERAGE
     "    100 mcs 10th,     103 mcs 20th,",
     "     160 mcs 99.99th.\n"},
    {"2.0",
     "Cassandra Writing" WORKERS_2 REQUESTS NEW_RESULT
     "      77 mcs min latency,   35304 mcs max latency;        1 invalid "
     "latencies;" DISCARDED COVERAGE "    100 mcs 5th,     103 mcs 10th,     "
     "106 mcs 20th,",
     "     163 mcs 99.99th\n\n"},
    {"3.0",
     "Cassandra Writing" WORKERS_2 REQUESTS PENDING NEW_RESULT
     "      77 mcs min latency,   35304 mcs max latency;        1 invalid "
     "latencies;" DISCARDED COVERAGE "    100 mcs 5th,",
     "     163 mcs 99.99th\n\n"},
    {"4.0",
     "Cassandra Writing" WORKERS_2 REQUESTS PENDING TIMEOUTS NEW_RESULT
     "      77 mcs min latency,   35304 mcs max latency;        1 invalid "
     "latencies;" DISCARDED COVERAGE "    100 mcs 5th,",
     "     163 mcs 99.99th\n\n"},
    {"7.0",
     "Cassandra Writing" WORKERS_2 REQUESTS PENDING TIMEOUTS NEW_RESULT
     "      77 mcs min latency,   35304 mcs max latency;        1 invalid "
     "latencies;" DISCARDED COVERAGE "    100 mcs 5th,     103 mcs 10th,     "
     "106 mcs 15th,",
     "     181 mcs 99.99th\n\n"},
};

static void has_each_layout_between(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_sbk_figures figures = sbk_figures();
        struct cs_sbk_spread spread;
        enum cs_sbk_format format;
        struct cs_buf got;
        struct cs_err err;
        const char *text;

        cs_buf_init(&got, TEXT_MAX_SIZE);
        assert_int_equal(cs_sbk_format_parse(rows[i].version, &format, &err),
                         CS_OK);
        spread = sbk_spread(format);
        cs_sbk_put_line(format, &figures, &spread, &got);
        text = cs_buf_text(&got);
        if (strncmp(text, rows[i].front, strlen(rows[i].front)) != 0)
            fail_msg("%s begins\n%s, not\n%s", rows[i].version, text,
                     rows[i].front);
        text += strlen(text) - strlen(rows[i].back);
        assert_string_equal(text, rows[i].back);
        cs_buf_release(&got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_layouts_of_the_vectors),
        cmocka_unit_test(has_each_layout_between),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
