"""A Secret Service that keeps nothing, for tests of what asks who answers.

    provider.py own      has the property by which hsip's own service is known
    provider.py other    has it not

It takes the name org.freedesktop.secrets on the session bus and says "ready".
"""
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.secrets"
PATH = "/org/freedesktop/secrets"


class Provider(dbus.service.Object):
    """Answers what libsecret asks before it does anything with items."""

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        if interface == "org.freedesktop.Secret.Service":
            return {"Collections": dbus.Array([], signature="o")}
        if interface == "io.hsip.Provider1" and sys.argv[1] == "own":
            return {"Program": "/usr/libexec/hsip-secrets", "Vault": ""}
        raise dbus.exceptions.DBusException(interface, name="org.freedesktop.DBus.Error.UnknownInterface")

    @dbus.service.method("org.freedesktop.Secret.Service", in_signature="sv", out_signature="vo")
    def OpenSession(self, algorithm, key):
        if algorithm != "plain":
            raise dbus.exceptions.DBusException(algorithm, name="org.freedesktop.DBus.Error.NotSupported")
        return dbus.String("", variant_level=1), dbus.ObjectPath(PATH + "/session/s1")

    @dbus.service.method("org.freedesktop.Secret.Service", in_signature="s", out_signature="o")
    def ReadAlias(self, alias):
        return dbus.ObjectPath("/")

    @dbus.service.method("org.freedesktop.Secret.Service", in_signature="a{ss}", out_signature="aoao")
    def SearchItems(self, attributes):
        return dbus.Array([], signature="o"), dbus.Array([], signature="o")


if __name__ == "__main__":
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    Provider(bus, PATH)
    if bus.request_name(NAME, dbus.bus.NAME_FLAG_DO_NOT_QUEUE) != dbus.bus.REQUEST_NAME_REPLY_PRIMARY_OWNER:
        sys.exit("another program serves")
    print("ready", flush=True)
    GLib.MainLoop().run()
