"""A file for a contact, a second time: written from Schemas/file-container.md alone.

An oracle for tests: it reads whole files into ordinary memory and must not be used to protect anything.
"""

from __future__ import annotations

import hashlib
import hmac

from nacl import bindings as sodium
from nacl import exceptions as sodium_errors

MAGIC = b"\x89HSIPF\r\n"
VERSION = 1
KEY_MESSAGE_AAD = b"HSIP-FILE-v1"
INFO = b"HSIP-FILE-v1 chunks"
CHUNK, TAG, MESSAGE = 65536, 16, 93


class FileError(Exception):
    """A refusal, by its name in the specification."""

    def __init__(self, name: str):
        super().__init__(name)
        self.name = name


def seal_key_message(key: bytes, sender: bytes, nonce: bytes, file_key: bytes) -> bytes:
    sealed = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(file_key, KEY_MESSAGE_AAD, nonce, key)
    return b"\x01" + sender + nonce + sealed[-TAG:] + sealed[:-TAG]


def open_key_message(key: bytes, message: bytes) -> bytes:
    try:
        return sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
            message[61:] + message[45:61], KEY_MESSAGE_AAD, message[33:45], key)
    except sodium_errors.CryptoError:
        raise FileError("cannotOpen") from None


def header(message: bytes) -> bytes:
    return MAGIC + bytes([VERSION]) + message


def read_header(data: bytes) -> bytes:
    """The key message."""
    if data[:8] != MAGIC or len(data) < 9:
        raise FileError("malformedFile")
    if data[8] != VERSION:
        raise FileError("unsupportedVersion")
    if len(data) < 9 + MESSAGE or data[9] != 1:
        raise FileError("malformedFile")
    return data[9:9 + MESSAGE]


def chunk_key(head: bytes, file_key: bytes) -> bytes:
    extracted = hmac.new(head, file_key, hashlib.sha256).digest()
    return hmac.new(extracted, INFO + b"\x01", hashlib.sha256).digest()


def nonce(number: int, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([is_last])


def seal(head: bytes, file_key: bytes, plaintext: bytes) -> bytes:
    """The whole file."""
    key, pieces = chunk_key(head, file_key), [head]
    count = max(1, -(-len(plaintext) // CHUNK))
    for number in range(count):
        piece = plaintext[number * CHUNK:(number + 1) * CHUNK]
        pieces.append(sodium.crypto_aead_chacha20poly1305_ietf_encrypt(
            piece, b"", nonce(number, number == count - 1), key))
    return b"".join(pieces)


def open_file(data: bytes, file_key: bytes) -> bytes:
    """What was sealed."""
    read_header(data)
    key, rest, pieces = chunk_key(data[:9 + MESSAGE], file_key), data[9 + MESSAGE:], []
    size = CHUNK + TAG
    count = max(1, -(-len(rest) // size))

    def opened(number: int, is_last: bool) -> bytes | None:
        try:
            return sodium.crypto_aead_chacha20poly1305_ietf_decrypt(
                rest[number * size:(number + 1) * size], b"", nonce(number, is_last), key)
        except sodium_errors.CryptoError:
            return None

    for number in range(count):
        length = len(rest[number * size:(number + 1) * size])
        is_last = number == count - 1
        if length < TAG:
            raise FileError("fileCut")
        if length == TAG and number > 0:
            raise FileError("fileChanged")
        piece = opened(number, is_last)
        if piece is None:
            raise FileError("fileCut" if is_last and opened(number, False) is not None else "fileChanged")
        pieces.append(piece)
    return b"".join(pieces)
