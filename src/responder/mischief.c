/* mischief.c - answers that come late, as errors, broken or not at all. */
#include "base/clock.h"
#include "base/text.h"
#include "responder/peer_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Errors that a statement can end with. */
static const int32_t codes[] = {
    CS_SERVER_ERROR,          CS_SERVER_UNAVAILABLE,
    CS_SERVER_OVERLOADED,     CS_SERVER_IS_BOOTSTRAPPING,
    CS_SERVER_TRUNCATE_ERROR, CS_SERVER_WRITE_TIMEOUT,
    CS_SERVER_READ_TIMEOUT,   CS_SERVER_READ_FAILURE,
    CS_SERVER_WRITE_FAILURE,  CS_SERVER_INVALID,
    CS_SERVER_UNPREPARED,
};

static enum cs_code parse_name(const char *name, int32_t *out,
                               struct cs_err *err)
{
    const char *names[CS_COUNT(codes)];
    const char *near;

    for (size_t i = 0; i < CS_COUNT(codes); i++) {
        names[i] = cs_server_code_name(codes[i]);
        if (cs_same_word(names[i], name)) {
            *out = codes[i];
            return CS_OK;
        }
    }
    near = cs_nearest(name, names, CS_COUNT(codes));
    return cs_fail(err, CS_EUSAGE, "errors=: unknown error '%s'%s%s%s", name,
                   near ? ", try '" : ", expected such as 'OVERLOADED'",
                   near ? near : "", near ? "'" : "");
}

/* "overloaded:0.01" */
static enum cs_code parse_share(const char *text, size_t size,
                                struct cs_error_share *out, struct cs_err *err)
{
    char item[64];
    char *colon;
    char *end;

    snprintf(item, sizeof(item), "%.*s", (int)size, text);
    colon = strchr(item, ':');
    if (!colon)
        return cs_fail(err, CS_EUSAGE,
                       "errors=: '%s' has no share, expected name:share", item);
    *colon = 0;
    out->share = strtod(colon + 1, &end);
    if (end == colon + 1 || *end || !(out->share >= 0 && out->share <= 1))
        return cs_fail(err, CS_EUSAGE, "errors=: '%s' is no share from 0 to 1",
                       colon + 1);
    return parse_name(item, &out->code, err);
}

static enum cs_code parse_errors(struct cs_responder *responder,
                                 struct cs_err *err)
{
    const char *text = responder->options->errors;
    enum cs_code rc = CS_OK;

    while (text && *text && !rc) {
        size_t size = strcspn(text, ",");

        if (responder->error_count == CS_ERROR_SHARES_MAX)
            return cs_fail(err, CS_EUSAGE, "errors=: more than %d errors",
                           CS_ERROR_SHARES_MAX);
        rc = parse_share(text, size,
                         &responder->errors[responder->error_count++], err);
        text += size;
        text += *text == ',';
    }
    return rc;
}

enum cs_code cs_mischief_init(struct cs_responder *responder,
                              struct cs_err *err)
{
    const struct cs_responder_options *options = responder->options;

    responder->random = (uint64_t)cs_now_ns() | 1;
    responder->stall_ns = INT64_MAX;
    if (options->stall_every_ms && options->stall_ms)
        responder->stall_ns =
            cs_now_ns() + options->stall_every_ms * CS_NS_PER_MS;
    if (options->delayed)
        cs_dist_init(&responder->delay, &options->delay);
    return parse_errors(responder, err);
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

/* An error in place of the answer, by its share. */
static void turn_into_error(struct cs_responder *responder,
                            const struct cs_reply *reply, const uint8_t *id)
{
    double left = roll(responder);

    for (size_t i = 0; i < responder->error_count; i++) {
        const struct cs_error_share *error = &responder->errors[i];
        bool unprepared = error->code == CS_SERVER_UNPREPARED;

        left -= error->share;
        if (left >= 0)
            continue;
        if (unprepared && !id)
            return;
        responder->counts.errors++;
        cs_buf_clear(&responder->answer);
        cs_answer_error(&responder->answer, reply, error->code,
                        "the responder was told so", unprepared ? id : NULL);
        return;
    }
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
        cs_fail(&why, CS_ECONNECT, "dropped, as told");
        cs_link_close(&peer->link);
        peer->link.ops->lost(&peer->link, &why);
        return;
    }
    if (responder->error_count)
        turn_into_error(responder, reply, id);
    if (responder->options->delayed)
        delay(peer);
    else
        send_now(peer, responder->answer.data, responder->answer.size);
}

/* ---- time ---- */

static void stall(struct cs_responder *responder)
{
    const struct cs_responder_options *options = responder->options;
    int64_t ns = options->stall_ms * CS_NS_PER_MS;
    struct timespec t = {.tv_sec = ns / CS_NS_PER_S,
                         .tv_nsec = ns % CS_NS_PER_S};

    responder->counts.stalls++;
    nanosleep(&t, NULL);
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
