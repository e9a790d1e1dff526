/* folder.h - a temporary folder of a test, and the files in it. */
#ifndef CS_TESTS_SUPPORT_FOLDER_H
#define CS_TESTS_SUPPORT_FOLDER_H

#include "support/vectors.h"

#include <ftw.h>
#include <unistd.h>

struct folder {
    char path[256];
    char file[512]; /* the name that folder_file made last */
};

static inline void folder_open(struct folder *folder)
{
    const char *place = getenv("TMPDIR");

    snprintf(folder->path, sizeof(folder->path), "%s/cstress-test-XXXXXX",
             place ? place : P_tmpdir);
    assert_non_null(mkdtemp(folder->path));
}

static inline int folder_remove_one(const char *path, const struct stat *status,
                                    int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

static inline void folder_remove(const struct folder *folder)
{
    (void)nftw(folder->path, folder_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Borrowed until the next call. */
static inline const char *folder_file(struct folder *folder, const char *name)
{
    snprintf(folder->file, sizeof(folder->file), "%s/%s", folder->path, name);
    return folder->file;
}

static inline void folder_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The content of a file; the caller's to free. */
static inline char *folder_read(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t size;
    char *text;

    if (!file)
        fail_msg("cannot open %s", path);
    fseek(file, 0, SEEK_END);
    size = (size_t)ftell(file);
    rewind(file);
    text = malloc(size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, size, file), size);
    text[size] = 0;
    fclose(file);
    return text;
}

#endif
