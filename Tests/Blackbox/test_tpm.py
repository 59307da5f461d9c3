"""Key slots of a TPM: made, tested, opened and refused, with a TPM in software (swtpm) behind hsip-hardware."""

import contextlib
import os
import shutil
import socket
import struct
import subprocess
import threading
import time
import unittest

from house import ALONE, BINARY, PASSPHRASE, Case, Person
from screen import Screen
from test_agent_memory import memory

HELPER = os.path.join(os.path.dirname(BINARY), "emulated-hardware") if BINARY else ""
PIN, OTHER = "4711-blue", "0815-red"


class Chip:
    """A TPM in software; its state is in its folder."""

    def __init__(self, folder: str):
        self.folder, self.process = folder, None
        os.makedirs(os.path.join(folder, "state"))
        self.start()

    def start(self):
        path = os.path.join(self.folder, "socket")
        self.process = subprocess.Popen(
            ["/usr/bin/swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self.folder}/state", "--server",
             f"type=unixio,path={path}", "--flags", "not-need-init,startup-clear"], stderr=subprocess.DEVNULL)
        # The socket is there a moment before anyone listens.
        with socket.socket(socket.AF_UNIX) as probe:
            while probe.connect_ex(path) != 0 and self.process.poll() is None:
                time.sleep(0.01)

    def stop(self):
        self.process.kill()
        self.process.wait()
        path = os.path.join(self.folder, "socket")
        if os.path.exists(path):
            os.remove(path)

    def exchange(self):
        """Another TPM is in its place."""
        self.stop()
        shutil.rmtree(os.path.join(self.folder, "state"))
        os.makedirs(os.path.join(self.folder, "state"))
        self.start()


class Wire(threading.Thread):
    """Carries commands to a chip; kills the chip in the place of one of them, counted from 1, 0 for never."""

    def __init__(self, path: str, chip: Chip, dies_at: int):
        super().__init__(daemon=True)
        self.chip, self.dies_at, self.count = chip, dies_at, 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(4)
        self.start()

    @staticmethod
    def message(link: socket.socket) -> bytes:
        data = b""
        while len(data) < 10 or len(data) < int.from_bytes(data[2:6], "big"):
            part = link.recv(4096)
            if not part:
                raise OSError
            data += part
        return data

    def run(self):
        while True:
            try:
                above, _ = self.listener.accept()
            except OSError:
                return
            with above, socket.socket(socket.AF_UNIX) as below, contextlib.suppress(OSError):
                below.connect(os.path.join(self.chip.folder, "socket"))
                while True:
                    command = self.message(above)
                    self.count += 1
                    if self.count == self.dies_at:
                        self.chip.stop()
                        break
                    below.sendall(command)
                    above.sendall(self.message(below))

    def end(self):
        path = self.listener.getsockname()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.join()
        os.remove(path)


class Owner(Person):
    """A person whose hsip finds a helper with the chip beside it."""

    def command(self, *words: str, secret: str | None = "", alone: bool = False) -> list[str]:
        return [self.path("bin", "hsip"), *super().command(*words, secret=secret, alone=True)[1:]]


