"""What other programs hand out goes into the vault: with exports that those programs made themselves."""

import base64
import hashlib
import hmac
import io
import json
import os
import shutil
import struct
import subprocess
import unittest
import zipfile

import agents as ag
import export_file as ef
import house
import keyring as kr
from house import Case, Person

DATABASE = "the password of a database"


class ImportCase(Case):
    def brings(self, source: str, *words: str, given: bytes = b"", **how) -> dict:
        return self.ok(self.alice, "vault", "import", source, *words, "--json", given=given, **how).result

    def secrets(self) -> dict[str, dict]:
        return {name: ef.credential(body) for (kind, name), body in self.alice.records().items() if kind == "secret"}

    def file(self, name: str, content: str | bytes) -> str:
        return self.alice.write("files/" + name, content)


class Tables(ImportCase):
    def test_a_browsers_table_is_known_and_its_values_are_kept_to_the_byte(self):
        path = self.file("p.csv", 'name,url,username,password,note\nex,https://ex.org/a,bob," a""b,\nc ","n é"\n'
                                  ",https://u@other.org:8/x,al,pw,\n")
        report = self.brings(path)
        self.assertEqual((report["form"], report["counts"]["imported"], report["trial"]), ("browser-csv", 2, False))
        secrets = self.secrets()
        self.assertEqual(sorted(secrets), ["ex", "other.org"])
        self.assertEqual(secrets["ex"]["fields"], {"url": b"https://ex.org/a", "user": b"bob", "password": b' a"b,\nc ',
                                                   "notes": "n é".encode()})
        self.assertEqual((secrets["ex"]["type"], secrets["ex"]["origin"]), ("login", "browser"))

    def test_a_dry_run_says_it_all_and_changes_nothing(self):
        path = self.file("p.csv", "name,password\na,1\na,2\nb\n")
        before = self.alice.rows()
        report = self.brings(path, "--dry-run")
        self.assertEqual(self.alice.rows(), before)
        self.assertEqual([(entry["name"], entry["outcome"]) for entry in report["entries"]], [("a", "added"), ("a-2", "renamed")])
        self.assertEqual(report["refused"], [{"title": "b", "place": 4, "reason": "empty"}])
        self.assertEqual(self.brings(path)["entries"], report["entries"])
        self.assertEqual(sorted(self.secrets()), ["a", "a-2"])

    def test_what_is_there_is_known_and_another_one_of_the_name_is_named(self):
        self.brings(self.file("one.csv", "name,username,password\na,u,1\nb,u,1\n"))
        other = self.file("two.csv", "name,username,password\na,u,1\nb,u,2\n")
        outcome = self.ok(self.alice, "vault", "import", other, "--json")
        self.assertEqual([entry["outcome"] for entry in outcome.result["entries"]], ["known", "nameTaken"])
        self.assertEqual(outcome.warnings, ["importNamesTaken"])
        self.assertEqual(self.secrets()["b"]["fields"]["password"], b"1")
        self.assertEqual(self.brings(other, "--on-duplicate", "rename")["entries"][1]["name"], "b-2")
        self.brings(self.file("three.csv", "name,username,password\nb,u,3\n"), "--on-duplicate", "update")
        self.assertEqual([version["fields"]["password"] for version in self.secrets()["b"]["versions"]], [b"1", b"3"])

    def test_more_than_a_hundred_are_asked_about(self):
        path = self.file("p.csv", "name,password\n" + "".join(f"e{number},{number}\n" for number in range(101)))
        before = self.alice.rows()
        self.assertEqual(self.alice.run("vault", "import", path).code, 7)
        self.assertEqual(self.alice.rows(), before)
        self.assertEqual(self.brings(path, "-y")["counts"]["imported"], 101)
        self.assertEqual(self.secrets()["e100"]["fields"], {"password": b"100"})

    def test_the_form_is_said_aloud_and_stdin_is_a_file(self):
        outcome = self.ok(self.alice, "vault", "import", "-", given="name,password\na,1\n")
        self.assertIn("note: this is CSV", outcome.talk)
        self.assertEqual(outcome.output, "a\tadded\ta\n")

    def test_no_value_is_ever_said(self):
        path = self.file("p.csv", "name,username,password,PIN\na,u,sesam-1,sesam-2\nb,u,sesam-3\n")
        for words in (("--dry-run",), ("--json", "--dry-run"), ("-v",)):
            outcome = self.alice.run("vault", "import", path, *words)
            self.assertNotIn(b"sesam", outcome.data + outcome.talk_data)


