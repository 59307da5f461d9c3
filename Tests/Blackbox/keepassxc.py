"""KeePassXC as the Secret Service, on a display that nobody sees.

The database is made from XML by `keepassxc-cli import`: its group is shown to the bus by the custom data
FDO_SECRETS_EXPOSED_GROUP, which is otherwise set in a window. The password comes by `--pw-stdin`; questions about
access and deletion are switched off, as a person can do it.

It saves when it ends and not after each change, because KeePassXC 2.7.4 dies when an item is made while it saves.
README.md tells what else was found.
"""

import base64
import os
import shutil
import subprocess
import tempfile
import uuid

import keyring as kr

GROUP = uuid.UUID("01020304-0506-0708-090a-0b0c0d0e0f10")
DATABASE = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<KeePassFile>
  <Meta>
    <DatabaseName>Desktop</DatabaseName>
    <RecycleBinEnabled>False</RecycleBinEnabled>
    <CustomData>
      <Item><Key>FDO_SECRETS_EXPOSED_GROUP</Key><Value>{{{GROUP}}}</Value></Item>
    </CustomData>
  </Meta>
  <Root><Group><UUID>{base64.b64encode(GROUP.bytes).decode()}</UUID><Name>Root</Name></Group></Root>
</KeePassFile>
"""
SETTINGS = """[General]
ConfigVersion=2
SingleInstance=false
UpdateCheckMessageShown=true
OpenPreviousDatabasesOnStartup=false
RememberLastDatabases=false
AutoSaveAfterEveryChange=false
AutoSaveOnExit=true

[GUI]
CheckForUpdates=false

[FdoSecrets]
Enabled=true
ShowNotification=false
ConfirmAccessItem=false
ConfirmDeleteItem=false

[Security]
LockDatabaseScreenLock=false
"""
_made: list[bytes] = []


def missing() -> str | None:
    for program in ("keepassxc", "keepassxc-cli", "Xvfb"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    return kr.missing()


def database(password: str) -> bytes:
    """An empty database that the bus may see; deriving its key takes a tenth of a second."""
    if not _made:
        with tempfile.TemporaryDirectory() as folder:
            source, target = os.path.join(folder, "in.xml"), os.path.join(folder, "out.kdbx")
            with open(source, "w", encoding="utf-8") as file:
                file.write(DATABASE)
            subprocess.run(["keepassxc-cli", "import", "-q", "-p", "-t", "100", source, target], check=True,
                           input=f"{password}\n{password}\n".encode(), capture_output=True,
                           env={"PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8"})
            with open(target, "rb") as file:
                _made.append(file.read())
    return _made[0]


class KeePassXC(kr.SecretService):
    """KeePassXC with one open database in this folder; one that is there already is taken as it is."""

    def __init__(self, data: str):
        self.file = os.path.join(data, "passwords.kdbx")
        self._program: subprocess.Popen | None = None
        self._screen: subprocess.Popen | None = None
        self._display = ""
        super().__init__()
        try:
            if not os.path.exists(self.file):
                with open(self.file, "wb") as file:
                    file.write(database(kr.PASSWORD))
            for name, text in (("keepassxc.ini", SETTINGS), ("local.ini", "")):
                with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            self._start_screen()
            self.start()
        except BaseException:
            self.end()
            raise

    def environment(self) -> dict[str, str]:
        """With the display: who has KeePassXC sits before one, and may be asked."""
        return super().environment() | ({"DISPLAY": self._display} if self._display else {})

    def _start_screen(self):
        """A display with a number that is free, which it tells itself."""
        end, given = os.pipe()
        self._screen = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "Xvfb", "-displayfd", str(given), "-screen", "0", "800x600x24",
             "-nolisten", "tcp"], pass_fds=(given,), env=self.own_environment(), stdout=self._log, stderr=self._log,
            stdin=subprocess.DEVNULL)
        os.close(given)
        with os.fdopen(end) as file:
            self._display = ":" + file.readline().strip()

    def start(self):
        self._session = None
        self._program = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "keepassxc", "--config", os.path.join(self.folder, "keepassxc.ini"),
             "--localconfig", os.path.join(self.folder, "local.ini"), "--pw-stdin", self.file],
            env=self.own_environment(), stdin=subprocess.PIPE, stdout=self._log,
            stderr=self._log)
        self._program.stdin.write(kr.PASSWORD.encode() + b"\n")
        self._program.stdin.close()
        self.wait_for(lambda: self.owner() and not self.is_locked(kr.DEFAULT), "KeePassXC and its database")

    def lock(self, collection: str = kr.DEFAULT):
        super().lock(self.service("ReadAlias", "(s)", "default")[0])

    def close(self):
        """As a person closes it: it saves and goes."""
        self._program.terminate()
        code = self._program.wait(20)
        if code != 0:
            raise AssertionError(f"KeePassXC ended with {code}: {self.log()}")
        self._program = self._session = None

    def restart(self):
        self.close()
        self.wait_for(lambda: not self.owner(), "the name of the old KeePassXC is free")
        self.start()

    def kill(self):
        if self._program is not None:
            self._program.kill()
            self._program.wait()
        self._program = self._session = None

    def end(self):
        self.kill()
        if self._screen is not None:
            self._screen.kill()
            self._screen.wait()
            self._screen = None
        super().end()
