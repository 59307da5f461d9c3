"""Connections with the ssh of this machine to real hosts, whose keys the vault judges."""

import os
import pwd
import re
import subprocess
import unittest

import ssh_keys as sk
import sshd
from house import Outcome
from screen import CONTROL_C, Screen
from ssh_connect import ConnectCase

QUESTION = r"Trust it from now on\? \[y/N\] "


def setUpModule():
    if sshd.missing():
        raise unittest.SkipTest(sshd.missing())


class First(ConnectCase):
    """A host that is new."""

    def test_it_is_asked_about_once_and_then_known(self):
        server = self.server()
        before = self.alice.rows()
        screen = self.at_a_terminal(server)
        screen.sees(QUESTION)
        self.assertIn(f"The host {server.name} is not known yet", screen.text)
        self.assertIn(f"ED25519 {server.fingerprint()}", screen.text)
        picture = sk.tool("ssh-keygen", "-lv", "-f", server.keys[0] + ".pub") if os.path.exists(
            server.keys[0] + ".pub") else self.picture(server)
        for line in picture.decode().splitlines()[1:]:
            self.assertIn(line, screen.plain)
        # Asked before anything is stored, and before any login.
        self.assertEqual(self.alice.rows(), before)
        self.assertEqual(server.logins, 0)
        screen.enters("y")
        screen.sees("hello\r\n")
        self.assertEqual(screen.ends(), 0, screen.text)
        self.assertNotEqual(self.alice.rows(), before)
        self.is_let_in(server)

    def picture(self, server: sshd.Server) -> bytes:
        path = self.alice.write("files/ssh/picture.pub", server.public() + "\n")
        return sk.tool("ssh-keygen", "-lv", "-f", path)

    def test_no_and_enter_and_an_interrupt_are_no(self):
        server = self.server()
        before = self.alice.rows()
        for answer in ("n\r", "\r", CONTROL_C):
            with self.subTest(answer=answer):
                screen = self.at_a_terminal(server)
                screen.sees(QUESTION)
                screen.types(answer)
                self.assertEqual(screen.ends(), 255, screen.text)
                self.assertEqual(server.logins, 0)
                self.assertEqual(self.alice.rows(), before)

    def test_without_a_terminal_it_is_refused_before_any_login(self):
        server = self.server()
        before = self.alice.rows()
        outcome = self.is_stopped(server)
        self.assertIn(f"the host {server.name} is not known, and hsip cannot ask", outcome.talk)
        self.assertIn(server.fingerprint(), outcome.talk)
        self.assertIn("hsip: hint: hsip ssh host trust", outcome.talk)
        self.assertEqual(self.alice.rows(), before)

    def test_at_a_terminal_that_may_not_ask_it_is_refused(self):
        server = self.server()
        screen = self.at_a_terminal(server, HSIP_NO_INPUT="1")
        self.assertEqual(screen.ends(), 255, screen.text)
        self.assertIn("hsip cannot ask", screen.text)
        self.assertEqual(server.logins, 0)

    def test_no_option_answers_for_the_person(self):
        server = self.server()
        outcome = self.asks("HOSTNAME", server.name, server.public(), "-y", port=server.port)
        self.assertEqual((outcome.code, outcome.output), (7, ""), outcome)
        self.refused("trustRequired", self.alice, "ssh", "known-hosts", "--for", "HOSTNAME", "--host", server.name,
                     "--port", "22", "--alias", "x", "--type", "ssh-ed25519", "--key", server.public().split()[1], "-y")

    def test_two_connections_at_once_ask_both_and_store_one(self):
        server = self.server()
        one, two = self.at_a_terminal(server), self.at_a_terminal(server)
        for screen in (one, two):
            screen.sees(QUESTION)
        for screen in (one, two):
            screen.enters("y")
        for screen in (one, two):
            screen.sees("hello\r\n")
            self.assertEqual(screen.ends(), 0, screen.text)
        lines = self.ok(self.alice, "ssh", "host", "export").output.splitlines()
        self.assertEqual(lines, [f"{server.name} {server.public()}"])

    def test_two_connections_at_once_with_two_keys_trust_one(self):
        """Who answered first has it; the other is not asked again, but stopped."""
        real = self.server()
        false = self.server(keys=[self.host_key()])
        options = ("-o", "HostKeyAlias=db1")
        one, two = self.at_a_terminal(real, *options), self.at_a_terminal(false, *options)
        for screen in (one, two):
            screen.sees(QUESTION)
        one.enters("y")
        one.sees("hello\r\n")
        self.assertEqual(one.ends(), 0)
        two.enters("y")
        self.assertEqual(two.ends(), 255, two.text)
        self.assertIn("the host key of db1 CHANGED", two.text)
        self.assertEqual(false.logins, 0)

    def test_where_the_key_is_known_already_that_is_said(self):
        server = self.server()
        self.imports(f"old.example.org {server.public()}")
        screen = self.at_a_terminal(server)
        screen.sees(QUESTION)
        self.assertIn("These hosts have the same key: old.example.org.", screen.text)
        screen.enters("n")
        self.assertEqual(screen.ends(), 255)


    def test_another_key_without_the_port_is_told(self):
        other = self.host_key()
        self.imports(f"127.0.0.1 {sk.beside(other)}")
        server = self.server()
        screen = self.at_a_terminal(server)
        screen.sees(QUESTION)
        self.assertIn(f"Without the port, 127.0.0.1 has another key: ED25519 {sk.fingerprint(other)}",
                      " ".join(screen.plain.split()))
        screen.enters("n")
        self.assertEqual(screen.ends(), 255)

    def test_a_host_behind_another_one(self):
        """Both are asked about, one after the other, and each by its own name."""
        jump, server = self.server(), self.server()
        # The ssh in between gets nothing of the words, only the settings.
        self.settings("Host *", f"    IdentityFile {self.key}")
        words = self.words(server, "-J", f"{jump.user}@{jump.name}")
        screen = Screen(self, self.alice, shell="exec " + " ".join(f"'{word}'" for word in words), **self.opening())
        for one in (jump, server):
            screen.sees(QUESTION)
            self.assertIn(f"The host {one.name} is not known yet", screen.text)
            self.assertIn(one.fingerprint(), screen.text)
            screen.enters("y")
        screen.sees("hello\r\n")
        self.assertEqual(screen.ends(), 0, screen.text)


