"""What the clock decides, to the second. The program runs under a clock of its own (faketime)."""

import datetime
import time
import unittest

from house import FAKETIME, PeerCase, xc
from screen import Screen

HOUR, DAY = 3600, 86400


def at(seconds: int) -> str:
    """A clock that stands still at this second."""
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


@unittest.skipUnless(FAKETIME, "faketime is not installed")
class Bounds(PeerCase):
    def setUp(self):
        super().setUp()
        self.moment = int(time.time()) + HOUR
        self.peer = xc.Peer(name="Quentin", clock=lambda: self.moment)

    def take(self, code: str, when: int | None = None):
        return self.alice.run("accept", "-y", "--as", "quentin", "--json", given=code, time=at(when or self.moment))

    def test_a_code_may_be_600_seconds_ahead(self):
        outcome = self.take(self.peer.make_offer(issued=self.moment + 601))
        self.assertEqual(outcome.json["error"]["code"], "codeFromFuture", outcome)
        self.assertEqual(outcome.json["error"]["details"]["aheadSeconds"], 601)
        self.assertEqual(outcome.code, 8)
        self.assertEqual(self.take(self.peer.make_offer(issued=self.moment + 600)).code, 0)

    def test_a_code_may_be_600_seconds_late(self):
        late = self.peer.make_offer(ttl=15, issued=self.moment - 15 * 60 - 601)
        self.assertEqual(self.take(late).json["error"]["code"], "codeExpired")
        just = self.peer.make_offer(ttl=15, issued=self.moment - 15 * 60 - 600)
        self.assertEqual(self.take(just).code, 0)

    def test_an_answer_whose_epoch_is_over_is_refused(self):
        offer = self.alice.run("pair", "--life", "1h", time=at(self.moment)).output
        answer = self.peer.take_offer(offer, save_as="alice")
        late = self.take(answer, self.moment + HOUR + 1)
        self.assertEqual((late.code, late.json["error"]["code"]), (8, "codeExpired"), late)

    def test_an_answer_comes_too_late_24_hours_after_the_offers_end(self):
        offer = self.alice.run("pair", "--ttl", "1h", time=at(self.moment)).output
        self.moment += HOUR
        answer = self.peer.take_offer(offer, save_as="alice", ttl=10080)
        end = self.moment
        late = self.take(answer, end + DAY + 1)
        self.assertEqual((late.code, late.json["error"]["code"]), (8, "offerExpired"), late)

    def test_an_answer_is_in_time_until_24_hours_after_the_offers_end(self):
        offer = self.alice.run("pair", "--ttl", "1h", time=at(self.moment)).output
        self.moment += HOUR
        answer = self.peer.take_offer(offer, save_as="alice", ttl=10080)
        self.assertEqual(self.take(answer, self.moment + DAY).code, 0)

    def test_the_times_in_a_code_are_those_of_the_clock(self):
        outcome = self.alice.run("pair", "--ttl", "2h", "--json", time=at(self.moment))
        issued = xc.parse(xc.extract(outcome.output)).header.issued
        self.assertEqual(issued, self.moment)
        self.assertEqual(outcome.result["issuedAt"], at(self.moment).replace(" ", "T") + "Z")
        self.assertEqual(outcome.result["expiresAt"], at(self.moment + 2 * HOUR).replace(" ", "T") + "Z")


@unittest.skipUnless(FAKETIME, "faketime is not installed")
class Ends(PeerCase):
    """A session of one hour."""

    def setUp(self):
        super().setUp()
        self.moment = int(time.time())
        self.peer = xc.Peer(name="Quentin", clock=lambda: self.moment)
        self.pair_with_peer(life=1)
        self.end = self.peer.contact("alice").sending_pairing().cur.end

    def send(self, when: int, *words: str):
        return self.alice.run("encrypt", "quentin", "--json", *words, given="x", time=at(when))

    def test_sending_ends_to_the_second(self):
        self.assertEqual(self.send(self.end).code, 0)
        outcome = self.send(self.end + 1)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (8, "sessionExpired"), outcome)

    def test_the_last_day_warns(self):
        self.assertIn("rekeySoon", self.send(self.end - 60).warnings)

    def test_reading_goes_on_for_72_hours(self):
        # Once a day: after a jump of more than a day nothing is wiped for a day.
        messages = [self.peer.seal("alice", str(index)) for index in range(5)]
        for when, name in ((self.end + 1, None), (self.end + DAY, None), (self.end + 2 * DAY, None),
                           (self.end + 72 * HOUR - 10, None), (self.end + 72 * HOUR + 10, "cannotOpen")):
            outcome = self.alice.run("decrypt", "--json", given=messages.pop(), time=at(when))
            if name is None:
                self.assertEqual(outcome.code, 0, outcome)
            else:
                self.assertEqual(outcome.json["error"]["code"], name, outcome)

    def test_an_ended_session_is_renewed_by_a_rotation(self):
        self.moment = self.end + DAY
        rotate = self.alice.run("pair", "quentin", time=at(self.moment))
        self.assertEqual(rotate.kind, "rotate", rotate)
        accept = self.peer.take_rotate(rotate.reply)
        self.assertEqual(self.alice.run("accept", "-y", given=accept, time=at(self.moment)).code, 0)
        outcome = self.send(self.moment + 1)
        self.assertEqual(outcome.code, 0, outcome)
        self.peer.open(outcome.result["message"])

    def test_after_30_days_only_a_new_offer_helps(self):
        # After a jump of more than a day only what was over before it is wiped; a refusal wipes nothing.
        when = self.end + 31 * DAY
        for moment, name in ((when, "sessionExpired"), (when + 2 * DAY, "lapsed")):
            self.ok(self.alice, "contact", "set", "quentin", "--note", f"seen at {moment}", time=at(moment))
            outcome = self.send(moment + 60)
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (8, name), outcome)
        shown = self.alice.run("pair", "quentin", "--json", time=at(when + 2 * DAY + 60)).result
        self.assertEqual((shown["kind"], shown["fresh"]), ("offer", True))

    def test_turning_the_clock_back_revives_nothing(self):
        self.assertEqual(self.send(self.end + 600).json["error"]["code"], "sessionExpired")
        for when in (self.end - 60, self.end - 30 * 60, self.end - 50 * 60):
            outcome = self.send(when)
            self.assertEqual(outcome.code, 8, outcome)
            self.assertNotIn("\U0001F512", outcome.output)


