"""`init` killed at every write and sync: a vault that is half made has no name, and the next init makes it whole."""

import os
import unittest

import strace
from house import Case, Person, clear_now

KILLED = (-9, 137)


@unittest.skipUnless(strace.works(), "strace may not trace here")
class KillInit(Case):
    """A vault that is half made has no name; the next init makes it whole."""

    world = None

    def test_init(self):
        stops = 0
        vault = Person("alice").vault
        for call, path in (("pwrite64", None), ("fdatasync", None), ("fsync", None), ("ftruncate", None),
                           ("unlink", None), ("link", None), ("rename", None), ("mkdir", None), ("write", None),
                           ("pwrite64", vault), ("pwrite64", vault + "-wal"), ("fdatasync", vault + "-wal"),
                           ("unlink", vault + "-wal")):
            number = 0
            while True:
                number += 1
                clear_now()
                self.alice = Person("alice")
                self.alice.make_folders()
                words = ("init", "--name", "Alice", "-o", self.alice.path("secrets", "recovery"))
                outcome = self.alice.run(*words, secret="passphrase", before=strace.kill(call, number, path))
                if outcome.code not in KILLED:
                    self.assertEqual(outcome.code, 0, outcome)
                    break
                stops += 1
                with self.subTest(f"killed at {call} number {number} of {os.path.basename(path or 'any')}"):
                    self.go_on(words)
        self.assertGreaterEqual(stops, 20)

    def go_on(self, words):
        """Whatever is there is a whole vault or none, and it never takes away the only way in."""
        recovery = self.alice.path("secrets", "recovery")
        if not os.path.exists(self.alice.vault):
            # A code that opens nothing may be left over; it is in the way of the next one, by intent.
            if os.path.exists(recovery):
                os.unlink(recovery)
            again = self.alice.run(*words, secret="passphrase")
            self.assertEqual(again.code, 0, again)
            self.ok(self.alice, "identity", "show")
            return
        self.assertTrue(os.path.exists(recovery), "a vault whose recovery code nobody has")
        # The file has its real name. What is still missing is found by doctor, or made by another init.
        outcome = self.alice.run("identity", "show")
        if outcome.code != 0:
            self.check_talk(outcome)
            doctor = self.alice.run("doctor", "--fix", "-y")
            again = self.alice.run("init", "--name", "Alice")
            outcome = self.alice.run("identity", "show")
            self.assertEqual(outcome.code, 0, f"neither whole nor to be made whole:{doctor}{again}{outcome}")
        self.ok(self.alice, "vault", "check")
