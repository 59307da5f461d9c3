"""A security key in software: CTAPHID packets on a socket, CTAP 2.0 or 2.1, PIN protocols 1 and 2, hmac-secret.

authenticator.py SOCKET OPTIONS; OPTIONS is JSON:
seed (hex: the same seed is the same key), pin, finger, always (verifies always), old (CTAP 2.0), protocol, secrets (has
hmac-secret), touch (yes, slow, never, timeout, no), short (secrets of 16 bytes), retries (PIN tries that
are left).
It is written after the standard, for tests alone: its random numbers and comparisons are of no use elsewhere.
"""

import hashlib
import hmac
import json
import os
import socket
import struct
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

OPTIONS = {"seed": "00", "pin": None, "finger": False, "always": False, "old": False, "protocol": 2, "secrets": True,
           "touch": "yes", "short": False, "retries": 8}
OPTIONS.update(json.loads(sys.argv[2]))
SEED = bytes.fromhex(OPTIONS["seed"])
AAGUID = bytes.fromhex("48534950000000000000000000000001")


class Refused(Exception):
    pass


def encode(value):
    def head(kind, number):
        for bits, form, limit in ((0, None, 24), (24, ">B", 1 << 8), (25, ">H", 1 << 16), (26, ">I", 1 << 32)):
            if number < limit:
                return bytes([kind << 5 | (number if form is None else bits)]) + (struct.pack(form, number) if form else b"")
        raise ValueError(number)

    if value is True or value is False:
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(encode, value))
    pairs = sorted(((encode(key), encode(item)) for key, item in value.items()), key=lambda pair: (len(pair[0]), pair[0]))
    return head(5, len(pairs)) + b"".join(key + item for key, item in pairs)


def decode(data, at=0):
    kind, number = data[at] >> 5, data[at] & 31
    at += 1
    if kind == 7:
        return {20: False, 21: True}[number], at
    if number >= 24:
        size = 1 << (number - 24)
        number = int.from_bytes(data[at : at + size], "big")
        at += size
    if kind < 2:
        return (number if kind == 0 else -1 - number), at
    if kind < 4:
        text = data[at : at + number]
        return (text if kind == 2 else text.decode()), at + number
    items = []
    for _ in range(number * (kind - 3)):
        item, at = decode(data, at)
        items.append(item)
    return (items if kind == 4 else dict(zip(items[::2], items[1::2]))), at


def derived(label, data):
    return hmac.new(SEED, label + data, hashlib.sha256).digest()


def cipher(key, iv):
    return Cipher(algorithms.AES(key), modes.CBC(iv))


class Shared:
    """What both ends share after a key agreement, by one of the two protocols."""

    def __init__(self, own, other, protocol):
        point = ec.EllipticCurvePublicNumbers(
            int.from_bytes(other[-2], "big"), int.from_bytes(other[-3], "big"), ec.SECP256R1()
        ).public_key()
        x = own.exchange(ec.ECDH(), point)
        self.protocol = protocol
        if protocol == 1:
            self.mac = self.key = hashlib.sha256(x).digest()
        else:
            make = lambda info: HKDF(hashes.SHA256(), 32, bytes(32), info).derive(x)
            self.mac, self.key = make(b"CTAP2 HMAC key"), make(b"CTAP2 AES key")

    def encrypt(self, data):
        iv = bytes(16) if self.protocol == 1 else os.urandom(16)
        worker = cipher(self.key, iv).encryptor()
        return (b"" if self.protocol == 1 else iv) + worker.update(data) + worker.finalize()

    def decrypt(self, data):
        iv, data = (bytes(16), data) if self.protocol == 1 else (data[:16], data[16:])
        worker = cipher(self.key, iv).decryptor()
        return worker.update(data) + worker.finalize()


def tag(key, data, protocol):
    whole = hmac.new(key, data, hashlib.sha256).digest()
    return whole[:16] if protocol == 1 else whole


