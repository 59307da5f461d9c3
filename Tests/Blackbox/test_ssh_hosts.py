"""Hosts in the vault: profiles, and who the machines are. ssh-keygen and ssh-keyscan judge, sshd answers."""

import base64
import json
import os
import signal
import socket
import unittest

import sshd
import ssh_keys as sk
from house import Case
from screen import Screen


def option_of(name: str, value: str) -> tuple[str, ...]:
    """An option and its value; one that begins with a dash goes in one word with it, an empty one cannot."""
    return (f"{name}={value}",) if value.startswith("-") else (name, value)


class HostCase(Case):
    """Alice, with a folder for key files."""

    def setUp(self):
        super().setUp()
        self.folder = self.alice.path("files", "ssh")
        os.makedirs(self.folder, mode=0o700)

    def file(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def write(self, name: str, content: str | bytes) -> str:
        return self.alice.write(f"files/ssh/{name}", content)

    def key(self, name: str = "k", kind: str = "ed25519") -> str:
        """A key of a host; the path of its private half."""
        path = self.file(name)
        return path if os.path.exists(path) else sk.make(path, kind)

    def host(self, *words: str) -> list[str]:
        return ["ssh", "host", *words]

    def add(self, name: str = "db1", *words: str, address: str = "db1.example.org") -> dict:
        more = words if "--auth" in words or "--key" in words else (*words, "--auth", "password")
        return self.ok(self.alice, "ssh", "host", "add", name, "--address", address, "--user", "deploy", *more,
                       "--json").result

    def show(self, name: str, *words: str) -> dict:
        return self.ok(self.alice, "ssh", "host", "show", name, *words, "--json").result

    def trusts(self, name: str) -> list[str]:
        """The fingerprints that are trusted for a host."""
        outcome = self.alice.run("ssh", "host", "show", name, "--json")
        if outcome.code == 3:
            return []
        return sorted(key["fingerprint"] for key in outcome.result["hostKeys"] if key["state"] == "trusted")

    def names(self, *words: str) -> list[str]:
        return [host["name"] for host in self.ok(self.alice, "ssh", "host", "list", *words, "--json").result["hosts"]]

    def export(self, *words: str) -> bytes:
        return self.ok(self.alice, "ssh", "host", "export", *words).data

    def trust_file(self, name: str, key: str, *words: str, **how) -> dict:
        return self.ok(self.alice, "ssh", "host", "trust", name, "--key", key + ".pub", "-y", *words, "--json",
                       **how).result

    def line(self, names: str, key: str) -> str:
        """A line of known_hosts."""
        return f"{names} {sk.beside(key)}\n"


class Profiles(HostCase):
    def test_every_part_goes_in_and_comes_out(self):
        self.ok(self.alice, "ssh", "key", "generate", "work")
        said = self.add("DB1", "--port", "2222", "--key", "work", "--upload-path", "~/in", "--label", " The “database” ",
                        "--host-key-alias", "Db-Alias", "--default", address="DB1.example.org")
        expected = {"name": "db1", "label": "The “database”", "displayName": "The “database”",
                    "address": "db1.example.org", "port": 2222, "user": "deploy", "auth": "key", "key": "work",
                    "password": None, "uploadPath": "~/in", "hostKeyAlias": "db-alias", "lookupName": "db-alias",
                    "default": True, "state": "active", "removedAt": None, "hostKeys": [],
                    "scanCommand": "ssh-keyscan -p 2222 db1.example.org"}
        self.assertEqual({name: said[name] for name in expected}, expected)
        shown = self.show("db1")
        self.assertEqual((shown["host"], shown["hostKeys"], shown["history"]), (said, [], []))
        self.assertEqual(self.show(said["id"])["host"], said)
        row = self.ok(self.alice, "ssh", "host", "list").output
        self.assertEqual(row, "db1\t[db1.example.org]:2222\tdeploy\twork\t\tThe “database”\tdefault\n")

    def test_the_next_step_is_said(self):
        outcome = self.ok(self.alice, "ssh", "host", "add", "db1", "--address", "h", "--user", "u", "--auth", "password")
        self.assertIn("hsip ssh host trust db1", outcome.talk)
        self.assertIn("hsip ssh host probe db1", outcome.talk)

    def test_set_changes_what_it_names(self):
        self.ok(self.alice, "ssh", "key", "generate", "work")
        before = self.add()
        said = self.ok(self.alice, "ssh", "host", "set", "db1", "--name", "db", "--address", "192.0.2.7", "--port", "23",
                       "--user", "me", "--key", "work", "--label", "x", "--upload-path", "/srv/in", "--host-key-alias",
                       "old", "--json").result
        self.assertEqual([said[name] for name in ("name", "address", "port", "user", "auth", "key", "label", "uploadPath",
                                                  "hostKeyAlias", "id")],
                         ["db", "192.0.2.7", 23, "me", "key", "work", "x", "/srv/in", "old", before["id"]])
        said = self.ok(self.alice, "ssh", "host", "set", "db", "--key", "", "--auth", "password", "--password-name", "pw",
                       "--label", "", "--host-key-alias", "", "--json").result
        self.assertEqual([said[name] for name in ("auth", "key", "password", "label", "hostKeyAlias", "lookupName",
                                                  "displayName", "port")],
                         ["password", None, "pw", "", None, "[192.0.2.7]:23", "me@192.0.2.7", 23])
        self.assertEqual(self.names(), ["db"])
        self.refused("usage", self.alice, "ssh", "host", "set", "db")

    def test_a_key_is_named_only_if_it_is_there_and_follows_its_renaming(self):
        self.refused("unknownSSHKey", self.alice, "ssh", "host", "add", "db1", "--address", "h", "--user", "u", "--key", "k")
        self.ok(self.alice, "ssh", "key", "generate", "k")
        self.add("db1", "--key", "k")
        self.ok(self.alice, "ssh", "key", "set", "k", "--name", "other")
        self.assertEqual(self.show("db1")["host"]["key"], "other")
        self.refused("unknownSSHKey", self.alice, "ssh", "host", "set", "db1", "--key", "k")
        self.ok(self.alice, "ssh", "key", "rm", "other")
        self.refused("sshKeyInTrash", self.alice, "ssh", "host", "set", "db1", "--key", "other")
        # What else there is to change can be changed all the same.
        self.ok(self.alice, "ssh", "host", "set", "db1", "--user", "root")

    def test_bad_parts_are_refused_by_name(self):
        good = {"--address": "h", "--user": "u", "--auth": "password"}
        long = "x" * 300
        for option, values, error in (
                ("--address", ("", " ", "-h", "a b", "a;b", "$(x)", "a\nb", "u@h", "a,b", "*", "`x`", "h/8", "ü", long,
                               "::1::", "a|b", "h#"), "badHostName"),
                ("--port", ("", "0", "65536", "-1", "22x", " 22", "1e3", "ssh", "0x16"), "badPort"),
                ("--user", ("", " ", "-u", "a b", "a;b", "$x", "a\nb", "a%b", "a'b", "ü", "x" * 65), "badUser"),
                ("--auth", ("", "none", "Key", "publickey"), "unknownAuthentication"),
                ("--upload-path", ("", "tmp", "../x", "/a\nb", "/a;b", "/$(x)", "/a'b", "/a*", "~root/x"), "badPath"),
                ("--label", ("a\nb", "a\x1bb", "a\u202eb", "x" * 129), "badLabel"),
                ("--host-key-alias", ("a b", "[a]:22", "-a", "a,b"), "badHostName"),
                ("--password-name", ("a\nb", long), "badReference")):
            for value in values:
                with self.subTest(option=option, value=value[:20]):
                    words = [word for pair in (good | {option: value}).items() for word in option_of(*pair)]
                    self.refused(error, self.alice, "ssh", "host", "add", "db1", *words)
        for name in ("", " ", "a b", "a/b", "../a", "a%b", "a:22", "[a]", "ü", "a\nb", "*", "a'b", long):
            with self.subTest(name=name[:20]):
                self.refused("badHostName", self.alice, "ssh", "host", "add", name, "--address=h", "--user=u",
                             "--auth=password")
        self.ends(13, self.alice, "ssh", "host", "add", "--address=h", "--user=u", "--auth=password", "--", "-a")
        self.refused("keyReferenceMissing", self.alice, "ssh", "host", "add", "a", "--address=h", "--user=u")
        self.refused("keyReferenceMissing", self.alice, "ssh", "host", "add", "a", "--address=h", "--user=u", "--auth=key")
        self.refused("usage", self.alice, "ssh", "host", "add", "a", "--address=h", "--auth=password")
        self.refused("usage", self.alice, "ssh", "host", "add", "a", "--user=h", "--auth=password")
        self.assertEqual(self.names(), [])
        self.add()
        for option, value, error in (("--port", "0", "badPort"), ("--user", "", "badUser"), ("--address", "", "badHostName"),
                                     ("--upload-path", "", "badPath"), ("--name", "a b", "badHostName")):
            with self.subTest(set=option):
                self.refused(error, self.alice, "ssh", "host", "set", "db1", option, value)

    def test_names_are_unique_whatever_their_case(self):
        self.add("db1")
        self.add("db2")
        self.refused("sshHostNameTaken", self.alice, "ssh", "host", "add", "DB1", "--address", "h", "--user", "u", "--auth",
                     "password")
        self.refused("sshHostNameTaken", self.alice, "ssh", "host", "set", "db2", "--name", "Db1")

    def test_the_trash_gives_back(self):
        before = self.add()
        self.trust_file("db1", self.key())
        removed = self.ok(self.alice, "ssh", "host", "rm", "db1", "--json").result
        self.assertEqual((removed["host"]["state"], removed["hostKeys"]), ("removed", []))
        self.assertEqual((self.names(), self.names("--trash")), ([], ["db1"]))
        self.refused("sshHostInTrash", self.alice, "ssh", "host", "show", "db1")
        self.refused("sshHostInTrash", self.alice, "ssh", "host", "set", "db1", "--port", "1")
        self.assertEqual(self.show("db1", "--trash")["host"]["id"], before["id"])
        # Who the machine is, is still known.
        self.assertEqual(self.trusts("db1.example.org"), [sk.fingerprint(self.key())])
        self.ok(self.alice, "ssh", "host", "restore", "db1")
        back = self.show("db1")["host"]
        self.assertEqual((back["id"], back["state"]), (before["id"], "active"))
        self.ok(self.alice, "ssh", "host", "restore", "db1")
        self.ok(self.alice, "ssh", "host", "rm", "db1")
        # Twice: after a jump of more than a day the trash waits for a second mark.
        for days in (31, 33):
            self.ok(self.alice, "ssh", "host", "add", f"later{days}", "--address", "h", "--user", "u", "--auth", "password",
                    time=f"+{days}d")
        self.assertEqual(self.names("--trash"), [])

    def test_the_default_host(self):
        self.assertEqual(self.ok(self.alice, "ssh", "host", "default").output, "")
        self.add("a")
        self.add("b", "--default")
        self.assertEqual(self.ok(self.alice, "ssh", "host", "default").output, "b\n")
        self.ok(self.alice, "ssh", "host", "default", "a")
        listed = self.ok(self.alice, "ssh", "host", "list", "--json").result
        self.assertEqual((listed["default"], [host["default"] for host in listed["hosts"]]), ("a", [True, False]))
        self.refused("unknownSSHHost", self.alice, "ssh", "host", "default", "c")
        self.refused("usage", self.alice, "ssh", "host", "default", "a", "--none")
        self.ok(self.alice, "ssh", "host", "default", "--none")
        self.assertEqual(self.ok(self.alice, "ssh", "host", "default", "--json").result, {"default": None})
        self.ok(self.alice, "ssh", "host", "default", "a")
        self.ok(self.alice, "ssh", "host", "rm", "a")
        self.assertEqual(self.ok(self.alice, "ssh", "host", "default", "--json").result, {"default": None})

    def test_unknown_names(self):
        self.add("office")
        for words in (("show", "offize"), ("set", "offize", "--port", "1"), ("restore", "offize"), ("default", "offize")):
            with self.subTest(words=words):
                self.refused("unknownSSHHost", self.alice, "ssh", "host", *words)
        self.assertIn("did you mean office?", self.ends(3, self.alice, "ssh", "host", "set", "offize", "--port", "1").talk)
        for words in (("rm", "offize"), ("revoke", "offize", "-y"), ("replace", "offize")):
            with self.subTest(words=words):
                self.refused("unknownSSHHost", self.alice, "ssh", "host", *words)
        for words in (("rm", "--keys", "office"), ("revoke", "office", "-y"), ("replace", "office"),
                      ("restore", "--keys", "office")):
            with self.subTest(words=words):
                self.refused("unknownHostKey", self.alice, "ssh", "host", *words)


class Keys(HostCase):
    """Trust, from files: nobody is asked over a network."""

    def test_trusted_from_a_file_and_known_from_then_on(self):
        key = self.key()
        said = self.trust_file("db1.example.org:2222", key)
        self.assertEqual((said["lookupName"], said["added"], said["host"]),
                         ("[db1.example.org]:2222", [sk.fingerprint(key)], None))
        [line] = said["hostKeys"]
        self.assertEqual((line["names"], line["state"], line["source"], line["lastSeenAt"], line["type"], line["bits"]),
                         ("[db1.example.org]:2222", "trusted", "imported", None, "ssh-ed25519", 256))
        self.assertEqual(base64.b64decode(line["publicKeyBase64"]), base64.b64decode(sk.beside(key).split()[1]))
        rows = self.alice.rows()
        self.assertEqual(self.trust_file("DB1.example.org:2222", key)["added"], [])
        self.assertEqual(self.alice.rows(), rows)
        shown = self.show("[db1.example.org]:2222")["hostKeys"][0]
        art = sk.tool("ssh-keygen", "-lv", "-f", key).decode().splitlines()
        self.assertEqual(shown["randomart"], art[1:])
        self.assertEqual(shown["md5"], sk.tool("ssh-keygen", "-l", "-E", "md5", "-f", key).decode().split()[1])
        # The same host on another port is another host.
        self.assertEqual(self.trusts("db1.example.org"), [])

    def test_how_it_was_trusted_is_kept(self):
        key = self.key()
        self.ok(self.alice, "ssh", "host", "trust", "a", "--key", key + ".pub", "--expect", sk.fingerprint(key))
        self.assertEqual(self.show("a")["hostKeys"][0]["source"], "compared")
        self.write("kh", self.line("b", key))
        self.ok(self.alice, "ssh", "host", "import", self.file("kh"))
        self.assertEqual(self.show("b")["hostKeys"][0]["source"], "imported")
        listed = [line.split("\t") for line in self.ok(self.alice, "ssh", "host", "list", "--keys").lines]
        self.assertEqual([(row[0], row[3], row[4]) for row in listed],
                         [("a", "trusted", "compared"), ("b", "trusted", "imported")])

    def test_a_key_may_come_as_lines_of_known_hosts_or_by_standard_input(self):
        key, other = self.key(), self.key("rsa", "rsa2048")
        lines = "# a comment\n\n" + self.line("db1,192.0.2.7", key) + self.line("db1", other)
        outcome = self.ok(self.alice, "ssh", "host", "trust", "db1", "--key", "-", "-y", "--json", given=lines)
        self.assertEqual(sorted(outcome.result["added"]), sorted([sk.fingerprint(key), sk.fingerprint(other)]))
        self.refused("malformedInput", self.alice, "ssh", "host", "trust", "db2", "--key", "-", "-y", given=lines)

    def test_only_what_was_expected_is_taken(self):
        key, other = self.key(), self.key("rsa", "rsa2048")
        lines = self.line("db1", key) + self.line("db1", other)
        words = ("ssh", "host", "trust", "db1", "--key", "-")
        self.refused("trustRequired", self.alice, *words, given=lines)
        self.refused("fingerprintDiffers", self.alice, *words, "--expect", sk.fingerprint(self.key("z")), given=lines)
        for wrong in ("", "SHA256:", "SHA256:AAAA", "MD5:" + ":".join(["00"] * 16), "yes"):
            self.refused("malformedInput", self.alice, *words, "--expect", wrong, given=lines)
        self.ok(self.alice, *words, "--expect", sk.fingerprint(other), given=lines)
        self.assertEqual(self.trusts("db1"), [sk.fingerprint(other)])

    def test_another_key_is_changed_whatever_its_type(self):
        key = self.key()
        self.trust_file("db1", key)
        for kind in ("ed25519", "rsa2048", "ecdsa256"):
            other = self.key("other-" + kind, kind)
            with self.subTest(kind=kind):
                outcome = self.refused("hostKeyChanged", self.alice, "ssh", "host", "trust", "db1", "--key",
                                       other + ".pub", "-y")
                details = outcome.json["error"]["details"]
                self.assertEqual((details["verdict"], details["keys"][0]["fingerprint"], details["known"][0]["fingerprint"]),
                                 ("changed", sk.fingerprint(other), sk.fingerprint(key)))
                # The fingerprint alone is no permission to have two keys, and no --yes is one.
                words = ("ssh", "host", "trust", "db1", "--key", other + ".pub")
                self.refused("hostKeyChanged", self.alice, *words, "--expect", sk.fingerprint(other))
                self.refused("inputNeeded", self.alice, *words, "--additional", "-y")
                self.refused("fingerprintDiffers", self.alice, *words, "--additional", "--expect", sk.fingerprint(key))
        said = self.ends(15, self.alice, "ssh", "host", "trust", "db1", "--key", other + ".pub").talk
        for part in (sk.fingerprint(key), sk.fingerprint(other), "trusted ", "offered ", "ssh-keygen -lf",
                     "hsip ssh host replace-key db1"):
            self.assertIn(part, said)
        self.ok(self.alice, "ssh", "host", "trust", "db1", "--key", other + ".pub", "--additional", "--expect",
                sk.fingerprint(other))
        self.assertEqual(self.trusts("db1"), sorted([sk.fingerprint(key), sk.fingerprint(other)]))

    def test_replacing_needs_the_fingerprint_and_keeps_the_old_key(self):
        key, other, third = self.key(), self.key("new", "rsa2048"), self.key("third")
        self.refused("unknownSSHHost", self.alice, "ssh", "host", "replace-key", "db1", "--key", other + ".pub", "--expect",
                     sk.fingerprint(other))
        self.trust_file("db1", key)
        self.trust_file("db2", key)
        words = ("ssh", "host", "replace-key", "db1", "--key", other + ".pub")
        for more in ((), ("-y",)):
            unasked = self.refused("trustRequired", self.alice, *words, *more)
            self.assertEqual(unasked.code, 7, unasked)
            hint = unasked.json["error"]["hint"]
            self.assertIn("hsip ssh host replace-key db1 --key", hint)
            self.assertIn(" --expect SHA256:", hint)
        self.refused("fingerprintDiffers", self.alice, *words, "--expect", sk.fingerprint(key))
        self.refused("malformedInput", self.alice, *words, "--expect", "yes")
        said = self.ok(self.alice, *words, "--expect", sk.fingerprint(other), "--json").result
        self.assertEqual((said["new"]["fingerprint"], said["new"]["source"], [line["fingerprint"] for line in said["old"]]),
                         (sk.fingerprint(other), "compared", [sk.fingerprint(key)]))
        shown = self.show("db1")
        self.assertEqual(self.trusts("db1"), [sk.fingerprint(other)])
        [old] = shown["history"]
        self.assertEqual((old["fingerprint"], old["state"], old["replacedBy"]),
                         (sk.fingerprint(key), "replaced", sk.fingerprint(other)))
        self.assertEqual(self.trusts("db2"), [sk.fingerprint(key)])
        self.assertNotIn(sk.beside(key).split()[1].encode() + b"\ndb1", self.export())
        self.ok(self.alice, "ssh", "host", "replace-key", "db1", "--key", third + ".pub", "--expect", sk.fingerprint(third))
        self.assertEqual([line["fingerprint"] for line in self.show("db1")["history"]],
                         [sk.fingerprint(other), sk.fingerprint(key)])

    def test_at_a_terminal_the_fingerprint_is_typed(self):
        key, other = self.key(), self.key("new", "rsa2048")
        self.trust_file("db1", key)
        for typed, ends in (("yes", 13), ("", 6), (sk.fingerprint(key), 15), (sk.fingerprint(other), 0)):
            with self.subTest(typed=typed):
                screen = Screen(self, self.alice, "-y", "ssh", "host", "replace-key", "db1", "--key", other + ".pub")
                screen.sees("type the fingerprint you were given: ")
                self.assertIn(sk.fingerprint(key), screen.plain)
                self.assertIn(sk.fingerprint(other), screen.plain)
                self.assertIn("+---[RSA 2048]----+", screen.plain)
                screen.enters(typed)
                self.assertEqual(screen.ends(), ends)
                self.assertEqual(self.trusts("db1"), [sk.fingerprint(other if ends == 0 else key)])

    def test_at_a_terminal_trust_is_a_question(self):
        key = self.key()
        for answer, ends in (("", 6), ("n", 6), ("y", 0)):
            screen = Screen(self, self.alice, "ssh", "host", "trust", "db1", "--key", key + ".pub")
            screen.sees(r"Trust db1\? \[y/N\] ")
            art = sk.tool("ssh-keygen", "-lv", "-f", key).decode().splitlines()[1:]
            for row in [sk.fingerprint(key), *art]:
                self.assertIn(row, screen.plain)
            screen.enters(answer)
            self.assertEqual(screen.ends(), ends)
        self.assertEqual(self.trusts("db1"), [sk.fingerprint(key)])

    def test_a_further_key_is_typed_at_a_terminal(self):
        key, other = self.key(), self.key("new", "rsa2048")
        self.trust_file("db1", key)
        for typed, ends in (("y", 13), (sk.fingerprint(key), 15), (sk.fingerprint(other), 0)):
            screen = Screen(self, self.alice, "-y", "ssh", "host", "trust", "db1", "--additional", "--key", other + ".pub")
            screen.sees("type the fingerprint you were given: ")
            screen.enters(typed)
            self.assertEqual(screen.ends(), ends)
        self.assertEqual(self.trusts("db1"), sorted([sk.fingerprint(key), sk.fingerprint(other)]))

    def test_revoked_is_never_trusted_again(self):
        key, other = self.key(), self.key("o")
        self.trust_file("db1", key)
        self.refused("inputNeeded", self.alice, "ssh", "host", "revoke", "db1")
        said = self.ok(self.alice, "ssh", "host", "revoke", "db1", "-y", "--json").result
        self.assertEqual(said["revoked"], [sk.fingerprint(key)])
        self.assertIn(b"@revoked db1 " + sk.beside(key).encode(), self.export())
        # The mark is all that is shown of the key.
        listed = self.ok(self.alice, "ssh", "host", "list", "--keys", "--json").result["hostKeys"]
        for lines in (listed, self.show("db1")["hostKeys"]):
            self.assertEqual([(line["fingerprint"], line["state"]) for line in lines], [(sk.fingerprint(key), "revoked")])
        new = ("ssh", "host", "trust", "db1", "--key", other + ".pub")
        known = self.refused("hostKeyChanged", self.alice, *new).json["error"]["details"]["known"]
        self.assertEqual([line["state"] for line in known], ["revoked"])
        said = self.ends(15, self.alice, *new).talk
        self.assertIn("revoked ", said)
        self.assertNotIn("trusted ", said)
        # Both ways out are named.
        words = ("ssh", "host", "trust", "db1", "--key", key + ".pub", "--expect", sk.fingerprint(key))
        self.assertIn("hsip ssh host replace-key db1", self.refused("hostKeyRevoked", self.alice, *words).json["error"]["hint"])
        self.assertIn("hsip ssh host rm db1 --fingerprint " + sk.fingerprint(key), self.ends(6, self.alice, *words).talk)
        unasked = self.refused("hostKeyRevoked", self.alice, "ssh", "host", "replace-key", "db1", "--key", key + ".pub")
        self.assertEqual(unasked.code, 6, unasked)
        self.refused("hostKeyRevoked", self.alice, *words, "--additional")
        self.refused("hostKeyRevoked", self.alice, "ssh", "host", "replace-key", "db1", "--key", key + ".pub", "--expect",
                     sk.fingerprint(key))
        # A key that is known nowhere, for every host.
        self.ok(self.alice, "ssh", "host", "revoke", "db1", "--key", other + ".pub", "--everywhere", "-y")
        self.refused("hostKeyRevoked", self.alice, "ssh", "host", "trust", "elsewhere", "--key", other + ".pub", "-y")
        self.refused("unknownHostKey", self.alice, "ssh", "host", "revoke", "db1", "-y", "--fingerprint",
                     sk.fingerprint(self.key("unknown")))
        self.refused("usage", self.alice, "ssh", "host", "revoke", "db1", "-y", "--fingerprint", sk.fingerprint(key), "--key",
                     key + ".pub")
        # A mark that was a mistake goes away by its fingerprint, and with a question.
        self.refused("inputNeeded", self.alice, "ssh", "host", "rm", "db1", "--fingerprint", sk.fingerprint(key))
        self.ok(self.alice, "ssh", "host", "rm", "db1", "--fingerprint", sk.fingerprint(key), "-y")
        self.assertNotIn(b"@revoked db1", self.export())

    def test_forgotten_keys_are_history_and_come_back(self):
        key, other = self.key(), self.key("o", "rsa2048")
        self.ok(self.alice, "ssh", "host", "trust", "db1", "--key", "-", "-y",
                given=self.line("db1", key) + self.line("db1", other))
        self.ok(self.alice, "ssh", "host", "rm", "db1", "--fingerprint", sk.fingerprint(other))
        self.assertEqual(self.trusts("db1"), [sk.fingerprint(key)])
        self.ok(self.alice, "ssh", "host", "rm", "db1")
        self.assertEqual(self.trusts("db1"), [])
        self.assertEqual({line["state"] for line in self.show("db1")["history"]}, {"removed"})
        self.assertNotIn(b"db1 ", self.export())
        # Anyone who is asked to trust it again is told of the one before.
        screen = Screen(self, self.alice, "ssh", "host", "trust", "db1", "--key", self.key("third") + ".pub")
        screen.sees(r"Trust db1\? \[y/N\] ")
        self.assertIn("This host had another key", screen.plain)
        screen.enters("n")
        screen.ends()
        # Forgetting a host and then saying yes is no way around its key.
        self.refused("trustRequired", self.alice, "-y", "ssh", "host", "trust", "db1", "--key", self.key("third") + ".pub")
        self.ok(self.alice, "ssh", "host", "restore", "--keys", "db1")
        self.assertTrue(self.trusts("db1"))

    def test_files_that_are_no_keys(self):
        public = sk.read(self.key() + ".pub").decode()
        kind, text = public.split()[:2]
        for name, content, error in (
                ("empty", "", "noKey"), ("comment", "# nothing\n\n", "noKey"), ("text", "hello world again\n", "malformedBase64"),
                ("one word", "hello\n", "noKey"), ("base64", f"{kind} {text[:-3]}!!!\n", "malformedBase64"),
                ("cut", f"{kind} {text[:-8]}\n", None), ("type", f"ssh-rsa {text}\n", "typeMismatch"),
                ("private", sk.read(self.key()), None),
                ("dsa", "ssh-dss AAAAB3NzaC1kc3MAAAAA\n", None), ("zeros", bytes(100), None)):
            with self.subTest(name=name):
                path = self.write("x", content)
                if error:
                    self.refused(error, self.alice, "ssh", "host", "trust", "db1", "--key", path, "-y")
                else:
                    outcome = self.alice.run("ssh", "host", "trust", "db1", "--key", path, "-y", "--json")
                    self.assertIn(outcome.code, (6, 11, 12, 13), outcome)
        self.refused("notFound", self.alice, "ssh", "host", "trust", "db1", "--key", self.file("nowhere"), "-y")
        self.assertEqual(self.export(), b"")

    def test_names_of_hosts_that_could_be_something_else(self):
        key = self.key() + ".pub"
        for word, error in (("a b", "badHostName"), ("a;b", "badHostName"),
                            ("$(x)", "badHostName"), ("a,b", "badHostName"), ("*", "badHostName"), ("@revoked", "badHostName"),
                            ("|1|x|y", "badHostName"), ("#x", "badHostName"), ("[a", "badHostName"), ("a:0", "badPort"),
                            ("a:", "badPort"), ("a:99999", "badPort"), ("a:22:22", "badHostName"), ("", "badHostName"),
                            ("10.0.0.0/8", "badHostName"), ("a\nb", "badHostName"), ("x" * 256, "badHostName")):
            for verb, words in (("trust", ("--key", key, "-y")), ("revoke", ("-y",)), ("rm", ("--keys",)), ("probe", ())):
                with self.subTest(word=word[:20], verb=verb):
                    self.refused(error, self.alice, "ssh", "host", verb, word, *words)
        for verb in ("trust", "revoke", "rm", "probe", "replace", "show"):
            self.ends(13, self.alice, "ssh", "host", verb, "--", "-oProxyCommand=x")

    def test_a_comment_of_a_line_cannot_move_the_cursor(self):
        self.write("kh", f"a\x1b[31m,b {sk.beside(self.key())} \x1b]0;t\x07\n")
        self.ok(self.alice, "ssh", "host", "import", self.file("kh"))
        screen = Screen(self, self.alice, "ssh", "host", "list", "--keys")
        self.assertEqual(screen.ends(), 0)
        self.assertNotIn("\x1b[31m", screen.text)
        self.assertNotIn("\x07", screen.text)


class Files(HostCase):
    """known_hosts in and out."""

    def mixed(self) -> bytes:
        key, other, ca = self.key(), self.key("rsa", "rsa2048"), self.key("ca", "ecdsa256")
        plain = self.write("hash", self.line("hashed.example.org", key) + self.line("[hashed]:2222", other))
        sk.tool("ssh-keygen", "-q", "-H", "-f", plain)
        os.remove(plain + ".old")
        parts = ["# my hosts\n", "\n", self.line("db1,192.0.2.7", key), self.line("[db2]:2222", other),
                 "   \t\n", "a line that nobody understands\n", self.line("*.lab.example.org,!bad.lab.example.org", key),
                 "@cert-authority " + self.line("*.ca.example.org", ca), "@revoked " + self.line("*", self.key("lost")),
                 self.line("::1,fe80::1%eth0", other).rstrip("\n") + " a comment  with blanks \r\n",
                 f"Upper.Example.ORG {sk.beside(key)}\n", "db3 ssh-rsa AAAA\n", sk.read(plain).decode(),
                 self.line("last", key).rstrip("\n")]
        return "".join(parts).encode()

    def test_what_went_in_comes_out_byte_for_byte(self):
        content = self.mixed()
        path = self.write("known_hosts", content)
        before = os.stat(path)
        said = self.ok(self.alice, "ssh", "host", "import", path, "--json").result
        self.assertEqual((said["added"], said["revocations"], said["authorities"], said["comments"], said["unknownLines"],
                          said["conflicts"]), (10, 1, 1, 3, [6, 12], []))
        self.assertEqual((sk.read(path), os.stat(path).st_mtime_ns, os.stat(path).st_mode),
                         (content, before.st_mtime_ns, before.st_mode))
        self.assertEqual(self.export(), content)
        rows = self.alice.rows()
        again = self.ok(self.alice, "ssh", "host", "import", path, "--json").result
        self.assertEqual((again["added"], again["known"]), (0, said["added"]))
        self.assertEqual(self.alice.rows(), rows)
        out = self.file("out")
        self.ok(self.alice, "ssh", "host", "export", "-o", out)
        self.assertEqual((sk.read(out), sk.modes(out)), (content, 0o600))
        self.refused("alreadyExists", self.alice, "ssh", "host", "export", "-o", out)
        self.ok(self.alice, "ssh", "host", "export", "-o", out, "--force")
        told = self.ok(self.alice, "ssh", "host", "export", "--json").result
        self.assertEqual(base64.b64decode(told["contentBase64"]), content)

    def test_every_name_means_what_it_means_for_ssh_keygen(self):
        path = self.write("known_hosts", self.mixed())
        self.ok(self.alice, "ssh", "host", "import", path)
        for name in ("db1", "192.0.2.7", "[db2]:2222", "db2", "x.lab.example.org", "bad.lab.example.org",
                     "h.ca.example.org", "::1", "upper.example.org", "hashed.example.org", "[hashed]:2222", "last"):
            with self.subTest(name=name):
                found = sk.tool("sh", "-c", f"ssh-keygen -F '{name}' -f '{path}' || true").decode().splitlines()
                expected = sorted(word for line in found if not line.startswith("#")
                                  for word in line.split() if word.startswith("AAAA"))
                outcome = self.alice.run("ssh", "host", "show", name, "--json")
                shown = outcome.result["hostKeys"] if outcome.code == 0 else []
                self.assertEqual(sorted(key["publicKeyBase64"] for key in shown), expected)

    def test_hashed_export_means_the_same(self):
        key, other = self.key(), self.key("rsa", "rsa2048")
        path = self.write("known_hosts", self.line("db1,192.0.2.7", key) + self.line("[db2]:2222", other)
                          + self.line("*.lab", key))
        self.ok(self.alice, "ssh", "host", "import", path)
        out = self.file("out")
        self.ok(self.alice, "ssh", "host", "export", "--hashed", "-o", out)
        self.assertFalse([line for line in sk.read(out).split(b"\n") if b"db1" in line.split(b" ")[0] and line[:1] != b"|"])
        for name in ("db1", "192.0.2.7", "[db2]:2222", "x.lab"):
            found = sk.tool("ssh-keygen", "-F", name, "-f", out).decode()
            self.assertIn(sk.beside(other if "db2" in name else key).split()[1], found)
        # What is in the vault is as it was.
        self.assertEqual(self.export(), sk.read(path))
        self.refused("usage", self.alice, "ssh", "host", "export", "--hashed", "--profiles")

    def test_other_keys_are_named_and_not_taken(self):
        key, other = self.key(), self.key("rsa", "rsa2048")
        self.trust_file("db1", key)
        path = self.write("known_hosts", self.line("new", other) + self.line("db1", other) + self.line("db1", key))
        outcome = self.alice.run("ssh", "host", "import", path, "--dry-run", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["details"]["trial"]), (15, True))
        self.assertEqual(self.trusts("new"), [])
        outcome = self.ends(15, self.alice, "ssh", "host", "import", path)
        self.assertIn("line 2, db1: ", outcome.talk)
        self.assertIn(sk.fingerprint(other), outcome.talk)
        self.assertIn("--additional --expect", outcome.talk)
        self.assertEqual((self.trusts("db1"), self.trusts("new")), ([sk.fingerprint(key)], [sk.fingerprint(other)]))
        outcome = self.alice.run("ssh", "host", "import", path, "--json")
        [conflict] = outcome.json["error"]["details"]["conflicts"]
        self.assertEqual((outcome.json["error"]["code"], conflict), ("importConflicts", {
            "line": 2, "lookupName": "db1", "fingerprint": sk.fingerprint(other), "trusted": [sk.fingerprint(key)],
            "additional": True}))
        # Both keys in one file prove nothing: it needs the fingerprint, and no --yes stands for it.
        words = ("ssh", "host", "import", path, "--additional")
        self.refused("inputNeeded", self.alice, *words, "-y")
        self.refused("fingerprintDiffers", self.alice, *words, "--expect", sk.fingerprint(self.key("z")))
        self.refused("malformedInput", self.alice, *words, "--expect", "yes")
        self.refused("usage", self.alice, *words[:-1], "--expect", sk.fingerprint(other))
        self.assertEqual(self.alice.run(*words, "--expect", sk.fingerprint(key)).code, 15)
        self.assertEqual(self.alice.run(*words, "--dry-run").code, 15)
        self.assertEqual(self.trusts("db1"), [sk.fingerprint(key)])
        self.ok(self.alice, *words, "--expect", sk.fingerprint(other), "--dry-run")
        self.assertEqual(self.trusts("db1"), [sk.fingerprint(key)])
        for _ in range(2):
            self.ok(self.alice, *words, "--expect", sk.fingerprint(other))
            self.assertEqual(self.trusts("db1"), sorted([sk.fingerprint(key), sk.fingerprint(other)]))

    def test_further_keys_of_a_file_are_typed_at_a_terminal(self):
        key, other = self.key(), self.key("rsa", "rsa2048")
        self.trust_file("db1", key)
        path = self.write("known_hosts", self.line("db1", other) + self.line("db1", key))
        for typed, ends in (("y", 13), ("", 15), (sk.fingerprint(key), 15), (sk.fingerprint(other), 0)):
            with self.subTest(typed=typed):
                screen = Screen(self, self.alice, "-y", "ssh", "host", "import", path, "--additional")
                screen.sees("type the fingerprint you were given: ")
                screen.enters(typed)
                self.assertEqual(screen.ends(), ends)
                self.assertEqual(len(self.trusts("db1")), 1 if ends else 2)

    def test_additional_is_for_files_that_have_the_trusted_key(self):
        key, other, third = self.key(), self.key("rsa", "rsa2048"), self.key("third")
        self.trust_file("db1", key)
        self.trust_file("db2", key)
        path = self.write("known_hosts", self.line("db1", other) + self.line("db2", third) + self.line("db2", key)
                          + self.line("new", other))
        outcome = self.alice.run("ssh", "host", "import", path, "--additional", "--expect", sk.fingerprint(third), "--expect",
                                 sk.fingerprint(other), "--json")
        self.assertEqual(outcome.code, 15, outcome)
        self.assertEqual([conflict["line"] for conflict in outcome.json["error"]["details"]["conflicts"]], [1])
        self.assertIn("hsip ssh host replace-key db1", outcome.json["error"]["hint"])
        self.assertEqual((self.trusts("db1"), self.trusts("db2"), self.trusts("new")),
                         ([sk.fingerprint(key)], sorted([sk.fingerprint(key), sk.fingerprint(third)]),
                          [sk.fingerprint(other)]))

    def test_more_than_a_hundred_are_asked_about(self):
        blob = sk.beside(self.key())
        path = self.write("many", "".join(f"h{number}.example.org {blob}\n" for number in range(101)))
        self.refused("inputNeeded", self.alice, "ssh", "host", "import", path)
        screen = Screen(self, self.alice, "ssh", "host", "import", path)
        screen.sees(r"Import 101 lines\? \[y/N\] ")
        screen.enters("n")
        self.assertEqual(screen.ends(), 6)
        self.assertEqual(self.export(), b"")
        self.assertEqual(self.ok(self.alice, "ssh", "host", "import", path, "-y").lines[0], "added\t101")
        self.assertEqual(self.export(), sk.read(path))

    def test_files_without_hosts(self):
        for name, content in (("text", b"hello\n"), ("zeros", bytes(1000) + b"\nx\n"), ("json", b'{"a": 1}\n'),
                              ("binary", bytes(range(256)) * 10)):
            with self.subTest(name=name):
                self.refused("malformedInput", self.alice, "ssh", "host", "import", self.write(name, content))
        self.refused("notFound", self.alice, "ssh", "host", "import", self.file("nowhere"))
        self.refused("usage", self.alice, "ssh", "host", "import", self.file("nowhere"), "--key", "k")
        self.assertEqual(self.export(), b"")
        # A file that says nothing of hosts is a file all the same.
        for content in (b"", b"# a comment\n\n \t\n# no line feed"):
            self.ok(self.alice, "ssh", "host", "import", "-", given=content)
            self.assertEqual(self.export(), content)


