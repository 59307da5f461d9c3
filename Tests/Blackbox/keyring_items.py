"""The vault's items as another program reads them: Schemas/secret-service.md, from the page and nothing else."""

import base64
import hashlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Interop"))

import vault_file as vf  # noqa: E402

import keyring as kr  # noqa: E402

RESERVED = ("vault", "kind", "name", "form")
PLAIN = ("password", "token")


def strict(text: str) -> bytes:
    """Base64 with padding, one spelling only."""
    value = base64.b64decode(text, validate=True)
    if base64.b64encode(value).decode() != text:
        raise AssertionError("not the one spelling of its base64")
    return value


def of(keyring: kr.SecretService, schema: str) -> list[kr.Item]:
    return keyring.items({"xdg:schema": kr.SCHEMAS + schema})


def rows(keyring: kr.SecretService) -> dict[str, str]:
    """Every item of records and keys, hashed.

    Header, redo and the log's own mark hold nothing of a person; they may change in any call.
    """
    found = {}
    for schema in ("Record", "Slot"):
        for item in of(keyring, schema):
            if item.attributes.get("kind") == "vault.audit":
                continue
            parts = [item.label.encode(), item.secret, repr(sorted(item.attributes.items())).encode()]
            found[item.path] = hashlib.sha256(b"\0".join(parts)).hexdigest()
    return found


def header(keyring: kr.SecretService) -> dict:
    items = of(keyring, "Header")
    if len(items) != 1:
        raise AssertionError(f"{len(items)} headers")
    word, vault, epoch, ceiling, floor, mark = items[0].secret.decode().split(" ")
    if word != "hsip-vault:1" or vault != items[0].attributes["vault"] or len(mark) != 32:
        raise AssertionError(f"not a header: {items[0]}")
    return {"vault": vault, "epoch": int(epoch), "ceiling": int(ceiling), "floor": int(floor), "mark": mark}


def read(item: kr.Item):
    """The meta content and the body of one record's item."""
    if item.attributes["form"] == "record":
        head, version, meta, body = item.secret.decode().split(":")
        if (head, version) != ("hsip", "1"):
            raise AssertionError(f"not a record: {item}")
        return vf.Meta.parse(strict(meta)), strict(body)
    if item.attributes["form"] != "plain" or item.attributes["kind"] not in PLAIN:
        raise AssertionError(f"no such form: {item}")
    return vf.Meta.parse(strict(item.attributes["hsip:meta"])), item.secret


def records(keyring: kr.SecretService) -> dict[tuple[str, str], bytes]:
    """Every record of the one vault there is, checked: attributes, label and content agree, nothing stands twice."""
    head = header(keyring)
    found = {}
    for item in of(keyring, "Record"):
        meta, body = read(item)
        where = f"{item.path} {item.label!r} {item.attributes}"
        if (item.attributes["vault"], item.record) != (head["vault"], (meta.kind, meta.name)):
            raise AssertionError(f"content and attributes disagree: {where}")
        if item.record in found:
            raise AssertionError(f"a record stands twice: {where}")
        if item.label != (meta.label or f"HSIP {meta.kind}/{meta.name}"):
            raise AssertionError(f"the label is not the record's: {where}")
        if meta.revision > head["ceiling"]:
            raise AssertionError(f"a revision above the ceiling: {where}")
        found[item.record] = body
    for item in of(keyring, "Redo"):
        if item.secret != b"hsip-redo:1 idle":
            raise AssertionError("a change set is not done yet")
    return found
