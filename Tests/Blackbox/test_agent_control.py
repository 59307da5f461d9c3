"""The control socket by hand: pieces, limits, nonsense, questions that travel, and what the others must not feel of it."""

import os
import select
import subprocess
import sys
import unittest

import agents as ag
import control_wire as cw
from house import PASSPHRASE, Case


class Control(Case):
    """A locked agent."""

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        self.agent = ag.Hsip(self.alice, secret=None)

    def connect(self, **how) -> cw.Connection:
        connection = cw.Connection(self.agent.control, **how)
        self.addCleanup(connection.socket.close)
        return connection

    def is_served(self):
        """Somebody new is served as if nothing had been."""
        with cw.Connection(self.agent.control) as other:
            self.assertEqual(other.status()["pid"], self.agent.pid)

    def is_closed(self, connection: cw.Connection):
        """Hung up, with at most an error before."""
        while (found := connection.receive()) is not None:
            self.assertEqual(found[0], cw.ERROR, found)
        self.is_served()

    def test_it_greets_and_says_how_it_stands(self):
        connection = self.connect()
        self.assertEqual(connection.greeting["protocol"], cw.PROTOCOL)
        self.assertTrue(connection.greeting["program"].startswith("hsip"))
        status = connection.status()
        self.assertEqual((status["isLocked"], status["pid"]), (True, self.agent.pid))
        self.assertNotIn("sshKeys", status)

    def test_one_process_cannot_keep_the_others_from_the_agent(self):
        held = [self.connect() for _ in range(48)]
        one_more = self.connect(greets=False).receive()
        self.assertEqual((one_more[0], one_more[2]["error"]["name"]), (cw.ERROR, "busy"))
        self.ok(self.alice, "agent", "status", secret=None)
        held[0].socket.close()
        self.is_served_soon()

    def holding(self, count: int):
        """Another process that takes so many connections, and holds those that it gets until its input ends."""
        held = ("import sys\n"
                "import control_wire as cw\n"
                "def is_served(one):\n"
                "    try:\n"
                "        one.raw(cw.hello())\n"
                "        return one.receive()[0] == cw.REPLY\n"
                "    except OSError:\n"
                "        return False\n"
                "held = [cw.Connection(sys.argv[1], greets=False) for _ in range(int(sys.argv[2]))]\n"
                "print(sum(is_served(one) for one in held), flush=True)\n"
                "sys.stdin.read()")
        process = subprocess.Popen([sys.executable, "-c", held, self.agent.control, str(count)],
                                   cwd=os.path.dirname(__file__), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdin.close)
        return int(process.stdout.readline())

    def test_two_processes_together_leave_places_for_others(self):
        held = [self.connect() for _ in range(48)]
        self.assertEqual(self.holding(20), 1)
        self.ok(self.alice, "agent", "status", secret=None)
        for one in held:
            one.socket.close()
        self.is_served_soon()

    def test_the_client_that_is_one_too_many_hears_that_the_agent_is_busy(self):
        held = [self.connect() for _ in range(48)]
        error = self.connect(greets=False).receive()[2]["error"]
        self.assertIn("64 connections, 48 of one process", error["message"])
        self.assertEqual((error["name"], error["exitCode"]), ("busy", 10))
        for one in held:
            one.socket.close()
        self.is_served_soon()

    def test_sixteen_more_processes_with_one_connection_each_leave_places_for_hsip(self):
        held = [self.connect() for _ in range(48)]
        self.assertEqual([self.holding(1) for _ in range(16)], [1] * 8 + [0] * 8)
        for _ in range(8):
            self.ok(self.alice, "agent", "status", secret=None)
        for one in held:
            one.socket.close()
        self.is_served_soon()

    def is_served_soon(self):
        """A place that was left is free when the agent has noticed; each try is one answer of its."""
        for _ in range(10_000):
            other = self.connect(greets=False)
            other.raw(cw.hello())
            if other.receive()[0] == cw.REPLY:
                return
            other.socket.close()
        self.fail("nobody was served any more")

    def test_byte_by_byte(self):
        connection = self.connect(greets=False)
        for byte in cw.hello() + cw.frame(cw.REQUEST, 7, cw.STATUS):
            connection.raw(bytes([byte]))
        self.assertEqual(connection.receive()[:2], (cw.REPLY, 0))
        self.assertEqual(connection.receive()[:2], (cw.REPLY, 7))

    def test_several_in_one_write(self):
        connection = self.connect(greets=False)
        connection.raw(cw.hello() + b"".join(cw.frame(cw.REQUEST, number, cw.STATUS) for number in range(1, 9)))
        self.assertEqual([connection.receive()[:2] for _ in range(9)][0], (cw.REPLY, 0))
        connection.raw(cw.frame(cw.REQUEST, 9, cw.STATUS))
        self.assertEqual(connection.receive()[:2], (cw.REPLY, 9))

    def test_no_length_and_no_kind_is_trusted(self):
        for data in (bytes(4), (4).to_bytes(4, "big") + bytes(4), b"\xff" * 9, b"\x7f\xff\xff\xff" + bytes(5),
                     (cw.MESSAGE_LIMIT + 6).to_bytes(4, "big") + b"\x01" + bytes(4),
                     (cw.BYTES_LIMIT + 6).to_bytes(4, "big") + b"\x08" + bytes(4),
                     (5).to_bytes(4, "big") + b"\x00" + bytes(4), (5).to_bytes(4, "big") + b"\xfe" + bytes(4)):
            for greets in (False, True):
                with self.subTest(data=data, greets=greets):
                    connection = self.connect(greets=greets)
                    connection.raw(data)
                    self.is_closed(connection)

    def test_half_a_frame_and_no_more(self):
        cuts = (0, 1, 4, 8, 9, 30)
        waiting = [self.connect(greets=False) for _ in cuts]
        for connection, cut in zip(waiting, cuts):
            connection.raw(cw.hello()[:cut])
        for connection in waiting:
            self.is_closed(connection)

    def test_half_a_frame_and_the_end(self):
        for cut in (1, 5, 9, 30):
            connection = self.connect(greets=False)
            connection.raw(cw.hello()[:cut])
            connection.socket.close()
            self.is_served()

    def test_nothing_before_the_greeting(self):
        for first in (cw.frame(cw.REQUEST, 1, cw.STATUS), cw.frame(cw.BYTES, 1, b"secret"), cw.frame(cw.CANCEL, 1),
                      cw.frame(cw.ANSWER, 1, {"no": {}}), cw.frame(cw.REPLY, 1, {"done": {}})):
            connection = self.connect(greets=False)
            connection.raw(first)
            self.is_closed(connection)

    def test_another_version_is_told(self):
        # Also where fields of the hello mean something else.
        for version, more in ((1, {}), (cw.PROTOCOL - 1, {"asks": "terminal", "features": []}), (99, {"asks": ["new"]})):
            connection = self.connect(greets=False)
            connection.raw(cw.hello(version, **more))
            kind, number, body = connection.receive()
            self.assertEqual((kind, number, body["error"]["name"]), (cw.ERROR, 0, "agentVersion"))
            self.assertEqual((body["error"]["exitCode"], body["error"]["hint"]), (12, "hsip agent restart"))
            self.is_closed(connection)

    def test_no_message_is_trusted(self):
        status = cw.cbor(cw.STATUS)
        for body in (b"", b"{", b"null", b'{"status":{}}', b"\xff\xfe", b"\x81" * 10_000, status[:-1], status + b"\xf6",
                     b"\xbf" + status[1:] + b"\xff", b"\xb8\x01" + status[1:], b"\x9b" + b"\xff" * 8,
                     b"\x99\x13\x88" + bytes(5_000), *map(cw.cbor, (
                         [], "status", {}, {"nothing": {}}, {"call": {}}, {"unlock": {"source": 7}},
                         {"call": {"operation": "nothing"}}, {"status": {}, "stop": {}}))):
            with self.subTest(body=body[:40]):
                connection = self.connect()
                connection.raw(cw.frame(cw.REQUEST, 1, body))
                found = connection.receive()
                self.assertTrue(found is None or found[0] == cw.ERROR, found)
                self.is_served()

    def test_what_nobody_asked_for(self):
        connection = self.connect()
        connection.raw(cw.frame(cw.CANCEL, 99))
        self.assertTrue(connection.status()["isLocked"])
        for odd in (cw.frame(cw.ANSWER, 99, {"yes": {}}), cw.frame(cw.REPLY, 1, {"done": {}})):
            connection = self.connect()
            connection.raw(odd + cw.frame(cw.REQUEST, 1, cw.STATUS))
            connection.receive()
            self.is_served()

    def test_many_at_once(self):
        crowd = [self.connect(greets=False) for _ in range(200)]
        for connection in crowd:
            connection.raw(cw.hello())
        greeted = sum(connection.receive() is not None for connection in crowd)
        self.assertGreater(greeted, 0)
        for connection in crowd:
            connection.socket.close()
        self.is_served_again()

    def is_served_again(self):
        """Once those who left have been noticed; a connection above the limit is closed, and another one tried."""
        for _ in range(10_000):
            try:
                return self.is_served()
            except (AssertionError, TypeError, ConnectionError):
                continue
        self.fail("nobody is served any more")

    def test_no_more_is_announced_than_there_is_room_for(self):
        head = cw.frame(cw.BYTES, 1, bytes(cw.BYTES_LIMIT))[:9]
        crowd = [self.connect() for _ in range(9)]
        for connection in crowd:
            connection.raw(head)
        # 16 MiB at most, whatever the system lets it lock: one of nine is turned away, and told at once.
        told = select.select([connection.socket for connection in crowd], [], [], ag.DEADLINE)[0]
        self.assertTrue(told)
        for connection in crowd:
            if connection.socket in told:
                kind, number, body = connection.receive()
                self.assertEqual((kind, number, body["error"]["name"]), (cw.ERROR, 1, "busy"))
                self.assertIsNone(connection.receive())
        for connection in crowd:
            connection.socket.close()
        for _ in range(10_000):
            with cw.Connection(self.agent.control) as other:
                kind, body = other.ask({"unlock": {"source": "given"}}, PASSPHRASE.encode())
                if kind == cw.REPLY:
                    break
            self.assertEqual(body["error"]["name"], "busy")
        self.assertFalse(self.connect().status()["isLocked"])

    def test_the_right_secret_opens_and_the_wrong_one_does_not(self):
        connection = self.connect()
        given = {"unlock": {"source": "given"}}
        kind, body = connection.ask(given, b"not the passphrase")
        self.assertEqual(kind, cw.ERROR, body)
        self.assertNotIn("not the passphrase", str(body))
        self.assertTrue(connection.status()["isLocked"])
        self.assertEqual(connection.ask(given)[0], cw.ERROR, "no secret came")
        self.assertEqual(connection.ask(given, PASSPHRASE.encode())[0], cw.REPLY)
        self.assertFalse(connection.status()["isLocked"])
        self.assertEqual(connection.ask({"lock": {}}), (cw.REPLY, {"done": {}}))
        self.assertTrue(connection.status()["isLocked"])

    def test_whoever_cannot_ask_is_told_that_it_is_locked(self):
        kind, body = self.connect().ask({"unlock": {"source": "unattended"}})
        self.assertEqual(kind, cw.ERROR, body)

    def test_the_question_comes_to_whoever_caused_it(self):
        connection = self.connect(asks="terminal")
        number = connection.request({"unlock": {"source": "ask"}})
        kind, to, question = connection.receive()
        self.assertEqual((kind, to, question["kind"]), (cw.QUESTION, number, "passphrase"))
        self.answers(connection, number)
        self.assertEqual(connection.receive()[:2], (cw.REPLY, number))
        self.assertFalse(connection.status()["isLocked"])

    def answers(self, connection: cw.Connection, number: int):
        answer = cw.frame(cw.ANSWER, number, {"passphrase": {"_0": cw.Place(0)}})
        connection.raw(cw.frame(cw.BYTES, number, PASSPHRASE.encode()) + answer)

    def test_hanging_up_at_the_question_hurts_nobody(self):
        first, second = self.connect(asks="terminal"), self.connect(asks="terminal")
        ask = {"unlock": {"source": "ask"}}
        first.request(ask)
        self.assertEqual(first.receive()[0], cw.QUESTION)
        number = second.request(ask)
        # The second is told that it waits for the first one's person.
        self.assertEqual(second.receive()[:2], (cw.EVENT, number))
        first.socket.close()
        self.assertEqual(second.receive()[:2], (cw.QUESTION, number))
        self.answers(second, number)
        self.assertEqual(second.receive()[:2], (cw.REPLY, number))

    def test_a_cancelled_question_is_over(self):
        connection = self.connect(asks="terminal")
        number = connection.request({"unlock": {"source": "ask"}})
        self.assertEqual(connection.receive()[0], cw.QUESTION)
        connection.raw(cw.frame(cw.CANCEL, number))
        self.assertEqual(connection.receive()[:2], (cw.ERROR, number))
        # What comes too late is nobody's.
        self.answers(connection, number)
        self.assertTrue(connection.status()["isLocked"])

    def test_killed_with_a_question_open(self):
        connection = self.connect(asks="terminal")
        connection.request({"unlock": {"source": "ask"}})
        self.assertEqual(connection.receive()[0], cw.QUESTION)
        self.agent.kill()
        self.assertIsNone(connection.receive())
        self.agent.start()
        self.is_served()
        self.assertTrue(self.connect().status()["isLocked"])

    def test_stopped_with_a_question_open(self):
        connection = self.connect(asks="terminal")
        connection.request({"unlock": {"source": "ask"}})
        self.assertEqual(connection.receive()[0], cw.QUESTION)
        self.connect().request({"stop": {}})
        self.assertEqual(self.agent.wait(), 0)
        found = connection.receive()
        self.assertTrue(found is None or found[0] == cw.ERROR, found)


if __name__ == "__main__":
    unittest.main()
