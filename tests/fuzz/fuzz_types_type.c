/* fuzz_types_type.c - a type's text, then (behind a NUL) bytes as its value:
 * the type written is the type read, and any bytes have a text. */
#include "support/types.h"
#include "types/literal.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads the text of a type again: the same type? */
static void check_text(struct cs_arena *arena, const struct cs_type *type)
{
    const struct cs_type *again = NULL;
    struct cs_buf buf;

    cs_buf_init(&buf, 1 << 20);
    cs_type_put(&buf, type);
    if (cs_type_parse(cs_buf_text(&buf), arena, find_test_udt, NULL, &again,
                      NULL) ||
        !cs_type_equal(type, again))
        abort();
    cs_buf_release(&buf);
}

static void put_value(const struct cs_type *type, const uint8_t *bytes,
                      size_t size)
{
    struct cs_buf buf;

    cs_buf_init(&buf, 1 << 20);
    cs_literal_put(&buf, type, bytes, (int32_t)size);
    cs_literal_put_plain(&buf, type, bytes, (int32_t)size);
    cs_buf_release(&buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cs_type *type = NULL;
    struct cs_arena arena;
    char *text = calloc(1, size + 1);
    size_t used;

    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    used = strlen(text);
    cs_arena_init(&arena);
    if (!cs_type_parse(text, &arena, find_test_udt, NULL, &type, NULL)) {
        check_text(&arena, type);
        if (used < size)
            put_value(type, data + used + 1, size - used - 1);
    }
    cs_arena_release(&arena);
    free(text);
    return 0;
}
