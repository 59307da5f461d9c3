"""Wrong words to every command about SSH keys: a name of errors.json, one hint, and a vault that is as it was."""

import os
import unittest

import ssh_keys as sk
from test_ssh_keys import KeyCase

LONG = "x" * 101
MANY = [word for number in range(33) for word in ("--sign", f"n{number}")]
HOSTS = [word for number in range(33) for word in ("--only-for", f"h{number}")]
BAD_NAMES = (".", "..", ".k", "-k", "a/b", "../k", "a b", "a\tb", "a\nb", "a%b", "a:b", "a,b", "a*", "a?", "~a", "$a",
             "`a`", "a;b", "a|b", "a'b", 'a"b', "a\\b", "a\x7fb", "a\u202eb", "a\u200bb", "\ufeffa", LONG)
BAD_HOSTS = ("a b", "a,b", "*", "h?", "!h", "h:22", "[h]", "$(x)", "`x`", "h;x", "h|x", "h'x", 'h"x', "h\\x", "-h",
             "h\nx", "|1|a|b", "@revoked")
BAD_PORTS = ("[h]:", "[h]:0", "[h]:65536", "[h]:99999999999999999999", "[h]:-1", "[h]:x", "[h]:22 ")
BAD_NAMESPACES = ("a b", "a,b", "g*", "g?", "!g", 'g"', "g\\", "g\nt", "größe", "x" * 256)
BAD_TIMES = ("", "8", "h", "-1s", "8x", "1.5h", "99999999999999999999d", "5000000000s", "8h 3", "\u0968h")
USE = ([("badHostName", ("--only-for=" + word,)) for word in BAD_HOSTS]
       + [("badPort", ("--only-for=" + word,)) for word in BAD_PORTS]
       + [("badNamespace", ("--sign=" + word,)) for word in BAD_NAMESPACES]
       + [("usage", ("--lifetime=" + word,)) for word in BAD_TIMES]
       + [("usage", ("--confirm", "--no-confirm")), ("usage", MANY), ("usage", HOSTS), ("usage", ("--nope",)),
          ("malformed", ("--comment", "a\nb")), ("malformed", ("--comment", "a\x1b[2J")),
          ("malformed", ("--comment", "é" * 501))])
KINDS = (("--type", "dsa"), ("--type", ""), ("--type", "rsa", "--bits", "1024"), ("--type", "rsa", "--bits", "2048"),
         ("--type", "rsa", "--bits", "4095"), ("--type", "rsa", "--bits", "99999999999999999999"), ("--type", "ecdsa", "--bits", "255"),
         ("--type", "ed25519", "--bits", "256"), ("--type", "rsa", "--bits=-1"), ("--type", "rsa", "--bits", "x"), ("--type",))


