/* gen_inet.c - addresses. */
#include "generate/generate_internal.h"

/* 2001:db8::/32, the documentation's prefix: no value names a real host. */
#define PREFIX_V6 UINT64_C(0x20010db800000000)

static void append_v4(struct cs_gen_node *node, struct cs_buf *out)
{
    int64_t id = cs_dist_next(&node->identity);

    cs_buf_put32(out, 4);
    cs_buf_put32(out, (uint32_t)id);
}

static void append_v6(struct cs_gen_node *node, struct cs_buf *out)
{
    int64_t id = cs_dist_next(&node->identity);

    cs_buf_put32(out, 16);
    cs_buf_put64(out, PREFIX_V6);
    cs_buf_put64(out, (uint64_t)id);
}

cs_gen_fn cs_gen_inet_fn(enum cs_type_kind kind, unsigned family)
{
    if (kind != CS_TYPE_INET)
        return NULL;
    return family == 6 ? append_v6 : append_v4;
}
