"""KeePassXC as the keyring: another Secret Service than GNOME's, with prompts that ask nobody and attributes of its own."""

import unittest

import house
import keepassxc
import keyring as kr
from house import Case, Person


@unittest.skipIf(keepassxc.missing(), keepassxc.missing())
class Driven(Case):
    """It can be driven at all: by secret-tool."""

    world = None

    def setUp(self):
        super().setUp()
        house.clear_now()
        self.alice = Person("alice")
        self.alice.make_folders()
        self.alice.start_keyring(keepassxc.KeePassXC)
        self.ring = self.alice.keyring

    def test_secret_tool_stores_finds_and_clears(self):
        for number in range(3):
            stored = self.ring.secret_tool("store", f"--label=Nr. {number}", "number", str(number), given=f"v{number}")
            self.assertEqual(stored.returncode, 0, stored)
        self.assertEqual(self.ring.secret_tool("lookup", "number", "1").stdout, b"v1")
        item, = self.ring.items({"number": "1"})
        self.assertEqual((item.label, item.secret, item.attributes["number"]), ("Nr. 1", b"v1", "1"))
        self.ring.set_secret(item.path, b"other")
        self.assertEqual(self.ring.secret_tool("lookup", "number", "1").stdout, b"other")
        self.assertEqual(self.ring.secret_tool("clear", "number", "1").returncode, 0)
        self.assertEqual(self.ring.secret_tool("lookup", "number", "1").stdout, b"")
        self.ring.restart()
        self.assertEqual(self.ring.secret_tool("lookup", "number", "2").stdout, b"v2")

    def test_it_can_be_locked(self):
        self.ring.add("A", {"number": "1"}, b"x")
        self.ring.lock()
        self.assertTrue(self.ring.is_locked(kr.DEFAULT))
        self.ring.close()
        self.ring.start()
        self.assertEqual([item.secret for item in self.ring.items({"number": "1"})], [b"x"])
