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

/// The files that belong to a vault in the Secret Service: the anchor and the lock.
public struct KeyringPaths: Equatable, Sendable {
    /// The folder of the anchor: `$XDG_STATE_HOME/hsip`.
    public let anchorFolder: String
    /// The folder of the lock: `$XDG_RUNTIME_DIR/hsip`, or `run` in the folder of the anchor.
    public let lockFolder: String

    /// Chosen paths.
    public init(anchorFolder: String, lockFolder: String) {
        self.anchorFolder = anchorFolder
        self.lockFolder = lockFolder
    }

    /// The standard paths; a runtime folder that is empty or not an absolute path is ignored.
    public init(anchorFolder: String, environment: [String: String]) {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        self.init(
            anchorFolder: anchorFolder,
            lockFolder: runtime.map { $0 + "/hsip" } ?? anchorFolder + "/run"
        )
    }

    /// The file of the anchor of one vault.
    package func anchor(_ vaultID: [UInt8]) -> String { "\(anchorFolder)/anchor-\(Hex.encode(vaultID))" }

    /// The file of the copy of one vault's root.
    package func rootCopy(_ vaultID: [UInt8]) -> String { "\(anchorFolder)/root-\(Hex.encode(vaultID))" }

    /// The file of the lock of one vault.
    package func lock(_ vaultID: [UInt8]) -> String { "\(lockFolder)/lock-\(Hex.encode(vaultID))" }
}
