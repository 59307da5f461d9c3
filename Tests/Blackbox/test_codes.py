"""Codes of every kind that must not be taken: damaged, foreign, replayed, forged, late."""

import json
import os

import schemas
from house import FRIENDS, Case, PeerCase, xc
from screen import Screen, compares, hears


def written(data: bytes) -> str:
    """Any bytes as if they were an offer."""
    return "HSIP:" + xc.bech32m_encode("offer", data).upper()


class Shapes(PeerCase):
    def take(self, name: str, code: str, **how):
        return self.refused(name, self.alice, "accept", "-y", given=code, **how)

    def test_text_without_a_code(self):
        for text in ("", "good morning", "hsip:", "HSIP:HELLO1QQQQ", "https://example.org/hsip"):
            with self.subTest(text=text):
                self.take("noCode", text)

    def test_a_code_that_is_cut(self):
        code = self.peer.make_offer()
        for cut in (1, 6, 60, len(code) - 12):
            with self.subTest(cut=cut):
                self.take("truncated", code[:-cut])

    def test_a_code_with_something_glued_on(self):
        self.take("malformed", self.peer.make_offer() + "q")

    def test_a_mistyped_character(self):
        code = self.peer.make_offer()
        for position in (12, 100, len(code) - 1):
            with self.subTest(position=position):
                other = "Q" if code[position] != "Q" else "P"
                self.take("malformed", code[:position] + other + code[position + 1:])

    def test_a_name_for_another_kind(self):
        data = xc.extract(self.peer.make_offer())
        changed = bytearray(data)
        changed[1] = 2
        self.take("malformed", written(bytes(changed)))

    def test_codes_of_a_newer_program(self):
        for position, value, name in ((0, 2, "unsupportedVersion"), (2, 3, "unsupportedSuite"),
                                      (3, 4, "unsupportedFlag"), (3, 1, "singleKeyRefused")):
            with self.subTest(name=name):
                data = bytearray(xc.extract(self.peer.make_offer()))
                data[position] = value
                signature = xc.ed25519_sign(self.peer.seed, xc.label("sig-offer") + bytes(data[:-64]))
                self.take(name, written(bytes(data[:-64]) + signature))

    def test_codes_of_a_newer_program_have_other_lengths(self):
        for kind, more in (("offer", 1184), ("answer", 1088), ("rotate", 1184), ("accept", 1088), ("revoke", 9), ("verify", 3)):
            for position, name in ((0, "unsupportedVersion"), (2, "unsupportedSuite")):
                if (kind, position) == ("verify", 2):
                    continue
                data = bytearray([1, xc.KINDS[kind], 1, 0]) + bytes(range(1, 140)) + bytes(more)
                data[position] = 3
                code = "HSIP:" + xc.bech32m_encode(kind, bytes(data)).upper()
                for text in (code, code.lower(), "\n> ".join(code[at:at + 60] for at in range(0, len(code), 60))):
                    with self.subTest(kind=kind, name=name):
                        self.assertEqual(self.take(name, text).code, 13)

    def test_numbers_out_of_range(self):
        for position, count, value in ((8, 2, 0), (8, 2, 10081), (10, 2, 0), (10, 2, 721), (12, 2, 0), (12, 2, 1001)):
            with self.subTest(position=position, value=value):
                data = bytearray(xc.extract(self.peer.make_offer()))
                data[position:position + count] = value.to_bytes(count, "big")
                signature = xc.ed25519_sign(self.peer.seed, xc.label("sig-offer") + bytes(data[:-64]))
                self.take("malformed", written(bytes(data[:-64]) + signature))

    def test_a_forged_signature(self):
        data = bytearray(xc.extract(self.peer.make_offer()))
        data[-1] ^= 1
        self.take("badSignature", xc.code_text(bytes(data)))

    def test_a_key_of_low_order(self):
        data = bytearray(xc.extract(self.peer.make_offer()))
        data[46:78] = bytes(32)
        signature = xc.ed25519_sign(self.peer.seed, xc.label("sig-offer") + bytes(data[:-64]))
        self.take("badKey", written(bytes(data[:-64]) + signature))

    def test_two_different_codes_need_a_person(self):
        both = self.peer.make_offer() + "\n" + xc.Peer(name="Carol").make_offer()
        self.take("severalCodes", both)

    def test_links_of_the_old_apps_are_explained(self):
        for link in ("hsip://add?id=abc&name=Bob", "hsip://exchange?peer=a&pubkey=b"):
            with self.subTest(link=link):
                self.take("legacyLink", link)

    def test_codes_between_machines_are_for_a_vault_that_is_shared_or_shall_be(self):
        with open(os.path.join(schemas.FOLDER, "..", "vectors", "machines.json"), encoding="utf-8") as file:
            known = json.load(file)
        for kind in ("join", "admit", "head"):
            with self.subTest(kind=kind):
                self.take("noLog", known[kind]["code"])

    def test_ones_own_code(self):
        offer = self.ok(self.alice, "pair").output
        self.take("selfPairing", offer)

    def test_a_file_that_is_not_there_and_a_picture_without_a_code(self):
        self.ends(3, self.alice, "accept", "-y", self.alice.path("files", "nothing.txt"))
        self.ends(13, self.alice, "accept", "-y", self.alice.write("files/p.png", b"\x89PNG\r\n\x1a\nrest"))

    def test_binary_noise(self):
        for noise in (os.urandom(5000), b"\xff" * 100, b"HSIP:OFFER1\xff\xfe", b"\0" * 50):
            with self.subTest(noise=noise[:8]):
                outcome = self.alice.run("accept", "-y", "--json", given=noise)
                self.assertEqual(outcome.code, 13, outcome)


