/* fuzz_protocol_frame.c - envelopes in plain framing and the bodies in them.
 * The first byte chooses what the client could: bit 0 LZ4 bodies, bit 1 whether
 * descriptions of columns are kept. */
#include "protocol/error.h"
#include "protocol/event.h"
#include "protocol/handshake.h"
#include "protocol/inbox.h"
#include "protocol/result.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_result(struct cs_reader body, uint8_t version, bool keep)
{
    struct cs_arena arena;
    struct cs_result result;

    cs_arena_init(&arena);
    if (!cs_result_decode(body, version, keep ? &arena : NULL, &result, NULL) &&
        !cs_result_check_cells(&result, NULL))
        (void)cs_result_applied(&result);
    cs_arena_release(&arena);
}

static void read_error(struct cs_reader body, uint8_t version)
{
    struct cs_server_error error;
    struct cs_err err;

    if (cs_server_error_decode(body, version, &error, NULL))
        return;
    (void)cs_server_error_is_version_refusal(&error);
    cs_server_error_fail(&error, &err);
}

static void read_supported(struct cs_reader body)
{
    struct cs_supported supported;

    if (!cs_supported_decode(body, &supported, NULL))
        (void)cs_supported_get(&supported, "SCYLLA_NR_SHARDS");
}

static void read_body(const struct cs_frame *frame, bool keep)
{
    struct cs_prefix prefix;
    struct cs_reader body;
    struct cs_event event;
    struct cs_view view;

    if (cs_frame_open(frame, &prefix, &body, NULL))
        return;
    switch (frame->header.opcode) {
    case CS_OP_RESULT:
        read_result(body, frame->header.version, keep);
        break;
    case CS_OP_ERROR:
        read_error(body, frame->header.version);
        break;
    case CS_OP_SUPPORTED:
        read_supported(body);
        break;
    case CS_OP_EVENT:
        (void)!cs_event_decode(body, &event, NULL);
        break;
    case CS_OP_AUTHENTICATE:
        (void)!cs_authenticate_decode(body, &view, NULL);
        break;
    default:
        (void)!cs_auth_token_decode(body, &view, NULL);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cs_frame_rules rules = {.max_body = 1 << 20};
    struct cs_inbox inbox;
    struct cs_frame frame;
    size_t need = 0;
    struct cs_reader in;

    if (!size)
        return 0;
    in = cs_reader_of(data + 1, size - 1);
    cs_inbox_init(&inbox, &rules);
    if (data[0] & 1)
        cs_inbox_set_framing(&inbox, CS_FRAMING_BODY_LZ4);
    else if (data[0] & 4)
        cs_inbox_set_framing(&inbox, CS_FRAMING_BODY_SNAPPY);
    while (!cs_inbox_next(&inbox, &in, &frame, &need, NULL) && !need)
        read_body(&frame, data[0] & 2);
    cs_inbox_release(&inbox);
    return 0;
}
