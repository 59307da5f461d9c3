/// A list of patterns as OpenSSH reads it (PATTERNS in ssh_config(5)): `*` and `?`, commas between, `!` before.
enum PatternList {
    /// The result of matching a list with a text.
    enum Answer {
        case noMatch
        case match
        /// A pattern with `!` matches, which overrides all others.
        case excluded
    }

    /// The pattern length in bytes from which the whole list matches nothing, as in OpenSSH.
    static let longestPattern = 1023

    /// Matches a list with a text; with `ignoringCase` the text must already be in lower case.
    ///
    /// The corresponding C function is `match_pattern_list`.
    static func answer(_ list: [UInt8], to text: [UInt8], ignoringCase: Bool) -> Answer {
        var answer = Answer.noMatch
        var rest = list[...]
        while !rest.isEmpty {
            let isNegated = rest.first == 0x21
            if isNegated { rest.removeFirst() }
            let written = rest.prefix { $0 != 0x2C }
            rest = rest[written.endIndex...].dropFirst()
            guard written.count < longestPattern else { return .noMatch }
            let pattern = ignoringCase ? written.map(lowercased)[...] : written
            guard matches(pattern, text) else { continue }
            if isNegated { return .excluded }
            answer = .match
        }
        return answer
    }

    /// Whether one pattern matches a whole text.
    ///
    /// It returns only to the last `*`, so that the time is bounded by the product of both lengths. The corresponding
    /// C function, `match_pattern`, has no such bound. `isSame` compares a byte of the pattern other than `*` and `?`
    /// with a byte of the text.
    static func matches(
        _ pattern: ArraySlice<UInt8>,
        _ text: [UInt8],
        by isSame: (UInt8, UInt8) -> Bool = { $0 == $1 }
    ) -> Bool {
        var (at, place) = (pattern.startIndex, text.startIndex)
        var (star, resume): (Int?, Int) = (nil, 0)
        while place < text.endIndex {
            if at < pattern.endIndex, pattern[at] == 0x2A {
                (star, resume) = (at, place)
                at += 1
            } else if at < pattern.endIndex, pattern[at] == 0x3F || isSame(pattern[at], text[place]) {
                at += 1
                place += 1
            } else if let last = star {
                resume += 1
                (at, place) = (last + 1, resume)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == 0x2A }
    }

    /// Returns ASCII letters in lower case and every other byte unchanged.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
    }
}
