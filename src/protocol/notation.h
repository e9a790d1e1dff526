/* notation.h - the notations of the native protocol (section 3 of its text) on
 * top of the reader: strings, bytes, values. All borrowed, all checked. */
#ifndef CS_PROTOCOL_NOTATION_H
#define CS_PROTOCOL_NOTATION_H

#include "base/reader.h"

/* Borrowed bytes or text (not NUL-terminated). data NULL: null. */
struct cs_view {
    const uint8_t *data;
    size_t size;
};

CS_INLINE struct cs_view cs_view_of(const void *data, size_t size)
{
    return (struct cs_view){.data = data, .size = size};
}

static inline struct cs_view cs_view_text(const char *text)
{
    return cs_view_of(text, strlen(text));
}

static inline bool cs_view_is(struct cs_view view, const char *text)
{
    return view.size == strlen(text) &&
           (!view.size || !memcmp(view.data, text, view.size));
}

/* For "%.*s". */
#define CS_VIEW_ARGS(view) (int)(view).size, (const char *)(view).data

/* size bytes; null at fault. */
CS_INLINE struct cs_view cs_read_view(struct cs_reader *r, size_t size)
{
    const uint8_t *p = cs_read_bytes(r, size);

    return cs_view_of(p, p ? size : 0);
}

/* [string] and [short bytes]. */
CS_INLINE struct cs_view cs_read_string(struct cs_reader *r)
{
    return cs_read_view(r, cs_read16(r));
}

/* [long string]: a negative length is a fault. */
CS_INLINE struct cs_view cs_read_long_string(struct cs_reader *r)
{
    int32_t size = (int32_t)cs_read32(r);

    if (CS_UNLIKELY(size < 0))
        size = INT32_MAX; /* more than any message holds: the sticky fault */
    return cs_read_view(r, (size_t)size);
}

/* [bytes]: null (data NULL) when the length is negative. An empty one has data.
 */
CS_INLINE struct cs_view cs_read_blob(struct cs_reader *r)
{
    int32_t size = (int32_t)cs_read32(r);

    if (size < 0)
        return cs_view_of(NULL, 0);
    return cs_read_view(r, (size_t)size);
}

/* A count that announces items of at least item_size bytes each; 0 and the
 * fault when so many cannot be left. The only way to read counts. */
CS_INLINE uint32_t cs_read_count(struct cs_reader *r, uint32_t count,
                                 size_t item_size)
{
    if (CS_UNLIKELY(count > cs_reader_left(r) / item_size)) {
        r->fault = true;
        r->p = r->end;
        return 0;
    }
    return count;
}

/* [string list], skipped; returns how many strings there were. */
uint32_t cs_skip_string_list(struct cs_reader *r);

/* [bytes map], skipped; returns how many entries there were. */
uint32_t cs_skip_bytes_map(struct cs_reader *r);

/* CS_EPROTOCOL when the sticky fault is set: "<what>: cut off". */
enum cs_code cs_reader_check(const struct cs_reader *r, const char *what,
                             struct cs_err *err) CS_MUST_USE;

static inline void cs_put_string(struct cs_buf *buf, struct cs_view text)
{
    if (text.size > UINT16_MAX) {
        buf->fault = true;
        return;
    }
    cs_buf_put16(buf, (uint16_t)text.size);
    cs_buf_put(buf, text.data, text.size);
}

/* [long string] and non-null [bytes]. */
static inline void cs_put_long_string(struct cs_buf *buf, struct cs_view text)
{
    if (text.size > INT32_MAX) {
        buf->fault = true;
        return;
    }
    cs_buf_put32(buf, (uint32_t)text.size);
    cs_buf_put(buf, text.data, text.size);
}

/* Text of a peer for people: control characters and bytes that are no UTF-8
 * become \n, \t or \xNN. Ends with "..." when out (cap bytes with the NUL, at
 * least 4) is too small. */
void cs_escape(char *out, size_t cap, struct cs_view text);

#endif
