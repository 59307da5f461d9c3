"""`hsip setup keyring`: the vault in the place of a desktop's keyring, on a bus of its own, and everything back again."""

import json
import os
import shutil
import signal
import subprocess
import unittest

import agents as ag
import keyring as kr
import service as sv
import strace
from house import Case, Person, must
from screen import Screen

UNIT = "config/systemd/user/hsip-secrets.service"
SERVICES = "data/dbus-1/services"
ACTIVATION = f"{SERVICES}/org.freedesktop.secrets.service"
PORTAL_ACTIVATION = f"{SERVICES}/org.freedesktop.impl.portal.desktop.hsip.service"
PORTAL = "data/xdg-desktop-portal/portals/hsip.portal"
KEYRING_UNIT = "config/systemd/user/gnome-keyring-daemon.service"
ALWAYS = {UNIT, ACTIVATION, PORTAL_ACTIVATION, PORTAL}
HEADING = b"# Made by hsip setup keyring\n"


class Session(kr.Keyring):
    """A bus that starts programs by the person's files first, then by the system's, as a session bus does.

    What it starts has the person's environment. GNOME Keyring is started when it is asked for.
    """

    def __init__(self, person: Person, services: bool = True):
        self.person = person
        folders = [person.path(SERVICES), person.path("system/share/dbus-1/services")]
        kr.SecretService.__init__(self, "</servicedir><servicedir>".join(folders) if services else None)
        self.data, self.password, self._daemon, self._pid = person.path("data"), kr.PASSWORD, None, None

    def own_environment(self) -> dict[str, str]:
        return self.person.environment(**self.environment())

    def holder(self) -> int | None:
        """The process that serves now; nothing is started for that."""
        return self.pid if self.owner() else None

    def serving(self) -> str:
        """The program that serves now."""
        return os.path.basename(os.readlink(f"/proc/{self.pid}/exe"))

    def reads_again(self):
        self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "ReloadConfig", to="org.freedesktop.DBus")


class SetupCase(Case):
    def setUp(self):
        if sv.missing() or kr.missing():
            self.skipTest(sv.missing() or kr.missing())
        super().setUp()
        self.begins()

    def begins(self, **how):
        self.agent = ag.Hsip(self.alice)
        self.addCleanup(self.agent.end)
        self.agent.askpass.says_always_yes()
        # In the place of the unit that the machine of the test may have.
        self.has(KEYRING_UNIT, "[Service]\nExecStart=/bin/true\n")
        self.bus = self.alice.keyring = Session(self.alice, **how)

    @property
    def system(self) -> dict[str, str]:
        return {"XDG_DATA_DIRS": self.alice.path("system/share"), "XDG_CONFIG_DIRS": self.alice.path("system/xdg")}

    def has(self, name: str, text: str):
        os.makedirs(os.path.dirname(self.alice.path(name)), mode=0o700, exist_ok=True)
        self.alice.write(name, text)

    def has_gnome_keyring(self):
        """Everything by which a system starts GNOME Keyring; the program itself ends at once."""
        for name in ("org.freedesktop.secrets", "org.gnome.keyring", "org.freedesktop.impl.portal.Secret"):
            self.has(f"system/share/dbus-1/services/{name}.service",
                     f"[D-BUS Service]\nName={name}\nExec=/bin/false\n")
        self.has("system/xdg/autostart/gnome-keyring-secrets.desktop",
                 "[Desktop Entry]\nType=Application\nName=Secret Storage Service\nExec=/bin/false\n")
        self.has(KEYRING_UNIT,
                 '[Service]\nExecStart=/usr/bin/gnome-keyring-daemon --foreground --components="pkcs11,secrets" '
                 "--control-directory=%t/keyring\n")
        self.bus.reads_again()

    def run_setup(self, *words: str, **how):
        return self.alice.run("setup", "keyring", *words, **(self.system | {"secret": None} | how))

    def sets_up(self, *words: str) -> dict:
        outcome = self.run_setup("-y", "--json", *words)
        self.assertEqual(outcome.code, 0, outcome)
        self.warned = outcome.warnings
        return outcome.result

    def takes_out(self) -> dict:
        return self.sets_up("--undo")

    def fails(self, name: str, *words: str) -> None:
        outcome = self.run_setup("-y", "--json", *words)
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (self.number_of(name), name), outcome)

    def tree(self) -> dict[str, object]:
        """Every file and folder that a setup could touch: kind, mode and bytes; of the state the names alone."""
        found: dict[str, object] = {}
        for top in ("config", "data", "state"):
            for folder, folders, names in os.walk(self.alice.path(top)):
                for name in folders + names:
                    path = os.path.join(folder, name)
                    short = os.path.relpath(path, self.alice.home)
                    if short.startswith(("data/hsip/", "data/keyrings")):
                        continue
                    facts = os.lstat(path)
                    content = None
                    if name in names and top != "state":
                        with open(path, "rb") as file:
                            content = file.read()
                    found[short] = (facts.st_mode, content)
        return found

    def made(self, before: dict) -> set[str]:
        """The files that are there now and were not."""
        now = self.tree()
        for name, facts in before.items():
            self.assertEqual(now.get(name), facts, f"{name} was changed")
        return {name for name, (_, content) in now.items() if name not in before and content is not None}

    def checks(self) -> bool:
        outcome = self.run_setup("--check", "--json")
        if outcome.code == 0:
            return outcome.result["active"]
        self.assertEqual((outcome.code, outcome.json["error"]["code"]), (3, "notSetUp"), outcome)
        return False

    def tool(self, *words: str, given: str = "") -> tuple[int, str]:
        done = subprocess.run(["secret-tool", *words], env=self.alice.environment(), capture_output=True, timeout=ag.DEADLINE,
                              input=given, text=True, start_new_session=True, cwd=self.alice.home)
        return done.returncode, done.stdout


