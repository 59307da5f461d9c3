"""The vault in GNOME Keyring, from `init` to the end of a session, beside secret-tool and other programs."""

import base64
import json
import os
import re
import subprocess
import unittest

import keyring as kr
import keyring_items as ki
import strace
from house import (ALONE, AT_THE_DESKTOP, BINARY, DESKTOP_AND_FILE, MIXED_FRIENDS, Case, Person, clear_now, newcomer,
                   pair, say, xc)


NEW = ["Header", "RootKey"]
NEW_KINDS = ["hsip.clock", "hsip.identity"]
"""The items of a vault that was just made, and what its records are."""


class KeyringCase(Case):
    """A test that needs a keyring."""

    world = AT_THE_DESKTOP

    def setUp(self):
        if kr.missing():
            self.skipTest(kr.missing())
        super().setUp()

    def fails(self, name: str, person: Person, *words: str, **how):
        """The call fails by this name, for people and for scripts; the keyring may be out of reach."""
        return self.refused(name, person, *words, changes=True, **how)

    def log_out(self, vault: str | None = None):
        """The next command finds no lock file, as after a login."""
        vault = vault or ki.header(self.alice.keyring)["vault"]
        os.unlink(self.alice.path("run", "hsip", f"lock-{vault}"))

    def schemas(self, person: Person) -> list[str]:
        return sorted(item.schema.removeprefix(kr.SCHEMAS) for item in person.keyring.vault_items())

    def kinds(self, person: Person) -> list[str]:
        return sorted(kind for item in ki.of(person.keyring, "Header")
                      for kind, _ in ki.read(person.keyring, item.attributes["vault"]))


