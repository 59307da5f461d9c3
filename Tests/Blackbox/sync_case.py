"""Two machines of one person, a git repository between them, and a server that changes what it keeps."""

import os
import subprocess

from house import STRANGERS, Case, Person, World, must

REMOTE = ("files", "vault.git")
"""The repository, below the home of the machine that founds the log."""


def run_git(*words: str, given: bytes = b"") -> bytes:
    """git with no settings of the person who runs the tests."""
    done = subprocess.run(
        ["git", *words], input=given, capture_output=True,
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x",
             "GIT_COMMITTER_NAME": "x", "GIT_COMMITTER_EMAIL": "x"})
    if done.returncode != 0:
        raise AssertionError(f"git {' '.join(words)}: {done.stderr.decode('utf-8', 'replace')}")
    return done.stdout


def share_between(alice: Person, bob: Person):
    """Alice begins a log in a git repository, and Bob's machine joins."""
    remote = alice.path(*REMOTE)
    run_git("init", "--quiet", "--bare", remote)
    must(alice.run("secret", "set", "db", given="first"))
    must(alice.run("setup", "sync", "git", remote, "--name", "laptop"))
    join = must(bob.run("setup", "sync", "join", "--name", "desktop", "--json")).result
    admit = must(alice.run("accept", join["code"], "--expect", join["number"], "--json")).result
    must(bob.run("accept", admit["code"], "--expect", admit["number"]))
    must(alice.run("sync"))


def _shared():
    share_between(*STRANGERS.arrive())


SHARED = World("shared", _shared)
"""Both machines are in the log, and have the secret `db` with the value `first`."""


class SyncCase(Case):
    """Alice and Bob are two machines of one person."""

    world = STRANGERS

    def setUp(self):
        super().setUp()
        self.remote = self.alice.path(*REMOTE)
        if not os.path.exists(self.remote):
            run_git("init", "--quiet", "--bare", self.remote)

    # Git

    def git(self, *words: str, given: bytes = b"") -> str:
        return run_git(*words, given=given).decode().strip()

    def on_remote(self, *words: str, given: bytes = b"") -> str:
        return self.git("--git-dir", self.remote, *words, given=given)

    @property
    def branch(self) -> str:
        return self.on_remote("for-each-ref", "--format=%(refname)")

    @property
    def tip(self) -> str:
        return self.on_remote("for-each-ref", "--format=%(objectname)")

    # Machines

    def found(self, person: Person | None = None, name: str = "laptop", kind: str = "git", place: str | None = None):
        return self.ok(person or self.alice, "setup", "sync", kind, place or self.remote, "--name", name, "--json").result

    def join(self, person: Person, name: str = "desktop") -> dict:
        return self.ok(person, "setup", "sync", "join", "--name", name, "--json").result

    def admit(self, keeper: Person, join: dict, *words: str) -> dict:
        return self.ok(keeper, "accept", join["code"], "--expect", join["number"], *words, "--json").result

    def together(self, *words: str, kind: str = "git", place: str | None = None):
        """Alice's vault is shared, and Bob's machine is in it."""
        self.found(kind=kind, place=place)
        admit = self.admit(self.alice, self.join(self.bob), *words)
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"])

    def sync(self, person: Person, *words: str) -> dict:
        return self.ok(person, "sync", "--json", *words).result

    def put(self, person: Person, name: str, value: str):
        self.ok(person, "secret", "set", name, given=value)

    def value(self, person: Person, name: str) -> str:
        return self.ok(person, "secret", "get", name).output.rstrip("\n")

    def names(self, person: Person) -> list[str]:
        return [secret["name"] for secret in self.ok(person, "secret", "list", "--json").result["secrets"]]

    def are_equal(self, *people: Person, quickly: bool = False):
        """After a sync of each there is nothing new, and all have the same secrets; `quickly` asks only for these.

        When a record was written is a fact of each vault.
        """
        lists = []
        for person in people:
            self.sync(person)
        for person in people:
            if not quickly:
                again = self.sync(person)
                self.assertEqual((again["received"], again["sent"]), (0, 0))
            secrets = self.ok(person, "secret", "list", "--json").result["secrets"]
            lists.append([secret | {"modifiedAt": None} for secret in secrets])
        for other in lists[1:]:
            self.assertEqual(other, lists[0])


class HostileCase(SyncCase):
    """The server changes the branch between the syncs of two machines."""

    world = SHARED
    true_branch = ""

    def setUp(self):
        super().setUp()
        self.true_branch, self.true = self.branch, self.tip

    @property
    def tip(self) -> str:
        return self.on_remote("rev-parse", self.true_branch or self.branch)

    def files(self, commit: str | None = None) -> dict[str, tuple[str, str]]:
        """The mode and the object of each path."""
        found = {}
        for line in self.on_remote("ls-tree", "-r", commit or self.tip).splitlines():
            facts, path = line.split("\t")
            found[path] = (facts.split()[0], facts.split()[2])
        return found

    def path(self, place: int) -> str:
        return f"{place >> 8:014x}/{place:016x}"

    @property
    def newest(self) -> int:
        return len(self.files())

    def entry(self, place: int) -> bytes:
        return run_git("--git-dir", self.remote, "cat-file", "blob", self.files()[self.path(place)][1])

    def blob(self, data: bytes) -> tuple[str, str]:
        return ("100644", self.on_remote("hash-object", "-w", "--stdin", given=data))

    def commit(self, files: dict[str, tuple[str, str]], *parents: str) -> str:
        """A commit with these files."""
        folders: dict[str, list[str]] = {}
        kinds = {"160000": "commit", "040000": "tree"}
        for path, (mode, name) in files.items():
            folder, _, last = path.rpartition("/")
            folders.setdefault(folder, []).append(f"{mode} {kinds.get(mode, 'blob')} {name}\t{last}\n")
        top = folders.pop("", [])
        for folder, lines in folders.items():
            tree = self.on_remote("mktree", "--missing", given="".join(lines).encode())
            top.append(f"040000 tree {tree}\t{folder}\n")
        tree = self.on_remote("mktree", "--missing", given="".join(top).encode())
        return self.on_remote("commit-tree", tree, "-m", ".", *(word for parent in parents for word in ("-p", parent)))

    def show(self, commit: str):
        """From now on the branch is this."""
        self.on_remote("update-ref", self.true_branch, commit)

    def show_files(self, files: dict[str, tuple[str, str]], *parents: str):
        self.show(self.commit(files, *(parents or (self.true,))))

    def is_noticed(self, name: str, *people: Person):
        """Each sync ends with this error and changes nothing; it goes on when the true branch is back."""
        shown = self.tip
        for person in people or (self.alice, self.bob):
            self.refused(name, person, "sync")
            self.assertEqual(self.value(person, "db"), "first")
        # A change of one's own waits: nothing is added to a false branch.
        self.put(people[-1] if people else self.alice, "wiki", "mine")
        self.refused(name, people[-1] if people else self.alice, "sync", changes=True, plain=False)
        self.assertEqual(self.tip, shown)
        self.show(self.true)
        self.are_equal(self.alice, self.bob)
        self.assertEqual((self.value(self.alice, "wiki"), self.value(self.bob, "wiki")), ("mine", "mine"))
