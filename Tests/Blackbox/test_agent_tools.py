"""OpenSSH's own tools over the agent: ssh-add in all its words, ssh-keygen -Y, git."""

import os
import subprocess

import agent_wire as aw
import agents as ag
import ssh_keys as sk
from agent_case import both
from house import ROOT, Case

KINDS = ("ed25519", "ecdsa256", "ecdsa384", "ecdsa521", "rsa2048", "rsa3072")


class Adding:
    """Keys that ssh-add brings, for as long as the agent is open."""

    def test_list_and_their_end(self):
        self.assertEqual(self.tool("ssh-add", "-l", code=1), "The agent has no identities.\n")
        self.assertEqual(self.tool("ssh-add", "-L", code=1), "The agent has no identities.\n")
        paths = [self.make(kind, kind) for kind in KINDS]
        for path in paths:
            self.adds(path)
        self.assertEqual(self.agent.keys(), [sk.beside(path) for path in paths])
        lines = self.tool("ssh-add", "-l").splitlines()
        self.assertEqual([line.split()[1:3] for line in lines], [[sk.fingerprint(path), os.path.basename(path)] for path in paths])
        self.tool("ssh-add", "-q", "-d", paths[1])
        self.assertEqual(self.agent.keys(), [sk.beside(path) for path in paths if path != paths[1]])
        self.tool("ssh-add", "-d", paths[1], code=1)
        self.tool("ssh-add", "-D")
        self.assertEqual(self.agent.keys(), [])

    def test_every_kind_signs(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                path = self.make(kind, kind)
                self.adds(path)
                self.askpass.says("yes")  # raw data is asked about by an agent that tells it from a login
                self.tool("ssh-add", "-T", path + ".pub")
        self.assertEqual(len(self.agent.keys()), len(KINDS))

    def test_the_same_key_again_is_one_key(self):
        path = self.make("twice")
        self.adds(path)
        self.adds("-t", "1000", path)
        self.assertEqual(self.agent.keys(), [sk.beside(path)])

    def test_a_certificate_lies_beside_its_key(self):
        authority, path = self.make("ca"), self.make("mine")
        sk.tool("ssh-keygen", "-q", "-s", authority, "-I", "me", "-n", "deploy", path + ".pub")
        self.adds(path)
        kinds = [line.split()[0] for line in self.agent.keys()]
        self.assertEqual(sorted(kinds), ["ssh-ed25519", "ssh-ed25519-cert-v01@openssh.com"])
        self.askpass.says("yes")
        self.tool("ssh-add", "-T", path + "-cert.pub")

    def test_locked_with_a_passphrase(self):
        path = self.make("kept")
        self.adds(path)
        self.askpass.says("open sesame")
        self.askpass.says("open sesame")
        asks = self.askpass.environment()
        self.tool("ssh-add", "-x", **asks)
        self.tool("ssh-add", "-l", code=1)
        self.tool("ssh-add", "-T", path + ".pub", code=1)
        self.askpass.says("open barley")
        self.tool("ssh-add", "-X", code=1, **asks)
        self.askpass.says("open sesame")
        self.tool("ssh-add", "-X", **asks)
        self.assertEqual(self.agent.keys(), [sk.beside(path)])

    def test_a_key_that_has_to_be_confirmed(self):
        path = self.make("careful")
        self.adds("-c", path)
        data, message = self.file("data"), "the text"
        with open(data, "w", encoding="ascii") as file:
            file.write(message)
        self.askpass.says("no")
        self.tool("ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", path + ".pub", data, code=255)
        self.askpass.says("yes")
        self.tool("ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", path + ".pub", data)
        for _ in range(2):
            question = self.askpass.asked()
            self.assertTrue(question.startswith("confirm: "), question)
            self.assertIn("careful", question)

    def test_a_key_for_one_host_signs_nothing_else(self):
        path, host = self.make("narrow"), aw.Key()
        known = self.file("known_hosts")
        with open(known, "w", encoding="ascii") as file:
            file.write("db1.example.org ssh-ed25519 " + sk.base64.b64encode(host.blob).decode() + "\n")
        self.adds("-h", "db1.example.org", "-H", known, path)
        blob = sk.base64.b64decode(sk.beside(path).split()[1])
        with aw.Connection(self.agent.socket) as stranger:
            self.assertEqual(stranger.ask(aw.sign(blob, b"anything")), bytes([aw.FAILURE]))
        with aw.Connection(self.agent.socket) as other:
            session = os.urandom(32)
            self.assertEqual(other.ask(aw.bind(aw.Key(), session)), bytes([aw.SUCCESS]))
            self.assertEqual(aw.listed(other.ask(aw.LIST)), [])
            self.assertEqual(other.ask(aw.sign(blob, aw.login(session, b"root", blob, host.blob))), bytes([aw.FAILURE]))
        self.askpass.says("yes")  # our agent asks about a login to a host that the vault does not know
        with aw.Connection(self.agent.socket) as right:
            self.assertEqual(right.ask(aw.bind(host, session)), bytes([aw.SUCCESS]))
            self.assertEqual(aw.listed(right.ask(aw.LIST)), [(blob, b"narrow")])
            self.assertEqual(right.ask(aw.sign(blob, aw.login(session, b"root", blob, host.blob)))[0], aw.SIGNATURE)
            self.assertEqual(right.ask(aw.sign(blob, b"anything")), bytes([aw.FAILURE]))


class Signing:
    """Texts and commits."""

    def test_a_file(self):
        path, data = self.make("signer"), self.file("data")
        self.adds(path)
        os.remove(path)
        with open(data, "w", encoding="ascii") as file:
            file.write("the text\n")
        self.tool("ssh-keygen", "-q", "-Y", "sign", "-n", "file", "-f", path + ".pub", data)
        signers = self.file("signers")
        with open(signers, "w", encoding="ascii") as file:
            file.write(f"alice@example.org {sk.beside(path)}\n")
        said = self.tool("ssh-keygen", "-Y", "verify", "-f", signers, "-I", "alice@example.org", "-n", "file", "-s",
                         data + ".sig", given=b"the text\n")
        self.assertIn('Good "file" signature', said)

    def test_a_commit(self):
        path = self.make("signer")
        self.adds(path)
        os.remove(path)
        place, signers = self.file("repository"), self.file("signers")
        with open(signers, "w", encoding="ascii") as file:
            file.write(f"alice@example.org {sk.beside(path)}\n")
        settings = {"user.name": "Alice", "user.email": "alice@example.org", "gpg.format": "ssh",
                    "gpg.ssh.allowedSignersFile": signers, "user.signingKey": path + ".pub", "commit.gpgSign": "true"}
        self.tool("git", "init", "-q", place)
        for name, value in settings.items():
            self.tool("git", "-C", place, "config", name, value)
        self.tool("git", "-C", place, "commit", "-q", "--allow-empty", "-m", "first")
        self.assertIn('Good "git" signature', self.tool("git", "-C", place, "log", "-1", "--format=%GG"))


globals().update(both(Adding, Signing))
del Adding, Signing


class Regress(Case):
    """Scripts/openssh-regress, which OpenSSH's own tests start in the place of ssh-agent."""

    def test_it_takes_the_words_that_their_tests_give(self):
        if ag.missing():
            self.skipTest(ag.missing())
        script = os.path.join(ROOT, "Scripts", "openssh-regress")
        for words in (("-P/*",), ("-P", "/*"), ("-Osk-api-version", "-Esha256"), ("-s", "-O", "no-restrict-websafe")):
            with self.subTest(words=words):
                done = subprocess.run([script, *words, "ssh-add", "-l"], capture_output=True, timeout=300, text=True,
                                      env=os.environ | {"TMPDIR": self.alice.home})
                self.assertEqual((done.returncode, done.stdout), (1, "The agent has no identities.\n"), done.stderr)
