internal import VaultCrypto

extension PeerID {
    /// The PeerID of the identity key inside a code; `malformed` if that is not 32 bytes.
    init(identity key: [UInt8]) throws(HSIPError) {
        do {
            try self.init(publicKey: key)
        } catch {
            throw .malformed
        }
    }
}
