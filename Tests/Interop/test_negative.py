"""The negative vectors of both suites, held against the second implementation."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import hsip_xc1 as xc  # noqa: E402
import judge  # noqa: E402
from test_vectors import VECTORS, load  # noqa: E402


class NegativeVectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        one, two = load("negative-hsip-xc1.json"), load("suite02.json")
        cls.cases, cls.sweeps = one["cases"] + two["negative"], one["sweeps"] + two["sweeps"]

    def test_every_case_is_refused_by_its_name(self):
        for case in self.cases:
            with self.subTest(case["name"]):
                self.assertIn(case["error"], xc.EXIT_CODES)
                self.assertEqual(judge.judge(case), case["error"])

    def test_every_position_of_every_sweep_is_refused_by_its_name(self):
        for sweep in self.sweeps:
            for position, case in judge.swept(sweep):
                with self.subTest(sweep["name"], position=position):
                    self.assertEqual(judge.judge(case), case["error"])

    def test_the_unchanged_code_of_every_sweep_is_taken(self):
        for sweep in self.sweeps:
            with self.subTest(sweep["name"]):
                code = xc.code_text(bytes.fromhex(sweep["base"]))
                self.assertIsNone(judge.judge({"code": code, "context": sweep["context"]}))

    def test_the_file_stays_small(self):
        self.assertLess(os.path.getsize(os.path.join(VECTORS, "negative-hsip-xc1.json")), 300_000)


if __name__ == "__main__":
    unittest.main()
