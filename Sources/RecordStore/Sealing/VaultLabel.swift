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

    /// The label as it is hashed or authenticated.
    let bytes: [UInt8]

    private init(_ name: String) {
        bytes = Array("HSIP-VAULT/1 ".utf8) + Array(name.utf8) + [0]
    }
}
