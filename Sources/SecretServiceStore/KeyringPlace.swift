internal import RecordStore
internal import VaultCrypto

/// Everything that a store needs besides its collection.
struct KeyringPlace: Sendable {
    let vaultID: [UInt8]
    let service: any ItemService
    let natives: NativeValues
    let lockFile: VaultLock
    let anchor: Anchor
    let rootCopy: RootCopy
    let entropy: Entropy
    let now: @Sendable () -> UInt64

    init(
        _ vaultID: [UInt8],
        _ paths: KeyringPaths,
        _ service: any ItemService,
        _ natives: NativeValues,
        _ entropy: Entropy,
        _ now: @escaping @Sendable () -> UInt64
    ) throws(StoreError) {
        self.vaultID = vaultID
        self.service = service
        self.natives = natives
        lockFile = try VaultLock(path: paths.lock(vaultID), vaultID: vaultID)
        anchor = Anchor(path: paths.anchor(vaultID), vaultID: vaultID)
        rootCopy = RootCopy(path: paths.rootCopy(vaultID), vaultID: vaultID)
        self.entropy = entropy
        self.now = now
    }
}
