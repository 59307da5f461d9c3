/// The purpose of data to sign, detected by its form.
///
/// Bytes have a purpose only if all of them match its form. All others are raw and may be anything.
public enum SignedData: Hashable, Sendable {
    /// A login (RFC 4252 section 7, and OpenSSH's `publickey-hostbound-v00@openssh.com`).
    public struct Login: Hashable, Sendable {
        /// The identifier of the session.
        public let sessionID: [UInt8]
        /// The user name on the host: any bytes.
        public let user: [UInt8]
        /// The announced signature algorithm.
        public let algorithm: String
        /// The host key of the login; nil if the data has none.
        public let hostKey: PublicKey?
    }

    case login(Login)
    /// A file or a commit (SSHSIG) with a namespace of any bytes.
    case file(namespace: [UInt8])
    /// A certificate, which the key would sign as a CA.
    case certificate
    /// Data of unknown form.
    case raw

    private static let userAuthentication: UInt8 = 50
    private static let service = Array("ssh-connection".utf8)
    private static let method = "publickey"
    private static let boundMethod = "publickey-hostbound-v00@openssh.com"
    private static let magic = Array("SSHSIG".utf8)

    /// Detects the purpose of data for a signature by `key`, which may be a certificate.
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

    /// Returns the key that the data names: the signing key, or a certificate of it.
    ///
    /// If an agent has both, ssh lets the plain key sign a login with its certificate.
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

    /// Reads a certificate without its last field, the signature that is requested.
    private static func isCertificate(_ data: [UInt8], _ key: PublicKey) -> Bool {
        guard let whole = try? PublicKey(blob: data + [0, 0, 0, 0]), let certificate = try? Certificate(whole)
        else { return false }
        return certificate.authority.isSameKey(as: key.plain)
    }
}

extension KeyAlgorithm {
    /// Whether a login with this type of key may announce this signature algorithm.
    fileprivate func announces(_ name: String) -> Bool {
        let plain =
            name.hasSuffix("-cert-v01@openssh.com") ? name.dropLast("-cert-v01@openssh.com".count) : name[...]
        switch certified {
        case .rsa: return ["ssh-rsa", "rsa-sha2-256", "rsa-sha2-512"].contains(plain)
        default: return name == self.name || plain == certified.name[...]
        }
    }
}
