/* fuzz_protocol_segment.c - segments to envelopes. A fuzzer cannot guess
 * checksums, so the input is a script: byte 0 chooses LZ4 (bit 0) and raw bytes
 * (bit 1: no script, what follows goes in as it is). Of a script each step is a
 * byte of flags (bit 0 self-contained, bit 1 compressed), two bytes of raw size
 * (big-endian), one of payload size, and the payload; header and checksums are
 * put around it here. */
#include "protocol/inbox.h"
#include "protocol/segment.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_segment(struct cs_buf *out, struct cs_reader *script, bool lz4)
{
    uint8_t flags = cs_read8(script);
    uint16_t raw_size = cs_read16(script);
    size_t size = cs_read8(script);
    size_t left = cs_reader_left(script);
    struct cs_segment_header h = {.self_contained = flags & 1};
    uint8_t *p;

    size = CS_MIN(size, left);
    h.size = (uint32_t)size;
    if (flags & 2)
        h.raw_size = raw_size;
    p = cs_buf_room(out, CS_SEGMENT_HEADER_SIZE_MAX + size +
                             CS_SEGMENT_TRAILER_SIZE);
    if (!p)
        return;
    cs_segment_header_store(p, lz4, &h);
    p += cs_segment_header_size(lz4);
    if (size)
        memcpy(p, cs_read_bytes(script, size), size);
    cs_segment_trailer_store(p, size);
    out->size += cs_segment_header_size(lz4) + size + CS_SEGMENT_TRAILER_SIZE;
}

static void read_all(const uint8_t *bytes, size_t size, bool lz4)
{
    const struct cs_frame_rules rules = {.version = 5, .max_body = 1 << 16};
    struct cs_reader in = cs_reader_of(bytes, size);
    struct cs_inbox inbox;
    struct cs_frame frame;
    size_t need = 0;

    cs_inbox_init(&inbox, &rules);
    cs_inbox_set_framing(&inbox,
                         lz4 ? CS_FRAMING_SEGMENT_LZ4 : CS_FRAMING_SEGMENT);
    while (!cs_inbox_next(&inbox, &in, &frame, &need, NULL) && !need) {
        volatile uint8_t last = 0; /* the body must be readable to its end */

        if (frame.body.size)
            last = frame.body.data[frame.body.size - 1];
        (void)last;
    }
    cs_inbox_release(&inbox);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_reader script;
    struct cs_buf bytes;

    if (!size)
        return 0;
    if (data[0] & 2) {
        read_all(data + 1, size - 1, data[0] & 1);
        return 0;
    }
    script = cs_reader_of(data + 1, size - 1);
    cs_buf_init(&bytes, 1 << 20);
    while (cs_reader_left(&script))
        put_segment(&bytes, &script, data[0] & 1);
    if (bytes.size)
        read_all(bytes.data, bytes.size, data[0] & 1);
    cs_buf_release(&bytes);
    return 0;
}