class Changed(ConnectCase):
    """A host with another key than the trusted one."""

    def test_it_is_refused_with_both_fingerprints(self):
        server = self.server()
        self.is_trusted(server)
        old = server.fingerprint()
        before = self.alice.rows()
        server.offer(self.host_key())
        outcome = self.is_stopped(server)
        self.assertIn(f"hsip: error: the host key of {server.name} CHANGED; stopped before any login", outcome.talk)
        self.assertRegex(outcome.talk, rf"trusted    ED25519 {re.escape(old)}   since .*, seen today\n")
        self.assertRegex(outcome.talk, rf"offered    ED25519 {re.escape(server.fingerprint())}   now\n")
        self.assertIn("ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub\n", outcome.talk)
        self.assertIn("hint: hsip ssh host replace-key", outcome.talk)
        # Nothing that could be pasted blindly to make it go away.
        self.assertNotIn("-R", outcome.talk)
        self.assertEqual(self.alice.rows(), before)

    def test_at_a_terminal_nobody_is_asked(self):
        server = self.server()
        self.is_trusted(server)
        server.offer(self.host_key())
        server.forget()
        screen = self.at_a_terminal(server)
        self.assertEqual(screen.ends(), 255, screen.text)
        self.assertIn("CHANGED", screen.text)
        self.assertNotIn("[y/N]", screen.text)
        self.assertEqual(server.logins, 0)

    def test_a_key_of_another_type_is_another_key(self):
        server = self.server()
        self.is_trusted(server)
        server.offer(self.host_key("ecdsa384"))
        outcome = self.is_stopped(server)
        self.assertIn("CHANGED", outcome.talk)
        self.assertIn("offered    ECDSA ", outcome.talk)
        self.assertIn("another type", outcome.talk)
        self.assertIn("ssh_host_ecdsa_key.pub", outcome.talk)

    def test_for_scripts(self):
        one, two = (sk.beside(self.host_key()) for _ in range(2))
        self.imports(f"db1 {one}")
        outcome = self.refused("hostKeyChanged", self.alice, "ssh", "known-hosts", "--for", "HOSTNAME", "--host", "db1",
                               "--port", "22", "--alias", "db1", "--type", "ssh-ed25519", "--key", two.split()[1])
        details = outcome.json["error"]["details"]
        self.assertEqual((details["lookupName"], details["verdict"]), ("db1", "changed"))
        fingerprints = [key["fingerprint"] for key in details["keys"] + details["known"]]
        self.assertEqual(len(set(fingerprints)), 2)

    def test_once_replaced_it_is_let_in_again(self):
        server = self.server()
        self.is_trusted(server, "-o", "HostKeyAlias=db1")
        server.offer(self.host_key())
        key = self.alice.write("files/ssh/new.pub", server.public() + "\n")
        self.is_stopped(server, "-o", "HostKeyAlias=db1")
        self.ok(self.alice, "ssh", "host", "replace-key", "db1", "--key", key, "--expect", server.fingerprint())
        self.is_let_in(server, "-o", "HostKeyAlias=db1")


