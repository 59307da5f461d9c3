"""Texts under a typed key: the known answers again, by OpenSSL.

Run with:  python3 -m unittest discover -s Tests/Interop
"""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

try:
    import text_cipher as tc
except ImportError:
    tc = None

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Schemas", "vectors")


@unittest.skipUnless(tc, "python3-cryptography is not installed")
class Texts(unittest.TestCase):
    def test_the_known_answers_are_computed_again(self):
        with open(os.path.join(VECTORS, "text.json"), encoding="utf-8") as file:
            known = json.load(file)
        self.assertEqual(known, tc.compute())
        for case in known["cases"]:
            self.assertEqual(tc.open_text(case["text"], case["key"].encode()), case["plaintext"].encode())


if __name__ == "__main__":
    unittest.main()
