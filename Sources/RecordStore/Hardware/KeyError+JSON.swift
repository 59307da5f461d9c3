internal import Text

extension KeyError {
    /// The errors that say all by their name.
    private static let plain: [(String, KeyError)] = [
        ("noLibrary", .noLibrary), ("noKey", .noKey), ("denied", .denied), ("unfit", .unfit),
        ("otherKey", .otherKey), ("pinLength", .pinLength), ("pinNeeded", .pinNeeded), ("noPIN", .noPIN),
        ("pinPaused", .pinPaused), ("pinBlocked", .pinBlocked), ("verificationChanged", .verificationChanged),
        ("timeout", .timeout), ("refused", .refused), ("cancelled", .cancelled), ("busy", .busy),
        ("gone", .gone), ("outOfMemory", .outOfMemory),
    ]

    init?(_ json: JSONValue) {
        switch json["error"]?.text {
        case "pinWrong": self = .pinWrong(triesLeft: json.number("number"))
        case "failed":
            guard let code = json["number"]?.integer.flatMap({ Int32(exactly: $0) }) else { return nil }
            self = .failed(code: code)
        case let name:
            guard let error = Self.plain.first(where: { $0.0 == name })?.1 else { return nil }
            self = error
        }
    }

    var json: JSONValue {
        switch self {
        case .pinWrong(let tries): ["error": "pinWrong", "number": .optional(tries)]
        case .failed(let code): ["error": "failed", "number": .integer(code)]
        default: ["error": .text(Self.plain.first { $0.1 == self }?.0 ?? "")]
        }
    }
}
