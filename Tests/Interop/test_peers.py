"""Two honest peers of the second implementation, and text that mangles their codes."""

import os
import sys
import tempfile
import unittest
from dataclasses import replace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import hsip_xc1 as xc  # noqa: E402
import vault_file as vf  # noqa: E402
from test_vectors import load  # noqa: E402


class Clock:
    def __init__(self, now=1_800_000_000):
        self.now = now

    def __call__(self):
        return self.now


class Refusals(unittest.TestCase):
    def refused(self, name: str, act, *given, **named):
        with self.assertRaises(xc.HSIPError) as caught:
            act(*given, **named)
        self.assertEqual(caught.exception.name, name)


class Extraction(Refusals):
    def test_mangled_codes_are_found(self):
        for case in load("hsip-xc1.json")["cases"]:
            for kind in ("offer", "answer", "rotate", "accept", "revoke_session", "revoke_identity", "verify"):
                text, data = case[kind]["code"], bytes.fromhex(case[kind]["bytes"])
                lines = [text[at:at + 60] for at in range(0, len(text), 60)]
                for mangled in (
                        text, text.lower(), text.replace("HSIP:", "hsip://"), f"Here it is: {text} Bye",
                        f"({text})", f"{text}.", f"\u201e{text}\u201c", "\n".join(lines), "> " + "\n> ".join(lines),
                        "\u200b".join(text), "\u2060\u00ad ".join(text), f"{text} qpzry9x8", f"{text}\n{text.lower()}",
                        "".join(c.lower() if at % 3 else c for at, c in enumerate(text)), f"\u00e9{text}\u00e9",
                        "\u00a0\u2028\u3000".join(lines), f"_{text}_"):
                    with self.subTest(kind=kind, text=mangled[:40]):
                        self.assertEqual(xc.extract(mangled), data)
                self.refused("malformed", xc.extract, text + "x")
                self.refused("truncated", xc.extract, text[:-1])

    def test_own_codes_give_way_to_others(self):
        first, second, third = (xc.extract(case["offer"]["code"]) for case in load("hsip-xc1.json")["cases"])
        both = xc.code_text(first) + " " + xc.code_text(second)
        self.assertEqual(xc.extract(both, {first}), second)
        self.refused("severalCodes", xc.extract, both, {third})
        self.refused("severalCodes", xc.extract, both, {first, second})


class TwoPeers(Refusals):
    suite = 2

    def setUp(self):
        self.clock = Clock()
        self.alice = xc.Peer(b"a" * 32, "Alice", clock=self.clock, suite=self.suite)
        self.bob = xc.Peer(b"b" * 32, "Bob", clock=self.clock, suite=self.suite)

    def pair(self, offerer=None, answerer=None):
        offerer, answerer = offerer or self.alice, answerer or self.bob
        offerer.take(answerer.take(offerer.make_offer()))

    def both_ways(self):
        for sender, reader, name in ((self.alice, self.bob, "Bob"), (self.bob, self.alice, "Alice")):
            self.assertEqual(reader.open(sender.seal(name, "hello \U0001F512"))[1], "hello \U0001F512")


