/* test_request.c - every recorded request of a client is taken apart here and
 * must come out of the encoders byte for byte. */
#include "protocol/request.h"

#include "conversation.h"
#include "protocol/execute.h"
#include "protocol/outbox.h"

struct tally {
    int same[32]; /* by opcode */
    int templates;
    int segments;
    int left_out;
};

static size_t values_size(const struct cs_reader *r, unsigned count)
{
    return cs_values_span(cs_view_of(r->p, cs_reader_left(r)), count);
}

/* False: something in it that we have no way to write. */
static bool parse_params(struct cs_reader *r, uint8_t version,
                         struct cs_query_params *out)
{
    uint32_t flags;

    *out = (struct cs_query_params){.timestamp_us = CS_TIMESTAMP_NONE};
    out->consistency = cs_read16(r);
    flags = version >= 5 ? cs_read32(r) : cs_read8(r);
    out->skip_metadata = flags & CS_QUERY_SKIP_METADATA;
    if (flags & CS_QUERY_VALUES) {
        out->value_count = cs_read16(r);
        if (flags & CS_QUERY_NAMES || !out->value_count)
            return false;
        out->values = cs_read_view(r, values_size(r, out->value_count));
    }
    if (flags & CS_QUERY_PAGE_SIZE)
        out->page_size = (int32_t)cs_read32(r);
    if (flags & CS_QUERY_PAGING_STATE)
        out->paging_state = cs_read_blob(r);
    out->has_serial = flags & CS_QUERY_SERIAL;
    if (out->has_serial)
        out->serial_consistency = cs_read16(r);
    if (flags & CS_QUERY_TIMESTAMP)
        out->timestamp_us = (int64_t)cs_read64(r);
    if (version >= 5 && flags & CS_QUERY_KEYSPACE)
        out->keyspace = cs_read_string(r);
    out->has_now = version >= 5 && flags & CS_QUERY_NOW;
    if (out->has_now)
        out->now_s = (int32_t)cs_read32(r);
    /* Page size 0 is in the recording because it is wrong, and so is the least
     * timestamp. */
    return !(flags & CS_QUERY_PAGE_SIZE && !out->page_size) &&
           !(flags & CS_QUERY_TIMESTAMP &&
             out->timestamp_us == CS_TIMESTAMP_NONE);
}

static bool redo_startup(struct cs_buf *out, const struct cs_request *request,
                         struct cs_reader r)
{
    char texts[8][64];
    struct cs_startup_option options[4];
    uint16_t count = cs_read16(&r);

    assert_true(count <= 4);
    for (uint16_t i = 0; i < 2 * count; i++) {
        struct cs_view view = cs_read_string(&r);

        snprintf(texts[i], sizeof(texts[i]), "%.*s", CS_VIEW_ARGS(view));
    }
    for (uint16_t i = 0; i < count; i++) {
        options[i].key = texts[2 * i];
        options[i].value = texts[2 * i + 1];
    }
    cs_request_startup(out, request, options, count);
    return true;
}

static bool redo_auth(struct cs_buf *out, const struct cs_request *request,
                      struct cs_reader r)
{
    struct cs_view token = cs_read_blob(&r);
    char user[64];
    char password[64];
    const uint8_t *end = token.data + token.size;
    const uint8_t *second = memchr(token.data + 1, 0, token.size - 1);

    assert_non_null(second);
    snprintf(user, sizeof(user), "%s", (const char *)token.data + 1);
    snprintf(password, sizeof(password), "%.*s", (int)(end - second - 1),
             (const char *)second + 1);
    cs_request_auth_plain(out, request, user, password);
    return true;
}

static bool redo_register(struct cs_buf *out, const struct cs_request *request,
                          struct cs_reader r)
{
    char texts[4][32];
    const char *types[4];
    uint16_t count = cs_read16(&r);

    assert_true(count <= 4);
    for (uint16_t i = 0; i < count; i++) {
        struct cs_view view = cs_read_string(&r);

        snprintf(texts[i], sizeof(texts[i]), "%.*s", CS_VIEW_ARGS(view));
        types[i] = texts[i];
    }
    cs_request_register(out, request, types, count);
    return true;
}

static bool redo_query(struct cs_buf *out, const struct cs_request *request,
                       struct cs_reader r)
{
    struct cs_view cql = cs_read_long_string(&r);
    struct cs_query_params params;

    if (!parse_params(&r, request->version, &params))
        return false;
    cs_request_query(out, request, cql, &params);
    return true;
}

static bool redo_prepare(struct cs_buf *out, const struct cs_request *request,
                         struct cs_reader r)
{
    struct cs_view cql = cs_read_long_string(&r);
    struct cs_view keyspace = {0};

    if (request->version >= 5 && cs_read32(&r))
        keyspace = cs_read_string(&r);
    cs_request_prepare(out, request, cql, keyspace);
    return true;
}

