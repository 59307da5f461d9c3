"""One vault on several machines: two homes, and a git repository or a folder between them."""

import glob
import os
import shlex
import shutil
import signal
import subprocess

import agents
import strace
from house import Person, newcomer, unittest
from screen import Screen
from sync_case import SyncCase


class Conflicts(SyncCase):
    """What two machines did apart is kept until a person settles it."""

    def setUp(self):
        super().setUp()
        self.put(self.alice, "db/prod", "first")
        self.together()

    def conflicts(self, person: Person) -> list[tuple]:
        found = self.ok(person, "sync", "conflicts", "--json").result["conflicts"]
        return [(one["name"], one["reason"], one["other"], one["machine"]) for one in found]

    def test_a_secret_that_both_changed(self):
        self.put(self.alice, "db/prod", "of laptop")
        self.put(self.bob, "db/prod", "of desktop")
        self.sync(self.alice)
        self.assertEqual(self.sync(self.bob)["conflicts"], ["db/prod"])
        self.assertEqual(self.conflicts(self.bob), [("db/prod", "bothChanged", None, "laptop")])
        self.assertEqual(self.conflicts(self.alice), [])
        self.assertEqual(self.ok(self.bob, "status", "--json").result["machines"]["conflicts"], 1)
        self.assertIn("db/prod\tsecret\tchanged on both machines\tlaptop\t", self.ok(self.bob, "sync", "conflicts").output)
        found = self.bob.run("doctor", "--json").result["findings"]
        self.assertIn(("machines", "1 conflict between your machines to settle", "hsip sync conflicts"),
                      [(one["check"], one["message"], one["hint"]) for one in found])
        settled = self.ok(self.bob, "sync", "settle", "db/prod", "--theirs", "--json").result
        self.assertEqual([one["name"] for one in settled["conflicts"]], ["db/prod"])
        self.assertEqual(self.value(self.bob, "db/prod"), "of laptop")
        self.sync(self.bob)
        self.assertEqual(self.sync(self.alice)["conflicts"], [])
        self.assertEqual(self.value(self.alice, "db/prod"), "of laptop")
        versions = self.ok(self.alice, "secret", "show", "db/prod", "--json").result["versions"]
        self.assertEqual(len(versions), 4)
        self.refused("noConflict", self.bob, "sync", "settle", "db/prod", "--theirs")
        self.refused("usage", self.bob, "sync", "settle", "db/prod")

    def test_a_name_that_means_another_secret_now(self):
        self.put(self.alice, "mail", "of laptop")
        self.put(self.bob, "mail", "of desktop")
        self.sync(self.alice)
        self.assertEqual(self.sync(self.bob)["renamed"], [{"from": "mail", "to": "mail-2"}])
        got = self.ok(self.bob, "secret", "get", "mail", "--json")
        self.assertEqual(got.result["value"], "of laptop")
        self.assertEqual(got.warnings, ["nameMeansOther"])
        # Programs see no warning.
        ran = self.bob.run("run", "--", "true", MAIL="vault:mail")
        self.assertEqual(ran.code, 125)
        self.assertIn("means another secret than before", ran.talk)
        self.ok(self.bob, "sync", "settle", "mail-2", "--mine")
        self.assertEqual(self.value(self.bob, "mail"), "of desktop")
        self.assertEqual(self.value(self.bob, "mail-2"), "of laptop")
        self.sync(self.bob)
        came = self.sync(self.alice)
        self.assertEqual((came["conflicts"], came["renamed"]), ([], []))
        self.assertEqual(self.value(self.alice, "mail"), "of desktop")
        self.assertEqual(self.names(self.alice), self.names(self.bob))


