/* dist_parse.c - text such as "~exp(1..10k)" to a distribution. */
#include "random/dist_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* Most arguments that any text may have. */
#define ARGS_MAX 8

struct args {
    char text[CS_DIST_TEXT_MAX]; /* cut into the items */
    const char *items[ARGS_MAX];
    int count; /* may be above ARGS_MAX: then only counted */
};

typedef enum cs_code (*parse_fn)(const struct args *args,
                                 struct cs_dist_spec *out, struct cs_err *err);

/* ---- one parser per family; args->count has been checked ---- */

static enum cs_code parse_fixed(const struct args *args,
                                struct cs_dist_spec *out, struct cs_err *err)
{
    int64_t value;

    if (!cs_dist_parse_integer(args->items[0], &value))
        return cs_fail(err, CS_EINVALID,
                       "'%s' is no number of 64 bits, expected digits and "
                       "perhaps k, m or b",
                       args->items[0]);
    *out = cs_dist_fixed(value);
    return CS_OK;
}

static enum cs_code parse_uniform(const struct args *args,
                                  struct cs_dist_spec *out, struct cs_err *err)
{
    enum cs_code rc = cs_dist_parse_range(args->items[0], out, err);

    if (!rc)
        *out = cs_dist_uniform(out->min, out->max);
    return rc;
}

static enum cs_code parse_gaussian(const struct args *args,
                                   struct cs_dist_spec *out, struct cs_err *err)
{
    enum cs_code rc = cs_dist_parse_range(args->items[0], out, err);
    double edge = 3.0;
    double mean;

    if (rc)
        return rc;
    *out = cs_dist_gaussian(out->min, out->max);
    if (args->count == 2) {
        rc = cs_dist_parse_positive(args->items[1], "number of deviations",
                                    &edge, err);
        if (!rc && out->kind == CS_DIST_GAUSSIAN)
            out->stdev = ((double)(out->max - out->min) / 2.0) / edge;
    }
    if (args->count == 3) {
        if (!cs_dist_parse_real(args->items[1], &mean))
            return cs_fail(err, CS_EINVALID, "mean '%s' is no number",
                           args->items[1]);
        rc = cs_dist_parse_positive(args->items[2], "standard deviation", &edge,
                                    err);
        if (!rc && out->kind == CS_DIST_GAUSSIAN) {
            out->mean = mean;
            out->stdev = edge;
        }
    }
    return rc;
}

static enum cs_code parse_exp(const struct args *args, struct cs_dist_spec *out,
                              struct cs_err *err)
{
    enum cs_code rc = cs_dist_parse_range(args->items[0], out, err);

    if (rc)
        return rc;
    if (out->max - out->min <= 1) { /* the mean would be infinite */
        *out = cs_dist_uniform(out->min, out->max);
        return CS_OK;
    }
    out->kind = CS_DIST_EXP;
    out->mean = cs_dist_exp_mean(out->min, out->max);
    return CS_OK;
}

static enum cs_code parse_extreme(const struct args *args,
                                  struct cs_dist_spec *out, struct cs_err *err)
{
    enum cs_code rc = cs_dist_parse_range(args->items[0], out, err);

    if (!rc)
        rc = cs_dist_parse_positive(args->items[1], "shape", &out->shape, err);
    if (rc)
        return rc;
    if (out->min == out->max) {
        *out = cs_dist_fixed(out->min);
        return CS_OK;
    }
    out->kind = CS_DIST_EXTREME;
    out->scale = cs_dist_extreme_scale(out->min, out->max, out->shape);
    return CS_OK;
}

static enum cs_code parse_qextreme(const struct args *args,
                                   struct cs_dist_spec *out, struct cs_err *err)
{
    enum cs_code rc = parse_extreme(args, out, err);
    int64_t quantas;

