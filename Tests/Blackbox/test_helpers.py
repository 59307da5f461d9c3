"""git and docker, which keep their passwords in the vault: the real git against a server that asks for one, and
docker's protocol as text."""

import base64
import http.server
import json
import os
import shutil
import subprocess
import threading
import time
import unittest

import agents as ag
from house import BINARY, Case


class HelperCase(Case):
    def setUp(self):
        super().setUp()
        self.bin = self.alice.path("bin")
        os.makedirs(self.bin, exist_ok=True)
        for name in ("hsip", "git-credential-hsip", "docker-credential-hsip"):
            os.symlink(BINARY, os.path.join(self.bin, name))
        if self.alice.uses_agent:
            # Without a terminal, what tells whether a password is the right one counts as a read, and to keep or erase one
            # nobody is asked: only a rule lets it through.
            self.ok(self.alice, "agent", "rule", "add", "helpers", "allow", "--kind", "read", "-y")

    def words(self, program: str, secret: str | None = "") -> list[str]:
        """A program of ours, and what opens the vault."""
        return [os.path.join(self.bin, program), *self.alice.command(secret=secret)[1:]]

    def helper(self, which: str, act: str, given: str | bytes = "", secret: str | None = "", **environment):
        words = self.words(f"{which}-credential-hsip", secret)
        return subprocess.run([*words, act], input=given.encode() if isinstance(given, str) else given,
                              capture_output=True, timeout=100, env=self.alice.environment(**environment),
                              cwd=self.alice.home, start_new_session=True)

    def git(self, act: str, secret: str | None = "", time_shift: str | None = None, **attributes) -> dict[str, str]:
        text = "".join(f"{name}={value}\n" for name, value in attributes.items()) + "\n"
        done = self.helper("git", act, text, secret)
        self.assertEqual(done.returncode, 0, done)
        return dict(line.split("=", 1) for line in done.stdout.decode().splitlines())


