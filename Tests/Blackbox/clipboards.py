"""Desktops without a screen, each with a clipboard of its own: X by Xvfb and xclip, Wayland by sway and wl-clipboard."""

import os
import pwd
import shutil
import subprocess
import tempfile

PATH = "/usr/bin:/bin"


class X:
    """An X server. Ends with the test."""

    @staticmethod
    def missing() -> str | None:
        return next((f"{name} is not installed" for name in ("Xvfb", "xclip") if not shutil.which(name)), None)

    def __init__(self, case):
        read, write = os.pipe()
        server = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "Xvfb", "-displayfd", str(write), "-screen", "0", "64x64x8", "-nolisten", "tcp"],
            pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        case.addCleanup(server.wait)
        case.addCleanup(server.terminate)
        with os.fdopen(read) as file:
            self.environment = {"DISPLAY": ":" + file.readline().strip()}

    def holds(self, selection: str = "clipboard") -> bytes:
        return self._run("xclip", "-selection", selection, "-o", stdout=subprocess.PIPE).stdout

    def puts(self, text: bytes, selection: str = "clipboard"):
        self._run("xclip", "-selection", selection, given=text).check_returncode()

    def _run(self, *words: str, given: bytes = b"", stdout=subprocess.DEVNULL):
        # What owns a selection stays in the background, with the descriptors that it got.
        return subprocess.run(words, input=given, stdout=stdout, stderr=subprocess.DEVNULL, timeout=60,
                              env={"PATH": PATH} | self.environment)


class Wayland(X):
    """A compositor with no output that anybody sees. It refuses to run as root, so then it runs as nobody."""

    @staticmethod
    def missing() -> str | None:
        return next((f"{name} is not installed" for name in ("sway", "wl-copy", "setpriv") if not shutil.which(name)), None)

    def __init__(self, case):
        self.folder = tempfile.mkdtemp(prefix="hsip-wayland-")
        case.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        read, write = os.pipe()
        settings = os.path.join(self.folder, "settings")
        with open(settings, "w", encoding="ascii") as file:
            file.write(f"xwayland disable\nexec echo $WAYLAND_DISPLAY >&{write}\n")
        command = ["setpriv", "--pdeathsig", "KILL"]
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            os.chmod(settings, 0o644)
            command += ["--reuid", str(nobody.pw_uid), "--regid", str(nobody.pw_gid), "--clear-groups"]
        compositor = subprocess.Popen(
            [*command, "sway", "-c", settings], pass_fds=(write,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
            env={"PATH": PATH, "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "WLR_BACKENDS": "headless",
                 "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"})
        os.close(write)
        case.addCleanup(compositor.wait)
        case.addCleanup(compositor.terminate)
        with os.fdopen(read) as file:
            name = file.readline().strip()
        if not name:
            raise AssertionError("sway did not start")
        self.environment = {"WAYLAND_DISPLAY": os.path.join(self.folder, name)}

    def holds(self, selection: str = "clipboard") -> bytes:
        return self._run("wl-paste", "--no-newline", *self._choice(selection), stdout=subprocess.PIPE).stdout

    def puts(self, text: bytes, selection: str = "clipboard"):
        self._run("wl-copy", *self._choice(selection), given=text).check_returncode()

    @staticmethod
    def _choice(selection: str) -> list[str]:
        return ["--primary"] if selection == "primary" else []
