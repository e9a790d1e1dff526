/* The histogram log: decoded content of our lines and of the original's files,
 * head lines, order, and a file per step of a ramp. */
#include "base/reader.h"
#include "base/text.h"
#include "report/hdr_internal.h"
#include "support/feed.h"
#include "support/folder.h"
#include "support/output.h"

#include <zlib.h>

static int digit_of(char c)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, c);

    assert_non_null(at);
    return (int)(at - digits);
}

/* Into bytes of at least 3/4 of the text; returns how many. */
static size_t base64_decode(const char *text, uint8_t *bytes)
{
    size_t size = 0;

    assert_int_equal(strlen(text) % 4, 0);
    for (; *text; text += 4) {
        uint32_t group = (uint32_t)digit_of(text[0]) << 18 |
                         (uint32_t)digit_of(text[1]) << 12;

        bytes[size++] = (uint8_t)(group >> 16);
        if (text[2] == '=')
            break;
        group |= (uint32_t)digit_of(text[2]) << 6;
        bytes[size++] = (uint8_t)(group >> 8);
        if (text[3] == '=')
            break;
        group |= (uint32_t)digit_of(text[3]);
        bytes[size++] = (uint8_t)group;
    }
    return size;
}

static int64_t read_zigzag(struct cs_reader *r)
{
    uint64_t bits = 0;

    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = cs_read8(r);

        if (shift == 56) {
            bits |= (uint64_t)byte << 56;
            break;
        }
        bits |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return (int64_t)(bits >> 1) ^ -(int64_t)(bits & 1);
}

/* What a payload holds, decoded by rules of its own. */
struct decoded {
    uint32_t outer;
    uint32_t inner;
    uint64_t count;
    int64_t max; /* highest value of the last bucket */
    uint32_t last_index;
};

static void decode(const char *text, struct decoded *out)
{
    uint8_t *bytes = malloc(strlen(text));
    uint8_t *plain = malloc(1 << 20);
    size_t size = base64_decode(text, bytes);
    uLongf plain_size = 1 << 20;
    struct cs_reader r = cs_reader_of(bytes, size);
    uint64_t index = 0;
    uint32_t shift;

    memset(out, 0, sizeof(*out));
    out->outer = cs_read32(&r);
    assert_int_equal(cs_read32(&r), size - 8);
    assert_int_equal(uncompress(plain, &plain_size, bytes + 8, size - 8), Z_OK);
    r = cs_reader_of(plain, plain_size);
    out->inner = cs_read32(&r);
    assert_int_equal(cs_read32(&r), plain_size - 40);
    assert_int_equal(cs_read32(&r), 0);
    assert_int_equal(cs_read32(&r), 3);
    assert_int_equal(cs_read64(&r), 1);
    (void)cs_read64(&r); /* highest trackable value: differs by writer */
    assert_true(cs_read64(&r) == UINT64_C(0x3ff0000000000000));
    while (cs_reader_left(&r)) {
        int64_t count = read_zigzag(&r);

        if (count < 0) {
            index += (uint64_t)-count;
            continue;
        }
        out->count += (uint64_t)count;
        out->last_index = (uint32_t)index++;
    }
    shift = out->last_index < 2048 ? 0 : (out->last_index >> 10) - 1;
    out->max = ((int64_t)(out->last_index - (shift << 10) + 1) << shift) - 1;
    free(bytes);
    free(plain);
}

/* The decoder first: it reads what the original wrote, as the .tsv says. */
static void decodes_the_files_of_the_original(void **state)
{
    static const char *const files[] = {
        "hdr-throttle-3.11.5", "hdr-throttle-5.0.2", "hdr-user-ramp-5.0.2"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(files); i++) {
        struct vector_file log;
        struct vector_file table;
        char name[64];

        snprintf(name, sizeof(name), "output/%s.hdr", files[i]);
        vector_open(&log, name);
        snprintf(name, sizeof(name), "output/%s.tsv", files[i]);
        vector_open(&table, name);
        for (int head = 0; head < 5; head++)
            assert_true(vector_next_line(&log));
        assert_true(vector_next_line(&table));
        while (vector_next_line(&table)) {
            struct decoded got;
            char *fields[8];

            assert_true(vector_next_line(&log));
            assert_int_equal(vector_fields(&table, fields, 8), 8);
            decode(strrchr(log.text, ',') + 1, &got);
            assert_int_equal(got.count, atoi(fields[4]));
            assert_int_equal(got.max, atoll(fields[5]));
        }
        assert_false(vector_next_line(&log));
    }
}

/* The verified vector; our top value differs from that of its writer. */
static void encodes_counts_as_zigzag_runs(void **state)
{
    static const int64_t values[] = {1000000, 1000000, 1100000, 2300000,
                                     13500000};
    struct cs_histogram *h;
    struct cs_buf text;
    struct decoded got;

    (void)state;
    assert_int_equal(cs_histogram_new(&h, NULL), CS_OK);
    for (size_t i = 0; i < CS_COUNT(values); i++)
        cs_histogram_record(h, values[i]);
    cs_buf_init(&text, 1 << 16);
    hdr_encode_text(&text, h);
    assert_true(cs_starts_with(cs_buf_text(&text), "HISTFAAAA"));
    decode(cs_buf_text(&text), &got);
    assert_int_equal(got.outer, 0x1c849314);
    assert_int_equal(got.inner, 0x1c849313);
    assert_int_equal(got.count, 5);
    assert_int_equal(got.last_index, 11169 + 1 + 144 + 1 + 1072 + 1 + 2571);
    assert_int_equal(got.max, 13500415);
    cs_buf_release(&text);
    cs_histogram_free(h);
}

