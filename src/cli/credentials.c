/* credentials.c - user names and passwords from a properties file and from the
 * environment; the command line wins. */
#include "cli/parse_internal.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A line of a properties file, continued lines included. */
#define LINE_MAX_BYTES 65536

static const struct {
    const char *key;
    const char *variable; /* of the environment; NULL: none */
    size_t at;
} keys[] = {
    {"cql.username", "CSTRESS_CQL_USERNAME", CS_AT(credentials.cql_user)},
    {"cql.password", "CSTRESS_CQL_PASSWORD", CS_AT(credentials.cql_password)},
    {"jmx.username", NULL, CS_AT(credentials.jmx_user)},
    {"jmx.password", NULL, CS_AT(credentials.jmx_password)},
    {"transport.truststore.password", "CSTRESS_TRUSTSTORE_PASSWORD",
     CS_AT(credentials.truststore_password)},
    {"transport.keystore.password", "CSTRESS_KEYSTORE_PASSWORD",
     CS_AT(credentials.keystore_password)},
};

static const char **slot(struct cs_cli *cli, size_t at)
{
    return (const char **)(void *)((char *)cli->settings + at);
}

static void put_utf8(struct cs_buf *out, unsigned c)
{
    if (c < 0x80) {
        cs_buf_put8(out, (uint8_t)c);
    } else if (c < 0x800) {
        cs_buf_put8(out, (uint8_t)(0xc0 | c >> 6));
        cs_buf_put8(out, (uint8_t)(0x80 | (c & 0x3f)));
    } else {
        cs_buf_put8(out, (uint8_t)(0xe0 | c >> 12));
        cs_buf_put8(out, (uint8_t)(0x80 | (c >> 6 & 0x3f)));
        cs_buf_put8(out, (uint8_t)(0x80 | (c & 0x3f)));
    }
}

/* What stands behind a backslash; returns the first character after it. */
static const char *put_escape(struct cs_buf *out, const char *p)
{
    static const char from[] = "tnrf";
    static const char to[] = "\t\n\r\f";
    const char *known = *p ? strchr(from, *p) : NULL;
    char hex[5] = {0};

    if (*p == 'u') {
        strncpy(hex, p + 1, 4);
        if (strspn(hex, "0123456789abcdefABCDEF") == 4) {
            put_utf8(out, (unsigned)strtoul(hex, NULL, 16));
            return p + 5;
        }
    }
    if (*p)
        cs_buf_put8(out, (uint8_t)(known ? to[known - from] : *p));
    return *p ? p + 1 : p;
}

/* Copies up to one of the stops, escapes resolved. */
static const char *put_part(struct cs_buf *out, const char *p,
                            const char *stops)
{
    while (*p && !strchr(stops, *p)) {
        if (*p == '\\')
            p = put_escape(out, p + 1);
        else
            cs_buf_put8(out, (uint8_t)*p++);
    }
    return p;
}

static void store_property(struct cs_cli *cli, const char *key,
                           const char *value)
{
    for (size_t i = 0; i < CS_COUNT(keys); i++) {
        if (strcmp(keys[i].key, key) != 0)
            continue;
        *slot(cli, keys[i].at) = cs_cli_text(cli, value, strlen(value));
        return;
    }
    cs_cli_notice(cli, "-credentials-file: unknown key '%.60s'", key);
}

static void read_property(struct cs_cli *cli, const char *line)
{
    struct cs_buf key, value;

    line += strspn(line, " \t\f");
    if (!*line || *line == '#' || *line == '!')
        return;
    cs_buf_init(&key, LINE_MAX_BYTES);
    cs_buf_init(&value, LINE_MAX_BYTES);
    line = put_part(&key, line, "=: \t\f");
    line += strspn(line, " \t\f");
    if (*line == '=' || *line == ':')
        line += 1 + strspn(line + 1, " \t\f");
    put_part(&value, line, "");
    store_property(cli, cs_buf_text(&key), cs_buf_text(&value));
    cs_buf_release(&key);
    cs_buf_release(&value);
}

/* Whether the line goes on in the next one: an odd number of backslashes at
 * its end. */
static bool goes_on(const struct cs_buf *line)
{
    size_t count = 0;

    while (count < line->size && line->data[line->size - 1 - count] == '\\')
        count++;
    return count % 2 == 1;
}

/* One line without its end appended to what stands in front of it; false when
 * the file has no more. */
static bool append_line(FILE *file, struct cs_buf *line)
{
    char part[512];
    bool first = line->size == 0;
    bool any = false;

    while (fgets(part, sizeof(part), file)) {
        size_t size = strcspn(part, "\r\n");
        size_t blanks = first || any ? 0 : strspn(part, " \t\f");

        any = true;
        cs_buf_put(line, part + blanks, size > blanks ? size - blanks : 0);
        if (part[size] || line->fault)
            break;
    }
    return any;
}

static enum cs_code read_properties(struct cs_cli *cli, FILE *file,
                                    const char *path, struct cs_err *err)
{
    struct cs_buf line;
    enum cs_code rc;

    cs_buf_init(&line, LINE_MAX_BYTES);
    while (append_line(file, &line) && !line.fault) {
        if (goes_on(&line) && !feof(file)) {
            line.size--;
            continue;
        }
        read_property(cli, cs_buf_text(&line));
        cs_buf_clear(&line);
    }
    if (line.size && !line.fault)
        read_property(cli, cs_buf_text(&line));
    rc = cs_buf_check(&line, "a line", err);
    cs_buf_release(&line);
    return rc ? cs_while(err, "%.300s", path) : CS_OK;
}

static enum cs_code read_file(struct cs_cli *cli, const char *path,
                              struct cs_err *err)
{
    FILE *file = fopen(path, "re");
    struct stat st;
    enum cs_code rc;

    if (!file)
        return cs_fail_sys(err, "cannot read %.300s", path);
    if (!fstat(fileno(file), &st) && st.st_mode & (S_IRGRP | S_IROTH))
        cs_cli_warn(cli,
                    "-credentials-file: %.300s can be read by others (chmod "
                    "600)",
                    path);
    rc = read_properties(cli, file, path, err);
    if (!rc && ferror(file))
        rc = cs_fail_sys(err, "cannot read %.300s", path);
    fclose(file);
    return rc;
}

/* What the command line does not say comes from the file, then from the
 * environment. */
static void fill(struct cs_cli *cli, const char **typed, const char *filed,
                 const char *variable)
{
    const char *env = variable ? getenv(variable) : NULL;

    if (!*typed)
        *typed = filed;
    if (!*typed && env && *env)
        *typed = cs_cli_text(cli, env, strlen(env));
}

enum cs_code cs_credentials_load(struct cs_cli *cli, struct cs_err *err)
{
    struct cs_settings *s = cli->settings;

    if (s->credentials.file && read_file(cli, s->credentials.file, err))
        return cs_cli_blame(cli, "-credentials-file", NULL, err);
    fill(cli, &s->mode.user, s->credentials.cql_user, keys[0].variable);
    fill(cli, &s->mode.password, s->credentials.cql_password, keys[1].variable);
    fill(cli, &s->jmx.user, s->credentials.jmx_user, NULL);
    fill(cli, &s->jmx.password, s->credentials.jmx_password, NULL);
    fill(cli, &s->transport.truststore_password,
         s->credentials.truststore_password, keys[4].variable);
    fill(cli, &s->transport.keystore_password, s->credentials.keystore_password,
         keys[5].variable);
    return CS_OK;
}
