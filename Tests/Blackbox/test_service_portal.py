"""The Secret portal: applications in sandboxes get a key through xdg-desktop-portal, and no other program does."""

import os
import shutil
import socket
import subprocess
import unittest

import agents as ag
import keyring as kr
import service_client as sc
from service_case import ServiceCase

PORTAL, NAME = "org.freedesktop.impl.portal.Secret", "org.freedesktop.portal.Desktop"
PATH, HANDLE = "/org/freedesktop/portal/desktop", "/org/freedesktop/portal/desktop/request/1_5/t"
PROGRAM = next((path for path in ("/usr/libexec/xdg-desktop-portal", "/usr/lib/xdg-desktop-portal")
                if os.access(path, os.X_OK)), None)
RETRIEVE = """
def retrieve(client, name, to):
    import os
    from gi.repository import Gio, GLib
    if to:
        client.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName", "(su)", to, 4,
                    to="org.freedesktop.DBus")
    ends = os.pipe()
    files = Gio.UnixFDList.new_from_array([ends[1]])
    answer, _ = client.connection.call_with_unix_fd_list_sync(
        "org.freedesktop.impl.portal.desktop.hsip", PATH, PORTAL, "RetrieveSecret",
        GLib.Variant("(osha{sv})", (HANDLE, name, 0, {})), None, Gio.DBusCallFlags.NONE, 60000, files, None)
    files = None
    return answer.unpack()[0], os.read(ends[0], 4096).hex()
"""


class Portal(ServiceCase):
    """A portal of the tests, which is a copy of the interpreter under the portal's name."""

    def retrieve(self, name: str, program: str = "xdg-desktop-portal", to: str = NAME) -> list | str:
        """What RetrieveSecret answers to a program of this name that has the portal's name on the bus."""
        process = self.starts(name, program, to)
        return sc.ended(process)

    def starts(self, name: str, program: str = "xdg-desktop-portal", to: str = NAME):
        code = RETRIEVE.replace("PATH", repr(PATH)).replace("PORTAL", repr(PORTAL)).replace("HANDLE", repr(HANDLE))
        return sc.Program(self.front, program).starts(f"(exec({code!r}), retrieve(client, {name!r}, {to!r}))[1]")

    @unittest.skipUnless(os.geteuid() == 0, "the copy has to belong to root, as an installed portal does")
    def test_an_application_has_one_key_for_good_and_each_its_own(self):
        code, key = self.retrieve("org.example.App")
        self.assertEqual((code, len(key)), (0, 128))
        self.assertEqual(self.retrieve("org.example.App"), [0, key])
        code, other = self.retrieve("org.example.Other")
        self.assertEqual((code, len(other)), (0, 128))
        self.assertNotEqual(key, other)
        # It is an item of the vault, which the person sees and no other program has.
        self.assertEqual(len(self.client.search({"app_id": "org.example.App"})[1]), 1)
        self.assertFalse(self.agent.askpass.was_asked())

    @unittest.skipUnless(os.geteuid() == 0, "the copy has to belong to root, as an installed portal does")
    def test_a_locked_vault_is_opened_first_and_a_no_is_an_answer(self):
        _, key = self.retrieve("org.example.App")
        self.agent.lock()
        process = self.starts("org.example.App")
        self.agent.askpass.asked()
        self.agent.askpass.says("no")
        self.assertEqual(sc.ended(process), [1, ""])
        self.agent.unlock()
        self.assertEqual(self.retrieve("org.example.App"), [0, key])

    def test_a_program_that_is_no_portal_gets_no_key(self):
        # It has the name, and is another program.
        self.assertEqual(self.retrieve("org.example.App", "other"), [2, ""])
        # It is called so, and has not the name.
        self.assertEqual(self.retrieve("org.example.App", to=""), "error " + sc.DENIED)
        self.assertEqual(self.client.search({"app_id": "org.example.App"}), ([], []))
        self.assertFalse(self.agent.askpass.was_asked())

    def test_what_is_no_name_of_an_application_is_refused(self):
        for name in ("x", ".x.y", "org..example", "org.1x.y", "org/example.x", "org.example.x" + "x" * 255, "org.exämple.x"):
            with self.subTest(name=name):
                self.assertEqual(self.retrieve(name), "error " + sc.INVALID)

    def test_the_interface_says_its_version(self):
        def get(interface: str, name: str):
            return self.client.call(PATH, sc.PROPERTIES, "Get", "(ss)", interface, name,
                                    to="org.freedesktop.impl.portal.desktop.hsip")
        self.assertEqual(get(PORTAL, "version"), (1,))
        self.refused(sc.STANDARD + "UnknownProperty", lambda: get(PORTAL, "Version"))
        self.refused(sc.NO_OBJECT, lambda: self.client.call(HANDLE, "org.freedesktop.impl.portal.Request", "Close"))


@unittest.skipUnless(PROGRAM, "xdg-desktop-portal is not installed")
class Desktop(ServiceCase):
    """xdg-desktop-portal itself."""

    def test_the_desktops_portal_gives_an_application_its_key(self):
        portals = os.path.join(self.agent.askpass.folder, "portals")
        os.mkdir(portals)
        here = os.path.dirname(os.path.abspath(__file__))
        shutil.copy(os.path.join(here, "..", "..", "Scripts", "debian", "hsip.portal"), portals)
        environment = self.alice.environment(
            XDG_DESKTOP_PORTAL_DIR=portals, XDG_CURRENT_DESKTOP="sway", **self.front.bus.environment())
        log = open(os.path.join(self.agent.askpass.folder, "portal.log"), "ab")
        self.addCleanup(log.close)
        portal = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", PROGRAM, "-v"], env=environment, stdout=log,
                                  stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(portal.wait)
        self.addCleanup(portal.kill)
        self.front.bus.wait_for(lambda: self.front.bus.owner(NAME), "the portal", ag.DEADLINE)
        keys = [self.key() for _ in range(2)]
        self.assertEqual(len(keys[0]), 64)
        self.assertEqual(keys[0], keys[1])

    def key(self) -> bytes:
        """What an application without a sandbox reads: the portal answers a request by a signal, and the pipe ends."""
        ours, theirs = socket.socketpair()
        with ours:
            # The list closes what it holds.
            files = kr.Gio.UnixFDList.new_from_array([theirs.detach()])
            self.client.connection.call_with_unix_fd_list_sync(
                NAME, PATH, "org.freedesktop.portal.Secret", "RetrieveSecret",
                kr.GLib.Variant("(ha{sv})", (0, {})), None, kr.Gio.DBusCallFlags.NONE, 60_000, files, None)
            del files
            # For a program without an id the person is asked each time.
            self.agent.askpass.asked()
            self.agent.askpass.says("yes")
            ours.settimeout(ag.DEADLINE)
            found = b""
            while len(found) < 64 and (part := ours.recv(64)):
                found += part
            return found


if __name__ == "__main__":
    unittest.main()
