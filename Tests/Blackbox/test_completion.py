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
        for name in ("hsip", "git-credential-hsip"):
            os.symlink(BINARY, self.alice.path("bin", name))

    def names(self, kind: str, *line: str) -> list[str]:
        outcome = self.ok(self.alice, "complete", kind, *line, secret=None)
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

    def typed(self, shell: str, line: str, result: str):
        """Types a line and Tab at a shell that loaded the script, and sees what the line becomes."""
        import pexpect
        environment = self.alice.environment(PATH=self.alice.path("bin") + ":/usr/bin:/bin", TERM="dumb", PS1="ready> ",
                                             HISTFILE="/dev/null")
        if shell == "bash":
            load = ". " + self.alice.write("files/script", self.script("bash"))
            words = ["bash", "--norc", "--noprofile", "-i"]
        else:
            self.alice.write("bin/_hsip", self.script("zsh"))
            load = "unset zle_bracketed_paste; fpath=(%s $fpath); autoload -Uz compinit; compinit -u -d $HOME/dump" % (
                self.alice.path("bin"))
            words = ["zsh", "-f"]
        child = pexpect.spawn(words[0], words[1:], env=environment, encoding="utf-8", timeout=ag.DEADLINE,
                              dimensions=(24, 200), cwd=self.alice.path("files"))
        try:
            child.sendline(f"PS1=''; {load}; echo loa''ded")
            child.expect("loaded")
            child.send(line + "\t")
            child.expect_exact(result)
        finally:
            child.close(force=True)

    def fish(self, line: str) -> list[str]:
        # The script is longer than one argument of a program may be.
        script = self.alice.write("completion.fish", self.script("fish"))
        words = self.shell("fish", "--no-config", "-c", f"source {shlex.quote(script)}; complete -C {shlex.quote(line)}")
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
        self.assertEqual(sorted(self.bash("hsip vault rekey --drop ")), ["fido2", "keyring", "passphrase", "recovery", "tpm2"])
        del agent

    def with_secrets(self) -> ag.Hsip:
        agent = ag.Hsip(self.alice)
        for name in ("db/prod", "b\u00fcro t\u00fcr"):
            self.ok(self.alice, "secret", "set", name, "--user", "me", given="v", secret=None)
        return agent

    def test_fields_and_references_go_on_from_what_stands_on_the_line(self):
        agent = self.with_secrets()
        for line, end, names in (
                ("hsip secret get db/prod --field ", "", ["password", "user"]),
                ("hsip secret get 'b\u00fcro t\u00fcr' --field u", "u", ["user"]),
                ("hsip secret get b\u00fcro\\ t\u00fcr --field=u", "u", ["user"]),
                ("hsip secret get nothing --field ", "", [])):
            self.assertEqual(sorted(self.names("fields", "--", line, end)), names, line)
        for line, end, names in (
                ("hsip text encrypt --key ", "", ["vault:b\u00fcro%20t\u00fcr", "vault:db/prod"]),
                ("hsip text encrypt --key vault:d", "vault:d", ["vault:db/prod"]),
                ("hsip text encrypt --key vault:d", "d", ["db/prod"]),
                ("hsip run --fd KEY=vault:db/prod#u", "db/prod#u", ["db/prod#user"]),
                ("hsip run --fd KEY=vault:db/prod#u", "KEY=vault:db/prod#u", ["KEY=vault:db/prod#user"])):
            self.assertEqual(sorted(self.names("references", "--", line, end)), names, line)
        self.assertEqual(self.names("secrets", "--", "hsip secret get vault:db/prod#p", "db/prod#p"), ["db/prod#password"])
        self.assertEqual(self.names("secrets", "--", "hsip secret get b\u00fcro\\ t", "b\u00fcro\\ t"), ["b\u00fcro t\u00fcr"])
        del agent

    def test_bash_completes_fields_references_blanks_paths_and_programs(self):
        agent = self.with_secrets()
        os.makedirs(self.alice.path("files", "a folder"))
        self.alice.write("files/a folder/offer.txt", "x")
        for line, result in (
                ("hsip secret get db/prod --field u", "--field user "),
                ("hsip secret get db/prod --field=u", "--field=user "),
                ("hsip text encrypt --key vault:db/prod#us", "--key vault:db/prod#user "),
                ("hsip run --fd KEY=vault:db/p", "--fd KEY=vault:db/prod "),
                ("hsip secret get vault:db/prod#p", "vault:db/prod#password "),
                ("hsip secret get b\u00fcr", "b\u00fcro\\ t\u00fcr "),
                ("hsip secret get b\u00fcro\\ t", "b\u00fcro\\ t\u00fcr "),
                ("hsip accept a\\ folder/of", "a\\ folder/offer.txt "),
                (f"hsip accept {self.alice.path('files')}/a\\ folder/of", "/a\\ folder/offer.txt "),
                ("hsip accept ~/files/a\\ folder/of", "~/files/a\\ folder/offer.txt "),
                ("hsip run -- git-credential-hs", "git-credential-hsip "),
                ("hsip run cat a\\ folder/of", "cat a\\ folder/offer.txt ")):
            with self.subTest(line=line):
                self.typed("bash", line, result)
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
        agent = self.with_secrets()
        self.assertIn("bob", self.fish("hsip encrypt b"))
        self.assertIn("bob", self.fish("hsip contact show "))
        self.assertEqual(sorted(self.fish("hsip secret get db/prod --field ")), ["password", "user"])
        self.assertEqual(self.fish("hsip secret get vault:db/prod#p"), ["vault:db/prod#password"])
        self.assertIn("b\u00fcro t\u00fcr", self.fish("hsip secret get b"))
        self.assertIn("git-credential-hsip", self.fish("hsip run -- git-credential-hs"))
        del agent

    @unittest.skipUnless(shutil.which("zsh"), "zsh is missing")
    def test_zsh(self):
        agent = self.with_secrets()
        for line, result in (
                ("hsip contact show b", "show bob"),
                ("hsip secret get db/prod --field u", "--field user"),
                ("hsip secret get vault:db/prod#p", "\\#password"),
                ("hsip secret get b\u00fcr", "b\u00fcro\\ t\u00fcr"),
                ("hsip run git-credential-hs", "git-credential-hsip"),
                ("hsip run -- git-credential-hs", "git-credential-hsip")):
            with self.subTest(line=line):
                self.typed("zsh", line, result)
        del agent


if __name__ == "__main__":
    unittest.main()
