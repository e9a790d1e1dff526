/* test_statements.c - the CQL texts, compared with what the originals send. */
#include "support/vectors.h"
#include "workload/statements.h"
#include "workload/workload_internal.h"

static struct cs_settings two_columns(void)
{
    static const char *names[] = {"C0", "C1"};
    struct cs_settings s = {0};

    s.schema.keyspace = "ks";
    s.schema.strategy = "org.apache.cassandra.locator.SimpleStrategy";
    s.columns.names = names;
    s.columns.count = 2;
    return s;
}

static void expect(void (*put)(struct cs_buf *, const struct cs_settings *),
                   const struct cs_settings *s, const char *want)
{
    struct cs_buf buf;

    cs_buf_init(&buf, 10000);
    put(&buf, s);
    assert_string_equal(cs_buf_text(&buf), want);
    cs_buf_release(&buf);
}

static void writes_the_predefined_statements(void **state)
{
    struct cs_settings s = two_columns();

    (void)state;
    expect(cs_cql_put_write, &s,
           "UPDATE ks.\"standard1\" SET \"C0\" = ?,\"C1\" = ? WHERE KEY=?");
    expect(cs_cql_put_read, &s,
           "SELECT \"C0\",\"C1\" FROM ks.\"standard1\" WHERE KEY=?");
    expect(cs_cql_put_counter_write, &s,
           "UPDATE ks.counter1 SET \"C0\"=\"C0\"+?,\"C1\"=\"C1\"+? WHERE "
           "KEY=?");
    expect(cs_cql_put_counter_read, &s,
           "SELECT * FROM ks.\"counter1\" WHERE KEY=?");
    s.columns.timestamp = "12345";
    s.columns.slice = true;
    s.schema.keyspace = "TestKEYSPACE01";
    expect(cs_cql_put_write, &s,
           "UPDATE \"TestKEYSPACE01\".\"standard1\" USING TIMESTAMP 12345 SET "
           "\"C0\" = ?,\"C1\" = ? WHERE KEY=?");
    expect(cs_cql_put_read, &s,
           "SELECT * FROM \"TestKEYSPACE01\".\"standard1\" WHERE KEY=?");
}

static void writes_the_statements_of_sql(void **state)
{
    struct cs_settings s = two_columns();

    (void)state;
    expect(cs_sql_put_write, &s,
           "INSERT INTO \"ks\".\"standard1\" (\"C0\",\"C1\",\"key\") VALUES "
           "(?,?,?) ON DUPLICATE KEY UPDATE \"C0\"=VALUES(\"C0\"),"
           "\"C1\"=VALUES(\"C1\")");
    expect(cs_sql_put_read, &s,
           "SELECT \"C0\",\"C1\" FROM \"ks\".\"standard1\" WHERE "
           "\"key\"=?");
    expect(cs_sql_put_counter_read, &s,
           "SELECT * FROM \"ks\".\"counter1\" WHERE \"key\"=?");
    s.columns.count = 1;
    expect(cs_sql_put_counter_write, &s,
           "INSERT INTO \"ks\".\"counter1\" (\"C0\",\"key\") VALUES (?,?) ON "
           "DUPLICATE KEY UPDATE \"C0\"=\"C0\"+VALUES(\"C0\")");
    s.columns.slice = true;
    s.schema.table = CS_PREDEFINED_KV;
    expect(cs_sql_put_read, &s, "SELECT * FROM \"ks\".\"kv\" WHERE \"key\"=?");
}

