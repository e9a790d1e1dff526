/* test_execute.c - the template writes what the plain encoder writes, for all
 * combinations of what a request can have. */
#include "protocol/execute.h"

#include "support/vectors.h"

#define ID          "0123456789abcdef"
#define METADATA_ID "fedcba9876543210"

enum part {
    PART_VALUES = 1,
    PART_SKIP = 2,
    PART_PAGE_SIZE = 4,
    PART_PAGING_STATE = 8,
    PART_SERIAL = 16,
    PART_TIMESTAMP = 32,
    PART_TRACING = 64,
    PART_ALL = 127,
};

static struct cs_query_params params_of(int parts)
{
    struct cs_query_params params = {
        .consistency = 6,
        .timestamp_us = CS_TIMESTAMP_NONE,
        .skip_metadata = parts & PART_SKIP,
        .has_serial = parts & PART_SERIAL,
        .serial_consistency = parts & PART_SERIAL ? 9 : 0,
    };

    if (parts & PART_VALUES) {
        params.value_count = 2;
        params.values = cs_view_of("\0\0\0\1x\xFF\xFF\xFF\xFF", 9);
    }
    if (parts & PART_PAGE_SIZE)
        params.page_size = 5000;
    if (parts & PART_PAGING_STATE)
        params.paging_state = cs_view_text("where I was");
    if (parts & PART_TIMESTAMP)
        params.timestamp_us = INT64_C(-1700000000000001);
    return params;
}

static void check_parts(uint8_t version, int parts)
{
    const struct cs_query_params params = params_of(parts);
    const struct cs_request request = {
        .version = version,
        .flags = parts & PART_TRACING ? CS_FRAME_TRACING : 0,
        .stream = 32767,
    };
    struct cs_query_params fixed = params;
    struct cs_execute_template t;
    struct cs_buf got;
    struct cs_buf want;

    fixed.values = cs_view_of(NULL, 0); /* what a template cannot know yet */
    fixed.paging_state = cs_view_of(NULL, 0);
    cs_buf_init(&got, SIZE_MAX);
    cs_buf_init(&want, SIZE_MAX);
    assert_int_equal(cs_execute_template_init(&t, &request, cs_view_text(ID),
                                              cs_view_text(METADATA_ID), &fixed,
                                              NULL),
                     CS_OK);
    for (int16_t stream = 0; stream < 3; stream++) {
        const struct cs_request one = {version, request.flags, stream};
        const struct cs_execute_run run = {
            .stream = stream,
            .values = params.values,
            .timestamp_us = params.timestamp_us,
            .paging_state = params.paging_state,
        };

        cs_execute_put(&got, &t, &run);
        cs_request_execute(&want, &one, cs_view_text(ID),
                           cs_view_text(METADATA_ID), &params);
    }
    assert_int_equal(got.size, want.size);
    assert_memory_equal(got.data, want.data, got.size);
    cs_buf_release(&got);
    cs_buf_release(&want);
}

static void writes_what_the_plain_encoder_writes(void **state)
{
    (void)state;
    for (uint8_t version = 3; version <= 5; version++) {
        for (int parts = 0; parts <= PART_ALL; parts++)
            check_parts(version, parts);
    }
}

static void takes_ids_up_to_the_limit(void **state)
{
    const struct cs_request request = {.version = 5};
    const struct cs_query_params params = params_of(PART_VALUES);
    struct cs_execute_template t;
    uint8_t id[CS_PREPARED_ID_MAX + 1] = {0};
    struct cs_err err = {0};

    (void)state;
    assert_int_equal(cs_execute_template_init(
                         &t, &request, cs_view_of(id, CS_PREPARED_ID_MAX),
                         cs_view_of(id, CS_PREPARED_ID_MAX), &params, &err),
                     CS_OK);
    assert_int_equal(t.head_size, CS_EXECUTE_HEAD_MAX);
    assert_int_equal(
        cs_execute_template_init(&t, &request, cs_view_of(id, sizeof(id)),
                                 cs_view_of(id, 16), &params, &err),
        CS_EUNSUPPORTED);
    assert_non_null(strstr(err.text, "129 bytes"));
}

static void a_full_buffer_is_a_fault(void **state)
{
    const struct cs_request request = {.version = 4};
    const struct cs_query_params params = params_of(PART_VALUES);
    struct cs_execute_template t;
    struct cs_execute_run run = {.timestamp_us = CS_TIMESTAMP_NONE};
    struct cs_buf out;

    (void)state;
    cs_buf_init(&out, 20);
    assert_int_equal(cs_execute_template_init(&t, &request, cs_view_text(ID),
                                              cs_view_of(NULL, 0), &params,
                                              NULL),
                     CS_OK);
    cs_execute_put(&out, &t, &run);
    assert_true(out.fault);
    assert_int_equal(out.size, 0);
    cs_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_what_the_plain_encoder_writes),
        cmocka_unit_test(takes_ids_up_to_the_limit),
        cmocka_unit_test(a_full_buffer_is_a_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
