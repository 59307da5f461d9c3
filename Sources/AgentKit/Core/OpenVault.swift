internal import Dispatch
internal import Files
package import RecordStore
internal import Synchronization
package import VaultKit

/// The vault while it is open: the actor, and what it takes to close it.
package final class OpenVault: Sendable {
    package let vault: Vault
    /// 16 bytes, public.
    package let vaultID: [UInt8]
    /// `file` or `secret-service`.
    package let backend: String
    /// Whether it was a secret of its own that opened it; a keyring opens with whatever is typed at it, so that proves
    /// nothing.
    var takesSecret: Bool { backend != "secret-service" }
    private let closing: @Sendable () -> Void
    private let counting: @Sendable () throws(StoreError) -> UInt64
    private let file: String?
    private let identity: FileFacts.Identity?
    private let users = DispatchGroup()
    private let rootReturns: @Sendable () -> Int
    private let told = Mutex(0)

    /// A vault that was just opened.
    ///
    /// - Parameters:
    ///   - vault: the actor over the open store.
    ///   - vaultID: 16 bytes, public.
    ///   - backend: `file` or `secret-service`.
    ///   - file: the vault's file, where there is one.
    ///   - rootReturns: how often the root of a vault in the keyring was put back from its copy.
    ///   - generation: the number of the newest commit at present, read from the store.
    ///   - close: forgets the keys, as `FileStore.lock` does.
    package init(
        _ vault: Vault,
        vaultID: [UInt8],
        backend: String,
        file: String? = nil,
        rootReturns: @escaping @Sendable () -> Int = { 0 },
        generation: @escaping @Sendable () throws(StoreError) -> UInt64,
        close: @escaping @Sendable () -> Void
    ) {
        self.vault = vault
        self.vaultID = vaultID
        self.backend = backend
        self.file = file
        identity = file.flatMap { FileFacts(at: $0)?.identity }
        self.rootReturns = rootReturns
        counting = generation
        closing = close
    }

    /// A vault over an open store.
    package convenience init(
        store: any Store,
        backend: String,
        file: String? = nil,
        auditFolder: String? = nil,
        rootReturns: @escaping @Sendable () -> Int = { 0 },
        close: @escaping @Sendable () -> Void
    ) {
        self.init(
            Vault(store: store, auditFolder: auditFolder),
            vaultID: store.vaultID,
            backend: backend,
            file: file,
            rootReturns: rootReturns,
            generation: { () throws(StoreError) in
                try store.read { (reader) throws(StoreError) in reader.generation }
            },
            close: close
        )
    }

    /// The number of the newest commit: another one than before means that something in the vault changed, by
    /// this or another process.
    ///
    /// - Throws: `locked` after closing; whatever says that the vault is not what it was.
    package func generation() throws(StoreError) -> UInt64 { try counting() }

    /// Whether the root was put back since this was last asked.
    func takeRootReturn() -> Bool {
        let count = rootReturns()
        return told.withLock { told in
            defer { told = count }
            return count > told
        }
    }

    /// Whether the file at its path is still the one that was opened.
    package var isInPlace: Bool { file.map { FileFacts(at: $0)?.identity == identity } ?? true }

    /// Runs `body` as one use of the vault: who closes it waits for its end.
    package func use<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        users.enter()
        defer { users.leave() }
        return try body()
    }

    /// Forgets the keys; every call from now on is refused.
    func close() { closing() }

    /// Waits until the uses that began before are at their end, as they hold keys so long.
    ///
    /// - Returns: false when that took longer than the given seconds.
    func waitForUsers(seconds: Int) -> Bool {
        users.wait(timeout: .now() + .seconds(seconds)) == .success
    }
}
