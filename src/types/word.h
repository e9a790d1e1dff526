/* word.h - names in CQL text: what must be quoted. */
#ifndef CS_TYPES_WORD_H
#define CS_TYPES_WORD_H

#include "base/buf.h"

/* Whether the word (any case) is reserved in the CQL of Cassandra 5.0. */
bool cs_word_reserved(const char *word);

/* The name as it is when it matches [a-z][a-z0-9_]* and no server reserves it,
 * otherwise in double quotes. */
void cs_word_put(struct cs_buf *buf, const char *name);

/* Always in double quotes. */
void cs_word_put_quoted(struct cs_buf *buf, const char *name);

#endif
