"""A keyring that is not there, is locked, stays silent, goes away, or was put back from a copy."""

import fcntl
import os
import shutil
import time

import keyring as kr
import keyring_items as ki
from house import MIXED_FRIENDS, MIXED_PAIR, say, vf, xc
from prompter import Prompter
from screen import CONTROL_C, Screen
from test_keyring import KeyringCase

SCREEN = {"DISPLAY": ":99"}
"""A desktop where somebody may be asked; nothing of ours ever opens that display."""
WORDS = (("identity", "show"), ("session", "list"), ("pair",), ("vault", "check"))


class NoBus(KeyringCase):
    """The same commands in a shell without a bus: exit 12, why, and the way out."""

    world = MIXED_PAIR

    def test_every_command_says_so(self):
        for words in (*WORDS, ("encrypt", "bob"), ("status",), ("decrypt",), ("accept", "-y")):
            with self.subTest(words=words):
                outcome = self.fails("noSessionBus", self.alice, *words, given="x", DBUS_SESSION_BUS_ADDRESS=None)
                self.assertTrue(outcome.json["error"]["hint"])
        self.is_friendly(self.alice, self.bob)

    def test_the_place_is_named(self):
        for reason, word, variables in (
                ("ssh", "SSH", {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"}),
                ("ssh", "SSH", {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "WSL_DISTRO_NAME": "Debian"}),
                ("container", "container", {"container": "podman"})):
            with self.subTest(reason=reason):
                here = {"DBUS_SESSION_BUS_ADDRESS": None} | variables
                outcome = self.fails("noSessionBus", self.alice, "identity", "show", **here)
                self.assertEqual(outcome.json["error"]["details"]["reason"], reason)
                self.assertIn(word, outcome.json["error"]["message"])
        here = {"DBUS_SESSION_BUS_ADDRESS": None, "WSL_DISTRO_NAME": "Debian"}
        outcome = self.fails("noSessionBus", self.alice, "identity", "show", **here)
        self.assertIn(outcome.json["error"]["details"]["reason"], ("wsl", "container"), "a container says more")

    def test_over_ssh_the_hint_leads_to_a_vault_that_opens_there(self):
        outcome = self.fails("noSessionBus", self.alice, "identity", "show", DBUS_SESSION_BUS_ADDRESS=None,
                             SSH_CONNECTION="192.0.2.1 50000 192.0.2.2 22")
        self.assertIn("hsip vault migrate --to file", outcome.json["error"]["hint"])

    def test_a_dead_address_is_no_bus(self):
        path = self.alice.path("files", "nothing")
        for address in ("unix:path=" + path, "nonsense", "unix:", "autolaunch:"):
            with self.subTest(address=address):
                outcome = self.alice.run("identity", "show", "--json", DBUS_SESSION_BUS_ADDRESS=address)
                self.assertEqual(outcome.code, 12, outcome)
                self.assertEqual(outcome.json["error"]["code"], "noSessionBus", outcome)

    def test_the_bus_of_the_runtime_folder_is_found(self):
        os.symlink(self.alice.keyring.socket, self.alice.path("run", "bus"))
        self.ok(self.alice, "identity", "show", DBUS_SESSION_BUS_ADDRESS=None)

    def test_no_file_and_no_second_vault_comes_of_it(self):
        outcome = self.alice.run("init", "--name", "Second", "--no-input", DBUS_SESSION_BUS_ADDRESS=None)
        self.assertNotEqual(outcome.code, 0, outcome)
        outcome = self.alice.run("init", "--name", "Second", "-o", self.alice.path("files", "r"), secret="passphrase",
                                 DBUS_SESSION_BUS_ADDRESS=None)
        self.assertNotEqual(outcome.code, 0, outcome)
        self.assertFalse(os.path.exists(self.alice.vault))

    def test_doctor_explains_it(self):
        outcome = self.alice.run("doctor", "--json", DBUS_SESSION_BUS_ADDRESS=None)
        self.assertEqual(outcome.code, 12, outcome)
        found = [one for one in outcome.result["findings"] if one["code"] == "noSessionBus"]
        self.assertTrue(found and all(one["hint"] and one["reason"] is not None for one in found), outcome)

    def test_the_program_starts_no_bus_of_its_own(self):
        before = self.buses()
        self.alice.run("identity", "show", DBUS_SESSION_BUS_ADDRESS=None, XDG_RUNTIME_DIR=None)
        self.alice.run("identity", "show", DBUS_SESSION_BUS_ADDRESS=None, DISPLAY=":99")
        self.assertEqual(self.buses(), before)

    def buses(self) -> set[str]:
        """The processes that live in this person's home."""
        found = set()
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/environ", "rb") as file:
                    if f"HOME={self.alice.home}\0".encode() in file.read():
                        found.add(number)
            except OSError:
                continue
        return found


class NoService(KeyringCase):
    world = MIXED_PAIR

    def test_a_bus_without_a_secret_service(self):
        self.alice.keyring.kill()
        for words in WORDS:
            outcome = self.fails("noSecretService", self.alice, *words)
            self.assertTrue(outcome.json["error"]["hint"])
        self.alice.keyring.restart()
        self.is_friendly(self.alice, self.bob)

    def test_a_service_that_is_started_when_it_is_needed(self):
        """As desktops do it: the bus starts the service that has the name."""
        services = self.alice.path("files", "services")
        os.mkdir(services)
        ring = self.alice.keyring
        ring.end()
        with open(os.path.join(services, "org.freedesktop.secrets.service"), "w", encoding="utf-8") as file:
            file.write("[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/bin/false\n")
        ring = self.alice.start_keyring(services=services)
        ring.kill()
        self.fails("noSecretService", self.alice, "identity", "show")


class Locked(KeyringCase):
    world = MIXED_FRIENDS

    def setUp(self):
        super().setUp()
        self.alice.keyring.lock()

    def test_nobody_to_ask(self):
        for words in (*WORDS, ("encrypt", "bob")):
            outcome = self.fails("keyringLocked", self.alice, *words, given="x")
            self.assertTrue(outcome.json["error"]["hint"])
            self.fails("keyringLocked", self.alice, "--no-input", *words, given="x", **SCREEN)
        self.assertTrue(self.alice.keyring.is_locked())

    def test_nobody_is_asked_where_nobody_may_be(self):
        person = Prompter(self, self.alice.keyring, kr.PASSWORD)
        self.fails("keyringLocked", self.alice, "--no-input", "identity", "show", **SCREEN)
        self.fails("keyringLocked", self.alice, "identity", "show", HSIP_NO_INPUT="1", **SCREEN)
        status = self.ok(self.alice, "status", "--json", **SCREEN)
        self.assertIs(status.result["locked"], True)
        self.ok(self.alice, "status", **SCREEN)
        self.alice.run("doctor", **SCREEN)
        self.assertEqual(person.asked, [])

    def test_somebody_types_the_password(self):
        person = Prompter(self, self.alice.keyring, kr.PASSWORD)
        message = self.ok(self.alice, "encrypt", "bob", given="open again", **SCREEN).output
        self.assertEqual(self.ok(self.bob, "decrypt", given=message).output.strip(), "open again")
        self.assertEqual(len(person.asked), 1)

    def test_somebody_says_no(self):
        person = Prompter(self, self.alice.keyring, None)
        self.fails("promptDismissed", self.alice, "encrypt", "bob", given="x", **SCREEN)
        self.assertEqual(len(person.asked), 2, "once for people, once for JSON, nobody is asked twice")

    def test_a_keyring_without_a_prompter(self):
        outcome = self.alice.run("identity", "show", "--json", **SCREEN)
        self.assertIn(outcome.json["error"]["code"], ("promptDismissed", "keyringLocked", "keyringRefused"), outcome)

    def test_somebody_is_away_and_the_program_can_be_stopped(self):
        person = Prompter(self, self.alice.keyring, Prompter.AWAY)
        screen = Screen(self, self.alice, "identity", "show", **SCREEN)
        self.alice.keyring.wait_for(lambda: person.asked, "the question")
        screen.types(CONTROL_C)
        self.assertEqual(screen.ends(timeout=5), 130)

    def test_status_and_doctor_say_that_it_is_locked(self):
        status = self.ok(self.alice, "status", "--json").result
        self.assertEqual((status["locked"], status["store"]["answers"], status["store"]["collection"]["locked"]),
                         (True, True, True))
        self.assertEqual(self.alice.run("status", "--exit-code").code, 5)
        doctor = self.alice.run("doctor", "--json")
        self.assertTrue([one for one in doctor.result["findings"]
                         if one["check"] == "backend" and "locked" in one["message"] and one["hint"]], doctor)

    def test_a_keyring_that_nobody_has_opened_since_the_login_is_locked_and_not_empty(self):
        """As after a login without a password. GNOME Keyring finds nothing by schema then."""
        ring = self.alice.keyring
        ring.password = None
        ring.restart()
        for words in WORDS:
            self.fails("keyringLocked", self.alice, *words)
        self.assertIs(self.ok(self.alice, "status", "--json").result["locked"], True)
        self.assertNotIn("forget", self.alice.run("doctor").output)
        self.alice.run("doctor", "--fix", "-y")
        person = Prompter(self, ring, kr.PASSWORD)
        self.ok(self.alice, "identity", "show", **SCREEN)
        self.assertEqual(len(person.asked), 1)
        self.is_friendly(self.alice, self.bob)


class Silent(KeyringCase):
    """A service that is there and says nothing: ten seconds are the end, two where only a probe is due."""

    world = MIXED_FRIENDS

    def tearDown(self):
        if self.alice.keyring._pid is not None:
            self.alice.keyring.thaw()
        super().tearDown()

    def test_it_ends_in_time(self):
        self.alice.keyring.freeze()
        began = time.monotonic()
        outcome = self.alice.run("encrypt", "bob", "--json", given="x")
        self.assertLess(time.monotonic() - began, 14)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (10, "keyringTimeout"), outcome)
        self.alice.keyring.thaw()
        sent = self.session(self.alice, "bob")["sent"]
        say(self.alice, self.bob, "thawed")
        self.assertEqual(self.session(self.alice, "bob")["sent"], sent + 1)

    def test_one_that_wakes_in_time_is_waited_for(self):
        self.alice.keyring.freeze()
        process = self.alice.start("encrypt", "bob")
        process.stdin.write(b"late")
        process.stdin.close()
        process.stdin = None
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        self.alice.keyring.thaw()
        output, talk = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0, talk)
        self.assertEqual(self.ok(self.bob, "decrypt", given=output).output.strip(), "late")

    def test_a_bus_that_vanishes_in_the_middle_ends_it_at_once(self):
        for what in ("bus", "daemon"):
            with self.subTest(what=what):
                self.alice.keyring.freeze()
                process = self.alice.start("--json", "encrypt", "bob")
                process.stdin.write(b"x")
                process.stdin.close()
                process.stdin = None
                time.sleep(0.3)
                self.assertIsNone(process.poll())
                began = time.monotonic()
                if what == "bus":
                    self.alice.keyring.kill_bus()
                else:
                    self.alice.keyring.kill()
                output, talk = process.communicate(timeout=20)
                self.assertLess(time.monotonic() - began, 3)
                self.assertEqual(process.returncode, 12, (output, talk))
                # Before the first answer nobody knows that somebody was there.
                self.assertRegex(output, rb'"code":"(keyringDied|noSecretService|noSessionBus)"')
                self.alice.keyring.restart()
        self.is_friendly(self.alice, self.bob)


