/* fuzz_protocol_tablets.c - the payload that says where a tablet is: whatever
 * is believed is written as it came. */
#include "protocol/tablets.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_told_tablet tablet;
    struct cs_buf again;

    if (!cs_tablet_read(cs_view_of(data, size), &tablet))
        return 0;
    cs_buf_init(&again, 4096);
    cs_tablet_put(&again, &tablet);
    if (again.size != size || memcmp(again.data, data, size) != 0)
        abort();
    cs_buf_release(&again);
    return 0;
}
