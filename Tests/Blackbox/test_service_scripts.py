"""Scripts that read what others keep: the question names them, and a yes that holds longer is for them alone."""

import os
import shutil
import unittest

import agents as ag
import service as sv
from service_case import VALUE, ServiceCase
from test_service_programs import READ, missing

PYTHON = os.path.realpath("/usr/bin/python3")
LOOKUP = "secret-tool lookup site x\nexit $?\n"


@unittest.skipIf(missing(), missing())
class Scripts(ServiceCase):
    """A person's own scripts: in a folder that not only root may change."""

    def setUp(self):
        super().setUp()
        self.folder = self.alice.path("files", "scripts")
        os.mkdir(self.folder)
        os.chmod(self.folder, 0o777)
        self.client.store(VALUE, {"site": "x"}, label="a label")

    def script(self, name: str, text: str) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def runs(self, *words: str):
        return self.front.client(*words)

    def reads(self, *words: str):
        """It reads the value and nobody is asked."""
        self.assertEqual(self.said(self.runs(*words)), VALUE.decode())
        self.assertFalse(self.agent.askpass.was_asked())

    def is_asked(self, *words: str):
        """The person is asked about it, and says yes to this process."""
        process = self.runs(*words)
        self.asked("yes")
        self.assertEqual(self.said(process), VALUE.decode())

    def said(self, process) -> str:
        output, errors = process.communicate(timeout=ag.DEADLINE)
        self.assertEqual(process.returncode, 0, (output, errors, self.front.log, self.agent.log))
        return output.removesuffix("\n")

    def again(self):
        self.agent.lock()
        self.agent.unlock()

    def test_the_question_names_the_script_as_the_claim_of_its_interpreter(self):
        path = self.script("mail.py", READ)
        process = self.runs(PYTHON, path, "x")
        asked = self.asked("yes")
        self.assertIn(f"Script: says it runs “{path}”", asked)
        name = os.path.basename(PYTHON)
        self.assertIn(f"Type session if every “{name}” that says it runs this script may read “a label”", asked)
        self.assertNotIn("from now on", asked)
        self.assertEqual(self.said(process), VALUE.decode())

    def test_a_name_that_a_terminal_would_act_on_is_shown_as_text(self):
        path = self.script("mail\x1b[2J\n”.py", READ)
        process = self.runs(PYTHON, path, "x")
        asked = self.asked("yes")
        self.assertNotIn("\x1b", asked)
        self.assertRegex(asked, r"says it runs “[^”]*\.py” Kept by")
        self.assertEqual(self.said(process), VALUE.decode())

    def test_a_yes_for_the_session_is_for_this_script_alone_and_ends_with_the_lock(self):
        mine, other = self.script("mail.py", READ), self.script("other.py", READ)
        process = self.runs(PYTHON, mine, "x")
        self.asked("session")
        self.assertEqual(self.said(process), VALUE.decode())
        self.reads(PYTHON, mine, "x")
        self.reads(PYTHON, "-B", mine, "x")
        for words in ((PYTHON, other, "x"), (PYTHON, "-c", READ, "x")):
            self.is_asked(*words)
        self.again()
        process = self.runs(PYTHON, mine, "x")
        self.assertIn(mine, self.asked("no"))
        self.assertEqual(self.said(process), "dismissed")
        readers = self.ok(self.alice, "item", "list", "--json", secret=None).result["items"][0]["readers"]
        self.assertEqual(readers, [], "no yes of a session stays in the vault")

    def test_commands_without_a_file_are_a_yes_to_everything_that_uses_the_interpreter(self):
        process = self.runs(PYTHON, "-c", READ, "x")
        asked = self.asked("always")
        self.assertIn("Script: says it runs commands, and no file", asked)
        name = os.path.basename(PYTHON)
        self.assertIn(f"Type always if every program that uses “{name}” may read, change and delete “a label”", asked)
        self.assertEqual(self.said(process), VALUE.decode())
        self.again()
        self.reads(PYTHON, self.script("other.py", READ), "x")

    @unittest.skipUnless(shutil.which("secret-tool"), "secret-tool is not installed")
    def test_secret_tool_is_asked_about_as_the_script_that_started_it(self):
        mine, other = self.script("mail.sh", LOOKUP), self.script("other.sh", LOOKUP)
        process = self.runs("/bin/sh", mine)
        asked = self.asked("session")
        self.assertRegex(asked, f"Script: “[^”]*” started it, and says it runs “{mine}”")
        self.assertRegex(asked, "if every “secret-tool” started by a “[^”]*” that says it runs this script may read")
        self.assertEqual(self.said(process), VALUE.decode())
        self.reads("/bin/sh", mine)
        process = self.runs("/bin/sh", other)
        self.assertIn(other, self.asked("no"))
        self.assertNotEqual(process.wait(ag.DEADLINE), 0)
        process.communicate()


@unittest.skipIf(missing() or os.geteuid() != 0, missing() or "only root can make a script of the system")
class SystemScripts(Scripts):
    """The same for scripts that only root can change."""

    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)

    test_the_question_names_the_script_as_the_claim_of_its_interpreter = None
    test_a_yes_for_the_session_is_for_this_script_alone_and_ends_with_the_lock = None
    test_secret_tool_is_asked_about_as_the_script_that_started_it = None

    def test_a_yes_from_now_on_is_for_the_script_with_its_interpreter(self):
        path, other = self.script("mail.py", READ), self.script("other.py", READ)
        process = self.runs(PYTHON, path, "x")
        asked = self.asked("always")
        name = os.path.basename(PYTHON)
        self.assertIn(f"Type always if every run of this script by “{name}” may read, change and delete “a label”", asked)
        self.assertEqual(self.said(process), VALUE.decode())
        self.again()
        self.reads(PYTHON, path, "x")
        shown, = self.ok(self.alice, "item", "list", "--json", secret=None).result["items"]
        self.assertEqual(shown["readers"], [f"{PYTHON} {path}"])
        for words in ((PYTHON, other, "x"), (PYTHON, "-i", path, "x"), (PYTHON, "-c", READ, "x")):
            self.is_asked(*words)

    def test_a_script_that_others_may_change_by_now_is_asked_about_again(self):
        path = self.script("mail.py", READ)
        process = self.runs(PYTHON, path, "x")
        self.asked("always")
        self.assertEqual(self.said(process), VALUE.decode())
        self.again()
        os.chmod(path, 0o666)
        process = self.runs(PYTHON, path, "x")
        self.assertIn("Type session", self.asked("no"))
        self.assertEqual(self.said(process), "dismissed")

    @unittest.skipUnless(shutil.which("secret-tool"), "secret-tool is not installed")
    def test_secret_tool_has_it_from_a_script_of_the_system_alone(self):
        mine, other = self.script("mail.sh", LOOKUP), self.script("other.sh", LOOKUP)
        process = self.runs("/bin/sh", mine)
        self.assertIn("Type always if every run of this script by “secret-tool”", self.asked("always"))
        self.assertEqual(self.said(process), VALUE.decode())
        self.again()
        self.reads("/bin/sh", mine)
        process = self.runs("/bin/sh", other)
        self.assertIn(other, self.asked("no"))
        self.assertNotEqual(process.wait(ag.DEADLINE), 0)
        process.communicate()


if __name__ == "__main__":
    unittest.main()
