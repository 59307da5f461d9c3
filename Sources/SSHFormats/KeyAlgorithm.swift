/// The types of keys, by their names in a public key (RFC 4253, 5656, 8709; OpenSSH's PROTOCOL).
public enum KeyAlgorithm: Hashable, Sendable {
    case ed25519
    case ecdsa(ECDSACurve)
    case rsa
    /// DSA is recognised so that it can be refused by name.
    case dsa
    /// Ed25519 in a security key: the private half stays in the hardware.
    case securityEd25519
    /// P-256 in a security key.
    case securityECDSA
    /// An OpenSSH certificate (`…-cert-v01@openssh.com`) of a key of the given type.
    indirect case certificate(KeyAlgorithm)
    /// Any other name.
    ///
    /// It is preserved, but such a key cannot be used.
    case unknown(String)

    /// All types that are supported here, without certificates.
    public static let plain: [KeyAlgorithm] =
        [.ed25519] + ECDSACurve.allCases.map(KeyAlgorithm.ecdsa) + [
            .rsa, .dsa, .securityEd25519, .securityECDSA,
        ]

    private static let certificateSuffix = "-cert-v01@openssh.com"
    private static let vendorSuffix = "@openssh.com"

    private static let byName: [String: KeyAlgorithm] = {
        let known = plain + plain.map(KeyAlgorithm.certificate)
        return Dictionary(known.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }()

    /// Returns the type with this name; `unknown` if the name is not supported here.
    public init(name: String) {
        self = Self.byName[name] ?? .unknown(name)
    }

    /// The name of the type in public keys.
    public var name: String {
        switch self {
        case .ed25519: "ssh-ed25519"
        case .ecdsa(let curve): "ecdsa-sha2-" + curve.rawValue
        case .rsa: "ssh-rsa"
        case .dsa: "ssh-dss"
        case .securityEd25519: "sk-ssh-ed25519@openssh.com"
        case .securityECDSA: "sk-ecdsa-sha2-nistp256@openssh.com"
        case .certificate(let plain): Self.certificateName(plain.name)
        case .unknown(let name): name
        }
    }

    /// The short name that `ssh-keygen -l` shows: `ED25519`, `RSA-CERT` and so on.
    public var shortName: String {
        switch self {
        case .ed25519: "ED25519"
        case .ecdsa: "ECDSA"
        case .rsa: "RSA"
        case .dsa: "DSA"
        case .securityEd25519: "ED25519-SK"
        case .securityECDSA: "ECDSA-SK"
        case .certificate(let plain): plain.shortName + "-CERT"
        case .unknown: "UNKNOWN"
        }
    }

    /// The type of the plain key; for a certificate, the type of the certified key.
    public var certified: KeyAlgorithm {
        if case .certificate(let plain) = self { plain } else { self }
    }

    /// Whether this is a certificate type.
    public var isCertificate: Bool {
        if case .certificate = self { true } else { false }
    }

    /// Whether the private half is in a security key, which makes its signatures itself.
    public var isSecurityKey: Bool {
        switch certified {
        case .securityEd25519, .securityECDSA: true
        case .ed25519, .ecdsa, .rsa, .dsa, .certificate, .unknown: false
        }
    }

    /// Whether the vault can store and use private keys of this type.
    public var isUsable: Bool {
        switch self {
        case .ed25519, .ecdsa, .rsa: true
        case .dsa, .securityEd25519, .securityECDSA, .certificate, .unknown: false
        }
    }

    private static func certificateName(_ name: String) -> String {
        let stem = name.hasSuffix(vendorSuffix) ? String(name.dropLast(vendorSuffix.count)) : name
        return stem + certificateSuffix
    }
}
