"""Machines that leave a shared vault, are removed from it, and join it again."""

import fcntl
import glob
import os

from house import newcomer, unittest
from screen import Screen
from sync_case import SyncCase


class Leaving(SyncCase):
    def machines(self, person) -> list[tuple]:
        return [(one["name"], one["role"]) for one in self.ok(person, "machine", "--json").result["machines"]]

    def away(self):
        os.rename(self.remote, self.remote + ".away")

    def back(self):
        os.rename(self.remote + ".away", self.remote)

    def test_a_machine_sends_its_changes_and_tells_the_others(self):
        self.together()
        self.put(self.bob, "last", "x")
        self.ok(self.bob, "setup", "sync", "--undo", "-y")
        self.refused("noLog", self.bob, "sync")
        told = self.ok(self.alice, "sync").talk
        self.assertIn("Received 1 change from desktop.", told)
        self.assertIn("desktop left.", told)
        self.assertEqual(self.value(self.alice, "last"), "x")
        # The keeper removed it, and made a new key.
        self.assertEqual(self.machines(self.alice), [("laptop", "keeper")])
        # It may come back under its name, also without anybody to ask.
        admit = self.admit(self.alice, self.join(self.bob))
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])
        self.assertEqual(sorted(self.machines(self.alice)), [("desktop", "keeper"), ("laptop", "keeper")])

    def test_the_only_machine_leaves_whatever_became_of_the_log(self):
        self.found()
        self.away()
        done = self.ok(self.alice, "setup", "sync", "--undo", "-y", "--json").result
        self.assertEqual((done["active"], done["changed"]), (False, True))
        self.assertIs(self.ok(self.alice, "setup", "sync", "--undo", "--json").result["changed"], False)

    def restored(self, before) -> str:
        """Alice's vault is what it was before something happened; returns what `hsip machine` says then."""
        backup = self.alice.path("files", "backup")
        self.ok(self.alice, "vault", "backup", backup)
        before()
        self.ok(self.alice, "vault", "restore", backup, "--force", "--accept-rollback", "-y")
        return self.ok(self.alice, "machine").talk

    def bob_joins(self):
        admit = self.admit(self.alice, self.join(self.bob))
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])

    def test_a_vault_from_before_the_others_joined_says_so_until_it_syncs(self):
        self.found()
        self.assertNotIn("was restored", self.ok(self.alice, "machine").talk)
        told = self.restored(self.bob_joins)
        self.assertEqual(self.machines(self.alice), [("laptop", "keeper")])
        self.assertIn("this vault was restored, and may not know its newest machines", told)
        self.assertIn("hint: hsip sync", told)
        self.assertIs(self.ok(self.alice, "status", "--json").result["machines"]["restored"], True)
        self.assertIn("machines\tlaptop\tthis vault was restored", self.ok(self.alice, "status").output)
        self.assertIn("may not know its newest machines and changes", self.alice.run("doctor").output)
        self.sync(self.alice)
        self.assertEqual(self.machines(self.alice), [("desktop", "keeper"), ("laptop", "keeper")])
        self.assertNotIn("was restored", self.ok(self.alice, "machine").talk)
        self.assertIs(self.ok(self.alice, "status", "--json").result["machines"]["restored"], False)

    def test_a_vault_from_before_the_others_joined_tells_them_that_it_leaves(self):
        self.found()
        self.restored(self.bob_joins)
        self.ok(self.alice, "setup", "sync", "--undo", "-y")
        self.assertIn("laptop left.", self.ok(self.bob, "sync").talk)

    def test_a_machine_that_was_removed_before_its_first_sync_asks_again(self):
        self.found()
        admit = self.admit(self.alice, self.join(self.bob))
        self.ok(self.alice, "machine", "revoke", "desktop", "-y")
        refused = self.refused("machineRevoked", self.bob, "accept", admit["code"], "--expect", admit["number"], changes=True)
        self.assertEqual(refused.json["error"]["hint"], "hsip setup sync join")
        self.bob_joins()
        self.assertEqual(self.machines(self.bob), [("desktop", "keeper"), ("laptop", "keeper")])

    def test_a_machine_that_waits_or_was_removed_leaves(self):
        self.join(self.bob)
        self.ok(self.bob, "setup", "sync", "--undo", "-y")
        self.together()
        self.ok(self.alice, "machine", "revoke", "desktop", "-y")
        self.refused("machineRevoked", self.bob, "sync", changes=True)
        self.assertIn("this machine was removed", self.ok(self.bob, "machine").talk)
        self.ok(self.bob, "setup", "sync", "--undo", "-y")
        self.refused("noLog", self.bob, "machine")

    def test_the_last_machine_that_writes_stays_as_long_as_others_read(self):
        self.together("--reader")
        refused = self.refused("lastKeeper", self.alice, "setup", "sync", "--undo", "-y", changes=True)
        self.assertIn("remove them first", refused.json["error"]["message"])
        self.ok(self.alice, "sync")
        left = self.ok(self.bob, "setup", "sync", "--undo", "-y")
        self.assertIn("hsip machine revoke desktop  on another machine", left.talk)
        self.ok(self.alice, "machine", "revoke", "desktop", "-y")
        self.ok(self.alice, "setup", "sync", "--undo", "-y")

    def test_a_server_that_is_away_keeps_nobody(self):
        self.together()
        self.away()
        refused = self.refused("logUnreachable", self.bob, "setup", "sync", "--undo", "-y", changes=True)
        self.assertEqual(refused.json["error"]["hint"], "hsip setup sync --undo --forget")
        self.assertIn("would go on listing desktop", refused.json["error"]["message"])
        asked = Screen(self, self.bob, "setup", "sync", "--undo")
        asked.sees("Stop sharing this vault?")
        asked.enters("y")
        asked.sees("hsip machine revoke desktop")
        asked.sees("all the same?")
        asked.enters("n")
        asked.sees("Cancelled.")
        self.assertEqual(asked.ends(), 6)
        told = self.ok(self.bob, "setup", "sync", "--undo", "--forget", "-y").talk
        self.assertIn("hsip machine revoke desktop  on another machine", told)
        self.back()
        self.sync(self.alice)
        self.assertIn(("desktop", "keeper"), self.machines(self.alice))

    def test_the_words(self):
        self.refused("usage", self.alice, "setup", "sync")
        page = self.ok(self.alice, "help", "setup", "sync").output
        self.assertIn("hsip setup sync --undo\n", page)


