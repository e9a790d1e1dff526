"""A node that wants to know who an encrypted client is: a cluster of its own."""

from cassandra.cluster import NoHostAvailable

import keys
import kit
import story

kit.CLUSTER = "client-auth"
TRUST = ("truststore=%s/ca.pem",)


class ClientAuth(keys.TlsStory):
    @classmethod
    def setUpClass(cls):
        kit.kit("wipe")
        cls.addClassCleanup(kit.kit, "wipe")
        kit.kit("start", "--client-auth")
        cls.nodes = kit.kit("env").strip().partition("=")[2].split(",")
        super().setUpClass()

    def test_each_kind_of_key_store_does(self):
        for words in (("keystore=%s/client.p12", f"keystore-password={keys.PASSWORD}"),
                      ("keystore=%s/client.jks", f"keystore-password={keys.PASSWORD}"),
                      ("keystore=%s/client.pem",),
                      ("keystore=%s/client.pem", "ssl-protocol=TLSv1.2")):
            with self.subTest(words):
                run = self.good(*self.words(*TRUST, *words))
                self.assertEqual(run.step.total["Total partitions"], 50, run.report())

    def test_a_store_with_both_is_both(self):
        run = self.good(*self.words("truststore=%s/client.p12",
                                    f"truststore-password={keys.PASSWORD}"))
        self.assertEqual(run.step.total["Total partitions"], 50, run.report())

    def test_says_what_is_missing_and_what_is_wrong(self):
        for protocol in ("TLSv1.2", "TLSv1.3"):
            with self.subTest(protocol):
                self.refused("give -transport keystore= and keystore-password=", *TRUST,
                             f"ssl-protocol={protocol}")
        self.refused("client.p12: the password is wrong", *TRUST, "keystore=%s/client.p12",
                     "keystore-password=Hush1")

    def test_comes_back_after_a_restart(self):
        run = self.start("write", "duration=300s", "no-warmup", "cl=ONE", "-errors", "ignore",
                         "retries=0", "-rate", "threads=8", "fixed=200/s", "-schema",
                         f"keyspace={self.keyspace}", "-node", self.node, "-transport",
                         f"truststore={self.keys}/ca.pem", f"keystore={self.keys}/client.pem")
        run.wait_for_rows(1)
        kit.node("kill", 1)
        kit.node("restart", 1)
        seen = story.wait_until(self.sessions_once_it_is_back, "connections after the restart")
        run.wait_for_rows(len(run.rows()) + 2)
        run.send()
        run.wait()
        self.assertEqual({row["ssl_enabled"] for row in seen}, {True}, seen)

    def sessions_once_it_is_back(self):
        """The independent client has to find the node again, too."""
        try:
            return self.sessions()
        except NoHostAvailable:
            return None


if __name__ == "__main__":
    story.main()
