"""Logins to real hosts with keys that only the agent has: every kind, certificates, hops, keys meant for one host."""

import os
import subprocess
import unittest

import ssh_keys as sk
import sshd
from agent_case import both

KINDS = ("ed25519", "ecdsa256", "ecdsa384", "ecdsa521", "rsa2048", "rsa3072")


def setUpModule():
    if sshd.missing():
        raise unittest.SkipTest(sshd.missing())


class Logins:
    """The private halves are in the agent and nowhere else."""

    def setUp(self):
        super().setUp()
        # The vault knows none of these hosts, so our agent asks about each login.
        self.askpass.says_always_yes()

    def key(self, name: str, kind: str = "ed25519", *words: str) -> str:
        """A key that the agent has; the path of its public half. `words` are ssh-add's."""
        path = self.make(name, kind)
        self.adds(*words, path)
        os.remove(path)
        return path + ".pub"

    def server(self, *public: str, **how) -> sshd.Server:
        """A host without a port that lets in who has one of these keys."""
        return sshd.Server(self, **({"authorized": tuple(sk.beside(path[:-4]) for path in public), "address": None} | how))

    def knows(self, **hosts: sshd.Server):
        """Their keys under these names, for ssh and ssh-add."""
        with open(self.file("known_hosts"), "w", encoding="ascii") as file:
            for name, server in hosts.items():
                file.write(f"{name} {server.public()}\n")

    def words(self, server: sshd.Server, host: str, *options: str) -> list[str]:
        settings = [f"UserKnownHostsFile={self.file('known_hosts')}", "GlobalKnownHostsFile=none", "BatchMode=yes",
                    f"ProxyCommand={server.proxy}", f"User={server.user}", "StrictHostKeyChecking=yes"]
        return ["ssh", "-F", "none", *(word for setting in settings for word in ("-o", setting)), *options, host]

    def connects(self, server: sshd.Server, host: str, *options: str, command: str = "echo hello") -> subprocess.CompletedProcess:
        return self.agent.tool(*self.words(server, host, *options), command)

    def is_let_in(self, server: sshd.Server, host: str, *options: str, **how):
        done = self.connects(server, host, *options, **how)
        self.assertEqual((done.returncode, done.stdout), (0, b"hello\n"), (done, server.log[-3000:], self.agent.log))

    def is_refused(self, server: sshd.Server, host: str, *options: str, **how):
        done = self.connects(server, host, *options, **how)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertEqual(done.stdout, b"")
        return done

    def test_every_kind_of_key(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                server = self.server(self.key(kind, kind))
                self.knows(h1=server)
                self.is_let_in(server, "h1", "-o", "IdentityFile=none")
        self.is_refused(self.server(), "h1")

    def test_a_certificate(self):
        authority, path = self.make("ca"), self.make("mine")
        server = self.server()
        sk.tool("ssh-keygen", "-q", "-s", authority, "-I", "me", "-n", server.user, path + ".pub")
        self.adds(path)
        server.authorize("cert-authority " + sk.beside(authority))
        self.knows(h1=server)
        self.is_let_in(server, "h1")

    def test_the_key_of_a_public_file(self):
        names = [self.key(f"key{number}") for number in range(8)]
        server = self.server(names[6], settings=("MaxAuthTries 1",))
        self.knows(h1=server)
        self.is_refused(server, "h1")
        self.is_let_in(server, "h1", "-o", f"IdentityFile={names[6]}", "-o", "IdentitiesOnly=yes")

    def through(self, first: sshd.Server, second: sshd.Server) -> subprocess.CompletedProcess:
        """To the first host, and from there with the agent passed on to the second."""
        onward = " ".join("'" + word + "'" for word in self.words(second, "h2"))
        self.askpass.says("yes")  # what is passed on is asked about by an agent that can tell
        return self.connects(first, "h1", "-A", command=onward + " echo hello")

    def test_a_hop_with_the_agent_passed_on(self):
        public = self.key("both")
        first, second = self.server(public), self.server(public)
        self.knows(h1=first, h2=second)
        done = self.through(first, second)
        self.assertEqual((done.returncode, done.stdout), (0, b"hello\n"), (done, second.log[-3000:], self.agent.log))

    def test_the_far_end_adds_no_key_without_a_yes(self):
        if not self.own:
            self.skipTest("ssh-agent asks about no key that is added")
        public = self.key("mine")
        first = self.server(public)
        self.knows(h1=first)
        theirs = self.make("theirs")
        os.remove(self.askpass.folder + "/always")
        for answer in ("no", "yes"):
            with self.subTest(answer=answer):
                self.askpass.says("yes")  # the login: the vault does not know this host
                self.askpass.says(answer)
                done = self.connects(first, "h1", "-A", command=f"ssh-add -q {theirs}; echo $?; ssh-add -l | wc -l")
                self.assertRegex(self.askpass.asked(), "Let .*ssh.* log in as")
                self.assertIn("Let another machine add the key", self.askpass.asked())
                added = answer == "yes"
                self.assertEqual(done.stdout, b"0\n2\n" if added else b"1\n1\n", (done, self.agent.log))

    def test_a_hop_with_a_key_for_this_way(self):
        first, second = self.server(), self.server()
        self.knows(h1=first, h2=second)
        public = self.key("way", "ed25519", "-H", self.file("known_hosts"), "-h", "h1", "-h", "h1>h2")
        for server in (first, second):
            server.authorize(sk.beside(public[:-4]))
        done = self.through(first, second)
        self.assertEqual((done.returncode, done.stdout), (0, b"hello\n"), (done, second.log[-3000:], self.agent.log))

    def test_no_hop_with_a_key_for_the_first_host(self):
        first, second = self.server(), self.server()
        self.knows(h1=first, h2=second)
        public = self.key("near", "ed25519", "-H", self.file("known_hosts"), "-h", "h1")
        for server in (first, second):
            server.authorize(sk.beside(public[:-4]))
        self.is_let_in(first, "h1")
        done = self.through(first, second)
        self.assertEqual((done.returncode, done.stdout), (255, b""), done)
        self.is_refused(second, "h2")


globals().update(both(Logins))
del Logins