class Answers(PeerCase):
    def test_an_answer_to_somebody_elses_offer(self):
        other = xc.Peer(name="Other")
        answer = self.peer.take_offer(other.make_offer(), save_as="o")
        self.refused("unknownOffer", self.alice, "accept", "-y", given=answer)

    def test_an_answer_that_was_signed_by_another(self):
        answer = bytearray(xc.extract(self.peer.take_offer(self.ok(self.alice, "pair").output)))
        answer[-1] ^= 1
        self.refused("badSignature", self.alice, "accept", "-y", given=xc.code_text(bytes(answer)))
        answer[-1] ^= 1
        self.ok(self.alice, "accept", "-y", given=xc.code_text(bytes(answer)))
        self.peer.contact("Alice").name = "alice"
        self.talks_as("quentin")

    def talks_as(self, name: str):
        self.ok(self.alice, "decrypt", given=self.peer.seal("alice", "x"))

    def test_an_answer_that_another_signed_again(self):
        """Carol puts her identity and signature over Quentin's answer: the key confirmation tells."""
        offer_text = self.ok(self.alice, "pair").output
        offer = xc.parse(xc.extract(offer_text))
        answer = bytearray(xc.extract(self.peer.take_offer(offer_text)))
        carol = xc.Peer(name="Carol")
        answer[30:62] = carol.identity
        forged = xc.parse(bytes(answer))
        signature = xc.ed25519_sign(carol.seed, forged.signed_bytes(offer.hash))
        self.refused("confirmFailed", self.alice, "accept", "-y", given=xc.code_text(bytes(answer[:-64]) + signature))

    def test_a_second_answer_from_somebody_else_makes_the_first_suspicious(self):
        offer = self.ok(self.alice, "pair").output
        self.ok(self.alice, "accept", "-y", "--as", "quentin", given=self.peer.take_offer(offer, save_as="alice"))
        thief = xc.Peer(name="Thief").take_offer(offer, save_as="alice")
        self.refused("offerAlreadyUsed", self.alice, "accept", "-y", "--as", "thief", given=thief, changes=True)
        self.assertEqual(self.contact(self.alice, "quentin")["trust"], "suspicious")
        self.assertIn("suspicious", self.ok(self.alice, "encrypt", "quentin", "--json", given="x").warnings)
        self.assertIn("SUSPICIOUS", self.ok(self.alice, "session", "list").output.upper())
        compares(self, self.alice, "quentin", self.peer.safety_number("alice"))
        self.assertEqual(self.contact(self.alice, "quentin")["trust"], "verified")
        self.assertNotIn("suspicious", self.ok(self.alice, "encrypt", "quentin", "--json", given="x").warnings)

    def test_a_second_answer_of_the_same_person_marks_nobody(self):
        offer = self.ok(self.alice, "pair").output
        twin = xc.Peer(seed=self.peer.seed, name="Quentin").take_offer(offer, save_as="alice")
        self.ok(self.alice, "accept", "-y", "--as", "quentin", given=self.peer.take_offer(offer, save_as="alice"))
        self.refused("offerAlreadyUsed", self.alice, "accept", "-y", given=twin)
        self.assertEqual(self.contact(self.alice, "quentin")["trust"], "unverified")

    def test_a_closed_offer_is_closed(self):
        offer = self.ok(self.alice, "pair").output
        self.assertEqual(self.ok(self.alice, "pair", "--close-all", "--json").result["closedOffers"], 1)
        self.refused("offerClosed", self.alice, "accept", "-y", given=self.peer.take_offer(offer))

    def test_an_answer_may_only_lower(self):
        offer_text = self.ok(self.alice, "pair", "--limit", "10", "--life", "1d").output
        outcome = self.ok(self.alice, "accept", "-y", "--as", "quentin", "--json",
                          given=self.peer.take_offer(offer_text, save_as="alice", limit=5, life=12))
        self.assertEqual(outcome.result["session"]["limit"], 5)
        offer = self.ok(self.alice, "pair", "--limit", "10").output
        higher = xc.Peer(name="H").take_offer(offer, limit=11)
        self.refused("malformed", self.alice, "accept", "-y", given=higher)

    def test_at_most_32_offers_are_open(self):
        for _ in range(32):
            self.ok(self.alice, "pair")
        outcome = self.refused("tooManyOffers", self.alice, "pair")
        self.assertIn("--close-all", outcome.json["error"]["hint"])
        self.ok(self.alice, "pair", "--close-all")
        self.ok(self.alice, "pair")


