"""Keys in a security key without a window: the agent says at a terminal what to touch."""

import os
import shutil
import unittest

import test_ssh_touch as touch
from house import PASSPHRASE
from screen import Screen
from test_ssh_touch import setUpModule  # noqa: F401

ASKED = r"Touch the security key of [^\r\n]*ring[^\r\n]*\(Enter: cancel\) "


class AtTheTerminal(touch.TouchCase):
    """The terminal of Alice, who sits at a shell there, is where the agent asks."""

    def setUp(self):
        super().setUp()
        self.agent.end()
        self.agent = self.starts(PATH="/usr/bin:/bin", DISPLAY=None, SSH_ASKPASS=None, SSH_ASKPASS_REQUIRE=None)
        self.go = self.alice.path("files", "go")
        self.screen = Screen(self, self.alice, "agent", "terminal", secret=None, shell=f'''"$0" "$@" && echo DONE-$?
            until [ -e {self.go} ]; do sleep 0.05; done; read -r line; echo "got <$line>"''')
        self.proves()

    def proves(self):
        """Whoever moves the questions of the agent knows the passphrase."""
        self.screen.sees("Passphrase or recovery code: ")
        self.screen.enters(PASSPHRASE)
        self.screen.sees("DONE-0")

    def begins(self, path: str, touch: str = "never", typed: str = ""):
        """A login to a server that nobody knows, which she allows; `typed` is what she types right after that."""
        def allows():
            self.screen.sees(r"\[y/l/N\] ")
            self.screen.types("y\r" + typed)
        return self.waits(path, touch, allows)

    def shell_has_its_terminal(self):
        """What is typed now is read by the shell that sits there, and seen."""
        touch.until(self.screen.process.getecho)
        with open(self.go, "w", encoding="ascii"):
            pass
        self.screen.enters("hello")
        self.screen.sees("got <hello>")

    def test_a_touch_ends_the_question_and_the_shell_goes_on(self):
        path = self.key()
        visitor, server = self.begins(path, "slow")
        self.screen.sees(ASKED)
        self.assertIn("Server key: SHA256:", self.screen.text.rpartition("HSIP Vault")[2])
        self.assertEqual(visitor.wait(60), 0, (server.log, self.agent.log))
        self.screen.sees("^\r\n")
        self.shell_has_its_terminal()

    def test_enter_ends_the_wait(self):
        visitor, server = self.begins(self.key())
        self.screen.sees(ASKED)
        self.screen.enters()
        self.assertEqual(visitor.wait(60), 255, server.log)
        self.assertEqual((self.last()["verdict"], self.last()["reason"]), ("failed", "promptDismissed"))
        touch.until(lambda: not self.helpers())
        self.shell_has_its_terminal()

    def test_what_was_typed_before_ends_no_wait(self):
        path = self.key()
        visitor, server = self.begins(path, "slow", typed="\r\rhello\r")
        self.screen.sees(ASKED)
        self.assertEqual(visitor.wait(60), 0, (server.log, self.agent.log))

    def test_who_hangs_up_leaves_the_terminal_in_order(self):
        visitor, _ = self.begins(self.key())
        self.screen.sees(ASKED)
        visitor.kill()
        touch.until(lambda: not self.helpers())
        self.shell_has_its_terminal()

    def test_a_lock_ends_the_question(self):
        visitor, server = self.begins(self.key())
        self.screen.sees(ASKED)
        self.ok(self.alice, "lock", secret=None)
        self.assertEqual(visitor.wait(60), 255, server.log)
        touch.until(lambda: not self.helpers())
        self.shell_has_its_terminal()

    def test_a_comment_cannot_write_on_the_screen(self):
        path = self.made("ring", comment="\x1b[2J\x1b]0;x\x07\u202egnir")
        self.assertEqual(self.agent.tool("ssh-add", path).returncode, 0)
        visitor, server = self.begins(path, "slow")
        self.screen.sees(r"Touch the security key of [^\r\n]*\(Enter: cancel\) ")
        asked = self.screen.text.partition("DONE-0")[2]
        for bad in ("\x1b[2J", "\x1b]0", "\x07", "\u202e"):
            self.assertNotIn(bad, asked)
        self.assertEqual(visitor.wait(60), 0, server.log)

    @unittest.skipUnless(shutil.which("pinentry-tty"), "pinentry-tty is not installed")
    def test_the_pin_is_typed_there_and_then_the_key_is_touched(self):
        self.agent.end()
        programs = self.alice.path("files", "programs")
        os.mkdir(programs, 0o700)
        os.symlink(shutil.which("pinentry-tty"), os.path.join(programs, "pinentry"))
        self.agent = self.starts(PATH=f"{programs}:/usr/bin:/bin", DISPLAY=None, SSH_ASKPASS=None, SSH_ASKPASS_REQUIRE=None)
        self.screen = Screen(self, self.alice, "agent", "terminal", secret=None, shell='"$0" "$@"; echo DONE-$?; sleep 1000')
        self.proves()
        path = self.key("ring", "ed25519-sk", "-O", "verify-required")
        self.says("pin", touch.PIN)

        def answers():
            self.screen.sees(r"\[y/l/N\] ")
            self.screen.enters("y")
            self.screen.sees("PIN of the security key")
            self.screen.sees("PIN: ?")
            self.screen.enters(touch.PIN)
        visitor, server = self.waits(path, "slow", answers)
        self.assertEqual(visitor.wait(60), 0, (server.log, self.agent.log))
        self.assertNotIn(touch.PIN, self.screen.text)


if __name__ == "__main__":
    unittest.main()