class Files(SetupCase):
    def test_print_shows_what_patch_takes_and_writes_nothing(self):
        self.has_gnome_keyring()
        before = self.tree()
        outcome = self.run_setup("--print")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(self.tree(), before)
        self.sets_up()
        wanted = self.made(before)
        self.takes_out()
        self.assertEqual(self.tree(), before)
        for name in wanted:
            self.assertIn(f"+++ {self.alice.path(name)}\n", outcome.output)
            os.makedirs(os.path.dirname(self.alice.path(name)), exist_ok=True)
        done = subprocess.run(["patch", "-s", "-d", "/", "-p1"], input=outcome.data, capture_output=True)
        self.assertEqual(done.returncode, 0, done)
        told = self.run_setup("--print", "--json").result
        self.assertEqual((told["changed"], told["changes"]), (False, []))

    def test_every_file_has_the_heading_and_what_is_needed(self):
        before = self.tree()
        told = self.sets_up()
        self.assertEqual((told["active"], told["changed"]), (True, True))
        self.assertEqual(self.made(before), ALWAYS)
        for name in ALWAYS:
            content = self.tree()[name][1]
            self.assertTrue(content.startswith(HEADING), content)
        program = os.path.realpath(sv.program())
        unit = self.tree()[UNIT][1].decode()
        for line in ("Type=dbus", "BusName=org.freedesktop.secrets", f'ExecStart="{program}" --vault vault',
                     "Wants=hsip-agent-control.socket hsip-agent-ssh.socket", "Restart=on-failure", "LimitCORE=0",
                     "NoNewPrivileges=yes", "RestrictAddressFamilies=AF_UNIX"):
            self.assertIn(line + "\n", unit)
        self.assertEqual(self.tree()[ACTIVATION][1], HEADING + (
            f"[D-BUS Service]\nName=org.freedesktop.secrets\nExec={program} --vault vault\n"
            "SystemdService=hsip-secrets.service\n").encode())

    def test_what_starts_gnome_keyring_is_masked_and_its_other_parts_stay(self):
        self.has_gnome_keyring()
        before = self.tree()
        self.sets_up()
        more = {f"{SERVICES}/org.gnome.keyring.service", f"{SERVICES}/org.freedesktop.impl.portal.Secret.service",
                "config/autostart/gnome-keyring-secrets.desktop",
                "config/systemd/user/gnome-keyring-daemon.service.d/hsip.conf"}
        self.assertEqual(self.made(before), ALWAYS | more)
        now = self.tree()
        self.assertIn(b"\nExec=/bin/false\n", now[f"{SERVICES}/org.gnome.keyring.service"][1])
        self.assertIn(b"\nHidden=true\n", now["config/autostart/gnome-keyring-secrets.desktop"][1])
        self.assertEqual(now["config/systemd/user/gnome-keyring-daemon.service.d/hsip.conf"][1], HEADING + (
            b'[Service]\nExecStart=\nExecStart=/usr/bin/gnome-keyring-daemon --foreground --components="pkcs11" '
            b"--control-directory=%t/keyring\n"))
        self.takes_out()
        self.assertEqual(self.tree(), before)

    def test_a_login_may_ask_and_portals_may_be_chosen(self):
        self.has("system/share/xdg-desktop-portal/portals.conf",
                 "[preferred]\ndefault=gtk\norg.freedesktop.impl.portal.Secret=gnome-keyring\n")
        before = self.tree()
        self.sets_up("--at-login", "--portal")
        chosen, entry = "config/xdg-desktop-portal/portals.conf", "config/autostart/hsip-unlock.desktop"
        self.assertEqual(self.made(before), ALWAYS | {chosen, entry})
        now = self.tree()
        self.assertEqual(now[chosen][1], HEADING + b"[preferred]\norg.freedesktop.impl.portal.Secret=hsip\ndefault=gtk\n")
        self.assertIn(b" --vault vault unlock\n", now[entry][1])
        self.assertFalse(self.sets_up("--at-login", "--portal")["changed"])
        self.takes_out()
        self.assertEqual(self.tree(), before)

    def test_a_choice_of_portals_that_the_user_made_is_not_edited(self):
        self.has("config/xdg-desktop-portal/portals.conf", "[preferred]\ndefault=gtk\n")
        before = self.tree()
        outcome = self.run_setup("-y", "--portal")
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("add org.freedesktop.impl.portal.Secret=hsip to ", outcome.talk)
        self.assertEqual(self.made(before), ALWAYS)

    def test_a_file_of_another_program_is_left_alone(self):
        self.has(ACTIVATION, "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/usr/bin/keepassxc\n")
        before = self.tree()
        self.fails("malformedInput")
        self.assertEqual(self.tree(), before)
        self.assertFalse(self.takes_out()["changed"])
        self.assertEqual(self.tree(), before)

    def test_what_a_person_added_to_a_file_stays_with_it_and_is_said(self):
        before = self.tree()
        self.sets_up("--at-login")
        kept = "config/autostart/hsip-unlock.desktop"
        changes = {UNIT: lambda text: text + b"# mine\n", kept: lambda text: text[:-1],
                   PORTAL: lambda text: text.replace(b"sway;", b"sway;niri;")}
        for name, change in changes.items():
            with open(self.alice.path(name), "r+b") as file:
                text = change(file.read())
                file.seek(0)
                file.truncate()
                file.write(text)
        self.takes_out()
        self.assertEqual(self.warned, ["fileKept"] * 3)
        self.assertEqual(self.made(before), set(changes))
        # A second time, too, and nothing is left of the rest.
        self.assertFalse(self.takes_out()["changed"])
        self.assertEqual(self.warned, ["fileKept"] * 3)
        self.assertEqual(self.made(before), set(changes))
        # A setup shows what it changes, and what it wrote is taken out again.
        self.sets_up("--at-login")
        self.takes_out()
        self.assertEqual((self.warned, self.made(before)), ([], set()))

    def test_files_of_an_earlier_run_are_taken_out_too(self):
        before = self.tree()
        self.sets_up("--at-login")
        # As another version wrote it: remembered, and not what would be written now.
        record = os.path.join(self.alice.anchors, "keyring-setup.json")
        path = self.alice.path(UNIT)
        with open(path, encoding="utf-8") as file:
            old = file.read().replace("Restart=on-failure", "Restart=always")
        with open(path, "w", encoding="utf-8") as file:
            file.write(old)
        with open(record, encoding="utf-8") as file:
            text = json.load(file)
        text["files"][path] = [old]
        with open(record, "w", encoding="utf-8") as file:
            json.dump(text, file)
        self.assertTrue(self.sets_up()["changed"])
        self.takes_out()
        self.assertEqual((self.warned, self.tree()), ([], before))

    def test_a_record_of_an_earlier_version_is_read(self):
        before = self.tree()
        self.sets_up()
        record = os.path.join(self.alice.anchors, "keyring-setup.json")
        with open(record, encoding="utf-8") as file:
            text = json.load(file)
        del text["files"]
        with open(record, "w", encoding="utf-8") as file:
            json.dump(text, file)
        self.assertTrue(self.checks())
        self.takes_out()
        self.assertEqual((self.warned, self.tree()), ([], before))

    def test_a_path_with_blanks_is_one_word_for_the_bus(self):
        folder = self.alice.path("files", "my programs; and 'more'")
        os.mkdir(folder, 0o700)
        shutil.copy(os.path.join(os.path.dirname(os.path.realpath(sv.program())), "hsip"), folder)
        # The bus starts what stands in its file, with the words behind it.
        program = os.path.join(folder, "hsip-secrets")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nprintf '%s\\n' \"$0\" \"$@\" >\"$(dirname \"$0\")/words\"\n")
        os.chmod(program, 0o700)
        done = subprocess.run([os.path.join(folder, "hsip"), "setup", "keyring", "--print", "--at-login"],
                              env=self.alice.environment(**self.system), capture_output=True, text=True, start_new_session=True)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(done.stdout.count(f'+Exec="{folder}/hsip-secrets" --vault vault\n'), 2, done.stdout)
        self.assertIn(f'+Exec="{folder}/hsip" --vault vault unlock\n', done.stdout)
        self.assertIn(f'+ExecStart="{folder}/hsip-secrets" --vault vault\n', done.stdout)
        line = next(line for line in done.stdout.splitlines() if line.startswith("+Exec="))
        self.has("system/share/dbus-1/services/org.example.Blanks.service",
                 "[D-BUS Service]\nName=org.example.Blanks\n" + line.removeprefix("+") + "\n")
        self.bus.reads_again()
        try:
            self.bus.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName", "(su)",
                          "org.example.Blanks", 0, to="org.freedesktop.DBus")
        except kr.GLib.Error:
            # It ends without the name.
            pass
        with open(os.path.join(folder, "words"), encoding="utf-8") as file:
            self.assertEqual(file.read().splitlines(), [program, "--vault", "vault"])

    def test_systemd_understands_the_unit(self):
        if shutil.which("systemd-analyze") is None:
            self.skipTest("systemd-analyze is not installed")

        def verify(path: str) -> subprocess.CompletedProcess:
            return subprocess.run(["systemd-analyze", "--user", "verify", path], env=self.alice.environment(),
                                  capture_output=True, timeout=200)
        sample = self.alice.write("files/sample.service", "[Service]\nType=oneshot\nExecStart=/bin/true\n")
        if verify(sample).returncode != 0:
            self.skipTest("systemd-analyze verifies nothing here")
        self.sets_up()
        finished = verify(self.alice.path(UNIT))
        self.assertEqual(finished.returncode, 0, finished)
        self.assertNotIn(b"hsip-secrets", finished.stderr)


