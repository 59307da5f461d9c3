"""Real windows of real pinentries on a display of Xvfb: three answers in one window, and no key alone is a yes."""

import contextlib
import os
import shutil
import subprocess
import unittest

import agents as ag
from house import Case

FLAVOURS = ("pinentry-gtk-2", "pinentry-qt")


def missing() -> str | None:
    return next((f"{name} is not installed" for name in ("Xvfb", "xdotool") if not shutil.which(name)), ag.missing())


class Window(Case):
    """Alice at a desktop, and an agent with one kind of pinentry."""

    flavour = ""

    def setUp(self):
        if missing() or not shutil.which(self.flavour):
            self.skipTest(missing() or f"{self.flavour} is not installed")
        super().setUp()
        reading, writing = os.pipe()
        screen = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24",
             "-nolisten", "tcp"], pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(screen.wait)
        self.addCleanup(screen.kill)
        os.close(writing)
        with os.fdopen(reading) as told:
            self.display = ":" + told.readline().strip()
        programs = self.alice.path("files", "programs")
        os.mkdir(programs, 0o700)
        os.symlink(shutil.which(self.flavour), os.path.join(programs, "pinentry"))
        self.ok(self.alice, "secret", "set", "mail", given="battery-staple")
        self.agent = ag.Hsip(self.alice, PATH=f"{programs}:/usr/bin:/bin", DISPLAY=self.display, SSH_ASKPASS=None,
                             SSH_ASKPASS_REQUIRE=None)

    def starts(self) -> subprocess.Popen:
        return subprocess.Popen(self.alice.command("secret", "get", "mail", secret=None), cwd=self.alice.home,
                                env=self.alice.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True, encoding="utf-8")

    def does(self, *words: str):
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(["xdotool", *words], env=self.alice.environment(DISPLAY=self.display),
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=5)

    def answered(self, *keys: str) -> str:
        """What a program without a terminal gets when these keys are pressed in the window; nothing after a no."""
        process = self.starts()
        self.does("search", "--sync", "--onlyvisible", "--name", ".")
        # A window that was just opened may not hear the first keys.
        while process.poll() is None:
            self.does("key", "ctrl+a", *keys)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(2)
        output, talk = process.communicate()
        if not output:
            # A person said no: that nobody could be asked is another error.
            self.assertIn("hsip: error: the question was refused", talk)
        return output

    def allows(self, *keys: str):
        """The same until the window heard all keys: without some of them the word is a no."""
        self.assertIn("battery-staple", (self.answered(*keys) for _ in range(10)))

    def test_enter_escape_and_other_words_allow_nothing(self):
        for keys in (["Return"], ["Escape"], [*"no", "Return"], [*"y", "Return"], [*"always", "Return"]):
            with self.subTest(keys):
                self.assertEqual(self.answered(*keys), "")

    def test_yes_is_for_this_time_and_longer_for_an_hour(self):
        self.allows(*"yes", "Return")
        self.assertEqual(self.answered("Return"), "", "it is asked again")
        self.allows(*"longer", "Return")
        self.assertEqual(self.starts().communicate(timeout=ag.DEADLINE)[0], "battery-staple")


for flavour in FLAVOURS:
    name = "Window" + "".join(part.title() for part in flavour.split("-")[1:])
    globals()[name] = type(name, (Window,), {"flavour": flavour, "__module__": __name__})
del Window

if __name__ == "__main__":
    unittest.main()
