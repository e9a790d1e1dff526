/* generator.h - seed to partition to row, for one table. A generator belongs
 * to one thread; the bytes it makes are those of the original tool. */
#ifndef CS_GENERATE_GENERATOR_H
#define CS_GENERATE_GENERATOR_H

#include "base/buf.h"
#include "generate/seeds.h"
#include "schema/table.h"
#include "settings/settings.h"

/* How one column (or, for types that the original lacks, one part of it)
 * is generated. */
struct cs_column_rule {
    const char *name; /* column name or path, as spelled */
    bool has_population, has_size, has_cluster;
    struct cs_dist_spec population;
    struct cs_dist_spec size;
    struct cs_dist_spec cluster;
    unsigned family; /* of addresses: 6 for IPv6; all else is IPv4 */
};

struct cs_generator_config {
    const struct cs_table *table;       /* borrowed, must outlive */
    const struct cs_column_rule *rules; /* borrowed during the call */
    size_t rule_count;
    const char *salt_prefix; /* "seed for stress" or "randomstr" */
    bool hex_key;    /* predefined tables: the key is hex text in a blob */
    bool number_key; /* the key is an int, the position itself */
    enum cs_dialect dialect; /* not CS_DATA_PROBE */
    enum cs_order order;
};

struct cs_generator; /* opaque */

/* CS_EUNSUPPORTED: a column's type has no values (custom). On success the
 * caller owns *out. */
enum cs_code cs_generator_new(const struct cs_generator_config *config,
                              struct cs_generator **out,
                              struct cs_err *err) CS_MUST_USE;
void cs_generator_free(struct cs_generator *gen);

/* Rows of a partition by the cluster distributions (products of max and min);
 * 1 without clustering columns. */
double cs_generator_max_rows(const struct cs_generator *gen);
double cs_generator_min_rows(const struct cs_generator *gen);

/* ---- a partition: makes its key, then offers rows one by one ----
 * One partition is open at a time per generator; opening closes the one
 * before. */

/* Key only, no rows: for reads that take the key alone, and for messages. */
void cs_generator_open_key(struct cs_generator *gen,
                           const struct cs_seed *seed);

/* Rows for an insert. select: chance of each row of level 0 (1 = all),
 * population: ratio of value columns that are not null. False: this partition
 * offers nothing (the caller takes another seed). */
bool cs_generator_open_write(struct cs_generator *gen,
                             const struct cs_seed *seed, double select,
                             double population);

/* Rows for a query: about target of them, over the whole theoretical
 * partition. all: every row (validation). */
bool cs_generator_open_read(struct cs_generator *gen,
                            const struct cs_seed *seed, double target, bool all,
                            double population);

/* Moves to the next row; the first call gives the first row. False: no more.
 * After false, cs_generator_slice says what the visit was. */
bool cs_generator_next(struct cs_generator *gen);

/* Passes over the rows that are left, so that the slice is known. */
void cs_generator_skip(struct cs_generator *gen);

/* Which slice of the partition this visit was, for cs_seeds_finish. */
void cs_generator_slice(const struct cs_generator *gen, bool *first,
                        bool *last);

/* Appends the column's value in the current row (key columns: of the open
 * partition): int32 size, bytes; size -1 is null. Value columns may be asked
 * in any order and more than once: same bytes each time (lists and sets whose
 * size varies excepted). */
void cs_generator_put(struct cs_generator *gen, unsigned column,
                      struct cs_buf *out);

/* The same for all value columns, in table order; costs less than one by
 * one. */
void cs_generator_put_values(struct cs_generator *gen, struct cs_buf *out);

/* What cs_generator_put needs to make the same row again later, after other
 * partitions were opened: plain data, small. */
struct cs_row_mark {
    struct cs_seed seed;
    int64_t row_seed;
    double population;
};

void cs_generator_mark(const struct cs_generator *gen, struct cs_row_mark *out);

/* Back to a marked row of a table without clustering columns: key and value
 * columns can be put again. */
void cs_generator_recall(struct cs_generator *gen,
                         const struct cs_row_mark *mark);

#endif
