"""What the other tests stand on does what it says."""

import base64
import os
import subprocess
import unittest

import agents as ag
import house
import keyring as kr
import strace
from etcd_place import TOOLS, Authority
from house import Case, Person, World
from prompter import PRIME, Exchange, Prompter


def _prepared():
    alice = Person("alice")
    alice.make_folders()
    alice.start_keyring().add("Prepared", {"xdg:schema": "org.example.Thing", "number": "1"}, b"kept")


PREPARED = World("prepared-keyring", _prepared)


class Agreeing(unittest.TestCase):
    """One key agreement in 256 yields a number that begins with a zero byte; GNOME Keyring leaves it away."""

    def test_a_password_also_travels_under_a_shared_number_that_begins_with_zero(self):
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
        exchange = Exchange()
        private = shared = 0
        while shared == 0 or shared.bit_length() > 191 * 8:
            private += 1
            shared = pow(exchange.public, private, PRIME)
        public = base64.b64encode(pow(2, private, PRIME).to_bytes(192, "big")).decode()
        sent = dict(line.split("=", 1) for line in exchange.send(f"[sx-aes-1]\npublic={public}\n", b"a word").split()[1:])
        key = HKDF(hashes.SHA256(), 16, None, b"").derive(shared.to_bytes(191, "big").lstrip(b"\0"))
        cipher = Cipher(algorithms.AES(key), modes.CBC(base64.b64decode(sent["iv"]))).decryptor()
        opened = cipher.update(base64.b64decode(sent["secret"])) + cipher.finalize()
        self.assertEqual(opened[:-opened[-1]], b"a word")


@unittest.skipIf(kr.missing(), kr.missing())
class Clocks(Case):
    @unittest.skipUnless(house.FAKETIME, "faketime is not installed")
    def test_a_killed_process_of_the_same_number_takes_no_clock_away(self):
        """A clock's semaphore is named after its process; one that is killed leaves it for the next of that number."""
        leave = 'echo $$; head -c 32 /dev/zero >/dev/shm/sem.faketime_sem_$$; exec env "$@" date +%Y'
        clock = [f"{name}={value}" for name, value in ag.clock("2033-05-18 03:33:20").items()]
        told = subprocess.run(["sh", "-c", leave, "sh", *clock], capture_output=True, text=True)
        process, *lines = told.stdout.split()
        left = f"/dev/shm/sem.faketime_sem_{process}"
        if os.path.exists(left):
            os.unlink(left)
        self.assertEqual((lines, told.stderr), (["2033"], ""))

    @unittest.skipUnless(house.FAKETIME and not TOOLS, "etcd's tools and faketime are not installed")
    def test_killed_processes_do_not_keep_a_certificate_from_being_made(self):
        """The program faketime ended with 1 here, once in CI: a killed process had had its number."""
        last = int(subprocess.run(["sh", "-c", "echo $$"], capture_output=True, text=True).stdout)
        left = [f"/dev/shm/sem.faketime_sem_{last + number}" for number in range(1, 100)]
        for path in left:
            with open(path, "wb") as file:
                self.addCleanup(os.unlink, path)
                file.write(bytes(32))
        authority = Authority(self.alice.make_folders() or self.alice.path("files"))
        authority.certify("old", days=-1)
        end = ["openssl", "x509", "-checkend", "0", "-noout", "-in", authority.path("old", "pem")]
        self.assertEqual(subprocess.run(end, capture_output=True).stdout, b"Certificate will expire\n")


