"""What was asked of two vaults in files, asked again where one of the two is in GNOME Keyring."""

import keyring as kr
import test_sync
import test_sync_conflicts
import test_sync_hostile
import test_sync_leaving
from house import DESKTOP_AND_FILE, World, unittest
from sync_case import SyncCase, share_between


def setUpModule():
    if kr.missing():
        raise unittest.SkipTest(kr.missing())


def _shared():
    share_between(*DESKTOP_AND_FILE.arrive())


SHARED = World("desktop-and-file-shared", _shared)
"""Alice's vault is in GNOME Keyring and has begun the log; Bob's is in a file."""


class OverAndBack(test_sync.OverAndBack):
    world = DESKTOP_AND_FILE

    def test_the_file_begins_the_log(self):
        self.put(self.bob, "db", "first")
        self.put(self.alice, "own", "x")
        self.found(self.bob, "desktop")
        admit = self.admit(self.bob, self.join(self.alice, "laptop"))
        self.ok(self.alice, "accept", admit["code"], "--expect", admit["number"])
        self.are_equal(self.alice, self.bob)
        self.assertEqual((self.value(self.alice, "db"), self.value(self.bob, "own")), ("first", "x"))


class AtOnce(test_sync.AtOnce):
    world = DESKTOP_AND_FILE


class Conflicts(test_sync_conflicts.Conflicts):
    world = DESKTOP_AND_FILE


class Revoked(test_sync_leaving.Revoked):
    world = DESKTOP_AND_FILE


class Histories(test_sync_hostile.Histories):
    world = SHARED


class Locked(SyncCase):
    world = SHARED

    def test_nothing_happens_while_the_keyring_is_locked(self):
        self.put(self.alice, "db", "second")
        self.alice.keyring.lock()
        tip = self.tip
        locked = self.alice.run("--no-input", "sync", "now", "--unattended")
        self.assertEqual(locked.code, 0, locked)
        self.assertEqual(self.tip, tip)
        self.alice.keyring.unlock()
        self.are_equal(self.alice, self.bob)
        self.assertEqual(self.value(self.bob, "db"), "second")


if __name__ == "__main__":
    unittest.main()
