"""go-keyring against the vault. Scripts/go-keyring-tests builds the program, whose path is in HSIP_GO_KEYRING."""

import os
import subprocess
import unittest

import agents as ag
from house import PASSPHRASE
from service_case import ServiceCase

PROGRAM = os.environ["HSIP_GO_KEYRING"]


class GoKeyring(ServiceCase):
    def begins(self, *words: str, given: str = "", program: str = PROGRAM) -> subprocess.Popen:
        return self.front.client(program, *words, "gh:example.org", "joe", given=given)

    def ends(self, process: subprocess.Popen) -> tuple[int, str]:
        output, errors = process.communicate(timeout=ag.DEADLINE)
        return process.returncode, output or errors

    def does(self, *words: str, **how) -> tuple[int, str]:
        """What it says, without a question."""
        said = self.ends(self.begins(*words, **how))
        self.assertFalse(self.agent.askpass.was_asked())
        return said

    def test_a_password_is_kept_read_replaced_and_deleted(self):
        self.assertEqual(self.does("get"), (0, "not found"))
        self.assertEqual(self.does("set", given="correct horse"), (0, ""))
        self.assertEqual(self.does("get"), (0, "correct horse"))
        self.assertEqual(self.does("set", given="battery staple"), (0, ""))
        self.assertEqual(self.does("get"), (0, "battery staple"))
        self.assertEqual(self.does("delete"), (0, ""))
        self.assertEqual(self.does("get"), (0, "not found"))
        self.assertEqual(self.does("delete"), (0, "not found"))

    def test_a_locked_vault_is_opened_first(self):
        self.does("set", given="correct horse")
        for words, given, said in ((["get"], "", "correct horse"), (["set"], "battery staple", ""), (["delete"], "", "")):
            with self.subTest(words):
                self.agent.lock()
                process = self.begins(*words, given=given)
                self.assertIn("wants to use the vault", self.asked(PASSPHRASE))
                self.assertEqual(self.ends(process), (0, said))
        self.assertEqual(self.does("get"), (0, "not found"))

    def test_a_no_to_the_passphrase_is_an_error(self):
        self.does("set", given="correct horse")
        self.agent.lock()
        process = self.begins("get")
        self.asked("no")
        code, said = self.ends(process)
        self.assertEqual(code, 1, said)
        self.agent.unlock()
        self.assertEqual(self.does("get"), (0, "correct horse"))

    def test_another_programs_password_is_a_question(self):
        other = os.path.join(self.alice.path("files"), "other")
        with open(PROGRAM, "rb") as source, open(other, "wb", opener=lambda *how: os.open(*how, 0o700)) as target:
            target.write(source.read())
        self.does("set", given="correct horse")
        process = self.begins("get", program=other)
        self.assertIn("Let “other” read", self.asked("yes"))
        self.assertEqual(self.ends(process), (0, "correct horse"))
        self.agent.lock()
        self.agent.unlock()
        process = self.begins("get", program=other)
        self.asked("no")
        code, said = self.ends(process)
        self.assertEqual((code, "correct horse" in said), (1, False), said)


if __name__ == "__main__":
    unittest.main()
