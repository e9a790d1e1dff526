/* cpu.c - reads small files of the kernel; where one is missing the figure is
 * "not known" and nobody is told, since the report says what it does know. */
#include "observe/cpu.h"
#include "base/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX 4096
#define ROOT     "/sys/fs/cgroup"

/* The first bytes of a file as text; false: it cannot be read. */
static bool read_text(const char *path, char *out, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got;

    if (fd < 0)
        return false;
    got = read(fd, out, size - 1);
    close(fd);
    out[got > 0 ? got : 0] = '\0';
    return got > 0;
}

void cs_thread_use_read(struct cs_thread_use *out)
{
    char text[128];
    long long cpu;
    long long queued;

    out->cpu_ns = cs_thread_cpu_ns();
    out->queued_ns = -1;
    if (read_text("/proc/thread-self/schedstat", text, sizeof(text)) &&
        sscanf(text, "%lld %lld", &cpu, &queued) == 2)
        out->queued_ns = queued;
}

/* Whether a comma separated list has this word. */
static bool lists(const char *list, size_t size, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = list, *end = list + size; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;

        if ((size_t)(stop - at) == length && !memcmp(at, word, length))
            return true;
        at = stop + 1;
    }
    return false;
}

bool cs_cgroup_path(const char *cgroups, const char *root, char *out,
                    size_t size)
{
    bool found = false;

    /* Lines "number:controllers:path"; version 2 has number 0 and no
     * controllers, and gives way to a version 1 controller of processors. */
    for (const char *line = cgroups; *line;) {
        size_t length = strcspn(line, "\n");
        const char *first = memchr(line, ':', length);
        const char *end = line + length;
        const char *second =
            first ? memchr(first + 1, ':', (size_t)(end - first - 1)) : NULL;

        if (second && lists(first + 1, (size_t)(second - first - 1), "cpu")) {
            snprintf(out, size, "%s/cpu%.*s/cpu.stat", root,
                     (int)(end - second - 1), second + 1);
            return true;
        }
        if (second && second == first + 1) {
            snprintf(out, size, "%s%.*s/cpu.stat", root,
                     (int)(end - second - 1), second + 1);
            found = true;
        }
        line = *end ? end + 1 : end;
    }
    return found;
}

int64_t cs_cgroup_parse(const char *stat)
{
    static const struct {
        const char *label;
        int64_t unit_ns;
    } figures[] = {
        {"throttled_usec ", CS_NS_PER_US}, /* version 2 */
        {"throttled_time ", 1},            /* version 1 */
    };

    for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
        const char *at = strstr(stat, figures[i].label);

        if (at)
            return strtoll(at + strlen(figures[i].label), NULL, 10) *
                   figures[i].unit_ns;
    }
    return -1;
}

int64_t cs_cgroup_throttled_ns(void)
{
    char text[TEXT_MAX];
    char path[TEXT_MAX];

    if (!read_text("/proc/self/cgroup", text, sizeof(text)) ||
        !cs_cgroup_path(text, ROOT, path, sizeof(path)))
        return -1;
    /* In a container the path as the host sees it is not there, but the group
     * itself stands at the root. */
    if (!read_text(path, text, sizeof(text)) &&
        !read_text(ROOT "/cpu.stat", text, sizeof(text)) &&
        !read_text(ROOT "/cpu/cpu.stat", text, sizeof(text)))
        return -1;
    return cs_cgroup_parse(text);
}
