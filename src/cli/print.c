/* print.c - the table of `print dist=`: what a distribution will give. */
#include "cli/cli.h"

#include "base/text.h"

static void put_quantile(const struct cs_dist_spec *spec, int percent,
                         struct cs_buf *out)
{
    int64_t value = cs_dist_inverse(spec, percent / 100.0);
    int64_t all = cs_dist_inverse(spec, 1.0);
    struct cs_buf cell;

    cs_buf_init(&cell, 512);
    cs_put_fixed(&cell, percent, 1, false, 0);
    cs_buf_printf(out, "%-16s%-12lld", cs_buf_text(&cell), (long long)value);
    cs_buf_release(&cell);
    cs_put_fixed(out, 100.0 * (double)value / (double)all, 1, false, 12);
    cs_buf_puts(out, "\n");
}

enum cs_code cs_cli_print(const struct cs_settings *settings,
                          struct cs_buf *out, struct cs_err *err)
{
    static const int tail[] = {95, 99, 100};

    cs_buf_puts(out, "% of samples    Range       % of total\n");
    for (int percent = 10; percent <= 90; percent += 10)
        put_quantile(&settings->print, percent, out);
    for (size_t i = 0; i < CS_COUNT(tail); i++)
        put_quantile(&settings->print, tail[i], out);
    return cs_buf_check(out, "table", err);
}