class Heads(SyncCase):
    def test_machines_compare_their_history_by_code_and_by_digits(self):
        self.together()
        mine = self.ok(self.alice, "sync", "head", "--json").result
        self.assertRegex(mine["code"], "^HSIP:HEAD1")
        self.ok(self.bob, "sync", "head", mine["number"])
        self.ok(self.bob, "sync", "head", mine["code"])
        self.put(self.bob, "x", "1")
        self.sync(self.bob)
        # An earlier entry is found by its links.
        self.assertEqual(self.ok(self.bob, "sync", "head", mine["code"], "--json").result["place"], mine["place"])
        self.refused("numberDiffers", self.bob, "sync", "head", mine["number"])
        theirs = self.ok(self.bob, "sync", "head", "--json").result
        self.refused("headAhead", self.alice, "sync", "head", theirs["code"])
        self.sync(self.alice)
        self.ok(self.alice, "sync", "head", theirs["code"])

    def test_another_history_is_found_out(self):
        """The server shows each machine a line of its own."""
        self.together()
        shutil.copytree(self.remote, self.remote + ".other")
        self.put(self.bob, "x", "1")
        self.sync(self.bob)
        head = self.ok(self.bob, "sync", "head", "--json").result
        shutil.rmtree(self.remote)
        os.rename(self.remote + ".other", self.remote)
        self.put(self.alice, "y", "2")
        self.sync(self.alice)
        self.put(self.alice, "z", "3")
        self.sync(self.alice)
        self.refused("logForked", self.alice, "sync", "head", head["code"])


class Revoked(SyncCase):
    def test_a_machine_that_is_removed_reads_nothing_newer(self):
        self.put(self.alice, "db/prod", "before")
        self.together()
        self.refused("unknownMachine", self.alice, "machine", "revoke", "nobody", "-y")
        self.refused("notAllowed", self.alice, "machine", "revoke", "laptop", "-y")
        done = self.ok(self.alice, "machine", "revoke", "desktop", "-y", "--json").result
        self.assertEqual(done, {"machine": "desktop", "readable": ["db/prod"]})
        self.put(self.alice, "new", "after")
        self.sync(self.alice)
        self.refused("machineRevoked", self.bob, "sync", changes=True)
        self.refused("machineRevoked", self.bob, "sync")
        self.assertEqual(self.names(self.bob), ["db/prod"])
        listed = self.ok(self.alice, "machine", "--json").result["machines"]
        self.assertEqual([machine["name"] for machine in listed], ["laptop"])
        # It may join again, under new keys.
        admit = self.admit(self.alice, self.join(self.bob))
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])
        self.assertEqual(self.value(self.bob, "new"), "after")

    def test_a_removal_that_cannot_be_sent_changes_nothing(self):
        self.together()
        os.rename(self.remote, self.remote + ".away")
        self.refused("logUnreachable", self.alice, "machine", "revoke", "desktop", "-y")
        os.rename(self.remote + ".away", self.remote)
        self.sync(self.alice)
        self.assertEqual(len(self.ok(self.alice, "machine", "--json").result["machines"]), 2)


