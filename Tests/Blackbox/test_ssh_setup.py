"""`hsip ssh config` and `hsip setup ssh`: the settings of ssh, written, checked by ssh itself, and taken out again."""

import json
import os
import shutil
import stat
import subprocess
import unittest

import ssh_keys as sk
import sshd
import strace
from house import BINARY, Case
from screen import Screen

OWN = b"# my own settings\nHost *\n    ServerAliveInterval 60\n"


def setUpModule():
    if sshd.missing():
        raise unittest.SkipTest(sshd.missing())


class SetupCase(Case):
    def setUp(self):
        super().setUp()
        self.folder = self.alice.path(".ssh")
        self.config = self.alice.path(".ssh", "config")
        self.fragment = self.alice.path("config", "hsip", "ssh_config")
        self.line = f"Include {self.fragment}\n".encode()

    def has(self, content: bytes, mode: int = 0o600):
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        self.alice.write(".ssh/config", content, mode)

    def state(self) -> dict:
        """Every file of ssh's and of the program's settings: what it is, its mode, what is in it."""
        found = {}
        for place in (self.folder, os.path.dirname(self.fragment), self.alice.path("dotfiles")):
            for folder, folders, names in os.walk(place):
                for name in [*names, *folders, ""]:
                    path = os.path.join(folder, name)
                    facts = os.lstat(path)
                    content = os.readlink(path) if stat.S_ISLNK(facts.st_mode) else (
                        sk.read(path) if stat.S_ISREG(facts.st_mode) else None)
                    found[path] = (facts.st_mode, content)
        return found

    def sets_up(self, *words: str) -> dict:
        return self.ok(self.alice, "setup", "ssh", "-y", "--json", *words).result

    def takes_out(self) -> dict:
        return self.ok(self.alice, "setup", "ssh", "--undo", "-y", "--json", secret=None).result

    def adds(self, name: str, *words: str, address: str = "db1.example.org"):
        self.ok(self.alice, "ssh", "host", "add", name, "--address", address, "--user", "deploy",
                *(words or ("--auth", "password")))

    def uses(self, host: str, config: str | None = None) -> dict[str, str]:
        """What ssh would use for a host."""
        said = sk.tool("ssh", "-G", "-F", config or self.config, host).decode()
        settings: dict[str, str] = {}
        for line in said.splitlines():
            words = line.split(" ", 1)
            settings.setdefault(words[0], words[1] if len(words) > 1 else "")
        return settings


