"""Commands about SSH keys killed at every write and sync, and several of them at once."""

import json
import os
import unittest

import ssh_keys as sk
import test_crash
from test_processes import everybody
from test_ssh_keys import KeyCase


class Kill(test_crash.Sweep):
    """Whatever was cut short can be asked for again, and no key is lost, halved or doubled."""

    def setUp(self):
        super().setUp()
        self.folder = self.alice.path("files", "ssh")
        os.makedirs(self.folder, mode=0o700)

    def keys(self) -> dict[str, dict]:
        return {key["name"]: key for key in self.ok(self.alice, "ssh", "key", "list", "--json").result["keys"]}

    def comes_out(self, name: str):
        """The key is whole: OpenSSH makes of its private half what the vault says of its public one."""
        text = self.ok(self.alice, "ssh", "key", "export", name, "--no-passphrase", "--expect", name, "--stdout").data
        path = self.alice.write("files/out", text)
        line = self.ok(self.alice, "ssh", "key", "export", name, "--public").output
        self.assertEqual(sk.public_of(path), " ".join(line.split()[:2]))

    def test_import(self):
        path = sk.make(os.path.join(self.folder, "k"))
        pem = sk.make(os.path.join(self.folder, "pem"), "ecdsa256", "", "of the .pub", "-m", "PEM")
        # They are copied back each time, and so have other inodes.
        def files():
            return {name: (mode, *rest) for name, (mode, _, *rest) in sk.snapshot(self.folder).items()}
        before = files()

        def go_on(outcome, where):
            self.assertIn(set(self.keys()), (set(), {"k", "pem"}), where)
            if outcome.output:
                self.assertEqual(set(self.keys()), {"k", "pem"}, f"{where}: said before it was there")
            self.assertEqual(files(), before, where)
            self.ok(self.alice, "ssh", "key", "import", self.folder)
            self.assertEqual({name: key["fingerprint"] for name, key in self.keys().items()},
                             {"k": sk.fingerprint(path), "pem": sk.fingerprint(pem)})
            for name in ("k", "pem"):
                self.assertEqual(sk.read(self.alice.path("state", "hsip", "ssh", name + ".pub")),
                                 sk.read(os.path.join(self.folder, name + ".pub")))
            self.comes_out("k")
        self.sweep(("ssh", "key", "import", self.folder), go_on)

    def test_generate(self):
        def go_on(outcome, where):
            there = set(self.keys())
            self.assertIn(there, (set(), {"k"}), where)
            if outcome.output:
                self.assertEqual(there, {"k"}, f"{where}: shown before it was there")
            if not there:
                self.ok(self.alice, "ssh", "key", "generate", "k")
            self.comes_out("k")
        self.sweep(("ssh", "key", "generate", "k"), go_on)

    def test_rotate(self):
        self.ok(self.alice, "ssh", "key", "generate", "k", "--sign", "git")
        old = self.keys()["k"]["fingerprint"]

        def go_on(outcome, where):
            there = self.keys()
            if "k-retired" in there:
                self.assertEqual((there["k-retired"]["fingerprint"], there["k-retired"]["state"]), (old, "retired"), where)
                self.assertNotEqual(there["k"]["fingerprint"], old, where)
                self.comes_out("k-retired")
            else:
                self.assertEqual(there["k"]["fingerprint"], old, where)
                self.assertEqual(outcome.output, "", f"{where}: shown before it was there")
            self.assertEqual((len(there) - ("k-retired" in there), there["k"]["state"], there["k"]["sign"]),
                             (1, "active", ["git"]), where)
            self.comes_out("k")
        self.sweep(("ssh", "key", "rotate", "k"), go_on)


class AtOnce(KeyCase):
    def test_four_imports_of_one_folder(self):
        for number in range(4):
            sk.make(self.file(f"k{number}"), "ecdsa256", "", f"c{number}", *(("-m", "PEM") if number % 2 else ()))
        ends = everybody([self.alice.start("ssh", "key", "import", self.folder, "--json") for _ in range(4)])
        self.assertEqual([code for _, code in ends], [0] * 4, ends)
        outcomes = [entry["outcome"] for (output, _), _ in ends for entry in json.loads(output)["data"]["files"]]
        self.assertEqual((outcomes.count("imported"), outcomes.count("known")), (4, 12))
        keys = self.ok(self.alice, "ssh", "key", "list", "--json").result["keys"]
        self.assertEqual({key["name"]: key["fingerprint"] for key in keys},
                         {f"k{number}": sk.fingerprint(self.file(f"k{number}")) for number in range(4)})
        for number in range(4):
            self.assertEqual(sk.read(self.pub(f"k{number}")), sk.read(self.file(f"k{number}.pub")))
            self.assertEqual(sk.public_of(self.takes_out(f"k{number}")), sk.beside(self.file(f"k{number}")))
        self.assertEqual([name for name in os.listdir(os.path.dirname(self.pub("x"))) if not name.endswith(".pub")], [])
        self.ok(self.alice, "vault", "check")

    def test_one_name_is_given_once(self):
        ends = everybody([self.alice.start("ssh", "key", "generate", "k") for _ in range(4)])
        self.assertEqual(sorted(code for _, code in ends), [0, 4, 4, 4], ends)
        winner = next(output for (output, _), code in ends if code == 0)
        self.assertEqual(self.ok(self.alice, "ssh", "key", "export", "k", "--public").data, winner)
        self.assertEqual(sk.read(self.pub("k")), winner)

    def test_rotations_follow_each_other(self):
        self.ok(self.alice, "ssh", "key", "generate", "k")
        ends = everybody([self.alice.start("ssh", "key", "rotate", "k") for _ in range(3)])
        self.assertLessEqual({code for _, code in ends}, {0, 6}, ends)
        done = [code for _, code in ends].count(0)
        self.assertGreaterEqual(done, 1)
        keys = self.ok(self.alice, "ssh", "key", "list", "--json").result["keys"]
        self.assertEqual([key["state"] for key in keys], ["active"] + ["retired"] * done)
        for key in keys:
            self.assertEqual(sk.read(self.pub(key["name"])).split()[1].decode(), key["publicKeyBase64"])
            self.takes_out(key["name"])


if __name__ == "__main__":
    unittest.main()
