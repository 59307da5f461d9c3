/// The purpose of data to sign, recognised by its form.
///
/// Only bytes that match a form completely count as that form; all others are raw, and may be anything.
public enum SignedData: Hashable, Sendable {
    /// A login (RFC 4252 section 7, and OpenSSH's `publickey-hostbound-v00@openssh.com`).
    public struct Login: Hashable, Sendable {
        /// The identifier of the session.
        public let sessionID: [UInt8]
        /// The user on the host, any bytes.
        public let user: [UInt8]
        /// The signature that is announced.
        public let algorithm: String
        /// The key of the host that the login is for; nil when the data does not say.
        public let hostKey: PublicKey?
    }

    case login(Login)
    /// A file or a commit (SSHSIG) under a namespace, any bytes.
    case file(namespace: [UInt8])
    /// A certificate, which the key would sign as an authority.
    case certificate
    /// Nothing that is known.
    case raw

    private static let userAuthentication: UInt8 = 50
    private static let service = Array("ssh-connection".utf8)
    private static let method = "publickey"
    private static let boundMethod = "publickey-hostbound-v00@openssh.com"
    private static let magic = Array("SSHSIG".utf8)

    /// Tells what data is that `key`, which may be a certificate, is asked to sign.
    public init(_ data: [UInt8], for key: PublicKey) {
        if let login = try? Self.login(data, key) {
            self = .login(login)
        } else if let namespace = try? Self.namespace(data) {
            self = .file(namespace: namespace)
        } else if Self.isCertificate(data, key) {
            self = .certificate
        } else {
            self = .raw
        }
    }

    private static func login(_ data: [UInt8], _ key: PublicKey) throws(SSHFormatError) -> Login {
        var reader = WireReader(data)
        let session = try reader.string(limit: SessionBind.longestSession)
        guard try reader.byte() == userAuthentication else { throw .malformed }
        let user = try reader.string()
        guard try reader.string() == service else { throw .malformed }
        let method = try reader.name()
        guard method == Self.method || method == boundMethod, try reader.byte() == 1 else {
            throw .malformed
        }
        let algorithm = try reader.name()
        let stated = try stated(try reader.string(), key)
        let host = method == boundMethod ? try PublicKey(blob: try reader.string()) : nil
        try reader.finish()
        guard stated.algorithm.announces(algorithm) else { throw .malformed }
        return Login(sessionID: session, user: user, algorithm: algorithm, hostKey: host)
    }

    /// The key that the data names: the one that is asked to sign, or a certificate of it.
    ///
    /// Where it has both, ssh lets the key itself sign a login with its certificate.
    private static func stated(_ blob: [UInt8], _ key: PublicKey) throws(SSHFormatError) -> PublicKey {
        if blob == key.blob { return key }
        let stated = try PublicKey(blob: blob)
        guard case .certificate = stated.algorithm, stated.plain.isSameKey(as: key) else { throw .malformed }
        return stated
    }

    private static func namespace(_ data: [UInt8]) throws(SSHFormatError) -> [UInt8] {
        var reader = WireReader(data)
        guard try reader.take(magic.count) == magic else { throw .malformed }
        let namespace = try reader.string(limit: FileSignature.longestNamespace)
        _ = try reader.string()
        let hash = FileSignature.HashKind(rawValue: try reader.name())
        let digest = try reader.string(limit: 64)
        try reader.finish()
        let size: Int
        switch hash {
        case .sha256: size = 32
        case .sha512: size = 64
        case nil: throw .unknownHash
        }
        guard !namespace.isEmpty, digest.count == size else { throw .malformed }
        return namespace
    }

    /// A certificate without its last field, the signature that is asked for.
    private static func isCertificate(_ data: [UInt8], _ key: PublicKey) -> Bool {
        guard let whole = try? PublicKey(blob: data + [0, 0, 0, 0]), let certificate = try? Certificate(whole)
        else { return false }
        return certificate.authority.isSameKey(as: key.plain)
    }
}

extension KeyAlgorithm {
    /// Whether a login with a key of this type may announce a signature of this name.
    fileprivate func announces(_ name: String) -> Bool {
        let plain =
            name.hasSuffix("-cert-v01@openssh.com") ? name.dropLast("-cert-v01@openssh.com".count) : name[...]
        switch certified {
        case .rsa: return ["ssh-rsa", "rsa-sha2-256", "rsa-sha2-512"].contains(plain)
        default: return name == self.name || plain == certified.name[...]
        }
    }
}
