"""ML-KEM-768 of FIPS 203, from the standard, in plain Python.

It runs in times that depend on its secrets, so it must never be used to protect anything. The names and the
numbers of algorithms in the comments are those of the standard. A wrong length and a public key with a
coefficient beyond the modulus are a ValueError.
"""

from __future__ import annotations

import hashlib

Q = 3329
K = 3
DU, DV = 10, 4
SEED, PUBLIC, CIPHERTEXT, RANDOM = 64, 1184, 1088, 32
"""Bytes of the two seeds d ‖ z, of a public key, of a ciphertext, and of the randomness m of one encapsulation."""

Polynomial = list[int]


def _reversed(number: int) -> int:
    return int(f"{number:07b}"[::-1], 2)


ZETAS = [pow(17, _reversed(number), Q) for number in range(128)]
GAMMAS = [pow(17, 2 * _reversed(number) + 1, Q) for number in range(128)]


# --- Bytes and numbers (section 4.2.1)

def _encode(width: int, values: Polynomial) -> bytes:
    """Algorithm 5: the lowest bit first."""
    bits = "".join(f"{value:0{width}b}" for value in reversed(values))
    return int(bits, 2).to_bytes(32 * width, "little")


def _decode(width: int, data: bytes) -> Polynomial:
    """Algorithm 6, without the modulus: a public key is checked, not reduced."""
    bits = int.from_bytes(data, "little")
    return [bits >> width * index & (1 << width) - 1 for index in range(256)]


def _parts(data: bytes, width: int) -> list[Polynomial]:
    size = 32 * width
    return [_decode(width, data[at:at + size]) for at in range(0, len(data), size)]


