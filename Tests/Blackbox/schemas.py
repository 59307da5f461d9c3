"""The JSON of every call against Schemas/cli, and its exit codes against Schemas/errors.json."""

import json
import os

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "Schemas", "cli")

_STORE = {}
for _name in os.listdir(FOLDER):
    if _name.endswith(".schema.json"):
        with open(os.path.join(FOLDER, _name), encoding="utf-8") as _file:
            _STORE[f"file://{FOLDER}/{_name}"] = json.load(_file)
with open(os.path.join(ROOT, "Schemas", "errors.json"), encoding="utf-8") as _file:
    _EXITS = {error["name"]: error["exit"] for error in json.load(_file)["errors"]}

_BASE = f"file://{FOLDER}/envelope.schema.json"
_VALIDATOR = jsonschema.Draft202012Validator(
    _STORE[_BASE], resolver=jsonschema.RefResolver(_BASE, _STORE[_BASE], store=_STORE))

SEEN: set[tuple[str, bool]] = set()
"""Commands whose JSON was checked, and whether it told of a success."""


def check_object(text: str) -> dict:
    """One envelope: valid JSON with no key twice, valid by its schema, the exit code of its error."""
    def once(pairs):
        keys = [key for key, _ in pairs]
        if len(keys) != len(set(keys)):
            raise AssertionError(f"a key stands twice: {keys}")
        return dict(pairs)

    whole = json.loads(text, object_pairs_hook=once)
    fault = jsonschema.exceptions.best_match(_VALIDATOR.iter_errors(whole))
    if fault is not None:
        where = "/".join(str(part) for part in fault.absolute_path)
        raise AssertionError(f"not valid by its schema at {where}: {fault.message[:600]}\n{text[:3000]}")
    if not whole["ok"]:
        error = whole["error"]
        if _EXITS[error["code"]] != error["exit"]:
            raise AssertionError(f"the exit code of {error['code']} is {error['exit']}")
    SEEN.add((whole["command"], whole["ok"]))
    return whole


LISTS = ("secret list", "secret check", "contact list", "session list", "ssh host list", "ssh key list")
"""What ends with 11 where it is short of damaged records, and has what can be read all the same."""


def check(outcome):
    """Exactly one object on standard output (one a line with --lines), nothing on standard error."""
    if outcome.talk_data != b"":
        raise AssertionError(f"with --json nothing is said beside it:{outcome}")
    lines = outcome.data.decode("utf-8").splitlines()
    many = "--lines" in outcome.command
    if not many and len(lines) != 1:
        raise AssertionError(f"exactly one line of JSON:{outcome}")
    for line in lines:
        whole = check_object(line)
        if not many:
            code = 0 if whole["ok"] else whole["error"]["exit"]
            short = [one for one in whole["warnings"]
                     if one["code"] == "damagedRecord" and one.get("kind") != "hsip.identity"]
            if whole["ok"] and whole["command"] in LISTS and short:
                code = 11
            special = whole["ok"] and whole["command"] in ("doctor", "decrypt", "status")
            if not special and code != outcome.code:
                raise AssertionError(f"the exit code is {outcome.code}, the JSON says {code}:{outcome}")
