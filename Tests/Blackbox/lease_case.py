"""What tests of `hsip lease` stand on: commands that a person at a terminal starts with a lease."""

import os
import time

import agents as ag
from house import BINARY, FRIENDS, Case
from screen import Screen

WHY = "deploy 4.2"


class LeaseCase(Case):
    """Alice sits at a terminal and starts commands; another program of hers has no terminal."""

    world = FRIENDS
    through_agent = False

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        for name in ("ci/npm", "ci/aws", "prod"):
            self.ok(self.alice, "secret", "set", name, given=f"value of {name}")
        self.agent = ag.Hsip(self.alice)

    # What a command does

    def file(self, name: str) -> str:
        return self.alice.path("files", name)

    def get(self, name: str, into: str, *words: str) -> str:
        """A line of a shell: reads a secret, and keeps value, words and code."""
        place = self.file(into)
        return f"{BINARY} secret get {name} {' '.join(words)} >{place} 2>{place}.err </dev/null; echo $? >{place}.code"

    def got(self, name: str, code: int = 0, within: float = 30) -> str:
        """The value that such a line brought, or what it said."""
        end = time.monotonic() + within
        while not (os.path.exists(self.file(f"{name}.code")) and self.read(f"{name}.code")):
            self.assertLess(time.monotonic(), end, f"nothing about {name}")
            time.sleep(0.02)
        said = self.read(f"{name}.err")
        self.assertEqual(self.read(f"{name}.code").strip(), str(code), said)
        return self.read(name) if code == 0 else said

    def read(self, name: str) -> str:
        with open(self.file(name), encoding="utf-8") as file:
            return file.read()

    def waits(self, name: str) -> str:
        """A line of a shell: waits until the test goes on."""
        return f"while [ ! -e {self.file(name)} ]; do sleep 0.02; done"

    def go(self, name: str):
        self.alice.write(os.path.join("files", name), "")

    def lease(self, *lines: str, names=("ci/npm",), span: str = "20m", why: str = WHY, **environment: str) -> Screen:
        return Screen(self, self.alice, "lease", "run", *names, "--for", span, "--reason", why, "--", "sh", "-c",
                      "\n".join(lines), **environment)

    def runs(self, *lines: str, **how) -> str:
        screen = self.lease(*lines, **how)
        self.assertEqual(screen.ends(), 0, screen.text)
        return screen.plain

    def number(self) -> int:
        [lease] = self.listed()
        return lease["number"]

    def listed(self) -> list[dict]:
        return self.ok(self.alice, "lease", "--json").result["leases"]

    def holds(self, screen: Screen, name: str = "begun"):
        """Until the command of a lease has begun."""
        end = time.monotonic() + 30
        while not os.path.exists(self.file(name)):
            self.assertLess(time.monotonic(), end, screen.text)
            time.sleep(0.02)
