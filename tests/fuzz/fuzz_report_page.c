/* Any file may be named as -graph file=: finding and reading its data. */
#include "report/graph_internal.h"

#include <jansson.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_err err = {0};
    struct cs_buf page;
    json_t *root = NULL;

    cs_buf_init(&page, 1 << 20);
    cs_buf_put(&page, data, size);
    if (!page.fault && !graph_parse_page(&page, "x.html", &root, &err))
        json_decref(root);
    cs_buf_release(&page);
    return 0;
}
