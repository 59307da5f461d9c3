"""Where a vault is kept: decided once, told, and never changed by itself; the key slot of a file in the keyring."""

import fcntl
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
import unittest

import keyring as kr
import keyring_items as ki
import screen
import strace
from house import ALONE, AT_THE_DESKTOP, BINARY, Case, Person, clear_now
from prompter import Prompter
from screen import Screen

NO_BUS = {"DBUS_SESSION_BUS_ADDRESS": None}
DESKTOP = {"DISPLAY": ":99"}


class Desk(Case):
    """Somebody new with a keyring."""

    world = None

    def setUp(self):
        super().setUp()
        clear_now()
        self.alice = Person("alice")
        self.alice.make_folders()
        self.bus = self.alice.start_keyring()

    def init(self, *words: str, **how):
        return self.alice.run("init", "--name", "Alice", "--no-input", *words, **how)

    def init_file(self, *words: str, **how):
        return self.init("-o", self.alice.secret_file("recovery"), *words, secret="passphrase", **how)

    def config(self) -> dict:
        with open(self.alice.path("config", "hsip", "config.json"), encoding="utf-8") as file:
            return json.load(file)["vaults"]

    def nothing_was_made(self):
        self.assertFalse(os.path.exists(self.alice.vault))
        self.assertFalse(os.path.exists(self.alice.path("config", "hsip", "config.json")))
        if self.bus.owner():
            self.assertEqual(self.bus.vault_items(), [])