static void names_the_file_of_an_earlier_step(void **state)
{
    static const struct {
        const char *path;
        const char *want;
    } rows[] = {
        {"x.hdr", "x.16t.hdr"},
        {"a.b/x", "a.b/x.16t"},
        {"/var/log/a.b.hdr", "/var/log/a.b.16t.hdr"},
        {".hidden", ".hidden.16t"},
        {"d/.hidden.log", "d/.hidden.16t.log"},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        char *got = hdr_step_path(rows[i].path, 16);

        assert_string_equal(got, rows[i].want);
        free(got);
    }
}

/* One sample of each kind in a run that starts 0.3 s after a second. */
static void report_short_run(struct cs_report *report, const char *name,
                             int threads)
{
    static const char *const kinds[] = {"read 1", "WRITE"};
    struct cs_run_setup setup = {
        .kind_names = kinds,
        .kind_count = 2,
        .limited = true,
        .start_ns = INT64_C(50300000000),
        .wall_start_ns = INT64_C(1730903661300000000),
        .interval_ns = 1000000000,
        .threads = threads,
    };
    struct cs_sample sample = {.start_ns = INT64_C(50400000000),
                               .intended_ns = INT64_C(50390000000),
                               .end_ns = INT64_C(50401500000)};
    struct cs_recorder *rec;
    struct cs_results *results;

    assert_int_equal(cs_recorder_new(2, true, &rec, NULL), CS_OK);
    assert_int_equal(cs_results_new(&setup, &rec, 1, &results, NULL), CS_OK);
    assert_int_equal(cs_report_run_start(report, name, results, NULL), CS_OK);
    for (sample.kind = 0; sample.kind < 2; sample.kind++)
        cs_recorder_add(rec, &sample);
    cs_recorder_tick(rec, INT64_C(51000000001));
    assert_true(cs_results_collect(results));
    cs_report_interval(report, results);
    cs_recorder_finish(rec);
    (void)cs_results_collect_last(results, INT64_C(51200000000));
    cs_report_interval(report, results);
    cs_report_run_end(report, results, NULL, 0, NULL);
    cs_results_free(results);
    cs_recorder_free(rec);
}

static void writes_a_line_per_kind_and_time(void **state)
{
    static const char *const lines[] = {
        "#Logging op latencies for Cassandra Stress",
        "#[Histogram log format version 1.3]",
        "#[BaseTime: 1730903661.000 (seconds since epoch)]",
        "#[StartTime: 1730903661.000 (seconds since epoch), ",
        "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n",
        "Tag=WRITE-st,0.300,0.700,1.500,HISTFAAAA",
        "Tag=WRITE-rt,0.300,0.700,11.502,HISTFAAAA",
        "Tag=WRITE-wt,0.300,0.700,10.002,HISTFAAAA",
        "Tag=read_1-st,0.300,0.700,1.500,HISTFAAAA",
        "Tag=read_1-rt,0.300,0.700,11.502,HISTFAAAA",
        "Tag=read_1-wt,0.300,0.700,10.002,HISTFAAAA",
    };
    struct folder folder;
    struct cs_settings settings = {0};
    struct output output;
    char *text;
    char *at;

    (void)state;
    folder_open(&folder);
    settings.log.hdr_file = strdup(folder_file(&folder, "x.hdr"));
    output_open(&output, &settings);
    report_short_run(output.report, NULL, 4);
    text = folder_read(
        settings.log.hdr_file); /* before the report closes: it is flushed */
    at = text;
    for (size_t i = 0; i < CS_COUNT(lines); i++) {
        if (!cs_starts_with(at, lines[i]))
            fail_msg("line %zu: %.60s, want %s", i + 1, at, lines[i]);
        at = strchr(at, '\n') + 1;
    }
    assert_int_equal(*at, 0);
    free(text);
    free(output_close(&output));
    free((void *)(uintptr_t)settings.log.hdr_file);
    folder_remove(&folder);
}

static void keeps_a_file_per_step_of_a_ramp(void **state)
{
    static const int threads[] = {4, 8, 16};
    static const char *const files[] = {"x.4t.hdr", "x.8t.hdr", "x.hdr"};
    struct folder folder;
    struct cs_settings settings = {0};
    struct output output;

    (void)state;
    folder_open(&folder);
    settings.log.hdr_file = strdup(folder_file(&folder, "x.hdr"));
    output_open(&output, &settings);
    for (size_t i = 0; i < CS_COUNT(threads); i++)
        report_short_run(output.report, "n threadCount", threads[i]);
    free(output_close(&output));
    for (size_t i = 0; i < CS_COUNT(files); i++) {
        char *text;

        text = folder_read(folder_file(&folder, files[i]));
        assert_non_null(strstr(text, "Tag=WRITE-st"));
        free(text);
    }
    free((void *)(uintptr_t)settings.log.hdr_file);
    folder_remove(&folder);
}

static void says_before_the_run_that_it_cannot_write(void **state)
{
    struct cs_settings settings = {0};
    struct cs_err err = {0};
    struct cs_report *report;

    (void)state;
    settings.log.hdr_file = "/nosuch/x.hdr";
    assert_int_equal(cs_report_open(&settings, &report, &err), CS_ESYSTEM);
    assert_non_null(strstr(err.text, "-log hdrfile=/nosuch/x.hdr"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_the_files_of_the_original),
        cmocka_unit_test(encodes_counts_as_zigzag_runs),
        cmocka_unit_test(names_the_file_of_an_earlier_step),
        cmocka_unit_test(writes_a_line_per_kind_and_time),
        cmocka_unit_test(keeps_a_file_per_step_of_a_ramp),
        cmocka_unit_test(says_before_the_run_that_it_cannot_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