class Serving(SetupCase):
    def test_a_machine_without_a_keyring_gets_one_and_loses_it_again(self):
        before = self.tree()
        self.assertFalse(self.checks())
        self.assertFalse(self.bus.owner())
        self.sets_up()
        self.assertTrue(self.checks())
        self.assertEqual(self.bus.serving(), "hsip-secrets")
        self.assertEqual(self.tool("store", "--label=mail", "user", "joe", given="hunter2"), (0, ""))
        self.assertEqual(self.tool("lookup", "user", "joe"), (0, "hunter2"))
        self.assertFalse(self.sets_up()["changed"])
        self.assertTrue(self.takes_out()["changed"])
        self.assertFalse(self.checks())
        self.assertEqual(self.tree(), before)
        self.bus.wait_for(lambda: not self.bus.owner(), "the name is free")
        self.assertNotEqual(self.tool("lookup", "user", "joe")[0], 0)
        self.assertFalse(self.takes_out()["changed"])

    def test_nothing_of_the_trial_is_left_on_the_bus(self):
        self.sets_up()
        self.assertEqual(self.bus.items(secrets=False), [])
        names = [path.rsplit("/", 1)[1] for path in self.bus.ask(kr.ROOT, "Service", "Collections")]
        self.assertEqual([name for name in names if "setup" in name], [])

    def test_python_keyring_keeps_its_passwords(self):
        if subprocess.run(["/usr/bin/python3", "-c", "import keyring.backends.SecretService"],
                          capture_output=True).returncode != 0:
            self.skipTest("python3-keyring is not installed")
        self.sets_up()
        script = ("import keyring, keyring.backends.SecretService as s\nkeyring.set_keyring(s.Keyring())\n"
                  "keyring.set_password('mail', 'joe', 'hunter2')\nprint(keyring.get_password('mail', 'joe'))\n"
                  "keyring.delete_password('mail', 'joe')\nprint(keyring.get_password('mail', 'joe'))\n")
        done = subprocess.run(["/usr/bin/python3", "-c", script], env=self.alice.environment(), capture_output=True, text=True,
                              timeout=ag.DEADLINE, cwd=self.alice.home, start_new_session=True)
        self.assertEqual((done.returncode, done.stdout), (0, "hunter2\nNone\n"), done.stderr)

    def test_a_front_that_is_killed_is_started_by_the_next_call(self):
        self.sets_up()
        self.tool("store", "--label=mail", "user", "joe", given="hunter2")
        pid = self.bus.holder()
        os.kill(pid, signal.SIGKILL)
        self.bus.wait_for(lambda: not self.bus.owner(), "the killed front's name is free")
        self.assertEqual(self.tool("lookup", "user", "joe"), (0, "hunter2"))
        self.assertEqual(self.bus.serving(), "hsip-secrets")
        self.assertNotEqual(self.bus.holder(), pid)

    def test_gnome_keyring_is_ended_after_a_yes(self):
        self.bus.start()
        self.assertIn("gnome-keyring-daemon", self.bus.serving())
        self.sets_up()
        self.assertEqual(self.bus.serving(), "hsip-secrets")
        self.assertTrue(self.checks())

    def test_what_programs_kept_is_taken_along_and_stays_where_it_was(self):
        self.bus.start()
        self.bus.add("mail", {"user": "joe"}, b"hunter2")
        self.sets_up()
        self.assertEqual(self.bus.serving(), "hsip-secrets")
        self.assertEqual(self.tool("lookup", "user", "joe"), (0, "hunter2"))
        self.takes_out()
        self.bus.kill()
        self.bus.wait_for(lambda: not self.bus.owner(), "the name is free")
        self.bus.start()
        self.assertEqual(self.tool("lookup", "user", "joe"), (0, "hunter2"))

    def test_what_fits_is_taken_along_and_what_does_not_is_named(self):
        self.bus.start()
        self.bus.add("mail", {"user": "joe"}, b"hunter2")
        self.bus.add("too long", {"n": "1"}, b"x" * ((1 << 20) + 1))
        self.bus.add("long name", {"n" * 1025: "1"}, b"x")
        outcome = self.run_setup("-y")
        self.assertEqual(outcome.code, 0, outcome)
        for label in ("too long", "long name"):
            self.assertIn(f"“{label}” was not imported: ", sv.plain(outcome.talk))
        self.assertIn("imported 1 of 1 items; 0 were in the vault already", outcome.talk)
        self.assertEqual(self.tool("lookup", "user", "joe"), (0, "hunter2"))

    def test_without_an_import_nothing_is_taken_along(self):
        self.bus.start()
        self.bus.add("mail", {"user": "joe"}, b"hunter2")
        self.sets_up("--no-import")
        self.assertEqual(self.tool("lookup", "user", "joe")[0], 1)

    def test_after_a_no_the_old_service_goes_on_until_the_login_ends(self):
        self.bus.start()
        screen = Screen(self, self.alice, "setup", "keyring", columns=200, secret=None, **self.system)
        screen.sees(r"Write these to .*\[y/N\]")
        screen.enters("y")
        screen.sees(r"Stop .*, which programs use now\? \[y/N\]")
        screen.enters("n")
        self.assertEqual(screen.ends(), 0, screen.text)
        self.assertIn("log out and in, then: hsip setup keyring", screen.plain)
        self.assertIn("gnome-keyring-daemon", self.bus.serving())
        self.assertFalse(self.checks())
        # The next login.
        self.bus.kill()
        self.bus.wait_for(lambda: not self.bus.owner(), "the name is free")
        self.assertTrue(self.sets_up()["active"])
        self.assertEqual(self.bus.serving(), "hsip-secrets")

    def test_a_trial_that_fails_undoes_everything(self):
        # A bus that starts nobody.
        self.bus.end()
        self.bus = self.alice.keyring = Session(self.alice, services=False)
        before = self.tree()
        self.fails("unavailable")
        self.assertEqual(self.tree(), before)
        self.assertFalse(self.checks())


