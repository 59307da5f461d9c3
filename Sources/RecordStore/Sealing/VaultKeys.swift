package import VaultCrypto

/// The six subkeys of a vault key, each in locked memory of its own.
///
/// The vault key itself is not kept: making a new slot needs the secret of an old one again.
package struct VaultKeys: Sendable {
    let head: Secret
    let meta: Secret
    let body: Secret
    let id: Secret
    let lane: Secret
    let slot: Secret

    /// Bytes of a vault key.
    package static let vaultKeySize = 32

    /// Derives the subkeys (`crypto_kdf`, context `HSIPVLT1`, numbers 1 to 6).
    package init(vaultKey: borrowing SecretBytes) throws(StoreError) {
        do {
            head = Secret(try KeyDerivation.subkey(1, context: Self.context, of: vaultKey))
            meta = Secret(try KeyDerivation.subkey(2, context: Self.context, of: vaultKey))
            body = Secret(try KeyDerivation.subkey(3, context: Self.context, of: vaultKey))
            id = Secret(try KeyDerivation.subkey(4, context: Self.context, of: vaultKey))
            lane = Secret(try KeyDerivation.subkey(5, context: Self.context, of: vaultKey))
            slot = Secret(try KeyDerivation.subkey(6, context: Self.context, of: vaultKey))
        } catch {
            throw StoreError(error)
        }
    }

    private static let context = "HSIPVLT1"

    /// The subkeys by the names of the known answers, for tests that compare them.
    package var named: [(name: String, key: Secret)] {
        [("head", head), ("meta", meta), ("body", body), ("id", id), ("lane", lane), ("slot", slot)]
    }
}
