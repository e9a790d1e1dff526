/* options_transport.c - the groups -transport, -credentials-file and -jmx:
 * encryption and secrets. */
#include "cli/options_internal.h"
#include "cli/parse_internal.h"

#include "base/text.h"

#define DEFAULT_CIPHERS                                                        \
    "TLS_RSA_WITH_AES_128_CBC_SHA,TLS_RSA_WITH_AES_256_CBC_SHA"
#define THRIFT_FACTORY "org.apache.cassandra.thrift.TFramedTransportFactory"

static const char *or_null(const char *text)
{
    return text ? text : "null";
}

static const char *secret_or(const char *secret, const char *none)
{
    return secret ? "*suppressed*" : none;
}

static void show_algorithm(const struct cs_settings *s, struct cs_buf *out)
{
    const char *usual = s->compat.level == CS_LEVEL_3_11 ? "SunX509" : "null";

    cs_buf_puts(out, s->transport.algorithm ? s->transport.algorithm : usual);
}

static void show_ciphers(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out,
                s->transport.ciphers ? s->transport.ciphers : DEFAULT_CIPHERS);
}

/* The whole section as the releases before 5.0 print it, secrets masked. */
static void show_line(const struct cs_settings *s, struct cs_buf *out)
{
    const struct cs_settings_transport *t = &s->transport;
    bool old = s->compat.level == CS_LEVEL_3_11;

    if (old)
        cs_buf_printf(out, "factory=%s; ",
                      t->factory ? t->factory : THRIFT_FACTORY);
    cs_buf_printf(out,
                  "truststore=%s; truststore-password=%s; keystore=%s; "
                  "keystore-password=%s; ssl-protocol=%s; ssl-alg=",
                  or_null(t->truststore),
                  secret_or(t->truststore_password, "null"),
                  or_null(t->keystore), secret_or(t->keystore_password, "null"),
                  t->protocol);
    show_algorithm(s, out);
    if (old)
        cs_buf_printf(out, "; store-type=%s",
                      t->store_type ? t->store_type : "JKS");
    cs_buf_puts(out, "; ssl-ciphers=");
    show_ciphers(s, out);
    cs_buf_puts(out, "; ");
}

/* Suites by their registered names that a TLS library of today may know. */
static const char *const suites[] = {
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_CCM_SHA256",
    "TLS_AES_128_CCM_8_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
    "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_DHE_RSA_WITH_AES_128_CBC_SHA",
    "TLS_DHE_RSA_WITH_AES_256_CBC_SHA",
    "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256",
    "TLS_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_RSA_WITH_AES_128_CBC_SHA",
    "TLS_RSA_WITH_AES_256_CBC_SHA",
    "TLS_RSA_WITH_AES_128_CBC_SHA256",
    "TLS_RSA_WITH_AES_256_CBC_SHA256",
};

static bool suite_known(const char *name, size_t size)
{
    for (size_t i = 0; i < CS_COUNT(suites); i++)
        if (strlen(suites[i]) == size && !strncmp(suites[i], name, size))
            return true;
    return false;
}

/* A list without any suite that can be offered would fail as a connection
 * that is refused again and again. */
static enum cs_code store_ciphers(struct cs_cli *cli,
                                  const struct cs_option *option,
                                  const char *value, struct cs_err *err)
{
    const char *p = value;
    bool known = false;

    (void)option;
    do {
        size_t size = strcspn(p, ",");

        known = known || suite_known(p, size);
        p += size;
    } while (*p++ == ',');
    if (!known)
        return cs_fail(err, CS_EUSAGE, "none of these cipher suites is known");
    cli->settings->transport.ciphers = cs_cli_text(cli, value, strlen(value));
    return CS_OK;
}

static const struct cs_choice tls_versions[] = {
    {"TLS", 0}, {"TLSv1.2", 0}, {"TLSv1.3", 0}, {NULL, 0}};
static const struct cs_choice truths[] = {{"true", 1}, {"false", 0}, {NULL, 0}};

static enum cs_code store_verification(struct cs_cli *cli,
                                       const struct cs_option *option,
                                       const char *value, struct cs_err *err)
{
    bool on = cs_same_word(value, "true");

    (void)option;
    if (!on && !cs_same_word(value, "false"))
        return cs_fail(err, CS_EUSAGE, "unknown value, expected true or false");
    cli->settings->transport.verify_host = on;
    return CS_OK;
}

