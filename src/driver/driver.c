/* driver.c - names that all databases share. */
#include "driver/driver.h"

const char *cs_result_class_name(enum cs_result_class result)
{
    static const char *const names[CS_RESULT_CLASS_COUNT] = {
        [CS_RESULT_OK] = "OK",
        [CS_RESULT_UNAVAILABLE] = "UnavailableException",
        [CS_RESULT_WRITE_TIMEOUT] = "WriteTimeoutException",
        [CS_RESULT_READ_TIMEOUT] = "ReadTimeoutException",
        [CS_RESULT_WRITE_FAILURE] = "WriteFailureException",
        [CS_RESULT_READ_FAILURE] = "ReadFailureException",
        [CS_RESULT_OVERLOADED] = "OverloadedException",
        [CS_RESULT_BOOTSTRAPPING] = "BootstrappingException",
        [CS_RESULT_INVALID] = "InvalidQueryException",
        [CS_RESULT_SYNTAX] = "SyntaxError",
        [CS_RESULT_UNAUTHORIZED] = "UnauthorizedException",
        [CS_RESULT_UNPREPARED] = "UnpreparedException",
        [CS_RESULT_FUNCTION_FAILURE] = "FunctionExecutionException",
        [CS_RESULT_SERVER_ERROR] = "ServerError",
        [CS_RESULT_CLIENT_TIMEOUT] = "OperationTimedOutException",
        [CS_RESULT_CONNECTION_LOST] = "TransportException",
        [CS_RESULT_NO_HOST] = "NoHostAvailableException",
        [CS_RESULT_PROTOCOL] = "ProtocolError",
        [CS_RESULT_DEADLOCK] = "DeadlockException",
        [CS_RESULT_RATE_LIMIT] = "RateLimitReachedException",
    };

    if ((unsigned)result >= CS_RESULT_CLASS_COUNT || !names[result])
        return "unknown";
    return names[result];
}

/* Whether the server may have done what the answer, or its absence, does not
 * tell. A read has no effect, but then nobody knows either. */
bool cs_outcome_in_doubt(const struct cs_outcome *outcome)
{
    switch (outcome->result) {
    case CS_RESULT_WRITE_TIMEOUT:
        return true;
    case CS_RESULT_CLIENT_TIMEOUT:
    case CS_RESULT_CONNECTION_LOST:
    case CS_RESULT_PROTOCOL:
        return outcome->sent;
    default:
        return false;
    }
}
