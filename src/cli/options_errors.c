/* options_errors.c - the group -errors: what a failed operation leads to. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

#include <limits.h>

/* retries=9 means ten tries. */
static enum cs_code store_retries(struct cs_cli *cli,
                                  const struct cs_option *option,
                                  const char *value, struct cs_err *err)
{
    int64_t retries = 0;
    enum cs_code rc = cs_value_number(cli, value, true, &retries, err);

    (void)option;
    if (rc)
        return rc;
    if (retries >= INT_MAX)
        return cs_fail(err, CS_EUSAGE, "out of range");
    cli->settings->errors.tries = (int)retries + 1;
    return CS_OK;
}

static void show_tries(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_printf(out, "%d", s->errors.tries);
}

static const struct cs_choice delays[] = {{"constant", CS_DELAY_CONSTANT},
                                          {"linear", CS_DELAY_LINEAR},
                                          {"exponential", CS_DELAY_EXPONENTIAL},
                                          {NULL, 0}};

static const struct cs_option error_rows[] = {
    {.key = "ignore",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(errors.ignore),
     .help = "count failed operations and go on",
     .label = "Ignore"},
    {.key = "retries=",
     .type = CS_OPTION_CUSTOM,
     .store = store_retries,
     .preset = "9",
     .form = "a number of retries",
     .help = "attempts after the first one",
     .label = "Tries",
     .show = show_tries},
    {.key = "skip-read-validation",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(errors.skip_read_validation),
     .help = "do not compare what is read with what was written"},
    {.key = "differences=",
     .type = CS_OPTION_PATH,
     .at = CS_AT(errors.differences),
     .free_text = true,
     .form = "a file name",
     .help =
         "write each difference that a read or validate finds to this file, "
         "one JSON object a line"},
    {.key = "failures=",
     .type = CS_OPTION_PATH,
     .at = CS_AT(errors.failures),
     .free_text = true,
     .form = "a file name",
     .help = "write each operation that failed or has no answer to this file, "
             "one JSON object a line"},
    {.key = "skip-unsupported-columns",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(errors.skip_unsupported_columns),
     .help = "leave out columns of types that cannot be generated (user only)"},
    {.key = "fail-fast",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(errors.fail_fast),
     .help = "stop at the first failed operation (always so)"},
    {.key = "delay-policy=",
     .type = CS_OPTION_CHOICE,
     .at = CS_AT(errors.delay),
     .choices = delays,
     .preset = "constant",
     .help = "how the pause before a retry grows"},
    {.key = "min-delay-ms=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(errors.min_delay_ms),
     .preset = "0",
     .help = "shortest pause before a retry"},
    {.key = "max-delay-ms=",
     .type = CS_OPTION_INT,
     .form = "a number",
     .at = CS_AT(errors.max_delay_ms),
     .preset = "20000",
     .help = "longest pause before a retry"},
};

const struct cs_option_group cs_options_errors = {
    .name = "-errors",
    .help = "what happens when operations fail",
    .section = "Errors:",
    .tables = {CS_TABLE(error_rows)}};
