package import VaultCrypto

/// The six subkeys of a vault key, each in separate locked memory.
///
/// The vault key itself is not kept: making a new slot needs the secret of an existing one.
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

    /// The subkeys by their names, for tests that compare them with known answers.
    package var named: [(name: String, key: Secret)] {
        [("head", head), ("meta", meta), ("body", body), ("id", id), ("lane", lane), ("slot", slot)]
    }
}

/// Domain separation of format 1: L(x) = ASCII `HSIP-VAULT/1 ` ‖ x ‖ 00 (Schemas/vault-file.md, "Bytes").
struct VaultLabel: Sendable {
    static let head = VaultLabel("head")
    static let meta = VaultLabel("meta")
    static let body = VaultLabel("body")
    static let id = VaultLabel("id")
    static let slot = VaultLabel("slot")
    static let slots = VaultLabel("slots")
    static let note = VaultLabel("note")
    static let recovery = VaultLabel("recovery")
    static let carry = VaultLabel("carry")
    static let slotWrap = VaultLabel("slot-wrap")
    static let fido2 = VaultLabel("fido2")
    static let tpm2 = VaultLabel("tpm2")
    static let machine = VaultLabel("machine")
    static let nv = VaultLabel("nv")
    static let keyFile = VaultLabel("keyfile")
    static let secretService = VaultLabel("secret-service")

    /// The label's bytes, to be hashed or authenticated.
    let bytes: [UInt8]

    private init(_ name: String) {
        bytes = Array("HSIP-VAULT/1 ".utf8) + Array(name.utf8) + [0]
    }
}
