"""Secrets for a contact: the known answers again, and every way to damage one.

Run with:  python3 -m unittest discover -s Tests/Interop
"""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import file_container as fc  # noqa: E402
import parcel as pc  # noqa: E402

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Schemas", "vectors")


class Parcels(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(VECTORS, "parcels.json"), encoding="utf-8") as file:
            self.vector = json.load(file)
        self.key, self.sender, self.nonce, self.file_key, self.gift = (
            bytes.fromhex(self.vector[name]) for name in ("message_key", "sender", "nonce", "file_key", "gift"))
        self.message = pc.seal_key_message(self.key, self.sender, self.nonce, self.file_key)

    def refused(self, name, data):
        with self.assertRaises(pc.ParcelError) as caught:
            pc.open_parcel(data, self.key)
        self.assertEqual(caught.exception.name, name)

    def test_the_known_answers_are_computed_again(self):
        self.assertEqual(len(self.vector["cases"]), 3)
        for case in self.vector["cases"]:
            parcel = pc.Parcel(case["act"], self.gift, case["version"], case["made"], case["secret"], case["end"],
                               case["note"], bytes.fromhex(case["content"]))
            data = pc.seal(self.message, self.file_key, parcel.plaintext())
            self.assertEqual(parcel.plaintext().hex(), case["plaintext"])
            self.assertEqual(pc.chunk_key(data[:pc.HEAD], self.file_key).hex(), case["chunk_key"])
            self.assertEqual((data.hex(), pc.write(data)), (case["bytes"], case["text"]))
            self.assertEqual(pc.gift_body(parcel.content).hex(), case["gift_body"])
            self.assertEqual(pc.open_parcel(pc.parse(case["text"]), self.key), parcel)
            if case["act"] == pc.GIVE:
                self.assertEqual(pc.Credential.read(parcel.content).content(), parcel.content)

    def test_every_changed_byte_and_every_cut_is_found(self):
        data = bytes.fromhex(self.vector["cases"][1]["bytes"])
        for place in range(len(data)):
            changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1:]
            self.refused("malformedGift" if place < 8 or place == 9 else
                         "unsupportedVersion" if place == 8 else "cannotOpen", changed)
            self.refused("malformedGift" if place < pc.HEAD + pc.TAG else "cannotOpen", data[:place])
        self.refused("cannotOpen", data + b"\0")
        self.refused("malformedGift", data + bytes(pc.LONGEST))

    def test_every_cut_of_the_content_is_found(self):
        for case in self.vector["cases"]:
            data = bytes.fromhex(case["plaintext"])
            for cut in [data[:count] for count in range(len(data))] + [data + b"\0", b"\1\0" + data[2:], b"\1\4" + data[2:]]:
                with self.assertRaises(pc.ParcelError) as caught:
                    pc.Parcel.read(cut)
                self.assertEqual(caught.exception.name, "malformedGift")

    def test_parcels_count_in_the_order_in_which_they_were_made(self):
        def parcel(act, version, made):
            return pc.Parcel(act, self.gift, version, made, "x")

        gift = pc.Gift()
        first, second, away = parcel(pc.GIVE, 1, 10), parcel(pc.GIVE, 1, 11), parcel(pc.WITHDRAW, 1, 12)
        self.assertTrue(gift.takes(first))
        self.assertTrue(gift.takes(away))
        self.assertFalse(gift.takes(second), "a copy that was held back brings nothing back")
        self.assertTrue(gift.takes(parcel(pc.GIVE, 2, 13)))
        self.assertFalse(gift.takes(away), "nor does an old withdrawal put anything away")
        self.assertFalse(gift.takes(parcel(pc.GIVE, 1, 14)))
        self.assertFalse(gift.takes(parcel(pc.GIVE, 3, 13)))

    def test_no_file_opens_as_a_parcel_nor_a_parcel_as_a_file(self):
        data = bytes.fromhex(self.vector["cases"][0]["bytes"])
        with self.assertRaises(fc.FileError):
            fc.read_header(data)
        with self.assertRaises(fc.FileError):
            fc.open_key_message(self.key, pc.key_message(data))
        message = fc.seal_key_message(self.key, self.sender, self.nonce, self.file_key)
        file = fc.seal(fc.header(message), self.file_key, b"a file")
        self.refused("malformedGift", file)
        self.refused("cannotOpen", pc.MAGIC + file[8:])


if __name__ == "__main__":
    unittest.main()
