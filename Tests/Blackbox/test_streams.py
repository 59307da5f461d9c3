"""Data on one stream, talk on the other: pipes that close, tables for scripts, JSON of every command."""

import json
import os
import shutil
import signal
import subprocess
import unittest

import keyring as kr
import ssh_keys as sk
import parcel as pc
import sshd
from house import BINARY, FRIENDS, PLACE, VARIABLES, Case, PeerCase, schemas, xc


class Pipes(Case):
    world = FRIENDS

    def closed(self, *words: str, given: bytes = b"") -> subprocess.CompletedProcess:
        """The reader is gone before a byte comes."""
        reading, writing = os.pipe()
        os.close(reading)
        process = self.alice.start(*words, stdout=writing)
        os.close(writing)
        talk = process.communicate(given, timeout=60)[1]
        return process.returncode, talk

    def test_a_closed_pipe_ends_it_without_a_word(self):
        for words, given in ((("contact", "list"), b""), (("encrypt", "bob"), b"x"), (("pair",), b""),
                             (("identity", "show", "--json"), b""), (("--help",), b""), (("version",), b""),
                             (("verify", "bob", "--number"), b"")):
            with self.subTest(words=words):
                code, talk = self.closed(*words, given=given)
                self.assertIn(code, (-signal.SIGPIPE, 128 + signal.SIGPIPE), talk)
                self.assertEqual(talk, b"")
        self.ok(self.alice, "vault", "check")

    def test_head_takes_one_byte(self):
        script = f'"$0" "$@" | head -c 1; echo " ${{PIPESTATUS[0]}}"'
        finished = subprocess.run(["bash", "-c", script, *self.alice.command("encrypt", "bob", "--lines")],
                                  input=b"x\n" * 200, capture_output=True, env=self.alice.environment())
        self.assertEqual(finished.stderr, b"")
        self.assertRegex(finished.stdout.split(b" ")[-1].decode(), r"^(141|0)\n$")
        self.is_friendly(self.alice, self.bob)

    def test_a_full_place_for_the_output(self):
        with open("/dev/full", "wb") as full:
            process = self.alice.start("encrypt", "bob", stdout=full)
            talk = process.communicate(b"x", timeout=60)[1].decode()
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(talk.count("hsip: error: "), 1, talk)
        self.is_friendly(self.alice, self.bob)

    def test_a_closed_standard_input_and_output(self):
        process = subprocess.run(["sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', *self.alice.command("session", "list")],
                                 env=self.alice.environment(), timeout=60)
        self.assertGreater(process.returncode, 0)
        self.ok(self.alice, "vault", "check")


class Words(Case):
    """The words of a command line are those that the program was started with."""

    world = FRIENDS

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if shutil.which("gcc") is None:
            raise unittest.SkipTest("gcc is not installed")
        source = os.path.join(PLACE, "sets_a_variable.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <stdlib.h>\n"
                       "__attribute__((constructor)) static void begin(void) { setenv(\"ADDED\", \"1\", 1); }\n")
        cls.library = os.path.join(PLACE, "sets_a_variable.so")
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", cls.library, source], check=True)

    def test_a_library_that_sets_a_variable_at_the_start_takes_no_word_away(self):
        loaded = {"LD_PRELOAD": self.library}
        self.ok(self.alice, "secret", "set", "mail", given="hunter2\n", **loaded)
        self.assertEqual(self.ok(self.alice, "secret", "get", "mail", **loaded).output, "hunter2")
        self.assertIn("hsip: error:", self.ends(3, self.alice, "secret", "get", "other", **loaded).talk)
        agent = os.path.join(os.path.dirname(BINARY), "hsip-agent")
        self.assertIn("USAGE", subprocess.run([agent, "--help"], capture_output=True, text=True, check=True,
                                              env=self.alice.environment(**loaded)).stdout)

    def test_a_word_that_is_no_text_is_refused_before_anything_is_done(self):
        done = subprocess.run([*self.alice.command("secret", "set"), b"caf\xe9"], input=b"x",
                              capture_output=True, env=self.alice.environment())
        self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr)
        self.assertRegex(done.stderr, rb"argument \d+ is not UTF-8 text")
        self.assertEqual(self.ok(self.alice, "secret", "list").output, "")


