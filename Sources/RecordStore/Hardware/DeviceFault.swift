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
