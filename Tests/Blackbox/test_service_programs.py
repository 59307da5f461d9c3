"""Programs that keep secrets in the vault by python3-secretstorage and python3-keyring: their own, each other's, nobody's.

Each program is a copy of Python under a name of its own: the agent knows a program by its file.
"""

import os
import shutil
import unittest

import agents as ag
import service as sv
from house import PASSPHRASE, Case

PYTHON = "/usr/bin/python3"
STORE = """
import sys, secretstorage as s
bus = s.dbus_init()
collection = s.get_default_collection(bus)
collection.create_item(sys.argv[1], {"site": sys.argv[2]}, sys.argv[3].encode(), replace=True)
print("stored")
"""
READ = """
import sys, secretstorage as s
bus = s.dbus_init()
for item in s.search_items(bus, {"site": sys.argv[1]}):
    if item.is_locked() and item.unlock():
        print("dismissed")
        continue
    print(item.get_secret().decode())
"""
LOOK = """
import sys, secretstorage as s
bus = s.dbus_init()
for item in s.search_items(bus, {"site": sys.argv[1]}):
    print(item.is_locked(), item.get_label(), item.get_attributes()["site"])
"""
DELETE = """
import sys, secretstorage as s
bus = s.dbus_init()
for item in s.search_items(bus, {"site": sys.argv[1]}):
    item.delete()
    print("deleted")
"""
LOCKED = """
import secretstorage as s
bus = s.dbus_init()
collection = s.get_default_collection(bus)
print(collection.get_label(), collection.is_locked())
print(collection.unlock(), collection.is_locked())
"""
LOCK = """
import secretstorage as s
bus = s.dbus_init()
collection = s.get_default_collection(bus)
collection.lock()
print(collection.is_locked())
"""
COLLECTION = """
import sys, secretstorage as s
bus = s.dbus_init()
collection = s.create_collection(bus, "Work")
collection.create_item("a label", {"site": sys.argv[1]}, b"one")
print(collection.collection_path)
"""
WORK = """
import sys, secretstorage as s
bus = s.dbus_init()
collection, = (one for one in s.get_all_collections(bus) if one.get_label() == "Work")
if sys.argv[1] == "lock":
    collection.lock()
if sys.argv[1] == "unlock":
    print("dismissed", collection.unlock())
if sys.argv[1] == "delete":
    collection.delete()
    print([one.get_label() for one in s.get_all_collections(bus)])
else:
    print(collection.is_locked(), [item.is_locked() for item in collection.get_all_items()])
"""
KEYRING = """
import sys, keyring, keyring.backends.SecretService as b
keyring.set_keyring(b.Keyring())
if sys.argv[1] == "set":
    keyring.set_password("mail.example.org", "joe", sys.argv[2])
print(keyring.get_password("mail.example.org", "joe"))
"""


def missing() -> str | None:
    """What is not installed here, or None."""
    for name in ("secretstorage", "keyring"):
        if not os.path.isdir(f"/usr/lib/python3/dist-packages/{name}"):
            return f"python3-{name} is not installed"
    return sv.missing()


