/* err.h - one error, told from the outside in: no allocation, the cause is
 * never cut off. */
#ifndef CS_BASE_ERR_H
#define CS_BASE_ERR_H

#include "base/compiler.h"

enum cs_code {
    CS_OK = 0,
    CS_EUSAGE,       /* the command line */
    CS_EINVALID,     /* a file's content, a value: wrong input */
    CS_ENOMEM,       /* memory or a stated maximum ran out */
    CS_ESYSTEM,      /* a system call; sys_errno says which error */
    CS_ECONNECT,     /* no node could be reached, or the connection is lost */
    CS_ETIMEOUT,     /* no answer in time */
    CS_EPROTOCOL,    /* the peer broke the protocol */
    CS_ESERVER,      /* the server answered ERROR; server_code says which */
    CS_EAUTH,        /* log-in refused or needed */
    CS_ETLS,         /* the two ends do not agree on encryption */
    CS_EUNSUPPORTED, /* understood, but not offered */
    CS_EFAILED,      /* the run failed; the report has the details */
    CS_EINTERRUPTED, /* SIGINT or SIGTERM; sys_errno holds the signal */
    CS_ESTATUS,      /* as another program that is stood in for would say it;
                        sys_errno holds the exit status */
};

#define CS_ERR_TEXT 1024

struct cs_err {
    enum cs_code code;
    int sys_errno;          /* of CS_ESYSTEM; the signal of CS_EINTERRUPTED */
    int server_code;        /* of CS_ESERVER: error code of the protocol */
    char text[CS_ERR_TEXT]; /* one line, no capital, no full stop */
};

/* Writes the cause and returns code. err may be NULL (the cause is dropped). */
enum cs_code cs_fail(struct cs_err *err, enum cs_code code, const char *fmt,
                     ...) CS_PRINTF(3, 4);

/* Like cs_fail with CS_ESYSTEM, and appends ": <text of errno>". */
enum cs_code cs_fail_sys(struct cs_err *err, const char *fmt, ...)
    CS_PRINTF(2, 3);

/* Puts "<words>: " in front and returns err->code. When the text is full the
 * words in front are shortened, the cause never. */
enum cs_code cs_while(struct cs_err *err, const char *fmt, ...) CS_PRINTF(2, 3);

/* Control characters, but those of lines and tabs, become '?': what stands in a
 * file or comes from a server may hold anything, and a text goes to a terminal.
 * cs_fail does so itself. */
void cs_err_tame(char *text);

/* Exit status of the program for a code; cstress.1 lists them. */
int cs_exit_status(const struct cs_err *err);

#endif
