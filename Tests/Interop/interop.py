"""Black-box conversations between the program and the second implementation.

Everything goes over the command line, in private folders. The program is named by the environment:

    HSIP_BIN=.build/debug/hsip python3 Tests/Interop/interop.py -v

Without HSIP_BIN every test is skipped. A failure prints the command, its exit code and both its outputs.
"""

import base64
import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from dataclasses import replace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import hsip_xc1 as xc  # noqa: E402
import vault_file as vf  # noqa: E402

PASSPHRASE = "correct horse battery staple"
BINARY = os.environ.get("HSIP_BIN")


class Outcome:
    """What one call of the program did."""

    def __init__(self, command: list[str], finished: subprocess.CompletedProcess):
        self.command = command
        self.code = finished.returncode
        self.output = finished.stdout.decode("utf-8", "replace")
        self.talk = finished.stderr.decode("utf-8", "replace")

    def __str__(self):
        return (f"\n  command  {' '.join(self.command)}\n  exit     {self.code}"
                f"\n  stdout   {self.output!r}\n  stderr   {self.talk!r}")

    @property
    def reply(self) -> str:
        """The code on standard output."""
        return xc.code_text(xc.extract(self.output))

    @property
    def json(self) -> dict:
        return json.loads(self.output)


class Program:
    """The program with a home of its own."""

    def __init__(self, binary: str, name: str):
        self.binary, self.name = os.path.abspath(binary), name
        self.home = tempfile.mkdtemp(prefix="hsip-interop-")
        self.environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": self.home, "LANG": "C.UTF-8",
                            "HSIP_NO_INPUT": "1"}
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        for variable, folder in (("XDG_DATA_HOME", "data"), ("XDG_STATE_HOME", "state"),
                                 ("XDG_CONFIG_HOME", "config"), ("XDG_RUNTIME_DIR", "run")):
            path = os.path.join(self.home, folder)
            os.mkdir(path, 0o700)
            self.environment[variable] = path
        self.passphrase_file = self.file("passphrase", PASSPHRASE + "\n")
        self.recovery_file = os.path.join(self.home, "recovery")
        self.vault = os.path.join(self.home, "data", "hsip", "vault.hsipvault")
        self.anchors = os.path.join(self.home, "state", "hsip")

    def file(self, name: str, content: str) -> str:
        path = os.path.join(self.home, name)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
        return path

    def run(self, *words: str, given: str = "", secret: str | None = None) -> Outcome:
        """Opens with the recovery code as soon as there is one, because that costs no password hashing."""
        secret = secret or (self.recovery_file if os.path.exists(self.recovery_file) else self.passphrase_file)
        command = [self.binary, *words, "--no-input", "--no-agent", "--passphrase-file", secret]
        finished = subprocess.run(command, input=given.encode("utf-8"), capture_output=True, timeout=120,
                                  env=self.environment, cwd=self.home, start_new_session=True)
        return Outcome(command, finished)

    def at_terminal(self, *words: str, answer: str) -> Outcome:
        """The same at a terminal, where a question gets this answer."""
        command = [self.binary, *words, "--no-agent", "--passphrase-file", self.recovery_file]
        own, its = pty.openpty()
        with open(own, "r+b", buffering=0) as screen:
            process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, start_new_session=True, cwd=self.home,
                                       env={**self.environment, "HSIP_NO_INPUT": "", "TERM": "xterm"},
                                       preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)))
            os.close(its)
            shown, is_answered, end = b"", False, time.monotonic() + 60
            while time.monotonic() < end:
                if not select.select([screen], [], [], 0.2)[0]:
                    continue
                try:
                    more = screen.read(4096)
                except OSError:
                    break
                if not more:
                    break
                shown += more
                if not is_answered and b"y/N" in shown:
                    screen.write(answer.encode() + b"\r")
                    is_answered = True
            process.kill() if time.monotonic() >= end else None
            return Outcome(command, subprocess.CompletedProcess(command, process.wait(), shown, b""))

    def remove(self):
        shutil.rmtree(self.home, ignore_errors=True)


