"""One to three real Cassandra nodes on loopback addresses, for tests and trials."""
