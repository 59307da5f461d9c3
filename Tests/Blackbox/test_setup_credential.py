"""`hsip setup systemd --credential`: a key slot whose key systemd alone decrypts, here by systemd-creds itself."""

import os
import shutil
import subprocess
import unittest

from house import PASSPHRASE, Case
import vault_file as vf

CREDS = shutil.which("systemd-creds")


def can_encrypt() -> bool:
    """Whether systemd-creds works here: as root, with a folder for its key that is the test's."""
    return CREDS is not None and os.getuid() == 0 and subprocess.run(
        ["unshare", "-m", "true"], capture_output=True).returncode == 0


@unittest.skipUnless(can_encrypt(), "no systemd-creds, or nobody who may use it")
class Credentials(Case):
    def setUp(self):
        super().setUp()
        self.alice.leaves_agent()
        # The key of the machine is made in a folder of the test, and goes with it.
        self.machine = self.alice.path("machine")
        os.makedirs(self.machine)
        self.before = ("unshare", "-m", "sh", "-c", f'mount --bind {self.machine} /var/lib/systemd && exec "$@"', "sh")

    def sets_up(self, *words: str, code: int = 0, **how):
        return self.ends(code, self.alice, "setup", "systemd", "--credential", "-y", *words, before=self.before, **how)

    def found(self, name: str) -> str | None:
        for folder, _, names in os.walk(self.alice.path("config")):
            if name in names:
                return os.path.join(folder, name)
        return None

    def slots(self) -> list[tuple[str, str]]:
        slots = self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"]
        return [(slot["kind"], slot["label"]) for slot in slots if slot["kind"] == "keyfile"]

    def decrypted(self, file: str) -> str:
        """The folder of credentials that systemd gives to the unit."""
        folder = self.alice.path("credentials")
        os.makedirs(folder, exist_ok=True)
        done = subprocess.run([*self.before, CREDS, "decrypt", "--name=hsip.key", file, os.path.join(folder, "hsip.key")],
                              capture_output=True, env=self.alice.environment())
        self.assertEqual(done.returncode, 0, done)
        return folder

    def opens(self, folder: str, code: int = 0):
        self.ends(code, self.alice, "--no-agent", "secret", "list", secret=None, CREDENTIALS_DIRECTORY=folder)

    def test_it_opens_the_vault_for_a_unit_and_is_replaced_and_removed(self):
        printed = self.ends(0, self.alice, "setup", "systemd", "--credential", "--print")
        self.assertIn("LoadCredentialEncrypted=hsip.key:", printed.output)
        self.assertEqual((self.slots(), self.found("hsip-agent.cred")), ([], None))
        self.sets_up()
        self.assertEqual(self.slots(), [("keyfile", "systemd")])
        file, drop_in = self.found("hsip-agent.cred"), self.found("credential.conf")
        self.assertEqual(os.stat(file).st_mode & 0o777, 0o600)
        with open(drop_in, encoding="utf-8") as text:
            self.assertIn(f"\n[Service]\nLoadCredentialEncrypted=hsip.key:{file}\n", text.read())
        with open(file, encoding="utf-8") as text:
            self.assertNotIn("HSIP-KEYFILE", text.read())
        folder = self.decrypted(file)
        self.opens(folder)
        with open(os.path.join(folder, "hsip.key"), encoding="utf-8") as text:
            key = text.read()
        self.assertRegex(key, r"\AHSIP-KEYFILE-1 [0-9a-f]{64}\n\Z")
        # Nothing else of hers has the key.
        for place, _, names in os.walk(self.alice.home):
            for name in names:
                path = os.path.join(place, name)
                if os.path.isfile(path) and not path.startswith(folder):
                    with open(path, "rb") as content:
                        self.assertNotIn(key[15:79].encode(), content.read(), path)
        # Set up again, the file is there; without it, a new key replaces the old one.
        self.sets_up()
        self.opens(folder)
        os.remove(file)
        self.sets_up()
        self.assertEqual(self.slots(), [("keyfile", "systemd")])
        self.opens(folder, 6)
        self.opens(self.decrypted(file))
        self.ends(0, self.alice, "setup", "systemd", "--undo", "-y", secret=None)
        self.assertEqual((self.found("hsip-agent.cred"), self.found("credential.conf")), (None, None))
        self.assertEqual(self.slots(), [("keyfile", "systemd")])
        self.ok(self.alice, "vault", "slot", "rm", "keyfile", "-y")
        self.opens(folder, 3)

    def test_it_is_not_the_only_way_in(self):
        self.sets_up()
        self.ok(self.alice, "vault", "slot", "rm", "recovery", "-y", secret="passphrase")
        slots = self.ok(self.alice, "vault", "slot", "list", "--json", secret="passphrase").result["slots"]
        self.assertEqual([(slot["kind"], slot["portable"]) for slot in slots], [("passphrase", True), ("keyfile", False)])
        for words in (("slot", "rm", "passphrase"), ("rekey", "--drop", str(slots[0]["number"]))):
            error = self.ends(6, self.alice, "vault", *words, "-y", "--json", secret="passphrase").json["error"]
            self.assertEqual(error["code"], "lastSlot", words)
        # With nothing to lose by it, the key file goes, and the passphrase stays.
        self.ok(self.alice, "vault", "slot", "rm", "keyfile", "-y", secret="passphrase")
        self.ok(self.alice, "secret", "list", secret="passphrase")

    def test_without_systemd_creds_nothing_changes(self):
        tools = self.alice.path("files", "tools")
        os.makedirs(tools)
        os.symlink("/usr/bin/unshare", os.path.join(tools, "unshare"))
        error = self.ends(12, self.alice, "setup", "systemd", "--credential", "-y", "--json", PATH=tools).json["error"]
        self.assertIn("systemd-creds is not installed", error["message"])
        self.assertEqual((self.slots(), self.found("hsip-agent.service")), ([], None))

    def test_an_encryption_that_fails_changes_nothing(self):
        tools = self.alice.path("files", "tools")
        os.makedirs(tools)
        program = self.alice.write("files/tools/systemd-creds", "#!/bin/sh\nexit 3\n")
        os.chmod(program, 0o700)
        error = self.ends(12, self.alice, "setup", "systemd", "--credential", "-y", "--json",
                          PATH=f"{tools}:/usr/bin:/bin").json["error"]
        self.assertIn("exit 3", error["message"])
        self.assertEqual((self.slots(), self.found("hsip-agent.service")), ([], None))


