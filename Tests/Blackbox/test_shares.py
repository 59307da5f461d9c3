"""Shares of a recovery secret: made, put together by people at a terminal, ended (Schemas/shares.md)."""

import itertools
import os
import shutil
import stat

import screen
from house import ALONE, Case
from screen import Screen

NEW_PASSPHRASE = "seven grey herons over the harbour"
RIGHT = r"Share \d of \d is complete"


class Shares(Case):
    world = ALONE

    def make(self, threshold: int = 2, count: int = 3) -> list[str]:
        """Shares in files; their words."""
        base = self.alice.path("files", f"share-{threshold}-{count}")
        made = self.ok(self.alice, "vault", "shares", "make", "--threshold", str(threshold), "--shares", str(count), "-o",
                       base, "-y", "--json").result
        self.assertEqual(made["outputFiles"], [f"{base}-{number}" for number in range(1, count + 1)])
        self.assertEqual((made["sharing"]["threshold"], made["sharing"]["count"]), (threshold, count))
        self.assertRegex(made["sharing"]["slot"]["label"], f"^shares {threshold} of {count} [0-7][0-9a-f]{{3}}$")
        self.assertIsNone(made["sharing"]["holders"])
        shares = []
        for name in made["outputFiles"]:
            self.assertEqual(stat.S_IMODE(os.stat(name).st_mode), 0o600)
            with open(name, encoding="ascii") as file:
                head, words, end = file.read().split("\n")
            self.assertRegex(head, r"^# Share \d+ of \d+; \d+ of them open the vault$")
            self.assertEqual((len(words.split(" ")), end), (20, ""))
            shares.append(words)
        self.assertEqual(len(set(shares)), count)
        return shares

    def asks(self, *words: str) -> Screen:
        return Screen(self, self.alice, "--no-agent", *words, secret=None)

    def gives(self, shown: Screen, shares: list[str]):
        for share in shares:
            shown.sees(r"Share \d+( of \d+)?: ")
            shown.enters(share)
            shown.sees(RIGHT)

    def test_any_of_the_people_who_are_enough_open_the_vault(self):
        shares = self.make(2, 3)
        for some in itertools.permutations(shares, 2):
            shown = self.asks("identity", "show", "--shares")
            self.gives(shown, list(some))
            self.assertEqual(shown.ends(), 0, shown.plain)
            self.assertIn("Alice", shown.plain)

    def test_shares_that_are_shown_open_the_vault(self):
        shown = Screen(self, self.alice, "vault", "shares", "make", "--threshold", "2", "--shares", "2", "--print")
        shown.sees(r"Make 2 shares\?")
        shown.enters("y")
        shares = []
        for number in (1, 2):
            written = shown.sees(rf"Share {number} of 2; 2 of them open the vault\r?\n"
                                 r"((?:  [a-z ]+\r?\n){4})").group(1)
            shares.append(" ".join(written.split()))
            shown.sees("type its last word")
            if number == 1:
                shown.enters("academic" if not shares[0].endswith("academic") else "acid")
                shown.sees("That is not the last word of this share")
                shown.sees("type its last word")
            shown.enters(shares[-1].split()[-1].upper())
        self.assertEqual(shown.ends(), 0, shown.plain)
        shown = self.asks("vault", "slot", "test", "recovery", "--shares")
        self.gives(shown, shares)
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertIn("shares 2 of 2", shown.plain)

    def test_shares_that_are_not_written_down_are_not_made(self):
        before = self.alice.rows()
        shown = Screen(self, self.alice, "vault", "shares", "make", "--threshold", "2", "--shares", "3", "--print")
        shown.sees(r"Make 3 shares\?")
        shown.enters("y")
        for attempt in range(3):
            shown.sees("type its last word")
            shown.enters("nothing")
            # Keys that come before the next question may belong to the one before.
            if attempt < 2:
                shown.sees("That is not the last word of this share")
        self.assertEqual(shown.ends(), 6, shown.plain)
        self.assertIn("nothing was made", shown.plain)
        self.assertEqual(self.alice.rows(), before)
        shown = Screen(self, self.alice, "vault", "shares", "make", "--threshold", "2", "--shares", "3", "--print")
        shown.sees(r"Make 3 shares\?")
        shown.enters("n")
        self.assertEqual(shown.ends(), 6, shown.plain)
        self.assertEqual(self.alice.rows(), before)

    def test_a_wrong_word_is_noticed_at_its_share(self):
        shares = self.make(2, 3)
        words = shares[0].split()
        shown = self.asks("identity", "show", "--shares")
        shown.sees("Share 1: ")
        shown.enters(" ".join(["wrxist", *words[1:]]))
        shown.sees("word 1 is not in the list")
        shown.sees("word 1: wrist")
        shown.sees("Share 1: ")
        other = "acid" if words[9] != "acid" else "acne"
        shown.enters(" ".join([*words[:9], other, *words[10:]]))
        shown.sees("one or more words are wrong")
        # Cut words count, and a paste of many lines.
        shown.sees("Share 1: ")
        shown.pastes("\n".join(word[:4].upper() for word in words))
        shown.enters()
        shown.sees(RIGHT)
        shown.sees("Share 2 of 2: ")
        shown.enters(shares[0])
        shown.sees("was already given")
        shown.sees("Share 2 of 2: ")
        shown.enters(shares[2])
        self.assertEqual(shown.ends(), 0, shown.plain)

    def test_a_word_is_completed_by_a_blank(self):
        shares = self.make(2, 3)
        shown = self.asks("identity", "show", "--shares")
        shown.sees("Share 1: ")
        shown.types("acad ")
        shown.sees("academic ")
        shown.types("\x15")
        for share in shares[:2]:
            shown.sees(r"Share \d( of \d)?: ")
            shown.enters(" ".join(word[:4] for word in share.split()))
            shown.sees(RIGHT)
        self.assertEqual(shown.ends(), 0, shown.plain)

    def test_shares_of_two_sets_do_not_go_together(self):
        ours, theirs = self.make(2, 3), self.make(2, 2)
        shown = self.asks("identity", "show", "--shares")
        self.gives(shown, [ours[0]])
        for attempt in range(3):
            shown.sees("Share 2 of 2: ")
            shown.enters(theirs[1])
            shown.sees("belongs to another set")
        self.assertEqual(shown.ends(), 4, shown.plain)

    def test_without_a_terminal_there_is_nobody_to_read_out_words(self):
        self.make(2, 3)
        self.ends(7, self.alice, "--no-agent", "identity", "show", "--shares", secret=None)
        self.ends(2, self.alice, "identity", "show", "--shares")
        for wrong in (("1", "3"), ("4", "3"), ("2", "17"), ("0", "0")):
            self.ends(2, self.alice, "vault", "shares", "make", "--threshold", wrong[0], "--shares", wrong[1], "-y", "-o",
                      "x")
        self.ends(7, self.alice, "vault", "shares", "make", "--threshold", "2", "--shares", "3", "-y")

    def test_files_that_are_there_stay(self):
        path = self.alice.write("files/words-2", "mine")
        before = self.alice.rows()
        self.refused("alreadyExists", self.alice, "vault", "shares", "make", "--threshold", "2", "--shares", "3", "-y", "-o",
                     path.removesuffix("-2"), plain=False)
        self.assertEqual(self.alice.rows(), before)
        self.assertFalse(os.path.exists(path.removesuffix("-2") + "-1"))

    def test_a_vault_has_room_for_four_codes_and_nothing_is_written_for_a_fifth(self):
        for number in (2, 3, 4):
            self.make(2, number)
        base = self.alice.path("files", "fifth")
        self.ends(4, self.alice, "vault", "shares", "make", "--threshold", "2", "--shares", "3", "-o", base, "-y")
        self.assertFalse(os.path.exists(base + "-1"))

    def test_a_code_on_paper_and_a_backup_are_said_to_come_first(self):
        made = self.ok(self.alice, "vault", "shares", "make", "--threshold", "2", "--shares", "2", "-o",
                       self.alice.path("files", "first"), "-y")
        self.assertIn("knows of no backup", made.talk)
        self.assertNotIn("no recovery code on paper", made.talk)
        self.ok(self.alice, "vault", "backup", self.alice.path("files", "copy"))
        # The slot of the shares is one of the same kind.
        (paper,) = [slot["number"] for slot in self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"]
                    if slot["kind"] == "recovery" and "shares" not in (slot["label"] or "")]
        self.ok(self.alice, "vault", "slot", "rm", str(paper), "-y", secret="passphrase")
        made = self.ok(self.alice, "vault", "shares", "make", "--threshold", "2", "--shares", "2", "-o",
                       self.alice.path("files", "second"), "-y", secret="passphrase")
        self.assertNotIn("knows of no backup", made.talk)
        self.assertIn("no recovery code on paper", made.talk)

    def test_what_was_made_is_listed_and_ended(self):
        self.assertEqual(self.ok(self.alice, "vault", "shares", "list", "--json").result["sharings"], [])
        self.refused("noSuchSlot", self.alice, "vault", "shares", "end", "-y", plain=False)
        shares = self.make(2, 3)
        listed = self.ok(self.alice, "vault", "shares", "list", "--json").result["sharings"]
        self.assertEqual([(one["threshold"], one["count"]) for one in listed], [(2, 3)])
        self.assertRegex(self.ok(self.alice, "vault", "shares", "list").output, r"2\s+3")
        self.make(2, 2)
        self.refused("inputNeeded", self.alice, "vault", "shares", "end", "-y", plain=False)
        copy = self.alice.path("files", "copy")
        self.ok(self.alice, "vault", "backup", copy)
        number = listed[0]["slot"]["number"]
        ended = self.ok(self.alice, "vault", "shares", "end", str(number), "-y")
        self.assertIn("3 people still hold words", ended.talk)
        shown = self.asks("identity", "show", "--shares")
        self.gives(shown, shares[:2])
        self.assertEqual(shown.ends(), 6, shown.plain)
        self.assertIn("open no slot of this vault", shown.plain)
        # The copy is from before.
        shown = self.asks("vault", "restore", copy, "--shares", "--force", "--accept-rollback", "-y")
        self.gives(shown, shares[1:])
        screen.gives_new(shown, "New passphrase", NEW_PASSPHRASE)
        self.assertEqual(shown.ends(), 0, shown.plain)

    def test_people_bring_back_a_vault_whose_secrets_are_lost(self):
        shares = self.make(3, 5)
        copy = self.alice.path("files", "copy")
        self.ok(self.alice, "vault", "backup", copy)
        for folder in (self.alice.path("data", "hsip"), self.alice.path("state"), self.alice.path("config")):
            shutil.rmtree(folder)
        shown = self.asks("vault", "restore", copy, "--shares")
        self.gives(shown, [shares[4], shares[0], shares[2]])
        screen.gives_new(shown, "New passphrase", NEW_PASSPHRASE)
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertIn("hsip vault shares end", shown.plain)
        self.assertNotIn(NEW_PASSPHRASE, shown.text)
        self.alice.write("secrets/new", NEW_PASSPHRASE + "\n")
        self.assertEqual(self.ok(self.alice, "identity", "show", "--json", secret="new").result["name"], "Alice")
        self.ok(self.alice, "vault", "shares", "end", "-y", secret="new")

    def test_words_that_are_read_out_are_in_no_output_and_no_file(self):
        shares = self.make(2, 3)
        for name in os.listdir(self.alice.path("files")):
            os.remove(self.alice.path("files", name))
        shown = self.asks("identity", "show", "--shares")
        self.gives(shown, shares[:2])
        self.assertEqual(shown.ends(), 0, shown.plain)
        for folder, _, names in os.walk(self.alice.home):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        held = file.read()
                    for share in shares:
                        self.assertNotIn(share.encode(), held, name)


if __name__ == "__main__":
    import unittest
    unittest.main()
