"""A shared log in a real etcd: founded, joined, used, left; the password is seen by nobody but curl."""

import glob
import os
import re

import agents as ag
import strace
from etcd_place import PASSWORD, TOOLS, Authority, Etcd
from house import Person, newcomer, unittest
from screen import Screen
from sync_case import SyncCase


@unittest.skipIf(TOOLS, f"missing: {', '.join(TOOLS)}")
class EtcdCase(SyncCase):
    """An etcd of one node, with users who may write, and one who may read."""

    nodes = 1

    def setUp(self):
        super().setUp()
        self.etcd = Etcd(self, self.nodes)
        self.etcd.enable_users("laptop", "desktop", readers=("web1",))

    def word(self, person: Person, password: str = PASSWORD) -> str:
        return person.write("secrets/etcd", password + "\n")

    def login(self, person: Person, user: str, password: str = PASSWORD) -> tuple[str, ...]:
        return ("--user", user, "--password-file", self.word(person, password), "--ca", self.etcd.authority.file)

    def found_there(self, *words: str) -> dict:
        return self.ok(self.alice, "setup", "sync", "etcd", self.etcd.endpoints, "--name", "laptop",
                       *self.login(self.alice, "laptop"), *words, "--json").result

    def enter(self, person: Person, admit: dict, user: str, *words: str):
        return self.ok(person, "accept", admit["code"], "--expect", admit["number"], *self.login(person, user), *words)

    def together_there(self, *words: str, user: str = "desktop"):
        self.found_there()
        self.enter(self.bob, self.admit(self.alice, self.join(self.bob), *words), user)


class Shared(EtcdCase):
    def test_a_password_goes_over_and_back(self):
        self.put(self.alice, "db", "first")
        made = self.found_there()
        self.assertEqual((made["address"], made["active"], made["changed"]), (self.etcd.endpoints + "/hsip", True, True))
        self.enter(self.bob, self.admit(self.alice, self.join(self.bob)), "desktop")
        self.assertEqual(self.value(self.bob, "db"), "first")
        self.put(self.bob, "db", "second")
        self.are_equal(self.bob, self.alice)
        self.assertEqual(self.value(self.alice, "db"), "second")
        head = self.ok(self.alice, "sync", "head", "--json").result
        self.ok(self.bob, "sync", "head", head["code"])
        keys = self.etcd.keys()
        self.assertEqual(keys, [f"/hsip/e/{place:016x}" for place in range(1, len(keys))] + ["/hsip/head"])

    def test_a_prefix_that_holds_another_log(self):
        self.found_there()
        refused = self.refused("logExists", self.bob, "setup", "sync", "etcd", self.etcd.endpoints + "/hsip",
                               *self.login(self.bob, "desktop"))
        self.assertEqual(refused.json["error"]["hint"], "hsip setup sync join")
        self.etcd.control("role", "grant-permission", "writer", "readwrite", "--prefix=true", "/other/")
        self.ok(self.bob, "setup", "sync", "etcd", self.etcd.endpoints + "/other", *self.login(self.bob, "desktop"))

    def test_a_machine_leaves_and_its_login_is_wiped(self):
        self.together_there()
        self.assertIn(("log.login", "self"), self.bob.records())
        self.put(self.bob, "last", "x")
        self.ok(self.bob, "setup", "sync", "--undo", "-y")
        self.assertEqual([name for name in self.bob.records() if name[0].startswith("log.")], [])
        self.assertIn("desktop left.", self.ok(self.alice, "sync").talk)
        self.assertEqual(self.value(self.alice, "last"), "x")

    def test_a_machine_is_removed(self):
        self.together_there()
        told = self.ok(self.alice, "machine", "revoke", "desktop", "-y").talk
        self.assertIn("etcdctl user delete USER  ends the login of desktop", told)
        self.put(self.alice, "new", "after")
        self.sync(self.alice)
        self.refused("machineRevoked", self.bob, "sync", changes=True)

    def test_a_reader_only_reads(self):
        self.put(self.alice, "db", "first")
        self.together_there("--reader", user="web1")
        self.assertEqual(self.value(self.bob, "db"), "first")
        self.put(self.bob, "own", "x")
        self.assertIn("1 change", self.ok(self.bob, "sync").talk)
        self.assertEqual(self.names(self.alice), ["db"])