class KeyFileAlone(Case):
    """A vault of an earlier program, whose only slot is a key file."""

    def setUp(self):
        super().setUp()
        self.alice.leaves_agent()
        self.alice.uses_agent = False
        key, vault = bytes(range(32)), vf.Vault.open(self.alice.vault, recovery=self.alice.recovery,
                                                     anchor_folder=self.alice.anchors)
        vault._add_slot(vf.KEY_FILE, key, bytes(16), "systemd")
        with vf._Change(vault):
            vault.base.execute("DELETE FROM slot WHERE kind<>?", (vf.KEY_FILE,))
            vault.head.digest = vf.slot_digest(vault.subkeys["slot"], vault.slots())
        vault.close()
        self.alice.opens_with = None
        os.makedirs(self.alice.path("credentials"))
        self.alice.write("credentials/hsip.key", f"HSIP-KEYFILE-1 {key.hex()}\n")
        self.key = {"CREDENTIALS_DIRECTORY": self.alice.path("credentials")}

    def kinds(self, **how) -> list[str]:
        slots = self.ok(self.alice, "--no-agent", "vault", "slot", "list", "--json", **how).result["slots"]
        return [slot["kind"] for slot in slots]

    def test_it_opens_and_takes_a_passphrase_or_a_recovery_code(self):
        self.assertEqual(self.kinds(**self.key), ["keyfile"])
        self.ok(self.alice, "--no-agent", "secret", "set", "mail", given="battery-staple", **self.key)
        new = self.alice.write("secrets/new", PASSPHRASE + "\n")
        self.ok(self.alice, "--no-agent", "vault", "slot", "add", "passphrase", "--new-passphrase-file", new, **self.key)
        self.ok(self.alice, "--no-agent", "vault", "slot", "add", "recovery", "-o", self.alice.path("secrets", "code"), **self.key)
        self.assertEqual(self.kinds(**self.key), ["keyfile", "passphrase", "recovery"])
        for secret in ("passphrase", "code"):
            self.assertEqual(self.ok(self.alice, "--no-agent", "secret", "get", "mail", secret=secret).output, "battery-staple")
        # Now the key file may go.
        self.ok(self.alice, "--no-agent", "vault", "slot", "rm", "keyfile", "-y", secret="passphrase")
        self.assertEqual(self.kinds(secret="passphrase"), ["passphrase", "recovery"])

    def test_what_needs_another_way_in_says_how_to_get_it(self):
        self.assertIn("only one key slot opens the vault", self.alice.run("--no-agent", "doctor", **self.key).output)
        for words in (("slot", "rm", "keyfile", "-y"), ("rekey", "-y")):
            error = self.ends(6, self.alice, "--no-agent", "vault", *words, "--json", **self.key).json["error"]
            self.assertEqual((error["code"], error["hint"]), ("lastSlot", "hsip vault slot add recovery"), words)
        error = self.ends(3, self.alice, "--no-agent", "vault", "passphrase", "--json", **self.key).json["error"]
        self.assertEqual((error["code"], error["hint"]), ("noSuchSlot", "hsip vault slot add passphrase"))
        self.ok(self.alice, "--no-agent", "vault", "check", **self.key)
        self.assertEqual(self.kinds(**self.key), ["keyfile"])


if __name__ == "__main__":
    unittest.main()
