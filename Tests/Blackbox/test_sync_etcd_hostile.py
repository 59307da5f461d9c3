"""An etcd that lies: each machine notices it, changes nothing, and goes on when the true log is back."""

import json
import resource
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from etcd_place import free_port
from house import Person, newcomer, unittest
from proxy import Proxy
from test_sync_etcd import EtcdCase


def key(place: int) -> str:
    return f"/hsip/e/{place:016x}"


class HostileCase(EtcdCase):
    """Both machines are in the log, and have the secret `db`."""

    def setUp(self):
        super().setUp()
        self.put(self.alice, "db", "first")
        self.together_there()
        self.sync(self.alice)
        self.true = self.etcd.values()

    @property
    def newest(self) -> int:
        return len(self.true) - 1

    def one_more(self, value: str):
        """Alice sends a change that Bob has not seen."""
        self.put(self.alice, "other", value)
        self.sync(self.alice)
        self.true = self.etcd.values()

    def is_noticed(self, name: str, *people: Person):
        """Each sync ends with this error and changes nothing; it goes on when the true log is back."""
        shown = self.etcd.values()
        for person in people or (self.alice, self.bob):
            self.refused(name, person, "sync", plain=False)
            self.assertEqual(self.value(person, "db"), "first")
        waiting = people[-1] if people else self.alice
        self.put(waiting, "wiki", "mine")
        self.refused(name, waiting, "sync", changes=True, plain=False)
        self.assertEqual(self.etcd.values(), shown, "nothing is added to a false log")
        self.etcd.replace(self.true)
        self.sync(waiting)
        self.are_equal(self.alice, self.bob)
        self.true = self.etcd.values()

    def without(self, *places: int) -> dict[str, bytes]:
        return {name: value for name, value in self.true.items() if name not in map(key, places)}


class Histories(HostileCase):
    def test_a_log_that_is_set_back_or_gone(self):
        for shown in (self.without(self.newest), {key(1): self.true[key(1)]}, {}):
            with self.subTest(len(shown)):
                self.etcd.replace(shown)
                self.is_noticed("logBehind")

    def test_an_entry_twice(self):
        self.etcd.replace(self.true | {key(self.newest + 1): self.true[key(self.newest)]})
        self.is_noticed("logTampered")

    def test_entries_that_are_left_out_or_change_places(self):
        last = self.newest
        self.one_more("second")
        self.one_more("third")
        self.etcd.replace(self.without(last + 1))
        # Alice's machine looks from its own newest entry on, which is missing where the range says it is.
        self.is_noticed("logBehind", self.alice)
        self.one_more("fourth")
        self.sync(self.bob)
        last = self.newest
        self.one_more("fifth")
        self.one_more("sixth")
        one, two = key(last + 1), key(last + 2)
        self.etcd.replace(self.true | {one: self.true[two], two: self.true[one]})
        self.is_noticed("logTampered", self.bob)

    def test_a_changed_byte(self):
        self.one_more("second")
        entry = self.true[key(self.newest)]
        for name, positions in {"logTampered": [0, 8, 24, 64, 72, len(entry) - 1], "logForked": [32],
                                "newerEntry": [68]}.items():
            for position in positions:
                changed = bytearray(entry)
                changed[position] ^= 0x80
                with self.subTest(position=position):
                    self.etcd.replace(self.true | {key(self.newest): bytes(changed)})
                    self.refused(name, self.bob, "sync", plain=False, changes=True)
        # Alice's machine knows this entry, and has another one of the place.
        self.etcd.replace(self.true | {key(self.newest): entry[:-1] + bytes([entry[-1] ^ 1])})
        self.refused("logForked", self.alice, "sync", plain=False)
        self.etcd.replace(self.true)
        self.are_equal(self.alice, self.bob)

    def test_a_fork(self):
        self.put(self.alice, "of laptop", "x")
        self.sync(self.alice)
        hers = self.etcd.values()
        self.etcd.replace(self.true)
        self.put(self.bob, "of desktop", "y")
        self.sync(self.bob)
        his = self.etcd.values()
        self.etcd.replace(hers)
        self.refused("logForked", self.bob, "sync", plain=False)
        self.etcd.replace(his)
        self.put(self.alice, "waits", "z")
        self.refused("logForked", self.alice, "sync", plain=False, changes=True)
        self.assertEqual(self.etcd.values(), his)

    def test_the_log_of_somebody_else(self):
        carol = newcomer("carol")
        self.etcd.control("role", "grant-permission", "writer", "readwrite", "--prefix=true", "/other/")
        self.ok(carol, "setup", "sync", "etcd", self.etcd.endpoints + "/other", *self.login(carol, "laptop"))
        for number in range(self.newest + 1):
            self.put(carol, "db", f"value {number}")
            self.sync(carol)
        theirs = {name.replace("/other/", "/hsip/"): value for name, value in self.etcd.values("/other/").items()}
        self.etcd.replace(theirs)
        for person in (self.alice, self.bob):
            self.refused("logForked", person, "sync", plain=False)
        self.etcd.replace(self.true | {key(self.newest + 1): theirs[key(self.newest + 1)]})
        self.is_noticed("logTampered")

    def test_other_keys_than_entries(self):
        for name in ("x", "0", "e" * 16, f"{self.newest + 2:016x}", f"{self.newest + 1:016X}" + "a"):
            with self.subTest(name):
                self.etcd.replace(self.true | {"/hsip/e/" + name: b"x"})
                told = self.refused("logDamaged", self.bob, "sync", plain=False, changes=True).json["error"]["message"]
                next_one = f"lacks entry {self.newest + 1} of the shared log"
                is_place = name == f"{self.newest + 2:016x}"
                self.assertIn(next_one if is_place else f"has /hsip/e/{name} among its entries", told)
        self.etcd.replace(self.true)
        self.are_equal(self.alice, self.bob)

    def test_a_head_that_lies_is_for_people_alone(self):
        for head in (b"ffffffffffffffff", b"x", bytes(1000)):
            self.etcd.replace(self.true | {"/hsip/head": head})
            self.put(self.alice, "db", f"after {len(head)}")
            self.are_equal(self.alice, self.bob)
            self.true = self.etcd.values()


