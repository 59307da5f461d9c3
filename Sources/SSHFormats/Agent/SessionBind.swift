/// What ssh says first on a connection to an agent: this is for that session with that host.
///
/// The host signed the session's identifier with its key, so the host is proven and not only named.
public struct SessionBind: Hashable, Sendable {
    /// Bytes in the longest identifier of a session.
    public static let longestSession = 128

    /// The key of the host, which may be a certificate.
    public let hostKey: PublicKey
    /// The identifier of the session.
    public let sessionID: [UInt8]
    /// The host's signature of it, on the wire.
    public let signature: [UInt8]
    /// Whether the connection will serve programs on that host, instead of a login to it.
    public let isForwarding: Bool

    /// The parts of a bind; nothing is checked.
    public init(hostKey: PublicKey, sessionID: [UInt8], signature: [UInt8], isForwarding: Bool) {
        self.hostKey = hostKey
        self.sessionID = sessionID
        self.signature = signature
        self.isForwarding = isForwarding
    }

    init(from reader: inout WireReader) throws(SSHFormatError) {
        hostKey = try PublicKey(blob: try reader.string())
        sessionID = try reader.string(limit: Self.longestSession)
        signature = try reader.string(limit: SSHSignature.longest)
        isForwarding = try reader.byte() != 0
    }

    /// Refuses a bind that the host has not signed.
    ///
    /// - Throws: what `SSHSignature` refuses and `PublicKey.verify` throws.
    public func verify() throws(SSHFormatError) {
        try hostKey.verify(try SSHSignature(wire: signature), message: sessionID)
    }
}