@unittest.skipIf(kr.missing(), kr.missing())
class Choice(Desk):
    def chooses(self, backend: str, why: str, outcome):
        self.assertEqual(outcome.code, 0, outcome)
        record = self.config()["vault"]
        self.assertEqual((record["backend"], record["why"]), (backend, why), outcome)
        self.assertEqual(os.path.exists(self.alice.vault), backend == "file")

    def test_an_open_keyring_is_taken_and_that_is_said(self):
        outcome = self.init()
        self.chooses("secret-service", "answered", outcome)
        notes = [line for line in outcome.talk.splitlines() if line.startswith("hsip: note: ")]
        self.assertIn("because a Secret Service answered", notes[0])
        self.assertIn("no passphrase and no recovery code", notes[1])
        self.assertEqual(len(notes), 2, outcome)
        self.assertEqual(self.config()["vault"]["id"], ki.header(self.bus)["vault"])
        self.assertEqual(self.ok(self.alice, "identity", "show", "--json").result["name"], "Alice")

    def test_at_a_terminal_only_the_name_is_asked_for(self):
        shown = Screen(self, self.alice, "init", secret=None)
        shown.sees("because a Secret Service answered")
        shown.sees("lost with it")
        shown.sees("Your name, as contacts will see it")
        shown.enters("Alice")
        self.assertEqual(shown.ends(), 0, shown.text)
        self.assertRegex(shown.plain, r"Vault +Login +keyring")
        self.assertNotIn("assphrase:", shown.plain)
        self.assertEqual(self.ok(self.alice, "identity", "show", "--json").result["name"], "Alice")

    def test_a_first_run_in_two_steps(self):
        self.assertEqual(self.alice.run("init", "--no-identity").code, 0)
        self.assertEqual(self.alice.run("identity", "show", "--json").json["error"]["code"], "noIdentity")
        self.assertEqual(self.init().code, 0)
        self.assertEqual(self.ok(self.alice, "identity", "show", "--json").result["name"], "Alice")
        self.assertEqual(self.init().code, 4)

    def test_a_label_of_another_program_moves_no_cursor(self):
        self.bus.make_collection("a\x1b[2Jb\u202ec")
        self.assertEqual(self.init("--collection", "a\x1b[2Jb\u202ec").code, 0)
        for item in self.bus.vault_items():
            self.bus.remove(item.path)
        for words in (("identity", "show"), ()):
            outcome = self.alice.run(*words)
            self.assertNotIn("\x1b", outcome.talk + outcome.output)
        shown = Screen(self, self.alice, "doctor", "--color", "never", secret=None)
        shown.ends()
        self.assertNotIn("\x1b[2J", shown.text)

    def test_the_json_names_the_backend_and_why(self):
        result = self.init("--json").result
        self.assertEqual((result["vault"]["backend"], result["vault"]["path"], result["why"], result["slots"],
                          result["outputFile"]), ("keyring", None, "answered", [], None))
        store = self.ok(self.alice, "status", "--json").result["store"]
        self.assertEqual((store["backend"], store["why"], store["answers"]), ("keyring", "answered", True))
        self.assertEqual(store["collection"], {"path": kr.LOGIN, "label": "Login", "locked": False})

    def test_without_a_bus_it_is_a_file(self):
        self.alice.write("secrets/given", "a long passphrase\n")
        shown = Screen(self, self.alice, "init", "--name", "Alice", secret=None, **NO_BUS)
        shown.sees("because there was no session bus")
        shown.sees("New passphrase")
        shown.enters()
        shown.sees("Passphrase     ")
        code = shown.sees(r"Recovery code  ([0-9A-Z-]{34})").group(1)
        shown.sees("Last block")
        shown.enters(code[-4:])
        screen.stays_locked(shown)
        self.assertEqual(shown.ends(), 0, shown.text)
        self.assertEqual(self.config()["vault"]["why"], "noSessionBus")

    def test_a_file_that_is_gone_is_forgotten_for_a_person_only(self):
        self.assertEqual(self.init_file("--backend", "file").code, 0)
        os.rename(self.alice.vault, self.alice.path("away"))
        before = self.config()
        outcome = self.alice.run("doctor", "--fix", "-y", "--no-input")
        self.assertEqual((outcome.code, self.config()), (7, before), outcome)
        shown = Screen(self, self.alice, "doctor", "--fix", "-y", secret=None)
        shown.sees("whose file is gone")
        shown.enters("y")
        shown.ends()
        self.assertEqual(self.config(), {})

    def test_a_bus_without_a_secret_service(self):
        self.bus.kill()
        self.chooses("file", "noSecretService", self.at_a_terminal())

    def test_a_locked_keyring_and_nobody_to_ask(self):
        self.bus.lock()
        self.chooses("file", "keyringLocked", self.at_a_terminal())

    def test_a_service_that_does_not_answer_is_waited_for_two_seconds(self):
        self.bus.freeze()
        self.addCleanup(self.bus.thaw)
        began = time.monotonic()
        self.chooses("file", "keyringTimeout", self.at_a_terminal())
        self.assertLess(time.monotonic() - began, 8)

    def at_a_terminal(self):
        """A first run with a person at a terminal and no display; what it ended with."""
        shown = Screen(self, self.alice, "init", "--name", "Alice", secret=None)
        shown.sees("New passphrase")
        shown.enters()
        code = shown.sees(r"Recovery code  ([0-9A-Z-]{34})").group(1)
        shown.sees("Last block")
        shown.enters(code[-4:])
        screen.stays_locked(shown)
        shown.code = shown.ends()
        return shown

    def test_a_locked_keyring_and_somebody_who_unlocks_it(self):
        self.bus.lock()
        person = Prompter(self, self.bus, kr.PASSWORD)
        outcome = self.alice.run("init", "--name", "Alice", **DESKTOP)
        self.chooses("secret-service", "answered", outcome)
        self.assertEqual(len(person.asked), 1)

    def test_a_prompt_that_is_closed_is_a_no_and_makes_nothing(self):
        self.bus.lock()
        Prompter(self, self.bus, None)
        outcome = self.ends(6, self.alice, "init", "--name", "Alice", **DESKTOP)
        self.assertIn("prompt was closed", outcome.talk)
        self.bus.unlock()
        self.nothing_was_made()

    def test_no_input_shows_no_prompt(self):
        self.bus.lock()
        person = Prompter(self, self.bus, kr.PASSWORD)
        outcome = self.init("--backend", "keyring", "--json", **DESKTOP)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (5, "keyringLocked"))
        self.assertEqual(person.asked, [])

    def test_a_passphrase_that_comes_along_makes_it_a_file(self):
        self.chooses("file", "passphraseGiven", self.init_file())
        self.assertEqual(self.bus.vault_items(), [])

    def test_a_passphrase_file_of_the_environment_does_not_count(self):
        self.chooses("secret-service", "answered",
                     self.init(HSIP_PASSPHRASE_FILE=self.alice.secret_file("passphrase")))

    def test_words_that_contradict_each_other(self):
        given = ("--passphrase-file", self.alice.secret_file("passphrase"))
        for words in (("--backend", "keyring", *given), ("--collection", "x", *given),
                      ("--backend", "keyring", "-o", self.alice.path("files", "r")),
                      ("--backend", "keyring", "--keyring-slot"), ("--backend", "file", "--collection", "x"),
                      ("--backend", "keyring", "--vault", "./x.hsipvault"), ("--backend", "paper")):
            with self.subTest(words=words):
                self.assertEqual(self.ends(2, self.alice, "init", "--name", "Alice", *words).code, 2)
                self.nothing_was_made()

    def test_a_keyring_that_was_asked_for_is_never_replaced_by_a_file(self):
        for outcome in (self.init("--backend", "keyring", "--json", **NO_BUS),
                        self.init("--collection", "work", "--json", **NO_BUS)):
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "noSessionBus"))
            self.assertEqual(outcome.json["error"]["hint"], "hsip init --backend file")
        self.bus.kill()
        outcome = self.init("--backend", "keyring", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "noSecretService"))
        self.nothing_was_made()

    def test_a_collection_of_its_own(self):
        path = self.bus.make_collection("Work")
        self.assertEqual(self.init("--collection", "Work").code, 0)
        record = self.config()["vault"]
        self.assertEqual((record["collection"], record["label"], record["why"]), (path, "Work", "asked"))
        self.assertTrue(all(item.path.startswith(path + "/") for item in self.bus.vault_items()))
        self.ok(self.alice, "identity", "show")

    def test_a_collection_that_is_missing_is_made_by_somebody(self):
        outcome = self.init("--collection", "Mine", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (3, "noSuchCollection"), outcome)
        Prompter(self, self.bus, "the password of a collection")
        self.assertEqual(self.alice.run("init", "--name", "Alice", "--collection", "Mine", **DESKTOP).code, 0)
        self.assertEqual(self.config()["vault"]["label"], "Mine")
        self.ok(self.alice, "identity", "show")

    def test_a_path_is_a_file(self):
        path = self.alice.path("files", "x.hsipvault")
        outcome = self.init("--vault", path, "--backend", "auto", "-o", self.alice.path("files", "r"),
                            secret="passphrase")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual((self.config()[path]["backend"], self.config()[path]["why"]), ("file", "path"))


