"""Texts under a typed key: `text encrypt` and `text decrypt`, both ways with OpenSSL (Schemas/text.md)."""

import base64
import os
import shutil
import subprocess
import unittest

import agents as ag
from house import ALONE, Case
from screen import CONTROL_C, CONTROL_D, Screen, gives_new

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

    def test_a_text_that_was_given_another_algorithm_is_told_as_one_that_nothing_protects(self):
        sealed = base64.b64decode(self.seal("pay 100").strip().removeprefix("gcm:"))
        salt, iv, body = sealed[:16], sealed[16:28], bytearray(sealed[28:-16])
        body[4] ^= ord("1") ^ ord("9")
        relabelled = "ctr:" + base64.b64encode(salt + iv + (2).to_bytes(4, "big") + bytes(body)).decode()
        outcome = self.open(relabelled, "--json")
        self.assertEqual(outcome.result, {"text": "pay 900", "algorithm": "ctr", "authenticated": False})
        self.assertEqual(outcome.warnings, ["notAuthenticated"])

    def test_json(self):
        sealed = self.ok(self.alice, "text", "encrypt", "--key-file", self.key, "--json", given="in JSON").result
        self.assertEqual((sealed["algorithm"], sealed["authenticated"]), ("gcm", True))
        self.assertEqual(self.open(sealed["text"], "--json").result["text"], "in JSON")

    def test_what_chats_do_to_a_text(self):
        sealed = self.seal("wrapped and quoted " * 20).strip()
        wrapped = "\r\n".join(sealed[place:place + 60] for place in range(0, len(sealed), 60))
        self.assertIn("wrapped", self.open("\n  " + wrapped + "\n\n").output)
        self.assertIn("wrapped", self.open(sealed.removeprefix("gcm:")).output)


class AtTheTerminal(TextCase):
    """Keys are typed unseen, twice where they are new."""

    def test_a_key_is_typed_twice_and_never_shown(self):
        plain = self.alice.write("files/plain", "for two")
        sealing = Screen(self, self.alice, "text", "encrypt", plain, secret=None)
        gives_new(sealing, "New key: ", KEY)
        sealed = sealing.sees("gcm:[A-Za-z0-9+/=]+").group()
        self.assertEqual(sealing.ends(), 0)
        self.assertNotIn(KEY, sealing.text)
        opening = Screen(self, self.alice, "text", "decrypt", self.alice.write("files/sealed", sealed), secret=None)
        opening.sees("[^:]Key: ")
        opening.enters(KEY)
        opening.sees("for two")
        self.assertEqual(opening.ends(), 0)
        self.assertNotIn(KEY, opening.text)
        self.assertEqual(self.open(sealed).output, "for two\n")

    def test_a_key_of_one_letter_is_called_easy_to_guess(self):
        sealing = Screen(self, self.alice, "text", "encrypt", self.alice.write("files/plain", "x"), secret=None)
        sealing.sees("New key: ")
        sealing.enters("k")
        sealing.sees("easy to guess: Weak, 4 bits")
        sealing.sees("Use it anyway\\? \\[y/N\\] ")
        sealing.enters()
        sealing.sees("New key: ")
        sealing.types(CONTROL_C)
        self.assertEqual(sealing.ends(), 130)
        self.assertNotIn("gcm:", sealing.text)

    def test_two_keys_that_differ_seal_nothing(self):
        out = self.alice.path("files", "out")
        sealing = Screen(self, self.alice, "text", "encrypt", self.alice.write("files/plain", "x"), "-o", out, secret=None)
        for attempt in range(3):
            gives_new(sealing, "New key: ", KEY, again=KEY + "x")
            sealing.sees("two entries differ")
        self.assertEqual(sealing.ends(), 6)
        self.assertFalse(os.path.exists(out))

    def test_a_question_that_is_left_seals_and_opens_nothing(self):
        plain = self.alice.write("files/plain", "x")
        sealed = self.alice.write("files/sealed", self.seal("hello"))
        for words in (("encrypt", plain), ("decrypt", sealed)):
            for key in (CONTROL_C, CONTROL_D):
                screen = Screen(self, self.alice, "text", *words, secret=None)
                screen.sees("[Kk]ey: ")
                screen.types(key)
                self.assertNotEqual(screen.ends(), 0)
                self.assertNotIn("hello", screen.text)
                self.assertNotIn("gcm:", screen.text)

    def test_a_wrong_key_shows_nothing(self):
        screen = Screen(self, self.alice, "text", "decrypt", self.alice.write("files/sealed", self.seal("hello")), secret=None)
        screen.sees("Key: ")
        screen.enters("another key")
        self.assertEqual(screen.ends(), self.number_of("textNotOpened"))
        self.assertNotIn("hello", screen.text)


