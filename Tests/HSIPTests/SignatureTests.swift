import HSIP
import Testing
import VaultCrypto

/// The five signatures of an identity do not stand in for one another.
struct SignatureTests {
    /// The kinds that sign a plain run of bytes, each with the same bytes.
    enum Kind: CaseIterable, Sendable {
        case offer, answer, rotate, accept, revoke

        func sign(_ parts: [[UInt8]], seed: [UInt8]) throws(HSIPError) -> [UInt8] {
            switch self {
            case .offer: try KeySchedule.signOffer(parts[0] + parts[1] + parts[2], seed: seed)
            case .answer:
                try KeySchedule.signAnswer(transcript: parts[0] + parts[1], confirm: parts[2], seed: seed)
            case .rotate:
                try KeySchedule.signRotate(ref: parts[0], unsigned: parts[1], mac: parts[2], seed: seed)
            case .accept:
                try KeySchedule.signAccept(transcript: parts[0] + parts[1], confirm: parts[2], seed: seed)
            case .revoke: try KeySchedule.signRevoke(parts[0] + parts[1] + parts[2], seed: seed)
            }
        }

        func verify(_ signature: [UInt8], _ parts: [[UInt8]], key: [UInt8]) throws(HSIPError) {
            let whole = parts[0] + parts[1] + parts[2]
            switch self {
            case .offer: try KeySchedule.verifyOffer(signature, unsigned: whole, publicKey: key)
            case .answer:
                try KeySchedule.verifyAnswer(
                    signature,
                    transcript: parts[0] + parts[1],
                    confirm: parts[2],
                    publicKey: key
                )
            case .rotate:
                try KeySchedule.verifyRotate(
                    signature,
                    ref: parts[0],
                    unsigned: parts[1],
                    mac: parts[2],
                    publicKey: key
                )
            case .accept:
                try KeySchedule.verifyAccept(
                    signature,
                    transcript: parts[0] + parts[1],
                    confirm: parts[2],
                    publicKey: key
                )
            case .revoke: try KeySchedule.verifyRevoke(signature, unsigned: whole, publicKey: key)
            }
        }
    }

    private let seed = [UInt8](repeating: 9, count: 32)
    private let parts: [[UInt8]] = [
        [UInt8](repeating: 1, count: 8), [UInt8](repeating: 2, count: 60), [UInt8](repeating: 3, count: 16),
    ]

    @Test(arguments: Kind.allCases, Kind.allCases)
    func `a signature verifies only as its own kind`(signed: Kind, read: Kind) throws {
        let signature = try signed.sign(parts, seed: seed)
        let key = try Signing.publicKey(seed: seed)
        let found = refusal { () throws(HSIPError) in try read.verify(signature, parts, key: key) }
        #expect(found == (signed == read ? nil : .badSignature))
    }

    @Test(arguments: Kind.allCases)
    func `a changed byte of what was signed, of the signature or of the key is refused`(kind: Kind) throws {
        let signature = try kind.sign(parts, seed: seed)
        let key = try Signing.publicKey(seed: seed)
        for part in parts.indices {
            var other = parts
            other[part][0] ^= 1
            #expect(
                refusal { () throws(HSIPError) in try kind.verify(signature, other, key: key) }
                    == .badSignature
            )
        }
        for place in [0, 31, 32, 63] {
            var other = signature
            other[place] ^= 1
            #expect(
                refusal { () throws(HSIPError) in try kind.verify(other, parts, key: key) } == .badSignature
            )
        }
        let stranger = try Signing.publicKey(seed: [UInt8](repeating: 8, count: 32))
        #expect(
            refusal { () throws(HSIPError) in try kind.verify(signature, parts, key: stranger) }
                == .badSignature
        )
        #expect(
            refusal { () throws(HSIPError) in try kind.verify(Array(signature.dropLast()), parts, key: key) }
                == .badSignature
        )
    }

    @Test func `no label is the beginning of another`() {
        for one in Label.allCases {
            for other in Label.allCases where one != other {
                #expect(!other.bytes.starts(with: one.bytes))
            }
        }
    }
}
