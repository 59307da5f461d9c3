"""A whole ~/.ssh goes into the vault and comes out again, and is left as it was."""

import base64
import os
import socket
import unittest

import ssh_keys as sk
import strace
from screen import Screen
from test_ssh_keys import KeyCase

YEARS = "20200101:20300101"


class FolderCase(KeyCase):
    def setUp(self):
        super().setUp()
        # The CA has no place in a user's folder.
        self.ca = sk.make(self.alice.path("files", "ca"))

    def certify(self, path: str, who: str = "alice", validity: str = YEARS) -> bytes:
        """Signs a certificate beside a key; its bytes."""
        sk.tool("ssh-keygen", "-q", "-s", self.ca, "-I", "of " + who, "-n", who, "-V", validity, path + ".pub")
        return sk.read(path + "-cert.pub")

    def fill(self) -> dict[str, str]:
        """Everything that people have in ~/.ssh, and what nobody should have; the passphrases by name."""
        keys = {"id_ed25519": ("ed25519", "", ()), "id_ecdsa": ("ecdsa384", "", ()), "id_rsa": ("rsa3072", sk.FOREIGN, ()),
                "old rsa": ("rsa2048", "", ("-m", "PEM")), "work.p8": ("ecdsa521", sk.FOREIGN, ("-m", "PKCS8")),
                "nocomment": ("ed25519", "", ())}
        for name, (kind, passphrase, words) in keys.items():
            sk.make(self.file(name), kind, passphrase, "" if name == "nocomment" else f"comment of {name} é", *words)
        self.certify(self.file("id_ed25519"))
        self.certify(self.file("id_ecdsa"), "bob", "always:forever")
        sk.security_key(self.file("id_ed25519_sk"))
        sk.security_key(self.file("id_ecdsa_sk"), "ecdsa", "größe".encode())
        sk.unknown_key(self.file("id_tomorrow"))
        os.makedirs(self.file("keys.d"))
        sk.make(self.file("keys.d/elsewhere"), comment="behind a link")
        os.symlink("keys.d/elsewhere", self.file("linked"))
        os.symlink("keys.d/elsewhere.pub", self.file("linked.pub"))
        return {name: passphrase for name, (_, passphrase, _) in keys.items()}

    def clutter(self):
        """What is no key, or lies in wait."""
        write = self.alice.write
        write("files/ssh/config", "Host *\n")
        write("files/ssh/known_hosts", "h ssh-ed25519 AAAA\n")
        write("files/ssh/authorized_keys", sk.read(self.file("id_rsa.pub")))
        write("files/ssh/empty", "")
        write("files/ssh/bytes", bytes(range(256)) * 40)
        write("files/ssh/lonely.pub", sk.read(self.ca + ".pub"))
        with open(self.file("huge"), "wb") as file:
            file.write(b"-----BEGIN OPENSSH PRIVATE KEY-----\n")
            file.truncate(64 << 20)
        os.mkfifo(self.file("pipe"))
        # Beside a key nothing is waited for either.
        os.mkfifo(self.file("nocomment-cert.pub"))
        os.remove(self.file("nocomment.pub"))
        os.mkfifo(self.file("nocomment.pub"))
        os.symlink("nowhere", self.file("dangling"))
        os.symlink("loop", self.file("loop"))
        os.symlink("/dev/zero", self.file("zero"))
        os.symlink(".", self.file("here"))
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        here = os.getcwd()
        os.chdir(self.folder)
        listener.bind("agent")
        os.chdir(here)

    def imported(self, folder: str, *words: str, code: int = 0, **how) -> dict:
        outcome = self.alice.run(*words, "ssh", "key", "import", folder, "--key-passphrase-file", self.phrase, "--json", **how)
        self.assertEqual(outcome.code, code, outcome)
        return outcome.result if code == 0 else outcome.json["error"]["details"]

    def listed(self, *words: str, **how) -> list[dict]:
        keys = self.ok(self.alice, *words, "ssh", "key", "list", "--json", **how).result["keys"]
        return [{what: key[what] for what in ("name", "fingerprint", "type", "comment", "state", "certificates",
                                              "certificateEndsAt", "publicKeyBase64")} for key in keys]


