"""Emergency kits: one page of PDF with a recovery code, for paper."""

import os
import re
import shutil
import stat
import subprocess
import unittest

import screen
from house import ALONE, Case, Person, clear_now
from screen import Screen

TOOLS = [tool for tool in ("pdftoppm", "pdftotext", "zbarimg") if shutil.which(tool) is None]


class KitCase(Case):
    """A person with a vault file."""

    world = ALONE

    def setUp(self):
        if TOOLS:
            self.skipTest(f"{', '.join(TOOLS)}: not installed")
        super().setUp()
        if self.world is None:
            clear_now()
            self.alice = Person("alice")
            self.alice.make_folders()
        # Codes come and go here.
        self.alice.opens_with = "passphrase"
        self.kit = self.alice.path("files", "kit.pdf")

    def text(self, kit: str) -> str:
        """What a person reads on the page."""
        return subprocess.run(["pdftotext", "-layout", kit, "-"], capture_output=True, check=True).stdout.decode()

    def code(self, kit: str) -> str:
        """The code as a person types it from the page."""
        found = re.search(r"((?:[0-9A-Z]{4}-){4})\s+((?:[0-9A-Z]{4}-){2}[0-9A-Z]{4})\s", self.text(kit))
        self.assertIsNotNone(found, self.text(kit))
        return found.group(1) + found.group(2)

    def picture(self, kit: str, resolution: int) -> str:
        """The page as a scanner of so many dots an inch sees it."""
        path = self.alice.path("files", f"page{resolution}")
        subprocess.run(["pdftoppm", "-r", str(resolution), "-png", "-singlefile", kit, path], check=True)
        return path + ".png"

    def opens(self, code: str):
        self.alice.write("secrets/kit", code + "\n")
        self.ok(self.alice, "vault", "check", secret="kit")

    def doctors_codes(self) -> list:
        findings = self.alice.run("doctor", "--json").result["findings"]
        return [one["code"] for one in findings if one["check"] == "slots"]


