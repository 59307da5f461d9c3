"""HSIP-XC1 a second time: codes, key schedule, pairing, messages, rotation, revocation.

This module was written from the specification alone and shares no line with the program. It serves as an
oracle: what both say is probably what the specification says. It favours plainness over speed and keeps
every secret in ordinary memory, so it must never be used to protect anything.

Section numbers in the comments are those of the specification of HSIP-XC1.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import struct
import time
import unicodedata
from dataclasses import dataclass, field, replace

from nacl import bindings as sodium
from nacl import exceptions as sodium_errors

import mlkem

# --- Errors (section 12). None as exit code means a note or a warning.

EXIT_CODES = {
    "noCode": 13, "truncated": 13, "malformed": 13, "severalCodes": 7, "legacyLink": 13,
    "unsupportedVersion": 13, "unsupportedSuite": 13, "unsupportedFlag": 13, "singleKeyRefused": 6,
    "codeFromFuture": 8, "codeExpired": 8, "offerExpired": 8, "offerClosed": 8, "offerSpent": 4,
    "offerAlreadyUsed": 14, "alreadyPaired": 0, "alreadyDone": 0, "unknownOffer": 3, "unknownContact": 3,
    "unknownSession": 3, "noSession": 3, "selfPairing": 4, "identityChanged": 15, "identityKnown": 4,
    "identityRevoked": 6, "nameCollision": 7, "nameLooksAlike": 0, "badSignature": 11, "confirmFailed": 11,
    "badKey": 11, "verifyMismatch": 15, "verifyNotForMe": 15, "unconfirmed": 0, "unconfirmedLate": 0,
    "rekeySoon": 0, "limitReached": 0, "rekeyRequired": 9, "restored": 9, "sessionExpired": 8, "lapsed": 8,
    "revoked": 6, "readableAfterAccept": 0, "staleCode": 4, "attemptsExhausted": 4, "peerCatchingUp": 0,
    "tooManyOffers": 4, "clockSuspect": 8, "suspicious": 0, "noMessage": 3, "unknownSender": 3,
    "malformedMessage": 13, "badPlaintext": 13, "cannotOpen": 11, "senderMismatch": 11, "reflected": 11,
    "peerOverLimit": 11, "replayed": 14, "ownMessage": 0, "carries": 0, "mayHaveBeenReadBefore": 0,
    "counterUnreliable": 0, "keyRefused": 6, "exportRefused": 6, "keyKnown": 4, "ambiguousName": 4,
    "suiteDowngrade": 6,
}


class HSIPError(Exception):
    """One name of section 12, with whatever details help a reader of a failed test."""

    def __init__(self, name: str, **details):
        assert name in EXIT_CODES, name
        super().__init__(name if not details else f"{name} {details}")
        self.name = name
        self.exit_code = EXIT_CODES[name]
        self.details = details


# --- Primitives

def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def hmac256(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


def hkdf_extract(salt: bytes, key_material: bytes) -> bytes:
    return hmac256(salt, key_material)


def hkdf_expand(prk: bytes, info: bytes, count: int) -> bytes:
    """RFC 5869, second half."""
    out, block, index = b"", b"", 1
    while len(out) < count:
        block = hmac256(prk, block + info + bytes([index]))
        out, index = out + block, index + 1
    return out[:count]


def label(name: str) -> bytes:
    """L(x) of section 4."""
    return b"HSIP-XC1/" + name.encode("ascii") + b"\0"


_BLAKE3_IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
_BLAKE3_ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)


def blake3(data: bytes) -> bytes:
    """BLAKE3 of at most one block: 64 bytes in, 32 bytes out."""
    if len(data) > 64:
        raise ValueError("one block only")
    words = list(struct.unpack("<16I", data.ljust(64, b"\0")))
    # Chunk start, chunk end, root.
    state = list(_BLAKE3_IV) + list(_BLAKE3_IV[:4]) + [0, 0, len(data), 1 | 2 | 8]

    def mix(a, b, c, d, x, y):
        def turn(value, count):
            return (value >> count | value << (32 - count)) & 0xFFFFFFFF
        for word, first, second in ((x, 16, 12), (y, 8, 7)):
            state[a] = (state[a] + state[b] + word) & 0xFFFFFFFF
            state[d] = turn(state[d] ^ state[a], first)
            state[c] = (state[c] + state[d]) & 0xFFFFFFFF
            state[b] = turn(state[b] ^ state[c], second)

    for _ in range(7):
        for column in range(4):
            mix(column, 4 + column, 8 + column, 12 + column, words[2 * column], words[2 * column + 1])
        for diagonal in range(4):
            mix(diagonal, 4 + (diagonal + 1) % 4, 8 + (diagonal + 2) % 4, 12 + (diagonal + 3) % 4,
                words[8 + 2 * diagonal], words[9 + 2 * diagonal])
        words = [words[index] for index in _BLAKE3_ORDER]
    return struct.pack("<8I", *(state[index] ^ state[index + 8] for index in range(8)))


def x25519_public(secret: bytes) -> bytes:
    return sodium.crypto_scalarmult_base(secret)


def x25519(secret: bytes, public: bytes) -> bytes:
    """The shared secret; a point of low order is `badKey`."""
    try:
        shared = sodium.crypto_scalarmult(secret, public)
    except sodium_errors.CryptoError:
        raise HSIPError("badKey") from None
    if shared == bytes(32):
        raise HSIPError("badKey")
    return shared


def is_low_order(public: bytes) -> bool:
    try:
        x25519(bytes([9] * 32), public)
    except HSIPError:
        return True
    return False


def one_time_public(secret: bytes) -> tuple[bytes, bytes]:
    """What a one-time secret makes public: an X25519 key; if a seed of ML-KEM follows its 32 bytes, that key too."""
    return x25519_public(secret[:32]), mlkem.public_key(secret[32:]) if len(secret) > 32 else b""


def encapsulate(public: bytes, randomness: bytes) -> tuple[bytes, bytes]:
    """The ciphertext and secret of ML-KEM for a KEM field, nothing for an empty one; else `badKey`."""
    if not public:
        return b"", b""
    try:
        return mlkem.encapsulate(public, randomness)
    except ValueError:
        raise HSIPError("badKey") from None


def decapsulate(secret: bytes, ciphertext: bytes) -> bytes:
    """The secret of ML-KEM for a one-time secret, nothing in suite 01."""
    return mlkem.decapsulate(secret[32:], ciphertext) if ciphertext else b""


def ed25519_public(seed: bytes) -> bytes:
    return sodium.crypto_sign_seed_keypair(seed)[0]


def ed25519_sign(seed: bytes, message: bytes) -> bytes:
    return sodium.crypto_sign(message, sodium.crypto_sign_seed_keypair(seed)[1])[:64]


def ed25519_is_valid(public: bytes, signature: bytes, message: bytes) -> bool:
    """libsodium's strict verification: S + L is refused, and a key or R that is not in the group of prime order."""
    if not all(map(sodium.crypto_core_ed25519_is_valid_point, (public, signature[:32]))):
        return False
    try:
        sodium.crypto_sign_open(signature + message, public)
    except sodium_errors.CryptoError:
        return False
    return True


def is_equal(left: bytes, right: bytes) -> bool:
    return hmac.compare_digest(left, right)


def argon2id(password: bytes, salt: bytes, operations: int, memory: int, count: int) -> bytes:
    return sodium.crypto_pwhash_alg(count, password, salt, operations, memory,
                                    sodium.crypto_pwhash_ALG_ARGON2ID13)


# --- Identity

def peer_id(identity: bytes) -> bytes:
    return blake3(identity)


def peer_id_text(peer: bytes) -> str:
    return base64.b32encode(peer).decode("ascii")[:26]


def session_id(peer: bytes) -> str:
    return "sess_" + peer[:8].hex()


# --- Text form (section 2)

BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
BECH32_VALUES = {letter: value for value, c in enumerate(BECH32) for letter in (c, c.upper())}
BECH32M_CONSTANT = 0x2BC830A3
BECH32_CONSTANT = 1
KINDS = {"offer": 1, "answer": 2, "rotate": 3, "accept": 4, "revoke": 5, "verify": 6}
KIND_NAMES = {number: name for name, number in KINDS.items()}
MAXIMUM_TEXT = 1 << 20
MAXIMUM_CODE = 4096

_SKIP_CODE_POINTS = (
    # White_Space
    list(range(0x09, 0x0E)) + [0x20, 0x85, 0xA0, 0x1680] + list(range(0x2000, 0x200B))
    + [0x2028, 0x2029, 0x202F, 0x205F, 0x3000]
    # and what chat programs put between the letters
    + [ord(">"), 0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])
SKIP = frozenset(map(chr, _SKIP_CODE_POINTS))
_SKIP_CLASS = "[" + "".join(re.escape(c) for c in sorted(SKIP)) + "]*"


def _spelled(word: str) -> str:
    """A pattern for an ASCII word in any case with SKIP characters between its letters."""
    return _SKIP_CLASS.join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else re.escape(c) for c in word)


_START = re.compile("(?<![A-Za-z0-9])" + _spelled("hsip:") + f"(?:{_SKIP_CLASS}/{_SKIP_CLASS}/)?")
_HRPS = {name: re.compile(_SKIP_CLASS + _spelled(name) + _SKIP_CLASS + "1") for name in KINDS}
_LEGACY = re.compile(r"(?<![A-Za-z0-9])hsip://(?:add|exchange|peer|decrypt|m)(?![A-Za-z0-9])", re.IGNORECASE)


def _generator(top: int) -> int:
    total = 0
    for bit, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
        total ^= generator if top >> bit & 1 else 0
    return total


_GENERATORS = [_generator(top) for top in range(32)]


def _polymod(values) -> int:
    check = 1
    for value in values:
        check = (check & 0x1FFFFFF) << 5 ^ value ^ _GENERATORS[check >> 25]
    return check


def _expanded(hrp: str) -> list[int]:
    return [ord(c) >> 5 for c in hrp] + [0] + [ord(c) & 31 for c in hrp]


def bech32m_encode(hrp: str, data: bytes, constant: int = BECH32M_CONSTANT, pad: int = 0) -> str:
    """Lower case `hrp1…`. The last two arguments exist for negative vectors only."""
    bits = int.from_bytes(data, "big")
    spare = -8 * len(data) % 5
    bits = bits << spare | pad
    count = (8 * len(data) + spare) // 5
    values = [bits >> 5 * (count - 1 - index) & 31 for index in range(count)]
    check = _polymod(_expanded(hrp) + values + [0] * 6) ^ constant
    values += [check >> 5 * (5 - index) & 31 for index in range(6)]
    return hrp + "1" + "".join(BECH32[value] for value in values)


def bech32m_decode(hrp: str, characters: str, count: int) -> bytes:
    """The bytes of the characters after `hrp1`; anything wrong is `malformed`."""
    values = [BECH32.index(c) for c in characters]
    if _polymod(_expanded(hrp) + values) != BECH32M_CONSTANT:
        raise HSIPError("malformed", why="checksum")
    values = values[:-6]
    spare = 5 * len(values) - 8 * count
    if not 0 <= spare < 5:
        raise HSIPError("malformed", why="length")
    bits = 0
    for value in values:
        bits = bits << 5 | value
    if bits & (1 << spare) - 1:
        raise HSIPError("malformed", why="pad bits")
    return (bits >> spare).to_bytes(count, "big")


def code_text(data: bytes) -> str:
    """The printed form of the bytes of a code."""
    hrp = KIND_NAMES[data[1]]
    return "HSIP:" + bech32m_encode(hrp, data).upper()


def _byte_at(values: list[int], index: int) -> int | None:
    first = 8 * index // 5
    if 5 * len(values) < 8 * (index + 1):
        return None
    window = 0
    for value in (values + [0])[first:first + 3]:
        window = window << 5 | value
    have = 5 * len((values + [0])[first:first + 3])
    return window >> have - 8 - (8 * index - 5 * first) & 255


KEM_FIELDS = {"offer": 1184, "rotate": 1184, "answer": 1088, "accept": 1088}
"""How long the KEM field of suite 02 is: a public key of ML-KEM-768, or a ciphertext."""


def kem_size(kind: str, suite: int | None) -> int:
    return KEM_FIELDS.get(kind, 0) if suite == 2 else 0


def suites(kind: str) -> tuple[int, ...]:
    return (1, 2) if kind in KEM_FIELDS else (1,)


def _code_bytes(hrp: str, values: list[int]) -> int | None:
    """How many bytes the code has, as soon as that is decided."""
    suite = _byte_at(values, 2)
    if suite is None:
        return None
    kem = kem_size(hrp, suite)
    if hrp in ("offer", "answer"):
        length = _byte_at(values, 78 if hrp == "offer" else 94)
        if length is not None and length > 40:
            raise HSIPError("malformed", why="name length")
        return None if length is None else (143 if hrp == "offer" else 175) + length + kem
    if hrp == "revoke":
        scope = _byte_at(values, 14)
        if scope is None:
            return None
        if scope > 1:
            raise HSIPError("malformed", why="scope")
        return 108 + 4 * scope
    return {"rotate": 140, "accept": 154, "verify": 66}[hrp] + kem


def _letters(text: str, position: int):
    """The bech32 characters from a place on, as values, each with the place behind it."""
    while True:
        while position < len(text) and text[position] in SKIP:
            position += 1
        if position >= len(text):
            return
        value = BECH32_VALUES.get(text[position])
        if value is None:
            return
        position += 1
        yield value, position


def _is_glued(text: str, position: int) -> bool:
    return position < len(text) and text[position].isascii() and text[position].isalnum()


def _newer(text: str, hrp: str, position: int) -> bool:
    """Whether the first three bytes are of another version or suite; then the length is not known."""
    head = [value for value, _ in zip((value for value, _ in _letters(text, position)), range(5))]
    if len(head) < 5:
        return False
    return _byte_at(head, 0) != 1 or hrp != "verify" and _byte_at(head, 2) not in suites(hrp)


def _read_newer(text: str, hrp: str, position: int) -> bytes:
    """Refuses a code whose length is not known: it ends where its checksum holds."""
    head = [value for value, _ in zip((value for value, _ in _letters(text, position)), range(5))]
    newer = HSIPError("unsupportedVersion" if _byte_at(head, 0) != 1 else "unsupportedSuite")
    values = []
    for value, end in _letters(text, position):
        if len(hrp) + 1 + len(values) >= MAXIMUM_CODE:
            break
        values.append(value)
        if len(values) > 6 and not _is_glued(text, end) and _polymod(_expanded(hrp) + values) == BECH32M_CONSTANT:
            raise newer
    try:
        return _read_this(text, hrp, position)
    except HSIPError as damage:
        # A code of this version fits exactly, but for a mistake in its first letters.
        raise damage if damage.details.get("why") == "checksum" else newer from None


def _read_code(text: str, hrp: str, position: int) -> bytes:
    return _read_newer(text, hrp, position) if _newer(text, hrp, position) else _read_this(text, hrp, position)


