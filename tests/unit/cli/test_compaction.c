/* test_compaction.c - the command line of compaction-stress: what is wrong with
 * it by the original's exit status, and 2 where nothing is. */
#include "cli_fixture.h"

#include <unistd.h>

static const struct {
    const char *line;
    int status; /* 0: help */
    const char *text;
} rows[] = {
    {"compaction-stress", 0, NULL},
    {"compaction-stress|help", 0, NULL},
    {"compaction-stress|write|-p|cli-profile.yaml|-d|.|-g|1", 2,
     "storage engine"},
    {"compaction-stress|compact|--profile=cli-profile.yaml|--datadir|.|-m", 2,
     "storage engine"},
    {"compaction-stress|wirte", 6, "expected write or compact, near 'wirte'"},
    {"compaction-stress|write|-p|cli-profile.yaml|-d|.", 6,
     "an option is missing, near 'gbsize'"},
    {"compaction-stress|compact|-p|cli-profile.yaml|-d|.|-g|1", 6,
     "unknown option, near '-g'"},
    {"compaction-stress|write|-g|x", 6, "not a number, near 'x'"},
    {"compaction-stress|write|-g", 6, "a value is missing"},
    {"compaction-stress|write|-p|nosuch.yaml", 4, "near 'nosuch.yaml'"},
    {"compaction-stress|write|-d|nosuch", 1, "no such folder"},
    {"compaction-stress|write|-d|cli-profile.yaml", 2, "not a folder"},
};

static void exits_as_the_original_or_with_2(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct parsed p;
        int status;

        parse_line(&p, rows[i].line);
        status = p.rc ? cs_exit_status(&p.err) : 0;
        if (status != rows[i].status)
            fail_msg("%s: exit %d: %s", rows[i].line, status, p.err.text);
        if (rows[i].text && !strstr(p.err.text, rows[i].text))
            fail_msg("%s: no '%s' in: %s", rows[i].line, rows[i].text,
                     p.err.text);
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exits_as_the_original_or_with_2),
    };

    if (chdir(CS_TEST_VECTORS "/cli"))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
