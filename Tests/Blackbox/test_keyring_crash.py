"""kill -9 for the program or for GNOME Keyring, at every write: afterwards the state is the one before, or the one after."""

import collections
import copy
import unittest

import keyring as kr
import keyring_items as ki
import strace
from house import AT_THE_DESKTOP, PeerCase, xc

KILLED = (-9, 137)


def setUpModule():
    if kr.missing():
        raise unittest.SkipTest(kr.missing())
    if not strace.works():
        raise unittest.SkipTest("strace may not trace here")


class Kill(PeerCase):
    """What is common to both: a command is stopped at the Nth call of a kind, then the two go on as if nothing were."""

    world = AT_THE_DESKTOP

    #: Records that the command takes away where it comes to its end.
    leaving: frozenset[tuple[str, str]] = frozenset()

    def again(self):
        """Everything as it was when `keep` was said."""
        self.alice.put_back("before")
        self.peer = copy.deepcopy(self.peer_before)

    def keep(self):
        self.alice.keep("before")
        self.peer_before = self.peer
        self.before = self.alice.records()

    def check_sound(self, where: str):
        """The program finds its vault in order, and the other reader finds exactly one item for each record."""
        self.ok(self.alice, "vault", "check")
        after = self.alice.records()
        missing = {name for name in self.before
                   if name not in after and name not in self.leaving and not name[0].startswith("hsip.seen")}
        self.assertEqual(missing, set(), f"{where}: records are gone")

    # What each command has to keep, whatever happened to it

    def encrypts(self, sweep):
        """No number is used twice, and none leaves before it is spent."""
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
        return sweep(("encrypt", "quentin"), go_on, "the same text")

    def pairs(self, sweep):
        """One new record: an offer is shown only when it is durable."""
        def go_on(outcome, where):
            offers = self.alice.kinds()["hsip.offer"]
            self.assertIn(offers, (0, 1), where)
            if outcome.output:
                self.assertEqual(offers, 1, f"{where}: shown before it was durable")
            offer = outcome.output or self.ok(self.alice, "pair").output
            self.ok(self.alice, "accept", "-y", "--as", "quentin", given=self.peer.take_offer(offer, save_as="alice"))
            self.talks()
        return sweep(("pair",), go_on, "")

    def accepts(self, sweep):
        """Several records at once: all of them, or none."""
        offer = self.peer.make_offer()

        def go_on(outcome, where):
            kinds = self.alice.kinds()
            self.assertIn((kinds["hsip.offer"], kinds["hsip.pairing"], kinds["hsip.contact"]),
                          ((0, 0, 0), (1, 1, 1)), where)
            answer = self.ok(self.alice, "accept", "-y", "--as", "quentin", given=offer).reply
            if outcome.output:
                self.assertEqual(kinds["hsip.offer"], 1, f"{where}: shown before it was durable")
                self.assertEqual(outcome.reply, answer, where)
            self.peer.take_answer(answer, save_as="alice")
            self.talks()
        return sweep(("accept", "-y", "--as", "quentin"), go_on, offer)

    def decrypts(self, sweep):
        """A message is shown only when it is noted that it was read."""
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
            self.talks()
        return sweep(("decrypt",), go_on, message)

    def revokes(self, sweep):
        """Records that change and records that go, in one change set."""
        self.pair_with_peer()

        def go_on(outcome, where):
            ended = self.session(self.alice, "quentin")["state"] == "revoked"
            if outcome.output:
                self.assertTrue(ended, f"{where}: the notice was shown before the end was durable")
                self.peer.take_revoke(outcome.reply)
            elif not ended:
                self.talks()
                self.peer.take_revoke(self.ok(self.alice, "session", "revoke", "quentin", "-y").output)
            self.ends(6, self.alice, "encrypt", "quentin", given="x")
        return sweep(("session", "revoke", "quentin", "-y"), go_on, "")

    def begins_an_epoch(self, sweep):
        """The key epoch is the old one or the next, with all that belongs to it, and every record is there."""
        self.pair_with_peer()
        self.ok(self.alice, "pair")
        self.leaving = frozenset(name for name in self.alice.records() if name[0] == "hsip.offer")

        def go_on(outcome, where):
            verified = self.ok(self.alice, "vault", "check", "--json").result
            offers = self.ok(self.alice, "status", "--json").result["openOffers"]
            self.assertIn((verified["keyEpoch"], offers), ((1, 1), (2, 0)), where)
            if outcome.output:
                self.assertEqual(verified["keyEpoch"], 2, f"{where}: told before it was done")
            self.talks()
            # The next one is as good as the first.
            self.ok(self.alice, "vault", "rekey", "-y")
        return sweep(("vault", "rekey", "-y"), go_on, "")

    def comes_back(self, sweep):
        """The vault as it was, or the backup; never a mixture, and what the keyring had is kept before it goes."""
        phrase, code = self.alice.write("secrets/copies", "a passphrase of the copies\n"), self.alice.path("files", "code")
        copy = self.alice.path("files", "vault.backup")
        for name, value in (("x", "old"), ("y", "then")):
            self.ok(self.alice, "secret", "set", name, given=value)
        self.ok(self.alice, "vault", "backup", copy, "--new-passphrase-file", phrase, "-o", code)
        for name, value in (("x", "new"), ("y", "now"), ("only-now", "late")):
            self.ok(self.alice, "secret", "set", name, given=value)
        self.leaving = frozenset({("secret", "only-now")})
        states = {"old": ("then", ["x", "y"]), "new": ("now", ["only-now", "x", "y"])}
        words = ("vault", "restore", copy, "--force", "--accept-rollback", "-y", "--passphrase-file", phrase)

        def go_on(outcome, where):
            value = self.ok(self.alice, "secret", "get", "x").output
            self.assertIn(value, states, where)
            listed = self.ok(self.alice, "secret", "list", "--json").result["secrets"]
            seen = (self.ok(self.alice, "secret", "get", "y").output, sorted(secret["name"] for secret in listed))
            self.assertEqual(seen, states[value], f"{where}: a mixture")
            if outcome.output:
                self.assertEqual(value, "old", f"{where}: told before it was done")
            # What is left of the first try stands in the way of nothing.
            self.ok(self.alice, *words)
            self.assertEqual(self.ok(self.alice, "secret", "get", "x").output, "old")
        return sweep(words, go_on, "")


