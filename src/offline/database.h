/* database.h - a database that is not there: it knows the tables that the
 * profiles define, or those of the predefined commands, so that a workload can
 * be made without a server. Nothing can be sent to it. */
#ifndef CS_OFFLINE_DATABASE_H
#define CS_OFFLINE_DATABASE_H

#include "driver/driver.h"
#include "profile/profile.h"

/* Only what making a workload asks for: table, has_keyspace, prepare, close.
 * Prepared statements have their text and no markers. */
extern const struct cs_driver_ops cs_offline_driver;

/* Reads the definitions of the profiles: CREATE TYPE in extra_definitions and
 * table_definition. count 0: the predefined tables by the settings. Both are
 * borrowed until close. A type that no definition makes is CS_EUNSUPPORTED (a
 * server may have it), any other fault CS_EINVALID. Errors: "users.yaml:11:14:
 * table_definition: found ...", or, if the definition is no literal block
 * ('|'), its own line and column behind the place of its beginning:
 * "users.yaml:9:3: table_definition: 2:14: found ...". On success the caller
 * closes *out. */
enum cs_code cs_offline_new(const struct cs_settings *settings,
                            struct cs_profile *const *profiles, size_t count,
                            struct cs_driver **out,
                            struct cs_err *err) CS_MUST_USE;

#endif
