"""What a new user sees in the first hour: the next command, the name of what is missing, and where a question waits."""

import json
import os
import re
import shutil
import subprocess
import unittest

import agents as ag
import screen
from house import ALONE, BINARY, FRIENDS, Case, Person, clear_now
from screen import Screen

PASSPHRASE = "seven grey herons over the harbour"
NEXT = ["hsip secret set mail", "hsip setup ssh", "hsip pair"]


class AfterInit(Case):
    world = None

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        clear_now()
        self.alice = Person("alice")
        self.alice.make_folders()

    def init(self, answer: str, ahead: str = "") -> Screen:
        shown = Screen(self, self.alice, "init", "--name", "Alice", secret=None, rows=24, columns=80)
        screen.gives_new(shown, "New passphrase", PASSPHRASE)
        code = shown.sees(r"([0-9A-Z]{4}(?:-[0-9A-Z]{4}){6})\s").group(1)
        shown.sees("Last block of the recovery code: ")
        shown.enters("0000")
        shown.sees("The last block is the four characters after the last dash of the recovery code.")
        shown.types(code[-4:] + "\r" + ahead)
        shown.sees(r"Unlock the vault now with this passphrase\? \[yes\]: ")
        shown.enters(answer)
        self.assertEqual(shown.ends(), 0, shown.plain)
        return shown

    def next_steps(self, shown: Screen) -> list[str]:
        lines = shown.plain.split("Next      ", 1)[1].splitlines()
        return [re.split("  +", line.strip())[0] for line in lines if line.strip()]

    def test_enter_unlocks_the_vault_and_nobody_asks_again(self):
        shown = self.init("")
        self.addCleanup(self.alice.run, "agent", "stop", secret=None)
        self.assertIn("the vault is open, locks after", shown.plain)
        self.assertEqual(self.next_steps(shown), NEXT)
        self.assertEqual(self.ok(self.alice, "identity", "show", "--json", secret=None).result["name"], "Alice")
        self.assertNotIn(PASSPHRASE, shown.text)

    def test_what_was_typed_before_the_last_question_is_no_answer(self):
        shown = self.init("", ahead="no\r")
        self.addCleanup(self.alice.run, "agent", "stop", secret=None)
        self.assertIn("the vault is open, locks after", shown.plain)

    def test_no_leaves_it_locked_and_unlock_is_the_next_step(self):
        shown = self.init("no")
        self.assertEqual(self.next_steps(shown), ["hsip unlock", *NEXT])
        self.assertFalse(os.path.exists(self.alice.path("run", "hsip", "control.sock")))

    def test_status_does_not_say_that_a_code_was_never_tested_whose_last_block_was_just_typed(self):
        self.init("")
        self.addCleanup(self.alice.run, "agent", "stop", secret=None)
        told = self.ok(self.alice, "status", "--json", secret=None).result["attention"]
        self.assertIn("recoveryUntested", [item["kind"] for item in told])
        shown = Screen(self, self.alice, "status", secret=None)
        self.assertEqual(shown.ends(), 0)
        self.assertIn("the full recovery code was never tested", shown.plain)

    def test_a_script_is_offered_nothing(self):
        outcome = self.alice.run("init", "--no-input", "--name", "Alice", "-o", self.alice.path("files", "r"),
                                 secret="passphrase")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertNotIn("Next", outcome.talk + outcome.output)
        self.assertFalse(os.path.exists(self.alice.path("run", "hsip", "control.sock")))


class Names(Case):
    world = FRIENDS

    def says(self, message: str, code: int, *words: str, **how):
        self.assertEqual(self.ends(code, self.alice, *words, "--json", **how).json["error"]["message"], message)

    def test_a_message_of_my_own_is_called_mine(self):
        mine = self.ok(self.alice, "encrypt", "bob", given="hi").output
        said = "you sent this message yourself; only the contact it was sent to can open it"
        self.says(said, 3, "decrypt", given=mine)
        self.says("the text contains no HSIP message for you", 3, "decrypt", given="good morning")

    def test_a_missing_file_is_called_by_its_name(self):
        self.says("nofile.txt: no such file; to send a text, pipe it or type it at the prompt", 2, "encrypt", "bob",
                  "nofile.txt")
        self.says("nofile: no such file", 3, "decrypt", "nofile")

    def test_a_text_on_the_command_line_is_not_repeated(self):
        outcome = self.ends(2, self.alice, "encrypt", "bob", "meet me at eight")
        self.assertNotIn("eight", outcome.talk)
        self.assertIn("a text never goes on the command line", outcome.talk)

    def test_a_missing_vault_is_called_by_its_name(self):
        self.says("there is no vault named nope", 3, "--vault", "nope", "contact", "list")
        self.says("there is no vault at " + self.alice.path("nope"), 3, "--vault", "./nope", "contact", "list")
        self.says("/etc must be private: it has mode 755, and 700 is needed", 12, "--vault", "/etc/passwd", "contact",
                  "list")


