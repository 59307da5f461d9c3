"""A stand-in for the program that asks people for passwords on the desktop of GNOME.

    prompter.py yes PASSWORD    gives the password, and a new one when a keyring is made
    prompter.py no              closes every prompt
    prompter.py silent          shows a prompt and never ends it

It takes the name org.gnome.keyring.SystemPrompter on the session bus, says "ready", and then one line for
each prompt that it shows. What it speaks is gcr's: the password goes through an exchange of keys (sx-aes-1).
"""
import base64
import hashlib
import hmac
import os
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from gi.repository import GLib

NAME = "org.gnome.keyring.SystemPrompter"
INTERFACE = "org.gnome.keyring.internal.Prompter"
CALLBACK = INTERFACE + ".Callback"
# RFC 3526 section 2, the 1536-bit group.
PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
    "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA237327FFFFFFFFFFFFFFFF",
    16,
)


class Exchange:
    """Both ends agree on a key; then one sends a secret under it."""

    def __init__(self):
        self.secret = int.from_bytes(os.urandom(190), "big")
        self.public = pow(2, self.secret, PRIME).to_bytes(192, "big")
        self.key = None

    def receive(self, text):
        fields = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
        if "public" in fields:
            peer = int.from_bytes(base64.b64decode(fields["public"]), "big")
            shared = pow(peer, self.secret, PRIME).to_bytes(192, "big")
            inner = hmac.new(bytes(32), shared, hashlib.sha256).digest()
            self.key = hmac.new(inner, b"\x01", hashlib.sha256).digest()[:16]

    def send(self, secret=None):
        text = "[sx-aes-1]\npublic=" + base64.b64encode(self.public).decode() + "\n"
        if secret is not None and self.key:
            iv = os.urandom(16)
            fill = 16 - len(secret) % 16
            cipher = Cipher(algorithms.AES(self.key), modes.CBC(iv)).encryptor()
            sealed = cipher.update(secret + bytes([fill]) * fill) + cipher.finalize()
            text += "secret=" + base64.b64encode(sealed).decode() + "\n"
            text += "iv=" + base64.b64encode(iv).decode() + "\n"
        return text


class Prompter(dbus.service.Object):
    def __init__(self, bus, answer, password):
        super().__init__(bus, "/org/gnome/keyring/Prompter")
        self.bus, self.answer, self.password = bus, answer, password
        self.exchanges = {}

    def reply(self, sender, path, member, *arguments):
        """Answers once the call itself has returned: what comes earlier is not heard."""
        target = dbus.Interface(self.bus.get_object(sender, path, introspect=False), CALLBACK)
        done = {"reply_handler": lambda *_: None, "error_handler": lambda _: None}
        GLib.idle_add(lambda: target.get_dbus_method(member)(*arguments, **done) and False)

    def ready(self, sender, path, word, exchange):
        self.reply(sender, path, "PromptReady", word, dbus.Dictionary({}, signature="sv"), exchange)

    @dbus.service.method(INTERFACE, in_signature="o", sender_keyword="sender")
    def BeginPrompting(self, path, sender=None):
        self.exchanges[path] = Exchange()
        self.ready(sender, path, "", self.exchanges[path].send())

    @dbus.service.method(INTERFACE, in_signature="osa{sv}s", sender_keyword="sender")
    def PerformPrompt(self, path, kind, properties, exchange, sender=None):
        print(kind, flush=True)
        self.exchanges[path].receive(exchange)
        if self.answer == "yes":
            secret = self.password.encode() if kind == "password" else None
            self.ready(sender, path, "yes", self.exchanges[path].send(secret))
        elif self.answer == "no":
            self.ready(sender, path, "no", self.exchanges[path].send())

    @dbus.service.method(INTERFACE, in_signature="o", sender_keyword="sender")
    def StopPrompting(self, path, sender=None):
        self.exchanges.pop(path, None)
        self.reply(sender, path, "PromptDone")


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    owned = dbus.service.BusName(NAME, bus, do_not_queue=True)
    prompter = Prompter(bus, sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
    print("ready", flush=True)
    GLib.MainLoop().run()
    return owned, prompter


main()
