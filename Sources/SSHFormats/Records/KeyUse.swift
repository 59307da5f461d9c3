package import VaultCrypto

/// The conditions for the use of a key, as its owner set them.
public struct KeyUse: Hashable, Sendable, Codable {
    /// The most hosts, and the most namespaces, of one key.
    public static let maximumNames = 32
    /// The most bytes in all hosts, or all namespaces, of one key together, so that they can be searched for.
    public static let longestNames = 4_000

    /// Whether the owner must confirm each use.
    public var needsConfirmation = false
    /// The seconds for which an agent keeps the key; 0 for no limit.
    public var lifetime: UInt32 = 0
    /// The hosts that the key may be used for, by their profiles' names or as ssh knows them; empty for any host.
    public var hosts: [String] = []
    /// The namespaces under which the key signs files and commits, such as `git`; empty for no namespace.
    public var namespaces: [String] = []
    /// Whether the key stays on this machine, even if the vault is shared with other machines.
    public var isLocal = false

    /// Makes conditions without confirmation and limits, and without signatures of files.
    public init() {}

    /// Validates the lists of hosts and namespaces.
    ///
    /// - Throws: `SSHFormatError.badNamespace`; `badHostName`; `oversized`; `malformed` for duplicates.
    public func check() throws(SSHFormatError) {
        for host in hosts {
            guard try HostName(lookup: host).lookup == host else { throw .badHostName }
        }
        for name in namespaces {
            guard Self.isPlain(name), (1...FileSignature.longestNamespace).contains(name.utf8.count) else {
                throw .badNamespace
            }
        }
        for list in [hosts, namespaces] {
            guard list.count <= Self.maximumNames else { throw .oversized(limit: Self.maximumNames) }
            let size = list.reduce(0) { $0 + $1.utf8.count + 1 }
            guard size <= Self.longestNames else { throw .oversized(limit: Self.longestNames) }
            guard Set(list).count == list.count else { throw .malformed }
        }
    }

    /// Returns whether a name is printable ASCII without the characters of lists, quotes and patterns in allowed_signers.
    private static func isPlain(_ name: String) -> Bool {
        let refused = Array("\",\\*?!".utf8)
        return name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !refused.contains($0) }
    }
}

/// The kinds of keys that the vault makes.
public enum KeyKind: Hashable, Sendable, Codable {
    case ed25519
    case ecdsa(ECDSACurve)
    /// 3,072 or 4,096 bits.
    case rsa(bits: Int)

    /// The kind for the successor of a key: the key's own type, for RSA with 3,072 or 4,096 bits.
    ///
    /// Nil for a type that the vault cannot make.
    public init?(like key: PublicKey) {
        switch key.algorithm {
        case .ed25519: self = .ed25519
        case .ecdsa(let curve): self = .ecdsa(curve)
        case .rsa: self = .rsa(bits: (key.bits ?? 0) > 3072 ? 4096 : 3072)
        default: return nil
        }
    }

    /// Makes a key of this kind.
    package func make(comment: [UInt8], entropy: Entropy) throws(SSHFormatError) -> PrivateKey {
        switch self {
        case .ed25519: try PrivateKey.ed25519(comment: comment, entropy: entropy)
        case .ecdsa(let curve): try PrivateKey.ecdsa(curve, comment: comment, entropy: entropy)
        case .rsa(let bits): try PrivateKey.rsa(bits: bits, comment: comment)
        }
    }
}

/// The rules for a key's name in the vault.
///
/// The name can also be the name of its `.pub` file, and part of a path in ssh_config.
public enum KeyName {
    /// The most bytes in a name.
    public static let longest = 100

    /// Returns whether a name has 1 to 100 bytes of letters, digits and `.` `_` `-` `@` `+`, and begins with neither dot nor
    /// dash.
    ///
    /// Letters and digits of any script are allowed.
    public static func isValid(_ name: String) -> Bool {
        guard (1...longest).contains(name.utf8.count), let first = name.unicodeScalars.first,
            first != ".", first != "-"
        else { return false }
        return name.unicodeScalars.allSatisfy(isAllowed)
    }

    /// Makes a valid name from a text, with a dash for every other character, of at most 92 bytes; nil if no name is left.
    public static func made(from text: String) -> String? {
        var name = ""
        for scalar in text.unicodeScalars {
            let next = isAllowed(scalar) ? String(scalar) : "-"
            guard name.utf8.count + next.utf8.count <= longest - 8 else { break }
            name += next
        }
        name = String(name.drop { $0 == "." || $0 == "-" })
        return isValid(name) ? name : nil
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else {
            return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "._-@+".unicodeScalars.contains(scalar)
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber,
            .nonspacingMark, .spacingMark:
            return !scalar.properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }
}
