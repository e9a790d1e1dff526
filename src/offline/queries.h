/* queries.h - what the definitions alone tell of a profile's queries. */
#ifndef CS_OFFLINE_QUERIES_H
#define CS_OFFLINE_QUERIES_H

#include "driver/driver.h"
#include "profile/profile.h"

/* One line for each name in a query that the table of the profile does not have
 * as a column, and for each marker that stands for no column: the run would
 * refuse them. Queries of other tables, and of a table that a later ALTER
 * changes, are left to the server. driver: of cs_offline_new with this profile.
 */
enum cs_code cs_offline_check_queries(struct cs_driver *driver,
                                      const struct cs_profile *profile,
                                      struct cs_buf *warnings,
                                      struct cs_err *err) CS_MUST_USE;

#endif
