"""Who connects as one program and is another one when the agent looks: it counts as neither."""

import base64
import json
import os
import subprocess
import sys
import unittest

import agent_wire as aw
import agents as ag
import ssh_keys as sk
from house import BINARY, FRIENDS, Case

HERE = os.path.dirname(os.path.abspath(__file__))

ATTACK = """
import json, os, signal, sys, time
sys.path.insert(0, HERE)
import agent_wire as aw
import control_wire as cw

def dressed(pid):
    # Until the process runs the program; one that hides already has become it.
    while True:
        try:
            if os.path.samefile(f"/proc/{pid}/exe", PROGRAM):
                break
        except PermissionError:
            break
    os.kill(pid, signal.SIGSTOP)

def become():
    os.execve(PROGRAM, WORDS, dict(os.environ))

def leave(connection, speak):
    # The child has the socket and speaks; this process becomes another program.
    mine = os.getpid()
    if os.fork():
        become()
    dressed(mine)
    said = speak(connection)
    print(json.dumps(said), flush=True)
    os.kill(mine, signal.SIGKILL)

def lives_on(connection, speak):
    # The child only listens: all was sent before this process became another program.
    mine, (end, start) = os.getpid(), os.pipe()
    if not os.fork():
        os.read(end, 1)
        dressed(mine)
        print(json.dumps(speak(connection)), flush=True)
        os.kill(mine, signal.SIGKILL)
        os._exit(0)
    os.write(start, b"x")
    become()
"""

CONTROL = """
connection = cw.Connection(SOCKET, greets=False)
call = {"call": {"operation": "identity.revocation"}}

def reply(connection):
    while True:
        found = connection.receive()
        if found is None:
            return None
        kind, number, body = found
        if number == 1 and kind in (cw.REPLY, cw.ERROR, cw.QUESTION):
            return [kind, body]

def speak(connection):
    connection.raw(cw.hello(asks="terminal"))
    connection.receive()
    connection.raw(cw.frame(cw.DATA, 1, b"\\x80") + cw.frame(cw.REQUEST, 1, call))
    return reply(connection)
"""

SSH = """
connection = aw.Connection(SOCKET)
key, session, host = bytes.fromhex(BLOB), os.urandom(32), aw.Key()
said = [aw.bind(host, session), aw.sign(key, aw.login(session, b"root", key, host.blob))]

def speak(connection):
    return [connection.ask(body)[0] for body in said]
"""


