"""Two people from nothing to the end of a session, everything through pipes."""

import os
import re
import stat

from house import ALONE, FRIENDS, PAIRED, STRANGERS, Case, Person, newcomer, xc

RECOVERY = re.compile(r"^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){6}\n$")


class FirstRun(Case):
    world = None

    def setUp(self):
        super().setUp()
        from house import clear_now
        clear_now()
        self.alice = Person("alice")
        self.alice.make_folders()

    def init(self, *words: str, **how):
        return self.alice.run("init", "--name", "Alice", *words, secret="passphrase", **how)

    def test_init_makes_a_vault_and_hands_out_a_recovery_code(self):
        outcome = self.init("-o", self.alice.path("files", "recovery"))
        self.assertEqual(outcome.code, 0, outcome)
        with open(self.alice.path("files", "recovery"), encoding="utf-8") as file:
            code = file.read()
        self.assertRegex(code, RECOVERY)
        self.assertEqual(os.stat(self.alice.path("files", "recovery")).st_mode & 0o777, 0o600)
        for path, mode in ((self.alice.vault, 0o600), (os.path.dirname(self.alice.vault), 0o700),
                           (self.alice.anchors, 0o700)):
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), mode, path)
        self.assertNotIn(code.strip(), outcome.output + outcome.talk)
        self.alice.write("secrets/recovery", code)
        for secret in ("passphrase", "recovery"):
            self.ok(self.alice, "identity", "show", secret=secret)

    def test_init_as_json_names_everything_but_the_recovery_code(self):
        path = self.alice.path("files", "recovery")
        outcome = self.init("-o", path, "--json")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(outcome.result["outputFile"], path)
        self.assertEqual(outcome.result["vault"]["path"], self.alice.vault)
        self.assertEqual([slot["kind"] for slot in outcome.result["slots"]], ["passphrase", "recovery"])
        with open(path, encoding="utf-8") as file:
            self.assertNotIn(file.read().strip(), outcome.output)

    def test_init_without_a_place_for_the_recovery_code_makes_nothing(self):
        for words in ((), ("--json",), ("--no-input",)):
            outcome = self.init(*words)
            self.assertEqual(outcome.code, 7, outcome)
            self.assertFalse(os.path.exists(self.alice.vault), outcome)

    def test_init_without_anybody_to_ask_for_a_passphrase_makes_nothing(self):
        outcome = self.alice.run("init", "--name", "Alice", "-o", self.alice.path("files", "r"), secret=None)
        self.assertEqual(outcome.code, 7, outcome)
        self.assertFalse(os.path.exists(self.alice.vault), outcome)
        self.assertFalse(os.path.exists(self.alice.path("files", "r")), outcome)

    def test_a_short_passphrase_is_refused_unless_it_is_wanted(self):
        self.alice.write("secrets/passphrase", "ninechars\n")
        outcome = self.init("-o", self.alice.path("files", "recovery"))
        self.assertEqual(outcome.code, 6, outcome)
        self.assertFalse(os.path.exists(self.alice.vault))
        self.assertEqual(self.init("-o", self.alice.path("files", "recovery"), "--weak").code, 0)

    def test_init_never_replaces_a_vault_or_a_file(self):
        path = self.alice.path("files", "recovery")
        self.assertEqual(self.init("-o", path).code, 0)
        with open(self.alice.vault, "rb") as file:
            before = file.read()
        self.assertEqual(self.init("-o", self.alice.path("files", "second")).code, 4)
        with open(self.alice.vault, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertFalse(os.path.exists(self.alice.path("files", "second")))
        other = self.alice.run("--vault", "work", "init", "--name", "Alice", "-o", path, secret="passphrase")
        self.assertEqual(other.code, 4, other)
        self.assertFalse(os.path.exists(self.alice.path("data", "hsip", "work.hsipvault")), other)

    def test_a_name_that_travels_badly_is_refused(self):
        for name in ("x" * 41, "Al\u202eice", "Al\x1bice", "Al\u200bice"):
            with self.subTest(name=name):
                outcome = self.alice.run("init", "--name", name, "-o", self.alice.path("files", "r"),
                                         secret="passphrase")
                self.assertIn(outcome.code, (2, 13), outcome)
                self.assertFalse(os.path.exists(self.alice.vault))
                self.assertNotIn("\x1b", outcome.talk)
                self.assertNotIn("\u202e", outcome.talk)

    def test_two_vaults_of_one_person_know_nothing_of_each_other(self):
        for name in ("vault", "work"):
            outcome = self.alice.run("--vault", name, "init", "--name", name, "-o",
                                     self.alice.path("files", name), secret="passphrase")
            self.assertEqual(outcome.code, 0, outcome)
        shown = [self.ok(self.alice, "--vault", name, "identity", "show", "--json", secret="passphrase").result
                 for name in ("vault", "work")]
        self.assertEqual([one["name"] for one in shown], ["vault", "work"])
        self.assertNotEqual(shown[0]["peerId"], shown[1]["peerId"])
        by_variable = self.ok(self.alice, "identity", "show", "--json", secret="passphrase", HSIP_VAULT="work")
        self.assertEqual(by_variable.result["name"], "work")

    def test_a_vault_may_lie_anywhere(self):
        folder = self.alice.path("elsewhere")
        os.mkdir(folder, 0o700)
        for path in (folder + "/a.hsipvault", "./elsewhere/b.hsipvault"):
            outcome = self.alice.run("--vault", path, "init", "--name", "Away", "-o", path + ".recovery",
                                     secret="passphrase")
            self.assertEqual(outcome.code, 0, outcome)
            self.ok(self.alice, "--vault", path, "identity", "show", secret="passphrase")
        self.assertFalse(os.path.exists(self.alice.vault))

    def test_before_init_everything_says_so(self):
        for words in (("pair",), ("encrypt", "bob"), ("session", "list"), ("vault", "check")):
            outcome = self.ends(3, self.alice, *words, secret="passphrase")
            self.assertIn("hsip init", outcome.talk)


class Conversation(Case):
    world = STRANGERS

    def test_from_an_offer_to_the_last_word(self):
        alice, bob = self.alice, self.bob
        offer = self.ok(alice, "pair")
        self.assertEqual((len(offer.lines), offer.kind), (1, "offer"), offer)
        answer = self.ok(bob, "accept", "-y", "--as", "alice", given=offer.output)
        self.assertEqual((len(answer.lines), answer.kind), (1, "answer"), answer)

        early = self.ok(bob, "encrypt", "alice", given="before you took my answer").output
        self.assertEqual(self.ok(alice, "accept", "-y", "--as", "bob", given=answer.output).output, "")
        self.assertEqual(self.ok(alice, "decrypt", given=early).output.strip(), "before you took my answer")

        hello = self.ok(alice, "encrypt", "bob", given="hello Bob")
        self.assertEqual(len(hello.lines), 1, hello)
        self.assertEqual(self.ok(bob, "decrypt", given=hello.output).output.strip(), "hello Bob")

        numbers = [self.ok(one, "verify", other, "--number").output for one, other in
                   ((alice, "bob"), (bob, "alice"))]
        self.assertEqual(numbers[0], numbers[1])
        shown = [self.ok(one, "verify", other, "--json").result for one, other in
                 ((alice, "bob"), (bob, "alice"))]
        self.assertEqual(shown[0]["words"], shown[1]["words"])
        self.assertEqual({shown[0]["role"], shown[1]["role"]}, {"offered", "answered"})

        rotate = self.ok(alice, "session", "rotate", "bob")
        accept = self.ok(bob, "accept", "-y", given=rotate.output)
        self.assertEqual((rotate.kind, accept.kind), ("rotate", "accept"))
        self.ok(alice, "accept", "-y", given=accept.output)
        self.is_friendly(alice, bob)

        notice = self.ok(alice, "session", "revoke", "bob", "--reason", "ended", "-y")
        self.assertEqual((len(notice.lines), notice.kind), (1, "revoke"), notice)
        self.ok(bob, "accept", "-y", given=notice.output)
        for one, other in ((alice, "bob"), (bob, "alice")):
            self.refused("revoked", one, "encrypt", other, given="too late")
            self.ok(one, "vault", "check")

    def test_offers_that_cross_end_in_one_session(self):
        offers = [self.ok(one, "pair").output for one in (self.alice, self.bob)]
        answers = [self.ok(self.alice, "accept", "-y", "--as", "bob", given=offers[1]).output,
                   self.ok(self.bob, "accept", "-y", "--as", "alice", given=offers[0]).output]
        self.ok(self.bob, "accept", "-y", given=answers[0])
        self.ok(self.alice, "accept", "-y", given=answers[1])
        self.is_friendly(self.alice, self.bob)
        self.is_friendly(self.bob, self.alice)

    def test_a_code_passes_by_argument_file_and_pipe(self):
        offer = self.ok(self.alice, "pair").output
        answer = self.ok(self.bob, "accept", offer.strip(), "-y", "--as", "alice").output
        path = self.alice.write("files/answer.txt", f"Hi Alice,\n{answer}\nBob\n")
        self.ok(self.alice, "accept", path, "-y", "--as", "bob")
        self.is_friendly(self.alice, self.bob)

    def test_a_code_as_a_link_and_in_chat(self):
        offer = self.ok(self.alice, "pair").reply
        body = offer.removeprefix("HSIP:")
        link = f"look: hsip://{body.lower()} bye"
        answer = self.ok(self.bob, "accept", "-y", "--as", "alice", given=link).reply
        chat = "".join(f"> {answer[at:at + 40]}\n" for at in range(0, len(answer), 40))
        self.ok(self.alice, "accept", "-y", "--as", "bob", given=f"Bob wrote:\n{chat}\n-- \nBob")
        self.is_friendly(self.alice, self.bob)

    def test_accept_takes_an_offer_again_and_gives_the_same_answer(self):
        offer = self.ok(self.alice, "pair").output
        first = self.ok(self.bob, "accept", "-y", "--as", "alice", given=offer).reply
        self.assertEqual(self.ok(self.bob, "accept", "-y", given=offer).reply, first)
        again = self.ok(self.bob, "pair", "alice", "--json").result
        self.assertEqual((again["code"], again["cached"]), (first, True))
        self.ok(self.alice, "accept", "-y", "--as", "bob", given=first)
        twice = self.ok(self.alice, "accept", "-y", "--json", given=first)
        self.assertEqual(twice.result["outcome"], "unchanged")
        self.assertIn("alreadyPaired", twice.warnings)

    def test_a_new_contact_gets_the_name_that_was_sent(self):
        offer = self.ok(self.alice, "pair").output
        self.ok(self.bob, "accept", "-y", given=offer)
        self.assertEqual(self.contact(self.bob, "alice")["sentName"], "Alice")

    def test_without_yes_nothing_is_saved_under_a_guessed_name(self):
        offer = self.ok(self.alice, "pair").output
        outcome = self.bob.run("accept", "--no-input", given=offer)
        self.assertIn(outcome.code, (0, 7), outcome)
        if outcome.code == 7:
            self.assertIn("--as", outcome.talk)
            self.assertEqual(self.bob.kinds()["hsip.contact"], 0)

    def test_a_taken_name_is_refused_in_a_script(self):
        other = newcomer("carol")
        self.ok(self.bob, "accept", "-y", "--as", "alice", given=self.ok(self.alice, "pair").output)
        stranger = self.ok(other, "pair").output
        outcome = self.refused("identityChanged", self.bob, "accept", "-y", "--as", "alice", given=stranger)
        details = outcome.json["error"]["details"]
        self.assertEqual(details["oldPeerId"], self.contact(self.bob, "alice")["peerId"])
        self.ok(self.bob, "accept", "-y", "--as", "carol", given=stranger)

    def test_the_sent_name_of_another_person_collides(self):
        self.ok(self.bob, "accept", "-y", given=self.ok(self.alice, "pair").output)
        twin = xc.Peer(name="Alice").make_offer()
        outcome = self.refused("nameCollision", self.bob, "accept", "-y", given=twin)
        self.assertIn("--as", outcome.json["error"]["hint"])

    def test_an_identity_is_one_contact(self):
        self.ok(self.bob, "accept", "-y", "--as", "alice", given=self.ok(self.alice, "pair").output)
        again = self.ok(self.alice, "pair").output
        self.refused("identityKnown", self.bob, "accept", "-y", "--as", "lisa", given=again)


class Status(Case):
    world = FRIENDS

    def test_status_tells_what_there_is(self):
        status = self.ok(self.alice, "status", "--json").result
        self.assertEqual((status["locked"], status["contacts"], status["identity"]["name"]), (False, 1, "Alice"))

    def test_status_without_a_secret_is_locked_but_no_failure(self):
        outcome = self.ok(self.alice, "status", "--json", secret=None)
        self.assertIs(outcome.result["locked"], True)
        self.assertIsNone(outcome.result["contacts"])
        self.assertNotIn("bob", outcome.output)
        self.assertEqual(self.alice.run("status", "--exit-code", secret=None).code, 5)
        self.assertEqual(self.alice.run("status", "--exit-code").code, 0)

    def test_the_bare_program_says_what_to_do(self):
        outcome = self.alice.run(secret=None)
        self.assertEqual(outcome.code, 0, outcome)
        for word in ("pair", "accept", "encrypt", "decrypt"):
            self.assertIn(word, outcome.output + outcome.talk)

    def test_version(self):
        self.assertRegex(self.ok(self.alice, "version", secret=None).output, r"^hsip \d+\.\d+\.\d+\n$")
        self.assertRegex(self.ok(self.alice, "--version", secret=None).output, r"^hsip \d+\.\d+\.\d+\n$")
        self.ok(self.alice, "version", "--json", secret=None)

    def test_the_vault_is_sound(self):
        self.assertTrue(self.ok(self.alice, "vault", "check", "--json").result)
        self.assertGreater(len(self.alice.records()), 2)


class Identity(Case):
    world = PAIRED

    def test_the_identity_shows_and_changes_its_name(self):
        before = self.ok(self.alice, "identity", "show", "--json").result
        self.ok(self.alice, "identity", "set", "--name", "Alicia")
        self.ends(13, self.alice, "identity", "set", "--name", "\u200d" * 5)
        after = self.ok(self.alice, "identity", "show", "--json").result
        self.assertEqual((after["name"], after["peerId"]), ("Alicia", before["peerId"]))
        code = xc.parse(xc.extract(self.ok(self.alice, "pair").output))
        self.assertEqual(code.name.decode(), "Alicia")

    def test_the_exported_identity_is_public_only(self):
        shown = self.ok(self.alice, "identity", "show", "--json").result
        exported = self.ok(self.alice, "identity", "export")
        self.assertTrue(shown["peerIdBase64"] in exported.output or shown["publicKeyBase64"] in exported.output
                        or shown["peerId"] in exported.output, exported)
        seed = self.alice.records()[("hsip.identity", "self")]
        self.assertNotIn(seed[1:33].hex(), exported.output)
