internal import LocalState
internal import RecordStore
internal import VaultCrypto

/// Everything that a store needs besides its collection.
struct KeyringPlace: Sendable {
    let vaultID: [UInt8]
    let service: any ItemService
    let codec: ItemCodec
    let lockFile: VaultLock
    let anchor: Anchor
    let lastWrite: LastWrite
    let entropy: Entropy
    let now: @Sendable () -> UInt64

    init(
        _ vaultID: [UInt8],
        _ paths: KeyringPaths,
        _ service: any ItemService,
        _ plainKinds: PlainKinds,
        _ entropy: Entropy,
        _ now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) {
        self.vaultID = vaultID
        self.service = service
        codec = ItemCodec(vaultID: vaultID, plainKinds: plainKinds)
        lockFile = try VaultLock(path: paths.lock(vaultID), vaultID: vaultID)
        anchor = Anchor(path: paths.anchor(vaultID), vaultID: vaultID)
        lastWrite = LastWrite(path: paths.lastWrite(vaultID), vaultID: vaultID)
        self.entropy = entropy
        self.now = now
    }

    /// The vault's items in a collection.
    func shelf(in collection: ItemPath) -> Shelf {
        Shelf(service: service, codec: codec, collection: collection)
    }
}
