/* extra.h - lines of our own on a run: what its table hides. */
#ifndef CS_REPORT_EXTRA_H
#define CS_REPORT_EXTRA_H

#include "base/buf.h"
#include "metrics/results.h"
#include "settings/settings.h"

/* Each begins with "# ". Without operations only those that are true then. */
void cs_put_extra_lines(struct cs_buf *out, const struct cs_settings *settings,
                        struct cs_results *results,
                        const struct cs_node_share *shares, size_t share_count);

#endif
