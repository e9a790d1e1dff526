/* jks.c - the Java KeyStore format, as all Java releases up to 8 wrote it by
 * default: certificates in the open, keys under a stream made of SHA-1. */
#include "base/reader.h"
#include "net/store_internal.h"

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

#define ENTRY_KEY         1
#define ENTRY_CERTIFICATE 2
/* The salt in front of a protected key. */
#define SALT_SIZE SHA_DIGEST_LENGTH
/* The object identifier of Sun's key protector. */
#define PROTECTOR "1.3.6.1.4.1.42.2.17.1.1"
/* Part of the store's digest, so that it differs from a plain one. */
#define WHITENER     "Mighty Aphrodite"
#define PASSWORD_MAX ((size_t)4096)

/* A password as Java hashes it: UTF-16, big-endian. */
static void put_password(struct cs_buf *out, const char *password)
{
    const uint8_t *p = (const uint8_t *)password;

    while (*p) {
        unsigned c = *p++;
        int more = c < 0x80 ? 0 : c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;

        if (more)
            c &= 0x3Fu >> more;
        while (more-- && (*p & 0xC0) == 0x80)
            c = c << 6 | (*p++ & 0x3F);
        if (c < 0x10000) {
            cs_buf_put16(out, (uint16_t)c);
        } else {
            cs_buf_put16(out, (uint16_t)(0xD800 + ((c - 0x10000) >> 10)));
            cs_buf_put16(out, (uint16_t)(0xDC00 + (c & 0x3FF)));
        }
    }
}

static bool digest(const struct cs_buf *password, const void *a, size_t a_size,
                   const void *b, size_t b_size, uint8_t *out)
{
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    bool ok = md && EVP_DigestInit_ex(md, EVP_sha1(), NULL) &&
              EVP_DigestUpdate(md, password->data, password->size) &&
              EVP_DigestUpdate(md, a, a_size) &&
              EVP_DigestUpdate(md, b, b_size) &&
              EVP_DigestFinal_ex(md, out, NULL);

    EVP_MD_CTX_free(md);
    return ok;
}

/* size bytes behind the salt become plain in place; false: the check at their
 * end does not fit, so the password is another. */
static bool open_protected(const struct cs_buf *password, const uint8_t *salt,
                           uint8_t *bytes, size_t size, const uint8_t *check)
{
    uint8_t stream[SHA_DIGEST_LENGTH];
    uint8_t seen[SHA_DIGEST_LENGTH];

    memcpy(stream, salt, SALT_SIZE);
    for (size_t at = 0; at < size; at++) {
        size_t phase = at % SHA_DIGEST_LENGTH;

        if (!phase &&
            !digest(password, stream, sizeof(stream), NULL, 0, stream))
            return false;
        bytes[at] ^= stream[phase];
    }
    return digest(password, bytes, size, NULL, 0, seen) &&
           !memcmp(seen, check, sizeof(seen));
}

static EVP_PKEY *decode_key(const uint8_t *bytes, size_t size)
{
    const uint8_t *p = bytes;
    PKCS8_PRIV_KEY_INFO *info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &p, (long)size);
    EVP_PKEY *key = info ? EVP_PKCS82PKEY(info) : NULL;

    PKCS8_PRIV_KEY_INFO_free(info);
    return key;
}

static bool is_sun_protected(const X509_SIG *sig)
{
    const X509_ALGOR *algorithm;
    const ASN1_OBJECT *object;
    char name[64];

    X509_SIG_get0(sig, &algorithm, NULL);
    X509_ALGOR_get0(&object, NULL, NULL, algorithm);
    return OBJ_obj2txt(name, sizeof(name), object, 1) > 0 &&
           !strcmp(name, PROTECTOR);
}

static enum cs_code open_octets(const struct cs_buf *password,
                                const ASN1_OCTET_STRING *octets,
                                struct cs_store *out, struct cs_err *err)
{
    size_t size = (size_t)ASN1_STRING_length(octets);
    const size_t around = SALT_SIZE + SHA_DIGEST_LENGTH;
    struct cs_buf plain;
    enum cs_code rc = CS_OK;

    if (size <= around)
        return cs_fail(err, CS_EINVALID, "a private key is cut off");
    cs_buf_init(&plain, size);
    cs_buf_put(&plain, ASN1_STRING_get0_data(octets), size);
    if (plain.fault)
        rc = cs_fail(err, CS_ENOMEM, "no memory for a private key");
    else if (!open_protected(password, plain.data, plain.data + SALT_SIZE,
                             size - around,
                             plain.data + size - SHA_DIGEST_LENGTH))
        rc = cs_fail(err, CS_EINVALID,
                     "the password of its private key is another");
    else
        out->key = decode_key(plain.data + SALT_SIZE, size - around);
    if (!rc && !out->key)
        rc = cs_fail(err, CS_EINVALID, "a private key cannot be read");
    if (plain.data)
        explicit_bzero(plain.data, plain.size);
    cs_buf_release(&plain);
    return rc;
}

static enum cs_code open_key(const struct cs_buf *password,
                             const uint8_t *bytes, size_t size,
                             struct cs_store *out, struct cs_err *err)
{
    const uint8_t *p = bytes;
    X509_SIG *sig = d2i_X509_SIG(NULL, &p, (long)size);
    const ASN1_OCTET_STRING *octets;
    enum cs_code rc;

