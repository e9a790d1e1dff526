/* line_file.c - whole lines to a file, whatever happens in between. */
#include "run/line_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct cs_line_file {
    pthread_mutex_t lock;
    const char *what;
    char *path;
    int fd;
    off_t size;    /* of the lines that are complete */
    uint64_t lost; /* additions that could not be written */
    int sys_errno; /* of the first of them */
};

enum cs_code cs_line_file_open(const char *what, const char *path,
                               struct cs_line_file **out, struct cs_err *err)
{
    struct cs_line_file *file;
    enum cs_code rc = CS_OK;

    *out = NULL;
    if (!path)
        return CS_OK;
    file = calloc(1, sizeof(*file));
    if (!file)
        return cs_fail(err, CS_ENOMEM, "%s: out of memory", what);
    pthread_mutex_init(&file->lock, NULL);
    file->what = what;
    file->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    file->path = strdup(path);
    if (file->fd < 0)
        rc = cs_fail_sys(err, "-errors %s=%s: cannot write", what, path);
    else if (!file->path)
        rc = cs_fail(err, CS_ENOMEM, "%s: out of memory", what);
    if (rc)
        cs_line_file_free(file);
    else
        *out = file;
    return rc;
}

static bool write_all(int fd, const uint8_t *data, size_t size)
{
    while (size) {
        ssize_t written = write(fd, data, size);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        size -= (size_t)written;
    }
    return true;
}

/* A pipe cannot be cut, and then has the beginning of a line as its end. */
static void cut_off(struct cs_line_file *file)
{
    file->sys_errno = errno;
    if (ftruncate(file->fd, file->size) < 0)
        return;
}

void cs_line_file_add(struct cs_line_file *file, const struct cs_buf *lines)
{
    if (!file)
        return;
    pthread_mutex_lock(&file->lock);
    if (!file->lost && !lines->fault &&
        write_all(file->fd, lines->data, lines->size)) {
        file->size += (off_t)lines->size;
    } else {
        if (!file->lost)
            cut_off(file);
        file->lost++;
    }
    pthread_mutex_unlock(&file->lock);
}

void cs_line_file_free(struct cs_line_file *file)
{
    if (!file)
        return;
    if (file->fd >= 0)
        close(file->fd);
    pthread_mutex_destroy(&file->lock);
    free(file->path);
    free(file);
}

enum cs_code cs_line_file_close(struct cs_line_file *file, struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    if (!file)
        return CS_OK;
    if (close(file->fd) < 0 && !file->lost) {
        file->lost = 1;
        file->sys_errno = errno;
    }
    file->fd = -1;
    errno = file->sys_errno;
    if (file->lost)
        rc = cs_fail_sys(err, "-errors %s=%s: %llu %s could not be written",
                         file->what, file->path, (unsigned long long)file->lost,
                         file->what);
    cs_line_file_free(file);
    return rc;
}
