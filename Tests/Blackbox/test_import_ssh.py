"""`vault import` of a ~/.ssh and of known_hosts: all or nothing, in one commit, and the folder stays as it is."""

import os
import unittest

import ssh_keys as sk
from house import Case
from screen import Screen


class Folder(Case):
    def setUp(self):
        super().setUp()
        self.folder = self.alice.path("home-ssh")
        os.makedirs(self.folder, mode=0o700)
        self.ed = sk.make(self.file("id_ed25519"), comment="of the laptop")
        self.rsa = sk.make(self.file("id_rsa"), "rsa2048", comment="old")
        self.host = sk.beside(sk.make(self.alice.path("files", "host")))
        self.other = sk.beside(sk.make(self.alice.path("files", "other")))
        self.known = f"h1.example.org,192.0.2.1 {self.host}\n# a comment\n[h2.example.org]:2222 {self.other}\n"
        self.alice.write("home-ssh/known_hosts", self.known)
        self.alice.write("home-ssh/config", "Host *\n")
        self.alice.write("home-ssh/authorized_keys", sk.read(self.ed + ".pub"))

    def file(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def snapshot(self) -> dict:
        return {name: (sk.read(self.file(name)), os.stat(self.file(name)).st_mode) for name in sorted(os.listdir(self.folder))}

    def brings(self, *words: str, **how) -> dict:
        return self.ok(self.alice, "vault", "import", *words, "--json", **how).result

    def keys(self) -> list[str]:
        return [line.split("\t")[0] for line in self.ok(self.alice, "ssh", "key", "list").lines]

    def test_keys_and_hosts_come_and_the_folder_stays(self):
        before = self.snapshot()
        told = self.brings(self.folder)
        self.assertEqual((told["form"], told["trial"]), ("ssh-dir", False), told)
        self.assertEqual(len(self.keys()), 2)
        self.assertEqual(self.snapshot(), before)
        exported = {" ".join(self.ok(self.alice, "ssh", "key", "export", name, "--public").output.split()[:2])
                    for name in self.keys()}
        self.assertEqual(exported, {sk.beside(self.ed), sk.beside(self.rsa)})
        lines = self.ok(self.alice, "ssh", "host", "export").lines
        self.assertEqual(sorted(lines), sorted([f"h1.example.org,192.0.2.1 {self.host}", "# a comment",
                                                f"[h2.example.org]:2222 {self.other}"]), lines)
        rows = self.alice.rows()
        again = self.brings(self.folder)
        self.assertEqual((again["counts"]["imported"], self.alice.rows()), (0, rows), again)

    def test_a_trial_makes_nothing(self):
        rows = self.alice.rows()
        told = self.brings(self.folder, "--dry-run")
        self.assertIs(told["trial"], True)
        self.assertEqual(self.alice.rows(), rows)
        self.assertEqual(self.keys(), [])

    def test_known_hosts_alone_and_from_stdin(self):
        told = self.brings(self.file("known_hosts"))
        self.assertEqual(told["form"], "known-hosts")
        self.assertEqual(self.keys(), [])
        self.ok(self.alice, "ssh", "host", "show", "h1.example.org")
        more = f"h3.example.org {self.other}\n"
        self.brings("-", "--from", "known-hosts", given=more)
        self.ok(self.alice, "ssh", "host", "show", "h3.example.org")

    def test_another_key_for_a_known_host_is_left_out_and_said(self):
        self.brings(self.file("known_hosts"))
        changed = self.alice.write("files/changed", f"h1.example.org {self.other}\nh4.example.org {self.host}\n")
        told = self.ok(self.alice, "vault", "import", changed, "--from", "known-hosts", "--json")
        self.assertIn("importHostConflicts", told.warnings)
        lines = self.ok(self.alice, "ssh", "host", "export").output
        self.assertNotIn(f"h1.example.org {self.other}", lines)
        self.assertIn(f"h4.example.org {self.host}", lines)

    def test_one_key_that_cannot_be_read_leaves_all_where_they_are(self):
        sk.make(self.file("id_locked"), passphrase="a passphrase of the key")
        rows = self.alice.rows()
        outcome = self.alice.run("vault", "import", self.folder, "--no-input")
        self.assertNotEqual(outcome.code, 0, outcome)
        self.assertIn("id_locked", outcome.talk)
        self.assertIn("nothing was imported", outcome.talk)
        self.assertEqual(self.alice.rows(), rows)
        os.chmod(self.file("id_locked"), 0o644)
        self.assertNotEqual(self.alice.run("vault", "import", self.folder, "--no-input").code, 0)
        self.assertEqual(self.alice.rows(), rows)

    def test_a_person_types_the_passphrase_of_a_key(self):
        sk.make(self.file("id_locked"), passphrase="a passphrase of the key")
        screen = Screen(self, self.alice, "vault", "import", self.folder)
        screen.sees("id_locked")
        screen.enters("a passphrase of the key")
        self.assertEqual(screen.ends(), 0, screen.text)
        self.assertNotIn("a passphrase of the key", screen.text)
        self.assertEqual(len(self.keys()), 3)

    def test_what_has_nothing_of_ssh_in_it_is_refused(self):
        empty = self.alice.path("files", "empty")
        os.makedirs(empty)
        self.ends(13, self.alice, "vault", "import", empty, "--from", "ssh-dir")
        text = self.alice.write("files/text", "# only a comment\n")
        self.ends(13, self.alice, "vault", "import", text, "--from", "known-hosts")
        os.mkfifo(os.path.join(empty, "known_hosts"))
        os.mkfifo(os.path.join(empty, "id_rsa"))
        self.ends(13, self.alice, "vault", "import", empty, "--from", "ssh-dir")


if __name__ == "__main__":
    unittest.main()
