/* answer_internal.h - the server's messages as envelopes, appended to a
 * buffer. */
#ifndef CS_RESPONDER_ANSWER_INTERNAL_H
#define CS_RESPONDER_ANSWER_INTERNAL_H

#include "protocol/error.h"
#include "protocol/frame.h"
#include "responder/script_internal.h"

/* Whom it answers. */
struct cs_reply {
    uint8_t version;
    int16_t stream;
};

/* An address of ours. */
struct cs_place {
    uint8_t address[16];
    size_t address_size;
    int port;
};

/* What the system's tables are made of. */
struct cs_world {
    const struct cs_catalog *catalog;
    const struct cs_place *places;
    size_t place_count;
    size_t here; /* the place that is asked */
    int version; /* newest of the protocol */
};

void cs_answer_plain(struct cs_buf *buf, const struct cs_reply *reply,
                     enum cs_opcode opcode); /* without a body */
void cs_answer_supported(struct cs_buf *buf, const struct cs_reply *reply,
                         int version);
void cs_answer_void(struct cs_buf *buf, const struct cs_reply *reply);
void cs_answer_keyspace(struct cs_buf *buf, const struct cs_reply *reply,
                        const char *keyspace);
void cs_answer_change(struct cs_buf *buf, const struct cs_reply *reply,
                      const struct cs_schema_step *change);
/* id has 16 bytes; also the id of the result's metadata in version 5. */
void cs_answer_prepared(struct cs_buf *buf, const struct cs_reply *reply,
                        const uint8_t *id, const struct cs_script *script);
/* One row of made-up values, or "[applied]". */
void cs_answer_rows(struct cs_buf *buf, const struct cs_reply *reply,
                    const struct cs_script *script, bool metadata);
/* What a system table holds. */
void cs_answer_system(struct cs_buf *buf, const struct cs_reply *reply,
                      const struct cs_script *script,
                      const struct cs_world *world);
/* With the fields that its code has; id: of UNPREPARED, or NULL. */
void cs_answer_error(struct cs_buf *buf, const struct cs_reply *reply,
                     int32_t code, const char *message, const uint8_t *id);

/* ---- shared by answers ---- */

void cs_put_option(struct cs_buf *buf, const struct cs_type *type);
/* The metadata of a script's rows. */
void cs_put_row_metadata(struct cs_buf *buf, const struct cs_script *script,
                         bool metadata);
size_t cs_answer_begin(struct cs_buf *buf, const struct cs_reply *reply,
                       enum cs_opcode opcode);

#endif
