internal import Text

extension TPMError {
    /// The errors that say all by their name.
    private static let plain: [(String, TPMError)] = [
        ("noLibrary", .noLibrary), ("noTPM", .noTPM), ("denied", .denied), ("owned", .owned),
        ("authDiffers", .authDiffers), ("stateDiffers", .stateDiffers), ("otherTPM", .otherTPM),
        ("busy", .busy), ("outOfMemory", .outOfMemory),
    ]

    init?(_ json: JSONValue) {
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

    var json: JSONValue {
        switch self {
        case .pinWrong(let tries): ["error": "pinWrong", "number": .optional(tries)]
        case .lockout(let seconds): ["error": "lockout", "number": .integer(seconds)]
        case .failed(let code): ["error": "failed", "number": .integer(code)]
        default: ["error": .text(Self.plain.first { $0.1 == self }?.0 ?? "")]
        }
    }
}