class PutBack(KeyringCase):
    """A keyring that was put back from a copy."""

    world = MIXED_FRIENDS

    def new_login(self):
        """The runtime folder is made anew."""
        shutil.rmtree(self.alice.path("run"))
        os.mkdir(self.alice.path("run"), 0o700)

    def test_a_copy_from_before_the_last_login_is_noticed(self):
        copy = self.alice.path("files", "copy")
        self.alice.keyring.keep(copy)
        self.new_login()
        say(self.alice, self.bob, "in the second login")
        self.alice.keyring.put_back(copy)
        for _ in range(2):
            outcome = self.alice.run("encrypt", "bob", "--json", given="x")
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (11, "rollback"), outcome)
        self.new_login()
        self.fails("rollback", self.alice, "encrypt", "bob", given="x")

    def test_a_copy_from_the_same_login_is_noticed_and_repeats_no_number(self):
        copy = self.alice.path("files", "copy")
        self.alice.keyring.keep(copy)
        for n in range(3):
            self.ok(self.alice, "encrypt", "bob", given=f"first {n}")
        before = self.revisions()
        self.alice.keyring.put_back(copy)
        for words in (("encrypt", "bob"), ("vault", "check"), ("session", "list")):
            self.fails("rollback", self.alice, *words, given="x")
        self.new_login()
        self.fails("rollback", self.alice, "encrypt", "bob", given="x")
        self.ok(self.alice, "vault", "restore", "--accept-rollback", "-y")
        self.fails("restored", self.alice, "encrypt", "bob", given="x")
        self.assertGreater(ki.header(self.alice.keyring)["floor"], max(before))

    def test_an_owner_of_a_keyring_put_back_from_an_earlier_login_is_not_locked_out(self):
        copy = self.alice.path("files", "copy")
        self.alice.keyring.keep(copy)
        self.new_login()
        say(self.alice, self.bob, "in the second login")
        self.alice.keyring.put_back(copy)
        outcome = self.fails("rollback", self.alice, "encrypt", "bob", given="x")
        self.assertIn("hsip vault restore --accept-rollback", outcome.json["error"]["hint"])
        self.ends(2, self.alice, "vault", "restore")
        self.ends(7, self.alice, "vault", "restore", "--accept-rollback")
        told = self.ok(self.alice, "vault", "restore", "--accept-rollback", "-y", "--json").result
        self.assertEqual((told["kept"], told["backupGeneration"], told["slots"]), (None, None, None))
        self.fails("restored", self.alice, "encrypt", "bob", given="x")
        found = self.ok(self.alice, "status", "--json").result["attention"]
        self.assertIn("sessionRestored", [item["kind"] for item in found])
        self.ok(self.alice, "vault", "check")

    def test_without_its_anchor_a_keyring_counts_as_restored(self):
        for path in self.alice.anchor_files():
            os.unlink(path)
        self.fails("restored", self.alice, "encrypt", "bob", given="x")

    def revisions(self) -> list[int]:
        return [vf.Meta.parse(meta).revision for meta, _ in ki.read(self.alice.keyring).values()]

    def test_a_new_login_goes_on(self):
        before = ki.header(self.alice.keyring)
        for _ in range(3):
            self.new_login()
            self.is_friendly(self.alice, self.bob)
        after = ki.header(self.alice.keyring)
        self.assertGreater(after["generation"], before["generation"])
        self.ok(self.alice, "vault", "check")

    def test_a_lost_anchor_is_told(self):
        for path in self.alice.anchor_files():
            os.unlink(path)
        outcome = self.ok(self.alice, "identity", "show", "--json")
        self.assertIn("anchorMissing", outcome.warnings)
        outcome = self.ok(self.alice, "identity", "show", "--json")
        self.assertNotIn("anchorMissing", outcome.warnings)


