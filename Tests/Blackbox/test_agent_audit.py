"""What the agent writes down: who opened it, who tried to, which keys came and went; and that its end cannot be cut off."""

import os
import unittest

import agents as ag
import control_wire as cw
import ssh_keys as sk
from house import Case


class Audit(Case):
    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        self.agent = ag.Hsip(self.alice, secret=None)

    def entries(self, *words: str) -> list[dict]:
        return self.ok(self.alice, "audit", "list", *words, "--no-agent", "--json").result["entries"]

    @property
    def log(self) -> str:
        folder = self.alice.path("state", "hsip", "audit")
        name, = (name for name in os.listdir(folder) if name.endswith(".log"))
        return os.path.join(folder, name)

    def test_who_opened_it_and_who_tried_to(self):
        with cw.Connection(self.agent.control) as stranger:
            kind, body = stranger.ask({"unlock": {"source": "given"}}, b"not the passphrase")
            self.assertEqual((kind, body["error"]["name"]), (cw.ERROR, "wrongSecret"))
        self.agent.unlock()
        tried, opened = self.entries("--kind", "unlock")
        self.assertEqual((tried["verdict"], tried["reason"], tried["process"]), ("refused", "wrongSecret", os.getpid()))
        self.assertIn("python", tried["program"])
        self.assertEqual(opened["verdict"], "allowed")
        self.assertTrue(opened["program"].startswith(os.path.realpath(os.environ["HSIP_BIN"])), opened)

    def test_keys_that_come_and_go(self):
        path = sk.make(self.alice.path("files", "guest"), "ed25519", "", "guest")
        self.agent.unlock()
        for words in (("-q", path), ("-q", "-d", path), ("-q", path), ("-D",)):
            self.assertEqual(self.agent.add(*words).returncode, 0, self.agent.log)
        said = [(entry["act"], entry["subject"], entry["target"]) for entry in self.entries("--kind", "key")]
        mark = sk.fingerprint(path)
        self.assertEqual(said, [("lend", "guest", mark), ("remove", "guest", mark), ("lend", "guest", mark),
                                ("remove-all", "1", "")])

    def test_an_end_that_is_cut_off_after_a_lock_is_missed(self):
        path = sk.make(self.alice.path("files", "guest"), "ed25519", "", "guest")
        self.agent.unlock()
        before = os.path.getsize(self.log)
        self.assertEqual(self.agent.add("-q", path).returncode, 0, self.agent.log)
        self.agent.lock()
        self.ok(self.alice, "audit", "verify", "--no-agent")
        os.truncate(self.log, before)
        self.refused("auditDamaged", self.alice, "audit", "verify", "--no-agent")

    def damaged(self, *words: str, code: int = 0, **how) -> dict:
        """A command that is about something else says what is wrong with the log."""
        outcome = self.ends(code, self.alice, *words, "--json", **how)
        warning, = (warning for warning in outcome.json["warnings"] if warning["code"] == "auditNotWhole")
        self.assertEqual(warning["reason"], "auditDamaged")
        return outcome.json

    def finding(self, *words: str, code: int, **how) -> dict:
        outcome = self.ends(code, self.alice, "doctor", *words, "--json", **how)
        found, = (one for one in outcome.result["findings"]
                  if one["check"] == "audit")
        return found

    def test_every_command_that_meets_a_damaged_log_says_so(self):
        self.agent.unlock()
        self.assertEqual(self.finding(code=0)["state"], "ok")
        self.assertEqual(self.ok(self.alice, "audit", "--json").json["warnings"], [])
        self.agent.lock()
        with open(self.log, "r+b") as file:
            file.seek(-40, os.SEEK_END)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))
        self.damaged("audit", "--no-agent")
        self.damaged("status", "--no-agent")
        self.assertEqual(self.finding("--no-agent", code=11)["code"], "auditDamaged")
        self.damaged("unlock")
        self.assertIn("audit log is not whole", self.ok(self.alice, "unlock").talk)
        self.damaged("audit")
        self.damaged("status")
        self.damaged("agent", "status")
        self.assertEqual(self.finding(code=11)["code"], "auditDamaged")


if __name__ == "__main__":
    unittest.main()
