"""People with a program and folders of their own: what every test of the program stands on.

Nothing here looks inside the program. It is named by HSIP_BIN, runs with an environment that has nothing of the
caller's, in folders below one temporary folder, and is judged by its exit code, its two streams and its files.
"""

import atexit
import collections
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Interop"))

import hsip_xc1 as xc  # noqa: E402
import vault_file as vf  # noqa: E402

import agents as ag  # noqa: E402
import keyring as kr  # noqa: E402
import keyring_items as ki  # noqa: E402
import schemas  # noqa: E402

BINARY = os.path.abspath(os.environ["HSIP_BIN"]) if os.environ.get("HSIP_BIN") else None
THROUGH_AGENT = os.environ.get("HSIP_TEST_AGENT") == "1"
"""Every call that opens a vault goes through an agent (`run --agent`)."""
AUDIT_MARK = ("vault.audit", "log")
AGENTLESS = ("init", "unlock", "lock", "agent", "completion", "version", "help", "--help", "--version")
"""What works without an open vault, or is about the agent itself."""
PASSPHRASE = "correct horse battery staple"
LITTLE = (1 << 30) - 1
LITTLE_MEMORY = ("/usr/bin/prlimit", f"--data={LITTLE}:")
"""Put before a command: with less than 1 GiB a new vault's passphrase costs a quarter to try, as does much of a run."""
FAKETIME = ag.FAKETIME
VARIABLES = {"XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config",
             "XDG_RUNTIME_DIR": "run"}

with open(os.path.join(ROOT, "Schemas", "errors.json"), encoding="utf-8") as file:
    ERRORS = {error["name"]: error for error in json.load(file)["errors"]}


def _place() -> str:
    """One folder for everything, removed at the end."""
    path = tempfile.mkdtemp(prefix="hsip-blackbox-")
    owner = os.getpid()

    def remove():
        if os.getpid() == owner:
            shutil.rmtree(path, ignore_errors=True)
    atexit.register(remove)
    return path


PLACE = _place()
KEPT = os.path.join(PLACE, "kept")
NOW = os.path.join(PLACE, "now")
os.makedirs(KEPT)
os.makedirs(NOW)


class Outcome:
    """What one call did."""

    def __init__(self, command: list[str], code: int, output: bytes, talk: bytes):
        self.command, self.code, self.data, self.talk_data = command, code, output, talk

    @property
    def output(self) -> str:
        return self.data.decode("utf-8", "replace")

    @property
    def talk(self) -> str:
        return self.talk_data.decode("utf-8", "replace")

    @property
    def lines(self) -> list[str]:
        return self.output.splitlines()

    @property
    def json(self) -> dict:
        return json.loads(self.output)

    @property
    def result(self) -> dict:
        """The `data` of a JSON outcome."""
        return self.json["data"]

    @property
    def warnings(self) -> list[str]:
        return [warning["code"] for warning in self.json["warnings"]]

    @property
    def reply(self) -> str:
        """The one code on standard output."""
        return xc.code_text(xc.extract(self.output))

    @property
    def kind(self) -> str:
        return xc.parse(xc.extract(self.output)).__class__.__name__.lower()

    def __str__(self):
        return (f"\n  command  {' '.join(self.command)}\n  exit     {self.code}"
                f"\n  stdout   {self.output[:3000]!r}\n  stderr   {self.talk[:3000]!r}")