class Sessions(TwoPeers):
    def test_a_pairing_carries_messages_both_ways(self):
        self.pair()
        self.both_ways()
        self.assertEqual(self.alice.safety_number("Bob"), self.bob.safety_number("Alice"))
        self.assertEqual(self.alice.emoji("Bob"), self.bob.emoji("Alice"))
        self.bob.check_verify("Alice", self.alice.verify_text("Bob"))

    def test_a_message_opens_once(self):
        self.pair()
        message = self.alice.seal("Bob", "x")
        self.bob.open(message)
        self.refused("replayed", self.bob.open, message)
        self.assertEqual(self.bob.open(message, reread=True)[1], "x")
        self.refused("ownMessage", self.alice.open, message)

    def test_codes_taken_twice_change_nothing(self):
        offer = self.alice.make_offer()
        answer = self.bob.take(offer)
        self.assertEqual(self.bob.take(offer), answer)
        self.alice.take(answer)
        self.refused("alreadyPaired", self.alice.take, answer)
        self.refused("selfPairing", self.alice.take, offer)

    def test_crossing_offers_agree(self):
        first, second = self.alice.make_offer(), self.bob.make_offer()
        to_alice, to_bob = self.bob.take(first), self.alice.take(second)
        self.alice.take(to_alice)
        self.bob.take(to_bob)
        self.both_ways()
        self.assertEqual(self.alice.contact("Bob").sending_pairing().pid,
                         self.bob.contact("Alice").sending_pairing().pid)

    def test_rotation_by_either_side(self):
        self.pair()
        for starter, other, name in ((self.alice, self.bob, "Bob"), (self.bob, self.alice, "Alice")):
            self.both_ways()
            late = starter.seal(name, "late")
            rotate = starter.start_rotate(name)
            accept = other.take(rotate)
            self.assertEqual(other.take(rotate), accept)
            starter.take(accept)
            self.refused("alreadyDone", starter.take, accept)
            self.assertEqual(other.open(late)[1], "late")
            self.both_ways()
            self.refused("alreadyDone", other.take, rotate)

    def test_rotations_that_cross_have_one_winner(self):
        self.pair()
        self.both_ways()
        first, second = self.alice.start_rotate("Bob"), self.bob.start_rotate("Alice")
        replies = self.bob.take(first), self.alice.take(second)
        kinds = sorted(type(xc.parse(xc.extract(reply))).__name__ for reply in replies)
        self.assertEqual(kinds, ["Accept", "Rotate"])
        for taker, reply in ((self.alice, replies[0]), (self.bob, replies[1])):
            if isinstance(xc.parse(xc.extract(reply)), xc.Accept):
                taker.take(reply)
        self.both_ways()

    def test_a_peer_that_is_behind_catches_up(self):
        self.pair()
        self.both_ways()
        self.alice.take(self.bob.take(self.alice.start_rotate("Bob")))
        behind = self.bob.start_rotate("Alice")
        own = self.alice.take(behind)
        self.assertEqual(self.alice.warnings, ["peerCatchingUp"])
        self.alice.take(self.bob.take(own))
        self.both_ways()

    def test_the_limit_is_the_limit(self):
        self.alice.take(self.bob.take(self.alice.make_offer(limit=3)))
        for _ in range(3):
            self.bob.open(self.alice.seal("Bob", "x"))
        self.refused("rekeyRequired", self.alice.seal, "Bob", "x")

    def test_an_expired_session_does_not_send(self):
        self.pair()
        self.clock.now += 168 * 3600 + 1
        self.refused("sessionExpired", self.alice.seal, "Bob", "x")

    def test_a_revoked_session_stays_revoked(self):
        offer = self.alice.make_offer()
        answer = self.bob.take(offer)
        self.alice.take(answer)
        self.bob.take(self.alice.revoke_session("Bob", 1))
        self.refused("revoked", self.bob.seal, "Alice", "x")
        self.refused("revoked", self.alice.seal, "Bob", "x")
        self.refused("offerSpent", self.alice.take, answer)
        self.refused("offerSpent", self.bob.take, offer)

    def test_a_revoked_identity_does_not_pair_again(self):
        self.pair()
        self.bob.take(self.alice.revoke_identity(2))
        self.refused("identityRevoked", self.bob.take, self.alice.make_offer())

    def test_one_notice_ends_what_was_made_before_it(self):
        self.pair()
        self.clock.now += 100
        self.pair(self.bob, self.alice)
        notice = self.alice.revoke_session("Bob")
        self.bob.take(notice)
        self.assertFalse(self.bob.contact("Alice").live_pairings())


class SessionsOfSuiteOne(Sessions):
    """Two programs that do not know suite 02."""

    suite = 1


def suite_of(code: str) -> int:
    return xc.parse(xc.extract(code)).header.suite


