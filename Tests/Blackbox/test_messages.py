"""Texts that become messages, and messages that become texts."""

import base64
import json
import os

from house import FRIENDS, PAIRED, Case, PeerCase, newcomer, pair, xc

TEXTS = ["x", "two\nlines", "three\n\nlines", " blanks at the ends ", "\ttab", "\u0645\u0631\u062d\u0628\u0627",
         "\U0001F512 looks like a message", "[HSIP Encrypted Message]", "\U0001F469\u200d\U0001F469\u200d\U0001F467",
         "x" * 20000, "HSIP:OFFER1", "\u202eabc\u202c", "\x1b[31mred", "\u0000".replace("\u0000", "\u0001")]


class Forms(PeerCase):
    def setUp(self):
        super().setUp()
        self.pair_with_peer()

    def test_a_text_arrives_as_it_was_written(self):
        for text in TEXTS:
            with self.subTest(text=text[:20]):
                message = self.ok(self.alice, "encrypt", "quentin", given=text)
                self.assertEqual(len(message.lines), 1, message)
                self.assertEqual(self.peer.open(message.output)[1], text)
                read = self.ok(self.alice, "decrypt", given=self.peer.seal("alice", text))
                self.assertEqual(read.output.removesuffix("\n"), text, read)

    def test_the_three_forms_are_those_of_the_old_programs(self):
        compact = self.ok(self.alice, "encrypt", "quentin", given="a").output
        self.assertRegex(compact, r"^\U0001F512[A-Za-z0-9+/]+=*\n$")
        stealth = self.ok(self.alice, "encrypt", "quentin", "--stealth", given="b").output
        self.assertRegex(stealth, r"^[A-Za-z0-9+/]+=*\n$")
        verbose = self.ok(self.alice, "encrypt", "quentin", "--verbose-form", given="c").output
        self.assertTrue(verbose.startswith("\U0001F512 [HSIP Encrypted Message]\n"), verbose)
        for message, text in ((compact, "a"), (stealth, "b"), (verbose, "c")):
            self.assertEqual(self.peer.open(message)[1], text)

    def test_every_form_is_read(self):
        for form, words in (("compact", ()), ("verbose", ()), ("stealth", ("--stealth",))):
            with self.subTest(form=form):
                text = self.ok(self.alice, "decrypt", *words, given=self.peer.seal("alice", form, form)).output
                self.assertEqual(text.strip(), form)

    def test_a_message_from_a_file_goes_to_a_file(self):
        path = self.alice.write("files/text", "from a file")
        out = self.alice.path("files", "message")
        self.assertEqual(self.ok(self.alice, "encrypt", "quentin", path, "-o", out).output, "")
        self.assertEqual(os.stat(out).st_mode & 0o777, 0o600)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(self.peer.open(file.read())[1], "from a file")
        sent = self.session(self.alice, "quentin")["sent"]
        self.ends(4, self.alice, "encrypt", "quentin", path, "-o", out)
        self.assertEqual(self.session(self.alice, "quentin")["sent"], sent, "no number is lost to a full place")

    def test_the_json_of_a_message_is_the_message(self):
        outcome = self.ok(self.alice, "encrypt", "quentin", "--json", given="in JSON")
        self.assertEqual(self.peer.open(outcome.result["message"])[1], "in JSON")
        self.assertEqual((outcome.result["contact"], outcome.result["limit"]), ("quentin", 1000))
        read = self.ok(self.alice, "decrypt", "--json", given=self.peer.seal("alice", "\x1b[2J\u202ehi"))
        self.assertEqual(read.result["messages"][0]["text"], "\x1b[2J\u202ehi", "JSON keeps what was sent")

    def test_lines_become_messages_one_by_one(self):
        lines = ["one", "two", "", "four"]
        outcome = self.ok(self.alice, "encrypt", "quentin", "--lines", given="\n".join(lines) + "\n")
        self.assertEqual([self.peer.open(line)[1] for line in outcome.lines], lines)
        outcome = self.ok(self.alice, "encrypt", "quentin", "--lines", "--json", given="five\nsix")
        sent = [json.loads(line)["data"] for line in outcome.lines]
        self.assertEqual([self.peer.open(one["message"])[1] for one in sent], ["five", "six"])
        self.assertEqual(sent[1]["sent"], sent[0]["sent"] + 1)

    def test_lines_stop_at_the_first_that_cannot_be_sent(self):
        outcome = self.alice.run("encrypt", "quentin", "--lines", given=b"one\ntwo\n\xff\nfour\n")
        self.assertEqual(outcome.code, 13, outcome)
        self.assertEqual([self.peer.open(line)[1] for line in outcome.lines], ["one", "two"])
        outcome = self.alice.run("encrypt", "quentin", "--lines", "--json", given=b"three\na\0b\n")
        self.assertEqual(outcome.code, 13, outcome)
        self.assertEqual([json.loads(line)["ok"] for line in outcome.lines], [True, False])
        self.assertEqual(self.session(self.alice, "quentin")["sent"], 4, "no number for what was not sent")

    def test_lines_answer_while_the_input_is_open(self):
        process = self.alice.start("encrypt", "quentin", "--lines")
        try:
            for text in ("first", "second"):
                process.stdin.write(text.encode() + b"\n")
                process.stdin.flush()
                self.assertEqual(self.peer.open(process.stdout.readline().decode())[1], text)
        finally:
            process.stdin.close()
            process.stdin = None
            self.assertEqual(process.wait(20), 0)
            process.stdout.close()
            process.stderr.close()

    def test_a_whole_chat_is_read_in_order(self):
        first, second, third = (self.peer.seal("alice", text) for text in ("one", "two\nlines", "three"))
        mine = self.ok(self.alice, "encrypt", "quentin", given="mine").output
        chat = f"[10:01] Quentin: {first}\n[10:02] Alice: {mine}\n[10:03] Quentin: {second}\n> {third}\n"
        outcome = self.ok(self.alice, "decrypt", "-0", given=chat)
        self.assertEqual(outcome.output.rstrip("\0").split("\0"), ["one", "two\nlines", "three"])
        again = self.ok(self.alice, "decrypt", "--reread", "--json", given=chat)
        self.assertEqual([one["state"] for one in again.result["messages"]], ["opened", "own", "opened", "opened"])
        self.assertTrue(all(one["repeated"] for one in again.result["messages"] if one["state"] == "opened"))
        self.assertIn("ownMessage", again.warnings)

    def test_inline_puts_texts_where_messages_stood(self):
        first, second = self.peer.seal("alice", "one"), self.peer.seal("alice", "two")
        chat = f"[10:01] Q: {first}\nnothing here\n[10:03] Q: {second} :-)\n"
        outcome = self.ok(self.alice, "decrypt", "--inline", given=chat)
        self.assertEqual(outcome.output, "[10:01] Q: one\nnothing here\n[10:03] Q: two :-)\n")

    def test_what_was_read_goes_to_a_private_file(self):
        out = self.alice.path("files", "plain")
        self.ok(self.alice, "decrypt", "-o", out, given=self.peer.seal("alice", "for the file"))
        self.assertEqual(os.stat(out).st_mode & 0o777, 0o600)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read().rstrip("\n"), "for the file")
        message = self.peer.seal("alice", "again")
        self.ends(4, self.alice, "decrypt", "-o", out, given=message)
        self.ok(self.alice, "decrypt", given=message)

    def test_a_code_inside_a_message_is_told_and_taken(self):
        carried = self.peer.seal("alice", self.peer.start_rotate("alice"))
        told = self.ok(self.alice, "decrypt", "--json", given=carried)
        self.assertEqual(told.result["messages"][0]["carries"], "rotate")
        taken = self.ok(self.alice, "accept", "-y", "--json", given=carried)
        self.assertIs(taken.result["took"]["insideMessage"], True)
        self.peer.take_accept(taken.result["reply"]["code"])
        self.talks()


