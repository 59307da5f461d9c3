"""Pipes in the place of files: no command waits for one that lies beside a vault, and none writes into it."""

import os
import subprocess

from house import ALONE, AT_THE_DESKTOP, Case, Outcome, Person

PATIENCE = 60
"""Seconds after which a command counts as waiting for the pipe: a hundred times what each takes."""


class Pipes(Case):
    through_agent = False

    def put(self, path: str):
        """A pipe that nobody writes to, in the place of what is there."""
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        if os.path.lexists(path):
            os.unlink(path)
        os.mkfifo(path, 0o600)

    def act(self, person: Person, *words: str, **how) -> Outcome:
        """A command that ends by itself, whatever it says."""
        try:
            return person.run(*words, timeout=PATIENCE, **how)
        except subprocess.TimeoutExpired:
            self.fail(f"{' '.join(words)} waits for the pipe")

    def sweep(self, person: Person, paths: list[str], commands: list[tuple[str, ...]]):
        """Every command beside every pipe; a person begins anew with each pipe."""
        person.keep("whole")
        for path in paths:
            for words in commands:
                with self.subTest(pipe=os.path.basename(path), command=" ".join(words)):
                    self.put(path)
                    outcome = self.act(person, *words)
                    self.assertIn(outcome.code, range(16), outcome)
            person.put_back("whole")


class BesideAFile(Pipes):
    world = ALONE

    def number(self) -> str:
        return os.path.basename(self.alice.anchor_files()[0]).removeprefix("anchor-")

    def test_no_command_waits_for_a_pipe_beside_a_vault_file(self):
        self.ok(self.alice, "secret", "set", "mail", given="x\n")
        backups = self.alice.path("files", "backups")
        os.makedirs(backups, mode=0o700)
        self.ok(self.alice, "vault", "backup", "--to", backups, secret="passphrase")
        state, vault, number = self.alice.anchors, self.alice.vault, self.number()
        names = [f"{name}-{number}" for name in ("anchor", "backups", "remembering", "backing-up", "move", "keyring",
                                                 "collections", "root")]
        paths = [os.path.join(state, name) for name in [*names, "keyring-setup.json", "ssh-setup.json"]]
        paths += [vault + ending for ending in ("-wal", "-shm", "-journal", ".new-0123456789ab")]
        paths += [self.alice.path("config", "hsip", "config.json"), os.path.join(backups, os.listdir(backups)[0])]
        self.sweep(self.alice, paths, [
            ("status",), ("secret", "get", "mail"), ("secret", "set", "mail", "--generate"), ("doctor",),
            ("doctor", "--fix", "-y"), ("vault", "check"), ("vault", "backup", "--to", backups),
            ("vault", "backup", self.alice.path("files", "copy"), "--force"), ("setup", "ssh", "--check"),
            ("setup", "ssh", "-y"), ("setup", "keyring", "--check"), ("vault", "rekey", "-y"),
            ("vault", "slot", "list"), ("audit",), ("secret", "list")])

    def test_no_command_waits_for_a_vault_that_is_a_pipe(self):
        self.sweep(self.alice, [self.alice.vault], [
            ("status",), ("secret", "list"), ("doctor",), ("vault", "check"), ("vault", "repair", "-y"),
            ("vault", "rekey", "-y")])


class BesideAKeyring(Pipes):
    world = AT_THE_DESKTOP

    def test_no_command_waits_for_a_pipe_beside_a_vault_in_the_keyring(self):
        state = self.alice.anchors
        number = os.path.basename(self.alice.anchor_files()[0]).removeprefix("anchor-")
        names = [f"{name}-{number}" for name in ("anchor", "backups", "remembering", "backing-up", "move", "keyring",
                                                 "collections", "root")]
        paths = [os.path.join(state, name) for name in [*names, "keyring-setup.json"]]
        paths += [os.path.join(self.alice.path("run", "hsip"), name) for name in os.listdir(self.alice.path("run", "hsip"))]
        self.sweep(self.alice, paths, [
            ("status",), ("secret", "list"), ("doctor",), ("doctor", "--fix", "-y"), ("vault", "check"),
            ("vault", "rekey", "-y")])
