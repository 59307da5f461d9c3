"""A disk that is full or broken, a place that cannot be written, files that are not safe."""

import base64
import copy
import os
import shutil
import sqlite3
import subprocess
import unittest

import strace
from house import FRIENDS, PAIRED, Case, PeerCase, vf, xc


def may_mount() -> bool:
    """A mount namespace of one's own, as root has it."""
    finished = subprocess.run(["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"], capture_output=True)
    return finished.returncode == 0


@unittest.skipUnless(strace.works(), "strace may not trace here")
class BrokenDisk(PeerCase):
    """One system call at a time fails; the state stays whole and the number is never used twice."""

    def setUp(self):
        super().setUp()
        self.pair_with_peer()
        self.alice.keep("before")
        self.sent = self.session(self.alice, "quentin")["sent"]

    def fail_at(self, call: str, error: str, path: str, repeated: bool = False) -> int:
        """Lets the Nth call fail, N = 1, 2, …; tells how many runs failed."""
        peer_before = self.peer
        number, failures, quiet = 0, 0, 0
        while quiet < 2:
            number += 1
            self.alice.put_back("before")
            self.peer = copy.deepcopy(peer_before)
            when = f"{number}+" if repeated else str(number)
            outcome = self.alice.run("encrypt", "quentin", given="text",
                                     before=strace.inject(call, f"error={error}", when, path))
            quiet = quiet + 1 if outcome.code == 0 else 0
            with self.subTest(f"{error} at {call} {when} of {os.path.basename(path)}"):
                if outcome.code != 0:
                    failures += 1
                    self.assertEqual(outcome.output, "", f"a failure gives nothing out:{outcome}")
                    self.check_talk(outcome)
                    self.assertEqual(outcome.code, 12, outcome)
                self.ok(self.alice, "vault", "check")
                now = self.session(self.alice, "quentin")["sent"]
                self.assertIn(now, (self.sent, self.sent + 1))
                nonces = [xc.parse_message(outcome.output)[33:45]] if outcome.output else []
                if outcome.output:
                    self.assertEqual(now, self.sent + 1, outcome)
                    self.peer.open(outcome.output)
                for _ in range(2):
                    message = self.ok(self.alice, "encrypt", "quentin", given="text").output
                    nonces.append(xc.parse_message(message)[33:45])
                    self.peer.open(message)
                self.assertEqual(len(set(nonces)), len(nonces))
        return failures

    def test_a_full_disk_at_every_write(self):
        self.assertGreaterEqual(self.fail_at("pwrite64", "ENOSPC", self.alice.vault + "-wal"), 3)
        self.assertGreaterEqual(self.fail_at("pwrite64", "ENOSPC", self.alice.vault + "-wal", repeated=True), 3)
        self.fail_at("pwrite64", "ENOSPC", self.alice.vault)
        self.fail_at("pwrite64", "ENOSPC", self.alice.vault + "-shm", repeated=True)

    def test_a_broken_disk_at_every_write_and_sync(self):
        for path in (self.alice.vault + "-wal", self.alice.vault):
            for call in ("pwrite64", "fdatasync", "ftruncate"):
                failures = self.fail_at(call, "EIO", path)
                if path.endswith("-wal") and call != "ftruncate":
                    self.assertGreaterEqual(failures, 1, call)

    def test_a_disk_that_breaks_while_a_code_is_taken(self):
        rotate = self.peer.start_rotate("alice")
        self.alice.keep("before")
        for call, error in (("pwrite64", "ENOSPC"), ("fdatasync", "EIO")):
            for number in range(1, 8 if call == "pwrite64" else 3):
                self.alice.put_back("before")
                outcome = self.alice.run("accept", "-y", given=rotate,
                                         before=strace.inject(call, f"error={error}", f"{number}+",
                                                              self.alice.vault + "-wal"))
                with self.subTest(f"{error} at {call} {number}"):
                    self.assertIn(outcome.code, (0, 12), outcome)
                    if outcome.code != 0:
                        self.assertEqual(outcome.output, "")
                    self.ok(self.alice, "vault", "check")
                    accept = self.ok(self.alice, "accept", "-y", given=rotate).reply
                    if outcome.output:
                        self.assertEqual(outcome.reply, accept)
                    peer = copy.deepcopy(self.peer)
                    peer.take_accept(accept)
                    self.ok(self.alice, "decrypt", given=peer.seal("alice", "new key"))


