"""Texts under a typed key: `text encrypt` and `text decrypt`, both ways with OpenSSL (Schemas/text.md)."""

import base64
import os
import shutil
import subprocess
import unittest

from house import ALONE, Case

try:
    import text_cipher as tc
except ImportError:
    tc = None

KEY = "a key that is long enough"
ALGORITHMS = ("gcm", "cbc", "ctr")


class TextCase(Case):
    world = ALONE

    def setUp(self):
        super().setUp()
        self.key = self.alice.write("files/key", KEY + "\n")

    def seal(self, text: str, *words: str) -> str:
        return self.ok(self.alice, "text", "encrypt", "--key-file", self.key, *words, given=text, secret=None).output

    def open(self, text: str, *words: str):
        return self.ok(self.alice, "text", "decrypt", "--key-file", self.key, *words, given=text, secret=None)


class Texts(TextCase):
    def test_a_text_comes_back(self):
        for algorithm in ALGORITHMS:
            for text in ("hi", "two\nlines\n", "\U0001F512 \u0645\u0631\u062d\u0628\u0627", "x" * 100_000):
                with self.subTest(algorithm=algorithm, text=text[:9]):
                    sealed = self.seal(text, "--algorithm", algorithm)
                    self.assertTrue(sealed.startswith(algorithm + ":") and sealed.endswith("\n"))
                    self.assertEqual(self.open(sealed).output, text if text.endswith("\n") else text + "\n")

    def test_no_vault_is_needed_nor_changed(self):
        before = self.alice.rows()
        self.open(self.seal("hi"))
        self.assertEqual(self.alice.rows(), before)

    def test_files_and_descriptors(self):
        plain, out = self.alice.write("files/plain", "from a file"), self.alice.path("files", "out")
        self.ok(self.alice, "text", "encrypt", plain, "--key-file", self.key, "-o", out)
        self.assertEqual(os.stat(out).st_mode & 0o777, 0o600)
        self.ends(4, self.alice, "text", "encrypt", plain, "--key-file", self.key, "-o", out)
        reading, writing = os.pipe()
        os.write(writing, KEY.encode() + b"\nnot this")
        os.close(writing)
        done = subprocess.run([*self.alice.command("text", "decrypt", out, "--key-fd", str(reading), secret=None)],
                              pass_fds=(reading,), capture_output=True, env=self.alice.environment())
        os.close(reading)
        self.assertEqual((done.returncode, done.stdout), (0, b"from a file\n"), done)

    def test_it_is_said_once_what_is_not_authenticated(self):
        for algorithm in ("cbc", "ctr"):
            sealed = self.ok(self.alice, "text", "encrypt", "--algorithm", algorithm, "--key-file", self.key, given="x")
            self.assertEqual(sealed.talk.count("not authenticated"), 1, sealed)
            self.assertEqual(self.open(sealed.output).talk.count("not authenticated"), 1)
            told = self.open(sealed.output, "--json")
            self.assertEqual((told.warnings, told.result["authenticated"]), (["notAuthenticated"], False))
        self.assertEqual(self.open(self.seal("x")).talk, "")

    def test_json(self):
        sealed = self.ok(self.alice, "text", "encrypt", "--key-file", self.key, "--json", given="in JSON").result
        self.assertEqual((sealed["algorithm"], sealed["authenticated"]), ("gcm", True))
        self.assertEqual(self.open(sealed["text"], "--json").result["text"], "in JSON")

    def test_what_chats_do_to_a_text(self):
        sealed = self.seal("wrapped and quoted " * 20).strip()
        wrapped = "\r\n".join(sealed[place:place + 60] for place in range(0, len(sealed), 60))
        self.assertIn("wrapped", self.open("\n  " + wrapped + "\n\n").output)
        self.assertIn("wrapped", self.open(sealed.removeprefix("gcm:")).output)


