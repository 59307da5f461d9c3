"""Sockets that the service manager hands over: clients wait for an agent that is not there yet."""

import os
import shutil
import signal
import socket
import stat
import subprocess
import unittest

import agents as ag
import control_wire as cw
from house import Case

ACTIVATE = shutil.which("systemd-socket-activate")


@unittest.skipUnless(ACTIVATE, "systemd-socket-activate is not installed")
class Activation(Case):
    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        self.folder = self.alice.path("run", "hsip")
        os.mkdir(self.folder, 0o700)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, f"{name}.sock")

    def start(self, names: str, *paths: str) -> subprocess.Popen:
        """The manager's part: it listens, and starts the agent when somebody comes."""
        variables = [f"-E{name}={value}" for name, value in self.alice.environment().items()]
        words = [word for path in paths for word in ("-l", path)]
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", ACTIVATE, *variables, *words, f"--fdname={names}", ag.program()],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self.alice.home)
        self.addCleanup(self.end, process)
        # It says that it listens, a line for each socket.
        for _ in paths:
            self.assertIn(b"Listening on", process.stderr.readline())
        return process

    def end(self, process: subprocess.Popen):
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stderr.close()

    def said(self, process: subprocess.Popen) -> str:
        return process.stderr.read().decode()

    def test_the_first_client_starts_it_and_is_answered(self):
        process = self.start("control:ssh", self.path("control"), self.path("ssh"))
        with cw.Connection(self.path("control")) as connection:
            status = connection.status()
        self.assertEqual(status["pid"], process.pid)
        self.assertTrue(status["isLocked"])
        self.ok(self.alice, "unlock")
        self.assertEqual(subprocess.run(["ssh-add", "-l"], capture_output=True, timeout=100,
                                        env=self.alice.environment(SSH_AUTH_SOCK=self.path("ssh"))).returncode, 1)

    def test_the_sockets_stay_when_it_ends(self):
        process = self.start("control:ssh", self.path("control"), self.path("ssh"))
        with cw.Connection(self.path("control")) as connection:
            connection.status()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(ag.DEADLINE), 0)
        for name in ("control", "ssh"):
            self.assertTrue(stat.S_ISSOCK(os.lstat(self.path(name)).st_mode), "clients wait there for the next one")

    def test_what_is_not_handed_over_it_makes(self):
        self.start("ssh", self.path("ssh"))
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(self.path("ssh"))
            client.sendall(b"\0\0\0\1\x0b")
            self.assertTrue(client.recv(5))
        with cw.Connection(self.path("control")) as connection:
            connection.status()

    def refused(self, names: str, *paths: str):
        process = self.start(names, *paths)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(paths[0])
        self.assertEqual(process.wait(ag.DEADLINE), 12)
        self.assertIn("passed as", self.said(process))

    def test_a_name_that_it_does_not_know(self):
        self.refused("control:other", self.path("control"), self.path("ssh"))

    def test_one_name_twice(self):
        self.refused("ssh:ssh", self.path("control"), self.path("ssh"))

    def test_names_changed_round(self):
        self.refused("ssh:control", self.path("control"), self.path("ssh"))

    def test_another_place(self):
        self.refused("control:ssh", self.alice.path("files", "control.sock"), self.path("ssh"))

    def test_no_names_at_all(self):
        self.refused("", self.path("control"), self.path("ssh"))

    def test_a_socket_that_others_may_write(self):
        process = self.start("control:ssh", self.path("control"), self.path("ssh"))
        os.chmod(self.path("ssh"), 0o666)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(self.path("control"))
        self.assertEqual(process.wait(ag.DEADLINE), 12)


if __name__ == "__main__":
    unittest.main()