@unittest.skipIf(ag.missing(), ag.missing())
class ThroughTheAgent(ImportCase):
    def test_the_same_comes_through_the_agent_and_a_trial_writes_nothing(self):
        path = self.file("p.csv", "name,username,password\n" + "".join(f"e{number},u,p{number}\n" for number in range(100)))
        ag.Hsip(self.alice).askpass.says_always_yes()
        before = self.alice.rows()
        self.brings(path, "--dry-run", secret=None)
        self.assertEqual(self.alice.rows(), before)
        self.assertEqual(self.brings(path, secret=None)["counts"]["imported"], 100)
        self.assertEqual(self.brings(path, secret=None)["counts"]["known"], 100)
        self.assertEqual(self.secrets()["e7"]["fields"], {"user": b"u", "password": b"p7"})


class Hostile(ImportCase):
    """Exports that are made to hurt: each is done with in seconds, or refused, and the report of what was done is told."""

    def test_fields_of_one_long_name_all_get_names(self):
        name = "ä" * 70
        path = self.file("b.json", json.dumps({"encrypted": False, "items": [{"type": 1, "name": "a", "fields": [
            {"name": name, "value": str(number), "type": 0} for number in range(12)]}]}))
        self.brings(path)
        fields = self.secrets()["a"]["fields"]
        self.assertEqual(sorted(fields.values(), key=int), [str(number).encode() for number in range(12)])

    def test_entries_of_one_long_title_all_get_names(self):
        path = self.file("p.csv", "name,password\n" + "".join(f"{'x' * 300},{number}\n" for number in range(12)))
        self.assertEqual(self.brings(path)["counts"]["renamed"], 11)
        secrets = self.secrets()
        self.assertEqual({secret["fields"]["password"] for secret in secrets.values()},
                         {str(number).encode() for number in range(12)})
        self.assertTrue(all(len(name.encode()) <= 248 for name in secrets))
        for name in secrets:
            self.ok(self.alice, "secret", "get", name)

    def test_thousands_of_one_name_take_no_longer_than_thousands_of_names(self):
        path = self.file("p.csv", "name,password\n" + "".join(f"same,{number}\n" for number in range(20_000)))
        self.assertEqual(self.brings(path, "-y")["counts"]["renamed"], 19_999)
        self.assertEqual(self.ok(self.alice, "secret", "get", "same-20000").data, b"19999")

    def test_a_report_of_many_megabytes_is_told(self):
        path = self.file("p.csv", "name,password\n" + "".join(f"{number} {'x' * 230},1\n" for number in range(30_000)))
        report = self.brings(path, "-y")
        self.assertEqual((report["counts"]["imported"], len(report["entries"])), (30_000, 30_000))
        listed = self.ok(self.alice, "secret", "list", "--json").result["secrets"]
        self.assertEqual(len(listed), 30_000)

    def test_a_title_that_is_too_long_is_cut_in_the_report(self):
        path = self.file("p.csv", f"name,password\n{'x' * 900},1\n")
        refused = self.refused("nothingImported", self.alice, "vault", "import", path).json["error"]["details"]["refused"]
        self.assertEqual([(entry["title"], entry["reason"]) for entry in refused], [("x" * 509 + "…", "tooLarge")])

    def test_deep_groups_of_long_names_are_joined_no_further_than_a_name_goes(self):
        entries = "".join(f"<Entry><String><Key>Password</Key><Value>{number}</Value></String></Entry>" for number in range(3_000))
        group = f"<Group><Name>{'é' * 250}</Name>"
        path = self.file("k.xml", f"<KeePassFile><Root><Group>{group * 50}{entries}{'</Group>' * 50}</Group></Root></KeePassFile>")
        self.assertEqual(self.brings(path, "-y")["counts"]["imported"], 3_000)

    def test_columns_that_say_the_same_twice_lose_nothing(self):
        path = self.file("p.csv", 'name,username,password,name,tags,tags,"a ""b"""\nmail,bob,1,other,t,u,2\n')
        self.brings(path)
        secret = self.secrets()["mail"]
        self.assertEqual(secret["fields"], {"user": b"bob", "password": b"1", "name": b"other", "tags": b"u", 'a "b"': b"2"})
        self.assertEqual(secret["tags"], ["t"])


