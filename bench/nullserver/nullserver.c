/* Null CQL server for real drivers: one thread, epoll, one read and one write
 * per ready connection and pass. It looks like a one-node Cassandra 5.0
 * (protocols v3, v4, v5) to the Java drivers 3.x and 4.x, the Rust driver and
 * gocql: system and system_schema tables, DDL remembered, statements prepared
 * with the right types. Writes get VOID; SELECTs on user tables get the stored
 * row (-s), a canned row or no row (-e). No compression, TLS, authentication,
 * paging or events. Opcode 0x7F (ours) returns the counters and restarts
 * first/last, 0x7E returns them only (meter programs). usage: nullserver [-a
 * address] [-p port] [-l port] [-c cpu] [-b] [-e] [-s] [-4] [-V release] [-t]
 *   -a default 127.0.0.1, -p default 9042, -l listen on 127.0.0.1:port too (for
 * ../client), -b spin, -e SELECTs find nothing, -s keep rows in memory: a
 * SELECT by full primary key returns what was written (needed by clients that
 * check what they read), -4 no protocol v5, -V release_version (default 5.0.8),
 * -t trace to stderr. A table name without keyspace and without USE means
 * keyspace1. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define INCAP  (1024 * 1024)
#define OUTCAP (4 * 1024 * 1024)
#define SLACK  (512 * 1024) /* room one slow answer may take */
typedef struct {
    int fd, v5;
    uint32_t pn, on, oo;
    uint8_t *part, *out, *env;
    size_t nenv;
    char ks[64];
} conn_t; /* v5: 1 from the next answer on, 2 framed */
static uint8_t in[INCAP + 65536], out[OUTCAP], wrapped[OUTCAP + OUTCAP / 8];
static size_t on;
static int ep, keep, empty, trace, maxver = 5;
static unsigned ver = 4;
static uint64_t nreq, nread, nwrite, nwait, nexec, texec0, texec1;
static char release[32] = "5.0.8";
static uint8_t myip[4];
static uint32_t myport;
static volatile sig_atomic_t stop;
static void on_sig(int s)
{
    (void)s;
    stop = 1;
}
static uint64_t mono_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static void die(const char *s)
{
    perror(s);
    exit(1);
}

/* ---- writers ---- */
static void p8(unsigned v)
{
    out[on++] = (uint8_t)v;
}
static void p16(unsigned v)
{
    p8(v >> 8);
    p8(v);
}
static void p32(uint32_t v)
{
    p16(v >> 16);
    p16(v & 0xffff);
}
static void pmem(const void *b, size_t n)
{
    memcpy(out + on, b, n);
    on += n;
}
static void pstr(const char *s)
{
    size_t n = strlen(s);
    p16((unsigned)n);
    pmem(s, n);
}
static size_t begin(const uint8_t *f, uint8_t op)
{
    size_t at = on;
    p8(0x80 | ver);
    p8(0);
    p8(f[2]);
    p8(f[3]);
    p8(op);
    p32(0);
    return at;
}
static void put32(size_t at, uint32_t n)
{
    out[at] = (uint8_t)(n >> 24);
    out[at + 1] = (uint8_t)(n >> 16);
    out[at + 2] = (uint8_t)(n >> 8);
    out[at + 3] = (uint8_t)n;
}
static void end(size_t at)
{
    put32(at + 5, (uint32_t)(on - at - 9));
}
static uint32_t get32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
           p[3];
}
static void error(const uint8_t *f, uint32_t code, const char *msg)
{
    size_t at = begin(f, 0);
    p32(code);
    pstr(msg);
    end(at);
}

/* ---- types: the CQL text is kept, the option bytes are written from it ----
 */
static const struct {
    const char *n;
    int id;
} TYPES[] = {{"ascii", 1},     {"bigint", 2},   {"blob", 3},
             {"boolean", 4},   {"counter", 5},  {"decimal", 6},
             {"double", 7},    {"float", 8},    {"int", 9},
             {"text", 13},     {"varchar", 13}, {"timestamp", 11},
             {"uuid", 12},     {"varint", 14},  {"timeuuid", 15},
             {"inet", 16},     {"date", 17},    {"time", 18},
             {"smallint", 19}, {"tinyint", 20}, {"duration", 21}};
static int type_id(const char *t)
{
    size_t n = strcspn(t, "< ,>");
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (strlen(TYPES[i].n) == n && !strncasecmp(t, TYPES[i].n, n))
            return TYPES[i].id;
    return 0;
}
static const char *
ptype(const char *t) /* returns the first character after the type */
{
    while (*t == ' ')
        t++;
    size_t n = strcspn(t, "<,>");
    if (t[n] != '<') {
        int id = type_id(t);
        p16(id ? (unsigned)id : 3);
        return t + n;
    }
    int kind = !strncasecmp(t, "list", 4)    ? 0x20
               : !strncasecmp(t, "map", 3)   ? 0x21
               : !strncasecmp(t, "set", 3)   ? 0x22
               : !strncasecmp(t, "tuple", 5) ? 0x31
                                             : 0;
    const char *p = t + n + 1;
    if (!strncasecmp(t, "frozen", 6))
        p = ptype(p);
    else if (kind) {
        size_t cnt = 0, k = 0;
        p16((unsigned)kind);
        if (kind == 0x31) {
            cnt = on;
            p16(0);
        }
        for (;;) {
            p = ptype(p);
            k++;
            while (*p == ' ')
                p++;
            if (*p != ',')
                break;
            p++;
        }
        if (cnt) {
            out[cnt] = (uint8_t)(k >> 8);
            out[cnt + 1] = (uint8_t)k;
        }
    } else { /* vector and others: opaque */
        int d = 1;
        p16(3);
        for (; *p && d; p++)
            d += (*p == '<') - (*p == '>');
        return p;
    }
    while (*p && *p != '>')
        p++;
    return *p ? p + 1 : p;
}
static uint32_t type_size(const char *t) /* bytes of a canned value; 0: null */
{
    switch (type_id(t)) {
    case 1:
    case 3:
    case 13:
        return 34;
    case 2:
    case 5:
    case 7:
    case 11:
    case 18:
        return 8;
    case 12:
    case 15:
        return 16;
    case 8:
    case 9:
    case 16:
    case 17:
        return 4;
    case 19:
        return 2;
    case 4:
    case 20:
    case 14:
        return 1;
    default:
        return 0;
    }
}

/* ---- schema ---- */
enum { K_PART, K_CLUST, K_STATIC, K_REG };
typedef struct {
    char n[64], t[128];
    int kind, pos;
} col_t;
typedef struct row {
    uint64_t h;
    uint32_t n;
    uint8_t b[];
} row_t; /* values as [int][bytes], in column order */
typedef struct {
    char ks[64], n[64];
    int live, nc, npk, nck;
    col_t *c;
    row_t **rows;
    uint64_t nrows, cap;
} table_t;
typedef struct {
    char n[64], cls[96], opt[256];
    int live;
} ks_t;
static table_t tabs[256];
static ks_t kss[128];
static int ntab, nks;
static ks_t *ks_find(const char *n)
{
    for (int i = 0; i < nks; i++)
        if (kss[i].live && !strcmp(kss[i].n, n))
            return &kss[i];
    return NULL;
}
static table_t *tab_find(const char *ks, const char *n)
{
    for (int i = 0; i < ntab; i++)
        if (tabs[i].live && !strcmp(tabs[i].n, n) && !strcmp(tabs[i].ks, ks))
            return &tabs[i];
    return NULL;
}
static int col_find(const table_t *t, const char *n)
{
    for (int i = 0; i < t->nc; i++)
        if (!strcmp(t->c[i].n, n))
            return i;
    return -1;
}
static void rows_clear(table_t *t)
{
    for (uint64_t i = 0; i < t->cap; i++)
        free(t->rows[i]);
    free(t->rows);
    t->rows = NULL;
    t->nrows = t->cap = 0;
}
static int col_cmp(const void *a, const void *b)
{
    const col_t *x = a, *y = b;
    int kx = x->kind == K_STATIC ? K_REG : x->kind,
        ky = y->kind == K_STATIC ? K_REG : y->kind;
    if (kx != ky)
        return kx - ky;
    return kx == K_REG ? strcmp(x->n, y->n) : x->pos - y->pos;
}

/* ---- tokens: identifiers lower-cased unless quoted, strings, numbers, single
 * characters ---- */
typedef struct {
    char k;
    char s[200];
    const char *at;
} tok_t; /* k: 'i' identifier, 'q' quoted one, 's' string, 'n' number, else the
            character */