class Git(HelperCase):
    SITE = {"protocol": "https", "host": "example.org"}

    def test_what_git_stores_it_gets_again(self):
        self.assertEqual(self.git("get", **self.SITE), {})
        self.git("store", **self.SITE, username="alice", password="s3cret=ü")
        self.assertEqual(self.git("get", **self.SITE), {"username": "alice", "password": "s3cret=ü"})
        self.assertEqual(self.git("get", **self.SITE, username="bob"), {})
        self.assertEqual(self.git("get", protocol="https", host="other.org"), {})
        self.assertEqual(self.git("get", protocol="https", host="example.org:8443"), {})

    def test_a_password_for_https_is_not_said_in_the_clear(self):
        self.git("store", **self.SITE, username="alice", password="x")
        self.assertEqual(self.git("get", protocol="http", host="example.org"), {})
        self.git("store", protocol="http", host="example.org", username="alice", password="y")
        self.assertEqual(self.git("get", protocol="http", host="example.org")["password"], "y")
        self.assertEqual(self.git("get", **self.SITE)["password"], "x")

    def test_paths_are_told_apart_when_git_says_them(self):
        self.git("store", **self.SITE, path="one.git", username="a", password="1")
        self.git("store", **self.SITE, path="two.git", username="a", password="2")
        self.assertEqual(self.git("get", **self.SITE, path="one.git")["password"], "1")
        self.assertEqual(self.git("get", **self.SITE, path="two.git")["password"], "2")
        self.assertEqual(self.git("get", **self.SITE, path="three.git"), {})

    def test_a_new_password_is_a_new_version_and_the_same_none(self):
        for password in ("one", "one", "two", "two"):
            self.git("store", **self.SITE, username="alice", password=password)
        self.assertEqual(self.git("get", **self.SITE)["password"], "two")
        self.assertEqual(self.git("get", **self.SITE)["username"], "alice")

    def test_two_users_of_one_host(self):
        self.git("store", **self.SITE, username="alice", password="1")
        self.git("store", **self.SITE, username="bob", password="2")
        self.assertEqual(self.git("get", **self.SITE, username="alice")["password"], "1")
        self.assertEqual(self.git("get", **self.SITE, username="bob")["password"], "2")

    def test_an_end_and_a_refresh_token_come_along(self):
        end = str(int(time.time()) + 3600)
        self.git("store", **self.SITE, username="alice", password="x", password_expiry_utc=end,
                 oauth_refresh_token="r")
        self.assertEqual(self.git("get", **self.SITE), {
            "username": "alice", "password": "x", "password_expiry_utc": end, "oauth_refresh_token": "r"})

    def test_an_expired_password_is_never_offered(self):
        past = str(int(time.time()) - 5)
        self.git("store", **self.SITE, username="alice", password="x", password_expiry_utc=past)
        self.assertEqual(self.git("get", **self.SITE), {})
        self.git("store", **self.SITE, username="alice", password="y", password_expiry_utc=past,
                 oauth_refresh_token="r")
        self.assertEqual(self.git("get", **self.SITE), {"username": "alice", "oauth_refresh_token": "r"})

    def test_another_password_than_the_one_that_a_server_refused_is_not_erased(self):
        self.git("store", **self.SITE, username="alice", password="x")
        self.git("erase", **self.SITE, username="alice", password="wrong")
        self.git("erase", **self.SITE, username="alice", password="")
        self.assertEqual(self.git("get", **self.SITE)["password"], "x")
        self.git("erase", **self.SITE, username="alice", password="x")
        self.assertEqual(self.git("get", **self.SITE), {})

    def test_git_credential_reject_without_a_password_forgets_a_user_or_a_host(self):
        """What git's own t0303 asks of a helper, by the real git."""
        def credential(act: str, **attributes) -> dict[str, str] | None:
            helper = " ".join(self.words("git-credential-hsip"))
            done = subprocess.run(
                ["git", "-c", "credential.helper=", "-c", f"credential.helper=!{helper}", "credential", act],
                input="".join(f"{name}={value}\n" for name, value in attributes.items()), text=True, capture_output=True,
                timeout=100, cwd=self.alice.home, start_new_session=True,
                env=self.alice.environment(GIT_TERMINAL_PROMPT="0", GIT_CONFIG_NOSYSTEM="1", GIT_ASKPASS="/bin/false"))
            if act == "fill" and done.returncode:
                return None
            self.assertEqual(done.returncode, 0, done)
            return dict(line.split("=", 1) for line in done.stdout.splitlines())

        for user in ("alice", "bob", "carol"):
            credential("approve", **self.SITE, username=user, password=f"of {user}")
        credential("approve", protocol="https", host="other.org", username="alice", password="other")
        credential("reject", **self.SITE, username="alice")
        self.assertIsNone(credential("fill", **self.SITE, username="alice"))
        self.assertEqual(credential("fill", **self.SITE, username="bob")["password"], "of bob")
        credential("reject", **self.SITE)
        for user in ({}, {"username": "bob"}, {"username": "carol"}):
            self.assertIsNone(credential("fill", **self.SITE, **user), user)
        self.assertEqual(credential("fill", protocol="https", host="other.org")["password"], "other")
        # It is in the trash, so it comes back by one command.
        self.ok(self.alice, "secret", "restore", "git/example.org bob")
        self.assertEqual(credential("fill", **self.SITE)["password"], "of bob")

    def test_forgetting_without_a_password_keeps_to_the_address_that_is_named(self):
        self.git("store", **self.SITE, username="alice", password="whole")
        self.git("store", **self.SITE, path="team", username="alice", password="team")
        self.git("store", protocol="http", host="example.org", username="alice", password="clear")
        self.git("erase", **self.SITE, path="team/one.git")
        self.assertEqual(self.git("get", **self.SITE, path="team/one.git")["password"], "team")
        self.git("erase", **self.SITE, path="team")
        self.assertEqual(self.git("get", **self.SITE, path="team/one.git")["password"], "whole")
        # A header that another helper made, and the server refused, is none of ours.
        for words in ({"host": "example.org"}, {"protocol": "https"}, {"username": "alice"}, {},
                      self.SITE | {"authtype": "Bearer", "credential": "of another helper"}):
            self.git("erase", **words)
        self.assertEqual(self.git("get", **self.SITE)["password"], "whole")
        self.git("store", **self.SITE, path="team", username="alice", password="team")
        self.git("erase", **self.SITE)
        self.assertEqual(self.git("get", **self.SITE, path="team"), {})
        self.assertEqual(self.git("get", protocol="http", host="example.org")["password"], "clear")

    def test_an_empty_user_and_password_are_kept_as_git_says_them(self):
        """What git stores for servers that know their users by other means."""
        self.git("store", **self.SITE, username="", password="")
        self.git("store", **self.SITE, username="", password="")
        self.assertEqual(self.git("get", **self.SITE), {"username": "", "password": ""})
        self.assertEqual(self.git("get", **self.SITE, username=""), {"username": "", "password": ""})
        self.git("store", **self.SITE, username="alice", password="x")
        self.assertEqual(self.git("get", **self.SITE, username="")["password"], "")
        self.git("erase", **self.SITE, username="")
        self.assertEqual(self.git("get", **self.SITE, username=""), {})
        self.assertEqual(self.git("get", **self.SITE), {"username": "alice", "password": "x"})
        self.ok(self.alice, "secret", "set", "own", "--url", "https://own.example", given="mine")
        self.git("store", protocol="https", host="own.example", username="", password="")
        self.assertEqual(self.ok(self.alice, "secret", "get", "own").output, "mine")

    def test_locked_or_unknown_it_says_nothing(self):
        self.git("store", **self.SITE, username="alice", password="x")
        for act in ("get", "store", "erase"):
            done = self.helper("git", act, "protocol=https\nhost=example.org\nusername=alice\npassword=x\n", None,
                               HSIP_NO_INPUT="1")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""), act)
        self.assertEqual(self.git("get", **self.SITE)["password"], "x")
        done = self.helper("git", "approve-all", "protocol=https\n")
        self.assertEqual((done.returncode, done.stdout), (0, b""))

    def test_what_it_does_not_know_it_ignores(self):
        more = {"capability[]": "authtype", "wwwauth[]": "Basic realm=x", "new": "thing"}
        self.git("store", **self.SITE, **more, username="alice", password="x")
        self.assertEqual(self.git("get", **self.SITE, **more)["password"], "x")
        self.assertNotEqual(self.helper("git", "get", "nonsense\n").returncode, 0)

    def test_no_address_makes_two_of_what_git_says(self):
        """What an old git makes of https://evil.example?%0ahost=example.org (CVE-2020-5260), and its kin."""
        self.git("store", **self.SITE, username="alice", password="s3cret")
        for text in ("protocol=https\nhost=evil.example?\nhost=example.org\n",
                     "protocol=https\nhost=evil.example\nhost=example.org\n", "protocol=http\nprotocol=https\nhost=example.org\n",
                     "protocol=https\nhost=evil.example\rhost=example.org\n", "protocol=https\nhost=example.org\0.evil.example\n",
                     "protocol=https\nhost=evil.example\npath=x\nhost=example.org\n", "host=example.org\n",
                     "protocol=https\nhost=\n", "protocol=https\nhost=evil.example@example.org\n",
                     "protocol=https\nhost=example.org.\n", "protocol=https\nhost=example.org:80\n", "protocol=https\nhost=*\n",
                     "protocol=https\nhost=%65xample.org\n", "protocol=http\nhost=example.org:443\n"):
            done = self.helper("git", "get", text)
            self.assertEqual(done.stdout, b"", text)
            self.assertNotIn(b"s3cret", done.stderr)
        self.assertEqual(self.git("get", **self.SITE)["password"], "s3cret")

    def test_a_path_that_leaves_its_folder_gets_nothing_of_it(self):
        self.git("store", **self.SITE, path="team", username="alice", password="s3cret")
        self.assertEqual(self.git("get", **self.SITE, path="team/one.git")["password"], "s3cret")
        for path in ("team/../evil/one.git", "team/./../evil", "team/%2e%2e/evil", "team/..", "teams/one.git", "TEAM/one.git"):
            self.assertEqual(self.git("get", **self.SITE, path=path), {}, path)

    def test_what_git_would_read_as_another_line_is_not_said(self):
        for name, value in (("feed", b"pass\nhost=evil"), ("return", b"pass\r"), ("nul", b"pa\0ss")):
            self.ok(self.alice, "secret", "set", name, "--exact", "--user", "me", "--url", f"https://{name}.example", given=value)
            self.assertEqual(self.git("get", protocol="https", host=f"{name}.example"), {})
        self.ok(self.alice, "secret", "set", "inner", "--exact", "--user", "me", "--url", "https://inner.example", given=b"a\rb")
        done = self.helper("git", "get", "protocol=https\nhost=inner.example\n")
        self.assertEqual(done.stdout, b"username=me\npassword=a\rb\n")

    def test_a_login_of_somebody_else_is_not_stored_over(self):
        self.ok(self.alice, "secret", "set", "bank", "--user", "alice", "--url", "https://bank.example", given="mine")
        self.ok(self.alice, "secret", "set", "git/other.example", "--type", "note", given="a note")
        self.git("store", protocol="https", host="other.example", username="alice", password="x")
        self.assertEqual(self.ok(self.alice, "secret", "get", "git/other.example").output, "a note")
        self.assertEqual(self.ok(self.alice, "secret", "get", "git/other.example alice").output, "x")
        for user in ("alice\r", "ali\x1b[2Jce", "a" * 300):
            self.helper("git", "store", f"protocol=https\nhost=other.example\nusername={user}\npassword=y\n")
        self.git("store", protocol="http", host="bank.example", username="alice", password="theirs")
        self.git("store", protocol="https", host="bank.example", path="x", username="alice", password="theirs")
        self.git("store", protocol="https", host="bank.example", username="mallory", password="theirs")
        self.assertEqual(self.ok(self.alice, "secret", "get", "bank").output, "mine")