class Refusals(ImportCase):
    def test_what_is_no_export_is_refused_by_a_typed_error(self):
        cases = {
            "empty": (b"", "emptyImport"), "blank": (b" \n", "emptyImport"), "table": (b"a,b\n1,2\n", "unknownFormat"),
            "quote": (b'name,password\na,"1\n', "malformedInput"), "bytes": (b"name,password\n\xff,1\n", "malformedInput"),
            "sealed.json": (b'{"encrypted":true,"items":[]}', "encryptedImport"),
            "db.kdbx": (b"\x03\xd9\xa2\x9a\x67\xfb\x4b\xb5" + bytes(100), "encryptedImport"),
            "bomb.xml": (b'<!DOCTYPE a [<!ENTITY b "c">]><KeePassFile>&b;</KeePassFile>', "malformedInput"),
            "deep.json": (b"[" * 200_000, "unknownFormat"), "deep2.json": (b'{"a":' * 100_000, "malformedInput"),
            "key": (b"-----BEGIN OPENSSH PRIVATE KEY-----\n", "unknownFormat"),
        }
        before = self.alice.rows()
        for name, (content, code) in cases.items():
            with self.subTest(name=name):
                outcome = self.alice.run("vault", "import", self.file(name, content), "--json")
                self.assertEqual((outcome.code, outcome.json["error"]["code"]), (13, code), outcome)
        self.assertEqual(self.alice.run("vault", "import", self.alice.path("files", "nowhere")).code, 3)
        self.assertEqual(self.alice.run("vault", "import").code, 2)
        self.assertEqual(self.alice.rows(), before)

    def test_an_export_of_a_vault_may_be_longer_than_one_of_another_program(self):
        path = self.alice.path("files", "huge.hsipexport")
        with open(path, "wb") as file:
            file.write(b"HSIPEXPORT1\n")
            file.truncate(65 << 20)
        word = self.file("word", "w\n")
        outcome = self.alice.run("vault", "import", path, "--export-passphrase-file", word, "--json")
        self.assertEqual((outcome.code, outcome.json["error"]["message"]), (13, "the file is not an hsip export"))

    def test_an_export_that_is_too_long_is_refused_before_it_is_read(self):
        path = self.alice.path("files", "huge.csv")
        with open(path, "wb") as file:
            file.truncate(65 << 20)
        self.assertEqual(self.alice.run("vault", "import", path).code, 13)


    def test_what_only_looks_like_an_export_is_refused_and_none_of_its_entries_is_lost_in_silence(self):
        entry = "<Entry><String><Key>Password</Key><Value>p</Value></String></Entry>"
        cases = {"accounts.json": '{"accounts":[{"name":"a","username":"u","password":"p"}]}',
                 "vaults.json": '{"vaults":{"v":{"entries":[{"name":"a","password":"p"}]}}}',
                 "items.json": '{"items":[{"name":"a","password":"p"}]}',
                 "k.xml": f"<KeePassFile>{entry}</KeePassFile>"}
        for name, content in cases.items():
            with self.subTest(name=name):
                self.refused("unknownFormat", self.alice, "vault", "import", self.file(name, content), "--dry-run")
        self.brings(self.file("root.xml", f"<KeePassFile><Root>{entry}</Root></KeePassFile>"))
        self.assertEqual([secret["fields"] for secret in self.secrets().values()], [{"password": b"p"}])

    def test_an_import_of_nothing_fails_and_its_report_is_in_the_details(self):
        trashed = [{"type": 1, "name": "a", "deletedDate": "2024-01-01T00:00:00Z", "login": {"password": "p"}}]
        path = self.file("b.json", json.dumps({"encrypted": False, "items": trashed}))
        error = self.refused("nothingImported", self.alice, "vault", "import", path).json["error"]
        self.assertEqual((error["exit"], error["details"]["refused"][0]["reason"]), (13, "inTrash"))
        self.refused("nothingImported", self.alice, "vault", "import", path, "--dry-run")
        self.refused("nothingImported", self.alice, "vault", "import", self.file("none.json", '{"items":[]}'))
        outcome = self.alice.run("vault", "import", path)
        self.assertEqual((outcome.code, outcome.output), (13, ""))
        self.assertIn("  a: was in the trash there\n", outcome.talk)
        self.brings(self.file("one.csv", "name,password\na,1\n"))
        outcome = self.refused("nothingImported", self.alice, "vault", "import", self.file("two.csv", "name,password\na,2\n"))
        self.assertEqual(outcome.json["error"]["hint"], "--on-duplicate rename")
        # What the vault has already is no failure.
        self.assertEqual(self.brings(self.file("one.csv", "name,password\na,1\n"))["counts"]["known"], 1)


