"""The vault file, format 1, a second time: a reader and a writer.

Written from the specification of the file alone. An oracle for tests: it keeps keys in ordinary memory, knows no
concurrency beyond one transaction at a time, and must not be used to protect anything.

Section numbers in the comments are those of the specification of the vault file.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import re
import sqlite3
import stat
import struct
import time
import unicodedata
import urllib.parse
from dataclasses import dataclass, field

from nacl import bindings as sodium
from nacl import exceptions as sodium_errors

FORMAT = 1
APPLICATION_ID = 0x48535654
SCHEMA = [
    "CREATE TABLE head(k INTEGER PRIMARY KEY CHECK(k=1),vault_id BLOB NOT NULL,key_epoch INTEGER NOT NULL,"
    "sealed BLOB NOT NULL)STRICT",
    "CREATE TABLE record(id BLOB PRIMARY KEY NOT NULL,seal BLOB NOT NULL,meta BLOB NOT NULL,"
    "body BLOB NOT NULL)STRICT,WITHOUT ROWID",
    "CREATE TABLE slot(n INTEGER PRIMARY KEY,kind INTEGER NOT NULL,params BLOB NOT NULL,proof BLOB NOT NULL,"
    "sealed BLOB NOT NULL,note BLOB NOT NULL)STRICT",
]
LANES = 128
PASSPHRASE, PLAIN_RECOVERY, KEY_FILE, SECRET_SERVICE = 1, 2, 3, 4
TPM, SECURITY_KEY, RECOVERY = 16, 17, 20
SUBKEYS = {"head": 1, "meta": 2, "body": 3, "id": 4, "lane": 5, "slot": 6}


class VaultError(Exception):
    """A refusal, by its name in the specification."""

    def __init__(self, name: str, **details):
        super().__init__(name if not details else f"{name} {details}")
        self.name = name
        self.details = details


# --- Bytes

def u16(value: int) -> bytes:
    return struct.pack(">H", value)


def u32(value: int) -> bytes:
    return struct.pack(">I", value)


def u64(value: int) -> bytes:
    return struct.pack(">Q", value)


def s16(data: bytes) -> bytes:
    return u16(len(data)) + data


def label(name: str) -> bytes:
    """L(x)"""
    return b"HSIP-VAULT/1 " + name.encode("ascii") + b"\0"


def keyed_hash(key: bytes, message: bytes, count: int) -> bytes:
    """H(key, msg, n)"""
    return hashlib.blake2b(message, key=key, digest_size=count).digest()


def derive(index: int, context: bytes, key: bytes) -> bytes:
    """crypto_kdf_derive_from_key, 32 bytes."""
    return hashlib.blake2b(b"", key=key, salt=struct.pack("<Q", index).ljust(16, b"\0"),
                           person=context.ljust(16, b"\0"), digest_size=32).digest()


def seal(key: bytes, data: bytes, plain: bytes, random: bytes) -> tuple[bytes, bytes]:
    """Seal(k, aad, p): nonce and tag, and the ciphertext."""
    nonce = keyed_hash(key, b"HSIP hedged nonce\0" + random + u64(len(data)) + data + keyed_hash(key, plain, 48), 24)
    sealed = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(plain, data, nonce, key)
    return nonce + sealed[-16:], sealed[:-16]


def unseal(key: bytes, data: bytes, front: bytes, sealed: bytes, part: str) -> bytes:
    try:
        return sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed + front[24:40], data, front[:24], key)
    except (sodium_errors.CryptoError, ValueError, TypeError):
        raise VaultError("tampered", part=part) from None


def padded(count: int) -> int:
    """P(n)"""
    if count <= 128:
        return 128
    if count <= 4096:
        return 1 << (count - 1).bit_length()
    step = 1 << count.bit_length() - 1 - 3
    return -(-count // step) * step


def pack(content: bytes) -> bytes:
    data = u32(len(content)) + content
    return data.ljust(padded(len(data)), b"\0")


def unpack(data: bytes, part: str) -> bytes:
    if len(data) < 4:
        raise VaultError("tampered", part=part)
    count, = struct.unpack(">I", data[:4])
    if len(data) != padded(4 + count) or any(data[4 + count:]):
        raise VaultError("tampered", part=part)
    return data[4:4 + count]


class Reader:
    """A total reader: whatever does not fit is `tampered`."""

    def __init__(self, data: bytes, part: str):
        self.data, self.part, self.at = data, part, 0

    def take(self, count: int) -> bytes:
        if self.at + count > len(self.data):
            raise VaultError("tampered", part=self.part)
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, count: int) -> int:
        return int.from_bytes(self.take(count), "big")

    def s16(self) -> bytes:
        return self.take(self.number(2))

    def end(self):
        if self.at != len(self.data):
            raise VaultError("tampered", part=self.part)


# --- Recovery code (section 2)

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def _recovery_check(secret: bytes) -> int:
    digest = hashlib.blake2b(label("recovery-check") + secret, digest_size=32).digest()
    return int.from_bytes(digest[:2], "big") >> 4


def recovery_text(secret: bytes) -> str:
    number = int.from_bytes(secret, "big") << 12 | _recovery_check(secret)
    letters = "".join(CROCKFORD[number >> 5 * (27 - index) & 31] for index in range(28))
    return "-".join(letters[index:index + 4] for index in range(0, 28, 4))


def recovery_secret(text: str) -> bytes:
    folded = "".join(text.split()).replace("-", "").upper().translate(str.maketrans("OIL", "011"))
    if len(folded) != 28 or any(letter not in CROCKFORD for letter in folded):
        raise VaultError("mistyped")
    number = 0
    for letter in folded:
        number = number << 5 | CROCKFORD.index(letter)
    secret = (number >> 12).to_bytes(16, "big")
    if number & 0xFFF != _recovery_check(secret):
        raise VaultError("mistyped")
    return secret


# --- Slots

def passphrase_bytes(text: str) -> bytes:
    data = unicodedata.normalize("NFC", text).encode("utf-8")
    if not 1 <= len(data) <= 1024:
        raise VaultError("invalidRecord", why="passphrase")
    return data


def stretch(kind: int, secret: bytes, params: bytes, vault_id: bytes) -> bytes:
    """S of a slot. Bounds come before any work."""
    if kind == PASSPHRASE:
        if len(params) != 25 or params[0] != 1:
            raise VaultError("kdfOutOfBounds")
        operations, kibibytes = struct.unpack(">II", params[1:9])
        if not (3 <= operations <= 10 and 64 << 10 <= kibibytes <= 1 << 20):
            raise VaultError("kdfOutOfBounds")
        return sodium.crypto_pwhash_alg(32, secret, params[9:], operations, kibibytes << 10,
                                        sodium.crypto_pwhash_ALG_ARGON2ID13)
    if kind == RECOVERY:
        if len(params) != 90 or params[:2] != b"\x01\x00":
            raise VaultError("tampered", part="slots")
        return keyed_hash(secret, label("recovery") + vault_id + params[2:18], 32)
    names = {PLAIN_RECOVERY: "recovery", KEY_FILE: "keyfile", SECRET_SERVICE: "secret-service"}
    return keyed_hash(secret, label(names[kind]) + vault_id + params, 32)


@dataclass
class Slot:
    n: int
    kind: int
    params: bytes
    proof: bytes
    sealed: bytes
    note: bytes

    def key_data(self, vault_id: bytes, key_epoch: int) -> bytes:
        return (label("slot") + vault_id + u32(key_epoch) + u32(self.n) + u32(self.kind)
                + u32(len(self.params)) + self.params + self.proof)

    def note_data(self) -> bytes:
        return label("note") + u32(self.n) + self.proof

    def digest_part(self) -> bytes:
        return (u32(self.n) + u32(self.kind) + u32(len(self.params)) + self.params + self.proof
                + u32(len(self.sealed)) + self.sealed + u32(len(self.note)) + self.note)


# --- Carried slots (section 2)

def public_key(stretched: bytes) -> bytes:
    return sodium.crypto_scalarmult_base(derive(3, b"HSIPSLOT", stretched))


def carry_data(vault_id: bytes, slot: Slot) -> bytes:
    return label("carry") + vault_id + u32(slot.n) + u32(slot.kind) + slot.proof


def wrapping_key(shared: bytes, vault_id: bytes, key_epoch: int, point: bytes, public: bytes) -> bytes:
    if not any(shared):
        raise VaultError("tampered", part="slots")
    return keyed_hash(shared, label("slot-wrap") + vault_id + u32(key_epoch) + point + public, 32)


def carried_public_key(slot: Slot, vault_id: bytes, slot_key: bytes) -> bytes:
    """What the vault key of a slot is wrapped to."""
    carry = slot.params[18:90]
    return unseal(slot_key, carry_data(vault_id, slot), carry[:40], carry[40:], "slots")


def wrap_carried(slot: Slot, vault_id: bytes, key_epoch: int, key: bytes, public: bytes, random):
    """Fills in carry and sealed, for a slot whose number, kind, proof and other parameters are there."""
    front, sealed = seal(derive(6, b"HSIPVLT1", key), carry_data(vault_id, slot), public, random(24))
    slot.params = slot.params[:18] + front + sealed + slot.params[90:]
    secret = random(32)
    point = sodium.crypto_scalarmult_base(secret)
    wrapping = wrapping_key(sodium.crypto_scalarmult(secret, public), vault_id, key_epoch, point, public)
    front, sealed = seal(wrapping, slot.key_data(vault_id, key_epoch), key, random(24))
    slot.sealed = point + front + sealed


def unwrap_carried(slot: Slot, vault_id: bytes, key_epoch: int, stretched: bytes) -> bytes:
    public = public_key(stretched)
    point = slot.sealed[:32]
    try:
        shared = sodium.crypto_scalarmult(derive(3, b"HSIPSLOT", stretched), point)
    except (sodium_errors.CryptoError, ValueError, TypeError):
        raise VaultError("tampered", part="slots") from None
    key = unseal(wrapping_key(shared, vault_id, key_epoch, point, public), slot.key_data(vault_id, key_epoch),
                 slot.sealed[32:72], slot.sealed[72:], "slots")
    if not hmac.compare_digest(carried_public_key(slot, vault_id, derive(6, b"HSIPVLT1", key)), public):
        raise VaultError("tampered", part="slots")
    return key


def slot_digest(slot_key: bytes, slots: list[Slot]) -> bytes:
    ordered = sorted(slots, key=lambda slot: slot.n)
    return keyed_hash(slot_key, label("slots") + b"".join(slot.digest_part() for slot in ordered), 32)


# --- Head (section 4)

@dataclass
class Head:
    generation: int
    count: int
    floor: int
    digest: bytes
    lanes: list[bytes]

    def encode(self) -> bytes:
        return (b"\x01" + u64(self.generation) + u64(self.count) + u64(self.floor) + self.digest
                + b"".join(self.lanes))

    @staticmethod
    def parse(data: bytes) -> Head:
        if len(data) != 2105 or data[0] != 1:
            raise VaultError("tampered", part="head")
        generation, count, floor = struct.unpack(">QQQ", data[1:25])
        return Head(generation, count, floor, data[25:57],
                    [data[57 + 16 * lane:73 + 16 * lane] for lane in range(LANES)])

    @staticmethod
    def data(vault_id: bytes, key_epoch: int) -> bytes:
        return label("head") + vault_id + u32(key_epoch) + u32(FORMAT)


# --- Records (section 3)

_KIND = re.compile(r"[a-z0-9][a-z0-9.-]{0,31}\Z")
_WHITE_SPACE = {chr(point) for point in (*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B),
                                         0x2028, 0x2029, 0x202F, 0x205F, 0x3000)}


def check_name(kind: str, name: bytes):
    try:
        text = name.decode("utf-8")
    except UnicodeDecodeError:
        raise VaultError("invalidRecord", why="name") from None
    refused = any(ord(c) <= 0x1F or 0x7F <= ord(c) <= 0x9F or 0x202A <= ord(c) <= 0x202E
                  or 0x2066 <= ord(c) <= 0x2069 or ord(c) in (0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF)
                  for c in text)
    if (not _KIND.match(kind) or not 1 <= len(name) <= 512 or refused
            or not unicodedata.is_normalized("NFC", text)
            or text[0] in _WHITE_SPACE or text[-1] in _WHITE_SPACE):
        raise VaultError("invalidRecord", why="name")


@dataclass
class Meta:
    revision: int
    uid: bytes
    created: int
    modified: int
    expires: int
    kind: str
    name: str
    label: str = ""
    attributes: dict[str, bytes] = field(default_factory=dict)
    version: int = 1

    def encode(self) -> bytes:
        pairs = sorted((key.encode("utf-8"), value) for key, value in self.attributes.items())
        return (b"\x01\x01" + u64(self.revision) + self.uid + u64(self.created) + u64(self.modified)
                + u64(self.expires) + s16(self.kind.encode()) + s16(self.name.encode()) + s16(self.label.encode())
                + u16(len(pairs)) + b"".join(s16(key) + s16(value) for key, value in pairs))

    @staticmethod
    def parse(data: bytes) -> Meta:
        reader = Reader(data, "meta")
        version, form = reader.number(1), reader.number(1)
        if version < 1 or form != 1:
            raise VaultError("tampered", part="meta")
        revision, uid = reader.number(8), reader.take(16)
        created, modified, expires = reader.number(8), reader.number(8), reader.number(8)
        try:
            kind, name, text = (reader.s16().decode("utf-8") for _ in range(3))
            attributes, previous = {}, None
            for _ in range(reader.number(2)):
                key, value = reader.s16(), reader.s16()
                if (previous is not None and key <= previous) or not 1 <= len(key) <= 64 or len(value) > 4096:
                    raise VaultError("tampered", part="meta")
                attributes[key.decode("utf-8")], previous = value, key
        except UnicodeDecodeError:
            raise VaultError("tampered", part="meta") from None
        if version == 1:
            reader.end()
        if len(attributes) > 64 or len(text.encode()) > 1024 or len(data) > 64 << 10:
            raise VaultError("tampered", part="meta")
        return Meta(revision, uid, created, modified, expires, kind, name, text, attributes, version)


@dataclass
class Record:
    meta: Meta
    body: bytes
    predates_restore: bool


# --- Anchor

def anchor_line(vault_id: bytes, key_epoch: int, generation: int, tag: bytes) -> str:
    text = f"HSIP-ANCHOR-1 {vault_id.hex()} {key_epoch:010d} {generation:020d} {tag.hex()}"
    return text.ljust(127) + "\n"


_ANCHOR = re.compile(rb"HSIP-ANCHOR-1 ([0-9a-f]{32}) ([0-9]{10}) ([0-9]{20}) ([0-9a-f]{32}) +\n\Z")


def read_anchor(path: str, vault_id: bytes) -> tuple[int, int, bytes] | None:
    """(key epoch, generation, head tag); malformed is the same as missing."""
    try:
        with open(path, "rb") as file:
            data = file.read(129)
    except FileNotFoundError:
        return None
    match = _ANCHOR.match(data)
    if len(data) != 128 or match is None or match[1].decode() != vault_id.hex():
        return None
    return int(match[2]), int(match[3]), bytes.fromhex(match[4].decode())


def write_anchor(path: str, vault_id: bytes, key_epoch: int, generation: int, tag: bytes):
    """One pwrite under a lock, only upwards."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        seen = read_anchor(path, vault_id)
        if seen is None or (key_epoch, generation) >= seen[:2]:
            os.pwrite(descriptor, anchor_line(vault_id, key_epoch, generation, tag).encode(), 0)
    finally:
        os.close(descriptor)


