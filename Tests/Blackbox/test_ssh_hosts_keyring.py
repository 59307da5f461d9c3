"""What was asked of hosts in a vault file, asked again of a vault in GNOME Keyring."""

import unittest

import keyring as kr
import sshd
import test_ssh_hosts
from house import AT_THE_DESKTOP


def setUpModule():
    if kr.missing():
        raise unittest.SkipTest(kr.missing())


class Keys(test_ssh_hosts.Keys):
    world = AT_THE_DESKTOP


class Files(test_ssh_hosts.Files):
    world = AT_THE_DESKTOP


class Lists(test_ssh_hosts.Lists):
    world = AT_THE_DESKTOP

    # It makes a second vault in a file.
    test_an_own_list_goes_out_and_in_again_byte_for_byte = None


@unittest.skipIf(sshd.missing(), sshd.missing())
class Probes(test_ssh_hosts.Probes):
    world = AT_THE_DESKTOP


if __name__ == "__main__":
    unittest.main()
