"""How many questions half an hour of ordinary work costs, and that none of them is needless."""

import json
import os
import shlex
import shutil
import unittest

import agents as ag
import service as sv
import service_client as sc
import ssh_keys as sk
import sshd
from house import BINARY, Case
from screen import Screen
from test_service_programs import READ, missing

PYTHON = os.path.realpath("/usr/bin/python3")
ROUNDS = 3


def setUpModule():
    why = missing() or sshd.missing() or sv.missing() or (None if shutil.which("git") else "git is not installed")
    if why:
        raise unittest.SkipTest(why)


class Day(Case):
    """Alice at a terminal, with three hosts, a repository, helpers, and two scripts that read a program's password."""

    def setUp(self):
        super().setUp()
        self.folder = self.alice.path("files", "day")
        os.mkdir(self.folder)
        # Scripts of hers: root is not the only one who can change them.
        os.chmod(self.folder, 0o777)
        path = sk.make(self.file("work"), "ed25519", "", "work")
        self.ok(self.alice, "ssh", "key", "import", path)
        self.ok(self.alice, "ssh", "key", "set", "work", "--sign", "git")
        self.servers = {name: sshd.Server(self, authorized=(sk.beside(path),), address=None) for name in ("jump", "web", "db")}
        with open(self.file("known_hosts"), "w", encoding="ascii") as file:
            for name, server in self.servers.items():
                file.write(f"{name}.example.org {server.public()}\n")
        self.ok(self.alice, "ssh", "host", "import", self.file("known_hosts"), "-y")
        for name, server in self.servers.items():
            self.ok(self.alice, "ssh", "host", "add", name, "--address", f"{name}.example.org", "--user", server.user,
                    "--key", "work")
        self.ok(self.alice, "secret", "set", "git/h", "--user", "me", "--url", "https://h.example", given="pw")
        self.ok(self.alice, "secret", "set", "db/prod", given="pw")
        os.remove(path)
        self.agent = ag.Hsip(self.alice)
        self.addCleanup(self.agent.end)
        self.front = sv.Front(self.alice, self.agent)
        self.addCleanup(self.front.end)
        mail = sc.Program(self.front, "mail-program")
        self.assertIn("/org/freedesktop", mail.does("client.store(b'mail password', {'site': 'x'}, label='mail')"))

    def file(self, name: str, text: str | None = None) -> str:
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def ssh(self, name: str, proxy: str | None = None) -> str:
        server = self.servers[name]
        settings = [f"UserKnownHostsFile={self.file('known_hosts')}", "GlobalKnownHostsFile=none", "BatchMode=yes",
                    f"ProxyCommand={proxy or server.proxy}", f"User={server.user}", "StrictHostKeyChecking=yes"]
        return shlex.join(["ssh", "-F", "none", *(word for setting in settings for word in ("-o", setting))])

    def work(self) -> str:
        """The work as a shell does it, each kind of it some times."""
        for helper in ("git-credential-hsip", "docker-credential-hsip"):
            os.symlink(BINARY, self.file(helper))
        login = json.dumps({"ServerURL": "https://registry.example", "Username": "me", "Secret": "pw"})
        jump = f"{self.ssh('jump')} jump.example.org {shlex.quote(self.servers['web'].proxy)}"
        remote, place = self.servers["web"].path("repository.git"), self.file("repository")
        public = self.alice.path("state", "hsip", "ssh", "work.pub")
        lines = ["set -e", f"git init -q --bare {remote}", f"git init -q {place}", f"cd {place}",
                 "git config user.name Alice", "git config user.email alice@example.org", "git config gpg.format ssh",
                 f"git config user.signingKey {public}", "git config commit.gpgSign true",
                 f"git remote add origin web.example.org:{remote}", f"export GIT_SSH_COMMAND={shlex.quote(self.ssh('web'))}",
                 f"echo {shlex.quote(login)} | {self.file('docker-credential-hsip')} store"]
        for number in range(ROUNDS):
            lines += [f"{self.ssh('web')} web.example.org true", f"{self.ssh('db')} db.example.org true",
                      f"{self.ssh('web', jump)} web.example.org true",
                      f"git commit -q --allow-empty -m {number}", "git push -q origin HEAD",
                      f"printf 'protocol=https\\nhost=h.example\\n' | {self.file('git-credential-hsip')} get >/dev/null",
                      f"echo https://registry.example | {self.file('docker-credential-hsip')} get >/dev/null",
                      f"PGPASSWORD=vault:db/prod {BINARY} run -- true"]
            lines += [f"{PYTHON} {self.file(name, READ)} x" for name in ("mail.py", "backup.py")]
        return "\n".join([*lines, "echo ALL-DONE"])

    def works(self, *answers: str) -> list[str]:
        """The questions of the work, which are answered so, and no others."""
        screen = Screen(self, self.alice, shell=f"sh -e {self.file('work.sh', self.work())}", secret=None,
                        **self.agent.environment(), **self.front.bus.environment())
        asked = []
        for answer in answers:
            asked.append(sv.plain(self.agent.askpass.asked()))
            self.agent.askpass.says(answer)
        screen.sees("ALL-DONE", timeout=ag.DEADLINE)
        self.assertFalse(self.agent.askpass.was_asked(), asked)
        self.assertEqual(screen.plain.count("mail password"), 2 * ROUNDS)
        for sign in ("[y/", "Number:", "assphrase"):
            self.assertNotIn(sign, screen.plain)
        return asked

    def test_only_the_two_scripts_are_asked_about_once_each(self):
        for question, name in zip(self.works("session", "session"), ("mail.py", "backup.py"), strict=True):
            self.assertIn(f"says it runs “{self.file(name)}”", question)
        signed = self.ok(self.alice, "audit", "list", "--kind", "sign", "--json", secret=None).result["entries"]
        # Each round: two hosts, the jump host and the one behind it, a commit and a push.
        self.assertEqual(len([one for one in signed if one["verdict"] == "allowed"]), 6 * ROUNDS)

    def test_with_a_yes_for_once_each_run_of_a_script_is_a_question(self):
        asked = self.works(*["yes"] * (2 * ROUNDS))
        self.assertTrue(all("Let “python3" in question for question in asked), asked)


if __name__ == "__main__":
    unittest.main()
