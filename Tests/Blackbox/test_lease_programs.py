"""Real programs inside a lease and outside: ssh, git, a runner of steps, secret-tool and Python's keyring."""

import base64
import http.server
import os
import shlex
import subprocess
import threading
import time
import unittest

import service as sv
import ssh_keys as sk
import sshd
from house import BINARY, ROOT
from lease_case import LeaseCase
from screen import Screen


class Programs(LeaseCase):
    def uses(self, number: int | str) -> list[tuple]:
        """What the log has about a lease, without its beginning and end."""
        entries = self.ok(self.alice, "audit", "--lease", str(number), "--json").result["entries"]
        return [(entry["kind"], entry["act"], entry["subject"]) for entry in entries if entry["kind"] != "rule"]

    def line(self, words: list[str], into: str, **environment: str) -> str:
        """A line of a shell: a program that keeps what it says, and its code."""
        place = self.file(into)
        before = [f"{name}={shlex.quote(value)}" for name, value in environment.items()]
        return f"{' '.join(before)} {shlex.join(words)} >{place} 2>{place}.err </dev/null; echo $? >{place}.code"

    def said(self, name: str, works: bool) -> str:
        """What such a program said, after it worked or did not."""
        code, output = self.read(f"{name}.code").strip(), self.read(name)
        self.assertEqual(code == "0", works, (output, self.read(f"{name}.err"), self.agent.log))
        return output