@unittest.skipUnless(FAKETIME, "faketime is not installed")
class OneCommand(PeerCase):
    """The clock was far ahead for one command, and is right again."""

    def test_a_clock_twelve_days_ahead_costs_no_key(self):
        self.pair_with_peer()
        late = self.peer.seal("alice", "late")
        outcome = self.alice.run("encrypt", "quentin", "--json", given="x", time="+12d")
        self.assertEqual(outcome.json["error"]["code"], "sessionExpired", outcome)
        self.alice.run("contact", "set", "quentin", "--note", "from the future", time="+12d")
        self.assertEqual(self.ok(self.alice, "decrypt", given=late).output.strip(), "late")

    def test_a_clock_sixty_days_ahead_empties_no_trash(self):
        for name in ("x", "y"):
            self.ok(self.alice, "secret", "set", name, given="value")
        self.ok(self.alice, "secret", "rm", "x", "-y")
        self.assertEqual(self.alice.run("secret", "rm", "y", "-y", time="+60d").code, 0)
        self.ok(self.alice, "secret", "restore", "x")
        self.assertEqual(self.ok(self.alice, "secret", "get", "x").output, "value")

    def test_doctor_says_that_wiping_waits(self):
        outcome = self.alice.run("doctor", "--json", time="+3d")
        clock = [one for one in outcome.result["findings"] if one["check"] == "clock"]
        self.assertEqual([one["state"] for one in clock], ["notice"], outcome)
        self.assertIn("hsip keeps old keys and the trash until", clock[0]["reason"])

    def test_past_2106_a_code_is_refused_for_the_clock(self):
        outcome = self.alice.run("pair", "--json", time="2107-01-01 00:00:00")
        self.assertEqual(outcome.json["error"]["code"], "clockSuspect", outcome)


@unittest.skipUnless(FAKETIME, "faketime is not installed")
class ClockAhead(PeerCase):
    """The clock was two days ahead once."""

    def setUp(self):
        super().setUp()
        self.pair_with_peer()
        ahead = self.alice.run("encrypt", "quentin", given="from tomorrow", time="+2d")
        self.assertEqual(ahead.code, 0, ahead)
        self.peer.open(ahead.output)

    def test_nothing_is_sealed_or_stamped_but_reading_and_ending_go_on(self):
        for words in (("encrypt", "quentin"), ("pair",), ("session", "rotate", "quentin")):
            self.refused("clockSuspect", self.alice, *words, given="x")
        self.assertEqual(self.ok(self.alice, "decrypt", given=self.peer.seal("alice", "still read")).output.strip(),
                         "still read")
        self.assertIs(self.ok(self.alice, "status", "--json").result["clockSuspect"], True)
        self.ok(self.alice, "session", "revoke", "quentin", "-y")

    def test_doctor_tells_and_sets_it_back_when_asked(self):
        outcome = self.alice.run("doctor", "--json")
        self.assertEqual(outcome.code, outcome.result["exit"])
        clock = [one for one in outcome.result["findings"] if one["check"] == "clock"]
        self.assertEqual([one["state"] for one in clock], ["problem"], outcome)
        self.refused("clockSuspect", self.alice, "encrypt", "quentin", given="doctor alone changes nothing")
        self.alice.run("doctor", "--fix", "--no-input")
        self.refused("clockSuspect", self.alice, "encrypt", "quentin", given="nobody said yes")
        self.refused("inputNeeded", self.alice, "doctor", "--fix", "-y")
        self.refused("clockSuspect", self.alice, "encrypt", "quentin", given="yes was said beforehand")
        shown = Screen(self, self.alice, "doctor", "--fix", "-y")
        shown.sees(r"was the time that hsip saw before wrong\? \[y/N\]")
        shown.enters("y")
        shown.ends()
        self.talks()

    def test_a_clock_a_little_behind_is_no_reason(self):
        outcome = self.alice.run("encrypt", "quentin", given="x", time="+169200s")
        self.assertEqual(outcome.code, 0, outcome)
