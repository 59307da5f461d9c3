"""The timer that syncs, and what it does while the vault is locked."""

import glob
import os

import agents
from house import unittest
from sync_case import SyncCase


class Timer(SyncCase):
    def test_the_units_are_written_and_removed(self):
        done = self.ok(self.alice, "setup", "sync", "timer", "-y", "--json").result
        self.assertTrue(done["changed"])
        folder = os.path.dirname(done["changes"][0]["path"])
        with open(os.path.join(folder, "hsip-sync.service"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("--no-input --quiet sync now --unattended\n", text)
        self.assertIn("OnUnitInactiveSec=5min", open(os.path.join(folder, "hsip-sync.timer"), encoding="utf-8").read())
        self.ok(self.alice, "setup", "sync", "timer", "--undo", "-y")
        self.assertEqual(glob.glob(os.path.join(folder, "hsip-sync*")), [])

    def test_an_unlock_syncs_at_once_if_the_timer_is_set_up(self):
        tools = self.alice.path("files", "tools")
        os.mkdir(tools)
        calls = os.path.join(tools, "calls")
        with open(os.path.join(tools, "systemctl"), "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$*" >> {calls}\n')
        os.chmod(os.path.join(tools, "systemctl"), 0o755)
        path = {"PATH": f"{tools}:/usr/bin:/bin"}
        self.ok(self.alice, "setup", "sync", "timer", "-y", **path)
        agent = agents.Hsip(self.alice, secret=None)
        agent.unlock()

        def started() -> bool:
            with open(calls, encoding="utf-8") as file:
                return "--user --quiet start --no-block hsip-sync.service\n" in file.readlines()

        self.assertFalse(started())
        agent.lock()
        agent.unlock("recovery", **path)
        self.assertTrue(started())

    def test_nothing_happens_while_the_vault_is_locked(self):
        self.together()
        tip = self.tip
        self.put(self.alice, "x", "1")
        locked = self.alice.run("--no-input", "sync", "now", "--unattended", secret=None)
        self.assertEqual(locked.code, 0, locked)
        self.assertIn("locked", locked.talk)
        self.assertEqual(self.tip, tip)
        self.ok(self.alice, "sync", "now", "--unattended")
        self.assertNotEqual(self.tip, tip)


    def test_nothing_happens_while_the_agent_is_locked(self):
        self.together()
        agent = agents.Hsip(self.alice)
        agent.lock()
        locked = self.alice.run("--no-input", "sync", "now", "--unattended", secret=None)
        self.assertEqual(locked.code, 0, locked)
        self.assertIn("locked", locked.talk)


if __name__ == "__main__":
    unittest.main()
