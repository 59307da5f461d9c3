"""People at a terminal: questions, answers, Ctrl-C, and what a peer's text may not do to the screen."""

import os
import re
import signal
import time

import screen
from house import ALONE, FRIENDS, PASSPHRASE, PAIRED, STRANGERS, Case, PeerCase, Person, clear_now, say, xc
from screen import CONTROL_C, CONTROL_D, Screen

# Read up to the end of its line: a terminal hands over a long line in pieces.
CODE = r"(HSIP:[A-Z]+1[02-9AC-HJ-NP-Z]{60,})\s"


NEW_PASSPHRASE = "seven grey herons over the harbour"


class FirstRun(Case):
    world = None

    def setUp(self):
        super().setUp()
        clear_now()
        self.alice = Person("alice")
        self.alice.make_folders()

    def last_block(self, shown: Screen) -> str:
        code = shown.sees(r"([0-9A-Z]{4}(?:-[0-9A-Z]{4}){6})\s").group(1)
        shown.sees("Last block")
        shown.enters(code[-4:].lower())
        return code

    def test_with_a_passphrase_made_by_the_program(self):
        shown = Screen(self, self.alice, "init", secret=None)
        shown.sees(r"Your name, as contacts will see it")
        shown.enters("\x15Alice")
        shown.sees("New passphrase")
        shown.enters()
        made = shown.sees(r"Passphrase +([a-z]+(?:-[a-z]+){5,7})\s").group(1)
        code = self.last_block(shown)
        screen.stays_locked(shown)
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertIn("Alice", shown.plain)
        for name, secret in (("passphrase", made), ("recovery", code)):
            self.alice.write("secrets/" + name, secret + "\n")
            self.assertEqual(self.ok(self.alice, "identity", "show", "--json", secret=name).result["name"], "Alice")

    def test_with_a_passphrase_of_ones_own(self):
        shown = Screen(self, self.alice, "init", "--name", "Alice", secret=None)
        screen.gives_new(shown, "New passphrase", NEW_PASSPHRASE, again="something else entirely")
        shown.sees("two entries differ")
        screen.gives_new(shown, "New passphrase", NEW_PASSPHRASE)
        code = self.last_block(shown)
        screen.stays_locked(shown)
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertNotIn(NEW_PASSPHRASE, shown.text, "never echoed")
        self.alice.write("secrets/recovery", code + "\n")
        self.alice.write("secrets/passphrase", NEW_PASSPHRASE + "\n")
        self.ok(self.alice, "identity", "show", secret="passphrase")
        self.ok(self.alice, "identity", "show")

    def test_a_passphrase_that_is_easy_to_guess_is_asked_for_again_before_it_is_typed_twice(self):
        shown = Screen(self, self.alice, "init", "--name", "Alice", secret=None)
        for typed, told in (("short", "at least 10 characters"), ("password123", "easy to guess: about 4 bits")):
            shown.sees("New passphrase")
            shown.enters(typed)
            shown.sees(told)
            shown.sees(r"type a longer one, or start\s+again with --weak")
        screen.gives_new(shown, "New passphrase", NEW_PASSPHRASE)
        shown.sees(r"Passphrase: \w+, \d+ bits")
        shown.sees("Last block")
        self.assertEqual(shown.plain.count("The same again"), 1)
        shown.types(CONTROL_C)
        self.assertEqual(shown.ends(), 130)

    def test_a_recovery_code_that_nobody_wrote_down_makes_no_vault(self):
        shown = Screen(self, self.alice, "init", "--name", "Alice", secret="passphrase")
        for _ in range(3):
            shown.sees("Last block")
            shown.enters("0000")
        self.assertEqual(shown.ends(), 6, shown.plain)
        self.assertFalse(os.path.exists(self.alice.vault))


