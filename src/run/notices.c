/* notices.c - each text once per process; how often it came stands in the
 * extra lines of the report. */
#include "run/notices.h"

#include <stdio.h>
#include <stdlib.h>

#define TEXT_MAX_SIZE 700

void cs_notices_init(struct cs_notices *notices)
{
    *notices = (struct cs_notices){0};
}

void cs_notices_release(struct cs_notices *notices)
{
    for (size_t i = 0; i < notices->told_count; i++)
        free(notices->told[i]);
    cs_notices_init(notices);
}

void cs_notices_tell_news(struct cs_notices *notices,
                          const struct cs_driver_ops *db,
                          struct cs_driver *driver, cs_message_fn print,
                          void *ctx)
{
    const char *news;

    while ((news = db->notice(driver, notices->told_notices)) != NULL) {
        char text[TEXT_MAX_SIZE];

        snprintf(text, sizeof(text), "notice: %s", news);
        print(ctx, CS_MESSAGE_NOTE, text);
        notices->told_notices++;
    }
}

static bool told_before(struct cs_notices *notices, const char *text)
{
    for (size_t i = 0; i < notices->told_count; i++)
        if (!strcmp(notices->told[i], text))
            return true;
    if (notices->told_count == CS_TOLD_MAX)
        return true;
    notices->told[notices->told_count] = strdup(text);
    if (notices->told[notices->told_count])
        notices->told_count++;
    return false;
}

uint64_t cs_notices_tell_warnings(struct cs_notices *notices,
                                  const struct cs_driver_ops *db,
                                  struct cs_session *session,
                                  cs_message_fn print, void *ctx)
{
    struct cs_server_warning warnings[CS_TOLD_MAX];
    uint64_t total = 0;
    size_t count = db->warnings(session, warnings, CS_TOLD_MAX, &total);

    for (size_t i = 0; i < CS_MIN(count, CS_COUNT(warnings)); i++) {
        char text[TEXT_MAX_SIZE];

        total += warnings[i].count;
        if (told_before(notices, warnings[i].text))
            continue;
        snprintf(text, sizeof(text), "WARN  the server warns: %s",
                 warnings[i].text);
        print(ctx, CS_MESSAGE_NOTE, text);
    }
    return total;
}
