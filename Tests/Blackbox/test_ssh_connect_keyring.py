"""The main journeys of test_ssh_connect, asked again of a vault in GNOME Keyring."""

import unittest

import keyring as kr
import sshd
import test_ssh_connect
from house import AT_THE_DESKTOP
from ssh_connect import ConnectCase


def setUpModule():
    if kr.missing() or sshd.missing():
        raise unittest.SkipTest(kr.missing() or sshd.missing())


class First(test_ssh_connect.First):
    world = AT_THE_DESKTOP


class Changed(test_ssh_connect.Changed):
    world = AT_THE_DESKTOP


class Types(test_ssh_connect.Types):
    world = AT_THE_DESKTOP


class Locked(ConnectCase):
    world = AT_THE_DESKTOP

    def test_a_locked_keyring_stops_the_connection(self):
        server = self.server()
        self.is_trusted(server)
        self.alice.keyring.lock()
        self.is_stopped(server)
        for reason, key in (("ORDER", None), ("HOSTNAME", server.public())):
            outcome = self.asks(reason, server.name, key)
            self.assertEqual((outcome.code, outcome.output), (5, ""), outcome)
        self.assertTrue(self.alice.keyring.is_locked())


class Logins(test_ssh_connect.Logins):
    world = AT_THE_DESKTOP
