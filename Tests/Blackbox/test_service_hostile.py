"""Programs on the bus that want what is not theirs, or send what no library sends."""

import concurrent.futures
import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

import agents as ag
import control_wire as cw
import keyring as kr
import service as sv
import service_client as sc
from house import PASSPHRASE
from service_case import VALUE, ServiceCase

OTHER_SESSION = sc.ROOT + "/session/s4711"
OTHER_ITEM = sc.LOGIN + "/0123456789abcdef"


class Strangers(ServiceCase):
    """What belongs to another client, or to nobody."""

    def test_a_session_is_of_use_to_its_client_alone(self):
        path, other = self.client.store(VALUE, {"user": "joe"}), self.new_client()
        theirs = self.client.session
        for session in (theirs, OTHER_SESSION, sc.ROOT, "/", sc.ROOT + "/session/s1/x"):
            with self.subTest(session=session):
                self.refused(sc.NO_SESSION, lambda: other.value(path, session))
                self.refused(sc.NO_SESSION, lambda: other.values(path, session=session))
                self.refused(sc.NO_SESSION, lambda: other.store(b"x", {"user": "joe"}, session=session))
                self.refused(sc.NO_SESSION, lambda: other.call(
                    path, sc.ITEM, "SetSecret", "((oayays))", (session, b"", b"x", "text/plain")))
        self.refused(sc.DENIED, lambda: other.call(theirs, sc.SESSION, "Close"))
        self.refused(sc.NO_SESSION, lambda: other.call(OTHER_SESSION, sc.SESSION, "Close"))
        self.assertEqual(self.client.value(path), VALUE)
        self.assertEqual(self.client.call(theirs, sc.SESSION, "Close"), ())
        self.refused(sc.NO_SESSION, lambda: self.client.value(path))
        self.refused(sc.NO_SESSION, lambda: self.client.call(theirs, sc.SESSION, "Close"))

    def test_a_prompt_is_of_use_to_its_client_alone(self):
        self.agent.lock()
        other = self.new_client()
        _, prompt = self.client.service("Unlock", "(ao)", [sc.LOGIN])
        self.refused(sc.DENIED, lambda: other.call(prompt, sc.PROMPT, "Prompt", "(s)", ""))
        self.refused(sc.DENIED, lambda: other.call(prompt, sc.PROMPT, "Dismiss"))
        self.refused(sc.NO_OBJECT, lambda: other.call(sc.ROOT + "/prompt/p4711", sc.PROMPT, "Prompt", "(s)", ""))
        self.assertFalse(self.agent.askpass.was_asked())
        self.assertEqual(self.client.prompt(prompt, method="Dismiss"), (True, []))
        self.refused(sc.NO_OBJECT, lambda: self.client.call(prompt, sc.PROMPT, "Prompt", "(s)", ""))
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_prompt_shown_twice_asks_and_ends_once(self):
        self.agent.lock()
        _, prompt = self.client.service("Unlock", "(ao)", [sc.DEFAULT])
        with concurrent.futures.ThreadPoolExecutor() as pool:
            ends = pool.submit(self.client.prompt, prompt, 3)
            self.opens()
            self.assertEqual(ends.result(), (False, [sc.DEFAULT]))
        self.assertFalse(self.agent.askpass.was_asked())
        self.assertFalse(self.client.get(sc.LOGIN, sc.COLLECTION, "Locked"))

    def test_a_prompt_dismissed_while_it_is_shown_opens_nothing(self):
        self.agent.lock()
        _, prompt = self.client.service("Unlock", "(ao)", [sc.LOGIN])
        with concurrent.futures.ThreadPoolExecutor() as pool:
            ends = pool.submit(self.client.prompt, prompt)
            self.agent.askpass.asked()
            self.client.call(prompt, sc.PROMPT, "Dismiss")
            self.assertEqual(ends.result(), (True, []))
        self.assertTrue(self.client.get(sc.LOGIN, sc.COLLECTION, "Locked"))

    def test_another_program_has_no_value_without_a_yes(self):
        path = self.client.store(VALUE, {"user": "joe"}, label="red\u202edlrow \x1b[31m")
        other = sc.Program(self.front, "other")
        process = other.starts(f"client.value('{path}').decode()")
        asked = self.agent.askpass.asked()
        self.assertIn("other", asked)
        self.assertNotIn("\u202e", asked)
        self.assertNotIn("\x1b", asked)
        self.agent.askpass.says("no")
        self.assertEqual(sc.ended(process), "error " + sc.DENIED)
        # Not asked again, whichever way it tries.
        self.assertEqual(other.does(f"client.value('{path}').decode()"), "error " + sc.DENIED)
        self.assertEqual(other.does(f"client.values('{path}')"), "error " + sc.DENIED)
        self.assertFalse(self.agent.askpass.was_asked())
        self.assertEqual(self.client.value(path), VALUE)

    def test_another_program_replaces_changes_and_deletes_nothing_without_a_yes(self):
        path = self.client.store(VALUE, {"user": "joe"})
        session = "client.session"
        acts = {
            "change": f"client.call('{path}', sc.ITEM, 'SetSecret', '((oayays))', ({session}, b'', b'x', 'text/plain'))",
            "label": f"client.call('{path}', sc.PROPERTIES, 'Set', '(ssv)', sc.ITEM, 'Label',"
                     " kr.GLib.Variant('s', 'x'))",
            "delete": f"[client.prompt(one) if one != '/' else one for one in client.call('{path}', sc.ITEM, 'Delete')]",
            "replace": "client.store(b'x', {'user': 'joe'})",
        }
        for name, act in acts.items():
            with self.subTest(act=name):
                other = sc.Program(self.front, "other-" + name)
                process = other.starts(act)
                self.assertIn("other-" + name, self.agent.askpass.asked())
                self.agent.askpass.says("no")
                # Whatever it hears: nothing is another one than before.
                sc.ended(process)
                self.assertEqual(self.client.value(path), VALUE)
                self.assertEqual(self.client.get(path, sc.ITEM, "Label"), "a label")
                self.assertEqual(self.client.search({"user": "joe"}), ([path], []))

    def test_collections_and_aliases_change_with_a_yes_only(self):
        def made(label: str) -> str:
            properties = {sc.COLLECTION + ".Label": kr.GLib.Variant("s", label)}
            path, prompt = self.client.service("CreateCollection", "(a{sv}s)", properties, "")
            self.assertEqual(prompt, "/")
            self.client.store(VALUE, {"in": label}, collection=path)
            return path

        work, home = made("Work"), made("Home")
        for act in (lambda: self.client.service("SetAlias", "(so)", "default", work),
                    lambda: self.settled(self.client.call(home, sc.COLLECTION, "Delete"))):
            with concurrent.futures.ThreadPoolExecutor() as pool:
                ends = pool.submit(lambda: sc.error(act))
                self.agent.askpass.asked()
                self.agent.askpass.says("no")
                self.assertEqual(ends.result(), sc.DENIED)
        self.assertEqual(self.client.service("ReadAlias", "(s)", "default"), (sc.LOGIN,))
        for path, label in ((work, "Work"), (home, "Home")):
            self.assertIn(path, self.client.get(sc.ROOT, sc.SERVICE, "Collections"))
            self.assertEqual(self.client.value(self.client.search({"in": label})[0][0]), VALUE)
        self.refused(sc.NOT_SUPPORTED, lambda: self.client.service("SetAlias", "(so)", "login", work))
        self.refused(sc.NOT_SUPPORTED, lambda: self.client.service("SetAlias", "(so)", "session", work))
        self.refused(sc.NO_OBJECT, lambda: self.client.service("SetAlias", "(so)", "default", OTHER_ITEM))
        self.refused(sc.NOT_SUPPORTED, lambda: self.client.call(sc.LOGIN, sc.COLLECTION, "Delete"))
        self.refused(sc.NOT_SUPPORTED, lambda: self.client.call(sc.ROOT + "/collection/session", sc.COLLECTION, "Delete"))

    def settled(self, answer: tuple):
        """Goes through a prompt where there is one; one that was dismissed is a refusal."""
        if answer[-1] != "/" and self.client.prompt(answer[-1])[0]:
            raise kr.Gio.DBusError.new_for_dbus_error(sc.DENIED, "dismissed")
        return answer


