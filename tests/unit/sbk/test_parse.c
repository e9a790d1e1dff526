/* The command line of SBK: what is read, what is refused and how. */
#include "sbk/options_internal.h"
#include "sbk/run.h"
#include "support/vectors.h"

#define WORDS_MAX 32

struct parsed {
    struct cs_sbk_options options;
    struct cs_sbk_refusal refusal;
    struct cs_err err;
    char words[512];
    char *argv[WORDS_MAX];
    enum cs_code rc;
};

static void parse(const char *line, struct parsed *out)
{
    char *save = NULL;
    int argc = 0;

    memset(out, 0, sizeof(*out));
    snprintf(out->words, sizeof(out->words), "%s", line);
    for (char *word = strtok_r(out->words, " ", &save); word;
         word = strtok_r(NULL, " ", &save))
        out->argv[argc++] = word;
    cs_sbk_peek(argc, out->argv, &out->options);
    out->rc =
        cs_sbk_parse(argc, out->argv, &out->options, &out->refusal, &out->err);
    if (!out->rc && out->options.asked == CS_SBK_RUN)
        out->rc = cs_sbk_check(&out->options, &out->refusal, &out->err);
}

static void reads_the_usual_line(void **state)
{
    struct parsed p;

    (void)state;
    parse("-class Cassandra -writers 3 -size 100 -seconds 120 -node 127.0.0.7 "
          "-port 9043 -keyspace k -table t -rf 2 -recreate false -throughput "
          "0.5 -time mcs -wq TRUE extra words",
          &p);
    assert_int_equal(p.rc, CS_OK);
    assert_int_equal(p.options.writers, 3);
    assert_int_equal(p.options.seconds, 120);
    assert_string_equal(p.options.node, "127.0.0.7");
    assert_int_equal(p.options.port, 9043);
    assert_string_equal(p.options.table, "t");
    assert_int_equal(p.options.factor, 2);
    assert_false(p.options.recreate);
    assert_true(p.options.write_requests);
    assert_true(p.options.throughput == 0.5);
    assert_int_equal(p.options.max_latency, 180000000);
    assert_false(p.options.forever);
}

static void has_the_defaults_of_sbk(void **state)
{
    struct parsed p;

    (void)state;
    parse("-class cassandra -readers 1 -size 100", &p);
    assert_int_equal(p.rc, CS_OK);
    assert_string_equal(p.options.node, "localhost");
    assert_int_equal(p.options.port, 9042);
    assert_string_equal(p.options.keyspace, "sbk");
    assert_string_equal(p.options.table, "temp");
    assert_string_equal(p.options.strategy, "SimpleStrategy");
    assert_int_equal(p.options.max_latency, 180000);
    assert_int_equal(p.options.format, CS_SBK_0_88_PRE);
    assert_int_equal(p.options.extras, CS_SBK_10);
    assert_int_equal(p.options.cl, CS_CL_LOCAL_ONE);
    assert_true(p.options.recreate);
    assert_true(p.options.forever);
}

