"""libsecret itself, called by a program that waits for nothing: as Evolution, seahorse and NetworkManager's applet call it."""

import os
import subprocess
import unittest

import agents as ag
import service_client as sc
from house import PASSPHRASE
from service_case import ServiceCase

# Each line that is printed is one thing that the test asks about. Every call is the library's asynchronous one.
SCRIPT = """
import sys
import gi
gi.require_version("Secret", "1")
from gi.repository import GLib, Gio, Secret as S

loop = GLib.MainLoop()
STRING = S.SchemaAttributeType.STRING
MAIL = S.Schema.new("org.example.Mail", S.SchemaFlags.NONE, {"user": STRING, "server": STRING})
NM = S.Schema.new("org.freedesktop.NetworkManager.Connection", S.SchemaFlags.NONE, {
    "connection-uuid": STRING, "setting-name": STRING, "setting-key": STRING})
JOE = {"user": "joe", "server": "mail.example.org"}
FLAGS = S.SearchFlags

def wait(begin, finish):
    # Begins, lives on in the loop until the answer is there, and takes it.
    results = []
    def done(source, result, *_):
        results.append(result)
        loop.quit()
    begin(done)
    loop.run()
    return finish(results[0])

def store(schema, attributes, value, label="a label", collection=S.COLLECTION_DEFAULT):
    print("stored", wait(lambda done: S.password_store(schema, attributes, collection, label, value, None, done),
                         S.password_store_finish))

def lookup(schema, attributes):
    print(wait(lambda done: S.password_lookup(schema, attributes, None, done), S.password_lookup_finish))

def clear(schema, attributes):
    print("cleared", wait(lambda done: S.password_clear(schema, attributes, None, done), S.password_clear_finish))

def search(schema, attributes, flags):
    service = wait(lambda done: S.Service.get(S.ServiceFlags.NONE, None, done), S.Service.get_finish)
    return wait(lambda done: service.search(schema, attributes, flags, None, done), service.search_finish)

def show(items):
    for item in items:
        value = item.get_secret()
        print(item.get_label(), item.get_locked(), value.get_text() if value else None)

def lock(*paths):
    service = wait(lambda done: S.Service.get(S.ServiceFlags.LOAD_COLLECTIONS, None, done), S.Service.get_finish)
    chosen = [one for one in service.get_collections() if one.get_object_path().rsplit("/", 1)[1] in paths]
    print("closed", wait(lambda done: service.lock(chosen, None, done), service.lock_finish)[0])

def collection(label):
    service = wait(lambda done: S.Service.get(S.ServiceFlags.NONE, None, done), S.Service.get_finish)
    made = wait(lambda done: S.Collection.create(service, label, None, S.CollectionCreateFlags.NONE, None, done),
                S.Collection.create_finish)
    print(made.get_object_path())

def rename(item, label):
    # By the property: the library is told by the service that it took.
    seen = []
    def told(*_):
        seen.append(item.get_label())
        if len(seen) == 2:
            loop.quit()
    item.connect("notify::label", told)
    item.props.label = label
    loop.run()
    print(seen)

try:
    exec(sys.argv[1])
except GLib.Error as failure:
    print("error", Gio.DBusError.get_remote_error(failure) or failure.domain, failure.code)
"""
WIFI = {"connection-uuid": "5d8f1c2e-1f0b-4b8e-8f5e-1c9d3f0a7b61", "setting-name": "802-11-wireless-security"}


def missing() -> str | None:
    """What is not installed here, or None."""
    try:
        sc.kr.Gio and __import__("gi").require_version("Secret", "1")
    except ValueError:
        return "gir1.2-secret-1 is not installed"
    return None


