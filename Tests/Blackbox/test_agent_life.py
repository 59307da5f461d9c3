"""The agent from outside: where it listens, when it locks, what happens around it, and how it ends."""

import concurrent.futures
import os
import shutil
import socket
import stat
import time
import unittest

import agents as ag
import control_wire as cw
import ssh_keys as sk
from house import FAKETIME, FRIENDS, PASSPHRASE, Case
from screen import Screen


class Life(Case):
    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()

    def status(self) -> dict:
        with cw.Connection(self.alice.path("run", "hsip", "control.sock")) as connection:
            return connection.status()

    def test_it_listens_where_only_its_owner_may(self):
        agent = ag.Hsip(self.alice, secret=None)
        facts = os.lstat(agent.folder)
        self.assertEqual((stat.S_IMODE(facts.st_mode), facts.st_uid), (0o700, os.getuid()))
        for path in (agent.socket, agent.control):
            facts = os.lstat(path)
            self.assertTrue(stat.S_ISSOCK(facts.st_mode))
            self.assertEqual(stat.S_IMODE(facts.st_mode), 0o600)

    def test_started_and_stopped_by_the_program(self):
        self.ok(self.alice, "agent", "start", secret=None)
        first = ag.strays()
        self.assertEqual(len(first), 1)
        self.assertTrue(self.status()["isLocked"])
        self.ok(self.alice, "unlock")
        self.assertFalse(self.status()["isLocked"])
        self.ok(self.alice, "agent", "restart", secret=None)
        self.assertTrue(self.status()["isLocked"], "a restart locks")
        self.assertNotIn(first[0], ag.strays())
        self.ok(self.alice, "agent", "stop", secret=None)
        self.assertFalse(os.path.exists(self.alice.path("run", "hsip", "control.sock")))

    def test_ten_first_commands_at_once_use_one_agent(self):
        for _ in range(5):
            with concurrent.futures.ThreadPoolExecutor(10) as pool:
                outcomes = list(pool.map(lambda _: self.alice.run("unlock"), range(10)))
            self.assertEqual([outcome.code for outcome in outcomes], [0] * 10, outcomes)
            self.assertEqual(len(ag.strays()), 1)
            self.ok(self.alice, "agent", "stop", secret=None)

    def test_shared_memory_that_is_cut_under_an_agent_ends_nothing(self):
        agent = ag.Hsip(self.alice)
        self.ok(self.alice, "contact", "list", "--no-input", secret=None)
        for size in (0, 100):
            os.truncate(self.alice.vault + "-shm", size)
            self.ok(self.alice, "secret", "set", f"a{size}", "--no-input", given="x\n", secret=None)
            self.assertFalse(self.status()["isLocked"])
        agent.lock()
        self.ok(self.alice, "vault", "check")

    def test_locked_and_open(self):
        agent = ag.Hsip(self.alice, secret=None)
        self.ends(5, self.alice, "contact", "list", "--no-input", secret=None)
        agent.unlock()
        self.ok(self.alice, "contact", "list", "--no-input", secret=None)
        agent.lock()
        self.ends(5, self.alice, "contact", "list", "--no-input", secret=None)

    def test_what_works_on_the_file_says_why_it_needs_the_passphrase_although_the_agent_is_open(self):
        ag.Hsip(self.alice)
        for words in (("vault", "check"), ("vault", "slot", "list"), ("vault", "backup", self.alice.path("files", "copy"))):
            with self.subTest(words=words):
                told = self.refused("locked", self.alice, *words, secret=None).json["error"]["message"]
                self.assertIn("even while the agent is unlocked", told)
                self.ok(self.alice, *words)
        told = self.refused("locked", self.alice, "--no-agent", "vault", "check", secret=None).json["error"]["message"]
        self.assertNotIn("agent", told)
        screen = Screen(self, self.alice, "vault", "check", secret=None)
        screen.sees(r"opens the vault file itself,\s+even while the agent is\s+unlocked")
        screen.enters(PASSPHRASE)
        self.assertEqual(screen.ends(), 0)

    def test_a_signal_ends_it_and_one_locks_it(self):
        agent = ag.Hsip(self.alice)
        agent.process.send_signal(ag.signal.SIGHUP)
        end = time.monotonic() + ag.DEADLINE
        while not agent.status()["isLocked"]:
            self.assertLess(time.monotonic(), end, "it never locked")
        agent.process.terminate()
        self.assertEqual(agent.wait(), 0)
        self.assertEqual(os.listdir(agent.folder).count("ssh.sock"), 0)

    def test_what_is_left_of_a_dead_one_is_taken_away(self):
        agent = ag.Hsip(self.alice, secret=None)
        agent.kill()
        self.assertTrue(os.path.exists(agent.socket))
        agent.start()
        agent.unlock()

    def test_a_place_that_is_taken_is_left_alone(self):
        folder = self.alice.path("run", "hsip")
        os.mkdir(folder, 0o700)
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(os.path.join(folder, "control.sock"))
            other.listen()
            agent = ag.Hsip(self.alice, starts=False)
            self.assertNotEqual(agent.wait(), 0)
            self.assertIn("control.sock", agent.log)
        agent.end()
        os.unlink(os.path.join(folder, "control.sock"))
        with open(os.path.join(folder, "ssh.sock"), "w", encoding="ascii") as file:
            file.write("a file")
        agent = ag.Hsip(self.alice, starts=False)
        self.assertNotEqual(agent.wait(), 0)
        self.assertEqual(sk.read(os.path.join(folder, "ssh.sock")), b"a file")

    def test_two_for_one_vault(self):
        first = ag.Hsip(self.alice)
        second = ag.Hsip(self.alice, starts=False)
        self.assertNotEqual(second.wait(), 0)
        self.assertEqual(self.status()["pid"], first.pid)

    def test_a_folder_that_others_may_write(self):
        os.chmod(self.alice.path("run"), 0o777)
        os.mkdir(self.alice.path("run", "hsip"), 0o777)
        os.chmod(self.alice.path("run", "hsip"), 0o777)
        agent = ag.Hsip(self.alice, starts=False)
        self.assertNotEqual(agent.wait(), 0, agent.log)

    def test_without_a_runtime_folder(self):
        agent = ag.Hsip(self.alice, secret=None, XDG_RUNTIME_DIR=None)
        folder = self.alice.path("state", "hsip", "run")
        self.assertTrue(stat.S_ISSOCK(os.lstat(os.path.join(folder, "control.sock")).st_mode))
        self.ok(self.alice, "unlock", XDG_RUNTIME_DIR=None)
        with cw.Connection(os.path.join(folder, "control.sock")) as connection:
            status = connection.status()
        self.assertEqual((status["pid"], status["isLocked"]), (agent.pid, False))

    def test_with_no_memory_to_lock(self):
        before = ("setpriv", "--bounding-set=-ipc_lock", "prlimit", "--memlock=0:0") if os.getuid() == 0 else (
            "prlimit", "--memlock=0:0")
        agent = ag.Hsip(self.alice, before=before)
        self.assertIn("memory", agent.log)
        status = self.status()
        self.assertFalse(status["isMemoryLocked"], status)

    @unittest.skipUnless(FAKETIME, "faketime is not installed")
    def test_the_clock_of_the_machine_says_nothing_about_the_lock(self):
        clock = self.alice.write("files/clock", "+0")
        agent = ag.Hsip(self.alice, **ag.clock(None, FAKETIME_TIMESTAMP_FILE=clock))
        for moved in ("+20y", "-20y", "+0"):
            self.alice.write("files/clock", moved)
            self.assertFalse(agent.status()["isLocked"], moved)


