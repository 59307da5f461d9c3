internal import VaultCrypto

/// A record in which lines of known hosts lie (Schemas/ssh-records.md).
///
/// Lines whose names are all plain words lie where their names say, so that a lookup among thousands reads one
/// small record. Every other line lies in chunks: those that have to be looked at in every lookup, and those
/// that say nothing of any host.
public enum HostKeyPlace: Hashable, Sendable {
    /// What there is.
    case head
    /// Lines with a name of which the SHA-256 begins with this byte.
    case bucket(UInt8)
    /// Lines with patterns or hashed names.
    case lines(Int)
    /// Comments, blank lines, and what cannot be read.
    case texts(Int)

    /// Bytes of lines in one chunk; a longer line has a chunk of its own.
    static let chunk = 32 << 10

    /// Names that a line in buckets may have: each may mean another copy.
    private static let maximumNames = 8
    /// Bytes in the longest line that lies in buckets.
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

    /// The place of a record by its name; nil for a name that no record has.
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

    /// The bucket of a name as it is looked up.
    init(of lookup: [UInt8]) {
        self = .bucket(Hash.sha256(lookup)[0])
    }

    /// The buckets in which a line lies; nil for one that lies in chunks.
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
    /// The names as they are looked up, if all of them are plain words; a name that stands twice comes twice.
    package var plainNames: [[UInt8]]? {
        guard !isHashed, !hasWildcards else { return nil }
        let names = names.map { $0.map(PatternList.lowercased) }
        return names.isEmpty ? nil : names
    }
}