class Config(SetupCase):
    def test_without_hosts_it_is_the_vault_as_judge(self):
        printed = self.ok(self.alice, "ssh", "config").output
        self.assertEqual(printed.splitlines()[1:], [
            "Match all",
            f"    KnownHostsCommand {os.path.realpath(BINARY)} ssh known-hosts --for %I --host %H --port %p --alias %k"
            " --type %t --key %K",
            "    UserKnownHostsFile none", "    GlobalKnownHostsFile none", "    StrictHostKeyChecking yes",
            "    VerifyHostKeyDNS no", "    NoHostAuthenticationForLocalhost no"])
        self.ok(self.alice, "ssh", "config", "--check")

    def test_another_vault_is_named(self):
        self.ok(self.alice, "--vault", "work", "init", "--no-input", "--name", "Alice", "--passphrase-file",
                self.alice.secret_file("passphrase"), "-o", self.alice.path("secrets", "work"), secret=None)
        printed = self.ok(self.alice, "--vault", "work", "ssh", "config", secret="work").output
        self.assertIn(f"KnownHostsCommand {os.path.realpath(BINARY)} --vault work ssh known-hosts --for %I", printed)

    def test_a_program_on_the_path_is_named_as_it_is_found_there(self):
        folder = self.alice.path("bin")
        os.mkdir(folder)
        os.symlink(os.path.realpath(BINARY), os.path.join(folder, "hsip"))
        printed = self.ok(self.alice, "ssh", "config", PATH=f"{folder}:/usr/bin:/bin").output
        self.assertIn(f"KnownHostsCommand {folder}/hsip ssh known-hosts", printed)

    def test_ssh_uses_the_profiles(self):
        key = self.ok(self.alice, "ssh", "key", "generate", "work", "--json").result
        self.adds("db1", "--key", "work", "--port", "2222")
        self.adds("pw", address="2001:db8::1")
        printed = self.ok(self.alice, "ssh", "config", "--json").result
        self.assertEqual(printed["hosts"], ["db1", "pw"])
        path = self.alice.write("files/config", printed["text"])
        used = self.uses("db1", path)
        self.assertEqual([used[name] for name in ("hostname", "port", "user", "identityfile", "identitiesonly")],
                         ["db1.example.org", "2222", "deploy", key["publicFile"], "yes"])
        used = self.uses("pw", path)
        self.assertEqual([used[name] for name in ("hostname", "port", "preferredauthentications")],
                         ["2001:db8::1", "22", "password,keyboard-interactive"])
        self.assertTrue(self.ok(self.alice, "ssh", "config", "--check", "--json").result["checked"])

    def test_a_key_that_went_is_a_warning(self):
        self.ok(self.alice, "ssh", "key", "generate", "work")
        self.adds("db1", "--key", "work")
        self.ok(self.alice, "ssh", "key", "rm", "work")
        outcome = self.ok(self.alice, "ssh", "config", "--json")
        self.assertEqual(outcome.warnings, ["sshHostWithoutKey"])
        self.assertNotIn("IdentityFile", outcome.result["text"])
        self.assertIn("Host db1\n", outcome.result["text"])


    def test_a_host_that_cannot_be_written_is_left_out_and_named(self):
        folder = self.alice.path("st#te")
        os.rename(self.alice.path("state"), folder)
        self.ok(self.alice, "ssh", "key", "generate", "work", XDG_STATE_HOME=folder)
        for name, words in (("db1", ("--key", "work")), ("db2", ("--auth", "password"))):
            self.ok(self.alice, "ssh", "host", "add", name, "--address", "db1.example.org", "--user", "deploy", *words,
                    XDG_STATE_HOME=folder)
        outcome = self.ok(self.alice, "ssh", "config", "--json", XDG_STATE_HOME=folder)
        self.assertEqual(outcome.json["warnings"], [{"code": "sshHostLeftOut", "host": "db1"}])
        self.assertEqual(outcome.result["hosts"], ["db2"])
        self.assertNotIn("#te", outcome.result["text"])
        self.ok(self.alice, "ssh", "config", "--check", XDG_STATE_HOME=folder)


@unittest.skipUnless(strace.works(), "strace may not trace here")
class Killed(SetupCase):
    """Killed anywhere, ssh reads its settings still, and undoing leaves everything as before."""

    CALLS = ("mkdir", "rename", "fsync", "unlink", "rmdir", "fchmod")

    def test_setup_and_undo(self):
        stops = 0
        for content in (OWN, None):
            for words in (("setup", "ssh", "-y"), ("setup", "ssh", "--undo", "-y")):
                if content is not None:
                    self.has(content, 0o644)
                before = self.state()
                for call in self.CALLS:
                    stops += self.kills(call, words, before)
                if content is not None:
                    shutil.rmtree(self.folder)
        self.assertGreaterEqual(stops, 20)

    def kills(self, call: str, words: tuple[str, ...], before: dict) -> int:
        number = 0
        while True:
            number += 1
            if "--undo" in words:
                self.sets_up()
            outcome = self.alice.run(*words, before=strace.kill(call, number))
            if os.path.exists(self.config):
                self.uses("db1")
            # Undoing once more must not care how far it came.
            self.takes_out()
            with self.subTest(call=call, number=number, words=words):
                self.assertEqual(self.state(), before)
            if outcome.code not in (-9, 137):
                self.assertEqual(outcome.code, 0, outcome)
                return number - 1