@unittest.skipIf(sshd.missing(), sshd.missing())
class SSH(Programs):
    """Two hosts, one known by its name and one by a hash of it, and two keys that ask at each use."""

    def setUp(self):
        super().setUp()
        self.public = {}
        for name in ("deploy", "other"):
            self.ok(self.alice, "ssh", "key", "generate", name)
            self.person("ssh", "key", "set", name, "--confirm")
            self.public[name] = self.ok(self.alice, "ssh", "key", "export", name, "--public").output.strip()
            self.alice.write(f"files/{name}.pub", self.public[name])
        self.servers = {name: sshd.Server(self, authorized=tuple(self.public.values()), address=None)
                        for name in ("build1", "web")}
        for name, server in self.servers.items():
            self.alice.write(f"files/{name}.known", f"{name}.example.org {server.public()}\n")
        sk.tool("ssh-keygen", "-q", "-H", "-f", self.file("web.known"))
        for name in self.servers:
            self.person("ssh", "host", "import", self.file(f"{name}.known"), "-y")
        # ssh finds the host by its hash once, and from then on the vault knows it.
        self.knows("web")
        self.person("ssh", "host", "add", "build1", "--address", "build1.example.org", "--user",
                    self.servers["build1"].user, "--key", "deploy")

    def person(self, *words: str):
        """A command that Alice types."""
        screen = Screen(self, self.alice, *words)
        self.assertEqual(screen.ends(), 0, screen.text)

    def knows(self, name: str):
        self.ok(self.alice, "ssh", "known-hosts", "--for", "HOSTNAME", "--host", f"{name}.example.org", "--port", "22",
                "--alias", f"{name}.example.org", "--type", "ssh-ed25519", "--key", self.servers[name].public().split()[1])

    def ssh(self, name: str, into: str, key: str = "deploy", *options: str) -> str:
        server = self.servers[name]
        settings = [f"UserKnownHostsFile={self.file(name + '.known')}", "GlobalKnownHostsFile=none", "BatchMode=yes",
                    f"ProxyCommand={server.proxy}", f"User={server.user}", "StrictHostKeyChecking=yes",
                    f"IdentityFile={self.file(key + '.pub')}", "IdentitiesOnly=yes"]
        words = ["ssh", "-F", "none", *(word for setting in settings for word in ("-o", setting)), *options,
                 f"{name}.example.org", "echo hello"]
        return self.line(words, into, SSH_AUTH_SOCK=self.agent.socket)

    def test_one_key_logs_in_to_one_server_and_nothing_else_does(self):
        self.runs(self.ssh("build1", "one"), self.ssh("web", "two"), self.ssh("build1", "three", "other"),
                  self.get("ci/npm", "four"), names=("--ssh-key", "deploy", "--host", "build1"))
        self.assertEqual(self.said("one", True), "hello\n")
        for name in ("two", "three"):
            self.said(name, False)
        self.got("four", 6)
        self.assertFalse(self.agent.askpass.was_asked())
        [begun] = [entry for entry in self.ok(self.alice, "audit", "list", "--kind", "rule", "--json").result["entries"]
                   if entry["act"] == "lease"]
        self.assertEqual(begun["subject"], "deploy at build1")
        self.assertEqual(self.uses(begun["sequence"]), [("sign", "login", "deploy")])

    def test_outside_it_the_person_is_asked_as_ever(self):
        screen = self.lease(f">{self.file('begun')}", self.waits("end"), names=("--ssh-key", "deploy", "--host", "build1"))
        self.holds(screen)
        self.assertEqual(self.listed()[0]["logins"], [{"key": "deploy", "host": "build1"}])
        self.agent.askpass.says("no")
        done = subprocess.run(["/bin/sh", "-c", self.ssh("build1", "one")], timeout=100,
                                 env=self.alice.environment(), start_new_session=True)
        self.assertEqual(done.returncode, 0)
        self.said("one", False)
        self.assertIn("deploy", self.agent.askpass.asked())
        self.go("end")
        self.assertEqual(screen.ends(), 0)

    def test_a_server_known_by_a_hash_is_named_all_the_same(self):
        for host in ("web.example.org", self.servers["web"].fingerprint()):
            with self.subTest(host=host):
                self.runs(self.ssh("web", "one"), self.ssh("build1", "two"), names=("--ssh-key", "deploy", "--host", host))
                self.said("one", True)
                self.said("two", False)

    def test_a_key_that_was_changed_and_one_put_back_are_none_that_were_leased(self):
        for what, acts in {"changed": [("ssh", "key", "set", "deploy", "--comment", "another")],
                           "restored": [("ssh", "key", "rm", "deploy", "-y"), ("ssh", "key", "restore", "deploy")],
                           "replaced": [("ssh", "key", "set", "deploy", "--name", "old"),
                                        ("ssh", "key", "set", "other", "--name", "deploy")]}.items():
            with self.subTest(what=what):
                screen = self.lease(f">{self.file(what)}", self.waits(f"{what}-go"), self.ssh("build1", f"{what}-1"),
                                    self.ssh("build1", f"{what}-2", "other"),
                                    names=("--ssh-key", "deploy", "--host", "build1"))
                self.holds(screen, what)
                for act in acts:
                    self.person(*act)
                self.go(f"{what}-go")
                self.assertEqual(screen.ends(60), 0, screen.text)
                self.said(f"{what}-1", False)
                self.said(f"{what}-2", False)
                self.assertFalse(self.agent.askpass.was_asked())

    def test_what_needs_no_question_needs_no_lease(self):
        self.person("ssh", "key", "set", "deploy", "--no-confirm")
        screen = self.lease(f">{self.file('begun')}", self.waits("go"), self.ssh("build1", "one"),
                            names=("--ssh-key", "deploy", "--host", "build1"))
        self.holds(screen)
        self.person("ssh", "key", "set", "deploy", "--comment", "another")
        self.go("go")
        self.assertEqual(screen.ends(60), 0, screen.text)
        self.assertEqual(self.said("one", True), "hello\n")

    def test_another_port_and_a_profile_that_moved_are_other_servers(self):
        self.alice.write("files/port.known", f"[build1.example.org]:2222 {self.servers['web'].public()}\n")
        self.person("ssh", "host", "import", self.file("port.known"), "-y")
        self.runs(self.ssh("build1", "one"), names=("--ssh-key", "deploy", "--host", "[build1.example.org]:2222"))
        self.said("one", False)
        screen = self.lease(f">{self.file('begun')}", self.waits("go"), self.ssh("web", "two"), self.ssh("build1", "three"),
                            names=("--ssh-key", "deploy", "--host", "build1"))
        self.holds(screen)
        self.person("ssh", "host", "set", "build1", "--address", "web.example.org")
        self.go("go")
        self.assertEqual(screen.ends(60), 0, screen.text)
        self.said("two", False)
        self.said("three", True)
        self.assertFalse(self.agent.askpass.was_asked())

    def test_nobody_is_asked_to_open_the_vault(self):
        self.runs(f"{BINARY} lock", self.line(["ssh-add", "-L"], "one", SSH_AUTH_SOCK=self.agent.socket),
                  self.ssh("build1", "two"), names=("--ssh-key", "deploy", "--host", "build1"))
        self.said("two", False)
        self.assertFalse(self.agent.askpass.was_asked())
        self.agent.unlock()

    def test_wrong_names_give_no_lease(self):
        for names, said in ((("--ssh-key", "deploy"), "needs its --host"), (("--host", "build1"), "needs its --host"),
                            (("--ssh-key", "nothing", "--host", "build1"), "nothing"),
                            (("--ssh-key", "deploy", "--host", "nowhere"), "nowhere"),
                            (("--ssh-key", "deploy", "--host", "a b"), ""),
                            (("--ssh-key", "deploy", "--host", "SHA256:" + "A" * 43), "no such key"),
                            (("--ssh-key", "deploy", "--host", "SHA256:x"), ""),
                            (("--item", "nothing"), "nothing"), (("--item", "0" * 32), "")):
            with self.subTest(names=names):
                screen = self.lease(f">{self.file('never')}", names=names)
                self.assertEqual(screen.ends(), 125, screen.text)
                self.assertIn(said, screen.plain)
        self.assertFalse(os.path.exists(self.file("never")))


