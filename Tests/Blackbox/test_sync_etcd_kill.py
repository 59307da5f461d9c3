"""hsip killed at each of its requests to etcd: the same command again finishes or starts over, and nothing comes twice."""

import test_sync_kill
from house import Outcome, unittest
from test_sync_etcd import EtcdCase

CURL = """#!/bin/sh
# Counts the requests of hsip, and kills hsip at one of them.
read -r number <FOLDER/number
number=$((number - 1))
echo $number >FOLDER/number
if [ $number = 0 ]; then
  [ WHEN = before ] || /usr/bin/curl "$@" >/dev/null 2>&1
  kill -9 $PPID
  exit 1
fi
exec /usr/bin/curl "$@"
"""


class EtcdSweep(EtcdCase, test_sync_kill.Sweep):
    """What kills one command at every request, before it is made and behind its answer."""

    program, script = "curl", CURL

    def keep_all(self):
        super().keep_all()
        self.kept = self.etcd.values()

    def put_all_back(self):
        super().put_all_back()
        self.etcd.replace(self.kept)

    @property
    def entries(self) -> int:
        return len(self.etcd.keys()) - 1


class Founding(EtcdSweep):
    def test_found(self):
        self.put(self.alice, "db", "first")

        def go_on(_: Outcome):
            again = self.sync(self.alice)
            self.assertEqual((again["received"], again["sent"]), (0, 0))
        self.sweep(self.alice, ("setup", "sync", "etcd", self.etcd.endpoints, "--name", "laptop",
                                *self.login(self.alice, "laptop")), go_on)
        self.enter(self.bob, self.admit(self.alice, self.join(self.bob)), "desktop")
        self.are_equal(self.alice, self.bob)

    def test_admit_and_enter(self):
        self.put(self.alice, "db", "first")
        self.put(self.bob, "own", "of bob")
        self.found_there()
        join = self.join(self.bob)
        words = ("accept", join["code"], "--expect", join["number"], "--json")
        self.sweep(self.alice, words, lambda outcome: self.assertRegex(outcome.result["code"], "^HSIP:ADMIT1"))
        admit = self.admit(self.alice, join)
        words = ("accept", admit["code"], "--expect", admit["number"], *self.login(self.bob, "desktop"))

        def entered(outcome: Outcome):
            if outcome.code != 0:
                # It was killed behind the first sync.
                self.assertEqual(outcome.code, 4, outcome)
            self.are_equal(self.bob, self.alice, quickly=True)
            self.assertEqual(self.names(self.alice), ["db", "own"])
        self.sweep(self.bob, words, entered, ends=(0, 4))


class Sharing(EtcdSweep):
    def setUp(self):
        super().setUp()
        self.put(self.alice, "db", "first")
        self.together_there()
        self.sync(self.alice)

    def test_receive_and_send(self):
        self.put(self.alice, "db", "of laptop")
        self.put(self.alice, "wiki", "new")
        self.sync(self.alice)
        self.put(self.bob, "db", "of desktop")
        self.put(self.bob, "mail", "new")

        def go_on(_: Outcome):
            self.are_equal(self.bob, self.alice, quickly=True)
            shown = self.ok(self.alice, "secret", "show", "db", "--json").result
            self.assertEqual(len(shown["versions"]), 3)
        self.sweep(self.bob, ("sync",), go_on)
        self.are_equal(self.bob, self.alice)
        self.assertEqual(self.names(self.alice), ["db", "mail", "wiki"])

    def test_revoke(self):
        def go_on(_: Outcome):
            machines = self.ok(self.alice, "machine", "--json").result["machines"]
            self.assertEqual([machine["name"] for machine in machines], ["laptop"])
            self.refused("machineRevoked", self.bob, "sync", plain=False, changes=True)
        self.sweep(self.alice, ("machine", "revoke", "desktop", "-y"), go_on, ends=(0, 3))


if __name__ == "__main__":
    unittest.main()
