"""Secrets where programs need them: `run`, `secret inject`, and what is made and judged."""

import os
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest

import agents as ag
from house import BINARY, FAKETIME, Case, vf
from screen import CONTROL_C, Screen

BINARY_VALUE = bytes(range(256)) + b"\n\r\n{{ vault:text }}"
SHOW = "import os, sys; sys.stdout.buffer.write(os.environb[b'SECRET'])"


def content(value: bytes) -> bytes:
    """A login with one version and one field (Schemas/credentials.md)."""
    def sized(data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + data
    now = int(time.time())
    return (bytes([1, 0]) + struct.pack(">QQ", 0, 0) + sized(b"") + struct.pack(">I", 0)
            + struct.pack(">I", 1) + sized(value)
            + struct.pack(">IIQI", 1, 1, now, 1) + sized(b"password") + struct.pack(">I", 0))


class Keeper(Case):
    """Alice with a few secrets, put there by the second implementation of the vault file."""

    def setUp(self):
        super().setUp()
        self.keep({"text": b"a word\twith \xc3\xbc and 'quotes\"", "binary": BINARY_VALUE,
                   "two lines": b"one\ntwo\n"})

    def keep(self, values: dict[str, bytes]):
        if self.alice.is_in_keyring:
            for name, value in values.items():
                self.ok(self.alice, "secret", "set", name, "--exact", given=value)
            return
        vault = vf.Vault.open(self.alice.vault, recovery=self.alice.recovery, anchor_folder=self.alice.anchors)
        try:
            for name, value in values.items():
                vault.put("secret", name, content(value), attributes={
                    "type": "login", "version": "1", "changed": str(int(time.time()))})
        finally:
            vault.close()


class Run(Keeper):
    def test_a_variable_that_names_a_secret_has_its_value(self):
        outcome = self.alice.run("run", "--", sys.executable, "-c", SHOW, SECRET="vault:text")
        self.assertEqual((outcome.code, outcome.data), (0, b"a word\twith \xc3\xbc and 'quotes\""), outcome)

    def test_signals_reach_the_program(self):
        for words in ((), ("--mask",)):
            with self.subTest(words=words):
                outcome = self.ok(self.alice, "run", *words, "grep", "SigBlk", "/proc/self/status", SECRET="vault:text")
                self.assertEqual(outcome.output.split(), ["SigBlk:", "0" * 16])

    def test_line_feeds_stay(self):
        outcome = self.alice.run("run", "--", sys.executable, "-c", SHOW, SECRET="vault:two%20lines")
        self.assertEqual(outcome.data, b"one\ntwo\n", outcome)

    def test_other_variables_are_left_alone(self):
        outcome = self.alice.run("run", "--", "env", "-0", OTHER="my vault:text", SECRET="vault:text#password")
        found = dict(line.split(b"=", 1) for line in outcome.data.split(b"\0") if line)
        self.assertEqual(found[b"OTHER"], b"my vault:text")
        self.assertEqual(found[b"SECRET"], b"a word\twith \xc3\xbc and 'quotes\"")
        self.assertEqual(found[b"HOME"], self.alice.home.encode())

    def test_without_a_reference_the_vault_stays_closed(self):
        outcome = self.alice.run("--no-input", "run", "--", "echo", "hi", secret=None)
        self.assertEqual((outcome.code, outcome.output), (0, "hi\n"), outcome)

    def test_a_file_in_memory_has_every_byte(self):
        script = ("import os, sys; p = os.environ['KEY']; sys.stdout.buffer.write(open(p, 'rb').read());"
                  "f = os.open(p, os.O_RDWR)\ntry: os.write(f, b'x')\nexcept OSError: sys.exit(9)")
        outcome = self.alice.run("run", "--fd", "KEY=vault:binary", "--", sys.executable, "-c", script)
        self.assertEqual((outcome.code, outcome.data), (9, BINARY_VALUE), outcome)

    def test_a_zero_byte_is_no_part_of_a_variable(self):
        outcome = self.alice.run("run", "--", "true", SECRET="vault:binary")
        self.assertEqual((outcome.code, outcome.data), (125, b""), outcome)
        self.assertIn("--fd", outcome.talk)

    def test_a_file_of_variables(self):
        path = self.alice.write("files/app.env", "# a comment\n\nSECRET=vault:text\nPLAIN=a=b \nHOME=/nowhere\r\n")
        outcome = self.alice.run("run", "--env-file", path, "--", "env", "-0", SECRET="outside")
        found = dict(line.split(b"=", 1) for line in outcome.data.split(b"\0") if line)
        self.assertEqual(found[b"SECRET"], b"a word\twith \xc3\xbc and 'quotes\"")
        self.assertEqual((found[b"PLAIN"], found[b"HOME"]), (b"a=b", b"/nowhere"))
        for text in ("no equals sign\n", "1A=x\n", "A B=x\n", "A=x\0y\n"):
            path = self.alice.write("files/app.env", "OK=1\n" + text)
            outcome = self.alice.run("run", "--env-file", path, "--", "true")
            self.assertEqual(outcome.code, 125, outcome)
            self.assertIn("line 2", outcome.talk)

    def test_a_file_of_variables_has_quotes_export_and_comments_as_dotenv_has_them(self):
        path = self.alice.write("files/app.env", "export A='vault:text' # the token\nB = \"vault:text\"\nC=\"a\\n$HOME\" \n"
                                                 "export D=e # f\nE='one\ntwo'\nF=vault:text#password\n")
        outcome = self.alice.run("run", "--env-file", path, "env", "-0")
        found = dict(line.split(b"=", 1) for line in outcome.data.split(b"\0") if line)
        value = b"a word\twith \xc3\xbc and 'quotes\""
        self.assertEqual([found[name] for name in (b"A", b"B", b"C", b"D", b"E", b"F")],
                         [value, value, b"a\n$HOME", b"e", b"one\ntwo", value])

    def test_the_program_needs_no_dashes_before_it(self):
        outcome = self.alice.run("run", sys.executable, "-c", SHOW, SECRET="vault:text")
        self.assertEqual((outcome.code, outcome.data), (0, b"a word\twith \xc3\xbc and 'quotes\""), outcome)
        path = self.alice.write("files/app.env", "A=1\n")
        for words in (("--env-file", path), ("--fd", "KEY=vault:text"), ("--mask", "--env-file=" + path), ("-v",)):
            # What follows the program is the program's, whatever it looks like.
            outcome = self.alice.run("run", *words, "printf", "%s|", "--vault", "--", "-q", "--env-file")
            self.assertEqual((outcome.code, outcome.output), (0, "--vault|--|-q|--env-file|"), outcome)
        # Marks that are left out of names here belong to it, too.
        marked = "\u2068x\u2069"
        self.assertEqual(self.alice.run("run", "printf", "%s", marked).output, marked)
        outcome = self.alice.run("run", "sh", "-c", "exit 3")
        self.assertEqual(outcome.code, 3, outcome)

    def test_what_is_not_to_be_had_starts_nothing(self):
        for reference in ("vault:nobody", "vault:text#user", "vault:", "vault:a b", "vault:text#", "vault:%zz",
                          "'vault:text'", '"vault:text"', " vault:text", "Vault:text", "VAULT:text"):
            outcome = self.alice.run("run", "--", "echo", "started", SECRET=reference)
            self.assertEqual((outcome.code, outcome.data), (125, b""), outcome)
            self.assertIn("hsip: error: ", outcome.talk)
        outcome = self.alice.run("--no-input", "run", "--", "echo", "started", secret=None, SECRET="vault:text")
        self.assertEqual((outcome.code, outcome.data), (125, b""), outcome)

    def test_exit_codes_are_the_programs_own(self):
        for code in (0, 1, 3, 5, 125, 255):
            outcome = self.alice.run("run", "--", "sh", "-c", f"exit {code}", SECRET="vault:text")
            self.assertEqual(outcome.code, code, outcome)
            outcome = self.alice.run("run", "--mask", "--", "sh", "-c", f"exit {code}", SECRET="vault:text")
            self.assertEqual(outcome.code, code, outcome)

    def test_what_cannot_be_started_has_its_own_codes(self):
        plain = self.alice.write("files/plain", "no program")
        for word, code in (("no-such-program-here", 127), ("/no/such/program", 127), (plain, 126), ("/tmp", 126),
                           ("", 127)):
            outcome = self.alice.run("run", "--", word)
            self.assertEqual(outcome.code, code, outcome)
        for words in (("run",), ("run", "--bogus", "--", "true"), ("run", "--bogus", "true"), ("run", "--fd", "x", "--", "true"),
                      ("run", "--fd", "A=text", "--", "true")):
            outcome = self.alice.run(*words)
            self.assertEqual(outcome.code, 125, outcome)

    def test_the_program_takes_this_ones_place(self):
        child = self.alice.start("run", "--", "sleep", "60")
        deadline = time.monotonic() + 60
        while open(f"/proc/{child.pid}/comm").read() != "sleep\n" and time.monotonic() < deadline:
            time.sleep(0.02)
        child.send_signal(signal.SIGTERM)
        self.assertEqual(child.wait(timeout=60), -signal.SIGTERM)
        child.communicate()

    def test_stdin_is_the_programs_own(self):
        outcome = self.alice.run("run", "--", "cat", given=BINARY_VALUE, SECRET="vault:text")
        self.assertEqual(outcome.data, BINARY_VALUE)
        outcome = self.alice.run("run", "--mask", "--", "cat", given=b"abc", SECRET="vault:text")
        self.assertEqual(outcome.data, b"abc")

    def test_a_mask_blots_values_out_wherever_they_are_cut(self):
        script = ("import os, sys, time\ns = os.environb[b'SECRET']\n"
                  "for b in b'<' + s + s[:-1] + s + b'>':\n"
                  " sys.stdout.buffer.write(bytes([b])); sys.stdout.buffer.flush()\n"
                  "sys.stderr.buffer.write(b'e ' + s)\nsys.stdout.buffer.write(s[:-1])")
        outcome = self.alice.run("run", "--mask", "--", sys.executable, "-c", script, SECRET="vault:text")
        value = b"a word\twith \xc3\xbc and 'quotes\""
        self.assertEqual(outcome.data, b"<****" + value[:-1] + b"****>" + value[:-1], outcome)
        self.assertEqual(outcome.talk_data, b"e ****", outcome)

    def test_values_that_overlap_are_blotted_out_together(self):
        self.keep({"one": b"abcdef", "two": b"defghi"})
        outcome = self.alice.run("run", "--mask", "--", "printf", "<abcdefghi> abc defghi", ONE="vault:one", TWO="vault:two")
        self.assertEqual(outcome.output, "<****> abc ****", outcome)

    def test_a_value_that_is_too_short_for_a_mask_is_named(self):
        self.keep({"pin": b"123"})
        outcome = self.alice.run("run", "--mask", "--", "sh", "-c", "echo $PIN \"$SECRET\"", PIN="vault:pin",
                                 SECRET="vault:text#password")
        self.assertEqual((outcome.code, outcome.output), (0, "123 ****\n"), outcome)
        self.assertIn("hsip: warning: vault:pin has fewer than 4 bytes", outcome.talk)
        self.assertNotIn("vault:text", outcome.talk)

    LIST = "cat $KEY; echo; for f in /proc/$$/fd/*; do readlink $f; done"

    def test_the_program_gets_no_descriptor_of_ours(self):
        for words, shown in (((), "a word\twith ü and 'quotes\""), (("--mask",), "****")):
            outcome = self.alice.run("run", *words, "--fd", "KEY=vault:text", "--", "sh", "-c", self.LIST)
            value, *found = outcome.lines
            self.assertEqual(value, shown, outcome)
            self.assertEqual([path for path in found[3:] if not path.endswith("/fd")], ["/memfd:hsip (deleted)"], outcome)

    def test_the_program_leaves_no_core_with_secrets_in_it(self):
        outcome = self.alice.run("run", "--", "sh", "-c", "ulimit -Hc; echo $SECRET >/dev/null", SECRET="vault:text")
        self.assertEqual(outcome.output, "0\n", outcome)

    def test_signals_reach_a_masked_program(self):
        child = self.alice.start("run", "--mask", "--", "sh", "-c",
                                 "trap 'echo got; exit 7' TERM; echo ready; while :; do sleep 0.1; done")
        self.assertEqual(child.stdout.readline(), b"ready\n")
        child.send_signal(signal.SIGTERM)
        output, _ = child.communicate(timeout=60)
        self.assertEqual((child.returncode, output), (7, b"got\n"))
        outcome = self.alice.run("run", "--mask", "--", "sh", "-c", "kill -9 $$")
        self.assertEqual(outcome.code, 137, outcome)

    def test_a_masked_program_whose_reader_has_gone_ends_as_it_would_unmasked(self):
        for words in ((), ("--mask",)):
            line = " ".join(shlex.quote(word) for word in self.alice.command("-q", "run", *words, "--", "yes"))
            done = subprocess.run(["/bin/bash", "-c", f"{line} | head -n 1; exit ${{PIPESTATUS[0]}}"], capture_output=True,
                                  env=self.alice.environment(SECRET="vault:text"), timeout=100, start_new_session=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (128 + signal.SIGPIPE, b"y\n", b""), words)

    def test_a_key_at_the_terminal_is_one_signal(self):
        script = self.alice.write("files/count.py", """import signal
both, seen = {signal.SIGINT, signal.SIGTERM}, 0
signal.pthread_sigmask(signal.SIG_BLOCK, both)
print("ready", flush=True)
while signal.sigwait(both) != signal.SIGTERM:
    seen += 1
    print("key", flush=True)
print("seen", seen, flush=True)
""")
        for words in ((), ("--mask",)):
            for given in ("", " </dev/null"):
                with self.subTest(words=words, given=given):
                    screen = Screen(self, self.alice, "run", *words, "--", sys.executable, script, shell='exec "$0" "$@"' + given)
                    screen.sees("ready")
                    screen.types(CONTROL_C)
                    screen.sees("key")
                    # Signals are passed on in the order in which they come.
                    os.kill(screen.process.pid, signal.SIGTERM)
                    self.assertEqual(screen.sees("seen ([0-9])").group(1), "1")
                    self.assertEqual(screen.ends(), 0)

    def test_a_mask_does_not_wait_for_what_is_left_behind(self):
        outcome = self.alice.run("run", "--mask", "--", "sh", "-c", "sleep 300 & echo done; echo $! >&2")
        os.kill(int(outcome.talk), signal.SIGKILL)
        self.assertEqual((outcome.code, outcome.output), (0, "done\n"), outcome)


class Descriptors(Keeper):
    def test_what_opens_the_vault_is_not_for_the_program(self):
        for words in ((), ("--mask",)):
            with self.subTest(words=words), open(self.alice.secret_file("recovery"), "rb") as file:
                number = file.fileno()
                done = subprocess.run(
                    [BINARY, "--passphrase-fd", str(number), "run", *words, "--", "sh", "-c",
                     f"printf %s \"$SECRET\"; cat <&{number} || cat /proc/self/fd/{number}"], pass_fds=(number,), capture_output=True,
                    env=self.alice.environment(SECRET="vault:text"), cwd=self.alice.home, start_new_session=True, timeout=100)
                self.assertEqual((done.returncode, done.stdout), (1, b"****" if words else b"a word\twith \xc3\xbc and 'quotes\""), done)
                self.assertNotIn(self.alice.recovery.encode(), done.stderr)


class Inject(Keeper):
    MANY = 256

    def test_values_go_in_byte_for_byte(self):
        template = b"\xff{{ vault:binary }}|{{vault:text}}|{{ other }}{{vault:two%20lines}}\n"
        expected = (b"\xff" + BINARY_VALUE + b"|a word\twith \xc3\xbc and 'quotes\"|{{ other }}one\ntwo\n\n")
        outcome = self.ok(self.alice, "secret", "inject", given=template)
        self.assertEqual(outcome.data, expected)
        path = self.alice.path("files", "out")
        outcome = self.ok(self.alice, "secret", "inject", "-o", path, given=template)
        self.assertEqual(outcome.data, b"")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), expected)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.ends(4, self.alice, "secret", "inject", "-o", path, given=template)
        self.ok(self.alice, "secret", "inject", "-o", path, "--force", "--json", given=template)

    def test_what_is_missing_leaves_no_byte(self):
        path = self.alice.path("files", "out")
        for hole in ("vault:nobody", "vault:text#nothing"):
            given = "before {{ vault:text }} {{ %s }}" % hole
            outcome = self.ends(3, self.alice, "secret", "inject", given=given)
            self.assertEqual(outcome.data, b"")
            self.assertIn(hole, outcome.talk)
            self.ends(3, self.alice, "secret", "inject", "-o", path, given=given)
            self.assertFalse(os.path.exists(path))
        outcome = self.ends(13, self.alice, "secret", "inject", given="a\n{{ vault:a b }}")
        self.assertEqual(outcome.data, b"")
        self.assertIn("line 2", outcome.talk)

    def test_what_a_value_holds_is_not_read_again(self):
        self.keep({"nested": b"{{ vault:text }} vault:text {{vault:nested}}", "a#b {c}%": b"odd"})
        outcome = self.ok(self.alice, "secret", "inject", given=b"{{vault:nested}}|{{ vault:a%23b%20%7bc%7D%25 }}")
        self.assertEqual(outcome.data, b"{{ vault:text }} vault:text {{vault:nested}}|odd")
        outcome = self.alice.run("run", "--", "printenv", "A", A="vault:nested")
        self.assertEqual(outcome.data, b"{{ vault:text }} vault:text {{vault:nested}}\n")

    def test_a_link_is_replaced_and_never_written_through(self):
        target = self.alice.write("files/target", "original", 0o644)
        link, nowhere, loop = (self.alice.path("files", name) for name in ("link", "nowhere", "loop"))
        os.symlink(target, link)
        os.symlink(self.alice.path("files", "missing"), nowhere)
        os.symlink(loop, loop)
        for path in (link, nowhere, loop):
            self.assertNotEqual(self.alice.run("secret", "inject", "-o", path, given="{{vault:text}}").code, 0)
            self.assertTrue(os.path.islink(path))
        self.assertFalse(os.path.exists(self.alice.path("files", "missing")))
        self.ok(self.alice, "secret", "inject", "-o", link, "--force", given="{{vault:text}}")
        self.assertFalse(os.path.islink(link))
        self.assertEqual(os.stat(link).st_mode & 0o777, 0o600)
        with open(target, encoding="utf-8") as file:
            self.assertEqual(file.read(), "original")
        self.assertEqual(sorted(os.listdir(self.alice.path("files"))), ["link", "loop", "nowhere", "target"])

    def test_a_folder_that_cannot_be_written_keeps_nothing_of_it(self):
        for path in (self.alice.path("files"), self.alice.path("files", "none", "out")):
            outcome = self.alice.run("secret", "inject", "-o", path, given="{{vault:text}}")
            self.assertNotEqual(outcome.code, 0)
            self.assertEqual(outcome.data, b"")
        self.assertEqual(os.listdir(self.alice.path("files")), [])

    def test_as_many_references_as_one_reading_takes(self):
        self.keep({f"s{number}": b"%d" % number for number in range(self.MANY)})
        text = "".join("{{vault:s%d}}," % (number % self.MANY) for number in range(256))
        outcome = self.ok(self.alice, "secret", "inject", given=text)
        self.assertEqual(outcome.output, "".join(f"{number % self.MANY}," for number in range(256)))
        text += "".join("{{vault:no%d}}" % number for number in range(256 - self.MANY))
        outcome = self.alice.run("secret", "inject", given=text + "{{vault:text}}")
        self.assertEqual((outcome.code, outcome.data), (13, b""), outcome)

    def test_a_text_without_holes_opens_no_vault(self):
        outcome = self.alice.run("--no-input", "secret", "inject", given="{{ x }}", secret=None)
        self.assertEqual((outcome.code, outcome.data), (0, b"{{ x }}"), outcome)

    def test_errors_in_json(self):
        outcome = self.alice.run("secret", "inject", "-o", self.alice.path("files", "x"), "--json",
                                 given="{{vault:nobody}}")
        self.assertEqual(outcome.code, 3, outcome)
        self.assertEqual(outcome.json["error"]["details"]["reference"], "vault:nobody")


