"""Encrypted connections to a node that takes plain ones on the same port, too."""

import re

import keys
import story

TRUST = ("truststore=%s/trust.p12", f"truststore-password={keys.PASSWORD}")


class Tls(keys.TlsStory):
    def test_all_connections_are_encrypted(self):
        run = self.start("write", "duration=60s", "no-warmup", "cl=ONE", "-rate", "threads=8",
                         "fixed=400/s", "-schema", f"keyspace={self.keyspace}", "-node",
                         self.node, *self.words(*TRUST)[-3:],
                         environment={"CSTRESS_DEBUG": "1"})
        run.wait_for_rows(1)
        seen = self.sessions()
        run.send()
        run.wait()
        self.assertGreaterEqual(len(seen), 2, run.report())
        self.assertEqual({row["ssl_enabled"] for row in seen}, {True}, seen)
        self.assertEqual({row["ssl_protocol"] for row in seen}, {"TLSv1.3"}, seen)
        # The first connection brings a session, those behind it are quicker for it.
        self.assertIn("session resumed", run.stderr)

    def test_all_layers_at_once(self):
        """Envelopes in compressed segments with checksums, within TLS."""
        run = self.start("write", "duration=60s", "no-warmup", "cl=ONE", "-rate", "threads=8",
                         "fixed=400/s", "-mode", "native", "cql3", "protocolVersion=5",
                         "compression=lz4", "-schema", f"keyspace={self.keyspace}", "-node",
                         self.node, *self.words(*TRUST)[-3:])
        run.wait_for_rows(1)
        # Connections of the run before may still be listed for a moment.
        story.wait_until(lambda: {(row["ssl_enabled"], row["protocol_version"],
                                   dict(row["client_options"]).get("COMPRESSION"))
                                  for row in self.sessions()} == {(True, 5, "lz4")},
                         "only connections with all layers")
        run.send()
        run.wait()
        self.assertEqual(run.book().acknowledged, self.client.count(f"{self.keyspace}.standard1"))

    def test_a_new_connection_takes_up_the_session_of_a_lost_one(self):
        def handshakes():
            return re.findall(r"session (new|resumed)", run.stderr)

        forwarder = keys.Forwarder(self.node, host=self.node)
        self.addCleanup(forwarder.close)
        run = self.start("write", "duration=60s", "no-warmup", "cl=ONE", "-errors", "ignore",
                         "retries=0", "-rate", "threads=8", "fixed=400/s", "-schema",
                         f"keyspace={self.keyspace}", "-port", f"native={forwarder.port}", "-node",
                         self.node, *self.words(*TRUST)[-3:], environment={"CSTRESS_DEBUG": "1"})
        run.wait_for_rows(1)
        before = len(handshakes())
        forwarder.cut()
        # The control connection, and at least one of the pool.
        story.wait_until(lambda: len(handshakes()) >= before + 2, "connections made anew")
        run.wait_for_rows(len(run.rows()) + 1)
        run.send()
        run.wait()
        self.assertIn("resumed", handshakes()[before:], run.stderr)
        self.assertEqual(run.step.last("total")["errors"], 0, run.report())

    def test_each_kind_of_store_and_version_does(self):
        for words in (("truststore=%s/trust.jks", f"truststore-password={keys.PASSWORD}"),
                      ("truststore=%s/ca.pem", "ssl-protocol=TLSv1.2"),
                      ("truststore=%s/ca.pem", "ssl-protocol=TLSv1.3",
                       "ssl-ciphers=TLS_AES_256_GCM_SHA384"),
                      ("truststore=%s/ca.pem",
                       "ssl-ciphers=TLS_RSA_WITH_AES_128_CBC_SHA,TLS_RSA_WITH_AES_256_CBC_SHA")):
            with self.subTest(words):
                run = self.good(*self.words(*words))
                self.assertEqual(run.step.total["Total partitions"], 50, run.report())

    def test_refusals_say_what_to_change(self):
        for text, words in (
                ("is not vouched for by truststore=", ("truststore=%s/other.pem",)),
                ("trust.jks: the password is wrong",
                 ("truststore=%s/trust.jks", "truststore-password=Hush1")),
                ("trust.p12: the password is wrong",
                 ("truststore=%s/trust.p12", "truststore-password=Hush1")),
                ("client.csr: no certificate is in it", ("truststore=%s/client.csr",)),
                ("nothing.jks: cannot read it", ("truststore=%s/nothing.jks",)),
                ("no private key is in it", ("truststore=%s/ca.pem", "keystore=%s/ca.pem"))):
            with self.subTest(text):
                self.refused(text, *words)

    def test_the_host_must_be_named_by_the_certificate(self):
        forwarder = keys.Forwarder(self.node)
        self.addCleanup(forwarder.close)
        node = f"127.0.0.1:{forwarder.port}"
        self.refused(f"is for {self.node}, not for 127.0.0.1 (-transport "
                     "hostname-verification=false turns this check off)", *TRUST, node=node)
        run = self.good(*self.words(*TRUST, "hostname-verification=false", node=node))
        self.assertEqual(run.step.total["Total partitions"], 50, run.report())

    def test_secrets_are_nowhere(self):
        secrets = ("Hush1-mode", "Hush2-key", "Hush3-file", keys.PASSWORD + "-x")
        filed = self.file("credentials", "cql.password=Hush3-file\njmx.password=Hush3-file\n")
        for level in ("3.11", "4.0", "5.0"):
            run = self.good(*self.words("truststore=%s/ca.pem", "truststore-password=Hush2-key"),
                            "-mode", "native", "cql3", "user=someone", "password=Hush1-mode",
                            "-credentials-file", filed, "-compat", f"level={level}",
                            "-graph", "file=graph.html", "title=t", "revision=r",
                            "-log", "file=log.txt", "hdrfile=log.hdr",
                            environment={"CSTRESS_DEBUG": "1",
                                         "CSTRESS_KEYSTORE_PASSWORD": secrets[3]})
            left = [run.folder / name for name in ("graph.html", "log.txt", "log.hdr")]
            for path in [run.out, run.err, *left]:
                text = path.read_text(errors="replace")
                for secret in secrets:
                    self.assertNotIn(secret, text, path)
            self.assertIn("suppressed", run.stdout)


if __name__ == "__main__":
    story.main()
