/* mysql_driver.h - the driver of MariaDB and MySQL, by libmariadb. Each request
 * in flight has a connection of its own: the protocol answers one at a time. */
#ifndef CS_MYSQL_MYSQL_DRIVER_H
#define CS_MYSQL_MYSQL_DRIVER_H

#include "driver/driver.h"

extern const struct cs_driver_ops cs_mysql_driver;

#endif