class Refusals(TextCase):
    def test_another_key_and_a_changed_text_are_one(self):
        other = self.alice.write("files/other", "another key\n")
        sealed = self.seal("hello")
        data = base64.b64decode(sealed.strip().removeprefix("gcm:"))
        changed = "gcm:" + base64.b64encode(data[:-1] + bytes([data[-1] ^ 1])).decode()
        one = self.refused("textNotOpened", self.alice, "text", "decrypt", "--key-file", other, given=sealed)
        two = self.refused("textNotOpened", self.alice, "text", "decrypt", "--key-file", self.key, given=changed)
        self.assertEqual(one.json, two.json)
        padded = self.seal("hello", "--algorithm", "cbc")
        three = self.refused("textNotOpened", self.alice, "text", "decrypt", "--key-file", other, given=padded)
        self.assertEqual(one.json, three.json)

    def test_what_is_no_such_text(self):
        for text in ("", "hello", "xyz:AAAA", "gcm:AAAA", "gcm:***"):
            self.refused("malformedText", self.alice, "text", "decrypt", "--key-file", self.key, given=text)
        self.refused("notText", self.alice, "text", "encrypt", "--key-file", self.key, given=b"\xff\xfe")

    def test_a_key_on_the_command_line(self):
        outcome = self.ends(2, self.alice, "text", "encrypt", "--key", "hunter2", given="x")
        self.assertIn("command line", outcome.talk)
        self.assertNotIn("hunter2", outcome.talk)
        self.ends(2, self.alice, "text", "encrypt", "--key-file", self.key, "--key-fd", "0", given="x")
        self.ends(2, self.alice, "text", "encrypt", "--key-file", self.key, "my secret text")

    def test_nobody_to_ask(self):
        self.ends(7, self.alice, "text", "encrypt", "--no-input", given="x")
        self.ends(7, self.alice, "text", "decrypt", "--no-input", given=self.seal("x"))

    def test_a_key_that_others_can_read(self):
        os.chmod(self.key, 0o644)
        self.assertNotEqual(self.alice.run("text", "encrypt", "--key-file", self.key, given="x").code, 0)


@unittest.skipUnless(tc, "python3-cryptography is not installed")
class Cryptography(TextCase):
    def test_both_ways(self):
        for algorithm in ALGORITHMS:
            for text in ("", "hi", "exactly sixteen.", "\u043f\u0440\u0438\u0432\u0435\u0442\n" * 9):
                with self.subTest(algorithm=algorithm, text=text[:9]):
                    theirs = tc.seal(algorithm, KEY.encode(), text.encode())
                    self.assertEqual(self.open(theirs, "--json").result["text"], text)
                    ours = self.seal(text, "--algorithm", algorithm)
                    trimmed = text[:-1] if text.count("\n") == 1 and text.endswith("\n") else text
                    self.assertEqual(tc.open_text(ours, KEY.encode()).decode(), trimmed)


@unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
class OpenSSL(TextCase):
    """AES by the program openssl, PBKDF2 by Python's hashlib, which is OpenSSL as well."""

    def test_cbc_and_ctr_both_ways(self):
        import hashlib
        for algorithm in ("cbc", "ctr"):
            with self.subTest(algorithm=algorithm):
                data = base64.b64decode(self.seal("by openssl", "--algorithm", algorithm).strip()[4:])

                def aes(salt: bytes, iv: bytes, given: bytes, *words: str) -> bytes:
                    key = hashlib.pbkdf2_hmac("sha256", KEY.encode(), salt, 100_000, 32)
                    return subprocess.run(["openssl", "enc", f"-aes-256-{algorithm}", "-K", key.hex(), "-iv", iv.hex(), *words],
                                          input=given, capture_output=True, check=True).stdout

                self.assertEqual(aes(data[:16], data[16:32], data[32:], "-d"), b"by openssl")
                salt, iv = os.urandom(16), os.urandom(16)
                text = base64.b64encode(salt + iv + aes(salt, iv, b"and back")).decode()
                self.assertEqual(self.open(f"{algorithm}:{text}").output, "and back\n")