@unittest.skipIf(kr.missing(), kr.missing())
class Beside(Desk):
    """Never an empty vault beside a full one."""

    def setUp(self):
        super().setUp()
        self.assertEqual(self.init().code, 0)
        self.records = self.alice.records()

    def lose_config(self):
        os.remove(self.alice.path("config", "hsip", "config.json"))

    def test_a_recorded_vault_is_never_made_anew(self):
        for words in (("--backend", "auto"), ("--backend", "keyring"), ("--backend", "file")):
            outcome = self.init(*words, "--json")
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (4, "alreadyExists"), outcome)
            self.assertEqual(self.init(*words, "--json", **NO_BUS).code, 4)
        self.assertEqual(self.alice.records(), self.records)

    def test_a_vault_that_nobody_wrote_down_is_refused_and_then_taken(self):
        self.lose_config()
        for locked in (False, True):
            if locked:
                self.bus.lock()
            for words in ((), ("--backend", "keyring")):
                outcome = self.init(*words, "--json")
                self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "unavailable"), outcome)
                self.assertEqual(outcome.json["error"]["details"], {"reason": "unrecorded"})
        self.bus.unlock()
        self.assertEqual(len(ki.of(self.bus, "Header")), 1)
        self.assertEqual(self.alice.run("doctor").code, 12)
        self.ok(self.alice, "doctor", "--fix", "-y")
        self.assertEqual(self.ok(self.alice, "identity", "show", "--json").result["name"], "Alice")
        self.assertEqual(self.alice.records(), self.records)

    def test_another_name_is_another_vault(self):
        self.lose_config()
        self.assertEqual(self.init("--vault", "work").code, 0)
        self.assertEqual(len(ki.of(self.bus, "Header")), 2)
        outcome = self.ok(self.alice, "--vault", "work", "doctor", "--json")
        found = [one for one in outcome.result["findings"] if "not recorded on this machine" in one["message"]]
        self.assertEqual([(one["check"], one["state"]) for one in found], [("keyring", "notice")])
        self.assertIn("hsip --vault vault doctor --fix", found[0]["hint"])

    def test_first_runs_at_once_make_one_vault_for_one_of_them(self):
        names = ["Alice", "Bob", "Carol", "Dora"]
        succeeded = self.first_runs(names)
        self.assertEqual(len(succeeded), 1)
        self.assertIn(succeeded[0]["name"], names)
        shown = self.ok(self.alice, "--vault", "twin", "identity", "show", "--json").result
        self.assertEqual(shown["peerId"], succeeded[0]["peerId"])

    def test_first_runs_of_one_name_report_the_same_identity(self):
        succeeded = self.first_runs(["Alice"] * 4)
        self.assertEqual(len({identity["peerId"] for identity in succeeded}), 1, succeeded)

    def first_runs(self, names: list[str]) -> list[dict]:
        """Starts a first run for each name at once; the identities of those that succeeded."""
        started = [
            self.alice.start("--vault", "twin", "init", "--name", name, "--no-input", "--json") for name in names
        ]
        written = [process.communicate(timeout=100)[0] for process in started]
        codes = [process.returncode for process in started]
        self.assertLessEqual(set(codes), {0, 4}, codes)
        self.assertEqual(len([item for item in ki.of(self.bus, "Header") if item.attributes["name"] == "twin"]), 1)
        return [json.loads(text)["data"]["identity"] for text, code in zip(written, codes) if code == 0]

    def test_a_vault_that_is_gone_is_an_error_with_a_way_out(self):
        for item in self.bus.vault_items():
            self.bus.remove(item.path)
        for words in (("identity", "show"), ("status",), ("vault", "check"), ("pair",)):
            outcome = self.alice.run(*words, "--json")
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "unavailable"), outcome)
            self.assertEqual(outcome.json["error"]["details"], {"reason": "noHeader"})
        self.assertEqual(self.init().code, 4)
        self.assertEqual(self.alice.run("doctor").code, 12)
        before = self.config()
        outcome = self.alice.run("doctor", "--fix", "-y", "--no-input")
        self.assertEqual((outcome.code, self.config()), (7, before), outcome)
        self.forgets("no longer in the keyring")
        self.assertEqual(self.init().code, 0)

    def forgets(self, question: str):
        shown = Screen(self, self.alice, "doctor", "--fix", "-y", secret=None)
        shown.sees(question)
        shown.enters("y")
        shown.ends()
        self.assertNotIn("vault", self.config())

    def gone(self) -> dict:
        found = self.alice.run("doctor", "--json").result["findings"]
        return next(one for one in found if one["check"] == "keyring" and one["state"] == "problem")

    def test_what_is_left_of_a_vault_without_its_header_is_told(self):
        self.ok(self.alice, "secret", "set", "mail", given="hunter2")
        # Without its key the copy of the header brings nothing back.
        for item in ki.of(self.bus, "Header") + ki.of(self.bus, "RootKey"):
            self.bus.remove(item.path)
        self.assertRegex(self.gone()["reason"], "the vault's first item is gone, but its other items are still in the keyring: [1-9]")
        self.forgets("no longer in the keyring")

    def test_a_vault_is_not_forgotten_while_its_keyring_is_elsewhere_or_copies_are_left(self):
        for item in self.bus.vault_items():
            self.bus.remove(item.path)
        self.assertEqual(self.gone()["hint"], "hsip doctor --fix")
        whole = self.config()["vault"]
        copy = {"backend": "file", "path": self.alice.vault, "until": "2099-01-01T00:00:00Z"}
        for change in ({"collection": kr.LOGIN + "_of_another_login"}, {"kept": [copy]},
                       {"migration": copy | {"epoch": 2, "generation": 9, "started": "2026-01-01T00:00:00Z"}}):
            self.write_config({"vault": whole | change})
            self.assertNotEqual(self.gone()["hint"], "hsip doctor --fix", change)
            self.alice.run("doctor", "--fix", "-y")
            self.assertEqual(self.config()["vault"]["id"], whole["id"])

    def write_config(self, vaults: dict):
        with open(self.alice.path("config", "hsip", "config.json"), "w", encoding="utf-8") as file:
            json.dump({"vaults": vaults}, file)

    def test_a_name_of_another_program_is_in_no_command_and_no_row(self):
        bad = "a\x1b[2J\u202eb"
        header = ki.of(self.bus, "Header")[0]
        self.bus.add("x", header.attributes | {"vault": "ab" * 16, "name": bad}, header.secret)
        outcome = self.ok(self.alice, "doctor")
        self.assertIn("not recorded on this machine", outcome.output)
        self.assertNotIn("\x1b", outcome.output)
        self.assertNotIn("\u202e", outcome.output)
        self.assertIn("hsip --vault NAME doctor --fix", outcome.output)

    def test_a_record_that_another_process_holds_is_waited_for_ten_seconds(self):
        folder = os.open(self.alice.path("config", "hsip"), os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)
        began = time.monotonic()
        outcome = self.init("--vault", "other", "--json")
        self.assertEqual(outcome.json["error"]["code"], "busy", outcome)
        self.assertLess(time.monotonic() - began, 30)


