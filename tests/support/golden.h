/* golden.h - comparing a text with a file below tests/golden. With
 * CSTRESS_ACCEPT_GOLDEN=1 in the environment the file is written instead; a
 * person reads the difference afterwards. */
#ifndef CS_TESTS_SUPPORT_GOLDEN_H
#define CS_TESTS_SUPPORT_GOLDEN_H

#include "support/vectors.h"

static inline void golden_accept(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (!file)
        fail_msg("cannot write %s", path);
    fputs(text, file);
    fclose(file);
}

static inline void assert_golden(const char *name, const char *text)
{
    char path[512];
    char *want = NULL;
    size_t cap = 0;
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", CS_TEST_GOLDEN, name);
    if (getenv("CSTRESS_ACCEPT_GOLDEN"))
        golden_accept(path, text);
    file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s", path);
    if (getdelim(&want, &cap, 0, file) < 0)
        fail_msg("%s is empty", path);
    fclose(file);
    if (strcmp(want, text))
        fail_msg("differs from %s\ngot:\n%s\nwant:\n%s", path, text, want);
    free(want);
}

#endif
