import SSHFormats
import Support
import Testing
import VaultCrypto

/// ssh-keygen reads the same files of allowed signers.
struct AllowedSignersTests {
    private static let clock: UInt64 = 1_780_000_000  // 2026-05-28T20:26:40Z
    private let keys: HostKeys

    init() throws {
        keys = try HostKeys.shared.get()
    }

    /// A signature of key 0 for the namespace `git`.
    private func signature(_ ssh: OpenSSH, key: String = "one") throws -> FileSignature {
        let files = [keys.ssh.path(key)]
        let text = try ssh.keygen(["-q", "-Y", "sign", "-f", files[0], "-n", "git"], input: [1, 2, 3])
        try ssh.write(text, to: "sig")
        return try FileSignature(armored: text)
    }

    private func accepts(_ ssh: OpenSSH, _ principal: String, _ time: String = "20260528202640Z") throws
        -> Bool
    {
        do {
            let arguments = ["-Y", "verify", "-f", "allowed", "-I", principal, "-n", "git", "-s", "sig"]
            try ssh.keygen(arguments + ["-O", "verify-time=\(time)"], input: [1, 2, 3])
            return true
        } catch is OpenSSH.Failure {
            return false
        }
    }

    private func found(_ ssh: OpenSSH, _ time: String = "20260528202640Z") throws -> [String] {
        do {
            let arguments = [
                "-Y", "find-principals", "-f", "allowed", "-s", "sig", "-O", "verify-time=\(time)",
            ]
            return try ssh.keygen(arguments).text.split(separator: "\n").map(String.init)
        } catch is OpenSSH.Failure {
            return []
        }
    }

    @Test(
        arguments: [
            ("me ONE", true), ("me,you ONE", true), ("you ONE", false), ("* ONE", true), ("*,!me ONE", false),
            ("M* ONE", false), ("me TWO", false), ("me ONE a comment", true), (" \tme \tONE", true),
            ("\"me\" ONE", true), ("\"you\",me ONE", false), ("m\"e\" ONE", true), ("\"a b\",me ONE", false),
            ("\"me ONE", false), ("me", false), ("me ", false), ("# me ONE", false), ("me ONE\r", true),
            ("me namespaces=\"git\" ONE", true), ("me namespaces=\"file\" ONE", false),
            ("me namespaces=\"file,g*\" ONE", true), ("me namespaces=\"*,!git\" ONE", false),
            ("me NAMESPACES=\"git\" ONE", true), ("me namespaces=git ONE", false),
            ("me namespaces=\"git ONE", false),
            ("me namespaces=\"git\",namespaces=\"git\" ONE", false), ("me namespaces=\"\" ONE", false),
            ("me cert-authority ONE", false), ("me Cert-Authority,namespaces=\"git\" ONE", false),
            ("me verify-required ONE", false), ("me namespaces=\"git\",unknown ONE", false),
            ("me namespaces=\"git\", ONE", false), ("me ,,namespaces=\"git\" ONE", true), ("me , ONE", false),
            ("me valid-after=\"20260528\" ONE", true), ("me valid-after=\"20260529Z\" ONE", false),
            ("me valid-after=\"20260528202640Z\" ONE", true),
            ("me valid-after=\"20260528202641Z\" ONE", false),
            ("me valid-after=\"20260528202641UTC\" ONE", false),
            ("me valid-after=\"20260528202640utc\" ONE", true),
            ("me valid-before=\"20260528202640Z\" ONE", true),
            ("me valid-before=\"20260528202639Z\" ONE", false),
            ("me valid-before=\"202605282027\" ONE", true), ("me valid-before=\"202605282026\" ONE", false),
            ("me valid-before=\"20260528202640z\" ONE", true), ("me valid-after=20260101Z ONE", false),
            ("me valid-after=\"20260101Z\",valid-before=\"20270101Z\" ONE", true),
            ("me valid-after=\"20270101Z\",valid-before=\"20260101Z\" ONE", false),
            ("me valid-before=\"20261301Z\" ONE", false), ("me valid-before=\"20260631Z\" ONE", true),
            ("me valid-before=\"20260600Z\" ONE", false), ("me valid-before=\"202606012460Z\" ONE", false),
            ("me valid-before=\"19690101Z\" ONE", false), ("me valid-before=\"2026060\" ONE", false),
            ("me valid-after=\"19700101000000Z\" ONE", false),
            ("me valid-before=\"20260601235961Z\" ONE", true),
            ("me valid-before=\"Z\" ONE", false), ("me valid-before=\"\" ONE", false),
            ("me unknown ONE\nme ONE", true), ("me TWO\nme ONE", true),
            ("me namespaces=\"x\" ONE\nme ONE", true),
            ("me ONE\nme namespaces=\"x\" ONE", true), ("you unknown ONE\nme ONE", true),
        ] as [(String, Bool)]
    )
    func `a line lets sign whom ssh-keygen lets sign`(text: String, isAllowed: Bool) throws {
        let ssh = try OpenSSH()
        let file = text.naming(["ONE": keys[0], "TWO": keys[1]])
        let signature = try signature(ssh)
        try ssh.write(file.bytes, to: "allowed")
        let ours = AllowedSigners(file.bytes).verdict(
            on: signature.key,
            principal: "me".bytes,
            namespace: "git".bytes,
            at: Self.clock
        )
        #expect(ours.isAllowed == isAllowed, "ours")
        #expect(try accepts(ssh, "me") == isAllowed, "ssh-keygen's")
    }

