"""Files of any size for a contact: sealed, opened, damaged, interrupted (Schemas/file-container.md)."""

import base64
import os
import signal
import subprocess
import time

import agents as ag
import file_container as fc
import strace
import hsip_xc1 as xc
from house import FRIENDS, Case, Person, PeerCase
from test_faults import may_mount

SIZES = [0, 1, 65535, 65536, 65537, 262144, 262145, 1_000_000]


def content(count: int) -> bytes:
    return bytes(range(251)) * (count // 251 + 1) if count else b""


class FileCase(Case):
    world = FRIENDS

    def setUp(self):
        super().setUp()
        self.folder = self.alice.path("files")
        os.makedirs(self.folder, mode=0o700, exist_ok=True)

    def file(self, name: str, data: bytes | None = None) -> str:
        path = os.path.join(self.folder, name)
        if data is not None:
            with open(path, "wb") as file:
                file.write(data)
        return path

    def read(self, path: str) -> bytes:
        with open(path, "rb") as file:
            return file.read()

    def seal(self, data: bytes, *words: str) -> bytes:
        return self.ok(self.alice, "encrypt", "bob", "--file", "-", *words, given=data).data

    def names(self) -> list[str]:
        return sorted(os.listdir(self.folder))


class Journeys(FileCase):
    def test_every_size_comes_back(self):
        sent, received = self.session(self.alice, "bob")["sent"], self.session(self.bob, "alice")["received"]
        for count in SIZES:
            with self.subTest(count=count):
                data = content(count)[:count]
                plain, out = self.file(f"f{count}", data), self.file(f"out{count}")
                sealed = self.ok(self.alice, "encrypt", "bob", "--file", plain)
                self.assertEqual(sealed.data, b"")
                self.assertEqual(self.read(plain), data)
                self.assertEqual(os.stat(f"{plain}.hsip").st_mode & 0o777, 0o600)
                self.assertEqual(os.stat(f"{plain}.hsip").st_size, 102 + count + 16 * max(1, -(-count // 65536)))
                self.ok(self.bob, "decrypt", f"{plain}.hsip", "-o", out)
                self.assertEqual(self.read(out), data)
                self.assertEqual(os.stat(out).st_mode & 0o777, 0o600)
        self.assertEqual(self.session(self.alice, "bob")["sent"], sent + len(SIZES), "one number a file")
        self.assertEqual(self.session(self.bob, "alice")["received"], received + len(SIZES))

    def test_through_pipes(self):
        data = content(300_000)
        sealed = self.seal(data)
        self.assertEqual(self.ok(self.bob, "decrypt", given=sealed).data, data)
        self.assertEqual(self.ok(self.bob, "decrypt", "-", "-o", "-", given=sealed).data, data)
        plain = self.file("plain", data)
        self.assertEqual(fc.MAGIC, self.ok(self.alice, "encrypt", "bob", "--file", plain, "-o", "-").data[:8])

    def test_json(self):
        data, plain, out = content(70_000), self.file("p", content(70_000)), self.file("o")
        sealed = self.ok(self.alice, "encrypt", "bob", "--file", plain, "--json").result
        self.assertEqual((sealed["file"], sealed["bytes"], sealed["contact"]),
                         (f"{plain}.hsip", len(data), "bob"))
        opened = self.ok(self.bob, "decrypt", f"{plain}.hsip", "-o", out, "--json").result
        self.assertEqual((opened["file"], opened["bytes"], opened["contact"], opened["repeated"]),
                         (out, len(data), "alice", False))
        self.ends(7, self.bob, "decrypt", f"{plain}.hsip", "--json")
        self.ends(7, self.alice, "encrypt", "bob", "--file", "-", "--json", given=b"x")

    def test_again_is_said(self):
        sealed, out = self.seal(b"again"), self.file("out")
        self.assertNotIn("before", self.ok(self.bob, "decrypt", "-o", out, given=sealed).talk)
        again = self.ok(self.bob, "decrypt", "-o", out, "--force", "--json", given=sealed)
        self.assertTrue(again.result["repeated"])
        self.assertEqual(again.warnings, ["openedBefore"])

    def test_what_is_there_stays_there(self):
        plain, taken = self.file("p", b"secret"), self.file("p.hsip", b"mine")
        before = self.alice.rows()
        self.ends(4, self.alice, "encrypt", "bob", "--file", plain)
        self.assertEqual(self.alice.rows(), before, "no number is lost to a place that is taken")
        self.assertEqual(self.read(taken), b"mine")
        self.ok(self.alice, "encrypt", "bob", "--file", plain, "--force")
        out = self.file("out", b"mine too")
        self.ends(4, self.bob, "decrypt", taken, "-o", out)
        self.assertEqual(self.read(out), b"mine too")
        self.ok(self.bob, "decrypt", taken, "-o", out, "--force")
        self.assertEqual(self.read(out), b"secret")
        self.assertEqual(self.names(), ["out", "p", "p.hsip"])

    def test_through_the_agent(self):
        if ag.missing():
            self.skipTest(ag.missing())
        data = content(200_000)
        there = self.seal(data)
        agent = ag.Hsip(self.bob)
        self.bob.opens_with = None
        self.assertEqual(self.ok(self.bob, "decrypt", given=there).data, data)
        back = self.ok(self.bob, "encrypt", "alice", "--file", "-", given=data).data
        self.assertTrue(agent.is_alive())
        self.assertEqual(self.ok(self.alice, "decrypt", given=back).data, data)


class WrongWords(FileCase):
    def test_one_file_as_it_is(self):
        plain = self.file("p", b"x")
        for words in (("--lines",), ("--copy",), ("--stealth",), ("--verbose-form",), (plain,)):
            with self.subTest(words=words):
                self.ends(2, self.alice, "encrypt", "bob", "--file", plain, *words)
        sealed = self.file("s.hsip", self.seal(b"x"))
        for words in (("--inline",), ("-0",), ("--stealth",)):
            self.ends(2, self.bob, "decrypt", sealed, *words)
        self.assertEqual(self.names(), ["p", "s.hsip"])

    def test_what_is_not_there(self):
        plain = self.file("p", b"x")
        before = self.alice.rows()
        self.ends(3, self.alice, "encrypt", "bob", "--file", self.file("none"))
        self.ends(3, self.alice, "encrypt", "nobody", "--file", plain)
        self.ends(3, self.alice, "encrypt", "bob", "--file", plain, "-o", self.file("no/folder"))
        self.assertNotEqual(self.alice.run("encrypt", "bob", "--file", self.folder).code, 0)
        self.assertEqual(self.alice.rows(), before)
        self.assertEqual(self.names(), ["p"])


class Damage(FileCase):
    def setUp(self):
        super().setUp()
        self.data = content(262144 + 65536 + 5)[:262144 + 65536 + 5]
        self.sealed = self.seal(self.data)

    def refuses(self, name: str, data: bytes, **how):
        """By that name, with nothing left behind; on stdout nothing that was not verified."""
        path, out = self.file("x.hsip", data), self.file("out")
        outcome = self.bob.run("decrypt", path, "-o", out, "--json")
        self.assertEqual(outcome.json["error"]["code"], name, outcome)
        self.assertEqual(outcome.code, self.number_of(name))
        self.assertEqual(self.names(), ["x.hsip"], "nothing is left")
        piped = self.bob.run("decrypt", path)
        self.assertEqual(piped.code, outcome.code, piped)
        self.assertTrue(self.data.startswith(piped.data), "only what was verified")

    def test_cut(self):
        size, end = fc.CHUNK + 16, len(self.sealed)
        for name, at in (("fileCut", 102), ("fileCut", 102 + size), ("fileCut", 102 + 4 * size), ("fileCut", 102 + 5),
                         ("fileCut", 102 + 5 * size), ("fileCut", 102 + 5 * size + 7), ("fileChanged", end - 1),
                         ("fileChanged", 102 + size + 100), ("malformedFile", 101), ("malformedFile", 9),
                         ("malformedFile", 8)):
            with self.subTest(at=at):
                self.refuses(name, self.sealed[:at])

    def test_changed(self):
        size = fc.CHUNK + 16
        chunks = [self.sealed[102 + n * size:102 + (n + 1) * size] for n in range(6)]
        head = self.sealed[:102]
        for label, data in (
            ("swapped", head + chunks[1] + chunks[0] + b"".join(chunks[2:])),
            ("swapped far", head + chunks[4] + b"".join(chunks[1:4]) + chunks[0] + chunks[5]),
            ("left out", head + b"".join(chunks[:2] + chunks[3:])), ("twice", head + b"".join(chunks[:5] + chunks[4:])),
            ("more", self.sealed + b"\0"), ("much more", self.sealed + chunks[0]),
            ("another file's", head + self.seal(self.data)[102:]),
            *((f"bit {at}", self.sealed[:at] + bytes([self.sealed[at] ^ 1]) + self.sealed[at + 1:])
              for at in (102, 102 + size - 1, 102 + 3 * size + 7, len(self.sealed) - 1)),
        ):
            with self.subTest(label):
                self.refuses("fileChanged", data)

    def test_the_header(self):
        for at, name in ((8, "unsupportedVersion"), (9, "malformedFile"), (20, "unknownSender"), (44, "cannotOpen"),
                         (60, "cannotOpen"), (101, "cannotOpen")):
            with self.subTest(at=at):
                self.refuses(name, self.sealed[:at] + bytes([self.sealed[at] ^ 1]) + self.sealed[at + 1:])

    def test_what_is_no_sealed_file(self):
        for data in (b"", b"text", b"\x89HSIPE\r\n" + self.sealed[8:], self.ok(self.alice, "encrypt", "bob", given="x").data):
            with self.subTest(data=data[:9]):
                self.refuses("malformedFile", data)
        text = self.file("text", b"no message")
        self.ends(3, self.bob, "decrypt", text)

    def test_ones_own(self):
        path = self.file("x.hsip", self.sealed)
        self.refused("ownFile", self.alice, "decrypt", path, "-o", self.file("out"))
        self.assertEqual(self.names(), ["x.hsip"])

    def test_the_key_of_a_file_is_no_message_and_a_message_no_key(self):
        key = base64.b64encode(self.sealed[9:102]).decode()
        self.ends(11, self.bob, "decrypt", given="\U0001F512" + key)
        text = self.ok(self.alice, "encrypt", "bob", given="0123456789abcdef0123456789abcdef").output.strip()
        message = base64.b64decode(text.removeprefix("\U0001F512"))
        self.assertEqual(len(message), 93)
        self.refuses("cannotOpen", fc.MAGIC + b"\x01" + message + self.sealed[102:])
        self.assertEqual(self.ok(self.bob, "decrypt", given=text).output.strip(), "0123456789abcdef0123456789abcdef")


class Interrupted(FileCase):
    def half(self, person: Person, *words: str, given: bytes) -> subprocess.Popen:
        """A call that has read all of this and waits for more."""
        running = person.start(*words)
        running.stdin.write(given)
        running.stdin.flush()
        # It has read when the pipe is empty.
        import fcntl
        import struct
        import termios
        while struct.unpack("i", fcntl.ioctl(running.stdin.fileno(), termios.FIONREAD, b"\0" * 4))[0] > 0:
            self.assertIsNone(running.poll())
            time.sleep(0.01)
        return running

    def end(self, running: subprocess.Popen, number: int) -> int:
        running.send_signal(number)
        running.communicate(timeout=60)
        return running.returncode

    def test_killed_in_the_middle_leaves_nothing(self):
        sealed = self.seal(content(2_000_000))
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                running = self.half(self.bob, "decrypt", "-", "-o", self.file("out"), given=sealed[:1_500_000])
                self.assertNotEqual(self.end(running, number), 0)
                self.assertEqual(self.names(), [])
                running = self.half(self.alice, "encrypt", "bob", "--file", "-", "-o", self.file("o"), given=b"x" * 900_000)
                self.assertNotEqual(self.end(running, number), 0)
                self.assertEqual(self.names(), [])
        self.assertEqual(len(self.ok(self.bob, "decrypt", given=sealed).data), len(content(2_000_000)), "and again, whole")

    def test_a_reader_that_goes_away(self):
        sealed = self.seal(content(2_000_000))
        running = self.bob.start("decrypt")
        running.stdout.close()
        try:
            running.stdin.write(sealed)
            running.stdin.close()
        except BrokenPipeError:
            # It ended before it had read all.
            pass
        self.assertEqual(running.wait(timeout=60), 128 + signal.SIGPIPE)
        self.assertEqual(running.stderr.read(), b"")
        running.stderr.close()

    def test_a_disk_that_is_full(self):
        sealed = self.file("s.hsip", self.seal(content(100_000)))
        self.ends(12, self.bob, "decrypt", sealed, "-o", "/dev/full")
        self.ends(12, self.alice, "encrypt", "bob", "--file", sealed, "-o", "/dev/full")

    def test_a_small_disk(self):
        if not may_mount():
            self.skipTest("no mount namespace of our own")
        sealed, place = self.file("s.hsip", self.seal(content(2_000_000))), self.file("small")
        os.mkdir(place)
        script = f'mount -t tmpfs -o size=1m none {place}; "$@" decrypt {sealed} -o {place}/out; echo "code $?"; ls -A {place}'
        finished = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *self.bob.command()], capture_output=True,
                                  env=self.bob.environment(), timeout=120)
        self.assertEqual(finished.stdout.decode(), "code 12\n", finished)
        self.assertIn("disk is full", finished.stderr.decode())
        self.ok(self.bob, "decrypt", sealed, "-o", self.file("out"))

    def test_a_file_system_without_files_that_have_no_name(self):
        """Theirs is beside its place for the time of writing, and taken away on failure."""
        if not strace.works() or not strace.may_attach():
            self.skipTest("strace cannot be used here")
        data = content(300_000)
        sealed = self.file("s.hsip", self.seal(data))
        cut = self.file("c.hsip", self.read(sealed)[:-1])
        refusing = strace.inject("openat", "error=EOPNOTSUPP", "1", self.folder)
        for words, code in (((sealed, "-o", self.file("out")), 0), ((cut, "-o", self.file("two")), 11)):
            outcome = self.bob.run("decrypt", *words, before=refusing)
            self.assertEqual(outcome.code, code, outcome)
        self.assertEqual(self.read(self.file("out")), data)
        self.assertEqual(self.names(), ["c.hsip", "out", "s.hsip"])


class SecondImplementation(PeerCase):
    """The same bytes, made and read by Python."""

    def setUp(self):
        super().setUp()
        self.pair_with_peer()

    def keys(self):
        pairing = self.peer.contact("alice").sending_pairing()
        return pairing, self.peer._sending_epoch(pairing)

    def test_files_go_both_ways(self):
        for count in SIZES:
            with self.subTest(count=count):
                data = content(count)[:count]
                pairing, epoch = self.keys()
                epoch.sent += 1
                file_key = os.urandom(32)
                nonce = xc.hedged_nonce(pairing.nonce_key(epoch), os.urandom(16), epoch.sent, file_key)
                head = fc.header(fc.seal_key_message(pairing.send_key(epoch), self.peer.peer_id, nonce, file_key))
                self.assertEqual(self.ok(self.alice, "decrypt", given=fc.seal(head, file_key, data)).data, data)
                sealed = self.ok(self.alice, "encrypt", "quentin", "--file", "-", given=data).data
                opened = fc.open_key_message(pairing.receive_key(epoch), fc.read_header(sealed))
                self.assertEqual(fc.open_file(sealed, opened), data)
