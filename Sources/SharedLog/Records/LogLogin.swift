public import VaultCrypto

/// How a machine logs in to the servers that keep its log: the record `log.login` (Schemas/machines.md section 9).
///
/// It is a matter of this machine alone, and no entry has it.
public struct LogLogin: Codable, Sendable {
    /// Bytes in the certificates of authorities.
    package static let authorityLimit = 1 << 16
    /// Bytes in a path, a user and a password.
    private static let limit = 4_096

    /// The address that it is for: no other server gets it.
    public let address: String
    /// The certificates of those who sign the servers' certificates, as PEM; empty for the system's.
    public var authority = ""
    /// The path of this machine's own certificate; empty for none.
    public var certificate = ""
    /// The path of that certificate's key.
    public var key = ""
    /// The user; empty for no login.
    public var user = ""
    /// The user's password.
    public var password: Secret?

    /// A login without a user.
    public init(address: String) { self.address = address }

    /// Reads the content of the record.
    ///
    /// - Throws: `newerEntry`; `logTampered`; `outOfMemory`.
    package init(content: Secret) throws(LogError) {
        var reader = try LogReader(object: content)
        address = try reader.text(limit: LogLimits.address)
        certificate = try reader.text(limit: Self.limit)
        key = try reader.text(limit: Self.limit)
        user = try reader.text(limit: Self.limit)
        let pem = try reader.string(limit: Self.authorityLimit)
        guard let authority = String(validating: pem, as: UTF8.self) else { throw LogError(.logTampered) }
        self.authority = authority
        let password = try reader.part(limit: Self.limit)
        try reader.finish()
        self.password = password.count == 0 ? nil : password
    }

    /// The content of the record.
    ///
    /// - Throws: `malformed` for something that is too long; `outOfMemory`.
    package func content() throws(LogError) -> Secret {
        guard address.utf8.count <= LogLimits.address, authority.utf8.count <= Self.authorityLimit,
            [certificate, key, user].allSatisfy({ $0.utf8.count <= Self.limit }),
            password.map({ $0.count <= Self.limit }) ?? true
        else { throw LogError(.malformed) }
        var writer = try LogWriter.object([])
        for text in [address, certificate, key, user] { try writer.short(text.utf8) }
        try writer.string(Array(authority.utf8))
        try writer.number(UInt32(password?.count ?? 0))
        if let password { try writer.raw(password) }
        return try writer.content()
    }
}