class Setup(SetupCase):
    def test_there_and_back_is_as_before_byte_for_byte(self):
        for content in (OWN, b"", b"\n", OWN.rstrip(b"\n"), OWN.replace(b"\n", b"\r\n"), b"Include conf.d/*\n" + OWN, None):
            for mode in (0o600, 0o644):
                with self.subTest(content=content, mode=oct(mode)):
                    if content is not None:
                        self.has(content, mode)
                    before = self.state()
                    done = self.sets_up()
                    self.assertIs(done["active"] and done["changed"], True)
                    self.assertEqual(sk.read(self.config), self.line + (content or b""))
                    self.assertEqual(sk.modes(self.config), mode if content is not None else 0o600)
                    self.assertEqual(sk.modes(self.fragment), 0o600)
                    self.assertEqual(self.uses("elsewhere")["stricthostkeychecking"], "true")
                    self.ok(self.alice, "setup", "ssh", "--check")
                    again = self.state()
                    self.assertIs(self.sets_up()["changed"], False)
                    self.assertEqual(self.state(), again)
                    self.takes_out()
                    self.assertEqual(self.state(), before)
                    self.assertIs(self.takes_out()["changed"], False)
                    if content is not None:
                        os.unlink(self.config)

    def test_without_a_folder_one_is_made_for_nobody_else(self):
        self.assertFalse(os.path.exists(self.folder))
        self.sets_up()
        self.assertEqual((sk.modes(self.folder), sk.modes(self.config)), (0o700, 0o600))
        self.takes_out()
        self.assertFalse(os.path.exists(self.folder))

    def test_what_was_written_there_since_stays(self):
        self.sets_up()
        self.alice.write(".ssh/config", self.line + OWN)
        self.alice.write(".ssh/id_new", "x")
        self.takes_out()
        self.assertEqual(sk.read(self.config), OWN)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "id_new")))
        self.assertFalse(os.path.exists(self.fragment))

    def test_a_line_of_its_owner_stays(self):
        self.has(b"# by hand\n" + self.line + OWN)
        before = self.state()
        self.assertEqual([change["path"] for change in self.sets_up()["changes"]], [self.fragment])
        self.takes_out()
        self.assertEqual(self.state(), before)

    def test_a_line_that_is_not_the_first_is_not_enough(self):
        self.has(OWN + self.line)
        before = self.state()
        self.sets_up()
        self.assertEqual(sk.read(self.config), self.line + OWN + self.line)
        self.takes_out()
        self.assertEqual(self.state(), before)

    def test_at_a_terminal_the_difference_is_shown_and_asked_about(self):
        self.has(OWN)
        before = self.state()
        screen = Screen(self, self.alice, "setup", "ssh", columns=200)
        screen.sees(r"\[y/N\]")
        self.assertIn(f"+++ {self.config}\n@@ -1,3 +1,4 @@\n+{self.line.decode()} # my own settings\n", screen.plain)
        self.assertIn("+    StrictHostKeyChecking yes\n", screen.plain)
        self.assertEqual(self.state(), before)
        screen.enters("")
        self.assertEqual(screen.ends(), 6)
        self.assertEqual(self.state(), before)
        screen = Screen(self, self.alice, "setup", "ssh", columns=200)
        screen.sees(r"\[y/N\]")
        screen.enters("y")
        self.assertEqual(screen.ends(), 0, screen.text)
        self.assertEqual(sk.read(self.config), self.line + OWN)

    def test_without_a_terminal_and_yes_nothing_is_written(self):
        self.has(OWN)
        before = self.state()
        outcome = self.alice.run("setup", "ssh")
        self.assertEqual(outcome.code, 7, outcome)
        self.assertEqual(self.state(), before)

    def test_what_is_printed_is_a_patch(self):
        self.has(OWN)
        before = self.state()
        patch = self.ok(self.alice, "setup", "ssh", "--print").data
        self.assertEqual(self.state(), before)
        sk.tool("patch", "-s", "-d", "/", "-p1", given=patch)
        self.assertEqual(sk.read(self.config), self.line + OWN)
        self.ok(self.alice, "setup", "ssh", "--check")

    def test_the_check_tells_what_is_missing(self):
        self.has(OWN)
        self.refused("sshNotSetUp", self.alice, "setup", "ssh", "--check")
        self.sets_up()
        self.ok(self.alice, "setup", "ssh", "--check")
        self.has(OWN)
        self.refused("sshSetupDiffers", self.alice, "setup", "ssh", "--check")
        self.has(b"StrictHostKeyChecking no\n" + self.line)
        self.refused("sshSetupDiffers", self.alice, "setup", "ssh", "--check")
        self.sets_up()
        self.ok(self.alice, "setup", "ssh", "--check")

    def test_settings_that_ssh_refuses_are_left_alone(self):
        for content in (b"Hots *\n", b"Host a\rUser b\n", b"\xef\xbb\xbfHost *\n", "Host *\n".encode("utf-16"),
                        b"Host *\n    Port many\n"):
            with self.subTest(content=content):
                self.has(content)
                before = self.state()
                outcome = self.ends(13, self.alice, "setup", "ssh", "-y")
                self.assertIn("did not change it", outcome.talk)
                self.assertEqual(self.state(), before)

    def test_files_that_are_not_safely_ours_are_left_alone(self):
        self.has(OWN, 0o666)
        self.refused("unsafeFile", self.alice, "setup", "ssh", "-y")
        self.has(OWN)
        os.link(self.config, os.path.join(self.folder, "second"))
        self.refused("unsafeFile", self.alice, "setup", "ssh", "-y")
        os.unlink(self.config)
        os.mkdir(self.config)
        self.refused("unsafeFile", self.alice, "setup", "ssh", "-y")
        os.rmdir(self.config)
        os.symlink("nowhere", self.config)
        self.refused("unsafeFile", self.alice, "setup", "ssh", "-y")
        os.unlink(self.config)
        os.mkfifo(self.config)
        self.refused("unsafeFile", self.alice, "setup", "ssh", "-y")
        if os.getuid() == 0:
            os.unlink(self.config)
            self.has(OWN)
            os.chown(self.config, 1, 1)
            self.refused("unsafeFile", self.alice, "setup", "ssh", "-y")

    def test_a_link_of_a_manager_of_dot_files_stays_one(self):
        os.makedirs(self.alice.path("dotfiles"))
        os.mkdir(self.folder, 0o700)
        target = self.alice.write("dotfiles/ssh-config", OWN, 0o644)
        os.symlink("../dotfiles/ssh-config", self.config)
        before = self.state()
        outcome = self.ok(self.alice, "setup", "ssh", "-y")
        self.assertIn(f"is a link to {target}", outcome.talk)
        self.assertEqual(os.readlink(self.config), "../dotfiles/ssh-config")
        self.assertEqual((sk.read(target), sk.modes(target)), (self.line + OWN, 0o644))
        self.takes_out()
        self.assertEqual(self.state(), before)

    def test_a_folder_that_is_a_link_is_followed(self):
        os.makedirs(self.alice.path("dotfiles", "ssh"), mode=0o700)
        os.symlink(self.alice.path("dotfiles", "ssh"), self.folder)
        before = self.state()
        self.sets_up()
        self.assertEqual(sk.read(self.alice.path("dotfiles", "ssh", "config")), self.line)
        self.takes_out()
        self.assertEqual(self.state(), before)

    def test_a_file_in_the_place_of_ours_is_left_alone(self):
        self.alice.write("config/hsip/ssh_config", "Host mine\n")
        self.has(OWN)
        self.refused("malformedInput", self.alice, "setup", "ssh", "-y")
        self.assertEqual(sk.read(self.config), OWN)

    def test_a_full_disk_changes_nothing(self):
        if os.getuid() != 0:
            self.skipTest("only root can mount a small file system")
        self.has(OWN)
        script = f'mount --bind {self.folder} {self.folder} && mount -o remount,ro,bind {self.folder} && "$@"'
        before = self.state()
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *self.alice.command("setup", "ssh", "-y")],
                              capture_output=True, text=True, env=self.alice.environment(), cwd=self.alice.home,
                              stdin=subprocess.DEVNULL, start_new_session=True, timeout=60)
        self.assertEqual(done.returncode, 12, done)
        self.assertEqual(self.state(), before)
        self.has(OWN)

    def test_without_ssh_it_says_so(self):
        self.has(OWN)
        before = self.state()
        outcome = self.ends(12, self.alice, "setup", "ssh", "-y", PATH="/nowhere")
        self.assertIn("ssh is not installed", outcome.talk)
        self.assertEqual(self.state(), before)

    def test_options_that_exclude_each_other(self):
        self.assertEqual(self.alice.run("setup", "ssh", "--check", "--undo").code, 2)
        self.assertEqual(self.alice.run("setup", "ssh", "--check", "--print").code, 2)

    def test_that_ssh_looks_elsewhere_is_said(self):
        outcome = self.ok(self.alice, "setup", "ssh", "-y", "--json")
        self.assertIn("sshHomeDiffers", outcome.warnings)


