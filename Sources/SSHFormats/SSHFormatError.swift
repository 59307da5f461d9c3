package import VaultCrypto

/// Every refusal of a key, a certificate, a signature or a line; payloads are numbers, never input.
public enum SSHFormatError: Error, Hashable, Sendable, Codable {
    // Bytes
    /// The bytes end before what they announce.
    case truncated
    /// A length says more than `limit` bytes; nothing was read.
    case oversized(limit: Int)
    /// Something follows where a form ends.
    case trailingBytes
    /// A field is not in the form that its kind has.
    case malformed
    /// A number is negative, or longer than 16,384 bits.
    case badNumber
    /// Text that should be base64 is not.
    case malformedBase64
    // Keys
    /// There is no key in the text.
    case noKey
    /// The type before the base64 and the one inside it are not the same.
    case typeMismatch
    /// A key type that cannot do what is asked: unknown, or one whose private half is in hardware.
    case unsupportedKeyType
    /// DSA keys are not taken (OpenSSH dropped them, too).
    case dsaRefused
    /// An RSA key of fewer bits than OpenSSH accepts.
    case rsaTooShort(bits: Int)
    /// A key that a program can not compute with: a point off its curve, an even modulus and the like.
    case badKey
    /// The private half does not belong to the public half, or two copies of the public half differ.
    case halvesDiffer
    // Key files
    /// The file holds `count` keys; one is taken.
    case severalKeys(count: UInt32)
    /// A cipher this program does not know.
    case unknownCipher
    /// `3des-cbc`, refused by name: give the key a new passphrase with `ssh-keygen -p` first.
    case tripleDESRefused
    /// A way to make a key of a passphrase that this program does not know.
    case unknownKDF
    /// Opening would take `rounds` rounds of bcrypt, more than `limit`; nothing was computed.
    case tooManyRounds(rounds: UInt32, limit: UInt32)
    /// The file is encrypted and no passphrase was given.
    case passphraseNeeded
    /// The passphrase is not the one, or the file was changed.
    case wrongPassphrase
    // Signatures
    /// SHA-1 signatures (`ssh-rsa`, `ssh-dss`) are neither made nor taken.
    case sha1Refused
    /// A signature algorithm that the key cannot have made.
    case wrongSignatureAlgorithm
    /// The signature is not good.
    case badSignature
    // Hosts
    /// A host name, address or alias with a character that ssh or a shell could take for something else.
    case badHostName
    /// A port that is not 1 to 65535.
    case badPort
    /// The names of a known_hosts line that are not a list of names, or a hash that is none.
    case badHostPattern
    /// There is no line without a marker for this name and key.
    case unknownHostKey
    /// The key is marked as revoked for this name.
    case revokedHostKey
    /// Another key is known under this name.
    case changedHostKey
    /// A user name that is empty, too long, or could be taken for an option or a command.
    case badUser
    /// A label that is too long, or holds control characters.
    case badLabel
    /// The label cannot be typed as a host after `ssh`.
    case labelIsNoAlias
    /// A way to log in that is not known.
    case unknownAuthentication
    /// A login by key without saying by which.
    case keyReferenceMissing
    /// A name of a key or a password that is empty, too long, or holds control characters.
    case badReference
    /// A path that is not absolute, or holds characters that a shell or a configuration file would read.
    case badPath
    /// An identifier that is not 32 hexadecimal digits in the form of RFC 9562.
    case badIdentifier
    /// The profile at this place, counted from zero, has the same alias as one before it.
    case duplicateAlias(index: Int)
    // Signatures of files
    /// There is no whole armored signature in the text.
    case noSignature
    /// A signature format of this number is not known.
    case unsupportedVersion(UInt32)
    /// An empty namespace, or one longer than `limit` bytes.
    case badNamespace
    /// The signature was made for another namespace.
    case wrongNamespace
    /// A hash that is neither sha256 nor sha512.
    case unknownHash
    // Allowed signers
    /// A line without principals, or with quotes that do not end.
    case badPrincipals
    /// An option that is not known, or not in its form.
    case badOption
    /// The same option twice.
    case duplicateOption
    /// A time that is not `YYYYMMDD[HHMM[SS]][Z]` after 1970.
    case badTime
    /// The end of a validity is not after its beginning.
    case reversedValidity
    // Resources
    /// Locked memory was not to be had; nothing was done.
    case outOfMemory
}

extension SSHFormatError {
    /// The error of a primitive, as this module says it: a size that does not fit is a malformed field.
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
