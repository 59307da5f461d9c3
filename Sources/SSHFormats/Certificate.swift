/// An OpenSSH certificate: a key, a name for it, when and for which names it counts, and who says so (PROTOCOL.certkeys).
///
/// Reading one proves nothing: `checkSignature` tells whether the CA signed it, and whether to trust that CA is
/// the caller's to know.
public struct Certificate: Hashable, Sendable {
    /// The kind of names a certificate is for.
    public enum Kind: UInt32, Hashable, Sendable {
        case user = 1
        case host = 2
    }

    /// More principals or options are not read, as OpenSSH has it.
    public static let maximumPrincipals = 256

    /// The certificate as a public key: its own type and all its bytes.
    public let publicKey: PublicKey
    /// A number that the CA gave, zero when it does not count.
    public let serial: UInt64
    /// The names it is for.
    public let kind: Kind
    /// The CA's name for it, for logs: any bytes without zero.
    public let keyID: [UInt8]
    /// The users or hosts that it speaks for.
    ///
    /// None means all to OpenSSH before 10.3, and none since; here it is none.
    public let principals: [[UInt8]]
    /// The first second, Unix time.
    public let validAfter: UInt64
    /// The second after the last; `UInt64.max` is for ever.
    public let validBefore: UInt64
    /// What must be understood, or the certificate does not count.
    public let criticalOptions: [CertificateOption]
    /// What may be left aside when it is not understood.
    public let extensions: [CertificateOption]
    /// The key of the CA.
    public let authority: PublicKey
    /// The CA's signature over everything before it, on the wire.
    public let signature: [UInt8]

    private let signedCount: Int

    /// Reads a certificate from a public key.
    ///
    /// - Throws: `SSHFormatError.unsupportedKeyType` for a key that is none; `malformed` for a kind that is
    ///   neither user nor host and for a CA key that is a certificate itself; the errors of the wire.
    public init(_ key: PublicKey) throws(SSHFormatError) {
        guard key.algorithm.isCertificate else { throw .unsupportedKeyType }
        var reader = WireReader(key.blob)
        _ = try reader.name()
        _ = try reader.string()
        _ = try PublicParts(key.algorithm.certified, from: &reader)
        publicKey = key
        serial = try reader.uint64()
        guard let kind = Kind(rawValue: try reader.uint32()) else { throw .malformed }
        self.kind = kind
        keyID = try Self.text(from: &reader)
        principals = try Self.principals(try reader.string())
        validAfter = try reader.uint64()
        validBefore = try reader.uint64()
        criticalOptions = try CertificateOption.list(try reader.string())
        extensions = try CertificateOption.list(try reader.string())
        _ = try reader.string()
        authority = try PublicKey(blob: try reader.string())
        guard !authority.algorithm.isCertificate, authority.algorithm.defaultSignature != nil else {
            throw .malformed
        }
        signedCount = reader.offset
        signature = try reader.string(limit: SSHSignature.longest)
        try reader.finish()
    }

    /// Reads a certificate; refuses it if its CA has not signed it.
    ///
    /// OpenSSH reads no list of keys with such a certificate in it, so none comes into an agent or a vault.
    ///
    /// - Throws: what `init(_:)` and `checkSignature` throw.
    public init(signed key: PublicKey) throws(SSHFormatError) {
        try self.init(key)
        try checkSignature()
    }

    /// The name of the algorithm that the CA signed with; nil when the signature is no signature.
    public var signatureAlgorithm: String? {
        var reader = WireReader(signature)
        return try? reader.name()
    }

    /// Refuses a certificate that its CA has not signed.
    ///
    /// - Throws: `SSHFormatError.sha1Refused` for old certificates of RSA; what `SSHSignature` refuses and
    ///   `PublicKey.verify` throws.
    public func checkSignature() throws(SSHFormatError) {
        let signature = try SSHSignature(wire: signature)
        try authority.verify(signature, message: Array(publicKey.blob.prefix(signedCount)))
    }

    private static func text(from reader: inout WireReader) throws(SSHFormatError) -> [UInt8] {
        let text = try reader.string()
        guard !text.contains(0) else { throw .malformed }
        return text
    }

    private static func principals(_ bytes: [UInt8]) throws(SSHFormatError) -> [[UInt8]] {
        var reader = WireReader(bytes)
        var principals: [[UInt8]] = []
        while !reader.isAtEnd {
            guard principals.count < maximumPrincipals else { throw .oversized(limit: maximumPrincipals) }
            principals.append(try text(from: &reader))
        }
        return principals
    }
}

extension Certificate {
    /// Why a certificate does not count for a signer now.
    public enum Objection: Hashable, Sendable, Codable {
        /// It is for a user and a host was asked for, or the other way round.
        case otherKind
        /// Its time begins at this second.
        case notYetValid(from: UInt64)
        /// Its time ended before this second.
        case expired(at: UInt64)
        /// The name is not among its principals.
        case otherPrincipal
        /// It has critical options that are not understood: as many.
        case unknownCriticalOptions(Int)
        /// The CA has not signed it.
        case badSignature
    }

    /// The options that OpenSSH understands in certificates for users; for hosts there is none.
    private static let knownOptions: Set<String> = ["force-command", "source-address", "verify-required"]

    /// Everything that speaks against the certificate; nothing when it counts.
    ///
    /// `name` is compared byte for byte with the principals of users; those of hosts may be patterns with `*` and
    /// `?`, as OpenSSH takes them. Without a name, principals are not asked about. Whether the CA is to be
    /// trusted, and whether an option such as `source-address` is met, is not answered here.
    public func objections(as kind: Kind, for name: [UInt8]?, at second: UInt64) -> [Objection] {
        var objections: [Objection] = []
        if self.kind != kind { objections.append(.otherKind) }
        if second < validAfter { objections.append(.notYetValid(from: validAfter)) }
        if second >= validBefore { objections.append(.expired(at: validBefore)) }
        if let name, !speaks(for: name) { objections.append(.otherPrincipal) }
        let known = kind == .user ? Self.knownOptions : []
        let unknown = criticalOptions.filter { !known.contains($0.name) }.count
        if unknown > 0 { objections.append(.unknownCriticalOptions(unknown)) }
        if (try? checkSignature()) == nil { objections.append(.badSignature) }
        return objections
    }
    private func speaks(for name: [UInt8]) -> Bool {
        switch kind {
        case .user: principals.contains(name)
        case .host: principals.contains { PatternList.matches($0[...], name) }
        }
    }
}
