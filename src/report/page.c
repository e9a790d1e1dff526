/* page.c - filling the template of the graph page, and finding its data. */
#include "report/page_internal.h"

extern const unsigned char report_page_html[];
extern const size_t report_page_html_size;
extern const unsigned char report_page_css[];
extern const size_t report_page_css_size;
extern const unsigned char report_page_js[];
extern const size_t report_page_js_size;
extern const unsigned char report_page_chart[];
extern const size_t report_page_chart_size;

static void put_part(struct cs_buf *out, const char *name, size_t size,
                     const char *data)
{
    const struct {
        const char *name;
        const unsigned char *bytes;
        size_t size;
    } parts[] = {
        {"css", report_page_css, report_page_css_size},
        {"chart", report_page_chart, report_page_chart_size},
        {"script", report_page_js, report_page_js_size},
    };

    for (size_t i = 0; i < CS_COUNT(parts); i++)
        if (strlen(parts[i].name) == size && !memcmp(parts[i].name, name, size))
            cs_buf_put(out, parts[i].bytes, parts[i].size);
    if (size == 4 && !memcmp(name, "data", size)) {
        cs_buf_puts(out, PAGE_START "\nstats = ");
        cs_buf_puts(out, data);
        cs_buf_puts(out, ";\n" PAGE_END);
    }
}

/* Placeholders of the template are written {{name}}. */
void put_page(struct cs_buf *out, const char *data)
{
    const char *at = (const char *)report_page_html;
    const char *end = at + report_page_html_size;

    while (at < end) {
        const char *open = memmem(at, (size_t)(end - at), "{{", 2);
        const char *close =
            open ? memmem(open, (size_t)(end - open), "}}", 2) : NULL;

        if (!close) {
            cs_buf_put(out, at, (size_t)(end - at));
            return;
        }
        cs_buf_put(out, at, (size_t)(open - at));
        put_part(out, open + 2, (size_t)(close - open) - 2, data);
        at = close + 2;
    }
}

const char *page_data(const char *page)
{
    const char *at = strstr(page, PAGE_START);

    if (!at || !strstr(at, PAGE_END))
        return NULL;
    at += strlen(PAGE_START);
    at += strspn(at, " \t\r\n");
    if (strncmp(at, "stats", 5))
        return NULL;
    at += 5;
    at += strspn(at, " \t\r\n");
    if (*at != '=')
        return NULL;
    at++;
    return at + strspn(at, " \t\r\n");
}