class Lost(SetupCase):
    """What ssh knew before it asks the vault, and would not know any more."""

    def setUp(self):
        super().setUp()
        self.known = self.alice.path(".ssh", "known_hosts")
        os.makedirs(self.folder, mode=0o700)
        self.keys = [" ".join(sk.beside(sk.make(self.alice.path("files", f"host{number}"))).split()[:2])
                     for number in range(3)]

    def knows(self, *lines: str):
        self.alice.write(".ssh/known_hosts", "".join(line + "\n" for line in lines))

    def lost(self, path: str) -> list[int]:
        outcome = self.ok(self.alice, "setup", "ssh", "--print", "--json")
        return [one["count"] for one in outcome.json["warnings"]
                if one["code"] == "knownHostsUnread" and one["path"] == path]

    def test_lines_are_counted_by_what_they_say(self):
        self.assertEqual(self.lost(self.known), [])
        self.knows("# a comment", "", "what is this")
        self.assertEqual(self.lost(self.known), [])
        first, second, third = self.keys
        self.knows("# a comment", f"db1.example.org {first}", f"db2.example.org {second} me", f"db1.example.org {third}")
        self.assertEqual(self.lost(self.known), [3])
        self.ok(self.alice, "ssh", "host", "import",
                self.alice.write("files/one", f"db1.example.org   {first}  said otherwise\n"))
        # One is known, and another key of the same host is a conflict: it would be lost as well.
        self.assertEqual(self.lost(self.known), [2])
        shown = sk.fingerprint(self.alice.write("files/third.pub", third + "\n"))
        self.ok(self.alice, "ssh", "host", "import", "--additional", "--expect", shown, self.known)
        self.assertEqual(self.lost(self.known), [])

    def test_it_is_said_before_the_question_and_once(self):
        self.knows(f"db1.example.org {self.keys[0]}")
        screen = Screen(self, self.alice, "setup", "ssh", columns=200)
        screen.sees(r"\[y/N\]")
        self.assertIn("~/.ssh/known_hosts has 1 line that the vault does not know", screen.plain)
        self.assertIn("hint: hsip ssh host import ~/.ssh/known_hosts\n", screen.plain)
        screen.enters("y")
        self.assertEqual(screen.ends(), 0, screen.text)
        self.assertNotIn("does not know", self.ok(self.alice, "setup", "ssh", "-y").talk)

    def test_a_pipe_in_the_place_of_the_file_stops_nothing(self):
        os.mkfifo(self.known)
        self.assertEqual(self.lost(self.known), [])

    def test_the_file_of_the_machine_counts_as_well(self):
        if os.getuid() != 0:
            self.skipTest("only root can put a folder in the place of /etc/ssh")
        folder = self.alice.path("files", "etc")
        os.mkdir(folder, 0o755)
        self.alice.write("files/etc/ssh_known_hosts", f"db1.example.org {self.keys[0]}\n", 0o644)
        script = f'mount --bind {folder} /etc/ssh && exec "$@"'
        words = self.alice.command("setup", "ssh", "--print", "--json")
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *words], capture_output=True, text=True,
                              env=self.alice.environment(HSIP_PASSPHRASE_FILE=self.alice.secret_file("passphrase")),
                              cwd=self.alice.home, stdin=subprocess.DEVNULL, start_new_session=True, timeout=60)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual([(one["path"], one["count"]) for one in json.loads(done.stdout)["warnings"]
                          if one["code"] == "knownHostsUnread"], [("/etc/ssh/ssh_known_hosts", 1)])

    def test_undoing_asks_for_what_it_does(self):
        self.has(OWN)
        self.sets_up()
        screen = Screen(self, self.alice, "setup", "ssh", "--undo", columns=200)
        screen.sees(r"Remove these from \S+ and \S+\? \[y/N\]")
        screen.enters("y")
        self.assertEqual(screen.ends(), 0, screen.text)
        self.assertIn("ssh reads ~/.ssh/known_hosts again", screen.plain)
        self.assertEqual(sk.read(self.config), OWN)


