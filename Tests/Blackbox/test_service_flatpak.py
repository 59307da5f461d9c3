"""Programs in sandboxes on the bus: a Flatpak has what is its own, and what only calls itself a Flatpak is nobody.

Flatpak itself is not needed: bwrap makes the sandbox with the description in it, xdg-dbus-proxy stands in it between the
program and the bus, and the control group has the name and the place that systemd gives it.
"""

import contextlib
import functools
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import agents as ag
import service_client as sc
from service_case import VALUE, ServiceCase

APP, OTHER = "org.example.App", "org.example.Other"


def applications() -> str | None:
    """The folder where the service manager of this user makes units of applications; None where none can be made."""
    with open("/proc/self/cgroup", encoding="ascii") as file:
        names = {line.split(":", 2)[1] for line in file}
    with open("/proc/self/mounts", encoding="utf-8") as file:
        mounts = [line.split() for line in file]
    user = os.geteuid()
    for _, place, kind, options, *_ in mounts:
        name = "" if kind == "cgroup2" else "name=systemd" if "name=systemd" in options.split(",") else None
        if kind.startswith("cgroup") and name in names:
            folder = f"{place}/user.slice/user-{user}.slice/user@{user}.service/app.slice"
            there = folder
            while not os.path.isdir(there):
                there = os.path.dirname(there)
            if os.access(there, os.W_OK):
                return folder
    return None


@functools.cache
def missing() -> str | None:
    """What is not here, or None."""
    for name in ("bwrap", "xdg-dbus-proxy"):
        if shutil.which(name) is None:
            return f"{name} is not installed"
    if subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], capture_output=True).returncode != 0:
        return "bwrap can make no sandbox here"
    return None if applications() else "no control group can be made here"


class Sandbox:
    """A sandbox with a description, in a unit or in none; what connects to `address` is its program."""

    number = 4711

    def __init__(self, front, description: str | None, unit: str | None):
        self.folder = tempfile.mkdtemp(prefix="sandbox-", dir=front.agent.askpass.folder)
        self.address = f"unix:path={self.folder}/bus"
        self.group = None
        words = ["bash", "-c", 'echo "$$" >"$0" && exec "$@"']
        if unit:
            Sandbox.number += 1
            # A number that another run does not have at the same time, and that a process can have.
            process = os.getpid() % 100_000 * 10_000 + Sandbox.number
            self.group = os.path.join(applications(), f"{unit}-{process}.scope")
            os.makedirs(self.group)
            words.append(os.path.join(self.group, "cgroup.procs"))
        else:
            words.append("/dev/null")
        words += ["bwrap", "--die-with-parent", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--proc", "/proc",
                  "--dev", "/dev", "--bind", self.folder, self.folder]
        for name in ("bin", "lib", "lib64"):
            words += ["--symlink", "usr/" + name, "/" + name]
        bus = os.path.dirname(front.bus.address.partition("unix:path=")[2].partition(",")[0])
        words += ["--ro-bind", bus, bus]
        if description is not None:
            info = os.path.join(self.folder, "info")
            with open(info, "w", encoding="utf-8") as file:
                file.write(description)
            words += ["--ro-bind", info, "/.flatpak-info"]
        # It says by this that it listens, and ends when nobody reads it any more.
        self.ready, write = os.pipe()
        try:
            self.process = subprocess.Popen(
                [*words, "xdg-dbus-proxy", f"--fd={write}", front.bus.address, self.folder + "/bus", "--filter",
                 "--talk=org.freedesktop.secrets"], pass_fds=(write,), stdin=subprocess.DEVNULL, start_new_session=True,
                env=front.person.environment())
        finally:
            os.close(write)
        try:
            ag.wait_for(self.ready, "the proxy of the sandbox")
            if not os.read(self.ready, 1):
                raise AssertionError("the proxy of the sandbox ended")
        except BaseException:
            self.end()
            raise

    def end(self):
        os.close(self.ready)
        try:
            self.process.wait(ag.DEADLINE)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise
        if self.group is not None:
            os.rmdir(self.group)
            # Folders that stood before have something in them, or are not ours to remove.
            with contextlib.suppress(OSError):
                os.removedirs(os.path.dirname(self.group))


def info(name: str) -> str:
    return f"[Application]\nname={name}\nruntime=runtime/org.example.Platform/x86_64/1\n\n[Instance]\ninstance-id=1\n"


