"""What was asked of git, docker, `run` and `inject` with a vault in a file, asked again of one in GNOME Keyring."""

import unittest

import keyring as kr
import test_helpers
import test_secret_run
from house import AT_THE_DESKTOP


def setUpModule():
    if kr.missing():
        raise unittest.SkipTest(kr.missing())


class Git(test_helpers.Git):
    world = AT_THE_DESKTOP

    def test_locked_or_unknown_it_says_nothing(self):
        self.git("store", **self.SITE, username="alice", password="x")
        self.alice.keyring.lock()
        for act in ("get", "store", "erase"):
            done = self.helper("git", act, "protocol=https\nhost=example.org\nusername=alice\npassword=x\n", HSIP_NO_INPUT="1")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""), act)


class Cloning(test_helpers.Cloning):
    world = AT_THE_DESKTOP


class Docker(test_helpers.Docker):
    world = AT_THE_DESKTOP

    def test_locked_is_an_error_and_nothing_else(self):
        self.store("ghcr.io", "alice", "x")
        self.alice.keyring.lock()
        done = self.helper("docker", "get", "ghcr.io", HSIP_NO_INPUT="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"locked", done.stdout)
        self.assertNotIn(b"alice", done.stdout)


class Run(test_secret_run.Run):
    world = AT_THE_DESKTOP

    def test_what_is_not_to_be_had_starts_nothing(self):
        self.alice.keyring.lock()
        outcome = self.alice.run("--no-input", "run", "--", "echo", "started", SECRET="vault:text")
        self.assertEqual((outcome.code, outcome.data), (125, b""), outcome)


class Inject(test_secret_run.Inject):
    world = AT_THE_DESKTOP
    MANY = 8


if __name__ == "__main__":
    unittest.main()