@unittest.skipUnless(BINARY, "HSIP_BIN names no program")
class Interop(unittest.TestCase):
    program_name = "Petra"
    peer_name = "Quentin"

    def setUp(self):
        self.program = Program(BINARY, self.program_name)
        self.addCleanup(self.program.remove)
        self.ok("init", "--backend", "file", "--name", self.program_name, "-o", self.program.recovery_file)
        self.peer = xc.Peer(name=self.peer_name)

    # The program, with a demand on how it ends

    def ok(self, *words: str, given: str = "") -> Outcome:
        outcome = self.program.run(*words, given=given)
        self.assertEqual(outcome.code, 0, f"this should have worked:{outcome}")
        return outcome

    def refused(self, name: str, *words: str, given: str = "") -> Outcome:
        """The call fails with the exit code of the name, and says the name in its JSON."""
        outcome = self.program.run(*words, "--json", given=given)
        self.assertEqual(outcome.code, xc.EXIT_CODES[name], f"expected {name}:{outcome}")
        self.assertIs(outcome.json["ok"], False, outcome)
        self.assertEqual(outcome.json["error"]["code"], name, outcome)
        self.assertEqual(outcome.json["error"]["exit"], outcome.code, outcome)
        return outcome

    def accept(self, code: str, *words: str) -> Outcome:
        return self.ok("accept", "-y", *words, "-", given=code + "\n")

    # Conversations

    def pair_by_their_offer(self):
        """The second implementation offers, the program answers."""
        answer = self.accept(self.peer.make_offer(), "--as", "quentin").reply
        self.peer.take_answer(answer, save_as="petra")
        return answer

    def pair_by_our_offer(self, *words: str):
        """The program offers, the second implementation answers."""
        offer = self.ok("pair", "--qr", "none", *words).reply
        answer = self.peer.take_offer(offer, save_as="petra")
        self.accept(answer, "--as", "quentin")
        return offer, answer

    def to_program(self, text: str):
        for form in ("compact", "verbose"):
            message = self.peer.seal("petra", text, form, "abc123" if form == "verbose" else None)
            outcome = self.ok("decrypt", "-", given=message + "\n")
            self.assertIn(outcome.output, (text, text + "\n"), outcome)

    def to_peer(self, text: str, *words: str):
        outcome = self.ok("encrypt", "quentin", *words, given=text)
        contact, plaintext = self.peer.open(outcome.output)
        self.assertEqual((contact.name, plaintext), ("petra", text), outcome)

    def both_ways(self, text="see you at eight \u00b7 \u0645\u0631\u062d\u0628\u0627 \U0001F512"):
        self.to_program(text)
        self.to_peer(text)

    def sending_epoch(self) -> xc.Epoch:
        return self.peer.contact("petra").sending_pairing().cur

    def program_rotates(self):
        before = self.sending_epoch().number
        rotate = self.ok("session", "rotate", "quentin").reply
        accept = self.peer.take_rotate(rotate)
        self.assertEqual(self.peer.take_rotate(rotate), accept)
        self.accept(accept)
        self.to_peer("under the new key")
        self.assertEqual(self.sending_epoch().number, before + 1)
        self.both_ways()

    def peer_rotates(self):
        before = self.sending_epoch().number
        rotate = self.peer.start_rotate("petra")
        accept = self.accept(rotate).reply
        self.assertEqual(self.accept(rotate).reply, accept)
        self.peer.take_accept(accept)
        self.assertEqual(self.sending_epoch().number, before + 1)
        self.both_ways()


