public import SSHFormats

extension SSHFormatError {
    /// The exit code (Schemas/errors.json).
    public var exitCode: Int32 {
        switch self {
        case .unknownHostKey: 3
        case .duplicateAlias: 4
        case .dsaRefused, .rsaTooShort, .sha1Refused, .tooManyRounds, .wrongPassphrase, .revokedHostKey: 6
        case .passphraseNeeded: 7
        case .badKey, .halvesDiffer, .badSignature, .wrongNamespace, .wrongSignatureAlgorithm: 11
        case .unsupportedKeyType, .unknownCipher, .tripleDESRefused, .unknownKDF, .outOfMemory: 12
        case .changedHostKey: 15
        default: 13
        }
    }

    /// The name in the table of errors, as the JSON output spells it.
    public var name: String {
        // An enum case prints as `name` or `name(payload)`; the payload is cut.
        String("\(self)".prefix { $0 != "(" })
    }
}
