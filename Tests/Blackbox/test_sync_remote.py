"""A repository with other things than entries, with hooks, too much, or no room: told by name, and nothing is changed."""

import os
import resource
import stat
import subprocess

from house import unittest
from sync_case import HostileCase
from test_faults import may_mount


class Contents(HostileCase):
    def test_other_things_than_entries(self):
        last, files = self.newest, self.files()
        next_one = self.path(last + 1)
        folder, name = next_one.split("/")
        some = self.blob(b"x")
        for what, added in {
            "a link": {next_one: ("120000", some[1])},
            "a submodule": {next_one: ("160000", self.true)},
            "a program": {next_one: ("100755", some[1])},
            "an empty file": {next_one: self.blob(b"")},
            "a file of somebody": {"README.md": some},
            "a name that is no number": {f"{folder}/{'z' * 16}": some},
            "capital digits": {self.path(10): some, f"{folder}/{10:016X}": some},
            "a short number": {f"{folder}/{last + 1:x}": some},
            "a number in another folder": {f"{1:014x}/{name}": some},
            "place 0": {self.path(0): some},
            "the last possible place": {f"{'f' * 14}/{'f' * 16}": some},
            "a folder in the place of an entry": {f"{folder}/{name}": (
                "040000", self.on_remote("mktree", given=f"100644 blob {some[1]}\tx\n".encode()))},
        }.items():
            with self.subTest(what):
                self.show_files(files | added)
                told = self.refused("logDamaged", self.bob, "sync", plain=what == "a link").json["error"]["message"]
                self.assertTrue(any(path in told for path in added), told)
        self.is_noticed("logDamaged")

    def test_a_commit_with_a_long_message_stops_nothing(self):
        message = b"x" * 90_000
        self.show(self.on_remote("commit-tree", self.true + "^{tree}", "-p", self.true, given=message))
        self.assertIn("Nothing new.", self.ok(self.bob, "sync").talk)
        self.put(self.bob, "after", "x")
        self.sync(self.bob)
        self.sync(self.alice)
        self.assertEqual(self.value(self.alice, "after"), "x")

    def test_a_branch_of_something_else_than_commits(self):
        path = os.path.join(self.remote, self.true_branch)
        with open(path, "w", encoding="ascii") as file:
            file.write(self.blob(b"x")[1] + "\n")
        for person in (self.alice, self.bob):
            self.refused("logDamaged", person, "sync")
        self.show(self.true)
        self.are_equal(self.alice, self.bob)

    def test_commits_of_others_that_change_no_entry(self):
        """A history is judged by its entries, so a commit that a person made by hand does no harm."""
        files = self.files()
        self.show(self.commit(files, self.true, self.commit(files)))
        self.put(self.alice, "db", "second")
        self.are_equal(self.alice, self.bob)
        self.show(self.commit(self.files()))
        self.put(self.bob, "db", "third")
        self.are_equal(self.bob, self.alice)
        self.assertEqual(self.value(self.alice, "db"), "third")

    def test_a_repository_with_a_broken_object(self):
        """The disk of the server lost a byte of the newest entry."""
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        name = self.files()[self.path(self.newest)][1]
        place = os.path.join(self.remote, "objects", name[:2], name[2:])
        with open(place, "rb") as file:
            true = file.read()
        os.chmod(place, stat.S_IRUSR | stat.S_IWUSR)
        for wrong in (true[:20] + bytes([true[20] ^ 1]) + true[21:], b""):
            with open(place, "wb") as file:
                file.write(wrong)
            self.refused("logDamaged", self.bob, "sync")
            self.assertEqual(self.value(self.bob, "db"), "first")
        # Alice's machine has the entry.
        self.assertEqual(self.sync(self.alice)["received"], 0)
        with open(place, "wb") as file:
            file.write(true)
        self.are_equal(self.alice, self.bob)
        self.assertEqual(self.value(self.bob, "db"), "second")