static tok_t tk[2048];
static int nt;
static void lex(const char *q, size_t n)
{
    const char *e = q + n;
    nt = 0;
    while (q < e && nt < 2047) {
        if (isspace((unsigned char)*q)) {
            q++;
            continue;
        }
        if (*q == '-' && q + 1 < e && q[1] == '-') {
            while (q < e && *q != '\n')
                q++;
            continue;
        }
        tok_t *t = &tk[nt++];
        size_t k = 0;
        t->at = q;
        if (isalpha((unsigned char)*q) || *q == '_') {
            t->k = 'i';
            for (; q < e && (isalnum((unsigned char)*q) || *q == '_'); q++)
                if (k < 199)
                    t->s[k++] = (char)tolower((unsigned char)*q);
        } else if (isdigit((unsigned char)*q)) {
            t->k = 'n';
            for (; q < e &&
                   (isalnum((unsigned char)*q) || *q == '.' || *q == '-');
                 q++)
                if (k < 199)
                    t->s[k++] = *q;
        } else if (*q == '"' || *q == '\'') {
            char d = *q++;
            t->k = d == '"' ? 'q' : 's';
            for (; q < e; q++) {
                if (*q == d) {
                    if (q + 1 < e && q[1] == d)
                        q++;
                    else {
                        q++;
                        break;
                    }
                }
                if (k < 199)
                    t->s[k++] = *q;
            }
        } else {
            t->k = *q;
            t->s[k++] = *q++;
        }
        t->s[k] = 0;
    }
    tk[nt].k = 0;
    tk[nt].s[0] = 0;
    tk[nt].at = e;
}
static int is(int i, const char *w)
{
    return i < nt && tk[i].k == 'i' && !strcmp(tk[i].s, w);
}
static int isname(int i)
{
    return i < nt && (tk[i].k == 'i' || tk[i].k == 'q');
}
static int name(int i, const char *ks0, char ks[64],
                char n[64]) /* [ks.]name at i; returns the next index */
{
    if (i + 2 < nt && tk[i + 1].k == '.') {
        snprintf(ks, 64, "%.63s", tk[i].s);
        snprintf(n, 64, "%.63s", tk[i + 2].s);
        return i + 3;
    }
    snprintf(ks, 64, "%s", *ks0 ? ks0 : "keyspace1");
    snprintf(n, 64, "%.63s", tk[i].s);
    return i + 1;
}

/* ---- system tables: a spec "name type, ..." and rows of values as text ----
 */
static const struct {
    const char *ks, *n, *cols;
} SYS[] =
    {{"system", "local",
      "key text,bootstrapped text,broadcast_address inet,broadcast_port int,cluster_name text,cql_version text,data_center text,gossip_generation int,host_id uuid,listen_address inet,listen_port int,native_protocol_version text,partitioner text,rack text,release_version text,rpc_address inet,rpc_port int,schema_version uuid,tokens set<text>,truncated_at map<uuid;blob>"},
     {"system", "peers",
      "peer inet,data_center text,host_id uuid,preferred_ip inet,rack text,release_version text,rpc_address inet,schema_version uuid,tokens set<text>"},
     {"system", "peers_v2",
      "peer inet,peer_port int,data_center text,host_id uuid,native_address inet,native_port int,preferred_ip inet,preferred_port int,rack text,release_version text,schema_version uuid,tokens set<text>"},
     {"system", "size_estimates",
      "keyspace_name text,table_name text,range_start text,range_end text,mean_partition_size bigint,partitions_count bigint"},
     {"system_schema", "keyspaces",
      "keyspace_name text,durable_writes boolean,replication map<text;text>"},
     {"system_schema", "tables",
      "keyspace_name text,table_name text,additional_write_policy text,allow_auto_snapshot boolean,bloom_filter_fp_chance double,caching map<text;text>,cdc boolean,comment text,compaction map<text;text>,compression map<text;text>,crc_check_chance double,dclocal_read_repair_chance double,default_time_to_live int,extensions map<text;blob>,flags set<text>,gc_grace_seconds int,id uuid,incremental_backups boolean,max_index_interval int,memtable text,memtable_flush_period_in_ms int,min_index_interval int,read_repair text,read_repair_chance double,speculative_retry text"},
     {"system_schema", "columns",
      "keyspace_name text,table_name text,column_name text,clustering_order text,column_name_bytes blob,kind text,position int,type text"},
     {"system_schema", "types",
      "keyspace_name text,type_name text,field_names list<text>,field_types list<text>"},
     {"system_schema", "functions",
      "keyspace_name text,function_name text,argument_types list<text>,argument_names list<text>,body text,called_on_null_input boolean,language text,return_type text"},
     {"system_schema", "aggregates",
      "keyspace_name text,aggregate_name text,argument_types list<text>,final_func text,initcond text,return_type text,state_func text,state_type text"},
     {"system_schema", "indexes",
      "keyspace_name text,table_name text,index_name text,kind text,options map<text;text>"},
     {"system_schema", "triggers",
      "keyspace_name text,table_name text,trigger_name text,options map<text;text>"},
     {"system_schema", "dropped_columns",
      "keyspace_name text,table_name text,column_name text,dropped_time timestamp,kind text,type text"},
     {"system_schema", "views",
      "keyspace_name text,view_name text,base_table_id uuid,base_table_name text,where_clause text,bloom_filter_fp_chance double,caching map<text;text>,comment text,compaction map<text;text>,compression map<text;text>,crc_check_chance double,default_time_to_live int,extensions map<text;blob>,gc_grace_seconds int,id uuid,include_all_columns boolean,max_index_interval int,memtable_flush_period_in_ms int,min_index_interval int,read_repair_chance double,dclocal_read_repair_chance double,speculative_retry text"},
     {"system_virtual_schema", "keyspaces", "keyspace_name text"},
     {"system_virtual_schema", "tables",
      "keyspace_name text,table_name text,comment text"},
     {"system_virtual_schema", "columns",
      "keyspace_name text,table_name text,column_name text,clustering_order text,column_name_bytes blob,kind text,position int,type text"}};
