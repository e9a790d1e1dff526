/* client_core.c - what the client core alone can do: one fixed row, inserted
 * again and again with so many requests in flight; prints operations per
 * second and CPU time. Not a test.
 *
 *     client_core [-t in flight] [-s seconds] [-p protocol version]
 *                 [-c connections per node] [-r replication factor] [-q]
 *                 [-z] [-u user -w password] HOST[:PORT] ...
 *
 * -q: at QUORUM instead of LOCAL_ONE; -z: LZ4.
 */
#include "base/clock.h"
#include "base/log.h"
#include "client/client.h"
#include "driver/partition_key.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define KEY_SIZE   10
#define CELL_SIZE  34
#define CELL_COUNT 5
#define HOSTS_MAX  16

struct bench {
    const struct cs_driver_ops *ops;
    struct cs_driver *driver;
    struct cs_session *session;
    const struct cs_statement *insert;
    uint64_t done;
    uint64_t by_class[CS_RESULT_CLASS_COUNT];
    uint64_t next_key;
    bool stop;
    int under_way;
    int in_flight;
    double seconds;
    int factor;
    enum cs_consistency cl;
};

struct slot {
    struct cs_operation op;
    struct bench *bench;
};

static int fail(const struct cs_err *err)
{
    fprintf(stderr, "client_core: %s\n", err->text);
    return 1;
}

static void submit(struct slot *slot)
{
    struct bench *bench = slot->bench;
    uint8_t *key = slot->op.values.data + 4;

    cs_store64(key, bench->next_key++);
    slot->op.token = cs_token_of(key, KEY_SIZE);
    bench->under_way++;
    bench->ops->submit(bench->session, &slot->op);
}

static void on_done(struct cs_operation *op, const struct cs_outcome *outcome)
{
    struct slot *slot = CS_CONTAINER(op, struct slot, op);
    struct bench *bench = slot->bench;

    bench->under_way--;
    bench->done++;
    if (!bench->by_class[outcome->result]++ && outcome->result)
        fprintf(stderr, "%s: %.*s\n", cs_result_class_name(outcome->result),
                (int)outcome->message_size, outcome->message);
    if (!bench->stop)
        submit(slot);
}

static void fill_values(struct cs_buf *buf)
{
    static const uint8_t zeros[CELL_SIZE];

    cs_buf_init(buf, 4096);
    cs_buf_put32(buf, KEY_SIZE);
    cs_buf_put(buf, zeros, KEY_SIZE);
    for (int i = 0; i < CELL_COUNT; i++) {
        cs_buf_put32(buf, CELL_SIZE);
        cs_buf_put(buf, zeros, CELL_SIZE);
    }
}

static enum cs_code make_schema(struct bench *bench, struct cs_err *err)
{
    char keyspace[256];
    const char *const cql[] = {
        keyspace,
        "CREATE TABLE IF NOT EXISTS client_core.standard1 (key blob PRIMARY "
        "KEY, c0 blob, c1 blob, c2 blob, c3 blob, c4 blob)",
    };
    int64_t waited_ns = 0;
    enum cs_code rc = CS_OK;

    snprintf(keyspace, sizeof(keyspace),
             "CREATE KEYSPACE IF NOT EXISTS client_core WITH replication = "
             "{'class': 'NetworkTopologyStrategy', 'replication_factor': %d}",
             bench->factor);
    for (size_t i = 0; i < CS_COUNT(cql) && !rc; i++)
        rc = bench->ops->execute(bench->driver, cql[i], CS_CL_LOCAL_ONE,
                                 &waited_ns, err);
    printf("schema agreed after %.1f ms\n", (double)waited_ns / 1e6);
    return rc;
}

static enum cs_code prepare(struct bench *bench, struct cs_err *err)
{
    struct cs_statement_options options = {.cl = bench->cl, .idempotent = true};

    return bench->ops->prepare(bench->driver, "client_core",
                               "INSERT INTO client_core.standard1 (key, c0, "
                               "c1, c2, c3, c4) VALUES (?, ?, ?, ?, ?, ?)",
                               &options, &bench->insert, err);
}

