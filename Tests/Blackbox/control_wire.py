"""The wire of the agent's control socket, by hand (Schemas/control.md): what the program would never send, too."""

import json
import struct

from agent_wire import Connection as Stream

REQUEST, REPLY, ERROR, QUESTION, ANSWER, EVENT, CANCEL, BYTES, DATA = range(1, 10)
PROTOCOL = 8
MESSAGE_LIMIT, BYTES_LIMIT = 256 << 10, 2 << 20


def frame(kind: int, number: int, body: bytes | dict = b"") -> bytes:
    """A frame; the length counts all that follows it."""
    if isinstance(body, dict):
        body = json.dumps(body).encode() if is_json(kind, number) else cbor(body)
    return struct.pack(">IBI", len(body) + 5, kind, number) + body


def is_json(kind: int, number: int) -> bool:
    return number == 0 and kind != EVENT


def hello(version: int = PROTOCOL, **more) -> bytes:
    return frame(REQUEST, 0, {"request": "hello", "hello": {"protocol": version, "program": "a test", **more}})


class Place(int):
    """The place of a secret among those that a call brings."""


def cbor(value) -> bytes:
    """A value as messages and the arguments of calls have it (Schemas/operations.md)."""
    def head(kind: int, number: int) -> bytes:
        if number < 24:
            return bytes([kind << 5 | number])
        size = next(size for size in (1, 2, 4, 8) if number < 1 << 8 * size)
        return bytes([kind << 5 | {1: 24, 2: 25, 4: 26, 8: 27}[size]]) + number.to_bytes(size, "big")

    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, Place):
        return head(6, 32768) + head(0, value)
    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, (bytes, str)):
        data = value.encode() if isinstance(value, str) else value
        return head(3 if isinstance(value, str) else 2, len(data)) + data
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(cbor(item) for item in value)
    return head(5, len(value)) + b"".join(cbor(key) + cbor(value[key]) for key in sorted(value))


def read(data: bytes) -> tuple:
    """The value that comes next, and what is behind it."""
    head, data = data[0], data[1:]
    if head in (0xF4, 0xF5, 0xF6):
        return {0xF4: False, 0xF5: True, 0xF6: None}[head], data
    kind, number = head >> 5, head & 31
    if number >= 24:
        size = 1 << number - 24
        number, data = int.from_bytes(data[:size], "big"), data[size:]
    if kind < 2:
        return number if kind == 0 else -1 - number, data
    if kind < 4:
        return data[:number] if kind == 2 else data[:number].decode(), data[number:]
    if kind == 6:
        place, data = read(data)
        return Place(place), data
    items = []
    for _ in range(number if kind == 4 else 2 * number):
        item, data = read(data)
        items.append(item)
    return items if kind == 4 else dict(zip(items[::2], items[1::2])), data


NO_SECRETS = {"names": [], "contents": [0]}
TAKEN = {"taken": "leave", "takenKeys": "rename", "takenHosts": "leave", "leavesTwins": False}
# Arguments of operations that take many things, without any.
NOTHING = {
    "secret.check": [[]], "secret.import": [NO_SECRETS, TAKEN], "secret.import-trial": [NO_SECRETS, TAKEN],
    "vault.import-trial": [
        {"secrets": NO_SECRETS, "hosts": [], "knownHosts": b"", "keyNames": [], "keyContents": [0]}, TAKEN],
}

STATUS = {"status": {}}


class Connection(Stream):
    """One connection. Greets unless told not to."""

    def __init__(self, path: str, greets: bool = True, **more):
        super().__init__(path)
        self._last = 0
        if greets:
            self.raw(hello(**more))
            kind, _, body = self.receive()
            if kind != REPLY or body["reply"] != "hello":
                raise AssertionError(f"no greeting: {kind} {body}")
            self.greeting = body["hello"]

    def request(self, body: dict, *before: bytes) -> int:
        """Sends a request, with raw frames (kind BYTES) before it; its number."""
        self._last += 1
        self.raw(b"".join(frame(BYTES, self._last, raw) for raw in before) + frame(REQUEST, self._last, body))
        return self._last

    def call(self, operation: str, arguments: list, *secrets: bytes) -> int:
        """Sends a call of an operation; its number."""
        self._last += 1
        frames = [frame(BYTES, self._last, secret) for secret in secrets] + [frame(DATA, self._last, cbor(arguments))]
        self.raw(b"".join(frames) + frame(REQUEST, self._last, {"call": {"operation": operation}}))
        return self._last

    def receive(self) -> tuple[int, int, bytes | dict] | None:
        """The next frame: kind, number, body. None when the agent hung up."""
        head = self._exactly(9)
        if head is None:
            return None
        size, kind, number = struct.unpack(">IBI", head)
        body = self._exactly(size - 5)
        if body is None:
            return None
        if kind in (BYTES, DATA):
            return kind, number, body
        return kind, number, json.loads(body) if is_json(kind, number) else read(body)[0]

    def ask(self, body: dict, *before: bytes) -> tuple[int, dict] | None:
        """The reply, error or question to a request: its kind and body."""
        number = self.request(body, *before)
        found = self.receive()
        if found is None:
            return None
        if found[1] != number:
            raise AssertionError(f"an answer to {found[1]}, not to {number}: {found}")
        return found[0], found[2]

    def status(self) -> dict:
        kind, body = self.ask(STATUS)
        if kind != REPLY:
            raise AssertionError(f"no status: {kind} {body}")
        return body["status"]["_0"]