class Pairing(Case):
    world = STRANGERS

    def test_two_people_at_two_terminals(self):
        alice = Screen(self, self.alice, "pair")
        offer = alice.sees(CODE).group(1)
        alice.sees("Paste their answer")
        path = self.alice.write("files/seen.png", screen.picture(alice.rows()))
        self.assertEqual(screen.scan(path), offer, "the picture on the screen is the code")

        bob = Screen(self, self.bob, "accept")
        bob.sees("Paste their code")
        bob.pastes(f"Hi Bob,\nhere it is:\n{offer}\n")
        bob.enters()
        bob.sees(r"Save as \[.*alice.*\]")
        self.assertIn("Alice", bob.plain)
        bob.enters()
        answer = bob.sees(CODE).group(1)
        self.assertEqual(bob.ends(), 0, bob.plain)
        self.assertIn("ANSWER", answer)

        alice.pastes(answer)
        alice.enters()
        alice.sees(r"Save as \[.*bob.*\]")
        alice.enters("robert")
        self.assertEqual(alice.ends(), 0, alice.plain)
        self.assertEqual(self.contact(self.bob, "alice")["sentName"], "Alice")
        message = self.ok(self.alice, "encrypt", "robert", given="hi").output
        self.assertEqual(self.ok(self.bob, "decrypt", given=message).output.strip(), "hi")

    def test_enter_alone_is_later(self):
        shown = Screen(self, self.alice, "pair")
        offer = shown.sees(CODE).group(1)
        shown.sees("Paste their answer")
        shown.enters()
        self.assertEqual(shown.ends(), 0, shown.plain)
        answer = self.ok(self.bob, "accept", "-y", "--as", "alice", given=offer).output
        self.ok(self.alice, "accept", "-y", "--as", "bob", given=answer)
        self.is_friendly(self.alice, self.bob)

    def test_a_bad_paste_is_told_and_asked_again(self):
        shown = Screen(self, self.alice, "pair")
        offer = shown.sees(CODE).group(1)
        shown.sees("Paste their answer")
        shown.pastes("good morning")
        shown.enters()
        shown.sees("hsip: .*error")
        shown.sees("Paste their answer")
        shown.pastes(self.ok(self.bob, "accept", "-y", "--as", "alice", given=offer).output)
        shown.enters()
        shown.sees("Save as")
        shown.enters()
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.is_friendly(self.alice, self.bob)

    def test_a_name_that_is_taken_is_shown_with_another(self):
        self.ok(self.bob, "accept", "-y", given=self.ok(self.alice, "pair").output)
        twin = xc.Peer(name="Alice")
        shown = Screen(self, self.bob, "accept")
        shown.sees("Paste their code")
        shown.pastes(twin.make_offer())
        shown.enters()
        shown.sees(r"Save as \[.*alice-2.*\]")
        self.assertIn(xc.peer_id_text(twin.peer_id), shown.plain)
        shown.enters()
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.contact(self.bob, "alice-2")

    def test_two_codes_are_asked_about(self):
        offers = [xc.Peer(name=name).make_offer() for name in ("Carol", "Dave")]
        shown = Screen(self, self.bob, "accept")
        shown.sees("Paste their code")
        shown.pastes("\n".join(offers))
        shown.enters()
        shown.sees("Which code")
        shown.sees("Number")
        shown.enters("2")
        shown.sees("Save as")
        shown.enters()
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertEqual(len(self.ok(self.bob, "contact", "list").lines), 1)

    def test_a_window_that_is_too_small(self):
        shown = Screen(self, self.alice, "pair", "--in-person", rows=12, columns=80)
        offer = shown.sees(CODE).group(1)
        shown.sees(r"the QR code needs (\d+).(\d+), and your window is 80.12")
        shown.sees("hsip qr -o code.png  makes a picture of the code")
        shown.sees("Paste their answer")
        self.assertEqual(shown.plain.count("the QR code needs"), 1)
        self.assertNotIn(screen.PAINT, shown.text, "no torn code")
        shown.enters()
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.ok(self.bob, "accept", "-y", "--as", "alice", given=offer)

    def test_a_window_too_small_for_suite_02_names_the_smaller_code(self):
        shown = Screen(self, self.alice, "pair", rows=24, columns=80)
        offer = shown.sees(CODE).group(1)
        shown.sees("hsip pair --in-person  makes a small code for a camera")
        shown.sees("hsip qr -o code.png  makes a picture of the code")
        shown.sees("Paste their answer")
        self.assertNotIn(screen.PAINT, shown.text, "no torn code")
        shown.enters()
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.ok(self.bob, "accept", "-y", "--as", "alice", given=offer)

    def test_every_code_of_suite_02_is_read_from_a_terminal_of_100_by_50_and_from_a_file(self):
        shown = Screen(self, self.alice, "pair", rows=50, columns=100)
        offer = shown.sees(CODE).group(1)
        shown.sees("Paste their answer")
        path = self.alice.write("files/offer.png", screen.picture(shown.rows()))
        self.assertEqual(screen.scan(path), offer, "the picture on the screen is the code")
        shown.enters()
        self.assertEqual(shown.ends(), 0, shown.plain)
        answer = self.ok(self.bob, "accept", "-y", "--as", "alice", given=offer).output.strip()
        self.ok(self.alice, "accept", "-y", "--as", "bob", given=answer)
        self.is_friendly(self.alice, self.bob)
        rotate = self.ok(self.alice, "session", "rotate", "bob").output.strip()
        accept = self.ok(self.bob, "accept", "-y", given=rotate).output.strip()
        for kind, code, count in (("offer", offer, 2_149), ("answer", answer, 2_044), ("rotate", rotate, 2_137),
                                  ("accept", accept, 2_006)):
            with self.subTest(kind=kind):
                self.assertEqual(len(code), count)
                drawn = Screen(self, self.alice, "qr", code, "--qr", "sextant", rows=50, columns=100)
                self.assertEqual(drawn.ends(), 0, drawn.plain)
                path = self.alice.write(f"files/{kind}-screen.png", screen.picture(drawn.rows()))
                self.assertEqual(screen.scan(path), code)
                file = self.alice.path(f"files/{kind}-file.png")
                self.ok(self.alice, "qr", code, "-o", file)
                self.assertEqual(screen.scan(file), code)

    def test_a_small_window_has_room_for_a_code_in_sextants_that_a_camera_reads(self):
        shown = Screen(self, self.alice, "pair", "--in-person", rows=24, columns=80)
        offer = shown.sees(CODE).group(1)
        shown.sees("Paste their answer")
        self.assertNotIn("window is", shown.plain)
        path = self.alice.write("files/seen.png", screen.picture(shown.rows()))
        self.assertEqual(screen.scan(path), offer, "the picture on the screen is the code")
        rows = [line for line in shown.plain.split("\n") if re.search("[\U0001fb00-\U0001fb3b]", line)]
        self.assertGreaterEqual(len(rows), 15)
        self.assertLess(shown.plain.index("HSIP:OFFER1"), shown.plain.index(rows[0]), "the line may leave the screen")
        shown.enters()
        self.assertEqual(shown.ends(), 0, shown.plain)

    def test_a_verify_fits_a_small_window(self):
        self.ok(self.alice, "accept", "-y", "--as", "bob", given=self.ok(self.bob, "accept", "-y", "--as", "alice",
                given=self.ok(self.alice, "pair").output).output)
        shown = Screen(self, self.alice, "verify", "bob", "--code", rows=26, columns=80)
        code = shown.sees(CODE).group(1)
        path = self.alice.write("files/seen.png", screen.png(shown.painted()))
        self.assertEqual(screen.scan(path), code)
        shown.sees("Paste")
        shown.enters()
        self.assertEqual(shown.ends(), 0)

    def test_no_picture_without_utf8(self):
        shown = Screen(self, self.alice, "pair", LANG="C")
        shown.sees(CODE)
        shown.sees("Paste their answer")
        self.assertEqual(shown.painted(), [])
        self.assertTrue(shown.plain.isascii(), shown.plain)
        shown.enters()
        self.assertEqual(shown.ends(), 0)


