/* cpu.h - what the machine gave this program: processor time of a thread, its
 * wait for a processor, and the time a control group held the process back. */
#ifndef CS_OBSERVE_CPU_H
#define CS_OBSERVE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of one thread so far. */
struct cs_thread_use {
    int64_t cpu_ns;
    int64_t queued_ns; /* runnable without a processor; -1: not known here */
};

/* Of the calling thread. Source: the thread's clock and its schedstat. */
void cs_thread_use_read(struct cs_thread_use *out);

/* How long the quota of this process's control group (version 1 or 2) has held
 * its threads back so far, in ns; -1: there is no such quota to read. */
int64_t cs_cgroup_throttled_ns(void);

/* The parts of it, over texts of these files, for what they may say.
 * cs_cgroup_path: the path of the file with the figures, from the text of
 * /proc/self/cgroup, below root; false: no control group of processors.
 * cs_cgroup_parse: the figure in the text of that file; -1: none. */
bool cs_cgroup_path(const char *cgroups, const char *root, char *out,
                    size_t size);
int64_t cs_cgroup_parse(const char *stat);

#endif
