/* test_store.c - the three formats of key stores, made by keytool (those in the
 * vectors) and by the test, and what is said of those that are broken. */
#include "net/store_internal.h"

#include "support/keys.h"

#define NON_ASCII "geheim-\xc3\xa4"

static const struct {
    const char *file;
    const char *password;
    const char *error; /* NULL: it is read */
    bool key;
    int others;
} rows[] = {
    {"client.jks", NON_ASCII, NULL, true, 0},
    {"client.jks", "geheim-a", "the password is wrong, or the file was changed",
     false, 0},
    {"client.jks", NULL, NULL, false, 0}, /* the certificate alone */
    {"trust.jks", "changeit", NULL, false, 1},
    {"trust.jks", NULL, NULL, false, 1}, /* as in Java: not checked */
    {"trust.jks", "other", "the password is wrong, or the file was changed",
     false, 0},
    {"client.p12", "changeit", NULL, true, 0},
    {"client.p12", "other", "the password is wrong", false, 0},
    {"client.p12", NULL, "it needs a password", false, 0},
    {"trust.p12", "changeit", NULL, false, 1},
    {"old.p12", "changeit", NULL, true, 0}, /* RC2, of old Java releases */
    {"client.jceks", "changeit", "a JCEKS store; keytool -importkeystore",
     false, 0},
    {"nothing.p12", "changeit", "cannot read it: No such file", false, 0},
    {"../values.jsonl", "changeit", "neither PEM nor PKCS#12 nor JKS", false,
     0},
};

static void reads_what_keytool_writes(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_store store;
        struct cs_err err;
        char path[512];
        enum cs_code rc;

        snprintf(path, sizeof(path), "%s/tls/%s", CS_TEST_VECTORS,
                 rows[i].file);
        rc = cs_store_read(path, rows[i].password, &store, &err);
        if (rc && (!rows[i].error || !strstr(err.text, rows[i].error)))
            fail_msg("%s (%s): %s", rows[i].file, rows[i].password, err.text);
        if (!rc && rows[i].error)
            fail_msg("%s (%s): was read", rows[i].file, rows[i].password);
        if (rc)
            continue;
        assert_int_equal(store.key != NULL, rows[i].key);
        assert_int_equal(CS_MAX(sk_X509_num(store.others), 0), rows[i].others);
        if (store.key)
            assert_int_equal(
                X509_check_private_key(store.certificate, store.key), 1);
        cs_store_release(&store);
    }
}

/* Whatever is cut off or changed is refused, and nothing else happens. */
static void survives_damaged_stores(void **state)
{
    static const char *const files[] = {"client.jks", "trust.jks",
                                        "client.p12"};
    struct folder folder;

    (void)state;
    folder_open(&folder);
    for (size_t i = 0; i < CS_COUNT(files); i++) {
        char path[512];
        uint8_t bytes[4096];
        size_t size;
        FILE *file;

        snprintf(path, sizeof(path), "%s/tls/%s", CS_TEST_VECTORS, files[i]);
        file = fopen(path, "r");
        assert_non_null(file);
        size = fread(bytes, 1, sizeof(bytes), file);
        fclose(file);
        for (size_t at = 0; at < size; at++) {
            struct cs_store store;
            struct cs_err err;

            file = fopen(folder_file(&folder, "damaged"), "w");
            bytes[at] ^= 0x41;
            fwrite(bytes, 1, at % 3 ? size : at, file);
            bytes[at] ^= 0x41;
            fclose(file);
            if (!cs_store_read(folder.file, i == 1 ? NULL : "changeit", &store,
                               &err))
                cs_store_release(&store);
        }
    }
    folder_remove(&folder);
}

struct pem {
    struct folder folder;
    struct pair authority;
    struct pair client;
};

static void pem_start(struct pem *pem)
{
    folder_open(&pem->folder);
    pair_make(&pem->authority, &(struct pair_plan){.name = "authority",
                                                   .authority = true,
                                                   .days = 30});
    pair_make(&pem->client, &(struct pair_plan){.name = "client",
                                                .issuer = &pem->authority,
                                                .days = 30});
}

static void pem_stop(struct pem *pem)
{
    pair_free(&pem->authority);
    pair_free(&pem->client);
    folder_remove(&pem->folder);
}

static void reads_pem(void **state)
{
    static const struct {
        const char *written; /* password of the key; NULL: not encrypted */
        const char *typed;
        const char *error;
    } cases[] = {
        {NULL, NULL, NULL},
        {NULL, "any", NULL},
        {"secret", "secret", NULL},
        {"secret", "other", "the password is wrong"},
        {"secret", NULL, "encrypted and needs a password"},
    };
    struct pem pem;

    (void)state;
    pem_start(&pem);
    for (size_t i = 0; i < CS_COUNT(cases); i++) {
        const char *path = folder_file(&pem.folder, "client.pem");
        struct cs_store store;
        struct cs_err err = {.text = ""};
        enum cs_code rc;

        pair_write(&pem.client, path, true, cases[i].written);
        rc = cs_store_read(path, cases[i].typed, &store, &err);
        if (!rc != !cases[i].error || (rc && !strstr(err.text, cases[i].error)))
            fail_msg("row %zu: %s", i, err.text);
        if (!rc) {
            assert_non_null(store.key);
            cs_store_release(&store);
        }
    }
    pem_stop(&pem);
}

static void wants_the_certificate_of_the_key(void **state)
{
    struct pem pem;
    struct pair mixed;
    struct cs_store store;
    struct cs_err err;
    const char *path;

    (void)state;
    pem_start(&pem);
    path = folder_file(&pem.folder, "mixed.pem");
    mixed = (struct pair){.key = pem.client.key,
                          .certificate = pem.authority.certificate};
    pair_write(&mixed, path, true, NULL);
    assert_int_equal(cs_store_read(path, NULL, &store, &err), CS_EINVALID);
    assert_non_null(strstr(err.text, "but not its certificate"));
    pem_stop(&pem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_keytool_writes),
        cmocka_unit_test(survives_damaged_stores),
        cmocka_unit_test(reads_pem),
        cmocka_unit_test(wants_the_certificate_of_the_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
