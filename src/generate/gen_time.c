/* gen_time.c - timestamp, date, time and duration. */
#include "generate/generate_internal.h"
#include "types/vint.h"

#define MONTHS     UINT64_C(12)
#define DAYS       UINT64_C(31)
#define MS_PER_DAY UINT64_C(86400000)
#define NS_PER_MS  UINT64_C(1000000)

/* Milliseconds since 1970, or nanoseconds since midnight: the number as it was
 * drawn. */
static void append_number(struct cs_gen_node *node, struct cs_buf *out)
{
    int64_t id = cs_dist_next(&node->identity);

    cs_buf_put32(out, 8);
    cs_buf_put64(out, (uint64_t)id);
}

/* Days since 1970; on the wire 1970 stands in the middle of the range. */
static void append_date(struct cs_gen_node *node, struct cs_buf *out)
{
    int64_t id = cs_dist_next(&node->identity);

    cs_buf_put32(out, 4);
    cs_buf_put32(out, (uint32_t)id ^ UINT32_C(0x80000000));
}

/* Months, days and nanoseconds, all of one sign. */
static void append_duration(struct cs_gen_node *node, struct cs_buf *out)
{
    int64_t id = cs_dist_next(&node->identity);
    uint64_t a = id < 0 ? -(uint64_t)id : (uint64_t)id;
    int64_t sign = id < 0 ? -1 : 1;
    uint64_t nanos = a / (MONTHS * DAYS) % MS_PER_DAY * NS_PER_MS;
    size_t place = out->size;

    cs_buf_put32(out, 0);
    cs_buf_put_vint(out, sign * (int64_t)(a % MONTHS));
    cs_buf_put_vint(out, sign * (int64_t)(a / MONTHS % DAYS));
    cs_buf_put_vint(out, sign * (int64_t)nanos);
    if (!out->fault)
        cs_store32(out->data + place, (uint32_t)(out->size - place - 4));
}

cs_gen_fn cs_gen_time_fn(enum cs_type_kind kind)
{
    switch (kind) {
    case CS_TYPE_TIMESTAMP:
    case CS_TYPE_TIME:
        return append_number;
    case CS_TYPE_DATE:
        return append_date;
    case CS_TYPE_DURATION:
        return append_duration;
    default:
        return NULL;
    }
}
