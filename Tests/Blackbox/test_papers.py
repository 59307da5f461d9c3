"""The man pages: as many as there are commands, with every verb and option, and as those who print them want them."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from house import BINARY

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WRITTEN = {"hsip.1", "hsip-agent.1", "hsip-vault.5", "hsip-codes.7"}


def helped(*words: str) -> str:
    """What the program says of itself to people."""
    return subprocess.run([BINARY, "help", *words], env={}, stdout=subprocess.PIPE, check=True, text=True).stdout


def below(text: str) -> list[str]:
    """The commands that a help text lists."""
    part = text.partition("SUBCOMMANDS:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  ([a-z][a-z-]*)\b", part, re.M)


def plain(text: str) -> str:
    """A page without the escapes of its formatter."""
    return re.sub(r"\\&|\\\((?:ga|ha|ti|dq)", "", text).replace("\\-", "-")


@unittest.skipUnless(BINARY, "HSIP_BIN names no program")
class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="hsip-man-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        subprocess.run([os.path.join(ROOT, "Scripts/manpages"), BINARY, cls.folder], env={"PATH": os.environ["PATH"]},
                       check=True)
        cls.pages = {}
        for section in os.listdir(cls.folder):
            for name in os.listdir(os.path.join(cls.folder, section)):
                path = os.path.join(cls.folder, section, name)
                with open(path, encoding="utf-8") as file:
                    cls.pages[name] = (path, file.read())

    def page(self, name: str) -> str:
        self.assertIn(name, self.pages, f"no page {name}")
        return plain(self.pages[name][1])

    def test_every_command_has_a_page_and_every_verb_and_option_a_place_in_it(self):
        def walk(words: list[str]):
            text = helped(*words)
            verbs = below(text)
            page = self.page(f"hsip-{words[0]}.1")
            if len(words) > 1 and not verbs:
                self.assertIn(f".Ss hsip {' '.join(words)}\n", page)
            if not verbs:
                self.assertIn(f".Nm hsip\n.Cm {' '.join(words)}\n", page)
                for option in set(re.findall(r"^  (?:-\w, )?--([a-z][a-z-]*)", text, re.M)) - {"help", "version"}:
                    self.assertRegex(page, rf"(?m)^\.It .*\bFl -{option}\b", f"{' '.join(words)} --{option}")
            for verb in verbs:
                walk([*words, verb])
        commands = below(helped())
        self.assertGreater(len(commands), 15)
        for command in commands:
            with self.subTest(command=command):
                walk([command])
                self.assertIn(f".It Xr hsip-{command} 1\n", self.page("hsip.1"))
        made = {f"hsip-{command}.1" for command in commands} | WRITTEN | {"libhsip.3"}
        self.assertEqual(set(self.pages), made, "a page of something that is not there")

    def test_every_argument_and_command_is_explained(self):
        for name, (_, text) in self.pages.items():
            rows = text.split("\n")
            for row, following in zip(rows, rows[1:]):
                if row.startswith((".It ", ".Ss hsip", ".Nd")):
                    # Only the colours explain themselves.
                    if "color" in row:
                        continue
                    self.assertTrue(following not in ("", "\\&", ".El"), f"{name}: {row}")

    def test_what_a_page_refers_to_is_there(self):
        for name, (_, text) in self.pages.items():
            for other, section in re.findall(r"\.Xr (\S*hsip\S*) (\d)", text):
                self.page(f"{other}.{section}")
            self.assertNotRegex(text, r"@[A-Z]+@", name)

    def test_the_library_page_has_every_call_of_the_header(self):
        with open(os.path.join(ROOT, "Sources/CHSIP/hsip.h"), encoding="utf-8") as file:
            calls = set(re.findall(r"\b(hsip_\w+)\(", file.read()))
        self.assertGreater(len(calls), 12)
        page = self.page("libhsip.3")
        for call in calls:
            self.assertIn(call + "(", page)
        self.assertNotIn("NULLABLE", page)

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is missing")
    def test_mandoc_finds_nothing_wrong(self):
        found = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *(path for path, _ in self.pages.values())],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((found.stdout, found.returncode), ("", 0))

    @unittest.skipUnless(shutil.which("groff"), "groff is missing")
    def test_groff_prints_them_without_a_warning(self):
        for path, _ in self.pages.values():
            done = subprocess.run(["groff", "-ww", "-mandoc", "-Tutf8", path], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
            self.assertEqual((done.stderr, done.returncode), ("", 0), path)
            self.assertIn("NAME", re.sub("\x1b\\[[0-9;]*m|.\b", "", done.stdout))


if __name__ == "__main__":
    unittest.main()
