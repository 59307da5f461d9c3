public import VaultCrypto

/// One whole message to an agent: its number, and what follows it.
public enum SSHAgentFrame: Sendable {
    /// Nothing in it is secret.
    case open(code: UInt8, body: [UInt8])
    /// It carries a private key or a passphrase.
    case secret(code: UInt8, body: Secret)
}
