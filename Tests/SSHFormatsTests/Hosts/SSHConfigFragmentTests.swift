import SSHFormats
import Testing
import VaultCrypto

/// ssh reads what is printed, and answers with the settings that it would use.
struct SSHConfigFragmentTests {
    private let places = SSHConfigFragment.Places(
        program: "/usr/bin/hsip",
        agentSocket: "/run/user/1000/a%b.sock"
    )

    /// A profile of that name; its label says something else.
    private func entry(
        _ name: String,
        host: String = "db1.example.org",
        port: Int = 22,
        user: String = "deploy",
        authentication: String = "key",
        alias: String? = nil,
        publicKeyFile: String? = nil,
        certificateFiles: [String] = []
    ) throws -> SSHConfigFragment.Entry {
        let fields = HostProfile.Fields(
            label: "The machine in the cellar",
            host: host,
            port: port,
            user: user,
            authentication: authentication,
            keyReference: "work",
            hostKeyAlias: alias
        )
        let profile = try HostProfile(id: HostID(.seeded(name.bytes)), fields)
        return SSHConfigFragment.Entry(
            profile,
            alias: name,
            publicKeyFile: publicKeyFile,
            certificateFiles: certificateFiles
        )
    }

    /// What `ssh -G` says for a host, by lower-case keyword.
    private func settings(_ host: String, _ fragment: SSHConfigFragment) throws -> [String: [String]] {
        let ssh = try OpenSSH()
        try ssh.write(fragment.text.bytes, to: "fragment")
        try ssh.write("Include \(ssh.path("fragment"))\nUser somebody\nPort 99\n".bytes, to: "config")
        let output = try ssh.run("/usr/bin/ssh", ["-G", "-F", ssh.path("config"), host])
        var settings: [String: [String]] = [:]
        for line in output.text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { continue }
            settings[String(words[0]), default: []].append(String(words[1]))
        }
        return settings
    }

    @Test func `the fragment is printed as it should look`() throws {
        let entries = [
            try entry("db1", publicKeyFile: "~/.local/state/hsip/ssh/work.pub"),
            try entry("web", host: "::1", port: 2222, alias: "www"),
        ]
        let fragment = try SSHConfigFragment(entries, places: .init(program: "/usr/bin/hsip"))
        #expect(
            fragment.text == """
                # Made by hsip from the hosts in the vault; it is written anew when they change.
                Host db1
                    HostName db1.example.org
                    User deploy
                    IdentityFile ~/.local/state/hsip/ssh/work.pub
                    IdentitiesOnly yes
                Host web
                    HostName ::1
                    Port 2222
                    User deploy
                    HostKeyAlias www
                Match all
                    KnownHostsCommand /usr/bin/hsip ssh known-hosts --for %I --host %H --port %p --alias %k \
                --type %t --key %K
                    UserKnownHostsFile none
                    GlobalKnownHostsFile none
                    StrictHostKeyChecking yes
                    VerifyHostKeyDNS no
                    NoHostAuthenticationForLocalhost no

                """
        )
    }

    @Test func `ssh uses every setting of a profile, and those of all hosts`() throws {
        let entries = [
            try entry(
                "db1",
                port: 2222,
                alias: "bastion",
                publicKeyFile: "/srv/my keys/50%/work.pub"
            ),
            try entry("pw", host: "fe80::1%eth0", user: "a@b", authentication: "password"),
        ]
        let fragment = try SSHConfigFragment(entries, places: places)
        let db1 = try settings("db1", fragment)
        #expect(db1["hostname"] == ["db1.example.org"])
        #expect(db1["port"] == ["2222"])
        #expect(db1["user"] == ["deploy"])
        #expect(db1["hostkeyalias"] == ["bastion"])
        #expect(db1["identityfile"] == ["/srv/my keys/50%%/work.pub"])
        #expect(db1["identitiesonly"] == ["yes"])
        #expect(db1["identityagent"] == ["/run/user/1000/a%b.sock"])
        #expect(db1["userknownhostsfile"] == ["none"])
        #expect(db1["globalknownhostsfile"] == ["none"])
        #expect(db1["stricthostkeychecking"] == ["true"])
        #expect(db1["knownhostscommand"]?.first?.hasPrefix("/usr/bin/hsip ssh known-hosts --for %I") == true)

        let password = try settings("pw", fragment)
        #expect(password["hostname"] == ["fe80::1%eth0"])
        #expect(password["user"] == ["a@b"])
        #expect(password["preferredauthentications"] == ["password,keyboard-interactive"])
        #expect(password["identitiesonly"] == ["no"])

        let stranger = try settings("elsewhere", fragment)
        #expect(stranger["user"] == ["somebody"])
        #expect(stranger["stricthostkeychecking"] == ["true"])
        #expect(stranger["knownhostscommand"] == db1["knownhostscommand"])
    }

    @Test func `certificates of the key are named, the first one first`() throws {
        let files = ["~/.local/state/hsip/ssh/work.pub-cert", "/srv/my keys/50%/work.pub-cert-2"]
        let entry = try entry(
            "db1",
            publicKeyFile: "~/.local/state/hsip/ssh/work.pub",
            certificateFiles: files
        )
        let fragment = try SSHConfigFragment([entry], places: places)
        let db1 = try settings("db1", fragment)
        #expect(db1["identityfile"] == ["~/.local/state/hsip/ssh/work.pub"])
        #expect(db1["certificatefile"] == [files[0], "/srv/my keys/50%%/work.pub-cert-2"])
        #expect(
            db1["certificatefile"]
                == fragment.blocks[0].settings.filter { $0.keyword == "CertificateFile" }.map(\.meaning)
        )
    }

    @Test func `ssh says of every setting what is said to be its meaning`() throws {
        let entries = [
            try entry(
                "db1",
                host: "fe80::1%eth0",
                port: 2222,
                alias: "bastion",
                publicKeyFile: "/a b/50%/c.pub"
            ),
            try entry("pw", user: "a@b", authentication: "password", publicKeyFile: "~/x.pub"),
        ]
        let places = SSHConfigFragment.Places(
            program: "/opt/my programs/hsip",
            vault: "/srv/50% of all/v.hsipvault",
            agentSocket: "/run/user/1000/a%b.sock"
        )
        let fragment = try SSHConfigFragment(entries, places: places)
        let common = try #require(fragment.blocks.last)
        for block in fragment.blocks {
            let said = try settings(block.alias ?? "elsewhere", fragment)
            for setting in block.settings + common.settings {
                #expect(said[setting.keyword.lowercased()] == [setting.meaning])
            }
        }
    }

    @Test func `another vault than the usual one is named to the program`() throws {
        let fragment = try SSHConfigFragment([], places: .init(program: "/usr/bin/hsip", vault: "work"))
        #expect(
            fragment.text.contains("KnownHostsCommand /usr/bin/hsip --vault work ssh known-hosts --for %I ")
        )
    }

    @Test(arguments: ["", "-v", "a\nb", "a\"b", "a$b", "a#b"])
    func `a vault whose name says more is refused`(vault: String) throws {
        #expect(throws: SSHFormatError.badPath) {
            try SSHConfigFragment([], places: .init(program: "/usr/bin/hsip", vault: vault))
        }
    }

    @Test func `the settings behind the Include are not swallowed by the last block`() throws {
        let fragment = try SSHConfigFragment([try entry("db1")], places: places)
        #expect(try settings("elsewhere", fragment)["port"] == ["99"])
    }

    @Test(arguments: ["two words", "", "*", "!db1", "a,b", "db1\u{A0}", "Büro", "-oProxyCommand=id", "a\nb"])
    func `a name that cannot be typed behind ssh is refused`(name: String) throws {
        #expect(throws: SSHFormatError.labelIsNoAlias) {
            try SSHConfigFragment([try entry(name)], places: places)
        }
    }

    @Test func `one alias twice is refused`() throws {
        let entries = [
            try entry("a"), try entry("db1"), try entry("DB1"),
        ]
        #expect(throws: SSHFormatError.duplicateAlias(index: 2)) {
            try SSHConfigFragment(entries, places: places)
        }
    }

    @Test(
        arguments: [
            "", "/", "hsip", "./hsip", "~/hsip", "/a\nHost *", "/a\"b", "/a'b", "/a\\b", "/a$HOME", "/a`id`",
            "/a#b",
            "/a\tb", "/a\0b",
        ]
    )
    func `a program or socket whose path says more is refused`(path: String) throws {
        #expect(throws: SSHFormatError.badPath) { try SSHConfigFragment([], places: .init(program: path)) }
        #expect(throws: SSHFormatError.badPath) {
            try SSHConfigFragment([], places: .init(program: "/usr/bin/hsip", agentSocket: path))
        }
    }

    @Test func `a program with a percent sign in its path is refused, since ssh does not expand it there`() {
        #expect(throws: SSHFormatError.badPath) {
            try SSHConfigFragment([], places: .init(program: "/50%/hsip"))
        }
    }

    @Test(arguments: ["", "work.pub", "~", "~other/x.pub", "/a\nProxyCommand id", "/a\"", "/${HOME}"])
    func `a key file whose path says more is refused`(path: String) throws {
        #expect(throws: SSHFormatError.badPath) {
            try SSHConfigFragment([try entry("db1", publicKeyFile: path)], places: places)
        }
    }

    @Test(.enabled(if: SSHServer.program != nil, SSHServer.missing), arguments: ["hsip", "my hsip"])
    func `ssh finds the program at any path, tells it host and key, and without an answer connects to no one`(
        name: String
    ) throws {
        let server = try SSHServer()
        let ssh = server.ssh
        let keys = try HostKeys.shared.get()
        try ssh.write("#!/bin/sh\necho \"$@\" >> '\(ssh.path("asked"))'\n".bytes, to: name)
        _ = try ssh.run("/bin/chmod", ["700", name])
        let fragment = try SSHConfigFragment(
            [try entry("db1", port: 2222)],
            places: .init(program: ssh.path(name))
        )
        try ssh.write(fragment.text.bytes, to: "fragment")
        let found = try server.connect(to: "db1", key: keys.ssh.path("one"), config: "fragment")
        // Without files of its own, ssh does not even say that the key is new.
        #expect(found.log.contains("Host key verification failed."))
        let asked = try ssh.read("asked").text.split(separator: "\n")
        let key = keys[0].typeAndBase64.text.split(separator: " ")
        #expect(
            asked.last == """
                ssh known-hosts --for HOSTNAME --host [db1.example.org]:2222 --port 2222 --alias db1 \
                --type ssh-ed25519 --key \(key.last ?? "")
                """
        )
    }
}