@unittest.skipIf(ag.missing(), ag.missing())
class GitByTheAgent(HelperCase):
    through_agent = True

    def setUp(self):
        super().setUp()
        self.git("store", **Git.SITE, username="alice", password="one")
        self.ok(self.alice, "agent", "rule", "rm", "helpers", "-y")

    def told(self, act: str, password: str) -> str:
        """What git's user reads where nobody can be asked; git itself is told nothing, and goes on."""
        done = self.helper("git", act, f"protocol=https\nhost=example.org\nusername=alice\npassword={password}\n",
                           HSIP_NO_INPUT="1")
        self.assertEqual((done.returncode, done.stdout), (0, b""), done)
        return done.stderr.decode()

    def test_without_a_rule_and_anyone_to_ask_it_says_what_was_not_done_and_which_rule_allows_it(self):
        rule = "hsip agent rule add scripts allow --kind read --subject git/example.org --for 1h"
        for act, password in (("store", "one"), ("store", "two"), ("erase", "two"), ("erase", "one")):
            done = "kept" if act == "store" else "erased"
            self.assertEqual(self.told(act, password), f"hsip: the password for git was not {done}: this request needs your "
                                                       f"approval, but hsip cannot ask you here ({rule})\n")
        self.assertEqual(self.git("get", **Git.SITE)["password"], "one")
        self.ok(self.alice, *rule.split()[1:], "-y")
        self.assertEqual(self.told("store", "two"), "")
        self.assertEqual(self.git("get", **Git.SITE)["password"], "two")
        self.assertEqual(self.told("erase", "two"), "")
        self.assertEqual(self.git("get", **Git.SITE), {})

    def test_what_a_rule_refuses_is_said(self):
        self.ok(self.alice, "agent", "rule", "add", "never", "deny", "--kind", "read", "--subject", "git/example.org", "-y")
        self.assertEqual(self.told("store", "two"), "hsip: the password for git was not kept: the rule never refuses this "
                                                    "request (hsip audit --refused)\n")

    def test_a_yes_keeps_and_erases_a_password_in_an_open_vault(self):
        """The person of this agent says yes to every question."""
        self.git("store", **Git.SITE, username="alice", password="two")
        self.assertEqual(self.git("get", **Git.SITE)["password"], "two")
        self.git("erase", **Git.SITE, username="alice", password="two")
        self.assertEqual(self.git("get", **Git.SITE), {})