@unittest.skipUnless(may_mount(), "no mount namespace of our own")
class SmallDisk(Case):
    """Real file systems in a namespace of their own."""

    world = FRIENDS

    def inside(self, mounting: str, *words: str, given: bytes = b"") -> subprocess.CompletedProcess:
        """The command after a mount over the folder of the vault."""
        return subprocess.run(["unshare", "-m", "sh", "-c", f'{mounting}; "$@"', "sh", *self.alice.command(*words)],
                              input=given,
                              capture_output=True, env=self.alice.environment(), timeout=120)

    def test_a_disk_that_fills_up(self):
        folder = os.path.dirname(self.alice.vault)
        back, fill = self.alice.path("files", "back"), os.path.join(folder, "fill")
        script = (f'cp -a {folder} {back}; mount -t tmpfs -o size=1m,mode=0700 none {folder}; cp -a {back}/. {folder}/; '
                  f'dd if=/dev/zero of={fill} bs=1k count=$(($(df -k --output=avail {folder} | tail -1) - 60)); '
                  'n=0; while [ $n -lt 32 ] && "$@" pair --qr none; do n=$((n+1)); done; "$@" pair --qr none; echo "code $?"; '
                  f'rm {fill}; "$@" vault check >/dev/null && "$@" session list && "$@" pair --close-all; echo "code $?"')
        finished = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *self.alice.command()],
                                  capture_output=True, env=self.alice.environment(), timeout=300)
        codes = [line for line in finished.stdout.decode().splitlines() if line.startswith("code ")]
        self.assertEqual(codes, ["code 12", "code 0"], finished)
        self.assertIn("disk is full", finished.stderr.decode())

    def test_a_disk_without_any_room(self):
        folder = os.path.dirname(self.alice.vault)
        back = self.alice.path("files", "back")
        mounting = (f'cp -a {folder} {back}; mount -t tmpfs -o size=400k,mode=0700 none {folder}; '
                    f'cp -a {back}/. {folder}/; dd if=/dev/zero of={folder}/fill bs=1k 2>/dev/null; true')
        for words in (("pair",), ("encrypt", "bob")):
            finished = self.inside(mounting, *words, given=b"x")
            shutil.rmtree(back)
            self.assertEqual(finished.returncode, 12, finished)
            self.assertEqual(finished.stdout, b"")
        self.is_friendly(self.alice, self.bob)

    def test_a_read_only_disk(self):
        folder = os.path.dirname(self.alice.vault)
        mounting = f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder}"
        for words in (("pair",), ("encrypt", "bob"), ("session", "rotate", "bob")):
            finished = self.inside(mounting, *words, given=b"x")
            self.assertEqual(finished.returncode, 12, finished)
            self.assertEqual(finished.stderr.decode().count("hsip: error: "), 1, finished)
        finished = self.inside(mounting, "contact", "list")
        self.assertEqual(finished.returncode, 0, finished)
        self.is_friendly(self.alice, self.bob)


    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_a_read_only_disk_with_an_open_log(self):
        killed = self.alice.run("pair", before=strace.kill("pwrite64", 1, self.alice.vault))
        self.assertIn(killed.code, (-9, 137), killed)
        self.assertTrue(os.path.exists(self.alice.vault + "-wal"))
        folder = os.path.dirname(self.alice.vault)
        mounting = f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder}"
        finished = self.inside(mounting, "contact", "list", "--json")
        self.assertEqual(finished.returncode, 12, finished)
        self.assertIn(b'"readOnlyWithLog"', finished.stdout)
        self.is_friendly(self.alice, self.bob)


