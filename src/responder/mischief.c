/* mischief.c - answers that come late, as errors, broken or not at all. */
#include "base/clock.h"
#include "base/text.h"
#include "protocol/result.h"
#include "responder/peer_internal.h"

#include <stdlib.h>
#include <time.h>

enum cs_code cs_mischief_init(struct cs_responder *responder,
                              struct cs_err *err)
{
    const struct cs_responder_options *options = responder->options;

    responder->random = (uint64_t)cs_now_ns() | 1;
    responder->stall_ns = INT64_MAX;
    if (options->stall_every_ms && options->stall_ms)
        responder->stall_ns =
            cs_now_ns() + options->stall_every_ms * CS_NS_PER_MS;
    responder->delayed = options->delayed;
    if (options->delayed)
        cs_dist_init(&responder->delay, &options->delay);
    return cs_mischief_read_errors(options->errors ? options->errors : "",
                                   &responder->errors, err);
}

enum cs_code cs_mischief_read_delay(const char *text, bool *out_delayed,
                                    struct cs_dist_spec *out,
                                    struct cs_err *err)
{
    *out_delayed = !cs_same_word(text, "none");
    return *out_delayed ? cs_dist_parse(text, out, NULL, err) : CS_OK;
}

enum cs_code cs_mischief_set_delay(struct cs_responder *responder,
                                   const char *text, struct cs_err *err)
{
    struct cs_dist_spec spec;
    bool delayed;
    enum cs_code rc = cs_mischief_read_delay(text, &delayed, &spec, err);

    responder->delayed = delayed && !rc;
    if (responder->delayed)
        cs_dist_init(&responder->delay, &spec);
    return rc;
}

void cs_mischief_release(struct cs_responder *responder)
{
    for (size_t i = 0; i < responder->late_count; i++)
        free(responder->late[i]);
    free(responder->late);
}

static double roll(struct cs_responder *responder)
{
    uint64_t x = responder->random;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    responder->random = x;
    return (double)(x >> 11) * 0x1p-53;
}

/* ---- late answers: a binary heap ---- */

static void swap_late(struct cs_late **late, size_t a, size_t b)
{
    struct cs_late *other = late[a];

    late[a] = late[b];
    late[b] = other;
}

static void push_late(struct cs_responder *responder, struct cs_late *late)
{
    size_t at = responder->late_count;

    if (at == responder->late_cap) {
        size_t cap = at ? 2 * at : 1024;
        struct cs_late **more = realloc(responder->late, cap * sizeof(*more));

        if (!more) {
            free(late); /* never answered: the client has to live with it */
            return;
        }
        responder->late = more;
        responder->late_cap = cap;
    }
    responder->late[at] = late;
    responder->late_count++;
    for (; at &&
           responder->late[at]->due_ns < responder->late[(at - 1) / 2]->due_ns;
         at = (at - 1) / 2)
        swap_late(responder->late, at, (at - 1) / 2);
}

static struct cs_late *pop_late(struct cs_responder *responder)
{
    struct cs_late **late = responder->late;
    struct cs_late *first = late[0];
    size_t count = --responder->late_count;
    size_t at = 0;

    late[0] = late[count];
    for (;;) {
        size_t least = at;

        for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++)
            if (child < count && late[child]->due_ns < late[least]->due_ns)
                least = child;
        if (least == at)
            return first;
        swap_late(late, at, least);
        at = least;
    }
}

void cs_mischief_forget(struct cs_responder *responder,
                        const struct cs_peer *peer)
{
    for (size_t i = 0; i < responder->late_count; i++)
        if (responder->late[i]->peer == peer)
            responder->late[i]->peer = NULL;
}

static void delay(struct cs_peer *peer)
{
    struct cs_responder *responder = peer->responder;
    const struct cs_buf *answer = &responder->answer;
    int64_t us = CS_MAX(cs_dist_next(&responder->delay), (int64_t)0);
    struct cs_late *late = malloc(sizeof(*late) + answer->size);

    if (!late)
        return;
    late->due_ns = cs_now_ns() + us * 1000;
    late->peer = peer;
    late->size = answer->size;
    memcpy(late->bytes, answer->data, answer->size);
    push_late(responder, late);
}

/* ---- one answer ---- */

