extension HostPattern {
    /// Stands for any digit of a port in a text that is compared with a pattern.
    private static let anyDigit: UInt8 = 0

    /// Whether the line may be that of a host under some port: `[name]:PORT`.
    ///
    /// Names with `!` are left out, so it rather says yes. A hashed name may be any.
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

    /// The ports under which `[PATTERN]:PORT` in the list matches a host.
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

    /// Whether a pattern matches one of the texts that `anyDigit` stands for.
    ///
    /// Each byte of the text is matched by one of the pattern, so each digit can be chosen by itself.
    private static func mayMatch(_ pattern: ArraySlice<UInt8>, _ text: [UInt8]) -> Bool {
        PatternList.matches(pattern, text) { (pattern, byte) in
            pattern == byte || byte == anyDigit && (0x30...0x39).contains(pattern)
        }
    }
}
