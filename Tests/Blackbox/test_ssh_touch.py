"""SSH keys in a security key: made by ssh-keygen, kept in the vault, and used through ssh-sk-helper by a real sshd's visitors.

The security key is a library in software. A small program in the place of ssh-sk-helper names it to the real one, as our agent
asks for the keys that are plugged in.
"""

import base64
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import agents as ag
import ssh_keys as sk
import sshd
from house import Case

REAL = next((path for path in ("/usr/lib/openssh/ssh-sk-helper", "/usr/libexec/openssh/ssh-sk-helper",
                               "/usr/lib/ssh/ssh-sk-helper") if os.access(path, os.X_OK)), None)
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "security_key.c")
PIN, OTHER = "2580blue", "0815-red"

HELPER = """#!{python} -IS
import subprocess, sys
given = sys.stdin.buffer.read()
internal, library = b"internal", {library!r}.encode()
named = given[4:].replace(len(internal).to_bytes(4, "big") + internal, len(library).to_bytes(4, "big") + library)
done = subprocess.run([{real!r}], input=len(named).to_bytes(4, "big") + named, stdout=subprocess.PIPE)
sys.stdout.buffer.write(done.stdout)
"""

PINENTRY = """#!/bin/sh
# Says yes to questions, types the PINs of a file, one a question, and lets a touch be waited for.
echo OK
while read -r line; do
    echo "$line" >>{place}/asked
    case "$line" in
    "SETPROMPT "*) prompt=${{line#SETPROMPT }} ;;
    CONFIRM*) [ -e {place}/closes ] || exec sleep 1000 ;;
    GETPIN)
        case "$prompt" in
        PIN:)
            pin=$(head -n 1 {place}/pins)
            sed -i 1d {place}/pins
            [ -n "$pin" ] || {{ echo 'ERR 83886179 Operation cancelled <Pinentry>'; continue; }}
            echo "D $pin" ;;
        *) echo 'D yes' ;;
        esac ;;
    esac
    echo OK
done
"""


def setUpModule():
    if sshd.missing() or ag.missing():
        raise unittest.SkipTest(sshd.missing() or ag.missing())
    if REAL is None or shutil.which("gcc") is None or not os.path.exists("/usr/include/openssl/evp.h"):
        raise unittest.SkipTest("no ssh-sk-helper, no gcc, or no headers of OpenSSL")


