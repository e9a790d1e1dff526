/* session_internal.h - what a stress command has in its hands while it goes
 * from the dump to END. */
#ifndef CS_COMMANDS_SESSION_INTERNAL_H
#define CS_COMMANDS_SESSION_INTERNAL_H

#include "commands/commands.h"
#include "driver/driver.h"
#include "report/report.h"
#include "run/run.h"
#include "workload/workload.h"

/* Longest text that is put together before it is printed. */
#define CS_COMMAND_TEXT_MAX ((size_t)1 << 24)

struct cs_stress {
    const struct cs_settings *settings;
    struct cs_settings probed; /* then settings, with the dialect found */
    const struct cs_driver_ops *db;
    struct cs_profile **profiles; /* owned */
    size_t profile_count;
    struct cs_report *report;
    struct cs_driver *driver;
    struct cs_workload *workload;
    struct cs_line_file *differences; /* NULL: nobody asked for the file */
    struct cs_line_file *failures;    /* likewise */
    struct cs_signals signals;
    struct cs_notices notices;
    bool connection_told; /* the lines about the cluster are out */
    bool inserts_told;    /* those about the generated inserts are */
    bool jmx_told;        /* the line about JMX is out */
    bool failed;          /* a run failed; the report has said why */
};

/* ---- info.c: text on stdout, and that it came to be there ---- */
enum cs_code cs_command_print(const struct cs_buf *text,
                              struct cs_err *err) CS_MUST_USE;

/* ---- tell.c ---- */
/* Passes on what a run has to tell: failures to the report, all else to
 * stderr. ctx: the struct cs_stress. */
void cs_stress_message(void *ctx, enum cs_message_kind kind, const char *text);

/* Lines for stderr, each prefixed by "warning: ". */
void cs_stress_tell(const struct cs_buf *lines);

/* ---- profiles.c: files of the user command, the dump ---- */
enum cs_code cs_stress_load_profiles(struct cs_stress *stress,
                                     struct cs_err *err) CS_MUST_USE;
void cs_stress_free_profiles(struct cs_stress *stress);
void cs_stress_put_dump(const struct cs_stress *stress, struct cs_buf *out);

/* ---- rows.c: what `rows` would refuse to print. The profiles are loaded. ----
 */
enum cs_code cs_stress_try_rows(struct cs_stress *stress,
                                struct cs_err *err) CS_MUST_USE;

/* ---- connect.c: from the dump to the first operation ---- */
enum cs_code cs_stress_connect(struct cs_stress *stress,
                               struct cs_err *err) CS_MUST_USE;
/* Lines that figures=original puts further down than where they become known:
 * nothing when they are out. */
void cs_stress_tell_connection(struct cs_stress *stress);
void cs_stress_tell_inserts(struct cs_stress *stress);
/* -compat data=probe: looks into the tables and settles the dialect. */
enum cs_code cs_stress_probe(struct cs_stress *stress,
                             struct cs_err *err) CS_MUST_USE;
enum cs_code cs_stress_prepare(struct cs_stress *stress,
                               struct cs_err *err) CS_MUST_USE;
enum cs_code cs_stress_truncate(struct cs_stress *stress,
                                struct cs_err *err) CS_MUST_USE;

/* ---- phases.c: warm-up, run or ramp ---- */
enum cs_code cs_stress_warm_up(struct cs_stress *stress,
                               struct cs_err *err) CS_MUST_USE;
enum cs_code cs_stress_run(struct cs_stress *stress,
                           struct cs_err *err) CS_MUST_USE;

#endif
