"""One vault on several machines: two homes, and a git repository or a folder between them."""

import glob
import os
import shlex
import shutil

from house import Person, newcomer, unittest
from sync_case import SyncCase


class OverAndBack(SyncCase):
    def test_a_password_goes_over_and_back(self):
        self.put(self.alice, "db/prod", "first")
        self.found()
        join = self.join(self.bob)
        self.assertRegex(join["code"], "^HSIP:JOIN1")
        self.assertRegex(join["number"], r"^\d{3} \d{3} \d{3} \d{3}$")
        admit = self.admit(self.alice, join)
        self.assertRegex(admit["code"], "^HSIP:ADMIT1")
        entered = self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"], "--json").result
        self.assertEqual(self.value(self.bob, "db/prod"), "first")
        self.assertEqual(entered["renamed"], [])
        self.put(self.bob, "db/prod", "second")
        self.assertEqual(self.sync(self.bob)["sent"], 1)
        came = self.ok(self.alice, "sync")
        self.assertIn("Received 1 change from desktop.", came.talk)
        self.assertEqual(self.value(self.alice, "db/prod"), "second")
        self.assertIn("Nothing new.", self.ok(self.alice, "sync").talk)

    def test_the_same_over_a_folder(self):
        place = self.alice.path("files", "stick")
        os.makedirs(place, mode=0o700)
        self.put(self.alice, "mail", "one")
        self.together(kind="folder", place=place)
        self.assertEqual(self.value(self.bob, "mail"), "one")
        self.put(self.bob, "wiki", "two")
        self.sync(self.bob)
        self.assertEqual(self.sync(self.alice)["received"], 1)
        self.assertEqual(self.value(self.alice, "wiki"), "two")

    def test_ssh_keys_and_hosts_go_over(self):
        self.ok(self.alice, "ssh", "key", "generate", "work")
        self.ok(self.alice, "ssh", "host", "add", "db1", "--address", "db1.example.org", "--user", "admin",
                "--key", "work")
        self.found()
        admit = self.admit(self.alice, self.join(self.bob))
        asked = self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])
        self.assertRegex(asked.talk, r"Received \d changes from laptop\.")
        for words in (("ssh", "key", "export", "work", "--public"), ("ssh", "host", "show", "db1")):
            self.assertEqual(self.ok(self.alice, *words).output, self.ok(self.bob, *words).output)

    def test_secrets_stay_that_are_marked_local(self):
        self.ok(self.alice, "secret", "set", "here", "--tag", "local", given="x")
        self.put(self.alice, "there", "y")
        self.together()
        self.assertEqual(self.names(self.bob), ["there"])

    def test_the_list_of_machines(self):
        self.refused("noLog", self.alice, "machine")
        self.together()
        self.sync(self.alice)
        machines = self.ok(self.alice, "machine", "--json").result["machines"]
        self.assertEqual([(one["name"], one["role"], one["thisMachine"]) for one in machines],
                         [("desktop", "keeper", False), ("laptop", "keeper", True)])
        self.assertIn("laptop\tkeeper\t", self.ok(self.alice, "machine").output)
        status = self.ok(self.alice, "status", "--json").result["machines"]
        self.assertEqual(status, {"names": ["desktop", "laptop"], "stage": "member", "waiting": False, "conflicts": 0,
                                  "kept": 0, "restored": False})
        self.assertIn("machines\tdesktop, laptop", self.ok(self.alice, "status").output)
        self.assertIsNone(newcomer("carol").run("status", "--json").result["machines"])

    def test_a_reader_sends_nothing(self):
        self.put(self.alice, "db", "first")
        self.together("--reader")
        self.put(self.bob, "own", "stays")
        self.assertIn("only reads; 1 change of its own stays here.", self.ok(self.bob, "sync").talk)
        self.assertEqual(self.sync(self.alice)["received"], 0)
        self.assertEqual(self.names(self.alice), ["db"])
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        self.sync(self.bob)
        self.assertEqual(self.value(self.bob, "db"), "second")

    def test_three_machines(self):
        self.put(self.alice, "db", "first")
        self.together()
        carol = newcomer("carol")
        admit = self.admit(self.bob, self.join(carol, "tablet"))
        self.ok(carol, "accept", admit["code"], "--expect", admit["number"])
        self.put(carol, "db", "third")
        self.sync(carol)
        for person in (self.alice, self.bob):
            self.sync(person)
            self.assertEqual(self.value(person, "db"), "third")


