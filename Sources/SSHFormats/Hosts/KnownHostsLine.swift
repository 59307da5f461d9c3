/// One line of known_hosts, kept unchanged and read as OpenSSH reads it.
public struct KnownHostsLine: Hashable, Sendable {
    /// The content of a line.
    public enum Content: Hashable, Sendable {
        /// An empty line, or only blanks.
        case blank
        /// A line that begins with `#`.
        case comment
        case host(KnownHost)
        /// Any other line. ssh ignores it; the vault keeps it, because a newer ssh may know it.
        case unknown
    }

    /// The bytes of the line without its line feed, but with a carriage return before that.
    public let text: [UInt8]
    /// The parsed content.
    public let content: Content
    /// The index in `text` where the type of the key begins; only for a host.
    let keyStart: Int

    /// Reads any line; it never fails.
    ///
    /// Bytes after a zero byte are ignored, as in ssh.
    public init(_ text: [UInt8]) {
        var rest = text.prefix { $0 != 0 }.drop { $0.isBlank }
        self.text = text
        guard let first = rest.first, first != 0x23, rest != [0x0D] else {
            content = rest.first == 0x23 ? .comment : .blank
            keyStart = 0
            return
        }
        guard let marker = Self.cutMarker(from: &rest) else {
            (content, keyStart) = (.unknown, 0)
            return
        }
        let names = rest.cutField()
        keyStart = rest.startIndex
        guard !names.isEmpty, let pattern = HostPattern(written: Array(names)), rest.first != 0x23,
            let key = PublicKey(knownHostsText: rest)
        else {
            content = .unknown
            return
        }
        content = .host(KnownHost(names: pattern, key: key, marker: marker))
    }

    /// Creates the line of a host as ssh writes it.
    public init(_ host: KnownHost) {
        self.init(host.line)
    }

    /// The host of the line; nil if the line has none.
    public var host: KnownHost? {
        if case .host(let host) = content { host } else { nil }
    }

    /// Returns whether ssh can find a line by any of these texts, according to its names; the key is not read.
    static func mayMatch(_ text: [UInt8], _ lookups: [[UInt8]]) -> Bool {
        var rest = text.prefix { $0 != 0 }.drop { $0.isBlank }
        guard let first = rest.first, first != 0x23, cutMarker(from: &rest) != nil,
            let names = HostPattern(written: Array(rest.cutField()))
        else { return false }
        return lookups.contains { names.matches(lookup: $0) }
    }

    /// Returns the line with other names; everything after the names stays.
    func renamed(_ names: HostPattern) -> KnownHostsLine {
        KnownHostsLine(names.text + [0x20] + text[keyStart...])
    }

    /// Removes at most one marker from the front; nil if the line is malformed there.
    ///
    /// OpenSSH looks for a space as the marker's end first, and for a tab only in a line without spaces
    /// (`check_markers` in hostfile.c); so a marker with a tab after it makes most lines unreadable for it.
    private static func cutMarker(from rest: inout ArraySlice<UInt8>) -> KnownHost.Marker?? {
        guard rest.first == 0x40 else { return .some(nil) }
        guard let end = rest.firstIndex(of: 0x20) ?? rest.firstIndex(of: 0x09),
            let marker = KnownHost.Marker(rawValue: String(decoding: rest[..<end], as: UTF8.self))
        else { return nil }
        rest = rest[end...].drop { $0.isBlank }
        return rest.first == 0x40 ? nil : .some(marker)
    }
}

/// The statement of one line of known_hosts: these names have this key.
public struct KnownHost: Hashable, Sendable, Codable {
    /// A marker changes the meaning of a line.
    public enum Marker: String, CaseIterable, Hashable, Sendable, Codable {
        /// The key signs certificates of these hosts.
        case authority = "@cert-authority"
        /// The key, a certificate of it and a certificate by it must never be trusted for these hosts.
        case revoked = "@revoked"
    }

    /// The marker, if there is one.
    public let marker: Marker?
    /// The hosts of the key.
    public let names: HostPattern
    /// The key, with the comment of the line.
    ///
    /// A key of an unsupported type (DSA or unknown) is only its bytes, which suffice to detect that a host offers
    /// another key.
    public let key: PublicKey

    /// Creates a line from its parts.
    public init(names: HostPattern, key: PublicKey, marker: Marker? = nil) {
        self.marker = marker
        self.names = names
        self.key = key
    }

    /// The line for people: the hosts, the effect of the marker, and the key.
    package var fact: String {
        let names = String(decoding: names.text, as: UTF8.self)
        let whose =
            switch marker {
            case nil: names
            case .authority: "Authority for \(names)"
            case .revoked: "Revoked for \(names)"
            }
        return "\(whose): \(key.algorithm.shortName) \(key.fingerprint)"
    }

    /// The line as ssh writes it, without a line break.
    ///
    /// A comment ends at its first line break or zero byte, since the rest would be another line.
    public var line: [UInt8] {
        var line: [UInt8] = []
        if let marker { line += Array(marker.rawValue.utf8) + [0x20] }
        line += names.text + [0x20] + key.typeAndBase64
        let comment = key.comment.prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
        if !comment.isEmpty { line += [0x20] + comment }
        return line
    }
}
