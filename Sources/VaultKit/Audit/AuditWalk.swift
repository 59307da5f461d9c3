internal import Files

/// Reads one file of the audit log from its first byte to its last.
struct AuditWalk {
    /// The length limit of a file; hsip did not write a file that is longer.
    private static let longest = AuditPlace.fullSize + (1 << 20)

    /// The header; nil if it cannot be read or belongs to another vault.
    let header: AuditHeader?
    /// The position of the log after the last entry that could be read.
    private(set) var last: AuditMark
    /// Whether every byte belongs to an entry that opens at its position.
    private(set) var isWhole = false

    /// Reads a file; `visit` gets each entry that is newer than all before it, and the position after it.
    init(_ file: AuditFile, _ seal: AuditSeal, visit: (AuditRecord, AuditMark) -> Void) throws(AuditError) {
        let size = try file.size()
        let bytes = try file.read(upTo: min(size, Self.longest))
        let header = AuditHeader(Array(bytes.prefix(AuditHeader.size)))
        self.header = header?.vaultID == seal.vaultID ? header : nil
        last = self.header?.start ?? .beginning
        var isIntact = self.header != nil && size == bytes.count
        var offset = AuditHeader.size
        while offset < bytes.count {
            guard let end = Self.end(of: offset, in: bytes),
                let frame = seal.open(Array(bytes[offset..<end]))
            else {
                // Valid entries may follow the damage.
                isIntact = false
                offset += 1
                continue
            }
            offset = end
            if frame.before != last { isIntact = false }
            guard frame.after.sequence > last.sequence else { continue }
            last = frame.after
            visit(AuditRecord(sequence: last.sequence, entry: frame.entry), last)
        }
        isWhole = isIntact
    }

    /// The end of the frame that begins at an offset; nil if no frame begins there.
    private static func end(of offset: Int, in bytes: [UInt8]) -> Int? {
        guard bytes.count - offset >= AuditSeal.overhead else { return nil }
        let count = AuditBytes.number32(bytes[offset..<(offset + 4)])
        let end = offset + AuditSeal.overhead + count
        guard AuditSeal.sealedSizes.contains(count), end <= bytes.count,
            AuditBytes.number32(bytes[(end - 4)..<end]) == count
        else { return nil }
        return end
    }

    /// Reads the position of the log from the last entry alone, which is all that a writer needs.
    ///
    /// - Returns: the position; nil if the file does not end with an entry of this log.
    static func tail(_ file: AuditFile, _ size: Int, _ seal: AuditSeal) throws(AuditError) -> AuditMark? {
        if size == AuditHeader.size {
            let header = AuditHeader(try file.read(upTo: size))
            return header?.vaultID == seal.vaultID ? header?.start : nil
        }
        guard size >= AuditHeader.size + AuditSeal.overhead else { return nil }
        let count = AuditBytes.number32(try file.read(upTo: 4, at: size - 4)[...])
        let start = size - AuditSeal.overhead - count
        guard AuditSeal.sealedSizes.contains(count), start >= AuditHeader.size else { return nil }
        return seal.open(try file.read(upTo: size - start, at: start))?.after
    }
}
