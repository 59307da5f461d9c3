"""Helpers of git and docker that keep logins in the Secret Service: open, locked with a yes, locked with a no."""

import glob
import json
import os
import shutil
import subprocess
import unittest

import agents as ag
from house import PASSPHRASE
from service_case import ServiceCase

DOCKER = shutil.which("docker-credential-secretservice")
GIT = "/usr/share/doc/git/contrib/credential/libsecret/git-credential-libsecret.c"
SERVER = "https://index.example.org/v1/"
LOGIN = "protocol=https\nhost=example.org\nusername=joe\n"


class Helper(ServiceCase):
    def from_shell(self, *words: str, given: str) -> subprocess.Popen:
        """From a shell that runs commands: no script started it."""
        return self.front.client("/bin/sh", "-c", '"$@"; exit $?', "sh", *words, given=given)

    def ends(self, process: subprocess.Popen) -> tuple[int, str]:
        output, errors = process.communicate(timeout=ag.DEADLINE)
        return process.returncode, output or errors

    def check(self, store, get, erase):
        """Stores, reads with a yes for good, reads over a lock with a yes and with a no, and erases.

        Anybody can run such a helper, so that it made an item says nothing.
        """
        self.assertEqual(self.ends(store())[0], 0, self.front.log)
        process = get()
        self.assertIn("every program that uses", self.asked("always"))
        self.assertIn("correct horse", self.ends(process)[1])
        self.agent.lock()
        process = get()
        self.assertIn("wants to use the vault", self.agent.askpass.asked())
        self.agent.askpass.says(PASSPHRASE)
        self.assertIn("correct horse", self.ends(process)[1])
        self.agent.lock()
        process = get()
        self.agent.askpass.asked()
        self.agent.askpass.says("no")
        self.assertNotIn("correct horse", self.ends(process)[1])
        self.agent.unlock()
        self.assertIn("correct horse", self.ends(get())[1])
        self.assertFalse(self.agent.askpass.was_asked())
        self.agent.askpass.says_always_yes()
        self.assertEqual(self.ends(erase())[0], 0)
        self.assertNotIn("correct horse", self.ends(get())[1])


@unittest.skipUnless(DOCKER, "docker-credential-secretservice is not installed")
class Docker(Helper):
    def test_logins_of_docker(self):
        login = json.dumps({"ServerURL": SERVER, "Username": "joe", "Secret": "correct horse"})
        self.check(lambda: self.from_shell(DOCKER, "store", given=login),
                   lambda: self.from_shell(DOCKER, "get", given=SERVER),
                   lambda: self.from_shell(DOCKER, "erase", given=SERVER))


@unittest.skipUnless(os.path.exists(GIT) and shutil.which("gcc") and glob.glob("/usr/include/libsecret-1/libsecret/*"),
                     "git's helper for libsecret cannot be built here")
class Git(Helper):
    def test_logins_of_git(self):
        helper = os.path.join(self.agent.askpass.folder, "git-credential-libsecret")
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libsecret-1", "glib-2.0"], check=True,
                               env=self.alice.environment(), capture_output=True, text=True).stdout.split()
        subprocess.run(["gcc", "-o", helper, GIT, *flags], check=True, env=self.alice.environment())
        self.check(lambda: self.from_shell(helper, "store", given=LOGIN + "password=correct horse\n"),
                   lambda: self.from_shell(helper, "get", given=LOGIN),
                   lambda: self.from_shell(helper, "erase", given=LOGIN))


if __name__ == "__main__":
    unittest.main()