class Rotations(PeerCase):
    def setUp(self):
        super().setUp()
        self.pair_with_peer()

    def test_messages_in_flight_survive_a_rotation(self):
        early = [self.peer.seal("alice", f"early {index}") for index in range(3)]
        mine = [self.ok(self.alice, "encrypt", "quentin", given=f"mine {index}").output for index in range(3)]
        rotate = self.ok(self.alice, "session", "rotate", "quentin").output
        between = self.peer.seal("alice", "between")
        accept = self.peer.take_rotate(rotate)
        late = self.peer.seal("alice", "late, still the old key")
        meanwhile = self.ok(self.alice, "encrypt", "quentin", given="before the accept").output
        self.ok(self.alice, "accept", "-y", given=accept)
        fresh = self.ok(self.alice, "encrypt", "quentin", given="new key").output
        for message in (mine[1], fresh, meanwhile, mine[0], mine[2]):
            self.peer.open(message)
        self.peer.seal("alice", "new key too")
        for message in (late, early[2], between, early[0], early[1]):
            self.ok(self.alice, "decrypt", given=message)
        self.talks()

    def test_their_rotation_takes_effect_at_their_first_message(self):
        accept = self.ok(self.alice, "accept", "-y", given=self.peer.start_rotate("alice")).reply
        before = self.ok(self.alice, "encrypt", "quentin", given="old key").output
        self.assertEqual(self.session(self.alice, "quentin")["epoch"], 0)
        self.peer.take_accept(accept)
        self.peer.open(before)
        self.ok(self.alice, "decrypt", given=self.peer.seal("alice", "new"))
        self.assertEqual(self.session(self.alice, "quentin")["epoch"], 1)
        self.talks()

    def test_a_rotation_is_shown_again_until_it_is_done(self):
        first = self.ok(self.alice, "session", "rotate", "quentin").reply
        for words in (("pair", "quentin"), ("session", "rotate", "quentin")):
            again = self.ok(self.alice, *words, "--json").result
            self.assertEqual((again["code"], again["cached"]), (first, True))
        self.ok(self.alice, "accept", "-y", given=self.peer.take_rotate(first))
        self.assertNotEqual(self.ok(self.alice, "session", "rotate", "quentin").reply, first)

    def test_an_accept_taken_twice_is_taken_once(self):
        accept = self.peer.take_rotate(self.ok(self.alice, "session", "rotate", "quentin").output)
        self.ok(self.alice, "accept", "-y", given=accept)
        outcome = self.ok(self.alice, "accept", "-y", "--json", given=accept)
        self.assertIn("alreadyDone", outcome.warnings)
        self.assertEqual(self.session(self.alice, "quentin")["epoch"], 1)
        self.talks()

    def test_a_rotate_taken_twice_gives_the_same_accept(self):
        rotate = self.peer.start_rotate("alice")
        accepts = {self.ok(self.alice, "accept", "-y", given=rotate).reply for _ in range(3)}
        self.assertEqual(len(accepts), 1)
        self.peer.take_accept(accepts.pop())
        self.talks()
        self.assertIn("alreadyDone", self.ok(self.alice, "accept", "-y", "--json", given=rotate).warnings)

    def test_rotations_that_cross_have_one_winner(self):
        ours, theirs = self.ok(self.alice, "session", "rotate", "quentin").reply, self.peer.start_rotate("alice")
        from_peer, from_alice = self.peer.take_rotate(ours), self.ok(self.alice, "accept", "-y", given=theirs).reply
        kinds = {type(xc.parse(xc.extract(code))) for code in (from_peer, from_alice)}
        self.assertEqual(kinds, {xc.Accept, xc.Rotate})
        if isinstance(xc.parse(xc.extract(from_peer)), xc.Accept):
            self.ok(self.alice, "accept", "-y", given=from_peer)
        else:
            self.peer.take_accept(from_alice)
        self.talks()

    def test_forged_and_stale_codes(self):
        rotate = bytearray(xc.extract(self.peer.start_rotate("alice")))
        forged = bytes(rotate[:60]) + bytes([rotate[60] ^ 1]) + bytes(rotate[61:])
        self.refused("badSignature", self.alice, "accept", "-y", given=xc.code_text(forged))
        forged = bytes(rotate[:-1]) + bytes([rotate[-1] ^ 1])
        self.refused("badSignature", self.alice, "accept", "-y", given=xc.code_text(forged))
        stale = bytes(rotate[:14]) + bytes([rotate[14] ^ 1]) + bytes(rotate[15:])
        self.refused("staleCode", self.alice, "accept", "-y", given=xc.code_text(stale))
        accept = bytearray(xc.extract(self.peer.take_rotate(self.ok(self.alice, "session", "rotate", "quentin").output)
                                      ))
        accept[-1] ^= 1
        self.refused("badSignature", self.alice, "accept", "-y", given=xc.code_text(bytes(accept)))
        self.talks()

    def test_an_accept_for_another_attempt_is_stale(self):
        old = self.peer.take_rotate(self.ok(self.alice, "session", "rotate", "quentin").output)
        changed = bytearray(xc.extract(old))
        changed[26] ^= 1
        self.refused("staleCode", self.alice, "accept", "-y", given=xc.code_text(bytes(changed)))
        self.ok(self.alice, "accept", "-y", given=old)

    def test_only_two_epochs_back_are_read(self):
        oldest = self.peer.seal("alice", "epoch 0")
        for _ in range(3):
            self.peer.take_accept(self.ok(self.alice, "accept", "-y", given=self.peer.start_rotate("alice")).reply)
            self.talks()
        self.refused("cannotOpen", self.alice, "decrypt", given=oldest)

    def test_an_unconfirmed_pairing_cannot_rotate(self):
        other = xc.Peer(name="Other")
        offer = other.make_offer()
        for name in ("in\u200bvisible", "x" * 65):
            refused = self.refused("malformed", self.alice, "accept", "-y", "--as", name, given=offer)
            self.assertIn("--as", refused.json["error"]["message"])
        answer = self.ok(self.alice, "accept", "-y", "--as", "other", given=offer).reply
        self.assertEqual(self.ok(self.alice, "session", "rotate", "other").reply, answer)
        self.assertIn("unconfirmed", self.ok(self.alice, "encrypt", "other", "--json", given="x").warnings)


