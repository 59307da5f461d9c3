"""The circle: a Secret Service that is a vault of hsip keeps no part of a vault."""

import os
import signal
import subprocess
import sys
import unittest

import keyring as kr
from house import Case, Person, clear_now

PROVIDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Support", "provider.py")


@unittest.skipIf(kr.missing(), kr.missing())
class Circle(Case):
    world = None

    def setUp(self):
        super().setUp()
        clear_now()
        self.alice = Person("alice")
        self.alice.make_folders()
        self.bus = self.alice.start_keyring()

    def serve(self, kind: str = "own"):
        """In the place of GNOME Keyring comes a service that keeps nothing."""
        self.bus.kill()
        self.bus.wait_for(lambda: not self.bus.owner(), "the name is free")
        # It ends with the bus, too.
        provider = subprocess.Popen([sys.executable, PROVIDER, kind], env=self.bus.own_environment(),
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.addCleanup(provider.stdout.close)
        self.addCleanup(provider.wait)
        self.addCleanup(provider.send_signal, signal.SIGKILL)
        self.assertEqual(provider.stdout.readline(), b"ready\n")

    def init(self, *words: str, **how):
        return self.alice.run("init", "--name", "Alice", "--no-input", "-o", self.alice.secret_file("recovery"), *words,
                              "--json", secret="passphrase", **how)

    def refuses(self, *words: str, **how):
        outcome = self.alice.run(*words, "--json", **how)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "ownProvider"), outcome)

    def test_a_first_vault_is_a_file_and_no_keyring_is_taken(self):
        self.serve()
        self.refuses("init", "--backend", "keyring", "--name", "Alice", "--no-input", secret=None)
        self.assertFalse(os.path.exists(self.alice.path("config", "hsip", "config.json")))
        made = self.init()
        self.assertEqual(made.code, 0, made)
        self.assertTrue(os.path.exists(self.alice.vault))
        self.refuses("vault", "migrate", "--to", "keyring", "-y", secret="passphrase")
        self.refuses("vault", "slot", "add", "keyring", secret="passphrase")
        self.refuses("item", "import", "--from", "keyring", "-y", secret="passphrase")
        self.refuses("item", "export", "--to", "keyring", "--expect", "0", secret="passphrase")
        self.ok(self.alice, "identity", "show", secret="passphrase")

    def test_a_key_slot_in_the_keyring_is_passed_over_in_silence(self):
        made = self.init("--backend", "file", "--keyring-slot")
        self.assertEqual(made.code, 0, made)
        self.ok(self.alice, "identity", "show")
        self.serve()
        outcome = self.ok(self.alice, "identity", "show", "--json", secret="passphrase")
        self.assertEqual(outcome.warnings, [])
        # Nobody is there to ask for the passphrase.
        outcome = self.alice.run("identity", "show", "--no-input", "--json")
        self.assertEqual(outcome.json["error"]["code"], "locked", outcome)

    def test_a_vault_in_the_keyring_is_named_as_out_of_reach(self):
        made = self.ok(self.alice, "init", "--name", "Alice", "--no-input", secret=None)
        self.assertEqual(made.code, 0, made)
        self.serve()
        self.refuses("identity", "show")
        self.refuses("vault", "migrate", "--to", "file", "-y", "-o", self.alice.secret_file("recovery"),
                     "--new-passphrase-file", self.alice.secret_file("passphrase"), secret=None)

    def test_another_service_is_asked_as_ever(self):
        self.serve("other")
        outcome = self.alice.run("init", "--backend", "keyring", "--name", "Alice", "--no-input", "--json",
                                 secret=None)
        self.assertEqual(outcome.json["error"]["code"], "noSuchCollection", outcome)


if __name__ == "__main__":
    unittest.main()
