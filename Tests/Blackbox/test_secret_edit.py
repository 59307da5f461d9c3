"""A secret in an editor: a file in memory, one text for all of it, and nothing lost when something goes wrong."""

import glob
import os
import shlex
import signal
import stat
import sys
import time
import unittest

import agents as ag
from house import Case
from screen import Screen

VALUE = "a very particular value"


class Editing(Case):
    """The editor is a script; it gets the file's path as its last argument."""

    def setUp(self):
        super().setUp()
        # Every editor's own is in memory, wherever the tests' folders are.
        self.shared = "/dev/shm"
        if os.statvfs(self.shared).f_bsize == 0 or not os.access(self.shared, os.W_OK):
            self.skipTest("there is no folder in memory")
        self.ok(self.alice, "secret", "set", "db", "--user", "deploy", "--tag", "work", given=VALUE)

    def editor(self, body: str) -> str:
        """A Python program as $EDITOR: `path` is the file, `text` what is in it."""
        path = self.alice.write("files/editor.py", "import os, sys, time\npath = sys.argv[-1]\ntext = open(path).read()\n" + body)
        return f"{shlex.quote(sys.executable)} {shlex.quote(path)}"

    def edit(self, body: str, *words: str, name: str = "db", **how):
        return self.alice.run("secret", "edit", name, *words, EDITOR=self.editor(body), **how)

    def value(self, *words: str, name: str = "db") -> bytes:
        return self.ok(self.alice, "secret", "get", name, *words).data

    def shown(self) -> tuple:
        return self.ok(self.alice, "secret", "show", "db", "--json").result, self.value()

    def left(self) -> list[str]:
        return glob.glob(self.shared + "/hsip-edit-*") + glob.glob(self.alice.path("run") + "/hsip-edit-*")

    def replace(self, old: str, new: str) -> str:
        return f"open(path, 'w').write(text.replace({old!r}, {new!r}))\n"