static void writes_the_ddl_of_sql(void **state)
{
    struct cs_settings s = two_columns();

    (void)state;
    s.command.key_size = 10;
    s.columns.size = cs_dist_fixed(34);
    expect(cs_sql_put_database, &s, "CREATE DATABASE IF NOT EXISTS \"ks\"");
    expect(cs_sql_put_standard, &s,
           "CREATE TABLE IF NOT EXISTS \"ks\".\"standard1\" (\"key\" "
           "VARBINARY(10) PRIMARY KEY, \"C0\" VARBINARY(34), \"C1\" "
           "VARBINARY(34))");
    s.columns.size = cs_dist_uniform(1, 30001);
    expect(cs_sql_put_standard, &s,
           "CREATE TABLE IF NOT EXISTS \"ks\".\"standard1\" (\"key\" "
           "VARBINARY(10) PRIMARY KEY, \"C0\" LONGBLOB, \"C1\" LONGBLOB)");
    s.columns.count = 1;
    expect(cs_sql_put_counter, &s,
           "CREATE TABLE IF NOT EXISTS \"ks\".\"counter1\" (\"key\" "
           "VARBINARY(10) PRIMARY KEY, \"C0\" BIGINT NOT NULL DEFAULT 0)");
    s.schema.table = CS_PREDEFINED_KV;
    s.columns.size = cs_dist_fixed(500);
    expect(cs_sql_put_standard, &s,
           "CREATE TABLE IF NOT EXISTS \"ks\".\"kv\" (\"key\" INT PRIMARY "
           "KEY, \"C0\" VARCHAR(500) CHARACTER SET ascii)");
}

static void writes_the_kv_table(void **state)
{
    static const char *value[] = {"value"};
    struct cs_settings s = two_columns();

    (void)state;
    s.schema.table = CS_PREDEFINED_KV;
    s.columns.names = value;
    s.columns.count = 1;
    expect(cs_cql_put_write, &s,
           "UPDATE ks.\"kv\" SET \"value\" = ? WHERE KEY=?");
    expect(cs_cql_put_read, &s, "SELECT \"value\" FROM ks.\"kv\" WHERE KEY=?");
    expect(cs_ddl_put_standard, &s,
           "CREATE TABLE IF NOT EXISTS \"ks\".kv (key int PRIMARY KEY \n"
           ", \"value\" text) WITH compression = {};\n");
}

static void writes_the_predefined_ddl(void **state)
{
    struct cs_settings s = two_columns();
    struct cs_key_value factor = {"replication_factor", "3"};
    struct cs_key_value size = {"sstable_size_in_mb", "10"};

    (void)state;
    expect(cs_ddl_put_keyspace, &s,
           "CREATE KEYSPACE IF NOT EXISTS \"ks\" WITH replication = {'class': "
           "'org.apache.cassandra.locator.SimpleStrategy', "
           "'replication_factor': '1'} AND durable_writes = true;\n");
    s.schema.replication = &factor;
    s.schema.replication_count = 1;
    expect(cs_ddl_put_keyspace, &s,
           "CREATE KEYSPACE IF NOT EXISTS \"ks\" WITH replication = {'class': "
           "'org.apache.cassandra.locator.SimpleStrategy', "
           "'replication_factor' : '3'} AND durable_writes = true;\n");
    s.schema.storage_type = "LOCAL";
    expect(cs_ddl_put_keyspace, &s,
           "CREATE KEYSPACE IF NOT EXISTS \"ks\" WITH replication = {'class': "
           "'org.apache.cassandra.locator.SimpleStrategy', "
           "'replication_factor' : '3'} AND durable_writes = true;\n");
    s.schema.storage_type = "S3";
    s.schema.storage_endpoint = "localhost";
    s.schema.storage_bucket = "b1";
    expect(cs_ddl_put_keyspace, &s,
           "CREATE KEYSPACE IF NOT EXISTS \"ks\" WITH replication = {'class': "
           "'org.apache.cassandra.locator.SimpleStrategy', "
           "'replication_factor' : '3'} AND durable_writes = true AND storage "
           "= { 'type' : 'S3', 'endpoint' : 'localhost', 'bucket' : 'b1' "
           "};\n");
    expect(cs_ddl_put_standard, &s,
           "CREATE TABLE IF NOT EXISTS \"ks\".standard1 (key blob PRIMARY KEY "
           "\n, \"C0\" blob\n, \"C1\" blob) WITH compression = {};\n");
    s.schema.compression = "LZ4Compressor";
    s.schema.compaction = "LeveledCompactionStrategy";
    s.schema.compaction_options = &size;
    s.schema.compaction_count = 1;
    expect(cs_ddl_put_counter, &s,
           "CREATE TABLE IF NOT EXISTS \"ks\".counter1 (key blob PRIMARY KEY "
           "\n, \"C0\" counter\n, \"C1\" counter) WITH compression = {'class' "
           ": 'LZ4Compressor'} AND compaction = { 'class' : "
           "'LeveledCompactionStrategy', 'sstable_size_in_mb' : '10' };\n");
}

