/* arena.h - memory for things that die together: allocated piece by piece,
 * given back at once. */
#ifndef CS_BASE_ARENA_H
#define CS_BASE_ARENA_H

#include "base/compiler.h"

#include <stddef.h>

struct cs_arena {
    struct cs_arena_block *first; /* owned; newest first */
};

void cs_arena_init(struct cs_arena *arena);
void cs_arena_release(struct cs_arena *arena);

/* How full it is. */
struct cs_arena_mark {
    struct cs_arena_block *first;
    size_t used;
};

struct cs_arena_mark cs_arena_mark(const struct cs_arena *arena);
/* Gives back all that was allocated since; marks that were set since are void.
 */
void cs_arena_rewind(struct cs_arena *arena, struct cs_arena_mark mark);

/* Zeroed, aligned for any type, freed with the arena; NULL when memory ran
 * out. */
void *cs_arena_alloc(struct cs_arena *arena, size_t size) CS_MUST_USE;
void *cs_arena_array(struct cs_arena *arena, size_t count,
                     size_t size) CS_MUST_USE;

/* Copies with a NUL behind; NULL when memory ran out. */
char *cs_arena_text(struct cs_arena *arena, const char *text) CS_MUST_USE;
char *cs_arena_bytes(struct cs_arena *arena, const void *bytes,
                     size_t size) CS_MUST_USE;
char *cs_arena_printf(struct cs_arena *arena, const char *fmt, ...)
    CS_PRINTF(2, 3) CS_MUST_USE;

#endif
