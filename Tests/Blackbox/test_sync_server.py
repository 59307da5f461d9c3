"""A server that reads the shared secrets from etcd without a person: by a file, a credential of systemd, and the timer."""

import os
import re
import secrets
import shlex
import subprocess

from house import Outcome, unittest
from test_sync_etcd import EtcdCase


class Server(EtcdCase):
    """Bob's machine is the server web1: it only reads, and a file opens its vault."""

    def setUp(self):
        super().setUp()
        self.put(self.alice, "db", "first")
        self.together_there("--reader", user="web1")
        self.key = self.bob.write("secrets/unattended", secrets.token_hex(32) + "\n")
        self.ok(self.bob, "vault", "slot", "add", "passphrase", "--label", "unattended", "--new-passphrase-file", self.key)
        self.opening = {"HSIP_PASSPHRASE_FILE": self.key}

    def alone(self, *words: str, **how) -> Outcome:
        """A call that nobody answers, with nothing but the server's own secret."""
        return self.ok(self.bob, "--no-input", *words, secret=None, **(how or self.opening))

    def test_programs_get_the_secrets(self):
        self.assertEqual(self.alone("secret", "get", "db").output, "first")
        os.mkdir(self.bob.path("credentials"), 0o700)
        with open(self.key, encoding="ascii") as file:
            self.bob.write("credentials/hsip.passphrase", file.read(), 0o440)
        unit = {"CREDENTIALS_DIRECTORY": self.bob.path("credentials")}
        self.assertEqual(self.alone("run", "--", "printenv", "DB", DB="vault:db", **unit).output, "first\n")
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        self.assertIn("Received 1 change", self.alone("sync", **unit).talk)
        self.assertEqual(self.alone("run", "--", "printenv", "DB", DB="vault:db", **unit).output, "second\n")

    def test_its_own_changes_stay_and_are_counted(self):
        entries = len(self.etcd.keys())
        for number in range(2):
            self.alone("secret", "generate", f"own{number}")
        told = self.alone("sync")
        self.assertRegex(told.talk, r"2 changes .*stay")
        self.assertEqual(len(self.etcd.keys()), entries)
        self.sync(self.alice)
        self.assertEqual(self.names(self.alice), ["db"])

    def test_the_timer_opens_the_vault_and_syncs(self):
        done = self.alone("setup", "sync", "timer", "-y", "--json").result
        place = next(change["path"] for change in done["changes"] if change["path"].endswith(".service"))
        with open(place, encoding="utf-8") as file:
            unit = file.read()
        variables = dict(re.findall(r'^Environment="([A-Z_]+)=(.*)"$', unit, re.MULTILINE))
        self.assertEqual(variables["HSIP_PASSPHRASE_FILE"], self.key)
        self.assertIn("RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6", unit)
        command = shlex.split(re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)[1])
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        variables |= {"PATH": "/usr/bin:/bin", "HOME": self.bob.home, "XDG_RUNTIME_DIR": self.bob.path("run")}
        ran = subprocess.run(command, env=variables, capture_output=True, cwd="/")
        self.assertEqual((ran.returncode, ran.stdout), (0, b""), ran)
        self.assertEqual(self.alone("secret", "get", "db").output, "second")
        # Without the file, the vault is locked: the timer does nothing, and is no failure.
        self.put(self.alice, "db", "third")
        self.sync(self.alice)
        del variables["HSIP_PASSPHRASE_FILE"]
        self.bob.leaves_agent()
        self.assertEqual(subprocess.run(command, env=variables, capture_output=True, cwd="/").returncode, 0)
        self.assertEqual(self.alone("secret", "get", "db").output, "second")

    def test_the_timer_of_a_person_names_no_file(self):
        done = self.ok(self.alice, "setup", "sync", "timer", "-y", "--json").result
        for change in done["changes"]:
            with open(change["path"], encoding="utf-8") as file:
                self.assertNotIn("HSIP_PASSPHRASE_FILE", file.read())

    def test_a_removed_server_reads_nothing_newer(self):
        self.ok(self.alice, "machine", "revoke", "desktop", "-y")
        self.etcd.control("user", "delete", "web1")
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        self.refused("logRefused", self.bob, "sync", changes=True)
        self.assertEqual(self.value(self.bob, "db"), "first")


if __name__ == "__main__":
    unittest.main()
