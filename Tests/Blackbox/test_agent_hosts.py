"""The agent knows the hosts: ten keys, ten hosts that allow one try each, and hosts that are not who they were."""

import os
import subprocess
import unittest

import agent_wire as aw
import ssh_keys as sk
import sshd
from agent_case import AgentCase

COUNT = 10


def setUpModule():
    if sshd.missing():
        raise unittest.SkipTest(sshd.missing())


class Hosts(AgentCase):
    """Ten keys and ten profiles in the vault; ssh has no settings about keys at all."""

    def prepare(self):
        os.mkdir(self.file("keys"), 0o700)
        self.paths = [self.make(f"keys/key{number}") for number in range(COUNT)]
        self.ok(self.alice, "ssh", "key", "import", "-y", *self.paths)
        self.servers = [sshd.Server(self, authorized=(sk.beside(path),), address=None, settings=("MaxAuthTries 1",))
                        for path in self.paths]
        with open(self.file("known_hosts"), "w", encoding="ascii") as file:
            for number, server in enumerate(self.servers):
                file.write(f"host{number}.example.org {server.public()}\n")
        self.ok(self.alice, "ssh", "host", "import", self.file("known_hosts"), "-y")
        for number, server in enumerate(self.servers):
            self.ok(self.alice, "ssh", "host", "add", f"host{number}", "--address", f"host{number}.example.org", "--user",
                    server.user, "--key", f"key{number}")
        for path in self.paths:
            os.remove(path)

    def connects(self, number: int, *options: str, server: sshd.Server | None = None) -> subprocess.CompletedProcess:
        server = server or self.servers[number]
        settings = [f"UserKnownHostsFile={self.file('known_hosts')}", "GlobalKnownHostsFile=none", "BatchMode=yes",
                    f"ProxyCommand={server.proxy}", f"User={server.user}", "StrictHostKeyChecking=yes"]
        return self.agent.tool("ssh", "-F", "none", *(word for setting in settings for word in ("-o", setting)), *options,
                               f"host{number}.example.org", "echo hello")

    def is_let_in(self, number: int, *options: str, **how):
        done = self.connects(number, *options, **how)
        self.assertEqual((done.returncode, done.stdout), (0, b"hello\n"),
                         (done, self.servers[number].log[-2000:], self.agent.log))

    def test_each_with_one_try(self):
        for number in range(COUNT):
            self.is_let_in(number)
            self.assertEqual(self.servers[number].logins, 3, "who are you, this key, its signature")

    def test_all_keys_where_nothing_is_known(self):
        self.assertEqual(sorted(self.agent.keys()), sorted(sk.beside(path) for path in self.paths))
        with aw.Connection(self.agent.socket) as connection:
            self.assertEqual(connection.ask(aw.bind(aw.Key(), os.urandom(32))), bytes([aw.SUCCESS]))
            self.assertEqual(len(aw.listed(connection.ask(aw.LIST))), COUNT)

    def test_a_revoked_host_gets_no_signature(self):
        self.is_let_in(3)
        self.ok(self.alice, "ssh", "host", "revoke", "host3.example.org", "-y")
        self.servers[3].forget()
        # This ssh has a known_hosts of its own and trusts the host; the agent does not.
        done = self.connects(3)
        self.assertEqual((done.returncode, done.stdout), (255, b""), done)
        self.assertNotIn("Accepted", self.servers[3].log)
        self.is_let_in(4)

    def test_a_new_profile_counts_at_once(self):
        self.askpass.says("yes")
        self.ok(self.alice, "ssh", "host", "set", "host5", "--key", "key6", secret=None)
        self.assertIn("change the address of the host", self.askpass.asked())
        self.assertEqual(self.connects(5).returncode, 255)
        self.ok(self.alice, "ssh", "host", "set", "host5", "--key", "key5", "--no-agent")
        self.is_let_in(5)

    def certifies(self, number: int, server: sshd.Server) -> str:
        """A certificate for a key in the vault; the line of its authority."""
        authority = self.make(f"ca{number}")
        sk.tool("ssh-keygen", "-q", "-s", authority, "-I", "me", "-n", server.user, self.paths[number] + ".pub")
        self.ok(self.alice, "ssh", "key", "import", f"{self.paths[number]}-cert.pub")
        return sk.beside(authority)

    def by_the_settings(self, number: int, *more: str) -> subprocess.CompletedProcess:
        """A login by what `hsip setup ssh` writes."""
        path = self.file("settings")
        with open(path, "wb") as file:
            file.write(self.ok(self.alice, "ssh", "config").data)
        server = self.servers[number]
        settings = (f"UserKnownHostsFile={self.file('known_hosts')}", "KnownHostsCommand=none", "BatchMode=yes",
                    f"ProxyCommand={server.proxy}", *more)
        return self.agent.tool("ssh", "-F", path, *(word for setting in settings for word in ("-o", setting)),
                               f"host{number}", "echo hello")

    def test_the_certificate_of_another_key_costs_no_try_with_the_settings_for_ssh(self):
        for number in (0, 9):
            self.certifies(number, self.servers[5])
        done = self.by_the_settings(5)
        self.assertEqual((done.returncode, done.stdout), (0, b"hello\n"), (done, self.servers[5].log[-2000:]))
        self.assertEqual(self.servers[5].logins, 3, "who are you, this key, its signature")

    def certified_only(self, number: int):
        """The host lets in only who has a certificate for the key of its profile, and allows one try."""
        server = sshd.Server(self, authorized=(), address=None, settings=("MaxAuthTries 1",))
        server.authorize("cert-authority " + self.certifies(number, server))
        with open(self.file("known_hosts"), "a", encoding="ascii") as file:
            file.write(f"host{number}.example.org {server.public()}\n")
        with open(self.file("known_hosts"), encoding="ascii") as file:
            lines = [line for line in file if line.startswith(f"host{number}.")]
        self.alice.write("files/ssh/new_host", "".join(lines))
        self.askpass.says("yes")
        self.ok(self.alice, "ssh", "host", "import", self.file("new_host"), "--additional", "-y", "--expect",
                server.fingerprint(), secret=None)
        question = self.askpass.asked()
        self.assertIn("change the trusted keys of hosts?", question)
        self.assertIn(f"host{number}.example.org: ED25519 {server.fingerprint()}", question)
        self.servers[number] = server

    def test_the_certificate_of_the_profiles_key_gets_the_one_try_with_the_settings_for_ssh(self):
        self.certified_only(5)
        done = self.by_the_settings(5)
        self.assertEqual((done.returncode, done.stdout), (0, b"hello\n"), (done, self.servers[5].log[-2000:]))
        self.assertEqual(self.servers[5].logins, 3, "who are you, this certificate, its signature")

    def test_the_files_of_certificates_come_and_go_with_them(self):
        folder = self.alice.path("state", "hsip", "ssh")
        self.certifies(5, self.servers[5])
        self.assertEqual(sk.read(f"{folder}/key5.pub-cert").split()[:2], sk.read(f"{self.paths[5]}-cert.pub").split()[:2])
        self.ok(self.alice, "ssh", "key", "set", "key5", "--name", "other", "--no-agent")
        names = [name for name in os.listdir(folder) if name.startswith(("key5", "other"))]
        self.assertEqual(sorted(names), ["other.pub", "other.pub-cert"])
        self.ok(self.alice, "ssh", "key", "rm", "other", "--no-agent")
        self.assertEqual([name for name in os.listdir(folder) if name.startswith("other")], [])
        self.ok(self.alice, "ssh", "key", "restore", "other", "--no-agent")
        self.assertIn("other.pub-cert", os.listdir(folder))


if __name__ == "__main__":
    unittest.main()
