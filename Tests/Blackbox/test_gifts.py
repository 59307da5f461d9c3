"""Secrets for a contact: from vault to vault, with words around them, refused, and by a second implementation
(Schemas/parcel.md)."""

import os
import unittest

import parcel as pc
import strace
from house import FRIENDS, STRANGERS, Case, PeerCase, newcomer


class GiftCase(Case):
    """Two people who read each other's codes from the screen."""

    world = STRANGERS

    def setUp(self):
        super().setUp()
        answer = self.ok(self.bob, "accept", "-y", "--in-person", "--as", "alice",
                         given=self.ok(self.alice, "pair").reply).reply
        self.ok(self.alice, "accept", "-y", "--in-person", "--as", "bob", given=answer)

    def send(self, *words: str) -> str:
        return self.ok(self.alice, "secret", "send", *words, "--to", "bob").output


class Story(GiftCase):
    def test_a_login_is_sent_changed_sent_again_and_withdrawn(self):
        self.ok(self.alice, "secret", "set", "db/prod", "--user", "deploy", given="hunter2")
        text = self.send("db/prod", "--note", "for the migration")
        self.assertTrue(text.startswith("hsip-secret:"), text)
        self.assertNotIn("hunter2", text)
        taken = self.ok(self.bob, "accept", "--as", "work/db", given=f"Here it is:\n{text}\nThanks\nAlice\n")
        self.assertNotIn("hunter2", taken.output + taken.talk)
        self.assertIn("for the migration", taken.talk)
        self.assertEqual(self.ok(self.bob, "secret", "get", "work/db").output, "hunter2")
        self.ok(self.alice, "secret", "set", "db/prod", given="correct horse")
        wrapped = "\n".join("> " + text[at:at + 60] for text in [self.send("db/prod").strip()]
                            for at in range(0, len(text), 60))
        outcome = self.ok(self.bob, "secret", "receive", "--json", given=wrapped)
        self.assertEqual((outcome.result["act"], outcome.result["name"]), ("versioned", "work/db"))
        self.assertEqual(self.ok(self.bob, "secret", "get", "work/db").output, "correct horse")
        row = self.ok(self.alice, "secret", "shared", "--json").result["gifts"]
        self.assertEqual([(gift["name"], gift["way"], gift["version"]) for gift in row], [("db/prod", "out", 2)])
        withdrawal = self.ok(self.alice, "secret", "withdraw", "db/prod", "--from", "bob")
        self.assertIn("hsip secret generate db/prod", withdrawal.talk)
        self.ok(self.bob, "accept", given=withdrawal.output)
        self.ends(3, self.bob, "secret", "get", "work/db")
        self.assertIn("work/db", self.ok(self.bob, "secret", "list", "--trash").output)
        self.assertIn("withdrawn", self.ok(self.bob, "secret", "shared").output)

    def test_a_file_of_any_size_goes_as_a_file(self):
        value = os.urandom(1 << 20)
        source = self.alice.write("files/large", value)
        self.ok(self.alice, "secret", "set", "large", "--type", "file", "--from-file", source)
        place = self.alice.path("files", "large.hsipsecret")
        self.ok(self.alice, "secret", "send", "large", "--to", "bob", "-o", place)
        self.assertEqual(os.stat(place).st_mode & 0o777, 0o600)
        self.ok(self.bob, "accept", place)
        self.assertEqual(self.ok(self.bob, "secret", "get", "large").data, value)

    def test_several_contacts_get_it_in_one_go_and_one_who_is_unknown_stops_it(self):
        self.ok(self.alice, "secret", "set", "x", given="hunter2")
        self.ends(3, self.alice, "secret", "send", "x", "--to", "bob", "--to", "nobody")
        self.assertEqual(self.ok(self.alice, "secret", "shared", "--json").result["gifts"], [])
        both = self.ok(self.alice, "secret", "send", "x", "--to", "bob", "--to", "bob")
        self.assertEqual(len(both.output.split()), 1, "each contact once")
        self.ok(self.bob, "accept", given=both.output)
        self.ends(2, self.alice, "secret", "send", "x", "--to", "bob", "--to", "bob", "--json")

    def test_who_has_a_secret_is_said_where_it_is_changed_or_removed_and_where_sessions_end(self):
        self.ok(self.alice, "secret", "set", "x", given="one")
        self.send("x")
        changed = self.ok(self.alice, "secret", "set", "x", "--json", given="two")
        self.assertEqual([(warning["code"], warning["gifts"]) for warning in changed.json["warnings"]],
                         [("givenToOthers", [{"name": "x", "contact": "bob", "version": 1}])])
        self.assertIn("hsip secret send x --to bob", self.ok(self.alice, "secret", "generate", "x").talk)
        self.send("x")
        tagged = self.ok(self.alice, "secret", "set", "x", "--keep-value", "--tag", "t", "--json")
        self.assertEqual(tagged.warnings, [], "the values are what Bob has")
        self.assertIn("hsip secret withdraw x --from bob", self.ok(self.alice, "secret", "rm", "x").talk)
        self.assertIn("bob keeps the secrets you sent: x", self.ok(self.alice, "-y", "contact", "rm", "bob").talk)

    def test_a_text_with_a_code_and_a_secret_or_two_secrets_is_taken_one_at_a_time(self):
        self.ok(self.alice, "secret", "set", "x", given="one")
        texts = [self.send("x"), self.send("x"), self.ok(self.alice, "pair").output]
        for text in (texts[0] + texts[1], texts[0] + texts[2]):
            self.refused("severalCodes", self.bob, "accept", given=text)
        self.refused("severalCodes", self.bob, "secret", "receive", given=texts[0] + texts[1])
        self.ok(self.bob, "accept", "--contact", "alice", given=texts[0])

    def test_a_picture_carries_a_small_secret_and_what_is_too_long_goes_as_text(self):
        self.ok(self.alice, "secret", "set", "x", given="hunter2")
        picture = self.alice.path("files", "x.png")
        self.ok(self.alice, "secret", "send", "x", "--to", "bob", "--qr", "png", "-o", picture)
        self.ok(self.bob, "accept", picture)
        self.assertEqual(self.ok(self.bob, "secret", "get", "x").output, "hunter2")
        self.ok(self.alice, "secret", "set", "long", given="a" * 4_000)
        sent = self.ok(self.alice, "secret", "send", "long", "--to", "bob", "--qr", "png")
        self.assertTrue(sent.output.startswith("hsip-secret:"), sent)
        self.assertIn("too long for a QR code", sent.talk)

    def test_what_has_no_text_never_fails_because_of_the_file_before_it(self):
        source = self.alice.write("files/source", os.urandom(64 << 10))
        self.ok(self.alice, "secret", "set", "long", "--type", "file", "--from-file", source)
        names = [self.ok(self.alice, "secret", "send", "long", "--to", "bob").talk for _ in range(2)]
        self.assertIn("long.hsipsecret", names[0])
        self.assertIn("long-2.hsipsecret", names[1])


