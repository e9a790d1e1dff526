/* log.c - one debug line, with its place and time. */
#include "base/log.h"
#include "base/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool cs_log_enabled;

void cs_log_line(const char *file, int line, const char *fmt, ...)
{
    const char *room = strstr(file, "src/");
    int64_t now = cs_now_ns();
    va_list va;

    fprintf(stderr, "debug %lld.%06lld %s:%d: ", (long long)(now / CS_NS_PER_S),
            (long long)(now % CS_NS_PER_S / CS_NS_PER_US),
            room ? room + 4 : file, line);
    va_start(va, fmt);
    vfprintf(stderr, fmt, va);
    va_end(va);
    fputc('\n', stderr);
}
