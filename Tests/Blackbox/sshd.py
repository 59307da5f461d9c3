"""A real sshd for the tests: the one of this machine, with the host keys and the users' keys that it is given.

Each connection gets an sshd of its own (`sshd -i`), started here when somebody connects: so the port is free when it is
chosen and stays ours, nothing has to be waited for, and another host key takes effect with the next connection.
"""

import atexit
import functools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

import ssh_keys as sk

SSHD = "/usr/sbin/sshd"
RUN = "/run/sshd"


@functools.cache
def missing() -> str | None:
    """Why there can be no sshd here; None if there can."""
    for path in (SSHD, "/usr/bin/ssh", "/usr/bin/ssh-keygen"):
        if not os.access(path, os.X_OK):
            return f"{path} is not installed"
    return None


@functools.cache
def ipv6() -> bool:
    """Whether ::1 answers."""
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


@functools.cache
def ssh_version() -> tuple[int, int]:
    """Of the ssh of this machine: (9, 2)."""
    said = subprocess.run(["ssh", "-V"], capture_output=True, text=True).stderr
    number = said.removeprefix("OpenSSH_").split("p")[0].split(",")[0]
    major, minor = number.split(".")[:2]
    return int(major), int(minor)


@functools.cache
def ordinary() -> pwd.struct_passwd | None:
    """Somebody who is not root and may log in; anyone who runs the tests, if that is not root."""
    if os.getuid() != 0:
        return pwd.getpwuid(os.getuid())
    for person in pwd.getpwall():
        if 1000 <= person.pw_uid < 60000 and person.pw_shell.endswith("sh") and shutil.which("setpriv"):
            return person
    return None


@functools.cache
def _frame() -> tuple[str, ...]:
    """What has to stand before sshd: as root it wants a folder in /run, which it gets in a mount of its own."""
    if os.getuid() != 0 or os.path.isdir(RUN):
        return ()
    script = f'mount -t tmpfs tmpfs /run && mkdir -m 755 {RUN} && exec "$@"'
    frame = ("unshare", "-m", "sh", "-c", script, "sh")
    if subprocess.run([*frame, "true"], capture_output=True).returncode == 0:
        return frame
    # No mounts in this container: then the folder itself, as the service would make it.
    os.mkdir(RUN, 0o755)
    atexit.register(lambda: os.path.isdir(RUN) and os.rmdir(RUN))
    return ()


class Server:
    """A host with keys. Ends with the test.

    `keys` are paths of private host keys; without any it makes one of Ed25519. `certificates` are paths of host
    certificates, `authorized` lines of authorized_keys. `address` None opens no port: connect with `proxy`. With
    `as_ordinary_user` it runs as, and lets in, somebody who is not root.
    """

    def __init__(self, case, *, keys: list[str] | None = None, certificates: tuple[str, ...] = (),
                 authorized: tuple[str, ...] = (), address: str | None = "127.0.0.1", settings: tuple[str, ...] = (),
                 as_ordinary_user: bool = False):
        self.person = ordinary() if as_ordinary_user else pwd.getpwuid(os.getuid())
        self.folder = tempfile.mkdtemp(prefix="hsip-sshd-")
        case.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self._children: list[subprocess.Popen] = []
        self._lock = threading.Lock()
        self._listener: socket.socket | None = None
        self.settings = settings
        self.authorize(*authorized)
        self.offer(*(keys or [sk.make(self.path("ed25519"))]), certificates=certificates)
        self.forget()
        self._write("serve", f'#!/bin/sh\nexec {" ".join(map(_quoted, self._command()))} 2>>{self.path("log")}\n', 0o755)
        case.addCleanup(self.end)
        self.address = address
        if address is not None:
            self._listen(address)

    # What it is

    @property
    def user(self) -> str:
        """The name to log in with."""
        return self.person.pw_name

    @property
    def name(self) -> str:
        """The name that ssh looks up: `[127.0.0.1]:40123`."""
        return f"[{self.address}]:{self.port}"

    @property
    def proxy(self) -> str:
        """A ProxyCommand that leads here without any port."""
        return self.path("serve")

    def path(self, *parts: str) -> str:
        return os.path.join(self.folder, *parts)

    def public(self, index: int = 0) -> str:
        """Type and base64 of a host key."""
        return sk.public_of(self.keys[index])

    def fingerprint(self, index: int = 0) -> str:
        return sk.fingerprint(self.keys[index])

    # What it does from the next connection on

    def offer(self, *keys: str, certificates: tuple[str, ...] = ()):
        """Has these host keys from now on."""
        self.keys = []
        for number, key in enumerate(keys):
            # Copies, since anyone who sshd runs as has to own them.
            self.keys.append(self._copy(key, f"host-{number}-{os.path.basename(key)}"))
        lines = [f"HostKey {key}" for key in self.keys]
        for number, path in enumerate(certificates):
            lines.append("HostCertificate " + self._copy(path, f"certificate-{number}.pub"))
        lines += ["PidFile none", "UsePAM no", "StrictModes no", "PermitRootLogin yes", "PrintMotd no", "PermitUserRC no",
                  "PasswordAuthentication no", "KbdInteractiveAuthentication no", "LogLevel DEBUG1",
                  f"AuthorizedKeysFile {self.path('authorized_keys')}", *self.settings]
        self._write("sshd_config", "\n".join(lines) + "\n")

    def authorize(self, *lines: str):
        """Lets in anyone who has one of these keys, and nobody else."""
        self._write("authorized_keys", "".join(line.rstrip("\n") + "\n" for line in lines))

    # What it saw

    @property
    def log(self) -> str:
        with open(self.path("log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    @property
    def logins(self) -> int:
        """How often somebody tried to log in: not one byte about a user came before that."""
        return self.log.count("userauth-request for user")

    @property
    def connections(self) -> int:
        """How many connections there were."""
        return self.log.count("Connection from ") or len(self._children)

    def forget(self):
        """Begins the log anew."""
        self._write("log", "")

    # Its life

    def end(self):
        """Nobody is served any more; anyone who was is cut off."""
        if self._listener is not None:
            # Closing alone would leave a thread that waits for the next connection with it.
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._thread.join()
            self._listener = None
        with self._lock:
            children, self._children = self._children, []
        for child in children:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()

    def _command(self) -> list[str]:
        if self.person.pw_uid != os.getuid():
            return ["setpriv", f"--reuid={self.person.pw_uid}", f"--regid={self.person.pw_gid}", "--clear-groups",
                    SSHD, "-i", "-e", "-f", self.path("sshd_config")]
        return [*_frame(), SSHD, "-i", "-e", "-f", self.path("sshd_config")]

    def _listen(self, address: str):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self._listener = socket.socket(family)
        self._listener.bind((address, 0))
        self._listener.listen()
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, args=(self._listener,), daemon=True)
        self._thread.start()

    def _serve(self, listener: socket.socket):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, open(self.path("log"), "ab") as log:
                child = subprocess.Popen(self._command(), stdin=connection, stdout=connection, stderr=log,
                                         start_new_session=True, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
            with self._lock:
                self._children.append(child)

    def _copy(self, source: str, name: str) -> str:
        with open(source, "rb") as file:
            return self._write(name, file.read())

    def _write(self, name: str, content: str | bytes, mode: int = 0o600) -> str:
        path = self.path(name)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(content.encode() if isinstance(content, str) else content)
        for place in (self.folder, path):
            os.chown(place, self.person.pw_uid, self.person.pw_gid)
        return path


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
