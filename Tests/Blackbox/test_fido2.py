"""Key slots of security keys: made, tested, opened and refused, with keys in software behind hsip-hardware."""

import json
import os
import subprocess
import sys
import time
import unittest

import ssh_keys as sk
import sshd
from house import ALONE, BINARY, PASSPHRASE, Case
from screen import Screen
from test_tpm import HELPER, Owner

PIN, OTHER = "2580blue", "0815-red"
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "HardwareTests", "authenticator.py")


class Key:
    """A security key in software; the same seed is the same key."""

    def __init__(self, folder: str, name: str, **options):
        self.path, self.options = os.path.join(folder, f"key-{name}"), options
        self.plug_in()

    def plug_in(self, **options):
        self.options |= options
        self.process = subprocess.Popen([sys.executable, SCRIPT, self.path, json.dumps(self.options)], stderr=subprocess.DEVNULL)
        while not os.path.exists(self.path) and self.process.poll() is None:
            time.sleep(0.01)

    def take_out(self):
        # It is not found any more before it answers no more.
        if os.path.exists(self.path):
            os.remove(self.path)
        self.process.kill()
        self.process.wait()


@unittest.skipUnless(os.path.exists(HELPER), "no emulated-hardware beside hsip")
class KeyCase(Case):
    """Alice, whose hsip finds a helper with security keys in software beside it."""

    def setUp(self):
        super().setUp()
        ALONE.arrive()
        self.alice = Owner("alice")
        self.folder = self.alice.path("bin")
        os.makedirs(self.folder)
        for name in ("hsip", "hsip-agent"):
            built = os.path.join(os.path.dirname(BINARY), name)
            try:
                os.link(built, os.path.join(self.folder, name))
            except OSError:
                subprocess.run(["cp", built, self.folder], check=True)
        os.symlink(HELPER, os.path.join(self.folder, "hsip-hardware"))
        self.pin = self.alice.write("secrets/pin", PIN + "\n")
        self.wrong = self.alice.write("secrets/wrong-pin", OTHER + "\n")

    def key(self, name: str = "a", **options) -> Key:
        key = Key(self.folder, name, **({"seed": "01"} | options))
        self.addCleanup(key.take_out)
        return key

    def add(self, *words: str) -> dict:
        return self.ok(self.alice, "vault", "slot", "add", "fido2", *words, "--json").result["slot"]

    def refused(self, code: int, name: str, *words: str, secret: str | None = None) -> dict:
        error = self.ends(code, self.alice, *words, "--json", secret=secret).json["error"]
        self.assertEqual(error["code"], name)
        return error

    def starts_agent(self, **environment: str | None):
        self.addCleanup(self.alice.run, "agent", "stop", secret=None)
        self.ends(5, self.alice, "unlock", "--no-input", secret=None, **environment)