@unittest.skipUnless(strace.works(), "strace may not trace here")
class FullDisk(GiftCase):
    """A disk without room for what a command writes: nothing has changed, and the same command does it later."""

    def fails(self, person, *words: str, given: str = "") -> int:
        """With the vault's log full from each write on; how often that kept the command from its end."""
        for number in range(1, 30):
            outcome = person.run(*words, given=given, before=strace.inject("pwrite64", "error=ENOSPC", f"{number}+",
                                                                           person.vault + "-wal"))
            if outcome.code == 0:
                return number - 1
            self.assertEqual(outcome.code, 12, outcome)
            self.assertEqual(outcome.output, "", outcome)
        self.fail("it never came to its end")

    def test_nothing_is_given_or_taken_that_is_not_written_down(self):
        self.ok(self.alice, "secret", "set", "x", given="hunter2")
        self.assertGreater(self.fails(self.alice, "secret", "send", "x", "--to", "bob"), 0)
        (gift,) = self.ok(self.alice, "secret", "shared", "--json").result["gifts"]
        self.assertEqual((gift["name"], gift["version"]), ("x", 1))
        parcel = self.send("x")
        self.assertGreater(self.fails(self.bob, "accept", given=parcel), 0)
        self.assertEqual(self.ok(self.bob, "secret", "get", "x").output, "hunter2")
        self.assertGreater(self.fails(self.alice, "secret", "withdraw", "x", "--from", "bob"), 0)
        away = self.ok(self.alice, "secret", "withdraw", "x", "--from", "bob").output
        self.assertGreater(self.fails(self.bob, "accept", given=away), 0)
        self.assertEqual(self.ok(self.bob, "secret", "list", "--json").result["secrets"], [])


