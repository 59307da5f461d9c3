"""Passwords, tokens, notes and files: in and out byte for byte, versions, trash, lists; with and without an agent."""

import base64
import datetime
import os
import signal
import time
import unittest

import agents as ag
import clipboards
from house import FAKETIME, Case
from screen import CONTROL_C, Screen

SECRET = "a very particular value"


class Values(Case):
    def test_every_byte_comes_back(self):
        for name, value in (("nul", b"\0"), ("all", bytes(range(256))), ("lines", b"a\nb\n"), ("crlf", b"a\r\n\r\n"),
                            ("utf8", "Zoë’s\n\n".encode()), ("big", os.urandom(1 << 20))):
            with self.subTest(name=name):
                self.ok(self.alice, "secret", "set", name, "--exact", given=value)
                self.assertEqual(self.ok(self.alice, "secret", "get", name).data, value)
                told = self.ok(self.alice, "secret", "get", name, "--json").result
                self.assertEqual(base64.b64decode(told["valueBase64"]), value)
        path = self.alice.path("files", "big")
        self.ok(self.alice, "secret", "get", "big", "-o", path)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.refused("alreadyExists", self.alice, "secret", "get", "big", "-o", path)
        self.ok(self.alice, "secret", "set", "copy", "--type", "file", "--from-file", path)
        with open(path, "rb") as file:
            self.assertEqual(self.ok(self.alice, "secret", "get", "copy", "--field", "content").data, file.read())

    def test_a_value_of_one_line_loses_its_line_feed(self):
        for given, kept in ((b"one\n", b"one"), (b"one", b"one"), (b"one\n\n", b"one\n\n"), (b"a\nb\n", b"a\nb\n")):
            self.ok(self.alice, "secret", "set", "x", given=given)
            self.assertEqual(self.ok(self.alice, "secret", "get", "x").data, kept)
        self.ok(self.alice, "secret", "set", "f", "--type", "file", given=b"one\n")
        self.assertEqual(self.ok(self.alice, "secret", "get", "f").data, b"one\n")
        self.ok(self.alice, "secret", "set", "f", given=b"two\n")
        self.assertEqual(self.ok(self.alice, "secret", "get", "f").data, b"two\n")

    def test_an_empty_value_has_to_be_meant(self):
        self.ends(6, self.alice, "secret", "set", "x", given=b"")
        self.ends(6, self.alice, "secret", "set", "x", given=b"\n")
        self.ok(self.alice, "secret", "set", "x", "--exact", given=b"")
        self.assertEqual(self.ok(self.alice, "secret", "get", "x").data, b"")

    def test_what_is_too_long_is_refused(self):
        self.refused("valueTooLong", self.alice, "secret", "set", "x", "--exact", given=b"x" * ((1 << 20) + 1))
        self.ok(self.alice, "secret", "set", "x", "--exact", given=b"x" * (1 << 20))
        self.refused("secretTooLong", self.alice, "secret", "set", "x", "--field", "more", given=b"y" * (1 << 20))

    def test_a_value_on_the_command_line_is_refused_and_not_repeated(self):
        for words in (("set", "x", SECRET), ("get", "x", SECRET), ("show", "x", SECRET)):
            outcome = self.ends(2, self.alice, "secret", *words, given=b"v")
            self.assertIn("cannot be given on the command line", outcome.talk)
            self.assertNotIn(SECRET, outcome.talk)

    def test_nothing_tells_a_value_but_get(self):
        self.ok(self.alice, "secret", "set", "x", "--user", "me", "-v", given=SECRET)
        for words in (("list",), ("show", "x"), ("set", "x", "--tag", "t", "--keep-value"), ("mv", "x", "y"),
                      ("rm", "y"), ("restore", "y"), ("list", "--json"), ("show", "y", "--json")):
            outcome = self.ok(self.alice, "-v", "secret", *words)
            self.assertNotIn(SECRET, outcome.output + outcome.talk)
            self.assertNotIn(base64.b64encode(SECRET.encode()).decode(), outcome.output)


