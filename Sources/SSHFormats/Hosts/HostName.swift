/// The name that ssh looks up for a host: a name or address with its port, or an alias.
///
/// Only letters, digits, `.`, `-` and `_` are allowed, or an IPv6 address with an optional zone. This
/// excludes everything that OpenSSH never records (``@?*#[]|'"\`` and control characters), and everything
/// that a shell, ssh_config or known_hosts could misread (CVE-2023-51385). Write names with other letters in
/// their ASCII form (RFC 5891).
public struct HostName: Hashable, Sendable, CustomStringConvertible {
    /// The length of the longest name in bytes (RFC 1035 section 2.3.4).
    public static let longest = 255
    /// The standard port, which is never written.
    public static let standardPort: UInt16 = 22

    /// The host, address or alias in lower case, without port and brackets.
    public let name: String
    /// The port; 22 for an alias.
    public let port: UInt16
    /// Whether the name is a HostKeyAlias: it has no port, and is never looked up without one.
    public let isAlias: Bool

    /// Creates a host from its name or address.
    ///
    /// - Throws: `SSHFormatError.badHostName`; `badPort`.
    public init(host: String, port: Int = Int(standardPort)) throws(SSHFormatError) {
        guard let port = UInt16(exactly: port), port > 0 else { throw .badPort }
        name = try Self.checked(host)
        self.port = port
        isAlias = false
    }

    /// Creates a host from its HostKeyAlias.
    ///
    /// - Throws: `SSHFormatError.badHostName`.
    public init(alias: String) throws(SSHFormatError) {
        name = try Self.checked(alias)
        port = Self.standardPort
        isAlias = true
    }

    /// Reads a name as ssh passes it to a KnownHostsCommand (`%H`): `host` or `[host]:port`.
    ///
    /// - Throws: `SSHFormatError.badHostName`; `badPort`.
    public init(lookup: String) throws(SSHFormatError) {
        guard lookup.utf8.first == 0x5B else {
            try self.init(host: lookup)
            return
        }
        let parts = lookup.dropFirst().split(separator: "]", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.first == 0x3A else { throw .badHostName }
        try self.init(host: String(parts[0]), port: try Self.port(of: String(parts[1].dropFirst())))
    }

    /// Reads a port: decimal digits, 1 to 65535, nothing before or after.
    ///
    /// - Throws: `SSHFormatError.badPort`.
    public static func port(of text: String) throws(SSHFormatError) -> Int {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(text), (1...Int(UInt16.max)).contains(port)
        else { throw .badPort }
        return port
    }

    /// The text in known_hosts: `host`, or `[host]:port` unless the port is 22.
    public var lookup: String {
        port == Self.standardPort ? name : "[\(name)]:\(port)"
    }

    /// The name that ssh tries if nothing is known about `[host]:port`; nil if it tries none.
    public var withoutPort: HostName? {
        port == Self.standardPort ? nil : HostName(name)
    }

    /// Whether the name is an IPv6 address.
    public var isIPv6: Bool { name.utf8.contains(0x3A) }

    /// The name in its lookup form.
    public var description: String { lookup }

    /// Creates a valid name with the standard port.
    private init(_ name: String) {
        self.name = name
        port = Self.standardPort
        isAlias = false
    }

    /// The name in lower case.
    private static func checked(_ name: String) throws(SSHFormatError) -> String {
        let bytes = Array(name.utf8)
        guard (1...longest).contains(bytes.count), bytes.first != 0x2D else { throw .badHostName }
        guard bytes.allSatisfy(isPlain) || IPv6Text.isAddress(bytes) else { throw .badHostName }
        return name.lowercased()
    }

    /// Whether a byte is allowed in every name: a letter, a digit, `.`, `-` or `_`.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}

/// The text form of IPv6 addresses (RFC 4291 section 2.2), optionally with a zone after `%` (RFC 4007 section 11).
enum IPv6Text {
    /// Whether a text is an address.
    static func isAddress(_ text: [UInt8]) -> Bool {
        let parts = text.split(separator: 0x25, maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first else { return false }
        if parts.count == 2, parts[1].isEmpty || !parts[1].allSatisfy(HostName.isPlain) { return false }
        return isPlainAddress(String(decoding: address, as: UTF8.self))
    }

    private static func isPlainAddress(_ text: String) -> Bool {
        guard text.utf8.contains(0x3A) else { return false }
        var groups = text.split(separator: ":", omittingEmptySubsequences: false)[...]
        // `::` at an end leaves two empty groups there; the second only marks the end of the text.
        if text.hasPrefix("::") { groups.removeFirst() } else if groups.first == "" { return false }
        if text.hasSuffix("::"), groups.count > 1 {
            groups.removeLast()
        } else if groups.last == "" {
            return false
        }
        let gaps = groups.count { $0.isEmpty }
        var count = groups.count - gaps
        if let last = groups.last, last.contains(".") {
            guard isIPv4(last) else { return false }
            groups.removeLast()
            count += 1
        }
        let areHexadecimal = groups.allSatisfy { group in
            group.utf8.count <= 4 && group.utf8.allSatisfy(isHexadecimal)
        }
        return areHexadecimal && (gaps == 0 ? count == 8 : gaps == 1 && count <= 7)
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4
            && numbers.allSatisfy { number in
                let digits = number.utf8
                return (1...3).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
                    && (Int(number) ?? 256) <= 255
            }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
