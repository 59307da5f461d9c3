public import VaultCrypto

/// A known_hosts file: lines that are kept byte for byte, and their parsed content.
///
/// Reading never fails, and `bytes` of an unchanged file equals its input.
public struct KnownHostsFile: Hashable, Sendable {
    /// The lines, first to last.
    public private(set) var lines: [KnownHostsLine]
    /// Whether the last line ends with a line feed.
    public private(set) var endsWithLineFeed: Bool

    /// Makes an empty file.
    public init() {
        (lines, endsWithLineFeed) = ([], false)
    }

    /// Makes a file from lines.
    init(_ lines: [KnownHostsLine], endsWithLineFeed: Bool) {
        self.lines = lines
        self.endsWithLineFeed = endsWithLineFeed
    }

    /// Parses a file.
    public init(_ bytes: [UInt8]) {
        var pieces = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        endsWithLineFeed = bytes.last == 0x0A
        if endsWithLineFeed || bytes.isEmpty { pieces.removeLast() }
        lines = pieces.map { KnownHostsLine(Array($0)) }
    }

    /// The bytes of the file.
    public var bytes: [UInt8] {
        Array(lines.map(\.text).joined(separator: [0x0A])) + (endsWithLineFeed ? [0x0A] : [])
    }

    /// The parsed content of all readable lines, first to last.
    public var hosts: [KnownHost] { lines.compactMap(\.host) }

    /// Finds the lines that ssh finds for a name, with their numbers, counted from 1.
    public func find(_ name: HostName) -> [(line: Int, host: KnownHost)] {
        let lookup = Array(name.lookup.utf8)
        return lines.enumerated().compactMap { index, line in
            guard let host = line.host, host.names.matches(lookup: lookup) else { return nil }
            return (index + 1, host)
        }
    }

    /// Checks a key that a host offers, as ssh does.
    ///
    /// `time` is in seconds since 1970, for the validity of certificates.
    public func check(_ key: PublicKey, for name: HostName, at time: UInt64) -> HostCheck {
        HostCheck(key, for: name, among: hosts, at: time)
    }
}

extension KnownHostsFile {
    /// Adds a line at the end, and a line feed before it if the file lacks one.
    public mutating func add(_ host: KnownHost) {
        lines.append(KnownHostsLine(host))
        endsWithLineFeed = true
    }

    /// Revokes a key for these hosts, or for every host.
    ///
    /// Lines that trust the key stay; the revocation overrides them.
    public mutating func revoke(_ key: PublicKey, for names: HostPattern = .everyHost) {
        add(KnownHost(names: names, key: key, marker: .revoked))
    }

    /// Removes every line without a marker that ssh finds for a name, and returns the removed lines.
    ///
    /// Like `ssh-keygen -R`, it removes the whole line, even if the line names other hosts.
    @discardableResult
    public mutating func remove(_ name: HostName) -> [KnownHostsLine] {
        let lookup = Array(name.lookup.utf8)
        let gone = lines.filter { Self.isTrust($0, for: lookup) }
        lines.removeAll { Self.isTrust($0, for: lookup) }
        if lines.isEmpty { endsWithLineFeed = false }
        return gone
    }

    /// Replaces the key of a host that has this fingerprint.
    ///
    /// Other names of the line keep the old key and its comment. If the new key has no comment, it gets the old comment.
    ///
    /// - Throws: `SSHFormatError.unknownHostKey` if ssh finds no such key for this name; `revokedHostKey` if the new key is
    ///   marked as revoked for it. The file is unchanged then.
    public mutating func replace(
        _ old: Fingerprint,
        with new: PublicKey,
        for name: HostName
    ) throws(SSHFormatError) {
        let found = find(name).map(\.host)
        let trusted = found.filter { $0.marker == nil }
        guard trusted.contains(where: { Fingerprint(of: $0.key, old.kind) == old }) else {
            throw .unknownHostKey
        }
        guard !HostCheck.isRevoked(new, among: found) else { throw .revokedHostKey }
        let lookup = Array(name.lookup.utf8)
        var isThere = trusted.contains { $0.key.isSameKey(as: new) }
        var changed: [KnownHostsLine] = []
        for line in lines {
            guard let host = line.host, Self.isTrust(line, for: lookup),
                Fingerprint(of: host.key, old.kind) == old
            else {
                changed.append(line)
                continue
            }
            let rest = host.names.without(name)
            if let rest { changed.append(line.renamed(rest)) }
            guard !isThere else { continue }
            var key = new
            if key.comment.isEmpty { key.comment = host.key.comment }
            // If the line had only this name, the name keeps its form: hashed, or in its written case.
            let names = rest == nil ? host.names : HostPattern(name)
            changed.append(KnownHostsLine(KnownHost(names: names, key: key)))
            isThere = true
        }
        lines = changed
        if lines.isEmpty { endsWithLineFeed = false }
    }

    /// Hashes every name that can be hashed, each with its own salt, and returns the number of hashed names.
    ///
    /// Like `ssh-keygen -H`, it splits a line with several names into several lines. Lines with a marker or wildcards, and
    /// unreadable lines, stay unchanged.
    @discardableResult
    public mutating func hash(with entropy: Entropy) -> Int {
        var count = 0
        lines = lines.flatMap { line -> [KnownHostsLine] in
            guard let host = line.host, host.marker == nil, !host.names.isHashed, !host.names.hasWildcards
            else { return [line] }
            count += host.names.names.count
            return host.names.names.map { name in
                line.renamed(HostPattern(hashing: name, salt: entropy.bytes(HashedName.size)))
            }
        }
        return count
    }

    private static func isTrust(_ line: KnownHostsLine, for lookup: [UInt8]) -> Bool {
        guard let host = line.host, host.marker == nil else { return false }
        return host.names.matches(lookup: lookup)
    }
}
