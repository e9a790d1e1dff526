/* seeds.h - which partition comes next: the population, revisits of partitions
 * that are written in several visits, look-back of reads. Shared by all loops
 * of a run; every function may be called from any thread. */
#ifndef CS_GENERATE_SEEDS_H
#define CS_GENERATE_SEEDS_H

#include "settings/settings.h"

struct cs_seeds; /* opaque */
struct cs_seed_entry;

/* One partition handed out. Plain data; its holder gives it back by
 * cs_seeds_finish exactly once when it came from cs_seeds_next_write. */
struct cs_seed {
    int64_t position; /* in the population */
    int64_t value;    /* what generators are seeded with (c3: the position) */
    int64_t written;  /* of a read: rows of the partition that its visits have
                         reached so far; 0: all */
    struct cs_seed_entry *entry; /* a partition written in visits, or tracked in
                                    the map while it is written; else NULL */
};

/* settings: -pop, -insert visits= revisit=, -compat data= (no longer
 * CS_DATA_PROBE). On success the caller owns *out. Warm-up and measured run
 * have seeds of their own: each starts at the beginning of the sequence. */
enum cs_code cs_seeds_new(const struct cs_settings *settings,
                          struct cs_seeds **out,
                          struct cs_err *err) CS_MUST_USE;
void cs_seeds_free(struct cs_seeds *seeds);

/* False: the population is exhausted (no-wrap), or every partition that it
 * offered is being written at this moment; cs_seeds_exhausted tells which. In
 * the second case the caller asks again when a write has finished. Lock-free
 * with visits fixed(1), but for populations that may repeat themselves and have
 * more than 2^26 positions. */
bool cs_seeds_next_write(struct cs_seeds *seeds, struct cs_seed *out);

/* False: exhausted. Lock-free without look-back and with visits fixed(1). */
bool cs_seeds_next_read(struct cs_seeds *seeds, struct cs_seed *out);

/* No new partition will ever come (no-wrap). */
bool cs_seeds_exhausted(const struct cs_seeds *seeds);

/* first: the slice written was the partition's first one; last: it was its
 * last. Called when the operation has ended, whether it succeeded or not; by
 * writes of every kind, those of counters and those that found no row
 * included. */
void cs_seeds_finish(struct cs_seeds *seeds, const struct cs_seed *seed,
                     bool first, bool last);

/* Whether cs_seeds_finish has anything to do in this run. */
bool cs_seeds_are_held(const struct cs_seeds *seeds);

/* ---- for the partition iterator ---- */

/* In how many visits the partition is written. */
int cs_seed_visits(const struct cs_seed *seed);

/* Takes the next count rows of the partition; returns where they start. 0
 * without an entry: then there is only one visit. */
int64_t cs_seed_advance(const struct cs_seed *seed, int64_t count);

/* What the population makes of a position. */
int64_t cs_seeds_value(const struct cs_seeds *seeds, int64_t position);

#endif
