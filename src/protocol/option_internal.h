/* option_internal.h - what both readers of types share. */
#ifndef CS_PROTOCOL_OPTION_INTERNAL_H
#define CS_PROTOCOL_OPTION_INTERNAL_H

#include "protocol/option.h"

/* Counts types down; CS_EPROTOCOL when there are too many. */
enum cs_code cs_type_nodes_take(uint32_t *left, size_t count,
                                struct cs_err *err) CS_MUST_USE;

/* A type with room for its parts, in the arena; NULL and CS_ENOMEM in err when
 * memory ran out. */
struct cs_type *cs_type_new(struct cs_arena *arena, enum cs_type_kind kind,
                            size_t part_count, struct cs_err *err) CS_MUST_USE;

#endif
