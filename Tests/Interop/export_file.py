"""Exports of a vault, a second time (Schemas/export.md): a reader and a writer.

Written from the page alone, an oracle for tests: keys lie in ordinary memory.
"""

import os
import struct

from nacl import bindings as sodium
from nacl import exceptions as sodium_errors

import vault_file as vf
from hsip_xc1 import hkdf_expand

MAGIC = b"HSIPEXPORT1\n"
SLICE = 65536
ABOUT, SECRET, SSH_KEY, SSH_HOST, KNOWN_HOSTS = range(5)


def _keys(passphrase: str, front: bytes) -> tuple[bytes, bytes]:
    passes, memory = struct.unpack(">II", front[12:20])
    root = sodium.crypto_pwhash_alg(32, vf.passphrase_bytes(passphrase), front[20:36], passes, memory << 10,
                                    sodium.crypto_pwhash_ALG_ARGON2ID13)
    return (hkdf_expand(root, b"hsip export v1 slices" + front, 32), hkdf_expand(root, b"hsip export v1 check" + front, 32))


def _nonce(number: int, last: bool) -> bytes:
    return struct.pack(">QB", number, last) + bytes(15)


def write(items: list[tuple[int, str, bytes]], passphrase: str, passes: int = 3, memory: int = 65536) -> bytes:
    front = MAGIC + struct.pack(">II", passes, memory) + os.urandom(16)
    key, check = _keys(passphrase, front)
    plain = b"".join(struct.pack(">BH", kind, len(name.encode())) + name.encode() + struct.pack(">I", len(content)) + content
                     for kind, name, content in items)
    slices = [plain[start:start + SLICE] for start in range(0, len(plain), SLICE)] or [b""]
    return front + check + b"".join(
        sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(part, b"", _nonce(number, number == len(slices) - 1), key)
        for number, part in enumerate(slices))


def read(file: bytes, passphrase: str) -> list[tuple[int, str, bytes]]:
    if file[:12] != MAGIC:
        raise vf.VaultError("malformedInput")
    front, check, rest = file[:36], file[36:68], file[68:]
    key, wanted = _keys(passphrase, front)
    if check != wanted:
        raise vf.VaultError("wrongSecret")
    sealed = [rest[start:start + SLICE + 16] for start in range(0, len(rest), SLICE + 16)]
    try:
        plain = b"".join(
            sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(part, b"", _nonce(number, number == len(sealed) - 1), key)
            for number, part in enumerate(sealed))
    except sodium_errors.CryptoError:
        raise vf.VaultError("tampered") from None
    items, place = [], 0
    while place < len(plain):
        kind, count = struct.unpack_from(">BH", plain, place)
        name = plain[place + 3:place + 3 + count].decode()
        place += 3 + count
        count, = struct.unpack_from(">I", plain, place)
        items.append((kind, name, plain[place + 4:place + 4 + count]))
        place += 4 + count
    return items


def credential(content: bytes) -> dict:
    """The content of a record `secret` (Schemas/credentials.md section 2)."""
    place = 0

    def number(form: str) -> int:
        nonlocal place
        value, = struct.unpack_from(form, content, place)
        place += struct.calcsize(form)
        return value

    def string() -> bytes:
        nonlocal place
        count = number(">I")
        place += count
        return content[place - count:place]

    if number(">B") != 1:
        raise vf.VaultError("unsupportedVersion")
    found = {"type": ("login", "token", "note", "file")[number(">B")], "removed": number(">Q"), "end": number(">Q"),
             "origin": string().decode(), "tags": [string().decode() for _ in range(number(">I"))]}
    values = [string() for _ in range(number(">I"))]
    versions = []
    for _ in range(number(">I")):
        version = {"number": number(">I"), "created": number(">Q"), "fields": {}}
        for _ in range(number(">I")):
            name = string().decode()
            version["fields"][name] = values[number(">I")]
        versions.append(version)
    if place != len(content):
        raise vf.VaultError("malformed")
    return found | {"versions": versions, "fields": versions[-1]["fields"]}