class Revoked(ConnectCase):
    def test_ssh_says_itself_that_the_key_is_revoked(self):
        server = self.server()
        for line in (f"@revoked {server.name} {server.public()}", f"@revoked * {server.public()}"):
            with self.subTest(line=line[:20]):
                self.imports(line)
                outcome = self.is_stopped(server)
                self.assertIn("REVOKED HOST KEY DETECTED", outcome.talk)
                asked = self.asks("HOSTNAME", server.name, server.public())
                self.assertEqual((asked.code, asked.output), (0, f"@revoked {server.name} {server.public()}\n"))

    def test_the_screen_of_a_changed_key_says_which_one_is_revoked(self):
        server = self.server()
        self.is_trusted(server)
        old = server.fingerprint()
        self.imports(f"@revoked {server.name} {server.public()}")
        server.offer(self.host_key())
        talk = self.is_stopped(server).talk
        self.assertIn("CHANGED", talk)
        self.assertIn(f"revoked    ED25519 {old} ", talk)
        self.assertNotIn("trusted  ", talk)

    def test_a_revocation_beats_trust(self):
        server = self.server()
        self.is_trusted(server)
        self.imports(f"@revoked {server.name} {server.public()}")
        self.assertIn("REVOKED HOST KEY DETECTED", self.is_stopped(server).talk)


class Names(ConnectCase):
    """The names that ssh looks up."""

    def test_another_port_is_another_host(self):
        one, two = self.server(), self.server()
        self.is_trusted(one)
        self.is_let_in(one)
        self.assertIn("is not known", self.is_stopped(two).talk)

    def test_what_is_known_without_a_port_is_known_with_one(self):
        server = self.server()
        self.imports(f"127.0.0.1 {server.public()}")
        self.is_let_in(server)

    def test_an_alias_stands_for_every_address(self):
        server = self.server()
        self.is_trusted(server, "-o", "HostKeyAlias=db1")
        self.is_let_in(server, "-o", "HostKeyAlias=DB1")
        self.assertIn("the host [127.0.0.1]", self.is_stopped(server).talk)
        other = self.server(keys=server.keys)
        self.is_let_in(other, "-o", "HostKeyAlias=db1")

    def test_ipv6(self):
        if not sshd.ipv6():
            self.skipTest("::1 does not answer here")
        server = self.server(address="::1")
        self.is_trusted(server)
        self.is_let_in(server)
        self.assertEqual(self.ok(self.alice, "ssh", "host", "export").output, f"{server.name} {server.public()}\n")

    def test_hashed_names(self):
        server = self.server()
        path = self.alice.write("files/ssh/hashed", f"{server.name} {server.public()}\n")
        sk.tool("ssh-keygen", "-H", "-f", path)
        self.ok(self.alice, "ssh", "host", "import", path, "-y")
        self.assertNotIn(server.name, self.ok(self.alice, "ssh", "host", "export").output)
        self.is_let_in(server)
        server.offer(self.host_key())
        self.assertIn("CHANGED", self.is_stopped(server).talk)

    def test_patterns_and_exceptions(self):
        server = self.server(address=None)
        self.imports(f"*.example.org,!bad.example.org {server.public()}")
        self.is_let_in(server, host="db1.example.org")
        self.assertIn("the host bad.example.org is not known", self.is_stopped(server, host="bad.example.org").talk)

    def test_as_an_ordinary_user_and_without_a_port(self):
        server = self.server(address=None, as_ordinary_user=sshd.ordinary() is not None)
        self.is_trusted(server)
        self.is_let_in(server)


