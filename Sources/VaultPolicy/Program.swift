/// Which program asks, as far as the kernel says.
public enum Program: Hashable, Sendable, Codable {
    /// Our own command line, installed beside the agent; the path of its file.
    case own(path: String)
    /// Any other program; the path of its file, of one on the bus its identity.
    case other(path: String)
    /// Its file could not be read, or its process may have been replaced: no rule that allows covers it.
    case unknown

    /// The path of the program's file, or its identity on the bus; nil where it is unknown.
    public var path: String? {
        switch self {
        case .own(let path), .other(let path): path
        case .unknown: nil
        }
    }
}
