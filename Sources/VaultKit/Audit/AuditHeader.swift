/// The first bytes of a file of the audit log (Schemas/audit.md section 2).
///
/// The header itself is not sealed; the first frame after it opens only if the header is genuine.
struct AuditHeader: Equatable {
    static let size = 8 + 16 + 4 + 8 + AuditMark.linkSize
    private static let magic = Array("HSIPAUD1".utf8)

    let vaultID: [UInt8]
    /// The number of the file; the first file of a vault is 1.
    let segment: UInt32
    /// The position of the log when the file was begun.
    let start: AuditMark

    init(vaultID: [UInt8], segment: UInt32, start: AuditMark) {
        self.vaultID = vaultID
        self.segment = segment
        self.start = start
    }

    /// Reads a header; nil for any other bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, Array(bytes[..<8]) == Self.magic else { return nil }
        vaultID = Array(bytes[8..<24])
        segment = UInt32(truncatingIfNeeded: AuditBytes.number32(bytes[24..<28]))
        start = AuditMark(sequence: AuditBytes.number64(bytes[28..<36]), link: Array(bytes[36...]))
        // A header is not sealed, so none of its numbers may cause an overflow.
        guard segment > 0, segment < 1 << 31, start.sequence < 1 << 62 else { return nil }
    }

    var encoded: [UInt8] {
        Self.magic + vaultID + AuditBytes.big(segment) + AuditBytes.big(start.sequence) + start.link
    }
}

/// A position in the audit log: the number of entries, and a digest over all of them.
public struct AuditMark: Hashable, Sendable, Codable {
    /// Bytes in a link.
    package static let linkSize = 32

    /// The number of the last entry; the first entry is 1, and 0 is the beginning.
    public let sequence: UInt64
    /// The digest over every entry up to this position: 32 bytes.
    public let link: [UInt8]

    /// Makes a position; `link` has `linkSize` bytes.
    package init(sequence: UInt64, link: [UInt8]) {
        self.sequence = sequence
        self.link = link
    }

    /// The position before the first entry.
    package static let beginning = AuditMark(sequence: 0, link: [UInt8](repeating: 0, count: linkSize))
}

/// Numbers as the audit log writes them, with the highest byte first.
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

    /// Reads a number of four bytes.
    static func number32(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads a number of eight bytes.
    static func number64(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