static const struct {
    const char *line;
    int status;
    const char *stderr_line; /* its beginning */
    const char *log;         /* the line ERROR; "": none */
    bool helps;
} refused[] = {
    {"-writers 1 -size 100 -seconds 5", 1,
     "org.apache.commons.cli.ParseException: The option '-class' is not "
     "supplied",
     "", true},
    {"-writers 1 -nosuch 1", 2, "sbk: unknown option '-nosuch'",
     "org.apache.commons.cli.UnrecognizedOptionException: Unrecognized "
     "option: -nosuch",
     true},
    {"-class cassandra -writers 1 -size 100 -context 19718/metrics", 2,
     "sbk: unknown option '-context'",
     "org.apache.commons.cli.UnrecognizedOptionException: Unrecognized "
     "option: -context",
     true},
    {"-class cassandra -writers 1 -size 100 -seconds 5 -csvfile x.csv", 2,
     "sbk: unknown option '-csvfile'",
     "org.apache.commons.cli.UnrecognizedOptionException: Unrecognized "
     "option: -csvfile",
     true},
    {"-class nosuch -writers 1", 1,
     "java.lang.ClassNotFoundException: class 'nosuch' not found in package: "
     "io.sbk.driver",
     "Instantiation of storage class 'nosuch' from the package "
     "'io.sbk.driver' failed!, error: java.lang.ClassNotFoundException: class "
     "'nosuch' not found in package: io.sbk.driver",
     true},
    {"-class cassandra -writers 1 -out nosuch", 1,
     "java.lang.ClassNotFoundException: class 'nosuch' not found in package: "
     "io.sbk.logger",
     "Instantiation of Logger class 'nosuch' from the package 'io.sbk.logger' "
     "failed!, error: java.lang.ClassNotFoundException: class 'nosuch' not "
     "found in package: io.sbk.logger",
     true},
    {"-class cassandra -writers 1 -seconds 5", 1,
     "java.lang.IllegalArgumentException: Error: The record 'size' must be "
     "greater than zero",
     "Error: The record 'size' must be greater than zero", true},
    {"-class cassandra -size 100 -seconds 5", 1,
     "java.lang.IllegalArgumentException: Error: Must specify the number of "
     "writers or readers",
     "Error: Must specify the number of writers or readers", true},
    {"-class cassandra -writers -1 -size 100", 1,
     "java.lang.IllegalArgumentException: Error: Must specify the number of "
     "writers or readers",
     "Error: Must specify the number of writers or readers", true},
    {"-class cassandra -writers x -size 100", 1,
     "java.lang.NumberFormatException: For input string: \"x\"",
     "For input string: \"x\"", true},
    {"-class cassandra -writers 99999999999 -size 100", 1,
     "java.lang.NumberFormatException: For input string: \"99999999999\"",
     "For input string: \"99999999999\"", true},
    {"-class cassandra -writers 1 -size 100 -seconds", 1,
     "org.apache.commons.cli.MissingArgumentException: Missing argument for "
     "option: seconds",
     "Missing argument for option: seconds", true},
    {"-class cassandra -writers 1 -seconds -size 100", 1,
     "org.apache.commons.cli.MissingArgumentException: Missing argument for "
     "option: seconds",
     "Missing argument for option: seconds", true},
    {"-class cassandra -writers 1 -size 100 -time us", 1,
     "java.lang.IllegalArgumentException: No enum constant io.time.TimeUnit."
     "us",
     "No enum constant io.time.TimeUnit.us", true},
    /* Ours, in one line. */
    {"-class cassandra -writers 1 -readers 1 -size 100", 1,
     "sbk: -writers together with -readers is refused", "", false},
    {"-class cassandra -writers 1 -size 100 -out GrpcLogger -sbm h", 1,
     "sbk: -out GrpcLogger is not offered", "", false},
    {"-class cassandra -writers 1 -size 100 -out WebLogger", 1,
     "sbk: -out WebLogger is not offered", "", false},
    {"-class cassandra -writers 1 -size 100 -format 0.3", 1,
     "sbk: -format: '0.3' is no release of SBK", "", false},
    {"-class cassandra -writers 1 -size 100 -cl FEW", 1,
     "sbk: -cl: 'FEW' is no consistency level", "", false},
    {"-class cassandra -writers 1 -size 100 -port 99999", 1,
     "sbk: -port: 99999 is out of range", "", false},
};

static void refuses_as_sbk_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(refused); i++) {
        struct parsed p;

        parse(refused[i].line, &p);
        if (p.rc == CS_OK)
            fail_msg("%s: taken", refused[i].line);
        assert_int_equal(cs_exit_status(&p.err), refused[i].status);
        if (strncmp(p.err.text, refused[i].stderr_line,
                    strlen(refused[i].stderr_line)) != 0)
            fail_msg("%s: %s", refused[i].line, p.err.text);
        assert_string_equal(p.refusal.log, refused[i].log);
        assert_int_equal(p.refusal.helps, refused[i].helps);
    }
}

static void checks_the_idle_time_late(void **state)
{
    struct parsed p;

    (void)state;
    parse("-class cassandra -writers 1 -size 1 -records 1 "
          "-idletimeoutseconds 3",
          &p);
    assert_int_equal(p.rc, CS_OK);
    assert_int_equal(cs_sbk_check_late(&p.options, &p.err), CS_EUSAGE);
    assert_string_equal(p.err.text,
                        "java.lang.IllegalArgumentException: PerL idle timeout "
                        "seconds must be greater than the reporting interval "
                        "of 5000 milliseconds");
}

static const struct {
    const char *text;
    enum cs_sbk_format format;
} formats[] = {
    {"0.85", CS_SBK_0_85},
    {"0.87", CS_SBK_0_85},
    {"0.88", CS_SBK_0_88},
    {"0.881", CS_SBK_0_88},
    {"0.91", CS_SBK_0_91},
    {"1.0", CS_SBK_0_91},
    {"0.88-pre", CS_SBK_0_88_PRE},
    {"2.0", CS_SBK_2_0},
    {"3.1", CS_SBK_3_0},
    {"6.0", CS_SBK_4_0},
    {"8.0", CS_SBK_7_0},
    {"9.0", CS_SBK_9_0},
    {"10", CS_SBK_10},
    {"10.6", CS_SBK_10},
};

static void takes_the_layout_of_the_release_before(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(formats); i++) {
        enum cs_sbk_format format;
        struct cs_err err;

        assert_int_equal(cs_sbk_format_parse(formats[i].text, &format, &err),
                         CS_OK);
        assert_int_equal(format, formats[i].format);
    }
}

/* ---- help ---- */

