/// One line of known hosts in the vault, with further facts about it (Schemas/ssh-records.md).
///
/// Comments, blank lines and unreadable lines are entries too, so that a file can be exported unchanged.
public struct HostKeyEntry: Hashable, Sendable {
    /// Whether the line counts.
    public enum State: Hashable, Sendable, Codable {
        /// The line counts.
        case current
        /// Another key replaced the line, which is history.
        case replaced(at: UInt64, by: Fingerprint)
        /// The line was removed; it is history, and can be restored for a while.
        case removed(at: UInt64)
    }

    /// The line's unique number; lines are exported in this order.
    public internal(set) var sequence: UInt64
    /// The line, byte for byte.
    public internal(set) var line: KnownHostsLine
    /// How the vault came to trust the line.
    public let source: HostKeySource
    /// Time when the line was added to the vault, Unix seconds.
    public package(set) var firstSeen: UInt64
    /// Time when a host last showed the key, Unix seconds, exact to a day; nil if none has since the line was
    /// added.
    public internal(set) var lastSeen: UInt64?
    /// Whether the line counts.
    public internal(set) var state: State
    /// Whether a backup was restored since the line was last confirmed, and later knowledge is lost.
    public internal(set) var isUncompared: Bool
    /// Whether the imported file ended with this line, without a line feed.
    package let lacksLineFeed: Bool

    /// A line, and the known facts about it.
    package init(
        _ line: KnownHostsLine,
        sequence: UInt64,
        source: HostKeySource,
        firstSeen: UInt64,
        lastSeen: UInt64? = nil,
        state: State = .current,
        isUncompared: Bool = false,
        lacksLineFeed: Bool = false
    ) {
        self.line = line
        self.sequence = sequence
        self.source = source
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.state = state
        self.isUncompared = isUncompared
        self.lacksLineFeed = lacksLineFeed
    }

    /// The host of the line; nil for comments and blank lines.
    public var host: KnownHost? { line.host }

    /// Whether the line is current: used in lookups, and exported.
    public var isCurrent: Bool { state == .current }

    /// The content of the line if the line counts; nil for history, comments and the like.
    var currentHost: KnownHost? { isCurrent ? host : nil }

    /// Marks a trusting line as not compared since a restore; a revocation keeps its state.
    public mutating func countAsRestored() {
        guard let host = currentHost, host.marker != .revoked else { return }
        isUncompared = true
    }

    /// Whether the line trusts a key: it is current, and no mark of a revocation or an authority.
    func isTrust(for lookup: [UInt8]) -> Bool {
        guard let host = currentHost, host.marker == nil else { return false }
        return host.names.matches(lookup: lookup)
    }
}

/// How the vault came to trust a known host; the raw values are stored and never change.
public enum HostKeySource: UInt8, CaseIterable, Hashable, Sendable, Codable {
    /// Accepted at the first connection, after showing the fingerprint.
    case firstUse
    /// A person compared the fingerprint with another source, or said so explicitly.
    case compared
    /// The line was in an imported file.
    case imported
    /// A certificate authority of the host vouched for it.
    case authority
    /// The fingerprint was in the signed zone of the host (SSHFP, RFC 4255).
    case sshfp

    /// The word for the source in lists and in JSON.
    public var word: String {
        switch self {
        case .firstUse: "first-use"
        case .compared: "compared"
        case .imported: "imported"
        case .authority: "ca"
        case .sshfp: "sshfp"
        }
    }
}