def _compress(width: int, values: Polynomial) -> Polynomial:
    return [((value << width) + Q // 2) // Q & (1 << width) - 1 for value in values]


def _decompress(width: int, values: Polynomial) -> Polynomial:
    return [Q * value + (1 << width - 1) >> width for value in values]


# --- Sampling (section 4.2.2)

def _uniform(rho: bytes, column: int, row: int) -> Polynomial:
    """Algorithm 7: one element of the matrix, already transformed."""
    source = hashlib.shake_128(rho + bytes([column, row]))
    count = 336
    while True:
        count *= 2
        stream, values = source.digest(count), []
        for first, second, third in zip(stream[::3], stream[1::3], stream[2::3]):
            values += [value for value in (first | (second & 15) << 8, second >> 4 | third << 4) if value < Q]
        if len(values) >= 256:
            return values[:256]


def _noise(seed: bytes, number: int) -> Polynomial:
    """Algorithm 8 with η = 2: the difference of two sums of two bits."""
    bits = int.from_bytes(hashlib.shake_256(seed + bytes([number])).digest(128), "little")
    nibbles = [bits >> 4 * index & 15 for index in range(256)]
    return [((n & 1) + (n >> 1 & 1) - (n >> 2 & 1) - (n >> 3)) % Q for n in nibbles]


# --- The transform (section 4.3)

def _ntt(values: Polynomial) -> Polynomial:
    """Algorithm 9"""
    values, index, length = list(values), 1, 128
    while length >= 2:
        for start in range(0, 256, 2 * length):
            zeta = ZETAS[index]
            index += 1
            for at in range(start, start + length):
                turned = zeta * values[at + length] % Q
                values[at], values[at + length] = (values[at] + turned) % Q, (values[at] - turned) % Q
        length //= 2
    return values


def _inverse_ntt(values: Polynomial) -> Polynomial:
    """Algorithm 10"""
    values, index, length = list(values), 127, 2
    while length <= 128:
        for start in range(0, 256, 2 * length):
            zeta = ZETAS[index]
            index -= 1
            for at in range(start, start + length):
                low, high = values[at], values[at + length]
                values[at], values[at + length] = (low + high) % Q, zeta * (high - low) % Q
        length *= 2
    return [value * 3303 % Q for value in values]


def _sum(*polynomials: Polynomial) -> Polynomial:
    return [sum(column) % Q for column in zip(*polynomials)]


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    """Algorithms 11 and 12"""
    out = []
    for at, gamma in zip(range(0, 256, 2), GAMMAS):
        a, b, c, d = left[at], left[at + 1], right[at], right[at + 1]
        out += [(a * c + b * d % Q * gamma) % Q, (a * d + b * c) % Q]
    return out


def _inner(left: list[Polynomial], right: list[Polynomial]) -> Polynomial:
    return _sum(*map(_product, left, right))


# --- K-PKE (section 5)

def _split(public: bytes) -> tuple[list[Polynomial], bytes]:
    return _parts(public[:-32], 12), public[-32:]


def _key_pair(d: bytes) -> tuple[bytes, list[Polynomial]]:
    """Algorithm 13: the public key, and the secret vector, transformed."""
    both = hashlib.sha3_512(d + bytes([K])).digest()
    rho, sigma = both[:32], both[32:]
    secret = [_ntt(_noise(sigma, number)) for number in range(K)]
    error = [_ntt(_noise(sigma, K + number)) for number in range(K)]
    public = [_sum(_inner([_uniform(rho, column, row) for column in range(K)], secret), error[row])
              for row in range(K)]
    return b"".join(_encode(12, part) for part in public) + rho, secret


def _encrypt(public: bytes, message: bytes, randomness: bytes) -> bytes:
    """Algorithm 14"""
    vector, rho = _split(public)
    y = [_ntt(_noise(randomness, number)) for number in range(K)]
    u = [_sum(_inverse_ntt(_inner([_uniform(rho, column, row) for row in range(K)], y)),
              _noise(randomness, K + column)) for column in range(K)]
    v = _sum(_inverse_ntt(_inner(vector, y)), _noise(randomness, 2 * K), _decompress(1, _decode(1, message)))
    return b"".join(_encode(DU, _compress(DU, part)) for part in u) + _encode(DV, _compress(DV, v))


def _decrypt(secret: list[Polynomial], ciphertext: bytes) -> bytes:
    """Algorithm 15"""
    u = [_decompress(DU, part) for part in _parts(ciphertext[:32 * DU * K], DU)]
    v = _decompress(DV, _decode(DV, ciphertext[32 * DU * K:]))
    masked = _inverse_ntt(_inner(secret, [_ntt(part) for part in u]))
    return _encode(1, _compress(1, [(whole - mask) % Q for whole, mask in zip(v, masked)]))


# --- ML-KEM (sections 6 and 7)

def _demand(data: bytes, size: int):
    if len(data) != size:
        raise ValueError(f"{len(data)} bytes in place of {size}")


def public_key(seed: bytes) -> bytes:
    """Algorithm 16, from d ‖ z."""
    _demand(seed, SEED)
    return _key_pair(seed[:32])[0]


def check(public: bytes):
    """The two checks of section 7.2."""
    _demand(public, PUBLIC)
    if any(value >= Q for part in _split(public)[0] for value in part):
        raise ValueError("a coefficient beyond the modulus")


def encapsulate(public: bytes, randomness: bytes) -> tuple[bytes, bytes]:
    """Algorithms 17 and 20: the ciphertext and the shared secret."""
    check(public)
    _demand(randomness, RANDOM)
    both = hashlib.sha3_512(randomness + hashlib.sha3_256(public).digest()).digest()
    return _encrypt(public, randomness, both[32:]), both[:32]


def decapsulate(seed: bytes, ciphertext: bytes) -> bytes:
    """Algorithms 18 and 21: the shared secret; of a wrong ciphertext another one, and no error."""
    _demand(seed, SEED)
    _demand(ciphertext, CIPHERTEXT)
    public, secret = _key_pair(seed[:32])
    message = _decrypt(secret, ciphertext)
    both = hashlib.sha3_512(message + hashlib.sha3_256(public).digest()).digest()
    if _encrypt(public, message, both[32:]) == ciphertext:
        return both[:32]
    return hashlib.shake_256(seed[32:] + ciphertext).digest(32)
