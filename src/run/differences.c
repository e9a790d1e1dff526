/* differences.c - whole lines to a file, whatever happens in between. */
#include "run/differences.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct cs_differences {
    pthread_mutex_t lock;
    char *path;
    int fd;
    off_t size;    /* of the lines that are complete */
    uint64_t lost; /* additions that could not be written */
    int sys_errno; /* of the first of them */
};

enum cs_code cs_differences_open(const char *path, struct cs_differences **out,
                                 struct cs_err *err)
{
    struct cs_differences *d;
    enum cs_code rc = CS_OK;

    *out = NULL;
    if (!path)
        return CS_OK;
    d = calloc(1, sizeof(*d));
    if (!d)
        return cs_fail(err, CS_ENOMEM, "differences: out of memory");
    pthread_mutex_init(&d->lock, NULL);
    d->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    d->path = strdup(path);
    if (d->fd < 0)
        rc = cs_fail_sys(err, "-errors differences=%s: cannot write", path);
    else if (!d->path)
        rc = cs_fail(err, CS_ENOMEM, "differences: out of memory");
    if (rc)
        cs_differences_free(d);
    else
        *out = d;
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
static void cut_off(struct cs_differences *d)
{
    d->sys_errno = errno;
    if (ftruncate(d->fd, d->size) < 0)
        return;
}

void cs_differences_add(struct cs_differences *differences,
                        const struct cs_buf *lines)
{
    struct cs_differences *d = differences;

    if (!d)
        return;
    pthread_mutex_lock(&d->lock);
    if (!d->lost && !lines->fault &&
        write_all(d->fd, lines->data, lines->size)) {
        d->size += (off_t)lines->size;
    } else {
        if (!d->lost)
            cut_off(d);
        d->lost++;
    }
    pthread_mutex_unlock(&d->lock);
}

void cs_differences_free(struct cs_differences *differences)
{
    if (!differences)
        return;
    if (differences->fd >= 0)
        close(differences->fd);
    pthread_mutex_destroy(&differences->lock);
    free(differences->path);
    free(differences);
}

enum cs_code cs_differences_close(struct cs_differences *differences,
                                  struct cs_err *err)
{
    struct cs_differences *d = differences;
    enum cs_code rc = CS_OK;

    if (!d)
        return CS_OK;
    if (close(d->fd) < 0 && !d->lost) {
        d->lost = 1;
        d->sys_errno = errno;
    }
    d->fd = -1;
    errno = d->sys_errno;
    if (d->lost)
        rc = cs_fail_sys(err,
                         "-errors differences=%s: %llu differences could "
                         "not be written",
                         d->path, (unsigned long long)d->lost);
    cs_differences_free(d);
    return rc;
}
