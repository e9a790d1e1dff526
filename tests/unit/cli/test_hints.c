/* test_hints.c - what people type wrong, and what they are told to type: one
 * line that names the place, what was found, and what is near; behind it one
 * line of usage. */
#include "cli_fixture.h"

static const struct {
    const char *line;  /* bars between the arguments */
    const char *place; /* how the message begins */
    const char *text;  /* in it */
    const char *usage; /* how the usage begins */
} rows[] = {
    /* commands */
    {"wirte|n=1", "unknown command", "try 'write', near 'wirte'",
     "cstress <command>"},
    {"read-write|n=1", "unknown command", "try 'mixed'", "cstress <command>"},
    {"counter|n=1", "unknown command", "try 'counter_write'",
     "cstress <command>"},
    {"counter-write|n=1", "unknown command", "try 'counter_write'",
     "cstress <command>"},
    {"validate|n=5", "unknown command",
     "try 'user profile=FILE ops(validate=1)', near 'validate'",
     "cstress <command>"},
    {"load|n=5", "unknown command", "try 'write'", "cstress <command>"},
    {"n=1000", "the command is missing", "as in 'write n=1000'",
     "cstress <command>"},
    {"-rate|threads=5|write", "no command specified", "near '-rate'",
     "cstress <command>"},
    {"check|wirte|n=1", "unknown command", "try 'write'", "cstress <command>"},
    /* groups */
    {"write|n=1|-nodes|a", "unknown group", "try '-node'", "cstress <command>"},
    {"write|n=1|--node|a", "unknown group", "try '-node'", "cstress <command>"},
    {"write|n=1|-node=a", "-node", "stands alone", "-node "},
    {"write|n=1|-cl|ONE", "unknown group", "cl= is a parameter of write",
     "cstress <command>"},
    {"write|n=1|-throttle|5/s", "unknown group",
     "throttle= is a parameter of -rate", "cstress <command>"},
    {"write|n=1|-nosuchthing", "unknown group", "near '-nosuchthing'",
     "cstress <command>"},
    {"write|n=1|-rate|threads=5|-rate|throttle=5/s", "-rate", "given twice",
     "-rate "},
    /* the names of parameters */
    {"write|n|1000", "write", "try 'n='", "write "},
    {"write|num=1000", "write", "try 'n='", "write "},
    {"write|n=1|consistency=ONE", "write", "try 'cl='", "write "},
    {"write|duration|10s", "write", "try 'duration='", "write "},
    {"write|n=1|nowarmup", "write", "try 'no-warmup'", "write "},
    {"write|n=1|-rate|thread=5", "-rate", "try 'threads='", "-rate "},
    {"write|n=1|-rate|threads|5", "-rate", "write threads=4", "-rate "},
    {"write|n=1|-rate|threads>5", "-rate", "try 'threads>='", "-rate "},
    {"write|n=1|-col|columns=5", "-col", "try 'n='", "-col "},
    {"write|n=1|-mode|pass=y", "-mode", "try 'password='", "-mode "},
    {"write|n=1|-errors|retry=3", "-errors", "try 'retries='", "-errors "},
    {"write|n=1|-log|file", "-log", "try 'file='", "-log "},
    {"write|n=1|-port|9042", "-port", "try 'native='", "-port "},
    {"write|n=1|-node|host=a", "-node", "try '-node a,b'", "-node "},
    {"write|n=1|-node|datacentre=a", "-node", "try 'datacenter='", "-node "},
    {"write|n=1|-graph|title=x", "-graph", "file= is missing", "-graph "},
    {"write|n=1|-node|a,b|c", "-node", "separate several by commas", "-node "},
    {"user|a.yaml|n=1|ops(insert=1)", "user", "try 'profile='", "user "},
    {"user|profile=a.yaml|n=1|opts(insert=1)", "user", "try 'ops('", "user "},
    {"print|gaussian(1..10)", "print", "try 'dist='", "print "},
    {"write|-rate|threads=5|n=1", "-rate",
     "belongs to the command write, before the first group", "-rate "},
    {"write|n=1|throttle=5/s", "write", "it belongs to -rate", "write "},
    /* lists */
    {"write|n=1|-schema|replication=3", "-schema",
     "list in parentheses: replication(", "-schema "},
    {"write|n=1|-schema|rf=3", "-schema", "try 'replication(factor=...)'",
     "-schema "},
    {"write|n=1|-schema|compaction=LeveledCompactionStrategy", "-schema",
     "list in parentheses: compaction(", "-schema "},
    {"write|n=1|-schema|replication(factor=3", "-schema",
     "closing parenthesis missing", "-schema "},
    {"mixed|ratio|read=1|n=1", "mixed", "list in parentheses: ratio(",
     "mixed "},
    {"mixed|ratio(reads=1)|n=1", "mixed", "try 'read='", "mixed "},
    {"user|profile=a.yaml|n=1|ops(insert:1)", "user",
     "not of the form name=value", "user "},
    /* values */
    {"write|n=1000000000000000000000", "write", "number beyond 64 bits",
     "write "},
    {"write|n=1e6", "write", "expected digits and at most one of k, m, b",
     "write "},
    {"write|n=1,000,000", "write", "not a number", "write "},
    {"write|n=", "write", "n= has no value", "write "},
    {"write|duration=10min", "write", "one of s, m, h, d", "write "},
    {"write|n=1|cl=LOCALQUORUM", "write", "try 'LOCAL_QUORUM'", "write "},
    {"write|n=1|truncate=yes", "write", "one of never, once, always", "write "},
    {"write|n=1|-rate|threads=4|throttle=5/m", "-rate", "as in 5000/s",
     "-rate "},
    {"write|n=1|-pop|dist=gauss(1,100)", "-pop", "expected min..max", "-pop "},
    {"write|n=1|-pop|dist=GAUS(1..9)", "-pop", "try 'GAUSSIAN'", "-pop "},
    {"write|n=1|-pop|dist=gaussian(1..9", "-pop", "is no distribution",
     "-pop "},
    {"write|n=1|-pop|seq=1-100", "-pop", "expected first..last", "-pop "},
    {"write|n=1|-pop|seq=100..1", "-pop", "runs backwards", "-pop "},
    {"write|n=1|-mode|protocolVersion=6", "-mode", "one of 3, 4, 5", "-mode "},
    {"write|n=1|-log|level=debug", "-log", "minimal, normal, verbose", "-log "},
    {"write|n=1|-log|interval=1m", "-log", "digits with s, ms or nothing",
     "-log "},
    {"write|n=1|-reporting|output-frequency=5", "-reporting",
     "one of s, m, h, d", "-reporting "},
    {"write|n=1|-insert|select-ratio=0.5", "-insert", "such as fixed(1)/1",
     "-insert "},
};

static void tells_what_to_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct parsed p;
        const char *second;

        parse_line(&p, rows[i].line);
        if (!p.rc)
            fail_msg("accepted: %s", rows[i].line);
        if (strncmp(p.err.text, rows[i].place, strlen(rows[i].place)) != 0 ||
            !strstr(p.err.text, rows[i].text))
            fail_msg("%s: no '%s' in: %s", rows[i].line, rows[i].text,
                     p.err.text);
        second = strchr(p.err.text, '\n');
        if (!second || strncmp(second, "\nUsage: ", 8) != 0 ||
            strncmp(second + 8, rows[i].usage, strlen(rows[i].usage)) != 0 ||
            strchr(second + 1, '\n'))
            fail_msg("%s: no usage of %s in: %s", rows[i].line, rows[i].usage,
                     p.err.text);
        assert_int_equal(cs_exit_status(&p.err), 1);
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_what_to_type),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