class Pairing(Interop):
    def test_the_peer_offers_and_the_program_answers(self):
        self.pair_by_their_offer()
        self.both_ways()

    def test_the_program_offers_and_the_peer_answers(self):
        self.pair_by_our_offer()
        self.both_ways()

    def test_the_program_sends_before_it_has_read_anything(self):
        self.pair_by_their_offer()
        self.to_peer("first")
        self.to_program("second")

    def test_names_travel_and_anonymous_offers_carry_none(self):
        offer = xc.parse(xc.extract(self.ok("pair", "--qr", "none").output))
        self.assertEqual(offer.name.decode(), self.program_name)
        offer = xc.parse(xc.extract(self.ok("pair", "--anonymous", "--qr", "none").output))
        self.assertEqual(offer.name, b"")

    def test_the_options_of_an_offer_are_in_the_offer(self):
        outcome = self.ok("pair", "--ttl", "2h", "--life", "2d", "--limit", "10", "--qr", "none")
        header = xc.parse(xc.extract(outcome.output)).header
        self.assertEqual((header.ttl, header.life, header.limit), (120, 48, 10), outcome)
        header = xc.parse(xc.extract(self.ok("pair", "--qr", "none").output)).header
        self.assertEqual((header.ttl, header.life, header.limit, header.flags, header.suite), (1440, 168, 1000, 0, 2))
        for words, expected in ((("--in-person",), (15, 1)), (("--suite", "01"), (1440, 1)),
                                (("--in-person", "--suite", "02"), (15, 2))):
            header = xc.parse(xc.extract(self.ok("pair", *words, "--qr", "none").output)).header
            self.assertEqual((header.ttl, header.suite), expected, words)

    def test_an_offer_or_answer_taken_twice_is_taken_once(self):
        offer = self.peer.make_offer()
        first = self.accept(offer, "--as", "quentin").reply
        self.assertEqual(self.accept(offer).reply, first)
        offer, answer = self.pair_again_by_our_offer()
        again = self.accept(answer)
        self.assertIn("HSIP:OFFER", offer)
        self.assertEqual(again.output.strip(), "", again)

    def pair_again_by_our_offer(self):
        offer = self.ok("pair", "--qr", "none").reply
        answer = self.peer.take_offer(offer)
        self.accept(answer)
        return offer, answer

    def test_mangled_codes_are_taken(self):
        offer = self.peer.make_offer().lower()
        quoted = "".join(f"> {offer[at:at + 60]}\n" for at in range(0, len(offer), 60))
        answer = self.accept(f"Hi Petra, my code:\n{quoted}\nBye", "--as", "quentin").reply
        self.peer.take_answer("\u200b".join(answer), save_as="petra")
        self.both_ways()

    def test_crossing_offers_agree(self):
        offer = self.ok("pair", "--qr", "none").reply
        answer_of_program = self.accept(self.peer.make_offer(), "--as", "quentin").reply
        answer_of_peer = self.peer.take_offer(offer, save_as="petra")
        self.peer.take_answer(answer_of_program)
        self.accept(answer_of_peer)
        self.both_ways()
        self.assertEqual(len(self.peer.contact("petra").live_pairings()), 2)

    def test_pairing_again_under_the_same_identity(self):
        self.pair_by_their_offer()
        self.both_ways()
        self.pair_again_by_our_offer()
        self.both_ways()

    def test_another_identity_under_the_name_is_refused(self):
        self.pair_by_their_offer()
        stranger = xc.Peer(name=self.peer_name)
        self.refused("identityChanged", "accept", "-y", "--contact", "quentin", "-", given=stranger.make_offer())
        self.both_ways()

    def test_the_refusals_of_an_offer(self):
        own = self.ok("pair", "--qr", "none").reply
        self.refused("selfPairing", "accept", "-y", "-", given=own)
        good = self.peer.make_offer()
        self.refused("truncated", "accept", "-y", "-", given=good[:-1])
        self.refused("malformed", "accept", "-y", "-", given=good + "q")
        self.refused("noCode", "accept", "-y", "-", given="good morning")
        self.refused("codeFromFuture", "accept", "-y", "-",
                     given=self.peer.make_offer(issued=self.peer.clock() + 3600))
        self.refused("codeExpired", "accept", "-y", "-",
                     given=self.peer.make_offer(ttl=1, issued=self.peer.clock() - 3600))
        forged = bytearray(xc.extract(good))
        forged[-1] ^= 1
        self.refused("badSignature", "accept", "-y", "-", given=xc.code_text(bytes(forged)))
        self.refused("unknownOffer", "accept", "-y", "-",
                     given=xc.Peer(name="Carol").take_offer(good, save_as="q"))

    def test_a_second_answer_is_called_out(self):
        offer, answer = self.pair_by_our_offer()
        thief = xc.Peer(name="Thief").take_offer(offer, save_as="petra")
        self.refused("offerAlreadyUsed", "accept", "-y", "--as", "thief", "-", given=thief)

    def test_safety_number_and_verify_code(self):
        self.pair_by_their_offer()
        number = self.ok("verify", "quentin", "--number").output
        self.assertIn(self.peer.safety_number("petra").replace(" ", ""), "".join(filter(str.isdigit, number)))
        self.peer.check_verify("petra", self.ok("verify", "quentin", "--code").output)
        self.ok("verify", "quentin", "--expect", self.peer.safety_number("petra"))
        wrong = xc.code_text(xc.verify_code(os.urandom(32), self.peer.identity).encode())
        self.refused("verifyMismatch", "accept", "-y", "-", given=wrong)


class Messages(Interop):
    def setUp(self):
        super().setUp()
        self.pair_by_their_offer()
        self.to_program("to confirm")

    def test_texts_of_every_shape(self):
        for text in ("x", "two\nlines", "\u0645\u0631\u062d\u0628\u0627", "\U0001F512 looks like a message",
                     "[HSIP", "x" * 5000, "\U0001F469\u200d\U0001F469\u200d\U0001F467"):
            with self.subTest(text=text[:20]):
                self.both_ways(text)

    def test_the_other_forms_are_written_as_the_peer_reads_them(self):
        self.to_peer("verbose", "--verbose-form")
        self.to_peer("stealth", "--stealth")

    def test_a_message_is_read_once(self):
        message = self.peer.seal("petra", "once")
        self.ok("decrypt", "-", given=message)
        self.refused("replayed", "decrypt", "-", given=message)
        self.assertIn("once", self.ok("decrypt", "--reread", "-", given=message).output)

    def test_a_flipped_message_is_refused(self):
        data = bytearray(xc.parse_message(self.peer.seal("petra", "right")))
        for position, name in ((33, "cannotOpen"), (45, "cannotOpen"), (61, "cannotOpen"), (1, "unknownSender")):
            with self.subTest(position=position):
                changed = bytearray(data)
                changed[position] ^= 1
                self.refused(name, "decrypt", "-", given=xc.format_message(bytes(changed)))
        self.ok("decrypt", "-", given=xc.format_message(bytes(data)))

    def test_a_message_out_of_order_opens(self):
        messages = [self.peer.seal("petra", f"number {index}") for index in range(4)]
        for index in (3, 0, 2, 1):
            self.assertIn(f"number {index}", self.ok("decrypt", "-", given=messages[index]).output)

    def test_every_nonce_is_new(self):
        nonces = {xc.parse_message(self.ok("encrypt", "quentin", given="same").output)[33:45] for _ in range(5)}
        self.assertEqual(len(nonces), 5)