def _read_this(text: str, hrp: str, position: int) -> bytes:
    values, count, needed = [], None, 0
    letters = _letters(text, position)
    while count is None or len(values) < needed:
        if count is None and (count := _code_bytes(hrp, values)) is not None:
            needed = -(-8 * count // 5) + 6
            continue
        value, position = next(letters, (None, position))
        if value is None:
            raise HSIPError("truncated")
        values.append(value)
    if _is_glued(text, position):
        raise HSIPError("malformed", why="glued")
    data = bech32m_decode(hrp, "".join(BECH32[value] for value in values), count)
    if data[1] != KINDS[hrp]:
        raise HSIPError("malformed", why="kind")
    return data


def find_codes(text: str) -> tuple[list[bytes], list[HSIPError]]:
    """Every distinct code of a text, in order, and what was wrong with the other candidates."""
    if len(text.encode("utf-8", "surrogatepass")) > MAXIMUM_TEXT:
        raise HSIPError("malformed", why="size")
    codes, errors = [], []
    for start in _START.finditer(text):
        for hrp, pattern in _HRPS.items():
            head = pattern.match(text, start.end())
            if head is None:
                continue
            try:
                data = _read_code(text, hrp, head.end())
                parse(data)
                if data not in codes:
                    codes.append(data)
            except HSIPError as error:
                errors.append(error)
    return codes, errors


def extract(text: str, own=()) -> bytes:
    """The one code that a text holds. A damaged candidate counts only where no whole code stands."""
    codes, errors = find_codes(text)
    codes = [code for code in codes if code not in own] or codes
    if len(codes) > 1:
        raise HSIPError("severalCodes", count=len(codes))
    if codes:
        return codes[0]
    if errors:
        raise errors[0]
    raise HSIPError("legacyLink" if _LEGACY.search(text) else "noCode")


# --- Bytes (section 3)

def _is_refused(point: int) -> bool:
    return (point <= 0x1F or 0x7F <= point <= 0x9F or point in (0x061C, 0x200B, 0x200E, 0x200F, 0xFEFF)
            or 0x2028 <= point <= 0x202E or 0x2060 <= point <= 0x2069 or 0xFFF9 <= point <= 0xFFFB
            or 0xE0000 <= point <= 0xE007F)


def check_name(name: bytes):
    """0 to 40 bytes of UTF-8 in NFC without controls and bidi marks; else `malformed`."""
    if len(name) > 40:
        raise HSIPError("malformed", why="name length")
    try:
        text = name.decode("utf-8")
    except UnicodeDecodeError:
        raise HSIPError("malformed", why="name encoding") from None
    if not unicodedata.is_normalized("NFC", text):
        raise HSIPError("malformed", why="name form")
    if any(_is_refused(ord(c)) for c in text):
        raise HSIPError("malformed", why="name code point")


@dataclass(frozen=True)
class Header:
    kind: int
    issued: int
    ttl: int = 0
    life: int = 0
    limit: int = 0
    flags: int = 0
    suite: int = 1
    version: int = 1

    def encode(self) -> bytes:
        return struct.pack(">BBBBIHHH", self.version, self.kind, self.suite, self.flags,
                           self.issued, self.ttl, self.life, self.limit)

    @staticmethod
    def parse(data: bytes) -> Header:
        version, kind, suite, flags, issued, ttl, life, limit = struct.unpack(">BBBBIHHH", data[:14])
        if suite not in suites(KIND_NAMES.get(kind, "")):
            raise HSIPError("unsupportedSuite", suite=suite)
        if flags & 1:
            raise HSIPError("singleKeyRefused")
        if flags & ~(2 if kind == KINDS["offer"] else 0):
            raise HSIPError("unsupportedFlag", flags=flags)
        if kind == KINDS["revoke"]:
            if ttl or life or limit:
                raise HSIPError("malformed", why="a revocation has no times")
        elif not (1 <= ttl <= 10080 and 1 <= life <= 720 and 1 <= limit <= 1000):
            raise HSIPError("malformed", why="range")
        return Header(kind, issued, ttl, life, limit, flags, suite, version)

    def check_future(self, wall: int):
        if self.issued > wall + 600:
            raise HSIPError("codeFromFuture", seconds=self.issued - wall)

    def check_late(self, effective: int):
        if effective > self.issued + 60 * self.ttl + 600:
            raise HSIPError("codeExpired")

    @property
    def end(self) -> int:
        return self.issued + 60 * self.ttl

    @property
    def epoch_end(self) -> int:
        return self.issued + 3600 * self.life


@dataclass(frozen=True)
class Offer:
    header: Header
    identity: bytes
    ephemeral: bytes
    name: bytes
    signature: bytes = bytes(64)
    kem: bytes = b""

    def encode(self) -> bytes:
        return (self.header.encode() + self.identity + self.ephemeral
                + bytes([len(self.name)]) + self.name + self.kem + self.signature)

    def signed_bytes(self) -> bytes:
        return label("sig-offer") + self.encode()[:-64]

    def signed(self, seed: bytes) -> Offer:
        return replace(self, signature=ed25519_sign(seed, self.signed_bytes()))

    def check_signature(self):
        if not ed25519_is_valid(self.identity, self.signature, self.signed_bytes()):
            raise HSIPError("badSignature")

    @property
    def hash(self) -> bytes:
        """thO"""
        return sha256(label("offer") + self.encode())

    @property
    def reference(self) -> bytes:
        return self.hash[:16]

    @property
    def is_fresh(self) -> bool:
        return bool(self.header.flags & 2)


@dataclass(frozen=True)
class Answer:
    header: Header
    offer_reference: bytes
    identity: bytes
    ephemeral: bytes
    name: bytes
    confirm: bytes = bytes(16)
    signature: bytes = bytes(64)
    kem: bytes = b""

    def encode(self) -> bytes:
        return (self.header.encode() + self.offer_reference + self.identity + self.ephemeral
                + bytes([len(self.name)]) + self.name + self.kem + self.confirm + self.signature)

    def transcript(self, offer_hash: bytes) -> bytes:
        """th, from thO"""
        return sha256(label("transcript") + offer_hash + sha256(self.encode()[:-80]))

    def signed_bytes(self, offer_hash: bytes) -> bytes:
        return label("sig-answer") + self.transcript(offer_hash) + self.confirm

    def check_signature(self, offer_hash: bytes):
        if not ed25519_is_valid(self.identity, self.signature, self.signed_bytes(offer_hash)):
            raise HSIPError("badSignature")


@dataclass(frozen=True)
class Rotate:
    header: Header
    reference: bytes
    epoch: int
    attempt: int
    ephemeral: bytes
    mac: bytes = bytes(16)
    signature: bytes = bytes(64)
    kem: bytes = b""

    def encode(self) -> bytes:
        return (self.header.encode() + self.reference + struct.pack(">IH", self.epoch, self.attempt)
                + self.ephemeral + self.kem + self.mac + self.signature)

    def mac_under(self, rotate_key: bytes, role: int) -> bytes:
        return hmac256(rotate_key, label("rotate") + bytes([role]) + self.encode()[:-80])[:16]

    def signed_bytes(self) -> bytes:
        return label("sig-rotate") + self.reference + self.encode()[:-64]

    def signed(self, rotate_key: bytes, role: int, seed: bytes) -> Rotate:
        maced = replace(self, mac=self.mac_under(rotate_key, role))
        return replace(maced, signature=ed25519_sign(seed, maced.signed_bytes()))

    def is_valid(self, rotate_key: bytes, role: int, identity: bytes) -> bool:
        return (is_equal(self.mac, self.mac_under(rotate_key, role))
                and ed25519_is_valid(identity, self.signature, self.signed_bytes()))

    @property
    def hash_reference(self) -> bytes:
        """rotateRef"""
        return sha256(label("rotate-ref") + self.encode())[:16]


@dataclass(frozen=True)
class Accept:
    header: Header
    reference: bytes
    epoch: int
    rotate_reference: bytes
    ephemeral: bytes
    confirm: bytes = bytes(16)
    signature: bytes = bytes(64)
    kem: bytes = b""

    def encode(self) -> bytes:
        return (self.header.encode() + self.reference + struct.pack(">I", self.epoch)
                + self.rotate_reference + self.ephemeral + self.kem + self.confirm + self.signature)

    def transcript(self, rotate: Rotate) -> bytes:
        """The transcript of the next epoch."""
        return sha256(label("rotate-transcript") + sha256(rotate.encode()) + sha256(self.encode()[:-80]))

    def signed_bytes(self, rotate: Rotate) -> bytes:
        return label("sig-accept") + self.transcript(rotate) + self.confirm


@dataclass(frozen=True)
class Revoke:
    header: Header
    scope: int
    reason: int
    reference: bytes = b""
    epoch: int = 0
    mac: bytes = bytes(16)
    identity: bytes = b""
    signature: bytes = bytes(64)

    def encode(self) -> bytes:
        head = self.header.encode() + bytes([self.scope, self.reason])
        if self.scope == 0:
            return head + self.reference + struct.pack(">I", self.epoch) + self.mac + self.signature
        return head + self.identity + self.signature

    def mac_under(self, rotate_key: bytes, role: int) -> bytes:
        return hmac256(rotate_key, label("revoke") + bytes([role]) + self.encode()[:-80])[:16]

    def signed_bytes(self) -> bytes:
        return label("sig-revoke") + self.encode()[:-64]

    def signed(self, seed: bytes, rotate_key: bytes | None = None, role: int = 0) -> Revoke:
        maced = self if self.scope else replace(self, mac=self.mac_under(rotate_key, role))
        return replace(maced, signature=ed25519_sign(seed, maced.signed_bytes()))

    def is_valid(self, identity: bytes, rotate_key: bytes | None = None, role: int = 0) -> bool:
        if self.scope == 0 and not is_equal(self.mac, self.mac_under(rotate_key, role)):
            return False
        return ed25519_is_valid(identity, self.signature, self.signed_bytes())


@dataclass(frozen=True)
class Verify:
    sender: bytes
    receiver: bytes

    def encode(self) -> bytes:
        return b"\x01\x06" + self.sender + self.receiver


def parse(data: bytes):
    """One of the six codes from its bytes, with every check that needs nothing but the bytes."""
    if len(data) < 2:
        raise HSIPError("malformed", why="length")
    if data[0] != 1:
        raise HSIPError("unsupportedVersion", version=data[0])
    kind = KIND_NAMES.get(data[1])
    if kind is None:
        raise HSIPError("malformed", why="kind")
    if kind == "verify":
        if len(data) != 66:
            raise HSIPError("malformed", why="length")
        return Verify(data[2:34], data[34:])
    if len(data) < 16:
        raise HSIPError("malformed", why="length")
    header = Header.parse(data)
    kem = kem_size(kind, header.suite)
    if kind == "offer" or kind == "answer":
        start = 78 if kind == "offer" else 94
        fixed = (143 if kind == "offer" else 175) + kem
        if len(data) < fixed or len(data) != fixed + data[start]:
            raise HSIPError("malformed", why="length")
        name = data[start + 1:start + 1 + data[start]]
        check_name(name)
        if kind == "offer":
            return Offer(header, data[14:46], data[46:78], name, data[-64:], data[-64 - kem:-64])
        return Answer(header, data[14:30], data[30:62], data[62:94], name, data[-80:-64], data[-64:], data[-80 - kem:-80])
    if kind == "rotate":
        if len(data) != 140 + kem:
            raise HSIPError("malformed", why="length")
        epoch, attempt = struct.unpack(">IH", data[22:28])
        if attempt == 0 or epoch == 0:
            raise HSIPError("malformed", why="range")
        return Rotate(header, data[14:22], epoch, attempt, data[28:60], data[-80:-64], data[-64:], data[60:-80])
    if kind == "accept":
        if len(data) != 154 + kem:
            raise HSIPError("malformed", why="length")
        epoch, = struct.unpack(">I", data[22:26])
        if epoch == 0:
            raise HSIPError("malformed", why="range")
        return Accept(header, data[14:22], epoch, data[26:42], data[42:74], data[-80:-64], data[-64:], data[74:-80])
    scope, reason = data[14], data[15]
    if scope > 1 or reason > 3 or len(data) != 108 + 4 * scope:
        raise HSIPError("malformed", why="scope, reason or length")
    if scope == 0:
        return Revoke(header, 0, reason, data[16:24], struct.unpack(">I", data[24:28])[0], data[28:44],
                      signature=data[44:])
    return Revoke(header, 1, reason, identity=data[16:48], signature=data[48:])


# --- Key schedule (section 4)

@dataclass(frozen=True)
class Keys:
    """Everything that D(x) gives for one epoch."""

    transcript: bytes
    shared: bytes
    kem: bytes
    """The secret of ML-KEM; empty in suite 01."""
    prk: bytes

    @property
    def suite(self) -> int:
        return 2 if self.kem else 1

    def derived(self, name: str, count: int = 32) -> bytes:
        return hkdf_expand(self.prk, label(name), count)

    i2r = property(lambda self: self.derived("i2r"))
    r2i = property(lambda self: self.derived("r2i"))
    single = property(lambda self: self.derived("single"))
    rotate = property(lambda self: self.derived("rotate"))
    chain = property(lambda self: self.derived("chain"))
    nonce_i2r = property(lambda self: self.derived("nonce-i2r"))
    nonce_r2i = property(lambda self: self.derived("nonce-r2i"))
    emoji = property(lambda self: self.derived("emoji"))
    reference = property(lambda self: self.derived("ref", 8))
    confirm_key = property(lambda self: self.derived("confirm"))

    @property
    def confirm(self) -> bytes:
        return hmac256(self.confirm_key, self.transcript)[:16]

    @staticmethod
    def first(transcript: bytes, shared: bytes, kem: bytes = b"") -> Keys:
        return Keys(transcript, shared, kem, hkdf_extract(transcript, shared + kem))

    @staticmethod
    def next(transcript: bytes, chain: bytes, shared: bytes, kem: bytes = b"") -> Keys:
        return Keys(transcript, shared, kem, hkdf_extract(transcript, chain + shared + kem))


def make_answer(offer: Offer, header: Header, seed: bytes, ephemeral: bytes, name: bytes) -> tuple[Answer, Keys]:
    """The signed answer to an offer and the keys of epoch 0. In suite 02 the randomness of ML-KEM follows the
    32 bytes of the ephemeral secret."""
    shared = x25519(ephemeral[:32], offer.ephemeral)
    ciphertext, kem = encapsulate(offer.kem, ephemeral[32:])
    answer = Answer(header, offer.reference, ed25519_public(seed),
                    x25519_public(ephemeral[:32]), name, kem=ciphertext)
    keys = Keys.first(answer.transcript(offer.hash), shared, kem)
    answer = replace(answer, confirm=keys.confirm)
    return replace(answer, signature=ed25519_sign(seed, answer.signed_bytes(offer.hash))), keys


def make_accept(rotate: Rotate, header: Header, seed: bytes, ephemeral: bytes, chain: bytes) -> tuple[Accept, Keys]:
    """The signed accept of a rotate and the keys of the next epoch; the ephemeral secret as in `make_answer`."""
    shared = x25519(ephemeral[:32], rotate.ephemeral)
    ciphertext, kem = encapsulate(rotate.kem, ephemeral[32:])
    accept = Accept(header, rotate.reference, rotate.epoch, rotate.hash_reference, x25519_public(ephemeral[:32]),
                    kem=ciphertext)
    keys = Keys.next(accept.transcript(rotate), chain, shared, kem)
    accept = replace(accept, confirm=keys.confirm)
    return replace(accept, signature=ed25519_sign(seed, accept.signed_bytes(rotate))), keys


# --- Verification (section 6)

EMOJI = ("🐕 🐈 🐘 🦁 🦊 🐻 🐼 🐨 🐯 🐸 🌲 🌵 🌺 🌻 🌹 🌷 🍀 🌾 🌴 🎋 🚗 🚕 🚙 🚌 🚎 🏎️ 🚓 🚑 🚒 🚐 "
         "🎸 🎹 🎺 🎷 🥁 🎻 🎤 🎧 🎼 🎵 ⚡ 🔥 💧 ❄️ ☀️ 🌙 ⭐ 💫 ✨ 🌈 🍕 🍔 🍟 🌭 🍿 🍩 🍪 🎂 🍰 🧁").split()


def fingerprint(identity: bytes) -> bytes:
    digest = hashlib.sha512(label("safety-number") + identity + peer_id(identity)).digest()
    for _ in range(5199):
        digest = hashlib.sha512(digest + identity).digest()
    return digest


def digits(identity: bytes) -> str:
    print_ = fingerprint(identity)
    return "".join("%05d" % (int.from_bytes(print_[5 * i:5 * i + 5], "big") % 100000) for i in range(6))


def safety_number(first: bytes, second: bytes) -> str:
    both = "".join(sorted((digits(first), digits(second))))
    return " ".join(both[i:i + 5] for i in range(0, 60, 5))


def verify_code(sender: bytes, receiver: bytes) -> Verify:
    return Verify(fingerprint(sender)[:32], fingerprint(receiver)[:32])


def check_verify(code: Verify, contact: bytes, own: bytes):
    if not is_equal(code.sender, fingerprint(contact)[:32]):
        raise HSIPError("verifyMismatch")
    if not is_equal(code.receiver, fingerprint(own)[:32]):
        raise HSIPError("verifyNotForMe")


def emoji_indices(keys: Keys) -> list[int]:
    """The twelve pictures of a pairing, from its epoch 0."""
    stretched = argon2id(keys.emoji, keys.transcript[:16], 3, 64 << 20, 96)
    return [value % 60 for value in struct.unpack(">12Q", stretched)]


def emoji_text(indices: list[int]) -> str:
    return "".join(EMOJI[index] for index in indices)


def legacy_emoji_indices(first: bytes, second: bytes) -> list[int]:
    return [byte % 60 for byte in blake3(min(first, second) + max(first, second))[:6]]


# --- Messages (section 7)

LOCK = "\U0001F512"
MESSAGE_AAD = b"HSIP-KEYBOARD-v1"
MAXIMUM_MESSAGE = 1 << 20
MINIMUM_MESSAGE = 61


def hedged_nonce(nonce_key: bytes, random: bytes, counter: int, plaintext: bytes) -> bytes:
    return hmac256(nonce_key, random + struct.pack(">I", counter) + sha256(plaintext))[:12]


def legacy_nonce_key(key: bytes) -> bytes:
    return hmac256(key, label("nonce-legacy"))


def seal_message(key: bytes, sender: bytes, nonce: bytes, plaintext: bytes) -> bytes:
    """The bytes of a message: 01, sender, nonce, tag, ciphertext."""
    sealed = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(plaintext, MESSAGE_AAD, nonce, key)
    return b"\x01" + sender + nonce + sealed[-16:] + sealed[:-16]


def open_message(key: bytes, message: bytes) -> bytes:
    try:
        return sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
            message[61:] + message[45:61], MESSAGE_AAD, message[33:45], key)
    except sodium_errors.CryptoError:
        raise HSIPError("cannotOpen") from None


