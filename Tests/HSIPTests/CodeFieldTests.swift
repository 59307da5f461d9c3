import Testing
import VaultCrypto

@testable import HSIP

/// The ranges of single fields, each refused by its own name also behind a right checksum.
struct CodeFieldTests {
    private static let timed = SampleCode.some.filter { $0.kind.hasHeader }
    private static let proposing = timed.filter { $0.kind != .revoke }
    private static let revocations = timed.filter { $0.kind == .revoke }

    private func expect(
        _ error: HSIPError,
        _ sample: SampleCode,
        at place: Int,
        _ new: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var bytes = sample.bytes
        bytes.replaceSubrange(place..<place + new.count, with: new)
        let text = Array("HSIP:".utf8) + Bech32m.encode(bytes, hrp: sample.kind.hrp)
        #expect(throws: error, sourceLocation: sourceLocation) { try ExchangeCode(bytes: bytes) }
        #expect(throws: error, sourceLocation: sourceLocation) { try CodeText.codes(in: text) }
    }

    @Test(arguments: SampleCode.some)
    func `only version 01 is read`(sample: SampleCode) {
        for version: UInt8 in [0, 2, 3, 0x81, 255] { expect(.unsupportedVersion, sample, at: 0, [version]) }
    }

    @Test(arguments: timed)
    func `only suites 01 and 02 are read, and of a revocation only suite 01`(sample: SampleCode) {
        for suite: UInt8 in [0, 3, 255] { expect(.unsupportedSuite, sample, at: 2, [suite]) }
        if sample.kind == .revoke { expect(.unsupportedSuite, sample, at: 2, [2]) }
    }

    @Test(arguments: proposing)
    func `a code of suite 01 that says suite 02 lacks the KEM field`(sample: SampleCode) {
        var bytes = sample.bytes
        bytes[2] = 2
        let text = Array("HSIP:".utf8) + Bech32m.encode(bytes, hrp: sample.kind.hrp)
        #expect(throws: HSIPError.malformed) { try ExchangeCode(bytes: bytes) }
        #expect(throws: HSIPError.truncated) { try CodeText.codes(in: text) }
    }

    @Test(arguments: timed)
    func `a code that asks for a single key is refused as such`(sample: SampleCode) {
        expect(.singleKeyRefused, sample, at: 3, [0b01])
        expect(.singleKeyRefused, sample, at: 3, [0b11])
    }

    @Test(arguments: timed)
    func `an unknown flag is refused`(sample: SampleCode) throws {
        for bit: UInt8 in 2...7 { expect(.unsupportedFlag, sample, at: 3, [1 << bit]) }
        guard sample.kind == .offer else { return expect(.unsupportedFlag, sample, at: 3, [0b10]) }
        var bytes = sample.bytes
        bytes[3] = 0b10
        let fresh = try OfferCode(bytes: bytes)
        #expect(fresh.header.isFresh)
        #expect(fresh.header.bytes == Array(bytes.prefix(14)))
    }

    @Test(arguments: proposing)
    func `time to live, life and limit have ranges`(sample: SampleCode) throws {
        for ttl: UInt16 in [0, 10_081, .max] { expect(.malformed, sample, at: 8, ttl.bigEndianBytes) }
        for life: UInt16 in [0, 721, .max] { expect(.malformed, sample, at: 10, life.bigEndianBytes) }
        for limit: UInt16 in [0, 1001, .max] { expect(.malformed, sample, at: 12, limit.bigEndianBytes) }
        let edges: [(UInt16, UInt16, UInt16)] = [(1, 1, 1), (10_080, 720, 1000)]
        for (ttl, life, limit) in edges {
            var bytes = sample.bytes
            let terms = ttl.bigEndianBytes + life.bigEndianBytes + limit.bigEndianBytes
            bytes.replaceSubrange(8..<14, with: terms)
            #expect(try ExchangeCode(bytes: bytes).header?.bytes.suffix(6) == terms[...])
        }
    }

    @Test(arguments: revocations)
    func `a revocation has no terms and a known reason`(sample: SampleCode) throws {
        for place in [8, 9, 10, 11, 12, 13] { expect(.malformed, sample, at: place, [1]) }
        for reason: UInt8 in [4, 5, 255] { expect(.malformed, sample, at: 15, [reason]) }
        for scope: UInt8 in [2, 3, 255] { expect(.malformed, sample, at: 14, [scope]) }
        for reason in RevokeReason.allCases {
            var bytes = sample.bytes
            bytes[15] = reason.rawValue
            #expect(try RevokeCode(bytes: bytes).reason == reason)
        }
    }