class Revocations(PeerCase):
    def setUp(self):
        super().setUp()
        self.pair_with_peer()

    def test_a_notice_ends_the_session_for_both(self):
        for reason, number in (("compromised", 2),):
            notice = self.ok(self.alice, "session", "revoke", "quentin", "--reason", reason, "-y", "--json")
            code = xc.parse(xc.extract(notice.result["notice"]["code"]))
            self.assertEqual(code.reason, number)
            self.peer.take_revoke(notice.result["notice"]["code"])
            with self.assertRaises(xc.HSIPError):
                self.peer.seal("alice", "x")
        self.refused("revoked", self.alice, "encrypt", "quentin", given="x")

    def test_without_yes_and_without_a_person_nothing_is_ended(self):
        before = self.alice.rows()
        self.ends(7, self.alice, "session", "revoke", "quentin", "--no-input")
        self.ends(7, self.alice, "identity", "revocation-notice", "--no-input")
        self.assertEqual(self.alice.rows(), before)
        self.talks()

    def test_their_notice_ends_it_here(self):
        late = self.peer.seal("alice", "sent before the end")
        forged = bytearray(xc.extract(self.peer.revoke_session("alice", 3, keep=True)))
        forged[-1] ^= 1
        self.refused("badSignature", self.alice, "accept", "-y", given=xc.code_text(bytes(forged)))
        notice = self.peer.revoke_session("alice", 3)
        outcome = self.ok(self.alice, "accept", "-y", "--json", given=notice)
        self.assertEqual((outcome.result["outcome"], outcome.result["took"]["reason"]), ("ended", "ended"))
        self.refused("revoked", self.alice, "encrypt", "quentin", given="x")
        self.ends(11, self.alice, "decrypt", given=late)
        self.ok(self.alice, "accept", "-y", given=notice)

    def test_a_notice_for_a_session_that_is_not_here(self):
        other = xc.Peer(name="Other")
        third = xc.Peer(name="Third")
        third.take_answer(other.take_offer(third.make_offer(), save_as="third"), save_as="other")
        self.refused("unknownSession", self.alice, "accept", "-y", given=third.revoke_session("other"))

    def test_their_identity_ends_for_good(self):
        notice = self.peer.revoke_identity(2)
        outcome = self.ok(self.alice, "accept", "-y", "--json", given=notice)
        self.assertEqual((outcome.result["outcome"], outcome.result["trust"]), ("identityRevoked", "revoked"))
        self.refused("revoked", self.alice, "encrypt", "quentin", given="x")
        self.refused("identityRevoked", self.alice, "accept", "-y", given=self.peer.make_offer())

    def test_an_unknown_identity_may_be_ended_ahead(self):
        other = xc.Peer(name="Other")
        self.ok(self.alice, "accept", "-y", given=other.revoke_identity(1))
        self.refused("identityRevoked", self.alice, "accept", "-y", given=other.make_offer())

    def test_our_identity_ends_for_good(self):
        notice = self.ok(self.alice, "identity", "revocation-notice", "-y").reply
        self.peer.take_revoke(notice)
        self.assertEqual(self.peer.contact("alice").trust, "revoked")

    def test_people_pair_again_after_an_end(self):
        self.peer.take_revoke(self.ok(self.alice, "session", "revoke", "quentin", "-y").output)
        self.ok(self.alice, "accept", "-y", given=self.peer.take_offer(self.ok(self.alice, "pair", "quentin").output))
        self.talks()
        self.assertIs(self.contact(self.alice, "quentin")["rePairedNotVerified"], True)

    def test_old_codes_do_not_bring_a_session_back(self):
        rotate = self.peer.start_rotate("alice")
        self.ok(self.alice, "session", "revoke", "quentin", "-y")
        outcome = self.alice.run("accept", "-y", "--json", given=rotate)
        self.assertIn(outcome.json["error"]["code"], ("staleCode", "revoked"), outcome)
        self.refused("revoked", self.alice, "encrypt", "quentin", given="x")

    def test_an_offer_whose_session_was_ended_is_spent(self):
        other = xc.Peer(name="Other")
        offer = other.make_offer()
        self.ok(self.alice, "accept", "-y", "--as", "other", given=offer)
        self.ok(self.alice, "session", "revoke", "other", "-y")
        self.refused("offerSpent", self.alice, "accept", "-y", given=offer)


