"""Codes as pictures: written, scanned, photographed, read again."""

import os
import re
import shutil
import unittest
import xml.etree.ElementTree

import screen
from house import FRIENDS, STRANGERS, Case, PeerCase, xc


@unittest.skipUnless(shutil.which("zbarimg"), "zbarimg is not installed")
class Pictures(Case):
    world = STRANGERS

    def test_a_whole_pairing_in_pictures(self):
        offer = self.alice.path("files", "offer.png")
        line = self.ok(self.alice, "pair", "--qr", "png", "-o", offer)
        self.assertEqual(os.stat(offer).st_mode & 0o777, 0o600)
        self.assertEqual(screen.scan(offer), line.output.strip())
        answer = self.bob.path("files", "answer.png")
        line = self.ok(self.bob, "accept", "-y", "--as", "alice", offer, "--qr", "png", "-o", answer)
        self.assertEqual(screen.scan(answer), line.output.strip())
        self.ok(self.alice, "accept", "-y", "--as", "bob", answer)
        self.is_friendly(self.alice, self.bob)
        rotate = self.alice.path("files", "rotate.png")
        self.ok(self.alice, "session", "rotate", "bob", "--qr", "png", "-o", rotate)
        accept = self.bob.path("files", "accept.png")
        self.ok(self.bob, "accept", "-y", rotate, "--qr", "png", "-o", accept)
        self.ok(self.alice, "accept", "-y", accept)
        self.is_friendly(self.alice, self.bob)
        notice = self.alice.path("files", "notice.png")
        self.ok(self.alice, "session", "revoke", "bob", "-y", "--qr", "png", "-o", notice)
        self.ok(self.bob, "accept", "-y", notice)
        self.ends(6, self.bob, "encrypt", "alice", given="x")

    def test_a_picture_through_a_pipe(self):
        picture = self.ok(self.alice, "pair", "--qr", "png")
        self.assertTrue(picture.data.startswith(b"\x89PNG\r\n\x1a\n"), picture)
        answer = self.ok(self.bob, "accept", "-y", "--as", "alice", given=picture.data)
        self.ok(self.alice, "accept", "-y", "--as", "bob", given=answer.output)
        self.is_friendly(self.alice, self.bob)

    def test_a_scalable_picture_is_well_formed(self):
        path = self.alice.path("files", "offer.svg")
        outcome = self.ok(self.alice, "pair", "--qr", "svg", "-o", path, "--json")
        root = xml.etree.ElementTree.parse(path).getroot()
        self.assertTrue(root.tag.endswith("svg"))
        side = outcome.result["image"]["modules"] + 8
        self.assertEqual([float(number) for number in root.get("viewBox").split()], [0, 0, side, side])

    def test_half_blocks_are_scanned(self):
        outcome = self.ok(self.alice, "pair", "--qr", "ansi")
        shown = screen.Screen.__new__(screen.Screen)
        shown.text = outcome.output
        path = self.alice.write("files/painted.png", screen.png(shown.painted()))
        self.assertIn(screen.scan(path), outcome.output)

    def test_a_picture_never_replaces_a_file(self):
        path = self.alice.write("files/there.png", "mine")
        offers = self.alice.kinds()["hsip.offer"]
        self.ends(4, self.alice, "pair", "--qr", "png", "-o", path)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")
        self.assertEqual(self.alice.kinds()["hsip.offer"], offers, "and no offer is left over")
        self.ok(self.alice, "pair", "--qr", "png", "-o", path, "--force")

    def test_any_text_as_a_picture_and_back(self):
        path = self.alice.path("files", "text.png")
        text = "https://example.org/\u00fc?a=b"
        self.ok(self.alice, "qr", text, "-o", path, secret=None)
        self.assertEqual(self.ok(self.alice, "qr", "--read", path, secret=None).output, text + "\n")
        read = self.ok(self.alice, "qr", "--read", path, "--json", secret=None)
        self.assertEqual(read.result["texts"], [text])

    def test_pictures_that_are_none(self):
        self.ends(13, self.alice, "accept", "-y", self.alice.write("files/a.png", b"\x89PNG\r\n\x1a\n" + bytes(100)))
        self.ends(13, self.alice, "qr", "--read", self.alice.write("files/b.png", "not a picture"), secret=None)
        empty = self.alice.write("files/c.png", screen.png([[0] * 40] * 40))
        self.ends(13, self.alice, "accept", "-y", empty)

    def test_a_picture_with_two_codes_needs_a_person(self):
        first, second = self.ok(self.alice, "pair", "--json"), self.ok(self.alice, "pair", "--json")
        self.assertNotEqual(first.result["code"], second.result["code"])
        self.refused("severalCodes", self.bob, "accept", "-y",
                     given=first.result["code"] + "\n" + second.result["code"])


@unittest.skipUnless(shutil.which("zbarimg"), "zbarimg is not installed")
class VerifyByPicture(PeerCase):
    def setUp(self):
        super().setUp()
        self.pair_with_peer()
        self.alice.path("files")

    def picture(self, text: str) -> str:
        path = self.alice.path("files", "verify.png")
        if os.path.exists(path):
            os.unlink(path)
        self.ok(self.alice, "qr", text, "-o", path, secret=None)
        return path

    def trust(self) -> str:
        return self.contact(self.alice, "quentin")["trust"]

    def test_no_switch_says_where_it_was_read(self):
        path = self.picture(self.peer.verify_text("alice"))
        for words in (("accept", path), ("accept", "-y", path), ("accept", "--no-input", path),
                      ("verify", "quentin", "--image", path), ("-y", "verify", "quentin", "--image", path)):
            outcome = self.ends(7, self.alice, *words)
            self.assertEqual(self.trust(), "unverified", outcome)

    def test_a_person_says_where_it_was_read(self):
        path = self.picture(self.peer.verify_text("alice"))
        shown = screen.Screen(self, self.alice, "verify", "quentin", "--image", path)
        shown.sees(r"own screen\? \[y/N\]")
        shown.enters("n")
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertEqual(self.trust(), "unverified")
        shown = screen.Screen(self, self.alice, "-y", "verify", "quentin", "--image", path)
        shown.sees(r"own screen\? \[y/N\]")
        shown.enters("y")
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertEqual(self.trust(), "verified")
        self.assertEqual(self.contact(self.alice, "quentin")["verifiedBy"], "code")

    def test_accept_takes_it_too(self):
        path = self.picture(self.peer.verify_text("alice"))
        shown = screen.Screen(self, self.alice, "accept", path)
        shown.sees(r"own screen\? \[y/N\]")
        shown.enters("y")
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertEqual(self.trust(), "verified")

    def test_a_wrong_one_is_loud(self):
        wrong = xc.code_text(xc.verify_code(os.urandom(32), self.peer.identity).encode())
        self.refused("verifyMismatch", self.alice, "verify", "quentin", "--image", self.picture(wrong))
        other = xc.code_text(xc.verify_code(self.peer.identity, os.urandom(32)).encode())
        self.refused("verifyNotForMe", self.alice, "verify", "quentin", "--image", self.picture(other))
        self.assertEqual(self.trust(), "unverified")
