"""Rules of the agent: they hold under every name, and no program changes them unasked."""

import base64
import hmac
import os
import unittest

import agent_wire as aw
import agents as ag
import control_wire as cw
import sshd
from agent_case import AgentCase
from house import FRIENDS, Case
from screen import Screen


class Rules(Case):
    """These calls have no terminal, so the agent asks in a window."""

    world = FRIENDS
    through_agent = False

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        for name in ("prod", "ci/token"):
            self.ok(self.alice, "secret", "set", name, given="value")
        self.agent = ag.Hsip(self.alice)
        self.askpass = self.agent.askpass

    def asks(self, answer: str, *words: str, **how):
        """A call that is asked about once: the question, and what came of it."""
        self.askpass.says(answer)
        outcome = self.alice.run(*words, **how)
        return self.askpass.asked(), outcome

    def agreed(self, *words: str, **how):
        question, outcome = self.asks("yes", *words, **how)
        self.assertEqual(outcome.code, 0, (question, outcome))
        return outcome

    def rule(self, *words: str):
        return self.agreed("agent", "rule", "add", *words)

    def sits(self, *words: str) -> str:
        """The call by a person at a terminal; what the screen shows."""
        screen = Screen(self, self.alice, *words)
        self.assertEqual(screen.ends(), 0, screen.text)
        return screen.plain

    def subjects(self) -> dict[str, str]:
        rules = self.ok(self.alice, "agent", "rule", "list", "--json").result["rules"]
        return {rule["name"]: rule["subject"] for rule in rules}

    def test_without_a_terminal_hsip_changes_nothing_that_decides_later_unasked(self):
        self.rule("keep", "deny", "--kind", "read", "--subject", "prod")
        self.ok(self.alice, "ssh", "key", "generate", "work")
        for words in (("agent", "rule", "add", "evil", "allow", "--kind", "read"), ("agent", "rule", "rm", "keep"),
                      ("ssh", "key", "set", "work", "--only-for", "evil.example.org"),
                      ("ssh", "host", "add", "work", "--address", "evil.example.org", "--user", "me", "--key", "work"),
                      ("contact", "set", "bob", "--alias", "bobby"), ("secret", "mv", "ci/token", "token")):
            with self.subTest(words=words):
                self.ends(6, self.alice, *words, "--no-input")
                question, outcome = self.asks("no", *words)
                self.assertRegex(question, "^confirm: Let .*hsip.* (add|change|rename|remove) ")
                self.assertEqual(outcome.code, 6, outcome)
        self.assertEqual(self.subjects(), {"keep": "prod"})
        self.ends(6, self.alice, "secret", "get", "prod", "--no-input")
        # A person at a terminal of hsip decides by doing it.
        self.sits("agent", "rule", "rm", "keep")
        self.assertEqual(self.subjects(), {})
        self.assertFalse(self.askpass.was_asked())

    def test_a_yes_to_one_change_of_trust_says_what_it_is_and_is_none_to_the_next(self):
        self.ok(self.alice, "ssh", "key", "generate", "work")
        self.agreed("ssh", "host", "add", "prod", "--address", "good.example.org", "--user", "me", "--key", "work")
        for address in ("new.example.org", "evil.example.org"):
            question, outcome = self.asks("yes", "ssh", "host", "set", "prod", "--address", address)
            self.assertEqual(outcome.code, 0, outcome)
            self.assertIn(f"Address: {address}", question)
        key = self.ok(self.alice, "ssh", "key", "show", "work", "--json").result
        for names, shown in (("good.example.org", "good.example.org"), ("@cert-authority *", "Authority for *")):
            path = self.alice.write("files/hosts", f"{names} ssh-ed25519 {key['publicKeyBase64']}\n")
            question, outcome = self.asks("no", "ssh", "host", "import", path, "-y")
            self.assertEqual(outcome.code, 6, outcome)
            self.assertIn(f"{shown}: ED25519 {key['fingerprint']}", question)
        question, outcome = self.asks("yes", "ssh", "key", "set", "work", "--confirm")
        self.assertIn("A question before each use", question)
        question, outcome = self.asks("no", "ssh", "key", "set", "work", "--no-confirm")
        self.assertIn("No question before each use", question)
        self.assertEqual(outcome.code, 6, outcome)

    def test_a_rule_about_a_person_holds_whatever_he_is_called(self):
        message = self.ok(self.bob, "encrypt", "alice", given="from bob").output
        path = self.bob.write("files/letter", "a letter")
        self.ok(self.bob, "encrypt", "alice", "--file", path, "-o", self.alice.path("files", "sealed"))
        self.rule("never", "deny", "--kind", "use", "--subject", "bob")
        for name in ("bob", "bobby"):
            with self.subTest(name=name):
                self.ends(6, self.alice, "encrypt", name, given="x")
                # Who is not named is found by the message.
                self.ends(6, self.alice, "decrypt", given=message)
                self.ends(6, self.alice, "decrypt", "--from", name, given=message)
                self.ends(6, self.alice, "decrypt", self.alice.path("files", "sealed"), "-o",
                          self.alice.path("files", "opened"))
                if name == "bob":
                    outcome = self.agreed("contact", "set", "bob", "--alias", "bobby")
                    self.assertIn("the rule never now names", outcome.talk)
                    self.assertEqual(self.subjects(), {"never": "bobby"})
        refused = [line.split("\t") for line in self.ok(self.alice, "audit", "--refused").lines]
        self.assertTrue(any("message.decrypt" in line and "bobby" in line for line in refused), refused)
        self.agreed("agent", "rule", "rm", "never")
        self.assertEqual(self.ok(self.alice, "decrypt", given=message).output, "from bob\n")

    def test_a_rule_goes_along_with_what_gets_another_name(self):
        self.rule("never", "deny", "--subject", "prod")
        self.assertIn("the rule never now names", self.sits("secret", "mv", "prod", "old"))
        self.assertEqual(self.subjects(), {"never": "old"})
        self.ends(6, self.alice, "secret", "get", "old")
        # Through the trash, too: the new one takes the name, and both are refused.
        self.ok(self.alice, "secret", "rm", "old", "-y")
        self.ok(self.alice, "secret", "set", "old", given="new")
        self.assertEqual(self.subjects(), {"never": "old", "never-2": "old-2"})
        self.ok(self.alice, "secret", "restore", "old-2")
        for name in ("old", "old-2"):
            self.ends(6, self.alice, "secret", "get", name)
        self.assertFalse(self.askpass.was_asked())

    def test_a_rule_about_a_folder(self):
        self.rule("ci", "deny", "--kind", "read", "--subject", "ci/*")
        self.ends(6, self.alice, "secret", "get", "ci/token")
        question, outcome = self.asks("yes", "secret", "get", "prod")
        self.assertEqual((outcome.code, outcome.output), (0, "value"), outcome)
        # What a rule refuses gets no other name by a script, either.
        self.ends(6, self.alice, "secret", "mv", "ci/token", "token")
        self.assertIn("the rule ci does not apply to", self.sits("secret", "mv", "ci/token", "token"))
        self.assertIn("the rule ci now applies to", self.sits("secret", "mv", "token", "ci/deep/er/token"))
        self.ends(6, self.alice, "secret", "get", "ci/deep/er/token")

    def test_what_takes_everything_is_refused_by_a_rule_about_a_folder(self):
        self.rule("ci", "deny", "--kind", "read", "--subject", "ci/*")
        for operation in ("secret.check", "secret.import-trial", "vault.import-trial"):
            with cw.Connection(self.agent.control, asks="agent") as connection:
                connection.call(operation, cw.NOTHING[operation])
                kind, _, body = connection.receive()
                self.assertEqual((kind, body["error"]["name"]), (cw.ERROR, "policyRefused"), body)
        self.assertFalse(self.askpass.was_asked())

    def test_the_doctor_tells_of_rules_that_fit_nothing(self):
        def found() -> dict[str, str]:
            outcome = self.alice.run("doctor", "--json")
            return {check["state"]: check["message"] for check in outcome.result["findings"] if check["check"] == "rules"}
        self.assertEqual(found(), {})
        self.rule("fits", "deny", "--kind", "read", "--subject", "ci/*")
        self.assertEqual(list(found()), ["ok"])
        outcome = self.rule("slip", "deny", "--subject", "cl/*", "--json")
        self.assertIn("ruleFitsNothing", outcome.warnings)
        self.assertIn("slip", found()["warning"])
        self.assertNotIn("ok", found())

    def test_a_rule_about_what_lies_in_the_trash_is_no_slip(self):
        self.rule("keep", "deny", "--subject", "prod")
        self.ok(self.alice, "secret", "rm", "prod", "-y")
        outcome = self.alice.run("doctor", "--json")
        found = [check["state"] for check in outcome.result["findings"] if check["check"] == "rules"]
        self.assertEqual(found, ["ok"])

    def test_another_program_is_asked_about_where_a_host_leads(self):
        one = "change the address of the host .*h1.*[?]"
        for operation, arguments, words in (
                ("ssh-host.set", ["h1", {}], one), ("ssh-host.add", [[]], "change the addresses of hosts[?]"),
                ("ssh-host.remove", ["h1"], one), ("ssh-host.restore", ["h1"], one)):
            with self.subTest(operation=operation):
                with cw.Connection(self.agent.control, asks="agent") as connection:
                    number = connection.call(operation, arguments)
                    self.assertRegex(self.askpass.asked(), words)
                    self.askpass.says("no")
                    kind, answered, body = connection.receive()
                    self.assertEqual((kind, answered, body["error"]["name"]), (cw.ERROR, number, "promptDismissed"))

    def test_the_history_of_texts_is_asked_about_in_words(self):
        with cw.Connection(self.agent.control, asks="agent") as connection:
            number = connection.call("text-history", [])
            question = self.askpass.asked()
            self.assertIn("read the history of texts encrypted with typed keys?", question)
            self.assertNotIn("\u201c\u201d", question)
            self.askpass.says("no")
            self.assertEqual(connection.receive()[1], number)