class Contacts(PeerCase):
    def setUp(self):
        super().setUp()
        self.pair_with_peer()

    def test_names_and_notes(self):
        self.ok(self.alice, "contact", "set", "quentin", "--alias", "q", "--note", "from the club")
        shown = self.contact(self.alice, "q")
        self.assertEqual((shown["contact"], shown["note"]), ("q", "from the club"))
        self.ends(3, self.alice, "contact", "show", "quentin")
        message = self.ok(self.alice, "encrypt", "q", given="x").output
        self.peer.open(message)

    def test_two_contacts_never_share_a_name(self):
        other = xc.Peer(name="Other")
        self.ok(self.alice, "accept", "-y", "--as", "other", given=other.make_offer())
        self.refused("nameCollision", self.alice, "contact", "set", "other", "--alias", "quentin")

    def test_a_contact_that_must_be_verified(self):
        self.ok(self.alice, "contact", "set", "quentin", "--require-verified")
        outcome = self.ends(6, self.alice, "encrypt", "quentin", given="x")
        self.assertIn("verify", outcome.talk)
        compares(self, self.alice, "quentin", self.peer.safety_number("alice"))
        self.ok(self.alice, "encrypt", "quentin", given="x")

    def test_a_contact_goes_to_the_trash_and_comes_back(self):
        self.ok(self.alice, "contact", "set", "quentin", "--note", "kept")
        removed = self.ok(self.alice, "contact", "rm", "quentin", "-y", "--json").result
        self.assertTrue(removed["notice"]["code"].startswith("HSIP:REVOKE1"))
        self.peer.take_revoke(removed["notice"]["code"])
        self.ends(3, self.alice, "encrypt", "quentin", given="x")
        self.ok(self.alice, "contact", "restore", "quentin")
        self.assertEqual(self.contact(self.alice, "quentin")["note"], "kept")
        self.ends(6, self.alice, "encrypt", "quentin", given="the sessions never come back")

    def test_the_same_identity_brings_a_removed_contact_back(self):
        self.ok(self.alice, "contact", "set", "quentin", "--note", "kept")
        self.ok(self.alice, "contact", "rm", "quentin", "-y")
        self.ok(self.alice, "accept", "-y", given=self.peer.make_offer())
        shown = self.contact(self.alice, "quentin")
        self.assertEqual((shown["note"], shown["rePairedNotVerified"]), ("kept", True))

    def test_the_trash_keeps_its_names(self):
        self.ok(self.alice, "contact", "rm", "quentin", "-y")
        stranger = xc.Peer(name="Stranger").make_offer()
        self.refused("nameCollision", self.alice, "accept", "-y", "--as", "quentin", given=stranger)

    def test_a_new_key_is_refused_until_it_is_trusted(self):
        new = xc.Peer(name="Quentin")
        offer = new.make_offer()
        outcome = self.refused("identityChanged", self.alice, "accept", "-y", "--contact", "quentin", given=offer)
        details = outcome.json["error"]["details"]
        self.assertEqual(details["newPeerId"], xc.peer_id_text(new.peer_id))
        self.assertEqual(details["newSafetyNumber"], self.number_with(new))
        self.talks()

    def number_with(self, stranger: xc.Peer) -> str:
        own = self.peer.contact("alice").identity
        return xc.safety_number(own, stranger.identity)

    def test_one_pasted_line_replaces_no_key(self):
        new = xc.Peer(name="Quentin")
        offer = new.make_offer()
        words = ("contact", "replace-key", "quentin")
        before = self.contact(self.alice, "quentin")
        self.ends(7, self.alice, *words, "--no-input", given=offer)
        self.ends(7, self.alice, *words, "--json", given=offer)
        wrong = self.number_with(xc.Peer(name="Q"))
        self.refused("verifyMismatch", self.alice, *words, "--expect", wrong, given=offer)
        self.refused("malformedInput", self.alice, *words, "--expect", wrong[:30], given=offer)
        told = self.ok(self.alice, *words, "--expect", self.number_with(new), "--json", given=offer).result
        self.assertEqual((told["replaced"], told["newPeerId"], told["endedPairings"]), (False, None, 0))
        self.assertEqual(told["safetyNumber"], self.number_with(new))
        self.assertIn("Nothing is changed", self.ok(self.alice, *words, "--expect", self.number_with(new), given=offer).talk)
        self.assertEqual(self.contact(self.alice, "quentin"), before)
        self.talks()

    def test_a_new_key_is_trusted_by_the_number_they_read_aloud(self):
        new = xc.Peer(name="Quentin")
        offer = new.make_offer()
        path = self.alice.write("files/offer", offer)
        words = ("contact", "replace-key", "quentin", path)
        refused = Screen(self, self.alice, *words)
        refused.sees(r"no\)(: |\s+> )")
        refused.enters()
        self.assertEqual(refused.ends(), 6, refused.plain)
        self.assertNotIn(self.number_with(new)[:11], refused.plain)
        self.talks()
        late = self.peer.seal("alice", "from the old key")
        compares(self, self.alice, "quentin", self.peer.safety_number("alice"))
        asked = Screen(self, self.alice, *words)
        hears(asked, self.number_with(new).split())
        self.assertEqual(asked.ends(), 0, asked.plain)
        changed = self.contact(self.alice, "quentin")
        self.assertEqual((changed["peerId"], changed["trust"]), (xc.peer_id_text(new.peer_id), "unverified"))
        self.ends(3, self.alice, "decrypt", given=late)
        answer = self.ok(self.alice, "accept", "-y", given=offer).reply
        new.take_answer(answer, save_as="alice")
        self.peer = new
        self.talks()
        self.assertEqual(len(self.ok(self.alice, "contact", "list").lines), 1)

    def test_a_bound_offer_is_for_one_identity(self):
        offer = self.ok(self.alice, "pair", "quentin", "--offer").output
        stranger = xc.Peer(name="Stranger").take_offer(offer, save_as="alice")
        self.refused("identityChanged", self.alice, "accept", "-y", given=stranger)
        self.ok(self.alice, "accept", "-y", given=self.peer.take_offer(offer))
        self.talks()

    def test_names_that_look_alike_are_told(self):
        twin = xc.Peer(name="QUENTIN")
        outcome = self.ok(self.alice, "accept", "-y", "--as", "\uff31uentin", "--json", given=twin.make_offer())
        self.assertIn("nameLooksAlike", outcome.warnings)


