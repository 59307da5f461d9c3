/// The first bytes of a file of the audit log (Schemas/audit.md section 2).
///
/// They are not sealed; the first frame after them opens only where they are true.
struct AuditHeader: Equatable {
    static let size = 8 + 16 + 4 + 8 + AuditMark.linkSize
    private static let magic = Array("HSIPAUD1".utf8)

    let vaultID: [UInt8]
    /// The number of the file; the first one of a vault is 1.
    let segment: UInt32
    /// Where the log stood when the file was begun.
    let start: AuditMark

    init(vaultID: [UInt8], segment: UInt32, start: AuditMark) {
        self.vaultID = vaultID
        self.segment = segment
        self.start = start
    }

    /// Reads a header; nil for anything else.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, Array(bytes[..<8]) == Self.magic else { return nil }
        vaultID = Array(bytes[8..<24])
        segment = UInt32(truncatingIfNeeded: AuditBytes.number32(bytes[24..<28]))
        start = AuditMark(sequence: AuditBytes.number64(bytes[28..<36]), link: Array(bytes[36...]))
        // A header is not sealed: no number of it may lead to an overflow.
        guard segment > 0, segment < 1 << 31, start.sequence < 1 << 62 else { return nil }
    }

    var encoded: [UInt8] {
        Self.magic + vaultID + AuditBytes.big(segment) + AuditBytes.big(start.sequence) + start.link
    }
}