@unittest.skipIf(kr.missing(), kr.missing())
class Recorded(Case):
    """A vault in the keyring, and a keyring that does not do its part."""

    world = AT_THE_DESKTOP
    PLACES = {"ssh": {"SSH_CONNECTION": "::1 1 ::1 22"}, "container": {"container": "podman"}}

    def test_without_a_bus_every_command_says_so_and_where_it_is(self):
        for place, variables in self.PLACES.items():
            for words in (("identity", "show"), ("pair",), ("status",), ("contact", "list"), ("vault", "check")):
                with self.subTest(place=place, words=words):
                    outcome = self.refused("noSessionBus", self.alice, *words, **variables, **NO_BUS)
                    self.assertEqual(outcome.json["error"]["details"], {"reason": place, "code": None})
                    self.assertIn({"ssh": "SSH", "container": "container"}[place], outcome.json["error"]["message"])
                    self.assertIn("hsip vault migrate --to file", outcome.json["error"]["hint"])
        self.assertFalse(os.path.exists(self.alice.vault))

    def test_a_bus_that_is_gone_is_no_bus(self):
        self.alice.keyring.kill_bus()
        outcome = self.alice.run("identity", "show", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "noSessionBus"), outcome)

    def test_without_a_service(self):
        self.alice.keyring.kill()
        outcome = self.alice.run("identity", "show", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "noSecretService"), outcome)

    def test_a_locked_keyring_is_locked(self):
        self.alice.keyring.lock()
        for words in (("identity", "show"), ("pair",), ("vault", "check")):
            outcome = self.alice.run(*words, "--json")
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (5, "keyringLocked"), outcome)
        status = self.ok(self.alice, "status", "--json").result
        self.assertEqual((status["locked"], status["store"]["collection"]["locked"]), (True, True))
        self.assertEqual(self.alice.run("status", "--exit-code").code, 5)
        self.alice.keyring.unlock()
        self.ok(self.alice, "identity", "show")

    def test_somebody_at_the_desktop_is_asked_but_not_by_status_or_doctor(self):
        self.alice.keyring.lock()
        person = Prompter(self, self.alice.keyring, kr.PASSWORD)
        self.ok(self.alice, "status", **DESKTOP)
        self.ok(self.alice, "doctor", **DESKTOP)
        self.assertEqual(person.asked, [])
        self.ok(self.alice, "identity", "show", **DESKTOP)
        self.assertEqual(len(person.asked), 1)

    def test_a_prompt_that_is_closed(self):
        self.alice.keyring.lock()
        Prompter(self, self.alice.keyring, None)
        outcome = self.alice.run("identity", "show", "--json", **DESKTOP)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (6, "promptDismissed"), outcome)

    def test_a_service_that_hangs_is_waited_for_ten_seconds(self):
        self.alice.keyring.freeze()
        self.addCleanup(self.alice.keyring.thaw)
        began = time.monotonic()
        outcome = self.alice.run("identity", "show", "--json", timeout=40)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (10, "keyringTimeout"), outcome)
        self.assertLess(time.monotonic() - began, 20)

    def test_a_passphrase_is_of_no_use(self):
        for words in (("identity", "show"), ("status",), ("vault", "check")):
            self.ends(2, self.alice, *words, secret="passphrase")
        self.ok(self.alice, "identity", "show", HSIP_PASSPHRASE_FILE=self.alice.secret_file("passphrase"))

    def test_what_only_a_file_has(self):
        for words in (("vault", "slot", "list"), ("vault", "slot", "add", "recovery", "-o", "x"),
                      ("vault", "slot", "add", "keyring"), ("vault", "slot", "rm", "1", "-y"),
                      ("vault", "slot", "set", "1"), ("vault", "slot", "test")):
            with self.subTest(words=words):
                self.refused("notForKeyring", self.alice, *words)

    def test_verify_and_doctor(self):
        result = self.ok(self.alice, "vault", "check", "--json").result
        self.assertEqual((result["vault"]["backend"], result["records"], result["foreign"], result["lanes"]),
                         ("keyring", len(self.alice.records()), 0, None))
        findings = self.ok(self.alice, "doctor", "--json").result["findings"]
        said = [one["message"] for one in findings if one["check"] in ("backend", "keyring")]
        self.assertTrue(any("keyring Login is open" in text for text in said), said)
        self.assertTrue(any("because it was asked for" in text for text in said), said)
        self.assertTrue(any(text.startswith("sound: ") for text in said), said)
        self.assertEqual({one["state"] for one in findings if one["check"] in ("backend", "keyring")}, {"ok"})

    def test_doctor_without_a_bus_ends_as_the_commands_do(self):
        outcome = self.alice.run("doctor", "--json", **self.PLACES["ssh"], **NO_BUS)
        self.assertEqual(outcome.code, 12)
        worst = outcome.result["findings"][0]
        self.assertEqual((worst["check"], worst["state"], worst["code"]), ("backend", "problem", "noSessionBus"))

    def test_the_overview_asks_nobody(self):
        outcome = self.ok(self.alice, **NO_BUS)
        self.assertIn("keyring Login", outcome.output)