class Life(Case):
    def test_versions_and_fields(self):
        for number in range(1, 13):
            self.ok(self.alice, "secret", "set", "db/prod", "--user", f"u{number}", given=f"p{number}")
        for words, value in (((), "p12"), (("--version", "3"), "p3"), (("--field", "user"), "u12"),
                             (("--field", "user", "--version", "4"), "u4")):
            self.assertEqual(self.ok(self.alice, "secret", "get", "db/prod", *words).output, value)
        self.refused("unknownSecretVersion", self.alice, "secret", "get", "db/prod", "--version", "2")
        self.refused("unknownField", self.alice, "secret", "get", "db/prod", "--field", "pin")
        shown = self.ok(self.alice, "secret", "show", "db/prod", "--json").result
        self.assertEqual([version["version"] for version in shown["versions"]], list(range(3, 13)))
        self.assertEqual(shown["fields"], ["user", "password"])
        same = self.ok(self.alice, "secret", "set", "db/prod", "--json", given="p12").result
        self.assertEqual((same["newVersion"], same["version"]), (False, 12))
        self.ok(self.alice, "secret", "set", "db/prod", "--keep-value", "--user", "", "--tag", "work")
        self.refused("unknownField", self.alice, "secret", "get", "db/prod", "--field", "user")
        self.assertEqual(self.ok(self.alice, "secret", "get", "db/prod").output, "p12")

    def test_types_do_not_change(self):
        self.ok(self.alice, "secret", "set", "x", "--type", "token", given="t")
        self.assertEqual(self.ok(self.alice, "secret", "get", "x", "--field", "token").output, "t")
        self.refused("secretTypeDiffers", self.alice, "secret", "set", "x", "--type", "note", given="n")
        self.refused("secretNameTaken", self.alice, "secret", "set", "x", "--new", given="n")
        self.ends(2, self.alice, "secret", "set", "x", "--type", "card", given="n")

    def test_trash(self):
        self.ok(self.alice, "secret", "set", "x", given="old")
        self.ok(self.alice, "secret", "rm", "x")
        self.refused("secretInTrash", self.alice, "secret", "get", "x")
        self.refused("secretInTrash", self.alice, "secret", "rm", "x")
        self.assertEqual(self.ok(self.alice, "secret", "list").output, "")
        self.assertEqual(self.ok(self.alice, "secret", "list", "--trash").output.split("\t")[0], "x")
        self.ok(self.alice, "secret", "show", "x", "--trash")
        moved = self.ok(self.alice, "secret", "set", "x", given="new")
        self.assertIn("the secret of the same name in the trash is now called x-2", moved.talk)
        self.assertIn("hsip secret restore x-2", moved.talk)
        self.assertNotIn("trash", self.ok(self.alice, "secret", "set", "x", given="newer").talk)
        self.assertEqual(self.ok(self.alice, "secret", "list", "--trash").output.split("\t")[0], "x-2")
        self.assertIn("x-2 is back", self.ok(self.alice, "secret", "restore", "x-2").talk)
        again = self.ok(self.alice, "secret", "restore", "x-2")
        self.assertIn("x-2 is not in the trash", again.talk)
        self.assertNotIn("is back", again.talk)
        self.assertEqual(self.ok(self.alice, "secret", "get", "x-2").output, "old")
        self.ok(self.alice, "secret", "mv", "x-2", "y")
        self.refused("secretNameTaken", self.alice, "secret", "mv", "y", "x")
        self.refused("unknownSecret", self.alice, "secret", "get", "x-2")

    def test_lists_find(self):
        for name, words in (("github", ("--url", "https://me:pw@github.com/a?b#c", "--user", "me", "--tag", "work")),
                            ("bank", ("--expires", "10d")), ("card", ("--expires", "90d"))):
            self.ok(self.alice, "secret", "set", name, *words, given="v")
        def names(*words):
            return [line.split("\t")[0] for line in self.ok(self.alice, "secret", "list", *words).lines]
        self.assertEqual(names(), ["bank", "card", "github"])
        self.assertEqual(names("GITHUB.com"), ["github"])
        self.assertEqual(names("--tag", "work"), ["github"])
        self.assertEqual(names("--expiring", "30d"), ["bank"])
        self.assertEqual(names("--type", "note"), [])
        line = self.ok(self.alice, "secret", "list", "github").output.split("\t")
        self.assertEqual(line[:5], ["github", "login", "me", "https://github.com/a", "active"])
        self.assertEqual(self.ok(self.alice, "secret", "get", "github", "--field", "url").output,
                         "https://me:pw@github.com/a?b#c")

    @unittest.skipUnless(FAKETIME, "faketime is not installed")
    def test_an_ended_secret_is_read_with_a_warning(self):
        self.ok(self.alice, "secret", "set", "x", "--expires", "1d", given="v")
        later = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=2)).strftime("%Y-%m-%d %H:%M:%S")
        outcome = self.ok(self.alice, "secret", "get", "x", time=later)
        self.assertEqual(outcome.output, "v")
        self.assertIn("hsip: warning: x ended", outcome.talk)
        self.assertEqual(self.ok(self.alice, "secret", "get", "x", "--json", time=later).warnings, ["secretExpired"])
        self.assertEqual(self.ok(self.alice, "secret", "list", time=later).output.split("\t")[4], "expired")

    def told(self, **how) -> list[tuple]:
        found = self.alice.run("doctor", "--json", **how).result["findings"]
        return [(one["state"], one["message"], one["hint"]) for one in found if one["check"] == "secrets"]

    @unittest.skipUnless(FAKETIME, "faketime is not installed")
    def test_doctor_tells_of_secrets_that_ended_or_end_soon(self):
        self.assertEqual(self.told(), [("ok", "no secret expires soon", None)])
        hint = "hsip secret list --expiring 30d"
        self.ok(self.alice, "secret", "set", "a", "--expires", "10d", given="v")
        self.assertEqual(self.told(), [("warning", "1 secret expiring soon", hint)])
        for name, end in (("b", "20d"), ("c", "40d"), ("d", "90d")):
            self.ok(self.alice, "secret", "set", name, "--expires", end, given="v")
        self.ok(self.alice, "secret", "set", "gone", "--expires", "1d", given="v")
        self.ok(self.alice, "secret", "rm", "gone")
        self.assertEqual(self.told(time="+15d"), [("warning", "1 secret ended, 2 secrets expiring soon", hint)])
        self.assertEqual(len(self.alice.run("secret", "list", "--expiring", "30d", time="+15d").lines), 3)
        outcome = self.alice.run("doctor", "--no-input", "--json", secret=None)
        self.assertNotIn("secrets", [one["check"] for one in outcome.result["findings"]])

    def test_bad_words_change_nothing(self):
        self.ok(self.alice, "secret", "set", "x", given="v")
        for name, words in (("badSecretName", ("set", "a\nb")), ("badSecretName", ("set", "n" * 249)),
                            ("badTag", ("set", "x", "--tag", "a,b")), ("badFieldName", ("set", "x", "--field", " ")),
                            ("unknownSecret", ("rm", "nothing")), ("unknownSecret", ("mv", "nothing", "y")),
                            ("unknownSecret", ("set", "nothing", "--keep-value", "--tag", "a")),
                            ("badSecretName", ("mv", "x", " y"))):
            with self.subTest(words=words):
                self.refused(name, self.alice, "secret", *words, given="w")
        for words in (("set", "x", "--expires", "soon"), ("list", "--expiring", "x"), ("get", "x", "--clear", "5s"),
                      ("get", "x", "--copy", "-o", "f"), ("set", "x", "--keep-value", "--exact")):
            self.ends(2, self.alice, "secret", *words, given="w")

    def test_an_end_is_a_date_or_a_year_from_now(self):
        self.ok(self.alice, "secret", "set", "x", "--expires", "2031-05-06", given="v")
        self.assertEqual(self.ok(self.alice, "secret", "show", "x", "--json").result["expiresAt"], "2031-05-06T00:00:00Z")
        self.ok(self.alice, "secret", "set", "x", "--keep-value", "--expires", "2031-05-06", TZ="Europe/Berlin")
        self.assertEqual(self.ok(self.alice, "secret", "show", "x", "--json").result["expiresAt"], "2031-05-05T22:00:00Z")
        self.ok(self.alice, "secret", "set", "x", "--keep-value", "--expires", "1y")
        end = datetime.datetime.fromisoformat(self.ok(self.alice, "secret", "show", "x", "--json").result["expiresAt"])
        self.assertEqual((end - datetime.datetime.now(datetime.timezone.utc)).days, 364)
        self.assertEqual(len(self.ok(self.alice, "secret", "list", "--expiring", "2y").lines), 1)
        self.assertEqual(len(self.ok(self.alice, "secret", "list", "--expiring", "2099-01-01").lines), 1)
        for word in ("2031-02-30", "2031-5-6", "1y2", "2031"):
            self.ends(2, self.alice, "secret", "set", "x", "--keep-value", "--expires", word)

    def test_a_reference_is_understood_where_a_name_is(self):
        self.ok(self.alice, "secret", "set", "db/my prod", "--user", "me", given="v")
        for word, value in (("vault:db/my%20prod", "v"), ("vault:db/my%20prod#user", "me"), ("vault:db/my%20prod#password", "v")):
            self.assertEqual(self.ok(self.alice, "secret", "get", word).output, value)
            self.assertEqual(self.ok(self.alice, "secret", "get", word, "-o", "-").output, value)
        self.assertEqual(self.ok(self.alice, "secret", "show", "vault:db/my%20prod", "--json").result["name"], "db/my prod")
        self.ends(2, self.alice, "secret", "get", "vault:db/my%20prod#user", "--field", "user")
        self.refused("unknownSecret", self.alice, "secret", "get", "vault:nobody#user")
        self.refused("unknownSecret", self.alice, "secret", "rm", "vault:db/my%20prod#user")
        # A name that only looks like one comes first.
        self.ok(self.alice, "secret", "set", "vault:db/my%20prod", given="mine")
        self.assertEqual(self.ok(self.alice, "secret", "get", "vault:db/my%20prod").output, "mine")

    def test_how_a_field_is_read_is_said_where_it_was_tried_otherwise(self):
        self.ok(self.alice, "secret", "set", "db", "--user", "me", given="v")
        outcome = self.ends(2, self.alice, "secret", "get", "db", "username")
        self.assertIn("hsip secret get db --field user\n", outcome.talk)
        outcome = self.ends(2, self.alice, "secret", "get", "db", SECRET)
        self.assertIn("--field FIELD", outcome.talk)
        self.assertNotIn(SECRET, outcome.talk)
        outcome = self.ends(3, self.alice, "secret", "get", "db", "--field", "username")
        self.assertIn("its fields are: user, password", outcome.talk)

    def test_a_near_name_is_proposed_to_a_person_and_a_script_reads_no_other_names(self):
        self.ok(self.alice, "secret", "set", "github", given="v")
        screen = Screen(self, self.alice, "secret", "get", "githup")
        screen.sees(r"did you mean github\?")
        self.assertEqual(screen.ends(), 3)
        self.assertNotIn("github", self.ends(3, self.alice, "secret", "get", "githup").talk)
        self.ends(3, self.alice, "secret", "get", "gith")