class InAndOut(FolderCase):
    def test_everything_that_is_a_key_comes_back(self):
        passphrases = self.fill()
        before = sk.snapshot(self.folder)
        found = {os.path.basename(entry["file"]): entry for entry in self.imported(self.folder)["files"]}
        self.assertEqual(set(found), {*passphrases, "id_ed25519_sk", "id_ecdsa_sk", "id_tomorrow", "linked"})
        self.assertEqual(sk.snapshot(self.folder), before)
        out = self.alice.path("files", "out")
        keys = self.ok(self.alice, "ssh", "key", "export", "--all", "-o", out, "--no-passphrase", "--expect",
                       str(len(found)), "--json").result["keys"]
        self.assertEqual({key["name"] for key in keys}, {entry["key"]["name"] for entry in found.values()})
        self.assertEqual(sk.modes(out), 0o700)
        expected = set()
        for source, entry in found.items():
            with self.subTest(source=source):
                name = entry["key"]["name"]
                path, old = os.path.join(out, name), self.file(source)
                expected |= {name, name + ".pub"}
                self.assertEqual(sk.modes(path), 0o600)
                # ssh-keygen writes a blank for the comment that is not there.
                self.assertEqual(sk.read(path + ".pub"), sk.read(old + ".pub").replace(b" \n", b"\n"))
                if os.path.exists(old + "-cert.pub"):
                    expected.add(name + "-cert.pub")
                    self.assertEqual(sk.read(path + "-cert.pub"), sk.read(old + "-cert.pub"))
                if source != "id_tomorrow":
                    self.assertEqual(sk.public_of(path), sk.beside(old))
                if not passphrases.get(source) and b"OPENSSH" in sk.read(old):
                    self.assertEqual(sk.section(sk.read(path)), sk.section(sk.read(old)))
        self.assertEqual(set(os.listdir(out)), expected)
        # Home again, into a vault that knows nothing of them.
        self.ok(self.alice, "--vault", "second", "init", "--backend", "file", "--no-input", "--no-identity", "-o",
                self.file("recovery"), secret="passphrase")
        self.imported(out, "--vault", "second", secret="passphrase")
        self.assertEqual(self.listed("--vault", "second", secret="passphrase"), self.listed())

    def test_what_is_no_key_is_named_and_nothing_waits(self):
        passphrases = self.fill()
        self.clutter()
        before = sk.snapshot(self.alice.path("files"))
        whole = self.imported(self.folder)
        self.assertEqual(len(whole["files"]), len(passphrases) + 4)
        self.assertEqual(sk.snapshot(self.alice.path("files")), before)
        over = {os.path.basename(entry["file"]): entry["reason"] for entry in whole["passedOver"]}
        self.assertEqual(
            {name: reason for name, reason in over.items() if reason != "publicKey"},
            {"config": "noKey", "known_hosts": "noKey", "empty": "noKey", "bytes": "noKey", "huge": "tooLarge"}
            | dict.fromkeys(("pipe", "nocomment-cert.pub", "nocomment.pub", "dangling", "loop", "zero", "here", "agent",
                             "keys.d"), "notAFile"))
        self.assertLessEqual({"lonely.pub", "authorized_keys", "id_rsa.pub", "id_ecdsa-cert.pub"}, set(over))
        # For people: not the halves beside keys, but what they might miss.
        talk = self.ok(self.alice, "ssh", "key", "import", self.folder, "--key-passphrase-file", self.phrase).talk
        self.assertIn("hsip: note: no private key in agent, ", talk)
        self.assertNotIn("id_rsa.pub", talk)
        self.assertNotIn("\x1b", talk)

    def test_one_that_cannot_be_taken_keeps_no_other_out(self):
        self.fill()
        sk.make(self.file("unknown"), "ed25519", "another passphrase")
        self.alice.write("files/ssh/damaged", sk.read(self.file("id_ed25519")).replace(b"b3Bl", b"b4Bl"))
        self.alice.write("files/ssh/dsa.pem", "-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----\n")
        with open(os.path.join(os.fsencode(self.folder), b"n\xff"), "wb") as file:
            file.write(sk.read(self.file("id_ed25519")))
        whole = self.imported(self.folder, code=13)
        failed = {os.path.basename(entry["file"]): entry["error"]["code"] for entry in whole["files"] if entry["error"]}
        self.assertEqual(failed, {"unknown": "wrongPassphrase", "damaged": "malformed", "dsa.pem": "dsaRefused",
                                  "n\ufffd": "malformedInput"})
        self.assertEqual(len(self.listed()), len(whole["files"]) - len(failed))

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_a_file_that_may_not_be_read_is_said_to_be_one(self):
        sk.make(self.file("mine"))
        theirs = sk.make(self.file("theirs"))
        denied = strace.inject("openat", "error=EACCES", "1+", theirs)
        outcome = self.alice.run("ssh", "key", "import", self.folder, before=denied)
        self.assertEqual(outcome.code, 13, outcome)
        self.assertIn("mine\timported", outcome.output)
        self.assertIn("theirs: ", outcome.talk)
        self.assertEqual([key["name"] for key in self.listed()], ["mine"])
        closed = strace.inject("openat", "error=EACCES", "1+", self.folder)
        outcome = self.alice.run("ssh", "key", "import", self.folder, before=closed)
        self.assertEqual(outcome.code, 12, outcome)

    def test_named_pipes_and_pipes_of_the_shell(self):
        path = sk.make(self.file("k"))
        os.mkfifo(self.file("pipe"))
        self.refused("malformedInput", self.alice, "ssh", "key", "import", self.file("pipe"))
        read, write = os.pipe()
        os.write(write, sk.read(path))
        os.close(write)
        done = self.alice.start("ssh", "key", "import", f"/dev/fd/{read}", pass_fds=(read,))
        os.close(read)
        output, talk = done.communicate(timeout=100)
        self.assertEqual((done.returncode, output.split(b"\t")[1]), (0, b"imported"), talk)

    def test_public_files_that_an_interrupted_import_did_not_write_come_later(self):
        path = sk.make(self.file("k"))
        self.brings(path)
        os.remove(self.pub("k"))
        self.brings(path)
        self.assertEqual(sk.read(self.pub("k")), sk.read(path + ".pub"))
        os.remove(self.pub("k"))
        self.ok(self.alice, "ssh", "key", "list")
        self.assertEqual(sk.read(self.pub("k")), sk.read(path + ".pub"))
        # One in the trash has none.
        self.ok(self.alice, "ssh", "key", "rm", "k")
        self.ok(self.alice, "ssh", "key", "list", "--trash")
        self.assertEqual(os.listdir(os.path.dirname(self.pub("k"))), [])


