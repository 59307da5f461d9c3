"""The front and its neighbours end in the middle of everything: nothing is lost, repeated, or given away."""

import concurrent.futures
import contextlib
import glob
import os
import signal
import sqlite3
import threading
import time
import unittest

import agents as ag
import service as sv
import service_client as sc
import strace
from house import PASSPHRASE
from service_case import VALUE, ServiceCase

kr = sc.kr


class Clients(ServiceCase):
    """Clients that end."""

    def test_a_client_may_go_in_the_middle_of_each_call(self):
        path = self.client.store(VALUE, {"user": "joe"})
        item = path.rsplit("/", 1)[1]
        text = kr.GLib.Variant("s", "renamed")
        for round_of in range(3):
            for place, interface, member, types, arguments in (
                    (sc.ROOT, sc.SERVICE, "OpenSession", "(sv)", ("plain", kr.GLib.Variant("s", ""))),
                    (sc.ROOT, sc.SERVICE, "OpenSession", "(sv)", (sc.DH, kr.GLib.Variant("ay", b"\2"))),
                    (sc.ROOT, sc.SERVICE, "SearchItems", "(a{ss})", ({},)),
                    (sc.ROOT, sc.SERVICE, "Unlock", "(ao)", ([path, sc.LOGIN],)),
                    (sc.ROOT, sc.SERVICE, "ReadAlias", "(s)", ("default",)),
                    (sc.ROOT, sc.SERVICE, "CreateCollection", "(a{sv}s)", ({}, "default")),
                    (sc.LOGIN, sc.COLLECTION, "SearchItems", "(a{ss})", ({"user": "joe"},)),
                    (sc.DEFAULT + "/" + item, sc.PROPERTIES, "GetAll", "(s)", (sc.ITEM,)),
                    (path, sc.PROPERTIES, "Set", "(ssv)", (sc.ITEM, "Label", text))):
                one = self.new_client()
                session = one.open()
                one.send(place, interface, member, types, *arguments)
                one.send(path, sc.ITEM, "GetSecret", "(o)", session)
                properties = {sc.ITEM + ".Attributes": kr.GLib.Variant("a{ss}", {"test": "gone"})}
                one.send(sc.LOGIN, sc.COLLECTION, "CreateItem", "(a{sv}(oayays)b)", properties,
                         (session, b"", b"gone", "text/plain"), True)
                one.connection.flush_sync(None)
                one.leave()
        self.serves()
        self.assertEqual(self.client.value(path), VALUE)
        # It replaces its own one, so there is at most one, and it is whole.
        found = self.client.search({"test": "gone"})
        self.assertLessEqual(len(found[0]) + len(found[1]), 1)
        for one in found[0]:
            self.assertEqual(self.client.value(one), b"gone")

    def test_a_program_killed_while_it_is_asked_about_gets_nothing_and_keeps_nobody_waiting(self):
        path = self.client.store(VALUE, {"user": "joe"})
        other = sc.Program(self.front, "other")
        process = other.starts(f"client.value('{path}').decode()")
        self.assertIn("other", self.agent.askpass.asked())
        process.send_signal(signal.SIGKILL)
        self.assertEqual(process.communicate()[0], "")
        self.serves()
        third = sc.Program(self.front, "third")
        process = third.starts(f"client.value('{path}').decode()")
        self.assertIn("third", self.agent.askpass.asked())
        self.agent.askpass.says_always_yes()
        self.agent.askpass.says("yes")
        self.assertEqual(sc.ended(process), VALUE.decode())