class Cloning(HelperCase):
    """The real git over http, from a server that wants a name and a password."""

    USER, PASSWORD = "alice", "open sesame"

    def setUp(self):
        super().setUp()
        source = self.alice.path("files", "source")
        environment = self.alice.environment(GIT_AUTHOR_NAME="A", GIT_AUTHOR_EMAIL="a@b", GIT_COMMITTER_NAME="A",
                                             GIT_COMMITTER_EMAIL="a@b")
        for words in (["init", "-q", source], ["-C", source, "commit", "-q", "--allow-empty", "-m", "x"],
                      ["clone", "-q", "--bare", source, source + ".git"],
                      ["-C", source + ".git", "update-server-info"]):
            subprocess.run(["git", *words], check=True, env=environment, capture_output=True)
        self.asked = []
        case = self

        class Server(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *words):
                super().__init__(*words, directory=case.alice.path("files"))

            def do_GET(self):
                given = self.headers.get("Authorization")
                case.asked.append(given)
                wanted = "Basic " + base64.b64encode(f"{case.USER}:{case.PASSWORD}".encode()).decode()
                if given == wanted:
                    return super().do_GET()
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="test"')
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.alice.write(".gitconfig", "[credential]\n\thelper = " + " ".join(self.words("git-credential-hsip")) + "\n")

    def clone(self, place: str, askpass: str | None = None) -> subprocess.CompletedProcess:
        environment = self.alice.environment(
            GIT_TERMINAL_PROMPT="0", GIT_CONFIG_NOSYSTEM="1", GIT_ASKPASS=askpass or "/bin/false",
            PATH=self.bin + ":/usr/bin:/bin")
        return subprocess.run(["git", "clone", "-q", f"http://{self.host}/source.git", self.alice.path("files", place)],
                              env=environment, capture_output=True, timeout=100, start_new_session=True)

    def test_a_password_typed_once_is_kept_used_and_erased_when_refused(self):
        self.assertNotEqual(self.clone("first").returncode, 0)
        asking = self.alice.write("files/asking", "#!/bin/sh\ncase $1 in User*) echo alice ;; *) echo 'open sesame' ;; "
                                  "esac\n", 0o700)
        done = self.clone("second", asking)
        self.assertEqual(done.returncode, 0, done)
        done = self.clone("third")
        self.assertEqual(done.returncode, 0, done)
        self.PASSWORD = "another one"
        self.assertNotEqual(self.clone("fourth").returncode, 0)
        self.assertEqual(self.git("get", protocol="http", host=self.host), {})