class Kit(KitCase):
    def test_the_picture_on_the_page_is_read_at_four_resolutions(self):
        for paper in ("a4", "letter"):
            kit = self.alice.path("files", f"{paper}.pdf")
            self.ok(self.alice, "vault", "slot", "add", "recovery", "--kit", kit, "--paper", paper)
            code = self.code(kit)
            for resolution in (72, 100, 150, 300):
                with self.subTest(paper=paper, resolution=resolution):
                    self.assertEqual(screen.scan(self.picture(kit, resolution)), code)
            self.opens(code)

    def test_the_page_names_the_vault_and_nothing_that_is_nobodys_business(self):
        self.ok(self.alice, "vault", "kit", "-o", self.kit, "-y")
        self.assertEqual(stat.S_IMODE(os.stat(self.kit).st_mode), 0o600)
        text = self.text(self.kit)
        number = self.ok(self.alice, "vault", "check", "--json").result["vault"]["id"]
        self.assertIn(number[:8], text)
        self.assertNotIn(number[:9], text)
        for words in ("hsip vault restore BACKUP", "hsip vault slot add passphrase", "The code alone opens nothing"):
            self.assertIn(words, text)
        for word in (self.alice.home, "Alice"):
            self.assertNotIn(word, text)
        named = self.alice.path("files", "named.pdf")
        self.ok(self.alice, "vault", "kit", "-o", named, "-y", "--places")
        self.assertIn(self.alice.vault, "".join(self.text(named).split()))

    def test_a_kit_brings_a_new_code_in_the_place_of_the_old_one(self):
        self.ok(self.alice, "vault", "slot", "test", "recovery", secret="recovery")
        outcome = self.ok(self.alice, "vault", "kit", "-o", self.kit, "-y", "--json")
        self.assertIsNotNone(outcome.result["replacedNumber"])
        self.assertNotIn(self.code(self.kit), outcome.output + outcome.talk)
        self.opens(self.code(self.kit))
        self.ends(6, self.alice, "vault", "check", secret="recovery")
        # Without somebody to ask nothing is replaced.
        other = self.alice.path("files", "other.pdf")
        self.ends(7, self.alice, "vault", "kit", "-o", other)
        self.assertFalse(os.path.exists(other))

    def test_a_kit_is_tested_by_a_picture_of_it(self):
        self.ok(self.alice, "vault", "kit", "-o", self.kit, "-y")
        self.assertIn("kitNotTested", self.doctors_codes())
        photo = self.picture(self.kit, 150)
        outcome = self.ok(self.alice, "vault", "slot", "test", "recovery", "--image", photo, "--json", secret=None)
        self.assertEqual(outcome.result["slot"]["kind"], "recovery")
        self.assertNotIn("kitNotTested", self.doctors_codes())
        with open(photo, "rb") as file:
            self.ok(self.alice, "vault", "slot", "test", "--image", "-", given=file.read(), secret=None)
        self.ok(self.alice, "vault", "kit", "-o", self.alice.path("files", "new.pdf"), "-y")
        self.assertIn("kitNotTested", self.doctors_codes())
        self.ends(6, self.alice, "vault", "slot", "test", "recovery", "--image", photo, secret=None)
        other = self.alice.path("files", "other.png")
        self.ok(self.alice, "qr", "hello", "-o", other)
        self.ends(13, self.alice, "vault", "slot", "test", "recovery", "--image", other, secret=None)
        self.ends(2, self.alice, "vault", "slot", "test", "passphrase", "--image", photo, secret=None)

    def test_a_kit_is_tested_before_the_camera(self):
        self.ok(self.alice, "vault", "kit", "-o", self.kit, "-y")
        photo = self.picture(self.kit, 150)
        variables = {"PATH": self.alice.path("bin") + ":/usr/bin:/bin"}
        os.makedirs(self.alice.path("bin"), exist_ok=True)

        def camera(script: str):
            """What the program of the camera does, here with a picture of the page."""
            self.alice.write("bin/zbarcam", "#!/bin/sh\n" + script + "\n", mode=0o700)
        words = ("vault", "slot", "test", "recovery", "--camera")
        # A window that was closed, and a camera that is not there.
        for script in ("true", "exit 1"):
            camera(script)
            self.assertNotEqual(self.alice.run(*words, secret=None, **variables).code, 0, script)
            self.assertIn("kitNotTested", self.doctors_codes())
        camera(f"echo \"$@\" > {self.alice.path('files', 'words')}; exec zbarimg -q --raw --nodbus {photo}")
        outcome = self.ok(self.alice, *words, "--json", secret=None, **variables)
        self.assertEqual(outcome.result["slot"]["kind"], "recovery")
        self.assertNotIn(self.code(self.kit), outcome.output + outcome.talk)
        self.assertNotIn("kitNotTested", self.doctors_codes())
        with open(self.alice.path("files", "words"), encoding="utf-8") as file:
            self.assertIn("--oneshot", file.read())
        # The page of another code opens nothing.
        self.ok(self.alice, "vault", "kit", "-o", self.alice.path("files", "new.pdf"), "-y")
        self.ends(6, self.alice, *words, secret=None, **variables)

    def test_a_kit_replaces_no_file_and_needs_its_folder(self):
        self.alice.write("files/kit.pdf", "mine")
        for words in (("vault", "kit", "-y", "-o"), ("vault", "slot", "add", "recovery", "--kit")):
            taken = self.ends(4, self.alice, *words, self.kit)
            self.assertIn(self.kit, taken.talk)
            self.assertNotIn("--force", taken.talk)
            self.assertIn(f"{words[-1]} OTHER", taken.talk)
            self.ends(3, self.alice, *words, self.alice.path("files", "none", "kit.pdf"))
        with open(self.kit, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")
        self.ends(2, self.alice, "vault", "kit", "-y")
        self.ends(2, self.alice, "vault", "slot", "add", "passphrase", "--kit", self.alice.path("files", "p.pdf"))
        self.assertEqual(len(self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"]), 2)

    def test_to_standard_output_goes_the_page_and_nothing_else(self):
        outcome = self.ok(self.alice, "vault", "slot", "add", "recovery", "--kit", "-")
        self.assertTrue(outcome.data.startswith(b"%PDF-1.4\n") and outcome.data.endswith(b"%%EOF\n"), outcome.data[-200:])
        kit = self.alice.write("files/piped.pdf", outcome.data)
        self.opens(self.code(kit))
        shown = Screen(self, self.alice, "vault", "kit", "-o", "-")
        self.assertEqual(shown.ends(), 2, shown.plain)
        self.assertNotIn("%PDF", shown.text)
        self.ends(2, self.alice, "vault", "slot", "add", "recovery", "--kit", "-", "--json")

    def test_a_kit_of_a_slot_that_cannot_be_written_is_taken_away(self):
        while self.alice.run("vault", "slot", "add", "recovery", "-o", self.alice.path("files", "r")).code == 0:
            os.unlink(self.alice.path("files", "r"))
        self.assertNotEqual(self.alice.run("vault", "slot", "add", "recovery", "--kit", self.kit).code, 0)
        self.assertFalse(os.path.exists(self.kit))


class FirstKit(KitCase):
    world = None

    def test_a_vault_is_made_with_its_kit(self):
        alice, kit = self.alice, self.kit
        made = self.ok(alice, "init", "--name", "Alice", "--no-input", "--kit", kit, "--json", secret="passphrase")
        self.assertEqual((made.result["kitFile"], made.result["outputFile"]), (kit, None))
        self.assertEqual(made.result["vault"]["backend"], "file")
        text = self.text(kit)
        self.assertIn(made.result["vault"]["id"][:8], text)
        alice.write("secrets/recovery", self.code(kit) + "\n")
        self.ok(alice, "vault", "check", secret="recovery")
        self.assertIn("kitNotTested", self.doctors_codes())


class Printed(KitCase):
    """A stand-in for lp keeps what it is given."""

    def setUp(self):
        super().setUp()
        os.makedirs(self.alice.path("bin"), exist_ok=True)
        self.spool = self.alice.path("files", "spool")
        self.variables = {"PATH": self.alice.path("bin") + ":/usr/bin:/bin"}
        self.lp("cat > {0}; printf '%s\\n' \"$@\" > {0}.words; env > {0}.env")

    def lp(self, script: str):
        self.alice.write("bin/lp", "#!/bin/sh\n" + script.format(self.spool) + "\n", mode=0o700)

    def read(self, ending: str = "") -> str:
        with open(self.spool + ending, encoding="latin-1") as file:
            return file.read()

    def test_what_is_only_printed_replaces_no_code_where_nobody_can_confirm_it(self):
        for words in (("vault", "kit", "--print", "-y"), ("vault", "kit", "-o", "-", "-y"),
                      ("vault", "slot", "set", "recovery", "--print")):
            with self.subTest(words=words):
                self.ends(7, self.alice, *words, **self.variables)
                self.assertFalse(os.path.exists(self.spool))
        self.ok(self.alice, "vault", "check", secret="recovery")

    def test_a_kit_is_printed_and_no_file_of_it_is_made(self):
        before = set(os.listdir(self.alice.path("files")))
        self.ok(self.alice, "vault", "slot", "add", "recovery", "--print", **self.variables)
        made = set(os.listdir(self.alice.path("files"))) - before
        self.assertEqual(made, {"spool", "spool.words", "spool.env"})
        code = self.code(self.spool)
        self.opens(code)
        self.assertEqual(self.read(".words"), "-o\nmedia=A4\n")
        for ending in (".words", ".env"):
            for block in code.split("-"):
                self.assertNotIn(block, self.read(ending))

    def test_a_printer_and_a_paper_are_named(self):
        self.ok(self.alice, "vault", "slot", "add", "recovery", "--printer", "Upstairs", "--paper", "letter", **self.variables)
        self.assertEqual(self.read(".words"), "-o\nmedia=Letter\n-d\nUpstairs\n")

    def test_a_printer_that_fails_makes_no_slot(self):
        self.lp("cat > /dev/null; exit 1")
        slots = self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"]
        self.ends(12, self.alice, "vault", "slot", "add", "recovery", "--print", **self.variables)
        self.assertEqual(self.ok(self.alice, "vault", "slot", "list", "--json").result["slots"], slots)

    def test_at_a_terminal_the_last_block_is_asked_for_from_the_paper(self):
        shown = Screen(self, self.alice, "vault", "kit", "--print", **self.variables)
        shown.sees("Replace the recovery code")
        shown.enters("y")
        shown.sees("Last block")
        shown.enters(self.code(self.spool)[-4:])
        self.assertEqual(shown.ends(), 0, shown.plain)
        self.opens(self.code(self.spool))

    def test_without_lp_it_is_said_before_anything_is_asked(self):
        os.unlink(self.alice.path("bin", "lp"))
        if shutil.which("lp", path="/usr/bin:/bin"):
            self.skipTest("this machine has lp")
        outcome = self.ends(12, self.alice, "vault", "kit", "--print", "--json", **self.variables)
        self.assertEqual(outcome.json["error"]["hint"], "apt install cups-client")


del Case, KitCase

if __name__ == "__main__":
    unittest.main()
