"""A vault that moves from the keyring to a file and back: nothing is lost, and there is never more than one."""

import json
import os
import shutil
import unittest

import agents as ag
import keyring as kr
import keyring_items as ki
import strace
from house import ALONE, MIXED_FRIENDS, Case, say, vf, xc
from screen import CONTROL_C, Screen

NEW_PASSPHRASE = "another horse, another battery"
KILLED = (-9, 137)


class MigrateCase(Case):
    """Alice has a keyring, with her vault in it unless the world is another; Bob has a file."""

    world = MIXED_FRIENDS

    def setUp(self):
        if kr.missing():
            self.skipTest(kr.missing())
        super().setUp()
        self.codes = 0
        if self.alice.keyring is None:
            self.alice.start_keyring()
            self.alice.opens_with = "recovery"

    # Moving

    def code_file(self) -> str:
        """Where the next recovery code goes."""
        self.codes += 1
        return self.alice.path("files", f"code-{self.codes}")

    def words_to_file(self, *words: str) -> tuple[str, ...]:
        self.alice.write("secrets/new", NEW_PASSPHRASE + "\n")
        return ("vault", "migrate", "--to", "file", "-y", "--new-passphrase-file", self.alice.secret_file("new"), *words)

    def now_opens_with(self, code: str):
        """The vault is a file, and this is its recovery code."""
        with open(code, encoding="utf-8") as file:
            self.alice.write("secrets/recovery", file.read())
        self.alice.opens_with = "recovery"

    def to_file(self, *words: str, **how):
        code = self.code_file()
        outcome = self.ok(self.alice, *self.words_to_file("-o", code, *words), **how)
        self.now_opens_with(code)
        return outcome

    def to_keyring(self, *words: str, **how):
        outcome = self.ok(self.alice, "vault", "migrate", "--to", "keyring", "-y", *words, **how)
        self.alice.opens_with = None
        return outcome

    # Looking

    def config(self) -> dict:
        with open(self.alice.path("config", "hsip", "config.json"), encoding="utf-8") as file:
            return json.load(file)["vaults"]["vault"]

    @property
    def is_file(self) -> bool:
        return self.config()["backend"] == "file"

    def in_file(self, path: str | None = None, anchored: bool = True, recovery: str | None = None) -> dict:
        """Every record of a vault file by the second implementation: what is said of it, to the byte, and its secret."""
        vault = vf.Vault.open(path or self.alice.vault, recovery=recovery or self.alice.recovery,
                              anchor_folder=self.alice.anchors if anchored else None)
        try:
            self.assertEqual(vault.verify(), vault.head.count)
            return {(meta.kind, meta.name): (meta.encode(), vault.get(meta.kind, meta.name).body)
                    for meta in vault.list()}
        finally:
            vault.close()

    def in_keyring(self) -> dict:
        """The same of the keyring, as another program reads it."""
        return ki.read(self.alice.keyring)

    def everything(self) -> dict:
        return self.in_file() if self.is_file else self.in_keyring()

    def is_kept(self) -> list[dict]:
        return self.ok(self.alice, "vault", "migrate", "--json", secret=None).result["kept"]

    def drafts(self) -> list[str]:
        folder = os.path.dirname(self.alice.vault)
        return [name for name in (os.listdir(folder) if os.path.exists(folder) else []) if ".new-" in name]