class Making(Keeper):
    def test_a_password_is_made_without_a_vault(self):
        seen = set()
        for _ in range(5):
            outcome = self.alice.run("--no-input", "secret", "generate", secret=None)
            self.assertEqual((outcome.code, len(outcome.data)), (0, 16), outcome)
            self.assertEqual(outcome.talk, "Very Strong, 103 bits\n")
            seen.add(outcome.data)
        self.assertEqual(len(seen), 5)
        outcome = self.alice.run("secret", "generate", "-n", "6", "--no-upper", "--no-lower", "--no-symbols", "--json")
        self.assertRegex(outcome.result["value"], "^[0-9]{6}$")
        self.assertEqual(outcome.result["strength"], {"bits": 19, "label": "weak"})
        outcome = self.alice.run("secret", "generate", "--words", "6")
        self.assertEqual(len(outcome.output.split("-")), 6)

    def test_wrong_words_about_it(self):
        for words in (("-n", "5"), ("-n", "65"), ("--words", "3"), ("--words", "6", "-n", "9"), ("--field", "x"),
                      ("--no-upper", "--no-lower", "--no-digits", "--no-symbols")):
            self.ends(2, self.alice, "secret", "generate", *words)

    def test_a_stored_one_is_not_printed_and_a_new_version(self):
        first = self.ok(self.alice, "secret", "generate", "db")
        self.assertEqual(first.data, b"")
        one = self.alice.run("run", "--", "printenv", "SECRET", SECRET="vault:db").output
        again = self.alice.run("secret", "generate", "db", "--json")
        self.assertEqual((again.result["version"], again.result["value"]), (2, None))
        two = self.alice.run("run", "--", "printenv", "SECRET", SECRET="vault:db").output
        self.assertEqual((len(one), len(two)), (17, 17))
        self.assertNotEqual(one, two)

    def test_what_is_weak_or_used_twice_is_found(self):
        self.ok(self.alice, "secret", "generate", "good")
        self.keep({"text": b"orange-hammer-zebra-violet-canyon-sugar", "binary": bytes(range(256)),
                   "two lines": b"xK#9vQ2!mZ7&pL4@"})
        outcome = self.alice.run("secret", "check", "--json")
        self.assertEqual((outcome.result["checked"], outcome.result["findings"]), (4, []))
        self.keep({"a": b"password1", "b": b"password1"})
        outcome = self.alice.run("secret", "check", "--json")
        found = {one["name"]: (one["findings"], one["sameAs"]) for one in outcome.result["findings"]}
        self.assertEqual(found, {"a": (["weak", "reused"], ["b"]), "b": (["weak", "reused"], ["a"])})
        self.assertNotIn(b"password1", outcome.data)
        outcome = self.alice.run("secret", "check", "good", "--json")
        self.assertIn(outcome.result["strength"]["label"], ("strong", "veryStrong"))
        self.ends(3, self.alice, "secret", "check", "nobody")
        outcome = self.alice.run("secret", "check", "good", "b", "--json")
        self.assertEqual((outcome.result["checked"], outcome.result["strength"]), (2, None))
        self.assertEqual({one["name"]: one["findings"] for one in outcome.result["findings"]},
                         {"b": ["weak", "reused"], "good": []})
        self.ends(3, self.alice, "secret", "check", "good", "nobody")
        self.ends(2, self.alice, "secret", "check", "good", "-")

    def test_a_password_from_stdin_is_judged_without_a_vault(self):
        for text, label in (("password1\n", "Weak"), ("xK#9vQ2!mZ7&pL4@", "")):
            outcome = self.alice.run("--no-input", "secret", "check", "-", given=text, secret=None)
            self.assertEqual(outcome.code, 0, outcome)
            self.assertRegex(outcome.output, f"^{label}.*, [0-9]+ bits\n$")

    @unittest.skipUnless(FAKETIME, "faketime is not installed")
    def test_old_passwords_are_named(self):
        self.ok(self.alice, "secret", "generate", "mine")
        outcome = self.alice.run("secret", "check", "mine", "--json", time="+400d")
        self.assertEqual([one["findings"] for one in outcome.result["findings"]], [["old"]], outcome)


