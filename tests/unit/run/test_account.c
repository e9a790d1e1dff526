/* test_account.c - the file of -errors failures=: every operation that was not
 * acknowledged, by its key, and no other. */
#include "run_fixture.h"
#include "support/folder.h"

#include <jansson.h>
#include <signal.h>

#define WRITES  30
#define KEY_HEX 20 /* of a key of 10 bytes */

static struct expected {
    char key[KEY_HEX + 1];
    const char *outcome;
    const char *kind;
} expected[WRITES];
static unsigned expected_count;

/* The key is the last value of the statement. */
static struct expected *expect(const struct cs_operation *op)
{
    struct expected *e = &expected[expected_count++];
    const uint8_t *key = op->values.data + op->values.size - KEY_HEX / 2;

    assert_true(expected_count <= WRITES);
    for (int i = 0; i < KEY_HEX / 2; i++)
        snprintf(e->key + 2 * i, 3, "%02x", key[i]);
    return e;
}

/* One attempt each: every third fails for sure, every third perhaps. */
static bool fail_some(struct cs_operation *op, struct cs_outcome *outcome)
{
    static unsigned turn;
    struct expected *e;

    turn++;
    if (turn % 3 == 0)
        return true;
    e = expect(op);
    e->outcome = turn % 3 == 1 ? "failed" : "unknown";
    e->kind = turn % 3 == 1 ? "UnavailableException" : "WriteTimeoutException";
    outcome->result =
        turn % 3 == 1 ? CS_RESULT_UNAVAILABLE : CS_RESULT_WRITE_TIMEOUT;
    outcome->message = "in \"words\"";
    outcome->message_size = strlen(outcome->message);
    return true;
}

static const char *member(const json_t *line, const char *name)
{
    return json_string_value(json_object_get(line, name));
}

static void check_line(const char *text, const struct expected *e)
{
    json_t *line = json_loads(text, 0, NULL);
    const json_t *keys = json_object_get(line, "keys");

    assert_non_null(line);
    assert_int_equal(json_array_size(keys), 1);
    assert_int_equal(
        strcasecmp(json_string_value(json_array_get(keys, 0)), e->key), 0);
    assert_string_equal(member(line, "operation"), "WRITE");
    assert_string_equal(member(line, "outcome"), e->outcome);
    assert_string_equal(member(line, "class"), e->kind);
    assert_int_equal(strlen(member(line, "time")),
                     strlen("2026-01-31T12:00:00.123Z"));
    json_decref(line);
}

/* A run with one slot, or none that fails: lines come in the order of answers.
 */
static void run_and_compare(void)
{
    struct folder folder;
    struct cs_err err;
    char *path, *text, *line;
    unsigned lines = 0;

    folder_open(&folder);
    path = strdup(folder_file(&folder, "f.jsonl"));
    assert_int_equal(
        cs_line_file_open("failures", path, &scene.plan.failures, &err), CS_OK);
    run_it();
    assert_int_equal(cs_line_file_close(scene.plan.failures, &err), CS_OK);
    text = folder_read(path);
    for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        assert_true(lines < expected_count);
        check_line(line, &expected[lines]);
    }
    assert_int_equal(lines, expected_count);
    free(text);
    free(path);
    folder_remove(&folder);
}

static void names_what_failed_and_what_is_unknown(void **state)
{
    const struct cs_extra *extra;

    (void)state;
    set_up(CS_COMMAND_WRITE, 1, WRITES);
    scene.settings.errors.ignore = true;
    scene.settings.errors.tries = 1;
    expected_count = 0;
    fake.answer = fail_some;
    run_and_compare();
    extra = cs_results_extra(scene.outcome.results);
    assert_int_equal(expected_count, 2 * WRITES / 3);
    assert_int_equal(extra->in_doubt, WRITES / 3);
    tear_down();
}

/* The first two are answered, none that comes later is. */
static bool answer_two(struct cs_operation *op, struct cs_outcome *outcome)
{
    struct expected *e;

    (void)outcome;
    if (atomic_load(&fake.answered) < 2)
        return true;
    if (expected_count)
        return false;
    e = expect(op);
    e->outcome = "unknown";
    e->kind = "no answer";
    kill(getpid(), SIGINT);
    return false;
}

static void names_what_has_no_answer_at_the_end(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 1, 1000);
    expected_count = 0;
    fake.answer = answer_two;
    run_and_compare();
    assert_int_equal(expected_count, 1);
    assert_int_equal(cs_results_extra(scene.outcome.results)->unfinished, 1);
    tear_down();
}

/* Under a rate limit most have their partition and wait for their time. */
static void names_nothing_that_has_not_begun(void **state)
{
    (void)state;
    set_up(CS_COMMAND_WRITE, 20, 1000);
    scene.plan.throttle_per_s = 1;
    scene.signals.taken = SIGINT;
    expected_count = 0;
    run_and_compare();
    assert_int_equal(cs_results_extra(scene.outcome.results)->unfinished, 0);
    tear_down();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_what_failed_and_what_is_unknown),
        cmocka_unit_test(names_what_has_no_answer_at_the_end),
        cmocka_unit_test(names_nothing_that_has_not_begun),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
