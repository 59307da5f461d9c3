/// An OpenSSH certificate: a key with a name, a validity, principals and the CA's signature
/// (PROTOCOL.certkeys).
///
/// Reading a certificate proves nothing: `checkSignature` tells whether the CA signed it, and the caller must
/// know whether to trust that CA.
public struct Certificate: Hashable, Sendable {
    /// The kind of principals.
    public enum Kind: UInt32, Hashable, Sendable {
        case user = 1
        case host = 2
    }

    /// The largest number of principals or options that is accepted, as in OpenSSH.
    public static let maximumPrincipals = 256

    /// The certificate as a public key: the certificate's type and all its bytes.
    public let publicKey: PublicKey
    /// The serial number from the CA; zero if the CA does not number its certificates.
    public let serial: UInt64
    /// The kind of principals: users or hosts.
    public let kind: Kind
    /// The CA's name for the certificate, for logs: any bytes except zero.
    public let keyID: [UInt8]
    /// The users or hosts of the certificate.
    ///
    /// An empty list allows every principal in OpenSSH before 10.3 and none since then. Here it allows none.
    public let principals: [[UInt8]]
    /// The first second in which the certificate is valid, as Unix time.
    public let validAfter: UInt64
    /// The first second after the validity, as Unix time; `UInt64.max` means no end.
    public let validBefore: UInt64
    /// Options that a reader must understand, or the certificate is invalid.
    public let criticalOptions: [CertificateOption]
    /// Options that a reader may ignore if it does not understand them.
    public let extensions: [CertificateOption]
    /// The key of the CA.
    public let authority: PublicKey
    /// The CA's signature over all bytes before it, in wire format.
    public let signature: [UInt8]

    private let signedCount: Int

    /// Reads a certificate from a public key.
    ///
    /// - Throws: `SSHFormatError.unsupportedKeyType` for a key that is not a certificate; `malformed` for a
    ///   kind other than user and host, and for a CA key that is itself a certificate; the errors of the
    ///   wire.
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

    /// Reads a certificate, and throws without a valid signature of its CA.
    ///
    /// OpenSSH rejects a whole list of keys with such a certificate, so no agent or vault may hold one.
    ///
    /// - Throws: the errors of `init(_:)` and `checkSignature`.
    public init(signed key: PublicKey) throws(SSHFormatError) {
        try self.init(key)
        try checkSignature()
    }

    /// The name of the CA's signature algorithm; nil if the signature is malformed.
    public var signatureAlgorithm: String? {
        var reader = WireReader(signature)
        return try? reader.name()
    }

    /// Throws unless the CA has signed the certificate.
    ///
    /// - Throws: `SSHFormatError.sha1Refused` for old RSA certificates; the errors of `SSHSignature` and
    ///   `PublicKey.verify`.
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
    /// A reason why a certificate is not valid for a signer at a given time.
    public enum Objection: Hashable, Sendable, Codable {
        /// The certificate is for the other kind of principals.
        case otherKind
        /// The validity begins at this second.
        case notYetValid(from: UInt64)
        /// The validity ended before this second.
        case expired(at: UInt64)
        /// The name is not among the principals.
        case otherPrincipal
        /// The certificate has this number of unknown critical options.
        case unknownCriticalOptions(Int)
        /// The CA's signature is invalid.
        case badSignature
    }

    /// The critical options that OpenSSH knows for users; it knows none for hosts.
    private static let knownOptions: Set<String> = ["force-command", "source-address", "verify-required"]

    /// All reasons why the certificate is invalid; empty if it is valid.
    ///
    /// `name` is compared byte for byte with the principals of users; principals of hosts may be patterns with `*` and `?`, as
    /// in OpenSSH. If the name is nil, principals are not checked. The caller must check whether the CA is trusted, and whether
    /// an option such as `source-address` is met.
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
