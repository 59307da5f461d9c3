"""`vault rekey`: a new vault key, while everything else goes on."""

import os
import shutil
import sqlite3
import unittest

import agents as ag
import keyring as kr
import strace
from house import ALONE, PAIRED, PASSPHRASE, Case, Person, say, vf
from screen import Screen
from test_crash import Sweep


class RekeyCase(Case):
    def epoch(self, person: Person) -> int:
        return self.ok(person, "vault", "check", "--json").result["keyEpoch"]

    def slots(self, person: Person, **how) -> list[tuple[int, str]]:
        slots = self.ok(person, "vault", "slot", "list", "--json", **how).result["slots"]
        return [(slot["number"], slot["kind"]) for slot in slots]

    def rekeys(self, person: Person, *words: str, secret: str | None = "passphrase", **how) -> dict:
        return self.ok(person, "vault", "rekey", "-y", *words, "--json", secret=secret, **how).result

    def check_no_drafts(self, person: Person):
        self.assertEqual([name for name in os.listdir(os.path.dirname(person.vault)) if ".new-" in name], [])


class Content(RekeyCase):
    world = PAIRED

    def test_sessions_secrets_and_contacts_go_on(self):
        self.ok(self.alice, "secret", "set", "db", given="hunter2")
        say(self.alice, self.bob)
        before = self.alice.records()
        told = self.rekeys(self.alice, secret="passphrase")
        self.assertEqual((told["keyEpoch"], told["gone"], told["offersClosed"], told["outputFile"]), (2, [], 0, None))
        self.assertEqual([(slot["number"], slot["kind"]) for slot in told["slots"]],
                         [(1, "passphrase"), (2, "recovery")])
        # The second implementation opens all of it by the code on paper, which nobody typed.
        after = self.alice.records()
        changing = {("vault.audit", "log"), ("hsip.clock", "")}
        self.assertEqual({name: body for name, body in after.items() if name not in changing},
                         {name: body for name, body in before.items() if name not in changing})
        self.assertEqual(told["records"], len(after))
        for secret in ("passphrase", "recovery"):
            self.assertEqual(self.ok(self.alice, "secret", "get", "db", secret=secret).output.strip(), "hunter2")
        self.is_friendly(self.alice, self.bob)
        self.check_no_drafts(self.alice)
        verified = self.ok(self.alice, "vault", "check", "--json").result
        self.assertEqual((verified["keyEpoch"], verified["restoredRecords"], verified["anchor"]), (2, 0, "matches"))

    def test_open_offers_are_closed_and_an_answer_to_one_is_refused(self):
        offer = self.ok(self.alice, "pair").output
        answer = self.ok(self.bob, "accept", "-y", given=offer, secret="recovery")
        self.assertEqual(self.rekeys(self.alice)["offersClosed"], 1)
        self.assertEqual(self.ok(self.alice, "status", "--json").result["openOffers"], 0)
        late = self.alice.run("accept", "-y", given=answer.output)
        self.assertNotEqual(late.code, 0, late)
        self.is_friendly(self.alice, self.bob)

    def test_what_is_in_the_audit_log_goes_on(self):
        self.rekeys(self.alice)
        entries = self.ok(self.alice, "audit", "list", "--json").result["entries"]
        found = [entry for entry in entries if entry["act"] == "vault.rekey"]
        self.assertEqual([entry["kind"] for entry in found], ["change"])
        self.ok(self.alice, "audit", "verify")

    def test_an_old_copy_is_read_nowhere_and_put_back_by_nothing(self):
        backup = self.alice.path("files", "old.backup")
        self.ok(self.alice, "vault", "backup", backup)
        old = self.alice.path("files", "old.hsipvault")
        shutil.copyfile(self.alice.vault, old)
        self.rekeys(self.alice)
        for words in ((), ("--accept-rollback",)):
            self.refused("rollback", self.alice, "vault", "restore", backup, "--force", "-y", *words)
        # The earlier file, with the present memory.
        for ending in ("-wal", "-shm"):
            if os.path.exists(self.alice.vault + ending):
                os.unlink(self.alice.vault + ending)
        shutil.copyfile(old, self.alice.vault)
        for words in (("status",), ("vault", "restore", "--accept-rollback", "-y")):
            self.assertEqual(self.alice.run(*words).code, 11)

    def test_an_old_copy_is_read_on_request_and_stays_as_it_is(self):
        self.ok(self.alice, "secret", "set", "db", given="hunter2")
        backup, live = self.alice.path("files", "old.backup"), self.alice.path("files", "old.hsipvault")
        self.ok(self.alice, "vault", "backup", backup)
        shutil.copyfile(self.alice.vault, live)
        os.chmod(live, 0o600)
        self.rekeys(self.alice, "--drop", "passphrase")
        self.ok(self.alice, "secret", "rm", "db")
        with open(backup, "rb") as file:
            before = file.read()
        for copy in (backup, live):
            old = ("--vault", copy, "--old-copy")
            # The passphrase opens nothing else any more.
            for secret in ("passphrase", "recovery"):
                self.assertEqual(self.ok(self.alice, *old, "secret", "get", "db", secret=secret).output.strip(), "hunter2")
            listed = self.ok(self.alice, *old, "secret", "list", "--json").result["secrets"]
            self.assertEqual([secret["name"] for secret in listed], ["db"])
            out = self.alice.path("files", os.path.basename(copy) + ".json")
            self.ok(self.alice, *old, "vault", "export", "--plaintext", "json", "--expect", "1", "-o", out)
            with open(out, encoding="utf-8") as file:
                self.assertIn("hunter2", file.read())
            for words in (("secret", "set", "db"), ("status",), ("vault", "rekey", "-y"), ("encrypt", "bob")):
                self.refused("usage", self.alice, *old, *words, given="x")
        with open(backup, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertFalse([name for name in os.listdir(os.path.dirname(backup)) if name.startswith("old.backup-")])
        for copy in (backup, live):
            self.refused("rollback", self.alice, "--vault", copy, "secret", "get", "db")
        self.refused("usage", self.alice, "--old-copy", "secret", "list")
        self.assertEqual(self.ok(self.alice, "secret", "list", "--json").result["secrets"], [])

    def exposed(self, *words: str, **how) -> list[tuple[str, str]]:
        items = self.ok(self.alice, "vault", "exposed", *words, "--json", **how).result["items"]
        return sorted((item["kind"], item["name"]) for item in items)

    def test_what_a_lost_copy_gives_away_gets_less_as_it_is_renewed(self):
        self.ok(self.alice, "secret", "set", "db", "--user", "me", given="hunter2")
        self.ok(self.alice, "secret", "set", "mail", given="hunter3")
        self.ok(self.alice, "ssh", "key", "generate", "work")
        self.ok(self.alice, "pair")
        backup = self.alice.path("files", "lost.backup")
        self.ok(self.alice, "vault", "backup", backup)
        every = [("identity", "Alice"), ("offer", ""), ("secret", "db"), ("secret", "mail"), ("session", "bob"), ("sshKey", "work")]
        for words in (("--backup", backup), ("--since", "2099-01-01T00:00:00Z")):
            self.assertEqual(self.exposed(*words), every, words)
        self.assertEqual(self.exposed("--since", "2020-01-01"), [])
        shown = self.ok(self.alice, "vault", "exposed", "--backup", backup)
        self.assertNotIn("hunter", shown.output + shown.talk)
        # A new vault key ends none of it but the offer.
        self.rekeys(self.alice)
        every.remove(("offer", ""))
        self.assertEqual(self.exposed("--backup", backup), every)
        self.ok(self.alice, "secret", "generate", "db", time="+1h")
        every.remove(("secret", "db"))
        self.assertEqual(self.exposed("--backup", backup, time="+1h"), every)
        # Another user is a new version with the password of then.
        self.ok(self.alice, "secret", "set", "mail", "--user", "you", given="hunter3", time="+1h")
        self.assertEqual(self.exposed("--backup", backup, time="+2h"), every)
        self.refused("usage", self.alice, "vault", "exposed")
        self.refused("usage", self.alice, "vault", "exposed", "--since", "1d", "--backup", backup)
        self.refused("usage", self.alice, "vault", "exposed", "--since", "yesterday")

    def test_a_copy_of_another_vault_says_nothing_of_this_one(self):
        other = self.bob.path("files", "bob.backup")
        self.ok(self.bob, "vault", "backup", other)
        # Alice has bob's file and what opens it.
        outcome = self.refused("usage", self.alice, "vault", "exposed", "--backup", other, plain=False,
                               HSIP_PASSPHRASE_FILE=self.bob.secret_file("recovery"), secret=None)
        self.assertIn("another vault", outcome.json["error"]["message"])
        # And with what opens her own, it does not open at all.
        self.refused("wrongSecret", self.alice, "vault", "exposed", "--backup", other)


class Elsewhere(RekeyCase):
    world = ALONE

    def test_a_key_that_was_not_made_here_is_told_once_where_a_thief_could_have_made_it(self):
        def warnings(secret: str) -> list[str]:
            return self.ok(self.alice, "identity", "show", "--json", secret=secret).warnings
        [memory] = self.alice.anchor_files()
        with open(memory, "rb") as file:
            before = file.read()
        self.rekeys(self.alice, secret="passphrase")
        self.assertNotIn("keyReplaced", warnings("recovery"))

        def forget():
            with open(memory, "wb") as file:
                file.write(before)
        forget()
        self.assertIn("keyReplaced", warnings("recovery"))
        self.assertNotIn("keyReplaced", warnings("recovery"))
        # A slot of a passphrase is made by nobody who does not know it.
        forget()
        self.assertNotIn("keyReplaced", warnings("passphrase"))


class Slots(RekeyCase):
    world = ALONE

    def test_a_passphrase_ends_by_name_only_and_never_because_another_secret_was_typed(self):
        new = self.alice.path("files", "new-code")
        for words in ((), ("--fresh", "-o", new)):
            with self.subTest(words=words):
                refused = self.refused("inputNeeded", self.alice, "vault", "rekey", "-y", *words, secret="recovery")
                self.assertIn("hsip vault rekey --drop 1", refused.json["error"]["hint"])
                self.assertFalse(os.path.exists(new))
        self.assertEqual(self.epoch(self.alice), 1)
        told = self.rekeys(self.alice, "--drop", "passphrase", secret="recovery")
        self.assertEqual([(gone["slot"]["number"], gone["why"]) for gone in told["gone"]], [(1, "dropped")])
        self.assertEqual(self.slots(self.alice), [(2, "recovery")])
        self.refused("noSuchSlot", self.alice, "identity", "show", secret="passphrase")

    def test_at_a_terminal_the_passphrase_is_asked_for_beside_the_code_and_stays(self):
        new = self.alice.path("files", "new-code")
        for words, slots in (((), [(1, "passphrase"), (2, "recovery")]),
                             (("--fresh", "-o", new), [(1, "passphrase"), (3, "recovery")])):
            with self.subTest(words=words):
                screen = Screen(self, self.alice, "vault", "rekey", "-y", *words, secret="recovery")
                screen.sees("Passphrase, to keep it")
                screen.enters(self.alice.recovery)
                screen.sees("wrong passphrase")
                screen.sees("Passphrase, to keep it")
                screen.enters(PASSPHRASE)
                self.assertEqual(screen.ends(), 0, screen.plain)
                self.assertEqual(self.slots(self.alice, secret="passphrase"), slots)

    def test_dropped_slots_go_and_the_last_one_stays(self):
        told = self.rekeys(self.alice, "--drop", "recovery", secret="passphrase")
        self.assertEqual([(gone["slot"]["number"], gone["why"]) for gone in told["gone"]], [(2, "dropped")])
        self.refused("noSuchSlot", self.alice, "identity", "show", secret="recovery")
        self.ok(self.alice, "identity", "show", secret="passphrase")
        self.refused("lastSlot", self.alice, "vault", "rekey", "-y", "--drop", "1", secret="passphrase")
        self.refused("noSuchSlot", self.alice, "vault", "rekey", "-y", "--drop", "9", secret="passphrase")

    def test_the_command_that_lists_what_an_old_copy_gives_away_can_be_pasted(self):
        outcome = self.ok(self.alice, "vault", "rekey", "-y", "--drop", "recovery", secret="passphrase")
        hint = next(line for line in outcome.talk.splitlines() if "vault exposed" in line)
        words = hint.split("hint: hsip ")[1].split("  ")[0].split()
        self.assertEqual(words[:3], ["vault", "exposed", "--since"])
        self.ok(self.alice, *words, secret="passphrase")

    def test_fresh_carries_nothing_and_makes_a_new_code(self):
        path = self.alice.path("files", "new-code")
        told = self.rekeys(self.alice, "--fresh", "-o", path, secret="passphrase")
        self.assertEqual(told["outputFile"], path)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.assertEqual([(slot["number"], slot["kind"]) for slot in told["slots"]],
                         [(1, "passphrase"), (3, "recovery")])
        self.assertEqual([(gone["slot"]["number"], gone["why"]) for gone in told["gone"]], [(2, "ended")])
        self.refused("wrongSecret", self.alice, "identity", "show", secret="recovery")
        with open(path, encoding="utf-8") as file:
            self.alice.write("secrets/new", file.read())
        self.ok(self.alice, "identity", "show", secret="new")

    def test_a_code_of_an_earlier_program_gives_way_to_a_new_one(self):
        vault = vf.Vault.open(self.alice.vault, recovery=self.alice.recovery, anchor_folder=self.alice.anchors)
        old = vault.add_recovery_slot("old paper", plain=True)
        vault.close()
        self.alice.write("secrets/old", old + "\n")
        self.ok(self.alice, "vault", "slot", "rm", "2", "-y", secret="passphrase")
        # Only the passphrase is here: the old code cannot be carried, and nobody is there to read a new one.
        self.refused("inputNeeded", self.alice, "vault", "rekey", "-y", "--no-input", secret="passphrase")
        path = self.alice.path("files", "new-code")
        told = self.rekeys(self.alice, "-o", path, secret="passphrase")
        self.assertEqual([slot["label"] for slot in told["slots"]], ["passphrase", "old paper"])
        self.assertTrue(os.path.exists(path))
        self.refused("wrongSecret", self.alice, "identity", "show", secret="old")

    def test_a_typed_code_of_an_earlier_program_stays(self):
        vault = vf.Vault.open(self.alice.vault, recovery=self.alice.recovery, anchor_folder=self.alice.anchors)
        self.alice.write("secrets/old", vault.add_recovery_slot("old paper", plain=True) + "\n")
        vault.close()
        self.rekeys(self.alice, "--drop", "passphrase", secret="old")
        for secret in ("old", "recovery"):
            self.ok(self.alice, "identity", "show", secret=secret)
        self.rekeys(self.alice, secret="recovery")
        self.ok(self.alice, "identity", "show", secret="old")

    def test_wrong_secrets_and_missing_answers_change_nothing(self):
        self.alice.write("secrets/wrong", "not the passphrase at all\n")
        self.refused("wrongSecret", self.alice, "vault", "rekey", "-y", secret="wrong")
        self.refused("inputNeeded", self.alice, "vault", "rekey", "--no-input")
        self.refused("locked", self.alice, "vault", "rekey", "-y", "--no-input", secret=None)
        taken = self.alice.write("files/taken", "mine")
        self.refused("alreadyExists", self.alice, "vault", "rekey", "-y", "--fresh", "-o", taken, secret="passphrase")
        self.assertEqual(self.epoch(self.alice), 1)
        self.check_no_drafts(self.alice)

    def test_a_rekey_is_advised_after_a_secret_was_taken_out(self):
        def advised() -> list[str]:
            return [item["kind"] for item in self.ok(self.alice, "status", "--json").result["attention"]
                    if item["kind"] == "rekeyAdvised"]
        self.assertEqual(advised(), [])
        self.ok(self.alice, "vault", "slot", "rm", "1", "-y")
        self.assertEqual(advised(), ["rekeyAdvised"])
        self.assertIn("hsip vault rekey", self.alice.run("doctor").output)
        self.rekeys(self.alice, secret="recovery")
        self.assertEqual(advised(), [])


class Beside(RekeyCase):
    world = ALONE

    def test_the_agent_is_told_and_asks_again(self):
        if ag.missing(True):
            self.skipTest(ag.missing(True))
        agent = ag.Hsip(self.alice)
        self.ok(self.alice, "identity", "show", secret=None)
        self.rekeys(self.alice, "--no-agent")
        outcome = self.alice.run("identity", "show", "--json", secret=None)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (5, "rekeyed"), outcome)
        agent.unlock()
        self.ok(self.alice, "identity", "show", secret=None)
        locks = [entry["reason"] for entry in
                 self.ok(self.alice, "audit", "list", "--json", secret=None).result["entries"] if entry["kind"] == "lock"]
        self.assertIn("rekeyed", locks)

    def test_the_first_unlock_after_a_rekey_opens_the_vault_in_the_agent_that_had_it_open(self):
        if ag.missing(True):
            self.skipTest(ag.missing(True))
        ag.Hsip(self.alice)
        self.ok(self.alice, "identity", "show", secret=None)
        self.rekeys(self.alice, "--no-agent")
        self.ok(self.alice, "unlock", secret="passphrase")
        self.ok(self.alice, "identity", "show", secret=None)


