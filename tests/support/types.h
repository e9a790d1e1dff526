/* types.h - user types for tests of everything that reads types. */
#ifndef CS_TESTS_SUPPORT_TYPES_H
#define CS_TESTS_SUPPORT_TYPES_H

#include "types/type.h"

/* address (street text, number int, "Since" date), and "Odd" (a address). */
static inline const struct cs_type *find_test_udt(void *ctx, const char *name)
{
    static const char *const address_fields[] = {"street", "number", "Since"};
    static const char *const odd_fields[] = {"a"};
    static const struct cs_type text = {.kind = CS_TYPE_TEXT};
    static const struct cs_type number = {.kind = CS_TYPE_INT};
    static const struct cs_type date = {.kind = CS_TYPE_DATE};
    static const struct cs_type *address_parts[] = {&text, &number, &date};
    static const struct cs_type address = {.kind = CS_TYPE_UDT,
                                           .part_count = 3,
                                           .parts = address_parts,
                                           .name = "address",
                                           .field_names = address_fields};
    static const struct cs_type *odd_parts[] = {&address};
    static const struct cs_type odd = {.kind = CS_TYPE_UDT,
                                       .part_count = 1,
                                       .parts = odd_parts,
                                       .name = "Odd",
                                       .field_names = odd_fields};

    (void)ctx;
    if (!strcmp(name, "address"))
        return &address;
    return strcmp(name, "Odd") ? NULL : &odd;
}

#endif
