"""That the sshd of the tests is one: it lets in who has a key, and nobody else, on every way to it."""

import os
import subprocess
import unittest

import ssh_keys as sk
import sshd
from house import PLACE


def setUpModule():
    if sshd.missing():
        raise unittest.SkipTest(sshd.missing())


class Servers(unittest.TestCase):
    def setUp(self):
        self.folder = os.path.join(PLACE, "sshd")
        os.makedirs(self.folder)
        self.addCleanup(subprocess.run, ["rm", "-rf", self.folder])
        self.key = sk.make(os.path.join(self.folder, "key"))

    def connects(self, server: sshd.Server, *options: str, known: str | None = None) -> subprocess.CompletedProcess:
        lines = os.path.join(self.folder, "known_hosts")
        host = "h" if server.address is None else server.address
        name = "h" if server.address is None else server.name
        with open(lines, "w", encoding="ascii") as file:
            file.write(f"{name} {known or server.public()}\n")
        where = ["-o", f"ProxyCommand={server.proxy}"] if server.address is None else ["-p", str(server.port)]
        settings = [f"UserKnownHostsFile={lines}", "GlobalKnownHostsFile=none", "BatchMode=yes", f"IdentityFile={self.key}",
                    "IdentitiesOnly=yes", "IdentityAgent=none", f"User={server.user}", "StrictHostKeyChecking=yes"]
        words = [word for setting in settings for word in ("-o", setting)]
        return subprocess.run(["ssh", "-F", "none", *words, *where, *options, host, "echo hello"], capture_output=True,
                              text=True, timeout=60, stdin=subprocess.DEVNULL)

    def serves(self, **how):
        server = sshd.Server(self, **how)
        refused = self.connects(server)
        self.assertEqual(refused.returncode, 255, refused)
        self.assertIn("Permission denied", refused.stderr)
        self.assertGreater(server.logins, 0)
        server.forget()
        server.authorize(sk.beside(self.key))
        let_in = self.connects(server)
        self.assertEqual((let_in.returncode, let_in.stdout), (0, "hello\n"), (let_in, server.log))
        server.forget()
        other = self.connects(server, known=sk.beside(self.key))
        self.assertIn("IDENTIFICATION HAS CHANGED", other.stderr)
        self.assertEqual(server.logins, 0)

    def test_with_a_port(self):
        self.serves()

    def test_without_a_port(self):
        self.serves(address=None)

    def test_as_an_ordinary_user(self):
        if sshd.ordinary() is None:
            self.skipTest("nobody but root may log in here, or setpriv is missing")
        self.serves(as_ordinary_user=True)
        self.serves(as_ordinary_user=True, address=None)

    def test_over_ipv6(self):
        if not sshd.ipv6():
            self.skipTest("::1 does not answer here")
        self.serves(address="::1")

    def test_another_key_takes_effect_with_the_next_connection(self):
        server = sshd.Server(self, authorized=(sk.beside(self.key),))
        before = server.public()
        self.assertEqual(self.connects(server).returncode, 0)
        server.offer(sk.make(os.path.join(self.folder, "other"), "ecdsa256"))
        self.assertIn("HAS CHANGED", self.connects(server, known=before).stderr)
        self.assertEqual(self.connects(server).returncode, 0)

    def test_after_its_end_nobody_is_served(self):
        server = sshd.Server(self, authorized=(sk.beside(self.key),))
        server.end()
        self.assertEqual(self.connects(server).returncode, 255)
        self.assertEqual(server.log, "")


if __name__ == "__main__":
    unittest.main()