class ThereAndBack(MigrateCase):
    def test_every_record_is_the_same_in_every_place(self):
        before = self.everything()
        self.assertGreaterEqual(len(before), 5)
        result = self.to_file("--json").result
        self.assertEqual((result["moved"], result["records"], result["keyEpoch"]), (True, len(before), 2))
        self.assertEqual((result["vault"]["backend"], result["location"]["path"], result["from"]["backend"]),
                         ("file", self.alice.vault, "keyring"))
        self.assertEqual([slot["kind"] for slot in result["slots"]], ["passphrase", "recovery"])
        self.assertEqual(self.everything(), before)
        verified = self.ok(self.alice, "vault", "check", "--json").result
        self.assertEqual((verified["keyEpoch"], verified["records"]), (2, len(before)))

        self.is_friendly(self.alice, self.bob)
        before = self.everything()
        result = self.to_keyring("--json").result
        self.assertEqual((result["records"], result["keyEpoch"], result["slots"]), (len(before), 3, []))
        self.assertEqual(self.everything(), before)
        self.is_friendly(self.alice, self.bob)

        before = self.everything()
        self.to_file()
        self.assertEqual(self.everything(), before)
        self.is_friendly(self.alice, self.bob)
        status = self.ok(self.alice, "status", "--json").result
        self.assertEqual((status["store"]["backend"], status["store"]["why"]), ("file", "migrated"))

    def test_what_programs_keep_goes_there_and_back(self):
        self.to_file()
        for user in ("one", "two"):
            self.alice.keyring.add(f"mail of {user}", {"user": user}, f"pass {user}".encode())
        takes = ("item", "import", "--from", "keyring", "-y")
        self.ok(self.alice, *takes)
        path = [item.path for item in self.alice.keyring.items() if item.label == "mail of one"][0]
        self.alice.keyring.set_secret(path, b"changed")
        self.ok(self.alice, *takes, "--update")
        self.ok(self.alice, "item", "set", "mail of one", "--owner", "/usr/bin/mail", "--reader", "/usr/bin/mutt",
                "--expires", "2099-01-01")
        self.ok(self.alice, "item", "rm", "mail of two")

        def shown() -> tuple:
            one = self.ok(self.alice, "item", "show", "mail of one", "--json").result
            trash = self.ok(self.alice, "item", "list", "--trash", "--json").result["items"]
            first = self.ok(self.alice, "item", "get", "mail of one", "--version", str(one["versions"][0])).output
            return one, trash, first, self.ok(self.alice, "item", "get", "mail of one").output

        before, records = shown(), self.everything()
        self.assertEqual((before[0]["owner"], before[0]["readers"], len(before[0]["versions"])),
                         ("/usr/bin/mail", ["/usr/bin/mutt"], 2))
        self.assertEqual(([item["label"] for item in before[1]], *before[2:]), (["mail of two"], "pass one", "changed"))
        self.to_keyring()
        self.assertEqual((shown(), self.everything()), (before, records))
        self.to_file()
        self.assertEqual((shown(), self.everything()), (before, records))

    def test_sessions_count_on_and_no_nonce_comes_twice(self):
        sealed = []
        for move in (self.to_file, self.to_keyring, self.to_file, None):
            sent = self.session(self.alice, "bob")["sent"]
            for number in range(3):
                sealed.append(self.ok(self.alice, "encrypt", "bob", given="the same text").output.strip())
                self.assertEqual(self.session(self.alice, "bob")["sent"], sent + number + 1)
            if move:
                move()
                self.assertEqual(self.session(self.alice, "bob")["sent"], sent + 3)
        nonces = {xc.parse_message(line)[33:45] for line in sealed}
        self.assertEqual(len(nonces), len(sealed))
        read = self.ok(self.bob, "decrypt", given="\n".join(sealed)).lines
        self.assertEqual(read, ["the same text"] * len(sealed))
        # What was read before the move is still known to have been read.
        message = say(self.bob, self.alice)
        self.to_keyring()
        self.refused("replayed", self.alice, "decrypt", given=message, changes=True)

    def test_a_pairing_goes_on_where_it_was(self):
        peer = xc.Peer(name="Quentin")
        offer = self.ok(self.alice, "pair").reply
        answer = peer.take_offer(offer, save_as="alice")
        self.to_file()
        self.ok(self.alice, "accept", "-y", "--as", "quentin", given=answer)
        rotate = self.ok(self.alice, "session", "rotate", "bob").reply
        self.to_keyring()
        accept = self.ok(self.bob, "accept", "-y", given=rotate).reply
        self.to_file()
        self.ok(self.alice, "accept", "-y", given=accept)
        self.is_friendly(self.alice, self.bob)
        self.assertEqual(peer.open(self.ok(self.alice, "encrypt", "quentin", given="hi").output)[1], "hi")

    def test_what_other_programs_read_moves_too(self):
        self.ok(self.alice, "secret", "set", "mail", given="swordfish")
        ring, vault = self.alice.keyring, ki.header(self.alice.keyring)["vault"]
        words = ("lookup", "vault", vault, "kind", "secret", "name", "mail")
        self.assertEqual(ring.secret_tool(*words).stdout, b"swordfish")
        self.to_file()
        self.to_keyring()
        self.assertEqual(ring.secret_tool(*words).stdout, b"swordfish")
        self.to_file()
        self.ok(self.alice, "vault", "migrate", "--forget", "-y", secret=None)
        self.assertNotEqual(ring.secret_tool(*words).returncode, 0)

    def test_large_and_odd_records(self):
        self.to_file()
        vault = vf.Vault.open(self.alice.vault, recovery=self.alice.recovery, anchor_folder=self.alice.anchors)
        try:
            vault.put("note", "large", os.urandom(1 << 20), "1 MiB")
            vault.put("note", "empty", b"")
            vault.put("password", "empty", b"", "nothing in it")
            vault.put("password", "bytes", bytes(range(256)))
            vault.put("token", "Ünïcode 愛 😀", "Зоя".encode(), "a label\nof two lines",
                      {"site": "example.org", "xdg:schema": "x", "vault": b"\xff\x00", "kind": "mine"}, expires=5)
        finally:
            vault.close()
        before = self.everything()
        self.to_keyring()
        self.assertEqual(self.everything(), before)
        self.ok(self.alice, "vault", "check")
        self.to_file()
        self.assertEqual(self.everything(), before)

    def test_a_keyring_of_its_own(self):
        self.to_file()
        path = self.alice.keyring.make_collection("Mine")
        result = self.to_keyring("--collection", "Mine", "--json").result
        self.assertEqual(result["location"]["collection"], {"path": path, "label": "Mine"})
        self.assertEqual({item.path.rpartition("/")[0] for item in self.alice.keyring.vault_items()}, {path})
        self.is_friendly(self.alice, self.bob)