class Refusals(PeerCase):
    def setUp(self):
        super().setUp()
        self.pair_with_peer()

    def changed(self, position: int, text: str = "right") -> str:
        data = bytearray(xc.parse_message(self.peer.seal("alice", text)))
        data[position] ^= 1
        return xc.format_message(bytes(data))

    def test_a_message_is_read_once(self):
        message = self.peer.seal("alice", "once")
        self.ok(self.alice, "decrypt", given=message)
        self.refused("replayed", self.alice, "decrypt", given=message)
        again = self.ok(self.alice, "decrypt", "--reread", "--json", given=message)
        self.assertEqual(again.result["messages"][0]["text"], "once")
        self.assertTrue(again.result["messages"][0]["repeated"])

    def test_a_changed_byte_anywhere_is_noticed(self):
        for position, name in ((0, "malformedMessage"), (1, "unknownSender"), (33, "cannotOpen"),
                               (44, "cannotOpen"), (45, "cannotOpen"), (60, "cannotOpen"), (61, "cannotOpen")):
            with self.subTest(position=position):
                self.refused(name, self.alice, "decrypt", given=self.changed(position))

    def test_a_message_of_a_newer_program_is_called_newer_and_not_damaged(self):
        sealed = xc.parse_message(self.peer.seal("alice", "later " * 40))
        for version in (2, 3):
            for form in ("compact", "verbose"):
                with self.subTest(version=version, form=form):
                    text = xc.format_message(bytes([version]) + sealed[1:], form)
                    for given in (text, "look:\n" + text + "\n"):
                        self.refused("unsupportedVersion", self.alice, "decrypt", given=given)
        self.refused("malformedMessage", self.alice, "decrypt", given=xc.format_message(b"\4" + sealed[1:]))

    def test_damage_in_the_text_is_noticed(self):
        message = self.peer.seal("alice", "whole").strip()
        for damaged in (message[:-1], message[:40], message + "=", message[:-6] + "!" + message[-5:]):
            with self.subTest(damaged=damaged[-10:]):
                outcome = self.alice.run("decrypt", "--json", given=damaged)
                self.assertIn(outcome.json.get("error", {}).get("code"), ("malformedMessage", "cannotOpen", "noMessage"),
                              outcome)
        self.ok(self.alice, "decrypt", given=message)

    def test_text_without_a_message(self):
        self.refused("noMessage", self.alice, "decrypt", given="good morning")
        self.refused("noMessage", self.alice, "decrypt", given="")

    def test_a_message_for_somebody_else(self):
        stranger = xc.Peer(name="S")
        other = xc.Peer(name="O")
        stranger.take_answer(other.take_offer(stranger.make_offer(), save_as="s"), save_as="o")
        self.refused("unknownSender", self.alice, "decrypt", given=stranger.seal("o", "not for Alice"))

    def test_another_header_than_the_keys_owner(self):
        data = bytearray(xc.parse_message(self.peer.seal("alice", "who am I")))
        data[1:33] = os.urandom(32)
        self.refused("unknownSender", self.alice, "decrypt", given=xc.format_message(bytes(data)))
        self.refused("senderMismatch", self.alice, "decrypt", "--from", "quentin",
                     given=xc.format_message(bytes(data)))

    def test_one_damaged_message_does_not_hide_the_others(self):
        good, bad = self.peer.seal("alice", "good"), self.changed(61)
        outcome = self.alice.run("decrypt", "--json", given=f"{bad}\n{good}\n")
        self.assertEqual((outcome.code, outcome.result["exit"]), (11, 11), outcome)
        self.assertEqual([one["state"] for one in outcome.result["messages"]], ["failed", "opened"])
        self.assertEqual((outcome.result["opened"], outcome.result["failed"]), (1, 1))

    def test_what_cannot_be_sent(self):
        for text in (b"with\0zero", b"\xff\xfe not utf-8", b"x" * ((1 << 20) - 60)):
            with self.subTest(text=text[:12]):
                self.refused("badPlaintext", self.alice, "encrypt", "quentin", given=text)

    def test_the_longest_text_goes_through(self):
        text = "x" * ((1 << 20) - 61)
        message = self.ok(self.alice, "encrypt", "quentin", given=text).output
        self.assertEqual(self.peer.open(message)[1], text)
        self.assertEqual(self.ok(self.alice, "decrypt", given=self.peer.seal("alice", text)).output.rstrip("\n"), text)

    def test_a_zero_from_the_peer_is_opened(self):
        epoch = self.peer.contact("alice").sending_pairing()
        sealed = xc.seal_message(epoch.send_key(epoch.cur), self.peer.peer_id, os.urandom(12), b"a\0b")
        self.assertEqual(self.ok(self.alice, "decrypt", given=xc.format_message(sealed)).data.rstrip(b"\n"), b"a\0b")

    def test_bytes_from_the_peer_that_are_no_text(self):
        epoch = self.peer.contact("alice").sending_pairing()
        sealed = xc.seal_message(epoch.send_key(epoch.cur), self.peer.peer_id, os.urandom(12), b"a\xff")
        self.refused("malformedMessage", self.alice, "decrypt", given=xc.format_message(sealed))

    def test_a_peer_that_sends_too_many(self):
        limited = xc.Peer(name="Many")
        limited.take_answer(self.ok(self.alice, "accept", "-y", "--as", "many", given=limited.make_offer(limit=2)).reply,
                            save_as="alice")
        for text in ("one", "two"):
            self.ok(self.alice, "decrypt", given=limited.seal("alice", text))
        pairing = limited.contact("alice").sending_pairing()
        third = xc.format_message(xc.seal_message(pairing.send_key(pairing.cur), limited.peer_id, os.urandom(12),
                                                  b"three"))
        self.refused("peerOverLimit", self.alice, "decrypt", given=third)

    def test_ones_own_messages_alone_are_no_failure_of_the_crypto(self):
        mine = self.ok(self.alice, "encrypt", "quentin", given="mine").output
        outcome = self.alice.run("decrypt", "--json", given=mine)
        self.assertIn(outcome.code, (0, 3), outcome)
        if outcome.code == 0:
            self.assertEqual(outcome.result["messages"][0]["state"], "own")

    def test_nobody_of_that_name(self):
        for name in ("nobody", "quent", "QUENTIN", ""):
            with self.subTest(name=name):
                outcome = self.alice.run("encrypt", name, "--json", given="x")
                self.assertIn(outcome.code, (2, 3), outcome)

    def test_more_than_a_mebibyte_of_paste_is_refused(self):
        outcome = self.ends(13, self.alice, "accept", "-y", given="x" * ((1 << 20) + 1))
        self.assertEqual(outcome.output, "")


