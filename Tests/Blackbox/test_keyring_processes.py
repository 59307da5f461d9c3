"""Several programs at once on one vault in GNOME Keyring, and the way to message 1000."""

import unittest

import keyring as kr
import test_messages
import test_processes
from house import AT_THE_DESKTOP, MIXED_PAIR


def setUpModule():
    if kr.missing():
        raise unittest.SkipTest(kr.missing())


class Counting(test_processes.Counting):
    world = AT_THE_DESKTOP


class Taking(test_processes.Taking):
    world = AT_THE_DESKTOP


class Limits(test_messages.Limits):
    world = MIXED_PAIR