class Types(ConnectCase):
    """A host with keys of three types, of which the vault knows one."""

    def setUp(self):
        super().setUp()
        self.kinds = ("ed25519", "ecdsa256", "rsa3072")
        self.three = self.server(keys=[self.host_key(kind) for kind in self.kinds])

    def test_whichever_is_known_is_asked_for(self):
        for number, kind in enumerate(self.kinds):
            for alias in (None, f"db-{kind}"):
                with self.subTest(kind=kind, alias=alias):
                    server = self.server(keys=self.three.keys)
                    self.imports(f"{alias or server.name} {server.public(number)}")
                    self.is_let_in(server, *(["-o", f"HostKeyAlias={alias}"] if alias else []))

    def test_known_without_the_port(self):
        self.imports(f"127.0.0.1 {self.three.public(1)}")
        self.is_let_in(self.three)

    def test_order_as_old_and_new_openssh_ask(self):
        """Before 9.6 it asks with the bare name and looks for that; later with the name it will look up."""
        known = self.three.public(1)
        self.imports(f"[db1.example.org]:2222 {known}")
        before = self.alice.rows()
        old = self.asks("ORDER", "db1.example.org", port=2222, alias="db1")
        self.assertEqual((old.code, old.output), (0, f"db1.example.org,[db1.example.org]:2222,db1 {known}\n"), old)
        new = self.asks("ORDER", "[db1.example.org]:2222", port=2222, alias="db1")
        self.assertEqual((new.code, new.output), (0, f"[db1.example.org]:2222,db1.example.org,db1 {known}\n"), new)
        self.assertEqual(self.asks("ORDER", "db2.example.org", port=2222).output, "")
        self.assertEqual(self.alice.rows(), before, "ORDER never writes")

    def test_order_by_alias_as_old_and_new_openssh_ask(self):
        known = self.three.public(1)
        self.imports(f"bastion {known}")
        old = self.asks("ORDER", "db1.example.org", port=2222, alias="bastion")
        self.assertEqual(old.output, f"db1.example.org,[db1.example.org]:2222,bastion {known}\n")
        new = self.asks("ORDER", "bastion", port=2222, alias="bastion")
        self.assertEqual(new.output, f"bastion,[bastion]:2222 {known}\n")

    def test_order_tells_authorities_and_no_revocations(self):
        one, two = self.three.public(0), self.three.public(1)
        self.imports(f"@cert-authority *.example.org {one}", f"@revoked db1.example.org {two}")
        self.assertEqual(self.asks("ORDER", "db1.example.org").output, f"@cert-authority db1.example.org {one}\n")

    def test_what_the_alias_of_a_profile_would_do_is_done_by_hand_too(self):
        """The words of a newer ssh, whose ORDER call has the port, give the same connection."""
        wrapper = self.alice.write("files/ssh/newer", f"""#!/bin/sh
reason=$4 host=$6 port=$8
case "$reason $host $port" in
"ORDER 127.0.0.1 "*) shift 6; set -- ssh known-hosts --for "$reason" --host "[$host]:$port" "$@" ;;
esac
exec {self.alice.command()[0]} "$@"
""", 0o700)
        text = sk.read(self.config).decode()
        line = next(line for line in text.splitlines() if "KnownHostsCommand" in line)
        program = line.split()[1]
        self.config = self.alice.write("files/ssh/newer-config", text.replace(program, wrapper))
        self.imports(f"{self.three.name} {self.three.public(1)}")
        # What the bare name would be known by must not mislead it.
        self.imports(f"127.0.0.1 {self.three.public(2)}")
        self.is_let_in(self.three)


