/* old.h - keys, values and draws of the tools of 0.7 to 2.0. */
#ifndef CS_WORKLOAD_OLD_H
#define CS_WORKLOAD_OLD_H

#include "base/buf.h"
#include "random/java_random.h"
#include "settings/settings.h"

/* The distinct values that columns take: made once, then only read. */
struct cs_old_values; /* opaque */

/* Of a workload: what all its loops read. */
struct cs_old_work {
    const struct cs_settings_old *settings;
    struct cs_old_values *values; /* owned */
    unsigned digits;              /* of the keys */
};

/* MD5 texts, or with random sizes C arrays of random bytes from this seed. On
 * success the caller owns *out. */
enum cs_code cs_old_values_new(const struct cs_settings_old *s, int64_t seed,
                               struct cs_old_values **out,
                               struct cs_err *err) CS_MUST_USE;
void cs_old_values_free(struct cs_old_values *values);

/* As a cell: int32 size, bytes. number: below the cardinality. */
void cs_old_values_put(const struct cs_old_values *values, unsigned number,
                       struct cs_buf *out);

/* Which value column `column` of key `key` has: stress.py gave a row one value
 * for all its columns, the Java tool each column one value for all rows. */
unsigned cs_old_value_number(const struct cs_settings_old *s, int64_t key,
                             unsigned column);

/* Digits of all keys: those of n, or in Java those of F. */
unsigned cs_old_key_digits(const struct cs_settings_old *s);

/* Decimal with zeros in front. */
void cs_old_put_key(struct cs_buf *out, int64_t key, unsigned digits);

/* A key to read: gaussian around the middle, drawn again while it is outside,
 * or uniform; Java's uniform draw never takes the last key. */
int64_t cs_old_draw_key(const struct cs_settings_old *s,
                        struct cs_java_random *random);

/* "standard1", "super1", "counter1" or "supercounter1". */
const char *cs_old_table(const struct cs_settings_old *s);

/* Requests that one operation has in flight, at most. */
unsigned cs_old_in_flight(const struct cs_settings_old *s);

#endif
