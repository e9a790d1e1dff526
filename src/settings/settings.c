/* settings.c - names of the values in a settings struct, and questions that
 * several rooms ask about it. */
#include "settings/settings.h"
#include "base/text.h"

static const struct {
    const char *name;
    enum cs_consistency cl;
} levels[] = {
    {"ANY", CS_CL_ANY},
    {"ONE", CS_CL_ONE},
    {"TWO", CS_CL_TWO},
    {"THREE", CS_CL_THREE},
    {"QUORUM", CS_CL_QUORUM},
    {"ALL", CS_CL_ALL},
    {"LOCAL_QUORUM", CS_CL_LOCAL_QUORUM},
    {"EACH_QUORUM", CS_CL_EACH_QUORUM},
    {"SERIAL", CS_CL_SERIAL},
    {"LOCAL_SERIAL", CS_CL_LOCAL_SERIAL},
    {"LOCAL_ONE", CS_CL_LOCAL_ONE},
};

const char *cs_consistency_name(enum cs_consistency cl)
{
    for (size_t i = 0; i < CS_COUNT(levels); i++)
        if (levels[i].cl == cl)
            return levels[i].name;
    return "UNKNOWN";
}

bool cs_consistency_parse(const char *text, enum cs_consistency *out)
{
    for (size_t i = 0; i < CS_COUNT(levels); i++) {
        if (cs_same_word(levels[i].name, text)) {
            *out = levels[i].cl;
            return true;
        }
    }
    return false;
}

const char *cs_consistency_nearest(const char *text)
{
    const char *names[CS_CL_LOCAL_ONE + 1];

    for (int i = 0; i <= CS_CL_LOCAL_ONE; i++)
        names[i] = cs_consistency_name((enum cs_consistency)i);
    return cs_nearest(text, names, CS_COUNT(names));
}

const char *cs_command_name(enum cs_command command)
{
    static const char *const names[] = {
        [CS_COMMAND_NONE] = "none",
        [CS_COMMAND_READ] = "read",
        [CS_COMMAND_WRITE] = "write",
        [CS_COMMAND_MIXED] = "mixed",
        [CS_COMMAND_COUNTER_WRITE] = "counter_write",
        [CS_COMMAND_COUNTER_READ] = "counter_read",
        [CS_COMMAND_USER] = "user",
        [CS_COMMAND_HELP] = "help",
        [CS_COMMAND_PRINT] = "print",
        [CS_COMMAND_VERSION] = "version",
        [CS_COMMAND_RESPONDER] = "responder",
    };

    return names[command];
}

bool cs_settings_updates(const struct cs_settings *settings)
{
    switch (settings->command.type) {
    case CS_COMMAND_WRITE:
    case CS_COMMAND_MIXED:
    case CS_COMMAND_COUNTER_WRITE:
    case CS_COMMAND_USER:
        return true;
    default:
        return false;
    }
}

int64_t cs_settings_duration_ns(const struct cs_settings *settings)
{
    static const int64_t seconds[] = {[CS_SECONDS] = 1,
                                      [CS_MINUTES] = 60,
                                      [CS_HOURS] = 3600,
                                      [CS_DAYS] = 86400};

    return settings->command.duration *
           seconds[settings->command.duration_unit] * INT64_C(1000000000);
}

bool cs_settings_wants_tls(const struct cs_settings *settings)
{
    return settings->transport.truststore || settings->transport.keystore;
}