class FirstRun(KeyringCase):
    world = None

    def setUp(self):
        super().setUp()
        clear_now()
        self.alice = Person("alice")
        self.alice.make_folders()
        self.alice.start_keyring()

    def init(self, *words: str, **how):
        return self.alice.run("init", "--name", "Alice", "--no-input", *words, **how)

    def test_init_makes_a_vault_of_items_and_no_file(self):
        outcome = self.init("--backend", "keyring", "--json")
        self.assertEqual(outcome.code, 0, outcome)
        result = outcome.result
        self.assertEqual((result["vault"]["backend"], result["vault"]["path"], result["slots"], result["outputFile"],
                          result["why"]), ("keyring", None, [], None, "asked"))
        self.assertEqual(self.schemas(self.alice), NEW)
        head = ki.header(self.alice.keyring)
        self.assertEqual(head["vault"], result["vault"]["id"])
        self.assertEqual(sorted(ki.records(self.alice.keyring)), [("hsip.clock", "mark"), ("hsip.identity", "self")])
        left = [name for _, _, names in os.walk(self.alice.path("data", "hsip")) for name in names]
        self.assertEqual(left, [], "no file of the vault")
        with open(self.alice.path("config", "hsip", "config.json"), encoding="utf-8") as file:
            record = json.load(file)["vaults"]["vault"]
        self.assertEqual((record["backend"], record["id"]), ("secret-service", head["vault"]))
        self.assertEqual(len(self.alice.anchor_files()), 1)

    def test_auto_takes_the_keyring_where_one_answers(self):
        outcome = self.init("--json")
        self.assertEqual((outcome.code, outcome.result["vault"]["backend"], outcome.result["why"]),
                         (0, "keyring", "answered"), outcome)
        status = self.ok(self.alice, "status", "--json").result
        self.assertEqual((status["locked"], status["store"]["backend"], status["store"]["why"]),
                         (False, "keyring", "answered"))

    def test_auto_says_in_words_what_it_chose_and_why(self):
        outcome = self.init()
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("keyring", outcome.talk)
        self.assertRegex(outcome.talk, r"hsip: note: .*because")

    def test_a_passphrase_that_comes_along_makes_a_file(self):
        outcome = self.alice.run("init", "--name", "Alice", "-o", self.alice.path("files", "recovery"), "--json",
                                 secret="passphrase")
        self.assertEqual((outcome.code, outcome.result["vault"]["backend"], outcome.result["why"]),
                         (0, "file", "passphraseGiven"), outcome)
        self.assertEqual(self.schemas(self.alice), [])

    def test_a_locked_keyring_and_nobody_to_ask_makes_nothing_without_a_passphrase(self):
        self.alice.keyring.lock()
        outcome = self.init()
        self.assertEqual(outcome.code, 7, outcome)
        self.check_talk(outcome)
        self.alice.keyring.unlock()
        self.assertEqual(self.schemas(self.alice), [])

    def test_words_that_contradict_each_other_are_refused(self):
        path = self.alice.path("files", "x")
        for words in (("--backend", "keyring", "-o", path), ("--backend", "file", "--collection", "Login"),
                      ("--backend", "keyring", "--weak")):
            with self.subTest(words=words):
                outcome = self.init(*words)
                self.assertEqual(outcome.code, 2, outcome)
        outcome = self.alice.run("init", "--backend", "keyring", "--name", "A", secret="passphrase")
        self.assertEqual(outcome.code, 2, outcome)
        outcome = self.alice.run("--vault", path, "init", "--backend", "keyring", "--name", "A")
        self.assertEqual(outcome.code, 2, outcome)
        self.assertEqual(self.schemas(self.alice), [])

    def test_a_passphrase_for_a_vault_that_has_none_is_a_misunderstanding(self):
        self.init()
        outcome = self.alice.run("identity", "show", secret="passphrase")
        self.assertEqual(outcome.code, 2, outcome)
        self.check_talk(outcome)

    def test_init_never_makes_a_second_vault_beside_the_first(self):
        self.init()
        before = self.alice.rows()
        for words in ((), ("--backend", "keyring"), ("--backend", "file")):
            outcome = self.init(*words)
            self.assertEqual(outcome.code, 4, outcome)
        outcome = self.alice.run("init", "--name", "B", "-o", self.alice.path("files", "r"), secret="passphrase")
        self.assertEqual(outcome.code, 4, outcome)
        self.assertFalse(os.path.exists(self.alice.vault))
        self.assertEqual(self.alice.rows(), before)

    def test_a_vault_whose_record_was_lost_is_found_again_and_never_doubled(self):
        self.init()
        shown = self.ok(self.alice, "identity", "show", "--json").result
        os.unlink(self.alice.path("config", "hsip", "config.json"))
        outcome = self.init("--json")
        self.assertEqual((outcome.code, outcome.json["error"]["details"]["reason"]), (12, "unrecorded"), outcome)
        self.assertEqual(self.schemas(self.alice), NEW)
        self.ok(self.alice, "doctor", "--fix", "-y")
        self.assertEqual(self.ok(self.alice, "identity", "show", "--json").result, shown)

    def test_without_record_and_keyring_it_is_not_said_that_there_never_was_a_vault(self):
        self.init()
        os.unlink(self.alice.path("config", "hsip", "config.json"))
        outcome = self.ok(self.alice, "status", DBUS_SESSION_BUS_ADDRESS=None)
        self.assertIn("there was one here", outcome.output)
        self.assertNotIn("hsip init", outcome.talk)
        self.assertIn("shows that there was one", self.alice.run("doctor", DBUS_SESSION_BUS_ADDRESS=None).output)

    def test_a_vault_that_is_gone_is_an_error_and_never_an_empty_one(self):
        self.init()
        for item in self.alice.keyring.vault_items():
            self.alice.keyring.remove(item.path)
        for words in (("identity", "show"), ("pair",), ("session", "list"), ("vault", "check")):
            outcome = self.fails("unavailable", self.alice, *words)
            self.assertEqual(outcome.json["error"]["details"]["reason"], "noHeader")
        self.assertNotEqual(self.init().code, 0)
        self.assertEqual(self.schemas(self.alice), [])

    def test_a_collection_of_its_own(self):
        path = self.alice.keyring.make_collection("My keys")
        outcome = self.init("--collection", "My keys", "--json")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual({item.path.rpartition("/")[0] for item in self.alice.keyring.vault_items()}, {path})
        status = self.ok(self.alice, "status", "--json").result
        self.assertEqual(status["store"]["collection"], {"path": path, "label": "My keys", "locked": False})

    def test_a_collection_that_is_not_there_and_nobody_to_ask(self):
        outcome = self.init("--collection", "Nowhere", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (3, "noSuchCollection"), outcome)
        self.assertEqual(self.schemas(self.alice), [])

    def test_two_vaults_in_one_keyring_know_nothing_of_each_other(self):
        for name in ("vault", "work"):
            self.assertEqual(self.alice.run("--vault", name, "init", "--name", name, "--no-input").code, 0)
        self.assertEqual(self.schemas(self.alice), sorted(NEW * 2))
        self.assertEqual(self.kinds(self.alice), sorted(NEW_KINDS * 2))
        shown = [self.ok(self.alice, "--vault", name, "identity", "show", "--json").result["peerId"]
                 for name in ("vault", "work")]
        self.assertEqual(len(set(shown)), 2)
        offer = self.ok(self.alice, "--vault", "work", "pair").output
        self.assertEqual(self.ok(self.alice, "accept", "-y", "--as", "work", given=offer).kind, "answer")

    def test_two_inits_at_once_make_one_vault(self):
        processes = [self.alice.start("init", "--name", name, "--no-input") for name in ("first", "second")]
        codes = [process.wait(60) for process in processes]
        for process in processes:
            for stream in (process.stdin, process.stdout, process.stderr):
                stream.close()
        self.assertEqual(self.schemas(self.alice), NEW, codes)
        # The second one finds a vault that is recorded, or one that is not recorded yet.
        self.assertIn(sorted(codes), ([0, 4], [0, 12]))
        name = self.ok(self.alice, "identity", "show", "--json").result["name"]
        self.assertEqual(name, ("first", "second")[codes.index(0)])


