/* tell.c - what a stress command says beside its results. */
#include "commands/session_internal.h"

#include <stdio.h>

void cs_stress_tell(const struct cs_buf *lines)
{
    size_t from = 0;

    for (size_t i = 0; i < lines->size; i++) {
        if (lines->data[i] != '\n')
            continue;
        fprintf(stderr, "warning: %.*s\n", (int)(i - from),
                (const char *)lines->data + from);
        from = i + 1;
    }
}

void cs_stress_message(void *ctx, enum cs_message_kind kind, const char *text)
{
    struct cs_stress *stress = ctx;

    if (kind == CS_MESSAGE_FAILURE)
        cs_report_line(stress->report, "%s", text);
    else
        fprintf(stderr, "%s\n", text);
}