class Limits(Interop):
    def test_the_program_stops_at_the_limit_and_hands_out_its_rotate(self):
        self.peer.take_answer(self.accept(self.peer.make_offer(limit=2), "--as", "quentin").reply, save_as="petra")
        self.to_program("to confirm")
        self.to_peer("one")
        self.to_peer("two")
        outcome = self.refused("rekeyRequired", "encrypt", "quentin", given="three")
        code = outcome.json["error"]["details"]["code"]
        self.accept(self.peer.take(code))
        self.to_peer("three")


class Rotation(Interop):
    def test_both_rotate_in_turn_when_the_peer_offered(self):
        self.pair_by_their_offer()
        self.both_ways()
        self.program_rotates()
        self.peer_rotates()
        self.program_rotates()

    def test_both_rotate_in_turn_when_the_program_offered(self):
        self.pair_by_our_offer()
        self.both_ways()
        self.peer_rotates()
        self.program_rotates()
        self.peer_rotates()

    def test_rotations_that_cross_have_one_winner(self):
        self.pair_by_our_offer()
        self.both_ways()
        ours, theirs = self.ok("session", "rotate", "quentin").reply, self.peer.start_rotate("petra")
        from_peer, from_program = self.peer.take_rotate(ours), self.accept(theirs).reply
        kinds = {type(xc.parse(xc.extract(code))) for code in (from_peer, from_program)}
        self.assertEqual(kinds, {xc.Accept, xc.Rotate}, "exactly one of the two rotations is accepted")
        if isinstance(xc.parse(xc.extract(from_peer)), xc.Accept):
            self.accept(from_peer)
        else:
            self.peer.take_accept(from_program)
        self.both_ways()

    def test_a_late_message_of_the_old_epoch_still_opens(self):
        self.pair_by_their_offer()
        self.both_ways()
        late = self.peer.seal("petra", "late")
        self.peer_rotates()
        self.assertIn("late", self.ok("decrypt", "-", given=late).output)

    def test_a_code_inside_a_message_is_taken(self):
        self.pair_by_their_offer()
        self.both_ways()
        carried = self.peer.seal("petra", self.peer.start_rotate("petra"))
        self.peer.take_accept(self.accept(carried).reply)
        self.both_ways()

    def test_the_refusals_of_a_rotate(self):
        self.pair_by_their_offer()
        self.both_ways()
        forged = bytearray(xc.extract(self.peer.start_rotate("petra")))
        forged[60] ^= 1
        self.refused("badSignature", "accept", "-y", "-", given=xc.code_text(bytes(forged)))
        forged[14] ^= 1
        self.refused("staleCode", "accept", "-y", "-", given=xc.code_text(bytes(forged)))
        self.both_ways()


def suite_of(code: str) -> int:
    return xc.parse(xc.extract(code)).header.suite


