"""A shared log on a host that ssh reaches, and the sockets of the process that has the vault open."""

import glob
import os
import re

import agents as ag
import ssh_keys as sk
import sshd
import strace
from house import Person, unittest
from sync_case import SyncCase


class SSHCase(SyncCase):
    """Each machine logs in with the key that its settings of ssh name."""

    def setUp(self):
        super().setUp()
        if sshd.missing():
            self.skipTest(sshd.missing())
        keys = {person.name: sk.make(person.path("files", "id")) for person in (self.alice, self.bob)}
        self.keys = keys
        self.server = sshd.Server(self, authorized=tuple(sk.beside(key) for key in keys.values()))
        for person in (self.alice, self.bob):
            self.settings(person, self.server.public())
        self.address = f"ssh://{self.server.user}@127.0.0.1:{self.server.port}{self.remote}"

    def settings(self, person: Person, host_key: str):
        known = person.write("files/known", f"{self.server.name} {host_key}\n")
        config = person.write("files/config", (
            f"Host *\n  IdentityFile {self.keys[person.name]}\n  IdentitiesOnly yes\n  IdentityAgent none\n"
            f"  UserKnownHostsFile {known}\n  GlobalKnownHostsFile none\n  StrictHostKeyChecking yes\n  BatchMode yes\n"))
        person.write(".gitconfig", f"[core]\n  sshCommand = ssh -F {config}\n")


class OverSSH(SSHCase):
    def test_a_password_goes_over_and_back(self):
        self.put(self.alice, "db", "first")
        self.together(place=self.address)
        self.assertEqual(self.value(self.bob, "db"), "first")
        self.put(self.bob, "db", "second")
        self.are_equal(self.bob, self.alice)
        self.assertEqual(self.value(self.alice, "db"), "second")
        self.assertGreater(self.server.logins, 0)

    def test_a_host_that_is_not_the_one_that_is_known(self):
        self.together(place=self.address)
        self.settings(self.bob, sk.public_of(sk.make(self.bob.path("files", "other"))))
        self.refused("notTrusted", self.bob, "sync")
        self.settings(self.bob, self.server.public())
        self.server.authorize(sk.beside(self.keys["alice"]))
        self.refused("logRefused", self.bob, "sync")
        self.are_equal(self.alice)
        self.server.end()
        self.refused("logUnreachable", self.alice, "sync")


@unittest.skipUnless(strace.works(), "strace may not trace here")
class Sockets(SSHCase):
    """The process that has the vault open opens no way to the network: git and ssh do, which have no key."""

    def traced(self, person: Person) -> tuple[str, ...]:
        folder = person.path("files", "trace")
        os.makedirs(folder, exist_ok=True)
        return (strace.STRACE, "-ff", "-qq", "-e", "trace=network,execve,execveat", "-o", os.path.join(folder, "of"))

    def programs(self, person: Person, first: str) -> dict[str, int]:
        """How often each program did anything about the network; `first` is the one that was started."""
        found: dict[str, int] = {}
        for path in glob.glob(person.path("files", "trace", "of.*")):
            # Each process and thread has a file of its own, and is the first program until it starts another.
            program = first
            with open(path, encoding="utf-8", errors="replace") as file:
                for line in file:
                    became = re.match(r'execve(?:at)?\((?:[^"]*)"([^"]+)".* = 0$', line)
                    if became:
                        program = os.path.basename(became[1])
                    found.setdefault(program, 0)
                    found[program] += bool(re.search(r"AF_INET|AF_NETLINK|AF_PACKET|sin_addr|sin6_addr", line))
        return found

    def test_without_an_agent(self):
        self.put(self.alice, "db", "first")
        self.together(place=self.address)
        self.put(self.alice, "db", "second")
        self.ok(self.alice, "sync", before=self.traced(self.alice))
        programs = self.programs(self.alice, "hsip")
        self.assertEqual(programs["hsip"], 0, programs)
        self.assertLessEqual({"git", "ssh"}, set(programs))
        self.assertGreater(programs["ssh"], 0, programs)

    def test_with_an_agent(self):
        self.put(self.alice, "db", "first")
        self.together(place=self.address)
        agent = ag.Hsip(self.alice, before=self.traced(self.alice))
        agent.askpass.says_always_yes()
        self.alice.uses_agent = True
        self.put(self.alice, "db", "second")
        self.assertEqual(self.sync(self.alice)["sent"], 1)
        agent.stop()
        programs = self.programs(self.alice, "hsip-agent")
        self.assertEqual(programs.get("hsip-agent"), 0, programs)
        self.assertNotIn("git", programs)


if __name__ == "__main__":
    unittest.main()
