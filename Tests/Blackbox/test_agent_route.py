"""Logins through a host with the agent passed on: the question, its hint, and the rule for one route."""

import os
import shlex
import subprocess
import unittest

import agent_wire as aw
import ssh_keys as sk
import sshd
from agent_case import AgentCase

NAMES = ("jump", "web", "db")


def setUpModule():
    if sshd.missing():
        raise unittest.SkipTest(sshd.missing())


class Route(AgentCase):
    """Three hosts with a profile each, and one key for all of them."""

    def prepare(self):
        path = self.make("work")
        self.ok(self.alice, "ssh", "key", "import", path)
        self.line = sk.beside(path)
        self.blob = sk.base64.b64decode(self.line.split()[1])
        self.servers = {name: sshd.Server(self, authorized=(self.line,), address=None) for name in NAMES}
        # Hosts whose keys the test holds, so that it can speak for them.
        self.hosts = {name: aw.Key() for name in ("bastion", "app")}
        with open(self.file("known_hosts"), "w", encoding="ascii") as file:
            for name, server in self.servers.items():
                file.write(f"{name}.example.org {server.public()}\n")
            for name, key in self.hosts.items():
                file.write(f"{name}.example.org ssh-ed25519 {sk.base64.b64encode(key.blob).decode()}\n")
        self.ok(self.alice, "ssh", "host", "import", self.file("known_hosts"), "-y")
        for name in (*NAMES, *self.hosts):
            user = self.servers[name].user if name in self.servers else "deploy"
            self.ok(self.alice, "ssh", "host", "add", name, "--address", f"{name}.example.org", "--user", user,
                    "--key", "work")
        os.remove(path)

    def words(self, name: str, *options: str, proxy: str | None = None) -> list[str]:
        server = self.servers[name]
        settings = [f"UserKnownHostsFile={self.file('known_hosts')}", "GlobalKnownHostsFile=none", "BatchMode=yes",
                    f"ProxyCommand={proxy or server.proxy}", f"User={server.user}", "StrictHostKeyChecking=yes"]
        return ["ssh", "-F", "none", *(word for setting in settings for word in ("-o", setting)), *options,
                f"{name}.example.org"]

    def through(self, *names: str, command: str = "echo hello") -> subprocess.CompletedProcess:
        """To the first of these hosts, and from each with the agent passed on to the next."""
        line = command
        for name in reversed(names[1:]):
            options = ("-A",) if name != names[-1] else ()
            line = shlex.join([*self.words(name, *options), line])
        return self.agent.tool(*self.words(names[0], "-A"), line)

    def arrives(self, *names: str):
        done = self.through(*names)
        self.assertEqual((done.returncode, done.stdout), (0, b"hello\n"), (done, self.agent.log))

    def asks(self, *names: str, answer: str = "yes") -> str:
        """The question about a login through the first host."""
        self.askpass.says(answer)
        done = self.through(*names)
        self.assertEqual(done.stdout, b"hello\n" if answer == "yes" else b"", (done, self.agent.log))
        return self.askpass.asked()

    def adds(self, *more: str, host: str = "web", via: str = "jump", user: str | None = None):
        self.agent.agreed("agent", "rule", "add", "way", "allow", "--kind", "login", "--subject", "work", "--user",
                          user or self.servers["web"].user, "--host", host, "--via", via, "--for", "30d", *more,
                          secret=None)

    def test_the_question_names_the_way_and_once_how_to_go_without_it(self):
        first = self.asks("jump", "web")
        self.assertIn("asked from another machine, through", first)
        self.assertIn("This asks nothing: ssh -J jump web", first)
        self.assertNotIn("This asks nothing", self.asks("jump", "web"))
        self.assertIn("This asks nothing: ssh -J jump db", self.asks("jump", "db"))

    def test_no_hint_is_given_that_would_ask_as_well(self):
        self.ok(self.alice, "ssh", "key", "set", "work", "--confirm", "--no-agent")
        self.askpass.says("yes")  # the login to the first host
        first = self.asks("jump", "web")
        self.assertNotIn("through", first)
        second = self.askpass.asked()
        self.assertIn("asked from another machine, through", second)
        self.assertNotIn("This asks nothing", second)

    def test_the_command_of_the_hint_asks_nothing(self):
        # As ssh -J makes it: the first host carries the bytes, and the login goes from here to the second.
        way = shlex.join([*self.words("jump"), self.servers["web"].proxy])
        done = self.agent.tool(*self.words("web", proxy=way), "echo hello")
        self.assertEqual((done.returncode, done.stdout), (0, b"hello\n"), (done, self.agent.log))
        self.assertFalse(self.askpass.was_asked())

    def test_a_rule_lets_this_route_pass_and_the_log_says_so(self):
        self.adds()
        self.arrives("jump", "web")
        self.assertFalse(self.askpass.was_asked())
        signed = [one for one in self.ok(self.alice, "audit", "list", "--kind", "sign", "--json", secret=None).result["entries"]
                  if one["reason"] == "rule:way"]
        self.assertEqual(len(signed), 1)
        user = self.servers["web"].user
        self.assertEqual(signed[0]["target"], f"{user}@web.example.org through jump.example.org")

    def test_a_rule_lets_no_other_route_pass(self):
        self.adds()
        for names in (("jump", "db"), ("db", "web")):
            with self.subTest(names):
                self.assertIn("asked from another machine", self.asks(*names, answer="no"))
        # Two hosts in between: the first hop is the route of the rule, the second is not.
        self.askpass.says("no")
        done = self.through("jump", "web", "db")
        self.assertEqual(done.stdout, b"")
        self.assertIn("asked from another machine", self.askpass.asked())

    def ask(self, *messages: bytes) -> bytes:
        """The last answer to these messages over one connection."""
        with aw.Connection(self.agent.socket) as connection:
            return [connection.ask(message) for message in messages][-1]

    def test_a_rule_needs_both_hosts_to_have_signed_and_the_servers_key_in_the_login(self):
        self.adds(host="app", via="bastion", user="deploy")
        bastion, app, session = self.hosts["bastion"], self.hosts["app"], os.urandom(32)

        def login(name: bytes | None = app.blob, user: bytes = b"deploy", of: bytes = session) -> bytes:
            return aw.sign(self.blob, aw.login(of, user, self.blob, name))

        first, second = aw.bind(bastion, os.urandom(32), True), aw.bind(app, session)
        self.assertEqual(self.ask(first, second, login())[0], aw.SIGNATURE)
        self.assertFalse(self.askpass.was_asked())
        stranger = aw.Key()
        forged = aw.bind(app, session, signature=stranger.sign(session))
        cases = {
            "no key of the server in the login": (first, second, login(None)),
            "another user": (first, second, login(user=b"root")),
            "a server that did not sign": (first, forged, login()),
            "a way that did not sign": (aw.bind(bastion, session, True, stranger.sign(session)), second, login()),
            "an unknown way": (aw.bind(stranger, os.urandom(32), True), second, login()),
            "a failed bind before": (forged, first, second, login()),
            "a server that passes it on again": (first, aw.bind(app, session, True), login()),
            "another session": (first, second, login(of=os.urandom(32))),
            "bytes of any kind": (first, second, aw.sign(self.blob, b"anything")),
        }
        for words, messages in cases.items():
            with self.subTest(words):
                self.askpass.says("no")
                self.assertEqual(self.ask(*messages), bytes([aw.FAILURE]))
                # Some are refused before anybody is asked: then the answer is still there.
                if self.askpass.was_asked():
                    self.askpass.asked()
                else:
                    self.askpass.takes_back()

    def test_a_rule_follows_its_hosts_and_needs_all_of_a_route(self):
        self.adds()
        self.ok(self.alice, "ssh", "host", "set", "jump", "--name", "gate", "--no-agent")
        rule, = self.ok(self.alice, "agent", "rule", "list", "--json", secret=None).result["rules"]
        self.assertEqual((rule["via"], rule["host"]), ("gate", "web"))
        self.arrives("jump", "web")
        for left_out in ("--user", "--host", "--for", "--subject", "--kind"):
            words = {"--kind": "login", "--subject": "work", "--user": "deploy", "--host": "web", "--via": "jump",
                     "--for": "30d"}
            del words[left_out]
            outcome = self.refused("badRule", self.alice, "agent", "rule", "add", "less", "allow",
                                   *(word for pair in words.items() for word in pair), secret=None)
            self.assertTrue(outcome.json["error"]["message"].endswith(f"also needs {left_out}"), outcome)

    def test_a_rule_whose_two_hosts_are_one_is_refused(self):
        outcome = self.refused("badRule", self.alice, "agent", "rule", "add", "way", "allow", "--kind", "login",
                               "--subject", "work", "--user", "deploy", "--host", "web", "--via", "Web", "--for", "1d",
                               secret=None)
        self.assertIn("the same host", outcome.json["error"]["message"])


del AgentCase

if __name__ == "__main__":
    unittest.main()