class Suites(Interop):
    """Which suite two programs use, of which one may be older."""

    def suites(self) -> tuple:
        """Of the session, the lowest that is taken of the contact, and the mark, as the program tells them."""
        contact = self.ok("contact", "show", "quentin", "--json").json["data"]
        sending, = (pairing for pairing in contact["session"]["pairings"] if pairing["sending"])
        return sending["suite"], contact["lowestSuite"], contact["oldProgram"]

    def test_two_programs_use_suite_two_by_themselves(self):
        self.pair_by_our_offer()
        self.both_ways()
        self.assertEqual((self.sending_epoch().keys.suite, self.suites()), (2, (2, 2, False)))

    def test_an_answer_has_the_suite_of_its_offer(self):
        for suite in (1, 2):
            self.peer = xc.Peer(name=f"Q{suite}")
            self.assertEqual(suite_of(self.accept(self.peer.make_offer(suite=suite), "--as", f"q{suite}").reply), suite)

    def test_a_pairing_of_suite_one_moves_when_the_program_rotates(self):
        self.pair_by_our_offer("--suite", "01")
        self.both_ways()
        self.assertEqual(self.suites(), (1, 1, False))
        self.program_rotates()
        self.assertEqual((self.sending_epoch().keys.suite, self.suites()), (2, (2, 2, False)))

    def test_a_pairing_of_suite_one_moves_when_the_peer_rotates(self):
        self.peer.take_answer(self.accept(self.peer.make_offer(suite=1), "--as", "quentin").reply, save_as="petra")
        self.both_ways()
        self.peer_rotates()
        self.assertEqual((self.sending_epoch().keys.suite, self.suites()), (2, (2, 2, False)))

    def test_an_offer_of_a_pinned_contact_in_suite_one_is_a_downgrade(self):
        waiting = self.ok("pair", "--suite", "01", "--qr", "none").reply
        self.pair_by_their_offer()
        self.both_ways()
        self.refused("suiteDowngrade", "accept", "-y", "-", given=self.peer.make_offer(suite=1))
        self.refused("suiteDowngrade", "pair", "quentin", "--suite", "01", "--qr", "none")
        self.peer.set_old("petra")
        self.refused("suiteDowngrade", "accept", "-y", "-", given=self.peer.take_offer(waiting))
        self.both_ways()

    def test_an_old_program_and_this_one(self):
        self.peer.suite = 1
        with self.assertRaisesRegex(xc.HSIPError, "unsupportedSuite"):
            self.peer.take(self.ok("pair", "--qr", "none").reply)
        self.pair_by_our_offer("--suite", "01")
        self.both_ways()
        with self.assertRaisesRegex(xc.HSIPError, "unsupportedSuite"):
            self.peer.take(self.ok("session", "rotate", "quentin").reply)
        outcome = self.program.run("contact", "set", "quentin", "--suite", "01")
        self.assertEqual(outcome.code, 6, outcome)
        outcome = self.program.at_terminal("contact", "set", "quentin", "--suite", "01", answer="y")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(self.suites(), (1, 1, True))
        self.program_rotates()
        self.peer_rotates()
        self.assertEqual(suite_of(self.ok("pair", "quentin", "--offer", "--qr", "none").reply), 1)
        self.peer.suite = 2
        self.peer_rotates()
        self.assertEqual((self.sending_epoch().keys.suite, self.suites()), (2, (2, 2, False)))

    def test_rotates_of_both_suites_cross(self):
        self.pair_by_our_offer("--suite", "01")
        self.both_ways()
        self.peer.suite = 1
        theirs = self.peer.start_rotate("petra")
        ours = self.ok("session", "rotate", "quentin").reply
        reply = self.accept(theirs).reply
        wins = self.peer.peer_id < self.peer.contact("petra").peer_id
        self.assertEqual((xc.parse(xc.extract(reply)).header.kind, suite_of(reply)), (4, 1) if wins else (3, 2))
        if not wins:
            self.assertEqual(reply, ours)
            reply = self.accept(self.peer.start_rotate("petra")).reply
        self.peer.take_accept(reply)
        self.both_ways()