@unittest.skipIf(missing(), missing())
class Flatpak(ServiceCase):
    def sandboxed(self, name: str, unit: str | None, description: str | None = None) -> sc.Client:
        """A program in a sandbox that says it is this application."""
        sandbox = Sandbox(self.front, info(name) if description is None else description, unit)
        self.addCleanup(sandbox.end)
        return sc.Client(sandbox)

    def application(self, name: str) -> sc.Client:
        """A true one."""
        return self.sandboxed(name, f"app-flatpak-{name}")

    def plain(self) -> Sandbox:
        """A sandbox that anybody can make."""
        sandbox = Sandbox(self.front, None, "app-flatpak-" + APP)
        self.addCleanup(sandbox.end)
        return sandbox

    def owners(self) -> dict[str, str | None]:
        items = self.ok(self.alice, "item", "list", "--no-agent", "--json").result["items"]
        return {item["label"]: item["owner"] for item in items}

    def test_an_application_has_what_it_stored_itself_in_every_run(self):
        path = self.application(APP).store(VALUE, {"user": "joe"}, "of the app")
        self.assertEqual(self.owners(), {"of the app": "flatpak:" + APP})
        again = self.application(APP)
        self.assertEqual(again.search({"user": "joe"}), ([path], []))
        self.assertEqual(again.value(path), VALUE)
        self.assertFalse(self.agent.askpass.was_asked())

    def test_an_application_sees_nothing_of_others(self):
        mine = self.client.store(VALUE, {"user": "joe"}, "of the host")
        theirs = self.application(OTHER).store(VALUE, {"user": "joe"}, "of the other")
        application = self.application(APP)
        self.assertEqual(application.search({"user": "joe"}), ([], []))
        for path in (mine, theirs):
            self.assertEqual(application.values(path), {})
            self.refused(sc.NO_OBJECT, lambda: application.value(path))
            self.refused(sc.NO_OBJECT, lambda: application.get(path, sc.ITEM, "Label"))
            self.refused(sc.NO_OBJECT, lambda: application.call(path, sc.ITEM, "Delete"))
        # What it stores beside them replaces none of them.
        application.store(b"own", {"user": "joe"}, "of the app")
        self.assertEqual(len(self.owners()), 3)
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_description_alone_makes_no_application(self):
        path = self.application(APP).store(VALUE, {"user": "joe"}, "of the app")
        for unit in (None, "app-flatpak-" + OTHER, f"app-flatpak-{APP}X", "app-" + APP):
            with self.subTest(unit=unit):
                forged = self.sandboxed(APP, unit)
                # It hears neither which item that is nor that there is none, and sees nothing where it names nothing.
                self.refused(sc.IS_LOCKED, lambda: forged.search({"user": "joe"}))
                self.assertNotIn(path, sum(forged.search({}), []))
                self.refused(sc.NO_OBJECT, lambda: forged.value(path))
                label = f"forged {unit}"
                forged.store(b"forged", {"user": "jim"}, label, replace=False)
                self.assertIsNone(self.owners()[label])
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_unit_alone_makes_no_application(self):
        path = self.application(APP).store(VALUE, {"user": "joe"}, "of the app")
        for number, description in enumerate((
                "", "[Application]\n", f"[Instance]\nname={APP}\n", f"[Application]\nname={APP}\nname={OTHER}\n",
                f"[Application]\nname={APP}/../{OTHER}\n", info(OTHER))):
            with self.subTest(description=description):
                forged = self.sandboxed(APP, "app-flatpak-" + APP, description)
                # It hears neither which item that is nor that there is none, and sees nothing where it names nothing.
                self.refused(sc.IS_LOCKED, lambda: forged.search({"user": "joe"}))
                self.assertNotIn(path, sum(forged.search({}), []))
                self.refused(sc.NO_OBJECT, lambda: forged.value(path))
                forged.store(b"forged", {"user": "jim"}, str(number), replace=False)
                self.assertIsNone(self.owners()[str(number)])
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_sandbox_without_a_description_is_the_proxy_that_anybody_can_run(self):
        plain = sc.Client(self.plain())
        stored = plain.store(VALUE, {"user": "joe"}, "by the proxy")
        self.assertEqual(self.owners(), {"by the proxy": shutil.which("xdg-dbus-proxy")})
        # The very process has what it stored; another one is asked about.
        self.assertEqual(plain.value(stored), VALUE)
        other = sc.Client(self.plain())
        self.assertEqual(other.search({"user": "joe"}), ([], [stored]))

    def test_what_nobody_can_tell_reads_its_own_by_a_question(self):
        forged = self.sandboxed(APP, None)
        path = forged.store(VALUE, {"user": "joe"}, "of somebody")
        other = self.sandboxed(OTHER, None)
        self.assertEqual(other.search({"user": "joe"}), ([], [path]))
        self.agent.askpass.says("no")
        self.refused(sc.DENIED, lambda: other.values(path))
        self.agent.askpass.asked()


if __name__ == "__main__":
    unittest.main()
