/// Why a session or an identity was ended, as its owner says.
public enum RevokeReason: UInt8, CaseIterable, Hashable, Sendable, Codable {
    case none = 0
    case lostDevice = 1
    case compromised = 2
    case ended = 3
}
