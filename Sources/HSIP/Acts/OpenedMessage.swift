public import VaultCrypto

/// A message that was opened.
public struct OpenedMessage: Sendable {
    /// The text: UTF-8.
    public let plaintext: Secret
    /// Who sealed it: the owner of the key, not of the header.
    public let sender: PeerID
    /// The pairing whose key opened it.
    public let pairing: PairingID
    /// The epoch of that pairing.
    public let epoch: UInt32
    /// It was read before.
    public let isReread: Bool
}
