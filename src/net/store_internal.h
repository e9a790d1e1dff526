/* store_internal.h - certificates and keys out of files. */
#ifndef CS_NET_STORE_INTERNAL_H
#define CS_NET_STORE_INTERNAL_H

#include "base/buf.h"

#include <openssl/x509.h>

/* What a store holds. All may be empty or NULL. */
struct cs_store {
    EVP_PKEY *key;           /* owned: the first private key */
    X509 *certificate;       /* owned: of that key */
    STACK_OF(X509) * chain;  /* owned: above it */
    STACK_OF(X509) * others; /* owned: certificates without a key */
};

void cs_store_release(struct cs_store *store);

/* Reads a file of any of the three formats; password may be NULL. On failure
 * out is empty, err says how to convert what is not known. */
enum cs_code cs_store_read(const char *path, const char *password,
                           struct cs_store *out,
                           struct cs_err *err) CS_MUST_USE;

/* ---- jks.c ---- */

#define CS_JKS_MAGIC   0xFEEDFEEDu
#define CS_JCEKS_MAGIC 0xCECECECEu

/* The Java KeyStore format, versions 1 and 2. Without a password nothing is
 * checked and keys stay closed. out may be half filled on failure. */
enum cs_code cs_jks_read(const uint8_t *bytes, size_t size,
                         const char *password, struct cs_store *out,
                         struct cs_err *err) CS_MUST_USE;

#endif
