/// How the vault came to believe a known host; the raw values are stored and never change.
public enum HostKeySource: UInt8, CaseIterable, Hashable, Sendable, Codable {
    /// Taken at the first connection, after a look at the fingerprint.
    case firstUse
    /// A person compared the fingerprint with one from elsewhere, or said so outright.
    case compared
    /// It stood in a file that was imported.
    case imported
    /// A certificate authority of the host vouched for it.
    case authority
    /// The fingerprint stood in the signed zone of the host (SSHFP, RFC 4255).
    case sshfp

    /// The word for it in lists and in JSON.
    public var word: String {
        switch self {
        case .firstUse: "first-use"
        case .compared: "compared"
        case .imported: "imported"
        case .authority: "ca"
        case .sshfp: "sshfp"
        }
    }
}