    if (!sig)
        return cs_fail(err, CS_EINVALID, "a private key cannot be read");
    X509_SIG_get0(sig, NULL, &octets);
    rc = is_sun_protected(sig)
             ? open_octets(password, octets, out, err)
             : cs_fail(err, CS_EINVALID,
                       "a private key is protected in an unknown way");
    X509_SIG_free(sig);
    return rc;
}

/* ---- the entries ---- */

static void skip_text(struct cs_reader *r)
{
    uint16_t size = cs_read16(r);

    cs_read_bytes(r, size);
}

/* NULL: not readable. */
static X509 *read_certificate(struct cs_reader *r, uint32_t version)
{
    const uint8_t *p;
    uint32_t size;

    if (version > 1)
        skip_text(r); /* its type: X.509 is the only one there is */
    size = cs_read32(r);
    p = cs_read_bytes(r, size);
    return p ? d2i_X509(NULL, &p, (long)size) : NULL;
}

static enum cs_code bad_certificate(struct cs_err *err)
{
    return cs_fail(err, CS_EINVALID, "a certificate cannot be read");
}

static enum cs_code push(STACK_OF(X509) * *list, X509 *certificate,
                         struct cs_err *err)
{
    if (!*list)
        *list = sk_X509_new_null();
    if (*list && sk_X509_push(*list, certificate))
        return CS_OK;
    X509_free(certificate);
    return cs_fail(err, CS_ENOMEM, "no memory for a certificate");
}

/* The chain of the first key is ours; all others are left out, but their
 * first certificate is one to trust, as in Java. */
static enum cs_code read_chain(struct cs_reader *r, uint32_t version, bool ours,
                               struct cs_store *out, struct cs_err *err)
{
    uint32_t count = cs_read32(r);
    enum cs_code rc = CS_OK;

    for (uint32_t i = 0; i < count && !rc; i++) {
        X509 *certificate = read_certificate(r, version);

        if (!certificate)
            return bad_certificate(err);
        if (ours && !i)
            out->certificate = certificate;
        else if (ours || !i)
            rc = push(ours ? &out->chain : &out->others, certificate, err);
        else
            X509_free(certificate);
    }
    return rc;
}

static enum cs_code read_entry(struct cs_reader *r, uint32_t version,
                               const struct cs_buf *password,
                               struct cs_store *out, struct cs_err *err)
{
    uint32_t tag = cs_read32(r);
    const uint8_t *key;
    uint32_t size;
    bool ours;

    skip_text(r); /* its alias */
    cs_read64(r); /* and its date */
    if (tag == ENTRY_CERTIFICATE) {
        X509 *certificate = read_certificate(r, version);

        return certificate ? push(&out->others, certificate, err)
                           : bad_certificate(err);
    }
    if (tag != ENTRY_KEY)
        return cs_fail(err, CS_EINVALID, "an entry of unknown kind %u", tag);
    size = cs_read32(r);
    key = cs_read_bytes(r, size);
    ours = !out->certificate;
    if (key && ours && password && open_key(password, key, size, out, err))
        return err->code;
    return read_chain(r, version, ours, out, err);
}

static enum cs_code read_entries(struct cs_reader *r,
                                 const struct cs_buf *password,
                                 struct cs_store *out, struct cs_err *err)
{
    uint32_t version, count;
    enum cs_code rc = CS_OK;

    cs_read32(r); /* the magic number that brought us here */
    version = cs_read32(r);
    count = cs_read32(r);
    if (version < 1 || version > 2)
        return cs_fail(err, CS_EINVALID, "JKS of version %u, not 1 or 2",
                       version);
    for (uint32_t i = 0; i < count && !rc && !r->fault; i++)
        rc = read_entry(r, version, password, out, err);
    if (!rc && r->fault)
        rc = cs_fail(err, CS_EINVALID, "the file is cut off");
    return rc;
}

static enum cs_code check_whole(const uint8_t *bytes, size_t size,
                                const struct cs_buf *password,
                                struct cs_err *err)
{
    uint8_t seen[SHA_DIGEST_LENGTH];
    size_t covered = size - SHA_DIGEST_LENGTH;

    if (digest(password, WHITENER, strlen(WHITENER), bytes, covered, seen) &&
        !memcmp(seen, bytes + covered, sizeof(seen)))
        return CS_OK;
    return cs_fail(err, CS_EINVALID,
                   "the password is wrong, or the file was changed");
}

enum cs_code cs_jks_read(const uint8_t *bytes, size_t size,
                         const char *password, struct cs_store *out,
                         struct cs_err *err)
{
    struct cs_reader r;
    struct cs_buf hashed;
    enum cs_code rc = CS_OK;

    if (size < SHA_DIGEST_LENGTH)
        return cs_fail(err, CS_EINVALID, "the file is cut off");
    r = cs_reader_of(bytes, size - SHA_DIGEST_LENGTH);
    cs_buf_init(&hashed, PASSWORD_MAX);
    if (password) {
        put_password(&hashed, password);
        rc = cs_buf_check(&hashed, "password", err);
    }
    if (!rc && password)
        rc = check_whole(bytes, size, &hashed, err);
    if (!rc)
        rc = read_entries(&r, password ? &hashed : NULL, out, err);
    if (hashed.data)
        explicit_bzero(hashed.data, hashed.cap);
    cs_buf_release(&hashed);
    return rc;
}
