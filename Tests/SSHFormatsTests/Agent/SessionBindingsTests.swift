import SSHFormats
import Testing
import VaultCrypto

@Suite struct SessionBindingsTests {
    private static let now: UInt64 = 1_800_000_000

    private static func key() throws -> PrivateKey { try PrivateKey.ed25519(entropy: .system) }
    private static func session(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    @Test func `a bind that the host has not signed is refused, and remembered as such`() throws {
        let host = try Self.key()
        let good = try AgentMessages.bind(host)
        for bad in [
            SessionBind(
                hostKey: try Self.key().publicKey,
                sessionID: good.sessionID,
                signature: good.signature,
                isForwarding: false
            ),
            SessionBind(
                hostKey: good.hostKey,
                sessionID: Self.session(1),
                signature: good.signature,
                isForwarding: false
            ),
            SessionBind(hostKey: good.hostKey, sessionID: good.sessionID, signature: [], isForwarding: false),
        ] {
            var bindings = SessionBindings()
            #expect(throws: SessionBindings.Refusal.unproven) { try bindings.add(bad) }
            #expect(bindings.hasFailed && bindings.isForwarded && bindings.all.isEmpty)
        }
    }

    @Test func `a connection for a login binds nothing more, not even the same again`() throws {
        let host = try Self.key()
        var bindings = SessionBindings()
        try bindings.add(try AgentMessages.bind(host))
        #expect(throws: SessionBindings.Refusal.isForLogin) {
            try bindings.add(try AgentMessages.bind(host, Self.session(1), isForwarding: true))
        }
        #expect(throws: SessionBindings.Refusal.isForLogin) { try bindings.add(try AgentMessages.bind(host)) }
        #expect(bindings.all.count == 1)
    }

    @Test func `one session has one key, and there are not too many of them`() throws {
        let (host, other) = (try Self.key(), try Self.key())
        var bindings = SessionBindings()
        try bindings.add(try AgentMessages.bind(host, isForwarding: true))
        try bindings.add(try AgentMessages.bind(host, isForwarding: true))
        #expect(bindings.all.count == 1)
        #expect(throws: SessionBindings.Refusal.otherKey) {
            try bindings.add(try AgentMessages.bind(other, isForwarding: true))
        }
        for number in 1..<SessionBindings.maximum {
            try bindings.add(
                try AgentMessages.bind(host, Self.session(UInt8(number) + 100), isForwarding: true)
            )
        }
        #expect(throws: SessionBindings.Refusal.tooMany) {
            try bindings.add(try AgentMessages.bind(host, Self.session(99), isForwarding: true))
        }
    }

    /// Ways of a key: here to A as anybody, A to B as `me`.
    private func constraints(_ a: PublicKey, _ b: PublicKey) throws -> [DestinationConstraint] {
        let ways = [
            AgentMessages.way(from: AgentMessages.hop("", []), to: AgentMessages.hop("a", [a])),
            AgentMessages.way(from: AgentMessages.hop("a", [a]), to: AgentMessages.hop("b", [b], user: "m?")),
        ]
        let message = try AgentMessages.addition(try Self.key(), AgentMessages.restriction(ways))
        guard case .add(let addition) = try AgentMessages.read(message) else { return [] }
        return addition.destinations ?? []
    }

    @Test func `a key goes the ways that it may go, and no other`() throws {
        let (a, b, c) = (try Self.key(), try Self.key(), try Self.key())
        let key = try Self.key().publicKey
        let ways = try constraints(a.publicKey, b.publicKey)
        func data(_ session: [UInt8], _ host: PrivateKey?, _ user: String = "me") -> SignedData {
            SignedData(
                AgentMessages.login(key, user: user, session: session, host: host?.publicKey),
                for: key
            )
        }
        let (first, second) = (Self.session(1), Self.session(2))
        var none = SessionBindings()
        #expect(none.shows(ways, at: Self.now))
        #expect(!none.permits(ways, signing: data(first, a), at: Self.now))
        none.fail()
        #expect(!none.shows(ways, at: Self.now))

        var toA = SessionBindings()
        try toA.add(try AgentMessages.bind(a, first))
        #expect(toA.shows(ways, at: Self.now))
        #expect(toA.permits(ways, signing: data(first, a), at: Self.now))
        #expect(toA.permits(ways, signing: data(first, nil), at: Self.now))
        #expect(!toA.permits(ways, signing: data(second, a), at: Self.now))
        #expect(!toA.permits(ways, signing: data(first, b), at: Self.now))
        #expect(!toA.permits(ways, signing: .raw, at: Self.now))
        #expect(!toA.permits(ways, signing: .file(namespace: "git".bytes), at: Self.now))

        var toC = SessionBindings()
        try toC.add(try AgentMessages.bind(c, first))
        #expect(!toC.shows(ways, at: Self.now))
        #expect(!toC.permits(ways, signing: data(first, c), at: Self.now))

        var overA = SessionBindings()
        try overA.add(try AgentMessages.bind(a, first, isForwarding: true))
        #expect(overA.shows(ways, at: Self.now))
        #expect(!overA.permits(ways, signing: data(first, a), at: Self.now))
        try overA.add(try AgentMessages.bind(b, second))
        #expect(overA.shows(ways, at: Self.now))
        #expect(overA.permits(ways, signing: data(second, b), at: Self.now))
        #expect(!overA.permits(ways, signing: data(second, nil), at: Self.now))
        #expect(!overA.permits(ways, signing: data(second, b, "root"), at: Self.now))

        var overB = SessionBindings()
        try overB.add(try AgentMessages.bind(b, first, isForwarding: true))
        #expect(!overB.shows(ways, at: Self.now))
        // B is where it ends: behind it the key is not shown.
        var beyond = SessionBindings()
        try beyond.add(try AgentMessages.bind(a, first, isForwarding: true))
        try beyond.add(try AgentMessages.bind(b, second, isForwarding: true))
        #expect(!beyond.shows(ways, at: Self.now))
    }
}
