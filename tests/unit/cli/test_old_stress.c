/* test_old_stress.c - stress and stress.py: what their options say, what is
 * told, what is refused, and by which names they are called. */
#include "cli_fixture.h"

static void parse_as(struct parsed *p, const char *program, const char *line)
{
    char *copy = strdup(line);
    char *rest = copy;
    char *argv[ARGS_MAX] = {NULL};
    int count = 0;

    memset(p, 0, sizeof(*p));
    cs_buf_init(&p->notices, 1 << 16);
    argv[count++] = strdup(program);
    while (*line && rest && count < ARGS_MAX - 1)
        argv[count++] = strdup(strsep(&rest, "|"));
    p->rc = cs_cli_parse(count, argv, &p->settings, &p->notices, &p->err);
    while (count)
        free(argv[--count]);
    free(copy);
}

/* A number of the settings that an option sets. */
#define AT(member)                                                             \
    offsetof(struct cs_settings_old, member),                                  \
        sizeof(((struct cs_settings_old *)0)->member)

static const struct {
    const char *line;
    size_t at, size;
    int64_t want;
} numbers[] = {
    {"-n|7", AT(keys), 7},
    {"-n7", AT(different), 7},
    {"-n|9|-F|4", AT(different), 4},
    {"-n|9|--num-different-keys=4", AT(different), 4},
    {"-n|100|-N|0.25", AT(first), 25},
    {"--columns|2", AT(columns), 2},
    {"--cells|2", AT(columns), 2},
    {"-S|9", AT(size), 9},
    {"-C|9", AT(cardinality), 9},
    {"-n|1", AT(cardinality), 50},
    {"-V", AT(random_sizes), 1},
    {"-r", AT(uniform), 1},
    {"-g|9", AT(per_call), 9},
    {"--get-range-slice-count|9", AT(per_call), 9},
    {"-y|Super|-u|3", AT(supers), 3},
    {"-y|super", AT(super), 1},
    {"-y|regular|-u|3", AT(supers), 1},
    {"-x|KEYS", AT(index), 1},
    {"-x|none", AT(index), 0},
    {"-i|3", AT(interval_s), 3},
    {"--true-rates", AT(true_rates), 1},
    {"--averages", AT(averages), 1},
    {"--averages|-ns", AT(averages), 0},
    {"--layout=2.0", AT(layout), 6},
    {"-n|1", AT(layout), CS_OLD_LAYOUT_USUAL},
    {"-Q|C1,C3", AT(name_count), 2},
    {"-o|insert", AT(operation), CS_OLD_INSERT},
    {"-o|READ", AT(operation), CS_OLD_READ},
    {"-o|rangeslice", AT(operation), CS_OLD_RANGE_SLICE},
    {"-o|RANGE_SLICE", AT(operation), CS_OLD_RANGE_SLICE},
    {"-o|indexedrangeslice", AT(operation), CS_OLD_INDEXED_RANGE_SLICE},
    {"-o|INDEXED_RANGE_SLICE", AT(operation), CS_OLD_INDEXED_RANGE_SLICE},
    {"-o|multiget", AT(operation), CS_OLD_MULTI_GET},
    {"-o|MULTI_GET", AT(operation), CS_OLD_MULTI_GET},
    {"-o|counter_add", AT(operation), CS_OLD_COUNTER_ADD},
    {"-o|counteradd", AT(operation), CS_OLD_COUNTER_ADD},
    {"-o|COUNTER_GET", AT(operation), CS_OLD_COUNTER_GET},
};

static int64_t number_at(const void *base, size_t at, size_t size)
{
    int64_t value = 0;

    memcpy(&value, (const char *)base + at, size); /* little-endian hosts */
    return value;
}

static void reads_each_option(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(numbers); i++) {
        struct parsed p;

        parse_as(&p, "stress", numbers[i].line);
        if (p.rc)
            fail_msg("%s: %s", numbers[i].line, p.err.text);
        assert_true(p.settings->old.on);
        if (number_at(&p.settings->old, numbers[i].at, numbers[i].size) !=
            numbers[i].want)
            fail_msg("%s: got %lld", numbers[i].line,
                     (long long)number_at(&p.settings->old, numbers[i].at,
                                          numbers[i].size));
        release(&p);
    }
}

static void shares_the_rest_with_the_new_commands(void **state)
{
    struct parsed p;
    const struct cs_settings *s;

    (void)state;
    parse_as(&p, "/usr/lib/cstress/stress",
             "-d|a,b|-n|100|-t|7|-th|50|-e|QUORUM|-l|2|-K|3|-i|2|-p|9043|-N|"
             "0.5|-un|me|-pw|x");
    assert_int_equal(p.rc, CS_OK);
    s = p.settings;
    assert_int_equal(s->node.count, 2);
    assert_int_equal(s->rate.threads, 7);
    assert_true(s->rate.throttle_per_s > 49 && s->rate.throttle_per_s < 51);
    assert_int_equal(s->command.cl, CS_CL_QUORUM);
    assert_int_equal(s->errors.tries, 3);
    assert_int_equal(s->port.native_port, 9043);
    assert_int_equal(s->log.interval_ms, 2100); /* 21 looks of 100 ms */
    assert_int_equal(s->command.count, 50);     /* half of them is skipped */
    assert_true(s->command.no_warmup && s->mode.prepared);
    release(&p);
}

