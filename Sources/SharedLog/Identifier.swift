internal import VaultCrypto

/// Sixteen bytes that name something for good; compared as unsigned bytes, the first byte first.
package struct Identifier<Subject>: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// Bytes in an identifier.
    package static var size: Int { 16 }

    private let high: UInt64
    private let low: UInt64

    /// The identifier in these bytes; nil unless there are sixteen.
    package init?(bytes: some Collection<UInt8>) {
        // An array: thousands of these are read for one sync.
        let bytes = Array(bytes)
        guard bytes.count == Self.size else { return nil }
        self.init(digest: bytes)
    }

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// The first sixteen bytes of a digest, which has more.
    package init(digest: [UInt8]) {
        high = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = digest.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The sixteen bytes.
    package var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

    /// Its first byte: the number of its bucket.
    package var firstByte: UInt8 { UInt8(truncatingIfNeeded: high >> 56) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = Hex.decode(text).flatMap({ Self(bytes: $0) }) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an identifier")
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// In hexadecimal.
    package var description: String { Hex.encode(bytes) }

    package static func < (first: Self, second: Self) -> Bool {
        first.high == second.high ? first.low < second.low : first.high < second.high
    }
}

/// What a log is named by: sixteen random bytes.
package typealias LogID = Identifier<LogHead>
/// What a machine is named by: H(L(machine) ‖ its signing key).
package typealias MachineID = Identifier<Member>
/// What a shared record is named by.
package typealias ObjectID = Identifier<SharedObject>