class Lists(Case):
    world = ALONE

    EMPTY = [("contact", "list"), ("contact", "list", "--trash"), ("session", "list"), ("secret", "list"),
             ("secret", "list", "--trash"), ("secret", "shared"), ("item", "list"),
             ("ssh", "key", "list"), ("ssh", "host", "list"), ("agent", "rule", "list"), ("text", "history", "list"),
             ("vault", "shares", "list"), ("audit", "list", "--kind", "sign")]

    def test_an_empty_list_says_so_at_a_terminal_and_nothing_in_a_pipe(self):
        for words in self.EMPTY:
            with self.subTest(words=words):
                self.assertEqual(self.ok(self.alice, *words).output, "")
                shown = Screen(self, self.alice, *words)
                self.assertEqual(shown.ends(), 0, shown.plain)
                self.assertRegex(shown.plain, r"hsip: note: \S")


class Rules(Case):
    world = ALONE

    def test_a_rule_that_opens_every_secret_is_asked_about(self):
        warning = r"Rule x lets every known program read every secret without asking\."
        for words in (("--kind", "read"), ("--kind", "read", "--for", "8h")):
            with self.subTest(words=words):
                shown = Screen(self, self.alice, "agent", "rule", "add", "x", "allow", *words)
                shown.sees(warning)
                shown.sees(r"Add this rule\? \[y/N\] ")
                shown.enters()
                self.assertEqual(shown.ends(), 6, shown.plain)
        self.assertEqual(self.ok(self.alice, "agent", "rule", "list", "--json").result["rules"], [])
        shown = Screen(self, self.alice, "agent", "rule", "add", "x", "allow", "--kind", "read")
        shown.sees(r"\[y/N\] ")
        shown.enters("y")
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertIn("Rule x added: allows any known program to read every secret. Undo: hsip agent rule rm x",
                      " ".join(shown.plain.split()))

    def test_so_is_every_rule_that_lets_all_programs_use_all_keys_or_have_all_items(self):
        for kind in ("login", "file", "certificate", "decide", "item", "item-change"):
            with self.subTest(kind=kind):
                shown = Screen(self, self.alice, "agent", "rule", "add", "x", "allow", "--kind", kind)
                shown.sees("Rule x lets every known program")
                shown.sees(r"Add this rule\? \[y/N\] ")
                shown.enters()
                self.assertEqual(shown.ends(), 6, shown.plain)

    def test_a_narrow_rule_is_added_at_once(self):
        for number, words in enumerate([("allow", "--kind", "read", "--subject", "ci/*"), ("ask", "--kind", "read"),
                                        ("allow", "--kind", "read", "--program", "/usr/bin/make"), ("allow", "--kind", "use"),
                                        ("allow", "--kind", "login", "--host", "db1"),
                                        ("allow", "--kind", "item", "--owner", "/usr/bin/mutt")]):
            shown = Screen(self, self.alice, "agent", "rule", "add", f"r{number}", *words)
            self.assertEqual(shown.ends(), 0, shown.plain)
            self.assertNotIn("every known program", shown.plain)