class Beside(KeyringCase):
    """The records as other programs see them."""

    world = MIXED_FRIENDS

    def found(self, *words: str) -> str:
        """What secret-tool says, attributes and all."""
        finished = self.alice.keyring.secret_tool("search", "--all", *words)
        self.assertEqual(finished.returncode, 0, finished)
        return (finished.stdout + finished.stderr).decode()

    def lookup(self, name: str, **more: str):
        words = {"vault": ki.header(self.alice.keyring)["vault"], "kind": "secret", "name": name} | more
        return self.alice.keyring.secret_tool("lookup", *(word for pair in words.items() for word in pair))

    def test_secret_tool_prints_a_password_itself(self):
        self.ok(self.alice, "secret", "set", "mail/work", "--user", "alice", given="hunter2")
        self.ok(self.alice, "secret", "set", "ci", "--type", "token", given="t0ken")
        self.ok(self.alice, "secret", "set", "diary", "--type", "note", given="dear diary")
        self.assertEqual(self.lookup("mail/work").stdout, b"hunter2")
        self.assertEqual(self.lookup("mail/work", user="alice").stdout, b"hunter2")
        self.assertEqual(self.lookup("ci").stdout, b"t0ken")
        self.assertNotEqual(self.lookup("diary").returncode, 0)
        self.assertIn("label = mail/work", self.found("name", "mail/work"))
        self.ok(self.alice, "secret", "set", "mail/work", given="hunter3")
        self.assertEqual(self.lookup("mail/work").stdout, b"hunter3")
        self.ok(self.alice, "secret", "mv", "mail/work", "mail/home")
        self.assertNotEqual(self.lookup("mail/work").returncode, 0)
        self.assertEqual(self.lookup("mail/home").stdout, b"hunter3")
        self.ok(self.alice, "secret", "rm", "mail/home")
        self.assertNotEqual(self.lookup("mail/home").returncode, 0)
        self.ok(self.alice, "vault", "check")
        self.assertNotIn("other programs", self.ok(self.alice, "doctor").output)

    def test_what_another_program_writes_over_a_password_is_told_and_set_right(self):
        ring = self.alice.keyring
        self.ok(self.alice, "secret", "set", "mail", given="hunter2")
        item, = ki.of(ring, "Secret")
        ring.set_secret(item.path, b"theirs")
        self.assertEqual(self.ok(self.alice, "secret", "get", "mail").data, b"hunter2")
        self.assertIn("1 differ", self.ok(self.alice, "vault", "check").output)
        self.assertRegex(self.ok(self.alice, "doctor").output, "other programs read other values for: .*mail")
        self.ok(self.alice, "doctor", "--fix", "--yes")
        self.assertEqual(self.lookup("mail").stdout, b"hunter2")
        self.assertIn("agree with their records", self.ok(self.alice, "vault", "check").output)

    def test_a_password_that_secret_tool_overwrote_is_told_and_right_for_good_after_doctor(self):
        ring = self.alice.keyring
        for when in ("before", "after", "around"):
            with self.subTest(restart=when):
                self.ok(self.alice, "secret", "set", when, given="hunter2")
                item, = (item for item in ki.of(ring, "Secret") if item.attributes["name"] == when)
                words = [word for name, value in item.attributes.items() if name != "xdg:schema" for word in (name, value)]
                made = ring.secret_tool("store", "--label=Theirs", *words, given="theirs")
                self.assertEqual(made.returncode, 0, made)
                if when != "after":
                    ring.kill()
                    ring.restart()
                copies = self.ok(self.alice, "vault", "check", "--json").result["copies"]
                self.assertEqual(copies, {"differing": 1, "missing": 0})
                self.ok(self.alice, "doctor", "--fix", "--yes")
                if when != "before":
                    ring.kill()
                    ring.restart()
                self.assertEqual(self.ok(self.alice, "vault", "check", "--json").result["copies"],
                                 {"differing": 0, "missing": 0})
                self.assertEqual([(item.schema, item.secret) for item in ring.items({"name": when})],
                                 [(kr.SCHEMAS + "Secret", b"hunter2")])
                self.assertEqual(self.lookup(when).stdout, b"hunter2")

    def test_other_programs_find_every_password_of_a_large_import(self):
        rows = [f"site{number},https://{number}.example.org/,me,word{number}" for number in range(150)]
        table = self.alice.write("files/table.csv", "name,url,username,password\n" + "\n".join(rows) + "\n")
        told = self.ok(self.alice, "vault", "import", table, "-y", "--json")
        self.assertEqual(told.json["ok"], True)
        for number in (0, 63, 64, 149):
            self.assertEqual(self.lookup(f"site{number}").stdout, f"word{number}".encode())
        self.assertEqual(self.ok(self.alice, "vault", "check", "--json").result["copies"], {"differing": 0, "missing": 0})

    def test_no_secret_is_outside_a_secret(self):
        seed = self.alice.records()[("hsip.identity", "self")][1:33]
        keys = [body for (kind, _), body in self.alice.records().items() if kind == "hsip.pairing"]
        self.assertTrue(keys)
        pieces = [seed] + [body[at:at + 32] for body in keys for at in range(0, len(body) - 31, 32)]
        for item in self.alice.keyring.vault_items():
            shown = item.label + repr(item.attributes)
            for piece in pieces:
                self.assertNotIn(piece.hex(), shown)
                self.assertNotIn(base64.b64encode(piece).decode()[:40], shown)
        with open(self.alice.keyring.file, "rb") as file:
            self.assertNotIn(seed, file.read())

    def test_the_items_of_others_are_left_alone(self):
        ring = self.alice.keyring
        vault = ki.header(ring)["vault"]
        ring.secret_tool("store", "--label=Mail", "server", "mail.example.org", given="swordfish")
        ring.secret_tool("store", "--label=Near", "kind", "hsip.contact", "name", "eve", given="not ours")
        ring.secret_tool("store", "--label=Nearer", "vault", vault, "kind", "hsip.contact", "name", "eve", given="x")
        say(self.alice, self.bob, "still here")
        self.ok(self.alice, "vault", "check")
        self.assertEqual(len(self.ok(self.alice, "contact", "list").lines), 1)
        self.assertEqual(ring.secret_tool("lookup", "server", "mail.example.org").stdout, b"swordfish")
        self.assertEqual(len(ring.items({"name": "eve"})), 2)

    def test_an_item_of_another_program_blocks_nothing_and_doctor_sets_it_aside(self):
        ring = self.alice.keyring
        vault = ki.header(ring)["vault"]
        self.ok(self.alice, "secret", "set", "mine", given="hunter2")
        for schema in ("Page", "Header"):
            made = ring.secret_tool("store", "--label=Theirs", "xdg:schema", "io.hsip.vault." + schema, "vault", vault,
                                    "kind", "secret", "name", "theirs", given="junk")
            self.assertEqual(made.returncode, 0, made)
        self.log_out(vault)
        self.assertEqual(self.ok(self.alice, "secret", "get", "mine").data, b"hunter2")
        for words in (("secret", "list"), ("identity", "show"), ("contact", "list"), ("session", "list"), ("status",)):
            self.ok(self.alice, *words)
        self.is_friendly(self.alice, self.bob)
        self.fails("unknownSecret", self.alice, "secret", "get", "theirs")
        self.assertEqual(self.ok(self.alice, "vault", "check", "--json").result["foreign"], 2)
        self.assertIn("Theirs", self.ok(self.alice, "doctor").output)
        self.ok(self.alice, "doctor", "--fix", "--yes")
        self.assertEqual([item.secret for item in ring.items({"aside": vault})], [b"junk"] * 2)
        self.assertEqual(self.ok(self.alice, "vault", "check", "--json").result["foreign"], 0)
        self.assertNotIn("Theirs", self.ok(self.alice, "doctor").output)

    def test_a_program_that_takes_the_place_of_the_vaults_first_item_takes_nothing_else(self):
        ring = self.alice.keyring
        vault = ki.header(ring)["vault"]
        self.ok(self.alice, "secret", "set", "mine", given="hunter2")
        made = ring.secret_tool("store", "--label=Theirs", "name", "vault", "vault", vault, given="junk")
        self.assertEqual(made.returncode, 0, made)
        # The service leaves our schema on the item, or takes it off: the root is gone either way.
        self.assertEqual([item.secret for item in ki.of(ring, "Header") if item.secret != b"junk"], [])
        outcome = self.ok(self.alice, "secret", "get", "mine")
        self.assertEqual(outcome.data, b"hunter2")
        self.assertIn("hsip put the item back", outcome.talk)
        self.assertNotIn("put back", self.ok(self.alice, "secret", "get", "mine").talk)
        self.is_friendly(self.alice, self.bob)
        self.ok(self.alice, "vault", "check")

    def test_a_root_that_was_put_back_is_there_when_the_keyring_starts_again(self):
        ring = self.alice.keyring
        vault = ki.header(ring)["vault"]
        self.ok(self.alice, "secret", "set", "mine", given="hunter2")
        ring.secret_tool("store", "--label=Theirs", "name", "vault", "vault", vault, given="junk")
        self.assertIn("hsip put the item back", self.ok(self.alice, "vault", "check").talk)
        ring.kill()
        ring.restart()
        for name in os.listdir(self.alice.anchors):
            if name.startswith("root-"):
                os.unlink(os.path.join(self.alice.anchors, name))
        outcome = self.ok(self.alice, "secret", "get", "mine")
        self.assertEqual(outcome.data, b"hunter2")
        self.assertNotIn("put back", outcome.talk)
        self.assertIn(b"junk", [item.secret for item in ring.items()])

    def test_damaged_records_are_named_and_the_rest_goes_on(self):
        ring = self.alice.keyring
        self.ok(self.alice, "secret", "set", "bad", "--type", "note", given="x" * 20_000)
        self.ok(self.alice, "secret", "set", "mine", given="hunter2")
        item, = ki.of(ring, "Page")
        ring.set_secret(item.path, item.secret[:-5])
        self.log_out()
        self.is_friendly(self.alice, self.bob)
        self.assertEqual(self.ok(self.alice, "secret", "get", "mine").data, b"hunter2")
        outcome = self.fails("tampered", self.alice, "secret", "get", "bad")
        self.assertIn("bad", outcome.json["error"]["message"])
        for words in (("doctor",), ("vault", "check")):
            outcome = self.alice.run(*words)
            self.assertEqual(outcome.code, 11, outcome)
            self.assertIn("the secret bad", outcome.output + outcome.talk)
        self.assertIn("mine", self.ok(self.alice, "secret", "list").output)

    def test_a_changed_root_is_noticed_and_put_back(self):
        ring = self.alice.keyring
        head = ki.header(ring)["item"]
        for secret in (head.secret[:-3], b"hsip-vault:2 AAAA AAAA AAAA", b"\xff\xfe", head.secret.replace(b" ", b"  ", 1),
                       head.secret[:200] + b"A" + head.secret[201:] if head.secret[200:201] != b"A" else head.secret[:-9]):
            with self.subTest(secret=secret[:20]):
                ring.set_secret(ki.header(ring)["item"].path, secret)
                self.assertIn("hsip put the item back", self.ok(self.alice, "vault", "check").talk)
                self.assertEqual(ki.header(ring)["item"].secret, head.secret)
        path = ki.header(ring)["item"].path
        ring.set_secret(path, b"hsip-vault:3" + head.secret[12:])
        outcome = self.alice.run("vault", "check", "--json")
        self.assertEqual(outcome.json["error"]["code"], "newerFormat", outcome)
        ring.set_secret(path, head.secret)
        self.is_friendly(self.alice, self.bob)

    def test_a_changed_root_without_a_copy_is_noticed(self):
        ring = self.alice.keyring
        head = ki.header(ring)["item"]
        for item in ki.of(ring, "RootKey"):
            ring.remove(item.path)
        ring.set_secret(head.path, head.secret[:-3])
        for words in (("vault", "check"), ("encrypt", "bob")):
            outcome = self.alice.run(*words, "--json", given="x")
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (11, "tampered"), outcome)

    def test_the_root_of_another_vault_is_noticed(self):
        ring = self.alice.keyring
        head = ki.header(ring)
        ki.write_root(ring, head, bytes(16) + head["content"][16:])
        self.assertIn("hsip put the item back", self.ok(self.alice, "vault", "check").talk)
        self.assertEqual(ki.header(ring)["vault"], head["vault"])

    def test_removed_pages_are_noticed(self):
        ring = self.alice.keyring
        for number in range(4):
            self.ok(self.alice, "secret", "set", f"n{number}", "--type", "note", given="x" * 7_000)
        self.assertTrue(ki.header(ring)["pages"])
        for item in ki.of(ring, "Page"):
            ring.remove(item.path)
        outcome = self.alice.run("vault", "check", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (11, "tampered"), outcome)
        self.assertNotEqual(self.alice.run("secret", "get", "n1").code, 0)


