"""What is done although the program cannot note it down: it is told first, with exit 0 and a warning that names the file."""

import os

from house import ALONE, AT_THE_DESKTOP, Case, Outcome, Person
from test_faults import may_mount


class Unremembered(Case):
    through_agent = False

    def setUp(self):
        super().setUp()
        if not may_mount():
            self.skipTest("no mount namespace of our own")

    def frozen(self, person: Person) -> tuple[str, ...]:
        """Before a command: its configuration can be read, and not written."""
        folder = person.path("config", "hsip")
        return ("unshare", "-m", "sh", "-c", f'mount --bind -o ro "{folder}" "{folder}" && exec "$@"', "sh")

    def done(self, person: Person, *words: str, **how) -> Outcome:
        """The command does what it is for, says so, and warns."""
        config = person.path("config", "hsip", "config.json")
        with open(config, "rb") as file:
            before = file.read()
        outcome = self.ok(person, *words, before=self.frozen(person), **how)
        self.assertIn("hsip: warning: the command succeeded", outcome.talk)
        self.assertIn(config, outcome.talk)
        self.assertNotEqual(outcome.data, b"", outcome)
        with open(config, "rb") as file:
            self.assertEqual(file.read(), before)
        return outcome


class OfAFile(Unremembered):
    world = ALONE

    def test_a_new_key_is_told_although_the_configuration_cannot_be_written(self):
        new = self.alice.path("files", "new-code")
        outcome = self.done(self.alice, "vault", "rekey", "-y", "--fresh", "-o", new, secret="passphrase")
        self.assertIn("has a new key", outcome.output)
        with open(new, encoding="utf-8") as file:
            self.alice.write("secrets/new", file.read())
        self.assertEqual(self.ok(self.alice, "vault", "check", "--json", secret="new").result["keyEpoch"], 2)

    def test_a_new_kit_is_told_although_the_configuration_cannot_be_written(self):
        kit = self.alice.path("files", "kit.pdf")
        self.done(self.alice, "vault", "kit", "-y", "-o", kit)
        self.assertTrue(os.path.exists(kit))
        self.refused("wrongSecret", self.alice, "identity", "show", secret="recovery")

    def test_a_slot_that_was_set_removed_or_tested_is_told(self):
        self.alice.write("secrets/new", "some other passphrase\n")
        self.done(self.alice, "vault", "slot", "set", "1", "--new-passphrase-file", self.alice.secret_file("new"))
        self.ok(self.alice, "identity", "show", secret="new")
        self.done(self.alice, "vault", "slot", "test", "recovery", secret="recovery")
        self.done(self.alice, "vault", "slot", "rm", "passphrase", "-y")
        self.refused("noSuchSlot", self.alice, "identity", "show", secret="new")

    def test_scripts_find_the_warning_beside_the_new_key(self):
        outcome = self.alice.run("vault", "rekey", "-y", "--json", secret="passphrase", before=self.frozen(self.alice))
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("notRemembered", outcome.warnings)
        self.assertEqual(outcome.result["keyEpoch"], 2)


class InAKeyring(Unremembered):
    world = AT_THE_DESKTOP

    def test_a_new_key_epoch_is_told_although_the_configuration_cannot_be_written(self):
        self.done(self.alice, "vault", "rekey", "-y")
        self.assertEqual(self.ok(self.alice, "vault", "check", "--json").result["keyEpoch"], 2)
