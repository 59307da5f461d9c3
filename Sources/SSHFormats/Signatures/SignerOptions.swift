/// The options of a line of allowed_signers, between the principals and the key (`sshsigopt_parse`).
struct SignerOptions {
    private(set) var isAuthority = false
    private(set) var namespaces: [UInt8]?
    private(set) var validAfter: SignerTime?
    private(set) var validBefore: SignerTime?

    /// No options.
    init() {}

    /// Takes the options off the front of a line; at least one must stand there.
    ///
    /// - Throws: `SSHFormatError.badOption`; `duplicateOption`; `badTime`; `reversedValidity`.
    init(from rest: inout ArraySlice<UInt8>) throws(SSHFormatError) {
        repeat {
            try readOption(from: &rest)
        } while try Self.cutComma(from: &rest)
        if let validAfter, let validBefore, validBefore.seconds <= validAfter.seconds,
            validAfter.isUTC == validBefore.isUTC
        {
            throw .reversedValidity
        }
    }

    private mutating func readOption(from rest: inout ArraySlice<UInt8>) throws(SSHFormatError) {
        if Self.cut("cert-authority", from: &rest) {
            isAuthority = true
        } else if Self.cut("namespaces=", from: &rest) {
            guard namespaces == nil else { throw .duplicateOption }
            namespaces = try Self.cutQuoted(from: &rest)
        } else if Self.cut("valid-after=", from: &rest) {
            guard validAfter == nil else { throw .duplicateOption }
            validAfter = try SignerTime(try Self.cutQuoted(from: &rest))
        } else if Self.cut("valid-before=", from: &rest) {
            guard validBefore == nil else { throw .duplicateOption }
            validBefore = try SignerTime(try Self.cutQuoted(from: &rest))
        } else if rest.first != 0x2C {
            // Nothing at all between two commas is passed over, as by OpenSSH.
            throw .badOption
        }
    }

    /// Whether another option follows.
    private static func cutComma(from rest: inout ArraySlice<UInt8>) throws(SSHFormatError) -> Bool {
        guard let next = rest.first, !next.isBlank else { return false }
        guard next == 0x2C else { throw .badOption }
        rest.removeFirst()
        return true
    }

    /// Takes a word off the front, in any case, if it stands there.
    private static func cut(_ word: StaticString, from rest: inout ArraySlice<UInt8>) -> Bool {
        let wanted = Array(word.description.utf8)
        guard rest.prefix(wanted.count).map(PatternList.lowercased) == wanted else { return false }
        rest = rest.dropFirst(wanted.count)
        return true
    }

    /// Takes text in quotes off the front; `\"` within stands for a quote.
    private static func cutQuoted(from rest: inout ArraySlice<UInt8>) throws(SSHFormatError) -> [UInt8] {
        guard rest.popFirst() == 0x22 else { throw .badOption }
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == 0x22 { return text }
            if byte == 0x5C, rest.first == 0x22 {
                rest.removeFirst()
                text.append(0x22)
            } else {
                text.append(byte)
            }
        }
        throw .badOption
    }
}
