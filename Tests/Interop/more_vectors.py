"""Writes Schemas/vectors/hsip-xc1-more.json: six more known-answer cases at the edges of every range.

The file has the shape of hsip-xc1.json. Every secret comes from a fixed word, so a second run writes the same
bytes.  Run with:  python3 Tests/Interop/more_vectors.py
"""

import hashlib
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import cases  # noqa: E402

TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Schemas", "vectors",
                      "hsip-xc1-more.json")

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
RAINBOW = "🏳\ufe0f\u200d🌈"

# nameA, nameB, issued, ttl, life, limit, reason, plaintext, counter
EDGES = [
    ("Ω" * 20, "n" * 37 + "€", 1767225600, 1440, 168, 1000, 0, "é" * 400, 2),
    ("", "", 1, 1, 1, 1, 1, "\n", 1),
    (RAINBOW + " Ana " + "🦊", FAMILY, 1893456000, 10080, 720, 1000, 2, FAMILY + RAINBOW, 1000),
    ("می\u200cخواهم", "홍길동", 1900000000, 15, 24, 500, 3, "\u200f\u202e right to left \ufeff", 500),
    (" ", "Zo\u00eb O\u2019Neil", 0xFFFFFFFF, 10080, 720, 1, 1, "x", 999),
    ("HSIP:OFFER1QYQS", "🔒 [HSIP Encrypted Message]", 0x7FFFFFFF, 1, 719, 2, 0, "🔒AQEB\nhsip://m/abc", 0xFFFF),
]


def secret(index: int, name: str, count: int = 32) -> bytes:
    return hashlib.sha256(f"hsip-xc1-more {index} {name}".encode()).digest()[:count]


def main():
    found = []
    for index, (first, second, issued, ttl, life, limit, reason, plaintext, counter) in enumerate(EDGES):
        assert len(first.encode()) <= 40 and len(second.encode()) <= 40
        inputs = {name: secret(index, name).hex() for name in ("idA_seed", "idB_seed", "eA", "eB", "rA", "rB")}
        inputs |= {"nameA": first, "nameB": second, "issued": issued, "ttl": ttl, "life_hours": life,
                   "limit": limit, "revoke_reason": reason}
        found.append(cases.compute(inputs, plaintext.encode(), secret(index, "nonce", 12),
                                   secret(index, "hedge", 16), counter))
    with open(TARGET, "w", encoding="utf-8") as file:
        json.dump({"cases": found}, file, ensure_ascii=False, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
