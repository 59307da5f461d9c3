"""secret-tool, which is libsecret, against the vault: open and locked, with a yes, a no, and nobody to ask."""

import os
import unittest

import agents as ag
import service as sv
from house import BINARY, PASSPHRASE, Case


class Tool(Case):
    def setUp(self):
        if sv.missing():
            self.skipTest(sv.missing())
        super().setUp()
        self.agent = ag.Hsip(self.alice)
        self.addCleanup(self.agent.end)
        self.front = sv.Front(self.alice, self.agent)
        self.addCleanup(self.front.end)

    def store(self, value: str = "correct horse", *attributes: str):
        words = attributes or ("user", "joe")
        self.assertEqual(self.front.tool("store", "--label=a label", *words, given=value), (0, "", ""), self.front.log)

    def asked(self) -> str:
        return sv.plain(self.agent.askpass.asked())

    def test_what_is_stored_is_found_once_the_person_says_yes(self):
        self.store()
        process = self.front.client("secret-tool", "lookup", "user", "joe")
        self.assertIn("read “a label”", self.asked())
        self.agent.askpass.says("yes")
        self.assertEqual(process.communicate(timeout=ag.DEADLINE), ("correct horse", ""))
        self.assertEqual(process.returncode, 0)

    def test_hsip_without_a_terminal_is_asked_about_by_the_label_of_the_item(self):
        self.store()
        process = self.front.client(BINARY, "item", "get", "a label")
        self.assertRegex(self.asked(), r"read the item “[0-9a-f]{8} a label”")
        self.agent.askpass.says("yes")
        self.assertEqual(process.communicate(timeout=ag.DEADLINE)[0], "correct horse")

    def test_a_no_gives_nothing_out_and_is_not_asked_again(self):
        self.store()
        process = self.front.client("secret-tool", "lookup", "user", "joe")
        self.agent.askpass.asked()
        self.agent.askpass.says("no")
        output, _ = process.communicate(timeout=ag.DEADLINE)
        self.assertEqual((output, process.returncode), ("", 1))
        self.assertEqual(self.front.tool("lookup", "user", "joe")[:2], (1, ""))
        self.assertFalse(self.agent.askpass.was_asked())

    def test_what_is_not_there_is_not_found_without_a_question(self):
        self.store()
        self.assertEqual(self.front.tool("lookup", "user", "nobody"), (1, "", ""))
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_yes_for_good_holds_without_another_question(self):
        self.store()
        # From a shell that runs commands, no script started it.
        process = self.front.client("/bin/sh", "-c", '"$@"; exit $?', "sh", "secret-tool", "lookup", "user", "joe")
        asked = self.asked()
        self.assertIn("started it, and says it runs commands, and no file", asked)
        self.assertIn("Type always if every program that uses “secret-tool” may read, change and delete “a label”", asked)
        self.agent.askpass.says("always")
        self.assertEqual(process.communicate(timeout=ag.DEADLINE)[0], "correct horse")
        self.agent.lock()
        self.agent.unlock()
        self.assertEqual(self.front.tool("lookup", "user", "joe"), (0, "correct horse", ""))

    def test_storing_again_replaces_and_clearing_removes(self):
        self.store()
        self.store("battery staple")
        self.agent.askpass.says_always_yes()
        self.assertEqual(self.front.tool("lookup", "user", "joe")[:2], (0, "battery staple"))
        code, output, errors = self.front.tool("search", "--all", "user", "joe")
        self.assertEqual(code, 0)
        self.assertEqual((output + errors).count("label = a label"), 1)
        self.assertEqual(self.front.tool("clear", "user", "joe")[0], 0)
        self.assertEqual(self.front.tool("lookup", "user", "joe")[:2], (1, ""))

    def test_a_locked_vault_waits_for_the_passphrase_instead_of_finding_nothing(self):
        self.store()
        self.agent.lock()
        process = self.front.client("secret-tool", "lookup", "user", "joe")
        self.assertIn("“secret-tool” wants to use the vault", self.asked())
        self.agent.askpass.says_always_yes()
        self.agent.askpass.says(PASSPHRASE)
        self.assertEqual(process.communicate(timeout=ag.DEADLINE)[0], "correct horse")

    def test_a_locked_vault_that_stays_locked_is_an_error_and_no_empty_answer(self):
        self.store()
        self.agent.lock()
        process = self.front.client("secret-tool", "lookup", "user", "joe")
        self.agent.askpass.asked()
        self.agent.askpass.says("no")
        output, errors = process.communicate(timeout=ag.DEADLINE)
        self.assertEqual((output, process.returncode), ("", 1))
        self.assertIn("locked", errors)

    def test_a_second_front_is_refused(self):
        front = sv.program()
        code, _, errors = self.front.run(front)
        self.assertEqual(code, 4)
        self.assertIn("serves org.freedesktop.secrets already", errors)


if __name__ == "__main__":
    unittest.main()