class Out(FolderCase):
    def test_nothing_is_replaced_or_half_written(self):
        self.fill()
        self.imported(self.folder)
        out = self.alice.path("files", "out")
        words = ("ssh", "key", "export", "--all", "-o", out)
        count = str(len(self.listed()))
        self.refused("inputNeeded", self.alice, *words)
        self.refused("inputNeeded", self.alice, *words, "--no-passphrase")
        self.refused("denied", self.alice, *words, "--no-passphrase", "--expect", "3")
        self.refused("usage", self.alice, *words, "--expect", count)
        self.refused("usage", self.alice, *words, "id_rsa")
        self.refused("usage", self.alice, *words, "--public")
        self.refused("inputNeeded", self.alice, *words[:4], "--no-passphrase", "--expect", count)
        self.refused("notFound", self.alice, *words[:5], out + "/no/such", "--no-passphrase", "--expect", count)
        self.refused("alreadyExists", self.alice, *words[:5], self.file("id_rsa"),
                     "--no-passphrase", "--expect", count)
        self.assertFalse(os.path.exists(out))
        os.makedirs(out)
        self.alice.write("files/out/nocomment.pub", "mine")
        self.refused("alreadyExists", self.alice, *words, "--no-passphrase", "--expect", count)
        self.assertEqual(os.listdir(out), ["nocomment.pub"])
        self.ok(self.alice, *words, "--no-passphrase", "--expect", count, "--force")
        self.assertEqual(sk.read(out + "/nocomment.pub").split(), sk.read(self.file("nocomment.pub")).split())

    def test_one_passphrase_for_all_of_them(self):
        for name, kind in (("a", "ed25519"), ("b", "ecdsa521")):
            sk.make(self.file(name), kind)
        sk.security_key(self.file("sk"))
        sk.unknown_key(self.file("id_tomorrow"))
        self.imported(self.folder)
        out = self.alice.path("files", "out")
        keys = self.ok(self.alice, "ssh", "key", "export", "--all", "-o", out, "--new-passphrase-file", self.phrase,
                       "--json").result["keys"]
        for key in keys:
            with self.subTest(name=key["name"]):
                self.assertTrue(key["encrypted"])
                if key["name"] != "id_tomorrow":
                    self.assertEqual(sk.public_of(key["file"], sk.FOREIGN), sk.beside(key["file"]))
                    with self.assertRaises(AssertionError):
                        sk.public_of(key["file"], "another")

    def test_two_keys_that_would_share_a_file(self):
        path = sk.make(self.file("k"))
        self.certify(path)
        self.brings(path)
        self.ok(self.alice, "ssh", "key", "generate", "k-cert")
        self.refused("alreadyExists", self.alice, "ssh", "key", "export", "--all", "-o", self.alice.path("files", "out"),
                     "--no-passphrase", "--expect", "2")