class Edit(Editing):
    def test_the_whole_secret_is_one_text_and_what_is_saved_a_new_version(self):
        self.ok(self.alice, "secret", "set", "db", "--field", "notes", "--exact", given="one\ntwo\n")
        outcome = self.edit("seen = open('seen', 'w').write(text)\n" + self.replace(VALUE, "other").replace(
            "write(text", "write(text.replace('two', 'two\\nthree').replace('tags: work', 'tags: a, b')"), "--json")
        self.assertEqual((outcome.code, outcome.result["newVersion"], outcome.result["tags"]), (0, True, ["a", "b"]), outcome)
        with open(self.alice.path("seen"), encoding="utf-8") as file:
            lines = [line for line in file.read().splitlines() if not line.startswith("#")]
        self.assertEqual(lines, ["tags: work", "expires: never", "--- user", "deploy", "--- password", VALUE, "--- notes", "one",
                                 "two", ""])
        self.assertEqual((self.value(), self.value("--field", "notes")), (b"other", b"one\ntwo\nthree\n"))
        self.assertEqual(self.value("--version", "1"), VALUE.encode())

    def test_a_field_comes_and_goes_by_its_line_and_an_end_by_its_word(self):
        outcome = self.edit("text = text.replace('--- user\\ndeploy\\n', '').replace('never', '2031-05-06')\n"
                            "open(path, 'w').write(text + '--- PIN\\n12\\n\\n')")
        self.assertEqual(outcome.code, 0, outcome)
        shown = self.ok(self.alice, "secret", "show", "db", "--json").result
        self.assertEqual((shown["fields"], shown["expiresAt"]), (["password", "PIN"], "2031-05-06T00:00:00Z"))
        self.assertEqual(self.value("--field", "PIN"), b"12")

    def test_bytes_that_are_no_text_are_named_and_stay(self):
        self.ok(self.alice, "secret", "set", "db", "--field", "blob", "--exact", given=b"a\r\n\0")
        outcome = self.edit("assert '# blob: 4 bytes' in text\n" + self.replace(VALUE, "other"))
        self.assertEqual((outcome.code, self.value("--field", "blob")), (0, b"a\r\n\0"), outcome)

    def test_no_change_and_an_emptied_file_change_nothing(self):
        before = self.shown()
        for body in ("", "open(path, 'a').write('\\n')", "open(path, 'w').close()"):
            outcome = self.edit(body)
            self.assertEqual((outcome.code, outcome.output), (0, ""), outcome)
            self.assertIn("Nothing changed", outcome.talk)
        self.assertEqual(self.shown(), before)

    def test_an_editor_that_fails_or_is_killed_or_missing_changes_nothing(self):
        before = self.shown()
        change = self.replace(VALUE, "other")
        for body in (change + "sys.exit(3)", change + "os.kill(os.getpid(), 9)"):
            # That the value was shown is noted.
            self.refused("editorFailed", self.alice, "secret", "edit", "db", changes=True, EDITOR=self.editor(body))
        outcome = self.ends(12, self.alice, "secret", "edit", "db", EDITOR="no-such-editor-here")
        self.assertIn("the editor was not found", outcome.talk)
        self.assertEqual((self.shown(), self.left()), (before, []))
        self.ends(7, self.alice, "secret", "edit", "db", "--no-input", EDITOR="true")
        # An editor that nobody named would paint the secret into a pipe.
        self.refused("inputNeeded", self.alice, "secret", "edit", "db", EDITOR=None, VISUAL=None)

    def test_a_text_in_no_form_is_refused_with_its_line(self):
        before = self.shown()
        for new, line in (("tags work", 4), ("tags: work\ncolour: red", 5)):
            outcome = self.edit(self.replace("tags: work", new), "--json")
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (13, "badEdit"), outcome)
            self.assertEqual(outcome.json["error"]["details"]["line"], line)
        outcome = self.edit(self.replace(VALUE, ""))
        self.assertEqual(outcome.code, 13, outcome)
        self.assertEqual(self.edit(self.replace("expires: never", "expires: soon")).code, 2)
        self.assertEqual((self.shown(), self.left()), (before, []))
        self.ends(3, self.alice, "secret", "edit", "nobody", EDITOR="true")

    def test_a_change_made_meanwhile_is_noticed(self):
        command = self.alice.command("secret", "set", "db")
        body = f"import subprocess\nsubprocess.run({command!r}, input=b'meanwhile', check=True, stderr=subprocess.DEVNULL)\n" \
            + self.replace(VALUE, "mine")
        outcome = self.edit(body, "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (4, "secretChanged"), outcome)
        self.assertEqual(self.value(), b"meanwhile")

    def test_the_text_is_in_memory_in_a_private_folder_and_gone_afterwards(self):
        # A second name keeps the file's bytes within reach.
        kept = f"{self.shared}/hsip-test-{os.getpid()}"
        self.addCleanup(lambda: os.path.exists(kept) and os.unlink(kept))
        body = (f"os.link(path, {kept!r})\nfolder = os.path.dirname(path)\nopen(folder + '/copy~', 'w').write(text)\n"
                "os.mkdir(folder + '/more')\nopen(folder + '/more/x', 'w').write(text)\n"
                "print(path, oct(os.stat(folder).st_mode), oct(os.stat(path).st_mode), os.stat(path).st_size)")
        outcome = self.edit(body, XDG_RUNTIME_DIR=None)
        self.assertEqual((outcome.code, outcome.data), (0, b""), outcome)
        path, folder_mode, mode, size = outcome.talk.splitlines()[0].split()
        self.assertTrue(path.startswith(self.shared + "/hsip-edit-"), path)
        self.assertEqual((stat.S_IMODE(int(folder_mode, 8)), stat.S_IMODE(int(mode, 8))), (0o700, 0o600))
        with open(kept, "rb") as file:
            self.assertEqual(file.read(), bytes(int(size)))
        self.assertFalse(os.path.exists(os.path.dirname(path)))

    def test_where_nothing_is_in_memory_it_refuses(self):
        if os.geteuid() != 0:
            self.skipTest("needs root for a namespace of its own")
        hidden = ("unshare", "-m", "sh", "-c", "mkdir -p \"$HOME/disk\" && mount --bind \"$HOME/disk\" /dev/shm && exec \"$@\"", "sh")
        outcome = self.alice.run("secret", "edit", "db", "--json", before=hidden, EDITOR="false", XDG_RUNTIME_DIR=None)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "noMemoryFolder"), outcome)

    def test_what_a_killed_command_left_the_next_one_removes(self):
        mark = self.alice.path("files", "ready")
        body = f"open({mark + '-'!r}, 'w').write(str(os.getpid()))\nos.rename({mark + '-'!r}, {mark!r})\ntime.sleep(100)"
        child = self.alice.start("secret", "edit", "db", EDITOR=self.editor(body))
        self.wait(lambda: os.path.exists(mark))
        self.assertEqual(len(self.left()), 1)
        child.kill()
        with open(mark, encoding="ascii") as file:
            os.kill(int(file.read()), signal.SIGKILL)
        child.communicate(timeout=60)
        self.assertEqual(len(self.left()), 1)
        self.assertEqual(self.edit("").code, 0)
        self.assertEqual(self.left(), [])

    def test_a_signal_ends_the_editor_first_and_wipes(self):
        mark = self.alice.path("files", "ready")
        child = self.alice.start("secret", "edit", "db", EDITOR=self.editor(f"open({mark!r}, 'w').close()\ntime.sleep(100)"))
        self.wait(lambda: os.path.exists(mark))
        child.send_signal(signal.SIGTERM)
        child.communicate(timeout=60)
        self.assertEqual((child.returncode, self.left()), (128 + signal.SIGTERM, []))
        self.assertEqual(self.value(), VALUE.encode())

    def wait(self, happened):
        deadline = time.monotonic() + 60
        while not happened():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)