typedef struct {
    char n[64], t[64];
} scol_t;
static int sys_cols(const char *ks, const char *n, scol_t c[40])
{
    for (size_t i = 0; i < sizeof SYS / sizeof *SYS; i++) {
        if (strcmp(SYS[i].ks, ks) || strcmp(SYS[i].n, n))
            continue;
        int k = 0;
        for (const char *p = SYS[i].cols; *p; k++) {
            size_t a = strcspn(p, " "), b = strcspn(p + a + 1, ",");
            snprintf(c[k].n, 64, "%.*s", (int)a, p);
            snprintf(c[k].t, 64, "%.*s", (int)b, p + a + 1);
            for (char *s = c[k].t; *s; s++)
                if (*s == ';')
                    *s = ',';
            p += a + 1 + b;
            if (*p)
                p++;
        }
        return k;
    }
    return -1;
}
static void vmap(const char *s) /* "k\1v\1k\1v" */
{
    size_t at = on, n = 0;
    p32(0);
    p32(0);
    while (*s) {
        size_t l = strcspn(s, "\1");
        p32((uint32_t)l);
        pmem(s, l);
        s += l;
        if (*s)
            s++;
        n++;
    }
    put32(at, (uint32_t)(on - at - 4));
    put32(at + 4, (uint32_t)(n / 2));
}
/* one value from its text form; NULL text writes null */
static void sval(const char *t, const char *v)
{
    if (!v) {
        p32((uint32_t)-1);
        return;
    }
    int id = type_id(t);
    if (!strncmp(t, "map", 3))
        vmap(v);
    else if (!strncmp(t, "set", 3) || !strncmp(t, "list", 4)) {
        size_t l = strlen(v);
        if (!l) {
            p32(4);
            p32(0);
        } else {
            p32((uint32_t)l + 8);
            p32(1);
            p32((uint32_t)l);
            pmem(v, l);
        }
    } else if (id == 9) {
        p32(4);
        p32((uint32_t)strtol(v, NULL, 10));
    } else if (id == 2 || id == 11) {
        uint64_t x = (uint64_t)strtoll(v, NULL, 10);
        p32(8);
        p32((uint32_t)(x >> 32));
        p32((uint32_t)x);
    } else if (id == 7) {
        union {
            double d;
            uint64_t u;
        } x = {.d = atof(v)};
        p32(8);
        p32((uint32_t)(x.u >> 32));
        p32((uint32_t)x.u);
    } else if (id == 4) {
        p32(1);
        p8(*v == 't');
    } else if (id == 16) {
        p32(4);
        pmem(myip, 4);
    } else if (id == 12) {
        p32(16);
        uint8_t u[16] = {0x8f, 1, 2, 3, 4, 5, 0x46, 7, 0x88};
        u[15] = (uint8_t)atoi(v);
        pmem(u, 16);
    } else {
        size_t l = strlen(v);
        p32((uint32_t)l);
        pmem(v, l);
    }
}
typedef struct {
    char col[64];
    int nv;
    char v[32][200];
    int bind;
} filt_t; /* col = v, col IN (...); bind >= 0: from a value */
typedef struct {
    int ncol;
    int idx[64];
    char as[64][64];
    int nf;
    filt_t f[4];
    scol_t c[40];
    int nc;
    char ks[64], n[64];
} sysq_t;
static sysq_t *cur;
static uint32_t srows;
static void srow(const char **kv) /* name, value, name, value, ..., NULL */
{
    for (int i = 0; i < cur->nf; i++) {
        const filt_t *f = &cur->f[i];
        const char *v = NULL;
        int ok = 0;
        for (const char **p = kv; *p; p += 2)
            if (!strcmp(*p, f->col))
                v = p[1];
        if (!v || !f->nv)
            continue;
        for (int j = 0; j < f->nv; j++)
            ok |= !strcmp(f->v[j], v);
        if (!ok)
            return;
    }
    for (int i = 0; i < cur->ncol; i++) {
        const scol_t *c = &cur->c[cur->idx[i]];
        const char *v = NULL;
        for (const char **p = kv; *p; p += 2)
            if (!strcmp(*p, c->n))
                v = p[1];
        sval(c->t, v);
    }
    srows++;
}
#define SROW(...) srow((const char *[]){__VA_ARGS__, NULL})
static void sys_rows(void)
{
    char port[16], buf[512], pos[16], id[16];
    snprintf(port, sizeof port, "%u", myport);
    if (!strcmp(cur->n, "local") && !strcmp(cur->ks, "system"))
        SROW("key", "local", "bootstrapped", "COMPLETED", "broadcast_address",
             "", "broadcast_port", "7000", "cluster_name", "null",
             "cql_version", "3.4.7", "data_center", "datacenter1",
             "gossip_generation", "1", "host_id", "1", "listen_address", "",
             "listen_port", "7000", "native_protocol_version", "4",
             "partitioner", "org.apache.cassandra.dht.Murmur3Partitioner",
             "rack", "rack1", "release_version", release, "rpc_address", "",
             "rpc_port", port, "schema_version", "2", "tokens", "0",
             "truncated_at", "");
    if (!strcmp(cur->ks, "system_schema") && !strcmp(cur->n, "keyspaces"))
        for (int i = 0; i < nks; i++) {
            if (!kss[i].live)
                continue;
            snprintf(buf, sizeof buf, "class\1%s%s%s", kss[i].cls,
                     *kss[i].opt ? "\1" : "", kss[i].opt);
            SROW("keyspace_name", kss[i].n, "durable_writes", "true",
                 "replication", buf);
        }
    for (int i = 0; i < ntab && !strcmp(cur->ks, "system_schema"); i++) {
        table_t *t = &tabs[i];
        if (!t->live)
            continue;
        if (!strcmp(cur->n, "tables")) {
            snprintf(id, sizeof id, "%d", 16 + i);
            SROW(
                "keyspace_name", t->ks, "table_name", t->n,
                "additional_write_policy", "99p", "bloom_filter_fp_chance",
                "0.01", "caching", "keys\1ALL\1rows_per_partition\1NONE", "cdc",
                "false", "comment", "", "compaction",
                "class\1org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy",
                "compression", "enabled\1false", "crc_check_chance", "1.0",
                "dclocal_read_repair_chance", "0.0", "default_time_to_live",
                "0", "extensions", "", "flags", "compound", "gc_grace_seconds",
                "864000", "id", id, "max_index_interval", "2048",
                "memtable_flush_period_in_ms", "0", "min_index_interval", "128",
                "read_repair", "BLOCKING", "read_repair_chance", "0.0",
                "speculative_retry", "99p");
        } else if (!strcmp(cur->n, "columns"))
            for (int j = 0; j < t->nc; j++) {
                static const char *kind[] = {"partition_key", "clustering",
                                             "static", "regular"};
                snprintf(pos, sizeof pos, "%d",
                         t->c[j].kind <= K_CLUST ? t->c[j].pos : -1);
                SROW("keyspace_name", t->ks, "table_name", t->n, "column_name",
                     t->c[j].n, "clustering_order",
                     t->c[j].kind == K_CLUST ? "asc" : "none",
                     "column_name_bytes", t->c[j].n, "kind", kind[t->c[j].kind],
                     "position", pos, "type", t->c[j].t);
            }
    }
}

/* ---- statements ---- */
enum { S_VOID, S_ROWS, S_SYS, S_OTHER };
typedef struct {
    char n[64], t[160];
} mark_t;
typedef struct {
    int kind, nm, npk, pk[8], nsel, lwt,
        write; /* pk: bind index of each partition key column */
    mark_t *m;
    table_t *t;
    int *sel; /* columns of the result */
    char (*seln)[64], (*selt)[160];
    int *bcol;  /* bind index -> table column, -1 none */
    int allkey; /* every primary key column is bound */
    uint8_t *meta;
    size_t nmeta; /* rows answer: metadata */
    uint8_t *canned;
    size_t ncanned; /* rows answer: one canned row */
    sysq_t *sys;
    char *text;
    size_t ntext;
    uint64_t hash;
} stmt_t;
static stmt_t *st[65536];
static int nst;
static uint64_t hash64(const uint8_t *b, size_t n, uint64_t h)
{
    h ^= n * 0x9E3779B97F4A7C15u;
    while (n >= 8) {
        uint64_t w;
        memcpy(&w, b, 8);
        h = (h ^ w) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
        b += 8;
        n -= 8;
    }
    if (n) {
        uint64_t w = 0;
        memcpy(&w, b, n);
        h = (h ^ w) * 0xc4ceb9fe1a85ec53u;
        h ^= h >> 29;
    }
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53u;
    h ^= h >> 32;
    return h;
}
static void mark(stmt_t *s, const char *n, const char *t)
{
    s->m = realloc(s->m, sizeof *s->m * (size_t)(s->nm + 1));
    snprintf(s->m[s->nm].n, 64, "%s", n);
    snprintf(s->m[s->nm].t, 160, "%s", t);
    s->nm++;
}
static void select_add(stmt_t *s, int idx, const char *n, const char *t)
{
    int k = s->nsel++;
    s->sel = realloc(s->sel, sizeof(int) * (size_t)s->nsel);
    s->seln = realloc(s->seln, 64 * (size_t)s->nsel);
    s->selt = realloc(s->selt, 160 * (size_t)s->nsel);
    s->sel[k] = idx;
    snprintf(s->seln[k], 64, "%s", n);
    snprintf(s->selt[k], 160, "%s", t);
}
static const char *coltype(const stmt_t *s, const char *n)
{
    if (s->t) {
        int i = col_find(s->t, n);
        return i < 0 ? "blob" : s->t->c[i].t;
    }
    if (s->sys)
        for (int i = 0; i < s->sys->nc; i++)
            if (!strcmp(s->sys->c[i].n, n))
                return s->sys->c[i].t;
    return "blob";
}
static char perr[256];
static uint32_t perrc;
static stmt_t *bad(stmt_t *s, const char *fmt, const char *a, const char *b)
{
    snprintf(perr, sizeof perr, fmt, a, b);
    perrc = 0x2200;
    free(s);
    return NULL;
}
/* parse a DML or SELECT; NULL with perr set when the table is unknown; kind
 * S_OTHER for everything else */