class Verifying(Case):
    world = FRIENDS

    def test_the_number(self):
        number = self.ok(self.bob, "verify", "alice", "--number").output.split()
        shown = Screen(self, self.alice, "verify", "bob", "--number")
        screen.hears(shown, number)
        self.assertEqual(shown.ends(), 0, shown.plain)
        for start in (0, 4, 8):
            self.assertIn(f"{start + 1}-{start + 4}  {' '.join(number[start:start + 4])}\n", shown.plain)
        self.assertEqual(self.contact(self.alice, "bob")["trust"], "verified")
        self.assertEqual(self.contact(self.alice, "bob")["verifiedBy"], "safetyNumber")
        self.assertEqual(self.contact(self.bob, "alice")["trust"], "unverified", "each for themselves")

    def test_the_words_and_the_marks(self):
        words = [one["word"] for one in self.ok(self.bob, "verify", "alice", "--json").result["words"]]
        shown = Screen(self, self.alice, "verify", "bob", "--words")
        screen.hears(shown, words, "words")
        self.assertEqual(shown.ends(), 0, shown.plain)
        positions = [shown.plain.find(word) for word in words]
        self.assertNotIn(-1, positions)
        self.assertIn("\u2460", shown.plain)
        self.assertEqual(self.contact(self.alice, "bob")["verifiedBy"], "words")

    def test_no_and_yes_by_switch_change_nothing(self):
        for answer in ("", "no"):
            shown = Screen(self, self.alice, "-y", "verify", "bob", "--number")
            shown.sees("Enter = no")
            shown.enters(answer)
            self.assertEqual(shown.ends(), 0)
            self.assertIn("Trust is unchanged", shown.plain)
        self.assertEqual(self.contact(self.alice, "bob")["trust"], "unverified")

    def test_what_was_typed_before_the_question_is_no_answer(self):
        shown = Screen(self, self.alice, "verify", "bob", "--number", shell='read line; "$0" "$@"')
        shown.types(f"begin{screen.ENTER}11111 22222{screen.ENTER}")
        shown.sees(r"Enter = no")
        shown.enters()
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertNotIn("are different", shown.plain)
        self.assertEqual(self.contact(self.alice, "bob")["trust"], "unverified")

    def test_other_groups_three_times_are_a_mismatch(self):
        shown = Screen(self, self.alice, "verify", "bob", "--number")
        for _ in range(3):
            screen.hears(shown, [f"{place:05}" for place in range(12)])
        self.assertEqual(shown.ends(), 15, shown.plain)
        self.assertIn("are different here", shown.plain)
        self.assertEqual(self.contact(self.alice, "bob")["trust"], "unverified")

    def test_a_whole_number_that_was_pasted_leads_to_the_question(self):
        number = self.ok(self.bob, "verify", "alice", "--number").output
        shown = Screen(self, self.alice, "verify", "bob", rows=70)
        shown.sees(r"Same at .*Enter = no\]")
        shown.pastes(number)
        shown.enters()
        shown.sees("a number that was sent proves nothing")
        shown.sees("Enter = no")
        shown.enters()
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertEqual(self.contact(self.alice, "bob")["trust"], "unverified")

    def test_everything_and_then_their_code(self):
        theirs = self.ok(self.bob, "verify", "alice", "--code").output
        shown = Screen(self, self.alice, "verify", "bob", rows=70)
        shown.sees(r"Same at .*Enter = no\]")
        shown.pastes(theirs)
        shown.enters()
        shown.sees(r"own screen\? \[y/N\]")
        shown.enters("y")
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.assertEqual(self.contact(self.alice, "bob")["verifiedBy"], "code")


