"""libhsip from outside: programs in C, C++ and Python that know only hsip.h, and the second implementation beside them."""

import base64
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

import agents as ag
import keyring as kr
import schemas
from house import BINARY, MIXED_PAIR, PAIRED, PASSPHRASE, PLACE, ROOT, STRANGERS, Case, Person, xc

PROGRAMS = os.path.join(ROOT, "Tests", "CLibrary")
HEADER = os.path.join(ROOT, "Sources", "CHSIP", "hsip.h")
EXPORTS = os.path.join(ROOT, "Sources", "LibHSIP", "exports.map")
BUILT = os.path.join(os.path.dirname(BINARY), "libLibHSIP.so") if BINARY else ""
FOLDER = os.path.join(PLACE, "clib")
STRICT = ("-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g")
SANITIZER = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")

with open(HEADER, encoding="utf-8") as file:
    TEXT = file.read()
CODE = re.sub(r"/\*.*?\*/", "", TEXT, flags=re.DOTALL)


def setUpModule():
    if not os.path.exists(BUILT):
        raise unittest.SkipTest("there is no libLibHSIP.so beside the program: swift build --product LibHSIP")
    if shutil.which("gcc") is None:
        raise unittest.SkipTest("gcc is not installed")
    # As Scripts/install lays it out.
    os.makedirs(os.path.join(FOLDER, "include"))
    os.makedirs(os.path.join(FOLDER, "lib"))
    os.symlink(HEADER, os.path.join(FOLDER, "include", "hsip.h"))
    os.symlink(BUILT, os.path.join(FOLDER, "lib", "libhsip.so.1"))
    os.symlink("libhsip.so.1", os.path.join(FOLDER, "lib", "libhsip.so"))


