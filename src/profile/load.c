/* load.c - reads the file of a profile. */
#include "profile/read_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/text.h"

/* The path in a file: URL, anything else as it is. */
static const char *path_of(const char *name)
{
    if (!cs_starts_with_word(name, "file:"))
        return name;
    name += strlen("file:");
    if (cs_starts_with(name, "//localhost/"))
        return name + strlen("//localhost");
    return cs_starts_with(name, "///") ? name + 2 : name;
}

enum cs_code cs_profile_read_all(int fd, const char *name, struct cs_buf *buf,
                                 struct cs_err *err)
{
    for (;;) {
        uint8_t *room = cs_buf_room(buf, 4096);
        ssize_t n;

        if (!room)
            return cs_fail(err, CS_EINVALID,
                           "%s: a profile may have at most %u bytes", name,
                           CS_PROFILE_MAX);
        n = read(fd, room, 4096);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cs_fail_sys(err, "%s: cannot read the profile", name);
        if (n == 0)
            return CS_OK;
        buf->size += (size_t)n;
    }
}

static enum cs_code read_file(const char *name, struct cs_buf *buf,
                              struct cs_err *err)
{
    int fd = open(path_of(name), O_RDONLY | O_CLOEXEC);
    enum cs_code rc;

    if (fd < 0)
        return cs_fail_sys(err, "%s: cannot open the profile", name);
    rc = cs_profile_read_all(fd, name, buf, err);
    close(fd);
    return rc;
}

enum cs_code cs_profile_load(const char *path, struct cs_profile **out,
                             struct cs_buf *warnings, struct cs_err *err)
{
    struct cs_buf buf;
    enum cs_code rc;

    cs_buf_init(&buf, CS_PROFILE_MAX + 4096);
    if (cs_profile_is_remote(path))
        rc = cs_profile_fetch(path, &buf, err);
    else
        rc = read_file(path, &buf, err);
    if (!rc)
        rc = cs_profile_parse(path, cs_buf_text(&buf), buf.size, out, warnings,
                              err);
    cs_buf_release(&buf);
    return rc;
}
