/// One line of known_hosts, kept as it is and understood as OpenSSH understands it.
public struct KnownHostsLine: Hashable, Sendable {
    /// What a line is.
    public enum Content: Hashable, Sendable {
        /// Nothing, or blanks only.
        case blank
        /// Begins with `#`.
        case comment
        case host(KnownHost)
        /// Anything else. ssh passes over it; it is kept, since a newer ssh may know it.
        case unknown
    }

    /// The bytes of the line without its line feed; a carriage return before that belongs to them.
    public let text: [UInt8]
    /// What it is.
    public let content: Content
    /// Where in `text` the type of the key begins; only where the content is a host.
    let keyStart: Int

    /// Reads any line: there is none that fails.
    ///
    /// As for ssh, what stands after a zero byte is not there.
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

    /// The line of a host, as ssh writes it.
    public init(_ host: KnownHost) {
        self.init(host.line)
    }

    /// What the line says of a host; nil if it is none that can be read.
    public var host: KnownHost? {
        if case .host(let host) = content { host } else { nil }
    }

    /// Whether ssh can find a line by one of these texts, judged by its names alone; the key is not looked at.
    static func mayMatch(_ text: [UInt8], _ lookups: [[UInt8]]) -> Bool {
        var rest = text.prefix { $0 != 0 }.drop { $0.isBlank }
        guard let first = rest.first, first != 0x23, cutMarker(from: &rest) != nil,
            let names = HostPattern(written: Array(rest.cutField()))
        else { return false }
        return lookups.contains { names.matches(lookup: $0) }
    }

    /// The same line with other names before the key, with all that follows unchanged.
    func renamed(_ names: HostPattern) -> KnownHostsLine {
        KnownHostsLine(names.text + [0x20] + text[keyStart...])
    }

    /// Takes a marker off the front: one or none, else nil.
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