class Programs(Case):
    def setUp(self):
        if missing():
            self.skipTest(missing())
        super().setUp()
        self.agent = ag.Hsip(self.alice)
        self.addCleanup(self.agent.end)
        self.front = sv.Front(self.alice, self.agent)
        self.addCleanup(self.front.end)
        self.askpass = self.agent.askpass

    def program(self, name: str) -> str:
        """A program of its own, by its path."""
        path = os.path.join(self.alice.path("files"), name)
        if not os.path.exists(path):
            shutil.copy(os.path.realpath(PYTHON), path)
        return path

    def begins(self, name: str, script: str, *words: str):
        return self.front.client(self.program(name), "-c", script, *words)

    def ends(self, process) -> str:
        output, errors = process.communicate(timeout=ag.DEADLINE)
        self.assertEqual(process.returncode, 0, (output, errors, self.front.log, self.agent.log))
        return output

    def fails(self, process) -> str:
        """The last line of what went wrong."""
        output, errors = process.communicate(timeout=ag.DEADLINE)
        self.assertNotEqual(process.returncode, 0, output)
        return errors.strip().splitlines()[-1]

    def does(self, name: str, script: str, *words: str) -> str:
        """What a program says that nobody is asked about."""
        output = self.ends(self.begins(name, script, *words))
        self.assertFalse(self.askpass.was_asked())
        return output

    def asked(self, answer: str) -> str:
        question = sv.plain(self.askpass.asked())
        self.askpass.says(answer)
        return question

    def audit(self, kind: str) -> list[dict]:
        return self.ok(self.alice, "audit", "list", "--kind", kind, "--no-agent", "--json").result["entries"]

    def test_its_own_items_a_program_has_without_a_question(self):
        self.does("notes", STORE, "a label", "x", "one")
        self.assertEqual(self.does("notes", READ, "x"), "one\n")
        self.does("notes", STORE, "a label", "x", "two")
        self.assertEqual(self.does("notes", READ, "x"), "two\n")
        self.assertEqual(self.does("notes", LOOK, "x"), "False a label x\n")
        self.assertEqual(self.does("notes", DELETE, "x"), "deleted\n")
        self.assertEqual(self.does("notes", READ, "x"), "")
        read = [entry for entry in self.audit("read") if entry["act"] == "item.get"]
        self.assertEqual([(entry["verdict"], entry["reason"]) for entry in read], [("allowed", "ownItem")] * 2)
        self.assertTrue(all(entry["program"].startswith(self.program("notes")) for entry in read), read)
        self.assertTrue(all(entry["subject"].startswith("a label (") for entry in read), read)

    def test_another_programs_item_is_a_question_that_names_both(self):
        self.does("notes", STORE, "a label", "x", "one")
        self.assertEqual(self.does("mail", LOOK, "x"), "True a label x\n")
        process = self.begins("mail", READ, "x")
        question = self.asked("yes")
        self.assertIn("Let “mail” read “a label”?", question)
        self.assertIn(self.program("notes"), question)
        self.assertIn("Type always if “mail” may read, change and delete “a label” from now on", question)
        self.assertEqual(self.ends(process), "one\n")
        # For a minute the yes holds: its library reads twice.
        self.assertEqual(self.does("mail", READ, "x"), "one\n")
        read = [entry["reason"] for entry in self.audit("read") if entry["act"] == "item.get"]
        # What is equal within a minute is one entry, and how often there was more is one at the lock.
        self.assertEqual(read, ["remembered"])
        self.agent.lock()
        self.agent.unlock()
        self.assertEqual(self.does("mail", LOOK, "x"), "True a label x\n")
        read = [entry["reason"] for entry in self.audit("read") if entry["act"] == "item.get"]
        self.assertEqual(read, ["remembered", "remembered:1more"])

    def test_a_yes_for_good_survives_the_agent(self):
        self.does("notes", STORE, "a label", "x", "one")
        process = self.begins("mail", READ, "x")
        self.asked("always")
        self.assertEqual(self.ends(process), "one\n")
        self.agent.kill()
        self.agent.start()
        self.agent.unlock()
        self.assertEqual(self.does("mail", READ, "x"), "one\n")
        self.assertEqual(self.audit("read")[-1]["reason"], "grantedItem")

    def test_a_no_is_an_error_and_no_question_comes_again(self):
        self.does("notes", STORE, "a label", "x", "one")
        process = self.begins("mail", READ, "x")
        self.asked("no")
        self.assertEqual(self.ends(process), "dismissed\n")
        self.assertIn("AccessDenied", self.fails(self.begins("mail", READ, "x")))
        self.assertFalse(self.askpass.was_asked())
        # A lock, which any program may cause, does not end that.
        self.agent.lock()
        process = self.begins("notes", READ, "x")
        self.asked(PASSPHRASE)
        self.assertEqual(self.ends(process), "one\n")
        self.assertIn("AccessDenied", self.fails(self.begins("mail", READ, "x")))
        self.assertFalse(self.askpass.was_asked())
        reasons = [entry["reason"] for entry in self.audit("read") if entry["verdict"] == "refused"]
        self.assertEqual(reasons, ["otherItem:promptDismissed"] + ["otherItem:quiet"] * 2)
        self.assertEqual(self.agent.status()["refused"], {"afterNo": 2, "afterWindow": 0, "tooOften": 0, "tooMany": 0})
        # The person does, who shows hsip the passphrase.
        self.agent.lock()
        self.agent.unlock()
        self.assertEqual(self.agent.status()["refused"]["afterNo"], 0)
        process = self.begins("mail", READ, "x")
        self.asked("yes")
        self.assertEqual(self.ends(process), "one\n")

    def test_storing_over_another_programs_item_waits_for_a_yes(self):
        self.does("notes", STORE, "a label", "x", "one")
        process = self.begins("mail", STORE, "other label", "x", "two")
        self.assertIn("Let “mail” replace “a label”?", self.asked("no"))
        self.fails(process)
        self.assertEqual(self.does("notes", READ, "x"), "one\n")
        process = self.begins("third", STORE, "other label", "x", "three")
        self.asked("yes")
        self.assertEqual(self.ends(process), "stored\n")
        # What a program keeps is its own from then on.
        process = self.begins("notes", READ, "x")
        self.asked("no")
        self.assertEqual(self.ends(process), "dismissed\n")

    def test_deleting_another_programs_item_is_refused_by_the_library_itself(self):
        self.does("notes", STORE, "a label", "x", "one")
        self.assertIn("LockedException", self.fails(self.begins("mail", DELETE, "x")))
        self.assertEqual(self.does("notes", READ, "x"), "one\n")

    def test_a_program_that_a_rule_refuses_sees_none(self):
        self.does("notes", STORE, "a label", "x", "one")
        self.agent.agreed("agent", "rule", "add", "no-mail", "deny", "--kind", "item", "--program", self.program("mail"))
        self.assertEqual(self.does("mail", LOOK, "x"), "")
        self.assertEqual(self.does("notes", READ, "x"), "one\n")

    def test_a_collection_is_closed_and_opened_by_a_question_while_the_vault_stays_open(self):
        path = self.does("notes", COLLECTION, "x")
        self.assertEqual(path, "/org/freedesktop/secrets/collection/Work\n")
        self.assertEqual(self.does("notes", WORK, "look"), "False [False]\n")
        self.assertEqual(self.does("mail", WORK, "lock"), "True [True]\n")
        self.assertFalse(self.agent.status()["isLocked"])
        for name, answer, said in (("notes", "no", "dismissed True"), ("mail", "yes", "dismissed False")):
            process = self.begins(name, WORK, "unlock")
            self.assertIn("open the collection “Work”", self.asked(answer))
            self.assertEqual(self.ends(process).splitlines()[0], said)
        self.assertEqual(self.does("notes", WORK, "look"), "False [False]\n")

    def test_a_collection_with_items_is_deleted_by_a_question(self):
        self.does("notes", COLLECTION, "x")
        process = self.begins("notes", WORK, "delete")
        self.assertIn("delete the collection “Work” with its items", self.asked("yes"))
        self.assertEqual(self.ends(process), "['Login', 'Session']\n")

    def test_a_locked_vault_is_seen_as_locked_and_opened_by_its_prompt(self):
        self.does("notes", STORE, "a label", "x", "one")
        self.agent.lock()
        process = self.begins("notes", LOCKED)
        self.assertIn("“notes” wants to use the vault", self.asked(PASSPHRASE))
        self.assertEqual(self.ends(process), "Login True\nFalse False\n")
        self.assertEqual(self.does("notes", READ, "x"), "one\n")

    def test_a_lock_names_its_program_in_the_log(self):
        self.does("notes", STORE, "a label", "x", "one")
        self.assertEqual(self.does("mail", LOCK), "True\n")
        self.assertTrue(self.agent.status()["isLocked"])
        entry = self.audit("lock")[-1]
        self.assertEqual(entry["reason"], "request")
        self.assertTrue(entry["program"].startswith(self.program("mail")), entry)

    def test_a_closed_window_does_not_come_back_at_once(self):
        self.does("notes", STORE, "a label", "x", "one")
        self.agent.lock()
        process = self.begins("notes", READ, "x")
        self.asked("no")
        self.assertIn("IsLocked", self.fails(process))
        self.assertIn("IsLocked", self.fails(self.begins("notes", READ, "x")))
        self.assertFalse(self.askpass.was_asked())

    def test_keyring_open_and_locked(self):
        self.assertEqual(self.does("notes", KEYRING, "set", "secret"), "secret\n")
        self.agent.lock()
        process = self.begins("notes", KEYRING, "get")
        self.asked(PASSPHRASE)
        self.assertEqual(self.ends(process), "secret\n")
        self.assertEqual(self.does("notes", KEYRING, "set", "another"), "another\n")

    def test_an_agent_that_was_killed_is_a_locked_vault(self):
        self.does("notes", STORE, "a label", "x", "one")
        self.agent.kill()
        self.agent.start()
        process = self.begins("notes", READ, "x")
        self.assertIn("“notes” wants to use the vault", self.asked(PASSPHRASE))
        self.assertEqual(self.ends(process), "one\n")

    def test_a_front_that_is_killed_while_it_stores_loses_nothing(self):
        self.does("notes", STORE, "a label", "x", "one")
        process = self.begins("mail", STORE, "a label", "x", "two")
        self.askpass.asked()
        self.front.process.kill()
        self.front.process.wait()
        # This library waits for the end of its prompt for ever.
        process.kill()
        process.communicate()
        self.front.start()
        self.assertEqual(self.ends(self.begins("notes", READ, "x")), "one\n")

    def test_the_front_has_given_up_what_it_never_needs(self):
        with open(f"/proc/{self.front.process.pid}/status", encoding="ascii", errors="replace") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        self.assertEqual((status["Seccomp"], status["NoNewPrivs"]), ("2", "1"))
        with open(f"/proc/{self.front.process.pid}/limits", encoding="ascii") as file:
            core, = (line for line in file if line.startswith("Max core file size"))
        self.assertEqual(core.split()[4:6], ["0", "0"])

    def test_the_front_ends_with_its_bus(self):
        self.front.bus.end()
        self.assertEqual(self.front.process.wait(ag.DEADLINE), 0, self.front.log)


if __name__ == "__main__":
    unittest.main()
