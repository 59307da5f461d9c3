"""What somebody hostile would try: settings and files that let a key in which the vault does not trust."""

import base64
import hashlib
import hmac
import json
import unittest

import ssh_keys as sk
import sshd
from screen import Screen
from ssh_connect import ConnectCase
from test_ssh_hosts import HostCase
from test_ssh_setup import OWN, SetupCase


def hashed(name: str) -> str:
    """A name as known_hosts hides it."""
    salt = bytes(range(20))
    tag = hmac.new(salt, name.encode(), hashlib.sha1).digest()
    return "|1|" + base64.b64encode(salt).decode() + "|" + base64.b64encode(tag).decode()


class Settings(ConnectCase):
    def setUp(self):
        if sshd.missing():
            self.skipTest(sshd.missing())
        super().setUp()

    def test_settings_that_ask_nobody_do_not_count(self):
        server = self.server()
        self.ok(self.alice, "ssh", "host", "trust", server.name, "--key", self.host_key() + ".pub", "-y")
        for setting in ("NoHostAuthenticationForLocalhost yes", "VerifyHostKeyDNS yes", "StrictHostKeyChecking no"):
            with self.subTest(setting=setting):
                self.settings("Host *", "    " + setting)
                self.assertIn("CHANGED", self.is_stopped(server).talk)


class Imports(HostCase):
    def warned(self, path: str, *words: str) -> list[dict]:
        return self.ok(self.alice, "ssh", "host", "import", path, *words, "--json").json["warnings"]

    def test_lines_that_speak_for_many_hosts_are_named(self):
        key, ca = self.key(), self.key("ca")
        path = self.write("known_hosts", self.line("db1", key) + self.line("!db1,*", key)
                          + "@cert-authority " + self.line("*.example.org", ca) + "@revoked " + self.line("*", self.key("lost")))
        expected = [{"code": "knownHostForMany", "line": 2, "names": "!db1,*", "fingerprint": sk.fingerprint(key)},
                    {"code": "knownHostForMany", "line": 3, "names": "*.example.org", "fingerprint": sk.fingerprint(ca)}]
        self.assertEqual(self.warned(path, "--dry-run"), expected)
        self.assertEqual(self.warned(path), expected)
        # What is known says nothing new.
        self.assertEqual(self.warned(path), [])

    def test_hashed_names_beside_hashed_names_are_told(self):
        key, other = self.key(), self.key("o")
        self.assertEqual(self.warned(self.write("first", self.line(hashed("db1"), key))), [])
        self.assertEqual(self.warned(self.write("second", self.line(hashed("db1"), other))),
                         [{"code": "hashedNamesNotCompared", "count": 1}])

    def test_a_hashed_name_brings_no_second_key_unseen(self):
        good, evil = self.key("good"), self.key("evil")
        for key in (good, evil):
            path = self.write("known_hosts", self.line("hh.example", key))
            sk.tool("ssh-keygen", "-H", "-f", path)
            self.assertIn(b"|1|", sk.read(path))
            self.assertEqual(self.ok(self.alice, "ssh", "host", "import", path, "--json").result["added"], 1)

        def asked(key: str, reason: str = "HOSTNAME") -> tuple[str, ...]:
            kind, text = sk.beside(key).split()[:2] if reason != "ORDER" else ("NONE", "NONE")
            return ("ssh", "known-hosts", "--for", reason, "--host", "hh.example", "--port", "22", "--alias",
                    "hh.example", "--type", kind, "--key", text)

        outcome = self.refused("hostKeyChanged", self.alice, *asked(evil))
        self.assertEqual(outcome.code, 15)
        self.assertEqual([key["fingerprint"] for key in outcome.json["error"]["details"]["known"]],
                         [sk.fingerprint(good)])
        self.assertEqual(self.ok(self.alice, *asked(good)).output.split()[2], sk.beside(good).split()[1])
        order = self.ok(self.alice, *asked(good, "ORDER")).output
        self.assertIn(sk.beside(good).split()[1], order)
        self.assertNotIn(sk.beside(evil).split()[1], order)
        self.assertEqual(self.trusts("hh.example"), [sk.fingerprint(good)])
        self.assertEqual([key["state"] for key in self.show("hh.example")["history"]], ["undecided"])
        self.refused("hostKeyChanged", self.alice, "ssh", "host", "trust", "hh.example", "--key", evil + ".pub", "-y")
        self.trust_file("hh.example", evil, "--additional", "--expect", sk.fingerprint(evil))
        self.ok(self.alice, *asked(evil))
        self.ok(self.alice, *asked(good))

    def test_what_is_left_of_a_list_of_names_keeps_its_meaning(self):
        key = self.key()
        for name in (hashed("bank"), "#bank", "@revoked"):
            with self.subTest(name=name[:3]):
                self.ok(self.alice, "ssh", "host", "import", self.write("known_hosts", self.line("db1," + name, key)))
                self.ok(self.alice, "ssh", "host", "rm", "db1")
                self.assertEqual((self.trusts("bank"), self.trusts("db1")), ([], []))
                self.assertIn(f"!db1,{name} {sk.beside(key)}".encode(), self.export())

    def test_a_line_of_very_many_names_is_taken(self):
        names = ",".join(f"n{number}" for number in range(50_000))
        path = self.write("known_hosts", self.line(names, self.key()))
        self.assertEqual(self.ok(self.alice, "ssh", "host", "import", path, "--json").result["added"], 1)
        self.assertEqual(self.trusts("n49999"), [sk.fingerprint(self.key())])

    def test_a_mark_is_taken_out_by_the_names_it_has(self):
        lost = self.key("lost")
        self.ok(self.alice, "ssh", "host", "revoke", "db1", "--key", lost + ".pub", "--everywhere", "-y")
        words = ("ssh", "host", "rm", "db1", "--fingerprint", sk.fingerprint(lost))
        for typed, ends in (("y", 6), ("", 6), ("db1", 6), ("*", 0)):
            with self.subTest(typed=typed):
                self.assertIn(b"@revoked * ", self.export())
                screen = Screen(self, self.alice, "-y", *words)
                screen.sees("To continue, type these names: ")
                self.assertIn("is revoked for *.", screen.plain)
                screen.enters(typed)
                self.assertEqual(screen.ends(), ends)
        self.assertNotIn(b"@revoked", self.export())

    def test_no_yes_takes_out_a_mark_of_more_hosts(self):
        lost, ca = self.key("lost"), self.key("ca")
        many = ",".join(["db1"] + [f"n{number}.example.org" for number in range(9)])
        self.ok(self.alice, "ssh", "host", "import", self.write(
            "known_hosts", "@revoked " + self.line(many, lost) + "@cert-authority " + self.line("db?", ca)))
        for key, names, wrong in ((lost, "10", many), (ca, "db?", "db1")):
            with self.subTest(names=names):
                words = ("ssh", "host", "rm", "db1", "--fingerprint", sk.fingerprint(key))
                outcome = self.refused("inputNeeded", self.alice, *words, "-y")
                self.assertIn("which covers more than db1", outcome.json["error"]["message"])
                self.refused("denied", self.alice, *words, "-y", "--expect", wrong)
                self.ok(self.alice, *words, "--expect", names)
        self.assertEqual(self.export(), b"")
        self.refused("usage", self.alice, "ssh", "host", "rm", "db1", "--expect", "db1")

    def test_what_is_too_long_is_told_with_its_limit(self):
        key = self.key()
        for name, text, said in (("line", self.line("a", key) + "#" + "x" * (1 << 20) + "\n", "line 2 is longer than 1 MiB"),
                                 ("lines", self.line("a", key) + "#\n" * 100_000, "100,000 lines")):
            with self.subTest(name=name):
                outcome = self.refused("oversized", self.alice, "ssh", "host", "import", self.write(name, text))
                self.assertIn(said, outcome.json["error"]["message"])
                self.assertNotIn("ssh-keygen", outcome.json["error"]["hint"])
        self.assertEqual(self.trusts("a"), [])

    def test_a_key_that_ssh_would_never_give_is_told_as_such(self):
        words = ("ssh", "known-hosts", "--for", "HOSTNAME", "--host", "db1", "--type", "ssh-rsa", "--key")
        for code, key in (("malformedBase64", "!!!"), ("typeMismatch", sk.beside(self.key()).split()[1])):
            outcome = self.refused(code, self.alice, *words, key)
            self.assertEqual(outcome.json["error"]["hint"], "hsip help ssh known-hosts")


