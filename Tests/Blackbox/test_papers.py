"""The manual pages: a page for each command with its options, links that lead to pages, no warning of a formatter."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from house import BINARY

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OTHERS = {"ssh", "ssh-agent", "ssh-sk-helper"}
"""Pages of other programs that ours refer to."""
WRITTEN = {"hsip.1", "hsip-agent.1", "hsip-secrets.1", "hsip-vault.5", "hsip-codes.7"}


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

    def test_every_command_has_a_page_with_its_options_or_with_links_to_its_subcommands(self):
        made = set()

        def walk(words: list[str]):
            text = helped(*words)
            verbs = below(text)
            title = "-".join(["hsip", *words])
            page = self.page(f"{title}.1")
            made.add(f"{title}.1")
            self.assertIn(f".Nm hsip\n.Cm {' '.join(words)}\n", page)
            if not verbs:
                for option in set(re.findall(r"^  (?:-\w, )?--([a-z][a-z-]*)", text, re.M)) - {"help", "version"}:
                    self.assertRegex(page, rf"(?m)^\.It .*\bFl -{option}\b", f"{' '.join(words)} --{option}")
            for verb in verbs:
                self.assertIn(f".It Xr {title}-{verb} 1\n", page)
                walk([*words, verb])
        commands = [one["commandName"] for one in Commands().top["subcommands"]
                    if one.get("shouldDisplay", True) and one["commandName"] != "help"]
        self.assertGreater(len(commands), 15)
        for command in commands:
            with self.subTest(command=command):
                walk([command])
                self.assertIn(f".It Xr hsip-{command} 1\n", self.page("hsip.1"))
        self.assertEqual(set(self.pages), made | WRITTEN | {"libhsip.3"}, "a page of something that is not there")

    def test_the_options_of_every_command_are_explained(self):
        options = re.findall(r"(?m)^  (?:-\w, )?--([a-z][a-z-]*)", helped("options"))
        self.assertGreater(len(options), 10)
        for option in options:
            with self.subTest(option):
                self.assertRegex(self.page("hsip.1"), rf"(?m)^\.It (?:Fl \w , )?Fl -{option}\b")

    def test_a_longer_text_belongs_to_a_command_and_is_in_its_page(self):
        folder = os.path.join(ROOT, "Scripts/man/text")
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                example = re.sub("[`^~]", "", re.findall(r"^  (hsip .*)$", file.read(), re.M)[0])
            self.assertIn(example, self.page(f"{name}.1"))

    def test_the_first_page_has_the_commands_in_the_groups_of_the_help(self):
        title, groups = "Commands", {}
        for group, names in re.findall(r"^([A-Z].{12}| {13})([a-z]+(?:, [a-z]+)*) +[A-Z]", helped(), re.M):
            title = group.strip() or title
            groups.setdefault(title, []).extend(names.split(", "))
        self.assertGreater(len(groups), 5)
        page = self.page("hsip.1")
        for title, names in groups.items():
            part = page.partition(f".Ss {title}\n")[2].partition("\n.Ss ")[0]
            self.assertEqual(re.findall(r"^\.It Xr hsip-([a-z]+) 1$", part, re.M), names, title)

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
            references = re.findall(r"(?:^\.| )Xr (\S+) (\d)", plain(text), re.M)
            self.assertEqual(len(references), len(re.findall(r"(?:^\.| )Xr ", text, re.M)), name)
            for other, section in references:
                if other not in OTHERS:
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


def level(picture: str) -> dict[str, int]:
    """The line of the picture that names each module, from the top."""
    return {module: number for number, line in enumerate(picture.split("\n"))
            for module in re.findall(r"\b[A-Za-z][A-Za-z0-9-]+\b", line[3:])}


class Pictures(unittest.TestCase):
    """The pages show the source as it is."""

    def read(self, *path: str) -> str:
        with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
            return file.read()

    def test_the_picture_has_every_module_and_imports_go_downwards_only(self):
        picture = self.read("ARCHITECTURE.md").partition("## The modules")[2].split("```")[1]
        # Words behind two blanks and a small letter describe a module.
        modules = level(re.sub(r"(?<=  )[^ \n]*[a-z,](?= [a-z·:]).*|(?<=  )what .*|(?<=  )foreign .*", "", picture))
        built = {name for name in os.listdir(os.path.join(ROOT, "Sources"))}
        self.assertEqual(built - set(modules), set(), "modules that the picture lacks")
        manifest = self.read("Package.swift").partition("// Benchmarks and tests")[0]
        parts = re.split(r"\n        (?:module\(|\.target\(|\.executableTarget\()\s*", manifest)[1:]
        found = 0
        for part in parts:
            name, *imports = [word for word in re.findall(r'"([A-Za-z0-9-]+)"', part) if word in built]
            for other in set(imports) - {name}:
                self.assertLess(modules[name], modules[other], f"{name} imports {other}")
                found += 1
        self.assertGreater(found, 90)

    def test_the_product_has_every_module_that_its_public_interface_mentions(self):
        product = self.read("Package.swift").partition('name: "VaultKit",')[2].partition("]")[0]
        modules = set(re.findall(r'"([A-Za-z]+)"', product))
        self.assertIn("VaultKit", modules)
        for module in modules:
            for folder, _, names in os.walk(os.path.join(ROOT, "Sources", module)):
                for name in filter(lambda name: name.endswith(".swift"), names):
                    for other in re.findall(r"^public import (\w+)", self.read(folder, name), re.M):
                        self.assertIn(other, modules, f"{folder}/{name}")

    def test_every_schema_is_named_in_the_index(self):
        for folder in ("Schemas", "Schemas/cli", "Schemas/vectors"):
            index = self.read(folder, "README.md")
            for name in os.listdir(os.path.join(ROOT, folder)):
                if name not in ("README.md", "examples"):
                    self.assertIn(name, index, folder)

    def test_every_link_leads_somewhere(self):
        pages = [os.path.join(folder, name) for top in ("Schemas", "docs", "Tests", "Benchmarks", "Sources") for folder, _, names
                 in os.walk(os.path.join(ROOT, top)) for name in names if name.endswith(".md")]
        for page in [*pages, *(os.path.join(ROOT, name) for name in ("README.md", "SECURITY.md", "ARCHITECTURE.md"))]:
            for link in re.findall(r"\]\(([^)#: ]+)(?:#[^)]*)?\)", self.read(page)):
                self.assertTrue(os.path.exists(os.path.join(os.path.dirname(page), link)), f"{page}: {link}")


@unittest.skipUnless(BINARY, "HSIP_BIN names no program")
class Help(unittest.TestCase):
    def test_each_program_helps_in_lines_of_80_columns_on_one_screen(self):
        for name in ("hsip", "hsip-agent", "hsip-secrets"):
            asked = subprocess.run([os.path.join(os.path.dirname(BINARY), name), "--help"], env={}, stdout=subprocess.PIPE,
                                   check=True, text=True)
            lines = asked.stdout.splitlines()
            self.assertLess(len(lines), 24, name)
            self.assertLessEqual(max(map(len, lines)), 80, name)

    def test_hsip_alone_with_help_and_with_the_option_shows_one_screen(self):
        self.assertEqual(helped(), subprocess.run([BINARY, "--help"], env={}, stdout=subprocess.PIPE, check=True, text=True).stdout)
        self.assertIn("hsip help exit-codes", helped())
        self.assertIn("  12  A program, device, folder or memory is missing", helped("exit-codes"))
        self.assertIn("--passphrase-fd N", helped("options"))
        self.assertIn("Schemas/cli", helped("programs"))


GLOBAL = {"vault": 1, "json": 0, "quiet": 0, "verbose": 0, "yes": 0, "no-input": 0, "no-agent": 0, "old-copy": 0, "color": 1,
          "passphrase-file": 1, "passphrase-fd": 1, "shares": 0, "with": 1, "pin-file": 1, "last-tries": 0, "help": 0,
          "version": 0}


class Commands:
    """Every command of the program with its options, out of its own tables."""

    def __init__(self):
        asked = subprocess.run([BINARY, "--experimental-dump-help"], stdout=subprocess.PIPE, check=True)
        self.top = json.loads(asked.stdout)["command"]

    def path(self, word: str) -> list[str]:
        """The command whose help the program shows for a first word that is none of its own; empty if it has none."""
        asked = subprocess.run([BINARY, "help", word], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        usage = re.search(r"^USAGE: hsip ([a-z]+) ([a-z]+)", asked.stdout, re.M)
        return list(usage.groups()) if asked.returncode == 0 and usage and usage[1] != word else []

    def complaint(self, said: str) -> str | None:
        """What is wrong with a command line of a paper; None if there is such a command with such options."""
        words, below, options = said.split()[1:], self.top, set(GLOBAL)
        while words and words[0].startswith("--"):
            words = words[1 + GLOBAL.get(words[0][2:].partition("=")[0], 0):]
        if words[:1] == ["help"]:
            words = words[1:]
        while words and below.get("subcommands"):
            found = [one for one in below["subcommands"] if one["commandName"] == words[0]]
            if not found and below is self.top and (path := self.path(words[0])):
                # A word of another program, which is run as the command that it means here.
                words = path + words[1:]
                continue
            if not found:
                # `hsip NOUN VERB`, and what is cut off in the middle of a word.
                return None if not re.fullmatch(r"[a-z][a-z-]+", words[0]) else f"no command {words[0]}"
            below, words = found[0], words[1:]
        options |= {name["name"] for one in below.get("arguments", []) for name in one.get("names", [])}
        words = words[:words.index("--")] if "--" in words else words
        missing = [word for word in words if word.startswith("--") and
                   not {part.strip("-[]") for part in word.partition("=")[0].rstrip(",.").split("|")} & options]
        return f"no option {' '.join(missing)}" if missing and not below.get("subcommands") else None


@unittest.skipUnless(BINARY, "HSIP_BIN names no program")
class Pasted(unittest.TestCase):
    def test_every_command_that_a_paper_names_is_one(self):
        commands, found = Commands(), 0
        pages = ["README.md", "SECURITY.md", "ARCHITECTURE.md", *(f"{folder}/{name}" for folder in ("Schemas", "docs") for name in
                 os.listdir(os.path.join(ROOT, folder)) if name.endswith(".md")), "Schemas/cli/README.md"]
        for page in pages:
            with open(os.path.join(ROOT, page), encoding="utf-8") as file:
                text = file.read()
            blocks = re.findall(r"^```sh\n(.*?)^```", text, re.S | re.M)
            spans = re.findall(r"`(hsip [^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))
            for block in blocks:
                spans += re.findall(r"(?<![\w./-])hsip (?:[^\n#|;&)<>$\"]+)", block)
            for said in spans:
                with self.subTest(page=page, said=said):
                    self.assertIsNone(commands.complaint(re.split(r"[|;&)<>#$]", said)[0]))
                    found += 1
        self.assertGreater(found, 80)

    def test_the_example_of_the_guide_works_and_leaves_nothing(self):
        with open(os.path.join(ROOT, "docs/guide.md"), encoding="utf-8") as file:
            pasted = file.read().partition("## Can I try that alone?")[2].partition("```sh\n")[2].partition("```")[0]
        folder = tempfile.mkdtemp(prefix="hsip-guide-")
        self.addCleanup(shutil.rmtree, folder)
        for shell in filter(shutil.which, ("bash", "dash", "zsh")):
            done = subprocess.run(
                [shell, "-c", pasted], capture_output=True, text=True, cwd=folder, start_new_session=True,
                env={"PATH": f"{os.path.dirname(BINARY)}:/usr/bin:/bin", "HOME": folder, "TMPDIR": folder,
                     "LANG": "C.UTF-8"})
            lines = done.stdout.splitlines()
            self.assertEqual((done.returncode, lines[-1]), (0, "see you at eight"), (shell, done.stderr))
            numbers = [line for line in lines if re.fullmatch(r"(\d{5} ?){12}", line)]
            self.assertEqual((len(numbers), len(set(numbers))), (2, 1), shell)
            self.assertEqual(os.listdir(folder), [], shell)


if __name__ == "__main__":
    unittest.main()
