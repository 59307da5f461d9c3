"""Setting up a log in etcd: the operator's script, logins that cannot work, two at once; moves between git and etcd."""

import os
import shlex
import subprocess

from etcd_place import PASSWORD, Etcd, free_port
from house import unittest
from screen import Screen
from test_sync_etcd import EtcdCase


class Script(EtcdCase):
    """What `--print-etcd` prints, run by an operator of an etcd without users."""

    def setUp(self):
        super().setUp()
        self.etcd = Etcd(self)

    def operator(self, *words: str, prefix: str = "/hsip", writers: str = "laptop desktop", readers: str = "web1",
                 **environment: str) -> subprocess.CompletedProcess:
        """Runs the script with these lines of passwords."""
        path = self.alice.write("files/etcd.sh", self.ok(
            self.alice, "setup", "sync", "etcd", self.etcd.endpoints + prefix, "--print-etcd", "--user", "laptop").output)
        return subprocess.run(
            ["sh", path], input="".join(word + "\n" for word in words), capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "ETCDCTL_CACERT": self.etcd.authority.file, "WRITERS": writers,
                 "READERS": readers} | environment)

    def may_found(self, word: str, prefix: str = "/hsip", user: str = "laptop"):
        self.ok(self.alice, "setup", "sync", "etcd", self.etcd.endpoints + prefix, *self.login(self.alice, user, word))

    def test_a_run_without_a_password_says_whose_and_the_next_run_goes_on(self):
        done = self.operator("one", "two")
        self.assertEqual((done.returncode, done.stderr), (1, "no password for web1\n"))
        done = self.operator("other", "two", "three")
        self.assertEqual((done.returncode, done.stderr), (1, "no password for root\n"))
        done = self.operator("other", "two", "three", "four")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("User laptop exists.", done.stdout)
        # Its password is that of the first run.
        self.may_found("one")

    def test_a_finished_script_runs_again_for_more_users(self):
        self.assertEqual(self.operator("one", "two", "three", "four").returncode, 0)
        root = {"ETCDCTL_USER": "root", "ETCDCTL_PASSWORD": "four"}
        done = self.operator("-", "-", "five", "-", writers="laptop desktop phone", **root)
        self.assertEqual(done.returncode, 0, done)
        self.may_found("five", user="phone")

    def test_two_logs_in_one_etcd_have_roles_of_their_own(self):
        self.assertEqual(self.operator("one", "two", "three", "four", prefix="/a/b.c_d-e").returncode, 0)
        root = {"ETCDCTL_USER": "root", "ETCDCTL_PASSWORD": "four"}
        done = self.operator("five", prefix="/other", writers="phone", readers="", **root)
        self.assertEqual(done.returncode, 0, done)
        listed = subprocess.run(["etcdctl", "role", "list"], capture_output=True, text=True,
                                env=self.etcd.environment | root)
        self.assertEqual(listed.stdout.split(), ["hsip-reader-a__b_dc_ud-e", "hsip-reader-other",
                                                 "hsip-writer-a__b_dc_ud-e", "hsip-writer-other", "root"])
        words = ("setup", "sync", "etcd", self.etcd.endpoints + "/a/b.c_d-e")
        self.refused("logRefused", self.alice, *words, *self.login(self.alice, "phone", "five"))
        self.may_found("five", prefix="/other", user="phone")

    def test_a_user_who_would_be_an_option_is_refused(self):
        for user in ("-x", ""):
            self.refused("usage", self.alice, "setup", "sync", "etcd", self.etcd.endpoints, "--print-etcd", f"--user={user}")


