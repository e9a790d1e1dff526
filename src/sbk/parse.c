/* parse.c - argv to options in the manner of SBK: first the words, then the
 * values one by one, then what they mean together. */
#include "base/clock.h"
#include "base/text.h"
#include "sbk/options_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define OPTIONS_MAX    64
#define UNKNOWN_STATUS 2

#define CLI_PACKAGE "org.apache.commons.cli."

/* What was typed for each row of the table; borrowed from argv. */
struct typed {
    const char *values[OPTIONS_MAX];
};

static const struct {
    const char *name;
    enum cs_sbk_logger logger;
    bool offered;
} loggers[] = {
    {"SystemLogger", CS_SBK_SYSTEM_LOGGER, true},
    {"Sl4jLogger", CS_SBK_SL4J_LOGGER, true},
    {"CSVLogger", CS_SBK_CSV_LOGGER, true},
    {"PrometheusLogger", CS_SBK_PROMETHEUS_LOGGER, true},
    {"GrpcLogger", CS_SBK_SYSTEM_LOGGER, false},
    {"WebLogger", CS_SBK_SYSTEM_LOGGER, false},
};

/* The reason goes into the log and, behind the name of the exception that SBK
 * throws, to stderr. */
CS_PRINTF(4, 5)
static enum cs_code refuse(struct cs_sbk_refusal *refusal, struct cs_err *err,
                           const char *java, const char *fmt, ...)
{
    va_list va;

    va_start(va, fmt);
    vsnprintf(refusal->log, sizeof(refusal->log), fmt, va);
    va_end(va);
    refusal->helps = true;
    return cs_fail(err, CS_EUSAGE, "%s: %s", java, refusal->log);
}

/* ---- words ---- */

/* The row that a word names, "-name", "--name" or "-name=value". */
static const struct cs_sbk_option *find(const char *word,
                                        const struct cs_sbk_options *options)
{
    const char *name = word + 1 + (word[1] == '-');
    size_t size = strcspn(name, "=");

    for (const struct cs_sbk_option *o = cs_sbk_option_table; o->name; o++)
        if (word[0] == '-' && strlen(o->name) == size &&
            !strncmp(o->name, name, size) && cs_sbk_option_is_there(o, options))
            return o;
    return NULL;
}

static bool takes_value(const struct cs_sbk_option *option)
{
    return option->type < CS_SBK_FLAG;
}

static enum cs_code refuse_unknown(const char *word,
                                   const struct cs_sbk_options *options,
                                   struct cs_sbk_refusal *refusal,
                                   struct cs_err *err)
{
    const char *names[OPTIONS_MAX];
    const char *nearest;
    size_t count = 0;

    for (const struct cs_sbk_option *o = cs_sbk_option_table; o->name; o++)
        if (cs_sbk_option_is_there(o, options))
            names[count++] = o->name;
    nearest = cs_nearest(word + 1, names, count);
    refuse(refusal, err, "sbk",
           "%sUnrecognizedOptionException: Unrecognized "
           "option: %s",
           CLI_PACKAGE, word);
    cs_fail(err, CS_ESTATUS, "sbk: unknown option '%.80s'%s%s", word,
            nearest ? ", try -" : "", nearest ? nearest : "");
    err->sys_errno = UNKNOWN_STATUS;
    return CS_ESTATUS;
}

static bool is_word(const char *word)
{
    return word[0] != '-' || !word[1] || (word[1] >= '0' && word[1] <= '9') ||
           word[1] == '.';
}

static enum cs_code read_words(int argc, char **argv,
                               const struct cs_sbk_options *options,
                               struct typed *typed,
                               struct cs_sbk_refusal *refusal,
                               struct cs_err *err)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const struct cs_sbk_option *option = find(argv[i], options);
        const char *equals = strchr(argv[i], '=');
        const char **value;

        if (is_word(argv[i]))
            continue;
        if (!option)
            return refuse_unknown(argv[i], options, refusal, err);
        value = &typed->values[option - cs_sbk_option_table];
        if (!takes_value(option))
            *value = "true";
        else if (equals)
            *value = equals + 1;
        else if (i + 1 < argc && !find(argv[i + 1], options))
            *value = argv[++i];
        else
            return refuse(refusal, err, CLI_PACKAGE "MissingArgumentException",
                          "Missing argument for option: %s", option->name);
    }
    return CS_OK;
}

