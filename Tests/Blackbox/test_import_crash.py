"""An import is all or nothing: the program killed in the middle, a client of the agent killed in the middle, and one that is
more than an agent takes."""

import os
import unittest

import agents as ag
import export_file as ef
import house
import ssh_keys as sk
import strace
from house import Case, must

KILLED = (-9, 137)
COUNT = 300
SPREAD = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987)


class CrashCase(Case):
    world = house.ALONE

    def setUp(self):
        super().setUp()
        # Long values, so that a commit is many writes.
        self.table = self.alice.write("files/p.csv", "name,password\n" + "".join(
            f"e{number},{number} {'x' * 1500}\n" for number in range(COUNT)))
        self.alice.keep("before")

    def kept(self) -> int:
        """How many things of the import are in the vault, which both programs find in order."""
        self.ok(self.alice, "vault", "check")
        return sum(kind in ("secret", "ssh.key", "ssh.host") for kind, _ in self.alice.records())

    def brings(self, *words: str, expected: int):
        """Taken in the end, whatever happened before."""
        self.ok(self.alice, "vault", "import", *words, "-y")
        self.assertEqual(self.kept(), expected)


@unittest.skipUnless(strace.works(), "strace may not trace here")
class Killed(CrashCase):
    def sweep(self, call: str, path: str | None, *words: str, expected: int) -> set[int]:
        """Killed at some of its writes, from the first to the last; how much was there afterwards."""
        found = set()
        for number in SPREAD:
            self.alice.put_back("before")
            outcome = self.alice.run("vault", "import", *words, "-y", before=strace.kill(call, number, path))
            if outcome.code not in KILLED:
                self.assertEqual(outcome.code, 0, outcome)
                self.assertGreater(number, 3, "the sweep met no writes")
                break
            with self.subTest(call=call, number=number):
                kept = self.kept()
                self.assertIn(kept, (0, expected))
                found.add(kept)
                self.brings(*words, expected=expected)
        return found

    def test_a_table(self):
        wal = self.alice.vault + "-wal"
        self.assertIn(0, self.sweep("pwrite64", wal, self.table, expected=COUNT))

    def test_a_table_at_its_syncs(self):
        for number in (1, 2):
            self.alice.put_back("before")
            outcome = self.alice.run("vault", "import", self.table, "-y",
                                     before=strace.kill("fdatasync", number, self.alice.vault + "-wal"))
            with self.subTest(number):
                self.assertIn(self.kept(), (0, COUNT) if outcome.code in KILLED else (COUNT,))
                self.brings(self.table, expected=COUNT)

    def test_an_export_with_keys_and_hosts(self):
        must(self.alice.run("vault", "import", self.table, "-y"))
        key = sk.make(self.alice.path("files", "id_work"), comment="at work")
        must(self.alice.run("ssh", "key", "import", key, "--name", "work"))
        must(self.alice.run("ssh", "host", "add", "db1", "--address", "db1.example.org", "--user", "me", "--key", "work"))
        word = self.alice.write("secrets/export", "a word of an export\n")
        path = os.path.join(house.PLACE, "crash.hsipexport")
        self.addCleanup(os.unlink, path)
        must(self.alice.run("vault", "export", "--to", "hsip", "-o", path, "--export-passphrase-file", word))
        # Cheaper to open each time.
        with open(path, "rb") as file:
            items = ef.read(file.read(), "a word of an export")
        with open(path, "wb") as file:
            file.write(ef.write(items, "a word of an export"))
        self.alice.put_back("before")
        self.alice.write("secrets/export", "a word of an export\n")
        self.alice.keep("before")
        found = self.sweep("pwrite64", self.alice.vault + "-wal", path, "--export-passphrase-file", word, expected=COUNT + 2)
        self.assertIn(0, found)


@unittest.skipIf(ag.missing(), ag.missing())
class ThroughTheAgent(CrashCase):
    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_a_client_that_is_killed_in_the_middle_of_its_request(self):
        ag.Hsip(self.alice).askpass.says_always_yes()
        for number in range(1, 6):
            outcome = self.alice.run("vault", "import", self.table, "-y", secret=None, before=strace.kill("sendmsg", number))
            kept = self.kept()
            with self.subTest(number):
                self.assertIn(kept, (0, COUNT) if outcome.code in KILLED else (COUNT,))
                self.assertTrue(kept == 0 or number > 2, "taken before all of it was sent")
            if kept:
                break
        self.assertEqual(self.ok(self.alice, "vault", "import", self.table, "-y", "--json", secret=None).result["counts"]["known"],
                         kept)
        self.assertEqual(self.kept(), COUNT)

    def test_more_than_an_agent_takes_at_once_is_refused_with_the_way(self):
        large = self.alice.write("files/large.csv", "name,password\n" + "".join(
            f"e{number},{number} {'x' * 100_000}\n" for number in range(100)))
        ag.Hsip(self.alice).askpass.says_always_yes()
        before = self.alice.rows()
        outcome = self.alice.run("vault", "import", large, "--json", secret=None)
        error = outcome.json["error"]
        self.assertEqual((outcome.code, error["code"]), (12, "requestTooLarge"), outcome)
        self.assertIn("8 MiB", error["message"])
        self.assertEqual(error["hint"], f"hsip --no-agent vault import {large}")
        self.assertEqual(self.alice.rows(), before)
        self.ok(self.alice, "--no-agent", "vault", "import", large)
        self.assertEqual(self.ok(self.alice, "--no-agent", "secret", "get", "e99").data, b"99 " + b"x" * 100_000)

    def test_the_report_of_what_an_agent_took_is_never_too_large_for_it(self):
        names = "".join(f"{number:06} {'é' * 120},{number}\n" for number in range(20_000))
        table = self.alice.write("files/names.csv", "name,password\n" + names)
        ag.Hsip(self.alice).askpass.says_always_yes()
        outcome = self.ok(self.alice, "vault", "import", table, "-y", "--json", secret=None)
        self.assertEqual(outcome.result["counts"]["imported"], 20_000)
