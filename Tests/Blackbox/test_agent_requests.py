"""`hsip agent requests`: a question in a window that nobody sees is answered from another terminal, by who can open the vault."""

import base64
import os
import shlex
import subprocess
import threading
import time
import unittest

import agent_wire as aw
import agents as ag
import control_wire as cw
import schemas
from agent_case import AgentCase
from house import AT_THE_DESKTOP, BINARY, PASSPHRASE, Case, Outcome
from screen import CONTROL_C, Screen

ASKED = r"Passphrase or recovery code: "


def bare(text: str) -> str:
    """Without the marks by which a window sets names apart."""
    return text.replace("\u2068", "").replace("\u2069", "")


class Elsewhere:
    """Alice has an agent with a window, and comes from other terminals."""

    def requests(self) -> list[dict]:
        return self.ok(self.alice, "agent", "requests", "--json", secret=None).result["requests"]

    def number(self) -> int:
        [request] = self.requests()
        return request["number"]

    def answers(self, number: int, *words: str, **how) -> Screen:
        """Another terminal."""
        return Screen(self, self.alice, "agent", "requests", "answer", str(number), *words, secret=None, **how)

    def gives(self, answer: str, number: int | None = None) -> str:
        """The person there shows who it is, and answers."""
        screen = self.answers(number or self.number())
        screen.sees(ASKED)
        screen.enters(PASSPHRASE)
        screen.sees("Number: ")
        screen.enters(answer)
        self.assertEqual(screen.ends(), 0, screen.text)
        return screen.plain

    def reads(self, name: str = "mail") -> subprocess.Popen:
        """A script without a terminal that wants a secret; its question is in the window."""
        process = self.alice.start("secret", "get", name, secret=None, stdin=subprocess.DEVNULL)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.assertIn(f"read the secret “{name}”?", bare(self.agent.askpass.asked()))
        return process

    def got(self, process: subprocess.Popen, code: int = 0) -> str:
        output, talk = process.communicate(timeout=ag.DEADLINE)
        self.assertEqual(process.returncode, code, talk)
        return output.decode()


