/* test_play.c - the script: what happens to the ring, and who is told. */
#include "protocol/event.h"
#include "support/responder_client.h"

#include <fcntl.h>
#include <sys/stat.h>

#define RING "127.0.0.1,127.0.0.2/dc2/r2,127.0.0.3"

struct script {
    char folder[64];
    char path[96];
};

static void make_folder(struct script *s)
{
    strcpy(s->folder, "/tmp/cstress-test-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    snprintf(s->path, sizeof(s->path), "%s/script", s->folder);
}

static void remove_folder(const struct script *s)
{
    unlink(s->path);
    rmdir(s->folder);
}

static void write_script(const struct script *s, const char *lines)
{
    FILE *f = fopen(s->path, "w");

    assert_non_null(f);
    assert_true(fputs(lines, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void says_which_line_is_wrong(void **state)
{
    static const struct {
        const char *lines;
        const char *text;
    } rows[] = {
        {"\n# a comment\ndwon 1\n",
         "script:3: unknown word 'dwon', try 'down'"},
        {"down 4", "script:1: down: found '4', expected a node, 1 to 3"},
        {"down 0", "expected a node, 1 to 3"},
        {"down", "found '', expected a node"},
        {"wait soon", "wait: found 'soon', expected milliseconds"},
        {"up 1 2", "up: found '1 2'"},
        {"down 1\nerrors foo", "script:2: errors=: 'foo' has no share"},
        {"errors", "errors: found nothing, expected name:share,... or none"},
        {"errors overloaded:0.7,unavailable:0.7", "add up to 1.4"},
        {"delay often", "'often' is no distribution"},
        {"cql SELECT 1", "cql: found 'SELECT', expected CREATE, ALTER or DROP"},
        {"cql", "cql: found ''"},
        {"tablets 4", "no tablets without tablets="},
        {"migrate 1", "no tablets without tablets="},
        {"\033[31mdown\200", "unknown word '?[31mdown\\x80'"},
    };
    struct script s;

    (void)state;
    make_folder(&s);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_responder_options options = good_responder;
        struct cs_responder *responder;
        struct cs_err err;

        options.listen = RING;
        options.script = s.path;
        write_script(&s, rows[i].lines);
        assert_true(cs_responder_new(&options, &responder, &err) != CS_OK);
        if (!strstr(err.text, rows[i].text))
            fail_msg("no '%s' in: %s", rows[i].text, err.text);
    }
    remove_folder(&s);
}

static void a_folder_is_no_script(void **state)
{
    struct cs_responder_options options = good_responder;
    struct cs_responder *responder;
    struct script s;
    struct cs_err err;

    (void)state;
    make_folder(&s);
    options.script = s.folder;
    assert_int_equal(cs_responder_new(&options, &responder, &err), CS_EUSAGE);
    assert_non_null(strstr(err.text, s.folder));
    assert_non_null(strstr(err.text, "is a folder"));
    remove_folder(&s);
}

static void listen_to_all(struct client *c)
{
    static const char *const all[] = {"TOPOLOGY_CHANGE", "STATUS_CHANGE",
                                      "SCHEMA_CHANGE"};
    struct cs_request request = request_of(c);

    cs_request_register(begin(c), &request, all, 3);
    assert_true(finish(c));
    assert_int_equal(c->frame.header.opcode, CS_OP_READY);
}

/* The next message must be this event. */
static struct cs_event event_of(struct client *c, enum cs_event_kind kind,
                                enum cs_change change)
{
    struct cs_event event;
    struct cs_err err;

    assert_true(receive(c));
    assert_int_equal(c->frame.header.opcode, CS_OP_EVENT);
    assert_int_equal(c->frame.header.stream, CS_STREAM_EVENT);
    if (cs_event_decode(cs_reader_of(c->frame.body.data, c->frame.body.size),
                        &event, &err))
        fail_msg("%s", err.text);
    assert_int_equal(event.kind, kind);
    assert_int_equal(event.kind == CS_EVENT_SCHEMA ? event.schema.change
                                                   : event.change,
                     change);
    return event;
}

static void node_event(struct client *c, enum cs_event_kind kind,
                       enum cs_change change, uint8_t last)
{
    struct cs_event event = event_of(c, kind, change);

    assert_int_equal(event.node.size, 4);
    assert_int_equal(event.node.bytes[3], last);
}

static uint32_t peers_of(struct client *c)
{
    assert_true(ask(c, "SELECT peer FROM system.peers_v2"));
    return result_of(c).row_count;
}

static void say(int pipe, const char *line)
{
    assert_int_equal(write(pipe, line, strlen(line)), strlen(line));
}

/* Lines come through a pipe, so that nothing here depends on time. */
static void nodes_go_and_come(void **state)
{
    struct cs_responder_options options = good_responder;
    struct server server;
    struct client c;
    struct client other;
    struct script s;
    int pipe;

    (void)state;
    make_folder(&s);
    assert_int_equal(mkfifo(s.path, 0600), 0);
    options.listen = RING;
    options.script = s.path;
    start(&server, &options);
    pipe = open(s.path, O_WRONLY | O_CLOEXEC);
    assert_true(pipe >= 0);
    for (uint8_t version = 4; version <= 5; version++) {
        join(&c, &server, version);
        hello(&c, NULL);
        listen_to_all(&c);
        join_node(&other, &server, version, 1);
        hello(&other, NULL);
        listen_to_all(&other);
        say(pipe, "down 2\n");
        node_event(&c, CS_EVENT_STATUS, CS_CHANGE_DOWN, 2);
        assert_false(receive(&other)); /* its node is gone */
        leave(&other);
        assert_int_equal(peers_of(&c), 2);
        say(pipe, "up 2\nleave 3\n");
        node_event(&c, CS_EVENT_STATUS, CS_CHANGE_UP, 2);
        node_event(&c, CS_EVENT_TOPOLOGY, CS_CHANGE_REMOVED_NODE, 3);
        assert_int_equal(peers_of(&c), 1);
        join_node(&other, &server, version, 1);
        hello(&other, NULL);
        leave(&other);
        say(pipe, "join 3\nmo");
        node_event(&c, CS_EVENT_TOPOLOGY, CS_CHANGE_NEW_NODE, 3);
        node_event(&c, CS_EVENT_STATUS, CS_CHANGE_UP, 3);
        assert_int_equal(peers_of(&c), 2);
        say(pipe, "ve 2\n");
        node_event(&c, CS_EVENT_TOPOLOGY, CS_CHANGE_MOVED_NODE, 2);
        say(pipe, "drop 1\n");
        assert_false(receive(&c));
        leave(&c);
    }
    close(pipe);
    assert_true(stop(&server).events >= 12);
    remove_folder(&s);
}

static void the_schema_and_errors_change_under_way(void **state)
{
    struct cs_responder_options options = good_responder;
    struct cs_event event;
    struct server server;
    struct client c;
    struct script s;
    int pipe;

    (void)state;
    make_folder(&s);
    assert_int_equal(mkfifo(s.path, 0600), 0);
    options.script = s.path;
    start(&server, &options);
    pipe = open(s.path, O_WRONLY | O_CLOEXEC);
    join(&c, &server, 5);
    hello(&c, NULL);
    listen_to_all(&c);
    say(pipe, "cql CREATE KEYSPACE k WITH replication = {'class': "
              "'SimpleStrategy', 'replication_factor': 1}\n"
              "cql CREATE TABLE k.t (a int PRIMARY KEY)\n");
    event_of(&c, CS_EVENT_SCHEMA, CS_CHANGE_CREATED);
    event = event_of(&c, CS_EVENT_SCHEMA, CS_CHANGE_CREATED);
    assert_true(cs_view_is(event.schema.target, "TABLE"));
    assert_true(cs_view_is(event.schema.keyspace, "k"));
    assert_true(cs_view_is(event.schema.name, "t"));
    /* The next event says that the line before it was carried out. */
    say(pipe, "errors overloaded:1\ncql ALTER TABLE k.t ADD b int\n");
    event_of(&c, CS_EVENT_SCHEMA, CS_CHANGE_UPDATED);
    assert_true(write_row(&c));
    assert_int_equal(error_of(&c).code, CS_SERVER_OVERLOADED);
    say(pipe, "errors none\ndelay fixed(1000)\ncql DROP TABLE k.t\n");
    event_of(&c, CS_EVENT_SCHEMA, CS_CHANGE_DROPPED);
    assert_true(write_row(&c));
    assert_int_equal(result_of(&c).kind, CS_RESULT_KIND_VOID);
    leave(&c);
    close(pipe);
    stop(&server);
    remove_folder(&s);
}

static void a_node_that_joins_later_is_no_member_before(void **state)
{
    struct cs_responder_options options = good_responder;
    struct server server;
    struct client c;
    struct script s;

    (void)state;
    make_folder(&s);
    write_script(&s, "wait 3600000\njoin 3 # in an hour\ndown 2\n");
    options.listen = RING;
    options.script = s.path;
    start(&server, &options);
    join(&c, &server, 5);
    hello(&c, NULL);
    assert_int_equal(peers_of(&c), 1);
    leave(&c);
    stop(&server);
    remove_folder(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_which_line_is_wrong),
        cmocka_unit_test(a_folder_is_no_script),
        cmocka_unit_test(nodes_go_and_come),
        cmocka_unit_test(the_schema_and_errors_change_under_way),
        cmocka_unit_test(a_node_that_joins_later_is_no_member_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