class Key:
    def __init__(self):
        self.retries, self.wrong = OPTIONS["retries"], 0
        self.token = os.urandom(32)
        self.agree()

    def agree(self):
        self.own = ec.generate_private_key(ec.SECP256R1())

    def cose(self, public, algorithm):
        numbers = public.public_numbers()
        return {1: 2, 3: algorithm, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}

    def info(self):
        options = {"rk": True, "up": True, "plat": False, "clientPin": OPTIONS["pin"] is not None}
        if OPTIONS["finger"]:
            options["uv"] = True
        if not OPTIONS["old"]:
            options.update({"pinUvAuthToken": True, "makeCredUvNotRqd": not OPTIONS["always"], "alwaysUv": OPTIONS["always"]})
        answer = {1: ["FIDO_2_0"] + ([] if OPTIONS["old"] else ["FIDO_2_1"]), 3: AAGUID, 4: options, 5: 1200,
                  6: [OPTIONS["protocol"]]}
        if OPTIONS["secrets"]:
            answer[2] = ["hmac-secret"]
        return answer

    def pin(self, request):
        what, protocol = request[2], request.get(1, 1)
        if what == 1:
            return {3: self.retries}
        if what == 2:
            return {1: self.cose(self.own.public_key(), -25)}
        if what == 7:
            return {5: 3}
        shared = Shared(self.own, request[3], protocol)
        if what == 6:
            return {2: shared.encrypt(self.token)}
        if self.retries == 0:
            raise Refused(0x32)
        if self.wrong >= 3:
            raise Refused(0x34)
        if OPTIONS["pin"] is None:
            raise Refused(0x35)
        self.retries -= 1
        if shared.decrypt(request[6]) != hashlib.sha256(OPTIONS["pin"].encode()).digest()[:16]:
            self.wrong += 1
            self.agree()
            raise Refused(0x32 if self.retries == 0 else 0x34 if self.wrong >= 3 else 0x31)
        self.retries, self.wrong = 8, 0
        return {2: shared.encrypt(self.token)}

    def verified(self, mac, data, protocol, options):
        if mac is not None:
            if not hmac.compare_digest(mac, tag(self.token, data, protocol)):
                raise Refused(0x33)
            return True
        return bool(OPTIONS["finger"] and options.get("uv"))

    def make(self, request, touch):
        verified = self.verified(request.get(8), request[1], request.get(9, 1), request.get(7, {}))
        if not verified and (OPTIONS["always"] or (OPTIONS["old"] and OPTIONS["pin"] is not None)):
            raise Refused(0x36)
        touch()
        nonce = os.urandom(32)
        place = hashlib.sha256(request[2]["id"].encode()).digest()
        identifier = nonce + derived(b"id", nonce + place)
        public = ec.derive_private_key(int.from_bytes(derived(b"sign", nonce), "big") >> 8, ec.SECP256R1()).public_key()
        wants = request.get(6, {}).get("hmac-secret") and OPTIONS["secrets"]
        data = place + bytes([0x41 | (4 if verified else 0) | (0x80 if wants else 0)]) + bytes(4)
        data += AAGUID + struct.pack(">H", len(identifier)) + identifier + encode(self.cose(public, -7))
        return {1: "none", 2: data + (encode({"hmac-secret": True}) if wants else b""), 3: {}}

    def get(self, request, touch):
        place = hashlib.sha256(request[1].encode()).digest()
        ours = [entry["id"] for entry in request.get(3, [])
                if entry["id"][32:] == derived(b"id", entry["id"][:32] + place)]
        options = request.get(5, {})
        verified = self.verified(request.get(6), request[2], request.get(7, 1), options)
        present = options.get("up", True)
        if present and not verified and OPTIONS["always"]:
            raise Refused(0x36)
        if not ours:
            raise Refused(0x2E)
        if present:
            touch()
        data = place + bytes([(1 if present else 0) | (4 if verified else 0)]) + bytes(4)
        wants = request.get(4, {}).get("hmac-secret")
        if wants:
            protocol = wants.get(4, 1)
            shared = Shared(self.own, wants[1], protocol)
            if wants[3] != tag(shared.mac, wants[2], protocol):
                raise Refused(0x33)
            secret = derived(b"with" if verified else b"without", ours[0][:32])
            output = hmac.new(secret, shared.decrypt(wants[2])[:32], hashlib.sha256).digest()
            if OPTIONS["short"]:
                output = output[:16]
            data = data[:32] + bytes([data[32] | 0x80]) + data[33:] + encode({"hmac-secret": shared.encrypt(output)})
        return {1: {"id": ours[0], "type": "public-key"}, 2: data, 3: b"\x30\x06\x02\x01\x01\x02\x01\x01"}

    def answer(self, message, touch):
        request = decode(message, 1)[0] if len(message) > 1 else {}
        try:
            act = {1: lambda: self.make(request, touch), 2: lambda: self.get(request, touch), 4: self.info,
                   6: lambda: self.pin(request)}.get(message[0])
            if act is None:
                raise Refused(0x01)
            return b"\x00" + encode(act())
        except Refused as refused:
            return bytes([refused.args[0]])


class Line:
    """One open connection: messages in packets of 64 bytes."""

    def __init__(self, connection, key):
        self.connection, self.key = connection, key

    def packet(self):
        data = b""
        while len(data) < 64:
            more = self.connection.recv(64 - len(data))
            if not more:
                raise ConnectionError
            data += more
        return data

    def send(self, channel, command, data):
        packets = [channel + bytes([0x80 | command]) + struct.pack(">H", len(data)) + data[:57]]
        for number, start in enumerate(range(57, len(data), 59)):
            packets.append(channel + bytes([number]) + data[start : start + 59])
        self.connection.sendall(b"".join(packet.ljust(64, b"\0") for packet in packets))

    def touch(self, channel):
        way = OPTIONS["touch"]
        if way == "yes":
            return
        for _ in range(3):
            self.send(channel, 0x3B, b"\x02")
        while way == "never":
            if self.packet()[4] == 0x91:
                raise Refused(0x2D)
        if way in ("timeout", "no"):
            raise Refused({"timeout": 0x3A, "no": 0x27}[way])

    def serve(self):
        while True:
            first = self.packet()
            channel, command = first[:4], first[4] & 0x7F
            size = struct.unpack(">H", first[5:7])[0]
            data = first[7:]
            while len(data) < size:
                data += self.packet()[5:]
            data = data[:size]
            if command == 0x06:
                self.send(channel, command, data + b"\x00\x00\x00\x07" + bytes([2, 5, 0, 0, 0x0C]))
            elif command == 0x10:
                self.send(channel, command, self.key.answer(data, lambda: self.touch(channel)))
            elif command != 0x11:
                self.send(channel, 0x3F, b"\x01")


def main():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen(8)
    key = Key()
    while True:
        connection, _ = listener.accept()
        with connection:
            try:
                Line(connection, key).serve()
            except OSError:
                pass


main()
