/* The graph page: its data, old records kept, nothing destroyed. */
#include "report/page_internal.h"
#include "support/feed.h"
#include "support/folder.h"
#include "support/golden.h"
#include "support/output.h"

#include <sys/stat.h>

/* As the original leaves it: other page around the same markers, 5.0's
 * spelling of numbers, no key of ours. */
static const char original_page[] =
    "<!DOCTYPE html>\n<html><script>\n"
    "/* stats start */\n"
    "stats = {\"title\":null,\"stats\":[{\"op rate\":\"20 op/s  [WRITE: 20 "
    "op/s]\",\"metrics\":[\"type\",\"total ops\"],\"test\":\"WRITE\","
    "\"revision\":\"old\",\"command\":\"write n=20\",\"intervals\":"
    "[[null,2E+1]]}]};\n"
    "/* stats end */\n"
    "</script></html>\n";

static json_t *data_of(const char *path)
{
    char *page = folder_read(path);
    json_error_t error;
    json_t *root;

    assert_non_null(page_data(page));
    root = json_loads(page_data(page), JSON_DISABLE_EOF_CHECK, &error);
    if (!root)
        fail_msg("%s", error.text);
    free(page);
    return root;
}

/* The vector with this name from report.jsonl; the caller's to decref. */
static json_t *vector_named(const char *id)
{
    struct vector_file file;
    json_t *vector;

    vector_open(&file, "output/report.jsonl");
    while ((vector = vector_next_json(&file))) {
        if (!strcmp(vector_string(vector, "id"), id)) {
            fclose(file.file);
            free(file.text);
            return vector;
        }
        json_decref(vector);
    }
    fail_msg("no vector %s", id);
    return NULL;
}

static struct cs_settings settings_for(const char *path)
{
    struct cs_settings settings = {0};

    settings.compat.level = CS_LEVEL_5_0;
    settings.graph.file = path;
    settings.graph.revision = "test1";
    settings.graph.operation = "USER";
    settings.graph.title = "a </script> title";
    settings.command_line = "user n=1 err<0.1 password=*******";
    return settings;
}

/* Reports all runs of a vector. */
static void report_runs(struct output *output, const char *id)
{
    json_t *vector = vector_named(id);
    size_t i;
    json_t *run;

    json_array_foreach(json_object_get(vector, "runs"), i, run)
    {
        struct feed feed;

        feed_run(&feed, output->report, run, "none", false);
        cs_report_run_end(output->report, feed.results, NULL, 0, NULL);
        feed_release(&feed);
    }
    json_decref(vector);
}

static void write_page(struct output *output)
{
    assert_int_equal(cs_report_graph(output->report, NULL), CS_OK);
    free(output_close(output));
}

static void make_page(const struct cs_settings *settings, const char *id)
{
    struct output output;

    output_open(&output, settings);
    report_runs(&output, id);
    write_page(&output);
}

/* Both had read the page before either of them wrote it. */
static void two_that_write_at_once_keep_both_runs(void **state)
{
    struct folder folder;
    struct cs_settings settings;
    struct output first, second;
    json_t *root;

    (void)state;
    folder_open(&folder);
    settings = settings_for(folder_file(&folder, "x.html"));
    output_open(&first, &settings);
    output_open(&second, &settings);
    report_runs(&first, "one-type");
    report_runs(&second, "one-type");
    write_page(&first);
    write_page(&second);
    root = data_of(settings.graph.file);
    assert_int_equal(json_array_size(json_object_get(root, "stats")), 2);
    json_decref(root);
    folder_remove(&folder);
}

static void writes_the_records_of_a_ramp(void **state)
{
    struct folder folder;
    struct cs_settings settings;
    json_t *root;
    char *text;

    (void)state;
    folder_open(&folder);
    settings = settings_for(folder_file(&folder, "x.html"));
    make_page(&settings, "ramp");
    root = data_of(settings.graph.file);
    text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    assert_golden("report/graph.json", text);
    free(text);
    json_decref(root);
    folder_remove(&folder);
}

static const char *record_text(json_t *root, size_t i, const char *key)
{
    return vector_string(json_array_get(json_object_get(root, "stats"), i),
                         key);
}

static void keeps_old_records_of_either_program(void **state)
{
    struct folder folder;
    struct cs_settings settings;
    json_t *root;
    json_t *row;

    (void)state;
    folder_open(&folder);
    settings = settings_for(folder_file(&folder, "x.html"));
    folder_write(settings.graph.file, original_page);
    make_page(&settings, "one-type");
    settings.graph.revision = "test2";
    settings.graph.title = "new title";
    make_page(&settings, "late-type");
    root = data_of(settings.graph.file);
    assert_int_equal(json_array_size(json_object_get(root, "stats")), 3);
    assert_string_equal(vector_string(root, "title"), "new title");
    assert_string_equal(record_text(root, 0, "revision"), "old");
    assert_string_equal(record_text(root, 1, "revision"), "test1 - 4 threads");
    assert_string_equal(record_text(root, 2, "revision"), "test2 - 4 threads");
    row = json_array_get(
        json_object_get(json_array_get(json_object_get(root, "stats"), 0),
                        "intervals"),
        0);
    assert_true(json_number_value(json_array_get(row, 1)) == 20);
    json_decref(root);
    folder_remove(&folder);
}

