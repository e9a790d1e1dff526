/* marks.c - memory for the marks of a population. */
#include "generate/marks_internal.h"

#include <stdlib.h>

enum cs_code cs_marks_init(struct cs_marks *marks, int64_t first,
                           uint64_t width, struct cs_err *err)
{
    uint64_t words = (width + 63) / 64;

    *marks = (struct cs_marks){.first = first, .width = width};
    marks->words = calloc(words, sizeof(*marks->words));
    if (!marks->words)
        return cs_fail(err, CS_ENOMEM, "population: out of memory");
    return CS_OK;
}

void cs_marks_release(struct cs_marks *marks)
{
    free(marks->words);
    marks->words = NULL;
}