class Suites(TwoPeers):
    """Which suite is used, and that nobody goes back to the lower one (sections 4 and 5 of suite 02)."""

    def setUp(self):
        super().setUp()
        self.old = xc.Peer(b"o" * 32, "Old", clock=self.clock, suite=1)

    def in_suite_one(self, offerer, answerer):
        offerer.take(answerer.take(offerer.make_offer(suite=1)))

    def session(self, peer, name) -> xc.Pairing:
        return peer.contact(name).sending_pairing()

    def lower(self, peer, name, epoch: xc.Epoch) -> str:
        """A ROTATE of suite 01 that continues an epoch, right in everything else."""
        header = xc.Header(xc.KINDS["rotate"], self.clock(), 10080, 168, 1000)
        rotate = xc.Rotate(header, epoch.keys.reference, epoch.number + 1, 9, xc.x25519_public(bytes([9]) * 32))
        return xc.code_text(rotate.signed(epoch.keys.rotate, self.session(peer, name).role, peer.seed).encode())

    def test_every_code_has_the_length_of_its_suite(self):
        offer = self.alice.make_offer()
        answer = self.bob.take(offer)
        self.alice.take(answer)
        self.both_ways()
        rotate = self.alice.start_rotate("Bob")
        accept = self.bob.take(rotate)
        for code, count, letters in ((offer, 1332, 2149), (answer, 1266, 2044), (rotate, 1324, 2137),
                                     (accept, 1242, 2006)):
            self.assertEqual((len(xc.extract(code)), len(code), suite_of(code)), (count, letters, 2))
        self.assertEqual(suite_of(self.alice.revoke_session("Bob")), 1)

    def test_a_reply_has_the_suite_of_its_code(self):
        offer = self.alice.make_offer(suite=1)
        self.assertEqual([suite_of(code) for code in (offer, self.bob.take(offer))], [1, 1])

    def test_a_pairing_of_suite_one_moves_at_its_next_rotation(self):
        self.in_suite_one(self.alice, self.bob)
        self.both_ways()
        for starter, other, name in ((self.alice, self.bob, "Bob"), (self.bob, self.alice, "Alice")):
            rotate = starter.start_rotate(name)
            accept = other.take(rotate)
            self.assertEqual([suite_of(rotate), suite_of(accept)], [2, 2])
            starter.take(accept)
            self.both_ways()
            self.assertEqual([p.keys.suite for p in self.session(starter, name).live()][0], 2)

    def test_an_old_program_refuses_all_four_codes(self):
        self.refused("unsupportedSuite", self.old.take, self.alice.make_offer())
        self.pair()
        self.both_ways()
        answer = self.session(self.bob, "Alice").answer_text
        rotate = self.alice.start_rotate("Bob")
        for code in (answer, rotate, self.bob.take(rotate)):
            self.refused("unsupportedSuite", self.old.take, code)

    def test_who_had_suite_two_is_pinned_in_each_of_the_four_ways(self):
        pins = lambda: (self.alice.contact("Bob").lowest_suite, self.bob.contact("Alice").lowest_suite)  # noqa: E731
        self.pair()
        self.assertEqual(pins(), (2, 1), "the offerer, by the ANSWER")
        self.bob.open(self.alice.seal("Bob", "x"))
        self.assertEqual(pins(), (2, 2), "the answerer, by the first thing that it reads")
        for peer, name in ((self.alice, "Bob"), (self.bob, "Alice")):
            del peer.contacts[peer.contact(name).identity]
        self.in_suite_one(self.alice, self.bob)
        self.both_ways()
        accept = self.bob.take(self.alice.start_rotate("Bob"))
        self.assertEqual(pins(), (1, 1))
        self.alice.take(accept)
        self.assertEqual(pins(), (2, 1), "the initiator, by the ACCEPT")
        self.bob.open(self.alice.seal("Bob", "x"))
        self.assertEqual(pins(), (2, 2), "the responder, by the promotion")

    def test_a_pinned_contact_does_not_go_back(self):
        waiting = self.alice.make_offer(suite=1)
        self.pair()
        self.both_ways()
        self.refused("suiteDowngrade", self.alice.make_offer, "Bob", suite=1)
        offer = self.alice.make_offer(suite=1)
        self.refused("suiteDowngrade", self.bob.take, offer)
        self.bob.set_old("Alice")
        for code in (offer, waiting):
            self.refused("suiteDowngrade", self.alice.take, self.bob.take(code))
        self.assertEqual(len(self.alice.contact("Bob").pairings), 1)
        self.alice.set_old("Bob")
        self.alice.take(self.bob.take(offer))
        self.assertEqual(self.session(self.alice, "Bob").cur.keys.suite, 1)

    def test_no_rotate_goes_below_the_epoch_that_it_continues(self):
        self.pair()
        self.both_ways()
        pairing, first = self.session(self.bob, "Alice"), self.session(self.alice, "Bob").cur
        under_cur = self.lower(self.alice, "Bob", first)
        self.refused("suiteDowngrade", self.bob.take, under_cur)
        self.alice.take(self.bob.take(self.alice.start_rotate("Bob")))
        before = replace(pairing)
        under_next = self.lower(self.alice, "Bob", self.session(self.alice, "Bob").cur)
        self.refused("suiteDowngrade", self.bob.take, under_next)
        self.assertEqual(pairing, before, "next is not promoted")
        self.both_ways()
        self.refused("suiteDowngrade", self.bob.take, under_cur)
        self.alice.suite = 1
        self.refused("suiteDowngrade", self.alice.start_rotate, "Bob")

    def test_who_is_behind_in_suite_one_is_shown_a_rotate_of_suite_two(self):
        self.in_suite_one(self.alice, self.bob)
        self.both_ways()
        behind = self.lower(self.bob, "Alice", self.session(self.bob, "Alice").cur)
        self.alice.take(self.bob.take(self.alice.start_rotate("Bob")))
        self.assertEqual(suite_of(self.alice.take(behind)), 2)
        self.assertEqual(self.alice.warnings, ["peerCatchingUp"])

    def test_the_mark_leads_to_a_key_with_an_old_program(self):
        self.old.take(self.alice.take(self.old.make_offer()))
        self.alice.open(self.old.seal("Alice", "x"))
        self.old.open(self.alice.seal("Old", "x"))
        self.refused("unsupportedSuite", self.old.take, self.alice.start_rotate("Old"))
        bound = [xc.parse(xc.extract(self.alice.make_offer("Old", suite=suite))) for suite in (1, 2)]
        self.alice.set_old("Old")
        self.assertIsNone(self.session(self.alice, "Old").out)
        self.assertEqual([self.alice.offers[offer.reference].state for offer in bound], ["open", "closed"])
        self.assertEqual(suite_of(self.alice.make_offer("Old")), 1)
        self.old.take(self.alice.start_rotate("Old"))
        self.alice.take(self.old.shown_code("Alice"))
        self.alice.open(self.old.seal("Alice", "y"))
        self.assertEqual(self.old.open(self.alice.seal("Old", "y"))[1], "y")
        self.old.suite = 2
        self.old.take(self.alice.take(self.old.start_rotate("Alice")))
        self.assertFalse(self.alice.contact("Old").is_old, "a code of suite 02 ends the mark")

    def test_the_mark_does_not_lower_a_pairing(self):
        self.pair()
        self.both_ways()
        self.alice.start_rotate("Bob")
        self.alice.set_old("Bob")
        self.assertEqual(suite_of(self.alice.shown_code("Bob")), 2)
        rotate = self.alice.start_rotate("Bob")
        self.assertEqual(suite_of(rotate), 2)
        self.alice.take(self.bob.take(rotate))
        contact = self.alice.contact("Bob")
        self.assertEqual((contact.lowest_suite, contact.is_old), (2, False))

    def test_the_mark_ends_with_a_code_of_suite_two_and_with_the_pin(self):
        self.in_suite_one(self.alice, self.bob)
        contact = self.bob.contact("Alice")
        for is_pinned in (False, True):
            self.bob.set_old("Alice")
            if is_pinned:
                self.bob.open(self.alice.seal("Bob", "x"))
            else:
                self.clock.now += 1
                self.alice.take(self.bob.take(self.alice.make_offer()))
            self.assertEqual((contact.is_old, contact.lowest_suite), (False, 2 if is_pinned else 1))

    def test_a_wrong_code_changes_nothing(self):
        """What an ACCEPT and a ROTATE with a wrong KEM field leave is what was there."""
        self.pair()
        self.both_ways()
        rotate = xc.parse(xc.extract(self.alice.start_rotate("Bob")))
        pairing, keys = self.session(self.bob, "Alice"), self.session(self.alice, "Bob").cur.keys
        before = replace(pairing)
        beyond = replace(rotate, kem=b"\xff" * 1184).signed(keys.rotate, 0, self.alice.seed)
        self.refused("badKey", self.bob.take, xc.code_text(beyond.encode()))
        self.assertEqual(pairing, before)
        accept = self.bob.take(xc.code_text(rotate.encode()))
        code = xc.parse(xc.extract(accept))
        noise = replace(code, kem=bytes(1088))
        noise = replace(noise, signature=xc.ed25519_sign(self.bob.seed, noise.signed_bytes(rotate)))
        self.refused("badSignature", self.alice.take, xc.code_text(noise.encode()))
        self.alice.take(accept)
        self.both_ways()