/* The template must write the same as the slow encoder. */
static void redo_with_template(const struct cs_buf *want,
                               const struct cs_request *request,
                               struct cs_view id, struct cs_view metadata_id,
                               const struct cs_query_params *params)
{
    struct cs_execute_template t;
    const struct cs_execute_run run = {
        .stream = request->stream,
        .values = params->values,
        .timestamp_us = params->timestamp_us,
        .paging_state = params->paging_state,
    };
    struct cs_buf got;

    cs_buf_init(&got, SIZE_MAX);
    assert_int_equal(
        cs_execute_template_init(&t, request, id, metadata_id, params, NULL),
        CS_OK);
    cs_execute_put(&got, &t, &run);
    assert_int_equal(got.size, want->size);
    assert_memory_equal(got.data, want->data, got.size);
    cs_buf_release(&got);
}

static bool redo_execute(struct cs_buf *out, const struct cs_request *request,
                         struct cs_reader r, struct tally *tally)
{
    struct cs_view id = cs_read_string(&r);
    struct cs_view metadata_id = {0};
    struct cs_query_params params;

    if (request->version >= 5)
        metadata_id = cs_read_string(&r);
    if (!parse_params(&r, request->version, &params))
        return false;
    cs_request_execute(out, request, id, metadata_id, &params);
    if (!params.keyspace.data && !params.has_now) {
        redo_with_template(out, request, id, metadata_id, &params);
        tally->templates++;
    }
    return true;
}

static bool redo_batch(struct cs_buf *out, const struct cs_request *request,
                       struct cs_reader r)
{
    uint8_t version = request->version;
    uint8_t type = cs_read8(&r);
    uint16_t count = cs_read16(&r);
    size_t at = cs_batch_begin(out, request, type);
    struct cs_query_params params;

    for (uint16_t i = 0; i < count; i++) {
        bool prepared = cs_read8(&r) == 1;
        struct cs_view what =
            prepared ? cs_read_string(&r) : cs_read_long_string(&r);
        uint16_t values = cs_read16(&r);
        struct cs_view bytes = cs_read_view(&r, values_size(&r, values));

        if (prepared)
            cs_batch_add_prepared(out, what, values, bytes);
        else
            cs_batch_add_text(out, what, values, bytes);
    }
    if (!parse_params(&r, version, &params))
        return false;
    cs_batch_end(out, request, at, count, &params);
    return true;
}

static bool redo(const struct cs_frame *frame, struct cs_buf *out,
                 struct tally *tally)
{
    const struct cs_request request = {
        .version = frame->header.version,
        .flags = frame->header.flags,
        .stream = frame->header.stream,
    };
    struct cs_reader r = cs_reader_of(frame->body.data, frame->body.size);

    if (request.flags & CS_FRAME_PAYLOAD)
        return false;
    switch (frame->header.opcode) {
    case CS_OP_OPTIONS:
        cs_request_options(out, &request);
        return true;
    case CS_OP_STARTUP:
        return redo_startup(out, &request, r);
    case CS_OP_AUTH_RESPONSE:
        return redo_auth(out, &request, r);
    case CS_OP_REGISTER:
        return redo_register(out, &request, r);
    case CS_OP_QUERY:
        return redo_query(out, &request, r);
    case CS_OP_PREPARE:
        return redo_prepare(out, &request, r);
    case CS_OP_EXECUTE:
        return redo_execute(out, &request, r, tally);
    case CS_OP_BATCH:
        return redo_batch(out, &request, r);
    default:
        fail_msg("opcode %d", frame->header.opcode);
        return false;
    }
}

static void compare(const struct conversation_line *line,
                    const struct cs_frame *frame, struct tally *tally)
{
    struct cs_buf got;

    cs_buf_init(&got, SIZE_MAX);
    if (!redo(frame, &got, tally)) {
        tally->left_out++;
    } else {
        struct cs_reader r = cs_reader_of(got.data, got.size);

        assert_false(got.fault);
        if (got.size != frame->body.size + CS_FRAME_HEADER_SIZE ||
            memcmp(got.data + CS_FRAME_HEADER_SIZE, frame->body.data,
                   frame->body.size) != 0 ||
            cs_read8(&r) != frame->header.version ||
            cs_read8(&r) != frame->header.flags ||
            (int16_t)cs_read16(&r) != frame->header.stream ||
            cs_read8(&r) != frame->header.opcode ||
            cs_read32(&r) != frame->header.length)
            fail_msg("%s:%d: %s differs", line->file, line->number,
                     cs_opcode_name(frame->header.opcode));
        tally->same[frame->header.opcode]++;
    }
    cs_buf_release(&got);
}

/* Requests recorded because they break the rules. */
static bool is_bad_on_purpose(const char *conversation)
{
    static const char *const names[] = {
        "bad-crc24",
        "bad-crc32",
        "unknown-opcode",
        "two-unknown-opcodes",
        "negative-length",
        "cut-envelope-self-contained",
        "unframed-after-ready",
    };

    for (size_t i = 0; i < CS_COUNT(names); i++) {
        if (!strcmp(conversation, names[i]))
            return true;
    }
    return false;
}

