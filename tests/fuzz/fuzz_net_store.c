/* fuzz_net_store.c - JKS stores: any bytes give a store or an error. */
#include "net/store_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *password = size && data[size - 1] & 1 ? "changeit" : NULL;
    struct cs_store store = {.key = NULL};

    if (cs_jks_read(data, size, password, &store, NULL) == CS_OK &&
        store.certificate)
        X509_get_subject_name(store.certificate);
    cs_store_release(&store);
    return 0;
}
