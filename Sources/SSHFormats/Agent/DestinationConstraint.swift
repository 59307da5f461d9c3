/// One way that a key may be used: from a host, or from here, to a user at a host (OpenSSH's PROTOCOL.agent).
public struct DestinationConstraint: Hashable, Sendable {
    /// One end of a way.
    public struct Hop: Hashable, Sendable {
        /// A pattern for user names; empty for any.
        public let user: [UInt8]
        /// The name by which the host was written down.
        public let host: [UInt8]
        /// Its keys.
        let keys: [HopKey]
    }

    struct HopKey: Hashable, Sendable {
        let key: PublicKey
        /// Whether it signs the certificates of the host, instead of being its key.
        let isAuthority: Bool
    }

    /// Most ways of one key, and most keys of one host.
    public static let maximum = 1024
    /// Bytes in the longest pattern for a user.
    public static let longestUser = 256

    /// Where from; nil for this machine.
    public let from: Hop?
    /// Where to.
    public let to: Hop

    /// Reads the list after `restrict-destination-v00@openssh.com`.
    ///
    /// - Throws: `SSHFormatError.malformed` for no ways at all, for an end without keys, and for what is reserved
    ///   and set; the errors of the wire.
    static func list(_ bytes: [UInt8]) throws(SSHFormatError) -> [DestinationConstraint] {
        var reader = WireReader(bytes)
        var list: [DestinationConstraint] = []
        while !reader.isAtEnd {
            guard list.count < maximum else { throw .oversized(limit: maximum) }
            list.append(try DestinationConstraint(try reader.string()))
        }
        guard !list.isEmpty else { throw .malformed }
        return list
    }

    private init(_ bytes: [UInt8]) throws(SSHFormatError) {
        var reader = WireReader(bytes)
        let (from, to) = (try Self.hop(try reader.string()), try Self.hop(try reader.string()))
        guard try reader.string().isEmpty else { throw .badOption }
        try reader.finish()
        guard from.host.isEmpty == from.keys.isEmpty, from.user.isEmpty else { throw .malformed }
        guard !to.host.isEmpty, !to.keys.isEmpty else { throw .malformed }
        self.from = from.keys.isEmpty ? nil : from
        self.to = to
    }

    private static func hop(_ bytes: [UInt8]) throws(SSHFormatError) -> Hop {
        var reader = WireReader(bytes)
        let user = try reader.string(limit: longestUser)
        let host = try reader.string(limit: HostName.longest)
        guard try reader.string().isEmpty else { throw .badOption }
        var keys: [HopKey] = []
        while !reader.isAtEnd {
            guard keys.count < maximum else { throw .oversized(limit: maximum) }
            let key = try PublicKey(blob: try reader.string())
            keys.append(HopKey(key: key, isAuthority: try reader.byte() != 0))
        }
        return Hop(user: user, host: host, keys: keys)
    }

    /// Whether the way leads between these keys.
    ///
    /// No `from` is this machine, no `to` any host, no `user` any user; `time` is Unix seconds, for certificates.
    func leads(from: PublicKey?, to: PublicKey?, as user: [UInt8]?, at time: UInt64) -> Bool {
        if let from {
            guard let hop = self.from, hop.matches(from, at: time) else { return false }
        } else if self.from != nil {
            return false
        }
        if let to, !self.to.matches(to, at: time) { return false }
        guard let user, !self.to.user.isEmpty else { return true }
        return PatternList.matches(self.to.user[...], user)
    }
}

extension DestinationConstraint.Hop {
    /// Whether a key, or a certificate that is good for the host, is this end.
    fileprivate func matches(_ key: PublicKey, at time: UInt64) -> Bool {
        let certificate = try? Certificate(key)
        return keys.contains { own in
            guard own.isAuthority else { return own.key.isSameKey(as: key) }
            guard let certificate, certificate.authority.isSameKey(as: own.key) else { return false }
            return certificate.objections(as: .host, for: host, at: time).isEmpty
        }
    }
}
