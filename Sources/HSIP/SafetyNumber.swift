internal import Synchronization
internal import VaultCrypto

/// The 60 digits that two people compare: they name both identities and nothing else, so they stay the same
/// through rotations and re-pairings (Schemas/hsip-xc1.md section 6).
///
/// Each half depends on one identity only. One hash over both keys would let an attacker who makes many keys
/// look for a birthday match. Instead, an attacker must hit one half of 30 digits, and each try costs 5,200 hashes.
public struct SafetyNumber: Equatable, Sendable {
    /// The number of SHA-512 rounds for one fingerprint.
    public static let rounds = 5_200

    /// The 60 digits without spaces, the lexically smaller half first.
    public let digits: String

    /// The safety number of two identity keys (32 bytes each), in either order.
    ///
    /// - Throws: `malformed` for a key of another size.
    public init(_ one: [UInt8], _ other: [UInt8]) throws(HSIPError) {
        self.init(
            fingerprints: try Self.fingerprint(of: one),
            try Self.fingerprint(of: other)
        )
    }

    /// The number of two computed fingerprints.
    public init(fingerprints one: [UInt8], _ other: [UInt8]) {
        digits = [Self.digits(of: one), Self.digits(of: other)].sorted().joined()
    }

    /// A number by its digits, 60 of them.
    init(digits: String) {
        self.digits = digits
    }

    /// Twelve groups of five digits, one space between.
    public var text: String {
        var out = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, place.isMultiple(of: 5) { out.append(" ") }
            out.append(digit)
        }
        return out
    }

    /// True if `typed` is this number; spaces, line ends and hyphens in it are ignored.
    public func matches(_ typed: String) -> Bool {
        let bare = typed.filter { !$0.isWhitespace && $0 != "-" }
        return bare == digits
    }

    /// fp of an identity key (32 bytes): 64 bytes, some milliseconds of work for a key that was not asked for before.
    ///
    /// - Throws: `malformed` for a key of another size.
    public static func fingerprint(of publicKey: [UInt8]) throws(HSIPError) -> [UInt8] {
        if let known = known.withLock({ $0[publicKey] }) { return known }
        let computed = try computedFingerprint(of: publicKey)
        known.withLock { known in
            if known.count >= maximumKnown { known = [:] }
            known[publicKey] = computed
        }
        return computed
    }

    /// Fingerprints that were computed before, so that a text full of VERIFY codes costs the work only once per key.
    private static let known = Mutex<[[UInt8]: [UInt8]]>([:])
    private static let maximumKnown = 1_024

    private static func computedFingerprint(of publicKey: [UInt8]) throws(HSIPError) -> [UInt8] {
        let peer: PeerID
        do { peer = try PeerID(publicKey: publicKey) } catch { throw HSIPError(error) }
        var hash = Hash.sha512(Label.safetyNumber.bytes + publicKey + peer.bytes)
        for _ in 1..<rounds {
            hash = Hash.sha512(hash + publicKey)
        }
        return hash
    }

    /// 30 digits: six times five bytes, big-endian, modulo 100,000.
    private static func digits(of fingerprint: [UInt8]) -> String {
        var out = ""
        for group in 0..<6 {
            let value = fingerprint[(group * 5)..<(group * 5 + 5)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let digits = String(value % 100_000)
            out += String(repeating: "0", count: 5 - digits.count) + digits
        }
        return out
    }
}