class Refreshing(SetupCase):
    def text(self) -> str:
        return sk.read(self.fragment).decode()

    def test_the_settings_follow_the_hosts(self):
        self.adds("db1")
        self.assertFalse(os.path.exists(self.fragment))
        self.sets_up()
        self.assertIn("Host db1\n", self.text())
        self.adds("db2", "--port", "2222", "--auth", "password")
        self.assertEqual(self.uses("db2")["port"], "2222")
        self.ok(self.alice, "ssh", "host", "set", "db2", "--name", "db3")
        self.assertIn("Host db3\n", self.text())
        self.assertNotIn("Host db2\n", self.text())
        self.ok(self.alice, "ssh", "host", "rm", "db3")
        self.assertNotIn("Host db3\n", self.text())
        self.ok(self.alice, "ssh", "host", "restore", "db3")
        self.assertIn("Host db3\n", self.text())
        self.ok(self.alice, "setup", "ssh", "--check")
        self.takes_out()
        self.adds("db4")
        self.assertFalse(os.path.exists(self.fragment))

    def test_the_settings_follow_the_names_of_keys(self):
        self.ok(self.alice, "ssh", "key", "generate", "work")
        self.adds("db1", "--key", "work")
        self.sets_up()
        self.ok(self.alice, "ssh", "key", "set", "work", "--name", "job")
        self.assertIn("/job.pub\n", self.text())
        self.ok(self.alice, "setup", "ssh", "--check")

    def test_settings_that_cannot_be_written_are_a_warning(self):
        self.sets_up()
        self.alice.write("config/hsip/ssh_config", "Host mine\n")
        outcome = self.ok(self.alice, "ssh", "host", "add", "db1", "--address", "db1.example.org", "--user", "deploy",
                          "--auth", "password", "--json")
        self.assertEqual(outcome.warnings, ["sshSettingsStale"])
        self.assertEqual(self.text(), "Host mine\n")

    def test_doctor_finds_and_mends_what_is_stale(self):
        self.adds("db1")
        self.assertEqual(self.finding()["state"], "notice")
        self.sets_up()
        self.assertEqual({one["state"] for one in self.findings()}, {"ok"})
        self.has(OWN)
        self.assertEqual(self.finding()["state"], "warning")
        self.alice.run("doctor", "--fix", "-y")
        self.assertEqual(sk.read(self.config), self.line + OWN)
        self.assertEqual({one["state"] for one in self.findings()}, {"ok"})

    def findings(self) -> list[dict]:
        found = json.loads(self.alice.run("doctor", "--json").output)["data"]["findings"]
        return [one for one in found if one["check"] == "ssh"]

    def finding(self) -> dict:
        return next(one for one in self.findings() if one["state"] != "ok")


if __name__ == "__main__":
    unittest.main()
