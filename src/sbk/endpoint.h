/* endpoint.h - serves one page over HTTP, for Prometheus. */
#ifndef CS_SBK_ENDPOINT_H
#define CS_SBK_ENDPOINT_H

#include "base/buf.h"

#include <stdint.h>

struct cs_sbk_endpoint; /* opaque; has a thread of its own */

/* "PORT/PATH" into its parts; path begins with '/'. CS_EUSAGE: neither this
 * nor "no", for which *port is 0. */
#define CS_SBK_PATH_SIZE 256
enum cs_code cs_sbk_context_parse(const char *text, uint16_t *port,
                                  char path[CS_SBK_PATH_SIZE],
                                  struct cs_err *err) CS_MUST_USE;

/* On success the caller owns *out; the page is empty. */
enum cs_code cs_sbk_endpoint_new(uint16_t port, const char *path,
                                 struct cs_sbk_endpoint **out,
                                 struct cs_err *err) CS_MUST_USE;
void cs_sbk_endpoint_free(struct cs_sbk_endpoint *endpoint);

/* Where it listens: of use when port 0 was asked for. */
uint16_t cs_sbk_endpoint_port(const struct cs_sbk_endpoint *endpoint);

/* Copies the page; without memory the old one stays. */
void cs_sbk_endpoint_show(struct cs_sbk_endpoint *endpoint,
                          const struct cs_buf *page);

#endif