static stmt_t *parse(const char *q, size_t n, const char *ks0)
{
    stmt_t *s = calloc(1, sizeof *s);
    char ks[64], tn[64];
    int i, from = -1, depth = 0, ins = 0, cols0 = 0, cols1 = 0;
    lex(q, n);
    s->kind = S_OTHER;
    if (is(0, "select")) {
        for (i = 1; i < nt; i++) {
            depth += (tk[i].k == '(') - (tk[i].k == ')');
            if (!depth && is(i, "from")) {
                from = i + 1;
                break;
            }
        }
    } else if (is(0, "insert")) {
        from = 2;
        ins = 1;
        s->write = 1;
    } else if (is(0, "update")) {
        from = 1;
        s->write = 1;
    } else if (is(0, "delete")) {
        for (i = 1; i < nt; i++)
            if (is(i, "from")) {
                from = i + 1;
                break;
            }
        s->write = 1;
    } else
        return s;
    if (from < 0 || from >= nt)
        return bad(s, "line 1:0 no viable alternative%s%s", "", "");
    int p = name(from, ks0, ks, tn);
    scol_t sc[40];
    int nsc = sys_cols(ks, tn, sc);
    if (nsc >= 0 && !s->write) {
        s->kind = S_SYS;
        s->sys = calloc(1, sizeof *s->sys);
        memcpy(s->sys->c, sc, sizeof sc);
        s->sys->nc = nsc;
        strcpy(s->sys->ks, ks);
        strcpy(s->sys->n, tn);
    } else if ((s->t = tab_find(ks, tn)))
        s->kind = s->write ? S_VOID : S_ROWS;
    else if (!ks_find(ks) && strncmp(ks, "system", 6))
        return bad(s, "keyspace %s does not exist%s", ks, "");
    else
        return bad(s, "table %s does not exist%s", tn, "");
    if (!s->write) { /* result columns */
        for (i = 1; i < from - 1; i++) {
            if (is(i, "distinct") || is(i, "json"))
                continue;
            if (tk[i].k == ',')
                continue;
            if (tk[i].k == '*') {
                if (s->t)
                    for (int j = 0; j < s->t->nc; j++)
                        select_add(s, j, s->t->c[j].n, s->t->c[j].t);
                else
                    for (int j = 0; j < s->sys->nc; j++)
                        select_add(s, j, s->sys->c[j].n, s->sys->c[j].t);
                continue;
            }
            if (!isname(i))
                continue;
            char nm[64], ty[160];
            int idx = -1, e = i + 1;
            snprintf(nm, 64, "%.63s", tk[i].s);
            if (tk[e].k == '(') { /* function */
                int d = 0;
                const char *fn = tk[i].s;
                snprintf(ty, sizeof ty, "%s",
                         !strcmp(fn, "count") || !strcmp(fn, "writetime") ||
                                 !strcmp(fn, "token")
                             ? "bigint"
                         : !strcmp(fn, "ttl") ? "int"
                                              : "blob");
                if (!strcmp(fn, "count"))
                    strcpy(nm, "count");
                do {
                    d += (tk[e].k == '(') - (tk[e].k == ')');
                    e++;
                } while (e < nt && d);
            } else if (s->t) {
                idx = col_find(s->t, nm);
                snprintf(ty, sizeof ty, "%s", coltype(s, nm));
            } else {
                for (int j = 0; j < s->sys->nc; j++)
                    if (!strcmp(s->sys->c[j].n, nm))
                        idx = j;
                snprintf(ty, sizeof ty, "%s", coltype(s, nm));
            }
            if (is(e, "as")) {
                snprintf(nm, 64, "%.63s", tk[e + 1].s);
                e += 2;
            }
            if (s->sys && idx < 0) {
                free(s->sys);
                return bad(s, "Undefined column name %s in table %s", nm, tn);
            }
            select_add(s, idx, nm, ty);
            i = e - 1;
        }
    }
    if (ins && tk[p].k == '(') {
        for (cols0 = p + 1, i = cols0; i < nt && tk[i].k != ')'; i++)
            ;
        cols1 = i;
        p = cols1 + 1;
    }
    /* bind markers and literals after the table name */
    const char *last = "";
    int vi = -1, vd = 0, inlist = 0;
    for (i = ins ? p : from; i < nt; i++) {
        if (ins && is(i, "values")) {
            vi = 0;
            vd = 0;
            continue;
        }
        if (vi >= 0) {
            vd += (tk[i].k == '(') - (tk[i].k == ')');
            if (tk[i].k == ',' && vd == 1)
                vi++;
            if (tk[i].k == ')' && vd == 0)
                vi = -1;
        }
        if (is(i, "if")) {
            s->lwt = 1;
        }
        if (is(i, "ttl") || is(i, "timestamp")) {
            if (!s->t || col_find(s->t, tk[i].s) < 0) {
                last = is(i, "ttl") ? "[ttl]" : "[timestamp]";
                continue;
            }
        }
        if (is(i, "limit")) {
            last = "[limit]";
            continue;
        }
        if (is(i, "token") && tk[i + 1].k == '(') {
            last = "partition key token";
            while (i < nt && tk[i].k != ')')
                i++;
            continue;
        }
        if (is(i, "in")) {
            inlist = tk[i + 1].k != '(';
            continue;
        }
        if (isname(i) && tk[i - 1].k != ':') {
            static const char *kw[] = {
                "where", "and",    "set",      "using", "allow", "filtering",
                "order", "by",     "asc",      "desc",  "per",   "partition",
                "not",   "exists", "contains", "key",   "or",    "if"};
            int isk = 0;
            if (tk[i].k == 'i')
                for (size_t j = 0; j < sizeof kw / sizeof *kw; j++)
                    isk |= !strcmp(kw[j], tk[i].s);
            if (isk && !(s->t && col_find(s->t, tk[i].s) >= 0) &&
                !(s->sys && strcmp(coltype(s, tk[i].s), "blob")))
                continue;
            if (vi < 0) {
                last = tk[i].s;
                inlist = 0;
            }
            continue;
        }
        if (tk[i].k == '?' || (tk[i].k == ':' && isname(i + 1))) {
            char nm[64], ty[160];
            const char *cn = last;
            if (vi >= 0) { /* the vi-th column of the INSERT */
                int k = 0;
                cn = "";
                for (int j = cols0; j < cols1; j++) {
                    if (tk[j].k == ',')
                        k++;
                    else if (k == vi && isname(j))
                        cn = tk[j].s;
                }
            }
            const char *bt = !strcmp(cn, "[ttl]") || !strcmp(cn, "[limit]")
                                 ? "int"
                             : !strcmp(cn, "[timestamp]") ||
                                     !strcmp(cn, "partition key token")
                                 ? "bigint"
                                 : coltype(s, cn);
            if (inlist)
                snprintf(ty, sizeof ty, "list<%.120s>", bt);
            else
                snprintf(ty, sizeof ty, "%s", bt);
            if (tk[i].k == ':')
                snprintf(nm, 64, "%.63s", tk[i + 1].s);
            else if (inlist)
                snprintf(nm, 64, "in(%.58s)", cn);
            else
                snprintf(nm, 64, "%.63s", cn);
            s->bcol = realloc(s->bcol, sizeof(int) * (size_t)(s->nm + 1));
            s->bcol[s->nm] = s->t && !inlist ? col_find(s->t, cn) : -1;
            if (s->sys && s->sys->nf < 4 && strcspn(cn, "[") && !inlist) {
                filt_t *f = &s->sys->f[s->sys->nf++];
                snprintf(f->col, 64, "%.63s", cn);
                f->nv = 0;
                f->bind = s->nm;
            } else if (s->sys && s->sys->nf < 4 && inlist) {
                filt_t *f = &s->sys->f[s->sys->nf++];
                snprintf(f->col, 64, "%.63s", cn);
                f->nv = 0;
                f->bind = 1000 + s->nm;
            }
            mark(s, nm, ty);
            continue;
        }
        if (tk[i].k == 's' && s->sys && *last) {
            filt_t *f =
                s->sys->nf && !strcmp(s->sys->f[s->sys->nf - 1].col, last)
                    ? &s->sys->f[s->sys->nf - 1]
                : s->sys->nf < 4 ? &s->sys->f[s->sys->nf++]
                                 : NULL;
            if (f && f->nv < 32) {
                snprintf(f->col, 64, "%.63s", last);
                f->bind = -1;
                snprintf(f->v[f->nv++], 200, "%s", tk[i].s);
            }
        }
    }
    if (s->t) {
        int have = 0;
        for (int c = 0; c < s->t->npk + s->t->nck; c++)
            for (int b = 0; b < s->nm; b++)
                if (s->bcol[b] == c) {
                    have++;
                    if (c < s->t->npk && s->npk < 8)
                        s->pk[s->npk++] = b;
                    break;
                }
        s->allkey = have == s->t->npk + s->t->nck;
        if (s->npk != s->t->npk)
            s->npk = 0;
    }
    if (s->write && s->lwt) {
        s->kind = S_ROWS;
        select_add(s, -1, "[applied]", "boolean");
    }
    if (s->kind == S_ROWS ||
        s->kind == S_SYS) { /* metadata and canned row, written in `out` and
                               copied away */
        size_t a = on;
        pstr(s->t ? s->t->ks : s->sys->ks);
        pstr(s->t ? s->t->n : s->sys->n);
        for (int k = 0; k < s->nsel; k++) {
            pstr(s->seln[k]);
            ptype(s->selt[k]);
        }
        s->nmeta = on - a;
        s->meta = malloc(s->nmeta + 1);
        memcpy(s->meta, out + a, s->nmeta);
        on = a;
        for (int k = 0; k < s->nsel; k++) {
            uint32_t l = type_size(s->selt[k]);
            if (!l) {
                p32((uint32_t)-1);
                continue;
            }
            p32(l);
            memset(out + on, l > 16 ? 'x' : 0, l);
            on += l;
            if (l == 1)
                out[on - 1] = 1;
            if (l == 8 && !strcmp(s->seln[k], "count"))
                out[on - 1] = 1;
            if (l == 16) {
                out[on - 10] = 0x40;
                out[on - 8] = 0x80;
            }
        }
        s->ncanned = on - a;
        s->canned = malloc(s->ncanned + 1);
        memcpy(s->canned, out + a, s->ncanned);
        on = a;
        if (s->sys) {
            s->sys->ncol = s->nsel < 64 ? s->nsel : 64;
            for (int k = 0; k < s->sys->ncol; k++)
                s->sys->idx[k] = s->sel[k];
        }
    }
    return s;
}
static void stmt_free(stmt_t *s)
{
    free(s->m);
    free(s->sel);
    free(s->seln);
    free(s->selt);
    free(s->bcol);
    free(s->meta);
    free(s->canned);
    free(s->sys);
    free(s->text);
    free(s);
}

