"""SSH keys in the vault: in and out in every form, with the OpenSSH of this machine as the judge."""

import base64
import os
import shutil
import subprocess
import unittest

import ssh_keys as sk
from house import Case
from screen import CONTROL_C, Screen, gives_new


class KeyCase(Case):
    """Alice, with a folder for key files and a file with a foreign passphrase."""

    def setUp(self):
        super().setUp()
        self.folder = self.alice.path("files", "ssh")
        os.makedirs(self.folder, mode=0o700)
        self.phrase = self.alice.write("secrets/key", sk.FOREIGN + "\n")

    def file(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def brings(self, path: str, *words: str, **how) -> dict:
        """Imports one file, which is the same afterwards; the key as JSON."""
        before = (sk.read(path), os.stat(path).st_mtime_ns, os.stat(path).st_mode)
        outcome = self.ok(self.alice, "ssh", "key", "import", path, *words, "--json", **how)
        self.assertEqual((sk.read(path), os.stat(path).st_mtime_ns, os.stat(path).st_mode), before)
        return outcome.result["files"][0]["key"]

    def takes_out(self, name: str, *words: str) -> str:
        """Exports a key without a passphrase; the path of the file."""
        path = self.file(f"out-{len(os.listdir(self.folder))}")
        self.ok(self.alice, "ssh", "key", "export", name, "--no-passphrase", "--expect", name, "-o", path, *words)
        self.assertEqual(sk.modes(path), 0o600)
        return path

    def pub(self, name: str) -> str:
        return self.alice.path("state", "hsip", "ssh", name + ".pub")

    def no_pipe_is_left(self):
        self.assertEqual([name for name in os.listdir(self.alice.path("run")) if name.startswith("hsip-")], [])


class RoundTrips(KeyCase):
    def test_every_type_in_every_container(self):
        for kind in sk.TYPES:
            for form in ("RFC4716", "PEM", "PKCS8"):
                for passphrase in ("", sk.FOREIGN):
                    name = f"{kind}-{form}-{len(passphrase)}"
                    with self.subTest(name=name):
                        path = sk.make(self.file(name), kind, passphrase, "c", "-m", form)
                        words = ("--key-passphrase-file", self.phrase) if passphrase else ()
                        key = self.brings(path, *words)
                        self.assertEqual((key["name"], key["fingerprint"]), (name, sk.fingerprint(path + ".pub")))
                        self.assertEqual(sk.public_of(self.takes_out(name)), sk.beside(path))
        self.no_pipe_is_left()

    def test_a_key_without_passphrase_comes_out_byte_for_byte(self):
        for kind in ("ed25519", "ecdsa256", "ecdsa521", "rsa3072"):
            with self.subTest(kind=kind):
                path = sk.make(self.file(kind), kind, comment="Zoë's “key”")
                self.brings(path)
                self.assertEqual(sk.section(sk.read(self.takes_out(kind))), sk.section(sk.read(path)))
                self.assertEqual(sk.read(self.pub(kind)), sk.read(path + ".pub"))
                self.assertEqual(sk.modes(self.pub(kind)), 0o600)
        self.assertEqual(sk.modes(os.path.dirname(self.pub("x"))), 0o700)

    def test_what_openssl_writes(self):
        for kind in ("ecdsa256", "ecdsa384", "ecdsa521", "rsa3072"):
            tool, traditional = ("ec", ()) if kind.startswith("ecdsa") else ("rsa", ("-traditional",))
            for name, words in (("dek-aes128", (tool, *traditional, "-aes128")), ("dek-aes256", (tool, *traditional, "-aes256")),
                                ("dek-des3", (tool, *traditional, "-des3")),
                                ("pbes2-aes256", ("pkcs8", "-topk8", "-v2", "aes-256-cbc")),
                                ("pbes2-sha512", ("pkcs8", "-topk8", "-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA512")),
                                ("scrypt", ("pkcs8", "-topk8", "-scrypt")), ("pbes1-des3", ("pkcs8", "-topk8", "-v1", "PBE-SHA1-3DES"))):
                with self.subTest(kind=kind, name=name):
                    clear = sk.make(self.file(f"{kind}-{name}-clear"), kind, "", "c", "-m", "PEM")
                    path = self.file(f"{kind}-{name}")
                    sk.tool("openssl", words[0], "-in", clear, "-out", path, "-passout", "pass:" + sk.FOREIGN, *words[1:])
                    os.chmod(path, 0o600)
                    marks = {"dek": b"DEK-Info: "}.get(name[:3], b"BEGIN ENCRYPTED PRIVATE KEY")
                    self.assertIn(marks, sk.read(path))
                    key = self.brings(path, "--key-passphrase-file", self.phrase)
                    self.assertEqual((key["fingerprint"], key["origin"]), (sk.fingerprint(clear), "pem"))
                    self.assertEqual(sk.public_of(self.takes_out(os.path.basename(path))), sk.beside(clear))
        self.no_pipe_is_left()

    def test_every_cipher_that_openssh_writes(self):
        for cipher in sk.CIPHERS:
            with self.subTest(cipher=cipher):
                name = cipher.split("@")[0]
                path = sk.make(self.file(name), "ed25519", sk.FOREIGN, "c", "-Z", cipher)
                self.brings(path, "--key-passphrase-file", self.phrase)
                self.assertEqual(sk.public_of(self.takes_out(name)), sk.beside(path))

    def test_exports_with_a_passphrase_open_with_it_alone(self):
        for kind in ("ed25519", "ecdsa384", "rsa2048"):
            self.brings(sk.make(self.file(kind), kind))
            out = self.file(kind + ".out")
            self.ok(self.alice, "ssh", "key", "export", kind, "--new-passphrase-file", self.phrase, "-o", out)
            self.assertEqual(sk.public_of(out, sk.FOREIGN), sk.beside(self.file(kind)))
            with self.assertRaises(AssertionError):
                sk.public_of(out, "another")

    def test_pkcs8_with_and_without_a_passphrase(self):
        for kind in ("ed25519", "ecdsa256", "ecdsa521", "rsa3072"):
            with self.subTest(kind=kind):
                path = sk.make(self.file(kind), kind)
                self.brings(path)
                bare = self.takes_out(kind, "--format", "pkcs8")
                closed = self.file(kind + ".p8")
                self.ok(self.alice, "ssh", "key", "export", kind, "--format", "pkcs8", "--new-passphrase-file",
                        self.phrase, "-o", closed)
                opened = sk.tool("openssl", "pkey", "-in", closed, "-passin", "pass:" + sk.FOREIGN)
                self.assertEqual(sk.tool("openssl", "pkey", "-in", bare), opened)
                # Home again, into a vault that does not know it.
                self.ok(self.alice, "--vault", "second", "init", "--no-input", "--backend", "file", "--no-identity", "-o",
                        self.file(kind + ".rec"), secret="passphrase")
                for path_, words in ((bare, ()), (closed, ("--key-passphrase-file", self.phrase))):
                    outcome = self.ok(self.alice, "--vault", "second", "ssh", "key", "import", path_, *words, "--json",
                                      secret="passphrase")
                    self.assertEqual(outcome.result["files"][0]["key"]["fingerprint"], sk.fingerprint(path + ".pub"))
                os.remove(self.alice.path("data", "hsip", "second.hsipvault"))
                self.forget_second()
        self.no_pipe_is_left()

    def forget_second(self):
        """Takes the second vault out of every record of it."""
        import json
        config = self.alice.path("config", "hsip", "config.json")
        with open(config, encoding="utf-8") as file:
            whole = json.load(file)
        whole["vaults"].pop("second", None)
        with open(config, "w", encoding="utf-8") as file:
            json.dump(whole, file)

    def test_generated_keys_are_keys_for_openssh(self):
        for number, (words, line) in enumerate((((), "ssh-ed25519"), (("--type", "ecdsa"), "ecdsa-sha2-nistp256"),
                                                (("--type", "ecdsa", "--bits", "384"), "ecdsa-sha2-nistp384"),
                                                (("--type", "ecdsa", "--bits", "521"), "ecdsa-sha2-nistp521"),
                                                (("--type", "rsa"), "ssh-rsa"),
                                                (("--type", "rsa", "--bits", "4096"), "ssh-rsa"))):
            name = f"made{number}"
            with self.subTest(words=words):
                said = self.ok(self.alice, "ssh", "key", "generate", name, *words, "--comment", "é").output
                self.assertEqual(said.split(maxsplit=2)[0], line)
                self.assertEqual(said.split(maxsplit=2)[2], "é\n")
                self.assertEqual(sk.read(self.pub(name)).decode(), said)
                self.assertEqual(sk.public_of(self.takes_out(name)), " ".join(said.split()[:2]))

    def test_the_first_key_comes_with_a_hint_that_works(self):
        talk = self.ok(self.alice, "ssh", "key", "generate", "work").talk
        self.assertIn('hint: hsip unlock && eval "$(hsip agent env)"  lets ssh and git use it\n', talk)
        said = self.ok(self.alice, "agent", "env").output
        self.assertTrue(said.startswith("SSH_AUTH_SOCK="), said)
        self.assertNotIn("hint", self.ok(self.alice, "ssh", "key", "generate", "second").talk)

    def test_public_halves(self):
        path = sk.make(self.file("k"), "ecdsa256")
        self.brings(path)
        self.assertEqual(self.ok(self.alice, "ssh", "key", "export", "k", "--public").data, sk.read(path + ".pub"))
        form = self.ok(self.alice, "ssh", "key", "export", "k", "--public", "--format", "rfc4716").data
        copy = self.alice.write("files/rfc4716", form)
        self.assertEqual(sk.tool("ssh-keygen", "-i", "-f", copy).split(), sk.beside(path).encode().split())
        shown = self.ok(self.alice, "ssh", "key", "show", "k", "--json").result
        art = sk.tool("ssh-keygen", "-lv", "-f", path).decode().splitlines()[1:]
        self.assertEqual(shown["randomart"], art)
        self.assertEqual(shown["md5"], sk.tool("ssh-keygen", "-l", "-E", "md5", "-f", path).decode().split()[1])


    def test_without_openssh_and_openssl_only_foreign_forms_are_out_of_reach(self):
        nowhere = self.alice.path("run")
        path = sk.make(self.file("k"), "ed25519", sk.FOREIGN)
        self.brings(path, "--key-passphrase-file", self.phrase, PATH=nowhere)
        out = self.file("out")
        export = ("ssh", "key", "export", "k", "-o", out, "--new-passphrase-file", self.phrase)
        self.refused("unavailable", self.alice, *export, "--format", "pkcs8", PATH=nowhere)
        self.assertFalse(os.path.exists(out))
        self.ok(self.alice, *export, PATH=nowhere)
        self.assertEqual(sk.public_of(out, sk.FOREIGN), sk.beside(path))
        for name, words in (("pem", ("-m", "PEM")), ("pkcs8", ("-m", "PKCS8")), ("des", ("-Z", "3des-cbc"))):
            foreign = sk.make(self.file(name), "ecdsa256", sk.FOREIGN, "c", *words)
            outcome = self.refused("unavailable", self.alice, "ssh", "key", "import", foreign, "--key-passphrase-file",
                                   self.phrase, PATH=nowhere)
            self.assertEqual(outcome.json["error"]["hint"], "apt install openssh-client")

    def test_what_openssh_cannot_read_either_says_why(self):
        """An OpenSSH that has dropped a cipher: the refusal names the cipher, not the file."""
        tools = self.alice.path("tools")
        os.makedirs(tools)
        self.alice.write("tools/ssh-add", "#!/bin/sh\nexit 1\n", mode=0o700)
        path = sk.make(self.file("des"), "ed25519", sk.FOREIGN, "c", "-Z", "3des-cbc")
        outcome = self.refused("tripleDESRefused", self.alice, "ssh", "key", "import", path, "--key-passphrase-file",
                               self.phrase, PATH=tools)
        self.assertEqual(outcome.json["error"]["hint"], f"ssh-keygen -p -f {path}")
        text = sk.read(sk.make(self.file("other"), "ed25519", sk.FOREIGN))
        body = base64.b64decode(b"".join(text.split(b"\n")[1:-2])).replace(b"aes256-ctr", b"aes999-ctr")
        path = self.alice.write("files/unknown", b"-----BEGIN OPENSSH PRIVATE KEY-----\n" + base64.encodebytes(body)
                                + b"-----END OPENSSH PRIVATE KEY-----\n")
        self.refused("unknownCipher", self.alice, "ssh", "key", "import", path, "--key-passphrase-file", self.phrase)


class Folders(KeyCase):
    def test_a_whole_folder_moves_in_and_out(self):
        kinds = {"id_ed25519": ("ed25519", ""), "id_rsa": ("rsa2048", ""), "work key": ("ecdsa256", sk.FOREIGN)}
        for name, (kind, passphrase) in kinds.items():
            sk.make(self.file(name), kind, passphrase, name)
        sk.make(self.file("old.pem"), "rsa2048", "", "kept in the .pub", "-m", "PEM")
        for name, text in (("config", "Host *\n"), ("known_hosts", "h ssh-ed25519 AAAA\n"),
                           ("authorized_keys", sk.read(self.file("id_rsa.pub")).decode()), ("empty", "")):
            self.alice.write(f"files/ssh/{name}", text)
        os.makedirs(self.file("sub"))
        os.mkfifo(self.file("pipe"))
        before = {name: sk.read(self.file(name)) for name in os.listdir(self.folder)
                  if os.path.isfile(self.file(name))}
        outcome = self.ok(self.alice, "ssh", "key", "import", self.folder, "--key-passphrase-file", self.phrase, "--json")
        found = {entry["key"]["name"]: entry for entry in outcome.result["files"]}
        self.assertEqual(set(found), {"id_ed25519", "id_rsa", "work-key", "old.pem"})
        self.assertEqual({entry["outcome"] for entry in found.values()}, {"imported"})
        self.assertEqual(found["old.pem"]["key"]["comment"], "kept in the .pub")
        for name, entry in found.items():
            path = entry["file"]
            self.assertEqual(sk.public_of(self.takes_out(name)), sk.beside(path))
        after = {name: sk.read(self.file(name)) for name in before}
        self.assertEqual(after, before)

    def test_a_second_time_everything_is_known_and_no_passphrase_is_needed(self):
        for number in range(3):
            sk.make(self.file(f"k{number}"), "ed25519", sk.FOREIGN)
        self.ok(self.alice, "ssh", "key", "import", self.folder, "--key-passphrase-file", self.phrase)
        rows = self.alice.rows()
        shutil.copyfile(self.file("k0"), self.file("copy"))
        outcome = self.ok(self.alice, "ssh", "key", "import", self.folder, "--json")
        self.assertEqual([entry["outcome"] for entry in outcome.result["files"]], ["known"] * 4)
        self.assertEqual(self.alice.rows(), rows)

    def test_one_bad_file_does_not_keep_the_others_out(self):
        sk.make(self.file("good"))
        sk.make(self.file("closed"), "ed25519", "unknown")
        self.alice.write("files/ssh/bad", b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n")
        outcome = self.ends(13, self.alice, "ssh", "key", "import", self.folder)
        self.assertIn("good\timported\tgood\t", outcome.output)
        listed = self.ok(self.alice, "ssh", "key", "list", "--json").result["keys"]
        self.assertEqual([key["name"] for key in listed], ["good"])

    def test_a_certificate_comes_along_with_its_key(self):
        sk.make(self.file("ca"))
        path = sk.make(self.file("user"))
        sk.tool("ssh-keygen", "-q", "-s", self.file("ca"), "-I", "alice", "-n", "alice", path + ".pub")
        os.rename(self.file("ca"), self.file("../ca"))
        key = self.brings(path)
        self.assertEqual(key["certificates"], 1)
        detail = self.ok(self.alice, "ssh", "key", "show", "user", "--json").result
        self.assertEqual(detail["certificateKeys"][0]["type"], "ssh-ed25519-cert-v01@openssh.com")
        # Another one later, for a key that is there; and one of a key that is not.
        sk.tool("ssh-keygen", "-q", "-s", self.file("../ca"), "-I", "again", "-n", "bob", path + ".pub")
        self.assertEqual(self.brings(path + "-cert.pub")["certificates"], 2)
        sk.make(self.file("stranger"))
        sk.tool("ssh-keygen", "-q", "-s", self.file("../ca"), "-I", "x", "-n", "x", self.file("stranger.pub"))
        self.refused("unknownSSHKey", self.alice, "ssh", "key", "import", self.file("stranger-cert.pub"))

    def test_standard_input(self):
        path = sk.make(self.file("k"), comment="from a pipe")
        outcome = self.ok(self.alice, "ssh", "key", "import", "-", "--json", given=sk.read(path))
        self.assertEqual(outcome.result["files"][0]["key"]["name"], "from-a-pipe")
        other = sk.make(self.file("l"), "ecdsa256", "", "x", "-m", "PEM")
        outcome = self.ok(self.alice, "ssh", "key", "import", "-", "--name", "ci", "--json", given=sk.read(other))
        self.assertEqual(outcome.result["files"][0]["key"]["name"], "ci")


class Passphrases(KeyCase):
    def test_none_wrong_and_right(self):
        right = ("long enough", sk.FOREIGN, "Καλημέρα 🔑 κόσμε", " blanks around ", "x" * 500)
        for form in ("RFC4716", "PEM", "PKCS8"):
            for number, words in enumerate(right):
                path = sk.make(self.file(f"{form}{number}"), "ecdsa256", words, "c", "-m", form)
                phrase = self.alice.write("secrets/right", words + "\n")
                with self.subTest(form=form, words=words):
                    self.refused("passphraseNeeded", self.alice, "ssh", "key", "import", path)
                    for wrong in (words + "x", words[:-1], words.swapcase() + "y")[:3 if number == 1 else 1]:
                        file = self.alice.write("secrets/wrong", wrong + "\n")
                        self.refused("wrongPassphrase", self.alice, "ssh", "key", "import", path, "--key-passphrase-file", file)
                    self.brings(path, "--key-passphrase-file", phrase)
                    out = self.file(f"{form}{number}.out")
                    self.ok(self.alice, "ssh", "key", "export", f"{form}{number}", "--new-passphrase-file", phrase, "-o", out)
                    self.assertEqual(sk.public_of(out, words), sk.beside(path))
        self.no_pipe_is_left()

    def test_the_file_of_a_passphrase_must_be_mine_alone_and_not_empty(self):
        path = sk.make(self.file("k"), "ed25519", sk.FOREIGN)
        open_to_all = self.alice.write("secrets/open", sk.FOREIGN, mode=0o644)
        empty = self.alice.write("secrets/empty", "")
        blank = self.alice.write("secrets/blank", "\n" + sk.FOREIGN + "\n")
        for file, name in ((open_to_all, "denied"), (empty, "denied"), (blank, "denied")):
            self.refused(name, self.alice, "ssh", "key", "import", path, "--key-passphrase-file", file)
        self.assertEqual(self.ok(self.alice, "ssh", "key", "list").output, "")

    def test_an_empty_one_is_none(self):
        path = sk.make(self.file("k"), "ed25519", sk.FOREIGN)
        screen = Screen(self, self.alice, "ssh", "key", "import", path)
        screen.sees("Passphrase of .*k:")
        screen.enters()
        self.assertEqual(screen.ends(), 6)
        self.brings(path, "--key-passphrase-file", self.phrase)
        blank = self.alice.write("secrets/blank", "\n")
        export = ("ssh", "key", "export", "k", "-o", self.file("out"))
        self.refused("denied", self.alice, *export, "--new-passphrase-file", blank)
        screen = Screen(self, self.alice, *export)
        screen.sees("New passphrase for the file")
        screen.enters()
        self.assertEqual(screen.ends(), 6)
        screen = Screen(self, self.alice, *export, "--weak")
        gives_new(screen, "New passphrase for the file", "one", again="another")
        screen.sees("two entries differ")
        screen.sees("New passphrase for the file")
        screen.types(CONTROL_C)
        self.assertEqual(screen.ends(), 130)
        self.assertFalse(os.path.exists(self.file("out")))

    def test_a_key_leaves_under_no_passphrase_that_is_easy_to_guess(self):
        self.ok(self.alice, "ssh", "key", "generate", "k")
        export = ("ssh", "key", "export", "k", "-o", self.file("out"))
        screen = Screen(self, self.alice, *export)
        for _ in range(3):
            screen.sees("New passphrase for the file")
            screen.enters("password123")
            screen.sees("easy to guess: about 4 bits")
        self.assertEqual(screen.ends(), 6)
        self.assertFalse(os.path.exists(self.file("out")))
        weak = self.alice.write("secrets/weak", "password123\n")
        outcome = self.alice.run(*export, "--new-passphrase-file", weak)
        self.assertEqual(outcome.code, 0)
        self.assertIn("easy to guess: Weak, 4 bits", outcome.talk)

    def test_three_tries_at_a_terminal(self):
        path = sk.make(self.file("k"), "ed25519", sk.FOREIGN)
        screen = Screen(self, self.alice, "ssh", "key", "import", path)
        for attempt in ("a", "b"):
            screen.sees("Passphrase of .*k:")
            screen.enters(attempt)
            screen.sees("wrong passphrase")
        screen.sees("Passphrase of .*k:")
        screen.enters(sk.FOREIGN)
        screen.sees("imported")
        self.assertEqual(screen.ends(), 0)
        self.ok(self.alice, "ssh", "key", "rm", "k")
        other = sk.make(self.file("l"), "ed25519", sk.FOREIGN)
        screen = Screen(self, self.alice, "ssh", "key", "import", other)
        for attempt in ("a", "b", "c"):
            screen.sees("Passphrase of .*l:")
            screen.enters(attempt)
        screen.sees("wrong")
        self.assertEqual(screen.ends(), 6)


class Lives(KeyCase):
    def names(self, *words: str) -> list[str]:
        return [key["name"] for key in self.ok(self.alice, "ssh", "key", "list", *words, "--json").result["keys"]]

    def test_set_changes_what_it_names_and_nothing_of_the_key(self):
        path = sk.make(self.file("k"))
        self.brings(path)
        said = self.ok(self.alice, "ssh", "key", "set", "k", "--name", "work", "--comment", "new one", "--confirm",
                       "--lifetime", "8h", "--only-for", "DB1.example.org", "--only-for", "[db2]:2222", "--sign", "git",
                       "--json").result
        self.assertEqual((said["name"], said["comment"], said["confirm"], said["lifetimeSeconds"], said["onlyFor"],
                          said["sign"]), ("work", "new one", True, 28800, ["db1.example.org", "[db2]:2222"], ["git"]))
        self.assertFalse(os.path.exists(self.pub("k")))
        self.assertEqual(sk.read(self.pub("work")).decode(), sk.beside(path) + " new one\n")
        self.assertEqual(sk.public_of(self.takes_out("work")), sk.beside(path))
        said = self.ok(self.alice, "ssh", "key", "set", "work", "--no-confirm", "--lifetime", "0s", "--only-for", "",
                       "--sign", "", "--comment", "", "--json").result
        self.assertEqual((said["comment"], said["confirm"], said["lifetimeSeconds"], said["onlyFor"], said["sign"]),
                         ("", False, None, [], []))

    def test_names_that_are_refused(self):
        self.ok(self.alice, "ssh", "key", "generate", "k")
        for name in ("../k", "a/b", ".k", "-k", "a b", "a\nb", "x" * 101, "a%b", "a\u202eb", "a'b"):
            with self.subTest(name=name):
                self.refused("badSSHKeyName", self.alice, "ssh", "key", "set", "k", "--name=" + name)
        self.refused("sshKeyNameTaken", self.alice, "ssh", "key", "generate", "k")
        for words, name in ((("--only-for", "a b"), "badHostName"), (("--only-for", "$(x)"), "badHostName"),
                            (("--only-for", "[h]:0"), "badPort"), (("--sign", "a b"), "badNamespace"),
                            (("--sign", "g*"), "badNamespace"), (("--lifetime", "8"), "usage"),
                            (("--comment", "a\nb"), "malformed")):
            with self.subTest(words=words):
                self.refused(name, self.alice, "ssh", "key", "set", "k", *words)

    def test_rotate_keeps_the_old_one(self):
        path = sk.make(self.file("k"), "ecdsa384", comment="me")
        self.brings(path)
        self.ok(self.alice, "ssh", "key", "set", "k", "--sign", "git", "--confirm")
        said = self.ok(self.alice, "ssh", "key", "rotate", "k", "--json").result
        new, old = said["new"], said["old"]
        self.assertEqual((new["name"], new["type"], new["comment"], new["sign"], new["confirm"], new["origin"]),
                         ("k", "ecdsa-sha2-nistp384", "me", ["git"], True, "rotation"))
        self.assertEqual((old["name"], old["state"], old["fingerprint"]),
                         ("k-retired", "retired", sk.fingerprint(path)))
        self.assertEqual(sk.public_of(self.takes_out("k-retired")), sk.beside(path))
        self.assertEqual(sk.public_of(self.takes_out("k")), " ".join(sk.read(self.pub("k")).decode().split()[:2]))
        self.ok(self.alice, "ssh", "key", "rotate", "k")
        self.assertEqual(self.names(), ["k", "k-retired", "k-retired-2"])
        self.refused("sshKeyNotInUse", self.alice, "ssh", "key", "rotate", "k-retired")

    def test_trash_gives_back_and_forgets_after_thirty_days(self):
        path = sk.make(self.file("k"))
        self.brings(path)
        removed = self.ok(self.alice, "ssh", "key", "rm", "k", "--json").result
        self.assertEqual(removed["state"], "removed")
        self.assertFalse(os.path.exists(self.pub("k")))
        self.assertEqual((self.names(), self.names("--trash")), ([], ["k"]))
        self.refused("sshKeyInTrash", self.alice, "ssh", "key", "show", "k")
        self.ok(self.alice, "ssh", "key", "restore", "k")
        self.assertEqual(sk.read(self.pub("k")), sk.read(path + ".pub"))
        self.assertEqual(sk.public_of(self.takes_out("k")), sk.beside(path))
        # A new key may have the name of one in the trash.
        self.ok(self.alice, "ssh", "key", "rm", "k")
        self.ok(self.alice, "ssh", "key", "generate", "k")
        self.assertEqual((self.names(), self.names("--trash")), (["k"], ["k-2"]))
        self.ok(self.alice, "ssh", "key", "restore", "k-2")
        self.ok(self.alice, "ssh", "key", "rm", "k-2")
        # Twice: after a jump of more than a day the trash waits for a second mark.
        for days in (31, 33):
            self.ok(self.alice, "ssh", "key", "set", "k", "--comment", f"later {days}", time=f"+{days}d")
        self.assertEqual(self.names("--trash"), [])

    def test_a_key_that_is_imported_again_is_out_of_the_trash_and_stays(self):
        open_key, closed = sk.make(self.file("k")), sk.make(self.file("c"), passphrase=sk.FOREIGN)
        self.brings(open_key)
        self.brings(closed, "--key-passphrase-file", self.phrase)
        for name, path in (("k", open_key), ("c", closed)):
            with self.subTest(name=name):
                self.ok(self.alice, "ssh", "key", "rm", name)
                # A file whose public half is that of the key may be anybody's, so it has to be opened.
                phrase = ("--key-passphrase-file", self.phrase) if name == "c" else ()
                again = self.ok(self.alice, "ssh", "key", "import", path, *phrase, "--json").result["files"][0]
                self.assertEqual((again["outcome"], again["key"]["state"]), ("restored", "active"))
                self.assertEqual(sk.read(self.pub(name)).split()[1], sk.read(path + ".pub").split()[1])
        for days in (31, 33):
            self.ok(self.alice, "ssh", "key", "generate", f"later{days}", time=f"+{days}d")
        self.assertEqual((self.names(), self.names("--trash")), (["c", "k", "later31", "later33"], []))
        self.assertEqual(sk.public_of(self.takes_out("k")), sk.beside(open_key))

    def test_unknown_names(self):
        self.ok(self.alice, "ssh", "key", "generate", "office")
        for words in (("show", "x"), ("export", "x", "--public"), ("set", "x", "--confirm"), ("rotate", "x"),
                      ("rm", "x"), ("restore", "x")):
            with self.subTest(words=words):
                self.refused("unknownSSHKey", self.alice, "ssh", "key", *words)
        self.assertIn("did you mean office?", self.ends(3, self.alice, "ssh", "key", "show", "offize").talk)


class Exports(KeyCase):
    def test_nothing_leaves_without_being_asked_for(self):
        self.ok(self.alice, "ssh", "key", "generate", "k")
        out = self.file("out")
        export = ("ssh", "key", "export", "k")
        self.refused("inputNeeded", self.alice, *export, "-o", out)
        self.refused("inputNeeded", self.alice, *export, "-o", out, "--no-passphrase")
        self.refused("denied", self.alice, *export, "-o", out, "--no-passphrase", "--expect", "other")
        self.refused("usage", self.alice, *export, "-o", out, "--public", "--no-passphrase")
        self.refused("usage", self.alice, *export, "-o", out, "--no-passphrase", "--new-passphrase-file", self.phrase)
        self.refused("usage", self.alice, *export, "-o", out, "--format", "pem")
        self.assertFalse(os.path.exists(out))
        # In a pipe without --stdout it is asked.
        self.ends(7, self.alice, *export, "--no-passphrase", "--expect", "k")
        text = self.ok(self.alice, *export, "--no-passphrase", "--expect", "k", "--stdout").data
        self.alice.write("files/ssh/copy", text)
        self.assertEqual(sk.public_of(self.file("copy")), " ".join(sk.read(self.pub("k")).decode().split()[:2]))
        self.ok(self.alice, *export, "-y", "--no-passphrase", "--expect", "k")
        # JSON has no room for a private key.
        outcome = self.alice.run(*export, "--no-passphrase", "--expect", "k", "--stdout", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (7, "inputNeeded"))

    def test_a_file_is_not_replaced(self):
        self.ok(self.alice, "ssh", "key", "generate", "k")
        out = self.alice.write("files/ssh/out", "mine", mode=0o644)
        words = ("ssh", "key", "export", "k", "--no-passphrase", "--expect", "k", "-o", out)
        self.refused("alreadyExists", self.alice, *words)
        self.assertEqual(sk.read(out), b"mine")
        self.ok(self.alice, *words, "--force")
        self.assertEqual(sk.modes(out), 0o600)
        self.refused("notFound", self.alice, *words[:-1], self.file("no/such/folder"))

    def test_a_person_types_the_name_or_a_passphrase_twice(self):
        self.ok(self.alice, "ssh", "key", "generate", "k")
        out = self.file("out")
        screen = Screen(self, self.alice, "ssh", "key", "export", "k", "-o", out, "--weak")
        gives_new(screen, "New passphrase for the file", sk.FOREIGN)
        self.assertEqual(screen.ends(), 0)
        self.assertEqual(sk.public_of(out, sk.FOREIGN), " ".join(sk.read(self.pub("k")).decode().split()[:2]))
        screen = Screen(self, self.alice, "ssh", "key", "export", "k", "-o", out + "2", "--no-passphrase")
        screen.sees("type the name of the key")
        screen.enters("yes")
        self.assertEqual(screen.ends(), 6)
        self.assertFalse(os.path.exists(out + "2"))

    def test_no_private_part_in_words_variables_or_files(self):
        path = sk.make(self.file("k"), "ed25519", sk.FOREIGN, "c", "-m", "PKCS8")
        pem = sk.make(self.file("pem"), "ecdsa256", sk.FOREIGN, "c", "-m", "PEM")
        clear = sk.make(self.file("clear"), "ecdsa256", "", "c", "-m", "PEM")
        needles = [sk.FOREIGN.encode()] + sk.read(clear).split(b"\n")[1:-2]
        log = self.alice.path("files", "trace")
        trace = ("strace", "-f", "-qq", "-v", "-s", "65536", "-e", "trace=execve,openat,creat", "-o", log)
        for each in (path, pem, clear):
            self.ok(self.alice, "ssh", "key", "import", each, "--key-passphrase-file", self.phrase, before=trace)
            words = sk.read(log)
            self.assertTrue(b"ssh-add" in words or each == path, words[-2000:])
            for needle in needles:
                self.assertNotIn(needle, words)
            # As a word of its own: a folder's random name may have these letters.
            self.assertNotIn(b'"-P', words)
        keys = self.file("../out")
        self.ok(self.alice, "ssh", "key", "export", "clear", "--format", "pkcs8", "--new-passphrase-file", self.phrase,
                "-o", keys, before=trace)
        self.assertNotIn(sk.FOREIGN.encode(), sk.read(log))
        raw = base64.b64decode(b"".join(sk.read(clear).split(b"\n")[1:-2]))[7:39]
        for place, _, names in os.walk(self.alice.home):
            for name in names:
                file = os.path.join(place, name)
                if place == self.folder or place.startswith(self.alice.path("secrets")) or not os.path.isfile(file):
                    continue
                self.assertNotIn(raw, sk.read(file), file)
        self.no_pipe_is_left()


class Signing(KeyCase):
    def test_git_signs_with_an_exported_key_and_believes_the_signers(self):
        self.ok(self.alice, "ssh", "key", "generate", "commits", "--sign", "git", "--comment", "alice@example.org")
        self.ok(self.alice, "ssh", "key", "generate", "login")
        line = self.ok(self.alice, "ssh", "signing-key").output
        self.assertEqual(line, "key::" + sk.read(self.pub("commits")).decode())
        signers = self.ok(self.alice, "ssh", "signers").output
        self.assertEqual(len(signers.splitlines()), 1)
        allowed = self.alice.write("files/allowed", signers)
        key = self.takes_out("commits")
        text = self.alice.write("files/text", "to be signed")
        sk.tool("ssh-keygen", "-q", "-Y", "sign", "-n", "git", "-f", key, text)
        sk.tool("ssh-keygen", "-Y", "verify", "-n", "git", "-f", allowed, "-I", "alice@example.org", "-s",
                text + ".sig", given=sk.read(text))
        with self.assertRaises(AssertionError):
            sk.tool("ssh-keygen", "-Y", "verify", "-n", "file", "-f", allowed, "-I", "alice@example.org", "-s",
                    text + ".sig", given=sk.read(text))
        shutil.copyfile(self.pub("commits"), key + ".pub")
        repository = self.alice.path("files", "repository")
        os.makedirs(repository)
        settings = []
        for name, value in (("user.name", "Alice"), ("user.email", "alice@example.org"), ("gpg.format", "ssh"),
                            ("user.signingKey", key), ("gpg.ssh.allowedSignersFile", allowed)):
            settings += ["-c", f"{name}={value}"]
        sk.tool("git", "init", "-q", cwd=repository)
        sk.tool("git", *settings, "commit", "-q", "-S", "--allow-empty", "-m", "signed", cwd=repository)
        sk.tool("git", *settings, "verify-commit", "HEAD", cwd=repository)

    def test_git_signs_through_an_agent_with_keys_of_every_type(self):
        """An agent of OpenSSH's holds what the vault gave out; git asks the vault which key it is."""
        agent = self.agent()
        repository = self.alice.path("files", "repository")
        os.makedirs(repository)
        sk.tool("git", "init", "-q", cwd=repository)
        answer = self.alice.path("files", "answer")
        command = self.alice.write("files/which", f"#!/bin/sh\ncat '{answer}'\n", mode=0o700)
        allowed = self.alice.path("files", "allowed")
        settings = []
        for name, value in (("user.name", "Alice"), ("user.email", "alice@example.org"), ("gpg.format", "ssh"),
                            ("gpg.ssh.defaultKeyCommand", command), ("gpg.ssh.allowedSignersFile", allowed)):
            settings += ["-c", f"{name}={value}"]

        def git(*words: str) -> bytes:
            return sk.tool("git", *settings, *words, cwd=repository, env=agent)
        for name, words in (("ed", ()), ("p256", ("--type", "ecdsa")), ("p521", ("--type", "ecdsa", "--bits", "521")),
                            ("rsa", ("--type", "rsa"))):
            with self.subTest(name=name):
                self.ok(self.alice, "ssh", "key", "generate", name, "--sign", "git", "--comment", "alice@example.org", *words)
                sk.tool("ssh-add", "-q", self.takes_out(name), env=agent)
                with open(answer, "w", encoding="utf-8") as file:
                    file.write(self.ok(self.alice, "ssh", "signing-key", name).output)
                with open(allowed, "w", encoding="utf-8") as file:
                    file.write(self.ok(self.alice, "ssh", "signers").output)
                git("commit", "-q", "-S", "--allow-empty", "-m", name)
                git("verify-commit", "HEAD")
                git("tag", "-s", "-m", "signed", name)
                git("verify-tag", name)
        # What a key signed before it was replaced stays good; without its line it is not.
        self.ok(self.alice, "ssh", "key", "rotate", "rsa")
        self.alice.write("files/allowed", self.ok(self.alice, "ssh", "signers").output)
        git("verify-commit", "HEAD")
        self.ok(self.alice, "ssh", "key", "rm", "rsa-retired")
        self.alice.write("files/allowed", self.ok(self.alice, "ssh", "signers").output)
        with self.assertRaises(AssertionError):
            git("verify-commit", "HEAD")
        git("verify-commit", "HEAD~1")

    def agent(self) -> dict[str, str]:
        """An agent for this test; the variable that leads to it."""
        path = self.alice.path("run", "agent")
        process = subprocess.Popen(["ssh-agent", "-D", "-a", path], stdout=subprocess.PIPE, env=self.alice.environment())
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        # It says where it listens once it does.
        self.assertIn(path.encode(), process.stdout.readline())
        return {"SSH_AUTH_SOCK": path}

    def test_which_key_signs_is_never_guessed(self):
        self.refused("unknownSSHKey", self.alice, "ssh", "signing-key")
        self.ok(self.alice, "ssh", "key", "generate", "a", "--sign", "git")
        self.ok(self.alice, "ssh", "key", "generate", "b", "--sign", "git")
        self.refused("inputNeeded", self.alice, "ssh", "signing-key")
        self.assertTrue(self.ok(self.alice, "ssh", "signing-key", "b").output.endswith(" b\n"))
        self.ok(self.alice, "ssh", "key", "rotate", "b")
        self.refused("sshKeyNotInUse", self.alice, "ssh", "signing-key", "b-retired")
        # What the retired one signed was signed.
        self.assertEqual(len(self.ok(self.alice, "ssh", "signers").lines), 3)


class Hostile(KeyCase):
    def test_files_that_are_no_keys(self):
        plain = sk.read(sk.make(self.file("k")))
        lines = plain.split(b"\n")
        for name, content, error in (
                ("empty", b"", "noKey"), ("text", b"hello\n", "noKey"), ("zeros", bytes(5000), "noKey"),
                ("public", sk.read(self.file("k.pub")), "noKey"),
                ("cut", b"\n".join(lines[:3]), "truncated"),
                ("base64", plain.replace(b"b3Blbn", b"b3!lbn"), "malformedBase64"),
                ("twice", plain + plain, "trailingBytes"),
                ("pem", b"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n", "malformed"),
                ("pkcs8", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "malformed"),
                ("huge", b"-----BEGIN PRIVATE KEY-----\n" + b"A" * 70000 + b"\n", "oversized")):
            with self.subTest(name=name):
                path = self.alice.write(f"files/{name}", content)
                before = sk.snapshot(self.alice.path("files"))
                self.refused(error, self.alice, "ssh", "key", "import", path)
                self.assertEqual(sk.snapshot(self.alice.path("files")), before)
        self.refused("notFound", self.alice, "ssh", "key", "import", self.file("nowhere"))
        self.refused("noKey", self.alice, "ssh", "key", "import", self.alice.path("run"))
        self.no_pipe_is_left()

    def test_changed_bytes_are_refused_or_the_same_key(self):
        plain = sk.read(sk.make(self.file("k")))
        body = base64.b64decode(b"".join(plain.split(b"\n")[1:-2]))
        for at in range(0, len(body), 23):
            with self.subTest(at=at):
                changed = bytearray(body)
                changed[at] ^= 0x41
                text = base64.encodebytes(bytes(changed))
                path = self.alice.write("files/changed", b"-----BEGIN OPENSSH PRIVATE KEY-----\n" + text
                                        + b"-----END OPENSSH PRIVATE KEY-----\n")
                outcome = self.alice.run("ssh", "key", "import", path, "--json")
                if outcome.code == 0:
                    # Only the comment and the check numbers say nothing about the key.
                    key = outcome.result["files"][0]["key"]
                    self.assertEqual(key["fingerprint"], sk.fingerprint(self.file("k")))
                else:
                    self.assertIn(outcome.code, (6, 7, 11, 12, 13), outcome)

    def test_a_comment_cannot_move_the_cursor_or_add_a_line(self):
        path = sk.make(self.file("k"), comment="\x1b[31mred\x07")
        self.brings(path)
        screen = Screen(self, self.alice, "ssh", "key", "list")
        screen.sees("red")
        self.assertEqual(screen.ends(), 0)
        self.assertNotIn("\x1b[31m", screen.text)

    def test_security_keys_and_keys_of_unknown_types_come_out_as_they_came(self):
        days = 31
        for path, kind, bits in ((sk.security_key(self.file("sk")), "sk-ssh-ed25519@openssh.com", 256),
                                 (sk.security_key(self.file("sk2"), "ecdsa"), "sk-ecdsa-sha2-nistp256@openssh.com", 256),
                                 (sk.unknown_key(self.file("new")), "ssh-tomorrow@example.org", None)):
            name = os.path.basename(path)
            with self.subTest(name=name):
                key = self.brings(path)
                state = "aside" if bits is None else "active"
                self.assertEqual((key["state"], key["type"], key["bits"]), (state, kind, bits))
                self.assertIn([name, kind, key["fingerprint"], state],
                              [line.split("\t")[:4] for line in self.ok(self.alice, "ssh", "key", "list").lines])
                out = self.takes_out(name)
                self.assertEqual(sk.section(sk.read(out)), sk.section(sk.read(path)))
                self.assertEqual(self.brings(out)["name"], name)
                error = "sshKeyNotInUse" if bits is None else "sshKeyInHardware"
                self.refused(error, self.alice, "ssh", "key", "rotate", name)
                if bits is None:
                    self.refused(error, self.alice, "ssh", "signing-key", name)
                self.refused("unsupportedKeyType", self.alice, "ssh", "key", "export", name, "--no-passphrase",
                             "--expect", name, "--format", "pkcs8", "-o", self.file("x"))
                closed = self.file(name + ".closed")
                self.ok(self.alice, "ssh", "key", "export", name, "--new-passphrase-file", self.phrase, "-o", closed)
                if bits is None:
                    continue
                for file, passphrase in ((out, ""), (closed, sk.FOREIGN)):
                    self.assertEqual(sk.public_of(file, passphrase), sk.beside(path))
                self.assertEqual(sk.read(self.pub(name)), sk.read(path + ".pub"))
                # Under a passphrase of ssh-keygen's it is the same key, and its handle the same.
                sk.tool("ssh-keygen", "-q", "-p", "-P", "", "-N", sk.FOREIGN, "-a", "1", "-f", out)
                self.ok(self.alice, "ssh", "key", "rm", name)
                for _ in range(2):
                    self.ok(self.alice, "ssh", "key", "generate", f"other{days}", time=f"+{days}d")
                    days += 2
                self.assertEqual(self.brings(out, "--key-passphrase-file", self.phrase, "--name", name)["state"], state)
                self.assertEqual(sk.section(sk.read(self.takes_out(name))), sk.section(sk.read(path)))

    def test_types_and_sizes_that_are_refused_say_so(self):
        for words, error in ((("-t", "dsa"), "dsaRefused"), (("-t", "dsa", "-m", "PEM"), "dsaRefused"),
                             (("-t", "rsa", "-b", "1024"), "rsaTooShort"),
                             (("-t", "rsa", "-b", "1024", "-m", "PEM"), "rsaTooShort"),
                             (("-t", "rsa", "-b", "2047", "-m", "PKCS8"), "rsaTooShort")):
            for passphrase in ("", "a passphrase"):
                path = self.file("-".join(words).strip("-") + passphrase[:1])
                try:
                    sk.tool("ssh-keygen", "-q", "-f", path, "-N", passphrase, "-a", "1", *words)
                except AssertionError:
                    # OpenSSH from 10 on makes no DSA keys.
                    self.assertEqual(words[1], "dsa")
                    continue
                phrase = self.alice.write("secrets/weak", "a passphrase\n")
                with self.subTest(words=words, passphrase=passphrase):
                    outcome = self.refused(error, self.alice, "ssh", "key", "import", path, "--key-passphrase-file", phrase)
                    self.assertEqual(outcome.json["error"]["hint"], "hsip ssh key generate NAME")
                    if words[1] == "dsa":
                        # Nobody is asked for a passphrase that leads to nothing.
                        self.refused(error, self.alice, "ssh", "key", "import", path)


if __name__ == "__main__":
    unittest.main()