def build(name: str, *flags: str, compiler: str = "gcc", language: tuple[str, ...] = STRICT) -> str:
    """A program of Tests/CLibrary; the same flags are built once."""
    target = os.path.join(FOLDER, f"{name}{''.join(flags)}".replace("/", "_").replace("=", "-").replace(",", "-"))
    if not os.path.exists(target):
        done = subprocess.run(
            [compiler, *language, *flags, os.path.join(PROGRAMS, name), "-I", os.path.join(FOLDER, "include"),
             "-L", os.path.join(FOLDER, "lib"), "-lhsip", "-lpthread", "-o", target,
             f"-Wl,--enable-new-dtags,-rpath,{os.path.join(FOLDER, 'lib')}"], capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{name} was not built: {done.stderr}")
    return target


def exported() -> set[str]:
    found = subprocess.run(["nm", "-D", "--defined-only", "--extern-only", BUILT], capture_output=True, text=True, check=True)
    return {line.split()[2].split("@")[0] for line in found.stdout.splitlines() if line.split()[1] != "A"}


class ClibCase(Case):
    """Alice has a session with bob; programs of hers open the vault without asking."""

    world = PAIRED

    def run_program(self, program: str, *words: str, given: bytes = b"", person: Person | None = None,
                    before: tuple[str, ...] = (), **environment: str | None) -> subprocess.CompletedProcess:
        person = person or self.alice
        more = {"HSIP_PASSPHRASE_FILE": person.secret_file("recovery"),
                "LD_LIBRARY_PATH": os.path.join(FOLDER, "lib")} | environment
        return subprocess.run([*before, program, *words], input=given, capture_output=True, cwd=person.home, timeout=300,
                              start_new_session=True, env=person.environment(**more))

    def ends_well(self, *words, **how) -> subprocess.CompletedProcess:
        done = self.run_program(*words, **how)
        self.assertEqual(done.returncode, 0, (words, done.stdout[-2000:], done.stderr[-4000:]))
        return done


class Header(unittest.TestCase):
    """What stands in hsip.h is what there is."""

    def test_the_numbers_are_the_exit_codes(self):
        with open(os.path.join(ROOT, "Schemas", "exit-codes.json"), encoding="utf-8") as file:
            codes = json.load(file)["codes"]
        named = dict(re.findall(r"HSIP_([A-Z_]+) = (\d+)", CODE.split("typedef struct hsip_vault")[0]))
        spelled = {re.sub(r"([A-Z])", r"_\1", code["name"]).upper(): str(code["code"]) for code in codes}
        self.assertEqual(named, spelled)
        library = ctypes.CDLL(BUILT)
        library.hsip_status_name.restype = ctypes.c_char_p
        for code in codes:
            self.assertEqual(library.hsip_status_name(code["code"]).decode(), code["name"])

    def test_nothing_else_is_seen_from_outside(self):
        declared = set(re.findall(r"\b(hsip_\w+)\(", CODE))
        self.assertEqual(exported(), declared)
        with open(EXPORTS, encoding="utf-8") as file:
            self.assertEqual(set(re.findall(r"(hsip_\w+);", file.read())), declared)

    def test_the_library_has_its_name_and_stays_loaded(self):
        facts = subprocess.run(["readelf", "-d", BUILT], capture_output=True, text=True, check=True).stdout
        self.assertIn("soname: [libhsip.so.1]", facts)
        self.assertIn("NODELETE", facts)

    def test_the_version_is_the_programs(self):
        library = ctypes.CDLL(BUILT)
        library.hsip_version.restype = ctypes.c_char_p
        said = subprocess.run([BINARY, "version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(said, f"hsip {library.hsip_version().decode()}\n")

    def test_it_compiles_alone_in_every_language_that_includes_it(self):
        for compiler, standard in (("gcc", "c99"), ("gcc", "c11"), ("g++", "c++11"), ("g++", "c++20"), ("clang", "c11"),
                                   ("clang", "c++17")):
            if shutil.which(compiler) is None:
                continue
            language = "c++" if "+" in standard else "c"
            done = subprocess.run([compiler, f"-std={standard}", f"-x{language}", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                                   "-fsyntax-only", HEADER], capture_output=True, text=True)
            # Being the main file is no fault of a header.
            said = [line for line in done.stderr.splitlines() if "pragma once" not in line]
            self.assertEqual((done.returncode, said), (0, []), compiler)


class Programs(ClibCase):
    """Examples and checks in C."""

    def test_a_letter_there_and_back(self):
        letter = build("letter.c")
        sealed = self.ends_well(letter, "seal", "bob", given="grüße 🔒".encode())
        self.assertRegex(sealed.stderr.decode(), r"^\d+ left\n$")
        opened = self.ends_well(letter, "open", given=b"> a chat\n" + sealed.stdout, person=self.bob)
        self.assertEqual((opened.stdout.decode(), opened.stderr), ("grüße 🔒\n", b"from alice\n"))
        again = self.run_program(letter, "open", given=sealed.stdout, person=self.bob)
        self.assertEqual((again.returncode, again.stdout, again.stderr), (14, b"", b"letter: replay\n"))

    def test_the_program_reads_what_the_library_sealed_and_the_other_way_round(self):
        letter = build("letter.c")
        sealed = self.ends_well(letter, "seal", "bob", given=b"from C").stdout
        self.assertEqual(self.ok(self.bob, "decrypt", given=sealed).output, "from C\n")
        opened = self.ends_well(letter, "open", given=self.ok(self.bob, "encrypt", "alice", given="from hsip").data)
        self.assertEqual(opened.stdout, b"from hsip\n")

    def test_a_message_too_many_is_refused_and_none_is_opened(self):
        first, second = (self.ok(self.bob, "encrypt", "alice", given=text).output for text in ("one", "two"))
        letter = build("letter.c")
        both = self.run_program(letter, "open", given=(first + second).encode())
        self.assertEqual((both.returncode, both.stderr), (7, b"letter: inputNeeded\n"))
        twice = self.ends_well(letter, "open", given=(first + first).encode())
        self.assertEqual(twice.stdout, b"one\n")

    def test_a_locked_vault_and_nobody_to_ask(self):
        before = self.alice.rows()
        done = self.run_program(build("letter.c"), "seal", "bob", given=b"hi", HSIP_PASSPHRASE_FILE=None)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (5, b"", b"letter: locked\n"))
        self.assertEqual(self.alice.rows(), before)

    def test_everything_that_a_caller_can_do_wrong(self):
        done = self.ends_well(build("misuse.c"), self.alice.secret_file("recovery"))
        self.assertEqual((done.stdout, done.stderr), (b"as promised\n", b""))

    def test_eight_threads_on_one_vault_and_on_eight(self):
        done = self.ends_well(build("threads.c"))
        messages = done.stdout.decode().split()
        self.assertEqual((len(messages), done.stderr), (8 * 5 + 8 + 1, b""))
        nonces = {base64.b64decode(message.removeprefix(xc.LOCK))[33:45] for message in messages}
        self.assertEqual(len(nonces), len(messages), "no number was used twice")
        opened = self.ok(self.bob, "decrypt", given=done.stdout.decode())
        self.assertEqual(opened.lines, ["from a thread"] * len(messages))

    def test_a_vault_is_not_the_childs(self):
        done = self.ends_well(build("forks.c"))
        self.assertEqual((done.stdout, done.stderr), (b"as promised\n", b""))

    def test_the_header_in_cplusplus(self):
        flags = ("-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
        self.ends_well(build("header.cc", compiler="g++", language=flags))


class Tools(ClibCase):
    """The same under what finds faults of memory."""

    def test_the_address_sanitizer_finds_nothing(self):
        for name, words in (("letter.c", ("seal", "bob")), ("misuse.c", (self.alice.secret_file("recovery"),)), ("threads.c", ()),
                            ("forks.c", ())):
            with self.subTest(name):
                done = self.ends_well(build(name, *SANITIZER), *words, given=b"hi", ASAN_OPTIONS="detect_leaks=0")
                self.assertNotIn(b"ERROR", done.stderr)

    def test_valgrind_finds_nothing(self):
        if shutil.which("valgrind") is None:
            self.skipTest("valgrind is not installed")
        # Without debug information, which this valgrind may be too old for; and the loader looks here first.
        bare = os.path.join(FOLDER, "bare")
        os.makedirs(bare)
        subprocess.run(["objcopy", "--strip-debug", BUILT, os.path.join(bare, "libhsip.so.1")], check=True)
        # What is still reachable at the end are the tables of Swift, made once.
        words = ("valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite", "--num-callers=30",
                 f"--suppressions={os.path.join(PROGRAMS, 'valgrind.supp')}")
        for name, more in (("letter.c", ("seal", "bob")), ("keyboard.c", ())):
            with self.subTest(name):
                given = b"hi" if more else f"emoji {'01' * 32} {'02' * 32}\nseal {'01' * 32} {'02' * 32} 6869\n".encode()
                done = self.ends_well(build(name), *more, given=given, before=words, LD_LIBRARY_PATH=bare)
                self.assertNotIn(b"==", done.stderr)

    def test_no_file_but_the_vaults_is_touched_and_nothing_is_said(self):
        done = self.ends_well(build("letter.c"), "seal", "bob", given=b"hi")
        self.assertEqual(done.stdout.count(b"\n"), 1)
        self.assertRegex(done.stderr, rb"^\d+ left\n$")


class Keyboard(unittest.TestCase):
    """The six calls of older programs beside the second implementation."""

    KEY, PEER = bytes(range(32)), bytes(range(32, 64))

    def ask(self, *lines: tuple) -> list[str]:
        """Each call as `keyboard.c` takes it; the answers, None for NULL."""
        def digits(word) -> str:
            raw = word.encode() if isinstance(word, str) else word
            return raw.hex() or "-"
        text = "".join(" ".join([line[0], *map(digits, line[1:])]) + "\n" for line in lines)
        done = subprocess.run([build("keyboard.c")], input=text.encode(), capture_output=True, check=True)
        answers = done.stdout.decode().split("\n")[:-1]
        self.assertEqual(len(answers), len(lines))
        return [None if answer == "null" else "" if answer == "-" else bytes.fromhex(answer).decode()
                if line[0] != "has" else answer for line, answer in zip(lines, answers)]

    def message(self, text: str | bytes, form: str = "compact", key: bytes = KEY, **how) -> str:
        raw = text.encode() if isinstance(text, str) else text
        return xc.format_message(xc.seal_message(key, self.PEER, os.urandom(12), raw), form, **how)

    def opened(self, *texts: str | bytes) -> list[str | None]:
        return self.ask(*(("open", self.KEY, text) for text in texts))

    def test_what_it_seals_the_other_side_opens(self):
        texts = ["", "hi", "grüße 🔒 [HSIP", "x" * 5000, "line\nline\r\n"]
        sealed = self.ask(*(("seal", self.KEY, self.PEER, text) for text in texts * 2))
        self.assertEqual(len(set(sealed)), len(sealed), "a nonce of its own each")
        for text, message in zip(texts * 2, sealed):
            self.assertTrue(message.startswith(xc.LOCK))
            raw = xc.parse_message(message)
            self.assertEqual((raw[0], raw[1:33], len(raw)), (1, self.PEER, 61 + len(text.encode())))
            self.assertEqual(message, xc.LOCK + base64.b64encode(raw).decode())
            self.assertEqual(xc.open_message(self.KEY, raw).decode(), text)

    def test_what_the_other_side_seals_it_opens_in_every_form(self):
        for form, how in (("compact", {}), ("stealth", {}), ("verbose", {}), ("verbose", {"link_id": "abc-1"})):
            texts = ["", "hi", "grüße 🔒", "y" * 3000]
            self.assertEqual(self.opened(*(self.message(text, form, **how) for text in texts)), texts, form)

    def test_older_programs_rule_of_reading_comes_first(self):
        one, two = self.message("one"), self.message("two")
        longer = self.message("the longest line of them all")
        self.assertEqual(self.opened(f"{one}\n{longer}\n{two}", f"{one}\n{two}", f"{xc.LOCK}\n{two}"),
                         ["the longest line of them all", "two", "two"])
        # Trimmed by what Unicode calls white space; a carriage return belongs to the end of a line.
        self.assertEqual(self.opened(f"\u3000\u00a0{self.message('hi', 'stealth')}\u2028\t", f"{xc.LOCK} \r\n{one}\r\n"),
                         ["hi", "one"])

    def test_then_the_line_that_decodes(self):
        message = self.message("hi")
        words = f"{xc.LOCK} this line is by far longer than the message, and it is no message at all, " + "x" * 200
        self.assertEqual(self.opened(f"{words}\n{message}", f"look: {message} there", " " + message), ["hi"] * 3)

    def test_what_it_cannot_open_is_null(self):
        message = self.message("hi")
        flipped = message[:-3] + ("A" if message[-3] != "A" else "B") + message[-2:]
        version = xc.LOCK + base64.b64encode(b"\2" + xc.parse_message(message)[1:]).decode()
        short = xc.LOCK + base64.b64encode(bytes([1] * 60)).decode()
        self.assertEqual(self.opened(message[:-1], message + "=", flipped, version, short, "", xc.LOCK, "hi",
                                     self.message("hi", key=self.PEER), self.message("a\0b"), self.message(b"\xff"),
                                     message.encode() + b"\xff"), [None] * 12)

    def test_a_text_that_is_not_utf8_is_not_sealed(self):
        self.assertEqual(self.ask(*(("seal", self.KEY, self.PEER, text) for text in
                                    (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"a\xf0\x9f"))), [None] * 4)

    def test_what_looks_like_a_message(self):
        yes = (xc.LOCK, "a" + xc.LOCK, "[HSIP", "words [HSIP Encrypted Message]", xc.LOCK + "\ufe0f")
        no = ("", "HSIP", "[hsip", "\U0001F513", "🔑", xc.LOCK.encode() + b"\xff", b"\xf0\x9f\x94", "[ HSIP")
        self.assertEqual(self.ask(*(("has", text) for text in yes + no)), ["1"] * len(yes) + ["0"] * len(no))

    def test_the_six_emoji_are_those_of_the_second_implementation(self):
        with open(os.path.join(ROOT, "Schemas", "emoji.json"), encoding="utf-8") as file:
            pictures = [entry["emoji"] for entry in json.load(file)["emoji"]]
        pairs = [(self.KEY, self.PEER), (self.PEER, self.KEY), (bytes(32), bytes(32)), (b"\xff" * 32, b"\x7f" * 32)]
        pairs += [(os.urandom(32), os.urandom(32)) for _ in range(60)]
        said = self.ask(*(("emoji", *pair) for pair in pairs))
        self.assertEqual(said, [" ".join(pictures[index] for index in xc.legacy_emoji_indices(*pair)) for pair in pairs])
        self.assertEqual(said[0], said[1])
        # The three with a variation selector keep it.
        self.assertTrue({"🏎️", "❄️", "☀️"} & {word for text in said for word in text.split(" ")})


class PythonCase(ClibCase):
    """Programs in Python that use the library by ctypes."""

    def python(self, text: str, person: Person | None = None, **environment: str | None) -> subprocess.CompletedProcess:
        more = {"PYTHONPATH": PROGRAMS, "HSIP_LIBRARY": os.path.join(FOLDER, "lib", "libhsip.so.1"),
                "PYTHONDONTWRITEBYTECODE": "1"} | environment
        return self.run_program(sys.executable, "-c", text, person=person, **more)

    def says(self, text: str, *said: str, **how):
        done = self.python(text, **how)
        self.assertEqual((done.returncode, done.stdout.decode().splitlines(), done.stderr), (0, list(said), b""), text)


class Python(PythonCase):
    """The library from Python."""

    def test_a_text_there_and_back(self):
        done = self.python("import hsip\nwith hsip.Vault() as vault: print(*vault.encrypt('bob', 'grüße'))")
        message, left = done.stdout.decode().split()
        self.assertGreater(int(left), 900)
        self.says(f"import hsip\nwith hsip.Vault() as vault: print(*vault.decrypt({message!r}))\n"
                  f"with hsip.Vault() as vault: print(*vault.decrypt({message!r}, hsip.REREAD))",
                  "grüße alice", "grüße alice", person=self.bob)

    def test_the_passphrase_is_asked_for_in_the_thread_that_calls(self):
        text = ("import hsip, threading\n"
                "def ask(question, wants_secret):\n"
                "    print(question.replace(chr(10), ' / '), wants_secret, threading.current_thread() is threading.main_thread())\n"
                f"    return {PASSPHRASE!r}.encode() if 'try again' in question else b'wrong'\n"
                "with hsip.Vault(ask=ask, program='tests') as vault: print(vault.decrypt.__name__)")
        self.says(text, "tests wants to open the vault. / Passphrase or recovery code True True",
                  "That passphrase was wrong; try again. / tests wants to open the vault. / Passphrase or recovery code True True", "decrypt",
                  HSIP_PASSPHRASE_FILE=None)

    def test_children_of_multiprocessing(self):
        text = ("import hsip, multiprocessing\n"
                "vault = hsip.Vault()\n"
                "def child(pipe):\n"
                "    try: vault.encrypt('bob', 'hi')\n"
                "    except hsip.Refused as refusal: pipe.send(refusal.name)\n"
                "here, there = multiprocessing.Pipe()\n"
                "worker = multiprocessing.get_context('fork').Process(target=child, args=(there,))\n"
                "worker.start(); print(here.recv()); worker.join(); print(worker.exitcode)\n"
                "print(vault.encrypt('bob', 'hi')[1] > 0)")
        self.says(text, "unavailable", "0", "True")

    def test_an_answer_in_json_is_that_of_the_program(self):
        for name, words in (("db/prod", ("--type", "token", "--tag", "work")), ("mail", ("--user", "bob", "--url", "https://ex.org")),
                            ("old", ())):
            self.ok(self.alice, "secret", "set", name, *words, given="v")
        self.ok(self.alice, "secret", "rm", "old")
        for words in (("generate", "work", "--comment", "at work"), ("generate", "gone"), ("rm", "gone")):
            self.ok(self.alice, "ssh", "key", *words)
        self.ok(self.alice, "ssh", "host", "add", "db1", "--address", "db1.example.org", "--user", "me", "--key", "work")
        public = self.ok(self.alice, "ssh", "key", "export", "--public", "work").output
        for name in ("db1.example.org", "[other.example.org]:2222"):
            self.ok(self.alice, "ssh", "host", "import", "-", given=f"{name} {' '.join(public.split()[:2])}\n")
        fingerprint = self.ok(self.alice, "ssh", "key", "show", "work", "--json").result["fingerprint"]
        commands = {'{"command":"contact list","trash":true}': ("contact", "list", "--trash"),
                    '{"command":"secret list"}': ("secret", "list"),
                    '{"command":"secret list","query":"ail"}': ("secret", "list", "ail"),
                    '{"command":"secret list","tag":"work","type":"token"}': ("secret", "list", "--tag", "work", "--type", "token"),
                    '{"command":"secret list","trash":true}': ("secret", "list", "--trash"),
                    '{"command":"secret show","name":"mail"}': ("secret", "show", "mail"),
                    '{"command":"secret show","name":"old","trash":true}': ("secret", "show", "old", "--trash"),
                    '{"command":"ssh key list"}': ("ssh", "key", "list"),
                    '{"command":"ssh key list","trash":true}': ("ssh", "key", "list", "--trash"),
                    '{"command":"ssh key show","name":"work"}': ("ssh", "key", "show", "work"),
                    f'{{"command":"ssh key show","name":"{fingerprint}"}}': ("ssh", "key", "show", fingerprint),
                    '{"command":"ssh key show","name":"gone","trash":true}': ("ssh", "key", "show", "gone", "--trash"),
                    '{"command":"ssh host list"}': ("ssh", "host", "list"),
                    '{"command":"ssh host list","keys":true}': ("ssh", "host", "list", "--keys"),
                    '{"command":"ssh host list","keys":true,"trash":true}': ("ssh", "host", "list", "--keys", "--trash"),
                    '{"command":"ssh host show","name":"db1"}': ("ssh", "host", "show", "db1"),
                    '{"command":"ssh host show","name":"[other.example.org]:2222"}': ("ssh", "host", "show", "other.example.org:2222"),
                    '{"command":"contact list"}': ("contact", "list"),
                    '{"command":"contact show","name":"bob"}': ("contact", "show", "bob"),
                    '{"command":"session list"}': ("session", "list"),
                    '{"command":"session show","name":"bob"}': ("session", "show", "bob"),
                    '{"command":"identity show"}': ("identity", "show"), '{"command":"version"}': ("version",)}
        said = self.python("import hsip, sys\nwith hsip.Vault() as vault:\n"
                           f"    for request in {list(commands)!r}: sys.stdout.buffer.write(vault.call(request) + b'\\n')")
        self.assertEqual(said.returncode, 0, said.stderr)
        for line, words in zip(said.stdout.decode().splitlines(), commands.values(), strict=True):
            self.assertEqual(line, self.ok(self.alice, *words, "--json").output.rstrip("\n"), words)

    def test_what_a_request_changes_about_secrets_and_sessions(self):
        self.ok(self.alice, "secret", "set", "db", given="v")
        requests = [({"command": "secret mv", "name": "db", "to": "db2"}, "name"), ({"command": "secret rm", "name": "db2"}, "state"),
                    ({"command": "secret restore", "name": "db2"}, "state"), ({"command": "session rotate", "name": "bob"}, "kind"),
                    ({"command": "contact rm", "name": "bob"}, "endedPairings"), ({"command": "contact restore", "name": "bob"}, "contact")]
        said = self.python(f"import hsip, json\nwith hsip.Vault() as vault:\n    for request, key in {requests!r}:\n"
                           "        answer = vault.call(json.dumps(request))\n        print(answer.decode())")
        self.assertEqual(said.returncode, 0, said.stderr)
        lines = [schemas.check_object(line)["data"] for line in said.stdout.decode().splitlines()]
        self.assertEqual([line[key] for line, (_, key) in zip(lines, requests, strict=True)],
                         ["db2", "removed", "active", "rotate", 1, "bob"])
        self.assertEqual(self.ok(self.alice, "secret", "get", "db2").output, "v")
        # The notice is good.
        self.assertEqual(self.ok(self.bob, "accept", given=lines[4]["notice"]["code"], secret="recovery").code, 0)

    def test_a_refusal_in_json_has_the_details_of_the_program(self):
        self.ok(self.alice, "secret", "set", "gone", given="v")
        self.ok(self.alice, "secret", "rm", "gone")
        self.ok(self.alice, "contact", "set", "bob", "--alias", "robert")
        self.ok(self.bob, "session", "revoke", "alice", "--reason", "lost", "-y")
        commands = {'{"command":"secret show","name":"gone"}': ("secret", "show", "gone"),
                    '{"command":"secret show","name":"nosuch"}': ("secret", "show", "nosuch"),
                    '{"command":"secret mv","name":"nosuch","to":"b"}': ("secret", "mv", "nosuch", "b"),
                    '{"command":"contact show","name":"bob"}': ("contact", "show", "bob"),
                    '{"command":"ssh key show","name":"nosuch"}': ("ssh", "key", "show", "nosuch"),
                    '{"command":"ssh host show","name":"nosuch"}': ("ssh", "host", "show", "nosuch"),
                    '{"command":"session rotate","name":"nosuch"}': ("session", "rotate", "nosuch")}
        self.refuses_alike(self.alice, commands)
        self.refuses_alike(self.bob, {'{"command":"session rotate","name":"alice"}': ("session", "rotate", "alice")})

    def test_a_refusal_says_the_sentence_of_the_command_line(self):
        self.ok(self.alice, "secret", "set", "db", given="v")
        said = self.python("import hsip\n"
                           "def refused(act):\n"
                           "    try: act()\n"
                           "    except hsip.Refused as refusal: print(refusal.status, refusal.message)\n"
                           "refused(lambda: hsip.Vault('nosuch'))\n"
                           "with hsip.Vault() as vault:\n"
                           "    refused(lambda: vault.decrypt('hello'))\n"
                           "    refused(lambda: vault.accept('hello'))\n"
                           "    refused(lambda: vault.encrypt('carol', 'x'))\n"
                           "    refused(lambda: vault.pair('bop'))\n"
                           "    refused(lambda: vault.secret_get('nosuch'))\n"
                           "    refused(lambda: vault.secret_get('db', 'user'))\n"
                           "    vault.call('{\"command\":\"version\"}')\n"
                           "    print(repr(hsip._hsip.hsip_last_error()))")
        own = [self.alice.run(*words, "--json", given=given).json["error"] for words, given in (
            (("--vault", "nosuch", "contact", "list"), ""), (("decrypt",), "hello"), (("accept",), "hello"),
            (("encrypt", "carol"), "x"), (("pair", "bop"), ""), (("secret", "get", "nosuch"), ""),
            (("secret", "get", "db", "--field", "user"), ""))]
        wanted = [f"{error['exit']} {error['message']}" for error in own]
        self.assertIn("named “\u2068carol\u2069”", wanted[3])
        self.assertIn("did you mean bob?", wanted[4])
        self.assertEqual((said.stdout.decode().splitlines(), said.stderr), ([*wanted, "b''"], b""))

    def refuses_alike(self, person: Person, commands: dict[str, tuple[str, ...]]):
        said = self.python("import hsip, sys\nwith hsip.Vault() as vault:\n"
                           f"    for request in {list(commands)!r}:\n"
                           "        try: print(vault.call(request))\n"
                           "        except hsip.Refused as refusal: print(refusal.json.decode())", person=person)
        self.assertEqual(said.returncode, 0, said.stderr)
        for line, words in zip(said.stdout.decode().splitlines(), commands.values(), strict=True):
            error, own = schemas.check_object(line)["error"], person.run(*words, "--json").json["error"]
            self.assertEqual({**error, "hint": None}, {**own, "hint": None}, words)

    def test_a_secret_past_its_time_is_given_to_who_says_so(self):
        end = int(time.time()) + 86_400
        self.ok(self.alice, "secret", "set", "x", given="one")
        self.ok(self.alice, "secret", "set", "x", "--expires", "1d", given="two")
        text = ("import hsip\nwith hsip.Vault() as vault:\n"
                "    try: print(vault.secret_get('x'))\n"
                "    except hsip.Refused as refusal: print(refusal.name)\n"
                "    print(*vault.secret_read('x', flags=hsip.EVEN_EXPIRED))\n"
                "    print(vault.secret_read('x', version=1, flags=hsip.EVEN_EXPIRED)[0])")
        soon = self.python(text).stdout.decode().splitlines()
        self.assertEqual((soon[0], soon[1].split()[0], soon[2]), ("b'two'", "b'two'", "b'one'"))
        self.assertLess(abs(int(soon[1].split()[1]) - end), 60)
        if not ag.FAKETIME:
            self.skipTest("faketime is not installed")
        late = self.python(text, **ag.clock("+2d"))
        self.assertEqual((late.stdout.decode().splitlines(), late.stderr), (["expired", *soon[1:]], b""))

    def test_a_secret_there_and_back(self):
        self.says("import hsip\nwith hsip.Vault() as vault:\n"
                  "    vault.secret_set('db', bytes(range(256)))\n"
                  "    vault.secret_set('db', b'alice', 'user')\n"
                  "    print(vault.secret_get('db') == bytes(range(256)), vault.secret_get('db', 'user'))", "True b'alice'")

    def test_what_a_request_changes(self):
        requests = [{"command": "contact set", "name": "bob", "alias": "robert", "note": "grüße", "requireVerified": True},
                    {"command": "contact set", "name": "robert", "requireVerified": False},
                    {"command": "contact restore", "name": "robert"}]
        said = self.python(f"import hsip, json\nwith hsip.Vault() as vault:\n    for request in {requests!r}:\n"
                           "        answer = json.loads(vault.call(json.dumps(request)))['data']\n"
                           "        print(answer['contact'], answer['requireVerified'], len(answer['note']))")
        self.assertEqual((said.stdout.decode().splitlines(), said.stderr), (["robert True 5", "robert False 5", "robert False 5"], b""))
        self.assertEqual(self.contact(self.alice, "robert")["note"], "grüße")
        self.ok(self.alice, "pair")
        closed = self.python("import hsip\nwith hsip.Vault() as vault: print(vault.call('{\"command\":\"pair\",\"closeAll\":true}').decode())")
        self.assertEqual(schemas.check_object(closed.stdout.decode())["data"], {"closedOffers": 1})

    def test_requests_that_are_none(self):
        requests = {"{": 2, "": 2, "[]": 2, "{}": 2, '{"command":"pair"}': 2, '{"command":"pair","closeAll":false}': 2, '{"command":1}': 2, '{"command":"secret get","name":"db"}': 3,
                    '{"command":"contact show"}': 2, '{"command":"contact show","name":true}': 2,
                    '{"command":"contact show","name":"nobody"}': 3, '{"command":"contact list","name":"bob"}': 2,
                    '{"command":"contact set","name":"bob","alias":"a\\u0007b"}': None,
                    '{"command":"session show","name":"nobody"}': 3, '{"command":"' + "x" * 70000 + '"}': 2,
                    '{"command":' * 3000: 2}
        before = self.alice.rows()
        said = self.python("import hsip, sys\nwith hsip.Vault() as vault:\n"
                           f"    for request in {list(requests)!r}:\n"
                           "        try: print(0, vault.call(request))\n"
                           "        except hsip.Refused as refusal: print(refusal.status, refusal.json.decode())")
        self.assertEqual(said.returncode, 0, said.stderr)
        for (request, number), line in zip(requests.items(), said.stdout.decode().splitlines(), strict=True):
            status, answer = line.split(" ", 1)
            answer = schemas.check_object(answer)
            self.assertEqual((answer["ok"], answer["error"]["exit"]), (False, int(status)), request[:80])
            if number is not None:
                self.assertEqual(int(status), number, request[:80])
        self.assertEqual(self.alice.rows(), before)


class Pairing(PythonCase):
    """Two people who meet by their programs in Python."""

    world = STRANGERS

    def takes(self, person: Person, code: str, name: str | None = None) -> tuple[str, dict]:
        """My reply and the JSON, or the number and the JSON."""
        done = self.python("import hsip, sys\nwith hsip.Vault() as vault:\n"
                           f"    try: reply, answer = vault.accept({code!r}, {name!r})\n"
                           "    except hsip.Refused as refusal: reply, answer = refusal.status, refusal.json\n"
                           "    print(reply); print(answer.decode())", person=person)
        self.assertEqual(done.returncode, 0, done.stderr)
        reply, answer = done.stdout.decode().splitlines()
        return reply, schemas.check_object(answer)

    def code(self, person: Person, contact: str | None = None) -> str:
        done = self.python(f"import hsip\nwith hsip.Vault() as vault: print(vault.pair({contact!r}))", person=person)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode().rstrip("\n")

    def test_from_the_offer_to_a_message(self):
        offer = self.code(self.alice)
        self.assertEqual(xc.code_text(xc.extract(offer)), offer)
        answer, told = self.takes(self.bob, f"hello bob,\nthis is mine: {offer}.", "alice")
        self.assertEqual((told["data"]["outcome"], told["data"]["contact"], told["data"]["isNew"],
                          told["data"]["reply"]["code"]), ("answered", "alice", True, answer))
        self.assertIn({"code": "notVerified", "contact": "alice"}, told["warnings"])
        self.assertEqual(self.code(self.bob, "alice"), answer, "the same code again")
        none, told = self.takes(self.alice, answer, "bob")
        self.assertEqual((none, told["data"]["outcome"], told["data"]["trust"]), ("None", "paired", "unverified"))
        message = self.ok(self.alice, "encrypt", "bob", given="hi").output
        self.assertEqual(self.ok(self.bob, "decrypt", given=message).output, "hi\n")
        # A VERIFY is compared, and trust stays.
        verify = self.ok(self.bob, "verify", "alice", "--code").output
        none, told = self.takes(self.alice, verify)
        self.assertEqual((none, told["data"]["outcome"], told["data"]["comparison"], told["data"]["trust"]),
                         ("None", "compared", {"matches": True, "counted": False, "source": "text"}, "unverified"))
        # A renewal there and back, its code inside a message.
        rotate = self.code(self.alice, "bob")
        carried = self.ok(self.alice, "encrypt", "bob", given=f"my next: {rotate}").output
        accept, told = self.takes(self.bob, carried)
        self.assertEqual((told["data"]["outcome"], told["data"]["took"]["insideMessage"]), ("prepared", True))
        self.assertEqual(self.takes(self.alice, accept)[1]["data"]["outcome"], "rotated")

    def test_codes_that_are_refused(self):
        offer, other = self.code(self.alice), self.code(self.alice)
        before = self.bob.rows()
        for text, number, name in (("no code", 13, "noCode"), (f"{offer} {other}", 7, "severalCodes"), (offer[:-1], 13, "truncated"),
                                   ("", 13, "noCode")):
            status, told = self.takes(self.bob, text, "alice")
            self.assertEqual((status, told["error"]["code"]), (str(number), name), text[:40])
        self.assertEqual(self.bob.rows(), before)
        status, told = self.takes(self.alice, offer)
        self.assertEqual((status, told["error"]["code"]), ("4", "selfPairing"))

    def test_refusals_have_the_details_of_the_program(self):
        peer, other = xc.Peer(name="Quentin"), xc.Peer(name="Other")
        self.takes(self.alice, peer.make_offer(), "quentin")
        # The name is somebody else's; and one is known under another name.
        for code, name in ((other.make_offer(), "quentin"), (peer.make_offer(), "another")):
            _, told = self.takes(self.alice, code, name)
            own = self.alice.run("accept", "-y", "--as", name, "--json", given=code).json["error"]
            self.assertEqual((told["error"]["code"], told["error"]["details"]), (own["code"], own["details"]))
            self.assertIsNotNone(told["error"]["details"])


class NewKey(ClibCase):
    """A program that has the vault open itself while its key is changed."""

    def test_it_is_told_and_goes_on_when_it_opens_the_vault_again(self):
        self.check(HSIP_PASSPHRASE_FILE=self.alice.secret_file("recovery"))

    def check(self, **more: str):
        self.alice.leaves_agent()
        text = ("import sys; sys.path.insert(0, " + repr(PROGRAMS) + ")\nimport hsip\n"
                "def seal(vault):\n"
                "    try:\n"
                "        print(vault.encrypt('bob', 'hi')[0], flush=True)\n"
                "    except hsip.Refused as error:\n"
                "        print(error.status, error.message, flush=True)\n"
                "with hsip.Vault() as vault:\n"
                "    seal(vault)\n"
                "    sys.stdin.readline()\n"
                "    seal(vault)\n"
                "with hsip.Vault() as vault:\n"
                "    seal(vault)\n")
        environment = self.alice.environment(
            LD_LIBRARY_PATH=os.path.join(FOLDER, "lib"), HSIP_LIBRARY=os.path.join(FOLDER, "lib", "libhsip.so.1"), **more)
        host = subprocess.Popen([sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                cwd=self.alice.home, env=environment, start_new_session=True)
        try:
            before = host.stdout.readline()
            # Of a file the passphrase stays where it is the one that is typed; the keyring has none.
            self.ok(self.alice, "vault", "rekey", "-y", secret="" if self.alice.is_in_keyring else "passphrase")
            refused, after = host.communicate("\n", timeout=300)[0].splitlines()
        finally:
            host.kill()
            host.wait()
        self.assertEqual(refused, "5 the vault got a new key meanwhile; open the vault again")
        for sealed in (before, after):
            self.assertEqual(self.ok(self.bob, "decrypt", given=sealed).output, "hi\n")


@unittest.skipIf(kr.missing(), kr.missing())
class NewEpochInAKeyring(NewKey):
    """The same with a vault in the keyring, whose key epoch rises."""

    world = MIXED_PAIR

    def test_it_is_told_and_goes_on_when_it_opens_the_vault_again(self):
        self.assertTrue(self.alice.is_in_keyring)
        self.check()


class Guide(ClibCase):
    """The examples of the guide, as printed, with what Scripts/install puts down and nothing else."""

    def setUp(self):
        super().setUp()
        if shutil.which("pkg-config") is None:
            self.skipTest("pkg-config is not installed")
        with open(os.path.join(ROOT, "docs", "guide.md"), encoding="utf-8") as file:
            text = file.read().split("## How do I use the vault from my own program?")[1]
        self.c, self.python = (re.search(rf"```{kind}\n(.*?)```", text, re.DOTALL).group(1) for kind in ("c", "python"))
        self.modules = os.path.join(FOLDER, "lib", "python3.9", "site-packages")
        os.makedirs(self.modules, exist_ok=True)
        shutil.copy(os.path.join(PROGRAMS, "hsip.py"), self.modules)
        with open(os.path.join(ROOT, "Sources", "CHSIP", "hsip.pc.in"), encoding="utf-8") as file:
            facts = file.read()
        with open(os.path.join(ROOT, "Scripts", "install"), encoding="utf-8") as file:
            rpath = re.search(r"\*\) rpath='([^']*)'", file.read()).group(1)
        for name, value in (("PREFIX", FOLDER), ("RPATH", rpath), ("VERSION", "0")):
            facts = facts.replace(f"@{name}@", value)
        with open(os.path.join(FOLDER, "lib", "hsip.pc"), "w", encoding="utf-8") as file:
            file.write(facts)
        self.ok(self.alice, "secret", "set", "registry/ci", given="hunter")

    def note(self, **how) -> subprocess.CompletedProcess:
        source = self.alice.write("files/note.c", self.c)
        command = re.search(r"/\* (cc .*?) \*/", self.c).group(1)
        built = subprocess.run(["sh", "-c", command], cwd=os.path.dirname(source), capture_output=True,
                               env=os.environ | {"PKG_CONFIG_PATH": os.path.join(FOLDER, "lib")})
        self.assertEqual(built.returncode, 0, built.stderr)
        return self.run_program(os.path.join(os.path.dirname(source), "note"), LD_LIBRARY_PATH=None, **how)

    def token(self, **how) -> subprocess.CompletedProcess:
        source = self.alice.write("files/token.py", self.python + "print(token.decode())\n")
        return self.run_program(sys.executable, source, PYTHONPATH=self.modules, PYTHONDONTWRITEBYTECODE="1",
                                LD_LIBRARY_PATH=None, **how)

    def test_they_work_without_an_agent_and_are_in_the_log_under_their_own_names(self):
        self.alice.leaves_agent()
        note, token = self.note(), self.token()
        self.assertEqual((note.returncode, note.stderr), (0, b""))
        self.assertEqual(self.ok(self.bob, "decrypt", given=note.stdout).output, "see you at eight\n")
        self.assertEqual((token.returncode, token.stdout, token.stderr), (0, b"hunter\n", b""))
        entry = self.ok(self.alice, "audit", "--kind", "read", "--json").result["entries"][-1]
        self.assertEqual((entry["subject"], entry["program"], entry["reason"]),
                         ("registry/ci", os.path.realpath(sys.executable), "inProcess"))

    def test_with_an_agent_a_refusal_names_the_lease_and_a_rule_allows_it(self):
        if ag.missing():
            self.skipTest(ag.missing())
        agent = ag.Hsip(self.alice)
        note = self.note(HSIP_PASSPHRASE_FILE=None)
        self.assertEqual((note.returncode, note.stderr), (0, b""))
        token = self.token(HSIP_PASSPHRASE_FILE=None)
        self.assertEqual(token.returncode, 1)
        self.assertEqual(token.stderr.decode().splitlines()[-1],
                         "hsip.Refused: denied: hsip lease run registry/ci --for 20m --reason TEXT -- COMMAND")
        agent.agreed("agent", "rule", "add", "scripts", "allow", "--kind", "read", "--subject", "registry/ci", "--for", "1h")
        token = self.token(HSIP_PASSPHRASE_FILE=None)
        self.assertEqual((token.returncode, token.stdout, token.stderr), (0, b"hunter\n", b""))


class Agents(ClibCase):
    """The same programs where an agent has the vault open."""

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        self.agent = ag.Hsip(self.alice)

    def test_the_agent_serves_the_program(self):
        letter = build("letter.c")
        sealed = self.ends_well(letter, "seal", "bob", given=b"by the agent", HSIP_PASSPHRASE_FILE=None)
        self.assertEqual(self.ok(self.bob, "decrypt", given=sealed.stdout).output, "by the agent\n")
        given = self.ok(self.bob, "encrypt", "alice", given="back").data
        opened = self.ends_well(letter, "open", given=given, HSIP_PASSPHRASE_FILE=None)
        self.assertEqual(opened.stdout, b"back\n")
        self.ends_well(build("threads.c"), HSIP_PASSPHRASE_FILE=None)
        self.ends_well(build("forks.c"), HSIP_PASSPHRASE_FILE=None)

    def test_a_locked_agent_asks_through_the_program(self):
        self.ok(self.alice, "lock", secret=None)
        done = self.run_program(build("letter.c"), "seal", "bob", given=b"hi", HSIP_PASSPHRASE_FILE=None)
        self.assertEqual((done.returncode, done.stderr), (5, b"letter: locked\n"))
        text = ("import sys; sys.path.insert(0, " + repr(PROGRAMS) + ")\nimport hsip\n"
                f"with hsip.Vault(ask=lambda question, secret: {PASSPHRASE!r}.encode() if secret else False) as vault:\n"
                "    print(vault.encrypt('bob', 'hi')[1] > 0)")
        done = self.ends_well(sys.executable, "-c", text, HSIP_PASSPHRASE_FILE=None,
                              HSIP_LIBRARY=os.path.join(FOLDER, "lib", "libhsip.so.1"))
        self.assertEqual(done.stdout, b"True\n")

    def test_an_agent_that_goes_away(self):
        text = ("import sys; sys.path.insert(0, " + repr(PROGRAMS) + ")\nimport hsip, os, signal\n"
                "with hsip.Vault() as vault:\n"
                "    vault.encrypt('bob', 'hi')\n"
                f"    os.kill({self.agent.pid}, signal.SIGKILL)\n"
                "    try:\n"
                "        for _ in range(2): vault.encrypt('bob', 'hi')\n"
                "    except hsip.Refused as refusal: print(refusal.name)")
        done = self.ends_well(sys.executable, "-c", text, HSIP_PASSPHRASE_FILE=None,
                              HSIP_LIBRARY=os.path.join(FOLDER, "lib", "libhsip.so.1"))
        self.assertEqual(done.stdout, b"unavailable\n")


if __name__ == "__main__":
    unittest.main()