class Writing(Case):
    world = FRIENDS

    def test_a_text_is_asked_for(self):
        shown = Screen(self, self.alice, "encrypt", "bo")
        shown.sees("Message to .*bob")
        shown.enters("hello from a terminal")
        message = shown.sees("\U0001F512[A-Za-z0-9+/=]+").group(0)
        self.assertEqual(shown.ends(), 0)
        self.assertEqual(self.ok(self.bob, "decrypt", given=message).output.strip(), "hello from a terminal")

    def test_messages_are_pasted(self):
        message = self.ok(self.bob, "encrypt", "alice", given="pasted").output
        shown = Screen(self, self.alice, "decrypt")
        shown.sees("Paste the messages")
        shown.pastes(f"Bob: {message}")
        shown.enters()
        shown.sees("pasted")
        self.assertEqual(shown.ends(), 0)

    def test_what_a_message_may_not_do_to_the_screen(self):
        evil = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe\u200b\x9b31m\u2066x"
        message = self.alice.write("files/m", self.ok(self.bob, "encrypt", "alice", given=evil).output)
        shown = Screen(self, self.alice, "decrypt", message)
        self.assertEqual(shown.ends(), 0)
        for bad in ("\x1b]", "\x1b[2J", "\u202e", "\u200b", "\x9b", "\u2066", "\x07"):
            self.assertNotIn(bad, shown.text)
        self.assertIn("\u241b]0;owned", shown.text)
        self.assertIn("U+202E", shown.text)

    def test_what_a_word_on_the_command_line_may_not_do(self):
        shown = Screen(self, self.alice, "contact", "show", "\x1b[31mred\u202e")
        self.assertEqual(shown.ends(), 3)
        self.assertNotIn("\x1b[31mred", shown.text)
        self.assertNotIn("\u202e", shown.text)

    def test_a_note_takes_nothing_that_moves_a_cursor(self):
        for note in ("\x1b[2J", "\u202eabc", "a\tb"):
            shown = Screen(self, self.alice, "contact", "set", "bob", "--note", note)
            self.assertEqual(shown.ends(), 13, shown.plain)
            self.assertNotIn(note, shown.text)

    def test_a_table_is_for_people(self):
        shown = Screen(self, self.alice, "session", "list")
        self.assertEqual(shown.ends(), 0)
        self.assertIn("CONTACT", shown.plain)
        self.assertNotIn("\t", shown.text)
        shown = Screen(self, self.alice, "session", "list", NO_COLOR="1")
        self.assertEqual(shown.ends(), 0)
        self.assertNotIn("\x1b[3", shown.text)
        shown = Screen(self, self.alice, "session", "list", columns=60)
        self.assertEqual(shown.ends(), 0)
        for line in shown.plain.splitlines():
            self.assertLessEqual(len(line), 60, line)


