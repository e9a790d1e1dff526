/* test_report.c - the text of rows, block and comparison table, byte for byte,
 * from samples. */
#include "base/text.h"
#include "report_fixture.h"
#include "support/folder.h"
#include "support/golden.h"

static const struct {
    const char *key; /* in `text` */
    enum cs_level level;
    bool original;
} versions[] = {
    {"3.11.5", CS_LEVEL_3_11, true},    {"4.0-alpha2", CS_LEVEL_4_0, true},
    {"4.0-alpha2", CS_LEVEL_4_1, true}, {"5.0.2", CS_LEVEL_5_0, true},
    {"cstress", CS_LEVEL_5_0, false},
};

/* text.cstress is there only where it differs. */
static const char *wanted(json_t *vector, size_t version)
{
    json_t *texts = json_object_get(vector, "text");
    const char *text = vector_string(texts, versions[version].key);

    if (!text && !versions[version].original &&
        !json_object_get(vector, "reporting"))
        text = vector_string(texts, "5.0.2");
    return text;
}

static void set_frequencies(struct cs_settings *settings, const char *text)
{
    if (text)
        assert_int_equal(sscanf(text,
                                "output-frequency=%ds header-frequency=%ds",
                                &settings->reporting.output_s,
                                &settings->reporting.header_s),
                         2);
}

/* Everything printed for the vector, without the extra lines. */
static char *printed(json_t *vector, size_t version)
{
    json_t *runs = json_object_get(vector, "runs");
    struct cs_settings settings = {0};
    struct output output;
    size_t i;
    json_t *run;

    settings.compat.level = versions[version].level;
    settings.compat.original_figures = versions[version].original;
    set_frequencies(&settings, vector_string(vector, "reporting"));
    output_open(&output, &settings);
    json_array_foreach(runs, i, run)
    {
        struct feed feed;

        feed_run(&feed, output.report, run, vector_string(vector, "limiter"),
                 versions[version].original);
        cs_report_run_end(output.report, feed.results, NULL, 0, NULL);
        feed_release(&feed);
    }
    if (json_array_size(runs) > 1)
        cs_report_comparison(output.report);
    return output_close(&output);
}

static void drop_extra_lines(char *text)
{
    char *to = text;

    for (char *line = text; *line;) {
        size_t size = strcspn(line, "\n");

        size += line[size] == '\n';
        if (line[0] != '#') {
            memmove(to, line, size);
            to += size;
        }
        line += size;
    }
    *to = 0;
}

static void prints_every_vector_byte_for_byte(void **state)
{
    struct vector_file file;
    json_t *vector;

    (void)state;
    vector_open(&file, "output/report.jsonl");
    while ((vector = vector_next_json(&file))) {
        for (size_t v = 0; v < CS_COUNT(versions); v++) {
            const char *want = wanted(vector, v);
            char *got;

            if (!want)
                continue;
            got = printed(vector, v);
            if (!versions[v].original)
                drop_extra_lines(got);
            if (strcmp(got, want))
                fail_msg("%s, %s\ngot:\n%s\nwant:\n%s",
                         vector_string(vector, "id"), versions[v].key, got,
                         want);
            free(got);
        }
        json_decref(vector);
    }
}

static void prints_rows_extra_lines_and_block(void **state)
{
    struct cs_settings settings = settings_of(CS_LEVEL_5_0, false);
    char *text = report_one(&settings, NULL);

    (void)state;
    assert_golden("report/run.txt", text);
    free(text);
}

static void says_that_a_rate_was_not_reached(void **state)
{
    struct cs_settings settings = settings_of(CS_LEVEL_5_0, false);
    char *text = report_one(&settings, NULL);

    (void)state;
    assert_null(strstr(text, "not reached"));
    free(text);
    settings.rate.throttle_per_s = 0;
    settings.rate.fixed_per_s = 2000; /* late by 1 ms more each operation */
    text = report_one(&settings, NULL);
    assert_non_null(strstr(text, "# the rate asked for, 2,000/s, was not "
                                 "reached, at the end requests went out 1.8 s "
                                 "late\n"));
    assert_non_null(strstr(text, " operations began more than 1 ms late, at "
                                 "most 1,8"));
    free(text);
}

static void leaves_out_the_block_on_request(void **state)
{
    struct cs_settings settings = settings_of(CS_LEVEL_5_0, false);
    char *text;

    (void)state;
    settings.log.no_summary = true;
    text = report_one(&settings, NULL);
    assert_null(strstr(text, "Results:"));
    assert_null(strstr(text, "\n\n"));
    free(text);
    settings.compat.original_figures = true; /* no effect */
    text = report_one(&settings, NULL);
    assert_non_null(strstr(text, "\n\n\nResults:\n"));
    free(text);
}

static void says_why_a_run_is_incomplete(void **state)
{
    struct cs_settings settings = settings_of(CS_LEVEL_5_0, false);
    char *text = report_one(&settings, "interrupted");
    const char *tail = "Total operation time      : 00:00:09\n"
                       "\n"
                       "Incomplete: interrupted\n"
                       "\n";

    (void)state;
    assert_true(strlen(text) > strlen(tail));
    assert_string_equal(text + strlen(text) - strlen(tail), tail);
    free(text);
    settings.compat.original_figures = true; /* rows only */
    text = report_one(&settings, "interrupted");
    assert_null(strstr(text, "Results:"));
    assert_null(strstr(text, "Incomplete"));
    free(text);
}