class Docker(HelperCase):
    HUB = "https://index.docker.io/v1/"
    MISSING = b"credentials not found in native keychain\n"

    def store(self, address: str, user: str, secret: str):
        done = self.helper("docker", "store", json.dumps(
            {"ServerURL": address, "Username": user, "Secret": secret}))
        self.assertEqual((done.returncode, done.stdout), (0, b""), done)

    def test_what_docker_stores_it_gets_and_lists(self):
        self.assertEqual(json.loads(self.helper("docker", "list").stdout), {})
        self.store(self.HUB, "alice", "pa\"ss\\ü\U0001F512\n")
        self.store("ghcr.io", "<token>", "t")
        done = self.helper("docker", "get", self.HUB + "\n")
        self.assertEqual(json.loads(done.stdout), {
            "ServerURL": self.HUB, "Username": "alice", "Secret": "pa\"ss\\ü\U0001F512\n"})
        self.assertEqual(json.loads(self.helper("docker", "list").stdout), {self.HUB: "alice", "ghcr.io": "<token>"})
        self.store(self.HUB, "bob", "new")
        self.assertEqual(json.loads(self.helper("docker", "get", self.HUB).stdout)["Username"], "bob")

    def test_the_documented_messages(self):
        done = self.helper("docker", "get", "nowhere.example")
        self.assertEqual((done.returncode, done.stdout), (1, self.MISSING), done)
        done = self.helper("docker", "erase", "nowhere.example")
        self.assertEqual((done.returncode, done.stdout), (1, self.MISSING), done)
        for act in ("get", "erase"):
            done = self.helper("docker", act, " \n")
            self.assertEqual((done.returncode, done.stdout), (1, b"no credentials server URL\n"), done)
        for given, answer in ((b'{"Username":"a","Secret":"b"}', b"no credentials server URL\n"),
                              (b'{"ServerURL":"a","Secret":"b"}', b"no credentials username\n"),
                              (b"nonsense", b"malformed credentials\n"), (b"{", b"malformed credentials\n"),
                              (b'{"ServerURL":"a","ServerURL":"b"}', b"malformed credentials\n"),
                              (b'{"Secret":"\\ud800"}', b"malformed credentials\n")):
            done = self.helper("docker", "store", given)
            self.assertEqual((done.returncode, done.stdout), (1, answer), given)
        self.assertEqual(self.helper("docker", "dance").returncode, 1)

    def test_erased_is_gone(self):
        self.store("ghcr.io", "alice", "x")
        self.assertEqual(self.helper("docker", "erase", "ghcr.io").returncode, 0)
        self.assertEqual(self.helper("docker", "get", "ghcr.io").stdout, self.MISSING)
        self.assertEqual(json.loads(self.helper("docker", "list").stdout), {})

    def test_an_address_is_itself_and_no_pattern(self):
        self.store("ghcr.io", "alice", "x")
        self.ok(self.alice, "secret", "set", "other", given="v")
        for address in ("ghcr.io/", "https://ghcr.io", "GHCR.IO", "ghcr.io.evil.example", "ghcr", "*", "../other", "ghcr.io\0",
                        "ghcr.io#password", "ghcr.io\nother", "g" * 300):
            done = self.helper("docker", "get", address)
            self.assertEqual((done.returncode, done.stdout), (1, self.MISSING), address)

    def test_an_expired_login_and_a_value_that_is_no_text_are_not_said(self):
        self.ok(self.alice, "secret", "set", "docker/old.example", "--user", "me", "--expires", "2020-01-01T00:00:00Z", given="x")
        self.ok(self.alice, "secret", "set", "docker/note.example", "--type", "note", given="x")
        for address in ("old.example", "note.example"):
            self.assertEqual(self.helper("docker", "get", address).stdout, self.MISSING)
        self.ok(self.alice, "secret", "set", "docker/raw.example", "--exact", "--user", "me", given=b"\xff")
        self.assertEqual(self.helper("docker", "get", "raw.example").stdout, b"malformed credentials\n")

    def test_locked_is_an_error_and_nothing_else(self):
        self.store("ghcr.io", "alice", "x")
        done = self.helper("docker", "get", "ghcr.io", None, HSIP_NO_INPUT="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"locked", done.stdout)
        self.assertNotIn(b"alice", done.stdout)


class SettingUp(HelperCase):
    def setup(self, code: int, *words: str, **environment):
        done = subprocess.run([*self.words("hsip"), "-y", "setup", *words],
                              capture_output=True, timeout=100, cwd=self.alice.home, start_new_session=True,
                              env=self.alice.environment(PATH=self.bin + ":/usr/bin:/bin", **environment))
        self.assertEqual(done.returncode, code, done)
        return done

    def test_docker_is_told_and_untold_byte_for_byte(self):
        path = self.alice.path(".docker", "config.json")
        done = self.setup(0, "docker")
        self.assertIn(b'+\t"credsStore": "hsip"\n', done.stdout)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(json.load(file), {"credsStore": "hsip"})
        self.setup(0, "docker", "--check")
        self.setup(0, "docker", "--undo")
        self.assertFalse(os.path.exists(path))
        self.setup(3, "docker", "--check")
        for text in ('{}', '{\n\t"auths": {"a\\"}": {}},\n\t"x": [1, {"credsStore": 2}]\n}\n', '{"a":1}', ' {"b" : "}"} \n'):
            self.alice.write(".docker/config.json", text)
            self.setup(0, "docker")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(json.load(file), json.loads(text) | {"credsStore": "hsip"})
            self.setup(0, "docker", "--undo")
            if text != "{}":
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(file.read(), text)

    def test_docker_settings_of_others_are_left_alone(self):
        for text, code in (('{"credsStore": "pass"}', 4), ("nonsense", 13), ('{"a": 1', 13), ("[]", 13)):
            os.makedirs(self.alice.path(".docker"), exist_ok=True)
            path = self.alice.write(".docker/config.json", text)
            self.setup(code, "docker")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)

    def test_git_asks_the_helper(self):
        self.setup(0, "git", "--passwords")
        environment = self.alice.environment(PATH="/usr/bin:/bin")
        helper = subprocess.run(["git", "config", "--get-all", "credential.helper"], env=environment,
                                capture_output=True, cwd=self.alice.home, check=True).stdout.decode().strip()
        self.assertEqual(os.path.basename(helper), "git-credential-hsip")
        self.setup(0, "git", "--undo")
        self.assertFalse(os.path.exists(self.alice.path(".gitconfig")))


if __name__ == "__main__":
    unittest.main()
