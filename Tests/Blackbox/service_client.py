"""A program on the bus that calls the Secret Service by hand: what no library would send, too."""

import json
import os
import subprocess
import tempfile

import keyring as kr

ROOT, LOGIN, DEFAULT = kr.ROOT, kr.LOGIN, kr.DEFAULT
SECRET, STANDARD = "org.freedesktop.Secret.", "org.freedesktop.DBus.Error."
SERVICE, COLLECTION, ITEM, SESSION, PROMPT = (
    SECRET + name for name in ("Service", "Collection", "Item", "Session", "Prompt"))
PROPERTIES = "org.freedesktop.DBus.Properties"
DH = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
IS_LOCKED, NO_SESSION, NO_OBJECT = (SECRET + "Error." + name for name in ("IsLocked", "NoSession", "NoSuchObject"))
DENIED, INVALID, LIMITS, NOT_SUPPORTED, FAILED = (
    STANDARD + name for name in ("AccessDenied", "InvalidArgs", "LimitsExceeded", "NotSupported", "Failed"))
# The second Oakley group (RFC 2409, section 6.2).
PRIME = int("FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
            "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
            "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF", 16)
LONGEST_WAIT = 60_000


def error(body) -> str:
    """The name of the error that an act ends with; no error fails the test."""
    return refusal(body)[0]


def refusal(body) -> tuple[str, str]:
    """The name and the text of the error that an act ends with."""
    try:
        found = body()
    except kr.GLib.Error as failure:
        name = kr.Gio.DBusError.get_remote_error(failure)
        kr.Gio.DBusError.strip_remote_error(failure)
        return name or "", failure.message
    raise AssertionError(f"this should have been refused: {found!r}")


def octets(data: bytes):
    """Many bytes as one value, which the library would else take one by one."""
    return kr.GLib.Variant.new_from_bytes(kr.GLib.VariantType("ay"), kr.GLib.Bytes.new(data), True)


def attempt(body):
    """What an act gives, or the name of its error."""
    try:
        return body()
    except kr.GLib.Error as failure:
        return "error " + (kr.Gio.DBusError.get_remote_error(failure) or failure.message)


