"""The window that asks for a keyring's password, without a window: a person who says no, or types, or is away.

GNOME Keyring asks over the bus: `org.gnome.keyring.SystemPrompter` is usually gcr's program. The password travels
encrypted between the two: Diffie-Hellman over the 1536 bit group of RFC 3526, HKDF-SHA256, AES-128-CBC.

As a program, for tests in Swift: `prompter.py yes PASSWORD`, `prompter.py no` or `prompter.py away` sits at the screen
of the session bus, prints "ready", and then a line for each window.
"""

import base64
import configparser
import os
import secrets
import sys
import threading
import types

from gi.repository import Gio, GLib

NAME, PATH = "org.gnome.keyring.SystemPrompter", "/org/gnome/keyring/Prompter"
INTERFACE = """<node><interface name="org.gnome.keyring.internal.Prompter">
  <method name="BeginPrompting"><arg name="callback" type="o" direction="in"/></method>
  <method name="PerformPrompt">
    <arg name="callback" type="o" direction="in"/><arg name="type" type="s" direction="in"/>
    <arg name="properties" type="a{sv}" direction="in"/><arg name="exchange" type="s" direction="in"/>
  </method>
  <method name="StopPrompting"><arg name="callback" type="o" direction="in"/></method>
</interface></node>"""
PRIME = int("FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
            "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
            "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
            "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA237327FFFFFFFFFFFFFFFF", 16)


class Exchange:
    """The key agreement `sx-aes-1`, and one password through it."""

    def __init__(self):
        self._private = secrets.randbits(1500)
        self.public = pow(2, self._private, PRIME)

    def _text(self, **more: bytes) -> str:
        values = {"public": self.public.to_bytes(192, "big")} | more
        return "[sx-aes-1]\n" + "".join(f"{name}={base64.b64encode(value).decode()}\n" for name, value in values.items())

    def begin(self) -> str:
        return self._text()

    def send(self, received: str, password: bytes) -> str:
        from cryptography.hazmat.primitives import hashes, padding
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
        parser = configparser.ConfigParser(interpolation=None)
        parser.read_string(received)
        other = int.from_bytes(base64.b64decode(parser["sx-aes-1"]["public"]), "big")
        shared = pow(other, self._private, PRIME)
        # As gcr writes it: without leading zero bytes. One agreement in 256 has them.
        key = HKDF(hashes.SHA256(), 16, None, b"").derive(shared.to_bytes((shared.bit_length() + 7) // 8, "big"))
        iv, padder = secrets.token_bytes(16), padding.PKCS7(128).padder()
        cipher = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
        sealed = cipher.update(padder.update(password) + padder.finalize()) + cipher.finalize()
        return self._text(secret=sealed, iv=iv)


class Prompter:
    """Somebody at the screen of this bus, until `end`. `answer`: a password, None to say no, or AWAY."""

    AWAY = object()

    def __init__(self, case, bus, answer, seen=lambda title: None):
        """`seen` hears the title of each window, as the keyring sent it; `asked` has them all."""
        self.answer, self.asked, self._seen = answer, [], seen
        self._address, self._exchanges, self._ready = bus.address, {}, threading.Event()
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()
        if not self._ready.wait(20):
            raise AssertionError("nobody came to the screen")
        case.addCleanup(self.end)

    def _live(self):
        self._context = GLib.MainContext()
        self._context.push_thread_default()
        self._loop = GLib.MainLoop(self._context)
        self._connection = Gio.DBusConnection.new_for_address_sync(
            self._address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        info = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
        self._connection.register_object(PATH, info, self._called, None, None)
        self._connection.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                   "RequestName", GLib.Variant("(su)", (NAME, 4)), None, 0, 5000, None)
        self._ready.set()
        self._loop.run()

    def end(self):
        self._loop.quit()
        self._thread.join(10)
        if not self._connection.is_closed():
            self._connection.close_sync(None)

    def _called(self, connection, sender, path, interface, method, parameters, invocation):
        callback, *more = parameters.unpack()
        invocation.return_value(None)
        if method == "BeginPrompting":
            self._exchanges[sender, callback] = Exchange()
            self._tell(sender, callback, "PromptReady", "", self._exchanges[sender, callback].begin())
        elif method == "StopPrompting":
            if self._exchanges.pop((sender, callback), None) is not None:
                self._tell(sender, callback, "PromptDone")
        else:
            kind, properties, received = more
            self.asked.append(properties.get("title", "") or properties.get("message", ""))
            self._seen(self.asked[-1])
            exchange = self._exchanges[sender, callback]
            if self.answer is None:
                self._tell(sender, callback, "PromptReady", "no", exchange.begin())
            elif self.answer is not Prompter.AWAY:
                text = exchange.send(received, self.answer.encode()) if kind == "password" else exchange.begin()
                self._tell(sender, callback, "PromptReady", "yes", text)

    def _tell(self, sender, callback, method, *arguments):
        """Without waiting for the answer: the keyring may ask back in between."""
        values = GLib.Variant("(sa{sv}s)", (arguments[0], {}, arguments[1])) if arguments else None
        self._connection.call(sender, callback, "org.gnome.keyring.internal.Prompter.Callback", method, values, None,
                              0, 5000, None, None)


def main(word: str, password: str = ""):
    session = types.SimpleNamespace(address=os.environ["DBUS_SESSION_BUS_ADDRESS"], addCleanup=lambda end: None)
    answer = {"yes": password, "no": None, "away": Prompter.AWAY}[word]
    Prompter(session, session, answer, seen=lambda title: print(repr(title), flush=True))
    print("ready", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