class Refusals(SetupCase):
    def test_a_vault_in_the_keyring_and_one_with_a_slot_there(self):
        bob = Person("bob")
        bob.make_folders()
        bob.start_keyring()
        must(bob.run("init", "--name", "Bob", "--no-input", secret=None))
        outcome = self.refused("ownProvider", bob, "setup", "keyring", "-y", secret=None)
        self.assertEqual(outcome.json["error"]["hint"], "hsip vault migrate --to file")
        carol = Person("carol")
        carol.make_folders()
        carol.start_keyring()
        must(carol.run("init", "--backend", "file", "--keyring-slot", "--name", "Carol", "--no-input", "-o",
                       carol.secret_file("recovery"), secret="passphrase"))
        outcome = self.refused("ownProvider", carol, "setup", "keyring", "-y", secret="passphrase")
        self.assertEqual(outcome.json["error"]["hint"], "hsip vault slot rm keyring")

    def test_a_second_vault(self):
        self.sets_up()
        before = self.tree()
        must(self.alice.run("--vault", "work", "init", "--backend", "file", "--name", "Work", "--no-input", "-o",
                            self.alice.secret_file("other"), secret="passphrase"))
        for words in ((), ("--undo",)):
            outcome = self.run_setup("-y", "--json", "--vault", "work", *words)
            self.assertEqual(outcome.json["error"]["code"], "providerTaken", outcome)
            self.assertEqual(outcome.json["error"]["hint"], "hsip --vault vault setup keyring --undo")
        self.assertEqual({name: self.tree()[name] for name in ALWAYS}, {name: before[name] for name in ALWAYS})

    def test_no_vault_and_no_bus(self):
        dave = Person("dave")
        dave.make_folders()
        self.refused_without_a_vault(dave)
        self.fails_without_a_bus()

    def refused_without_a_vault(self, dave: Person):
        outcome = dave.run("setup", "keyring", "-y", "--json", secret=None)
        self.assertEqual((outcome.code, outcome.json["error"]["hint"]), (3, "hsip init"), outcome)

    def fails_without_a_bus(self):
        before = self.tree()
        self.bus.end()
        self.alice.keyring = None
        self.fails("noSessionBus")
        self.assertEqual(self.tree(), before)

    def test_words_that_exclude_each_other(self):
        self.assertEqual(self.run_setup("--check", "--undo").code, 2)
        self.assertEqual(self.run_setup("--no-agent", "-y").code, 2)