class Logins(EtcdCase):
    def test_wrong_logins_are_refused_and_change_nothing(self):
        setup = ("setup", "sync", "etcd", self.etcd.endpoints)
        refused = self.refused("logRefused", self.alice, *setup, *self.login(self.alice, "laptop", "wrong"))
        self.assertEqual(refused.json["error"]["hint"], f"hsip setup sync etcd '{self.etcd.endpoints}/hsip' --user NAME")
        self.refused("logRefused", self.alice, *setup, *self.login(self.alice, "nobody"))
        self.refused("logRefused", self.alice, "setup", "sync", "etcd", self.etcd.endpoints + "/elsewhere",
                     *self.login(self.alice, "laptop"))
        self.refused("logRefused", self.alice, *setup, *self.login(self.alice, "web1"), changes=True)
        self.ok(self.alice, "setup", "sync", "--undo", "-y")
        other = Authority(self.alice.path("files"), "other")
        for words in (("--ca", other.file), ()):
            refused = self.refused("notTrusted", self.alice, *setup, "--user", "laptop", "--password-file",
                                   self.word(self.alice), *words)
            self.assertIn(f"{self.etcd.endpoints} has a certificate of an authority", refused.json["error"]["message"])

    def test_what_a_login_needs(self):
        setup = ("setup", "sync", "etcd", self.etcd.endpoints)
        self.refused("inputNeeded", self.alice, *setup)
        self.refused("inputNeeded", self.alice, *setup, "--user", "laptop")
        self.refused("usage", self.alice, *setup, "--user", "laptop", "--cert", self.etcd.authority.file)
        self.refused("malformed", self.alice, *setup, "--user", "laptop", "--ca", self.word(self.alice))
        self.refused("malformed", self.alice, *setup, "--user", "laptop", "--password-file",
                     self.word(self.alice, "a\tb"))
        self.refused("malformed", self.alice, "setup", "sync", "etcd", "http://127.0.0.1:2379/x", "--user", "a",
                     "--password-file", self.word(self.alice))
        open_to_all = os.path.join(self.alice.home, "open")
        with open(open_to_all, "w", encoding="ascii") as file:
            file.write("x\n")
        os.chmod(open_to_all, 0o644)
        self.ends(6, self.alice, *setup, "--user", "laptop", "--password-file", open_to_all)
        self.refused("usage", self.alice, "accept", self.join(self.bob)["code"], "--user", "x")

    def test_a_password_is_typed(self):
        asked = Screen(self, self.alice, "setup", "sync", "etcd", self.etcd.endpoints, "--name", "laptop", "--ca",
                       self.etcd.authority.file)
        asked.sees("User of etcd: ")
        asked.enters("laptop")
        asked.sees("Password of laptop at etcd: ")
        asked.enters(PASSWORD)
        asked.sees("This vault is shared")
        self.assertEqual(asked.ends(), 0)
        self.assertNotIn("mark7c21", asked.text)
        admit = self.admit(self.alice, self.join(self.bob))
        asked = Screen(self, self.bob, "accept", admit["code"], "--ca", self.etcd.authority.file)
        asked.sees("Type the twelve digits")
        asked.enters(admit["number"])
        asked.sees("User of etcd: ")
        asked.enters("desktop")
        asked.sees("Password of desktop at etcd: ")
        asked.enters("wrong")
        asked.sees("refuses the user, the password")
        self.assertEqual(asked.ends(), 6)
        # The machine has joined; only its login is missing.
        refused = self.refused("logRefused", self.bob, "sync")
        self.assertIn("has no login for", refused.json["error"]["message"])
        self.ok(self.bob, "setup", "sync", "etcd", self.etcd.endpoints, *self.login(self.bob, "desktop"))
        self.are_equal(self.alice, self.bob)

    def test_a_joiner_that_gave_a_wrong_login_says_the_same_command_again(self):
        self.found_there()
        admit = self.admit(self.alice, self.join(self.bob))
        words = ("accept", admit["code"], "--expect", admit["number"])
        self.refused("logRefused", self.bob, *words, *self.login(self.bob, "desktop", "wrong"), changes=True, plain=False)
        self.ok(self.bob, *words, *self.login(self.bob, "desktop"))
        self.are_equal(self.alice, self.bob)

    def test_setup_again_changes_only_the_login(self):
        self.together_there()
        self.etcd.control("user", "passwd", "laptop", "--interactive=false", given="new-word\n")
        self.refused("logRefused", self.alice, "sync")
        setup = ("setup", "sync", "etcd", self.etcd.endpoints)
        self.refused("logRefused", self.alice, *setup, "--user", "laptop", "--password-file", self.word(self.alice))
        # The authority stays as it was.
        again = self.ok(self.alice, *setup, "--user", "laptop", "--password-file", self.word(self.alice, "new-word"),
                        "--json").result
        self.assertEqual((again["name"], again["changed"]), ("laptop", False))
        self.are_equal(self.alice, self.bob)
        self.ok(self.alice, *setup)
        self.refused("logExists", self.alice, "setup", "sync", "etcd", self.etcd.endpoints + "/hsip/more",
                     *self.login(self.alice, "laptop", "new-word"))

    def test_a_login_goes_to_no_other_server(self):
        """A vault that leaves and joins elsewhere sends its old password to nobody."""
        self.together_there()
        self.ok(self.alice, "machine", "revoke", "desktop", "-y")
        self.refused("machineRevoked", self.bob, "sync", changes=True)
        join = self.join(self.bob)
        self.refused("logExists", self.bob, "setup", "sync", "etcd", self.etcd.endpoints + "/other")
        self.ok(self.alice, "setup", "sync", "--undo", "-y")
        self.etcd.control("role", "grant-permission", "writer", "readwrite", "--prefix=true", "/other/")
        self.ok(self.alice, "setup", "sync", "etcd", self.etcd.endpoints + "/other", *self.login(self.alice, "laptop"))
        admit = self.admit(self.alice, join)
        self.refused("inputNeeded", self.bob, "accept", admit["code"], "--expect", admit["number"], changes=True)


