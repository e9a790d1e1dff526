/* test_startup.c - what STARTUP switches on of that which a server offers. */
#include "client/startup.h"

#include "support/vectors.h"

static const struct {
    struct cs_connection_config config;
    struct cs_sharding offered;
    const char *want; /* behind the three that are always there */
} rows[] = {
    {{.version = 4}, {0}, ""},
    {{.version = 5, .lz4 = true}, {.count = 8}, " COMPRESSION=lz4"},
    {{.version = 4, .snappy = true}, {0}, " COMPRESSION=snappy"},
    {{.version = 4}, {.rate_limit = true}, " SCYLLA_RATE_LIMIT_ERROR="},
    {{.version = 4}, {.lwt_mask = 16}, " SCYLLA_LWT_ADD_METADATA_MARK="},
    {{.version = 4}, {.tablets = true}, " TABLETS_ROUTING_V1="},
    {{.version = 4, .lz4 = true},
     {.rate_limit = true, .lwt_mask = 1, .tablets = true},
     " COMPRESSION=lz4 SCYLLA_RATE_LIMIT_ERROR= "
     "SCYLLA_LWT_ADD_METADATA_MARK= TABLETS_ROUTING_V1="},
};

static void echoes_what_it_understands(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        const struct cs_connection connection = {.config = &rows[i].config,
                                                 .sharding = rows[i].offered};
        struct cs_startup_option options[CS_STARTUP_OPTIONS_MAX];
        size_t count = cs_startup_options(&connection, options);
        struct cs_buf text;

        cs_buf_init(&text, 1024);
        for (size_t k = 3; k < count; k++)
            cs_buf_printf(&text, " %s=%s", options[k].key, options[k].value);
        assert_true(count >= 3 && count <= CS_STARTUP_OPTIONS_MAX);
        assert_string_equal(cs_buf_text(&text), rows[i].want);
        cs_buf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(echoes_what_it_understands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