@unittest.skipIf(sshd.missing(), str(sshd.missing()))
class Hosts(AgentCase):
    """Where a login leads is what the vault knows of the host's key."""

    through_agent = False

    def setUp(self):
        super().setUp()
        self.public = self.make("k") + ".pub"
        self.adds(self.public[:-4])
        with open(self.public, "rb") as file:
            self.blob = base64.b64decode(file.read().split()[1])

    def login(self, host: aw.Key) -> int:
        """A program says that its login is to a host with this key; the number of the answer."""
        session = b"s" * 32
        with aw.Connection(self.agent.socket) as connection:
            self.assertEqual(connection.ask(aw.bind(host, session))[0], 6)
            return connection.ask(aw.sign(self.blob, aw.login(session, b"root", self.blob)))[0]

    def trusted(self, host: aw.Key, name: str):
        line = b"%s ssh-ed25519 %s\n" % (name.encode(), base64.b64encode(host.blob))
        path = self.alice.write("files/ssh/known", line)
        self.ok(self.alice, "--no-agent", "ssh", "host", "import", path, "-y")

    def test_a_key_that_a_program_made_itself_is_no_host_that_is_known(self):
        host = aw.Key()
        self.askpass.says("no")
        self.assertEqual(self.login(host), 5)
        self.assertIn("never seen before", self.askpass.asked())
        self.trusted(host, "h1")
        self.assertEqual(self.login(host), 14)
        self.assertFalse(self.askpass.was_asked())

    def test_a_rule_that_refuses_a_host_finds_it_behind_other_names(self):
        for number, names in enumerate(("a{0}.t,b{0}.t,c{0}.t,d{0}.t,prod{0}.t", "*{0}.t")):
            with self.subTest(names=names):
                host = aw.Key()
                self.trusted(host, names.format(number))
                self.askpass.says("yes")
                self.ok(self.alice, "agent", "rule", "add", f"no{number}", "deny", "--kind", "login", "--host",
                        f"prod{number}.t")
                self.askpass.asked()
                self.assertEqual(self.login(host), 5)
                refused = self.ok(self.alice, "audit", "--refused").lines
                self.assertIn(f"rule:no{number}", refused[-1])
        self.assertFalse(self.askpass.was_asked())

    def test_a_question_does_not_call_a_host_new_whose_line_hides_its_name(self):
        host = aw.Key()
        salt = os.urandom(20)
        digest = hmac.new(salt, b"[prod5.t]:2222", "sha1").digest()
        self.trusted(host, "|1|" + "|".join(base64.b64encode(part).decode() for part in (salt, digest)))
        self.askpass.says("yes")
        self.ok(self.alice, "agent", "rule", "add", "no5", "deny", "--kind", "login", "--host", "prod5.t")
        self.askpass.asked()
        self.askpass.says("no")
        self.assertEqual(self.login(host), 5)
        asked = self.askpass.asked()
        self.assertNotIn("never seen before", asked)
        self.assertIn("its key is known", asked)


del AgentCase, Case

if __name__ == "__main__":
    unittest.main()