class TouchCase(Case):
    """Alice, her security key, and her agent, which asks in a window."""

    def setUp(self):
        super().setUp()
        # Short, and readable by sshd.
        self.place = tempfile.mkdtemp(prefix="hsip-touch-")
        self.addCleanup(shutil.rmtree, self.place, ignore_errors=True)
        self.library = os.path.join(self.place, "key.so")
        subprocess.run(["gcc", "-shared", "-fPIC", "-Wno-deprecated-declarations", f'-DPLACE="{self.place}"', "-o",
                        self.library, SOURCE, "-lcrypto"], check=True)
        self.helper = self.program("helper", HELPER.format(python=sys.executable, library=self.library, real=REAL))
        os.mkdir(os.path.join(self.place, "bin"))
        self.program("bin/pinentry", PINENTRY.format(place=self.place))
        self.says("pins", "")
        self.agent = self.starts()

    def starts(self, *words: str, **environment: str | None) -> ag.Hsip:
        agent = ag.Hsip(self.alice, *words, **({"SSH_SK_HELPER": self.helper, "DISPLAY": ":7",
                                        "PATH": f"{self.place}/bin:/usr/bin:/bin"} | environment))
        self.addCleanup(agent.end)
        return agent

    def program(self, name: str, text: str) -> str:
        path = self.says(name, text)
        os.chmod(path, 0o700)
        return path

    def says(self, name: str, text: str) -> str:
        path = os.path.join(self.place, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def unsaid(self, name: str):
        os.remove(os.path.join(self.place, name))

    def read(self, name: str) -> str:
        path = os.path.join(self.place, name)
        text = sk.read(path).decode() if os.path.exists(path) else ""
        # Names are shown between marks that keep their direction.
        return text.replace("\u2068", "").replace("\u2069", "")

    def last(self) -> dict:
        return self.ok(self.alice, "audit", "--kind", "sign", "--json", secret=None).result["entries"][-1]

    def waits(self, path: str, touch: str = "never", answers=lambda: None) -> tuple[subprocess.Popen, sshd.Server]:
        """A login that waits for the touch."""
        self.says("touch", touch)
        self.says("told", "")
        server = sshd.Server(self, authorized=(sk.read(path + ".pub").decode(),))
        visitor = subprocess.Popen(
            ["ssh", "-F", "none", "-o", "UserKnownHostsFile=/dev/null", "-o", "StrictHostKeyChecking=no", "-o", "BatchMode=yes",
             "-o", "IdentityFile=none", "-o", f"User={server.user}", "-p", str(server.port), server.address, "echo hello"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, start_new_session=True,
            env=self.alice.environment(**self.agent.environment()))
        self.addCleanup(lambda: (visitor.kill(), visitor.wait()))
        answers()
        until(lambda: "blinks" in self.read("told"))
        return visitor, server

    def helpers(self) -> list[str]:
        """The processes that run our program in the place of ssh-sk-helper, or the real one for it."""
        found = []
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/cmdline", "rb") as file:
                    words = file.read()
                with open(f"/proc/{number}/environ", "rb") as file:
                    environment = file.read()
            except OSError:
                continue
            if self.helper.encode() in words or (REAL.encode() in words and not environment):
                found.append(number)
        return found

    def key(self, name: str = "ring", kind: str = "ed25519-sk", *options: str, application: bytes | None = None) -> str:
        """A key that ssh-keygen made in the security key, imported; with `application` instead of ssh:web."""
        path = self.made(name, kind, *options)
        if application:
            for file, start, end in ((path, 1, -2), (path + ".pub", 0, 1)):
                lines = sk.read(file).split(b"\n")
                words = lines[0].split() if start == 0 else [b"".join(lines[start:end])]
                place = 1 if start == 0 else 0
                words[place] = base64.b64encode(base64.b64decode(words[place]).replace(b"ssh:web", application))
                text = b" ".join(words) if start == 0 else b"\n".join([lines[0], words[0], lines[-2]])
                with open(file, "wb") as out:
                    out.write(text + b"\n")
        outcome = self.ok(self.alice, "ssh", "key", "import", path, "--json")
        self.assertEqual(outcome.result["files"][0]["key"]["state"], "active")
        # The vault alone has the handle from now on.
        os.remove(path)
        return path

    def made(self, name: str, kind: str = "ed25519-sk", *options: str, comment: str | None = None) -> str:
        """A key that ssh-keygen made in the security key; its file has the handle."""
        path = os.path.join(self.place, name)
        sk.tool("ssh-keygen", "-q", "-t", kind, "-w", self.library, "-N", "", "-C", comment or name, "-f", path, *options)
        return path

    def visit(self, path: str, before: str = "") -> tuple[subprocess.CompletedProcess, sshd.Server]:
        """A login with the key to a real sshd, whose key the vault knows; `before` stands before the key in authorized_keys."""
        server = sshd.Server(self, authorized=(before + sk.read(path + ".pub").decode(),))
        known = self.says("known_hosts", f"{server.name} {server.public()}\n")
        self.ok(self.alice, "--no-agent", "ssh", "host", "import", known)
        words = [word for setting in (
            f"UserKnownHostsFile={known}", "GlobalKnownHostsFile=none", "BatchMode=yes", "IdentityFile=none",
            f"User={server.user}", "StrictHostKeyChecking=yes") for word in ("-o", setting)]
        done = self.agent.tool("ssh", "-F", "none", *words, "-p", str(server.port), server.address, "echo hello")
        return done, server

    def logs_in(self, path: str, before: str = ""):
        done, server = self.visit(path, before)
        self.assertEqual((done.returncode, done.stdout), (0, b"hello\n"), (done, server.log, self.agent.log))

    def stays_out(self, path: str, reason: str):
        """ssh gets in by no key, and the log says why."""
        done, server = self.visit(path)
        self.assertEqual(done.returncode, 255, (done, server.log))
        self.assertIn(b"Permission denied", done.stderr)
        entry = self.ok(self.alice, "audit", "--kind", "sign", "--json", secret=None).result["entries"][-1]
        self.assertEqual((entry["verdict"], entry["reason"]), ("failed", reason), self.agent.log)


class Touches(TouchCase):
    def test_a_touch_logs_in_with_keys_of_both_types(self):
        self.says("touch", "slow")
        for kind in ("ed25519-sk", "ecdsa-sk"):
            with self.subTest(kind=kind):
                path = self.key(kind, kind)
                self.assertEqual(self.agent.keys(), [sk.beside(path)])
                self.logs_in(path)
                self.assertEqual(self.read("told").splitlines()[-2:], ["blinks", "signed"])
                self.ok(self.alice, "ssh", "key", "rm", kind, secret=None)
        asked = self.read("asked")
        self.assertIn("Touch the security key of “ed25519-sk”.", asked)
        self.assertIn("SETOK Cancel\nCONFIRM --one-button", asked)
        self.assertNotIn("Passphrase", asked)
        self.assertEqual(self.read("counter"), "2\n")

    def test_a_key_without_a_touch_shows_nothing(self):
        path = self.key("ring", "ed25519-sk", "-O", "no-touch-required")
        self.logs_in(path, "no-touch-required ")
        self.assertNotIn("Touch", self.read("asked"))

    def test_the_pin_is_asked_for_when_the_key_wants_it(self):
        path = self.key("ring", "ed25519-sk", "-O", "verify-required")
        self.says("pin", PIN)
        self.says("pins", PIN + "\n")
        self.logs_in(path)
        self.assertIn("PIN of the security key of “ring”", self.read("asked"))
        # A wrong one is asked for once more, and the right one logs in.
        self.says("pins", f"{OTHER}\n{PIN}\n")
        self.logs_in(path)
        self.assertIn("SETERROR That PIN was wrong.", self.read("asked"))
        self.says("told", "")
        self.says("pins", f"{OTHER}\n{OTHER}\n{PIN}\n")
        self.stays_out(path, "pinWrong")
        self.assertEqual(self.read("told"), "wrong\nwrong\n")
        # A PIN that no key has costs no try.
        self.says("told", "")
        self.says("pins", "123\n" + "9" * 64 + "\n")
        self.stays_out(path, "pinWrong")
        self.says("pins", "\n")
        self.stays_out(path, "promptDismissed")
        self.assertEqual(self.read("told"), "")

    def test_a_pin_that_can_be_asked_for_nowhere(self):
        path = self.key()
        self.says("pin", PIN)
        self.agent.end()
        self.agent = self.starts(PATH="/usr/bin:/bin", DISPLAY=None, SSH_ASKPASS=None, SSH_ASKPASS_REQUIRE=None)
        self.stays_out(path, "pinNeeded")

    def test_a_key_that_is_not_there_or_not_touched(self):
        path = self.key()
        self.says("away", "")
        self.stays_out(path, "noSecurityKey")
        self.unsaid("away")
        self.says("touch", "late")
        self.stays_out(path, "touchTimeout")
        self.says("touch", "no")
        self.stays_out(path, "securityKeyFailed")
        self.unsaid("touch")
        self.logs_in(path)

    def test_a_signature_without_the_touch_that_the_key_demands(self):
        path = self.key()
        self.says("careless", "")
        self.stays_out(path, "securityKeyFailed")

    def test_the_window_ends_the_wait(self):
        path = self.key()
        self.says("touch", "never")
        self.says("closes", "")
        self.stays_out(path, "promptDismissed")

    def test_who_hangs_up_ends_the_wait(self):
        visitor, _ = self.waits(self.key())
        self.assertNotEqual(self.helpers(), [])
        visitor.kill()
        visitor.wait()
        until(lambda: not self.helpers())
        until(lambda: self.last()["reason"] == "cancelled")

    def test_a_lock_ends_the_wait(self):
        path = self.key()
        visitor, server = self.waits(path)
        self.ok(self.alice, "lock", secret=None)
        self.assertEqual(visitor.wait(60), 255, server.log)
        until(lambda: not self.helpers())
        self.assertNotIn("signed", self.read("told"))

    def test_without_ssh_sk_helper(self):
        path = self.key()
        self.agent.end()
        self.agent = self.starts(SSH_SK_HELPER="/nowhere/ssh-sk-helper")
        self.stays_out(path, "helperMissing")

    def test_it_signs_files_and_commits(self):
        path = self.key()
        self.ok(self.alice, "ssh", "key", "set", "ring", "--sign", "git", secret=None)
        self.assertEqual(self.ok(self.alice, "ssh", "signing-key", secret=None).output.split()[1], sk.beside(path).split()[1])
        message = self.says("message", "hello\n")
        done = self.agent.tool("ssh-keygen", "-q", "-Y", "sign", "-n", "git", "-f", path + ".pub", message)
        self.assertEqual(done.returncode, 0, done)
        checked = self.agent.tool("ssh-keygen", "-Y", "check-novalidate", "-n", "git", "-s", message + ".sig",
                                  given=b"hello\n")
        self.assertEqual(checked.returncode, 0, checked)

    def test_a_key_that_is_not_for_ssh_alone_signs_no_other_data(self):
        wide = self.key("wide", "ed25519-sk", "-O", "application=ssh:wide")
        self.assertEqual(self.agent.tool("ssh-add", "-T", wide + ".pub").returncode, 0)
        path = self.key("web", "ed25519-sk", "-O", "application=ssh:web", application=b"https:x")
        self.assertNotEqual(self.agent.tool("ssh-add", "-T", path + ".pub").returncode, 0)
        self.assertEqual((self.last()["verdict"], self.last()["reason"]), ("failed", "denied"))
        self.logs_in(path)

    def test_it_is_listed_and_kept_and_cannot_be_replaced(self):
        path = self.key()
        shown = self.ok(self.alice, "ssh", "key", "show", "ring", "--json", secret=None).json
        self.assertIn("sk-ssh-ed25519@openssh.com", str(shown))
        for words in ((), ("--type", "ed25519")):
            error = self.ends(6, self.alice, "ssh", "key", "rotate", "ring", *words, "--json").json["error"]
            self.assertEqual(error["code"], "sshKeyInHardware")
        self.ok(self.alice, "ssh", "key", "set", "ring", "--name", "blue", secret=None)
        self.logs_in(path)


def until(is_so):
    end = time.monotonic() + ag.DEADLINE
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError("not in time")
        time.sleep(0.02)


if __name__ == "__main__":
    unittest.main()