class AtOnce(SyncCase):
    def test_both_change_one_secret(self):
        self.put(self.alice, "db/prod", "first")
        self.together()
        self.put(self.alice, "db/prod", "of alice")
        self.put(self.bob, "db/prod", "of bob")
        self.sync(self.alice)
        came = self.sync(self.bob)
        self.assertEqual(came["conflicts"], ["db/prod"])
        self.sync(self.alice)
        self.assertEqual(self.value(self.alice, "db/prod"), self.value(self.bob, "db/prod"))
        for person in (self.alice, self.bob):
            shown = self.ok(person, "secret", "show", "db/prod", "--json").result
            versions = len(shown["versions"])
            values = {self.ok(person, "secret", "get", "db/prod", "--version", str(number)).output.strip()
                      for number in range(1, versions + 1)}
            self.assertLessEqual({"of alice", "of bob"}, values)

    def test_one_name_on_both_sides(self):
        self.put(self.alice, "mail", "of alice")
        self.put(self.bob, "mail", "of bob")
        self.found()
        admit = self.admit(self.alice, self.join(self.bob))
        entered = self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"], "--json").result
        self.assertEqual(entered["renamed"], [{"from": "mail", "to": "mail-2"}])
        self.sync(self.alice)
        for person in (self.alice, self.bob):
            self.assertEqual((self.value(person, "mail"), self.value(person, "mail-2")), ("of alice", "of bob"))

    def test_two_syncs_wait_for_each_other(self):
        self.together()
        self.put(self.alice, "db", "x")
        running = [self.alice.start("sync", "--json") for _ in range(3)]
        told = [one.communicate(timeout=60) for one in running]
        self.assertEqual([one.returncode for one in running], [0, 0, 0], told)
        self.assertEqual(self.sync(self.bob)["received"], 1)


    def meddler(self, person: Person, *commands: list[str]) -> str:
        """A PATH with a git that lets another machine do something before each of the first pushes."""
        folder = person.path("files", "meddler")
        os.makedirs(folder)
        script = ["#!/bin/sh", 'case " $* " in *" push "*)', "n=0"]
        for number, command in enumerate(commands):
            words = " ".join(map(shlex.quote, command))
            script += [f"if [ $n = 0 ] && mkdir {folder}/{number} 2>/dev/null; then n=1; {words} >/dev/null 2>&1; fi"]
        script += [";; esac", 'exec /usr/bin/git "$@"']
        with open(os.path.join(folder, "git"), "w", encoding="utf-8") as file:
            file.write("\n".join(script) + "\n")
        os.chmod(os.path.join(folder, "git"), 0o755)
        return f"{folder}:/usr/bin:/bin"

    def calling(self, person: Person, *words: str) -> list[str]:
        settings = [f"{name}={value}" for name, value in person.environment().items()]
        return ["env", "-i", *settings, *person.command(*words)]

    def test_another_machine_is_faster_each_time(self):
        self.together()
        carol = newcomer("carol")
        join = self.join(carol, "tablet")
        # Each is sent a moment before the push of the other machine.
        self.put(self.bob, "one", "1")
        path = self.meddler(self.alice, self.calling(self.bob, "sync"),
                            self.calling(self.bob, "secret", "generate", "two"), self.calling(self.bob, "sync"))
        self.put(self.alice, "mine", "x")
        came = self.ok(self.alice, "sync", "--json", PATH=path).result
        self.assertEqual((came["sent"], came["received"]), (1, 1))
        shutil.rmtree(self.alice.path("files", "meddler"))
        path = self.meddler(self.alice, self.calling(self.bob, "sync"))
        admit = self.ok(self.alice, "accept", join["code"], "--expect", join["number"], "--json", PATH=path).result
        self.ok(carol, "accept", admit["code"], "--expect", admit["number"])
        self.sync(self.alice)
        self.assertLessEqual({"mine", "one", "two"}, set(self.names(carol)) & set(self.names(self.alice)))
        self.assertEqual(len(self.ok(carol, "machine", "--json").result["machines"]), 3)


