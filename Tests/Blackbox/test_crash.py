"""The program killed at every write and every sync: afterwards the state is the one before, or the one after."""

import copy
import os
import unittest

import strace
from house import PeerCase, xc

KILLED = (-9, 137)


@unittest.skipUnless(strace.works(), "strace may not trace here")
class Sweep(PeerCase):
    """What kills one command at every place."""

    def places(self) -> list[tuple[str, str | None]]:
        """The calls that are met, and the files that they count for."""
        return strace.places(self.alice)

    def sweep(self, words: tuple[str, ...], go_on, given: str = ""):
        """Kills at the Nth call of each kind, N = 1, 2, …, until the command comes to its end.

        `go_on(outcome, peer, where)` is called after each kill with what had been printed before it and a peer as it
        was; it must find the state before or after, and bring the two on.
        """
        self.alice.keep("before")
        peer_before = self.peer
        before = self.alice.records()
        stops = {}
        for call, path in self.places():
            number = 0
            while True:
                number += 1
                self.alice.put_back("before")
                self.peer = copy.deepcopy(peer_before)
                outcome = self.alice.run(*words, given=given, before=strace.kill(call, number, path))
                if outcome.code not in KILLED:
                    self.assertEqual(outcome.code, 0, outcome)
                    break
                where = f"killed at {call} number {number} of {os.path.basename(path or 'any')}"
                with self.subTest(where):
                    self.check_sound(before, where)
                    go_on(outcome, where)
            stops[call, (path or "").rpartition(".hsipvault")[2]] = number - 1
        met = sum(stops.values())
        self.assertGreaterEqual(stops["pwrite64", "-wal"], 4, f"the sweep met no writes: {stops}")
        self.assertGreaterEqual(stops["fdatasync", "-wal"], 1, f"the sweep met no sync: {stops}")
        self.assertGreaterEqual(met, 12, stops)
        return met

    def check_sound(self, before, where: str):
        """The program and the second implementation both find the whole file in order."""
        self.ok(self.alice, "vault", "check")
        after = self.alice.records()
        missing = {name for name in before if name not in after and not name[0].startswith("hsip.seen")}
        self.assertEqual(missing, set(), f"{where}: records are gone")