class Restored(MigrateCase):
    world = ALONE

    def test_what_predates_a_restore_still_does(self):
        peer = xc.Peer(name="Quentin")
        self.ok(self.alice, "accept", "-y", "--as", "quentin", given=peer.make_offer())
        self.alice.predate_a_restore()
        before = self.ok(self.alice, "vault", "check", "--json").result
        self.assertGreater(before["restoredRecords"], 2)
        shown = self.session(self.alice, "quentin")["state"]
        self.to_keyring()
        after = self.ok(self.alice, "vault", "check", "--json").result
        self.assertEqual((after["floor"], after["restoredRecords"]), (before["floor"], before["restoredRecords"]))
        self.assertEqual(self.session(self.alice, "quentin")["state"], shown)
        self.to_file()
        after = self.ok(self.alice, "vault", "check", "--json").result
        self.assertEqual((after["floor"], after["restoredRecords"]), (before["floor"], before["restoredRecords"]))
        self.assertEqual(self.session(self.alice, "quentin")["state"], shown)

    def test_a_record_of_a_newer_program_stops_the_move_before_anything_is_made(self):
        self.to_keyring()
        head = ki.header(self.alice.keyring)
        identity, = [one for one in head["recent"] if one.kind == "hsip.identity"]
        newer = b"\x02" + identity.meta[1:] + b"\x00\x01\x02"
        old, new = (len(meta).to_bytes(4, "big") + meta for meta in (identity.meta, newer))
        self.assertEqual(head["content"].count(old), 1)
        ki.write_root(self.alice.keyring, head, head["content"].replace(old, new))
        before = self.alice.keyring.vault_items()
        code = self.code_file()
        self.refused("newerRecord", self.alice, *self.words_to_file("-o", code), changes=True)
        self.assertFalse(os.path.exists(code))
        self.assertEqual(self.alice.keyring.vault_items(), before)
        self.assertNotIn("migration", self.config())


