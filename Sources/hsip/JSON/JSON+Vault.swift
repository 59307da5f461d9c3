internal import Console
internal import VaultCrypto

extension JSONValue {
    /// Which vault (Schemas/cli/common.schema.json, `vaultRef`).
    static func vault(_ place: VaultPlace, id: [UInt8]) -> JSONValue {
        [
            "id": .text(Hex.encode(id)), "name": .optional(place.name), "path": .text(place.file),
            "backend": .text(VaultRecord.file),
        ]
    }
}
