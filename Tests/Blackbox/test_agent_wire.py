"""The wire of ssh-agent by hand: pieces, limits, nonsense, and what the others must not feel of it."""

import os

import agent_wire as aw
from agent_case import both

LIMIT = 256 * 1024


class Wire:
    def connect(self) -> aw.Connection:
        connection = aw.Connection(self.agent.socket)
        self.addCleanup(connection.socket.close)
        return connection

    def is_served(self):
        """Somebody new is served as if nothing had been."""
        with aw.Connection(self.agent.socket) as other:
            self.assertEqual(other.ask(aw.LIST)[0], aw.IDENTITIES)

    def adds_one(self, *constraints: bytes) -> aw.Key:
        key = aw.Key()
        with aw.Connection(self.agent.socket) as other:
            self.assertEqual(other.ask(aw.add(key, b"one", *constraints)), bytes([aw.SUCCESS]))
        return key

    def test_byte_by_byte(self):
        key, session = self.adds_one(), os.urandom(32)
        connection = self.connect()
        host = aw.Key()
        self.askpass.says("yes")  # our agent asks about a login to a host that the vault does not know
        for body in (aw.bind(host, session), aw.sign(key.blob, aw.login(session, b"root", key.blob, host.blob))):
            for byte in aw.string(body):
                connection.raw(bytes([byte]))
            answer = connection.receive()
        self.assertTrue(key.verifies(aw.split(answer[1:])[0], aw.login(session, b"root", key.blob, host.blob)))

    def test_several_in_one_write(self):
        key = self.adds_one()
        connection = self.connect()
        connection.raw(aw.string(aw.LIST) * 5 + aw.string(aw.extension(b"nobody@example.org", bytes(100)))
                       + aw.string(aw.LIST))
        answers = [connection.receive() for _ in range(7)]
        for answer in answers[:5] + answers[6:]:
            self.assertEqual([blob for blob, _ in aw.listed(answer)], [key.blob])
        self.assertIn(answers[5], (bytes([aw.FAILURE]), bytes([aw.EXTENSION_FAILURE])))

    def test_no_length_is_trusted(self):
        for size in (0, LIMIT + 1, 2**31, 2**32 - 1):
            with self.subTest(size=size):
                connection = self.connect()
                connection.raw(aw.number(size) + bytes(16))
                self.assertTrue(connection.is_closed())
                self.is_served()

    def test_half_a_message_and_its_end(self):
        for cut in (1, 4, 5, 20):
            connection = self.connect()
            connection.raw(aw.string(aw.sign(bytes(40), bytes(40)))[:cut])
            self.is_served()
            connection.socket.close()
            self.is_served()

    def test_many_at_once(self):
        # As many as one process gets places for.
        crowd = [self.connect() for _ in range(60)]
        for connection in crowd:
            connection.send(aw.LIST)
        for connection in crowd:
            self.assertEqual(connection.receive()[0], aw.IDENTITIES)

    def test_unknown_types_are_refused_and_the_connection_goes_on(self):
        connection = self.connect()
        for kind in (0, 2, 4, 5, 6, 10, 12, 14, 28, 99, 200, 255):
            with self.subTest(kind=kind):
                connection.send(bytes([kind]) + bytes(8))
                self.assertEqual(connection.receive(), bytes([aw.FAILURE]))
        self.assertEqual(connection.ask(aw.LIST)[0], aw.IDENTITIES)

    def test_lengths_inside_that_lie(self):
        key = self.adds_one()
        for body in (b"\x0d" + aw.number(2**32 - 1) + b"x", b"\x0d" + aw.string(key.blob) + aw.number(1000) + b"x",
                     b"\x11" + aw.number(2**31), b"\x19" + aw.string(b"ssh-ed25519") + aw.number(7), b"\x1b" + aw.number(99),
                     b"\x12", b"\x12" + aw.number(5), aw.extension(b"session-bind@openssh.com", aw.number(2**30))):
            with self.subTest(body=body):
                connection = self.connect()
                answer = connection.ask(body)
                self.assertIn(answer, (None, bytes([aw.FAILURE]), bytes([aw.EXTENSION_FAILURE])))
                self.is_served()

    def test_constraints_that_nobody_knows_are_refused(self):
        for constraints in ((b"\x07",), (aw.constraint(b"tomorrow@example.org"),), (b"\x01\x00",),
                            (aw.CONFIRM, aw.constraint(b"tomorrow@example.org", bytes(9)))):
            with self.subTest(constraints=constraints):
                key = aw.Key()
                answer = self.connect().ask(aw.add(key, b"strict", *constraints))
                self.assertEqual(answer, bytes([aw.FAILURE]))
                self.assertNotIn(key.blob, [blob for blob, _ in aw.listed(self.connect().ask(aw.LIST))])

    def test_a_bind_has_to_be_true(self):
        host, session = aw.Key(), os.urandom(32)
        for forged in (aw.Key().sign(session), host.sign(os.urandom(32)), aw.string(b"ssh-ed25519") + aw.string(bytes(64))):
            connection = self.connect()
            self.assertNotEqual(connection.ask(aw.bind(host, session, signature=forged)), bytes([aw.SUCCESS]))
            self.assertEqual(connection.ask(aw.LIST)[0], aw.IDENTITIES)
        connection = self.connect()
        self.assertEqual(connection.ask(aw.bind(host, session)), bytes([aw.SUCCESS]))
        self.assertNotEqual(connection.ask(aw.bind(aw.Key(), session)), bytes([aw.SUCCESS]), "another host of the session")
        self.assertNotEqual(connection.ask(aw.bind(host, os.urandom(32))), bytes([aw.SUCCESS]), "behind one that is not passed on")

    def test_sixteen_binds_and_no_more(self):
        connection = self.connect()
        for _ in range(16):
            self.assertEqual(connection.ask(aw.bind(aw.Key(), os.urandom(32), is_forwarded=True)), bytes([aw.SUCCESS]))
        self.assertNotEqual(connection.ask(aw.bind(aw.Key(), os.urandom(32), is_forwarded=True)), bytes([aw.SUCCESS]))

    def test_locked_it_shows_nothing_and_wants_the_same_word(self):
        key = self.adds_one()
        self.assertEqual(self.connect().ask(aw.lock(b"word")), bytes([aw.SUCCESS]))
        connection = self.connect()
        self.assertEqual(aw.listed(connection.ask(aw.LIST)), [])
        self.assertEqual(connection.ask(aw.sign(key.blob, b"data")), bytes([aw.FAILURE]))
        self.assertEqual(connection.ask(aw.add(aw.Key())), bytes([aw.FAILURE]))
        self.assertEqual(connection.ask(aw.lock(b"word")), bytes([aw.FAILURE]))
        self.assertEqual(connection.ask(aw.unlock(b"another")), bytes([aw.FAILURE]))
        self.assertEqual(connection.ask(aw.unlock(b"word")), bytes([aw.SUCCESS]))
        self.assertEqual([blob for blob, _ in aw.listed(connection.ask(aw.LIST))], [key.blob])


globals().update(both(Wire))
del Wire
