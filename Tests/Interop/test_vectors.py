"""Every field of the known answers, computed again by the second implementation.

Run with:  python3 -m unittest discover -s Tests/Interop
"""

import glob
import hashlib
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import cases  # noqa: E402
import hsip_xc1 as xc  # noqa: E402
import vault_file as vf  # noqa: E402

VECTORS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Schemas", "vectors")
hexed = bytes.fromhex


def load(name: str):
    with open(os.path.join(VECTORS, name), encoding="utf-8") as file:
        return json.load(file)


def leaves(value, path=""):
    """(path, leaf) for every leaf; an empty container is a leaf too."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, f"{path}/{key}")
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{path}/{index}")
    else:
        yield path, value


class CarriedSlots(unittest.TestCase):
    """Slots that a new vault key is wrapped to without their secrets."""

    @classmethod
    def setUpClass(cls):
        cls.vectors = load("carried-slots.json")
        cls.vault_id = hexed(cls.vectors["vault_id"])

    def slots(self, rows) -> list[vf.Slot]:
        return [vf.Slot(row["n"], row["kind"], *(hexed(row[name]) for name in ("params", "proof", "sealed", "note")))
                for row in rows]

    def test_every_slot_opens_before_and_after(self):
        before = [case["row"] for case in self.vectors["slots"]]
        after = self.vectors["after_rekey"]
        for rows, epoch, key, digest in (
                (before, self.vectors["key_epoch"], "vault_key", self.vectors["slot_digest"]),
                (after["rows"], after["key_epoch"], "next_vault_key", after["slot_digest"])):
            slots, key = self.slots(rows), hexed(self.vectors[key])
            slot_key = vf.derive(6, b"HSIPVLT1", key)
            self.assertEqual(vf.slot_digest(slot_key, slots).hex(), digest)
            for slot, case in zip(slots, self.vectors["slots"]):
                with self.subTest(slot=case["name"], epoch=epoch):
                    stretched = hexed(case["S"])
                    self.assertEqual(vf.derive(2, b"HSIPSLOT", stretched), slot.proof)
                    self.assertEqual(vf.public_key(stretched).hex(), case["pk"])
                    self.assertEqual(vf.carried_public_key(slot, self.vault_id, slot_key).hex(), case["pk"])
                    self.assertEqual(vf.unwrap_carried(slot, self.vault_id, epoch, stretched), key)

    def test_the_code_makes_its_secret(self):
        case = self.vectors["slots"][0]
        secret = vf.recovery_secret(case["text"])
        self.assertEqual(secret.hex(), case["secret"])
        self.assertEqual(vf.stretch(vf.RECOVERY, secret, hexed(case["row"]["params"]), self.vault_id).hex(), case["S"])

    def test_a_slot_is_carried_here_too(self):
        key = hexed(self.vectors["next_vault_key"])
        for case, slot in zip(self.vectors["slots"], self.slots(case["row"] for case in self.vectors["slots"])):
            vf.wrap_carried(slot, self.vault_id, 2, key, hexed(case["pk"]), os.urandom)
            self.assertEqual(vf.unwrap_carried(slot, self.vault_id, 2, hexed(case["S"])), key)
            with self.assertRaises(vf.VaultError):
                vf.unwrap_carried(slot, self.vault_id, 3, hexed(case["S"]))


class ProtocolVectors(unittest.TestCase):
    def every_case(self):
        files = sorted(glob.glob(os.path.join(VECTORS, "hsip-xc1*.json")))
        self.assertTrue(files, "no vectors found")
        for name in files:
            for index, case in enumerate(load(os.path.basename(name))["cases"]):
                yield f"{os.path.basename(name)}[{index}]", case

    def test_every_field_is_computed_again(self):
        for name, case in self.every_case():
            message = case["message"]
            computed = cases.compute(case["inputs"], hexed(message["plaintext"]), hexed(message["nonce"]),
                                     hexed(message["hedged"]["random"]), message["hedged"]["counter"])
            expected, found = dict(leaves(case)), dict(leaves(computed))
            self.assertEqual(set(expected), set(found), name)
            for path in expected:
                with self.subTest(case=name, field=path):
                    self.assertEqual(expected[path], found[path])

    def test_every_field_of_suite_02_is_computed_again(self):
        vectors = load("suite02.json")["cases"]
        self.assertEqual(len(vectors), 7)
        for case in vectors:
            expected, found = dict(leaves(case)), dict(leaves(cases.story(case)))
            self.assertEqual(set(expected), set(found), case["name"])
            for path in expected:
                with self.subTest(case=case["name"], field=path):
                    self.assertEqual(expected[path], found[path])

    def test_every_code_is_read_and_written_the_same(self):
        for name, case in self.every_case():
            for kind in ("offer", "answer", "rotate", "accept", "revoke_session", "revoke_identity", "verify"):
                with self.subTest(case=name, kind=kind):
                    data, text = hexed(case[kind]["bytes"]), case[kind]["code"]
                    self.assertEqual(xc.extract(text), data)
                    self.assertEqual(xc.parse(data).encode(), data)
                    self.assertEqual(xc.code_text(data), text)

    def test_every_message_form_opens(self):
        for name, case in self.every_case():
            message, plaintext = case["message"], hexed(case["message"]["plaintext"])
            forward, backward = hexed(case["epoch0"]["key_i2r"]), hexed(case["epoch0"]["key_r2i"])
            for form, key in (("i2r_compact", forward), ("i2r_verbose", forward), ("i2r_stealth", forward),
                              ("r2i_compact", backward)):
                with self.subTest(case=name, form=form):
                    self.assertEqual(xc.open_message(key, xc.parse_message(message[form])), plaintext)
            with self.subTest(case=name, form="upstream"):
                upstream = xc.parse_message(message["upstream_test_key42_peer1"])
                self.assertEqual(xc.open_message(cases.UPSTREAM_KEY, upstream), cases.UPSTREAM_TEXT)

    def test_blake3_and_bech32m_published_answers(self):
        self.assertEqual(xc.blake3(b"").hex(),
                         "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262")
        self.assertEqual(xc.blake3(b"\0").hex(),
                         "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213")
        self.assertEqual(xc.bech32m_encode("a", b""), "a1lqfn3a")
        self.assertEqual(xc.bech32m_encode("a", b"", xc.BECH32_CONSTANT), "a12uel5l")


class VaultVectors(unittest.TestCase):
    """The whole history of the vault of the vectors, replayed with its random stream."""

    @classmethod
    def setUpClass(cls):
        cls.vectors = load("vault-file.json")
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "vault.hsipvault")
        calls = 0

        def random(count):
            nonlocal calls
            calls += 1
            return hashlib.blake2b(calls.to_bytes(8, "big"), key=b"HSIP-VAULT vectors").digest()[:count]

        cls.vault = vf.Vault.create(cls.path, cls.vectors["passphrase"], "passphrase", random=random,
                                    anchor_folder=cls.folder.name, now_ms=lambda: cls.vectors["now_ms"])
        cls.after_create = cls.rows("head", "slot")
        cls.vault.put("login", "github", b"hunter2", "GitHub", {"user": "me", "host": "github.com"})
        cls.vault.put("note", "café", bytes(range(256)))
        cls.after_two_puts = cls.rows("head", "record")
        cls.vault.list()
        cls.after_two_puts["nonzero_lanes"] = {
            str(lane): total.hex() for lane, total in enumerate(cls.vault.head.lanes) if any(total)}
        row = cls.vault.base.execute("SELECT id,seal,meta FROM record WHERE id=?",
                                     (cls.vault.record_id("login", "github"),)).fetchone()
        cls.meta_plain = cls.vault._meta(*row).encode()
        cls.recovery = cls.vault.add_recovery_slot("paper", hexed(cls.vectors["recovery_bytes"]), plain=True)
        cls.vault.put("login", "github", b"hunter3")
        cls.vault.delete("note", "café")
        cls.after_all = cls.rows("head", "slot", "record")
        cls.after_all["anchor"] = cls.vault.anchor_text()
        cls.after_all["generation"] = cls.vault.head.generation

    @classmethod
    def tearDownClass(cls):
        cls.vault.close()
        cls.folder.cleanup()

    @classmethod
    def rows(cls, *tables) -> dict:
        order = {"head": "k", "slot": "n", "record": "id"}
        return {table: [[value.hex() if isinstance(value, bytes) else value for value in row]
                        for row in cls.vault.base.execute(f"SELECT * FROM {table} ORDER BY {order[table]}")]
                for table in tables}

    def test_every_field_is_computed_again(self):
        computed = {
            "format": vf.FORMAT, "random": self.vectors["random"], "now_ms": self.vectors["now_ms"],
            "schema": vf.SCHEMA, "passphrase": self.vectors["passphrase"],
            "vault_id": self.vault.vault_id.hex(), "vault_key": self.vault.key.hex(),
            "subkeys": {name: key.hex() for name, key in self.vault.subkeys.items()},
            "pad": {count: vf.padded(int(count)) for count in self.vectors["pad"]},
            "after_create": self.after_create, "meta_plain": self.meta_plain.hex(),
            "id_login_github": self.vault.record_id("login", "github").hex(),
            "id_note_cafe_nfc": self.vault.record_id("note", "café").hex(),
            "after_two_puts": self.after_two_puts,
            "recovery_bytes": vf.recovery_secret(self.recovery).hex(), "recovery_text": self.recovery,
            "after_all": self.after_all, "file_after_all": self.vectors["file_after_all"],
        }
        expected, found = dict(leaves(self.vectors)), dict(leaves(computed))
        self.assertEqual(set(expected), set(found))
        for path in expected:
            with self.subTest(field=path):
                self.assertEqual(expected[path], found[path])

    def test_the_file_opens_with_both_secrets_and_verifies(self):
        for secret in ({"passphrase": self.vectors["passphrase"]},
                       {"recovery": self.vectors["recovery_text"].lower().replace("-", " ")},
                       {"recovery": hexed(self.vectors["recovery_bytes"])}):
            with self.subTest(secret=list(secret)):
                vault = vf.Vault.open(self.path, anchor_folder=self.folder.name, **secret)
                self.assertEqual(vault.verify(), 1)
                self.assertEqual([(m.kind, m.name) for m in vault.list()], [("login", "github")])
                self.assertEqual(vault.get("login", "github").body, b"hunter3")
                self.assertIsNone(vault.get("note", "café"))
                vault.close()

    def test_the_anchor_file_is_the_anchor(self):
        with open(self.vault.anchor_path(), encoding="ascii") as file:
            self.assertEqual(file.read(), self.vectors["after_all"]["anchor"])

    def test_the_file_has_the_pragmas_of_the_format(self):
        for pragma, value in (("page_size", 4096), ("auto_vacuum", 0), ("application_id", vf.APPLICATION_ID),
                              ("user_version", 1), ("journal_mode", "wal"), ("synchronous", 2)):
            with self.subTest(pragma=pragma):
                self.assertEqual(self.vault.base.execute(f"PRAGMA {pragma}").fetchone()[0], value)


if __name__ == "__main__":
    unittest.main()
