"""A power cut at every moment of a commit and of a rekey: what was promised is there, and the vault is of one key."""

import hashlib
import os
import random
import shlex
import shutil
import subprocess
import unittest

import power_cut
import strace
from house import BINARY, PLACE, PeerCase, vf


@unittest.skipUnless(strace.works(), "strace may not trace here")
class PowerCut(PeerCase):
    """Records programs at work, and looks at each disk that a cut could leave."""

    through_agent = False
    # Each of them is opened by the program, too, which takes longer than the second implementation.
    opened_by_the_program = 12

    def setUp(self):
        super().setUp()
        self.pair_with_peer()
        self.ok(self.alice, "secret", "set", "before", given="hunter2")
        self.alice.keep("before")
        (self.anchor,) = self.alice.anchor_files()

    def is_followed(self, path: str) -> bool:
        return path == self.anchor or path in [self.alice.vault + ending for ending in ("", "-wal", "-journal")]

    def hsip(self, *words: str) -> str:
        command = (BINARY, "--passphrase-file", self.alice.secret_file("recovery"), *words)
        return " ".join(shlex.quote(word) for word in command)

    def record(self, script: str) -> power_cut.Replay:
        """Runs a script of the shell; the disk is as it was before."""
        disk = power_cut.Disk([self.alice.vault, self.anchor], self.is_followed)
        log, said = os.path.join(PLACE, "calls"), os.path.join(PLACE, "said")
        if os.path.exists(said):
            os.unlink(said)
        finished = power_cut.record(log, said, ["sh", "-c", script], env=self.alice.environment(), cwd=self.alice.home,
                                    stderr=subprocess.PIPE, timeout=400, start_new_session=True)
        self.talk = finished.stderr.decode("utf-8", "replace")
        return power_cut.Replay(log, said, disk)

    def look(self, image: dict[str, bytes], where: str) -> tuple[int, int, set[str]]:
        """Key epoch, generation and names of a disk, opened and read whole by the second implementation."""
        folder = os.path.join(PLACE, "image")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder, mode=0o700)
        for path, content in image.items():
            descriptor = os.open(os.path.join(folder, os.path.basename(path)), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
        try:
            vault = vf.Vault.open(os.path.join(folder, os.path.basename(self.alice.vault)),
                                  recovery=self.alice.recovery, anchor_folder=folder)
            try:
                vault.verify()
                return vault.key_epoch, vault.head.generation, {meta.name for meta in vault.list()}
            finally:
                vault.close()
        except vf.VaultError as error:
            self.fail(f"{where}: {error.name}")

    def replay(self, script: str, rekeys: bool) -> tuple[set[int], int]:
        """Cuts the power after every call, in three ways each.

        Returns the key epochs that were met, and how many different disks.
        """
        replay = self.record(script)
        start = self.look(replay.disk.after_a_cut("all", random.Random(0)), "before")
        seen: dict[str, tuple[tuple[int, int, set[str]], dict[str, bytes], str]] = {}
        for number, call in enumerate(replay.moments()):
            said = replay.lines()
            for how in ("none", "all", "torn"):
                where = f"a power cut after call {number}, {call}, with {how} of what was not synced"
                image = replay.disk.after_a_cut(how, random.Random(number))
                mark = hashlib.sha256(b"".join(b"%s %d " % (path.encode(), len(data)) + data
                                               for path, data in sorted(image.items()))).hexdigest()
                if mark not in seen:
                    seen[mark] = (self.look(image, where), image, where)
                epoch, generation, names = seen[mark][0]
                promised = {line for line in said if line.startswith("kept-")}
                self.assertEqual(promised - names, set(), f"{where}: acknowledged, and not there")
                # Also a message that left stands for a commit.
                self.assertGreaterEqual(generation, start[1] + len(said), where)
                self.assertLessEqual(start[2], names, where)
                self.assertIn(epoch, (2,) if "rekeyed" in said else (1, 2) if rekeys else (1,), where)
        said = replay.lines()
        self.assertIn("rekeyed" if rekeys else "kept-0-1", said, self.talk)
        self.check_by_the_program(list(seen.values()))
        return {found[0] for found, _, _ in seen.values()}, len(seen)

    def check_by_the_program(self, seen):
        """The program finds the same on some of the disks, with the memory that this machine had then."""
        step = max(1, len(seen) // self.opened_by_the_program)
        for (epoch, generation, names), image, where in seen[::step]:
            self.alice.put_back("before")
            os.unlink(self.alice.vault)
            for path, content in image.items():
                self.alice.write(os.path.relpath(path, self.alice.home), content)
            found = self.ok(self.alice, "vault", "check", "--json").result
            self.assertEqual((found["keyEpoch"], found["records"]), (epoch, len(names)), where)
            self.assertGreaterEqual(found["generation"], generation, where)
            self.assertEqual(self.ok(self.alice, "secret", "get", "before").output.strip(), "hunter2", where)

    @property
    def commit(self) -> str:
        return f"echo value | {self.hsip('secret', 'set', 'kept-0-1')} >&2 && echo kept-0-1"

    def test_a_disk_that_does_not_do_what_a_sync_says_is_noticed(self):
        replay = self.record(self.commit)
        replay.disk.lies = True
        for _ in replay.moments():
            pass
        self.assertEqual(replay.lines(), ["kept-0-1"])
        _, _, names = self.look(replay.disk.after_a_cut("none", random.Random(0)), "a disk that lies")
        self.assertNotIn("kept-0-1", names)

    def test_a_commit_that_was_acknowledged_is_there(self):
        epochs, disks = self.replay(self.commit, rekeys=False)
        self.assertEqual(epochs, {1})
        self.assertGreaterEqual(disks, 6)

    def test_a_rekey_is_whole_or_has_not_begun_and_keeps_what_four_others_were_promised(self):
        def writer(number: int) -> str:
            kept = f"kept-{number}-$i"
            # The shell names the secret.
            sets = self.hsip("secret", "set") + f" {kept}"
            return f"for i in 1 2 3 4; do echo value | {sets} >&2 && echo {kept}; done"
        texts = " ".join(f"'text {number}'" for number in range(12))
        sender = f"printf '%s\\n' {texts} | {self.hsip('encrypt', 'quentin', '--lines')}"
        rekey = f"for i in 1 2 3; do {self.hsip('vault', 'rekey', '-y', '--drop', 'passphrase')} >&2 && echo rekeyed && break; done"
        script = "\n".join([f"({part}) &" for part in (writer(1), writer(2), writer(3), sender, rekey)] + ["wait"])
        epochs, disks = self.replay(script, rekeys=True)
        self.assertEqual(epochs, {1, 2})
        self.assertGreaterEqual(disks, 40)


if __name__ == "__main__":
    unittest.main()
