"""The collection of the session: in memory, open also while the vault is locked, and each item its maker's alone."""

import os
import unittest

import service_client as sc
from service_case import VALUE, ServiceCase

SESSION = sc.ROOT + "/collection/session"
ALIAS = sc.ROOT + "/aliases/session"


class Session(ServiceCase):
    def test_items_are_kept_without_the_vault(self):
        self.agent.lock()
        self.assertFalse(self.client.get(SESSION, sc.COLLECTION, "Locked"))
        path = self.client.store(VALUE, {"user": "joe"}, collection=ALIAS)
        self.assertTrue(path.startswith(SESSION + "/"))
        self.assertEqual(self.client.value(path), VALUE)
        self.assertEqual(self.client.value(ALIAS + "/" + path.rsplit("/", 1)[1]), VALUE)
        self.assertEqual(self.client.values(path), {path: VALUE})
        self.assertEqual(self.client.get(path, sc.ITEM, "Attributes"), {"user": "joe"})
        self.assertFalse(self.client.get(path, sc.ITEM, "Locked"))
        self.assertEqual(self.client.call(SESSION, sc.COLLECTION, "SearchItems", "(a{ss})", {"user": "joe"}), ([path],))
        self.assertEqual(self.client.get(SESSION, sc.COLLECTION, "Items"), [path])
        self.assertFalse(self.agent.askpass.was_asked())
        self.assertIn(SESSION, self.client.get(sc.ROOT, sc.SERVICE, "Collections"))
        self.assertEqual(self.client.service("ReadAlias", "(s)", "session"), (SESSION,))

    def test_an_item_is_replaced_changed_and_deleted_by_its_maker(self):
        path = self.client.store(VALUE, {"user": "joe"}, collection=SESSION)
        self.assertEqual(self.client.store(b"another", {"user": "joe"}, collection=SESSION), path)
        self.assertNotEqual(self.client.store(b"third", {"user": "joe"}, collection=SESSION, replace=False), path)
        self.client.call(path, sc.ITEM, "SetSecret", "((oayays))", (self.client.session, b"", b"changed", "text/plain"))
        self.client.call(path, sc.PROPERTIES, "Set", "(ssv)", sc.ITEM, "Label", sc.kr.GLib.Variant("s", "new"))
        self.assertEqual(self.client.value(path), b"changed")
        self.assertEqual(self.client.get(path, sc.ITEM, "Label"), "new")
        # Searches of the service have it, too.
        self.assertIn(path, self.client.search({"user": "joe"})[0])
        self.assertEqual(self.client.call(path, sc.ITEM, "Delete"), ("/",))
        self.refused(sc.NO_OBJECT, lambda: self.client.value(path))
        self.refused(sc.NOT_SUPPORTED, lambda: self.client.call(SESSION, sc.COLLECTION, "Delete"))
        self.refused(sc.NOT_SUPPORTED, lambda: self.client.call(
            SESSION, sc.PROPERTIES, "Set", "(ssv)", sc.COLLECTION, "Label", sc.kr.GLib.Variant("s", "x")))

    def test_another_process_sees_and_changes_nothing(self):
        path = self.client.store(VALUE, {"user": "joe"}, collection=SESSION)
        other = sc.Program(self.front, "other")
        self.assertEqual(other.does(f"client.values('{path}')"), {})
        self.assertEqual(other.does("client.search({'user': 'joe'})"), [[], []])
        for act in (f"client.value('{path}').decode()", f"client.get('{path}', sc.ITEM, 'Label')",
                    f"client.call('{path}', sc.ITEM, 'Delete')"):
            self.assertEqual(other.does(act), "error " + sc.NO_OBJECT)
        theirs = other.does(f"client.store(b'theirs', {{'user': 'joe'}}, collection='{SESSION}')")
        self.assertNotEqual(theirs, path)
        self.refused(sc.NO_OBJECT, lambda: self.client.value(theirs))
        self.assertEqual(self.client.value(path), VALUE)
        self.assertFalse(self.agent.askpass.was_asked())

    def test_as_much_as_there_may_be_is_kept_and_what_ended_programs_left_makes_room(self):
        other = sc.Program(self.front, "other")
        other.does(f"[client.store(b'x', {{'n': str(n)}}, collection='{SESSION}') for n in range(256)]")
        paths = [self.client.store(b"x", {"n": str(n)}, collection=SESSION) for n in range(256)]
        self.assertEqual(len(set(paths)), 256)
        self.refused(sc.LIMITS, lambda: self.client.store(b"x", {"n": "256"}, collection=SESSION))
        self.assertEqual(self.client.value(paths[0]), b"x")
        self.client.call(paths[0], sc.ITEM, "Delete")
        self.refused(sc.LIMITS, lambda: self.client.store(bytes(1 << 20), {"n": "256"}, collection=SESSION))
        self.client.store(os.urandom(1 << 19), {"n": "256"}, collection=SESSION)

    def test_nothing_is_left_in_the_vault_or_by_the_front(self):
        self.client.store(VALUE, {"user": "joe"}, collection=SESSION)
        self.front.process.kill()
        self.front.process.wait()
        self.front.start()
        client = self.new_client()
        self.assertEqual(client.search({"user": "joe"}), ([], []))
        self.assertEqual(client.get(SESSION, sc.COLLECTION, "Items"), [])


if __name__ == "__main__":
    unittest.main()
