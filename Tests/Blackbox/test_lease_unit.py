"""`hsip lease run --unit`: a lease for a service that runs, with a systemd of the user's own."""

import os
import shutil
import subprocess
import time
import unittest

from house import BINARY
from lease_case import WHY, LeaseCase
from screen import CONTROL_C, Screen

SYSTEMD = "/lib/systemd/systemd"
GROUPS = "mount -t cgroup2 none /sys/fs/cgroup"
BEGIN = f"""{GROUPS} && mkdir "$0" && echo $$ >"$0/cgroup.procs" &&
mount -t tmpfs none /run/systemd && mkdir /run/systemd/system && exec {SYSTEMD} --user --unit=basic.target"""


def in_own_mounts(script: str, group: str = "", **more):
    return subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-c", script, group],
                          capture_output=True, timeout=60, **more)


def missing() -> str | None:
    """What is not installed or not allowed here, or None."""
    for program in ("unshare", "nsenter", "systemctl", "systemd-run", SYSTEMD):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    if in_own_mounts(f'{GROUPS} && mkdir "$0" && rmdir "$0"', f"/sys/fs/cgroup/hsip-probe-{os.getpid()}").returncode:
        return "a systemd of one's own needs the right to mount, and control groups"
    return None


class Manager:
    """systemd --user of a person, in control groups and mounts of its own; ends with the test."""

    def __init__(self, case, person):
        # With dbus-user-session it has a bus there; systemctl goes without one.
        self.bus = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=" + os.path.join(person.environment()["XDG_RUNTIME_DIR"], "bus")}
        self.environment = person.environment(**self.bus)
        self.group = f"/sys/fs/cgroup/hsip-{os.getpid()}-{id(self)}"
        case.addCleanup(in_own_mounts, f'{GROUPS} && find "$0" -depth -type d -exec rmdir {{}} +', self.group)
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--propagation", "private", "setpriv", "--pdeathsig", "KILL", "sh", "-c", BEGIN,
             self.group], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        case.addCleanup(self.end)
        end = time.monotonic() + 30
        while subprocess.run(["systemctl", "--user", "is-active", "--quiet", "basic.target"], env=self.environment,
                             capture_output=True, timeout=60).returncode:
            case.assertLess(time.monotonic(), end, "systemd did not start")
            time.sleep(0.05)

    def end(self):
        subprocess.run(["systemctl", "--user", "exit"], env=self.environment, capture_output=True, timeout=60)
        self.process.wait(60)

    def tells(self, *words: str) -> str:
        return subprocess.run(["systemctl", "--user", *words], env=self.environment, capture_output=True, text=True,
                              timeout=60, check=True).stdout.strip()

    def starts(self, unit: str, *lines: str, properties: tuple[str, ...] = ()):
        properties = [f"--property={each}" for each in ("Type=exec", *properties)]
        subprocess.run(["systemd-run", "--user", "--quiet", f"--unit={unit}", *properties, "sh", "-c", "\n".join(lines)],
                       env=self.environment, check=True, timeout=60)

    def main(self, unit: str) -> int:
        return int(self.tells("show", "--property=MainPID", "--value", unit))

    def inside(self, script: str) -> subprocess.CompletedProcess:
        """A program of the user outside every unit, in the mounts of systemd."""
        return subprocess.run(["nsenter", f"--mount=/proc/{self.process.pid}/ns/mnt", "sh", "-c", script],
                              env=self.environment, capture_output=True, text=True, timeout=60)


