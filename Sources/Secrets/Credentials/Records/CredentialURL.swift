internal import Text

/// The parts of an address that say where a credential is for: enough to find it again, total, and without what
/// may be secret in an address.
///
/// It reads `https://user@host:port/path?query`, and the same without a scheme.
public struct CredentialURL: Hashable, Sendable, Codable {
    /// Bytes in the longest address that is read.
    public static let longest = 2_048

    private static let ports = ["http": "80", "https": "443", "ssh": "22", "ftp": "21"]

    /// The scheme in lower case; nil when it is not said.
    public let scheme: String?
    /// The user before the at sign; nil when there is none.
    ///
    /// A password after it is dropped.
    public let user: String?
    /// The host in lower case, and `:port` after it unless it is the scheme's own.
    public let host: String
    /// The path without slashes at its ends, query and fragment; empty for none.
    public let path: String

    /// Reads an address; nil for what has no host, or blanks and control characters in it.
    public init?(_ text: String) {
        guard PlainText.isLine(text, longest: Self.longest),
            !text.unicodeScalars.contains(where: \.properties.isWhitespace)
        else { return nil }
        var rest = Substring(text)
        if let end = rest.firstRange(of: "://") {
            let scheme = rest[..<end.lowerBound].lowercased()
            guard Self.isScheme(scheme) else { return nil }
            self.scheme = scheme
            rest = rest[end.upperBound...]
        } else {
            scheme = nil
        }
        rest = rest.prefix { $0 != "?" && $0 != "#" }
        let authority = rest.prefix { $0 != "/" }
        path = Self.trimmed(rest.dropFirst(authority.count))
        let at = authority.lastIndex(of: "@")
        user = at.map { String(authority[..<$0].prefix { $0 != ":" }) }.flatMap { $0.isEmpty ? nil : $0 }
        let place = at.map { authority[authority.index(after: $0)...] } ?? authority
        guard !Self.isDeceptive(place), let host = Self.host(place.lowercased(), scheme) else { return nil }
        self.host = host
    }

    /// Parts as other programs say them, git for one; nil where they make no address.
    ///
    /// - Parameters:
    ///   - scheme: without `://` after it; nil when it is not said.
    ///   - host: a host, with `:port` after it where it has one.
    ///   - path: the path, with or without a leading slash; query and fragment are ignored.
    ///   - user: the user, unchanged; nil for none.
    public init?(scheme: String?, host: String, path: String = "", user: String? = nil) {
        let head = scheme.map { "\($0)://" } ?? ""
        guard !host.contains(where: { "@/?#".contains($0) }), scheme.map(Self.isScheme) ?? true,
            let url = CredentialURL("\(head)\(host)/\(Self.trimmed(path[...]))")
        else { return nil }
        self.scheme = url.scheme
        self.host = url.host
        self.path = url.path
        self.user = user
    }

    /// The address as it may be shown in lists: without user, password, query and fragment.
    public var shown: String {
        (scheme.map { "\($0)://" } ?? "") + host + (path.isEmpty ? "" : "/\(path)")
    }

    /// How well a credential for this address matches the requested address; nil if it does not match.
    ///
    /// The host has to be the same, and the scheme where both say one. A path here has to be that of the other or a
    /// folder above it: the longer it is, the better. A path with `..` in it leads to another folder than it begins with.
    public func score(for asked: CredentialURL) -> Int? {
        guard host == asked.host else { return nil }
        if let scheme, let other = asked.scheme, scheme != other { return nil }
        guard !path.isEmpty else { return 0 }
        guard !asked.hasDotSegments else { return nil }
        guard asked.path == path || asked.path.hasPrefix(path + "/") else { return nil }
        return path.utf8.count
    }

    /// Anyone who fetches it takes these out first (RFC 3986 section 5.2.4), however they are written.
    private var hasDotSegments: Bool {
        path.lowercased().replacing("%2e", with: ".").split { "/\\".contains($0) }
            .contains { $0 == "." || $0 == ".." }
    }

    private static func isScheme(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Letters of other scripts that turn into ASCII ones in lower case: the Kelvin sign, and the I with a dot.
    private static func isDeceptive(_ host: some StringProtocol) -> Bool {
        host.unicodeScalars.contains { scalar in
            !scalar.isASCII && scalar.properties.lowercaseMapping.unicodeScalars.contains(where: \.isASCII)
        }
    }

    private static func host(_ text: String, _ scheme: String?) -> String? {
        guard !text.isEmpty, !text.contains("@") else { return nil }
        let port: Substring?
        let name: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            name = text[...end]
            let behind = text[text.index(after: end)...]
            guard behind.isEmpty || behind.hasPrefix(":") else { return nil }
            port = behind.isEmpty ? nil : behind.dropFirst()
        } else {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            name = parts[0]
            port = parts.count == 2 ? parts[1] : nil
        }
        guard !name.isEmpty, port.map({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) ?? true else {
            return nil
        }
        guard let port, !port.isEmpty, scheme.flatMap({ ports[$0] }) != String(port) else {
            return String(name)
        }
        return "\(name):\(port)"
    }

    private static func trimmed(_ path: Substring) -> String {
        var path = path.prefix { $0 != "?" && $0 != "#" }
        while path.hasPrefix("/") { path = path.dropFirst() }
        while path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }
}

/// Checks names that people give: one line whose look does not deceive.
enum PlainText {
    /// Whether a text has 1 to `longest` bytes, no blank at either end, and no line break or change of direction.
    static func isLine(_ text: String, longest: Int) -> Bool {
        guard (1...longest).contains(text.utf8.count), let first = text.unicodeScalars.first,
            let last = text.unicodeScalars.last
        else { return false }
        return !first.properties.isWhitespace && !last.properties.isWhitespace
            && text.unicodeScalars.allSatisfy { !$0.isForbiddenInNames }
    }
}