class HeldLock(KeyringCase):
    world = MIXED_FRIENDS

    def test_who_holds_the_vault_is_named(self):
        path = self.alice.path("run", "hsip", f"lock-{ki.header(self.alice.keyring)['vault']}")
        with open("/proc/self/comm", encoding="utf-8") as name:
            holder = f"another process is using the vault: {name.read().strip()} (process {os.getpid()}, started "
        for kind, words in ((fcntl.LOCK_EX, ("contact", "list")), (fcntl.LOCK_SH, ("encrypt", "bob"))):
            with self.subTest(kind=kind), open(path, "rb") as file:
                fcntl.flock(file, kind)
                outcome = self.alice.run(*words, "--json", given="x", timeout=60)
                self.assertEqual((outcome.code, outcome.json["error"]["code"]), (10, "busy"), outcome)
                self.assertTrue(outcome.json["error"]["message"].startswith(holder), outcome)
        self.is_friendly(self.alice, self.bob)


class Halves(KeyringCase):
    """What a service leaves that died between the two halves of making an item."""

    world = MIXED_FRIENDS

    def test_a_page_that_was_never_finished_is_removed_and_that_is_told(self):
        ring = self.alice.keyring
        vault = ki.header(ring)["vault"]
        path = ring.add("HSIP vault, records", {"xdg:schema": "io.hsip.vault.Page", "vault": vault, "page": "ab" * 8}, b"")
        shutil.rmtree(self.alice.path("run", "hsip"))
        outcome = self.ok(self.alice, "encrypt", "bob", given="x")
        self.assertIn("left in the keyring: 1", outcome.talk)
        self.assertNotIn(path, [item.path for item in ki.of(ring, "Page")])
        self.ok(self.alice, "vault", "check")
        self.assertNotIn("interrupted", self.ok(self.alice, "encrypt", "bob", given="x").talk)

    def test_a_second_item_with_the_text_of_the_root_changes_nothing_and_doctor_sets_it_aside(self):
        ring = self.alice.keyring
        head = ki.header(ring)["item"]
        ring.add(head.label, head.attributes, head.secret)
        shutil.rmtree(self.alice.path("run", "hsip"))
        # The text of before stays behind in one of the two with each of these.
        for text in ("one", "two"):
            self.is_friendly(self.alice, self.bob)
            self.ok(self.alice, "secret", "set", "mine", given=text)
        self.assertEqual(self.ok(self.alice, "vault", "check", "--json").result["foreign"], 1)
        self.ok(self.alice, "doctor", "--fix", "-y")
        self.assertEqual(ki.header(ring)["item"].secret, ki.of(ring, "Header")[0].secret)
        self.assertEqual([item.secret for item in ki.of(ring, "Aside")], [head.secret])
        self.assertEqual(self.ok(self.alice, "secret", "get", "mine").data, b"two")
        self.is_friendly(self.alice, self.bob)

