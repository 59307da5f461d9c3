"""What is true of every ssh-agent: the same test, asked of hsip-agent and of OpenSSH's own.

OpenSSH's is there as the judge of the tests: what it does not pass asks for something that nobody promised.
"""

import os
import unittest

import agents as ag
import ssh_keys as sk
from house import Case


class AgentCase(Case):
    """Alice, a folder for her keys and files, and her agent."""

    own = True
    """Whose agent it is: ours, or OpenSSH's."""

    def setUp(self):
        if ag.missing(self.own):
            self.skipTest(ag.missing(self.own))
        super().setUp()
        self.folder = self.alice.path("files", "ssh")
        os.makedirs(self.folder, mode=0o700)
        self.prepare()
        self.agent = self.starts()
        self.askpass = self.agent.askpass

    def prepare(self):
        """Before the agent is there: what is in the vault."""

    def starts(self) -> ag.Agent:
        return ag.Hsip(self.alice) if self.own else ag.OpenSSH(self.alice)

    def file(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def make(self, name: str, kind: str = "ed25519", *more: str) -> str:
        return sk.make(self.file(name), kind, "", name, *more)

    def imports(self, path: str, *words: str):
        """A key file into the vault, under its own name."""
        self.ok(self.alice, "ssh", "key", "import", path, *words)

    def adds(self, *words: str, **how):
        done = self.agent.add("-q", *words, **how)
        self.assertEqual(done.returncode, 0, (done, self.agent.log))

    def tool(self, *words: str, code: int = 0, **how) -> str:
        """A tool that uses the agent, and ends with this number; what it wrote."""
        done = self.agent.tool(*words, **how)
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout!r} {done.stderr!r}\n{self.agent.log}")
        return done.stdout.decode("utf-8", "replace")


def both(*cases: type) -> dict[str, type]:
    """Each case twice: for our agent, and for OpenSSH's. For `globals().update`; the cases themselves are not run."""
    found = {}
    for case in cases:
        for name, own in ((case.__name__ + "Ours", True), (case.__name__ + "OpenSSH", False)):
            found[name] = type(name, (case, AgentCase), {"own": own, "__module__": case.__module__})
    return found


__all__ = ["AgentCase", "both", "unittest"]