class AtOnce(SyncCase):
    def test_what_uses_the_copy_of_the_log_waits_for_a_sync(self):
        self.together()
        head = self.ok(self.bob, "sync", "head", "--json").result["code"]
        self.put(self.alice, "x", "1")
        self.sync(self.alice)
        lock, = glob.glob(self.alice.path("state", "hsip", "log", "*", "lock"))
        with open(lock, "rb+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            running = [self.alice.start("sync", "head", head, "--json"),
                       self.alice.start("setup", "sync", "--undo", "-y", "--json")]
            told = [one.communicate(timeout=60)[0] for one in running]
        for text in told:
            self.assertIn(b'"code":"busy"', text.replace(b" ", b""))
        self.ok(self.alice, "sync", "head", head)

    def test_two_leave_at_once(self):
        self.together()
        running = [self.bob.start("setup", "sync", "--undo", "-y", "--json") for _ in range(2)]
        told = [one.communicate(timeout=60) for one in running]
        self.assertEqual([one.returncode for one in running], [0, 0], told)
        self.assertEqual(glob.glob(self.bob.path("state", "hsip", "log*", "*")), [])
        self.refused("noLog", self.bob, "machine")


class Heads(SyncCase):
    def test_accept_compares_a_head(self):
        self.together()
        head = self.ok(self.bob, "sync", "head", "--json").result
        self.assertEqual(self.ok(self.alice, "accept", head["code"], "--json").result["place"], head["place"])
        self.assertIn("the same history", self.ok(self.alice, "accept", head["code"]).talk)
        self.refused("usage", self.alice, "accept", head["code"], "--reader")
        self.put(self.bob, "x", "1")
        self.sync(self.bob)
        newer = self.ok(self.bob, "sync", "head", "--json").result["code"]
        self.refused("headAhead", self.alice, "accept", newer)


