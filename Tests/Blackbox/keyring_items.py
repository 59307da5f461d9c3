"""The vault's items as another program reads and writes them: Schemas/keyring-vault.md, from the page and nothing else."""

import base64
import dataclasses
import hashlib
import hmac
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Interop"))

import vault_file as vf  # noqa: E402

import keyring as kr  # noqa: E402


def strict(text: str) -> bytes:
    """Base64 with padding, one spelling only."""
    value = base64.b64decode(text, validate=True)
    if base64.b64encode(value).decode() != text:
        raise AssertionError("not the one spelling of its base64")
    return value


def of(keyring: kr.SecretService, schema: str) -> list[kr.Item]:
    return keyring.items({"xdg:schema": kr.SCHEMAS + schema})


def mark(key: bytes, place: bytes, content: bytes) -> bytes:
    """HKDF-Expand gives one block of 32 bytes here."""
    return hmac.digest(hmac.digest(key, place + b"\x01", "sha256"), content, "sha256")


@dataclasses.dataclass
class Entry:
    kind: str
    name: str
    meta: bytes = b""
    body: bytes | None = None
    page: tuple[bytes, int, bytes] | None = None

    @property
    def record(self) -> tuple[str, str]:
        return self.kind, self.name

    @property
    def is_gone(self) -> bool:
        return not self.meta


def record_id(reader: vf.Reader) -> tuple[str, str]:
    return reader.s16().decode(), reader.s16().decode()


def entry(reader: vf.Reader, generation: int) -> Entry:
    form = reader.number(1)
    if form == 2:
        return Entry(*record_id(reader))
    if form > 2:
        raise AssertionError(f"no such entry: {form}")
    content = reader.take(reader.number(4))
    meta = vf.Meta.parse(content)
    if meta.revision > generation:
        raise AssertionError(f"a revision above the generation: {meta}")
    found = Entry(meta.kind, meta.name, content)
    if form == 0:
        found.body = reader.take(reader.number(4))
        if len(found.body) > 8192:
            raise AssertionError(f"a long body in a page of records: {meta}")
    else:
        found.page = reader.take(8), reader.number(4), reader.take(32)
    return found


def ascending(entries: list) -> list:
    names = [(one.kind.encode(), one.name.encode()) for one in entries]
    if names != sorted(set(names)):
        raise AssertionError("records are not in their order, or twice")
    return entries


def header(keyring: kr.SecretService, vault: str | None = None) -> dict:
    """The one root, or that of one vault."""
    items = [item for item in of(keyring, "Header") if vault in (None, item.attributes["vault"])]
    if len(items) != 1:
        raise AssertionError(f"{len(items)} roots")
    return root(items[0])


def root(item: kr.Item) -> dict:
    """What a root says, checked by its mark."""
    word, key, content, tag = item.secret.decode().split(" ")
    key, content = strict(key), strict(content)
    if word != "hsip-vault:2" or len(key) != 32 or strict(tag) != mark(key, b"root", content):
        raise AssertionError(f"not a root: {item}")
    reader = vf.Reader(content, "root")
    found = {"item": item, "key": key, "content": content, "vault": reader.take(16).hex(), "epoch": reader.number(4),
             "generation": reader.number(8), "floor": reader.number(8), "mark": reader.take(16).hex(),
             "records": reader.number(8), "pages": []}
    if found["vault"] != item.attributes["vault"]:
        raise AssertionError("a root of another vault")
    for _ in range(reader.number(4)):
        page, first, last = reader.take(8), record_id(reader), record_id(reader)
        found["pages"].append((page, first, last, reader.number(4), reader.take(32)))
    found["recent"] = ascending([entry(reader, found["generation"]) for _ in range(reader.number(4))])
    found["pending"] = [record_id(reader) for _ in range(reader.number(4))]
    reader.end()
    return found


def write_root(keyring: kr.SecretService, head: dict, content: bytes):
    """Another root under the right mark, as only a program that means it writes one."""
    fields = head["key"], content, mark(head["key"], b"root", content)
    text = " ".join(["hsip-vault:2"] + [base64.b64encode(field).decode() for field in fields])
    keyring.set_secret(head["item"].path, text.encode())


def page(items: list[kr.Item], head: dict, number: bytes, tag: bytes, place: bytes) -> bytes:
    """The content of a page that is named by number and tag."""
    for item in items:
        if item.attributes["page"] != number.hex():
            continue
        word, content, found = item.secret.decode().split(" ")
        content = strict(content)
        if (word, content[:8], strict(found)) != ("hsip-page:2", number, tag) or mark(head["key"], place, content) != tag:
            raise AssertionError(f"not the page that is named: {item.path}")
        return content[8:]
    raise AssertionError(f"no page {number.hex()}")


def read(keyring: kr.SecretService, vault: str | None = None) -> dict[tuple[str, str], tuple[bytes, bytes]]:
    """Meta content and body of every record of a vault, everything checked: nothing is left over, nothing is missing."""
    head = header(keyring, vault)
    items = [item for item in of(keyring, "Page") if item.attributes["vault"] == head["vault"]]
    found, named = {}, set()
    for number, first, last, count, tag in head["pages"]:
        reader = vf.Reader(page(items, head, number, tag, b"page"), "page")
        entries = []
        while reader.at < len(reader.data):
            entries.append(entry(reader, head["generation"]))
        if (len(ascending(entries)), entries[0].record, entries[-1].record) != (count, first, last):
            raise AssertionError("a page is not what the root says")
        found |= {one.record: one for one in entries}
        named.add(number.hex())
    for one in head["recent"]:
        if one.is_gone:
            del found[one.record]
        else:
            found[one.record] = one
    if len(found) != head["records"]:
        raise AssertionError(f"{len(found)} records, the root says {head['records']}")
    result = {}
    for one in found.values():
        body = one.body
        if one.page:
            number, count, tag = one.page
            body = page(items, head, number, tag, b"body")
            named.add(number.hex())
            if len(body) != count:
                raise AssertionError(f"a body of another length: {one}")
        result[one.record] = one.meta, body
    if sorted(item.attributes["page"] for item in items) != sorted(named):
        raise AssertionError("pages are left over")
    return result


def records(keyring: kr.SecretService) -> dict[tuple[str, str], bytes]:
    """Every record of the one vault there is, checked."""
    return {record: body for record, (_, body) in read(keyring).items()}


def rows(keyring: kr.SecretService) -> dict[str, str]:
    """Every record and key, hashed.

    The log's own mark holds nothing of a person; it may change in any call.
    """
    found = {}
    for item in of(keyring, "Header"):
        vault = item.attributes["vault"]
        for (kind, name), (meta, body) in read(keyring, vault).items():
            if kind != "vault.audit":
                found[f"{vault} {kind}/{name}"] = hashlib.sha256(meta + b"\0" + body).hexdigest()
    for item in of(keyring, "Slot"):
        parts = [item.label.encode(), item.secret, repr(sorted(item.attributes.items())).encode()]
        found[item.path] = hashlib.sha256(b"\0".join(parts)).hexdigest()
    return found
