"""Several machines change a shared vault at once, over three servers of etcd that fail meanwhile.

HSIP_TEST_FLEET=8x50 runs the long form: eight machines with fifty changes each.
"""

import json
import os
import signal
import threading
import time

from house import Person, newcomer, unittest
from test_sync_etcd import EtcdCase

MACHINES, CHANGES = (int(part) for part in os.environ.get("HSIP_TEST_FLEET", "4x6").split("x"))
PATIENCE = 40
"""How often a machine says `hsip sync` again until its change is sent."""


class Fleet(EtcdCase):
    nodes = 3

    def setUp(self):
        super().setUp()
        self.found_there()
        self.people = [self.alice, self.bob] + [newcomer(f"m{number}") for number in range(2, MACHINES)]
        for person in self.people[1:]:
            person.uses_agent = self.alice.uses_agent
            self.etcd.add_user(person.name, "writer")
            self.enter(person, self.admit(self.alice, self.join(person, person.name)), person.name)
        for person in self.people:
            self.sync(person)
        self.done, self.failed = 0, []
        self.lock = threading.Lock()

    def change(self, person: Person):
        """One machine: each change is sent before the next one."""
        try:
            for number in range(CHANGES):
                self.put(person, f"{person.name}/{number}", str(number))
                for _ in range(PATIENCE):
                    outcome = person.run("sync", "--json")
                    if outcome.code == 0:
                        break
                    # No answer, or other machines were faster each time.
                    self.assertIn((outcome.code, outcome.json["error"]["code"]), ((12, "logUnreachable"), (10, "busy")), outcome)
                else:
                    raise AssertionError(f"not sent: {outcome}")
                with self.lock:
                    self.done += 1
        except AssertionError as error:
            self.failed.append(error)

    def leader(self) -> int:
        for _ in range(60):
            try:
                for status in json.loads(self.etcd.control("endpoint", "status", "-w", "json")):
                    if status["Status"]["leader"] == status["Status"]["header"]["member_id"]:
                        port = int(status["Endpoint"].rpartition(":")[2])
                        return [client for client, _ in self.etcd.ports].index(port)
            except AssertionError:
                pass
            time.sleep(0.5)
        raise AssertionError("etcd has no leader")

    def waits_for(self, part: float):
        while self.done < part * MACHINES * CHANGES and not self.failed:
            time.sleep(0.1)

    def test_every_change_arrives_once_whatever_fails(self):
        entries = len(self.etcd.keys())
        workers = [threading.Thread(target=self.change, args=(person,)) for person in self.people]
        for worker in workers:
            worker.start()
        for part in (0.2, 0.5):
            self.waits_for(part)
            leader = self.leader()
            self.etcd.signal(signal.SIGKILL, leader)
            self.etcd.running[leader].wait()
            time.sleep(2)
            self.etcd.running[leader] = self.etcd.start(leader)
        self.waits_for(0.75)
        leader = self.leader()
        stopped = (leader, (leader + 1) % 3)
        self.etcd.signal(signal.SIGSTOP, *stopped)
        time.sleep(10)
        self.etcd.signal(signal.SIGCONT, *stopped)
        for worker in workers:
            worker.join()
        self.assertEqual(self.failed, [])
        for person in self.people:
            self.sync(person)
        self.are_equal(*self.people)
        wanted = sorted(f"{person.name}/{number}" for person in self.people for number in range(CHANGES))
        heads = set()
        for person in self.people:
            secrets = self.ok(person, "secret", "list", "--json").result["secrets"]
            self.assertEqual(sorted(secret["name"] for secret in secrets), wanted)
            heads.add(self.ok(person, "sync", "head", "--json").result["number"])
            self.assertEqual(self.ok(person, "sync", "conflicts", "--json").result["conflicts"], [])
        self.assertEqual(len(heads), 1)
        # A change is in one entry, and no entry came twice.
        self.assertLessEqual(len(self.etcd.keys()) - entries, len(wanted))
        for name in wanted[::CHANGES]:
            self.assertEqual(len(self.ok(self.bob, "secret", "show", name, "--json").result["versions"]), 1)


if __name__ == "__main__":
    unittest.main()
