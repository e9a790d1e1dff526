/* store.c - certificates and keys out of PEM, PKCS#12 and JKS files. */
#include "net/store_internal.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <stdio.h>

/* A bundle of all certificates of a system has some hundred kilobytes. */
#define FILE_MAX ((size_t)16 << 20)

void cs_store_release(struct cs_store *store)
{
    EVP_PKEY_free(store->key);
    X509_free(store->certificate);
    sk_X509_pop_free(store->chain, X509_free);
    sk_X509_pop_free(store->others, X509_free);
    *store = (struct cs_store){.key = NULL};
}

static enum cs_code read_file(const char *path, struct cs_buf *out,
                              struct cs_err *err)
{
    FILE *file = fopen(path, "re");
    uint8_t *to = NULL;
    size_t got = 0;

    if (!file)
        return cs_fail_sys(err, "cannot read it");
    do {
        out->size += got;
        to = cs_buf_room(out, BUFSIZ);
        got = to ? fread(to, 1, BUFSIZ, file) : 0;
    } while (got);
    if (ferror(file)) {
        cs_fail_sys(err, "cannot read it");
        fclose(file);
        return err->code;
    }
    fclose(file);
    return cs_buf_check(out, "the file", err);
}

/* ---- PEM ---- */

struct secret {
    const char *password; /* or NULL */
    bool asked;
};

static int give_password(char *buf, int size, int writing, void *ctx)
{
    struct secret *secret = ctx;
    size_t length = secret->password ? strlen(secret->password) : 0;

    (void)writing;
    secret->asked = true;
    if (!secret->password || length > (size_t)size)
        return -1;
    memcpy(buf, secret->password, length);
    return (int)length;
}

/* The certificate that belongs to the key is ours, those behind it are its
 * chain; without a key all are only to be trusted. */
static enum cs_code sort_certificates(struct cs_store *out, struct cs_err *err)
{
    int at = 0;

    if (!out->key)
        return CS_OK;
    while (at < sk_X509_num(out->others) &&
           !X509_check_private_key(sk_X509_value(out->others, at), out->key))
        at++;
    ERR_clear_error();
    if (at == sk_X509_num(out->others))
        return cs_fail(err, CS_EINVALID,
                       "it has a private key, but not its certificate");
    out->certificate = sk_X509_delete(out->others, at);
    out->chain = out->others;
    out->others = NULL;
    return CS_OK;
}

static bool holds(const struct cs_buf *file, const char *text)
{
    return file->size && memmem(file->data, file->size, text, strlen(text));
}

static enum cs_code read_pem_certificates(BIO *bio, struct cs_store *out,
                                          struct cs_err *err)
{
    X509 *certificate;

    out->others = sk_X509_new_null();
    if (!out->others)
        return cs_fail(err, CS_ENOMEM, "no memory for certificates");
    while ((certificate = PEM_read_bio_X509_AUX(bio, NULL, NULL, NULL)))
        if (!sk_X509_push(out->others, certificate))
            X509_free(certificate);
    /* The last one always ends in an error: there is no further. */
    ERR_clear_error();
    return CS_OK;
}

static enum cs_code read_pem_key(BIO *bio, const char *password,
                                 struct cs_store *out, struct cs_err *err)
{
    struct secret secret = {.password = password};

    out->key = PEM_read_bio_PrivateKey(bio, NULL, give_password, &secret);
    ERR_clear_error();
    if (out->key)
        return CS_OK;
    if (secret.asked && !password)
        return cs_fail(err, CS_EINVALID,
                       "its private key is encrypted and needs a password");
    return cs_fail(err, CS_EINVALID,
                   secret.asked ? "the password is wrong"
                                : "its private key cannot be read");
}

static enum cs_code read_pem(const struct cs_buf *file, const char *password,
                             struct cs_store *out, struct cs_err *err)
{
    BIO *bio = BIO_new_mem_buf(file->data, (int)file->size);
    enum cs_code rc;

