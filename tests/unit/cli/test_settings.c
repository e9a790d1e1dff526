/* test_settings.c - the lines that the product was asked for, field by field;
 * credentials and host files. */
#include "cli_fixture.h"

#include <unistd.h>

#define TUTORIAL                                                               \
    "user|profile=cli-profile.yaml|n=20000|ops(insert=3,read1=1)|"             \
    "truncate=once|no-warmup|cl=ONE"

static void takes_the_tutorial_line(void **state)
{
    struct parsed p;
    const struct cs_settings *s;

    (void)state;
    parse_line(&p, TUTORIAL);
    assert_int_equal(p.rc, CS_OK);
    s = p.settings;
    assert_int_equal(s->command.type, CS_COMMAND_USER);
    assert_int_equal(s->command.count, 20000);
    assert_int_equal(s->command.truncate, CS_TRUNCATE_ONCE);
    assert_int_equal(s->command.cl, CS_CL_ONE);
    assert_true(s->command.no_warmup);
    assert_int_equal(s->command.op_count, 2);
    assert_string_equal(s->command.ops[0].name, "insert");
    assert_true(s->command.ops[0].weight > 2.9);
    assert_string_equal(s->command.profiles[0], "cli-profile.yaml");
    assert_true(s->rate.ramp && s->rate.automatic);
    assert_int_equal(s->rate.min_threads, 4);
    assert_int_equal(s->rate.max_threads, 1000);
    assert_int_equal(s->rate.threads, -1);
    assert_false(s->population.sequence);
    assert_int_equal(s->population.dist.max, 20000);
    assert_int_equal(s->insert.batch_type, CS_BATCH_UNSET);
    assert_true(s->mode.prepared);
    assert_null(s->schema.keyspace);
    assert_int_equal(s->loops.loops, 1);
    assert_true(s->command.target_uncertainty < 0);
    release(&p);
}

static void takes_the_rates_of_the_tutorial(void **state)
{
    struct parsed p;

    (void)state;
    parse_line(&p, TUTORIAL "|-rate|threads=64|throttle=5000/s");
    assert_int_equal(p.settings->rate.threads, 64);
    assert_int_equal((int)p.settings->rate.throttle_per_s, 5000);
    release(&p);
    parse_line(&p, TUTORIAL "|-rate|threads=64|fixed=5000/s");
    assert_int_equal((int)p.settings->rate.fixed_per_s, 5000);
    assert_false(p.settings->rate.poisson);
    release(&p);
    parse_line(&p, TUTORIAL "|-rate|threads=64|fixed=5000/s|poisson");
    assert_int_equal(p.rc, CS_OK);
    assert_true(p.settings->rate.poisson);
    release(&p);
    parse_line(&p, TUTORIAL "|-rate|threads=64|throttle=5000/s|poisson");
    assert_int_equal(p.rc, CS_EUSAGE);
    release(&p);
    parse_line(&p, TUTORIAL "|-rate|threads>=8|threads<=64|auto");
    assert_true(p.settings->rate.automatic);
    assert_int_equal(p.settings->rate.min_threads, 8);
    assert_int_equal(p.settings->rate.max_threads, 64);
    release(&p);
}

static void takes_the_line_of_the_three_hosts(void **state)
{
    struct parsed p;
    const struct cs_settings *s;

    (void)state;
    parse_line(&p, "write|n=10000|cl=quorum|-mode|native|cql3|-rate|threads=4|"
                   "-schema|keyspace=TestKEYSPACE01|replication(factor=2)|-pop|"
                   "seq=1..10000|-log|file=~/run_001.log|-node|a,b,c");
    assert_int_equal(p.rc, CS_OK);
    s = p.settings;
    assert_string_equal(s->schema.keyspace, "TestKEYSPACE01");
    assert_int_equal(s->schema.replication_count, 1);
    assert_string_equal(s->schema.replication[0].key, "replication_factor");
    assert_string_equal(s->schema.replication[0].value, "2");
    assert_true(s->population.sequence && s->population.wrap);
    assert_int_equal(s->population.seq_end, 10000);
    assert_int_equal(s->node.count, 3);
    assert_string_equal(s->node.hosts[2], "c");
    assert_string_equal(s->log.file, P_tmpdir "/run_001.log");
    assert_int_equal(s->columns.count, 5);
    release(&p);
}

static void reads_hosts_from_a_file(void **state)
{
    struct parsed p;
    char path[] = P_tmpdir "/cstress-hosts-XXXXXX";
    char line[128];
    int fd = mkstemp(path);

    (void)state;
    dprintf(fd, "# the cluster\n  10.0.0.1 \n\n10.0.0.2:9043 # second\r\n");
    close(fd);
    snprintf(line, sizeof(line), "write|n=1|-node|whitelist|file=%s", path);
    parse_line(&p, line);
    unlink(path);
    assert_int_equal(p.rc, CS_OK);
    assert_int_equal(p.settings->node.count, 2);
    assert_string_equal(p.settings->node.hosts[0], "10.0.0.1");
    assert_string_equal(p.settings->node.hosts[1], "10.0.0.2:9043");
    assert_true(p.settings->node.white_list);
    release(&p);
}

