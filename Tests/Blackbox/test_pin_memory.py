"""PINs after they were typed: the memory of the agent, of hsip and of the helpers is searched for them."""

import contextlib
import os
import threading
import time
import unittest

import strace
import test_fido2 as fido2
import test_ssh_touch as touch
import test_tpm as tpm
from house import PASSPHRASE
from screen import Screen
from test_agent_memory import memory
from test_ssh_touch import setUpModule  # noqa: F401

EXIT_GROUP = {"x86_64": "231", "aarch64": "94"}.get(os.uname().machine, "")
PAUSED = """#!/bin/sh
exec {strace} -f -qq -o /dev/null -e trace=exit_group -e inject=exit_group:delay_enter=1500000 -- {helper} "$@"
"""


def may_search() -> bool:
    return strace.may_attach() and EXIT_GROUP != ""


class Watch(threading.Thread):
    """Looks for a needle in each process of a program: while it works, and when it is about to end."""

    def __init__(self, program: str, needle: bytes):
        super().__init__(daemon=True)
        self.program, self.needle, self.goes = os.path.realpath(program), needle, True
        # By process: whether the needle was there while it worked, and at its end.
        self.working, self.ending = {}, {}

    def run(self):
        while self.goes:
            for pid in filter(str.isdigit, os.listdir("/proc")):
                with contextlib.suppress(OSError):
                    if os.readlink(f"/proc/{pid}/exe") == self.program:
                        self.look(pid)
            time.sleep(0.01)

    def look(self, pid: str):
        def ends() -> bool:
            with open(f"/proc/{pid}/syscall", encoding="ascii") as call:
                return call.read().split()[0] == EXIT_GROUP
        before = ends()
        image = memory(int(pid))
        if b"hsip-hardware" not in image:
            return
        found = self.needle in image
        place = self.ending if before and ends() else self.working
        place[pid] = place.get(pid, False) or found

    def end(self):
        self.goes = False
        self.join()


@contextlib.contextmanager
def watched(case, program: str, needle: str):
    """A helper that waits before it ends, and is searched until then."""
    place = case.alice.path("bin", "hsip-hardware")
    os.remove(place)
    real = case.alice.path("bin", "real-hsip-hardware")
    os.symlink(program, real)
    with open(place, "w", encoding="ascii") as script:
        script.write(PAUSED.format(strace=strace.STRACE, helper=real))
    os.chmod(place, 0o700)
    watch = Watch(program, needle.encode())
    watch.start()
    try:
        yield watch
    finally:
        watch.end()


@unittest.skipUnless(may_search(), "only root may search the memory of a process that is not dumpable")
class SecurityKeyPIN(fido2.KeyCase):
    def types(self, *words: str, agent: bool = True) -> Screen:
        shown = Screen(self, self.alice, *(() if agent else ("--no-agent",)), *words, secret=None)
        shown.sees("it accepts 8 wrong ones")
        shown.enters(fido2.PIN)
        shown.sees("Touch the security key")
        return shown

    def nothing_is_left(self, pid: int):
        image = memory(pid)
        self.assertIn(self.alice.vault.encode(), image, "the search finds what is there")
        self.assertNotIn(fido2.PIN.encode(), image)

    def test_nothing_is_left_in_agent_hsip_and_helper(self):
        key = self.key(pin=fido2.PIN, touch="slow")
        self.add("--new-pin-file", self.pin)
        self.starts_agent()
        shown = self.types("unlock")
        self.assertEqual(shown.ends(), 0, shown.plain)
        agent = self.ok(self.alice, "agent", "status", "--json", secret=None).result["agent"]
        self.assertFalse(agent["locked"])
        self.nothing_is_left(agent["pid"])
        # A program of the agent cannot be traced.
        with watched(self, fido2.HELPER, fido2.PIN) as watch:
            shown = self.types("vault", "slot", "rm", "recovery", agent=False)
            shown.sees(r"\[y/N\]")
            self.nothing_is_left(shown.process.pid)
            shown.enters("n")
            shown.ends()
            # One looked for keys and one gave the PIN to the key: it is in neither when it ends.
            self.assertGreaterEqual(len(watch.ending), 2, watch.ending)
            key.take_out()
            key.plug_in(touch="never")
            shown = self.types("secret", "list", agent=False)
            touch.until(lambda: any(watch.working.values()))
            shown.enters()
            shown.sees("Passphrase")
            shown.enters(PASSPHRASE)
            self.assertEqual(shown.ends(), 0, shown.plain)
        # The search found it while the key waited for a touch.
        self.assertFalse(any(watch.ending.values()), watch.ending)


@unittest.skipUnless(may_search(), "only root may search the memory of a process that is not dumpable")
class ChipPIN(tpm.TPMCase):
    def test_the_helper_never_has_the_pin(self):
        self.add("--new-pin-file", self.pin)
        with watched(self, tpm.HELPER, tpm.PIN) as watch:
            shown = Screen(self, self.alice, "--no-agent", "secret", "list", secret=None)
            shown.sees("PIN of slot")
            shown.enters(tpm.PIN)
            self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertTrue(watch.ending)
        self.assertFalse(any(watch.working.values()) or any(watch.ending.values()), (watch.working, watch.ending))


@unittest.skipUnless(may_search(), "only root may search the memory of a process that is not dumpable")
class LoginPIN(touch.TouchCase):
    def test_nothing_is_left_in_the_agent_and_no_helper_stays(self):
        path = self.key("ring", "ed25519-sk", "-O", "verify-required")
        self.says("pin", touch.PIN)
        for ends in ("touch", "hangs up", "lock"):
            self.says("pins", touch.PIN + "\n")
            with self.subTest(ends=ends):
                visitor, server = self.waits(path, "slow" if ends == "touch" else "never")
                running = self.helpers()
                self.assertNotEqual(running, [])
                for pid in running:
                    for name in ("cmdline", "environ"):
                        with contextlib.suppress(OSError), open(f"/proc/{pid}/{name}", "rb") as file:
                            self.assertNotIn(touch.PIN.encode(), file.read())
                if ends == "touch":
                    self.assertEqual(visitor.wait(60), 0, (server.log, self.agent.log))
                elif ends == "hangs up":
                    visitor.kill()
                else:
                    self.agent.lock()
                    self.assertEqual(visitor.wait(60), 255, server.log)
                touch.until(lambda: not self.helpers())
                # The answer of the helper and the end of the request are not one moment.
                touch.until(lambda: touch.PIN.encode() not in memory(self.agent.pid))
                self.assertIn(self.alice.vault.encode(), memory(self.agent.pid), "the search finds what is there")


if __name__ == "__main__":
    unittest.main()
