"""Where the secret comes from, and what happens when it does not come."""

import os
import subprocess

from house import ALONE, BINARY, PASSPHRASE, Case


class Sources(Case):
    def opened(self, **how):
        outcome = self.alice.run("identity", "show", "--json", **how)
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(outcome.result["name"], "Alice")

    def test_a_file(self):
        self.opened(secret="passphrase")
        self.opened(secret="recovery")
        self.opened(secret=None, HSIP_PASSPHRASE_FILE=self.alice.secret_file("passphrase"))

    def test_a_descriptor(self):
        reading, writing = os.pipe()
        os.write(writing, PASSPHRASE.encode() + b"\nleft alone\n")
        os.close(writing)
        finished = subprocess.run([BINARY, "--passphrase-fd", str(reading), "identity", "show"], pass_fds=[reading],
                                  capture_output=True, env=self.alice.environment(), start_new_session=True)
        self.assertEqual(finished.returncode, 0, finished)
        self.assertEqual(os.read(reading, 100), b"left alone\n", "not a byte more than the line is taken")
        os.close(reading)

    def test_a_credential_of_systemd(self):
        folder = self.alice.path("credentials")
        os.mkdir(folder, 0o700)
        self.alice.write("credentials/hsip.passphrase", PASSPHRASE + "\n", 0o440)
        self.opened(secret=None, CREDENTIALS_DIRECTORY=folder)

    def test_a_recovery_code_as_people_write_it(self):
        code = self.alice.recovery
        for text in (code.lower(), code.replace("-", " "), code.replace("0", "O").replace("1", "l")):
            with self.subTest(shape=text[:4].islower()):
                self.alice.write("secrets/typed", text + "\n")
                self.opened(secret="typed")

    def test_nobody_to_ask_is_locked(self):
        for words in (("identity", "show"), ("pair",), ("encrypt", "bob"), ("session", "list"), ("vault", "check")):
            with self.subTest(words=words):
                self.refused("locked", self.alice, *words, secret=None)

    def test_a_variable_with_the_passphrase_itself_is_ignored(self):
        self.refused("locked", self.alice, "identity", "show", secret=None, HSIP_PASSPHRASE=PASSPHRASE)

    def test_a_wrong_passphrase(self):
        self.alice.write("secrets/typed", "not the passphrase\n")
        outcome = self.refused("wrongSecret", self.alice, "identity", "show", secret="typed")
        self.assertNotIn("not the", outcome.output)

    def test_a_wrong_and_a_mistyped_recovery_code(self):
        code = self.alice.recovery
        self.alice.write("secrets/typed", code[:-1] + ("0" if code[-1] != "0" else "1") + "\n")
        self.refused("mistyped", self.alice, "identity", "show", secret="typed")

    def test_a_named_source_that_fails_is_the_end(self):
        good = self.alice.secret_file("passphrase")
        missing = self.alice.path("secrets", "nothing")
        outcome = self.ends(3, self.alice, "--passphrase-file", missing, "identity", "show", secret=None,
                            HSIP_PASSPHRASE_FILE=good)
        self.assertEqual(outcome.output, "")

    def test_two_sources_are_one_too_many(self):
        self.ends(2, self.alice, "--passphrase-fd", "0", "identity", "show", given=PASSPHRASE)

    def test_a_passphrase_file_that_others_can_read(self):
        for mode in (0o644, 0o640, 0o604, 0o660):
            with self.subTest(mode=oct(mode)):
                self.alice.write("secrets/typed", PASSPHRASE + "\n", mode)
                outcome = self.alice.run("identity", "show", "--json", secret="typed")
                self.assertIn(outcome.code, (6, 12), outcome)

    def test_a_passphrase_file_that_is_none(self):
        os.mkfifo(self.alice.path("secrets", "pipe"), 0o600)
        os.mkdir(self.alice.path("secrets", "folder"), 0o700)
        self.alice.write("secrets/empty", "\n")
        for name in ("pipe", "folder", "empty"):
            with self.subTest(name=name):
                outcome = self.alice.run("identity", "show", secret=name, timeout=20)
                self.assertIn(outcome.code, (6, 12), outcome)
                self.check_talk(outcome)

    def test_a_passphrase_of_many_letters(self):
        """Composed and decomposed letters are the same passphrase."""
        self.alice.write("secrets/new", "gr\u00fc\u00dfe vom f\u00e4hrmann\n")
        self.ok(self.alice, "vault", "slot", "add", "passphrase", "--new-passphrase-file",
                self.alice.path("secrets", "new"))
        self.alice.write("secrets/typed", "gru\u0308\u00dfe vom fa\u0308hrmann\n")
        self.opened(secret="typed")


