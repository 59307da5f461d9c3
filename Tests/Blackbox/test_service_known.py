"""Which collections there are is known while the vault is locked, also to a front that never saw it open."""

import glob
import json
import os
import stat
import unittest

import agents as ag
import keyring as kr
import service_client as sc
from service_case import VALUE, ServiceCase

WORK, SESSION = sc.ROOT + "/collection/Work", sc.ROOT + "/collection/session"


class Known(ServiceCase):
    def files(self) -> list[str]:
        """The files of collections, but none that is still being written under another name."""
        return [path for path in glob.glob(os.path.join(self.alice.anchors, "collections-*")) if ".hsip-" not in path]

    @property
    def file(self) -> str:
        """What the front wrote down of the vault's collections."""
        found = self.files()
        self.assertEqual(len(found), 1, found)
        return found[0]

    def text(self) -> dict:
        with open(self.file, encoding="utf-8") as file:
            return json.load(file)

    def makes_work(self) -> str:
        properties = {sc.COLLECTION + ".Label": kr.GLib.Variant("s", "Work")}
        path, prompt = self.client.service("CreateCollection", "(a{sv}s)", properties, "")
        self.assertEqual((path, prompt), (WORK, "/"))
        return self.client.store(VALUE, {"user": "joe"}, collection=WORK)

    def restarts(self, between=lambda: None):
        """Another front, which finds the vault locked; in between nobody writes."""
        self.agent.lock()
        self.front.process.kill()
        self.front.process.wait()
        between()
        self.front.start()
        self.client = self.new_client()

    def collections(self) -> list[str]:
        return self.client.get(sc.ROOT, sc.SERVICE, "Collections")

    def test_a_front_that_starts_locked_knows_them(self):
        item = self.makes_work()
        self.restarts()
        self.assertEqual(set(self.collections()), {sc.LOGIN, WORK, SESSION})
        facts, = self.client.call(WORK, sc.PROPERTIES, "GetAll", "(s)", sc.COLLECTION)
        self.assertEqual((facts["Label"], facts["Locked"], facts["Items"]), ("Work", True, []))
        self.assertEqual(self.client.service("ReadAlias", "(s)", "default"), (sc.LOGIN,))
        _, prompt = self.client.service("Unlock", "(ao)", [WORK])
        self.assertNotEqual(prompt, "/")
        self.agent.unlock()
        self.assertEqual(self.client.get(WORK, sc.COLLECTION, "Items"), [item])
        self.assertFalse(self.agent.askpass.was_asked())

    def test_the_alias_is_known_too(self):
        self.makes_work()
        self.agent.askpass.says_always_yes()
        self.client.service("SetAlias", "(so)", "default", WORK)
        self.restarts()
        self.assertEqual(self.client.service("ReadAlias", "(s)", "default"), (WORK,))
        self.assertEqual(self.client.get(sc.DEFAULT, sc.COLLECTION, "Label"), "Work")

    def test_only_ids_labels_and_the_alias_are_written_down_for_this_user_alone(self):
        self.makes_work()
        facts = os.lstat(self.file)
        self.assertEqual((stat.S_IMODE(facts.st_mode), stat.S_ISREG(facts.st_mode)), (0o600, True))
        text = self.text()
        self.assertEqual(os.path.basename(self.file), "collections-" + text["vault"])
        self.assertEqual(text["collections"], [{"id": "Work", "label": "Work"},
                                               {"id": "login", "label": "Login", "default": True}])
        before = facts.st_ino
        # What changes no collection writes nothing.
        self.client.store(b"another", {"user": "jim"}, collection=WORK)
        self.assertEqual(os.lstat(self.file).st_ino, before)

    def test_an_opening_that_no_program_asked_for_is_enough(self):
        self.makes_work()
        self.restarts(lambda: os.unlink(self.file))
        self.assertEqual(set(self.collections()), {sc.LOGIN, SESSION})
        self.agent.unlock()
        self.front.bus.wait_for(self.files, "the file", ag.DEADLINE)
        self.assertEqual([one["id"] for one in self.text()["collections"]], ["Work", "login"])

    def test_what_is_no_file_of_this_vault_counts_for_nothing_and_is_put_right(self):
        self.makes_work()
        path, whole = self.file, json.dumps(self.text())
        text = json.loads(whole)
        work, login = text["collections"]
        elsewhere = self.alice.path("files", "elsewhere")

        def written(content: str | bytes, mode: int = 0o600):
            if os.path.lexists(path):
                os.unlink(path)
            with open(path, "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
            os.chmod(path, mode)

        def linked():
            written(whole)
            os.rename(path, elsewhere)
            os.symlink(elsewhere, path)

        def piped():
            os.unlink(path)
            os.mkfifo(path, 0o600)

        def changed(**more) -> str:
            return json.dumps(text | more)

        faults = {
            "empty": lambda: written(b""), "cut": lambda: written(whole[:-20]), "no text": lambda: written(b"\xff\0"),
            "another vault": lambda: written(changed(vault="0" * 32)), "no vault": lambda: written(changed(vault=None)),
            "later": lambda: written(changed(format=2)), "no list": lambda: written(changed(collections="Work")),
            "twice": lambda: written(changed(collections=[work, login, work])),
            "no login": lambda: written(changed(collections=[work | {"default": True}])),
            "two defaults": lambda: written(changed(collections=[work | {"default": True}, login])),
            "no default": lambda: written(changed(collections=[work, {"id": "login", "label": "Login"}])),
            "the front's own": lambda: written(changed(collections=[work | {"id": "session"}, login])),
            "no id": lambda: written(changed(collections=[work | {"id": ""}, login])),
            "a long label": lambda: written(changed(collections=[work | {"label": "x" * 1025}, login])),
            "many": lambda: written(changed(collections=[login] + [{"id": f"a{one}", "label": "a"} for one in range(65)])),
            "huge": lambda: written(whole + " " * (2 << 20)),
            "others may read": lambda: written(whole, 0o644), "others may write": lambda: written(whole, 0o622),
            "a link": linked, "a pipe": piped,
        }
        for name, fault in faults.items():
            with self.subTest(fault=name):
                self.restarts(fault)
                self.assertEqual(set(self.collections()), {sc.LOGIN, SESSION})
                self.refused(sc.NO_OBJECT, lambda: self.client.get(WORK, sc.COLLECTION, "Label"))
                self.agent.unlock()
                self.assertEqual(set(self.collections()), {sc.LOGIN, WORK, SESSION})
                facts = os.lstat(path)
                self.assertEqual((stat.S_IFMT(facts.st_mode), stat.S_IMODE(facts.st_mode)), (stat.S_IFREG, 0o600))
                self.assertEqual(self.text(), text)

    def test_a_file_that_cannot_be_written_changes_nothing_for_programs(self):
        self.collections()
        path = self.file
        os.unlink(path)
        os.mkdir(path, 0o700)
        self.makes_work()
        self.assertEqual(set(self.collections()), {sc.LOGIN, WORK, SESSION})
        self.serves()


if __name__ == "__main__":
    unittest.main()
