internal import Text

/// The parts of an address that show where a credential is used, without parts that may be secret.
///
/// It reads `https://user@host:port/path?query`, also without a scheme.
public struct CredentialURL: Hashable, Sendable, Codable {
    /// Bytes in the longest address that is read.
    public static let longest = 2_048

    private static let ports = ["http": "80", "https": "443", "ssh": "22", "ftp": "21"]

    /// The scheme in lower case; nil if the address has none.
    public let scheme: String?
    /// The user before the at sign; nil if the address has none.
    ///
    /// A password after the user is dropped.
    public let user: String?
    /// The host in lower case, with `:port` unless it is the standard port of the scheme.
    public let host: String
    /// The path without query, fragment and the slashes at its ends; empty for none.
    public let path: String

    /// Reads an address; nil for a text without a host, or with blanks or control characters.
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

    /// Makes an address from parts, as git and other programs supply them; nil if they are invalid.
    ///
    /// - Parameters:
    ///   - scheme: the scheme without `://`; nil if unknown.
    ///   - host: the host, with `:port` if it has one.
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

    /// The address for lists: without user, password, query and fragment.
    public var shown: String {
        (scheme.map { "\($0)://" } ?? "") + host + (path.isEmpty ? "" : "/\(path)")
    }

    /// Rates how well a credential for this address matches a requested address; nil if it does not match.
    ///
    /// The hosts must be equal, and the schemes if both addresses have one. This path must be empty, equal the requested
    /// path or be a folder above it; a longer path is a better match. A requested path with `.` or `..` segments matches
    /// only an empty path, because it leads to a different folder than it begins with.
    public func score(for asked: CredentialURL) -> Int? {
        guard host == asked.host else { return nil }
        if let scheme, let other = asked.scheme, scheme != other { return nil }
        guard !path.isEmpty else { return 0 }
        guard !asked.hasDotSegments else { return nil }
        guard asked.path == path || asked.path.hasPrefix(path + "/") else { return nil }
        return path.utf8.count
    }

    /// Whether the path has dot segments in any spelling; programs remove them before fetching (RFC 3986 section 5.2.4).
    private var hasDotSegments: Bool {
        path.lowercased().replacing("%2e", with: ".").split { "/\\".contains($0) }
            .contains { $0 == "." || $0 == ".." }
    }

    private static func isScheme(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Whether a host has non-ASCII letters whose lower case is ASCII: the Kelvin sign, the I with a dot.
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

/// Checks names that people enter: one line whose look does not deceive.
enum PlainText {
    /// Whether a text has 1 to `longest` bytes, no blank at either end, and no line break or change of writing direction.
    static func isLine(_ text: String, longest: Int) -> Bool {
        guard (1...longest).contains(text.utf8.count), let first = text.unicodeScalars.first,
            let last = text.unicodeScalars.last
        else { return false }
        return !first.properties.isWhitespace && !last.properties.isWhitespace
            && text.unicodeScalars.allSatisfy { !$0.isForbiddenInNames }
    }
}
