"""Chromium without a screen, spoken to over its debugging pipe: a browser that seals its cookies with a key of the keyring."""

import contextlib
import fcntl
import json
import os
import select
import signal
import sqlite3
import subprocess

import agents as ag

PROGRAM = "/usr/lib/chromium/chromium"
"""The program itself: /usr/bin/chromium is a script that starts it."""
LABEL = "Chromium Safe Storage"
WORDS = ["--headless=new", "--no-sandbox", "--password-store=gnome-libsecret", "--remote-debugging-pipe", "--no-first-run",
         "--no-default-browser-check", "--disable-gpu", "--disable-dev-shm-usage",
         # It reaches nobody from here.
         "--disable-background-networking", "--disable-component-update", "--host-resolver-rules=MAP * ~NOTFOUND"]


def missing() -> str | None:
    """What is not installed here, or None."""
    return None if os.access(PROGRAM, os.X_OK) else "chromium is not installed"


class Chromium:
    """One run of the browser with a profile, on the bus of a front."""

    def __init__(self, front, profile: str):
        self.front, self.profile = front, profile
        self._rest, self._number = b"", 0
        theirs, self._to = (self._high(end) for end in os.pipe())
        self._from, back = (self._high(end) for end in os.pipe())
        try:
            with open(self._log, "ab") as log:
                # It reads requests from descriptor 3 and writes answers to 4.
                self.process = subprocess.Popen(
                    ["setpriv", "--pdeathsig", "KILL", "bash", "-c", 'exec "${@:3}" 3<&"$1" 4>&"$2"', "bash", str(theirs),
                     str(back), PROGRAM, *WORDS, "--user-data-dir=" + profile, "about:blank"],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=front.person.home, start_new_session=True,
                    pass_fds=(theirs, back), env=front.person.environment(**front.bus.environment()))
        finally:
            os.close(theirs)
            os.close(back)

    @property
    def _log(self) -> str:
        return os.path.join(self.front.agent.askpass.folder, "chromium.log")

    @staticmethod
    def _high(end: int) -> int:
        """The same descriptor with a number that the shell's own do not take."""
        try:
            return fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20)
        finally:
            os.close(end)

    def ask(self, method: str, **parameters) -> int:
        """Sends a request; its number."""
        self._number += 1
        request = {"id": self._number, "method": method, "params": parameters}
        os.write(self._to, json.dumps(request).encode() + b"\0")
        return self._number

    def answer(self, number: int) -> dict:
        """Waits for the answer to a request."""
        while True:
            while b"\0" not in self._rest:
                ag.wait_for(self._from, "an answer of the browser")
                part = os.read(self._from, 1 << 16)
                if not part:
                    with open(self._log, encoding="utf-8", errors="replace") as file:
                        raise AssertionError(f"the browser ended: {file.read()[-3000:]}")
                self._rest += part
            one, self._rest = self._rest.split(b"\0", 1)
            message = json.loads(one)
            if message.get("id") == number:
                if "error" in message:
                    raise AssertionError(message["error"])
                return message["result"]

    def call(self, method: str, **parameters) -> dict:
        return self.answer(self.ask(method, **parameters))

    def keeps(self, name: str, value: str):
        """A cookie that outlives this run."""
        self.call("Storage.setCookies", cookies=[
            {"name": name, "value": value, "domain": "example.org", "path": "/", "expires": 4_000_000_000}])

    def asks_for_cookies(self) -> int:
        return self.ask("Storage.getCookies")

    def cookies(self, number: int | None = None) -> dict[str, str]:
        """What it can read of its cookies."""
        found = self.answer(number or self.asks_for_cookies())["cookies"]
        return {cookie["name"]: cookie["value"] for cookie in found}

    def close(self):
        """As a person closes it: what it keeps is on disk by then."""
        if self.process.poll() is None:
            # It may end before it answers, or before it is asked.
            with contextlib.suppress(BrokenPipeError):
                self.ask("Browser.close")
        self.process.wait(ag.DEADLINE)
        self._ends()

    def end(self):
        """Nothing is left of it. May be called twice."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._ends()

    def _ends(self):
        for end in (self._to, self._from):
            if end >= 0:
                os.close(end)
        self._to = self._from = -1

    def sealed(self) -> dict[str, bytes]:
        """The cookies on disk, as they are sealed; the browser is closed."""
        path = os.path.join(self.profile, "Default", "Cookies")
        base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            rows = base.execute("select name, value, encrypted_value from cookies").fetchall()
        finally:
            base.close()
        if any(value for _, value, _ in rows):
            raise AssertionError(f"a cookie is kept in clear: {rows}")
        return {name: sealed for name, _, sealed in rows}
