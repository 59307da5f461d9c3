/// Which keys are trusted under which names, ordered so that thousands of lines can be compared with thousands.
struct HostKeyIndex {
    /// What lines say about another one.
    enum Judgement {
        /// It says something new.
        case new
        /// It says nothing new.
        case known
        /// It has another key for names that are known.
        case conflicts([KnownHostsImport.Conflict])
    }

    /// Keys by plain names.
    private var plain: [[UInt8]: [PublicKey]] = [:]
    /// Lines with patterns and hashed names.
    private var others: [KnownHost] = []

    /// Whether there are keys behind hashed names.
    private(set) var hasHashes = false

    init(_ entries: [HostKeyEntry]) {
        for entry in entries { add(entry.currentHost) }
    }

    init(_ file: KnownHostsFile) {
        for line in file.lines { add(line.host) }
    }

    private mutating func add(_ host: KnownHost?) {
        guard let host, host.marker == nil else { return }
        guard let names = host.names.plainNames else {
            others.append(host)
            hasHashes = hasHashes || host.names.isHashed
            return
        }
        // A list with an overlong name matches nothing, for us and for ssh. Matching each name with the whole list
        // would say the same, and take hours for the longest line.
        guard names.allSatisfy({ $0.count < PatternList.longestPattern }) else { return }
        for name in Set(names) { plain[name, default: []].append(host.key) }
    }

    /// Compares a line with all lines here.
    func judge(_ line: KnownHostsLine, number: Int, _ file: HostKeyIndex) -> Judgement {
        guard let host = line.host, host.marker == nil else { return .new }
        var names: [[UInt8]] = []
        if let plainNames = host.names.plainNames {
            names = Array(Set(plainNames))
        } else if !plain.isEmpty {
            names = plain.keys.filter { host.names.matches(lookup: $0) }
        }
        var conflicts: [KnownHostsImport.Conflict] = []
        var unknown = 0
        for name in names {
            let trusted = keys(of: name)
            if trusted.isEmpty { unknown += 1 }
            guard !trusted.isEmpty, !trusted.contains(where: host.key.isSameKey(as:)) else { continue }
            conflicts.append(
                KnownHostsImport.Conflict(
                    line: number,
                    name: String(decoding: name, as: UTF8.self),
                    offered: host.key,
                    trusted: trusted,
                    isAdditional: file.plain[name, default: []].contains { key in
                        trusted.contains(where: key.isSameKey(as:))
                    }
                )
            )
        }
        if !conflicts.isEmpty { return .conflicts(conflicts.sorted { $0.name < $1.name }) }
        // A pattern may mean hosts that nobody has named yet.
        return names.isEmpty || unknown > 0 || host.names.hasWildcards ? .new : .known
    }

    /// The keys that a name is trusted by.
    private func keys(of name: [UInt8]) -> [PublicKey] {
        plain[name, default: []] + others.filter { $0.names.matches(lookup: name) }.map(\.key)
    }
}
