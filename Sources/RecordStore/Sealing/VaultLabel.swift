/// Domain separation of format 1: L(x) = ASCII `HSIP-VAULT/1 ` ‖ x ‖ 00 (Schemas/vault-file.md, "Bytes").
enum VaultLabel: String {
    case head, meta, body, id, slot, slots, note, recovery, carry
    case slotWrap = "slot-wrap"
    case secretService = "secret-service"

    /// The label as it is hashed or authenticated.
    var bytes: [UInt8] { Array("HSIP-VAULT/1 ".utf8) + Array(rawValue.utf8) + [0] }
}