class OtherPrograms(Case):
    """What people are used to from pass, rbw, op, keepassxc-cli and ssh-keygen leads to the right command."""

    def test_reading_is_done_at_once(self):
        self.ok(self.alice, "secret", "set", "mail", "--user", "me", given="value")
        self.assertEqual(self.ok(self.alice, "get", "mail").output, "value")
        self.assertEqual(self.ok(self.alice, "get", "mail", "--field", "user").output, "me")
        listed = self.ok(self.alice, "secret", "list").output
        for word in ("ls", "list"):
            self.assertEqual(self.ok(self.alice, word).output, listed)
        self.assertEqual(self.ok(self.alice, "find", "mai").output, listed)
        self.assertEqual(self.ok(self.alice, "secret", "ls").output, listed)
        self.assertEqual(self.ok(self.alice, "contact", "ls").output, self.ok(self.alice, "contact", "list").output)
        self.assertEqual(self.ok(self.alice, "show", "mail").output, self.ok(self.alice, "secret", "show", "mail").output)
        self.assertIn("hsip secret get", self.ok(self.alice, "help", "get", secret=None).output)

    def test_what_writes_is_proposed(self):
        for words, hint in ((("add", "x"), "hsip secret set x"), (("insert", "a b"), "hsip secret set 'a b'"),
                            (("add",), "hsip secret set NAME"), (("add", "--force", "x"), "hsip secret set NAME"),
                            (("edit", "x"), "hsip secret edit x"), (("generate", "x"), "hsip secret generate x"),
                            (("rm", "x"), "hsip secret rm x"), (("mv", "x", "y"), "hsip secret mv x y"),
                            (("cp", "x"), "hsip secret cp x NEW"), (("import", "f"), "hsip vault import f"),
                            (("export",), "hsip vault export --to hsip -o FILE"), (("backup",), "hsip vault backup FILE"),
                            (("share", "x"), "hsip secret send x --to CONTACT"),
                            (("send", "x"), "hsip encrypt NAME"), (("keygen",), "hsip ssh key generate NAME"),
                            (("secret", "delete", "x"), "hsip secret rm x"), (("secret", "add", "x"), "hsip secret set x"),
                            (("ssh", "key", "add", "f"), "hsip ssh key import f"), (("contact", "add"), "hsip accept"),
                            (("invite",), "hsip pair"), (("kit",), "hsip vault kit"), (("whoami",), "hsip identity show"),
                            (("vault", "list"), "hsip status"), (("vault", "passwd"), "hsip vault passphrase"),
                            (("contact", "invite"), "hsip pair"), (("sceret",), "hsip secret"), (("scrt",), "hsip help"),
                            (("statsu",), "hsip status"), (("frobnicate",), "hsip help")):
            with self.subTest(words=words):
                outcome = self.ends(2, self.alice, *words, secret=None)
                self.assertIn(f"hint: {hint}\n", outcome.talk)