class Drafts(Case):
    """What a rekey that did not come to its end leaves beside the vault."""

    whole_drafts = 0
    """Those that were there from their first row to their last."""

    def check_drafts(self, where: str):
        """What a stop has left beside the vault is no vault, however much of it is there: no secret opens it."""
        folder = os.path.dirname(self.alice.vault)
        for name in [name for name in os.listdir(folder) if ".new-" in name and not name.endswith("-journal")]:
            copied = self.alice.path("files", "draft")
            shutil.copyfile(os.path.join(folder, name), copied)
            os.chmod(copied, 0o600)
            if os.path.exists(os.path.join(folder, name + "-journal")):
                shutil.copyfile(os.path.join(folder, name + "-journal"), copied + "-journal")
            try:
                vf.Vault.open(copied, recovery=self.alice.recovery).close()
            except vf.VaultError as error:
                # The one that was read whole is refused for this, and not because a part is missing.
                self.whole_drafts += error.name == "noSuchSlot"
            except sqlite3.DatabaseError:
                pass
            else:
                self.fail(f"{where}: the draft is a vault")
            for ending in ("", "-journal", "-wal", "-shm"):
                if os.path.exists(copied + ending):
                    os.unlink(copied + ending)


@unittest.skipUnless(strace.works(), "strace may not trace here")
class Kill(Sweep, Drafts):
    """Killed at every write, every sync and every removal: the vault is wholly old or wholly new."""

    def places(self):
        # The draft has another name each time, so its calls are met by their number over all files.
        return [*strace.places(self.alice), ("pwrite64", None), ("fdatasync", None), ("unlink", None)]

    def test_rekey(self):
        self.ok(self.alice, "vault", "slot", "rm", "1", "-y")
        self.ok(self.alice, "secret", "set", "db", given="hunter2")
        self.ok(self.alice, "pair")
        epochs = set()

        def go_on(outcome, where):
            self.check_drafts(where)
            epoch = self.ok(self.alice, "vault", "check", "--json").result["keyEpoch"]
            epochs.add(epoch)
            offers = self.ok(self.alice, "status", "--json").result["openOffers"]
            self.assertEqual((epoch, offers), (1, 1) if epoch == 1 else (2, 0), where)
            self.assertEqual(self.ok(self.alice, "secret", "get", "db").output.strip(), "hunter2")
            # The next one comes to its end, and takes away what was left.
            self.ok(self.alice, "vault", "rekey", "-y")
            self.assertEqual([name for name in os.listdir(os.path.dirname(self.alice.vault)) if ".new-" in name], [])

        self.sweep(("vault", "rekey", "-y"), go_on)
        self.assertEqual(epochs, {1, 2})


