"""A secret for a contact, a second time: written from Schemas/parcel.md and credentials.md alone.

An oracle for tests: it holds secrets in ordinary memory and must not be used to protect anything.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import struct
from dataclasses import dataclass, field

from nacl import bindings as sodium
from nacl import exceptions as sodium_errors

MAGIC = b"\x89HSIPS\r\n"
KEY_MESSAGE_AAD = b"HSIP-SECRET-v1"
INFO = b"HSIP-SECRET-v1 chunks"
CHUNK, TAG, HEAD, LONGEST = 65536, 16, 102, 2 << 20
LONGEST_TEXT = 48 << 10
SCHEME = "hsip-secret:"
GIVE, WITHDRAW, SHARE = 1, 2, 3
LATEST = 253_402_300_799
TYPES = ("login", "token", "note", "file")


class ParcelError(Exception):
    """A refusal, by its name in the specification."""

    def __init__(self, name: str):
        super().__init__(name)
        self.name = name


def _is_line(text: str, longest: int) -> bool:
    if not 1 <= len(text.encode()) <= longest or text[0].isspace() or text[-1].isspace():
        return False
    return not any(ord(c) < 0x20 or 0x7F <= ord(c) <= 0x9F or ord(c) in (0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF)
                   or 0x202A <= ord(c) <= 0x202E or 0x2066 <= ord(c) <= 0x2069 for c in text)


class _Reader:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise ParcelError("malformedGift")
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, width: int) -> int:
        return int.from_bytes(self.take(width), "big")

    def text(self, width: int, longest: int) -> str:
        count = self.number(width)
        if count > longest:
            raise ParcelError("malformedGift")
        try:
            return self.take(count).decode()
        except UnicodeDecodeError:
            raise ParcelError("malformedGift") from None


@dataclass
class Credential:
    """A credential with one version (credentials.md section 2), as a parcel has it."""

    type: str
    version: int
    created: int
    fields: dict[str, bytes]
    tags: list[str] = field(default_factory=list)

    def content(self) -> bytes:
        def string(data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + data

        out = bytes([1, TYPES.index(self.type)]) + bytes(16) + string(b"") + struct.pack(">I", len(self.tags))
        out += b"".join(string(tag.encode()) for tag in sorted(self.tags, key=str.encode))
        out += struct.pack(">I", len(self.fields)) + b"".join(string(value) for value in self.fields.values())
        out += struct.pack(">IIQI", 1, self.version, self.created, len(self.fields))
        return out + b"".join(string(name.encode()) + struct.pack(">I", at) for at, name in enumerate(self.fields))

    @staticmethod
    def read(data: bytes) -> Credential:
        reader = _Reader(data)
        if reader.number(1) != 1 or (kind := reader.number(1)) >= len(TYPES) or any(reader.take(16)) or reader.number(4):
            raise ParcelError("malformedGift")
        tags = [reader.text(4, 64) for _ in range(reader.number(4))]
        values = [reader.take(reader.number(4)) for _ in range(reader.number(4))]
        if reader.number(4) != 1:
            raise ParcelError("malformedGift")
        version, created = reader.number(4), reader.number(8)
        fields = {}
        for _ in range(reader.number(4)):
            name, place = reader.text(4, 128), reader.number(4)
            if place >= len(values):
                raise ParcelError("malformedGift")
            fields[name] = values[place]
        found = Credential(TYPES[kind], version, created, fields, tags)
        if found.content() != data:
            raise ParcelError("malformedGift")
        return found


@dataclass
class Parcel:
    """What a parcel holds (section 2)."""

    act: int
    gift: bytes
    version: int
    made: int
    name: str
    end: int = 0
    note: str = ""
    content: bytes = b""

    def check(self) -> None:
        good = (self.act in (GIVE, WITHDRAW, SHARE) and len(self.gift) == 16 and 1 <= self.version <= 1 << 31
                and self.made <= LATEST and self.end <= LATEST and (self.end == 0 or self.end >= self.made)
                and _is_line(self.name, 248) and (not self.note or _is_line(self.note, 500)))
        if self.act == GIVE:
            good = good and Credential.read(self.content).version == self.version
        elif self.act == WITHDRAW:
            good = good and not self.content
        else:
            good = good and re.fullmatch(rb"[a-z]+( [a-z]+){19}", self.content) is not None
        if not good:
            raise ParcelError("malformedGift")

    def plaintext(self) -> bytes:
        self.check()
        texts = b"".join(struct.pack(">H", len(text.encode())) + text.encode() for text in (self.name, self.note))
        return (bytes([1, self.act]) + self.gift + struct.pack(">IQQ", self.version, self.made, self.end) + texts
                + struct.pack(">I", len(self.content)) + self.content)

    @staticmethod
    def read(data: bytes) -> Parcel:
        reader = _Reader(data)
        if reader.number(1) != 1:
            raise ParcelError("unsupportedVersion")
        act, gift = reader.number(1), reader.take(16)
        version, made, end = reader.number(4), reader.number(8), reader.number(8)
        name, note = reader.text(2, 248), reader.text(2, 500)
        content = reader.take(reader.number(4))
        if reader.at != len(data):
            raise ParcelError("malformedGift")
        parcel = Parcel(act, gift, version, made, name, end, note, content)
        parcel.check()
        return parcel


def seal_key_message(key: bytes, sender: bytes, nonce: bytes, file_key: bytes) -> bytes:
    sealed = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(file_key, KEY_MESSAGE_AAD, nonce, key)
    return b"\x01" + sender + nonce + sealed[-TAG:] + sealed[:-TAG]


def open_key_message(key: bytes, message: bytes) -> bytes:
    try:
        return sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
            message[61:] + message[45:61], KEY_MESSAGE_AAD, message[33:45], key)
    except sodium_errors.CryptoError:
        raise ParcelError("cannotOpen") from None


def chunk_key(head: bytes, file_key: bytes) -> bytes:
    extracted = hmac.new(head, file_key, hashlib.sha256).digest()
    return hmac.new(extracted, INFO + b"\x01", hashlib.sha256).digest()


def _nonce(number: int, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([is_last])


def seal(key_message: bytes, file_key: bytes, plaintext: bytes) -> bytes:
    """The whole parcel."""
    head = MAGIC + b"\x01" + key_message
    key, pieces = chunk_key(head, file_key), [head]
    count = max(1, -(-len(plaintext) // CHUNK))
    for number in range(count):
        pieces.append(sodium.crypto_aead_chacha20poly1305_ietf_encrypt(
            plaintext[number * CHUNK:(number + 1) * CHUNK], b"", _nonce(number, number == count - 1), key))
    return b"".join(pieces)


def key_message(data: bytes) -> bytes:
    """The message that carries the key of a parcel."""
    if len(data) > LONGEST or data[:8] != MAGIC or len(data) < 9:
        raise ParcelError("malformedGift")
    if data[8] != 1:
        raise ParcelError("unsupportedVersion")
    if len(data) < HEAD + TAG or data[9] != 1:
        raise ParcelError("malformedGift")
    return data[9:HEAD]


def open_parcel(data: bytes, key: bytes) -> Parcel:
    """What a parcel holds, by the message key of the session."""
    file_key = open_key_message(key, key_message(data))
    key, rest, pieces = chunk_key(data[:HEAD], file_key), data[HEAD:], []
    size = CHUNK + TAG
    count = max(1, -(-len(rest) // size))
    for number in range(count):
        chunk = rest[number * size:(number + 1) * size]
        if len(chunk) < TAG or (len(chunk) == TAG and number > 0):
            raise ParcelError("cannotOpen")
        try:
            pieces.append(sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
                chunk, b"", _nonce(number, number == count - 1), key))
        except sodium_errors.CryptoError:
            raise ParcelError("cannotOpen") from None
    return Parcel.read(b"".join(pieces))


def write(data: bytes) -> str:
    """A parcel as text."""
    if len(data) > LONGEST_TEXT:
        raise ParcelError("malformedGift")
    return SCHEME + base64.urlsafe_b64encode(data).decode().rstrip("=")


def parse(text: str) -> bytes:
    """The parcel that a text is, without anything around it."""
    if not text.lower().startswith(SCHEME):
        raise ParcelError("malformedGift")
    digits = text[len(SCHEME):]
    data = base64.urlsafe_b64decode(digits + "=" * (-len(digits) % 4))
    if write(data)[len(SCHEME):] != digits:
        raise ParcelError("malformedGift")
    return data


@dataclass
class Gift:
    """What the taker remembers of a gift (section 5), as far as it decides about the next parcel (section 6)."""

    version: int = 0
    made: int = 0

    def takes(self, parcel: Parcel) -> bool:
        """Whether a parcel says something new; it is remembered then."""
        if parcel.version < self.version or parcel.made <= self.made:
            return False
        self.version, self.made = parcel.version, parcel.made
        return True


def gift_body(content: bytes, withdrawn: int = 0) -> bytes:
    """The body of the record `secret.gift` (section 5)."""
    return b"\x01" + hashlib.sha256(content).digest() + struct.pack(">Q", withdrawn)
