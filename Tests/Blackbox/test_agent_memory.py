"""After the lock nothing is left: the whole memory of the agent is searched for what it held while it was open."""

import base64
import os
import unittest

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_ssh_private_key

import agents as ag
import ssh_keys as sk
from agent_case import AgentCase
from house import PASSPHRASE, vf

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


if __name__ == "__main__":
    unittest.main()