class Certificates(FolderCase):
    def test_they_come_out_as_they_went_in(self):
        path = sk.make(self.file("k"), "ecdsa256")
        lines = self.certify(path, "alice")
        self.brings(path)
        lines += self.certify(path, "bob", "always:forever")
        self.brings(path)
        self.assertEqual(self.ok(self.alice, "ssh", "key", "export", "k", "--certificates").data, lines)
        self.assertEqual(self.ok(self.alice, "ssh", "key", "export", "k", "--certificates", "--json").result["certificates"],
                         lines.decode().splitlines())
        out = self.file("out-cert.pub")
        self.ok(self.alice, "ssh", "key", "export", "k", "--certificates", "-o", out)
        self.assertEqual(sk.read(out), lines)
        self.ok(self.alice, "ssh", "key", "generate", "bare")
        self.refused("noCertificate", self.alice, "ssh", "key", "export", "bare", "--certificates")
        self.refused("usage", self.alice, "ssh", "key", "export", "k", "--certificates", "--public")
        self.refused("usage", self.alice, "ssh", "key", "export", "k", "--certificates", "--no-passphrase")

    def test_all_that_they_say_is_shown(self):
        path = sk.make(self.file("k"))
        sk.tool("ssh-keygen", "-q", "-s", self.ca, "-I", "of\x1b[31malice", "-n", "alice,bob", "-z", "18446744073709551615",
                "-O", "clear", "-O", "force-command=true", "-O", "permit-pty", "-V", YEARS, path + ".pub")
        self.brings(path)
        said = self.ok(self.alice, "ssh", "key", "show", "k", "--json").result["certificateKeys"][0]
        self.assertEqual((said["serial"], said["authority"], said["criticalOptions"], said["extensions"], said["principals"],
                          said["keyId"]), ("18446744073709551615", sk.fingerprint(self.ca), ["force-command"], ["permit-pty"],
                                           ["alice", "bob"], "of\x1b[31malice"))
        screen = Screen(self, self.alice, "ssh", "key", "show", "k")
        screen.sees("Serial: 18446744073709551615\r\n")
        screen.sees("force-command true\r\n")
        screen.sees("permit-pty\r\n")
        self.assertEqual(screen.ends(), 0)
        self.assertNotIn("\x1b[31m", screen.text)

    def test_a_certificate_that_no_ca_signed_stays_out_and_keeps_no_key_out(self):
        path = sk.make(self.file("k"))
        kind, blob, *rest = self.certify(path).split()
        good = self.alice.write("files/good-cert.pub", b" ".join([kind, blob, *rest]) + b"\n")
        wire = bytearray(base64.b64decode(blob))
        wire[-1] ^= 1
        with open(path + "-cert.pub", "wb") as file:
            file.write(b" ".join([kind, base64.b64encode(wire), *rest]) + b"\n")
        outcome = self.ends(13, self.alice, "ssh", "key", "import", path)
        self.assertIn("k-cert.pub: the certificate's signature is not the CA's", outcome.talk)
        shown = self.ok(self.alice, "ssh", "key", "show", "k", "--json").result
        self.assertEqual(shown["certificates"], 0)
        outcome = self.refused("badSignature", self.alice, "ssh", "key", "import", path + "-cert.pub")
        self.assertIn("k-cert.pub: the certificate's signature is not the CA's", outcome.json["error"]["message"])
        for said in ("certificate", "known"):
            files = self.ok(self.alice, "ssh", "key", "import", good, "--json").result["files"]
            self.assertEqual([file["outcome"] for file in files], [said])

    def test_an_end_is_told_in_time(self):
        path = sk.make(self.file("k"))
        self.certify(path)
        self.assertEqual(self.brings(path)["certificateEndsAt"][:10], "2030-01-01")
        for clock, warning in (("2029-12-20 00:00:00", None), ("2029-12-26 00:00:00", "certificateExpiring"),
                               ("2030-01-02 00:00:00", "certificateExpired")):
            for words in (("list",), ("show", "k")):
                with self.subTest(clock=clock, words=words):
                    outcome = self.ok(self.alice, "ssh", "key", *words, "--json", time=clock)
                    self.assertEqual(outcome.warnings, [warning] if warning else [])
                    talk = self.ok(self.alice, "ssh", "key", *words, time=clock).talk
                    self.assertEqual("hsip: warning: a certificate of k " in talk, warning is not None, talk)
        # What takes its place makes the warning go; the old one is let go of.
        self.certify(path, "alice,bob", "20200101:20400101")
        self.brings(path)
        after = "2030-01-02 00:00:00"
        self.assertEqual(self.ok(self.alice, "ssh", "key", "list", "--json", time=after).warnings, [])
        said = self.ok(self.alice, "ssh", "key", "set", "k", "--drop-expired", "--json", time=after).result
        self.assertEqual((said["certificates"], said["certificateEndsAt"][:10]), (1, "2040-01-01"))

    def test_one_without_an_end_is_never_warned_of(self):
        path = sk.make(self.file("k"))
        self.certify(path, "alice", "always:forever")
        self.assertIsNone(self.brings(path)["certificateEndsAt"])
        self.assertEqual(self.ok(self.alice, "ssh", "key", "list", "--json", time="2037-01-01 00:00:00").warnings, [])

    def test_a_retired_key_is_not_warned_of(self):
        path = sk.make(self.file("k"))
        self.certify(path, "alice", "20200101:20210101")
        self.brings(path)
        self.assertEqual(self.ok(self.alice, "ssh", "key", "list", "--json").warnings, ["certificateExpired"])
        self.ok(self.alice, "ssh", "key", "rotate", "k")
        self.assertEqual(self.ok(self.alice, "ssh", "key", "list", "--json").warnings, [])


if __name__ == "__main__":
    unittest.main()