    if (rc)
        return rc;
    if (out->min == out->max)
        return cs_fail(err, CS_EINVALID, "range '%s' needs two different ends",
                       args->items[0]);
    if (!cs_dist_parse_digits(args->items[2], strlen(args->items[2]), false,
                              &quantas) ||
        quantas < 1 || quantas > INT32_MAX)
        return cs_fail(err, CS_EINVALID,
                       "number of quantas '%s', expected 1 to %d",
                       args->items[2], INT32_MAX);
    out->kind = CS_DIST_QEXTREME;
    out->quantas = (int)quantas;
    return CS_OK;
}

static enum cs_code parse_seq(const struct args *args, struct cs_dist_spec *out,
                              struct cs_err *err)
{
    enum cs_code rc = cs_dist_parse_range(args->items[0], out, err);

    if (!rc && out->min == out->max)
        return cs_fail(err, CS_EINVALID, "range '%s' needs two different ends",
                       args->items[0]);
    out->kind = CS_DIST_SEQ;
    return rc;
}

/* ---- the whole text ---- */

static const struct family {
    const char *usage;
    int min_args;
    int max_args;
    parse_fn parse;
} families[] = {
    [CS_DIST_FIXED] = {"fixed(value)", 1, 1, parse_fixed},
    [CS_DIST_UNIFORM] = {"uniform(min..max)", 1, 1, parse_uniform},
    [CS_DIST_GAUSSIAN] = {"gaussian(min..max[,deviations]) or "
                          "gaussian(min..max,mean,stdev)",
                          1, 3, parse_gaussian},
    [CS_DIST_EXP] = {"exp(min..max)", 1, 1, parse_exp},
    [CS_DIST_EXTREME] = {"extreme(min..max,shape)", 2, 2, parse_extreme},
    [CS_DIST_QEXTREME] = {"qextreme(min..max,shape,quantas)", 3, 3,
                          parse_qextreme},
    [CS_DIST_SEQ] = {"seq(min..max)", 1, 1, parse_seq},
};

/* Names and the one to offer for a word near to it. weibull is in the help of
 * the original, which then refuses it. */
static const struct name {
    const char *word;
    const char *offer;
    enum cs_dist_kind kind;
} names[] = {
    {"GAUSSIAN", "GAUSSIAN", CS_DIST_GAUSSIAN},
    {"GAUSS", "GAUSSIAN", CS_DIST_GAUSSIAN},
    {"NORMAL", "NORMAL", CS_DIST_GAUSSIAN},
    {"NORM", "NORMAL", CS_DIST_GAUSSIAN},
    {"UNIFORM", "UNIFORM", CS_DIST_UNIFORM},
    {"FIXED", "FIXED", CS_DIST_FIXED},
    {"EXP", "EXP", CS_DIST_EXP},
    {"EXTREME", "EXTREME", CS_DIST_EXTREME},
    {"EXTR", "EXTREME", CS_DIST_EXTREME},
    {"WEIBULL", "EXTREME", CS_DIST_EXTREME},
    {"QEXTREME", "QEXTREME", CS_DIST_QEXTREME},
    {"QEXTR", "QEXTREME", CS_DIST_QEXTREME},
    {"SEQ", "SEQ", CS_DIST_SEQ},
};

static enum cs_code unknown_name(const char *word, struct cs_err *err)
{
    const char *words[CS_COUNT(names)];
    const char *near;

    for (size_t i = 0; i < CS_COUNT(names); i++)
        words[i] = names[i].word;
    near = cs_nearest(word, words, CS_COUNT(words));
    for (size_t i = 0; near && i < CS_COUNT(names); i++)
        if (near == names[i].word)
            return cs_fail(err, CS_EINVALID,
                           "unknown distribution '%s', try '%s'", word,
                           names[i].offer);
    return cs_fail(err, CS_EINVALID,
                   "unknown distribution '%s', expected FIXED, UNIFORM, "
                   "GAUSSIAN, EXP, EXTREME, QEXTREME or SEQ",
                   word);
}

