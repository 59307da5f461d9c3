internal import Text
package import VaultCrypto

/// A program's request to `hsip-hardware`, one for each process.
package enum HardwareRequest: Sendable {
    /// Describe the TPM.
    case devices
    /// Seal 32 bytes in the TPM, under the auth of a PIN if there is one; `registers` has a bit for each register of
    /// the SHA-256 bank that must not change.
    case seal(Secret, auth: Secret?, registers: UInt32)
    /// Give back what the TPM sealed.
    case open(TPM2Params, auth: Secret?)

    /// Bytes of an auth.
    private static let authSize = 32

    /// Reads a request; nil for anything else.
    ///
    /// - Throws: `outOfMemory`.
    package init?(_ bytes: borrowing some ByteSource & ~Copyable) throws(CryptoError) {
        guard let message = try HardwareMessage(bytes) else { return nil }
        switch (message.json["request"]?.text, message.secret) {
        case ("devices", nil): self = .devices
        case ("tpm2.seal", let secret?):
            guard let registers = message.json.number("registers"), registers >> 24 == 0,
                [HardwareSecret.size, HardwareSecret.size + Self.authSize].contains(secret.count)
            else { return nil }
            let auth =
                secret.count > HardwareSecret.size
                ? try secret.part(HardwareSecret.size..<secret.count) : nil
            self = .seal(try secret.part(0..<HardwareSecret.size), auth: auth, registers: registers)
        case ("tpm2.open", let auth):
            guard let params = TPM2Params(message.json), (auth?.count ?? Self.authSize) == Self.authSize,
                params.hasPIN == (auth != nil)
            else { return nil }
            self = .open(params, auth: auth)
        default: return nil
        }
    }

    /// The bytes of the request, in locked memory.
    ///
    /// - Throws: `outOfMemory`.
    package func encoded() throws(CryptoError) -> SecretBytes {
        switch self {
        case .devices: return try HardwareMessage(["request": "devices"]).encoded()
        case .seal(let secret, let auth, let registers):
            let whole = if let auth { Secret(try SecretBytes.joined(secret, auth)) } else { secret }
            return try HardwareMessage(
                ["request": "tpm2.seal", "registers": .integer(registers)],
                secret: whole
            ).encoded()
        case .open(let params, let auth):
            var json = params.json
            json["request"] = "tpm2.open"
            return try HardwareMessage(json, secret: auth).encoded()
        }
    }
}

extension TPM2Params {
    /// Reads what a slot keeps; nil for what no writer produces.
    init?(_ json: JSONValue) {
        guard let flags = json.number("flags").flatMap({ UInt8(exactly: $0) }),
            let rest = json["tpm2"]?.text.flatMap({ Hex.decode($0) })
        else { return nil }
        self.init(CarriedParams(flags: flags, salt: [], carry: [], rest: rest))
    }

    /// What a slot keeps, in the bytes that the slot has them in.
    var json: JSONValue { ["flags": .integer(flags), "tpm2": .text(Hex.encode(rest))] }
}
