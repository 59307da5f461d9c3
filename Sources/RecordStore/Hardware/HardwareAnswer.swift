internal import Text
package import VaultCrypto

/// What `hsip-hardware` answers to one request.
package enum HardwareAnswer: Sendable {
    /// How the TPM counts wrong PINs.
    case devices(TPMLockout)
    /// The sealed object, as a slot keeps it.
    case sealed(TPM2Params)
    /// The 32 bytes that were sealed, or that a security key made.
    case opened(Secret)
    /// The security keys that are plugged in.
    case keys([KeyLook])
    /// What a slot keeps of a security key, and the 32 bytes that the key makes of it.
    case enrolled(FIDO2Params, Secret)
    /// Why the TPM did not do it.
    case failed(TPMError)
    /// Why the security key did not do it.
    case keyFailed(KeyError)

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
        case ("keys", nil):
            let items = json["keys"]?.items ?? []
            let keys = items.compactMap { KeyLook($0) }
            guard keys.count == items.count else { return nil }
            self = .keys(keys)
        case ("enrolled", let secret?):
            guard secret.count == HardwareSecret.size, let params = FIDO2Params(json) else { return nil }
            self = .enrolled(params, secret)
        case ("keyFailed", nil):
            guard let error = KeyError(json) else { return nil }
            self = .keyFailed(error)
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
        case .keys(let keys): (word, json) = ("keys", ["keys": .list(keys.map(\.json))])
        case .enrolled(let params, let made): (word, json, secret) = ("enrolled", params.json, made)
        case .failed(let error): (word, json) = ("failed", error.json)
        case .keyFailed(let error): (word, json) = ("keyFailed", error.json)
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
