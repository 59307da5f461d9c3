"""`vault repair`: what is left of a damaged vault file, into a new one that takes its place by `vault restore`."""

import contextlib
import os
import shutil
import sqlite3
import stat
import unittest

import strace
from house import FRIENDS, Case

PAGE = 4096


class RepairCase(Case):
    world = FRIENDS
    # A file is damaged that nobody has open.
    through_agent = False

    def setUp(self):
        super().setUp()
        self.new = self.alice.path("files", "saved.hsipvault")
        self.ok(self.alice, "secret", "set", "db/prod", given="value one")
        self.ok(self.alice, "secret", "set", "db/test", given="value two")
        self.backup = self.alice.path("files", "vault.backup")
        self.ok(self.alice, "vault", "backup", self.backup)
        self.assertEqual(self.sizes_of_log(), 0)

    def sizes_of_log(self) -> int:
        log = self.alice.vault + "-wal"
        return os.path.getsize(log) if os.path.exists(log) else 0

    def content(self) -> bytearray:
        with open(self.alice.vault, "rb") as file:
            return bytearray(file.read())

    def put(self, content: bytes):
        with open(self.alice.vault, "r+b") as file:
            file.truncate(0)
            file.write(content)

    def column(self, query: str) -> list[tuple]:
        """Rows of the file, from a connection that is closed again: else the log would stay."""
        with contextlib.closing(sqlite3.connect(f"file:{self.alice.vault}?mode=ro", uri=True)) as database:
            return database.execute(query).fetchall()

    def zero(self, start: int, count: int):
        content = self.content()
        content[start:start + count] = bytes(count)
        self.put(content)

    def untouched(self):
        content = self.content()
        facts = os.stat(self.alice.vault)
        return (content, facts.st_mtime_ns, facts.st_atime_ns, facts.st_ctime_ns, facts.st_ino)

    def check_no_drafts(self):
        for folder in (os.path.dirname(self.alice.vault), os.path.dirname(self.new)):
            self.assertEqual([name for name in os.listdir(folder) if ".new-" in name], [])


