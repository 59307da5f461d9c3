"""What a disk may hold after a power cut, worked out from what programs wrote to it and when they waited for it.

strace records every write, sync, creation and removal of a few files, by any number of programs. At each moment a disk
holds what was synced before; of what was written since, it may hold all, nothing, or any 512-byte sectors. Names are
kept in the order in which they were made and removed, up to some point, as a journal of the file system keeps them.
"""

import os
import random
import re
import subprocess

import strace

SECTOR = 512
CALLS = ("openat", "?open", "?creat", "write", "writev", "pwrite64", "pwritev", "pwritev2", "fallocate", "ftruncate",
         "truncate", "fsync", "fdatasync", "sync_file_range", "?unlink", "unlinkat", "?rename", "renameat", "renameat2",
         "?link", "linkat", "copy_file_range", "sendfile")
LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+|\?)")
BEGUN = re.compile(r"(\d+) +(\w+)\((.*?),? <unfinished \.\.\.>$")
ENDED = re.compile(r"(\d+) +<\.\.\. (\w+) resumed>(.*)$")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
OPEN_FILE = re.compile(r"(\d+)<((?:\\x[0-9a-f]{2})*)>(\(deleted\))?")


def _bytes(hexes: str) -> bytes:
    return bytes.fromhex(hexes.replace("\\x", ""))


