"""Agents of one's own: hsip-agent for a person, and OpenSSH's ssh-agent to stand beside it.

Each has sockets below the person's own folders, an environment made from nothing, and ends with the test. An agent that
says that it is ready is waited for, never a time. What was started in the background by the program itself is found, too:
this process takes in anyone who loses a parent, so nobody gets away.
"""

import atexit
import ctypes
import glob
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile

import control_wire as cw

DEADLINE = 60.0
"""A safety net in seconds, far above what anything takes; nothing is measured by it."""
OWN_NAME = "hsip-agent"


def program() -> str | None:
    """The agent that lies beside HSIP_BIN."""
    binary = os.environ.get("HSIP_BIN")
    path = os.path.join(os.path.dirname(os.path.abspath(binary)), OWN_NAME) if binary else None
    return path if path and os.access(path, os.X_OK) else None


def missing(own: bool = True) -> str | None:
    """What is not installed here, or None; `own` when our agent is needed."""
    for name in ("ssh-agent", "ssh-add", "ssh-keygen", "setpriv"):
        if shutil.which(name) is None:
            return f"{name} is not installed"
    return None if not own or program() else "there is no hsip-agent beside the program"


FAKETIME = next(iter(glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")), None)
"""The library that gives a process another clock; None where it is not installed."""


def clock(time: str | None, **more: str) -> dict[str, str]:
    """The environment that gives a process another clock, in the words of faketime(1).

    The program faketime is not used: a test would start and kill that one. It also names a semaphore after its process
    and ends where a process that was killed left one of the same name; the library makes another.
    """
    return ({"LD_PRELOAD": FAKETIME, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_NO_CACHE": "1"}
            | ({"FAKETIME": time} if time else {}) | more)


def wait_for(descriptor: int, said: str, events: int = select.POLLIN) -> int:
    """Until this descriptor has something; which events it was."""
    poll = select.poll()
    poll.register(descriptor, events)
    found = poll.poll(DEADLINE * 1000)
    if not found:
        raise AssertionError(f"{said}: not within {DEADLINE:.0f} s")
    return found[0][1]


PINENTRY = """#!/usr/bin/python3 -IS
# Speaks Assuan as a pinentry does, and lets the test be the person.
import os
import sys
from urllib.parse import unquote

def person(kind):
    if os.path.exists(FOLDER + "/always"):
        return "always" if "Type always" in text else "yes"
    with open(FOLDER + "/asked", "w") as asked:
        asked.write(kind + ": " + text.replace("\\n", " ") + "\\n")
    # No byte beyond the line: the next one is for the next question.
    answer = b""
    with open(FOLDER + "/answers", "rb", buffering=0) as answers:
        while (byte := answers.read(1)) != b"\\n":
            if not byte:
                sys.exit("The test has ended; nobody answers.")
            answer += byte
    return answer.decode()

def say(line):
    sys.stdout.write(line + "\\n")
    sys.stdout.flush()

text = prompt = ""
say("OK Pleased to meet you")
for line in iter(sys.stdin.readline, ""):
    word, _, rest = line.rstrip("\\n").partition(" ")
    if word == "SETDESC":
        text = unquote(rest)
        say("OK")
    elif word == "SETPROMPT":
        prompt = rest
        say("OK")
    elif word == "GETPIN":
        pin = person("confirm" if prompt == "Answer:" else "passphrase")
        if pin == "no":
            say("ERR 83886179 Operation cancelled <Pinentry>")
        else:
            say("D " + pin)
            say("OK")
    elif word == "CONFIRM":
        # Which button Enter means is the pinentry's choice: no question may depend on it.
        say("ERR 83886194 Not confirmed <Pinentry>")
    elif word == "BYE":
        say("OK")
        break
    else:
        say("OK")
"""


class Askpass:
    """Programs that ask a person: they tell the test what is asked, and say what the test tells them to.

    One for SSH_ASKPASS, and a pinentry. Nobody answers until the test does: `says` may come before the question or after
    it.
    """

    def __init__(self, folder: str | None):
        self.folder = tempfile.mkdtemp(prefix="askpass-", dir=folder)
        self._ends = {}
        for name in ("asked", "answers"):
            path = os.path.join(self.folder, name)
            os.mkfifo(path, 0o600)
            # Open on both sides, so that neither the test nor the program ever waits for the other to come.
            self._ends[name] = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self.path = os.path.join(self.folder, "askpass")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(f"""#!/bin/sh
[ ! -e {self.folder}/always ] || exec echo yes
printf '%s: %s\\n' "${{SSH_ASKPASS_PROMPT:-passphrase}}" "$(printf %s "$*" | tr '\\n' ' ')" >{self.folder}/asked
read -r answer <{self.folder}/answers
case $answer in no) exit 1 ;; *) printf '%s\\n' "$answer" ;; esac
""")
        os.chmod(self.path, 0o700)
        self.programs = os.path.join(self.folder, "bin")
        os.mkdir(self.programs, 0o700)
        pinentry = os.path.join(self.programs, "pinentry")
        with open(pinentry, "w", encoding="utf-8") as file:
            file.write(PINENTRY.replace("FOLDER", repr(self.folder)))
        os.chmod(pinentry, 0o700)
        self._rest = b""

    def environment(self) -> dict[str, str]:
        """What makes a program ask here."""
        return {"SSH_ASKPASS": self.path, "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": ":hsip-tests",
                "PATH": f"{self.programs}:/usr/bin:/bin"}

    def says(self, answer: str):
        """The next answer: yes, a word for a yes that holds longer, no, or a passphrase."""
        os.write(self._ends["answers"], answer.encode() + b"\n")

    def says_always_yes(self):
        """From now on nobody waits for an answer, and the test hears of no question: a window hears the widest yes."""
        with open(os.path.join(self.folder, "always"), "w", encoding="ascii"):
            pass

    def asked(self) -> str:
        """The next question, waited for: `confirm: …` or `passphrase: …`."""
        while b"\n" not in self._rest:
            wait_for(self._ends["asked"], "a question")
            self._rest += os.read(self._ends["asked"], 65536)
        line, self._rest = self._rest.split(b"\n", 1)
        return line.decode("utf-8", "replace")

    def was_asked(self) -> bool:
        """Whether there is a question that nobody has read yet."""
        poll = select.poll()
        poll.register(self._ends["asked"], select.POLLIN)
        return bool(self._rest or poll.poll(0))

    def takes_back(self):
        """An answer that nobody asked for."""
        os.read(self._ends["answers"], 65536)

    def end(self):
        for descriptor in self._ends.values():
            os.close(descriptor)
        self._ends = {}
        shutil.rmtree(self.folder, ignore_errors=True)


class Agent:
    """A process with an ssh socket, and anyone who it asks."""

    alive: list["Agent"] = []

    def __init__(self, person, folder: str | None = "files"):
        self.person = person
        self.askpass = Askpass(folder and person.path(folder))
        self.process: subprocess.Popen | None = None
        self.log_path = os.path.join(self.askpass.folder, "log")
        Agent.alive.append(self)

    @property
    def socket(self) -> str:
        raise NotImplementedError

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def log(self) -> str:
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return file.read()[-4000:]

    def environment(self) -> dict[str, str]:
        """What leads ssh to this agent."""
        return {"SSH_AUTH_SOCK": self.socket}

    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def wait(self) -> int:
        """Until it has ended by itself; how."""
        return self.process.wait(DEADLINE)

    def kill(self):
        """kill -9."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def end(self):
        """Nothing is left of it. May be called twice."""
        self.kill()
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None
        self.askpass.end()
        if self in Agent.alive:
            Agent.alive.remove(self)

    # Tools that use it

    def tool(self, *words: str, given: bytes = b"", **environment: str | None) -> subprocess.CompletedProcess:
        """A program that talks to the agent, without a terminal."""
        return subprocess.run(words, input=given, capture_output=True, cwd=self.person.home, timeout=100,
                              start_new_session=True, env=self.person.environment(**(self.environment() | environment)))

    def add(self, *words: str, **how) -> subprocess.CompletedProcess:
        """ssh-add."""
        return self.tool("ssh-add", *words, **how)

    def keys(self) -> list[str]:
        """Type and base64 of what it offers, in its order."""
        done = self.add("-L")
        return [" ".join(line.split()[:2]) for line in done.stdout.decode().splitlines()] if done.returncode == 0 else []


class OpenSSH(Agent):
    """The agent that comes with ssh."""

    def __init__(self, person, **environment: str):
        super().__init__(person)
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "ssh-agent", "-D", "-a", self.socket], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=log, cwd=person.home, start_new_session=True,
                env=person.environment(**(self.askpass.environment() | environment)))
        # It says where it listens once it does.
        wait_for(self.process.stdout.fileno(), "ssh-agent")
        if not self.process.stdout.readline():
            raise AssertionError(f"ssh-agent did not start: {self.log}")

    @property
    def socket(self) -> str:
        return os.path.join(self.askpass.folder, "ssh.sock")


class Hsip(Agent):
    """The agent of a person's vault. Locked until `unlock`, unless `secret` is None.

    `before` is put before the command, `words` behind it.
    """

    place = "files"

    def __init__(self, person, *words: str, before: tuple[str, ...] = (), secret: str | None = "recovery",
                 starts: bool = True, **environment: str | None):
        super().__init__(person, self.place)
        if not isinstance(self, Everyday):
            # A test that has an agent of its own is about that one.
            person.leaves_agent()
        self.words, self.before, self.more = words, before, environment
        self.start(starts=starts)
        if starts and secret is not None:
            self.unlock(secret)

    def start(self, starts: bool = True):
        """Starts it and waits until it says that it is ready; with `starts` false until it has ended."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as told, \
                open(self.log_path, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as log:
            place = os.path.join(self.askpass.folder, "notify")
            if os.path.exists(place):
                os.unlink(place)
            told.bind(place)
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *self.before, program(), *self.words],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.person.home, start_new_session=True,
                env=self.person.environment(**({"NOTIFY_SOCKET": place} | self.askpass.environment() | self.more)))
            if not starts:
                return
            life = os.pidfd_open(self.process.pid)
            try:
                poll = select.poll()
                poll.register(told, select.POLLIN)
                poll.register(life, select.POLLIN)
                ready = b""
                while b"READY=1" not in ready:
                    found = poll.poll(DEADLINE * 1000)
                    if not any(which == told.fileno() for which, _ in found):
                        raise AssertionError(f"hsip-agent did not start ({found}): {self.log}")
                    ready = told.recv(65536)
            finally:
                os.close(life)

    @property
    def folder(self) -> str:
        return self.person.path("run", "hsip")

    @property
    def socket(self) -> str:
        return os.path.join(self.folder, "ssh.sock")

    @property
    def control(self) -> str:
        return os.path.join(self.folder, "control.sock")

    def unlock(self, secret: str = "recovery", *words: str, **how):
        return self._must("unlock", *words, secret=secret, **how)

    def lock(self):
        return self._must("lock", secret=None)

    def agreed(self, *words: str, **how):
        """A call that the person is asked about once, and says yes to."""
        self.askpass.says("yes")
        outcome = self.person.run(*words, **how)
        if outcome.code != 0:
            raise AssertionError(f"this should have worked:{outcome}\n{self.log}")
        self.askpass.asked()
        return outcome

    def stop(self):
        """As a person does it; until it is gone."""
        self._must("agent", "stop", secret=None)
        self.wait()

    def status(self) -> dict:
        """How it stands, as it says itself; asking is no use that would put the lock off."""
        with cw.Connection(self.control) as connection:
            return connection.status()

    def _must(self, *words: str, **how):
        outcome = self.person.run(*words, "--no-input", **how)
        if outcome.code != 0:
            raise AssertionError(f"this should have worked:{outcome}\n{self.log}")
        return outcome


# What a command says while the everyday agent asks.
ASKED = b"hsip: note: waiting for an answer in a window on :hsip-tests\n"


class Everyday(Hsip):
    """The agent of somebody who always has one: started and opened before the first call that needs it, whatever the
    test is about. To every question it hears a yes."""

    # Not in the person's home, where tests look for what the program left.
    place = None

    def __init__(self, person):
        super().__init__(person, secret=None)
        self.askpass.says_always_yes()
        self.ready()

    def start(self, starts: bool = True):
        try:
            super().start(starts)
        except AssertionError:
            # No agent serves such a vault: what is wrong with it, the call that comes next says.
            self.kill()

    def ready(self):
        """Open again if it locked itself, or ended, because the vault was moved, replaced or damaged. A vault that does
        not open stays locked: the call that comes next says why."""
        if not self.is_alive():
            self.start()
        if self.is_alive() and self.status()["isLocked"]:
            self.person.run("unlock", "--no-input")

    def leave(self):
        """Ends in good order, and takes its sockets away."""
        if self.is_alive():
            self.process.terminate()
            self.wait()
        self.end()


def everyday(home: str) -> Everyday | None:
    """The everyday agent that runs in this home."""
    return next((agent for agent in Agent.alive if isinstance(agent, Everyday) and agent.person.home == home), None)


def strays() -> list[int]:
    """Agents that the program started in the background: their parent is gone, so we are it."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    text = file.read()
            except OSError:
                continue
            command, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
            if command == OWN_NAME and rest[0] != "Z" and int(rest[1]) == os.getpid():
                found.append(int(name))
    return found


def end_all():
    """Ends every agent that was started here, by whomever."""
    for agent in list(Agent.alive):
        agent.end()
    for pid in strays():
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass


def _take_in():
    """From now on anyone who loses a parent below us is ours (PR_SET_CHILD_SUBREAPER, prctl(2))."""
    ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)


def _at_exit(owner=os.getpid()):
    if os.getpid() == owner:
        end_all()


_take_in()
atexit.register(_at_exit)
