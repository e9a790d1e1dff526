/* stored_steps.h - statements one after the other on a responder that keeps
 * rows, and what each must answer. */
#ifndef CS_TESTS_RESPONDER_STORED_STEPS_H
#define CS_TESTS_RESPONDER_STORED_STEPS_H

#include "support/responder_client.h"
#include "types/literal.h"

static const struct cs_responder_options keeps = {
    .listen = "127.0.0.1", .version = 5, .stored = 1 << 20};

/* Rows as "1 'x' null; 2 ..."; else "void" or the error. */
static inline const char *told(struct client *c, struct cs_buf *text)
{
    struct cs_result result;

    cs_buf_clear(text);
    if (c->frame.header.opcode == CS_OP_ERROR) {
        struct cs_server_error error = error_of(c);

        cs_buf_printf(text, "%.*s", CS_VIEW_ARGS(error.message));
        return cs_buf_text(text);
    }
    result = result_of(c);
    if (result.kind != CS_RESULT_KIND_ROWS)
        return result.kind == CS_RESULT_KIND_VOID ? "void" : "change";
    for (uint32_t row = 0; row < result.row_count; row++) {
        cs_buf_puts(text, row ? "; " : "");
        for (uint32_t i = 0; i < result.metadata.column_count; i++) {
            struct cs_view cell = cs_read_blob(&result.cells);

            cs_buf_puts(text, i ? " " : "");
            cs_literal_put(text, result.metadata.columns[i].type, cell.data,
                           cell.data ? (int32_t)cell.size : -1);
        }
    }
    return cs_buf_text(text);
}

struct step {
    const char *cql;
    const char *want; /* its beginning, when it ends with ... */
};

static inline void check(struct client *c, const struct step *step)
{
    size_t size = strlen(step->want);
    struct cs_buf text;
    const char *found;

    cs_buf_init(&text, 1 << 20);
    assert_true(ask(c, step->cql));
    found = told(c, &text);
    if (size > 3 && !strcmp(step->want + size - 3, "..."))
        size -= 3;
    else
        size++;
    if (strncmp(found, step->want, size) != 0)
        fail_msg("%s: '%s', expected '%s'", step->cql, found, step->want);
    cs_buf_release(&text);
}

static inline void check_all(const struct step *steps, size_t count)
{
    struct server server;
    struct client c;

    start(&server, &keeps);
    join(&c, &server, 5);
    hello(&c, NULL);
    check(&c, &(struct step){"CREATE KEYSPACE k WITH replication = {'class': "
                             "'SimpleStrategy', 'replication_factor': 1}",
                             "change"});
    for (size_t i = 0; i < count; i++)
        check(&c, &steps[i]);
    leave(&c);
    stop(&server);
}

#endif