class Limits(Case):
    world = PAIRED

    def test_warnings_from_900_and_the_end_at_1000(self):
        alice, bob = self.alice, self.bob
        outcome = self.ok(alice, "encrypt", "bob", "--lines", given="x\n" * 898)
        self.assertEqual(len(outcome.lines), 898)
        self.assertNotIn("rekeySoon", self.ok(alice, "encrypt", "bob", "--json", given="899").warnings)
        outcome = self.ok(alice, "encrypt", "bob", "--json", given="900")
        self.assertEqual(outcome.result["sent"], 900)
        self.assertEqual([w["remaining"] for w in outcome.json["warnings"] if w["code"] == "rekeySoon"], [100])
        self.assertIn("warning", self.ok(alice, "encrypt", "bob", given="901").talk)
        self.assertEqual(self.session(alice, "bob")["state"], "rekeySoon")

        outcome = alice.run("encrypt", "bob", "--lines", given="y\n" * 105)
        self.assertEqual((outcome.code, len(outcome.lines)), (9, 99), f"sealed {len(outcome.lines)}")
        self.check_talk_has_code(outcome)
        nonces = {xc.parse_message(line)[33:45] for line in outcome.lines}
        self.assertEqual(len(nonces), 99)

        refused = self.refused("rekeyRequired", alice, "encrypt", "bob", given="1001")
        code = refused.json["error"]["details"]["code"]
        self.assertTrue(code.startswith("HSIP:ROTATE1"), refused)
        self.assertEqual(self.ok(alice, "pair", "bob").reply, code)
        self.assertEqual(self.session(alice, "bob")["state"], "exhausted")

        last = outcome.lines[-1]
        self.assertEqual(self.ok(bob, "decrypt", given=last).output.strip(), "y")
        accept = self.ok(bob, "accept", "-y", given=code).reply
        self.ok(alice, "accept", "-y", given=accept)
        session = self.session(alice, "bob")
        self.assertEqual((session["sent"], session["epoch"]), (0, 1))
        self.is_friendly(alice, bob)

    def check_talk_has_code(self, outcome):
        self.assertEqual(outcome.talk.count("hsip: error: "), 1, outcome)

    def test_message_1000_says_that_it_was_the_last(self):
        peer = xc.Peer(name="Quentin")
        peer.take_answer(self.ok(self.alice, "accept", "-y", "--as", "quentin",
                                 given=peer.make_offer(limit=1)).reply, save_as="alice")
        self.ok(self.alice, "decrypt", given=peer.seal("alice", "confirm"))
        outcome = self.ok(self.alice, "encrypt", "quentin", "--json", given="the only one")
        self.assertIn("limitReached", outcome.warnings)
        warning = next(w for w in outcome.json["warnings"] if w["code"] == "limitReached")
        peer.open(outcome.result["message"])
        refused = self.refused("rekeyRequired", self.alice, "encrypt", "quentin", given="one more")
        self.assertEqual(refused.json["error"]["details"]["code"], warning["nextCode"])
        self.ok(self.alice, "accept", "-y", given=peer.take_rotate(refused.json["error"]["details"]["code"]))
        self.ok(self.alice, "encrypt", "quentin", given="again")


    def test_who_wrote_everything_unheard_is_told_that_their_answer_never_arrived(self):
        peer = xc.Peer(name="Quentin")
        answer = self.ok(self.alice, "accept", "-y", "--as", "quentin", given=peer.make_offer(limit=1)).reply
        last = self.ok(self.alice, "encrypt", "quentin", given="the only one").talk
        self.assertIn("never got your ANSWER", last)
        self.assertIn("ask quentin to reply", last)
        refused = self.refused("rekeyRequired", self.alice, "encrypt", "quentin", given="one more")
        self.assertEqual(refused.json["error"]["details"]["code"], answer)
        talk = self.ends(9, self.alice, "encrypt", "quentin", given="one more").talk
        self.assertIn("your ANSWER was probably lost", talk)
        self.assertIn("ask for a reply", talk)
        # And so it is: with the ANSWER everything is there.
        peer.take_answer(answer, save_as="alice")
        self.ok(self.alice, "decrypt", given=peer.seal("alice", "here I am"))
        self.assertNotIn("ANSWER", self.ends(9, self.alice, "encrypt", "quentin", given="one more").talk)


