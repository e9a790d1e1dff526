/* play.c - the script of script=: what happens to the ring while it serves.
 *
 * A regular file is read and checked as a whole at the start; anything else (a
 * pipe) line by line as lines come. */
#include "base/clock.h"
#include "base/text.h"
#include "responder/peer_internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINES_MAX ((size_t)1 << 20)

struct verb {
    const char *name;
    enum { NODE, TIME, COUNT, WORDS } takes;
    enum cs_code (*act)(struct cs_responder *responder, int64_t number,
                        const char *words, struct cs_err *err);
    /* What is wrong with what it takes, before anything happens; or NULL. */
    enum cs_code (*check)(struct cs_responder *responder, int64_t number,
                          const char *words, struct cs_err *err);
};

/* ---- what a line can ask for ---- */

static enum cs_code wait_for(struct cs_responder *responder, int64_t number,
                             const char *words, struct cs_err *err)
{
    (void)words;
    (void)err;
    responder->play.due_ns = cs_now_ns() + number * CS_NS_PER_MS;
    return CS_OK;
}

static enum cs_code down(struct cs_responder *responder, int64_t number,
                         const char *words, struct cs_err *err)
{
    (void)words;
    (void)err;
    cs_node_stop(responder, (size_t)number);
    cs_event_status(responder, "DOWN", (size_t)number);
    return CS_OK;
}

static enum cs_code up(struct cs_responder *responder, int64_t number,
                       const char *words, struct cs_err *err)
{
    (void)words;
    if (cs_node_start(responder, (size_t)number, err))
        return err->code;
    cs_event_status(responder, "UP", (size_t)number);
    return CS_OK;
}

static enum cs_code leave(struct cs_responder *responder, int64_t number,
                          const char *words, struct cs_err *err)
{
    (void)words;
    (void)err;
    responder->places[number].away = true;
    cs_event_topology(responder, "REMOVED_NODE", (size_t)number);
    cs_node_stop(responder, (size_t)number);
    return CS_OK;
}

static enum cs_code join(struct cs_responder *responder, int64_t number,
                         const char *words, struct cs_err *err)
{
    responder->places[number].away = false;
    cs_event_topology(responder, "NEW_NODE", (size_t)number);
    return up(responder, number, words, err);
}

static enum cs_code move(struct cs_responder *responder, int64_t number,
                         const char *words, struct cs_err *err)
{
    (void)words;
    (void)err;
    responder->places[number].moved++;
    cs_event_topology(responder, "MOVED_NODE", (size_t)number);
    return CS_OK;
}

static enum cs_code drop(struct cs_responder *responder, int64_t number,
                         const char *words, struct cs_err *err)
{
    (void)words;
    (void)err;
    cs_node_drop_peers(responder, (size_t)number);
    return CS_OK;
}

static enum cs_code stall(struct cs_responder *responder, int64_t number,
                          const char *words, struct cs_err *err)
{
    (void)words;
    (void)err;
    cs_mischief_stall(responder, number);
    return CS_OK;
}

static enum cs_code read_errors(const char *words, struct cs_error_shares *out,
                                struct cs_err *err)
{
    if (!*words)
        return cs_fail(err, CS_EUSAGE,
                       "errors: found nothing, expected name:share,... or "
                       "none");
    return cs_mischief_read_errors(cs_same_word(words, "none") ? "" : words,
                                   out, err);
}

static enum cs_code errors(struct cs_responder *responder, int64_t number,
                           const char *words, struct cs_err *err)
{
    (void)number;
    return read_errors(words, &responder->errors, err);
}

static enum cs_code check_errors(struct cs_responder *responder, int64_t number,
                                 const char *words, struct cs_err *err)
{
    struct cs_error_shares shares;

    (void)responder;
    (void)number;
    return read_errors(words, &shares, err);
}

static enum cs_code delay(struct cs_responder *responder, int64_t number,
                          const char *words, struct cs_err *err)
{
    (void)number;
    return cs_mischief_set_delay(responder, words, err);
}

static enum cs_code check_delay(struct cs_responder *responder, int64_t number,
                                const char *words, struct cs_err *err)
{
    struct cs_dist_spec spec;
    bool delayed;

    (void)responder;
    (void)number;
    return cs_mischief_read_delay(words, &delayed, &spec, err);
}

static enum cs_code cql(struct cs_responder *responder, int64_t number,
                        const char *words, struct cs_err *err)
{
    struct cs_schema_step change;

    (void)number;
    if (cs_catalog_change(&responder->catalog, NULL, cs_view_text(words),
                          &change, err))
        return err->code;
    cs_responder_changed(responder, &change);
    return CS_OK;
}