class Authorities(ConnectCase):
    """Hosts with certificates."""

    def setUp(self):
        super().setUp()
        self.authority = sk.make(self.file("ca"))
        self.host = self.host_key(name="certified")

    def certify(self, *words: str) -> str:
        sk.tool("ssh-keygen", "-q", "-s", self.authority, "-I", "host", "-h", *words, self.host + ".pub")
        return self.host + "-cert.pub"

    def trusts(self, names: str):
        self.imports(f"@cert-authority {names} {sk.beside(self.authority)}")

    def test_a_certificate_of_a_trusted_authority_needs_no_question(self):
        self.trusts("*.example.org")
        server = self.server(address=None, keys=[self.host], certificates=(self.certify("-n", "db1.example.org"),))
        self.is_let_in(server)

    def test_a_certificate_for_another_host_or_time_is_worth_no_more_than_its_key(self):
        self.trusts("*.example.org")
        for words, said in ((("-n", "db2.example.org"), "for other hosts"),
                            (("-n", "db1.example.org", "-V", "20200101:20210115"), r"expired 1[45] Jan 2021")):
            with self.subTest(words=words):
                server = self.server(address=None, keys=[self.host], certificates=(self.certify(*words),))
                talk = self.is_stopped(server).talk
                self.assertRegex(talk, "the certificate of db1.example.org is not valid, although a trusted authority "
                                       f"signed: {said}, and hsip cannot ask")
                self.assertNotIn("is not known", talk)
        self.imports(f"db1.example.org {sk.beside(self.host)}")
        self.is_let_in(server)

    def test_a_certificate_of_somebody_else_is_asked_about_as_its_key(self):
        server = self.server(address=None, keys=[self.host], certificates=(self.certify("-n", "db1.example.org"),))
        self.is_trusted(server)
        self.is_let_in(server)
        self.assertEqual(self.ok(self.alice, "ssh", "host", "export").output,
                         f"db1.example.org {sk.beside(self.host)}\n")

    def test_what_is_wrong_with_a_certificate_is_told(self):
        self.trusts("*.example.org")
        for words, said in ((("-n", "db2.example.org"), "for other hosts"),
                            (("-n", "db1.example.org", "-V", "20200101:20210115"), r"expired 1[45] Jan 2021")):
            with self.subTest(said=said):
                server = self.server(address=None, keys=[self.host], certificates=(self.certify(*words),))
                screen = self.at_a_terminal(server)
                screen.sees(QUESTION)
                self.assertRegex(screen.text, rf"The certificate of a trusted authority is not valid here: {said}\.")
                screen.enters("n")
                self.assertEqual(screen.ends(), 255)

    def test_with_a_port_and_by_an_alias(self):
        server = self.server(keys=[self.host], certificates=(self.certify("-n", "127.0.0.1,db1"),))
        self.trusts("127.0.0.1,db1")
        self.is_let_in(server)
        self.is_let_in(server, "-o", "HostKeyAlias=db1")
        self.assertIn("the host db2 is not known", self.is_stopped(server, "-o", "HostKeyAlias=db2").talk)

    def test_a_revoked_authority(self):
        self.trusts("*.example.org")
        self.imports(f"@revoked * {sk.beside(self.authority)}")
        server = self.server(address=None, keys=[self.host], certificates=(self.certify("-n", "db1.example.org"),))
        self.assertIn("REVOKED", self.is_stopped(server).talk)