class NarrowWindows(Case):
    """Lines are broken between words, and what is to be typed is whole."""

    world = FRIENDS

    def fits(self, shown: Screen, columns: int):
        # What was erased again is not there any more.
        text = re.sub(r"[^\n]*\r\x1b\[K", "", shown.text)
        for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", text).split("\n"):
            # Examples are for copying: they are left to the terminal.
            if not (line.startswith("  ") and "hsip " in line):
                width = len(line.replace("\u2068", "").replace("\u2069", ""))
                self.assertLessEqual(width, columns, f"{line!r}\n{shown.plain}")

    def shown(self, *words: str, columns: int, code: int | None = 0, **environment) -> Screen:
        shown = Screen(self, self.alice, *words, columns=columns, **environment)
        self.assertEqual(shown.ends(), code, shown.plain) if code is not None else shown.ends()
        self.fits(shown, columns)
        return shown

    def test_no_command_breaks_a_line_inside_a_word(self):
        self.ok(self.alice, "secret", "set", "databases/production/reporting", "--user", "deploy", "--url",
                "https://db.example.org/a/long/way", "--tag", "work", "--expires", "90d", given="x")
        self.ok(self.alice, "ssh", "key", "generate", "work")
        for columns in (60, 80):
            for words in (("status",), ("doctor",), ("contact", "list"), ("contact", "show", "bob"), ("session", "list"),
                          ("session", "show", "bob"), ("secret", "list"), ("secret", "show", "databases/production/reporting"),
                          ("ssh", "key", "list"), ("vault", "slot", "list"), ("audit",), ("help",), ("help", "init"),
                          ("help", "secret", "set"), ("help", "ssh", "host", "add"), ("identity", "show"), ("config",)):
                with self.subTest(words=words, columns=columns):
                    self.shown(*words, columns=columns, code=None)

    def test_the_first_run_fits(self):
        for columns in (60, 80):
            alice = Person(f"narrow{columns}")
            alice.make_folders()
            shown = Screen(self, alice, "init", "--name", "Alice", "-o", alice.path("files", "r"), secret="passphrase",
                           columns=columns)
            self.assertEqual(shown.ends(), 0, shown.plain)
            self.fits(shown, columns)

    def test_new_secrets_fit_a_narrow_window_and_are_whole(self):
        for columns in (40, 60, 80):
            with self.subTest(columns=columns):
                alice = Person(f"secrets{columns}")
                alice.make_folders()
                shown = Screen(self, alice, "init", "--name", "Alice", "--backend", "file", secret=None, columns=columns)
                shown.sees("New")
                shown.enters()
                code = shown.sees(r"([0-9A-Z]{4}(?:-[0-9A-Z]{4}){6})\s").group(1)
                shown.sees(r"not\s+shown\s+again")
                shown.sees(r"recovery\s+code")
                shown.enters(code[-4:])
                shown.sees(r"passphrase\?\s+\[yes\]:")
                shown.enters("no")
                self.assertEqual(shown.ends(), 0, shown.plain)
                self.fits(shown, columns)
                lines = shown.plain.split("Recovery code", 1)[0].split("Passphrase", 1)[1].split("\n")
                made = re.match(r"[a-z]+(-[a-z]+){6}", "".join(line.strip() for line in lines))
                self.assertIsNotNone(made, shown.plain)
                alice.write("secrets/passphrase", made.group(0) + "\n")
                self.ok(alice, "identity", "show", secret="passphrase")

    def test_commands_to_paste_are_never_cut(self):
        for columns in (60, 80):
            status = self.shown("status", columns=columns)
            self.assertIn("hsip vault slot test recovery\n", status.plain)
            self.assertNotIn("\u2026", status.plain)
        self.assertRegex(self.shown("status", columns=60).plain, r"the full recovery .*\n +code was never")

    def test_a_refusal_is_broken_between_words(self):
        self.shown("verify", "bob", "--expect", "1 " * 60, columns=60, code=15)

    def test_columns_are_left_out_before_names_are_cut(self):
        name = "databases/production/reporting"
        self.ok(self.alice, "secret", "set", name, "--user", "deploy", "--url", "https://db.example.org", "--tag", "work",
                given="x")
        wide = self.shown("secret", "list", columns=120).plain
        narrow = self.shown("secret", "list", columns=60).plain
        self.assertIn("TAGS", wide)
        self.assertNotIn("TAGS", narrow)
        self.assertIn(name, narrow)

    def test_a_name_that_was_copied_from_the_screen_is_found(self):
        self.ok(self.alice, "contact", "set", "bob", "--alias", "J\u00fcrgen")
        self.ok(self.alice, "secret", "set", "b\u00fcro/t\u00fcr", given="1234")
        pasted = re.search("\u2068J\u00fcrgen\u2069", self.shown("contact", "list", columns=80).plain).group(0)
        self.assertEqual(self.ok(self.alice, "contact", "show", pasted, "--json").result["contact"], "J\u00fcrgen")
        self.ok(self.alice, "encrypt", pasted, given="hi")
        pasted = re.search("\u2068b\u00fcro/t\u00fcr\u2069", self.shown("secret", "list", columns=80).plain).group(0)
        self.assertEqual(self.ok(self.alice, "secret", "get", pasted).output, "1234")


