"""What somebody who knows nothing yet runs into: each message is true, names the way out, and that way is one."""

import os
import unittest

import agents as ag
from house import Case, Person
from screen import Screen

PASSWORD = "a word for the newcomer"


class FirstWords(Case):
    def test_all_that_a_script_has_to_say_is_asked_for_at_once(self):
        bob = Person("bob")
        bob.make_folders()
        outcome = self.ends(7, bob, "init", "--backend", "file", "--no-input", secret=None)
        for flag in ("--passphrase-file FILE", "-o FILE", "--name NAME"):
            self.assertIn(flag, outcome.talk)
        self.assertEqual(os.listdir(bob.path("config")), [], "nothing is made by a refusal")
        outcome = self.ends(7, bob, "init", "--no-identity", "--no-input", secret="passphrase")
        self.assertIn("add -o FILE", outcome.talk)

    def test_a_hint_is_about_the_vault_that_was_named(self):
        path = self.alice.path("files", "other.hsipvault")
        for words, code in ((("status",), 0), (("secret", "list"), 3), (("contact", "list"), 3)):
            outcome = self.ends(code, self.alice, "--vault", path, *words, secret=None)
            self.assertIn(f"hint: hsip --vault {path} init", outcome.talk)
        self.assertIn("hint: hsip --vault 'a b' init", self.ends(0, self.alice, "--vault", "a b", "status").talk)
        self.assertIn("hint: hsip help", self.ends(2, self.alice, "--vault", path, "secret", "get").talk)

    def test_a_list_that_is_announced_is_given(self):
        outcome = self.ends(2, self.alice, "vault", "import", "--from", "nonsense", "x.xml")
        self.assertIn("one of the following: kdbx-xml, keepassxc-csv, bitwarden,", outcome.talk)

    def test_a_word_in_the_wrong_place_is_told_where_it_belongs(self):
        # From the first word on that is no option it is the program's; a program is needed.
        self.assertEqual(self.ok(self.alice, "run", "echo", "x").output, "x\n")
        self.assertIn("hint: hsip run PROGRAM ARGUMENTS", self.ends(125, self.alice, "run").talk)
        self.assertIn("hint: hsip secret inject < TEMPLATE", self.ends(2, self.alice, "secret", "inject", "x.in").talk)
        self.assertIn("hint: echo … | hsip text encrypt", self.ends(2, self.alice, "text", "encrypt", "see you").talk)
        self.assertIn("writes an export to a file", self.ends(7, self.alice, "vault", "export", "--to", "hsip").talk)

    def test_a_folder_that_is_missing_is_not_the_file_that_was_given(self):
        self.ok(self.alice, "secret", "set", "x", given="v")
        for words in (("vault", "export", "--to", "hsip"), ("secret", "get", "x"), ("secret", "inject")):
            outcome = self.ends(3, self.alice, *words, "-o", self.alice.path("files", "none", "out"))
            self.assertIn("files/none does not exist", outcome.talk)

    def test_a_name_with_slashes_needs_no_quotes(self):
        self.ok(self.alice, "secret", "set", "web/mail", given="v")
        self.assertIn("hsip secret restore web/mail\n", self.ok(self.alice, "secret", "rm", "web/mail").talk)

    def test_what_was_stored_is_said(self):
        self.assertIn("ci/token is stored.", self.ok(self.alice, "secret", "generate", "ci/token").talk)

    def test_a_damaged_backup_is_not_called_the_vault(self):
        backup = self.alice.path("files", "backup")
        self.ok(self.alice, "vault", "backup", backup)
        with open(backup, "rb") as file:
            cut = self.alice.write("files/cut", file.read()[:5000])
        outcome = self.ends(11, self.alice, "vault", "restore", cut, "--force", "--yes")
        self.assertIn("the backup is damaged", outcome.talk)
        self.assertIn("is not an ordinary file", self.ends(4, self.alice, "vault", "backup", self.alice.path("files")).talk)

    def test_the_file_that_was_imported_is_not_forgotten(self):
        path = self.alice.write("files/passwords.csv", "name,url,username,password\nx,https://x.org,me,pw\n")
        said = f"{path} still shows every password to anyone who opens it; remove it"
        self.assertNotIn(said, self.ok(self.alice, "vault", "import", path, "--dry-run").talk)
        self.assertIn(said, self.ok(self.alice, "vault", "import", path).talk)
        self.assertNotIn(said, self.ok(self.alice, "vault", "import", path).talk, "nothing came out of it")


class WithAgent(Case):
    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()

    def test_hsip_alone_tells_whether_the_vault_is_open(self):
        self.assertIn("encrypted file, locked.", self.ok(self.alice, secret=None).output)
        self.assertIn("hsip unlock", self.ok(self.alice, secret=None).output)
        agent = ag.Hsip(self.alice)
        self.assertIn("encrypted file, open in the agent.", self.ok(self.alice, secret=None).output)
        self.assertNotIn("hsip unlock", self.ok(self.alice, secret=None).output)
        self.assertIn("encrypted file, locked.", self.ok(self.alice, "--no-agent", secret=None).output)
        agent.lock()
        self.assertIn("encrypted file, locked.", self.ok(self.alice, secret=None).output)

    def test_the_lease_that_a_refusal_proposes_is_one(self):
        self.ok(self.alice, "secret", "set", "web/mail", given=PASSWORD)
        ag.Hsip(self.alice)
        self.alice.opens_with = None
        outcome = self.ends(6, self.alice, "secret", "get", "web/mail", "--no-input", "--json")
        hint = outcome.json["error"]["hint"]
        self.assertEqual(hint, "hsip lease run web/mail --for 20m --reason TEXT -- COMMAND")
        screen = Screen(self, self.alice, *hint.split()[1:-1], *self.alice.command("secret", "get", "web/mail", "--no-input"))
        self.assertEqual(screen.ends(), 0)
        self.assertIn(PASSWORD, screen.plain)
        odd = self.ends(6, self.alice, "secret", "get", "a; b", "--no-input", "--json").json["error"]["hint"]
        self.assertNotIn(";", odd)


if __name__ == "__main__":
    unittest.main()