# --- Files

def check_path(path: str, is_folder: bool = False):
    """Owner, mode, kind and link count of one file or folder."""
    try:
        info = os.lstat(path)
    except FileNotFoundError:
        if is_folder:
            raise
        return
    right_kind = stat.S_ISDIR(info.st_mode) if is_folder else stat.S_ISREG(info.st_mode) and info.st_nlink == 1
    if not right_kind or info.st_uid != os.geteuid() or info.st_mode & 0o077:
        raise VaultError("unsafeFile", path=path)


def _connect(path: str, write_ahead: bool = True) -> sqlite3.Connection:
    uri = "file:" + urllib.parse.quote(os.path.abspath(path)) + "?mode=rw"
    base = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)
    if write_ahead:
        for pragma in ("secure_delete=ON", "trusted_schema=OFF", "cell_size_check=ON", "temp_store=MEMORY",
                       "mmap_size=0", "wal_autocheckpoint=1000", "journal_size_limit=4194304",
                       "synchronous=FULL"):
            base.execute("PRAGMA " + pragma).fetchall()
    return base


class Vault:
    """An open vault. `create` and `open` are the ways in."""

    def __init__(self, path: str, base: sqlite3.Connection, vault_id: bytes, key_epoch: int, key: bytes,
                 anchor_folder: str | None, random, now_ms):
        self.path, self.base, self.vault_id, self.key_epoch = path, base, vault_id, key_epoch
        self.key = key
        self.subkeys = {name: derive(index, b"HSIPVLT1", key) for name, index in SUBKEYS.items()}
        self.anchor_folder, self.random, self.now_ms = anchor_folder, random, now_ms
        self.head: Head | None = None

    # Creating and opening

    @staticmethod
    def create(path: str, passphrase: str, label_text: str = "", operations: int = 3, kibibytes: int = 65536,
               anchor_folder: str | None = None, random=os.urandom, now_ms=None) -> Vault:
        """A new vault with one passphrase slot. It gets its name only once it is whole."""
        now_ms = now_ms or (lambda: time.time_ns() // 1_000_000)
        folder = os.path.dirname(os.path.abspath(path))
        check_path(folder, is_folder=True)
        half_made = f"{path}.new-{os.urandom(6).hex()}"
        os.close(os.open(half_made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        base = _connect(half_made, write_ahead=False)
        for pragma in ("page_size=4096", "auto_vacuum=NONE", f"application_id={APPLICATION_ID}",
                       f"user_version={FORMAT}", "secure_delete=ON"):
            base.execute("PRAGMA " + pragma)
        base.execute("BEGIN IMMEDIATE")
        for statement in SCHEMA:
            base.execute(statement)
        vault_id, key = random(16), random(32)
        vault = Vault(path, base, vault_id, 1, key, anchor_folder, random, now_ms)
        params = b"\x01" + u32(operations) + u32(kibibytes) + random(16)
        slot = vault._new_slot(1, PASSPHRASE, passphrase_bytes(passphrase), params, label_text)
        vault._insert_slot(slot)
        vault.head = Head(1, 0, 0, slot_digest(vault.subkeys["slot"], [slot]), [bytes(16)] * LANES)
        base.execute("INSERT INTO head VALUES(1,?,?,?)", (vault_id, 1, vault._sealed_head()))
        base.execute("COMMIT")
        base.close()
        with open(half_made, "rb") as file:
            os.fsync(file.fileno())
        os.link(half_made, path)
        os.unlink(half_made)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(descriptor)
        os.close(descriptor)
        vault.base = _connect(path)
        if vault.base.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise VaultError("io")
        vault._write_anchor()
        return vault

    @staticmethod
    def open(path: str, passphrase: str | None = None, recovery: str | bytes | None = None,
             anchor_folder: str | None = None, random=os.urandom, now_ms=None) -> Vault:
        """Opens with a passphrase, or with a recovery code as text or as its 16 bytes."""
        now_ms = now_ms or (lambda: time.time_ns() // 1_000_000)
        check_path(os.path.dirname(os.path.abspath(path)), is_folder=True)
        for name in (path, path + "-wal", path + "-shm"):
            check_path(name)
        kinds = [PASSPHRASE] if passphrase is not None else [PLAIN_RECOVERY, RECOVERY]
        secret = (passphrase_bytes(passphrase) if passphrase is not None
                  else recovery if isinstance(recovery, bytes) else recovery_secret(recovery))
        base = _connect(path)
        try:
            if base.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise VaultError("notAVault")
            found = base.execute("PRAGMA user_version").fetchone()[0]
            if found > FORMAT:
                raise VaultError("newerFormat", found=found)
            statements = [row[0] for row in base.execute("SELECT sql FROM sqlite_schema ORDER BY sql")]
            if found != FORMAT or statements != SCHEMA:
                raise VaultError("schemaTampered")
            if base.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                base.execute("PRAGMA journal_mode=WAL").fetchall()
            head_row = base.execute("SELECT vault_id FROM head").fetchall()
            if len(head_row) != 1 or len(head_row[0][0]) != 16:
                raise VaultError("tampered", part="head")
            # The anchor is read before the head: the other order cries wolf when somebody commits in between.
            anchor = None
            if anchor_folder is not None:
                anchor_path = os.path.join(anchor_folder, "anchor-" + head_row[0][0].hex())
                check_path(anchor_path)
                anchor = read_anchor(anchor_path, head_row[0][0])
            base.execute("BEGIN")
            (vault_id, key_epoch), = base.execute("SELECT vault_id,key_epoch FROM head").fetchall()
            slots = _slots(base)
            vault = Vault(path, base, vault_id, key_epoch, _unwrap(slots, kinds, secret, vault_id, key_epoch),
                          anchor_folder, random, now_ms)
            tag = vault._read_head()
            if not hmac.compare_digest(vault.head.digest, slot_digest(vault.subkeys["slot"], slots)):
                raise VaultError("tampered", part="slots")
            base.execute("COMMIT")
        except sqlite3.DatabaseError:
            base.close()
            raise VaultError("corrupt") from None
        except VaultError:
            base.close()
            raise
        if anchor is not None:
            here = (key_epoch, vault.head.generation)
            if here < anchor[:2]:
                raise VaultError("rollback", found=here, expected=anchor[:2])
            if here == anchor[:2] and tag != anchor[2]:
                raise VaultError("fork")
        return vault

    def close(self):
        self.base.close()

    # Head and anchor

    def _sealed_head(self) -> bytes:
        front, sealed = seal(self.subkeys["head"], Head.data(self.vault_id, self.key_epoch),
                             self.head.encode(), self.random(24))
        return front + sealed

    def _read_head(self) -> bytes:
        """Reads and opens the head; returns its tag."""
        rows = self.base.execute("SELECT vault_id,key_epoch,sealed FROM head").fetchall()
        if len(rows) != 1 or rows[0][0] != self.vault_id:
            raise VaultError("tampered", part="head")
        if rows[0][1] != self.key_epoch:
            raise VaultError("rekeyed")
        sealed = rows[0][2]
        self.head = Head.parse(unseal(self.subkeys["head"], Head.data(self.vault_id, self.key_epoch),
                                      sealed[:40], sealed[40:], "head"))
        return sealed[24:40]

    def head_tag(self) -> bytes:
        return self.base.execute("SELECT sealed FROM head").fetchone()[0][24:40]

    def anchor_text(self) -> str:
        self._read_head()
        return anchor_line(self.vault_id, self.key_epoch, self.head.generation, self.head_tag())

    def anchor_path(self) -> str | None:
        return self.anchor_folder and os.path.join(self.anchor_folder, "anchor-" + self.vault_id.hex())

    def _write_anchor(self):
        if self.anchor_folder is not None:
            write_anchor(self.anchor_path(), self.vault_id, self.key_epoch, self.head.generation, self.head_tag())

    # Lanes

    def record_id(self, kind: str, name: str) -> bytes:
        return keyed_hash(self.subkeys["id"], label("id") + s16(kind.encode()) + s16(name.encode()), 16)

    def element(self, identifier: bytes, front: bytes) -> bytes:
        return keyed_hash(self.subkeys["lane"], identifier + front, 16)

    def _lane_rows(self, lane: int) -> dict[bytes, bytes]:
        low = bytes([lane << 1]) + bytes(15)
        high = bytes([(lane << 1) | 1]) + b"\xff" * 15
        rows = self.base.execute("SELECT id,seal FROM record WHERE id>=? AND id<=? ORDER BY id", (low, high))
        elements, total, previous = {}, bytes(16), None
        for identifier, front in rows:
            if len(identifier) != 16 or len(front) != 80 or (previous is not None and identifier <= previous):
                raise VaultError("tampered", part="recordSet", lane=lane)
            elements[identifier] = self.element(identifier, front)
            total, previous = _xor(total, elements[identifier]), identifier
        if total != self.head.lanes[lane]:
            raise VaultError("tampered", part="recordSet", lane=lane)
        return elements

    # Reading

    def _meta(self, identifier: bytes, front: bytes, sealed: bytes) -> Meta:
        meta = Meta.parse(unpack(unseal(self.subkeys["meta"], label("meta") + identifier, front[:40], sealed,
                                        "meta"), "meta"))
        check_name(meta.kind, meta.name.encode())
        if self.record_id(meta.kind, meta.name) != identifier or meta.revision > self.head.generation:
            raise VaultError("tampered", part="meta")
        return meta

    def _body(self, identifier: bytes, front: bytes, meta: Meta, sealed: bytes) -> bytes:
        return unpack(unseal(self.subkeys["body"], label("body") + identifier + u64(meta.revision), front[40:],
                             sealed, "body"), "body")

    def get(self, kind: str, name: str) -> Record | None:
        identifier = self.record_id(kind, name)
        with _Snapshot(self):
            elements = self._lane_rows(identifier[0] >> 1)
            row = self.base.execute("SELECT seal,meta,body FROM record WHERE id=?", (identifier,)).fetchone()
            if row is None:
                return None
            if elements.get(identifier) != self.element(identifier, row[0]):
                raise VaultError("tampered", part="recordSet", lane=identifier[0] >> 1)
            meta = self._meta(identifier, row[0], row[1])
            return Record(meta, self._body(identifier, row[0], meta, row[2]), meta.revision < self.head.floor)

    def list(self, kind: str | None = None) -> list[Meta]:
        """Every record, or those of a kind, ordered by kind and name."""
        with _Snapshot(self):
            for lane in range(LANES):
                self._lane_rows(lane)
            rows = self.base.execute("SELECT id,seal,meta FROM record ORDER BY id").fetchall()
            metas = [self._meta(*row) for row in rows]
            if len(metas) != self.head.count:
                raise VaultError("tampered", part="count")
        return sorted((m for m in metas if kind in (None, m.kind)), key=lambda m: (m.kind, m.name))

    def verify(self) -> int:
        """Everything: lanes, metas, bodies, count, slots and SQLite's own check. Returns the number of records."""
        with _Snapshot(self):
            for lane in range(LANES):
                self._lane_rows(lane)
            rows = self.base.execute("SELECT id,seal,meta,body FROM record ORDER BY id").fetchall()
            for identifier, front, meta, body in rows:
                self._body(identifier, front, self._meta(identifier, front, meta), body)
            if len(rows) != self.head.count:
                raise VaultError("tampered", part="count")
            slots = _slots(self.base)
            if self.head.digest != slot_digest(self.subkeys["slot"], slots):
                raise VaultError("tampered", part="slots")
            for slot in slots:
                self.slot_note(slot)
            if self.base.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise VaultError("corrupt")
        return len(rows)

    # Writing

    def put(self, kind: str, name: str, body: bytes, label_text: str = "", attributes: dict | None = None,
            expires: int = 0, expecting: int | None = None) -> int:
        """Writes one record in one commit and returns its revision."""
        check_name(kind, name.encode())
        pairs = {key: value.encode() if isinstance(value, str) else value
                 for key, value in (attributes or {}).items()}
        identifier = self.record_id(kind, name)
        with _Change(self):
            lane = identifier[0] >> 1
            elements = self._lane_rows(lane)
            row = self.base.execute("SELECT seal,meta FROM record WHERE id=?", (identifier,)).fetchone()
            old = self._meta(identifier, *row) if row else None
            if expecting is not None and expecting != (old.revision if old else 0):
                raise VaultError("conflict")
            now, revision = self.now_ms(), self.head.generation + 1
            meta = Meta(revision, old.uid if old else self.random(16), old.created if old else now, now, expires,
                        kind, name, label_text, pairs)
            content = meta.encode()
            if (len(content) > 64 << 10 or len(body) > 16 << 20 or len(pairs) > 64
                    or len(label_text.encode()) > 1024
                    or any(not 1 <= len(k.encode()) <= 64 or len(v) > 4096 for k, v in pairs.items())):
                raise VaultError("invalidRecord", why="size")
            first, sealed_meta = seal(self.subkeys["meta"], label("meta") + identifier, pack(content),
                                      self.random(24))
            second, sealed_body = seal(self.subkeys["body"], label("body") + identifier + u64(revision),
                                       pack(body), self.random(24))
            self.base.execute("INSERT OR REPLACE INTO record VALUES(?,?,?,?)",
                              (identifier, first + second, sealed_meta, sealed_body))
            change = self.element(identifier, first + second)
            if row:
                change = _xor(change, elements[identifier])
            else:
                self.head.count += 1
            self.head.lanes[lane] = _xor(self.head.lanes[lane], change)
            return revision

    def delete(self, kind: str, name: str) -> int:
        identifier = self.record_id(kind, name)
        with _Change(self):
            elements = self._lane_rows(identifier[0] >> 1)
            if identifier not in elements:
                raise VaultError("notFound")
            self.base.execute("DELETE FROM record WHERE id=?", (identifier,))
            lane = identifier[0] >> 1
            self.head.lanes[lane] = _xor(self.head.lanes[lane], elements[identifier])
            self.head.count -= 1
            return self.head.generation + 1

    # Slots

    def slots(self) -> list[Slot]:
        return _slots(self.base)

    def slot_note(self, slot: Slot) -> tuple[int, str]:
        """When a slot was made (Unix ms), and its label."""
        reader = Reader(unpack(unseal(self.subkeys["slot"], slot.note_data(), slot.note[:40], slot.note[40:],
                                      "slots"), "slots"), "slots")
        created, text = reader.number(8), reader.s16()
        reader.end()
        return created, text.decode("utf-8")

    def _new_slot(self, n: int, kind: int, secret: bytes, params: bytes, label_text: str) -> Slot:
        stretched = stretch(kind, secret, params, self.vault_id)
        slot = Slot(n, kind, params, derive(2, b"HSIPSLOT", stretched), b"", b"")
        if kind == RECOVERY:
            wrap_carried(slot, self.vault_id, self.key_epoch, self.key, public_key(stretched), self.random)
        else:
            front, sealed = seal(derive(1, b"HSIPSLOT", stretched), slot.key_data(self.vault_id, self.key_epoch),
                                 self.key, self.random(24))
            slot.sealed = front + sealed
        front, sealed = seal(self.subkeys["slot"], slot.note_data(),
                             pack(u64(self.now_ms()) + s16(label_text.encode())), self.random(24))
        slot.note = front + sealed
        return slot

    def _insert_slot(self, slot: Slot):
        self.base.execute("INSERT INTO slot VALUES(?,?,?,?,?,?)",
                          (slot.n, slot.kind, slot.params, slot.proof, slot.sealed, slot.note))

    def _add_slot(self, kind: int, secret: bytes, params: bytes, label_text: str):
        with _Change(self):
            slots = _slots(self.base)
            if self.head.digest != slot_digest(self.subkeys["slot"], slots):
                raise VaultError("tampered", part="slots")
            if len(slots) >= 16 or sum(slot.kind == kind for slot in slots) >= 4:
                raise VaultError("slotLimit")
            slot = self._new_slot(max(slot.n for slot in slots) + 1, kind, secret, params, label_text)
            self._insert_slot(slot)
            self.head.digest = slot_digest(self.subkeys["slot"], slots + [slot])

    def add_recovery_slot(self, label_text: str = "", secret: bytes | None = None, plain: bool = False) -> str:
        """Adds a recovery slot, perhaps of the earlier kind, and returns the code to write down."""
        secret = self.random(16) if secret is None else secret
        if plain:
            self._add_slot(PLAIN_RECOVERY, secret, self.random(16), label_text)
        else:
            self._add_slot(RECOVERY, secret, b"\x01\x00" + self.random(16) + bytes(72), label_text)
        return recovery_text(secret)

    def add_passphrase_slot(self, passphrase: str, label_text: str = "", operations: int = 3,
                            kibibytes: int = 65536):
        params = b"\x01" + u32(operations) + u32(kibibytes) + self.random(16)
        self._add_slot(PASSPHRASE, passphrase_bytes(passphrase), params, label_text)


class _Snapshot:
    """One deferred transaction: head, lanes and rows of one moment."""

    def __init__(self, vault: Vault):
        self.vault = vault

    def __enter__(self):
        self.vault.base.execute("BEGIN")
        try:
            self.vault._read_head()
        except BaseException:
            self.vault.base.execute("ROLLBACK")
            raise

    def __exit__(self, kind, error, trace):
        self.vault.base.execute("COMMIT")
        if kind is not None and issubclass(kind, sqlite3.DatabaseError):
            raise VaultError("corrupt") from error


class _Change:
    """One immediate transaction that ends with a new head and the anchor, or with nothing changed."""

    def __init__(self, vault: Vault):
        self.vault = vault

    def __enter__(self):
        try:
            self.vault.base.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            raise VaultError("busy") from None
        try:
            self.vault._read_head()
        except BaseException:
            self.vault.base.execute("ROLLBACK")
            raise

    def __exit__(self, kind, error, trace):
        vault = self.vault
        if kind is not None:
            vault.base.execute("ROLLBACK")
            vault.head = None
            return
        vault.head.generation += 1
        vault.base.execute("UPDATE head SET sealed=?", (vault._sealed_head(),))
        vault.base.execute("COMMIT")
        vault._write_anchor()


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right))


def _slots(base: sqlite3.Connection) -> list[Slot]:
    rows = base.execute("SELECT n,kind,params,proof,sealed,note FROM slot ORDER BY n").fetchall()
    return [Slot(*row) for row in rows]


def _unwrap(slots: list[Slot], kinds: list[int], secret: bytes, vault_id: bytes, key_epoch: int) -> bytes:
    tried = [slot for kind in kinds for slot in slots if slot.kind == kind]
    if not tried:
        raise VaultError("noSuchSlot")
    for slot in tried:
        stretched = stretch(slot.kind, secret, slot.params, vault_id)
        if not hmac.compare_digest(derive(2, b"HSIPSLOT", stretched), slot.proof):
            continue
        if slot.kind == RECOVERY:
            return unwrap_carried(slot, vault_id, key_epoch, stretched)
        return unseal(derive(1, b"HSIPSLOT", stretched), slot.key_data(vault_id, key_epoch), slot.sealed[:40],
                      slot.sealed[40:], "slots")
    raise VaultError("wrongSecret")