/* ---- values ---- */

static enum cs_code read_number(const char *text, bool wide, int64_t *out,
                                struct cs_sbk_refusal *refusal,
                                struct cs_err *err)
{
    char *end;
    long long value;

    errno = 0;
    value = strtoll(text, &end, 10);
    if (end == text || *end || errno || text[0] == ' ' ||
        (!wide && (value > INT_MAX || value < INT_MIN)))
        return refuse(refusal, err, "java.lang.NumberFormatException",
                      "For input string: \"%.200s\"", text);
    *out = value;
    return CS_OK;
}

static enum cs_code read_double(const char *text, double *out,
                                struct cs_sbk_refusal *refusal,
                                struct cs_err *err)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end || value != value)
        return refuse(refusal, err, "java.lang.NumberFormatException",
                      "For input string: \"%.200s\"", text);
    *out = value;
    return CS_OK;
}

static enum cs_code read_unit(const char *text, enum cs_sbk_unit *out,
                              struct cs_sbk_refusal *refusal,
                              struct cs_err *err)
{
    for (int unit = CS_SBK_MS; unit <= CS_SBK_NS; unit++)
        if (!strcmp(text, cs_sbk_unit_name((enum cs_sbk_unit)unit))) {
            *out = (enum cs_sbk_unit)unit;
            return CS_OK;
        }
    refusal->before = "Invalid value for option '-time', valid values [ms, "
                      "mcs, ns]";
    return refuse(refusal, err, "java.lang.IllegalArgumentException",
                  "No enum constant io.time.TimeUnit.%.100s", text);
}

static enum cs_code read_value(const struct cs_sbk_option *option,
                               const char *text, struct cs_sbk_options *out,
                               struct cs_sbk_refusal *refusal,
                               struct cs_err *err)
{
    void *at = (char *)out + option->at;

    switch (option->type) {
    case CS_SBK_TEXT:
        *(const char **)at = text;
        break;
    case CS_SBK_INT:
    case CS_SBK_LONG:
        return read_number(text, option->type == CS_SBK_LONG, at, refusal, err);
    case CS_SBK_DOUBLE:
        return read_double(text, at, refusal, err);
    case CS_SBK_UNIT:
        return read_unit(text, at, refusal, err);
    case CS_SBK_BOOL:
    case CS_SBK_FLAG:
        *(bool *)at = cs_same_word(text, "true");
        break;
    case CS_SBK_ASK_HELP:
        out->asked = CS_SBK_HELP;
        break;
    case CS_SBK_ASK_VERSION:
        out->asked = CS_SBK_VERSION;
        break;
    }
    return CS_OK;
}

static enum cs_code read_values(const struct typed *typed,
                                struct cs_sbk_options *out,
                                struct cs_sbk_refusal *refusal,
                                struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    for (size_t i = 0; cs_sbk_option_table[i].name && !rc; i++) {
        const struct cs_sbk_option *option = &cs_sbk_option_table[i];
        const char *text = typed->values[i] ? typed->values[i] : option->preset;

        if (text)
            rc = read_value(option, text, out, refusal, err);
    }
    return rc;
}

/* ---- class and logger ---- */

static const char *value_of(int argc, char **argv, const char *name)
{
    const char *found = NULL;

    for (int i = 0; i + 1 < argc; i++)
        if (!strcmp(argv[i], name))
            found = argv[++i];
    return found;
}

void cs_sbk_peek(int argc, char **argv, struct cs_sbk_options *out)
{
    struct cs_err err;

    *out = (struct cs_sbk_options){
        .class_name = value_of(argc, argv, "-class"),
        .out = value_of(argc, argv, "-out"),
        .format_text = value_of(argc, argv, "-format"),
        .format = CS_SBK_0_88_PRE,
        .extras = CS_SBK_10,
    };
    for (size_t i = 0; out->out && i < CS_COUNT(loggers); i++)
        if (cs_same_word(out->out, loggers[i].name))
            out->logger = loggers[i].logger;
    if (out->format_text &&
        !cs_sbk_format_parse(out->format_text, &out->format, &err))
        out->extras = out->format;
}

