"""What was asked of SSH keys in a vault file, asked again of a vault in GNOME Keyring."""

import unittest

import keyring as kr
import test_ssh_folder
import test_ssh_keys
import test_ssh_keys_crash
from house import AT_THE_DESKTOP


def setUpModule():
    if kr.missing():
        raise unittest.SkipTest(kr.missing())


class Folders(test_ssh_keys.Folders):
    world = AT_THE_DESKTOP


class Lives(test_ssh_keys.Lives):
    world = AT_THE_DESKTOP


class Signing(test_ssh_keys.Signing):
    world = AT_THE_DESKTOP


class InAndOut(test_ssh_folder.InAndOut):
    world = AT_THE_DESKTOP


class Certificates(test_ssh_folder.Certificates):
    world = AT_THE_DESKTOP


class AtOnce(test_ssh_keys_crash.AtOnce):
    world = AT_THE_DESKTOP
