/// The kinds of keys that `ssh-keygen` makes, as its arguments say them.
enum KeyKind: String, CaseIterable, Sendable {
    case ed25519
    case ecdsa256
    case ecdsa384
    case ecdsa521
    case rsa2048
    case rsa3072
    case rsa4096

    /// Those that are made at once.
    static let quick: [KeyKind] = [.ed25519, .ecdsa256, .ecdsa384, .ecdsa521, .rsa2048]

    var arguments: [String] {
        switch self {
        case .ed25519: ["ed25519"]
        case .ecdsa256: ["ecdsa", "-b", "256"]
        case .ecdsa384: ["ecdsa", "-b", "384"]
        case .ecdsa521: ["ecdsa", "-b", "521"]
        case .rsa2048: ["rsa", "-b", "2048"]
        case .rsa3072: ["rsa", "-b", "3072"]
        case .rsa4096: ["rsa", "-b", "4096"]
        }
    }
}

extension String {
    /// The bytes of the text.
    var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8] {
    /// The bytes as text.
    var text: String { String(decoding: self, as: UTF8.self) }
}
