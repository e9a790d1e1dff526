/* writer.c - a random id and always the same letters. The request is made
 * once: only the id in it changes. */
#include "base/clock.h"
#include "base/murmur3.h"
#include "sbk/worker_internal.h"

#include <stdlib.h>
#include <sys/random.h>

#define REQUEST_MAX ((size_t)257 << 20)
#define LETTERS     26

/* xoshiro256**: ids must differ between all writers and runs, so it starts
 * from 256 bits of the system's randomness. */
static uint64_t draw(uint64_t s[4])
{
    uint64_t x = s[1] * 5;
    uint64_t result = ((x << 7) | (x >> 57)) * 9;
    uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* RFC 4122: version 4, its own variant. */
static void draw_uuid(uint64_t random[4], uint8_t out[16])
{
    cs_store64(out, draw(random));
    cs_store64(out + 8, draw(random));
    out[6] = (uint8_t)((out[6] & 0x0F) | 0x40);
    out[8] = (uint8_t)((out[8] & 0x3F) | 0x80);
}

static int64_t token_of(const uint8_t uuid[16])
{
    int64_t token = cs_murmur3(uuid, 16);

    return token == INT64_MIN ? INT64_MAX : token;
}

static void put_letters(struct cs_sbk_worker *worker, struct cs_buf *out)
{
    int64_t size = cs_sbk_worker_options(worker)->size;

    for (int64_t i = 0; i < size; i++)
        cs_buf_put8(out, (uint8_t)('A' + draw(worker->random) % LETTERS));
}

static void make_values(struct cs_sbk_worker *worker)
{
    struct cs_buf *values = &worker->hand.op.values;

    cs_buf_put32(values, 16);
    worker->id_at = values->size;
    cs_buf_put64(values, 0);
    cs_buf_put64(values, 0);
    cs_buf_put32(values, (uint32_t)cs_sbk_worker_options(worker)->size);
    put_letters(worker, values);
    worker->hand.op.statement = worker->shared->plan->statements->insert;
    worker->hand.op.row_count = 1;
}

static void make_text(struct cs_sbk_worker *worker)
{
    const struct cs_sbk_options *o = cs_sbk_worker_options(worker);
    static const uint8_t none[16];

    cs_buf_printf(&worker->cql, "INSERT INTO %s.%s (id, data) VALUES (",
                  o->keyspace, o->table);
    worker->id_at = worker->cql.size;
    cs_sbk_put_uuid(none, &worker->cql);
    cs_buf_puts(&worker->cql, ", '");
    put_letters(worker, &worker->cql);
    cs_buf_puts(&worker->cql, "');");
    worker->hand.op.cql = (const char *)worker->cql.data;
    worker->hand.op.cql_size = worker->cql.size;
    worker->hand.op.cql_options =
        worker->shared->plan->statements->write_options;
}

enum cs_code cs_sbk_writer_init(struct cs_sbk_worker *worker,
                                struct cs_err *err)
{
    const struct cs_buf *request;

    cs_buf_init(&worker->cql, REQUEST_MAX);
    cs_buf_init(&worker->hand.op.values, REQUEST_MAX);
    if (getrandom(worker->random, sizeof(worker->random), 0) !=
        (ssize_t)sizeof(worker->random))
        return cs_fail_sys(err, "getrandom");
    if (cs_sbk_worker_options(worker)->text)
        make_text(worker);
    else
        make_values(worker);
    request = cs_sbk_worker_options(worker)->text ? &worker->cql
                                                  : &worker->hand.op.values;
    return cs_buf_check(request, "record of a writer", err);
}

static void write_id_text(struct cs_sbk_worker *worker, const uint8_t uuid[16])
{
    struct cs_buf text = {.data = worker->cql.data + worker->id_at,
                          .cap = CS_SBK_UUID_TEXT,
                          .max = CS_SBK_UUID_TEXT};

    cs_sbk_put_uuid(uuid, &text);
}

enum cs_hand_step cs_sbk_writer_next(struct cs_sbk_worker *worker)
{
    struct cs_operation *op = &worker->hand.op;
    uint8_t uuid[16];

    draw_uuid(worker->random, uuid);
    if (op->statement) {
        memcpy(op->values.data + worker->id_at, uuid, sizeof(uuid));
        op->token = token_of(uuid);
        op->has_token = true;
    } else {
        write_id_text(worker, uuid);
    }
    op->timestamp_us = cs_wall_ns() / CS_NS_PER_US;
    return CS_HAND_SEND;
}