@unittest.skipUnless(strace.works(), "strace is not installed or may not trace")
class Stops(SetupCase):
    def test_a_setup_that_was_killed_is_finished_or_undone(self):
        self.has_gnome_keyring()
        before = self.tree()
        calls = [("mkdir", 1), ("mkdir", 8), ("mkdir", 16), ("rename", 1), ("rename", 2), ("rename", 4), ("rename", 7)]
        kills = 0
        for call, number in calls:
            with self.subTest(call=call, number=number):
                outcome = self.run_setup("-y", before=strace.kill(call, number))
                kills += outcome.code == -signal.SIGKILL or outcome.code == 128 + signal.SIGKILL
                if number % 2:
                    self.takes_out()
                else:
                    self.sets_up()
                    self.assertTrue(self.checks())
                    self.takes_out()
                self.assertEqual(self.tree(), before)
        self.assertGreaterEqual(kills, 5)

    def test_an_undoing_that_was_killed_is_finished_by_the_next(self):
        self.has_gnome_keyring()
        before = self.tree()
        kills = 0
        for call, number in (("unlink", 1), ("unlink", 4), ("unlink", 8), ("rmdir", 1), ("rmdir", 3)):
            with self.subTest(call=call, number=number):
                self.sets_up()
                outcome = self.run_setup("-y", "--undo", before=strace.kill(call, number))
                kills += outcome.code == -signal.SIGKILL or outcome.code == 128 + signal.SIGKILL
                self.takes_out()
                self.assertEqual(self.tree(), before)
        self.assertGreaterEqual(kills, 4)