static const struct cs_option transport_rows[] = {
    {.key = "truststore=",
     .type = CS_OPTION_PATH,
     .at = CS_AT(transport.truststore),
     .free_text = true,
     .help = "store with the certificates to trust; switches TLS on",
     .label = "Truststore"},
    {.key = "truststore-password=",
     .type = CS_OPTION_SECRET,
     .at = CS_AT(transport.truststore_password),
     .free_text = true,
     .help = "its password",
     .label = "Truststore Password"},
    {.key = "keystore=",
     .type = CS_OPTION_PATH,
     .at = CS_AT(transport.keystore),
     .free_text = true,
     .shown = "the truststore",
     .help = "store with the key and certificate of the client",
     .label = "Keystore"},
    {.key = "keystore-password=",
     .type = CS_OPTION_SECRET,
     .at = CS_AT(transport.keystore_password),
     .free_text = true,
     .help = "its password",
     .label = "Keystore Password"},
    {.key = "ssl-protocol=",
     .type = CS_OPTION_CHOICE,
     .text_at = CS_AT(transport.protocol),
     .choices = tls_versions,
     .preset = "TLS",
     .help = "version of TLS, or TLS for the newest",
     .label = "SSL Protocol"},
    {.key = "ssl-alg=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(transport.algorithm),
     .idle = "ssl-alg= has no effect",
     .hidden = true,
     .help = "without effect",
     .label = "SSL Algorithm",
     .show = show_algorithm},
    {.key = "ssl-ciphers=",
     .type = CS_OPTION_CUSTOM,
     .store = store_ciphers,
     .shown = "those of the TLS library",
     .help = "cipher suites, with commas between",
     .label = "SSL Ciphers",
     .show = show_ciphers},
    {.key = "hostname-verification=",
     .type = CS_OPTION_CUSTOM,
     .choices = truths,
     .store = store_verification,
     .shown = "true",
     .form = "true or false",
     .help = "whether the certificate must name the host"},
    {.key = "factory=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(transport.factory),
     .idle = "factory= has no effect",
     .hidden = true,
     .help = "without effect"},
    {.key = "store-type=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(transport.store_type),
     .idle = "store-type= has no effect, stores are known by their content",
     .hidden = true,
     .help = "without effect"},
};

const struct cs_option_group cs_options_transport = {
    .name = "-transport",
    .help = "encryption: stores, protocol, cipher suites",
    .section = "Transport:",
    .line = show_line,
    .line_levels = CS_IN_3_11 | CS_IN_4_0 | CS_IN_4_1,
    .tables = {CS_TABLE(transport_rows)}};

static void show_jmx_password(const struct cs_settings *s, struct cs_buf *out)
{
    cs_buf_puts(out, secret_or(s->jmx.password, "*not set*"));
}

static const struct cs_option jmx_rows[] = {
    {.key = "user=",
     .type = CS_OPTION_TEXT,
     .at = CS_AT(jmx.user),
     .free_text = true,
     .empty_ok = true,
     .help = "without effect",
     .label = "Username"},
    {.key = "password=",
     .type = CS_OPTION_SECRET,
     .at = CS_AT(jmx.password),
     .free_text = true,
     .empty_ok = true,
     .help = "without effect",
     .label = "Password",
     .show = show_jmx_password},
};

const struct cs_option_group cs_options_jmx = {
    .name = "-jmx",
    .help = "accepted without effect: there is no JMX client",
    .idle = "there is no JMX client, the gc columns show 0",
    .section = "JMX:",
    .levels = CS_IN_5_0,
    .tables = {CS_TABLE(jmx_rows)}};

#define SHOW_FILED(name, text)                                                 \
    static void name(const struct cs_settings *s, struct cs_buf *out)          \
    {                                                                          \
        cs_buf_puts(out, text);                                                \
    }
#define NOT_SET        "*not set*"
#define PLAIN(member)  (s->credentials.member ? s->credentials.member : NOT_SET)
#define HIDDEN(member) secret_or(s->credentials.member, NOT_SET)

SHOW_FILED(show_filed, PLAIN(file))
SHOW_FILED(show_filed_user, PLAIN(cql_user))
SHOW_FILED(show_filed_password, HIDDEN(cql_password))
SHOW_FILED(show_filed_jmx_user, PLAIN(jmx_user))
SHOW_FILED(show_filed_jmx_password, HIDDEN(jmx_password))
SHOW_FILED(show_filed_truststore, HIDDEN(truststore_password))
SHOW_FILED(show_filed_keystore, HIDDEN(keystore_password))

static enum cs_code store_credentials(struct cs_cli *cli,
                                      const struct cs_option *option,
                                      const char *value, struct cs_err *err)
{
    (void)option;
    if (strchr(value, '='))
        return cs_fail(err, CS_EUSAGE, "a bare file name is expected");
    cli->settings->credentials.file = cs_value_path(cli, value);
    return CS_OK;
}

static const struct cs_option credential_rows[] = {
    {.type = CS_OPTION_BARE,
     .needs = 1,
     .store = store_credentials,
     .form = "file name",
     .help = "properties file: cql.username, cql.password, "
             "transport.truststore.password, transport.keystore.password",
     .label = "File",
     .show = show_filed},
    {.type = CS_OPTION_ECHO, .label = "CQL username", .show = show_filed_user},
    {.type = CS_OPTION_ECHO,
     .label = "CQL password",
     .show = show_filed_password},
    {.type = CS_OPTION_ECHO,
     .label = "JMX username",
     .show = show_filed_jmx_user},
    {.type = CS_OPTION_ECHO,
     .label = "JMX password",
     .show = show_filed_jmx_password},
    {.type = CS_OPTION_ECHO,
     .label = "Transport truststore password",
     .show = show_filed_truststore},
    {.type = CS_OPTION_ECHO,
     .label = "Transport keystore password",
     .show = show_filed_keystore},
};

const struct cs_option_group cs_options_credentials = {
    .name = "-credentials-file",
    .help = "file with user names and passwords",
    .section = "Credentials file:",
    .levels = CS_IN_5_0,
    .tables = {CS_TABLE(credential_rows)}};
