"""What keeps hsip from a TPM or a security key: each error by its name, with its way out, and the vault that opens otherwise.

The room of a command is a mount namespace of its own: there a device belongs to somebody else, or a library is missing.
"""

import glob
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import unittest

import test_fido2 as fido2
import test_tpm as tpm
from house import BINARY, PASSPHRASE, ROOT
from screen import Screen

REAL = os.path.join(os.path.dirname(BINARY), "hsip-hardware") if BINARY else ""
STRANGER = 65533
# A folder of devices in the place of /dev, with a TPM that one group may use.
CHIP = (f'mkdir -p "$HOME/dev" && mount -t tmpfs -o mode=755 none "$HOME/dev" && cd "$HOME/dev" && '
        f"cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty . && mknod tpmrm0 c 1 3 && "
        f"chown {STRANGER}:{STRANGER} tpmrm0 && chmod 660 tpmrm0 && mount --bind . /dev && cd / && ")
# A key with the usage page of FIDO, as the system shows it, and its device.
KEY = ('mount -t tmpfs none /sys/class && mkdir -p /sys/class/hidraw/hidraw0/device && '
       r"printf '\006\320\361\011\001\241\001' >/sys/class/hidraw/hidraw0/device/report_descriptor && "
       f"{CHIP.replace('tpmrm0', 'hidraw0')}")
# Root may open what it owns, and no more.
NOBODY = 'exec setpriv --bounding-set=-dac_override,-dac_read_search --groups {group} "$@"'
CARRIER = """
import os, socket, sys
link = socket.socket(socket.AF_UNIX)
link.connect(sys.argv[1])
def take(read, count):
    data = b""
    while len(data) < count:
        part = read(count - len(data))
        if not part:
            sys.exit()
        data += part
    return data
def whole(read):
    head = take(read, 10)
    return head + take(read, int.from_bytes(head[2:6], "big") - 10)
while True:
    link.sendall(whole(lambda count: os.read(0, count)))
    os.write(1, whole(link.recv))
"""


def may_mount() -> bool:
    return os.geteuid() == 0 and subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"],
                                                capture_output=True).returncode == 0


def library(name: str) -> str | None:
    return next(iter(glob.glob(f"/usr/lib/*-linux-gnu/{name}")), None)


def room(script: str) -> tuple[str, ...]:
    return ("unshare", "-m", "sh", "-c", script, "sh")


class Denied:
    """How a device that hsip cannot use is told."""

    def says(self, name: str, way: str | None, *words: str, before: tuple[str, ...] = (), **how):
        """The error of a command, alone and with a hint that names the way out; the vault opens by its passphrase."""
        outcome = self.alice.run(*words, "--json", before=before, **how)
        self.assertEqual(outcome.code, 12, outcome)
        error = outcome.json["error"]
        self.assertEqual(error["code"], name)
        self.assertIn(way or "", error.get("hint") or "")
        self.assertEqual(bool(way), bool(error.get("hint")), error)
        plain = self.alice.run(*words, before=before, **how)
        self.assertEqual((plain.code, plain.data), (12, b""), plain)
        self.check_talk(plain)
        self.ok(self.alice, "--with", "passphrase", "secret", "list", secret="passphrase", before=before)

    def has_the_real_helper(self):
        place = self.alice.path("bin", "hsip-hardware")
        os.remove(place)
        os.symlink(REAL, place)


OPENS = ("--with", "tpm2", "secret", "list")
TOUCHES = ("--with", "fido2", "secret", "list")