class Addresses(ConnectCase):
    """CheckHostIP: the name decides, the address is told about."""

    options = ("-o", "CheckHostIP=yes")

    def connects_by_name(self, server: sshd.Server, **how):
        return self.is_let_in(server, *self.options, host="localhost", **how)

    def setUp(self):
        super().setUp()
        self.host = self.server()
        self.imports(f"[localhost]:{self.host.port} {self.host.public()}")

    def test_an_address_that_is_not_known_is_not_asked_about(self):
        before = self.alice.rows()
        self.connects_by_name(self.host)
        self.assertEqual(set(self.alice.rows()), set(before), "no address was learnt")

    def test_an_address_with_the_same_key(self):
        self.imports(f"{self.host.name} {self.host.public()}")
        self.connects_by_name(self.host)

    def test_an_address_with_another_key_is_told_and_does_not_stop(self):
        other = self.host_key()
        self.imports(f"{self.host.name} {sk.beside(other)}")
        # ssh looks the address of this machine up by no other name; so it is asked by hand, too.
        self.connects_by_name(self.host)
        outcome = self.asks("ADDRESS", self.host.name, self.host.public(), port=self.host.port, alias="localhost")
        self.assertEqual((outcome.code, outcome.output), (0, ""), outcome)
        self.assertIn(f"the address {self.host.name} is known by another key", outcome.talk)
        self.assertIn(sk.fingerprint(other + ".pub"), outcome.talk)

    def test_whatever_is_wrong_does_not_stop(self):
        for how in ({"secret": None}, {"secret": "passphrase", "HSIP_VAULT": "nowhere"}):
            outcome = self.asks("ADDRESS", self.host.name, self.host.public(), **how)
            self.assertEqual((outcome.code, outcome.output), (0, ""), outcome)
            self.assertIn("the address was not checked", outcome.talk)
        self.assertEqual(self.asks("ADDRESS", "a b", self.host.public()).code, 0)


class Locked(ConnectCase):
    """A vault that does not open."""

    def test_nobody_to_ask_stops_the_connection(self):
        server = self.server()
        self.is_trusted(server)
        self.is_stopped(server, secret=None)
        for reason, key in (("ORDER", None), ("HOSTNAME", server.public())):
            outcome = self.asks(reason, server.name, key, secret=None)
            self.assertEqual((outcome.code, outcome.output), (5, ""), outcome)

    def test_a_wrong_passphrase_stops_the_connection(self):
        server = self.server()
        self.is_trusted(server)
        self.alice.write("secrets/wrong", "not this one\n")
        self.is_stopped(server, secret="wrong")

    def test_no_vault_stops_the_connection(self):
        server = self.server()
        self.is_trusted(server)
        self.is_stopped(server, HSIP_VAULT="nowhere")

    def test_at_a_terminal_the_passphrase_is_asked_for_and_by_whom(self):
        server = self.server()
        self.is_trusted(server)
        screen = self.at_a_terminal(server, secret=None)
        # ssh asks twice, and each time somebody has to open the vault: nothing stays open between.
        for name in ("127.0.0.1", re.escape(server.name)):
            screen.sees(rf"Passphrase or recovery code of the vault, for ssh to {name}: ")
            screen.enters(self.alice.recovery)
        screen.sees("hello\r\n")
        self.assertEqual(screen.ends(), 0, screen.text)


class ReadOnly(ConnectCase):
    """A vault that may not be written."""

    def mounted(self, *words: str) -> list[str]:
        places = [self.alice.path(*parts) for parts in (("data", "hsip"), ("state", "hsip"))]
        mounts = " && ".join(f"mount --bind {place} {place} && mount -o remount,ro,bind {place}" for place in places)
        return ["unshare", "-m", "sh", "-c", f'{mounts} && exec "$@"', "sh", *words]

    def setUp(self):
        super().setUp()
        if os.getuid() != 0:
            self.skipTest("only root can mount a folder for reading only")

    def test_a_key_that_cannot_be_stored_is_not_trusted(self):
        server = self.server()
        words = self.mounted(*self.words(server))
        quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
        screen = Screen(self, self.alice, shell=f"exec {quoted}", **self.opening())
        screen.sees(QUESTION)
        screen.enters("y")
        self.assertEqual(screen.ends(), 255, screen.text)
        # The log comes first: what cannot be written down is not done.
        self.assertIn("hsip has no folder for the audit log", screen.text)
        self.assertEqual(server.logins, 0)

    def test_a_vault_that_cannot_be_written_still_knows_its_hosts(self):
        server = self.server()
        self.imports(f"{server.name} {server.public()}")
        command = self.mounted(*self.words(server))
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                              env=self.alice.environment(**self.opening()), cwd=self.alice.home, start_new_session=True)
        self.assertEqual((done.returncode, done.stdout), (0, "hello\n"), done)
        self.assertIn("could not record that", done.stderr)


