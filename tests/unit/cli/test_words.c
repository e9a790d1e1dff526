/* test_words.c - arguments to words: blanks, glue, groups without a dash. */
#include "cli_fixture.h"

#include "cli/parse_internal.h"

/* Arguments stand between bars, words too. */
static const struct {
    const char *args;
    const char *words;
} rows[] = {
    {"write|n=10", "write|n=10"},
    {"write n=10 -rate threads=4", "write|n=10|-rate|threads=4"},
    {"write|n|=|10", "write|n=10"},
    {"write||n=10", "write|n=10"},
    {" write|n=10", "write|n=10"},
    {"write|n=10\tcl=ONE", "write|n=10|cl=ONE"},
    {"user|ops (insert = 1 , q=2 )", "user|ops(insert=1,q=2)"},
    {"mixed|ratio(write=3,|read=1)", "mixed|ratio(write=3,read=1)"},
    {"write|-schema|replication(factor=3) keyspace=k",
     "write|-schema|replication(factor=3)|keyspace=k"},
    /* Nothing is glued onto a word with a dash in front. */
    {"write|-rate|threads=|-node|a", "write|-rate|threads=|-node|a"},
    {"write|-node|a,|-rate", "write|-node|a,|-rate"},
    {"write|-node|,a", "write|-node|,a"},
    {"write|-mode|password=-x", "write|-mode|password=-x"},
    {"write|-graph|title=|revision=r1", "write|-graph|title=revision=r1"},
    /* Blanks inside an argument may belong to the value. */
    {"write|-graph|title=Awesome graph", "write|-graph|title=Awesome graph"},
    {"write|-graph|title=a, b = c", "write|-graph|title=a, b = c"},
    {"write|-graph|title=a  (b) op=w", "write|-graph|title=a  (b)|op=w"},
    {"write|-graph|title=a op = w", "write|-graph|title=a|op=w"},
    {"write|-graph|title=a -rate threads=1",
     "write|-graph|title=a|-rate|threads=1"},
    {"write|-log|file = run.log", "write|-log|file=run.log"},
    {"write|-log|file=a (1).log", "write|-log|file=a (1).log"},
    {"write|-col|size=FIXED(200) n=FIXED(5)",
     "write|-col|size=FIXED(200)|n=FIXED(5)"},
    {"user|profile=my file.yaml ops(insert=1) n=10",
     "user|profile=my file.yaml|ops(insert=1)|n=10"},
    {"profile=my file.yaml ops(insert=1)",
     "profile=my file.yaml|ops(insert=1)"},
    {"write -node datacenter=dc1 127.0.0.1",
     "write|-node|datacenter=dc1|127.0.0.1"},
    {"write|-graph|title=Awesome|graph", "write|-graph|title=Awesome|graph"},
    {"check|write n=1", "check|write|n=1"},
};

static void cuts_as_the_rules_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_settings settings = {0};
        struct cs_cli cli = {.groups = &cs_cli_groups, .settings = &settings};
        char *copy = strdup(rows[i].args);
        char *rest = copy;
        char *args[ARGS_MAX];
        struct cs_buf got;
        int count = 0;

        while (rest)
            args[count++] = strsep(&rest, "|");
        assert_int_equal(cs_words_cut(&cli, count, args, NULL), CS_OK);
        cs_buf_init(&got, 4096);
        for (size_t w = 0; w < cli.word_count; w++)
            cs_buf_printf(&got, "%s%s", w ? "|" : "", cli.words[w].text);
        assert_string_equal(cs_buf_text(&got), rows[i].words);
        cs_buf_release(&got);
        cs_arena_release(&settings.arena);
        cs_arena_release(&cli.scratch);
        free(copy);
    }
}

static void
opens_a_group_without_its_dash_once_no_option_takes_the_word(void **state)
{
    struct parsed p;

    (void)state;
    parse_line(&p, "write|n=1|graph|file=x.html|title=t");
    assert_int_equal(p.rc, CS_OK);
    assert_string_equal(p.settings->graph.file, "x.html");
    assert_non_null(strstr(cs_buf_text(&p.notices), "-graph"));
    release(&p);
    parse_line(&p, "write|n=1|-node|graph");
    assert_int_equal(p.rc, CS_OK);
    assert_string_equal(p.settings->node.hosts[0], "graph");
    release(&p);
}

static void masks_secrets_in_the_command_line(void **state)
{
    struct parsed p;

    (void)state;
    parse_line(&p, "write|n = 1|-mode|user=u|password=a, b c|-transport|"
                   "truststore=t|truststore-password=Hush1|-graph|file=g");
    assert_int_equal(p.rc, CS_OK);
    assert_string_equal(p.settings->mode.password, "a, b c");
    assert_string_equal(
        p.settings->command_line,
        "write n = 1 -mode user=u password=******* -transport truststore=t "
        "truststore-password=******* -graph file=g");
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_as_the_rules_say),
        cmocka_unit_test(
            opens_a_group_without_its_dash_once_no_option_takes_the_word),
        cmocka_unit_test(masks_secrets_in_the_command_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
