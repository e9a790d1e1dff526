/* test_conversations.c - every recorded message of a server through inbox and
 * decoders, whole and cut at every byte. */
#include "conversation.h"
#include "meaning.h"
#include "protocol/option.h"

struct reading {
    char conversation[128];
    struct cs_inbox inbox;
    uint8_t *bytes;
    struct cs_reader in;
    int messages;
    int cuts;
};

static const struct cs_frame_rules any_version = {
    .max_body = CS_FRAME_BODY_PRESET,
};

static void forget(struct reading *reading)
{
    assert_ptr_equal(reading->in.p, reading->in.end);
    assert_ptr_equal(reading->inbox.payload.p, reading->inbox.payload.end);
    cs_inbox_release(&reading->inbox);
    free(reading->bytes);
    reading->bytes = NULL;
    reading->in = (struct cs_reader){0};
}

static void begin(struct reading *reading, const struct conversation_line *line)
{
    char name[128];

    snprintf(name, sizeof(name), "%s %d", line->conversation, line->version);
    if (!strcmp(name, reading->conversation))
        return;
    if (reading->conversation[0])
        forget(reading);
    cs_inbox_init(&reading->inbox, &any_version);
    memcpy(reading->conversation, name, sizeof(name));
}

/* A line without bytes is in the segment of the line before. */
static void supply(struct reading *reading,
                   const struct conversation_line *line)
{
    if (!line->size)
        return;
    assert_ptr_equal(reading->in.p, reading->in.end);
    free(reading->bytes);
    reading->bytes = malloc(line->size);
    memcpy(reading->bytes, line->bytes, line->size);
    reading->in = cs_reader_of(reading->bytes, line->size);
    cs_inbox_set_framing(&reading->inbox, line->framing);
}

/* The recorded meaning in the form in which meaning.h gives ours. */
static json_t *normalise_type(json_t *type)
{
    const char *text = json_string_value(type);
    struct cs_arena arena;
    uint32_t nodes = CS_OPTION_NODES_MAX;
    const struct cs_type *parsed;
    json_t *json;

    if (!text || strncmp(text, "custom:", 7) != 0)
        return json_incref(type);
    cs_arena_init(&arena);
    assert_int_equal(cs_class_name_read(cs_view_text(text + 7), &arena, &nodes,
                                        &parsed, NULL),
                     CS_OK);
    json = meaning_type(parsed);
    cs_arena_release(&arena);
    return json;
}

static void normalise(json_t *want)
{
    static const char *const metadata[] = {"meta", "bind", "res"};
    json_t *failures = json_object_get(want, "failures");
    json_t *rows = json_object_get(want, "rows");
    size_t i;
    json_t *column;

    if (json_is_array(failures))
        json_object_set_new(
            want, "failures",
            json_integer((json_int_t)json_array_size(failures)));
    for (size_t m = 0; m < CS_COUNT(metadata); m++) {
        json_t *columns =
            json_object_get(json_object_get(want, metadata[m]), "cols");

        json_array_foreach(columns, i, column) json_array_set_new(
            column, 1, normalise_type(json_array_get(column, 1)));
    }
    if (json_is_string(rows)) /* "300000 x 0x79" */
        json_object_del(want, "rows");
    if (!strcmp(vector_string(want, "op"), "ERROR"))
        json_object_del(want, "args");
    json_object_del(want, "REST");
}

static json_t *meaning_of(const struct cs_frame *frame, struct cs_arena *arena,
                          struct cs_err *err)
{
    json_t *json = json_object();
    struct cs_prefix prefix;
    struct cs_reader body;

    json_object_set_new(json, "op",
                        json_string(cs_opcode_name(frame->header.opcode)));
    meaning_int(json, "stream", frame->header.stream);
    meaning_int(json, "flags", frame->header.flags);
    if (cs_frame_open(frame, &prefix, &body, err) ||
        meaning_body(body, &frame->header, arena, json, err)) {
        json_decref(json);
        return NULL;
    }
    if (prefix.tracing_id.data)
        json_object_set_new(json, "trace", meaning_hex(prefix.tracing_id));
    if (prefix.warning_count)
        json_object_set_new(
            json, "warnings",
            meaning_strings(prefix.warnings, prefix.warning_count));
    return json;
}

/* The megabyte of equal bytes is recorded in words. */
static void shorten_rows(json_t *json)
{
    json_t *rows = json_object_get(json, "rows");
    const char *cell =
        json_string_value(json_array_get(json_array_get(rows, 0), 0));

    if (cell && strlen(cell) == 600000) {
        for (size_t i = 0; i < 600000; i += 2)
            assert_memory_equal(cell + i, "79", 2);
        json_object_del(json, "rows");
    }
}

static void compare(const struct conversation_line *line, json_t *got)
{
    json_t *want = json_deep_copy(json_object_get(line->json, "decoded"));
    int flags = (int)json_integer_value(json_object_get(want, "flags"));

    normalise(want);
    if (line->version < 5) /* the inbox has decompressed it */
        meaning_int(want, "flags", flags & ~CS_FRAME_COMPRESSED);
    if (!json_equal(want, got))
        fail_msg("%s:%d: want %s\ngot %s", line->file, line->number,
                 json_dumps(want, JSON_SORT_KEYS),
                 json_dumps(got, JSON_SORT_KEYS));
    json_decref(want);
}