class Locked(ServiceCase):
    """A locked vault tells nothing of what is in it."""

    def test_paths_that_are_there_answer_as_those_that_are_not(self):
        true = self.client.store(VALUE, {"user": "joe"})
        session = self.client.session
        self.agent.lock()
        answers = []
        for path in (true, OTHER_ITEM, sc.DEFAULT + "/" + true.rsplit("/", 1)[1], sc.LOGIN + "/" + "f" * 64):
            secret = (session, b"", b"x", "text/plain")
            answers.append([
                self.client.call(path, sc.PROPERTIES, "GetAll", "(s)", sc.ITEM),
                self.client.values(path),
                self.client.service("Unlock", "(ao)", [path])[0],
                sc.refusal(lambda: self.client.value(path)),
                sc.refusal(lambda: self.client.call(path, sc.ITEM, "SetSecret", "((oayays))", secret)),
                sc.refusal(lambda: self.client.call(path, sc.ITEM, "Delete")),
                sc.refusal(lambda: self.client.call(path, sc.PROPERTIES, "Set", "(ssv)", sc.ITEM, "Label",
                                                    kr.GLib.Variant("s", "x"))),
            ])
        for answer in answers:
            self.assertEqual(answer, answers[0])
        self.assertEqual([name for name, _ in answers[0][3:]], [sc.IS_LOCKED] * 4)
        self.assertEqual(answers[0][0][0]["Locked"], True)
        self.assertEqual(answers[0][0][0]["Attributes"], {})
        self.assertEqual(self.client.get(sc.LOGIN, sc.COLLECTION, "Items"), [])

    def test_a_store_into_a_locked_vault_is_refused_at_once(self):
        self.client.session
        self.agent.lock()
        self.refused(sc.IS_LOCKED, lambda: self.client.store(b"x", {"user": "joe"}))
        self.refused(sc.IS_LOCKED, lambda: self.client.service("SetAlias", "(so)", "default", sc.LOGIN))
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_value_of_a_locked_vault_is_refused_at_once(self):
        path = self.client.store(b"x", {"user": "joe"})
        self.agent.lock()
        self.refused(sc.IS_LOCKED, lambda: self.client.value(path))
        self.assertEqual(self.client.values(path), {})
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_path_with_another_collection_leads_to_no_item(self):
        path = self.client.store(b"x", {"user": "joe"})
        other, _ = self.client.service("CreateCollection", "(a{sv}s)", {}, "")
        wrong = other + "/" + path.rsplit("/", 1)[1]
        self.refused(sc.NO_OBJECT, lambda: self.client.value(wrong))
        self.assertEqual(self.client.values(path, wrong), {path: b"x"})
        self.assertEqual(self.client.value(path), b"x")

    def test_many_searches_wait_for_one_question_and_have_a_limit(self):
        self.agent.lock()
        clients = [self.client, self.new_client()]
        with concurrent.futures.ThreadPoolExecutor(160) as pool:
            ends = [pool.submit(lambda one=one: sc.error(lambda: one.search({"user": "joe"})))
                    for one in clients for _ in range(70)]
            self.agent.askpass.asked()
            # Sixteen calls of a process wait for a person, over all its connections; the others are told at once.
            self.front.bus.wait_for(lambda: sum(end.done() for end in ends) >= 124, "the refusals", ag.DEADLINE)
            self.assertFalse(all(end.done() for end in ends))
            # What comes too late for this question may lead to another one.
            answers = pool.submit(self.says_no_until, ends)
            names = [end.result() for end in ends]
            answers.result()
        self.assertLessEqual(set(names), {sc.IS_LOCKED, sc.LIMITS})
        self.assertGreaterEqual(names.count(sc.IS_LOCKED), 16)
        self.agent.unlock()
        self.serves()

    def says_no_until(self, ends: list):
        self.agent.askpass.says("no")
        while any(not end.done() for end in ends):
            if self.agent.askpass.was_asked():
                self.agent.askpass.asked()
                self.agent.askpass.says("no")
            concurrent.futures.wait(ends, timeout=0.05, return_when="FIRST_COMPLETED")
            # A `wait` that finds one done returns at once.
            time.sleep(0.01)

    def test_a_client_that_goes_while_it_waits_opens_nothing(self):
        self.agent.lock()
        other = self.new_client()
        other.send(sc.ROOT, sc.SERVICE, "SearchItems", "(a{ss})", {"user": "joe"})
        self.agent.askpass.asked()
        other.leave()
        self.assertTrue(self.client.get(sc.LOGIN, sc.COLLECTION, "Locked"))
        self.agent.unlock()
        self.serves()


