"""Keys made by the ssh-keygen of this machine, which is also the judge of what comes out of the vault."""

import os
import subprocess

FOREIGN = "päss wörd ✓"
TYPES = {"ed25519": ("ed25519",), "ecdsa256": ("ecdsa", "-b", "256"), "ecdsa384": ("ecdsa", "-b", "384"),
         "ecdsa521": ("ecdsa", "-b", "521"), "rsa2048": ("rsa", "-b", "2048"), "rsa3072": ("rsa", "-b", "3072"),
         "rsa4096": ("rsa", "-b", "4096")}
CIPHERS = ("aes128-ctr", "aes192-ctr", "aes256-ctr", "aes128-cbc", "aes192-cbc", "aes256-cbc",
           "aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com", "3des-cbc")


def tool(*words: str, given: bytes = b"", cwd: str | None = None, env: dict | None = None) -> bytes:
    """A tool of OpenSSH, OpenSSL or git; its output. What it says goes into the error."""
    done = subprocess.run(words, input=given, capture_output=True, cwd=cwd, timeout=100,
                          env={"PATH": "/usr/bin:/bin", "HOME": cwd or "/", "LC_ALL": "C.UTF-8"} | (env or {}))
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.returncode} {done.stdout!r} {done.stderr!r}")
    return done.stdout


def make(path: str, kind: str = "ed25519", passphrase: str = "", comment: str = "a comment", *more: str) -> str:
    """Makes a key pair; the path of its private half."""
    tool("ssh-keygen", "-q", "-f", path, "-N", passphrase, "-C", comment, "-a", "1", "-t", *TYPES[kind], *more)
    return path


def public_of(path: str, passphrase: str = "") -> str:
    """Type and base64 of the public half, as ssh-keygen computes it of the private one."""
    return " ".join(tool("ssh-keygen", "-y", "-P", passphrase, "-f", path).decode().split()[:2])


def beside(path: str) -> str:
    """Type and base64 that stand in the .pub file."""
    return " ".join(read(path + ".pub").decode().split()[:2])


def fingerprint(path: str) -> str:
    return tool("ssh-keygen", "-l", "-f", path).decode().split()[1]


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def section(text: bytes) -> bytes:
    """The bytes of an openssh-key-v1 file without a passphrase, its random check numbers zeroed."""
    import base64
    body = base64.b64decode(b"".join(text.split(b"\n")[1:-2]))
    at = 15 + 4 + 4 + 4 + 4 + 4 + 4  # magic, "none", "none", no options, one key
    size = int.from_bytes(body[at:at + 4], "big")
    at += 4 + size + 4
    return body[:at] + bytes(8) + body[at + 8:]


def modes(path: str) -> int:
    return os.stat(path).st_mode & 0o7777