class Small(Case):
    """What is said after small changes, and what needs no value."""

    def test_a_change_of_tags_is_said(self):
        self.ok(self.alice, "secret", "set", "x", given="v")
        self.assertIn("changed; its values did not",
                      self.ok(self.alice, "secret", "set", "x", "--keep-value", "--tag", "work").talk)
        self.assertIn("did not change", self.ok(self.alice, "secret", "set", "x", "--keep-value", "--tag", "work").talk)

    def test_a_field_is_dropped_without_a_question_for_the_password(self):
        self.ok(self.alice, "secret", "set", "x", "--user", "me", given="v")
        screen = Screen(self, self.alice, "secret", "set", "x", "--drop-field", "user")
        self.assertEqual(screen.ends(), 0, screen.plain)
        self.assertNotIn("assword of", screen.plain)
        self.assertEqual(self.ok(self.alice, "secret", "get", "x").output, "v")
        self.assertIsNone(self.ok(self.alice, "secret", "show", "x", "--json").result["user"])

    def test_a_field_is_dropped_in_a_script_without_a_value_and_with_one(self):
        self.ok(self.alice, "secret", "set", "x", "--user", "me", given="v")
        self.ok(self.alice, "secret", "set", "x", "--drop-field", "user")
        self.assertEqual(self.ok(self.alice, "secret", "get", "x").output, "v")
        self.assertIsNone(self.ok(self.alice, "secret", "show", "x", "--json").result["user"])
        # A value that a script brings is never left out.
        self.ok(self.alice, "secret", "set", "x", "--drop-field", "user", given="new")
        self.assertEqual(self.ok(self.alice, "secret", "get", "x").output, "new")

    def test_a_second_version_is_not_called_stored(self):
        self.ok(self.alice, "secret", "generate", "x")
        self.assertIn("x is version 2 now", self.ok(self.alice, "secret", "generate", "x").talk)

    def test_names_are_shown_as_a_tree(self):
        for name in ("db/prod", "db/test/a", "db/test/b", "mail"):
            self.ok(self.alice, "secret", "set", name, given="v")
        self.assertEqual(self.ok(self.alice, "secret", "list", "--tree").output, "db\n\u251c\u2500\u2500 prod\n"
                         "\u2514\u2500\u2500 test\n    \u251c\u2500\u2500 a\n    \u2514\u2500\u2500 b\nmail\n")

    def test_what_makes_passwords_by_a_counter_is_not_copied(self):
        key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        for name, kind in (("by counter", "hotp/x?counter=0&"), ("by time", "totp/x?")):
            self.ok(self.alice, "secret", "totp", name, "--set", "-", given=f"otpauth://{kind}secret={key}")
        self.refused("usage", self.alice, "secret", "cp", "by counter", "copy")
        self.ends(3, self.alice, "secret", "show", "copy")
        self.ok(self.alice, "secret", "cp", "by time", "copy")
        self.assertEqual(self.ok(self.alice, "secret", "totp", "by counter").output, "755224")

    def test_a_copy_has_everything_but_the_history(self):
        self.ok(self.alice, "secret", "set", "x", "--user", "me", "--tag", "work", "--expires", "90d", given="old")
        self.ok(self.alice, "secret", "set", "x", given="value")
        copy = self.ok(self.alice, "secret", "cp", "x", "y", "--json").result
        old = self.ok(self.alice, "secret", "show", "x", "--json").result
        self.assertEqual((copy["name"], copy["version"]), ("y", 1))
        for member in ("type", "user", "tags", "expiresAt"):
            self.assertEqual(copy[member], old[member])
        self.assertEqual(self.ok(self.alice, "secret", "get", "y").output, "value")
        self.refused("secretNameTaken", self.alice, "secret", "cp", "x", "y")
        self.refused("unknownSecret", self.alice, "secret", "cp", "nothing", "z")

    def test_several_are_removed_or_none(self):
        for name in ("a", "b", "c"):
            self.ok(self.alice, "secret", "set", name, given="v")
        self.assertIn("no secret named", self.ends(3, self.alice, "secret", "rm", "a", "nothing").talk)
        self.ends(2, self.alice, "secret", "rm", "a", "b", "--json")
        self.ok(self.alice, "secret", "rm", "a", "b")
        self.assertEqual([line.split("\t")[0] for line in self.ok(self.alice, "secret", "list").lines], ["c"])

    def test_an_export_as_a_table_says_that_ends_are_left_out(self):
        self.ok(self.alice, "secret", "set", "x", "--expires", "90d", given="v")
        outcome = self.ok(self.alice, "vault", "export", "--plaintext", "csv", "--expect", "1", "-o", self.alice.path("files", "t"))
        self.assertIn("does not tell when 1 secret end", outcome.talk)


