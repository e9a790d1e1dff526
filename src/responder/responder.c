/* responder.c - the life of a responder, and its loop. */
#include "responder/responder.h"

#include "responder/stored_internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- life ---- */

/* What means nothing without another option was meant otherwise. */
static enum cs_code check_options(const struct cs_responder_options *options,
                                  struct cs_err *err)
{
    if (options->password && !options->user)
        return cs_fail(err, CS_EUSAGE, "password= needs user=");
    return CS_OK;
}

enum cs_code cs_responder_new(const struct cs_responder_options *options,
                              struct cs_responder **out, struct cs_err *err)
{
    enum cs_code rc = check_options(options, err);
    struct cs_responder *responder = rc ? NULL : calloc(1, sizeof(*responder));

    if (rc)
        return rc;
    if (!responder)
        return cs_fail(err, CS_ENOMEM, "no memory for the responder");
    responder->options = options;
    responder->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    cs_buf_init(&responder->answer, CS_FRAME_BODY_LIMIT);
    cs_buf_init(&responder->event, 65536);
    cs_buf_init(&responder->key, CS_FRAME_BODY_LIMIT);
    cs_buf_init(&responder->cells, CS_FRAME_BODY_LIMIT);
    cs_buf_init(&responder->rows, CS_FRAME_BODY_LIMIT);
    rc = cs_catalog_init(&responder->catalog, err);
    if (!rc && options->stored)
        rc = cs_store_new((size_t)options->stored, &responder->store, err);
    if (!rc)
        rc = cs_mischief_init(responder, err);
    if (!rc && options->tls)
        rc = cs_tls_new(options->tls, &responder->tls, err);
    if (!rc)
        rc = cs_loop_new(&responder->group.loop, err);
    if (!rc)
        rc = cs_shards_init(responder, err);
    if (!rc)
        rc = cs_tablets_init(responder, err);
    if (!rc)
        rc = cs_nodes_init(responder, err);
    if (!rc)
        rc = cs_play_init(responder, err);
    if (rc) {
        cs_responder_free(responder);
        return rc;
    }
    *out = responder;
    return CS_OK;
}

static void free_peers(struct cs_peer **list)
{
    while (*list) {
        struct cs_peer *peer = *list;

        *list = peer->next;
        cs_peer_free(peer);
    }
}

void cs_responder_free(struct cs_responder *responder)
{
    if (!responder)
        return;
    free_peers(&responder->peers);
    free_peers(&responder->dead);
    cs_nodes_release(responder);
    cs_prepared_release(responder);
    cs_mischief_release(responder);
    cs_play_release(responder);
    cs_tablets_release(responder);
    if (responder->spare_fd >= 0)
        close(responder->spare_fd);
    cs_loop_free(responder->group.loop);
    cs_tls_free(responder->tls);
    cs_catalog_release(&responder->catalog);
    cs_buf_release(&responder->answer);
    cs_buf_release(&responder->event);
    cs_bounds_release(&responder->bounds);
    cs_store_free(responder->store);
    cs_buf_release(&responder->key);
    cs_buf_release(&responder->cells);
    cs_buf_release(&responder->rows);
    free(responder);
}

void cs_responder_changed(struct cs_responder *responder,
                          const struct cs_schema_step *change)
{
    if (!change->what)
        return;
    responder->schema_version++;
    cs_prepared_look_again(responder);
    cs_stored_change(responder, change);
    cs_event_schema(responder, change);
}

struct cs_responder_counts
cs_responder_counts(const struct cs_responder *responder)
{
    return responder->counts;
}

/* ---- the loop ---- */

static void on_stop(struct cs_watch *watch, uint32_t events)
{
    (void)events;
    CS_CONTAINER(watch, struct cs_responder, stop)->stopped = true;
}

enum cs_code cs_responder_run(struct cs_responder *responder, int stop_fd,
                              struct cs_err *err)
{
    struct cs_loop *loop = responder->group.loop;
    enum cs_code rc;

    responder->stop = (struct cs_watch){
        .fd = stop_fd, .events = EPOLLIN, .on_ready = on_stop};
    rc = cs_loop_add(loop, &responder->stop, err);
    while (!rc && !responder->stopped) {
        int64_t script_ns = cs_play_tick(responder, err);
        int64_t deadline_ns = cs_mischief_tick(responder);

        cs_link_flush_all(&responder->group);
        free_peers(&responder->dead);
        if (script_ns == INT64_MIN)
            return err->code;
        rc = cs_loop_wait(loop, CS_MIN(deadline_ns, script_ns), err);
    }
    return rc;
}