@unittest.skipUnless(os.path.exists(HELPER) and os.path.exists("/usr/bin/swtpm"), "no emulated-hardware beside hsip, or no swtpm")
class TPMCase(Case):
    """Alice, whose hsip finds a helper with a TPM in software beside it."""

    def setUp(self):
        super().setUp()
        ALONE.arrive()
        self.alice = Owner("alice")
        os.makedirs(self.alice.path("bin"))
        self.install("hsip")
        os.symlink(HELPER, self.alice.path("bin", "hsip-hardware"))
        self.chip = Chip(self.alice.path("bin"))
        self.addCleanup(self.chip.stop)
        self.pin = self.alice.write("secrets/pin", PIN + "\n")
        self.wrong = self.alice.write("secrets/wrong-pin", OTHER + "\n")

    def install(self, name: str):
        """A program finds the helper beside its own file, so that a symbolic link will not do."""
        built, place = os.path.join(os.path.dirname(BINARY), name), self.alice.path("bin", name)
        try:
            os.link(built, place)
        except OSError:
            shutil.copy2(built, place)

    def add(self, *words: str) -> dict:
        return self.ok(self.alice, "vault", "slot", "add", "tpm2", *words, "--json").result["slot"]

    def refused(self, code: int, name: str, *words: str, secret: str | None = None) -> dict:
        error = self.ends(code, self.alice, *words, "--json", secret=secret).json["error"]
        self.assertEqual(error["code"], name)
        return error

    def slots(self) -> list[dict]:
        return self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"]

    def starts_agent(self, **environment: str | None):
        """A locked agent, which no command has opened."""
        self.install("hsip-agent")
        self.addCleanup(self.alice.run, "agent", "stop", secret=None)
        self.ends(5, self.alice, "unlock", "--no-input", secret=None, **environment)