class Tables(Case):
    world = FRIENDS

    def test_piped_tables_are_tab_separated(self):
        for words, first in ((("contact", "list"), "bob"), (("session", "list"), "bob")):
            outcome = self.ok(self.alice, *words)
            self.assertEqual(len(outcome.lines), 1, "no heading")
            cells = outcome.lines[0].split("\t")
            self.assertEqual(cells[0], first)
            self.assertNotIn("\x1b", outcome.output)
            self.assertTrue(all(cell == cell.strip() for cell in cells), cells)

    def test_times_in_tables_are_exact(self):
        self.assertRegex(self.ok(self.alice, "session", "list").output, r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")

    def test_a_backslash_is_doubled(self):
        self.ok(self.alice, "contact", "set", "bob", "--alias", "bo\\b")
        for words in (("contact", "list"), ("session", "list")):
            self.assertTrue(self.ok(self.alice, *words).output.startswith("bo\\\\b\t"))

    def test_the_columns_do_not_depend_on_the_window(self):
        wide = self.ok(self.alice, "session", "list", COLUMNS="200").output
        self.assertEqual(self.ok(self.alice, "session", "list", COLUMNS="20").output, wide)


class Talk(Case):
    world = FRIENDS

    def test_quiet_drops_notes_and_warnings_but_no_data_and_no_error(self):
        os.unlink(self.alice.anchor_files()[0])
        self.assertEqual(self.ok(self.alice, "-q", "session", "list").talk, "")
        self.assertIn("hsip: error:", self.ends(3, self.alice, "-q", "encrypt", "nobody", given="x").talk)

    def test_verbose_tells_no_values(self):
        outcome = self.ok(self.alice, "-v", "encrypt", "bob", given="a very particular sentence")
        self.assertNotIn("a very particular", outcome.talk)
        outcome = self.ok(self.bob, "-v", "decrypt", given=outcome.output)
        self.assertNotIn("a very particular", outcome.talk)

    def test_no_colours_in_a_pipe(self):
        outcome = self.alice.run("encrypt", "nobody", given="x")
        self.assertNotIn("\x1b", outcome.talk)
        outcome = self.alice.run("--color", "always", "encrypt", "nobody", given="x")
        self.assertIn("\x1b[", outcome.talk)

    def test_peer_text_in_a_pipe_is_untouched(self):
        message = self.ok(self.bob, "encrypt", "alice", given="\x1b]0;title\x07\u202eabc").output
        self.assertEqual(self.ok(self.alice, "decrypt", given=message).output.removesuffix("\n"),
                         "\x1b]0;title\x07\u202eabc")

    def test_without_utf8_everything_is_ascii(self):
        for words in (("session", "list"), ("contact", "list"), ("status",), ("identity", "show")):
            outcome = self.ok(self.alice, *words, LANG="C")
            self.assertTrue(outcome.output.isascii(), outcome)
            self.assertTrue(outcome.talk.isascii(), outcome)


class Examples(unittest.TestCase):
    """The examples beside the schemas are what the schemas say, and the page names each of them."""

    def test_every_example_is_valid_and_named(self):
        folder = os.path.join(schemas.FOLDER, "examples")
        with open(os.path.join(schemas.FOLDER, "README.md"), encoding="utf-8") as file:
            page = file.read()
        before = set(schemas.SEEN)
        for name in sorted(os.listdir(folder)):
            with self.subTest(name=name), open(os.path.join(folder, name), encoding="utf-8") as file:
                schemas.check_object(file.read())
                self.assertIn(f"(examples/{name})", page)
        schemas.SEEN.clear()
        schemas.SEEN.update(before)


class Dash(Case):
    """`-o -` is standard output in every command, as if there were no -o; no file of that name is ever made."""

    world = FRIENDS

    def tearDown(self):
        self.assertNotIn("-", os.listdir(self.alice.home))
        super().tearDown()

    def test_what_goes_to_standard_output_goes_there(self):
        alice = self.alice
        key = alice.write("files/key", "a key that is long enough\n")
        sealed = self.ok(alice, "text", "encrypt", "--key-file", key, "-o", "-", given="a text").output
        self.assertTrue(sealed.startswith("gcm:"))
        self.assertEqual(self.ok(alice, "text", "decrypt", "--key-file", key, "-o", "-", given=sealed).output, "a text\n")
        message = self.ok(alice, "encrypt", "bob", "--output", "-", given="hello").output
        self.assertEqual(self.ok(self.bob, "decrypt", "--output=-", given=message).output, "hello\n")
        self.assertNotIn("-", os.listdir(self.bob.home))
        self.ok(alice, "secret", "set", "x", given="value")
        self.assertEqual(self.ok(alice, "secret", "get", "x", "-o", "-").output, "value")
        self.assertEqual(self.ok(alice, "secret", "get", "x", "-o", "-", "--json").result["value"], "value")
        self.assertEqual(self.ok(alice, "secret", "inject", "-o", "-", given="<{{ vault:x }}>").output, "<value>")
        self.assertIn("HSIP:OFFER", self.ok(alice, "pair", "-o", "-").output)
        self.assertTrue(self.ok(alice, "qr", "hello", "-o", "-").data.startswith(b"\x89PNG"))
        self.assertEqual(self.ok(alice, "identity", "export", "-o", "-").output, self.ok(alice, "identity", "export").output)
        self.ok(alice, "session", "import", "old", "--peer", "ab" * 32, given=os.urandom(32).hex())
        self.assertEqual(len(self.ok(alice, "session", "export", "old", "-o", "-").output), 45)
        self.ok(alice, "ssh", "key", "generate", "work")
        self.assertIn("ssh-ed25519", self.ok(alice, "ssh", "key", "export", "work", "--public", "-o", "-").output)
        self.assertEqual(self.ok(alice, "ssh", "host", "export", "--profiles", "-o", "-").output.strip(), "[]")

    def test_what_only_a_file_will_do_for_is_refused(self):
        alice = self.alice
        key = alice.write("files/key", "a key that is long enough\n")
        self.ends(7, alice, "vault", "export", "--to", "hsip", "-o", "-", "--export-passphrase-file", key)
        self.ends(7, alice, "vault", "slot", "add", "recovery", "-o", "-")
        self.ends(2, alice, "vault", "kit", "-o", "-", "--json")
        self.ends(7, alice, "vault", "shares", "make", "--threshold", "2", "--shares", "3", "-o", "-")
        self.ends(7, alice, "--vault", "third", "init", "--name", "T", "-o", "-", secret="passphrase")
        self.ends(7, alice, "ssh", "key", "export", "--all", "-o", "-")


class EveryCommand(Case):
    """A walk through every command with --json; each object is checked by its schema as it comes."""

    world = FRIENDS

    def test_every_command_in_the_schemas_speaks_json(self):
        alice = self.alice
        with open(os.path.join(schemas.FOLDER, "envelope.schema.json"), encoding="utf-8") as file:
            commands = set(json.load(file)["properties"]["command"]["enum"]) - {"hsip"}
        before = set(schemas.SEEN)
        schemas.SEEN.clear()
        peer = xc.Peer(name="Quentin")
        files = alice.path("files")

        def go(*words, given="", code=0, secret=""):
            outcome = alice.run(*words, "--json", given=given, secret=secret)
            self.assertEqual(outcome.code, code, outcome)
            return outcome

        go("--vault", "second", "init", "--name", "Second", "-o", f"{files}/recovery", secret="passphrase")
        for words in (("status",), ("identity", "show"), ("identity", "set", "--name", "Alys"),
                      ("identity", "export"), ("contact", "list"), ("contact", "show", "bob"),
                      ("contact", "set", "bob", "--note", "n"), ("session", "list"), ("session", "show", "bob"),
                      ("verify", "bob"), ("verify", "bob", "--number"), ("verify", "bob", "--code"),
                      ("verify", "bob", "--words"), ("vault", "slot", "list"), ("vault", "slot", "test"),
                      ("vault", "check"), ("vault", "migrate"), ("version",), ("completion", "bash"), ("completion", "zsh"),
                      ("completion", "fish"), ("complete", "contacts"), ("pair",), ("pair", "bob"), ("pair", "bob", "--offer"),
                      ("pair", "--qr", "png", "-o", f"{files}/o.png"), ("pair", "--qr", "svg", "-o", f"{files}/o.svg"),
                      ("session", "rotate", "bob"), ("pair", "--close-all"),
                      ("vault", "slot", "add", "recovery", "-o", f"{files}/r2"),
                      ("qr", "hello", "-o", f"{files}/q.png"), ("qr", "--read", f"{files}/q.png")):
            with self.subTest(words=words):
                go(*words)
        doctor = alice.run("doctor", "--json")
        self.assertEqual(doctor.code, doctor.result["exit"])
        number = str(go("vault", "slot", "list").result["slots"][-1]["number"])
        with self.subTest("slots"):
            alice.write("secrets/new", "some other passphrase\n")
            go("vault", "slot", "set", "1", "--new-passphrase-file", alice.path("secrets", "new"), "-y")
            alice.write("secrets/new", "yet another passphrase\n")
            go("vault", "passphrase", "--new-passphrase-file", alice.path("secrets", "new"), "-y")
            kit = go("vault", "kit", "--slot", number, "-o", f"{files}/kit.pdf", "-y").result
            self.assertEqual((kit["replacedNumber"], kit["kitFile"]), (int(number), f"{files}/kit.pdf"))
            go("vault", "slot", "rm", str(kit["slot"]["number"]), "-y")
        with self.subTest("shares"):
            go("vault", "shares", "make", "--threshold", "2", "--shares", "3", "-o", f"{files}/share", "-y")
            go("vault", "shares", "list")
            go("vault", "shares", "end", "-y")
        with self.subTest("a copy of the vault"):
            go("vault", "rekey", "-y", "--drop", "passphrase")
            go("vault", "backup", f"{files}/copy")
            os.mkdir(f"{files}/copies")
            for _ in range(2):
                go("vault", "backup", "--to", f"{files}/copies")
            go("vault", "backup", "--verify", f"{files}/copy")
            go("vault", "backup", "--drill", f"{files}/copy")
            go("vault", "backup", "--to", f"{files}/copies", "--forget-old")
            go("vault", "repair", "-o", f"{files}/saved")
            go("vault", "exposed", "--since", "1d")
        with self.subTest("accept"):
            answer = go("accept", "-y", "--as", "quentin", given=peer.make_offer())
            peer.take_answer(answer.result["reply"]["code"], save_as="alice")
            go("decrypt", given=peer.seal("alice", "x"))
            go("encrypt", "quentin", given="x")
            go("accept", "-y", given=peer.start_rotate("alice"))
            go("accept", "-y", given=peer.verify_text("alice"))
            peer.take_accept(go("pair", "quentin").result["code"])
            go("decrypt", given=peer.seal("alice", "under the new key"))
            go("accept", "-y", given=peer.take_rotate(go("session", "rotate", "quentin").result["code"]))
            go("accept", "-y", given=peer.revoke_session("alice", 3))
        with self.subTest("a new key"):
            new = xc.Peer(name="Quentin")
            number = xc.safety_number(new.identity, peer.contact("alice").identity)
            go("contact", "replace-key", "quentin", "--expect", number, given=new.make_offer())
        with self.subTest("legacy"):
            go("session", "import", "old", "--peer", "ab" * 32, given=os.urandom(32).hex())
            go("session", "export", "old", "-o", f"{files}/old.key")
        with self.subTest("secrets"):
            go("secret", "set", "s", "--user", "me", "--expires", "1d", "--tag", "t", given="v")
            for words in (("get", "s"), ("list",), ("show", "s"), ("mv", "s", "s2"), ("rm", "s2"), ("list", "--trash"),
                          ("restore", "s2"), ("cp", "s2", "s3")):
                go("secret", *words)
            editor = alice.write("files/editor", "#!/bin/sh\nsed -i 's/^tags: t$/tags: u/' \"$1\"\n")
            os.chmod(editor, 0o700)
            edited = alice.run("secret", "edit", "s3", "--json", EDITOR=editor)
            self.assertEqual((edited.code, edited.result["tags"]), (0, ["u"]), edited)
        with self.subTest("secrets for a contact"):
            friend = xc.Peer(name="Gina")
            answer = go("accept", "-y", "--in-person", "--as", "gina", given=friend.make_offer())
            friend.take_answer(answer.result["reply"]["code"], save_as="alice")
            go("secret", "send", "s2", "--to", "gina")
            go("secret", "withdraw", "s2", "--from", "gina")
            go("secret", "shared")
            content = pc.Credential("login", 1, 1_700_000_000, {"password": b"v"}).content()
            given = pc.Parcel(pc.GIVE, os.urandom(16), 1, 1_700_000_000, "theirs", content=content)
            pairing = friend.contact("alice").sending_pairing()
            key = os.urandom(32)
            message = pc.seal_key_message(pairing.send_key(friend._sending_epoch(pairing)), friend.peer_id,
                                          os.urandom(12), key)
            go("secret", "receive", given=pc.write(pc.seal(message, key, given.plaintext())))
        with self.subTest("secrets made, judged and used"):
            alice.write("secrets/word", "a passphrase of its own\n")
            go("secret", "generate", "made")
            go("secret", "check")
            go("secret", "totp", "code", "--set", "-",
               given="otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
            go("secret", "inject", "-o", f"{files}/filled", given="{{ vault:made }}")
            sealed = go("text", "encrypt", "--key-file", alice.path("secrets", "word"), given="a text").result["text"]
            go("text", "decrypt", "--key-file", alice.path("secrets", "word"), given=sealed)
            go("text", "history", "on")
            go("text", "decrypt", "--key-file", alice.path("secrets", "word"), given=sealed)
            for words in (("list",), ("rm", "1"), ("clear", "-y"), ("off",)):
                go("text", "history", *words)
            go("vault", "import", alice.write("files/t.csv", "name,username,password\nmail,bob,x\n"))
            go("vault", "export", "--to", "hsip", "-o", f"{files}/v.hsipexport", "--export-passphrase-file",
               alice.path("secrets", "word"))
            go("config")
        # What these write is another program's, or needs a terminal; their failures are objects like all others.
        commands -= {"run", "keyring run", "lease run", "lease end", "git-credential-hsip", "docker-credential-hsip", "agent terminal"}
        commands -= {"agent requests answer"}
        # It is about shares of two contacts who were compared: test_gifts has them, and looks at the same schema.
        commands -= {"vault shares show"}
        with self.subTest("items of programs"):
            commands -= self.walk_through_items(go)
        with self.subTest("ssh keys"):
            go("ssh", "key", "generate", "work", "--sign", "git")
            go("ssh", "key", "export", "work", "--no-passphrase", "--expect", "work", "-o", f"{files}/id")
            go("ssh", "key", "export", "work", "--public")
            for words in (("key", "import", f"{files}/id"), ("key", "list"), ("key", "show", "work"),
                          ("key", "set", "work", "--confirm"), ("signing-key",), ("signers",),
                          ("key", "rotate", "work"), ("key", "rm", "work"), ("key", "restore", "work")):
                go("ssh", *words)
        with self.subTest("ssh hosts"):
            commands -= self.walk_through_hosts(go)
        with self.subTest("the agent"):
            self.walk_through_the_agent(go)
        with self.subTest("several machines"):
            os.makedirs(f"{files}/shared")
            go("setup", "sync", "folder", f"{files}/shared", "--name", "laptop")
            go("sync")
            go("sync", "head")
            go("sync", "conflicts")
            go("machine")
            go("machine", "paper", "-o", f"{files}/paper")
            go("setup", "sync", "timer", "--print")
            go("setup", "sync", "etcd", "https://127.0.0.1:2379", "--print-etcd", "--user", "laptop")
            go("setup", "sync", "--undo", "-y")
            go("sync", "recover", "folder", f"{files}/shared", "--code-file", f"{files}/paper", "--name", "tablet")
            go("setup", "sync", "--undo", "-y")
            go("setup", "sync", "join", "--name", "laptop")
            # They need git or another machine: the test_sync modules have them, and look at the same schemas.
            commands -= {"setup sync git", "sync settle", "machine revoke"}
        with self.subTest("ends"):
            go("session", "revoke", "bob", "-y")
            go("contact", "rm", "bob", "-y")
            go("contact", "restore", "bob")
            go("identity", "revocation-notice", "-y")
            go("identity", "renew", "-y")
            go("vault", "restore", f"{files}/copy", "--force", "--accept-rollback", "-y")
        seen = {command for command, success in schemas.SEEN if success}
        schemas.SEEN.update(before)
        self.assertEqual(commands - seen, set(), "commands whose JSON nobody saw")

    def walk_through_items(self, go) -> set[str]:
        """Every command for the items of programs; those that cannot be seen here."""
        if kr.missing():
            go("item", "list")
            return {f"item {word}" for word in ("show", "get", "set", "rm", "restore", "import", "export")}
        opens_with = self.alice.opens_with
        bus = self.alice.start_keyring()
        self.alice.opens_with = opens_with
        try:
            bus.add("mail", {"xdg:schema": "org.example.Mail", "user": "one"}, b"v")
            go("item", "import", "--from", "keyring", "--dry-run")
            item = go("item", "import", "--from", "keyring", "-y").result["items"][0]["id"]
            for words in (("list",), ("show", item), ("get", item), ("set", item, "--label", "post"),
                          ("export", "--to", "keyring", "--expect", "1"), ("rm", item), ("restore", item)):
                go("item", *words)
        finally:
            self.alice.keyring = None
            bus.end()
        return set()

    def walk_through_the_agent(self, go) -> None:
        """Every command for the agent, and what is set up for it."""
        go("agent", "env")
        outcome = go("agent", "status", code=12)
        self.assertEqual(outcome.json["error"]["code"], "noAgent")
        go("lock")
        go("agent", "start")
        try:
            go("unlock", "--for", "1h")
            go("agent", "status")
            self.assertEqual(go("agent", "blocked", "--clear").result["programs"], [])
            self.assertEqual(go("lease").result["leases"], [])
            self.assertEqual(go("agent", "requests").result["requests"], [])
            go("status")
            go("lock")
            go("agent", "restart")
        finally:
            go("agent", "stop")
        go("ssh", "key", "generate", "signs", "--sign", "git")
        go("agent", "rule", "add", "never", "deny", "--kind", "raw")
        self.assertIn("never", go("agent", "rule", "list").output)
        go("agent", "rule", "rm", "never")
        go("audit", "list")
        go("audit", "verify")
        for name in ("systemd", "desktop", "git", "docker"):
            go("setup", name, "-y")
            go("setup", name, "--check")
            go("setup", name, "--undo", "-y")
        copies = self.alice.path("files", "timed")
        os.mkdir(copies)
        go("setup", "backup", "--to", copies, "-y")
        go("setup", "backup", "--to", copies, "--check")
        go("setup", "backup", "--undo", "-y")
        # Where no bus is, nothing can be set up, and nothing is.
        go("setup", "keyring", "--undo", "-y")

    def walk_through_hosts(self, go) -> set[str]:
        """Every command for hosts; those that cannot be seen here."""
        key, new = (sk.make(self.alice.path("files", name)) for name in ("host", "new"))
        host, lines, profiles = ("ssh", "host"), self.alice.path("files", "lines"), self.alice.path("files", "profiles")
        go(*host, "add", "db1", "--address", "db1.example.org", "--user", "deploy", "--auth", "password")
        go(*host, "set", "db1", "--port", "2222")
        go(*host, "default", "db1")
        go(*host, "trust", "db1", "--key", key + ".pub", "--expect", sk.fingerprint(key))
        go(*host, "replace", "db1", "--key", new + ".pub", "--expect", sk.fingerprint(new))
        go(*host, "revoke", "db1", "--key", key + ".pub", "-y")
        for words in (("list",), ("list", "--keys"), ("show", "db1"), ("export",), ("export", "-o", lines),
                      ("export", "--profiles", "-o", profiles), ("import", lines), ("import", "--profiles", profiles),
                      ("rm", "db1"), ("restore", "db1"), ("rm", "--keys", "db1"), ("restore", "--keys", "db1")):
            go(*host, *words)
        go("ssh", "config")
        go("setup", "ssh", "-y")
        go("ssh", "known-hosts", "--for", "ORDER", "--host", "db1")
        if sshd.missing():
            return {"ssh host probe"}
        server = sshd.Server(self)
        go(*host, "trust", f"127.0.0.1:{server.port}", "-y")
        go(*host, "probe", f"127.0.0.1:{server.port}")
        return set()

    def test_failures_are_one_object_too(self):
        for words, name in ((("encrypt", "nobody"), "unknownContact"), (("session", "show", "nobody"), "unknownContact"),
                            (("contact", "rm", "nobody", "-y"), "unknownContact"), (("accept", "-y"), "noCode"),
                            (("decrypt",), "noMessage"), (("pair", "--frob"), "usage"), (("nonsense",), "usage"),
                            (("session", "revoke", "bob"), "inputNeeded")):
            with self.subTest(words=words):
                self.refused(name, self.alice, *words, plain=False)


class Secrecy(PeerCase):
    """What must not be found anywhere."""

    def test_no_secret_stands_in_words_variables_files_or_children(self):
        self.pair_with_peer()
        text = "a very particular sentence"
        log = os.path.join(PLACE, "trace")
        trace = ("strace", "-f", "-qq", "-v", "-s", "65536", "-e", "trace=execve", "-o", log)
        picture = self.alice.path("files", "offer.png")
        self.ok(self.alice, "encrypt", "quentin", given=text, before=trace)
        read = self.ok(self.alice, "decrypt", given=self.peer.seal("alice", text + " back"))
        self.ok(self.alice, "pair", "--qr", "png", "-o", picture)
        key = os.urandom(32)
        self.ok(self.alice, "session", "import", "old", "--peer", os.urandom(32).hex(), given=key.hex())
        other = xc.Peer(name="Other")
        self.alice.run("accept", "-y", picture, before=trace[:-1] + (log + "2",))
        with open(log, "rb") as file, open(log + "2", "rb") as second:
            words = file.read() + second.read()
        needles = {"passphrase": b"correct horse", "recovery": self.alice.recovery.encode(), "text": text.encode(),
                   "key": key.hex().encode()}
        for name, needle in needles.items():
            self.assertNotIn(needle, words, f"the {name} in words or variables of a program")
        epoch = self.peer.contact("alice").sending_pairing().cur.keys
        needles |= {"raw key": key, "chain": epoch.chain, "sending key": epoch.i2r, "receiving key": epoch.r2i,
                    "peer's name": b"quentin"}
        for folder, _, names in os.walk(self.alice.home):
            if folder.startswith(self.alice.path("secrets")):
                continue
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    content = file.read()
                for what, needle in needles.items():
                    self.assertNotIn(needle, content, f"the {what} in {os.path.join(folder, name)}")
        self.assertTrue(read.output)
        self.assertTrue(other)

    def test_a_waiting_process_gives_nothing_away(self):
        process = self.alice.start("encrypt", "bob", "--lines")
        try:
            folder = f"/proc/{process.pid}"
            for name in ("cmdline", "environ"):
                with open(f"{folder}/{name}", "rb") as file:
                    content = file.read()
                self.assertNotIn(b"correct horse", content)
                self.assertNotIn(self.alice.recovery.encode(), content)
        finally:
            process.communicate(b"", timeout=60)

    def test_no_core_and_no_tracing(self):
        self.pair_with_peer()
        process = self.alice.start("encrypt", "quentin", "--lines")
        try:
            process.stdin.write(b"x\n")
            process.stdin.flush()
            process.stdout.readline()
            with open(f"/proc/{process.pid}/limits", encoding="ascii") as file:
                core = next(line for line in file if line.startswith("Max core file size"))
            self.assertEqual(core.split()[4:6], ["0", "0"], core)
            if os.geteuid() == 0:
                self.assertEqual(os.stat(f"/proc/{process.pid}/environ").st_uid, 0)
        finally:
            process.communicate(b"", timeout=60)

    def test_only_private_files_are_made(self):
        self.pair_with_peer()
        for folder, folders, names in os.walk(self.alice.home):
            for name in folders + names:
                mode = os.lstat(os.path.join(folder, name)).st_mode
                self.assertEqual(mode & 0o077, 0, os.path.join(folder, name))

    def test_nothing_is_left_in_the_temporary_folders(self):
        self.pair_with_peer()
        self.ok(self.alice, "pair", "--qr", "png", "-o", self.alice.path("files", "o.png"))
        leftovers = os.listdir(self.alice.path("run"))
        self.assertEqual([name for name in leftovers if name != "hsip"], [])
        self.assertEqual(set(os.listdir(self.alice.home)), {*VARIABLES.values(), "secrets", "files"})
