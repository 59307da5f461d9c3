"""The log that several machines share, a second time: entries, state, snapshots.

Written from Schemas/machines.md; it shares no line with the program. It favours plainness over speed and keeps every secret
in ordinary memory, so it must never be used to protect anything. Section numbers are those of that page.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import struct
import unicodedata
from dataclasses import dataclass, field, replace
from typing import Optional

from nacl import bindings as sodium
from nacl import exceptions as sodium_errors

LONGEST_ENTRY, LONGEST_BODY, LONGEST_CHAIN = 1_048_576, 900_000, 4_096
MAXIMUM_MACHINES, MAXIMUM_OBJECTS, LONGEST_OBJECT, MAXIMUM_PARTS = 256, 200_000, 16 << 20, 512
LONGEST_STREAM, MAXIMUM_SNAPSHOT_PARTS, LONGEST_UNFINISHED = 256 << 20, 320, 24 << 20
KEEPER, WRITER, READER, LEFT = 1, 2, 3, 0
CHANGE, REKEY, PART = 1, 2, 3
FOUNDING, COMPACTION, REMOVAL, PERIODIC = 0, 1, 2, 3
NAMED_KINDS = (1, 2, 3, 7)


class LogError(Exception):
    """A refusal by its name."""

    def __init__(self, name: str, why: str = ""):
        super().__init__(f"{name} {why}".strip())
        self.name = name


# --- Section 1: primitives

def label(name: str) -> bytes:
    return b"HSIP-LOG/1 " + name.encode("ascii") + b"\0"


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def extract(salt: bytes, material: bytes) -> bytes:
    return hmac.new(salt, material, hashlib.sha256).digest()


def expand(key: bytes, info: bytes, count: int) -> bytes:
    assert count <= 32
    return hmac.new(key, info + b"\1", hashlib.sha256).digest()[:count]


def seal(key: bytes, nonce: bytes, data: bytes, text: bytes) -> bytes:
    return sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(text, data, nonce, key)


def unseal(key: bytes, nonce: bytes, data: bytes, sealed: bytes) -> bytes:
    return sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(sealed, data, nonce, key)


def padded(count: int) -> int:
    if count <= 128:
        return 128
    if count <= 4_096:
        return 1 << (count - 1).bit_length()
    step = 1 << (count.bit_length() - 1 - 3)
    return (count + step - 1) // step * step


def pack(content: bytes) -> bytes:
    whole = struct.pack(">I", len(content)) + content
    return whole + bytes(padded(len(whole)) - len(whole))


def unpack(packed: bytes) -> bytes:
    if len(packed) < 4:
        raise LogError("logTampered", "packed")
    count = struct.unpack(">I", packed[:4])[0]
    if count > len(packed) - 4 or pack(packed[4:4 + count]) != packed:
        raise LogError("logTampered", "packed")
    return packed[4:4 + count]


def s16(text: bytes) -> bytes:
    return struct.pack(">H", len(text)) + text


class Reader:
    """Fields, first to last; a shortage is `logTampered`."""

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise LogError("logTampered", "too short")
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def s16(self, limit: int) -> bytes:
        count = self.number(2)
        if count > limit:
            raise LogError("logTampered", "too long")
        return self.take(count)

    def end(self):
        if self.at != len(self.data):
            raise LogError("logTampered", "too long")

    @property
    def is_at_end(self) -> bool:
        return self.at == len(self.data)


# --- Section 2: machines

def machine_id(sign_key: bytes) -> bytes:
    return sha(label("machine"), sign_key)[:16]


def sign(seed: bytes, message: bytes) -> bytes:
    _, secret = sodium.crypto_sign_seed_keypair(seed)
    return sodium.crypto_sign(message, secret)[:64]


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        sodium.crypto_sign_open(signature + message, key)
        return True
    except (sodium_errors.BadSignatureError, ValueError, sodium_errors.RuntimeError):
        return False


def certified(log: bytes, sign_key: bytes, role: int) -> bytes:
    return label("sig-member") + log + sign_key + bytes([role])


@dataclass(frozen=True)
class Machine:
    """The secrets of one machine."""
    seed: bytes
    box_secret: bytes

    @property
    def sign_key(self) -> bytes:
        return sodium.crypto_sign_seed_keypair(self.seed)[0]

    @property
    def box_key(self) -> bytes:
        return sodium.crypto_scalarmult_base(self.box_secret)

    @property
    def id(self) -> bytes:
        return machine_id(self.sign_key)


def paper(secret: bytes) -> Machine:
    prk = extract(label("paper"), secret)
    return Machine(expand(prk, label("paper-sign"), 32), expand(prk, label("paper-box"), 32))


@dataclass(frozen=True)
class Member:
    id: bytes
    sign_key: bytes
    box_key: bytes
    role: int
    joined: int
    adder: bytes
    certificate: bytes
    name: bytes

    def encode(self) -> bytes:
        return (self.id + self.sign_key + self.box_key + bytes([self.role]) + struct.pack(">Q", self.joined)
                + self.adder + self.certificate + s16(self.name))


@dataclass(frozen=True)
class Former:
    id: bytes
    sign_key: bytes
    adder: bytes
    certificate: bytes

    def encode(self) -> bytes:
        return self.id + self.sign_key + self.adder + self.certificate


@dataclass(frozen=True)
class Put:
    kind: int
    id: bytes
    created: int
    expires: int
    name: bytes
    content: bytes

    def encode(self) -> bytes:
        return (bytes([1, self.kind]) + self.id + struct.pack(">QQ", self.created, self.expires) + s16(self.name)
                + struct.pack(">I", len(self.content)) + self.content)


def name_of_object(raw: bytes) -> bytes:
    """UTF-8 in normal form C."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise LogError("logTampered", "name") from None
    if unicodedata.normalize("NFC", text) != text:
        raise LogError("logTampered", "name")
    return raw