IOS = [{"id": "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "label": "Datenbank ü", "hostname": "db1.example.org", "port": 2222,
        "username": "deploy", "authMethod": "password", "hostPublicKey": None, "uploadPath": "/tmp",
        "theme": {"dark": True, "size": 1.50, "list": [1, None, "\u00e9\n"]}, "zero": 1e-7}]
ANDROID = [{"name": "My Server!", "hostname": "192.0.2.7", "port": 22, "username": "pi", "privateKeyPath": "/data/id",
            "uploadDir": "/tmp/keyjawn/", "lastUsed": 1700000000000}]


class Lists(HostCase):
    """Profiles as the JSON of the apps that have them."""

    def take(self, profiles, *words: str, **how) -> list[dict]:
        path = self.write("hosts.json", profiles if isinstance(profiles, (str, bytes)) else json.dumps(profiles))
        return self.ok(self.alice, "ssh", "host", "import", "--profiles", path, *words, "--json", **how).result["profiles"]

    def give(self) -> list[dict]:
        return json.loads(self.export("--profiles"))

    def test_a_list_of_ios(self):
        [taken] = self.take(IOS)
        host = taken["host"]
        self.assertEqual((taken["outcome"], host["name"], host["label"], host["id"], host["port"], host["auth"]),
                         ("imported", "datenbank", "Datenbank ü", IOS[0]["id"].lower(), 2222, "password"))
        [given] = self.give()
        self.assertEqual({name: given[name] for name in IOS[0]}, IOS[0])
        [again] = self.take(IOS)
        self.assertEqual((again["outcome"], self.names()), ("known", ["datenbank"]))

    def test_a_profile_that_is_imported_again_is_out_of_the_trash_and_stays(self):
        [first] = self.take(IOS)
        self.ok(self.alice, "ssh", "host", "rm", "datenbank")
        [again] = self.take(IOS)
        self.assertEqual((again["outcome"], again["host"]["id"]), ("restored", first["host"]["id"]))
        self.ok(self.alice, "ssh", "key", "generate", "phone")
        for days in (31, 33):
            self.take(ANDROID, "--key", "phone", time=f"+{days}d")
        self.assertIn("datenbank", self.names())

    def test_a_pinned_key_is_trusted_and_contradictions_are_refused(self):
        key, other = self.key(), self.key("o")
        pinned = [IOS[0] | {"hostPublicKey": sk.beside(key) + " phone"}]
        [taken] = self.take(pinned)
        self.assertEqual((taken["hostKey"], taken["host"]["hostKeys"][0]["source"]), ("trusted", "imported"))
        self.assertEqual(self.trusts("[db1.example.org]:2222"), [sk.fingerprint(key)])
        self.assertEqual(self.give()[0]["hostPublicKey"], sk.beside(key) + " phone")
        for value, error in ((sk.beside(other), "hostKeyChanged"), ("ssh-ed25519 AAAA", "truncated"),
                             ("ssh-ed25519 !!!", "malformedBase64"), ("nonsense", "noKey"),
                             ("ssh-rsa " + sk.beside(key).split()[1], "typeMismatch")):
            with self.subTest(value=value[:20]):
                more = [IOS[0] | {"id": "00000000-0000-4000-8000-000000000001", "label": "x", "hostPublicKey": value}]
                path = self.write("bad.json", json.dumps(more))
                self.refused(error, self.alice, "ssh", "host", "import", "--profiles", path)
        # A key that has been replaced since is not given out as the pinned one.
        self.ok(self.alice, "ssh", "host", "replace-key", "datenbank", "--key", other + ".pub", "--expect", sk.fingerprint(other))
        self.assertEqual(self.give()[0]["hostPublicKey"], sk.beside(other))

    def test_a_list_of_android(self):
        path = self.write("android.json", json.dumps(ANDROID))
        self.refused("keyReferenceMissing", self.alice, "ssh", "host", "import", "--profiles", path)
        self.ok(self.alice, "ssh", "key", "generate", "phone")
        [taken] = self.take(ANDROID, "--key", "phone")
        host = taken["host"]
        self.assertEqual((host["name"], host["label"], host["key"], host["auth"], host["uploadPath"]),
                         ("my-server", "My Server!", "phone", "key", "/tmp/keyjawn/"))
        [given] = self.give()
        self.assertEqual({name: given[name] for name in ANDROID[0]}, ANDROID[0])
        self.assertEqual(self.take(ANDROID, "--key", "phone")[0]["outcome"], "known")
        self.ok(self.alice, "ssh", "host", "set", "my-server", "--label", "Other", "--upload-path", "/in")
        [given] = self.give()
        self.assertEqual((given["name"], given["uploadDir"], given["lastUsed"]), ("Other", "/in", 1700000000000))

    def test_passwords_are_left_out_and_that_is_said(self):
        secret = "hunter2 is no password"
        path = self.write("android.json", json.dumps([ANDROID[0] | {"privateKeyPath": None, "password": secret}]))
        outcome = self.ok(self.alice, "ssh", "host", "import", "--profiles", path, "--json")
        self.assertEqual(outcome.json["warnings"], [{"code": "passwordsLeftOut", "count": 1}])
        self.assertEqual(outcome.result["profiles"][0]["host"]["auth"], "password")
        self.assertNotIn(secret, outcome.output + self.export("--profiles").decode())
        self.assertNotIn(secret.encode(), b"".join(self.alice.records().values()))

    def test_an_own_list_goes_out_and_in_again_byte_for_byte(self):
        self.ok(self.alice, "ssh", "key", "generate", "work")
        self.add("a", "--label", "Ä", "--default")
        self.add("b", "--key", "work", "--host-key-alias", "alias", "--upload-path", "~/x")
        self.trust_file("a", self.key())
        self.take(IOS)
        whole = self.export("--profiles")
        other = ("--vault", "second")
        self.ok(self.alice, *other, "init", "--no-input", "--no-identity", "-o", self.file("rec"), secret="passphrase")
        self.ok(self.alice, *other, "ssh", "key", "generate", "work", secret="passphrase")
        path = self.write("own.json", whole)
        self.ok(self.alice, *other, "ssh", "host", "import", "--profiles", path, secret="passphrase")
        out = self.ok(self.alice, *other, "ssh", "host", "export", "--profiles", secret="passphrase").data
        self.assertEqual(out, whole)
        out = self.ok(self.alice, *other, "ssh", "host", "default", secret="passphrase").output
        self.assertEqual(out, "a\n")

    def test_one_bad_profile_keeps_all_of_them_out(self):
        good = IOS[0] | {"id": None, "hostname": "h", "port": 22, "hostPublicKey": sk.beside(self.key())}
        self.add("taken")
        for change, error in (({"hostname": ""}, "badHostName"), ({"hostname": None}, "badHostName"),
                              ({"hostname": 5}, "malformedInput"), ({"hostname": "a;b"}, "badHostName"),
                              ({"username": " "}, "badUser"), ({"port": 0}, "badPort"), ({"port": 65536}, "badPort"),
                              ({"port": "22"}, "badPort"), ({"port": 22.5}, "badPort"), ({"port": -1}, "badPort"),
                              ({"authMethod": "none"}, "unknownAuthentication"), ({"authMethod": "key"}, "keyReferenceMissing"),
                              ({"authMethod": "key", "key": "nokey"}, "unknownSSHKey"), ({"uploadPath": "x"}, "badPath"),
                              ({"label": "a\nb"}, "badLabel"), ({"id": "x"}, "badIdentifier"), ({"alias": "a b"}, "badHostName"),
                              ({"hostKeyAlias": "a b"}, "badHostName"), ({"alias": "taken"}, "sshHostNameTaken"),
                              ({"hostname": "h", "hostPublicKey": sk.beside(self.key("z"))}, "hostKeyChanged")):
            with self.subTest(change=change):
                path = self.write("x.json", json.dumps([good, good | {"label": "two"} | change]))
                outcome = self.refused(error, self.alice, "ssh", "host", "import", "--profiles", path)
                self.assertIn("profile 2: ", outcome.json["error"]["message"])
        path = self.write("x.json", json.dumps([IOS[0], IOS[0] | {"label": "again"}]))
        self.refused("sshHostKnown", self.alice, "ssh", "host", "import", "--profiles", path)
        self.assertEqual(self.names(), ["taken"])

    def test_texts_that_are_no_lists(self):
        for name, text in (("empty", ""), ("word", "hello"), ("number", "5"), ("list", "[1]"), ("cut", '[{"hostname":"a"'),
                           ("twice", '{"hostname":"a","hostname":"b"}'), ("comment", "// x\n[]"), ("deep", "[" * 5000),
                           ("utf", b'[{"label":"\xff"}]'), ("nan", '[{"x":NaN}]'), ("known_hosts", "db1 ssh-ed25519 AAAA\n")):
            with self.subTest(name=name):
                self.refused("malformedInput", self.alice, "ssh", "host", "import", "--profiles", self.write("x.json", text))
        self.assertEqual(self.take("[]"), [])

    def test_names_are_made_of_labels_and_stay_unique(self):
        profiles = [IOS[0] | {"id": f"00000000-0000-4000-8000-00000000000{number}", "label": label}
                    for number, label in enumerate(("Same", "same", "SAME", "日本", "-x-", ""))]
        self.assertEqual([entry["host"]["name"] for entry in self.take(profiles)],
                         ["same", "same-2", "same-3", "db1.example.org", "x", "db1.example.org-2"])