class TPM(Denied, tpm.TPMCase):
    @unittest.skipUnless(may_mount(), "only root may mount")
    def test_a_tpm_of_another_group_and_the_way_into_it(self):
        self.add("--no-pin")
        self.has_the_real_helper()
        stays_out = room(CHIP + NOBODY.format(group=0))
        self.says("tpmDenied", "sudo usermod -aG tss $USER", *OPENS, before=stays_out, secret=None)
        self.says("tpmDenied", "sudo usermod -aG tss $USER", "vault", "slot", "add", "tpm2", "--no-pin", before=stays_out)
        self.assertIn("usermod -aG tss", self.alice.run("doctor", before=stays_out).output)
        # A device that swallows everything is no TPM, but a member of the group gets to it.
        self.says("tpmFailed", "hsip doctor", *OPENS, before=room(CHIP + NOBODY.format(group=STRANGER)), secret=None)

    @unittest.skipUnless(may_mount(), "only root may mount")
    def test_each_library_of_the_tpm_that_is_missing(self):
        self.add("--no-pin")
        self.has_the_real_helper()
        for name in ("libtss2-esys.so.0", "libtss2-mu.so.0", "libtss2-tcti-device.so.0"):
            with self.subTest(name):
                missing = room(CHIP + f'mount --bind /dev/null {library(name)} && exec "$@"')
                self.says("noHardwareLibrary", "apt install libtss2-esys-3.0.2-0 libtss2-tcti-device0", *OPENS,
                          before=missing, secret=None)

    def test_a_tpm_that_was_cleared(self):
        self.add("--no-pin")
        # TPM2_Clear by the platform hierarchy, whose password is empty after a start.
        self.tells(0x126, struct.pack(">IIIHBH", 0x4000000C, 9, 0x40000009, 0, 0, 0))
        self.says("tpmOther", "hsip vault slot set tpm2", *OPENS, secret=None)
        self.refused(5, "locked", "secret", "list")
        self.ok(self.alice, "vault", "slot", "set", "tpm2", "--no-pin", secret="passphrase")
        self.ok(self.alice, *OPENS, secret=None)

    def test_a_tpm_with_an_owner_password_and_the_storage_key_of_the_guide(self):
        self.add("--no-pin")
        # TPM2_HierarchyChangeAuth of the owner.
        self.tells(0x129, struct.pack(">IIIHBHH", 0x40000001, 9, 0x40000009, 0, 0, 0, 5) + b"owner")
        self.says("tpmOwned", "tpm2_evictcontrol", *OPENS, secret=None)
        self.says("tpmOwned", "tpm2_evictcontrol", "vault", "slot", "add", "tpm2", "--no-pin")
        if shutil.which("tpm2_evictcontrol") is None:
            self.skipTest("no tpm2-tools, so that nobody keeps a storage key")
        self.alice.write("files/OWNER", "owner")
        with open(os.path.join(ROOT, "docs", "guide.md"), encoding="utf-8") as guide:
            commands = re.search(r"```sh\n(tpm2_createprimary .*?)```", guide.read(), re.DOTALL).group(1)
        reach = f"cmd:{sys.executable} {self.alice.write('files/carrier', CARRIER)} {self.alice.path('bin', 'socket')}"
        subprocess.run(["sh", "-ec", commands], check=True, capture_output=True, cwd=self.alice.path("files"),
                       env=self.alice.environment(TPM2TOOLS_TCTI=reach))
        # No resource manager lets go of what the commands loaded.
        self.chip.stop()
        self.chip.start()
        self.ok(self.alice, "vault", "slot", "set", "tpm2", "--no-pin")
        self.ok(self.alice, *OPENS, secret=None)

    def tells(self, number: int, words: bytes):
        """Lets the chip do a command with a session of an empty password."""
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(os.path.join(self.chip.folder, "socket"))
            link.sendall(struct.pack(">HII", 0x8002, 10 + len(words), number) + words)
            self.assertEqual(link.recv(4096)[6:10], bytes(4))


class SecurityKey(Denied, fido2.KeyCase):
    @unittest.skipUnless(may_mount(), "only root may mount")
    def test_a_security_key_that_belongs_to_another_login(self):
        self.key()
        self.add()
        self.has_the_real_helper()
        stays_out = room(KEY + NOBODY.format(group=0))
        self.says("securityKeyDenied", "log in at the computer itself", *TOUCHES, before=stays_out, secret=None)
        self.says("securityKeyDenied", "log in at the computer itself", "vault", "slot", "add", "fido2", before=stays_out)
        self.assertIn("may not use the security key", self.alice.run("doctor", before=stays_out).output)
        self.says("noSecurityKey", None, *TOUCHES, before=room(KEY + NOBODY.format(group=STRANGER)), secret=None)

    @unittest.skipUnless(may_mount(), "only root may mount")
    def test_the_library_of_security_keys_is_missing(self):
        self.key()
        self.add()
        missing = room(f'mount --bind /dev/null {library("libfido2.so.1")} && exec "$@"')
        self.says("noHardwareLibrary", "apt install libfido2-1", *TOUCHES, before=missing, secret=None)
        self.says("noHardwareLibrary", "apt install libfido2-1", "vault", "slot", "add", "fido2", before=missing)

    def test_a_key_that_is_taken_out_while_it_waits_for_a_touch(self):
        key = self.key()
        self.add()
        key.take_out()
        for words, way in ((TOUCHES, "plug it in again"), (("vault", "slot", "add", "fido2", "--with", "passphrase"), "again")):
            key.plug_in(touch="never")
            with self.subTest(words):
                shown = Screen(self, self.alice, "--no-agent", *words, secret=None)
                if "passphrase" in words:
                    shown.sees("Passphrase")
                    shown.enters(PASSPHRASE)
                shown.sees("Touch the security key")
                key.take_out()
                self.assertEqual(shown.ends(), 12, shown.plain)
                self.assertIn("the security key was unplugged", shown.plain)
                self.assertIn(way, shown.plain)
        self.ok(self.alice, "--with", "passphrase", "secret", "list", secret="passphrase")
        self.assertEqual(len(self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"]), 3)
        key.plug_in(touch="yes")
        self.ok(self.alice, *TOUCHES, secret=None)

    def test_a_key_that_nobody_named_and_that_is_taken_out_leaves_the_passphrase(self):
        key = self.key()
        self.add()
        key.take_out()
        self.starts_agent()
        for words in (("unlock",), ("--no-agent", "secret", "list")):
            key.plug_in(touch="never")
            with self.subTest(words):
                shown = Screen(self, self.alice, *words, secret=None)
                shown.sees("Touch the security key")
                key.take_out()
                shown.sees("Passphrase")
                shown.enters(PASSPHRASE)
                self.assertEqual(shown.ends(), 0, shown.plain)


if __name__ == "__main__":
    unittest.main()
