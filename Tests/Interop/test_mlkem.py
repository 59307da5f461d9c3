"""ML-KEM-768: every case of Wycheproof, and the ones of suite 02."""

import hashlib
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import mlkem  # noqa: E402
from test_vectors import load  # noqa: E402

hexed = bytes.fromhex


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Wycheproof(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.vectors = load("mlkem-768.json")

    def every(self, part: str, count: int, fields: tuple[str, ...], act):
        """Compares what `act` gives for every case with its fields, and its refusal with `valid`."""
        cases = self.vectors[part]
        self.assertEqual(len(cases), count)
        for case in cases:
            with self.subTest(part, number=case["number"]):
                try:
                    found = act(case)
                except ValueError:
                    self.assertFalse(case["valid"])
                else:
                    self.assertTrue(case["valid"])
                    self.assertEqual(found, tuple(case[name] for name in fields))

    def test_a_seed_makes_its_public_key(self):
        self.every("keys", 100, ("ek_sha256",), lambda case: (digest(mlkem.public_key(hexed(case["seed"]))),))

    def test_a_public_key_makes_ciphertext_and_secret_or_is_refused(self):
        def act(case):
            ciphertext, secret = mlkem.encapsulate(hexed(case["ek"]), hexed(case["m"]))
            return digest(ciphertext), secret.hex()
        self.every("encapsulation", 265, ("c_sha256", "K"), act)

    def test_a_ciphertext_gives_its_secret_or_that_of_its_rejection(self):
        self.every("decapsulation", 193, ("K",),
                   lambda case: (mlkem.decapsulate(hexed(case["seed"]), hexed(case["c"])).hex(),))


class OfSuiteTwo(unittest.TestCase):
    def test_every_step_and_the_rejection_secret(self):
        for case in load("suite02.json")["kem"]:
            given = {name: hexed(text) for name, text in case.items()}
            self.assertEqual(mlkem.public_key(given["seed"]), given["public"])
            self.assertEqual(mlkem.encapsulate(given["public"], given["random"]),
                             (given["ciphertext"], given["secret"]))
            self.assertEqual(mlkem.decapsulate(given["seed"], given["ciphertext"]), given["secret"])
            self.assertEqual(mlkem.decapsulate(given["seed"], given["changed_ciphertext"]), given["rejection_secret"])


if __name__ == "__main__":
    unittest.main()
