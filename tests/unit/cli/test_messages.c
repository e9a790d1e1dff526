/* test_messages.c - what a refused line says, what an accepted one is warned
 * of, and what strict takes away. */
#include "cli_fixture.h"

#include <unistd.h>

static const struct {
    const char *line;   /* bars between the arguments */
    const char *text;   /* in the message */
    const char *hidden; /* not in it, or NULL */
} refused[] = {
    {"", "no command", NULL},
    {"writ|n=1", "try 'write'", NULL},
    {"write|n=1|-nodes|a", "unknown group, try '-node', near '-nodes'", NULL},
    {"write|n=1|trunkate=once", "try 'truncate='", NULL},
    {"-class|cassandra", "cstress sbk", NULL},
    {"write|n=1|-mode|native|cl=QUORUM",
     "belongs to the command write, before the first group, near 'cl=QUORUM'",
     NULL},
    {"write|n=1|-rate|throttle=1/s", "-rate: threads= is missing", NULL},
    {"write|n=1|duration=1m", "n= and duration= exclude each other", NULL},
    {"write|n=1|-rate|threads=4|auto", "exclude each other", NULL},
    {"write|n=1|-rate|threads", "the shell", NULL},
    {"write|n=1.5M", "write: not a number, expected digits", NULL},
    {"write|n=1_000", "near 'n=1_000'", NULL},
    {"write|duration=0.5m", "as in 30m, near 'duration=0.5m'", NULL},
    {"write|n=1|cl=QUORRUM", "try 'QUORUM'", NULL},
    {"write|n=1|-pop|seq=10", "expected first..last", NULL},
    {"write|n=1|-pop|seq=-5..5", "expected first..last", NULL},
    {"write|n=1|-node|a|b", "a second host list", NULL},
    {"write|n=1|-schema|factor=3", "inside replication()", NULL},
    {"write|n=1|-log|file=", "file= has no value", NULL},
    {"mixed|ratio(,read=1)|n=1", "a comma without an item", NULL},
    {"write|n=1|-?", "help write", NULL},
    {"write|n=1|-loops|count=0", "expected 1 to 1024", NULL},
    {"rows|read|n=3", "'read' writes no rows, expected write", NULL},
    {"rows|write", "expected n=, as in n=10", NULL},
    {"write|n=3|-format|cql", "it belongs to the command rows", NULL},
    {"responder|delai=fixed(1)", "try 'delay='", NULL},
    {"responder|broken=2", "a share is from 0 to 1", NULL},
    {"responder|keystore-password=Hush1|x=Hush1", "x=", NULL},
    {"help|nosuch", "no such command or group", NULL},
    /* secrets */
    {"write|n=1|-mode|password=Hush1|password=Hush1", "password=*******",
     "Hush1"},
    {"write|n=1|-mode|password=one|Hush1", "near '*******'", "Hush1"},
    {"write|password=Hush1", "near 'password=*******'", "Hush1"},
    {"write|n=1|-mode|passwrod=Hush1", "near 'passwrod=*******'", "Hush1"},
    {"write|n=1|-mode|Pasword=Hush1", "near 'Pasword=*******'", "Hush1"},
    {"write|n=1|-mode|pw=Hush1", "near 'pw=*******'", "Hush1"},
    {"write|n=1|-transport|trust-pwd=Hush1", "trust-pwd=*******", "Hush1"},
    {"write|n=1|-transport|trustore-pasword=Hush1", "*******", "Hush1"},
    {"write|n=1|-rate|truststore-password=Hush1", "*******", "Hush1"},
    {"legacy|-pw|one|Hush1", "stands alone", "Hush1"},
};

static void says_what_is_wrong_and_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(refused); i++) {
        struct parsed p;

        parse_line(&p, refused[i].line);
        if (!p.rc)
            fail_msg("accepted: %s", refused[i].line);
        if (!strstr(p.err.text, refused[i].text))
            fail_msg("%s: no '%s' in: %s", refused[i].line, refused[i].text,
                     p.err.text);
        if (refused[i].hidden && strstr(p.err.text, refused[i].hidden))
            fail_msg("%s: '%s' in: %s", refused[i].line, refused[i].hidden,
                     p.err.text);
        assert_int_equal(cs_exit_status(&p.err), 1);
        release(&p);
    }
}

