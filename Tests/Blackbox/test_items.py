"""The items of other programs: out of a real keyring, read and changed by hsip, and back into one."""

import datetime
import os
import unittest

import agents as ag
import keyring as kr
import service as sv
from house import Case, Person, clear_now


@unittest.skipIf(kr.missing(), kr.missing())
class Items(Case):
    world = None

    def setUp(self):
        super().setUp()
        clear_now()
        self.alice = Person("alice")
        self.alice.make_folders()
        self.bus = self.alice.start_keyring()
        made = self.alice.run("init", "--backend", "file", "--name", "Alice", "--no-input", "-o",
                              self.alice.secret_file("recovery"), "--json", secret="passphrase")
        self.assertEqual(made.code, 0, made)
        self.alice.opens_with = "recovery"
        for user in ("one", "two"):
            self.bus.add(f"mail of {user}", {"xdg:schema": "org.example.Mail", "user": user}, f"pass {user}".encode())
        self.bus.add("a key", {"application": "browser"}, bytes(range(256)))

    def takes(self, *words: str) -> dict[str, tuple[str, str | None]]:
        outcome = self.ok(self.alice, "item", "import", "--from", "keyring", "-y", "--json", *words)
        return {item["label"]: (item["result"], item["id"]) for item in outcome.result["items"]}

    def all(self, *words: str) -> dict[str, dict]:
        return {item["label"]: item for item in self.ok(self.alice, "item", "list", "--json", *words).result["items"]}

    def test_a_keyring_is_taken_once(self):
        trial = self.takes("--dry-run")
        self.assertEqual({result for result, _ in trial.values()}, {"added"})
        self.assertEqual(self.all(), {})
        taken = self.takes()
        self.assertEqual({label: result for label, (result, _) in taken.items()},
                         {"mail of one": "added", "mail of two": "added", "a key": "added"})
        found = self.all()
        self.assertEqual(found["mail of one"]["attributes"], {"xdg:schema": "org.example.Mail", "user": "one"})
        self.assertEqual((found["a key"]["owner"], found["a key"]["collection"]), (None, "login"))
        self.assertEqual({result for result, _ in self.takes().values()}, {"known"})
        value = self.ok(self.alice, "item", "get", found["a key"]["id"])
        self.assertEqual(value.data, bytes(range(256)))

    def test_another_value_is_a_new_version_on_request(self):
        self.takes()
        path = [item.path for item in self.bus.items() if item.label == "mail of one"][0]
        self.bus.set_secret(path, b"changed")
        self.assertEqual(self.takes()["mail of one"][0], "differs")
        self.assertEqual(self.ok(self.alice, "item", "get", "mail of one").output, "pass one")
        self.assertEqual(self.takes("--update")["mail of one"][0], "versioned")
        self.assertEqual(self.ok(self.alice, "item", "get", "mail of one").output, "changed")
        shown = self.ok(self.alice, "item", "show", "mail of one", "--json").result
        self.assertEqual(len(shown["versions"]), 2, shown)
        first = str(shown["versions"][0])
        self.assertEqual(self.ok(self.alice, "item", "get", "mail of one", "--version", first).output, "pass one")

    def test_of_equal_items_the_newest_counts_and_a_second_time_nothing_is_new(self):
        for value in (b"older", b"newer"):
            self.bus.add("twin", {"twin": "1"}, value)
        outcome = self.ok(self.alice, "item", "import", "--from", "keyring", "-y", "--update", "--json")
        self.assertEqual(sorted(item["result"] for item in outcome.result["items"] if item["label"] == "twin"),
                         ["added", "versioned"])
        outcome = self.ok(self.alice, "item", "import", "--from", "keyring", "-y", "--update", "--json")
        self.assertEqual({item["result"] for item in outcome.result["items"]}, {"known"})

    def test_what_the_vault_cannot_hold_is_named_and_the_rest_is_taken(self):
        self.bus.add("too long", {"n": "1"}, b"x" * ((1 << 20) + 1))
        self.bus.add("as long as may be", {"n": "2"}, b"x" * (1 << 20))
        self.bus.add("long attribute", {"n": "x" * ((16 << 10) + 1)}, b"v")
        taken = self.takes()
        self.assertEqual({label: result for label, (result, _) in taken.items()},
                         {"mail of one": "added", "mail of two": "added", "a key": "added", "too long": "refused",
                          "as long as may be": "added", "long attribute": "refused"})

    def test_parts_of_a_vault_in_the_keyring_stay_there(self):
        self.ok(self.alice, "--vault", "other", "init", "--backend", "keyring", "--name", "Other", "--no-input",
                secret=None)
        self.bus.add("mine", {"vault": "of wine"}, b"v")
        self.assertEqual(set(self.takes()), {"mail of one", "mail of two", "a key", "mine"})

    def test_times_of_the_keyring_are_kept(self):
        made = {item.label: self.bus.ask(item.path, "Item", "Created") for item in self.bus.items()}
        self.takes()
        self.assertEqual({label: item["createdAt"] for label, item in self.all().items()},
                         {label: datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
                          for label, time in made.items()})

    def test_items_are_found_named_and_changed(self):
        self.takes()
        one = self.all("one")["mail of one"]
        self.assertEqual(set(self.all("--schema", "org.example.Mail")), {"mail of one", "mail of two"})
        self.assertEqual(set(self.all("--program", "none")), {"mail of one", "mail of two", "a key"})
        self.assertEqual(self.all("--collection", "other"), {})
        outcome = self.alice.run("item", "set", "--collection", "other", "--label", "x", "-y", "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (3, "unknownItem"), outcome)
        changed = self.ok(self.alice, "item", "set", one["id"][:8], "--label", "post", "--expires", "never",
                          "--reader", "/usr/bin/mutt", "--json").result["items"]
        self.assertEqual([(item["label"], item["readers"]) for item in changed], [("post", ["/usr/bin/mutt"])])
        self.ok(self.alice, "item", "set", "--schema", "org.example.Mail", "--owner", "/usr/bin/mail", "-y")
        self.assertEqual(set(self.all("--program", "/usr/bin/mail")), {"post", "mail of two"})
        self.ok(self.alice, "item", "set", "--program", "/usr/bin/mail", "--collection", one["collection"],
                "--expires", "90d", "-y")
        self.assertEqual({label for label, item in self.all().items() if item["expiresAt"]}, {"post", "mail of two"})
        self.ok(self.alice, "item", "set", "post", "--no-reader", "/usr/bin/mutt", "--owner", "none")
        self.assertEqual(self.all()["post"]["readers"], [])
        self.assertIsNone(self.all()["post"]["owner"])

    def test_a_question_about_a_change_has_the_labels(self):
        self.takes()
        one = self.all()["mail of one"]
        agent = ag.Hsip(self.alice)
        self.addCleanup(agent.end)
        agent.askpass.says("yes")
        self.ok(self.alice, "item", "set", one["id"], "--reader", "/usr/bin/mutt", secret=None)
        self.assertIn(f"{one['id'][:8]} mail of one", sv.plain(agent.askpass.asked()))

    def test_a_script_becomes_no_owner_and_two_blanks_are_refused(self):
        self.takes()
        for option, words, hint in (
                ("--owner", "/usr/bin/python3.11 /usr/share/app/mail.py",
                 "hsip item set ID --reader '/usr/bin/python3.11 /usr/share/app/mail.py'"),
                ("--reader", "/usr/bin/python3.11  /usr/share/app/mail.py",
                 "hsip item set ID --reader '/usr/bin/python3.11 /usr/share/app/mail.py'")):
            with self.subTest(option=option):
                outcome = self.refused("badIdentity", self.alice, "item", "set", "mail of one", option, words)
                self.assertEqual(outcome.json["error"]["hint"], hint)
        item = self.all()["mail of one"]
        self.assertEqual((item["owner"], item["readers"]), (None, []))

    def test_a_reader_that_never_fits_is_warned_about(self):
        self.takes()
        python = os.path.realpath("/usr/bin/python3")
        mine = self.alice.write("files/mail.py", "", 0o666)
        os.chmod(mine, 0o666)
        system = os.path.realpath(os.__file__)

        def said(reader: str, option: str = "--reader"):
            for former in self.all()["mail of one"]["readers"]:
                self.ok(self.alice, "item", "set", "mail of one", "--no-reader", former)
            return self.ok(self.alice, "item", "set", "mail of one", option, reader).talk

        for reader, text, hint in (
                (f"/usr/bin/python3 {system}", f"is a link to {python}, ",
                 f"hsip item set 'mail of one' --reader '{python} {system}'"),
                ("/usr/bin/python3", f"is a link to {python}, ", f"hsip item set 'mail of one' --reader {python}"),
                (f"{python} /usr/share/none/mail.py", "there is no file /usr/share/none/mail.py", None),
                (f"{python} mail.py", f"there is no file {python} mail.py", None),
                (f"{python} {os.path.realpath(mine)}", "not only root can change", None)):
            with self.subTest(reader=reader):
                talk = said(reader)
                self.assertEqual(talk.count("hsip: warning:"), 1, talk)
                self.assertIn(f"--reader {reader} has no effect now: ", talk)
                self.assertIn(text, talk)
                self.assertIn(f"hsip: hint: {hint}\n" if hint else text, talk)
                self.assertIn(reader, self.all()["mail of one"]["readers"])
        owned = self.ok(self.alice, "item", "set", "mail of one", "--owner", "/usr/bin/python3", "--json")
        self.assertEqual(owned.warnings, ["programFitsNothing"])
        for reader in (python, f"{python} {system}", "flatpak:org.example.Mail"):
            with self.subTest(reader=reader):
                self.assertNotIn("warning", said(reader))

    def test_words_that_name_none_or_several_change_nothing(self):
        self.takes()
        self.bus.add("a key", {"application": "other"}, b"x")
        self.takes()
        for code, name, words in ((7, "ambiguousItem", ("get", "a key")), (3, "unknownItem", ("get", "nosuch")),
                                  (3, "unknownItem", ("show", "abc")), (3, "unknownItem", ("rm", "mail of one", "x")),
                                  (13, "badIdentity", ("set", "mail of one", "--reader", "mutt")),
                                  (2, "usage", ("set", "mail of one")),
                                  (2, "usage", ("set", "--label", "x"))):
            with self.subTest(words=words):
                outcome = self.alice.run("item", *words, "--json")
                self.assertEqual((outcome.code, outcome.json["error"]["code"]), (code, name), outcome)
        self.assertIn("mail of one", self.all())

    def test_what_is_removed_comes_back(self):
        self.takes()
        item = self.all()["a key"]["id"]
        self.ok(self.alice, "item", "rm", item)
        self.assertNotIn("a key", self.all())
        self.assertIsNotNone(self.all("--trash")["a key"]["removedAt"])
        self.ok(self.alice, "item", "restore", item)
        self.assertEqual(self.ok(self.alice, "item", "get", item).data, bytes(range(256)))

    def test_a_value_is_given_back_to_a_keyring_and_replaces_none(self):
        self.takes()
        paths = {item.label: item.path for item in self.bus.items()}
        self.bus.remove(paths["mail of one"])
        self.bus.set_secret(paths["mail of two"], b"newer")
        for words in (("--expect", "2"), ()):
            outcome = self.alice.run("item", "export", "--to", "keyring", *words, "--no-input", "--json")
            self.assertNotEqual(outcome.code, 0, outcome)
        outcome = self.ok(self.alice, "item", "export", "--to", "keyring", "--expect", "3", "--json")
        self.assertEqual({item["label"]: item["result"] for item in outcome.result["items"]},
                         {"mail of one": "added", "mail of two": "differs", "a key": "known"})
        values = {item.label: item.secret for item in self.bus.items()}
        self.assertEqual(values, {"mail of one": b"pass one", "mail of two": b"newer", "a key": bytes(range(256))})

    def test_an_export_leaves_items_out_and_says_so(self):
        self.takes()
        words = ("vault", "export", "--to", "hsip", "--export-passphrase-file", self.alice.secret_file("passphrase"), "--weak")
        outcome = self.ok(self.alice, *words, "-o", self.alice.path("files", "v.hsipexport"))
        self.assertIn("3 items of other programs stay here", outcome.talk)

    def test_items_and_their_trash_come_with_backup_and_restore(self):
        self.takes()
        self.ok(self.alice, "item", "rm", "a key")
        self.ok(self.alice, "item", "set", "mail of one", "--owner", "/usr/bin/mail", "--reader", "/usr/bin/mutt")
        before, trash = self.all(), self.all("--trash")
        copy = self.alice.path("files", "copy")
        self.ok(self.alice, "vault", "backup", copy)
        self.ok(self.alice, "vault", "check")
        self.ok(self.alice, "item", "rm", "mail of two")
        self.ok(self.alice, "vault", "restore", copy, "--force", "--accept-rollback", "-y")
        # What was removed since stays in the trash, and all else is as it was.
        trash["mail of two"] = before.pop("mail of two")
        self.assertEqual(self.all(), before)
        self.assertEqual(set(self.all("--trash")), set(trash))
        self.ok(self.alice, "item", "restore", trash["mail of two"]["id"], trash["a key"]["id"])
        self.assertEqual(self.ok(self.alice, "item", "get", "a key").data, bytes(range(256)))
        self.assertEqual(self.all()["mail of one"]["readers"], ["/usr/bin/mutt"])

    def test_a_label_moves_no_cursor(self):
        self.bus.add("bad\x1b[2J\u202elabel", {"n": "\x1b]0;x\x07"}, b"v")
        self.takes()
        for words in (("item", "list"), ("item", "show", "bad\x1b[2J\u202elabel")):
            outcome = self.ok(self.alice, *words, "--color", "always")
            self.assertNotIn("\x1b[2J", outcome.talk)


if __name__ == "__main__":
    unittest.main()
