/* sbk.c - the program as `sbk`: the order of events, one line each. */
#include "client/client.h"
#include "commands/sbk_internal.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

#define WINDOW_NS (5 * CS_NS_PER_S)

/* ---- before the run ---- */

static void put_refusal(struct sbk *sbk, const struct cs_sbk_refusal *refusal)
{
    if (refusal->before)
        cs_sbk_put_log(&sbk->text, "ERROR", "%s", refusal->before);
    if (refusal->log[0])
        cs_sbk_put_log(&sbk->text, "ERROR", "%s", refusal->log);
    if (refusal->helps)
        cs_sbk_put_help(&sbk->options, &sbk->text);
    cs_sbk_print(sbk);
}

static enum cs_code read_arguments(struct sbk *sbk, struct cs_err *err)
{
    struct cs_sbk_refusal refusal;
    enum cs_code rc =
        cs_sbk_parse(sbk->argc, sbk->argv, &sbk->options, &refusal, err);

    if (!rc && sbk->options.asked == CS_SBK_VERSION)
        return rc;
    if (!rc && sbk->options.asked == CS_SBK_RUN)
        rc = cs_sbk_check(&sbk->options, &refusal, err);
    if (rc && !refusal.log[0] && !refusal.helps)
        return rc; /* refused by us, in one line */
    cs_sbk_put_start(&sbk->options, sbk->argc, sbk->argv, &sbk->text);
    if (cs_sbk_is_cassandra(&sbk->options) && !refusal.early)
        cs_sbk_put_arguments(&sbk->options, sbk->argc, sbk->argv, &sbk->text);
    if (rc)
        put_refusal(sbk, &refusal);
    return rc;
}

static enum cs_code check_output(const struct sbk *sbk, struct cs_err *err)
{
    if (sbk->output_failed)
        return cs_fail(err, CS_ESYSTEM, "sbk: cannot write standard output");
    return CS_OK;
}

static enum cs_code show_answer(struct sbk *sbk, struct cs_err *err)
{
    if (sbk->options.asked == CS_SBK_HELP)
        cs_sbk_put_help(&sbk->options, &sbk->text);
    else
        cs_sbk_put_version(&sbk->options, &sbk->text);
    cs_sbk_print(sbk);
    return check_output(sbk, err);
}

static enum cs_code open_csv(struct sbk *sbk, struct cs_err *err)
{
    const char *file = sbk->options.csv_file;

    if (!file || !strcmp(file, "no") || sbk->options.logger < CS_SBK_CSV_LOGGER)
        return CS_OK;
    sbk->csv = fopen(file, "we");
    if (!sbk->csv)
        return cs_fail_sys(err, "sbk: -csvfile: cannot write '%s'", file);
    cs_sbk_write_csv(sbk, NULL, NULL);
    return CS_OK;
}

static enum cs_code open_page(struct sbk *sbk, uint16_t *port,
                              struct cs_err *err)
{
    const struct cs_sbk_figures none = {.action = cs_sbk_action(&sbk->options),
                                        .unit = sbk->options.unit};
    enum cs_code rc;

    *port = 0;
    if (sbk->options.logger != CS_SBK_PROMETHEUS_LOGGER)
        return CS_OK;
    rc = cs_sbk_context_parse(sbk->options.context, port, sbk->path, err);
    if (!rc && *port)
        rc = cs_sbk_endpoint_new(*port, sbk->path, &sbk->endpoint, err);
    if (rc)
        return cs_while(err, "sbk");
    cs_sbk_show_page(sbk, NULL, &none);
    return CS_OK;
}

static enum cs_code start_loggers(struct sbk *sbk, struct cs_err *err)
{
    uint16_t port;
    enum cs_code rc;

    cs_sbk_put_plan(&sbk->options, &sbk->text);
    cs_sbk_print(sbk);
    rc = cs_sbk_check_late(&sbk->options, err);
    if (!rc)
        rc = open_csv(sbk, err);
    if (!rc)
        rc = open_page(sbk, &port, err);
    if (rc)
        return rc;
    cs_sbk_put_loggers_started(&sbk->options, port, sbk->path, &sbk->text);
    cs_sbk_print(sbk);
    return CS_OK;
}

