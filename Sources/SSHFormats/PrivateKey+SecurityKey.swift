internal import VaultCrypto

/// What ssh-keygen noted of a key when a security key made it (OpenSSH's PROTOCOL.u2f).
public struct SecurityKeyFacts: Hashable, Sendable {
    private static let presence: UInt8 = 0x01
    private static let verification: UInt8 = 0x04

    /// The flags, with bits that have no meaning here.
    public let flags: UInt8
    /// The relying party: `ssh:`, or text that begins so.
    public let application: [UInt8]

    /// Whether the security key has to be touched for each signature.
    public var needsTouch: Bool { flags & Self.presence != 0 }
    /// Whether each signature needs the PIN or a finger.
    public var needsVerification: Bool { flags & Self.verification != 0 }
    /// Whether the key is for ssh alone: another one may log in to web sites, too.
    public var isForSSH: Bool { application.starts(with: "ssh:".utf8) }

    /// Whether flags that came with a signature say that the person did all that the key demands.
    func areMet(by signed: UInt8) -> Bool {
        let demanded = flags & (Self.presence | Self.verification)
        return signed & demanded == demanded
    }
}

extension PrivateKey {
    /// Whether this is the handle of a security key.
    public var isHandle: Bool { if case .handle = parts { true } else { false } }

    /// What is known of the security key; nil for any other key.
    public var securityKey: SecurityKeyFacts? {
        guard case .handle(let handle) = parts, handle.count > 0 else { return nil }
        let application: [UInt8]
        switch publicKey.parts {
        case .securityEd25519(_, let name), .securityECDSA(_, let name): application = name
        case .ed25519, .ecdsa, .rsa, .opaque: return nil
        }
        return SecurityKeyFacts(flags: handle.withBytes { $0.byte(at: 0) }, application: application)
    }
}
