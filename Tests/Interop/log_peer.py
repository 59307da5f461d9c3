"""Writes a random log, or reads one: `log_peer.py write SEED`, `log_peer.py read` with JSON on standard input.

The JSON holds `seed` and `box_secret` of the founder, the `entries`, and behind the last of them `place` and `state`, all bytes in
hexadecimal. The tests of the program call it.
"""

import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import shared_log as sl  # noqa: E402


def secret(chance: random.Random, name: int) -> bytes:
    number = chance.randrange(6)
    content = chance.randbytes(chance.choice((0, 10, 200, 3_000)))
    return sl.Put(1, bytes([number]) * 16, 1, 0, f"secret {number} {name}".encode(), content).encode()


def write(seed: int) -> dict:
    chance = random.Random(seed)
    machines = [sl.Machine(chance.randbytes(32), chance.randbytes(32)) for _ in range(4)]
    founder = machines[0]
    log, entries = sl.Log.found(founder, b"founder")

    def take(more: list):
        for entry in more:
            log.take(entry)
        entries.extend(more)

    for step in range(25):
        keepers = [m for m in machines if m.id in log.state.members and log.state.members[m.id].role == sl.KEEPER]
        writers = [m for m in machines if m.id in log.state.members
                   and log.state.members[m.id].role in (sl.KEEPER, sl.WRITER)]
        keeper, writer = chance.choice(keepers), chance.choice(writers)
        act = chance.randrange(10)
        if act < 5:
            operations = [secret(chance, step)]
            known = sorted(log.state.objects)
            if known and chance.random() < 0.3 and known[0] != operations[0][2:18]:
                operations.append(sl.op_delete(known[0]))
            take(log.change(writer, operations, chance.choice((400, sl.LONGEST_BODY))))
        elif act == 5:
            others = [m for m in machines if m.id not in log.state.members and m.id not in log.state.former]
            if others:
                other, role = others[0], chance.choice((sl.KEEPER, sl.WRITER, sl.READER))
                certificate = sl.sign(keeper.seed, sl.certified(log.state.log, other.sign_key, role))
                take(log.change(keeper, [sl.op_add(other.sign_key, other.box_key, role, certificate,
                                                   f"machine {step}".encode())]))
        elif act == 6:
            take(log.compact(keeper, chance.choice((500, sl.LONGEST_BODY))))
        elif act == 7:
            take([log.rekey(keeper, sl.PERIODIC)])
        elif act == 8:
            take(log.change(writer, [sl.op_rename(writer.id, f"name {step}".encode())]))
        else:
            others = [m for m in machines[1:] if m.id in log.state.members and m is not keeper]
            if others:
                take(log.change(keeper, [sl.op_remove(others[0].id, 2)]))
                take([log.rekey(keeper, sl.REMOVAL)])
    return {"seed": founder.seed.hex(), "box_secret": founder.box_secret.hex(), "log": log.state.log.hex(),
            "entries": [entry.hex() for entry in entries], "place": log.place, "state": log.state.digest().hex()}


def read(given: dict) -> dict:
    machine = sl.Machine(bytes.fromhex(given["seed"]), bytes.fromhex(given["box_secret"]))
    log = sl.Log.reading(machine, [bytes.fromhex(entry) for entry in given["entries"]])
    return {"place": log.place, "state": log.state.digest().hex()}


if __name__ == "__main__":
    answer = write(int(sys.argv[2])) if sys.argv[1] == "write" else read(json.load(sys.stdin))
    print(json.dumps(answer))
