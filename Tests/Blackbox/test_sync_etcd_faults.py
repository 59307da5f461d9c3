"""An etcd that is down, full, set back, foreign, or cut off: told by name, and nothing is lost or done twice."""

import base64
import json
import os
import signal
import subprocess
import threading

import shared_log as sl
from agents import clock
from etcd_place import PASSWORD, ROOT, Authority, Etcd, free_port
from house import FAKETIME, Person, unittest
from log_machine import LogMachine
from proxy import Proxy
from test_sync_etcd import EtcdCase
from test_sync_peer import password


class FaultCase(EtcdCase):
    """Both machines are in the log, and have the secret `db`."""

    def setUp(self):
        super().setUp()
        self.put(self.alice, "db", "first")
        self.together_there()

    def is_told(self, name: str, *parts: str, person: Person | None = None, **how) -> dict:
        """A sync that has something to send ends with this error; the vault goes on."""
        person = person or self.alice
        error = self.refused(name, person, "sync", changes=True, plain=False, **how).json["error"]
        for part in parts:
            self.assertIn(part, error["message"])
        self.assertEqual(self.value(person, "db"), "first")
        self.put(person, "while-away", "x")
        return error

    def goes_on(self, entries: int | None = None):
        """All is well again, and no entry came twice."""
        self.sync(self.bob)
        self.are_equal(self.alice, self.bob)
        if entries is not None:
            self.assertEqual(len(self.etcd.keys()) - 1, entries)

    @property
    def entries(self) -> int:
        return len(self.etcd.keys()) - 1


class Certificates(FaultCase):
    def certify(self, authority: Authority | None = None, **how):
        """The server shows another certificate from now on."""
        (authority or self.etcd.authority).certify("server", **how)

    def test_what_is_wrong_with_a_certificate_is_named(self):
        other = Authority(self.etcd.folder, "other")
        for part, how in ((" of an authority that this machine does not trust", {"authority": other}),
                          (" is for another host name", {"host": "DNS:other.example"}),
                          (" has expired, or is not valid yet", {"days": -1})):
            with self.subTest(part):
                self.certify(**how)
                error = self.is_told("notTrusted", self.etcd.endpoints, part)
                self.assertIn(error["hint"], (f"hsip setup sync etcd '{self.etcd.endpoints}/hsip' --ca FILE",
                                              f"openssl s_client -connect {self.etcd.endpoints[8:]}", "date"))
                self.certify()
                self.goes_on()

    @unittest.skipUnless(FAKETIME, "no faketime")
    def test_a_clock_that_is_off_by_days(self):
        folder = self.alice.path("files", "bin")
        os.makedirs(folder)
        for days in ("+10d", "-10d"):
            environment = " ".join(f"{name}={value}" for name, value in clock(days).items())
            self.alice.write("files/bin/curl", f"#!/bin/sh\nexec env {environment} /usr/bin/curl \"$@\"\n", 0o700)
            self.is_told("notTrusted", "by the clock of this machine", PATH=f"{folder}:/usr/bin:/bin")
        self.goes_on()
        # hsip's own clock decides nothing.
        self.put(self.alice, "later", "x")
        self.ok(self.alice, "sync", time="+3d")
        self.sync(self.bob)
        self.assertEqual(self.value(self.bob, "later"), "x")


class ClientCertificates(EtcdCase):
    """An etcd that wants a certificate of each machine, beside the user."""

    def setUp(self):
        super().setUp()
        self.etcd.stop()
        self.etcd.settings = {"client_cert_auth": "true", "trusted_ca_file": self.etcd.authority.file}
        self.etcd.again()
        self.setup = ("setup", "sync", "etcd", self.etcd.endpoints, *self.login(self.alice, "laptop"))

    def certificate(self, name: str, **how) -> tuple[str, ...]:
        self.etcd.authority.certify(name, **how)
        return ("--cert", self.etcd.authority.path(name, "pem"), "--key", self.etcd.authority.path(name, "key"))

    def test_a_certificate_and_a_user(self):
        refused = self.alice.run(*self.setup, "--json")
        self.assertIn(refused.json["error"]["code"], ("logRefused", "logUnreachable"), refused)
        error = self.refused("logRefused", self.alice, *self.setup, *self.certificate("named", subject="/CN=laptop"),
                             plain=False).json["error"]
        self.assertIn("because it has a CommonName", error["message"])
        self.ok(self.alice, *self.setup, *self.certificate("mine"))
        self.put(self.alice, "db", "x")
        self.sync(self.alice)
        # The paths are kept, and the files stay the system's: a new certificate needs no command.
        self.certificate("mine")
        self.sync(self.alice)
        self.refused("malformed", self.alice, *self.setup, "--cert", self.alice.write("files/a:b", ""), "--key",
                     self.alice.write("files/c", ""))
        self.refused("notFound", self.alice, *self.setup, "--cert", "none", "--key", "none")
        os.unlink(self.etcd.authority.path("mine", "key"))
        self.refused("logRefused", self.alice, "sync", plain=False)


