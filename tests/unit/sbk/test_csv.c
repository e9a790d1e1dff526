/* The CSV file, column by column. */
#include "sbk/csv.h"
#include "support/sbk.h"

#define TEXT_MAX_SIZE ((size_t)1 << 16)

/* What a column without a field holds in the row below. */
static const char *word_of(const char *column)
{
    static const char *const words[][2] = {
        {"ID", "               3"}, {"Date", "2026-11-30"},
        {"Time", "17:49:05"},       {"Header", "sbk"},
        {"Type", "Regular"},        {"Connections", "0"},
        {"MaxConnections", "0"},    {"Storage", "Cassandra"},
        {"Action", "Writing"},      {"LatencyTimeUnit", "MICROSECONDS"},
    };

    for (size_t i = 0; i < CS_COUNT(words); i++)
        if (!strcmp(words[i][0], column))
            return words[i][1];
    return NULL;
}

static void put_cell(char **f, const struct cs_sbk_figures *figures,
                     const struct cs_sbk_spread *spread, struct cs_buf *out)
{
    const char *count = "Percentile_Count_";
    char name[64];

    if (word_of(f[1])) {
        cs_buf_puts(out, word_of(f[1]));
        return;
    }
    if (!strncmp(f[1], count, strlen(count)))
        snprintf(name, sizeof(name), "count %s", f[1] + strlen(count));
    else
        snprintf(name, sizeof(name), "%s", f[3]);
    sbk_put_number(f[2], sbk_value(name, figures, spread), out);
}

static void has_every_column_of_the_vectors(void **state)
{
    const struct cs_sbk_figures figures = sbk_figures();
    const struct cs_sbk_spread spread = sbk_spread(CS_SBK_10);
    struct cs_buf names, cells, got;
    struct vector_file v;
    char *f[6];

    (void)state;
    cs_buf_init(&names, TEXT_MAX_SIZE);
    cs_buf_init(&cells, TEXT_MAX_SIZE);
    cs_buf_init(&got, TEXT_MAX_SIZE);
    vector_open(&v, "output/sbk/csv-columns.tsv");
    while (vector_next_line(&v) && vector_fields(&v, f, 6) == 6) {
        if (!strcmp(f[0], "n"))
            continue;
        cs_buf_printf(&names, "%s%s", names.size ? "," : "", f[1]);
        cs_buf_puts(&cells, cells.size ? "," : "");
        put_cell(f, &figures, &spread, &cells);
    }
    cs_buf_puts(&names, "\n");
    cs_buf_puts(&cells, "\n");
    cs_sbk_put_csv_header(CS_SBK_10, &got);
    assert_string_equal(cs_buf_text(&got), cs_buf_text(&names));
    cs_buf_clear(&got);
    cs_sbk_put_csv_row(CS_SBK_10, 3, &figures, &spread, &got);
    assert_string_equal(cs_buf_text(&got), cs_buf_text(&cells));
    cs_buf_release(&names);
    cs_buf_release(&cells);
    cs_buf_release(&got);
}

/* By name, as sbk-charts looks for them. */
static void has_what_sbk_charts_needs(void **state)
{
    struct cs_buf got;
    struct vector_file v;
    unsigned needed = 0;
    char *f[6];

    (void)state;
    cs_buf_init(&got, TEXT_MAX_SIZE);
    cs_buf_puts(&got, ",");
    cs_sbk_put_csv_header(cs_sbk_csv_format(CS_SBK_0_88_PRE), &got);
    got.size--;
    cs_buf_puts(&got, ",");
    vector_open(&v, "output/sbk/csv-columns.tsv");
    while (vector_next_line(&v) && vector_fields(&v, f, 6) == 6) {
        char name[80];

        snprintf(name, sizeof(name), ",%s,", f[1]);
        if (strcmp(f[5], "yes") != 0)
            continue;
        needed++;
        if (!strstr(cs_buf_text(&got), name))
            fail_msg("no column %s", f[1]);
    }
    assert_true(needed > 30);
    cs_buf_release(&got);
}

static void has_the_header_of_real_files(void **state)
{
    struct cs_buf got;
    struct vector_file v;

    (void)state;
    cs_buf_init(&got, TEXT_MAX_SIZE);
    cs_sbk_put_csv_header(CS_SBK_10, &got);
    got.size--;
    vector_open(&v, "output/sbk/example.csv");
    assert_true(vector_next_line(&v));
    assert_string_equal(cs_buf_text(&got), v.text);
    while (vector_next_line(&v))
        continue;
    cs_buf_release(&got);
}

/* Columns from the first one on, and how many commas there are. */
static const struct {
    enum cs_sbk_format format;
    const char *front;
    unsigned columns;
} rows[] = {
    {CS_SBK_0_91, "ID,Header,Type,", 8 + 16 + 21},
    {CS_SBK_2_0, "ID,Header,Type,", 8 + 25 + 22},
    {CS_SBK_3_0, "ID,Header,Type,", 8 + 31 + 22},
    {CS_SBK_4_0, "ID,Header,Type,", 8 + 35 + 22},
    {CS_SBK_7_0, "ID,Header,Type,", 8 + 35 + 28},
    {CS_SBK_9_0, "ID,Header,Type,", 8 + 35 + 56},
    {CS_SBK_10, "ID,Date,Time,Header,", 10 + 35 + 56},
};

static unsigned count_cells(const char *text)
{
    unsigned count = 1;

    for (; *text; text++)
        count += *text == ',';
    return count;
}

static void has_the_columns_of_each_release(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const struct cs_sbk_figures figures = sbk_figures();
        const struct cs_sbk_spread spread = sbk_spread(rows[i].format);
        struct cs_buf got;

        cs_buf_init(&got, TEXT_MAX_SIZE);
        cs_sbk_put_csv_header(rows[i].format, &got);
        assert_memory_equal(got.data, rows[i].front, strlen(rows[i].front));
        assert_int_equal(count_cells(cs_buf_text(&got)), rows[i].columns);
        cs_buf_clear(&got);
        cs_sbk_put_csv_row(rows[i].format, 1, &figures, &spread, &got);
        assert_int_equal(count_cells(cs_buf_text(&got)), rows[i].columns);
        cs_buf_release(&got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_every_column_of_the_vectors),
        cmocka_unit_test(has_what_sbk_charts_needs),
        cmocka_unit_test(has_the_header_of_real_files),
        cmocka_unit_test(has_the_columns_of_each_release),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
