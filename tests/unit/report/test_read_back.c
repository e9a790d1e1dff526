/* test_read_back.c - what is printed, read by a parser of its own, as readers
 * of the output have one. */
#include "base/text.h"
#include "report_fixture.h"
#include "support/golden.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back_with_another_parser),
        cmocka_unit_test(has_no_line_of_its_own_with_figures_of_the_original),
        cmocka_unit_test(does_not_confuse_readers_with_extra_lines),
        cmocka_unit_test(thins_all_rows_and_loses_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
