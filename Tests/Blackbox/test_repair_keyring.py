"""`vault repair` of a vault in a real GNOME Keyring: what can be read, into a vault file; the keyring stays as it is."""

import os
import shutil
import stat
import unittest

import keyring as kr
import keyring_items as ki
import strace
from house import MIXED_FRIENDS, Case


@unittest.skipIf(kr.missing(), kr.missing())
class RepairOfAKeyring(Case):
    world = MIXED_FRIENDS

    def setUp(self):
        super().setUp()
        self.assertTrue(self.alice.is_in_keyring)
        self.new = self.alice.path("files", "saved.hsipvault")
        self.phrase = self.alice.write("secrets/copies", "a passphrase of the copies\n")
        # Secrets of 6 kB fill pages, and one of 9 kB has a page of its own.
        for number in range(8):
            self.ok(self.alice, "secret", "set", f"n{number}", "--type", "note", given=str(number) * 6_000)
        self.ok(self.alice, "secret", "set", "long", "--type", "note", given="x" * 9_000)
        self.ok(self.alice, "secret", "set", "mail", given="hunter2")

    def pages(self) -> dict[str, kr.Item]:
        return {item.attributes["page"]: item for item in ki.of(self.alice.keyring, "Page")}

    def first_page(self) -> kr.Item:
        """The page of the first records that are secrets."""
        head = ki.header(self.alice.keyring)
        number = next(page for page, first, last, count, tag in head["pages"] if last[0] == "secret" and count > 1)
        return self.pages()[number.hex()]

    def items(self) -> list[tuple]:
        return sorted((item.path, item.label, sorted(item.attributes.items()), item.secret)
                      for item in self.alice.keyring.items())

    def repairs(self, *words: str, code: int = 0) -> dict:
        before = self.items()
        outcome = self.ends(code, self.alice, "vault", "repair", "-o", self.new, "--new-passphrase-file", self.phrase,
                            *words, "--json")
        self.assertEqual(self.items(), before, "the keyring was changed")
        if code == 0:
            return outcome.result
        self.assertEqual(outcome.json["error"]["code"], "repairIncomplete")
        return outcome.json["error"]["details"]

    def takes_back(self):
        return self.ok(self.alice, "vault", "restore", self.new, "--force", "-y", "--passphrase-file", self.phrase,
                       "--json").result

    def test_a_sound_vault_is_saved_whole_and_comes_back_by_a_restore(self):
        told = self.repairs()
        self.assertEqual((told["backend"], told["source"], told["complete"], told["damagedItems"], told["slots"]),
                         ("keyring", None, True, [], 1))
        self.assertEqual(told["records"], len(self.alice.records()))
        self.assertEqual(told["generation"], told["newestGeneration"] + 1)
        self.assertEqual(stat.S_IMODE(os.stat(self.new).st_mode), 0o600)
        self.assertEqual(os.listdir(self.alice.path("files")), ["saved.hsipvault"])
        self.refused("alreadyExists", self.alice, "vault", "repair", "-o", self.new)
        self.assertEqual(self.takes_back()["records"], told["records"])
        self.assertEqual(self.ok(self.alice, "secret", "get", "mail").output, "hunter2")
        # What was sent since is unknown.
        self.refused("restored", self.alice, "encrypt", "bob", given="x", changes=True)

    def test_lost_items_are_named_and_all_else_is_saved(self):
        page = self.first_page()
        lost, = (item for item in self.pages().values() if len(item.secret) > 12_000 and b"eHh4eHh4" in item.secret)
        self.alice.keyring.set_secret(page.path, page.secret[:-8] + b"AAAAAAA=")
        self.alice.keyring.remove(lost.path)
        told = self.repairs(code=11)
        self.assertEqual([item["path"] for item in told["damagedItems"]], [page.path])
        self.assertIn(("secret", "long"), [(one["kind"], one["name"]) for one in told["lost"]["names"]])
        gone = told["lost"]["count"] + told["unnamedLost"]
        self.assertEqual(told["records"] + gone, ki.header(self.alice.keyring)["records"])
        people = self.ends(11, self.alice, "vault", "repair", "--dry-run")
        self.assertIn(page.path, people.talk)
        self.assertIn("the secret long", people.talk)
        self.takes_back()
        self.assertEqual(self.ok(self.alice, "secret", "get", "mail").output, "hunter2")
        self.ends(3, self.alice, "secret", "get", "long")
        self.ok(self.alice, "vault", "check")

    def test_a_vault_with_backups_needs_no_new_passphrase(self):
        code = self.alice.path("files", "code")
        self.ok(self.alice, "vault", "backup", self.alice.path("files", "backup"), "--new-passphrase-file", self.phrase,
                "-o", code)
        self.ends(2, self.alice, "vault", "repair", "-o", self.new, "--new-passphrase-file", self.phrase)
        told = self.ok(self.alice, "vault", "repair", "-o", self.new, "--json").result
        self.assertEqual((told["complete"], told["slots"]), (True, 2))
        for file in (self.phrase, code):
            self.ok(self.alice, "vault", "backup", "--verify", self.new, "--passphrase-file", file)

    def test_without_the_root_its_copy_on_this_machine_is_read_and_without_both_nothing(self):
        root = ki.header(self.alice.keyring)["item"]
        self.alice.keyring.set_secret(root.path, b"of another program")
        told = self.repairs()
        self.assertTrue(told["rootFromCopy"])
        self.assertEqual([item["path"] for item in told["damagedItems"]], [root.path])
        os.unlink(self.new)
        for name in os.listdir(self.alice.path("state", "hsip")):
            if name.startswith("root-"):
                os.unlink(self.alice.path("state", "hsip", name))
        self.refused("notAVault", self.alice, "vault", "repair", "-o", self.new, changes=True)
        self.assertFalse(os.path.exists(self.new))

    def test_of_two_roots_of_which_none_is_known_a_repaired_vault_takes_the_place(self):
        ring = self.alice.keyring
        head = ki.header(ring)
        other = ring.add(head["item"].label, head["item"].attributes, b"")
        forged = head["content"].replace(bytes.fromhex(head["mark"]), bytes(16))
        ki.write_root(ring, head | {"item": next(item for item in ring.items() if item.path == other)}, forged)
        # Nothing that was seen here tells them apart.
        for path in self.alice.anchor_files():
            os.unlink(path)
        shutil.rmtree(self.alice.path("run", "hsip"))
        self.ends(11, self.alice, "secret", "get", "mail")
        self.repairs()
        self.takes_back()
        self.assertEqual(self.ok(self.alice, "secret", "get", "mail").output, "hunter2")
        self.assertEqual(self.ok(self.alice, "vault", "check", "--json").result["foreign"], 0)
        # Both are kept.
        aside = [item.secret for item in ki.of(ring, "Aside") if item.secret.startswith(b"hsip-vault:")]
        self.assertEqual(len(aside), 2)
        self.assertIn(head["item"].secret, aside)

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_a_disk_that_is_full_or_breaks_leaves_nothing_behind(self):
        before = self.items()
        for call, error in (("pwrite64", "ENOSPC"), ("fsync", "EIO"), ("link", "EIO")):
            with self.subTest(call=call):
                outcome = self.alice.run("vault", "repair", "-o", self.new, "--new-passphrase-file", self.phrase,
                                         before=strace.inject(call, f"error={error}", "1+"))
                self.assertEqual(outcome.code, 12, outcome)
                self.check_talk(outcome)
                self.assertEqual(os.listdir(self.alice.path("files")), [])
                self.assertEqual(self.items(), before)

    def test_what_is_for_files_is_refused(self):
        for words in (("--with", self.new), ("--all-slots",), ("--take-missing",)):
            with self.subTest(words=words):
                self.ends(2, self.alice, "vault", "repair", "-o", self.new, *words)
        self.refused("inputNeeded", self.alice, "vault", "repair", "-o", self.new)
        self.assertFalse(os.path.exists(self.new))