static void help(const char *line, struct cs_buf *out)
{
    struct parsed p;

    cs_buf_init(out, (size_t)1 << 16);
    parse(line, &p);
    assert_int_equal(p.rc, CS_OK);
    assert_int_equal(p.options.asked, CS_SBK_HELP);
    cs_sbk_put_help(&p.options, out);
}

/* Whether the help has the option, with the default that SBK shows. */
static bool shows(struct cs_buf *help, const char *name, const char *preset)
{
    char front[80], back[80];
    const char *at;
    const char *end;

    snprintf(front, sizeof(front), "\n -%s ", name);
    snprintf(back, sizeof(back), "; default: %s", preset);
    at = strstr(cs_buf_text(help), front);
    if (!at)
        return false;
    end = strchr(at + 1, '\n');
    if (strcmp(preset, "-") != 0 &&
        strncmp(end - strlen(back), back, strlen(back)) != 0)
        fail_msg("-%s: default is not %s", name, preset);
    return true;
}

static void lists_the_options_of_the_vectors(void **state)
{
    struct cs_buf bare, plain, csv, page;
    struct vector_file v;
    unsigned options = 0;
    char *f[4];

    (void)state;
    help("-help", &bare);
    help("-class cassandra -help", &plain);
    help("-class cassandra -out CSVLogger -help", &csv);
    help("-class cassandra -out PrometheusLogger -help", &page);
    vector_open(&v, "output/sbk/options.tsv");
    while (vector_next_line(&v) && vector_fields(&v, f, 4) == 4) {
        bool class = strstr(f[3], "class not given") != NULL;
        bool of_driver = strstr(f[3], "driver") != NULL;
        bool of_csv = strstr(f[3], "CSVLogger") != NULL;
        bool of_page = strstr(f[3], "PrometheusLogger") != NULL;
        bool always = !strcmp(f[3], "always");

        if (!strcmp(f[0], "option"))
            continue;
        options++;
        assert_int_equal(shows(&bare, f[0], f[2]), class || always);
        assert_int_equal(shows(&plain, f[0], f[2]), always || of_driver);
        assert_int_equal(shows(&csv, f[0], f[2]),
                         always || of_driver || of_csv);
        assert_int_equal(shows(&page, f[0], f[2]),
                         always || of_driver || of_csv || of_page);
    }
    assert_int_equal(options, 33);
    assert_non_null(strstr(cs_buf_text(&bare), "\nusage: sbk -out "
                                               "SystemLogger\n"));
    assert_non_null(strstr(cs_buf_text(&csv),
                           "\nusage: sbk -class cassandra -out "
                           "CSVLogger\n"));
    cs_buf_release(&bare);
    cs_buf_release(&plain);
    cs_buf_release(&csv);
    cs_buf_release(&page);
}

/* ---- rates and ramps ---- */

static const struct {
    const char *line;
    int64_t per_s;
} rates[] = {
    {"-writers 2 -seconds 11 -records 200", 100},
    {"-writers 3 -seconds 11 -records 200", 66},
    {"-writers 2 -seconds 11", 0},
    {"-writers 2 -records 200", 0},
    {"-writers 2 -seconds 11 -throughput 1 -size 1000", 524},
    {"-writers 1 -records 300 -throughput 1 -size 1000", 1048},
    {"-writers 2 -records 500 -throughput 0", 0},
    {"-writers 2 -seconds 5 -records 500 -throughput 0", 0},
    {"-readers 4 -seconds 6 -records 500", 125},
};

static void divides_the_rate_among_workers(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rates); i++) {
        struct parsed p;
        char line[200];

        snprintf(line, sizeof(line), "-class cassandra -size 100 %s",
                 rates[i].line);
        parse(line, &p);
        assert_int_equal(p.rc, CS_OK);
        assert_int_equal(cs_sbk_worker_rate(&p.options), rates[i].per_s);
    }
}

static void ramps_up_in_steps(void **state)
{
    struct parsed p;

    (void)state;
    parse("-class cassandra -size 100 -writers 5 -wstep 2 -wsec 3", &p);
    assert_int_equal(cs_sbk_ramp_ns(&p.options, 0), 0);
    assert_int_equal(cs_sbk_ramp_ns(&p.options, 1), 0);
    assert_int_equal(cs_sbk_ramp_ns(&p.options, 2), INT64_C(3000000000));
    assert_int_equal(cs_sbk_ramp_ns(&p.options, 4), INT64_C(6000000000));
    parse("-class cassandra -size 100 -readers 5", &p);
    assert_int_equal(cs_sbk_ramp_ns(&p.options, 4), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_usual_line),
        cmocka_unit_test(has_the_defaults_of_sbk),
        cmocka_unit_test(refuses_as_sbk_does),
        cmocka_unit_test(checks_the_idle_time_late),
        cmocka_unit_test(takes_the_layout_of_the_release_before),
        cmocka_unit_test(lists_the_options_of_the_vectors),
        cmocka_unit_test(divides_the_rate_among_workers),
        cmocka_unit_test(ramps_up_in_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