@unittest.skipIf(missing(), missing())
class Units(LeaseCase):
    def setUp(self):
        super().setUp()
        self.manager = Manager(self, self.alice)

    def unit(self, *words: str, name: str = "deploy", span: str = "20m") -> Screen:
        return Screen(self, self.alice, "lease", "run", "ci/npm", "--unit", name, "--for", span, "--reason", WHY, *words,
                      columns=200, **self.manager.bus)

    def leased(self, name: str = "deploy") -> Screen:
        screen = self.unit(name=name)
        screen.sees(f"lease [0-9]+ for {name}.service \\(process {self.manager.main(name)}\\): ")
        return screen

    def test_the_service_and_what_it_starts_have_it_until_the_service_ends(self):
        self.manager.starts("deploy", self.get("ci/npm", "before", "--no-input"), self.waits("go"),
                            self.get("ci/npm", "one"), f"sh -c '{self.get('ci/npm', 'two')}'", self.get("prod", "three"),
                            self.waits("end"))
        self.got("before", 6)
        screen = self.leased()
        lease = self.listed()[0]
        self.assertEqual((lease["command"], lease["pid"]), ("deploy.service", self.manager.main("deploy")))
        self.go("go")
        self.assertEqual(self.got("one"), "value of ci/npm")
        self.assertEqual(self.got("two"), "value of ci/npm")
        self.assertIn("hsip lease run prod", self.got("three", 6))
        self.go("end")
        self.assertEqual(screen.ends(), 0)
        self.assertIn("ended with deploy.service", screen.plain)
        self.assertEqual(self.listed(), [])
        given = self.ok(self.alice, "audit", "--lease", str(lease["number"]), "--json").result["entries"][0]
        self.assertEqual(given["subject"], f"ci/npm for deploy.service (process {lease['pid']})")
        acts = [entry["act"] for entry in self.ok(self.alice, "audit", "--lease", str(lease["number"]), "--json").result["entries"]]
        self.assertEqual(acts, ["lease", "secret.get", "secret.get", "lease.end"])

    def test_a_program_that_moves_into_its_control_group_has_none(self):
        self.manager.starts("deploy", "exec sleep 600")
        self.leased()
        group = self.manager.tells("show", "--property=ControlGroup", "--value", "deploy")
        done = self.manager.inside(f"echo $$ >/sys/fs/cgroup{group}/cgroup.procs && cat /proc/self/cgroup && "
                                   f"{BINARY} secret get ci/npm --no-input")
        self.assertIn(group, done.stdout)
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertNotIn("value of ci/npm", done.stdout)

    def test_a_process_that_its_parents_left_and_the_next_start_have_none(self):
        self.alice.write("files/left", self.waits("go") + "\n" + self.get("ci/npm", "orphan", "--no-input"))
        self.alice.write("files/next", self.get("ci/npm", "restarted", "--no-input") + "\nsleep 600")
        self.manager.starts("deploy", f"[ -e {self.file('again')} ] && exec sh {self.file('next')}",
                            f"sh -c 'setsid sh {self.file('left')} &'", "exec sleep 600")
        screen = self.leased()
        self.go("go")
        self.got("orphan", 6)
        self.go("again")
        self.manager.tells("restart", "deploy")
        self.got("restarted", 6)
        self.assertEqual(screen.ends(), 0)
        self.assertEqual(self.listed(), [])

    def test_it_ends_with_kill_and_by_hand(self):
        self.manager.starts("deploy", "exec sleep 600")
        screen = self.leased()
        self.manager.tells("kill", "--signal=KILL", "deploy")
        self.assertEqual(screen.ends(), 0)
        self.assertEqual(self.listed(), [])
        self.manager.starts("other", self.waits("go"), self.get("ci/npm", "one", "--no-input"), "sleep 600")
        screen = self.leased("other")
        screen.types(CONTROL_C)
        self.assertEqual(screen.ends(), 130)
        self.assertEqual(self.listed(), [])
        self.go("go")
        self.got("one", 6)

    def test_a_lock_and_an_end_from_elsewhere_are_noticed_and_an_older_lease_holds_on(self):
        self.manager.starts("deploy", self.waits("go"), self.get("ci/npm", "one"), "sleep 600")
        older, newer = self.leased(), self.unit()
        newer.sees("lease [0-9]+ for deploy.service")
        self.ok(self.alice, "lease", "end", str(self.listed()[1]["number"]))
        self.assertEqual(newer.ends(), 0)
        self.assertRegex(newer.plain, "lease [0-9]+ ended\n")
        self.go("go")
        self.assertEqual(self.got("one"), "value of ci/npm")
        self.ok(self.alice, "lock")
        self.assertEqual(older.ends(), 0)
        self.assertRegex(older.plain, "lease [0-9]+ ended\n")

    def test_a_process_that_nobody_waits_for_ends_it(self):
        with_no_end = "import os, socket, time\nchild = os.fork()\nif not child:\n" \
            "    while not os.path.exists({end!r}): time.sleep(0.02)\n    os._exit(0)\n" \
            "told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\ntold.connect(os.environ['NOTIFY_SOCKET'])\n" \
            "told.send(b'READY=1\\nMAINPID=%d' % child)\ntime.sleep(600)"
        program = self.alice.write("files/zombie.py", with_no_end.format(end=self.file("end")))
        self.manager.starts("zombie", f"exec python3 {program}", properties=("Type=notify", "NotifyAccess=all"))
        screen = self.leased("zombie")
        self.go("end")
        self.assertEqual(screen.ends(), 0)
        self.assertIn("ended with zombie.service", screen.plain)

    def test_its_time_ends_it(self):
        self.manager.starts("deploy", "exec sleep 600")
        screen = self.unit(span="2s")
        self.assertEqual(screen.ends(), 0)
        self.assertRegex(screen.plain, "lease [0-9]+ ended\n")
        self.assertEqual(self.listed(), [])

    def test_what_is_no_service_that_runs_gets_none(self):
        for name, said in (("*", "the name of one service"), ("-H", "--unit"), ("", "the name of one service"),
                           ("nothing", "nothing.service: no such service"), ("basic.target", "the name of one service"),
                           ("foo@", "the name of one service"), ("1", "1.service: no such service")):
            with self.subTest(name=name):
                screen = self.unit(name=name)
                self.assertIn(screen.ends(), (2, 125), screen.text)
                self.assertIn(said, screen.plain)
        self.manager.starts("hidden", "exec sleep 600", properties=("PrivateUsers=yes",))
        screen = self.unit(name="hidden")
        self.assertEqual(screen.ends(), 125, screen.text)
        self.assertIn("PrivateUsers=", screen.plain)
        self.manager.starts("deploy", "exec sleep 600")
        screen = self.unit("--", "true")
        self.assertEqual(screen.ends(), 125, screen.text)
        self.assertIn("not for both", screen.plain)
        self.assertEqual(self.listed(), [])

    def test_a_service_around_the_terminal_gets_none(self):
        screen = Screen(self, self.alice, shell=f"systemd-run --user --quiet --pty --unit=around sh -c "
                        f"'{BINARY} lease run ci/npm --unit around --for 1m --reason x; exit $?'", columns=200, **self.manager.bus)
        self.assertEqual(screen.ends(), 125, screen.text)
        self.assertIn("it runs this terminal", screen.plain)
        self.assertEqual(self.listed(), [])


if __name__ == "__main__":
    unittest.main()
