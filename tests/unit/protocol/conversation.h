/* conversation.h - the recorded conversations, line by line. */
#ifndef CS_TESTS_PROTOCOL_CONVERSATION_H
#define CS_TESTS_PROTOCOL_CONVERSATION_H

#include "protocol/inbox.h"
#include "support/vectors.h"

struct conversation_line {
    const char *file;
    int number;
    json_t *json;
    const char *conversation;
    int version; /* of the client */
    bool server;
    enum cs_framing framing;
    uint8_t *bytes; /* exactly size bytes, so that overruns are seen */
    size_t size;
};

typedef void (*conversation_fn)(const struct conversation_line *line,
                                void *ctx);

static inline enum cs_framing conversation_framing(json_t *json, int version)
{
    bool lz4 = !strcmp(vector_string(json, "compression"), "lz4");
    bool segment = !strcmp(vector_string(json, "layer"), "segment");

    if (segment)
        return lz4 ? CS_FRAMING_SEGMENT_LZ4 : CS_FRAMING_SEGMENT;
    if (!strcmp(vector_string(json, "compression"), "snappy") && version < 5)
        return CS_FRAMING_BODY_SNAPPY;
    return lz4 && version < 5 ? CS_FRAMING_BODY_LZ4 : CS_FRAMING_PLAIN;
}

static inline void conversation_file(const char *name, conversation_fn fn,
                                     void *ctx)
{
    struct vector_file v;
    json_t *json;

    vector_open(&v, name);
    while ((json = vector_next_json(&v)) != NULL) {
        struct conversation_line line = {
            .file = name,
            .number = v.line,
            .json = json,
            .conversation = vector_string(json, "conv"),
            .version =
                (int)json_integer_value(json_object_get(json, "version")),
            .server = !strcmp(vector_string(json, "dir"), "S"),
        };

        line.framing = conversation_framing(json, line.version);
        line.bytes = vector_hex(vector_string(json, "hex"), &line.size);
        line.bytes = realloc(line.bytes, line.size ? line.size : 1);
        fn(&line, ctx);
        free(line.bytes);
        json_decref(json);
    }
}

static inline void conversation_each(conversation_fn fn, void *ctx)
{
    conversation_file("protocol/auth_overload.jsonl", fn, ctx);
    conversation_file("protocol/cluster.jsonl", fn, ctx);
    conversation_file("protocol/errors.jsonl", fn, ctx);
    conversation_file("protocol/handshake.jsonl", fn, ctx);
    conversation_file("protocol/results.jsonl", fn, ctx);
    conversation_file("protocol/segments_v5.jsonl", fn, ctx);
    conversation_file("protocol/types.jsonl", fn, ctx);
}

#endif