class UnsafeFiles(Case):
    world = PAIRED

    def unsafe(self, *words: str):
        for act in (("session", "list"), ("encrypt", "bob")):
            outcome = self.refused("unsafeFile", self.alice, *act, given="x", changes=True)
        return outcome

    def test_a_vault_that_others_can_read(self):
        for mode in (0o644, 0o640, 0o606):
            os.chmod(self.alice.vault, mode)
            self.unsafe()
            self.assertEqual(os.stat(self.alice.vault).st_mode & 0o777, mode, "never changed silently")
        os.chmod(self.alice.vault, 0o600)
        self.is_friendly(self.alice, self.bob)

    def test_a_folder_that_others_can_enter(self):
        folder = os.path.dirname(self.alice.vault)
        for mode in (0o755, 0o777, 0o710):
            os.chmod(folder, mode)
            self.unsafe()
        os.chmod(folder, 0o700)
        self.is_friendly(self.alice, self.bob)

    def test_a_parent_that_others_can_write(self):
        os.chmod(self.alice.path("data"), 0o777)
        self.unsafe()

    def test_a_symbolic_link_for_the_vault(self):
        elsewhere = self.alice.path("files", "elsewhere")
        os.rename(self.alice.vault, elsewhere)
        os.symlink(elsewhere, self.alice.vault)
        self.refused("unsafeFile", self.alice, "session", "list", changes=True)

    def test_a_hard_link_of_the_vault(self):
        os.link(self.alice.vault, self.alice.path("files", "twin"))
        self.refused("unsafeFile", self.alice, "session", "list", changes=True)

    def test_an_anchor_that_is_a_link(self):
        anchor = self.alice.anchor_files()[0]
        os.rename(anchor, anchor + ".moved")
        os.symlink(anchor + ".moved", anchor)
        self.refused("unsafeFile", self.alice, "session", "list", changes=True)

    @unittest.skipUnless(os.geteuid() == 0, "only root gives files away")
    def test_a_vault_of_somebody_else(self):
        os.chown(self.alice.vault, 65534, 65534)
        self.refused("unsafeFile", self.alice, "session", "list", changes=True)


class FilesBeside(PeerCase):
    """What lies beside a vault, or takes its place, while it is used."""

    def setUp(self):
        super().setUp()
        self.pair_with_peer()

    def test_a_vault_that_goes_away_during_a_chat_counts_nothing_more(self):
        for replaced in (False, True):
            with self.subTest(replaced=replaced):
                self.alice.keep("whole")
                process = subprocess.Popen(self.alice.command("encrypt", "quentin", "--lines", alone=True),
                                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                           env=self.alice.environment())
                process.stdin.write(b"one\n")
                process.stdin.flush()
                self.assertTrue(process.stdout.readline())
                if replaced:
                    shutil.copyfile(self.alice.vault, self.alice.vault + ".copy")
                    os.chmod(self.alice.vault + ".copy", 0o600)
                    os.rename(self.alice.vault + ".copy", self.alice.vault)
                else:
                    os.unlink(self.alice.vault)
                output, talk = process.communicate(b"two\n", timeout=60)
                self.assertEqual((process.returncode, output), (12, b""), talk)
                self.assertIn(b"removed or replaced", talk)
                self.alice.put_back("whole")

    def test_a_pipe_in_the_place_of_a_file_is_named_and_not_waited_for(self):
        config = self.alice.path("config", "hsip", "config.json")
        self.ok(self.alice, "secret", "set", "mail", given="x\n")
        self.ok(self.alice, "secret", "get", "mail")
        log = next(os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(self.alice.anchors, "audit"))
                   for name in names)
        for path, words in ((self.alice.vault + "-journal", ("session", "list")), (config, ("session", "list")),
                            (self.alice.anchor_files()[0], ("session", "list")), (log, ("audit",))):
            with self.subTest(path=os.path.basename(path)):
                self.alice.keep("whole")
                if os.path.exists(path):
                    os.unlink(path)
                os.mkfifo(path, 0o600)
                process = subprocess.run(self.alice.command(*words), env=self.alice.environment(), capture_output=True,
                                         stdin=subprocess.DEVNULL, timeout=60)
                self.assertIn(process.returncode, (12, 13), process.stderr)
                self.assertIn(path.encode(), process.stderr)
                # The number that SQLite has for it; the name of the vault may have these digits.
                self.assertNotIn(b"266", process.stderr.replace(path.encode(), b""))
                self.alice.put_back("whole")

    def test_a_limit_on_the_size_of_files_is_a_refusal(self):
        for limit in (0, 8):
            with self.subTest(limit=limit):
                outcome = self.alice.run("encrypt", "quentin", given="x" * 40_000,
                                         before=["bash", "-c", f'ulimit -f {limit} && exec "$@"', "bash"])
                self.assertIn(outcome.code, (0, 12), outcome)
        self.ok(self.alice, "vault", "check")
        self.peer.open(self.ok(self.alice, "encrypt", "quentin", given="text").output)

    def test_a_folder_that_may_not_be_entered_is_not_a_file_that_is_gone(self):
        # Root itself enters every folder, unless it gives that up.
        before = []
        if os.geteuid() == 0:
            if shutil.which("setpriv") is None:
                self.skipTest("setpriv is not installed")
            before = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all"]
        folder = os.path.dirname(self.alice.vault)
        os.chmod(folder, 0)
        try:
            outcome = self.alice.run("session", "list", before=before)
            self.assertEqual(outcome.code, 12, outcome)
            self.assertIn("you may not enter the folder of", outcome.talk)
            self.assertNotIn("gone", outcome.talk)
        finally:
            os.chmod(folder, 0o700)

    def test_a_file_in_the_way_of_a_recovery_code_is_not_met_with_an_option_that_init_lacks(self):
        taken = self.alice.write("files/taken", "mine")
        outcome = self.ends(4, self.alice, "--vault", "second", "init", "--name", "Second", "-o", taken, secret="passphrase")
        self.assertNotIn("--force", outcome.talk)
        self.assertIn("-o OTHER", outcome.talk)

    def test_what_a_killed_restore_left_is_removed_by_the_next_backup(self):
        left = self.alice.vault + ".new-0123456789ab"
        shutil.copyfile(self.alice.vault, left)
        self.ok(self.alice, "vault", "backup", self.alice.path("files", "copy"))
        self.assertFalse(os.path.exists(left))

    def test_others_who_may_write_the_configuration_or_the_state_are_told_of(self):
        config = self.alice.path("config", "hsip", "config.json")
        os.chmod(config, 0o666)
        self.assertIn(f"other users can change {config} (mode 666)", self.alice.run("doctor").output)
        os.chmod(config, 0o600)
        os.chmod(self.alice.anchors, 0o777)
        outcome = self.ends(12, self.alice, "vault", "check", "--json")
        self.assertEqual(outcome.json["error"]["details"]["path"], self.alice.anchors)


