/* literal_internal.h - the families of types that literal.c hands out to. Each
 * function appends one value and returns whether the bytes were one; when not,
 * what it has written so far is taken back by the caller. */
#ifndef CS_TYPES_LITERAL_INTERNAL_H
#define CS_TYPES_LITERAL_INTERNAL_H

#include "types/literal.h"

struct cs_literal {
    struct cs_buf *buf;
    bool plain; /* for people, else CQL */
};

/* The bytes of one value, not null. */
struct cs_value {
    const struct cs_type *type;
    const uint8_t *bytes;
    size_t size;
};

/* "0x0102". */
void cs_literal_hex(const struct cs_literal *lit, const struct cs_value *v);

/* A value that CQL has no word for: blobAsInt(0x...); for people its bytes.
 * Always true. */
bool cs_literal_call(const struct cs_literal *lit, const struct cs_value *v);

/* The quote of strings, and nothing for people. */
void cs_literal_quote(const struct cs_literal *lit);

/* literal_number.c: bigint, counter, int, smallint, tinyint, varint, decimal,
 * float, double, boolean */
bool cs_literal_integer(const struct cs_literal *lit, const struct cs_value *v);
bool cs_literal_varint(const struct cs_literal *lit, const struct cs_value *v);
bool cs_literal_decimal(const struct cs_literal *lit, const struct cs_value *v);
bool cs_literal_real(const struct cs_literal *lit, const struct cs_value *v);
bool cs_literal_boolean(const struct cs_literal *lit, const struct cs_value *v);

/* literal_time.c */
bool cs_literal_date(const struct cs_literal *lit, const struct cs_value *v);
bool cs_literal_time(const struct cs_literal *lit, const struct cs_value *v);
bool cs_literal_timestamp(const struct cs_literal *lit,
                          const struct cs_value *v);
bool cs_literal_duration(const struct cs_literal *lit,
                         const struct cs_value *v);

/* literal_text.c: ascii, text, uuid, timeuuid, inet */
bool cs_literal_text(const struct cs_literal *lit, const struct cs_value *v);
bool cs_literal_uuid(const struct cs_literal *lit, const struct cs_value *v);
bool cs_literal_inet(const struct cs_literal *lit, const struct cs_value *v);

#endif
