/* errors.c - what the numbers of the server's and of libmariadb's errors mean
 * for a run. */
#include "mysql/mysql_internal.h"

#include <errmsg.h>
#include <mysqld_error.h>

static const struct {
    unsigned error;
    enum cs_result_class result;
} classes[] = {
    {ER_CON_COUNT_ERROR, CS_RESULT_OVERLOADED},
    {ER_TOO_MANY_USER_CONNECTIONS, CS_RESULT_OVERLOADED},
    {ER_OUT_OF_RESOURCES, CS_RESULT_OVERLOADED},
    {ER_USER_LIMIT_REACHED, CS_RESULT_OVERLOADED},
    {ER_ACCESS_DENIED_ERROR, CS_RESULT_UNAUTHORIZED},
    {ER_DBACCESS_DENIED_ERROR, CS_RESULT_UNAUTHORIZED},
    {ER_TABLEACCESS_DENIED_ERROR, CS_RESULT_UNAUTHORIZED},
    {ER_COLUMNACCESS_DENIED_ERROR, CS_RESULT_UNAUTHORIZED},
    {ER_SPECIFIC_ACCESS_DENIED_ERROR, CS_RESULT_UNAUTHORIZED},
    {ER_ACCESS_DENIED_NO_PASSWORD_ERROR, CS_RESULT_UNAUTHORIZED},
    {ER_PARSE_ERROR, CS_RESULT_SYNTAX},
    {ER_BAD_DB_ERROR, CS_RESULT_INVALID},
    {ER_NO_SUCH_TABLE, CS_RESULT_INVALID},
    {ER_BAD_FIELD_ERROR, CS_RESULT_INVALID},
    {ER_DATA_TOO_LONG, CS_RESULT_INVALID},
    {ER_WARN_DATA_OUT_OF_RANGE, CS_RESULT_INVALID},
    {ER_TRUNCATED_WRONG_VALUE_FOR_FIELD, CS_RESULT_INVALID},
    {ER_NO_DEFAULT_FOR_FIELD, CS_RESULT_INVALID},
    {ER_NET_PACKET_TOO_LARGE, CS_RESULT_INVALID},
    {ER_LOCK_DEADLOCK, CS_RESULT_DEADLOCK},
    {ER_OPTION_PREVENTS_STATEMENT, CS_RESULT_UNAVAILABLE},
    {ER_SERVER_SHUTDOWN, CS_RESULT_UNAVAILABLE},
    {ER_UNKNOWN_STMT_HANDLER, CS_RESULT_UNPREPARED},
    {ER_CONNECTION_KILLED, CS_RESULT_CONNECTION_LOST},
    {CR_SERVER_GONE_ERROR, CS_RESULT_CONNECTION_LOST},
    {CR_SERVER_LOST, CS_RESULT_CONNECTION_LOST},
    {CR_CONNECTION_ERROR, CS_RESULT_NO_HOST},
    {CR_CONN_HOST_ERROR, CS_RESULT_NO_HOST},
    {CR_UNKNOWN_HOST, CS_RESULT_NO_HOST},
    {CR_COMMANDS_OUT_OF_SYNC, CS_RESULT_PROTOCOL},
    {CR_MALFORMED_PACKET, CS_RESULT_PROTOCOL},
};

enum cs_result_class cs_mysql_class(unsigned error, bool is_read)
{
    if (error == ER_LOCK_WAIT_TIMEOUT || error == ER_STATEMENT_TIMEOUT)
        return is_read ? CS_RESULT_READ_TIMEOUT : CS_RESULT_WRITE_TIMEOUT;
    for (size_t i = 0; i < CS_COUNT(classes); i++)
        if (classes[i].error == error)
            return classes[i].result;
    return CS_RESULT_SERVER_ERROR;
}

bool cs_mysql_is_fatal(unsigned error)
{
    return (error >= CR_MIN_ERROR && error <= CR_MAX_ERROR) ||
           error == ER_CONNECTION_KILLED || error == ER_SERVER_SHUTDOWN ||
           error == ER_UNKNOWN_STMT_HANDLER || error == ER_NET_PACKET_TOO_LARGE;
}

static enum cs_code code_of(unsigned error)
{
    switch (cs_mysql_class(error, false)) {
    case CS_RESULT_UNAUTHORIZED:
        return CS_EAUTH;
    case CS_RESULT_CONNECTION_LOST:
    case CS_RESULT_NO_HOST:
        return CS_ECONNECT;
    case CS_RESULT_PROTOCOL:
        return CS_EPROTOCOL;
    default:
        return CS_ESERVER;
    }
}

enum cs_code cs_mysql_fail(struct cs_err *err, unsigned error, const char *text)
{
    enum cs_code rc =
        cs_fail(err, code_of(error), "%s (error %u)", text, error);

    if (err)
        err->server_code = (int)error;
    return rc;
}
