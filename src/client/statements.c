/* statements.c - what a session keeps of each statement that it has sent. */
#include "client/session_internal.h"

#include <stdlib.h>

static bool grow_statements(struct cs_session *session, unsigned index)
{
    unsigned count = CS_MAX(session->snapshot->statement_count, index + 1);
    struct cs_local_statement **more;

    if (index < session->statement_count)
        return true;
    more = realloc(session->statements,
                   count * sizeof(struct cs_local_statement *));
    if (!more)
        return false;
    for (unsigned i = session->statement_count; i < count; i++)
        more[i] = NULL;
    session->statements = more;
    session->statement_count = count;
    return true;
}

struct cs_local_statement *
cs_session_new_statement(struct cs_session *session,
                         const struct cs_prepared *prepared)
{
    struct cs_local_statement *local;

    if (!grow_statements(session, prepared->index))
        return NULL;
    local = calloc(1, sizeof(*local));
    if (!local)
        return NULL;
    local->execute = prepared->execute;
    local->prepared = prepared;
    local->result_count = prepared->statement.result_count;
    session->statements[prepared->index] = local;
    return local;
}