/* Parses a line that names a file with a last line of size bytes. */
static void parse_with_long_line(struct parsed *p, const char *option, int size,
                                 char *path)
{
    char line[128];
    int fd = mkstemp(path);

    dprintf(fd, "first\nsecond\n%0*d\n", size, 7);
    close(fd);
    snprintf(line, sizeof(line), "write|n=1|%s%s", option, path);
    parse_line(p, line);
    unlink(path);
}

static void names_the_file_with_a_line_too_long(void **state)
{
    struct parsed p;
    char hosts[] = P_tmpdir "/cstress-hosts-XXXXXX";
    char secrets[] = P_tmpdir "/cstress-secrets-XXXXXX";

    (void)state;
    parse_with_long_line(&p, "-node|file=", 3000, hosts);
    assert_int_equal(p.rc, CS_EUSAGE);
    assert_non_null(strstr(p.err.text, hosts));
    assert_non_null(strstr(p.err.text, ":3: a line of 1023 bytes or more"));
    release(&p);
    parse_with_long_line(&p, "-credentials-file|", 70000, secrets);
    assert_int_equal(p.rc, CS_EUSAGE);
    assert_non_null(strstr(p.err.text, secrets));
    release(&p);
}

static void reads_the_forms_of_a_properties_file(void **state)
{
    struct parsed p;
    char path[] = P_tmpdir "/cstress-secrets-XXXXXX";
    char line[128];
    int fd = mkstemp(path);

    (void)state;
    dprintf(fd, "! old comment\n"
                "cql.username : u\\u00e9\\\n"
                "    ser\n"
                "cql.password pass\\=word\\ x\n"
                "\ttransport.keystore.password=\n"
                "other.key=1\n"
                "jmx.username=last line");
    close(fd);
    snprintf(line, sizeof(line), "write|n=1|-credentials-file|%s", path);
    parse_line(&p, line);
    unlink(path);
    assert_int_equal(p.rc, CS_OK);
    assert_string_equal(p.settings->mode.user, "u\xc3\xa9ser");
    assert_string_equal(p.settings->mode.password, "pass=word x");
    assert_string_equal(p.settings->jmx.user, "last line");
    assert_string_equal(p.settings->transport.keystore_password, "");
    assert_non_null(strstr(cs_buf_text(&p.notices), "'other.key'"));
    release(&p);
}

static void typed_credentials_win_over_the_environment(void **state)
{
    struct parsed p;

    (void)state;
    setenv("CSTRESS_CQL_USERNAME", "env-user", 1);
    setenv("CSTRESS_CQL_PASSWORD", "env-secret", 1);
    parse_line(&p, "write|n=1|-mode|user=typed");
    unsetenv("CSTRESS_CQL_USERNAME");
    unsetenv("CSTRESS_CQL_PASSWORD");
    assert_int_equal(p.rc, CS_OK);
    assert_string_equal(p.settings->mode.user, "typed");
    assert_string_equal(p.settings->mode.password, "env-secret");
    release(&p);
}

static void check_is_a_flag_beside_the_command(void **state)
{
    struct parsed p;

    (void)state;
    parse_line(&p, "check|write|n=1");
    assert_int_equal(p.rc, CS_OK);
    assert_true(p.settings->check_only);
    assert_int_equal(p.settings->command.type, CS_COMMAND_WRITE);
    release(&p);
    parse_line(&p, "check|write|n=1|-log|file=nosuchfolder/x.log");
    assert_int_not_equal(p.rc, CS_OK);
    release(&p);
}

static int enter_folder(void **state)
{
    (void)state;
    unsetenv("CSTRESS_COMPAT");
    setenv("HOME", P_tmpdir, 1);
    return chdir(CS_TEST_VECTORS "/cli");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_tutorial_line),
        cmocka_unit_test(takes_the_rates_of_the_tutorial),
        cmocka_unit_test(takes_the_line_of_the_three_hosts),
        cmocka_unit_test(reads_hosts_from_a_file),
        cmocka_unit_test(names_the_file_with_a_line_too_long),
        cmocka_unit_test(reads_the_forms_of_a_properties_file),
        cmocka_unit_test(typed_credentials_win_over_the_environment),
        cmocka_unit_test(check_is_a_flag_beside_the_command),
    };

    return cmocka_run_group_tests(tests, enter_folder, NULL);
}
