"""Stops and faults at system calls, put there by strace from outside."""

import os
import re
import shutil
import subprocess

STRACE = shutil.which("strace")
WRITES = ("pwrite64", "write", "fdatasync", "fsync", "ftruncate", "unlink", "link", "rename")
"""What changes files or makes it durable; creation by open is seen through the first write."""


def works() -> bool:
    """Tracing is allowed here."""
    if STRACE is None:
        return False
    return subprocess.run([STRACE, "-f", "-qq", "-o", "/dev/null", "true"], capture_output=True).returncode == 0


def inject(call: str, what: str, when: str) -> tuple[str, ...]:
    """Words to put before a command. The counter of strace is one a thread."""
    return (STRACE, "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e", f"trace={call}",
            "-e", f"inject={call}:{what}:when={when}")


def kill(call: str, number: int) -> tuple[str, ...]:
    return inject(call, "signal=KILL", str(number))


def count(person, *words: str, **how) -> dict[str, int]:
    """How often each of the calls is made, at most, by one thread of the command."""
    log = os.path.join(person.home, "files", "calls")
    before = (STRACE, "-f", "-qq", "-o", log, "-e", "trace=" + ",".join(WRITES))
    outcome = person.run(*words, before=before, **how)
    if outcome.code != 0:
        raise AssertionError(f"this should have worked:{outcome}")
    counts: dict[tuple[str, str], int] = {}
    with open(log, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = re.match(r"(\d+) +(\w+)\(", line)
            if match:
                counts[match.groups()] = counts.get(match.groups(), 0) + 1
    os.unlink(log)
    most: dict[str, int] = {}
    for (_, call), number in counts.items():
        most[call] = max(most.get(call, 0), number)
    return most