class OldCopies(MigrateCase):
    def test_the_old_file_is_refused_as_an_old_copy(self):
        self.to_file()
        secret = self.alice.recovery
        self.to_keyring()
        self.assertTrue(os.path.exists(self.alice.vault), "it is kept")
        for words in (("identity", "show"), ("encrypt", "bob"), ("vault", "check")):
            outcome = self.alice.run("--vault", self.alice.vault, *words, "--json", secret="recovery", given="x")
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (11, "rollback"), outcome)
        # Also where somebody puts the old record back.
        record = self.config()
        with open(self.alice.path("config", "hsip", "config.json"), "w", encoding="utf-8") as file:
            json.dump({"vaults": {"vault": {"id": record["id"], "backend": "file", "path": self.alice.vault}}}, file)
        outcome = self.alice.run("identity", "show", "--json", secret="recovery")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (11, "rollback"), outcome)
        self.assertTrue(self.in_file(anchored=False, recovery=secret))

    def test_the_old_keyring_is_refused_as_an_old_copy(self):
        config = self.alice.path("config", "hsip", "config.json")
        shutil.copyfile(config, config + ".old")
        self.to_file()
        os.replace(config + ".old", config)
        self.alice.opens_with = None
        for words in (("identity", "show"), ("encrypt", "bob"), ("vault", "check")):
            outcome = self.alice.run(*words, "--json", given="x")
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (11, "rollback"), outcome)

    def test_what_is_kept_is_shown_and_removed_after_30_days(self):
        self.to_file()
        self.to_keyring()
        self.to_file()
        kept = self.is_kept()
        self.assertEqual(sorted(copy["location"]["backend"] for copy in kept), ["file", "keyring"])
        old = next(copy["location"]["path"] for copy in kept if copy["location"]["path"])
        self.assertRegex(os.path.basename(old), r"^vault\.hsipvault\.kept-\d{8}-\d{6}$")
        self.assertTrue(os.path.exists(old))
        self.assertFalse(os.path.exists(old + "-wal"))
        now = self.everything()

        found = self.ok(self.alice, "doctor", "--json").result["findings"]
        self.assertEqual([one["state"] for one in found if one["check"] == "keptCopies"], ["ok", "ok"])
        self.ok(self.alice, "doctor", "--fix", "-y")
        self.assertTrue(os.path.exists(old))
        self.assertTrue(ki.of(self.alice.keyring, "Header"))

        found = self.ok(self.alice, "doctor", "--json", time="+31d").result["findings"]
        self.assertEqual([one["state"] for one in found if one["check"] == "keptCopies"], ["notice", "notice"])
        self.ok(self.alice, "doctor", "--fix", "-y", time="+31d")
        self.assertFalse(os.path.exists(old))
        self.assertEqual(self.alice.keyring.vault_items(), [])
        self.assertEqual(self.is_kept(), [])
        self.assertEqual({name: value for name, value in self.everything().items() if name[0] != "hsip.clock"},
                         {name: value for name, value in now.items() if name[0] != "hsip.clock"})

    def test_the_old_file_moves_aside_with_all_that_was_in_its_log(self):
        self.to_file()
        secret = self.alice.recovery
        self.is_friendly(self.alice, self.bob)
        self.to_keyring()
        before = self.in_file(anchored=False, recovery=secret)
        self.to_file()
        old = next(copy["location"]["path"] for copy in self.is_kept() if copy["location"]["path"])
        self.assertEqual(self.in_file(old, anchored=False, recovery=secret), before)

    def test_a_key_slot_in_the_keyring_goes_with_the_last_file(self):
        self.to_file()
        self.ok(self.alice, "vault", "slot", "add", "keyring")
        before = self.everything()
        # The slot opens the file, so nobody is asked.
        self.to_keyring(secret=None)
        self.assertEqual(self.everything(), before)
        self.is_friendly(self.alice, self.bob)
        self.assertEqual(len(ki.of(self.alice.keyring, "Slot")), 1)
        self.ok(self.alice, "doctor", "--fix", "-y", time="+31d")
        self.assertFalse(os.path.exists(self.alice.vault))
        self.assertEqual(ki.of(self.alice.keyring, "Slot") + ki.of(self.alice.keyring, "Anchor"), [])
        self.assertEqual(self.is_kept(), [])
        self.ok(self.alice, "vault", "check")

    def test_the_record_is_lost_after_a_move_to_the_keyring(self):
        """The old file is there, and must not be taken for the vault."""
        self.to_file()
        self.to_keyring()
        shown = self.ok(self.alice, "identity", "show", "--json").result
        os.unlink(self.alice.path("config", "hsip", "config.json"))
        self.alice.run("doctor", "--fix", "-y")
        self.assertEqual(self.ok(self.alice, "identity", "show", "--json").result, shown)
        self.is_friendly(self.alice, self.bob)

    def test_the_record_is_lost_after_a_move_to_a_file(self):
        """What is in the keyring is told, and is not offered as a vault of its own."""
        self.to_file()
        os.unlink(self.alice.path("config", "hsip", "config.json"))
        for words in ((), ("--fix", "-y")):
            found = self.alice.run("doctor", "--json", *words).result["findings"]
            said = [one["message"] for one in found if one["check"] == "keyring"]
            self.assertEqual(said, ["an old copy of this vault is in the keyring"])
        found = self.alice.run("doctor", "--json").result["findings"]
        self.assertIn("an old copy of this vault is in the keyring", [one["message"] for one in found])
        self.is_friendly(self.alice, self.bob)


class PutBack(MigrateCase):
    """The home comes from a backup of before the move; the keyring does not."""

    world = ALONE
    HOME = (("config", "hsip"), ("state", "hsip"), ("data", "hsip"))

    def keep_home(self):
        for parts in self.HOME:
            shutil.copytree(self.alice.path(*parts), self.alice.path("files", "backup", *parts), symlinks=True)

    def put_home_back(self):
        for parts in self.HOME:
            shutil.rmtree(self.alice.path(*parts))
            shutil.copytree(self.alice.path("files", "backup", *parts), self.alice.path(*parts), symlinks=True)
        self.alice.opens_with = "recovery"

    def test_a_later_vault_in_the_keyring_is_never_written_over(self):
        self.keep_home()
        self.to_keyring()
        self.ok(self.alice, "pair")
        before = self.in_keyring()
        self.put_home_back()
        self.ends(11, self.alice, "vault", "migrate", "--to", "keyring", "-y")
        self.assertEqual(self.in_keyring(), before)

    def test_the_second_anchor_tells_that_the_vault_went_on_elsewhere(self):
        self.ok(self.alice, "vault", "slot", "add", "keyring")
        self.keep_home()
        self.to_keyring()
        self.put_home_back()
        self.ends(11, self.alice, "pair")

    def test_what_is_kept_in_the_keyring_can_be_forgotten_at_once(self):
        self.to_keyring()
        outcome = self.to_file()
        self.assertIn("--forget", outcome.talk)
        self.assertTrue(ki.of(self.alice.keyring, "Header"))
        self.ends(2, self.alice, "vault", "migrate", "--forget", "--to", "file", secret=None)
        self.ok(self.alice, "vault", "migrate", "--forget", "-y", secret=None)
        self.assertEqual(self.alice.keyring.vault_items(), [])
        self.assertEqual(self.is_kept(), [])
        self.ok(self.alice, "vault", "check")


