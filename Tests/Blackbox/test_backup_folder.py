"""`vault backup --to` and `--verify`: copies by generations in a folder that others can write, too."""

import contextlib
import datetime
import glob
import json
import os
import re
import shlex
import shutil
import socket
import sqlite3
import stat
import subprocess
import threading
import unittest

import agents as ag
import control_wire as cw
import strace
from house import PASSPHRASE, Case
from screen import Screen

NAME = re.compile(r"^vault-\d{8}T\d{6}Z-(\d+)\.(\d+)\.hsipbackup$")


class FolderCase(Case):
    def setUp(self):
        super().setUp()
        self.folder = self.alice.path("files", "copies")
        os.mkdir(self.folder)

    def names(self) -> list[str]:
        return sorted(os.listdir(self.folder))

    def changes(self, value: str):
        self.ok(self.alice, "secret", "set", "x", given=value)

    def backs_up(self, *words: str, **how):
        return self.ok(self.alice, "vault", "backup", "--to", self.folder, *words, "--json", **how)

    def verifies(self, *paths: str) -> list[dict]:
        return self.ok(self.alice, "vault", "backup", "--verify", *paths, "--json").result["verified"]


class Generations(FolderCase):
    def test_a_copy_is_named_by_its_generation_and_written_only_after_a_change(self):
        self.changes("one")
        outcome = self.backs_up()
        told = outcome.result
        match = NAME.match(os.path.basename(told["file"]))
        self.assertEqual((int(match[1]), int(match[2])), (told["keyEpoch"], told["generation"]))
        self.assertEqual((told["written"], told["check"], told["removed"], told["kept"]), (True, "full", [], 1))
        self.assertEqual(stat.S_IMODE(os.stat(told["file"]).st_mode), 0o600)
        # The home of the test lies on one disk.
        self.assertTrue(told["sameDisk"])
        self.assertEqual(outcome.warnings, ["backupSameDisk"])
        again = self.backs_up().result
        self.assertEqual((again["written"], again["file"]), (False, told["file"]))
        plain = self.ok(self.alice, "vault", "backup", "--to", self.folder)
        self.assertIn("nothing was written", plain.output)
        self.changes("two")
        self.assertTrue(self.backs_up().result["written"])
        self.assertEqual(len(self.names()), 2)

    def test_the_newest_stay(self):
        made = []
        for number in range(4):
            self.changes(f"value {number}")
            told = self.backs_up("--keep", "2", "--monthly", "0").result
            made.append(os.path.basename(told["file"]))
        self.assertEqual(self.names(), sorted(made[2:]))
        self.assertEqual((len(told["removed"]), told["kept"]), (1, 2))

    def test_without_a_secret_the_copy_is_made_and_nothing_goes(self):
        for number in range(2):
            self.changes(f"value {number}")
            self.backs_up("--keep", "1", "--monthly", "0")
        self.assertEqual(len(self.names()), 1)
        self.changes("later")
        outcome = self.backs_up("--keep", "1", "--monthly", "0", secret=None)
        told = outcome.result
        self.assertEqual((told["check"], told["kept"], told["removed"]), ("structure", None, []))
        self.assertIn("backupUnchecked", outcome.warnings)
        self.assertEqual(len(self.names()), 2)
        self.assertEqual(self.backs_up(secret=None).result["written"], False)
        # With the keys the same copy is read whole, and lets the older one go.
        told = self.backs_up("--keep", "1", "--monthly", "0").result
        self.assertEqual((told["written"], told["check"], len(told["removed"])), (False, "full", 1))
        # What was read whole is remembered where no key is at hand.
        self.assertEqual(self.backs_up(secret=None).result["check"], "full")

    def test_a_wrong_secret_is_no_reason_to_go_on_without_one(self):
        self.alice.write("secrets/wrong", "not the passphrase\n")
        self.refused("wrongSecret", self.alice, "vault", "backup", "--to", self.folder, secret="wrong")
        self.assertEqual(self.names(), [])

    def test_what_is_no_copy_of_this_vault_stays(self):
        self.changes("one")
        first = self.backs_up().result
        base = os.path.basename(first["file"])

        def place(epoch: int, generation: int) -> str:
            return os.path.join(self.folder, f"vault-20260101T000000Z-{epoch}.{generation}.hsipbackup")
        shutil.copy(first["file"], place(1, 999))
        with open(first["file"], "rb") as file:
            whole = file.read()
        with open(place(1, 3), "wb") as file:
            file.write(whole[: len(whole) // 2])
        os.symlink(first["file"], place(1, 4))
        os.mkfifo(place(1, 5))
        os.mkdir(place(1, 6))
        open(place(1, 7), "wb").close()
        with open(os.path.join(self.folder, "letters"), "wb") as file:
            file.write(b"dear")
        # A copy of another vault, under a name that fits.
        self.ok(self.alice, "--vault", "other", "init", "--name", "O", "-o", self.alice.path("files", "r"),
                secret="passphrase")
        other = self.ok(self.alice, "--vault", "other", "vault", "backup", place(1, 8), secret="passphrase")
        self.assertTrue(other)
        foreign = set(self.names()) - {base}
        self.changes("two")
        told = self.backs_up("--keep", "1", "--monthly", "0").result
        self.assertEqual(told["removed"], [first["file"]])
        self.assertEqual(set(self.names()), foreign | {os.path.basename(told["file"])})

    def test_two_at_once_make_one_copy(self):
        self.changes("one")
        both = [self.alice.start("vault", "backup", "--to", self.folder, "--json") for _ in range(2)]
        codes = []
        for process in both:
            output, talk = process.communicate(timeout=200)
            codes.append(process.returncode)
            self.assertEqual(json.loads(output)["ok"], codes[-1] == 0, talk)
        # On a busy machine one may wait for the other in vain.
        self.assertIn(sorted(codes), ([0, 0], [0, self.number_of("busy")]))
        self.assertEqual(len(self.names()), 1)

    def test_what_this_machine_remembers_is_found_again_by_looking(self):
        for number in range(3):
            self.changes(f"value {number}")
            self.backs_up()
        for file in glob.glob(os.path.join(self.alice.anchors, "backups-*")):
            with open(file, "w", encoding="utf-8") as state:
                state.write("{}")
        told = self.backs_up("--keep", "2", "--monthly", "0").result
        self.assertEqual((told["written"], told["kept"], len(told["removed"])), (False, 2, 1))

    def test_words_that_do_not_go_together(self):
        for words in ((), ("a", "b"), ("--to", self.folder, "a"), ("--verify",), ("--keep", "3", "a"),
                      ("--to", self.folder, "--keep", "0"), ("--to", self.folder, "--monthly", "1001"),
                      ("--verify", "--to", self.folder), ("--forget-old", "a"), ("--to", self.folder, "--force")):
            with self.subTest(words=words):
                self.ends(2, self.alice, "vault", "backup", *words)
        self.refused("backupPlaceMissing", self.alice, "vault", "backup", "--to", self.folder + "/gone")
        self.ends(2, self.alice, "vault", "backup", "--to", self.alice.write("files/file", b"x"))
        self.assertEqual(self.names(), [])


class ThroughAgent(FolderCase):
    """The agent has the vault open, and reads the copies: nobody types anything."""

    through_agent = False

    def setUp(self):
        super().setUp()
        if ag.missing():
            self.skipTest(ag.missing())
        self.agent = ag.Hsip(self.alice)
        self.changes("one")

    def changes(self, value: str):
        self.ok(self.alice, "secret", "set", "x", given=value, secret=None)

    def backs_up(self, *words: str):
        return super().backs_up(*words, secret=None)

    def test_copies_are_read_whole_and_older_ones_go(self):
        first = self.backs_up("--unattended")
        self.assertEqual((first.result["check"], first.result["written"], first.result["kept"]), ("full", True, 1))
        self.assertNotIn("backupUnchecked", first.warnings)
        # Reading it is no change of the vault.
        self.assertFalse(self.backs_up().result["written"])
        for number in range(3):
            self.changes(f"value {number}")
            told = self.backs_up("--keep", "2", "--monthly", "0").result
        self.assertEqual((told["kept"], len(told["removed"]), len(self.names())), (2, 1, 2))
        # Copies that this machine has forgotten are read again.
        for file in glob.glob(os.path.join(self.alice.anchors, "backups-*")):
            os.unlink(file)
        self.assertEqual(self.backs_up("--keep", "1", "--monthly", "0").result["kept"], 1)

    def test_a_present_copy_that_is_damaged_lets_nothing_go_and_is_made_again(self):
        older = self.backs_up().result["file"]
        self.changes("two")
        newest = self.backs_up().result["file"]
        base = sqlite3.connect(f"file:{newest}?immutable=1", uri=True)
        (body,) = base.execute("SELECT body FROM record LIMIT 1").fetchone()
        base.close()
        with open(newest, "rb") as file:
            whole = file.read()
        with open(newest, "wb") as file:
            file.write(whole.replace(body, bytes([body[0] ^ 1]) + body[1:]))
        told = self.backs_up("--keep", "1", "--monthly", "0").result
        self.assertEqual((told["written"], told["check"], told["removed"]), (True, "full", [older]))
        self.assertEqual(set(self.names()), {os.path.basename(newest), os.path.basename(told["file"])})

    def test_backups_are_verified_without_a_secret(self):
        first = self.backs_up().result["file"]
        self.changes("two")
        self.ok(self.alice, "secret", "set", "y", given="new", secret=None)
        second = self.backs_up().result["file"]
        told = self.ok(self.alice, "vault", "backup", "--verify", first, second, "--json", secret=None).result["verified"]
        self.assertEqual([(one["ok"], one["file"]) for one in told], [(True, first), (True, second)])
        self.assertGreaterEqual(told[0]["newerHere"], 2)
        self.assertEqual(told[1]["newerHere"], 0)
        # What the keys of the vault do not open needs a secret of its own.
        self.ok(self.alice, "vault", "rekey", "-y", "--no-agent", secret="passphrase")
        self.assertEqual(self.alice.run("identity", "show", secret=None).code, self.number_of("rekeyed"))
        self.agent.unlock()
        self.refused("locked", self.alice, "vault", "backup", "--verify", second, secret=None, changes=True)
        self.assertTrue(self.verifies(second)[0]["ok"])
        with open(first, "r+b") as file:
            file.truncate(5000)
        link = first + "-link"
        os.symlink(second, link)
        # What is wrong with a copy is no fault of the vault that the agent has open.
        for path in (first, link, os.path.dirname(first)):
            self.assertNotEqual(self.alice.run("vault", "backup", "--verify", path, secret=None).code, 0)
            self.assertFalse(self.ok(self.alice, "status", "--json", secret=None).result["locked"], path)

    def test_after_a_rekey_the_copy_is_made_without_the_agent(self):
        self.backs_up()
        self.ok(self.alice, "vault", "rekey", "-y", "--no-agent", secret="passphrase")
        # The agent's keys are those of before: without a secret the copy is looked at from outside, or known already.
        told = self.backs_up("--unattended").result
        self.assertIn(told["check"], ("structure", "full"))
        self.assertTrue(os.path.exists(told["file"]))

    def test_an_agent_that_is_locked_just_then_is_no_reason_to_ask(self):
        self.agent.stop()
        greeting = []
        with socket.socket(socket.AF_UNIX) as listener:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.agent.control)
            listener.bind(self.agent.control)
            os.chmod(self.agent.control, 0o600)
            listener.listen()

            def answer():
                with listener.accept()[0] as connection:
                    greeting.append(connection.recv(1 << 16))
            thread = threading.Thread(target=answer, daemon=True)
            thread.start()
            self.backs_up()
            thread.join(60)
        self.assertTrue(greeting)
        self.assertIn(b'"asks":"nobody"', greeting[0].replace(b" ", b""))

    def test_a_locked_agent_stays_locked(self):
        self.ok(self.alice, "lock", secret=None)
        outcome = self.backs_up("--unattended")
        self.assertEqual(outcome.result["check"], "structure")
        self.assertIn("backupUnchecked", outcome.warnings)
        self.assertTrue(self.ok(self.alice, "status", "--json", secret=None).result["locked"])

    def test_another_program_has_no_file_read(self):
        copy = self.backs_up().result["file"]
        with cw.Connection(self.agent.control, asks="agent") as connection:
            connection.call("vault.check-copy", [copy])
            kind, _, body = connection.receive()
            self.assertEqual((kind, body["error"]["name"]), (cw.ERROR, "unknownOperation"), body)


class Drill(FolderCase):
    def tries(self, copy: str, *words: str, **how) -> dict:
        return self.ok(self.alice, "vault", "backup", "--drill", copy, *words, "--json", **how).result

    def leftovers(self) -> list[str]:
        return glob.glob(os.path.join(self.alice.anchors, "drill-*"))

    def test_a_backup_comes_back_by_the_code_on_paper_and_leaves_nothing_behind(self):
        self.changes("one")
        made = self.backs_up().result
        before = self.alice.rows()
        told = self.tries(made["file"])
        self.assertEqual((told["records"], told["generation"], told["paper"]),
                         (made["records"], made["generation"], True))
        self.assertEqual(sum(kind["records"] for kind in told["kinds"]), told["records"])
        self.assertEqual(self.leftovers(), [])
        self.assertEqual(self.alice.rows(), before)
        self.assertEqual(len(self.names()), 1)
        (file,) = glob.glob(os.path.join(self.alice.anchors, "backups-*"))
        with open(file, encoding="utf-8") as state:
            self.assertIn("drilledAt", json.load(state))
        said = self.ok(self.alice, "vault", "backup", "--drill", made["file"]).talk
        self.assertIn("this backup and this paper bring back", said)

    def test_a_passphrase_is_no_paper_unless_it_is_meant(self):
        copy = self.backs_up().result["file"]
        self.refused("mistyped", self.alice, "vault", "backup", "--drill", copy, secret="passphrase")
        self.assertFalse(self.tries(copy, "--with", "passphrase", secret="passphrase")["paper"])
        self.ends(2, self.alice, "vault", "backup", "--drill", copy, "--with", "luck")
        self.ends(2, self.alice, "vault", "backup", "--with", "passphrase", copy + "2")
        self.refused("locked", self.alice, "vault", "backup", "--drill", copy, secret=None)
        self.assertEqual(self.leftovers(), [])

    def test_a_damaged_backup_does_not_come_back(self):
        copy = self.backs_up().result["file"]
        with open(copy, "r+b") as file:
            file.truncate(os.path.getsize(copy) // 2)
        outcome = self.alice.run("vault", "backup", "--drill", copy, "--json")
        self.assertIn(outcome.code, (11, 13), outcome)
        self.refused("notFound", self.alice, "vault", "backup", "--drill", copy + ".gone")
        self.assertEqual(self.leftovers(), [])

    def test_the_vault_itself_is_no_backup_of_it(self):
        self.ends(2, self.alice, "vault", "backup", "--drill", self.alice.vault)

    def test_doctor_tells_of_what_a_stopped_trial_left_and_removes_it(self):
        left = os.path.join(self.alice.anchors, "drill-abcdef")
        os.makedirs(os.path.join(left, "DATA"), mode=0o700)
        found = self.alice.run("doctor")
        self.assertIn(left, found.output + found.talk)
        self.alice.run("doctor", "--fix", "-y")
        self.assertEqual(self.leftovers(), [])

    def test_what_a_stopped_trial_left_goes_with_the_next(self):
        copy = self.backs_up().result["file"]
        left = os.path.join(self.alice.anchors, "drill-abcdef")
        os.makedirs(os.path.join(left, "DATA"), mode=0o700)
        os.symlink(self.alice.vault, os.path.join(left, "DATA", "link"))
        self.tries(copy)
        self.assertEqual(self.leftovers(), [])
        self.ok(self.alice, "vault", "check")


@unittest.skipUnless(strace.works(), "strace may not trace here")
class Medium(FolderCase):
    """A stick that is pulled out or gets full, and one that knows no hard links."""

    def check(self, where: str):
        """Every copy that has a name is whole, there is one, and the vault was not touched."""
        copies = [os.path.join(self.folder, name) for name in self.names() if NAME.match(name)]
        self.assertTrue(copies, where)
        self.assertTrue(all(one["ok"] for one in self.verifies(*copies)), where)
        self.ok(self.alice, "vault", "check")

    def test_wherever_a_backup_fails_a_whole_copy_is_there(self):
        self.changes("one")
        older = self.backs_up().result["file"]
        self.changes("two")
        self.alice.keep("before")
        failures = 0
        for call in ("pwrite64", "fsync", "link"):
            for error in ("EIO", "ENOSPC"):
                number, failed = 0, True
                # The program writes few pages at a time, of which every third is enough.
                while failed and number < 60:
                    number += 1 if number < 4 else 3
                    self.alice.put_back("before")
                    outcome = self.alice.run("vault", "backup", "--to", self.folder, "--keep", "1", "--monthly", "0",
                                             before=strace.inject(call, f"error={error}", f"{number}+"))
                    failed = outcome.code != 0
                    where = f"{error} from {call} {number} on"
                    with self.subTest(where):
                        if failed:
                            failures += 1
                            self.assertEqual(outcome.code, 12, outcome)
                            self.check_talk(outcome)
                            self.check(where)
        self.assertGreaterEqual(failures, 6)
        # The next one comes to its end, and takes away what was begun.
        self.alice.put_back("before")
        self.assertEqual(self.backs_up("--keep", "1", "--monthly", "0").result["removed"], [older])
        self.assertEqual(len(self.names()), 1)

    def test_a_place_that_goes_away_meanwhile_is_told_as_that(self):
        self.changes("one")
        shown = Screen(self, self.alice, "vault", "backup", "--to", self.folder, secret=None)
        shown.sees("Passphrase")
        os.rename(self.folder, self.folder + ".away")
        shown.enters(PASSPHRASE)
        self.assertEqual(shown.ends(), 12, shown.plain)
        self.assertIn("is its disk connected", shown.plain)
        os.rename(self.folder + ".away", self.folder)
        self.assertTrue(self.backs_up().result["written"])
        self.assertEqual(len(self.names()), 1)

    def test_a_file_system_without_hard_links_takes_copies(self):
        outcome = self.alice.run("vault", "backup", "--to", self.folder, before=strace.inject("link", "error=EPERM", "1+"))
        self.assertEqual(outcome.code, 0, outcome)
        (name,) = self.names()
        self.assertRegex(name, NAME)
        self.assertTrue(self.verifies(os.path.join(self.folder, name))[0]["ok"])


class Unattended(FolderCase):
    def test_systemd_understands_the_units(self):
        if shutil.which("systemd-analyze") is None:
            self.skipTest("systemd-analyze is not installed")

        def verify(path: str) -> subprocess.CompletedProcess:
            return subprocess.run(["systemd-analyze", "--user", "verify", path], env=self.alice.environment(),
                                  capture_output=True, timeout=200)
        sample = self.alice.write("files/sample.service", "[Service]\nType=oneshot\nExecStart=/bin/true\n")
        if verify(sample).returncode != 0:
            self.skipTest("systemd-analyze verifies nothing here")
        wrong = self.alice.write("files/wrong.service", "[Service]\nType=oneshot\nExecStart=/nonexistent/hsip\n")
        self.assertNotEqual(verify(wrong).returncode, 0)
        self.ok(self.alice, "setup", "backup", "--to", self.folder, "-y")
        for ending in ("service", "timer"):
            finished = verify(self.alice.path("config", "systemd", "user", f"hsip-backup.{ending}"))
            self.assertEqual(finished.returncode, 0, finished)
            self.assertNotIn(b"hsip-backup", finished.stderr)

    def test_nobody_is_asked_and_a_place_that_is_away_is_tried_again(self):
        self.changes("one")
        words = ("vault", "backup", "--to", self.folder, "--unattended")
        outcome = self.ok(self.alice, *words, "--json", secret=None)
        self.assertEqual(outcome.result["check"], "structure")
        os.rename(self.folder, self.folder + ".away")
        self.refused("backupPlaceMissing", self.alice, *words, secret=None)
        os.rename(self.folder + ".away", self.folder)
        self.assertFalse(self.ok(self.alice, *words, "--json", secret=None).result["written"])
        self.ends(2, self.alice, "vault", "backup", "--unattended", self.alice.path("files", "x"))

    def test_the_units_do_what_they_say(self):
        units = self.alice.path("config", "systemd", "user")
        words = ("setup", "backup", "--to", self.folder, "--hourly", "--keep", "24", "--monthly", "3")
        self.assertEqual(self.ends(3, self.alice, *words, "--check", "--json").json["error"]["code"], "notSetUp")
        told = self.ok(self.alice, *words, "-y", "--json").result
        self.assertEqual([os.path.basename(one["path"]) for one in told["changes"]],
                         ["hsip-backup.service", "hsip-backup.timer"])
        with open(os.path.join(units, "hsip-backup.service"), encoding="utf-8") as file:
            service = file.read()
        with open(os.path.join(units, "hsip-backup.timer"), encoding="utf-8") as file:
            timer = file.read()
        self.assertIn("\nOnCalendar=hourly\nPersistent=yes\nRandomizedDelaySec=15m\n", timer)
        line = next(one for one in service.splitlines() if one.startswith("ExecStart="))
        command = shlex.split(line.removeprefix("ExecStart="))
        # The folders of this vault are no secret of a shell.
        told = dict(shlex.split(one)[0].removeprefix("Environment=").split("=", 1)
                    for one in service.splitlines() if one.startswith("Environment="))
        self.assertEqual(told, {name: self.alice.path(folder) for name, folder in
                                (("XDG_DATA_HOME", "data"), ("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config"))})
        self.assertEqual(command[1:], ["--vault", "vault", "vault", "backup", "--to", self.folder, "--keep", "24",
                                       "--monthly", "3", "--unattended"])
        # The line itself, as systemd runs it.
        elsewhere = self.alice.environment(XDG_DATA_HOME=None, XDG_STATE_HOME=None, XDG_CONFIG_HOME=None)
        finished = subprocess.run(command, env=elsewhere | told, capture_output=True, timeout=200,
                                  stdin=subprocess.DEVNULL, start_new_session=True)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertEqual(len(self.names()), 1)
        self.assertTrue(self.ok(self.alice, *words, "--check", "--json").result["active"])
        self.assertFalse(self.ok(self.alice, *words, "-y", "--json").result["changed"])
        self.ok(self.alice, "setup", "backup", "--undo", "-y")
        self.assertEqual(glob.glob(os.path.join(units, "hsip-backup.*")), [])

    def test_a_folder_that_a_unit_cannot_name_or_that_is_not_there_is_refused(self):
        odd = self.alice.path("files", "100%")
        os.mkdir(odd)
        self.refused("unavailable", self.alice, "setup", "backup", "--to", odd, "-y")
        self.refused("backupPlaceMissing", self.alice, "setup", "backup", "--to", odd + "/gone", "-y")
        self.ends(2, self.alice, "setup", "backup", "-y")
        self.ends(2, self.alice, "setup", "backup", "--to", self.folder, "--hourly", "--daily", "-y")
        self.ends(2, self.alice, "setup", "backup", "--to", self.folder, "--keep", "0", "-y")


class Doctor(FolderCase):
    def found(self, **how) -> list[tuple[str, str]]:
        told = self.alice.run("doctor", "--json", **how).result["findings"]
        return [(one["state"], one["message"]) for one in told if one["check"] == "backups"]

    def remembers(self, days: int, **changes):
        """Puts what is remembered of the one backup back by so many days."""
        (file,) = glob.glob(os.path.join(self.alice.anchors, "backups-*"))
        with open(file, encoding="utf-8") as state:
            memory = json.load(state)
        time = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)
        text = time.strftime("%Y-%m-%dT%H:%M:%SZ")
        memory["since"] = text
        for entry in memory["backups"]:
            entry.update({"at": text, "sameDisk": False} | changes)
        with open(file, "w", encoding="utf-8") as state:
            json.dump(memory, state)

    def test_a_new_vault_needs_none_yet_and_an_older_one_does(self):
        self.assertEqual(self.found(), [])
        self.assertEqual(self.found(time="+31d"), [("warning", "the vault has no backup")])

    def test_the_disk_of_the_vault_is_no_place_for_its_backup(self):
        self.backs_up()
        ((state, message),) = self.found()
        self.assertEqual(state, "warning")
        self.assertIn("same disk", message)

    def test_an_old_one_an_unread_one_and_an_untried_one_are_told_of(self):
        self.backs_up()
        self.remembers(29)
        self.assertEqual([state for state, _ in self.found()], ["ok"])
        self.remembers(31)
        self.assertEqual(self.found(), [("warning", "the newest backup is 31 days old")])
        self.remembers(61)
        self.assertEqual(len(self.found()), 2)
        self.remembers(181, check="structure")
        found = self.found()
        self.assertEqual([state for state, _ in found], ["warning", "warning", "notice"])
        self.assertTrue(any("read completely" in message for _, message in found[:2]), found)
        self.assertIn("opened as a test", found[2][1])

    def test_many_that_nobody_read_are_told_of(self):
        self.backs_up()
        (file,) = glob.glob(os.path.join(self.alice.anchors, "backups-*"))
        for count in (49, 50):
            with open(file, encoding="utf-8") as state:
                memory = json.load(state)
            (entry, *_) = memory["backups"]
            memory["backups"] = []
            for number in range(count):
                path = self.alice.write(f"files/unread-{number}", "x")
                memory["backups"].append(entry | {"path": path, "check": "structure", "sameDisk": False})
            with open(file, "w", encoding="utf-8") as state:
                json.dump(memory, state)
            told = any("none of them was checked" in message for _, message in self.found())
            self.assertEqual(told, count == 50, count)

    def test_a_changed_key_needs_a_backup_of_its_own(self):
        self.ok(self.alice, "vault", "backup", self.alice.path("files", "copy"))
        told = self.ok(self.alice, "vault", "rekey", "-y", "--json", secret="passphrase").result
        self.assertEqual(told["backups"], [])
        self.assertIn(("warning", "the newest backup is older than the vault's key"), self.found())
        self.backs_up()
        self.assertFalse(any("older than the vault's key" in message for _, message in self.found()))
        # Where there is a folder of backups, the first one is made at once.
        outcome = self.ok(self.alice, "vault", "rekey", "-y", secret="passphrase")
        self.assertNotIn("makes the first backup", outcome.talk)
        self.assertEqual(len([name for name in self.names() if "Z-3." in name]), 1)
        self.assertFalse(any("older than the vault's key" in message for _, message in self.found()))
        os.rename(self.folder, self.folder + ".away")
        outcome = self.ok(self.alice, "vault", "rekey", "-y", secret="passphrase")
        self.assertIn("makes the first backup", outcome.talk)
        self.assertTrue(any("older than the vault's key" in message for _, message in self.found()))

    def test_one_that_is_gone_is_told_of_and_one_that_is_away_after_a_week(self):
        copy = self.backs_up().result["file"]
        self.remembers(6)
        os.rename(self.folder, self.folder + ".away")
        self.assertEqual([state for state, _ in self.found()], ["ok"])
        self.remembers(8)
        self.assertIn("the folder of the newest backup does not exist", self.found()[0][1])
        os.rename(self.folder + ".away", self.folder)
        os.unlink(copy)
        self.assertIn("does not exist any more", self.found()[0][1])

    def test_a_copy_in_a_file_of_its_own_and_one_that_is_verified_count(self):
        copy = self.alice.path("files", "copy")
        self.ok(self.alice, "vault", "backup", copy)
        self.assertEqual(len(self.found()), 1)
        self.remembers(70, check="structure")
        self.assertEqual(len(self.found()), 2)
        self.verifies(copy)
        self.assertEqual(len(self.found()), 1)


class Verify(FolderCase):
    def test_a_backup_is_opened_by_its_own_secrets_and_told_how_old_it_is(self):
        self.changes("one")
        first = self.backs_up().result["file"]
        self.changes("two")
        self.ok(self.alice, "secret", "set", "y", given="new")
        second = self.backs_up().result["file"]
        told = self.verifies(first, second)
        self.assertEqual([one["file"] for one in told], [first, second])
        self.assertTrue(all(one["ok"] for one in told))
        self.assertEqual(told[1]["newerHere"], 0)
        self.assertGreaterEqual(told[0]["newerHere"], 2)
        self.assertLess(told[0]["generation"], told[1]["generation"])

    def test_without_the_vault_a_backup_is_read_all_the_same(self):
        self.changes("one")
        copy = self.backs_up().result["file"]
        shutil.rmtree(os.path.dirname(self.alice.vault))
        told = self.verifies(copy)
        self.assertEqual((told[0]["ok"], told[0]["newerHere"]), (True, None))

    def test_a_damaged_one_is_named_and_the_others_are_read(self):
        self.changes("one")
        good = self.backs_up().result["file"]
        bad = self.alice.path("files", "bad")
        with open(good, "rb") as file:
            whole = file.read()
        with open(bad, "wb") as file:
            file.write(whole[: len(whole) // 2])
        outcome = self.alice.run("vault", "backup", "--verify", bad, good, self.alice.path("files", "gone"), "--json")
        self.assertNotEqual(outcome.code, 0)
        told = outcome.json["error"]["details"]["verified"]
        self.assertEqual([one["ok"] for one in told], [False, True, False], outcome)
        self.assertEqual(told[2]["code"], "notFound")
        self.assertIn("2 of 3", outcome.json["error"]["message"])

    def test_a_secret_that_does_not_open_it_is_refused(self):
        copy = self.backs_up().result["file"]
        self.alice.write("secrets/wrong", "not the passphrase\n")
        self.refused("wrongSecret", self.alice, "vault", "backup", "--verify", copy, secret="wrong")
        self.refused("locked", self.alice, "vault", "backup", "--verify", copy, secret=None)


if __name__ == "__main__":
    unittest.main()
