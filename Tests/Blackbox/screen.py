"""A person at a terminal: types, reads, and sees QR codes."""

import os
import re
import struct
import subprocess
import zlib

import pexpect

from house import LITTLE_MEMORY, Person

ENTER, CONTROL_C, CONTROL_D = "\r", "\x03", "\x04"
PAINT = "\x1b[38;5;16;48;5;231m"
GLYPHS = {"\u2588": (1, 1), "\u2580": (1, 0), "\u2584": (0, 1), " ": (0, 0)}


class Screen:
    """One command at a terminal of a given size. Ends with the test."""

    def __init__(self, case, person: Person, *words: str, rows=60, columns=100, secret="", shell: str | None = None,
                 **environment: str):
        command = person.command(*words, secret=secret)
        if shell is not None:
            command = ["/bin/sh", "-c", shell, *command]
        command = [*LITTLE_MEMORY, *command]
        variables = person.environment(**({"TERM": "xterm-256color"} | environment))
        self.process = pexpect.spawn(command[0], command[1:], env=variables, cwd=person.home, encoding="utf-8",
                                     codec_errors="replace", dimensions=(rows, columns), timeout=30, echo=True)
        self.process.delaybeforesend = 0.05
        self.person = person
        self.text = ""
        case.addCleanup(self._end)

    def _end(self):
        self.process.close(force=True)

    def sees(self, pattern: str, timeout: float = 30) -> re.Match:
        """Waits for a text; everything up to it is kept in `text`."""
        try:
            self.process.expect(pattern, timeout=timeout)
        except (pexpect.TIMEOUT, pexpect.EOF) as error:
            raise AssertionError(f"waited for {pattern!r}, got ({type(error).__name__})\n"
                                 f"{self.process.before!r}\nbefore it: {self.text[-1500:]!r}") from None
        self.text += self.process.before + self.process.after
        return self.process.match

    def types(self, text: str):
        self.process.send(text)

    def enters(self, text: str = ""):
        self.process.send(text + ENTER)

    def pastes(self, text: str):
        """As terminals do it with bracketed paste."""
        self.process.send(f"\x1b[200~{text}\x1b[201~")

    def ends(self, timeout: float = 30) -> int:
        """Waits for the end of the program; its exit code, or 128 and the signal."""
        try:
            self.process.expect(pexpect.EOF, timeout=timeout)
        except pexpect.TIMEOUT:
            raise AssertionError(f"does not end\n{self.process.before!r}\nbefore it: {self.text[-1500:]!r}") from None
        self.text += self.process.before
        self.process.close()
        if self.process.exitstatus is not None:
            return self.process.exitstatus
        return 128 + self.process.signalstatus

    @property
    def plain(self) -> str:
        """What was written, without colours and cursor movements of our own."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.text).replace("\r", "")

    def rows(self) -> list[str]:
        """The lines of the QR code on the screen."""
        return [line.split(PAINT, 1)[1].split("\x1b[0m", 1)[0] for line in self.text.split("\n") if PAINT in line]

    def painted(self) -> list[list[int]]:
        """The modules of the QR code on the screen, 1 for dark."""
        modules = []
        for line in self.text.split("\n"):
            if PAINT not in line:
                continue
            glyphs = line.split(PAINT, 1)[1].split("\x1b[0m", 1)[0]
            modules.append([GLYPHS[glyph][0] for glyph in glyphs])
            modules.append([GLYPHS[glyph][1] for glyph in glyphs])
        return modules


def hears(shown: Screen, parts: list[str], what: str = "groups"):
    """Answers the question of a comparison with what the other side reads aloud."""
    asked = shown.sees(rf"{what}\s+(\d+)\s+and\s+(\d+)\s+as")
    shown.sees(r"no\)(: |:?\s+> )")
    shown.enters(" ".join(parts[int(place) - 1] for place in asked.groups()))


def compares(case, person: Person, contact: str, number: str):
    """A person compares at a terminal the number that the other reads aloud; from then on the contact is verified."""
    shown = Screen(case, person, "verify", contact, "--number")
    hears(shown, number.split())
    case.assertEqual(shown.ends(), 0, shown.plain)
    case.assertIn("is verified", shown.plain)


def gives_new(shown: Screen, question: str, secret: str, again: str | None = None):
    """Types a new secret twice, and insists on one that is easy to guess."""
    shown.sees(question)
    shown.enters(secret)
    if shown.sees(r"Use it anyway\?|The same again: ").group(0).startswith("Use"):
        shown.sees(r"\[y/N\] ")
        shown.enters("y")
        shown.sees("The same again: ")
    shown.enters(secret if again is None else again)


def stays_locked(shown: Screen):
    """Declines the offer at the end of a first run to unlock the vault at once."""
    shown.sees(r"Unlock the vault now with this passphrase\? \[yes\]: ")
    shown.enters("no")


def png(modules: list[list[int]], scale: int = 6, quiet: int = 2) -> bytes:
    """Modules as a picture, in grey."""
    width = len(modules[0]) + 2 * quiet
    rows = [[0] * width] * quiet + [[0] * quiet + row + [0] * quiet for row in modules] + [[0] * width] * quiet
    data = bytearray()
    for row in rows:
        line = b"\0" + b"".join((b"\0" if module else b"\xff") * scale for module in row)
        data += line * scale

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    head = struct.pack(">IIBBBBB", width * scale, len(rows) * scale, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(data)))
            + chunk(b"IEND", b""))


CELL = (12, 24)
"""The pixels of a character on a terminal: twice as high as wide, and whole for halves and sextants."""


def picture(rows: list[str]) -> bytes:
    """The lines of a QR code as a terminal shows them, in halves or sextants, as a picture in grey."""
    pixels = []
    for row in rows:
        cells = [_parts(glyph) for glyph in row.ljust(max(map(len, rows)))]
        for y in range(CELL[1]):
            parts = [cell[y * len(cell) // CELL[1]] for cell in cells]
            pixels.append([dark for part in parts for dark in part for _ in range(CELL[0] // len(part))])
    return png(pixels, scale=1, quiet=CELL[0])


def _parts(glyph: str) -> list[list[int]]:
    """Which parts of a character are dark, line by line."""
    if 0x1FB00 <= ord(glyph) <= 0x1FB3B:
        number = ord(glyph) - 0x1FB00 + 1
        number += (number > 0b010100) + (number > 0b101000)
        return [[number >> 2 * line & 1, number >> 2 * line + 1 & 1] for line in range(3)]
    if glyph in "\u258c\u2590":
        return [[int(glyph == "\u258c"), int(glyph == "\u2590")]] * 2
    return [[dark] for dark in GLYPHS[glyph]]


def scan(path: str) -> str:
    """What a scanner reads from a picture."""
    finished = subprocess.run(["zbarimg", "-q", "--raw", "--nodbus", path], capture_output=True)
    if finished.returncode != 0:
        raise AssertionError(f"nothing to scan in {os.path.basename(path)}: {finished}")
    return finished.stdout.decode().strip()