class Sessions(ServiceCase):
    """Both algorithms, with what does not fit."""

    def key(self, public: bytes | None = None) -> tuple[str, bytes]:
        """A session by Diffie and Hellman, and its key."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
        secret = 4711
        public = public or pow(2, secret, sc.PRIME).to_bytes(128, "big")
        theirs, path = self.client.service("OpenSession", "(sv)", sc.DH, kr.GLib.Variant("ay", public))
        shared = pow(int.from_bytes(bytes(theirs), "big"), secret, sc.PRIME).to_bytes(128, "big")
        return path, HKDF(SHA256(), 16, None, b"").derive(shared)

    def cipher(self, key: bytes, vector: bytes):
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        return Cipher(algorithms.AES(key), modes.CBC(vector))

    def test_public_values_out_of_range_are_refused(self):
        for number in (0, 1, sc.PRIME - 1, sc.PRIME):
            with self.subTest(number=number):
                value = number.to_bytes(128, "big")
                self.refused(sc.INVALID, lambda: self.key(value))
                self.refused(sc.INVALID, lambda: self.key(value.lstrip(b"\0") or b"\0"))
        for value in (b"", b"\2" * 129, bytes(129), bytes(127) + b"\1"):
            with self.subTest(length=len(value)):
                self.refused(sc.INVALID, lambda: self.client.service(
                    "OpenSession", "(sv)", sc.DH, kr.GLib.Variant("ay", value)))
        for value in (b"\2", bytes(127) + b"\2", (sc.PRIME - 2).to_bytes(128, "big")):
            self.assertEqual(len(self.client.service("OpenSession", "(sv)", sc.DH, kr.GLib.Variant("ay", value))[0]),
                             128)

    def test_algorithms_and_their_inputs_are_those_of_the_specification(self):
        for name in ("", "PLAIN", "plain ", "dh-ietf1024-sha256-aes128-cbc-pkcs7 ", "none", "x" * 10_000):
            self.refused(sc.NOT_SUPPORTED, lambda: self.client.service(
                "OpenSession", "(sv)", name, kr.GLib.Variant("s", "")))
        for name, value in ((sc.DH, kr.GLib.Variant("s", "")), ("plain", kr.GLib.Variant("ay", b"\2")),
                            (sc.DH, kr.GLib.Variant("u", 2)), (sc.DH, kr.GLib.Variant("as", [])),
                            ("plain", kr.GLib.Variant("v", kr.GLib.Variant("s", "")))):
            self.refused(sc.INVALID, lambda: self.client.service("OpenSession", "(sv)", name, value))

    def test_values_travel_sealed_and_each_under_a_vector_of_its_own(self):
        session, key = self.key()
        vector = os.urandom(16)
        encryptor = self.cipher(key, vector).encryptor()
        sealed = encryptor.update(VALUE + bytes([3]) * 3) + encryptor.finalize()
        path = self.client.store(sealed, {"user": "joe"}, session=session, parameters=vector)
        self.assertEqual(self.client.value(path), VALUE)
        vectors = set()
        for _ in range(20):
            (_, vector, sealed, kind), = self.client.call(path, sc.ITEM, "GetSecret", "(o)", session)
            decryptor = self.cipher(key, bytes(vector)).decryptor()
            self.assertEqual(decryptor.update(bytes(sealed)) + decryptor.finalize(), VALUE + bytes([3]) * 3)
            self.assertEqual(kind, "text/plain")
            vectors.add(bytes(vector))
        self.assertEqual(len(vectors), 20)

    def test_every_fault_of_vector_length_and_padding_is_the_same_error(self):
        session, key = self.key()

        def sealed(plain: bytes) -> bytes:
            encryptor = self.cipher(key, bytes(16)).encryptor()
            return encryptor.update(plain) + encryptor.finalize()

        good = sealed(VALUE + bytes([3]) * 3)
        faults = [(bytes(count), good) for count in (0, 1, 15, 17, 32, 64, 65, 1000)]
        faults += [(bytes(16), value) for value in (b"", good[:15], good + b"x", good[:1])]
        faults += [(bytes(16), sealed(bytes(15) + bytes([last]))) for last in (0, *range(2, 256))]
        faults += [(bytes(16), sealed(bytes(14) + b"\1" + bytes([2]))), (bytes(16), sealed(b"\x0f" + b"\x10" * 15))]
        refusals = {sc.refusal(lambda: self.client.store(value, {"user": "joe"}, session=session, parameters=vector))
                    for vector, value in faults}
        self.assertEqual(len(refusals), 1, refusals)
        self.assertEqual(refusals.pop()[0], sc.INVALID)
        self.assertEqual(self.client.search({}), ([], []))

    def test_a_client_has_sixteen_sessions_and_a_process_sixty_four(self):
        mine = [self.client.open() for _ in range(16)]
        self.assertEqual(len(set(mine)), 16)
        self.refused(sc.LIMITS, self.client.open)
        self.client.call(mine[0], sc.SESSION, "Close")
        self.client.open()
        others = [self.new_client() for _ in range(3)]
        for other in others:
            for _ in range(16):
                other.open()
        last = self.new_client()
        self.refused(sc.LIMITS, last.open)
        # Another process has as many of its own.
        self.assertEqual(sc.Program(self.front, "other").does("len([client.open() for _ in range(16)])"), 16)
        # Those of a client that went have room for others.
        others[0].leave()
        self.front.bus.wait_for(lambda: last.open(), "room for a session")
        self.serves()

    def test_a_process_has_thirty_two_connections_and_keeps_no_new_program_out(self):
        flood = sc.Program(self.front, "flood").starts(
            "[sc.attempt(one.open) for one in [sc.Client(Place) for _ in range(100)]].__len__() and print('done', flush=True)"
            " or __import__('signal').pause()")
        self.addCleanup(flood.communicate)
        self.addCleanup(flood.kill)
        ag.wait_for(flood.stdout.fileno(), "the flood")
        mine = [self.new_client() for _ in range(40)]
        opened = [sc.attempt(one.open) for one in mine]
        # The client of this test itself has no session so far, and makes room.
        self.assertEqual([one for one in opened[:32] if one.startswith("error")], [])
        self.assertEqual(set(opened[32:]), {"error " + sc.LIMITS})
        for one in mine:
            one.leave()
        self.serves()

    def test_two_hundred_calls_at_once_are_all_answered(self):
        path = self.client.store(VALUE, {"user": "joe"})
        # A bus has its own limit for calls of one connection.
        clients = [self.client, self.new_client()]
        with concurrent.futures.ThreadPoolExecutor(200) as pool:
            found = list(pool.map(lambda one: sc.attempt(lambda: one.search({"user": "joe"})), clients * 100))
        self.assertEqual(found, [([path], [])] * 200)
        folder = self.alice.path("files")
        what = ("(lambda os, time, pool, all: ([one.open() for one in all], open(f'{FOLDER}/ready-NUMBER', 'w').close(),"
                " [time.sleep(0.01) for _ in iter(lambda: os.path.exists('FOLDER/go'), True)], list(pool.map("
                "lambda one: sc.attempt(lambda: [one.search({'user': 'joe'}) for _ in range(4)][-1]), all)))[3])("
                "__import__('os'), __import__('time'), __import__('concurrent.futures').futures.ThreadPoolExecutor(25),"
                " [sc.Client(Place) for _ in range(25)])").replace("{FOLDER}", folder).replace("FOLDER", folder)
        programs = [sc.Program(self.front, f"p{number}").starts(what.replace("NUMBER", str(number))) for number in range(8)]
        self.front.bus.wait_for(
            lambda: all(os.path.exists(f"{folder}/ready-{number}") for number in range(8)), "the programs", ag.DEADLINE)
        with open(f"{folder}/go", "w", encoding="ascii"):
            pass
        for program in programs:
            self.assertEqual(sc.ended(program), [[[], [path]]] * 25)


class Types(ServiceCase):
    """Every method with arguments of other types, fewer and more of them."""

    def test_arguments_of_other_types_are_refused_and_do_nothing(self):
        path, session = self.client.store(VALUE, {"user": "joe"}), self.client.session
        work, _ = self.client.service("CreateCollection", "(a{sv}s)", {}, "")
        secret = (session, b"", b"x", "text/plain")
        text = kr.GLib.Variant("s", "x")
        methods = {
            (sc.ROOT, sc.SERVICE): {
                "OpenSession": ("sv", ["plain", text]), "CreateCollection": ("a{sv}s", [{}, ""]),
                "SearchItems": ("a{ss}", [{}]), "Unlock": ("ao", [[work]]), "Lock": ("ao", [[work]]),
                "LockService": ("", []), "GetSecrets": ("aoo", [[path], session]), "ReadAlias": ("s", ["default"]),
                "SetAlias": ("so", ["default", work]),
            },
            (sc.LOGIN, sc.COLLECTION): {
                "SearchItems": ("a{ss}", [{}]), "CreateItem": ("a{sv}(oayays)b", [{}, secret, False]),
            },
            (work, sc.COLLECTION): {"Delete": ("", [])},
            (path, sc.ITEM): {
                "GetSecret": ("o", [session]), "SetSecret": ("(oayays)", [secret]), "Delete": ("", []),
            },
            (session, sc.SESSION): {"Close": ("", [])},
            (path, sc.PROPERTIES): {
                "Get": ("ss", [sc.ITEM, "Label"]), "GetAll": ("s", [sc.ITEM]),
                "Set": ("ssv", [sc.ITEM, "Label", text]),
            },
        }
        for (place, interface), members in methods.items():
            for member, (types, arguments) in members.items():
                parts = split(types)
                wrong = [(parts + ["u"], [*arguments, 1]), (parts + ["s"], [*arguments, ""])]
                if parts:
                    wrong.append(([], []))
                    wrong.append((parts[:-1], arguments[:-1]))
                for place_of in range(len(parts)):
                    for other, value in (("u", 7), ("as", ["x"]), ("(s)", ("x",)), ("v", text)):
                        if parts[place_of] != other:
                            wrong.append((parts[:place_of] + [other] + parts[place_of + 1:],
                                          [*arguments[:place_of], value, *arguments[place_of + 1:]]))
                for kinds, values in wrong:
                    with self.subTest(member=member, types="".join(kinds)):
                        self.refused(sc.INVALID, lambda: self.client.call(
                            place, interface, member, "(" + "".join(kinds) + ")", *values))
        self.assertEqual(self.client.value(path), VALUE)
        self.assertEqual(self.client.get(path, sc.ITEM, "Label"), "a label")
        self.assertFalse(self.client.get(work, sc.COLLECTION, "Locked"))
        self.assertFalse(self.agent.askpass.was_asked())

    def test_properties_of_other_types_and_names_are_refused(self):
        path = self.client.store(VALUE, {"user": "joe"})

        def sets(interface: str, name: str, value, place: str = path):
            return lambda: self.client.call(place, sc.PROPERTIES, "Set", "(ssv)", interface, name, value)

        number, text = kr.GLib.Variant("u", 1), kr.GLib.Variant("s", "x")
        self.refused(sc.INVALID, sets(sc.ITEM, "Label", number))
        self.refused(sc.INVALID, sets(sc.ITEM, "Attributes", text))
        self.refused(sc.INVALID, sets(sc.ITEM, "Attributes", kr.GLib.Variant("a{sv}", {"user": text})))
        self.refused(sc.INVALID, sets(sc.COLLECTION, "Label", number, sc.LOGIN))
        for name in ("Locked", "Created", "Modified"):
            self.refused(sc.STANDARD + "PropertyReadOnly", sets(sc.ITEM, name, number))
            self.refused(sc.STANDARD + "PropertyReadOnly", sets(sc.COLLECTION, name, number, sc.LOGIN))
        self.refused(sc.STANDARD + "UnknownProperty", lambda: self.client.get(path, sc.ITEM, "Secret"))
        self.refused(sc.STANDARD + "UnknownInterface", lambda: self.client.get(path, sc.COLLECTION, "Label"))
        self.refused(sc.STANDARD + "UnknownInterface", lambda: self.client.call(path, sc.SERVICE, "LockService"))
        self.refused(sc.STANDARD + "UnknownMethod", lambda: self.client.call(path, sc.ITEM, "Reveal"))
        for wrong in ({sc.ITEM + ".Label": number}, {sc.ITEM + ".Attributes": text}, {sc.ITEM + ".Type": number}):
            self.refused(sc.INVALID, lambda: self.client.call(
                sc.LOGIN, sc.COLLECTION, "CreateItem", "(a{sv}(oayays)b)", wrong,
                (self.client.session, b"", b"x", "text/plain"), False))
        self.assertEqual(self.client.search({}), ([path], []))

    def test_paths_that_lead_nowhere_are_no_objects(self):
        path = self.client.store(VALUE, {"user": "joe"})
        item = path.rsplit("/", 1)[1]
        for wrong in ("collection/_2e_2e", "collection/_2e_2e/" + item, "collection/login_2f" + item,
                      "collection/_6cogin", "collection/login_", "collection/login_0", "collection/_zz",
                      "collection/LOGIN", "collection/default", "collection/default/" + item,
                      "aliases/aliases_2fdefault", "aliases/default_00", "aliases/unknown/" + item,
                      "aliases/login/" + item + "/x", "collection/_25_32_66", "collection/_ff",
                      "collection/" + "x" * 300):
            with self.subTest(path=wrong):
                place = sc.ROOT + "/" + wrong
                names = {
                    sc.error(lambda: self.client.get(place, interface, "Label"))
                    for interface in (sc.COLLECTION, sc.ITEM)
                } | {
                    sc.error(lambda: self.client.value(place)),
                    sc.error(lambda: self.client.call(place, sc.COLLECTION, "SearchItems", "(a{ss})", {})),
                }
                self.assertLessEqual(names, {sc.NO_OBJECT, sc.STANDARD + "UnknownInterface"})
                self.assertIn(sc.NO_OBJECT, names)
                self.assertEqual(self.client.service("Unlock", "(ao)", [place]), ([], "/"))
                self.assertEqual(self.client.values(place), {})
        self.assertEqual(self.client.value(sc.DEFAULT + "/" + item), VALUE)
        self.assertEqual(self.client.value(sc.ROOT + "/aliases/login/" + item), VALUE)


def split(types: str) -> list[str]:
    """The single complete types of a signature."""
    parts = []
    while types:
        end = next(end for end in range(1, len(types) + 1) if kr.GLib.VariantType.string_is_valid(types[:end]))
        parts.append(types[:end])
        types = types[end:]
    return parts


class Large(ServiceCase):
    """More than is served, and much of it."""

    def memory(self) -> int:
        """KiB of the front in memory."""
        with open(f"/proc/{self.front.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))

    def test_what_is_longer_than_an_item_may_be_is_refused(self):
        self.refused(sc.LIMITS, lambda: self.client.store(bytes((1 << 20) + 1), {"user": "joe"}))
        self.refused(sc.LIMITS, lambda: self.client.store(b"x", {"user": "joe"}, label="x" * 4097))
        self.refused(sc.LIMITS, lambda: self.client.store(b"x", {"x" * 1025: "joe"}))
        self.refused(sc.LIMITS, lambda: self.client.store(b"x", {"user": "x" * ((16 << 10) + 1)}))
        self.refused(sc.LIMITS, lambda: self.client.store(b"x", {str(one): "" for one in range(513)}))
        self.refused(sc.LIMITS, lambda: self.client.store(b"x", {str(one): "x" * 4000 for one in range(20)}))
        self.refused(sc.LIMITS, lambda: self.client.store(b"x", {"user": "joe"}, kind="x" * 129))
        self.assertEqual(self.client.search({}), ([], []))
        # As much as it may be is taken, and comes back.
        value = os.urandom(1 << 20)
        path = self.client.store(value, {str(one): "x" * 1000 for one in range(48)}, label="x" * 1024,
                                 kind="x" * 128)
        self.assertEqual(self.client.value(path), value)

    def test_a_search_for_more_than_an_item_can_have_finds_nothing(self):
        self.client.store(VALUE, {"user": "joe"})
        for wanted in ({str(one): "" for one in range(513)}, {"x" * 1025: "joe"}, {"user": "x" * ((16 << 10) + 1)},
                       {str(one): "x" * 4000 for one in range(20)}):
            self.assertEqual(self.client.search(wanted), ([], []))
            self.assertEqual(self.client.call(sc.LOGIN, sc.COLLECTION, "SearchItems", "(a{ss})", wanted), ([],))

    def test_what_gnome_keyring_takes_of_attributes_and_labels_is_kept_and_found(self):
        items = [({str(one): "v" for one in range(512)}, "many"), ({"n" * 1024: "v"}, "name"),
                 ({"user": "x" * (16 << 10)}, "value"), ({"user": "long label"}, "x" * 4096),
                 ({str(one): "x" * 8000 for one in range(7)}, "all"), ({"short": "", "é" * 40: "ü" * 3000}, "ü" * 2048)]
        paths = [self.client.store(label.encode(), attributes, label=label) for attributes, label in items]
        # They come back from the file, too.
        self.agent.lock()
        self.agent.kill()
        self.agent.start()
        self.agent.unlock()
        for path, (attributes, label) in zip(paths, items):
            self.assertEqual(self.client.search(attributes), ([], [path]))
            facts, = self.client.call(path, sc.PROPERTIES, "GetAll", "(s)", sc.ITEM)
            self.assertEqual((facts["Attributes"], facts["Label"]), (attributes | facts["Attributes"], label))
            self.assertLessEqual(set(facts["Attributes"]) - set(attributes), {"xdg:schema"})
            shown = self.ok(self.alice, "item", "show", path.rsplit("/", 1)[1], "--json", secret=None).result
            self.assertEqual(shown["label"], label)
        # A question about one of them has room for what a person needs to see.
        process = sc.Program(self.front, "reader").starts(f"client.value('{paths[2]}').decode()")
        self.assertIn("reader", self.asked("yes"))
        self.assertEqual(sc.ended(process), "value")
        self.ok(self.alice, "vault", "check")

    def test_ten_thousand_and_one_paths_are_refused(self):
        paths = [sc.LOGIN + f"/{number:016x}" for number in range(10_001)]
        for method in ("Unlock", "Lock"):
            self.refused(sc.LIMITS, lambda: self.client.service(method, "(ao)", paths))
        self.refused(sc.LIMITS, lambda: self.client.values(*paths))
        self.assertEqual(self.client.service("Unlock", "(ao)", paths[:10_000]), ([], "/"))
        self.assertEqual(self.client.values(*paths[:10_000]), {})

    def test_messages_of_many_megabytes_are_refused_and_keep_no_more_memory_each_time(self):
        def send(size: int):
            self.refused(sc.LIMITS, lambda: self.client.store(bytes(size), {"user": "joe"}))
            self.refused(sc.LIMITS, lambda: self.client.search({"user": "x" * size}))
            self.refused(sc.LIMITS, lambda: self.client.service("ReadAlias", "(s)", "x" * size))

        send(20 << 20)
        # The C library may keep what one of them needed.
        before = self.memory()
        for size in (9 << 20, *[20 << 20] * 5):
            send(size)
        self.serves()
        self.assertLess(self.memory(), before + (24 << 10), "KiB in memory")

    def test_a_message_is_eight_megabytes_as_a_whole_however_small_its_parts_are(self):
        def makes(parts: int):
            properties = {f"io.example.Part{number}": sc.octets(bytes(1 << 20)) for number in range(parts)}
            return self.client.call(sc.LOGIN, sc.COLLECTION, "CreateItem", "(a{sv}(oayays)b)", properties,
                                    (self.client.session, b"", b"x", "text/plain"), False)

        self.refused(sc.LIMITS, lambda: makes(8))
        self.refused(sc.LIMITS, lambda: makes(31))
        self.assertEqual(self.client.search({}), ([], []))
        self.assertEqual(makes(7)[1], "/")
        pairs = {f"{number:06}": "x" * 10 for number in range(400_000)}
        self.refused(sc.LIMITS, lambda: self.client.search(pairs))
        self.refused(sc.LIMITS, lambda: self.client.values(*(sc.LOGIN + f"/{number:032x}" for number in range(120_000))))

    def test_a_hundred_megabytes_are_refused_and_given_back(self):
        # A list has at most 64 MiB.
        half = sc.octets(bytes(50 << 20))
        value = kr.GLib.Variant.new_tuple(
            kr.GLib.Variant("s", "plain"), kr.GLib.Variant("v", kr.GLib.Variant.new_tuple(half, half)))
        self.refused(sc.LIMITS, lambda: self.client.ask(sc.ROOT, sc.SERVICE, "OpenSession", value))
        before = self.memory()
        for _ in range(4):
            self.refused(sc.LIMITS, lambda: self.client.ask(sc.ROOT, sc.SERVICE, "OpenSession", value))
        self.serves()
        self.assertLess(self.memory(), before + (24 << 10), "KiB in memory")

    def test_large_calls_of_programs_that_nobody_knows_yet_are_not_kept(self):
        value = ("plain", kr.GLib.Variant("v", sc.octets(bytes(7 << 20))))
        self.serves()
        before = self.memory()
        clients = [self.new_client() for _ in range(4)]
        for client in clients:
            for _ in range(20):
                client.send(sc.ROOT, sc.SERVICE, "OpenSession", "(sv)", *value)
        for client in clients:
            client.connection.flush_sync(None)
            client.leave()
        self.serves()
        self.assertLess(self.memory(), before + (160 << 10), "KiB in memory")

    def test_calls_with_many_descriptors_do_not_end_the_front(self):
        self.agent.lock()
        with open(os.devnull, "rb") as file:
            files = kr.Gio.UnixFDList.new()
            for _ in range(253):
                files.append(file.fileno())
        # What the front has where the system gives less by itself.
        resource.prlimit(self.front.process.pid, resource.RLIMIT_NOFILE, (4_096, 4_096))
        clients = [self.new_client() for _ in range(2)]
        for client in clients:
            # As many as one client may have waiting for a person.
            for _ in range(16):
                client.connection.call_with_unix_fd_list(
                    kr.SERVICE, sc.ROOT, sc.SERVICE, "SearchItems", kr.GLib.Variant("(a{ss})", ({},)), None,
                    kr.Gio.DBusCallFlags.NO_AUTO_START, sc.LONGEST_WAIT, files, None, None, None)
                client.connection.flush_sync(None)
            # What comes behind them is read, and answered in some way.
            sc.attempt(lambda client=client: client.get(sc.LOGIN, sc.COLLECTION, "Locked"))
        self.assertIsNone(self.front.process.poll(), self.front.log)
        for client in clients:
            client.leave()
        other = self.new_client()
        self.front.bus.wait_for(lambda: other.get(sc.LOGIN, sc.COLLECTION, "Locked"), "the calls are let go", ag.DEADLINE)
        self.agent.unlock()
        self.serves()

    def test_a_program_that_never_reads_its_answers_keeps_no_one_waiting(self):
        for number in range(100):
            self.client.store(VALUE, {"number": str(number)})
        before = self.memory()
        silent = sc.Program(self.front, "silent").starts(
            "[client.send(sc.LOGIN, sc.PROPERTIES, 'GetAll', '(s)', sc.COLLECTION) for _ in range(20000)]"
            " and client.connection.flush_sync(None) and __import__('os').kill(__import__('os').getpid(), 19)")
        self.addCleanup(silent.communicate)
        self.addCleanup(silent.kill)
        self.front.bus.wait_for(lambda: state(silent.pid) == "T", "the program stops", ag.DEADLINE)
        self.serves()
        self.assertLess(self.memory(), before + (32 << 10), "KiB in memory")

    def test_ten_thousand_sessions_prompts_and_refusals_keep_no_memory(self):
        self.client.store(VALUE, {"user": "joe"})

        def round_of(count: int):
            for _ in range(count):
                self.client.call(self.client.open(), sc.SESSION, "Close")
                sc.error(lambda: self.client.value(OTHER_ITEM, OTHER_SESSION))

        round_of(1_000)
        self.agent.lock()
        prompts = [self.client.service("Unlock", "(ao)", [sc.LOGIN])[1] for _ in range(8)]
        self.assertEqual(len(set(prompts)), 8)
        for _ in range(200):
            self.refused(sc.LIMITS, lambda: self.client.service("Unlock", "(ao)", [sc.LOGIN]))
        before = self.memory()
        round_of(9_000)
        for _ in range(1_000):
            self.refused(sc.LIMITS, lambda: self.client.service("Unlock", "(ao)", [sc.LOGIN]))
        self.assertLess(self.memory(), before + (8 << 10), "KiB in memory")
        self.assertEqual(self.client.prompts(dict.fromkeys(prompts, 1), "Dismiss"),
                         dict.fromkeys(prompts, (True, [])))
        self.agent.unlock()
        self.serves()

    def test_a_thousand_connections_that_come_and_go_keep_no_memory(self):
        def come_and_go(count: int):
            for _ in range(count):
                one = self.new_client()
                one.open()
                one.leave()

        come_and_go(300)
        before = self.memory()
        come_and_go(700)
        self.serves()
        self.assertLess(self.memory(), before + (8 << 10), "KiB in memory")


BECOMES = """
import json, os, socket, sys, time
sys.path.insert(0, sys.argv[1])
import keyring as kr
import service_client as sc
Gio, GLib = kr.Gio, kr.GLib
bus = socket.socket(socket.AF_UNIX)
bus.connect(sys.argv[2].removeprefix("unix:path="))
serial = 0

