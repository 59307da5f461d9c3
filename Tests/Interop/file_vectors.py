"""Writes Schemas/vectors/file-container.json.

    python3 Tests/Interop/file_vectors.py > Schemas/vectors/file-container.json
"""

import hashlib
import json

import file_container as fc

KEY, SENDER, NONCE, FILE_KEY = (hashlib.sha256(word).digest() for word in
                                (b"message key", b"sender", b"nonce", b"file key"))
SIZES = [0, 1, 16, 65535, 65536, 65537, 131072, 200000]


def plaintext(count: int) -> bytes:
    """Byte number i is i times 7 plus the high byte of i, modulo 256."""
    return bytes((index * 7 + (index >> 8)) & 0xFF for index in range(count))


def case(count: int) -> dict:
    head = fc.header(fc.seal_key_message(KEY, SENDER, NONCE[:12], FILE_KEY))
    whole = fc.seal(head, FILE_KEY, plaintext(count))
    return {
        "size": count,
        "sealed_size": len(whole),
        "sealed_sha256": hashlib.sha256(whole).hexdigest(),
        "last_bytes": whole[-min(32, len(whole) - len(head)):].hex(),
    }


def compute() -> dict:
    head = fc.header(fc.seal_key_message(KEY, SENDER, NONCE[:12], FILE_KEY))
    return {
        "format": 1,
        "message_key": KEY.hex(),
        "sender": SENDER.hex(),
        "nonce": NONCE[:12].hex(),
        "file_key": FILE_KEY.hex(),
        "header": head.hex(),
        "chunk_key": fc.chunk_key(head, FILE_KEY).hex(),
        "nonce_0_last": fc.nonce(0, True).hex(),
        "nonce_1": fc.nonce(1, False).hex(),
        "empty_file": fc.seal(head, FILE_KEY, b"").hex(),
        "cases": [case(count) for count in SIZES],
    }


if __name__ == "__main__":
    print(json.dumps(compute(), indent=2))
