/// The vault's record of one SSH key (Schemas/ssh-records.md).
public struct KeyRecord: Sendable {
    /// The state of a key.
    public enum State: UInt8, CaseIterable, Sendable, Codable {
        /// The key is in use.
        case active
        /// The key was replaced by another one, and is kept.
        case retired
        /// The vault keeps the key for its owner but cannot sign with it: a key of an unknown type.
        case aside

        /// The word for the state in the vault's index and in JSON.
        public var word: String {
            switch self {
            case .active: "active"
            case .retired: "retired"
            case .aside: "aside"
            }
        }
    }

    /// The origin of a key.
    public enum Origin: UInt8, CaseIterable, Sendable, Codable {
        /// The vault made the key.
        case generated
        /// The key came from a key file of OpenSSH.
        case openSSH
        /// The key came from another file that OpenSSH reads: PEM with PKCS#1, SEC1 or PKCS#8.
        case pem
        /// The vault made the key to replace another key.
        case rotation
        /// The key came from a key file of PuTTY.
        case putty

        /// The word for the origin in the vault's index.
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

    /// The most certificates of one key.
    public static let maximumCertificates = 64

    /// The state of the key.
    ///
    /// A security key is in use although its record says `aside`: earlier versions knew no other state for it.
    public var state: State {
        get { stored == .aside && key.isHandle ? .active : stored }
        set { stored = key.isUsable ? newValue : .aside }
    }
    /// The state as the content of the record has it.
    public private(set) var stored: State
    /// The origin of the key.
    public let origin: Origin
    /// Whether the key's file had a passphrase.
    public let hadPassphrase: Bool
    /// Time of removal to the trash, Unix seconds; nil if the key is not there.
    public var removedAt: UInt64?
    /// Time of replacement, Unix seconds; nil if the key was not replaced.
    public var retiredAt: UInt64?
    /// SHA-256 of the public half that replaced this key, or that this key replaced; empty for none.
    public var related: [UInt8] = []
    /// The conditions for the use of the key.
    public var use = KeyUse()
    /// The key, with its comment.
    public var key: PrivateKey
    /// User certificates of the key, in the order in which they were added.
    public package(set) var certificates: [PublicKey] = []

    /// A new record for a key.
    public init(_ key: PrivateKey, origin: Origin, hadPassphrase: Bool = false) {
        self.key = key
        self.origin = origin
        self.hadPassphrase = hadPassphrase
        stored = key.isUsable ? .active : .aside
    }

    /// The public half, with the comment.
    public var publicKey: PublicKey { key.publicKey }

    /// Whether the key is in the trash.
    public var isRemoved: Bool { removedAt != nil }

    /// Adds a certificate with a valid signature of its CA; a known certificate is not added twice.
    ///
    /// - Returns: whether the certificate is new.
    /// - Throws: the errors of `keep` and `Certificate(signed:)`.
    @discardableResult
    public mutating func add(_ certificate: PublicKey) throws(SSHFormatError) -> Bool {
        guard certificate.algorithm.isCertificate else { throw .unsupportedKeyType }
        _ = try Certificate(signed: certificate)
        return try keep(certificate)
    }

    /// Adds a certificate; a known one is not added twice.
    ///
    /// - Returns: True if the certificate is new.
    /// - Throws: `SSHFormatError.unsupportedKeyType` if the key is not a certificate; `halvesDiffer` for a
    ///   certificate of another key; `oversized` above `maximumCertificates`.
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
    /// The earliest expiry among certificates without a later renewal, Unix seconds; nil if these never expire.
    public var certificateEnd: UInt64? {
        let all = certificates.compactMap { try? Certificate($0) }
        let current = all.filter { one in !all.contains { $0.renews(one) } }
        return current.map(\.validBefore).filter { $0 < UInt64.max }.min()
    }

    /// The certificates with a valid signature of their CA; OpenSSH rejects a whole list of keys that has
    /// another one.
    public var signedCertificates: [PublicKey] {
        certificates.filter { (try? Certificate(signed: $0)) != nil }
    }

    /// Removes the certificates without a valid signature of their CA.
    package mutating func dropUnsignedCertificates() { certificates = signedCertificates }

    /// Removes the expired certificates.
    ///
    /// - Returns: the number of removed certificates.
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
    /// Whether this certificate covers every principal of another one, for longer.
    fileprivate func renews(_ other: Certificate) -> Bool {
        kind == other.kind && validBefore > other.validBefore
            && Set(principals).isSuperset(of: other.principals)
    }
}