class File:
    """An inode: what is on the disk, and what may be."""

    def __init__(self, content: bytes = b""):
        self.kept = bytearray(content)
        self.pending: list[tuple] = []

    def sync(self, count: int):
        for change in self.pending[:count]:
            _apply(self.kept, change)
        del self.pending[:count]

    def after_a_cut(self, keeps) -> bytes:
        """Its bytes; `keeps` is asked for each sector, and for each new length, that was not synced."""
        content = bytearray(self.kept)
        for change in self.pending:
            if change[0] == "size":
                if keeps():
                    _apply(content, change)
                continue
            _, at, data = change
            place = at
            while place < at + len(data):
                end = min((place // SECTOR + 1) * SECTOR, at + len(data))
                if keeps():
                    _apply(content, ("write", place, data[place - at:end - at]))
                place = end
        return bytes(content)


def _apply(content: bytearray, change: tuple):
    if change[0] == "size":
        size = change[1]
        del content[size:]
        content.extend(bytes(size - len(content)))
        return
    _, at, data = change
    content.extend(bytes(max(0, at - len(content))))
    content[at:at + len(data)] = data


class Disk:
    """Some files of a few folders, as programs see them and as a cut would leave them."""

    def __init__(self, paths: list[str], is_followed):
        self.is_followed = is_followed
        self.lies = False
        """Whether a sync does nothing."""
        self.files: dict[str, File] = {}
        for path in paths:
            with open(path, "rb") as file:
                self.files[path] = File(file.read())
        self.kept = dict(self.files)
        self.pending: list[tuple[str, File | None]] = []

    def make(self, path: str):
        if path not in self.files:
            self._name(path, File())

    def remove(self, path: str):
        if path in self.files:
            self._name(path, None)

    def _name(self, path: str, file: File | None):
        _rename(self.files, path, file)
        self.pending.append((path, file))

    def sync(self, path: str, file_count: int, name_count: int):
        """Brings a file, or the names in a folder, to the disk, as far as they had come when the sync began."""
        if self.lies:
            return
        if path in self.files:
            self.files[path].sync(file_count)
        else:
            self._sync_folder(path, name_count)

    def _sync_folder(self, folder: str, count: int):
        of_folder = [change for change in self.pending[:count] if os.path.dirname(change[0]) == folder]
        for path, file in of_folder:
            _rename(self.kept, path, file)
        self.pending = [change for change in self.pending[:count] if change not in of_folder] + self.pending[count:]

    def after_a_cut(self, how: str, chance: random.Random) -> dict[str, bytes]:
        """The files by their paths: with `all`, `none`, or `torn` of what was not synced."""
        names = dict(self.kept)
        count = {"all": len(self.pending), "none": 0}.get(how)
        for path, file in self.pending[:chance.randint(0, len(self.pending)) if count is None else count]:
            _rename(names, path, file)
        keeps = {"all": lambda: True, "none": lambda: False}.get(how, lambda: chance.random() < 0.5)
        return {path: file.after_a_cut(keeps) for path, file in names.items()}


def _rename(names: dict[str, File], path: str, file: File | None):
    if file is None:
        names.pop(path, None)
    else:
        names[path] = file


def record(log: str, said: str, command: list[str], **how) -> subprocess.CompletedProcess:
    """Runs a command, and all that it starts; writes the calls to one file, and standard output to another."""
    with open(said, "ab") as output:
        return subprocess.run([strace.STRACE, "-f", "-qq", "-y", "-xx", "-s", "1000000", "-o", log,
                               "-e", "trace=" + ",".join(CALLS), "-e", "signal=none", *command], stdout=output, **how)


class Replay:
    """The moments of a record, one after the other: after each, the disk is as it was then."""

    def __init__(self, log: str, said: str, disk: Disk):
        self.disk = disk
        self._output = said
        self._said: dict[int, bytes] = {}
        with open(log, encoding="ascii") as file:
            self._lines = file.read().splitlines()

    def lines(self) -> list[str]:
        """The whole lines that programs had written to standard output until now."""
        return [line for said in self._said.values() for line in said.decode("utf-8", "replace").split("\n")[:-1]]

    def moments(self):
        """Yields the name of each call that changed a file or made something durable, after it was played."""
        begun: dict[str, tuple[str, str, int, int]] = {}
        for line in self._lines:
            if match := BEGUN.match(line):
                process, call, words = match.groups()
                # A sync covers what was written before it began, and nothing that came meanwhile.
                begun[process] = (call, words, *self._pending(words))
                continue
            if match := ENDED.match(line):
                process, call, rest = match.groups()
                first, words, *pending = begun.pop(process)
                assert first == call, line
                line = f"{process} {call}({words}{rest}"
            else:
                pending = None
            match = LINE.match(line)
            if match is None or match[4] == "?" or int(match[4]) < 0:
                continue
            if self._play(int(match[1]), match[2], match[3], int(match[4]), pending or self._pending(match[3])):
                yield match[2]

    def _target(self, words: str) -> str | None:
        """The file that a call works on; None for one that has no name any more."""
        match = OPEN_FILE.match(words)
        return os.fsdecode(_bytes(match[2])) if match and not match[3] else None

    def _pending(self, words: str) -> tuple[int, int]:
        target = self._target(words)
        file = self.disk.files.get(target or "")
        return len(file.pending) if file else 0, len(self.disk.pending)

    def _play(self, process: int, call: str, words: str, result: int, pending) -> bool:
        texts = [_bytes(match[1]) for match in TEXT.finditer(words)]
        if call in ("openat", "open", "creat"):
            path = os.fsdecode(texts[0])
            if not self.disk.is_followed(path) or call != "creat" and "O_CREAT" not in words:
                return False
            assert "O_TRUNC" not in words and call != "creat", words
            known = path in self.disk.files
            self.disk.make(path)
            return not known
        if call in ("unlink", "unlinkat", "rename", "renameat", "renameat2", "link", "linkat"):
            path = os.fsdecode(texts[0])
            followed = [name for name in map(os.fsdecode, texts) if self.disk.is_followed(name)]
            assert not followed or call == "unlink" or call == "unlinkat", (call, followed)
            if not followed:
                return False
            self.disk.remove(path)
            return True
        target = self._target(words)
        if target is None:
            return False
        if target == self._output:
            assert call == "write", call
            self._said[process] = self._said.get(process, b"") + texts[0][:result]
            return True
        if call in ("fsync", "fdatasync"):
            self.disk.sync(target, *pending)
            return True
        file = self.disk.files.get(target)
        if file is None:
            return False
        match call:
            case "pwrite64":
                file.pending.append(("write", int(words.rsplit(", ", 1)[1]), texts[0][:result]))
            case "ftruncate":
                file.pending.append(("size", int(words.rsplit(", ", 1)[1])))
            case _:
                raise AssertionError(f"a call that the disk does not know: {call} {target}")
        return True
