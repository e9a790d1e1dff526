/* output.h - a report whose stdout is a temporary file that can be read. */
#ifndef CS_TESTS_SUPPORT_OUTPUT_H
#define CS_TESTS_SUPPORT_OUTPUT_H

#include "report/report_internal.h"
#include "support/vectors.h"

struct output {
    FILE *file;
    struct cs_report *report;
};

static inline void output_open(struct output *output,
                               const struct cs_settings *settings)
{
    struct cs_err err = {0};

    output->file = tmpfile();
    assert_non_null(output->file);
    if (report_open_to(settings, output->file, &output->report, &err))
        fail_msg("%s", err.text);
}

/* The content of a file; the caller's to free. */
static inline char *output_slurp(FILE *file)
{
    long size;
    char *text;

    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    text[size] = 0;
    return text;
}

/* Closes the report; what it printed is the caller's to free. */
static inline char *output_close(struct output *output)
{
    char *text = output_slurp(output->file);

    cs_report_close(output->report);
    fclose(output->file);
    return text;
}

#endif