class Requests(Elsewhere, Case):
    through_agent = False

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        for name in ("mail", "bank"):
            self.ok(self.alice, "secret", "set", name, given=f"value of {name}")
        self.agent = ag.Hsip(self.alice)
        self.askpass = self.agent.askpass

    # What it is good for

    def test_once_gives_the_waiting_script_its_value_and_closes_the_window(self):
        self.assertEqual(self.requests(), [])
        process = self.reads()
        [request] = self.requests()
        self.assertIn("read the secret “mail”?", request["question"])
        self.assertIn(f", process {process.pid}", request["details"][0])
        self.assertEqual(request["longer"], "longer")
        table = self.ok(self.alice, "agent", "requests", secret=None)
        self.assertIn("read the secret “mail”?", table.output)
        self.assertIn(f"hsip agent requests answer {request['number']}", table.talk)
        said = self.gives("once")
        # The question stands whole above what is typed.
        above = said.split("Passphrase")[0]
        self.assertIn(request["question"], above)
        self.assertIn(f"process {process.pid}", " ".join(above.split()))
        self.assertIn(f"Request {request['number']}: allowed.", said)
        self.assertEqual(self.got(process), "value of mail")
        self.assertEqual(self.requests(), [])
        [answer] = [entry for entry in self.ok(self.alice, "audit", "--json", secret=None).result["entries"]
                    if entry["act"] == "request.answer"]
        self.assertEqual((answer["verdict"], bare(answer["subject"]), answer["target"]), ("allowed", request["question"], "once"))
        self.assertTrue(answer["program"].startswith(os.path.realpath(BINARY)), answer)
        # It was for this one time, and no number comes again.
        process = self.reads()
        self.assertGreater(self.number(), request["number"])
        self.askpass.says("no")
        self.got(process, 6)

    def test_deny_refuses_and_longer_holds(self):
        process = self.reads()
        self.assertIn("denied", self.gives("deny"))
        self.got(process, 6)
        process = self.reads()
        said = self.gives("longer")
        self.assertIn("longer: to allow the same without asking for 1 hour", " ".join(said.split()))
        self.assertEqual(self.got(process), "value of mail")
        self.assertEqual(self.ok(self.alice, "secret", "get", "mail", secret=None).output, "value of mail")
        self.assertFalse(self.askpass.was_asked())

    def test_a_question_behind_another_one_can_be_answered_first(self):
        first = self.reads()
        second = self.alice.start("secret", "get", "bank", secret=None, stdin=subprocess.DEVNULL)
        self.addCleanup(second.communicate)
        self.addCleanup(second.kill)
        self.until(lambda: len(self.requests()) == 2)
        number = self.requests()[1]["number"]
        self.gives("once", number)
        self.assertEqual(self.got(second), "value of bank")
        self.askpass.says("yes")
        self.assertEqual(self.got(first), "value of mail")

    def test_json_says_what_was_answered_also_where_windows_are_wanted(self):
        self.ok(self.alice, "config", "prompt", "pinentry", secret=None)
        process = self.reads()
        number = self.number()
        place = self.alice.path("files", "said")
        screen = self.answers(number, "--json", shell=f'"$0" "$@" >{place}')
        screen.sees(ASKED)
        screen.enters(PASSPHRASE)
        screen.sees("read the secret “mail”")
        screen.sees("Number: ")
        screen.enters("2")
        self.assertEqual(screen.ends(), 0, screen.text)
        with open(place, "rb") as file:
            outcome = Outcome([BINARY, "agent", "requests", "answer", str(number), "--json"], 0, file.read(), b"")
        schemas.check(outcome)
        self.assertEqual(outcome.result, {"number": number, "answer": "once"})
        self.assertEqual(self.got(process), "value of mail")

    # Who gets nothing

    def test_a_wrong_passphrase_changes_nothing_and_counts(self):
        process = self.reads()
        number = self.number()
        screen = self.answers(number)
        for _ in range(3):
            screen.sees(ASKED)
            screen.enters("not this one")
        self.assertEqual(screen.ends(), 6, screen.text)
        self.assertEqual(self.number(), number)
        tried = [entry for entry in self.ok(self.alice, "audit", "--refused", "--json").result["entries"]
                 if entry["reason"] == "wrongSecret"]
        self.assertEqual([entry["kind"] for entry in tried], ["unlock"] * 3)
        # Who leaves the question leaves it to the next.
        for leaves in (ASKED, "Number: "):
            screen = self.answers(number)
            screen.sees(ASKED)
            if leaves != ASKED:
                screen.enters(PASSPHRASE)
                screen.sees(leaves)
            screen.types(CONTROL_C)
            self.assertEqual(screen.ends(), 130, screen.text)
            self.assertEqual(self.number(), number)
        self.askpass.says("yes")
        self.assertEqual(self.got(process), "value of mail")

    def test_a_program_that_makes_a_terminal_for_itself_does_not_say_yes_to_itself(self):
        process = self.reads()
        number = self.number()
        for typed in ([""], ["once", "2", "yes"]):
            screen = self.answers(number)
            for line in typed:
                screen.sees(ASKED)
                screen.enters(line)
            self.assertNotEqual(screen.ends(), 0, screen.text)
        empty = self.alice.write("secrets/guess", "1234\n")
        for words in (("--passphrase-file", "/dev/null"), ("--passphrase-file", empty), ("--no-input",), ("--yes",)):
            screen = self.answers(number, *words)
            if words == ("--yes",):
                screen.sees(ASKED)
                screen.enters("")
            self.assertNotEqual(screen.ends(), 0, screen.text)
        # Nor by the socket itself.
        with cw.Connection(self.agent.control, asks="terminal") as connection:
            for body in ({"requests": {}}, {"answerRequest": {"number": number}},
                         {"answerRequest": {"number": number, "answer": "once"}}):
                kind, said = connection.ask(body)
                self.assertEqual((kind, said["error"]["name"]), (cw.ERROR, "policyRefused"))
        self.assertEqual(self.number(), number)
        self.assertIsNone(process.poll())
        self.askpass.says("no")
        self.got(process, 6)

    def test_without_a_terminal_nobody_answers(self):
        process = self.reads()
        number = self.number()
        self.refused("nobodyToAsk", self.alice, "agent", "requests", "answer", str(number))
        self.assertEqual(self.number(), number)
        self.askpass.says("no")
        self.got(process, 6)

    def test_inside_a_lease_requests_are_neither_shown_nor_answered(self):
        process = self.reads()
        number = self.number()
        files = self.alice.path("files")
        secret = shlex.quote(self.alice.secret_file("recovery"))
        command = "\n".join([
            f"{BINARY} agent requests >{files}/list 2>&1; echo $? >>{files}/list",
            f"{BINARY} agent requests answer {number} --passphrase-file {secret} >{files}/answer 2>&1",
            f"echo $? >>{files}/answer"])
        screen = Screen(self, self.alice, "lease", "run", "bank", "--for", "1m", "--reason", "a test", "--", "sh", "-c",
                        command)
        self.assertEqual(screen.ends(), 0, screen.text)
        for name in ("list", "answer"):
            with open(os.path.join(files, name), encoding="utf-8") as file:
                text = file.read()
            self.assertIn("inside a lease requests are neither shown nor answered", text)
            self.assertEqual(text.splitlines()[-1], "6")
        self.assertEqual(self.number(), number)
        self.askpass.says("no")
        self.got(process, 6)

    # The question ends

    def test_an_asker_that_is_killed_leaves_no_request(self):
        process = self.reads()
        number = self.number()
        screen = self.answers(number)
        screen.sees(ASKED)
        process.kill()
        self.until(lambda: self.requests() == [])
        screen.enters(PASSPHRASE)
        self.assertEqual(screen.ends(), 3, screen.text)
        self.assertIn("no request with this number waits for an answer", " ".join(screen.plain.split()))
        self.refused_here(number)

    def test_a_lock_ends_the_requests(self):
        process = self.reads()
        number = self.number()
        self.agent.lock()
        self.got(process, 5)
        self.assertEqual(self.requests(), [])
        self.refused_here(number)
        self.assertTrue(self.agent.status()["isLocked"])

    def refused_here(self, number: int):
        """No passphrase is asked for."""
        screen = self.answers(number)
        self.assertEqual(screen.ends(), 3, screen.text)
        self.assertNotIn("Passphrase", screen.text)

    def until(self, holds):
        end = time.monotonic() + ag.DEADLINE
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)