class Timer(SyncCase):
    def test_the_units_are_written_and_removed(self):
        done = self.ok(self.alice, "setup", "sync", "timer", "-y", "--json").result
        self.assertTrue(done["changed"])
        folder = os.path.dirname(done["changes"][0]["path"])
        with open(os.path.join(folder, "hsip-sync.service"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("--no-input --quiet sync now --unattended\n", text)
        self.assertIn("OnUnitInactiveSec=5min", open(os.path.join(folder, "hsip-sync.timer"), encoding="utf-8").read())
        self.ok(self.alice, "setup", "sync", "timer", "--undo", "-y")
        self.assertEqual(glob.glob(os.path.join(folder, "hsip-sync*")), [])

    def test_an_unlock_syncs_at_once_if_the_timer_is_set_up(self):
        tools = self.alice.path("files", "tools")
        os.mkdir(tools)
        calls = os.path.join(tools, "calls")
        with open(os.path.join(tools, "systemctl"), "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$*" >> {calls}\n')
        os.chmod(os.path.join(tools, "systemctl"), 0o755)
        path = {"PATH": f"{tools}:/usr/bin:/bin"}
        self.ok(self.alice, "setup", "sync", "timer", "-y", **path)
        agent = agents.Hsip(self.alice, secret=None)
        agent.unlock()

        def started() -> bool:
            with open(calls, encoding="utf-8") as file:
                return "--user --quiet start --no-block hsip-sync.service\n" in file.readlines()

        self.assertFalse(started())
        agent.lock()
        agent.unlock("recovery", **path)
        self.assertTrue(started())

    def test_nothing_happens_while_the_vault_is_locked(self):
        self.together()
        tip = self.tip
        self.put(self.alice, "x", "1")
        locked = self.alice.run("--no-input", "sync", "now", "--unattended", secret=None)
        self.assertEqual(locked.code, 0, locked)
        self.assertIn("locked", locked.talk)
        self.assertEqual(self.tip, tip)
        self.ok(self.alice, "sync", "now", "--unattended")
        self.assertNotEqual(self.tip, tip)


    def test_nothing_happens_while_the_agent_is_locked(self):
        self.together()
        agent = agents.Hsip(self.alice)
        agent.lock()
        locked = self.alice.run("--no-input", "sync", "now", "--unattended", secret=None)
        self.assertEqual(locked.code, 0, locked)
        self.assertIn("locked", locked.talk)


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
        self.assertEqual(status, {"names": ["desktop", "laptop"], "stage": "member", "waiting": False, "conflicts": 0})
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


class Numbers(SyncCase):
    def test_wrong_digits_change_nothing(self):
        self.found()
        join = self.join(self.bob)
        tip = self.tip
        self.refused("numberDiffers", self.alice, "accept", join["code"], "--expect", "000 000 000 000")
        self.refused("inputNeeded", self.alice, "accept", join["code"])
        self.assertEqual(self.tip, tip)
        admit = self.admit(self.alice, join)
        self.refused("numberDiffers", self.bob, "accept", admit["code"], "--expect", join["number"])
        self.refused("noLog", self.bob, "sync")
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])

    def test_a_taken_name_is_refused_before_digits(self):
        self.found()
        join = self.join(self.bob, "laptop")
        self.refused("machineNameTaken", self.alice, "accept", join["code"])
        self.admit(self.alice, self.join(self.bob, "desktop"))

    def test_a_join_code_twice(self):
        self.found()
        join = self.join(self.bob)
        self.admit(self.alice, join)
        admit = self.admit(self.alice, join)
        self.put(self.bob, "of bob", "x")
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])
        self.sync(self.alice)
        again = self.ok(self.alice, "accept", join["code"])
        self.assertIn("desktop shares this vault already", again.talk)

    def test_codes_in_the_wrong_place(self):
        self.found()
        join = self.join(self.bob)
        admit = self.admit(self.alice, join)
        carol = newcomer("carol")
        self.refused("noLog", carol, "accept", join["code"], "--expect", join["number"])
        self.refused("noLog", carol, "accept", admit["code"], "--expect", admit["number"])
        self.join(carol, "tablet")
        self.refused("otherJoin", carol, "accept", admit["code"], "--expect", admit["number"])
        self.refused("logExists", self.alice, "accept", admit["code"], "--expect", admit["number"])
        self.refused("usage", self.alice, "accept", join["code"], "--as", "bob")
        self.refused("logExists", self.alice, "setup", "sync", "join")


class AtATerminal(SyncCase):
    def test_a_person_types_the_digits_and_has_one_try(self):
        self.put(self.alice, "db", "x")
        self.found()
        join = self.join(self.bob)
        tip = self.tip
        for typed, told, code in (("111 111 111 111", "is not the number of this code", 15), ("", "Nothing changed", 6)):
            asked = Screen(self, self.alice, "accept", join["code"])
            asked.sees("desktop wants to join. It will read and change the shared secrets")
            asked.sees("Type the twelve digits that desktop shows:")
            asked.enters(typed)
            asked.sees(told)
            self.assertEqual(asked.ends(), code)
        self.assertEqual(self.tip, tip)
        asked = Screen(self, self.alice, "accept", join["code"])
        asked.sees("Type the twelve digits that desktop shows:")
        asked.enters(join["number"].replace(" ", ""))
        number = asked.sees(r"Digits: (\d{3} \d{3} \d{3} \d{3})")[1]
        self.assertEqual(asked.ends(), 0)
        code = next(line for line in asked.text.splitlines() if line.startswith("HSIP:ADMIT1"))
        asked = Screen(self, self.bob, "accept", code.strip())
        asked.sees("Type the twelve digits that the other machine shows:")
        asked.enters(number)
        asked.sees("Received [12] changes? from laptop.")
        self.assertEqual(asked.ends(), 0)

    def test_the_join_code_is_drawn(self):
        shown = Screen(self, self.bob, "setup", "sync", "join", "--name", "desktop")
        shown.sees("HSIP:JOIN1")
        shown.sees(r"Digits: \d{3} \d{3} \d{3} \d{3}")
        self.assertEqual(shown.ends(), 0)


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