@unittest.skipIf(kr.missing(), kr.missing())
class Slot(Case):
    """A file that the keyring opens, too."""

    world = ALONE

    def setUp(self):
        super().setUp()
        self.bus = self.alice.start_keyring()

    def add(self):
        return self.ok(self.alice, "vault", "slot", "add", "keyring", "--json", secret="recovery").result["slot"]

    def slots(self, **how) -> list[str]:
        slots = self.ok(self.alice, "vault", "slot", "list", "--json", **how).result["slots"]
        return [slot["kind"] for slot in slots]

    def findings(self, check: str, **how) -> list[tuple[str, str]]:
        found = self.alice.run("doctor", "--json", **how).result["findings"]
        return [(one["state"], one["message"]) for one in found if one["check"] == check]

    def test_one_vault_opens_by_itself_here_and_by_passphrase_there(self):
        slot = self.add()
        self.assertEqual((slot["kind"], slot["portable"]), ("keyring", False))
        self.ok(self.alice, "identity", "show")
        self.refused("locked", self.alice, "identity", "show", **NO_BUS)
        self.ok(self.alice, "identity", "show", secret="recovery", **NO_BUS)
        self.ok(self.alice, "identity", "show", secret="passphrase", SSH_CONNECTION="x", **NO_BUS)
        self.bus.lock()
        self.refused("locked", self.alice, "identity", "show", **DESKTOP)
        self.ok(self.alice, "identity", "show", secret="recovery")

    def test_no_prompt_is_ever_shown_for_it(self):
        self.add()
        self.bus.lock()
        person = Prompter(self, self.bus, kr.PASSWORD)
        shown = Screen(self, self.alice, "identity", "show", secret=None, **DESKTOP)
        shown.sees("Passphrase")
        shown.process.close(force=True)
        self.assertEqual(person.asked, [])

    def test_a_service_that_hangs_costs_two_seconds_and_no_more(self):
        self.add()
        self.bus.freeze()
        self.addCleanup(self.bus.thaw)
        began = time.monotonic()
        self.ok(self.alice, "identity", "show", secret="recovery")
        self.assertLess(time.monotonic() - began, 8)
        began = time.monotonic()
        for _ in range(5):
            self.ok(self.alice, "identity", "show", secret="recovery")
        self.assertLess(time.monotonic() - began, 6, "within a minute it is left alone")

    def test_the_item_is_what_the_page_says(self):
        number = self.add()["number"]
        item, = ki.of(self.bus, "Slot")
        self.assertEqual(set(item.attributes), {"xdg:schema", "vault", "slot"})
        self.assertEqual(item.attributes["slot"], str(number))
        self.assertRegex(item.secret.decode(), "^[0-9a-f]{64}$")
        opened = self.ok(self.alice, "vault", "slot", "test", "keyring", "--json").result
        self.assertEqual(opened["slot"]["number"], number)

    def test_a_slot_and_its_item_go_together(self):
        self.add()
        before = ki.of(self.bus, "Slot")
        self.ok(self.alice, "vault", "slot", "set", "keyring", "-y")
        after, = ki.of(self.bus, "Slot")
        self.assertNotEqual(before[0].secret, after.secret)
        self.ok(self.alice, "identity", "show")
        self.ok(self.alice, "vault", "slot", "rm", "keyring", "-y")
        self.assertEqual(self.bus.vault_items(), [])
        self.assertEqual(self.slots(secret="recovery"), ["passphrase", "recovery"])
        self.refused("locked", self.alice, "identity", "show")

    def test_a_slot_goes_where_no_keyring_is(self):
        self.add()
        outcome = self.ok(self.alice, "vault", "slot", "rm", "keyring", "-y", secret="recovery", **NO_BUS)
        self.assertIn("its item stays in the keyring", outcome.talk)
        self.assertEqual(self.slots(secret="recovery"), ["passphrase", "recovery"])
        found = self.findings("keyring", secret="recovery")
        self.assertEqual([state for state, _ in found], ["warning"], found)
        self.ok(self.alice, "doctor", "--fix", "-y", secret="recovery")
        self.assertEqual(self.bus.vault_items(), [])
        self.assertEqual(self.findings("keyring", secret="recovery"), [])

    def test_an_item_that_opens_nothing_is_found_and_taken_away(self):
        self.add()
        vault = ki.of(self.bus, "Slot")[0].attributes["vault"]
        self.bus.add("Old", {"xdg:schema": "io.hsip.vault.Slot", "vault": vault, "slot": "9"}, b"a" * 64)
        self.ok(self.alice, "identity", "show")
        self.assertEqual([state for state, _ in self.findings("keyring")], ["warning"])
        self.ok(self.alice, "doctor", "--fix", "-y")
        self.assertEqual(len(ki.of(self.bus, "Slot")), 1)
        self.ok(self.alice, "identity", "show")

    def test_it_is_never_the_last_one_that_counts(self):
        self.add()
        self.ok(self.alice, "vault", "slot", "rm", "passphrase", "-y")
        self.refused("lastSlot", self.alice, "vault", "slot", "rm", "recovery", "-y")

    def test_without_a_keyring_nothing_is_made(self):
        self.refused("noSessionBus", self.alice, "vault", "slot", "add", "keyring", secret="recovery", **NO_BUS)
        self.bus.lock()
        self.refused("keyringLocked", self.alice, "vault", "slot", "add", "keyring", secret="recovery")
        self.bus.unlock()
        self.assertEqual(self.slots(secret="recovery"), ["passphrase", "recovery"])
        self.assertEqual(self.bus.vault_items(), [])

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_an_item_whose_slot_was_not_made_is_taken_away(self):
        failed = self.alice.run("vault", "slot", "add", "keyring", secret="recovery",
                                before=strace.inject("pwrite64", "error=EIO", "1+", self.alice.vault + "-wal"))
        self.assertNotEqual(failed.code, 0, failed)
        self.assertEqual(self.slots(secret="recovery"), ["passphrase", "recovery"])
        self.assertEqual(ki.of(self.bus, "Slot"), [])

    def test_an_item_of_another_program_in_its_place_opens_nothing(self):
        self.add()
        item, = ki.of(self.bus, "Slot")
        for secret in (b"0" * 64, b"", b"not hexadecimal at all", b"\xff" * 64):
            self.bus.set_secret(item.path, secret)
            self.refused("locked", self.alice, "identity", "show")
            self.ok(self.alice, "identity", "show", secret="recovery")
        self.assertIn("warning", [state for state, _ in self.findings("slots", secret="recovery")])
        self.ok(self.alice, "vault", "slot", "set", "keyring", secret="recovery")
        self.ok(self.alice, "identity", "show")
        # What is left to say is that who has the old secret may have the key of the vault.
        warnings = [message for state, message in self.findings("slots") if state == "warning"]
        self.assertRegex(" ".join(warnings), "^a key slot was removed or replaced on [-0-9]+[^:;]*$")

    def test_doctor_tells_of_a_keyring_that_cannot_be_asked(self):
        self.add()
        self.bus.lock()
        self.assertTrue(any("keyring is locked" in text for _, text in self.findings("slots", secret="recovery")))
        found = self.findings("slots", secret="recovery", **NO_BUS)
        self.assertTrue(any("no session bus" in text for _, text in found), found)

    def test_it_can_be_made_with_the_vault(self):
        clear_now()
        self.alice.make_folders()
        self.bus = self.alice.start_keyring()
        made = self.ok(self.alice, "init", "--backend", "file", "--keyring-slot", "--name", "Alice", "--no-input", "-o",
                       self.alice.secret_file("recovery"), "--json", secret="passphrase").result
        self.assertEqual([slot["kind"] for slot in made["slots"]], ["passphrase", "recovery", "keyring"])
        self.ok(self.alice, "identity", "show")

    def test_a_slot_that_cannot_be_had_stops_a_first_run_before_it_made_anything(self):
        clear_now()
        self.alice.make_folders()
        outcome = self.alice.run("init", "--keyring-slot", "--name", "Alice", "--no-input", "-o",
                                 self.alice.secret_file("recovery"), secret="passphrase", **NO_BUS)
        self.assertEqual(outcome.code, 12, outcome)
        self.assertFalse(os.path.exists(self.alice.vault))
        self.assertFalse(os.path.exists(self.alice.secret_file("recovery")))

    def test_a_slot_that_is_refused_at_the_end_is_told(self):
        for answer in (None, kr.PASSWORD):
            clear_now()
            self.alice.make_folders()
            self.bus = self.alice.start_keyring()
            self.bus.lock()
            Prompter(self, self.bus, answer)
            shown = Screen(self, self.alice, "init", "--backend", "file", "--name", "Alice", "-o",
                           self.alice.secret_file("recovery"), secret="passphrase", **DESKTOP)
            shown.sees("Let your desktop login open the vault without asking")
            shown.enters("y")
            self.assertEqual(shown.ends(), 0, shown.text)
            self.assertEqual("the keyring does not open the vault" in shown.plain, answer is None)
            self.assertEqual(len(self.slots(secret="recovery")), 2 if answer is None else 3)

    def test_it_is_offered_at_a_desktop_and_no_is_the_default(self):
        for answer, kinds in (("", 2), ("y", 3)):
            clear_now()
            self.alice.make_folders()
            self.bus = self.alice.start_keyring()
            shown = Screen(self, self.alice, "init", "--backend", "file", "--name", "Alice", "-o",
                           self.alice.secret_file("recovery"), secret="passphrase", **DESKTOP)
            shown.sees("Let your desktop login open the vault without asking")
            shown.enters(answer)
            self.assertEqual(shown.ends(), 0, shown.text)
            self.assertEqual(len(self.slots(secret="recovery")), kinds)


