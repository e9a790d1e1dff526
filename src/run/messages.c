/* messages.c - a bounded list of texts behind a mutex. Errors are rare or the
 * run is lost: the lock is never on the path of an operation that succeeds. */
#include "run/messages.h"
#include "base/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define FOLDS_MAX  64  /* different causes told apart at once */
#define PER_SECOND 10  /* of each cause */
#define SAME_MAX   240 /* bytes of a cause that are compared */
/* Texts that wait to be printed; where none is folded, millions of failures
 * may come before the main thread gets to print. */
#define WAITING_MAX     (FOLDS_MAX * PER_SECOND)
#define WAITING_MAX_ALL (1u << 20)

struct fold {
    enum cs_message_kind kind;
    char same[SAME_MAX];
    int64_t second_ns; /* when its second began */
    unsigned taken;    /* texts kept in this second */
    uint64_t more;     /* counted only */
};

struct waiting {
    enum cs_message_kind kind;
    char *text;
};

struct cs_messages {
    pthread_mutex_t lock;
    int fd;
    struct fold folds[FOLDS_MAX];
    unsigned fold_count;
    bool all; /* nothing is folded */
    struct waiting *waiting;
    unsigned waiting_count;
    unsigned waiting_room;
};

enum cs_code cs_messages_new(bool all, struct cs_messages **out,
                             struct cs_err *err)
{
    struct cs_messages *m = calloc(1, sizeof(*m));

    if (!m)
        return cs_fail(err, CS_ENOMEM, "messages: out of memory");
    m->all = all;
    m->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (m->fd < 0) {
        free(m);
        return cs_fail_sys(err, "eventfd");
    }
    pthread_mutex_init(&m->lock, NULL);
    *out = m;
    return CS_OK;
}

void cs_messages_free(struct cs_messages *messages)
{
    if (!messages)
        return;
    for (unsigned i = 0; i < messages->waiting_count; i++)
        free(messages->waiting[i].text);
    free(messages->waiting);
    pthread_mutex_destroy(&messages->lock);
    close(messages->fd);
    free(messages);
}

int cs_messages_fd(const struct cs_messages *messages)
{
    return messages->fd;
}

/* The fold of this cause; when all are in use the last one takes the rest. */
static struct fold *find_fold(struct cs_messages *m, enum cs_message_kind kind,
                              const char *same)
{
    struct fold *fold;

    for (unsigned i = 0; i < m->fold_count; i++)
        if (m->folds[i].kind == kind &&
            !strncmp(m->folds[i].same, same, SAME_MAX - 1))
            return &m->folds[i];
    if (m->fold_count == FOLDS_MAX)
        return &m->folds[FOLDS_MAX - 1];
    fold = &m->folds[m->fold_count++];
    memset(fold, 0, sizeof(*fold));
    fold->kind = kind;
    snprintf(fold->same, sizeof(fold->same), "%s", same);
    fold->second_ns = cs_now_ns();
    return fold;
}

/* Room for one more text to wait; under the lock. */
static bool has_room(struct cs_messages *m)
{
    unsigned room = m->waiting_room ? 2 * m->waiting_room : WAITING_MAX;
    struct waiting *grown;

    if (m->waiting_count < m->waiting_room)
        return true;
    if (room > (m->all ? WAITING_MAX_ALL : WAITING_MAX))
        return false;
    grown = realloc(m->waiting, room * sizeof(*grown));
    if (!grown)
        return false;
    m->waiting = grown;
    m->waiting_room = room;
    return true;
}

void cs_messages_add(struct cs_messages *messages, enum cs_message_kind kind,
                     const char *same, const char *text)
{
    struct fold *fold;
    char *copy = NULL;
    uint64_t one = 1;

    pthread_mutex_lock(&messages->lock);
    fold = find_fold(messages, kind, same);
    if ((messages->all || fold->taken < PER_SECOND) && has_room(messages))
        copy = strdup(text);
    if (copy) {
        messages->waiting[messages->waiting_count++] =
            (struct waiting){.kind = kind, .text = copy};
        fold->taken++;
    } else {
        fold->more++;
    }
    pthread_mutex_unlock(&messages->lock);
    /* A full counter means that the main thread will wake up anyway. */
    if (copy && write(messages->fd, &one, sizeof(one)) < 0)
        return;
}

static void tell_more(struct fold *fold, cs_message_fn print, void *ctx)
{
    char text[SAME_MAX + 64];

    snprintf(text, sizeof(text), "\xe2\x80\xa6 and %llu more: %s",
             (unsigned long long)fold->more, fold->same);
    print(ctx, fold->kind == CS_MESSAGE_FAILURE ? CS_MESSAGE_NOTE : fold->kind,
          text);
    fold->more = 0;
}

void cs_messages_drain(struct cs_messages *messages, int64_t now_ns, bool last,
                       cs_message_fn print, void *ctx)
{
    uint64_t drained;
    unsigned kept = 0;

    if (read(messages->fd, &drained, sizeof(drained)) < 0)
        drained = 0;
    pthread_mutex_lock(&messages->lock);
    for (unsigned i = 0; i < messages->waiting_count; i++) {
        print(ctx, messages->waiting[i].kind, messages->waiting[i].text);
        free(messages->waiting[i].text);
    }
    messages->waiting_count = 0;
    for (unsigned i = 0; i < messages->fold_count; i++) {
        struct fold *fold = &messages->folds[i];

        if (last || now_ns - fold->second_ns >= CS_NS_PER_S) {
            if (fold->more)
                tell_more(fold, print, ctx);
            continue;
        }
        messages->folds[kept++] = *fold;
    }
    messages->fold_count = kept;
    pthread_mutex_unlock(&messages->lock);
}