class Users(FaultCase):
    def test_a_user_that_is_gone_or_may_nothing_any_more(self):
        self.etcd.control("user", "revoke-role", "desktop", "writer")
        self.is_told("logRefused", "refuses the user", person=self.bob)
        self.etcd.control("user", "delete", "desktop")
        error = self.is_told("logRefused", "refuses the user", person=self.bob)
        self.assertEqual(error["hint"], f"hsip setup sync etcd '{self.etcd.endpoints}/hsip' --user NAME")
        self.etcd.add_user("desktop", "writer")
        self.goes_on()

    def test_an_etcd_whose_logins_were_switched_off(self):
        self.etcd.control("auth", "disable")
        self.etcd.root = None
        error = self.is_told("logRefused", "has no users, so anybody may write there")
        self.assertTrue(error["hint"].endswith(" --print-etcd"), error)
        self.etcd.control("auth", "enable")
        self.etcd.root = True
        self.goes_on()

    def test_a_token_that_etcd_forgot(self):
        """A restart of etcd forgets all tokens; each command logs in anew."""
        self.put(self.alice, "x", "1")
        self.etcd.stop()
        self.etcd.again()
        self.goes_on()


class Room(FaultCase):
    def test_no_room(self):
        self.etcd.stop()
        self.etcd.settings = {"quota_backend_bytes": str(16 << 20)}
        self.etcd.again()
        filling = "x" * 1_000_000
        with self.assertRaises(AssertionError) as caught:
            for number in range(40):
                self.etcd.control("put", f"/fill/{number}", given=filling)
        self.assertIn("database space exceeded", str(caught.exception))
        self.put(self.alice, "db2", "x")
        entries = self.entries
        error = self.is_told("logFull", "its database has reached its quota")
        self.assertEqual(error["hint"], f"etcdctl alarm list --endpoints {self.etcd.endpoints}")
        # Reading goes on.
        self.sync(self.bob)
        self.etcd.control("del", "/fill/", "--prefix")
        revision = json.loads(self.etcd.control("endpoint", "status", "-w", "json"))[0]["Status"]["header"]["revision"]
        self.etcd.control("compact", str(revision))
        self.etcd.control("defrag")
        self.etcd.control("alarm", "disarm")
        self.assertEqual(self.entries, entries)
        self.goes_on(entries + 2)
        self.assertEqual(self.value(self.bob, "db2"), "x")

    def test_compaction_in_the_middle(self):
        stop = threading.Event()

        def compact():
            while not stop.is_set():
                status = json.loads(self.etcd.control("endpoint", "status", "-w", "json"))
                revision = status[0]["Status"]["header"]["revision"]
                subprocess.run(["etcdctl", "compact", str(revision)], env=self.etcd.environment, capture_output=True)
                subprocess.run(["etcdctl", "defrag"], env=self.etcd.environment, capture_output=True)
        entries = self.entries
        worker = threading.Thread(target=compact)
        worker.start()
        try:
            for number in range(6):
                self.put(self.alice, f"a{number}", "x")
                self.sync(self.alice)
                self.sync(self.bob)
        finally:
            stop.set()
            worker.join()
        self.goes_on(entries + 6)
        self.assertEqual(len(self.names(self.bob)), 7)


