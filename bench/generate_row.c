/* generate_row.c - makes rows of the predefined table: seed, key, five values.
 * For an instruction count that no other load on the machine can disturb, run
 * it twice under valgrind --tool=callgrind with different numbers of rows (the
 * argument) and divide the difference: bench/instructions -g does. */
#include "default_row.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct default_row *rows = NULL;
    uint64_t bytes = 0; /* made, so that nothing can be left out */
    struct cs_buf row;
    struct cs_err err;

    cs_buf_init(&row, 1 << 20);
    if (default_row_new(argc > 1 ? atoll(argv[1]) : 1000000, &rows, &err)) {
        fprintf(stderr, "generate_row: %s\n", err.text);
        return 1;
    }
    while (default_row_put(rows, &row)) {
        bytes += row.size;
        cs_buf_clear(&row);
    }
    printf("%" PRIu64 " bytes\n", bytes);
    default_row_free(rows);
    cs_buf_release(&row);
    return 0;
}
