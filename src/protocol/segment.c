/* segment.c - checksums and headers of v5 segments. */
#include "protocol/segment.h"

#include <libdeflate.h>

#define CRC24_START UINT32_C(0x875060)
#define CRC24_SIZE  3

/* zlib's CRC-32 of the four bytes FA 2D 55 CA, from where every payload's
 * checksum goes on. */
#define CRC32_START UINT32_C(0x44777ED3)

#define SIZE_MASK UINT32_C(0x1FFFF)
#define SIZE_BITS 17

/* Entry b: the eight shifts of b in bits 16 to 23, polynomial 0x1974F0B. */
static const uint32_t crc24_table[256] = {
    0x000000, 0x974F0B, 0xB9D11D, 0x2E9E16, 0xE4ED31, 0x73A23A, 0x5D3C2C,
    0xCA7327, 0x5E9569, 0xC9DA62, 0xE74474, 0x700B7F, 0xBA7858, 0x2D3753,
    0x03A945, 0x94E64E, 0xBD2AD2, 0x2A65D9, 0x04FBCF, 0x93B4C4, 0x59C7E3,
    0xCE88E8, 0xE016FE, 0x7759F5, 0xE3BFBB, 0x74F0B0, 0x5A6EA6, 0xCD21AD,
    0x07528A, 0x901D81, 0xBE8397, 0x29CC9C, 0xED1AAF, 0x7A55A4, 0x54CBB2,
    0xC384B9, 0x09F79E, 0x9EB895, 0xB02683, 0x276988, 0xB38FC6, 0x24C0CD,
    0x0A5EDB, 0x9D11D0, 0x5762F7, 0xC02DFC, 0xEEB3EA, 0x79FCE1, 0x50307D,
    0xC77F76, 0xE9E160, 0x7EAE6B, 0xB4DD4C, 0x239247, 0x0D0C51, 0x9A435A,
    0x0EA514, 0x99EA1F, 0xB77409, 0x203B02, 0xEA4825, 0x7D072E, 0x539938,
    0xC4D633, 0x4D7A55, 0xDA355E, 0xF4AB48, 0x63E443, 0xA99764, 0x3ED86F,
    0x104679, 0x870972, 0x13EF3C, 0x84A037, 0xAA3E21, 0x3D712A, 0xF7020D,
    0x604D06, 0x4ED310, 0xD99C1B, 0xF05087, 0x671F8C, 0x49819A, 0xDECE91,
    0x14BDB6, 0x83F2BD, 0xAD6CAB, 0x3A23A0, 0xAEC5EE, 0x398AE5, 0x1714F3,
    0x805BF8, 0x4A28DF, 0xDD67D4, 0xF3F9C2, 0x64B6C9, 0xA060FA, 0x372FF1,
    0x19B1E7, 0x8EFEEC, 0x448DCB, 0xD3C2C0, 0xFD5CD6, 0x6A13DD, 0xFEF593,
    0x69BA98, 0x47248E, 0xD06B85, 0x1A18A2, 0x8D57A9, 0xA3C9BF, 0x3486B4,
    0x1D4A28, 0x8A0523, 0xA49B35, 0x33D43E, 0xF9A719, 0x6EE812, 0x407604,
    0xD7390F, 0x43DF41, 0xD4904A, 0xFA0E5C, 0x6D4157, 0xA73270, 0x307D7B,
    0x1EE36D, 0x89AC66, 0x9AF4AA, 0x0DBBA1, 0x2325B7, 0xB46ABC, 0x7E199B,
    0xE95690, 0xC7C886, 0x50878D, 0xC461C3, 0x532EC8, 0x7DB0DE, 0xEAFFD5,
    0x208CF2, 0xB7C3F9, 0x995DEF, 0x0E12E4, 0x27DE78, 0xB09173, 0x9E0F65,
    0x09406E, 0xC33349, 0x547C42, 0x7AE254, 0xEDAD5F, 0x794B11, 0xEE041A,
    0xC09A0C, 0x57D507, 0x9DA620, 0x0AE92B, 0x24773D, 0xB33836, 0x77EE05,
    0xE0A10E, 0xCE3F18, 0x597013, 0x930334, 0x044C3F, 0x2AD229, 0xBD9D22,
    0x297B6C, 0xBE3467, 0x90AA71, 0x07E57A, 0xCD965D, 0x5AD956, 0x744740,
    0xE3084B, 0xCAC4D7, 0x5D8BDC, 0x7315CA, 0xE45AC1, 0x2E29E6, 0xB966ED,
    0x97F8FB, 0x00B7F0, 0x9451BE, 0x031EB5, 0x2D80A3, 0xBACFA8, 0x70BC8F,
    0xE7F384, 0xC96D92, 0x5E2299, 0xD78EFF, 0x40C1F4, 0x6E5FE2, 0xF910E9,
    0x3363CE, 0xA42CC5, 0x8AB2D3, 0x1DFDD8, 0x891B96, 0x1E549D, 0x30CA8B,
    0xA78580, 0x6DF6A7, 0xFAB9AC, 0xD427BA, 0x4368B1, 0x6AA42D, 0xFDEB26,
    0xD37530, 0x443A3B, 0x8E491C, 0x190617, 0x379801, 0xA0D70A, 0x343144,
    0xA37E4F, 0x8DE059, 0x1AAF52, 0xD0DC75, 0x47937E, 0x690D68, 0xFE4263,
    0x3A9450, 0xADDB5B, 0x83454D, 0x140A46, 0xDE7961, 0x49366A, 0x67A87C,
    0xF0E777, 0x640139, 0xF34E32, 0xDDD024, 0x4A9F2F, 0x80EC08, 0x17A303,
    0x393D15, 0xAE721E, 0x87BE82, 0x10F189, 0x3E6F9F, 0xA92094, 0x6353B3,
    0xF41CB8, 0xDA82AE, 0x4DCDA5, 0xD92BEB, 0x4E64E0, 0x60FAF6, 0xF7B5FD,
    0x3DC6DA, 0xAA89D1, 0x8417C7, 0x1358CC,
};

