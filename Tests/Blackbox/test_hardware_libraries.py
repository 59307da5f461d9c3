"""Which program loads the libraries of devices while a vault opens by a TPM or a security key: hsip-hardware alone."""

import os
import re
import unittest

import strace
import test_fido2 as fido2
import test_tpm as tpm
from screen import Screen
from test_ssh_touch import until

LIBRARIES = ("libtss2", "libfido2", "libcbor", "libudev", "libcrypto")
OPENED = re.compile(r'^\d+<([^>]*)> +openat\(.*"([^"]*\.so[^"]*)".*\) = \d')
# What this person's vault opens by: the words, and a library that the helper needs for it.
WAYS = ((("--with", "tpm2"), "libtss2-esys"), (("--with", "fido2"), "libfido2"))


@unittest.skipUnless(strace.may_attach() and os.path.exists("/usr/bin/swtpm"), "only root may look into hsip, and swtpm is needed")
class Libraries(fido2.KeyCase):
    def setUp(self):
        super().setUp()
        chip = tpm.Chip(self.folder)
        self.addCleanup(chip.stop)
        self.security_key = self.key()
        self.add()
        self.ok(self.alice, "vault", "slot", "add", "tpm2", "--no-pin")

    def test_hsip_leaves_them_to_the_helper(self):
        log = self.alice.path("files", "calls")
        words = ("-f", "-qq", "-Y", "-o", log, "-e", "trace=openat", "--")
        for way, library in (*WAYS, (("--with", "passphrase"), None)):
            with self.subTest(way):
                self.ok(self.alice, "--no-agent", *way, "secret", "list", before=(strace.STRACE, *words),
                        secret=None if library else "passphrase")
                with open(log, encoding="utf-8") as file:
                    opened = [found.groups() for found in map(OPENED.match, file) if found]
                self.assertTrue(any("libsodium" in path for program, path in opened if program == "hsip"), opened)
                by = {program for program, path in opened if os.path.basename(path).startswith(LIBRARIES)}
                self.assertEqual(by, {"hsip-hardware"} if library else set(), opened)
                self.assertEqual(any(library in path for _, path in opened) if library else False, library is not None)

    def mapped(self, pid: int | str) -> set[str]:
        """The libraries in the memory of a process; none of one that has ended."""
        try:
            with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
                return {os.path.basename(line.split()[-1]) for line in maps if ".so" in line}
        except (FileNotFoundError, ProcessLookupError):
            return set()

    def test_the_agent_leaves_them_to_the_helper(self):
        self.addCleanup(self.alice.run, "agent", "stop", secret=None)
        for way, library in (*WAYS, (("--with", "passphrase"), None)):
            with self.subTest(way):
                self.ok(self.alice, "unlock", *way, secret=None if library else "passphrase")
                status = self.ok(self.alice, "agent", "status", "--json", secret=None).result["agent"]
                self.assertFalse(status["locked"])
                has = self.mapped(status["pid"])
                self.assertTrue(any(name.startswith("libsodium") for name in has), has)
                self.assertEqual([name for name in has if name.startswith(LIBRARIES)], [])
                self.ok(self.alice, "lock", secret=None)
        # The helper has it while the key waits, so that the search would find it.
        self.security_key.take_out()
        self.security_key.plug_in(touch="never")
        shown = Screen(self, self.alice, "unlock", "--with", "fido2", secret=None)
        shown.sees("Touch the security key")
        until(lambda: any(any(name.startswith("libfido2") for name in self.mapped(pid)) for pid in self.helpers()))
        shown.types("\x03")
        shown.ends()
        self.ok(self.alice, "unlock", secret="passphrase")

    def helpers(self) -> list[str]:
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{pid}/exe") == os.path.realpath(fido2.HELPER):
                    found.append(pid)
            except OSError:
                continue
        return found


if __name__ == "__main__":
    unittest.main()
