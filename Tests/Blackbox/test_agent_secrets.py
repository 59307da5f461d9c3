"""Secrets out of an agent for those who sit at no terminal: every name is asked about, and no answer is taken for another."""

import os
import subprocess
import sys
import unittest

import agents as ag
import control_wire as cw
from house import BINARY, Case


class Asked(Case):
    """Nobody sits at the terminal of these calls, so the agent asks in a window."""

    through_agent = False

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        for number in range(3):
            self.ok(self.alice, "secret", "set", f"s{number}", given=f"value {number}")
        self.agent = ag.Hsip(self.alice)
        self.askpass = self.agent.askpass
        self.alice.opens_with = None

    def runs(self, *words: str, **variables: str) -> subprocess.Popen:
        return subprocess.Popen([BINARY, *words], cwd=self.alice.home, env=self.alice.environment(**variables),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)

    def said(self, process: subprocess.Popen) -> tuple[int, bytes, bytes]:
        output, talk = process.communicate(timeout=100)
        return process.returncode, output, talk

    def rule(self, *words: str):
        """A rule that the person agrees to."""
        self.askpass.says("yes")
        self.ok(self.alice, "agent", "rule", "add", *words)
        asked = self.askpass.asked()
        self.assertRegex(asked, f"add the rule .*{words[0]}.*[?]")
        self.assertIn(f"Rule: {words[1]}", asked)

    def log(self) -> list[list[str]]:
        return [line.split("\t") for line in self.ok(self.alice, "audit", "list").lines]

    def test_several_secrets_are_one_question_that_names_each(self):
        variables = {"A": "vault:s0", "B": "vault:s1", "C": "vault:s2#password", "D": "vault:s0#password"}
        process = self.runs("run", "--", "sh", "-c", "echo $A, $B, $C, $D", **variables)
        asked = self.askpass.asked()
        self.assertRegex(asked, "^confirm: Let .*hsip.* read 3 secrets[?] Program: .*Secrets: .*s0.*, .*s1.*, .*s2")
        self.askpass.says("yes")
        self.assertEqual(self.said(process)[:2], (0, b"value 0, value 1, value 2, value 0\n"))
        self.assertFalse(self.askpass.was_asked())
        process = self.runs("run", "--", "echo", "started", **variables)
        self.askpass.asked()
        self.askpass.says("no")
        code, output, talk = self.said(process)
        self.assertEqual((code, output), (125, b""), talk)
        reads = [line for line in self.log() if "secret.resolve" in line]
        self.assertEqual(len(reads), 6, reads)

    def test_a_refused_name_refuses_all_and_asks_nobody(self):
        self.rule("never", "deny", "--kind", "read", "--subject", "s1")
        code, output, talk = self.said(self.runs("run", "--", "echo", "started", A="vault:s0", B="vault:s1"))
        self.assertEqual((code, output), (125, b""), talk)
        self.assertIn(b"never", talk)
        self.assertFalse(self.askpass.was_asked())

    def test_more_names_than_a_window_shows_are_asked_about_in_turn(self):
        names = [f"prod/service-{number:02}/database/password" for number in range(30)]
        for name in names:
            self.ok(self.alice, "secret", "set", name, given="v")
        template = "".join("{{vault:%s}}" % name for name in names)
        path = self.alice.write("files/template", template)
        for answers in (("yes",) * 5, ("yes", "no")):
            with open(path, "rb") as given:
                process = subprocess.Popen([BINARY, "secret", "inject"], cwd=self.alice.home, env=self.alice.environment(),
                                           stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
            seen = ""
            for answer in answers:
                seen += self.askpass.asked()
                self.askpass.says(answer)
                if all(name in seen for name in names):
                    break
            code, output, talk = self.said(process)
            if "no" in answers:
                self.assertEqual((code, output), (6, b""), talk)
            else:
                self.assertEqual((code, output), (0, b"v" * 30), talk)
                self.assertEqual([name for name in names if name not in seen], [])

    def test_helpers_are_asked_about_by_what_they_are_for(self):
        os.symlink(BINARY, self.alice.path("git-credential-hsip"))
        self.ok(self.alice, "secret", "set", "git/h", "--user", "me", "--url", "https://h.example", given="pw")
        for answer, wanted in (("yes", b"username=me\npassword=pw\n"), ("no", b"")):
            process = subprocess.Popen([self.alice.path("git-credential-hsip"), "get"], cwd=self.alice.home,
                                       env=self.alice.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, start_new_session=True)
            process.stdin.write(b"protocol=https\nhost=h.example\n")
            process.stdin.close()
            process.stdin = None
            self.assertIn("git/h", self.askpass.asked())
            self.askpass.says(answer)
            code, output, talk = self.said(process)
            self.assertEqual((code, output), (0, wanted))
            self.assertRegex(talk, rb"\Ahsip: note: waiting for an answer in a window[^\n]*\n\Z")

    def test_a_program_that_is_not_hsip_is_asked_about_what_lets_it_guess(self):
        known = "which secrets of the vault it knows"
        for operation, words, arguments, secrets in (
                ("secret.move", "to .*b.*[?]", ["a", "b"], ()),
                ("secret.import-trial", known, cw.NOTHING["secret.import-trial"], ()),
                ("secret.check", "weak", cw.NOTHING["secret.check"], ()),
                ("secret.remove", "whether it knows", ["s0", {"holds": {"_1": cw.Place(0)}}], (b"guess",))):
            with cw.Connection(self.agent.control, asks="agent") as connection:
                number = connection.call(operation, arguments, *secrets)
                self.assertRegex(self.askpass.asked(), words)
                self.askpass.says("no")
                kind, answered, body = connection.receive()
                self.assertEqual((kind, answered, body["error"]["name"]), (cw.ERROR, number, "promptDismissed"), body)
        with cw.Connection(self.agent.control, asks="nobody") as connection:
            connection.call("secret.check", cw.NOTHING["secret.check"])
            kind, _, body = connection.receive()
            self.assertEqual((kind, body["error"]["name"]), (cw.ERROR, "nobodyToAsk"), body)
        # What is no call of an operation is refused before anything is asked.
        with cw.Connection(self.agent.control, asks="agent") as connection:
            connection.call("secret.move", ["a"])
            kind, _, body = connection.receive()
            self.assertEqual((kind, body["error"]["name"]), (cw.ERROR, "malformedCall"), body)
        self.assertFalse(self.askpass.was_asked())

    def test_who_may_read_some_secrets_cannot_guess_at_one_that_a_rule_refuses(self):
        self.ok(self.alice, "secret", "set", "db", given="v")
        me = os.path.realpath(sys.executable)
        self.rule("mine", "allow", "--kind", "read", "--program", me)
        for refuses in (False, True):
            if refuses:
                self.rule("keep", "deny", "--kind", "read", "--subject", "db")
            for operation, arguments in cw.NOTHING.items():
                with self.subTest(operation=operation, refuses=refuses):
                    with cw.Connection(self.agent.control, asks="nobody") as connection:
                        connection.call(operation, arguments)
                        frames = [connection.receive()]
                        while frames[-1][0] in (cw.BYTES, cw.DATA):
                            frames.append(connection.receive())
                        kind, _, body = frames[-1]
                        if refuses:
                            self.assertEqual((kind, body["error"]["name"]), (cw.ERROR, "policyRefused"), body)
                        else:
                            self.assertEqual(kind, cw.REPLY, body)


if __name__ == "__main__":
    unittest.main()