class Misbehaviour(Interop):
    """Codes of suite 02 that are wrong in one thing; the right one is taken afterwards."""

    def wrong(self, name: str, code, *words: str):
        with self.subTest(type(code).__name__, error=name):
            self.refused(name, "accept", "-y", *words, "-", given=xc.code_text(code.encode()))

    def kem(self, field: bytes, start: int = 0) -> bytes:
        """Another ciphertext or key: one bit is changed."""
        return field[:start] + bytes([field[start] ^ 1]) + field[start + 1:]

    BEYOND = b"\xff" * 1184

    def answer(self, offer: xc.Offer, kem=None, suite=None, secret=lambda shared, kem: (shared, kem)) -> xc.Answer:
        """An answer that is signed and confirmed, whatever is wrong with it."""
        own = os.urandom(64)
        ciphertext, secret_kem = xc.encapsulate(offer.kem, own[32:])
        header = replace(offer.header, kind=2, flags=0, issued=self.peer.clock(), suite=suite or offer.header.suite)
        code = xc.Answer(header, offer.reference, self.peer.identity, xc.x25519_public(own[:32]), b"Quentin",
                         kem=ciphertext if kem is None else kem)
        keys = xc.Keys.first(code.transcript(offer.hash), *secret(xc.x25519(own[:32], offer.ephemeral), secret_kem))
        code = replace(code, confirm=keys.confirm)
        return replace(code, signature=xc.ed25519_sign(self.peer.seed, code.signed_bytes(offer.hash)))

    def accepting(self, rotate: xc.Rotate, kem=None, suite=None, secret=lambda *given: given) -> xc.Accept:
        """The same for an accept; `secret` has the chain in front."""
        own, chain = os.urandom(64), self.sending_epoch().keys.chain
        ciphertext, secret_kem = xc.encapsulate(rotate.kem, own[32:])
        header = replace(rotate.header, kind=4, issued=self.peer.clock(), suite=suite or rotate.header.suite)
        code = xc.Accept(header, rotate.reference, rotate.epoch, rotate.hash_reference, xc.x25519_public(own[:32]),
                         kem=ciphertext if kem is None else kem)
        keys = xc.Keys.next(code.transcript(rotate), *secret(chain, xc.x25519(own[:32], rotate.ephemeral), secret_kem))
        code = replace(code, confirm=keys.confirm)
        return replace(code, signature=xc.ed25519_sign(self.peer.seed, code.signed_bytes(rotate)))

    def test_wrong_offers(self):
        right = xc.parse(xc.extract(self.peer.make_offer()))
        for kem in (self.kem(right.kem), self.kem(right.kem, 1183), xc.one_time_public(os.urandom(96))[1]):
            self.wrong("badSignature", replace(right, kem=kem))
        for kem in (self.BEYOND, b"\x01\x0d" + right.kem[2:], right.kem[:1149] + b"\xf0\xff" + right.kem[1151:]):
            self.wrong("badKey", replace(right, kem=kem).signed(self.peer.seed))
        classical = replace(right, header=replace(right.header, suite=1), kem=b"")
        self.wrong("badSignature", classical)
        self.peer.take_answer(self.accept(xc.code_text(right.encode()), "--as", "quentin").reply, save_as="petra")
        self.both_ways()

    def test_wrong_answers(self):
        offer = xc.parse(xc.extract(self.ok("pair", "--qr", "none").reply))
        right = self.answer(offer)
        self.wrong("badSignature", replace(right, kem=self.kem(right.kem)))
        for kem in (self.kem(right.kem), os.urandom(1088), bytes(1088),
                    xc.encapsulate(xc.one_time_public(os.urandom(96))[1], os.urandom(32))[0]):
            self.wrong("confirmFailed", self.answer(offer, kem=kem))
        for secret in (lambda shared, kem: (shared, b""), lambda shared, kem: (b"", kem),
                       lambda shared, kem: (kem, shared),
                       lambda shared, kem: (bytes(a ^ b for a, b in zip(shared, kem)), b"")):
            self.wrong("confirmFailed", self.answer(offer, secret=secret))
        self.wrong("malformed", self.answer(offer, kem=b"", suite=1))
        swapped = replace(offer, kem=xc.one_time_public(os.urandom(96))[1])
        self.wrong("unknownOffer", self.answer(swapped))
        self.accept(self.peer.take_offer(xc.code_text(offer.encode()), save_as="petra"), "--as", "quentin")
        self.both_ways()

    def test_an_answer_of_suite_two_for_an_offer_of_suite_one(self):
        offer = xc.parse(xc.extract(self.ok("pair", "--suite", "01", "--qr", "none").reply))
        self.wrong("malformed", self.answer(offer, kem=os.urandom(1088), suite=2))
        self.accept(self.peer.take_offer(xc.code_text(offer.encode()), save_as="petra"), "--as", "quentin")
        self.both_ways()

    def test_wrong_rotates(self):
        self.pair_by_their_offer()
        self.both_ways()
        right = xc.parse(xc.extract(self.peer.start_rotate("petra")))
        keys, role, seed = self.sending_epoch().keys, 0, self.peer.seed
        for kem in (self.kem(right.kem), xc.one_time_public(os.urandom(96))[1]):
            self.wrong("badSignature", replace(right, kem=kem))
        for kem in (self.BEYOND, b"\x01\x0d" + right.kem[2:]):
            self.wrong("badKey", replace(right, kem=kem).signed(keys.rotate, role, seed))
        self.wrong("badSignature", right.signed(keys.rotate, 1 - role, seed))
        self.wrong("badSignature", right.signed(keys.rotate, role, os.urandom(32)))
        lower = replace(right, header=replace(right.header, suite=1), kem=b"").signed(keys.rotate, role, seed)
        self.wrong("suiteDowngrade", lower)
        self.peer.take_accept(self.accept(xc.code_text(right.encode())).reply)
        under_next = replace(lower, reference=self.sending_epoch().keys.reference, epoch=2)
        self.wrong("suiteDowngrade", under_next.signed(self.sending_epoch().keys.rotate, role, seed))
        self.both_ways()
        self.wrong("suiteDowngrade", lower)

    def test_wrong_accepts(self):
        self.pair_by_their_offer()
        self.both_ways()
        rotate = xc.parse(xc.extract(self.ok("session", "rotate", "quentin").reply))
        right = self.accepting(rotate)
        self.wrong("badSignature", replace(right, kem=self.kem(right.kem)))
        for kem in (self.kem(right.kem), os.urandom(1088),
                    xc.encapsulate(xc.one_time_public(os.urandom(96))[1], os.urandom(32))[0]):
            self.wrong("badSignature", self.accepting(rotate, kem=kem))
        for secret in (lambda chain, shared, kem: (chain, shared, b""), lambda chain, shared, kem: (chain, b"", kem),
                       lambda chain, shared, kem: (b"", shared, kem), lambda chain, shared, kem: (shared, chain, kem)):
            self.wrong("badSignature", self.accepting(rotate, secret=secret))
        self.wrong("malformed", self.accepting(rotate, kem=b"", suite=1))
        self.accept(self.peer.take_rotate(xc.code_text(rotate.encode())))
        self.both_ways()

    def test_an_accept_of_suite_two_for_a_rotate_of_suite_one(self):
        self.pair_by_our_offer("--suite", "01")
        self.both_ways()
        outcome = self.program.at_terminal("contact", "set", "quentin", "--suite", "01", answer="y")
        self.assertEqual(outcome.code, 0, outcome)
        rotate = xc.parse(xc.extract(self.ok("session", "rotate", "quentin").reply))
        self.assertEqual(rotate.header.suite, 1)
        self.wrong("malformed", self.accepting(rotate, kem=os.urandom(1088), suite=2))
        self.accept(self.peer.take_rotate(xc.code_text(rotate.encode())))
        self.both_ways()


