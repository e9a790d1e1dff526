/* statements.c - names are sent as typed, so that the server folds their case
 * and refuses what is none, as with SBK. */
#include "sbk/statements.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>

#define CQL_MAX       ((size_t)1 << 16)
#define NAME_MAX_SIZE 128

/* native protocol v4, section 9: error codes */
#define SERVER_INVALID 0x2200
#define SERVER_CONFIG  0x2300

static void put_table(const struct cs_sbk_options *o, struct cs_buf *out)
{
    cs_buf_printf(out, "%s.%s", o->keyspace, o->table);
}

void cs_sbk_put_drop_table(const struct cs_sbk_options *o, struct cs_buf *out)
{
    cs_buf_puts(out, "DROP TABLE IF EXISTS ");
    put_table(o, out);
}

void cs_sbk_put_drop_keyspace(const struct cs_sbk_options *o,
                              struct cs_buf *out)
{
    cs_buf_printf(out, "DROP KEYSPACE IF EXISTS %s", o->keyspace);
}

void cs_sbk_put_create_keyspace(const struct cs_sbk_options *o,
                                struct cs_buf *out)
{
    cs_buf_printf(out,
                  "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = "
                  "{'class':  '%s', 'replication_factor': '%lld'}",
                  o->keyspace, o->strategy, (long long)o->factor);
}

void cs_sbk_put_create_table(const struct cs_sbk_options *o, struct cs_buf *out)
{
    cs_buf_puts(out, "CREATE TABLE IF NOT EXISTS ");
    put_table(o, out);
    cs_buf_puts(out, " (id uuid PRIMARY KEY, data text)");
}

void cs_sbk_put_uuid(const uint8_t uuid[16], struct cs_buf *out)
{
    static const uint8_t ends[] = {4, 6, 8, 10, 16};
    uint8_t from = 0;

    for (size_t i = 0; i < CS_COUNT(ends); i++) {
        cs_buf_puts(out, from ? "-" : "");
        cs_put_hex(out, uuid + from, (size_t)(ends[i] - from));
        from = ends[i];
    }
}

/* ---- the table ---- */

typedef void (*put_fn)(const struct cs_sbk_options *, struct cs_buf *);

static enum cs_code execute(put_fn put, const struct cs_sbk_options *options,
                            const struct cs_driver_ops *db,
                            struct cs_driver *driver, struct cs_err *err)
{
    struct cs_buf cql;
    enum cs_code rc;

    cs_buf_init(&cql, CQL_MAX);
    put(options, &cql);
    rc = cs_buf_check(&cql, "statement", err);
    if (!rc)
        rc = db->execute(driver, cs_buf_text(&cql), options->cl, NULL, err);
    cs_buf_release(&cql);
    return rc;
}

static enum cs_code drop(const struct cs_sbk_options *options,
                         const struct cs_driver_ops *db,
                         struct cs_driver *driver, struct cs_err *err)
{
    enum cs_code rc = execute(cs_sbk_put_drop_table, options, db, driver, err);

    /* Old servers do not know of a table in a keyspace that is not there. */
    if (rc == CS_ESERVER && (err->server_code == SERVER_INVALID ||
                             err->server_code == SERVER_CONFIG))
        rc = CS_OK;
    if (!rc && cs_same_word(options->keyspace, "sbk"))
        rc = execute(cs_sbk_put_drop_keyspace, options, db, driver, err);
    return rc;
}

enum cs_code cs_sbk_make_table(const struct cs_sbk_options *options,
                               const struct cs_driver_ops *db,
                               struct cs_driver *driver, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    if (options->recreate && options->writers > 0)
        rc = drop(options, db, driver, err);
    if (!rc)
        rc = execute(cs_sbk_put_create_keyspace, options, db, driver, err);
    if (!rc)
        rc = execute(cs_sbk_put_create_table, options, db, driver, err);
    return rc;
}

/* ---- prepared ---- */

/* The keyspace as the server knows it. */
static void fold_name(const char *typed, char out[NAME_MAX_SIZE])
{
    size_t size = 0;
    bool quoted = typed[0] == '"';

    for (const char *p = typed + quoted; *p && size + 1 < NAME_MAX_SIZE; p++) {
        if (quoted && *p == '"' && *++p != '"')
            break;
        out[size++] = quoted ? *p : (char)tolower((unsigned char)*p);
    }
    out[size] = 0;
}

struct preparer {
    const struct cs_sbk_options *options;
    const struct cs_driver_ops *db;
    struct cs_driver *driver;
};

static enum cs_code prepare(struct preparer *p, const char *before,
                            const char *after,
                            const struct cs_statement_options *options,
                            const struct cs_statement **out, struct cs_err *err)
{
    const struct cs_sbk_options *o = p->options;
    char keyspace[NAME_MAX_SIZE];
    struct cs_buf cql;
    enum cs_code rc;

    if (o->text)
        return CS_OK;
    fold_name(o->keyspace, keyspace);
    cs_buf_init(&cql, CQL_MAX);
    cs_buf_puts(&cql, before);
    put_table(o, &cql);
    cs_buf_puts(&cql, after);
    rc = cs_buf_check(&cql, "statement", err);
    if (!rc)
        rc = p->db->prepare(p->driver, keyspace, cs_buf_text(&cql), options,
                            out, err);
    cs_buf_release(&cql);
    return rc;
}

static enum cs_code prepare_reads(struct preparer *p,
                                  struct cs_sbk_statements *out,
                                  struct cs_err *err)
{
    enum cs_code rc;

    if (p->options->scan)
        return prepare(p, "SELECT * FROM ", "", &out->page_options, &out->scan,
                       err);
    rc =
        prepare(p, "SELECT id FROM ", " WHERE token(id) > ? AND token(id) <= ?",
                &out->page_options, &out->ids, err);
    if (!rc)
        rc = prepare(p, "SELECT id, data FROM ", " WHERE id = ?",
                     &out->read_options, &out->read, err);
    return rc;
}

enum cs_code cs_sbk_prepare(const struct cs_sbk_options *options,
                            const struct cs_driver_ops *db,
                            struct cs_driver *driver,
                            struct cs_sbk_statements *out, struct cs_err *err)
{
    struct preparer p = {.options = options, .db = db, .driver = driver};
    const struct cs_statement_options read = {
        .cl = options->cl, .idempotent = true, .is_read = true};

    *out =
        (struct cs_sbk_statements){.read_options = read, .page_options = read};
    out->write_options = (struct cs_statement_options){.cl = options->cl};
    out->write_options.page_size = 5000;
    out->read_options.page_size = (int32_t)options->page_size;
    out->page_options.page_size = (int32_t)options->page_size;
    if (options->readers > 0)
        return prepare_reads(&p, out, err);
    return prepare(&p, "INSERT INTO ", " (id, data) VALUES (?, ?)",
                   &out->write_options, &out->insert, err);
}
