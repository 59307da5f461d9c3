"""The wire of the agent's control socket, by hand (Schemas/control.md): what the program would never send, too."""

import json
import struct

from agent_wire import Connection as Stream

REQUEST, REPLY, ERROR, QUESTION, ANSWER, EVENT, CANCEL, BYTES, DATA = range(1, 10)
TEXT_LIMIT, BYTES_LIMIT = 256 << 10, 2 << 20


def frame(kind: int, number: int, body: bytes | dict = b"") -> bytes:
    """A frame; the length counts all that follows it."""
    if isinstance(body, dict):
        body = json.dumps(body).encode()
    return struct.pack(">IBI", len(body) + 5, kind, number) + body


def hello(version: int = 1, **more) -> bytes:
    return frame(REQUEST, 0, {"request": "hello", "hello": {"protocol": version, "program": "a test"} | more})


STATUS = {"request": "status"}


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

    def receive(self) -> tuple[int, int, bytes | dict] | None:
        """The next frame: kind, number, body. None when the agent hung up."""
        head = self._exactly(9)
        if head is None:
            return None
        size, kind, number = struct.unpack(">IBI", head)
        body = self._exactly(size - 5)
        if body is None:
            return None
        return kind, number, body if kind in (BYTES, DATA) else json.loads(body or b"{}")

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
        return body["status"]
