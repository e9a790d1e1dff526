/* The text of rows, block and comparison table, byte for byte, from samples. */
#include "base/text.h"
#include "report/block_internal.h"
#include "report/report.h"
#include "report/report_internal.h"
#include "support/feed.h"
#include "support/folder.h"
#include "support/golden.h"
#include "support/output.h"

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

/* ---- a parser of its own, as readers of the output have one ---- */

#define FIELDS 19

/* Cuts a row at commas and blanks around them; returns how many fields. */
static int split_row(char *row, char **fields)
{
    int count = 0;

    for (char *at = row; at && count < FIELDS + 1;) {
        char *comma = strchr(at, ',');

        if (comma)
            *comma = 0;
        at += strspn(at, " ");
        fields[count++] = at;
        at = comma ? comma + 1 : NULL;
    }
    return count;
}

/* What the rows and the block of one run say. */
struct read_back {
    int rows;
    double operations; /* of the last total row */
    double time_s;
    double sum_of_operations; /* rate times length, over the total rows */
    double block[32];         /* first number of each line */
    char labels[32][40];
    int lines;
};

static void read_row(char *line, struct read_back *out)
{
    char *fields[FIELDS + 1];
    double length_s;

    if (split_row(line, fields) != FIELDS)
        fail_msg("not %d fields: %s", FIELDS, line);
    for (int i = 1; i < FIELDS; i++) {
        char *end;

        (void)strtod(fields[i], &end);
        if (*end)
            fail_msg("no number: '%s'", fields[i]);
    }
    out->rows++;
    if (strcmp(fields[0], "total"))
        return;
    length_s = atof(fields[11]) - out->time_s;
    out->sum_of_operations += atof(fields[2]) * length_s;
    out->time_s += length_s;
    out->operations = atof(fields[1]);
}

/* "label : 1,234.5 unit ..." */
static void read_block_line(const char *line, struct read_back *out)
{
    const char *colon = strchr(line, ':');
    size_t size = colon ? (size_t)(colon - line) : 0;
    char digits[40] = "";
    size_t n = 0;

    if (!colon)
        fail_msg("no label: %s", line);
    while (size && line[size - 1] == ' ')
        size--;
    snprintf(out->labels[out->lines], 40, "%.*s", (int)size, line);
    for (const char *p = colon + 1; *p && n < 39; p++) {
        if (*p == ',' || (*p == ' ' && !n))
            continue;
        if (!strchr("0123456789.-NaN", *p))
            break;
        digits[n++] = *p;
    }
    out->block[out->lines++] = strtod(digits, NULL);
}