class Passphrases(Case):
    def test_a_slip_is_forgiven_twice(self):
        shown = Screen(self, self.alice, "identity", "show", secret=None)
        shown.sees("Passphrase")
        shown.enters("wrong one")
        shown.sees("wrong passphrase")
        shown.sees("Passphrase")
        shown.enters(PASSPHRASE)
        shown.sees("Alice")
        self.assertEqual(shown.ends(), 0)
        self.assertNotIn(PASSPHRASE, shown.text)
        self.assertNotIn("wrong one", shown.text)

    def test_who_forgot_the_passphrase_types_the_recovery_code_and_chooses_a_new_one(self):
        shown = Screen(self, self.alice, "vault", "passphrase", secret=None)
        shown.sees("Passphrase or recovery code: ")
        shown.enters(self.alice.recovery)
        screen.gives_new(shown, "New passphrase", NEW_PASSPHRASE)
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.refused("wrongSecret", self.alice, "identity", "show", secret="passphrase")
        self.alice.write("secrets/passphrase", NEW_PASSPHRASE + "\n")
        self.ok(self.alice, "identity", "show", secret="passphrase")

    def test_the_third_slip_is_the_last(self):
        shown = Screen(self, self.alice, "identity", "show", secret=None)
        for attempt in ("first", "second", "third"):
            shown.sees("Passphrase or recovery code: ")
            shown.enters(attempt)
        self.assertEqual(shown.ends(), 6, shown.plain)

    def test_a_terminal_without_cursor_hides_it_too(self):
        shown = Screen(self, self.alice, "identity", "show", secret=None, TERM="dumb")
        shown.sees("Passphrase or recovery code: ")
        shown.types(PASSPHRASE + "\n")
        shown.sees("Alice")
        self.assertEqual(shown.ends(), 0)
        self.assertNotIn(PASSPHRASE, shown.text)
        self.assertNotIn("\x1b", shown.text)

    def test_no_input_asks_nothing(self):
        shown = Screen(self, self.alice, "--no-input", "identity", "show", secret=None)
        self.assertEqual(shown.ends(), 5, shown.plain)
        shown = Screen(self, self.alice, "identity", "show", secret=None, HSIP_NO_INPUT="1")
        self.assertEqual(shown.ends(), 5, shown.plain)

    def test_questions_go_to_the_terminal_when_the_streams_are_pipes(self):
        shown = Screen(self, self.alice, "pair", secret=None,
                       shell='"$0" "$@" </dev/null >files/out 2>files/err; echo "ended $?"')
        shown.sees("Passphrase")
        shown.enters(PASSPHRASE)
        self.assertEqual(shown.sees(r"ended (\d+)\s").group(1), "0")
        with open(self.alice.path("files", "out"), encoding="utf-8") as file:
            self.assertRegex(file.read(), rf"^{CODE}$")
        with open(self.alice.path("files", "err"), encoding="utf-8") as file:
            self.assertNotIn("assphrase", file.read())


