/* fuzz_profile_yaml.c - any bytes as a profile: refused or taken, never more.
 * What is taken must also print. */
#include "profile/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_profile *profile = NULL;
    struct cs_buf warnings;
    struct cs_buf dump;
    struct cs_err err;

    cs_buf_init(&warnings, 1 << 20);
    cs_buf_init(&dump, 1 << 20);
    if (!cs_profile_parse("fuzz.yaml", (const char *)data, size, &profile,
                          &warnings, &err))
        cs_profile_describe(&dump, profile);
    cs_profile_free(profile);
    cs_buf_release(&warnings);
    cs_buf_release(&dump);
    return 0;
}