class Removing(SyncCase):
    def silent(self, person) -> str:
        """A PATH with a git whose push does nothing and fails without a word."""
        folder = person.path("files", "silent")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "git")
        with open(path, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\ncase " $* " in *" push "*) exit 1 ;; esac\nexec /usr/bin/git "$@"\n')
        os.chmod(path, 0o755)
        return f"{folder}:/usr/bin:/bin"

    def test_a_removal_that_was_not_sent_names_the_reason_and_is_finished_by_the_same_command(self):
        self.put(self.alice, "db", "x")
        self.together()
        failed = self.alice.run("machine", "revoke", "desktop", "-y", "--json", PATH=self.silent(self.alice))
        error = failed.json["error"]
        self.assertEqual((failed.code, error["code"]), (12, "logUnreachable"), failed)
        self.assertIn("does not accept what this machine sends; desktop is not removed yet", error["message"])
        self.assertEqual(error["details"], {"machine": "desktop", "readable": ["db"]})
        self.assertEqual(error["hint"], "hsip machine revoke desktop")
        done = self.ok(self.alice, "machine", "revoke", "desktop", "-y", "--json").result
        self.assertEqual(done, {"machine": "desktop", "readable": ["db"]})
        self.refused("machineRevoked", self.bob, "sync", changes=True)
        self.refused("unknownMachine", self.alice, "machine", "revoke", "desktop", "-y")

    def test_a_sync_sends_a_removal_that_waits_and_says_so(self):
        self.together()
        failed = self.alice.run("machine", "revoke", "desktop", "-y", PATH=self.silent(self.alice))
        self.assertEqual(failed.code, 12, failed)
        self.assertIn("laptop removed the machine desktop.", self.ok(self.alice, "sync").talk)
        self.assertEqual(self.sync(self.alice)["gone"], [])

    def test_a_machine_joins_in_place_of_an_old_one_of_its_name(self):
        self.put(self.alice, "db", "x")
        self.together()
        carol = newcomer("carol")
        join = self.join(carol)
        refused = self.refused("machineNameTaken", self.alice, "accept", join["code"], "--expect", join["number"])
        self.assertEqual(refused.json["error"]["hint"], "hsip machine revoke desktop")
        for digits, code in (("111 111 111 111", 15), (join["number"], 0)):
            asked = Screen(self, self.alice, "accept", join["code"])
            asked.sees("A machine named desktop shares this vault already.")
            asked.enters("y")
            asked.sees("Type the twelve digits that desktop shows:")
            asked.enters(digits)
            if code == 0:
                asked.sees("Removed the old desktop. It may have kept what it shared: 1 secret.")
                number = asked.sees(r"Digits: (\d{3} \d{3} \d{3} \d{3})")[1]
            self.assertEqual(asked.ends(), code)
        admit = next(line for line in asked.text.splitlines() if line.startswith("HSIP:ADMIT1")).strip()
        self.ok(carol, "accept", admit, "--expect", number)
        self.assertEqual(self.value(carol, "db"), "x")
        self.refused("machineRevoked", self.bob, "sync", changes=True)
        self.refused("machineNameTaken", self.alice, "accept", self.join(self.bob, "laptop")["code"])


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


class Names(SyncCase):
    def test_names_of_machines_have_no_blanks_at_their_ends(self):
        for name in (" ", "desktop ", "\u3000x"):
            self.refused("malformed", self.alice, "setup", "sync", "git", self.remote, "--name", name)
            self.refused("malformed", self.alice, "setup", "sync", "join", "--name", name)

    def test_a_shared_vault_keeps_the_name_of_its_machine(self):
        self.found()
        again = self.ok(self.alice, "setup", "sync", "git", self.remote, "--name", "other")
        self.assertIn("a machine keeps its name", again.talk)
        self.assertIn("the name of this machine is laptop", again.talk)

    def test_a_repository_that_is_missing_is_made_by_the_hint(self):
        missing = self.alice.path("files", "new.git")
        refused = self.refused("logUnreachable", self.alice, "setup", "sync", "git", missing)
        self.assertEqual(refused.json["error"]["hint"], f"git init --bare {missing}")

    def test_an_address_with_an_old_log(self):
        self.found()
        self.ok(self.alice, "setup", "sync", "--undo", "-y")
        refused = self.refused("logExists", self.alice, "setup", "sync", "git", self.remote)
        self.assertIn("join it, or choose another place", refused.json["error"]["message"])


if __name__ == "__main__":
    unittest.main()
