/* graph.c - data of the graph page: reading it back, adding runs, writing the
 * page anew. */
#include "report/columns_internal.h"
#include "report/graph_internal.h"
#include "report/page_internal.h"

#include <jansson.h>

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Pages of many long runs; a larger file is no page of ours. */
#define PAGE_MAX ((size_t)1 << 30)

struct graph {
    const struct cs_settings *settings; /* borrowed */
    json_t *root;                       /* {"title": ..., "stats": [...]} */
    json_t *own;                        /* records of this process; owned */
    char *revision;                     /* of the current run; owned */
    struct graph_rows rows;             /* likewise */
};

/* ---- the file's old records ---- */

/* A device or pipe can neither be read to its end nor be replaced. */
static bool is_special(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) &&
           !S_ISDIR(status.st_mode);
}

static enum cs_code read_file(FILE *file, struct cs_buf *page)
{
    char chunk[1 << 16];
    size_t size;

    while (!page->fault && (size = fread(chunk, 1, sizeof(chunk), file)) > 0)
        cs_buf_put(page, chunk, size);
    return ferror(file) ? CS_ESYSTEM : CS_OK;
}

enum cs_code graph_parse_page(struct cs_buf *page, const char *path,
                              json_t **out, struct cs_err *err)
{
    const char *data = page_data(cs_buf_text(page));
    json_error_t error;
    json_t *root;

    if (!data)
        return cs_fail(err, CS_EINVALID,
                       "-graph file=%s exists and is no graph page (found no "
                       "data between '" PAGE_START "' and '" PAGE_END
                       "'); name another file",
                       path);
    root = json_loads(data, JSON_DISABLE_EOF_CHECK, &error);
    if (!root || !json_is_array(json_object_get(root, "stats"))) {
        json_decref(root);
        return cs_fail(err, CS_EINVALID,
                       "-graph file=%s: its data cannot be read (%s); name "
                       "another file",
                       path, root ? "no list named 'stats'" : error.text);
    }
    *out = root;
    return CS_OK;
}

/* The data of the file at path, or an empty set when there is none. */
static enum cs_code load(const char *path, json_t **out, struct cs_err *err)
{
    struct cs_buf page;
    enum cs_code rc;
    FILE *file;

    if (is_special(path))
        return cs_fail(err, CS_EINVALID,
                       "-graph file=%s: found a device or pipe, expected a "
                       "graph page or a name that is free",
                       path);
    file = fopen(path, "re");
    if (!file && errno == ENOENT) {
        *out = json_pack("{s:n, s:[]}", "title", "stats");
        return *out ? CS_OK : cs_fail(err, CS_ENOMEM, "no memory for a graph");
    }
    if (!file)
        return cs_fail_sys(err, "-graph file=%s: cannot read", path);
    cs_buf_init(&page, PAGE_MAX);
    if (read_file(file, &page))
        rc = cs_fail_sys(err, "-graph file=%s: cannot read", path);
    else
        rc = cs_buf_check(&page, path, err);
    if (!rc)
        rc = graph_parse_page(&page, path, out, err);
    fclose(file);
    cs_buf_release(&page);
    return rc;
}

/* ---- writing ---- */

/* A new file beside path: on the same disk, so that it can take its place.
 * Returns its descriptor; name is the caller's to free. */
static int open_beside(const char *path, char **name)
{
    int fd;

    if (asprintf(name, "%s.XXXXXX", path) < 0) {
        *name = NULL;
        return -1;
    }
    fd = mkostemp(*name, O_CLOEXEC);
    if (fd < 0) {
        free(*name);
        *name = NULL;
    }
    return fd;
}

/* Shows before the run that the page can be written afterwards. */
static enum cs_code try_writing(const char *path, struct cs_err *err)
{
    char *name;
    int fd = open_beside(path, &name);

    if (fd < 0)
        return cs_fail_sys(err, "-graph file=%s: cannot write there", path);
    close(fd);
    unlink(name);
    free(name);
    return CS_OK;
}

static bool write_all(int fd, const struct cs_buf *page)
{
    for (size_t done = 0; done < page->size;) {
        ssize_t size = write(fd, page->data + done, page->size - done);

        if (size < 0 && errno != EINTR)
            return false;
        done += size > 0 ? (size_t)size : 0;
    }
    return true;
}

/* mkostemp makes files for the owner only; a page gets the usual rights. */
static mode_t usual_mode(void)
{
    mode_t mask = umask(0);

    umask(mask);
    return 0666 & ~mask;
}

static enum cs_code replace_file(const char *path, const struct cs_buf *page,
                                 struct cs_err *err)
{
    char *name;
    int fd = open_beside(path, &name);
    bool ok;

    if (fd < 0)
        return cs_fail_sys(err, "-graph file=%s: cannot write there", path);
    ok = write_all(fd, page) && fchmod(fd, usual_mode()) == 0 && fsync(fd) == 0;
    if (close(fd) != 0 || !ok || rename(name, path) != 0) {
        (void)cs_fail_sys(err, "-graph file=%s: cannot write", path);
        unlink(name);
        free(name);
        return CS_ESYSTEM;
    }
    free(name);
    return CS_OK;
}

/* The data as text that is safe inside of a script element: '<' occurs only in
 * strings, so it may be written as an escape. */