class AtTheTerminal(Editing):
    def test_a_mistake_is_edited_again_with_the_text_as_it_was_left(self):
        body = "open(path, 'w').write(text.replace('colour: red\\n', '') if 'colour' in text else " \
               "'colour: red\\n' + text.replace(%r, 'kept'))" % VALUE
        screen = Screen(self, self.alice, "secret", "edit", "db", EDITOR=self.editor(body))
        screen.sees("Edit it again\\?")
        screen.enters("y")
        screen.sees("version 2")
        self.assertEqual(screen.ends(), 0)
        self.assertEqual((self.value(), self.left()), (b"kept", []))

    def test_a_change_made_meanwhile_is_asked_about(self):
        command = self.alice.command("secret", "set", "db", "--field", "user")
        body = f"import subprocess\nsubprocess.run({command!r}, input=b'meanwhile', check=True, stderr=subprocess.DEVNULL)\n" \
            + self.replace(VALUE, "mine")
        screen = Screen(self, self.alice, "secret", "edit", "db", EDITOR=self.editor(body))
        screen.sees("changed meanwhile")
        screen.enters("y")
        screen.sees("version 3")
        self.assertEqual(screen.ends(), 0)
        self.assertEqual((self.value(), self.value("--field", "user")), (b"mine", b"meanwhile"))

    @unittest.skipUnless(os.path.exists("/usr/bin/vim"), "vim is not installed")
    def test_vim_edits_it_and_keeps_nothing_elsewhere(self):
        self.alice.write(".vimrc", "set undofile undodir=~/files backup backupdir=~/files directory=~/files viminfo='9,\"99,n~/files/info\n")
        screen = Screen(self, self.alice, "secret", "edit", "db", EDITOR="vim")
        screen.sees(VALUE)
        screen.types(f":%s/{VALUE}/by vim/\r:wq\r")
        screen.sees("version 2")
        self.assertEqual(screen.ends(), 0)
        self.assertEqual((self.value(), os.listdir(self.alice.path("files")), self.left()), (b"by vim", [], []))


class WithAgent(Editing):
    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()

    def test_it_is_a_value_let_out_and_a_change(self):
        agent = ag.Hsip(self.alice)
        agent.unlock()
        self.alice.opens_with = None
        agent.agreed("agent", "rule", "add", "tests", "allow", "--kind", "read", "-y")
        agent.agreed("agent", "rule", "add", "moves", "allow", "--kind", "decide", "-y")
        self.ok(self.alice, "secret", "mv", "db", "other")
        self.ok(self.alice, "agent", "rule", "add", "never", "deny", "--kind", "read", "--subject", "other", "-y")
        self.assertEqual(self.edit(self.replace(VALUE, "mine"), name="other").code, 6)
        # A refusal holds the name fast, too, until the person takes it back.
        self.ends(6, self.alice, "secret", "mv", "other", "db")
        self.ok(self.alice, "agent", "rule", "rm", "never", "-y")
        self.ok(self.alice, "secret", "mv", "other", "db")
        self.assertEqual(self.edit(self.replace(VALUE, "other")).code, 0)
        self.assertEqual(self.value(), b"other")
        log = [line for line in self.ok(self.alice, "audit", "list").lines if "\tdb" in line]
        for operation in ("secret.whole", "secret.set"):
            self.assertTrue(any(operation in line for line in log), log)
        self.assertEqual(self.left(), [])


if __name__ == "__main__":
    unittest.main()