class Fronts(ServiceCase):
    """The front is killed, and a new one comes."""

    def test_a_store_is_whole_or_not_there_however_the_front_ends(self):
        stored, number = {}, 0
        for wait in range(12):
            number += 1
            client, name, value = self.new_client(), str(number), os.urandom(32)
            client.session
            answered = []

            def store():
                try:
                    answered.append(client.store(value, {"number": name}))
                except kr.GLib.Error:
                    pass

            thread = threading.Thread(target=store)
            thread.start()
            # Another moment each time; nothing below depends on which.
            time.sleep(wait * 0.004)
            self.front.process.kill()
            self.front.process.wait()
            thread.join()
            self.front.start()
            self.client = self.new_client()
            found = self.client.search({"number": name})
            paths = found[0] + found[1]
            self.assertLessEqual(len(paths), 1)
            if answered:
                self.assertEqual(paths, answered)
            for path in paths:
                stored[path] = value
        for path, value in stored.items():
            self.assertEqual(self.client.value(path), value)
        found = self.client.search({})
        self.assertEqual(set(found[0] + found[1]), set(stored))

    @unittest.skipUnless(strace.may_attach(), "strace is not installed or may not trace")
    def test_a_front_killed_at_every_call_of_a_store_loses_and_repeats_nothing(self):
        stored, kills = {}, 0
        for call in ("sendmsg", "recvmsg", "sendto", "recvfrom", "read", "write", "poll", "ppoll"):
            for number in range(1, 16):
                name, value = f"{call} {number}", os.urandom(32)
                client = self.new_client()
                client.session
                tracer = self.front.strike(call, number)
                answered = []
                try:
                    answered.append(client.store(value, {"number": name}))
                except kr.GLib.Error:
                    pass
                is_alive = self.front.spare(tracer)
                kills += not is_alive
                # One that was hit after its answer may still be on its way out.
                self.front.process.kill()
                self.front.process.wait()
                self.front.bus.wait_for(lambda: not self.front.bus.owner(), "the name is free", ag.DEADLINE)
                self.front.start()
                self.client = self.new_client()
                with self.subTest(call=call, number=number):
                    found = self.client.search({"number": name})
                    paths = found[0] + found[1]
                    self.assertLessEqual(len(paths), 1)
                    if answered:
                        self.assertEqual(paths, answered)
                    for path in paths:
                        self.assertEqual(self.client.value(path), value)
                        stored[path] = value
                # A store that ends before that call has no later one.
                if is_alive:
                    break
        self.assertGreater(kills, 3)
        self.assertEqual(self.client.values(*stored), stored)
        found = self.client.search({})
        self.assertEqual(set(found[0] + found[1]), set(stored))
        # What was stored before is still nobody else's.
        other = sc.Program(self.front, "other")
        process = other.starts(f"client.value({next(iter(stored))!r}).hex()")
        self.agent.askpass.asked()
        self.agent.askpass.says("no")
        self.assertEqual(sc.ended(process), "error " + sc.DENIED)
        self.assertTrue(self.ok(self.alice, "audit", "verify", "--json", secret=None))

    def test_sessions_and_prompts_of_a_front_that_ended_are_gone(self):
        path = self.client.store(VALUE, {"user": "joe"})
        session = self.client.session
        self.front.process.kill()
        self.front.process.wait()
        self.front.start()
        self.refused(sc.NO_SESSION, lambda: self.client.value(path, session))
        self.assertEqual(self.client.value(path, self.client.open()), VALUE)
        self.assertFalse(self.agent.status()["isLocked"])

    def test_the_front_ends_with_its_bus_and_the_vault_stays_as_it_is(self):
        path = self.client.store(VALUE, {"user": "joe"})
        self.front.bus.kill_bus()
        self.assertEqual(self.front.process.wait(ag.DEADLINE), 0, self.front.log)
        self.assertFalse(self.agent.status()["isLocked"])
        self.front.bus.start_bus()
        self.front.start()
        self.assertEqual(self.new_client().value(path), VALUE)

    def test_a_bus_that_goes_and_comes_back_again_and_again_leaves_nothing_behind(self):
        path = self.client.store(VALUE, {"user": "joe"})
        for number in range(5):
            waiting = sc.Program(self.front, f"waiting-{number}").starts(f"client.value('{path}').decode()")
            self.agent.askpass.asked()
            self.front.bus.kill_bus()
            self.assertEqual(self.front.process.wait(ag.DEADLINE), 0, self.front.log)
            self.assertNotIn(VALUE.decode(), waiting.communicate(timeout=ag.DEADLINE)[0])
            self.front.bus.start_bus()
            self.front.start()
            self.assertEqual(self.new_client().value(path), VALUE)
        self.assertEqual(self.agent.status()["connections"], 2)

    def test_a_term_signal_ends_the_front_in_good_order(self):
        self.front.process.terminate()
        self.assertEqual(self.front.process.wait(ag.DEADLINE), 0, self.front.log)
        self.assertFalse(self.front.bus.owner())


