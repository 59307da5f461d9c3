"""`vault backup` and `vault restore`: copies of the encrypted file while others write, and their way back."""

import os
import shutil
import stat
import unittest

import agents as ag
import house
import keyring as kr
import ssh_keys as sk
import strace
from house import FRIENDS, Case, say
from screen import Screen, compares, hears


class BackupCase(Case):
    def setUp(self):
        super().setUp()
        self.copy = self.alice.path("files", "vault.backup")

    def backs_up(self, *words: str) -> dict:
        return self.ok(self.alice, "vault", "backup", self.copy, *words, "--json").result

    def restores(self, *words: str, **how) -> dict:
        return self.ok(self.alice, "vault", "restore", self.copy, *words, "--json", **how).result

    def kept(self) -> list[str]:
        folder = os.path.dirname(self.alice.vault)
        return sorted(os.path.join(folder, name) for name in os.listdir(folder) if ".before-" in name)

    def check_no_drafts(self):
        for folder in (os.path.dirname(self.alice.vault), os.path.dirname(self.copy)):
            self.assertEqual([name for name in os.listdir(folder) if ".new-" in name], [])


class Backup(BackupCase):
    def test_a_copy_is_one_file_and_whole(self):
        self.ok(self.alice, "secret", "set", "x", given="value")
        told = self.backs_up()
        verified = self.ok(self.alice, "vault", "check", "--json").result
        self.assertEqual(told["records"], verified["records"])
        self.assertEqual(told["slots"], verified["slots"])
        self.assertEqual(stat.S_IMODE(os.stat(self.copy).st_mode), 0o600)
        self.assertEqual(os.listdir(self.alice.path("files")), ["vault.backup"])
        with open(self.copy, "rb") as file:
            self.assertNotIn(b"value", file.read())

    def test_nothing_is_written_over_unasked_and_never_the_vault(self):
        self.backs_up()
        before = self.alice.rows()
        self.refused("alreadyExists", self.alice, "vault", "backup", self.copy)
        self.backs_up("--force")
        os.symlink(self.alice.vault, self.alice.path("files", "link"))
        for path in (self.alice.vault, self.alice.path("files", "link"), "-"):
            self.ends(2, self.alice, "vault", "backup", path, "--force")
            self.ends(2, self.alice, "vault", "restore", path, "--force")
        self.ends(3, self.alice, "vault", "backup", self.alice.path("files", "no", "folder"))
        self.assertEqual(self.alice.rows(), before)
        self.check_no_drafts()

    def test_beside_writers_every_copy_is_sound(self):
        writers = [self.alice.start("secret", "generate", f"n{number}") for number in range(8)]
        for number in range(4):
            self.copy = self.alice.path("files", f"copy{number}")
            self.backs_up()
        for writer in writers:
            writer.communicate(timeout=100)
            self.assertEqual(writer.returncode, 0)
        self.assertEqual(len(self.ok(self.alice, "secret", "list").lines), 8)


