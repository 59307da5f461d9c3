internal import Text
package import VaultCrypto

/// A program's request to `hsip-hardware`, one for each process.
package enum HardwareRequest: Sendable {
    /// Describe the TPM; with a slot's parameters, only the TPM that opens it.
    case devices(TPM2Params?)
    /// Seal 32 bytes in the TPM, under the auth of a PIN if there is one; `registers` has a bit for each register of
    /// the SHA-256 bank that must not change.
    case seal(Secret, auth: Secret?, registers: UInt32)
    /// Give back what the TPM sealed.
    case open(TPM2Params, auth: Secret?)
    /// Describe the security keys that are plugged in, and tell which of these slots each of them opens; nobody has to
    /// touch them.
    case keys([FIDO2Params])
    /// Make a credential and its secret on the key at this path, with two touches.
    case enrol(path: String, touchOnly: Bool, pin: Secret?)
    /// Let the key at this path make the secret of a slot, with one touch.
    case touch(FIDO2Params, path: String, pin: Secret?)

    /// Most slots of one kind in a request.
    package static let slots = 4
    /// Bytes of an auth.
    private static let authSize = 32

    /// Reads a request; nil for anything else.
    ///
    /// - Throws: `outOfMemory`.
    package init?(_ bytes: borrowing some ByteSource & ~Copyable) throws(CryptoError) {
        guard let message = try HardwareMessage(bytes) else { return nil }
        let json = message.json
        switch (json["request"]?.text, message.secret) {
        case ("devices", nil):
            let params = TPM2Params(json)
            guard params != nil || json["tpm2"] == nil else { return nil }
            self = .devices(params)
        case ("tpm2.seal", let secret?):
            guard let registers = json.number("registers"), registers >> 24 == 0,
                [HardwareSecret.size, HardwareSecret.size + Self.authSize].contains(secret.count)
            else { return nil }
            let auth =
                secret.count > HardwareSecret.size
                ? try secret.part(HardwareSecret.size..<secret.count) : nil
            self = .seal(try secret.part(0..<HardwareSecret.size), auth: auth, registers: registers)
        case ("tpm2.open", let auth):
            guard let params = TPM2Params(json), (auth?.count ?? Self.authSize) == Self.authSize,
                params.hasPIN == (auth != nil)
            else { return nil }
            self = .open(params, auth: auth)
        case ("fido2.look", nil):
            let items = json["slots"]?.items ?? []
            let slots = items.compactMap { FIDO2Params($0) }
            guard slots.count == items.count, slots.count <= Self.slots else { return nil }
            self = .keys(slots)
        case ("fido2.enrol", let pin):
            guard let path = json["path"]?.text, case .bool(let touchOnly)? = json["touchOnly"] else {
                return nil
            }
            self = .enrol(path: path, touchOnly: touchOnly, pin: pin)
        case ("fido2.open", let pin):
            guard let path = json["path"]?.text, let params = FIDO2Params(json) else { return nil }
            self = .touch(params, path: path, pin: pin)
        default: return nil
        }
    }

    /// The bytes of the request, in locked memory.
    ///
    /// - Throws: `outOfMemory`.
    package func encoded() throws(CryptoError) -> SecretBytes {
        var json: JSONValue
        var secret: Secret?
        let word: JSONValue
        switch self {
        case .devices(let params): (word, json) = ("devices", params?.json ?? [:])
        case .seal(let sealed, let auth, let registers):
            secret = if let auth { Secret(try SecretBytes.joined(sealed, auth)) } else { sealed }
            (word, json) = ("tpm2.seal", ["registers": .integer(registers)])
        case .open(let params, let auth): (word, json, secret) = ("tpm2.open", params.json, auth)
        case .keys(let slots): (word, json) = ("fido2.look", ["slots": .list(slots.map(\.json))])
        case .enrol(let path, let touchOnly, let pin):
            (word, json, secret) = ("fido2.enrol", ["path": .text(path), "touchOnly": .bool(touchOnly)], pin)
        case .touch(let params, let path, let pin):
            (word, json, secret) = ("fido2.open", params.json, pin)
            json["path"] = .text(path)
        }
        json["request"] = word
        return try HardwareMessage(json, secret: secret).encoded()
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

extension FIDO2Params {
    /// Reads what a slot keeps; nil for what no writer produces.
    init?(_ json: JSONValue) {
        guard let flags = json.number("flags").flatMap({ UInt8(exactly: $0) }),
            let rest = json["fido2"]?.text.flatMap({ Hex.decode($0) })
        else { return nil }
        self.init(CarriedParams(flags: flags, salt: [], carry: [], rest: rest))
    }

    /// What a slot keeps, in the bytes that the slot has them in.
    var json: JSONValue { ["flags": .integer(flags), "fido2": .text(Hex.encode(rest))] }
}

/// A line of JSON, and behind it a secret to the end: the form of a request to `hsip-hardware` and of its answer.
package struct HardwareMessage: Sendable {
    /// Most bytes of one.
    package static let limit = 16_384
    private static let lineFeed: UInt8 = 0x0A

    /// The line, which holds nothing secret.
    let json: JSONValue
    /// What follows the line.
    let secret: Secret?

    init(_ json: JSONValue, secret: Secret? = nil) {
        self.json = json
        self.secret = secret
    }

    /// Reads a message; nil if it is too long, has no line, or its line holds anything but a JSON object.
    ///
    /// - Throws: `outOfMemory`.
    init?(_ bytes: borrowing some ByteSource & ~Copyable) throws(CryptoError) {
        guard bytes.count <= Self.limit else { return nil }
        let line = bytes.withBytes { bytes -> [UInt8]? in
            let end = (0..<bytes.byteCount).first { bytes.byte(at: $0) == Self.lineFeed }
            return end.map { bytes.extracting(0..<$0).copied() }
        }
        guard let line, let json = try? JSONValue(line, JSONLimits(depth: 4)), case .object = json else {
            return nil
        }
        self.json = json
        let rest = line.count + 1..<bytes.count
        secret = rest.isEmpty ? nil : Secret(try bytes.slice(rest))
    }

    /// The bytes of the message, in locked memory.
    ///
    /// - Throws: `outOfMemory`.
    func encoded() throws(CryptoError) -> SecretBytes {
        // It has numbers, words and hex digits alone, which can always be written.
        let line = ((try? json.bytes()) ?? []) + [Self.lineFeed]
        guard let secret else { return try SecretBytes(copying: line) }
        return try SecretBytes.joined(line, secret)
    }
}

extension JSONValue {
    func number(_ name: String) -> UInt32? { self[name]?.integer.flatMap { UInt32(exactly: $0) } }
}
