"""What the agent and its commands say where something is not as expected, and that the way out they name is one."""

import glob
import os
import shutil
import struct
import subprocess
import sys
import unittest

import agents as ag
import control_wire as cw
import keyring as kr
import keyring_items as ki
from house import AT_THE_DESKTOP, PASSPHRASE, Case, newcomer
from prompter import Prompter
from screen import CONTROL_C, Screen


class Words(Case):
    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()

    def test_an_agent_of_another_vault_is_passed_over(self):
        agent = ag.Hsip(self.alice)
        self.bob = newcomer("bob")
        shared = {"XDG_RUNTIME_DIR": self.alice.path("run")}
        outcome = self.ok(self.bob, "contact", "list", "--json", **shared)
        self.assertIn("agentPassedOver", outcome.warnings)
        outcome = self.ok(self.bob, "contact", "list", **shared)
        hint = next(line for line in outcome.talk.splitlines() if "hint" in line)
        self.assertIn(f"hsip --vault {self.bob.vault} unlock", hint)
        outcome = self.ends(12, self.bob, "unlock", "--json", **shared)
        self.assertEqual(outcome.json["error"]["code"], "otherVault")
        # The hint is a command that works: a path has sockets of its own.
        self.ok(self.bob, "--vault", self.bob.vault, "unlock", **shared)
        outcome = self.ok(self.bob, "--vault", self.bob.vault, "contact", "list", "--json", secret=None, **shared)
        self.assertEqual(outcome.warnings, [])
        self.assertFalse(agent.status()["isLocked"])

    def test_who_leaves_the_question_leaves_it_to_the_next(self):
        agent = ag.Hsip(self.alice, secret=None)
        first = Screen(self, self.alice, "unlock", secret=None)
        first.sees("Passphrase")
        second = Screen(self, self.alice, "unlock", secret=None)
        second.sees("waiting for an answer at " + os.readlink(f"/proc/{first.process.pid}/fd/0"))
        first.types(CONTROL_C)
        self.assertEqual(first.ends(), 130)
        second.sees("Passphrase")
        second.enters(PASSPHRASE)
        self.assertEqual(second.ends(), 0)
        self.assertFalse(agent.status()["isLocked"])

    def test_one_answer_serves_both_who_wait(self):
        ag.Hsip(self.alice, secret=None)
        first = Screen(self, self.alice, "unlock", secret=None)
        first.sees("Passphrase")
        second = Screen(self, self.alice, "unlock", secret=None)
        second.sees("waiting for an answer at " + os.readlink(f"/proc/{first.process.pid}/fd/0"))
        first.enters(PASSPHRASE)
        self.assertEqual((first.ends(), second.ends()), (0, 0))
        self.assertNotIn("Passphrase", second.text)

    def test_a_vault_that_is_not_there_has_no_agent(self):
        agent = ag.Hsip(self.alice, "--vault", "nope", starts=False)
        self.assertEqual(agent.wait(), 3)
        self.assertIn("hsip init", agent.log)
        self.assertFalse(os.path.exists(self.alice.path("run", "hsip", "nope")))

    def test_a_runtime_folder_that_is_not_there_is_named(self):
        gone = self.alice.path("gone")
        outcome = self.ends(12, self.alice, "agent", "start", "--json", secret=None, XDG_RUNTIME_DIR=gone)
        self.assertEqual(outcome.json["error"]["hint"], "hsip doctor")
        outcome = self.alice.run("doctor", "--json", secret=None, XDG_RUNTIME_DIR=gone)
        found = [check for check in outcome.result["findings"] if "XDG_RUNTIME_DIR" in check["message"]]
        self.assertEqual([check["hint"] for check in found], ["unset XDG_RUNTIME_DIR"])
        self.ok(self.alice, "agent", "start", secret=None, XDG_RUNTIME_DIR=None)
        self.ok(self.alice, "agent", "stop", secret=None, XDG_RUNTIME_DIR=None)

    def test_without_the_agent_there_is_nothing_to_unlock(self):
        for words in (("unlock",), ("lock",), ("agent", "start"), ("agent", "status"), ("agent", "terminal")):
            outcome = self.ends(2, self.alice, "--no-agent", *words, "--json", secret=None)
            self.assertEqual(outcome.json["error"]["hint"], "hsip " + " ".join(words))
        self.assertEqual(ag.strays(), [])

    def test_every_shell_finds_it(self):
        socket = self.alice.path("run", "hsip", "ssh.sock")
        outcome = self.ok(self.alice, "agent", "env", secret=None)
        self.assertIn("no agent is running", outcome.talk)
        ag.Hsip(self.alice, secret=None)
        for shell in ("sh", "bash", "zsh", "fish"):
            outcome = self.ok(self.alice, "agent", "env", "--shell", shell, secret=None)
            self.assertEqual(outcome.talk, "")
            self.assertIn(socket, outcome.output)
            if shutil.which(shell) and shell != "fish":
                said = subprocess.run([shell, "-c", outcome.output + 'printf %s "$SSH_AUTH_SOCK"'], capture_output=True)
                self.assertEqual(said.stdout.decode(), socket)

    def test_a_killed_one_is_told_from_none(self):
        outcome = self.ends(12, self.alice, "agent", "status", secret=None)
        self.assertIn("no agent is running", outcome.talk)
        ag.Hsip(self.alice, secret=None).kill()
        outcome = self.ends(12, self.alice, "agent", "status", secret=None)
        self.assertIn("has ended and left its socket behind", outcome.talk)

    def test_warnings_about_one_rule_give_their_hint_once(self):
        outcome = self.ok(self.alice, "agent", "rule", "add", "way", "allow", "--kind", "login", "--subject", "none",
                          "--user", "u", "--host", "one.example.org", "--via", "two.example.org", "--for", "1d")
        self.assertEqual(outcome.talk.count("applies to nothing now"), 3, outcome)
        self.assertEqual(outcome.talk.count("hsip: hint: hsip agent rule rm way"), 1, outcome)

    def test_an_option_of_another_name_leads_to_the_one_that_is_meant(self):
        for wrong, right in (("--key", "--subject"), ("--ends", "--for"), ("--until", "--for"), ("--kid", "--kind")):
            outcome = self.ends(2, self.alice, "agent", "rule", "add", "x", "allow", wrong, "y")
            self.assertIn(f"unknown option '{wrong}'. Did you mean '{right}'?", outcome.talk)

    def test_a_rule_that_fits_nothing_is_warned_about(self):
        self.ok(self.alice, "ssh", "key", "generate", "work")
        for name, words in (("one", ("--subject", "wrok")), ("two", ("--program", "/usr/bin/nope")),
                            ("three", ("--host", "nowhere.example.org")), ("four", ("--kind", "raw", "--host", "x.org")),
                            ("seven", ("--inside", "/usr/bin/neither"))):
            outcome = self.ok(self.alice, "agent", "rule", "add", name, "deny", *words, "--json")
            self.assertIn("ruleFitsNothing", outcome.warnings, words)
        # The kernel names the file that a process runs: never a link to it, nor a script.
        script = self.alice.write("files/script", "#!/bin/sh\n", 0o700)
        os.symlink(os.path.realpath("/bin/sh"), self.alice.path("files", "link"))
        for name, inside, what in (("ten", os.path.realpath(self.alice.path("files")) + "/link", "is a link"),
                                   ("eleven", os.path.realpath(script), "is a script")):
            outcome = self.ok(self.alice, "agent", "rule", "add", name, "deny", "--inside", inside)
            self.assertIn(what, outcome.talk)
        outcome = self.ok(self.alice, "agent", "rule", "add", "twelve", "deny", "--kind", "raw", "--inside",
                          os.path.realpath("/bin/sh"), "--json")
        self.assertEqual(outcome.warnings, [])
        outcome = self.ok(self.alice, "agent", "rule", "add", "five", "deny", "--subject", "work", "--json")
        self.assertEqual(outcome.warnings, [])
        self.ok(self.alice, "secret", "set", "db/prod", given="v")
        outcome = self.ok(self.alice, "agent", "rule", "add", "six", "allow", "--kind", "read", "--subject", "db/prod",
                          "--json", "-y")
        self.assertEqual(outcome.warnings, [])
        outcome = self.ok(self.alice, "agent", "rule", "add", "eight", "each", "--inside", "unit:tools.slice", "--json")
        rule = outcome.result["rule"]
        self.assertEqual((rule["effect"], rule["inside"]), ("each", "unit:tools.slice"))
        for words in (("--inside", "unit:tools.slice"), ("--kind", "read", "--inside", "/usr/bin/sh")):
            outcome = self.ends(13, self.alice, "agent", "rule", "add", "nine", "allow", *words, "--json")
            self.assertEqual(outcome.json["error"]["code"], "badRule")
        self.ends(13, self.alice, "agent", "rule", "add", "nine", "deny", "--inside", "tools.slice")
        # Scripts get every column, people those that say something.
        self.assertEqual({len(line.split("\t")) for line in self.ok(self.alice, "agent", "rule", "list").lines}, {13})
        screen = Screen(self, self.alice, "agent", "rule", "list")
        self.assertEqual(screen.ends(), 0)
        self.assertNotIn("NAMESPACE", screen.plain)
        self.assertIn("/usr/bin/nope", screen.plain)

    def test_settings(self):
        outcome = self.ok(self.alice, "config", "--json", secret=None)
        self.assertEqual([(one["key"], one["value"], one["from"]) for one in outcome.result["settings"]],
                         [("prompt", "auto", "default"), ("service.plain", "allow", "default")])
        self.ok(self.alice, "config", "prompt", "terminal", secret=None)
        self.assertEqual(self.ok(self.alice, "config", "prompt", secret=None).lines, ["terminal"])
        self.assertEqual(self.ok(self.alice, "config", secret=None).lines, ["prompt\tterminal\tconfig", "service.plain\tallow\tdefault"])
        # The vaults that are recorded in the same file are still there.
        self.ok(self.alice, "contact", "list")
        for words in (("prompt", "loud"), ("colour",), ("prompt", "auto", "--unset"), ("--unset",), ("service.plain", "maybe")):
            self.ends(2, self.alice, "config", *words, secret=None)
        self.assertEqual(self.ok(self.alice, "config", "prompt", secret=None).lines, ["terminal"])
        self.ok(self.alice, "config", "service.plain", "refuse", secret=None)
        self.assertEqual(self.ok(self.alice, "config", "service.plain", secret=None).lines, ["refuse"])
        self.ok(self.alice, "config", "service.plain", "--unset", secret=None)
        self.ok(self.alice, "config", "prompt", "--unset", secret=None)
        self.assertEqual(self.ok(self.alice, "config", "prompt", "--json", secret=None).result["settings"][0]["from"],
                         "default")

    def stranger(self, name: str) -> subprocess.Popen:
        """A program of this name that serves the control socket and speaks an older protocol."""
        folder = self.alice.path("run", "hsip")
        os.makedirs(folder, 0o700, exist_ok=True)
        program = self.alice.path("files", name)
        shutil.copy2(os.path.realpath(sys.executable), program)
        error = b'{"error":{"exitCode":12,"name":"agentVersion","message":"the agent is of another version",' \
            b'"hint":"hsip agent restart"}}'
        frame = struct.pack(">IBI", 5 + len(error), 3, 0) + error
        script = f"""
import json, socket
with socket.socket(socket.AF_UNIX) as listener:
    listener.bind({os.path.join(folder, "control.sock")!r})
    listener.listen()
    print("ready", flush=True)
    while True:
        client, _ = listener.accept()
        with client:
            try:
                first = client.recv(65536)
                # A hello is JSON in every version.
                if json.loads(first[9:])["hello"]["protocol"] != 3:
                    client.sendall({frame!r})
            # Some look who is here, and leave without a word.
            except (OSError, ValueError):
                pass
"""
        process = subprocess.Popen([program, "-IS", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   env={"PATH": "/usr/bin:/bin", "PYTHONHOME": sys.base_prefix})
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stdout.close()))
        self.assertEqual(process.stdout.readline(), b"ready\n")
        return process

    def test_an_agent_of_another_version_is_ended(self):
        process = self.stranger("hsip-agent")
        outcome = self.ends(12, self.alice, "agent", "status", "--json", secret=None)
        self.assertEqual(outcome.json["error"]["hint"], "hsip agent restart")
        self.ok(self.alice, "agent", "restart", secret=None)
        self.assertIsNotNone(process.wait(ag.DEADLINE))
        with cw.Connection(self.alice.path("run", "hsip", "control.sock")) as connection:
            self.assertTrue(connection.status()["isLocked"])

    def test_something_else_at_its_socket_is_named_and_left_alone(self):
        process = self.stranger("stranger")
        outcome = self.ends(12, self.alice, "agent", "stop", "--json", secret=None)
        self.assertEqual(outcome.json["error"]["code"], "agentNotStopped")
        self.assertEqual(outcome.json["error"]["hint"], f"kill {process.pid}")
        self.assertIsNone(process.poll())


