"""Key files of PuTTY: converted by PuTTY's own tool, without a trace of them anywhere."""

import os
import shutil
import unittest

import ssh_keys as sk
from test_ssh_keys import KeyCase

PUTTYGEN = shutil.which("puttygen")
VERSIONS = ("2", "3")
CHEAP = "memory=64,passes=2"


class PuTTYCase(KeyCase):
    def ppk(self, name: str, kind: str = "ed25519", version: str = "3", passphrase: str = "",
            comment: str = "a comment") -> str:
        """A file as PuTTY writes it, of a key that ssh-keygen made beside it."""
        source = sk.make(self.file(name), kind, "", comment)
        path = source + ".ppk"
        words = [PUTTYGEN, source, "-o", path, "-O", "private", "--ppk-param", f"version={version},{CHEAP}"]
        if passphrase:
            words += ["-P", "--new-passphrase", self.alice.write("secrets/ppk", passphrase + "\n")]
        sk.tool(*words)
        os.remove(source)
        return path


@unittest.skipUnless(PUTTYGEN, "puttygen is not installed (putty-tools)")
class PuTTY(PuTTYCase):
    def test_every_type_in_both_versions(self):
        for kind in ("ed25519", "ecdsa256", "ecdsa384", "ecdsa521", "rsa2048", "rsa3072"):
            for version in VERSIONS:
                for passphrase in ("", sk.FOREIGN):
                    name = f"{kind}-{version}-{len(passphrase)}"
                    with self.subTest(name=name):
                        path = self.ppk(name, kind, version, passphrase, "Zoë's key")
                        words = ("--key-passphrase-file", self.phrase) if passphrase else ()
                        key = self.brings(path, "--name", name, *words)
                        self.assertEqual((key["name"], key["origin"], key["comment"], key["fingerprint"]), (
                            name, "putty", "Zoë's key", sk.fingerprint(self.file(name) + ".pub")))
                        detail = self.ok(self.alice, "ssh", "key", "show", name, "--json").result
                        self.assertEqual(detail["hadPassphrase"], bool(passphrase))
                        self.assertEqual(sk.public_of(self.takes_out(name)), sk.beside(self.file(name)))
        self.no_pipe_is_left()

    def test_none_wrong_and_right(self):
        wrong = self.alice.write("secrets/wrong", "pass word\n")
        for version in VERSIONS:
            with self.subTest(version=version):
                path = self.ppk("k" + version, version=version, passphrase=sk.FOREIGN)
                self.refused("passphraseNeeded", self.alice, "ssh", "key", "import", path)
                self.refused("wrongPassphrase", self.alice, "ssh", "key", "import", path,
                             "--key-passphrase-file", wrong)
                self.brings(path, "--key-passphrase-file", self.phrase)
        self.no_pipe_is_left()

    def test_files_of_windows_and_standard_input(self):
        path = self.ppk("k")
        text = sk.read(path).replace(b"\n", b"\r\n")
        outcome = self.ok(self.alice, "ssh", "key", "import", "-", "--name", "w", "--json", given=text)
        key = outcome.result["files"][0]["key"]
        self.assertEqual(key["fingerprint"], sk.fingerprint(self.file("k.pub")))

    def test_a_folder_with_files_of_both_worlds(self):
        self.ppk("one")
        self.ppk("two", "rsa2048", "2", sk.FOREIGN)
        sk.make(self.file("three"))
        outcome = self.ok(self.alice, "ssh", "key", "import", self.folder, "--key-passphrase-file", self.phrase, "--json")
        origins = sorted(entry["key"]["origin"] for entry in outcome.result["files"])
        self.assertEqual(origins, ["openssh", "putty", "putty"])

    def test_damaged_and_hostile_files(self):
        plain = sk.read(self.ppk("k"))
        closed = sk.read(self.ppk("c", passphrase=sk.FOREIGN))
        for name, content, error in (
                ("head", plain.split(b"Public-Lines")[0], "truncated"),
                ("old", plain.replace(b"File-3", b"File-1"), "unsupportedVersion"),
                ("new", plain.replace(b"File-3", b"File-4"), "unsupportedVersion"),
                ("mac", plain[:-10] + b"0000000000", "malformed"),
                ("public", plain.replace(b"AAAAC3", b"AAAAC4"), "malformed"),
                ("memory", closed.replace(b"Argon2-Memory: 64", b"Argon2-Memory: 99999999"), "oversized"),
                ("passes", closed.replace(b"Argon2-Passes: 2", b"Argon2-Passes: 4000000000"), "oversized"),
                ("huge", plain + b"x" * 70_000, "oversized")):
            with self.subTest(name=name):
                self.refused(error, self.alice, "ssh", "key", "import", self.alice.write("files/" + name, content))
        path = self.alice.write("files/closed", closed.replace(b"Private-MAC: ", b"Private-MAC: 0"))
        self.refused("wrongPassphrase", self.alice, "ssh", "key", "import", path, "--key-passphrase-file", self.phrase)
        path = self.file("dsa.ppk")
        sk.tool(PUTTYGEN, "-q", "-t", "dsa", "-b", "1024", "-o", path, "--new-passphrase", "/dev/null")
        self.refused("dsaRefused", self.alice, "ssh", "key", "import", path)
        self.no_pipe_is_left()

    def test_no_private_part_in_words_variables_or_files(self):
        clear, closed = self.ppk("clear"), self.ppk("closed", passphrase=sk.FOREIGN)
        needles = [sk.FOREIGN.encode(), sk.read(clear).split(b"Private-Lines: 1\n")[1].split(b"\n")[0]]
        log = self.alice.path("files", "trace")
        trace = ("strace", "-f", "-qq", "-v", "-s", "65536", "-e", "trace=execve,openat,creat", "-o", log)
        for path in (clear, closed):
            self.ok(self.alice, "ssh", "key", "import", path, "--key-passphrase-file", self.phrase, before=trace)
            said = sk.read(log)
            self.assertIn(b"puttygen", said)
            for needle in needles:
                self.assertNotIn(needle, said)
        self.no_pipe_is_left()


class WithoutPuTTY(KeyCase):
    def test_the_package_is_named(self):
        text = (b"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: c\nPublic-Lines: 1\nAAAA\n"
                b"Private-Lines: 1\nAAAA\nPrivate-MAC: 00\n")
        path = self.alice.write("files/k.ppk", text)
        tools = self.alice.path("files", "tools")
        os.makedirs(tools)
        outcome = self.refused("unavailable", self.alice, "ssh", "key", "import", path, PATH=tools)
        self.assertIn("putty-tools", outcome.json["error"]["hint"])
        self.no_pipe_is_left()


if __name__ == "__main__":
    unittest.main()
