internal import Files

/// One file of the audit log, read from its first byte to its last.
struct AuditWalk {
    /// A file that is longer than this was not written by us.
    private static let longest = AuditPlace.fullSize + (1 << 20)

    /// Its header; nil where that cannot be read or is another vault's.
    let header: AuditHeader?
    /// Where the log stands after the last entry that could be read.
    private(set) var last: AuditMark
    /// Whether every byte belongs to an entry that opens at its place.
    private(set) var isWhole = false

    /// Reads a file; `visit` gets each entry that is newer than those before it, and the place after it.
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
                // Behind the damage there may be more that is true.
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

    /// Where a frame ends that begins here; nil when none can.
    private static func end(of offset: Int, in bytes: [UInt8]) -> Int? {
        guard bytes.count - offset >= AuditSeal.overhead else { return nil }
        let count = AuditBytes.number32(bytes[offset..<(offset + 4)])
        let end = offset + AuditSeal.overhead + count
        guard AuditSeal.sealedSizes.contains(count), end <= bytes.count,
            AuditBytes.number32(bytes[(end - 4)..<end]) == count
        else { return nil }
        return end
    }

    /// Where the log stands by the last entry of a file alone, which is all that a writer has to know.
    ///
    /// - Returns: nil when the file does not end in an entry of this log.
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