class Words(KeyCase):
    def setUp(self):
        super().setUp()
        self.path = sk.make(self.file("k"))
        self.brings(self.path)

    def all_are_refused(self, start: tuple[str, ...], cases):
        """Each is refused for people and for scripts, with one hint; the vault and its folder stay as they were."""
        before, files = self.alice.rows(), sk.snapshot(self.alice.path("state", "hsip", "ssh"))
        for error, words in cases:
            with self.subTest(start=start, words=words):
                outcome = self.refused(error, self.alice, *start, *words, plain=False)
                self.assertTrue(outcome.json["error"]["hint"], outcome)
                self.assertNotIn("\n", outcome.json["error"]["hint"])
        self.assertEqual(self.alice.rows(), before)
        self.assertEqual(sk.snapshot(self.alice.path("state", "hsip", "ssh")), files)
        # Once for people, too.
        error, words = cases[0]
        self.refused(error, self.alice, *start, *words)

    def test_generate(self):
        self.all_are_refused(("ssh", "key", "generate"), [("badSSHKeyName", (name,)) for name in ("", *BAD_NAMES) if name[:1] != "-"]
                             + [("usage", ()), ("usage", ("a", "b")), ("sshKeyNameTaken", ("k",))])
        self.all_are_refused(("ssh", "key", "generate", "new"), USE + [("usage", words) for words in KINDS])

    def test_set(self):
        self.ok(self.alice, "ssh", "key", "generate", "other")
        self.all_are_refused(("ssh", "key", "set", "k"), USE + [("badSSHKeyName", ("--name=" + name,)) for name in BAD_NAMES]
                             + [("sshKeyNameTaken", ("--name", "other")), ("usage", ()), ("usage", ("--name",))])
        self.all_are_refused(("ssh", "key", "set"), [("usage", ("--confirm",)), ("unknownSSHKey", ("", "--confirm"))])

    def test_import(self):
        nothing = self.alice.write("secrets/nothing", "")
        other = sk.make(self.file("l"))
        self.all_are_refused(("ssh", "key", "import"), [
            ("usage", ()), ("usage", ("--name", "x")), ("usage", (self.path, other, "--name", "x")),
            ("usage", (self.path, "--force")), ("denied", (self.path, "--key-passphrase-file", nothing)),
            ("noKey", (self.alice.path("run"),)), ("noKey", (self.path + ".pub",))]
            + [("badSSHKeyName", (other, "--name=" + name)) for name in BAD_NAMES])
        # What names a file speaks for itself.
        for words in (("nowhere",), ("",), (self.path + "/x",), ("x" * 5000,), (self.path, "--key-passphrase-file", "nowhere")):
            with self.subTest(words=words):
                self.refused("notFound", self.alice, "ssh", "key", "import", *words)

    def test_rotate(self):
        self.all_are_refused(("ssh", "key", "rotate"), [("usage", ("k", *words)) for words in KINDS]
                             + [("usage", ()), ("usage", ("k", "--bits", "4096")), ("usage", ("k", "l")),
                                ("unknownSSHKey", ("x",)), ("unknownSSHKey", ("",))])

    def test_export(self):
        out = self.file("out")
        secret = ("--no-passphrase", "--expect", "k")
        self.all_are_refused(("ssh", "key", "export"), [("usage", words) for words in (
            (), ("k", "--all"), ("k", "--format", "pem", "-o", out), ("k", "--format", "", "-o", out),
            ("k", "--public", "--format", "pkcs8"), ("k", "--public", *secret), ("k", "--public", "--stdout"),
            ("k", "--certificates", "--public"), ("k", "--certificates", *secret), ("k", "-o"),
            ("k", "-o", out, "--expect", "k"), ("k", "-o", out, *secret, "--new-passphrase-file", self.phrase),
            ("k", "-o", out, "--stdout", *secret), ("--all", "-o", out, "--trash"), ("--all", "--stdout"),
            ("--all", "-o", out, "--format", "rfc4716"))]
            + [("inputNeeded", ("k",)), ("inputNeeded", ("k", "-o", out)), ("inputNeeded", ("--all",)),
               ("inputNeeded", ("k", "-o", out, "--no-passphrase")), ("unknownSSHKey", ("x", "--public")),
               ("unknownSSHKey", ("k", "--public", "--trash")), ("noCertificate", ("k", "--certificates"))])
        self.refused("denied", self.alice, "ssh", "key", "export", "k", "-o", out, "--no-passphrase", "--expect", "K")
        self.refused("denied", self.alice, "ssh", "key", "export", "k", "-o", out, "--no-passphrase", "--expect", "")
        self.assertFalse(os.path.exists(out))

    def test_the_rest(self):
        for verb in ("show", "rm", "restore"):
            self.all_are_refused(("ssh", "key", verb), [("usage", ()), ("usage", ("k", "l")), ("unknownSSHKey", ("x",)),
                                                        ("unknownSSHKey", ("",)), ("usage", ("k", "--nope"))])
        self.all_are_refused(("ssh", "key", "list"), [("usage", ("x",)), ("usage", ("--nope",))])
        self.all_are_refused(("ssh", "signing-key"), [("unknownSSHKey", ()), ("unknownSSHKey", ("x",)), ("usage", ("k", "l"))])
        self.ok(self.alice, "ssh", "key", "set", "k", "--sign", "git")
        self.all_are_refused(("ssh", "signers"), [("usage", ("x",)), ("usage", ("--principal",)), ("usage", ("--principal=",))]
                             + [("badPrincipals", ("--principal=" + name,)) for name in ('"', "a\nb", "a\r")])

    def told(self, error: str, *words: str) -> tuple[str, str]:
        said = self.refused(error, self.alice, *words).json["error"]
        return said["message"], said["hint"]

    def test_what_is_wrong_is_said(self):
        """Each refusal speaks of the word that is wrong, and its hint names what was meant."""
        make, add, out = ("ssh", "key", "generate", "n"), ("ssh", "host", "add", "x1"), self.file("out")
        for words, message in ((("--type", "dsa"), "hsip makes no DSA keys"),
                               (("--type", "rsa", "--bits", "1024"), "an RSA key has 3072 or 4096 bits"),
                               (("--type", "ed25519", "--bits", "256"), "--bits is not for ed25519 keys")):
            self.assertIn(message, self.told("usage", *make, *words)[0])
        self.assertIn("--user", self.told("usage", *add, "--address", "h")[0])
        self.assertNotIn("--user", self.told("usage", *add, "--user", "me")[0])
        self.told("badHostName", *add, "--address", "a b")
        self.told("badUser", *add, "--user", "a b")
        self.told("badPort", *add, "--port", "0")
        self.assertIn("exclude each other", self.told("usage", "ssh", "key", "export", "k", "--all")[0])
        message, hint = self.told("denied", "ssh", "key", "export", "k", "-o", out, "--no-passphrase", "--expect", "no")
        self.assertIn("the name of the key", message)
        self.assertEqual(hint, "--expect k")
        self.assertIn("nofile", self.told("notFound", "ssh", "host", "import", "nofile")[0])
        closed = sk.make(self.file("closed"), "ed25519", sk.FOREIGN)
        self.assertEqual(self.told("passphraseNeeded", "ssh", "key", "import", closed)[1],
                         f"hsip ssh key import {closed} --key-passphrase-file FILE")

    def test_what_follows_is_warned_of(self):
        self.ok(self.alice, "ssh", "host", "add", "db1", "--address", "h", "--user", "me", "--key", "k")
        self.assertEqual(self.ok(self.alice, "ssh", "signing-key", "k", "--json").warnings, ["keyNotForGit"])
        self.ok(self.alice, "ssh", "key", "set", "k", "--sign", "git")
        self.assertEqual(self.ok(self.alice, "ssh", "signing-key", "k", "--json").warnings, [])
        self.assertEqual(self.ok(self.alice, "ssh", "signers", "--principal", "*@x", "--json").warnings, ["signerForMany"])
        self.ok(self.alice, "ssh", "key", "generate", "l", "--sign", "git")
        said = self.refused("inputNeeded", self.alice, "ssh", "signing-key").json["error"]
        self.assertIn("k, l", said["message"])
        self.assertEqual(said["hint"], "hsip ssh signing-key k")
        said = self.ok(self.alice, "ssh", "key", "rm", "k", "--json").json["warnings"]
        self.assertEqual(said, [{"code": "sshKeyOfHosts", "key": "k", "hosts": ["db1"]}])
        self.assertEqual(self.ok(self.alice, "ssh", "key", "rm", "l", "--json").warnings, [])

    def test_examples_of_the_help_fit_on_a_line(self):
        """What is wrapped is not what was meant when it is pasted."""
        for words in (("init",), ("vault", "migrate"), ("contact", "replace-key"), ("ssh", "key", "set"),
                      ("ssh", "host", "add"), ("ssh", "host", "import"), ("ssh", "key", "export"), ("ssh", "signers")):
            lines = self.alice.run(*words, "--help", secret=None).output.splitlines()
            examples = [line for line in lines if line.startswith("  hsip ")]
            self.assertTrue(examples, words)
            for line in examples:
                with self.subTest(line=line):
                    self.assertLess(len(line), 78)

    def test_a_word_twice_counts_once(self):
        said = self.ok(self.alice, "ssh", "key", "set", "k", "--sign", "git", "--sign", "git", "--only-for", "H",
                       "--only-for", "h", "--json").result
        self.assertEqual((said["sign"], said["onlyFor"]), (["git"], ["h"]))


if __name__ == "__main__":
    unittest.main()
