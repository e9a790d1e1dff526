/* cluster_lines.c - every operation is accounted for, and every request has a
 * node that it went to. */
#include "report/cluster_lines.h"
#include "base/text.h"
#include "report/verdict.h"

#define NODES_MAX 16 /* listed by name */

static void put_count(struct cs_buf *out, uint64_t count)
{
    cs_put_int(out, (int64_t)count, true, 0);
}

void cs_put_book(struct cs_buf *out, const struct cs_book *book)
{
    cs_buf_puts(out, "# started ");
    put_count(out, book->started);
    cs_buf_puts(out, " = acknowledged ");
    put_count(out, book->acknowledged);
    cs_buf_puts(out, " + failed ");
    put_count(out, book->failed);
    cs_buf_puts(out, " + unknown ");
    put_count(out, book->unknown);
    cs_buf_put8(out, '\n');
}

/* ---- who had the requests ---- */

/* Of all nodes together. */
struct sums {
    uint64_t requests;
    uint64_t roles[CS_ROLE_COUNT];
    uint64_t with_token;
    uint64_t to_replicas;
};

static struct sums sum_up(const struct cs_cluster_facts *facts)
{
    struct sums sums = {0};

    for (size_t i = 0; i < facts->share_count; i++) {
        sums.requests += facts->shares[i].requests;
        for (size_t role = 0; role < CS_ROLE_COUNT; role++)
            sums.roles[role] += facts->shares[i].roles[role];
    }
    for (size_t role = 0; role < CS_ROLE_NONE; role++)
        sums.to_replicas += sums.roles[role];
    sums.with_token = sums.to_replicas + sums.roles[CS_ROLE_NONE];
    return sums;
}

static void put_percent(struct cs_buf *out, uint64_t part, uint64_t whole)
{
    cs_put_fixed(out, 100.0 * (double)part / (double)whole, 1, false, 0);
    cs_buf_put8(out, '%');
}

/* A single node needs no comparison. */
static void put_shares(struct cs_buf *out, const struct cs_cluster_facts *facts,
                       const struct sums *sums)
{
    size_t count = facts->share_count;

    if (count < 2 || !sums->requests)
        return;
    cs_buf_puts(out, "# requests per node");
    if (sums->with_token) {
        cs_buf_puts(out, " (");
        put_percent(out, sums->to_replicas, sums->with_token);
        cs_buf_puts(out, " to a replica)");
    }
    cs_buf_puts(out, ": ");
    for (size_t i = 0; i < CS_MIN(count, NODES_MAX); i++) {
        cs_buf_printf(out, "%s%s ", i ? ", " : "", facts->shares[i].name);
        put_count(out, facts->shares[i].requests);
        cs_buf_puts(out, " (");
        put_percent(out, facts->shares[i].requests, sums->requests);
        cs_buf_put8(out, ')');
    }
    if (count > NODES_MAX)
        cs_buf_printf(out, " and %zu nodes more", count - NODES_MAX);
    cs_buf_put8(out, '\n');
}

/* With one copy of each row all of them are the first. */
static void put_roles(struct cs_buf *out, const struct cs_cluster_facts *facts,
                      const struct sums *sums)
{
    static const char *const names[CS_ROLE_COUNT] = {
        [CS_ROLE_FIRST] = "first",     [CS_ROLE_SECOND] = "second",
        [CS_ROLE_THIRD] = "third",     [CS_ROLE_FURTHER] = "further ones",
        [CS_ROLE_NONE] = "no replica", [CS_ROLE_UNKNOWN] = "not known",
    };
    const char *between = "# requests per replica of their partition: ";

    if (facts->share_count < 2 ||
        sums->with_token == sums->roles[CS_ROLE_FIRST])
        return;
    for (size_t role = 0; role < CS_ROLE_COUNT; role++) {
        if (!sums->roles[role])
            continue;
        cs_buf_printf(out, "%s%s ", between, names[role]);
        put_count(out, sums->roles[role]);
        cs_buf_puts(out, " (");
        put_percent(out, sums->roles[role], sums->requests);
        cs_buf_put8(out, ')');
        between = ", ";
    }
    cs_buf_put8(out, '\n');
}