class Verification(PeerCase):
    def setUp(self):
        super().setUp()
        self.pair_with_peer()

    def trust(self) -> str:
        return self.contact(self.alice, "quentin")["trust"]

    def test_the_number_and_the_code_are_those_of_the_peer(self):
        number = self.ok(self.alice, "verify", "quentin", "--number").output
        self.assertEqual(number.split(), self.peer.safety_number("alice").split())
        self.peer.check_verify("alice", self.ok(self.alice, "verify", "quentin", "--code").output)

    def test_the_words_are_those_of_the_peer(self):
        shown = self.ok(self.alice, "verify", "quentin", "--json").result
        self.assertEqual("".join(word["emoji"] for word in shown["words"]), self.peer.emoji("alice"))

    def test_a_number_on_the_command_line_matches_and_verifies_nobody(self):
        number = self.peer.safety_number("alice")
        for words in ((), ("-y",), ("--no-input",)):
            outcome = self.ok(self.alice, *words, "verify", "quentin", "--expect", number, "--json").result
            self.assertEqual((outcome["trust"], outcome["verifiedBy"]), ("unverified", None))
            self.assertEqual(outcome["comparison"], {"matches": True, "counted": False, "source": "expected"})
        shown = Screen(self, self.alice, "-y", "verify", "quentin", "--expect", number)
        self.assertEqual(shown.ends(), 0)
        self.assertIn("Trust is unchanged", shown.plain)
        self.assertEqual(self.trust(), "unverified")

    def test_a_number_that_the_other_reads_aloud_verifies(self):
        compares(self, self.alice, "quentin", self.peer.safety_number("alice"))
        self.assertEqual(self.trust(), "verified")

    def test_a_wrong_number_is_loud_and_changes_nothing(self):
        digits = self.peer.safety_number("alice")
        wrong = digits[:-1] + ("0" if digits[-1] != "0" else "1")
        self.refused("verifyMismatch", self.alice, "verify", "quentin", "--expect", wrong)
        self.assertEqual(self.trust(), "unverified")

    def test_a_verify_as_text_proves_nothing(self):
        code = self.peer.verify_text("alice")
        for words in (("accept", "-y"), ("accept", "-y", "--contact", "quentin"), ("accept", "--no-input")):
            outcome = self.ok(self.alice, *words, "--json", given=code)
            self.assertEqual((outcome.result["outcome"], outcome.result["comparison"]["matches"],
                              outcome.result["comparison"]["counted"]), ("compared", True, False))
        self.assertEqual(self.trust(), "unverified")

    def test_a_verify_inside_a_message_proves_nothing(self):
        message = self.peer.seal("alice", self.peer.verify_text("alice"))
        outcome = self.ok(self.alice, "accept", "-y", "--json", given=message)
        self.assertIs(outcome.result["comparison"]["counted"], False)
        self.assertEqual(self.trust(), "unverified")

    def test_a_refused_code_inside_a_message_leaves_the_message_unread(self):
        stranger = xc.code_text(xc.verify_code(os.urandom(32), self.peer.identity).encode())
        message = self.peer.seal("alice", stranger)
        self.refused("verifyMismatch", self.alice, "accept", "-y", given=message)
        self.ok(self.alice, "decrypt", given=message)

    def test_two_codes_inside_a_message_are_asked_about(self):
        offers = [xc.Peer(name="One").make_offer(), xc.Peer(name="Two").make_offer()]
        message = self.peer.seal("alice", "\n".join(offers))
        self.refused("severalCodes", self.alice, "accept", "-y", given=message)
        self.ok(self.alice, "decrypt", given=message)

    def test_a_verify_of_nobody_and_for_somebody_else(self):
        stranger = xc.code_text(xc.verify_code(os.urandom(32), self.peer.identity).encode())
        self.refused("verifyMismatch", self.alice, "accept", "-y", given=stranger)
        other = xc.code_text(xc.verify_code(self.peer.identity, os.urandom(32)).encode())
        self.refused("verifyNotForMe", self.alice, "accept", "-y", given=other)
        self.assertEqual(self.trust(), "unverified")

    def test_in_person_marks_a_contact_scanned(self):
        other = xc.Peer(name="Other")
        outcome = self.ok(self.alice, "accept", "-y", "--in-person", "--as", "other", "--json", given=other.make_offer())
        self.assertEqual(outcome.result["trust"], "scanned")

    def test_an_offer_inside_a_message_was_not_read_in_person(self):
        message = self.peer.seal("alice", xc.Peer(name="Other").make_offer())
        outcome = self.ok(self.alice, "accept", "-y", "--in-person", "--as", "other", "--json", given=message)
        self.assertEqual(outcome.result["trust"], "unverified")

    def test_pairing_again_is_not_verified_again(self):
        compares(self, self.alice, "quentin", self.peer.safety_number("alice"))
        self.ok(self.alice, "accept", "-y", given=self.peer.make_offer())
        shown = self.contact(self.alice, "quentin")
        self.assertEqual((shown["trust"], shown["rePairedNotVerified"]), ("verified", True))