class WhatBecomesOfTheFile(ImportCase):
    def note(self, name: str, content: str) -> str:
        outcome = self.ok(self.alice, "vault", "import", self.file(name, content))
        return "".join(line for line in outcome.talk.splitlines() if "still shows" in line)

    def test_remove_it_is_said_only_when_all_of_it_is_in_the_vault(self):
        whole = "name,password\na,1\n"
        self.assertTrue(self.note("p.csv", whole).endswith("; remove it"))
        self.assertEqual(self.note("p.csv", whole), "", "nothing came out of it this time")
        kept = "; keep it until you have what was not imported"
        self.assertTrue(self.note("q.csv", "name,password\nb,1\nc\n").endswith(kept))
        self.assertTrue(self.note("r.csv", "name,password\na,2\nd,1\n").endswith(kept))
        login = {"type": 1, "name": "e", "login": {"password": "p"}, "attachments": [{"fileName": "scan.pdf"}]}
        self.assertTrue(self.note("b.json", json.dumps({"encrypted": False, "items": [login]})).endswith(kept))


class Bitwarden(ImportCase):
    def test_logins_notes_and_cards_come_with_their_fields(self):
        items = [{"type": 1, "name": "mail", "folderId": "f", "login": {"username": "u", "password": "p\"\u00e9\U0001F600",
                  "totp": "JBSWY3DPEHPK3PXP", "uris": [{"uri": "https://a.org"}, {"uri": "https://b.org"}]},
                  "fields": [{"name": "PIN", "value": "1", "type": 1}]},
                 {"type": 2, "name": "text", "notes": "x\ny"}, {"type": 3, "name": "card", "card": {"number": "4", "code": "5"}}]
        export = {"encrypted": False, "folders": [{"id": "f", "name": "Work"}], "items": items}
        report = self.brings(self.file("b.json", json.dumps(export)))
        self.assertEqual((report["form"], report["counts"]["imported"]), ("bitwarden", 3))
        secrets = self.secrets()
        self.assertEqual(secrets["Work/mail"]["fields"],
                         {"user": b"u", "password": "p\"é😀".encode(), "totp": b"JBSWY3DPEHPK3PXP", "url": b"https://a.org",
                          "url 2": b"https://b.org", "PIN": b"1"})
        self.assertEqual((secrets["text"]["type"], secrets["text"]["fields"]), ("note", {"text": b"x\ny"}))
        self.assertEqual(secrets["card"]["fields"], {"number": b"4", "code": b"5"})