/* The line that SBK's driver puts on stderr, with our reason in it. */
static enum cs_code fail_to_connect(struct cs_err *err)
{
    char why[CS_ERR_TEXT];
    enum cs_code code = err->code;

    if (code == CS_EINTERRUPTED)
        return code;
    snprintf(why, sizeof(why), "%s", err->text);
    if (code == CS_EAUTH)
        return cs_fail(err, code,
                       "Exception in thread \"main\" "
                       "com.datastax.oss.driver.api.core.auth."
                       "AuthenticationException: %s",
                       why);
    return cs_fail(err, code,
                   "Exception in thread \"main\" "
                   "com.datastax.oss.driver.api.core.AllNodesFailedException: "
                   "Could not reach any contact point, make sure you've "
                   "provided valid addresses (showing first 1 nodes, use "
                   "getAllErrors() for more): %s",
                   why);
}

static enum cs_code connect_driver(struct sbk *sbk, struct cs_err *err)
{
    enum cs_code rc;

    sbk->settings = cs_sbk_settings_new(&sbk->options);
    if (!sbk->settings)
        return cs_fail(err, CS_ENOMEM, "sbk: out of memory");
    rc = sbk->db->connect(sbk->settings, &sbk->driver, err);
    if (rc)
        return fail_to_connect(err);
    sbk->db->interrupt(sbk->driver, sbk->signals.fd);
    cs_sbk_tell_news(sbk);
    return CS_OK;
}

/* The server's words, without the name of its error in front: here that is the
 * name of an exception. */
static const char *words_of(const char *text)
{
    size_t name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");

    return name && !strncmp(text + name, ": ", 2) ? text + name + 2 : text;
}

static enum cs_code make_table(struct sbk *sbk, struct cs_err *err)
{
    enum cs_code rc =
        cs_sbk_make_table(&sbk->options, sbk->db, sbk->driver, err);
    char why[CS_ERR_TEXT];

    if (!rc || rc == CS_EINTERRUPTED)
        return rc;
    snprintf(why, sizeof(why), "%s", words_of(err->text));
    return cs_fail(err, rc, "Exception in thread \"main\" %s: %s",
                   rc == CS_ESERVER ? cs_sbk_server_class(err->server_code)
                                    : "java.lang.IllegalStateException",
                   why);
}

/* ---- the run ---- */

/* The server refuses the statement: SBK, which sends it as text, finds out
 * with its first request. */
static enum cs_code refuse_statement(struct sbk *sbk,
                                     const struct cs_sbk_plan *plan,
                                     const struct cs_sbk_watch *told,
                                     struct cs_err *err)
{
    struct cs_sbk_failure *failure = &sbk->outcome.failure;

    failure->failed = true;
    failure->java = cs_sbk_server_class(err->server_code);
    snprintf(failure->text, sizeof(failure->text), "%s", words_of(err->text));
    cs_sbk_run_begin(plan, told);
    return cs_sbk_run_nothing(plan, told, err);
}

static enum cs_code measure(struct sbk *sbk, struct cs_err *err)
{
    struct cs_sbk_plan plan = {.options = &sbk->options,
                               .db = sbk->db,
                               .driver = sbk->driver,
                               .statements = &sbk->statements,
                               .signal_fd = sbk->signals.fd,
                               .window_ns = WINDOW_NS};
    struct cs_sbk_watch told = cs_sbk_output;
    enum cs_code rc;

    told.ctx = sbk;
    rc = cs_sbk_prepare(&sbk->options, sbk->db, sbk->driver, &sbk->statements,
                        err);
    if (rc && rc != CS_ESERVER)
        return rc;
    if (sbk->options.readers > 0 && !sbk->options.scan)
        cs_sbk_tell_note(sbk, CS_MESSAGE_NOTE,
                         "notice: reads by key; -scan reads as SBK does");
    cs_sbk_put_workers_started(&sbk->options, &sbk->text);
    cs_sbk_print(sbk);
    return rc ? refuse_statement(sbk, &plan, &told, err)
              : cs_sbk_run(&plan, &told, &sbk->outcome, err);
}

