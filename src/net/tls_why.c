/* tls_why.c - why an encrypted connection failed, in words that say what to
 * change. */
#include "net/tls_internal.h"

#include <errno.h>
#include <openssl/err.h>
#include <stdio.h>

/* ---- certificates ---- */

/* "CN=node1,O=example", at most as long as a line takes. */
static void name_text(const X509_NAME *name, char *out, size_t size)
{
    BIO *bio = BIO_new(BIO_s_mem());
    int got = 0;

    if (bio && X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253) >= 0)
        got = BIO_read(bio, out, (int)size - 1);
    out[got > 0 ? got : 0] = 0;
    BIO_free(bio);
}

static void time_text(const ASN1_TIME *time, char *out, size_t size)
{
    BIO *bio = BIO_new(BIO_s_mem());
    int got = 0;

    if (bio && ASN1_TIME_print_ex(bio, time, ASN1_DTFLGS_ISO8601))
        got = BIO_read(bio, out, (int)size - 1);
    out[got > 0 ? got : 0] = 0;
    BIO_free(bio);
}

static void note_flaw(struct cs_tls_end *end, int code, X509 *certificate)
{
    char subject[100];
    char other[100];

    name_text(X509_get_subject_name(certificate), subject, sizeof(subject));
    switch (code) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
        time_text(X509_get0_notAfter(certificate), other, sizeof(other));
        snprintf(end->flaw, sizeof(end->flaw),
                 "the certificate '%s' has expired at %s", subject, other);
        break;
    case X509_V_ERR_CERT_NOT_YET_VALID:
        time_text(X509_get0_notBefore(certificate), other, sizeof(other));
        snprintf(end->flaw, sizeof(end->flaw),
                 "the certificate '%s' is valid only from %s on", subject,
                 other);
        break;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        snprintf(end->flaw, sizeof(end->flaw),
                 "the certificate '%s' is not vouched for by %.150s", subject,
                 end->tls->trusted);
        break;
    default:
        snprintf(end->flaw, sizeof(end->flaw), "the certificate '%s': %s",
                 subject, X509_verify_cert_error_string(code));
    }
}

int cs_tls_judge(int good, X509_STORE_CTX *context)
{
    SSL *ssl = X509_STORE_CTX_get_ex_data(context,
                                          SSL_get_ex_data_X509_STORE_CTX_idx());
    struct cs_tls_end *end = SSL_get_app_data(ssl);
    X509 *certificate = X509_STORE_CTX_get_current_cert(context);

    if (!good && !end->flaw[0] && certificate)
        note_flaw(end, X509_STORE_CTX_get_error(context), certificate);
    return good;
}

/* ---- refusals of the peer ---- */

/* Alerts of RFC 8446, section 6, that speak of a certificate: 40 is what older
 * servers send instead. */
static bool is_about_certificate(int alert)
{
    return alert == 40 || (alert >= 42 && alert <= 46) || alert == 48 ||
           alert == 49 || alert == 116;
}

static enum cs_code fail_unnamed(const struct cs_tls_end *end,
                                 const char *reason, struct cs_err *err)
{
    if (end->tls->has_key)
        return cs_fail(err, CS_ETLS,
                       "TLS: the server does not take the certificate of "
                       "-transport keystore= (%s)",
                       reason);
    return cs_fail(err, CS_ETLS,
                   "TLS: the server wants a certificate of the client (%s): "
                   "give -transport keystore= and keystore-password=",
                   reason);
}

static enum cs_code fail_alert(const struct cs_tls_end *end, int alert,
                               struct cs_err *err)
{
    const char *name = SSL_alert_desc_string_long(alert);

    if (end->tls->server)
        return cs_fail(err, CS_ETLS, "TLS: the client refuses (%s)", name);
    if (end->asked && is_about_certificate(alert))
        return fail_unnamed(end, name, err);
    if (alert == SSL_AD_HANDSHAKE_FAILURE || alert == SSL_AD_PROTOCOL_VERSION ||
        alert == SSL_AD_INSUFFICIENT_SECURITY)
        return cs_fail(err, CS_ETLS,
                       "TLS: the server takes none of the versions and cipher "
                       "suites offered (%s): see -transport ssl-protocol= and "
                       "ssl-ciphers=",
                       name);
    return cs_fail(err, CS_ETLS, "TLS: the server refuses (%s)", name);
}

/* ---- all ---- */

static enum cs_code fail_closed(const struct cs_tls_end *end,
                                struct cs_err *err)
{
    if (end->asked && !end->answered && !end->tls->has_key)
        return fail_unnamed(end, "it has closed the connection", err);
    if (end->shaken || end->tls->server)
        return cs_fail(err, CS_ECONNECT, "closed by the %s",
                       end->tls->server ? "client" : "server");
    return cs_fail(err, CS_ECONNECT,
                   end->heard
                       ? "closed by the server during the TLS handshake"
                       : "closed by the server at the first message of TLS: "
                         "is this port encrypted?");
}

static enum cs_code fail_errno(const struct cs_tls_end *end, struct cs_err *err)
{
    errno = end->sys_errno;
    cs_fail_sys(err, "read");
    err->code = CS_ECONNECT;
    return CS_ECONNECT;
}

static enum cs_code fail_reason(const struct cs_tls_end *end,
                                unsigned long error, struct cs_err *err)
{
    const char *text = ERR_reason_error_string(error);

    switch (ERR_GET_REASON(error)) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_UNEXPECTED_MESSAGE:
    case SSL_R_HTTP_REQUEST:
        if (end->tls->server)
            return cs_fail(err, CS_ETLS, "TLS: the client speaks no TLS");
        return cs_fail(err, CS_ETLS,
                       "TLS: the server speaks no TLS on this port: leave out "
                       "-transport, or give the port that does");
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_VERSION_TOO_LOW:
        return cs_fail(err, CS_ETLS,
                       "TLS: the peer offers no version of TLS that "
                       "ssl-protocol= allows");
    default:
        return cs_fail(err, CS_ETLS, "TLS: %s", text ? text : "failed");
    }
}

enum cs_code cs_tls_fail(struct cs_tls_end *end, int result, struct cs_err *err)
{
    int kind = SSL_get_error(end->ssl, result);
    unsigned long error = ERR_peek_error();
    int reason = ERR_GET_REASON(error);

    ERR_clear_error();
    if (end->flaw[0])
        return cs_fail(err, CS_ETLS, "TLS: %s", end->flaw);
    if (end->wire.fault)
        return cs_fail(err, CS_ENOMEM, "TLS: no memory for %zu bytes to send",
                       end->wire.max);
    if (end->sys_errno)
        return fail_errno(end, err);
    if (end->closed || kind == SSL_ERROR_ZERO_RETURN)
        return fail_closed(end, err);
    if (ERR_GET_LIB(error) == ERR_LIB_SSL && reason >= SSL_AD_REASON_OFFSET)
        return fail_alert(end, reason - SSL_AD_REASON_OFFSET, err);
    return fail_reason(end, error, err);
}