class OneTime(Case):
    KEY = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    @unittest.skipUnless(FAKETIME, "faketime is not installed")
    def test_the_password_of_a_moment(self):
        address = f"otpauth://totp/Example:alice?secret={self.KEY}&issuer=Example&digits=8"
        self.ok(self.alice, "secret", "totp", "example", "--set", "-", given=address + "\n")
        outcome = self.alice.run("secret", "totp", "example", "--json", time="2033-05-18 03:33:20")
        self.assertEqual(outcome.result["password"], "69279037", outcome)
        self.assertIn(outcome.result["secondsLeft"], range(1, 11))
        outcome = self.alice.run("secret", "totp", "example")
        self.assertRegex(outcome.output, "^[0-9]{8}$")
        self.assertRegex(outcome.talk, "[0-9]+ seconds? left\n$")
        self.assertNotIn(self.KEY.encode(), outcome.data + outcome.talk_data)

    @unittest.skipUnless(shutil.which("zbarimg"), "zbarimg is not installed")
    def test_the_key_comes_out_of_a_picture(self):
        picture = self.alice.path("files", "key.png")
        self.ok(self.alice, "qr", f"otpauth://totp/x?secret={self.KEY}", "-o", picture)
        self.ok(self.alice, "secret", "totp", "example", "--set", picture)
        self.assertRegex(self.ok(self.alice, "secret", "totp", "example").output, "^[0-9]{6}$")

    def test_what_is_no_key_is_refused(self):
        for text in ("", "hello!", "otpauth://totp/x", "otpauth://hotp/x?secret=MZXW6YTB"):
            outcome = self.ends(13, self.alice, "secret", "totp", "example", "--set", "-", given=text)
            self.assertEqual(outcome.data, b"")
        self.ends(3, self.alice, "secret", "totp", "example")

    # RFC 4226 appendix D.
    COUNTED = ("755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489")

    def test_passwords_by_counter_come_once_each(self):
        address = f"otpauth://hotp/Example:alice?secret={self.KEY}&issuer=Example&counter=0"
        stored = self.ok(self.alice, "secret", "totp", "example", "--set", "-", "--json", given=address + "\n").result
        self.assertEqual((stored["password"], stored["counter"]), (None, None))
        for number, password in enumerate(self.COUNTED[:4]):
            outcome = self.ok(self.alice, "secret", "totp", "example")
            self.assertEqual((outcome.output, outcome.talk), (password, f"number {number}, for one use\n"))
        told = self.ok(self.alice, "secret", "totp", "example", "--json").result
        self.assertEqual((told["password"], told["counter"], told["secondsLeft"], told["periodSeconds"], told["issuer"]),
                         (self.COUNTED[4], 4, None, None, "Example"))
        self.assertEqual(self.ok(self.alice, "secret", "get", "example", "--field", "totp").output,
                         address.replace("counter=0", "counter=5"))
        self.assertEqual(len(self.ok(self.alice, "secret", "show", "example", "--json").result["versions"]), 1)

    def test_the_last_counter_gives_no_password(self):
        last = f"otpauth://hotp/x?secret={self.KEY}&counter=18446744073709551615"
        self.ok(self.alice, "secret", "totp", "example", "--set", "-", given=last)
        self.refused("countersSpent", self.alice, "secret", "totp", "example")

    def test_through_an_agent_and_at_once(self):
        if ag.missing():
            self.skipTest(ag.missing())
        self.ok(self.alice, "secret", "totp", "example", "--set", "-",
                given=f"otpauth://hotp/x?secret={self.KEY}&counter=0")
        self.ok(self.alice, "agent", "rule", "add", "tests", "allow", "--kind", "read", "-y")
        agent = ag.Hsip(self.alice)
        agent.unlock()
        self.alice.opens_with = None
        callers = [self.alice.start("secret", "totp", "example", **(
            {} if beside else {"secret": "recovery"})) for beside in (True, False) * 4]
        given = {caller.communicate(timeout=100)[0].decode() for caller in callers}
        self.assertEqual(given, set(self.COUNTED[:8]))
        self.assertEqual([caller.returncode for caller in callers], [0] * 8)

    def test_the_agent_gives_the_same_password_of_a_moment(self):
        if ag.missing():
            self.skipTest(ag.missing())
        self.ok(self.alice, "secret", "totp", "example", "--set", "-", given=self.KEY)
        self.ok(self.alice, "agent", "rule", "add", "tests", "allow", "--kind", "read", "-y")
        agent = ag.Hsip(self.alice)
        agent.unlock()
        self.alice.opens_with = None
        told = self.ok(self.alice, "secret", "totp", "example", "--json").result
        self.assertRegex(told["password"], "^[0-9]{6}$")
        self.assertIn(told["secondsLeft"], range(1, 31))


if __name__ == "__main__":
    unittest.main()