class Lists(HostCase):
    def give(self, *profiles: dict) -> str:
        return self.write("hosts.json", json.dumps(profiles))

    def test_profiles_that_contradict_each_other_change_nothing(self):
        rows = self.alice.rows()
        one, other = ({"hostname": "a.example.org", "username": user, "authMethod": "password",
                       "hostPublicKey": sk.beside(self.key(user))} for user in ("u", "v"))
        self.refused("hostKeyChanged", self.alice, "ssh", "host", "import", "--profiles", self.give(one, other))
        self.assertEqual(self.alice.rows(), rows)

    def test_a_profile_by_the_name_of_another_host_is_told(self):
        lure = {"name": "git.example.org", "hostname": "other.example.net", "username": "git", "authMethod": "password"}
        told = self.ok(self.alice, "ssh", "host", "import", "--profiles", self.give(lure), "--json").json["warnings"]
        self.assertEqual(told, [{"code": "profileNameIsHost", "host": "git.example.org", "address": "other.example.net"}])
        same = lure | {"name": "www.example.org", "hostname": "www.example.org"}
        told = self.ok(self.alice, "ssh", "host", "import", "--profiles", self.give(same), "--json").json["warnings"]
        self.assertEqual(told, [])


class Undoing(SetupCase):
    def test_a_line_that_was_moved_is_told(self):
        self.sets_up()
        self.alice.write(".ssh/config", OWN + self.line)
        outcome = self.ok(self.alice, "setup", "ssh", "--undo", "-y")
        self.assertIn("does not remove it", outcome.talk)
        self.assertEqual(sk.read(self.config), OWN + self.line)


if __name__ == "__main__":
    unittest.main()
