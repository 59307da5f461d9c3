internal import VaultCrypto

/// The names of a known_hosts line: a list of names and patterns, or one hashed name.
///
/// In a list `*` and `?` stand for any characters and for one; a name with `!` excludes hosts that other
/// names include. Case does not matter.
public struct HostPattern: Hashable, Sendable {
    /// The list for every host.
    public static let everyHost = HostPattern(list: [0x2A])

    /// The names as written.
    public let text: [UInt8]
    let hash: HashedName?

    /// Reads the names of a line.
    ///
    /// - Throws: `SSHFormatError.badHostPattern` for no bytes, white space, control characters, a beginning
    ///   that would make the line a comment or its names a marker, or a hash without a whole salt.
    public init(_ text: [UInt8]) throws(SSHFormatError) {
        guard let first = text.first, first != 0x23, first != 0x40,
            text.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let pattern = HostPattern(written: text)
        else { throw .badHostPattern }
        self = pattern
    }

    /// The names that ssh would write for a host.
    public init(_ name: HostName) {
        self.init(list: Array(name.lookup.utf8))
    }

    /// The name of a host, hashed with a salt.
    ///
    /// - Throws: `SSHFormatError.badHostPattern` unless the salt has 20 bytes.
    public init(hashing name: HostName, salt: [UInt8]) throws(SSHFormatError) {
        guard salt.count == HashedName.size else { throw .badHostPattern }
        self.init(hashing: Array(name.lookup.utf8), salt: salt)
    }

    /// Reads the names of a line; nil for a hash without a whole salt, which makes a line unreadable for
    /// OpenSSH.
    init?(written text: [UInt8]) {
        self.text = text
        guard text.first == 0x7C else {
            hash = nil
            return
        }
        guard let hash = HashedName(text) else { return nil }
        self.hash = hash
    }

    /// Hashes a name in any case with a salt of 20 bytes.
    init(hashing name: [UInt8], salt: [UInt8]) {
        let hash = HashedName(of: name.map(PatternList.lowercased), salt: salt)
        self.hash = hash
        text = hash.text
    }

    /// A list without further checks.
    init(list: [UInt8]) {
        text = list
        hash = nil
    }

    /// Whether the pattern is one hashed name.
    public var isHashed: Bool { hash != nil }

    /// Whether the list contains `*`, `?` or `!`, so that it cannot be hashed.
    public var hasWildcards: Bool {
        !isHashed && text.contains { $0 == 0x2A || $0 == 0x3F || $0 == 0x21 }
    }

    /// The names and patterns one by one, with their `!`; for a hashed name its text.
    public var names: [[UInt8]] {
        isHashed ? [text] : text.split(separator: 0x2C).map { Array($0) }
    }

    /// Whether ssh finds the line when it looks up this name.
    public func matches(_ name: HostName) -> Bool {
        matches(lookup: Array(name.lookup.utf8))
    }

    /// Whether ssh finds the line by this text, which is in lower case.
    func matches(lookup: [UInt8]) -> Bool {
        if let hash { return hash.matches(lookup) }
        return PatternList.answer(text, to: lookup, ignoringCase: true) == .match
    }

    /// The pattern without one name; nil if no name is left.
    ///
    /// The name is removed from the list. If another pattern still includes it, `!` before the name excludes
    /// it, so that every other name means the same as before.
    func without(_ name: HostName) -> HostPattern? {
        without(lookup: Array(name.lookup.utf8))
    }

    /// The pattern without a name in its lookup form, in lower case; nil if no name is left.
    func without(lookup: [UInt8]) -> HostPattern? {
        guard matches(lookup: lookup) else { return self }
        guard !isHashed else { return nil }
        let left = names.filter { $0.map(PatternList.lowercased) != lookup }
        guard !left.isEmpty else { return nil }
        let rest = HostPattern(list: Array(left.joined(separator: [0x2C])))
        // Text after a comma must not become a comment, a marker or a hashed name at the start of the line.
        let isOther = [0x23, 0x40, 0x7C].contains(rest.text[0])
        return isOther || rest.matches(lookup: lookup)
            ? HostPattern(list: [0x21] + lookup + [0x2C] + rest.text) : rest
    }
}

extension HostPattern {
    /// A byte for any digit of a port, in a text to compare with a pattern.
    private static let anyDigit: UInt8 = 0

    /// Whether the line may match a host under some port: `[name]:PORT`.
    ///
    /// Names with `!` are ignored, so the answer may be true for an excluded host. A hashed name may be any
    /// name.
    public func mayMatch(_ host: HostName) -> Bool {
        guard !isHashed else { return true }
        let begin = Array("[\(host.name)]:".utf8)
        return names.contains { name in
            guard name.first != 0x21 else { return false }
            let pattern = name.map(PatternList.lowercased)
            return (1...5).contains { digits in
                Self.mayMatch(pattern[...], begin + [UInt8](repeating: Self.anyDigit, count: digits))
            }
        }
    }

    /// The ports with which `[PATTERN]:PORT` in the list matches a host.
    public func ports(of host: HostName) -> [Int] {
        guard !isHashed else { return [] }
        let text = Array(host.name.utf8)
        return names.compactMap { name in
            guard name.first == 0x5B, let end = name.lastIndex(of: 0x5D),
                name[end...].dropFirst().first == 0x3A,
                let port = try? HostName.port(of: String(decoding: name[end...].dropFirst(2), as: UTF8.self)),
                PatternList.matches(name[1..<end].map(PatternList.lowercased)[...], text)
            else { return nil }
            return port
        }
    }

    /// Whether a pattern matches the text for some choice of its `anyDigit` bytes.
    ///
    /// One byte of the pattern matches each byte of the text, so each digit can be chosen on its own.
    private static func mayMatch(_ pattern: ArraySlice<UInt8>, _ text: [UInt8]) -> Bool {
        PatternList.matches(pattern, text) { (pattern, byte) in
            pattern == byte || byte == anyDigit && (0x30...0x39).contains(pattern)
        }
    }
}