def read_put(reader: Reader) -> Put:
    kind, ident = reader.number(1), reader.take(16)
    created, expires = reader.number(8), reader.number(8)
    name = name_of_object(reader.s16(512))
    count = reader.number(4)
    if count > LONGEST_OBJECT:
        raise LogError("logTampered", "object too long")
    return Put(kind, ident, created, expires, name, reader.take(count))


# --- Section 5: state

@dataclass
class State:
    log: bytes
    epoch: int = 1
    members: dict = field(default_factory=dict)
    former: dict = field(default_factory=dict)
    objects: dict = field(default_factory=dict)      # id: (place, Put)

    def copy(self) -> "State":
        return State(self.log, self.epoch, dict(self.members), dict(self.former), dict(self.objects))

    def people(self) -> bytes:
        return (struct.pack(">H", len(self.members))
                + b"".join(self.members[k].encode() for k in sorted(self.members))
                + struct.pack(">H", len(self.former))
                + b"".join(self.former[k].encode() for k in sorted(self.former)))

    def digest(self) -> bytes:
        buckets = [b""] * 256
        for ident in sorted(self.objects):
            place, put = self.objects[ident]
            buckets[ident[0]] += ident + struct.pack(">Q", place) + sha(label("object"), put.encode())
        people = (b"".join(self.members[k].encode() for k in sorted(self.members))
                  + b"".join(self.former[k].encode() for k in sorted(self.former)))
        return sha(label("state"), self.log, struct.pack(">I", self.epoch), sha(label("members"), people),
                   *(sha(label("bucket"), lines) if lines else bytes(32) for lines in buckets))

    def stream(self) -> bytes:
        return (self.people() + struct.pack(">I", len(self.objects))
                + b"".join(struct.pack(">Q", self.objects[k][0]) + self.objects[k][1].encode()
                           for k in sorted(self.objects)))


