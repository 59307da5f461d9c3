public import VaultCrypto

extension PrivateKey {
    private static let addIdentity: UInt8 = 17

    /// Reads the message with which a program hands a key to an agent (RFC 9987, `SSH_AGENTC_ADD_IDENTITY`):
    /// what `ssh-add` sends once it has opened a key file.
    ///
    /// - Throws: `SSHFormatError.malformed` for another message; what reading a key throws; `trailingBytes`.
    public init(addition message: Secret) throws(SSHFormatError) {
        var reader = SecretReader(message)
        guard try reader.byte() == Self.addIdentity else { throw .malformed }
        guard try Self.opaqueType(reader) == nil else { throw .unsupportedKeyType }
        var key = try PrivateKey(from: &reader)
        key.comment = try reader.string(limit: Self.longestWire)
        guard !key.comment.contains(0) else { throw .malformed }
        guard reader.remaining == 0 else { throw .trailingBytes }
        self = key
    }
}
