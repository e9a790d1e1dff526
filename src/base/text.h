/* text.h - numbers as the original prints them, and words for messages. */
#ifndef CS_BASE_TEXT_H
#define CS_BASE_TEXT_H

#include "base/buf.h"

/* A number with so many decimals, rounded half up on its shortest decimal
 * text (0.25 -> 0.3, as Java's formatter does; C rounds the binary value half
 * to even), always with '.', with ',' between thousands when grouped. NaN and
 * Infinity by these names. Appends at least width characters, padded left. */
void cs_put_fixed(struct cs_buf *buf, double value, int decimals, bool grouped,
                  int width);

/* An integer, likewise. */
void cs_put_int(struct cs_buf *buf, int64_t value, bool grouped, int width);

/* The shortest decimal text that reads back as value, as Java's
 * Double.toString prints it (1.0, 0.3, 1.0E10). */
void cs_put_java_double(struct cs_buf *buf, double value);

/* Lower-case hex of the bytes. */
void cs_put_hex(struct cs_buf *buf, const void *bytes, size_t size);

/* UTF-8 as a string of JSON, in its quotes. */
void cs_put_json(struct cs_buf *buf, const char *text, size_t size);

/* "2026-01-31T12:00:00.123Z" for nanoseconds since 1970. */
void cs_put_utc(struct cs_buf *buf, int64_t wall_ns);

/* The name nearest to word (equal but for case, or few edits away), or NULL
 * when none is near. Borrowed from names. */
const char *cs_nearest(const char *word, const char *const *names,
                       size_t count);

/* ASCII comparisons without regard to case. */
bool cs_same_word(const char *a, const char *b);
bool cs_starts_with(const char *text, const char *prefix);
bool cs_starts_with_word(const char *text, const char *prefix);

#endif
