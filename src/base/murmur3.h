/* murmur3.h - MurmurHash3 x64-128, hash seed 0, first half, in Cassandra's
 * variant: the bytes of the tail are sign-extended. (A Murmur3 partitioner's
 * token is this with INT64_MIN replaced by INT64_MAX; a generator's salt is
 * this unchanged.) */
#ifndef CS_BASE_MURMUR3_H
#define CS_BASE_MURMUR3_H

#include <stddef.h>
#include <stdint.h>

int64_t cs_murmur3(const void *bytes, size_t size);

#endif
