"""The second implementation as one of the machines: it joins, reads, writes, does what it must not, and is removed."""

import time

import export_file
import shared_log as sl
from house import unittest
from log_machine import LogMachine
from parcel import Credential
from sync_case import HostileCase


def password(value: str, version: int = 1) -> bytes:
    """The content of a login."""
    return Credential("login", version, int(time.time()), {"password": value.encode()}).content()


class PeerCase(HostileCase):
    def setUp(self):
        super().setUp()
        self.peer = LogMachine("quark", self.alice.path("files"))
        code, digits = self.peer.join()
        self.refused("numberDiffers", self.alice, "accept", code, "--expect", "000 000 000 000")
        admitted = self.ok(self.alice, "accept", code, "--expect", digits, "--json").result
        self.assertEqual(admitted["machine"], "quark")
        self.assertEqual(self.peer.enter(admitted["code"]), admitted["number"])
        self.true = self.tip

    def read_by_peer(self, name: str) -> str:
        return export_file.credential(self.peer.secret(name)[1])["fields"]["password"].decode()


class AMachine(PeerCase):
    def test_it_reads_and_writes(self):
        self.assertEqual(self.read_by_peer("db"), "first")
        self.put(self.alice, "db", "second")
        self.sync(self.alice)
        self.peer.read()
        self.assertEqual(self.read_by_peer("db"), "second")
        self.peer.put("wiki", password("of quark"))
        self.peer.put("db", password("third", 3), self.peer.secret("db")[0])
        self.assertIn("Received 2 changes from quark.", self.ok(self.alice, "sync").talk)
        self.are_equal(self.alice, self.bob)
        for person in (self.alice, self.bob):
            self.assertEqual((self.value(person, "db"), self.value(person, "wiki")), ("third", "of quark"))
        listed = self.ok(self.bob, "machine", "--json").result["machines"]
        self.assertEqual([(machine["name"], machine["role"]) for machine in listed],
                         [("desktop", "keeper"), ("laptop", "keeper"), ("quark", "keeper")])

    def test_both_change_at_once(self):
        self.put(self.alice, "db", "of laptop")
        self.peer.put("db", password("of quark", 2), self.peer.secret("db")[0])
        self.assertEqual(self.sync(self.alice)["conflicts"], ["db"])
        self.peer.read()
        self.assertEqual(self.read_by_peer("db"), self.value(self.alice, "db"))

    def test_it_is_removed_and_reads_nothing_newer(self):
        removed = self.ok(self.alice, "machine", "revoke", "quark", "-y", "--json").result
        self.assertEqual(removed["readable"], ["db"])
        self.put(self.alice, "new", "after")
        self.are_equal(self.alice, self.bob)
        with self.assertRaises(sl.LogError) as caught:
            self.peer.read()
        self.assertEqual(caught.exception.name, "machineRevoked")
        true, entries = self.tip, self.peer.entries()
        for entry in entries:
            if sl.read_frame(entry).epoch == 2:
                with self.assertRaises(sl.LogError):
                    sl.open_content(sl.read_frame(entry), self.peer.log.key)
        # What it signs with all that it has is an entry of the log no more.
        body = sl.Put(1, bytes(16), 1, 0, b"planted", password("x")).encode()
        self.peer.log.state.epoch = 2
        forged = self.peer.log.entry(self.peer.keys, sl.CHANGE, body, bytes(32), place=len(entries) + 1,
                                     link=sl.entry_hash(entries[-1]))
        self.peer.create(len(entries) + 1, [forged])
        self.true = true
        self.is_noticed("logTampered")


class Misbehaving(PeerCase):
    """A member signs and seals as it should, what it should not."""

    def is_refused(self, reason: str, body: bytes, digest: bytes = bytes(32)):
        self.show(self.true)
        self.peer.entries()
        log = self.peer.log
        self.peer.create(log.place + 1, [log.entry(self.peer.keys, sl.CHANGE, body, digest)])
        error = self.refused("stateDiffers" if reason == "stateDiffers" else "logTampered", self.bob, "sync").json["error"]
        self.assertEqual(error["details"], {"reason": reason, "place": log.place + 1, "author": "quark"})

    def test_wrong_entries(self):
        self.sync(self.bob)
        before = self.bob.rows()
        put = sl.Put(1, bytes(16), 1, 0, b"other", password("x")).encode()
        other = sl.Machine(bytes([1]) * 32, bytes([2]) * 32)
        adder = self.peer.log.state.members[self.peer.keys.id].adder
        for reason, body in (
                ("stateDiffers", put), ("logTampered", put[:-1]), ("logTampered", sl.op_delete(bytes(16))),
                ("notAllowed", sl.op_remove(self.peer.keys.id, 0)), ("notAllowed", sl.op_remove(adder, 0) + put),
                ("badSignature", sl.op_add(other.sign_key, other.box_key, sl.KEEPER, bytes(64), b"other")),
                ("nameTaken", sl.Put(1, bytes(16), 1, 0, b"db", password("x")).encode())):
            with self.subTest(reason=reason, body=body[:4]):
                self.is_refused(reason, body)
        self.assertEqual(self.bob.rows(), before)
        self.is_noticed("logTampered")

    def test_what_is_no_secret_is_kept_aside(self):
        self.peer.put("strange", b"\1no secret")
        self.peer.put("wiki", password("good"))
        self.ok(self.alice, "sync")
        self.are_equal(self.alice, self.bob)
        for person in (self.alice, self.bob):
            self.assertEqual(sorted(self.names(person)), ["db", "wiki"])

    def test_a_mass_removal_asks_a_person(self):
        for number in range(25):
            self.ok(self.alice, "secret", "generate", f"s{number}")
        self.are_equal(self.alice, self.bob)
        self.peer.read()
        # One in each entry: the sum counts.
        for number in range(25):
            self.peer.write(sl.op_delete(self.peer.secret(f"s{number}")[0]))
        self.refused("massRemoval", self.bob, "sync")
        self.assertEqual(len(self.names(self.bob)), 26)
        self.sync(self.bob, "--accept-removals")
        self.assertEqual(self.names(self.bob), ["db"])


if __name__ == "__main__":
    unittest.main()