class Revocation(Interop):
    def setUp(self):
        super().setUp()
        self.pair_by_our_offer()
        self.both_ways()

    def test_the_program_revokes_the_session(self):
        notice = self.ok("session", "revoke", "quentin", "--reason", "lost", "-y").reply
        self.assertEqual(xc.parse(xc.extract(notice)).reason, 1)
        self.peer.take_revoke(notice)
        with self.assertRaises(xc.HSIPError):
            self.peer.seal("petra", "x")
        outcome = self.program.run("encrypt", "quentin", given="x")
        self.assertEqual(outcome.code, xc.EXIT_CODES["revoked"], outcome)

    def test_the_peer_revokes_the_session(self):
        forged = bytearray(xc.extract(self.peer.revoke_session("petra", 3, keep=True)))
        forged[-1] ^= 1
        self.refused("badSignature", "accept", "-y", "-", given=xc.code_text(bytes(forged)))
        self.to_peer("still there")
        notice = self.peer.revoke_session("petra", 3)
        self.accept(notice)
        self.refused("revoked", "encrypt", "quentin", given="x")

    def test_the_peer_revokes_its_identity(self):
        self.accept(self.peer.revoke_identity(2))
        self.refused("revoked", "encrypt", "quentin", given="x")
        self.refused("identityRevoked", "accept", "-y", "-", given=self.peer.make_offer())

    def test_the_program_revokes_its_identity(self):
        notice = self.ok("identity", "revocation-notice", "-y").reply
        code = xc.parse(xc.extract(notice))
        self.assertEqual(code.scope, 1)
        self.peer.take_revoke(notice)
        self.assertEqual(self.peer.contact("petra").trust, "revoked")

    def test_pairing_again_after_a_revocation(self):
        self.peer.take_revoke(self.ok("session", "revoke", "quentin", "-y").reply)
        self.accept(self.peer.take_offer(self.ok("pair", "--qr", "none").reply))
        self.both_ways()


class Legacy(Interop):
    def test_an_imported_key_speaks_the_old_format(self):
        key, header = os.urandom(32), os.urandom(32)
        self.ok("session", "import", "old", "--peer", header.hex(), given=key.hex() + "\n")
        message = xc.format_message(xc.seal_message(key, header, os.urandom(12), b"from an old app"))
        self.assertIn("from an old app", self.ok("decrypt", "-", given=message).output)
        sent = xc.parse_message(self.ok("encrypt", "old", given="to an old app").output)
        self.assertEqual(xc.open_message(key, sent), b"to an old app")
        self.refused("keyKnown", "session", "import", "older", "--peer", os.urandom(32).hex(), given=key.hex())
        self.refused("keyRefused", "session", "import", "zero", "--peer", os.urandom(32).hex(), given="00" * 32)
        exported = self.ok("session", "export", "old").output.strip()
        self.assertIn(exported, (key.hex(), base64.b64encode(key).decode()))