class Trouble(SyncCase):
    def test_a_deleted_branch_stops_the_sync_until_it_is_back(self):
        self.put(self.alice, "db", "first")
        self.together()
        self.sync(self.alice)
        branch, tip = self.branch, self.tip
        self.git("--git-dir", self.remote, "update-ref", "-d", branch)
        self.refused("logBehind", self.alice, "sync")
        self.put(self.alice, "db", "second")
        self.refused("logBehind", self.alice, "sync", changes=True)
        self.assertEqual(self.branch, "")
        self.assertEqual(self.value(self.alice, "db"), "second")
        self.git("--git-dir", self.remote, "update-ref", branch, tip)
        self.assertEqual(self.sync(self.alice)["sent"], 1)
        self.sync(self.bob)
        self.assertEqual(self.value(self.bob, "db"), "second")

    def test_another_history_of_the_same_length_is_noticed_and_nothing_is_added_to_it(self):
        self.put(self.alice, "db", "first")
        self.together()
        self.sync(self.alice)
        branch, tip = self.branch, self.tip
        parent = self.git("--git-dir", self.remote, "rev-parse", f"{tip}~1")
        aside = self.alice.path("files", "aside")
        shutil.copytree(self.remote, aside)
        self.git("--git-dir", aside, "update-ref", branch, parent)
        # Bob's machine, as it was one entry earlier, would have written this: the same place, other bytes.
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        mine = self.tip
        listed = self.git("--git-dir", self.remote, "ls-tree", "-r", mine).splitlines()[-1]
        mode, name = listed.split()[0], listed.split("\t")[1]
        other = self.git("--git-dir", self.remote, "rev-parse", f"{mine}~1:" + self.git(
            "--git-dir", self.remote, "ls-tree", "-r", "--name-only", f"{mine}~1").splitlines()[-1])
        index = {"GIT_INDEX_FILE": self.alice.path("files", "index"), "PATH": "/usr/bin:/bin", "HOME": "/nonexistent",
                 "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x", "GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x"}

        def on(*words: str) -> str:
            return subprocess.run(["git", "--git-dir", self.remote, *words], capture_output=True, text=True, check=True,
                                  env=index).stdout.strip()
        on("read-tree", f"{mine}~1")
        on("update-index", "--add", "--cacheinfo", f"{mode},{other},{name}")
        forged = on("commit-tree", "-p", f"{mine}~1", "-m", "x", on("write-tree"))
        on("update-ref", branch, forged)
        for _ in range(2):
            outcome = self.alice.run("sync", "--json")
            self.assertEqual(outcome.code, 11, outcome)
        self.put(self.alice, "db", "third")
        self.assertEqual(self.alice.run("sync").code, 11)
        self.assertEqual(self.tip, forged)
        on("update-ref", branch, mine)
        self.assertEqual(self.sync(self.alice)["sent"], 1)

    def test_a_server_that_is_away(self):
        self.together()
        os.rename(self.remote, self.remote + ".away")
        self.refused("logUnreachable", self.alice, "sync")
        self.put(self.alice, "db", "x")
        self.refused("logUnreachable", self.alice, "sync", changes=True)
        self.assertIs(self.ok(self.alice, "status", "--json").result["machines"]["waiting"], True)
        os.rename(self.remote + ".away", self.remote)
        self.assertEqual(self.sync(self.bob)["received"], 0)
        self.sync(self.alice)
        self.assertEqual(self.sync(self.bob)["received"], 1)

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_a_folder_that_lost_the_end_of_the_first_entries_gets_it_again(self):
        place = self.alice.path("files", "stick")
        os.makedirs(place, mode=0o700)
        self.put(self.alice, "db", "x")
        words = ("setup", "sync", "folder", place, "--name", "laptop")
        # strace counts for each thread, so the change that follows may meet the fault, too: then it waits to be sent.
        founded = self.alice.run(*words, before=strace.inject("link", "error=EIO", "2"))
        self.assertIn(founded.code, (0, 12), founded)
        self.sync(self.alice)
        self.assertEqual(len(glob.glob(place + "/hsip-*/0*")), 3)
        admit = self.admit(self.alice, self.join(self.bob))
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])
        self.assertEqual(self.value(self.bob, "db"), "x")

    def test_what_stays_on_this_machine_stays_so_after_a_restore(self):
        host = ("--address", "db1.example.org", "--user", "me", "--auth", "password")
        self.put(self.alice, "own", "x")
        self.ok(self.alice, "ssh", "host", "add", "db1", *host)
        self.ok(self.alice, "ssh", "key", "generate", "work")
        backup = self.alice.path("files", "backup")
        self.ok(self.alice, "vault", "backup", backup)
        self.ok(self.alice, "secret", "set", "own", "--tag", "local", given="y")
        self.ok(self.alice, "ssh", "host", "set", "db1", "--local")
        self.ok(self.alice, "ssh", "key", "set", "work", "--local")
        self.ok(self.alice, "vault", "restore", backup, "--force", "--accept-rollback", "-y")
        self.together()
        self.assertEqual(self.names(self.bob), [])
        self.assertEqual(self.ok(self.bob, "ssh", "host", "list", "--json").result["hosts"], [])
        self.assertEqual(self.ok(self.bob, "ssh", "key", "list", "--json").result["keys"], [])

    def test_a_restored_vault_catches_up(self):
        self.put(self.alice, "db", "first")
        self.together()
        backup = self.alice.path("files", "backup")
        self.ok(self.alice, "vault", "backup", backup)
        self.put(self.alice, "db", "second")
        self.put(self.alice, "new", "x")
        self.sync(self.alice)
        self.put(self.bob, "db", "third")
        self.sync(self.bob)
        self.ok(self.alice, "vault", "restore", backup, "--force", "--accept-rollback", "-y")
        self.assertEqual(self.value(self.alice, "db"), "first")
        self.put(self.alice, "after", "y")
        self.sync(self.alice)
        self.assertEqual((self.value(self.alice, "db"), self.value(self.alice, "new")), ("third", "x"))
        self.sync(self.bob)
        self.assertEqual(self.value(self.bob, "after"), "y")

    def test_a_server_that_shows_an_old_log_to_a_restored_vault(self):
        self.put(self.alice, "db", "first")
        self.together()
        self.sync(self.alice)
        backup, old = self.alice.path("files", "backup"), self.alice.path("files", "old.git")
        self.ok(self.alice, "vault", "backup", backup)
        shutil.copytree(self.remote, old)
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        self.ok(self.alice, "vault", "restore", backup, "--force", "--accept-rollback", "-y")
        shutil.rmtree(self.remote)
        os.rename(old, self.remote)
        self.refused("logBehind", self.alice, "sync", changes=True)
        self.put(self.alice, "db", "other")
        tip = self.tip
        self.refused("logBehind", self.alice, "sync", changes=True)
        self.assertEqual(self.tip, tip)

    def killer(self, person: Person, when: str) -> str:
        """A PATH with a git that ends hsip before or after the first push."""
        folder = person.path("files", "bin-" + when)
        os.makedirs(folder, exist_ok=True)
        script = f"""#!/bin/sh
case " $* " in
*" push "*)
  if [ {when} = after ]; then /usr/bin/git "$@" >/dev/null 2>&1; fi
  kill -9 $PPID; exit 1 ;;
esac
exec /usr/bin/git "$@"
"""
        path = os.path.join(folder, "git")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script)
        os.chmod(path, 0o755)
        return f"{folder}:/usr/bin:/bin"

    def killed(self, person: Person, when: str, *words: str, **how):
        outcome = person.run(*words, PATH=self.killer(person, when), **how)
        self.assertEqual(outcome.code, -signal.SIGKILL, outcome)

    def test_a_kill_around_each_push_is_made_good(self):
        for when in ("before", "after"):
            with self.subTest(when=when):
                self.killed(self.alice, when, "setup", "sync", "git", self.remote, "--name", "laptop")
        self.assertIs(self.found()["changed"], False)
        join = self.join(self.bob)
        for when in ("before", "after"):
            self.killed(self.alice, when, "accept", join["code"], "--expect", join["number"])
        admit = self.admit(self.alice, join)
        self.put(self.bob, "db", "first")
        self.killed(self.bob, "before", "accept", admit["code"], "--expect", admit["number"])
        self.killed(self.bob, "after", "sync")
        self.sync(self.bob)
        self.sync(self.alice)
        self.assertEqual(self.value(self.alice, "db"), "first")
        for number, when in enumerate(("before", "after", "before")):
            self.put(self.alice, "db", f"value {number}")
            self.killed(self.alice, when, "sync")
            self.sync(self.alice)
            self.sync(self.bob)
            self.assertEqual(self.value(self.bob, "db"), f"value {number}")


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