/* Tables that it speaks of may be those that clients make. */
static enum cs_code check_cql(struct cs_responder *responder, int64_t number,
                              const char *words, struct cs_err *err)
{
    static const char *const changes[] = {"create", "alter", "drop"};
    size_t size = strcspn(words, " \t");

    (void)responder;
    (void)number;
    for (size_t i = 0; i < CS_COUNT(changes); i++)
        if (size == strlen(changes[i]) && !strncasecmp(words, changes[i], size))
            return CS_OK;
    return cs_fail(err, CS_EINVALID,
                   "cql: found '%.*s', expected CREATE, ALTER or DROP",
                   (int)CS_MIN(size, 60ul), words);
}

static const struct verb verbs[] = {
    {"wait", TIME, wait_for, NULL},
    {"down", NODE, down, NULL},
    {"up", NODE, up, NULL},
    {"leave", NODE, leave, NULL},
    {"join", NODE, join, NULL},
    {"move", NODE, move, NULL},
    {"drop", NODE, drop, NULL},
    {"stall", TIME, stall, NULL},
    {"errors", WORDS, errors, check_errors},
    {"delay", WORDS, delay, check_delay},
    {"cql", WORDS, cql, check_cql},
    {"tablets", COUNT, cs_tablets_recut, cs_tablets_verify},
    {"migrate", COUNT, cs_tablets_migrate, cs_tablets_verify},
};

/* ---- lines ---- */

static const struct verb *find_verb(const char *name, struct cs_err *err)
{
    const char *names[CS_COUNT(verbs)];
    const char *near;

    for (size_t i = 0; i < CS_COUNT(verbs); i++) {
        names[i] = verbs[i].name;
        if (!strcmp(name, names[i]))
            return &verbs[i];
    }
    near = cs_nearest(name, names, CS_COUNT(verbs));
    cs_fail(err, CS_EINVALID, "unknown word '%.100s', %s '%s'", name,
            near ? "try" : "expected such as", near ? near : "down");
    return NULL;
}

static int64_t most_of(const struct cs_responder *responder,
                       const struct verb *verb)
{
    if (verb->takes == NODE)
        return (int64_t)responder->place_count;
    return verb->takes == COUNT ? CS_TABLETS_PLAYED_MAX : INT64_C(86400000);
}

/* A node counts from 1. */
static enum cs_code read_number(const struct cs_responder *responder,
                                const struct verb *verb, const char *words,
                                int64_t *out, struct cs_err *err)
{
    static const char *const things[] = {
        [NODE] = "a node,", [TIME] = "milliseconds,", [COUNT] = "tablets,"};
    int64_t most = most_of(responder, verb);
    char *end;

    errno = 0;
    *out = strtoll(words, &end, 10);
    if (errno || end == words || *end || *out < 1 || *out > most)
        return cs_fail(err, CS_EINVALID,
                       "%s: found '%s', expected %s 1 to %lld", verb->name,
                       words, things[verb->takes], (long long)most);
    *out -= verb->takes == NODE;
    return CS_OK;
}

/* Runs one line, or only checks it. Its text is changed. */
static enum cs_code take_line(struct cs_responder *responder, char *line,
                              bool only_check, struct cs_err *err)
{
    size_t size = strcspn(line, "#");
    const struct verb *verb;
    int64_t number = 0;
    char *words;

    while (size && isspace((unsigned char)line[size - 1]))
        size--;
    line[size] = 0;
    line += strspn(line, " \t");
    if (!*line)
        return CS_OK;
    words = line + strcspn(line, " \t");
    if (*words)
        *words++ = 0;
    words += strspn(words, " \t");
    verb = find_verb(line, err);
    if (!verb)
        return err->code;
    if (verb->takes != WORDS &&
        read_number(responder, verb, words, &number, err))
        return err->code;
    if (!only_check)
        return verb->act(responder, number, words, err);
    return verb->check ? verb->check(responder, number, words, err) : CS_OK;
}

/* The next whole line, cut off with a NUL; NULL: none is there. */
static char *next_line(struct cs_play *play)
{
    char *start;
    char *end;

    if (play->at >= play->text.size)
        return NULL;
    start = (char *)play->text.data + play->at;
    end = memchr(start, '\n', play->text.size - play->at);
    if (!end)
        return NULL;
    *end = 0;
    play->at += (size_t)(end - start) + 1;
    play->line++;
    return start;
}

