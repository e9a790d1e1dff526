/* options_other.c - the small groups: -tokenrange, and those that are accepted
 * without effect. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

#include <limits.h>

static enum cs_code store_split(struct cs_cli *cli,
                                const struct cs_option *option,
                                const char *value, struct cs_err *err)
{
    int64_t number = 0;
    enum cs_code rc = cs_value_number(cli, value, false, &number, err);

    (void)option;
    if (rc)
        return rc;
    if (number < 1 || number > INT_MAX)
        return cs_fail(err, CS_EUSAGE, "out of range, expected 1 to %d",
                       INT_MAX);
    cli->settings->token_range.split_factor = (int)number;
    return CS_OK;
}

static void show_split(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_printf(out, "%d", s->token_range.split_factor);
}

static const struct cs_option token_range_rows[] = {
    {.key = "wrap",
     .type = CS_OPTION_FLAG,
     .at = CS_AT(token_range.wrap),
     .help = "start again when all ranges were read",
     .label = "Wrap"},
    {.key = "split-factor=",
     .type = CS_OPTION_CUSTOM,
     .store = store_split,
     .preset = "1",
     .form = "a number of parts",
     .help = "parts that each range of the ring is split into",
     .label = "Split Factor",
     .show = show_split},
};

const struct cs_option_group cs_options_tokenrange = {
    .name = "-tokenrange",
    .help = "how token_range_queries walk the ring (user only)",
    .section = "TokenRange:",
    .tables = {CS_TABLE(token_range_rows)}};

static void show_send_to(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, s->send_to ? s->send_to : "*not set*");
}

static const char *const send_to_aliases[] = {"-send-to", NULL};

static const struct cs_option send_to_rows[] = {
    {.type = CS_OPTION_BARE,
     .needs = 1,
     .at = CS_AT(send_to),
     .form = "host",
     .help = "host of the daemon of the original; not used"},
};

const struct cs_option_group cs_options_sendto = {
    .name = "-sendto",
    .aliases = send_to_aliases,
    .help = "accepted without effect: there is no daemon",
    .idle = "no daemon is used or needed, the run stays in this process",
    .section = "Send To Daemon:",
    .levels = CS_IN_3_11 | CS_IN_4_0,
    .line = show_send_to,
    .line_levels = CS_IN_3_11 | CS_IN_4_0,
    .tables = {CS_TABLE(send_to_rows)}};

static const struct cs_option sample_rows[] = {
    {.key = "history=", .type = CS_OPTION_LONG, .help = "without effect"},
    {.key = "live=", .type = CS_OPTION_LONG, .help = "without effect"},
    {.key = "report=", .type = CS_OPTION_LONG, .help = "without effect"},
};

const struct cs_option_group cs_options_sample = {
    .name = "-sample",
    .help = "accepted without effect: histograms have taken its place",
    .idle = "no effect, histograms keep every latency",
    .hidden = true,
    .tables = {CS_TABLE(sample_rows)}};

const struct cs_option_group cs_options_cloudconf = {
    .name = "-cloudconf",
    .help = "not supported",
    .hidden = true,
    .gone = "cloud bundles are not supported; write -node, -port and "
            "-transport"};
