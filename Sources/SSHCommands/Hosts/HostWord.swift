internal import SSHFormats

/// A host as people write it: `host`, `host:port`, `[host]:port`, or an IPv6 address with or without
/// brackets.
enum HostWord {
    /// The host that a word names.
    ///
    /// - Throws: `SSHFormatError.badHostName`; `badPort`.
    static func host(_ word: String) throws(SSHFormatError) -> HostName {
        if word.hasPrefix("["), word.hasSuffix("]") {
            return try HostName(host: String(word.dropFirst().dropLast()))
        }
        guard !word.hasPrefix("["), word.utf8.count(where: { $0 == 0x3A }) == 1 else {
            return try HostName(lookup: word)
        }
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return try HostName(host: String(parts[0]), port: try HostName.port(of: String(parts[1])))
    }

    /// Whether a word can only be a host and never the name of a profile.
    static func isAddress(_ word: String) -> Bool { word.contains(":") || word.contains("[") }

    /// How a host is written so that `host` reads it again.
    static func text(_ host: HostName) -> String {
        guard host.port != HostName.standardPort else { return host.name }
        return host.isIPv6 ? "[\(host.name)]:\(host.port)" : "\(host.name):\(host.port)"
    }
}
