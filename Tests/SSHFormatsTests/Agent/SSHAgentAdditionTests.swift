import SSHFormats
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
