"""Stands in for logind on a bus of one's own: sleep, screen lock and the end of a session, when the test says so.

It takes the part of org.freedesktop.login1 that a program needs to lock in time: inhibitors, the session of a process, and
their signals. Calls are answered on a thread of their own; the test waits for them, and for the end of an inhibitor, as events.
"""

import os
import queue
import threading

import agents as ag
import keyring as kr
from keyring import Gio, GLib

NAME, MANAGER, SESSION = "org.freedesktop.login1", "/org/freedesktop/login1", "/org/freedesktop/login1/session/_31"
INTERFACES = """<node>
 <interface name="org.freedesktop.login1.Manager">
  <method name="Inhibit"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
   <arg type="s" direction="in"/><arg type="h" direction="out"/></method>
  <method name="GetSession"><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
  <method name="GetSessionByPID"><arg type="u" direction="in"/><arg type="o" direction="out"/></method>
  <method name="GetUser"><arg type="u" direction="in"/><arg type="o" direction="out"/></method>
  <method name="ListSessions"><arg type="a(susso)" direction="out"/></method>
  <signal name="PrepareForSleep"><arg type="b"/></signal>
  <signal name="SessionRemoved"><arg type="s"/><arg type="o"/></signal>
 </interface>
 <interface name="org.freedesktop.login1.Session">
  <property name="Id" type="s" access="read"/><property name="LockedHint" type="b" access="read"/>
  <property name="Display" type="s" access="read"/><property name="Sessions" type="a(so)" access="read"/>
  <property name="Leader" type="u" access="read"/><property name="State" type="s" access="read"/>
  <property name="Class" type="s" access="read"/><property name="TTY" type="s" access="read"/>
  <signal name="Lock"/><signal name="Unlock"/>
 </interface>
 <interface name="org.freedesktop.login1.User">
  <property name="Display" type="(so)" access="read"/><property name="Sessions" type="a(so)" access="read"/>
 </interface>
</node>"""


class Logind:
    """Ends with the bus it is on."""

    def __init__(self, bus: kr.Bus):
        self.bus = bus
        self.calls: queue.Queue = queue.Queue()
        """Every Inhibit: what, who, why, mode, and the end of a pipe that is closed with the inhibitor."""
        self.is_locked = False
        self.leader, self.state = 1, "active"
        """The process that began the session, and how the session stands."""
        self.kind, self.line = "user", ""
        """What kind of session it is, and at which terminal; none for one of sshd."""
        self._context = GLib.MainContext()
        self._loop = GLib.MainLoop.new(self._context, False)
        ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(ready,), daemon=True)
        self._thread.start()
        if not ready.wait(ag.DEADLINE):
            raise AssertionError("the stand-in for logind did not start")

    @property
    def address(self) -> dict[str, str]:
        """What leads a program to this bus as the bus of the system."""
        return {"DBUS_SYSTEM_BUS_ADDRESS": self.bus.address}

    def inhibited(self) -> int:
        """Waits until somebody holds up sleep; the end of the pipe that closes when they let go."""
        what, _, _, mode, end = self.calls.get(timeout=ag.DEADLINE)
        if "sleep" not in what.split(":") or mode != "delay":
            raise AssertionError(f"an inhibitor of another kind: {what} {mode}")
        return end

    def falls_asleep(self, is_true: bool = True):
        self._emit(MANAGER, "Manager", "PrepareForSleep", GLib.Variant("(b)", (is_true,)))

    def locks_the_screen(self):
        self._emit(SESSION, "Session", "Lock", None)

    def hints_that_it_is_locked(self):
        self.is_locked = True
        self.connection.emit_signal(None, SESSION, "org.freedesktop.DBus.Properties", "PropertiesChanged", GLib.Variant(
            "(sa{sv}as)", (NAME + ".Session", {"LockedHint": GLib.Variant("b", True)}, [])))

    def ends_the_session(self):
        self._emit(MANAGER, "Manager", "SessionRemoved", GLib.Variant("(so)", ("1", SESSION)))

    def end(self):
        self._loop.quit()
        self._thread.join(ag.DEADLINE)

    # Inside

    def _emit(self, path: str, interface: str, name: str, body):
        self.connection.emit_signal(None, path, f"{NAME}.{interface}", name, body)
        self.connection.flush_sync()

    def _serve(self, ready: threading.Event):
        self._context.push_thread_default()
        self.connection = Gio.DBusConnection.new_for_address_sync(
            self.bus.address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
            None, None)
        manager, session, user = Gio.DBusNodeInfo.new_for_xml(INTERFACES).interfaces
        for path, interface in ((MANAGER, manager), (SESSION, session), (MANAGER + "/user/self", user)):
            self.connection.register_object(path, interface, self._called, self._asked, None)
        self.connection.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                                  GLib.Variant("(su)", (NAME, 0)), None, Gio.DBusCallFlags.NONE, 20_000, None)
        ready.set()
        self._loop.run()
        self.connection.close_sync()

    def _called(self, _connection, _sender, _path, _interface, method, arguments, invocation):
        if method == "Inhibit":
            reading, writing = os.pipe()
            descriptors = Gio.UnixFDList.new_from_array([writing])  # which is its to close from now on
            invocation.return_value_with_unix_fd_list(GLib.Variant("(h)", (0,)), descriptors)
            self.calls.put((*arguments.unpack(), reading))
        elif method == "ListSessions":
            invocation.return_value(GLib.Variant("(a(susso))", ([("1", os.getuid(), "alice", "seat0", SESSION)],)))
        elif method == "GetUser":
            invocation.return_value(GLib.Variant("(o)", (MANAGER + "/user/self",)))
        else:
            invocation.return_value(GLib.Variant("(o)", (SESSION,)))

    def _asked(self, _connection, _sender, _path, interface, name):
        if name == "LockedHint":
            return GLib.Variant("b", self.is_locked)
        if name == "Leader":
            return GLib.Variant("u", self.leader)
        if name == "State":
            return GLib.Variant("s", self.state)
        if name in ("Class", "TTY"):
            return GLib.Variant("s", self.kind if name == "Class" else self.line)
        if name == "Sessions":
            return GLib.Variant("a(so)", [("1", SESSION)])
        if interface.endswith("User"):
            return GLib.Variant("(so)", ("1", SESSION))
        return GLib.Variant("s", "1")
