public import SSHFormats

/// Certificates for users as a CA makes them, put together by hand (PROTOCOL.certkeys).
public enum SSHCertificates {
    /// A certificate of a key that a CA has signed, for some names.
    public static func make(
        of key: PublicKey,
        by authority: PrivateKey,
        principals: [String] = ["root"]
    ) throws -> PublicKey {
        try make(of: key, by: authority.publicKey, principals: principals) { try authority.sign($0).wire }
    }

    /// The same, for a CA whose signature the caller makes.
    public static func make(
        of key: PublicKey,
        by authority: PublicKey,
        principals: [String] = ["root"],
        sign: ([UInt8]) throws -> [UInt8]
    ) throws -> PublicKey {
        var fields = WireReader(key.blob)
        _ = try fields.string()
        var (names, body) = (WireWriter(), WireWriter())
        for name in principals { names.string(name) }
        body.string(KeyAlgorithm.certificate(key.algorithm).name)
        body.string([UInt8](repeating: 7, count: 32))
        body.raw(try fields.take(fields.remaining))
        // Serial number, a certificate for users, its name, the principals.
        body.raw([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1])
        body.string("test")
        body.string(names.bytes)
        // From the beginning for ever, without options.
        body.raw([UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8))
        for _ in 0..<3 { body.string([UInt8]()) }
        body.string(authority.blob)
        let signature = try sign(body.bytes)
        body.string(signature)
        return try PublicKey(blob: body.bytes, comment: key.comment)
    }

    /// The same certificate with a signature that does not fit: its last bit is another one.
    public static func forged(_ certificate: PublicKey) throws -> PublicKey {
        var blob = certificate.blob
        blob[blob.count - 1] ^= 1
        return try PublicKey(blob: blob, comment: certificate.comment)
    }
}
