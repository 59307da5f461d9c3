"""What a vault keeps goes out and comes back: under a passphrase, and as plaintext after a typed word."""

import csv
import io
import json
import os
import stat
import unittest

import agents as ag
import export_file as ef
import house
import ssh_keys as sk
from house import Case, must
from screen import Screen

WORD = "a passphrase for exports ä"


class ExportCase(Case):
    world = house.STRANGERS

    def setUp(self):
        super().setUp()
        table = self.alice.write("files/p.csv", 'name,username,password,PIN,notes\nmail,bob,"a""b\n",1,n\nbare,,é,,\n')
        must(self.alice.run("vault", "import", table))
        self.key = sk.make(self.alice.path("files", "id_work"), comment="at work")
        must(self.alice.run("ssh", "key", "import", self.key, "--name", "work"))
        must(self.alice.run("ssh", "host", "add", "db1", "--address", "db1.example.org", "--user", "deploy", "--key", "work"))
        with open(self.key + ".pub", encoding="utf-8") as file:
            line = "known.example.org " + " ".join(file.read().split()[:2]) + "\n"
        must(self.alice.run("ssh", "host", "import", "-", given=line))
        for person in (self.alice, self.bob):
            person.write("secrets/export", WORD + "\n")

    def secrets(self, person) -> dict[str, dict]:
        return {name: ef.credential(body) for (kind, name), body in person.records().items() if kind == "secret"}

    def exports(self, *words: str) -> str:
        path = self.alice.path("files", "out.hsipexport")
        outcome = self.ok(self.alice, "vault", "export", "--to", "hsip", "-o", path, "--export-passphrase-file",
                          self.alice.secret_file("export"), *words, "--json")
        self.assertTrue(outcome.result["encrypted"])
        return path

    def takes(self, path: str, *words: str) -> dict:
        return self.ok(self.bob, "vault", "import", path, "--export-passphrase-file", self.bob.secret_file("export"), *words,
                       "--json").result


