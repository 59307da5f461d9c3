"""`hsip lease`: secrets for a command that runs alone, for all that it starts, and for nothing else."""

import os
import signal
import time
import unittest

import agents as ag
from house import BINARY, FAKETIME
from lease_case import WHY, LeaseCase
from screen import CONTROL_C, Screen


class Leases(LeaseCase):
    # What it is good for

    def test_the_command_and_what_it_starts_read_what_was_leased_and_nothing_else(self):
        text = self.runs(self.get("ci/npm", "one"), f"sh -c '{self.get('ci/aws', 'two')}'", self.get("prod", "three"),
                         f"TOKEN=vault:ci/npm {BINARY} run sh -c 'echo $TOKEN' >{self.file('four')}",
                         f"TOKEN=vault:prod {BINARY} run true 2>{self.file('five')}; echo $? >{self.file('five.code')}",
                         names=("ci/npm", "ci/aws"))
        self.assertRegex(text, "^hsip: note: lease [0-9]+: .*ci/aws.*, .*ci/npm.*, until today ")
        self.assertEqual(self.got("one"), "value of ci/npm")
        self.assertEqual(self.got("two"), "value of ci/aws")
        said = self.got("three", 6)
        self.assertIn("the lease of this command does not cover this secret", said)
        self.assertIn("hsip lease run prod --for 20m --reason TEXT -- COMMAND", said)
        self.assertEqual(self.read("four").strip(), "value of ci/npm")
        self.assertEqual(self.read("five.code").strip(), "125")

    def test_each_use_is_in_the_log_with_the_reason(self):
        screen = self.lease(self.get("ci/npm", "one"), self.get("prod", "two"), f">{self.file('begun')}",
                            self.waits("end"))
        self.holds(screen)
        number = self.number()
        self.assertEqual(self.listed()[0] | {"pid": 0, "endsAt": ""}, {
            "number": number, "secrets": ["ci/npm"], "logins": [], "items": [], "reason": WHY, "command": self.listed()[0]["command"], "pid": 0,
            "endsAt": "", "uses": 1})
        self.assertRegex(self.listed()[0]["command"], "^sh -c ")
        self.go("end")
        self.assertEqual(screen.ends(), 0)
        self.assertEqual(self.listed(), [])
        entries = self.ok(self.alice, "audit", "--lease", str(number), "--json").result["entries"]
        self.assertEqual([(entry["kind"], entry["act"], entry["subject"], entry["target"], entry["reason"])
                          for entry in entries],
                         [("rule", "lease", "ci/npm", WHY, ""),
                          ("read", "secret.get", "ci/npm", "", f"lease:{number} {WHY}"),
                          ("rule", "lease.end", "ci/npm", "", f"lease:{number}")])
        self.assertEqual(entries[0]["sequence"], number)

    def test_exit_codes_and_signals_are_those_of_the_command(self):
        self.assertEqual(self.lease("exit 7").ends(), 7)
        self.assertEqual(self.lease("kill -9 $$").ends(), 137)
        screen = self.lease(f">{self.file('begun')}", "exec sleep 60")
        self.holds(screen)
        screen.types(CONTROL_C)
        self.assertEqual(screen.ends(), 130)
        missing = Screen(self, self.alice, "lease", "run", "ci/npm", "--for", "1m", "--reason", WHY, "--", "nothing-here")
        self.assertEqual(missing.ends(), 127, missing.text)
        self.assertEqual(self.listed(), [])

    def test_control_c_before_the_command_began_runs_nothing(self):
        # As long as nobody reads what it says, hsip waits with its words.
        full, ran = self.file("full"), self.file("ran")
        os.mkfifo(full)
        reader = os.open(full, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        writer = os.open(full, os.O_WRONLY | os.O_NONBLOCK)
        try:
            while True:
                os.write(writer, bytes(4_096))
        except BlockingIOError:
            os.close(writer)
        screen = Screen(self, self.alice, "version", shell=f"{BINARY} lease run ci/npm --for 1m --reason x -- touch {ran} 2>{full}")
        end = time.monotonic() + 30
        while not self.listed():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        screen.types(CONTROL_C)
        self.assertEqual(screen.ends(), 130)
        self.assertFalse(os.path.exists(ran))
        self.assertEqual(self.listed(), [])

    # Who has none

    def test_another_program_of_the_user_has_nothing_of_it(self):
        screen = self.lease(f">{self.file('begun')}", self.waits("end"))
        self.holds(screen)
        self.ends(6, self.alice, "secret", "get", "ci/npm", "--no-input")
        self.go("end")
        screen.ends()

    def test_what_the_command_leaves_has_it_until_the_command_ends(self):
        later = f"({self.waits('go')}; {self.get('ci/npm', 'one')}; {self.waits('more')}; "
        later += f"{self.get('ci/npm', 'two', '--no-input')})"
        screen = self.lease(f"setsid sh -c '({later}) &' </dev/null >/dev/null 2>&1", f">{self.file('begun')}",
                            self.waits("end"))
        self.holds(screen)
        self.go("go")
        self.assertEqual(self.got("one"), "value of ci/npm")
        self.go("end")
        self.assertEqual(screen.ends(), 0)
        self.go("more")
        self.got("two", 6)

    def test_killing_the_process_that_waits_ends_it(self):
        screen = self.lease(f"setsid sh -c '{self.waits('go')}; {self.get('ci/npm', 'one', '--no-input')}' </dev/null >/dev/null 2>&1 &",
                            f">{self.file('begun')}", self.waits("end"))
        self.holds(screen)
        os.kill(self.listed()[0]["pid"], signal.SIGKILL)
        self.assertEqual(screen.ends(), 137)
        self.assertEqual(self.listed(), [])
        self.go("go")
        self.got("one", 6)
        self.go("end")

    def test_it_ends_by_its_time_by_hand_and_with_the_lock(self):
        for what in ("time", "hand", "lock"):
            with self.subTest(what=what):
                screen = self.lease(self.get("ci/npm", f"{what}-1"), f">{self.file(what)}", self.waits(f"{what}-go"),
                                    self.get("ci/npm", f"{what}-2"), self.get("prod", f"{what}-3"),
                                    span="2s" if what == "time" else "1h")
                self.holds(screen, what)
                self.assertEqual(self.got(f"{what}-1"), "value of ci/npm")
                if what == "hand":
                    self.ok(self.alice, "lease", "end", str(self.number()))
                    self.refused("unknownLease", self.alice, "lease", "end", "1")
                elif what == "lock":
                    self.ok(self.alice, "lock")
                    self.agent.unlock()
                else:
                    time.sleep(2.5)
                self.assertEqual(self.listed(), [])
                self.go(f"{what}-go")
                self.assertEqual(screen.ends(), 0, screen.text)
                # Also over, it is a command that runs alone: at its terminal it is no person.
                self.assertIn("the lease of this command has ended", self.got(f"{what}-2", 6))
                self.got(f"{what}-3", 6)

    def test_a_secret_that_was_exchanged_changed_or_put_back_is_none_that_was_leased(self):
        acts = {
            "renamed": [("secret", "mv", "ci/npm", "old"), ("secret", "mv", "prod", "ci/npm")],
            "changed": [("secret", "set", "ci/npm")],
            "removed": [("secret", "rm", "ci/npm")],
            "restored": [("secret", "rm", "ci/npm"), ("secret", "restore", "ci/npm")],
        }
        for what, words in acts.items():
            with self.subTest(what=what):
                self.ok(self.alice, "secret", "set", "ci/npm", given="value of ci/npm")
                screen = self.lease(f">{self.file(what)}", self.waits(f"{what}-go"), self.get("ci/npm", f"{what}-1"))
                self.holds(screen, what)
                for act in words:
                    at = Screen(self, self.alice, *act, shell='echo other | "$0" "$@"' if act[1] == "set" else None)
                    self.assertEqual(at.ends(), 0, at.text)
                self.go(f"{what}-go")
                self.assertEqual(screen.ends(), 0, screen.text)
                self.assertIn("changed, renamed or removed", self.got(f"{what}-1", 6))
                if what == "renamed":
                    for act in (("secret", "mv", "ci/npm", "prod"), ("secret", "mv", "old", "ci/npm")):
                        self.assertEqual(Screen(self, self.alice, *act).ends(), 0)
                elif what == "removed":
                    self.assertEqual(Screen(self, self.alice, "secret", "restore", "ci/npm").ends(), 0)

    def test_nobody_is_asked_inside_one_however_deep_and_also_while_the_vault_is_locked(self):
        deep = "import os, sys\nfor _ in range(300):\n    child = os.fork()\n    if child:\n" \
            "        os.waitpid(child, 0)\n        os._exit(0)\nos.execv('/bin/sh', ['sh', '-c', sys.argv[1]])"
        program = self.alice.write(os.path.join("files", "deep.py"), deep)
        self.runs(f"python3 {program} '{self.get('prod', 'deep')}'", f"{BINARY} lock", self.get("ci/npm", "locked"))
        self.got("deep", 6)
        self.assertIn("locked", self.got("locked", 5))
        self.agent.unlock()

    def test_a_namespace_of_its_own_is_no_way_out(self):
        begun = time.monotonic()
        inside = f"timeout 20 unshare -Ur {BINARY} secret get prod >{self.file('one')} 2>&1 </dev/null"
        self.runs(f"{inside}; echo $? >{self.file('one.code')}")
        self.assertLess(time.monotonic() - begun, 15)
        self.assertNotIn("value of prod", self.read("one"))
        self.assertNotEqual(self.read("one.code").strip(), "0")
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_key_that_asks_is_refused_at_once_inside_one(self):
        self.ok(self.alice, "ssh", "key", "generate", "work")
        public = self.ok(self.alice, "ssh", "key", "export", "work", "--public").output
        self.alice.write(os.path.join("files", "work.pub"), public)
        self.alice.write(os.path.join("files", "text"), "a text")
        begun = time.monotonic()
        self.runs(f"SSH_AUTH_SOCK={self.agent.socket} ssh-keygen -Y sign -f {self.file('work.pub')} -n other "
                  f"{self.file('text')} >{self.file('sign')} 2>&1; echo $? >{self.file('sign.code')}")
        self.assertLess(time.monotonic() - begun, 30)
        self.assertNotEqual(self.read("sign.code").strip(), "0")
        self.assertFalse(self.agent.askpass.was_asked())

    def test_a_rule_that_refuses_or_asks_counts_more(self):
        for effect in ("deny", "ask", "each"):
            with self.subTest(effect=effect):
                add = Screen(self, self.alice, "agent", "rule", "add", "no", effect, "--kind", "read", "--subject", "ci/npm")
                self.assertEqual(add.ends(), 0, add.text)
                self.runs(self.get("ci/npm", effect))
                self.got(effect, 6)
                self.assertEqual(Screen(self, self.alice, "agent", "rule", "rm", "no").ends(), 0)

    @unittest.skipUnless(FAKETIME, "faketime is not installed")
    def test_a_clock_that_is_set_back_makes_it_no_longer(self):
        clock = self.alice.write("files/clock", "+0")
        self.agent.end()
        self.agent = ag.Hsip(self.alice, **ag.clock(None, FAKETIME_TIMESTAMP_FILE=clock))
        screen = self.lease(f">{self.file('begun')}", self.waits("go"), self.get("ci/npm", "one"), span="2s")
        self.holds(screen)
        self.alice.write("files/clock", "-1d")
        time.sleep(2.5)
        self.go("go")
        self.assertEqual(screen.ends(), 0, screen.text)
        self.assertIn("the lease of this command has ended", self.got("one", 6))

    def test_killing_the_agent_ends_it(self):
        screen = self.lease(f">{self.file('begun')}", self.waits("go"), self.get("ci/npm", "one", "--no-input"))
        self.holds(screen)
        self.agent.kill()
        self.agent.end()
        self.agent = ag.Hsip(self.alice)
        self.assertEqual(self.listed(), [])
        self.go("go")
        self.assertEqual(screen.ends(), 0, screen.text)
        self.got("one", 6)

    # Who gives one

    def test_as_many_as_may_hold_at_a_time_and_no_more(self):
        self.alice.write("files/errors", "")
        begin = f"{BINARY} lease run ci/npm --for 1h --reason many -- sleep 600 >/dev/null 2>>{self.file('errors')}"
        screen = Screen(self, self.alice, "version", shell=f"for n in $(seq 40); do {begin} & done; wait")
        end = time.monotonic() + 300
        # A place is taken before its lease is listed.
        while self.read("errors").count("32 commands with a lease run") < 6 or len(self.listed()) < 32:
            self.assertLess(time.monotonic(), end, self.read("errors"))
            time.sleep(0.1)
        self.assertEqual(len(self.listed()), 32)
        self.ok(self.alice, "lock")
        self.agent.unlock()
        self.assertEqual(self.listed(), [])
        screen.types(CONTROL_C)

    def test_only_a_person_at_a_terminal_gives_one(self):
        words = ("lease", "run", "ci/npm", "--for", "1m", "--reason", WHY, "--")
        outcome = self.alice.run(*words, "true")
        self.assertEqual(outcome.code, 125, outcome)
        self.assertIn("only a person at a terminal", outcome.talk)
        inner = f"{BINARY} {' '.join(words[:-2])} x -- true 2>{self.file('inner')}; echo $? >{self.file('inner.code')}"
        self.runs(inner)
        self.assertEqual(self.read("inner.code").strip(), "125")
        self.assertIn("not from inside another", self.read("inner"))

    def test_wrong_words_give_none(self):
        for span, why in (("2d", WHY), ("0s", WHY), ("5", WHY), ("1m", ""), ("1m", "a\nb"), ("1m", "a\x1b[2Jb"),
                          ("1m", "\u202ereverse"), ("1m", "x" * 201), ("1m", "\u4e2d" * 100)):
            with self.subTest(span=span, why=why):
                screen = self.lease(f">{self.file('never')}", span=span, why=why)
                self.assertEqual(screen.ends(), 125, screen.text)
        for names, said in ((("ci/npm", "unknown"), "unknown"), (("no\nname",), ""), ((), "name at least one secret"),
                            ([f"ci/{n}" for n in range(33)], "at most 32")):
            with self.subTest(names=names):
                screen = self.lease(f">{self.file('never')}", names=names)
                self.assertEqual(screen.ends(), 125, screen.text)
                self.assertIn(said, screen.plain)
        self.assertFalse(os.path.exists(self.file("never")))
        self.assertEqual(self.listed(), [])


if __name__ == "__main__":
    unittest.main()
