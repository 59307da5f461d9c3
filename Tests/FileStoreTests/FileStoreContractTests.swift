import FileStore
import RecordStore
import Support
import Synchronization
import Testing

@Suite struct FileStoreContractTests {
    /// Vaults by the store that was made in them, so that they live as long as the test.
    private final class Vaults: Sendable {
        let open = Mutex<[ObjectIdentifier: ScratchVault]>([:])

        func keep(_ vault: ScratchVault, for store: any Store) -> any Store {
            open.withLock { $0[ObjectIdentifier(store)] = vault }
            return store
        }

        func vault(of store: any Store) throws -> ScratchVault {
            try #require(open.withLock { $0[ObjectIdentifier(store)] })
        }
    }

    @Test(arguments: StorePromise.all)
    func `an encrypted file keeps the contract`(promise: StorePromise) throws {
        let vaults = Vaults()
        try promise.check(
            StoreBackend(
                make: {
                    let vault = try ScratchVault()
                    return vaults.keep(vault, for: try vault.create())
                },
                reopen: { try vaults.vault(of: $0).open() },
                raiseFloor: { try #require($0 as? FileStore).acceptRollback() }
            )
        )
    }
}
