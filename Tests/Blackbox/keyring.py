"""A desktop's keyring of one's own: a session bus that nobody else is on, and GNOME Keyring as its Secret Service.

Nothing here touches the bus or the keyring of anyone who runs the tests. The keyring's data lies where the person's other
data lies (`XDG_DATA_HOME/keyrings`), so it travels when the person is copied; bus and daemon are started anew, which
takes some twenty milliseconds. Sockets lie in a folder of their own, because sockets cannot be copied.
"""

import atexit
import dataclasses
import os
import shutil
import signal
import subprocess
import tempfile
import time

PASSWORD = "the password of a login"
SERVICE, ROOT = "org.freedesktop.secrets", "/org/freedesktop/secrets"
DEFAULT, LOGIN = ROOT + "/aliases/default", ROOT + "/collection/login"
SCHEMAS = "io.hsip.vault."
CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  {services}
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
  <!-- As the bus of a session has them: built in are those of the system's, which keep large messages out. -->
  <limit name="max_incoming_bytes">1000000000</limit>
  <limit name="max_outgoing_bytes">1000000000</limit>
  <limit name="max_message_size">1000000000</limit>
  <limit name="max_incoming_unix_fds">250000000</limit>
  <limit name="max_outgoing_unix_fds">250000000</limit>
  <limit name="max_message_unix_fds">4096</limit>