    @Test(
        arguments: [
            "me ONE", "me,you@example.org ONE", "*@example.org,!x ONE", "you TWO\nme ONE\nalso ONE",
            "you TWO",
            "me unknown ONE\nalso ONE", "me namespaces=\"file\" ONE",
            "me valid-before=\"20260101Z\" ONE\nalso ONE",
            "me valid-after=\"20270101Z\" ONE", "\"a b,c\" ONE", "",
        ]
    )
    func `the names of a key are those that ssh-keygen finds`(text: String) throws {
        let ssh = try OpenSSH()
        let file = text.naming(["ONE": keys[0], "TWO": keys[1]])
        let signature = try signature(ssh)
        try ssh.write(file.bytes, to: "allowed")
        let ours = AllowedSigners(file.bytes).principals(of: signature.key, at: Self.clock)
        #expect(try ours.map(\.text) == found(ssh))
    }

    @Test(
        arguments: [
            ("me", "* cert-authority CA", true), ("me", "me cert-authority CA", true),
            ("me,you", "m* cert-authority CA", true), ("you", "* cert-authority CA", false),
            ("me", "* CA", false), ("me", "* cert-authority OTHER", false), ("me", "me PLAIN", false),
            ("me", "* cert-authority,namespaces=\"file\" CA", false),
            ("me", "* cert-authority,valid-before=\"20250101Z\" CA", false),
            ("", "* cert-authority CA", false), ("m*", "* cert-authority CA", false),
        ] as [(String, String, Bool)]
    )
    func `a certificate lets sign whom ssh-keygen lets sign`(
        principals: String,
        text: String,
        isAllowed: Bool
    ) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("user", type: ["ed25519"])
        let names = principals.isEmpty ? [] : ["-n", principals]
        try ssh.keygen(
            ["-q", "-s", keys.ssh.path("two"), "-I", "id", "-V", "20260101Z:20270101Z"] + names + ["user.pub"]
        )
        let plain = try PublicKey(line: try ssh.read("user.pub"))
        let arguments = ["-q", "-Y", "sign", "-f", "user-cert.pub", "-n", "git"]
        try ssh.write(try ssh.keygen(arguments, input: [1, 2, 3]), to: "sig")
        let signature = try FileSignature(armored: try ssh.read("sig"))
        #expect(signature.key.algorithm.isCertificate)
        try signature.verify([1, 2, 3], namespace: "git".bytes)
        let file = text.naming(["CA": keys[1], "OTHER": keys[2], "PLAIN": plain])
        try ssh.write(file.bytes, to: "allowed")
        let signers = AllowedSigners(file.bytes)
        func accept(at time: UInt64) throws -> Bool {
            let verdict = try signers.verify(
                signature,
                of: [1, 2, 3],
                by: "me".bytes,
                namespace: "git".bytes,
                at: time
            )
            return verdict.isAllowed
        }
        #expect(try accept(at: Self.clock) == isAllowed)
        #expect(try accepts(ssh, "me") == isAllowed)
        #expect(try !accept(at: 1_830_000_000))
        #expect(try !accepts(ssh, "me", "20280101Z"))
        #expect(try signers.principals(of: signature.key, at: Self.clock).map(\.text) == found(ssh))
    }

    @Test func `times without Z are those of the clock that is given`() throws {
        let line = "me valid-after=\"20260528202640\" ".bytes + keys[0].typeAndBase64
        let berlin = AllowedSigners(line, localToUTC: { $0 - 7200 })
        let signer = try #require(berlin.entries.first?.signer)
        #expect(signer.validAfter?.isUTC == false)
        func verdict(at time: UInt64) -> SignerVerdict {
            berlin.verdict(on: keys[0], principal: "me".bytes, namespace: "git".bytes, at: time)
        }
        #expect(verdict(at: Self.clock - 7200).isAllowed)
        #expect(verdict(at: Self.clock - 7201) == .refused(.notYetValid))
    }

    @Test func `a line that cannot be read is told, and the others count`() throws {
        let key = keys[0].typeAndBase64
        let file = "# x\n\nme wrong ".bytes + key + "\nme ".bytes + key + "\nme ssh-ed25519 AAAA\n\"me".bytes
        let signers = AllowedSigners(file)
        #expect(signers.entries.map(\.line) == [4])
        #expect(signers.faults.map(\.line) == [3, 5, 6])
        #expect(signers.faults.map(\.error) == [.badOption, .badOption, .badPrincipals])
    }

    @Test func `a line that is printed is read back by both`() throws {
        let ssh = try OpenSSH()
        _ = try signature(ssh)
        var key = keys[0]
        key.comment = "a b\nme".bytes
        let signer = try AllowedSigner(principals: "me,you".bytes, key: key, namespaces: "git".bytes)
        try ssh.write(signer.line + [0x0A], to: "allowed")
        #expect(try accepts(ssh, "me"))
        #expect(try AllowedSigner.read(signer.line)?.line == signer.line)
        let spaced = try AllowedSigner(principals: "Jo Doe".bytes, key: keys[0], isAuthority: true)
        #expect(try AllowedSigner.read(spaced.line) == spaced)
        for bad in ["", "#x", "a\"b", "a\nb", "a\\", "a\0"] {
            #expect(throws: SSHFormatError.badPrincipals) {
                try AllowedSigner(principals: bad.bytes, key: keys[0])
            }
        }
    }

    @Test(arguments: [
        "\"#x\" ONE", "\"a b\" ONE", "a\"#\" ONE", "me namespaces=\"a\\\"b\" ONE",
        "me namespaces=\"\\\\\"\" ONE",
        "me namespaces=\" \" ONE",
    ])
    func `a line that was read is printed so that it says the same`(text: String) throws {
        let line = text.naming(["ONE": keys[0]]).bytes
        let signer = try #require(try AllowedSigner.read(line))
        #expect(try AllowedSigner.read(signer.line) == signer)
    }

    @Test func `no bytes make reading fail otherwise than with an error`() throws {
        let key = keys[0].typeAndBase64
        let line =
            "me,y* cert-authority,namespaces=\"git,x\",valid-after=\"20260101Z\" ".bytes + key + " c".bytes
        for index in line.indices {
            for byte in [0, 0x0A, 0x0D, 0x22, 0x20, 0xFF, line[index] ^ 1] as [UInt8] {
                var changed = line
                changed[index] = byte
                let signers = AllowedSigners(changed)
                #expect(signers.entries.count + signers.faults.count <= 2)
            }
            let cut = AllowedSigners(Array(line.prefix(index)))
            #expect(cut.entries.isEmpty || index >= line.count - 3)
        }
    }
}
