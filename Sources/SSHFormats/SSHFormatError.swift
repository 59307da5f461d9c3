package import VaultCrypto

/// Every refusal of a key, a certificate, a signature or a line.
///
/// Associated values are numbers, never input.
public enum SSHFormatError: Error, Hashable, Sendable, Codable {
    // Bytes
    /// The bytes end before a field that they announce is complete.
    case truncated
    /// A length field exceeds `limit` bytes; nothing was read.
    case oversized(limit: Int)
    /// Bytes follow after the end of a format.
    case trailingBytes
    /// A field does not have the form that its kind requires.
    case malformed
    /// A number is negative, or longer than 16,384 bits.
    case badNumber
    /// Text is not valid base64.
    case malformedBase64
    // Keys
    /// The text has no key.
    case noKey
    /// The key type before the base64 differs from the type inside it.
    case typeMismatch
    /// A key type is not supported for this use: it is unknown, or its private half is in hardware.
    case unsupportedKeyType
    /// DSA keys are refused (OpenSSH dropped them, too).
    case dsaRefused
    /// An RSA key of fewer bits than OpenSSH accepts.
    case rsaTooShort(bits: Int)
    /// The key is mathematically invalid: a point off its curve, an even modulus and the like.
    case badKey
    /// The private half does not belong to the public half, or two copies of the public half differ.
    case halvesDiffer
    // Key files
    /// The file holds `count` keys, and only one is allowed.
    case severalKeys(count: UInt32)
    /// The cipher is unknown.
    case unknownCipher
    /// `3des-cbc`, refused by name: give the key a new passphrase with `ssh-keygen -p` first.
    case tripleDESRefused
    /// The key derivation from a passphrase is unknown.
    case unknownKDF
    /// Opening needs `rounds` rounds of bcrypt, more than `limit`; nothing was computed.
    case tooManyRounds(rounds: UInt32, limit: UInt32)
    /// The file is encrypted and no passphrase was given.
    case passphraseNeeded
    /// The passphrase is wrong, or the file was changed.
    case wrongPassphrase
    // Signatures
    /// SHA-1 signatures (`ssh-rsa`, `ssh-dss`) are neither made nor accepted.
    case sha1Refused
    /// The key cannot have made a signature with this algorithm.
    case wrongSignatureAlgorithm
    /// The signature is invalid.
    case badSignature
    // Hosts
    /// A host name, address or alias has a character that ssh or a shell could misinterpret.
    case badHostName
    /// The port is not 1 to 65535.
    case badPort
    /// The names of a known_hosts line are not a list of names, or their hash is malformed.
    case badHostPattern
    /// No line without a marker has this name and key.
    case unknownHostKey
    /// The key is revoked for this name.
    case revokedHostKey
    /// Another key is trusted under this name.
    case changedHostKey
    /// The user name is empty, too long, or could be misread as an option or a command.
    case badUser
    /// The label is too long, or has control characters.
    case badLabel
    /// The label cannot be typed as a host after `ssh`.
    case labelIsNoAlias
    /// The login method is unknown.
    case unknownAuthentication
    /// A login by key names no key.
    case keyReferenceMissing
    /// A name of a key or a password that is empty, too long, or holds control characters.
    case badReference
    /// A path that is not absolute, or holds characters that a shell or a configuration file would read.
    case badPath
    /// An identifier that is not 32 hexadecimal digits in the form of RFC 9562.
    case badIdentifier
    /// The profile at this index, counted from zero, has the alias of an earlier one.
    case duplicateAlias(index: Int)
    // Signatures of files
    /// The text has no complete armored signature.
    case noSignature
    /// The version number of the signature format is unknown.
    case unsupportedVersion(UInt32)
    /// An empty namespace, or one longer than `limit` bytes.
    case badNamespace
    /// The signature was made for another namespace.
    case wrongNamespace
    /// The hash is neither sha256 nor sha512.
    case unknownHash
    // Allowed signers
    /// A line without principals, or with quotes that do not end.
    case badPrincipals
    /// An option is unknown or malformed.
    case badOption
    /// An option is repeated.
    case duplicateOption
    /// A time that is not `YYYYMMDD[HHMM[SS]][Z]` after 1970.
    case badTime
    /// The end of a validity is not after its beginning.
    case reversedValidity
    // Resources
    /// No locked memory was available; nothing was done.
    case outOfMemory
}

extension SSHFormatError {
    /// Converts the error of a primitive; a wrong size is a malformed field.
    package init(_ error: CryptoError) {
        switch error {
        case .outOfMemory: self = .outOfMemory
        case .authenticationFailed, .checkFailed: self = .badSignature
        case .badPublicKey: self = .badKey
        case .wrongSize, .parametersOutOfBounds: self = .malformed
        case .malformedText: self = .malformedBase64
        }
    }
}
