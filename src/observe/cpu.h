/* cpu.h - what the machine gave this program: processor time of a thread, its
 * wait for a processor, what the host of a virtual machine gave to others, and
 * the time a control group held the process back. */
#ifndef CS_OBSERVE_CPU_H
#define CS_OBSERVE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of one thread so far. */
struct cs_thread_use {
    int64_t cpu_ns;
    int64_t queued_ns; /* runnable without a processor; -1: not known here */
    int64_t turns;     /* how often it was given one; 0: not known */
};

/* Of the calling thread. Source: the thread's clock and its schedstat. */
void cs_thread_use_read(struct cs_thread_use *out);

/* Of all processors of this machine so far, in ticks; zeros: not known. */
struct cs_machine_use {
    uint64_t used;
    uint64_t stolen; /* wanted, but its host gave the processor to others */
};

void cs_machine_use_read(struct cs_machine_use *out);

/* The share of what was wanted since then that was stolen; 0 if nobody knows.
 */
double cs_machine_stolen(const struct cs_machine_use *from,
                         const struct cs_machine_use *to);

/* How long quotas of this process's control group (version 1 or 2) and of those
 * around it have held threads back so far, in ns; -1: there is no such quota to
 * read. */
int64_t cs_cgroup_throttled_ns(void);

/* The parts of these, over texts of the kernel's files, for what they may say.
 * cs_machine_use_parse: the text of /proc/stat.
 * cs_cgroup_path: the folder of the group, from the text of /proc/self/cgroup,
 * below root; false: no control group of processors.
 * cs_cgroup_sum_ns: the figures of that folder and those above it, up to root;
 * shortens folder; -1: none.
 * cs_cgroup_parse: the figure in the text of one file; -1: none. */
void cs_machine_use_parse(const char *stat, struct cs_machine_use *out);
bool cs_cgroup_path(const char *cgroups, const char *root, char *out,
                    size_t size);
int64_t cs_cgroup_sum_ns(char *folder, const char *root);
int64_t cs_cgroup_parse(const char *stat);

#endif
