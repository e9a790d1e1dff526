/* test_mysql.c - `-mode mysql`, its port, and what does not go with it; the
 * table kv. */
#include "cli_fixture.h"

static const struct {
    const char *line;
    int port;
} ports[] = {
    {"write|n=1|-mode|mysql", 3306},
    {"write|n=1|-mode|mysql|port=3307", 3307},
    {"write|n=1|-mode|mysql|-port|native=3308", 3308},
    {"write|n=1|-mode|mysql|port=3307|-port|native=3308", 3307},
};

static void finds_the_port(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(ports); i++) {
        struct parsed p;

        parse_line(&p, ports[i].line);
        assert_int_equal(p.rc, CS_OK);
        assert_true(p.settings->mode.mysql);
        assert_int_equal(p.settings->mode.port, ports[i].port);
        release(&p);
    }
}

static const struct {
    const char *line;
    const char *text;
} refused[] = {
    {"write|n=1|-mode|mysql|unprepared", "prepared statements only"},
    {"write|n=1|-mode|mysql|simplenative", "choose one"},
    {"write|n=1|-mode|mysql|compression=lz4", "no compression"},
    {"write|n=1|-mode|mysql|-transport|truststore=/dev/null|"
     "ssl-ciphers=TLS_AES_128_GCM_SHA256",
     "the suites of its library"},
    {"write|n=1|-mode|mysql|-col|timestamp=5", "no timestamps"},
    {"write|n=1|-mode|mysql|-node|datacenter=dc1|a", "no data centres"},
    {"write|n=1|-mode|mysql|-compat|data=probe", "no other tool"},
    {"user|profile=/dev/null|ops(insert=1)|-mode|mysql", "'user' does not"},
    {"write|n=1|-mode|socket=/run/db.sock", "goes with mysql only"},
    {"write|n=1|-mode|mysql|port=0", "expected 1 to 65535"},
    {"write|n=1|-schema|table=kv|-col|n=FIXED(2)", "one column"},
    {"write|n=1|-schema|table=kv|-col|names=a", "one column"},
    {"counter_write|n=1|-schema|table=kv", "no counters"},
    {"mixed|ratio(read=1,counter_write=1)|n=1|-schema|table=kv", "no counters"},
    {"write|n=1|-schema|table=kv|-pop|seq=1..3000000000",
     "from -2147483648 to 2147483647"},
    {"write|n=1|-schema|table=kw", "try 'kv'"},
};

static void refuses_what_mysql_has_not(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(refused); i++) {
        struct parsed p;

        parse_line(&p, refused[i].line);
        if (!p.rc || !strstr(p.err.text, refused[i].text))
            fail_msg("%s: '%s'", refused[i].line, p.rc ? p.err.text : "");
        release(&p);
    }
}

static void tells_what_has_no_effect(void **state)
{
    struct parsed p;

    (void)state;
    parse_line(&p, "write|n=1|cl=QUORUM|-mode|mysql|maxPending=9|-schema|"
                   "replication(factor=3)");
    assert_int_equal(p.rc, CS_OK);
    assert_non_null(strstr(cs_buf_text(&p.notices), "cl= has no effect"));
    assert_non_null(strstr(cs_buf_text(&p.notices), "maxPending= has no"));
    assert_non_null(strstr(cs_buf_text(&p.notices), "replication( has no"));
    release(&p);
    parse_line(&p, "write|n=1|-mode|port=9");
    assert_non_null(strstr(cs_buf_text(&p.notices),
                           "-mode: port= has no effect, the port is that of "
                           "-port native="));
    release(&p);
}

static void gives_kv_its_column(void **state)
{
    struct parsed p;

    (void)state;
    parse_line(&p,
               "read|n=1|-schema|table=kv|-col|size=FIXED(500)|-mode|mysql");
    assert_int_equal(p.rc, CS_OK);
    assert_int_equal(p.settings->columns.count, 1);
    assert_string_equal(p.settings->columns.names[0], "value");
    assert_int_equal(cs_dist_most(&p.settings->columns.size), 500);
    release(&p);
}

static void dumps_the_mode_of_mysql(void **state)
{
    struct parsed p;
    struct cs_buf out;
    const char *text;

    (void)state;
    parse_line(&p, "write|n=1|-mode|mysql|user=me|password=Hush1|socket=/s|"
                   "-schema|table=kv");
    assert_int_equal(p.rc, CS_OK);
    cs_buf_init(&out, 1 << 20);
    cs_cli_dump(p.settings, &out);
    text = cs_buf_text(&out);
    assert_non_null(strstr(text, "Mode:\n  API: MYSQL\n  Connection Style: "
                                 "SQL_PREPARED\n  Socket: /s\n  Username: me\n"
                                 "  Password: *suppressed*\nNode:\n"));
    assert_non_null(strstr(text, "  Table: kv\n"));
    assert_non_null(strstr(text, "  Native Port: 3306\n"));
    assert_null(strstr(text, "Hush1"));
    assert_null(strstr(p.settings->command_line, "Hush1"));
    cs_buf_release(&out);
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_port),
        cmocka_unit_test(refuses_what_mysql_has_not),
        cmocka_unit_test(tells_what_has_no_effect),
        cmocka_unit_test(gives_kv_its_column),
        cmocka_unit_test(dumps_the_mode_of_mysql),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