@unittest.skipIf(sshd.missing(), sshd.missing())
class Probes(HostCase):
    """Against a real sshd."""

    def setUp(self):
        super().setUp()
        self.keys = [self.key(kind, kind) for kind in ("ed25519", "ecdsa256", "rsa2048")]
        self.server = sshd.Server(self, keys=self.keys)
        self.word = f"127.0.0.1:{self.server.port}"
        self.prints = [sk.fingerprint(key) for key in self.keys]

    def verdicts(self, outcome) -> dict:
        return {key["fingerprint"]: key["verdict"] for key in outcome["keys"]}

    def nobody_logged_in(self):
        self.assertEqual(self.server.logins, 0)

    def test_an_unknown_host_is_refused_without_a_terminal_and_before_any_login(self):
        for verb in ("probe", "trust"):
            outcome = self.refused("trustRequired", self.alice, "ssh", "host", verb, self.word)
            details = outcome.json["error"]["details"]
            self.assertEqual((details["verdict"], details["lookupName"], details["address"]),
                             ("new", self.server.name, self.server.name))
            self.assertEqual(self.verdicts(details), {fingerprint: "new" for fingerprint in self.prints})
            said = self.ends(7, self.alice, "ssh", "host", verb, self.word).talk
            for fingerprint in self.prints:
                self.assertIn(fingerprint, said)
        self.nobody_logged_in()

    def test_a_person_looks_and_trusts_all_of_them(self):
        self.add("lab", "--port", str(self.server.port), address="127.0.0.1")
        screen = Screen(self, self.alice, "ssh", "host", "trust", "lab")
        screen.sees(r"Trust lab \(\[127\.0\.0\.1\]:\d+\)\? \[y/N\] ")
        for fingerprint in self.prints:
            self.assertIn(fingerprint, screen.plain)
        self.assertIn("+--[ED25519 256]--+", screen.plain)
        screen.enters("y")
        self.assertEqual(screen.ends(), 0)
        shown = self.show("lab")
        self.assertEqual({key["source"] for key in shown["hostKeys"]}, {"firstUse"})
        self.assertEqual(self.trusts("lab"), sorted(self.prints))
        outcome = self.ok(self.alice, "ssh", "host", "probe", "lab", "--json").result
        self.assertEqual(self.verdicts(outcome), {fingerprint: "match" for fingerprint in self.prints})
        rows = [line.split("\t") for line in self.ok(self.alice, "ssh", "host", "probe", "lab").lines]
        self.assertEqual([row[0:3] for row in rows], [["ssh-ed25519", self.prints[0], "match"],
                                                      ["ecdsa-sha2-nistp256", self.prints[1], "match"],
                                                      ["ssh-rsa", self.prints[2], "match"]])
        self.nobody_logged_in()

    def test_a_probe_at_a_terminal_asks_and_takes_no_for_an_answer(self):
        for answer, ends in (("n", 6), ("y", 0)):
            # --yes is for those who know what they agree to.
            screen = Screen(self, self.alice, "-y", "ssh", "host", "probe", self.word)
            screen.sees(r"\? \[y/N\] ")
            screen.enters(answer)
            self.assertEqual(screen.ends(), ends)
            self.assertEqual(self.trusts(self.word), [] if ends else sorted(self.prints))

    def test_the_expected_key_alone_and_then_the_others(self):
        self.ok(self.alice, "ssh", "host", "trust", self.word, "--expect", self.prints[0])
        self.assertEqual(self.trusts(self.word), self.prints[:1])
        self.assertEqual(self.show(self.word)["hostKeys"][0]["source"], "compared")
        outcome = self.ok(self.alice, "ssh", "host", "probe", self.word, "--json").result
        self.assertEqual(self.verdicts(outcome), dict(zip(self.prints, ("match", "additional", "additional"))))
        self.assertEqual([key["trusted"] for key in outcome["keys"]], [True, False, False])
        self.assertIn("trust " + "127.0.0.1", self.ok(self.alice, "ssh", "host", "probe", self.word).talk.replace("'", ""))
        rows = self.alice.rows()
        self.ok(self.alice, "ssh", "host", "trust", self.word)
        self.assertEqual(self.alice.rows(), rows)
        self.refused("hostKeyChanged", self.alice, "ssh", "host", "trust", self.word, "--expect", self.prints[1])
        self.refused("inputNeeded", self.alice, "-y", "ssh", "host", "trust", self.word, "--additional")
        # That the host shows the trusted key as well proves nothing: the fingerprint is typed, or given.
        for typed, ends in (("y", 13), ("", 6), (self.prints[0], 15), (self.prints[1], 0)):
            with self.subTest(typed=typed):
                screen = Screen(self, self.alice, "-y", "ssh", "host", "trust", self.word, "--additional")
                screen.sees("type the fingerprint you were given: ")
                screen.enters(typed)
                self.assertEqual(screen.ends(), ends)
                self.assertEqual(self.trusts(self.word), sorted(self.prints[:1 if ends else 2]))
        self.ok(self.alice, "ssh", "host", "trust", self.word, "--additional", "--expect", self.prints[2])
        self.assertEqual(self.trusts(self.word), sorted(self.prints))
        self.assertEqual({line["source"] for line in self.show(self.word)["hostKeys"]}, {"compared"})

    def test_a_changed_key_is_refused_with_both_fingerprints_and_replaced_by_its_own(self):
        self.ok(self.alice, "ssh", "host", "trust", self.word, "-y")
        new = self.key("new")
        self.server.offer(new)
        for verb in ("probe", "trust"):
            outcome = self.refused("hostKeyChanged", self.alice, "ssh", "host", verb, self.word)
            self.assertEqual(self.verdicts(outcome.json["error"]["details"]), {sk.fingerprint(new): "changed"})
            said = self.ends(15, self.alice, "ssh", "host", verb, self.word).talk
            for part in (*self.prints, sk.fingerprint(new), "ssh-keygen -lf", "hsip ssh host replace-key"):
                self.assertIn(part, said)
        self.refused("fingerprintDiffers", self.alice, "ssh", "host", "replace-key", self.word, "--expect", self.prints[0])
        self.ok(self.alice, "ssh", "host", "replace-key", self.word, "--expect", sk.fingerprint(new))
        self.assertEqual(self.trusts(self.word), [sk.fingerprint(new)])
        self.assertEqual(sorted(key["fingerprint"] for key in self.show(self.word)["history"]), sorted(self.prints))
        self.ok(self.alice, "ssh", "host", "probe", self.word)
        self.refused("hostKeyKnown", self.alice, "ssh", "host", "replace-key", self.word)
        self.nobody_logged_in()

    def test_a_revoked_key_is_refused_whatever_else_is_shown(self):
        self.ok(self.alice, "ssh", "host", "trust", self.word, "-y")
        self.ok(self.alice, "ssh", "host", "revoke", self.word, "--fingerprint", self.prints[2], "-y")
        for verb in ("probe", "trust"):
            outcome = self.refused("hostKeyRevoked", self.alice, "ssh", "host", verb, self.word)
            self.assertEqual(self.verdicts(outcome.json["error"]["details"])[self.prints[2]], "revoked")
            self.assertIn("host rm ", self.ends(6, self.alice, "ssh", "host", verb, self.word).talk)
        states = {key["fingerprint"]: key["state"] for key in outcome.json["error"]["details"]["known"]}
        self.assertEqual([states[key] for key in self.prints[:3]], ["trusted", "trusted", "revoked"])
        self.refused("hostKeyRevoked", self.alice, "ssh", "host", "replace-key", self.word)

    def test_a_certificate_of_an_authority_is_enough(self):
        ca = self.key("ca")
        sk.tool("ssh-keygen", "-q", "-s", ca, "-h", "-I", "host", "-n", "127.0.0.1", self.keys[0] + ".pub")
        self.server.offer(*self.keys, certificates=(self.keys[0] + "-cert.pub",))
        self.write("kh", "@cert-authority " + self.line(self.server.name, ca))
        self.ok(self.alice, "ssh", "host", "import", self.file("kh"))
        outcome = self.ok(self.alice, "ssh", "host", "probe", self.word, "--json").result
        self.assertEqual(outcome["verdict"], "certified")
        self.assertIn("ssh-ed25519-cert-v01@openssh.com", [key["type"] for key in outcome["keys"]])

    def test_an_alias_is_what_the_keys_are_known_under(self):
        self.add("lab", "--port", str(self.server.port), "--host-key-alias", "lab-alias", address="127.0.0.1")
        self.ok(self.alice, "ssh", "host", "trust", "lab", "-y")
        self.assertEqual(self.trusts("lab-alias"), sorted(self.prints))
        self.assertEqual(self.trusts(self.word), [])
        self.ok(self.alice, "ssh", "host", "probe", "lab")

    @unittest.skipUnless(sshd.ipv6(), "::1 does not answer here")
    def test_over_ipv6(self):
        server = sshd.Server(self, keys=self.keys[:1], address="::1")
        word = f"[::1]:{server.port}"
        self.ok(self.alice, "ssh", "host", "trust", word, "--expect", self.prints[0])
        self.assertEqual(self.trusts(word), self.prints[:1])
        self.assertIn(f"[::1]:{server.port} ".encode(), self.export())
        self.ok(self.alice, "ssh", "host", "probe", word)

    def test_nobody_there(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            # Bound and not listening: refused at once.
            self.refused("hostNotReached", self.alice, "ssh", "host", "probe", f"127.0.0.1:{taken.getsockname()[1]}")
        self.refused("hostNotReached", self.alice, "ssh", "host", "probe", "no-such-host.invalid")

    def test_one_who_never_answers_is_left_at_the_deadline(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            word = f"127.0.0.1:{silent.getsockname()[1]}"
            self.refused("busy", self.alice, "ssh", "host", "probe", word, "--timeout", "1")
        for wrong in ("0", "-1", "x", "1.5", "99999", ""):
            self.refused("usage", self.alice, "ssh", "host", "probe", "h", *option_of("--timeout", wrong))

    def test_a_stopped_probe_leaves_nothing_behind(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            word = f"127.0.0.1:{silent.getsockname()[1]}"
            process = self.alice.start("ssh", "host", "probe", word)
            connections = [silent.accept()[0]]
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(30), 130)
            process.communicate()
            # The other end of each connection is closed: nobody is left who holds it.
            for connection in connections:
                connection.settimeout(30)
                try:
                    while connection.recv(4096):
                        pass
                except ConnectionResetError:
                    pass
                connection.close()


if __name__ == "__main__":
    unittest.main()