@unittest.skipIf(kr.missing(), kr.missing())
class SecondAnchor(Case):
    world = ALONE

    def setUp(self):
        super().setUp()
        self.bus = self.alice.start_keyring()
        self.ok(self.alice, "vault", "slot", "add", "keyring", secret="recovery")

    def anchor(self) -> int:
        item, = ki.of(self.bus, "Anchor")
        text = item.secret.decode()
        self.assertRegex(text, r"^HSIP-ANCHOR-1 [0-9a-f]{32} \d{10} \d{20} [0-9a-f]{32} +\n$")
        self.assertEqual(len(text), 128)
        return int(text.split()[3])

    def memory(self) -> str:
        name, = [name for name in os.listdir(self.alice.anchors) if name.startswith("keyring-")]
        return os.path.join(self.alice.anchors, name)

    def age(self):
        """As if the last writing were two minutes ago."""
        with open(self.memory(), encoding="utf-8") as file:
            word, at, how = file.read().split()
        self.alice.write(self.memory(), f"{word} {int(at) - 120} {how}\n")

    def test_it_is_written_at_most_once_a_minute(self):
        first = self.anchor()
        self.ok(self.alice, "pair")
        self.assertEqual(self.anchor(), first)
        self.age()
        self.ok(self.alice, "identity", "show")
        self.assertEqual(self.anchor(), first, "nothing was written, so nothing is remembered")
        self.ok(self.alice, "pair")
        self.assertGreater(self.anchor(), first)

    def test_a_vault_and_its_anchor_put_back_together_are_noticed(self):
        self.alice.keep()
        self.age()
        self.ok(self.alice, "pair")
        kept = os.path.join(os.path.dirname(self.alice.home), "..", "snapshot-alice")
        for folder in (("data", "hsip"), ("state",)):
            shutil.rmtree(self.alice.path(*folder))
            shutil.copytree(os.path.join(kept, *folder), self.alice.path(*folder))
        outcome = self.refused("rollback", self.alice, "identity", "show", secret="recovery")
        details = outcome.json["error"]["details"]
        self.assertGreater(details["expected"]["generation"], details["found"]["generation"])
        self.refused("rollback", self.alice, "identity", "show")
        self.ok(self.alice, "identity", "show", secret="recovery", **NO_BUS)

    def test_it_is_no_failure_when_it_cannot_be_written(self):
        self.age()
        self.ok(self.alice, "pair", secret="recovery", **NO_BUS)
        with open(self.memory(), encoding="utf-8") as file:
            self.assertTrue(file.read().endswith(" noSessionBus\n"))
        found = self.alice.run("doctor", "--json", secret="recovery").result["findings"]
        self.assertTrue(any(one["check"] == "anchor" and "noSessionBus" in one["message"] for one in found), found)
        self.age()
        self.ok(self.alice, "pair")
        found = self.alice.run("doctor", "--json").result["findings"]
        self.assertEqual({one["state"] for one in found if one["check"] == "anchor"}, {"ok"})

    def test_what_is_no_anchor_counts_as_none(self):
        item, = ki.of(self.bus, "Anchor")
        for secret in (b"", b"HSIP-ANCHOR-1", item.secret[:-1], b"9" * 128):
            self.bus.set_secret(item.path, secret)
            self.ok(self.alice, "identity", "show")
        self.age()
        self.ok(self.alice, "pair")
        self.anchor()