class Interruptions(PeerCase):
    """Ctrl-C at every question: 130, the terminal as it was, nothing half done."""

    def at(self, pattern: str, *words: str, before=(), secret="", keys=CONTROL_C, code="130"):
        shown = Screen(self, self.alice, *words, secret=secret,
                       shell='stty -g; "$0" "$@"; echo "ended $?"; stty -g; stty -a')
        first = shown.sees(r"([0-9a-f]+(?::[0-9a-f]+){10,})\s").group(1)
        for wanted, answer in before:
            shown.sees(wanted)
            shown.enters(answer)
        shown.sees(pattern)
        shown.types(keys)
        self.assertEqual(shown.sees(r"ended (\d+)\s").group(1), code, shown.plain)
        self.assertEqual(shown.sees(r"([0-9a-f]+(?::[0-9a-f]+){10,})\s").group(1), first, "the terminal is as it was")
        shown.sees("[^-]icanon")
        shown.sees("[^-]echo ")
        shown.ends()
        return shown

    def test_at_every_question(self):
        self.pair_with_peer()
        offer = xc.Peer(name="Other").make_offer()
        picture = self.alice.path("files", "v.png")
        self.ok(self.alice, "qr", self.peer.verify_text("alice"), "-o", picture, secret=None)
        before = self.alice.kinds()
        questions = [
            ("Passphrase or recovery code: ", ("identity", "show"), None, ()),
            ("Passphrase or recovery code: ", ("pair",), None, ()),
            ("Your name", ("--vault", "other", "init"), "passphrase", ()),
            ("New passphrase", ("--vault", "other", "init", "--name", "A"), None, ()),
            ("Last block", ("--vault", "other", "init", "--name", "A"), "passphrase", ()),
            ("Paste their code", ("accept",), "", ()),
            ("Save as", ("accept", offer), "", ()),
            ("Message to", ("encrypt", "quentin"), "", ()),
            ("Paste the messages", ("decrypt",), "", ()),
            ("Enter = no", ("verify", "quentin"), "", ()),
            (r"own screen\?", ("verify", "quentin", "--image", picture), "", ()),
            (r"\[y/N\]", ("session", "revoke", "quentin"), "", ()),
            (r"\[y/N\]", ("identity", "revocation-notice"), "", ()),
            (r"\[y/N\]", ("vault", "slot", "rm", "1"), "", ()),
        ]
        for pattern, words, secret, earlier in questions:
            with self.subTest(words=words, pattern=pattern):
                self.at(pattern, *words, secret=secret, before=earlier)
        self.assertEqual(self.alice.kinds(), before)
        self.assertFalse(os.path.exists(self.alice.path("data", "hsip", "other.hsipvault")))
        self.talks()

    def test_at_the_wait_for_an_answer_the_offer_stays(self):
        self.at("Paste their answer", "pair")
        self.assertEqual(self.alice.kinds()["hsip.offer"], 1)

    def test_at_a_terminal_without_cursor(self):
        shown = Screen(self, self.alice, "identity", "show", secret=None, TERM="dumb",
                       shell='trap : INT; stty -g; "$0" "$@"; echo "ended $?"; stty -g')
        first = shown.sees(r"([0-9a-f]+(?::[0-9a-f]+){10,})\s").group(1)
        shown.sees("Passphrase or recovery code: ")
        shown.types("half a secret" + CONTROL_C)
        self.assertEqual(shown.sees(r"ended (\d+)\s").group(1), "130", shown.plain)
        self.assertEqual(shown.sees(r"([0-9a-f]+(?::[0-9a-f]+){10,})\s").group(1), first)
        self.assertNotIn("half a secret", shown.text)

    def test_the_end_of_input_is_a_no(self):
        self.pair_with_peer()
        for pattern, words in ((r"\[y/N\]", ("session", "revoke", "quentin")), ("Passphrase or recovery code: ", ("pair",))):
            self.at(pattern, *words, keys=CONTROL_D, code="6", secret=None if words == ("pair",) else "")
        self.talks()

    def test_nothing_changed_is_said_only_where_that_is_so(self):
        self.pair_with_peer()
        for pattern, words, said in (
                (r"\[y/N\]", ("session", "revoke", "quentin"), " Cancelled. Nothing changed."),
                ("Paste their answer", ("pair",), " Cancelled."),
                (r"\[y/N\]", ("setup", "ssh"), " Cancelled."),
                (r"\[y/N\]", ("setup", "git", "--passwords"), " Cancelled. Nothing changed.")):
            with self.subTest(words=words):
                shown = Screen(self, self.alice, *words, columns=200)
                shown.sees(pattern)
                shown.types(CONTROL_D)
                self.assertEqual(shown.ends(), 6, shown.plain)
                self.assertTrue(shown.plain.rstrip().endswith(said), shown.plain)

    def test_no_is_the_default(self):
        self.pair_with_peer()
        before = self.alice.rows()
        shown = Screen(self, self.alice, "session", "revoke", "quentin")
        shown.sees(r"\[y/N\]")
        shown.enters()
        self.assertEqual(shown.ends(), 6, shown.plain)
        self.assertEqual(self.alice.rows(), before)

    def test_a_terminal_that_goes_away(self):
        shown = Screen(self, self.alice, "pair")
        shown.sees("Paste their answer")
        shown.process.close(force=False)
        deadline = time.monotonic() + 20
        while shown.process.isalive() and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertFalse(shown.process.isalive(), "it does not outlive its terminal")
        self.ok(self.alice, "vault", "check")
        self.assertEqual(self.alice.kinds()["hsip.offer"], 1)

    def test_a_termination_signal_gives_the_terminal_back(self):
        shown = Screen(self, self.alice, "accept",
                       shell='stty -g; "$0" "$@"; echo "ended $?"; stty -g')
        first = shown.sees(r"([0-9a-f]+(?::[0-9a-f]+){10,})\s").group(1)
        shown.sees("Paste their code")
        child = int(open(f"/proc/{shown.process.pid}/task/{shown.process.pid}/children").read().split()[0])
        os.kill(child, signal.SIGTERM)
        self.assertEqual(shown.sees(r"ended (\d+)\s").group(1), "143", shown.plain)
        self.assertEqual(shown.sees(r"([0-9a-f]+(?::[0-9a-f]+){10,})\s").group(1), first)