static void check_request(const struct conversation_line *line, void *ctx)
{
    const struct cs_frame_rules rules = {
        .from_client = true,
        .max_body = CS_FRAME_BODY_PRESET,
    };
    struct tally *tally = ctx;
    struct cs_inbox inbox;
    struct cs_reader in = cs_reader_of(line->bytes, line->size);
    size_t need = 0;

    if (line->server || is_bad_on_purpose(line->conversation) ||
        (line->bytes[0] & 0x7F) < CS_PROTOCOL_OLDEST)
        return;
    cs_inbox_init(&inbox, &rules);
    cs_inbox_set_framing(&inbox, line->framing);
    while (!need) {
        struct cs_frame frame;
        struct cs_err err = {0};

        if (cs_inbox_next(&inbox, &in, &frame, &need, &err))
            fail_msg("%s:%d: %s", line->file, line->number, err.text);
        if (!need)
            compare(line, &frame, tally);
    }
    cs_inbox_release(&inbox);
}

static void encodes_every_recorded_request(void **state)
{
    struct tally tally = {0};

    (void)state;
    conversation_each(check_request, &tally);
    assert_true(tally.same[CS_OP_OPTIONS] > 10);
    assert_true(tally.same[CS_OP_STARTUP] > 40);
    assert_true(tally.same[CS_OP_AUTH_RESPONSE] > 10);
    assert_true(tally.same[CS_OP_REGISTER] >= 6);
    assert_true(tally.same[CS_OP_QUERY] > 100);
    assert_true(tally.same[CS_OP_PREPARE] > 20);
    assert_true(tally.same[CS_OP_EXECUTE] > 30);
    assert_true(tally.same[CS_OP_BATCH] > 20);
    assert_true(tally.templates > 30);
    assert_true(tally.left_out < 20);
}

/* One envelope per segment, uncompressed: the bytes on the wire. */
static void check_segment(const struct conversation_line *line, void *ctx)
{
    struct tally *tally = ctx;
    struct cs_outbox box;
    struct cs_buf out;
    struct cs_segment_header h;
    struct cs_reader in = cs_reader_of(line->bytes, line->size);
    struct cs_view payload;
    size_t need;

    if (line->server || line->framing != CS_FRAMING_SEGMENT ||
        cs_segment_next(&in, false, &h, &payload, &need, NULL) || need ||
        !h.self_contained || !payload.size)
        return;
    cs_buf_init(&out, SIZE_MAX);
    cs_outbox_init(&box);
    cs_outbox_set_framing(&box, CS_FRAMING_SEGMENT);
    cs_outbox_begin(&box, &out);
    cs_buf_put(&out, payload.data, payload.size);
    assert_int_equal(cs_outbox_end(&box, &out, NULL), CS_OK);
    cs_outbox_flush(&box, &out);
    assert_int_equal(out.size, line->size);
    assert_memory_equal(out.data, line->bytes, out.size);
    tally->segments++;
    cs_outbox_release(&box);
    cs_buf_release(&out);
}

static void wraps_every_recorded_request(void **state)
{
    struct tally tally = {0};

    (void)state;
    conversation_each(check_segment, &tally);
    assert_true(tally.segments > 80);
}

static const struct {
    const char *why;
    const char *hex;
    unsigned count;
    size_t want;
} spans[] = {
    {"nothing", "", 0, 0},
    {"one", "0000000161", 1, 5},
    {"null and not set take no bytes", "fffffffffffffffe", 2, 8},
    {"empty", "00000000", 1, 4},
    {"the rest is the next row's", "00000001610000000162", 1, 5},
    {"cut size", "000000", 1, SIZE_MAX},
    {"cut value", "0000000261", 1, SIZE_MAX},
    {"fewer than asked for", "0000000161", 2, SIZE_MAX},
    {"huge size", "7fffffff61", 1, SIZE_MAX},
};

static void spans_rows_of_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(spans); i++) {
        size_t size;
        uint8_t *bytes = vector_hex(spans[i].hex, &size);

        if (cs_values_span(cs_view_of(bytes, size), spans[i].count) !=
            spans[i].want)
            fail_msg("%s", spans[i].why);
        free(bytes);
    }
}

static void counts_that_do_not_fit_are_faults(void **state)
{
    const struct cs_request request = {.version = 4};
    const struct cs_query_params params = {.timestamp_us = CS_TIMESTAMP_NONE};
    const char **types = calloc(65536, sizeof(*types));
    struct cs_buf out;
    size_t at;

    (void)state;
    for (int i = 0; i < 65536; i++)
        types[i] = "";
    cs_buf_init(&out, SIZE_MAX);
    at = cs_batch_begin(&out, &request, 0);
    cs_batch_end(&out, &request, at, 65536, &params);
    assert_true(out.fault);
    cs_buf_clear(&out);
    cs_request_register(&out, &request, types, 65535);
    assert_false(out.fault);
    cs_request_register(&out, &request, types, 65536);
    assert_true(out.fault);
    cs_buf_release(&out);
    free(types);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encodes_every_recorded_request),
        cmocka_unit_test(wraps_every_recorded_request),
        cmocka_unit_test(spans_rows_of_values),
        cmocka_unit_test(counts_that_do_not_fit_are_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