class Kill(Sweep):
    """Each test kills one command at every place, then lets the two go on as if nothing had been."""

    def test_pair(self):
        def go_on(outcome, where):
            offers = self.alice.kinds()["hsip.offer"]
            self.assertIn(offers, (0, 1), where)
            if outcome.output:
                self.assertEqual(offers, 1, f"{where}: shown before it was durable")
                offer = outcome.output
            else:
                offer = self.ok(self.alice, "pair").output
            self.ok(self.alice, "accept", "-y", "--as", "quentin",
                    given=self.peer.take_offer(offer, save_as="alice"))
            self.talks()
        self.sweep(("pair",), go_on)

    def test_accept_an_offer(self):
        offer = self.peer.make_offer()

        def go_on(outcome, where):
            kinds = self.alice.kinds()
            self.assertIn((kinds["hsip.offer"], kinds["hsip.pairing"], kinds["hsip.contact"]), ((0, 0, 0), (1, 1, 1)),
                          where)
            answer = self.ok(self.alice, "accept", "-y", "--as", "quentin", given=offer).reply
            if outcome.output:
                self.assertEqual(kinds["hsip.offer"], 1, f"{where}: shown before it was durable")
                self.assertEqual(outcome.reply, answer, where)
            self.peer.take_answer(answer, save_as="alice")
            self.talks()
        self.sweep(("accept", "-y", "--as", "quentin"), go_on, given=offer)

    def test_accept_an_answer(self):
        answer = self.peer.take_offer(self.ok(self.alice, "pair").output, save_as="alice")

        def go_on(outcome, where):
            kinds = self.alice.kinds()
            self.assertIn((kinds["hsip.offer"], kinds["hsip.pairing"], kinds["hsip.contact"]), ((1, 0, 0), (1, 1, 1)),
                          where)
            self.ok(self.alice, "accept", "-y", "--as", "quentin", given=answer)
            self.talks()
        self.sweep(("accept", "-y", "--as", "quentin"), go_on, given=answer)

    def test_encrypt(self):
        self.pair_with_peer()
        sent = self.session(self.alice, "quentin")["sent"]

        def go_on(outcome, where):
            now = self.session(self.alice, "quentin")["sent"]
            self.assertIn(now, (sent, sent + 1), where)
            left = [line for line in outcome.lines if line]
            nonces = []
            for message in left:
                if xc.strict_base64(message.removeprefix("\U0001F512")) is None:
                    continue
                self.assertEqual(now, sent + 1, f"{where}: a message left under a number that was not spent")
                nonces.append(xc.parse_message(message)[33:45])
                self.assertEqual(self.peer.open(message)[1], "the same text")
            for _ in range(2):
                message = self.ok(self.alice, "encrypt", "quentin", given="the same text").output
                nonces.append(xc.parse_message(message)[33:45])
                self.peer.open(message)
            self.assertEqual(len(set(nonces)), len(nonces), f"{where}: a nonce came twice")
            self.assertEqual(self.session(self.alice, "quentin")["sent"], now + 2, where)
        self.sweep(("encrypt", "quentin"), go_on, given="the same text")

    def test_decrypt(self):
        self.pair_with_peer()
        message = self.peer.seal("alice", "read me")
        received = self.session(self.alice, "quentin")["received"]

        def go_on(outcome, where):
            now = self.session(self.alice, "quentin")["received"]
            self.assertIn(now, (received, received + 1), where)
            if "read me" in outcome.output:
                self.assertEqual(now, received + 1, f"{where}: shown before it was noted")
            if now == received:
                self.assertEqual(self.ok(self.alice, "decrypt", given=message).output.strip(), "read me")
            else:
                self.ends(14, self.alice, "decrypt", given=message)
                self.assertEqual(self.ok(self.alice, "decrypt", "--reread", given=message).output.strip(), "read me")
            self.talks()
        self.sweep(("decrypt",), go_on, given=message)

    def test_rotate(self):
        self.pair_with_peer()

        def go_on(outcome, where):
            rotate = self.ok(self.alice, "session", "rotate", "quentin").reply
            if outcome.output:
                self.assertEqual(outcome.reply, rotate, f"{where}: shown, then another one")
            self.ok(self.alice, "accept", "-y", given=self.peer.take_rotate(rotate))
            self.talks()
            self.assertEqual(self.session(self.alice, "quentin")["epoch"], 1)
        self.sweep(("session", "rotate", "quentin"), go_on)

    def test_accept_a_rotate(self):
        self.pair_with_peer()
        rotate = self.peer.start_rotate("alice")

        def go_on(outcome, where):
            accept = self.ok(self.alice, "accept", "-y", given=rotate).reply
            if outcome.output:
                self.assertEqual(outcome.reply, accept, f"{where}: shown, then another one")
            self.peer.take_accept(accept)
            self.talks()
            self.assertEqual(self.session(self.alice, "quentin")["epoch"], 1)
        self.sweep(("accept", "-y"), go_on, given=rotate)

    def test_accept_an_accept(self):
        self.pair_with_peer()
        accept = self.peer.take_rotate(self.ok(self.alice, "session", "rotate", "quentin").output)

        def go_on(outcome, where):
            self.ok(self.alice, "accept", "-y", given=accept)
            self.talks()
            self.assertEqual(self.session(self.alice, "quentin")["epoch"], 1)
        self.sweep(("accept", "-y"), go_on, given=accept)

    def test_revoke(self):
        self.pair_with_peer()

        def go_on(outcome, where):
            ended = self.session(self.alice, "quentin")["state"] == "revoked"
            if outcome.output:
                self.assertTrue(ended, f"{where}: the notice was shown before the end was durable")
                self.peer.take_revoke(outcome.reply)
            elif ended:
                self.ok(self.alice, "accept", "-y",
                        given=self.peer.take_offer(self.ok(self.alice, "pair", "quentin").output))
                self.talks()
                return
            else:
                self.talks()
                self.peer.take_revoke(self.ok(self.alice, "session", "revoke", "quentin", "-y").output)
            self.ends(6, self.alice, "encrypt", "quentin", given="x")
            with self.assertRaises(xc.HSIPError):
                self.peer.seal("alice", "x")
        self.sweep(("session", "revoke", "quentin", "-y"), go_on)

    def test_a_password_by_counter(self):
        key = "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        self.ok(self.alice, "secret", "totp", "mail", "--set", "-", given=key)
        numbers = ("755224", "287082", "359152")

        def go_on(outcome, where):
            following = self.ok(self.alice, "secret", "totp", "mail").output
            if outcome.output:
                self.assertEqual((outcome.output, following), (numbers[0], numbers[1]), f"{where}: given twice")
            else:
                self.assertIn(following, numbers[:2], where)
        self.sweep(("secret", "totp", "mail"), go_on)

    def test_a_remembered_text(self):
        key = self.alice.write("files/key", "a key that is long enough\n")
        self.ok(self.alice, "text", "history", "on")

        def go_on(outcome, where):
            rows = self.ok(self.alice, "text", "history", "list").lines
            self.assertLessEqual(len(rows), 1, where)
            if outcome.output:
                self.assertEqual(rows[0].split("\t")[4], outcome.output.strip(), f"{where}: given before it was there")
            self.ok(self.alice, "text", "encrypt", "--key-file", key, given="again")
            self.assertEqual(len(self.ok(self.alice, "text", "history", "list").lines), len(rows) + 1, where)
        self.sweep(("text", "encrypt", "--key-file", key), go_on, given="a text")
