"""The main journeys of test_ssh_connect, asked again of a vault in GNOME Keyring."""

import unittest

import keyring as kr
import sshd
import test_ssh_connect
from house import AT_THE_DESKTOP


def setUpModule():
    if kr.missing() or sshd.missing():
        raise unittest.SkipTest(kr.missing() or sshd.missing())


class First(test_ssh_connect.First):
    world = AT_THE_DESKTOP


class Changed(test_ssh_connect.Changed):
    world = AT_THE_DESKTOP


class Types(test_ssh_connect.Types):
    world = AT_THE_DESKTOP


class Logins(test_ssh_connect.Logins):
    world = AT_THE_DESKTOP
