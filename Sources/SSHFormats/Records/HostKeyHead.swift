/// The counts of known hosts in the vault (Schemas/ssh-records.md).
///
/// Every change writes this record, so that of two simultaneous changes the second one has to read again.
public struct HostKeyHead: Hashable, Sendable {
    /// The number of the next line.
    let next: UInt64
    /// The number of lines.
    let entries: Int
    /// The number of chunks with patterns and hashed names.
    let lines: Int
    /// The number of chunks with comments and other lines without a host.
    let texts: Int

    /// Creates the head of a vault without known hosts.
    static let none = HostKeyHead(next: 1, entries: 0, lines: 0, texts: 0)

    init(next: UInt64, entries: Int, lines: Int, texts: Int) {
        self.next = next
        self.entries = entries
        self.lines = lines
        self.texts = texts
    }

    /// Reads the result of `content`; nil stands for a vault without known hosts.
    ///
    /// - Throws: `SSHFormatError.unsupportedVersion`; `truncated`; `trailingBytes`; `oversized`; `malformed`.
    public init(content: [UInt8]?) throws(SSHFormatError) {
        guard let content else {
            self = .none
            return
        }
        var reader = WireReader(content)
        let version = try reader.byte()
        guard version == HostKeyEntry.version else { throw .unsupportedVersion(UInt32(version)) }
        next = try reader.uint64()
        // No vault reaches this number, so counting never overflows.
        guard next <= UInt64(Int64.max) else { throw .malformed }
        var counts: [Int] = []
        for _ in 0..<3 {
            let count = try reader.uint32()
            guard count <= UInt32(clamping: HostKeyBook.maximumEntries) else {
                throw .oversized(limit: HostKeyBook.maximumEntries)
            }
            counts.append(Int(count))
        }
        try reader.finish()
        (entries, lines, texts) = (counts[0], counts[1], counts[2])
    }

    var content: [UInt8] {
        var writer = WireWriter()
        writer.byte(HostKeyEntry.version)
        writer.uint64(next)
        for count in [entries, lines, texts] { writer.uint32(UInt32(clamping: count)) }
        return writer.bytes
    }

    /// Returns the records that may have lines about some names.
    public func places(for names: [HostName]) -> [HostKeyPlace] {
        let buckets = Set(names.map { HostKeyPlace(of: $0) })
        return Array(buckets) + (0..<lines).map { .lines($0) }
    }

    /// Returns the records that may have copies of a line.
    public func places(of entry: HostKeyEntry) -> [HostKeyPlace] {
        guard let buckets = HostKeyPlace.buckets(of: entry.line) else {
            return (0..<lines).map { .lines($0) }
        }
        return buckets.sorted { $0.name < $1.name }
    }
}