class Told(SetupCase):
    """What `status` and `doctor` say of it."""

    def provider(self) -> str:
        told = self.ok(self.alice, "status", "--json", **self.system).result["provider"]
        agent = self.ok(self.alice, "agent", "status", "--json", secret=None, **self.system).result["agent"]["provider"]
        self.assertEqual(told, agent)
        return told

    def found(self) -> list[tuple[str, str]]:
        told = self.alice.run("doctor", "--json", **self.system).result["findings"]
        return [(one["state"], one["message"]) for one in told if one["check"] == "provider"]

    def test_a_vault_that_serves_says_so(self):
        self.assertEqual((self.provider(), self.found()), ("off", []))
        self.sets_up()
        self.assertEqual(self.provider(), "serving")
        self.assertIn("other-programs\tserving", self.ok(self.alice, "status", **self.system).output)
        self.assertIn(("ok", "the vault is the keyring for other programs"), self.found())
        os.kill(self.bus.holder(), signal.SIGKILL)
        self.bus.wait_for(lambda: not self.bus.owner(), "the killed front's name is free")
        self.assertEqual(self.provider(), "serving")
        self.takes_out()
        self.assertEqual((self.provider(), self.found()), ("off", []))

    def test_another_program_in_its_place_and_a_file_that_is_gone_are_found(self):
        self.sets_up()
        os.unlink(self.alice.path(ACTIVATION))
        self.assertIn("warning", [state for state, _ in self.found()])
        self.bus.reads_again()
        os.kill(self.bus.holder(), signal.SIGKILL)
        self.bus.wait_for(lambda: not self.bus.owner(), "the killed front's name is free")
        self.bus.start()
        self.assertEqual(self.provider(), "elsewhere")
        self.assertTrue(any("gnome-keyring-daemon" in message for _, message in self.found()), self.found())


if __name__ == "__main__":
    unittest.main()