def steam(key: str, second: int) -> str:
    """What Steam's app shows at a moment."""
    tag = hmac.new(base64.b32decode(key), struct.pack(">Q", second // 30), hashlib.sha1).digest()
    number = struct.unpack_from(">I", tag, tag[-1] & 15)[0] & 0x7FFFFFFF
    letters = "23456789BCDFGHJKMNPQRTVWXY"
    return "".join(letters[number // 26 ** place % 26] for place in range(5))


class Parts(ImportCase):
    """What stays behind or is not understood is named; what can be read is what it was."""

    STEAM = "63BEDWCQZKTQWPESARIERL5DTTQFCJTK"

    def bitwarden(self, *items: dict) -> str:
        return self.file("b.json", json.dumps({"encrypted": False, "items": list(items)}))

    @unittest.skipUnless(house.FAKETIME, "faketime is not installed")
    def test_a_code_of_steam_gives_steams_letters(self):
        self.brings(self.bitwarden({"type": 1, "name": "steam", "login": {"password": "p", "totp": "steam://" + self.STEAM}}))
        told = self.ok(self.alice, "secret", "totp", "steam", "--json", time="2033-05-18 03:33:20").result
        self.assertIn(told["password"], {steam(self.STEAM, 2_000_000_000), steam(self.STEAM, 2_000_000_029)})

    def test_a_code_in_an_unknown_form_is_kept_as_text_and_named(self):
        path = self.bitwarden({"type": 1, "name": "a", "login": {"password": "p", "totp": "key=ABC&step=30"}},
                              {"type": 1, "name": "b", "login": {"password": "p", "totp": "JBSWY3DPEHPK3PXP"}})
        outcome = self.ok(self.alice, "vault", "import", path)
        self.assertIn("a\toneTimeKey\t\n", outcome.output)
        self.assertIn("1 value not understood and kept as text", outcome.talk)
        self.assertNotIn("key=ABC", outcome.output + outcome.talk)
        self.assertEqual(self.secrets()["a"]["fields"]["totp"], b"key=ABC&step=30")

    def test_attachments_are_named_one_by_one(self):
        path = self.bitwarden({"type": 1, "name": "a", "login": {"password": "p"}, "attachments": [
            {"fileName": "scan 1.pdf", "size": "1"}, {"fileName": "scan 2.pdf"}]})
        outcome = self.ok(self.alice, "vault", "import", path, "--dry-run", "--json")
        [entry] = outcome.result["entries"]
        self.assertEqual((entry["leftOut"], entry["attachments"]), (["attachments"], ["scan 1.pdf", "scan 2.pdf"]))
        self.assertEqual(outcome.warnings, ["importPartsLeft"])
        outcome = self.ok(self.alice, "vault", "import", path)
        self.assertEqual(outcome.lines, ["a\tadded\ta", "a\tattachments\tscan 1.pdf", "a\tattachments\tscan 2.pdf"])
        # What is there already leaves nothing behind anew.
        self.assertEqual(self.ok(self.alice, "vault", "import", path, "--json").warnings, [])

    def test_ssh_keys_become_ssh_keys(self):
        place = self.alice.path("files", "key")
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", place], check=True)
        with open(place, encoding="ascii") as private, open(place + ".pub", encoding="ascii") as public:
            key = {"privateKey": private.read(), "publicKey": public.read(), "keyFingerprint": "SHA256:x"}
        path = self.bitwarden({"type": 5, "name": "work laptop", "notes": "for db1", "sshKey": key},
                              {"type": 5, "name": "broken", "sshKey": {"privateKey": "-----BEGIN", "publicKey": "x"}},
                              {"type": 1, "name": "mail", "login": {"password": "p"}})
        outcome = self.ok(self.alice, "vault", "import", path, "--json")
        self.assertEqual([(one["name"], one["outcome"]) for one in outcome.result["sshKeys"]], [("work-laptop", "added")])
        self.assertEqual((outcome.warnings, outcome.result["knownHosts"]), (["importKeptAsText"], None))
        secrets = self.secrets()
        self.assertEqual(sorted(secrets), ["broken", "mail", "work laptop"])
        self.assertEqual(secrets["work laptop"]["fields"], {"text": b"for db1"})
        self.assertEqual(secrets["broken"]["fields"], {"privateKey": b"-----BEGIN", "publicKey": b"x"})
        shown = self.ok(self.alice, "ssh", "key", "show", "work-laptop").output
        self.assertIn(key["publicKey"].split()[1], shown)
        again = self.brings(path)
        self.assertEqual([one["outcome"] for one in again["sshKeys"]], ["known"])
        self.assertEqual((again["counts"]["imported"], again["counts"]["known"]), (0, 3))

    def test_an_input_that_never_came_is_said(self):
        before = self.alice.rows()
        outcome = self.refused("emptyImport", self.alice, "vault", "import", "-", given=b"")
        self.assertIn("nothing arrived; did the program before the pipe fail?", outcome.json["error"]["message"])
        self.refused("emptyImport", self.alice, "vault", "import", self.file("empty.csv", ""))
        self.assertEqual(self.alice.rows(), before)


class Zips(ImportCase):
    """Forms that come as ZIP files: the command that is proposed reads them out of a pipe."""

    def zip(self, name: str, **files: str) -> str:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in files.items():
                archive.writestr(path, content)
        return self.file(name, packed.getvalue())

    def test_each_is_refused_by_name_with_the_command_that_reads_it(self):
        one = {"accounts": [{"vaults": [{"attrs": {"name": "P"}, "items": [{"state": "active", "overview": {"title": "mail"},
               "details": {"loginFields": [{"designation": "password", "value": "p 1"}]}}]}]}]}
        proton = {"encrypted": False, "vaults": {"v": {"name": "P", "items": [{"state": 1, "data": {
            "type": "login", "metadata": {"name": "mail"}, "content": {"password": "p 1"}}}]}}}
        warden = {"encrypted": False, "items": [{"type": 1, "name": "mail", "login": {"password": "p 1"}}]}
        cases = ((self.zip("a b.1pux", **{"export.attributes": "{}", "export.data": json.dumps(one)}), "1Password"),
                 (self.zip("p.zip", **{"Proton Pass/data.json": json.dumps(proton)}), "Proton Pass"),
                 (self.zip("b.zip", **{"data.json": json.dumps(warden), "attachments/x/y": "z"}), "Bitwarden"))
        for path, program in cases:
            with self.subTest(program=program):
                before = self.alice.rows()
                error = self.refused("zippedImport", self.alice, "vault", "import", path).json["error"]
                self.assertIn(program, error["message"])
                self.assertEqual(self.alice.rows(), before)
                self.refused("zippedImport", self.alice, "vault", "import", "-", given=open(path, "rb").read())
                line, _, rest = error["hint"].partition(" | ")
                self.assertEqual(rest, "hsip vault import -")
                if shutil.which("unzip"):
                    read = subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=True, cwd=self.alice.home).stdout
                    self.brings("-", given=read)
                    self.assertEqual(self.secrets()["mail"]["fields"], {"password": b"p 1"})
                    self.ok(self.alice, "secret", "rm", "mail")
        self.assertIn("gpg --decrypt", self.refused(
            "zippedImport", self.alice, "vault", "import", self.zip("s.zip", **{"Proton Pass/data.pgp": "x"})).json["error"]["hint"])
        self.assertIn("a ZIP file", self.refused(
            "zippedImport", self.alice, "vault", "import", self.zip("o.zip", other="x")).json["error"]["message"])
        self.refused("encryptedImport", self.alice, "vault", "import", "-", given=b"-----BEGIN PGP MESSAGE-----\n")

    def test_one_that_is_too_long_to_read_is_known_by_its_beginning(self):
        path = self.zip("big.1pux", **{"export.data": "{}"})
        os.truncate(path, 65 << 20)
        self.assertIn("1Password", self.refused("zippedImport", self.alice, "vault", "import", path).json["error"]["message"])


@unittest.skipUnless(shutil.which("keepassxc-cli"), "keepassxc-cli is not installed")
class KeePassXC(ImportCase):
    def cli(self, *words: str, given: str = "") -> bytes:
        finished = subprocess.run(["keepassxc-cli", *words], input=f"{DATABASE}\n{given}".encode(), capture_output=True,
                                  env=self.alice.environment(QT_QPA_PLATFORM="offscreen"), timeout=60)
        self.assertEqual(finished.returncode, 0, finished)
        return finished.stdout

    def setUp(self):
        super().setUp()
        self.base = self.alice.path("files", "t.kdbx")
        self.cli("db-create", "-p", self.base, given=DATABASE + "\n")
        self.cli("mkdir", self.base, "Work & play")
        self.cli("add", self.base, "-u", "bob", "--url", "https://ex.org", "--notes", "line & <one>", "-p",
                 "Work & play/mail", given='se"cret,<1>\nse"cret,<1>\n')
        self.cli("add", self.base, "-u", "al", "-p", "old", given="x\nx\n")
        self.cli("rm", self.base, "old")

    def test_its_xml_through_a_pipe(self):
        report = self.brings("-", given=self.cli("export", "-f", "xml", self.base))
        self.assertEqual(report["form"], "kdbx-xml")
        self.assertEqual([(entry["title"], entry["reason"]) for entry in report["refused"]], [("old", "inTrash")])
        secret = self.secrets()["Work & play/mail"]
        self.assertEqual(secret["fields"], {"user": b"bob", "url": b"https://ex.org", "notes": b"line & <one>",
                                            "password": b'se"cret,<1>'})
        self.assertEqual(secret["origin"], "KeePass")

    def test_its_attachments_are_named(self):
        self.cli("attachment-import", self.base, "Work & play/mail", "scan.pdf", self.file("scan", "bytes"))
        report = self.brings("-", given=self.cli("export", "-f", "xml", self.base))
        self.assertEqual([entry["attachments"] for entry in report["entries"]], [["scan.pdf"]])

    def test_its_csv(self):
        report = self.brings(self.file("k.csv", self.cli("export", "-f", "csv", self.base)))
        self.assertEqual(report["form"], "keepassxc-csv")
        self.assertEqual([(entry["title"], entry["reason"]) for entry in report["refused"]], [("old", "inTrash")])
        self.assertEqual(self.secrets()["Work & play/mail"]["fields"]["password"], b'se"cret,<1>')

    def test_the_database_itself_is_refused_with_the_command_that_helps(self):
        outcome = self.alice.run("vault", "import", self.base, "--json")
        self.assertEqual(outcome.code, 13)
        self.assertIn("keepassxc-cli export", outcome.json["error"]["hint"])


@unittest.skipUnless(shutil.which("pass") and shutil.which("gpg"), "pass is not installed")
class Pass(ImportCase):
    def setUp(self):
        super().setUp()
        self.gnupg = self.alice.path("gnupg")
        os.makedirs(self.gnupg, mode=0o700)
        self.variables = {"GNUPGHOME": self.gnupg, "PASSWORD_STORE_DIR": self.alice.path("files", "store")}
        self.addCleanup(lambda: self.tool("gpgconf", "--kill", "all"))
        self.tool("gpg", "--batch", "--passphrase", "", "--quick-gen-key", "alice@example.org", "future-default", "default",
                  "never")
        self.tool("pass", "init", "alice@example.org")

    def tool(self, *words: str, given: str | bytes = ""):
        finished = subprocess.run(words, input=given.encode() if isinstance(given, str) else given, capture_output=True,
                                  env=self.alice.environment(**self.variables), timeout=60)
        self.assertEqual(finished.returncode, 0, finished)

    def insert(self, name: str, content: str):
        self.tool("pass", "insert", "-m", name, given=content)

    def test_a_store_comes_with_its_folders_fields_codes_and_notes(self):
        self.insert("work/mail", "s3cret é\nuser: bob\nurl: https://ex.org\notpauth://totp/x?secret=JBSWY3DPEHPK3PXP\nfree\ntext\n")
        self.insert("bare", "only this")
        report = self.brings(self.variables["PASSWORD_STORE_DIR"], **self.variables)
        self.assertEqual((report["form"], report["counts"]["imported"]), ("pass", 2))
        secrets = self.secrets()
        self.assertEqual(secrets["bare"]["fields"], {"password": b"only this"})
        self.assertEqual(secrets["work/mail"]["fields"],
                         {"password": "s3cret é".encode(), "user": b"bob", "url": b"https://ex.org",
                          "totp": b"otpauth://totp/x?secret=JBSWY3DPEHPK3PXP", "notes": b"free\ntext"})

    def test_links_that_lead_upwards_are_followed_once(self):
        self.insert("work/mail", "x")
        for name in "abcdefgh":
            os.symlink("..", os.path.join(self.variables["PASSWORD_STORE_DIR"], "work", name))
            os.symlink(".", os.path.join(self.variables["PASSWORD_STORE_DIR"], name))
        report = self.brings(self.variables["PASSWORD_STORE_DIR"], **self.variables)
        self.assertEqual([entry["name"] for entry in report["entries"]], ["work/mail"])

    def test_a_file_that_gpg_does_not_open_is_named_and_the_others_come(self):
        self.insert("good", "x")
        with open(os.path.join(self.variables["PASSWORD_STORE_DIR"], "bad.gpg"), "wb") as file:
            file.write(b"no gpg at all")
        report = self.brings(self.variables["PASSWORD_STORE_DIR"], **self.variables)
        self.assertEqual([(entry["title"], entry["reason"]) for entry in report["refused"]], [("bad", "notOpened")])
        self.assertEqual(sorted(self.secrets()), ["good"])


@unittest.skipIf(kr.missing(), kr.missing())
class SecretService(ImportCase):
    world = None

    def setUp(self):
        super().setUp()
        house.clear_now()
        self.alice = house.newcomer("alice")
        self.alice.start_keyring()
        self.alice.opens_with = "recovery"

    def test_items_come_with_every_attribute_and_stay_where_they_are(self):
        stored = self.alice.keyring.secret_tool("store", "--label=a mail é", "username", "bob", "server", "ex.org", given="pw\n2")
        self.assertEqual(stored.returncode, 0, stored)
        report = self.ok(self.alice, "vault", "import", "--from", "keyring", "--json").result
        self.assertEqual((report["form"], report["counts"]["imported"]), ("keyring", 1))
        secret = self.secrets()["a mail é"]
        fields = secret["fields"]
        self.assertEqual((fields["password"], fields["user"], fields["server"]), (b"pw\n2", b"bob", b"ex.org"))
        self.assertEqual(self.alice.keyring.secret_tool("lookup", "username", "bob").stdout, b"pw\n2")