class SecurityKey(KeyCase):
    def opens(self, *words: str):
        self.ok(self.alice, "--with", "fido2", *words, "secret", "list", secret=None)

    def fails(self, code: int, name: str, *words: str) -> dict:
        return self.refused(code, name, "--with", "fido2", *words, "secret", "list")

    def test_a_touch_opens_the_vault_and_another_key_does_not(self):
        key = self.key()
        slot = self.add("--label", "blue")
        self.assertEqual((slot["kind"], slot["label"], slot["pin"], slot["pcrs"], slot["portable"]),
                         ("fido2", "blue", False, None, False))
        self.opens()
        self.ok(self.alice, "--with", str(slot["number"]), "secret", "list", secret=None)
        self.ok(self.alice, "vault", "slot", "test", "fido2", secret=None)
        self.assertIn("touch", self.ok(self.alice, "vault", "slot", "list").output)
        self.refused(5, "locked", "secret", "list")
        key.take_out()
        self.fails(12, "noSecurityKey")
        self.key(seed="02")
        self.fails(6, "securityKeyOther")
        self.ok(self.alice, "secret", "list")

    def test_of_two_keys_the_one_that_opens_is_touched(self):
        self.key()
        self.add()
        self.key("b", seed="02", touch="no")
        self.opens()
        self.refused(7, "inputNeeded", "vault", "slot", "add", "fido2", secret="")

    def test_pin_and_touch(self):
        self.key(pin=PIN)
        self.refused(7, "inputNeeded", "vault", "slot", "add", "fido2", secret="")
        self.assertTrue(self.add("--new-pin-file", self.pin)["pin"])
        self.fails(7, "inputNeeded")
        self.opens("--pin-file", self.pin)
        self.ok(self.alice, "--pin-file", self.pin, "secret", "list", secret=None)
        self.assertIn("PIN and touch", self.ok(self.alice, "vault", "slot", "list").output)
        short = self.alice.write("secrets/short", "123\n")
        self.fails(13, "badPIN", "--pin-file", short)
        self.assertEqual(self.fails(6, "pinWrong", "--pin-file", self.wrong)["details"]["triesLeft"], 7)

    def test_eight_wrong_pins_and_the_last_one_only_on_demand(self):
        key = self.key(pin=PIN)
        self.add("--new-pin-file", self.pin)
        left = []
        for tries in range(7):
            # A key counts what is left by itself; three in a row want it to be taken out.
            if tries and tries % 3 == 0:
                key.take_out()
                key.plug_in(retries=8 - tries)
            code, name = (12, "pinPaused") if tries % 3 == 2 else (6, "pinWrong")
            left.append(self.fails(code, name, "--pin-file", self.wrong)["details"])
        self.assertEqual([one["triesLeft"] for one in left if one and "triesLeft" in one], [7, 6, 4, 3, 1])
        self.fails(7, "lastTries", "--pin-file", self.pin)
        self.fails(12, "pinBlocked", "--pin-file", self.wrong, "--last-tries")
        self.fails(12, "pinBlocked", "--pin-file", self.pin, "--last-tries")
        self.ok(self.alice, "secret", "list")

    def test_the_last_try_with_the_right_pin_opens(self):
        key = self.key(pin=PIN)
        self.add("--new-pin-file", self.pin)
        key.take_out()
        key.plug_in(retries=1)
        self.fails(7, "lastTries", "--pin-file", self.pin)
        self.opens("--pin-file", self.pin, "--last-tries")

    def test_what_a_key_says_instead_of_a_secret(self):
        key = self.key()
        self.add()
        for options, code, name in (({"touch": "timeout"}, 10, "touchTimeout"), ({"touch": "no"}, 6, "touchRefused"),
                                    ({"touch": "yes", "secrets": False}, 12, "securityKeyUnfit"),
                                    ({"secrets": True, "short": True}, 12, None)):
            key.take_out()
            key.plug_in(**options)
            with self.subTest(options):
                error = self.ends(code, self.alice, "--with", "fido2", "secret", "list", "--json", secret=None).json["error"]
                if name:
                    self.assertEqual(error["code"], name)
        key.take_out()
        key.plug_in(short=False, pin=PIN, always=True)
        self.fails(12, "verificationChanged")
        key.take_out()
        key.plug_in(pin=None, always=False, touch="slow")
        self.opens()

    def test_a_fifth_slot_is_refused_before_the_first_touch(self):
        key = self.key()
        for number in range(4):
            self.add("--label", f"key {number}")
        key.take_out()
        key.plug_in(touch="never")
        start = time.monotonic()
        self.refused(4, "slotLimit", "vault", "slot", "add", "fido2", secret="")
        self.assertLess(time.monotonic() - start, 20)

    def test_a_touch_alone_although_the_key_has_a_pin(self):
        key = self.key(pin=PIN)
        self.assertFalse(self.add("--no-pin")["pin"])
        self.opens()
        key.take_out()
        # A key of the first kind wants its PIN once, to make the credential.
        self.key("b", seed="03", pin=PIN, old=True, protocol=1)
        shown = Screen(self, self.alice, "vault", "slot", "add", "fido2", "--no-pin")
        shown.sees("PIN of the security key")
        shown.enters(PIN)
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.opens()

    def test_a_new_vault_key_keeps_a_key_in_a_drawer(self):
        key = self.key()
        self.add()
        key.take_out()
        self.ok(self.alice, "vault", "rekey", "-y", secret="passphrase")
        key.plug_in()
        self.opens()

    def test_a_person_touches_the_key_or_presses_enter(self):
        key = self.key(touch="slow")
        self.add()
        shown = Screen(self, self.alice, "--no-agent", "secret", "list", secret=None)
        shown.sees(r'Touch the security key "Key a" \(slot \d+\), or press Enter for the passphrase')
        self.assertEqual(shown.ends(), 0, shown.plain)
        key.take_out()
        key.plug_in(touch="never")
        shown = Screen(self, self.alice, "--no-agent", "secret", "list", secret=None)
        shown.sees("Touch the security key")
        shown.enters()
        shown.sees("Passphrase")
        shown.enters(PASSPHRASE)
        self.assertEqual(shown.ends(), 0, shown.plain)

    def test_a_person_types_the_pin_and_touches(self):
        self.key(pin=PIN)
        self.add("--new-pin-file", self.pin)
        shown = Screen(self, self.alice, "--no-agent", "secret", "list", secret=None)
        shown.sees(r"it accepts 8 wrong ones\), or Enter for the passphrase")
        shown.enters(OTHER)
        shown.sees(r"it accepts 7 wrong ones")
        shown.enters(PIN)
        shown.sees("Touch the security key")
        self.assertEqual(shown.ends(), 0, shown.plain)

    def is_locked(self) -> bool:
        return self.ok(self.alice, "agent", "status", "--json", secret=None).result["agent"]["locked"]

    def test_the_agent_waits_for_a_touch_or_for_the_passphrase(self):
        key = self.key(touch="slow")
        self.add()
        self.starts_agent()
        shown = Screen(self, self.alice, "secret", "list", secret=None)
        shown.sees("Touch the security key")
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertFalse(self.is_locked())
        self.ok(self.alice, "lock", secret=None)
        self.ok(self.alice, "unlock", "--with", "fido2", secret=None)
        self.assertFalse(self.is_locked())
        self.ok(self.alice, "lock", secret=None)
        key.take_out()
        key.plug_in(touch="never")
        shown = Screen(self, self.alice, "unlock", secret=None)
        shown.sees("Touch the security key")
        shown.enters()
        shown.sees("Passphrase")
        shown.enters(PASSPHRASE)
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertFalse(self.is_locked())

    def test_a_window_says_what_to_touch_and_offers_the_passphrase(self):
        key = self.key(touch="slow")
        self.add()
        told, programs = self.alice.path("files", "told"), self.alice.path("files", "programs")
        os.mkdir(programs)
        with open(os.path.join(programs, "pinentry"), "w", encoding="ascii") as script:
            script.write(f"""#!/bin/sh
echo OK
while read -r line; do
    echo "$line" >>{told}
    case "$line" in
    CONFIRM) [ -e {told}.waits ] && exec sleep 1000;;
    GETPIN) echo 'D {PASSPHRASE}';;
    esac
    echo OK
done
""")
            os.chmod(script.name, 0o700)
        self.starts_agent(PATH=f"{programs}:/usr/bin:/bin", DISPLAY=":7")
        with open(told + ".waits", "w", encoding="ascii"):
            pass
        self.ok(self.alice, "secret", "list", secret=None)
        with open(told, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("SETOK Passphrase instead", text)
        self.assertNotIn("GETPIN", text)
        self.ok(self.alice, "lock", secret=None)
        os.remove(told + ".waits")
        key.take_out()
        key.plug_in(touch="never")
        self.ok(self.alice, "secret", "list", secret=None)
        self.assertFalse(self.is_locked())

    def test_a_variable_that_makes_the_library_talk_is_of_no_effect(self):
        self.key(pin=PIN)
        self.add("--new-pin-file", self.pin)
        usual = self.alice.run("--pin-file", self.pin, "secret", "list", secret=None)
        opened = self.alice.run("--pin-file", self.pin, "secret", "list", secret=None, FIDO_DEBUG="1")
        self.assertEqual((opened.code, opened.output, opened.talk), (0, usual.output, usual.talk))

    def test_doctor_says_what_the_slot_of_a_key_needs_and_touches_none(self):
        self.assertNotIn("security key", self.doctor())
        key = self.key()
        self.add()
        key.take_out()
        self.assertIn("one security key opens the vault, and the recovery code was never tested", self.doctor())
        other = self.key("b", seed="02")
        self.add()
        # One is in a drawer, and nobody touches the other.
        other.take_out()
        other.plug_in(touch="never")
        start = time.monotonic()
        self.assertIn("2 security keys can open the vault", self.doctor())
        self.assertLess(time.monotonic() - start, 20)
        os.remove(os.path.join(self.folder, "hsip-hardware"))
        if not os.path.exists("/usr/libexec/hsip-hardware"):
            self.assertIn("hsip-hardware is not installed", self.doctor())

    def doctor(self) -> str:
        return self.alice.run("doctor", "-v").output


@unittest.skipIf(sshd.missing(), "no sshd")
class OverSSH(KeyCase):
    """Alice at another computer; her vault, its agent and a security key that nobody touches are at this one."""

    def setUp(self):
        super().setUp()
        self.security_key = self.key()
        self.add()
        self.security_key.take_out()
        programs = self.alice.path("files", "programs")
        os.mkdir(programs)
        with open(os.path.join(programs, "pinentry"), "w", encoding="ascii") as script:
            script.write(f"#!/bin/sh\necho window >>{self.alice.path('files', 'windows')}\nexec sleep 1000\n")
            os.chmod(script.name, 0o700)
        self.starts_agent(PATH=f"{programs}:/usr/bin:/bin", DISPLAY=":7")
        login = sk.make(self.alice.path("files", "login"))
        server = sshd.Server(self, authorized=(sk.beside(login),))
        settings = ("UserKnownHostsFile=/dev/null", "StrictHostKeyChecking=no", f"IdentityFile={login}", "IdentitiesOnly=yes",
                    "IdentityAgent=none", f"User={server.user}", "LogLevel=ERROR")
        self.ssh = ["ssh", "-F", "none", *(word for one in settings for word in ("-o", one)), "-p", str(server.port)]
        self.there = [server.address, "env", *(f"{name}={value}" for name, value in self.alice.environment().items())]

    def sits(self, *words: str) -> Screen:
        """At a terminal of the other computer."""
        return Screen(self, self.alice, *words, secret=None, shell=" ".join(["exec", *self.ssh, "-tt", *self.there, '"$0" "$@"']))

    def runs(self, *words: str, secret: str | None = None) -> subprocess.CompletedProcess:
        """In a script there."""
        return subprocess.run([*self.ssh, *self.there, *self.alice.command(*words, secret=secret)], capture_output=True, timeout=20,
                              stdin=subprocess.DEVNULL, env=self.alice.environment())

    def is_open(self, still: bool = True):
        status = self.ok(self.alice, "agent", "status", "--json", secret=None).result["agent"]
        self.assertEqual(status["locked"], not still)
        self.assertFalse(os.path.exists(self.alice.path("files", "windows")), "no window at the computer of the vault")
        self.ok(self.alice, "lock", secret=None)

    def test_with_the_key_elsewhere_the_passphrase_is_asked_for_at_once(self):
        for words in (("unlock",), ("secret", "list"), ("--no-agent", "secret", "list")):
            with self.subTest(words):
                shown = self.sits(*words)
                shown.sees("Passphrase", timeout=15)
                self.assertNotIn("Touch", shown.plain)
                shown.enters(PASSPHRASE)
                self.assertEqual(shown.ends(), 0, shown.plain)
                self.is_open("--no-agent" not in words)

    def test_nobody_touches_a_key_that_is_here(self):
        self.security_key.plug_in(touch="never")
        for words in (("unlock",), ("--no-agent", "secret", "list")):
            with self.subTest(words):
                shown = self.sits(*words)
                shown.sees("Touch the security key .*, or press Enter for the passphrase")
                shown.enters()
                shown.sees("Passphrase", timeout=15)
                shown.enters(PASSPHRASE)
                self.assertEqual(shown.ends(), 0, shown.plain)
                self.is_open("--no-agent" not in words)

    def test_a_script_waits_for_no_touch(self):
        self.security_key.plug_in(touch="never")
        for words in (("unlock",), ("--no-agent", "secret", "list")):
            with self.subTest(words):
                done = self.runs(*words, secret="passphrase")
                self.assertEqual(done.returncode, 0, done)
                self.is_open("--no-agent" not in words)
        for words in (("unlock", "--no-input"), ("--no-agent", "secret", "list")):
            with self.subTest(words):
                self.assertEqual(self.runs(*words).returncode, 5)
                self.is_open(False)


if __name__ == "__main__":
    unittest.main()