class Restored(Case):
    """An older copy of the vault comes back."""

    world = FRIENDS

    def anchors(self) -> dict[str, str]:
        found = {}
        for path in self.alice.anchor_files():
            with open(path, encoding="ascii") as file:
                found[path] = file.read()
        return found

    def put_anchors(self, anchors: dict[str, str]):
        for path, text in anchors.items():
            self.alice.write(path, text)

    def test_an_older_vault_is_refused(self):
        self.alice.keep("older")
        self.ok(self.alice, "encrypt", "bob", given="one more")
        anchors = self.anchors()
        self.alice.put_back("older")
        self.put_anchors(anchors)
        for words in (("encrypt", "bob"), ("pair",), ("session", "list")):
            self.refused("rollback", self.alice, *words, given="x")

    def test_another_history_is_refused(self):
        self.alice.keep("older")
        self.ok(self.alice, "encrypt", "bob", given="one")
        anchors = self.anchors()
        self.alice.put_back("older")
        self.ok(self.alice, "encrypt", "bob", given="two")
        self.put_anchors(anchors)
        self.refused("fork", self.alice, "encrypt", "bob", given="x")

    def test_a_lost_anchor_is_told(self):
        for path in self.alice.anchor_files():
            os.unlink(path)
        self.assertIn("anchorMissing", self.ok(self.alice, "session", "list", "--json").warnings)
        self.assertNotIn("anchorMissing", self.ok(self.alice, "session", "list", "--json").warnings)