class KillProgram(Kill):
    """The program dies; the keyring has what was said to it."""

    def messages(self, words, given) -> int:
        """How many messages to the bus the command sends, from the thread that sends them."""
        log = self.alice.path("trace")
        self.ok(self.alice, *words, given=given, before=(strace.STRACE, "-f", "-qq", "-o", log, "-e", "trace=sendmsg"))
        with open(log, encoding="utf-8") as file:
            return max(collections.Counter(line.split(" ")[0] for line in file).values())

    def sweep(self, words, go_on, given):
        """Over twelve of the messages to the bus, the last one included, and every write to lock file and anchor."""
        self.keep()
        lock = self.alice.path("run", "hsip", f"lock-{ki.header(self.alice.keyring)['vault']}")
        count = self.messages(words, given)
        self.assertGreater(count, 10)
        places = [("sendmsg", number, None) for number in range(count, 0, -max(1, count // 12))]
        places += [("pwrite64", number, lock) for number in (1, 2)]
        places += [("pwrite64", 1, self.alice.anchor_files()[0])]
        for call, number, path in places:
            self.again()
            outcome = self.alice.run(*words, given=given, before=strace.kill(call, number, path))
            if outcome.code == 0 and (call, number) == ("sendmsg", count):
                # The bus library sends one message more in one run of hundreds; that was the run that was counted.
                number -= 1
                self.again()
                outcome = self.alice.run(*words, given=given, before=strace.kill(call, number, path))
            where = f"killed at {call} number {number} of {(path or 'any').rpartition('/')[2]}"
            self.assertIn(outcome.code, KILLED, where)
            with self.subTest(where):
                self.check_sound(where)
                go_on(outcome, where)

    def test_encrypt(self):
        self.encrypts(self.sweep)

    def test_pair(self):
        self.pairs(self.sweep)

    def test_accept(self):
        self.accepts(self.sweep)

    def test_decrypt(self):
        self.decrypts(self.sweep)

    def test_revoke(self):
        self.revokes(self.sweep)

    def test_rekey(self):
        self.begins_an_epoch(self.sweep)

    def test_restore(self):
        self.comes_back(self.sweep)


@unittest.skipUnless(strace.may_attach(), "only root may trace what runs already")
class KillKeyring(Kill):
    """GNOME Keyring dies; the program says so, and the next one finds a vault that is whole."""

    def sweep(self, words, go_on, given):
        """Over every time it saves its file, in turn before the new one counts and after."""
        self.keep()
        number = 0
        while True:
            number += 1
            call = ("rename", "unlink")[number % 2]
            self.again()
            tracer = self.alice.keyring.strike(call, number)
            outcome = self.alice.run(*words, given=given)
            if self.alice.keyring.spare(tracer):
                self.assertEqual(outcome.code, 0, outcome)
                break
            where = f"the keyring was killed at {call} number {number}"
            with self.subTest(where):
                if outcome.code != 0:
                    self.check_talk(outcome)
                    self.assertEqual(outcome.code, 12, outcome)
                self.alice.keyring.restart()
                self.check_sound(where)
                go_on(outcome, where)
        self.assertGreaterEqual(number, 2, "the keyring saved nothing")

    def test_encrypt(self):
        self.encrypts(self.sweep)

    def test_pair(self):
        self.pairs(self.sweep)

    def test_accept(self):
        self.accepts(self.sweep)

    def test_decrypt(self):
        self.decrypts(self.sweep)

    def test_revoke(self):
        self.revokes(self.sweep)

    def test_rekey(self):
        self.begins_an_epoch(self.sweep)

    def test_restore(self):
        self.comes_back(self.sweep)

    def test_in_a_loop_of_messages(self):
        """Killed again and again in the middle of whatever it does, while eight programs send."""
        self.pair_with_peer()
        sent = self.session(self.alice, "quentin")["sent"]
        messages = []
        for count in (1, 3, 7, 20):
            senders = [self.alice.start("encrypt", "quentin", "--lines") for _ in range(8)]
            for sender in senders:
                sender.stdin.write(b"text\n" * 20)
                sender.stdin.close()
                sender.stdin = None
            tracer = self.alice.keyring.strike("rename", count)
            ends = [(*sender.communicate(timeout=120), sender.returncode) for sender in senders]
            self.assertFalse(self.alice.keyring.spare(tracer))
            self.alice.keyring.restart()
            for output, talk, code in ends:
                # A service that is starting or ending is there for a moment without its keyrings: no more is sent then.
                self.assertIn(code, (0, 3, 12), talk)
                if code == 3:
                    self.assertIn(b"the session has no such keyring", talk)
                messages += output.decode().splitlines()
        now = self.session(self.alice, "quentin")["sent"]
        self.assertGreaterEqual(now - sent, len(messages), "a message left under a number that was not spent")
        self.assertLessEqual(now - sent, len(messages) + 4 * 8)
        messages += self.ok(self.alice, "encrypt", "quentin", "--lines", given="x\n" * 10).lines
        nonces = [xc.parse_message(message)[33:45] for message in messages]
        self.assertEqual(len(set(nonces)), len(nonces), "a nonce came twice")
        for message in messages:
            self.peer.open(message)
        self.ok(self.alice, "vault", "check")
