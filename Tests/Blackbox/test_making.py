"""What making leaves behind: the file with the recovery code, and the record of what was made."""

import json
import os
import stat
import unittest

import strace
from house import ALONE, LITTLE, PASSPHRASE, Case, Person, clear_now
from screen import Screen


class Making(Case):
    world = None

    def setUp(self):
        super().setUp()
        clear_now()
        self.alice = Person("alice")
        self.alice.make_folders()
        self.code = self.alice.path("files", "code")

    def init(self, *words: str, **how):
        return self.alice.run(*words, "init", "--name", "Alice", "-o", self.code, "--no-input", secret="passphrase",
                              **how)

    def test_a_file_that_is_there_is_refused_before_anything_is_made(self):
        self.alice.write("files/code", "mine")
        self.assertEqual(self.init().code, 4)
        self.assertFalse(os.path.exists(self.alice.vault))
        self.assertEqual(os.listdir(self.alice.path("config")), [])
        with open(self.code, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")

    def test_a_pipe_is_refused_and_stays_a_pipe(self):
        os.mkfifo(self.code)
        self.assertEqual(self.init().code, 4)
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.code).st_mode))

    def test_a_code_for_nothing_is_taken_away(self):
        with open(self.alice.path("data", "hsip"), "w", encoding="utf-8"):
            pass
        self.assertNotEqual(self.init().code, 0)
        self.assertFalse(os.path.exists(self.code))

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_a_code_that_opens_the_vault_stays_when_the_rest_fails(self):
        folder = os.path.dirname(self.alice.vault)
        os.makedirs(folder, mode=0o700)
        failed = self.init(before=strace.inject("fsync", "error=EIO", "1+", folder))
        self.assertNotEqual(failed.code, 0, failed)
        self.assertTrue(os.path.exists(self.alice.vault), failed)
        with open(self.code, encoding="utf-8") as file:
            self.alice.write("secrets/recovery", file.read())
        shown = Screen(self, self.alice, "doctor", "--fix", "-y", secret="recovery")
        shown.ends()
        self.ok(self.alice, "vault", "check", secret="recovery")

    def test_inits_at_once_are_all_recorded(self):
        names = [f"vault{number}" for number in range(4)]
        started = [self.alice.start("--vault", name, "init", "--no-identity", "-o", self.alice.path("files", name),
                                    "--no-input", secret="passphrase") for name in names]
        for process in started:
            process.communicate(timeout=200)
        self.assertEqual([process.returncode for process in started], [0] * 4)
        with open(self.alice.path("config", "hsip", "config.json"), encoding="utf-8") as file:
            self.assertEqual(sorted(json.load(file)["vaults"]), names)

    def test_a_guess_takes_less_memory_only_where_less_than_a_gibibyte_is_left(self):
        for number, (limits, kibibytes) in enumerate([
                (("--data=unlimited:", "--as=unlimited:"), 256 << 10),
                ((f"--data={LITTLE}:", "--as=unlimited:"), 64 << 10),
                (("--data=unlimited:", f"--as={LITTLE}:"), 64 << 10)]):
            with self.subTest(limits):
                self.code = self.alice.path("files", f"code{number}")
                made = self.init("--vault", f"vault{number}", before=("/usr/bin/prlimit", *limits))
                self.assertEqual(made.code, 0, made)
                slots = self.ok(self.alice, "--vault", f"vault{number}", "vault", "slot", "list", "--json",
                                secret="passphrase").result["slots"]
                self.assertEqual([slot["kdf"]["kibibytes"] for slot in slots if slot["kdf"]], [kibibytes])


@unittest.skipUnless(strace.works(), "strace may not trace here")
class Slots(Case):
    """The disk fails at one write after another while a slot is made."""

    def test_the_file_with_a_code_stays_exactly_when_the_code_may_open_the_vault(self):
        code, failures = self.alice.path("files", "code"), 0
        self.alice.keep("slots")
        for call in ("pwrite64", "fdatasync"):
            for number in (1, 2, 3):
                self.alice.put_back("slots")
                failed = self.alice.run(
                    "vault", "slot", "add", "recovery", "-o", code, "--no-input",
                    before=strace.inject(call, "error=EIO", f"{number}+", self.alice.vault + "-wal"))
                if failed.code == 0:
                    continue
                failures += 1
                slots = self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"]
                if len(slots) > 2:
                    self.assertTrue(os.path.exists(code), failed)
                if "whether the last write is on the disk" not in failed.talk:
                    self.assertEqual(os.path.exists(code), len(slots) > 2, failed)
        self.assertGreater(failures, 0)


class Streams(Case):
    def test_a_redirected_stream_is_written_to_and_its_name_stays(self):
        path = self.alice.path("files", "all")
        with open(path, "wb") as file:
            file.write(b"before\n")
            file.flush()
            process = self.alice.start("pair", "-o", "/dev/stdout", stdout=file)
            process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(os.path.islink("/dev/stdout"))
        with open(path, encoding="utf-8") as file:
            self.assertRegex(file.read(), "^before\n(.|\n)*HSIP")


class Exchanged(Case):
    """Another vault lies where the recorded one should."""

    world = ALONE

    def setUp(self):
        super().setUp()
        self.other = self.alice.path("data", "hsip", "other.hsipvault")
        self.ok(self.alice, "--vault", "other", "init", "--no-identity", "-o", self.alice.path("files", "r"),
                "--no-input", secret="passphrase")

    def test_yes_does_not_adopt_it(self):
        os.replace(self.other, self.alice.vault)
        outcome = self.ends(7, self.alice, "doctor", "--fix", "-y", secret="passphrase")
        self.assertNotIn(b"fixed", outcome.data)
        self.ends(12, self.alice, "identity", "show", secret="passphrase")

    def test_it_is_refused_even_if_it_came_while_the_passphrase_was_typed(self):
        shown = Screen(self, self.alice, "identity", "show", secret=None)
        shown.sees("Passphrase")
        os.replace(self.other, self.alice.vault)
        shown.enters(PASSPHRASE)
        self.assertEqual(shown.ends(), 12, shown.text)
        self.assertIn("is not the recorded vault but another one", " ".join(shown.plain.split()))


if __name__ == "__main__":
    unittest.main()
