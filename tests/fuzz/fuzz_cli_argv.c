/* fuzz_cli_argv.c - command lines: arguments between NUL bytes. What is
 * accepted is dumped, or its help or table printed. */
#include "cli/cli.h"

#include <stdlib.h>

#define ARGS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct cs_settings *settings)
{
    struct cs_buf out;
    struct cs_err err;
    enum cs_code rc = CS_OK;

    cs_buf_init(&out, 1 << 22);
    switch (settings->command.type) {
    case CS_COMMAND_HELP:
        rc = cs_cli_help(settings, &out, &err);
        break;
    case CS_COMMAND_PRINT:
        rc = cs_cli_print(settings, &out, &err);
        break;
    case CS_COMMAND_VERSION:
        cs_cli_version(settings, &out);
        break;
    default:
        cs_cli_dump(settings, &out);
        cs_cli_dump_own(settings, &out);
        break;
    }
    (void)rc;
    cs_buf_release(&out);
}

/* Devices and pipes may never end. */
static bool names_a_device(const char *text, size_t size)
{
    return memmem(text, size, "/dev", 4) || memmem(text, size, "/proc", 5);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    char program[] = "cstress";
    char *argv[ARGS_MAX] = {program};
    struct cs_settings *settings = NULL;
    struct cs_buf notices;
    struct cs_err err;
    int argc = 1;

    memcpy(text, data, size);
    text[size] = 0;
    for (size_t at = 0; at < size && argc < ARGS_MAX;
         at += strlen(text + at) + 1)
        argv[argc++] = text + at;
    cs_buf_init(&notices, 1 << 20);
    if (!names_a_device(text, size) &&
        !cs_cli_parse(argc, argv, &settings, &notices, &err))
        use(settings);
    cs_settings_free(settings);
    cs_buf_release(&notices);
    free(text);
    return 0;
}
