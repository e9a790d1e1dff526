/* The Prometheus page: every family of the vectors, in order, with its type
 * and its number. */
#include "base/text.h"
#include "sbk/metrics.h"
#include "support/sbk.h"

#define TEXT_MAX_SIZE ((size_t)1 << 18)
#define LABELS        "{action=\"Writing\",class=\"Cassandra\",component=\"sbk\"}"

/* The meaning in the vectors: "p50 in ns", "records at p10", "bytes so far",
 * "read_response_pending_bytes, bytes". */
static double value_of(const char *meaning,
                       const struct cs_sbk_figures *figures,
                       const struct cs_sbk_spread *spread)
{
    char name[80];
    bool ns = strstr(meaning, " in ns") != NULL;

    if (!strncmp(meaning, "records at p", 12)) {
        snprintf(name, sizeof(name), "count %s", meaning + 12);
    } else {
        snprintf(name, sizeof(name), "%s", meaning);
        name[strcspn(name, " ,")] = 0;
    }
    return sbk_value(name, figures, spread) * (ns ? 1000 : 1);
}

/* "SBK_<action>_Bytes_total" */
static void name_of(const char *pattern, char out[80])
{
    const char *action = strstr(pattern, "<action>");

    if (action)
        snprintf(out, 80, "%.*sWriting%s", (int)(action - pattern), pattern,
                 action + strlen("<action>"));
    else
        snprintf(out, 80, "%s", pattern);
}

static void has_every_family_of_the_vectors(void **state)
{
    const struct cs_sbk_figures figures = sbk_figures();
    const struct cs_sbk_spread spread = sbk_spread(CS_SBK_10);
    struct cs_sbk_counters counters = {0};
    struct cs_buf want, got;
    struct vector_file v;
    char *f[4];

    (void)state;
    cs_buf_init(&want, TEXT_MAX_SIZE);
    cs_buf_init(&got, TEXT_MAX_SIZE);
    cs_sbk_counters_add(&counters, &figures);
    cs_sbk_counters_add(&counters, &figures);
    vector_open(&v, "output/sbk/metrics.tsv");
    while (vector_next_line(&v) && vector_fields(&v, f, 4) == 4) {
        bool counter = !strcmp(f[2], "counter");
        char name[80];

        if (!strcmp(f[0], "n"))
            continue;
        name_of(f[1], name);
        cs_buf_printf(&want, "# HELP %s  \n# TYPE %s %s\n%s" LABELS " ", name,
                      name, f[2], name);
        cs_put_java_double(&want, value_of(f[3], &figures, &spread) *
                                      (counter ? 2 : 1));
        cs_buf_puts(&want, "\n");
    }
    cs_sbk_put_metrics(CS_SBK_10, &figures, &spread, &counters, &got);
    assert_string_equal(cs_buf_text(&got), cs_buf_text(&want));
    cs_buf_release(&want);
    cs_buf_release(&got);
}

/* The lines of a real page but for their numbers. */
static void has_the_lines_of_a_real_page(void **state)
{
    const struct cs_sbk_figures figures = {.action = "Writing",
                                           .unit = CS_SBK_MCS};
    const struct cs_sbk_spread spread = {.set =
                                             cs_sbk_percentiles_of(CS_SBK_10)};
    const struct cs_sbk_counters counters = {0};
    struct cs_buf got;
    struct vector_file v;
    const char *at;

    (void)state;
    cs_buf_init(&got, TEXT_MAX_SIZE);
    cs_sbk_put_metrics(CS_SBK_10, &figures, &spread, &counters, &got);
    at = cs_buf_text(&got);
    vector_open(&v, "output/sbk/metrics-example.txt");
    while (vector_next_line(&v)) {
        const char *blank = strrchr(v.text, ' ');
        size_t size =
            v.text[0] == '#' ? strlen(v.text) : (size_t)(blank - v.text);

        if (strncmp(at, v.text, size) != 0)
            fail_msg("line %d: %.120s, not %s", v.line, at, v.text);
        if (v.text[0] != '#')
            assert_memory_equal(at + size, " 0.0\n", 5);
        at = strchr(at, '\n') + 1;
    }
    assert_int_equal(*at, 0);
    cs_buf_release(&got);
}

static const char *const old_names[] = {
    "SBK_CASSANDRA_Writing_Bytes_total",
    "SBK_CASSANDRA_Writing_Records_total",
    "SBK_CASSANDRA_Writing_InvalidLatencyRecords_total",
    "SBK_CASSANDRA_Writing_LowerDiscardedLatencyRecords_total",
    "SBK_CASSANDRA_Writing_HigherDiscardLatencyRecords_total",
    "SBK_CASSANDRA_Writing_MBPerSec",
    "SBK_CASSANDRA_Writing_RecordsPerSec",
    "SBK_CASSANDRA_Writing_ns_AvgLatency",
    "SBK_CASSANDRA_Writing_ns_MaxLatency",
    "SBK_CASSANDRA_Writing_ns_10",
    "SBK_CASSANDRA_Writing_ns_25",
    "SBK_CASSANDRA_Writing_ns_99_9",
    "SBK_CASSANDRA_Writing_ns_99_99",
    "SBK_CASSANDRA_Writing_Writers",
    "SBK_CASSANDRA_Writing_Readers",
    "SBK_CASSANDRA_Writing_Max_Writers",
    "SBK_CASSANDRA_Writing_Max_Readers",
};

static void has_the_old_names_for_0_88(void **state)
{
    const struct cs_sbk_figures figures = sbk_figures();
    const struct cs_sbk_spread spread = sbk_spread(CS_SBK_0_88);
    const struct cs_sbk_counters counters = {.sums = sbk_figures()};
    struct cs_buf got;

    (void)state;
    cs_buf_init(&got, TEXT_MAX_SIZE);
    cs_sbk_put_metrics(CS_SBK_0_88, &figures, &spread, &counters, &got);
    for (size_t i = 0; i < CS_COUNT(old_names); i++) {
        char line[120];

        snprintf(line, sizeof(line), "\n%s ", old_names[i]);
        if (!strstr(cs_buf_text(&got), line))
            fail_msg("no line of %s", old_names[i]);
    }
    assert_null(strstr(cs_buf_text(&got), "SBK_Writing"));
    assert_null(strstr(cs_buf_text(&got), "Count_"));
    cs_buf_release(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_every_family_of_the_vectors),
        cmocka_unit_test(has_the_lines_of_a_real_page),
        cmocka_unit_test(has_the_old_names_for_0_88),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
