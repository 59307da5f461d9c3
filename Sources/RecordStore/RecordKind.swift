/// The kind of a record, such as `hsip.contact`: lower-case letters, digits, dots and dashes.
public struct RecordKind: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The text, `[a-z0-9][a-z0-9.-]{0,31}`.
    public let rawValue: String

    /// Takes a kind over; `StoreError.invalidRecord(.kind)` when it breaks the rule.
    public init(_ rawValue: String) throws(StoreError) {
        let bytes = rawValue.utf8
        guard let first = bytes.first, bytes.count <= RecordLimits.kind, Self.isAlphanumeric(first),
            bytes.allSatisfy({ Self.isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E })
        else { throw .invalidRecord(.kind) }
        self.rawValue = rawValue
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    /// The order of the bytes.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The text.
    public var description: String { rawValue }
}
