import Testing
import VaultCrypto

@testable import SSHFormats

/// What `ssh-sk-helper` is asked and answers, with a security key made of an ordinary one (PROTOCOL.u2f).
struct SecurityKeyHelperTests {
    private let soft: PrivateKey
    private let key: PrivateKey
    private let handle: [UInt8]

    init() throws {
        soft = try PrivateKey.ed25519(entropy: .seeded([5]))
        (key, handle) = try Self.key(of: soft, flags: 1)
    }

    private static func key(
        of soft: PrivateKey,
        flags: UInt8,
        application: String = "ssh:"
    ) throws -> (PrivateKey, [UInt8]) {
        var point = WireReader(soft.publicKey.blob)
        _ = try point.string()
        var wire = WireWriter()
        wire.string("sk-ssh-ed25519@openssh.com")
        wire.string(try point.string())
        wire.string(application)
        wire.byte(flags)
        wire.string([UInt8](repeating: 0xAB, count: 64))
        wire.string("")
        return (try PrivateKey(wire: try Secret(copying: wire.bytes), publicKey: nil), wire.bytes)
    }

    private func signature(flags: UInt8, over data: [UInt8]) throws -> [UInt8] {
        let trailer: [UInt8] = [flags, 0, 0, 0, 7]
        let signed = Hash.sha256("ssh:".bytes) + trailer + Hash.sha256(data)
        var wire = WireWriter()
        wire.string("sk-ssh-ed25519@openssh.com")
        wire.string(try soft.sign(signed).value)
        wire.raw(trailer)
        return wire.bytes
    }

    private func answer(_ type: UInt32, _ rest: (inout WireWriter) -> Void) -> [UInt8] {
        var body = WireWriter()
        body.byte(5)
        body.uint32(type)
        rest(&body)
        var answer = WireWriter()
        answer.string(body.bytes)
        return answer.bytes
    }

    private func read(_ answer: [UInt8], hadPIN: Bool = false) throws(SecurityKeyFault) -> [UInt8] {
        try SecurityKeyHelper.signature(in: answer, of: key, over: [1, 2, 3], hadPIN: hadPIN)
    }

    @Test(arguments: [nil, "2580"])
    func `a request is as ssh-sk-helper reads it`(pin: String?) throws {
        let given = try pin.map { try Secret(copying: $0.bytes) }
        let request = try SecurityKeyHelper.request(key, signing: [1, 2, 3], pin: given)
        var outer = WireReader(exposed(try request.slice(0..<request.count)))
        var reader = WireReader(try outer.string())
        try outer.finish()
        #expect(try reader.byte() == 5 && reader.uint32() == 1 && reader.byte() == 0 && reader.uint32() == 0)
        #expect(try reader.string() == handle)
        #expect(try reader.string() == "internal".bytes)
        #expect(try reader.string() == [1, 2, 3])
        #expect(try reader.string() == [] && reader.uint32() == 0)
        #expect(try reader.string() == (pin ?? "").bytes)
        try reader.finish()
    }

    @Test func `what is no handle, too long or a PIN with an end is not asked for`() throws {
        #expect(throws: SSHFormatError.unsupportedKeyType) {
            try SecurityKeyHelper.request(soft, signing: [1], pin: nil)
        }
        let data = [UInt8](repeating: 1, count: SecurityKeyHelper.longestData + 1)
        #expect(throws: SSHFormatError.oversized(limit: SecurityKeyHelper.longestData)) {
            try SecurityKeyHelper.request(key, signing: data, pin: nil)
        }
        let pin = try Secret(copying: [0x32, 0, 0x35, 0x38])
        #expect(throws: SSHFormatError.malformed) {
            try SecurityKeyHelper.request(key, signing: [1], pin: pin)
        }
    }

    @Test func `a good signature is handed on as it came`() throws {
        for flags in [UInt8(1), 5] {
            let wire = try signature(flags: flags, over: [1, 2, 3])
            #expect(try read(answer(1) { $0.string(wire) }) == wire)
        }
    }

    @Test func `a signature over other data, of another key or without the touch is none`() throws {
        for wire in [
            try signature(flags: 1, over: [1, 2]), try signature(flags: 0, over: [1, 2, 3]),
            try signature(flags: 4, over: [1, 2, 3]), try soft.sign([1, 2, 3]).wire, [],
        ] {
            #expect(throws: SecurityKeyFault.answerless) { try read(answer(1) { $0.string(wire) }) }
        }
        let (verified, _) = try Self.key(of: soft, flags: 5)
        let wire = try signature(flags: 1, over: [1, 2, 3])
        #expect(throws: SecurityKeyFault.answerless) {
            try SecurityKeyHelper.signature(
                in: answer(1) { $0.string(wire) },
                of: verified,
                over: [1, 2, 3],
                hadPIN: true
            )
        }
    }

    @Test func `each error has its meaning`() {
        let faults: [(UInt32, Bool, SecurityKeyFault)] = [
            (43, false, .pinNeeded), (43, true, .pinWrong), (60, false, .noKey), (59, false, .unfit),
            (4, false, .failed(code: 4)), (4, true, .failed(code: 4)),
        ]
        for (code, hadPIN, fault) in faults {
            #expect(throws: fault) { try read(answer(0) { $0.uint32(code) }, hadPIN: hadPIN) }
        }
    }

    @Test func `nonsense is no answer, whatever byte of it is changed`() throws {
        let wire = try signature(flags: 1, over: [1, 2, 3])
        let good = answer(1) { $0.string(wire) }
        for index in good.indices {
            #expect(throws: SecurityKeyFault.self) { try read(Array(good.prefix(index))) }
            var changed = good
            changed[index] ^= 0x40
            #expect(throws: SecurityKeyFault.self, "byte \(index)") { try read(changed) }
        }
        #expect(throws: SecurityKeyFault.answerless) { try read(good + [0]) }
        #expect(throws: SecurityKeyFault.answerless) { try read(answer(2) { $0.string(wire) }) }
        #expect(try SecurityKeyHelper.length(of: [0, 0, 0]) == nil)
        #expect(try SecurityKeyHelper.length(of: good) == good.count)
        #expect(throws: SecurityKeyFault.answerless) { try SecurityKeyHelper.length(of: [0, 1, 0, 0]) }
    }

    @Test func `a record says kept aside, and the key is in use`() throws {
        var record = KeyRecord(key, origin: .openSSH)
        #expect(record.state == .active && record.stored == .aside)
        record.state = .retired
        #expect(record.state == .active)
        let content = try record.content()
        let bytes = content.withBytes { $0.copied() }
        #expect(bytes[1] == KeyRecord.State.aside.rawValue)
        let again = try KeyRecord(content: content)
        #expect(again.state == .active)
        #expect(ConstantTime.equal(try again.content(), content))
        for state in [KeyRecord.State.active, .retired] {
            var changed = bytes
            changed[1] = state.rawValue
            #expect(throws: SSHFormatError.malformed) {
                try KeyRecord(content: try Secret(copying: changed))
            }
        }
    }

    @Test func `flags and application say what the key demands`() throws {
        for (flags, application) in [(UInt8(1), "ssh:"), (4, "ssh:work"), (0x25, "https://example.org")] {
            let (key, _) = try Self.key(of: soft, flags: flags, application: application)
            let facts = try #require(key.securityKey)
            #expect(facts.needsTouch == (flags & 1 != 0) && facts.needsVerification == (flags & 4 != 0))
            #expect(facts.isForSSH == application.hasPrefix("ssh:") && facts.flags == flags)
        }
        #expect(soft.securityKey == nil && !soft.isHandle && key.isHandle && !key.isUsable)
    }
}
