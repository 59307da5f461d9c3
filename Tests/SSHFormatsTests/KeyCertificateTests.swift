import SSHFormats
import Support
import Testing
import VaultCrypto

/// Which of a key's certificates is the one to be renewed, and when.
struct KeyCertificateTests {
    private let ssh: OpenSSH

    init() throws {
        ssh = try OpenSSH()
        for name in ["ca", "id"] { try ssh.makeKey(name, type: ["ed25519"]) }
    }

    /// A record with a certificate for each end, of the principals that belong to it.
    private func record(_ certificates: [(principals: String, end: String)]) throws -> KeyRecord {
        var record = KeyRecord(try OpenSSHKeyFile.key(try ssh.read("id")), origin: .openSSH)
        for (principals, end) in certificates {
            let validity = end == "forever" ? "always:forever" : "19700101000001Z:\(end)Z"
            // OpenSSH before 9.0 knows only local time, which is UTC here.
            try ssh.keygen([
                "-q", "-s", "ca", "-I", "x", "-n", principals, "-V", validity.replacing("Z", with: ""),
                "id.pub",
            ])
            try record.add(try PublicKey(line: try ssh.read("id-cert.pub")))
        }
        return record
    }

    @Test func `the first end counts, but not of a certificate that a later one takes the place of`() throws {
        let (early, late): (UInt64, UInt64) = (1_767_225_600, 1_798_761_600)
        let (first, second) = ("20260101000000", "20270101000000")
        let cases: [([(principals: String, end: String)], UInt64?)] = [
            ([], nil), ([("a", "forever")], nil), ([("a", first)], early),
            ([("a", first), ("a", second)], late), ([("a", second), ("a", first)], late),
            ([("a", first), ("b", second)], early), ([("a", first), ("b,a", second)], late),
            ([("a,b", first), ("a", second)], early), ([("a", first), ("a", "forever")], nil),
        ]
        for (certificates, end) in cases {
            #expect(try record(certificates).certificateEnd == end, "\(certificates)")
        }
    }

    @Test func `one that no CA has signed is refused, and let go of where it was kept before`() throws {
        var record = try record([("a", "forever")])
        let good = try #require(record.certificates.first)
        #expect(throws: SSHFormatError.badSignature) { try record.add(try SSHCertificates.forged(good)) }
        #expect(record.certificates == [good])
        // The content of a record of before: its certificate ends with the signature.
        let content = try record.content().withBytes { $0.copied() }
        let tail = Array(good.blob.suffix(16))
        let place = try #require(content.indices.last { content[...$0].suffix(16).elementsEqual(tail) })
        var bytes = content
        bytes[place] ^= 1
        var old = try KeyRecord(content: Secret(copying: bytes))
        #expect(old.certificates.count == 1 && old.signedCertificates.isEmpty)
        var change = KeyChange()
        change.dropsUnsigned = true
        change.apply(to: &old, at: 0)
        change.apply(to: &record, at: 0)
        #expect(old.certificates.isEmpty && record.certificates == [good])
    }

    @Test func `only what is past its time is let go of`() throws {
        var record = try record([("a", "20260101000000"), ("a", "20270101000000"), ("b", "forever")])
        #expect(record.dropCertificates(pastAt: 1_767_225_599) == 0)
        #expect(record.dropCertificates(pastAt: 1_767_225_600) == 1)
        #expect(record.certificates.count == 2)
        #expect(try KeyRecord(content: try record.content()).certificateEnd == 1_798_761_600)
        // What has no end is never past it.
        #expect(record.dropCertificates(pastAt: .max) == 1)
        #expect(record.certificates.count == 1)
        #expect(record.certificateEnd == nil)
    }
}