static void gives_a_local_date_as_title(void **state)
{
    struct folder folder;
    struct cs_settings settings;
    json_t *root;
    int part[6];

    (void)state;
    folder_open(&folder);
    settings = settings_for(folder_file(&folder, "x.html"));
    settings.graph.title = NULL;
    make_page(&settings, "one-type");
    root = data_of(settings.graph.file);
    assert_int_equal(sscanf(vector_string(root, "title"),
                            "%4d-%2d-%2d %2d:%2d:%2d", &part[0], &part[1],
                            &part[2], &part[3], &part[4], &part[5]),
                     6);
    json_decref(root);
    folder_remove(&folder);
}

/* Text of the user's inside of the script element cannot end it. */
static void keeps_text_inside_of_its_script(void **state)
{
    struct folder folder;
    struct cs_settings settings;
    const char *data;
    char *page;

    (void)state;
    folder_open(&folder);
    settings = settings_for(folder_file(&folder, "x.html"));
    make_page(&settings, "one-type");
    page = folder_read(settings.graph.file);
    data = strstr(page, PAGE_START);
    assert_non_null(data);
    assert_true(strchr(data, '<') > strstr(data, PAGE_END));
    assert_null(strstr(page, "{{"));
    assert_null(strstr(page, "http-equiv"));
    assert_null(strstr(page, "src="));
    assert_non_null(strstr(page, "Chart.js v"));
    free(page);
    folder_remove(&folder);
}

static void stays_readable_with_bytes_that_are_no_text(void **state)
{
    struct folder folder;
    struct cs_settings settings;
    json_t *root;

    (void)state;
    folder_open(&folder);
    settings = settings_for(folder_file(&folder, "x.html"));
    settings.command_line = "write \xff\"\\ \x01";
    settings.graph.revision = "caf\xc3\xa9";
    make_page(&settings, "one-type");
    root = data_of(settings.graph.file);
    assert_string_equal(record_text(root, 0, "command"), "write ?\"\\ \x01");
    assert_string_equal(record_text(root, 0, "revision"),
                        "caf\xc3\xa9 - 4 threads");
    json_decref(root);
    folder_remove(&folder);
}

static void refuses_a_file_that_is_no_page_and_leaves_it(void **state)
{
    static const struct {
        const char *content;
        const char *want;
    } rows[] = {
        {"some text\n", "is no graph page"},
        {"/* stats start */\nstats = {};\n", "is no graph page"},
        {"/* stats start */\nstatistics\n/* stats end */\n",
         "is no graph page"},
        {"/* stats start */\nstats = {\"stats\":[;\n/* stats end */\n",
         "cannot be read"},
        {"/* stats start */\nstats = {\"stats\":1};\n/* stats end */\n",
         "no list named 'stats'"},
        {"/* stats start */\nstats = [];\n/* stats end */\n",
         "no list named 'stats'"},
    };
    struct folder folder;

    (void)state;
    folder_open(&folder);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_settings settings =
            settings_for(folder_file(&folder, "x.html"));
        struct cs_report *report;
        struct cs_err err = {0};
        char *after;

        folder_write(settings.graph.file, rows[i].content);
        assert_int_equal(cs_report_open(&settings, &report, &err), CS_EINVALID);
        if (!strstr(err.text, rows[i].want))
            fail_msg("%zu: %s", i, err.text);
        after = folder_read(settings.graph.file);
        assert_string_equal(after, rows[i].content);
        free(after);
    }
    folder_remove(&folder);
}

/* Reading one of them would never end. */
static void refuses_what_is_no_regular_file(void **state)
{
    static const char *const names[] = {"/dev/full", "/dev/zero"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(names); i++) {
        struct cs_settings settings = settings_for(names[i]);
        struct cs_report *report;
        struct cs_err err = {0};

        assert_int_equal(cs_report_open(&settings, &report, &err), CS_EINVALID);
        assert_non_null(strstr(err.text, "expected a graph page"));
    }
}

static void says_before_the_run_that_it_cannot_write(void **state)
{
    struct cs_settings settings = settings_for("/nosuch/x.html");
    struct cs_report *report;
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(cs_report_open(&settings, &report, &err), CS_ESYSTEM);
    assert_non_null(strstr(err.text, "-graph file=/nosuch/x.html"));
}

/* Nothing is left beside the page, and it has the usual rights. */
static void leaves_one_file_with_the_usual_rights(void **state)
{
    struct folder folder;
    struct cs_settings settings;
    struct stat status;
    mode_t mask;

    (void)state;
    folder_open(&folder);
    settings = settings_for(folder_file(&folder, "x.html"));
    mask = umask(022);
    make_page(&settings, "one-type");
    umask(mask);
    assert_int_equal(stat(settings.graph.file, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0644);
    assert_int_equal(unlink(settings.graph.file), 0);
    assert_int_equal(rmdir(folder.path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_records_of_a_ramp),
        cmocka_unit_test(keeps_old_records_of_either_program),
        cmocka_unit_test(two_that_write_at_once_keep_both_runs),
        cmocka_unit_test(gives_a_local_date_as_title),
        cmocka_unit_test(keeps_text_inside_of_its_script),
        cmocka_unit_test(stays_readable_with_bytes_that_are_no_text),
        cmocka_unit_test(refuses_a_file_that_is_no_page_and_leaves_it),
        cmocka_unit_test(refuses_what_is_no_regular_file),
        cmocka_unit_test(says_before_the_run_that_it_cannot_write),
        cmocka_unit_test(leaves_one_file_with_the_usual_rights),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