static void has_the_defaults_of_each_tool(void **state)
{
    struct parsed p;

    (void)state;
    parse_as(&p, "stress", "");
    assert_int_equal(p.rc, CS_OK);
    assert_int_equal(p.settings->command.count, 1000000);
    assert_int_equal(p.settings->command.cl, CS_CL_ONE);
    assert_int_equal(p.settings->rate.threads, 50);
    assert_int_equal(p.settings->errors.tries, 10);
    assert_int_equal(p.settings->log.interval_ms, 10100);
    assert_false(p.settings->old.python);
    release(&p);
    parse_as(&p, "stress.py", "-o|multiget|-n|1001|-g|10");
    assert_int_equal(p.rc, CS_OK);
    assert_true(p.settings->old.python);
    assert_int_equal(p.settings->errors.tries, 1);
    assert_int_equal(p.settings->command.count, 101); /* keys by call */
    release(&p);
    parse_as(&p, "cstress", "stress|-k|-K|5");
    assert_int_equal(p.settings->errors.tries, 1); /* -k wins */
    assert_true(p.settings->errors.ignore);
    release(&p);
    parse_as(&p, "cstress", "stress.py|-n|5");
    assert_true(p.settings->old.python);
    release(&p);
}

static const struct {
    const char *line;
    const char *notice;
} told[] = {
    {"-m", "-m is ignored"},          {"-W", "-W is ignored"},
    {"-L", "-L is ignored"},          {"-L3", "-L3 is ignored"},
    {"-b", "-b is ignored"},          {"-tf|x", "-tf is ignored"},
    {"-U|UTF8Type", "-U is ignored"}, {"-p|9160", "-p 9160 is ignored"},
    {"-T|h", "no daemon is used"},    {"-n|100|-N|0.25", "begin at 25"},
};

static void tells_what_it_ignores(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(told); i++) {
        struct parsed p;

        parse_as(&p, "stress", told[i].line);
        if (p.rc)
            fail_msg("%s: %s", told[i].line, p.err.text);
        if (!strstr(cs_buf_text(&p.notices), told[i].notice))
            fail_msg("%s: no '%s' in: %s", told[i].line, told[i].notice,
                     cs_buf_text(&p.notices));
        release(&p);
    }
}

static const struct {
    const char *line;
    const char *text;
} refused[] = {
    {"free", "Application does not allow arbitrary arguments: free"},
    {"-o|READWRITE", "unknown operation 'READWRITE'"},
    {"-o|INSRT", "try 'INSERT'"},
    {"--num-key|5", "try '--num-keys'"},
    {"-e|FOO", "stress: -e: unknown consistency level 'FOO'"},
    {"-e|QUORUN", "try 'QUORUM'"},
    {"-n|5x", "-n: '5x' is not a number"},
    {"-n", "-n has no value"},
    {"-y|Wide", "neither Standard nor Super"},
    {"-N|1", "-N is out of range"},
    {"-s|0", "-s is out of range"},
    {"-i|0", "-i: 0 is out of 1.."},
    {"-c|0", "-c: 0 is out of 1.."},
    {"-x|bitmap", "-x: 'bitmap' is not KEYS"},
    {"-x|KEYS|-c|1", "the index is on C1"},
    {"-Q|C9", "-Q: no column 'C9', there are C0 to C4"},
    {"-Q|C1x", "-Q: no column 'C1x'"},
    {"--layout|2.1", "unknown layout '2.1'"},
    {"-o|INDEXED_RANGE_SLICE|-y|Super", "Standard only"},
    {"-f|/nowhere/at/all", "/nowhere/at/all"},
};

static void refuses_with_a_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(refused); i++) {
        struct parsed p;

        parse_as(&p, "stress", refused[i].line);
        if (!p.rc)
            fail_msg("accepted: %s", refused[i].line);
        if (!strstr(p.err.text, refused[i].text))
            fail_msg("%s: no '%s' in: %s", refused[i].line, refused[i].text,
                     p.err.text);
        assert_int_equal(cs_exit_status(&p.err), 1);
        release(&p);
    }
}

static void helps_as_the_old_tool(void **state)
{
    static const char *const lines[] = {"-h", "--help", "-n|5|--help"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(lines); i++) {
        struct parsed p;
        struct cs_buf text;

        parse_as(&p, "stress", lines[i]);
        assert_int_equal(p.rc, CS_OK);
        assert_int_equal(p.settings->command.type, CS_COMMAND_HELP);
        cs_buf_init(&text, 1 << 20);
        assert_int_equal(cs_cli_help(p.settings, &text, &p.err), CS_OK);
        assert_non_null(
            strstr(cs_buf_text(&text), "Usage: ./bin/stress [options]\n"));
        assert_non_null(
            strstr(cs_buf_text(&text), "-n NUM-KEYS, --num-keys=NUM-KEYS\n"));
        cs_buf_release(&text);
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_each_option),
        cmocka_unit_test(shares_the_rest_with_the_new_commands),
        cmocka_unit_test(has_the_defaults_of_each_tool),
        cmocka_unit_test(tells_what_it_ignores),
        cmocka_unit_test(refuses_with_a_reason),
        cmocka_unit_test(helps_as_the_old_tool),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
