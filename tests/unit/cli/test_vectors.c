/* test_vectors.c - the command lines of vectors/cli/cli.jsonl: verdict and
 * settings dump in the layouts 5.0 and 3.11. */
#include "cli_fixture.h"

#include "base/text.h"

#include <unistd.h>

/* Whose verdict needs more than the command line. */
static const struct {
    const char *id;
    const char *why;
} left_out[] = {
    {"cli-147", "unknown query: known when the profile is read"},
    {"cli-151", "one spec name twice: known when the profiles are read"},
    {"cli-152", "unknown spec name: known when the profiles are read"},
};

static bool is_left_out(const char *id)
{
    for (size_t i = 0; i < CS_COUNT(left_out); i++)
        if (!strcmp(left_out[i].id, id))
            return true;
    return false;
}

static void parse_row(struct parsed *p, json_t *row, const char *level)
{
    json_t *argv = json_object_get(row, "argv");
    const char *args[ARGS_MAX];
    char word[32];
    int count = (int)json_array_size(argv);

    for (int i = 0; i < count; i++)
        args[i] = json_string_value(json_array_get(argv, (size_t)i));
    if (level) {
        snprintf(word, sizeof(word), "level=%s", level);
        args[count++] = "-compat";
        args[count++] = word;
    }
    parse_args(p, &cs_cli_groups, count, args);
}

/* The dump as "Section.Label" to text; a bare line under its section. */
static json_t *dump_as_json(const struct cs_settings *settings)
{
    json_t *map = json_object();
    struct cs_buf dump;
    char *line, *save = NULL;
    char section[64] = "";

    cs_buf_init(&dump, 1 << 20);
    cs_cli_dump_user(settings, "ks_cli", &dump);
    cs_cli_dump_own(settings, &dump);
    line = strtok_r((char *)(uintptr_t)cs_buf_text(&dump), "\n", &save);
    assert_string_equal(line, "******************** Stress Settings "
                              "********************");
    while ((line = strtok_r(NULL, "\n", &save)) != NULL) {
        char *sign = strstr(line, ": ");
        char key[160];

        if (line[0] != ' ') {
            snprintf(section, sizeof(section), "%.*s", (int)strcspn(line, ":"),
                     line);
            continue;
        }
        if (sign)
            snprintf(key, sizeof(key), "%s.%.*s", section,
                     (int)(sign - line - 2), line + 2);
        else
            snprintf(key, sizeof(key), "%s", section);
        json_object_set_new(map, key, json_string(sign ? sign + 2 : line + 2));
    }
    cs_buf_release(&dump);
    return map;
}

/* The expected Transport line with its secrets masked. */
static void mask_secrets(json_t *map)
{
    const char *text = vector_string(map, "Transport");
    struct cs_buf out;

    if (!text)
        return;
    cs_buf_init(&out, 4096);
    while (*text) {
        const char *sign = strstr(text, "password=");

        if (!sign) {
            cs_buf_puts(&out, text);
            break;
        }
        sign += strlen("password=");
        cs_buf_put(&out, text, (size_t)(sign - text));
        text = sign + strcspn(sign, ";");
        if (!strncmp(sign, "null;", 5))
            cs_buf_puts(&out, "null");
        else
            cs_buf_puts(&out, "*suppressed*");
    }
    json_object_set_new(map, "Transport", json_string(cs_buf_text(&out)));
    cs_buf_release(&out);
}

/* Every entry of settings_cstress, or those that the layout has. */
static json_t *expected_of(json_t *row, const char *key, bool all, json_t *got)
{
    json_t *want = json_deep_copy(json_object_get(row, key));
    json_t *own = json_object_get(row, "settings_cstress");
    void *at = json_object_iter(own);

    mask_secrets(want);
    for (; at; at = json_object_iter_next(own, at)) {
        const char *name = json_object_iter_key(at);

        if (all || json_object_get(want, name) || json_object_get(got, name))
            json_object_set(want, name, json_object_iter_value(at));
    }
    return want;
}

/* Entries of want that got has otherwise or not at all. */
static int count_wrong(const char *id, const char *layout, json_t *want,
                       json_t *got)
{
    int wrong = 0;
    void *at = json_object_iter(want);

    for (; at; at = json_object_iter_next(want, at)) {
        const char *key = json_object_iter_key(at);
        const char *wanted = json_string_value(json_object_iter_value(at));
        const char *text = vector_string(got, key);

        if (!wanted || (text && !strcmp(text, wanted)))
            continue;
        print_error("%s %s: %s: want '%s', got '%s'\n", id, layout, key, wanted,
                    text ? text : "(absent)");
        wrong++;
    }
    return wrong;
}

static int count_extra(const char *id, const char *layout, json_t *want,
                       json_t *got)
{
    int wrong = 0;
    void *at = json_object_iter(got);

    for (; at; at = json_object_iter_next(got, at)) {
        const char *key = json_object_iter_key(at);

        if (json_object_get(want, key) || cs_starts_with(key, "cstress."))
            continue;
        print_error("%s %s: %s is unexpected\n", id, layout, key);
        wrong++;
    }
    return wrong;
}

static int check_verdict(const struct parsed *p, json_t *row)
{
    const char *id = vector_string(row, "id");
    bool accept = !strcmp(vector_string(row, "cstress"), "accept");

    if (accept == !p->rc)
        return 0;
    print_error("%s: want %s, got %s\n", id, accept ? "accept" : "reject",
                p->rc ? p->err.text : "accept");
    return 1;
}

