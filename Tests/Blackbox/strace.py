"""Stops and faults at system calls, put there by strace from outside."""

import os
import shutil
import subprocess

STRACE = shutil.which("strace")


def works() -> bool:
    """Tracing is allowed here."""
    if STRACE is None:
        return False
    return subprocess.run([STRACE, "-f", "-qq", "-o", "/dev/null", "true"], capture_output=True).returncode == 0


def may_attach() -> bool:
    """Programs that run already may be traced: others than root may trace only what they start."""
    return os.geteuid() == 0 and works()


def inject(call: str, what: str, when: str, path: str | None = None) -> tuple[str, ...]:
    """Words to put before a command; with a path, only calls on that file count.

    strace counts for each thread of its own. What is written to one file is written by one thread, so a count for
    each file meets every write; a count over all of them would stop at the first thread and never reach the others.
    """
    where = () if path is None else ("-P", path)
    return (STRACE, "-f", "-qq", "-o", "/dev/null", *where, "-e", f"trace={call}", "-e", f"inject={call}:{what}:when={when}")


def kill(call: str, number: int, path: str | None = None) -> tuple[str, ...]:
    return inject(call, "signal=KILL", str(number), path)


def places(person) -> list[tuple[str, str | None]]:
    """Every call that changes a file of the vault or makes it durable, and every one that shows something."""
    vault, log, memory = person.vault, person.vault + "-wal", person.vault + "-shm"
    anchor = next(entry for entry in person.anchor_files())
    folder = vault.rpartition("/")[0]
    return ([(call, log) for call in ("pwrite64", "fdatasync", "ftruncate", "unlink")]
            + [(call, vault) for call in ("pwrite64", "fdatasync", "ftruncate")]
            + [("ftruncate", memory), ("unlink", memory), ("pwrite64", anchor), ("fdatasync", folder),
               ("fsync", None), ("write", None)])