class Home(ConnectCase):
    """The whole way, with the files where ssh looks for them by itself."""

    def at_home(self, *words: str) -> Outcome:
        """A command that finds this person's folder as the home of the account."""
        account = pwd.getpwuid(0)
        with open("/etc/passwd", encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("root:")]
        passwd = self.alice.write("files/passwd", f"root:x:0:0:root:{self.alice.home}:{account.pw_shell}\n" + "".join(lines))
        script = f'mount --bind {passwd} /etc/passwd && exec "$@"'
        command = ["unshare", "-m", "sh", "-c", script, "sh", *words]
        done = subprocess.run(command, capture_output=True, timeout=60, stdin=subprocess.DEVNULL, cwd=self.alice.home,
                              env=self.alice.environment(**self.opening(), XDG_CONFIG_HOME=None), start_new_session=True)
        return Outcome(command, done.returncode, done.stdout, done.stderr)

    def test_setup_connect_undo(self):
        if os.getuid() != 0:
            self.skipTest("only root can give the account another home")
        os.makedirs(self.alice.path(".config"), mode=0o700)
        os.rename(self.alice.path("config", "hsip"), self.alice.path(".config", "hsip"))
        os.mkdir(self.alice.path(".ssh"), 0o700)
        own = self.alice.write(".ssh/config", "Host *\n    User nobody\n    StrictHostKeyChecking no\n")
        before = sk.read(own)
        server = self.server()
        program = self.alice.command()[0]
        public = self.at_home(program, "ssh", "key", "import", self.key, "--name", "work")
        self.assertEqual(public.code, 0, public)
        for words in (("ssh", "host", "add", "db1", "--address", server.address, "--port", str(server.port), "--user",
                       server.user, "--key", "work"), ("setup", "ssh", "-y"), ("setup", "ssh", "--check")):
            outcome = self.at_home(program, *words)
            self.assertEqual(outcome.code, 0, outcome)
            self.assertNotIn("warning", outcome.talk)
        self.assertEqual(sk.read(own), b"Include ~/.config/hsip/ssh_config\n" + before)
        connect = ("ssh", "-o", f"IdentityFile={self.key}", "db1", "echo", "hello")
        refused = self.at_home(*connect)
        self.assertEqual((refused.code, server.logins), (255, 0), refused)
        self.assertIn("hint: hsip ssh host trust db1", refused.talk)
        key = self.alice.write("files/ssh/host.pub", server.public() + "\n")
        self.assertEqual(self.at_home(program, "ssh", "host", "trust", "db1", "--key", key, "--expect",
                                      server.fingerprint()).code, 0)
        self.assertEqual(self.at_home(*connect).output, "hello\n", server.log[-2000:])
        server.offer(self.host_key())
        server.forget()
        changed = self.at_home(*connect)
        self.assertEqual((changed.code, server.logins), (255, 0), changed)
        self.assertIn("hint: hsip ssh host replace-key db1  asks", changed.talk)
        self.assertEqual(self.at_home(program, "setup", "ssh", "--undo", "-y").code, 0)
        self.assertEqual(sk.read(own), before)