    if (!bio)
        return cs_fail(err, CS_ENOMEM, "no memory for certificates");
    rc = read_pem_certificates(bio, out, err);
    if (!rc && holds(file, "PRIVATE KEY-----")) {
        BIO_reset(bio);
        rc = read_pem_key(bio, password, out, err);
    }
    BIO_free(bio);
    return rc ? rc : sort_certificates(out, err);
}

/* ---- PKCS#12 ---- */

/* What old Java releases wrote needs algorithms that the library keeps apart;
 * naming one provider takes away the usual one, so both are named. */
static bool load_old_algorithms(void)
{
    return OSSL_PROVIDER_load(NULL, "default") &&
           OSSL_PROVIDER_load(NULL, "legacy");
}

static bool is_unsupported(void)
{
    unsigned long error;
    bool found = false;

    while ((error = ERR_get_error()))
        found = found || ERR_GET_REASON(error) == ERR_R_UNSUPPORTED;
    return found;
}

static enum cs_code parse_pkcs12(PKCS12 *p12, const char *password,
                                 struct cs_store *out, struct cs_err *err)
{
    bool mac = PKCS12_mac_present(p12);

    if (mac && !PKCS12_verify_mac(p12, password, -1) &&
        (password || !PKCS12_verify_mac(p12, "", -1)))
        return cs_fail(err, CS_EINVALID,
                       password ? "the password is wrong"
                                : "it needs a password");
    if (PKCS12_parse(p12, password, &out->key, &out->certificate, &out->others))
        return CS_OK;
    if (is_unsupported() && load_old_algorithms() &&
        PKCS12_parse(p12, password, &out->key, &out->certificate, &out->others))
        return CS_OK;
    return cs_fail(err, CS_EINVALID,
                   "it cannot be opened; openssl pkcs12 -in FILE -nodes "
                   "-out FILE.pem converts it");
}

static enum cs_code read_pkcs12(PKCS12 *p12, const char *password,
                                struct cs_store *out, struct cs_err *err)
{
    enum cs_code rc = parse_pkcs12(p12, password, out, err);

    ERR_clear_error();
    if (rc || !out->key)
        return rc;
    out->chain = out->others;
    out->others = NULL;
    return CS_OK;
}

/* ---- all ---- */

static enum cs_code unknown_format(const struct cs_buf *file,
                                   struct cs_err *err)
{
    if (file->size >= 4 && cs_load32(file->data) == CS_JCEKS_MAGIC)
        return cs_fail(err, CS_EINVALID,
                       "a JCEKS store; keytool -importkeystore -srckeystore "
                       "FILE -destkeystore FILE.p12 -deststoretype PKCS12 "
                       "converts it");
    return cs_fail(err, CS_EINVALID,
                   "neither PEM nor PKCS#12 nor JKS; keytool -importkeystore "
                   "-srckeystore FILE -destkeystore FILE.p12 -deststoretype "
                   "PKCS12 converts other stores");
}

static enum cs_code parse(const struct cs_buf *file, const char *password,
                          struct cs_store *out, struct cs_err *err)
{
    const uint8_t *p = file->data;
    PKCS12 *p12;
    enum cs_code rc;

    if (file->size >= 4 && cs_load32(file->data) == CS_JKS_MAGIC)
        return cs_jks_read(file->data, file->size, password, out, err);
    if (holds(file, "-----BEGIN "))
        return read_pem(file, password, out, err);
    p12 = file->size ? d2i_PKCS12(NULL, &p, (long)file->size) : NULL;
    ERR_clear_error();
    if (!p12)
        return unknown_format(file, err);
    rc = read_pkcs12(p12, password, out, err);
    PKCS12_free(p12);
    return rc;
}

enum cs_code cs_store_read(const char *path, const char *password,
                           struct cs_store *out, struct cs_err *err)
{
    struct cs_buf file;
    enum cs_code rc;

    *out = (struct cs_store){.key = NULL};
    cs_buf_init(&file, FILE_MAX);
    rc = read_file(path, &file, err);
    if (!rc)
        rc = parse(&file, password, out, err);
    if (file.data)
        explicit_bzero(file.data, file.cap);
    cs_buf_release(&file);
    if (rc)
        cs_store_release(out);
    return rc;
}