class AtTheTerminal(Case):
    def test_a_person_types_twice_and_sees_nothing(self):
        screen = Screen(self, self.alice, "secret", "set", "x")
        screen.sees("Password of .*x.*: ")
        screen.enters("typed")
        screen.sees("same again: ")
        screen.enters("typed")
        screen.sees("easy to guess: Weak")
        screen.sees("hsip secret generate x")
        screen.sees("x is stored")
        self.assertEqual(screen.ends(), 0)
        self.assertNotIn("typed", screen.text)
        self.assertEqual(self.ok(self.alice, "secret", "get", "x").output, "typed")
        screen = Screen(self, self.alice, "secret", "set", "x")
        screen.sees("New password of .*x.*: ")
        screen.enters("one")
        screen.sees("same again: ")
        screen.enters("other")
        screen.sees("two entries differ")
        screen.sees("New password of .*x.*: ")
        screen.types(CONTROL_C)
        self.assertEqual(screen.ends(), 130)
        self.assertEqual(self.ok(self.alice, "secret", "get", "x").output, "typed")

    def test_a_note_has_several_lines(self):
        screen = Screen(self, self.alice, "secret", "set", "n", "--type", "note")
        screen.sees("Ctrl-D ends it: ")
        screen.types("one\r\rtwo\r\x04")
        screen.sees("n is stored")
        self.assertEqual(screen.ends(), 0)
        self.assertNotIn("two", screen.text)
        self.assertEqual(self.ok(self.alice, "secret", "get", "n").data, b"one\n\ntwo")

    def test_the_beginning_of_a_name_and_a_line_feed(self):
        self.ok(self.alice, "secret", "set", "github", given="value")
        screen = Screen(self, self.alice, "secret", "get", "git")
        screen.sees("hsip uses github")
        screen.sees("value\r\n")
        self.assertEqual(screen.ends(), 0)

    def test_the_beginning_of_a_name_is_enough_to_check_one_and_for_a_password(self):
        self.ok(self.alice, "secret", "set", "github", given="value")
        self.ok(self.alice, "secret", "totp", "github", "--set", "-",
                given="otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0")
        screen = Screen(self, self.alice, "secret", "totp", "git")
        screen.sees("hsip uses github")
        screen.sees("755224\r\n")
        self.assertEqual(screen.ends(), 0)
        screen = Screen(self, self.alice, "secret", "check", "gith")
        screen.sees("hsip uses github")
        screen.sees("github +weak")
        self.assertEqual(screen.ends(), 0)
        for verb in ("totp", "check"):
            screen = Screen(self, self.alice, "secret", verb, "githup")
            screen.sees(r"did you mean github\?")
            self.assertEqual(screen.ends(), 3)
            self.ends(3, self.alice, "secret", verb, "gith")

    def test_what_a_terminal_would_act_on_is_not_shown(self):
        self.ok(self.alice, "secret", "set", "x", "--exact", given=b"\x1b]0;title\x07")
        screen = Screen(self, self.alice, "secret", "get", "x")
        screen.sees("not plain text")
        self.assertEqual(screen.ends(), 2)


