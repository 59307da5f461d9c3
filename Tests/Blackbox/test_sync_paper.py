"""A machine on paper: when all machines are gone, its recovery code and the log give everything back."""

import os
import stat

from house import PLACE, STRANGERS, newcomer, unittest
from screen import Screen
from sync_case import SyncCase


class Paper(SyncCase):
    world = STRANGERS

    def machines(self, person) -> list[str]:
        return [one["name"] for one in self.ok(person, "machine", "--json").result["machines"]]

    def paper(self) -> str:
        """The file with the code of a machine on paper."""
        self.put(self.alice, "db", "first")
        self.found()
        file = self.alice.path("files", "paper")
        made = self.ok(self.alice, "machine", "paper", "-o", file, "--json").result
        self.line = made.pop("line")
        self.assertEqual(made, {"machine": "paper", "address": f"file://{self.remote}", "outputFile": file})
        self.assertRegex(self.line, rf"^hsip sync recover git 'file://{self.remote}' --head [0-9]+:[0-9]{{12}}$")
        self.assertEqual(stat.S_IMODE(os.stat(file).st_mode), 0o600)
        self.put(self.alice, "wiki", "after")
        self.sync(self.alice)
        return file

    def test_a_new_machine_reads_everything_by_the_code(self):
        file = self.paper()
        got = self.ok(self.bob, "sync", "recover", "git", self.remote, "--code-file", file, "--name", "new", "--json")
        self.assertEqual((got.result["received"], got.result["sent"]), (2, 0))
        self.assertEqual((self.value(self.bob, "db"), self.value(self.bob, "wiki")), ("first", "after"))
        self.assertEqual(self.machines(self.bob), ["laptop", "new", "paper"])
        # The lost machine goes; paper stays for the next time.
        self.ok(self.bob, "machine", "revoke", "laptop", "-y")
        self.put(self.bob, "db", "second")
        self.sync(self.bob)
        self.refused("machineRevoked", self.alice, "sync", changes=True)
        carol = newcomer("carol")
        told = self.ok(carol, "sync", "recover", "git", self.remote, "--code-file", file, "--name", "third").talk
        self.assertIn("compare: hsip sync head", told)
        self.assertEqual(self.value(carol, "db"), "second")
        self.are_equal(self.bob, carol)

    def test_what_opens_nothing_changes_nothing(self):
        file = self.paper()
        with open(file, encoding="ascii") as code:
            text = code.read()
        slip, other = self.bob.path("files", "slip"), self.bob.path("files", "other")
        for path, code in ((slip, text[:3] + ("8" if text[3] != "8" else "9") + text[4:]), (other, text)):
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as made:
                made.write(code)
        where = ("sync", "recover", "git", self.remote, "--name", "new", "--code-file")
        self.refused("mistyped", self.bob, *where, slip)
        taken = self.refused("machineNameTaken", self.bob, *where[:4], "--name", "laptop", "--code-file", file)
        self.assertEqual(taken.json["error"]["hint"], f"hsip sync recover git {self.remote} --name OTHER")
        taken = self.refused("machineNameTaken", self.alice, "machine", "paper", changes=True)
        self.assertEqual(taken.json["error"]["hint"], "hsip machine paper --name OTHER")
        self.refused("malformed", self.alice, "machine", "paper", "--name", " x ", "-o", slip + "2", changes=True)
        self.assertFalse(os.path.exists(slip + "2"))
        empty = self.bob.path("files", "empty.git")
        self.git("init", "--quiet", "--bare", empty)
        self.refused("noLog", self.bob, "sync", "recover", "git", empty, "--code-file", file)
        self.refused("logUnreachable", self.bob, "sync", "recover", "git", empty + ".none", "--code-file", file)
        self.refused("usage", self.bob, *where, file, "--user", "x")
        self.refused("usage", self.bob, *where, file, "--head", "57")
        self.ok(self.alice, "machine", "revoke", "paper", "-y")
        refused = self.refused("machineRevoked", self.bob, *where, file)
        self.assertIn("this recovery code opens no shared log", refused.json["error"]["message"])
        self.refused("logExists", self.alice, *where, file)
        # A machine that only reads makes no paper.
        admit = self.admit(self.alice, self.join(self.bob), "--reader")
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])
        self.refused("notAllowed", self.bob, "machine", "paper", "-o", self.bob.path("files", "no"))

    def test_the_code_is_shown_once_and_its_last_block_is_typed(self):
        self.put(self.alice, "db", "first")
        self.found()
        desk = Screen(self, self.alice, "machine", "paper")
        shown = r"(?s)Recovery code +((?:[0-9A-Z]{4}-){6}[0-9A-Z]{4}) +reads the shared log.*Last block of the recovery code:"
        code = desk.sees(shown).group(1)
        desk.enters(code[-4:])
        self.assertEqual(desk.ends(), 0, desk.text)
        self.assertIn("Added the machine paper.", desk.text)
        self.assertIn(f"hsip sync recover git 'file://{self.remote}' --head ", desk.text.replace("\r\n", ""))
        desk = Screen(self, self.bob, "sync", "recover", "git", self.remote, "--name", "new")
        desk.sees("Recovery code of the shared log:")
        desk.enters(code.lower())
        self.assertEqual(desk.ends(), 0, desk.text)
        self.assertNotIn(code.lower(), desk.text)
        self.assertEqual(self.value(self.bob, "db"), "first")

    def test_the_entry_that_the_paper_names_has_to_be_there(self):
        file = self.paper()
        where = ("sync", "recover", "git", self.remote, "--code-file", file, "--name", "new", "--head")
        head = self.line.rsplit(" ", 1)[1]
        place, digits = head.split(":")
        wrong = f"{place}:{int(digits) ^ 1:012}"
        self.refused("logForked", self.bob, *where, wrong, plain=False)
        self.refused("logBehind", self.bob, *where, f"{int(place) + 90}:{digits}", plain=False)
        true, ref = self.tip, self.branch
        self.on_remote("update-ref", ref, f"{true}~{len(self.on_remote('ls-tree', '-r', true).splitlines()) - 2}")
        self.refused("logBehind", self.bob, *where, head, plain=False)
        self.on_remote("update-ref", ref, true)
        self.ok(self.bob, *where, head)
        self.assertEqual(self.value(self.bob, "wiki"), "after")

    def test_other_branches_stop_nothing(self):
        file = self.paper()
        blob = self.on_remote("hash-object", "-w", "--stdin", given=b"junk")
        for number, name in enumerate(("0" * 16 + "/" + "0" * 15 + "1", "README", "0" * 14 + "/" + "0" * 15 + "1")):
            tree = self.on_remote("mktree", given=f"100644 blob {blob}\t{name.rsplit('/', 1)[-1]}\n".encode())
            if "/" in name:
                tree = self.on_remote("mktree", given=f"040000 tree {tree}\t{name.split('/')[0]}\n".encode())
            commit = self.on_remote("commit-tree", tree, "-m", ".")
            self.on_remote("update-ref", f"refs/heads/hsip-{number:032x}", commit)
        true = self.on_remote("for-each-ref", "--sort=-refname", "--format=%(refname)").splitlines()[0]
        self.on_remote("update-ref", f"refs/heads/hsip-{9:032x}", self.on_remote("rev-parse", true))
        self.ok(self.bob, "sync", "recover", "git", self.remote, "--code-file", file, "--name", "new")
        self.assertEqual(self.value(self.bob, "wiki"), "after")
        self.sync(self.alice)
        self.assertEqual(self.machines(self.alice), ["laptop", "new", "paper"])

    def test_a_recovery_that_is_killed_goes_on(self):
        file = self.paper()
        self.bob.keep("before")
        words = ("sync", "recover", "git", self.remote, "--code-file", file, "--name")
        for name in ("fast-import", "push", "ls-tree", "fetch"):
            with self.subTest(killed_after=name):
                self.bob.put_back("before")
                folder = os.path.join(PLACE, f"git-kill-{name}")
                os.makedirs(folder)
                with open(os.path.join(folder, "git"), "w", encoding="utf-8") as made:
                    made.write(f'#!/bin/sh\ncase " $* " in *" {name} "*) /usr/bin/git "$@"; kill -9 $PPID; exit 1;; esac\n'
                               'exec /usr/bin/git "$@"\n')
                os.chmod(os.path.join(folder, "git"), 0o755)
                self.assertEqual(self.bob.run(*words, name, PATH=f"{folder}:/usr/bin:/bin").code, -9)
                # A sync goes on, too, once the vault knows the log.
                again = ("sync",) if name in ("push", "fast-import") else (*words, name)
                self.ok(self.bob, *again)
                self.assertEqual(self.value(self.bob, "wiki"), "after")
        self.assertEqual(self.machines(self.bob), ["fast-import", "fetch", "laptop", "ls-tree", "paper", "push"])


if __name__ == "__main__":
    unittest.main()
