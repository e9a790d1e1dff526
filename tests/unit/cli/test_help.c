/* test_help.c - help texts and dumps against their golden files. */
#include "cli_fixture.h"

#include "support/golden.h"

#include <unistd.h>

static const struct {
    const char *line;
    const char *golden;
} rows[] = {
    {"help", "cli/help.txt"},
    {"--help", "cli/help.txt"}, /* what people type first */
    {"help|user", "cli/help-user.txt"},
    {"help|-node", "cli/help-node.txt"},
    {"help|-rate", "cli/help-rate.txt"},
    {"help|-schema", "cli/help-schema.txt"},
    {"help|rows", "cli/help-rows.txt"},
    {"help|legacy", "cli/help-legacy.txt"},
    {"help|-list", "cli/help-list.txt"},
    {"help|completion|bash", "cli/completion.bash"},
    {"help|completion|zsh", "cli/completion.zsh"},
    {"help|completion|fish", "cli/completion.fish"},
};

static void prints_the_golden_help(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct parsed p;
        struct cs_buf out;

        parse_line(&p, rows[i].line);
        assert_int_equal(p.rc, CS_OK);
        cs_buf_init(&out, 1 << 20);
        assert_int_equal(cs_cli_help(p.settings, &out, &p.err), CS_OK);
        assert_golden(rows[i].golden, cs_buf_text(&out));
        cs_buf_release(&out);
        release(&p);
    }
}

static void dumps_in_the_layout_of_each_level(void **state)
{
    static const char *const levels[] = {"3.11", "4.0", "4.1", "5.0"};

    (void)state;
    for (size_t i = 0; i < CS_COUNT(levels); i++) {
        struct parsed p;
        struct cs_buf out;
        char text[256];

        snprintf(text, sizeof(text),
                 "write|n=20k|-rate|threads=4|-mode|user=u|password=p|"
                 "-transport|truststore=t|truststore-password=p|-node|a,b|"
                 "-compat|level=%s",
                 levels[i]);
        parse_line(&p, text);
        assert_int_equal(p.rc, CS_OK);
        cs_buf_init(&out, 1 << 20);
        cs_cli_dump(p.settings, &out);
        cs_cli_dump_own(p.settings, &out);
        snprintf(text, sizeof(text), "cli/dump-%s.txt", levels[i]);
        assert_golden(text, cs_buf_text(&out));
        cs_buf_release(&out);
        release(&p);
    }
}

static int clear_environment(void **state)
{
    (void)state;
    unsetenv("CSTRESS_COMPAT");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_the_golden_help),
        cmocka_unit_test(dumps_in_the_layout_of_each_level),
    };

    return cmocka_run_group_tests(tests, clear_environment, NULL);
}