@unittest.skipUnless(strace.works(), "strace may not trace here")
class BrokenDisk(RekeyCase, Drafts):
    world = ALONE

    def test_a_whole_draft_that_cannot_be_removed_is_no_vault_and_goes_with_the_next_rekey(self):
        self.ok(self.alice, "secret", "set", "db", given="hunter2")
        self.alice.keep("before")
        for number in range(1, 6):
            self.alice.put_back("before")
            outcome = self.alice.run("vault", "rekey", "-y", secret="passphrase",
                                     before=strace.inject("unlink", "error=EPERM", f"{number}+"))
            where = f"unlink refused from number {number} on"
            self.assertIn(outcome.code, (0, 12), where)
            self.check_drafts(where)
            self.assertEqual(self.ok(self.alice, "secret", "get", "db").output.strip(), "hunter2")
            self.rekeys(self.alice)
            self.check_no_drafts(self.alice)
        self.assertGreater(self.whole_drafts, 0)

    def test_a_disk_that_gets_full_or_breaks_at_any_write(self):
        self.ok(self.alice, "secret", "set", "db", given="hunter2")
        self.alice.keep("before")
        failures = 0
        for error in ("ENOSPC", "EIO"):
            number, quiet = 0, 0
            while quiet < 2:
                number += 1
                self.alice.put_back("before")
                outcome = self.alice.run("vault", "rekey", "-y", secret="passphrase",
                                         before=strace.inject("pwrite64", f"error={error}", f"{number}+"))
                quiet = quiet + 1 if outcome.code == 0 else 0
                with self.subTest(f"{error} from pwrite64 {number} on"):
                    if outcome.code != 0:
                        failures += 1
                        self.check_talk(outcome)
                        self.assertEqual(outcome.code, 12, outcome)
                    self.assertIn(self.epoch(self.alice), (1, 2))
                    for secret in ("passphrase", "recovery"):
                        found = self.ok(self.alice, "secret", "get", "db", secret=secret)
                        self.assertEqual(found.output.strip(), "hunter2")
        self.assertGreaterEqual(failures, 10)
        # Nothing to write on at all: a new code that opens nothing is not left lying about.
        self.alice.put_back("before")
        path = self.alice.path("files", "new-code")
        outcome = self.alice.run("vault", "rekey", "-y", "--fresh", "-o", path, secret="passphrase",
                                 before=strace.inject("pwrite64", "error=ENOSPC", "1+"))
        self.assertEqual(outcome.code, 12, outcome)
        self.assertFalse(os.path.exists(path))


    def test_a_commit_that_fails_never_takes_the_only_code_away(self):
        self.ok(self.alice, "secret", "set", "db", given="hunter2")
        self.alice.keep("before")
        path = self.alice.path("files", "new-code")
        log = self.alice.vault + "-wal"
        opened, told = set(), {}
        for call, error in (("pwrite64", "ENOSPC"), ("pwrite64", "EIO"), ("fdatasync", "ENOSPC"), ("fdatasync", "EIO")):
            number, failed = 0, True
            while failed:
                number += 1
                self.alice.put_back("before")
                outcome = self.alice.run("vault", "rekey", "-y", "--fresh", "-o", path, "--json", secret="passphrase",
                                         before=strace.inject(call, f"error={error}", f"{number}+", log))
                failed = outcome.code != 0
                with self.subTest(f"{error} from {call} {number} of the log on"):
                    if failed:
                        told.setdefault((call, error), set()).add(outcome.json["error"]["code"])
                        if outcome.json["error"]["code"] == "commitUnknown":
                            self.assertTrue(os.path.exists(path))
                    # By paper alone: the old code, or else the new one, which must then be there.
                    old = self.alice.run("secret", "get", "db", secret="recovery")
                    if old.code != 0:
                        with open(path, encoding="utf-8") as file:
                            self.alice.write("secrets/new", file.read())
                        self.assertEqual(self.ok(self.alice, "secret", "get", "db", secret="new").output.strip(), "hunter2")
                    opened.add("old" if old.code == 0 else "new")
        self.assertEqual(opened, {"old", "new"})
        # Also a full disk leaves it open what has become of a commit.
        for key, codes in told.items():
            self.assertIn("commitUnknown", codes, key)


