"""The first hour of two people at terminals of 80 by 24: each types what a screen told them to, and sees what comes next.

HSIP_FIRST_HOUR names a file for the recording: the screens as plain text, each under a line that says whose it is, a form
feed between them.
"""

import html
import os
import re
import shutil
import subprocess
import time
import unittest

import agents as ag
import screen
from house import BINARY, Case, Person, clear_now

COLUMNS, ROWS = 80, 24
PASSPHRASE = "seven grey herons over the harbour"
SETTINGS = "set -g status off\nset -g default-terminal screen-256color\nset -g history-limit 2000\n"
PROMPT = "$"


class Desk:
    """A person at a terminal of 80 by 24 that keeps its screen."""

    def __init__(self, case: "FirstHour", person: Person):
        self.case, self.person = case, person
        self.settings = person.write("tmux.conf", SETTINGS)
        shell = person.write("bashrc", f"PS1='{PROMPT} '\n")
        programs = person.path("bin")
        os.mkdir(programs, 0o700)
        os.symlink(BINARY, os.path.join(programs, "hsip"))
        self._tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), f"exec bash --noprofile --rcfile {shell}",
                   PATH=f"{programs}:/usr/bin:/bin")
        case.addCleanup(self._tmux, "kill-server")
        self.sees(PROMPT + "$")

    def _tmux(self, *words: str, **more: str) -> str:
        done = subprocess.run(["tmux", "-u", "-S", self.person.path("run", "tmux"), "-f", self.settings, *words],
                              env=self.person.environment(**more), cwd=self.person.home, capture_output=True, timeout=60,
                              encoding="utf-8")
        self.case.assertEqual(done.returncode, 0, done)
        return done.stdout

    def screen(self, *how: str) -> str:
        """What can be seen; with `-S -` also what has left the screen, with `-J` lines as they were written."""
        return self._tmux("capture-pane", "-p", *how)

    def sees(self, pattern: str) -> re.Match:
        """Waits until the end of the screen is this."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            found = re.search(pattern, self.screen().rstrip())
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"waited for {pattern!r}, but {self.person.name} sees\n{self.screen('-S', '-')}")

    def types(self, text: str):
        self._tmux("send-keys", "-l", text)
        self._tmux("send-keys", "Enter")

    def gives(self, command: str):
        """A command on an empty screen."""
        self._tmux("send-keys", "C-l")
        self.sees(rf"^\s*\{PROMPT}$")
        self._tmux("clear-history")
        self.command = command
        self.types(command)

    def pastes(self, text: str):
        self._tmux("set-buffer", text)
        self._tmux("paste-buffer", "-p")
        self._tmux("send-keys", "Enter")

    def ends(self, *shown: str):
        """The command is over: these texts are on the screen, no line was too wide, and the shell asks for the next."""
        self.sees(rf"\n\{PROMPT}$")
        self.records()
        for text in shown:
            self.case.assertIn(text, self.screen(), f"after {self.command}")
        self.fits()

    def fits(self):
        for line in self.screen("-J", "-S", "-").splitlines():
            # A code is one line however long it is, and so are the lines of a file, and what is typed or pasted.
            if "HSIP:" not in line and not line.startswith(("+", "-", "@", PROMPT)):
                self.case.assertLessEqual(len(line.rstrip()), COLUMNS, f"after {self.command}")

    def scans(self) -> str:
        """What a camera reads from the screen."""
        drawn = [line for line in self.screen("-N").splitlines() if re.search("[\U0001fb00-\U0001fb3b]", line)]
        return screen.scan(self.person.write("files/seen.png", screen.picture(drawn)))

    def records(self):
        self.case.recording.append(f"{self.person.name}: {self.command}\n{self.screen()}")


@unittest.skipUnless(shutil.which("tmux"), "tmux is not installed")
class FirstHour(Case):
    world = None

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        clear_now()
        self.recording: list[str] = []

    def tearDown(self):
        path = os.environ.get("HSIP_FIRST_HOUR")
        if path:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\f\n".join(self.recording))
        super().tearDown()

    def begins(self, name: str) -> Desk:
        person = Person(name)
        person.make_folders()
        desk = Desk(self, person)
        desk.gives("hsip init")
        desk.sees(r"Your name, as contacts will see it.*: $|Your name, as contacts will see it.*:$")
        desk._tmux("send-keys", "C-u")
        desk.types(name.capitalize())
        desk.sees(r"New passphrase .*:$")
        desk.types(PASSPHRASE)
        desk.sees(r"The same again:$")
        desk.types(PASSPHRASE)
        # The whole code has to be on the screen when it is asked for.
        code = desk.sees(r"(?s)Recovery code +((?:[0-9A-Z]{4}-){6}[0-9A-Z]{4}).*Last block of the recovery code:$").group(1)
        desk.records()
        desk.types(code[-4:])
        desk.sees(r"Unlock the vault now with this passphrase\? \[yes\]:$")
        desk.types("")
        desk.ends("the vault is open", "Next      hsip secret set mail", "hsip setup ssh", "hsip pair")
        self.addCleanup(person.run, "agent", "stop", secret=None)
        self.assertNotIn(PASSPHRASE, desk.screen("-S", "-"))
        return desk

    def test_two_people_do_what_the_screen_tells_them(self):
        alice = self.begins("alice")
        alice.gives("hsip secret set mail")
        alice.sees(r"mail.*:$")
        alice.types("q7Vd-rk2M-x9Lp")
        alice.sees(r"The same again:$")
        alice.types("q7Vd-rk2M-x9Lp")
        alice.ends("mail")
        alice.gives("hsip secret get mail")
        alice.ends("q7Vd-rk2M-x9Lp")
        alice.gives("hsip setup ssh")
        alice.sees(r"\[y/N\](\n>)?$")
        alice.records()
        alice.types("y")
        alice.ends("hsip setup ssh --undo")

        bob = self.begins("bob")
        alice.gives("hsip pair")
        alice.sees(r"Paste their answer, or Enter to do that later:")
        # A code of suite 02 is too large for the picture; the screen says what a camera can read.
        self.assertIn("hsip pair --in-person", alice.screen())
        alice.fits()
        alice.types("")
        alice.ends("They run hsip accept")
        alice.gives("hsip pair --in-person")
        alice.sees(r"Paste their answer, or Enter to do that later:")
        alice.records()
        alice.fits()
        offer = alice.scans()
        self.assertTrue(offer.startswith("HSIP:OFFER"), offer)
        self.assertIn("hsip accept", alice.screen())

        bob.gives("hsip accept")
        bob.sees(r"Paste their code:")
        bob.pastes(offer)
        bob.sees(r"Save as \[.*alice.*\]:$")
        bob.types("")
        bob.ends("Send this answer to alice. They run hsip accept.")
        self.assertIn("Paired with alice", bob.screen("-S", "-"))
        answer = bob.scans()
        self.assertIn(answer, bob.screen("-J", "-S", "-"))
        alice.pastes(answer)
        alice.sees(r"Save as \[.*bob.*\]:$")
        alice.types("")
        alice.ends("Paired with bob", "hsip verify bob")
        self.is_pictured()

    def is_pictured(self):
        """Every line of the README's picture is on a screen; codes differ each time."""
        def masked(text: str) -> str:
            return re.sub(r"\b([0-9A-Z]{4}-){6}[0-9A-Z]{4}|\b[A-Z2-7]{26}\b", "CODE", text)
        seen = {line.rstrip() for line in masked("\n".join(self.recording)).splitlines()}
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/terminal.svg")
        with open(path, encoding="utf-8") as file:
            shown = html.unescape(masked(file.read().partition("<desc>")[2].partition("</desc>")[0]))
        self.assertEqual(set(shown.splitlines()) - seen, set(), "make it again: Scripts/picture")


if __name__ == "__main__":
    unittest.main()
