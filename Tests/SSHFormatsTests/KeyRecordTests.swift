import Testing
import VaultCrypto

@testable import SSHFormats

/// The content of a key's record.
struct KeyRecordTests {
    private static func record(_ key: PrivateKey) throws -> KeyRecord {
        var record = KeyRecord(key, origin: .openSSH, hadPassphrase: true)
        record.state = .retired
        record.removedAt = 1_800_000_000
        record.retiredAt = 1_700_000_000
        record.related = [UInt8](repeating: 7, count: 32)
        record.use.needsConfirmation = true
        record.use.lifetime = 3600
        record.use.hosts = ["db1.example.org", "[db2]:2222"]
        record.use.namespaces = ["git", "file"]
        return record
    }

    private static func keys() throws -> [PrivateKey] {
        let entropy = Entropy.seeded([1])
        let comment = Array("a comment".utf8)
        return [
            try .ed25519(comment: comment, entropy: entropy),
            try .ecdsa(.p256, comment: [0xFF, 0x0A], entropy: entropy),
            try .ecdsa(.p384, entropy: entropy), try .ecdsa(.p521, comment: comment, entropy: entropy),
            try .rsa(bits: 3072, comment: comment),
        ]
    }

    @Test func `the index has the words of ssh-records.md`() {
        #expect(KeyRecord.State.allCases.map(\.word) == ["active", "retired", "aside"])
        #expect(
            KeyRecord.Origin.allCases.map(\.word) == ["generated", "openSSH", "pem", "rotation", "putty"]
        )
    }

    @Test func `what was written is read, and written again the same`() throws {
        for key in try Self.keys() {
            let content = try Self.record(key).content()
            let again = try KeyRecord(content: content)
            #expect(again.publicKey == key.publicKey)
            #expect(again.state == .retired)
            #expect(again.origin == .openSSH)
            #expect(again.hadPassphrase)
            #expect(again.removedAt == 1_800_000_000)
            #expect(again.retiredAt == 1_700_000_000)
            #expect(again.use == (try Self.record(key)).use)
            #expect(ConstantTime.equal(try again.content(), content))
            #expect(ConstantTime.equal(try again.key.wire(), try key.wire()))
        }
    }

    @Test func `every truncation is refused`() throws {
        let content = try Self.record(try .ed25519(entropy: .seeded([2]))).content()
        for count in 0..<content.count {
            let part = Secret(try content.slice(0..<count))
            #expect(throws: SSHFormatError.self) { try KeyRecord(content: part) }
        }
        let longer = Secret(try SecretBytes.joined(content, [0]))
        #expect(throws: SSHFormatError.trailingBytes) { try KeyRecord(content: longer) }
    }

    @Test func `every changed byte is refused or read as another record`() throws {
        let content = try Self.record(try .ed25519(entropy: .seeded([3]))).content()
        let bytes = content.withBytes { $0.copied() }
        for index in bytes.indices {
            for change in [UInt8(1), 0x80, 0xFF] {
                var changed = bytes
                changed[index] ^= change
                guard let record = try? KeyRecord(content: try Secret(copying: changed)) else { continue }
                // One content for one state: whatever is read is what its own content says.
                #expect(try record.content().withBytes { $0.copied() } == changed)
            }
        }
    }

    @Test func `a newer version is said to be one`() throws {
        let bytes = try Self.record(try .ed25519(entropy: .seeded([4]))).content().withBytes { $0.copied() }
        let newer = try Secret(copying: [2] + bytes.dropFirst())
        #expect(throws: SSHFormatError.unsupportedVersion(2)) { try KeyRecord(content: newer) }
    }

    @Test(arguments: [
        ("work", true), ("id_ed25519", true), ("me@host", true), ("ключ", true), ("é", true),
        ("a.b-c+d", true),
        ("", false), (".hidden", false), ("-x", false), ("a/b", false), ("a b", false), ("a\nb", false),
        ("a%b", false), ("a\u{202E}b", false), ("a\u{200B}b", false), ("a'b", false), ("a\"b", false),
        ("*", false),
    ])
    func `names are names of files, too`(name: String, isValid: Bool) {
        #expect(KeyName.isValid(name) == isValid)
        if let made = KeyName.made(from: name) { #expect(KeyName.isValid(made)) }
    }

    @Test func `names have a longest length`() {
        #expect(KeyName.isValid(String(repeating: "a", count: 100)))
        #expect(!KeyName.isValid(String(repeating: "a", count: 101)))
        #expect(KeyName.made(from: String(repeating: "é", count: 500)).map { $0.utf8.count <= 100 } == true)
        #expect(KeyName.made(from: "my key") == "my-key")
        #expect(KeyName.made(from: "/.") == nil)
    }

    @Test(arguments: [
        ("-----BEGIN OPENSSH PRIVATE KEY-----\n", KeyContainer.openSSH),
        ("text\r\n  -----BEGIN OPENSSH PRIVATE KEY-----\r\n", .openSSH),
        ("-----BEGIN RSA PRIVATE KEY-----\n", .pem), ("-----BEGIN PRIVATE KEY-----", .pem),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", .pem), ("-----BEGIN EC PRIVATE KEY-----\n", .pem),
        ("-----BEGIN DSA PRIVATE KEY-----\n", .dsa),
        ("-----BEGIN CERTIFICATE-----\n", .other), ("PuTTY-User-Key-File-3: ssh-rsa\n", .putty),
        ("---- BEGIN SSH2 PUBLIC KEY ----\n", .publicKey), ("", .other), ("\n\n\n", .other),
        ("ssh-ed25519 not-base64", .other),
    ])
    func `files are told apart by a line`(text: String, container: KeyContainer) {
        #expect(KeyContainer(Array(text.utf8)) == container)
    }

    @Test func `pkcs8 comes home`() throws {
        let key = try PrivateKey.ed25519(entropy: .seeded([5]))
        let home = try PrivateKey(ed25519InPKCS8: try key.pkcs8())
        #expect(home.publicKey.isSameKey(as: key.publicKey))
        let other = try PrivateKey.ecdsa(.p256, entropy: .seeded([5])).pkcs8()
        #expect(throws: SSHFormatError.unsupportedKeyType) { try PrivateKey(ed25519InPKCS8: other) }
    }

    @Test func `a message to an agent is a key, or an error`() throws {
        for key in try Self.keys() {
            var message = WireWriter()
            message.byte(17)
            let wire = try key.wire()
            message.raw(wire.withBytes { $0.copied() })
            message.string(key.comment)
            let read = try PrivateKey(addition: try Secret(copying: message.bytes))
            #expect(read.publicKey == key.publicKey)
            for count in [0, 1, 5, message.bytes.count - 1] {
                let cut = try Secret(copying: Array(message.bytes.prefix(count)))
                #expect(throws: SSHFormatError.self) { try PrivateKey(addition: cut) }
            }
        }
    }
}
