internal import SSHFormats
internal import SharedLog

/// A line of known hosts as machines share it (Schemas/machines.md section 6): an entry of `HostKeyBook`, or an object of the log.
///
/// The number of the line, when a host last showed the key, and a missing line feed stay on each machine.
struct SharedHostKey {
    let entry: HostKeyEntry

    /// A line of the vault; nil for a comment and the like.
    init?(_ entry: HostKeyEntry) {
        guard entry.host != nil else { return nil }
        self.entry = entry
    }

    /// A line of the log, which has no number yet; nil for an object that no line can be made of.
    init?(_ object: SharedObject) {
        guard object.sharedKind == .knownHost, let value = try? KnownHostObject(content: object.content),
            !value.line.contains(0x0A)
        else { return nil }
        self.init(value)
        guard entry.host != nil, object.isSame(as: try? self.object()) else { return nil }
    }

    /// What the log says of a line, with what this machine alone knows.
    private init(_ value: KnownHostObject, here: HostKeyEntry? = nil) {
        entry = HostKeyEntry(
            here?.line ?? KnownHostsLine(value.line),
            sequence: here?.sequence ?? 0,
            source: HostKeySource(rawValue: value.source) ?? .firstUse,
            firstSeen: UInt64(value.firstSeen),
            lastSeen: here?.lastSeen,
            state: value.ending,
            isUncompared: value.isUncompared,
            lacksLineFeed: here?.lacksLineFeed ?? false
        )
    }

    /// The lines of a book, each once.
    ///
    /// If a line stands there several times, a line that counts goes before history, and a compared line before the others.
    static func lines(of book: HostKeyBook) -> [ObjectID: SharedHostKey] {
        book.entries.compactMap { SharedHostKey($0) }.reduce(into: [:]) { lines, line in
            if let other = lines[line.id], other.weight >= line.weight { return }
            lines[line.id] = line
        }
    }

    private var weight: (ended: UInt32, isCompared: Int) {
        let ended = entry.isCurrent ? .max : value.ended
        return (ended, isCompared ? 1 : 0)
    }

    /// Whether a person compared it, and nothing was restored since.
    private var isCompared: Bool { entry.source == .compared && !entry.isUncompared }

    /// What the log names it by.
    var id: ObjectID { value.id }

    private var value: KnownHostObject {
        var (state, ended, by): (UInt8, UInt64, [UInt8]) = (0, 0, [])
        switch entry.state {
        case .current: break
        case .replaced(let time, let fingerprint): (state, ended, by) = (1, max(1, time), fingerprint.digest)
        case .removed(let time): (state, ended) = (2, max(1, time))
        }
        return KnownHostObject(
            state: state,
            source: entry.source.rawValue,
            isUncompared: entry.isUncompared,
            firstSeen: UInt32(clamping: entry.firstSeen),
            ended: UInt32(clamping: ended),
            replacedBy: by,
            line: entry.line.text
        )
    }

    /// The object that the log gets; it has no name, and its times are in its content.
    ///
    /// - Throws: `LogError`.
    func object() throws -> SharedObject {
        let value = value
        return try SharedObject(
            kind: SharedKind.knownHost.rawValue,
            id: value.id,
            name: "",
            content: try value.content()
        )
    }

    /// What an index keeps.
    var digests: [RegisterDigest] { value.digests }

    /// Merges the change of this machine with the change in the log: the stricter of both.
    ///
    /// - Parameters:
    ///   - log: The same line in the log.
    ///   - base: The registers as both had them; none for a line that both machines learned apart.
    /// - Returns: the line under its number here, and whether a person changed something on both sides.
    func merged(
        with log: SharedHostKey,
        base: [RegisterDigest]
    ) -> (line: SharedHostKey, isConflict: Bool) {
        let (merged, hasLoss) = value.merged(with: log.value, base: base)
        return (SharedHostKey(merged, here: entry), hasLoss)
    }

    /// Decides between two keys that two machines learned apart for one plain name.
    ///
    /// A key that a person compared counts before any other, else the log's key counts. It replaces the other key, so ssh refuses
    /// the other until a person compares. A line with several names is replaced for all of them.
    ///
    /// - Parameters:
    ///   - log: A line in the log.
    ///   - second: When this is decided, Unix seconds.
    /// - Returns: both lines; nil if they share no name, have the same key, or do not both trust a key.
    func settled(
        against log: SharedHostKey,
        at second: UInt64
    ) -> (mine: SharedHostKey, log: SharedHostKey)? {
        guard let mine = trust, let theirs = log.trust, !mine.names.isDisjoint(with: theirs.names),
            !mine.key.isSameKey(as: theirs.key)
        else { return nil }
        let time = UInt32(clamping: second)
        guard isCompared, !log.isCompared else {
            let old = value.replaced(by: theirs.key.fingerprint.digest, at: time)
            return (SharedHostKey(old, here: entry), log)
        }
        let old = log.value.replaced(by: mine.key.fingerprint.digest, at: time)
        return (self, SharedHostKey(old, here: log.entry))
    }

    /// The names and the key of a line that counts as trust under plain names alone.
    private var trust: (names: Set<[UInt8]>, key: PublicKey)? {
        guard entry.isCurrent, let host = entry.host, host.marker == nil, let names = host.names.plainNames
        else { return nil }
        return (Set(names), host.key)
    }
}

extension KnownHostObject {
    /// Whether the line counts, and how it ended.
    fileprivate var ending: HostKeyEntry.State {
        switch state {
        case 0: .current
        case 1: .replaced(at: UInt64(ended), by: Fingerprint(sha256: replacedBy))
        default: .removed(at: UInt64(ended))
        }
    }
}
