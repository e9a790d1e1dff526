/* type.h - CQL types as a tree. Types live in an arena and never change. */
#ifndef CS_TYPES_TYPE_H
#define CS_TYPES_TYPE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Deepest nesting that any reader of types accepts. */
#define CS_TYPE_DEPTH_MAX 32

enum cs_type_kind {
    CS_TYPE_ASCII,
    CS_TYPE_BIGINT,
    CS_TYPE_BLOB,
    CS_TYPE_BOOLEAN,
    CS_TYPE_COUNTER,
    CS_TYPE_DATE,
    CS_TYPE_DECIMAL,
    CS_TYPE_DOUBLE,
    CS_TYPE_DURATION,
    CS_TYPE_FLOAT,
    CS_TYPE_INET,
    CS_TYPE_INT,
    CS_TYPE_SMALLINT,
    CS_TYPE_TEXT, /* varchar is the same type */
    CS_TYPE_TIME,
    CS_TYPE_TIMESTAMP,
    CS_TYPE_TIMEUUID,
    CS_TYPE_TINYINT,
    CS_TYPE_UUID,
    CS_TYPE_VARINT,
    CS_TYPE_LIST,   /* parts[0]: element */
    CS_TYPE_SET,    /* parts[0]: element */
    CS_TYPE_MAP,    /* parts[0]: key, parts[1]: value */
    CS_TYPE_TUPLE,  /* parts: fields */
    CS_TYPE_UDT,    /* parts: fields, field_names: their names */
    CS_TYPE_VECTOR, /* parts[0]: element, dimension: how many */
    CS_TYPE_CUSTOM, /* name: the Java class */
};

struct cs_type {
    enum cs_type_kind kind;
    bool frozen;
    uint32_t dimension; /* of a vector */
    size_t part_count;
    const struct cs_type **parts;
    const char *keyspace;           /* of a UDT, or NULL */
    const char *name;               /* of a UDT; class of a custom type */
    const char *const *field_names; /* of a UDT */
};

/* Nodes of the largest tree that any reader of types accepts, user types
 * unfolded. */
#define CS_TYPE_NODES_MAX 4096

/* Finds a user type by name while a type text is read; NULL: not known. */
typedef const struct cs_type *(*cs_udt_find_fn)(void *ctx, const char *name);

/* Reads CQL text such as "map<text, frozen<list<int>>>" (as DDL and
 * system_schema.columns write it). Names of user types are resolved by find
 * (may be NULL); a keyspace in front of them is dropped. The result lives in
 * the arena, user types stay where find has them. Errors: "type 'map<int,
 * txt>': unknown type 'txt', try 'text'". */
enum cs_code cs_type_parse(const char *text, struct cs_arena *arena,
                           cs_udt_find_fn find, void *ctx,
                           const struct cs_type **out,
                           struct cs_err *err) CS_MUST_USE;

/* The type as CQL text. */
void cs_type_put(struct cs_buf *buf, const struct cs_type *type);

/* Word of a kind: "text", "list"; never NULL. */
const char *cs_type_word(enum cs_type_kind kind);

/* A type without parts (not list, tuple, UDT ...): one for the whole program,
 * borrowed for good. */
const struct cs_type *cs_type_simple(enum cs_type_kind kind);

/* Bytes of every value that is neither null nor empty, or 0 when they vary. */
size_t cs_type_fixed_size(const struct cs_type *type);

/* Bytes of the type as element of a vector, where the wire has elements bare;
 * 0: each has its size in front. Not the same as the fixed size: smallint,
 * tinyint, date and time vary for the server (native protocol, as tried on
 * Cassandra 5.0). */
size_t cs_type_vector_item_size(const struct cs_type *type);

/* The same type for the server: names and parts alike. frozen counts where it
 * means something: at list, set, map and UDT. */
bool cs_type_equal(const struct cs_type *a, const struct cs_type *b);

#endif
