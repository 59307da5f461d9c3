/// One line of allowed_signers: who may sign with a key, for what, and when.
public struct AllowedSigner: Hashable, Sendable {
    /// Patterns of the signers' names, separated by commas.
    public let principals: [UInt8]
    /// Whether the key certifies signing keys instead of signing itself.
    public let isAuthority: Bool
    /// Patterns of the permitted namespaces; nil for all.
    public let namespaces: [UInt8]?
    /// The first second in which a signature is valid.
    public let validAfter: SignerTime?
    /// The last second in which a signature is valid.
    public let validBefore: SignerTime?
    /// The key, with the comment of the line.
    public let key: PublicKey

    /// Creates a line from its parts.
    ///
    /// - Throws: `SSHFormatError.badPrincipals` if the principals are empty, or have a quote, a line break or a zero
    ///   byte; `badNamespace` likewise.
    public init(
        principals: [UInt8],
        key: PublicKey,
        isAuthority: Bool = false,
        namespaces: [UInt8]? = nil
    ) throws(SSHFormatError) {
        guard Self.isWritable(principals), principals.first != 0x23 else { throw .badPrincipals }
        if let namespaces, !Self.isWritable(namespaces) { throw .badNamespace }
        self.principals = principals
        self.key = key
        self.isAuthority = isAuthority
        self.namespaces = namespaces
        (validAfter, validBefore) = (nil, nil)
    }

    /// Reads a line; nil for a blank line or a comment.
    ///
    /// - Throws: `SSHFormatError.badPrincipals`; `badOption` for an unknown or malformed option; `duplicateOption`;
    ///   `badTime`; `reversedValidity`; `noKey` if no key can be read.
    public static func read(_ line: [UInt8]) throws(SSHFormatError) -> AllowedSigner? {
        var rest = line.prefix { $0 != 0 }.drop(while: isSpace)
        guard let first = rest.first, first != 0x23 else { return nil }
        let principals = try cutPrincipals(from: &rest)
        var options = SignerOptions()
        if let key = PublicKey(knownHostsText: rest.drop { $0.isBlank }) {
            return AllowedSigner(principals, key, options)
        }
        options = try SignerOptions(from: &rest)
        guard let key = PublicKey(knownHostsText: rest.drop { $0.isBlank }) else { throw .noKey }
        return AllowedSigner(principals, key, options)
    }

    private init(_ principals: [UInt8], _ key: PublicKey, _ options: SignerOptions) {
        self.principals = principals
        self.key = key
        isAuthority = options.isAuthority
        namespaces = options.namespaces
        validAfter = options.validAfter
        validBefore = options.validBefore
    }

    /// The line as `ssh-keygen` reads it, without a line break.
    public var line: [UInt8] {
        var options: [[UInt8]] = []
        if isAuthority { options.append(Array("cert-authority".utf8)) }
        if let namespaces {
            let escaped = namespaces.flatMap { $0 == 0x22 ? [0x5C, 0x22] : [$0] }
            options.append(Array("namespaces=\"".utf8) + escaped + [0x22])
        }
        if let validAfter { options.append(Array("valid-after=\"\(validAfter)\"".utf8)) }
        if let validBefore { options.append(Array("valid-before=\"\(validBefore)\"".utf8)) }
        // Inside quotes a space does not end the word, and `#` does not begin a comment.
        let isQuoted = principals.contains(where: Self.isSpace) || principals.first == 0x23
        var line = isQuoted ? [0x22] + principals + [0x22] : principals
        if !options.isEmpty { line += [0x20] + options.joined(separator: [0x2C]) }
        line += [0x20] + key.typeAndBase64
        let comment = key.comment.prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
        if !comment.isEmpty { line += [0x20] + comment }
        return line
    }

    /// Removes the first word from the front and returns it; a quote in it extends to the next quote (`strdelimw` in
    /// misc.c).
    private static func cutPrincipals(from rest: inout ArraySlice<UInt8>) throws(SSHFormatError) -> [UInt8] {
        let head = rest.prefix { !isSpace($0) && $0 != 0x22 }
        var word = Array(head)
        rest = rest[head.endIndex...]
        if rest.first == 0x22 {
            let quoted = rest.dropFirst().prefix { $0 != 0x22 }
            guard quoted.endIndex < rest.endIndex else { throw .badPrincipals }
            word += quoted
            rest = rest[quoted.endIndex...]
        }
        guard !rest.isEmpty else { throw .noKey }
        guard !word.isEmpty else { throw .badPrincipals }
        rest = rest.dropFirst().drop(while: isSpace)
        return word
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == 0x0A || byte == 0x0D
    }

    private static func isWritable(_ text: [UInt8]) -> Bool {
        !text.isEmpty && !text.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 == 0x7F }
    }
}
