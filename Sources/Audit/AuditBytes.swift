/// Numbers as the audit log writes them: the highest byte first.
enum AuditBytes {
    static func big(_ number: UInt32) -> [UInt8] {
        [
            UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
            UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
        ]
    }

    static func big(_ number: UInt64) -> [UInt8] {
        big(UInt32(truncatingIfNeeded: number >> 32)) + big(UInt32(truncatingIfNeeded: number))
    }

    /// The number that four bytes are.
    static func number32(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    /// The number that eight bytes are.
    static func number64(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