@unittest.skipIf(kr.missing(), kr.missing())
class InKeyring(RekeyCase):
    world = ALONE

    def setUp(self):
        super().setUp()
        self.alice.start_keyring()
        self.ok(self.alice, "vault", "slot", "add", "keyring", secret="recovery")

    def items(self) -> list[tuple[str, bytes]]:
        return [(item.attributes["slot"], item.secret) for item in self.alice.keyring.vault_items()
                if item.schema.endswith(".Slot")]

    def test_a_slot_of_this_keyring_gets_a_new_secret_and_the_old_one_opens_nothing(self):
        [(number, old)] = self.items()
        told = self.rekeys(self.alice, secret="passphrase")
        self.assertEqual([(gone["slot"]["kind"], gone["why"]) for gone in told["gone"]],
                         [("keyring", "renewed")])
        [(renewed, new)] = self.items()
        self.assertNotEqual((renewed, new), (number, old))
        self.assertNotEqual(new, old)
        self.assertEqual([str(slot["number"]) for slot in told["slots"] if slot["kind"] == "keyring"], [renewed])
        self.ok(self.alice, "identity", "show", secret=None)
        [item] = [item for item in self.alice.keyring.vault_items() if item.schema.endswith(".Slot")]
        self.alice.keyring.set_secret(item.path, old)
        self.refused("locked", self.alice, "identity", "show", "--no-input", secret=None)

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_a_new_item_goes_again_where_the_key_was_not_changed(self):
        before = self.items()
        outcome = self.alice.run("vault", "rekey", "-y", secret="passphrase",
                                 before=strace.inject("pwrite64", "error=ENOSPC", "1+"))
        self.assertEqual(outcome.code, 12, outcome)
        self.assertEqual(self.epoch(self.alice), 1)
        self.assertEqual(self.items(), before)
        self.ok(self.alice, "identity", "show", secret=None)

    def test_the_slot_of_this_keyring_stays_and_a_dropped_one_takes_its_item_along(self):
        told = self.rekeys(self.alice, secret="passphrase")
        self.assertEqual([slot["kind"] for slot in told["slots"]], ["passphrase", "recovery", "keyring"])
        self.ok(self.alice, "identity", "show")
        told = self.rekeys(self.alice, "--drop", "keyring", secret="passphrase")
        self.assertEqual([gone["slot"]["kind"] for gone in told["gone"]], ["keyring"])
        self.refused("locked", self.alice, "identity", "show", "--no-input")
        findings = self.alice.run("doctor", "--json", secret="recovery").result["findings"]
        self.assertEqual([one for one in findings if one["check"] == "keyring" and one["state"] != "ok"], [])


if __name__ == "__main__":
    unittest.main()