class KeyInTheVault(TextCase):
    """`--key vault:NAME`."""

    def setUp(self):
        super().setUp()
        self.ok(self.alice, "secret", "set", "text/key", given=KEY)

    def test_a_key_of_the_vault_is_the_key_that_was_typed(self):
        sealed = self.ok(self.alice, "text", "encrypt", "--key", "vault:text/key", given="hi").output
        self.assertEqual(self.open(sealed).output, "hi\n")
        self.assertEqual(self.ok(self.alice, "text", "decrypt", "--key", "vault:text/key#password", given=self.seal("ho")).output,
                         "ho\n")
        self.ok(self.alice, "secret", "set", "a b", "--field", "pin code", given="other key")
        sealed = self.ok(self.alice, "text", "encrypt", "--key", "vault:a%20b#pin%20code", given="hi").output
        self.assertEqual(self.alice.run("text", "decrypt", "--key", "vault:text/key", given=sealed).code,
                         self.number_of("textNotOpened"))

    def test_a_key_that_is_not_there_seals_nothing(self):
        out = self.alice.path("files", "out")
        for reference in ("vault:nobody", "vault:text/key#none"):
            outcome = self.ends(3, self.alice, "text", "encrypt", "--key", reference, "-o", out, given="hi")
            self.assertEqual(outcome.data, b"")
            self.assertFalse(os.path.exists(out))
        for reference in ("vault:", "vault:a b", "text/key", "VAULT:text/key"):
            outcome = self.ends(2, self.alice, "text", "encrypt", "--key", reference, given="hi")
            self.assertNotIn("text/key", outcome.talk)
        self.ends(5, self.alice, "text", "encrypt", "--key", "vault:text/key", "--no-input", given="hi", secret=None)

    def test_a_removed_key_is_gone(self):
        self.ok(self.alice, "secret", "rm", "text/key")
        self.ends(3, self.alice, "text", "encrypt", "--key", "vault:text/key", given="hi")


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