class Restore(BackupCase):
    world = FRIENDS

    def test_a_lost_vault_comes_back_on_another_machine(self):
        self.ok(self.alice, "secret", "set", "x", given="value")
        told = self.backs_up()
        shutil.rmtree(self.alice.path("data", "hsip"))
        shutil.rmtree(self.alice.path("state"))
        shutil.rmtree(self.alice.path("config"))
        back = self.restores()
        self.assertEqual((back["kept"], back["records"], back["slots"]), (None, told["records"], told["slots"]))
        self.assertGreater(back["generation"], told["generation"])
        self.assertEqual(self.ok(self.alice, "secret", "get", "x").output, "value")
        self.ok(self.alice, "vault", "check")
        self.check_no_drafts()

    def test_a_log_that_lost_its_vault_is_in_the_way_and_left_alone(self):
        self.backs_up()
        file = self.alice.path("data", "hsip", "vault.hsipvault")
        os.rename(file, file + ".away")
        with open(file + "-wal", "wb") as log:
            log.write(b"commits that only the log has")
        outcome = self.ends(4, self.alice, "vault", "restore", self.copy, "--accept-rollback", "--json")
        self.assertIn("its log is there", outcome.json["error"]["message"])
        self.assertFalse(os.path.exists(file))
        os.rename(file + "-wal", file + "-wal.old")
        self.restores("--accept-rollback")

    def test_sessions_from_before_are_renewed_before_anything_is_sent(self):
        self.backs_up()
        say(self.alice, self.bob, "after the backup")
        self.refused("rollback", self.alice, "vault", "restore", self.copy, "--force", "-y")
        self.restores("--force", "--accept-rollback", "-y")
        self.refused("restored", self.alice, "encrypt", "bob", given="x", changes=True)
        self.assertEqual(self.alice.run("doctor").code, 9)

    def trust(self) -> dict:
        return self.ok(self.alice, "contact", "show", "bob", "--json").result

    def number(self) -> str:
        return self.ok(self.bob, "verify", "alice", "--number", "--json").result["safetyNumber"]

    def attention(self) -> list[str]:
        return [item["kind"] for item in self.ok(self.alice, "status", "--json").result["attention"]]

    def test_a_restore_brings_no_ended_identity_back(self):
        compares(self, self.alice, "bob", self.number())
        self.backs_up()
        message = self.ok(self.bob, "encrypt", "alice", given="old").output
        offer = self.ok(self.bob, "pair").reply
        notice = self.ok(self.bob, "identity", "revocation-notice", "-y").reply
        self.ok(self.alice, "accept", given=notice)
        self.assertTrue(self.restores("--force", "--accept-rollback", "-y")["carried"])
        self.assertEqual(self.trust()["trust"], "revoked")
        self.assertNotEqual(self.alice.run("decrypt", given=message).code, 0)
        self.refused("identityRevoked", self.alice, "accept", given=offer, changes=True)
        self.assertNotIn("notComparedSinceRestore", self.attention())

    def test_a_renewed_identity_survives_a_restore_and_contacts_replace_the_key(self):
        self.backs_up()
        message = self.ok(self.bob, "encrypt", "alice", given="old").output
        outcome = self.ok(self.alice, "identity", "renew", "-y", "--json")
        notice, new = outcome.result["code"], self.ok(self.alice, "identity", "show", "--json").result["peerId"]
        self.assertEqual(outcome.result["scope"], "identity")
        self.restores("--force", "--accept-rollback", "-y")
        self.assertEqual(self.ok(self.alice, "identity", "show", "--json").result["peerId"], new)
        self.assertNotEqual(self.alice.run("decrypt", given=message).code, 0)
        self.ok(self.bob, "accept", given=notice)
        offer = self.ok(self.alice, "pair", "bob").reply
        number = self.ok(self.alice, "verify", "bob", "--number", "--json").result["safetyNumber"]
        self.refused("identityChanged", self.bob, "accept", "--contact", "alice", "-y", given=offer, changes=True)
        asked = Screen(self, self.bob, "contact", "replace-key", "alice", self.bob.write("files/offer", offer))
        hears(asked, number.split())
        self.assertEqual(asked.ends(), 0, asked.plain)
        self.ok(self.alice, "accept", "-y", given=self.ok(self.bob, "accept", "-y", given=offer).reply)
        say(self.alice, self.bob, "again")

    def test_no_answer_and_no_yes_renew_nothing(self):
        before = self.alice.rows()
        self.refused("inputNeeded", self.alice, "identity", "renew", "--no-input")
        self.assertEqual(self.alice.rows(), before)

    def test_a_restore_brings_no_ended_session_back_and_lowers_no_guard(self):
        self.backs_up()
        message = self.ok(self.bob, "encrypt", "alice", given="old").output
        self.ok(self.alice, "contact", "set", "bob", "--require-verified")
        self.ok(self.alice, "accept", given=self.ok(self.bob, "session", "revoke", "alice", "-y").output)
        self.restores("--force", "--accept-rollback", "-y")
        self.assertEqual(self.ok(self.alice, "session", "show", "bob", "--json").result["state"], "revoked")
        self.assertNotEqual(self.alice.run("decrypt", given=message).code, 0)
        self.assertTrue(self.trust()["requireVerified"])

    def test_where_the_replaced_vault_is_lost_everybody_has_to_be_compared_again(self):
        compares(self, self.alice, "bob", self.number())
        self.ok(self.alice, "contact", "set", "bob", "--require-verified")
        self.backs_up()
        shutil.rmtree(self.alice.path("data", "hsip"))
        self.assertFalse(self.restores("--accept-rollback")["carried"])
        self.assertEqual((self.trust()["trust"], self.trust()["notComparedSinceRestore"]), ("verified", True))
        self.assertIn("notComparedSinceRestore", self.ok(self.alice, "contact", "list").output)
        self.assertIn("notComparedSinceRestore", self.attention())
        self.assertIn("rulesOfBackup", self.attention())
        self.assertIn("hsip agent rule list", self.ok(self.alice, "status").output)
        self.ok(self.alice, "session", "rotate", "bob")
        # Also when the record was written since.
        self.ok(self.alice, "contact", "set", "bob", "--note", "x")
        outcome = self.refused("denied", self.alice, "encrypt", "bob", given="x")
        self.assertEqual(outcome.json["error"]["hint"], "hsip verify bob")
        compares(self, self.alice, "bob", self.number())
        self.assertNotIn("notComparedSinceRestore", self.attention())
        self.assertNotIn("rulesOfBackup", self.attention())
        self.assertFalse(self.trust()["notComparedSinceRestore"])

    def test_a_restore_forgets_neither_a_changed_host_key_nor_a_rule_that_refuses(self):
        old, new = (sk.make(self.alice.path("files", name)) for name in ("old", "new"))
        self.ok(self.alice, "ssh", "host", "trust", "db1.example.org", "--key", old + ".pub", "-y")
        self.ok(self.alice, "ssh", "host", "trust", "db2.example.org", "--key", old + ".pub", "-y")
        self.ok(self.alice, "agent", "rule", "add", "open", "allow", "--kind", "read", "-y")
        self.backs_up()
        self.ok(self.alice, "ssh", "host", "replace-key", "db1.example.org", "--key", new + ".pub", "--expect",
                sk.fingerprint(new))
        self.ok(self.alice, "agent", "rule", "rm", "open", "-y")
        self.ok(self.alice, "agent", "rule", "add", "never", "deny", "--kind", "read", "-y")
        self.restores("--force", "--accept-rollback", "-y")
        self.refused("hostKeyChanged", self.alice, "ssh", "host", "trust", "db1.example.org", "--key", old + ".pub", "-y")
        rules = self.ok(self.alice, "agent", "rule", "list", "--json").result["rules"]
        self.assertEqual([rule["name"] for rule in rules], ["never"])
        self.assertNotIn("notComparedSinceRestore", self.attention())
        self.assertNotIn("rulesOfBackup", self.attention())

    def test_a_rule_that_followed_its_secret_covers_the_old_name_too_after_a_restore(self):
        self.ok(self.alice, "secret", "set", "prod", given="value")
        self.ok(self.alice, "agent", "rule", "add", "never", "deny", "--kind", "read", "--subject", "prod", "-y")
        self.backs_up()
        self.ok(self.alice, "secret", "mv", "prod", "old")
        self.restores("--force", "--accept-rollback", "-y")
        rules = self.ok(self.alice, "agent", "rule", "list", "--json").result["rules"]
        self.assertEqual({(rule["name"], rule["effect"], rule["subject"]) for rule in rules},
                         {("never", "deny", "old"), ("never-2", "deny", "prod")})

    def test_where_the_replaced_vault_is_lost_hosts_wait_to_be_confirmed(self):
        key = sk.make(self.alice.path("files", "host"))
        self.ok(self.alice, "ssh", "host", "trust", "db1.example.org", "--key", key + ".pub", "-y")
        self.backs_up()
        shutil.rmtree(self.alice.path("data", "hsip"))
        self.restores("--accept-rollback")
        found = self.ok(self.alice, "status", "--json").result["attention"]
        self.assertIn("db1.example.org", [item["host"] for item in found])
        self.assertEqual([item["hint"] for item in found if item["kind"] == "rulesOfBackup"], ["hsip agent rule list"])
        shown = self.ok(self.alice, "ssh", "host", "show", "db1.example.org", "--json").result["hostKeys"]
        self.assertEqual([line["notComparedSinceRestore"] for line in shown], [True])
        self.assertIn("notComparedSinceRestore", self.ok(self.alice, "ssh", "host", "list", "--keys").output)
        checks = self.alice.run("doctor", "--json").result["findings"]
        verification = [(check["state"], check["message"]) for check in checks if check["check"] == "verification"]
        self.assertIn(("warning", "1 contact and 1 host not verified again since a backup was restored"), verification)
        self.assertNotIn("every contact is verified", [message for _, message in verification])
        words = ("ssh", "host", "trust", "db1.example.org", "--key", key + ".pub")
        self.ends(7, self.alice, *words, "-y")
        self.ok(self.alice, *words, "--expect", sk.fingerprint(key))
        found = self.ok(self.alice, "status", "--json").result["attention"]
        self.assertNotIn("db1.example.org", [item["host"] for item in found])

    def test_a_copied_vault_file_does_not_count_on_from_the_same_number(self):
        say(self.alice, self.bob, "before the copy")
        for path in self.alice.anchor_files():
            os.unlink(path)
        outcome = self.refused("restored", self.alice, "encrypt", "bob", given="x", changes=True, plain=False)
        self.assertIn("anchorMissing", outcome.warnings)
        found = self.ok(self.alice, "status", "--json").result["attention"]
        self.assertIn("sessionRestored", [item["kind"] for item in found])

    def test_an_old_file_put_back_by_hand_is_taken_on_request(self):
        self.backs_up()
        say(self.alice, self.bob, "after the backup")
        for ending in ("-wal", "-shm"):
            if os.path.exists(self.alice.vault + ending):
                os.unlink(self.alice.vault + ending)
        shutil.copy(self.copy, self.alice.vault)
        self.ends(11, self.alice, "encrypt", "bob", given="x")
        self.ends(2, self.alice, "vault", "restore", "--accept-rollback", "--force")
        told = self.ok(self.alice, "vault", "restore", "--accept-rollback", "-y", "--json").result
        self.assertEqual((told["kept"], told["backupGeneration"], told["carried"]), (None, None, False))
        self.refused("restored", self.alice, "encrypt", "bob", given="x", changes=True)

    def test_what_was_there_is_kept_and_can_come_back(self):
        self.backs_up()
        self.ok(self.alice, "secret", "set", "later", given="value")
        self.refused("alreadyExists", self.alice, "vault", "restore", self.copy)
        before = self.alice.rows()
        self.ends(7, self.alice, "vault", "restore", self.copy, "--force", "--accept-rollback")
        self.assertEqual(self.alice.rows(), before)
        self.assertEqual(self.kept(), [])
        self.restores("--force", "--accept-rollback", "-y")
        self.ends(3, self.alice, "secret", "get", "later")
        [kept] = self.kept()
        self.assertEqual(stat.S_IMODE(os.stat(kept).st_mode), 0o600)
        self.copy = kept
        self.restores("--force", "--accept-rollback", "-y")
        self.assertEqual(len(self.kept()), 2)
        self.assertEqual(self.ok(self.alice, "secret", "get", "later").output, "value")

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_a_restore_that_finds_no_room_leaves_no_copy_of_a_vault_that_is_unchanged(self):
        self.ok(self.alice, "secret", "set", "long", "--exact", given="x" * 60_000)
        self.backs_up()
        self.ok(self.alice, "secret", "set", "later", given="value")
        self.alice.keep("before")
        number, refused = 0, 0
        for log in (self.alice.vault + "-wal", self.alice.vault):
            number, failed = 0, True
            while failed and number < 40:
                number += 1
                self.alice.put_back("before")
                outcome = self.alice.run("vault", "restore", self.copy, "--force", "--accept-rollback", "-y",
                                         before=strace.inject("pwrite64", "error=ENOSPC", f"{number}+", log))
                failed = outcome.code != 0
                later = self.alice.run("secret", "get", "later")
                with self.subTest(f"no room from write {number} of {os.path.basename(log)} on"):
                    if later.code == 0:
                        refused += failed
                        self.assertEqual(self.kept(), [], outcome)
                    else:
                        self.assertEqual(len(self.kept()), 1, outcome)
        self.assertGreater(refused, 0)

    def test_it_is_opened_by_what_opened_it_then(self):
        self.backs_up()
        self.alice.write("secrets/new", "some other passphrase\n")
        self.ok(self.alice, "vault", "slot", "set", "1", "--new-passphrase-file", self.alice.path("secrets", "new"), "-y")
        before = self.alice.rows()
        self.refused("wrongSecret", self.alice, "vault", "restore", self.copy, "--force", "--accept-rollback", "-y", secret="new")
        self.assertEqual(self.alice.rows(), before)
        self.restores("--force", "--accept-rollback", "-y", secret="passphrase")
        self.ok(self.alice, "secret", "list", secret="passphrase")

    def test_damage_and_other_files_change_nothing(self):
        self.backs_up()
        before = self.alice.rows()
        with open(self.copy, "rb") as file:
            whole = file.read()
        # A single changed byte may lie where a page of the file has none of a record.
        flipped = bytes(byte ^ (place > 4_096 and place % 100 == 0) for place, byte in enumerate(whole))
        for name, content, codes in (("cut", whole[:len(whole) // 2], (11,)), ("text", b"not a vault", (13,)),
                                     ("flipped", flipped, (11,)), ("empty", b"", (13,))):
            path = self.alice.write("files/" + name, content)
            outcome = self.alice.run("vault", "restore", path, "--force", "--accept-rollback", "-y")
            self.assertIn(outcome.code, codes, outcome)
        self.ends(3, self.alice, "vault", "restore", self.alice.path("files", "gone"), "--force")
        self.assertEqual(self.alice.rows(), before)
        self.assertEqual(self.kept(), [])
        self.check_no_drafts()

    def test_a_damaged_vault_gives_way_and_is_kept_as_it_is(self):
        self.backs_up()
        with open(self.alice.vault, "r+b") as file:
            file.write(b"\0" * 100)
        self.ends(13, self.alice, "secret", "list")
        self.restores("--force", "--accept-rollback", "-y")
        self.ok(self.alice, "vault", "check")
        with open(self.kept()[0], "rb") as file:
            self.assertEqual(file.read(100), b"\0" * 100)

    def test_beside_the_vault_that_it_is_of_a_backup_does_not_come_back(self):
        self.backs_up()
        second = ("--vault", "second", "vault", "restore", self.copy, "--accept-rollback")
        outcome = self.refused("alreadyExists", self.alice, *second)
        self.assertEqual(outcome.json["error"]["hint"].partition(" --force")[0], "hsip --vault vault vault restore FILE")
        self.ok(self.alice, "vault", "check")
        self.check_no_drafts()
        shutil.move(self.alice.vault, self.alice.path("files", "away"))
        self.ok(self.alice, *second)
        self.ok(self.alice, "--vault", "second", "contact", "list")

    def test_a_person_is_asked(self):
        self.backs_up()
        screen = Screen(self, self.alice, "vault", "restore", self.copy, "--force", "--accept-rollback")
        screen.sees(r"kept\s+as\s+\S*\.before-")
        screen.enters("n")
        self.assertEqual(screen.ends(), 6)
        self.assertEqual(self.kept(), [])

    def test_an_agent_that_has_it_open_goes_on_with_what_was_restored(self):
        if ag.missing():
            self.skipTest(ag.missing())
        self.ok(self.alice, "secret", "set", "x", given="old")
        self.backs_up()
        self.ok(self.alice, "secret", "set", "x", given="new")
        agent = ag.Hsip(self.alice)
        agent.unlock()
        self.alice.opens_with = None
        agent.agreed("agent", "rule", "add", "tests", "allow", "--kind", "read", "-y")
        self.assertEqual(self.ok(self.alice, "secret", "get", "x").output, "new")
        self.restores("--force", "--accept-rollback", "-y", secret="recovery")
        self.ends(6, self.alice, "secret", "get", "x", "--no-input")
        agent.agreed("agent", "rule", "add", "again", "allow", "--kind", "read", "-y")
        self.assertEqual(self.ok(self.alice, "secret", "get", "x").output, "old")

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_killed_anywhere_it_is_before_or_after(self):
        self.ok(self.alice, "secret", "set", "x", given="old")
        self.backs_up()
        self.ok(self.alice, "secret", "set", "x", given="new")
        words = ("vault", "restore", self.copy, "--force", "--accept-rollback", "-y")
        self.alice.keep("before")
        met = 0
        vault = self.alice.vault
        for call, path in (("pwrite64", vault + "-wal"), ("fdatasync", vault + "-wal"), ("pwrite64", vault), ("fdatasync", vault),
                           ("ftruncate", vault + "-wal"), ("fsync", None), ("link", None), ("unlink", None)):
            number = 0
            while True:
                number += 1
                self.alice.put_back("before")
                outcome = self.alice.run(*words, before=strace.kill(call, number, path))
                if outcome.code not in (-9, 137):
                    self.assertEqual(outcome.code, 0, outcome)
                    break
                met += 1
                with self.subTest(f"{call} {number} of {os.path.basename(path or 'any')}"):
                    self.ok(self.alice, "vault", "check")
                    value = self.ok(self.alice, "secret", "get", "x").output
                    self.assertIn(value, ("old", "new"))
                    if outcome.output:
                        self.assertEqual(value, "old")
                if number > 40:
                    break
        self.assertGreater(met, 8)

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_on_a_disk_that_is_full_or_breaks_at_any_write_it_is_before_or_after(self):
        self.ok(self.alice, "secret", "set", "x", given="old")
        self.backs_up()
        self.ok(self.alice, "secret", "set", "x", given="new")
        words = ("vault", "restore", self.copy, "--force", "--accept-rollback", "-y")
        self.alice.keep("before")
        failures = 0
        for call in ("pwrite64", "write", "fsync", "fdatasync", "link"):
            for error in ("ENOSPC", "EIO"):
                number, failed = 0, True
                # Every second write is enough: the pages of a copy are many.
                while failed and number < 40:
                    number += 1 if number < 4 else 2
                    self.alice.put_back("before")
                    outcome = self.alice.run(*words, before=strace.inject(call, f"error={error}", f"{number}+"))
                    failed = outcome.code != 0
                    failures += failed
                    with self.subTest(f"{error} from {call} {number} on"):
                        value = self.ok(self.alice, "secret", "get", "x").output
                        self.assertIn(value, ("old", "new"))
                        if not failed:
                            self.assertEqual(value, "old")
                        self.ok(self.alice, "vault", "check")
        self.assertGreater(failures, 8)


@unittest.skipIf(kr.missing(), kr.missing())
class InAKeyring(BackupCase):
    world = house.AT_THE_DESKTOP

    def setUp(self):
        super().setUp()
        self.code = self.alice.path("files", "code")
        self.phrase = self.alice.write("secrets/copies", "a passphrase of the copies\n")

    def first(self) -> dict:
        return self.backs_up("--new-passphrase-file", self.phrase, "-o", self.code)

    def takes_back(self, *words: str) -> dict:
        return self.restores("--force", "-y", "--passphrase-file", self.phrase, *words)

    def value(self, *words: str) -> str:
        return self.ok(self.alice, *words, "secret", "get", "x").output

    def test_the_first_backup_asks_for_what_opens_all_of_them(self):
        self.ok(self.alice, "secret", "set", "x", given="early")
        for words in ((), ("-o", self.code), ("--new-passphrase-file", self.phrase), ("--to", self.alice.path("files"))):
            with self.subTest(words=words):
                target = () if "--to" in words else (self.copy,)
                self.refused("inputNeeded", self.alice, "vault", "backup", *target, *words)
                self.assertFalse(os.path.exists(self.code))
        told = self.first()
        self.assertEqual((told["vault"]["backend"], told["slots"]), ("keyring", 2))
        with open(self.copy, "rb") as file:
            self.assertNotIn(b"early", file.read())
        self.assertEqual(stat.S_IMODE(os.stat(self.copy).st_mode), 0o600)
        # Later ones ask for nothing, and what opened the first opens them.
        self.ok(self.alice, "secret", "set", "x", given="late")
        self.backs_up("--force")
        self.ends(2, self.alice, "vault", "backup", self.copy, "--force", "-o", self.alice.path("files", "other"))
        read = self.ok(self.alice, "vault", "backup", "--verify", self.copy, "--passphrase-file", self.phrase)
        self.assertEqual(read.code, 0)
        old = self.ok(self.alice, "--vault", self.copy, "--old-copy", "--passphrase-file", self.phrase,
                      "secret", "get", "x")
        self.assertEqual(old.output, "late")

    def test_a_backup_comes_back_into_the_keyring_and_what_was_there_is_kept(self):
        self.ok(self.alice, "secret", "set", "x", given="early")
        self.first()
        self.ok(self.alice, "secret", "set", "x", given="late")
        self.refused("alreadyExists", self.alice, "vault", "restore", self.copy)
        self.refused("rollback", self.alice, "vault", "restore", self.copy, "--force", "-y",
                     "--passphrase-file", self.phrase)
        self.assertEqual(self.value(), "late")
        told = self.takes_back("--accept-rollback")
        self.assertEqual((told["vault"]["backend"], told["slots"], told["kept"]),
                         ("keyring", None, self.kept()[0]))
        self.assertEqual(self.value(), "early")
        self.assertTrue(self.ok(self.alice, "vault", "check", "--json").result["records"] == told["records"])
        kept = self.ok(self.alice, "--vault", told["kept"], "--old-copy", "--passphrase-file", self.phrase,
                       "secret", "get", "x")
        self.assertEqual(kept.output, "late")

    def test_a_keyring_that_lost_the_vault_gets_it_back(self):
        self.ok(self.alice, "secret", "set", "x", given="early")
        self.first()
        for item in self.alice.keyring.items(secrets=False):
            self.alice.keyring.remove(item.path)
        told = self.takes_back()
        self.assertIsNone(told["kept"])
        self.assertEqual(self.value(), "early")

    def test_after_a_rekey_no_copy_from_before_comes_back(self):
        self.ok(self.alice, "secret", "set", "x", given="early")
        self.first()
        self.refused("wrongSecret", self.alice, "vault", "rekey", "-y",
                     "--passphrase-file", self.alice.write("secrets/wrong", "not that one\n"))
        told = self.ok(self.alice, "vault", "rekey", "-y", "--passphrase-file", self.phrase, "--json").result
        self.assertEqual((told["keyEpoch"], told["slots"], told["gone"]), (2, [], []))
        self.assertEqual(self.value(), "early")
        self.refused("rollback", self.alice, "vault", "restore", self.copy, "--force", "--accept-rollback", "-y",
                     "--passphrase-file", self.phrase)
        # The passphrase that was named, and the code on paper, open the backups that follow.
        self.backs_up("--force")
        for file in (self.phrase, self.code):
            self.ok(self.alice, "vault", "backup", "--verify", self.copy, "--passphrase-file", file)
        self.takes_back()
        self.ends(2, self.alice, "vault", "rekey", "-y", "--drop", "1")

    def test_a_rekey_makes_the_first_backup_in_each_folder_where_there_were_some(self):
        folder = self.alice.path("files", "copies")
        os.mkdir(folder)
        self.refused("inputNeeded", self.alice, "setup", "backup", "--to", folder, "--print")
        first = self.ok(self.alice, "vault", "backup", "--to", folder, "--new-passphrase-file", self.phrase,
                        "-o", self.code, "--json").result
        self.assertEqual((first["check"], first["written"]), ("full", True))
        self.assertFalse(self.ok(self.alice, "vault", "backup", "--to", folder, "--unattended", "--json").result["written"])
        self.assertIn("vault backup", self.ok(self.alice, "setup", "backup", "--to", folder, "--print").output)
        told = self.ok(self.alice, "vault", "rekey", "-y", "--json").result
        [made] = told["backups"]
        self.assertEqual(os.path.dirname(made), folder)
        self.ok(self.alice, "vault", "backup", "--verify", made, "--passphrase-file", self.code)
        old = self.ok(self.alice, "vault", "backup", "--to", folder, "--forget-old", "-y", "--json").result
        self.assertEqual(old["removed"], [first["file"]])
        # Without what opens them the next backup asks again.
        self.assertEqual(self.ok(self.alice, "vault", "rekey", "-y", "--fresh", "--json").result["backups"], [])
        self.refused("inputNeeded", self.alice, "vault", "backup", "--to", folder, "--unattended")

    def test_doctor_knows_how_old_the_backups_are(self):
        def found(time: str) -> list[str]:
            findings = self.alice.run("doctor", "--json", time=time).result["findings"]
            return [one["message"] for one in findings if one["check"] == "backups"]
        self.assertEqual(found("+1h"), [])
        self.assertIn("the vault has no backup", found("+31d"))
        self.first()
        self.assertIn("the newest backup is 31 days old", found("+31d"))
        self.ok(self.alice, "vault", "rekey", "-y")
        self.assertIn("the newest backup is older than the vault's key", found("+1h"))

    def test_every_write_that_was_acknowledged_beside_rekeys_is_there(self):
        self.first()
        writers = {f"n{number}": self.alice.start("secret", "generate", f"n{number}") for number in range(6)}
        for _ in range(3):
            self.ok(self.alice, "vault", "rekey", "-y")
        made, unknown = set(), set()
        for name, writer in writers.items():
            _, talk = writer.communicate(timeout=100)
            # One that was in the middle when the key epoch rose is told so, and has written nothing; one that could not
            # read its write back, as the epoch rose right after it, says that it does not know.
            self.assertIn(writer.returncode, (0, 5, 12), talk)
            if writer.returncode == 0:
                made.add(name)
            elif writer.returncode == 12:
                self.assertIn(b"hsip does not know whether the last write is on the disk", talk)
                unknown.add(name)
        listed = {secret["name"] for secret in self.ok(self.alice, "secret", "list", "--json").result["secrets"]}
        self.assertLessEqual(made, listed)
        self.assertLessEqual(listed, made | unknown)
        self.assertEqual(self.ok(self.alice, "vault", "check", "--json").result["keyEpoch"], 4)

    def test_backups_are_verified_by_the_keyrings_own_key(self):
        self.ok(self.alice, "secret", "set", "x", given="early")
        self.first()
        self.ok(self.alice, "secret", "set", "x", given="late")
        second = self.alice.path("files", "second.backup")
        self.ok(self.alice, "vault", "backup", second)
        told = self.ok(self.alice, "vault", "backup", "--verify", self.copy, second, "--json").result["verified"]
        self.assertEqual([(one["ok"], one["file"]) for one in told], [(True, self.copy), (True, second)])
        self.assertGreaterEqual(told[0]["newerHere"], 1)
        self.assertEqual(told[1]["newerHere"], 0)
        # The vault itself is not changed, and a damaged copy is told as that.
        whole = open(second, "rb").read()
        with open(second, "r+b") as file:
            file.truncate(5_000)
        outcome = self.alice.run("vault", "backup", "--verify", self.copy, second, "--json")
        self.assertNotEqual(outcome.code, 0)
        self.assertEqual([one["ok"] for one in outcome.json["error"]["details"]["verified"]], [True, False])
        with open(second, "wb") as file:
            file.write(whole)
        # After a rekey the key is another one, and a backup from before opens by its own slots.
        self.ok(self.alice, "vault", "rekey", "-y", "--passphrase-file", self.phrase)
        self.refused("locked", self.alice, "vault", "backup", "--verify", second, changes=True)
        self.ok(self.alice, "vault", "backup", "--verify", second, "--passphrase-file", self.phrase)

    def test_a_copy_from_before_a_rekey_is_read_on_request_and_stays_as_it_is(self):
        self.ok(self.alice, "secret", "set", "x", given="early")
        self.first()
        with open(self.copy, "rb") as file:
            before = file.read()
        self.ok(self.alice, "vault", "rekey", "-y")
        self.ok(self.alice, "secret", "set", "x", given="late")
        old = ("--vault", self.copy, "--old-copy", "--passphrase-file", self.phrase)
        self.assertEqual(self.ok(self.alice, *old, "secret", "get", "x").output, "early")
        listed = self.ok(self.alice, *old, "secret", "list", "--json").result["secrets"]
        self.assertEqual([secret["name"] for secret in listed], ["x"])
        out = self.alice.path("files", "old.json")
        self.ok(self.alice, *old, "vault", "export", "--plaintext", "json", "--expect", "1", "-o", out)
        with open(out, encoding="utf-8") as file:
            self.assertIn("early", file.read())
        for words in (("secret", "set", "x"), ("status",), ("vault", "rekey", "-y")):
            self.refused("usage", self.alice, *old, *words, given="y", changes=True)
        exposed = self.ok(self.alice, "vault", "exposed", "--backup", self.copy, "--passphrase-file", self.phrase, "--json")
        self.assertIn(("identity", "Alice"), [(item["kind"], item["name"]) for item in exposed.result["items"]])
        self.assertEqual(self.value(), "late")
        with open(self.copy, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_a_backup_of_another_vault_takes_no_place_in_the_keyring(self):
        self.ok(self.alice, "secret", "set", "x", given="early")
        self.ok(self.alice, "--vault", "work", "init", "--backend", "keyring", "--name", "W", "--no-input")
        self.ok(self.alice, "--vault", "work", "vault", "backup", self.copy, "--new-passphrase-file", self.phrase,
                "-o", self.code)
        self.refused("conflict", self.alice, "vault", "restore", self.copy, "--force", "--accept-rollback", "-y",
                     "--passphrase-file", self.phrase)
        self.assertEqual(self.value(), "early")
        self.assertFalse(os.path.exists(self.alice.path("data", "hsip")), "nothing was kept, as nothing was replaced")

    def test_an_agent_that_has_it_open_opens_it_again_after_a_rekey(self):
        if ag.missing():
            self.skipTest(ag.missing())
        self.ok(self.alice, "secret", "set", "x", given="value")
        agent = ag.Hsip(self.alice, secret=None, **self.alice.keyring.environment())
        self.ok(self.alice, "unlock", "--no-input", secret=None)
        self.assertEqual(len(self.ok(self.alice, "secret", "list").lines), 1)
        self.ok(self.alice, "vault", "rekey", "-y")
        told = self.alice.run("secret", "list", "--json")
        self.assertEqual((told.code, told.json["error"]["code"]), (5, "rekeyed"), told)
        self.assertTrue(agent.status()["isLocked"])
        self.ok(self.alice, "unlock", "--no-input", secret=None)
        self.assertEqual(len(self.ok(self.alice, "secret", "list").lines), 1)


@unittest.skipIf(kr.missing(), kr.missing())
class FactsInAKeyring(BackupCase):
    world = house.MIXED_FRIENDS

    def test_what_ended_since_a_backup_stays_ended_after_its_restore(self):
        phrase = self.alice.write("secrets/copies", "a passphrase of the copies\n")
        self.assertTrue(self.alice.is_in_keyring)
        self.backs_up("--new-passphrase-file", phrase, "-o", self.alice.path("files", "code"))
        self.ok(self.alice, "session", "revoke", "bob", "-y")
        told = self.restores("--force", "--accept-rollback", "-y", "--passphrase-file", phrase)
        self.assertTrue(told["carried"])
        self.ends(6, self.alice, "encrypt", "bob", given="x")