static enum cs_code check_logger(const struct cs_sbk_options *options,
                                 struct cs_sbk_refusal *refusal,
                                 struct cs_err *err)
{
    for (size_t i = 0; i < CS_COUNT(loggers); i++) {
        if (!options->out || !cs_same_word(options->out, loggers[i].name))
            continue;
        if (loggers[i].offered)
            return CS_OK;
        return cs_fail(err, CS_EUSAGE,
                       "sbk: -out %s is not offered, expected SystemLogger, "
                       "Sl4jLogger, CSVLogger or PrometheusLogger (there is "
                       "no SBM server and no web console here)",
                       loggers[i].name);
    }
    if (!options->out)
        return CS_OK;
    refusal->early = true;
    refuse(refusal, err, "java.lang.ClassNotFoundException",
           "Instantiation of Logger class '%.100s' from the package "
           "'io.sbk.logger' failed!, error: java.lang.ClassNotFoundException: "
           "class '%.100s' not found in package: io.sbk.logger",
           options->out, options->out);
    return cs_fail(err, CS_EUSAGE,
                   "java.lang.ClassNotFoundException: class '%.100s' not "
                   "found in package: io.sbk.logger",
                   options->out);
}

static enum cs_code check_class(const struct cs_sbk_options *options,
                                struct cs_sbk_refusal *refusal,
                                struct cs_err *err)
{
    const char *name = options->class_name;

    if (cs_sbk_is_cassandra(options))
        return CS_OK;
    if (!name) {
        refusal->helps = true;
        return cs_fail(err, CS_EUSAGE,
                       CLI_PACKAGE "ParseException: The option '-class' is "
                                   "not supplied");
    }
    refuse(refusal, err, "java.lang.ClassNotFoundException",
           "Instantiation of storage class '%.100s' from the package "
           "'io.sbk.driver' failed!, error: java.lang.ClassNotFoundException: "
           "class '%.100s' not found in package: io.sbk.driver",
           name, name);
    return cs_fail(err, CS_EUSAGE,
                   "java.lang.ClassNotFoundException: class '%.100s' not "
                   "found in package: io.sbk.driver (the only driver here is "
                   "-class cassandra)",
                   name);
}

bool cs_sbk_is_cassandra(const struct cs_sbk_options *options)
{
    return options->class_name &&
           cs_same_word(options->class_name, "cassandra");
}

/* ---- all of it ---- */

static enum cs_code settle(struct cs_sbk_options *out, bool records_typed,
                           struct cs_err *err)
{
    enum cs_code rc = CS_OK;

    if (out->format_text)
        rc = cs_sbk_format_parse(out->format_text, &out->format, err);
    if (!rc && !cs_consistency_parse(out->cl_text, &out->cl))
        rc = cs_fail(err, CS_EUSAGE,
                     "-cl: '%.40s' is no consistency level, expected one "
                     "as in LOCAL_ONE or QUORUM",
                     out->cl_text);
    if (rc)
        return cs_while(err, "sbk");
    if (out->max_latency < 0)
        out->max_latency = 180 * CS_NS_PER_S / cs_sbk_unit_ns(out->unit);
    out->forever = out->seconds <= 0 && !records_typed;
    return CS_OK;
}

enum cs_code cs_sbk_parse(int argc, char **argv, struct cs_sbk_options *out,
                          struct cs_sbk_refusal *refusal, struct cs_err *err)
{
    struct typed typed = {{NULL}};
    enum cs_code rc;

    *refusal = (struct cs_sbk_refusal){.log = ""};
    rc = check_logger(out, refusal, err);
    if (rc)
        return rc;
    if (out->class_name && !cs_sbk_is_cassandra(out))
        return check_class(out, refusal, err);
    rc = read_words(argc, argv, out, &typed, refusal, err);
    if (!rc)
        rc = read_values(&typed, out, refusal, err);
    if (!argc)
        out->asked = CS_SBK_HELP;
    if (!rc && out->asked == CS_SBK_RUN)
        rc = check_class(out, refusal, err);
    if (!rc && out->asked == CS_SBK_RUN)
        rc = settle(out, out->records > 0, err);
    return rc;
}
