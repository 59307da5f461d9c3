internal import Text

/// Why a device did not do a request, as `hsip-hardware` writes it: a name, and a number that some names need.
protocol DeviceFault: Equatable {
    /// The faults that need no number, by name.
    static var plain: [(String, Self)] { get }

    /// A fault that has a number; nil for another name, or without the number that the name needs.
    init?(_ name: String, number: Int?)

    /// Name and number of a fault that has a number.
    var numbered: (name: String, number: Int?)? { get }
}

extension DeviceFault {
    init?(_ json: JSONValue) {
        guard let name = json["error"]?.text else { return nil }
        if let plain = Self.plain.first(where: { $0.0 == name })?.1 {
            self = plain
        } else {
            self.init(name, number: json["number"]?.integer)
        }
    }

    var json: JSONValue {
        guard let (name, number) = numbered else {
            return ["error": .text(Self.plain.first { $0.1 == self }?.0 ?? "")]
        }
        return ["error": .text(name), "number": .optional(number)]
    }
}

extension KeyError: DeviceFault {
    static let plain: [(String, KeyError)] = [
        ("noLibrary", .noLibrary), ("noKey", .noKey), ("denied", .denied), ("unfit", .unfit),
        ("otherKey", .otherKey), ("pinLength", .pinLength), ("pinNeeded", .pinNeeded), ("noPIN", .noPIN),
        ("pinPaused", .pinPaused), ("pinBlocked", .pinBlocked), ("verificationChanged", .verificationChanged),
        ("timeout", .timeout), ("refused", .refused), ("cancelled", .cancelled), ("busy", .busy),
        ("gone", .gone), ("outOfMemory", .outOfMemory),
    ]

    init?(_ name: String, number: Int?) {
        switch name {
        case "pinWrong": self = .pinWrong(triesLeft: number.flatMap { UInt32(exactly: $0) })
        case "failed":
            guard let code = number.flatMap({ Int32(exactly: $0) }) else { return nil }
            self = .failed(code: code)
        default: return nil
        }
    }

    var numbered: (name: String, number: Int?)? {
        switch self {
        case .pinWrong(let tries): ("pinWrong", tries.map { Int($0) })
        case .failed(let code): ("failed", Int(code))
        default: nil
        }
    }
}

extension TPMError: DeviceFault {
    static let plain: [(String, TPMError)] = [
        ("noLibrary", .noLibrary), ("noTPM", .noTPM), ("denied", .denied), ("owned", .owned),
        ("authDiffers", .authDiffers), ("stateDiffers", .stateDiffers), ("otherTPM", .otherTPM),
        ("busy", .busy), ("outOfMemory", .outOfMemory),
    ]

    init?(_ name: String, number: Int?) {
        let number = number.flatMap { UInt32(exactly: $0) }
        switch (name, number) {
        case ("pinWrong", _): self = .pinWrong(triesLeft: number)
        case ("lockout", let seconds?): self = .lockout(seconds: seconds)
        case ("failed", let code?): self = .failed(code: code)
        default: return nil
        }
    }

    var numbered: (name: String, number: Int?)? {
        switch self {
        case .pinWrong(let tries): ("pinWrong", tries.map { Int($0) })
        case .lockout(let seconds): ("lockout", Int(seconds))
        case .failed(let code): ("failed", Int(code))
        default: nil
        }
    }
}

/// Why a security key did not do a request.
package enum KeyError: Error, Equatable, Sendable {
    /// libfido2 is not installed.
    case noLibrary
    /// No security key is plugged in.
    case noKey
    /// A key is plugged in; this login may not use it.
    case denied
    /// The key cannot make secrets: it has no FIDO2, or not hmac-secret.
    case unfit
    /// The key did not make this credential.
    case otherKey
    /// The PIN, or finger, is wrong; `triesLeft` until the key locks itself for good, where it says so.
    case pinWrong(triesLeft: UInt32?)
    /// The PIN has fewer than 4 characters or more than 63 bytes; it was not tried.
    case pinLength
    /// The key wants its PIN, or a finger, for this.
    case pinNeeded
    /// The key has no PIN.
    case noPIN
    /// Three wrong PINs in a row: the key has to be unplugged and plugged in again.
    case pinPaused
    /// The key has locked its PIN for good.
    case pinBlocked
    /// The key verifies its user otherwise than when the slot was made, and would give another secret.
    case verificationChanged
    /// Nobody touched it.
    case timeout
    /// It said no.
    case refused
    /// The wait was ended.
    case cancelled
    /// Another program is using it.
    case busy
    /// It was unplugged.
    case gone
    /// Locked memory was not to be had.
    case outOfMemory
    /// Anything else, with the code of the library or the key.
    case failed(code: Int32)
}

/// Why a TPM refused a request, or was not reached.
package enum TPMError: Error, Equatable, Sendable {
    /// tpm2-tss is not installed.
    case noLibrary
    /// The machine has no TPM, or no driver for it.
    case noTPM
    /// The TPM is there; this user may not use it.
    case denied
    /// The owner hierarchy has a password, so that no storage key can be made.
    case owned
    /// The PIN is wrong; `triesLeft` until the TPM refuses for a while, where it says so.
    case pinWrong(triesLeft: UInt32?)
    /// The TPM refuses PINs, for at most so many seconds.
    case lockout(seconds: UInt32)
    /// A sealed object without a PIN refuses the empty auth: its slot was changed.
    case authDiffers
    /// The machine was started in another way than when the object was sealed.
    case stateDiffers
    /// The object belongs to another TPM, or this one was cleared.
    case otherTPM
    /// The TPM was busy for a second.
    case busy
    /// Locked memory was not to be had.
    case outOfMemory
    /// Anything else, with the code of the library or the TPM.
    case failed(code: UInt32)
}

/// How a TPM counts wrong PINs, of all who use it together.
package struct TPMLockout: Equatable, Sendable {
    /// How many were wrong lately.
    package let wrong: UInt32
    /// How many may be wrong.
    package let allowed: UInt32
    /// Seconds after which a wrong PIN is forgotten.
    package let interval: UInt32
    /// Seconds until the lockout's own password may be tried again.
    package let recovery: UInt32

    /// A count as the TPM tells it.
    package init(wrong: UInt32, allowed: UInt32, interval: UInt32, recovery: UInt32) {
        self.wrong = wrong
        self.allowed = allowed
        self.interval = interval
        self.recovery = recovery
    }

    /// How many may be wrong before it refuses.
    package var triesLeft: UInt32 { allowed > wrong ? allowed - wrong : 0 }
    /// How long it refuses at most.
    package var seconds: UInt32 { interval > 0 ? interval : recovery }
}
