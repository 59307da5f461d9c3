"""libsecret's own tests, each against a vault of its own that has what their mock of the service has.

    HSIP_BIN=… python3 libsecret_own.py FOLDER [PROGRAM | /PATH/OF/TEST]…

Scripts/libsecret-tests builds them into FOLDER. Their mock scripts are not run: in their place the front of a vault with the
same collections and items serves the bus. A vault gives every item an id of its own, so that the tests read the paths of
items from a file.
"""

import os
import re
import subprocess
import sys

import agents as ag
import house
import service as sv
import service_client as sc

PROGRAMS = ["test-session", "test-service", "test-collection", "test-item", "test-paths", "test-methods", "test-password"]
CANNOT = {
    "/session/ensure-plain": "wants a service without key agreement",
    "/session/ensure-async-plain": "wants a service without key agreement",
    "/session/ensure-async-twice": "wants a service without key agreement",
    "/service/set-alias-path": "makes an alias called blah; a vault has default, login and session",
    "/service/set-alias-sync": "makes an alias called blah; a vault has default, login and session",
}
"""What asks for something that no vault offers, and why. Whole programs that are left out: Scripts/libsecret-tests."""

SCHEMA, PRIMES = "org.mock.Schema", "org.mock.Primes"


def number(count: int, word: str, more: str, schema: str | None) -> dict[str, str]:
    kind = "prime" if schema == PRIMES else "even"
    return {"number": str(count), "string": word, kind: more} | ({"xdg:schema": schema} if schema else {})


STANDARD = {
    "english": [("1", "Item One", "111", number(1, "one", "false", SCHEMA)),
                ("2", "Item Two", "222", number(2, "two", "true", SCHEMA)),
                ("3", "Item Three", "333", number(3, "three", "false", SCHEMA))],
    "spanish": [("10", "Item", "111", number(1, "uno", "false", SCHEMA)),
                ("20", "Item", "222", number(2, "dos", "true", SCHEMA)),
                ("30", "Item", "3333", number(3, "tres", "false", SCHEMA))],
    "german": [("300", "Item", "333", number(3, "drei", "true", PRIMES)),
               ("400", "Item", "444", number(4, "vier", "false", PRIMES)),
               ("500", "Item", "555", number(5, "fuenf", "true", PRIMES)),
               ("600", "Item", "666", number(6, "sechs", "false", PRIMES))],
    "empty": [],
}
LOOSE = [("item", "Item", "uno", number(1, "one", "false", None)), ("confirm", "Item", "dos", number(2, "two", "true", None))]
LOCKED = [("locked", "Item", "tres", number(3, "three", "false", None))]
KINDS = {
    "mock-service-empty.py": ({}, []),
    "mock-service-normal.py": (STANDARD, ["spanish", "german"]),
    "mock-service-only-plain.py": (STANDARD, ["spanish", "german"]),
    "mock-service-delete.py": (STANDARD | {"todelete": LOOSE, "twodelete": LOCKED}, ["spanish", "german", "twodelete"]),
    "mock-service-lock.py": (STANDARD | {"lockone": LOOSE, "lockprompt": LOCKED}, ["spanish", "german", "lockprompt"]),
}
"""What each of their mocks has: collections with items, and which of them are closed."""


class Serving:
    """A vault that serves, with a person who says yes to everything."""

    def __init__(self, person):
        self.person = person
        self.agent = ag.Hsip(person)
        self.agent.askpass.says_always_yes()
        self.front = sv.Front(person, self.agent)
        self.client = sc.Client(self.front.bus)

    def close(self, collections: list[str]):
        paths = [f"{sc.ROOT}/collection/{name}" for name in collections]
        closed, prompt = self.client.service("Lock", "(ao)", paths)
        if (sorted(closed), prompt) != (sorted(paths), "/"):
            raise AssertionError(f"not all were closed: {closed}, {prompt}")

    def end(self):
        self.client.leave()
        self.front.end()
        self.agent.end()


