"""`vault repair` that is stopped, of a disk that fails, and what comes after it: the damaged file stays as it is."""

import contextlib
import os
import sqlite3
import unittest

import strace
from test_repair import PAGE, RepairCase

KILLED = (-9, 137)


def steps():
    """1, 2, 3, 5, 8, …: near together where the work begins."""
    before, number = 1, 1
    while True:
        yield number
        before, number = number, before + number


class After(RepairCase):
    def test_what_was_sent_is_read_and_nothing_is_sealed_until_the_session_is_renewed(self):
        sent = self.ok(self.bob, "encrypt", "alice", given="from before").output
        self.zero(0, PAGE)
        self.ok(self.alice, "vault", "repair", "-o", self.new)
        self.ok(self.alice, "vault", "restore", self.new, "--force", "-y")
        self.assertEqual(self.ok(self.alice, "decrypt", given=sent).output.strip(), "from before")
        self.refused("restored", self.alice, "encrypt", "bob", given="x", changes=True)
        self.assertEqual(self.session(self.alice, "bob")["state"], "restored")
        rotate = self.ok(self.alice, "pair", "bob").output
        answer = self.ok(self.bob, "accept", "-y", given=rotate).reply
        self.ok(self.alice, "accept", "-y", given=answer)
        self.is_friendly(self.alice, self.bob)

    def test_a_look_leaves_every_file_of_the_person_as_it_was(self):
        self.zero(0, PAGE)

        def facts() -> dict[str, tuple]:
            found = {}
            for folder, _, names in os.walk(self.alice.home):
                for path in [folder, *(os.path.join(folder, name) for name in names)]:
                    stat = os.lstat(path)
                    found[path] = (stat.st_size, stat.st_mtime_ns, stat.st_mode, stat.st_ino)
            return found

        before = facts()
        self.ok(self.alice, "vault", "repair", "--dry-run")
        self.ok(self.alice, "vault", "repair", "--dry-run", "-o", self.new)
        self.assertEqual(facts(), before)

    def test_what_is_no_file_is_refused(self):
        folder = self.alice.path("files")
        self.refused("unsafeFile", self.alice, "vault", "repair", folder, "-o", self.new)
        pipe = self.alice.path("files", "pipe")
        os.mkfifo(pipe)
        self.refused("unsafeFile", self.alice, "vault", "repair", pipe, "-o", self.new)
        self.assertFalse(os.path.exists(self.new))
        self.check_no_drafts()


@unittest.skipUnless(strace.works(), "strace may not trace here")
class Faults(RepairCase):
    def repair(self, traced):
        return self.alice.run("vault", "repair", "-o", self.new, before=traced)

    def records_of_new(self) -> int:
        with contextlib.closing(sqlite3.connect(f"file:{self.new}?mode=ro&immutable=1", uri=True)) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            return database.execute("SELECT count(*) FROM record").fetchone()[0]

    def test_killed_at_any_write_or_sync_it_leaves_the_file_and_the_next_one_does_all(self):
        [(records,)] = self.column("SELECT count(*) FROM record")
        self.zero(0, PAGE)
        kept = self.untouched()
        met = 0
        for call in ("write", "pwrite64", "fsync", "fdatasync", "link", "unlink"):
            for number in steps():
                where = f"killed at {call} number {number}"
                outcome = self.repair(strace.kill(call, number))
                self.assertEqual(self.untouched(), kept, where)
                if outcome.code not in KILLED:
                    self.assertEqual(outcome.code, 0, outcome)
                    os.unlink(self.new)
                    break
                met += 1
                # What has the name is whole, and what has it not is in nobody's way.
                if os.path.exists(self.new):
                    self.assertEqual(self.records_of_new(), records, where)
                    os.unlink(self.new)
                self.ok(self.alice, "vault", "repair", "-o", self.new)
                os.unlink(self.new)
                self.check_no_drafts()
                self.assertEqual(self.untouched(), kept, where)
        self.assertGreaterEqual(met, 8)

    def test_interrupted_it_takes_back_what_it_began_and_says_so(self):
        kept = self.untouched()
        for call, path in (("pread64", self.alice.vault), ("pwrite64", None)):
            for signal, code in (("INT", 130), ("TERM", 143)):
                outcome = self.repair(strace.inject(call, f"signal={signal}", "1", path))
                self.assertEqual(outcome.code, code, outcome)
                self.assertIn("the damaged one is as it was", outcome.talk)
                self.check_talk(outcome)
                self.assertFalse(os.path.exists(self.new))
                self.check_no_drafts()
        self.assertEqual(self.untouched(), kept)

    def test_a_disk_that_gets_full_later_leaves_nothing_either(self):
        kept = self.untouched()
        for number in steps():
            outcome = self.repair(strace.inject("pwrite64", "error=ENOSPC", str(number)))
            if outcome.code == 0:
                break
            self.assertEqual(outcome.code, 12, outcome)
            self.assertFalse(os.path.exists(self.new), number)
            self.check_no_drafts()
        self.assertGreater(number, 3)
        os.unlink(self.new)
        for call in ("fsync", "link"):
            outcome = self.repair(strace.inject(call, "error=ENOSPC", "1"))
            self.assertEqual(outcome.code, 12, outcome)
            self.assertFalse(os.path.exists(self.new), call)
            self.check_no_drafts()
        self.assertEqual(self.untouched(), kept)

    def test_a_disk_that_gives_nothing_back_is_told_as_that(self):
        kept = self.untouched()
        traced = strace.inject("pread64", "error=EIO", "1+", self.alice.vault)
        outcome = self.repair(traced)
        self.assertEqual(outcome.code, 12, outcome)
        self.assertIn("nothing of a vault can be read", outcome.talk)
        self.assertIn("vault restore BACKUP", outcome.talk)
        self.assertFalse(os.path.exists(self.new))
        self.check_no_drafts()
        self.assertEqual(self.untouched(), kept)


if __name__ == "__main__":
    unittest.main()
