"""A machine of the second implementation: its codes (Schemas/carriers.md), and a log in a git repository.

Written from the pages alone, an oracle for tests: keys lie in ordinary memory.
"""

from __future__ import annotations

import os
import struct
import subprocess
import time
from typing import Optional

from nacl import bindings as sodium

import hsip_xc1 as xc
import shared_log as sl

JOIN, ADMIT = 8, 9
GIT, PERSON = 1, "hsip <> 0 +0000"


def number(x: bytes) -> str:
    """The twelve digits that a person types."""
    value = int.from_bytes(xc.argon2id(sl.sha(x), sl.sha(sl.label("number"), x)[:16], 3, 64 << 20, 16), "big") % 10**12
    text = f"{value:012}"
    return " ".join(text[at:at + 3] for at in range(0, 12, 3))


def code_text(word: str, data: bytes) -> str:
    return "HSIP:" + xc.bech32m_encode(word, data).upper()


def code_bytes(word: str, text: str) -> bytes:
    characters = text.strip().lower().removeprefix(f"hsip:{word}1")
    return xc.bech32m_decode(word, characters, (len(characters) - 6) * 5 // 8)


class LogMachine:
    """One machine: it joins, reads, and writes secrets."""

    carrier = GIT

    def __init__(self, name: str, folder: str):
        self.name, self.keys = name.encode(), sl.Machine(os.urandom(32), os.urandom(32))
        self.mirror = os.path.join(folder, name + ".git")
        self.log: Optional[sl.Log] = None
        self.remote = self.branch = ""

    # Section 1: codes

    def join(self) -> tuple[str, str]:
        """The JOIN code and its digits."""
        code = (xc.Header(JOIN, int(time.time()), ttl=15).encode() + self.keys.sign_key + self.keys.box_key
                + bytes([len(self.name)]) + self.name)
        self.joined = code + sl.sign(self.keys.seed, sl.label("sig-join") + code)
        return code_text("join", self.joined), number(sl.label("join-number") + self.joined)

    def enter(self, text: str) -> str:
        """Accepts the ADMIT code, and reads the log; the digits of the code."""
        admit = code_bytes("admit", text)
        join_hash = sl.sha(sl.label("join"), self.joined)
        ident, keeper, ephemeral = admit[30:46], admit[46:78], admit[78:110]
        place, (count,) = int.from_bytes(admit[110:118], "big"), struct.unpack(">H", admit[150:152])
        assert admit[:4] == bytes([1, ADMIT, 1, 0]) and len(admit) == 216 + count and admit[14:30] == join_hash[:16]
        assert sl.is_signed(keeper, sl.label("sig-admit") + join_hash + admit[:-64], admit[-64:])
        prk = sl.extract(sl.sha(sl.label("admit"), join_hash, admit[:152]),
                         sodium.crypto_scalarmult(self.keys.box_secret, ephemeral))
        reader = sl.Reader(sl.unseal(sl.expand(prk, sl.label("admit-key"), 32), bytes(24), sl.label("admit"),
                                     admit[152:-64]))
        epoch, key, self.role, carrier = reader.number(4), reader.take(32), reader.number(1), reader.number(1)
        self.remote, self.branch = reader.s16(256).decode(), f"refs/heads/hsip-{ident.hex()}"
        reader.end()
        assert (epoch, carrier) == (1, self.carrier)
        entries = self.entries()
        assert sl.entry_hash(entries[place - 1]) == admit[118:150]
        self.log = sl.Log.reading(self.keys, entries, key)
        return number(sl.label("admit-number") + join_hash + admit)

    # Section 2: git

    def git(self, *words: str, given: bytes = b"") -> bytes:
        return subprocess.run(["git", "--git-dir", self.mirror, *words], input=given, check=True, capture_output=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}).stdout

    def entries(self) -> list[bytes]:
        """All that the remote has."""
        if not os.path.exists(self.mirror):
            self.git("init", "--quiet", "--bare", self.mirror)
        self.git("fetch", "--quiet", self.remote, f"+{self.branch}:{self.branch}")
        names = self.git("ls-tree", "-r", "--name-only", self.branch).decode().split()
        assert names == [f"{place >> 8:014x}/{place:016x}" for place in range(1, len(names) + 1)]
        return [self.git("cat-file", "blob", f"{self.branch}:{name}") for name in names]

    def create(self, place: int, entries: list[bytes]):
        """Puts entries behind those that the mirror has."""
        stream, parent = b"", self.git("rev-parse", self.branch).decode().strip()
        for at, entry in enumerate(entries, place):
            stream += (f"commit refs/draft\ncommitter {PERSON}\ndata 1\n.\n" + (f"from {parent}\n" if at == place else "")
                       + f"M 100644 inline {at >> 8:014x}/{at:016x}\ndata {len(entry)}\n").encode() + entry + b"\n"
        self.git("fast-import", "--quiet", "--force", given=stream)
        self.git("push", "--quiet", f"--force-with-lease={self.branch}:{parent}", self.remote, f"refs/draft:{self.branch}")

    # What a machine does

    def read(self):
        """Accepts every entry that is new."""
        for entry in self.entries()[self.log.place:]:
            self.log.take(entry)

    def write(self, *operations: bytes):
        self.read()
        self.create(self.log.place + 1, self.log.change(self.keys, list(operations)))
        self.read()

    def secret(self, name: str) -> tuple[bytes, bytes]:
        """The id and the content of a secret."""
        return next((ident, put.content) for ident, (_, put) in self.log.state.objects.items()
                    if (put.kind, put.name) == (1, name.encode()))

    def put(self, name: str, content: bytes, ident: Optional[bytes] = None):
        """Writes a secret; under its own id where it is there already."""
        moment = int(time.time() * 1000)
        self.write(sl.Put(1, ident or os.urandom(16), moment, 0, name.encode(), content).encode())