class Several(Case):
    world = FRIENDS

    def test_messages_of_two_friends_in_one_text(self):
        carol = newcomer("carol")
        pair(carol, self.bob)
        texts = f"{self.ok(self.alice, 'encrypt', 'bob', given='from alice').output}" \
                f"{self.ok(carol, 'encrypt', 'bob', given='from carol').output}"
        outcome = self.ok(self.bob, "decrypt", "--json", given=texts)
        self.assertEqual([(one["contact"], one["text"]) for one in outcome.result["messages"]],
                         [("alice", "from alice"), ("carol", "from carol")])


class Legacy(PeerCase):
    """Keys of the old apps: one key, no identity."""

    def setUp(self):
        super().setUp()
        self.key, self.theirs = os.urandom(32), os.urandom(32)

    def import_key(self, *words: str):
        return self.ok(self.alice, "session", "import", "old", "--peer", self.theirs.hex(), *words,
                       given=self.key.hex() + "\n")

    def old_app(self, text: str) -> str:
        return xc.format_message(xc.seal_message(self.key, self.theirs, os.urandom(12), text.encode()))

    def test_the_old_app_and_the_program_read_each_other(self):
        self.import_key()
        self.assertEqual(self.ok(self.alice, "decrypt", given=self.old_app("from old")).output.strip(), "from old")
        sent = xc.parse_message(self.ok(self.alice, "encrypt", "old", given="to old").output)
        self.assertEqual(xc.open_message(self.key, sent), b"to old")

    def test_keys_in_base64_and_from_files(self):
        path = self.alice.write("files/key", base64.b64encode(self.key).decode() + "\n")
        with open(path, encoding="utf-8") as file:
            self.ok(self.alice, "session", "import", "old", "--peer", base64.b64encode(self.theirs).decode(),
                    given=file.read())
        self.assertEqual(self.ok(self.alice, "decrypt", given=self.old_app("hi")).output.strip(), "hi")

    def test_a_key_is_known_for_good(self):
        self.import_key()
        for name in ("old", "other"):
            self.refused("keyKnown", self.alice, "session", "import", name, "--peer", os.urandom(32).hex(),
                         given=self.key.hex())
        self.ok(self.alice, "session", "revoke", "old", "-y")
        self.refused("keyKnown", self.alice, "session", "import", "other", "--peer", os.urandom(32).hex(),
                     given=self.key.hex())

    def test_dummy_keys_are_refused(self):
        for key in (bytes(32), b"\xff" * 32, b"\x2a" * 32):
            with self.subTest(key=key.hex()):
                self.refused("keyRefused", self.alice, "session", "import", "old", "--peer", self.theirs.hex(),
                             given=key.hex())

    def test_keys_of_the_wrong_shape_are_refused(self):
        for given in ("", "zz" * 32, self.key.hex()[:-2], base64.b64encode(self.key).decode()[:-1]):
            with self.subTest(given=given):
                outcome = self.ends(13, self.alice, "session", "import", "old", "--peer", self.theirs.hex(), given=given)
                self.assertNotIn(given[:20] or "\0", outcome.talk)

    def test_a_key_on_the_command_line_is_refused_and_not_repeated(self):
        outcome = self.ends(2, self.alice, "session", "import", "old", self.key.hex(), "--peer", self.theirs.hex())
        self.assertNotIn(self.key.hex(), outcome.talk)

    def test_a_reflected_message_is_refused(self):
        self.import_key()
        mine = bytearray(xc.parse_message(self.ok(self.alice, "encrypt", "old", given="mine").output))
        mine[1:33] = self.theirs
        self.refused("reflected", self.alice, "decrypt", given=xc.format_message(bytes(mine)))

    def test_a_foreign_header_opens_only_with_from(self):
        self.import_key()
        foreign = xc.format_message(xc.seal_message(self.key, os.urandom(32), os.urandom(12), b"who"))
        self.refused("unknownSender", self.alice, "decrypt", given=foreign)
        self.assertEqual(self.ok(self.alice, "decrypt", "--from", "old", given=foreign).output.strip(), "who")

    def test_only_imported_keys_are_exported(self):
        self.import_key()
        exported = self.ok(self.alice, "session", "export", "old").output.strip()
        self.assertIn(exported, (self.key.hex(), base64.b64encode(self.key).decode()))
        self.assertIn("counterUnreliable", self.ok(self.alice, "encrypt", "old", "--json", given="x").warnings)
        self.pair_with_peer()
        self.refused("exportRefused", self.alice, "session", "export", "quentin", "-o", self.alice.path("files", "k"))
        self.assertFalse(os.path.exists(self.alice.path("files", "k")))

    def test_an_export_as_json_needs_a_file(self):
        self.import_key()
        self.assertEqual(self.alice.run("session", "export", "old", "--json").code, 7)
        path = self.alice.path("files", "key")
        outcome = self.ok(self.alice, "session", "export", "old", "--json", "-o", path)
        self.assertNotIn(self.key.hex(), outcome.output)
        self.assertNotIn(base64.b64encode(self.key).decode(), outcome.output)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)

    def test_an_old_key_ends_too(self):
        self.import_key("--life", "2h")
        outcome = self.ends(8, self.alice, "encrypt", "old", given="late", time="+3h")
        self.assertEqual(outcome.output, "")