class Vaults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "v.hsipvault")
        self.vault = vf.Vault.create(self.path, "a passphrase", anchor_folder=self.folder.name)

    def tearDown(self):
        self.vault.close()
        self.folder.cleanup()

    def refused(self, name, act, *given, **named):
        with self.assertRaises(vf.VaultError) as caught:
            act(*given, **named)
        self.assertEqual(caught.exception.name, name)

    def reopened(self, **named):
        vault = vf.Vault.open(self.path, passphrase="a passphrase", **named)
        self.addCleanup(vault.close)
        return vault

    def test_many_records_stay_whole(self):
        for number in range(300):
            self.vault.put("note", f"n{number}", bytes([number % 256]) * number, attributes={"n": str(number)})
        for number in range(0, 300, 3):
            self.vault.delete("note", f"n{number}")
        vault = self.reopened(anchor_folder=self.folder.name)
        self.assertEqual(vault.verify(), 200)
        self.assertIsNone(vault.get("note", "n3"))
        self.assertEqual(vault.get("note", "n4").body, bytes([4]) * 4)

    def test_tampering_is_found(self):
        for number in range(8):
            self.vault.put("note", f"n{number}", b"x")
        ids = [row[0] for row in self.vault.base.execute("SELECT id FROM record")]
        self.vault.base.execute("DELETE FROM record WHERE id=?", (ids[0],))
        self.refused("tampered", self.reopened().list)
        self.refused("tampered", self.reopened().verify)

    def test_a_wrong_secret_and_an_old_file_are_refused(self):
        self.refused("wrongSecret", vf.Vault.open, self.path, passphrase="another one")
        self.refused("noSuchSlot", vf.Vault.open, self.path, recovery=bytes(16))
        self.vault.put("note", "a", b"x")
        with open(self.vault.anchor_path(), "r+", encoding="ascii") as file:
            text = file.read()
            file.seek(0)
            file.write(vf.anchor_line(self.vault.vault_id, 1, 9, bytes(16)))
        self.refused("rollback", vf.Vault.open, self.path, passphrase="a passphrase",
                     anchor_folder=self.folder.name)
        self.assertIn("0000000002", text)

    def test_a_mistyped_recovery_code_is_called_that(self):
        text = self.vault.add_recovery_slot()
        wrong = ("1" if text[0] != "1" else "2") + text[1:]
        self.refused("mistyped", vf.Vault.open, self.path, recovery=wrong)
        vf.Vault.open(self.path, recovery=text.lower()).close()


if __name__ == "__main__":
    unittest.main()
