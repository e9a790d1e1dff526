/* order.h - values as the server orders and keeps them. */
#ifndef CS_TYPES_ORDER_H
#define CS_TYPES_ORDER_H

#include "types/type.h"

/* Below, equal (0) or above, in the order of an ascending clustering column.
 * Decimals are compared within one scale. size < 0 is null, which comes first.
 * Bytes that are no value of the type are compared as bytes. */
int cs_value_compare(const struct cs_type *type, const uint8_t *a,
                     int32_t a_size, const uint8_t *b, int32_t b_size);

/* Appends the value's bytes in the one form that all equal values have: sets
 * and maps, at any depth, sorted and without duplicates (of a key that comes
 * twice the later value stays). Everything else is kept as it is. */
void cs_value_settle(const struct cs_type *type, const uint8_t *bytes,
                     size_t size, struct cs_buf *out);

/* Likewise a cell: int32 size, bytes; null stays null. */
void cs_cell_settle(const struct cs_type *type, const uint8_t *cell,
                    struct cs_buf *out);

/* The type has sets or maps in it, so that settling changes something. */
bool cs_type_unsettled(const struct cs_type *type);

#endif
