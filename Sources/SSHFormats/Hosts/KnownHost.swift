/// What one line of known_hosts says: these names have this key.
public struct KnownHost: Hashable, Sendable, Codable {
    /// What makes a line mean something else than "this is the key of these hosts".
    public enum Marker: String, CaseIterable, Hashable, Sendable, Codable {
        /// The key signs certificates of these hosts.
        case authority = "@cert-authority"
        /// These hosts must never be trusted by this key, nor by a certificate of it or by it.
        case revoked = "@revoked"
    }

    /// The marker, if there is one.
    public let marker: Marker?
    /// Whose key it is.
    public let names: HostPattern
    /// The key, with the comment of the line.
    ///
    /// Of types that this program can do nothing with (DSA, unknown ones) it is only the bytes: enough to see
    /// that another key is offered.
    public let key: PublicKey

    /// A line of these parts.
    public init(names: HostPattern, key: PublicKey, marker: Marker? = nil) {
        self.marker = marker
        self.names = names
        self.key = key
    }

    /// The line for people: the hosts, its effect, and the key.
    package var fact: String {
        let names = String(decoding: names.text, as: UTF8.self)
        let whose =
            switch marker {
            case nil: names
            case .authority: "Authority for \(names)"
            case .revoked: "Revoked for \(names)"
            }
        return "\(whose): \(key.algorithm.shortName) \(key.fingerprint)"
    }

    /// The line as ssh writes it, without a line break.
    ///
    /// A comment ends at its first line break or zero byte: what follows would be a line of its own.
    public var line: [UInt8] {
        var line: [UInt8] = []
        if let marker { line += Array(marker.rawValue.utf8) + [0x20] }
        line += names.text + [0x20] + key.typeAndBase64
        let comment = key.comment.prefix { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
        if !comment.isEmpty { line += [0x20] + comment }
        return line
    }
}