class Peers(Case):
    world = FRIENDS

    def setUp(self):
        if ag.missing():
            self.skipTest(ag.missing())
        super().setUp()
        self.path = sk.make(self.alice.path("files", "work"), "ed25519", "", "work")
        self.ok(self.alice, "ssh", "key", "import", self.path)
        self.agent = ag.Hsip(self.alice)
        self.alice.opens_with = None
        self.blob = base64.b64decode(sk.beside(self.path).split()[1])

    def attacks(self, *parts: str, socket: str, **more: str) -> list:
        """Plays it, says no to the question that it causes, and gives what the socket answered and what was asked."""
        names = {"HERE": HERE, "SOCKET": socket, "PROGRAM": os.path.realpath(BINARY),
                 "WORDS": ["hsip", "decrypt"], **more}
        script = "\n".join([f"{name} = {value!r}" for name, value in names.items()] + list(parts))
        attacker = subprocess.Popen([sys.executable, "-B", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    env=self.alice.environment())
        try:
            asked = self.agent.askpass.asked()
            self.agent.askpass.says("no")
            ag.wait_for(attacker.stdout.fileno(), "an answer to the attacker")
            return [json.loads(attacker.stdout.readline()), asked]
        finally:
            attacker.kill()
            attacker.wait()
            attacker.stdin.close()
            attacker.stdout.close()

    def is_unknown(self, asked: str, act: str):
        self.assertIn("unknown", asked.lower())
        log = self.ok(self.alice, "audit", "list", "--refused", "--json").json
        self.assertIn(act, json.dumps(log))
        self.assertIn("unknownProgram:promptDismissed", json.dumps(log))

    def test_a_child_that_keeps_the_control_socket_is_not_hsip(self):
        (kind, body), asked = self.attacks(ATTACK, CONTROL, "leave(connection, speak)", socket=self.agent.control)
        self.assertEqual((kind, body["error"]["name"]), (3, "promptDismissed"))
        self.is_unknown(asked, "identity.revocation")

    def test_a_call_that_was_sent_before_is_not_that_of_hsip(self):
        early = ('connection.raw(cw.hello(asks="terminal") + cw.frame(cw.DATA, 1, b"\\x80")'
                 ' + cw.frame(cw.REQUEST, 1, call))')
        (kind, body), asked = self.attacks(ATTACK, CONTROL, early, "lives_on(connection, reply)", socket=self.agent.control)
        self.assertEqual((kind, body["error"]["name"]), (3, "promptDismissed"))
        self.is_unknown(asked, "identity.revocation")

    def test_a_child_that_keeps_the_ssh_socket_is_nobody(self):
        said, asked = self.attacks(ATTACK, SSH, "leave(connection, speak)", socket=self.agent.socket, BLOB=self.blob.hex())
        self.assertEqual(said, [aw.SUCCESS, aw.FAILURE])
        self.is_unknown(asked, "login")

    def test_a_login_that_was_sent_before_is_nobodys(self):
        early = "connection.raw(b''.join(aw.string(body) for body in said))"
        said, asked = self.attacks(ATTACK, SSH, early, "lives_on(connection, lambda c: [c.receive()[0] for _ in said])",
                                   socket=self.agent.socket, BLOB=self.blob.hex())
        self.assertEqual(said, [aw.SUCCESS, aw.FAILURE])
        self.is_unknown(asked, "login")

    def test_a_program_that_speaks_for_itself_is_known(self):
        key, session, host = self.blob, os.urandom(32), aw.Key()
        line = b"h1 ssh-ed25519 %s\n" % base64.b64encode(host.blob)
        self.ok(self.alice, "--no-agent", "ssh", "host", "import", "-", given=line, secret="recovery")
        with aw.Connection(self.agent.socket) as connection:
            self.assertEqual(connection.ask(aw.bind(host, session))[0], aw.SUCCESS)
            self.assertEqual(connection.ask(aw.sign(key, aw.login(session, b"root", key, host.blob)))[0], aw.SIGNATURE)
        self.assertFalse(self.agent.askpass.was_asked())

    def test_over_another_machine_nothing_is_locked_or_taken_away(self):
        with aw.Connection(self.agent.socket) as passed:
            self.assertEqual(passed.ask(aw.bind(aw.Key(), os.urandom(32), is_forwarded=True))[0], aw.SUCCESS)
            for body in (aw.lock(b"word"), aw.unlock(b"word"), aw.remove(self.blob), aw.REMOVE_ALL):
                self.assertEqual(passed.ask(body), bytes([aw.FAILURE]))
        with aw.Connection(self.agent.socket) as here:
            self.assertEqual([blob for blob, _ in aw.listed(here.ask(aw.LIST))], [self.blob])
            self.assertEqual(here.ask(aw.lock(b"word")), bytes([aw.SUCCESS]))
        with aw.Connection(self.agent.socket) as passed:
            self.assertEqual(passed.ask(aw.bind(aw.Key(), os.urandom(32), is_forwarded=True))[0], aw.SUCCESS)
            self.assertEqual(passed.ask(aw.unlock(b"word")), bytes([aw.FAILURE]))

    def test_a_lent_copy_keeps_the_conditions_of_the_vault(self):
        self.agent.agreed("ssh", "key", "set", "work", "--confirm")
        self.assertEqual(self.agent.add("-q", self.path).returncode, 0, self.agent.log)
        self.agent.askpass.says("no")
        self.assertNotEqual(self.agent.tool("ssh-add", "-T", self.path + ".pub").returncode, 0)
        data = self.alice.write("files/data", "text")
        self.agent.askpass.says("no")
        words = ("ssh-keygen", "-q", "-Y", "sign", "-n", "git", "-f", self.path + ".pub", data)
        self.assertNotEqual(self.agent.tool(*words).returncode, 0)
        for _ in range(2):
            self.assertIn("work", self.agent.askpass.asked())

    @unittest.skipUnless(os.geteuid() == 0, "only root can be two users")
    def test_a_server_of_another_user_hears_nothing(self):
        self.agent.stop()
        folder = self.alice.path("files", "other")
        os.mkdir(folder, 0o777)
        os.chmod(folder, 0o777)
        there = os.path.join(folder, "control.sock")
        script = ("import os, socket, sys; os.setuid(65534); s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]);"
                  "os.chmod(sys.argv[1], 0o777); s.listen(); print('ready', flush=True)\n"
                  "while True: print(len(s.accept()[0].recv(1000)), flush=True)")
        # From the folder itself: what lies above it is not for that user.
        other = subprocess.Popen([sys.executable, "-B", "-c", script, "control.sock"], stdout=subprocess.PIPE, cwd=folder)
        try:
            self.assertEqual(other.stdout.readline(), b"ready\n")
            os.rename(there, self.agent.control)
            self.refused("foreignAgent", self.alice, "agent", "status")
            self.assertEqual(other.stdout.readline(), b"0\n")
        finally:
            other.kill()
            other.wait()
            other.stdout.close()


if __name__ == "__main__":
    unittest.main()