static void read_text(char *text, struct read_back *out)
{
    enum { ROWS, BLOCK, AFTER } where = ROWS;
    char *save = NULL;

    memset(out, 0, sizeof(*out));
    for (char *line = strtok_r(text, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        if (!strcmp(line, "Results:"))
            where = BLOCK;
        else if (where == BLOCK && out->lines < 17)
            read_block_line(line, out);
        else if (where == ROWS && line[0] != '#' &&
                 !cs_starts_with(line, "type "))
            read_row(line, out);
    }
}

static double block_number(const struct read_back *got, const char *label)
{
    for (int i = 0; i < got->lines; i++)
        if (!strcmp(got->labels[i], label))
            return got->block[i];
    fail_msg("no line '%s'", label);
    return 0;
}

/* ---- one run with everything in it ---- */

static const char *const kinds[] = {"read1", "insert"};

/* Ten intervals of a second, starting 0.4 s after a second; the last is cut
 * after 0.5 s. Every tenth insert fails. */
static void report_run(struct cs_report *report, const char *name,
                       const char *incomplete)
{
    struct cs_run_setup setup = {
        .kind_names = kinds,
        .kind_count = 2,
        .limited = true,
        .fixed = false,
        .original_figures = report->settings->compat.original_figures,
        .start_ns = INT64_C(50400000000),
        .wall_start_ns = INT64_C(1730903661400000000),
        .interval_ns = 1000000000,
        .threads = 4,
    };
    struct cs_node_share shares[] = {
        {.name = "127.0.0.1:9042", .requests = 1234, .replica_requests = 1200},
        {.name = "127.0.0.2:9042", .requests = 1200, .replica_requests = 1200},
        {.name = "127.0.0.3:9042",
         .joined_ns = setup.start_ns + 2500000000,
         .first_request_ns = setup.start_ns + 3700000000,
         .left_ns = setup.start_ns + 8000000000},
        {.name = "127.0.0.4:9042", .joined_ns = setup.start_ns + 9000000000},
        /* Before this run: no news. */
        {.name = "127.0.0.5:9042", .joined_ns = 1, .left_ns = 2},
    };
    struct cs_recorder *rec;
    struct cs_results *results;
    struct cs_extra *extra;
    int64_t end = setup.start_ns;
    int64_t late_ns = report->settings->rate.fixed_per_s > 0 ? 1000000 : 0;

    assert_int_equal(cs_recorder_new(2, true, &rec, NULL), CS_OK);
    assert_int_equal(cs_results_new(&setup, &rec, 1, &results, NULL), CS_OK);
    assert_int_equal(cs_report_run_start(report, name, results, NULL), CS_OK);
    for (int i = 0; i < 1820; i++) {
        struct cs_sample sample = {.kind = i % 4 != 0,
                                   .failed = i % 40 == 1,
                                   .rows = i % 4 ? 10 : 1,
                                   .partitions = i % 4 ? 10 : 1};

        end += 5000000;
        sample.end_ns = end;
        sample.start_ns = end - 1000000 - i % 7 * 400000;
        sample.intended_ns = sample.start_ns - i % 3 * 100000 - i * late_ns;
        while (cs_results_next_end(results) < end) {
            cs_recorder_tick(rec, end);
            assert_true(cs_results_collect(results));
            cs_report_interval(report, results);
        }
        cs_recorder_add(rec, &sample);
    }
    cs_recorder_finish(rec);
    assert_true(cs_results_collect_last(results, end));
    cs_report_interval(report, results);
    extra = cs_results_extra(results);
    extra->errors_by_class[2] = 44;
    extra->class_names[2] = "WriteTimeoutException";
    extra->errors_by_class[9] = 1;
    extra->validation_errors = 2;
    extra->differences[0] = 1;
    extra->difference_names[0] = "missing row";
    extra->differences[5] = 1234;
    extra->difference_names[5] = "other value";
    extra->retries = 33;
    extra->counter_retries = 3;
    extra->applied = 5;
    extra->not_applied = 6;
    extra->abandoned = 4;
    extra->late_answers = 7;
    extra->warnings = 1820;
    extra->fan_outs[0] = (struct cs_fan_out){"QUORUM", true, 2, 3};
    extra->fan_outs[1] = (struct cs_fan_out){"ONE", false, 1, 3};
    extra->fan_outs[2] = (struct cs_fan_out){"ONE", true, 1, 1};
    extra->fan_out_count = 3;
    extra->client = (struct cs_client_load){
        .busy = 0.34, .queued = 0.01, .throttled = -1, .loops = 1};
    cs_report_run_end(report, results, shares, CS_COUNT(shares), incomplete);
    cs_results_free(results);
    cs_recorder_free(rec);
}

static char *report_one(struct cs_settings *settings, const char *incomplete)
{
    struct output output;

    output_open(&output, settings);
    report_run(output.report, NULL, incomplete);
    return output_close(&output);
}

static struct cs_settings settings_of(enum cs_level level, bool original)
{
    struct cs_settings settings = {0};

    settings.compat.level = level;
    settings.compat.original_figures = original;
    settings.rate.throttle_per_s = 5000;
    return settings;
}

static void prints_rows_extra_lines_and_block(void **state)
{
    struct cs_settings settings = settings_of(CS_LEVEL_5_0, false);
    char *text = report_one(&settings, NULL);

    (void)state;
    assert_golden("report/run.txt", text);
    free(text);
}

static void reads_back_with_another_parser(void **state)
{
    struct cs_settings settings = settings_of(CS_LEVEL_3_11, false);
    char *text = report_one(&settings, NULL);
    struct read_back got;

    (void)state;
    read_text(text, &got);
    assert_int_equal(got.rows, 30); /* two kinds and total, ten intervals */
    assert_int_equal(got.lines, 17);
    assert_true(got.operations == 1820);
    assert_true(got.sum_of_operations > 1815 && got.sum_of_operations < 1825);
    assert_true(block_number(&got, "Op rate") == 200);
    assert_true(block_number(&got, "Total partitions") == 14105);
    assert_true(block_number(&got, "Total errors") == 46);
    free(text);
}

static void has_no_line_of_its_own_with_figures_of_the_original(void **state)
{
    struct cs_settings settings = settings_of(CS_LEVEL_5_0, true);
    char *text = report_one(&settings, NULL);

    (void)state;
    assert_null(strstr(text, "\n# "));
    free(text);
}

/* Readers take whatever stands before a colon, or split at commas. */
static void does_not_confuse_readers_with_extra_lines(void **state)
{
    struct cs_settings settings = settings_of(CS_LEVEL_5_0, false);
    char *text = report_one(&settings, NULL);
    char *save = NULL;
    int lines = 0;

    (void)state;
    for (char *line = strtok_r(text, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        if (line[0] != '#')
            continue;
        lines++;
        assert_int_equal(line[1], ' ');
        assert_int_not_equal(line[strlen(line) - 1], ':');
        for (int i = 0; i < BLOCK_LINES; i++)
            assert_false(cs_starts_with_word(line + 2, block_label(i)));
    }
    assert_true(lines > 5);
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

static void thins_all_rows_and_loses_nothing(void **state)
{
    struct cs_settings settings = settings_of(CS_LEVEL_5_0, false);
    struct read_back got;
    char *text;

    (void)state;
    settings.reporting.output_s = 3;
    settings.reporting.header_s = 6;
    text = report_one(&settings, NULL);
    assert_golden("report/thinned.txt", text);
    read_text(text, &got);
    assert_int_equal(got.rows, 12); /* to 3, 6, 9 and 9.5 s */
    assert_true(got.operations == 1820);
    assert_true(got.sum_of_operations > 1815 && got.sum_of_operations < 1825);
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
        cmocka_unit_test(prints_the_header_of_each_level),
        cmocka_unit_test(has_the_columns_and_labels_of_the_tables),
        cmocka_unit_test(prints_rows_extra_lines_and_block),
        cmocka_unit_test(reads_back_with_another_parser),
        cmocka_unit_test(does_not_confuse_readers_with_extra_lines),
        cmocka_unit_test(has_no_line_of_its_own_with_figures_of_the_original),
        cmocka_unit_test(says_that_a_rate_was_not_reached),
        cmocka_unit_test(thins_all_rows_and_loses_nothing),
        cmocka_unit_test(leaves_out_the_block_on_request),
        cmocka_unit_test(says_why_a_run_is_incomplete),
        cmocka_unit_test(compares_only_runs_that_were_completed),
        cmocka_unit_test(sends_asides_to_the_log_file_but_not_as_the_original),
        cmocka_unit_test(tells_of_a_full_disk_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