class Reads(Case):
    world = PAIRED

    @unittest.skipUnless(strace.works(), "needs strace")
    def test_a_command_reads_the_configuration_once(self):
        log = self.alice.path("files", "opens")
        self.ok(self.alice, "contact", "list", before=(strace.STRACE, "-f", "-qq", "-o", log, "-e", "trace=openat"))
        with open(log, encoding="utf-8") as file:
            opens = [line for line in file if "/config.json" in line]
        self.assertEqual(len(opens), 1, opens)


class DamagedRecords(PeerCase):
    """One record is damaged: it is named, and what does not depend on it goes on."""

    def setUp(self):
        super().setUp()
        self.pair_with_peer()
        for name in ("mail", "bank", "shop"):
            self.ok(self.alice, "secret", "set", name, given=f"secret of {name}\n")

    def flip(self, kind: str, name: str | None = None, column: str = "seal", place: int = 3):
        """Flips a bit of a record's row, the first of its kind where no name is given."""
        if name is None:
            name = sorted(name for other, name in self.alice.records() if other == kind)[0]
        vault = vf.Vault.open(self.alice.vault, recovery=self.alice.recovery, anchor_folder=self.alice.anchors)
        row = vault.record_id(kind, name)
        vault.close()
        base = sqlite3.connect(self.alice.vault)
        value = bytearray(base.execute(f"SELECT {column} FROM record WHERE id=?", (row,)).fetchone()[0])
        value[place] ^= 0x10
        base.execute(f"UPDATE record SET {column}=? WHERE id=?", (bytes(value), row))
        base.commit()
        base.close()
        return name

    def sends(self):
        """A message goes out and is read."""
        self.peer.open(self.ok(self.alice, "encrypt", "quentin", given="text").output)

    def names(self, outcome) -> list:
        return [(warning["kind"], warning["name"]) for warning in outcome.json["warnings"]
                if warning["code"] == "damagedRecord"]

    def test_a_flipped_bit_in_a_secret_hides_no_other_and_stops_nothing_else(self):
        for column, place in (("seal", 3), ("seal", 70), ("meta", 20)):
            with self.subTest(column=column, place=place):
                self.alice.keep("whole")
                self.flip("secret", "mail", column, place)
                listed = self.ends(11, self.alice, "secret", "list", "--json")
                self.assertEqual([one["name"] for one in listed.result["secrets"]], ["bank", "shop"])
                self.assertEqual(self.names(listed), [("secret", "mail")])
                self.assertIn("the secret mail (lane ", self.ends(11, self.alice, "secret", "list").talk)
                quiet = self.ends(11, self.alice, "-q", "secret", "list")
                self.assertEqual([line.split("\t")[0] for line in quiet.lines], ["bank", "shop"])
                self.assertIn("the list is not complete", quiet.talk)
                for words in ((), ("bank",)):
                    self.assertIn("not every secret was checked", self.ends(11, self.alice, "secret", "check", *words).talk)
                self.assertEqual(self.ok(self.alice, "secret", "get", "bank").output, "secret of bank")
                refused = self.ends(11, self.alice, "secret", "get", "mail", "--json").json["error"]
                self.assertEqual((refused["code"], refused["details"]["name"]), ("tampered", "mail"))
                self.ends(11, self.alice, "secret", "set", "mail", given="another\n")
                self.ends(11, self.alice, "secret", "rm", "mail")
                self.ok(self.alice, "secret", "set", "new", given="new\n")
                self.sends()
                self.ok(self.alice, "pair")
                self.assertNotIn("mail", self.ok(self.alice, "contact", "list").talk)
                self.ok(self.alice, "status")
                self.assertIn("hsip vault repair -o NEW", self.ends(11, self.alice, "vault", "check").talk)
                verified = self.ends(11, self.alice, "vault", "check", "--json")
                self.assertEqual(verified.json["error"]["hint"], "hsip vault repair -o NEW")
                self.assertEqual(self.names(verified), [("secret", "mail")])
                self.alice.put_back("whole")

    def test_host_keys_are_not_listed_without_a_damaged_one(self):
        keys = (b"\0\0\0\x0bssh-ed25519\0\0\0 " + bytes([number]) * 32 for number in (1, 2))
        lines = "".join(f"host{number}.example ssh-ed25519 {base64.b64encode(key).decode()}\n"
                        for number, key in enumerate(keys))
        self.ok(self.alice, "ssh", "host", "import", self.alice.write("files/known_hosts", lines), "-y")
        self.assertEqual(len(self.ok(self.alice, "ssh", "host", "list", "--keys").lines), 2)
        self.flip("ssh.hostkey")
        refused = self.ends(11, self.alice, "ssh", "host", "list", "--keys")
        self.assertEqual(refused.lines, [])
        self.assertIn("hsip vault repair", refused.talk)

    def test_an_export_leaves_a_damaged_secret_out_by_name_and_ends_with_11(self):
        for column, place in (("seal", 3), ("body", 9)):
            with self.subTest(column=column):
                self.alice.keep("whole")
                self.flip("secret", "mail", column, place)
                path = self.alice.path("files", f"{column}.csv")
                count = "2" if column == "seal" else "3"
                outcome = self.ends(11, self.alice, "vault", "export", "--plaintext", "csv", "--expect", count, "-o", path,
                                    "--json")
                self.assertEqual(self.names(outcome), [("secret", "mail")])
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                self.assertIn("secret of bank", text)
                self.assertIn("secret of shop", text)
                self.assertNotIn("secret of mail", text)
                sealed = self.alice.path("files", f"{column}.hsipexport")
                key = self.alice.write("files/key", "six words that nobody else would ever think of\n")
                self.ends(11, self.alice, "vault", "export", "--to", "hsip", "--export-passphrase-file", key, "-o", sealed)
                self.assertTrue(os.path.exists(sealed))
                self.alice.put_back("whole")

    def test_a_backup_of_a_damaged_vault_is_made_named_and_takes_no_good_ones_place(self):
        good, new = self.alice.path("files", "good"), self.alice.path("files", "new")
        self.ok(self.alice, "vault", "backup", good)
        self.flip("secret", "mail")
        with open(good, "rb") as file:
            before = file.read()
        self.ends(11, self.alice, "vault", "backup", good, "--force")
        with open(good, "rb") as file:
            self.assertEqual(file.read(), before)
        outcome = self.ends(11, self.alice, "vault", "backup", new, "--json")
        self.assertEqual(self.names(outcome), [("secret", "mail")])
        self.assertTrue(os.path.exists(new))

    def test_a_damaged_session_or_contact_is_never_taken_for_absent(self):
        found = sorted(self.alice.records())
        for kind in ("hsip.contact", "hsip.pairing"):
            with self.subTest(kind=kind):
                self.alice.keep("whole")
                name = self.flip(kind, next(name for other, name in found if other == kind))
                for words in (("encrypt", "quentin"), ("pair", "quentin")):
                    outcome = self.ends(11, self.alice, *words, "--json", given="x")
                    self.assertEqual(outcome.json["error"]["details"]["kind"], kind, outcome)
                listed = self.ends(11, self.alice, "contact", "list", "--json")
                self.assertEqual(self.names(listed), [(kind, name)])
                self.assertEqual(self.ok(self.alice, "secret", "get", "bank").output, "secret of bank")
                self.alice.put_back("whole")

    def test_contacts_are_listed_beside_a_damaged_identity_which_is_named(self):
        for column in ("seal", "body"):
            with self.subTest(column=column):
                self.alice.keep("whole")
                name = self.flip("hsip.identity", None, column)
                listed = self.ok(self.alice, "contact", "list", "--json")
                self.assertEqual([one["contact"] for one in listed.result["contacts"]], ["quentin"])
                self.assertEqual(self.names(listed), [("hsip.identity", name)])
                self.assertIn("nothing can be sent or paired without it", self.ok(self.alice, "session", "list").talk)
                for words in (("encrypt", "quentin"), ("pair",), ("identity", "show")):
                    self.ends(11, self.alice, *words, given="x")
                checks = {one["check"] for one in self.ends(11, self.alice, "doctor", "--json").result["findings"]}
                self.assertLessEqual({"vaultFile", "clock", "sessions", "verification"}, checks)
                self.alice.put_back("whole")

    def test_doctor_speaks_of_the_sessions_beside_a_damaged_clock_mark(self):
        self.flip("hsip.clock")
        found = self.ends(11, self.alice, "doctor", "--json").result["findings"]
        self.assertIn(("clock", "problem"), [(one["check"], one["state"]) for one in found])
        self.assertLessEqual({"sessions", "restored", "pendingCodes", "verification"}, {one["check"] for one in found})

    def test_a_damaged_rule_refuses_what_it_might_refuse(self):
        self.ok(self.alice, "agent", "rule", "add", "no", "deny", "--kind", "read", "--subject", "bank")
        self.flip("vault.rule")
        self.ends(11, self.alice, "agent", "rule", "list")
        self.ends(11, self.alice, "agent", "rule", "rm", "no")

    def test_a_damaged_record_of_the_audit_log_lets_secrets_be_read_and_says_so(self):
        self.ok(self.alice, "secret", "get", "bank")
        for place in (3, 70):
            with self.subTest(place=place):
                self.alice.keep("whole")
                self.flip("vault.audit", "log", "seal", place)
                outcome = self.ok(self.alice, "secret", "get", "bank")
                self.assertEqual(outcome.output, "secret of bank")
                self.assertIn("this command is not in the audit log", outcome.talk)
                self.assertEqual(self.ok(self.alice, "secret", "get", "bank", "--json").warnings, ["notLogged"])
                self.ends(11, self.alice, "audit")
                self.ends(11, self.alice, "audit", "verify")
                self.alice.put_back("whole")

    def test_a_read_goes_on_and_says_so_wherever_the_log_cannot_be_written(self):
        self.ok(self.alice, "secret", "get", "bank")
        folder = os.path.join(self.alice.anchors, "audit")
        log = os.path.join(folder, os.listdir(folder)[0])
        if os.geteuid() == 0 and may_mount():
            mounted = ["unshare", "-m", "sh", "-c", f'mount --bind -o ro "{folder}" "{folder}" && exec "$@"', "sh"]
            outcome = self.ok(self.alice, "secret", "get", "bank", before=mounted)
            self.assertIn("this command is not in the audit log", outcome.talk)
        if strace.works():
            full = strace.inject("pwrite64", "error=ENOSPC", "1+", log)
            outcome = self.ok(self.alice, "secret", "get", "bank", before=full)
            self.assertIn("this command is not in the audit log: the disk is full", outcome.talk)
        self.assertNotIn("audit log", self.ok(self.alice, "secret", "get", "bank").talk)

    def test_with_a_full_disk_for_state_a_command_does_its_work_and_warns_or_refuses_and_changes_nothing(self):
        folder = os.path.join(self.alice.anchors, "audit")
        log = os.path.join(folder, os.listdir(folder)[0])
        full = strace.inject("pwrite64", "error=ENOSPC", "1+", log) if strace.works() else self.skipTest("needs strace")
        full = (*full[:full.index("-P")], "-P", self.alice.anchor_files()[0], *full[full.index("-P"):])
        deny = ("agent", "rule", "add", "no", "deny", "--kind", "read", "--subject", "bank")
        for words, is_done in ((("secret", "set", "new"), True), (("secret", "rm", "bank", "-y"), True),
                               (("vault", "rekey", "-y", "--drop", "1"), True), (deny, False)):
            with self.subTest(words=words):
                self.alice.keep("whole")
                before = self.alice.rows()
                outcome = self.alice.run(*words, given="value", before=full)
                self.assertEqual(outcome.code, 0 if is_done else 12, outcome)
                self.assertEqual(self.alice.rows() != before, is_done, outcome)
                said = "this command is not in the audit log: the disk is full" if is_done else "the disk has no room"
                self.assertIn(said, outcome.talk)
                self.ok(self.alice, "vault", "check")
                self.alice.put_back("whole")


