"""hsip killed at its writes during a sync: the same command again finishes or starts over."""

import glob
import os
import signal

import strace
from house import Person, unittest
from sync_case import SHARED, SyncCase


@unittest.skipUnless(strace.works(), "strace may not trace here")
class Commits(SyncCase):
    """hsip killed while it writes to the vault: by each sync to the disk, and by every fifth write."""

    world = SHARED

    def sweep(self, person: Person, words: tuple[str, ...], go_on, ends: tuple[int, ...] = (0,)):
        people, log = [self.alice, self.bob], person.vault + "-wal"
        for one in people:
            one.keep("before")
        places = [("fdatasync", log, 1), ("pwrite64", log, 5), ("fdatasync", person.vault, 1)]
        places += [("pwrite64", path, 1) for path in glob.glob(os.path.join(person.anchors, "log-*"))]
        kills = 0
        for call, path, step in places:
            for number in range(1, 1000, step):
                for one in people:
                    one.put_back("before")
                outcome = person.run(*words, before=strace.kill(call, number, path))
                if outcome.code == 0:
                    break
                with self.subTest(call=call, path=os.path.basename(path), number=number):
                    self.assertIn(outcome.code, (-signal.SIGKILL, 128 + signal.SIGKILL), outcome)
                    kills += 1
                    again = person.run(*words)
                    self.assertIn(again.code, ends, again)
                    go_on()
        self.assertGreater(kills, 3)

    def test_join(self):
        self.ok(self.bob, "setup", "sync", "git", "--undo", "-y")
        words = ("setup", "sync", "join", "--name", "desktop two")
        self.sweep(self.bob, words, lambda: self.refused("noLog", self.bob, "sync", plain=False))
        admit = self.admit(self.alice, self.join(self.bob, "desktop two"))
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])
        self.are_equal(self.alice, self.bob)

    def test_sync(self):
        self.put(self.alice, "wiki", "new")
        self.sync(self.alice)
        self.put(self.bob, "db", "second")

        def go_on():
            self.are_equal(self.bob, self.alice, quickly=True)
            self.assertEqual(self.value(self.alice, "db"), "second")
        self.sweep(self.bob, ("sync",), go_on)
        self.ok(self.bob, "vault", "check")
        self.are_equal(self.bob, self.alice)

    def test_revoke(self):
        def go_on():
            self.refused("machineRevoked", self.bob, "sync", plain=False, changes=True)
        self.sweep(self.alice, ("machine", "revoke", "desktop", "-y"), go_on, ends=(0, 3))
        self.are_equal(self.alice)


if __name__ == "__main__":
    unittest.main()