class TPM(TPMCase):
    def test_a_slot_without_a_pin_opens_every_command_here_and_no_other_machine(self):
        added = self.ok(self.alice, "vault", "slot", "add", "tpm2", "--no-pin", "--label", "bench")
        self.assertIn("every program of this user can now open the vault", added.talk)
        slot = self.slots()[-1]
        self.assertEqual((slot["kind"], slot["label"], slot["pin"], slot["pcrs"], slot["portable"]),
                         ("tpm2", "bench", False, [], False))
        self.ok(self.alice, "secret", "list", secret=None)
        self.assertEqual(self.ok(self.alice, "vault", "slot", "test", "tpm2", "--json", secret=None).result["slot"]["number"],
                         slot["number"])
        self.chip.exchange()
        self.refused(5, "locked", "secret", "list")
        self.refused(12, "tpmOther", "--with", "tpm2", "secret", "list")
        self.ok(self.alice, "secret", "list")

    def test_a_slot_with_a_pin_opens_by_the_pin_alone(self):
        slot = self.add("--new-pin-file", self.pin)
        self.assertEqual((slot["pin"], slot["kind"]), (True, "tpm2"))
        self.refused(5, "locked", "secret", "list")
        self.refused(7, "inputNeeded", "--with", "tpm2", "secret", "list")
        for words in (("--with", "tpm2", "--pin-file", self.pin), ("--with", str(slot["number"]), "--pin-file", self.pin),
                      ("--pin-file", self.pin)):
            self.ok(self.alice, *words, "secret", "list", secret=None)
        self.ok(self.alice, "vault", "slot", "test", "tpm2", "--pin-file", self.pin, secret=None)
        listed = self.ok(self.alice, "vault", "slot", "list").output
        self.assertIn("PIN", listed)

    def test_a_person_types_the_pin_and_sees_how_many_tries_are_left(self):
        shown = Screen(self, self.alice, "vault", "slot", "add", "tpm2")
        for question in ("New PIN", "The same again"):
            shown.sees(question)
            shown.enters(PIN)
        self.assertEqual(shown.ends(), 0, shown.plain)
        left = []
        for typed, code in ((OTHER, 6), (PIN, 0)):
            shown = Screen(self, self.alice, "--with", "tpm2", "secret", "list", secret=None)
            left.append(int(shown.sees(r"PIN of slot \d+ \(the TPM accepts (\d+) wrong ones\)").group(1)))
            shown.enters(typed)
            self.assertEqual(shown.ends(), code, shown.plain)
            self.assertNotIn(typed, shown.plain)
        self.assertEqual(left[1], left[0] - 1)

    def test_wrong_pins_are_counted_and_lock_the_pin_out_but_not_the_owner(self):
        self.add("--new-pin-file", self.pin)
        words = ("vault", "slot", "test", "tpm2", "--pin-file")
        left = self.refused(6, "pinWrong", *words, self.wrong)["details"]["triesLeft"]
        for tries in range(left - 1, -1, -1):
            self.assertEqual(self.refused(6, "pinWrong", *words, self.wrong)["details"]["triesLeft"], tries)
        self.assertGreater(self.refused(10, "tpmLockout", *words, self.pin)["details"]["seconds"], 0)
        self.ok(self.alice, "secret", "list")
        self.assertIn("refuses PINs", self.alice.run("doctor").output)

    def test_a_changed_register_closes_the_slot(self):
        slot = self.add("--no-pin", "--pcrs", "16,7")
        self.assertEqual(slot["pcrs"], [7, 16])
        self.ok(self.alice, "secret", "list", secret=None)
        self.chip.stop()
        self.chip.start()
        # TPM2_PCR_Extend of register 16, with an empty password.
        extend = struct.pack(">HIIIIIHBHIH", 0x8002, 65, 0x182, 16, 9, 0x40000009, 0, 0, 0, 1, 0x000B) + bytes(range(32))
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(os.path.join(self.chip.folder, "socket"))
            link.sendall(extend)
            self.assertEqual(link.recv(4096)[6:10], bytes(4))
        self.refused(12, "tpmState", "--with", "tpm2", "secret", "list")

    def test_a_pin_or_option_that_will_not_do_changes_nothing(self):
        before = self.slots()
        short = self.alice.write("secrets/short", "abc\n")
        self.refused(13, "badPIN", "vault", "slot", "add", "tpm2", "--new-pin-file", short, secret="")
        self.refused(7, "inputNeeded", "vault", "slot", "add", "tpm2", secret="")
        for words in (("tpm2", "--no-pin", "--new-pin-file", self.pin), ("tpm2", "--no-pin", "--pcrs", "24"),
                      ("tpm2", "--no-pin", "--pcrs", "7,"), ("passphrase", "--no-pin"), ("tpm2", "--no-pin", "--weak")):
            self.refused(2, "usage", "vault", "slot", "add", *words, secret="")
        self.ends(2, self.alice, "--with", "luck", "secret", "list", secret=None)
        self.refused(3, "noSuchSlot", "--with", "9", "secret", "list")
        self.refused(3, "noSuchSlot", "--with", "tpm2", "secret", "list")
        self.assertEqual(self.slots(), before)

    def test_what_is_named_fails_alone(self):
        self.add("--no-pin")
        self.ok(self.alice, "secret", "list", secret=None)
        self.alice.write("secrets/wrong", "not the passphrase at all\n")
        self.refused(6, "wrongSecret", "--with", "passphrase", "secret", "list", secret="wrong")
        self.refused(6, "wrongSecret", "--with", "passphrase", "secret", "list", secret="recovery")
        self.refused(5, "locked", "--with", "passphrase", "secret", "list")
        self.ok(self.alice, "--with", "recovery", "secret", "list", secret="recovery")
        self.chip.stop()
        self.refused(12, "tpmFailed", "--with", "tpm2", "secret", "list")

    def test_without_the_helper_or_a_tpm_the_error_says_so(self):
        self.add("--no-pin")
        helper = self.alice.path("bin", "hsip-hardware")
        os.remove(helper)
        if not os.path.exists("/usr/libexec/hsip-hardware"):
            self.refused(12, "noHardwareHelper", "--with", "tpm2", "secret", "list")
        os.symlink(os.path.join(os.path.dirname(BINARY), "hsip-hardware"), helper)
        if not os.path.exists("/dev/tpmrm0"):
            self.refused(12, "noTPM", "--with", "tpm2", "secret", "list")
            self.assertIn("no TPM", self.alice.run("doctor").output)
        self.ok(self.alice, "secret", "list")

    def test_a_new_vault_key_keeps_the_slot_and_the_passphrase(self):
        self.add("--no-pin")
        before = self.slots()
        self.refused(7, "inputNeeded", "--with", "tpm2", "vault", "rekey", "-y")
        self.assertEqual(self.slots(), before)
        self.ok(self.alice, "vault", "rekey", "-y", secret="passphrase")
        self.ok(self.alice, "--with", "tpm2", "secret", "list", secret=None)
        self.ok(self.alice, "--with", "passphrase", "secret", "list", secret="passphrase")

    def dies(self, chip: Chip, *words: str) -> int:
        """Gives a command again and again, and the chip dies one command later each time; how often that was an error."""
        before = self.slots()
        for number in range(1, 100):
            wire = Wire(self.alice.path("bin", "socket"), chip, number)
            outcome = self.alice.run(*words, "--json")
            wire.end()
            if chip.process.poll() is not None:
                chip.start()
            # Once it has sealed, only flushing is left.
            if outcome.code == 0:
                return number - 1
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "tpmFailed"), outcome)
            self.assertEqual(self.slots(), before)
        self.fail("it never ends")

    def test_a_chip_that_dies_at_any_command_is_an_error_and_changes_nothing(self):
        self.chip.stop()
        chip = Chip(self.alice.path("chip"))
        self.addCleanup(chip.stop)
        self.assertGreater(self.dies(chip, "vault", "slot", "add", "tpm2", "--no-pin"), 5)
        self.alice.opens_with = None
        self.assertEqual(self.alice.run("secret", "list").code, 5, "the chip is not there")
        wire = Wire(self.alice.path("bin", "socket"), chip, 0)
        self.ok(self.alice, "--with", "tpm2", "secret", "list")
        number = wire.count
        wire.end()
        for dies_at in range(1, number + 1):
            wire = Wire(self.alice.path("bin", "socket"), chip, dies_at)
            outcome = self.alice.run("--with", "tpm2", "secret", "list", "--json")
            wire.end()
            # Once it has unsealed, what is left is to flush.
            if outcome.code != 0:
                self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "tpmFailed"), outcome)
            chip.start()
        self.assertGreater(number, 5)

    @unittest.skipUnless(os.getuid() == 0, "only root may read the memory of a process that is not dumpable")
    def test_no_pin_is_left_in_the_agent_or_in_hsip(self):
        self.add("--new-pin-file", self.pin)
        self.starts_agent()
        for way in ("given", "typed"):
            if way == "given":
                self.ok(self.alice, "unlock", "--pin-file", self.pin, secret=None)
            else:
                shown = Screen(self, self.alice, "unlock", secret=None)
                shown.sees("PIN of slot")
                shown.enters(PIN)
                self.assertEqual(shown.ends(), 0, shown.plain)
            agent = self.ok(self.alice, "agent", "status", "--json", secret=None).result["agent"]
            image = memory(agent["pid"])
            self.assertIn(self.alice.vault.encode(), image, "the search finds what is there")
            self.assertNotIn(PIN.encode(), image, way)
            self.ok(self.alice, "lock", secret=None)
        shown = Screen(self, self.alice, "--no-agent", "vault", "slot", "rm", "recovery", secret=None)
        shown.sees("PIN of slot")
        shown.enters(PIN)
        shown.sees(r"\[y/N\]")
        image = memory(shown.process.pid)
        self.assertIn(self.alice.vault.encode(), image, "the search finds what is there")
        self.assertNotIn(PIN.encode(), image)
        shown.enters("n")
        shown.ends()

    def test_the_last_way_in_by_a_person_stays(self):
        self.add("--no-pin")
        self.ok(self.alice, "vault", "slot", "rm", "recovery", "-y", secret="passphrase")
        self.refused(6, "lastSlot", "vault", "slot", "rm", "passphrase", "-y", secret="passphrase")
        self.ok(self.alice, "vault", "slot", "rm", "tpm2", "-y", secret="passphrase")
        self.refused(5, "locked", "secret", "list")

    def test_a_slot_is_replaced_when_the_chip_is_another_one(self):
        slot = self.add("--no-pin")
        self.chip.exchange()
        self.ok(self.alice, "vault", "slot", "set", "tpm2", "--new-pin-file", self.pin)
        again = self.slots()[-1]
        self.assertNotEqual((again["number"], again["pin"]), (slot["number"], False))
        self.ok(self.alice, "--pin-file", self.pin, "secret", "list", secret=None)

    def test_variables_that_make_the_library_talk_are_of_no_effect(self):
        self.add("--new-pin-file", self.pin)
        log = self.alice.path("tss-log")
        usual = self.alice.run("--pin-file", self.pin, "secret", "list", secret=None)
        opened = self.alice.run("--pin-file", self.pin, "secret", "list", secret=None, TSS2_LOG="all+TRACE", TSS2_LOGFILE=log)
        self.assertEqual((opened.code, opened.output, opened.talk), (0, usual.output, usual.talk))
        self.assertFalse(os.path.exists(log))

    def is_locked(self) -> bool:
        return self.ok(self.alice, "agent", "status", "--json", secret=None).result["agent"]["locked"]

    def test_the_agent_opens_a_slot_without_a_pin_by_itself_and_one_with_a_pin_by_the_pin(self):
        self.install("hsip-agent")
        slot = self.add("--new-pin-file", self.pin)
        self.addCleanup(self.alice.run, "agent", "stop", secret=None)
        self.refused(6, "pinWrong", "unlock", "--with", "tpm2", "--pin-file", self.wrong)
        for words in (("--with", "tpm2", "--pin-file", self.pin), ("--with", str(slot["number"]), "--pin-file", self.pin),
                      ("--pin-file", self.pin)):
            self.assertFalse(self.ok(self.alice, "unlock", *words, "--json", secret=None).result["agent"]["locked"])
            self.ok(self.alice, "lock", secret=None)
        self.ok(self.alice, "vault", "slot", "set", "tpm2", "--no-pin")
        self.ok(self.alice, "unlock", "--with", "tpm2", "--no-input", secret=None)
        self.assertFalse(self.is_locked())

    def test_the_agent_asks_at_the_terminal_for_the_pin_and_says_what_a_wrong_one_costs(self):
        self.add("--new-pin-file", self.pin)
        self.starts_agent()
        shown = Screen(self, self.alice, "secret", "list", secret=None)
        left = []
        for typed in (OTHER, PIN):
            left.append(int(shown.sees(r"PIN of slot \d+ \(the TPM accepts (\d+) wrong ones\), or Enter").group(1)))
            shown.enters(typed)
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertIn("That PIN was wrong", shown.plain)
        self.assertEqual(left[1], left[0] - 1)
        self.assertFalse(self.is_locked())
        self.ok(self.alice, "lock", secret=None)
        shown = Screen(self, self.alice, "unlock", secret=None)
        shown.sees("PIN of slot")
        shown.enters()
        shown.sees("Passphrase")
        shown.enters(PASSPHRASE)
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertFalse(self.is_locked())

    def test_the_agent_asks_in_a_window_for_the_pin_or_the_passphrase(self):
        self.add("--new-pin-file", self.pin)
        told, answers = self.alice.path("files", "told"), self.alice.path("files", "answers")
        programs = self.alice.path("files", "programs")
        os.mkdir(programs)
        pinentry = os.path.join(programs, "pinentry")
        with open(pinentry, "w", encoding="ascii") as script:
            script.write(f"""#!/bin/sh
echo OK
while read -r line; do
    echo "$line" >>{told}
    if [ "$line" = GETPIN ]; then
        head -n 1 {answers}; sed -i 1d {answers}
    fi
    echo OK
done
""")
        os.chmod(pinentry, 0o700)
        self.starts_agent(PATH=f"{programs}:/usr/bin:/bin", DISPLAY=":7")

        def asks(code: int, *typed: str) -> str:
            with open(answers, "w", encoding="ascii") as file:
                file.write("".join(f"D {word}\n" if word else "# nothing\n" for word in typed))
            with open(told, "w", encoding="ascii"):
                pass
            self.ends(code, self.alice, "secret", "list", secret=None)
            with open(told, encoding="utf-8") as file:
                return file.read()

        question = asks(6, OTHER)
        self.assertRegex(question, r"SETDESC .*PIN of slot \d+ \(the TPM accepts \d+ wrong ones\), or Enter for the passphrase")
        self.assertIn("SETPROMPT PIN:", question)
        self.assertTrue(self.is_locked())
        asks(0, PIN)
        self.ok(self.alice, "lock", secret=None)
        self.assertIn("SETPROMPT Passphrase", asks(0, "", PASSPHRASE))
        self.assertFalse(self.is_locked())

    def test_the_pin_answers_a_request_from_another_terminal(self):
        self.ok(self.alice, "secret", "set", "mail", given="battery-staple")
        self.add("--new-pin-file", self.pin)
        programs = self.alice.path("files", "programs")
        os.mkdir(programs)
        pinentry = os.path.join(programs, "pinentry")
        with open(pinentry, "w", encoding="ascii") as script:
            script.write("#!/bin/sh\necho OK\nwhile read -r line; do [ \"$line\" != GETPIN ] || exec sleep 60; echo OK; done\n")
        os.chmod(pinentry, 0o700)
        self.starts_agent(PATH=f"{programs}:/usr/bin:/bin", DISPLAY=":7")
        self.ok(self.alice, "unlock", "--with", "tpm2", "--pin-file", self.pin, secret=None)
        script = self.alice.start("secret", "get", "mail", secret=None, stdin=subprocess.DEVNULL)
        self.addCleanup(script.communicate)
        self.addCleanup(script.kill)
        while not (waiting := self.ok(self.alice, "agent", "requests", "--json", secret=None).result["requests"]):
            self.assertIsNone(script.poll())
        shown = Screen(self, self.alice, "agent", "requests", "answer", str(waiting[0]["number"]), secret=None)
        for typed in (OTHER, PIN):
            shown.sees("PIN of slot")
            shown.enters(typed)
        shown.sees("Number: ")
        shown.enters("once")
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertEqual(script.communicate()[0], b"battery-staple")

    def test_a_person_at_the_terminal_is_offered_the_pin_without_naming_it(self):
        self.add("--new-pin-file", self.pin)
        for answers, says in (((OTHER, PIN), "wrong PIN"), (("abc", PIN), "PIN"), (("", PASSPHRASE), "Passphrase")):
            with self.subTest(answers):
                shown = Screen(self, self.alice, "--no-agent", "secret", "list", secret=None)
                shown.sees(r"PIN of slot \d+ \(the TPM accepts \d+ wrong ones\), or Enter for the passphrase")
                shown.enters(answers[0])
                shown.sees(says)
                shown.sees(":")
                shown.enters(answers[1])
                self.assertEqual(shown.ends(), 0, shown.plain)
        # A chip that does not open the slot is not asked.
        self.chip.exchange()
        shown = Screen(self, self.alice, "--no-agent", "secret", "list", secret=None)
        shown.sees("Passphrase or recovery code")
        self.assertNotIn("PIN of slot", shown.plain)
        shown.enters(PASSPHRASE)
        self.assertEqual(shown.ends(), 0, shown.plain)

    def test_doctor_looks_at_the_chip_where_a_slot_needs_it(self):
        self.assertNotIn("TPM", self.alice.run("doctor", "-v").output)
        self.add("--no-pin")
        self.assertIn("the TPM answers", self.alice.run("doctor", "-v").output)


if __name__ == "__main__":
    unittest.main()