class Person:
    """Somebody with the program, a home and one vault."""

    def __init__(self, name: str, folder: str | None = None):
        self.name = name
        self.home = os.path.join(folder or NOW, name)
        self.opens_with: str | None = "recovery"
        """Which secret is given: the recovery code costs no password hashing. None where the keyring opens."""
        self.keyring: kr.Keyring | None = None
        """The bus this person is on, with their keyring; None is a shell without a bus."""
        self.uses_agent = False
        """Whether each call that opens the vault finds an agent that has it open."""

    # Places

    def path(self, *parts: str) -> str:
        return os.path.join(self.home, *parts)

    @property
    def vault(self) -> str:
        return self.path("data", "hsip", "vault.hsipvault")

    @property
    def anchors(self) -> str:
        return self.path("state", "hsip")

    def anchor_files(self) -> list[str]:
        return [os.path.join(self.anchors, name) for name in os.listdir(self.anchors) if name.startswith("anchor-")]

    def secret_file(self, which: str | None = None) -> str:
        return self.path("secrets", which or self.opens_with or "recovery")

    @property
    def is_in_keyring(self) -> bool:
        """The vault of the default name is in the keyring, not in a file."""
        return self.keyring is not None and not os.path.exists(self.vault)

    def start_keyring(self, provider=kr.Keyring, **how) -> kr.Keyring:
        """A bus and a keyring over this person's data; from now on every call of the program is on that bus."""
        self.keyring = provider(self.path("data"), **how)
        self.opens_with = None
        return self.keyring

    @property
    def recovery(self) -> str:
        with open(self.secret_file("recovery"), encoding="utf-8") as file:
            return file.read().strip()

    def make_folders(self):
        for folder in ("", *VARIABLES.values(), "secrets", "files"):
            os.makedirs(self.path(folder), mode=0o700, exist_ok=True)
        self.write("secrets/passphrase", PASSPHRASE + "\n")

    def write(self, name: str, content: str | bytes, mode: int = 0o600) -> str:
        path = self.path(name)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        os.fchmod(descriptor, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    # Calls

    def environment(self, **more: str | None) -> dict[str, str]:
        """Only what the program needs; a variable that is None is left out."""
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.home, "LANG": "C.UTF-8", "TZ": "UTC"}
        if "LD_LIBRARY_PATH" in os.environ:
            environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        for variable, folder in VARIABLES.items():
            environment[variable] = self.path(folder)
        if self.keyring is not None:
            environment |= self.keyring.environment()
        return {name: value for name, value in (environment | more).items() if value is not None}

    def command(self, *words: str, secret: str | None = "", alone: bool = False) -> list[str]:
        """The words with the secret's file; None gives none, as does a keyring that opens.

        Who uses an agent has an open one by then, unless the call is to be `alone`, or shall not open anything.
        """
        none = secret is None or secret == "" and self.opens_with is None
        opening = [] if none else ["--passphrase-file", self.secret_file(secret)]
        if self.uses_agent and not self.has_own_agent and not set(words) & set(AGENTLESS):
            if alone or secret is None:
                opening.append("--no-agent")
            else:
                self.meets_agent()
        return [BINARY, *opening, *words]

    @property
    def has_own_agent(self) -> bool:
        """The test has started one, and is about that."""
        return any(agent.person.home == self.home and not isinstance(agent, ag.Everyday) for agent in ag.Agent.alive)

    def meets_agent(self):
        """Lets an open agent be there, unless the test has its own."""
        if self.has_own_agent:
            return
        agent = ag.everyday(self.home)
        if agent is not None:
            agent.ready()
        elif os.path.exists(self.vault) or self.keyring is not None:
            ag.Everyday(self)

    def leaves_agent(self):
        agent = ag.everyday(self.home)
        if agent is not None:
            agent.leave()

    def run(self, *words: str, given: str | bytes = b"", secret: str | None = "", time: str | None = None,
            before: tuple[str, ...] = (), timeout: float = 400, **environment: str | None) -> Outcome:
        """One call in a session of its own, so that there is no terminal.

        `before` is put before the command; `time` is the clock it lives under, in the words of faketime.
        """
        if time is not None:
            environment = ag.clock(time) | environment
        command = [*LITTLE_MEMORY, *before, *self.command(*words, secret=secret, alone=bool(before) or time is not None)]
        finished = subprocess.run(
            command, input=given.encode("utf-8") if isinstance(given, str) else given, capture_output=True,
            timeout=timeout, env=self.environment(**environment), cwd=self.home, start_new_session=True)
        talk = finished.stderr
        if self.uses_agent and not self.has_own_agent:
            # The everyday agent asks a person, who says yes at once: the one thing that is said only with an agent.
            talk = talk.replace(ag.ASKED, b"")
        outcome = Outcome(command, finished.returncode, finished.stdout, talk)
        self.check_silence(outcome)
        if "--json" in words and finished.returncode >= 0 and not before:
            schemas.check(outcome)
        return outcome

    def start(self, *words: str, secret: str | None = "", **how) -> subprocess.Popen:
        """A call that goes on beside the test; what is named in capitals is a variable of its environment."""
        variables = {name: value for name, value in how.items() if name.isupper()}
        streams = {name: subprocess.PIPE for name in ("stdin", "stdout", "stderr")}
        streams |= {name: value for name, value in how.items() if not name.isupper()}
        return subprocess.Popen([*LITTLE_MEMORY, *self.command(*words, secret=secret)], cwd=self.home,
                                env=self.environment(**variables), start_new_session=True, **streams)

    def check_silence(self, outcome: Outcome):
        """No secret that opens the vault is ever said, whatever was asked."""
        secrets = [PASSPHRASE]
        if os.path.exists(self.secret_file("recovery")):
            secrets.append(self.recovery)
        for secret in secrets:
            if secret.encode() in outcome.data or secret.encode() in outcome.talk_data:
                raise AssertionError(f"a secret was said:{outcome}")

    # The vault, from outside

    def rows(self) -> dict[bytes | str, str]:
        """Every record row, or item, hashed; read from a copy, or by another program, so that nothing is touched."""
        if self.is_in_keyring:
            return ki.rows(self.keyring)
        mark = self._audit_mark()
        with tempfile.TemporaryDirectory(dir=PLACE) as folder:
            for ending in ("", "-wal"):
                if os.path.exists(self.vault + ending):
                    shutil.copyfile(self.vault + ending, os.path.join(folder, "copy" + ending))
            base = sqlite3.connect(os.path.join(folder, "copy"))
            try:
                return {row[0]: hashlib.sha256(b"".join(row)).hexdigest()
                        for row in base.execute("SELECT id, seal, meta, body FROM record") if row[0] != mark}
            finally:
                base.close()

    def _audit_mark(self) -> bytes | None:
        """The row that says how far the log goes: an opening, and an act that was refused, are in the log."""
        try:
            vault = vf.Vault.open(self.vault, recovery=self.recovery, anchor_folder=self.anchors)
        except (OSError, vf.VaultError):
            return None
        try:
            return vault.record_id(*AUDIT_MARK)
        finally:
            vault.close()

    def records(self) -> dict[tuple[str, str], bytes]:
        """Every record opened by the second implementation, which verifies the whole vault as it does so."""
        if self.is_in_keyring:
            return ki.records(self.keyring)
        vault = vf.Vault.open(self.vault, recovery=self.recovery, anchor_folder=self.anchors)
        try:
            vault.verify()
            return {(meta.kind, meta.name): vault.get(meta.kind, meta.name).body for meta in vault.list()}
        finally:
            vault.close()

    def predate_a_restore(self):
        """Marks every record as the restore of a backup does: the floor rises above all of them."""
        vault = vf.Vault.open(self.vault, recovery=self.recovery, anchor_folder=self.anchors)
        try:
            with vf._Change(vault):
                vault.head.floor = vault.head.generation + 1
        finally:
            vault.close()

    def kinds(self) -> collections.Counter:
        """How many records of each kind there are; the clock mark, which comes by itself, left out."""
        return collections.Counter(kind for kind, _ in self.records() if kind != "hsip.clock")

    def keep(self, name: str = "snapshot"):
        """Keeps a copy of everything this person has, the keyring's data included."""
        self.leaves_agent()
        target = os.path.join(PLACE, f"{name}-{self.name}")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.home, target, symlinks=True)

    def put_back(self, name: str = "snapshot"):
        """Everything as it was when it was kept, the anchor included."""
        self.leaves_agent()
        if self.keyring is not None:
            self.keyring.kill()
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(os.path.join(PLACE, f"{name}-{self.name}"), self.home, symlinks=True)
        if self.keyring is not None:
            self.keyring.restart()


