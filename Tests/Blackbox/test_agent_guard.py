"""What the agent gives up at its start, seen from outside: by what the kernel says of the process."""

import os
import signal
import subprocess
import unittest

import agents as ag
import control_wire as cw
import ssh_keys as sk
from house import Case


class Guard(Case):
    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()

    def facts(self, pid: int) -> dict[str, str]:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            return {name: value.strip() for name, value in (line.split(":", 1) for line in file)}

    def test_the_kernel_filters_its_calls(self):
        facts = self.facts(ag.Hsip(self.alice, secret=None).pid)
        self.assertEqual((facts["NoNewPrivs"], facts["Seccomp"]), ("1", "2"))

    def test_it_leaves_no_core(self):
        agent = ag.Hsip(self.alice, secret=None)
        with open(f"/proc/{agent.pid}/limits", encoding="ascii") as file:
            core = next(line.split() for line in file if line.startswith("Max core file size"))
        self.assertEqual(core[4:6], ["0", "0"])

    def test_it_keeps_nothing_that_it_inherited(self):
        secret = self.alice.write("files/secret", "not for the agent")
        # A shell opens the descriptor and hands it on, as the tests' own starting of programs would close it.
        agent = ag.Hsip(self.alice, secret=None, before=("sh", "-c", 'exec "$@" 9<"$0"', secret))
        held = []
        for name in os.listdir(f"/proc/{agent.pid}/fd"):
            try:
                held.append(os.readlink(f"/proc/{agent.pid}/fd/{name}"))
            except FileNotFoundError:
                pass  # The agent closed it since the list was read, so it is none that it was started with.
        self.assertIn("socket:", "".join(held))
        self.assertNotIn(secret, held)

    def test_it_says_what_is_in_force(self):
        agent = ag.Hsip(self.alice, secret=None)
        with cw.Connection(agent.control) as connection:
            said = connection.status()["hardening"]
        for measure in ("not dumpable", "no core", "no new privileges", "seccomp"):
            self.assertIn(measure, said)

    def locks(self, agent: ag.Hsip):
        """Waits until it has locked; to ask how it stands is no use that would put the lock off."""
        with cw.Connection(agent.control) as connection:
            for _ in range(1_000_000):
                if connection.status()["isLocked"]:
                    return
        self.fail("it never locked")

    def test_a_signal_locks_it(self):
        agent = ag.Hsip(self.alice)
        agent.process.send_signal(signal.SIGHUP)
        self.locks(agent)

    def test_a_signal_drops_what_was_lent(self):
        agent = ag.Hsip(self.alice)
        lent = sk.make(self.alice.path("files", "lent"), "ed25519", "", "lent")
        self.assertEqual(agent.add("-q", lent).returncode, 0, agent.log)
        self.assertEqual(len(agent.keys()), 1)
        agent.process.send_signal(signal.SIGUSR1)
        for _ in range(1_000):
            if not agent.keys():
                break
        self.assertEqual(agent.keys(), [])
        with cw.Connection(agent.control) as connection:
            self.assertFalse(connection.status()["isLocked"])

    def test_without_use_it_locks_by_itself(self):
        self.locks(ag.Hsip(self.alice, "--idle", "1"))

    def test_when_its_socket_is_taken_away_it_ends(self):
        for name in ("control.sock", "ssh.sock"):
            agent = ag.Hsip(self.alice)
            os.unlink(os.path.join(agent.folder, name))
            self.assertEqual(agent.wait(), 0)
            self.assertIn(name, agent.log)
            agent.end()

    def test_words_that_it_does_not_know(self):
        for words in (["--valut", "x"], ["--idle", "0"], ["--ready-fd"]):
            done = subprocess.run([ag.program(), *words], capture_output=True, timeout=100, env=self.alice.environment())
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(words[0].encode(), done.stderr)


if __name__ == "__main__":
    unittest.main()
