"""What a shell completes: words always, names only while an agent has the vault open, and nothing that it would run."""

import os
import shlex
import shutil
import subprocess
import unittest

import agents as ag
from house import BINARY, FRIENDS, Case

BASH = r"""
source /dev/stdin <<'END'
{script}
END
COMP_LINE={line}; COMP_POINT=${{#COMP_LINE}}; COMP_TYPE=9; COMP_KEY=9
read -ra COMP_WORDS <<< "$COMP_LINE"
[[ $COMP_LINE != *' ' ]] || COMP_WORDS+=('')
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_hsip hsip "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}" 2>/dev/null
printf '%s\n' "${{COMPREPLY[@]}}"
"""
KINDS = ("contacts", "keys", "hosts", "secrets")


class Completing(Case):
    world = FRIENDS

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        # The shells call the program by its name.
        os.makedirs(self.alice.path("bin"), exist_ok=True)
        os.symlink(BINARY, self.alice.path("bin", "hsip"))

    def names(self, kind: str) -> list[str]:
        outcome = self.ok(self.alice, "complete", kind, secret=None)
        self.assertEqual(outcome.talk, "")
        return outcome.output.split("\n")[:-1]

    def shell(self, *command: str, given: str = "") -> list[str]:
        environment = self.alice.environment(PATH=self.alice.path("bin") + ":/usr/bin:/bin")
        done = subprocess.run(command, env=environment, input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, cwd=self.alice.path("files"), timeout=ag.DEADLINE)
        self.assertEqual(done.returncode, 0, done)
        return [line for line in done.stdout.split("\n") if line]

    def script(self, shell: str) -> str:
        return self.ok(self.alice, "completion", shell, secret=None).output

    def bash(self, line: str) -> list[str]:
        words = self.shell("bash", "--norc", "-c", BASH.format(script=self.script("bash"), line=shlex.quote(line)))
        return [word for word in words if not word.startswith("-")]

    def fish(self, line: str) -> list[str]:
        words = self.shell("fish", "--no-config", "-c", self.script("fish") + f"\ncomplete -C {shlex.quote(line)}")
        return [word.split("\t")[0] for word in words]

    def test_names_come_from_an_open_agent_and_from_nowhere_else(self):
        for kind in KINDS:
            self.assertEqual(self.names(kind), [], "no agent")
        agent = ag.Hsip(self.alice, secret=None)
        for kind in KINDS:
            self.assertEqual(self.names(kind), [], "a locked agent")
        self.assertTrue(agent.status()["isLocked"], "it was not unlocked by that")
        agent.unlock()
        self.ok(self.alice, "ssh", "key", "generate", "work", secret=None)
        agent.agreed("ssh", "host", "add", "db1", "--address", "db1.example.org", "--user", "deploy", "--key", "work", secret=None)
        self.assertEqual(self.names("contacts"), ["bob"])
        self.assertEqual(self.names("keys"), ["work"])
        self.assertEqual(self.names("hosts"), ["db1"])
        self.assertEqual(self.names("secrets"), [])
        agent.lock()
        self.assertEqual(self.names("contacts"), [])

    def test_a_name_that_a_shell_would_run_is_never_offered(self):
        agent = ag.Hsip(self.alice)
        agent.askpass.says_always_yes()
        for bad in ("$(touch ran)", "`touch ran`", "a;touch ran", "x'y", 'x"y', "a:b", "*", "~root", "=ls", "a\\b",
                    "${HOME}", "<(touch ran)"):
            with self.subTest(name=bad):
                before = self.alice.run("contact", "list", "--json", secret=None).result["contacts"][0]["contact"]
                outcome = self.alice.run("contact", "set", before, "--alias", bad, secret=None)
                self.assertEqual(self.names("contacts"), [] if outcome.code == 0 else [before])
                self.bash("hsip contact show ")
                self.assertNotIn("ran", os.listdir(self.alice.path("files")))
        del agent

    def test_no_shell_waits_for_an_agent_that_does_not_answer(self):
        agent = ag.Hsip(self.alice)
        agent.process.send_signal(ag.signal.SIGSTOP)
        try:
            self.assertEqual(self.names("contacts"), [])
        finally:
            agent.process.send_signal(ag.signal.SIGCONT)

    def test_names_with_blanks_and_umlauts_and_files_are_offered(self):
        agent = ag.Hsip(self.alice)
        for name in ("b\u00fcro/t\u00fcr", "two words", "db/prod"):
            self.ok(self.alice, "secret", "set", name, given="v", secret=None)
        self.assertEqual(sorted(self.names("secrets")), ["b\u00fcro/t\u00fcr", "db/prod", "two words"])
        self.assertEqual(self.bash("hsip secret get b"), ["b\u00fcro/t\u00fcr"])
        self.assertEqual(self.bash("hsip secret get tw"), ["two words"])
        self.assertEqual(self.bash("hsip secret get db/p"), ["db/prod"])
        self.alice.write("files/offer.txt", "x")
        self.assertEqual(self.bash("hsip accept of"), ["offer.txt"])
        self.assertEqual(self.bash("hsip pair -o of"), ["offer.txt"])
        self.assertEqual(sorted(self.bash("hsip secret list --type ")), ["file", "login", "note", "token"])
        del agent

    def test_bash(self):
        self.assertIn("session", self.bash("hsip se"))
        self.assertEqual(self.bash("hsip encrypt "), [])
        agent = ag.Hsip(self.alice)
        self.assertEqual(self.bash("hsip encrypt b"), ["bob"])
        self.assertEqual(self.bash("hsip contact show "), ["bob"])
        del agent

    @unittest.skipUnless(shutil.which("fish"), "fish is missing")
    def test_fish(self):
        self.assertIn("session", self.fish("hsip se"))
        agent = ag.Hsip(self.alice)
        self.assertIn("bob", self.fish("hsip encrypt b"))
        self.assertIn("bob", self.fish("hsip contact show "))
        del agent

    @unittest.skipUnless(shutil.which("zsh"), "zsh is missing")
    def test_zsh(self):
        import pexpect
        self.alice.write("bin/_hsip", self.script("zsh"))
        agent = ag.Hsip(self.alice)
        environment = self.alice.environment(PATH=self.alice.path("bin") + ":/usr/bin:/bin", TERM="dumb", PS1="ready> ")
        shell = pexpect.spawn("zsh", ["-f"], env=environment, encoding="utf-8", timeout=ag.DEADLINE, dimensions=(24, 200))
        try:
            shell.sendline("unset zle_bracketed_paste; PS1='' ; fpath=(%s $fpath); autoload -Uz compinit; "
                           "compinit -u -d $HOME/dump; echo loa''ded" % self.alice.path("bin"))
            shell.expect("loaded")
            shell.send("echo hsip; hsip contact show b\t")
            shell.expect("show bob")
        finally:
            shell.close(force=True)
        del agent


if __name__ == "__main__":
    unittest.main()