def name_of_machine(raw: bytes) -> bytes:
    """1 to 40 bytes of UTF-8 in normal form C, without code points that hide or fake text."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise LogError("logTampered", "name") from None
    hidden = any(
        low <= ord(c) <= high for c in text for low, high in (
            (0, 0x1F), (0x7F, 0x9F), (0x61C, 0x61C), (0x200B, 0x200B), (0x200E, 0x200F), (0x2028, 0x202E),
            (0x2060, 0x2069), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0xE0000, 0xE007F)))
    if not 1 <= len(raw) <= 40 or hidden or unicodedata.normalize("NFC", text) != text:
        raise LogError("logTampered", "name")
    return raw


# --- Section 4: operations

def op_delete(ident: bytes) -> bytes:
    return b"\2" + ident


def op_add(sign_key: bytes, box_key: bytes, role: int, certificate: bytes, name: bytes) -> bytes:
    return b"\3" + sign_key + box_key + bytes([role]) + certificate + s16(name)


def op_role(ident: bytes, role: int, certificate: bytes) -> bytes:
    return b"\4" + ident + bytes([role]) + certificate


def op_rename(ident: bytes, name: bytes) -> bytes:
    return b"\5" + ident + s16(name)


def op_remove(ident: bytes, reason: int) -> bytes:
    return b"\6" + ident + bytes([reason])


def op_renew(box_key: bytes) -> bytes:
    return b"\7" + box_key


def op_leave() -> bytes:
    return b"\x08"


def read_operations(body: bytes) -> list:
    reader, out = Reader(body), []
    while not reader.is_at_end:
        kind = reader.number(1)
        if kind == 1:
            out.append(("put", read_put(reader)))
        elif kind == 2:
            out.append(("delete", reader.take(16)))
        elif kind == 3:
            keys, role = (reader.take(32), reader.take(32)), reader.number(1)
            out.append(("add", *keys, role, reader.take(64), name_of_machine(reader.s16(40))))
        elif kind == 4:
            out.append(("role", reader.take(16), reader.number(1), reader.take(64)))
        elif kind == 5:
            out.append(("rename", reader.take(16), name_of_machine(reader.s16(40))))
        elif kind == 6:
            out.append(("remove", reader.take(16), reader.number(1)))
        elif kind == 7:
            out.append(("renew", reader.take(32)))
        elif kind == 8:
            out.append(("leave",))
        else:
            raise LogError("newerEntry", "operation")
    return out


def apply(state: State, author: bytes, place: int, operations: list) -> State:
    """The state behind an entry; everything that is not allowed is refused."""
    state = state.copy()
    if any(op[0] == "remove" for op in operations) and len(operations) != 1:
        raise LogError("notAllowed", "a removal is alone")
    for op in operations:
        role = state.members[author].role if author in state.members else LEFT
        if role == LEFT:
            raise LogError("notAllowed", "left")
        if op[0] in ("add", "role", "remove") and role != KEEPER:
            raise LogError("notAllowed", op[0])
        if op[0] == "put":
            state.objects[op[1].id] = (place, op[1])
            if len(state.objects) > MAXIMUM_OBJECTS:
                raise LogError("logTampered", "too many objects")
        elif op[0] == "delete":
            if state.objects.pop(op[1], None) is None:
                raise LogError("logTampered", "no such object")
        elif op[0] == "add":
            _, sign_key, box_key, new, certificate, name = op
            ident = machine_id(sign_key)
            if ident in state.members or ident in state.former or new not in (KEEPER, WRITER, READER):
                raise LogError("notAllowed", "known")
            if not is_signed(state.members[author].sign_key, certified(state.log, sign_key, new), certificate):
                raise LogError("badSignature")
            state.members[ident] = Member(ident, sign_key, box_key, new, place, author, certificate, name)
            if len(state.members) > MAXIMUM_MACHINES:
                raise LogError("logTampered", "too many machines")
        elif op[0] == "role":
            _, ident, new, certificate = op
            if ident not in state.members or LEFT in (new, state.members[ident].role) or new > READER:
                raise LogError("notAllowed", "role")
            member = state.members[ident]
            if not is_signed(state.members[author].sign_key, certified(state.log, member.sign_key, new), certificate):
                raise LogError("badSignature")
            if member.role == KEEPER and new != KEEPER:
                state.former[ident] = Former(ident, member.sign_key, member.adder, member.certificate)
            state.members[ident] = replace(member, role=new, adder=author, certificate=certificate)
        elif op[0] == "rename":
            _, ident, name = op
            if ident not in state.members or ident != author and role != KEEPER:
                raise LogError("notAllowed", "rename")
            state.members[ident] = replace(state.members[ident], name=name)
        elif op[0] == "remove":
            if op[1] not in state.members or op[1] == author:
                raise LogError("notAllowed", "remove")
            member = state.members.pop(op[1])
            if member.role == KEEPER:
                state.former[member.id] = Former(member.id, member.sign_key, member.adder, member.certificate)
        elif op[0] == "renew":
            state.members[author] = replace(state.members[author], box_key=op[1])
        elif op[0] == "leave":
            if role == KEEPER:
                me = state.members[author]
                state.former[author] = Former(author, me.sign_key, me.adder, me.certificate)
            state.members[author] = replace(state.members[author], role=LEFT)
    names = [(put.kind, put.name) for _, put in state.objects.values() if put.kind in NAMED_KINDS]
    if len(set(names)) != len(names) or len({m.name for m in state.members.values()}) != len(state.members):
        raise LogError("nameTaken")
    if not any(member.role == KEEPER for member in state.members.values()):
        raise LogError("lastKeeper")
    return state


def read_stream(log: bytes, stream: bytes) -> State:
    """The state that a snapshot shows."""
    state, reader = State(log), Reader(stream)
    for _ in range(reader.number(2)):
        member = Member(reader.take(16), reader.take(32), reader.take(32), reader.number(1), reader.number(8),
                        reader.take(16), reader.take(64), name_of_machine(reader.s16(40)))
        if member.id != machine_id(member.sign_key):
            raise LogError("logTampered", "id")
        state.members[member.id] = member
    for _ in range(reader.number(2)):
        keeper = Former(reader.take(16), reader.take(32), reader.take(16), reader.take(64))
        state.former[keeper.id] = keeper
    for _ in range(reader.number(4)):
        place = reader.number(8)
        if reader.number(1) != 1:
            raise LogError("newerEntry")
        put = read_put(reader)
        state.objects[put.id] = (place, put)
    reader.end()
    if state.stream() != stream:
        raise LogError("logTampered", "order")
    return state


# --- Section 3: entries

def entry_hash(entry: bytes) -> bytes:
    return sha(label("hash"), entry)


def derived(key: bytes, name: str, log: bytes, epoch: int, count: int) -> bytes:
    return expand(key, label(name) + log + struct.pack(">I", epoch), count)


@dataclass(frozen=True)
class Frame:
    entry: bytes
    log: bytes
    place: int
    link: bytes
    epoch: int
    is_rekey: bool
    rest: bytes
    sealed: bytes

    @property
    def clear(self) -> bytes:
        return self.entry[:72]

    @property
    def nonce(self) -> bytes:
        return self.entry[72:96]


def read_frame(entry: bytes) -> Frame:
    if len(entry) > LONGEST_ENTRY or len(entry) < 96 + 128 + 16 or entry[:8] != b"HSIPLOG1":
        raise LogError("logTampered", "frame")
    place, epoch, flags = (int.from_bytes(entry[a:b], "big") for a, b in ((24, 32), (64, 68), (68, 72)))
    if flags > 1:
        raise LogError("newerEntry", "flags")
    rest = b""
    if flags:
        count = int.from_bytes(entry[144:146], "big")
        if not count or count % 8 or count > MAXIMUM_MACHINES or len(entry) < 146 + 48 * count + 16:
            raise LogError("logTampered", "boxes")
        rest = entry[96:146 + 48 * count]
        boxes = boxes_of(rest)
        if boxes != sorted(set(boxes)):
            raise LogError("logTampered", "boxes")
    return Frame(entry, entry[8:24], place, entry[32:64], epoch, bool(flags), rest, entry[96 + len(rest):])


def boxes_of(rest: bytes) -> list:
    return [rest[at:at + 48] for at in range(50, len(rest), 48)]


def box_key(secret: bytes, public: bytes, clear: bytes, ephemeral: bytes, ident: bytes) -> bytes:
    prk = extract(sha(label("box"), clear, ephemeral), sodium.crypto_scalarmult(secret, public))
    return expand(prk, label("box-key") + ident, 32)


def open_box(frame: Frame, machine: Machine) -> bytes:
    ephemeral, check = frame.rest[:32], frame.rest[32:48]
    key = box_key(machine.box_secret, ephemeral, frame.clear, ephemeral, machine.id)
    for box in boxes_of(frame.rest):
        try:
            found = unseal(key, bytes(24), label("box"), box)
        except (sodium_errors.CryptoError, ValueError):
            continue
        if not hmac.compare_digest(derived(found, "key-check", frame.log, frame.epoch, 16), check):
            raise LogError("logTampered", "key check")
        return found
    raise LogError("machineRevoked")


@dataclass(frozen=True)
class Content:
    kind: int
    author: bytes
    time: int
    generation: int
    part: int
    parts: int
    digest: bytes
    body: bytes
    unsigned: bytes
    signature: bytes


def open_content(frame: Frame, key: bytes) -> Content:
    try:
        packed = unseal(derived(key, "seal", frame.log, frame.epoch, 32), frame.nonce,
                        label("entry") + frame.clear + frame.rest, frame.sealed)
    except (sodium_errors.CryptoError, ValueError):
        raise LogError("logTampered", "sealed") from None
    content = unpack(packed)
    reader = Reader(content)
    if reader.number(1) != 1:
        raise LogError("newerEntry", "version")
    kind = reader.number(1)
    if kind not in (CHANGE, REKEY, PART):
        raise LogError("newerEntry", "type")
    fields = (reader.take(16), reader.number(8), reader.number(8), reader.number(2), reader.number(2), reader.take(32))
    body = reader.take(reader.number(4))
    unsigned, signature = content[:reader.at], reader.take(64)
    reader.end()
    if fields[3] >= fields[4] or (kind == REKEY) != frame.is_rekey or kind == REKEY and fields[4] != 1:
        raise LogError("logTampered", "parts")
    if fields[3] + 1 < fields[4] and any(fields[5]):
        raise LogError("logTampered", "digest of a part")
    return Content(kind, *fields, body, unsigned, signature)


def verify(frame: Frame, content: Content, members: dict) -> Member:
    if content.author not in members:
        raise LogError("logTampered", "no member")
    member = members[content.author]
    message = label("sig-entry") + sha(frame.clear, frame.nonce, frame.rest) + content.unsigned
    if not is_signed(member.sign_key, message, content.signature):
        raise LogError("badSignature")
    return member


# --- Section 5: one machine's view

class Log:
    """A machine that knows the log up to its head."""

    def __init__(self, machine: Machine, log: bytes):
        self.machine, self.state = machine, State(log)
        self.place, self.hash, self.key = 0, bytes(32), b""
        self.chain: list = []
        self.awaits_rekey, self.unfinished, self.compaction = False, None, None

    @classmethod
    def reading(cls, machine: Machine, entries: list, key: Optional[bytes] = None) -> "Log":
        """A log from its founding; the key where the founding has no box for this machine."""
        first = read_frame(entries[0])
        log = cls(machine, first.log)
        log.key = key if key else open_box(first, machine)
        if derived(log.key, "key-check", first.log, 1, 16) != first.rest[32:48]:
            raise LogError("logTampered", "key check")
        content = open_content(first, log.key)
        reader = Reader(content.body)
        if reader.take(2) != b"\0\0" or first.place != 1 or first.link != bytes(32):
            raise LogError("logTampered", "founding")
        parts = reader.number(4)
        slices = [open_content(read_frame(entry), log.key).body[8:] for entry in entries[1:1 + parts]]
        log.state = read_stream(first.log, b"".join(slices))
        verify(first, content, log.state.members)
        log.compare(content.digest)
        log.advance(first)
        log.compaction = (1, content.author, parts, 0, content.digest)
        for entry in entries[1:]:
            log.take(entry)
        return log

    def advance(self, frame: Frame):
        self.place, self.hash = frame.place, entry_hash(frame.entry)
        self.chain.append(self.hash)

    def compare(self, digest: bytes):
        if self.state.digest() != digest:
            raise LogError("stateDiffers")

    def take(self, entry: bytes):
        frame = read_frame(entry)
        if frame.log != self.state.log or frame.place != self.place + 1:
            raise LogError("logTampered", "place")
        if frame.link != self.hash:
            raise LogError("logForked")
        if self.awaits_rekey and not frame.is_rekey:
            raise LogError("logTampered", "behind a removal")
        if frame.epoch != self.state.epoch + frame.is_rekey:
            raise LogError("logTampered", "epoch")
        key = open_box(frame, self.machine) if frame.is_rekey else self.key
        content = open_content(frame, key)
        member = verify(frame, content, self.state.members)
        if member.role not in (KEEPER, WRITER):
            raise LogError("notAllowed", "role")
        state, unfinished, compaction, awaits = self.state.copy(), None, self.compaction, self.awaits_rekey
        if content.kind == CHANGE:
            unfinished = self.unfinished if content.part else (content.author, content.parts, [])
            if not unfinished or unfinished[:2] != (content.author, content.parts) \
                    or len(unfinished[2]) != content.part:
                raise LogError("logTampered", "part")
            unfinished = (*unfinished[:2], unfinished[2] + [content.body])
            if content.part + 1 == content.parts:
                operations = read_operations(b"".join(unfinished[2]))
                state = apply(state, content.author, frame.place, operations)
                awaits, unfinished = any(op[0] == "remove" for op in operations), None
                if state.digest() != content.digest:
                    raise LogError("stateDiffers")
        elif content.kind == REKEY:
            if member.role != KEEPER:
                raise LogError("notAllowed", "rekey")
            awaits, state.epoch = False, frame.epoch
            reader = Reader(content.body)
            reason, has_previous = reader.number(1), reader.number(1)
            if reason > PERIODIC:
                raise LogError("newerEntry", "reason")
            if reason == FOUNDING or has_previous != (reason != COMPACTION):
                raise LogError("logTampered", "rekey")
            if has_previous:
                if reader.take(32) != self.key:
                    raise LogError("logTampered", "previous key")
            else:
                parts, count = reader.number(4), reader.number(4)
                chain = [reader.take(32) for _ in range(count)]
                if not chain or chain != self.chain[-count:] or not 1 <= parts <= MAXIMUM_SNAPSHOT_PARTS:
                    raise LogError("logTampered", "chain list")
                compaction = (frame.place, content.author, parts, 0, content.digest)
            reader.end()
            if state.digest() != content.digest:
                raise LogError("stateDiffers")
        else:
            if not compaction or content.body[:8] != struct.pack(">Q", compaction[0]):
                raise LogError("logTampered", "no compaction")
            place, author, parts, index, digest = compaction
            if author != content.author:
                raise LogError("notAllowed", "not its compaction")
            if (content.part, content.parts) != (index, parts):
                raise LogError("logTampered", "part")
            compaction = (place, author, parts, index + 1, digest)
            if index + 1 == parts:
                if content.digest != digest:
                    raise LogError("stateDiffers")
                compaction = None
        self.state, self.key, self.awaits_rekey = state, key, awaits
        self.unfinished, self.compaction = unfinished, compaction
        self.advance(frame)

    # --- Section 7: writing

    def entry(self, author: Machine, kind: int, body: bytes, digest: bytes, part: int = 0, parts: int = 1,
              key: Optional[bytes] = None, place: Optional[int] = None, link: Optional[bytes] = None) -> bytes:
        epoch = self.state.epoch + (kind == REKEY and self.place > 0)
        clear = (b"HSIPLOG1" + self.state.log + struct.pack(">Q", place or self.place + 1) + (link or self.hash)
                 + struct.pack(">II", epoch, kind == REKEY))
        rest = b""
        if kind == REKEY:
            secret = os.urandom(32)
            ephemeral = sodium.crypto_scalarmult_base(secret)
            boxes = []
            for member in self.state.members.values():
                if member.role != LEFT:
                    sealing = box_key(secret, member.box_key, clear, ephemeral, member.id)
                    boxes.append(seal(sealing, bytes(24), label("box"), key))
            while len(boxes) % 8:
                boxes.append(os.urandom(48))
            rest = (ephemeral + derived(key, "key-check", self.state.log, epoch, 16) + struct.pack(">H", len(boxes))
                    + b"".join(sorted(boxes)))
        nonce = os.urandom(24)
        content = (bytes([1, kind]) + author.id + struct.pack(">QQHH", 1, 1, part, parts) + digest
                   + struct.pack(">I", len(body)) + body)
        content += sign(author.seed, label("sig-entry") + sha(clear, nonce, rest) + content)
        key = key or self.key
        return clear + nonce + rest + seal(derived(key, "seal", self.state.log, epoch, 32), nonce,
                                           label("entry") + clear + rest, pack(content))

    @classmethod
    def found(cls, founder: Machine, name: bytes) -> tuple:
        """A log with its first two entries."""
        log = cls(founder, os.urandom(16))
        certificate = sign(founder.seed, certified(log.state.log, founder.sign_key, KEEPER))
        log.state.members[founder.id] = Member(
            founder.id, founder.sign_key, founder.box_key, KEEPER, 1, founder.id, certificate, name)
        log.key, digest = os.urandom(32), log.state.digest()
        first = log.entry(founder, REKEY, b"\0\0" + struct.pack(">II", 1, 0), digest, key=log.key)
        body = struct.pack(">Q", 1) + log.state.stream()
        second = log.entry(founder, PART, body, digest, place=2, link=entry_hash(first))
        return cls.reading(founder, [first, second]), [first, second]

    def change(self, author: Machine, operations: list, cut: int = LONGEST_BODY) -> list:
        """The entries of a change, given as the bytes of its operations."""
        body = b"".join(operations)
        parts = max(1, -(-len(body) // cut))
        state = apply(self.state, author.id, self.place + parts, read_operations(body))
        entries, link = [], self.hash
        for part in range(parts):
            digest = state.digest() if part + 1 == parts else bytes(32)
            entries.append(self.entry(author, CHANGE, body[part * cut:(part + 1) * cut], digest, part, parts,
                                      place=self.place + 1 + part, link=link))
            link = entry_hash(entries[-1])
        return entries

    def rekey(self, author: Machine, reason: int) -> bytes:
        state = replace(self.state, epoch=self.state.epoch + 1)
        return self.entry(author, REKEY, bytes([reason, 1]) + self.key, state.digest(), key=os.urandom(32))

    def compact(self, author: Machine, cut: int = LONGEST_BODY) -> list:
        stream, chain = self.state.stream(), self.chain[-LONGEST_CHAIN:]
        parts = -(-len(stream) // cut)
        digest, key = replace(self.state, epoch=self.state.epoch + 1).digest(), os.urandom(32)
        body = b"\1\0" + struct.pack(">II", parts, len(chain)) + b"".join(chain)
        entries = [self.entry(author, REKEY, body, digest, key=key)]
        later = Log(self.machine, self.state.log)
        later.state, later.key = replace(self.state, epoch=self.state.epoch + 1), key
        for part in range(parts):
            body = struct.pack(">Q", self.place + 1) + stream[part * cut:(part + 1) * cut]
            entries.append(later.entry(author, PART, body, digest if part + 1 == parts else bytes(32), part, parts,
                                       place=self.place + 2 + part, link=entry_hash(entries[-1])))
        return entries
