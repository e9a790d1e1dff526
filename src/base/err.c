/* err.c - writing and extending an error text. */
#include "base/err.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cs_err_tame(char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text) && *text != '\n' && *text != '\t')
            *text = '?';
}

CS_PRINTF(3, 0)
static enum cs_code write_text(struct cs_err *err, enum cs_code code,
                               const char *fmt, va_list va)
{
    if (!err)
        return code;
    err->code = code;
    err->sys_errno = 0;
    err->server_code = 0;
    vsnprintf(err->text, sizeof(err->text), fmt, va);
    cs_err_tame(err->text);
    return code;
}

enum cs_code cs_fail(struct cs_err *err, enum cs_code code, const char *fmt,
                     ...)
{
    va_list va;

    va_start(va, fmt);
    write_text(err, code, fmt, va);
    va_end(va);
    return code;
}

enum cs_code cs_fail_sys(struct cs_err *err, const char *fmt, ...)
{
    int saved = errno;
    size_t used;
    va_list va;

    va_start(va, fmt);
    write_text(err, CS_ESYSTEM, fmt, va);
    va_end(va);
    if (!err)
        return CS_ESYSTEM;
    err->sys_errno = saved;
    used = strlen(err->text);
    snprintf(err->text + used, sizeof(err->text) - used, ": %s",
             strerror(saved));
    return CS_ESYSTEM;
}

enum cs_code cs_while(struct cs_err *err, const char *fmt, ...)
{
    char words[CS_ERR_TEXT];
    size_t cause, front;
    va_list va;

    if (!err)
        return CS_EINVALID;
    va_start(va, fmt);
    vsnprintf(words, sizeof(words) - 2, fmt, va);
    va_end(va);
    cause = strlen(err->text);
    front = strlen(words);
    memcpy(words + front, ": ", 3);
    front += 2;
    if (front + cause >= sizeof(err->text)) {
        if (cause + 6 > sizeof(err->text))
            return err->code;
        front = sizeof(err->text) - 1 - cause;
        memcpy(words + front - 5, "...: ", 5);
    }
    memmove(err->text + front, err->text, cause + 1);
    memcpy(err->text, words, front);
    return err->code;
}

int cs_exit_status(const struct cs_err *err)
{
    if (err->code == CS_OK)
        return 0;
    if (err->code == CS_EINTERRUPTED)
        return 128 + err->sys_errno;
    return err->code == CS_ESTATUS ? err->sys_errno : 1;
}
