/* handshake.c - what comes before statements: version, STARTUP, log-in,
 * REGISTER. */
#include "protocol/tablets.h"
#include "responder/peer_internal.h"

#include <stdio.h>
#include <strings.h>

#define AUTHENTICATOR "org.apache.cassandra.auth.PasswordAuthenticator"

static void refuse(struct cs_peer *peer, const struct cs_reply *reply,
                   int32_t code, const char *text)
{
    struct cs_buf *answer = &peer->responder->answer;

    cs_buf_clear(answer);
    cs_answer_error(answer, reply, code, text, NULL);
    cs_peer_send(peer, reply);
}

void cs_peer_refuse_version(struct cs_peer *peer, const uint8_t *bytes)
{
    int newest = peer->responder->options->version;
    struct cs_reply reply = {.version = (uint8_t)newest,
                             .stream = (int16_t)cs_load16(bytes + 2)};
    char text[128];

    snprintf(text, sizeof(text),
             "Invalid or unsupported protocol version (%d); supported versions "
             "are (3/v3%s%s)",
             bytes[0] & 0x7F, newest > 3 ? ", 4/v4" : "",
             newest > 4 ? ", 5/v5" : "");
    refuse(peer, &reply, CS_SERVER_PROTOCOL_ERROR, text);
    peer->refused = true;
}

/* ---- STARTUP ---- */

static bool is_word(struct cs_view view, const char *word)
{
    return view.size == strlen(word) &&
           !strncasecmp((const char *)view.data, word, view.size);
}

/* The value of COMPRESSION; null: none. */
static struct cs_view compression_of(struct cs_reader body)
{
    struct cs_view found = cs_view_of(NULL, 0);
    uint32_t count = cs_read16(&body);

    for (uint32_t i = 0; i < count && !body.fault; i++) {
        struct cs_view key = cs_read_string(&body);
        struct cs_view value = cs_read_string(&body);

        if (is_word(key, "COMPRESSION"))
            found = value;
    }
    return found;
}

/* Those of the extensions it is offered that it switches on. */
static uint8_t spoken_by(const struct cs_sharding *offered,
                         struct cs_reader body)
{
    uint32_t count = cs_read16(&body);
    unsigned speaks = 0;

    for (uint32_t i = 0; i < count && !body.fault; i++) {
        struct cs_view key = cs_read_string(&body);

        cs_read_string(&body); /* its value */
        if (offered->rate_limit && is_word(key, CS_EXTENSION_RATE_LIMIT))
            speaks |= CS_SPEAKS_RATE_LIMIT;
        if (offered->lwt_mask && is_word(key, CS_EXTENSION_LWT_MARK))
            speaks |= CS_SPEAKS_LWT_MARK;
        if (offered->tablets && is_word(key, CS_EXTENSION_TABLETS))
            speaks |= CS_SPEAKS_TABLETS;
    }
    return (uint8_t)speaks;
}

/* False: it has been refused. */
static bool choose_framing(struct cs_peer *peer, const struct cs_reply *reply,
                           struct cs_reader body, enum cs_framing *out)
{
    struct cs_view name = compression_of(body);
    bool segments = peer->version >= 5;
    bool none = !name.size || is_word(name, "none");
    bool snappy = is_word(name, "snappy");
    char text[96];

    if (none) {
        *out = segments ? CS_FRAMING_SEGMENT : CS_FRAMING_PLAIN;
        return true;
    }
    if (is_word(name, "lz4")) {
        *out = segments ? CS_FRAMING_SEGMENT_LZ4 : CS_FRAMING_BODY_LZ4;
        return true;
    }
    *out = CS_FRAMING_BODY_SNAPPY;
    if (snappy && !segments)
        return true;
    snprintf(text, sizeof(text), "Unknown compression algorithm: %.*s",
             (int)CS_MIN(name.size, 40ul), (const char *)name.data);
    refuse(peer, reply, CS_SERVER_PROTOCOL_ERROR,
           snappy ? "Snappy compression is not supported in protocol V5"
                  : text);
    return false;
}

/* The answer is the last message without framing. */
static void on_startup(struct cs_peer *peer, const struct cs_reply *reply,
                       struct cs_reader body)
{
    struct cs_responder *responder = peer->responder;
    struct cs_buf *answer = &responder->answer;
    const struct cs_sharding offered = cs_shards_told(peer);
    enum cs_framing framing;
    size_t at;

    if (!choose_framing(peer, reply, body, &framing))
        return;
    peer->speaks = spoken_by(&offered, body);
    peer->asked = responder->options->user != NULL;
    peer->ready = !peer->asked;
    if (peer->asked) {
        at = cs_answer_begin(answer, reply, CS_OP_AUTHENTICATE);
        cs_put_string(answer, cs_view_text(AUTHENTICATOR));
        cs_frame_end(answer, at);
    } else {
        cs_answer_plain(answer, reply, CS_OP_READY);
    }
    cs_peer_send(peer, reply);
    cs_inbox_set_framing(&peer->inbox, framing);
    cs_outbox_set_framing(&peer->outbox, framing);
}