class World:
    """Prepared people: made once, copied for each test to the same place (the program records paths).

    Who has a keyring's data gets a bus and a daemon of their own with it.
    """

    def __init__(self, name: str, make):
        self.name, self._make = name, make

    @property
    def _kept(self) -> str:
        return os.path.join(KEPT, self.name)

    def arrive(self) -> list[Person]:
        if not os.path.exists(self._kept):
            clear_now()
            self._make()
            ag.end_all()
            kr.end_all()
            shutil.copytree(NOW, self._kept, symlinks=True)
        clear_now()
        shutil.copytree(self._kept, NOW, symlinks=True, dirs_exist_ok=True)
        people = [Person(name) for name in sorted(os.listdir(NOW))]
        for person in people:
            if os.path.exists(person.path("data", "keyrings")):
                person.start_keyring()
        return people


def clear_now():
    ag.end_all()
    kr.end_all()
    shutil.rmtree(NOW, ignore_errors=True)
    os.makedirs(NOW)


def must(outcome: Outcome) -> Outcome:
    if outcome.code != 0:
        raise AssertionError(f"this should have worked:{outcome}")
    return outcome


def newcomer(name: str) -> Person:
    """A person with a fresh vault."""
    person = Person(name)
    person.make_folders()
    must(person.run("init", "--name", name.capitalize(), "-o", person.secret_file("recovery"), "--no-input",
                    secret="passphrase"))
    return person


