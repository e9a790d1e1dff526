/* files.c - the files that a command line names: the list of hosts, and
 * whether others can be read and written. */
#include "cli/parse_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Hosts in one file, at most, and bytes of a line. */
#define HOSTS_MAX 65536
#define HOST_LINE 1024

enum cs_code cs_file_readable(const char *path, struct cs_err *err)
{
    struct stat st;

    if (access(path, R_OK))
        return cs_fail_sys(err, "cannot read %.300s", path);
    if (!stat(path, &st) && S_ISDIR(st.st_mode))
        return cs_fail(err, CS_EINVALID, "cannot read %.300s: it is a folder",
                       path);
    return CS_OK;
}

enum cs_code cs_file_writable(const char *path, struct cs_err *err)
{
    const char *slash = strrchr(path, '/');
    char folder[4096];
    struct stat st;

    if (!stat(path, &st)) {
        if (S_ISDIR(st.st_mode))
            return cs_fail(err, CS_EINVALID,
                           "cannot write %.300s: it is a folder", path);
        return access(path, W_OK)
                   ? cs_fail_sys(err, "cannot write %.300s", path)
                   : CS_OK;
    }
    snprintf(folder, sizeof(folder), "%.*s",
             slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (access(folder, W_OK | X_OK))
        return cs_fail_sys(err, "cannot write %.300s", path);
    return CS_OK;
}

/* Without blanks at both ends, and without a comment. */
static char *trim(char *line)
{
    char *end;

    line[strcspn(line, "#\r\n")] = 0;
    line += strspn(line, " \t");
    end = line + strlen(line);
    while (end > line && strchr(" \t", end[-1]))
        end--;
    *end = 0;
    return line;
}

static bool is_text(const char *host)
{
    while (*host && !iscntrl((unsigned char)*host))
        host++;
    return !*host;
}

/* Keeps the host; the list doubles when it is full. */
static void add_host(struct cs_cli *cli, const char *host, size_t *room)
{
    struct cs_settings_node *node = &cli->settings->node;

    if (node->count == *room) {
        size_t more = *room * 2 + 16;
        const char **grown = cs_cli_array(cli, more, sizeof(*grown));

        if (!grown)
            return;
        if (node->count)
            memcpy(grown, node->hosts, node->count * sizeof(*grown));
        node->hosts = grown;
        *room = more;
    }
    node->hosts[node->count++] = cs_cli_text(cli, host, strlen(host));
}

static enum cs_code read_hosts(struct cs_cli *cli, FILE *file, const char *path,
                               struct cs_err *err)
{
    struct cs_settings_node *node = &cli->settings->node;
    char line[HOST_LINE];
    size_t room = 0;
    size_t number = 0;

    node->count = 0;
    node->hosts = NULL;
    while (!cli->no_memory && fgets(line, sizeof(line), file)) {
        const char *host;

        number++;
        if (strlen(line) + 1 == sizeof(line))
            return cs_fail(err, CS_EINVALID,
                           "%.300s:%zu: a line of %d bytes or more", path,
                           number, HOST_LINE - 1);
        if (node->count == HOSTS_MAX)
            return cs_fail(err, CS_EINVALID, "%.300s:%zu: more than %d hosts",
                           path, number, HOSTS_MAX);
        host = trim(line);
        if (!is_text(host))
            return cs_fail(err, CS_EINVALID,
                           "%.300s:%zu: control characters, expected a host",
                           path, number);
        if (*host)
            add_host(cli, host, &room);
    }
    return CS_OK;
}

enum cs_code cs_node_file_load(struct cs_cli *cli, const char *path,
                               struct cs_err *err)
{
    FILE *file = fopen(path, "re");
    enum cs_code rc;

    if (!file) {
        cs_fail_sys(err, "cannot read %.300s", path);
        return cs_cli_blame(cli, "-node", NULL, err);
    }
    rc = read_hosts(cli, file, path, err);
    if (!rc && ferror(file))
        rc = cs_fail_sys(err, "cannot read %.300s", path);
    fclose(file);
    if (!rc && !cli->settings->node.count && !cli->no_memory)
        rc = cs_fail(err, CS_EINVALID, "%.300s names no host", path);
    return rc ? cs_cli_blame(cli, "-node", NULL, err) : CS_OK;
}