@unittest.skipIf(kr.missing(), str(kr.missing()))
class Keyring(Case):
    """A vault file with a key slot in the keyring, open in the agent."""

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()

    def test_the_keyring_remembers_what_the_agent_opened(self):
        self.alice.start_keyring()
        self.ok(self.alice, "vault", "slot", "add", "keyring", secret="recovery")
        memory = glob.glob(self.alice.path("state", "hsip", "keyring-*"))
        for path in memory:
            os.unlink(path)
        agent = ag.Hsip(self.alice, secret=None, **self.alice.keyring.environment())
        self.ok(self.alice, "unlock", "--no-input", secret=None)
        self.assertFalse(agent.status()["isLocked"])
        agent.lock()
        for _ in range(10_000):
            if glob.glob(self.alice.path("state", "hsip", "keyring-*")):
                break
            agent.status()
        else:
            self.fail("the keyring was told of nothing")


@unittest.skipIf(kr.missing(), str(kr.missing()))
class LockedKeyring(Case):
    """A vault in the keyring, which is locked, and an agent that is to open it."""

    world = AT_THE_DESKTOP
    DESKTOP = {"DISPLAY": ":99"}

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        self.agent = ag.Hsip(self.alice, secret=None, **self.alice.keyring.environment())
        self.alice.keyring.lock()

    def test_unlock_asks_the_keyring_for_its_password_and_nobody_for_a_passphrase(self):
        person = Prompter(self, self.alice.keyring, kr.PASSWORD)
        outcome = self.ok(self.alice, "unlock", secret=None, **self.DESKTOP)
        self.assertEqual(len(person.asked), 1, outcome)
        self.assertNotIn("assphrase", outcome.output + outcome.talk)
        self.assertFalse(self.agent.status()["isLocked"])

    def test_that_the_root_was_put_back_is_said_behind_the_agent_once(self):
        ring = self.alice.keyring
        person = Prompter(self, ring, kr.PASSWORD)
        self.ok(self.alice, "unlock", secret=None, **self.DESKTOP)
        self.assertEqual(len(person.asked), 1)
        self.ok(self.alice, "secret", "set", "mine", given="hunter2")
        vault = ki.header(ring)["vault"]
        made = ring.secret_tool("store", "--label=Theirs", "name", "vault", "vault", vault, given="junk")
        self.assertEqual(made.returncode, 0, made)
        self.assertIn("hsip put the item back", self.ok(self.alice, "secret", "list").talk)
        self.assertNotIn("put back", self.ok(self.alice, "secret", "list").talk)

    def test_over_ssh_unlock_says_that_the_keyring_is_locked(self):
        outcome = self.alice.run("unlock", "--json", secret=None, SSH_TTY="/dev/pts/9", **self.DESKTOP)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (5, "keyringLocked"), outcome)


del Case

if __name__ == "__main__":
    unittest.main()
