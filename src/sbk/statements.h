/* statements.h - the CQL of SBK's Cassandra driver, and making its table. */
#ifndef CS_SBK_STATEMENTS_H
#define CS_SBK_STATEMENTS_H

#include "driver/driver.h"
#include "sbk/options.h"

/* Texts end without a semicolon, but for the written insert. */
void cs_sbk_put_drop_table(const struct cs_sbk_options *o, struct cs_buf *out);
void cs_sbk_put_drop_keyspace(const struct cs_sbk_options *o,
                              struct cs_buf *out);
void cs_sbk_put_create_keyspace(const struct cs_sbk_options *o,
                                struct cs_buf *out);
void cs_sbk_put_create_table(const struct cs_sbk_options *o,
                             struct cs_buf *out);

/* In hex with dashes. */
#define CS_SBK_UUID_TEXT 36
void cs_sbk_put_uuid(const uint8_t uuid[16], struct cs_buf *out);

/* Drops what -recreate says and creates what is missing. Unlike SBK, only the
 * keyspace `sbk` is dropped: others may hold what is not ours. */
enum cs_code cs_sbk_make_table(const struct cs_sbk_options *options,
                               const struct cs_driver_ops *db,
                               struct cs_driver *driver,
                               struct cs_err *err) CS_MUST_USE;

/* Prepared; NULL for those that the run does not need. */
struct cs_sbk_statements {
    const struct cs_statement *insert;
    const struct cs_statement *ids;  /* of a token range */
    const struct cs_statement *read; /* by id */
    const struct cs_statement *scan;
    struct cs_statement_options write_options;
    struct cs_statement_options read_options; /* by id */
    struct cs_statement_options page_options; /* ids, scan */
};

/* With -text only the options are filled. */
enum cs_code cs_sbk_prepare(const struct cs_sbk_options *options,
                            const struct cs_driver_ops *db,
                            struct cs_driver *driver,
                            struct cs_sbk_statements *out,
                            struct cs_err *err) CS_MUST_USE;

#endif