class Secrets(MigrateCase):
    def test_the_new_secrets_open_the_file_and_the_old_ones_do_not(self):
        code = self.code_file()
        outcome = self.ok(self.alice, *self.words_to_file("-o", code, "--json"))
        self.assertEqual(outcome.result["outputFile"], code)
        self.now_opens_with(code)
        self.ok(self.alice, "identity", "show")
        self.ok(self.alice, "identity", "show", secret="new")
        self.ends(6, self.alice, "identity", "show", secret="passphrase")
        self.assertEqual(self.ok(self.alice, "vault", "slot", "test", "recovery", "--json").result["opens"], True)
        first = self.alice.recovery
        self.to_keyring()
        self.to_file()
        self.alice.write("secrets/first", first + "\n")
        self.ends(6, self.alice, "identity", "show", secret="first")

    def test_at_a_terminal(self):
        screen = Screen(self, self.alice, "vault", "migrate", "--to", "file")
        screen.sees(r"Move the vault with \d+ records from the keyring .Login. to the file .*\[y/N\]")
        screen.enters("y")
        for _ in range(2):
            screen.sees("passphrase|same again")
            screen.enters(NEW_PASSPHRASE)
        code = screen.sees(r"Recovery code\s+((?:[0-9A-Z]{4}-){6}[0-9A-Z]{4})").group(1)
        screen.sees("Last block")
        screen.enters(code[-4:])
        self.assertEqual(screen.ends(), 0, screen.plain)
        self.assertIn("kept", screen.plain.lower())
        self.alice.write("secrets/recovery", code + "\n")
        self.alice.opens_with = "recovery"
        self.is_friendly(self.alice, self.bob)

    def test_no_is_no(self):
        before = self.alice.keyring.vault_items()
        for answer, code in (("n", 6), ("", 6), (CONTROL_C, 130)):
            screen = Screen(self, self.alice, "vault", "migrate", "--to", "file")
            screen.sees(r"\[y/N\]")
            screen.types(answer) if answer == CONTROL_C else screen.enters(answer)
            self.assertEqual(screen.ends(), code, screen.plain)
            if code == 6:
                self.assertIn("Cancelled. Nothing changed.", screen.plain)
                self.assertNotIn("error:", screen.plain)
        self.assertEqual(self.alice.keyring.vault_items(), before)
        self.assertFalse(os.path.exists(self.alice.vault))


class Refusals(MigrateCase):
    def unchanged(self):
        return self.everything(), self.config(), self.drafts()

    def test_words_that_contradict_each_other(self):
        before = self.unchanged()
        code = self.alice.path("files", "x")
        for words in (("--to", "keyring", "-o", code), ("--to", "file", "--collection", "Login"), ("-o", code),
                      ("--to", "keyring", "--weak"), ("--to", "somewhere"), ("--collection", "Login")):
            with self.subTest(words=words):
                self.assertEqual(self.alice.run("vault", "migrate", *words, "-y").code, 2)
        outcome = self.alice.run(*self.words_to_file("-o", code), secret="passphrase")
        self.assertEqual(outcome.code, 2, outcome)
        self.assertEqual(self.unchanged(), before)

    def test_where_it_is_already(self):
        self.fails("alreadyThere", "--to", "keyring", "-y")
        self.to_file()
        self.fails("alreadyThere", *self.words_to_file("-o", self.alice.path("files", "x"))[2:])

    def fails(self, name: str, *words: str):
        before = self.unchanged()
        self.refused(name, self.alice, "vault", "migrate", *words, changes=True)
        self.assertEqual(self.unchanged(), before)

    def test_nobody_is_there_to_be_asked(self):
        code = self.alice.path("files", "x")
        self.alice.write("secrets/new", NEW_PASSPHRASE + "\n")
        new = self.alice.secret_file("new")
        for words in (("-y",), ("-y", "-o", code), ("-y", "--new-passphrase-file", new),
                      ("-o", code, "--new-passphrase-file", new)):
            with self.subTest(words=words):
                self.fails("inputNeeded", "--to", "file", *words)
                self.assertFalse(os.path.exists(code))

    def test_a_short_passphrase(self):
        short = self.alice.write("secrets/short", "short\n")
        self.fails("denied", "--to", "file", "-y", "--new-passphrase-file", short, "-o", self.alice.path("files", "x"))

    def test_a_file_for_the_code_that_is_there(self):
        code = self.alice.write("files/x", "mine")
        self.fails("alreadyExists", *self.words_to_file("-o", code)[2:])
        with open(code, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")

    def test_something_else_lies_where_the_file_would_go(self):
        os.makedirs(os.path.dirname(self.alice.vault), mode=0o700, exist_ok=True)
        for content in (b"my notes", b""):
            with open(self.alice.vault, "wb") as file:
                file.write(content)
            os.chmod(self.alice.vault, 0o600)
            self.fails("alreadyExists", *self.words_to_file("-o", self.alice.path("files", "x"))[2:])
            with open(self.alice.vault, "rb") as file:
                self.assertEqual(file.read(), content)
            self.assertFalse(os.path.exists(self.alice.path("files", "x")))
        shutil.copyfile(self.bob.vault, self.alice.vault)
        self.fails("alreadyExists", *self.words_to_file("-o", self.alice.path("files", "x"))[2:])

    def test_a_vault_by_its_path_stays_a_file(self):
        outcome = self.alice.run("--vault", self.bob.vault, "vault", "migrate", "--to", "keyring", "-y", "--json",
                                 secret=None)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (2, "usage"), outcome)

    def test_no_keyring_answers(self):
        self.to_file()
        before = self.unchanged()
        self.alice.keyring.kill()
        outcome = self.alice.run("vault", "migrate", "--to", "keyring", "-y", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "noSecretService"), outcome)
        self.alice.keyring.kill_bus()
        outcome = self.alice.run("vault", "migrate", "--to", "keyring", "-y", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "noSessionBus"), outcome)
        self.assertEqual(self.unchanged(), before)

    def test_a_locked_keyring_and_nobody_to_ask(self):
        self.to_file()
        before = self.unchanged()
        self.alice.keyring.lock()
        outcome = self.alice.run("vault", "migrate", "--to", "keyring", "-y", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (5, "keyringLocked"), outcome)
        self.alice.keyring.unlock()
        self.assertEqual(self.unchanged(), before)


