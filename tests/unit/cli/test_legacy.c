/* test_legacy.c - the options of the old tool, one by one: the new line that
 * they are translated to, what is told, and what is refused. */
#include "cli_fixture.h"

#include <unistd.h>

static const struct {
    const char *line;   /* behind `legacy` */
    const char *part;   /* of the translation */
    const char *notice; /* told besides, or NULL */
} rows[] = {
    {"-n|7",
     "write n=7 no-warmup cl=ONE -pop seq=1..7 -rate threads=50 -col "
     "n=FIXED(5) size=FIXED(34) -log interval=10 -mode native cql3 unprepared",
     NULL},
    {"-d|a", "write n=1000000 no-warmup", NULL},
    {"-o|INSERT", "write n=", NULL},
    {"-o|write", "write n=", NULL},
    {"-o|READ", "read n=", NULL},
    {"-o|COUNTER_ADD", "counter_write n=", NULL},
    {"-o|COUNTERWRITE", "counter_write n=", NULL},
    {"-o|COUNTER_GET", "counter_read n=", NULL},
    {"-o|READWRITE", "mixed n=", NULL},
    {"--operation=READ", "read n=", NULL},
    {"-n10", "write n=10 ", NULL},
    {"--num-keys|10", "write n=10 ", NULL},
    {"--num-keys=10", "write n=10 ", NULL},
    {"-n|10|-F|4", "-pop seq=1..4 ", NULL},
    {"-n|100|-N|0.25", "-pop seq=26..100 ", "-N: the keys begin at 26"},
    {"-o|READ|-n|10", "-pop dist=gauss(1..10,5.000000) ", NULL},
    {"-o|READ|-n|10|-F|4|-s|0.25", "-pop dist=gauss(1..4,2.000000) ", NULL},
    {"-o|READ|-n|10|-r", "-pop dist=uniform(1..10) ", NULL},
    {"-t|8", "-rate threads=8 ", NULL},
    {"--threadCount|8", "-rate threads=8 ", NULL},
    {"-th|100", "-rate threads=50 throttle=100/s ", NULL},
    {"-c|2|-S|9", "-col n=FIXED(2) size=FIXED(9) ", NULL},
    {"-V|-S|9", "size=UNIFORM(1..18) ", NULL},
    {"-Q|a,b", "-col names=a,b size=FIXED(34) ", NULL},
    {"-C|5", "write n=", "-C is ignored"},
    {"-RC|5", "write n=", "-RC is ignored"},
    {"-U|UTF8Type", "write n=", "-U is ignored"},
    {"-u|1", "write n=", "-u is ignored"},
    {"-y|Standard", "write n=", "-y is ignored"},
    {"-d|a,b", "-node a,b", NULL},
    {"-D|cli-nodes.txt", "-node file=cli-nodes.txt", NULL},
    {"-p|9160", "write n=", "-p is ignored"},
    {"-e|QUORUM", "cl=QUORUM ", NULL},
    {"-K|3", "-errors retries=2 ", NULL},
    {"-k", "-errors ignore retries=0 ", NULL},
    {"-i|3", "-log interval=3 ", NULL},
    {"-f|x.log", "-log interval=10 file=x.log ", NULL},
    {"-ns", "-log interval=10 no-summary ", NULL},
    {"-g|5", "write n=", "-g is ignored"},
    {"-x|KEYS", "write n=", "-x is ignored"},
    {"-W", "write n=", "-W is ignored"},
    {"-m", "write n=", "-m is ignored"},
    {"-tf|x", "write n=", "-tf is ignored"},
    {"-l|3", "-schema replication(strategy=SimpleStrategy,factor=3) ", NULL},
    {"-R|NetworkTopologyStrategy|-O|dc1:3,dc2:2",
     "-schema replication(strategy=NetworkTopologyStrategy,dc1=3,dc2=2) ",
     NULL},
    {"-I|LZ4Compressor", "-schema compression=LZ4Compressor ", NULL},
    {"-Z|LeveledCompactionStrategy",
     "-schema compaction(strategy=LeveledCompactionStrategy) ", NULL},
    {"-L", "-mode native cql3 unprepared", "-L is ignored"},
    {"-L3", "-mode native cql3 unprepared", "-L3 is ignored"},
    {"-b", "-mode native cql3 unprepared", "-b is ignored"},
    {"-L3|-P", "-mode native cql3\n", NULL},
    {"-un|me|-pw|Hush1", "unprepared user=me password=*******", NULL},
    {"-T|h1", "-sendto h1", "no daemon is used"},
    {"-ts|s.pem|-tspw|Hush1|-prtcl|TLSv1.2|-alg|X|-st|JKS",
     "-transport truststore=s.pem truststore-password=******* "
     "ssl-protocol=TLSv1.2 ssl-alg=X store-type=JKS",
     "store-type= has no effect"},
};