static void puts_the_usage_of_the_group_in_a_second_line(void **state)
{
    struct parsed p;
    char *second;

    (void)state;
    parse_line(&p, "write|n=1|-rate|threads=x");
    second = strchr(p.err.text, '\n');
    assert_non_null(second);
    assert_string_equal(second + 1,
                        "Usage: -rate { [threads>=?] [threads<=?] [auto] | "
                        "threads=? [throttle=?] [fixed=?] [poisson] }");
    release(&p);
}

static const struct {
    const char *line;
    const char *text; /* in the notices; NULL: none at all */
} accepted[] = {
    {"write|n=10|-rate|threads=4|-node|127.0.0.1", NULL},
    {"write|n=10|-rate|threads>=72", "72, 108, 162, 243, 364, 546, 819"},
    {"write|n=10|-rate|threads>=2000", "raised to 2000"},
    {"write|n=10|-rate|threads<=2", "lowered to 2"},
    {"read|n=10|-rate|threads=1", "gaussian(1..10)"},
    {"write|duration=5m", "no -rate"},
    {"write|n=10|-pop|contents=sorted", "go through 1..10"},
    {"write|n=10|-node|a,b", "SimpleStrategy"},
    {"counter_write|n=10", "warm-up changes the counters"},
    {"write|n=10|-mode|port=1", "port= has no effect"},
    {"write|n=10|-insert|revisit=uniform(1..1000)", "one or two partitions"},
    {"write|n=10|-jmx|user=", "user= has no value"},
    {"mixed|n=10|cl=SERIAL|-rate|threads=1", "writes at LOCAL_ONE"},
};

static void warns_of_what_surprises(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(accepted); i++) {
        struct parsed p;
        const char *text;

        parse_line(&p, accepted[i].line);
        if (p.rc)
            fail_msg("%s: %s", accepted[i].line, p.err.text);
        text = cs_buf_text(&p.notices);
        if (accepted[i].text ? !strstr(text, accepted[i].text) : *text)
            fail_msg("%s: notices: %s", accepted[i].line, text);
        release(&p);
    }
}

/* Each is accepted, and refused with -compat strict behind it. */
static const char *const lenient[] = {
    "write|n=10|-graph|file=g|title=a b",
    "write|n=10|graph|file=g",
    "-n|10",
    "profile=cli-profile.yaml|ops(insert=1)|n=10",
    "write|n>1k",
    "write|n=10|keysize=1k",
    "write|n=10|-rate|threads=4|throttle=100",
    "write|n=10|-col|n=10",
    "write|n=10|no-warmup|no-warmup",
    "write|n=10|-node|a,",
    "write|n=10|-mode|auth-provider=PlainTextAuthProvider",
    "write|n=10|-reporting|output-frequency=1S",
};

static void strict_takes_the_leniencies_away(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(lenient); i++) {
        struct parsed p;
        char line[256];

        parse_line(&p, lenient[i]);
        if (p.rc)
            fail_msg("%s: %s", lenient[i], p.err.text);
        release(&p);
        snprintf(line, sizeof(line), "%s|-compat|strict", lenient[i]);
        parse_line(&p, line);
        if (!p.rc)
            fail_msg("strict accepts %s", lenient[i]);
        release(&p);
    }
}

static void the_environment_is_read_before_the_command_line(void **state)
{
    struct parsed p;

    (void)state;
    setenv("CSTRESS_COMPAT", "level=3.11 figures=original", 1);
    parse_line(&p, "write|n=1|-compat|figures=true");
    unsetenv("CSTRESS_COMPAT");
    assert_int_equal(p.rc, CS_OK);
    assert_int_equal(p.settings->compat.level, CS_LEVEL_3_11);
    assert_int_equal(p.settings->compat.data, CS_DATA_C3);
    assert_false(p.settings->compat.original_figures);
    release(&p);
    setenv("CSTRESS_COMPAT", "level=9", 1);
    parse_line(&p, "write|n=1");
    unsetenv("CSTRESS_COMPAT");
    assert_int_not_equal(p.rc, CS_OK);
    assert_non_null(strstr(p.err.text, "CSTRESS_COMPAT"));
    release(&p);
}

static int enter_folder(void **state)
{
    (void)state;
    unsetenv("CSTRESS_COMPAT");
    return chdir(CS_TEST_VECTORS "/cli");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_is_wrong_and_where),
        cmocka_unit_test(puts_the_usage_of_the_group_in_a_second_line),
        cmocka_unit_test(warns_of_what_surprises),
        cmocka_unit_test(strict_takes_the_leniencies_away),
        cmocka_unit_test(the_environment_is_read_before_the_command_line),
    };

    return cmocka_run_group_tests(tests, enter_folder, NULL);
}
