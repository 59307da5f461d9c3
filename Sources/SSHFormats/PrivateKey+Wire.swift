internal import VaultCrypto

extension PrivateKey {
    /// Returns the type of the next key if it is not supported; the reader does not move.
    static func opaqueType(_ reader: SecretReader) throws(SSHFormatError) -> KeyAlgorithm? {
        var ahead = reader
        let type = KeyAlgorithm(name: try ahead.name())
        switch type {
        case .unknown, .certificate: return type
        case .ed25519, .ecdsa, .rsa, .dsa, .securityEd25519, .securityECDSA: return nil
        }
    }

    /// Reads type and fields, and checks that both halves belong together.
    init(from reader: inout SecretReader) throws(SSHFormatError) {
        let algorithm = KeyAlgorithm(name: try reader.name())
        switch algorithm {
        case .ed25519: try self.init(ed25519From: &reader)
        case .ecdsa(let curve): try self.init(curve, from: &reader)
        case .rsa: try self.init(rsaFrom: &reader)
        case .securityEd25519, .securityECDSA: try self.init(handleOf: algorithm, from: &reader)
        case .dsa: throw .dsaRefused
        case .certificate, .unknown: throw .unsupportedKeyType
        }
    }

    /// Writes type and fields.
    func write(to writer: inout SecretWriter) throws(SSHFormatError) {
        if case .opaque(let whole) = parts {
            try writer.raw(whole)
            return
        }
        try writer.string(Array(algorithm.name.utf8))
        switch (parts, publicKey.parts) {
        case (.ed25519(let seed), .ed25519(let point)):
            try writer.string(point)
            try writer.number(UInt32(64))
            try writer.raw(seed)
            try writer.raw(point)
        case (.ecdsa(let curve, let scalar), .ecdsa(_, let point)):
            try writer.string(Array(curve.rawValue.utf8))
            try writer.string(point)
            try writer.mpint(scalar)
        case (.rsa(let secrets), .rsa(let exponent, let modulus)):
            try writer.mpint(modulus)
            try writer.mpint(exponent)
            for number in [secrets.d, secrets.iqmp, secrets.p, secrets.q] { try writer.mpint(number) }
        case (.handle(let handle), let fields):
            var half = WireWriter()
            fields.write(to: &half)
            try writer.raw(half.bytes)
            try writer.raw(handle)
        default:
            throw .unsupportedKeyType
        }
    }

    private init(ed25519From reader: inout SecretReader) throws(SSHFormatError) {
        let point = try reader.string(limit: 32)
        let pair = try reader.secret(limit: 64)
        guard point.count == 32, pair.count == 64 else { throw .malformed }
        let seed = try pair.part(0..<32)
        // OpenSSH writes the public half twice more; each copy must be the public key of the seed.
        let copy = try pair.part(32..<64)
        let own = try translating { () throws(PrimitiveError) in try Signing.publicKey(seed: seed) }
        guard point == own, ConstantTime.equal(copy, own) else { throw .halvesDiffer }
        self.init(PublicKey(.ed25519, .ed25519(own)), .ed25519(seed: Secret(seed)))
    }

    private init(_ curve: ECDSACurve, from reader: inout SecretReader) throws(SSHFormatError) {
        guard try reader.name() == curve.rawValue else { throw .typeMismatch }
        let point = try reader.string(limit: curve.pointSize)
        let number = try reader.secretNumber()
        guard number.count <= curve.scalarSize else { throw .badKey }
        var padded = try SecretWriter(capacity: curve.scalarSize)
        try padded.raw([UInt8](repeating: 0, count: curve.scalarSize - number.count))
        try padded.raw(number)
        let scalar = try padded.finish()
        guard try curve.publicPoint(of: scalar) == point else { throw .halvesDiffer }
        self.init(
            PublicKey(.ecdsa(curve), .ecdsa(curve, point: point)),
            .ecdsa(curve, scalar: Secret(scalar))
        )
    }

    private init(rsaFrom reader: inout SecretReader) throws(SSHFormatError) {
        let (modulus, exponent) = (try reader.number(), try reader.number())
        let (d, iqmp) = (try reader.secretNumber(), try reader.secretNumber())
        let (p, q) = (try reader.secretNumber(), try reader.secretNumber())
        let secrets = RSASecrets(d: d, iqmp: iqmp, p: p, q: q)
        var half = WireWriter()
        half.string(KeyAlgorithm.rsa.name)
        half.mpint(exponent)
        half.mpint(modulus)
        let publicKey = try PublicKey(blob: half.bytes)
        try secrets.check(modulus: modulus, exponent: exponent)
        self.init(publicKey, .rsa(secrets))
    }

    private init(handleOf algorithm: KeyAlgorithm, from reader: inout SecretReader) throws(SSHFormatError) {
        var half = WireWriter()
        half.string(algorithm.name)
        if algorithm == .securityECDSA { half.string(try reader.string(limit: 64)) }
        half.string(try reader.string(limit: 256))
        half.string(try reader.string(limit: 1024))
        let publicKey = try PublicKey(blob: half.bytes)
        let start = reader.position
        _ = try reader.byte()
        _ = try reader.secret(limit: Self.longestWire)
        _ = try reader.secret(limit: Self.longestWire)
        self.init(publicKey, .handle(Secret(try reader.slice(start..<reader.position))))
    }
}

extension ByteSource where Self: ~Copyable {
    /// Copies a field into locked memory, with this module's errors.
    borrowing func part(_ range: Range<Int>) throws(SSHFormatError) -> SecretBytes {
        do throws(CryptoError) {
            return try slice(range)
        } catch {
            throw SSHFormatError(error)
        }
    }
}
