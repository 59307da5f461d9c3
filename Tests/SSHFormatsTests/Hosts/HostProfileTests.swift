import SSHFormats
import Testing
import VaultCrypto

struct HostProfileTests {
    typealias Fields = HostProfile.Fields

    private let id = HostID(.seeded([1, 2, 3]))
    private let good = Fields(
        label: "db1",
        host: "db1.example.org",
        user: "deploy",
        authentication: "key",
        keyReference: "work"
    )

    private func profile(_ change: (inout Fields) -> Void) throws -> HostProfile {
        var fields = good
        change(&fields)
        return try HostProfile(id: id, fields)
    }

    @Test func `white space around every text is dropped`() throws {
        let trimmed = try profile {
            $0.label = " db1\t"
            $0.host = "\u{3000}DB1.example.org\n"
            $0.user = " deploy "
            $0.keyReference = " work "
            $0.passwordReference = "  "
            $0.uploadPath = " /srv/in "
            $0.hostKeyAlias = " Bastion "
        }
        #expect(trimmed.label == "db1")
        #expect(trimmed.address.lookup == "db1.example.org")
        #expect(trimmed.user == "deploy")
        #expect(trimmed.keyReference == "work")
        #expect(trimmed.passwordReference == nil)
        #expect(trimmed.uploadPath == "/srv/in")
        #expect(trimmed.lookupName.lookup == "bastion")
    }

    @Test func `a profile says who to be, where, and what to call it`() throws {
        let plain = try profile { $0.port = 2222 }
        #expect(plain.displayName == "db1")
        #expect(plain.alias == "db1")
        #expect(plain.lookupName.lookup == "[db1.example.org]:2222")
        #expect(plain.scanCommand == "ssh-keyscan -p 2222 db1.example.org")
        let nameless = try profile { $0.label = " " }
        #expect(nameless.displayName == "deploy@db1.example.org")
        #expect(nameless.alias == nil)
        #expect(nameless.scanCommand == "ssh-keyscan db1.example.org")
        #expect(try profile { $0.label = "Büro, 2. Stock" }.alias == nil)
    }

    @Test(
        arguments: [
            "", " ", "-l", "root;id", "a b", "a\u{A0}b", "$(id)", "`id`", "a'b", "a\"b", "a|b", "a&b", "a\\b",
            "%u",
            "a\nb", "a\0", "a/b", "a:b", "ü", String(repeating: "a", count: 65),
        ]
    )
    func `a user name that is blank or more than a name is refused`(user: String) {
        #expect(throws: SSHFormatError.badUser) { try profile { $0.user = user } }
    }

    @Test(arguments: ["deploy", "first.last", "a_b-c", "name@realm", "x+y", "_svc", "R2"])
    func `a usual user name is taken`(user: String) throws {
        #expect(try profile { $0.user = user }.user == user)
    }

    @Test(arguments: ["", " ", "db1;id", "-oProxyCommand=id", "a b", "%h"])
    func `a host that is blank or more than a name is refused`(host: String) {
        #expect(throws: SSHFormatError.badHostName) { try profile { $0.host = host } }
        #expect(throws: SSHFormatError.badHostName) { try profile { $0.hostKeyAlias = host } }
    }

    @Test(arguments: [0, -22, 65536])
    func `a bad port is an error and never 22`(port: Int) {
        #expect(throws: SSHFormatError.badPort) { try profile { $0.port = port } }
    }

    @Test(arguments: ["", "Key", "agent", "publickey"])
    func `a way to log in that is not known is refused`(authentication: String) {
        #expect(throws: SSHFormatError.unknownAuthentication) {
            try profile { $0.authentication = authentication }
        }
    }

    @Test func `a login by key says by which, one by password need not`() throws {
        #expect(throws: SSHFormatError.keyReferenceMissing) { try profile { $0.keyReference = " " } }
        let password = try profile {
            $0.keyReference = nil
            $0.authentication = "password"
        }
        #expect(password.authentication == .password)
    }

    @Test(arguments: [
        "a\nb", "a\u{7}", "a\u{202E}b", "a\u{200B}", "a\u{2028}b", String(repeating: "x", count: 129),
    ])
    func `a label or reference with what cannot be seen is refused`(text: String) {
        #expect(throws: SSHFormatError.badLabel) { try profile { $0.label = text } }
        #expect(throws: SSHFormatError.badReference) { try profile { $0.keyReference = text } }
        #expect(throws: SSHFormatError.badReference) { try profile { $0.passwordReference = text } }
    }

    @Test(
        arguments: [
            "", "tmp", "./tmp", "-rf", "~root/x", "/tmp/$HOME", "/tmp;id", "/a`b`", "/a'b", "/a\"b", "/a\\b",
            "/a*",
            "/a\nb", "/a~", "/%h", "/a|b", "/" + String(repeating: "x", count: 4096),
        ]
    )
    func `an upload path that a shell would read is refused`(path: String) {
        #expect(throws: SSHFormatError.badPath) { try profile { $0.uploadPath = path } }
    }

    @Test(arguments: ["/tmp", "/", "~/in", "/srv/Über uns/a-b_c.d", "/tmp/keyjawn/"])
    func `a usual upload path is taken`(path: String) throws {
        #expect(try profile { $0.uploadPath = path }.uploadPath == path)
    }

    @Test func `an identifier is a UUID of version 4 and is read back`() throws {
        for seed in 0..<50 as Range<UInt8> {
            let id = HostID(.seeded([seed]))
            let text = id.description
            #expect(text.count == 36)
            #expect(text.dropFirst(14).first == "4")
            #expect("89ab".contains(text.dropFirst(19).first ?? "x"))
            #expect(try HostID(text.uppercased()) == id)
        }
    }

    @Test(
        arguments: [
            "", "0", "00000000000000000000000000000000", "0000000-00000-0000-0000-000000000000",
            "g0000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-0000000000000",
        ]
    )
    func `an identifier in another form is refused`(text: String) {
        #expect(throws: SSHFormatError.badIdentifier) { try HostID(text) }
    }
}
