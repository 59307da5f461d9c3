"""A sync whose server, folder or vault lost something, and a sync that is killed."""

import glob
import os
import shutil
import signal
import subprocess

import strace
from house import Person, unittest
from sync_case import SyncCase


class Trouble(SyncCase):
    def test_a_deleted_branch_stops_the_sync_until_it_is_back(self):
        self.put(self.alice, "db", "first")
        self.together()
        self.sync(self.alice)
        branch, tip = self.branch, self.tip
        self.git("--git-dir", self.remote, "update-ref", "-d", branch)
        self.refused("logBehind", self.alice, "sync")
        self.put(self.alice, "db", "second")
        self.refused("logBehind", self.alice, "sync", changes=True)
        self.assertEqual(self.branch, "")
        self.assertEqual(self.value(self.alice, "db"), "second")
        self.git("--git-dir", self.remote, "update-ref", branch, tip)
        self.assertEqual(self.sync(self.alice)["sent"], 1)
        self.sync(self.bob)
        self.assertEqual(self.value(self.bob, "db"), "second")

    def test_another_history_of_the_same_length_is_noticed_and_nothing_is_added_to_it(self):
        self.put(self.alice, "db", "first")
        self.together()
        self.sync(self.alice)
        branch, tip = self.branch, self.tip
        parent = self.git("--git-dir", self.remote, "rev-parse", f"{tip}~1")
        aside = self.alice.path("files", "aside")
        shutil.copytree(self.remote, aside)
        self.git("--git-dir", aside, "update-ref", branch, parent)
        # Bob's machine, as it was one entry earlier, would have written this: the same place, other bytes.
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        mine = self.tip
        listed = self.git("--git-dir", self.remote, "ls-tree", "-r", mine).splitlines()[-1]
        mode, name = listed.split()[0], listed.split("\t")[1]
        other = self.git("--git-dir", self.remote, "rev-parse", f"{mine}~1:" + self.git(
            "--git-dir", self.remote, "ls-tree", "-r", "--name-only", f"{mine}~1").splitlines()[-1])
        index = {"GIT_INDEX_FILE": self.alice.path("files", "index"), "PATH": "/usr/bin:/bin", "HOME": "/nonexistent",
                 "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x", "GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x"}

        def on(*words: str) -> str:
            return subprocess.run(["git", "--git-dir", self.remote, *words], capture_output=True, text=True, check=True,
                                  env=index).stdout.strip()
        on("read-tree", f"{mine}~1")
        on("update-index", "--add", "--cacheinfo", f"{mode},{other},{name}")
        forged = on("commit-tree", "-p", f"{mine}~1", "-m", "x", on("write-tree"))
        on("update-ref", branch, forged)
        for _ in range(2):
            outcome = self.alice.run("sync", "--json")
            self.assertEqual(outcome.code, 11, outcome)
        self.put(self.alice, "db", "third")
        self.assertEqual(self.alice.run("sync").code, 11)
        self.assertEqual(self.tip, forged)
        on("update-ref", branch, mine)
        self.assertEqual(self.sync(self.alice)["sent"], 1)

    def test_a_server_that_is_away(self):
        self.together()
        os.rename(self.remote, self.remote + ".away")
        self.refused("logUnreachable", self.alice, "sync")
        self.put(self.alice, "db", "x")
        self.refused("logUnreachable", self.alice, "sync", changes=True)
        self.assertIs(self.ok(self.alice, "status", "--json").result["machines"]["waiting"], True)
        self.assertIn("\ta change waits to be sent to your other machines: hsip sync", self.ok(self.alice, "status").output)
        os.rename(self.remote + ".away", self.remote)
        self.assertEqual(self.sync(self.bob)["received"], 0)
        self.sync(self.alice)
        self.assertEqual(self.sync(self.bob)["received"], 1)

    @unittest.skipUnless(strace.works(), "strace may not trace here")
    def test_a_folder_that_lost_the_end_of_the_first_entries_gets_it_again(self):
        place = self.alice.path("files", "stick")
        os.makedirs(place, mode=0o700)
        self.put(self.alice, "db", "x")
        words = ("setup", "sync", "folder", place, "--name", "laptop")
        # strace counts for each thread, so the change that follows may meet the fault, too: then it waits to be sent.
        founded = self.alice.run(*words, before=strace.inject("link", "error=EIO", "2"))
        self.assertIn(founded.code, (0, 12), founded)
        self.sync(self.alice)
        self.assertEqual(len(glob.glob(place + "/hsip-*/0*")), 3)
        admit = self.admit(self.alice, self.join(self.bob))
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])
        self.assertEqual(self.value(self.bob, "db"), "x")

    def test_what_stays_on_this_machine_stays_so_after_a_restore(self):
        host = ("--address", "db1.example.org", "--user", "me", "--auth", "password")
        self.put(self.alice, "own", "x")
        self.ok(self.alice, "ssh", "host", "add", "db1", *host)
        self.ok(self.alice, "ssh", "key", "generate", "work")
        backup = self.alice.path("files", "backup")
        self.ok(self.alice, "vault", "backup", backup)
        self.ok(self.alice, "secret", "set", "own", "--tag", "local", given="y")
        self.ok(self.alice, "ssh", "host", "set", "db1", "--local")
        self.ok(self.alice, "ssh", "key", "set", "work", "--local")
        self.ok(self.alice, "vault", "restore", backup, "--force", "--accept-rollback", "-y")
        self.together()
        self.assertEqual(self.names(self.bob), [])
        self.assertEqual(self.ok(self.bob, "ssh", "host", "list", "--json").result["hosts"], [])
        self.assertEqual(self.ok(self.bob, "ssh", "key", "list", "--json").result["keys"], [])

    def test_a_restored_vault_catches_up(self):
        self.put(self.alice, "db", "first")
        self.together()
        backup = self.alice.path("files", "backup")
        self.ok(self.alice, "vault", "backup", backup)
        self.put(self.alice, "db", "second")
        self.put(self.alice, "new", "x")
        self.sync(self.alice)
        self.put(self.bob, "db", "third")
        self.sync(self.bob)
        self.ok(self.alice, "vault", "restore", backup, "--force", "--accept-rollback", "-y")
        self.assertEqual(self.value(self.alice, "db"), "first")
        self.put(self.alice, "after", "y")
        self.sync(self.alice)
        self.assertEqual((self.value(self.alice, "db"), self.value(self.alice, "new")), ("third", "x"))
        self.sync(self.bob)
        self.assertEqual(self.value(self.bob, "after"), "y")

    def test_a_server_that_shows_an_old_log_to_a_restored_vault(self):
        self.put(self.alice, "db", "first")
        self.together()
        self.sync(self.alice)
        backup, old = self.alice.path("files", "backup"), self.alice.path("files", "old.git")
        self.ok(self.alice, "vault", "backup", backup)
        shutil.copytree(self.remote, old)
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        self.ok(self.alice, "vault", "restore", backup, "--force", "--accept-rollback", "-y")
        shutil.rmtree(self.remote)
        os.rename(old, self.remote)
        self.refused("logBehind", self.alice, "sync", changes=True)
        self.put(self.alice, "db", "other")
        tip = self.tip
        self.refused("logBehind", self.alice, "sync", changes=True)
        self.assertEqual(self.tip, tip)

    def killer(self, person: Person, when: str) -> str:
        """A PATH with a git that ends hsip before or after the first push."""
        folder = person.path("files", "bin-" + when)
        os.makedirs(folder, exist_ok=True)
        script = f"""#!/bin/sh
case " $* " in
*" push "*)
  if [ {when} = after ]; then /usr/bin/git "$@" >/dev/null 2>&1; fi
  kill -9 $PPID; exit 1 ;;
esac
exec /usr/bin/git "$@"
"""
        path = os.path.join(folder, "git")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script)
        os.chmod(path, 0o755)
        return f"{folder}:/usr/bin:/bin"

    def killed(self, person: Person, when: str, *words: str, **how):
        outcome = person.run(*words, PATH=self.killer(person, when), **how)
        self.assertEqual(outcome.code, -signal.SIGKILL, outcome)

    def test_a_kill_around_each_push_is_made_good(self):
        for when in ("before", "after"):
            with self.subTest(when=when):
                self.killed(self.alice, when, "setup", "sync", "git", self.remote, "--name", "laptop")
        self.assertIs(self.found()["changed"], False)
        join = self.join(self.bob)
        for when in ("before", "after"):
            self.killed(self.alice, when, "accept", join["code"], "--expect", join["number"])
        admit = self.admit(self.alice, join)
        self.put(self.bob, "db", "first")
        self.killed(self.bob, "before", "accept", admit["code"], "--expect", admit["number"])
        self.killed(self.bob, "after", "sync")
        self.sync(self.bob)
        self.sync(self.alice)
        self.assertEqual(self.value(self.alice, "db"), "first")
        for number, when in enumerate(("before", "after", "before")):
            self.put(self.alice, "db", f"value {number}")
            self.killed(self.alice, when, "sync")
            self.sync(self.alice)
            self.sync(self.bob)
            self.assertEqual(self.value(self.bob, "db"), f"value {number}")


if __name__ == "__main__":
    unittest.main()
