/// The address of a log, validated before a helper program sees it (Schemas/carriers.md section 2).
///
/// No part of it can be read as an option or a command, and it has no password.
package struct CarrierAddress: Equatable, Sendable {
    /// The kinds of carriers; the numbers are part of an ADMIT code.
    package enum Kind: UInt8, CaseIterable, Sendable {
        case git = 1
        case etcd = 2
        case folder = 3
    }

    /// The length of the longest address in bytes.
    package static let longest = 256
    /// The largest number of servers in one address.
    private static let maximumEndpoints = 16

    package let kind: Kind
    /// The address as it was given.
    package let text: String
    /// The `https://host:port` of each etcd server.
    package let endpoints: [String]
    /// The prefix of the etcd keys.
    package let prefix: String

    /// - Throws: `badAddress`.
    package init(_ kind: Kind, _ text: String) throws(CarrierError) {
        guard !text.isEmpty, text.utf8.count <= Self.longest else { throw .badAddress }
        self.kind = kind
        self.text = text
        switch kind {
        case .git:
            guard Self.isGit(text) else { throw .badAddress }
            (endpoints, prefix) = ([], "")
        case .etcd:
            guard let parts = Self.etcd(text) else { throw .badAddress }
            (endpoints, prefix) = parts
        case .folder:
            guard Self.isFolder(text) else { throw .badAddress }
            (endpoints, prefix) = ([], "")
        }
    }

    /// `ssh://[user@]host[:port]/path`, `https://[user@]host[:port]/path`, `file:///path`, `user@host:path`.
    private static func isGit(_ text: String) -> Bool {
        for scheme in ["ssh://", "https://"] where text.hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            guard let slash = rest.firstIndex(of: "/") else { return false }
            return isAuthority(rest[..<slash]) && isPath(rest[slash...])
        }
        if text.hasPrefix("file://") { return isPath(text.dropFirst("file://".count)) }
        guard let at = text.firstIndex(of: "@") else { return false }
        let bracket = text[at...].hasPrefix("@[") ? text[at...].firstIndex(of: "]") ?? at : at
        guard let colon = text[bracket...].firstIndex(of: ":") else { return false }
        let path = text[text.index(after: colon)...]
        return isUser(text[..<at]) && isHost(text[text.index(after: at)..<colon])
            && !path.isEmpty && !path.hasPrefix("-") && !path.hasPrefix(":")
            && path.utf8.allSatisfy { isPathByte($0) && $0 != UInt8(ascii: "%") }
    }

    private static func etcd(_ text: String) -> ([String], String)? {
        let scheme = "https://"
        guard text.hasPrefix(scheme) else { return nil }
        var parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.hasPrefix(scheme) ? $0.dropFirst(scheme.count) : $0
        }
        guard parts.count <= maximumEndpoints, let last = parts.popLast(),
            let slash = last.firstIndex(of: "/")
        else { return nil }
        parts.append(last[..<slash])
        let prefix = last[slash...]
        let names = prefix.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let isName = names.allSatisfy { name in
            !name.isEmpty && name != "." && name != ".."
                && name.utf8.allSatisfy { isLetterOrDigit($0) || [0x2D, 0x2E, 0x5F].contains($0) }
        }
        guard isName, parts.allSatisfy({ isHostAndPort($0) }) else { return nil }
        return (
            parts.map { scheme + ($0.contains(":") && !$0.hasSuffix("]") ? $0 : $0 + ":2379") },
            String(prefix)
        )
    }

    private static func isFolder(_ text: String) -> Bool {
        // Compares bytes, as the system reads a path: a slash with an accent behind it is one Swift character.
        let names = text.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false)
        return text.utf8.first == 0x2F
            && names.allSatisfy {
                !$0.isEmpty && !$0.elementsEqual([0x2E]) && !$0.elementsEqual([0x2E, 0x2E])
            }
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func isAuthority(_ text: Substring) -> Bool {
        guard let at = text.firstIndex(of: "@") else { return isHostAndPort(text) }
        return isUser(text[..<at]) && isHostAndPort(text[text.index(after: at)...])
    }

    /// No colon is allowed: an address has no password.
    private static func isUser(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, isLetterOrDigit(first) || first == 0x5F else { return false }
        return text.utf8.allSatisfy { isLetterOrDigit($0) || [0x2B, 0x2D, 0x2E, 0x5F].contains($0) }
    }

    private static func isHostAndPort(_ text: Substring) -> Bool {
        let end = text.hasPrefix("[") ? text.firstIndex(of: "]") ?? text.startIndex : text.startIndex
        guard let colon = text[end...].firstIndex(of: ":") else { return isHost(text) }
        let port = text[text.index(after: colon)...]
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port) else {
            return false
        }
        return number > 0 && "\(number)" == port && isHost(text[..<colon])
    }

    /// Whether a text is a name, an IPv4 address, or an IPv6 address in brackets.
    private static func isHost(_ text: Substring) -> Bool {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = text.dropFirst().dropLast()
            return inner.utf8.count >= 2
                && inner.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
                        || (0x41...0x46).contains(byte)
                        || byte == 0x3A || byte == 0x2E
                }
        }
        guard let first = text.utf8.first, isLetterOrDigit(first) else { return false }
        return text.utf8.allSatisfy { isLetterOrDigit($0) || [0x2D, 0x2E, 0x5F].contains($0) }
    }

    /// Whether a text is a path below the root whose characters have no special meaning in a shell.
    private static func isPath(_ text: Substring) -> Bool {
        text.hasPrefix("/") && text.count > 1 && !text.hasPrefix("//") && text.utf8.allSatisfy(isPathByte)
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        // + , - . / = @ _ ~ %
        isLetterOrDigit(byte) || [0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x3D, 0x40, 0x5F, 0x7E, 0x25].contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
