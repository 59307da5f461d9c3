"""hsip killed at each of its calls of git, or at any moment: the same command again finishes or starts over."""

import os
import signal
import time

from house import PLACE, STRANGERS, Outcome, Person, unittest
from sync_case import SHARED, SyncCase

GIT = """#!/bin/sh
# Counts the calls of git that hsip makes, and kills hsip at one of them.
case "WHEN $* " in
"after "*" init "*|"after "*" fetch "*|"after "*" fast-import "*|"after "*" push "*) ;;
"before "*" --git-dir="*) ;;
*) exec /usr/bin/git "$@" ;;
esac
read -r number <FOLDER/number
number=$((number - 1))
echo $number >FOLDER/number
if [ $number = 0 ]; then
  [ WHEN = before ] || /usr/bin/git "$@" >/dev/null 2>&1
  kill -9 $PPID
  exit 1
fi
exec /usr/bin/git "$@"
"""
MOST = 60
"""More calls of git than any command makes."""


class Sweep(SyncCase):
    """What kills one command at every call of git."""

    program, script = "git", GIT

    def killer(self, when: str, number: int) -> str:
        """A PATH whose git kills hsip before its call of this number, or behind its call that changes something."""
        folder = os.path.join(PLACE, f"{self.program}-{when}")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, self.program)
        if not os.path.exists(path):
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.script.replace("FOLDER", folder).replace("WHEN", when))
            os.chmod(path, 0o755)
        with open(os.path.join(folder, "number"), "w", encoding="ascii") as file:
            file.write(f"{number}\n")
        return f"{folder}:/usr/bin:/bin"

    def keep_all(self):
        for person in (self.alice, self.bob):
            person.keep("before")

    def put_all_back(self):
        for person in (self.alice, self.bob):
            person.put_back("before")

    @property
    def entries(self) -> int:
        """How many entries the log has."""
        return len(self.on_remote("ls-tree", "-r", self.tip).splitlines()) if self.branch else 0

    def sweep(self, person: Person, words: tuple[str, ...], go_on, again: tuple[str, ...] | None = None,
              ends: tuple[int, ...] = (0,), least: int = 6):
        """Kills the command at its Nth call of git, N = 1, 2, …, until it comes to its end; then says it again.

        `go_on(outcome)` is called after each second try. The log has as many entries then as without a kill.
        """
        self.keep_all()
        go_on(self.ok(person, *words))
        entries = self.entries
        kills = 0
        for when in ("before", "after"):
            for number in range(1, MOST):
                self.put_all_back()
                outcome = person.run(*words, PATH=self.killer(when, number))
                if outcome.code == 0:
                    break
                with self.subTest(when=when, number=number):
                    self.assertEqual(outcome.code, -signal.SIGKILL, outcome)
                    kills += 1
                    repeated = person.run(*(again or words))
                    self.assertIn(repeated.code, ends, repeated)
                    go_on(repeated)
                    self.assertEqual(self.entries, entries)
            go_on(outcome)
        self.assertGreaterEqual(kills, least)


class Founding(Sweep):
    world = STRANGERS

    def test_found(self):
        self.put(self.alice, "db", "first")

        def go_on(_: Outcome):
            again = self.sync(self.alice)
            self.assertEqual((again["received"], again["sent"]), (0, 0))
        self.sweep(self.alice, ("setup", "sync", "git", self.remote, "--name", "laptop"), go_on)
        admit = self.admit(self.alice, self.join(self.bob))
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])
        self.are_equal(self.alice, self.bob)

    def test_admit_and_enter(self):
        self.put(self.alice, "db", "first")
        self.put(self.bob, "own", "of bob")
        self.found()
        join = self.join(self.bob)
        words = ("accept", join["code"], "--expect", join["number"], "--json")
        self.sweep(self.alice, words, lambda outcome: self.assertRegex(outcome.result["code"], "^HSIP:ADMIT1"))
        admit = self.admit(self.alice, join)
        words = ("accept", admit["code"], "--expect", admit["number"])

        def entered(_: Outcome):
            self.are_equal(self.bob, self.alice, quickly=True)
            self.assertEqual(self.names(self.alice), ["db", "own"])
        self.sweep(self.bob, words, entered, again=("sync",))


class Sharing(Sweep):
    world = SHARED

    def test_send(self):
        self.put(self.alice, "db", "second")
        self.put(self.alice, "wiki", "new")

        def go_on(_: Outcome):
            self.are_equal(self.alice, self.bob, quickly=True)
            self.assertEqual(self.value(self.bob, "db"), "second")
        # A change is two calls of git.
        self.sweep(self.alice, ("sync",), go_on, least=4)
        self.are_equal(self.alice, self.bob)

    def test_receive_and_send(self):
        self.put(self.alice, "db", "of laptop")
        self.put(self.alice, "wiki", "new")
        self.sync(self.alice)
        self.put(self.bob, "db", "of desktop")
        self.put(self.bob, "mail", "new")

        def go_on(_: Outcome):
            self.are_equal(self.bob, self.alice, quickly=True)
            shown = self.ok(self.alice, "secret", "show", "db", "--json").result
            self.assertEqual(len(shown["versions"]), 3)
        self.sweep(self.bob, ("sync",), go_on)
        self.are_equal(self.bob, self.alice)
        self.assertEqual(self.names(self.alice), ["db", "mail", "wiki"])

    def test_revoke(self):
        def go_on(_: Outcome):
            machines = self.ok(self.alice, "machine", "--json").result["machines"]
            self.assertEqual([machine["name"] for machine in machines], ["laptop"])
            self.refused("machineRevoked", self.bob, "sync", plain=False, changes=True)
        # Where the removal was sent, the name is no machine's any more.
        self.sweep(self.alice, ("machine", "revoke", "desktop", "-y"), go_on, ends=(0, 3))
        self.put(self.alice, "new", "x")
        self.are_equal(self.alice)
        self.assertEqual(self.names(self.bob), ["db"])

    def test_kills_at_any_moment(self):
        """Twenty, spread over the time that a sync takes; a git that was at work goes on, as it does in life."""
        self.put(self.alice, "db", "second")
        began = time.monotonic()
        self.sync(self.alice)
        whole = time.monotonic() - began
        killed = 0
        for number in range(20):
            self.put(self.alice, "db", f"of laptop {number}")
            sync = self.alice.start("sync", "--json")
            time.sleep(whole * number / 20)
            sync.kill()
            sync.communicate()
            killed += sync.returncode == -signal.SIGKILL
            if number % 4 == 0:
                self.put(self.bob, f"s{number}", "x")
                self.sync(self.bob)
            self.are_equal(self.alice, self.bob, quickly=True)
            self.assertEqual(self.value(self.bob, "db"), f"of laptop {number}")
        self.are_equal(self.alice, self.bob)
        self.assertGreater(killed, 5)
        self.ok(self.alice, "vault", "check")
        self.assertEqual(len(self.names(self.alice)), 6)


if __name__ == "__main__":
    unittest.main()