static enum cs_code told_where(const struct cs_play *play, struct cs_err *err)
{
    char shown[CS_ERR_TEXT / 2];

    /* A file that is no script may hold anything. */
    cs_escape(shown, sizeof(shown), cs_view_text(err->text));
    cs_fail(err, err->code, "%s", shown);
    return cs_while(err, "%s:%u", play->path, play->line);
}

int64_t cs_play_tick(struct cs_responder *responder, struct cs_err *err)
{
    struct cs_play *play = &responder->play;
    char *line;

    if (!play->path)
        return INT64_MAX;
    while (play->due_ns <= cs_now_ns()) {
        line = next_line(play);
        if (!line)
            return INT64_MAX;
        if (take_line(responder, line, false, err)) {
            told_where(play, err);
            return INT64_MIN;
        }
    }
    return play->due_ns;
}

/* ---- the file ---- */

/* All that can be read now; false at the end. */
static bool fill(struct cs_play *play)
{
    uint8_t *to = cs_buf_room(&play->text, 4096);
    ssize_t got = to ? read(play->watch.fd, to, 4096) : 0;

    if (got > 0)
        play->text.size += (size_t)got;
    return got > 0;
}

static void on_lines(struct cs_watch *watch, uint32_t events)
{
    struct cs_play *play = CS_CONTAINER(watch, struct cs_play, watch);

    (void)events;
    cs_buf_consume(&play->text, play->at);
    play->at = 0;
    if (!fill(play))
        cs_loop_remove(play->loop, watch);
}

/* A node whose first line is join is no member before. */
static enum cs_code check_lines(struct cs_responder *responder,
                                struct cs_err *err)
{
    struct cs_play *play = &responder->play;
    bool *seen = calloc(responder->place_count, sizeof(*seen));
    enum cs_code rc = seen ? CS_OK : cs_fail(err, CS_ENOMEM, "no memory");
    char *line;

    while (!rc && (line = next_line(play))) {
        char *copy = strdup(line);
        int node = 0;
        char verb[16] = "";

        rc = copy ? take_line(responder, copy, true, err)
                  : cs_fail(err, CS_ENOMEM, "no memory for a line");
        free(copy);
        line[strlen(line)] = '\n';
        if (rc || sscanf(line, " %15s %d", verb, &node) < 2 || node < 1 ||
            (size_t)node > responder->place_count ||
            find_verb(verb, err)->takes != NODE)
            continue;
        if (!seen[node - 1] && !strcmp(verb, "join")) {
            responder->places[node - 1].away = true;
            cs_node_stop(responder, (size_t)node - 1);
        }
        seen[node - 1] = true;
    }
    free(seen);
    return rc ? told_where(play, err) : CS_OK;
}

static enum cs_code read_all(struct cs_responder *responder, struct cs_err *err)
{
    struct cs_play *play = &responder->play;
    enum cs_code rc;

    while (fill(play))
        continue;
    cs_buf_puts(&play->text, "\n");
    rc = cs_buf_check(&play->text, play->path, err);
    if (!rc)
        rc = check_lines(responder, err);
    play->at = 0;
    play->line = 0;
    return rc;
}

enum cs_code cs_play_init(struct cs_responder *responder, struct cs_err *err)
{
    struct cs_play *play = &responder->play;
    struct stat st;

    *play = (struct cs_play){
        .path = responder->options->script,
        .loop = responder->group.loop,
        .watch = {.fd = -1, .events = EPOLLIN, .on_ready = on_lines}};
    cs_buf_init(&play->text, LINES_MAX);
    if (!play->path)
        return CS_OK;
    /* Also for writing: a pipe is not at its end when a writer closes it. */
    play->watch.fd = open(play->path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (play->watch.fd < 0)
        play->watch.fd = open(play->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (play->watch.fd < 0 || fstat(play->watch.fd, &st))
        return cs_fail_sys(err, "script=: cannot read %s", play->path);
    if (S_ISDIR(st.st_mode))
        return cs_fail(err, CS_EUSAGE,
                       "script=: %s is a folder, expected a file or a pipe",
                       play->path);
    if (S_ISREG(st.st_mode))
        return read_all(responder, err);
    return cs_loop_add(play->loop, &play->watch, err);
}

void cs_play_release(struct cs_responder *responder)
{
    if (responder->play.watch.fd >= 0 && responder->play.path)
        close(responder->play.watch.fd);
    cs_buf_release(&responder->play.text);
}
