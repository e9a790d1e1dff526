/* warnings.h - warnings of the server, folded: texts that differ in numbers
 * only are one. Written by one thread, read by any. */
#ifndef CS_CLIENT_WARNINGS_H
#define CS_CLIENT_WARNINGS_H

#include "protocol/notation.h"

#include <stdatomic.h>

/* Distinct texts kept; further ones are only counted. */
#define CS_WARNINGS_KEPT 16
#define CS_WARNING_TEXT  512

struct cs_warnings {
    _Atomic unsigned kept;
    _Atomic uint64_t others;
    struct {
        char text[CS_WARNING_TEXT];   /* of the first one, escaped */
        uint8_t raw[CS_WARNING_TEXT]; /* the same as it came */
        size_t raw_size;
        _Atomic uint64_t count;
    } items[CS_WARNINGS_KEPT];
};

void cs_warnings_add(struct cs_warnings *warnings, struct cs_view text);

#endif