uint32_t cs_crc24(const uint8_t *bytes, size_t size)
{
    uint32_t crc = CRC24_START;

    for (size_t i = 0; i < size; i++)
        crc = ((crc << 8) & 0xFFFFFF) ^ crc24_table[(crc >> 16) ^ bytes[i]];
    return crc;
}

uint32_t cs_segment_crc32(const uint8_t *bytes, size_t size)
{
    return libdeflate_crc32(CRC32_START, bytes, size);
}

static void store_little(uint8_t *p, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t load_little(const uint8_t *p, size_t size)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

void cs_segment_header_store(uint8_t *p, bool lz4,
                             const struct cs_segment_header *header)
{
    size_t size = cs_segment_header_size(lz4) - CRC24_SIZE;
    uint64_t fields = header->size & SIZE_MASK;

    if (lz4)
        fields |= (uint64_t)(header->raw_size & SIZE_MASK) << SIZE_BITS;
    fields |= (uint64_t)header->self_contained
              << (lz4 ? 2 * SIZE_BITS : SIZE_BITS);
    store_little(p, fields, size);
    store_little(p + size, cs_crc24(p, size), CRC24_SIZE);
}

enum cs_code cs_segment_header_parse(const uint8_t *bytes, bool lz4,
                                     struct cs_segment_header *out,
                                     struct cs_err *err)
{
    size_t size = cs_segment_header_size(lz4) - CRC24_SIZE;
    uint64_t fields = load_little(bytes, size);
    uint32_t found = (uint32_t)load_little(bytes + size, CRC24_SIZE);
    uint32_t want = cs_crc24(bytes, size);
    struct cs_segment_header h = {.size = fields & SIZE_MASK};

    if (found != want)
        return cs_fail(err, CS_EPROTOCOL,
                       "segment header: checksum 0x%06x, computed 0x%06x",
                       (unsigned)found, (unsigned)want);
    fields >>= SIZE_BITS;
    if (lz4) {
        h.raw_size = fields & SIZE_MASK;
        fields >>= SIZE_BITS;
    }
    h.self_contained = fields & 1; /* the bits above are padding */
    if (h.raw_size && !h.size)
        return cs_fail(err, CS_EPROTOCOL,
                       "segment header: 0 bytes cannot become %u",
                       (unsigned)h.raw_size);
    *out = h;
    return CS_OK;
}

static enum cs_code check_payload(const uint8_t *payload, size_t size,
                                  struct cs_err *err)
{
    uint32_t found =
        (uint32_t)load_little(payload + size, CS_SEGMENT_TRAILER_SIZE);
    uint32_t want = cs_segment_crc32(payload, size);

    if (found != want)
        return cs_fail(err, CS_EPROTOCOL,
                       "segment of %zu bytes: checksum 0x%08x, computed "
                       "0x%08x",
                       size, (unsigned)found, (unsigned)want);
    return CS_OK;
}

void cs_segment_trailer_store(uint8_t *payload, size_t size)
{
    store_little(payload + size, cs_segment_crc32(payload, size),
                 CS_SEGMENT_TRAILER_SIZE);
}

enum cs_code cs_segment_next(struct cs_reader *in, bool lz4,
                             struct cs_segment_header *out_header,
                             struct cs_view *out_payload, size_t *out_need,
                             struct cs_err *err)
{
    size_t header_size = cs_segment_header_size(lz4);
    size_t left = cs_reader_left(in);
    struct cs_segment_header h = {0};
    enum cs_code rc;

    *out_need = header_size;
    if (left < header_size)
        return CS_OK;
    rc = cs_segment_header_parse(in->p, lz4, &h, err);
    if (rc)
        return rc;
    *out_need = header_size + h.size + CS_SEGMENT_TRAILER_SIZE;
    if (left < *out_need)
        return CS_OK;
    rc = check_payload(in->p + header_size, h.size, err);
    if (rc)
        return rc;
    *out_header = h;
    *out_payload = cs_view_of(in->p + header_size, h.size);
    in->p += *out_need;
    *out_need = 0;
    return CS_OK;
}
