/// Why a rule cannot be kept.
public enum RuleError: String, Error, Equatable, Sendable, Codable {
    /// The name is not 1–64 of `a-z`, `0-9`, `-`.
    case badName
    /// A value is empty, longer than 256 bytes, or has control characters in it.
    case badValue
    /// A program is not named by an absolute path.
    case badProgram
    /// What it is inside is neither an absolute path nor `unit:NAME`.
    case badInside
    /// A process can leave what it was started in, so that allows nothing.
    case insideAllows
    /// An allowing rule that names nothing at all would switch every question off.
    case allowsEverything
    /// Forwarded uses and raw data are asked about each time; no rule allows them.
    case neverCovered
}