@unittest.skipUnless(strace.works(), "strace may not trace here")
class Faults(MigrateCase):
    def test_a_full_disk_leaves_the_vault_where_it_was(self):
        before = self.everything()
        for call, number in (("pwrite64", "1"), ("pwrite64", "3"), ("pwrite64", "5"), ("fdatasync", "1"), ("link", "1")):
            with self.subTest(call=call, number=number):
                code = self.code_file()
                outcome = self.alice.run(*self.words_to_file("-o", code),
                                         before=strace.inject(call, "error=ENOSPC", number))
                self.assertNotEqual(outcome.code, 0, outcome)
                self.check_talk(outcome)
                self.assertEqual((self.drafts(), os.path.exists(self.alice.vault), os.path.exists(code)),
                                 ([], False, False), outcome)
                self.assertNotIn("migration", self.config())
                self.assertEqual(self.everything(), before)
        self.to_file()
        self.assertEqual(self.everything(), before)

    def test_the_anchor_cannot_be_written(self):
        before = self.everything()
        anchor = self.alice.anchor_files()[0]
        code = self.code_file()
        outcome = self.alice.run(*self.words_to_file("-o", code),
                                 before=strace.inject("pwrite64", "error=EIO", "1+", anchor))
        self.assertNotEqual(outcome.code, 0, outcome)
        self.assertEqual((self.is_file, os.path.exists(self.alice.vault), os.path.exists(code)), (False, False, False))
        self.assertEqual(self.everything(), before)
        self.is_friendly(self.alice, self.bob)

    def test_an_interrupt_takes_back_what_was_begun(self):
        before = self.everything()
        code = self.code_file()
        outcome = self.alice.run(*self.words_to_file("-o", code), before=strace.inject("pwrite64", "signal=INT", "2"))
        self.assertIn(outcome.code, (130, -2), outcome)
        self.assertEqual((self.drafts(), os.path.exists(self.alice.vault), os.path.exists(code)), ([], False, False))
        self.assertNotIn("migration", self.config())
        self.assertEqual(self.everything(), before)

    def test_a_keyring_that_dies_while_it_is_read(self):
        before = self.everything()
        for number in (1, 4, 9, 14, 20):
            with self.subTest(number=number):
                tracer = self.alice.keyring.strike("sendmsg", number)
                code = self.code_file()
                outcome = self.alice.run(*self.words_to_file("-o", code), timeout=200)
                if self.alice.keyring.spare(tracer):
                    self.assertEqual(outcome.code, 0, outcome)
                    break
                self.alice.keyring.restart()
                self.assertNotEqual(outcome.code, 0, outcome)
                self.check_talk(outcome)
                self.assertEqual((self.is_file, self.drafts(), os.path.exists(code)), (False, [], False), outcome)
                self.assertEqual(self.everything(), before)


