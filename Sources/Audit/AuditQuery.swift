/// Which entries of the audit log are wanted.
public struct AuditQuery: Hashable, Sendable, Codable {
    /// Most entries that are given at once.
    public static let maximum = 10_000

    /// Only those from this moment on, in milliseconds of Unix time.
    public var since: UInt64?
    /// Only these kinds; none means every kind.
    public var kinds: [AuditKind]
    /// Only those that were refused.
    public var onlyRefused: Bool
    /// Only the last ones, so many.
    public var last: Int

    /// The last entries of all kinds.
    public init(
        since: UInt64? = nil,
        kinds: [AuditKind] = [],
        onlyRefused: Bool = false,
        last: Int = maximum
    ) {
        self.since = since
        self.kinds = kinds
        self.onlyRefused = onlyRefused
        self.last = last
    }

    func wants(_ entry: AuditEntry) -> Bool {
        if let since, entry.time < since { return false }
        if onlyRefused, entry.verdict != .refused { return false }
        return kinds.isEmpty || kinds.contains(entry.kind)
    }
}
