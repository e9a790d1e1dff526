/* literal.h - one value in its wire form as a CQL literal. */
#ifndef CS_TYPES_LITERAL_H
#define CS_TYPES_LITERAL_H

#include "types/type.h"

/* Appends the value as CQL text that the server reads back as the same bytes;
 * size < 0 is null. What CQL has no word for is a call such as blobAsInt(0x):
 * empty numbers, years beyond four digits, and text with control characters,
 * so that a literal never breaks its line. Bytes that are no value of the type
 * are written as 0x... (a literal for messages, never empty). */
void cs_literal_put(struct cs_buf *buf, const struct cs_type *type,
                    const uint8_t *bytes, int32_t size);

/* The value as plain text for people: strings without quotes, control
 * characters escaped (\n, \x1f), times as dates. */
void cs_literal_put_plain(struct cs_buf *buf, const struct cs_type *type,
                          const uint8_t *bytes, int32_t size);

#endif