static void send_now(struct cs_peer *peer, const uint8_t *bytes, size_t size)
{
    struct cs_responder *responder = peer->responder;
    double broken = responder->options->broken;
    bool breaks = broken > 0 && roll(responder) < broken;

    responder->counts.broken += breaks;
    cs_peer_put(peer, bytes, size, breaks);
}

/* Whether it was a read shows in the answer that it takes the place of. */
static void limit_rate(struct cs_buf *answer, const struct cs_reply *reply)
{
    bool reads =
        answer->size >= CS_FRAME_HEADER_SIZE + 4 &&
        cs_load32(answer->data + CS_FRAME_HEADER_SIZE) == CS_RESULT_KIND_ROWS;

    cs_buf_clear(answer);
    cs_answer_rate_limit(answer, reply, "the responder was told so", reads);
}

/* An error in place of the answer, by its share. */
static void turn_into_error(struct cs_responder *responder,
                            const struct cs_reply *reply, const uint8_t *id)
{
    double left = roll(responder);

    for (size_t i = 0; i < responder->errors.count; i++) {
        const struct cs_error_share *error = &responder->errors.list[i];
        bool unprepared = error->code == CS_SERVER_UNPREPARED;

        left -= error->share;
        if (left >= 0)
            continue;
        if (unprepared && !id)
            return;
        responder->counts.errors++;
        if (error->code == CS_SERVER_RATE_LIMIT) {
            limit_rate(&responder->answer, reply);
            return;
        }
        cs_buf_clear(&responder->answer);
        cs_answer_error(&responder->answer, reply, error->code,
                        "the responder was told so", unprepared ? id : NULL);
        return;
    }
}

static void add_extras(struct cs_responder *responder,
                       const struct cs_reply *reply)
{
    const struct cs_responder_options *options = responder->options;
    unsigned extras = reply->traced ? CS_FRAME_TRACING : 0;
    struct cs_view tablet = cs_tablets_payload(responder);

    if (options->warnings > 0 && roll(responder) < options->warnings)
        extras |= CS_FRAME_WARNING;
    if (options->payloads > 0 && roll(responder) < options->payloads)
        extras |= CS_FRAME_PAYLOAD;
    if (CS_UNLIKELY(extras || tablet.data))
        cs_answer_add_extras(&responder->answer, reply, extras, tablet);
}

void cs_mischief_send(struct cs_peer *peer, const struct cs_reply *reply,
                      const uint8_t *id)
{
    struct cs_responder *responder = peer->responder;
    double dropped = responder->options->dropped;

    responder->counts.statements++;
    if (dropped > 0 && roll(responder) < dropped) {
        struct cs_err why;

        responder->counts.dropped++;
        cs_buf_clear(&responder->tablets.payload);
        cs_fail(&why, CS_ECONNECT, "dropped, as told");
        cs_link_close(&peer->link);
        peer->link.ops->lost(&peer->link, &why);
        return;
    }
    if (responder->errors.count)
        turn_into_error(responder, reply, id);
    add_extras(responder, reply);
    if (responder->delayed)
        delay(peer);
    else
        send_now(peer, responder->answer.data, responder->answer.size);
}

/* ---- time ---- */

void cs_mischief_stall(struct cs_responder *responder, int64_t ms)
{
    struct timespec t = {.tv_sec = ms / 1000,
                         .tv_nsec = ms % 1000 * CS_NS_PER_MS};

    responder->counts.stalls++;
    nanosleep(&t, NULL);
}

static void stall(struct cs_responder *responder)
{
    const struct cs_responder_options *options = responder->options;

    cs_mischief_stall(responder, options->stall_ms);
    responder->stall_ns = cs_now_ns() + options->stall_every_ms * CS_NS_PER_MS;
}

int64_t cs_mischief_tick(struct cs_responder *responder)
{
    int64_t now_ns = responder->late_count || responder->stall_ns != INT64_MAX
                         ? cs_now_ns()
                         : 0;

    if (responder->stall_ns <= now_ns)
        stall(responder);
    while (responder->late_count && responder->late[0]->due_ns <= now_ns) {
        struct cs_late *late = pop_late(responder);

        if (late->peer)
            send_now(late->peer, late->bytes, late->size);
        free(late);
    }
    if (!responder->late_count)
        return responder->stall_ns;
    return CS_MIN(responder->stall_ns, responder->late[0]->due_ns);
}
