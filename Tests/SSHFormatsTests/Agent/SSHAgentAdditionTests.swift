import SSHFormats
import Support
import Testing
import VaultCrypto

@Suite struct SSHAgentAdditionTests {
    private static let lifetime: [UInt8] = [1, 0, 0, 0, 60]
    private static let confirm: [UInt8] = [2]

    private static func key() throws -> PrivateKey {
        try PrivateKey.ed25519(comment: "mine".bytes, entropy: .system)
    }

    private static func read(_ message: [UInt8]) throws -> SSHAgentAddition {
        guard case .add(let addition) = try AgentMessages.read(message) else {
            throw SSHFormatError.malformed
        }
        return addition
    }

    @Test func `a key of each type comes as it was sent`() throws {
        let keys =
            [try Self.key()] + (try ECDSACurve.allCases.map { try PrivateKey.ecdsa($0, entropy: .system) })
            + [try PrivateKey.rsa(bits: 3072)]
        for key in keys {
            let addition = try Self.read(try AgentMessages.addition(key))
            #expect(addition.key.publicKey == key.publicKey)
            #expect(addition.lifetime == nil && !addition.needsConfirmation && addition.destinations == nil)
            let prepared = try PreparedKey(addition.key)
            let data = "data".bytes
            let signature = try prepared.sign(
                data,
                as: .file(namespace: []),
                flags: SSHAgentRequest.rsaSHA256
            )
            try key.publicKey.verify(try SSHSignature(wire: signature), message: data)
        }
    }

    /// A message that adds a key with its certificate: the secret fields alone follow the certificate.
    private static func addition(_ key: PrivateKey, _ certificate: PublicKey, _ more: [UInt8] = []) throws
        -> [UInt8]
    {
        var fields = WireReader(AgentMessages.exposed(try key.wire()))
        _ = try fields.string()
        // Of an ECDSA key curve and point are in the certificate, of an RSA key both public numbers.
        let isWhole = [.ed25519, .securityEd25519].contains(key.algorithm)
        for _ in 0..<(isWhole ? 0 : 2) { _ = try fields.string() }
        let secrets = try fields.take(fields.remaining)
        return AgentMessages.writing { message in
            message.byte(more.isEmpty ? 17 : 25)
            message.string(certificate.algorithm.name)
            message.string(certificate.blob)
            message.raw(secrets)
            message.string(key.comment)
            message.raw(more)
        }
    }

    private static func keys() throws -> [PrivateKey] {
        [try key()] + (try ECDSACurve.allCases.map { try PrivateKey.ecdsa($0, entropy: .system) })
            + [try PrivateKey.rsa(bits: 3072)]
    }

    /// A security key in software, as the CA of a certificate.
    private static func securityCA() throws -> (PublicKey, ([UInt8]) throws -> [UInt8]) {
        let soft = try PrivateKey.ed25519(entropy: .system)
        let blob = AgentMessages.writing { blob in
            blob.string("sk-ssh-ed25519@openssh.com")
            blob.string(Array(soft.publicKey.blob.suffix(32)))
            blob.string("ssh:")
        }
        let sign = { (message: [UInt8]) throws -> [UInt8] in
            let trailer: [UInt8] = [1, 0, 0, 0, 7]
            let value = try soft.sign(Hash.sha256("ssh:".bytes) + trailer + Hash.sha256(message)).value
            return AgentMessages.writing { wire in
                wire.string("sk-ssh-ed25519@openssh.com")
                wire.string(value)
                wire.raw(trailer)
            }
        }
        return (try PublicKey(blob: blob), sign)
    }

    @Test func `a certificate of every type comes with its key, by a CA of every type, or not at all`() throws
    {
        let (ca, sign) = try Self.securityCA()
        for key in try Self.keys() {
            let certificates =
                try Self.keys().map { try SSHCertificates.make(of: key.publicKey, by: $0) }
                + [try SSHCertificates.make(of: key.publicKey, by: ca, sign: sign)]
            for certificate in certificates {
                for constraints in [[], Self.lifetime] {
                    let addition = try Self.read(try Self.addition(key, certificate, constraints))
                    #expect(addition.certificate?.blob == certificate.blob)
                    // OpenSSH could read no list of keys with this one in it.
                    let forged = try Self.addition(key, try SSHCertificates.forged(certificate), constraints)
                    #expect(throws: SSHFormatError.self, "\(certificate.algorithm)") { try Self.read(forged) }
                }
            }
        }
    }