class Repair(RepairCase):
    def test_a_vault_without_its_first_page_comes_back_whole(self):
        self.zero(0, PAGE)
        damaged = bytes(self.content())
        self.assertIn("vault repair", self.ends(13, self.alice, "secret", "list").talk)
        told = self.ok(self.alice, "vault", "repair", "-o", self.new, "--json").result
        self.assertTrue(told["complete"])
        self.assertEqual((told["vouchedLanes"], told["unnamedLost"], told["lost"]["count"]), (128, 0, 0))
        self.assertEqual(stat.S_IMODE(os.stat(self.new).st_mode), 0o600)
        self.assertEqual(bytes(self.content()), damaged)
        self.check_no_drafts()
        back = self.ok(self.alice, "vault", "restore", self.new, "--force", "-y", "--json").result
        self.assertEqual(back["records"], told["records"])
        with open(back["kept"], "rb") as file:
            self.assertEqual(file.read(), damaged)
        self.assertEqual(self.ok(self.alice, "secret", "get", "db/prod").output, "value one")
        self.ok(self.alice, "vault", "check")
        # What was sent since is unknown.
        self.refused("restored", self.alice, "encrypt", "bob", given="x", changes=True)

    def test_a_damaged_secret_is_told_by_its_name_and_the_others_are_saved(self):
        before = {id for id, in self.column("SELECT id FROM record")}
        self.ok(self.alice, "secret", "set", "api/key", given="value three")
        bodies = [body for id, body in self.column("SELECT id, body FROM record") if id not in before]
        self.assertEqual(len(bodies), 1)
        self.assertEqual(self.sizes_of_log(), 0)
        content = self.content()
        # A body may go on in another page, so a part of it is searched for.
        parts = (bodies[0][start:start + 16] for start in range(0, len(bodies[0]), 16))
        content[next(place for place in map(content.find, parts) if place >= 0)] ^= 4
        self.put(content)
        kept = self.untouched()
        outcome = self.ends(11, self.alice, "vault", "repair", "-o", self.new, "--json")
        error = outcome.json["error"]
        self.assertEqual(error["code"], "repairIncomplete")
        lost = error["details"]["lost"]
        self.assertEqual([(entry["kind"], entry["name"]) for entry in lost["names"]], [("secret", "api/key")])
        self.assertEqual(error["details"]["vouchedLanes"], 128)
        self.assertEqual(self.untouched(), kept)
        people = self.ends(11, self.alice, "vault", "repair", "-o", self.new + "-2")
        self.assertIn("the secret api/key", people.talk)
        self.ok(self.alice, "vault", "restore", self.new, "--force", "-y")
        self.assertEqual(self.ok(self.alice, "secret", "get", "db/test").output, "value two")
        self.ends(3, self.alice, "secret", "get", "api/key")

    def test_without_readable_slots_a_backup_opens_it(self):
        content = self.content()
        for page in {content.index(proof) // PAGE for proof, in self.column("SELECT proof FROM slot")}:
            content[page * PAGE:(page + 1) * PAGE] = bytes(PAGE)
        self.put(content)
        outcome = self.ends(3, self.alice, "vault", "repair", "-o", self.new, "--json")
        self.assertEqual(outcome.json["error"]["code"], "noSuchSlot")
        self.assertIn("--with", outcome.json["error"]["hint"])
        self.check_no_drafts()
        told = self.ok(self.alice, "vault", "repair", "-o", self.new, "--with", self.backup, "--json").result
        self.assertTrue(told["openedByBackup"])
        self.assertTrue(told["slotsVouched"])

    def test_what_only_a_backup_has_is_named_and_taken_on_request(self):
        self.zero(self.content().index(b"\x2c\x81\x2c") // PAGE * PAGE, PAGE)
        words = ("vault", "repair", "-o", self.new, "--with", self.backup)
        outcome = self.ends(11, self.alice, *words, "--json")
        details = outcome.json["error"]["details"]
        self.assertGreater(details["onlyInBackup"]["count"], 0)
        self.assertIn("--take-missing", outcome.json["error"]["hint"])
        os.unlink(self.new)
        told = self.ok(self.alice, *words, "--take-missing", "--json").result
        self.assertEqual(told["fromBackup"]["count"], details["onlyInBackup"]["count"])
        self.assertEqual(told["vouchedLanes"], 128)

    def test_a_look_writes_nothing_and_says_the_same(self):
        self.zero(0, PAGE)
        kept = self.untouched()
        names = sorted(os.listdir(self.alice.path("files")))
        told = self.ok(self.alice, "vault", "repair", "--dry-run", "--json").result
        self.assertEqual((told["file"], told["generation"], told["complete"]), (None, None, True))
        self.assertEqual(self.untouched(), kept)
        self.assertEqual(sorted(os.listdir(self.alice.path("files"))), names)
        self.check_no_drafts()

    def test_a_backup_from_before_the_key_changed_helps_nothing(self):
        self.ok(self.alice, "vault", "rekey", "-y", secret="passphrase")
        self.zero(0, PAGE)
        kept = self.untouched()
        words = ("vault", "repair", "-o", self.new)
        outcome = self.ends(13, self.alice, *words, "--with", self.backup, "--json")
        self.assertIn("from before its key changed", outcome.json["error"]["message"])
        self.assertFalse(os.path.exists(self.new))
        self.assertEqual(self.untouched(), kept)
        self.check_no_drafts()
        # Nor does it open what it was the backup of once: the key of the file is another one.
        self.assertEqual(self.ok(self.alice, *words, "--json").result["keyEpoch"], 2)

    def test_words_that_do_not_fit_change_nothing(self):
        kept = self.untouched()
        self.ends(2, self.alice, "vault", "repair")
        self.ends(2, self.alice, "vault", "repair", "-o", "-")
        self.ends(2, self.alice, "vault", "repair", "-o", self.new, "--take-missing")
        there = self.ends(4, self.alice, "vault", "repair", "-o", self.backup)
        self.assertIn("another name", there.talk)
        self.ends(4, self.alice, "vault", "repair", "-o", self.alice.vault)
        self.ends(3, self.alice, "vault", "repair", self.new + "-gone", "-o", self.new)
        self.ends(3, self.alice, "vault", "repair", "-o", self.alice.path("files", "no", "folder"))
        text = self.alice.write("files/text", b"nothing of a vault\n" * 1000)
        self.ends(13, self.alice, "vault", "repair", text, "-o", self.new)
        self.ends(13, self.alice, "vault", "repair", "-o", self.new, "--with", text)
        wrong = self.alice.write("secrets/wrong", "another passphrase")
        self.ends(6, self.alice, "--passphrase-file", wrong, "vault", "repair", "-o", self.new, secret=None)
        other = self.bob.path("files", "bob.backup")
        self.ok(self.bob, "vault", "backup", other)
        outcome = self.ends(13, self.alice, "vault", "repair", "-o", self.new, "--with", other, "--json")
        self.assertIn("another vault", outcome.json["error"]["message"])
        self.assertFalse(os.path.exists(self.new))
        self.assertEqual(self.untouched(), kept)
        self.check_no_drafts()

    def test_a_draft_that_is_repaired_or_restored_is_not_swept_away_first(self):
        wrong = self.alice.write("secrets/wrong", "another passphrase")
        for place, words in ((self.new, ("vault", "repair", "{}", "-o", self.new)),
                             (self.alice.vault, ("vault", "restore", "{}", "--force", "-y"))):
            draft = place + ".new-0123456789ab"
            shutil.copyfile(self.alice.vault, draft)
            words = [word.format(draft) for word in words]
            self.ends(6, self.alice, "--passphrase-file", wrong, *words, secret=None)
            self.assertTrue(os.path.exists(draft), words)
            self.ok(self.alice, *words)
            self.assertEqual(self.ok(self.alice, "secret", "get", "db/prod").output, "value one")

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_a_block_that_the_disk_does_not_give_back_is_zeros_and_counted(self):
        kept = self.untouched()
        traced = strace.inject("pread64", "error=EIO", "1..2", self.alice.vault)
        outcome = self.alice.run("vault", "repair", "-o", self.new, "--json", before=traced)
        details = outcome.json["data"] if outcome.code == 0 else outcome.json["error"]["details"]
        self.assertEqual(details["unreadableBlocks"], 1)
        self.assertEqual(self.untouched(), kept)

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_a_full_disk_leaves_nothing_behind(self):
        kept = self.untouched()
        for call in ("write", "pwrite64"):
            traced = strace.inject(call, "error=ENOSPC", "1", None)
            outcome = self.alice.run("vault", "repair", "-o", self.new, before=traced)
            self.assertEqual(outcome.code, 12, outcome)
            self.assertFalse(os.path.exists(self.new))
            self.check_no_drafts()
        self.assertEqual(self.untouched(), kept)


if __name__ == "__main__":
    unittest.main()
