/// Why a rule cannot be kept.
public enum RuleError: String, Error, Equatable, Sendable, Codable {
    /// The name is not 1–64 of `a-z`, `0-9`, `-`.
    case badName
    /// A value is empty, longer than 256 bytes, or has control characters in it.
    case badValue
    /// A program is named neither by an absolute path nor by `flatpak:NAME` or `snap:NAME`.
    case badProgram
    /// What it is inside is neither an absolute path nor `unit:NAME`.
    case badInside
    /// A process can leave what it was started in, so that allows nothing.
    case insideAllows
    /// A rule for a route from another machine says less than a whole route, or does not allow.
    case badRoute
    /// A rule for a route names one host twice.
    case routeToItself
    /// An allowing rule that names nothing at all would switch every question off.
    case allowsEverything
    /// Forwarded uses and raw data are asked about each time, and some conditions are those of other kinds: the rule would
    /// cover nothing.
    case neverCovered
}
