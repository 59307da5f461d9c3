"""What was asked of the vault in a file, asked again of the vault in GNOME Keyring: nothing may be different."""

import unittest

import keyring as kr
import test_clock
import test_codes
import test_journey
from house import AT_THE_DESKTOP, DESKTOP_AND_FILE, MIXED_PAIR


def setUpModule():
    if kr.missing():
        raise unittest.SkipTest(kr.missing())


class Conversation(test_journey.Conversation):
    world = DESKTOP_AND_FILE


class Identity(test_journey.Identity):
    world = MIXED_PAIR


class Answers(test_codes.Answers):
    world = AT_THE_DESKTOP


class Rotations(test_codes.Rotations):
    world = AT_THE_DESKTOP


class Revocations(test_codes.Revocations):
    world = AT_THE_DESKTOP


class Contacts(test_codes.Contacts):
    world = AT_THE_DESKTOP


class Ends(test_clock.Ends):
    world = AT_THE_DESKTOP


class ClockAhead(test_clock.ClockAhead):
    world = AT_THE_DESKTOP