class Hostile(ConnectCase):
    """What ssh hands over is made up by anyone who names a host."""

    def test_names_that_are_none_are_refused(self):
        key = sk.beside(self.key)
        for host in ("", "a b", "a,b", "a\nb", "*", "!a", "@revoked", "|1|x|y", "a#b", "ä", "a;id", "$(id)", "`id`", "'",
                     "a\x1b[2Jb", "[a]:0", "[a]:99999", "[a", "a" * 256, "-oProxyCommand=id", "\u202ea"):
            with self.subTest(host=host):
                for reason in ("ORDER", "HOSTNAME"):
                    outcome = self.asks(reason, host, key if reason == "HOSTNAME" else None, alias="a")
                    self.assertIn(outcome.code, (13, 2), outcome)
                    self.assertEqual(outcome.output, "", outcome)
                    for character in outcome.talk:
                        self.assertTrue(character == "\n" or ord(character) >= 32, outcome)

    def test_names_that_are_options_are_refused(self):
        for host in ("--yes", "--vault=/tmp/x", "--json", "--", "--key"):
            with self.subTest(host=host):
                outcome = self.asks("HOSTNAME", host, sk.beside(self.key), alias="a")
                self.assertIn(outcome.code, (2, 13), outcome)
                self.assertNotIn("ssh-ed25519", outcome.output)

    def test_an_alias_that_is_none_is_never_printed(self):
        known = sk.beside(self.key)
        self.imports(f"db1 {known}")
        for alias in ("*", "a,b", "x\n@cert-authority * ssh-ed25519 AAAA", "", "\x1b]0;x\x07"):
            with self.subTest(alias=alias):
                outcome = self.asks("ORDER", "db1", alias=alias)
                self.assertEqual((outcome.code, outcome.output), (0, f"db1 {known}\n"), outcome)

    def test_keys_that_are_none_are_refused(self):
        kind, text = sk.beside(self.key).split()
        for key in (f"ssh-rsa {text}", f"{kind} {text[:-4]}", f"{kind} {text}!", f"{kind} NONE", f"{kind} {text}{text}",
                    f"x {text}"):
            with self.subTest(key=key[:40]):
                outcome = self.asks("HOSTNAME", "db1", key)
                self.assertEqual((outcome.code, outcome.output), (13, ""), outcome)

    def test_a_reason_that_is_none_is_refused(self):
        self.assertEqual(self.asks("order", "db1").code, 2)
        self.assertEqual(self.alice.run("ssh", "known-hosts").code, 2)

    def test_comments_and_other_names_of_a_line_do_not_come_out(self):
        key = sk.beside(self.key)
        self.imports(f"db1,secret.example.org {key} a comment")
        self.assertEqual(self.asks("HOSTNAME", "db1", key).output, f"db1 {key}\n")
        self.assertEqual(self.asks("ORDER", "db1").output, f"db1 {key}\n")

    def test_it_is_documented_and_not_listed(self):
        self.assertNotIn("known-hosts", self.ok(self.alice, "ssh", "--help").output)
        self.assertIn("KnownHostsCommand", self.ok(self.alice, "help", "ssh", "known-hosts").output)


class Logins(ConnectCase):
    """Keys of the vault, to hosts of the vault."""

    def test_a_profile_with_a_key_of_the_vault(self):
        public = self.ok(self.alice, "ssh", "key", "generate", "work", "--json").result
        # One try only: of all the keys in the agent ssh has to take the one of the profile.
        server = self.server(authorized=(sk.read(public["publicFile"]).decode(),), settings=("MaxAuthTries 1",))
        self.ok(self.alice, "ssh", "host", "add", "db1", "--address", server.address, "--port", str(server.port),
                "--user", server.user, "--key", "work")
        self.imports(f"{server.name} {server.public()}")
        self.settings()
        out = self.file("out")
        self.ok(self.alice, "ssh", "key", "export", "work", "--no-passphrase", "--expect", "work", "-o", out)
        agent = self.agent(out)
        done = subprocess.run(["ssh", "-F", self.config, "db1", "echo hello"], capture_output=True, text=True, timeout=60,
                              env=self.alice.environment(SSH_AUTH_SOCK=agent, **self.opening()),
                              stdin=subprocess.DEVNULL, start_new_session=True, cwd=self.alice.home)
        self.assertEqual((done.returncode, done.stdout), (0, "hello\n"), (done, server.log[-2000:]))
        self.assertNotIn("Failed publickey", server.log)

    def agent(self, *keys: str) -> str:
        """An agent with other keys and these; its socket."""
        place = self.file("agent")
        process = subprocess.Popen(["ssh-agent", "-D", "-a", place], stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        process.stdout.readline()
        for key in (self.host_key(), self.host_key(), *keys):
            sk.tool("ssh-add", "-q", key, env={"SSH_AUTH_SOCK": place})
        return place


if __name__ == "__main__":
    unittest.main()