class VaultFile(Interop):
    def opened(self, **secret) -> vf.Vault:
        vault = vf.Vault.open(self.program.vault, anchor_folder=self.program.anchors, **secret)
        self.addCleanup(vault.close)
        return vault

    def recovery(self) -> str:
        with open(self.program.recovery_file, encoding="utf-8") as file:
            return file.read().strip()

    def test_the_vault_opens_with_both_secrets(self):
        self.assertEqual(os.stat(self.program.recovery_file).st_mode & 0o777, 0o600)
        for secret in ({"passphrase": PASSPHRASE}, {"recovery": self.recovery()}):
            with self.subTest(secret=list(secret)):
                vault = self.opened(**secret)
                self.assertGreaterEqual(vault.verify(), 1)
                self.assertEqual([meta.name for meta in vault.list("hsip.identity")], ["self"])

    def test_the_records_are_those_of_the_protocol(self):
        self.pair_by_our_offer()
        self.both_ways()
        self.ok("pair", "--qr", "none")
        vault = self.opened(passphrase=PASSPHRASE)
        vault.verify()
        names = {(meta.kind, meta.name) for meta in vault.list() if meta.kind.startswith("hsip.")}
        pairing = self.peer.contact("petra").sending_pairing()
        offers = [name for kind, name in names if kind == "hsip.offer"]
        self.assertIn(("hsip.identity", "self"), names)
        self.assertIn(("hsip.contact", self.peer.peer_id.hex()), names)
        self.assertIn(("hsip.pairing", pairing.pid.hex()), names)
        self.assertEqual(len(offers), 2, "the answered offer stays, the open one is new")
        allowed = {"hsip.identity", "hsip.contact", "hsip.pairing", "hsip.seen", "hsip.offer", "hsip.revoked",
                   "hsip.clock"}
        self.assertLessEqual({kind for kind, _ in names}, allowed)
        seen = [name for kind, name in names if kind == "hsip.seen"]
        reference = pairing.cur.keys.reference.hex()
        self.assertTrue(seen and all(name.startswith(reference + ".") for name in seen), seen)
        attributes = vault.get("hsip.contact", self.peer.peer_id.hex()).meta.attributes
        self.assertEqual(attributes["alias"], b"quentin")
        attributes = vault.get("hsip.pairing", pairing.pid.hex()).meta.attributes
        self.assertEqual(attributes["contact"], self.peer.peer_id.hex().encode())
        self.assertEqual(attributes["ref.cur"], reference.encode())

    def test_no_secret_stands_in_the_file_in_clear(self):
        self.pair_by_our_offer()
        self.both_ways("a very particular sentence")
        with open(self.program.vault, "rb") as file:
            data = file.read()
        for name in (self.program.vault + "-wal",):
            if os.path.exists(name):
                with open(name, "rb") as file:
                    data += file.read()
        for needle in (b"a very particular sentence", b"quentin", self.peer_name.encode(), b"hsip.contact",
                       self.peer.identity, self.peer.peer_id, self.peer.peer_id.hex().encode(),
                       self.sending_epoch().keys.i2r, self.sending_epoch().keys.rotate):
            self.assertNotIn(needle, data)

    def test_a_vault_of_the_second_implementation_is_read_by_the_program(self):
        path = os.path.join(self.program.home, "data", "hsip", "made-elsewhere.hsipvault")
        vault = vf.Vault.create(path, PASSPHRASE, "passphrase", kibibytes=65536, anchor_folder=self.program.anchors)
        codes = [vault.add_recovery_slot("paper"), vault.add_recovery_slot("old paper", plain=True)]
        for number in range(20):
            vault.put("note", f"caf\u00e9 {number}", b"x" * number * 100, "label", {"n": str(number)})
        vault.close()
        secrets = [self.program.passphrase_file]
        for number, code in enumerate(codes):
            secrets.append(os.path.join(self.program.home, f"code{number}"))
            with open(os.open(secrets[-1], os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
                file.write(code + "\n")
        for words in (("status",), ("vault", "check"), ("vault", "slot", "list")):
            for secret in secrets:
                outcome = self.program.run("--vault", path, *words, secret=secret)
                self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("recovery", outcome.output, outcome)

    def test_a_record_of_the_second_implementation_survives_the_program(self):
        vault = self.opened(passphrase=PASSPHRASE)
        vault.put("foreign.kind", "kept", b"body", "label", {"a": b"\x00\xff"})
        uid = vault.get("foreign.kind", "kept").meta.uid
        self.pair_by_their_offer()
        self.both_ways()
        again = self.opened(recovery=self.recovery())
        record = again.get("foreign.kind", "kept")
        self.assertEqual((record.body, record.meta.uid, record.meta.attributes), (b"body", uid, {"a": b"\x00\xff"}))
        again.verify()
        self.ok("vault", "check")

    def test_tampering_is_noticed(self):
        self.pair_by_their_offer()
        vault = self.opened(passphrase=PASSPHRASE)
        vault.base.execute("DELETE FROM record WHERE id=?", (vault.record_id("hsip.contact",
                                                                             self.peer.peer_id.hex()),))
        vault.close()
        for words in (("encrypt", "quentin"), ("vault", "check")):
            outcome = self.program.run(*words, given="x")
            self.assertEqual(outcome.code, 11, outcome)

    def test_an_older_copy_is_a_rollback(self):
        copy = os.path.join(self.program.home, "copy")
        vault = self.opened(passphrase=PASSPHRASE)
        vault.base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        vault.close()
        shutil.copyfile(self.program.vault, copy)
        self.pair_by_their_offer()
        for ending in ("-wal", "-shm"):
            if os.path.exists(self.program.vault + ending):
                os.unlink(self.program.vault + ending)
        with open(copy, "rb") as source, open(self.program.vault, "r+b") as target:
            target.truncate(0)
            target.write(source.read())
        outcome = self.program.run("pair", "--qr", "none", "--json")
        self.assertEqual(outcome.code, 11, outcome)
        self.assertEqual(outcome.json["error"]["code"], "rollback", outcome)

    def test_a_wrong_passphrase_is_refused(self):
        self.program.file("passphrase", "not the passphrase\n")
        outcome = self.program.run("pair", "--qr", "none", secret=self.program.passphrase_file)
        self.assertEqual(outcome.code, 6, outcome)

    def test_status_tells_the_state_as_json(self):
        outcome = self.ok("status", "--json")
        self.assertEqual(outcome.json["hsip"], 1, outcome)
        self.assertEqual(outcome.json["command"], "status", outcome)
        self.assertIs(outcome.json["ok"], True, outcome)
        self.assertIn("data", outcome.json)
        self.assertIn("warnings", outcome.json)


if __name__ == "__main__":
    unittest.main()
