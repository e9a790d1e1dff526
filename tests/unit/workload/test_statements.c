/* test_statements.c - the CQL texts, compared with what the originals send. */
#include "support/vectors.h"
#include "workload/statements.h"

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
        bool want;
    } rows[] = {
        {"UPDATE t SET a = ? WHERE k = ? IF a = ?", true},
        {"update t set a = 1 where k = 2 if a in (?, ?)", true},
        {"UPDATE t SET a = ? WHERE k = ? IF a = null", false},
        {"UPDATE t SET a = ? WHERE k = ? IF EXISTS", false},
        {"UPDATE t SET a = ? WHERE k = 'IF a = ?'", false},
        {"UPDATE t SET a = 1 WHERE k = 2 IF b = 3 -- or ?", false},
        {"UPDATE t SET iffy = ? WHERE k = ?", false},
        {"INSERT INTO t (k) VALUES (?) IF NOT EXISTS", false},
        {"DELETE FROM t WHERE k = ? IF a = ?", false}, /* as the original */
    };

    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++)
        if (cs_cql_has_condition_marker(rows[i].cql) != rows[i].want)
            fail_msg("%s: expected %d", rows[i].cql, rows[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_the_predefined_statements),
        cmocka_unit_test(writes_the_predefined_ddl),
        cmocka_unit_test(generates_inserts_as_the_original),
        cmocka_unit_test(qualifies_bare_table_names_only),
        cmocka_unit_test(finds_markers_in_the_condition_of_an_update),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
