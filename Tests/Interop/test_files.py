"""Files for a contact: the known answers again, and every way to damage one.

Run with:  python3 -m unittest discover -s Tests/Interop
"""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import file_container as fc  # noqa: E402
import file_vectors  # noqa: E402

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Schemas", "vectors")


class Files(unittest.TestCase):
    def setUp(self):
        message = fc.seal_key_message(b"k" * 32, b"s" * 32, b"n" * 12, b"f" * 32)
        self.head = fc.header(message)

    def test_the_known_answers_are_computed_again(self):
        with open(os.path.join(VECTORS, "file-container.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), file_vectors.compute())

    def test_what_was_sealed_comes_back(self):
        for count in (0, 1, 65535, 65536, 65537, 131072, 131073):
            plain = file_vectors.plaintext(count)
            self.assertEqual(fc.open_file(fc.seal(self.head, b"f" * 32, plain), b"f" * 32), plain)

    def test_a_text_message_is_no_key(self):
        import hsip_xc1 as xc
        text = xc.seal_message(b"k" * 32, b"s" * 32, b"n" * 12, b"f" * 32)
        with self.assertRaises(fc.FileError):
            fc.open_key_message(b"k" * 32, text)

    def test_damage_is_found(self):
        whole = fc.seal(self.head, b"f" * 32, file_vectors.plaintext(131072 + 5))
        size = fc.CHUNK + fc.TAG
        first, second, last = whole[102:102 + size], whole[102 + size:102 + 2 * size], whole[102 + 2 * size:]
        head = whole[:102]
        for name, data in (
            ("fileCut", head + first + second), ("fileCut", head + first), ("fileCut", head),
            ("fileCut", head + first + last[:7]), ("fileChanged", head + first + last[:19]),
            ("fileChanged", head + second + first + last), ("fileChanged", head + first + first + last),
            ("fileChanged", head + first + last), ("fileChanged", whole + b"\0"), ("fileChanged", whole + last),
            ("fileChanged", head[:20] + bytes([head[20] ^ 1]) + head[21:] + first + second + last),
            ("malformedFile", whole[:101]), ("malformedFile", b""), ("malformedFile", b"\x88" + whole[1:]),
            ("unsupportedVersion", whole[:8] + b"\x02" + whole[9:]),
        ):
            with self.assertRaises(fc.FileError) as caught:
                fc.open_file(data, b"f" * 32)
            self.assertEqual(caught.exception.name, name)


if __name__ == "__main__":
    unittest.main()
