"""Handles of security keys that ssh-add brings: used as keys of the vault are, until it locks."""

import base64
import os
import pwd
import unittest

import ssh_keys as sk
import test_ssh_touch as touch
from test_ssh_touch import setUpModule  # noqa: F401


class Added(touch.TouchCase):
    """Handles that ssh-add brings, which the vault does not have."""

    def refuses(self, *words: str):
        done = self.agent.tool("ssh-add", *words)
        self.assertNotEqual(done.returncode, 0, done)

    def test_a_key_that_ssh_add_brings_logs_in_by_a_touch(self):
        self.says("touch", "slow")
        for kind in ("ed25519-sk", "ecdsa-sk"):
            with self.subTest(kind=kind):
                path = self.made(kind, kind)
                added = self.agent.tool("ssh-add", path)
                self.assertEqual(added.returncode, 0, (added, self.agent.log))
                os.remove(path)
                self.assertEqual(self.agent.keys(), [sk.beside(path)])
                self.logs_in(path)
                self.assertIn(f"Touch the security key of “{kind}”.", self.read("asked"))
                self.assertEqual(self.agent.tool("ssh-add", "-d", path + ".pub").returncode, 0)
                self.assertEqual(self.agent.keys(), [])

    def certified(self, kind: str) -> tuple[str, str]:
        """A key with a certificate of an authority, and the authority."""
        path, authority = self.made(kind, kind), sk.make(os.path.join(self.place, f"authority-{kind}"))
        sk.tool("ssh-keygen", "-q", "-s", authority, "-I", kind, "-n", pwd.getpwuid(os.getuid()).pw_name, path + ".pub")
        return path, authority

    def test_a_certificate_of_a_key_logs_in_by_a_touch(self):
        self.says("touch", "slow")
        for kind in ("ed25519-sk", "ecdsa-sk"):
            with self.subTest(kind=kind):
                path, authority = self.certified(kind)
                added = self.agent.tool("ssh-add", path)
                self.assertEqual(added.returncode, 0, (added, self.agent.log))
                self.assertIn(b"Certificate added", added.stderr + added.stdout)
                os.remove(path)
                # The server knows the authority alone.
                self.logs_in(authority, before="cert-authority ")
                self.assertIn(f"Touch the security key of “{kind}”.", self.read("asked"))
                self.assertEqual(self.agent.tool("ssh-add", "-T", path + "-cert.pub").returncode, 0)
                self.agent.lock()
                self.agent.unlock("passphrase")
                self.assertEqual(self.agent.keys(), [])

    def test_an_agent_that_stores_what_is_added_has_the_certificate_too(self):
        self.says("touch", "slow")
        self.agent.end()
        self.agent = self.starts("--store-added")
        path, authority = self.certified("ed25519-sk")
        self.assertEqual(self.agent.tool("ssh-add", path).returncode, 0)
        os.remove(path)
        self.agent.lock()
        self.agent.unlock("passphrase")
        self.logs_in(authority, before="cert-authority ")

    def test_a_false_handle_under_a_key_of_the_vault_opens_nothing_and_goes_with_the_lock(self):
        self.says("touch", "slow")
        path = self.key("ring")
        half = base64.b64decode(sk.read(path + ".pub").split()[1])
        false = sk.key_file(os.path.join(self.place, "false"), half, half + b"\x01" + sk.string(bytes(range(32))) + sk.string(b""),
                            b"false")
        self.logs_in(path)
        self.assertEqual(self.agent.tool("ssh-add", false).returncode, 0)
        self.stays_out(path, "securityKeyFailed")
        self.agent.lock()
        self.agent.unlock("passphrase")
        self.logs_in(path)

    def test_the_agent_loads_no_library_for_anybody(self):
        path = self.made("ring")
        for library in (self.library, "/nowhere.so", "internal.so"):
            self.refuses("-S", library, path)
        self.assertEqual(self.agent.keys(), [])
        with open(f"/proc/{self.agent.pid}/maps", encoding="utf-8") as maps:
            self.assertNotIn(self.library, maps.read())

    def test_it_goes_with_the_lock_and_its_conditions_hold(self):
        path = self.made("ring")
        self.assertEqual(self.agent.tool("ssh-add", "-t", "1000", path).returncode, 0)
        self.assertEqual(self.agent.tool("ssh-add", "-T", path + ".pub").returncode, 0)
        self.agent.lock()
        self.agent.unlock("passphrase")
        self.assertEqual(self.agent.keys(), [])
        self.refuses("-T", path + ".pub")

    def test_the_pin_is_asked_for_as_with_a_key_of_the_vault(self):
        path = self.made("ring", "ed25519-sk", "-O", "verify-required")
        self.assertEqual(self.agent.tool("ssh-add", path).returncode, 0)
        self.says("pin", touch.PIN)
        self.says("pins", touch.PIN + "\n")
        self.logs_in(path)
        self.says("pins", "\n")
        self.stays_out(path, "promptDismissed")

    def test_an_agent_that_stores_what_is_added_has_it_in_the_vault(self):
        self.agent.end()
        self.agent = self.starts("--store-added")
        path = self.made("ring")
        self.assertEqual(self.agent.tool("ssh-add", path).returncode, 0)
        os.remove(path)
        keys = self.ok(self.alice, "ssh", "key", "list", "--json", secret=None).result["keys"]
        self.assertEqual([(key["name"], key["state"]) for key in keys], [("ring", "active")])
        self.agent.lock()
        self.agent.unlock("passphrase")
        self.logs_in(path)

    def test_a_false_handle_changes_no_key_that_the_vault_has(self):
        """Anyone who knows the public half can make one: neither the trash nor the key follows it, and the right one does."""
        self.agent.end()
        self.agent = self.starts("--store-added")
        path = self.made("ring")
        half = base64.b64decode(sk.read(path + ".pub").split()[1])
        false = sk.key_file(os.path.join(self.place, "false"), half, half + b"\x01" + sk.string(bytes(range(32))) + sk.string(b""),
                            b"false")
        self.assertEqual(self.agent.tool("ssh-add", path).returncode, 0)
        self.ok(self.alice, "ssh", "key", "rm", "ring", "--yes", secret=None)
        self.assertEqual(self.agent.tool("ssh-add", false).returncode, 0)
        self.assertEqual(self.ok(self.alice, "ssh", "key", "list", "--json", secret=None).result["keys"], [])
        self.assertEqual(self.agent.tool("ssh-add", path).returncode, 0)
        self.assertEqual(self.agent.tool("ssh-add", false).returncode, 0)
        os.remove(path)
        self.agent.lock()
        self.agent.unlock("passphrase")
        self.logs_in(path)


if __name__ == "__main__":
    unittest.main()