class WrongFiles(Case):
    world = PAIRED

    def overwrite(self, content: bytes):
        for ending in ("-wal", "-shm"):
            if os.path.exists(self.alice.vault + ending):
                os.unlink(self.alice.vault + ending)
        self.alice.write("data/hsip/vault.hsipvault", content)

    def read(self) -> bytes:
        with open(self.alice.vault, "rb") as file:
            return file.read()

    def test_files_that_are_no_vault(self):
        for content in (b"", b"hello\n", b"SQLite format 3\0" + bytes(84), os.urandom(8192)):
            with self.subTest(content=content[:16]):
                self.overwrite(content)
                outcome = self.alice.run("session", "list", "--json")
                self.assertIn(outcome.json["error"]["code"], ("notAVault", "corrupt"), outcome)
                self.assertEqual(self.read(), content, "left as it was")

    def test_a_vault_that_is_cut(self):
        whole = self.read()
        for size in (len(whole) // 2, len(whole) - 4096, 4096):
            with self.subTest(size=size):
                self.overwrite(whole[:size])
                outcome = self.alice.run("session", "list", "--json")
                self.assertEqual(outcome.code, 11, outcome)

    def test_flipped_bits_are_noticed_or_do_no_harm(self):
        whole = self.read()
        wanted = self.ok(self.alice, "session", "show", "bob", "--json").output
        step = max(1, len(whole) // 60)
        answers = {}
        for position in range(16, len(whole), step):
            changed = bytearray(whole)
            changed[position] ^= 0x10
            self.overwrite(bytes(changed))
            outcome = self.alice.run("session", "show", "bob", "--json")
            answers[outcome.code] = answers.get(outcome.code, 0) + 1
            if outcome.code == 0:
                self.assertEqual(outcome.output, wanted, f"a wrong answer after a flip at {position}")
            else:
                self.assertIn(outcome.code, (3, 6, 11, 12, 13), outcome)
        self.assertGreater(answers.get(11, 0), 0, answers)

    def test_a_row_taken_out(self):
        rows = self.alice.rows()
        noticed = 0
        for row in rows:
            self.alice.keep("whole")
            base = sqlite3.connect(self.alice.vault)
            base.execute("DELETE FROM record WHERE id=?", (row,))
            base.commit()
            base.close()
            outcome = self.alice.run("vault", "check", "--json")
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (11, "tampered"), outcome)
            noticed += self.alice.run("session", "list").code == 11
            self.alice.put_back("whole")
        self.assertGreater(noticed, 0)

    def test_a_planted_table(self):
        base = sqlite3.connect(self.alice.vault)
        base.execute("CREATE TABLE extra(x)")
        base.commit()
        base.close()
        self.refused("schemaTampered", self.alice, "session", "list", changes=True)

    def test_a_newer_format(self):
        base = sqlite3.connect(self.alice.vault)
        base.execute("PRAGMA user_version=2")
        base.commit()
        base.close()
        self.refused("newerFormat", self.alice, "session", "list", changes=True)

    def test_hashing_parameters_out_of_bounds(self):
        for kibibytes in (1024, 4 << 20):
            base = sqlite3.connect(self.alice.vault)
            params = base.execute("SELECT params FROM slot WHERE kind=1").fetchone()[0]
            base.execute("UPDATE slot SET params=? WHERE kind=1",
                         (params[:5] + kibibytes.to_bytes(4, "big") + params[9:],))
            base.commit()
            base.close()
            outcome = self.alice.run("session", "list", "--json", secret="passphrase")
            self.assertEqual(outcome.json["error"]["code"], "kdfOutOfBounds", outcome)

    def test_another_vault_in_its_place(self):
        """The recorded vault is the only one that is opened under its name."""
        self.ok(self.alice, "--vault", "other", "init", "--name", "Other", "-o", self.alice.path("files", "r"),
                secret="passphrase")
        shutil.copyfile(self.alice.path("data", "hsip", "other.hsipvault"), self.alice.vault)
        outcome = self.alice.run("session", "list", secret="passphrase")
        self.assertIn(outcome.code, (11, 12), outcome)

    def test_a_vault_that_went_away(self):
        for name in os.listdir(os.path.dirname(self.alice.vault)):
            os.unlink(os.path.join(os.path.dirname(self.alice.vault), name))
        outcome = self.alice.run("session", "list")
        self.assertEqual(outcome.code, 12, outcome)
        again = self.alice.run("init", "--name", "Alice", "-o", self.alice.path("files", "r"), secret="passphrase")
        self.assertEqual(again.code, 12, f"never an empty vault in place of a lost one:{again}")


class HeldLock(Case):
    world = PAIRED

    def test_a_vault_that_somebody_else_is_writing(self):
        base = sqlite3.connect(self.alice.vault, isolation_level=None)
        base.execute("BEGIN IMMEDIATE")
        try:
            outcome = self.alice.run("encrypt", "bob", "--json", given="x", timeout=60)
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (10, "busy"), outcome)
            with open("/proc/self/comm", encoding="utf-8") as name:
                holder = f"another process is using the vault: {name.read().strip()} (process {os.getpid()}, started "
            self.assertTrue(outcome.json["error"]["message"].startswith(holder), outcome)
            self.assertEqual(self.alice.run("contact", "list").code, 0, "readers do not wait")
        finally:
            base.execute("ROLLBACK")
            base.close()
        self.is_friendly(self.alice, self.bob)


@unittest.skipUnless(strace.works(), "strace may not trace here")
class WithoutSQLite(Case):
    """Its library is looked up when a vault is opened first."""

    def without(self, *words: str):
        listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
        path = next(line.split(" => ")[1] for line in listed.splitlines() if line.split()[0] == "libsqlite3.so.0")
        # The loader looks in /usr/lib, too.
        program, *more = strace.inject("openat", "error=ENOENT", "1+", path)
        return self.alice.run(*words, before=(program, "-P", "/usr" + path.removeprefix("/usr"), *more))

    def test_a_vault_stays_closed_and_the_library_is_named_as_missing(self):
        outcome = self.without("secret", "list")
        self.assertEqual((outcome.code, outcome.output), (12, ""), outcome)
        self.assertIn("SQLite cannot be loaded\nhsip: hint: apt install libsqlite3-0", outcome.talk)
        self.assertEqual(self.without("version").code, 0)
        self.ok(self.alice, "vault", "check")
