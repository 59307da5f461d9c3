"""A vault of the program before suite 02: it opens, its sessions go on, and its contacts move to suite 02."""

import json
import os
import unittest

import agents as ag
from house import FAKETIME, HERE, Case, Outcome, Person, clear_now, must, vf, xc
from screen import Screen

with open(os.path.join(HERE, "before_suite_02.json"), encoding="utf-8") as file:
    OLD = json.load(file)
LATER = OLD["moment"].replace(" 12:", " 13:")


class Owner(Person):
    """A person an hour after the records were made."""

    def run(self, *words: str, **how) -> Outcome:
        return super().run(*words, **({"time": LATER} | how))


def owner(name: str) -> Owner:
    """A person whose vault has the old records in place of those of a new one."""
    person = Owner(name)
    person.make_folders()
    must(person.run("init", "--name", name.capitalize(), "-o", person.secret_file("recovery"), "--no-input",
                    secret="passphrase"))
    vault = vf.Vault.open(person.vault, recovery=person.recovery, anchor_folder=person.anchors)
    try:
        for meta in vault.list():
            if meta.kind.startswith("hsip."):
                vault.delete(meta.kind, meta.name)
        for record in OLD[name]:
            vault.put(record["kind"], record["name"], bytes.fromhex(record["body"]), record["label"], record["attributes"])
    finally:
        vault.close()
    return person


@unittest.skipUnless(FAKETIME, "faketime is not installed")
class BeforeSuite02(Case):
    world = None
    through_agent = False

    def setUp(self):
        super().setUp()
        clear_now()
        self.alice, self.bob = owner("alice"), owner("bob")

    def versions(self, person: Person) -> dict[str, set[int]]:
        found = {}
        for (kind, _), body in person.records().items():
            if kind.startswith("hsip."):
                found.setdefault(kind, set()).add(body[0])
        return found

    def is_readable_by_the_old_program(self, person: Person):
        """No record has a version that it refuses."""
        self.assertEqual({version for versions in self.versions(person).values() for version in versions}, {1})

    def suites(self, person: Person, name: str) -> tuple:
        """Of the session in use; the lowest that the contact may come to; whether the contact's program is old."""
        contact = self.ok(person, "contact", "show", name, "--json").result
        (session,) = contact["session"]["pairings"]
        return session["suite"], contact["lowestSuite"], contact["oldProgram"]

    def says(self, sender: Person, receiver: Person, text: str):
        sent = self.ok(sender, "encrypt", receiver.name, "--json", given=text)
        self.assertNotIn("notPostQuantum", sent.warnings)
        read = self.ok(receiver, "decrypt", given=sent.result["message"])
        self.assertEqual(read.output.rstrip("\n"), text)

    def takes(self, person: Person, code: str, suite: int) -> str | None:
        """Takes a code; a reply, if one is due. It is said once whether a quantum computer can read the messages."""
        told = self.ok(person, "accept", "-y", "--json", given=code)
        self.assertEqual(told.warnings.count("notPostQuantum"), 1 if suite == 1 else 0, told)
        reply = (told.result["reply"] or {}).get("code")
        if reply is not None:
            self.assertEqual(xc.extract(reply)[2], suite, told)
        return reply

    def rotate(self, person: Person, name: str) -> str:
        return self.ok(person, "session", "rotate", name).reply

    def test_an_old_vault_goes_on_where_it_was_and_moves_to_suite_02_at_its_next_renewal(self):
        self.assertEqual(self.suites(self.alice, "bob"), (1, 1, False))
        self.assertEqual(self.ok(self.alice, "decrypt", given=OLD["message"]).output.rstrip("\n"), "from before suite 02")
        # The open codes of suite 01 still serve.
        self.assertEqual(self.rotate(self.alice, "bob"), OLD["rotate"])
        told = self.ok(self.alice, "accept", "-y", "--as", "carol", "--json", given=OLD["answer"])
        self.assertEqual(told.warnings.count("notPostQuantum"), 1, told)
        self.assertIsNone(self.takes(self.alice, OLD["accept"], 1))
        self.says(self.alice, self.bob, "under new keys of suite 01")
        self.says(self.bob, self.alice, "and back")
        for person in (self.alice, self.bob):
            self.is_readable_by_the_old_program(person)
        rotate = self.rotate(self.alice, "bob")
        self.assertEqual(xc.extract(rotate)[2], 2)
        self.assertIsNone(self.takes(self.alice, self.takes(self.bob, rotate, 2), 2))
        self.says(self.alice, self.bob, "under suite 02")
        self.says(self.bob, self.alice, "and back")
        self.assertEqual(self.suites(self.alice, "bob"), (2, 2, False))
        self.assertEqual(self.suites(self.bob, "alice"), (2, 2, False))
        self.assertEqual(self.suites(self.alice, "carol"), (1, 1, False))
        self.assertEqual(self.versions(self.bob)["hsip.contact"], {3})
        self.assertEqual(self.ok(self.bob, "contact", "show", "alice", "--json").result["note"], "met at work")
        # Nothing leads back: an offer of suite 01 to Bob is not made.
        refused = self.alice.run("pair", "bob", "--suite", "01", "--json")
        self.assertEqual((refused.code, refused.json["error"]["code"]), (6, "suiteDowngrade"), refused)

    def test_an_old_program_gets_suite_01_once_a_person_has_said_so_and_it_is_said_once(self):
        self.takes(self.alice, OLD["accept"], 1)
        self.says(self.alice, self.bob, "so that Bob has the new keys")
        self.assertEqual(xc.extract(self.rotate(self.alice, "bob"))[2], 2, "which Bob's program cannot read")
        refused = self.alice.run("contact", "set", "bob", "--suite", "01", "--json")
        self.assertEqual((refused.code, refused.json["error"]["code"]), (6, "denied"), refused)
        shown = Screen(self, self.alice, "contact", "set", "bob", "--suite", "01", **ag.clock(LATER))
        shown.sees("over a channel you trust")
        shown.enters("y")
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertEqual(self.suites(self.alice, "bob"), (1, 1, True))
        # Bob's records, which the old program has to read after each step, stay as it knows them.
        rotate = self.rotate(self.alice, "bob")
        self.assertEqual(xc.extract(rotate)[2], 1)
        accept = self.takes(self.bob, rotate, 1)
        self.is_readable_by_the_old_program(self.bob)
        self.assertIsNone(self.takes(self.alice, accept, 1))
        for number in range(3):
            self.says(self.alice, self.bob, f"message {number}")
            self.says(self.bob, self.alice, f"reply {number}")
        self.is_readable_by_the_old_program(self.bob)
        self.assertEqual(self.suites(self.alice, "bob"), (1, 1, True))
        self.assertEqual(self.suites(self.bob, "alice"), (1, 1, False))
        # Once Bob has a newer program, his next renewal has suite 02 and ends the mark.
        rotate = self.rotate(self.bob, "alice")
        self.takes(self.bob, self.takes(self.alice, rotate, 2), 2)
        self.says(self.bob, self.alice, "with a newer program")
        self.assertEqual(self.suites(self.alice, "bob"), (2, 2, False))


if __name__ == "__main__":
    unittest.main()
