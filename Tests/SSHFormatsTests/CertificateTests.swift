import SSHFormats
import Testing
import VaultCrypto

struct CertificateTests {
    /// Arguments of `ssh-keygen -s`, each with something of its own.
    private static let forms: [[String]] = [
        ["-I", "plain"],
        ["-I", "named", "-n", "root,deploy", "-z", "18446744073709551615"],
        ["-I", "with \"quotes\" and ü", "-V", "20200101:20300102030405"],
        ["-I", "from", "-V", "20200101120000:forever"],
        ["-I", "to", "-V", "always:20350615"],
        ["-I", "host", "-h", "-n", "db1.example,*.example"],
        [
            "-I", "command", "-O", "clear", "-O", "force-command=/bin/echo hi", "-O",
            "source-address=10.0.0.0/8,::1",
        ],
        ["-I", "more", "-O", "verify-required", "-O", "no-touch-required", "-O", "no-pty"],
        [
            "-I", "own", "-O", "critical:own@example=x", "-O", "extension:flag@example", "-O",
            "extension:e@example=y",
        ],
    ]

    @Test(arguments: KeyKind.quick, KeyKind.quick)
    func `a certificate shows as ssh-keygen shows it, and its signature is checked`(
        kind: KeyKind,
        authority: KeyKind
    ) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        try ssh.makeKey("ca", type: authority.arguments)
        for form in kind == .ed25519 || authority == .ed25519 ? Self.forms : [Self.forms[1]] {
            let certificate = try Self.sign(ssh, form)
            let shown = try ssh.keygen(["-L", "-f", "id-cert.pub"])
            let lines = ["id-cert.pub:".bytes] + certificate.lines()
            #expect(Array(lines.map { $0 + [0x0A] }.joined()) == shown)
            try certificate.checkSignature()
            let key = certificate.publicKey
            let plain = try PublicKey(line: try ssh.read("id.pub"))
            #expect(key.plain == plain)
            #expect(key.fingerprint == plain.fingerprint)
            let listed = try ssh.keygen(["-lv", "-f", "id-cert.pub"]).text
            let first = "\(key.bits ?? 0) \(key.fingerprint) a comment (\(key.algorithm.shortName))"
            #expect(([first] + Randomart.lines(of: key)).joined(separator: "\n") + "\n" == listed)
        }
    }

    @Test(arguments: ["rsa-sha2-256", "rsa-sha2-512"])
    func `both algorithms of an RSA authority are checked`(algorithm: String) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"])
        try ssh.makeKey("ca", type: ["rsa", "-b", "2048"])
        let certificate = try Self.sign(ssh, ["-I", "x", "-t", algorithm])
        #expect(certificate.signatureAlgorithm == algorithm)
        try certificate.checkSignature()
    }

    @Test func `a certificate signed with SHA-1 can be seen but not trusted`() throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"])
        try ssh.makeKey("ca", type: ["rsa", "-b", "2048"])
        let certificate = try Self.sign(ssh, ["-I", "x", "-t", "ssh-rsa"])
        #expect(throws: SSHFormatError.sha1Refused) { try certificate.checkSignature() }
        #expect(certificate.objections(as: .user, for: nil, at: 1) == [.badSignature])
    }

    @Test func `objections name everything that speaks against it`() throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"])
        try ssh.makeKey("ca", type: ["ed25519"])
        let certificate = try Self.sign(ssh, ["-I", "x", "-n", "root", "-V", "20200101:20300101"])
        let (start, end): (UInt64, UInt64) = (1_577_836_800, 1_893_456_000)
        #expect(certificate.validAfter == start)
        #expect(certificate.validBefore == end)
        #expect(certificate.objections(as: .user, for: "root".bytes, at: start).isEmpty)
        #expect(certificate.objections(as: .user, for: nil, at: end - 1).isEmpty)
        #expect(certificate.objections(as: .user, for: nil, at: end) == [.expired(at: end)])
        #expect(certificate.objections(as: .user, for: nil, at: start - 1) == [.notYetValid(from: start)])
        #expect(
            certificate.objections(as: .host, for: "Root".bytes, at: start) == [.otherKind, .otherPrincipal]
        )
        let nobody = try Self.sign(ssh, ["-I", "x", "-O", "critical:a@b=c"])
        let objections = nobody.objections(as: .user, for: [], at: start)
        #expect(objections == [.otherPrincipal, .unknownCriticalOptions(1)])
    }

    @Test func `principals are patterns for hosts and plain names for users`() throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"])
        try ssh.makeKey("ca", type: ["ed25519"])
        let host = try Self.sign(ssh, ["-I", "x", "-h", "-n", "db?.example,*.lan"])
        for name in ["db1.example", "a.b.lan"] {
            #expect(host.objections(as: .host, for: name.bytes, at: 1).isEmpty)
        }
        for name in ["db12.example", "lan", "db1.example.org", ""] {
            #expect(host.objections(as: .host, for: name.bytes, at: 1) == [.otherPrincipal])
        }
        let user = try Self.sign(ssh, ["-I", "x", "-n", "db?,*"])
        #expect(user.objections(as: .user, for: "db1".bytes, at: 1) == [.otherPrincipal])
        #expect(user.objections(as: .user, for: "*".bytes, at: 1).isEmpty)
    }

    @Test func `every truncation and change is refused, or is not signed`() throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"])
        try ssh.makeKey("ca", type: ["ecdsa"])
        let blob = try Self.sign(ssh, Self.forms[6]).publicKey.blob
        for index in blob.indices {
            #expect(throws: SSHFormatError.self) {
                _ = try Certificate(try PublicKey(blob: Array(blob.prefix(index))))
            }
            for change in [1, 0x80, 0xFF] as [UInt8] {
                var changed = blob
                changed[index] ^= change
                #expect(throws: SSHFormatError.self, "byte \(index)") {
                    try Certificate(try PublicKey(blob: changed)).checkSignature()
                }
            }
        }
    }

    @Test func `a plain key is no certificate`() throws {
        let key = try PrivateKey.ed25519(entropy: .seeded([1])).publicKey
        #expect(throws: SSHFormatError.unsupportedKeyType) { try Certificate(key) }
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00"), (951_782_400, "2000-02-29T00:00:00"),
            (1_709_251_199, "2024-02-29T23:59:59"),
            (4_107_542_399, "2100-02-28T23:59:59"), (4_107_542_400, "2100-03-01T00:00:00"),
            (253_402_300_799, "9999-12-31T23:59:59"), (.max, "18446744073709551615"),
        ] as [(UInt64, String)]
    )
    func `a second has its date`(second: UInt64, text: String) {
        #expect(UTCTime.text(second) == text)
    }

    private static func sign(_ ssh: OpenSSH, _ form: [String]) throws -> Certificate {
        try ssh.keygen(["-q", "-s", "ca"] + form + ["id.pub"])
        return try Certificate(try PublicKey(line: try ssh.read("id-cert.pub")))
    }
}