READ = """
import sys, keyring
from keyring.backends import SecretService
keyring.set_keyring(SecretService.Keyring())
print(keyring.get_password("mail", "alice"))
"""


@unittest.skipIf(sv.missing(), sv.missing())
class Items(Programs):
    """An item that another program keeps in the vault."""

    def setUp(self):
        super().setUp()
        self.front = sv.Front(self.alice, self.agent)
        self.addCleanup(self.front.end)
        for label, words in (("mail", ("service", "mail", "username", "alice")), ("bank", ("site", "bank"))):
            code, output, errors = self.front.tool("store", "--label", label, *words, given=f"value of {label}")
            self.assertEqual(code, 0, (output, errors))
        self.ids = {item["label"]: item["id"] for item in self.ok(self.alice, "item", "list", "--json").result["items"]}

    def test_secret_tool_reads_the_item_of_the_lease_and_no_other(self):
        self.runs(self.line(["secret-tool", "lookup", "service", "mail"], "one"),
                  self.line(["secret-tool", "lookup", "site", "bank"], "two"),
                  names=("--item", self.ids["mail"]), **self.front.bus.environment())
        self.assertEqual(self.said("one", True), "value of mail")
        self.assertNotIn("value", self.said("two", False))
        self.assertFalse(self.agent.askpass.was_asked())

    def test_each_read_is_in_the_log_and_a_changed_item_is_none_that_was_leased(self):
        screen = self.lease(self.line(["secret-tool", "lookup", "service", "mail"], "one"), f">{self.file('begun')}",
                            self.waits("go"), self.line(["secret-tool", "lookup", "service", "mail"], "two"),
                            names=("--item", self.ids["mail"]), **self.front.bus.environment())
        self.holds(screen)
        self.said("one", True)
        number = self.number()
        self.assertEqual([(lease["items"], lease["uses"]) for lease in self.listed()], [([self.ids["mail"]], 1)])
        self.assertEqual([use[:2] for use in self.uses(number)], [("read", "item.get")])
        self.ok(self.alice, "item", "set", self.ids["mail"], "--label", "another", "--no-agent")
        self.go("go")
        self.assertEqual(screen.ends(), 0, screen.text)
        self.said("two", False)
        self.assertFalse(self.agent.askpass.was_asked())

    def test_it_is_read_beside_another_one_and_by_hsip_itself(self):
        for label in ("one", "two"):
            self.front.tool("store", "--label", label, "team", "x", "n", label, given=f"value of {label}")
        items = self.ok(self.alice, "item", "list", "--json").result["items"]
        one = next(item["id"] for item in items if item["label"] == "one")
        self.runs(self.line(["secret-tool", "search", "--all", "--unlock", "team", "x"], "found"),
                  self.line([BINARY, "item", "get", one], "mine"), self.line([BINARY, "item", "get", self.ids["bank"]], "other"),
                  names=("--item", one), **self.front.bus.environment())
        self.assertIn("value of one", self.read("found"))
        self.assertNotIn("value of two", self.read("found"))
        self.assertEqual(self.said("mine", True).strip(), "value of one")
        self.said("other", False)
        self.assertIn(f"--item {self.ids['bank']}", self.read("other.err"))
        self.assertFalse(self.agent.askpass.was_asked())

    def test_nothing_waits_for_a_question_of_another_program(self):
        other = self.front.client("secret-tool", "lookup", "site", "bank")
        self.agent.askpass.asked()
        begun = time.monotonic()
        self.runs(self.line(["secret-tool", "lookup", "site", "bank"], "one"), names=("--item", self.ids["mail"]),
                  **self.front.bus.environment())
        self.assertLess(time.monotonic() - begun, 25)
        self.said("one", False)
        self.agent.askpass.says("no")
        other.communicate(timeout=60)

    def test_nobody_is_asked_to_open_the_vault(self):
        self.runs(f"{BINARY} lock", self.line(["secret-tool", "lookup", "service", "mail"], "one"),
                  names=("--item", self.ids["mail"]), **self.front.bus.environment())
        self.said("one", False)
        self.assertFalse(self.agent.askpass.was_asked())
        self.agent.unlock()

    def test_the_keyring_library_of_python(self):
        words = ["/usr/bin/python3", "-c", READ]
        if subprocess.run(["/usr/bin/python3", "-c", "import keyring"], capture_output=True).returncode:
            self.skipTest("python3-keyring is not installed")
        self.runs(self.line(words, "one"), names=("--item", self.ids["mail"]), **self.front.bus.environment())
        self.assertEqual(self.said("one", True), "value of mail\n")
        self.runs(self.line(words, "two"), names=("--item", self.ids["bank"]), **self.front.bus.environment())
        self.assertNotIn("value", self.said("two", False))
        self.assertFalse(self.agent.askpass.was_asked())


