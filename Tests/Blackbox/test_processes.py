"""Several programs at once on one vault."""

import os
import subprocess

from house import ALONE, FRIENDS, STRANGERS, Case, PeerCase, Person, clear_now, xc


def everybody(processes, given=b""):
    """Feeds all at once, then collects."""
    for process in processes:
        if given:
            process.stdin.write(given)
        process.stdin.close()
        process.stdin = None
    return [(process.communicate(timeout=300), process.returncode) for process in processes]


class Counting(PeerCase):
    def test_eight_senders_share_a_thousand_numbers(self):
        self.pair_with_peer()
        first = 1  # `talks` has sent one
        texts = "".join(f"text {index}\n" for index in range(250)).encode()
        ends = everybody([self.alice.start("encrypt", "quentin", "--lines") for _ in range(8)], texts)
        messages = [line for (output, _), _ in ends for line in output.decode().splitlines()]
        self.assertEqual(len(messages), 1000 - first)
        envelopes = [xc.parse_message(line) for line in messages]
        self.assertEqual(len({envelope[33:45] for envelope in envelopes}), 1000 - first, "every nonce once")
        codes = [code for _, code in ends]
        self.assertLessEqual(set(codes), {0, 9}, codes)
        self.assertIn(9, codes)
        for (output, talk), code in ends:
            if code == 9:
                self.assertEqual(talk.decode().count("hsip: error: "), 1, talk)
            else:
                self.assertEqual(len(output.splitlines()), 250)
        self.assertEqual(self.session(self.alice, "quentin")["sent"], 1000)
        self.refused("rekeyRequired", self.alice, "encrypt", "quentin", given="x")
        read = [self.peer.open(line)[1] for line in messages]
        self.assertLessEqual(set(read), {f"text {index}" for index in range(250)})
        self.ok(self.alice, "vault", "check")

    def test_writing_and_reading_at_once(self):
        self.pair_with_peer()
        incoming = [self.peer.seal("alice", f"to alice {index}") for index in range(40)]
        senders = [self.alice.start("encrypt", "quentin", "--lines") for _ in range(2)]
        readers = [self.alice.start("decrypt", "-0") for _ in range(4)]
        for index, reader in enumerate(readers):
            reader.stdin.write("\n".join(incoming[index::4]).encode())
        sent = everybody(senders, b"x\n" * 50)
        read = everybody(readers)
        for (output, talk), code in sent + read:
            self.assertEqual(code, 0, talk)
        texts = [text for (output, _), _ in read for text in output.decode().rstrip("\0").split("\0")]
        self.assertEqual(sorted(text.strip() for text in texts), sorted(f"to alice {index}" for index in range(40)))
        self.assertEqual(self.session(self.alice, "quentin")["received"], 41)
        self.assertEqual(self.session(self.alice, "quentin")["sent"], 101)

    def test_one_message_read_by_four_at_once_is_read_once(self):
        self.pair_with_peer()
        message = self.peer.seal("alice", "for one only").encode()
        ends = everybody([self.alice.start("decrypt") for _ in range(4)], message)
        self.assertEqual(sorted(code for _, code in ends), [0, 14, 14, 14], ends)


class Taking(PeerCase):
    def test_an_offer_taken_four_times_at_once_has_one_answer(self):
        offer = self.peer.make_offer().encode()
        ends = everybody([self.alice.start("accept", "-y", "--as", "quentin") for _ in range(4)], offer)
        self.assertEqual([code for _, code in ends], [0] * 4, ends)
        answers = {xc.code_text(xc.extract(output.decode())) for (output, _), _ in ends}
        self.assertEqual(len(answers), 1)
        self.peer.take_answer(answers.pop(), save_as="alice")
        self.talks()
        self.assertEqual(len(self.session(self.alice, "quentin")["pairings"]), 1)

    def test_an_answer_taken_four_times_at_once_is_taken_once(self):
        answer = self.peer.take_offer(self.ok(self.alice, "pair").output, save_as="alice").encode()
        ends = everybody([self.alice.start("accept", "-y", "--as", "quentin") for _ in range(4)], answer)
        self.assertEqual([code for _, code in ends], [0] * 4, ends)
        self.talks()
        self.assertEqual(len(self.session(self.alice, "quentin")["pairings"]), 1)

    def test_two_answers_to_one_offer_at_once_have_one_winner(self):
        offer = self.ok(self.alice, "pair").output
        people = [xc.Peer(name=name) for name in ("Quentin", "Thief")]
        answers = [person.take_offer(offer, save_as="alice").encode() for person in people]
        processes = [self.alice.start("accept", "-y", "--as", person.name.lower()) for person in people]
        for process, answer in zip(processes, answers):
            process.stdin.write(answer)
        ends = everybody(processes)
        self.assertEqual(sorted(code for _, code in ends), [0, 14], ends)
        winner = people[[code for _, code in ends].index(0)]
        self.assertEqual(self.contact(self.alice, winner.name.lower())["trust"], "suspicious")
        self.ok(self.alice, "decrypt", given=winner.seal("alice", "x"))

    def test_two_strangers_who_want_one_name_at_once(self):
        offers = [xc.Peer(name="Same").make_offer().encode() for _ in range(2)]
        processes = [self.alice.start("accept", "-y") for _ in offers]
        for process, offer in zip(processes, offers):
            process.stdin.write(offer)
        codes = sorted(code for _, code in everybody(processes))
        contacts = self.ok(self.alice, "contact", "list").lines
        if codes == [0, 7]:
            self.assertEqual(len(contacts), 1)
        else:
            self.assertEqual((codes, len(contacts)), ([0, 0], 2))
            self.refused("ambiguousName", self.alice, "encrypt", "same", given="x")

    def test_offers_made_at_once_are_all_different(self):
        ends = everybody([self.alice.start("pair") for _ in range(6)])
        self.assertEqual([code for _, code in ends], [0] * 6, ends)
        self.assertEqual(len({output for (output, _), _ in ends}), 6)
        self.assertEqual(self.alice.kinds()["hsip.offer"], 6)


class Beginning(Case):
    world = None

    def test_two_inits_at_once_make_one_vault(self):
        clear_now()
        self.alice = Person("alice")
        self.alice.make_folders()
        processes = [self.alice.start("init", "--name", name, "-o", self.alice.path("files", name),
                                      secret="passphrase") for name in ("first", "second")]
        ends = everybody(processes)
        self.assertEqual(sorted(code for _, code in ends), [0, 4], ends)
        winner = ("first", "second")[[code for _, code in ends].index(0)]
        loser = "second" if winner == "first" else "first"
        self.assertFalse(os.path.exists(self.alice.path("files", loser)))
        with open(self.alice.path("files", winner), encoding="utf-8") as file:
            self.alice.write("secrets/recovery", file.read())
        shown = self.ok(self.alice, "identity", "show", "--json").result
        self.assertEqual(shown["name"], winner)
        self.ok(self.alice, "vault", "check")
        names = os.listdir(os.path.dirname(self.alice.vault))
        self.assertEqual([name for name in names if ".new-" in name], [])