class Neighbours(Case):
    """Others change the vault while the agent has it open."""

    world = FRIENDS

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        self.agent = ag.Hsip(self.alice)

    def test_each_sees_what_the_other_did(self):
        self.ok(self.alice, "contact", "set", "bob", "--alias", "robert", "--no-agent")
        self.assertIn("robert", self.ok(self.alice, "contact", "list", secret=None).output)
        self.agent.agreed("contact", "set", "robert", "--alias", "bob", secret=None)
        self.assertIn("bob", self.ok(self.alice, "contact", "list", "--no-agent").output)
        self.is_friendly(self.alice, self.bob)

    def test_a_key_that_comes_is_there_for_ssh_and_one_that_goes_is_not(self):
        self.ok(self.alice, "ssh", "key", "generate", "work", "--no-agent")
        self.assertEqual(len(self.agent.keys()), 1)
        self.ok(self.alice, "ssh", "key", "rm", "work", "-y", "--no-agent")
        self.assertEqual(self.agent.keys(), [])

    def test_other_slots_do_not_close_it(self):
        self.alice.write("secrets/new", "quite another passphrase\n")
        self.ok(self.alice, "vault", "slot", "add", "passphrase", "--new-passphrase-file", self.alice.secret_file("new"),
                "--no-input")
        self.ok(self.alice, "contact", "list", "--no-input", secret=None)
        self.agent.lock()
        self.agent.unlock("new")

    def test_another_vault_in_its_place(self):
        for place, folders, names in os.walk(self.bob.path("data", "hsip")):
            for name in names:
                os.replace(os.path.join(place, name), self.alice.path("data", "hsip", name))
        outcome = self.alice.run("contact", "list", "--no-input", secret=None)
        self.assertNotEqual(outcome.code, 0, outcome)
        self.assertNotIn("alice", outcome.output, "Bob's contacts are not hers to see")
        self.assertTrue(self.agent.status()["isLocked"])

    def test_a_vault_that_is_gone_is_said_and_locks(self):
        shutil.rmtree(self.alice.path("data", "hsip"))
        outcome = self.alice.run("contact", "list", "--no-input", secret=None)
        self.assertIn(outcome.code, (3, 12), outcome)
        self.assertTrue(self.agent.status()["isLocked"])

    def test_eight_at_once(self):
        running = [self.alice.start("encrypt", "bob", secret=None) for _ in range(8)]
        messages = [process.communicate(b"text %d" % number, timeout=100) for number, process in enumerate(running)]
        self.assertEqual([process.returncode for process in running], [0] * 8, messages)
        self.assertEqual(len({message for message, _ in messages}), 8)
        for number, (message, _) in enumerate(messages):
            self.assertEqual(self.ok(self.bob, "decrypt", given=message).output.strip(), f"text {number}")


if __name__ == "__main__":
    unittest.main()