@unittest.skipIf(sc.kr.Gio is None or missing(), missing())
class Library(ServiceCase):
    def setUp(self):
        super().setUp()
        # A program of its own, so that what it stores is its own.
        self.program = sc.Program(self.front, "mailer")

    def begins(self, what: str, program: sc.Program | None = None) -> subprocess.Popen:
        return self.front.client((program or self.program).path, "-B", "-c", SCRIPT, what)

    def ends(self, process: subprocess.Popen) -> list[str]:
        output, errors = process.communicate(timeout=ag.DEADLINE)
        self.assertEqual(process.returncode, 0, (errors, self.front.log, self.agent.log))
        return output.splitlines()

    def does(self, what: str) -> list[str]:
        """What a program says that nobody is asked about."""
        said = self.ends(self.begins(what))
        self.assertFalse(self.agent.askpass.was_asked())
        return said

    def test_what_a_program_stores_it_searches_looks_up_and_clears(self):
        self.assertEqual(self.does("store(MAIL, JOE, 'correct horse'); lookup(MAIL, JOE)"),
                         ["stored True", "correct horse"])
        self.assertEqual(self.does("show(search(MAIL, {'user': 'joe'}, FLAGS.ALL))"), ["a label False None"])
        self.assertEqual(self.does("show(search(MAIL, {}, FLAGS.ALL | FLAGS.LOAD_SECRETS))"),
                         ["a label False correct horse"])
        self.assertEqual(self.does("clear(MAIL, JOE); clear(MAIL, JOE); lookup(MAIL, JOE)"),
                         ["cleared True", "cleared False", "None"])

    def test_with_a_locked_vault_each_call_waits_for_the_passphrase(self):
        self.does("store(MAIL, JOE, 'correct horse')")
        for what, said in (("lookup(MAIL, JOE)", ["correct horse"]),
                           ("show(search(MAIL, JOE, FLAGS.ALL | FLAGS.UNLOCK | FLAGS.LOAD_SECRETS))",
                            ["a label False correct horse"]),
                           ("store(MAIL, JOE, 'battery staple'); lookup(MAIL, JOE)", ["stored True", "battery staple"]),
                           ("clear(MAIL, JOE)", ["cleared True"])):
            with self.subTest(what):
                self.agent.lock()
                process = self.begins(what)
                self.assertIn("“mailer” wants to use the vault", self.asked(PASSPHRASE))
                self.assertEqual(self.ends(process), said)
                self.assertFalse(self.agent.askpass.was_asked())

    def test_a_no_to_the_passphrase_is_an_error_and_never_an_empty_answer(self):
        self.does("store(MAIL, JOE, 'correct horse')")
        self.agent.lock()
        process = self.begins("lookup(MAIL, JOE)")
        self.asked("no")
        said, = self.ends(process)
        self.assertTrue(said.startswith("error "), said)

    def test_another_programs_item_is_a_prompt(self):
        self.does("store(MAIL, JOE, 'correct horse')")
        other = sc.Program(self.front, "other")
        process = self.begins("lookup(MAIL, JOE)", other)
        self.assertIn("Let “other” read “a label”?", self.asked("no"))
        # Its library makes "not found" of a dismissed prompt.
        self.assertEqual(self.ends(process), ["None"])
        # What was refused is refused without a question for a while, and that is an error.
        said, = self.ends(self.begins("lookup(MAIL, JOE)", other))
        self.assertTrue(said.startswith("error org.freedesktop.DBus.Error.AccessDenied"), said)
        self.assertEqual(self.ends(self.begins("show(search(MAIL, JOE, FLAGS.ALL))", other)), ["a label True None"])
        self.assertFalse(self.agent.askpass.was_asked())

    def test_an_item_of_a_closed_collection_is_had_by_opening_that(self):
        path, = self.does("collection('Work')")
        self.does(f"store(MAIL, JOE, 'correct horse', collection='{path}')")
        for what, said in (("lookup(MAIL, JOE)", ["correct horse"]),
                           ("show(search(MAIL, JOE, FLAGS.ALL | FLAGS.UNLOCK | FLAGS.LOAD_SECRETS))",
                            ["a label False correct horse"])):
            with self.subTest(what):
                self.assertEqual(self.does("lock('Work')"), ["closed 1"])
                self.assertEqual(self.does("show(search(MAIL, JOE, FLAGS.ALL))"), ["a label True None"])
                process = self.begins(what)
                self.assertIn("“Work”", self.asked("yes"))
                self.assertEqual(self.ends(process), said)
                self.assertFalse(self.agent.askpass.was_asked())
                self.assertFalse(self.client.get(path, sc.COLLECTION, "Locked"))

    def test_a_no_leaves_a_closed_collection_closed(self):
        path, = self.does("collection('Work')")
        self.does(f"store(MAIL, JOE, 'correct horse', collection='{path}'); lock('Work')")
        process = self.begins("lookup(MAIL, JOE)")
        self.asked("no")
        self.assertEqual(self.ends(process), ["None"])
        self.assertTrue(self.client.get(path, sc.COLLECTION, "Locked"))
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_property_that_a_program_sets_is_told_to_that_program_alone(self):
        self.does("store(MAIL, JOE, 'correct horse')")
        told = []
        self.client.connection.signal_subscribe(
            sc.kr.SERVICE, None, None, None, None, sc.kr.Gio.DBusSignalFlags.NONE,
            lambda *signal: told.append((signal[4], str(signal[5].unpack()))))
        said = self.does("item, = search(MAIL, JOE, FLAGS.ALL); rename(item, 'another label')")
        self.assertEqual(said[-1], str(["a label", "another label"]))
        # What was sent before the answer to this call is here by then.
        self.client.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", to="org.freedesktop.DBus")
        while sc.kr.GLib.MainContext.default().iteration(False):
            pass
        self.assertIn("ItemChanged", [name for name, _ in told])
        self.assertNotIn("another label", str(told))

    def test_the_secrets_of_a_network(self):
        """The calls of NetworkManager's applet: store each, search with everything loaded, delete what was found."""
        for key, value in (("psk", "correct horse"), ("wep-key0", "abcde")):
            self.does(f"store(NM, {WIFI | {'setting-key': key}!r}, '{value}', 'Network secret for home/{key}')")
        load = f"search(NM, {WIFI!r}, FLAGS.ALL | FLAGS.UNLOCK | FLAGS.LOAD_SECRETS)"
        expected = ["Network secret for home/psk False correct horse", "Network secret for home/wep-key0 False abcde"]
        self.assertEqual(sorted(self.does(f"show({load})")), expected)
        self.agent.lock()
        process = self.begins(f"show({load})")
        self.asked(PASSPHRASE)
        self.assertEqual(sorted(self.ends(process)), expected)
        uuid = {"connection-uuid": WIFI["connection-uuid"]}
        self.assertEqual(self.does(
            f"for item in search(NM, {uuid!r}, FLAGS.ALL | FLAGS.UNLOCK):\n"
            "    print(wait(lambda done: item.delete(None, done), item.delete_finish))\n"
            f"show({load})"), ["True", "True"])

    def test_a_connection_of_glib_hears_what_changes(self):
        """GDBus alone, without libsecret: properties and signals of a collection."""
        heard = []
        self.client.connection.signal_subscribe(
            sc.kr.SERVICE, sc.COLLECTION, None, sc.LOGIN, None, sc.kr.Gio.DBusSignalFlags.NONE,
            lambda *signal: heard.append((signal[4], signal[5].unpack()[0])))
        path = self.client.store(b"one", {"n": "1"})
        self.client.store(b"two", {"n": "1"})
        self.assertEqual(self.client.get(sc.LOGIN, sc.COLLECTION, "Items"), [path])
        self.client.call(path, sc.ITEM, "Delete")
        while sc.kr.GLib.MainContext.default().iteration(False):
            pass
        self.assertEqual(heard, [("ItemCreated", path), ("ItemChanged", path), ("ItemDeleted", path)])


if __name__ == "__main__":
    unittest.main()