def fill(kind: str, program: str):
    """Makes a vault that has what a mock has, as this program's own."""
    alice = house.newcomer("alice")
    serving = Serving(alice)
    client, paths = serving.client, []
    # A vault tells the newest first, the mock the oldest.
    for name, items in reversed(KINDS[kind][0].items()):
        path, _ = client.service("CreateCollection", "(a{sv}s)", {
            sc.COLLECTION + ".Label": sc.kr.GLib.Variant("s", name)}, "")
        if not path.endswith("/" + name):
            raise AssertionError(f"the collection is {path}")
        if name == "english":
            client.call(path, sc.PROPERTIES, "Set", "(ssv)", sc.COLLECTION, "Label",
                        sc.kr.GLib.Variant("s", "Collection One"))
            client.service("SetAlias", "(so)", "default", path)
        for short, label, value, attributes in reversed(items):
            paths.append(f"{name}/{short} {client.store(value.encode(), attributes, label, False, path)}\n")
    # In good order: what is left is copied for each test.
    serving.agent.stop()
    serving.end()
    alice.write("files/paths", "".join(paths))
    if paths:
        maker = os.path.realpath(sys.executable)
        house.must(alice.run("item", "set", "--program", maker, "--owner", program, "--no-agent", "-y"))


class Tests:
    def __init__(self, folder: str):
        self.folder = os.path.realpath(folder)
        self.worlds: dict[tuple[str, str], house.World] = {}

    def names(self, program: str) -> dict[str, str]:
        """The tests of a program, each with the mock that it wants."""
        listed = subprocess.run([os.path.join(self.folder, program), "-l"], check=True, capture_output=True, text=True)
        with open(os.path.join(self.folder, program + ".c"), encoding="utf-8") as file:
            wanted = dict(re.findall(r'g_test_add \("([^"]+)", Test, "([^"]+)"', file.read()))
        return {name: wanted.get(name, "mock-service-empty.py")
                for name in listed.stdout.splitlines() if name.startswith("/")}

    def run(self, program: str, name: str, kind: str) -> str | None:
        """One test; what it said if it failed."""
        path = os.path.join(self.folder, program)
        world = self.worlds.setdefault((kind, program), house.World(program + kind, lambda: fill(kind, path)))
        alice, = world.arrive()
        serving = Serving(alice)
        try:
            serving.close(KINDS[kind][1])
            environment = alice.environment(
                HSIP_LIBSECRET_PATHS=alice.path("files", "paths"), G_DEBUG="fatal-criticals",
                HSIP_LIBSECRET_NAME=serving.client.call(
                    "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner", "(s)", sc.kr.SERVICE,
                    to="org.freedesktop.DBus")[0], **serving.front.bus.environment())
            done = subprocess.run([path, "-p", name], env=environment, cwd=self.folder, capture_output=True, text=True,
                                  timeout=120, stdin=subprocess.DEVNULL, start_new_session=True)
            if done.returncode == 0 and re.search(rf"^ok \d+ {re.escape(name)}$", done.stdout, re.M):
                return None
            return f"{done.returncode}\n{done.stdout}{done.stderr}{serving.front.log}{serving.agent.log}"
        finally:
            serving.end()


def main(folder: str, *wanted: str) -> int:
    if sv.missing():
        print(sv.missing())
        return 1
    tests, passed, failed, left = Tests(folder), 0, [], []
    for program in PROGRAMS:
        for name, kind in tests.names(program).items():
            if wanted and program not in wanted and name not in wanted:
                continue
            if name in CANNOT:
                left.append(f"{program} {name}: {CANNOT[name]}")
                continue
            said = tests.run(program, name, kind)
            print(f"{program:16} {name:40} {'ok' if said is None else 'FAILED'}", flush=True)
            if said is None:
                passed += 1
            else:
                failed.append(f"{program} {name}")
                print("    " + said.replace("\n", "\n    "), file=sys.stderr, flush=True)
    for line in left:
        print(f"left out: {line}")
    for line in failed:
        print(f"FAILED: {line}")
    print(f"{passed} passed, {len(failed)} failed, {len(left)} left out")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
