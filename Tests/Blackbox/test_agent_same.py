"""With and without an agent: the same words give the same bytes on both streams and the same exit code."""

import datetime
import os
import re
import unittest

import agents as ag
import ssh_keys as sk
from house import FAKETIME, FRIENDS, Case, Outcome, say

CLOCK = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)).strftime("%Y-%m-%d %H:%M:%S")
"""The clock stands still, so that times in the output are the same."""
RANDOM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The identifier of a profile is random; all else is compared as it is."""


@unittest.skipUnless(FAKETIME, "faketime is not installed")
class Same(Case):
    world = FRIENDS

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        self.message = self.ok(self.bob, "encrypt", "alice", given="to read").output
        self.key = sk.make(self.alice.path("files", "work"), comment="work")
        self.host = sk.beside(sk.make(self.alice.path("files", "host")))
        self.alice.write("files/known_hosts", f"h1.example.org,h2.example.org {self.host}\n")

    def words(self) -> list[tuple]:
        """Words and what is given to them; every noun reads, changes and is refused.

        Not `ssh config`: it names the socket of an agent that is there.
        """
        known = ("ssh", "known-hosts", "--for", "HOSTNAME", "--host", "h1.example.org", "--port", "22", "--alias",
                 "h1.example.org", "--type", "ssh-ed25519", "--key", self.host.split()[1])
        return [(words, b"") for words in (
            ("identity", "show"), ("identity", "show", "--json"), ("contact", "list"), ("contact", "list", "--json"),
            ("contact", "show", "bob"), ("contact", "show", "nobody"), ("contact", "set", "bob", "--alias", "robert"),
            ("contact", "list"), ("contact", "set", "robert", "--alias", "bob"), ("session", "list"),
            ("session", "show", "bob", "--json"), ("session", "show", "nobody"), ("verify", "bob", "--number"),
            ("ssh", "key", "import", self.key), ("ssh", "key", "import", self.key), ("ssh", "key", "list"),
            ("ssh", "key", "list", "--json"), ("ssh", "key", "show", "work"), ("ssh", "key", "show", "other"),
            ("ssh", "key", "export", "work", "--public"), ("ssh", "key", "set", "work", "--sign", "git"),
            ("ssh", "signing-key"), ("ssh", "signers"), ("ssh", "host", "import", self.alice.path("files", "known_hosts"), "-y"),
            ("ssh", "host", "add", "h1", "--address", "h1.example.org", "--user", "root", "--key", "work"),
            ("ssh", "host", "add", "h1", "--address", "h1.example.org"), ("ssh", "host", "list"),
            ("ssh", "host", "show", "h1"), ("ssh", "host", "show", "h1.example.org", "--json"), known,
            ("ssh", "host", "export"), ("ssh", "host", "rm", "h1", "-y"), ("ssh", "host", "list", "--json"),
            ("ssh", "key", "rm", "work", "-y"), ("ssh", "key", "restore", "work"), ("ssh", "key", "rm", "other", "-y"),
            ("contact", "rm", "nobody", "-y"), ("encrypt", "nobody"),
        )] + [(("secret", "set", "db", "--user", "me", "--url", "https://h.example/x", "--expires", "9d"), b"one")] + [
            (("secret", *words), b"two") for words in (
                ("list",), ("list", "--json"), ("show", "db"), ("show", "other"), ("set", "db"), ("set", "db", "--json"),
                ("show", "db", "--json"), ("mv", "db", "prod"), ("mv", "db", "x"), ("rm", "prod"), ("rm", "prod"),
                ("list", "--trash"), ("restore", "prod"), ("set", "bad\nname"))
        ] + [(("decrypt",), self.message), (("decrypt",), self.message), (("decrypt",), b"no message"),
              (("accept",), b"no code"), (("accept", "--json"), b"no code")]

    def run_all(self, *more: str, **how) -> list[Outcome]:
        return [self.alice.run(*words, *more, "--no-input", given=given, time=CLOCK, **how) for words, given in self.words()]

    def test_the_same_bytes(self):
        # There is no terminal, so rules say yes to what the agent would ask about.
        for kind in ("read", "decide"):
            self.ok(self.alice, "agent", "rule", "add", kind, "allow", "--kind", kind, "--no-agent")
        self.alice.keep("same")
        without = self.run_all("--no-agent")
        self.alice.put_back("same")
        agent = ag.Hsip(self.alice, **ag.clock(CLOCK))
        for (words, _), alone, asked in zip(self.words(), without, self.run_all(secret=None)):
            with self.subTest(words=words):
                self.assertEqual((asked.code, RANDOM.sub("", asked.output), asked.talk),
                                 (alone.code, RANDOM.sub("", alone.output), alone.talk))
        self.assertTrue(agent.is_alive())
        agent.stop()
        self.ok(self.alice, "vault", "check")

    def test_messages_go_both_ways(self):
        ag.Hsip(self.alice)
        self.alice.opens_with = None
        say(self.alice, self.bob, "out of the agent")
        say(self.bob, self.alice, "and into it")
        offer = self.ok(self.alice, "pair", "bob").reply
        answer = self.ok(self.bob, "accept", given=offer).reply
        self.ok(self.alice, "accept", given=answer)
        self.is_friendly(self.alice, self.bob)
        self.assertFalse(os.path.exists(self.alice.vault + "-journal"))


if __name__ == "__main__":
    unittest.main()
