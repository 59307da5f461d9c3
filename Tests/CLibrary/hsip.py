"""libhsip for Python, by ctypes: an example of how a language without a binding of its own calls it.

    import hsip
    with hsip.Vault() as vault:
        message, left = vault.encrypt("bob", "see you at eight")

    python3 -m hsip encrypt bob < text
"""

import ctypes
import os
import sys



def _library() -> str:
    """The one that $HSIP_LIBRARY names, else the one of the prefix that this module is installed in, else the system's."""
    beside = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "libhsip.so.1"))
    return os.environ.get("HSIP_LIBRARY") or (beside if os.path.exists(beside) else "libhsip.so.1")


LIBRARY = _library()
REREAD, STEALTH = 1, 2
EVEN_EXPIRED = 1


class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    def taken(self) -> bytes | None:
        """A copy as Python has it; what the library gave is wiped and freed."""
        value = ctypes.string_at(self.data, self.size) if self.data else None
        _hsip.hsip_bytes_free(ctypes.byref(self))
        return value


ASK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t)


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("vault", ctypes.c_char_p), ("program", ctypes.c_char_p), ("ask", ASK),
                ("ctx", ctypes.c_void_p), ("timeout_ms", ctypes.c_uint32)]


_hsip = ctypes.CDLL(LIBRARY)
_vault, _text, _size, _flag = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32
_out = ctypes.POINTER(Bytes)
for _name, _types in {
    "open": (ctypes.POINTER(Options), ctypes.POINTER(_vault)), "pair": (_vault, _text, _out),
    "accept": (_vault, _text, _size, _text, _out, _out),
    "encrypt": (_vault, _text, _text, _size, _out, ctypes.POINTER(_flag)),
    "decrypt": (_vault, _text, _size, _flag, _out, _out), "call": (_vault, _text, _out),
    "secret_get": (_vault, _text, _text, _out),
    "secret_read": (_vault, _text, _text, _flag, _flag, _out, ctypes.POINTER(ctypes.c_int64)),
    "secret_set": (_vault, _text, _text, _text, _size),
}.items():
    getattr(_hsip, f"hsip_{_name}").argtypes = _types
    getattr(_hsip, f"hsip_{_name}").restype = ctypes.c_int32
_hsip.hsip_close.argtypes, _hsip.hsip_close.restype = (_vault,), None
_hsip.hsip_bytes_free.argtypes, _hsip.hsip_bytes_free.restype = (_out,), None
_hsip.hsip_status_name.argtypes, _hsip.hsip_status_name.restype = (ctypes.c_int32,), _text
_hsip.hsip_version.restype = _hsip.hsip_hint.restype = _hsip.hsip_last_error.restype = _text


class Refused(Exception):
    """What the library would not do: `status` is its number, `name` the word for it, `message` the sentence of the
    command line, `json` the reason in full, `hint` a command that a person may run, such as the lease that would allow it."""

    def __init__(self, status: int, json: bytes | None = None):
        self.status, self.name, self.json = status, _hsip.hsip_status_name(status).decode(), json
        self.message, self.hint = _hsip.hsip_last_error().decode(), _hsip.hsip_hint().decode() or None
        super().__init__(f"{self.name}: {self.hint}" if self.hint else self.name)


def _must(status: int, *out: Bytes):
    """Ends well, or nothing that came is left behind."""
    if status != 0:
        given = [bytes.taken() for bytes in out]
        raise Refused(status, given[-1] if given else None)


class Vault:
    """An open vault. `ask` is given a question and whether a secret is wanted, and answers with bytes or a bool; None says
    that nobody is there."""

    def __init__(self, name: str | None = None, ask=None, program: str = "hsip.py", timeout: float = 0):
        def asked(_, question, answer, room):
            try:
                said = ask(question.decode(), room > 0)
            except Exception:  # nothing may be thrown through C
                return -1
            if said is None or room == 0:
                return -1 if said is None else int(said is True)
            ctypes.memmove(answer, said, min(len(said), room))
            return len(said)
        # Both are needed until close.
        self._ask = ASK(asked) if ask else ASK()
        self._open = _vault()
        options = Options(ctypes.sizeof(Options), name.encode() if name else None, program.encode(), self._ask, None,
                          int(timeout * 1000))
        _must(_hsip.hsip_open(ctypes.byref(options), ctypes.byref(self._open)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        _hsip.hsip_close(self._open)

    def pair(self, contact: str | None = None) -> str:
        code = Bytes()
        _must(_hsip.hsip_pair(self._open, contact.encode() if contact else None, code), code)
        return code.taken().decode()

    def accept(self, text: str, save_as: str | None = None) -> tuple[str | None, bytes]:
        reply, json = Bytes(), Bytes()
        given = text.encode()
        _must(_hsip.hsip_accept(self._open, given, len(given), save_as.encode() if save_as else None, reply, json),
              reply, json)
        code = reply.taken()
        return code.decode() if code else None, json.taken()

    def encrypt(self, contact: str, text: str) -> tuple[str, int]:
        message, left = Bytes(), ctypes.c_uint32()
        given = text.encode()
        _must(_hsip.hsip_encrypt(self._open, contact.encode(), given, len(given), message, ctypes.byref(left)), message)
        return message.taken().decode(), left.value

    def decrypt(self, text: str, flags: int = 0) -> tuple[str, str]:
        plain, sender = Bytes(), Bytes()
        given = text.encode()
        _must(_hsip.hsip_decrypt(self._open, given, len(given), flags, plain, sender), plain, sender)
        return plain.taken().decode(), sender.taken().decode()

    def secret_get(self, name: str, field: str | None = None) -> bytes:
        value = Bytes()
        _must(_hsip.hsip_secret_get(self._open, name.encode(), field.encode() if field else None, value), value)
        return value.taken()

    def secret_read(self, name: str, field: str | None = None, version: int = 0, flags: int = 0) -> tuple[bytes, int]:
        """The value, and when the secret ends: Unix seconds, 0 for never."""
        value, end = Bytes(), ctypes.c_int64()
        _must(_hsip.hsip_secret_read(self._open, name.encode(), field.encode() if field else None, version, flags, value,
                                     ctypes.byref(end)), value)
        return value.taken(), end.value

    def secret_set(self, name: str, value: bytes, field: str | None = None):
        _must(_hsip.hsip_secret_set(self._open, name.encode(), field.encode() if field else None, value, len(value)))

    def call(self, request: str) -> bytes:
        reply = Bytes()
        _must(_hsip.hsip_call(self._open, request.encode(), reply), reply)
        return reply.taken()


def version() -> str:
    return _hsip.hsip_version().decode()


def main(words: list[str]) -> int:
    import getpass

    def ask(question: str, wants_secret: bool):
        if wants_secret:
            return getpass.getpass(question + ": ").encode()
        return input(question + " [y/N] ").lower().startswith("y")

    try:
        with Vault(ask=ask if sys.stdin.isatty() else None) as vault:
            if words[:1] == ["encrypt"] and len(words) == 2:
                print(vault.encrypt(words[1], sys.stdin.read())[0])
            elif words == ["decrypt"]:
                print(vault.decrypt(sys.stdin.read())[0])
            elif words == ["contacts"]:
                print(vault.call('{"command":"contact list"}').decode())
            else:
                print("usage: hsip.py encrypt CONTACT | decrypt | contacts", file=sys.stderr)
                return 2
    except Refused as refusal:
        print(f"hsip.py: {refusal}", file=sys.stderr)
        return refusal.status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
