/* ident.c - names of keyspaces, tables and columns in CQL text. */
#include "schema/ident.h"

#include "types/word.h"

void cs_ident_put(struct cs_buf *buf, const char *name)
{
    cs_word_put(buf, name);
}

void cs_ident_put_quoted(struct cs_buf *buf, const char *name)
{
    cs_word_put_quoted(buf, name);
}

void cs_ident_put_table(struct cs_buf *buf, const char *keyspace,
                        const char *table)
{
    if (keyspace) {
        cs_word_put(buf, keyspace);
        cs_buf_put8(buf, '.');
    }
    cs_word_put(buf, table);
}

bool cs_ident_reserved(const char *word)
{
    return cs_word_reserved(word);
}
