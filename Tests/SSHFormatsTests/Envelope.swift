import SSHFormats
import VaultCrypto

/// What `ssh-keygen -Y` signs and writes (PROTOCOL.sshsig), as far as these tests need it.
struct Envelope {
    private static let magic = "SSHSIG".bytes

    let message: [UInt8]

    /// The bytes that are signed.
    var signed: [UInt8] {
        var writer = WireWriter()
        writer.raw(Self.magic)
        writer.string("file")
        writer.string("")
        writer.string("sha512")
        writer.string(Hash.sha512(message))
        return writer.bytes
    }

    func armored(_ key: PublicKey, _ signature: SSHSignature) -> [UInt8] {
        var writer = WireWriter()
        writer.raw(Self.magic)
        writer.uint32(1)
        writer.string(key.blob)
        for field in ["file", "", "sha512"] { writer.string(field) }
        writer.string(signature.wire)
        let base64 = StrictBase64.encode(writer.bytes)
        return "-----BEGIN SSH SIGNATURE-----\n\(base64)\n-----END SSH SIGNATURE-----\n".bytes
    }

    static func parts(_ text: [UInt8]) throws -> (key: PublicKey, signature: SSHSignature) {
        let base64 = text.text.split(separator: "\n").dropFirst().dropLast().joined()
        var reader = WireReader(StrictBase64.decode(base64.bytes) ?? [])
        _ = try reader.take(magic.count + 4)
        let key = try PublicKey(blob: try reader.string())
        for _ in 0..<3 { _ = try reader.string() }
        return (key, try SSHSignature(wire: try reader.string()))
    }
}
