/* arena.c - blocks that are carved from the front. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE 16384

struct cs_arena_block {
    struct cs_arena_block *next;
    size_t used;
    size_t cap;
    alignas(max_align_t) unsigned char data[];
};

void cs_arena_init(struct cs_arena *arena)
{
    arena->first = NULL;
}

void cs_arena_release(struct cs_arena *arena)
{
    struct cs_arena_block *block = arena->first;

    while (block) {
        struct cs_arena_block *next = block->next;

        free(block);
        block = next;
    }
    arena->first = NULL;
}

struct cs_arena_mark cs_arena_mark(const struct cs_arena *arena)
{
    return (struct cs_arena_mark){
        .first = arena->first, .used = arena->first ? arena->first->used : 0};
}

void cs_arena_rewind(struct cs_arena *arena, struct cs_arena_mark mark)
{
    while (arena->first != mark.first) {
        struct cs_arena_block *block = arena->first;

        arena->first = block->next;
        free(block);
    }
    if (arena->first)
        arena->first->used = mark.used;
}

static struct cs_arena_block *add_block(struct cs_arena *arena, size_t size)
{
    size_t cap = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    struct cs_arena_block *block = malloc(sizeof(*block) + cap);

    if (!block)
        return NULL;
    block->next = arena->first;
    block->used = 0;
    block->cap = cap;
    arena->first = block;
    return block;
}

void *cs_arena_alloc(struct cs_arena *arena, size_t size)
{
    struct cs_arena_block *block = arena->first;
    void *p;

    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    if (!block || block->cap - block->used < size)
        block = add_block(arena, size);
    if (!block)
        return NULL;
    p = block->data + block->used;
    block->used += size;
    memset(p, 0, size);
    return p;
}

void *cs_arena_array(struct cs_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 2 / size)
        return NULL;
    return cs_arena_alloc(arena, count * size);
}

char *cs_arena_bytes(struct cs_arena *arena, const void *bytes, size_t size)
{
    char *copy = cs_arena_alloc(arena, size + 1);

    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

char *cs_arena_text(struct cs_arena *arena, const char *text)
{
    return cs_arena_bytes(arena, text, strlen(text));
}

char *cs_arena_printf(struct cs_arena *arena, const char *fmt, ...)
{
    va_list va;
    int need;
    char *text;

    va_start(va, fmt);
    need = vsnprintf(NULL, 0, fmt, va);
    va_end(va);
    if (need < 0)
        return NULL;
    text = cs_arena_alloc(arena, (size_t)need + 1);
    if (!text)
        return NULL;
    va_start(va, fmt);
    vsnprintf(text, (size_t)need + 1, fmt, va);
    va_end(va);
    return text;
}
