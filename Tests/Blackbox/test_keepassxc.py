"""KeePassXC as the keyring: another Secret Service than GNOME's, with prompts that ask nobody and attributes of its own."""

import os
import subprocess
import unittest

import house
import keepassxc
import keyring as kr
import strace
from house import ALONE, Case, Person, pair


@unittest.skipIf(keepassxc.missing(), keepassxc.missing())
class Driven(Case):
    """It can be driven at all: by secret-tool."""

    world = None

    def setUp(self):
        super().setUp()
        house.clear_now()
        self.alice = Person("alice")
        self.alice.make_folders()
        self.alice.start_keyring(keepassxc.KeePassXC)
        self.ring = self.alice.keyring

    def test_secret_tool_stores_finds_and_clears(self):
        for number in range(3):
            stored = self.ring.secret_tool("store", f"--label=Nr. {number}", "number", str(number), given=f"v{number}")
            self.assertEqual(stored.returncode, 0, stored)
        self.assertEqual(self.ring.secret_tool("lookup", "number", "1").stdout, b"v1")
        item, = self.ring.items({"number": "1"})
        self.assertEqual((item.label, item.secret, item.attributes["number"]), ("Nr. 1", b"v1", "1"))
        self.ring.set_secret(item.path, b"other")
        self.assertEqual(self.ring.secret_tool("lookup", "number", "1").stdout, b"other")
        self.assertEqual(self.ring.secret_tool("clear", "number", "1").returncode, 0)
        self.assertEqual(self.ring.secret_tool("lookup", "number", "1").stdout, b"")
        self.ring.restart()
        self.assertEqual(self.ring.secret_tool("lookup", "number", "2").stdout, b"v2")

    def test_it_can_be_locked(self):
        self.ring.add("A", {"number": "1"}, b"x")
        self.ring.lock()
        self.assertTrue(self.ring.is_locked(kr.DEFAULT))
        self.ring.close()
        self.ring.start()
        self.assertEqual([item.secret for item in self.ring.items({"number": "1"})], [b"x"])


@unittest.skipIf(keepassxc.missing(), keepassxc.missing())
class Journey(Case):
    """A vault in KeePassXC, and a friend with a file."""

    world = None

    def setUp(self):
        super().setUp()
        self.bob, = ALONE.arrive()
        self.bob.name = "bob"
        self.alice = Person("second")
        self.alice.name = "alice"
        self.alice.make_folders()
        self.alice.start_keyring(keepassxc.KeePassXC)
        self.ring = self.alice.keyring
        self.made = self.ok(self.alice, "init", "--name", "Alice")

    def test_from_the_first_run_to_the_last_word(self):
        status = self.ok(self.alice, "status", "--json").result
        self.assertEqual((status["store"]["backend"], status["store"]["why"]), ("keyring", "answered"))
        pair(self.alice, self.bob, "--limit", "5")
        sealed = self.ok(self.alice, "encrypt", "bob", "--lines", given="a\nb\nc\nd\ne\n").output
        code = self.refused("rekeyRequired", self.alice, "encrypt", "bob", given="x").json["error"]["details"]["code"]
        self.ok(self.alice, "accept", "-y", given=self.ok(self.bob, "accept", "-y", given=code).output)
        self.assertEqual(self.ok(self.bob, "decrypt", given=sealed).lines, ["a", "b", "c", "d", "e"])
        self.ring.restart()
        self.is_friendly(self.alice, self.bob)
        self.is_friendly(self.bob, self.alice)
        verified = self.ok(self.alice, "vault", "check", "--json").result
        self.assertEqual(verified["records"], len(self.alice.records()))
        notice = self.ok(self.alice, "session", "revoke", "bob", "-y").output
        self.ok(self.bob, "accept", "-y", given=notice)
        self.refused("revoked", self.bob, "encrypt", "alice", given="too late")
        self.ring.restart()
        self.refused("revoked", self.alice, "encrypt", "bob", given="too late")
        self.ok(self.alice, "doctor")

    def test_messages_that_it_forgets_when_it_is_killed_are_not_sent_again_under_their_numbers(self):
        self.assertIn("may forget", self.made.talk)
        pair(self.alice, self.bob)
        self.is_friendly(self.alice, self.bob)
        self.ring.restart()
        for number in range(20):
            self.ok(self.alice, "encrypt", "bob", given=f"number {number}")
        self.ring.kill()
        self.ring.wait_for(lambda: not self.ring.owner(), "the name of the old KeePassXC is free")
        self.ring.start()
        for words in (("encrypt", "bob"), ("session", "list"), ("vault", "check")):
            self.refused("rollback", self.alice, *words, given="again")

    @unittest.skipUnless(strace.works(), "nothing can be traced here")
    def test_a_message_leaves_after_the_anchor_and_its_folder_are_on_the_disk(self):
        pair(self.alice, self.bob)
        trace = self.alice.path("files", "trace")
        outcome = self.alice.run("encrypt", "bob", given="x", before=(
            strace.STRACE, "-f", "-qq", "-y", "-o", trace, "-e", "trace=fsync,write"))
        self.assertEqual(outcome.code, 0, outcome)
        with open(trace, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
        left = next(number for number, line in enumerate(lines) if "write(1<" in line)
        anchor = os.path.realpath(next(iter(self.alice.anchor_files())))
        for path in (anchor, os.path.dirname(anchor)):
            self.assertTrue(any("fsync(" in line and f"<{path}>" in line for line in lines[:left]), (path, lines))

    def test_prompts_that_ask_nothing_are_no_questions(self):
        """KeePassXC has one for every new item; in a script nobody may be asked, and nobody is."""
        offer = self.ok(self.alice, "--no-input", "pair").output
        answer = self.ok(self.bob, "accept", "-y", "--as", "alice", given=offer).output
        self.ok(self.alice, "--no-input", "accept", "-y", "--as", "bob", given=answer, DISPLAY=None)
        self.is_friendly(self.alice, self.bob)
        self.ok(self.alice, "--no-input", "pair", "--close-all")
        self.ok(self.alice, "--no-input", "vault", "check")

    def test_a_person_sees_the_vault_and_each_password_by_name(self):
        pair(self.alice, self.bob)
        self.ok(self.alice, "secret", "set", "mail", given="hunter2")
        self.ring.close()

        def cli(*words):
            done = subprocess.run(["keepassxc-cli", *words], input=kr.PASSWORD.encode() + b"\n", capture_output=True,
                                  env=self.ring.own_environment())
            self.assertEqual(done.returncode, 0, done)
            return done.stdout.decode().splitlines()
        listed = cli("ls", "-q", self.ring.file)
        self.assertEqual(sorted(name for name in listed if name.startswith("HSIP")),
                         ["HSIP vault vault", "HSIP vault vault, key of a copy"])
        self.assertIn("mail", listed)
        self.assertEqual(cli("show", "-q", "-s", "-a", "Password", self.ring.file, "mail"), ["hunter2"])