def exactly(count):
    found = b""
    while len(found) < count:
        part = bus.recv(count - len(found))
        if not part:
            raise SystemExit("the bus is gone")
        found += part
    return found

def call(name, path, interface, method, arguments=None):
    global serial
    serial += 1
    message = Gio.DBusMessage.new_method_call(name, path, interface, method)
    message.set_serial(serial)
    if arguments is not None:
        message.set_body(arguments)
    bus.sendall(message.to_blob(Gio.DBusCapabilityFlags.NONE))
    while True:
        head = exactly(16)
        answer = Gio.DBusMessage.new_from_blob(head + exactly(Gio.DBusMessage.bytes_needed(head) - 16),
                                               Gio.DBusCapabilityFlags.NONE)
        if answer.get_reply_serial() == serial:
            return answer

def works(answer):
    if answer.get_message_type() == Gio.DBusMessageType.ERROR:
        raise SystemExit(f"{answer.get_error_name()}: {answer.get_body()}")
    return answer.get_body().unpack()

bus.sendall(b"\\0AUTH EXTERNAL " + str(os.geteuid()).encode().hex().encode() + b"\\r\\n")
assert bus.recv(200).startswith(b"OK")
bus.sendall(b"BEGIN\\r\\n")
works(call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello"))
opened = works(call(kr.SERVICE, sc.ROOT, sc.SERVICE, "OpenSession",
                    GLib.Variant("(sv)", ("plain", GLib.Variant("s", "")))))[1]
parent = os.getpid()
if os.fork():
    # It becomes another program, with the connection that it made as this one.
    null = os.open("/dev/null", os.O_RDWR)
    for standard in range(3):
        os.dup2(null, standard)
    os.execv(sys.argv[3], [sys.argv[3], "-c", "import signal; signal.pause()"])
while os.path.realpath(f"/proc/{parent}/exe") != sys.argv[3]:
    if os.getppid() != parent:
        raise SystemExit("it became nothing")
    time.sleep(0.01)
answer = call(kr.SERVICE, sys.argv[4], sc.ITEM, "GetSecret", GLib.Variant("(o)", (opened,)))
failed = answer.get_message_type() == Gio.DBusMessageType.ERROR
print(json.dumps("error " + answer.get_error_name() if failed else bytes(answer.get_body().unpack()[0][2]).decode()))
"""


class Replaced(ServiceCase):
    """A program whose file is replaced while it runs, as an upgrade does."""

    REPLACE = "[__import__('shutil').copy(me, me + '.new'), __import__('os').replace(me + '.new', me)]"

    def starts(self, program: sc.Program, *steps: str):
        return program.starts("[" + ", ".join(steps).replace("me", repr(program.path)) + "]")

    def test_it_finds_reads_and_replaces_its_own_items(self):
        program = sc.Program(self.front, "app")
        found = sc.ended(self.starts(
            program, "client.store(b'old token', {'user': 'joe'})", self.REPLACE, "client.search({'user': 'joe'})",
            "client.value(client.search({'user': 'joe'})[0][0]).decode()", "client.store(b'new token', {'user': 'joe'})"))
        path = found[0]
        self.assertEqual(found[2:], [[[path], []], "old token", path])
        # After a restart it is the same program, and reads what it stored last.
        self.assertEqual(program.does("client.value(client.search({'user': 'joe'})[0][0]).decode()"), "new token")
        self.assertFalse(self.agent.askpass.was_asked())

    def test_one_that_was_not_known_before_is_told_that_its_items_are_locked(self):
        program = sc.Program(self.front, "app")
        path = program.does("client.store(b'token', {'user': 'joe'})")
        tries = ["sc.attempt(lambda: client.search({'user': 'joe'}))", "sc.attempt(lambda: client.search({'user': 'jim'}))",
                 "sc.attempt(lambda: client.store(b'other', {'user': 'joe'}))"]
        found = sc.ended(self.starts(program, self.REPLACE, *tries))
        self.assertEqual(found[1:], ["error " + sc.IS_LOCKED, [[], []], "error " + sc.IS_LOCKED])
        self.assertEqual(program.does("client.search({})"), [[path], []])
        self.assertEqual(program.does(f"client.value('{path}').decode()"), "token")

    def test_another_program_that_it_starts_in_its_place_has_nothing_of_it(self):
        first, second = (sc.Program(self.front, name) for name in ("first", "second"))
        process = first.starts(
            f"[print(client.store(b'token', {{'user': 'joe'}}), flush=True), __import__('os').unlink({first.path!r}),"
            f" __import__('os').execv({second.path!r}, [{second.path!r}, '-B', '-c', sc.OTHER, sys.argv[1], sys.argv[2],"
            " \"client.search({'user': 'joe'})\"])]")
        output, errors = process.communicate(timeout=120)
        path, found = output.splitlines()
        self.assertEqual(json.loads(found), [[], [path]], errors)


class Asking(ServiceCase):
    """Programs that have a person asked, and do not wait for the answer."""

    def leaves(self, program: sc.Program, what: str):
        """The program has something asked, and is gone before the answer."""
        process = program.starts(what)
        self.assertIn(os.path.basename(program.path), self.agent.askpass.asked())
        process.kill()
        process.communicate()

    def blocked(self) -> list[str]:
        programs = self.ok(self.alice, "agent", "blocked", "--json", secret=None).result["programs"]
        return [os.path.basename(one["program"]) for one in programs]

    def test_one_that_takes_its_questions_back_silences_itself_alone(self):
        paths = [self.client.store(VALUE, {"number": str(number)}) for number in range(8)]
        thief = sc.Program(self.front, "thief")
        for number, path in enumerate(paths[:3]):
            self.leaves(thief, f"client.value('{path}').decode()")
            self.front.bus.wait_for(lambda: self.items() == (number + 1 if number < 2 else None), "the no is counted")
        for path in paths[3:]:
            self.assertEqual(thief.does(f"client.value('{path}').decode()"), "error " + sc.DENIED)
            self.assertEqual(thief.does(f"client.service('Unlock', '(ao)', ['{path}'])"), "error " + sc.DENIED)
        self.assertFalse(self.agent.askpass.was_asked())
        self.assertEqual(self.blocked(), ["thief"])
        process = sc.Program(self.front, "honest").starts(f"client.value('{paths[0]}').decode()")
        self.assertIn("honest", self.asked("yes"))
        self.assertEqual(sc.ended(process).encode(), VALUE)
        self.ok(self.alice, "agent", "blocked", "--clear", secret=None)
        self.assertEqual(self.blocked(), [])

    def items(self) -> int | None:
        """Of how many items a program is blocked; None for all."""
        programs = self.ok(self.alice, "agent", "blocked", "--json", secret=None).result["programs"]
        return programs[0].get("items") if programs else 0

    def test_one_that_takes_the_window_for_the_passphrase_back_keeps_it_from_no_other(self):
        self.agent.lock()
        thief = sc.Program(self.front, "thief")
        for _ in range(7):
            if not self.blocked():
                self.leaves(thief, "client.search({'user': 'joe'})")
                self.front.bus.wait_for(self.blocked, "the window is counted")
                continue
            self.assertEqual(thief.does("client.search({'user': 'joe'})"), "error " + sc.IS_LOCKED)
        self.assertEqual(self.blocked(), ["thief"])
        process = sc.Program(self.front, "honest").starts("client.search({'user': 'joe'})")
        self.opens()
        self.assertEqual(sc.ended(process), [[], []])

    def test_one_question_is_enough_to_change_and_delete_an_item(self):
        path = self.client.store(VALUE, {"user": "joe"})
        manager = sc.Program(self.front, "manager")
        process = manager.starts(
            f"[client.call('{path}', sc.PROPERTIES, 'Set', '(ssv)', sc.ITEM, 'Label', sc.kr.GLib.Variant('s', 'new')),"
            f" client.value('{path}').decode(), client.call('{path}', sc.ITEM, 'Delete')]")
        self.assertIn("read, change and delete “a label”?", self.asked("yes"))
        self.assertEqual(sc.ended(process), [[], VALUE.decode(), ["/"]])
        self.assertFalse(self.agent.askpass.was_asked())
        self.assertEqual(self.client.search({"user": "joe"}), ([], []))

    def test_eight_questions_with_eight_yes_are_eight_values(self):
        paths = [self.client.store(str(number).encode(), {"number": str(number)}) for number in range(8)]
        script = sc.Program(self.front, "script")
        process = script.starts(f"[client.value(path).decode() for path in {paths}]")
        for _ in paths:
            self.assertIn("script", self.asked("yes"))
        self.assertEqual(sc.ended(process), [str(number) for number in range(8)])
        self.assertEqual(self.blocked(), [])


class Becoming(ServiceCase):
    """A program connects to the bus, starts another one in its place, and goes on by a child."""

    def becomes(self, first: sc.Program, second: sc.Program, path: str) -> subprocess.Popen:
        here = os.path.dirname(os.path.abspath(__file__))
        process = subprocess.Popen(
            [first.path, "-B", "-c", BECOMES, here, self.front.bus.address, second.path, path], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, text=True, start_new_session=True, cwd=self.alice.home,
            env=self.alice.environment(PYTHONHOME="/usr", **self.front.bus.environment()))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(self.kill_group, process.pid)
        return process

    @staticmethod
    def kill_group(leader: int):
        """The program and its child, as far as they still live."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGKILL)

    def test_it_is_asked_about_as_the_program_that_it_became(self):
        first, second = (sc.Program(self.front, name) for name in ("first", "second"))
        own = first.does("client.store(b'kept by first', {'user': 'first'})")
        process = self.becomes(first, second, own)
        asked = self.agent.askpass.asked()
        self.assertIn("second", asked)
        self.agent.askpass.says("no")
        ag.wait_for(process.stdout.fileno(), "the program's answer")
        self.assertEqual(json.loads(process.stdout.readline()), "error " + sc.DENIED)
        # The program itself still has what it made.
        self.assertEqual(first.does(f"client.value('{own}').decode()"), "kept by first")

    def test_it_has_what_the_program_has_that_it_became_as_is_written_down(self):
        first, second = (sc.Program(self.front, name) for name in ("first", "second"))
        theirs = second.does("client.store(b'kept by second', {'user': 'second'})")
        process = self.becomes(first, second, theirs)
        # A bus names a process, and the process is that program now: Schemas/agent-security.md section 10.
        ag.wait_for(process.stdout.fileno(), "the program's answer")
        self.assertEqual(json.loads(process.stdout.readline()), "kept by second")
        self.assertFalse(self.agent.askpass.was_asked())
        log = self.ok(self.alice, "audit", "--json", secret=None).output
        self.assertIn(second.path, log)


class Speaking(ServiceCase):
    """Who else claims to speak for programs on the bus."""

    BEHALF = {"bus": ":1.1", "ask": True, "open": True, "plain": False}

    def test_no_other_program_calls_for_one_on_the_bus(self):
        path = self.client.store(VALUE, {"user": "joe"})
        me = self.BEHALF | {"pid": os.getpid(), "start": start(os.getpid())}
        with cw.Connection(self.agent.control) as connection:
            for request in ({"call": {"operation": "item.search", "for": me}},
                            {"unlock": {"source": "ask", "for": me}}):
                kind, body = connection.ask(request)
                self.assertEqual((kind, body["error"]["name"]), (cw.ERROR, "policyRefused"), body)
        self.assertFalse(self.agent.askpass.was_asked())
        self.assertEqual(self.client.value(path), VALUE)

    def test_a_copy_of_the_front_gives_nothing_out(self):
        path = self.client.store(VALUE, {"user": "joe"})
        self.front.end()
        folder = os.path.join(self.agent.askpass.folder, "copy")
        os.mkdir(folder)
        copy = shutil.copy(sv.program(), folder)
        front = sv.Front(self.alice, self.agent, copy)
        self.addCleanup(front.end)
        client = sc.Client(front.bus)
        self.refused(sc.DENIED, lambda: client.search({}))
        self.refused(sc.DENIED, lambda: client.value(path))
        self.refused(sc.DENIED, lambda: client.store(b"x", {"user": "joe"}))
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_second_front_on_another_bus_gives_nothing_out(self):
        path = self.client.store(VALUE, {"user": "joe"})
        second = sv.Front(self.alice, self.agent)
        self.addCleanup(second.end)
        client = sc.Client(second.bus)
        for act in (lambda: client.search({}), lambda: client.value(path), lambda: client.store(b"x", {"user": "joe"})):
            self.assertIn(sc.error(act), (sc.FAILED, sc.IS_LOCKED, sc.DENIED))
        self.assertEqual(self.client.value(path), VALUE)


def state(pid: int) -> str:
    """What a process does (proc(5), field 3)."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rsplit(b")", 1)[1].split()[0].decode()


def start(pid: int) -> int:
    """When a process began (proc(5), field 22)."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return int(file.read().rsplit(b")", 1)[1].split()[19])


if __name__ == "__main__":
    unittest.main()
