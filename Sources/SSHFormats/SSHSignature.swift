/// A signature on the wire (RFC 4253 section 6.6): the name of its algorithm, and what that one makes.
public struct SSHSignature: Hashable, Sendable {
    /// Bytes in the longest signature that is read: RSA of 16,384 bits, with room for what security keys add.
    public static let longest = 4096

    /// How it was made.
    public let algorithm: SignatureAlgorithm
    /// The signature value, in the form that it has in SSH.
    public let value: [UInt8]
    /// Flags and counter of a security key; empty for all other keys.
    public let trailer: [UInt8]

    init(algorithm: SignatureAlgorithm, value: [UInt8], trailer: [UInt8] = []) {
        self.algorithm = algorithm
        self.value = value
        self.trailer = trailer
    }

    /// Reads a signature from its bytes on the wire.
    ///
    /// - Throws: `SSHFormatError.sha1Refused`, `wrongSignatureAlgorithm`; the errors of the wire.
    public init(wire: [UInt8]) throws(SSHFormatError) {
        guard wire.count <= Self.longest else { throw .oversized(limit: Self.longest) }
        var reader = WireReader(wire)
        algorithm = try SignatureAlgorithm(name: try reader.name())
        value = try reader.string(limit: Self.longest)
        switch algorithm {
        case .securityEd25519, .securityECDSA: trailer = try reader.take(5)
        case .ed25519, .ecdsa, .rsaSHA256, .rsaSHA512: trailer = []
        }
        try reader.finish()
    }

    /// The signature on the wire.
    public var wire: [UInt8] {
        var writer = WireWriter()
        writer.string(algorithm.name)
        writer.string(value)
        writer.raw(trailer)
        return writer.bytes
    }
}