class Sealed(ExportCase):
    def test_all_of_it_is_read_by_the_second_implementation(self):
        path = self.exports()
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        with open(path, "rb") as file:
            items = ef.read(file.read(), WORD)
        records = self.alice.records()
        found = {(kind, name): content for kind, name, content in items}
        for kind, record in ((ef.SECRET, "secret"), (ef.SSH_KEY, "ssh.key"), (ef.SSH_HOST, "ssh.host")):
            self.assertEqual({name: content for (number, name), content in found.items() if number == kind},
                             {name: body for (what, name), body in records.items() if what == record})
        self.assertIn(b"known.example.org", found[(ef.KNOWN_HOSTS, "")])
        self.assertEqual({kind for kind, _, _ in items}, {0, 1, 2, 3, 4})

    def test_another_vault_takes_it_in_one_commit_and_a_second_time_nothing(self):
        path = self.exports()
        before = self.bob.rows()
        trial = self.takes(path, "--dry-run")
        self.assertEqual(self.bob.rows(), before)
        report = self.takes(path)
        self.assertEqual({**report, "trial": True}, trial)
        self.assertEqual(self.secrets(self.bob), self.secrets(self.alice))
        self.assertEqual([part["outcome"] for part in report["sshKeys"] + report["sshHosts"]], ["added", "added"])
        self.assertEqual(report["knownHosts"], {"added": 1, "conflicts": 0})
        host = self.ok(self.bob, "ssh", "host", "show", "db1", "--json").result["host"]
        self.assertEqual(host["key"], "work")
        again = self.takes(path)
        self.assertEqual((again["counts"]["known"], again["sshKeys"][0]["outcome"], again["sshHosts"][0]["outcome"]),
                         (2, "known", "known"))

    def test_what_lies_in_the_trash_comes_out_of_it_with_an_export_that_holds_it(self):
        path = self.exports()
        self.takes(path)
        for words in (("secret", "rm", "mail"), ("ssh", "host", "rm", "db1"), ("ssh", "key", "rm", "work")):
            must(self.bob.run(*words))
        report = self.takes(path)
        self.assertEqual([part["outcome"] for part in report["sshKeys"] + report["sshHosts"]], ["restored", "restored"])
        self.assertEqual(report["counts"]["restored"], 1)
        self.assertEqual(self.published(), ["work.pub"])
        # Twice: after a jump of more than a day the trash waits for a second mark.
        for days in (31, 33):
            must(self.bob.run("ssh", "key", "generate", f"later{days}", time=f"+{days}d"))
        self.assertEqual(self.secrets(self.bob), self.secrets(self.alice))
        self.assertEqual(self.ok(self.bob, "ssh", "host", "show", "db1", "--json").result["host"]["key"], "work")

    def test_what_the_second_implementation_writes_is_taken(self):
        with open(self.exports(), "rb") as file:
            items = ef.read(file.read(), WORD)
        path = self.bob.write("files/theirs", ef.write(items, WORD))
        self.assertEqual(self.takes(path)["counts"]["imported"], 2)
        self.assertEqual(self.secrets(self.bob), self.secrets(self.alice))

    def test_a_key_whose_name_is_taken_gets_another_and_its_host_follows(self):
        must(self.bob.run("ssh", "key", "generate", "work"))
        report = self.takes(self.exports())
        self.assertEqual((report["sshKeys"][0]["outcome"], report["sshKeys"][0]["name"]), ("renamed", "work-2"))
        self.assertEqual(self.ok(self.bob, "ssh", "host", "show", "db1", "--json").result["host"]["key"], "work-2")

    def bobs(self, name: str) -> dict:
        return self.ok(self.bob, "ssh", "key", "show", name, "--json").result

    def published(self) -> list[str]:
        return sorted(os.listdir(self.bob.path("state", "hsip", "ssh")))

    def test_a_key_or_host_whose_name_is_taken_is_left_out_and_named_where_that_is_wanted(self):
        must(self.bob.run("ssh", "key", "generate", "work"))
        must(self.bob.run("ssh", "host", "add", "db1", "--address", "other.example.org", "--user", "me", "--auth", "password"))
        mine, before = self.bobs("work"), self.ok(self.bob, "ssh", "host", "show", "db1", "--json").result["host"]
        outcome = self.ok(self.bob, "vault", "import", self.exports(), "--export-passphrase-file", self.bob.secret_file("export"),
                          "--on-duplicate", "skip", "--json")
        self.assertEqual([part["outcome"] for part in outcome.result["sshKeys"] + outcome.result["sshHosts"]],
                         ["nameTaken", "nameTaken"])
        self.assertEqual([warning["count"] for warning in outcome.json["warnings"] if warning["code"] == "importNamesTaken"], [2])
        self.assertEqual(self.bobs("work"), mine)
        self.assertEqual(self.ok(self.bob, "ssh", "host", "show", "db1", "--json").result["host"], before)

    def test_a_host_whose_name_is_taken_gets_another_where_that_is_wanted(self):
        must(self.bob.run("ssh", "host", "add", "db1", "--address", "other.example.org", "--user", "me", "--auth", "password"))
        report = self.takes(self.exports(), "--on-duplicate", "rename")
        self.assertEqual((report["sshHosts"][0]["outcome"], report["sshHosts"][0]["name"]), ("renamed", "db1-2"))
        self.assertEqual(self.ok(self.bob, "ssh", "host", "show", "db1-2", "--json").result["host"]["key"], "work")

    def test_an_update_takes_the_name_and_keeps_the_key_that_had_it_as_retired(self):
        must(self.bob.run("ssh", "key", "generate", "work"))
        must(self.bob.run("ssh", "host", "add", "db1", "--address", "other.example.org", "--user", "me", "--key", "work"))
        old = self.bobs("work")["fingerprint"]
        path = self.exports()
        trial = self.takes(path, "--on-duplicate", "update", "--dry-run")
        report = self.takes(path, "--on-duplicate", "update")
        self.assertEqual({**report, "trial": True}, trial)
        self.assertEqual([(part["name"], part["outcome"]) for part in report["sshKeys"] + report["sshHosts"]],
                         [("work", "updated"), ("db1", "updated")])
        self.assertEqual(self.bobs("work")["fingerprint"], sk.fingerprint(self.key))
        retired = self.bobs("work-retired")
        self.assertEqual((retired["fingerprint"], retired["state"]), (old, "retired"))
        host = self.ok(self.bob, "ssh", "host", "show", "db1", "--json").result["host"]
        self.assertEqual((host["address"], host["key"]), ("db1.example.org", "work"))
        self.assertEqual(self.published(), ["work-retired.pub", "work.pub"])
        before = self.bob.rows()
        again = self.takes(path, "--on-duplicate", "update")
        self.assertEqual([part["outcome"] for part in again["sshKeys"] + again["sshHosts"]], ["known", "known"])
        self.assertEqual(self.bob.rows(), before)

    def test_a_host_that_was_taken_before_and_changed_since_is_updated(self):
        self.takes(self.exports())
        must(self.alice.run("ssh", "host", "set", "db1", "--port", "2222"))
        os.unlink(self.alice.path("files", "out.hsipexport"))
        path = self.exports()
        self.assertEqual(self.takes(path)["sshHosts"][0]["outcome"], "known")
        self.assertEqual(self.takes(path, "--on-duplicate", "update")["sshHosts"][0]["outcome"], "updated")
        self.assertEqual(self.ok(self.bob, "ssh", "host", "show", "db1", "--json").result["host"]["port"], 2222)

    def test_another_passphrase_and_damage_are_told_apart_and_change_nothing(self):
        path = self.exports()
        before = self.bob.rows()
        self.bob.write("secrets/other", "another\n")
        outcome = self.bob.run("vault", "import", path, "--export-passphrase-file", self.bob.secret_file("other"), "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (6, "wrongSecret"))
        with open(path, "rb") as file:
            whole = file.read()
        for name, content in (("cut", whole[:-1]), ("changed", whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])):
            damaged = self.bob.write("files/" + name, content)
            outcome = self.bob.run("vault", "import", damaged, "--export-passphrase-file", self.bob.secret_file("export"), "--json")
            self.assertEqual((outcome.code, outcome.json["error"]["code"]), (11, "exportTampered"))
        later = self.bob.write("files/later", b"HSIPEXPORT2\n" + whole[12:])
        outcome = self.bob.run("vault", "import", later, "--export-passphrase-file", self.bob.secret_file("export"), "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (13, "unsupportedVersion"))
        self.assertEqual(self.bob.rows(), before)

    def test_what_no_program_would_put_in_is_refused_as_that(self):
        before = self.bob.rows()
        cases = {"secret": (ef.SECRET, "a", b"\x01nonsense"), "name": (ef.SECRET, "a\nb", b""), "key": (ef.SSH_KEY, "k", b"\x01"),
                 "host": (ef.SSH_HOST, "h", b"\x01\x02")}
        for name, item in cases.items():
            for items in ([item], [(ef.ABOUT, "", bytes(8)), item]):
                with self.subTest(name=name, items=len(items)):
                    path = self.bob.write("files/" + name, ef.write(items, WORD))
                    outcome = self.bob.run("vault", "import", path, "--export-passphrase-file",
                                           self.bob.secret_file("export"), "--json")
                    self.assertEqual((outcome.code, outcome.json["error"]["exit"]), (13, 13), outcome)
        self.assertEqual(self.bob.rows(), before)

    def test_known_hosts_come_once(self):
        two = [(ef.KNOWN_HOSTS, "", b"a ssh-ed25519 AAAA\n")] * 2
        path = self.bob.write("files/two", ef.write(two, WORD))
        outcome = self.bob.run("vault", "import", path, "--export-passphrase-file", self.bob.secret_file("export"), "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (13, "malformedInput"))

    def test_identity_people_and_sessions_stay(self):
        house.pair(self.alice, self.bob)
        with open(self.exports(), "rb") as file:
            items = ef.read(file.read(), WORD)
        kinds = {body for (kind, _), body in self.alice.records().items() if kind.startswith("hsip.")}
        self.assertFalse(kinds & {content for _, _, content in items})

    def test_a_file_that_is_there_is_not_replaced(self):
        path = self.exports()
        outcome = self.alice.run("vault", "export", "--to", "hsip", "-o", path, "--export-passphrase-file",
                                 self.alice.secret_file("export"))
        self.assertEqual(outcome.code, 4)
        self.exports("--force")

    def test_words_that_do_not_go_together(self):
        for words, code in (((), 2), (("--to", "hsip"), 7), (("--to", "hsip", "--plaintext", "csv", "-o", "x"), 2),
                            (("--to", "hsip", "--expect", "1", "-o", "x"), 2), (("--to", "hsip", "-o", "x"), 7)):
            self.assertEqual(self.alice.run("vault", "export", *words).code, code, words)
        self.assertFalse(os.path.exists(self.alice.path("x")))


@unittest.skipIf(ag.missing(), ag.missing())
class ByTheAgent(ExportCase):
    """Without a terminal the agent asks its person about all of it at once, and a no is the end of it."""

    def setUp(self):
        super().setUp()
        for name in ("one", "two"):
            must(self.alice.run("ssh", "key", "generate", name))
        self.agent = ag.Hsip(self.alice)

    def export(self, answer: str, *words: str):
        """What it ends with, and the one question."""
        self.agent.askpass.says(answer)
        path = self.alice.path("files", f"{answer}-{len(os.listdir(self.alice.path('files')))}")
        outcome = self.alice.run("vault", "export", *words, "-o", path, "--json", secret=None)
        asked = self.agent.askpass.asked()
        self.assertFalse(self.agent.askpass.was_asked(), "more than one question")
        return path, outcome, asked

    def test_one_question_for_secrets_and_keys(self):
        sealed = ("--to", "hsip", "--export-passphrase-file", self.alice.secret_file("export"))
        for words, keys in ((("--plaintext", "csv", "--expect", "2"), 0), (("--plaintext", "json", "--expect", "5"), 3), (sealed, 3)):
            with self.subTest(words=words):
                path, outcome, asked = self.export("no", *words)
                self.assertEqual((outcome.code, os.path.exists(path)), (6, False), outcome)
                self.assertIn("all passwords, tokens, notes and files", asked)
                self.assertEqual("work" in asked and "two" in asked, keys > 0)
                path, outcome, _ = self.export("yes", *words)
                self.assertEqual((outcome.code, outcome.result["secrets"], outcome.result["sshKeys"]), (0, 2, keys), outcome)

    def test_a_rule_about_one_secret_counts_for_all_of_them(self):
        self.agent.agreed("agent", "rule", "add", "keep", "deny", "--kind", "read", "--subject", "mail", secret=None)
        sealed = ("--to", "hsip", "--export-passphrase-file", self.alice.secret_file("export"))
        for words in (("--plaintext", "csv", "--expect", "2"), ("--plaintext", "json", "--expect", "5"), sealed):
            with self.subTest(words=words):
                path = self.alice.path("files", "kept")
                outcome = self.alice.run("vault", "export", *words, "-o", path, "--json", secret=None)
                self.assertEqual((outcome.code, outcome.json["error"]["code"]), (6, "policyRefused"), outcome)
                self.assertFalse(os.path.exists(path) or self.agent.askpass.was_asked())
        # A rule about what is not there refuses nothing.
        self.agent.agreed("agent", "rule", "rm", "keep", secret=None)
        self.agent.agreed("agent", "rule", "add", "other", "deny", "--kind", "read", "--subject", "nosuch", secret=None)
        self.assertEqual(self.export("yes", "--plaintext", "csv", "--expect", "2")[1].code, 0)

    def test_a_rule_about_one_key_counts(self):
        self.agent.agreed("agent", "rule", "add", "keep", "deny", "--kind", "read", "--subject", "two", secret=None)
        path = self.alice.path("files", "none.json")
        outcome = self.alice.run("vault", "export", "--plaintext", "json", "--expect", "5", "-o", path, "--json", secret=None)
        self.assertEqual((outcome.code, outcome.json["error"]["code"], os.path.exists(path)), (6, "policyRefused", False), outcome)
        self.assertFalse(self.agent.askpass.was_asked())


class Open(ExportCase):
    def writes(self, form: str, expect: str, *words: str):
        path = self.alice.path("files", "out." + form)
        return path, self.alice.run("vault", "export", "--plaintext", form, "-o", path, "--expect", expect, *words, "--json")

    def test_without_the_number_nothing_is_written(self):
        path, outcome = self.writes("csv", "3")
        self.assertEqual((outcome.code, os.path.exists(path)), (6, False))
        outcome = self.alice.run("vault", "export", "--plaintext", "csv", "-o", path, "-y")
        self.assertEqual((outcome.code, os.path.exists(path)), (7, False))

    def test_a_table_for_every_program_and_back(self):
        path, outcome = self.writes("csv", "2")
        self.assertEqual((outcome.code, stat.S_IMODE(os.stat(path).st_mode)), (0, 0o600), outcome)
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row["name"]: row["password"] for row in rows}, {"mail": 'a"b\n', "bare": "é"})
        self.assertEqual(rows[1]["PIN"], "1")
        must(self.bob.run("vault", "import", path))
        fields = {name: secret["fields"] for name, secret in self.secrets(self.bob).items()}
        self.assertEqual(fields, {name: secret["fields"] for name, secret in self.secrets(self.alice).items()})

    def test_fields_that_are_called_as_the_tables_own_columns_come_back(self):
        for field in ("name", "tags", "title", "username", 'a "b"'):
            must(self.alice.run("secret", "set", "mail", "--field", field, given=f"value of {field}"))
        path, outcome = self.writes("csv", "2")
        self.assertEqual(outcome.code, 0, outcome)
        must(self.bob.run("vault", "import", path))
        fields = {name: secret["fields"] for name, secret in self.secrets(self.bob).items()}
        self.assertEqual(fields, {name: secret["fields"] for name, secret in self.secrets(self.alice).items()})

    def test_json_with_the_keys(self):
        path, outcome = self.writes("json", "3")
        self.assertEqual(outcome.code, 0, outcome)
        with open(path, encoding="utf-8") as file:
            whole = json.load(file)
        values = {secret["name"]: {field["name"]: field["value"] for field in secret["fields"]} for secret in whole["secrets"]}
        self.assertEqual(values["mail"], {"user": "bob", "password": 'a"b\n', "PIN": "1", "notes": "n"})
        key = self.alice.write("files/out_key", whole["sshKeys"][0]["privateKey"])
        self.assertEqual(sk.public_of(key), sk.beside(self.key))

    def test_on_a_terminal_the_number_is_typed(self):
        path = self.alice.path("files", "typed.csv")
        screen = Screen(self, self.alice, "vault", "export", "--plaintext", "csv", "-o", path)
        screen.sees("how many entries there")
        screen.enters("2")
        self.assertEqual(screen.ends(), 0)
        self.assertTrue(os.path.exists(path))