class AfterRestore(PeerCase):
    """A backup was put back properly: nothing is sealed under its keys, and the two can renew."""

    def setUp(self):
        super().setUp()
        self.pair_with_peer()

    def test_nothing_is_sealed_until_it_is_renewed(self):
        self.alice.predate_a_restore()
        refused = self.refused("restored", self.alice, "encrypt", "quentin", given="x")
        self.assertEqual(refused.json["error"]["hint"], "hsip pair quentin")
        self.assertEqual(self.session(self.alice, "quentin")["state"], "restored")
        read = self.ok(self.alice, "decrypt", "--json", given=self.peer.seal("alice", "still read"))
        self.assertIn("mayHaveBeenReadBefore", read.warnings)
        self.refused("restored", self.alice, "encrypt", "quentin", given="a later revision hides nothing")
        rotate = self.ok(self.alice, "pair", "quentin")
        self.assertEqual(rotate.kind, "rotate")
        self.ok(self.alice, "accept", "-y", given=self.peer.take_rotate(rotate.output))
        self.talks()

    def test_what_was_pending_is_gone(self):
        offer = self.ok(self.alice, "pair").output
        rotate = self.ok(self.alice, "session", "rotate", "quentin").output
        self.alice.predate_a_restore()
        stranger = xc.Peer(name="Stranger")
        self.refused("offerClosed", self.alice, "accept", "-y", given=stranger.take_offer(offer, save_as="alice"))
        self.refused("staleCode", self.alice, "accept", "-y", given=self.peer.take_rotate(rotate))

    def test_a_new_offer_is_fresh(self):
        self.alice.predate_a_restore()
        offer = self.ok(self.alice, "pair", "quentin", "--offer", "--json")
        self.assertIs(offer.result["fresh"], True)
        self.ok(self.alice, "accept", "-y", given=self.peer.take_offer(offer.result["code"]))
        self.talks()

    def test_their_rotation_renews_it_too(self):
        self.alice.predate_a_restore()
        accept = self.ok(self.alice, "accept", "-y", given=self.peer.start_rotate("alice")).reply
        self.peer.take_accept(accept)
        self.ok(self.alice, "decrypt", given=self.peer.seal("alice", "new key"))
        self.talks()