class SetBack(FaultCase):
    def test_an_etcd_that_was_restored_from_an_old_snapshot(self):
        old, new = os.path.join(self.etcd.folder, "old"), os.path.join(self.etcd.folder, "new")
        self.etcd.control("snapshot", "save", old)
        self.put(self.alice, "x", "1")
        self.goes_on()
        entries = self.entries
        self.etcd.control("snapshot", "save", new)
        self.restore(old)
        for person in (self.alice, self.bob):
            error = self.refused("logBehind", person, "sync", changes=True).json["error"]
            self.assertEqual(error["exit"], 11)
            self.assertEqual(self.value(person, "x"), "1")
        # A change waits: it does not begin another history.
        self.is_told("logBehind", person=self.bob)
        self.restore(new)
        self.goes_on()
        self.assertEqual(self.value(self.alice, "while-away"), "x")
        self.assertEqual(self.entries, entries + 1)

    def restore(self, snapshot: str):
        self.etcd.stop()
        data, (_, peer) = self.etcd.data(0), self.etcd.ports[0]
        subprocess.run(["rm", "-rf", data], check=True)
        self.etcd.control("snapshot", "restore", snapshot, "--data-dir", data, "--name", "n0", "--initial-cluster",
                          f"n0=http://127.0.0.1:{peer}", "--initial-cluster-token", self.etcd.folder,
                          "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}")
        self.etcd.again()


class Majority(FaultCase):
    nodes = 3

    def test_most_servers_stop(self):
        self.put(self.alice, "x", "1")
        entries = self.entries
        self.etcd.signal(signal.SIGSTOP, 0, 1)
        error = self.is_told("logUnreachable", "most servers of", "what is not sent waits here")
        self.assertEqual(error["hint"], f"etcdctl endpoint health --endpoints {self.etcd.endpoints}")
        self.etcd.signal(signal.SIGCONT, 0, 1)
        self.etcd.control("get", "ready")
        self.goes_on(entries + 2)
        self.assertEqual(self.value(self.bob, "x"), "1")

    def test_a_server_with_old_data_changes_nothing(self):
        """One server lost its disk and came back from an old copy: the others go on."""
        self.etcd.signal(signal.SIGKILL, 2)
        self.etcd.running[2].wait()
        subprocess.run(["cp", "-a", self.etcd.data(2), self.etcd.data(2) + ".old"], check=True)
        self.etcd.running[2] = self.etcd.start(2)
        for number in range(3):
            self.put(self.alice, f"x{number}", "1")
            self.sync(self.alice)
        entries = self.entries
        self.etcd.signal(signal.SIGKILL, 2)
        self.etcd.running[2].wait()
        subprocess.run(["rm", "-rf", self.etcd.data(2)], check=True)
        os.rename(self.etcd.data(2) + ".old", self.etcd.data(2))
        self.etcd.running[2] = self.etcd.start(2)
        self.put(self.bob, "y", "1")
        self.goes_on(entries + 1)


class Cut(FaultCase):
    """Everything goes through a proxy that cuts a connection in the middle of an answer."""

    def setUp(self):
        self.proxy = None
        super().setUp()

    def found_there(self, *words: str) -> dict:
        self.proxy = Proxy(self, free_port(), self.etcd.ports[0][0])
        return self.ok(self.alice, "setup", "sync", "etcd", f"https://127.0.0.1:{self.proxy.port}", "--name", "laptop",
                       *self.login(self.alice, "laptop"), *words, "--json").result

    def test_an_answer_that_is_cut_is_asked_for_again(self):
        self.put(self.alice, "x0", "1")
        self.proxy.sizes.clear()
        self.sync(self.alice)
        sizes = list(self.proxy.sizes)
        self.assertGreaterEqual(len(sizes), 2)
        entries = self.entries
        for number in range(len(sizes)):
            for part in (0.3, 0.98):
                name = f"x{number}-{part}"
                self.put(self.alice, name, "1")
                self.proxy.cut(number, int(sizes[number] * part))
                outcome = self.alice.run("sync", "--json")
                self.proxy.cut(None, 0)
                if outcome.code != 0:
                    self.assertEqual((outcome.code, outcome.json["error"]["code"]), (12, "logUnreachable"), outcome)
                self.sync(self.alice)
                entries += 1
                self.assertEqual(self.entries, entries)
        self.goes_on(entries)


class EtcdMachine(LogMachine):
    """The second implementation, with its log in etcd."""

    carrier = 2
    etcd: Etcd

    def entries(self) -> list[bytes]:
        found = json.loads(self.etcd.control("get", "/hsip/e/", "--prefix", "-w", "json"))["kvs"]
        assert [base64.b64decode(one["key"]) for one in found] == [
            b"/hsip/e/%016x" % place for place in range(1, len(found) + 1)]
        return [base64.b64decode(one["value"]) for one in found]

    def create(self, place: int, entries: list[bytes]):
        """As the user of a machine that may write."""
        for number, entry in enumerate(entries, place):
            self.put_raw(number, entry, f"root:{ROOT}")

    def put_raw(self, place: int, entry: bytes, user: str) -> subprocess.CompletedProcess:
        body = json.dumps({"key": base64.b64encode(b"/hsip/e/%016x" % place).decode(),
                           "value": base64.b64encode(entry).decode()})
        name, word = user.split(":", 1)

        def call(path: str, body: str, *more: str) -> subprocess.CompletedProcess:
            return subprocess.run(
                ["curl", "--silent", "--cacert", self.etcd.authority.file, *more, "--data", "@-",
                 f"https://127.0.0.1:{self.etcd.ports[0][0]}/v3/{path}"], input=body.encode(), capture_output=True)
        token = json.loads(call("auth/authenticate", json.dumps({"name": name, "password": word})).stdout)["token"]
        return call("kv/put", body, "--header", f"Authorization: {token}")