/* ---- kept rows ---- */
typedef struct {
    const uint8_t *p;
    int32_t n;
} val_t;
static val_t vals[1024];
static int nvals;
static void read_vals(const uint8_t *b, const uint8_t *e,
                      int named) /* at the [short n] of the values */
{
    nvals = 0;
    if (e - b < 2)
        return;
    int n = b[0] << 8 | b[1];
    b += 2;
    for (int i = 0; i < n && i < 1024; i++) {
        if (named) {
            if (e - b < 2)
                return;
            int l = b[0] << 8 | b[1];
            b += 2 + l;
        }
        if (e - b < 4)
            return;
        int32_t l = (int32_t)get32(b);
        b += 4;
        vals[nvals].p = b;
        vals[nvals++].n = l;
        if (l > 0) {
            if (e - b < l) {
                nvals = 0;
                return;
            }
            b += l;
        }
    }
}
static uint64_t row_hash(const stmt_t *s)
{
    uint64_t h = 1;
    for (int c = 0; c < s->t->npk + s->t->nck; c++)
        for (int b = 0; b < s->nm && b < nvals; b++)
            if (s->bcol[b] == c) {
                h = hash64(vals[b].p, vals[b].n > 0 ? (size_t)vals[b].n : 0, h);
                break;
            }
    return h | 1;
}
static row_t **slot(table_t *t, uint64_t h)
{
    uint64_t i = h & (t->cap - 1);
    while (t->rows[i] && t->rows[i]->h != h)
        i = (i + 1) & (t->cap - 1);
    return &t->rows[i];
}
static void row_put(const stmt_t *s) /* 64-bit hash of the key only: good enough
                                        for a test server */
{
    table_t *t = s->t;
    if ((t->nrows + 1) * 2 > t->cap) {
        uint64_t oc = t->cap;
        row_t **o = t->rows;
        t->cap = oc ? oc * 2 : 1 << 16;
        t->rows = calloc(t->cap, sizeof *t->rows);
        for (uint64_t i = 0; i < oc; i++)
            if (o[i])
                *slot(t, o[i]->h) = o[i];
        free(o);
    }
    uint64_t h = row_hash(s);
    row_t **p = slot(t, h), *old = *p;
    val_t v[512];
    uint32_t n = 0;
    const uint8_t *ob = old ? old->b : NULL;
    for (int c = 0; c < t->nc && c < 512; c++) {
        v[c].n = -1;
        v[c].p = NULL;
        if (ob) {
            v[c].n = (int32_t)get32(ob);
            v[c].p = ob + 4;
            ob += 4 + (v[c].n > 0 ? v[c].n : 0);
        }
    }
    for (int b = 0; b < s->nm && b < nvals; b++)
        if (s->bcol[b] >= 0 && vals[b].n >= -1)
            v[s->bcol[b]] = vals[b];
    for (int c = 0; c < t->nc; c++)
        n += 4 + (v[c].n > 0 ? (uint32_t)v[c].n : 0);
    row_t *r = malloc(sizeof *r + n);
    uint8_t *w = r->b;
    r->h = h;
    r->n = n;
    for (int c = 0; c < t->nc; c++) {
        uint32_t x = htonl((uint32_t)v[c].n);
        memcpy(w, &x, 4);
        w += 4;
        if (v[c].n > 0) {
            memcpy(w, v[c].p, (size_t)v[c].n);
            w += v[c].n;
        }
    }
    if (!old)
        t->nrows++;
    *p = r;
    free(old);
}
static void rows_answer(const uint8_t *f, const stmt_t *s, int skip_meta)
{
    size_t at = begin(f, 8);
    p32(2);
    p32(skip_meta ? 4 : 1);
    p32((uint32_t)s->nsel);
    if (!skip_meta)
        pmem(s->meta, s->nmeta);
    const row_t *r = NULL;
    if (keep && s->allkey && !s->write) {
        r = s->t->cap && nvals >= s->nm ? *slot(s->t, row_hash(s)) : NULL;
        p32(r ? 1 : 0);
        if (r) {
            const uint8_t *b = r->b, *cb[512];
            for (int c = 0; c < s->t->nc && c < 512; c++) {
                int32_t l = (int32_t)get32(b);
                cb[c] = b;
                b += 4 + (l > 0 ? l : 0);
            }
            for (int k = 0; k < s->nsel; k++) {
                if (s->sel[k] < 0) {
                    p32((uint32_t)-1);
                    continue;
                }
                const uint8_t *x = cb[s->sel[k]];
                int32_t l = (int32_t)get32(x);
                pmem(x, 4 + (l > 0 ? (size_t)l : 0));
            }
        }
    } else if (empty && !s->write)
        p32(0);
    else {
        p32(1);
        pmem(s->canned, s->ncanned);
    }
    end(at);
}
static void sys_answer(const uint8_t *f, stmt_t *s, int skip_meta)
{
    sysq_t q = *s->sys;
    for (int i = 0; i < q.nf; i++) {
        filt_t *x = &q.f[i];
        if (x->bind < 0)
            continue;
        if (x->bind >= 1000) { /* IN ?: a list value */
            int b = x->bind - 1000;
            if (b >= nvals || vals[b].n < 4)
                continue;
            uint32_t k = get32(vals[b].p);
            const uint8_t *p = vals[b].p + 4, *e = vals[b].p + vals[b].n;
            for (uint32_t j = 0; j < k && x->nv < 32 && p + 4 <= e; j++) {
                uint32_t l = get32(p);
                snprintf(x->v[x->nv++], 200, "%.*s", (int)l, p + 4);
                p += 4 + l;
            }
        } else if (x->bind < nvals && vals[x->bind].n >= 0) {
            x->nv = 1;
            snprintf(x->v[0], 200, "%.*s", vals[x->bind].n, vals[x->bind].p);
        }
    }
    size_t at = begin(f, 8), cnt;
    p32(2);
    p32(skip_meta ? 4 : 1);
    p32((uint32_t)s->nsel);
    if (!skip_meta)
        pmem(s->meta, s->nmeta);
    cnt = on;
    p32(0);
    cur = &q;
    srows = 0;
    sys_rows();
    put32(cnt, srows);
    end(at);
}
static void schema_change(const uint8_t *f, const char *what,
                          const char *target, const char *ks, const char *n)
{
    size_t at = begin(f, 8);
    p32(5);
    pstr(what);
    pstr(target);
    pstr(ks);
    if (n)
        pstr(n);
    end(at);
}
static void type_text(int *i, char *d,
                      size_t cap) /* the type at token *i as CQL text */
{
    int dep = 0;
    size_t k = 0;
    for (; *i < nt; (*i)++) {
        if (tk[*i].k == '<')
            dep++;
        else if (tk[*i].k == '>')
            dep--;
        else if (!dep && (tk[*i].k == ',' || tk[*i].k == ')'))
            break;
        else if (!dep && (is(*i, "primary") || is(*i, "static")))
            break;
        k += (size_t)snprintf(d + k, cap - k, "%s%s", tk[*i].s,
                              tk[*i].k == ',' ? " " : "");
        if (k >= cap - 1)
            break;
    }
    if (!strcasecmp(d, "varchar"))
        strcpy(d, "text");
}
static void create_table(const uint8_t *f, conn_t *c, int i, int ine)
{
    char ks[64], n[64];
    i = name(i, c->ks, ks, n);
    if (!ks_find(ks)) {
        error(f, 0x2200, "Keyspace does not exist");
        return;
    }
    if (tab_find(ks, n)) {
        size_t at;
        if (ine) {
            at = begin(f, 8);
            p32(1);
            end(at);
            return;
        }
        at = begin(f, 0);
        p32(0x2400);
        pstr("Cannot add already existing table");
        pstr(ks);
        pstr(n);
        end(at);
        return;
    }
    if (ntab == 256) {
        error(f, 0x2200, "too many tables");
        return;
    }
    table_t *t = &tabs[ntab++];
    memset(t, 0, sizeof *t);
    strcpy(t->ks, ks);
    strcpy(t->n, n);
    for (i++; i < nt && tk[i].k != ')';) {
        if (tk[i].k == ',') {
            i++;
            continue;
        }
        if (is(i, "primary") &&
            is(i + 1, "key")) { /* PRIMARY KEY ((a, b), c) or (a, c) */
            int d = 0, part = 1, multi = tk[i + 3].k == '(';
            for (i += 2; i < nt; i++) {
                if (tk[i].k == '(')
                    d++;
                else if (tk[i].k == ')') {
                    d--;
                    if (multi && d == 1)
                        part = 0;
                    if (!d) {
                        i++;
                        break;
                    }
                } else if (tk[i].k == ',' && !multi)
                    part = 0;
                else if (isname(i)) {
                    int x = col_find(t, tk[i].s);
                    if (x >= 0) {
                        t->c[x].kind = part ? K_PART : K_CLUST;
                        t->c[x].pos = part ? t->npk++ : t->nck++;
                    }
                }
            }
            continue;
        }
        t->c = realloc(t->c, sizeof *t->c * (size_t)(t->nc + 1));
        col_t *x = &t->c[t->nc++];
        memset(x, 0, sizeof *x);
        snprintf(x->n, 64, "%.63s", tk[i++].s);
        type_text(&i, x->t, sizeof x->t);
        x->kind = K_REG;
        if (is(i, "static")) {
            x->kind = K_STATIC;
            i++;
        }
        if (is(i, "primary")) {
            x->kind = K_PART;
            x->pos = t->npk++;
            i += 2;
        }
    }
    qsort(t->c, (size_t)t->nc, sizeof *t->c, col_cmp);
    t->live = 1;
    if (f)
        schema_change(f, "CREATED", "TABLE", ks, n);
}
static void ddl(const uint8_t *f, conn_t *c, const char *q, size_t n)
{
    size_t at;
    char ks[64], tn[64];
    int i, ine = 0;
    lex(q, n);
    if (is(0, "use")) {
        if (!ks_find(tk[1].s)) {
            error(f, 0x2200, "Keyspace does not exist");
            return;
        }
        snprintf(c->ks, 64, "%.63s", tk[1].s);
        at = begin(f, 8);
        p32(3);
        pstr(c->ks);
        end(at);
        return;
    }
    i = 2;
    if (is(i, "if")) {
        ine = 1;
        i += is(i + 1, "not") ? 3 : 2;
    }
    if (is(0, "create") && is(1, "keyspace")) {
        if (ks_find(tk[i].s)) {
            if (ine) {
                at = begin(f, 8);
                p32(1);
                end(at);
            } else {
                at = begin(f, 0);
                p32(0x2400);
                pstr("Cannot add existing keyspace");
                pstr(tk[i].s);
                pstr("");
                end(at);
            }
            return;
        }
        if (nks == 128) {
            error(f, 0x2200, "too many keyspaces");
            return;
        }
        ks_t *k = &kss[nks++];
        memset(k, 0, sizeof *k);
        snprintf(k->n, 64, "%.63s", tk[i].s);
        strcpy(k->cls, "org.apache.cassandra.locator.SimpleStrategy");
        size_t o = 0;
        for (int j = i; j + 2 < nt && tk[j].k != '}'; j++)
            if (tk[j].k == 's' && tk[j + 1].k == ':') {
                if (!strcmp(tk[j].s, "class")) {
                    const char *b = strrchr(tk[j + 2].s, '.');
                    snprintf(k->cls, sizeof k->cls,
                             "org.apache.cassandra.locator.%.60s",
                             b ? b + 1 : tk[j + 2].s);
                } else if (o < sizeof k->opt - 130) {
                    const char *dc =
                        strstr(k->cls, "NetworkTopology") &&
                                !strcmp(tk[j].s, "replication_factor")
                            ? "datacenter1"
                            : tk[j].s; /* as Cassandra expands it */
                    o += (size_t)snprintf(k->opt + o, sizeof k->opt - o,
                                          "%s%.60s\1%.60s", o ? "\1" : "", dc,
                                          tk[j + 2].s);
                }
            }
        k->live = 1;
        if (f)
            schema_change(f, "CREATED", "KEYSPACE", k->n, NULL);
        return;
    }
    if (is(0, "create") && (is(1, "table") || is(1, "columnfamily"))) {
        create_table(f, c, i, ine);
        return;
    }
    if (is(0, "drop") && is(1, "keyspace")) {
        ks_t *k = ks_find(tk[i].s);
        if (!k && !ine) {
            error(f, 0x2300, "Keyspace doesn't exist");
            return;
        }
        if (!k) {
            at = begin(f, 8);
            p32(1);
            end(at);
            return;
        }
        for (int j = 0; j < ntab; j++)
            if (!strcmp(tabs[j].ks, k->n)) {
                tabs[j].live = 0;
                rows_clear(&tabs[j]);
            }
        k->live = 0;
        schema_change(f, "DROPPED", "KEYSPACE", k->n, NULL);
        return;
    }
    if ((is(0, "drop") && is(1, "table")) || is(0, "truncate")) {
        if (is(0, "truncate"))
            i = is(1, "table") ? 2 : 1;
        name(i, c->ks, ks, tn);
        table_t *t = tab_find(ks, tn);
        if (t)
            rows_clear(t);
        if (!t && !ine) {
            error(f, 0x2200, "Table does not exist");
            return;
        }
        if (!t || is(0, "truncate")) {
            at = begin(f, 8);
            p32(1);
            end(at);
            return;
        }
        t->live = 0;
        schema_change(f, "DROPPED", "TABLE", ks, tn);
        return;
    }
    if (is(0, "alter") || is(0, "create") || is(0, "drop")) {
        at = begin(f, 8);
        p32(1);
        end(at);
        return;
    } /* accepted and forgotten */
    if (is(0, "begin") || is(0, "grant") || is(0, "list")) {
        at = begin(f, 8);
        p32(1);
        end(at);
        return;
    }
    error(f, 0x2000, "line 1:0 no viable alternative at input");
}
static void prepare(const uint8_t *f, conn_t *c, const char *q, size_t n)
{
    uint64_t h = hash64((const uint8_t *)q, n,
                        hash64((const uint8_t *)c->ks, strlen(c->ks), 7));
    int k = -1;
    for (int i = 0; i < nst && k < 0; i++)
        if (st[i]->hash == h && (!st[i]->t || st[i]->t->live))
            k = i;
    if (k < 0) {
        stmt_t *s = nst < 65535 ? parse(q, n, c->ks) : NULL;
        if (!s) {
            error(f, nst < 65535 ? perrc : 0x2200, perr);
            return;
        }
        s->hash = h;
        s->text = malloc(n + 1);
        memcpy(s->text, q, n);
        s->text[n] = 0;
        s->ntext = n;
        k = nst;
        st[nst++] = s;
    }
    const stmt_t *s = st[k];
    size_t at = begin(f, 8);
    p32(4);
    p16(16);
    p32(0x4e554c4c);
    p32((uint32_t)k);
    p32((uint32_t)(h >> 32));
    p32((uint32_t)h);
    if (ver >= 5) {
        p16(16);
        p32(0x4d455441);
        p32((uint32_t)k);
        p32((uint32_t)(h >> 32));
        p32((uint32_t)h);
    }
    p32(1);
    p32((uint32_t)s->nm);
    if (ver >= 4) {
        p32((uint32_t)s->npk);
        for (int i = 0; i < s->npk; i++)
            p16((unsigned)s->pk[i]);
    }
    pstr(s->t ? s->t->ks : s->sys ? s->sys->ks : "");
    pstr(s->t ? s->t->n : s->sys ? s->sys->n : "");
    for (int i = 0; i < s->nm; i++) {
        pstr(s->m[i].n);
        ptype(s->m[i].t);
    }
    if (s->nsel) {
        p32(1);
        p32((uint32_t)s->nsel);
        pmem(s->meta, s->nmeta);
    } else {
        p32(4);
        p32(0);
    }
    end(at);
}
static void void_answer(const uint8_t *f)
{
    uint8_t *o = out + on;
    o[0] = (uint8_t)(0x80 | ver);
    o[1] = 0;
    o[2] = f[2];
    o[3] = f[3];
    o[4] = 8;
    memcpy(o + 5, "\0\0\0\4\0\0\0\1", 8);
    on += 13;
}
static int execute(const uint8_t *f, conn_t *c,
                   uint32_t len) /* 1: a user operation */
{
    const uint8_t *b = f + 9, *e = b + len;
    if (f[1] & 4) { /* custom payload: skip */
        int k = b[0] << 8 | b[1];
        for (b += 2; k--;) {
            b += 2 + (b[0] << 8 | b[1]);
            b += 4 + (int32_t)get32(b);
            if (b > e)
                return 0;
        }
    }
    if (e - b < 21 || b[0] || b[1] != 16 || get32(b + 2) != 0x4e554c4c ||
        get32(b + 6) >= (uint32_t)nst) {
        size_t at = begin(f, 0);
        unsigned l = e - b >= 2 ? (unsigned)(b[0] << 8 | b[1]) : 0;
        p32(0x2500);
        pstr("unknown prepared statement");
        p16(l);
        pmem(b + 2, l);
        end(at);
        return 0;
    }
    stmt_t *s = st[get32(b + 6)];
    b += 18;
    if (ver >= 5)
        b += 2 + (b[0] << 8 | b[1]); /* result metadata id: ours never change */
    if (e - b < 7 && (ver >= 5 || e - b < 3)) {
        error(f, 0x0A, "short frame");
        return 0;
    }
    unsigned fl = ver >= 5 ? b[5] : b[2];
    b += ver >= 5 ? 6 : 3;
    if (s->kind == S_VOID) {
        if (keep && s->allkey && (fl & 1)) {
            read_vals(b, e, fl & 0x40);
            if (nvals == s->nm)
                row_put(s);
        }
        void_answer(f);
        return 1;
    }
    nvals = 0;
    if ((fl & 1) && (keep || s->kind == S_SYS))
        read_vals(b, e, fl & 0x40);
    if (s->kind == S_ROWS) {
        if (s->write && keep && s->allkey && nvals == s->nm)
            row_put(s);
        rows_answer(f, s, fl & 2);
        return 1;
    }
    if (s->kind == S_SYS) {
        sys_answer(f, s, fl & 2);
        return 0;
    }
    ddl(f, c, s->text, s->ntext);
    return 0;
}
static int query(const uint8_t *f, conn_t *c, uint32_t len)
{
    const uint8_t *b = f + 9, *e = b + len;
    if (f[1] & 4) {
        int k = b[0] << 8 | b[1];
        for (b += 2; k--;) {
            b += 2 + (b[0] << 8 | b[1]);
            b += 4 + (int32_t)get32(b);
            if (b > e)
                return 0;
        }
    }
    uint32_t n = e - b >= 4 ? get32(b) : 0;
    if (n + 7 > (size_t)(e - b)) {
        error(f, 0x0A, "short frame");
        return 0;
    }
    const char *q = (const char *)b + 4;
    while (n && isspace((unsigned char)*q)) {
        q++;
        n--;
    }
    if (n > 6 &&
        (!strncasecmp(q, "insert", 6) || !strncasecmp(q, "update", 6) ||
         !strncasecmp(q, "delete", 6)) &&
        !keep) {
        void_answer(f);
        return 1;
    }
    stmt_t *s = parse(q, n, c->ks);
    if (!s) {
        error(f, perrc, perr);
        return 0;
    }
    unsigned fl = (uint8_t)q[n + (ver >= 5 ? 5 : 2)];
    int user = 0;
    nvals = 0;
    if (fl & 1)
        read_vals((const uint8_t *)q + n + (ver >= 5 ? 6 : 3), e, fl & 0x40);
    if (s->kind == S_VOID) {
        if (keep && s->allkey && nvals == s->nm)
            row_put(s);
        void_answer(f);
        user = 1;
    } else if (s->kind == S_ROWS) {
        rows_answer(f, s, 0);
        user = 1;
    } else if (s->kind == S_SYS)
        sys_answer(f, s, 0);
    else
        ddl(f, c, q, n);
    stmt_free(s);
    return user;
}
static int slow(const uint8_t *f, conn_t *c, uint32_t len)
{
    size_t at;
    unsigned v = f[0] & 0x7f;
    if (trace && f[4] != 5) {
        uint32_t n = len >= 4 ? get32(f + 9) : 0;
        fprintf(stderr, "fd %d v%u op %02x stream %d len %u", c->fd, v, f[4],
                f[2] << 8 | f[3], len);
        if ((f[4] == 7 || f[4] == 9) && n + 4 <= len)
            fprintf(stderr, " [%.*s]", (int)n, f + 13);
        fputc('\n', stderr);
    }
    if (v < 3 || (int)v > maxver) {
        ver = (unsigned)maxver;
        error(
            f, 0x0A,
            maxver == 5
                ? "Invalid or unsupported protocol version; supported versions are (3/v3, 4/v4, 5/v5)"
                : "Invalid or unsupported protocol version; supported versions are (3/v3, 4/v4)");
        return 0;
    }
    ver = v;
    switch (f[4]) {
    case 0x05:
        at = begin(f, 6);
        p16(3);
        pstr("CQL_VERSION");
        p16(1);
        pstr("3.4.7");
        pstr("COMPRESSION");
        p16(0);
        pstr("PROTOCOL_VERSIONS");
        p16((unsigned)maxver - 2);
        pstr("3/v3");
        pstr("4/v4");
        if (maxver == 5)
            pstr("5/v5");
        end(at);
        return 0;
    case 0x7E:
    case 0x7F: {
        struct rusage r;
        getrusage(RUSAGE_SELF, &r);
        uint64_t x[8] = {nexec,
                         texec0,
                         texec1,
                         (uint64_t)r.ru_utime.tv_sec * 1000000 +
                             (uint64_t)r.ru_utime.tv_usec,
                         (uint64_t)r.ru_stime.tv_sec * 1000000 +
                             (uint64_t)r.ru_stime.tv_usec,
                         nread,
                         nwrite,
                         nwait};
        at = begin(f, 8);
        for (int i = 0; i < 8; i++) {
            p32((uint32_t)(x[i] >> 32));
            p32((uint32_t)x[i]);
        }
        end(at);
        if (f[4] == 0x7F)
            texec0 = texec1 = 0;
        return 0;
    }
    case 0x01:
        if (v == 5 && !c->v5)
            c->v5 = 1; /* fallthrough */
    case 0x0B:
        at = begin(f, 2);
        end(at);
        return 0;
    case 0x09: {
        uint32_t n = len >= 4 ? get32(f + 9) : 0;
        if (n + 4 > len) {
            error(f, 0x0A, "short frame");
            return 0;
        }
        prepare(f, c, (const char *)f + 13, n);
        return 0;
    }
    case 0x07:
        return query(f, c, len);
    default:
        error(f, 0x0A, "unsupported opcode");
        return 0;
    }
}
static void drop(conn_t *c)
{
    close(c->fd);
    free(c->part);
    free(c->out);
    free(c->env);
    free(c);
}