def check_plaintext(plaintext: bytes):
    """What may be sealed: UTF-8 without U+0000 that fits."""
    if b"\0" in plaintext or len(plaintext) > MAXIMUM_MESSAGE - MINIMUM_MESSAGE:
        raise HSIPError("badPlaintext")
    try:
        plaintext.decode("utf-8")
    except UnicodeDecodeError:
        raise HSIPError("badPlaintext") from None


def format_message(message: bytes, form: str = "compact", link_id: str | None = None) -> str:
    text = base64.b64encode(message).decode("ascii")
    if form == "compact":
        return LOCK + text
    if form == "stealth":
        return text
    assert form == "verbose", form
    lines = [LOCK + " [HSIP Encrypted Message]"]
    if link_id is not None:
        lines += [f"Decrypt: hsip://m/{link_id}", f"Or visit: hsip://decrypt?id={link_id}"]
    return "\n".join(lines + ["", text])


def strict_base64(text: str) -> bytes | None:
    """Standard alphabet, canonical padding, nothing else; None if it is not that."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode("ascii") == text else None


def _message_candidates(text: str):
    whole = text.strip()
    if text.startswith(LOCK):
        lines = text.split("\n")
        longest = max(len(line.encode()) for line in lines)
        yield [line for line in lines if len(line.encode()) == longest][-1].strip().removeprefix(LOCK).strip()
    else:
        yield whole
    for line in text.splitlines():
        yield line.strip()
        if LOCK in line:
            after = line.split(LOCK, 1)[1].lstrip()
            yield after
            yield re.match(r"[A-Za-z0-9+/=]*", after).group()


def parse_message(text: str) -> bytes:
    """The bytes of the first message in a text."""
    is_newer = False
    for candidate in _message_candidates(text):
        data = strict_base64(candidate) if len(candidate) >= 4 else None
        if data and MINIMUM_MESSAGE <= len(data) <= MAXIMUM_MESSAGE:
            if data[0] == 1:
                return data
            is_newer = is_newer or data[0] in (2, 3)
    if is_newer:
        raise HSIPError("unsupportedVersion")
    stripped = text.strip()
    looks_like_one = LOCK in text or "[HSIP" in text or re.fullmatch(r"[A-Za-z0-9+/]{20,}={0,2}", stripped)
    raise HSIPError("malformedMessage" if looks_like_one else "noMessage")


def check_legacy_key(key: bytes):
    """Keys that test builds and half-finished apps are known to use."""
    if len(key) != 32 or len(set(key)) == 1 or key.startswith(b"TEMP_SESSION_KEY"):
        raise HSIPError("keyRefused")


# --- A peer

GRACE = 72 * 3600


@dataclass
class Epoch:
    number: int
    keys: Keys
    end: int
    limit: int
    sent: int = 0
    seen: dict = field(default_factory=dict)


@dataclass
class Pairing:
    role: int
    """0 if I am its offerer, 1 if its answerer."""
    transcript: bytes
    offer_issued: int
    answer_issued: int
    cur: Epoch
    emoji: list[int]
    confirmed: bool
    no_send: bool = False
    answer_text: str | None = None
    next: Epoch | None = None
    next_rotate: Rotate | None = None
    prev: list[Epoch] = field(default_factory=list)
    out: Rotate | None = None
    out_secret: bytes | None = None
    """The X25519 secret; in suite 02 the seed of ML-KEM follows."""
    seen_attempt: int = 0
    accept_text: str | None = None
    cur_rotate_reference: bytes | None = None
    revoked: int | None = None
    """The reason, once it has been ended."""

    @property
    def rank(self):
        return (self.answer_issued, self.transcript)

    @property
    def pid(self) -> bytes:
        return self.transcript[:16]

    def live(self) -> list[Epoch]:
        if self.revoked is not None:
            return []
        return [epoch for epoch in (self.next, self.cur, *self.prev) if epoch is not None]

    def send_key(self, epoch: Epoch) -> bytes:
        return epoch.keys.r2i if self.role else epoch.keys.i2r

    def receive_key(self, epoch: Epoch) -> bytes:
        return epoch.keys.i2r if self.role else epoch.keys.r2i

    def nonce_key(self, epoch: Epoch) -> bytes:
        return epoch.keys.nonce_r2i if self.role else epoch.keys.nonce_i2r

    def stamp(self, role: int) -> int:
        """The stamp that the person in a role has put on this pairing."""
        return self.answer_issued if role else self.offer_issued


@dataclass
class Contact:
    identity: bytes
    name: str
    pairings: list[Pairing] = field(default_factory=list)
    trust: str = "unverified"
    lowest_suite: int = 1
    """2 once an epoch of suite 02 was the current one of a confirmed pairing."""
    is_old: bool = False
    """The user has said that the program of this contact does not know suite 02."""

    @property
    def peer_id(self) -> bytes:
        return peer_id(self.identity)

    def check_suite(self, suite: int):
        if suite < self.lowest_suite:
            raise HSIPError("suiteDowngrade")

    def took(self, suite: int):
        """A code of a suite was taken."""
        self.is_old = self.is_old and suite == 1

    def uses(self, epoch: Epoch):
        """An epoch has become the current one of a confirmed pairing."""
        self.lowest_suite = max(self.lowest_suite, epoch.keys.suite)
        self.took(epoch.keys.suite)

    def live_pairings(self) -> list[Pairing]:
        """Highest rank first."""
        return sorted((p for p in self.pairings if p.revoked is None), key=lambda p: p.rank, reverse=True)

    def sending_pairing(self) -> Pairing:
        usable = [p for p in self.live_pairings() if not p.no_send]
        for wanted in (True, False):
            for pairing in usable:
                if pairing.confirmed == wanted:
                    return pairing
        raise HSIPError("revoked" if self.pairings else "noSession")


@dataclass
class OpenOffer:
    offer: Offer
    secret: bytes | None
    """As `out_secret` of a pairing."""
    contact: bytes | None
    state: str = "open"
    answered_by: bytes | None = None
    answer: bytes | None = None


class Peer:
    """One person with an identity, contacts and sessions, all in memory.

    Every method that takes a code takes text and finds the code in it. Randomness and the clock can be
    passed in; a method that needs an ephemeral key also accepts it, for vectors: 32 bytes for X25519, and in
    suite 02 what ML-KEM draws behind them. Not modelled: restored epochs, wiping by age, the trash, and imported
    keys beyond `seal_message` and `open_message`.
    """

    def __init__(self, seed: bytes | None = None, name: str = "", entropy=os.urandom, clock=None, suite=2):
        self.entropy = entropy
        self.suite = suite
        """The highest that this peer's program knows."""
        self.clock = clock or (lambda: int(time.time()))
        self.seed = seed or entropy(32)
        self.identity = ed25519_public(self.seed)
        self.peer_id = peer_id(self.identity)
        self.name = name
        self.contacts: dict[bytes, Contact] = {}
        self.offers: dict[bytes, OpenOffer] = {}
        self.answered: dict[bytes, tuple[str, Pairing]] = {}
        self.revoked_identities: set[bytes] = set()
        self.own_codes: set[bytes] = set()
        self.warnings: list[str] = []

    # Small helpers

    def _shown(self, code) -> str:
        data = code.encode()
        self.own_codes.add(data)
        return code_text(data)

    def _code(self, text: str, kind):
        code = parse(extract(text, self.own_codes))
        if not isinstance(code, kind):
            raise HSIPError("malformed", why=f"not {kind.__name__}")
        if not isinstance(code, Verify) and code.header.suite > self.suite:
            raise HSIPError("unsupportedSuite")
        return code

    def _drawn(self, suite: int, kem_count: int) -> bytes:
        return self.entropy(32 + (kem_count if suite == 2 else 0))

    def contact(self, who) -> Contact:
        """By identity key, or by name."""
        if isinstance(who, Contact):
            return who
        for contact in self.contacts.values():
            if who == contact.identity or who == contact.name:
                return contact
        raise HSIPError("unknownContact")

    def _slot(self, identity: bytes, sent_name: bytes, save_as: str | None, bound: bytes | None) -> Contact:
        known = self.contacts.get(identity)
        if known is not None:
            if (save_as is not None and save_as != known.name) or bound not in (None, identity):
                raise HSIPError("identityKnown", name=known.name)
            return known
        if bound is not None or (save_as is not None and any(c.name == save_as for c in self.contacts.values())):
            raise HSIPError("identityChanged")
        name = save_as or sent_name.decode("utf-8") or peer_id_text(peer_id(identity))
        if any(contact.name == name for contact in self.contacts.values()):
            raise HSIPError("nameCollision")
        return Contact(identity, name)

    def _add(self, contact: Contact, pairing: Pairing):
        self.contacts[contact.identity] = contact
        contact.pairings.append(pairing)
        live = contact.live_pairings()
        if len(live) > 4:
            sending = contact.sending_pairing()
            [p for p in live if p is not sending][-1].revoked = 0

    # Pairing (section 5)

    def make_offer(self, contact=None, ttl=1440, life=168, limit=1000, fresh=False, anonymous=False,
                   ephemeral: bytes | None = None, issued: int | None = None, suite: int | None = None) -> str:
        bound = None
        if contact is not None:
            known = self.contact(contact)
            suite = suite or (1 if known.is_old else None)
            known.check_suite(suite or self.suite)
            bound = known.identity
        suite = suite or self.suite
        if bound is None and sum(o.state == "open" and o.contact is None for o in self.offers.values()) >= 32:
            raise HSIPError("tooManyOffers")
        secret = ephemeral or self._drawn(suite, mlkem.SEED)
        header = Header(KINDS["offer"], self.clock() if issued is None else issued, ttl, life, limit,
                        flags=2 if fresh else 0, suite=suite)
        name = b"" if anonymous else self.name.encode("utf-8")
        check_name(name)
        public, kem = one_time_public(secret)
        offer = Offer(header, self.identity, public, name, kem=kem).signed(self.seed)
        self.offers[offer.reference] = OpenOffer(offer, secret, bound)
        return self._shown(offer)

    def take_offer(self, text: str, save_as: str | None = None, ttl=1440, life: int | None = None,
                   limit: int | None = None, anonymous=False, ephemeral: bytes | None = None,
                   issued: int | None = None) -> str:
        offer = self._code(text, Offer)
        offer.check_signature()
        now = self.clock()
        if offer.reference in self.offers:
            raise HSIPError("selfPairing")
        if offer.reference in self.answered:
            answer_text, pairing = self.answered[offer.reference]
            if pairing.revoked is not None:
                raise HSIPError("offerSpent")
            return answer_text
        offer.header.check_future(now)
        offer.header.check_late(now)
        if offer.identity == self.identity:
            raise HSIPError("selfPairing")
        if offer.identity in self.revoked_identities:
            raise HSIPError("identityRevoked")
        contact = self._slot(offer.identity, offer.name, save_as, None)
        contact.check_suite(offer.header.suite)
        secret = ephemeral or self._drawn(offer.header.suite, mlkem.RANDOM)
        if is_low_order(offer.ephemeral) or offer.ephemeral == x25519_public(secret[:32]):
            raise HSIPError("badKey")
        if issued is None:
            confirmed = [p.answer_issued for p in contact.live_pairings() if p.confirmed]
            issued = max([now] + [stamp + 1 for stamp in confirmed])
            issued = now if issued > now + 300 else issued
        header = Header(KINDS["answer"], issued, ttl, life or offer.header.life, limit or offer.header.limit,
                        suite=offer.header.suite)
        name = b"" if anonymous else self.name.encode("utf-8")
        answer, keys = make_answer(offer, header, self.seed, secret, name)
        pairing = Pairing(1, keys.transcript, offer.header.issued, issued,
                          Epoch(0, keys, header.epoch_end, header.limit), emoji_indices(keys), False,
                          answer_text=self._shown(answer))
        if offer.is_fresh:
            if any(p.rank > pairing.rank for p in contact.live_pairings()):
                raise HSIPError("clockSuspect")
            for older in contact.live_pairings():
                older.no_send = True
        self._add(contact, pairing)
        contact.took(offer.header.suite)
        self.answered[offer.reference] = (pairing.answer_text, pairing)
        return pairing.answer_text

    def take_answer(self, text: str, save_as: str | None = None) -> Contact:
        answer = self._code(text, Answer)
        record = self.offers.get(answer.offer_reference)
        if record is None:
            raise HSIPError("unknownOffer")
        offer, now = record.offer, self.clock()
        if answer.header.suite != offer.header.suite:
            raise HSIPError("malformed", why="suite of the offer")
        if record.state == "answered":
            return self._second_answer(record, answer)
        if record.state == "closed":
            raise HSIPError("offerClosed")
        answer.check_signature(offer.hash)
        if answer.header.life > offer.header.life or answer.header.limit > offer.header.limit:
            raise HSIPError("malformed", why="an answer only lowers")
        answer.header.check_future(now)
        if (answer.header.issued > offer.header.end + 600 or now > offer.header.end + 24 * 3600
                or now > answer.header.end + 600):
            raise HSIPError("offerExpired")
        if now > answer.header.epoch_end:
            raise HSIPError("codeExpired")
        if answer.identity == self.identity:
            raise HSIPError("selfPairing")
        if answer.identity in self.revoked_identities:
            raise HSIPError("identityRevoked")
        contact = self._slot(answer.identity, answer.name, save_as, record.contact)
        contact.check_suite(answer.header.suite)
        if answer.ephemeral == offer.ephemeral:
            raise HSIPError("badKey")
        keys = Keys.first(answer.transcript(offer.hash), x25519(record.secret[:32], answer.ephemeral),
                          decapsulate(record.secret, answer.kem))
        if not is_equal(keys.confirm, answer.confirm):
            raise HSIPError("confirmFailed")
        pairing = Pairing(0, keys.transcript, offer.header.issued, answer.header.issued,
                          Epoch(0, keys, answer.header.epoch_end, answer.header.limit),
                          emoji_indices(keys), True)
        self._add(contact, pairing)
        contact.uses(pairing.cur)
        record.state, record.secret = "answered", None
        record.answered_by, record.answer = answer.identity, answer.encode()
        return contact

    def _second_answer(self, record: OpenOffer, answer: Answer) -> Contact:
        first = self.contacts.get(record.answered_by)
        if answer.encode() == record.answer:
            alive = first and any(p.transcript == answer.transcript(record.offer.hash)
                                  for p in first.live_pairings())
            raise HSIPError("alreadyPaired" if alive else "offerSpent")
        try:
            answer.check_signature(record.offer.hash)
        except HSIPError:
            raise HSIPError("malformed", why="a second answer that its author did not sign") from None
        if answer.identity != record.answered_by and first and first.trust == "unverified":
            first.trust = "suspicious"
        raise HSIPError("offerAlreadyUsed", same=answer.identity == record.answered_by)

    # Messages (sections 7 and 8)

    def _sending_epoch(self, pairing: Pairing) -> Epoch:
        now = self.clock()
        for epoch in (pairing.cur, pairing.next):
            if epoch is not None and epoch.sent < epoch.limit and now <= epoch.end:
                if epoch is pairing.next:
                    self.warnings.append("readableAfterAccept")
                return epoch
        if now > pairing.cur.end:
            raise HSIPError("sessionExpired")
        raise HSIPError("rekeyRequired")

    def seal(self, contact, plaintext: str | bytes, form: str = "compact", link_id: str | None = None,
             number: int | None = None, random: bytes | None = None, nonce: bytes | None = None) -> str:
        """One message. `number` forces the counter of the hedged nonce and does not touch the real one."""
        data = plaintext.encode("utf-8") if isinstance(plaintext, str) else plaintext
        check_plaintext(data)
        self.warnings = []
        pairing = self.contact(contact).sending_pairing()
        epoch = self._sending_epoch(pairing)
        if number is None:
            epoch.sent += 1
            number = epoch.sent
        if not pairing.confirmed:
            self.warnings.append("unconfirmed")
        if nonce is None:
            nonce = hedged_nonce(pairing.nonce_key(epoch), random or self.entropy(16), number, data)
        return format_message(seal_message(pairing.send_key(epoch), self.peer_id, nonce, data), form, link_id)

    def open(self, text: str, reread: bool = False) -> tuple[Contact, str]:
        message = parse_message(text)
        sender, nonce = message[1:33], message[33:45]
        if sender == self.peer_id:
            raise HSIPError("ownMessage")
        contact = next((c for c in self.contacts.values() if c.peer_id == sender), None)
        if contact is None:
            raise HSIPError("unknownSender")
        for pairing in contact.live_pairings():
            for epoch in pairing.live():
                try:
                    plaintext = open_message(pairing.receive_key(epoch), message)
                except HSIPError:
                    continue
                if nonce in epoch.seen:
                    if not reread:
                        raise HSIPError("replayed")
                elif len(epoch.seen) >= epoch.limit:
                    raise HSIPError("peerOverLimit")
                try:
                    readable = plaintext.decode("utf-8")
                except UnicodeDecodeError:
                    raise HSIPError("malformedMessage") from None
                epoch.seen.setdefault(nonce, self.clock())
                self._confirm(contact, pairing, promote=epoch is pairing.next)
                return contact, readable
        raise HSIPError("cannotOpen")

    # Rotation (section 8)

    def _confirm(self, contact: Contact, pairing: Pairing, promote: bool):
        """Something was read under the keys of a pairing, maybe under those of `next`."""
        if not pairing.confirmed:
            pairing.confirmed = True
            contact.uses(pairing.cur)
        if promote:
            self._promote(contact, pairing)

    def _become(self, contact: Contact, pairing: Pairing, epoch: Epoch, rotate: Rotate):
        pairing.prev = ([pairing.cur] + pairing.prev)[:2]
        pairing.cur, pairing.cur_rotate_reference = epoch, rotate.hash_reference
        pairing.next = pairing.next_rotate = pairing.out = pairing.out_secret = None
        pairing.accept_text, pairing.seen_attempt = None, 0
        contact.uses(epoch)

    def _promote(self, contact: Contact, pairing: Pairing):
        self._become(contact, pairing, pairing.next, pairing.next_rotate)

    def promote(self, contact):
        """Rule 5 by hand, where a test has no message of the peer at hand."""
        contact = self.contact(contact)
        pairing = contact.sending_pairing()
        if pairing.next is None:
            raise HSIPError("noSession")
        self._promote(contact, pairing)

    def set_old(self, contact, is_old=True):
        """`contact set --suite 01` lifts the pin and sets the mark, `--suite 02` ends the mark."""
        contact = self.contact(contact)
        contact.is_old = is_old
        if not is_old:
            return
        contact.lowest_suite = 1
        for pairing in contact.live_pairings():
            if pairing.out and pairing.out.header.suite > pairing.cur.keys.suite:
                pairing.out = pairing.out_secret = None
        self._close_bound_offers(contact, suite=2)

    def _close_bound_offers(self, contact: Contact, suite: int | None = None):
        for record in self.offers.values():
            if (record.state == "open" and record.contact == contact.identity
                    and suite in (None, record.offer.header.suite)):
                record.state, record.secret = "closed", None

    def _start(self, contact: Contact, pairing: Pairing, ttl, life, limit, ephemeral, issued) -> str:
        if pairing.seen_attempt >= 65535:
            raise HSIPError("attemptsExhausted")
        suite = 1 if contact.is_old and pairing.cur.keys.suite == 1 else self.suite
        if suite < pairing.cur.keys.suite:
            raise HSIPError("suiteDowngrade")
        secret = ephemeral or self._drawn(suite, mlkem.SEED)
        public, kem = one_time_public(secret)
        pairing.seen_attempt += 1
        header = Header(KINDS["rotate"], self.clock() if issued is None else issued, ttl, life, limit, suite=suite)
        rotate = Rotate(header, pairing.cur.keys.reference, pairing.cur.number + 1, pairing.seen_attempt,
                        public, kem=kem)
        pairing.out = rotate.signed(pairing.cur.keys.rotate, pairing.role, self.seed)
        pairing.out_secret = secret
        self._close_bound_offers(contact)
        return self._shown(pairing.out)

    def start_rotate(self, contact, ttl=10080, life=168, limit=1000, ephemeral: bytes | None = None,
                     issued: int | None = None) -> str:
        """Rule 1: a new ROTATE, even where an older one is still out."""
        contact = self.contact(contact)
        pairing = contact.sending_pairing()
        if not pairing.confirmed:
            raise HSIPError("noSession")
        return self._start(contact, pairing, ttl, life, limit, ephemeral, issued)

    def shown_code(self, contact) -> str | None:
        """Rule 0 without its last resort: the code that the contact must still get."""
        pairing = self.contact(contact).sending_pairing()
        if not pairing.confirmed:
            return pairing.answer_text
        if pairing.out is not None:
            return code_text(pairing.out.encode())
        return pairing.accept_text

    def _found_by_reference(self, reference: bytes):
        for contact in self.contacts.values():
            for pairing in contact.live_pairings():
                for epoch in pairing.live():
                    if epoch.keys.reference == reference:
                        yield contact, pairing, epoch

    def _wins(self, rotate: Rotate, contact: Contact, pairing: Pairing) -> bool:
        """Whether a rotate under `cur` ranks above one's own and above the one that is prepared."""
        own = self._rank(pairing.out.attempt, self.peer_id, contact.peer_id) if pairing.out else (0, 0)
        prepared = (self._rank(pairing.next_rotate.attempt, contact.peer_id, self.peer_id)
                    if pairing.next_rotate else (0, 0))
        return self._rank(rotate.attempt, contact.peer_id, self.peer_id) > max(own, prepared)

    def _rank(self, attempt: int, author: bytes, other: bytes):
        return (attempt, 1 if author < other else 0)

    def take_rotate(self, text: str, ttl=10080, life: int | None = None, limit: int | None = None,
                    ephemeral: bytes | None = None, issued: int | None = None) -> str | None:
        """Rule 2. Returns the code to show; `alreadyDone` is raised."""
        rotate = self._code(text, Rotate)
        candidates = list(self._found_by_reference(rotate.reference))
        if not candidates:
            raise HSIPError("staleCode")
        valid = [c for c in candidates
                 if rotate.epoch == c[2].number + 1
                 and rotate.is_valid(c[2].keys.rotate, 1 - c[1].role, c[0].identity)]
        if not valid:
            raise HSIPError("badSignature")
        contact, pairing, epoch = valid[0]
        if rotate.header.suite < epoch.keys.suite:
            raise HSIPError("suiteDowngrade")
        if rotate.hash_reference == pairing.cur_rotate_reference:
            raise HSIPError("alreadyDone")
        now = self.clock()
        if epoch is pairing.cur and (rotate == pairing.next_rotate or not self._wins(rotate, contact, pairing)):
            return self.shown_code(contact)
        rotate.header.check_future(now)
        rotate.header.check_late(now)
        if epoch in pairing.prev:
            self.warnings = ["peerCatchingUp"]
            if pairing.out is not None:
                return code_text(pairing.out.encode())
            return self._start(contact, pairing, 10080, 168, 1000, None, None)
        secret = ephemeral or self._drawn(rotate.header.suite, mlkem.RANDOM)
        if rotate.ephemeral == x25519_public(secret[:32]):
            raise HSIPError("badKey")
        header = Header(KINDS["accept"], now if issued is None else issued, ttl,
                        life or rotate.header.life, limit or rotate.header.limit, suite=rotate.header.suite)
        accept, keys = make_accept(rotate, header, self.seed, secret, epoch.keys.chain)
        self._confirm(contact, pairing, promote=epoch is pairing.next)
        contact.took(rotate.header.suite)
        pairing.out = pairing.out_secret = None
        pairing.next = Epoch(rotate.epoch, keys, header.epoch_end, header.limit)
        pairing.next_rotate = rotate
        pairing.seen_attempt = max(pairing.seen_attempt, rotate.attempt)
        pairing.accept_text = self._shown(accept)
        self._close_bound_offers(contact)
        return pairing.accept_text

    def take_accept(self, text: str) -> Contact:
        """Rule 3."""
        accept = self._code(text, Accept)
        candidates = list(self._found_by_reference(accept.reference))
        for contact, pairing, epoch in candidates:
            if epoch is not pairing.cur or pairing.out is None:
                continue
            rotate = pairing.out
            if accept.rotate_reference != rotate.hash_reference or accept.epoch != rotate.epoch:
                continue
            if accept.header.suite != rotate.header.suite:
                raise HSIPError("malformed", why="suite of the rotate")
            now = self.clock()
            accept.header.check_future(now)
            accept.header.check_late(now)
            if accept.ephemeral == rotate.ephemeral:
                raise HSIPError("badKey")
            shared = x25519(pairing.out_secret[:32], accept.ephemeral)
            if not ed25519_is_valid(contact.identity, accept.signature, accept.signed_bytes(rotate)):
                raise HSIPError("badSignature")
            keys = Keys.next(accept.transcript(rotate), epoch.keys.chain, shared,
                             decapsulate(pairing.out_secret, accept.kem))
            if not is_equal(keys.confirm, accept.confirm):
                raise HSIPError("badSignature", why="confirm")
            if accept.header.life > rotate.header.life or accept.header.limit > rotate.header.limit:
                raise HSIPError("malformed", why="an accept only lowers")
            if now > accept.header.epoch_end:
                raise HSIPError("codeExpired")
            self._become(contact, pairing, Epoch(accept.epoch, keys, accept.header.epoch_end, accept.header.limit),
                         rotate)
            return contact
        if any(p.cur_rotate_reference == accept.rotate_reference for _, p, _ in candidates):
            raise HSIPError("alreadyDone")
        raise HSIPError("staleCode")

    # Revocation (section 9)

    def _end(self, contact: Contact, reason: int, pairings=None):
        for pairing in contact.live_pairings() if pairings is None else pairings:
            pairing.revoked = reason
        self._close_bound_offers(contact)

    def revoke_session(self, contact, reason=0, issued: int | None = None, keep=False) -> str:
        """The notice, made before every session of the contact is wiped. `keep` is for vectors."""
        contact = self.contact(contact)
        pairing = contact.sending_pairing()
        if issued is None:
            issued = max([self.clock()] + [p.stamp(p.role) for p in contact.live_pairings()])
        notice = Revoke(Header(KINDS["revoke"], issued), 0, reason, pairing.cur.keys.reference,
                        pairing.cur.number).signed(self.seed, pairing.cur.keys.rotate, pairing.role)
        if not keep:
            self._end(contact, reason)
        return self._shown(notice)

    def revoke_identity(self, reason=0, issued: int | None = None) -> str:
        issued = self.clock() if issued is None else issued
        return self._shown(Revoke(Header(KINDS["revoke"], issued), 1, reason,
                                  identity=self.identity).signed(self.seed))

    def take_revoke(self, text: str) -> Contact | None:
        """Ends what the notice names; None if it is about an identity that nobody here has."""
        notice = self._code(text, Revoke)
        if notice.scope == 1:
            if not notice.is_valid(notice.identity):
                raise HSIPError("badSignature")
            notice.header.check_future(self.clock())
            self.revoked_identities.add(notice.identity)
            contact = self.contacts.get(notice.identity)
            if contact is not None:
                contact.trust = "revoked"
                self._end(contact, notice.reason)
            return contact
        candidates = list(self._found_by_reference(notice.reference))
        if not candidates:
            raise HSIPError("unknownSession")
        for contact, pairing, epoch in candidates:
            if notice.epoch == epoch.number and notice.is_valid(contact.identity, epoch.keys.rotate,
                                                                1 - pairing.role):
                notice.header.check_future(self.clock())
                ended = [p for p in contact.live_pairings()
                         if p is pairing or p.stamp(1 - p.role) <= notice.header.issued]
                self._end(contact, notice.reason, ended)
                return contact
        raise HSIPError("badSignature")

    # Verification (section 6)

    def safety_number(self, contact) -> str:
        return safety_number(self.identity, self.contact(contact).identity)

    def verify_text(self, contact) -> str:
        return self._shown(verify_code(self.identity, self.contact(contact).identity))

    def check_verify(self, contact, text: str):
        """Silent when it matches. It proves something only if it came from the person's own screen."""
        check_verify(self._code(text, Verify), self.contact(contact).identity, self.identity)

    def emoji(self, contact) -> str:
        return emoji_text(self.contact(contact).sending_pairing().emoji)

    # Any code

    def take(self, text: str):
        """What `accept` does: the kind decides. Returns the reply to show, or None."""
        code = parse(extract(text, self.own_codes))
        if isinstance(code, Offer):
            return self.take_offer(text)
        if isinstance(code, Rotate):
            return self.take_rotate(text)
        if isinstance(code, Answer):
            self.take_answer(text)
        elif isinstance(code, Accept):
            self.take_accept(text)
        elif isinstance(code, Revoke):
            self.take_revoke(text)
        else:
            contact = next((c for c in self.contacts.values()
                            if is_equal(fingerprint(c.identity)[:32], code.sender)), None)
            if contact is None:
                raise HSIPError("verifyMismatch")
            self.check_verify(contact, text)
        return None