class Readers(FaultCase):
    def test_a_reader_that_writes_is_refused_by_etcd_and_by_the_log(self):
        peer = EtcdMachine("quark", self.alice.path("files"))
        peer.etcd = self.etcd
        code, digits = peer.join()
        admitted = self.ok(self.alice, "accept", code, "--expect", digits, "--reader", "--json").result
        self.assertEqual(peer.enter(admitted["code"]), admitted["number"])
        self.goes_on()
        peer.read()
        entries = self.entries
        body = sl.Put(1, bytes(16), 1, 0, b"planted", password("x")).encode()
        entry = peer.log.entry(peer.keys, sl.CHANGE, body, bytes(32))
        answer = json.loads(peer.put_raw(entries + 1, entry, f"web1:{PASSWORD}").stdout)
        self.assertEqual(answer["message"], "etcdserver: permission denied")
        self.assertEqual(self.entries, entries)
        # Somebody with the right to write in etcd puts it there.
        peer.create(entries + 1, [entry])
        for person in (self.alice, self.bob):
            error = self.refused("logTampered", person, "sync").json["error"]
            self.assertEqual(error["details"], {"reason": "notAllowed", "place": entries + 1, "author": "quark"})
            self.assertEqual(self.value(person, "db"), "first")
        self.etcd.control("del", f"/hsip/e/{entries + 1:016x}")
        self.goes_on(entries)


class Operator(EtcdCase):
    def setUp(self):
        super().setUp()
        self.etcd = Etcd(self)

    def test_the_printed_script_makes_users_who_share_a_log(self):
        place = (self.etcd.endpoints + "/fleet/one",)
        script = self.ok(self.alice, "setup", "sync", "etcd", *place, "--print-etcd", "--user", "laptop").output
        self.assertIn('WRITERS="${WRITERS-laptop}"', script)
        for line in script.splitlines():
            self.assertLessEqual(len(line), 110)
        self.assertEqual(self.etcd.keys("/"), [])
        path = self.alice.write("files/etcd.sh", script)
        words = [f"word-{number}" for number in range(4)]
        done = subprocess.run(
            ["sh", path], input="".join(word + "\n" for word in words).encode(), capture_output=True,
            env={"PATH": "/usr/bin:/bin", "ETCDCTL_CACERT": self.etcd.authority.file, "WRITERS": "laptop desktop",
                 "READERS": "web1"})
        self.assertEqual(done.returncode, 0, done)
        self.ok(self.alice, "setup", "sync", "etcd", *place, "--name", "laptop",
                *self.login(self.alice, "laptop", words[0]))
        self.put(self.alice, "db", "first")
        admit = self.admit(self.alice, self.join(self.bob), "--reader")
        self.ok(self.bob, "accept", admit["code"], "--expect", admit["number"], *self.login(self.bob, "web1", words[2]))
        self.assertEqual(self.value(self.bob, "db"), "first")
        permissions = subprocess.run(
            ["etcdctl", "--user", f"root:{words[3]}", "user", "get", "web1", "--detail"], capture_output=True,
            env=self.etcd.environment).stdout.decode()
        self.assertIn("KV Read:\n\t[/fleet/one/, /fleet/one0)", permissions)
        self.assertRegex(permissions, r"KV Write:\s*$")

    def test_the_script_needs_a_plain_user_and_a_place(self):
        self.refused("usage", self.alice, "setup", "sync", "etcd", self.etcd.endpoints, "--print-etcd", "--user", "$(id)")
        self.refused("usage", self.alice, "setup", "sync", "etcd", "--print-etcd")
        self.refused("malformed", self.alice, "setup", "sync", "etcd", "https://a/$(id)", "--print-etcd", "--user", "a")


if __name__ == "__main__":
    unittest.main()