class Git(Case):
    world = ALONE

    def setUp(self):
        super().setUp()
        self.bin = self.alice.path("bin")
        os.makedirs(self.bin)
        shutil.copy2(BINARY, self.bin)
        self.program = os.path.join(self.bin, "hsip")

    def setup(self, *words: str, before: tuple[str, ...] = (), what: str = "git",
              yes: tuple[str, ...] = ("-y",)) -> subprocess.CompletedProcess:
        command = [*before, os.path.join(self.bin, "hsip"), *self.alice.command(*yes, "setup", what, *words)[1:]]
        return subprocess.run(command, capture_output=True, timeout=100, cwd=self.alice.home, start_new_session=True,
                              env=self.alice.environment(PATH=f"{self.bin}:/usr/bin:/bin"), encoding="utf-8")

    def test_git_setup_makes_the_link_that_git_runs(self):
        link = os.path.join(self.bin, "git-credential-hsip")
        self.assertEqual(self.setup("--check").returncode, 3)
        self.assertFalse(os.path.exists(link))
        done = self.setup("--passwords", "--json")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn('"active":true', done.stdout.replace(" ", ""))
        self.assertEqual(os.readlink(link), self.program)
        self.assertEqual(self.setup("--passwords", "--check").returncode, 0)
        undone = self.setup("--undo")
        self.assertIn(f"-{self.program}\n", undone.stdout)
        self.assertFalse(os.path.lexists(link))

    def test_the_link_is_shown_and_asked_about_with_the_rest(self):
        for what in ("git", "docker"):
            with self.subTest(what=what):
                link = os.path.join(self.bin, f"{what}-credential-hsip")
                shown = self.setup("--print", what=what)
                self.assertIn(f"new file mode 120000\n--- /dev/null\n+++ {link}\n@@ -0,0 +1 @@\n+{self.program}\n", shown.stdout)
                self.assertEqual(self.setup(what=what, yes=()).returncode, 7)
                self.assertFalse(os.path.lexists(link))
                changes = json.loads(self.setup("--json", what=what).stdout)["data"]["changes"]
                self.assertEqual([one["action"] for one in changes if one["path"] == link], ["make"])
                self.assertEqual(os.readlink(link), self.program)
                self.assertEqual(self.setup("--undo", what=what).returncode, 0)
                self.assertFalse(os.path.lexists(link))

    def test_the_link_of_an_installation_stays(self):
        for what in ("git", "docker"):
            link = os.path.join(self.bin, f"{what}-credential-hsip")
            os.symlink("hsip", link)
            self.assertEqual((self.setup(what=what).returncode, self.setup("--undo", what=what).returncode), (0, 0))
            self.assertEqual(os.readlink(link), "hsip")

    @unittest.skipUnless(os.geteuid() == 0, "only root may mount")
    def test_a_setup_that_fails_takes_its_link_back(self):
        config = self.alice.path("config")
        script = f'mount --bind {config} {config} && mount -o remount,ro,bind {config} && exec "$@"'
        done = self.setup("--passwords", before=("unshare", "-m", "sh", "-c", script, "sh"))
        self.assertNotEqual(done.returncode, 0, done)
        self.assertFalse(os.path.lexists(os.path.join(self.bin, "git-credential-hsip")))

    @unittest.skipUnless(os.geteuid() == 0, "only root may mount")
    def test_git_setup_says_how_to_make_a_link_that_it_may_not_make(self):
        script = f'mount --bind {self.bin} {self.bin} && mount -o remount,ro,bind {self.bin} && exec "$@"'
        done = self.setup("--passwords", before=("unshare", "-m", "sh", "-c", script, "sh"))
        self.assertEqual(done.returncode, 12, done)
        self.assertIn(f"sudo ln -s {self.bin}/hsip {self.bin}/git-credential-hsip", done.stderr)


class Audits(Case):
    world = FRIENDS

    def test_many_equal_entries_of_a_minute_are_one_line_with_a_number(self):
        many = "\n".join(map(str, range(30)))
        sealed = self.ok(self.bob, "encrypt", "alice", "--lines", given=many).output
        self.ok(self.alice, "decrypt", given=sealed)
        entries = self.ok(self.alice, "audit", "--json").result["entries"]
        opened = [entry for entry in entries if entry["act"] == "message.decrypt"]
        self.assertGreaterEqual(len(opened), 30, "the JSON stays whole")
        self.assertEqual(len(self.ok(self.alice, "audit").lines), len(entries), "what is piped stays whole")
        for columns in (80, 200):
            shown = Screen(self, self.alice, "audit", rows=24, columns=columns)
            self.assertEqual(shown.ends(), 0, shown.plain)
            lines = [line for line in shown.plain.splitlines() if "message.decrypt" in line]
            counts = [int(re.search(r"\d\d:\d\d\S*\s+(\d+)\s", line).group(1)) for line in lines]
            self.assertEqual(sum(counts), len(opened), shown.plain)
            self.assertLessEqual(len(lines), 3, "one more where a minute ended meanwhile")
            self.assertNotIn("\u2026", shown.plain)
            self.assertLessEqual(max(len(line) for line in shown.plain.splitlines()), columns)


if __name__ == "__main__":
    unittest.main()