class Names(KeyringCase):
    world = DESKTOP_AND_FILE

    def test_names_in_every_script(self):
        names = ["Зоя", "عائشة", "愛子", "Ἀθηνᾶ", "José", "😀", "आदित्य", "Nguyễn", "a/b", "50%", "x=y", "it's"]
        for name in names:
            peer = xc.Peer(name="Quentin")
            self.ok(self.alice, "accept", "-y", "--as", name, given=peer.make_offer())
        self.assertEqual(sorted(self.contacts()), sorted(names))
        for name in names:
            self.assertEqual(self.contact(self.alice, name)["contact"], name)
            if "=" not in name:
                self.ok(self.alice, "secret", "set", name, given=f"of {name}")
                found = self.alice.keyring.secret_tool("lookup", "kind", "secret", "name", name)
                self.assertEqual(found.stdout.decode(), f"of {name}")

    def contacts(self) -> list[str]:
        return [one["contact"] for one in self.ok(self.alice, "contact", "list", "--json").result["contacts"]]


class Full(KeyringCase):
    world = None

    def test_2000_other_items_beside_the_vault(self):
        clear_now()
        alice, bob = Person("alice"), newcomer("bob")
        alice.make_folders()
        alice.start_keyring(foreign=2000)
        self.ok(alice, "init", "--name", "Alice", "--no-input")
        pair(alice, bob)
        self.is_friendly(alice, bob)
        self.assertEqual(self.ok(alice, "encrypt", "bob", "--lines", given="x\n" * 20).output.count("\n"), 20)
        self.ok(alice, "vault", "check")
        self.ok(alice, "doctor")
        foreign, _ = alice.keyring.service("SearchItems", "(a{ss})", {"xdg:schema": "org.example.Foreign"})
        self.assertEqual(len(foreign), 2000)