/* Only nodes of ScyllaDB have them. */
static void put_shards(struct cs_buf *out, const struct cs_cluster_facts *facts)
{
    uint64_t known = 0;
    uint64_t right = 0;

    for (size_t i = 0; i < facts->share_count; i++) {
        known += facts->shares[i].shard_known;
        right += facts->shares[i].shard_right;
    }
    if (!known)
        return;
    cs_buf_puts(out, "# requests to the shard of their partition: ");
    put_count(out, right);
    cs_buf_puts(out, " of ");
    put_count(out, known);
    cs_buf_puts(out, " (");
    put_percent(out, right, known);
    cs_buf_puts(out, ")\n");
}

/* ---- nodes that came and went ---- */

static void put_seconds(struct cs_buf *out, int64_t ns)
{
    cs_put_fixed(out, (double)CS_MAX(ns, 0) * 1e-9, 1, true, 0);
}

static void put_joined(struct cs_buf *out, const struct cs_node_share *share,
                       int64_t start_ns)
{
    cs_buf_printf(out, "# node %s joined after ", share->name);
    put_seconds(out, share->joined_ns - start_ns);
    if (share->first_request_ns) {
        cs_buf_puts(out, " s, the first request reached it ");
        put_seconds(out, share->first_request_ns - share->joined_ns);
        cs_buf_puts(out, " s later\n");
    } else {
        cs_buf_puts(out, " s, no request reached it\n");
    }
}

/* During the run; no more of them than are named above. */
static void put_changes(struct cs_buf *out,
                        const struct cs_cluster_facts *facts)
{
    size_t changes = 0;

    for (size_t i = 0; i < facts->share_count; i++) {
        const struct cs_node_share *share = &facts->shares[i];
        bool joined = share->joined_ns > facts->start_ns;
        bool left = share->left_ns > facts->start_ns;

        changes += joined + left;
        if (joined && changes <= NODES_MAX)
            put_joined(out, share, facts->start_ns);
        if (left && changes <= NODES_MAX) {
            cs_buf_printf(out, "# node %s left after ", share->name);
            put_seconds(out, share->left_ns - facts->start_ns);
            cs_buf_puts(out, " s\n");
        }
    }
    if (changes > NODES_MAX)
        cs_buf_puts(out, "# more nodes joined or left\n");
}

/* ---- what a level costs ---- */

/* A single copy leaves no choice. Reads go to as many replicas as must answer,
 * the first with the data and the others with a digest; writes go to all. */
static void put_fan_outs(struct cs_buf *out, const struct cs_extra *extra)
{
    for (size_t i = 0; i < extra->fan_out_count; i++) {
        const struct cs_fan_out *f = &extra->fan_outs[i];

        if (f->copies < 2)
            continue;
        cs_buf_printf(out, "# each %s at %s waits for %u of %u replicas",
                      f->reads ? "read" : "write", f->level, f->waits_for,
                      f->copies);
        if (f->reads)
            cs_buf_printf(out, ", so it makes %u read%s in the cluster\n",
                          f->waits_for, f->waits_for > 1 ? "s" : "");
        else
            cs_buf_printf(out, ", and is sent to all %u\n", f->copies);
    }
}

void cs_put_cluster_lines(struct cs_buf *out,
                          const struct cs_cluster_facts *facts)
{
    struct sums sums = sum_up(facts);

    put_shares(out, facts, &sums);
    put_roles(out, facts, &sums);
    put_shards(out, facts);
    put_changes(out, facts);
    put_fan_outs(out, facts->extra);
    /* Whether the latencies are the servers' or our own. */
    if (facts->extra->client.loops)
        cs_verdict_put(out, &facts->extra->client, facts->service);
}
