"""Texts under a typed key, a second time: written from Schemas/text.md, over OpenSSL by way of `cryptography`.

    python3 Tests/Interop/text_cipher.py > Schemas/vectors/text.json
"""

from __future__ import annotations

import base64
import hashlib
import json
import os

from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

ROUNDS = 100_000
IV = {"gcm": 12, "cbc": 16, "ctr": 16}


def derive(key: bytes, salt: bytes) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", key, salt, ROUNDS, 32)


def seal(algorithm: str, key: bytes, plaintext: bytes, salt: bytes | None = None, iv: bytes | None = None) -> str:
    salt, iv = salt or os.urandom(16), iv or os.urandom(IV[algorithm])
    secret = derive(key, salt)
    if algorithm == "gcm":
        sealed = AESGCM(secret).encrypt(iv, plaintext, None)
    else:
        if algorithm == "cbc":
            padder = padding.PKCS7(128).padder()
            plaintext = padder.update(plaintext) + padder.finalize()
        mode = modes.CBC(iv) if algorithm == "cbc" else modes.CTR(iv)
        encryptor = Cipher(algorithms.AES(secret), mode).encryptor()
        sealed = encryptor.update(plaintext) + encryptor.finalize()
    return f"{algorithm}:{base64.b64encode(salt + iv + sealed).decode()}"


def open_text(text: str, key: bytes) -> bytes:
    word, colon, rest = text.strip().partition(":")
    algorithm, body = (word, rest) if colon else ("gcm", word)
    data = base64.b64decode(body, validate=True)
    salt, iv, sealed = data[:16], data[16:16 + IV[algorithm]], data[16 + IV[algorithm]:]
    secret = derive(key, salt)
    if algorithm == "gcm":
        return AESGCM(secret).decrypt(iv, sealed, None)
    mode = modes.CBC(iv) if algorithm == "cbc" else modes.CTR(iv)
    decryptor = Cipher(algorithms.AES(secret), mode).decryptor()
    plain = decryptor.update(sealed) + decryptor.finalize()
    if algorithm == "cbc":
        unpadder = padding.PKCS7(128).unpadder()
        plain = unpadder.update(plain) + unpadder.finalize()
    return plain


TEXTS = ["", "x", "exactly sixteen.", "Hello, Ciphio! \U0001F512 \u0645\u0631\u062d\u0628\u0627", "line\nfeeds\n" * 20]
KEYS = ["correct horse battery staple", "\u043f\u0430\u0440\u043e\u043b\u044c", "k"]


def compute() -> dict:
    cases = []
    for algorithm in IV:
        for number, text in enumerate(TEXTS):
            key = KEYS[number % len(KEYS)]
            random = hashlib.sha256(f"{algorithm} {number}".encode()).digest() * 2
            salt, iv = random[:16], random[16:16 + IV[algorithm]]
            cases.append({"algorithm": algorithm, "key": key, "plaintext": text, "salt": salt.hex(), "iv": iv.hex(),
                          "text": seal(algorithm, key.encode(), text.encode(), salt, iv)})
    return {"format": 1, "rounds": ROUNDS, "cases": cases}


if __name__ == "__main__":
    print(json.dumps(compute(), indent=2, ensure_ascii=False))
