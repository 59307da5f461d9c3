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
    private var plain: [[UInt8]: [HostKeyClaim]] = [:]
    /// Lines with patterns and hashed names.
    private var others: [(names: HostPattern, matcher: HashedNameMatcher?, claim: HostKeyClaim)] = []
    /// The plain names, ready for hashes.
    private var ready: [HashedNameMatcher.Name] = []

    /// Whether there are keys behind hashed names.
    private(set) var hasHashes = false

    init(_ entries: [HostKeyEntry]) {
        for entry in entries { add(entry.currentHost, firstSeen: entry.firstSeen, source: entry.source) }
        ready = plain.keys.map { HashedNameMatcher.Name($0) }
    }

    init(_ file: KnownHostsFile) {
        for line in file.lines { add(line.host, firstSeen: 0, source: .imported) }
    }

    private mutating func add(_ host: KnownHost?, firstSeen: UInt64, source: HostKeySource) {
        guard let host, host.marker == nil else { return }
        let claim = HostKeyClaim(host, firstSeen: firstSeen, source: source)
        guard let names = host.names.plainNames else {
            others.append((host.names, host.names.hash.flatMap { HashedNameMatcher($0) }, claim))
            hasHashes = hasHashes || host.names.isHashed
            return
        }
        // A list with an overlong name matches nothing, for us and for ssh. Matching each name with the whole list
        // would say the same, and take hours for the longest line.
        guard names.allSatisfy({ $0.count < PatternList.longestPattern }) else { return }
        for name in Set(names) { plain[name, default: []].append(claim) }
    }

    /// Compares a line with all lines here.
    func judge(_ line: KnownHostsLine, number: Int, _ file: HostKeyIndex) -> Judgement {
        guard let host = line.host, host.marker == nil else { return .new }
        var names: [[UInt8]] = []
        if let plainNames = host.names.plainNames {
            names = Array(Set(plainNames))
        } else if !plain.isEmpty {
            names = named(by: host.names)
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
                    isAdditional: file.plain[name, default: []].contains { claim in
                        trusted.contains(where: claim.key.isSameKey(as:))
                    }
                )
            )
        }
        if !conflicts.isEmpty { return .conflicts(conflicts.sorted { $0.name < $1.name }) }
        // A pattern may mean hosts that were not named yet.
        return names.isEmpty || unknown > 0 || host.names.hasWildcards ? .new : .known
    }

    /// The plain names that a list with patterns or a hash takes in.
    func named(by names: HostPattern) -> [[UInt8]] {
        guard let hash = names.hash else { return plain.keys.filter { names.matches(lookup: $0) } }
        guard let matcher = HashedNameMatcher(hash) else { return [] }
        return ready.filter { matcher.matches($0) }.map(\.bytes)
    }

    /// The keys that a name is trusted by.
    private func keys(of name: [UInt8]) -> [PublicKey] {
        var claims = plain[name, default: []]
        let ready = HashedNameMatcher.Name(name)
        for other in others where other.matcher?.matches(ready) ?? other.names.matches(lookup: name) {
            claims.append(other.claim)
        }
        let waiting = HostKeyClaim.waiting(claims)
        return claims.indices.filter { !waiting.contains($0) }.map { claims[$0].key }
    }
}

/// A hashed name made ready to be compared with very many names: what depends on the salt alone is computed once.
struct HashedNameMatcher {
    /// A name made ready likewise, in lower case and with its port.
    struct Name {
        let bytes: [UInt8]
        fileprivate let block: SHA1State.Block?

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            block = SHA1State.end(bytes)
        }
    }

    private let hash: HashedName
    private let inner: SHA1State
    private let outer: SHA1State
    private let tag: SHA1State

    /// Nil for a damaged hash, which no name has.
    init?(_ hash: HashedName) {
        guard hash.tag.count == HashedName.size else { return nil }
        self.hash = hash
        inner = SHA1State(key: hash.salt, pad: 0x36)
        outer = SHA1State(key: hash.salt, pad: 0x5C)
        tag = SHA1State(digest: hash.tag)
    }

    /// Whether this is the hash of that name, as `HashedName.matches` says.
    func matches(_ name: Name) -> Bool {
        guard let block = name.block else { return hash.matches(name.bytes) }
        var (inner, outer) = (inner, outer)
        inner.compress(block)
        outer.compress(inner.end)
        return outer == tag
    }
}
