"""Where there is no display: the agent asks at the terminal where the vault was unlocked, for a passphrase with pinentry-tty."""

import os
import shutil
import subprocess
import sys
import time
import unittest

import agents as ag
import control_wire as cw
import keyring as kr
import logind
from house import PASSPHRASE, Case
from screen import Screen


@unittest.skipUnless(shutil.which("pinentry-tty"), "pinentry-tty is not installed")
class TerminalQuestions(Case):
    """Alice on a machine without a display, and an agent that has only pinentry-tty."""

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        self.programs = self.alice.path("files", "programs")
        os.mkdir(self.programs, 0o700)
        os.symlink(shutil.which("pinentry-tty"), os.path.join(self.programs, "pinentry"))
        self.agent = self.starts()
        self.go = self.alice.path("files", "go")
        self.ok(self.alice, "ssh", "key", "generate", "work")
        self.public = self.alice.path("state", "hsip", "ssh", "work.pub")

    def starts(self, **more: str) -> ag.Hsip:
        return ag.Hsip(self.alice, secret=None, PATH=f"{self.programs}:/usr/bin:/bin", DISPLAY=None, SSH_ASKPASS=None,
                       SSH_ASKPASS_REQUIRE=None, **more)

    def sits(self, *words: str, **how) -> Screen:
        """Somebody who gives a command at a terminal, and stays there; types a line once `goes_on` says so."""
        screen = Screen(self, self.alice, *words, shell=f'''"$0" "$@" && echo DONE-$?
            until [ -e {self.go} ]; do sleep 0.05; done; read -r line; echo "got <$line>"''', **how)
        screen.sees("DONE-0")
        return screen

    def goes_on(self, screen: Screen):
        """What is typed at the terminal now is read by the shell that sits there, and seen."""
        with open(self.go, "w", encoding="ascii"):
            pass
        screen.enters("hello")
        screen.sees("got <hello>")

    def signs(self) -> "Signing":
        return Signing(self)

    def where(self) -> tuple[str, str | None]:
        status = self.agent.status()
        return status["questions"], status.get("questionsAt")

    def device(self, screen: Screen) -> str:
        return os.readlink(f"/proc/{screen.process.pid}/fd/0")

    def test_the_terminal_that_unlocked_is_asked(self):
        self.assertEqual(self.where(), ("nobody", None))
        screen = self.sits("unlock")
        self.assertEqual(self.where(), ("terminal", self.device(screen)))
        for line, code in (("y", 0), ("n", 1), ("", 1), ("a", 1), ("yes", 0)):
            signing = self.signs()
            # It signs as the first thing it does, so nobody knows what it was before it asked.
            screen.sees("Let an unknown program sign unknown data")
            screen.sees(r"\[y/N\] ")
            screen.enters(line)
            self.assertEqual(signing.ends(), code, self.agent.log)
        # The shell that sits there has its terminal back as it was.
        self.goes_on(screen)

    def test_what_was_typed_before_is_no_answer(self):
        screen = self.sits("unlock")
        screen.types("y\ny\n")
        signing = self.signs()
        screen.sees(r"\[y/N\] ")
        screen.enters("")
        self.assertEqual(signing.ends(), 1)

    def test_a_locked_vault_asks_for_its_passphrase_there(self):
        screen = self.sits("unlock")
        self.agent.lock()
        signing = self.signs()
        screen.sees("Passphrase")
        screen.enters(PASSPHRASE)
        screen.sees(r"\[y/N\] ")
        screen.enters("y")
        self.assertEqual(signing.ends(), 0, self.agent.log)
        self.assertNotIn(PASSPHRASE, screen.text)

    def test_a_command_without_a_terminal_says_at_once_where_its_question_stands(self):
        self.ok(self.alice, "secret", "set", "mail", given="battery-staple")
        screen = self.sits("unlock")
        self.agent.lock()
        waiting = self.reads()
        told = f"hsip: note: waiting for an answer at {self.device(screen)}\n"
        self.assertEqual(waiting.stderr.readline(), told, "before anyone has answered")
        screen.sees("Passphrase")
        screen.enters(PASSPHRASE)
        screen.sees(r"Type l to allow the same without asking for 1 hour\..*\[y/l/N\] ")
        self.assertEqual(waiting.stderr.readline(), told)
        screen.enters("y")
        output, rest = waiting.communicate(timeout=60)
        self.assertEqual((waiting.returncode, output, rest), (0, "battery-staple", ""))

    def reads(self) -> subprocess.Popen:
        """A command without a terminal that needs a secret."""
        process = subprocess.Popen(self.alice.command("secret", "get", "mail", secret=None), cwd=self.alice.home,
                                   env=self.alice.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True, encoding="utf-8")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_an_answer_from_another_terminal_ends_the_question_here(self):
        self.ok(self.alice, "secret", "set", "mail", given="battery-staple")
        screen = self.sits("unlock")
        waiting = self.reads()
        screen.sees(r"\[y/l/N\] ")
        [request] = self.ok(self.alice, "agent", "requests", "--json", secret=None).result["requests"]
        other = Screen(self, self.alice, "agent", "requests", "answer", str(request["number"]), secret=None)
        other.sees("Passphrase or recovery code: ")
        other.enters(PASSPHRASE)
        other.sees("Number: ")
        other.enters("once")
        self.assertEqual(other.ends(), 0, other.text)
        self.assertEqual(waiting.communicate(timeout=60)[0], "battery-staple")
        screen.sees("^\r\n")
        # The agent's questions stay at the first terminal, which is as it was.
        self.assertEqual(self.where(), ("terminal", self.device(screen)))
        self.goes_on(screen)

    def test_a_letter_is_a_yes_for_an_hour_and_every_other_answer_a_no(self):
        self.ok(self.alice, "secret", "set", "mail", given="battery-staple")
        screen = self.sits("unlock")
        for line in ("", "s", "a", "x", "ly"):
            waiting = self.reads()
            screen.sees(r"\[y/l/N\] ")
            screen.enters(line)
            self.assertEqual(waiting.communicate(timeout=60)[0], "", line)
        waiting = self.reads()
        screen.sees(r"\[y/l/N\] ")
        screen.enters("l")
        self.assertEqual(waiting.communicate(timeout=60)[0], "battery-staple")
        self.assertEqual(self.reads().communicate(timeout=60)[0], "battery-staple")

    def test_who_waits_for_the_question_of_another_program_says_where_it_is(self):
        self.ok(self.alice, "secret", "set", "mail", given="battery-staple")
        first = self.sits("unlock")
        self.agent.lock()
        signing = self.signs()
        first.sees("Passphrase")
        told = f"waiting for an answer at {self.device(first)}"
        waiting = self.reads()
        self.assertEqual(waiting.stderr.readline(), f"hsip: note: {told}\n")
        second = Screen(self, self.alice, "secret", "get", "mail", secret=None)
        second.sees(told)
        first.enters(PASSPHRASE)
        second.sees("battery-staple")
        signing.process_ends()

    def test_who_waits_for_the_question_of_another_hsip_is_told_its_terminal(self):
        self.ok(self.alice, "secret", "set", "mail", given="battery-staple")
        first = Screen(self, self.alice, "secret", "get", "mail", secret=None)
        first.sees("Passphrase")
        told = f"waiting for an answer at {self.device(first)}"
        self.assertEqual(self.reads().stderr.readline(), f"hsip: note: {told}\n")
        second = Screen(self, self.alice, "secret", "get", "mail", secret=None)
        second.sees(told)
        first.enters(PASSPHRASE)
        first.sees("battery-staple")
        second.sees("battery-staple")

    def test_whoever_wanted_it_goes_and_the_terminal_is_in_order(self):
        screen = self.sits("unlock")
        self.agent.lock()
        signing = self.signs()
        screen.sees("Passphrase")
        signing.process_ends()
        # Once the question is gone, what is typed can be seen again: pinentry was in the middle of a hidden line.
        end = time.monotonic() + ag.DEADLINE
        while not screen.process.getecho():
            self.assertLess(time.monotonic(), end, "the terminal stays hidden")
        self.goes_on(screen)

    def test_a_terminal_that_is_gone_asks_nobody(self):
        screen = self.sits("unlock")
        self.goes_on(screen)
        screen.ends()
        self.assertEqual(self.where(), ("nobody", None))
        self.assertEqual(self.signs().ends(), 1)

    def moves(self, **environment: str) -> Screen:
        return Screen(self, self.alice, "agent", "terminal", secret=None, shell='"$0" "$@"; echo DONE-$?; sleep 1000',
                      **environment)

    def logs_out(self) -> logind.Logind:
        """The vault stays open, and its questions reach nobody."""
        if kr.missing():
            self.skipTest(kr.missing())
        login = logind.Logind(kr.Bus())
        self.addCleanup(login.end)
        self.agent.end()
        self.agent = self.starts(**login.address)
        first = self.sits("unlock")
        self.goes_on(first)
        first.ends()
        self.assertEqual(self.where(), ("nobody", None))
        return login

    def test_no_program_of_the_login_takes_the_questions_to_a_display_of_its_own(self):
        login = self.logs_out()
        login.leader = os.getpid()
        # A program that speaks the agent's protocol itself.
        greeting = {"asks": "terminal", "environment": {"DISPLAY": ":99", "XAUTHORITY": "/tmp/x"}}
        script = f'''import sys; sys.path.insert(0, {os.path.dirname(__file__)!r})
import control_wire as cw
connection = cw.Connection({self.agent.control!r}, **{greeting!r})
print("ANSWER", connection.ask({{"terminal": {{}}}})[0], flush=True)'''
        other = Screen(self, self.alice, shell='exec "$PYTHON" -c "$SCRIPT"', PYTHON=sys.executable, SCRIPT=script)
        other.sees(f"ANSWER {cw.QUESTION}")
        self.assertEqual(self.where(), ("nobody", None))
        # hsip itself, with a display that the program chose.
        second = self.moves(DISPLAY=":99", XAUTHORITY="/tmp/x", DBUS_SESSION_BUS_ADDRESS="unix:path=/tmp/bus")
        second.sees("DONE-0")
        self.assertEqual(self.where(), ("terminal", self.device(second)))

    def test_a_session_in_which_nobody_logged_in_is_no_login(self):
        login = self.logs_out()
        login.leader = os.getpid()
        for login.kind, login.line in (("background", ""), ("manager", ""), ("", ""), ("user", "pts/4000000")):
            self.moves().sees("Passphrase")
        login.line = ""
        self.moves().sees("DONE-0")

    def test_who_logs_in_again_is_asked_there_without_the_passphrase(self):
        login = self.logs_out()
        # No login that logind knows, and one that is over.
        for login.leader, login.state in ((1, "active"), (os.getpid(), "closing")):
            self.moves().sees("Passphrase")
        login.state = "active"
        second = self.moves()
        second.sees("asks at the terminal")
        second.sees("DONE-0")
        self.assertNotIn("Passphrase", second.text)
        self.assertEqual(self.where(), ("terminal", self.device(second)))
        signing = self.signs()
        second.sees(r"\[y/N\] ")
        second.enters("y")
        self.assertEqual(signing.ends(), 0)
        # A terminal that is asked does not lose its questions to another one without the passphrase.
        self.moves().sees("Passphrase")
        self.assertEqual(self.where(), ("terminal", self.device(second)))

    def test_a_script_does_not_take_the_questions_to_its_terminal(self):
        self.sits("unlock", "--no-input")
        self.assertEqual(self.where(), ("nobody", None))

    def test_the_questions_move_to_another_terminal(self):
        first = self.sits("unlock")
        second = Screen(self, self.alice, "agent", "terminal", secret=None, shell='"$0" "$@"; echo DONE-$?; sleep 1000')
        second.sees("Passphrase")
        second.enters("not it")
        second.sees("wrong")
        self.assertEqual(self.where(), ("terminal", self.device(first)))
        second.enters(PASSPHRASE)
        second.sees("asks at the terminal")
        second.sees("DONE-0")
        self.assertEqual(self.where(), ("terminal", self.device(second)))
        signing = self.signs()
        second.sees(r"\[y/N\] ")
        second.enters("y")
        self.assertEqual(signing.ends(), 0)
        self.assertNotIn("[y/N]", first.text)
        # It was open all the time, and is it still.
        self.assertFalse(self.agent.status()["isLocked"])

    def test_the_passphrase_is_asked_for_where_ssh_runs(self):
        first = self.sits("unlock")
        self.agent.lock()
        second = Screen(self, self.alice, shell=f"ssh-add -T {self.public}; echo DONE-$?; sleep 1000",
                        **self.agent.environment())
        second.sees("Passphrase")
        second.enters(PASSPHRASE)
        # Who typed the passphrase there can be asked there.
        second.sees(r"\[y/N\] ")
        second.enters("y")
        second.sees("DONE-0")
        self.assertEqual(self.where(), ("terminal", self.device(second)))
        self.assertNotIn("Passphrase", first.text)

    def test_a_program_cannot_have_itself_asked_whether_it_may(self):
        first = self.sits("unlock")
        second = Screen(self, self.alice, shell=f"ssh-add -T {self.public}; echo DONE-$?; sleep 1000",
                        **self.agent.environment())
        first.sees(r"\[y/N\] ")
        first.enters("n")
        second.sees("DONE-1")
        self.assertNotIn("Allow", second.text)

    def test_an_agent_that_was_started_at_a_terminal_asks_there(self):
        self.agent.stop()
        screen = self.sits("agent", "start", secret=None, PATH=f"{self.programs}:/usr/bin:/bin")
        self.assertEqual(self.where(), ("terminal", self.device(screen)))

    def test_it_is_said_when_nobody_can_be_asked(self):
        self.agent.unlock()
        self.assertIn("nobody", self.ok(self.alice, "agent", "status", secret=None).output)
        for words in (("agent", "rule", "add", "careful", "ask", "--kind", "login"),
                      ("ssh", "key", "set", "work", "--confirm"), ("ssh", "key", "generate", "other", "--confirm")):
            screen = self.sits(*words, "--json", secret=None)
            self.assertIn("questionsUnheard", screen.plain)
        outcome = self.alice.run("doctor", "--json", secret=None)
        found = [check for check in outcome.result["findings"] if "cannot ask" in check["message"]]
        self.assertEqual([check["hint"] for check in found], ["hsip agent terminal"])
        self.sits("agent", "terminal")
        screen = self.sits("agent", "rule", "add", "wary", "ask", "--kind", "file", "--json", secret=None)
        self.assertNotIn("questionsUnheard", screen.plain)


class Signing:
    """ssh-add -T beside the test: a signature over bytes without a meaning, which is asked about each time."""

    def __init__(self, case: TerminalQuestions):
        self._process = subprocess.Popen(
            ["ssh-add", "-T", case.public], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=case.alice.home, start_new_session=True,
            env=case.alice.environment(**case.agent.environment()))
        case.addCleanup(self.process_ends)

    def ends(self) -> int:
        return self._process.wait(ag.DEADLINE)

    def process_ends(self):
        """It is ended, if it has not ended yet."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


del Case

if __name__ == "__main__":
    unittest.main()