/* A signal ended a wait for the server: the last lines all the same. */
static enum cs_code end_early(struct sbk *sbk, struct cs_err *err)
{
    struct cs_sbk_plan plan = {.options = &sbk->options};
    struct cs_sbk_watch told = cs_sbk_output;

    told.ctx = sbk;
    sbk->outcome.signalled = true;
    cs_sbk_tell_signal(sbk);
    return cs_sbk_run_nothing(&plan, &told, err);
}

/* What the run came to, as the status and the line on stderr. */
static enum cs_code judge(struct sbk *sbk, struct cs_err *err)
{
    const struct cs_sbk_failure *failure = &sbk->outcome.failure;
    bool csv_failed = sbk->csv && ferror(sbk->csv);

    if (failure->failed)
        return cs_fail(err, CS_EFAILED,
                       "java.util.concurrent.ExecutionException: %s: %s",
                       failure->java, failure->text);
    if (sbk->outcome.signalled) {
        cs_fail(err, CS_EINTERRUPTED, "interrupted");
        err->sys_errno = sbk->signals.taken;
        return CS_EINTERRUPTED;
    }
    if (csv_failed)
        return cs_fail(err, CS_ESYSTEM, "sbk: -csvfile: cannot write '%s'",
                       sbk->options.csv_file);
    return check_output(sbk, err);
}

static enum cs_code run(struct sbk *sbk, struct cs_err *err)
{
    enum cs_code rc = start_loggers(sbk, err);

    if (!rc)
        rc = cs_signals_open(&sbk->signals, err);
    if (!rc)
        rc = connect_driver(sbk, err);
    if (!rc)
        rc = make_table(sbk, err);
    if (!rc)
        rc = measure(sbk, err);
    if (rc == CS_EINTERRUPTED)
        rc = end_early(sbk, err);
    if (rc)
        return rc;
    cs_sbk_put_end(&sbk->options, &sbk->outcome, &sbk->text);
    cs_sbk_print(sbk);
    fputs(cs_buf_text(&sbk->last), stderr);
    return judge(sbk, err);
}

static void release(struct sbk *sbk)
{
    if (sbk->driver)
        sbk->db->close(sbk->driver);
    cs_sbk_endpoint_free(sbk->endpoint);
    if (sbk->csv)
        fclose(sbk->csv);
    cs_sbk_settings_free(sbk->settings);
    cs_notices_release(&sbk->notices);
    cs_signals_close(&sbk->signals);
    cs_buf_release(&sbk->text);
    cs_buf_release(&sbk->last);
}

bool cs_command_is_sbk(int argc, char **argv, int *first)
{
    const char *slash = argc ? strrchr(argv[0], '/') : NULL;
    const char *name = slash ? slash + 1 : argc ? argv[0] : "";

    *first = cs_same_word(name, "sbk") ? 1 : 2;
    return *first == 1 || (argc > 1 && cs_same_word(argv[1], "sbk"));
}

enum cs_code cs_command_sbk(int argc, char **argv, struct cs_err *err)
{
    struct sbk sbk = {.argc = argc,
                      .argv = argv,
                      .db = &cs_cassandra_driver,
                      .signals = {.fd = -1}};
    enum cs_code rc;

    cs_buf_init(&sbk.text, CS_SBK_TEXT_MAX);
    cs_buf_init(&sbk.last, CS_SBK_TEXT_MAX);
    cs_notices_init(&sbk.notices);
    cs_sbk_peek(argc, argv, &sbk.options);
    rc = read_arguments(&sbk, err);
    if (!rc && sbk.options.asked != CS_SBK_RUN)
        rc = show_answer(&sbk, err);
    else if (!rc)
        rc = run(&sbk, err);
    release(&sbk);
    return rc;
}
