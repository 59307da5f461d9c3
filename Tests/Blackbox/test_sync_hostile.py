"""A server that shows another history of a shared log: each machine notices it, and changes nothing."""

import os
import shutil

from house import newcomer, unittest
from sync_case import HostileCase, run_git


class Histories(HostileCase):
    def test_a_branch_that_is_set_back(self):
        self.show(self.on_remote("rev-parse", f"{self.true}~1"))
        self.is_noticed("logBehind")

    def test_a_branch_that_begins_anew(self):
        """Only its first entry is left."""
        path = self.path(1)
        self.show(self.commit({path: self.files()[path]}))
        self.is_noticed("logBehind")

    def test_a_history_without_its_beginning(self):
        files = self.files()
        del files[self.path(1)]
        self.show(self.commit(files))
        # What a machine has accepted is no news, so it goes on; nobody can join.
        self.put(self.alice, "db", "second")
        self.are_equal(self.alice, self.bob)
        self.assertEqual(self.value(self.bob, "db"), "second")

    def test_an_entry_twice(self):
        files, last = self.files(), self.newest
        self.show_files(files | {self.path(last + 1): files[self.path(last)]})
        self.is_noticed("logTampered")

    def test_entries_that_are_left_out_or_change_places(self):
        last = self.newest
        for value in ("second", "third"):
            self.put(self.alice, "other", value)
            self.sync(self.alice)
        self.true, files = self.tip, self.files()
        one, two = (self.path(last + number) for number in (1, 2))
        self.show_files({path: facts for path, facts in files.items() if path != one})
        told = self.refused("logDamaged", self.bob, "sync").json["error"]["message"]
        self.assertIn(f"lacks entry {last + 1} of the shared log", told)
        self.is_noticed("logDamaged")
        self.true, files = self.tip, self.files()
        one, two = (self.path(self.newest - number) for number in (1, 0))
        self.show_files(files | {one: files[two], two: files[one]})
        self.is_noticed("logTampered")

    def test_a_machine_that_first_reads_a_false_log_forgets_it_and_asks_again(self):
        carol = newcomer("carol")
        admit = self.admit(self.alice, self.join(carol, "tablet"))
        self.true, files = self.tip, self.files()
        self.show_files(files | {self.path(self.newest): files[self.path(self.newest - 1)]})
        words = ("accept", admit["code"], "--expect", admit["number"])
        hint = self.refused("logTampered", carol, *words, changes=True).json["error"]["hint"]
        self.assertEqual(hint, "hsip setup sync --undo")
        self.show(self.true)
        self.ok(carol, *hint.split()[1:], "-y")
        self.ok(self.alice, "machine", "revoke", "tablet", "-y")
        admit = self.admit(self.alice, self.join(carol, "tablet"))
        self.ok(carol, "accept", admit["code"], "--expect", admit["number"])
        self.assertEqual(self.value(carol, "db"), "first")

    def test_a_changed_byte(self):
        """Of the entry that Bob's machine reads next: of each field of its frame, and of what is sealed."""
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        true, files, path = self.tip, self.files(), self.path(self.newest)
        entry = self.entry(self.newest)
        names = {"logTampered": [0, 7, 8, 23, 24, 31, 64, 67, 72, 95, 96, len(entry) // 2, len(entry) - 1],
                 "logForked": [32, 63], "newerEntry": [68]}
        before = self.bob.rows()
        for name, positions in names.items():
            for position in positions:
                with self.subTest(position=position):
                    changed = bytearray(entry)
                    changed[position] ^= 0x80
                    self.show_files(files | {path: self.blob(bytes(changed))}, f"{true}~1")
                    self.refused(name, self.bob, "sync", plain=position in (0, 32, 68), changes=True)
        for changed in (entry[:-1], entry + b"\0", entry[:71], b"x"):
            self.show_files(files | {path: self.blob(changed)}, f"{true}~1")
            self.refused("logTampered", self.bob, "sync", plain=False, changes=True)
        self.assertEqual(self.bob.rows(), before)
        # Alice's machine knows this entry, and has another one of the place.
        self.show_files(files | {path: self.blob(entry[:-1] + bytes([entry[-1] ^ 1]))}, f"{true}~1")
        self.refused("logForked", self.alice, "sync")
        self.show(true)
        self.are_equal(self.alice, self.bob)
        self.assertEqual(self.value(self.bob, "db"), "second")

    def test_a_fork(self):
        """Each machine wrote an entry on a line of its own: the first that is shown the other line notices."""
        self.put(self.alice, "of laptop", "x")
        self.sync(self.alice)
        hers = self.tip
        self.show(self.true)
        self.put(self.bob, "of desktop", "y")
        self.sync(self.bob)
        his = self.tip
        self.show(hers)
        self.refused("logForked", self.bob, "sync")
        self.show(his)
        self.put(self.alice, "waits", "z")
        self.refused("logForked", self.alice, "sync", changes=True)
        self.assertEqual(self.tip, his)
        self.show(hers)
        self.assertEqual(self.sync(self.alice)["sent"], 1)
        self.refused("logForked", self.bob, "sync")
        self.assertEqual(sorted(self.names(self.bob)), ["db", "of desktop"])

    def fetch_another_log(self, refs: str) -> str:
        """Brings the log of somebody else here; its newest commit."""
        carol = newcomer("carol")
        place = carol.path("files", "log.git")
        run_git("init", "--quiet", "--bare", place)
        self.found(carol, "tablet", place=place)
        for number in range(self.newest):
            self.put(carol, "db", f"value {number}")
            self.sync(carol)
        self.on_remote("fetch", "--quiet", place, f"refs/heads/*:{refs}/*")
        return self.git("--git-dir", place, "for-each-ref", "--format=%(objectname)")

    def test_the_log_of_somebody_else(self):
        other = self.fetch_another_log("refs/hidden")
        self.show(other)
        for person in (self.alice, self.bob):
            self.refused("logForked", person, "sync")
        files, path = self.files(self.true), self.path(len(self.files(self.true)) + 1)
        self.show_files(files | {path: self.files(other)[path]})
        self.is_noticed("logTampered")

    def test_two_logs_in_one_repository(self):
        """Others may keep a log beside this one; a machine looks at its own branch."""
        self.fetch_another_log("refs/heads")
        self.put(self.alice, "db", "second")
        self.are_equal(self.alice, self.bob)
        self.assertEqual(self.value(self.bob, "db"), "second")


class Joining(HostileCase):
    """A machine that joins is shown another log than the one that its ADMIT names."""

    def setUp(self):
        super().setUp()
        self.carol = newcomer("carol")
        self.put(self.carol, "own", "x")
        join = self.join(self.carol, "tablet")
        self.before = self.tip
        self.admitted = self.admit(self.alice, join)
        self.true = self.tip

    def joins_when_it_is_back(self, name: str):
        words = ("accept", self.admitted["code"], "--expect", self.admitted["number"])
        self.refused(name, self.carol, *words, plain=False, changes=True)
        self.refused(name, self.carol, "sync")
        self.assertEqual(self.names(self.carol), ["own"])
        self.show(self.true)
        self.sync(self.carol)
        self.are_equal(self.alice, self.carol)
        self.assertEqual((self.value(self.carol, "db"), self.value(self.alice, "own")), ("first", "x"))

    def test_a_log_from_before_it_was_admitted(self):
        self.show(self.before)
        self.joins_when_it_is_back("logBehind")

    def test_no_log_at_all(self):
        self.on_remote("update-ref", "-d", self.true_branch)
        self.joins_when_it_is_back("logBehind")

    def test_another_end_of_the_log(self):
        """A real entry by a member, in the place of the one that admits."""
        self.show(self.before)
        self.put(self.bob, "of desktop", "y")
        self.sync(self.bob)
        self.joins_when_it_is_back("logForked")

    def test_a_log_without_its_beginning(self):
        files = self.files()
        del files[self.path(1)]
        self.show(self.commit(files))
        self.joins_when_it_is_back("logTampered")


class Restored(HostileCase):
    def test_the_copy_of_git_is_lost_too(self):
        """The files beside the vault go with the disk: then the vault alone knows where it was."""
        shutil.rmtree(os.path.join(self.alice.anchors, "log"))
        self.show(self.on_remote("rev-parse", f"{self.true}~1"))
        self.is_noticed("logBehind", self.alice)


if __name__ == "__main__":
    unittest.main()
