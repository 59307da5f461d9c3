internal import VaultCrypto

/// A record that holds lines of known hosts (Schemas/ssh-records.md).
///
/// Lines with only plain names are in the buckets of their names, so a lookup among thousands reads one small
/// record. All other lines are in chunks: one kind for lines that every lookup reads, one for lines that name
/// no host.
public enum HostKeyPlace: Hashable, Sendable {
    /// The counts of lines and records; every change of lines writes it.
    case head
    /// Lines with a name whose SHA-256 begins with this byte.
    case bucket(UInt8)
    /// Lines with patterns or hashed names.
    case lines(Int)
    /// Comments, blank lines and unreadable lines.
    case texts(Int)

    /// Bytes of lines in one chunk; a longer line gets its own chunk.
    static let chunk = 32 << 10

    /// The most names of a line in buckets, because each name may need another copy.
    private static let maximumNames = 8
    /// The most bytes of a line in buckets.
    private static let longestLine = 8 << 10

    /// The name of the record.
    public var name: String {
        switch self {
        case .head: "book"
        case .bucket(let byte): "b-" + Hex.encode([byte])
        case .lines(let number): "lines-" + Self.padded(number)
        case .texts(let number): "text-" + Self.padded(number)
        }
    }

    /// The record with this name; nil if no record has such a name.
    public init?(name: String) {
        let parts = name.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let place: HostKeyPlace? =
            switch (parts.first, parts.dropFirst().first) {
            case ("book", nil): .head
            case ("b", let text?): Hex.decode(String(text)).flatMap { $0.first.map { .bucket($0) } }
            case ("lines", let text?): Int(text).map { .lines($0) }
            case ("text", let text?): Int(text).map { .texts($0) }
            default: nil
            }
        guard let place, place.name == name else { return nil }
        self = place
    }

    /// The bucket of a name.
    public init(of name: HostName) {
        self.init(of: Array(name.lookup.utf8))
    }

    /// The bucket of a name in its lookup form.
    init(of lookup: [UInt8]) {
        self = .bucket(Hash.sha256(lookup)[0])
    }

    /// The buckets that hold a line; nil if a chunk holds it.
    static func buckets(of line: KnownHostsLine) -> Set<HostKeyPlace>? {
        guard let host = line.host, line.text.count <= longestLine, let names = host.names.plainNames,
            names.count <= maximumNames
        else { return nil }
        return Set(names.map { HostKeyPlace(of: $0) })
    }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension HostPattern {
    /// The names in their lookup form, repeated ones too; nil unless all are plain words.
    package var plainNames: [[UInt8]]? {
        guard !isHashed, !hasWildcards else { return nil }
        let names = names.map { $0.map(PatternList.lowercased) }
        return names.isEmpty ? nil : names
    }
}
