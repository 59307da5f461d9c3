"""The wire of ssh-agent, by hand: what no tool of OpenSSH would send can be sent, too.

After draft-miller-ssh-agent (RFC 9987) and OpenSSH's PROTOCOL.agent. Ed25519 comes from PyNaCl.
"""

import socket
import struct

import nacl.exceptions
import nacl.signing

from ssh_keys import string

FAILURE, SUCCESS, IDENTITIES, SIGNATURE, EXTENSION_FAILURE = 5, 6, 12, 14, 28
LIST, REMOVE_ALL, QUERY = b"\x0b", b"\x13", b"\x1b" + string(b"query")
CONFIRM = b"\x02"


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


class Connection:
    """One connection to an agent. The deadline is a safety net only."""

    def __init__(self, path: str, seconds: float = 60):
        self.socket = socket.socket(socket.AF_UNIX)
        # Not by settimeout: a socket that does not block is refused (EAGAIN) while the queue of the listener is full.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(seconds), 0))
        self.socket.connect(path)
        self.socket.settimeout(seconds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def raw(self, data: bytes):
        """Bytes as they are; an agent may hang up while they are on their way."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def send(self, body: bytes):
        self.raw(string(body))

    def receive(self) -> bytes | None:
        """The next message, its type first; None when the agent hung up."""
        size = self._exactly(4)
        return self._exactly(int.from_bytes(size, "big")) if size is not None else None

    def ask(self, body: bytes) -> bytes | None:
        self.send(body)
        return self.receive()

    def is_closed(self) -> bool:
        """Waits until the agent has hung up; False if it says something instead."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def _exactly(self, count: int) -> bytes | None:
        found = b""
        while len(found) < count:
            try:
                part = self.socket.recv(count - len(found))
            except ConnectionResetError:
                return None
            if not part:
                return None
            found += part
        return found


class Key:
    """An Ed25519 key that nobody else has."""

    def __init__(self, seed: bytes | None = None):
        self.signing = nacl.signing.SigningKey(seed) if seed else nacl.signing.SigningKey.generate()
        self.point = bytes(self.signing.verify_key)
        self.blob = string(b"ssh-ed25519") + string(self.point)

    def sign(self, data: bytes) -> bytes:
        """A signature as it stands on the wire."""
        return string(b"ssh-ed25519") + string(self.signing.sign(data).signature)

    def verifies(self, signature: bytes, data: bytes) -> bool:
        name, value = split(signature)[:2]
        try:
            return name == b"ssh-ed25519" and bool(self.signing.verify_key.verify(data, value))
        except nacl.exceptions.BadSignatureError:
            return False


def split(body: bytes) -> list[bytes]:
    """The strings that a body is made of."""
    found = []
    while body:
        size = int.from_bytes(body[:4], "big")
        found.append(body[4:4 + size])
        body = body[4 + size:]
    return found


def sign(blob: bytes, data: bytes, flags: int = 0) -> bytes:
    return b"\x0d" + string(blob) + string(data) + number(flags)


def add(key: Key, comment: bytes = b"added", *constraints: bytes) -> bytes:
    body = (string(b"ssh-ed25519") + string(key.point) + string(bytes(key.signing) + key.point) + string(comment))
    return (b"\x19" if constraints else b"\x11") + body + b"".join(constraints)


def remove(blob: bytes) -> bytes:
    return b"\x12" + string(blob)


def lock(passphrase: bytes) -> bytes:
    return b"\x16" + string(passphrase)


def unlock(passphrase: bytes) -> bytes:
    return b"\x17" + string(passphrase)


def lifetime(seconds: int) -> bytes:
    return b"\x01" + number(seconds)


def constraint(name: bytes, body: bytes = b"") -> bytes:
    """A constraint by name (255)."""
    return b"\xff" + string(name) + body


def extension(name: bytes, body: bytes = b"") -> bytes:
    return b"\x1b" + string(name) + body


def bind(host: Key, session: bytes, is_forwarded: bool = False, signature: bytes | None = None) -> bytes:
    """session-bind@openssh.com: this connection belongs to a session with that host."""
    return extension(b"session-bind@openssh.com", string(host.blob) + string(session)
                     + string(signature if signature is not None else host.sign(session)) + bytes([is_forwarded]))


def login(session: bytes, user: bytes, key: bytes, host: bytes | None = None) -> bytes:
    """What is signed to log in (RFC 4252 section 7; with the host's key as OpenSSH binds it)."""
    method = b"publickey" if host is None else b"publickey-hostbound-v00@openssh.com"
    name = split(key)[0]
    return (string(session) + b"\x32" + string(user) + string(b"ssh-connection") + string(method) + b"\x01" + string(name)
            + string(key) + (b"" if host is None else string(host)))


def listed(answer: bytes) -> list[tuple[bytes, bytes]]:
    """Keys and comments of an answer to LIST."""
    if answer[0] != IDENTITIES:
        raise AssertionError(f"no list: {answer[:20]!r}")
    parts = split(answer[5:])
    if len(parts) != 2 * int.from_bytes(answer[1:5], "big"):
        raise AssertionError(f"a list that miscounts: {answer[:20]!r}")
    return list(zip(parts[0::2], parts[1::2]))
