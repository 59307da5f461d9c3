import SSHFormats
import Testing

struct PublicKeyTests {
    @Test(arguments: KeyKind.allCases)
    func `a public key is read and printed as ssh-keygen wrote it`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments, comment: "who@where  twice")
        let file = try ssh.read("id.pub")
        let key = try PublicKey(line: file)
        #expect(key.line + [0x0A] == file)
        #expect(key.comment == "who@where  twice".bytes)
        #expect(try PublicKey(blob: key.blob).isSameKey(as: key))
        let shown = try ssh.keygen(["-l", "-f", "id.pub"]).text
        let type = key.algorithm.shortName
        #expect(shown == "\(key.bits ?? 0) \(key.fingerprint) who@where  twice (\(type))\n")
        let old = try ssh.keygen(["-l", "-E", "md5", "-f", "id.pub"]).text
        #expect(old.contains(" \(Fingerprint(of: key, .md5)) "))
    }

    @Test func `fields may stand apart as they like`() throws {
        let key = try example()
        let fields = key.typeAndBase64.text.split(separator: " ")
        for text in [
            "\(fields[0])\t  \(fields[1])", " \t\(fields[0]) \(fields[1]) \r\n",
            "\(fields[0]) \(fields[1])\n",
        ] {
            let read = try PublicKey(line: text.bytes)
            #expect(read.isSameKey(as: key))
            #expect(read.comment.isEmpty)
        }
        let commented = try PublicKey(line: "\(fields[0]) \(fields[1]) \t c  d ".bytes)
        #expect(commented.comment == "c  d ".bytes)
    }

    @Test func `a comment that is not UTF-8 is kept`() throws {
        var key = try example()
        key.comment = [0x63, 0xE9, 0xFF]
        #expect(try PublicKey(line: key.line) == key)
    }

    @Test func `text that is no key says why not`() throws {
        let fields = try example().typeAndBase64.text.split(separator: " ").map(String.init)
        let cases: [(String, SSHFormatError)] = [
            ("", .noKey), ("ssh-ed25519", .noKey), ("ssh-ed25519 ", .noKey),
            ("ssh-ed25519 A", .malformedBase64), ("ssh-ed25519 A\u{0B}AAA", .malformedBase64),
            ("ssh-ed25519 AAAA", .truncated), ("ssh-rsa \(fields[1])", .typeMismatch),
            ("ssh-ed25519 \(fields[1])=", .malformedBase64), ("ssh-ed25519 \(fields[1])AAAA", .trailingBytes),
            ("\(fields[0]) \(fields[1])\nmore", .noKey), ("\(fields[0])\0\(fields[1])", .noKey),
        ]
        for (text, error) in cases {
            #expect(throws: error, "\(text)") { try PublicKey(line: text.bytes) }
        }
    }

    @Test func `a key of an unknown type is kept as it is`() throws {
        var writer = WireWriter()
        writer.string("ssh-mldsa44-ed25519@openssh.com")
        writer.string([1, 2, 3])
        writer.raw([4])
        let key = try PublicKey(blob: writer.bytes, comment: [0x78])
        #expect(key.algorithm == .unknown("ssh-mldsa44-ed25519@openssh.com"))
        #expect(key.bits == nil)
        #expect(try PublicKey(line: key.line) == key)
        #expect(!key.algorithm.isUsable)
    }

    @Test func `a DSA key is refused by name`() {
        var writer = WireWriter()
        writer.string("ssh-dss")
        #expect(throws: SSHFormatError.dsaRefused) { try PublicKey(blob: writer.bytes) }
    }

    @Test func `a short RSA key is refused with its size`() {
        var writer = WireWriter()
        writer.string("ssh-rsa")
        writer.mpint([1, 0, 1])
        writer.mpint([0x7F] + [UInt8](repeating: 0xFF, count: 127))
        #expect(throws: SSHFormatError.rsaTooShort(bits: 1023)) { try PublicKey(blob: writer.bytes) }
    }

    @Test(arguments: ECDSACurve.allCases)
    func `a point that is not on its curve is refused`(curve: ECDSACurve) {
        var writer = WireWriter()
        writer.string("ecdsa-sha2-" + curve.rawValue)
        writer.string(curve.rawValue)
        writer.string([4] + [UInt8](repeating: 1, count: curve.pointSize - 1))
        #expect(throws: SSHFormatError.badKey) { try PublicKey(blob: writer.bytes) }
    }

    @Test(arguments: KeyKind.quick)
    func `the form of RFC 4716 goes both ways`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        let key = try PublicKey(line: try ssh.read("id.pub"))
        let theirs = try ssh.keygen(["-e", "-m", "RFC4716", "-f", "id.pub"])
        #expect(try PublicKey(rfc4716: theirs).isSameKey(as: key))
        let windows = Array(theirs.map { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }.joined())
        #expect(try PublicKey(rfc4716: windows).isSameKey(as: key))
        try ssh.write(key.rfc4716, to: "id.rfc")
        let back = try PublicKey(line: try ssh.keygen(["-i", "-m", "RFC4716", "-f", "id.rfc"]))
        #expect(back.isSameKey(as: key))
    }

    @Test(arguments: [0, 1, 61, 62, 63, 133, 134, 400])
    func `a comment comes back from RFC 4716, over several lines when it is long`(count: Int) throws {
        var key = try example()
        key.comment = (0..<count).map { UInt8(0x61 + $0 % 26) }
        #expect(try PublicKey(rfc4716: key.rfc4716) == key)
        for line in key.rfc4716.split(separator: 0x0A) { #expect(line.count <= 72) }
        let ssh = try OpenSSH()
        try ssh.write(key.rfc4716, to: "id.rfc")
        let back = try PublicKey(line: try ssh.keygen(["-i", "-m", "RFC4716", "-f", "id.rfc"]))
        #expect(back.isSameKey(as: key))
    }

    @Test func `a comment keeps its blanks where RFC 4716 breaks the line`() throws {
        var key = try example()
        for count in 55...75 {
            key.comment = [UInt8](repeating: 0x61, count: count) + [0x20, 0x20, 0x09, 0x62]
            #expect(try PublicKey(rfc4716: key.rfc4716) == key)
            key.comment = Array(key.comment.map { $0 == 0x61 ? [0x5C] : [$0] }.joined())
            #expect(try PublicKey(rfc4716: key.rfc4716) == key)
        }
    }

    @Test func `a fingerprint is read as it is printed`() throws {
        let key = try example()
        for kind in Fingerprint.Kind.allCases {
            let fingerprint = Fingerprint(of: key, kind)
            #expect(Fingerprint(fingerprint.description) == fingerprint)
        }
        #expect(Fingerprint(key.fingerprint.description + "=") == key.fingerprint)
        let bare = String(Fingerprint(of: key, .md5).description.dropFirst(4))
        #expect(Fingerprint(bare) == Fingerprint(of: key, .md5))
        for text in [
            "", "SHA256:", "SHA256:AAAA", "MD5:00", "sha256:" + key.fingerprint.description.dropFirst(7),
        ] {
            #expect(Fingerprint(text) == nil)
        }
    }

    @Test(arguments: KeyAlgorithm.plain + KeyAlgorithm.plain.map(KeyAlgorithm.certificate))
    func `every type has its name and is found by it`(algorithm: KeyAlgorithm) {
        #expect(KeyAlgorithm(name: algorithm.name) == algorithm)
        #expect(algorithm.isCertificate == algorithm.name.hasSuffix("-cert-v01@openssh.com"))
    }

    private func example() throws -> PublicKey {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: ["ed25519"], comment: "")
        return try PublicKey(line: try ssh.read("id.pub"))
    }
}
