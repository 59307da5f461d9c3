/// Everything that the vault keeps of one SSH key (Schemas/ssh-records.md).
public struct KeyRecord: Sendable {
    /// What the key is to its owner.
    public enum State: UInt8, CaseIterable, Sendable, Codable {
        /// In use.
        case active
        /// Replaced by another one, and kept.
        case retired
        /// Kept for its owner, because the vault cannot sign with it: the handle of a security key, or a type
        /// without a meaning here.
        case aside

        /// The word for it in the vault's index and in JSON.
        public var word: String {
            switch self {
            case .active: "active"
            case .retired: "retired"
            case .aside: "aside"
            }
        }
    }

    /// Where the key came from.
    public enum Origin: UInt8, CaseIterable, Sendable, Codable {
        /// Made in the vault.
        case generated
        /// A key file of OpenSSH.
        case openSSH
        /// A file in another form that OpenSSH reads: PEM with PKCS#1, SEC1 or PKCS#8.
        case pem
        /// Made in the vault in the place of another key.
        case rotation
        /// A key file of PuTTY.
        case putty

        /// The word for it in the vault's index.
        public var word: String {
            switch self {
            case .generated: "generated"
            case .openSSH: "openSSH"
            case .pem: "pem"
            case .rotation: "rotation"
            case .putty: "putty"
            }
        }
    }

    /// Certificates that one key may have.
    public static let maximumCertificates = 64

    /// Whether it is in use.
    public var state: State
    /// Where it came from.
    public let origin: Origin
    /// Whether the file that it came from had a passphrase.
    public let hadPassphrase: Bool
    /// When it was put into the trash, Unix seconds; nil while it is not there.
    public var removedAt: UInt64?
    /// When it was replaced, Unix seconds; nil while it was not.
    public var retiredAt: UInt64?
    /// SHA-256 of the public half that took the place of this one, or whose place this one took; empty for none.
    public var related: [UInt8] = []
    /// What it may be used for.
    public var use = KeyUse()
    /// The key, with its comment.
    public var key: PrivateKey
    /// User certificates of this key, in the order in which they came.
    public package(set) var certificates: [PublicKey] = []

    /// A key that comes into the vault.
    public init(_ key: PrivateKey, origin: Origin, hadPassphrase: Bool = false) {
        self.key = key
        self.origin = origin
        self.hadPassphrase = hadPassphrase
        state = key.isUsable ? .active : .aside
    }

    /// The public half, with the comment.
    public var publicKey: PublicKey { key.publicKey }

    /// Whether it is in the trash.
    public var isRemoved: Bool { removedAt != nil }

    /// Adds a certificate that its CA has signed; a known certificate is not added twice.
    ///
    /// - Returns: whether it is new.
    /// - Throws: what `keep` and `Certificate(signed:)` throw.
    @discardableResult
    public mutating func add(_ certificate: PublicKey) throws(SSHFormatError) -> Bool {
        guard certificate.algorithm.isCertificate else { throw .unsupportedKeyType }
        _ = try Certificate(signed: certificate)
        return try keep(certificate)
    }

    /// Keeps a certificate beside the key; one that is there already is not kept twice.
    ///
    /// - Returns: whether it is new.
    /// - Throws: `SSHFormatError.unsupportedKeyType` for what is no certificate; `halvesDiffer` for one of
    ///   another key; `oversized` above `maximumCertificates`.
    mutating func keep(_ certificate: PublicKey) throws(SSHFormatError) -> Bool {
        guard certificate.algorithm.isCertificate else { throw .unsupportedKeyType }
        guard certificate.plain.isSameKey(as: publicKey) else { throw .halvesDiffer }
        guard !certificates.contains(where: certificate.isSameKey(as:)) else { return false }
        guard certificates.count < Self.maximumCertificates else {
            throw .oversized(limit: Self.maximumCertificates)
        }
        certificates.append(certificate)
        return true
    }
}

extension KeyRecord {
    /// When the first of its certificates ends that no later one takes the place of, Unix seconds; nil without
    /// one that ends.
    public var certificateEnd: UInt64? {
        let all = certificates.compactMap { try? Certificate($0) }
        let current = all.filter { one in !all.contains { $0.renews(one) } }
        return current.map(\.validBefore).filter { $0 < UInt64.max }.min()
    }

    /// The certificates that their CA has signed: OpenSSH reads no list of keys with another one in it.
    public var signedCertificates: [PublicKey] {
        certificates.filter { (try? Certificate(signed: $0)) != nil }
    }

    /// Lets go of the certificates that their CA has not signed.
    package mutating func dropUnsignedCertificates() { certificates = signedCertificates }

    /// Lets go of the certificates that are past their time.
    ///
    /// - Returns: how many they were.
    @discardableResult
    public mutating func dropCertificates(pastAt second: UInt64) -> Int {
        let before = certificates.count
        certificates.removeAll { key in
            guard let end = (try? Certificate(key))?.validBefore else { return false }
            return end < .max && end <= second
        }
        return before - certificates.count
    }
}

extension Certificate {
    /// Whether this one speaks for everyone that another one speaks for, and longer.
    fileprivate func renews(_ other: Certificate) -> Bool {
        kind == other.kind && validBefore > other.validBefore
            && Set(principals).isSuperset(of: other.principals)
    }
}