static void check_meaning(const struct conversation_line *line, void *ctx)
{
    struct reading *reading = ctx;
    struct cs_err err = {0};
    struct cs_frame frame;
    struct cs_arena arena;
    size_t need;
    json_t *json;

    if (!line->server)
        return;
    begin(reading, line);
    supply(reading, line);
    if (cs_inbox_next(&reading->inbox, &reading->in, &frame, &need, &err))
        fail_msg("%s:%d: %s", line->file, line->number, err.text);
    assert_int_equal(need, 0);
    cs_arena_init(&arena);
    json = meaning_of(&frame, &arena, &err);
    if (!json)
        fail_msg("%s:%d: %s", line->file, line->number, err.text);
    shorten_rows(json);
    if (json_object_get(line->json, "decoded"))
        compare(line, json);
    json_decref(json);
    cs_arena_release(&arena);
    reading->messages++;
}

static void reads_every_message_as_recorded(void **state)
{
    struct reading reading = {0};

    (void)state;
    conversation_each(check_meaning, &reading);
    forget(&reading);
    assert_int_equal(reading.messages, 366);
}

/* All messages in the first size bytes; how many. */
static int read_all(const struct conversation_line *line, const uint8_t *bytes,
                    size_t size, size_t *out_need)
{
    struct cs_inbox inbox;
    struct cs_reader in = cs_reader_of(bytes, size);
    struct cs_frame frame;
    struct cs_err err = {0};
    int count = 0;

    cs_inbox_init(&inbox, &any_version);
    cs_inbox_set_framing(&inbox, line->framing);
    for (*out_need = 0; !*out_need; count++) {
        if (cs_inbox_next(&inbox, &in, &frame, out_need, &err))
            fail_msg("%s:%d cut to %zu bytes: %s", line->file, line->number,
                     size, err.text);
    }
    cs_inbox_release(&inbox);
    return count - 1;
}

static void check_cut_wire(const struct conversation_line *line, void *ctx)
{
    struct reading *reading = ctx;
    size_t need;

    if (!line->server || !line->size)
        return;
    for (size_t cut = 0; cut < line->size; cut++) {
        uint8_t *copy = malloc(cut ? cut : 1);

        memcpy(copy, line->bytes, cut);
        read_all(line, copy, cut, &need);
        assert_true(need > 0);
        free(copy);
        reading->cuts++;
    }
    assert_true(read_all(line, line->bytes, line->size, &need) > 0);
}

static void asks_for_more_when_bytes_are_missing(void **state)
{
    struct reading reading = {0};

    (void)state;
    conversation_each(check_cut_wire, &reading);
    assert_true(reading.cuts > 20000);
}

static enum cs_code decode_cut(const struct cs_frame *frame, size_t cut,
                               bool keep)
{
    struct cs_frame part = *frame;
    uint8_t *copy = malloc(cut ? cut : 1);
    struct cs_arena arena;
    struct cs_prefix prefix;
    struct cs_reader body;
    struct cs_err err = {0};
    enum cs_code rc;

    if (cut)
        memcpy(copy, frame->body.data, cut);
    part.body = cs_view_of(copy, cut);
    cs_arena_init(&arena);
    rc = cs_frame_open(&part, &prefix, &body, &err);
    if (!rc)
        rc = meaning_body(body, &frame->header, keep ? &arena : NULL, NULL,
                          &err);
    cs_arena_release(&arena);
    free(copy);
    return rc;
}

static void check_cut_body(const struct conversation_line *line, void *ctx)
{
    struct reading *reading = ctx;
    struct cs_inbox inbox;
    struct cs_reader in = cs_reader_of(line->bytes, line->size);
    struct cs_frame frame;
    size_t need;
    size_t surplus;

    if (!line->server || !line->size)
        return;
    surplus =
        json_object_get(json_object_get(line->json, "decoded"), "REST") ? 2 : 0;
    cs_inbox_init(&inbox, &any_version);
    cs_inbox_set_framing(&inbox, line->framing);
    assert_int_equal(cs_inbox_next(&inbox, &in, &frame, &need, NULL), CS_OK);
    for (size_t cut = 0; cut + surplus < CS_MIN(frame.body.size, 4000); cut++) {
        if (decode_cut(&frame, cut, true) != CS_EPROTOCOL ||
            decode_cut(&frame, cut, false) != CS_EPROTOCOL)
            fail_msg("%s:%d: body cut to %zu of %zu bytes passes", line->file,
                     line->number, cut, frame.body.size);
        reading->cuts++;
    }
    assert_int_equal(decode_cut(&frame, frame.body.size, false), CS_OK);
    cs_inbox_release(&inbox);
}

static void refuses_every_cut_body(void **state)
{
    struct reading reading = {0};

    (void)state;
    conversation_each(check_cut_body, &reading);
    assert_true(reading.cuts > 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_message_as_recorded),
        cmocka_unit_test(asks_for_more_when_bytes_are_missing),
        cmocka_unit_test(refuses_every_cut_body),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
