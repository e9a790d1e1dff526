/* cpu.c - reads small files of the kernel; where one is missing the figure is
 * "not known" and nobody is told, since the report says what it does know. */
#include "observe/cpu.h"
#include "base/clock.h"
#include "base/compiler.h"

#include <fcntl.h>
#include <inttypes.h>
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
    long long turns;

    out->cpu_ns = cs_thread_cpu_ns();
    out->queued_ns = -1;
    out->turns = 0;
    if (read_text("/proc/thread-self/schedstat", text, sizeof(text)) &&
        sscanf(text, "%lld %lld %lld", &cpu, &queued, &turns) == 3) {
        out->queued_ns = queued;
        out->turns = turns;
    }
}

void cs_machine_use_parse(const char *stat, struct cs_machine_use *out)
{
    uint64_t user, nice, system, idle, waiting, irq, soft, stolen;

    *out = (struct cs_machine_use){0};
    if (sscanf(stat,
               "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
               " %" SCNu64 " %" SCNu64 " %" SCNu64,
               &user, &nice, &system, &idle, &waiting, &irq, &soft,
               &stolen) == 8)
        *out =
            (struct cs_machine_use){user + nice + system + irq + soft, stolen};
}

void cs_machine_use_read(struct cs_machine_use *out)
{
    char text[256]; /* its first line is the sum of all processors */

    *out = (struct cs_machine_use){0};
    if (read_text("/proc/stat", text, sizeof(text)))
        cs_machine_use_parse(text, out);
}

double cs_machine_stolen(const struct cs_machine_use *from,
                         const struct cs_machine_use *to)
{
    double used = (double)(to->used - from->used);
    double stolen = (double)(to->stolen - from->stolen);

    /* The kernel's counter of stolen time has been seen to go back. */
    if (!from->used || to->used < from->used || to->stolen <= from->stolen)
        return 0;
    return stolen / (used + stolen);
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

/* Without the slash that stands for the root of all groups. */
static void put_folder(char *out, size_t size, const char *root,
                       const char *controller, const char *group,
                       const char *end)
{
    while (end > group && end[-1] == '/')
        end--;
    snprintf(out, size, "%s%s%.*s", root, controller, (int)(end - group),
             group);
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
            put_folder(out, size, root, "/cpu", second + 1, end);
            return true;
        }
        if (second && second == first + 1) {
            put_folder(out, size, root, "", second + 1, end);
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

/* A quota may be that of any group around ours. In a container the path as the
 * host sees it is not there, but the group itself stands at the root. */
int64_t cs_cgroup_sum_ns(char *folder, const char *root)
{
    char path[TEXT_MAX + 16];
    char text[TEXT_MAX];
    int64_t sum_ns = -1;
    char *slash;

    do {
        int64_t one_ns = -1;

        snprintf(path, sizeof(path), "%s/cpu.stat", folder);
        if (read_text(path, text, sizeof(text)))
            one_ns = cs_cgroup_parse(text);
        if (one_ns >= 0)
            sum_ns = CS_MAX(sum_ns, INT64_C(0)) + one_ns;
        slash = strrchr(folder, '/');
        if (slash)
            *slash = '\0';
    } while (slash && strlen(folder) >= strlen(root));
    return sum_ns;
}

int64_t cs_cgroup_throttled_ns(void)
{
    char text[TEXT_MAX];
    char folder[TEXT_MAX];

    if (!read_text("/proc/self/cgroup", text, sizeof(text)) ||
        !cs_cgroup_path(text, ROOT, folder, sizeof(folder)))
        return -1;
    return cs_cgroup_sum_ns(folder, ROOT);
}