class SharesForContacts(GiftCase):
    def test_a_share_goes_to_a_contact_who_was_compared_and_doctor_knows_who_holds_it(self):
        carol = newcomer("carol")
        answer = self.ok(carol, "accept", "-y", "--in-person", "--as", "alice",
                         given=self.ok(self.alice, "pair").reply).reply
        self.ok(self.alice, "accept", "-y", "--in-person", "--as", "carol", given=answer)
        make = ("vault", "shares", "make", "--threshold", "2", "-y")
        self.ends(2, self.alice, *make, "--to", "bob", "--to", "bob")
        made = self.ok(self.alice, *make, "--to", "bob", "--to", "carol", "--json").result
        self.assertEqual([parcel["contact"] for parcel in made["parcels"]], ["bob", "carol"])
        self.assertEqual([holder["contact"] for holder in made["sharing"]["holders"]], ["bob", "carol"])
        (listed,) = self.ok(self.alice, "vault", "shares", "list", "--json").result["sharings"]
        self.assertEqual(listed, made["sharing"])
        # A line that was lost on the way is the same once more.
        shown = self.ok(self.alice, "vault", "shares", "show", "bob", "--json").result
        self.assertEqual(shown, made["parcels"][0])
        shown = self.ok(self.alice, "vault", "shares", "show", "carol").output
        self.assertEqual(shown.strip(), made["parcels"][1]["text"])
        self.refused("unknownContact", self.alice, "vault", "shares", "show", "dave", plain=False)
        taken = self.ok(self.bob, "accept", given=made["parcels"][0]["text"])
        self.assertIn("only when you see or hear them", taken.talk)
        share = self.ok(self.bob, "secret", "get", "share/alice")
        self.assertEqual(len(share.output.split()), 20)
        self.assertIn("a message is not enough", share.talk)
        self.assertIn("a share", self.ok(self.alice, "secret", "shared").output)
        self.ok(self.alice, "secret", "withdraw", listed["slot"]["label"], "--from", "carol")
        self.assertRegex(self.ok(self.alice, "vault", "shares", "list").output, r"bob, carol \(withdrawn\)")
        ended = self.ok(self.alice, "vault", "shares", "end", "-y")
        self.assertIn("bob has version 1 of shares 2 of 2", ended.talk)
        self.refused("unknownGift", self.alice, "vault", "shares", "show", "bob", plain=False)
        self.assertEqual(self.ok(self.alice, "vault", "shares", "list", "--json").result["sharings"], [])
        found = self.alice.run("doctor")
        self.assertIn("shares that do not open this vault", found.output + found.talk)


class Refusals(GiftCase):
    def setUp(self):
        super().setUp()
        self.ok(self.alice, "secret", "set", "x", given="hunter2")

    def test_decrypt_shows_no_secret_and_accept_takes_no_file(self):
        text = self.send("x")
        outcome = self.ends(13, self.bob, "decrypt", given=text)
        self.assertIn("hsip accept", outcome.talk)
        place = self.alice.path("files", "x.hsipsecret")
        self.ok(self.alice, "secret", "send", "x", "--to", "bob", "-o", place)
        self.assertIn("hsip accept", self.ends(13, self.bob, "decrypt", place).talk)
        sealed = self.ok(self.alice, "encrypt", "bob", "--file", "-", given="a file").data
        self.refused("malformedGift", self.bob, "secret", "receive", given=sealed)
        self.ok(self.bob, "accept", given=text)
        self.refused("replayed", self.bob, "accept", given=text)
        self.refused("ownGift", self.alice, "accept", given=text)

    def test_a_name_that_is_taken_and_a_copy_that_was_changed_are_left_alone(self):
        self.ok(self.bob, "secret", "set", "x", given="mine")
        text = self.send("x")
        self.refused("secretNameTaken", self.bob, "accept", given=text)
        self.ok(self.bob, "accept", "--as", "y", given=text)
        self.ok(self.bob, "secret", "set", "y", given="changed")
        self.ok(self.alice, "secret", "set", "x", given="correct horse")
        text = self.send("x")
        self.refused("secretChanged", self.bob, "accept", given=text)
        self.ok(self.bob, "secret", "receive", "--replace", given=text)
        self.assertEqual(self.ok(self.bob, "secret", "get", "y").output, "correct horse")
        self.assertEqual(self.ok(self.bob, "secret", "get", "x").output, "mine")

    def test_nothing_is_withdrawn_that_was_not_given(self):
        self.refused("unknownGift", self.alice, "secret", "withdraw", "x", "--from", "bob")


class Unverified(Case):
    world = FRIENDS

    def test_a_contact_who_was_not_compared_gets_nothing(self):
        self.ok(self.alice, "secret", "set", "x", given="hunter2")
        self.refused("contactUnverified", self.alice, "secret", "send", "x", "--to", "bob")
        self.refused("inputNeeded", self.alice, "secret", "send", "x", "--to", "bob", "--unverified")