    @Test(arguments: [
        ("a\0b", false), ("\0", false), ("a\nssh-ed25519 AAAA", false), ("a\r", false), ("", true),
        ("\u{FC} \u{1B}", true),
        (String(repeating: "x", count: 1_024), true), (String(repeating: "x", count: 1_025), false),
        (String(repeating: "x", count: 200_000), false),
    ])
    func `a comment that makes a list unreadable or fills it is refused`(comment: String, isTaken: Bool)
        throws
    {
        var key = try Self.key()
        key.comment = comment.bytes
        for constraints in [[], Self.lifetime] {
            let message = try AgentMessages.addition(key, constraints)
            #expect(((try? Self.read(message)) != nil) == isTaken)
        }
    }

    @Test func `a long certificate leaves no key out of a list`() throws {
        let (key, other) = (try Self.key(), try Self.key().publicKey)
        let names = (0..<256).map { "\($0)" + String(repeating: "x", count: 900) }
        let long = try SSHCertificates.make(of: key.publicKey, by: try Self.key(), principals: names)
        let identities = [long, key.publicKey, long, other].map { SSHAgentReply.Identity($0) }
        let frame = SSHAgentReply.identities(identities).frame
        var reader = WireReader(Array(frame.dropFirst(5)))
        let blobs = try (0..<reader.uint32()).map { _ in
            let blob = try reader.string()
            _ = try reader.string()
            return blob
        }
        #expect(blobs == [long.blob, key.publicKey.blob, other.blob])
    }

    @Test func `conditions are read, with either number of the message`() throws {
        let host = try Self.key().publicKey
        let way = AgentMessages.way(
            from: AgentMessages.hop("", []),
            to: AgentMessages.hop("h", [host], user: "m*")
        )
        let constraints = Self.lifetime + Self.confirm + AgentMessages.restriction([way])
        var message = try AgentMessages.addition(try Self.key(), constraints)
        for code: UInt8 in [17, 25] {
            message[0] = code
            let addition = try Self.read(message)
            #expect(addition.lifetime == 60)
            #expect(addition.needsConfirmation)
            #expect(addition.destinations?.count == 1)
            #expect(addition.destinations?.first?.to.user == "m*".bytes)
        }
    }

    @Test func `a condition that is unknown, doubled or cut refuses the key`() throws {
        let key = try Self.key()
        let host = try Self.key().publicKey
        let (here, there) = (AgentMessages.hop("", []), AgentMessages.hop("h", [host]))
        let way = AgentMessages.way(from: here, to: there)
        let restriction = AgentMessages.restriction([way])
        func named(_ name: String) -> [UInt8] {
            AgentMessages.writing { constraint in
                constraint.byte(255)
                constraint.string(name)
                constraint.string("x")
            }
        }
        var reserved = way
        reserved[reserved.count - 1] = 1
        let bad: [[UInt8]] = [
            Self.lifetime + Self.lifetime, Self.confirm + Self.confirm, restriction + restriction, [3], [0],
            [254],
            named("sk-provider@openssh.com"), named("associated-certs-v00@openssh.com"),
            named("more@example.org"),
            AgentMessages.restriction([]), AgentMessages.restriction([[]]),
            AgentMessages.restriction([AgentMessages.way(from: there, to: here)]),
            AgentMessages.restriction([AgentMessages.way(from: AgentMessages.hop("h", []), to: there)]),
            AgentMessages.restriction([
                AgentMessages.way(from: AgentMessages.hop("", [], user: "u"), to: there)
            ]),
            AgentMessages.restriction([reserved + [0]]),
            AgentMessages.restriction([[UInt8]](repeating: way, count: DestinationConstraint.maximum + 1)),
        ]
        for constraints in bad {
            let message = try AgentMessages.addition(key, constraints)
            #expect(throws: SSHFormatError.self, "\(constraints.prefix(40))") { try Self.read(message) }
        }
        let whole = Self.lifetime + Self.confirm + restriction
        for count in 1..<whole.count where count != Self.lifetime.count && count != Self.lifetime.count + 1 {
            let message = try AgentMessages.addition(key, Array(whole.prefix(count)))
            #expect(throws: SSHFormatError.self, "\(count)") { try Self.read(message) }
        }
    }

    /// The handle of a key in a security key.
    private static func handle(
        _ type: String = "sk-ssh-ed25519@openssh.com",
        _ half: PublicKey? = nil,
        bytes: Int = 64
    ) throws -> PrivateKey {
        var half = WireReader(try (half ?? key().publicKey).blob)
        _ = try half.string()
        let fields = try half.take(half.remaining)
        let wire = AgentMessages.writing { wire in
            wire.string(type)
            wire.raw(fields)
            wire.string("ssh:")
            wire.byte(1)
            wire.string([UInt8](repeating: 0xAB, count: bytes))
            wire.string("")
        }
        return try PrivateKey(wire: try Secret(copying: wire), publicKey: nil)
    }

    private static func provider(_ name: String) -> [UInt8] {
        AgentMessages.writing { constraint in
            constraint.byte(255)
            constraint.string("sk-provider@openssh.com")
            constraint.string(name)
        }
    }

