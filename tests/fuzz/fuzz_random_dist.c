/* fuzz_random_dist.c - any text as a distribution: what is taken can be
 * described, drawn from, and stays in its range. */
#include "random/dist.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct cs_dist_spec *spec)
{
    struct cs_dist dist;
    struct cs_buf buf;

    cs_buf_init(&buf, 4096);
    cs_dist_describe(&buf, spec);
    cs_buf_release(&buf);
    cs_dist_init(&dist, spec);
    cs_dist_seed(&dist, 42);
    for (int i = 0; i < 3; i++) {
        int64_t value = cs_dist_next(&dist);

        if (value < cs_dist_least(spec) || value > cs_dist_most(spec))
            abort();
        (void)cs_dist_next_double(&dist);
    }
    (void)cs_dist_average(spec); /* rounds, so that it may leave the range */
    if (cs_dist_inverse(spec, 0.3) < spec->min ||
        cs_dist_inverse(spec, 0.3) > spec->max)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[2048];
    struct cs_dist_spec spec;
    struct cs_ratio_spec ratio;
    struct cs_err err;

    if (size >= sizeof(text))
        return 0;
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    if (!cs_dist_parse(text, &spec, NULL, &err))
        use(&spec);
    if (!cs_ratio_parse(text, &ratio, NULL, &err))
        use(&ratio.dist);
    return 0;
}