class WithAgent(Case):
    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()

    def test_the_agent_does_the_same(self):
        self.ok(self.alice, "secret", "set", "before", given="v")
        self.ok(self.alice, "agent", "rule", "add", "tests", "allow", "--kind", "read", "-y")
        agent = ag.Hsip(self.alice)
        agent.unlock()
        self.alice.opens_with = None
        value = os.urandom(1 << 20)
        self.ok(self.alice, "secret", "set", "big", "--type", "file", given=value)
        self.assertEqual(self.ok(self.alice, "secret", "get", "big").data, value)
        self.assertEqual(self.ok(self.alice, "secret", "get", "before").output, "v")
        self.ok(self.alice, "secret", "rm", "before")
        self.refused("secretInTrash", self.alice, "secret", "get", "before")
        self.ok(self.alice, "secret", "restore", "before")
        self.assertEqual(len(self.ok(self.alice, "secret", "list").lines), 2)
        log = [line for line in self.ok(self.alice, "audit", "list").lines if "\tbig" in line]
        self.assertTrue(any("secret.get" in line for line in log), log)

    def test_doctor_tells_of_ends_through_the_agent(self):
        self.ok(self.alice, "secret", "set", "a", "--expires", "10d", given="v")
        agent = ag.Hsip(self.alice)
        agent.unlock()
        self.alice.opens_with = None
        found = self.alice.run("doctor", "--json").result["findings"]
        self.assertEqual([one["message"] for one in found if one["check"] == "secrets"], ["1 secret expiring soon"])

    def test_without_a_terminal_it_is_asked_or_refused(self):
        self.ok(self.alice, "secret", "set", "x", given="v")
        agent = ag.Hsip(self.alice)
        agent.unlock()
        self.alice.opens_with = None
        self.ok(self.alice, "secret", "show", "x")
        self.assertEqual(self.ends(6, self.alice, "secret", "get", "x", "--no-input").output, "")