    @Test func `a handle comes with the library that is in ssh-sk-helper, and with no other`() throws {
        let inside = Self.provider("internal")
        let handle = try Self.handle()
        for constraints in [inside, Self.lifetime + inside + Self.confirm] {
            let addition = try Self.read(AgentMessages.addition(handle, constraints))
            #expect(addition.key.isHandle && addition.key.publicKey == handle.publicKey)
            #expect((addition.lifetime == 60) == (constraints.count > inside.count))
        }
        for constraints in [
            [], Self.confirm, inside + inside, Self.provider(""), Self.provider("/tmp/key.so"),
            Self.provider("internal\0"), Self.provider("internal/../key.so"), Array(inside.dropLast()),
        ] {
            let message = try AgentMessages.addition(handle, constraints)
            #expect(throws: SSHFormatError.self, "\(constraints)") { try Self.read(message) }
        }
        // A key that is not in a security key needs no library.
        #expect(throws: SSHFormatError.badOption) {
            try Self.read(AgentMessages.addition(Self.key(), inside))
        }
        let huge = try AgentMessages.addition(Self.handle(bytes: 9_000), inside)
        #expect(throws: SSHFormatError.oversized(limit: 8_192)) { try Self.read(huge) }
    }

    @Test func `a handle of either type comes with its certificate`() throws {
        let (inside, ca) = (Self.provider("internal"), try Self.key())
        let soft = try PrivateKey.ecdsa(.p256, entropy: .system).publicKey
        for key in try [Self.handle(), Self.handle("sk-ecdsa-sha2-nistp256@openssh.com", soft)] {
            let certificate = try SSHCertificates.make(of: key.publicKey, by: ca)
            let message = try Self.addition(key, certificate, Self.confirm + inside)
            let addition = try Self.read(message)
            #expect(addition.certificate?.blob == certificate.blob && addition.needsConfirmation)
            #expect(AgentMessages.exposed(try addition.key.wire()) == AgentMessages.exposed(try key.wire()))
            for constraints in [[], Self.confirm, Self.provider("/tmp/key.so")] {
                #expect(throws: SSHFormatError.badOption) {
                    try Self.read(Self.addition(key, certificate, constraints))
                }
            }
            let forged = try Self.addition(key, try SSHCertificates.forged(certificate), inside)
            #expect(throws: SSHFormatError.self) { try Self.read(forged) }
            for count in 1..<message.count {
                let cut = Array(message.prefix(count))
                #expect(throws: SSHFormatError.self, "\(count)") { try Self.read(cut) }
            }
        }
        let (one, other, huge) = (try Self.handle(), try Self.handle(), try Self.handle(bytes: 8_192))
        let foreign = try SSHCertificates.make(of: other.publicKey, by: ca)
        #expect(throws: SSHFormatError.halvesDiffer) { try Self.read(Self.addition(one, foreign, inside)) }
        let own = try SSHCertificates.make(of: huge.publicKey, by: ca)
        #expect(throws: SSHFormatError.oversized(limit: 8_192)) {
            try Self.read(Self.addition(huge, own, inside))
        }
    }

    @Test func `a message that ends early is refused at every place`() throws {
        let message = try AgentMessages.addition(try Self.key())
        for count in 1..<message.count {
            #expect(throws: SSHFormatError.self, "\(count)") { try Self.read(Array(message.prefix(count))) }
        }
    }

    @Test func `halves that do not belong together are refused`() throws {
        var message = try AgentMessages.addition(try Self.key())
        // The public half, the seed, and the second copy of the public half.
        for place in [25, 60, 95] {
            message[place] ^= 1
            #expect(throws: SSHFormatError.self) { try Self.read(message) }
            message[place] ^= 1
        }
        #expect(try Self.read(message).key.comment == "mine".bytes)
    }

    @Test func `RSA with SHA-1 signs raw data and nothing else`() throws {
        let key = try PreparedKey(try PrivateKey.rsa(bits: 3072))
        let login = SignedData(AgentMessages.login(key.publicKey), for: key.publicKey)
        for form in [login, .file(namespace: "git".bytes), .certificate] {
            #expect(throws: SSHFormatError.sha1Refused) { try key.sign([1], as: form, flags: 0) }
        }
        let raw = try key.sign([1], as: .raw, flags: 0)
        #expect(raw.prefix(11) == [0, 0, 0, 7] + "ssh-rsa".bytes[...])
        // Asked for both, OpenSSH takes SHA-256.
        #expect(try SSHSignature(wire: try key.sign([1], as: .raw, flags: 6)).algorithm == .rsaSHA256)
        #expect(try SSHSignature(wire: try key.sign([1], as: .raw, flags: 4)).algorithm == .rsaSHA512)
    }
}
