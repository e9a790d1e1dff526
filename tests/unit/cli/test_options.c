/* test_options.c - one table feeds everything: a row that is taken out is gone
 * from the parser, the help, the dump and completion. */
#include "cli_fixture.h"

#include "cli/options_internal.h"

#define ROWS_MAX   32
#define GROUPS_MAX 64

/* The tables with one row of -rate taken out. */
struct cut_tables {
    struct cs_option rows[ROWS_MAX];
    struct cs_option_group rate;
    const struct cs_option_group *list[GROUPS_MAX];
    struct cs_option_groups groups;
};

static void cut_row(struct cut_tables *cut, const char *key)
{
    const struct cs_option_table *table = &cs_options_rate.tables[0];
    size_t count = 0;

    for (size_t i = 0; i < table->count; i++)
        if (!table->rows[i].key || strcmp(table->rows[i].key, key) != 0)
            cut->rows[count++] = table->rows[i];
    assert_int_equal(count, table->count - 1);
    cut->rate = cs_options_rate;
    cut->rate.tables[0] =
        (struct cs_option_table){.rows = cut->rows, .count = count};
    for (size_t i = 0; i < cs_cli_groups.count; i++)
        cut->list[i] = cs_cli_groups.list[i] == &cs_options_rate
                           ? &cut->rate
                           : cs_cli_groups.list[i];
    cut->groups = (struct cs_option_groups){.list = cut->list,
                                            .count = cs_cli_groups.count};
}

static bool help_has(const struct cs_option_groups *groups, const char *line,
                     const char *text)
{
    struct parsed p;
    struct cs_buf out;
    bool has;

    parse_with(&p, groups, line);
    assert_int_equal(p.rc, CS_OK);
    cs_buf_init(&out, 1 << 20);
    assert_int_equal(cs_cli_help_with(groups, p.settings, &out, &p.err), CS_OK);
    has = strstr(cs_buf_text(&out), text) != NULL;
    cs_buf_release(&out);
    release(&p);
    return has;
}

static bool dump_has(const struct cs_option_groups *groups, const char *text)
{
    struct parsed p;
    struct cs_buf out;
    bool has;

    parse_with(&p, groups, "write|n=1|-rate|threads=4");
    assert_int_equal(p.rc, CS_OK);
    cs_buf_init(&out, 1 << 20);
    cs_cli_dump_with(groups, p.settings, NULL, &out);
    has = strstr(cs_buf_text(&out), text) != NULL;
    cs_buf_release(&out);
    release(&p);
    return has;
}

static bool takes_throttle(const struct cs_option_groups *groups)
{
    struct parsed p;
    bool takes;

    parse_with(&p, groups, "write|n=1|-rate|threads=4|throttle=10/s");
    takes = !p.rc;
    release(&p);
    return takes;
}

static void check_everywhere(const struct cs_option_groups *groups, bool there)
{
    static const char *const lines[] = {
        "help|-rate", "help|-list", "help|completion|bash",
        "help|completion|zsh", "help|completion|fish"};

    assert_int_equal(takes_throttle(groups), there);
    assert_int_equal(dump_has(groups, "OpsPer Sec"), there);
    for (size_t i = 0; i < CS_COUNT(lines); i++)
        assert_int_equal(help_has(groups, lines[i], "throttle="), there);
}

static void a_row_stands_everywhere(void **state)
{
    (void)state;
    check_everywhere(&cs_cli_groups, true);
}

static void a_row_taken_out_is_gone_everywhere(void **state)
{
    struct cut_tables cut;

    (void)state;
    cut_row(&cut, "throttle=");
    check_everywhere(&cut.groups, false);
}

/* What a row says must make sense to the code that reads it. */
static void every_row_is_whole(void **state)
{
    (void)state;
    for (size_t g = 0; g < cs_cli_groups.count; g++) {
        const struct cs_option_group *group = cs_cli_groups.list[g];
        const struct cs_option *row;

        assert_non_null(group->help);
        for (size_t i = 0; (row = cs_group_row(group, i)) != NULL; i++) {
            if (row->type == CS_OPTION_ECHO)
                assert_true(row->label &&
                            (row->show || row->has_at || row->text_at));
            else
                assert_non_null(row->help);
            if (row->type == CS_OPTION_BARE)
                assert_non_null(row->form);
            if (row->type == CS_OPTION_CUSTOM && !row->idle)
                assert_non_null(row->store);
            if (row->label && row->type != CS_OPTION_ECHO)
                assert_true(row->show || row->at || row->text_at);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_stands_everywhere),
        cmocka_unit_test(a_row_taken_out_is_gone_everywhere),
        cmocka_unit_test(every_row_is_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
