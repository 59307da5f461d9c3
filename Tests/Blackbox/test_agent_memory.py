"""After the lock nothing is left: the whole memory of the agent is searched for what it held while it was open."""

import base64
import os
import subprocess
import time
import unittest

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_ssh_private_key

import agents as ag
import ssh_keys as sk
import strace
from agent_case import AgentCase
from house import PASSPHRASE, STRANGERS, Case, vf

KINDS = ("ed25519", "ecdsa256", "ecdsa384", "ecdsa521", "rsa2048")


def memory(pid: int) -> bytes:
    """All that the process can read or write, as root sees it; more than a core image, which leaves out secret memory."""
    found = []
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as image:
        for line in maps:
            span, rights = line.split()[:2]
            start, end = (int(part, 16) for part in span.split("-"))
            if "/" in line and "w" not in rights or line.rstrip().endswith(("[vvar]", "[vsyscall]")):
                continue  # the program's own text; pages without any right may hold a secret that nobody looks at just now
            try:
                image.seek(start)
                while start < end and (part := image.read(end - start)):
                    found.append(part)
                    start += len(part)
            except OSError:
                continue  # a guard page
    return b"".join(found)


def seed(path: str) -> bytes:
    """The private half of an Ed25519 key."""
    return load_ssh_private_key(sk.read(path), None).private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())


