internal import Text
package import VaultCrypto

/// What `hsip-hardware` answers to one request.
package enum HardwareAnswer: Sendable {
    /// How the TPM counts wrong PINs.
    case devices(TPMLockout)
    /// The sealed object, as a slot keeps it.
    case sealed(TPM2Params)
    /// The 32 bytes that were sealed.
    case opened(Secret)
    /// Why it was not done.
    case failed(TPMError)

    /// Reads an answer; nil for anything else.
    ///
    /// - Throws: `outOfMemory`.
    package init?(_ bytes: borrowing some ByteSource & ~Copyable) throws(CryptoError) {
        guard let message = try HardwareMessage(bytes) else { return nil }
        let json = message.json
        switch (json["answer"]?.text, message.secret) {
        case ("devices", nil):
            guard let lockout = TPMLockout(json) else { return nil }
            self = .devices(lockout)
        case ("sealed", nil):
            guard let params = TPM2Params(json) else { return nil }
            self = .sealed(params)
        case ("opened", let secret?):
            guard secret.count == HardwareSecret.size else { return nil }
            self = .opened(secret)
        case ("failed", nil):
            guard let error = TPMError(json) else { return nil }
            self = .failed(error)
        default: return nil
        }
    }

    /// The bytes of the answer, in locked memory.
    ///
    /// - Throws: `outOfMemory`.
    package func encoded() throws(CryptoError) -> SecretBytes {
        var secret: Secret?
        var json: JSONValue
        let word: JSONValue
        switch self {
        case .devices(let lockout): (word, json) = ("devices", lockout.json)
        case .sealed(let params): (word, json) = ("sealed", params.json)
        case .opened(let found): (word, json, secret) = ("opened", [:], found)
        case .failed(let error): (word, json) = ("failed", error.json)
        }
        json["answer"] = word
        return try HardwareMessage(json, secret: secret).encoded()
    }
}

extension TPMLockout {
    fileprivate init?(_ json: JSONValue) {
        guard let wrong = json.number("wrong"), let allowed = json.number("allowed"),
            let interval = json.number("interval"), let recovery = json.number("recovery")
        else { return nil }
        self.init(wrong: wrong, allowed: allowed, interval: interval, recovery: recovery)
    }

    fileprivate var json: JSONValue {
        [
            "wrong": .integer(wrong), "allowed": .integer(allowed), "interval": .integer(interval),
            "recovery": .integer(recovery),
        ]
    }
}

extension TPMError {
    /// The errors that say all by their name.
    private static let plain: [(String, TPMError)] = [
        ("noLibrary", .noLibrary), ("noTPM", .noTPM), ("denied", .denied), ("owned", .owned),
        ("authDiffers", .authDiffers), ("stateDiffers", .stateDiffers), ("otherTPM", .otherTPM),
        ("busy", .busy), ("outOfMemory", .outOfMemory),
    ]

    fileprivate init?(_ json: JSONValue) {
        let number = json.number("number")
        switch json["error"]?.text {
        case "pinWrong": self = .pinWrong(triesLeft: number)
        case "lockout":
            guard let number else { return nil }
            self = .lockout(seconds: number)
        case "failed":
            guard let number else { return nil }
            self = .failed(code: number)
        case let name:
            guard let error = Self.plain.first(where: { $0.0 == name })?.1 else { return nil }
            self = error
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .pinWrong(let tries): ["error": "pinWrong", "number": .optional(tries)]
        case .lockout(let seconds): ["error": "lockout", "number": .integer(seconds)]
        case .failed(let code): ["error": "failed", "number": .integer(code)]
        default: ["error": .text(Self.plain.first { $0.1 == self }?.0 ?? "")]
        }
    }
}
