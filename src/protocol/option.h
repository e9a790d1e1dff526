/* option.h - types on the wire ([option]) and as names of Java classes. */
#ifndef CS_PROTOCOL_OPTION_H
#define CS_PROTOCOL_OPTION_H

#include "protocol/notation.h"
#include "types/type.h"

/* Most types, nested ones counted, that one message may describe: bounds the
 * memory that a peer can make us take. */
#define CS_OPTION_NODES_MAX 65536

/* Where types are put, and how many more are allowed. */
struct cs_option_reader {
    struct cs_reader *in;
    struct cs_arena *arena;
    uint32_t nodes_left;
};

/* One [option] into the arena. */
enum cs_code cs_option_read(struct cs_option_reader *r,
                            const struct cs_type **out,
                            struct cs_err *err) CS_MUST_USE;

/* One [option], not kept; returns its id. Faults stay in r; too deep a nesting
 * is one. */
uint16_t cs_option_skip(struct cs_reader *r);

/* "org.apache.cassandra.db.marshal.VectorType(...FloatType , 3)". A class that
 * is no CQL type becomes CS_TYPE_CUSTOM with its name. CS_EPROTOCOL: too deep,
 * too many, broken parentheses. *nodes_left is counted down. */
enum cs_code cs_class_name_read(struct cs_view text, struct cs_arena *arena,
                                uint32_t *nodes_left,
                                const struct cs_type **out,
                                struct cs_err *err) CS_MUST_USE;

#endif
