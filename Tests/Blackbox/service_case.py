"""What tests of the Secret Service stand on: an agent, a front on a bus of its own, and a client."""

import agents as ag
import service as sv
import service_client as sc
from house import PASSPHRASE, Case

VALUE = b"correct horse"


class ServiceCase(Case):
    def setUp(self):
        if sv.missing() or sc.kr.Gio is None:
            self.skipTest(sv.missing() or "python3-gi is not installed")
        super().setUp()
        self.agent = ag.Hsip(self.alice)
        self.addCleanup(self.agent.end)
        self.front = sv.Front(self.alice, self.agent)
        self.addCleanup(self.front.end)
        self.client = self.new_client()

    def new_client(self) -> sc.Client:
        return sc.Client(self.front.bus)

    def opens(self):
        """The person gives the passphrase to the question that comes, or is there."""
        self.assertIn("wants to use the vault", self.agent.askpass.asked())
        self.agent.askpass.says(PASSPHRASE)

    def asked(self, answer: str) -> str:
        """The question that a person is asked and answers so."""
        question = sv.plain(self.agent.askpass.asked())
        self.agent.askpass.says(answer)
        return question

    def refused(self, name: str, act, said: str | None = None):
        """The act ends with this error; the test's own kind, not the one of commands."""
        self.assertEqual(sc.error(act), name, said)

    def serves(self):
        """The front still serves, with what it held."""
        self.assertIsNone(self.front.process.poll(), self.front.log)
        client = self.new_client()
        path = client.store(b"still there", {"test": "serves"})
        self.assertEqual(client.value(path), b"still there")
        client.leave()