/* ---- v5 segments (uncompressed): 17-bit length and self-contained bit, CRC24,
 * payload, CRC32; what comes in is not checked ---- */
#define SEGMAX 131071
static uint32_t crc_t[8][256];
static void crc_init(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        crc_t[0][i] = c;
    }
    for (int t = 1; t < 8; t++)
        for (int i = 0; i < 256; i++)
            crc_t[t][i] =
                (crc_t[t - 1][i] >> 8) ^ crc_t[0][crc_t[t - 1][i] & 255];
}
static uint32_t crc32_upd(uint32_t c, const uint8_t *p, size_t n)
{
    for (; n >= 8; n -= 8, p += 8) {
        uint32_t a, b;
        memcpy(&a, p, 4);
        memcpy(&b, p + 4, 4);
        a ^= c;
        c = crc_t[7][a & 255] ^ crc_t[6][a >> 8 & 255] ^
            crc_t[5][a >> 16 & 255] ^ crc_t[4][a >> 24] ^ crc_t[3][b & 255] ^
            crc_t[2][b >> 8 & 255] ^ crc_t[1][b >> 16 & 255] ^
            crc_t[0][b >> 24];
    }
    while (n--)
        c = crc_t[0][(c ^ *p++) & 255] ^ (c >> 8);
    return c;
}
static size_t segment(uint8_t *d, const uint8_t *p, size_t n, int whole)
{
    uint32_t h = (uint32_t)n | (whole ? 1u << 17 : 0), c = 0x875060, x = h;
    for (int i = 0; i < 3; i++) {
        c ^= (x & 255) << 16;
        x >>= 8;
        for (int k = 0; k < 8; k++) {
            c <<= 1;
            if (c & 0x1000000)
                c ^= 0x1974F0B;
        }
    }
    memcpy(d, &h, 3);
    memcpy(d + 3, &c, 3);
    memcpy(d + 6, p, n);
    static const uint8_t pre[4] = {0xFA, 0x2D, 0x55, 0xCA};
    x = ~crc32_upd(crc32_upd(0xffffffffu, pre, 4), p, n);
    memcpy(d + 6 + n, &x, 4);
    return n + 10;
}
static size_t
wrap(void) /* the whole envelopes in `out` as segments in `wrapped` */
{
    size_t w = 0, i = 0;
    while (i < on) {
        size_t n = 0, l;
        while (i + n < on && n + (l = 9 + get32(out + i + n + 5)) <= SEGMAX)
            n += l;
        if (n) {
            w += segment(wrapped + w, out + i, n, 1);
            i += n;
            continue;
        }
        for (l = 9 + get32(out + i + 5); l;) {
            n = l < SEGMAX ? l : SEGMAX;
            w += segment(wrapped + w, out + i, n, 0);
            i += n;
            l -= n;
        }
    }
    return w;
}
static int flush(conn_t *c)
{
    const uint8_t *src = out;
    if (c->v5 == 2) {
        on = wrap();
        src = wrapped;
    } else if (c->v5 == 1)
        c->v5 = 2;
    if (c->out) { /* earlier output still waiting: append */
        c->out = realloc(c->out, c->on + on);
        memcpy(c->out + c->on, src, on);
        c->on += (uint32_t)on;
        on = 0;
        return 0;
    }
    ssize_t r = write(c->fd, src, on);
    nwrite++;
    if (r < 0 && errno != EAGAIN)
        return -1;
    if (r < 0)
        r = 0;
    if ((size_t)r < on) {
        c->on = (uint32_t)(on - (size_t)r);
        c->oo = 0;
        c->out = malloc(c->on);
        memcpy(c->out, src + r, c->on);
        struct epoll_event e = {EPOLLIN | EPOLLOUT, {.ptr = c}};
        epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
    }
    on = 0;
    return 0;
}
static int flush_wait(conn_t *c)
{
    ssize_t r = write(c->fd, c->out + c->oo, c->on - c->oo);
    if (r < 0)
        return errno == EAGAIN ? 0 : -1;
    if ((c->oo += (uint32_t)r) == c->on) {
        struct epoll_event e = {EPOLLIN, {.ptr = c}};
        free(c->out);
        c->out = NULL;
        epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
    }
    return 0;
}
static ssize_t envelopes(conn_t *c, const uint8_t *p, size_t n,
                         uint64_t *ex) /* bytes used, -1: drop the connection */
{
    size_t i = 0;
    while (n - i >= 9) {
        const uint8_t *f = p + i;
        uint32_t len = get32(f + 5);
        if (len > INCAP)
            return -1;
        if (n - i < 9 + (size_t)len)
            break;
        if (on > OUTCAP - SLACK && flush(c))
            return -1;
        if ((f[4] == 0x0A || f[4] == 0x0D) && (f[0] & 0x7f) >= 3 &&
            (f[0] & 0x7f) <= maxver) {
            ver = f[0] & 0x7f;
            if (f[4] == 0x0D) {
                void_answer(f);
                ++*ex;
            } else
                *ex += (uint64_t)execute(f, c, len);
        } else
            *ex += (uint64_t)slow(f, c, len);
        nreq++;
        i += 9 + len;
    }
    return (ssize_t)i;
}
static ssize_t segments(conn_t *c, size_t n, uint64_t *ex)
{
    size_t i = 0;
    while (n - i >= 10) {
        const uint8_t *p = in + i;
        uint32_t h = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16,
                 l = h & 0x1ffff;
        if (n - i < l + 10)
            break;
        if (h >> 17 & 1) {
            if (envelopes(c, p + 6, l, ex) != (ssize_t)l)
                return -1;
        } else {
            c->env = realloc(c->env, c->nenv + l);
            memcpy(c->env + c->nenv, p + 6, l);
            c->nenv += l;
            ssize_t u = envelopes(c, c->env, c->nenv, ex);
            if (u < 0)
                return -1;
            memmove(c->env, c->env + u, c->nenv -= (size_t)u);
        }
        i += l + 10;
    }
    return (ssize_t)i;
}
static int readable(conn_t *c)
{
    size_t n = c->pn;
    uint64_t ex = 0;
    if (n)
        memcpy(in, c->part, n);
    ssize_t r = read(c->fd, in + n, INCAP + 65536 - n), i;
    nread++;
    if (r <= 0)
        return r < 0 && errno == EAGAIN ? 0 : -1;
    n += (size_t)r;
    i = c->v5 == 2 ? segments(c, n, &ex) : envelopes(c, in, n, &ex);
    if (i < 0)
        return -1;
    if (ex) {
        nexec += ex;
        texec1 = mono_ns();
        if (!texec0)
            texec0 = texec1;
    }
    size_t left = n - (size_t)i;
    if (left) {
        if (left > c->pn || !c->part)
            c->part = realloc(c->part, left < 512 ? 512 : left);
        memcpy(c->part, in + i, left);
    }
    c->pn = (uint32_t)left;
    return on ? flush(c) : 0;
}
static int listener(uint32_t ip, int port)
{
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)port),
                            .sin_addr.s_addr = ip};
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    if (bind(fd, (void *)&a, sizeof a) || listen(fd, 4096))
        die("bind/listen");
    return fd;
}
static void predefine(void)
{
    static const char *d[] = {
        "CREATE KEYSPACE system WITH replication = {'class': 'LocalStrategy'}",
        "CREATE KEYSPACE system_schema WITH replication = {'class': 'LocalStrategy'}",
        "CREATE KEYSPACE keyspace1 WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '1'}",
        "CREATE TABLE keyspace1.standard1 (key blob PRIMARY KEY, \"C0\" blob, \"C1\" blob, \"C2\" blob, \"C3\" blob, \"C4\" blob)",
        "CREATE TABLE keyspace1.counter1 (key blob PRIMARY KEY, \"C0\" counter, \"C1\" counter, \"C2\" counter, \"C3\" counter, \"C4\" counter)"};
    static conn_t c;
    for (size_t i = 0; i < sizeof d / sizeof *d; i++) {
        ddl(NULL, &c, d[i], strlen(d[i]));
        on = 0;
    }
}
int main(int argc, char **argv)
{
    int port = 9042, extra = 0, cpu = -1, busy = 0, o, one = 1;
    const char *addr = "127.0.0.1";
    while ((o = getopt(argc, argv, "a:p:l:c:bes4V:t")) != -1) {
        if (o == 'a')
            addr = optarg;
        else if (o == 'p')
            port = atoi(optarg);
        else if (o == 'l')
            extra = atoi(optarg);
        else if (o == 'c')
            cpu = atoi(optarg);
        else if (o == 'b')
            busy = 1;
        else if (o == 'e')
            empty = 1;
        else if (o == 's')
            keep = 1;
        else if (o == '4')
            maxver = 4;
        else if (o == 'V')
            snprintf(release, sizeof release, "%s", optarg);
        else if (o == 't')
            trace = 1;
        else
            return 2;
    }
    struct rlimit rl;
    getrlimit(RLIMIT_NOFILE, &rl);
    rl.rlim_cur = rl.rlim_max;
    setrlimit(RLIMIT_NOFILE, &rl);
    signal(SIGPIPE, SIG_IGN);
    struct sigaction sa = {.sa_handler = on_sig};
    sigaction(SIGTERM, &sa, NULL);
    sigaction(SIGINT, &sa, NULL);
    if (cpu >= 0) {
        cpu_set_t s;
        CPU_ZERO(&s);
        CPU_SET(cpu, &s);
        if (sched_setaffinity(0, sizeof s, &s))
            die("sched_setaffinity");
    }
    struct in_addr ip;
    if (inet_pton(AF_INET, addr, &ip) != 1) {
        fprintf(stderr, "nullserver: bad address %s\n", addr);
        return 2;
    }
    memcpy(myip, &ip, 4);
    myport = (uint32_t)port;
    int ls[2] = {listener(ip.s_addr, port),
                 extra ? listener(htonl(INADDR_LOOPBACK), extra) : -1};
    crc_init();
    predefine();
    ep = epoll_create1(0);
    struct epoll_event ev[256];
    for (int i = 0; i < 2; i++) {
        struct epoll_event e = {EPOLLIN, {.ptr = &ls[i]}};
        if (ls[i] >= 0)
            epoll_ctl(ep, EPOLL_CTL_ADD, ls[i], &e);
    }
    while (!stop) {
        int n = epoll_wait(ep, ev, 256, busy ? 0 : -1);
        nwait++;
        for (int i = 0; i < n; i++) {
            conn_t *c = ev[i].data.ptr;
            if ((void *)c >= (void *)ls && (void *)c < (void *)(ls + 2)) {
                int fd, from = *(int *)ev[i].data.ptr;
                while ((fd = accept4(from, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
                    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                    c = calloc(1, sizeof *c);
                    c->fd = fd;
                    struct epoll_event x = {EPOLLIN, {.ptr = c}};
                    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &x);
                }
                continue;
            }
            if ((ev[i].events & EPOLLOUT) && c->out && flush_wait(c)) {
                drop(c);
                continue;
            }
            if ((ev[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) &&
                readable(c)) {
                on = 0;
                drop(c);
            }
        }
    }
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    fprintf(
        stderr,
        "nullserver: %lu requests, %lu reads, %lu writes, %lu waits, user %.2f s, sys %.2f s\n",
        nreq, nread, nwrite, nwait,
        (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec / 1e6,
        (double)r.ru_stime.tv_sec + (double)r.ru_stime.tv_usec / 1e6);
    return 0;
}
