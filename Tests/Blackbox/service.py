"""The vault as the Secret Service of a session: a private bus, an agent, and hsip-secrets between them."""

import os
import select
import shutil
import socket
import subprocess

import agents as ag
import keyring as kr

OWN_NAME = "hsip-secrets"


def program() -> str | None:
    """The front that lies beside HSIP_BIN."""
    binary = os.environ.get("HSIP_BIN")
    path = os.path.join(os.path.dirname(os.path.abspath(binary)), OWN_NAME) if binary else None
    return path if path and os.access(path, os.X_OK) else None


def missing() -> str | None:
    """What is not installed here, or None."""
    for name in ("dbus-daemon", "secret-tool", "setpriv"):
        if shutil.which(name) is None:
            return f"{name} is not installed"
    return None if program() and ag.program() else "there is no hsip-secrets beside the program"


def plain(text: str) -> str:
    """A text without the marks that keep a foreign name from changing its direction."""
    return "".join(mark for mark in text if mark not in "\u2066\u2067\u2068\u2069")


class Front:
    """hsip-secrets of a person's vault, on a bus of its own."""

    def __init__(self, person, agent, path: str | None = None):
        self.person, self.agent, self.bus = person, agent, kr.Bus()
        self.path = path or program()
        self.process: subprocess.Popen | None = None
        self.start()

    def start(self):
        """Starts it and waits until it serves."""
        folder = self.agent.askpass.folder
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as told, \
                open(os.path.join(folder, "front.log"), "ab") as log:
            place = os.path.join(folder, "front-notify")
            if os.path.exists(place):
                os.unlink(place)
            told.bind(place)
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", self.path], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=self.person.home, start_new_session=True,
                env=self.person.environment(**(self.bus.environment() | {"NOTIFY_SOCKET": place})))
            life = os.pidfd_open(self.process.pid)
            try:
                poll = select.poll()
                poll.register(told, select.POLLIN)
                poll.register(life, select.POLLIN)
                found = poll.poll(ag.DEADLINE * 1000)
                if not any(which == told.fileno() for which, _ in found):
                    raise AssertionError(f"hsip-secrets did not start: {self.log}")
            finally:
                os.close(life)

    @property
    def log(self) -> str:
        with open(os.path.join(self.agent.askpass.folder, "front.log"), encoding="utf-8", errors="replace") as file:
            return file.read()[-4000:]

    def strike(self, call: str, number: int) -> subprocess.Popen:
        """From now on it dies by kill -9 at its Nth system call of this kind, in any thread. Ends with it, or `spare`."""
        pid = self.process.pid
        with open(os.path.join(self.agent.askpass.folder, "front.log"), "ab") as log:
            tracer = subprocess.Popen(
                ["strace", "-f", "-qq", "-o", "/dev/null", "-p", str(pid), "-e", f"trace={call}",
                 "-e", f"inject={call}:signal=KILL:when={number}"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)

        def is_traced() -> bool:
            # It may be struck before all of its threads are seen.
            if self.process.poll() is not None:
                return True
            try:
                for thread in os.listdir(f"/proc/{pid}/task"):
                    with open(f"/proc/{pid}/task/{thread}/status", encoding="utf-8") as file:
                        if "TracerPid:\t0\n" in file.read():
                            return False
            except (FileNotFoundError, ProcessLookupError):
                # A thread ended meanwhile.
                return False
            return True
        self.bus.wait_for(is_traced, "the tracer", ag.DEADLINE)
        return tracer

    def spare(self, tracer: subprocess.Popen) -> bool:
        """Takes the tracer away. Whether the front still lives."""
        if self.process.poll() is None:
            tracer.terminate()
        try:
            tracer.wait(2)
        except subprocess.TimeoutExpired:
            # strace may wait for ever for the threads of somebody it has killed.
            tracer.kill()
            tracer.wait()
        return self.process.poll() is None

    def client(self, *words: str, given: str = "") -> subprocess.Popen:
        """A program on the bus, which may wait for a question."""
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            cwd=self.person.home, start_new_session=True, env=self.person.environment(**self.bus.environment()))
        process.stdin.write(given)
        process.stdin.close()
        process.stdin = None
        return process

    def run(self, *words: str, given: str = "") -> tuple[int, str, str]:
        """A program on the bus, to its end: how it ended, and what it wrote."""
        process = self.client(*words, given=given)
        output, errors = process.communicate(timeout=ag.DEADLINE)
        return process.returncode, output, errors

    def tool(self, *words: str, given: str = "") -> tuple[int, str, str]:
        """secret-tool, from a shell that runs commands: no script started it."""
        return self.run("/bin/sh", "-c", '"$@"; exit $?', "sh", "secret-tool", *words, given=given)

    def end(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.bus.end()
