/* answer_internal.h - the server's messages as envelopes, appended to a
 * buffer. */
#ifndef CS_RESPONDER_ANSWER_INTERNAL_H
#define CS_RESPONDER_ANSWER_INTERNAL_H

#include "protocol/error.h"
#include "protocol/frame.h"
#include "protocol/shards.h"
#include "responder/script_internal.h"

/* Whom it answers. */
struct cs_reply {
    uint8_t version;
    bool traced;    /* it asked for that */
    uint8_t speaks; /* enum cs_speaks, one bit each */
    int16_t stream;
};

/* What STARTUP has switched on of ScyllaDB's extensions. */
enum cs_speaks {
    CS_SPEAKS_RATE_LIMIT = 1,
    CS_SPEAKS_LWT_MARK = 2,
    CS_SPEAKS_TABLETS = 4,
};

/* The bit of conditional statements among the flags of bind markers. */
#define CS_LWT_MARK UINT32_C(0x80000000)

/* An address of ours. */
struct cs_place {
    uint8_t address[16];
    size_t address_size;
    int port;
    char dc[64];
    char rack[64];
    bool away;      /* no member of the ring */
    unsigned moved; /* how often it has changed its tokens */
};

/* What the system's tables are made of. */
struct cs_world {
    const struct cs_catalog *catalog;
    const struct cs_place *places;
    size_t place_count;
    size_t here; /* the place that is asked */
    int version; /* newest of the protocol */
    int tokens;  /* of each place */
    bool stored; /* what is written can be read */
    unsigned schema_version;
};

void cs_answer_plain(struct cs_buf *buf, const struct cs_reply *reply,
                     enum cs_opcode opcode); /* without a body */
void cs_answer_supported(struct cs_buf *buf, const struct cs_reply *reply,
                         int version, const struct cs_sharding *sharding);
void cs_answer_void(struct cs_buf *buf, const struct cs_reply *reply);
void cs_answer_keyspace(struct cs_buf *buf, const struct cs_reply *reply,
                        const char *keyspace);
void cs_answer_change(struct cs_buf *buf, const struct cs_reply *reply,
                      const struct cs_schema_step *change);
/* id and shape have 16 bytes; shape: the id of the columns in version 5. */
void cs_answer_prepared(struct cs_buf *buf, const struct cs_reply *reply,
                        const uint8_t *id, const uint8_t *shape,
                        const struct cs_script *script);

/* Rows of an answer, and what stands in front of them. */
struct cs_page {
    bool metadata;
    const uint8_t *new_id; /* the columns are not those that it knows */
    uint32_t rows;
    struct cs_view state; /* null: the last page */
};

/* Rows of made-up values, or "[applied]". */
void cs_answer_rows(struct cs_buf *buf, const struct cs_reply *reply,
                    const struct cs_script *script, const struct cs_page *page);
/* Of a conditional batch. */
void cs_answer_applied(struct cs_buf *buf, const struct cs_reply *reply,
                       const struct cs_table *table, bool applied);
/* Begins RESULT Rows; its rows follow. */
size_t cs_answer_begin_rows(struct cs_buf *buf, const struct cs_reply *reply,
                            const struct cs_script *script,
                            const struct cs_page *page);
/* What a system table holds. */
void cs_answer_system(struct cs_buf *buf, const struct cs_reply *reply,
                      const struct cs_script *script,
                      const struct cs_world *world);
/* With the fields that its code has; id: of UNPREPARED, or NULL. */
void cs_answer_error(struct cs_buf *buf, const struct cs_reply *reply,
                     int32_t code, const char *message, const uint8_t *id);
/* Over the limit of a partition, or what ScyllaDB says to those who do not
 * speak of it. */
void cs_answer_rate_limit(struct cs_buf *buf, const struct cs_reply *reply,
                          const char *message, bool reads);
/* ALREADY_EXISTS: what would have been made. */
void cs_answer_exists(struct cs_buf *buf, const struct cs_reply *reply,
                      const struct cs_schema_step *what);
/* Puts what these flags (CS_FRAME_TRACING, WARNING, PAYLOAD) announce in front
 * of the message, the only one in buf. tablet: a payload of its own, or null.
 */
void cs_answer_add_extras(struct cs_buf *buf, const struct cs_reply *reply,
                          unsigned extras, struct cs_view tablet);

/* host_id of a place: 16 bytes. */
void cs_place_host_id(size_t place, uint8_t *out);

/* ---- shared by answers ---- */

void cs_put_option(struct cs_buf *buf, const struct cs_type *type);
/* The metadata of a script's rows. */
void cs_put_row_metadata(struct cs_buf *buf, const struct cs_script *script,
                         const struct cs_page *page);
size_t cs_answer_begin(struct cs_buf *buf, const struct cs_reply *reply,
                       enum cs_opcode opcode);

#endif
