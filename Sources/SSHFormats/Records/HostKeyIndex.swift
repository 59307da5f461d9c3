/// The trusted keys by name, in an order that lets thousands of lines be compared with thousands of others.
struct HostKeyIndex {
    /// The result of comparing a line with the index.
    enum Judgement {
        /// The line is new.
        case new
        /// The line adds nothing.
        case known
        /// The line has another key for a known name.
        case conflicts([KnownHostsImport.Conflict])
    }

    /// The keys by plain name.
    private var plain: [[UInt8]: [HostKeyClaim]] = [:]
    /// The lines with patterns and hashed names.
    private var others: [(names: HostPattern, matcher: HashedNameMatcher?, claim: HostKeyClaim)] = []
    /// The plain names, prepared for hashing.
    private var ready: [HashedNameMatcher.Name] = []

    /// Whether the index has keys with hashed names.
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
        // A list with an overlong name matches nothing, here and in ssh. Matching each name with the whole list would
        // have the same result, but need hours for the longest line.
        guard names.allSatisfy({ $0.count < PatternList.longestPattern }) else { return }
        for name in Set(names) { plain[name, default: []].append(claim) }
    }

    /// Compares a line with all lines of the index.
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
        // A pattern may match hosts that are not in the index yet.
        return names.isEmpty || unknown > 0 || host.names.hasWildcards ? .new : .known
    }

    /// Returns the plain names that match a list with patterns or a hash.
    func named(by names: HostPattern) -> [[UInt8]] {
        guard let hash = names.hash else { return plain.keys.filter { names.matches(lookup: $0) } }
        guard let matcher = HashedNameMatcher(hash) else { return [] }
        return ready.filter { matcher.matches($0) }.map(\.bytes)
    }

    /// Returns the trusted keys of a name.
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

/// A hashed name that is prepared for many comparisons: everything that depends on the salt alone is computed once.
struct HashedNameMatcher {
    /// A name that is prepared likewise, in lower case and with its port.
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

    /// Prepares a hashed name; nil for a damaged hash, which matches no name.
    init?(_ hash: HashedName) {
        guard hash.tag.count == HashedName.size else { return nil }
        self.hash = hash
        inner = SHA1State(key: hash.salt, pad: 0x36)
        outer = SHA1State(key: hash.salt, pad: 0x5C)
        tag = SHA1State(digest: hash.tag)
    }

    /// Whether this is the hash of that name; the result equals that of `HashedName.matches`.
    func matches(_ name: Name) -> Bool {
        guard let block = name.block else { return hash.matches(name.bytes) }
        var (inner, outer) = (inner, outer)
        inner.compress(block)
        outer.compress(inner.end)
        return outer == tag
    }
}
