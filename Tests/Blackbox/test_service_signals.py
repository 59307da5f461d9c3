"""What programs hear without a call: of what hsip does with items, and of what they have read before."""

import unittest

import service_client as sc
from service_case import VALUE, ServiceCase

ITEM_SIGNALS = ("ItemCreated", "ItemChanged", "ItemDeleted")


class Signals(ServiceCase):
    def setUp(self):
        super().setUp()
        self.path = self.client.store(VALUE, {"user": "joe"})
        self.item = self.path.rsplit("/", 1)[1]
        self.listener = sc.Listener(self.front.bus)

    def hsip(self, *words: str):
        self.ok(self.alice, "item", *words, secret=None)

    def test_items_that_hsip_changes_removes_and_brings_back_are_told(self):
        self.hsip("set", self.item, "--label", "new")
        heard = self.listener.hears(("ItemChanged", sc.LOGIN, (self.path,)))
        self.assertEqual([one for one in heard if one[0] in ITEM_SIGNALS], [("ItemChanged", sc.LOGIN, (self.path,))])
        self.hsip("rm", self.item)
        self.listener.hears(("ItemDeleted", sc.LOGIN, (self.path,)))
        self.assertEqual(self.client.search({"user": "joe"}), ([], []))
        self.hsip("restore", self.item)
        self.listener.hears(("ItemCreated", sc.LOGIN, (self.path,)))
        # It is there again; the value that this process stored is not what the person brought back, so a question is due.
        self.assertEqual(self.client.search({"user": "joe"}), ([], [self.path]))

    def test_each_of_several_items_is_told_once(self):
        paths = [self.client.store(VALUE, {"number": str(number)}) for number in range(5)]
        wanted = [("ItemCreated", sc.LOGIN, (path,)) for path in paths]
        self.assertEqual([one for one in self.listener.hears(*wanted) if one[0] in ITEM_SIGNALS], wanted)
        self.hsip("rm", *(path.rsplit("/", 1)[1] for path in paths))
        wanted = [("ItemDeleted", sc.LOGIN, (path,)) for path in paths]
        heard = [one for one in self.listener.hears(*wanted) if one[0] in ITEM_SIGNALS]
        self.assertEqual(sorted(heard), sorted(wanted))

    def test_who_read_an_item_hears_its_new_label_and_nobody_else_does(self):
        other = sc.Listener(self.front.bus)
        self.listener.call(self.path, sc.PROPERTIES, "GetAll", "(s)", sc.ITEM)
        self.hsip("set", self.item, "--label", "new")
        self.assertEqual(self.listener.hears_of(self.path, "Label")["Label"], "new")
        changed = ("ItemChanged", sc.LOGIN, (self.path,))
        other.hears(changed)
        # What came before this one came after the news of the first.
        self.hsip("set", self.item, "--label", "newer")
        self.assertEqual(self.listener.hears_of(self.path, "Label")["Label"], "newer")
        self.assertEqual([one for one in other.hears(changed) if one[0] == "PropertiesChanged"], [])

    def test_who_read_an_item_hears_what_another_program_made_of_it(self):
        self.listener.call(self.path, sc.PROPERTIES, "GetAll", "(s)", sc.ITEM)
        self.client.call(self.path, sc.PROPERTIES, "Set", "(ssv)", sc.ITEM, "Attributes",
                         sc.kr.GLib.Variant("a{ss}", {"user": "jim"}))
        self.assertEqual(self.listener.hears_of(self.path, "Attributes")["Attributes"], {"user": "jim"})

    def test_who_read_an_item_hears_that_it_is_locked_and_what_it_is_when_it_opens(self):
        self.listener.call(self.path, sc.PROPERTIES, "GetAll", "(s)", sc.ITEM)
        self.agent.lock()
        self.assertEqual(self.listener.hears_of(self.path, "Locked"), {"Locked": True})
        self.agent.unlock()
        # What proved the process the maker of the item went with the lock, so it may stay locked for it: the collection
        # is told in any case.
        self.assertIs(self.listener.hears_of(sc.LOGIN, "Locked")["Locked"], False)
        self.listener.leave()
        # Who reads it while it is locked reads nothing of it, and hears the rest afterwards.
        self.agent.lock()
        late = sc.Listener(self.front.bus)
        facts, = late.call(self.path, sc.PROPERTIES, "GetAll", "(s)", sc.ITEM)
        self.assertEqual((facts["Label"], facts["Attributes"]), ("", {}))
        items, = late.call(sc.LOGIN, sc.PROPERTIES, "GetAll", "(s)", sc.COLLECTION)
        self.assertEqual(items["Items"], [])
        self.agent.unlock()
        facts = late.hears_of(self.path, "Label", "Attributes")
        self.assertEqual((facts["Label"], facts["Attributes"]), ("a label", {"user": "joe"}))

    def test_who_read_a_closed_collection_hears_its_items_when_it_opens(self):
        self.agent.lock()
        late = sc.Listener(self.front.bus)
        facts, = late.call(sc.LOGIN, sc.PROPERTIES, "GetAll", "(s)", sc.COLLECTION)
        self.assertEqual((facts["Items"], facts["Locked"]), ([], True))
        self.agent.unlock()
        self.assertEqual(late.hears_of(sc.LOGIN, "Locked", "Items"), {"Locked": False, "Items": [self.path]})

    def test_who_read_the_items_of_a_collection_hears_the_new_list_and_nobody_else_does(self):
        other = sc.Listener(self.front.bus)
        facts, = self.listener.call(sc.LOGIN, sc.PROPERTIES, "GetAll", "(s)", sc.COLLECTION)
        self.assertEqual(facts["Items"], [self.path])
        paths = [self.client.store(VALUE, {"number": str(number)}) for number in range(20)]
        items = self.listener.hears_of(sc.LOGIN, "Items")["Items"]
        # Many changes are one news, or a few.
        while set(items) != {self.path, *paths}:
            items = self.listener.hears_of(sc.LOGIN, "Items")["Items"]
        self.hsip("rm", *(path.rsplit("/", 1)[1] for path in paths))
        lists = 0
        while items != [self.path]:
            items = self.listener.hears_of(sc.LOGIN, "Items")["Items"]
            lists += 1
        self.assertLess(lists, 20)
        one = self.client.store(VALUE, {"number": "one"})
        heard = other.hears(("ItemCreated", sc.LOGIN, (one,)))
        self.assertEqual([name for name, _, _ in heard if name == "PropertiesChanged"], [])
        # One property alone is enough.
        self.assertEqual(set(other.get(sc.LOGIN, sc.COLLECTION, "Items")), {self.path, one})
        self.client.call(one, sc.ITEM, "Delete")
        self.assertEqual(other.hears_of(sc.LOGIN, "Items")["Items"], [self.path])

    def test_a_new_collection_is_among_those_of_the_service(self):
        self.agent.askpass.says_always_yes()
        _, prompt = self.client.service("CreateCollection", "(a{sv}s)", {
            sc.COLLECTION + ".Label": sc.kr.GLib.Variant("s", "Work")}, "")
        if prompt != "/":
            self.client.prompt(prompt)
        heard = self.listener.hears_of(sc.ROOT, "Collections")["Collections"]
        self.assertIn("/org/freedesktop/secrets/collection/Work", heard)

    def test_another_programs_item_is_told_to_nobody_who_did_not_read_it(self):
        seen = sc.Program(self.front, "seen")
        theirs = seen.does("client.store(b'x', {'user': 'theirs'})")
        self.listener.hears(("ItemCreated", sc.LOGIN, (theirs,)))
        self.hsip("set", theirs.rsplit("/", 1)[1], "--label", "new")
        heard = self.listener.hears(("ItemChanged", sc.LOGIN, (theirs,)))
        self.assertNotIn("PropertiesChanged", [name for name, _, _ in heard])


if __name__ == "__main__":
    unittest.main()