static void parse_old(struct parsed *p, const char *before, const char *line)
{
    char text[300];

    snprintf(text, sizeof(text), "%s%s", before, line);
    parse_line(p, text);
}

static void translates_each_option(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct parsed p;
        const char *told;

        parse_old(&p, "legacy|", rows[i].line);
        if (p.rc)
            fail_msg("%s: %s", rows[i].line, p.err.text);
        told = strstr(cs_buf_text(&p.notices), "legacy: translated to: ");
        if (!told || !strstr(told, rows[i].part))
            fail_msg("%s: no '%s' in: %s", rows[i].line, rows[i].part,
                     cs_buf_text(&p.notices));
        if (rows[i].notice && !strstr(cs_buf_text(&p.notices), rows[i].notice))
            fail_msg("%s: no '%s' in: %s", rows[i].line, rows[i].notice,
                     cs_buf_text(&p.notices));
        assert_null(strstr(cs_buf_text(&p.notices), "Hush1"));
        release(&p);
    }
}

static const struct {
    const char *line;
    const char *text;
} refused[] = {
    {"-o|RANGE_SLICE", "cstress stress"},
    {"-o|INDEXED_RANGE_SLICE", "cstress stress"},
    {"-o|MULTI_GET", "cstress stress"},
    {"-y|Super", "cstress stress"},
    {"-o|INSRT", "unknown operation 'INSRT', try 'INSERT'"},
    {"--num-key|5", "unknown option '--num-key', try '--num-keys'"},
    {"-n", "-n has no value"},
    {"-n|5x", "-n: '5x' is not a number"},
    {"-n|5|more", "word 3 stands alone"},
    {"-K|0", "-K starts at 1"},
    {"-N|1.5", "-N is out of range"},
    {"-o|READ|-s|0", "-s is out of range"},
};

static void refuses_with_a_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(refused); i++) {
        struct parsed p;

        parse_old(&p, "legacy|", refused[i].line);
        if (!p.rc)
            fail_msg("accepted: %s", refused[i].line);
        if (!strstr(p.err.text, refused[i].text))
            fail_msg("%s: no '%s' in: %s", refused[i].line, refused[i].text,
                     p.err.text);
        assert_int_equal(cs_exit_status(&p.err), 1);
        release(&p);
    }
}

/* The same words without `legacy`, but not those that are new groups. */
static void takes_bare_old_options(void **state)
{
    static const char *const lines[] = {"-d|a|-n|5", "-n|5", "--nodes=a",
                                        "-o|READ", "-n5"};
    struct parsed p;

    (void)state;
    for (size_t i = 0; i < CS_COUNT(lines); i++) {
        parse_line(&p, lines[i]);
        if (p.rc)
            fail_msg("%s: %s", lines[i], p.err.text);
        assert_non_null(strstr(cs_buf_text(&p.notices), "taken as 'legacy'"));
        release(&p);
        parse_old(&p, "check|", lines[i]);
        assert_int_equal(p.rc, CS_OK);
        assert_true(p.settings->check_only);
        release(&p);
    }
    parse_line(&p, "-node|a");
    assert_int_not_equal(p.rc, CS_OK);
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translates_each_option),
        cmocka_unit_test(refuses_with_a_reason),
        cmocka_unit_test(takes_bare_old_options),
    };

    if (chdir(CS_TEST_VECTORS "/cli"))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