class Beginning(EtcdCase):
    def test_two_that_begin_at_once_and_the_way_out_of_the_second(self):
        folder = self.bob.path("files", "bin")
        os.makedirs(folder)
        alice = [*self.alice.command("setup", "sync", "etcd", self.etcd.endpoints, "--name", "laptop"),
                 *self.login(self.alice, "laptop")]
        variables = [f"{name}={value}" for name, value in self.alice.environment().items()]
        self.bob.write("files/bin/curl", f"""#!/bin/sh
cat >{folder}/call.$$
if grep -q request_put {folder}/call.$$ && mkdir {folder}/once 2>/dev/null; then
    env -i {shlex.join(variables + alice)} >/dev/null 2>&1 || exit 1
fi
exec /usr/bin/curl "$@" <{folder}/call.$$
""", 0o700)
        setup = ("setup", "sync", "etcd", self.etcd.endpoints, *self.login(self.bob, "desktop"))
        second = self.bob.run(*setup, "--json", PATH=f"{folder}:/usr/bin:/bin")
        self.assertTrue(os.path.isdir(os.path.join(folder, "once")), second)
        for outcome in (second, self.bob.run(*setup, "--json")):
            error = outcome.json["error"]
            self.assertEqual((error["code"], error["hint"]), ("logExists", "hsip setup sync --undo"))
            self.assertIn("has the shared log of another machine", error["message"])
        self.ok(self.bob, "setup", "sync", "--undo", "-y")
        self.enter(self.bob, self.admit(self.alice, self.join(self.bob)), "desktop")
        self.are_equal(self.alice, self.bob)

    def test_no_user_is_refused_whether_etcd_has_users_or_not(self):
        for etcd in (self.etcd, Etcd(self)):
            asked = Screen(self, self.alice, "setup", "sync", "etcd", etcd.endpoints, "--ca", etcd.authority.file)
            asked.sees("User of etcd: ")
            asked.enters("")
            asked.sees("needs a user for each machine")
            self.assertEqual(asked.ends(), 6)
            self.refused("logRefused", self.alice, "setup", "sync", "etcd", etcd.endpoints, "--ca", etcd.authority.file,
                         "--user", "", "--cert", etcd.authority.path("client", "pem"),
                         "--key", etcd.authority.path("client", "key"))
            self.assertEqual(etcd.keys(), [])

    def test_an_etcd_that_does_not_answer_hints_the_command_that_was_said(self):
        place = f"https://127.0.0.1:{free_port()}"
        refused = self.refused("logUnreachable", self.alice, "setup", "sync", "etcd", place,
                               *self.login(self.alice, "laptop"))
        self.assertEqual(refused.json["error"]["hint"], f"hsip setup sync etcd '{place}/hsip' --user laptop")
        self.found_there()
        admit = self.admit(self.alice, self.join(self.bob))
        self.etcd.stop()
        refused = self.refused("logUnreachable", self.bob, "accept", admit["code"], "--expect", admit["number"],
                               *self.login(self.bob, "desktop"), changes=True, plain=False)
        self.assertEqual(refused.json["error"]["hint"], "hsip accept")
        self.etcd.again()
        self.enter(self.bob, admit, "desktop")

    def test_a_vault_that_is_shared_elsewhere_asks_for_no_password(self):
        self.found_there()
        self.refused("logExists", self.alice, "setup", "sync", "etcd", "https://127.0.0.1:1", "--user", "q")

    def test_files_that_cannot_be_used_are_named(self):
        setup = ("setup", "sync", "etcd", self.etcd.endpoints, "--user", "laptop")
        pipe, large = self.alice.path("files", "pipe"), self.alice.write("files/large", "x" * 70_000)
        os.mkfifo(pipe)
        for code, option, path in (("notFound", "--ca", "/nope"), ("tooLarge", "--ca", large), ("unsafeFile", "--ca", pipe)):
            with self.subTest(path):
                message = self.alice.run(*setup, option, path, "--json").json["error"]["message"]
                self.assertIn(os.path.basename(path), message)
                self.assertNotIn("unexpectedly", message)
        name = self.alice.write("files/a\nb", "")
        refused = self.refused("malformed", self.alice, *setup, "--cert", name, "--key", name)
        self.assertIn("a control character in its name", refused.json["error"]["message"])

    def test_an_empty_password_is_told_as_one(self):
        asked = Screen(self, self.alice, "setup", "sync", "etcd", self.etcd.endpoints, "--user", "laptop", "--ca",
                       self.etcd.authority.file)
        asked.sees("Password of laptop at etcd: ")
        asked.enters("")
        asked.sees("the password of laptop is empty")
        self.assertNotEqual(asked.ends(), 0)


class Moves(EtcdCase):
    def test_a_log_moves_from_git_to_etcd_and_back(self):
        """As docs/etcd.md has it: sync, stop sharing everywhere, begin there, join."""
        self.put(self.alice, "db", "first")
        self.together()
        self.put(self.bob, "mail", "second")
        self.are_equal(self.bob, self.alice)
        for number, place in enumerate(("etcd", "git")):
            for person in (self.bob, self.alice):
                self.sync(person)
                self.ok(person, "setup", "sync", "--undo", "-y")
            if place == "etcd":
                self.together_there()
            else:
                self.on_remote("update-ref", "-d", self.branch)
                self.together()
            self.assertEqual(self.names(self.bob), self.names(self.alice))
            self.assertEqual(self.ok(self.bob, "sync", "conflicts", "--json").result["conflicts"], [])
            self.put(self.bob, "db", f"changed-{number}")
            self.are_equal(self.bob, self.alice)
            self.assertEqual(self.value(self.alice, "db"), f"changed-{number}")
        # etcd keeps the old log until its operator deletes it.
        self.assertNotEqual(self.etcd.keys(), [])

    def test_servers_in_the_address_that_change(self):
        """The address is part of the log: it stays as it is, and the names in it get other servers."""
        self.together_there()
        self.refused("logExists", self.alice, "setup", "sync", "etcd", f"{self.etcd.endpoints},https://127.0.0.1:1",
                     *self.login(self.alice, "laptop"))

    def test_a_machine_that_had_not_seen_the_lost_entries_writes_and_the_other_is_told(self):
        self.together_there()
        self.are_equal(self.alice, self.bob)
        old = self.etcd.values()
        self.put(self.alice, "x", "1")
        self.sync(self.alice)
        self.etcd.replace(old)
        self.sync(self.bob)
        self.put(self.bob, "y", "1")
        self.assertEqual(self.sync(self.bob)["sent"], 1)
        error = self.refused("logForked", self.alice, "sync", changes=True).json["error"]
        self.assertEqual(error["exit"], 11)
        self.assertEqual(self.value(self.alice, "x"), "1")

    def test_an_etcd_that_lost_its_newest_entries_begins_anew(self):
        self.put(self.alice, "db", "first")
        self.together_there()
        old = self.etcd.values()
        self.put(self.alice, "x", "1")
        self.are_equal(self.alice, self.bob)
        self.put(self.bob, "unsent", "2")
        self.etcd.replace(old)
        for person in (self.alice, self.bob):
            self.refused("logBehind", person, "sync", changes=True)
            self.ok(person, "setup", "sync", "--undo", "--forget", "-y")
        self.etcd.control("del", "/hsip/", "--prefix")
        self.together_there()
        self.are_equal(self.bob, self.alice)
        self.assertEqual(self.names(self.alice), ["db", "unsent", "x"])


if __name__ == "__main__":
    unittest.main()
