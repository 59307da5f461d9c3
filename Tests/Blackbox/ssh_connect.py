"""People who connect to real hosts with the ssh of this machine, whose known hosts are in their vault."""

import os
import subprocess

import ssh_keys as sk
import sshd
from house import BINARY, Case, Outcome, Person
from screen import Screen


class ConnectCase(Case):
    """Alice has a key pair, and settings of ssh as `hsip ssh config` prints them; hosts let her in."""

    def setUp(self):
        super().setUp()
        self.folder = self.alice.path("files", "ssh")
        os.makedirs(self.folder, mode=0o700)
        self.key = sk.make(self.file("id"))
        self.settings()

    def file(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def settings(self, *more: str):
        """Writes the settings; `more` comes behind those of the vault."""
        printed = self.ok(self.alice, "ssh", "config").output
        self.config = self.alice.write("files/ssh/config", printed + "".join(line + "\n" for line in more))

    def server(self, **how) -> sshd.Server:
        return sshd.Server(self, **({"authorized": (sk.beside(self.key),)} | how))

    def host_key(self, kind: str = "ed25519", name: str | None = None) -> str:
        return sk.make(self.file(name or f"host-{kind}-{len(os.listdir(self.folder))}"), kind)

    def opening(self, secret: str | None = "") -> dict[str, str]:
        """What lets the program that ssh starts open the vault: it gets no words from us."""
        if secret is None or secret == "" and self.alice.opens_with is None:
            return {}
        return {"HSIP_PASSPHRASE_FILE": self.alice.secret_file(secret)}

    def words(self, server: sshd.Server, *options: str, host: str | None = None) -> list[str]:
        if server.address is None:
            where = ["-o", f"ProxyCommand={server.proxy}", host or "db1.example.org"]
        else:
            where = ["-p", str(server.port), host or server.address]
        return ["ssh", "-F", self.config, "-o", f"User={server.user}", "-o", f"IdentityFile={self.key}", "-o",
                "IdentitiesOnly=yes", "-o", "IdentityAgent=none", *options, *where, "echo", "hello"]

    def connects(self, server: sshd.Server, *options: str, host: str | None = None, secret: str | None = "",
                 **environment: str) -> Outcome:
        """Connects without a terminal."""
        command = self.words(server, *options, host=host)
        done = subprocess.run(command, capture_output=True, timeout=100, stdin=subprocess.DEVNULL, cwd=self.alice.home,
                              env=self.alice.environment(**self.opening(secret), **environment), start_new_session=True)
        outcome = Outcome(command, done.returncode, done.stdout, done.stderr)
        self.alice.check_silence(outcome)
        return outcome

    def is_let_in(self, server: sshd.Server, *options: str, **how) -> Outcome:
        outcome = self.connects(server, *options, **how)
        self.assertEqual((outcome.code, outcome.output), (0, "hello\n"), f"{outcome}\n{server.log[-3000:]}")
        return outcome

    def is_stopped(self, server: sshd.Server, *options: str, **how) -> Outcome:
        """ssh ends before anybody tried to log in."""
        server.forget()
        outcome = self.connects(server, *options, **how)
        self.assertEqual((outcome.code, outcome.output), (255, ""), outcome)
        self.assertEqual(server.logins, 0, outcome)
        return outcome

    def at_a_terminal(self, server: sshd.Server, *options: str, host: str | None = None, secret: str | None = "",
                      **environment: str) -> Screen:
        """Connects at a terminal; what ssh writes goes there, too."""
        quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in self.words(server, *options, host=host))
        return Screen(self, self.alice, shell=f"exec {quoted}", **self.opening(secret), **environment)

    def is_trusted(self, server: sshd.Server, *options: str, host: str | None = None, fingerprint: str | None = None):
        """The first connection: the key is shown, and taken."""
        screen = self.at_a_terminal(server, *options, host=host)
        screen.sees(r"Trust it from now on\? \[y/N\] ")
        self.assertIn(fingerprint or server.fingerprint(), screen.text)
        screen.enters("y")
        screen.sees("hello\r\n")
        self.assertEqual(screen.ends(), 0, screen.text)
        return screen

    # The program as ssh calls it

    def asks(self, reason: str, host: str, key: str | None = None, *words: str, port: int = 22, alias: str | None = None,
             person: Person | None = None, **how) -> Outcome:
        kind, text = key.split()[:2] if key else ("NONE", "NONE")
        return (person or self.alice).run(
            "ssh", "known-hosts", "--for", reason, "--host", host, "--port", str(port), "--alias",
            host if alias is None else alias, "--type", kind, "--key", text, *words, **how)

    def imports(self, *lines: str):
        """Lines of known_hosts into the vault."""
        path = self.alice.write("files/ssh/lines", "".join(line + "\n" for line in lines))
        self.ok(self.alice, "ssh", "host", "import", path, "-y")


__all__ = ["BINARY", "ConnectCase"]
