internal import Console
internal import VaultCrypto
internal import VaultLifecycle

extension JSONValue {
    /// Which vault (Schemas/cli/common.schema.json, `vaultRef`); in the keyring it has a name and no path.
    static func vault(_ place: VaultPlace, id: [UInt8], _ backend: Backend) -> JSONValue {
        [
            "id": .text(Hex.encode(id)), "name": .optional(place.name),
            "path": backend == .file ? .text(place.file) : .null, "backend": .text(backend.word),
        ]
    }

    /// The same of an open one.
    static func vault(_ place: VaultPlace, _ store: OpenedStore) -> JSONValue {
        .vault(place, id: store.vaultID, store.backend)
    }
}