class Memory(AgentCase):
    def prepare(self):
        if os.getuid() != 0:
            self.skipTest("only root may read the memory of a process that is not dumpable")
        self.needles = {"the passphrase": PASSPHRASE.encode()}
        for kind in KINDS:
            path = self.make(kind, kind)
            if kind == "ed25519":
                self.needles[kind] = seed(path)
            else:
                numbers = load_ssh_private_key(sk.read(path), None).private_numbers()
                value = numbers.p if kind.startswith("rsa") else numbers.private_value
                whole = value.to_bytes((value.bit_length() + 7) // 8, "big")
                self.needles[kind] = whole
                self.needles[kind + " as limbs"] = whole[::-1]
            self.imports(path)
        self.added = self.make("added")
        self.needles["added by ssh-add"] = seed(self.added)
        vault = vf.Vault.open(self.alice.vault, recovery=self.alice.recovery, anchor_folder=self.alice.anchors)
        self.needles["the key of the vault"] = bytes(vault.key)
        self.vault_keys = {f"the vault's {name} key": bytes(key) for name, key in vault.subkeys.items()}
        self.needles |= self.vault_keys
        vault.close()

    def keys_of_now(self, what: str) -> dict[str, bytes]:
        """The vault's key as it is on the disk, and those that are made of it."""
        vault = vf.Vault.open(self.alice.vault, recovery=self.alice.recovery, anchor_folder=self.alice.anchors)
        try:
            return {f"{what} key of the vault": bytes(vault.key)} | {
                f"{what} {name} key": bytes(key) for name, key in vault.subkeys.items()}
        finally:
            vault.close()

    def starts(self) -> ag.Agent:
        return ag.Hsip(self.alice, secret="passphrase")

    def found(self) -> set[str]:
        try:
            image = memory(self.agent.pid)
        except PermissionError as error:
            self.skipTest(f"the memory of the agent may not be read here: {error}")
        return {name for name, needle in self.needles.items() if needle in image}

    def test_nothing_is_left(self):
        self.adds(self.added)
        for kind in KINDS:
            self.askpass.says("yes")
            self.tool("ssh-add", "-T", self.file(kind + ".pub"))
        self.ok(self.alice, "ssh", "key", "export", "ed25519", "--public", secret=None)
        # The search finds what is there.
        found = self.found()
        self.assertLessEqual({"ed25519", "ecdsa256", "added by ssh-add"}, found)
        self.assertTrue(found & set(self.vault_keys), found)
        self.assertNotIn("the passphrase", found)
        self.agent.lock()
        self.assertEqual(self.found(), set())
        # And again, after a second life.
        self.agent.unlock("passphrase")
        self.askpass.says("yes")
        self.tool("ssh-add", "-T", self.file("rsa2048.pub"))
        self.agent.lock()
        self.assertEqual(self.found(), set())
        self.assertNotIn(base64.b64encode(self.needles["ed25519"]), memory(self.agent.pid))

    def test_neither_key_of_the_vault_is_left_after_a_rekey(self):
        self.needles = old = self.keys_of_now("old")
        self.ok(self.alice, "identity", "show", secret=None)
        self.assertTrue(self.found(), "the search finds what is there")
        self.ok(self.alice, "vault", "rekey", "-y", "--no-agent", secret="passphrase")
        new = self.keys_of_now("new")
        self.assertFalse(set(old.values()) & set(new.values()))
        # It meets the new key, and locks: the old ones are gone, and the new ones were never there.
        told = self.alice.run("identity", "show", "--json", secret=None)
        self.assertEqual(told.json["error"]["code"], "rekeyed", told)
        self.needles = old | new
        self.assertEqual(self.found(), set())
        self.agent.unlock("passphrase")
        self.ok(self.alice, "identity", "show", secret=None)
        found = self.found()
        self.assertTrue(found & set(new), found)
        self.assertFalse(found & set(old), found)
        self.agent.lock()
        self.assertEqual(self.found(), set())


class Waiting(Case):
    """The seeds of ML-KEM in the codes that wait: in the agent while it works with one, and at no other time."""

    world = STRANGERS

    def setUp(self):
        if os.getuid() != 0 or not strace.may_attach():
            self.skipTest("only root may read and stop a process that is not dumpable")
        super().setUp()
        self.agent = ag.Hsip(self.alice)

    def seeds(self) -> dict[str, bytes]:
        """The seeds in the vault, as the second implementation reads them."""
        found = {}
        for (kind, name), body in self.alice.records().items():
            if kind == "hsip.offer" and body.startswith(b"\x02\x00"):
                found[f"offer {name}"] = body[34:98]
            rotate = body.find(b"\x01\x03\x02") if kind == "hsip.pairing" and body.startswith(b"\x02") else -1
            if rotate >= 0:
                found[f"rotate {name}"] = body[rotate + 1324 + 32:rotate + 1324 + 96]
        self.assertTrue(all(len(seed) == 64 for seed in found.values()))
        return found

    def left(self, seeds: dict[str, bytes]) -> list[str]:
        """Those of which a half is in the memory of the agent."""
        image = memory(self.agent.pid)
        return [name for name, seed in seeds.items() if seed[:32] in image or seed[32:] in image]

    def slowly(self, *words: str, given: str = "") -> tuple[str, list[bytes]]:
        """A command while the agent waits before it writes: what was said, and the memory of the agent meanwhile."""
        pid, images = self.agent.pid, []
        wait = strace.inject("pwrite64", "delay_enter=3000000", "1", self.alice.vault + "-wal")
        tracer = subprocess.Popen([*wait, "-p", str(pid)])
        try:
            while not all(self.is_traced(pid, thread) for thread in os.listdir(f"/proc/{pid}/task")):
                self.assertIsNone(tracer.poll())
                time.sleep(0.02)
            command = self.alice.start(*words, secret=None)
            with command:
                command.stdin.write(given.encode())
                command.stdin.close()
                while command.poll() is None:
                    images.append(memory(pid))
                said = command.stdout.read().decode()
            self.assertEqual(command.returncode, 0, said)
        finally:
            tracer.terminate()
            tracer.wait()
        return said, images

    @staticmethod
    def is_traced(pid: int, thread: str) -> bool:
        with open(f"/proc/{pid}/task/{thread}/status", encoding="utf-8") as status:
            return "TracerPid:\t0\n" not in status.read()

    def sees(self, images: list[bytes], seed: bytes):
        self.assertTrue(any(seed[:32] in image and seed[32:] in image for image in images), len(images))

    def test_a_seed_is_there_while_its_code_is_made_or_answered_and_never_else(self):
        offer, images = self.slowly("pair")
        (first,) = self.seeds().values()
        self.sees(images, first)
        self.assertEqual(self.left(self.seeds()), [])
        answer = self.ok(self.bob, "accept", "-y", "--as", "alice", given=offer).output
        _, images = self.slowly("accept", "-y", "--as", "bob", given=answer)
        self.sees(images, first)
        rotate, images = self.slowly("session", "rotate", "bob")
        (waiting,) = self.seeds().values()
        self.sees(images, waiting)
        self.assertEqual(self.left(self.seeds()), [])
        accept = self.ok(self.bob, "accept", given=rotate).output
        _, images = self.slowly("accept", given=accept)
        self.sees(images, waiting)
        self.assertEqual(self.seeds(), {})
        all_of_them = {"offer": first, "rotate": waiting}
        self.assertEqual(self.left(all_of_them), [])
        # One that still waits when the agent is locked.
        self.ok(self.alice, "pair", secret=None)
        all_of_them |= self.seeds()
        self.assertEqual(len(all_of_them), 3)
        self.agent.lock()
        self.assertEqual(self.left(all_of_them), [])


if __name__ == "__main__":
    unittest.main()
