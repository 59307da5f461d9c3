"""Sleep, a locked screen and the end of a session lock the vault, told by a stand-in for logind on a bus of its own."""

import os
import time
import unittest

import agents as ag
import control_wire as cw
import keyring as kr
import logind
from house import Case


class Sleep(Case):
    def setUp(self):
        for reason in (ag.missing(), kr.missing()):
            if reason:
                self.skipTest(reason)
        super().setUp()
        self.bus = kr.Bus()
        self.logind = logind.Logind(self.bus)
        self.addCleanup(self.logind.end)
        self.agent = ag.Hsip(self.alice, **self.logind.address)

    def status(self) -> dict:
        with cw.Connection(self.agent.control) as connection:
            return connection.status()

    def locks(self, why: str):
        """Waits until it has locked; asking is no use that would put the lock off."""
        end = time.monotonic() + ag.DEADLINE
        while not self.status()["isLocked"]:
            self.assertLess(time.monotonic(), end, f"{why}: it never locked\n{self.agent.log}")

    def let_go(self, inhibitor: int):
        """Waits until the inhibitor is released."""
        ag.wait_for(inhibitor, "the end of the inhibitor", ag.select.POLLHUP)
        os.close(inhibitor)

    def test_the_machine_sleeps_only_after_the_wipe(self):
        inhibitor = self.logind.inhibited()
        self.assertFalse(self.status()["isLocked"])
        self.assertEqual(set(self.status()["hooks"]), {"sleep", "screen", "session"})
        self.logind.falls_asleep()
        self.let_go(inhibitor)
        self.assertTrue(self.status()["isLocked"], "it let go before it had locked")
        self.logind.falls_asleep(False)
        # And the next time again.
        inhibitor = self.logind.inhibited()
        self.agent.unlock()
        self.logind.falls_asleep()
        self.let_go(inhibitor)
        self.assertTrue(self.status()["isLocked"])

    def test_a_locked_screen(self):
        self.logind.inhibited()
        self.logind.locks_the_screen()
        self.locks("the screen was locked")
        self.agent.unlock()
        self.logind.hints_that_it_is_locked()
        self.locks("the session said that it is locked")

    def test_the_end_of_the_session(self):
        self.logind.inhibited()
        self.logind.ends_the_session()
        self.locks("the session was removed")

    def test_a_bus_that_goes_away_is_said(self):
        self.logind.inhibited()
        self.bus.kill_bus()
        end = time.monotonic() + ag.DEADLINE
        while self.status()["hooks"]:
            self.assertLess(time.monotonic(), end, "it never noticed")
        self.assertTrue(self.status()["warnings"])


if __name__ == "__main__":
    unittest.main()
