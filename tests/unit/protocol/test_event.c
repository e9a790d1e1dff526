/* test_event.c - events that no recording has. */
#include "protocol/event.h"

#include "support/vectors.h"

#define STATUS   "000d5354415455535f4348414e4745"
#define TOPOLOGY "000f544f504f4c4f47595f4348414e4745"
#define SCHEMA   "000d534348454d415f4348414e4745"

static const struct {
    const char *why;
    const char *hex;
    enum cs_code want;
    enum cs_event_kind kind;
    enum cs_change change;
} rows[] = {
    {"up, IPv6",
     STATUS "00025550"
            "10"
            "fe800000000000000000000000000001"
            "00002352",
     CS_OK, CS_EVENT_STATUS, CS_CHANGE_UP},
    {"moved",
     TOPOLOGY "000a4d4f5645445f4e4f4445"
              "047f000001"
              "00002352",
     CS_OK, CS_EVENT_TOPOLOGY, CS_CHANGE_MOVED_NODE},
    {"a change we do not know",
     STATUS "000141"
            "047f000001"
            "00002352",
     CS_OK, CS_EVENT_STATUS, CS_CHANGE_OTHER},
    {"a type we do not know",
     "000358595a"
     "ffff",
     CS_OK, CS_EVENT_OTHER, CS_CHANGE_OTHER},
    {"address of 0 bytes",
     STATUS "00025550"
            "00"
            "00002352",
     CS_EPROTOCOL, 0, 0},
    {"address of 6 bytes",
     STATUS "00025550"
            "06"
            "7f000001000000002352",
     CS_EPROTOCOL, 0, 0},
    {"no port",
     STATUS "00025550"
            "047f000001"
            "0000",
     CS_EPROTOCOL, 0, 0},
    {"no type", "", CS_EPROTOCOL, 0, 0},
    {"aggregate, no arguments",
     SCHEMA "000744524f50504544"
            "0009414747524547415445"
            "00016b"
            "000161"
            "0000",
     CS_OK, CS_EVENT_SCHEMA, CS_CHANGE_DROPPED},
    {"function, more arguments than bytes",
     SCHEMA "000744524f50504544"
            "000846554e4354494f4e"
            "00016b"
            "000166"
            "ffff",
     CS_EPROTOCOL, 0, 0},
};

static void reads_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(rows); i++) {
        size_t size;
        uint8_t *bytes = vector_hex(rows[i].hex, &size);
        struct cs_event event;
        enum cs_code rc =
            cs_event_decode(cs_reader_of(bytes, size), &event, NULL);

        if (rc != rows[i].want)
            fail_msg("%s: %d", rows[i].why, rc);
        if (!rc &&
            (event.kind != rows[i].kind || event.change != rows[i].change))
            fail_msg("%s: kind %d change %d", rows[i].why, event.kind,
                     event.change);
        free(bytes);
    }
}

static void keeps_address_and_port(void **state)
{
    size_t size;
    uint8_t *bytes = vector_hex(rows[0].hex, &size);
    struct cs_event event;

    (void)state;
    assert_int_equal(cs_event_decode(cs_reader_of(bytes, size), &event, NULL),
                     CS_OK);
    assert_int_equal(event.node.size, 16);
    assert_int_equal(event.node.bytes[0], 0xFE);
    assert_int_equal(event.node.bytes[15], 1);
    assert_int_equal(event.node.port, 9042);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_events),
        cmocka_unit_test(keeps_address_and_port),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