class Moves(EtcdCase):
    def test_a_restored_vault_has_its_login_and_an_export_has_none(self):
        self.together_there()
        backup, export = self.alice.path("files", "copy"), self.alice.path("files", "v.hsipexport")
        self.ok(self.alice, "vault", "backup", backup)
        self.put(self.bob, "x", "1")
        self.sync(self.bob)
        self.ok(self.alice, "vault", "restore", backup, "--force", "--accept-rollback", "-y")
        self.sync(self.alice)
        self.assertEqual(self.value(self.alice, "x"), "1")
        word = self.alice.write("secrets/word", "of the export\n")
        self.ok(self.alice, "vault", "export", "--to", "hsip", "-o", export, "--export-passphrase-file", word, "--weak")
        carol = newcomer("carol")
        self.ok(carol, "vault", "import", export, "--export-passphrase-file", word)
        self.assertEqual(self.names(carol), ["x"])
        self.assertEqual([name for name in carol.records() if name[0].startswith("log.")], [])


class Paper(EtcdCase):
    def test_a_new_machine_reads_everything_by_the_code_on_paper(self):
        self.put(self.alice, "db", "first")
        self.found_there()
        file = self.alice.path("files", "paper")
        self.ok(self.alice, "machine", "paper", "-o", file)
        where = ("sync", "recover", "etcd", self.etcd.endpoints, "--name", "new", "--code-file", file)
        self.refused("logRefused", self.bob, *where, *self.login(self.bob, "desktop", "wrong"), plain=False)
        self.refused("inputNeeded", self.bob, *where)
        self.ok(self.bob, *where, *self.login(self.bob, "desktop"))
        self.assertEqual(self.value(self.bob, "db"), "first")
        self.assertIn(("log.login", "self"), self.bob.records())
        self.ok(self.bob, "machine", "revoke", "laptop", "-y")
        self.put(self.bob, "db", "second")
        self.sync(self.bob)
        self.refused("machineRevoked", self.alice, "sync", changes=True)


class Secrecy(EtcdCase):
    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_the_password_is_in_no_argument_environment_or_file(self):
        folder = self.alice.path("files", "trace")
        os.makedirs(folder)
        traced = (strace.STRACE, "-ff", "-qq", "-v", "-s", "100000", "-e", "trace=execve,execveat,network,%file", "-o",
                  os.path.join(folder, "of"))
        words = self.login(self.alice, "laptop")
        self.ok(self.alice, "setup", "sync", "etcd", self.etcd.endpoints, *words, before=traced)
        self.put(self.alice, "db", "second")
        self.ok(self.alice, "sync", before=traced)
        self.ok(self.alice, "sync", "-v")
        network: dict[str, int] = {}
        for path in glob.glob(os.path.join(folder, "of.*")):
            program = "hsip"
            with open(path, encoding="utf-8", errors="replace") as file:
                for line in file:
                    self.assertNotIn("mark7c21", line)
                    # Only the authority that was named is trusted.
                    self.assertNotIn("/etc/ssl/certs", line)
                    became = re.match(r'execve(?:at)?\((?:[^"]*)"([^"]+)".* = 0$', line)
                    if became:
                        program = os.path.basename(became[1])
                    network[program] = network.get(program, 0) + bool(re.search(r"AF_INET|sin_addr", line))
        self.assertEqual(network["hsip"], 0, network)
        self.assertGreater(network["curl"], 0, network)
        os.unlink(self.alice.path("secrets", "etcd"))
        for place, _, names in os.walk(self.alice.home):
            for name in names:
                if not os.path.isfile(os.path.join(place, name)):
                    continue
                with open(os.path.join(place, name), "rb") as file:
                    self.assertNotIn(b"mark7c21", file.read(), name)

    def test_with_an_agent_that_gives_the_login_to_hsip_alone(self):
        self.found_there()
        agent = ag.Hsip(self.alice)
        agent.askpass.says_always_yes()
        self.alice.uses_agent = True
        self.put(self.alice, "db", "second")
        self.assertEqual(self.sync(self.alice)["sent"], 1)
        self.assertIn("log.login", self.ok(self.alice, "audit").output)
        agent.stop()


if __name__ == "__main__":
    unittest.main()