class Client:
    """One connection to a bus. Values pass in clear unless a test says otherwise: nobody else is on the bus."""

    def __init__(self, bus: kr.Bus):
        flags = kr.Gio.DBusConnectionFlags
        self.connection = kr.Gio.DBusConnection.new_for_address_sync(
            bus.address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
        self._session = None

    def call(self, path: str, interface: str, method: str, types: str = "()", *arguments, to: str = kr.SERVICE):
        """One call, and what it answers, as plain values."""
        return self.ask(path, interface, method, kr.GLib.Variant(types, arguments), to).unpack()

    def ask(self, path: str, interface: str, method: str, arguments, to: str = kr.SERVICE):
        """One call, with arguments and an answer as they travel."""
        return self.connection.call_sync(to, path, interface, method, arguments, None,
                                         kr.Gio.DBusCallFlags.NO_AUTO_START, LONGEST_WAIT, None)

    def send(self, path: str, interface: str, method: str, types: str = "()", *arguments):
        """The same without waiting for an answer."""
        self.connection.call(
            kr.SERVICE, path, interface, method, kr.GLib.Variant(types, arguments), None,
            kr.Gio.DBusCallFlags.NO_AUTO_START, LONGEST_WAIT, None, None)

    def leave(self):
        """Goes, whatever is under way."""
        self.connection.close_sync(None)

    def service(self, method: str, types: str = "()", *arguments):
        return self.call(ROOT, SERVICE, method, types, *arguments)

    def get(self, path: str, interface: str, name: str):
        return self.call(path, PROPERTIES, "Get", "(ss)", interface, name)[0]

    def open(self) -> str:
        """A new plain session."""
        return self.service("OpenSession", "(sv)", "plain", kr.GLib.Variant("s", ""))[1]

    @property
    def session(self) -> str:
        if self._session is None:
            self._session = self.open()
        return self._session

    def store(self, value: bytes, attributes: dict[str, str], label: str = "a label", replace: bool = True,
              collection: str = DEFAULT, session: str | None = None, parameters: bytes = b"",
              kind: str = "text/plain") -> str:
        """CreateItem; the path of the item."""
        Variant = kr.GLib.Variant
        properties = {ITEM + ".Label": Variant("s", label), ITEM + ".Attributes": Variant("a{ss}", attributes)}
        secret = Variant.new_tuple(Variant("o", session or self.session), octets(parameters), octets(value),
                                   Variant("s", kind))
        path, prompt = self.ask(
            collection, COLLECTION, "CreateItem",
            Variant.new_tuple(Variant("a{sv}", properties), secret, Variant("b", replace))).unpack()
        return path if prompt == "/" else self.prompt(prompt)[1]

    def search(self, attributes: dict[str, str]) -> tuple[list[str], list[str]]:
        return self.service("SearchItems", "(a{ss})", attributes)

    def value(self, path: str, session: str | None = None) -> bytes:
        answer = self.ask(path, ITEM, "GetSecret", kr.GLib.Variant("(o)", (session or self.session,)))
        return answer.get_child_value(0).get_child_value(2).get_data_as_bytes().get_data() or b""

    def values(self, *paths: str, session: str | None = None) -> dict[str, bytes]:
        found, = self.service("GetSecrets", "(aoo)", list(paths), session or self.session)
        return {path: bytes(secret[2]) for path, secret in found.items()}

    def prompt(self, path: str, times: int = 1, method: str = "Prompt") -> tuple[bool, object]:
        """Goes through a prompt: whether it was dismissed, and its result."""
        ends = self.prompts({path: times}, method)
        return ends[path]

    def prompts(self, paths: dict[str, int], method: str = "Prompt") -> dict[str, tuple[bool, object]]:
        """Goes through prompts; each is shown as often as it says, and ends once."""
        context, ends = kr.GLib.MainContext(), []
        context.push_thread_default()
        try:
            watch = self.connection.signal_subscribe(
                kr.SERVICE, PROMPT, "Completed", None, None, kr.Gio.DBusSignalFlags.NONE,
                lambda *signal: ends.append((signal[2], signal[5].unpack())))
            late = kr.GLib.timeout_source_new_seconds(LONGEST_WAIT // 1000)
            late.set_callback(lambda *_: ends.append((None, None)))
            late.attach(context)
            for path, times in paths.items():
                for _ in range(times):
                    if method == "Prompt":
                        self.call(path, PROMPT, "Prompt", "(s)", "")
                    else:
                        self.call(path, PROMPT, method)
            while len({path for path, _ in ends} & set(paths)) < len(paths):
                context.iteration(True)
                if any(path is None for path, _ in ends):
                    raise AssertionError(f"the prompt never ended: {ends}")
            # What was sent before the answer to this call is here by then.
            self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", to="org.freedesktop.DBus")
            while context.iteration(False):
                pass
            self.connection.signal_unsubscribe(watch)
            late.destroy()
        finally:
            context.pop_thread_default()
        if sorted(path for path, _ in ends) != sorted(paths):
            raise AssertionError(f"a prompt ended more than once: {ends}")
        return dict(ends)


class Listener(Client):
    """A client that keeps every signal of the service, in their order."""

    def __init__(self, bus: kr.Bus):
        super().__init__(bus)
        self.context = kr.GLib.MainContext()
        self.signals: list[tuple[str, str, object]] = []
        self.context.push_thread_default()
        try:
            self.connection.signal_subscribe(
                kr.SERVICE, None, None, None, None, kr.Gio.DBusSignalFlags.NONE,
                lambda *signal: self.signals.append((signal[4], signal[2], signal[5].unpack())))
        finally:
            self.context.pop_thread_default()
        # The bus has taken the wish before it answers this.
        self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", to="org.freedesktop.DBus")

    def hears(self, *wanted: tuple[str, str, object]) -> list[tuple[str, str, object]]:
        """Waits until all of these were heard; what was heard since the last time, in its order."""
        late = self.waits(lambda: all(one in self.signals for one in wanted))
        heard, self.signals = self.signals, []
        if late:
            raise AssertionError(f"{wanted} was not heard, but {heard}")
        return heard

    def hears_of(self, path: str, *names: str) -> dict:
        """Waits until every one of these properties was told as new; their newest values."""
        known: dict = {}
        while not set(names) <= set(known):
            late = self.waits(lambda: any(one[0] == "PropertiesChanged" and one[1] == path for one in self.signals))
            for name, place, body in self.signals:
                if name == "PropertiesChanged" and place == path:
                    known |= body[1]
            self.signals = []
            if late:
                raise AssertionError(f"of {names} only {known} was told")
        return known

    def waits(self, what) -> bool:
        """Waits until it is so; whether that was too late."""
        late = []
        timer = kr.GLib.timeout_source_new_seconds(LONGEST_WAIT // 1000)
        timer.set_callback(lambda *_: late.append(True))
        timer.attach(self.context)
        while not what() and not late:
            self.context.iteration(True)
        timer.destroy()
        return bool(late)


OTHER = """
import json, sys
sys.path.insert(0, sys.argv[1])
import keyring as kr
import service_client as sc

class Place:
    address = sys.argv[2]

client = sc.Client(Place)
try:
    print(json.dumps(eval(sys.argv[3])))
except kr.GLib.Error as failure:
    print(json.dumps("error " + (kr.Gio.DBusError.get_remote_error(failure) or failure.message)))
"""


class Program:
    """Another program than the one of the test: the interpreter under a name of its own."""

    def __init__(self, front, name: str):
        self.front = front
        self.folder = tempfile.mkdtemp(prefix="program-", dir=front.agent.askpass.folder)
        self.path = os.path.join(self.folder, name)
        with open(os.path.realpath("/usr/bin/python3"), "rb") as source, \
                open(self.path, "wb", opener=lambda path, flags: os.open(path, flags, 0o700)) as target:
            target.write(source.read())

    def starts(self, what: str) -> subprocess.Popen:
        """Evaluates an expression about `client`, and prints what it gives as JSON."""
        here = os.path.dirname(os.path.abspath(__file__))
        bus = self.front.bus
        return subprocess.Popen(
            [self.path, "-B", "-c", OTHER, here, bus.address, what], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, cwd=self.front.person.home, start_new_session=True,
            env=self.front.person.environment(PYTHONHOME="/usr", **bus.environment()))

    def does(self, what: str):
        """The same to its end."""
        return ended(self.starts(what))


def ended(process: subprocess.Popen):
    """What a program printed."""
    output, errors = process.communicate(timeout=120)
    if process.returncode != 0:
        raise AssertionError(f"the program failed: {errors}")
    return json.loads(output)