static double cpu_s(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void look_at_events(struct bench *bench)
{
    struct pollfd fd = {.fd = bench->ops->event_fd(bench->driver),
                        .events = POLLIN};

    if (poll(&fd, 1, 0) > 0)
        bench->ops->handle_events(bench->driver);
}

static struct slot *start_slots(struct bench *bench)
{
    struct slot *slots = calloc((size_t)bench->in_flight, sizeof(*slots));

    for (int i = 0; slots && i < bench->in_flight; i++) {
        slots[i].bench = bench;
        slots[i].op = (struct cs_operation){.statement = bench->insert,
                                            .row_count = 1,
                                            .timestamp_us = INT64_MIN,
                                            .has_token = true,
                                            .on_done = on_done};
        fill_values(&slots[i].op.values);
        submit(&slots[i]);
    }
    return slots;
}

static enum cs_code run(struct bench *bench, struct cs_err *err)
{
    int64_t start_ns = cs_now_ns();
    int64_t end_ns = start_ns + (int64_t)(bench->seconds * 1e9);
    int64_t next_ns = start_ns;
    uint64_t last = 0;
    enum cs_code rc = CS_OK;

    while (!rc && bench->under_way) {
        rc = bench->ops->poll(bench->session, next_ns, err);
        if (cs_now_ns() < next_ns)
            continue;
        bench->stop = next_ns >= end_ns;
        next_ns += CS_NS_PER_S;
        look_at_events(bench);
        fprintf(stderr, "%8llu op/s\n",
                (unsigned long long)(bench->done - last));
        last = bench->done;
    }
    return rc;
}

static enum cs_code drive(struct bench *bench, struct cs_err *err)
{
    struct slot *slots = start_slots(bench);
    int64_t start_ns = cs_now_ns();
    double cpu = cpu_s();
    enum cs_code rc = run(bench, err);
    double seconds = (double)(cs_now_ns() - start_ns) / 1e9;

    printf("%d in flight: %.0f op/s, %.2f us CPU per op\n", bench->in_flight,
           (double)bench->done / seconds,
           (cpu_s() - cpu) * 1e6 / (double)bench->done);
    for (int i = 0; slots && i < bench->in_flight; i++)
        cs_buf_release(&slots[i].op.values);
    free(slots);
    return rc;
}

static void print_connected(struct bench *bench)
{
    const struct cs_cluster_info *info = bench->ops->info(bench->driver);
    const char *notice;

    printf("%s %s, protocol version %d\n", info->name, info->release_version,
           info->protocol_version);
    for (size_t i = 0; i < info->node_count; i++)
        printf("  %s/%s:%d %s %s%s\n",
               info->nodes[i].host_name ? info->nodes[i].host_name : "",
               info->nodes[i].address, info->nodes[i].port,
               info->nodes[i].datacenter, info->nodes[i].rack,
               info->nodes[i].allowed ? "" : " (not asked)");
    for (size_t i = 0; (notice = cs_cassandra_driver.notice(bench->driver, i));
         i++)
        printf("  %s\n", notice);
}

static void print_summary(struct bench *bench)
{
    struct cs_node_traffic traffic[16];
    size_t count = bench->ops->traffic(bench->session, traffic, 16);

    for (int i = 0; i < CS_RESULT_CLASS_COUNT; i++)
        if (bench->by_class[i])
            printf("  %s: %llu\n",
                   cs_result_class_name((enum cs_result_class)i),
                   (unsigned long long)bench->by_class[i]);
    for (size_t i = 0; i < count && i < 16; i++)
        printf("  %s:%d: %llu requests, %llu to replicas, %u connections\n",
               traffic[i].address, traffic[i].port,
               (unsigned long long)traffic[i].requests,
               (unsigned long long)traffic[i].replica_requests,
               traffic[i].connections);
}

static int usage(void)
{
    fprintf(stderr, "usage: client_core [-t in flight] [-s seconds] [-p "
                    "version] [-c connections] [-r factor] [-qz] [-d data "
                    "centre] [-u user -w password] HOST ...\n");
    return 2;
}

static bool set_option(struct bench *bench, struct cs_settings *settings,
                       int option)
{
    switch (option) {
    case 't':
        bench->in_flight = atoi(optarg);
        break;
    case 's':
        bench->seconds = atof(optarg);
        break;
    case 'r':
        bench->factor = atoi(optarg);
        break;
    case 'q':
        bench->cl = CS_CL_QUORUM;
        break;
    case 'p':
        settings->mode.protocol_version = atoi(optarg);
        break;
    case 'c':
        settings->mode.connections_per_host = atoi(optarg);
        break;
    case 'z':
        settings->mode.compression = CS_COMPRESS_LZ4;
        break;
    case 'd':
        settings->node.datacenter = optarg;
        break;
    case 'u':
        settings->mode.user = optarg;
        break;
    case 'w':
        settings->mode.password = optarg;
        break;
    default:
        return false;
    }
    return true;
}

static enum cs_code measure(struct bench *bench, struct cs_settings *settings,
                            struct cs_err *err)
{
    enum cs_code rc = bench->ops->connect(settings, &bench->driver, err);

    if (rc)
        return rc;
    print_connected(bench);
    rc = make_schema(bench, err);
    if (!rc)
        rc = prepare(bench, err);
    if (!rc)
        rc = bench->ops->session_new(bench->driver, bench->in_flight,
                                     &bench->session, err);
    if (!rc)
        rc = drive(bench, err);
    if (!rc)
        print_summary(bench);
    return rc;
}

int main(int argc, char **argv)
{
    struct bench bench = {.ops = &cs_cassandra_driver,
                          .in_flight = 16,
                          .seconds = 5,
                          .factor = 1,
                          .cl = CS_CL_LOCAL_ONE};
    const char *hosts[HOSTS_MAX];
    struct cs_settings settings = {
        .node.hosts = hosts,
        .port.native_port = 9042,
        .mode = {.max_pending = 128, .connections_per_host = 8}};
    struct cs_err err = {.code = CS_OK};
    enum cs_code rc;
    int option;

    cs_log_enabled = getenv("CSTRESS_DEBUG") != NULL;
    while ((option = getopt(argc, argv, "t:s:p:c:r:qzd:u:w:")) != -1)
        if (!set_option(&bench, &settings, option))
            return usage();
    if (optind == argc)
        return usage();
    for (int i = optind; i < argc && settings.node.count < HOSTS_MAX; i++)
        hosts[settings.node.count++] = argv[i];
    rc = measure(&bench, &settings, &err);
    if (bench.session)
        bench.ops->session_free(bench.session);
    if (bench.driver)
        bench.ops->close(bench.driver);
    return rc ? fail(&err) : 0;
}
