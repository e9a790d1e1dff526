/* keys.h - keys and certificates made by the test that needs them, so that
 * none in the repository can expire. */
#ifndef CS_TESTS_SUPPORT_KEYS_H
#define CS_TESTS_SUPPORT_KEYS_H

#include "support/folder.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

/* A certificate with its key. */
struct pair {
    EVP_PKEY *key;
    X509 *certificate;
};

/* What is to be in it. */
struct pair_plan {
    const char *name;          /* the common name */
    const char *hosts;         /* "IP:127.0.0.1,DNS:node1", or NULL */
    const struct pair *issuer; /* NULL: self-signed */
    bool authority;
    int days;  /* until it expires; below 0: it has */
    int after; /* days until it begins to be valid; 0: it has begun */
};

static inline void pair_extend(X509 *certificate, X509 *issuer, int nid,
                               const char *text)
{
    X509_EXTENSION *extension;
    X509V3_CTX ctx;

    X509V3_set_ctx(&ctx, issuer, certificate, NULL, NULL, 0);
    extension = X509V3_EXT_conf_nid(NULL, &ctx, nid, text);
    assert_non_null(extension);
    assert_int_equal(X509_add_ext(certificate, extension, -1), 1);
    X509_EXTENSION_free(extension);
}

static inline void pair_make(struct pair *pair, const struct pair_plan *plan)
{
    static long serial = 1;
    X509 *certificate = X509_new();
    X509 *issuer = plan->issuer ? plan->issuer->certificate : certificate;
    X509_NAME *name = X509_get_subject_name(certificate);

    pair->key = EVP_EC_gen("P-256");
    pair->certificate = certificate;
    assert_non_null(pair->key);
    X509_set_version(certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial++);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               (const uint8_t *)plan->name, -1, -1, 0);
    X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
    X509_gmtime_adj(X509_getm_notBefore(certificate),
                    (plan->after ? plan->after : -10) * 86400L);
    X509_gmtime_adj(X509_getm_notAfter(certificate), plan->days * 86400L);
    X509_set_pubkey(certificate, pair->key);
    if (plan->authority)
        pair_extend(certificate, issuer, NID_basic_constraints,
                    "critical,CA:TRUE");
    if (plan->hosts)
        pair_extend(certificate, issuer, NID_subject_alt_name, plan->hosts);
    assert_true(X509_sign(certificate,
                          plan->issuer ? plan->issuer->key : pair->key,
                          EVP_sha256()) > 0);
}

static inline void pair_free(struct pair *pair)
{
    EVP_PKEY_free(pair->key);
    X509_free(pair->certificate);
}

/* Certificate, then the key, encrypted when there is a password; without a key
 * when the pair is only to be trusted. */
static inline void pair_write(const struct pair *pair, const char *path,
                              bool with_key, const char *password)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(PEM_write_X509(file, pair->certificate), 1);
    if (with_key)
        assert_int_equal(PEM_write_PKCS8PrivateKey(
                             file, pair->key,
                             password ? EVP_aes_128_cbc() : NULL, NULL, 0, NULL,
                             (void *)(uintptr_t)(const void *)password),
                         1);
    fclose(file);
}

#endif
