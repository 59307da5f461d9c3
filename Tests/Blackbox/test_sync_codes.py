"""Codes and digits between machines: JOIN, ADMIT and HEAD, typed, read and drawn."""

import os
import shutil

from house import newcomer, unittest
from screen import Screen
from sync_case import SyncCase


class Numbers(SyncCase):
    def test_wrong_digits_change_nothing(self):
        self.found()
        join = self.join(self.bob)
        tip = self.tip
        self.refused("numberDiffers", self.alice, "accept", join["code"], "--expect", "000 000 000 000")
        self.refused("inputNeeded", self.alice, "accept", join["code"])
        self.assertEqual(self.tip, tip)
        admit = self.admit(self.alice, join)
        self.refused("numberDiffers", self.bob, "accept", admit["code"], "--expect", join["number"])
        self.refused("noLog", self.bob, "sync")
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])

    def test_a_taken_name_is_refused_before_digits(self):
        self.found()
        join = self.join(self.bob, "laptop")
        self.refused("machineNameTaken", self.alice, "accept", join["code"])
        self.admit(self.alice, self.join(self.bob, "desktop"))

    def test_a_join_code_twice(self):
        self.found()
        join = self.join(self.bob)
        self.admit(self.alice, join)
        again = self.ok(self.alice, "accept", join["code"], "--expect", join["number"])
        self.assertIn("desktop is among the machines already", again.talk)
        admit = self.admit(self.alice, join)
        self.put(self.bob, "of bob", "x")
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])
        self.sync(self.alice)
        again = self.ok(self.alice, "accept", join["code"])
        self.assertIn("desktop shares this vault already", again.talk)
        refused = self.refused("logExists", self.bob, "accept", admit["code"], "--expect", admit["number"])
        self.assertEqual(refused.json["error"]["hint"], "hsip sync")

    def test_codes_in_the_wrong_place(self):
        self.found()
        join = self.join(self.bob)
        admit = self.admit(self.alice, join)
        carol = newcomer("carol")
        self.refused("noLog", carol, "accept", join["code"], "--expect", join["number"])
        self.refused("noLog", carol, "accept", admit["code"], "--expect", admit["number"])
        self.join(carol, "tablet")
        self.refused("otherJoin", carol, "accept", admit["code"], "--expect", admit["number"])
        self.refused("logExists", self.alice, "accept", admit["code"], "--expect", admit["number"])
        self.refused("usage", self.alice, "accept", join["code"], "--as", "bob")
        self.refused("logExists", self.alice, "setup", "sync", "join")


class AtATerminal(SyncCase):
    def test_a_person_types_the_digits_and_has_one_try(self):
        self.put(self.alice, "db", "x")
        self.found()
        join = self.join(self.bob)
        tip = self.tip
        for typed, told, code in (("111 111 111 111", "is not the number of this code", 15), ("", "Nothing changed", 6)):
            asked = Screen(self, self.alice, "accept", join["code"])
            asked.sees("desktop wants to join. It will read and change the shared secrets")
            asked.sees("Type the twelve digits that desktop shows:")
            asked.enters(typed)
            asked.sees(told)
            self.assertEqual(asked.ends(), code)
        self.assertEqual(self.tip, tip)
        asked = Screen(self, self.alice, "accept", join["code"])
        asked.sees("Type the twelve digits that desktop shows:")
        asked.enters(join["number"].replace(" ", ""))
        number = asked.sees(r"Digits: (\d{3} \d{3} \d{3} \d{3})")[1]
        self.assertEqual(asked.ends(), 0)
        code = next(line for line in asked.text.splitlines() if line.startswith("HSIP:ADMIT1"))
        asked = Screen(self, self.bob, "accept", code.strip())
        asked.sees("Type the twelve digits that the other machine shows:")
        asked.enters(number)
        asked.sees("Received [12] changes? from laptop.")
        self.assertEqual(asked.ends(), 0)

    def test_the_join_code_is_drawn(self):
        shown = Screen(self, self.bob, "setup", "sync", "join", "--name", "desktop")
        shown.sees("HSIP:JOIN1")
        shown.sees(r"Digits: \d{3} \d{3} \d{3} \d{3}")
        self.assertEqual(shown.ends(), 0)


class Heads(SyncCase):
    def test_machines_compare_their_history_by_code_and_by_digits(self):
        self.together()
        mine = self.ok(self.alice, "sync", "head", "--json").result
        self.assertRegex(mine["code"], "^HSIP:HEAD1")
        self.ok(self.bob, "sync", "head", mine["number"])
        self.ok(self.bob, "sync", "head", mine["code"])
        self.put(self.bob, "x", "1")
        self.sync(self.bob)
        # An earlier entry is found by its links.
        self.assertEqual(self.ok(self.bob, "sync", "head", mine["code"], "--json").result["place"], mine["place"])
        self.refused("numberDiffers", self.bob, "sync", "head", mine["number"])
        theirs = self.ok(self.bob, "sync", "head", "--json").result
        self.refused("headAhead", self.alice, "sync", "head", theirs["code"])
        self.sync(self.alice)
        self.ok(self.alice, "sync", "head", theirs["code"])

    def test_another_history_is_found_out(self):
        """The server shows each machine a line of its own."""
        self.together()
        shutil.copytree(self.remote, self.remote + ".other")
        self.put(self.bob, "x", "1")
        self.sync(self.bob)
        head = self.ok(self.bob, "sync", "head", "--json").result
        shutil.rmtree(self.remote)
        os.rename(self.remote + ".other", self.remote)
        self.put(self.alice, "y", "2")
        self.sync(self.alice)
        self.put(self.alice, "z", "3")
        self.sync(self.alice)
        self.refused("logForked", self.alice, "sync", "head", head["code"])


if __name__ == "__main__":
    unittest.main()