class Agents(ServiceCase):
    """The agent locks, ends and comes back."""

    def test_a_lock_does_not_wait_for_a_vault_that_another_program_holds(self):
        with contextlib.closing(sqlite3.connect(self.alice.vault, isolation_level=None)) as held:
            held.execute("begin immediate")
            stores = [sc.Program(self.front, f"store-{number}").starts(f"client.store(b'x', {{'n': '{number}'}})")
                      for number in range(3)]
            time.sleep(2)
            # The answer says that they still run.
            self.refused("org.freedesktop.DBus.Error.LimitsExceeded", lambda: self.client.service("LockService"))
            self.assertTrue(self.agent.status()["isLocked"])
            self.assertEqual([store.poll() for store in stores], [None] * 3)
        for store in stores:
            store.communicate(timeout=ag.DEADLINE)

    def test_answers_that_race_with_a_lock_are_whole_or_refused(self):
        value = "x" * 4096
        read = ("(lambda path: [sc.attempt(lambda: act(path)) for _ in range(100) for act in "
                "(lambda path: client.value(path).decode(), "
                "lambda path: [one.decode() for one in client.values(path).values()])])"
                "(client.store(%r, {'test': 'race'}, replace=False))" % value.encode())
        readers = [sc.Program(self.front, f"reader-{number}").starts(read) for number in range(3)]
        self.front.bus.wait_for(lambda: len(self.client.search({"test": "race"})[1]) == 3, "three items", ag.DEADLINE)
        for _ in range(5):
            self.agent.lock()
            self.agent.unlock()
        for reader in readers:
            for answer in sc.ended(reader):
                self.assertIn(answer, (value, [value], [], "error " + sc.IS_LOCKED))

    def test_a_held_read_that_a_lock_ends_has_no_value_however_the_question_is_answered(self):
        path = self.client.store(VALUE, {"user": "joe"})
        other = sc.Program(self.front, "other")
        process = other.starts(f"client.value('{path}').decode()")
        self.agent.askpass.asked()
        self.agent.lock()
        self.assertEqual(sc.ended(process), "error " + sc.IS_LOCKED)
        self.agent.unlock()
        # What proved this process the maker of the item went with the lock: the person is asked.
        self.agent.askpass.says_always_yes()
        self.assertEqual(self.client.value(path), VALUE)

    def test_an_agent_that_ends_is_a_locked_vault_until_it_is_back(self):
        path = self.client.store(VALUE, {"user": "joe"})
        session = self.client.session
        self.agent.kill()
        self.assertTrue(self.client.get(sc.LOGIN, sc.COLLECTION, "Locked"))
        self.refused(sc.IS_LOCKED, lambda: self.client.value(path))
        self.refused(sc.IS_LOCKED, lambda: self.client.search({}))
        self.refused(sc.IS_LOCKED, lambda: self.client.store(b"x", {"user": "joe"}))
        self.assertEqual(self.client.values(path), {})
        # The front has started another one, which is locked, and asks nobody.
        self.agent.unlock()
        self.assertFalse(self.client.get(sc.LOGIN, sc.COLLECTION, "Locked"))
        found = self.client.search({"user": "joe"})
        self.assertEqual(found[0] + found[1], [path])
        # Sessions are the front's own, and live on.
        self.client.call(session, sc.SESSION, "Close")

    @staticmethod
    def stands_still(pid: int) -> bool:
        threads = []
        for path in glob.glob(f"/proc/{pid}/task/*/stat"):
            with open(path, "rb") as file:
                threads.append(b") T " in file.read())
        return all(threads)

    def test_an_agent_that_stands_still_keeps_no_call_waiting_for_good(self):
        path = self.client.store(VALUE, {"user": "joe"})
        waiting, storing = self.new_client(), self.new_client()
        for client in (waiting, storing):
            self.assertEqual(client.value(path), VALUE)
        pid = self.agent.pid
        os.kill(pid, signal.SIGSTOP)
        self.addCleanup(os.kill, pid, signal.SIGCONT)
        self.front.bus.wait_for(lambda: self.stands_still(pid), "an agent that stands still", ag.DEADLINE)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            waits = pool.submit(lambda: sc.attempt(lambda: waiting.value(path)))
            time.sleep(0.5)
            # More than a socket holds: it cannot be sent, and takes the connection with it.
            stores = pool.submit(lambda: sc.attempt(lambda: storing.store(b"x" * (1 << 20), {"user": "ann"})))
            for call in (waits, stores):
                self.assertEqual(call.result(), "error " + sc.IS_LOCKED)
        os.kill(pid, signal.SIGCONT)
        self.agent.unlock()
        self.serves()
        self.assertEqual(self.client.value(path), VALUE)

    def test_a_vault_that_is_taken_away_is_no_empty_one(self):
        self.client.store(VALUE, {"user": "joe"})
        os.rename(self.alice.vault, self.alice.vault + ".away")
        name = sc.error(lambda: self.client.search({"user": "joe"}))
        self.assertIn(name, (sc.FAILED, sc.IS_LOCKED))
        name = sc.error(lambda: self.client.search({"user": "joe"}))
        self.assertIn(name, (sc.FAILED, sc.IS_LOCKED))
        os.rename(self.alice.vault + ".away", self.alice.vault)
        self.agent.unlock()
        self.agent.askpass.says_always_yes()
        self.assertEqual(len(self.client.search({"user": "joe"})[0] + self.client.search({"user": "joe"})[1]), 1)


if __name__ == "__main__":
    unittest.main()