/* ---- log-in ---- */

/* What stands behind the last NUL before *size, which is where that is then. */
static struct cs_view last_part(struct cs_view token, size_t *size)
{
    size_t from = *size;

    while (from && token.data[from - 1])
        from--;
    token = cs_view_of(token.data + from, *size - from);
    *size = from ? from - 1 : 0;
    return token;
}

/* SASL PLAIN: any identity, NUL, user, NUL, password. */
static void on_auth_response(struct cs_peer *peer, const struct cs_reply *reply,
                             struct cs_reader body)
{
    const struct cs_responder_options *options = peer->responder->options;
    const char *right = options->password ? options->password : "";
    struct cs_view token = cs_read_blob(&body);
    size_t size = token.size;
    struct cs_view password = last_part(token, &size);
    struct cs_view user = last_part(token, &size);
    char text[160];

    if (peer->asked && (!user.size || !password.size)) {
        refuse(peer, reply, CS_SERVER_AUTH_ERROR,
               !user.size ? "User must not be null"
                          : "Password must not be null");
        return;
    }
    if (peer->asked &&
        (!cs_view_is(user, options->user) || !cs_view_is(password, right))) {
        snprintf(text, sizeof(text),
                 "Provided username %.*s and/or password are incorrect",
                 (int)CS_MIN(user.size, 80ul), (const char *)user.data);
        refuse(peer, reply, CS_SERVER_AUTH_ERROR, text);
        return;
    }
    peer->ready = true;
    cs_answer_plain(&peer->responder->answer, reply, CS_OP_AUTH_SUCCESS);
    cs_peer_send(peer, reply);
}

/* ---- REGISTER ---- */

static void on_register(struct cs_peer *peer, const struct cs_reply *reply,
                        struct cs_reader body)
{
    static const char *const types[] = {"TOPOLOGY_CHANGE", "STATUS_CHANGE",
                                        "SCHEMA_CHANGE"};
    uint32_t count = cs_read16(&body);
    unsigned events = 0;
    char text[96];

    for (uint32_t i = 0; i < count && !body.fault; i++) {
        struct cs_view name = cs_read_string(&body);
        size_t k = 0;

        while (k < CS_COUNT(types) && !cs_view_is(name, types[k]))
            k++;
        if (k == CS_COUNT(types)) {
            snprintf(text, sizeof(text), "Invalid value '%.*s' for Type",
                     (int)CS_MIN(name.size, 40ul), (const char *)name.data);
            refuse(peer, reply, CS_SERVER_PROTOCOL_ERROR, text);
            return;
        }
        events |= 1u << k;
    }
    peer->events |= events;
    cs_answer_plain(&peer->responder->answer, reply, CS_OP_READY);
    cs_peer_send(peer, reply);
}

/* ---- all ---- */

static void unexpected(struct cs_peer *peer, const struct cs_reply *reply,
                       uint8_t opcode, const char *expected)
{
    const char *name = cs_opcode_name(opcode);
    char text[128];

    snprintf(text, sizeof(text), "Unexpected message %s, expecting %s",
             name ? name : "?", expected);
    refuse(peer, reply, CS_SERVER_PROTOCOL_ERROR, text);
}

bool cs_peer_allows(struct cs_peer *peer, const struct cs_reply *reply,
                    uint8_t opcode)
{
    if (peer->ready)
        return true;
    if (peer->asked && opcode != CS_OP_AUTH_RESPONSE) {
        unexpected(peer, reply, opcode, "SASL_RESPONSE");
        return false;
    }
    if (!peer->asked && opcode != CS_OP_STARTUP && opcode != CS_OP_OPTIONS) {
        unexpected(peer, reply, opcode, "STARTUP or OPTIONS");
        return false;
    }
    return true;
}

void cs_peer_on_control(struct cs_peer *peer, const struct cs_reply *reply,
                        uint8_t opcode, struct cs_reader body)
{
    struct cs_sharding sharding = cs_shards_told(peer);

    switch (opcode) {
    case CS_OP_STARTUP:
        if (peer->ready)
            unexpected(peer, reply, opcode, "a statement");
        else
            on_startup(peer, reply, body);
        break;
    case CS_OP_OPTIONS:
        cs_answer_supported(&peer->responder->answer, reply,
                            peer->responder->options->version, &sharding);
        cs_peer_send(peer, reply);
        break;
    case CS_OP_AUTH_RESPONSE:
        on_auth_response(peer, reply, body);
        break;
    case CS_OP_REGISTER:
        on_register(peer, reply, body);
        break;
    default:
        unexpected(peer, reply, opcode, "a request");
    }
}