class Sizes(HostileCase):
    def test_an_entry_of_a_byte_too_much(self):
        self.show_files(self.files() | {self.path(self.newest + 1): self.blob(bytes((1 << 20) + 1))})
        self.is_noticed("logTooLarge")

    def test_a_small_pack_with_a_large_file(self):
        """300 MB of zeros, which are 300 kB on the wire, come into the memory of no program."""
        self.on_remote("config", "core.bigFileThreshold", "1m")
        zeros = self.alice.path("files", "zeros")
        with open(zeros, "wb") as file:
            file.truncate(300 << 20)
        name = self.on_remote("hash-object", "-w", zeros)
        self.show_files(self.files() | {self.path(self.newest + 1): ("100644", name)})
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.is_noticed("logTooLarge")
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLessEqual(after, max(before, 200 << 10))
        size = int(subprocess.run(["du", "-sk", self.alice.path("state")], capture_output=True, text=True).stdout.split()[0])
        self.assertLess(size, 20 << 10)

    @unittest.skipUnless(may_mount(), "no mount namespace of our own")
    def test_a_repository_without_room(self):
        objects, kept = os.path.join(self.remote, "objects"), self.alice.path("files", "kept")
        script = (f"cp -a {objects} {kept} && mount -t tmpfs -o size=4m none {objects} && cp -a {kept}/. {objects}/ && "
                  f'rm -r {kept}; dd if=/dev/zero of={objects}/full bs=1k 2>/dev/null; exec "$@"')
        full = ("unshare", "-m", "sh", "-c", script, "sh")
        self.put(self.alice, "db", "second")
        outcome = self.alice.run("sync", "--json", before=full)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "logFull"), outcome)
        self.assertEqual(self.tip, self.true)
        self.are_equal(self.alice, self.bob)
        self.assertEqual(self.value(self.bob, "db"), "second")


class Settings(HostileCase):
    def test_settings_of_the_person_change_no_push(self):
        """Options of a push, and a remote that has the name of the log's branch."""
        other = self.alice.path("files", "other.git")
        self.git("init", "--quiet", "--bare", other)
        name = self.true_branch.removeprefix("refs/heads/")
        self.alice.write(".gitconfig", (
            f'[push]\n  pushOption = x\n  default = matching\n[remote "{name}"]\n  pushurl = {other}\n  url = {other}\n'
            f"  mirror = true\n  push = +refs/*:refs/*\n"))
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        self.assertEqual(self.branch, self.true_branch)
        self.assertEqual(self.git("--git-dir", other, "for-each-ref"), "")
        self.are_equal(self.alice, self.bob)
        self.assertEqual(self.value(self.bob, "db"), "second")


class Hooks(HostileCase):
    def test_nothing_that_the_repository_names_is_run(self):
        """A repository on a stick may have hooks and settings of somebody else."""
        ran = self.alice.path("files", "ran")
        script = self.alice.write("files/script", f"#!/bin/sh\necho $0 >>{ran}\nexit 1\n", 0o755)
        for name in ("pre-receive", "update", "post-receive", "post-update", "reference-transaction", "proc-receive",
                     "push-to-checkout", "pre-auto-gc", "post-index-change", "fsmonitor-watchman"):
            os.makedirs(os.path.join(self.remote, "hooks"), exist_ok=True)
            place = os.path.join(self.remote, "hooks", name)
            if os.path.lexists(place):
                os.unlink(place)
            os.symlink(script, place)
        for setting in ("core.fsmonitor", "core.alternateRefsCommand", "uploadpack.packObjectsHook", "core.sshCommand",
                        "core.gitProxy", "credential.helper", "core.pager", "core.editor", "gpg.program"):
            self.on_remote("config", setting, script)
        with open(os.path.join(self.remote, "objects", "info", "alternates"), "w", encoding="ascii") as file:
            file.write(self.alice.path("files") + "\n")
        self.put(self.alice, "db", "second")
        self.on_remote("config", "receive.procReceiveRefs", "refs/heads")
        self.refused("logRefused", self.alice, "sync", changes=True)
        self.on_remote("config", "--unset", "receive.procReceiveRefs")
        self.are_equal(self.alice, self.bob)
        self.put(self.bob, "db", "third")
        self.are_equal(self.bob, self.alice)
        self.assertEqual(self.value(self.alice, "db"), "third")
        self.assertFalse(os.path.exists(ran))


if __name__ == "__main__":
    unittest.main()