class Logins(Elsewhere, AgentCase):
    through_agent = False

    def test_the_question_about_a_login_is_answered_from_elsewhere(self):
        path = self.make("k")
        self.adds(path)
        with open(path + ".pub", "rb") as file:
            blob = base64.b64decode(file.read().split()[1])
        for answer, code in (("once", 14), ("deny", 5)):
            answers = []

            def login():
                session = b"s" * 32
                with aw.Connection(self.agent.socket) as connection:
                    connection.ask(aw.bind(aw.Key(), session))
                    answers.append(connection.ask(aw.sign(blob, aw.login(session, b"root", blob)))[0])
            thread = threading.Thread(target=login)
            thread.start()
            asked = bare(self.askpass.asked())
            [request] = self.requests()
            self.assertIn("log in as “root”", request["question"])
            # Nothing is left out of what the window shows.
            for line in [request["question"], *request["details"]]:
                self.assertIn(line, asked)
            self.gives(answer)
            thread.join(ag.DEADLINE)
            self.assertEqual(answers, [code])


class InAKeyring(Elsewhere, Case):
    """The vault has no secret of its own there."""

    world = AT_THE_DESKTOP
    through_agent = False

    def test_only_the_window_answers(self):
        if ag.missing():
            self.skipTest(ag.missing())
        self.ok(self.alice, "secret", "set", "mail", given="value of mail")
        self.agent = ag.Hsip(self.alice, secret=None)
        self.agent.unlock(secret=None)
        process = self.reads()
        number = self.number()
        screen = self.answers(number)
        self.assertEqual(screen.ends(), self.number_of("notForKeyring"), screen.text)
        self.assertIn("a vault in the keyring has no passphrase", " ".join(screen.plain.split()))
        self.assertEqual(self.number(), number)
        self.agent.askpass.says("yes")
        self.assertEqual(self.got(process), "value of mail")


del AgentCase, Case

if __name__ == "__main__":
    unittest.main()