/* The table of vectors/statements-mixed-case.yaml. */
static void generates_inserts_as_the_original(void **state)
{
    struct cs_type text = {.kind = CS_TYPE_TEXT};
    struct cs_type number = {.kind = CS_TYPE_INT};
    struct cs_type list = {.kind = CS_TYPE_LIST};
    struct cs_type frozen = {.kind = CS_TYPE_SET, .frozen = true};
    struct cs_column columns[] = {
        {"pk", &number, CS_COLUMN_PARTITION_KEY, 0, false},
        {"Pk2", &text, CS_COLUMN_PARTITION_KEY, 1, false},
        {"c1", &number, CS_COLUMN_CLUSTERING, 0, false},
        {"C2", &text, CS_COLUMN_CLUSTERING, 1, false},
        {"V2", &text, CS_COLUMN_REGULAR, 0, false},
        {"fl", &frozen, CS_COLUMN_REGULAR, 0, false},
        {"l", &list, CS_COLUMN_REGULAR, 0, false},
        {"s", &text, CS_COLUMN_STATIC, 0, false},
        {"v1", &number, CS_COLUMN_REGULAR, 0, false},
    };
    struct cs_table table = {"ks", "t", columns, 9, 2, 2};
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 10000);
    cs_cql_put_insert(&buf, NULL, &table, NULL);
    assert_string_equal(
        cs_buf_text(&buf),
        "UPDATE t SET \"V2\" = ?,fl = ?,l = l + ?,s = ?,v1 = ? WHERE pk = ? "
        "AND \"Pk2\" = ? AND c1 = ? AND \"C2\" = ?");
    cs_buf_clear(&buf);
    cs_cql_put_insert(&buf, "ks", &table, "IF v1 = NULL");
    assert_non_null(strstr(cs_buf_text(&buf), "UPDATE ks.t SET "));
    assert_non_null(strstr(cs_buf_text(&buf), "\"C2\" = ? IF v1 = NULL"));
    cs_buf_clear(&buf);
    table.column_count = 4;
    cs_cql_put_insert(&buf, "Ks", &table, NULL);
    assert_string_equal(cs_buf_text(&buf),
                        "INSERT INTO \"Ks\".t (pk, \"Pk2\", c1, \"C2\") "
                        "values(?, ?, ?, ?)");
    cs_buf_release(&buf);
}

static void qualifies_bare_table_names_only(void **state)
{
    static const struct {
        const char *cql;
        const char *want;
    } rows[] = {
        {"select * from users where username = ?",
         "select * from perf.users where username = ?"},
        {"SELECT * FROM other.users", "SELECT * FROM other.users"},
        {"SELECT * FROM other . users", "SELECT * FROM other . users"},
        {"SELECT * FROM \"Users\" WHERE a = 'from users'",
         "SELECT * FROM perf.\"Users\" WHERE a = 'from users'"},
        {"UPDATE t SET a = ? WHERE k = ?",
         "UPDATE perf.t SET a = ? WHERE k = ?"},
        {"insert into t (a) values (?)", "insert into perf.t (a) values (?)"},
        {"delete a from\n  t where k = ?",
         "delete a from\n  perf.t where k = ?"},
        {"select a -- from nowhere\nfrom t",
         "select a -- from nowhere\nfrom perf.t"},
        {"select /* from x */ a from /* y */ t",
         "select /* from x */ a from /* y */ perf.t"},
        {"select fromage from t", "select fromage from perf.t"},
        {"select a from t where b = $$ from x $$",
         "select a from perf.t where b = $$ from x $$"},
        {"select \"a from b\" from t", "select \"a from b\" from perf.t"},
        {"from", "from"},
        {"", ""},
    };
    struct cs_buf buf;

    (void)state;
    cs_buf_init(&buf, 10000);
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        cs_buf_clear(&buf);
        cs_cql_put_qualified(&buf, "perf", rows[i].cql);
        assert_string_equal(cs_buf_text(&buf), rows[i].want);
    }
    cs_buf_release(&buf);
}