class Answers(EtcdCase):
    """A server with the right certificate says something else than etcd would."""

    def found_there(self, *words: str) -> dict:
        self.proxy = Proxy(self, free_port(), self.etcd.ports[0][0])
        return self.ok(self.alice, "setup", "sync", "etcd", f"https://127.0.0.1:{self.proxy.port}", "--name", "laptop",
                       *self.login(self.alice, "laptop"), *words, "--json").result

    def setUp(self):
        super().setUp()
        self.put(self.alice, "db", "first")
        self.found_there()
        self.answer, self.status, self.more, self.token = b"", 200, {}, "token"
        self.tokens: list[str] = []
        test = self

        class Liar(BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path.endswith("authenticate"):
                    body, status = json.dumps({"token": test.token}).encode(), 200
                else:
                    test.tokens.append(self.headers.get("Authorization", ""))
                    body, status = test.answer, test.status
                self.send_response(status)
                for name, value in test.more.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    for part in [body] if isinstance(body, bytes) else body():
                        self.wfile.write(part)
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Liar)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.etcd.authority.path("server", "pem"), self.etcd.authority.path("server", "key"))
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.proxy.target(server.server_port)

    def is_told(self, *names: str):
        before = self.alice.rows()
        outcome = self.alice.run("sync", "--json")
        self.assertNotEqual(outcome.code, 0, outcome)
        self.assertIn(outcome.json["error"]["code"], names, outcome)
        self.assertEqual(self.alice.rows(), before)
        self.assertEqual(self.value(self.alice, "db"), "first")

    def test_answers_that_are_none(self):
        deep = b"[" * 100_000
        wide = b'{"responses":[' + b",".join([b"{}"] * 100_000) + b"]}"
        kvs = b'{"responses":[{"response_range":%s},{"response_range":%s}]}'
        pair = b'{"count":"1","kvs":[{"key":"L2hzaXAvZS8wMDAwMDAwMDAwMDAwMDAx","value":"%s"}]}'
        for what, answer in {
                "nothing": b"", "no JSON": b"<html>", "a number": b"1", "deep": deep, "wide": wide,
                "no parts": b"{}", "a huge count": kvs % (b'{"count":"99999999999999999999"}', b"{}"),
                "a negative count": kvs % (b'{"count":"-1"}', b"{}"),
                "no key": kvs % (b'{"count":"1","kvs":[{}]}', b"{}"),
                "no base64": kvs % (pair % b"eHg=", pair % b"%%%"), "no entry": kvs % (pair % b"", pair % b"eHg="),
        }.items():
            for status in (200, 500):
                with self.subTest(what, status=status):
                    self.answer, self.status = answer, status
                    self.is_told("logDamaged", "logUnreachable", "logTampered", "logBehind", "logTooLarge")

    def test_an_answer_without_an_end(self):
        def endless():
            while True:
                yield b"x" * 1_000_000
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.answer = endless
        self.is_told("logTooLarge", "logUnreachable")
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(after, max(before, 400 << 10))

    def test_a_token_is_one_word(self):
        self.answer = b"{}"
        for token in ('a"\nurl = "https://127.0.0.1:1/', "a b", "a\\n", "", "x" * 5_000, "é"):
            with self.subTest(token[:10]):
                self.token = token
                self.is_told("logDamaged")
        self.assertEqual(self.tokens, [])

    def test_a_redirect_is_not_followed(self):
        self.status, self.answer = 307, b""
        self.more = {"Location": f"https://127.0.0.1:{self.etcd.ports[0][0]}/v3/kv/txn"}
        self.is_told("logUnreachable")


if __name__ == "__main__":
    unittest.main()
