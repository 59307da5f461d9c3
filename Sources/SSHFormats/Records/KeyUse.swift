package import VaultCrypto

/// The conditions for the use of a key, as its owner set them.
public struct KeyUse: Hashable, Sendable, Codable {
    /// Most hosts, and most namespaces, that one key names.
    public static let maximumNames = 32
    /// Bytes in all of them together, so that they can be searched for.
    public static let longestNames = 4_000

    /// Its owner is asked before each use.
    public var needsConfirmation = false
    /// Seconds for which an agent keeps it; 0 for as long as it likes.
    public var lifetime: UInt32 = 0
    /// Only for these hosts, by the names of their profiles or as ssh knows them; none means any.
    public var hosts: [String] = []
    /// Signs files and commits under these namespaces, such as `git`; none means that it signs none.
    public var namespaces: [String] = []
    /// It stays on this machine, also if the vault is shared with others.
    public var isLocal = false

    /// Nothing asked, nothing limited, nothing signed.
    public init() {}

    /// Refuses lists that cannot be kept.
    ///
    /// - Throws: `SSHFormatError.badNamespace`; `badHostName`; `oversized`.
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

    /// Printable ASCII without what a list, a quote or a pattern in allowed_signers is made of.
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

    /// The kind that takes the place of a key of this type: the same, RSA with at least 3,072 bits.
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

    /// Makes one.
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
    /// Bytes in the longest name.
    public static let longest = 100

    /// 1 to 100 bytes of letters, digits and `.` `_` `-` `@` `+`, not beginning with a dot or a dash.
    ///
    /// Letters and digits are those of any script.
    public static func isValid(_ name: String) -> Bool {
        guard (1...longest).contains(name.utf8.count), let first = name.unicodeScalars.first,
            first != ".", first != "-"
        else { return false }
        return name.unicodeScalars.allSatisfy(isAllowed)
    }

    /// The name with every other character replaced by a dash, cut to its longest; nil when nothing is left.
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