class Setup(SyncCase):
    def test_an_address_with_a_log(self):
        self.found()
        outcome = self.refused("logExists", self.bob, "setup", "sync", "git", self.remote)
        self.assertEqual(outcome.json["error"]["hint"], "hsip setup sync join")

    def test_twice_changes_nothing(self):
        self.assertIs(self.found()["changed"], True)
        self.assertIs(self.found()["changed"], False)
        self.refused("logExists", self.alice, "setup", "sync", "folder", self.alice.path("files"))

    def test_undo_keeps_the_secrets(self):
        self.put(self.alice, "db", "x")
        self.together()
        beside = glob.glob(self.alice.path("state", "hsip", "log*"))
        self.assertEqual(len(beside), 2)
        self.refused("inputNeeded", self.alice, "setup", "sync", "git", "--undo")
        self.ok(self.alice, "setup", "sync", "git", "--undo", "-y")
        self.assertEqual(glob.glob(self.alice.path("state", "hsip", "log-*")), [])
        self.assertEqual(glob.glob(self.alice.path("state", "hsip", "log", "*")), [])
        self.assertEqual(self.value(self.alice, "db"), "x")
        self.refused("noLog", self.alice, "sync")
        self.ok(self.alice, "setup", "sync", "git", "--undo")

    def test_addresses(self):
        for address in ("https://u:p@example.org/x.git", "ext::sh -c id", "-x", "vault.git"):
            self.refused("malformed", self.alice, "setup", "sync", "git", address if address[0] != "-" else "./-x")
        self.refused("malformed", self.alice, "setup", "sync", "folder", "here")
        self.refused("logUnreachable", self.alice, "setup", "sync", "git", "/nonexistent/x.git")
        watched = self.alice.path("files", "copied")
        os.makedirs(os.path.join(watched, ".stfolder"))
        self.refused("copiedFolder", self.alice, "setup", "sync", "folder", os.path.join(watched, "log"))
        self.refused("usage", self.alice, "setup", "sync", "git")


class ThroughAgent(SyncCase):
    through_agent = True

    def test_a_password_goes_over_and_back(self):
        self.put(self.alice, "db", "first")
        self.together()
        self.assertEqual(self.value(self.bob, "db"), "first")
        self.put(self.bob, "db", "second")
        self.sync(self.bob)
        self.assertEqual(self.sync(self.alice)["received"], 1)
        self.assertEqual(self.value(self.alice, "db"), "second")

    def test_a_first_read_that_is_too_large_for_the_agent(self):
        for number in range(11):
            self.put(self.alice, f"s{number}", "x" * 800_000)
        self.found()
        admit = self.admit(self.alice, self.join(self.bob))
        words = ("accept", admit["code"], "--expect", admit["number"])
        refused = self.refused("requestTooLarge", self.bob, *words, plain=False, changes=True)
        self.assertEqual(refused.json["error"]["hint"], "hsip --no-agent sync")
        self.assertGreaterEqual(self.sync(self.bob, "--no-agent")["received"], 11)
        self.put(self.bob, "s3", "y")
        self.sync(self.bob)
        self.sync(self.alice)
        self.assertEqual(self.value(self.alice, "s3"), "y")
        self.assertEqual(len(self.names(self.alice)), 11)


if __name__ == "__main__":
    unittest.main()