class Helpers(Programs):
    """git and docker by their helpers, and a runner that reads its secrets by reference."""

    def test_git_push_with_a_token(self):
        bare = self.file("source.git")
        sk.tool("git", "init", "-q", "--bare", bare)
        server = Forge(bare, "alice", "value of forge")
        self.addCleanup(server.end)
        self.ok(self.alice, "secret", "set", "forge", "--url", f"http://{server.host}", "--user", "alice",
                given="value of forge")
        helper = self.alice.path("bin", "git-credential-hsip")
        os.makedirs(os.path.dirname(helper), exist_ok=True)
        os.symlink(BINARY, helper)
        git = ["git", "-c", "credential.helper=", "-c", f"credential.helper={helper} --no-input", "-c", "user.name=a",
               "-c", "user.email=a@example.org"]
        work = self.file("work")
        sk.tool("git", "init", "-q", work)
        sk.tool(*git, "-C", work, "commit", "-q", "--allow-empty", "-m", "first")
        push = [*git, "-C", work, "push", "-q", f"http://{server.host}/source.git", "HEAD:refs/heads/main"]
        how = {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "GIT_ASKPASS": "/bin/false"}
        self.runs(self.line(push, "one", **how))
        self.said("one", False)
        self.runs(self.line(push, "two", **how), names=("forge",))
        self.said("two", True)
        self.assertIn(b"refs/heads/main", sk.tool("git", "-C", bare, "show-ref"))

    def test_docker_login(self):
        helper = self.alice.path("bin", "docker-credential-hsip")
        os.makedirs(os.path.dirname(helper), exist_ok=True)
        os.symlink(BINARY, helper)
        login = '{"ServerURL":"ghcr.io","Username":"alice","Secret":"value of hub"}'
        subprocess.run([helper, "store"], input=login.encode(), check=True, timeout=100, start_new_session=True,
                       env=self.alice.environment())
        [name] = [secret["name"] for secret in self.ok(self.alice, "secret", "list", "--json").result["secrets"]
                  if "ghcr.io" in secret["name"]]
        get = ["/bin/sh", "-c", f"printf %s ghcr.io | {helper} get"]
        self.runs(self.line(get, "one"), names=(name,))
        self.assertIn('"Secret":"value of hub"', self.said("one", True))
        self.runs(self.line(get, "two"))
        self.assertNotIn("value of hub", self.said("two", False))

    def test_a_runner_of_steps(self):
        """As CI runs them: each step is a file of its own, which a shell of its own runs, and one ends after a failure."""
        steps = {"install": f"{BINARY} run sh -c 'test \"$TOKEN\" = \"value of ci/npm\"' && echo installed",
                 "publish": f"curl=$({BINARY} secret get ci/aws); echo published with ${{#curl}} letters",
                 "steal": f"{BINARY} secret get prod", "never": "echo never"}
        for name, text in steps.items():
            self.alice.write(f"files/{name}.sh", f"export TOKEN=vault:ci/npm\n{text}\n")
        runner = self.alice.write("files/runner.sh", "set -e\n" + "".join(
            f"bash --noprofile --norc -eo pipefail {self.file(name)}.sh\n" for name in steps))
        self.runs(self.line(["bash", runner], "all"), names=("ci/npm", "ci/aws"))
        self.assertEqual(self.said("all", False), "installed\npublished with 15 letters\n")
        self.assertEqual(self.read("all.code").strip(), "6")
        outside = subprocess.run(["bash", runner], capture_output=True, timeout=100, start_new_session=True,
                                    stdin=subprocess.DEVNULL, env=self.alice.environment(HSIP_NO_INPUT="1"))
        self.assertEqual((outside.returncode, outside.stdout), (125, b""), outside)
        self.assertIn(b"hsip lease run ci/npm --for 20m --reason TEXT -- COMMAND", outside.stderr)