static void compares_only_runs_that_were_completed(void **state)
{
    struct cs_settings settings = settings_of(CS_LEVEL_5_0, false);
    struct output output;
    char *text;

    (void)state;
    output_open(&output, &settings);
    cs_report_comparison(output.report); /* nothing yet: prints nothing */
    report_run(output.report, "4 threadCount", NULL);
    assert_true(cs_report_improvement(output.report) == 0);
    report_run(output.report, "8 threadCount", NULL);
    assert_true(cs_report_improvement(output.report) == 0);
    report_run(output.report, "16 threadCount", "interrupted");
    cs_report_comparison(output.report);
    text = output_close(&output);
    assert_non_null(strstr(text, "Improvement over 4 threadCount: 0%\n"));
    assert_non_null(strstr(text, "\n8 threadCount, total,"));
    assert_null(strstr(text, "16 threadCount,"));
    free(text);
}

static void sends_asides_to_the_log_file_but_not_as_the_original(void **state)
{
    struct folder folder;
    struct output output;

    (void)state;
    folder_open(&folder);
    for (int original = 0; original < 2; original++) {
        struct cs_settings settings = settings_of(CS_LEVEL_5_0, original);
        char *text;

        settings.log.file = folder_file(&folder, "x.log");
        output_open(&output, &settings);
        cs_report_aside(output.report, "Connected to cluster: %s", "x");
        cs_report_line(output.report, "Running %s", "WRITE");
        text = folder_read(settings.log.file); /* flushed line by line */
        assert_string_equal(text, original ? "Running WRITE\n"
                                           : "Connected to cluster: x\n"
                                             "Running WRITE\n");
        free(text);
        text = output_close(&output);
        assert_string_equal(text, "Connected to cluster: x\nRunning WRITE\n");
        free(text);
    }
    folder_remove(&folder);
}

static void tells_of_a_full_disk_at_the_end(void **state)
{
    struct cs_settings settings = settings_of(CS_LEVEL_5_0, false);
    struct cs_err err = {0};
    struct output output;

    (void)state;
    settings.log.file = "/dev/full";
    output_open(&output, &settings);
    assert_int_equal(cs_report_check(output.report, &err), CS_OK);
    cs_report_line(output.report, "a line");
    assert_int_equal(cs_report_check(output.report, &err), CS_ESYSTEM);
    assert_non_null(strstr(err.text, "/dev/full"));
    free(output_close(&output));
}

/* headers.tsv, columns.tsv and results.tsv say the same as the texts; here
 * against the tables of this program. */
static void has_the_columns_and_labels_of_the_tables(void **state)
{
    struct vector_file file;
    char *fields[8];

    (void)state;
    vector_open(&file, "output/columns.tsv");
    assert_true(vector_next_line(&file));
    for (int i = 0; vector_next_line(&file); i++) {
        assert_true(vector_fields(&file, fields, 8) >= 4);
        assert_string_equal(fields[1], column_names[i]);
    }
    vector_open(&file, "output/results.tsv");
    assert_true(vector_next_line(&file));
    for (int i = 0; vector_next_line(&file); i++) {
        char label[40];

        assert_true(vector_fields(&file, fields, 8) >= 4);
        snprintf(label, sizeof(label), "%-26s: ", block_label(i));
        assert_string_equal(fields[1], label);
    }
}

static void prints_the_header_of_each_level(void **state)
{
    struct vector_file file;
    char *fields[3];

    (void)state;
    vector_open(&file, "output/headers.tsv");
    assert_true(vector_next_line(&file));
    while (vector_next_line(&file)) {
        struct cs_buf out;
        enum cs_level level;

        assert_int_equal(vector_fields(&file, fields, 3), 3);
        level = fields[0][0] == '3'   ? CS_LEVEL_3_11
                : fields[0][0] == '4' ? CS_LEVEL_4_0
                                      : CS_LEVEL_5_0;
        cs_buf_init(&out, 1 << 12);
        if (strcmp(fields[1], "interval"))
            cs_buf_printf(&out, "%14s, ", "id");
        put_header(&out, level);
        out.size--; /* its newline */
        assert_string_equal(cs_buf_text(&out), fields[2]);
        cs_buf_release(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_every_vector_byte_for_byte),
        cmocka_unit_test(prints_rows_extra_lines_and_block),
        cmocka_unit_test(says_that_a_rate_was_not_reached),
        cmocka_unit_test(leaves_out_the_block_on_request),
        cmocka_unit_test(says_why_a_run_is_incomplete),
        cmocka_unit_test(compares_only_runs_that_were_completed),
        cmocka_unit_test(sends_asides_to_the_log_file_but_not_as_the_original),
        cmocka_unit_test(tells_of_a_full_disk_at_the_end),
        cmocka_unit_test(has_the_columns_and_labels_of_the_tables),
        cmocka_unit_test(prints_the_header_of_each_level),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