class Untouched(Case):
    """Who does not need the keyring does not ask for it."""

    world = ALONE

    def setUp(self):
        super().setUp()
        self.path = self.alice.path("bus")
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(self.path)
        self.server.listen(8)
        self.visits = 0
        threading.Thread(target=self.count, daemon=True).start()
        self.addCleanup(self.server.close)
        self.bus = {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.path}"}

    def count(self):
        try:
            while True:
                self.server.accept()[0].close()
                self.visits += 1
        except OSError:
            pass

    def test_a_file_is_opened_without_the_bus(self):
        for words in (("version",), ("status",), ("identity", "show"), ("pair",), ("contact", "list"), (),
                      ("vault", "slot", "list"), ("vault", "check"), ("--help",), ("nonsense",)):
            self.alice.run(*words, **self.bus)
        self.alice.run("identity", "show", secret=None, **self.bus)
        self.alice.run("init", "--backend", "file", secret="passphrase", **self.bus)
        self.assertEqual(self.visits, 0)

    def test_only_what_asks_for_it_asks(self):
        self.alice.run("doctor", **self.bus)
        self.assertGreater(self.visits, 0, "this test can see a visit")

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_libsecret_is_not_loaded(self):
        linked = subprocess.run(["readelf", "-d", BINARY], capture_output=True, text=True).stdout
        if "libsecret" in linked:
            self.skipTest("this build is linked to libsecret; the released one is not")
        log = self.alice.path("files", "trace")
        for words, loads in (((BINARY, "version"), False), (self.alice.command("identity", "show"), False),
                             (self.alice.command("doctor"), True)):
            subprocess.run([strace.STRACE, "-f", "-qq", "-o", log, "-e", "trace=openat", *words],
                           env=self.alice.environment(**self.bus), capture_output=True, timeout=100)
            with open(log, encoding="utf-8") as file:
                self.assertEqual(bool(re.search(r"libsecret.* = \d+$", file.read(), re.M)), loads, words)


if __name__ == "__main__":
    unittest.main()
