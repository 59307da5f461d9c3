public import VaultCrypto

/// A known_hosts file: lines that are kept byte for byte, and what they say.
///
/// Reading never fails, and `bytes` of a file that was only read is what was read.
public struct KnownHostsFile: Hashable, Sendable {
    /// The lines, first to last.
    public private(set) var lines: [KnownHostsLine]
    /// Whether the last line ends with a line feed, as it should.
    public private(set) var endsWithLineFeed: Bool

    /// An empty file.
    public init() {
        (lines, endsWithLineFeed) = ([], false)
    }

    /// A file of lines.
    init(_ lines: [KnownHostsLine], endsWithLineFeed: Bool) {
        self.lines = lines
        self.endsWithLineFeed = endsWithLineFeed
    }

    /// Reads a file.
    public init(_ bytes: [UInt8]) {
        var pieces = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        endsWithLineFeed = bytes.last == 0x0A
        if endsWithLineFeed || bytes.isEmpty { pieces.removeLast() }
        lines = pieces.map { KnownHostsLine(Array($0)) }
    }

    /// The file.
    public var bytes: [UInt8] {
        Array(lines.map(\.text).joined(separator: [0x0A])) + (endsWithLineFeed ? [0x0A] : [])
    }

    /// What all readable lines say, first to last.
    public var hosts: [KnownHost] { lines.compactMap(\.host) }

    /// The lines that ssh finds for a name, with their numbers, counted from 1.
    public func find(_ name: HostName) -> [(line: Int, host: KnownHost)] {
        let lookup = Array(name.lookup.utf8)
        return lines.enumerated().compactMap { index, line in
            guard let host = line.host, host.names.matches(lookup: lookup) else { return nil }
            return (index + 1, host)
        }
    }

    /// What ssh would say to a key that a host offers.
    ///
    /// `time` is seconds since 1970, for the validity of certificates.
    public func check(_ key: PublicKey, for name: HostName, at time: UInt64) -> HostCheck {
        HostCheck(key, for: name, among: hosts, at: time)
    }
}

extension KnownHostsFile {
    /// Adds a line at the end, and a line feed before it where the file lacks one.
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

    /// Takes out every line without a marker that ssh finds for a name; the lines that are gone.
    ///
    /// As `ssh-keygen -R`: such a line goes as a whole, also when it names other hosts.
    @discardableResult
    public mutating func remove(_ name: HostName) -> [KnownHostsLine] {
        let lookup = Array(name.lookup.utf8)
        let gone = lines.filter { Self.isTrust($0, for: lookup) }
        lines.removeAll { Self.isTrust($0, for: lookup) }
        if lines.isEmpty { endsWithLineFeed = false }
        return gone
    }

    /// Gives a host another key in the place of the one with this fingerprint.
    ///
    /// Other names of the same line keep the old key, and the comment stays with it. Nothing else changes.
    ///
    /// - Throws: `SSHFormatError.unknownHostKey` when the host has no such key under this very name;
    ///   `revokedHostKey` when the new key is marked as revoked for it. The file is then as before.
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
            // A name that stood alone keeps its form: hashed, or in the case it was written.
            let names = rest == nil ? host.names : HostPattern(name)
            changed.append(KnownHostsLine(KnownHost(names: names, key: key)))
            isThere = true
        }
        lines = changed
        if lines.isEmpty { endsWithLineFeed = false }
    }

    /// Hashes every name that can be hashed, each with a salt of its own; how many names were.
    ///
    /// As `ssh-keygen -H`: a line of several names becomes several lines; lines with a marker or wildcards and
    /// lines that cannot be read stay as they are.
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
