/* tls_names.c - whether a certificate is that of the host we mean. */
#include "net/tls_internal.h"

#include <arpa/inet.h>
#include <openssl/x509v3.h>

/* A certificate of a large cluster names hundreds of hosts. */
#define NAMES_SHOWN 6
#define TEXT_MAX    ((size_t)512)

static bool names_host(const struct cs_tls_end *end, X509 *certificate)
{
    const struct cs_tls *tls = end->tls;

    if (!end->address[0])
        return false;
    if (X509_check_ip_asc(certificate, end->address, 0) == 1)
        return true;
    for (size_t i = 0; i < tls->name_count; i++)
        if (!strcmp(tls->names[i].address, end->address) &&
            X509_check_host(certificate, tls->names[i].host, 0, 0, NULL) == 1)
            return true;
    return false;
}

static void put_plain(struct cs_buf *out, const ASN1_STRING *text)
{
    const uint8_t *p = ASN1_STRING_get0_data(text);
    int size = ASN1_STRING_length(text);

    for (int i = 0; i < size; i++)
        cs_buf_put8(out, p[i] > ' ' && p[i] < 0x7F ? p[i] : '?');
}

static void put_address(struct cs_buf *out, const ASN1_OCTET_STRING *bytes)
{
    char text[INET6_ADDRSTRLEN] = "?";
    int family = ASN1_STRING_length(bytes) == 4 ? AF_INET : AF_INET6;

    if (family == AF_INET || ASN1_STRING_length(bytes) == 16)
        inet_ntop(family, ASN1_STRING_get0_data(bytes), text, sizeof(text));
    cs_buf_puts(out, text);
}

static void put_name(struct cs_buf *out, const GENERAL_NAME *name)
{
    if (name->type != GEN_DNS && name->type != GEN_IPADD)
        return;
    if (out->size)
        cs_buf_puts(out, ", ");
    if (name->type == GEN_DNS)
        put_plain(out, name->d.dNSName);
    else
        put_address(out, name->d.iPAddress);
}

static void put_common_name(struct cs_buf *out, X509 *certificate)
{
    const X509_NAME *subject = X509_get_subject_name(certificate);
    int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);

    if (at >= 0)
        put_plain(out,
                  X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
    else
        cs_buf_puts(out, "no host");
}

/* The hosts that it is for. */
static void put_names(struct cs_buf *out, X509 *certificate)
{
    GENERAL_NAMES *names =
        X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    int count = sk_GENERAL_NAME_num(names);

    for (int i = 0; i < count && i < NAMES_SHOWN; i++)
        put_name(out, sk_GENERAL_NAME_value(names, i));
    if (count > NAMES_SHOWN)
        cs_buf_puts(out, " ...");
    GENERAL_NAMES_free(names);
    if (!out->size)
        put_common_name(out, certificate);
}

enum cs_code cs_tls_check_host(const struct cs_tls_end *end, struct cs_err *err)
{
    X509 *certificate;
    struct cs_buf names;

    if (end->tls->server || !end->tls->verify_host)
        return CS_OK;
    certificate = SSL_get0_peer_certificate(end->ssl);
    if (!certificate)
        return cs_fail(err, CS_ETLS, "TLS: the server shows no certificate");
    if (names_host(end, certificate))
        return CS_OK;
    cs_buf_init(&names, TEXT_MAX);
    put_names(&names, certificate);
    cs_fail(err, CS_ETLS,
            "TLS: the certificate of the server is for %s, not for %s "
            "(-transport hostname-verification=false turns this check off)",
            cs_buf_text(&names),
            end->address[0] ? end->address : "the peer of this socket");
    cs_buf_release(&names);
    return CS_ETLS;
}
