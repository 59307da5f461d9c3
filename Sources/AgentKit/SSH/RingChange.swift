/// What a program does to the keys that ssh may use.
package enum RingChange: Equatable, Sendable {
    /// Adds one, until the vault locks.
    case add(name: String, fingerprint: String)
    /// Puts one into the vault.
    case store(name: String, fingerprint: String)
    /// Takes one out, until the vault is opened again.
    case remove(name: String, fingerprint: String)
    /// Takes all out.
    case removeAll(count: Int)
}