LIBRARY = os.path.join(os.path.dirname(BINARY), "libLibHSIP.so")
READ_TWO = """
import hsip
with hsip.Vault() as vault:
    for name in ("ci/npm", "prod"):
        try: print(vault.secret_get(name).decode())
        except hsip.Refused as refusal: print(refusal.name, refusal.hint)
"""


@unittest.skipUnless(os.path.exists(LIBRARY), "there is no libLibHSIP.so beside the program")
class Library(Programs):
    """The C library, by a program in Python."""

    def test_it_reads_what_was_leased_and_names_the_command_for_the_rest(self):
        words = ["/usr/bin/python3", "-c", READ_TWO]
        how = {"PYTHONPATH": os.path.join(ROOT, "Tests", "CLibrary"), "HSIP_LIBRARY": LIBRARY, "HSIP_NO_INPUT": "1"}
        self.runs(self.line(words, "one", **how))
        self.assertEqual(self.said("one", True),
                         "value of ci/npm\ndenied hsip lease run prod --for 20m --reason TEXT -- COMMAND\n")
        outside = subprocess.run(words, capture_output=True, text=True, timeout=100, start_new_session=True,
                                 env=self.alice.environment(**how))
        self.assertEqual(outside.stdout, "".join(
            f"denied hsip lease run {name} --for 20m --reason TEXT -- COMMAND\n" for name in ("ci/npm", "prod")), outside)


class Forge:
    """A server that takes pushes from who has the password: git's own http-backend."""

    def __init__(self, bare: str, user: str, password: str):
        sk.tool("git", "-C", bare, "config", "http.receivepack", "true")
        want = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
        backend = os.path.join(sk.tool("git", "--exec-path").decode().strip(), "git-http-backend")

        class Server(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.headers.get("Authorization") != want:
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="forge"')
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                path, _, query = self.path.partition("?")
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                done = subprocess.run([backend], input=body, capture_output=True, timeout=60, env={
                    "PATH": "/usr/bin:/bin", "GIT_PROJECT_ROOT": os.path.dirname(bare), "GIT_HTTP_EXPORT_ALL": "1",
                    "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_USER": user,
                    "CONTENT_TYPE": self.headers.get("Content-Type") or "", "CONTENT_LENGTH": str(len(body)),
                    "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding") or ""})
                head, _, rest = done.stdout.partition(b"\r\n\r\n")
                self.send_response(200)
                for field in head.decode().split("\r\n"):
                    name, _, value = field.partition(": ")
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(rest)))
                self.end_headers()
                self.wfile.write(rest)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        self.host = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    unittest.main()