def newcomer_in_keyring(name: str, *words: str, **how) -> Person:
    """A person with a fresh vault in a keyring of their own."""
    person = Person(name)
    person.make_folders()
    person.start_keyring(**how)
    must(person.run("init", "--backend", "keyring", "--name", name.capitalize(), "--no-input", *words))
    return person


def pair(first: Person, second: Person, *options: str):
    """The first offers, the second answers; both are saved under their names."""
    offer = must(first.run("pair", *options)).output
    answer = must(second.run("accept", "-y", "--as", first.name, given=offer)).output
    must(first.run("accept", "-y", "--as", second.name, given=answer))


def say(sender: Person, receiver: Person, text: str = "hello") -> str:
    """One message on its way and read; returns it."""
    message = must(sender.run("encrypt", receiver.name, given=text)).output
    outcome = must(receiver.run("decrypt", given=message))
    if outcome.output.rstrip("\n") != text.rstrip("\n"):
        raise AssertionError(f"not what was sent:{outcome}")
    return message


def _alone():
    newcomer("alice")


def _strangers():
    newcomer("alice")
    newcomer("bob")


def _paired():
    STRANGERS.arrive()
    alice, bob = Person("alice"), Person("bob")
    pair(alice, bob)


def _friends():
    PAIRED.arrive()
    alice, bob = Person("alice"), Person("bob")
    say(alice, bob)
    say(bob, alice)


def _at_the_desktop():
    newcomer_in_keyring("alice")


def _desktop_and_file():
    newcomer_in_keyring("alice")
    newcomer("bob")


def _mixed_pair():
    alice, bob = DESKTOP_AND_FILE.arrive()
    pair(alice, bob)


def _mixed_friends():
    alice, bob = MIXED_PAIR.arrive()
    say(alice, bob)
    say(bob, alice)


ALONE = World("alone", _alone)
STRANGERS = World("strangers", _strangers)
PAIRED = World("paired", _paired)
"""Alice offered, Bob answered, nothing was written yet."""
FRIENDS = World("friends", _friends)
"""Paired, and each has read one message."""
AT_THE_DESKTOP = World("desktop", _at_the_desktop)
"""Alice's vault is in GNOME Keyring."""
DESKTOP_AND_FILE = World("desktop-and-file", _desktop_and_file)
"""Alice's vault is in GNOME Keyring, Bob's in a file."""
MIXED_PAIR = World("mixed-pair", _mixed_pair)
MIXED_FRIENDS = World("mixed-friends", _mixed_friends)