class SecondImplementation(PeerCase):
    """Alice's program and the second implementation give each other a secret."""

    def setUp(self):
        super().setUp()
        answer = self.ok(self.alice, "accept", "-y", "--in-person", "--as", "quentin", given=self.peer.make_offer())
        self.peer.take_answer(answer.reply, save_as="alice")
        self.talks()

    def seal(self, parcel: pc.Parcel) -> str:
        """What the peer sends to Alice."""
        pairing = self.peer.contact("alice").sending_pairing()
        epoch = self.peer._sending_epoch(pairing)
        epoch.sent += 1
        key, nonce = os.urandom(32), os.urandom(12)
        message = pc.seal_key_message(pairing.send_key(epoch), self.peer.peer_id, nonce, key)
        return pc.write(pc.seal(message, key, parcel.plaintext()))

    def opened(self, text: str) -> pc.Parcel:
        data = pc.parse(text.strip())
        for pairing in self.peer.contact("alice").live_pairings():
            for epoch in pairing.live():
                try:
                    return pc.open_parcel(data, pairing.receive_key(epoch))
                except pc.ParcelError:
                    continue
        raise AssertionError("no key opens it")

    def test_both_ways(self):
        self.ok(self.alice, "secret", "set", "x", "--user", "me", "--tag", "work", given="hunter2")
        parcel = self.opened(self.ok(self.alice, "secret", "send", "x", "--to", "quentin", "--note", "n").output)
        credential = pc.Credential.read(parcel.content)
        self.assertEqual((parcel.act, parcel.version, parcel.name, parcel.note), (pc.GIVE, 1, "x", "n"))
        self.assertEqual(credential.fields, {"user": b"me", "password": b"hunter2"})
        self.assertEqual(credential.tags, ["work"])
        away = self.opened(self.ok(self.alice, "secret", "withdraw", "x", "--from", "quentin").output)
        self.assertEqual((away.act, away.gift, away.content), (pc.WITHDRAW, parcel.gift, b""))
        gift = os.urandom(16)
        for version, value in ((3, b"one"), (5, b"two")):
            content = pc.Credential("login", version, 1_700_000_000, {"password": value}, ["t"]).content()
            given = pc.Parcel(pc.GIVE, gift, version, 1_700_000_000 + version, "theirs", content=content)
            self.ok(self.alice, "accept", given=self.seal(given))
            self.assertEqual(self.ok(self.alice, "secret", "get", "theirs").data, value)
        held = self.seal(pc.Parcel(pc.WITHDRAW, gift, 5, 1_700_000_004, "theirs"))
        self.assertIn("giftOlder", self.ok(self.alice, "accept", "--json", given=held).output)
        self.assertEqual(self.ok(self.alice, "secret", "get", "theirs").data, b"two")
        self.ok(self.alice, "accept", given=self.seal(pc.Parcel(pc.WITHDRAW, gift, 5, 1_700_000_006, "theirs")))
        self.ends(3, self.alice, "secret", "get", "theirs")

    def test_the_peer_keeps_the_order_of_what_it_takes(self):
        self.ok(self.alice, "secret", "set", "x", given="one")
        texts = [self.ok(self.alice, "secret", "send", "x", "--to", "quentin").output for _ in range(2)]
        texts.append(self.ok(self.alice, "secret", "withdraw", "x", "--from", "quentin").output)
        first, second, away = [self.opened(text) for text in texts]
        self.assertLess(first.made, second.made)
        self.assertLess(second.made, away.made)
        gift = pc.Gift()
        self.assertEqual([gift.takes(parcel) for parcel in (first, away, second)], [True, True, False])

    def test_what_the_peer_may_not_do(self):
        self.ok(self.alice, "secret", "set", "x", given="mine")
        given = self.opened(self.ok(self.alice, "secret", "send", "x", "--to", "quentin").output)
        for act, name in ((pc.WITHDRAW, "unknownGift"), (pc.GIVE, "giftOfAnother")):
            content = given.content if act == pc.GIVE else b""
            forged = pc.Parcel(act, given.gift, 1, 1_700_000_000, "x", content=content)
            self.refused(name, self.alice, "accept", given=self.seal(forged))
        hidden = pc.Parcel(pc.GIVE, os.urandom(16), 1, 1_700_000_000, "x\u200b", content=given.content)
        self.refused("badSecretName", self.alice, "accept", given=self.seal(hidden))
        cut = self.seal(hidden)
        # Whole groups of base64 are whole bytes, so what is left is a parcel that does not open.
        start = cut.index(pc.SCHEME) + len(pc.SCHEME)
        short = cut[:start + (len(cut.strip()) - start - 4) // 4 * 4]
        self.refused("cannotOpen", self.alice, "accept", given=short)
        self.refused("malformedGift", self.alice, "accept", given=cut[:100])
        self.refused("malformedGift", self.alice, "secret", "receive", given=bytes(pc.LONGEST))
        self.assertEqual(self.ok(self.alice, "secret", "get", "x").output, "mine")