static char *dump_for_page(const json_t *root)
{
    char *plain = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(12));
    struct cs_buf safe;

    cs_buf_init(&safe, PAGE_MAX);
    for (const char *p = plain; p && *p; p++) {
        if (*p == '<')
            cs_buf_puts(&safe, "\\u003c");
        else
            cs_buf_put8(&safe, (uint8_t)*p);
    }
    cs_buf_put8(&safe, 0);
    free(plain);
    if (!plain || safe.fault)
        cs_buf_release(&safe);
    return (char *)safe.data;
}

static void set_title(struct graph *graph)
{
    const char *title = graph->settings->graph.title;
    char today[32];
    time_t now = time(NULL);
    struct tm tm;

    if (!title && localtime_r(&now, &tm) &&
        strftime(today, sizeof(today), "%Y-%m-%d %H:%M:%S", &tm))
        title = today;
    json_object_set_new(graph->root, "title", graph_text(title));
}

/* The lock of the folder that path is in; closing it ends it. Several processes
 * may add to one page at once: each reads and replaces it under this lock. -1
 * where folders cannot be locked: then the last one wins. */
static int lock_folder(const char *path)
{
    char *copy = strdup(path);
    int fd =
        copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    free(copy);
    if (fd >= 0)
        while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
            ;
    return fd;
}

/* What the file holds by now, with the records of this process behind it. */
static enum cs_code merge(struct graph *graph, struct cs_err *err)
{
    json_t *root;
    enum cs_code rc = load(graph->settings->graph.file, &root, err);

    if (rc)
        return rc;
    json_decref(graph->root);
    graph->root = root;
    if (json_array_extend(json_object_get(root, "stats"), graph->own))
        return cs_fail(err, CS_ENOMEM, "no memory for a graph");
    return CS_OK;
}

static enum cs_code write_page(struct graph *graph, struct cs_err *err)
{
    struct cs_buf page;
    enum cs_code rc;
    char *data;

    set_title(graph);
    data = dump_for_page(graph->root);
    if (!data)
        return cs_fail(err, CS_ENOMEM, "no memory for the graph page");
    cs_buf_init(&page, PAGE_MAX);
    put_page(&page, data);
    rc = cs_buf_check(&page, "graph page", err);
    if (!rc)
        rc = replace_file(graph->settings->graph.file, &page, err);
    cs_buf_release(&page);
    free(data);
    return rc;
}

enum cs_code graph_write(struct graph *graph, struct cs_err *err)
{
    enum cs_code rc;
    int lock;

    if (!graph)
        return CS_OK;
    lock = lock_folder(graph->settings->graph.file);
    rc = merge(graph, err);
    if (!rc)
        rc = write_page(graph, err);
    if (!rc)
        json_array_clear(graph->own);
    if (lock >= 0)
        close(lock);
    return rc;
}

/* ---- runs ---- */

static void forget_run(struct graph *graph)
{
    json_decref(graph->rows.intervals);
    json_decref(graph->rows.types);
    free(graph->revision);
    graph->rows = (struct graph_rows){0};
    graph->revision = NULL;
}

/* "4 threadCount" becomes "<revision> - 4 threads": otherwise the steps of a
 * ramp could not be told apart. */
static char *revision_of(const struct cs_settings *settings, const char *name)
{
    const char *revision = settings->graph.revision;
    char *text = NULL;
    int size;

    if (!revision)
        revision = "unknown";
    if (name)
        size = asprintf(&text, "%s - %d threads", revision, atoi(name));
    else
        size = asprintf(&text, "%s", revision);
    return size < 0 ? NULL : text;
}

enum cs_code graph_run_start(struct graph *graph, const char *name,
                             struct cs_err *err)
{
    if (!graph)
        return CS_OK;
    forget_run(graph);
    graph->revision = revision_of(graph->settings, name);
    graph->rows.intervals = json_array();
    graph->rows.types = json_array();
    if (!graph->revision || !graph->rows.intervals || !graph->rows.types)
        return cs_fail(err, CS_ENOMEM, "no memory for a graph");
    return CS_OK;
}

void graph_interval(struct graph *graph, const struct block_source *source)
{
    if (graph)
        graph_rows_add(&graph->rows, source);
}

void graph_run_end(struct graph *graph, const struct block_source *source)
{
    if (!graph)
        return;
    if (cs_results_run(source->results)->total.operations)
        json_array_append_new(graph->own,
                              graph_record(graph->settings, graph->revision,
                                           &graph->rows, source));
    forget_run(graph);
}

/* ---- opening ---- */

enum cs_code graph_open(const struct cs_settings *settings, struct graph **out,
                        struct cs_err *err)
{
    struct graph *graph;
    enum cs_code rc;

    *out = NULL;
    if (!settings->graph.file)
        return CS_OK;
    graph = calloc(1, sizeof(*graph));
    if (!graph)
        return cs_fail(err, CS_ENOMEM, "no memory for a graph");
    graph->settings = settings;
    graph->own = json_array();
    rc = load(settings->graph.file, &graph->root, err);
    if (!rc)
        rc = try_writing(settings->graph.file, err);
    if (rc) {
        graph_free(graph);
        return rc;
    }
    *out = graph;
    return CS_OK;
}

void graph_free(struct graph *graph)
{
    if (!graph)
        return;
    forget_run(graph);
    json_decref(graph->root);
    json_decref(graph->own);
    free(graph);
}
