/* replay.c - main of a fuzz target without libFuzzer: runs every file of the
 * folders and every file named on the command line once. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    long size;
    uint8_t *data;

    if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0) {
        perror(path);
        return 1;
    }
    rewind(f);
    data = malloc((size_t)size + 1);
    if (!data || fread(data, 1, (size_t)size, f) != (size_t)size) {
        perror(path);
        return 1;
    }
    fclose(f);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return 0;
}

static int replay_folder(const char *path, int *count)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    char file[4096];
    int failed = 0;

    if (!dir) {
        perror(path);
        return 1;
    }
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
        failed |= replay_file(file);
        (*count)++;
    }
    closedir(dir);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    int count = 0;

    for (int i = 1; i < argc; i++) {
        struct stat st;

        if (!stat(argv[i], &st) && S_ISDIR(st.st_mode)) {
            failed |= replay_folder(argv[i], &count);
        } else {
            failed |= replay_file(argv[i]);
            count++;
        }
    }
    printf("%d inputs replayed\n", count);
    return failed || !count;
}
