/* link_internal.h - what the plain and the encrypted half of a link need of
 * each other. */
#ifndef CS_NET_LINK_INTERNAL_H
#define CS_NET_LINK_INTERNAL_H

#include "net/link.h"
#include "net/tls_internal.h"

/* ---- link.c ---- */

void cs_link_lose(struct cs_link *link, const struct cs_err *why);
void cs_link_lose_by_errno(struct cs_link *link, const char *what);
void cs_link_want(struct cs_link *link, uint32_t events);
/* Reads once and calls back for what is there. */
void cs_link_take_input(struct cs_link *link);

/* ---- link_secure.c ---- */

/* One step of the handshake; calls opened behind the last. */
void cs_link_shake(struct cs_link *link);
/* Encrypts what is in out and sends it, as far as the socket takes it. */
void cs_link_send_sealed(struct cs_link *link);
/* All that the socket has for this pass. */
void cs_link_take_sealed(struct cs_link *link);
/* As recv, but never -1: the end is told by cs_link_take_sealed. */
ssize_t cs_link_read_sealed(struct cs_link *link, uint8_t *to, size_t size);

#endif