class Words(Case):
    """Wrong words end with 2 and say what would have been right."""

    def test_words_that_are_none(self):
        for words in (("pare",), ("session",), ("session", "lst"), ("pair", "--nonsense"), ("encrypt",),
                      ("session", "revoke"), ("pair", "--limit", "many"), ("pair", "--limit", "0"),
                      ("pair", "--limit", "1001"), ("pair", "--life", "31d"), ("pair", "--life", "1"),
                      ("pair", "--ttl", "0m"), ("--color", "blue", "status"), ("--passphrase-fd", "x", "status"),
                      ("verify",), ("contact", "set", "bob", "--colour", "red"), ("pair", "a", "b"),
                      ("--vault",), ("session", "revoke", "bob", "--reason", "bored")):
            with self.subTest(words=words):
                outcome = self.alice.run(*words)
                self.assertEqual(outcome.code, 2, outcome)

    def test_a_typo_is_met_with_the_right_word(self):
        outcome = self.alice.run("encrpyt", "bob", given="x")
        self.assertEqual(outcome.code, 2, outcome)
        self.assertIn("encrypt", outcome.talk)

    def test_usage_as_json(self):
        outcome = self.alice.run("encrpyt", "bob", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (2, "usage"), outcome)

    def test_help_is_data(self):
        for words in (("--help",), ("pair", "--help"), ("session", "--help"), ("help",), ("session", "revoke", "-h")):
            with self.subTest(words=words):
                outcome = self.alice.run(*words, secret=None)
                self.assertEqual((outcome.code, outcome.talk), (0, ""), outcome)
                self.assertIn("hsip", outcome.output)

    def test_a_strange_vault_name(self):
        for name in ("", ".hidden", "../x/../../etc"):
            with self.subTest(name=name):
                self.assertIn(self.alice.run("--vault", name, "identity", "show").code, (2, 3), name)

    def test_options_stand_before_or_after(self):
        for words in (("--json", "identity", "show"), ("identity", "--json", "show"), ("identity", "show", "--json")):
            self.assertEqual(self.ok(self.alice, *words).result["name"], "Alice")


class Slots(Case):
    def test_slots_are_listed_added_and_removed(self):
        slots = self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"]
        self.assertEqual([slot["kind"] for slot in slots], ["passphrase", "recovery"])
        path = self.alice.path("files", "second")
        self.ok(self.alice, "vault", "slot", "add", "recovery", "-o", path)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        with open(path, encoding="utf-8") as file:
            self.alice.write("secrets/second", file.read())
        self.ok(self.alice, "identity", "show", secret="second")
        slots = self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"]
        self.assertEqual(len(slots), 3)
        self.ok(self.alice, "vault", "slot", "rm", str(slots[2]["number"]), "-y")
        self.refused("wrongSecret", self.alice, "identity", "show", secret="second")
        self.ok(self.alice, "identity", "show")

    def test_the_passphrase_is_changed(self):
        self.alice.write("secrets/new", "another long passphrase\n")
        number = str(self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"][0]["number"])
        self.ok(self.alice, "vault", "slot", "set", number, "--new-passphrase-file", self.alice.path("secrets", "new"),
                "-y")
        self.ok(self.alice, "identity", "show", secret="new")
        self.refused("wrongSecret", self.alice, "identity", "show", secret="passphrase")

    def test_the_last_slot_stays(self):
        slots = self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"]
        self.ok(self.alice, "vault", "slot", "rm", str(slots[0]["number"]), "-y")
        self.refused("lastSlot", self.alice, "vault", "slot", "rm", str(slots[1]["number"]), "-y")

    def test_a_slot_that_is_none(self):
        self.refused("noSuchSlot", self.alice, "vault", "slot", "rm", "99", "-y")

    def test_a_slot_is_tested(self):
        self.ok(self.alice, "vault", "slot", "test", "--json")

    def test_at_most_four_of_a_kind(self):
        for index in range(3):
            self.ok(self.alice, "vault", "slot", "add", "recovery", "-o", self.alice.path("files", f"r{index}"))
        outcome = self.refused("slotLimit", self.alice, "vault", "slot", "add", "recovery", "-o",
                               self.alice.path("files", "fifth"))
        self.assertFalse(os.path.exists(self.alice.path("files", "fifth")), outcome)
