"""The log of several machines: the known answers, and random logs of this implementation itself."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import log_peer  # noqa: E402
import shared_log as sl  # noqa: E402

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Schemas", "vectors", "machines.json")
hexed = bytes.fromhex


class KnownAnswers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(VECTORS, encoding="utf-8") as file:
            cls.vectors = json.load(file)
        cls.laptop = sl.Machine(*(hexed(cls.vectors["machines"][0][name]) for name in ("seed", "box_secret")))
        cls.entries = [hexed(entry["bytes"]) for entry in cls.vectors["entries"]]

    def test_every_entry_is_taken_and_leads_to_its_state(self):
        log = sl.Log.reading(self.laptop, self.entries[:2])
        for entry, known in zip(self.entries[2:], self.vectors["entries"][2:]):
            log.take(entry)
            self.assertEqual(log.hash.hex(), known["hash"])
            self.assertEqual(log.state.digest().hex(), known["state"])
        self.assertEqual(log.key.hex(), self.vectors["keys"]["3"])

    def test_what_must_be_refused_is(self):
        for refusal in self.vectors["refusals"]:
            log = sl.Log.reading(self.laptop, self.entries[:refusal["after"]])
            with self.assertRaises(sl.LogError, msg=refusal["what"]) as caught:
                log.take(hexed(refusal["bytes"]))
            self.assertEqual(caught.exception.name, refusal["error"], refusal["what"])

    def test_a_paper_machine_has_the_keys_of_its_code(self):
        known = self.vectors["paper"]
        machine = sl.paper(hexed(known["bits"]))
        self.assertEqual((machine.seed.hex(), machine.box_secret.hex(), machine.id.hex()),
                         (known["seed"], known["box_secret"], known["id"]))

    def test_random_logs_are_read_back(self):
        for seed in range(10):
            written = log_peer.write(seed)
            self.assertEqual(log_peer.read(written)["state"], written["state"])


if __name__ == "__main__":
    unittest.main()