static void finds_markers_in_the_condition_of_an_update(void **state)
{
    static const struct {
        const char *cql;
        int want; /* number of the marker, -1: none */
    } rows[] = {
        {"UPDATE t SET a = ? WHERE k = ? IF a = ?", 2},
        {"update t set a = 1 where k = 2 if a in (?, ?)", 0},
        {"UPDATE t SET a = '?' WHERE k = ? IF a = 1 AND b = ?", 1},
        {"UPDATE t SET a = ? WHERE k = ? IF a = null", -1},
        {"UPDATE t SET a = ? WHERE k = ? IF EXISTS", -1},
        {"UPDATE t SET a = ? WHERE k = 'IF a = ?'", -1},
        {"UPDATE t SET a = 1 WHERE k = 2 IF b = 3 -- or ?", -1},
        {"UPDATE t SET iffy = ? WHERE k = ?", -1},
        {"INSERT INTO t (k) VALUES (?) IF NOT EXISTS", -1},
        {"DELETE FROM t WHERE k = ? IF a = ?", -1}, /* as the original */
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        unsigned first = 0;
        bool has = cs_cql_condition_marker(rows[i].cql, &first);

        if ((has ? (int)first : -1) != rows[i].want)
            fail_msg("%s: %d %u, expected %d", rows[i].cql, has, first,
                     rows[i].want);
    }
}

static void a_serial_level_is_that_of_a_read_or_of_a_condition(void **state)
{
    static const struct {
        const char *cql;
        enum cs_consistency asked, cl;
        int serial; /* -1: not set */
        bool refused;
    } rows[] = {
        {"select * from t", CS_CL_SERIAL, CS_CL_SERIAL, -1, false},
        {"-- all\n SELECT * FROM t", CS_CL_LOCAL_SERIAL, CS_CL_LOCAL_SERIAL, -1,
         false},
        {"UPDATE t SET a=? WHERE k=? IF a=?", CS_CL_SERIAL, CS_CL_LOCAL_ONE,
         CS_CL_SERIAL, false},
        {"insert into t (k) values (?) if not exists", CS_CL_LOCAL_SERIAL,
         CS_CL_LOCAL_ONE, CS_CL_LOCAL_SERIAL, false},
        {"UPDATE t SET a='if' WHERE k=?", CS_CL_SERIAL, CS_CL_SERIAL, -1, true},
        {"UPDATE \"if\" SET a=? /* if */ WHERE k=?", CS_CL_SERIAL, CS_CL_SERIAL,
         -1, true},
        {"UPDATE t SET a=? WHERE k=?", CS_CL_QUORUM, CS_CL_QUORUM, -1, false},
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        struct cs_statement_options options = {.cl = rows[i].asked};
        struct cs_err err;
        enum cs_code rc = cs_workload_settle_level(rows[i].cql, &options, &err);

        if (!rc == rows[i].refused || options.cl != rows[i].cl ||
            options.has_serial_cl != (rows[i].serial >= 0))
            fail_msg("%s", rows[i].cql);
        if (options.has_serial_cl)
            assert_int_equal(options.serial_cl, rows[i].serial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_predefined_statements),
        cmocka_unit_test(writes_the_predefined_ddl),
        cmocka_unit_test(writes_the_statements_of_sql),
        cmocka_unit_test(writes_the_ddl_of_sql),
        cmocka_unit_test(writes_the_kv_table),
        cmocka_unit_test(generates_inserts_as_the_original),
        cmocka_unit_test(qualifies_bare_table_names_only),
        cmocka_unit_test(a_serial_level_is_that_of_a_read_or_of_a_condition),
        cmocka_unit_test(finds_markers_in_the_condition_of_an_update),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
