/* fetch.c - a profile behind a URL, by curl: it knows proxies, certificates
 * and redirections, and as a program of its own it costs nothing where profiles
 * are files. */
#include "profile/read_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

extern char **environ;

bool cs_profile_is_remote(const char *name)
{
    static const char *const schemes[] = {"http:", "https:", "ftp:"};

    for (size_t i = 0; i < CS_COUNT(schemes); i++)
        if (cs_starts_with_word(name, schemes[i]))
            return true;
    return false;
}

/* Its errors go where the text goes: with --fail there is either the one or the
 * other, and of a text that broke off nothing is used. Returns an errno. */
static int start_curl(char *url, int output, pid_t *pid)
{
    char options[][16] = {"curl",       "--fail",   "--silent", "--show-error",
                          "--location", "--stderr", "-",        "--url"};
    char *words[CS_COUNT(options) + 2];
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);

    if (error)
        return error;
    for (size_t i = 0; i < CS_COUNT(options); i++)
        words[i] = options[i];
    words[CS_COUNT(options)] = url;
    words[CS_COUNT(options) + 1] = NULL;
    error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
                                                 "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawnp(pid, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Its complaint is the last "curl: ..." line; more lines may explain it. */
static enum cs_code fail_fetch(const char *url, struct cs_buf *said,
                               struct cs_err *err)
{
    const char *line = cs_buf_text(said);
    const char *next = line;

    while ((next = strstr(next, "curl: ")) != NULL)
        line = next++;
    return cs_fail(err, CS_EINVALID, "%s: cannot fetch the profile: %.*s", url,
                   (int)strcspn(line, "\n"), line);
}

static bool has_succeeded(pid_t pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && !WEXITSTATUS(status);
}

enum cs_code cs_profile_fetch(const char *url, struct cs_buf *buf,
                              struct cs_err *err)
{
    enum cs_code rc;
    char *copy;
    int ends[2];
    int error = ENOMEM;
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC))
        return cs_fail_sys(err, "%s: cannot fetch the profile", url);
    copy = strdup(url);
    if (copy)
        error = start_curl(copy, ends[1], &pid);
    free(copy);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        errno = error;
        return cs_fail_sys(err, "%s: cannot start curl, which fetches profiles",
                           url);
    }
    rc = cs_profile_read_all(ends[0], url, buf, err);
    close(ends[0]);
    if (!has_succeeded(pid) && !rc)
        return fail_fetch(url, buf, err);
    return rc;
}