@unittest.skipUnless(BINARY, "HSIP_BIN names no program")
class Case(unittest.TestCase):
    """A test with people in it."""

    world: World | None = ALONE
    through_agent = THROUGH_AGENT
    maxDiff = 4000

    def setUp(self):
        self.addCleanup(kr.end_all)
        self.addCleanup(ag.end_all)
        people = self.world.arrive() if self.world else []
        for person in people:
            person.uses_agent = self.through_agent
            setattr(self, person.name, person)

    def ok(self, person: Person, *words: str, **how) -> Outcome:
        outcome = person.run(*words, **how)
        self.assertEqual(outcome.code, 0, f"this should have worked:{outcome}")
        return outcome

    def ends(self, code: int, person: Person, *words: str, **how) -> Outcome:
        """The call ends with this number; anything but 0 explains itself in one error line and one hint."""
        outcome = person.run(*words, **how)
        self.assertEqual(outcome.code, code, f"expected exit {code}:{outcome}")
        if code != 0 and "--json" not in words:
            self.check_talk(outcome)
        return outcome

    def refused(self, name: str, person: Person, *words: str, changes: bool = False, plain: bool = True,
                **how) -> Outcome:
        """The call fails by this name of Schemas/errors.json, for people and for scripts, and changes nothing.

        Returns the JSON outcome. `changes` is for refusals that may note something (a mark, a suspicion).
        """
        self.assertIn(name, ERRORS)
        number = ERRORS[name]["exit"]
        if person.uses_agent and how.get("secret", "") is not None:
            # Opening is noted in the log, and the log in the vault: that was before the refusal.
            person.meets_agent()
        before = person.rows() if not changes else None
        if plain:
            outcome = self.ends(number, person, *words, **how)
            self.assertEqual(outcome.data, b"", f"a failure has no data:{outcome}")
        outcome = person.run(*words, "--json", **how)
        self.assertEqual(outcome.code, number, f"expected {name}:{outcome}")
        self.assertIs(outcome.json["ok"], False, outcome)
        self.assertEqual((outcome.json["error"]["code"], outcome.json["error"]["exit"]), (name, number), outcome)
        if not changes:
            self.assertEqual(person.rows(), before, f"a refusal changed the vault:{outcome}")
        return outcome

    def check_talk(self, outcome: Outcome):
        """One error line, at most one hint at the end, nothing that moves a cursor."""
        lines = outcome.talk.splitlines()
        errors = [line for line in lines if line.startswith("hsip: error: ")]
        self.assertEqual(len(errors), 1, f"exactly one error line:{outcome}")
        behind = [line for line in lines[lines.index(errors[0]) + 1:] if line.startswith("hsip: ")]
        self.assertLessEqual(len(behind), 1, f"at most one hint:{outcome}")
        for line in behind:
            self.assertTrue(line.startswith("hsip: hint: "), outcome)
        said = errors[0].removeprefix("hsip: error: ")
        self.assertFalse(said.endswith("."), f"no full stop:{outcome}")
        for character in outcome.talk:
            self.assertTrue(character == "\n" or ord(character) >= 32, f"a control character:{outcome}")

    def number_of(self, name: str) -> int:
        return ERRORS[name]["exit"]

    def is_friendly(self, first: Person, second: Person):
        """The two can write to each other, both ways."""
        say(first, second, "there")
        say(second, first, "and back")

    def session(self, person: Person, contact: str) -> dict:
        return self.ok(person, "session", "show", contact, "--json").result

    def contact(self, person: Person, name: str) -> dict:
        return self.ok(person, "contact", "show", name, "--json").result


class PeerCase(Case):
    """Alice has the program; the other side is the second implementation, which can also misbehave."""

    def setUp(self):
        super().setUp()
        self.peer = xc.Peer(name="Quentin")

    def pair_with_peer(self, by_peer: bool = True, **offer):
        """Whose offer it was; both are confirmed afterwards."""
        if by_peer:
            answer = self.ok(self.alice, "accept", "-y", "--as", "quentin", given=self.peer.make_offer(**offer))
            self.peer.take_answer(answer.reply, save_as="alice")
        else:
            answer = self.peer.take_offer(self.ok(self.alice, "pair").reply, save_as="alice")
            self.ok(self.alice, "accept", "-y", "--as", "quentin", given=answer)
        self.talks()

    def talks(self):
        """A message each way."""
        outcome = self.ok(self.alice, "decrypt", given=self.peer.seal("alice", "there"))
        self.assertEqual(outcome.output.strip(), "there", outcome)
        message = self.ok(self.alice, "encrypt", "quentin", given="and back").output
        self.assertEqual(self.peer.open(message)[1], "and back")