class InTheClipboard(Case):
    desktop = clipboards.X

    def setUp(self):
        if self.desktop.missing():
            self.skipTest(self.desktop.missing())
        super().setUp()
        self.clipboard = self.desktop(self)
        self.screen = self.clipboard.environment
        self.ok(self.alice, "secret", "set", "x", given=SECRET)

    def holds(self, selection: str = "clipboard") -> bytes:
        return self.clipboard.holds(selection)

    def puts(self, text: bytes, selection: str):
        self.clipboard.puts(text, selection)

    def keepers(self) -> list[int]:
        found = []
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                with open(f"/proc/{name}/stat", "rb") as file:
                    parent = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, NotADirectoryError):
                continue
            # Its parent is gone, so we are it: others may run the same test.
            if words[1:2] == [b"clipboard-keeper"] and parent == os.getpid():
                found.append(int(name))
        return found

    def copies(self, *words: str) -> str:
        outcome = self.ok(self.alice, "secret", "get", "x", "--copy", *words, **self.screen)
        self.assertEqual(outcome.output, "")
        self.assertEqual(self.holds(), SECRET.encode())
        return outcome.talk

    def listens(self, process: int):
        """Waits until the process has its own answer to a signal that ends others."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with open(f"/proc/{process}/status", encoding="ascii") as file:
                caught = next(line for line in file if line.startswith("SigCgt:")).split()[1]
            if int(caught, 16) >> (signal.SIGTERM - 1) & 1:
                return
            time.sleep(0.02)

    def ended(self):
        """Waits until nobody waits to empty this clipboard."""
        end = time.monotonic() + 60
        while self.keepers() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(self.keepers(), [])

    def test_it_is_emptied_in_time_the_marked_text_too(self):
        self.puts(SECRET.encode(), "primary")
        self.assertIn("for 1 s", self.copies("--clear", "1s"))
        self.ended()
        self.assertEqual((self.holds(), self.holds("primary")), (b"", b""))

    def test_what_somebody_else_put_there_stays(self):
        self.copies("--clear", "1h")
        self.puts(b"theirs", "clipboard")
        keepers = self.keepers()
        self.assertEqual(len(keepers), 1)
        self.listens(keepers[0])
        os.kill(keepers[0], signal.SIGTERM)
        self.ended()
        self.assertEqual(self.holds(), b"theirs")

    def test_a_new_password_goes_there_stored_or_not(self):
        outcome = self.ok(self.alice, "secret", "generate", "--copy", "--clear", "0s", **self.screen)
        self.assertEqual((outcome.output, len(self.holds())), ("", 16))
        self.assertIn("keeps the value", outcome.talk)
        told = self.ok(self.alice, "secret", "generate", "made", "--copy", "--clear", "1s", "--json", **self.screen)
        self.assertEqual((told.result["value"], told.result["copied"], told.result["version"]), (None, True, 1))
        self.ended()
        self.assertEqual(self.holds(), b"")
        self.ok(self.alice, "secret", "generate", "kept", "--copy", "--clear", "0s", **self.screen)
        self.assertEqual(self.ok(self.alice, "secret", "get", "kept").data, self.holds())

    def test_a_one_time_password_goes_there(self):
        key = "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        self.ok(self.alice, "secret", "totp", "x", "--set", "-", given=key)
        # Without a clipboard none is used up.
        self.ends(12, self.alice, "secret", "totp", "x", "--copy")
        told = self.ok(self.alice, "secret", "totp", "x", "--copy", "--clear", "1s", "--json", **self.screen).result
        self.assertEqual((told["password"], told["copied"], told["counter"], self.holds()), (None, True, 0, b"755224"))
        self.ended()
        self.assertEqual(self.holds(), b"")
        self.ends(2, self.alice, "secret", "totp", "x", "--copy", "--set", "-", given=key, **self.screen)

    def test_without_a_clipboard_no_password_is_made(self):
        before = self.alice.rows()
        self.ends(12, self.alice, "secret", "generate", "lost", "--copy")
        self.assertEqual(self.alice.rows(), before)
        self.ends(2, self.alice, "secret", "generate", "--clear", "5s")
        self.ends(2, self.alice, "secret", "generate", "--copy", "--clear", "2h", **self.screen)

    def test_the_one_who_waits_does_not_have_it(self):
        self.copies("--clear", "1h")
        [keeper] = self.keepers()
        with open(f"/proc/{keeper}/cmdline", "rb") as file:
            self.assertNotIn(SECRET.encode(), file.read())
        try:
            with open(f"/proc/{keeper}/environ", "rb") as file:
                self.assertNotIn(SECRET.encode(), file.read())
        except PermissionError:
            pass  # It hides itself; root alone may look.
        self.listens(keeper)
        os.kill(keeper, signal.SIGTERM)
        self.ended()
        self.assertEqual(self.holds(), b"")


class InTheClipboardOfWayland(InTheClipboard):
    desktop = clipboards.Wayland

    def test_where_nobody_can_be_started_to_wait_it_is_emptied_at_once(self):
        # Not with X: there a program stays to own even an empty clipboard, and the tracer stays with it.
        failing = ("strace", "-f", "-o", "/dev/null", "-P", "/proc/self/exe", "-e", "inject=execve:error=EACCES")
        outcome = self.alice.run("secret", "get", "x", "--copy", before=failing, **self.screen)
        self.assertNotEqual(outcome.code, 0, outcome)
        self.assertNotIn(SECRET, outcome.output)
        self.assertEqual((self.holds(), self.keepers()), (b"", []))


if __name__ == "__main__":
    unittest.main()
