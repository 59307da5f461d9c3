/// One permitted hop of a key: from a host or this machine, to a user at a host (OpenSSH's PROTOCOL.agent).
public struct DestinationConstraint: Hashable, Sendable {
    /// One end of a hop.
    public struct Hop: Hashable, Sendable {
        /// A pattern for user names; empty for any user.
        public let user: [UInt8]
        /// The host name, as the user wrote it.
        public let host: [UInt8]
        /// The keys of the host.
        let keys: [HopKey]
    }

    struct HopKey: Hashable, Sendable {
        let key: PublicKey
        /// Whether the key signs certificates of the host instead of being its host key.
        let isAuthority: Bool
    }

    /// The largest number of hops of one key, and of keys of one host.
    public static let maximum = 1024
    /// The length of the longest user pattern in bytes.
    public static let longestUser = 256

    /// The source; nil for this machine.
    public let from: Hop?
    /// The destination.
    public let to: Hop

    /// Reads the list after `restrict-destination-v00@openssh.com`.
    ///
    /// - Throws: `SSHFormatError.malformed` for an empty list, for an end without keys, and for reserved fields that
    ///   are not empty; the errors of the wire format.
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

    /// Whether the hop leads from one key to the other.
    ///
    /// Without `from` it starts at this machine. Without `to` it matches any host, without `user` any user. `time` is
    /// a Unix time in seconds, for certificates.
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
    /// Whether this end has the key, or the CA of a certificate that is valid for the host.
    fileprivate func matches(_ key: PublicKey, at time: UInt64) -> Bool {
        let certificate = try? Certificate(key)
        return keys.contains { own in
            guard own.isAuthority else { return own.key.isSameKey(as: key) }
            guard let certificate, certificate.authority.isSameKey(as: own.key) else { return false }
            return certificate.objections(as: .host, for: host, at: time).isEmpty
        }
    }
}