class Keyrings(Case):
    world = PREPARED

    def found(self) -> list[bytes]:
        return [item.secret for item in self.alice.keyring.items({"number": "1"})]

    def test_a_keyring_travels_with_its_person(self):
        for _ in range(2):
            self.alice = PREPARED.arrive()[0]
            self.assertEqual(self.found(), [b"kept"])
            self.alice.keyring.add("More", {"number": "1"}, b"more")
        self.assertEqual(sorted(self.found()), [b"kept", b"more"])

    def test_a_keyring_survives_its_daemon_and_its_bus(self):
        self.alice.keyring.restart()
        self.assertEqual(self.found(), [b"kept"])
        self.alice.keyring.kill_bus()
        self.alice.keyring.restart()
        self.assertEqual(self.found(), [b"kept"])

    @unittest.skipUnless(strace.may_attach(), "only root may trace what runs already")
    def test_a_daemon_can_be_struck_in_the_middle_of_a_write(self):
        for call, number, found in (("link", 1, b"kept"), ("rename", 1, b"kept"), ("unlink", 1, b"new"),
                                    ("rename", 9, b"new")):
            self.alice = PREPARED.arrive()[0]
            item, = self.alice.keyring.items({"number": "1"})
            tracer = self.alice.keyring.strike(call, number)
            try:
                self.alice.keyring.set_secret(item.path, b"new")
            except kr.GLib.Error:
                pass
            self.assertEqual(self.alice.keyring.spare(tracer), number == 9, call)
            self.alice.keyring.restart()
            self.assertEqual(self.found(), [found], call)

    def test_a_copy_of_a_person_is_a_copy_of_the_keyring(self):
        self.alice.keep()
        self.alice.keyring.add("Later", {"number": "1"}, b"later")
        self.assertEqual(len(self.found()), 2)
        self.alice.put_back()
        self.assertEqual(self.found(), [b"kept"])

    def test_a_keyring_can_be_locked_and_opened(self):
        self.alice.keyring.lock()
        self.assertEqual(self.alice.keyring.secret_tool("lookup", "number", "1").stdout, b"")
        self.alice.keyring.unlock()
        self.assertEqual(self.alice.keyring.secret_tool("lookup", "number", "1").stdout, b"kept")

    def test_somebody_at_the_screen_opens_it_says_no_or_is_away(self):
        for answer, found in ((kr.PASSWORD, b"kept"), (None, b"")):
            self.alice.keyring.lock()
            person = Prompter(self, self.alice.keyring, answer)
            self.assertEqual(self.alice.keyring.secret_tool("lookup", "number", "1").stdout, found)
            self.assertEqual(len(person.asked), 1)
            self.assertEqual(self.alice.keyring.is_locked(), answer is None)
            person.end()
        person = Prompter(self, self.alice.keyring, Prompter.AWAY)
        waiting = subprocess.Popen(["secret-tool", "lookup", "number", "1"],
                                   env=self.alice.keyring.own_environment(), stdout=subprocess.DEVNULL)
        self.alice.keyring.wait_for(lambda: person.asked, "the question")
        self.assertIsNone(waiting.poll())
        waiting.kill()
        waiting.wait()

    def test_secret_tool_and_this_reader_see_the_same(self):
        stored = self.alice.keyring.secret_tool("store", "--label=Café", "number", "2", given="zwei")
        self.assertEqual(stored.returncode, 0, stored)
        item, = self.alice.keyring.items({"number": "2"})
        self.assertEqual((item.label, item.secret), ("Café", b"zwei"))

    def test_a_full_keyring_is_made_at_once(self):
        person = Person("bob")
        person.make_folders()
        ring = person.start_keyring(foreign=2000)
        paths, _ = ring.service("SearchItems", "(a{ss})", {"xdg:schema": "org.example.Foreign"})
        self.assertEqual(len(paths), 2000)
        self.assertEqual([item.secret for item in ring.items({"number": "1999"})], [b"value 1999"])

    def test_nothing_stays(self):
        folder, daemon, bus = self.alice.keyring.folder, self.alice.keyring.pid, self.alice.keyring._bus.pid
        house.clear_now()
        self.assertFalse(os.path.exists(folder))
        for process in (daemon, bus):
            with self.assertRaises(ProcessLookupError):
                os.kill(process, 0)