</busconfig>
"""

try:
    from gi.repository import Gio, GLib
except ImportError:
    Gio = GLib = None


def missing() -> str | None:
    """What is not installed here, or None."""
    for program in ("dbus-daemon", "gnome-keyring-daemon", "secret-tool", "setpriv"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    return "python3-gi is not installed" if Gio is None else None


def daemon() -> str:
    """GNOME Keyring's program; a copy of it where it may not run as it is installed.

    Debian gives the file a capability to lock memory, and a container that withholds it lets nobody start the file. A
    copy has no capability.
    """
    if not _daemon:
        path = shutil.which("gnome-keyring-daemon")
        try:
            subprocess.run([path, "--version"], capture_output=True)
        except PermissionError:
            folder = tempfile.mkdtemp(prefix="hsip-daemon-")
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            path = shutil.copy(path, folder)
        _daemon.append(path)
    return _daemon[0]


_daemon: list[str] = []


@dataclasses.dataclass
class Item:
    """One item as any program on the bus sees it."""

    path: str
    label: str
    attributes: dict[str, str]
    secret: bytes

    @property
    def schema(self) -> str:
        return self.attributes.get("xdg:schema", "")

    @property
    def record(self) -> tuple[str, str]:
        return self.attributes["kind"], self.attributes["name"]


class Bus:
    """A session bus. With `services`, a folder of .service files, it starts programs that are asked for."""

    alive: list["Bus"] = []

    def __init__(self, services: str | None = None):
        self.folder = tempfile.mkdtemp(prefix="hsip-bus-")
        self.socket = os.path.join(self.folder, "bus")
        self.config = os.path.join(self.folder, "bus.conf")
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(CONFIG.format(socket=self.socket,
                                     services=f"<servicedir>{services}</servicedir>" if services else ""))
        self._connection = None
        self._bus: subprocess.Popen | None = None
        self._log = open(os.path.join(self.folder, "log"), "wb")
        Bus.alive.append(self)
        self.start_bus()

    @property
    def address(self) -> str:
        return "unix:path=" + self.socket

    def environment(self) -> dict[str, str]:
        """What a program of this person needs to find the bus."""
        return {"DBUS_SESSION_BUS_ADDRESS": self.address}

    def own_environment(self) -> dict[str, str]:
        """What runs beside the bus has a home of its own, without a display."""
        return {"PATH": "/usr/bin:/bin", "HOME": self.folder, "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": self.folder,
                "XDG_CONFIG_HOME": self.folder, "XDG_CACHE_HOME": self.folder, "XDG_DATA_HOME": self.folder,
                **self.environment()}

    def start_bus(self):
        """Ends with anyone who started it, however that ends."""
        self._bus = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "dbus-daemon", f"--config-file={self.config}", "--nofork",
             "--nopidfile", "--print-address=1"], env=self.own_environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self._log)
        if not self._bus.stdout.readline():
            raise AssertionError(f"the bus did not start: {self.log()}")

    def kill_bus(self):
        """Everybody on it is cut off at once."""
        if self._bus is not None:
            self._bus.kill()
            self._bus.wait()
            self._bus.stdout.close()
        self._bus = self._connection = None
        if os.path.exists(self.socket):
            os.unlink(self.socket)

    def log(self) -> str:
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as file:
            return file.read()[-3000:]

    def end(self):
        """Nothing is left: no process, no file. May be called twice."""
        self.kill_bus()
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        if self in Bus.alive:
            Bus.alive.remove(self)

    # Calls

    @property
    def connection(self):
        if self._connection is None or self._connection.is_closed():
            self._connection = Gio.DBusConnection.new_for_address_sync(
                self.address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
                | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        return self._connection

    def call(self, path: str, interface: str, method: str, types: str = "()", *arguments, to: str = SERVICE):
        """One call, its answer as plain values."""
        answer = self.connection.call_sync(to, path, interface, method, GLib.Variant(types, arguments), None,
                                           Gio.DBusCallFlags.NO_AUTO_START, 20_000, None)
        return answer.unpack()

    def owner(self, name: str = SERVICE) -> bool:
        """Somebody has this name."""
        return self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner", "(s)", name,
                         to="org.freedesktop.DBus")[0]

    def wait_for(self, what, said: str, seconds: float = 20):
        """Asks again and again until it is so."""
        end = time.monotonic() + seconds
        while True:
            try:
                if what():
                    return
            except GLib.Error:
                pass
            if time.monotonic() > end:
                raise AssertionError(f"{said}: not within {seconds} s: {self.log()}")
            time.sleep(0.002)


class SecretService(Bus):
    """The Secret Service on a bus, asked directly: the independent reader and writer."""

    def __init__(self, services: str | None = None):
        self._session = None
        super().__init__(services)

    def service(self, method: str, types: str = "()", *arguments):
        return self.call(ROOT, "org.freedesktop.Secret.Service", method, types, *arguments)

    def ask(self, path: str, interface: str, name: str):
        return self.call(path, "org.freedesktop.DBus.Properties", "Get", "(ss)",
                         "org.freedesktop.Secret." + interface, name)[0]

    @property
    def session(self) -> str:
        """Secrets pass in the clear: nobody else is on this bus."""
        if self._session is None:
            self._session = self.service("OpenSession", "(sv)", "plain", GLib.Variant("s", ""))[1]
        return self._session

    def _secret(self, value: bytes):
        return (self.session, b"", value, "text/plain")

    def items(self, attributes: dict[str, str] | None = None, secrets: bool = True) -> list[Item]:
        """All items with these attributes in unlocked collections, secrets included."""
        paths = self.service("SearchItems", "(a{ss})", attributes or {})[0]
        values = self.service("GetSecrets", "(aoo)", paths, self.session)[0] if secrets and paths else {}
        found = []
        for path in paths:
            every = self.call(path, "org.freedesktop.DBus.Properties", "GetAll", "(s)",
                              "org.freedesktop.Secret.Item")[0]
            found.append(Item(path, every["Label"], every["Attributes"],
                              bytes(values[path][2]) if path in values else b""))
        return found

    def vault_items(self) -> list[Item]:
        """Every item of the program, of whatever schema."""
        return [item for schema in ("Header", "RootKey", "Page", "Secret", "Record", "Redo", "Slot", "Anchor")
                for item in self.items({"xdg:schema": SCHEMAS + schema})]

    def add(self, label: str, attributes: dict[str, str], secret: bytes, collection: str = DEFAULT,
            replace: bool = False) -> str:
        properties = {"org.freedesktop.Secret.Item.Label": GLib.Variant("s", label),
                      "org.freedesktop.Secret.Item.Attributes": GLib.Variant("a{ss}", attributes)}
        path, prompt = self.call(collection, "org.freedesktop.Secret.Collection", "CreateItem", "(a{sv}(oayays)b)",
                                 properties, self._secret(secret), replace)
        return path if prompt == "/" else self._prompt(prompt)

    def set_secret(self, path: str, secret: bytes):
        self.call(path, "org.freedesktop.Secret.Item", "SetSecret", "((oayays))", self._secret(secret))

    def remove(self, path: str):
        prompt, = self.call(path, "org.freedesktop.Secret.Item", "Delete")
        if prompt != "/":
            self._prompt(prompt)

    def _prompt(self, path: str, seconds: int = 20):
        """Goes through a prompt, which may also ask nobody anything; its result."""
        context, ends = GLib.MainContext(), []
        context.push_thread_default()
        try:
            watch = self.connection.signal_subscribe(
                SERVICE, "org.freedesktop.Secret.Prompt", "Completed", path, None, Gio.DBusSignalFlags.NONE,
                lambda *signal: ends.append(signal[5].unpack()))
            late = GLib.timeout_source_new_seconds(seconds)
            late.set_callback(lambda *_: ends.append((True, None)))
            late.attach(context)
            self.call(path, "org.freedesktop.Secret.Prompt", "Prompt", "(s)", "")
            while not ends:
                context.iteration(True)
            self.connection.signal_unsubscribe(watch)
            late.destroy()
        finally:
            context.pop_thread_default()
        dismissed, result = ends[0]
        if dismissed:
            raise AssertionError("the prompt was dismissed")
        return result

    def is_locked(self, collection: str = LOGIN) -> bool:
        return self.ask(collection, "Collection", "Locked")

    def lock(self, collection: str = LOGIN):
        _, prompt = self.service("Lock", "(ao)", [collection])
        if prompt != "/":
            self._prompt(prompt)
        if not self.is_locked(collection):
            raise AssertionError("the collection does not lock")

    def secret_tool(self, *words: str, given: str | bytes = b"") -> subprocess.CompletedProcess:
        """The tool everybody has, on this bus."""
        return subprocess.run(["secret-tool", *words], env=self.own_environment(), capture_output=True, timeout=60,
                              input=given.encode() if isinstance(given, str) else given)


class Keyring(SecretService):
    """GNOME Keyring with the data in this folder, its login collection open.

    `data` is an XDG_DATA_HOME; a keyring that is there already is taken as it is.
    """

    GUILT = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"

    def __init__(self, data: str, password: str | None = PASSWORD, foreign: int = 0, services: str | None = None):
        self.data, self.password = data, password
        self._daemon: subprocess.Popen | None = None
        self._pid: int | None = None
        if foreign:
            self._fill(foreign)
        super().__init__(services)
        try:
            self.start()
        except BaseException:
            self.end()
            raise

    @property
    def folder_of_data(self) -> str:
        return os.path.join(self.data, "keyrings")

    @property
    def file(self) -> str:
        return os.path.join(self.folder_of_data, "login.keyring")

    @property
    def pid(self) -> int:
        """The daemon itself, also where something was put before it."""
        return self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID", "(s)", SERVICE,
                         to="org.freedesktop.DBus")[0]

    def _fill(self, count: int):
        """Foreign items, written as a keyring without a password; the daemon encrypts it when it first writes it."""
        os.makedirs(self.folder_of_data, mode=0o700, exist_ok=True)
        lines = ["[keyring]\ndisplay-name=Login\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"]
        for number in range(1, count + 1):
            lines.append(f"[{number}]\nitem-type=0\ndisplay-name=Foreign {number}\nsecret=value {number}\n"
                         f"mtime=1\nctime=1\n")
            for place, (name, value) in enumerate((("number", number), ("xdg:schema", "org.example.Foreign"))):
                lines.append(f"[{number}:attribute{place}]\nname={name}\ntype=string\nvalue={value}\n")
        with open(self.file, "x", encoding="utf-8") as file:
            file.write("\n".join(lines))

    def start(self, before: tuple[str, ...] = ()):
        """Starts the daemon over whatever data is there; without a password the login collection stays locked.

        GNOME Keyring 42 sometimes aborts by itself when the first call reaches it right after it took its name; it is
        started again then, as a session manager does.
        """
        for _ in range(3):
            self._launch(before)
            # The session first: it also aborts when somebody asks for a property before anything else.
            self.wait_for(lambda: self._daemon.poll() is not None or self._is_ready(),
                          "GNOME Keyring and its login collection")
            if self._daemon.poll() is None:
                break
        else:
            raise AssertionError(f"GNOME Keyring aborts each time it starts: {self.log()}")
        self._pid = self.pid

    def _is_ready(self) -> bool:
        return self.owner() and self.session and (self.password is None or not self.is_locked())

    def _launch(self, before: tuple[str, ...]):
        unlock = ["--unlock"] if self.password is not None else []
        self._session = None
        self._daemon = subprocess.Popen(
            [*before, daemon(), *unlock, "--components=secrets", "--foreground"],
            env=self.own_environment() | {"XDG_DATA_HOME": self.data}, stdin=subprocess.PIPE, stdout=self._log,
            stderr=self._log, start_new_session=True)
        self._daemon.stdin.write((self.password or "").encode())
        self._daemon.stdin.close()

    def kill(self):
        """kill -9, as the kernel does it when memory is short."""
        if self._daemon is not None:
            if self._daemon.poll() is None:
                os.kill(self._pid or self._daemon.pid, signal.SIGKILL)
            self._daemon.wait()
        self._daemon = self._pid = self._session = None

    def wait(self, seconds: float = 20) -> int:
        """Until the daemon has ended by itself, or by what was injected; returns how."""
        code = self._daemon.wait(seconds)
        self._daemon = self._pid = self._session = None
        return code

    def strike(self, call: str, number: int) -> subprocess.Popen:
        """From now on the daemon dies by kill -9 at its Nth system call of this kind. Ends with the daemon, or `spare`.

        It links, writes, syncs and renames its whole file for each change, and answers with sendmsg.
        """
        tracer = subprocess.Popen(["strace", "-f", "-qq", "-o", "/dev/null", "-p", str(self._pid), "-e", f"trace={call}",
                                   "-e", f"inject={call}:signal=KILL:when={number}"], stdin=subprocess.DEVNULL,
                                  stdout=self._log, stderr=self._log)

        def is_traced() -> bool:
            for thread in os.listdir(f"/proc/{self._pid}/task"):
                with open(f"/proc/{self._pid}/task/{thread}/status", encoding="utf-8") as file:
                    if "TracerPid:\t0\n" in file.read():
                        return False
            return True
        self.wait_for(is_traced, "the tracer")
        return tracer

    def spare(self, tracer: subprocess.Popen) -> bool:
        """Takes the tracer away. Whether the daemon was still alive."""
        is_alive = self.owner()
        tracer.terminate()
        try:
            tracer.wait(1 if is_alive else 0.1)
        except subprocess.TimeoutExpired:
            # strace may wait for ever for the threads of somebody it has killed.
            tracer.kill()
            tracer.wait()
        if not is_alive:
            self._daemon.wait(20)
        return is_alive

    def freeze(self):
        """It is there and answers nothing."""
        os.kill(self._pid, signal.SIGSTOP)

    def thaw(self):
        os.kill(self._pid, signal.SIGCONT)

    def restart(self, before: tuple[str, ...] = ()):
        self.kill()
        if self._bus is None:
            self.start_bus()
        self.wait_for(lambda: not self.owner(), "the name of the old daemon is free")
        self.start(before)

    def end(self):
        self.kill()
        super().end()

    # Without a prompter, by the door that GNOME Keyring has for its own programs

    def unlock(self, collection: str = LOGIN, password: str | None = None):
        self.call(ROOT, self.GUILT, "UnlockWithMasterPassword", "(o(oayays))", collection,
                  self._secret((password or self.password or PASSWORD).encode()))

    def make_collection(self, label: str, password: str = PASSWORD) -> str:
        return self.call(ROOT, self.GUILT, "CreateWithMasterPassword", "(a{sv}(oayays))",
                         {"org.freedesktop.Secret.Collection.Label": GLib.Variant("s", label)},
                         self._secret(password.encode()))[0]

    # The data, while nobody writes

    def keep(self, folder: str):
        """A copy of the keyring's data, as a backup program makes one."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder_of_data, folder)

    def put_back(self, folder: str):
        """The data as it was; the daemon knows nothing else afterwards."""
        self.kill()
        shutil.rmtree(self.folder_of_data, ignore_errors=True)
        shutil.copytree(folder, self.folder_of_data)
        self.restart()


def end_all():
    """Ends every bus and every keyring that was started here."""
    for bus in list(Bus.alive):
        bus.end()


def _at_exit(owner=os.getpid()):
    if os.getpid() == owner:
        end_all()


atexit.register(_at_exit)
