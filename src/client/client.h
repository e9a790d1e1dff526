/* client.h - the driver for Apache Cassandra and ScyllaDB. */
#ifndef CS_CLIENT_CLIENT_H
#define CS_CLIENT_CLIENT_H

#include "driver/driver.h"

extern const struct cs_driver_ops cs_cassandra_driver;

#endif
