/* tls.c - -transport for libmariadb: it takes PEM files, and does the rest
 * itself. */
#include "mysql/mysql_internal.h"

#include "base/text.h"

#include <stdio.h>

/* Where a PEM file's first mark must stand: text may come before it. */
#define LOOK_SIZE 65536

static enum cs_code check_store(const char *option, const char *path,
                                struct cs_err *err)
{
    static const char mark[] = "-----BEGIN ";
    char text[LOOK_SIZE];
    FILE *file = fopen(path, "re");
    size_t size;

    if (!file)
        return cs_fail_sys(err, "-transport: %s=: cannot read '%s'", option,
                           path);
    size = fread(text, 1, sizeof(text), file);
    fclose(file);
    if (memmem(text, size, mark, sizeof(mark) - 1))
        return CS_OK;
    return cs_fail(err, CS_EUNSUPPORTED,
                   "-transport: %s=: '%s' is no PEM file, and mysql takes no "
                   "other; openssl pkcs12 -nodes makes one",
                   option, path);
}

enum cs_code cs_mysql_check_stores(const struct cs_settings *settings,
                                   struct cs_err *err)
{
    const struct cs_settings_transport *t = &settings->transport;
    enum cs_code rc = CS_OK;

    if (t->truststore)
        rc = check_store("truststore", t->truststore, err);
    if (!rc && t->keystore)
        rc = check_store("keystore", t->keystore, err);
    return rc;
}

void cs_mysql_use_tls(MYSQL *mysql, const struct cs_settings *settings)
{
    const struct cs_settings_transport *t = &settings->transport;
    my_bool yes = 1;

    if (!t->truststore && !t->keystore)
        return;
    mysql_options(mysql, MYSQL_OPT_SSL_ENFORCE, &yes);
    if (t->truststore)
        mysql_options(mysql, MYSQL_OPT_SSL_CA, t->truststore);
    if (t->keystore) {
        mysql_options(mysql, MYSQL_OPT_SSL_CERT, t->keystore);
        mysql_options(mysql, MYSQL_OPT_SSL_KEY, t->keystore);
    }
    if (t->keystore_password)
        mysql_options(mysql, MARIADB_OPT_TLS_PASSPHRASE, t->keystore_password);
    if (t->verify_host)
        mysql_options(mysql, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &yes);
    if (!cs_same_word(t->protocol, "TLS"))
        mysql_options(mysql, MARIADB_OPT_TLS_VERSION, t->protocol);
}