@unittest.skipUnless(strace.works(), "strace may not trace here")
class Stopped(MigrateCase):
    """Whatever stops it, wherever: the vault is in one of the two places, whole, and the same command goes on."""

    def check_and_go_on(self, where: str, before: dict, go_on):
        """The vault opens, wherever it is now; then it is moved for good, and nothing is different."""
        # The first command after it may have to end the move.
        self.ok(self.alice, "vault", "migrate", "--json", secret=None)
        is_moved = go_on()
        self.assertEqual(self.everything(), before, where)
        self.assertNotIn("migration", self.config(), where)
        self.assertEqual(self.drafts(), [], where)
        self.ok(self.alice, "vault", "check")
        return is_moved

    def sweep(self, words, places, go_on):
        """Kills at the Nth call of each kind; `places` are calls, the file that counts if it is one, and a stride.

        The calls to the keyring are many and alike, so not each of them is met.
        """
        self.alice.keep("before")
        before = self.everything()
        opens_with, met, moved = self.alice.opens_with, 0, 0
        for call, path, step in places:
            number = 1
            while True:
                self.alice.put_back("before")
                self.alice.opens_with = opens_with
                outcome = self.alice.run(*words(), before=strace.kill(call, number, path))
                if outcome.code not in KILLED:
                    self.assertEqual(outcome.code, 0, outcome)
                    break
                where = f"killed at {call} number {number} of {os.path.basename(path or 'any')}"
                met += 1
                with self.subTest(where):
                    moved += bool(self.check_and_go_on(where, before, go_on))
                number += step
        return met, moved

    def finish_to_file(self, last: list[str]):
        """True where the copy counted already."""
        if self.is_file:
            self.now_opens_with(last[-1])
            return True
        self.assertEqual(self.ok(self.alice, "identity", "show").code, 0)
        self.to_file()
        return False

    def test_killed_on_the_way_to_a_file(self):
        codes = []

        def words():
            codes.append(self.code_file())
            return self.words_to_file("-o", codes[-1])
        anchor = self.alice.anchor_files()[0]
        places = [("pwrite64", anchor, 1), ("rename", None, 1), ("link", None, 1), ("unlink", None, 1),
                  ("fsync", None, 1), ("fdatasync", None, 1), ("pwrite64", None, 2), ("sendmsg", None, 21)]
        met, moved = self.sweep(words, places, lambda: self.finish_to_file(codes))
        self.assertGreater(met, 15)
        self.assertGreater(moved, 0, "the end was never met")
        self.assertGreater(met - moved, 5)

    def test_killed_on_the_way_to_the_keyring(self):
        self.to_file()
        self.alice.keyring.restart()

        def go_on():
            if not self.is_file:
                self.alice.opens_with = None
                return True
            self.ok(self.alice, "identity", "show")
            self.to_keyring()
            return False
        anchor = self.alice.anchor_files()[0]
        lock = self.alice.path("run", "hsip", "lock-" + self.config()["id"])
        places = [("pwrite64", anchor, 1), ("pwrite64", lock, 1), ("rename", None, 1), ("fsync", None, 1),
                  ("unlink", None, 1), ("sendmsg", None, 10)]
        met, moved = self.sweep(lambda: ("vault", "migrate", "--to", "keyring", "-y"), places, go_on)
        self.assertGreater(met, 10)
        self.assertGreater(moved, 0, "the end was never met")
        self.assertGreater(met - moved, 5)

    def test_the_keyring_dies_in_the_middle(self):
        self.to_file()
        self.alice.keep("before")
        before = self.everything()
        ends = set()
        for call, number in (("rename", 1), ("link", 2), ("rename", 3), ("fsync", 5), ("rename", 6), ("unlink", 8),
                             ("rename", 9), ("sendmsg", 20), ("sendmsg", 50), ("rename", 12), ("rename", 99)):
            with self.subTest(call=call, number=number):
                self.alice.put_back("before")
                self.alice.opens_with = "recovery"
                tracer = self.alice.keyring.strike(call, number)
                outcome = self.alice.run("vault", "migrate", "--to", "keyring", "-y", timeout=200)
                if self.alice.keyring.spare(tracer):
                    self.assertEqual(outcome.code, 0, outcome)
                else:
                    self.alice.keyring.restart()
                ends.add(outcome.code)
                if outcome.code != 0:
                    self.check_talk(outcome)
                    self.assertTrue(self.is_file)
                    self.assertEqual(self.everything(), before)
                    # Anyone who goes on with the file meanwhile loses nothing either.
                    self.ok(self.alice, "encrypt", "bob", given="in between")
                    now = self.everything()
                    self.to_keyring()
                    self.assertEqual(self.everything(), now)
                else:
                    self.alice.opens_with = None
                    self.assertEqual(self.everything(), before)
                self.assertNotIn("migration", self.config())
                self.ok(self.alice, "vault", "check")
                self.ok(self.alice, "encrypt", "bob", given="and on")
        self.assertIn(0, ends)
        self.assertTrue(ends - {0})

    def test_doctor_tells_of_it_and_takes_away_what_it_left(self):
        self.to_file()
        before = self.everything()
        outcome = self.alice.run("vault", "migrate", "--to", "keyring", "-y",
                                 before=strace.kill("pwrite64", 1, self.alice.anchor_files()[0]))
        self.assertIn(outcome.code, KILLED)
        self.assertTrue(ki.of(self.alice.keyring, "Header"))
        shown = self.ok(self.alice, "vault", "migrate", "--json").result
        self.assertEqual((shown["moved"], shown["interrupted"]["to"]["backend"]), (False, "keyring"))
        found = self.ok(self.alice, "doctor", "--json").result["findings"]
        self.assertIn(("keptCopies", "warning"), [(one["check"], one["state"]) for one in found])
        self.ok(self.alice, "doctor", "--fix", "-y")
        self.assertEqual(self.alice.keyring.vault_items(), [])
        self.assertIsNone(self.ok(self.alice, "vault", "migrate", "--json").result["interrupted"])
        self.assertEqual(self.everything(), before)
        self.to_keyring()
        self.assertEqual(self.everything(), before)