class Limit(KeyringCase):
    world = DESKTOP_AND_FILE

    def test_renewal_at_the_limit_while_messages_are_on_their_way(self):
        pair(self.alice, self.bob, "--limit", "20")
        sealed = self.ok(self.alice, "encrypt", "bob", "--lines", given="".join(f"n {n}\n" for n in range(20)))
        messages = sealed.output.splitlines()
        self.assertEqual(len({xc.parse_message(line)[33:45] for line in messages}), 20)
        outcome = self.refused("rekeyRequired", self.alice, "encrypt", "bob", given="one too many")
        accept = self.ok(self.bob, "accept", "-y", given=outcome.json["error"]["details"]["code"]).output
        self.ok(self.alice, "accept", "-y", given=accept)
        self.is_friendly(self.alice, self.bob)
        self.assertEqual(len(self.ok(self.bob, "decrypt", given=sealed.output).lines), 20)
        self.ok(self.alice, "vault", "check")


class Elsewhere(KeyringCase):
    """What does not need the keyring does not touch it."""

    world = ALONE

    def test_commands_on_a_file_vault_leave_bus_and_library_alone(self):
        if not strace.works():
            self.skipTest("strace may not trace here")
        self.alice.start_keyring()
        self.alice.opens_with = "recovery"
        # A debug build names libsecret for the loader; what is installed looks for it when it is needed.
        is_linked = "libsecret" in subprocess.run(["ldd", BINARY], capture_output=True, text=True).stdout
        log = self.alice.path("files", "trace")
        for words in (("identity", "show"), ("pair",), ("status",), ("session", "list"), ("vault", "check"),
                      ("version",), ("encrypt", "nobody")):
            with self.subTest(words=words):
                self.alice.run(*words, before=(strace.STRACE, "-f", "-qq", "-o", log, "-e", "trace=connect,openat"))
                with open(log, encoding="utf-8") as file:
                    calls = file.read().splitlines()
                self.assertTrue(calls)
                touched = [call for call in calls if self.alice.keyring.socket in call
                           or not is_linked and re.search("lib(secret|gio|glib)", call)]
                self.assertEqual(touched, [])


if __name__ == "__main__":
    unittest.main()
