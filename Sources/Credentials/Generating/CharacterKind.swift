/// A set of characters that a made password draws from.
public enum CharacterKind: String, CaseIterable, Codable, Sendable {
    /// A to Z.
    case upper
    /// a to z.
    case lower
    /// 0 to 9.
    case digit
    /// 26 signs of ASCII, without the quotation marks, the slashes and the tilde, which programs misread most.
    case symbol

    /// Its characters, each once.
    public var characters: [UInt8] {
        switch self {
        case .upper: Array(0x41...0x5A)
        case .lower: Array(0x61...0x7A)
        case .digit: Array(0x30...0x39)
        case .symbol: Array("!@#$%^&*()_+-=[]{}|;:,.<>?".utf8)
        }
    }
}
