/* log.h - debug lines on stderr, off by default (CSTRESS_DEBUG=1 switches them
 * on). Never called between "next operation" and "recorded". */
#ifndef CS_BASE_LOG_H
#define CS_BASE_LOG_H

#include "base/compiler.h"

#include <stdbool.h>

/* The one mutable global of the program. */
extern bool cs_log_enabled;

void cs_log_line(const char *file, int line, const char *fmt, ...)
    CS_PRINTF(3, 4);

#define CS_DEBUG(...)                                                          \
    do {                                                                       \
        if (CS_UNLIKELY(cs_log_enabled))                                       \
            cs_log_line(__FILE__, __LINE__, __VA_ARGS__);                      \
    } while (0)

#endif