static bool runs(const struct cs_settings *s)
{
    return s->command.type != CS_COMMAND_HELP &&
           s->command.type != CS_COMMAND_PRINT &&
           s->command.type != CS_COMMAND_VERSION;
}

static int check_dump(json_t *row, const char *key, const char *level)
{
    const char *id = vector_string(row, "id");
    bool has = json_object_get(row, key) != NULL;
    struct parsed p;
    int wrong = 0;

    parse_row(&p, row, level);
    if (p.rc) {
        print_error("%s %s: %s\n", id, key, p.err.text);
        wrong = 1;
    } else if (runs(p.settings)) {
        json_t *got = dump_as_json(p.settings);
        json_t *want =
            has ? expected_of(row, key, !level, got)
                : json_deep_copy(json_object_get(row, "settings_cstress"));

        wrong = count_wrong(id, key, want, got);
        if (has)
            wrong += count_extra(id, key, want, got);
        json_decref(want);
        json_decref(got);
    }
    release(&p);
    return wrong;
}

static void gives_the_verdict_and_dump_of_every_line(void **state)
{
    struct vector_file file;
    json_t *row;
    int wrong = 0;

    (void)state;
    vector_open(&file, "cli/cli.jsonl");
    while ((row = vector_next_json(&file)) != NULL) {
        struct parsed p;
        bool compat = !strcmp(vector_string(row, "topic"), "compat");

        if (!is_left_out(vector_string(row, "id"))) {
            int before = wrong;

            parse_row(&p, row, NULL);
            wrong += check_verdict(&p, row);
            if (!p.rc && wrong == before)
                wrong += check_dump(row, "settings_5.0", NULL);
            if (!p.rc && wrong == before && !compat &&
                json_object_get(row, "settings_3.11"))
                wrong += check_dump(row, "settings_3.11", "3.11");
            release(&p);
        }
        json_decref(row);
    }
    assert_int_equal(file.line, 433);
    assert_int_equal(wrong, 0);
}

/* Words that stand behind password= in the vectors. */
static void shows_no_password_anywhere(void **state)
{
    static const char *const secrets[] = {
        "pw",         "abc=",          "-x",
        "a, b",       "secret",        "secret2",
        "other",      "filed-secret",  "YWJj=",
        "key-secret", "monitor-secret"};
    struct vector_file file;
    json_t *row;

    (void)state;
    vector_open(&file, "cli/cli.jsonl");
    while ((row = vector_next_json(&file)) != NULL) {
        struct parsed p;
        struct cs_buf all;
        char needle[64];

        cs_buf_init(&all, 1 << 20);
        parse_row(&p, row, NULL);
        cs_buf_puts(&all, p.err.text);
        cs_buf_puts(&all, cs_buf_text(&p.notices));
        if (!p.rc && runs(p.settings)) {
            cs_cli_dump(p.settings, &all);
            cs_buf_puts(&all, p.settings->command_line);
        }
        for (size_t i = 0; i < CS_COUNT(secrets); i++) {
            snprintf(needle, sizeof(needle), "password=%s", secrets[i]);
            if (strstr(cs_buf_text(&all), needle))
                fail_msg("%s shows %s", vector_string(row, "id"), needle);
            if (strlen(secrets[i]) > 5 && strchr(secrets[i], '-') &&
                strstr(cs_buf_text(&all), secrets[i]))
                fail_msg("%s shows %s", vector_string(row, "id"), secrets[i]);
        }
        cs_buf_release(&all);
        release(&p);
        json_decref(row);
    }
}

/* Twelve lines behind the heading, the value in the second column. */
static void compare_printed(const char *text, json_t *values)
{
    char *copy = strdup(text);
    char *save = NULL;
    char *line = strtok_r(copy, "\n", &save);
    size_t i = 0;

    assert_string_equal(line, "% of samples    Range       % of total");
    while ((line = strtok_r(NULL, "\n", &save)) != NULL) {
        json_t *want = json_array_get(values, i++);
        long long got = strtoll(line + 16, NULL, 10);

        if (json_is_string(want))
            assert_int_equal(got, strtoll(json_string_value(want), NULL, 10));
        else
            assert_int_equal(got, json_integer_value(want));
    }
    assert_int_equal(i, 12);
    free(copy);
}

/* The table of `print dist=`: the values of the second column. */
static void prints_the_quantiles_of_the_original(void **state)
{
    struct vector_file file;
    json_t *row;
    int compared = 0;

    (void)state;
    vector_open(&file, "cli/cli.jsonl");
    while ((row = vector_next_json(&file)) != NULL) {
        json_t *values = json_object_get(row, "print_5.0");
        struct parsed p;
        struct cs_buf out;

        parse_row(&p, row, NULL);
        cs_buf_init(&out, 1 << 16);
        if (values && !p.rc) {
            assert_int_equal(cs_cli_print(p.settings, &out, &p.err), CS_OK);
            compare_printed(cs_buf_text(&out), values);
            compared++;
        }
        cs_buf_release(&out);
        release(&p);
        json_decref(row);
    }
    assert_true(compared > 10);
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
        cmocka_unit_test(gives_the_verdict_and_dump_of_every_line),
        cmocka_unit_test(shows_no_password_anywhere),
        cmocka_unit_test(prints_the_quantiles_of_the_original),
    };

    return cmocka_run_group_tests(tests, enter_folder, NULL);
}