class WithAgent(MigrateCase):
    """An agent that has the vault open when it moves away holds an old copy."""

    through_agent = False

    def test_it_lets_go_of_the_old_copy_and_finds_the_vault_where_it_is(self):
        if ag.missing():
            self.skipTest(ag.missing())
        for move in (self.to_file, self.to_keyring):
            with self.subTest(move=move.__name__):
                agent = ag.Hsip(self.alice, secret=None)
                agent.unlock("")
                self.ok(self.alice, "encrypt", "bob", given="before", secret=None)
                move()
                outcome = self.ends(12, self.alice, "encrypt", "bob", "--no-input", given="x", secret=None)
                self.assertIn("no longer what the agent opened", outcome.talk)
                self.assertTrue(agent.status()["isLocked"])
                agent.unlock("")
                self.is_friendly(self.alice, self.bob)
                agent.stop()


class Together(MigrateCase):
    def ends_of(self, processes) -> list[int]:
        codes, self.told = [], []
        for process in processes:
            self.told.append(process.communicate(timeout=100))
            codes.append(process.returncode)
        return codes

    def test_two_moves_at_once(self):
        before = self.everything()
        codes = [self.code_file() for _ in range(2)]
        processes = [self.alice.start(*self.words_to_file("-o", code)) for code in codes]
        ends = self.ends_of(processes)
        self.assertEqual(sorted(ends), [0, 4], self.told)
        winner = ends.index(0)
        self.assertFalse(os.path.exists(codes[1 - winner]), "a code that opens nothing")
        self.now_opens_with(codes[winner])
        self.assertEqual(self.everything(), before)
        self.assertEqual(self.config().get("migration"), None)

        processes = [self.alice.start("vault", "migrate", "--to", "keyring", "-y") for _ in range(2)]
        self.assertEqual(sorted(self.ends_of(processes)), [0, 4], self.told)
        self.alice.opens_with = None
        self.assertEqual(self.everything(), before)

    def write_on(self, moves, secret):
        """Messages all the while; every one that left was counted, in whichever place."""
        sent = self.session(self.alice, "bob")["sent"]
        move = self.alice.start(*moves)
        sealed, refused = [], []
        while move.poll() is None or len(sealed) + len(refused) < 5:
            outcome = self.alice.run("encrypt", "bob", given="all the while", secret=secret)
            if outcome.code == 0:
                sealed.append(outcome.output.strip())
            else:
                refused.append(outcome)
        move.communicate()
        self.assertEqual(move.returncode, 0)
        for outcome in refused:
            self.assertIn(outcome.code, (2, 5, 10, 11, 12), outcome)
        return sent, sealed

    def test_messages_while_it_moves(self):
        code = self.code_file()
        sent, sealed = self.write_on(self.words_to_file("-o", code), None)
        self.now_opens_with(code)
        self.assertEqual(self.session(self.alice, "bob")["sent"], sent + len(sealed))
        first, more = self.write_on(("vault", "migrate", "--to", "keyring", "-y"), "recovery")
        self.alice.opens_with = None
        self.assertEqual(self.session(self.alice, "bob")["sent"], first + len(more))
        sealed += more
        sealed += self.ok(self.alice, "encrypt", "bob", "--lines", given="x\n" * 5).lines
        self.assertEqual(len({xc.parse_message(line)[33:45] for line in sealed}), len(sealed))
        self.assertEqual(len(self.ok(self.bob, "decrypt", given="\n".join(sealed)).lines), len(sealed))


if __name__ == "__main__":
    unittest.main()
