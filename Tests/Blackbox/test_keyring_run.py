"""`hsip keyring run`: a command with a throwaway keyring, real clients in it, every way to end, and nothing left."""

import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

import agents as ag
import keyring as kr
import service as sv
from house import ALONE, BINARY, Case

SECRET = "a word in the throwaway keyring"
STORE = f"printf %s '{SECRET}' | secret-tool store --label=x place test"
SECRETSTORAGE = f"""
import secretstorage
bus = secretstorage.dbus_init()
collection = secretstorage.get_default_collection(bus)
item = collection.create_item("x", {{"place": "python"}}, b"{SECRET}")
assert item.get_secret() == b"{SECRET}"
item.set_secret(b"another")
found, = secretstorage.search_items(bus, {{"place": "python"}})
assert found.get_secret() == b"another" and not collection.is_locked()
found.delete()
own = secretstorage.create_collection(bus, "own")
own.create_item("y", {{"place": "own"}}, b"z")
own.lock()
assert own.is_locked() and not own.unlock()
own.delete()
"""


class KeyringRun(Case):
    world = None
    through_agent = False

    def setUp(self):
        if sv.missing():
            self.skipTest(sv.missing())
        super().setUp()
        self.alice, = ALONE.arrive()
        self.place = self.alice.path("run")

    def command(self, *words: str) -> list[str]:
        return [BINARY, "keyring", "run", *words]

    def run_in(self, *words: str, given: str = "", **more: str) -> subprocess.CompletedProcess:
        return subprocess.run(self.command(*words), input=given, capture_output=True, text=True, timeout=ag.DEADLINE,
                              cwd=self.alice.home, env=self.alice.environment(**more), start_new_session=True)

    def start(self, script: str, **more: str) -> subprocess.Popen:
        """A shell in the keyring that goes on until its input ends; its first line has been read."""
        process = subprocess.Popen(
            self.command("--", "sh", "-c", script), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, cwd=self.alice.home, env=self.alice.environment(**more),
            start_new_session=True)
        self.addCleanup(self.ends, process)
        return process

    def ends(self, process: subprocess.Popen):
        if process.poll() is None:
            process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        process.wait()

    def parts(self, folder: str | None = None) -> list[str]:
        """Processes that name the folder of a throwaway keyring, or have their home there."""
        mark = os.path.join(folder or self.place, "hsip-keyring-").encode()
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/cmdline", "rb") as words, open(f"/proc/{name}/environ", "rb") as variables:
                    text = words.read() + b"\0" + variables.read()
            except OSError:
                continue
            if mark in text:
                found.append(name)
        return found

    def folders(self) -> list[str]:
        return [name for name in os.listdir(self.place) if name.startswith("hsip-keyring-")]

    def is_gone(self):
        """No process, no folder and no socket is left, soon at the latest."""
        end = time.monotonic() + ag.DEADLINE
        while (left := (self.parts(), self.folders())) != ([], []):
            self.assertLess(time.monotonic(), end, left)
            time.sleep(0.01)

    def test_secret_tool_stores_and_looks_up_without_a_question(self):
        done = self.run_in("--", "sh", "-c", f"{STORE}; secret-tool lookup place test; echo; secret-tool clear place test;"
                                             " secret-tool lookup place test || echo gone")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{SECRET}\ngone\n", ""))
        self.is_gone()

    def test_another_program_reads_what_a_program_stored(self):
        done = self.run_in("sh", "-c", f"{STORE}; busctl --user call org.freedesktop.secrets /org/freedesktop/secrets"
                                       " org.freedesktop.Secret.Service ReadAlias s default; cp $(command -v secret-tool)"
                                       " ./other; ./other lookup place test")
        self.assertEqual((done.returncode, done.stdout[-len(SECRET):]), (0, SECRET), done)

    def test_many_reads_at_once_are_all_answered(self):
        read = "for n in $(seq 30); do secret-tool lookup place test >got$n & done; wait; cat got*"
        done = self.run_in("sh", "-c", f"{STORE}; {read}")
        self.assertEqual((done.returncode, done.stdout), (0, SECRET * 30), done)

    def test_python_secretstorage_works_in_it(self):
        if subprocess.run([sys.executable, "-c", "import secretstorage"], capture_output=True).returncode:
            self.skipTest("python3-secretstorage is not installed")
        done = self.run_in("--", sys.executable, "-c", SECRETSTORAGE)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_program_locks_the_default_collection_and_unlocks_it_without_a_question(self):
        lock = ("busctl --user call org.freedesktop.secrets /org/freedesktop/secrets org.freedesktop.Secret.Service Lock"
                " ao 1 /org/freedesktop/secrets/aliases/default >lock")
        done = self.run_in("sh", "-c", f"{STORE}; {lock}; secret-tool lookup place test && {lock} && {STORE} &&"
                                       " secret-tool lookup place test")
        self.assertEqual((done.returncode, done.stdout), (0, SECRET * 2), done)
        self.is_gone()

    def test_a_program_that_is_missing_is_named(self):
        for words, text in ((("keyring", "run", "--", "nothing-here"), "hsip: hint: hsip keyring run -- /path/to/program"),
                            (("run", "nothing-here"), "hsip: hint: hsip run /path/to/program")):
            done = subprocess.run([BINARY, *words], capture_output=True, text=True, cwd=self.alice.home,
                                  env=self.alice.environment(), start_new_session=True)
            self.assertEqual((done.returncode, done.stderr), (127, f"hsip: error: nothing-here: program not found\n{text}\n"))

    def test_the_exit_code_is_that_of_the_command(self):
        self.alice.write("files/text", "no program")
        for words, code in ((("true",), 0), (("sh", "-c", "exit 7"), 7), (("sh", "-c", "kill -KILL $$"), 137),
                            (("sh", "-c", "kill -TERM $$"), 143), (("--", "nothing-of-this-name"), 127),
                            ((self.alice.path("files", "text"),), 126), ((), 125), (("--no-such-option",), 125)):
            with self.subTest(words=words):
                done = self.run_in(*words)
                self.assertEqual(done.returncode, code, done)
                if code in (125, 126, 127):
                    self.assertRegex(done.stderr, r"\Ahsip: error: .+\n(hsip: hint: .+\n)?\Z")
        self.is_gone()

    def test_what_is_missing_is_named_with_its_package(self):
        empty = self.alice.path("files")
        shutil.copy("/bin/true", empty)
        done = self.run_in("true", PATH=empty)
        self.assertEqual((done.returncode, done.stderr),
                         (125, "hsip: error: dbus-daemon is not installed\nhsip: hint: apt install dbus-daemon\n"))
        alone = self.alice.path("files", "hsip")
        shutil.copy(BINARY, alone)
        if not os.path.exists("/usr/libexec/hsip-agent") and shutil.which("hsip-agent", path="/usr/bin:/bin") is None:
            done = subprocess.run([alone, "keyring", "run", "true"], capture_output=True, text=True, cwd=self.alice.home,
                                  env=self.alice.environment(), timeout=ag.DEADLINE)
            self.assertEqual(done.returncode, 125, done)
            self.assertIn("hint: apt install hsip-agent\n", done.stderr)
        self.is_gone()

    def test_a_bus_that_does_not_start_is_told_and_leaves_nothing(self):
        folder = self.alice.path("files")
        self.alice.write("files/dbus-daemon", "#!/bin/sh\nexit 1\n", 0o700)
        done = self.run_in("true", PATH=f"{folder}:/usr/bin:/bin")
        self.assertEqual(done.returncode, 125, done)
        self.assertIn("hsip: error: dbus-daemon did not start\n", done.stderr)
        self.is_gone()

    def test_signals_reach_the_command(self):
        done = self.run_in("grep", "SigBlk", "/proc/self/status")
        self.assertEqual(done.stdout.split(), ["SigBlk:", "0" * 16], done)

    def test_streams_arguments_and_variables_pass_through(self):
        done = self.run_in("sh", "-c", "cat; echo \"$1$WORD\" >&2", "sh", "--json", given="in\n", WORD="vault:x")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "in\n", "--jsonvault:x\n"))

    def test_the_own_bus_vault_and_agent_are_not_used(self):
        bus = kr.SecretService()
        agent = ag.Hsip(self.alice)
        self.addCleanup(agent.end)
        before = {place: os.stat(self.alice.path(place)).st_mtime_ns for place in ("data/hsip", "config/hsip", "state/hsip")}
        names = bus.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames", to="org.freedesktop.DBus")[0]
        rows = self.alice.rows()
        done = self.run_in("sh", "-c", f"{STORE}; echo $DBUS_SESSION_BUS_ADDRESS; secret-tool lookup place test",
                           **(bus.environment() | agent.askpass.environment()))
        self.assertEqual(done.returncode, 0, done)
        address, _, value = done.stdout.partition("\n")
        self.assertEqual(value, SECRET, done)
        self.assertTrue(address.startswith(f"unix:path={self.place}/hsip-keyring-"), done)
        self.assertFalse(agent.askpass.was_asked())
        self.assertEqual(bus.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames",
                                  to="org.freedesktop.DBus")[0], names)
        self.assertEqual(self.alice.rows(), rows)
        self.assertEqual({place: os.stat(self.alice.path(place)).st_mtime_ns for place in before}, before)
        self.is_gone()

    def test_nobody_needs_a_vault_or_a_runtime_folder_of_their_own(self):
        home = self.alice.path("files")
        done = subprocess.run(self.command("sh", "-c", f"{STORE}; secret-tool lookup place test"), capture_output=True,
                              text=True, timeout=ag.DEADLINE, cwd=home, start_new_session=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": home})
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, SECRET, ""))
        self.assertEqual(os.listdir(home), [])

    def test_two_at_once_do_not_meet(self):
        first = self.start(f"{STORE}; echo ready; read line; secret-tool lookup place test")
        self.assertEqual(first.stdout.readline(), "ready\n")
        second = self.run_in("secret-tool", "lookup", "place", "test")
        self.assertEqual((second.returncode, second.stdout), (1, ""))
        self.assertEqual(len(self.folders()), 1, "only that of the first is left")
        output, errors = first.communicate("go\n", ag.DEADLINE)
        self.assertEqual((first.returncode, output, errors), (0, SECRET, ""))
        self.is_gone()

    def test_nothing_is_left_where_a_program_of_the_command_goes_on(self):
        process = self.start("sleep 1000 >/dev/null 2>&1 & echo $!")
        other = int(process.stdout.readline())
        self.addCleanup(os.kill, other, signal.SIGKILL)
        process.communicate(timeout=ag.DEADLINE)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.folders(), [])

    def test_a_signal_is_passed_on_and_everything_ends(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(signal=number):
                process = self.start("trap 'echo caught; exit 9' TERM INT HUP; echo ready; while :; do sleep 0.02; done")
                self.assertEqual(process.stdout.readline(), "ready\n")
                process.send_signal(number)
                output, errors = process.communicate(timeout=ag.DEADLINE)
                self.assertEqual((process.returncode, output, errors), (9, "caught\n", ""))
                self.is_gone()

    def test_a_command_that_is_killed_ends_everything(self):
        process = self.start("echo $$; read line")
        os.kill(int(process.stdout.readline()), signal.SIGKILL)
        process.communicate(timeout=ag.DEADLINE)
        self.assertEqual(process.returncode, 137)
        self.is_gone()

    def test_bus_and_keyring_end_and_their_folder_goes_where_hsip_is_killed(self):
        process = self.start("echo ready; read line; secret-tool lookup place test 2>/dev/null || echo none")
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.kill()
        # The command itself goes on, without a bus.
        output, _ = process.communicate("go\n", ag.DEADLINE)
        self.assertEqual((process.returncode, output), (-signal.SIGKILL, "none\n"))
        self.is_gone()

    def test_processes_end_although_the_shell_that_ends_them_was_killed(self):
        process = self.start("echo ready; read line")
        self.assertEqual(process.stdout.readline(), "ready\n")
        for number in self.parts():
            with open(f"/proc/{number}/cmdline", "rb") as words:
                if b"processes=" in words.read():
                    os.kill(int(number), signal.SIGKILL)
        process.communicate("end\n", ag.DEADLINE)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.parts(), [])

    def test_a_runtime_folder_that_others_may_write_is_not_used(self):
        shared = self.alice.path("files", "shared")
        os.mkdir(shared)
        os.chmod(shared, 0o777)
        done = self.run_in("--", "sh", "-c", "echo $DBUS_SESSION_BUS_ADDRESS", XDG_RUNTIME_DIR=shared)
        self.assertEqual(done.returncode, 0, done)
        self.assertNotIn(shared, done.stdout)

    def test_a_signal_while_it_starts_leaves_nothing(self):
        folder = self.alice.path("files")
        self.alice.write("files/dbus-daemon", f"#!/bin/sh\ntouch {folder}/started\nsleep 0.3\n"
                                              "exec /usr/bin/dbus-daemon \"$@\"\n", 0o700)
        for number, codes in ((signal.SIGTERM, (143,)), (signal.SIGKILL, (-9,))):
            with self.subTest(signal=number):
                process = self.start("echo never", PATH=f"{folder}:/usr/bin:/bin")
                while not os.path.exists(f"{folder}/started"):
                    self.assertIsNone(process.poll())
                    time.sleep(0.002)
                os.unlink(f"{folder}/started")
                process.send_signal(number)
                output, _ = process.communicate(timeout=ag.DEADLINE)
                self.assertIn(process.returncode, codes)
                self.assertEqual(output, "")
                self.is_gone()

    def test_no_secret_of_the_vault_is_in_words_or_variables(self):
        process = self.start("echo ready; read line")
        self.assertEqual(process.stdout.readline(), "ready\n")
        folder = os.path.join(self.place, self.folders()[0])
        self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700)
        for name in self.parts():
            with open(f"/proc/{name}/cmdline", "rb") as words, open(f"/proc/{name}/environ", "rb") as variables:
                text = words.read() + variables.read()
            self.assertNotRegex(text, rb"(?i)passphrase|recovery|([0-9A-Z]{4}-){6}")
        process.communicate("go\n", ag.DEADLINE)
        self.is_gone()

    def test_keyring_alone_shows_its_help(self):
        done = subprocess.run([BINARY, "keyring"], capture_output=True, text=True, env=self.alice.environment())
        self.assertEqual(done.returncode, 2)
        self.assertIn("hsip keyring run -- pytest", done.stdout)
        page = subprocess.run([BINARY, "help", "keyring", "run"], capture_output=True, text=True,
                              env=self.alice.environment())
        self.assertLessEqual(len(page.stdout.splitlines()), 23, page.stdout)


if __name__ == "__main__":
    unittest.main()