    @Test(arguments: timed)
    func `numbers of epochs and attempts begin at one`(sample: SampleCode) {
        switch sample.kind {
        case .rotate:
            expect(.malformed, sample, at: 22, [0, 0, 0, 0])
            expect(.malformed, sample, at: 26, [0, 0])
        case .accept: expect(.malformed, sample, at: 22, [0, 0, 0, 0])
        default: break
        }
    }

    @Test(arguments: SampleCode.some.filter { $0.kind == .offer || $0.kind == .answer })
    func `a name that is too long is refused at once`(sample: SampleCode) {
        let place = sample.kind == .offer ? 78 : 94
        for length: UInt8 in [41, 42, 255] { expect(.malformed, sample, at: place, [length]) }
        // And with as many bytes as it says.
        var bytes = Array(sample.bytes.prefix(place)) + [41] + [UInt8](repeating: 0x61, count: 41)
        bytes += [UInt8](repeating: 0, count: sample.kind == .offer ? 64 : 80)
        #expect(throws: HSIPError.malformed) { try ExchangeCode(bytes: bytes) }
    }

    @Test func `parts of the wrong size make no code`() throws {
        let offer = try CodeHeader(kind: .offer, issued: 1, ttlMinutes: 1, lifeHours: 1, limit: 1)
        let rotate = try CodeHeader(kind: .rotate, issued: 1, ttlMinutes: 1, lifeHours: 1, limit: 1)
        let key = [UInt8](repeating: 9, count: 32)
        for count in [0, 31, 33] {
            let wrong = [UInt8](repeating: 9, count: count)
            #expect(throws: HSIPError.malformed) {
                try OfferCode.unsigned(header: offer, identityKey: wrong, ephemeralKey: key, name: "")
            }
            #expect(throws: HSIPError.malformed) {
                try OfferCode.unsigned(header: offer, identityKey: key, ephemeralKey: wrong, name: "")
            }
        }
        #expect(throws: HSIPError.malformed) {
            try OfferCode.unsigned(header: rotate, identityKey: key, ephemeralKey: key, name: "")
        }
        #expect(throws: HSIPError.malformed) {
            try OfferCode.unsigned(header: offer, identityKey: key, ephemeralKey: key, name: "a\u{202E}b")
        }
        let ref = [UInt8](repeating: 1, count: 8)
        for (epoch, attempt) in [(UInt32(0), UInt16(1)), (1, 0)] {
            #expect(throws: HSIPError.malformed) {
                try RotateCode.unsigned(
                    header: rotate,
                    ref: ref,
                    epoch: epoch,
                    attempt: attempt,
                    ephemeralKey: key
                )
            }
        }
        #expect(throws: HSIPError.malformed) {
            try VerifyCode(senderFingerprint: key, receiverFingerprint: ref)
        }
    }

    @Test func `the two notices are not completed as each other`() throws {
        let header = try CodeHeader.revocation(issued: 5)
        let key = [UInt8](repeating: 9, count: 32)
        let ref = [UInt8](repeating: 1, count: 8)
        let (mac, signature) = ([UInt8](repeating: 2, count: 16), [UInt8](repeating: 3, count: 64))
        let session = try RevokeCode.unsigned(header: header, reason: .ended, ref: ref, epoch: 7)
        let identity = try RevokeCode.unsigned(header: header, reason: .ended, identityKey: key)
        #expect(throws: HSIPError.malformed) { try RevokeCode(unsigned: session, signature: signature) }
        #expect(throws: HSIPError.malformed) { try RevokeCode(unsigned: session + mac, signature: signature) }
        #expect(throws: HSIPError.malformed) {
            try RevokeCode(unsigned: identity, mac: mac, signature: signature)
        }
        // Sixteen bytes of the key given as if they were a mac: the length is right, the scope is not.
        #expect(throws: HSIPError.malformed) {
            try RevokeCode(
                unsigned: Array(identity.prefix(32)),
                mac: Array(identity.suffix(16)),
                signature: signature
            )
        }
        #expect(try RevokeCode(unsigned: session, mac: mac, signature: signature).bytes.count == 108)
        #expect(try RevokeCode(unsigned: identity, signature: signature).bytes.count == 112)
    }
}