static enum cs_code find_name(const char *word, enum cs_dist_kind *out,
                              struct cs_err *err)
{
    for (size_t i = 0; i < CS_COUNT(names); i++) {
        if (cs_same_word(word, names[i].word)) {
            *out = names[i].kind;
            return CS_OK;
        }
    }
    return unknown_name(word, err);
}

/* Items between commas; empty ones are dropped, as in the original. */
static void cut_items(struct args *args, char *text)
{
    char *rest = text;
    char *item;

    while ((item = strsep(&rest, ",")) != NULL) {
        if (!*item)
            continue;
        if (args->count < ARGS_MAX)
            args->items[args->count] = cs_dist_trim(item);
        args->count++;
    }
}

/* "NAME(args)" into the name and the items. False: it has not that form. */
static bool cut_text(struct args *args, char **name)
{
    char *text = args->text;
    size_t letters = 0;
    size_t size = strlen(text);

    while (isalpha((unsigned char)text[letters]))
        letters++;
    if (!letters || text[letters] != '(' || text[size - 1] != ')' ||
        size < letters + 3)
        return false;
    text[letters] = 0;
    text[size - 1] = 0;
    *name = text;
    cut_items(args, text + letters + 1);
    return true;
}

static enum cs_code parse_args(const struct args *args, enum cs_dist_kind kind,
                               struct cs_dist_spec *out, struct cs_err *err)
{
    const struct family *family = &families[kind];

    if (args->count < family->min_args || args->count > family->max_args)
        return cs_fail(err, CS_EINVALID, "%d argument%s, expected %s",
                       args->count, args->count == 1 ? "" : "s", family->usage);
    return family->parse(args, out, err);
}

/* exp(a..a+1) is the one text that is taken otherwise than typed. */
static void note_change(const char *text, enum cs_dist_kind typed,
                        const struct cs_dist_spec *spec, struct cs_buf *notice)
{
    if (notice && typed == CS_DIST_EXP && spec->kind == CS_DIST_UNIFORM)
        cs_buf_printf(notice,
                      "distribution '%s' has no finite mean: taken as "
                      "%suniform(%" PRId64 "..%" PRId64 ")",
                      text, spec->inverted ? "~" : "", spec->min, spec->max);
}

/* No name with arguments in parentheses: the two slips that people make. */
static enum cs_code refuse_form(const char *text, struct cs_err *err)
{
    size_t digits = strspn(text, "0123456789");

    if (digits && digits + strspn(text + digits, "kKmMbB") == strlen(text))
        return cs_fail(err, CS_EINVALID,
                       "'%s' is no distribution, expected fixed(%s)", text,
                       text);
    return cs_fail(err, CS_EINVALID,
                   "'%s' is no distribution, expected a form like "
                   "uniform(1..10)%s",
                   text,
                   strchr(text, '(') && !strchr(text, ')')
                       ? "; the closing ')' is missing"
                       : "");
}

enum cs_code cs_dist_parse(const char *text, struct cs_dist_spec *out,
                           struct cs_buf *notice, struct cs_err *err)
{
    bool inverted = *text == '~';
    const char *plain = text + inverted;
    struct args args = {.count = 0};
    struct cs_dist_spec spec = {0};
    enum cs_dist_kind kind = CS_DIST_FIXED;
    enum cs_code rc;
    char *name;

    if (strlen(plain) >= sizeof(args.text))
        return cs_fail(err, CS_EINVALID,
                       "distribution longer than %d characters",
                       CS_DIST_TEXT_MAX - 1);
    memcpy(args.text, plain, strlen(plain) + 1);
    if (!cut_text(&args, &name))
        return refuse_form(text, err);
    rc = find_name(name, &kind, err);
    if (rc)
        return rc;
    rc = parse_args(&args, kind, &spec, err);
    if (rc)
        return cs_while(err, "distribution '%s'", text);
    spec.inverted = inverted;
    note_change(text, kind, &spec, notice);
    *out = spec;
    return CS_OK;
}