class History(TextCase):
    """What the vault remembers of texts, once somebody wants that."""

    def rows_of(self, **how) -> list[list[str]]:
        return [line.split("\t") for line in self.ok(self.alice, "text", "history", "list", **how).lines]

    def seals(self, text: str, *words: str) -> str:
        return self.ok(self.alice, "text", "encrypt", "--key-file", self.key, *words, given=text).output.strip()

    def test_it_is_off_until_it_is_wanted_and_then_remembers_both_ways(self):
        self.seals("before")
        self.assertEqual(self.rows_of(), [])
        self.assertIn("the history is off", self.ok(self.alice, "text", "history", "list").talk)
        self.assertEqual(self.ok(self.alice, "text", "history", "on", "--json").result, {"on": True, "entries": 0})
        sealed = self.seals("the plaintext")
        other = self.seals("another", "--algorithm", "cbc")
        self.ok(self.alice, "text", "decrypt", "--key-file", self.key, given=sealed.removeprefix("gcm:"))
        rows = self.rows_of()
        self.assertEqual([row[0] for row in rows], ["3", "2", "1"])
        self.assertEqual([row[2:] for row in rows], [
            ["decrypt", "gcm", sealed], ["encrypt", "cbc", other], ["encrypt", "gcm", sealed]])
        told = self.ok(self.alice, "text", "history", "list", "--json").result
        self.assertEqual([entry["text"] for entry in told["entries"]], [sealed, other, sealed])
        [body] = [body for (kind, _), body in self.alice.records().items() if kind == "text.history"]
        self.assertNotIn(b"plaintext", body)
        self.assertNotIn(KEY.encode(), body)
        self.ok(self.alice, "text", "history", "off")
        self.seals("after")
        self.assertEqual(len(self.rows_of()), 3)

    def test_a_text_leaves_after_its_entry_or_not_at_all(self):
        self.ok(self.alice, "text", "history", "on")
        outcome = self.ends(5, self.alice, "text", "encrypt", "--key-file", self.key, given="x", secret=None)
        self.assertEqual(outcome.output, "")
        self.assertIn("--no-history", outcome.talk)
        self.assertTrue(self.seal("x", "--no-history").startswith("gcm:"))
        self.ends(11, self.alice, "text", "decrypt", "--key-file", self.key, given="gcm:" + "A" * 80)
        self.assertEqual(self.rows_of(), [])

    def test_a_note_that_says_too_much_is_put_right(self):
        self.ok(self.alice, "text", "history", "on")
        config = self.alice.path("config", "hsip", "config.json")
        with open(config, encoding="utf-8") as file:
            noted = file.read()
        self.ok(self.alice, "text", "history", "off")
        self.alice.write("config/hsip/config.json", noted)
        self.seals("x")
        self.seal("nobody opens the vault for this one")
        self.assertEqual(self.rows_of(), [])

    def test_a_note_that_is_missing_is_put_right_by_a_look(self):
        config = self.alice.path("config", "hsip", "config.json")
        with open(config, encoding="utf-8") as file:
            noted = file.read()
        self.ok(self.alice, "text", "history", "on")
        self.alice.write("config/hsip/config.json", noted)
        self.seal("nobody opens the vault for this one")
        self.ok(self.alice, "text", "history", "list")
        self.seals("x")
        self.assertEqual(len(self.rows_of()), 1)

    def test_entries_are_forgotten(self):
        self.ok(self.alice, "text", "history", "on")
        for text in "abcd":
            self.seals(text)
        self.refused("unknownTextEntry", self.alice, "text", "history", "rm", "2", "9")
        self.assertEqual(self.ok(self.alice, "text", "history", "rm", "2", "3", "--json").result, {"on": True, "entries": 2})
        self.assertEqual([row[0] for row in self.rows_of()], ["4", "1"])
        before = self.alice.rows()
        self.ends(7, self.alice, "text", "history", "clear")
        self.assertEqual(self.alice.rows(), before)
        self.assertEqual(self.ok(self.alice, "text", "history", "clear", "-y", "--json").result, {"removed": 2})
        self.assertEqual(self.rows_of(), [])
        self.ends(2, self.alice, "text", "history", "rm")
        self.ends(2, self.alice, "text", "history", "rm", "one")

    def test_of_a_long_text_the_beginning_is_there(self):
        self.ok(self.alice, "text", "history", "on")
        sealed = self.seals("x" * 9_000)
        [entry] = self.ok(self.alice, "text", "history", "list", "--json").result["entries"]
        self.assertEqual((entry["text"], entry["isCut"], entry["length"]), (sealed[:4100], True, len(sealed) - 4))

    def test_through_an_agent(self):
        if ag.missing():
            self.skipTest(ag.missing())
        self.ok(self.alice, "agent", "rule", "add", "tests", "allow", "--kind", "read", "-y")
        agent = ag.Hsip(self.alice)
        agent.unlock()
        self.alice.opens_with = None
        self.ok(self.alice, "text", "history", "on")
        sealed = self.seals("by the agent")
        self.ok(self.alice, "text", "decrypt", "--key-file", self.key, given=sealed)
        self.assertEqual([row[2:] for row in self.rows_of()], [["decrypt", "gcm", sealed], ["encrypt", "gcm", sealed]])
        self.ok(self.alice, "text", "history", "rm", "1")
        self.assertEqual(self.ok(self.alice, "text", "history", "clear", "-y", "--json").result, {"removed": 1})
        self.ok(self.alice, "text", "history", "off")
        agent.lock()
        self.seal("no vault is needed any more")

    def test_who_may_not_read_secrets_may_not_read_the_history(self):
        if ag.missing():
            self.skipTest(ag.missing())
        agent = ag.Hsip(self.alice)
        agent.unlock()
        self.alice.opens_with = None
        self.ok(self.alice, "text", "history", "on")
        self.assertEqual(self.ends(6, self.alice, "text", "history", "list", "--no-input").output, "")


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
