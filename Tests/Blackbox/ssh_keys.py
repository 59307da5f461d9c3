"""Keys made by the ssh-keygen of this machine, which is also the judge of what comes out of the vault."""

import base64
import hashlib
import os
import stat
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
    body = base64.b64decode(b"".join(text.split(b"\n")[1:-2]))
    at = 15 + 4 + 4 + 4 + 4 + 4 + 4  # magic, "none", "none", no options, one key
    size = int.from_bytes(body[at:at + 4], "big")
    at += 4 + size + 4
    return body[:at] + bytes(8) + body[at + 8:]


def modes(path: str) -> int:
    return os.stat(path).st_mode & 0o7777


def snapshot(folder: str) -> dict:
    """What an import must leave as it was: names, types, modes, times and contents, links not followed."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(place, name)
            facts = os.lstat(path)
            what = (os.readlink(path) if stat.S_ISLNK(facts.st_mode) else
                    hashlib.sha256(read(path)).hexdigest() if stat.S_ISREG(facts.st_mode) else None)
            found[os.path.relpath(path, folder)] = (facts.st_mode, facts.st_ino, facts.st_mtime_ns, facts.st_size, what)
    return found


# Keys that no machine of tests can make, built by hand (OpenSSH's PROTOCOL.key and PROTOCOL.u2f).

def string(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value


def key_file(path: str, public: bytes, private: bytes, comment: bytes) -> str:
    """A file without a passphrase of a public half on the wire, the type and fields of the private one, a comment."""
    section = bytes(8) + private + string(comment)
    section += bytes(range(1, 1 + -len(section) % 8))
    body = (b"openssh-key-v1\0" + string(b"none") + string(b"none") + string(b"") + (1).to_bytes(4, "big")
            + string(public) + string(section))
    text = base64.b64encode(body)
    rows = [text[at:at + 70] for at in range(0, len(text), 70)]
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(b"\n".join([b"-----BEGIN OPENSSH PRIVATE KEY-----", *rows, b"-----END OPENSSH PRIVATE KEY-----", b""]))
    name = public[4:4 + int.from_bytes(public[:4], "big")]
    with open(path + ".pub", "wb") as file:
        file.write(name + b" " + base64.b64encode(public) + b" " + comment + b"\n")
    return path


def security_key(path: str, kind: str = "ed25519", comment: bytes = b"on a ring") -> str:
    """What ssh-keygen writes for a security key: the handle, for the point of an ordinary key."""
    make(path + ".point", {"ed25519": "ed25519", "ecdsa": "ecdsa256"}[kind])
    wire = base64.b64decode(read(path + ".point.pub").split()[1])
    os.remove(path + ".point")
    os.remove(path + ".point.pub")
    if kind == "ed25519":
        half = string(b"sk-ssh-ed25519@openssh.com") + string(wire[-32:]) + string(b"ssh:")
    else:
        half = (string(b"sk-ecdsa-sha2-nistp256@openssh.com") + string(b"nistp256") + string(wire[-65:])
                + string(b"ssh:work"))
    return key_file(path, half, half + b"\x01" + string(bytes(range(64))) + string(b""), comment)


def unknown_key(path: str, comment: bytes = b"of tomorrow") -> str:
    """A type that nobody knows yet."""
    name = string(b"ssh-tomorrow@example.org")
    return key_file(path, name + string(b"public" * 20), name + string(b"public" * 20) + string(b"private" * 50), comment)
