/* test_options.c - one table feeds everything: a row that is taken out is gone
 * from the parser, the help, the dump and completion. */
#include "cli_fixture.h"

#include "cli/options_internal.h"

#define ROWS_MAX   32
#define GROUPS_MAX 64

/* The tables with one row of a group taken out. */
struct cut_tables {
    struct cs_option rows[ROWS_MAX];
    struct cs_option_group group;
    const struct cs_option_group *list[GROUPS_MAX];
    struct cs_option_groups groups;
};

static void cut_row(struct cut_tables *cut, const struct cs_option_group *group,
                    size_t table, size_t row)
{
    const struct cs_option_table *whole = &group->tables[table];
    size_t count = 0;

    assert_true(whole->count <= ROWS_MAX);
    for (size_t i = 0; i < whole->count; i++)
        if (i != row)
            cut->rows[count++] = whole->rows[i];
    cut->group = *group;
    cut->group.tables[table] =
        (struct cs_option_table){.rows = cut->rows, .count = count};
    for (size_t i = 0; i < cs_cli_groups.count; i++)
        cut->list[i] = cs_cli_groups.list[i] == group ? &cut->group
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
    const struct cs_option_table *table = &cs_options_rate.tables[0];
    struct cut_tables cut;
    size_t row = 0;

    (void)state;
    while (!table->rows[row].key || strcmp(table->rows[row].key, "throttle="))
        row++;
    cut_row(&cut, &cs_options_rate, 0, row);
    check_everywhere(&cut.groups, false);
}

/* ---- the same for every row of every group, by counting ---- */

/* Words between blanks, quotes and brackets that are this one. */
static int count_words(const char *text, const char *word)
{
    static const char between[] = " \n'[]{}|:";
    size_t size = strlen(word);
    int count = 0;

    while (*text) {
        size_t length = strcspn(text, between);

        count += length == size && !strncmp(text, word, size);
        text += length;
        text += strspn(text, between);
    }
    return count;
}

/* Fish has them in front of signs. */
static void drop_backslashes(struct cs_buf *text)
{
    size_t size = 0;

    for (size_t i = 0; i < text->size; i++)
        if (text->data[i] != '\\')
            text->data[size++] = text->data[i];
    text->size = size;
}

static int words_in_help(const struct cs_option_groups *groups,
                         const struct cs_settings *settings, const char *word)
{
    struct cs_buf out;
    struct cs_err err;
    int count;

    cs_buf_init(&out, 1 << 20);
    assert_int_equal(cs_cli_help_with(groups, settings, &out, &err), CS_OK);
    drop_backslashes(&out);
    count = count_words(cs_buf_text(&out), word);
    cs_buf_release(&out);
    return count;
}

/* The parameter as usage lines write it. */
static void usage_word(const struct cs_option *row, char *out, size_t size)
{
    const char *more = "";

    if (row->type == CS_OPTION_LIST)
        more = "?)";
    else if (row->type == CS_OPTION_DIST)
        more = "DIST(?)";
    else if (row->type == CS_OPTION_RATIO)
        more = "DIST(?)/?";
    else if (strchr("=<>", row->key[strlen(row->key) - 1]))
        more = "?";
    snprintf(out, size, "%s%s", row->key, more);
}

static int lines_in_dump(const struct cs_option_groups *groups,
                         const struct cs_settings *settings, const char *label)
{
    struct cs_buf out;
    char line[80];
    int count = 0;

    snprintf(line, sizeof(line), "\n  %s: ", label);
    cs_buf_init(&out, 1 << 20);
    cs_cli_dump_with(groups, settings, "ks", &out);
    for (const char *at = cs_buf_text(&out); (at = strstr(at, line)); at++)
        count++;
    cs_buf_release(&out);
    return count;
}

static void check_help(const struct cut_tables *cut,
                       const struct cs_option *row)
{
    struct cs_settings topic = {.help.topic = cut->group.name};
    struct cs_settings list = {.help.list = true};
    struct cs_settings shells[] = {
        {.help.shell = "bash"}, {.help.shell = "zsh"}, {.help.shell = "fish"}};
    char line[120];

    usage_word(row, line, sizeof(line));
    /* Each alternative and the list below name it; a text may, too. */
    if (words_in_help(&cut->groups, &topic, line) +
            (row->type == CS_OPTION_LIST ? 1 : 2) >
        words_in_help(&cs_cli_groups, &topic, line))
        fail_msg("%s: %s is still in the help", cut->group.name, line);
    snprintf(line, sizeof(line), "%s\t%s", cut->group.name, row->key);
    assert_int_equal(words_in_help(&cs_cli_groups, &list, line), 1);
    assert_int_equal(words_in_help(&cut->groups, &list, line), 0);
    for (size_t i = 0; i < CS_COUNT(shells); i++)
        assert_int_equal(words_in_help(&cs_cli_groups, &shells[i], row->key),
                         words_in_help(&cut->groups, &shells[i], row->key) + 1);
}

static void check_parser_and_dump(const struct cut_tables *cut,
                                  const struct cs_option *row,
                                  struct cs_settings *settings)
{
    const struct cs_option *taker =
        cs_group_match(&cut->group, row->key, false);

    assert_true(!taker || strcmp(taker->key, row->key) != 0);
    if (cut->group.command)
        settings->command.type = cut->group.command;
    if (row->label)
        assert_int_equal(
            lines_in_dump(&cut->groups, settings, row->label),
            CS_MAX(lines_in_dump(&cs_cli_groups, settings, row->label) - 1, 0));
}

/* How many of its rows were taken out, one after the other. */
static int check_table(const struct cs_option_group *group, size_t table,
                       struct cs_settings *settings)
{
    int checked = 0;

    for (size_t i = 0; i < group->tables[table].count; i++) {
        const struct cs_option *row = &group->tables[table].rows[i];
        struct cut_tables cut;

        if (!row->key || row->hidden)
            continue;
        cut_row(&cut, group, table, i);
        check_help(&cut, row);
        check_parser_and_dump(&cut, row, settings);
        checked++;
    }
    return checked;
}

static void any_row_taken_out_is_gone_everywhere(void **state)
{
    struct parsed p;
    int checked = 0;

    (void)state;
    parse_line(&p, "mixed|n=1|-pop|seq=1..9|-rate|threads=1");
    for (size_t g = 0; g < cs_cli_groups.count; g++) {
        const struct cs_option_group *group = cs_cli_groups.list[g];

        for (size_t t = 0; t < CS_TABLE_MAX && !group->hidden; t++)
            checked += check_table(group, t, p.settings);
    }
    assert_true(checked > 130);
    release(&p);
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
        cmocka_unit_test(any_row_taken_out_is_gone_everywhere),
        cmocka_unit_test(every_row_is_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
